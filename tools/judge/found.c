/*
 * Collects what was found wrong with a run: the worst of it is the verdict.
 */
#include <stdlib.h>

#include "context.h"
#include "judge_parts.h"

void run_found(struct run *run, enum verdict verdict, size_t where, char *why)
{
    if (verdict < run->verdict) {
        free(why);
        return;
    }
    run->verdict = verdict;
    run->where = where;
    free(run->why); /* of what was measured before it failed */
    context_free(run->context);
    run->why = why;
    run->context = NULL;
}
