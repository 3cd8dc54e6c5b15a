/*
 * cost.h.  What ran is counted in the expected trace, along the code: a run whose method
 * keeps only the newest records, or none, does not tell.
 */
#include "cost.h"

#include "code.h"

/* Counts the instructions that completed from `at` to this transfer, inclusive. */
static bool count_to(struct code *code, uint64_t at, const struct transfer *t,
                     uint64_t *insns)
{
    while (at != t->from) {
        const struct code_insn *insn = code_at(code, at);

        if (!insn || at > t->from)
            return false;
        at = code_next(insn);
        ++*insns;
    }
    *insns += t->kind != KIND_EXC; /* what a fault or an interrupt struck comes later */
    return true;
}

static void count_expected(struct cost_table *table, const struct log *log)
{
    static struct pack unpack;
    const struct loaded *loaded = table->workload;
    struct expected expected;
    struct transfer t;
    struct code code;
    uint64_t at = loaded->at;
    bool known = true;

    code_of(&code, log);
    expected_of(&expected, loaded->own, loaded->at, log->machine.caller.call,
                log->machine.caller.back, &unpack);
    while (expected.source.next(&expected.source, &t)) {
        if (kind_is_mark(t.kind))
            continue;
        table->branches++;
        if (known && t.from != log->machine.caller.call)
            known = count_to(&code, at, &t, &table->insns);
        at = t.to;
    }
    if (!known)
        table->insns = 0;
    code_free(&code);
}

static struct cost *place_for(struct cost_table *table, const struct method_facts *method)
{
    size_t i = 0;

    while (i < table->count && table->methods[i].method != method)
        i++;
    if (i == table->count && i < METHODS_MAX)
        table->methods[table->count++] =
            (struct cost){ .method = method, .ticks = UINT64_MAX };
    return i < METHODS_MAX ? &table->methods[i] : NULL;
}

static void add(struct cost *cost, const struct run *run)
{
    uint64_t ticks = run->cost.line ? run->cost.least : run->ran.ticks;

    if (cost->runs == 0)
        cost->events = run->ran.events;
    cost->runs += run->cost.line ? run->cost.made : 1;
    cost->failed |= run->verdict == FAIL || run->verdict == ERROR;
    if (ticks < cost->ticks)
        cost->ticks = ticks;
}

static bool counts(const struct run *run, const struct loaded *loaded)
{
    return run->workload == loaded && !run->skipped && !run->filter && run->end_line &&
           run->ran.outcome == ENDED;
}

void cost_of(struct cost_table *table, const struct log *log, const struct loaded *loaded)
{
    *table = (struct cost_table){ .workload = loaded };
    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        struct cost *cost = counts(run, loaded) ? place_for(table, run->method) : NULL;

        if (cost)
            add(cost, run);
    }
    if (table->count)
        count_expected(table, log);
}

const struct cost *cost_by(const struct cost_table *table, const char *method)
{
    const struct method_facts *facts = method_named(method);

    for (size_t i = 0; facts && i < table->count; i++)
        if (table->methods[i].method == facts)
            return &table->methods[i];
    return NULL;
}

bool cost_beyond(const struct cost_table *table, const struct cost *cost, uint64_t *ticks)
{
    const struct cost *untraced = cost_by(table, "none");

    if (!untraced || untraced == cost || cost->ticks <= untraced->ticks)
        return false;
    *ticks = cost->ticks - untraced->ticks;
    return true;
}

const struct loaded *cost_best(const struct log *log)
{
    const struct loaded *best = NULL;
    uint64_t most = 0;
    size_t methods = 0;

    for (size_t i = 0; i < log->workload_count; i++) {
        struct cost_table table;
        uint64_t straight;

        cost_of(&table, log, log->workloads[i]);
        straight = table.insns > table.branches ? table.insns - table.branches : 0;
        if (table.count < methods || table.count == 0 ||
            (table.count == methods && straight <= most && best))
            continue;
        best = log->workloads[i];
        methods = table.count;
        most = straight;
    }
    return best;
}
