/*
 * Single-stepping: with TF set, #DB follows each instruction.
 *
 * The processor takes the trap after an instruction at whose beginning TF was 1. Delivering
 * any event clears TF, so a handler runs without stops, and IRET brings TF back with the
 * flags that it loads: TF was 0 when the IRET began, so no stop follows it, and the first
 * stop is after the instruction to which it returns.  MOV SS and POP SS hold the trap back
 * for one instruction.  For SYSCALL and SYSRET, the TF at their end counts.
 *
 * A stop names the instruction that comes next, and nothing says which one it came from, so
 * a branch is found by decoding the code at the stop before.
 *
 * DR6 says why each #DB came.  B0 to B3 may be set although DR7 turns no breakpoint on, so
 * they are ignored.  Core 2 may set BS at ICEBP (erratum AJ70), Xen adds BS to every #DB
 * that it injects under TF, hosts were seen to leave bus-lock detection on, and no
 * recording shows DR6 after BTF.
 */
#include "hit.h"
#include "rule.h"

#include "decode.h"

#define DR6 "SDM vol. 3B, \"Debug Status Register (DR6)\""

#define STEP_CONDITION "SDM vol. 3B, \"Single-Step Exception Condition\""

static bool steps_each(const struct rule_place *place)
{
    return place_steps(place) && place->method->every_insn;
}

/*
 * True if the record is a stop to which a handler's IRET leads, and sets TF: an event in a
 * handler finds it clear, and so does the return.  With a stop at each instruction, the one
 * before it is where the event struck; of another build's log, FROM is TO.
 */
static bool is_iret(const struct rule_record *record)
{
    const struct transfer *t = &record->transfer;
    const bool every_insn = record->place->method->every_insn;

    for (size_t i = 0; i < record->events->count; i++) {
        const struct event *event = &record->events->at[i];

        if (event->iret == BRANCH_UNKNOWN || event->nested || t->to != event->to)
            continue;
        if (every_insn ? t->from == event->from || t->from == t->to
                       : t->from == event->iret || t->from == BRANCH_UNKNOWN)
            return true;
    }
    return false;
}

/* True if the branch at the address to which a handler's IRET returns has a record. */
static bool is_after_iret(const struct rule_record *record)
{
    const struct transfer *t = &record->transfer;
    struct insn insn;

    for (size_t i = 0; record->class == EXTRA && i < record->events->count; i++) {
        const struct event *event = &record->events->at[i];

        if (event->iret != BRANCH_UNKNOWN && t->from == event->to)
            return decode_of(record->workload, record->at, t->from, &insn) &&
                   (!insn.direct || insn.target == t->to);
    }
    return false;
}

#define MOV_SS 0x8e

/* True if a POPF that clears TF acts at either end of the record: MOV SS is stated. */
static bool is_around_popf(const struct rule_record *record)
{
    const struct transfer *t = &record->transfer;

    for (size_t i = 0; i < record->events->count; i++) {
        const struct event *event = &record->events->at[i];

        if (event->iret == BRANCH_UNKNOWN && rule_code_at(record, event->from) != MOV_SS &&
            (t->from == event->to || t->to == event->to || t->from == event->from))
            return true;
    }
    return false;
}

/* Beside LBR, which records the branches whose trap is lost, nothing is missing. */
static bool steps_in_guest(const struct rule_place *place)
{
    return place_steps(place) && !(place->method->needs & NEEDS(FACILITY_LBR)) &&
           rule_is_in_guest(place);
}

static bool steps_each_in_guest(const struct rule_place *place)
{
    return steps_each(place) && rule_is_in_guest(place);
}

static const char *one_stop_lost(const struct rule_run *run, const struct difference *d,
                                 struct source *got, struct source *want)
{
    (void)d;
    return hit_count_lost(run, got, want, 1) == 1 ? "one stop is missing (lost)" : NULL;
}

