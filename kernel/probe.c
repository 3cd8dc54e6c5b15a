/*
 * probe.h.  Each facility is tried with the method that uses it, on a few
 * instructions whose trace is known, before any workload relies on it.
 *
 * Hypervisors and emulators accept writes and drop them: that a bit can be set, or
 * even reads back, proves nothing.
 */
#include "probe.h"

#include <stddef.h>

#include "apic.h"
#include "counter.h"
#include "entry.h"
#include "freeze.h"
#include "idt.h"
#include "ler.h"
#include "log.h"
#include "method.h"
#include "msr.h"
#include "platform.h"
#include "registers.h"
#include "lbr_stack.h"
#include "text.h"
#include "window.h"
#include "x86.h"

#define PLACE(name) extern const uint8_t name[] __attribute__((visibility("hidden")))
PLACE(probe_code);
PLACE(probe_jump);
PLACE(probe_target);
PLACE(probe_jcc);
PLACE(probe_ret);
PLACE(probe_fused);
PLACE(probe_fused_jcc);
PLACE(probe_fused_end);
PLACE(probe_run);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct pair {
    const uint8_t *from, *to;
};

/* Every branch of probe_code, and every instruction it stops at. */
static const struct pair *branches(size_t *count)
{
    static struct pair pairs[3];
    pairs[0] = (struct pair){ window_call, probe_code };
    pairs[1] = (struct pair){ probe_jump, probe_target };
    pairs[2] = (struct pair){ probe_ret, window_back };
    *count = COUNT(pairs);
    return pairs;
}

/* The stops of a BTF that also traps after the branch that is not taken. */
static const struct pair *conditionals(size_t *count)
{
    static struct pair pairs[4];
    const uint8_t *const at[] = { probe_code, probe_target, probe_ret, window_back };
    _Static_assert(COUNT(pairs) == COUNT(at), "one pair for each stop");
    for (size_t i = 0; i < COUNT(at); i++)
        pairs[i] = (struct pair){ NULL, at[i] };
    *count = COUNT(pairs);
    return pairs;
}

static const struct pair *instructions(size_t *count)
{
    static struct pair pairs[6];
    const uint8_t *const at[] = { probe_code, probe_jump, probe_target,
                                  probe_jcc,  probe_ret,  window_back };
    _Static_assert(COUNT(pairs) == COUNT(at), "one pair for each stop");
    for (size_t i = 0; i < COUNT(at); i++)
        pairs[i] = (struct pair){ NULL, at[i] };
    *count = COUNT(pairs);
    return pairs;
}

static bool same(const struct branch *got, size_t got_count, const struct pair *want,
                 size_t want_count)
{
    if (got_count != want_count)
        return false;
    for (size_t i = 0; i < got_count; i++) {
        bool from = got[i].from == BRANCH_UNKNOWN || got[i].from == (uint64_t)want[i].from;
        if (!from || got[i].to != (uint64_t)want[i].to)
            return false;
    }
    return true;
}

static void say(struct probed *facility, enum probe_result probe_result, const char *text)
{
    struct text out = text_into(facility->evidence, sizeof facility->evidence);
    text_string(&out, text);
    facility->probe_result = probe_result;
}

/* "3 of 3 records", with what else there is to say. */
static void say_count(struct probed *facility, enum probe_result probe_result, size_t got,
                      size_t want, const char *what)
{
    struct text out = text_into(facility->evidence, sizeof facility->evidence);
    text_decimal(&out, got);
    text_string(&out, " of ");
    text_decimal(&out, want);
    text_string(&out, what);
    facility->probe_result = probe_result;
}

/* The result of the method's own write. */
struct turned_on {
    bool accepted; /* no #GP              */
    uint64_t kept; /* as it was read back */
};

/*
 * The write is made outside the window first, where a fault is survived.  What it
 * records is thrown away by arming again.
 */
