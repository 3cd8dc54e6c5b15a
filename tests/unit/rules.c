// LINK: workloads everybranch
/*
 * The rules: which hold where, that each is complete, and what the evidence of a probe
 * breaks.
 */
#include "rule.h"

#include <ctype.h>
#include <string.h>

#include "count_of.h"
#include "known.h"
#include "loaded.h"
#include "pt.h"
#include "transfers.h"

#include "test.h"

static bool holds(const char *name, const char *method, const struct model *model)
{
    const struct rule_place place = { .method = method_named(method), .model = model };
    const struct rule *rule = rule_named(name);

    CHECK(rule != NULL);
    return rule && rule->applies(&place) && rule_is_of_cpu(rule, &place) &&
           rule_basis_of(rule, &place).source[0];
}

TEST(rules_are_those_of_the_method_and_the_model)
{
    static const struct {
        const char *rule, *method,
            *model; /* of the rule: a ! in front says that it does not */
    } rows[] = {
        { "btf-from", "btf", "core2" },
        { "!btf-from", "step", "core2" },
        { "!btf-from", "btf+lbr", "core2" },
        { "step-after-iret", "step", "core2" },
        { "!step-after-iret", "btf", "core2" },
        { "step-handler", "btf+lbr", "core2" },
        { "!step-handler", "lbr", "core2" },
        { "lbr-newest", "lbr", "core2" },
        { "step-from", "step", "core2" },
        { "!step-from", "btf", "core2" },
        { "event-software", "lbr", "core2" },
        { "event-software", "bts", "core2" },
        { "event-fault", "bts", "core2" },
        { "event-rep", "lbr", "core2" },
        { "event-interrupted-rep", "bts", "core2" },
        { "event-interrupt", "bts", "core2" },
        { "!event-interrupted-rep", "btf+lbr", "core2" },
        { "!event-software", "step", "core2" },
        { "!event-software", "btf+lbr", "core2" },
        { "step-iret", "btf", "core2" },
        { "!lbr-unknown-model", "lbr", "core2" },
        { "!lbr-unknown-model", "bts", NULL },
        { "lbr-unknown-model", "lbr", NULL },
        { "inserts-records", "lbr", "archlbr" },
        { "inserts-alone", "lbr", "archlbr" },
        { "!inserts-records", "lbr", "core2" },
        { "!inserts-alone", "lbr-stream", "archlbr" },
        { "bts-newest", "bts", "core2" },
        { "step-mov-ss", "step", "core2" },
        { "!step-mov-ss", "btf", "core2" },
        { "step-popf", "btf", "core2" },
        { "!step-popf", "bts", "core2" },
        { "lbr-db", "lbr", "core2" },
        { "!lbr-db", "bts", "core2" },
        { "bts-db", "bts", "core2" },
        { "!bts-db", "step", "core2" },
        { "bts-db", "bts-pmi", "core2" },
        { "bts-interrupts", "bts-each", "core2" },
        { "!bts-interrupts", "bts", "core2" },
        { "bts-space", "bts-pmi", "core2" },
        { "!bts-newest", "bts-pmi", "core2" },
        { "tr-stores-nothing", "tr", "core2" },
        { "!tr-stores-nothing", "none", "core2" },
        { "lbr-doubled", "lbr", "skylake" },
        { "!lbr-doubled", "lbr", "haswell" },
        { "ler-to-top", "ler", "haswell" },
        { "!ler-to-top", "ler", "skylake" },
        { "!ler-to-top", "lbr", "haswell" },
        { "step-rep-64", "step", "knl" },
        { "!step-rep-64", "step", "silvermont" },
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const bool wanted = rows[i].rule[0] != '!';
        const struct model *model = rows[i].model ? model_named(rows[i].model) : NULL;

        if (holds(rows[i].rule + !wanted, rows[i].method, model) != wanted)
            test_fails(__FILE__, __LINE__, rows[i].rule);
    }
}

TEST(a_method_that_records_nothing_has_at_most_the_rule_that_says_so)
{
    const char *const silent[] = { "none", "tr" };
    const struct rule *rule;

    for (size_t i = 0; i < 2; i++) {
        const struct rule_place place = { .method = method_named(silent[i]) };
        size_t count = 0;

        for (size_t n = 0; (rule = rule_nth(n)); n++)
            count += rule_is_of_trace(rule, &place);
        CHECK(count == i);
    }
}

