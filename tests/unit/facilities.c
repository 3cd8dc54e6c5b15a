// LINK: common/facts/platform.c common/facts/method_facts.c common/base/text.c
// LINK: common/facts/pmu.c
/* Which facility is named as the reason of a skip. */
#include "kernel/methods/facilities.c"

#include "method_facts.h"
#include "test.h"

static const char *lack(enum probe_result pmi, enum probe_result brs)
{
    struct facilities found = { 0 };

    found.pmi.said.outcome = pmi;
    found.brs.said.outcome = brs;
    return facilities_lack(&found, method_named("brs")->needs);
}

TEST(brs_without_pmi_is_skipped_for_want_of_pmi)
{
    CHECK_TEXT(lack(ABSENT, ABSENT), "pmi");
    CHECK_TEXT(lack(DEAD, WORKS), "pmi");
    CHECK_TEXT(lack(WORKS, ABSENT), "brs");
    CHECK(!lack(WORKS, DEVIATES));
}