static struct turned_on turn_on(const struct method *method, const struct cpu *cpu,
                                const struct buffers *buffers)
{
    struct enable enable = method->arm(cpu, buffers);
    struct turned_on result = { .accepted = msr_write(enable.msr, enable.on) };
    if (result.accepted) {
        msr_read(enable.msr, &result.kept);
        msr_write(enable.msr, enable.off);
    }
    method->disarm(cpu);
    return result;
}

/* It was accepted and does nothing: what the register kept tells why, or nothing. */
static void say_dead(struct probed *facility, const struct turned_on *on, const char *what)
{
    struct text out = text_into(facility->evidence, sizeof facility->evidence);
    text_string(&out, "accepted, reads back 0x");
    text_hex(&out, on->kept);
    text_string(&out, "; ");
    text_string(&out, what);
    facility->probe_result = DEAD;
}

static size_t trace_code(const struct method *method, const struct cpu *cpu,
                         const struct buffers *buffers, const uint8_t *code)
{
    struct enable enable = method->arm(cpu, buffers);
    window_run(&enable, code);
    struct trace trace = method->drain(cpu, buffers);
    method->disarm(cpu);
    return trace.count;
}

static size_t trace_probe(const struct method *method, const struct cpu *cpu,
                          const struct buffers *buffers)
{
    return trace_code(method, cpu, buffers, probe_code);
}

static void probe_step(struct probed *step, const struct cpu *cpu,
                       const struct buffers *buffers)
{
    size_t want;
    const struct pair *stops = instructions(&want);
    size_t got = trace_probe(&method_step, cpu, buffers);
    bool exact = same(buffers->records, got, stops, want);
    say_count(step,
              exact ? WORKS
              : got ? DEVIATES
                    : DEAD,
              got, want,
              exact ? " instructions trapped" : " instructions trapped, or elsewhere");
}

/* The bits that the first #DB handler found: the processor should have cleared both. */
static uint64_t debugctl_in_db, lbr_ctl_in_db;
static uint32_t lbr_ctl;

static void look_once(struct frame *frame)
{
    write_dr6(DR6_CLEAR);
    frame->rflags &= ~RFLAGS_TF;
    msr_read(MSR_DEBUGCTL, &debugctl_in_db);
    if (lbr_ctl)
        msr_read(lbr_ctl, &lbr_ctl_in_db);
    wrmsr(MSR_DEBUGCTL, 0);
}

/* Runs into one #DB with BTF, or the recording of last branches, on. */
static void look_in_db(struct enable enable)
{
    debugctl_in_db = lbr_ctl_in_db = 0;
    lbr_ctl = enable.msr == MSR_DEBUGCTL ? 0 : enable.msr;
    enable.rflags = RFLAGS_TF;
    idt_hook(VECTOR_DB, look_once);
    window_run(&enable, probe_code);
    idt_hook(VECTOR_DB, NULL);
}

static void probe_btf(struct probed *btf, const struct cpu *cpu,
                      const struct buffers *buffers)
{
    struct turned_on on = turn_on(&method_btf, cpu, buffers);
    if (!on.accepted) {
        say(btf, FAULTS, "#GP on writing DEBUGCTL.BTF");
        return;
    }
    size_t branch_count, insn_count;
    const struct pair *at_branches = branches(&branch_count);
    const struct pair *at_insns = instructions(&insn_count);
    size_t got = trace_probe(&method_btf, cpu, buffers);
    if (same(buffers->records, got, at_insns, insn_count)) {
        say_dead(btf, &on, "TF trapped on every instruction");
        return;
    }
    size_t jcc_count;
    const struct pair *at_jccs = conditionals(&jcc_count);
    bool untaken = cpu->model && cpu->model->btf_unsure &&
                   same(buffers->records, got, at_jccs, jcc_count);
    if (!untaken && !same(buffers->records, got, at_branches, branch_count)) {
        say_count(btf, got ? DEVIATES : DEAD, got, branch_count,
                  " branches trapped, or elsewhere");
        return;
    }
    look_in_db((struct enable){ .msr = MSR_DEBUGCTL, .on = DEBUGCTL_BTF });
    if (debugctl_in_db & DEBUGCTL_BTF)
        say(btf, DEVIATES, LEFT_BTF_SET);
    else
        say_count(btf, WORKS, got, branch_count,
                  untaken ? " branches trapped, one that was not taken too; cleared by #DB"
                          : " branches trapped, cleared by #DB");
}

