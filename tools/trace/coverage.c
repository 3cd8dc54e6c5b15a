#include "coverage.h"

#include <stdlib.h>

#include "heap.h"

void cover_begin(struct cover *cover, const struct log *log, const struct loaded *loaded)
{
    *cover = (struct cover){ .log = log, .loaded = loaded };
    profile_begin(&cover->profile, loaded->own);
}

void cover_add(struct cover *cover, const struct log *log, const struct run *run)
{
    if (!cover->run)
        cover->run = run;
    profile_add(&cover->profile, log, run);
}

/* The reachable code: for each offset, whether an instruction or a block begins there. */
struct reach {
    const struct workload *own;
    uint64_t at;
    struct code code;
    bool *insn, *block;
    uint64_t *waiting;
    size_t count;
};

static void land(struct reach *reach, uint64_t offset)
{
    if (offset >= reach->own->size)
        return;
    reach->block[offset] = true;
    if (!reach->insn[offset]) {
        reach->insn[offset] = true;
        reach->waiting[reach->count++] = offset;
    }
}

/* True if the next instruction in memory may run after this one. */
static bool goes_on(const struct code_insn *insn)
{
    return insn->kind == KIND_JCC || insn->kind == KIND_INT || insn->calls;
}

static void run_on(struct reach *reach, uint64_t offset)
{
    const struct code_insn *insn;

    while ((insn = code_at(&reach->code, reach->at + offset))) {
        if (insn->direct)
            land(reach, insn->target - reach->at);
        offset = code_next(insn) - reach->at;
        if (insn->kind != KIND_NONE || insn->faulter) {
            if (goes_on(insn))
                land(reach, offset);
            return;
        }
        if (offset >= reach->own->size || reach->insn[offset])
            return;
        reach->insn[offset] = true;
    }
}

static void go(struct reach *reach, uint64_t offset)
{
    land(reach, offset);
    while (reach->count > 0)
        run_on(reach, reach->waiting[--reach->count]);
}

static void reach_all(struct reach *reach, const struct profile *profile)
{
    go(reach, 0);
    for (uint32_t i = 0; i < reach->own->stub_count; i++)
        go(reach, reach->own->stubs[i].offset);
    for (size_t i = 0; i < profile->edge_count; i++)
        go(reach, profile->edges[i].to);
    for (uint64_t at = 0; at < reach->own->size; at++)
        if (profile->ran[at] && !reach->insn[at])
            go(reach, at); /* where a ring of records begins */
}

static void add_jcc(struct cover *cover, uint64_t at)
{
    struct cover_jcc jcc = { at, cover->profile.taken[at], cover->profile.passed[at] };

    cover->jccs = grow(cover->jccs, &cover->jcc_capacity, cover->jcc_count, sizeof(jcc));
    cover->jccs[cover->jcc_count++] = jcc;
    cover->edges += 2;
    cover->edges_ran += (jcc.taken > 0) + (jcc.passed > 0);
}

/* A block ends at a branch, where another begins, and where it stopped running. */
static void add_block(struct cover *cover, struct reach *reach, uint64_t begin)
{
    bool ran = cover->profile.ran[begin] > 0;
    struct cover_block block = { begin, begin, ran };
    const struct code_insn *insn = code_at(&reach->code, reach->at + begin);

    while (insn) {
        bool ends = insn->kind != KIND_NONE || insn->faulter;

        block.end = code_next(insn) - reach->at;
        if (ends || block.end >= reach->own->size || reach->block[block.end] ||
            (cover->profile.ran[block.end] > 0) != ran)
            break;
        insn = code_at(&reach->code, reach->at + block.end);
    }
    cover->blocks =
        grow(cover->blocks, &cover->block_capacity, cover->block_count, sizeof(block));
    cover->blocks[cover->block_count++] = block;
    cover->blocks_ran += ran;
    if (block.end < reach->own->size && insn && insn->kind == KIND_NONE && !insn->faulter)
        reach->block[block.end] = true; /* the rest is a block of its own */
}

static void count_all(struct cover *cover, struct reach *reach)
{
    for (uint64_t at = 0; at < reach->own->size; at++) {
        const struct code_insn *insn =
            reach->insn[at] ? code_at(&reach->code, reach->at + at) : NULL;

        if (!insn)
            continue;
        cover->insns++;
        cover->insns_ran += cover->profile.ran[at] > 0;
        if (insn->kind == KIND_JCC)
            add_jcc(cover, at);
        if (reach->block[at])
            add_block(cover, reach, at);
    }
}

void cover_end(struct cover *cover)
{
    const struct workload *own = cover->loaded->own;
    struct reach reach = { .own = own, .at = cover->loaded->at };

    profile_end(&cover->profile);
    code_of(&reach.code, cover->log);
    reach.insn = zeroed(own->size + 1, sizeof(bool));
    reach.block = zeroed(own->size + 1, sizeof(bool));
    reach.waiting = zeroed(own->size + 1, sizeof(uint64_t));
    reach_all(&reach, &cover->profile);
    count_all(cover, &reach);
    free(reach.insn);
    free(reach.block);
    free(reach.waiting);
    code_free(&reach.code);
}

void cover_free(struct cover *cover)
{
    profile_free(&cover->profile);
    free(cover->blocks);
    free(cover->jccs);
}
