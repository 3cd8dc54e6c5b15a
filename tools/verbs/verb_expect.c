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

static bool unknown(const char *what, const struct nearest *nearest)
{
    fprintf(stderr, "everybranch: no %s \"%s\"%s; `everybranch list %ss` prints them\n",
            what, nearest->word, scratch_take(did_you_mean(nearest, "")), what);
    return false;
}

/* What is expected: of this workload, by this method, on this row. */
struct wanted_trace {
    const char *model; /* as given, or the row's name */
    const struct model *row;
    const struct method_facts *method;
    const struct workload *workload;
    uint32_t filter;
};

static struct log_map map_for(const struct wanted_trace *wanted)
{
    return (struct log_map){
        .workload = wanted->workload, .workload_at = WORKLOAD_AT, .call = CALL, .back = BACK
    };
}

static struct rule_place place_of(const struct wanted_trace *wanted)
{
    return (struct rule_place){ .method = wanted->method,
                                .model = wanted->row,
                                .filter = wanted->filter };
}

static bool find_method(const char *name, struct wanted_trace *wanted)
{
    struct nearest nearest = nearest_to(name, strlen(name));

    wanted->method = method_named(name);
    for (size_t i = 0; i < methods_known_count(); i++)
        nearest_try(&nearest, methods_known[i].name);
    return wanted->method || unknown("method", &nearest);
}

static bool find_workload(const char *name, struct wanted_trace *wanted)
{
    struct nearest nearest = nearest_to(name, strlen(name));

    wanted->workload = own_workload((struct span){ name, strlen(name) });
    for (size_t i = 0; i < own_workload_count(); i++)
        nearest_try(&nearest, __start_workloads[i].name);
    return wanted->workload || unknown("workload", &nearest);
}

