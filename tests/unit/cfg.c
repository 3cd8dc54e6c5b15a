// LINK: workloads everybranch
#include "tools/trace/cfg.c"

#include "traced_rows.h"

static struct cfg cfg;

/* An offset in the code, or C for the caller. */
static void say_offset(uint64_t offset)
{
    if (offset == PROFILE_CALLER)
        row_say("C");
    else
        row_say("%x", (unsigned)offset);
}

/* count [also] = the sums of the runs: that above, or it and those before it */
VERB(count)
{
    if (!row_has("also")) {
        profile_free(&cfg.profile);
        profile_begin(&cfg.profile, &t.own);
    }
    profile_add(&cfg.profile, &t.log, &t.run);
    profile_end(&cfg.profile);
    free(cfg.blocks);
    free(cfg.edges);
    cfg_of(&cfg);
    row_say("runs %d insns %d transfers %d %s", (int)cfg.profile.runs,
            (int)cfg.profile.insns, (int)cfg.profile.transfers, cfg.whole ? "whole" : "");
}

/* blocks = BEGIN-END:TIMES, and C for the caller; of nothing that ran BEGIN and why */
VERB(blocks)
{
    for (size_t i = 0; i < cfg.block_count; i++) {
        const struct cfg_block *block = &cfg.blocks[i];

        say_offset(block->begin);
        if (block->place == CFG_RAN)
            row_say("-%x:%d", (unsigned)block->end, (int)block->times);
        row_say(block->place == CFG_NEVER    ? ":never  "
                : block->place == CFG_STRUCK ? ":struck  "
                                             : "  ");
    }
}

/* edges = KIND FROM-TO:TIMES, the ends as the blocks' BEGIN */
VERB(edges)
{
    static const char *const kinds[] = {
        [CFG_NEXT] = "next",   [CFG_TAKEN] = "taken", [CFG_NOT_TAKEN] = "not-taken",
        [CFG_JUMP] = "jump",   [CFG_CALL] = "call",   [CFG_RETURN] = "return",
        [CFG_EVENT] = "event", [CFG_BACK] = "back",   [CFG_AFTER] = "after",
    };

    for (size_t i = 0; i < cfg.edge_count; i++) {
        row_say("%s ", kinds[cfg.edges[i].kind]);
        say_offset(cfg.blocks[cfg.edges[i].from].begin);
        row_say("-");
        say_offset(cfg.blocks[cfg.edges[i].to].begin);
        row_say(":%d  ", (int)cfg.edges[i].times);
    }
}

/* functions = for each block the BEGIN of the first one of its function */
VERB(functions)
{
    for (size_t i = 0; i < cfg.block_count; i++) {
        say_offset(cfg.blocks[cfg.blocks[i].function].begin);
        row_say(" ");
    }
}

/* passes OFFSET = how often it ran, was taken and was passed */
VERB(passes)
{
    uint64_t at = row_hex();

    row_say("ran %d taken %d passed %d", (int)cfg.profile.ran[at],
            (int)cfg.profile.taken[at], (int)cfg.profile.passed[at]);
}

/* lost = how often a record is missing */
VERB(lost)
{
    row_say("%d", (int)cfg.profile.gaps[GAP_UNRECORDED]);
}