/* The newest record can be there twice: returns `want` if only that copy is too much. */
static size_t without_copy(const struct cpu *cpu, const struct buffers *buffers, size_t got,
                           size_t want)
{
    const struct branch *newest = &buffers->records[got - 1];
    bool copied = got > 1 && branch_same(newest, newest - 1);
    return copied && cpu->model->lbr.doubles_newest && got == want + 1 ? want : got;
}

/*
 * How a comparison and its taken branch are recorded.  With DebugCtl.LBR set as well FROM
 * must be the branch (AMD64 APM vol. 2, "Last Branch Stack Registers").
 */
static bool fuses(const struct cpu *cpu, const struct buffers *buffers, bool with_pair)
{
    struct enable enable = method_lbr.arm(cpu, buffers);
    if (with_pair)
        wrmsr(MSR_DEBUGCTL, cpu->model->debugctl.lbr);
    window_run(&enable, probe_fused);
    if (with_pair)
        wrmsr(MSR_DEBUGCTL, 0);
    struct trace trace = method_lbr.drain(cpu, buffers);
    method_lbr.disarm(cpu);
    for (size_t i = 0; i < trace.count; i++)
        if (buffers->records[i].to == (uint64_t)probe_fused_end)
            return buffers->records[i].from != (uint64_t)probe_fused_jcc;
    return false;
}

static void say_lbr_works(struct probed *lbr, const struct cpu *cpu,
                          const struct buffers *buffers, size_t got, size_t want)
{
    if (!cpu->model->lbr.fuses || !fuses(cpu, buffers, false))
        say_count(lbr, WORKS, got, want, " records, turned off by #DB");
    else if (fuses(cpu, buffers, true))
        say(lbr, DEVIATES, "FROM is a fused instruction although DebugCtl.LBR is set");
    else
        say_count(lbr, WORKS, got, want,
                  " records, turned off by #DB; FROM is a fused instruction, except "
                  "with DebugCtl.LBR");
}

static void probe_lbr(struct probed *lbr, const struct cpu *cpu,
                      const struct buffers *buffers)
{
    if (!cpu->model || !cpu->lbr_depth) {
        say(lbr, ABSENT,
            cpu->model ? "none is known of this model"
                       : "unknown model: registers not known");
        return;
    }
    struct turned_on on = turn_on(&method_lbr, cpu, buffers);
    if (!on.accepted) {
        say(lbr, FAULTS, "#GP on turning it on");
        return;
    }
    size_t count;
    const struct pair *want = branches(&count);
    size_t kept = count < cpu->lbr_depth ? count : cpu->lbr_depth;
    size_t got = trace_probe(&method_lbr, cpu, buffers);
    const struct lbr_layout *layout = &cpu->model->lbr;
    if (!got) { /* look at what was asked for before the hardware is called dead */
        bool selects = !layout->filter || !filter_selects_nothing(layout->filter, on.kept);
        say_dead(lbr, &on,
                 selects ? "nothing was recorded"
                         : "nothing was recorded: it selects no kind of branch");
        return;
    }
    got = without_copy(cpu, buffers, got, kept);
    if (!same(buffers->records, got, want + count - kept, kept)) {
        say_count(lbr, DEVIATES, got, kept, " records, or others than ran");
        return;
    }
    struct enable enable = lbr_stack_enable(cpu);
    look_in_db(enable);
    bool left_on = layout->ctl ? lbr_ctl_in_db & layout->ctl_enable
                               : debugctl_in_db & cpu->model->debugctl.lbr;
    if (left_on)
        say(lbr, DEVIATES, LEFT_LBR_ON);
    else
        say_lbr_works(lbr, cpu, buffers, got, kept);
}

/* Counting branches, each one interrupts; counting instructions, more than one passes. */
#define PROBE_PERIOD 1