/* Finds the row that a name, a brand or a signature means.  False after saying why not. */
static bool find_row(const char *name, struct wanted_trace *wanted)
{
    const struct which_models which = which_models(name);

    wanted->row = which.count ? which.rows[0] : NULL;
    wanted->model = wanted->row ? wanted->row->name : name;
    if (which.count == 1 && strcmp(name, wanted->model) != 0)
        fprintf(stderr, "everybranch: %s is of the row %s\n", name, wanted->model);
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

    if (method->every_insn) /* step knows FROM from the previous stop */
        t.from = record->from;
    printf("  %-5s %s", kind, scratch_take(transfer_text(map, &t)));
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
static const char *not_run(const struct wanted_trace *wanted)
{
    const struct method_facts *method = wanted->method;
    const struct model *row = wanted->row;
    /* Everything that the row can have; CPUID of a processor may have less. */
    const struct cpu_id id = { .ds_cpl = true, .arch_lbr_filters = ARCH_LBR_FILTERS };
    enum skip_code skip_reason =
        skip_reason_for(method, row, wanted->workload, WORKLOAD_AT, 0);

    if (!skip_reason && row)
        skip_reason = skip_reason_depth(method, wanted->workload,
                                        row->lbr.depth ? row->lbr.depth : ARCH_DEPTH);
    if (skip_reason)
        return skip_words[skip_reason].sentence;
    if (method->needs & NEEDS(FACILITY_LBR) && !row)
        return "the addresses of an unknown model's records are unknown";
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
    skip_reason = record_filter_skip_reason(method, row, &id, wanted->filter);
    return skip_reason ? skip_words[skip_reason].sentence : NULL;
}

static bool read_filter(const struct given *given, uint32_t *out)
{
    const char *text = given_value(given, "filter");

    *out = 0;
    if (!text || filter_read(text, strlen(text), out))
        return true;
    given_wrong(given,
                "got --filter %s, want what is filtered out: kernel, user, jcc, call, "
                "icall, ret, ijmp, jmp, far with + between, or callstack",
                text);
    return false;
}

#define CANNOT_TELL                                                                        \
    "an expected trace of taken branches cannot tell where its event overflows: stops on " \
    "its way, "                                                                            \
    "in order"

/*
 * Prints the JSON form.  If there is nothing to expect, `why` is the reason; `shown` has
 * the records, or is NULL if they cannot be known.
 */
static int json_expect(const struct given *given, const struct wanted_trace *wanted,
                       uint64_t keep, struct source *shown, const char *why)
{
    const struct log_map map = map_for(wanted);
    const struct rule_place place = place_of(wanted);
    struct json json;

    json_begin(&json, stdout, given->verb->name);
    json_text(&json, "model", wanted->model);
    json_text(&json, "method", wanted->method->name);
    json_text(&json, "workload", wanted->workload->name);
    json_text(&json, "filter", filter_words(wanted->filter));
    json_text(&json, "not_run", why);
    json_text(&json, "cannot_tell", !why && !shown ? CANNOT_TELL : NULL);
    json_count(&json, "keeps", keep);
    if (shown)
        json_transfers(&json, shown, &map);
    else
        json_empty(&json, "records");
    if (!why)
        json_rules_at(&json, &place);
    else
        json_empty(&json, "rules");
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

static int print_expect(const struct wanted_trace *wanted, uint64_t keep,
                        struct source *shown)
{
    const struct log_map map = map_for(wanted);
    const struct rule_place place = place_of(wanted);
    struct branch *records = NULL;
    size_t count;

    printf("%s %s %s%s%s: %s\n", wanted->model, wanted->method->name,
           wanted->workload->name, wanted->filter ? " filter=" : "",
           wanted->filter ? filter_words(wanted->filter) : "", wanted->workload->about);
    if (wanted->method->sampled)
        print_sampling(counters_of(wanted->row), shown);
    count = shown ? collect(shown, &records) : 0;
    printf("%zu branch%s of %u row%s\n", count, count == 1 ? "" : "es",
           wanted->workload->rows, plural(wanted->workload->rows));
    print_keep(wanted->method, wanted->row, keep);
    putchar('\n');
    print_records(&map, wanted->method, records, count);
    free(records);
    print_rules(&place);
    return EXIT_AS_EXPECTED;
}

static int verb_expect(const struct given *given)
{
    static struct pack unpack;
    struct wanted_trace wanted;
    struct expected expected;
    struct visible visible;
    struct sampled sampled;
    struct source *shown;
    const char *why;
    uint64_t keep;

    if (!find_row(given->operands[0], &wanted) ||
        !find_method(given->operands[1], &wanted) ||
        !find_workload(given->operands[2], &wanted) || !read_filter(given, &wanted.filter))
        return EXIT_UNUSABLE;
    why = not_run(&wanted);
    if (why && given->json)
        return json_expect(given, &wanted, 0, NULL, why);
    if (why) {
        printf("%s %s %s is not run: %s\n", wanted.model, wanted.method->name,
               wanted.workload->name, why);
        return EXIT_AS_EXPECTED;
    }
    keep = visible_capacity(wanted.method, wanted.row,
                            wanted.method->ring_lbr ? ARCH_DEPTH : 0);
    expected_of(&expected, wanted.workload, WORKLOAD_AT, CALL, BACK, &unpack);
    visible_through(&visible, &expected.source, wanted.method, keep,
                    record_filter_for(wanted.method, wanted.row, wanted.filter,
                                      wanted.workload, WORKLOAD_AT));
    shown = wanted.method->sampled ? samples_of(&sampled, &expected.source, wanted.row)
                                   : &visible.source;
    return given->json ? json_expect(given, &wanted, visible.keep, shown, NULL)
                       : print_expect(&wanted, keep, shown);
}

VERB(expect) = {
    .name = "expect",
    .operands = "MODEL METHOD WORKLOAD",
    .about = "print an expected trace, and the rules that shape it",
    .more = "MODEL is a row of the table, a brand or a signature, as `everybranch list "
            "models` takes it, or unknown.  After the branches come the rules that decide "
            "what the method shows, each with its source.",
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