TEST(an_erratum_is_of_a_processor_and_not_of_its_row)
{
    struct cpu_id id = { .vendor = "GenuineIntel", .family = 6, .model = 0x3d };
    struct rule_place place = { .method = method_named("ler"),
                                .model = model_named("haswell"),
                                .id = &id };

    CHECK(rule_applies("ler-to-top", &place));
    id.model = 0x3c; /* a Haswell, of the same row */
    CHECK(!rule_applies("ler-to-top", &place));
    id.model = 0x3d;
    id.family = 15;
    CHECK(!rule_applies("ler-to-top", &place));
}

/* One sentence with a subject: it begins with a capital, a number of bits or a name. */
static bool is_sentence(const char *text)
{
    const size_t length = strlen(text);

    return length > 20 && isupper((unsigned char)text[0]) && text[length - 1] == '.' &&
           !strstr(text, ". ");
}

static bool is_workload(const char *name)
{
    for (size_t i = 0; i < (size_t)(__stop_workloads - __start_workloads); i++)
        if (strcmp(__start_workloads[i].name, name) == 0)
            return true;
    return false;
}

TEST(each_rule_has_a_name_of_its_own_a_sentence_and_a_source)
{
    const struct rule *rule, *other;

    for (size_t n = 0; (rule = rule_nth(n)); n++) {
        if (!is_sentence(rule->sentence))
            test_fails(__FILE__, __LINE__, rule->sentence);
        CHECK(!rule->source == !!rule->basis);
        CHECK((rule->confidence == UNSAID) == !!rule->basis);
        CHECK(!rule->applies == !rule->workload &&
              !(rule->applies && deviation_coded(rule->name)));
        CHECK(!rule->workload || is_workload(rule->workload));
        for (size_t i = 0; i < n && (other = rule_nth(i)); i++)
            CHECK(strcmp(rule->name, other->name) &&
                  strcmp(rule->sentence, other->sentence));
    }
    CHECK(!rule_named("step") && !rule_named(""));
}

/*
 * On silicon a rule that no manual states makes a difference measured, but only if it
 * accounts for records, or is judged apart from them.
 */
TEST(a_rule_that_no_manual_states_accounts_for_records_or_is_judged_apart)
{
    const struct rule *rule;
    struct rule_place place = { .id = NULL };

    for (size_t m = 0; m < methods_known_count(); m++)
        for (size_t row = 0; row < model_count; row++)
            for (size_t f = 0; filter_nth("each", f, &place.filter); f++) {
                place.method = &methods_known[m];
                place.model = &models[row];
                for (size_t n = 0; (rule = rule_nth(n)); n++)
                    if (rule->applies && rule->applies(&place) &&
                        !is_confirmed(rule_basis_of(rule, &place).confidence))
                        CHECK(rule->explains || rule->accounts || rule->of_no_record ||
                              strcmp(rule->name, "lbr-fused-further") == 0);
            }
}

static uint32_t said(const char *evidence)
{
    return deviations_in(evidence, strlen(evidence));
}

TEST(the_words_of_an_old_log_name_the_deviations)
{
    CHECK(said("CYC: no packet") == DEVIATION(PT_CYC_NONE));
    CHECK(said("delivering #DB left BTF set") == DEVIATION(LEFT_BTF_SET));
    CHECK(said("CYC: no packets") == DEVIATION(DEVIATES_OTHERWISE));
    CHECK(said("CYC: no") == DEVIATION(DEVIATES_OTHERWISE));
    CHECK(said("") == DEVIATION(DEVIATES_OTHERWISE));
    CHECK(said("MTC: two in a row have one value; CYC: no packet") ==
          (DEVIATION(PT_MTC_REPEATS) | DEVIATION(PT_CYC_NONE)));
    CHECK(said("CYC: no packet; MTC: #GP on RTIT_CTL") ==
          (DEVIATION(PT_CYC_NONE) | DEVIATION(DEVIATES_OTHERWISE)));
    CHECK(said("CYC: no packet; ") ==
          (DEVIATION(PT_CYC_NONE) | DEVIATION(DEVIATES_OTHERWISE)));
}