/* Traces without the user's options, which this processor may not be able to have. */
static struct trace trace_plain(const struct method *method, const struct cpu *cpu,
                                const struct buffers *buffers, const uint8_t *code,
                                uint64_t period)
{
    static struct buffers plain; /* what drain() finds may point there */
    plain = *buffers;
    plain.event = counter_tried(cpu);
    plain.period = period;
    plain.buffer = plain.bts_capacity;
    plain.threshold = period < plain.bts_capacity ? period : plain.bts_capacity;
    plain.delivery = DELIVERY_NMI; /* which no interrupt flag holds back */
    struct enable enable = method->arm(cpu, &plain);
    window_run(&enable, code);
    struct trace trace = method->drain(cpu, &plain);
    method->disarm(cpu);
    return trace;
}

/*
 * The period at which the probe measures how late interrupts come: a hundred times, in code
 * that only branches, where the most branches run before an interrupt comes.
 */
#define SKID_PERIOD 197

static struct skid skid_of(const struct trace *trace)
{
    const struct interrupts *late = &trace->interrupts;
    if (!trace->events || late->late_unknown)
        return (struct skid){ 0 };
    return (struct skid){ .interrupts = trace->events,
                          .typical = (late->skid + trace->events - 1) / trace->events,
                          .most = late->most };
}

static void probe_bts(struct probed *bts, const struct cpu *cpu,
                      const struct buffers *buffers)
{
    uint64_t ds_area;
    if (!cpu->model || !cpu->model->bts) {
        say(bts, ABSENT,
            cpu->model ? "the model has none" : "unknown model: bits not known");
        return;
    }
    /* CPUID first: emulators report BTS as available in MISC_ENABLE and have no DS. */
    if (!cpu->id.ds) {
        say(bts, ABSENT, "CPUID.1:EDX.DS is 0");
        return;
    }
    if (cpu->has_misc_enable && (cpu->misc_enable & MISC_ENABLE_NO_BTS)) {
        say(bts, ABSENT, "MISC_ENABLE.BTS_UNAVAILABLE is 1");
        return;
    }
    if (!msr_read(MSR_DS_AREA, &ds_area)) {
        say(bts, FAULTS, "#GP on reading DS_AREA");
        return;
    }
    bool held = msr_set(MSR_DS_AREA, (uint64_t)buffers->ds_area);
    msr_write(MSR_DS_AREA, ds_area);
    if (!held) {
        say(bts, DEAD, "DS_AREA does not hold what is written");
        return;
    }
    struct turned_on on = turn_on(&method_bts, cpu, buffers);
    if (!on.accepted) {
        say(bts, FAULTS, "#GP on DEBUGCTL.TR and BTS");
        return;
    }
    size_t count;
    const struct pair *want = branches(&count);
    size_t kept = count < buffers->bts_capacity ? count : buffers->bts_capacity;
    size_t got = trace_probe(&method_bts, cpu, buffers);
    if (!got)
        say_dead(bts, &on, "nothing was stored");
    else if (same(buffers->records, got, want + count - kept, kept))
        say_count(bts, WORKS, got, kept, " records");
    else
        say_count(bts, DEVIATES, got, kept, " records, or others than ran");
    if (!got || !apic_is_on())
        return;
    struct trace run = trace_plain(&method_bts_pmi, cpu, buffers, probe_run, SKID_PERIOD);
    bts->skid = skid_of(&run);
}

/*
 * Some processors keep their last-branch records while TR alone is set, since they make
 * the messages of them (SDM vol. 3B, "Monitoring Branches, Exceptions, and Interrupts"):
 * neither is wrong, so it is told and not judged.
 */
static const char *lbr_under_tr(const struct cpu *cpu, const struct buffers *buffers)
{
    lbr_stack_prepare(cpu);
    struct enable enable = method_tr.arm(cpu, buffers);
    window_run(&enable, probe_code);
    size_t count = lbr_stack_read(cpu, buffers->records);
    method_tr.disarm(cpu);
    lbr_stack_restore(cpu);
    return count ? "; LBR went on" : "; LBR stood still";
}

