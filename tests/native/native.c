/*
 * Holds the expectation written under each workload against what the processor of
 * the build machine does: row by row, kind by kind.
 *
 * native [NAME...]     one line each, `ok NAME...` or `not ok NAME - where and why`;
 *                      exit 0 all agree, 1 one does not, 2 none was tried; a workload
 *                      that this machine cannot run is `ok NAME # SKIP why`
 */
#include "step.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VECTOR_GP 13

/* How many instructions somebody has said that a workload has, its RET included. */
static const struct {
    const char *workload;
    uint64_t instructions;
} said[] = {
    { "wt", 27 },
};

static const char *const kinds[] = {
    [KIND_NONE] = "no branch",
    [KIND_JCC] = "JCC",
    [KIND_JMP] = "JMP",
    [KIND_IJMP] = "IJMP",
    [KIND_CALL] = "CALL",
    [KIND_ICALL] = "ICALL",
    [KIND_RET] = "RET",
    [KIND_INT] = "INT",
    [KIND_EXC] = "EXC",
    [KIND_IRET] = "IRET",
    [KIND_FAR] = "FAR",
    [KIND_DB] = "DB",
    [KIND_TF_CLEARED] = "TF CLEARED",
    [KIND_TF_SET] = "TF SET",
    [KIND_TF_HELD] = "TF HELD",
    [KIND_TF_MASKED] = "TF MASKED",
    [KIND_TF_LOADED] = "TF LOADED",
};

/* Equal transfers, on either side; of the wanted ones also their row. */
struct run {
    struct step_run step;
    uint32_t row;
};

/* Walks the rows of an expectation, groups unfolded. */
struct rows {
    const struct workload *workload;
    uint32_t row, depth;
    struct {
        uint32_t row, left;
    } group[ROW_DEPTH_MAX];
};

static uint64_t place(const struct workload *workload, int32_t offset,
                      const uint8_t *caller)
{
    return (uintptr_t)(offset == CALLER ? caller : workload->code + offset);
}

static bool rows_next(struct rows *rows, struct run *out)
{
    while (rows->row < rows->workload->rows) {
        const struct taken *row = &rows->workload->expect[rows->row++];

        if (row->kind == ROW_REPEAT) {
            rows->group[rows->depth].row = rows->row;
            rows->group[rows->depth++].left = row->times - 1;
        } else if (row->kind == ROW_END) {
            if (rows->group[rows->depth - 1].left-- > 0)
                rows->row = rows->group[rows->depth - 1].row;
            else
                rows->depth--;
        } else {
            *out = (struct run){
                .step = { place(rows->workload, row->from, step_call),
                          place(rows->workload, row->to, step_back), (enum kind)row->kind,
                          row->times },
                .row = rows->row,
            };
            return true;
        }
    }
    return false;
}

/* The label that the expectation gives to an address, or the offset. */
static const char *name(const struct workload *workload, uint64_t address)
{
    static char names[4][32];
    static unsigned used;
    char *out = names[used++ % 4];

    if (address == (uintptr_t)step_call || address == (uintptr_t)step_back)
        return "caller";
    for (uint32_t i = 0; i < workload->rows; i++) {
        const struct taken *row = &workload->expect[i];

        if (row->kind >= ROW_REPEAT)
            continue;
        if (place(workload, row->from, step_call) == address)
            return row->from_label;
        if (place(workload, row->to, step_back) == address)
            return row->to_label;
    }
    snprintf(out, sizeof(names[0]),
             address - (uintptr_t)workload->code < workload->size ? "+0x%" PRIx64
                                                                  : "outside (%+" PRId64
                                                                    ")",
             address - (uintptr_t)workload->code);
    return out;
}

static void print_run(const struct workload *workload, const struct step_run *run)
{
    if (run)
        printf("%s %s -> %s", kinds[run->kind], name(workload, run->from),
               name(workload, run->to));
    else
        printf("the end");
}

static bool same(const struct step_run *a, const struct step_run *b)
{
    return a->from == b->from && a->to == b->to && a->kind == b->kind;
}

static void fault(const struct workload *workload)
{
    printf("not ok %s - %s.asm: ", workload->name, workload->name);
}