TEST(several_deviations_rest_on_the_first_rule_if_all_are_derived)
{
    const uint32_t cyc = DEVIATION(PT_CYC_NONE);

    CHECK(!pt_derived_rule(0));
    CHECK(pt_derived_rule(cyc) == rule_named("pt-cyc"));
    CHECK(pt_derived_rule(DEVIATION(PT_MTC_REPEATS) | cyc) == rule_named("pt-mtc-changes"));
    CHECK(!pt_derived_rule(DEVIATION(PT_OS_CLEAR) | cyc));
    CHECK(!pt_derived_rule(cyc | DEVIATION(PT_PMI_NONE)));
    CHECK(!pt_derived_rule(cyc | DEVIATION(DEVIATES_OTHERWISE)));
    CHECK(!pt_derived_rule(cyc | DEVIATION(LEFT_LBR_ON)));
}

TEST(a_deviation_from_a_stated_rule_is_certain)
{
    static const enum deviation stated[] = { PT_USER_CLEAR, PT_OS_CLEAR, PT_CR3_SAME,
                                             PT_CR3_OTHER,  PT_RANGE,    PT_PMI_NONE };

    for (size_t i = 0; i < COUNT_OF(stated); i++)
        CHECK(!pt_derived_rule(DEVIATION(stated[i])));
}

TEST(each_deviation_has_a_code_and_words_of_its_own_and_those_of_pt_a_rule)
{
    for (enum deviation i = DEVIATES_OTHERWISE + 1; i < DEVIATIONS; i++) {
        CHECK(deviation_coded(deviation_codes[i - 1]) == i);
        CHECK(said(deviation_words(i)) == DEVIATION(i));
        CHECK(i < PT_USER_CLEAR || rule_named(deviation_codes[i - 1]));
    }
}

/* Transfers of a workload at AT, as recorded. */
#define AT    0x100000
#define CALL  0x2000
#define BACK  0x3000
#define COUNT 4

static bool explains(const struct transfer *got, size_t count, const struct transfer *want,
                     const struct rule_run *run)
{
    struct transfer_list is = list_of(got, 0, count), due = list_of(want, 0, COUNT);

    return rules_explain_all(&is.source, &due.source, run);
}

TEST(differences_are_explained_if_rules_account_for_each)
{
    const struct workload *workload = own_workload((struct span){ "self_ipi", 8 });
    struct expected expected;
    struct events events;
    const struct rule_run run = {
        .place = { .method = method_named("bts"), .model = model_named("skylake") },
        .workload = workload,
        .at = AT,
        .call = CALL,
        .back = BACK,
        .events = &events,
    };

    events_of(&events, workload, AT, CALL, BACK, false);
    expected_of(&expected, workload, AT, CALL, BACK, NULL);
    struct transfer_list want = list_all(&expected.source);
    struct transfer got[COUNT];

    CHECK(want.end == COUNT);
    memcpy(got, want.of, sizeof got);
    CHECK(explains(got, COUNT, want.of, &run));
    got[1].from = want.of[3].from; /* event-interrupted-rep: the instruction after it */
    CHECK(explains(got, COUNT, want.of, &run));
    got[3].from++; /* of which no rule speaks */
    CHECK(!explains(got, COUNT, want.of, &run));
    got[3].from--;
    CHECK(!explains(got, COUNT - 1, want.of, &run));
    memcpy(got, want.of, sizeof got);
    got[2] = got[3];
    CHECK(!explains(got, COUNT - 1, want.of, &run));

    struct rule_run lbr = run; /* whose newest record may be a copy */
    lbr.place.method = method_named("lbr");
    lbr.capacity = 2 * COUNT;
    lbr.records = COUNT;
    memcpy(got, want.of, sizeof got);
    got[1].from = want.of[3].from;
    got[3] = got[2];
    CHECK(explains(got, COUNT, want.of, &lbr));
    CHECK(!explains(got, COUNT, want.of, &run));
    got[0].from++;
    CHECK(!explains(got, COUNT, want.of, &lbr));

    struct rule_run hit = run; /* with an SMI's records between the first two */
    const struct transfer with_smi[] = {
        want.of[0],
        { want.of[1].from, 0x38000, KIND_EXC },
        { 0x38000, want.of[1].from, KIND_IRET },
        { want.of[3].from, want.of[1].to, KIND_EXC },
        want.of[2],
        want.of[3],
    };
    hit.capacity = 0x10000;
    hit.records = COUNT + 2;
    CHECK(!explains(with_smi, COUNT + 2, want.of, &hit));
    hit.hits.smis = 1;
    hit.hits.smis_are_counted = true;
    CHECK(explains(with_smi, COUNT + 2, want.of, &hit));
    list_free(&want);
}
