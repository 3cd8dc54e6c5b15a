/*
 * msr_lbr.h.  SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording" and "Last
 * Branch Records"; AMD64 APM vol. 2, "Control-Transfer Recording MSRs".
 *
 * A gate turns recording on by a write to /dev/cpu/N/msr.  The branches by which Linux
 * returns from it are older than the CALL, so they are dropped.  No write could turn
 * recording off in time: the path to it has more branches than the stack has entries, and
 * not every stack has a filter by ring.  But delivering #DB turns recording off before its
 * own branch is recorded.  So the window ends with a single step, and the newest record is
 * the workload's return, on every layout.
 *
 * `ler` keeps the branch before an exception, so there one follows the workload's return,
 * before the single step: the workload's last branch is then in LER.
 *
 * Where the stack has a filter, ring 0 is left out.  An interrupt still leaves the record
 * of its IRET, and ES shows it (call.asm).
 */
#include "msr_lbr.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "call.h"
#include "entry.h"
#include "msr_device.h"
#include "msr_numbers.h"
#include "rule.h"
#include "visible.h"

static struct {
    struct own_machine *own;
    int error; /* errno of what was refused, or 0 */
    const char *refused;
} session;

/* The register that turns recording on, and its values; `bit`: what #DB clears. */
struct recorder {
    uint32_t msr;
    uint64_t on, off, bit, touch;
    bool was_on; /* another program turned it on since the last attempt */
};

const char *msr_lbr_lacks(const struct own_machine *own, enum facility facility)
{
    const struct model *model = own->model;

    if (!model)
        return "unknown model: registers not known";
    if (facility == FACILITY_LER ? !model->ler_from : own->lbr_depth == 0)
        return "none is known of this model";
    if (model->lbr.form != LBR_PAIR)
        return "a record holds 32 bits of an address, and this program lies above 4 GiB";
    return NULL;
}

/* DEBUGCTL first, so that recording is off before anything else is put back. */
static size_t used_msrs(const struct lbr_layout *lbr, uint32_t out[MSR_GUARDED_MAX])
{
    const uint32_t all[MSR_GUARDED_MAX] = { MSR_DEBUGCTL, lbr->ctl, lbr->select,
                                            lbr->set_depth };
    size_t count = 0;

    for (size_t i = 0; i < MSR_GUARDED_MAX; i++)
        if (all[i])
            out[count++] = all[i];
    return count;
}

static bool is_on(const struct model *model)
{
    return msr_guard_value(MSR_DEBUGCTL) & model->debugctl.lbr ||
           (model->lbr.ctl && msr_guard_value(model->lbr.ctl) & model->lbr.ctl_enable);
}

/* False after noting what was refused.  Only a write shows whether Linux is locked down. */
static bool begin(struct own_machine *own, struct attempt *attempt)
{
    uint32_t msrs[MSR_GUARDED_MAX];
    const size_t count = own->model ? used_msrs(&own->model->lbr, msrs) : 0;
    uint64_t now;

    if (!msr_device_open(own->processor, attempt))
        return false;
    own->has_misc_enable = msr_device_read(MSR_MISC_ENABLE, &own->misc_enable);
    own->has_perf_capabilities =
        own->id.pdcm && msr_device_read(MSR_PERF_CAPABILITIES, &own->perf_capabilities);
    own->id.lbr_format = (uint8_t)(own->perf_capabilities & PERF_CAPABILITIES_LBR_FORMAT);
    if (!msr_device_read(MSR_DEBUGCTL, &now) || !msr_device_write(MSR_DEBUGCTL, now)) {
        attempt_refuse(attempt, "access to DEBUGCTL");
        return false;
    }
    if (!msr_guard_begin(msrs, count, attempt))
        return false;
    if (own->model && is_on(own->model)) {
        msr_guard_end();
        errno = EBUSY;
        attempt_refuse(attempt, "last-branch records");
        return false;
    }
    return true;
}

void msr_lbr_begin(struct own_machine *own, struct attempt *attempt)
{
    attempt->error = 0;
    session.own = own;
    session.error = begin(own, attempt) ? 0 : attempt->error;
    session.refused = attempt->refused;
}

void msr_lbr_end(void)
{
    if (!session.error)
        msr_guard_end();
    msr_device_close();
}

