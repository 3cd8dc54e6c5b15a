/*
 * The branch trace store emptied by interrupts, for each method that asks at a threshold of
 * its own.
 */
#pragma once

#include "method.h"

/* How it is interrupted: at this threshold, except where the options ask for otherwise. */
struct interrupt_config bts_pmi_config(const struct buffers *, size_t threshold, bool nmi);

struct enable bts_pmi_arm(const struct cpu *, const struct buffers *,
                          struct interrupt_config);
struct trace bts_pmi_drain(const struct cpu *, const struct buffers *);
void bts_pmi_disarm(const struct cpu *);
