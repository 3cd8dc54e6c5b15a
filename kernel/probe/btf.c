/* Branch single-step: a stop at each branch, until #DB turns it off. */
#include "registers.h"
#include "try.h"

/* The stops of a BTF that also traps after the branch that is not taken. */
static const struct pair with_untaken[] = {
    { NULL, probe_code }, { NULL, probe_target }, { NULL, probe_ret }, { NULL, window_back }
};
#define WITH_UNTAKEN (sizeof with_untaken / sizeof with_untaken[0])

static void attempt(struct trial *t)
{
    if (!try_turns_on(t, &method_btf, "#GP on writing DEBUGCTL.BTF"))
        return;
    size_t got = try_method(t, &method_btf);
    if (try_got(t, got, try_insns, TRY_INSNS)) {
        try_says_dead(t, "TF trapped on every instruction");
        return;
    }
    bool untaken = t->cpu->model && t->cpu->model->btf_unsure &&
                   try_got(t, got, with_untaken, WITH_UNTAKEN);
    if (!untaken && !try_got(t, got, try_branches, TRY_BRANCHES)) {
        try_says_count(t, got ? DEVIATES : DEAD, got, TRY_BRANCHES,
                       " branches trapped, or elsewhere");
        return;
    }
    const struct enable enable = { .msr = MSR_DEBUGCTL, .on = DEBUGCTL_BTF };
    if (try_db(enable) & DEBUGCTL_BTF)
        try_deviates(t, LEFT_BTF_SET);
    else
        try_says_count(t, WORKS, got, TRY_BRANCHES,
                       untaken
                           ? " branches trapped, one that was not taken too; cleared by #DB"
                           : " branches trapped, cleared by #DB");
}

const struct probe probe_btf = { .attempt = attempt };
