/*
 * `expect`: prints what a method on a model must show of a workload, and the rules that
 * limit it.
 */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "skip_reason.h"
#include "fold.h"
#include "heap.h"
#include "json_log.h"
#include "sample.h"
#include "which_model.h"
#include "words.h"

/* Any addresses will do: only labels are printed. */
#define WORKLOAD_AT 0x100000
#define CALL        0x200000
#define BACK        0x200002
#define ARCH_DEPTH  32 /* shown if CPUID, not the row, has the depth */

static int unknown(const char *what, const struct nearest *nearest, const char *list)
{
    char *meant = did_you_mean(nearest, "");

    fprintf(stderr, "everybranch: no %s \"%s\"%s; `everybranch list %s` prints them\n",
            what, nearest->word, meant, list);
    free(meant);
    return EXIT_UNUSABLE;
}

static int unknown_method(const char *name)
{
    struct nearest nearest = nearest_to(name, strlen(name));

    for (size_t i = 0; i < methods_known_count(); i++)
        nearest_try(&nearest, methods_known[i].name);
    return unknown("method", &nearest, "methods");
}

static int unknown_workload(const char *name)
{
    struct nearest nearest = nearest_to(name, strlen(name));

    for (size_t i = 0; i < own_workload_count(); i++)
        nearest_try(&nearest, __start_workloads[i].name);
    return unknown("workload", &nearest, "workloads");
}

/* Finds the row that a name, a brand or a signature means.  False after saying why not. */
static bool find_row(const char *name, const struct model **out)
{
    const struct which_models which = which_models(name);

    *out = which.count ? which.rows[0] : NULL;
    if (which.count == 1 && strcmp(name, (*out)->name) != 0)
        fprintf(stderr, "everybranch: %s is of the row %s\n", name, (*out)->name);
    if (which.count == 1 || strcmp(name, "unknown") == 0)
        return true;
    if (!which.count) {
        which_model_unknown(name);
        return false;
    }
    fprintf(stderr, "everybranch: \"%s\" may be any of these rows:", name);
    for (size_t i = 0; i < which.count; i++)
        fprintf(stderr, " %s", which.rows[i]->name);
    fprintf(stderr, "; `everybranch list models` prints them\n");
    return false;
}

static size_t collect(struct source *source, struct branch **out)
{
    size_t count = 0, capacity = 0;
    struct transfer t;

    *out = NULL;
    while (source->next(source, &t)) {
        *out = grow(*out, &capacity, count, sizeof(**out));
        (*out)[count++] = (struct branch){ t.from, t.to, t.kind };
    }
    return count;
}

static void print_record(const struct log_map *map, const struct method_facts *method,
                         const struct branch *record)
{
    const char *kind = kind_words[record->info] ? kind_words[record->info] : "";
    struct transfer t = { method->stops ? BRANCH_UNKNOWN : record->from, record->to, 0 };
    char *text;

    if (method->every_insn) /* step knows FROM from the previous stop */
        t.from = record->from;
    text = transfer_text(map, &t);
    printf("  %-5s %s", kind, text);
    free(text);
}

static void print_records(const struct log_map *map, const struct method_facts *method,
                          const struct branch *records, size_t count)
{
    struct fold fold;

    for (size_t at = 0; at < count;) {
        size_t covered = fold_next(records, NULL, count, at, &fold);

        if (fold.again)
            printf("  the last %zu again", fold.again);
        else
            print_record(map, method, &records[at]);
        if (fold.times > 1)
            printf(" x%llu", (unsigned long long)fold.times);
        putchar('\n');
        at += covered;
    }
}

static void print_rules(const struct rule_place *place)
{
    const struct rule *rule;

    puts("\nrules:");
    for (size_t n = 0; (rule = rule_nth(n)); n++) {
        struct rule_basis basis;

        if (!rule_is_of_trace(rule, place))
            continue;
        basis = rule_basis_of(rule, place);
        printf("- %s\n    %s, %s: %s\n", rule->sentence, rule->name,
               confidence_words[basis.confidence], basis.source);
    }
}

static void print_keep(const struct method_facts *method, const struct model *row,
                       uint64_t keep)
{
    if (method->ring_lbr && row && row->lbr.depth == 0)
        printf("shown for a stack of %d, CPUID reports its depth\n", ARCH_DEPTH);
    else if (keep && row)
        printf("the newest %llu\n", (unsigned long long)keep);
    else if (method->ring_buffer)
        puts("shown for a buffer that holds them all");
}