static void say_tr_works(struct probed *tr, const char *lbr)
{
    struct text out = text_into(tr->evidence, sizeof tr->evidence);
    text_string(&out, "TR is kept when it is set alone, and nothing is stored");
    text_string(&out, lbr);
    tr->probe_result = WORKS;
}

static bool lbr_acts; /* it was tried before TR, and its registers may be read */

/* Software can only see that the bit can be set. */
static void probe_tr(struct probed *tr, const struct cpu *cpu,
                     const struct buffers *buffers)
{
    uint64_t bit = cpu->model ? cpu->model->debugctl.tr : 0;
    if (!bit) {
        say(tr, ABSENT,
            cpu->model ? "the model has none" : "unknown model: bits not known");
        return;
    }
    struct turned_on on = turn_on(&method_tr, cpu, buffers);
    if (!on.accepted) {
        say(tr, FAULTS, "#GP on writing DEBUGCTL.TR");
        return;
    }
    if (!(on.kept & bit)) {
        say_dead(tr, &on, "it is not kept");
        return;
    }
    size_t got = trace_probe(&method_tr, cpu, buffers);
    if (got)
        say_count(tr, DEVIATES, got, 0, " records stored, without BTS");
    else
        say_tr_works(tr, lbr_acts ? lbr_under_tr(cpu, buffers) : "");
}

/*
 * A late interrupt is no deviation: its lateness is measured.  Three branches can be over
 * before one comes, so the long run must have some, and the short one must count right.  If
 * the last interrupt does not come, it may be late or lost; the runs show which.
 */
static void probe_pmi(struct probed *pmi, const struct cpu *cpu,
                      const struct buffers *buffers)
{
    const char *lacks = counter_lacks(cpu);
    if (lacks || !apic_is_on()) {
        say(pmi, ABSENT, lacks ? lacks : skip_words[SKIP_NO_APIC].sentence);
        return;
    }
    struct turned_on on = turn_on(&method_pmi, cpu, buffers);
    if (!on.accepted) {
        say(pmi, FAULTS, "#GP on PERFEVTSEL0");
        return;
    }
    size_t count;
    branches(&count);
    bool exact = !pmu_event_named(cpu->pmu, pmu_first(&cpu->id))->others;
    uint64_t counted =
        trace_plain(&method_pmi, cpu, buffers, probe_code, PROBE_PERIOD).interrupts.counted;
    struct trace run = trace_plain(&method_pmi, cpu, buffers, probe_run, SKID_PERIOD);
    pmi->skid = skid_of(&run);
    if (!counted)
        say_dead(pmi, &on, "nothing was counted");
    else if (!run.events)
        say_dead(pmi, &on, "it counts, but no interrupt came");
    else if (exact ? counted != count : counted < count)
        say_count(pmi, DEVIATES, counted, count, " branches counted");
    else if (run.interrupts.unmasked && !cpu->pmu->keeps_lvt)
        say(pmi, DEVIATES, LEFT_LVT_OPEN);
    else
        say_count(pmi, WORKS, counted, count,
                  run.lost ? " branches counted, and interrupts came, but not the last"
                  : exact  ? " branches counted, and interrupts came"
                           : " branches and more counted, and interrupts came");
}

static bool is_mark(const struct cpu *cpu, const struct ler *ler,
                    const struct ler_place *place)
{
    struct branch got;
    return entry_decode_ler(cpu->model, cpu->lbr_from_flags, ler->from, ler->to, &got) &&
           got.from == (uint64_t)place->jump && got.to == (uint64_t)place->event;
}

/* Not the one that it holds from an earlier probe, or from before a warm reset. */
static const struct ler_place *new_mark(const struct cpu *cpu, const struct ler *ler)
{
    return &ler_places[is_mark(cpu, ler, &ler_places[LER_OF_FAULT]) ? LER_OF_OTHER_FAULT
                                                                    : LER_OF_FAULT];
}

