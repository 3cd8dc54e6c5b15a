/* limit.h */
#include "limit.h"

#include "count_of.h"

/* What a method does, alone or on a model, that limits what it can show. */
enum feature {
    SILENT,
    SAMPLED,
    SAMPLED_WINDOWS,
    COUNTER_DRIVEN,
    PMI_DRAINED,
    STORED,
    ENDS_AT_DB,
    EVERY_INSN,
    STOPS_AT_BRANCHES,
    BLIND_HANDLERS,
    RECORDS,
    PACKETS,
    LAST_EVENT,
    NEWEST,
    RING_BUFFER,
    UNSURE_BTF,        /* the model's row says that BTF may stop elsewhere, too */
    SOFTWARE_STATED,   /* LAST_EVENT; the model's manual says that INT n is one */
    SOFTWARE_UNSTATED, /* LAST_EVENT; ...or that manual says no such thing      */
    RING_LBR,
    UNKNOWN_RING_LBR, /* of an unknown model */
    SHOWS_LBR,
    FUSES,
    DOUBLES,
};
#define HAS(feature, condition) ((condition) ? 1u << (feature) : 0)

static unsigned features_of(const struct method_facts *method, const struct model *model)
{
    if (method->silent)
        return HAS(SILENT, method->needs);
    const unsigned always =
        HAS(LAST_EVENT, method->last_event) |
        HAS(SOFTWARE_STATED, method->last_event && model && model->ler_of_int) |
        HAS(SOFTWARE_UNSTATED, method->last_event && !(model && model->ler_of_int)) |
        HAS(NEWEST, method->newest && !method->last_event) |
        HAS(RING_BUFFER, method->ring_buffer) |
        HAS(UNSURE_BTF,
            method->blind_handlers && !method->every_insn && model && model->btf_unsure) |
        HAS(RING_LBR, method->ring_lbr && model) |
        HAS(UNKNOWN_RING_LBR, method->ring_lbr && !model) |
        HAS(SHOWS_LBR, method_shows_lbr(method) && model) |
        HAS(FUSES, method_fuses(method) && model && model->lbr.fuses) |
        HAS(DOUBLES, method->ring_lbr && model && model->lbr.doubles_newest);
    if (method->sampled)
        return always | HAS(SAMPLED, true);
    return always | HAS(SAMPLED_WINDOWS, method->sampled_windows) |
           HAS(COUNTER_DRIVEN, method->counter_driven && !method->sampled_windows) |
           HAS(PMI_DRAINED, method->pmi_drained) |
           HAS(STORED, method->ring_buffer || method->pmi_drained) |
           HAS(ENDS_AT_DB, method->ends_at_db) | HAS(EVERY_INSN, method->every_insn) |
           HAS(STOPS_AT_BRANCHES, method->stops && !method->every_insn) |
           HAS(BLIND_HANDLERS, method->blind_handlers) |
           HAS(RECORDS, !method->blind_handlers) | HAS(PACKETS, method->packets);
}

#define FUSION_SOURCE \
    "Linux, \"perf/x86/amd/lbr: Use fusion-aware branch classifier\" (AMD, 2022)"