/* The counters of the first processor of the row, unless CPUID denies them. */
static const struct pmu *counters_of(const struct model *row)
{
    struct cpu_id id = { .perfmon = 1 };

    if (!row)
        return NULL;
    snprintf(id.vendor, sizeof(id.vendor), "%s", row->vendor);
    id.family = row->family;
    id.model = row->numbers[0];
    return pmu_find(&id);
}

/* Returns why there is nothing to expect, or NULL. */
static const char *not_run(const struct method_facts *method, const struct model *row,
                           const struct workload *workload, uint32_t filter)
{
    /* Everything that the row can have; CPUID of a processor may have less. */
    const struct cpu_id id = { .ds_cpl = true, .arch_lbr_filters = ARCH_LBR_FILTERS };
    enum skip_code skip_reason = skip_reason_for(method, row, workload, WORKLOAD_AT, 0);

    if (!skip_reason && row)
        skip_reason = skip_reason_depth(method, workload,
                                        row->lbr.depth ? row->lbr.depth : ARCH_DEPTH);
    if (skip_reason)
        return skip_words[skip_reason].sentence;
    if (method->needs & NEEDS(FACILITY_LBR) && !row)
        return "where the records lie is not known for an unknown model";
    if (method->needs & NEEDS(FACILITY_LBR) && !row->lbr.from)
        return "this model has no LBR";
    if (method->needs & NEEDS(FACILITY_BTS) && row && !row->bts)
        return "this model has no BTS";
    if (method->needs & NEEDS(FACILITY_LER) && !(row && row->ler_from))
        return "this model has no last exception record";
    if (method->needs & NEEDS(FACILITY_TR) && !(row && row->debugctl.tr))
        return "this model has no TR";
    if (method->needs & NEEDS(FACILITY_BRS) && !(row && row->brs.depth))
        return "this model has no branch sampling";
    if (method->needs & NEEDS(FACILITY_PMI) && !counters_of(row))
        return "no suitable counters are known of this model";
    if (row && row->lbr.depth && row->lbr.depth < method->least_depth)
        return skip_words[SKIP_SMALL_STACK].sentence;
    skip_reason = record_filter_skip_reason(method, row, &id, filter);
    return skip_reason ? skip_words[skip_reason].sentence : NULL;
}

static bool read_filter(const struct given *given, uint32_t *out)
{
    const char *text = given_value(given, "filter");

    *out = 0;
    if (!text || filter_read(text, strlen(text), out))
        return true;
    given_wrong(given,
                "got --filter %s, want what is left out: kernel, user, jcc, call, icall, "
                "ret, ijmp, jmp, far with + between, or callstack",
                text);
    return false;
}

#define CANNOT_TELL                                                                        \
    "an expected trace of taken branches cannot tell where its event overflows: stops on " \
    "its way, "                                                                            \
    "in order"

/*
 * Prints the JSON form.  If there is nothing to expect, `visible` is NULL and `why` is
 * the reason; `shown` has the records, or is NULL if they cannot be known.
 */
static int json_expect(const struct given *given, const struct method_facts *method,
                       const struct model *row, struct visible *visible,
                       struct source *shown, uint32_t filter, const char *why)
{
    const struct workload *workload =
        own_workload((struct span){ given->operands[2], strlen(given->operands[2]) });
    const struct log_map map = {
        .workload = workload, .workload_at = WORKLOAD_AT, .call = CALL, .back = BACK
    };
    const struct rule_place place = { method, row, filter, NULL };
    struct json json;

    json_begin(&json, stdout, given->verb->name);
    json_text(&json, "model", row ? row->name : given->operands[0]);
    json_text(&json, "method", method->name);
    json_text(&json, "workload", workload->name);
    json_text(&json, "filter", filter_words(filter));
    json_text(&json, "not_run", why);
    json_text(&json, "cannot_tell", visible && !shown ? CANNOT_TELL : NULL);
    json_count(&json, "keeps", visible ? visible->keep : 0);
    if (shown) {
        json_transfers(&json, "records", shown, &map);
    } else {
        json_array(&json, "records");
        json_close(&json);
    }
    if (visible) {
        json_rules_at(&json, "rules", &place);
    } else {
        json_array(&json, "rules");
        json_close(&json);
    }
    json_end(&json, EXIT_AS_EXPECTED);
    return EXIT_AS_EXPECTED;
}