/*
 * Reports a record that an exception updates.  Only the manual of architectural LBR says
 * that INT n updates it, too (SDM vol. 3B, "Last Branch Records"); on other processors the
 * answer is no deviation.
 */
static void say_of_int(struct probed *ler, const struct cpu *cpu)
{
    const struct ler now = ler_mark(cpu, &ler_places[LER_OF_INT]);
    if (is_mark(cpu, &now, &ler_places[LER_OF_INT]))
        say(ler, WORKS,
            "it holds the branch before a #DE or an INT, and a #DB leaves it so");
    else if (cpu->model->ler_of_int)
        say(ler, DEVIATES, "it holds the branch before a #DE, but not before an INT");
    else
        say(ler, WORKS,
            "it holds the branch before a #DE, not before an INT, and a #DB leaves it so");
}

static void probe_ler(struct probed *ler, const struct cpu *cpu,
                      const struct buffers *buffers)
{
    (void)buffers;
    struct ler before, now;
    if (!cpu->model || !cpu->model->ler_from) {
        say(ler, ABSENT,
            cpu->model ? "none is known of this model"
                       : "unknown model: registers not known");
        return;
    }
    if (!ler_read(cpu, &before)) {
        say(ler, FAULTS, "#GP on reading it");
        return;
    }
    if (!msr_write(MSR_DEBUGCTL, cpu->model->debugctl.lbr)) {
        say(ler, FAULTS, "#GP on turning it on");
        return;
    }
    msr_write(MSR_DEBUGCTL, 0);
    lbr_stack_prepare(cpu);
    const struct ler_place *place = new_mark(cpu, &before);
    now = ler_mark(cpu, place);
    bool right = is_mark(cpu, &now, place);
    if (right) {
        look_in_db(ler_enable(cpu));
        ler_read(cpu, &before);
    }
    if (!right)
        say(ler, before.from == now.from && before.to == now.to ? DEAD : DEVIATES,
            "it does not hold the branch before a #DE");
    else if (before.from != now.from || before.to != now.to)
        say(ler, DEVIATES, "a #DB has changed it");
    else
        say_of_int(ler, cpu);
    lbr_stack_restore(cpu);
}

static bool bts_acts; /* it was tried before, and may be on */

static bool is_frozen(const struct frozen *frozen)
{
    return frozen->stack && frozen->stack_by && frozen->counters;
}

/*
 * The interrupt of BTS should do as that of a counter does (SDM vol. 3B, "Freezing LBR and
 * Performance Counters on PMI"); on some processors setting the bits clears TR, and none
 * comes.
 */
static void say_freezes(struct probed *freeze, const struct cpu *cpu,
                        const struct buffers *buffers)
{
    struct text out = text_into(freeze->evidence, sizeof freeze->evidence);
    bool by_status = cpu->id.amd_freezes || cpu->id.perfmon >= PERFMON_WITH_FREEZE_BITS;
    freeze->probe_result = WORKS;
    text_string(&out, by_status ? "the interrupt froze LBR, as GLOBAL_STATUS says"
                                : "the interrupt cleared LBR and GLOBAL_CTRL");
    if (!bts_acts || cpu->model->tr_excludes_lbr)
        return;
    struct frozen by_bts = freeze_try_bts(cpu, buffers);
    if (by_bts.came && !is_frozen(&by_bts))
        freeze->probe_result = DEVIATES;
    text_string(&out, !by_bts.came         ? "; of BTS none came"
                      : is_frozen(&by_bts) ? "; that of BTS too"
                                           : "; that of BTS did not");
}

