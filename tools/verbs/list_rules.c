/*
 * `list rules`: each rule that turns a workload's branches into an expected trace, with
 * its source, its confidence, and the methods, models and workloads to which it applies.
 *
 * A rule is a limit of common/rules/limit.c or common/rules/record_filter.c.  If no manual states it
 * and no recording shows it, a difference on silicon is measured and is not a failure.
 */
#include "verb_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "unconfirmed.h"
#include "events.h"
#include "heap.h"
#include "limit.h"
#include "loaded.h"
#include "visible.h"

#define WORKLOAD_AT 0x100000
#define CALL        0x200000
#define BACK        0x200002
#define LIMITS_MAX  32
#define MODELS_MAX  64
#define WIDTH       90

/* Tries no filter, each word of a filter alone, and a filter that leaves no kind in. */
#define FILTERS_TRIED "each,jcc+call+icall+ret+ijmp+jmp+far"

struct rule {
    struct limit limit;
    bool of_method[METHODS_MAX],
        of_model[MODELS_MAX + 1]; /* the last is an unknown model */
};

struct rules {
    struct rule *at;
    size_t count, capacity;
};

static bool same_rule(const struct limit *a, const struct limit *b)
{
    return strcmp(a->what, b->what) == 0 && strcmp(a->source, b->source) == 0 &&
           strcmp(a->confidence, b->confidence) == 0;
}

static struct rule *rule_of(struct rules *rules, const struct limit *limit)
{
    for (size_t i = 0; i < rules->count; i++)
        if (same_rule(&rules->at[i].limit, limit))
            return &rules->at[i];
    rules->at = grow(rules->at, &rules->capacity, rules->count, sizeof(*rules->at));
    rules->at[rules->count] = (struct rule){ .limit = *limit };
    return &rules->at[rules->count++];
}

static void add_all(struct rules *rules, size_t method, size_t model)
{
    const struct cpu_id id = { .ds_cpl = true, .arch_lbr_filters = ARCH_LBR_FILTERS };
    const struct method_facts *visible = &methods_known[method];
    const struct model *row = model < model_count ? &models[model] : NULL;
    struct limit limits[LIMITS_MAX];
    uint32_t filter;

    for (size_t n = 0; filter_nth(FILTERS_TRIED, n, &filter); n++) {
        size_t count;

        if (record_filter_skip_reason(visible, row, &id, filter))
            continue;
        count = limits_of_method(visible, row, limits, LIMITS_MAX);
        count +=
            record_filter_limits(visible, row, filter, limits + count, LIMITS_MAX - count);
        for (size_t i = 0; i < count; i++) {
            struct rule *rule = rule_of(rules, &limits[i]);

            rule->of_method[method] = true;
            rule->of_model[row ? model : MODELS_MAX] = true;
        }
    }
}

/* True if the rule is about a transfer that this workload makes. */
static bool concerns(const struct limit *limit, const struct workload *workload)
{
    static const enum difference_class classes[] = { LOST, EXTRA, WRONG_FROM, WRONG };
    const struct loaded loaded = { .own = workload, .at = WORKLOAD_AT };
    const struct log log = { .machine = { .call = CALL, .back = BACK } };
    struct events events;

    if (limit->of == LIMIT_OF_ALL || limit->of == LIMIT_OF_EACH ||
        limit->of == LIMIT_OF_LAYOUT || limit->of == LIMIT_OF_FUSION ||
        limit->of == LIMIT_OF_INSERTS)
        return true;
    if (workload->packed) /* a program: near branches of every kind, and no events */
        return limit->of == LIMIT_OF_JUMPS || limit->of == LIMIT_OF_RETURNED ||
               limit->of == LIMIT_OF_UNTAKEN;
    events_of(&events, &log, &loaded, false);
    for (uint64_t at = 0; limit->of == LIMIT_OF_STRINGS && at < workload->size; at++) {
        const struct transfer t = { WORKLOAD_AT + at, WORKLOAD_AT + at, KIND_NONE };

        if (rule_concerns(limit, &log, &loaded, &events, &t, EXTRA))
            return true; /* it makes no record, so no row names it */
    }
    for (uint32_t i = 0; i < workload->rows; i++) {
        const struct taken *row = &workload->expect[i];
        const struct transfer t = {
            row->from == CALLER ? CALL : WORKLOAD_AT + (uint64_t)row->from,
            row->to == CALLER ? BACK : WORKLOAD_AT + (uint64_t)row->to, (enum kind)row->kind
        };

        if (limit->of == LIMIT_OF_UNTAKEN && t.kind == KIND_JCC)
            return true; /* may be not taken elsewhere */
        for (size_t c = 0; row->kind < KIND_COUNT && c < COUNT_OF(classes); c++)
            if (rule_concerns(limit, &log, &loaded, &events, &t, classes[c]))
                return true;
    }
    return false;
}

static size_t concerned(const struct limit *limit)
{
    size_t count = 0;

    for (size_t i = 0; i < own_workload_count(); i++)
        count += concerns(limit, &__start_workloads[i]);
    return count;
}

/* Prints one more word of a list, on a new line if this one is full. */
static void print_word(const char *word, size_t *column)
{
    if (*column + 1 + strlen(word) > WIDTH)
        *column = (size_t)printf("\n     ") - 1;
    *column += (size_t)printf(" %s", word);
}

static void print_rule(const struct rule *rule)
{
    const size_t workloads = concerned(&rule->limit);
    size_t count = 0, column;

    printf("%s\n    %s: %s\n", rule->limit.what, rule->limit.confidence,
           rule->limit.source);
    column = (size_t)printf("    methods:");
    for (size_t i = 0; i < methods_known_count(); i++)
        if (rule->of_method[i])
            print_word(methods_known[i].name, &column);
    for (size_t i = 0; i < model_count; i++)
        count += rule->of_model[i];
    column = (size_t)printf("\n    models:");
    for (size_t i = 0; count && count < model_count && i < model_count; i++)
        if (rule->of_model[i])
            print_word(models[i].name, &column);
    if (!count || count == model_count)
        print_word(count ? "all" : "unknown", &column);
    column = (size_t)printf("\n    workloads:");
    for (size_t i = 0; workloads < own_workload_count() && i < own_workload_count(); i++)
        if (concerns(&rule->limit, &__start_workloads[i]))
            print_word(__start_workloads[i].name, &column);
    if (!workloads || workloads == own_workload_count())
        print_word(workloads ? "all" : "none", &column);
    putchar('\n');
}

/* The least trusted rules come first: a run on silicon can say something new about them. */
void list_rules(void)
{
    static const char *const order[] = { "unconfirmed", "derived", "measured", "stated" };
    struct rules rules = { .at = NULL };

    for (size_t method = 0; method < methods_known_count(); method++)
        for (size_t model = 0; model <= model_count; model++)
            add_all(&rules, method, model);
    for (size_t o = 0; o < COUNT_OF(order); o++)
        for (size_t i = 0; i < rules.count; i++)
            if (strcmp(rules.at[i].limit.confidence, order[o]) == 0)
                print_rule(&rules.at[i]);
    free(rules.at);
}
