/*
 * Branch-trace hardware: what the files of its registers have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#ifndef I386_BRANCH_TRACE_MSR_H
#define I386_BRANCH_TRACE_MSR_H

/* The outcome of RDMSR or WRMSR; NOT_OURS is for a register that is not handled here. */
typedef enum BTOutcome { NOT_OURS, DONE, FAULT /* #GP */ } BTOutcome;

/* branch-trace-msr.c */
int bt_msr_which(uint32_t msr, uint32_t first, unsigned n);
bool bt_msr_canonical(const CPUX86State *env, uint64_t address);
BTOutcome bt_msr_write_masked(uint64_t *p, uint64_t value, uint64_t gone,
                              uint64_t kept);

/* branch-trace-msr-record.c */
BTOutcome bt_msr_read_record(CPUX86State *env, uint32_t msr, uint64_t *value);
BTOutcome bt_msr_write_record(CPUX86State *env, uint32_t msr, uint64_t value);

/* branch-trace-msr-count.c */
BTOutcome bt_msr_read_counter(CPUX86State *env, uint32_t msr, uint64_t *value);
BTOutcome bt_msr_write_counter(CPUX86State *env, uint32_t msr, uint64_t value);
bool bt_msr_is_reload(const BTModel *m, uint32_t msr);

#endif /* I386_BRANCH_TRACE_MSR_H */
