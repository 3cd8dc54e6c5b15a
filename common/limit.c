/*
 * limit.h.  Those that come from how a method works are a table; those of the model's row
 * come behind.
 */
#include "limit.h"

#include "count_of.h"

/* The limits that come from how a method works; those of the model come behind. */
static const struct method_limit {
    struct limit limit;
    bool stops, every_insn, blind_handlers, records; /* holds for methods of this kind */
    bool ends_at_db, stored, pmi_drained, silent, counter_driven, sampled, sampled_windows;
} method_limits[] = {
    { { "no record of anything: branch trace messages go to the bus alone",
        "SDM vol. 3B, \"Branch Trace Messages\"", "stated", LIMIT_OF_ALL },
      .silent = true },
    { { "FROM is not known: a stop tells only where the branch went",
        "SDM vol. 3B, \"Single-Stepping on Branches\"", "stated", LIMIT_OF_ALL },
      .stops = true },
    { { "FROM is the stop before, where the code there is a branch that leads here",
        "common/check.c", "derived", LIMIT_OF_ALL },
      .every_insn = true },
    { { "REPE and REPNE may stop fewer times than their count: the log holds no memory to "
        "tell when ZF ends them",
        "SDM vol. 2B, \"REP/REPE/REPZ/REPNE/REPNZ\"", "unconfirmed", LIMIT_OF_ALL },
      .every_insn = true },
    { { "no entry of a handler and nothing in it: delivering an event clears TF",
        "SDM vol. 3A, \"Flag Usage By Exception- or Interrupt-Handler Procedure\"",
        "stated", LIMIT_OF_ALL },
      .blind_handlers = true },
    { { "no IRET that ends a handler: TF was clear when it began",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived", LIMIT_OF_RESUMING },
      .blind_handlers = true },
    { { "not the branch to which such an IRET returns: there was no stop before it",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived", LIMIT_OF_RESUMING },
      .every_insn = true },
    { { "not the instruction behind MOV SS or POP SS: they hold back the trap",
        "SDM vol. 3A, \"Masking Exceptions and Interrupts When Switching Stacks\"",
        "stated", LIMIT_OF_ALL },
      .every_insn = true },
    { { "nothing behind a POPF that clears TF, but one stop, until one that sets it",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived",
        LIMIT_OF_CLEARED_TF },
      .blind_handlers = true },
    { { "nothing between a SYSCALL that masks TF and the SYSRET that loads it: one leap",
        "AMD64 APM vol. 2, \"Single Stepping\"; kvm-unit-tests, x86/syscall.c: TF at the "
        "end "
        "of SYSCALL and SYSRET counts",
        "stated", LIMIT_OF_ALL },
      .every_insn = true },
    { { "no entry of #DB, and nothing behind one that the workload takes: it turns LBR off",
        "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\"", "stated",
        LIMIT_OF_ALL },
      .ends_at_db = true },
    { { "no entry of #DB, although recording goes on",
        "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\"", "unconfirmed",
        LIMIT_OF_DB },
      .stored = true },
    { { "not the entry and the IRETQ of the interrupts that empty the buffer: taken out",
        "SDM vol. 3B, \"Writing the DS Interrupt Service Routine\"", "stated",
        LIMIT_OF_ALL },
      .pmi_drained = true },
    { { "what comes between the threshold and the interrupt finds room only in the buffer",
        "SDM vol. 3B, \"Setting Up the BTS Buffer\"", "stated", LIMIT_OF_ALL },
      .pmi_drained = true },
    { { "not the entry and the IRETQ of the counter's interrupts: taken out",
        "SDM vol. 3B, \"Generating an Interrupt on Overflow\"", "stated", LIMIT_OF_ALL },
      .counter_driven = true },
    { { "complete as long as each interrupt finds the IRETQ of the one before in the stack",
        "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording\"", "derived",
        LIMIT_OF_ALL },
      .counter_driven = true },
    { { "a stop where the interrupt struck, which the processor takes some branches late",
        "SDM vol. 3B, \"Generating an Interrupt on Overflow\"", "stated", LIMIT_OF_ALL },
      .sampled = true },
    { { "of taken branches those that the event counts: common/pmu.c has them by processor",
        "common/pmu.c", "derived", LIMIT_OF_ALL },
      .sampled = true },
    { { "pieces alone, each of as many branches in a row as the sampling has entries",
        "Linux, arch/x86/events/amd/brs.c", "stated", LIMIT_OF_ALL },
      .sampled_windows = true },
    { { "not the branch at which the counter begins a piece, nor any between two of them",
        "Linux, arch/x86/events/amd/brs.c", "derived", LIMIT_OF_ALL },
      .sampled_windows = true },
    { { "of the last piece what the sampling still has when the counter is stopped",
        "Linux, arch/x86/events/amd/brs.c", "derived", LIMIT_OF_ALL },
      .sampled_windows = true },
    { { "of INT n, INT3 and INTO FROM is the instruction, not the address that was pushed",
        "SDM vol. 2A, \"INT n/INTO/INT3/INT1\": all three are software interrupts; vol. "
        "3C, "
        "\"Control Flow Information Packets\"",
        "stated", LIMIT_OF_ALL },
      .records = true },
    { { "of a fault FROM is the instruction that faulted",
        "SDM vol. 3B, \"LBR Stack for Processors Based on Intel NetBurst "
        "Microarchitecture\"",
        "stated", LIMIT_OF_ALL },
      .records = true },
    { { "a repeated string instruction leaves no record of its iterations",
        "no list of branches names it", "derived", LIMIT_OF_STRINGS },
      .records = true },
    { { "of an interrupt FROM is the instruction that would have been next",
        "SDM vol. 3C, \"Control Flow Information Packets\"", "stated", LIMIT_OF_ALL },
      .records = true },
    { { "of one between the rounds of a repeated string instruction it is that one",
        "SDM vol. 2B, \"REP/REPE/REPZ/REPNE/REPNZ\"", "derived", LIMIT_OF_STRUCK },
      .records = true },
};

static const struct limit buffer_limit = {
    "only the newest records, as many as the buffer holds",
    "SDM vol. 3B, \"Setting Up the BTS Buffer\"", "stated", LIMIT_OF_ALL
};

static const struct limit newest_limit = {
    "only the newest records, as many as the method keeps", "the method's row, .newest",
    "stated", LIMIT_OF_ALL
};

/* AMD's manual has BTF trap on "every branch instruction, interrupt, or exception". */
static const struct limit unsure_limits[] = {
    { "no stop behind a conditional branch that is not taken",
      "AMD64 APM vol. 2, \"Control-Transfer Breakpoint Features\", does not say",
      "unconfirmed", LIMIT_OF_UNTAKEN },
    { "no stop at the entry of a handler, where TF is clear",
      "AMD64 APM vol. 2, \"Control-Transfer Breakpoint Features\", says both",
      "unconfirmed", LIMIT_OF_HANDLERS },
};

static const struct limit offsets_limit = {
    "where the row, LBR_FMT or CPUID says so, both ends as offsets in CS, without its base",
    "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\"; AMD64 APM vol. 2, "
    "\"Control-Transfer Recording MSRs\"",
    "stated", LIMIT_OF_ALL
};

static const struct limit unknown_limit = {
    "nothing: where the records lie is not known for an unknown model", "common/model.c",
    "stated", LIMIT_OF_ALL
};

#define FUSION_SOURCE \
    "Linux, \"perf/x86/amd/lbr: Use fusion-aware branch classifier\" (AMD, 2022)"
static const struct limit fusion_limits[] = {
    { "FROM may be the comparison or arithmetic right before its branch, fused with it",
      FUSION_SOURCE, "stated", LIMIT_OF_ALL },
    { "FROM may be any instruction a few bytes before its branch, with none between",
      FUSION_SOURCE ": \"further optimizations\"", "unconfirmed", LIMIT_OF_FUSION },
};

static const struct limit doubled_limit = {
    "the newest record may be there twice, or in place of it a copy of the one before",
    "recordings of 06_55; llvm/llvm-project#147971; google/autofdo#223", "measured",
    LIMIT_OF_ALL
};

#define INSERTS_SOURCE                                                                   \
    "Intel's events in Linux, tools/perf/pmu-events/arch/x86/alderlaken/pipeline.json, " \
    "MISC_RETIRED.LBR_INSERTS: \"Counts the number of LBR entries recorded\""
const struct limit inserts_limits[INSERTS_RULES] = {
    [INSERTS_OF_RECORDS] = { "the counter of LBR inserts, where CPUID has that event, "
                             "counts each record",
                             INSERTS_SOURCE, "stated", LIMIT_OF_INSERTS },
    [INSERTS_OF_NOTHING_ELSE] = { "the counter of LBR inserts counts nothing else: "
                                  "what an unlimited stack would hold, except in "
                                  "call-stack mode",
                                  INSERTS_SOURCE, "derived", LIMIT_OF_INSERTS },
};

static const struct limit event_limits[] = {
    { "only the branch before the last interrupt or exception, if there was one",
      "SDM vol. 3B, \"Last Exception Records\"; AMD64 APM vol. 2, \"Control-Transfer "
      "Recording MSRs\"",
      "stated", LIMIT_OF_ALL },
    { "of an event right behind another, the record of that other event",
      "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (P6 Family "
      "Processors)\": copied from the newest record",
      "derived", LIMIT_OF_EVENTS },
};

/* Intel's older chapters and AMD's manual say "interrupt or exception" and no more. */
static const struct limit software_stated = {
    "INT n, INT3 and INTO are events like any other",
    "SDM vol. 3B, \"Last Branch Records\"", "stated", LIMIT_OF_SOFTWARE
};
static const struct limit software_unconfirmed = {
    "INT n, INT3 and INTO are events like any other",
    "SDM vol. 3B, \"Last Exception Records\"; AMD64 APM vol. 2, \"Control-Transfer "
    "Recording "
    "MSRs\"",
    "unconfirmed", LIMIT_OF_SOFTWARE
};

static bool holds(const struct method_limit *row, const struct method_facts *method)
{
    if (row->silent || method->silent)
        return row->silent && method->silent && method->needs;
    if (method->sampled || row->sampled)
        return method->sampled && row->sampled;
    if (row->sampled_windows)
        return method->sampled_windows;
    if (row->counter_driven)
        return method->counter_driven && !method->sampled_windows;
    if (row->pmi_drained)
        return method->pmi_drained;
    if (row->ends_at_db || row->stored)
        return (row->ends_at_db && method->ends_at_db) ||
               (row->stored && (method->ring_buffer || method->pmi_drained));
    if (row->every_insn)
        return method->every_insn;
    if (row->stops)
        return method->stops && !method->every_insn;
    if (row->blind_handlers)
        return method->blind_handlers;
    return row->records && !method->blind_handlers;
}

struct limits {
    struct limit *at;
    size_t count, capacity;
};

static void add(struct limits *limits, struct limit limit)
{
    if (limits->count < limits->capacity)
        limits->at[limits->count++] = limit;
}

size_t limits_of_method(const struct method_facts *method, const struct model *model,
                        struct limit *out, size_t capacity)
{
    struct limits limits = { out, 0, capacity };

    for (size_t i = 0; i < COUNT_OF(method_limits); i++)
        if (holds(&method_limits[i], method))
            add(&limits, method_limits[i].limit);
    for (size_t i = 0; method->blind_handlers && !method->every_insn && model &&
                       model->btf_unsure && i < COUNT_OF(unsure_limits);
         i++)
        add(&limits, unsure_limits[i]);
    for (size_t i = 0; method->last_event && i < COUNT_OF(event_limits); i++)
        add(&limits, event_limits[i]);
    if (method->last_event)
        add(&limits, model && model->ler_of_int ? software_stated : software_unconfirmed);
    if (method->newest && !method->last_event)
        add(&limits, newest_limit);
    if (method->ring_buffer)
        add(&limits, buffer_limit);
    if (method->ring_lbr && model)
        add(&limits,
            (struct limit){ "only the newest records, as many as the stack is deep",
                            model->source, model->confidence, LIMIT_OF_ALL });
    if (method_shows_lbr(method) && model)
        add(&limits, offsets_limit);
    if (method_shows_lbr(method) && model)
        add(&limits,
            (struct limit){ "both ends as the row of this model lays the records out",
                            model->source, model->confidence, LIMIT_OF_LAYOUT });
    if (model && model->lbr.fuses && method_fuses(method))
        for (size_t i = 0; i < COUNT_OF(fusion_limits); i++)
            add(&limits, fusion_limits[i]);
    if (model && model->lbr.doubles_newest && method->ring_lbr)
        add(&limits, doubled_limit);
    for (size_t i = 0;
         method->ring_lbr && model && model->needs_arch_lbr && i < COUNT_OF(inserts_limits);
         i++)
        add(&limits, inserts_limits[i]);
    if (method->ring_lbr && !model)
        add(&limits, unknown_limit);
    return limits.count;
}
