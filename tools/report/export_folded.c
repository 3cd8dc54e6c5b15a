/*
 * Folded stacks, which flamegraph.pl and speedscope read: a line "outer;inner COUNT" for
 * each chain of calls, with the instructions that ran in the innermost function.
 */
#include <stdio.h>

#include "chains.h"
#include "export.h"

static void put_chain(struct export *e, const struct chains *chains, size_t number)
{
    const struct chain *chain = &chains->at[number];
    const struct call_frame frame = { .function = chain->function, .kind = chain->kind };

    if (number == 0) {
        fprintf(e->out, "%s_by_%s", e->run->workload->own->name, e->run->method->name);
        return;
    }
    put_chain(e, chains, chain->above);
    fprintf(e->out, ";%s", export_function(e, &frame));
}

static void put_folded(struct export *e)
{
    struct chains chains;

    chains_of(&chains, &e->walk, e->symbols);
    for (size_t i = 0; i < chains.count; i++)
        if (chains.at[i].self) {
            put_chain(e, &chains, i);
            fprintf(e->out, " %llu\n", (unsigned long long)chains.at[i].self);
        }
    chains_free(&chains);
}

const struct export_format export_folded = { .run = put_folded };