/* Each limit holds for methods with this feature.  Source NULL: that of the model's row. */
static const struct {
    struct limit limit;
    enum feature feature;
} method_limits[] = {
    { { "no record of anything: branch trace messages go to the bus alone",
        "SDM vol. 3B, \"Branch Trace Messages\"", "stated", LIMIT_OF_ALL },
      SILENT },
    { { "FROM is not known: a stop tells only where the branch went",
        "SDM vol. 3B, \"Single-Stepping on Branches\"", "stated", LIMIT_OF_ALL },
      STOPS_AT_BRANCHES },
    { { "FROM is the stop before, where the code there is a branch that leads here",
        "common/expected/check.c", "derived", LIMIT_OF_ALL },
      EVERY_INSN },
    { { "REPE and REPNE may stop fewer times than their count: the log holds no memory to "
        "tell when ZF ends them",
        "SDM vol. 2B, \"REP/REPE/REPZ/REPNE/REPNZ\"", "unconfirmed", LIMIT_OF_ALL },
      EVERY_INSN },
    { { "no entry of a handler and nothing in it: delivering an event clears TF",
        "SDM vol. 3A, \"Flag Usage By Exception- or Interrupt-Handler Procedure\"",
        "stated", LIMIT_OF_ALL },
      BLIND_HANDLERS },
    { { "no IRET that ends a handler: TF was clear when it began",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived", LIMIT_OF_RESUMING },
      BLIND_HANDLERS },
    { { "not the branch to which such an IRET returns: there was no stop before it",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived", LIMIT_OF_RESUMING },
      EVERY_INSN },
    { { "not the instruction after MOV SS or POP SS: they hold back the trap",
        "SDM vol. 3A, \"Masking Exceptions and Interrupts When Switching Stacks\"",
        "stated", LIMIT_OF_ALL },
      EVERY_INSN },
    { { "nothing after a POPF that clears TF, except one stop, until one that sets it",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived",
        LIMIT_OF_CLEARED_TF },
      BLIND_HANDLERS },
    { { "nothing between a SYSCALL that masks TF and the SYSRET that loads it: one leap",
        "AMD64 APM vol. 2, \"Single Stepping\"; kvm-unit-tests, x86/syscall.c: TF at the "
        "end "
        "of SYSCALL and SYSRET counts",
        "stated", LIMIT_OF_ALL },
      EVERY_INSN },
    { { "no entry of #DB, and nothing after one that the workload takes: it turns LBR off",
        "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\"", "stated",
        LIMIT_OF_ALL },
      ENDS_AT_DB },
    { { "no entry of #DB, although recording goes on",
        "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\"", "unconfirmed",
        LIMIT_OF_DB },
      STORED },
    { { "not the entry and the IRETQ of the interrupts that empty the buffer: taken out",
        "SDM vol. 3B, \"Writing the DS Interrupt Service Routine\"", "stated",
        LIMIT_OF_ALL },
      PMI_DRAINED },
    { { "what comes between the threshold and the interrupt finds room only in the buffer",
        "SDM vol. 3B, \"Setting Up the BTS Buffer\"", "stated", LIMIT_OF_ALL },
      PMI_DRAINED },
    { { "not the entry and the IRETQ of the counter's interrupts: taken out",
        "SDM vol. 3B, \"Generating an Interrupt on Overflow\"", "stated", LIMIT_OF_ALL },
      COUNTER_DRIVEN },
    { { "complete as long as each interrupt finds the IRETQ of the one before in the stack",
        "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording\"", "derived",
        LIMIT_OF_ALL },
      COUNTER_DRIVEN },
    { { "besides records, a bit for each conditional branch that is not taken",
        "SDM vol. 3C, \"Change of Flow Instruction (COFI) Tracing\"", "stated",
        LIMIT_OF_ALL },
      PACKETS },
    { { "the entry of #DB too: packets go on",
        "SDM vol. 3C, \"Change of Flow Instruction (COFI) Tracing\"", "derived",
        LIMIT_OF_DB },
      PACKETS },
    { { "a stop where the interrupt struck, which the processor takes some branches late",
        "SDM vol. 3B, \"Generating an Interrupt on Overflow\"", "stated", LIMIT_OF_ALL },
      SAMPLED },
    { { "of taken branches those that the event counts: common/facts/pmu.c has them by processor",
        "common/facts/pmu.c", "derived", LIMIT_OF_ALL },
      SAMPLED },
    { { "pieces alone, each of as many branches in a row as the sampling has entries",
        "Linux, arch/x86/events/amd/brs.c", "stated", LIMIT_OF_ALL },
      SAMPLED_WINDOWS },
    { { "not the branch at which the counter begins a piece, nor any between two of them",
        "Linux, arch/x86/events/amd/brs.c", "derived", LIMIT_OF_ALL },
      SAMPLED_WINDOWS },
    { { "of the last piece what the sampling still has when the counter is stopped",
        "Linux, arch/x86/events/amd/brs.c", "derived", LIMIT_OF_ALL },
      SAMPLED_WINDOWS },
    { { "of INT n, INT3 and INTO FROM is the instruction, not the address that was pushed",
        "SDM vol. 2A, \"INT n/INTO/INT3/INT1\": all three are software interrupts; vol. "
        "3C, "
        "\"Control Flow Information Packets\"",
        "stated", LIMIT_OF_ALL },
      RECORDS },
    { { "of a fault FROM is the instruction that faulted",
        "SDM vol. 3B, \"LBR Stack for Processors Based on Intel NetBurst "
        "Microarchitecture\"",
        "stated", LIMIT_OF_ALL },
      RECORDS },
    { { "a repeated string instruction leaves no record of its iterations",
        "no list of branches names it", "derived", LIMIT_OF_STRINGS },
      RECORDS },
    { { "of an interrupt FROM is the instruction that would have been next",
        "SDM vol. 3C, \"Control Flow Information Packets\"", "stated", LIMIT_OF_ALL },
      RECORDS },
    { { "of one between the rounds of a repeated string instruction it is that one",
        "SDM vol. 2B, \"REP/REPE/REPZ/REPNE/REPNZ\"", "derived", LIMIT_OF_STRUCK },
      RECORDS },
    /* AMD's manual has BTF trap on "every branch instruction, interrupt, or exception". */
    { { "no stop after a conditional branch that is not taken",
        "AMD64 APM vol. 2, \"Control-Transfer Breakpoint Features\", does not say",
        "unconfirmed", LIMIT_OF_UNTAKEN },
      UNSURE_BTF },
    { { "no stop at the entry of a handler, where TF is clear",
        "AMD64 APM vol. 2, \"Control-Transfer Breakpoint Features\", says both",
        "unconfirmed", LIMIT_OF_HANDLERS },
      UNSURE_BTF },
    { { "only the branch before the last interrupt or exception, if there was one",
        "SDM vol. 3B, \"Last Exception Records\"; AMD64 APM vol. 2, \"Control-Transfer "
        "Recording MSRs\"",
        "stated", LIMIT_OF_ALL },
      LAST_EVENT },
    { { "of an event right after another, the record of that other event",
        "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (P6 Family "
        "Processors)\": copied from the newest record",
        "derived", LIMIT_OF_EVENTS },
      LAST_EVENT },
    /* Intel's older chapters and AMD's manual say "interrupt or exception" and no more. */
    { { "INT n, INT3 and INTO are events like any other",
        "SDM vol. 3B, \"Last Branch Records\"", "stated", LIMIT_OF_SOFTWARE },
      SOFTWARE_STATED },
    { { "INT n, INT3 and INTO are events like any other",
        "SDM vol. 3B, \"Last Exception Records\"; AMD64 APM vol. 2, \"Control-Transfer "
        "Recording "
        "MSRs\"",
        "unconfirmed", LIMIT_OF_SOFTWARE },
      SOFTWARE_UNSTATED },
    { { "only the newest records, as many as the method keeps", "the method's row, .newest",
        "stated", LIMIT_OF_ALL },
      NEWEST },
    { { "only the newest records, as many as the buffer holds",
        "SDM vol. 3B, \"Setting Up the BTS Buffer\"", "stated", LIMIT_OF_ALL },
      RING_BUFFER },
    { { "only the newest records, as many as the stack is deep", NULL, NULL, LIMIT_OF_ALL },
      RING_LBR },
    { { "where the row, LBR_FMT or CPUID says so, both ends as offsets in CS, without its "
        "base",
        "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\"; AMD64 APM vol. 2, "
        "\"Control-Transfer Recording MSRs\"",
        "stated", LIMIT_OF_ALL },
      SHOWS_LBR },
    { { "both ends as the row of this model lays the records out", NULL, NULL,
        LIMIT_OF_LAYOUT },
      SHOWS_LBR },
    { { "FROM may be the comparison or arithmetic right before its branch, fused with it",
        FUSION_SOURCE, "stated", LIMIT_OF_ALL },
      FUSES },
    { { "FROM may be any instruction a few bytes before its branch, with none between",
        FUSION_SOURCE ": \"further optimizations\"", "unconfirmed", LIMIT_OF_FUSION },
      FUSES },
    { { "the newest record may be there twice, or in place of it a copy of the one before",
        "recordings of 06_55; llvm/llvm-project#147971; google/autofdo#223", "measured",
        LIMIT_OF_ALL },
      DOUBLES },
    { { "nothing: where the records lie is not known for an unknown model",
        "common/facts/model.c", "stated", LIMIT_OF_ALL },
      UNKNOWN_RING_LBR },
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

static void add(struct limit limit, struct limit *out, size_t *count, size_t capacity)
{
    if (*count < capacity)
        out[(*count)++] = limit;
}

size_t limits_of_method(const struct method_facts *method, const struct model *model,
                        struct limit *out, size_t capacity)
{
    const unsigned features = features_of(method, model);
    size_t count = 0;

    for (size_t i = 0; i < COUNT_OF(method_limits); i++) {
        struct limit limit = method_limits[i].limit;

        if (!(features & 1u << method_limits[i].feature))
            continue;
        if (!limit.source)
            limit.source = model->source, limit.confidence = model->confidence;
        add(limit, out, &count, capacity);
    }
    for (size_t i = 0; i < INSERTS_RULES; i++)
        if (features & 1u << RING_LBR && model->needs_arch_lbr)
            add(inserts_limits[i], out, &count, capacity);
    return count;
}