static void print_sampling(const struct pmu *pmu, bool logged)
{
    const struct pmu_event *event = pmu_default(pmu);

    printf("at every event 0x%x/0x%x of %s: %s (%s)\n", event->event, event->umask,
           pmu->about, pmu->source, confidence_words[pmu->confidence]);
    if (!logged)
        puts(CANNOT_TELL);
}

/*
 * The samples with a period of one, the method's default; NULL if they cannot be known.
 */
static struct source *samples_of(struct sampled *sampled, struct source *expected,
                                 const struct model *row)
{
    const struct sampling sampling = sampling_of(pmu_default(counters_of(row)), 1);

    if (!sampling.countable)
        return NULL;
    sampled_of(sampled, expected, &sampling);
    return &sampled->source;
}

static int verb_expect(const struct given *given)
{
    const char *model = given->operands[0], *method_name = given->operands[1];
    const char *workload_name = given->operands[2];
    const struct model *row;
    const struct method_facts *method = method_named(method_name);
    const struct workload *workload =
        own_workload((struct span){ workload_name, strlen(workload_name) });
    struct branch *records;
    struct expected expected;
    static struct pack unpack;
    struct visible visible;
    struct sampled sampled;
    struct source *shown;
    uint64_t keep;
    uint32_t filter;
    size_t count = 0;

    if (!find_row(model, &row))
        return EXIT_UNUSABLE;
    if (row)
        model = row->name;
    if (!method)
        return unknown_method(method_name);
    if (!workload)
        return unknown_workload(workload_name);
    if (!read_filter(given, &filter))
        return EXIT_UNUSABLE;
    if (not_run(method, row, workload, filter)) {
        if (given->json)
            return json_expect(given, method, row, NULL, NULL, filter,
                               not_run(method, row, workload, filter));
        printf("%s %s %s is not run: %s\n", model, method->name, workload->name,
               not_run(method, row, workload, filter));
        return EXIT_AS_EXPECTED;
    }
    keep = visible_capacity(method, row, method->ring_lbr ? ARCH_DEPTH : 0);
    expected_of(&expected, workload, WORKLOAD_AT, CALL, BACK, &unpack);
    visible_through(&visible, &expected.source, method, keep,
                    record_filter_for(method, row, filter, workload, WORKLOAD_AT));
    shown = method->sampled ? samples_of(&sampled, &expected.source, row) : &visible.source;
    if (given->json)
        return json_expect(given, method, row, &visible, shown, filter, NULL);
    printf("%s %s %s%s%s: %s\n", model, method->name, workload->name,
           filter ? " filter=" : "", filter ? filter_words(filter) : "", workload->about);
    if (method->sampled)
        print_sampling(counters_of(row), shown);
    if (shown)
        count = collect(shown, &records);
    printf("%zu branch%s of %u row%s\n", count, count == 1 ? "" : "es", workload->rows,
           plural(workload->rows));
    print_keep(method, row, keep);
    putchar('\n');
    if (count) {
        struct log_map map = {
            .workload = workload, .workload_at = WORKLOAD_AT, .call = CALL, .back = BACK
        };

        print_records(&map, method, records, count);
        free(records);
    }
    print_rules(&(struct rule_place){ method, row, filter, NULL });
    return EXIT_AS_EXPECTED;
}

VERB(expect) = {
    .name = "expect",
    .operands = "MODEL METHOD WORKLOAD",
    .about = "print an expected trace, and what limits it",
    .more =
        "MODEL is a row of the table, a brand or a signature, as `everybranch list models` "
        "takes it, or unknown.  After "
        "the branches come the rules that limit what the method shows, each with its "
        "source.",
    .examples = "expect core2 lbr loop\nexpect unknown step wt\n"
                "expect skylake lbr kinds --filter jcc+far",
    .run = verb_expect,
    .json = true,
    .least = 3,
    .most = 3,
    .options = { { .name = "filter",
                   .value = "FILTER",
                   .about = "filter these records out: jcc+far, callstack" } },
};