/* Returns whether all agree, and counts the transfers. */
static bool agrees(const struct workload *workload, const struct step_trace *trace,
                   uint64_t *transfers)
{
    struct rows rows = { .workload = workload };
    struct run want = { 0 };
    struct step_run got = { 0 };
    size_t next = 0;
    bool got_one = false, want_one = false;

    for (*transfers = 0;;) {
        uint64_t both;

        if (got.times == 0 && (got_one = next < trace->count))
            got = trace->runs[next++];
        if (want.step.times == 0)
            want_one = rows_next(&rows, &want);
        if (!got_one && !want_one)
            return true;
        if (!got_one || !want_one || !same(&got, &want.step))
            break;
        both = got.times < want.step.times ? got.times : want.step.times;
        got.times -= both;
        want.step.times -= both;
        *transfers += both;
    }
    fault(workload);
    if (want_one)
        printf("row %" PRIu32 ", ", want.row);
    printf("record %" PRIu64 ": got ", *transfers + 1);
    print_run(workload, got_one ? &got : NULL);
    printf(", want ");
    print_run(workload, want_one ? &want.step : NULL);
    printf("\n");
    return false;
}

static bool count_is_right(const struct workload *workload, uint64_t instructions)
{
    for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
        if (strcmp(said[i].workload, workload->name) == 0 &&
            said[i].instructions != instructions) {
            fault(workload);
            printf("got %" PRIu64 " instructions, want %" PRIu64 "\n", instructions,
                   said[i].instructions);
            return false;
        }
    return true;
}

/* Straight code between two branches is short; what runs far longer does not end. */
static uint64_t budget_for(const struct workload *workload)
{
    struct rows rows = { .workload = workload };
    struct run run;
    uint64_t transfers = 0;

    while (rows_next(&rows, &run))
        transfers += run.step.times;
    return 1000 + 16 * transfers;
}

/* False where a hypervisor keeps the descriptor tables for itself: 23H is Linux's. */
static bool has_code_of_32_bits(void)
{
    uint32_t rights = 0x23;
    bool found;

    __asm__("lar %0, %0" : "+r"(rights), "=@ccz"(found));
    return found;
}

/* *skipped is set if the workload cannot run on this machine. */
static bool try_one(const struct workload *workload, bool *skipped)
{
    struct step_trace trace;
    uint64_t transfers;
    bool good;

    fflush(stdout); /* before anything that may end the process */
    trace = step(workload, budget_for(workload));
    *skipped = trace.trouble && trace.trouble_vector == VECTOR_GP &&
               workload->flags & WORKLOAD_LOW && !has_code_of_32_bits();
    if (*skipped) {
        printf("ok %s # SKIP this machine has no segment for code of 32 bits\n",
               workload->name);
        good = false;
    } else if (trace.trouble) {
        fault(workload);
        printf("got as far as %s: %s", name(workload, trace.trouble_at), trace.trouble);
        if (trace.trouble_vector >= 0)
            printf(" (%d)", trace.trouble_vector);
        printf(", want the end\n");
        good = false;
    } else {
        good = agrees(workload, &trace, &transfers) &&
               count_is_right(workload, trace.instructions);
        if (good)
            printf("ok %s: %" PRIu64 " transfers, %" PRIu64 " instructions, %" PRIu64
                   " of them made by hand%s%s",
                   workload->name, transfers, trace.instructions, trace.by_hand,
                   workload->stub_count ? ", its stubs entered by hand" : "",
                   workload->part_count ? ", ring 0 imitated in ring 3" : "");
        if (good && trace.interrupts)
            printf(", %" PRIu64 " interrupts imitated", trace.interrupts);
        if (good)
            printf("\n");
    }
    free(trace.runs);
    return good;
}

static bool asked_for(const struct workload *workload, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], workload->name) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    int agreed = 0, tried = 0, skipped = 0;

    /* cppcheck-suppress comparePointers ; both are ends of one section */
    for (const struct workload *w = __start_workloads; w < __stop_workloads; w++) {
        bool skips;

        if (!asked_for(w, argc - 1, argv + 1) || w->packed)
            continue; /* nobody wrote the expected trace of a program in C: this stepping
                         made it */
        tried++;
        agreed += try_one(w, &skips);
        skipped += skips;
    }
    printf("%d of %d agree\n", agreed, tried);
    if (tried == 0) {
        fprintf(stderr, "native: no workload of that name was tried\n");
        return 2;
    }
    return agreed + skipped == tried ? 0 : 1;
}