/* Filtered: ring 0 is left out, where the filter can do that. */
static uint64_t filter_value(bool filtered)
{
    const struct own_machine *own = session.own;
    const uint32_t has = record_filter_has(method_named("lbr"), own->model, &own->id);

    return filter_register(own->model->lbr.filter, has,
                           filtered ? has & LEAVES_OUT(FILTER_KERNEL) : 0);
}

/* All other bits of the register keep their values, except for a filter of records. */
static struct recorder recorder_by(uint32_t msr, uint64_t bit, bool filtered)
{
    const struct lbr_layout *lbr = &session.own->model->lbr;
    struct recorder by = { .msr = msr, .bit = bit };

    msr_device_read(msr, &by.off);
    by.was_on = by.off & bit;
    by.off &= ~bit;
    by.on = by.off | bit;
    if (msr == lbr->ctl && lbr->filter && !lbr->select)
        by.on = bit | filter_value(filtered);
    return by;
}

static struct recorder recorder_of_stack(bool filtered)
{
    const struct model *model = session.own->model;

    return model->lbr.ctl ? recorder_by(model->lbr.ctl, model->lbr.ctl_enable, filtered)
                          : recorder_by(MSR_DEBUGCTL, model->debugctl.lbr, filtered);
}

/* LBR in DEBUGCTL governs LER where there is such a bit (kernel/methods/ler.c). */
static struct recorder recorder_of_exception(void)
{
    const uint32_t lbr = session.own->model->debugctl.lbr;
    struct recorder by =
        lbr ? recorder_by(MSR_DEBUGCTL, lbr, false) : recorder_of_stack(false);

    by.touch = CALL_FAULTS;
    return by;
}

/*
 * Empties the stack; one that cannot be written fills up with branches of Linux.  Returns
 * the entries that may be read: IA32_LBR_DEPTH may hold less than what was written.
 */
static size_t empty(void)
{
    const struct lbr_layout *lbr = &session.own->model->lbr;
    size_t depth = session.own->lbr_depth;
    uint64_t held;

    if (lbr->set_depth && msr_device_write(lbr->set_depth, depth) &&
        msr_device_read(lbr->set_depth, &held) && held < depth)
        depth = (size_t)held;
    for (uint32_t i = 0; i < depth && lbr->writable; i++) {
        msr_device_write(entry_from_msr(lbr, i), 0);
        msr_device_write(entry_to_msr(lbr, i), 0);
        if (lbr->info)
            msr_device_write(lbr->info + i, 0);
    }
    return depth;
}

/* The first time with nothing on, so that all pages are there. */
static const struct recorder *to_arm;
static void run_window(struct attempt *attempt, const struct traced_code *code)
{
    struct call_gate gate = { .open = { SYS_getpid },
                              .close = { SYS_getpid },
                              .touch = to_arm->touch,
                              .flags = CALL_TF };
    const uint64_t arming[] = { SYS_write, (uint64_t)msr_device_at(to_arm->msr),
                                (uintptr_t)&to_arm->on, sizeof(to_arm->on) };
    uint64_t begin;

    call_traced(code->at, attempt_env(), &gate);
    for (size_t i = 0; i < sizeof arming / sizeof arming[0]; i++)
        gate.open[i] = arming[i];
    begin = __rdtsc();
    call_traced(code->at, attempt_env(), &gate);
    attempt->ticks = __rdtsc() - begin;
    attempt->result = gate.result;
    attempt->interrupted = !gate.es || sched_getcpu() != session.own->processor;
    attempt->outcome = ENDED;
}

/* SMIs since reset; 0 where the processor does not count them. */
static uint64_t smi_count(void)
{
    uint64_t count;

    return msr_device_read(MSR_SMI_COUNT, &count) ? count : 0;
}

/* False after noting what was or is refused: only trying shows that a bit is not there. */
static bool can_record(struct attempt *attempt, const struct recorder *by)
{
    if (msr_device_write(by->msr, by->on) && msr_device_write(by->msr, by->off))
        return true;
    attempt_refuse(attempt, "WRMSR that turns recording on");
    return false;
}

/* Returns whether the window came to its end; recording is off then. */
static bool run(struct attempt *attempt, const struct traced_code *code,
                const struct recorder *by)
{
    const uint64_t smis = smi_count();
    uint64_t after = 0;

    to_arm = by;
    attempt_in_child(attempt, code, run_window);
    msr_device_read(by->msr, &after);
    msr_device_write(by->msr, by->off);
    attempt->left_on = after & by->bit;
    attempt->interrupted |= by->was_on || smi_count() != smis;
    return attempt->outcome == ENDED && !attempt->error;
}