static const struct rule rows[] = {
    {
        .name = "step-from",
        .sentence =
            "FROM is the address of the previous stop, if the instruction there is a "
            "branch to the address of this stop.",
        .source = "common/expected/check.c",
        .confidence = DERIVED,
        .applies = steps_each,
        .of_no_record = true,
        .workload = "loop",
    },
    {
        .name = "step-struck",
        .sentence =
            "An interrupt that a workload sends to itself arrives during one of the "
            "first iterations of the repeated instruction after it.",
        .source = "this project: the number is chosen",
        .confidence = DERIVED,
        .applies = steps_each,
        .of_run = true,
        .of_no_record = true, /* tools/judge/follow.c counts them */
        .workload = "self_ipi",
    },
    {
        .name = "step-rep",
        .sentence = "A REPE or REPNE instruction may stop fewer times than its count; the "
                    "log contains no memory, so it cannot show when ZF ended the loop.",
        .source = "SDM vol. 2B, \"REP/REPE/REPZ/REPNE/REPNZ\"",
        .confidence = UNCONFIRMED,
        .applies = steps_each,
        .of_no_record = true,
        .workload = "rep",
    },
    {
        .name = "step-handler",
        .sentence =
            "Neither the entry of a handler nor anything in it is recorded, because "
            "delivering an event clears TF.",
        .source =
            "SDM vol. 3A, \"Flag Usage By Exception- or Interrupt-Handler Procedure\"",
        .confidence = STATED,
        .applies = place_steps,
        .workload = "int",
    },
    {
        .name = "step-iret",
        .sentence =
            "The IRET that ends a handler is not recorded, because TF was clear when "
            "it began.",
        .source = STEP_CONDITION,
        .confidence = DERIVED,
        .applies = place_steps,
        .explains = is_iret,
        .of_all = true,
        .workload = "int",
    },
    {
        .name = "step-after-iret",
        .sentence = "A branch at the address to which a handler's IRET returns is not "
                    "recorded, because no stop precedes it.",
        .source = STEP_CONDITION,
        .confidence = DERIVED,
        .applies = steps_each,
        .explains = is_after_iret,
        .workload = "iret_branch",
    },
    {
        .name = "step-mov-ss",
        .sentence = "There is no stop at the instruction after MOV SS or POP SS, because "
                    "both inhibit the single-step trap.",
        .source =
            "SDM vol. 3A, \"Masking Exceptions and Interrupts When Switching Stacks\"; a "
            "Zen 2 did so, and not for STI (pH14/harmony a34d836a, "
            "tf-characterization.json)",
        .confidence = STATED,
        .applies = steps_each,
        .workload = "mov_ss",
    },
    {
        .name = "step-popf",
        .sentence =
            "After a POPF that clears TF there is one more stop, and then none until "
            "a POPF sets TF.",
        .source = STEP_CONDITION,
        .confidence = DERIVED,
        .applies = place_steps,
        .explains = is_around_popf,
        .workload = "popf",
    },
    {
        .name = "step-syscall",
        .sentence = "From a SYSCALL that masks TF to the SYSRET that loads it, nothing is "
                    "recorded; both appear as one branch from the SYSCALL to the target of "
                    "the SYSRET.",
        .source =
            "AMD64 APM vol. 2, \"Single Stepping\"; kvm-unit-tests, x86/syscall.c: TF "
            "at the end of SYSCALL and SYSRET counts",
        .confidence = STATED,
        .applies = steps_each,
        .workload = "ring3_mask",
    },
    {
        .name = "step-follows",
        .sentence = "Each stop is at the instruction to which the one at the previous stop "
                    "leads; a REP instruction stops once for each iteration.",
        .source = STEP_CONDITION,
        .confidence = STATED,
        .applies = steps_each,
        .of_run = true,
        .workload = "rep",
    },
    {
        .name = "step-hlt",
        .sentence =
            "The debug exception of a single step ends HLT, except in emulators that "
            "stay halted until another interrupt arrives.",
        .source = "SDM vol. 2A, \"HLT\"; Bochs 2.7 and 3.0, cpu/event.cc",
        .confidence = RECORDED,
        .applies = steps_each,
        .of_run = true,
        .workload = "hlt",
    },
    {
        .name = "step-in-guest",
        .sentence =
            "In a guest, a VM entry that injects an event drops the pending trap of "
            "a step, so one stop of a run may be missing.",
        .source = "SDM vol. 3C, \"Pending Debug Exceptions after VM Entry\"",
        .confidence = STATED,
        .applies = steps_in_guest,
        .platform = ON_SILICON,
        .accounts = one_stop_lost,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "step-io-in-guest",
        .sentence =
            "In a guest, INS and OUTS with a repeat prefix may stop once for several "
            "iterations, because a hypervisor emulates them.",
        .source = "seen on KVM; no source was read for the others",
        .confidence = UNCONFIRMED,
        .applies = steps_each_in_guest,
        .platform = ON_SILICON,
        .of_run = true,
        .of_no_record = true, /* tools/judge/rounds.c counts the stops */
        .workload = "rep_io",
    },
    {
        .name = "dr6-bs",
        .sentence = "The #DB of a single step sets BS in DR6.",
        .source = DR6,
        .confidence = STATED,
        .applies = steps_each,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "dr6-others",
        .sentence =
            "The #DB after an instruction or a branch sets BS in DR6, but neither BD "
            "nor BT, and leaves bit 11 set.",
        .source = DR6,
        .confidence = DERIVED,
        .applies = place_steps,
        .of_run = true,
        .of_no_record = true, /* tools/judge/exceptions.c compares the bits */
        .workload = "loop",
    },
    {
        .name = "dr6-icebp",
        .sentence = "The #DB of ICEBP sets no bit of DR6, and any other #DB sets one.",
        .source = "SDM vol. 2A, \"INT n/INTO/INT3/INT1\"",
        .confidence = DERIVED,
        .applies = place_records,
        .of_run = true,
        .of_no_record = true,
        .workload = "icebp",
    },
};
RULE_TABLE(step_rules, rows);
