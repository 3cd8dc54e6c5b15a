// LINK: common/base/text.c
/* A deviation is certain unless each rule that it breaks is derived. */
#include "common/rules/pt_deviation.c"

#include "test.h"

TEST(a_derived_rule_is_found_by_its_words)
{
    const struct pt_rule *rule = pt_deviation_derived("CYC: no packet");

    CHECK(rule == &pt_rules[PT_CYC_NONE]);
    CHECK(!pt_deviation_derived("CYC: no packets"));
    CHECK(!pt_deviation_derived("CYC: no"));
    CHECK(!pt_deviation_derived(""));
}

TEST(all_that_deviates_must_be_derived)
{
    CHECK(pt_deviation_derived("MTC: two in a row have one value; CYC: no packet") ==
          &pt_rules[PT_MTC_REPEATS]);
    CHECK(!pt_deviation_derived("with OS clear, ring 0 has packets; CYC: no packet"));
    CHECK(!pt_deviation_derived("CYC: no packet; a full region does not interrupt"));
    CHECK(!pt_deviation_derived("CYC: no packet; MTC: #GP on RTIT_CTL"));
    CHECK(!pt_deviation_derived("CYC: no packet; "));
}

TEST(what_the_manual_states_is_certain)
{
    static const enum pt_deviation stated[] = { PT_USER_CLEAR, PT_OS_CLEAR, PT_CR3_SAME,
                                                PT_CR3_OTHER,  PT_RANGE,    PT_PMI_NONE };

    for (size_t i = 0; i < sizeof(stated) / sizeof(*stated); i++)
        CHECK(!pt_deviation_derived(pt_rules[stated[i]].deviation));
}

TEST(each_rule_has_words_that_no_other_has)
{
    for (enum pt_deviation i = PT_NONE + 1; i < PT_DEVIATIONS; i++) {
        CHECK(pt_rules[i].deviation && pt_rules[i].source && pt_rules[i].confidence);
        for (enum pt_deviation j = PT_NONE + 1; j < i; j++)
            CHECK(!text_same(pt_rules[i].deviation, pt_rules[j].deviation));
    }
}
