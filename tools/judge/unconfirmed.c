/*
 * unconfirmed.h.  The rules see a run as the structs rule_place and rule_run.  Here they
 * are made from the log; the kernel makes its own (kernel/screen/self_check.c).
 */
#include "unconfirmed.h"

#include <string.h>

#include "code.h"
#include "count_of.h"
#include "expected_trace.h"
#include "hit.h"
#include "saturate.h"

struct rule_place rule_place_on(const struct cpu_part *cpu)
{
    return (struct rule_place){
        .model = cpu->row,
        .id = &cpu->id,
        .microcode = cpu->named.microcode,
        .platform = cpu->platform,
        .emulated = platform_is_emulated(cpu->platform),
    };
}

struct rule_place rule_place_of(const struct run *run)
{
    struct rule_place place = rule_place_on(run->cpu);

    place.method = run->method;
    place.filter = run->filter;
    place.unlisted = run->method->counter_driven && !counted_event(run);
    place.probed = run->method->counter_driven && counted_in_probe(run);
    return place;
}

/* This project's emulator says in CPUID.40000001H that SMIs come (emulator/README.md). */
#define LEAF_EMULATOR  0x40000001u
#define ANNOUNCES_SMIS 1u /* EBX */

static bool announces_smis(const struct cpu_part *cpu)
{
    const uint32_t *leaf = cpuid_find(cpu->leaves, cpu->leaf_count, LEAF_EMULATOR, 0);

    return cpu->platform && cpu->platform == platform_named("emulator") && leaf &&
           leaf[1] & ANNOUNCES_SMIS;
}

/*
 * Returns how many of the expected records all tries have before a stop may be missing.  A
 * stop that is lost in a sequence of equal ones shows only where the sequence ends early.
 * Where it ends only a few records early, any stop of it may be the missing one, and none
 * counts as right.
 */
static uint64_t right_of_tries(const struct log *log, const struct run *run)
{
    const struct tries *tries = &run->ran.tries;
    const uint64_t few = 1 + run->records / HIT_RECORDS_APART;
    struct expected_trace expected;
    struct visible want;
    struct transfer now, before = { 0 };
    uint64_t right = 0, begin = 0; /* of the equal ones */
    bool more;

    if (!run->method->blind_handlers || tries->count < RUN_TRIES_MAX)
        return 0;
    visible_through(&want, expected_trace_of(&expected, log, run->workload), run->method, 0,
                    run_record_filter(run));
    want.source.rewind(&want.source);
    for (uint64_t i = 0;; i++) {
        more = want.source.next(&want.source, &now);
        if (more && transfers_match(&now, &before))
            continue;
        for (size_t k = 0; k < tries->count; k++)
            if (tries->differed[k] > begin && tries->differed[k] <= i)
                right += i - tries->differed[k] < few ? begin : tries->differed[k] - 1;
        if (!more)
            break;
        begin = i;
        before = now;
    }
    return right;
}

struct rule_run rule_run_of(const struct log *log, const struct run *run)
{
    return (struct rule_run){
        .place = rule_place_of(run),
        .workload = run->workload->own,
        .at = run->workload->at,
        .call = log->machine.caller.call,
        .back = log->machine.caller.back,
        .capacity = run_capacity(run),
        .records = run->records,
        .hits = { .smis = run->ran.smis,
                  .nmis = run->ran.nmis,
                  .smis_are_counted = run->cpu->left.smi_count.is == LOG_THERE,
                  .smis_are_announced = announces_smis(run->cpu),
                  .branches = run->ran.counted.value,
                  .tries = run->ran.tries.count ? &run->ran.tries : NULL,
                  .tries_are_uncompared = run->gaps && !run->method->sampled_windows,
                  .right = right_of_tries(log, run),
                  .image = log->machine.image.base,
                  .image_size = log->machine.image.size,
                  .lost = run->ran.lost,
                  .unreturned = saturated_less(run->ran.events, run->ran.returns) },
    };
}

bool rule_is_of_run(const char *name, const struct run *run)
{
    const struct rule_place place = rule_place_of(run);

    return rule_applies(name, &place);
}

#define INSN_MAX 15 /* bytes */
#define NEAR_BRANCHES                                                              \
    (COUNTS(KIND_JCC) | COUNTS(KIND_JMP) | COUNTS(KIND_IJMP) | COUNTS(KIND_CALL) | \
     COUNTS(KIND_ICALL) | COUNTS(KIND_RET))

uint64_t fused_branch(const struct workload *workload, uint64_t at,
                      const struct transfer *t)
{
    uint64_t offset = t->from - at, end = offset + INSN_MAX;
    ZydisDecodedInstruction insn;
    struct insn branch;

    if (offset >= workload->size || decode_of(workload, at, t->from, &branch) ||
        !code_begins(workload, offset))
        return BRANCH_UNKNOWN;
    while (offset < end && code_decode(workload, offset, &insn)) {
        if (decode_of(workload, at, at + offset, &branch))
            return NEAR_BRANCHES >> branch.kind & 1 &&
                           (!branch.direct || branch.target == t->to)
                       ? at + offset
                       : BRANCH_UNKNOWN;
        offset += insn.length;
    }
    return BRANCH_UNKNOWN;
}

/* True if the branch that is wanted is the one to which FROM leads. */
static bool precedes_its_branch(const struct rule_record *record)
{
    return record->class == WRONG_FROM && record->other &&
           fused_branch(record->workload, record->at, &record->transfer) ==
               record->other->from;
}

/* A stop is where an instruction begins. */
static bool is_at_insn(const struct rule_record *record)
{
    return rule_explains(rule_named("btf-untaken"), record) &&
           code_begins(record->workload, record->transfer.to - record->at);
}

#define ICEBP 0xf1
#define NMI   2 /* its vector */

/* The event from whose handler this IRET returns, as its branch; any other is its own. */
static struct transfer event_of(const struct rule_record *record)
{
    const struct transfer *t = &record->transfer;

    for (size_t i = 0; t->kind == KIND_IRET && i < record->events->count; i++) {
        const struct event *event = &record->events->at[i];

        if (event->iret == t->from && event->to == t->to)
            return (struct transfer){ event->from, event->entry, event->kind };
    }
    return *t;
}

unsigned rule_kind_of(const struct rule_record *record)
{
    const struct transfer t = event_of(record);
    const struct stub *stub = rule_stub_at(record, t.to);
    const bool stops = record->place->method->blind_handlers;

    if (stops && stub && stub->vector == NMI)
        return 0;
    switch (t.kind) {
    case KIND_INT:
        return 1u << 1;
    case KIND_EXC:
        return stub && stub->vector < 32 ? 1u << 2 : 1u << 3;
    case KIND_DB:
        return rule_code_at(record, t.from) == ICEBP ? 1u << 4 : 1u << 5;
    default:
        return !stops;
    }
}

/* What some rules need Zydis for, which the kernel does not have. */
static const struct {
    const char *rule;
    bool (*explains)(const struct rule_record *);
} by_host[] = {
    { "lbr-fused-further", precedes_its_branch },
    { "btf-untaken", is_at_insn },
};

bool rule_concerns(const struct rule *rule, const struct rule_record *record)
{
    for (size_t i = 0; i < COUNT_OF(by_host); i++)
        if (strcmp(rule->name, by_host[i].rule) == 0)
            return by_host[i].explains(record);
    return rule_explains(rule, record);
}
