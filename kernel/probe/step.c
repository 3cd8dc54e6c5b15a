/* Single-stepping: a stop at each instruction. */
#include "try.h"

static void attempt(struct trial *t)
{
    size_t got = try_method(t, &method_step);
    if (try_got(t, got, try_insns, TRY_INSNS))
        try_says_count(t, WORKS, got, TRY_INSNS, " instructions trapped");
    else
        try_says_count(t, got ? DEVIATES : DEAD, got, TRY_INSNS,
                       " instructions trapped, or elsewhere");
}

const struct probe probe_step = { .attempt = attempt };