static struct info info_of(uint64_t from, uint64_t to, uint32_t msr)
{
    uint64_t registers[INFO_REGISTERS] = { [INFO_IN_FROM] = from, [INFO_IN_TO] = to };

    if (msr)
        msr_device_read(msr, &registers[INFO_IN_INFO]);
    return info_decode(info_form_of(session.own->model, &session.own->id), registers);
}

/* Appends the record in these registers, if there is one. */
static void take(struct attempt *attempt, uint32_t index)
{
    const struct lbr_layout *lbr = &session.own->model->lbr;
    const uint8_t flags = entry_from_flags(lbr, session.own->id.lbr_format);
    uint64_t from = 0, to = 0;

    msr_device_read(entry_from_msr(lbr, index), &from);
    msr_device_read(entry_to_msr(lbr, index), &to);
    attempt->ran.wrong_path += entry_is_wrong_path(lbr, to);
    if (!entry_decode(lbr, flags, from, to, &attempt->records[attempt->count]))
        return;
    if (attempt->info_words)
        attempt->infos[attempt->count] =
            info_of(from, to, lbr->info ? lbr->info + index : 0);
    attempt->count++;
}

static void read_stack(struct attempt *attempt, size_t depth)
{
    const struct own_machine *own = session.own;
    const struct lbr_layout *lbr = &own->model->lbr;
    uint64_t tos = 0;

    if (depth <= INFO_RECORDS_MAX)
        attempt->info_words = info_words_of(own->model, &own->id);
    if (lbr->tos)
        msr_device_read(lbr->tos, &tos);
    for (size_t age = depth; age-- > 0;)
        take(attempt, entry_of_age(lbr, own->lbr_depth, tos, (uint32_t)age));
}

static bool is_ready(struct attempt *attempt)
{
    attempt->error = session.error;
    attempt->refused = session.refused;
    return !session.error;
}

/* Records of Linux after a #DB that left recording on are no sign of an interrupt. */
static void cut(struct attempt *attempt)
{
    const bool interrupted = attempt->interrupted;

    attempt_cut(attempt);
    if (attempt->left_on)
        attempt->interrupted = interrupted;
}

void msr_lbr_stack(struct attempt *attempt, const struct traced_code *code)
{
    struct recorder by;
    uint32_t select;
    size_t depth;

    if (!is_ready(attempt))
        return;
    by = recorder_of_stack(true);
    select = session.own->model->lbr.select;
    if (select)
        msr_device_write(select, 0);
    if (!can_record(attempt, &by))
        return;
    depth = empty();
    if (select)
        msr_device_write(select, filter_value(true));
    if (!run(attempt, code, &by))
        return;
    read_stack(attempt, depth);
    cut(attempt);
}

/* Bits that some processors add to the address are no part of it (erratum BDM131). */
static uint64_t ler_to(uint64_t to)
{
    const struct rule_place place = { .method = method_named("ler"),
                                      .model = session.own->model,
                                      .id = &session.own->id };

    return rule_applies("ler-to-top", &place) ? entry_sign_extended(to, 48) : to;
}

void msr_lbr_exception(struct attempt *attempt, const struct traced_code *code)
{
    const struct model *model = session.own->model;
    struct recorder by;
    uint64_t from = 0, to = 0;

    if (!is_ready(attempt))
        return;
    by = recorder_of_exception();
    if (model->lbr.select)
        msr_device_write(model->lbr.select, 0);
    if (!can_record(attempt, &by) || !run(attempt, code, &by))
        return;
    if (!msr_device_read(model->ler_from, &from) || !msr_device_read(model->ler_to, &to)) {
        attempt_refuse(attempt, "RDMSR of the last exception record");
        return;
    }
    if (model->ler_info) {
        attempt->info_words = info_words_of(model, &session.own->id);
        attempt->infos[0] = info_of(from, to, model->ler_info);
    }
    attempt->count =
        entry_decode_ler(model, entry_from_flags(&model->lbr, session.own->id.lbr_format),
                         from, ler_to(to), &attempt->records[0]);
    cut(attempt);
}