static void probe_freeze(struct probed *freeze, const struct cpu *cpu,
                         const struct buffers *buffers)
{
    const char *lacks = counter_lacks(cpu);
    if (!cpu->model || !cpu->lbr_depth || !platform_freezes(&cpu->id)) {
        say(freeze, ABSENT, "no processor of this kind freezes");
        return;
    }
    if (lacks || !apic_is_on()) {
        say(freeze, ABSENT, lacks ? lacks : skip_words[SKIP_NO_APIC].sentence);
        return;
    }
    struct frozen frozen = freeze_try(cpu, buffers);
    if (!frozen.accepted)
        say(freeze, FAULTS, "#GP on FREEZE_LBRS_ON_PMI and FREEZE_PERFMON_ON_PMI");
    else if (!frozen.came)
        say(freeze, DEAD, "no interrupt came of the counter");
    else if (!frozen.stack && !frozen.stack_by && !frozen.counters)
        say(freeze, DEAD, "accepted, but the interrupt froze nothing");
    else if (!frozen.stack || !frozen.stack_by)
        say(freeze, DEVIATES,
            frozen.stack ? "LBR is frozen, but nothing says so"
                         : "the interrupt's entry was recorded");
    else if (frozen.counters_documented && !frozen.counters)
        say(freeze, DEVIATES, "the counters go on");
    else
        say_freezes(freeze, cpu, buffers);
}

static bool has_brs(const struct cpu *cpu)
{
    return cpu->model && cpu->model->brs.depth && cpu->id.amd_brs;
}

/* The few branches of the probe after the one that begins the sampling, by MSR alone. */
static void probe_brs(struct probed *brs, const struct cpu *cpu,
                      const struct buffers *buffers)
{
    const char *lacks = counter_lacks(cpu);
    if (!has_brs(cpu)) {
        say(brs, ABSENT,
            cpu->model ? "CPUID announces none, or the model has none"
                       : "unknown model: registers not known");
        return;
    }
    if (lacks || !apic_is_on()) {
        say(brs, ABSENT, lacks ? lacks : skip_words[SKIP_NO_APIC].sentence);
        return;
    }
    uint32_t ctl = cpu->model->brs.ctl;
    uint64_t before = 0, kept = 0;
    if (!msr_read(ctl, &before) ||
        !msr_write(ctl, BRS_ALWAYS | cpu->model->brs.ctl_enable)) {
        say(brs, FAULTS, "#GP on turning it on");
        return;
    }
    msr_read(ctl, &kept);
    msr_write(ctl, before);
    size_t count;
    const struct pair *want = branches(&count);
    struct trace trace = trace_plain(&method_brs, cpu, buffers, probe_code, PROBE_PERIOD);
    const struct turned_on on = { true, kept };
    bool right = trace.count <= count && same(buffers->records, trace.count,
                                              want + count - trace.count, trace.count);
    if (!trace.count)
        say_dead(brs, &on, "nothing was recorded");
    else
        say_count(brs, right ? WORKS : DEVIATES, trace.count, count,
                  !right ? " records, or others than ran"
                  : trace.count + 1 == count
                      ? " branches recorded: the counter begins a piece behind one"
                      : " branches recorded");
}

void probe_one(struct facilities *found, enum facility facility, const struct cpu *cpu,
               const struct buffers *buffers)
{
    static void (*const probes[])(struct probed *, const struct cpu *,
                                  const struct buffers *) = {
        [FACILITY_STEP] = probe_step, [FACILITY_BTF] = probe_btf,
        [FACILITY_LBR] = probe_lbr,   [FACILITY_BTS] = probe_bts,
        [FACILITY_TR] = probe_tr,     [FACILITY_PMI] = probe_pmi,
        [FACILITY_LER] = probe_ler,   [FACILITY_FREEZE] = probe_freeze,
        [FACILITY_BRS] = probe_brs,
    };
    struct probed *one = &found->all[facility];
    one->name = facility_names[facility];
    one->skid = (struct skid){ 0 };
    lbr_acts = facility != FACILITY_LBR && facility_acts(&found->lbr) && found->lbr.name;
    bts_acts = facility != FACILITY_BTS && found->bts.name && facility_acts(&found->bts);
    probes[facility](one, cpu, buffers);
}

void probe_avoid(struct facilities *found, enum facility facility, const char *log)
{
    struct probed *one = &found->all[facility];
    struct text out = text_into(one->evidence, sizeof one->evidence);
    one->name = facility_names[facility];
    one->probe_result = AVOIDED;
    skip_put_sentence(&out, &(struct skip_reason){ SKIP_DIED, log });
}
