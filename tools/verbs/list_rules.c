/*
 * `list rules`: each rule with its source, its confidence, and the methods and models to
 * which it applies.
 *
 * If no manual states a rule and no recording shows it, a difference on silicon that rests
 * on it is measured and is not a failure.
 */
#include "verb_list.h"

#include <stdio.h>
#include <string.h>

#include "deviation.h"
#include "exit_code.h"
#include "heap.h"
#include "json.h"
#include "rule.h"
#include "visible.h"

#define MODELS_MAX 64
#define WIDTH      90

/* Tries no filter, each word of a filter alone, and a filter that leaves no kind in. */
#define FILTERS_TRIED "each,jcc+call+icall+ret+ijmp+jmp+far"
#define FILTERS_MAX   16

/* The places where a rule applies. */
struct rule_places {
    const struct rule *rule;
    bool methods[METHODS_MAX];
    struct {
        bool applies;
        enum confidence confidence;
    } models[MODELS_MAX + 1]; /* the last is an unknown model         */
    enum confidence least;    /* the least trusted basis that it has  */
};

/* The filters, found once: each rule tries them for each method and each model. */
static struct {
    uint32_t filter[FILTERS_MAX];
    size_t count;
} tried;

static void find_filters(void)
{
    tried.count = 0;
    while (tried.count < FILTERS_MAX &&
           filter_nth(FILTERS_TRIED, tried.count, &tried.filter[tried.count]))
        tried.count++;
}

static void try_place(struct rule_places *places, size_t method, size_t model)
{
    const struct cpu_id id = { .ds_cpl = true, .arch_lbr_filters = ARCH_LBR_FILTERS };
    const size_t column = model < model_count ? model : MODELS_MAX;
    struct rule_place place = { .method = &methods_known[method],
                                .model = model < model_count ? &models[model] : NULL };

    for (size_t n = 0; n < tried.count; n++) {
        enum confidence confidence;

        place.filter = tried.filter[n];
        if (record_filter_skip_reason(place.method, place.model, &id, place.filter) ||
            !places->rule->applies(&place) || !rule_is_of_cpu(places->rule, &place))
            continue;
        confidence = rule_basis_of(places->rule, &place).confidence;
        places->methods[method] = true;
        places->models[column].applies = true;
        places->models[column].confidence = confidence;
        places->least = confidence > places->least ? confidence : places->least;
    }
}

static struct rule_places places_of(const struct rule *rule)
{
    struct rule_places places = { .rule = rule, .least = STATED };

    if (!tried.count)
        find_filters();
    if (!rule->applies) /* a probe tries it */
        places.least = rule->confidence;
    for (size_t method = 0; rule->applies && method < methods_known_count(); method++)
        for (size_t model = 0; model <= model_count; model++)
            try_place(&places, method, model);
    return places;
}

/* Prints one more word of a list, on a new line if this one is full. */
static void print_word(const char *word, size_t *column)
{
    if (*column + 1 + strlen(word) > WIDTH)
        *column = (size_t)printf("\n     ") - 1;
    *column += (size_t)printf(" %s", word);
}

/* "all", "unknown", or the models to which it applies with this confidence. */
static void print_models(const struct rule_places *places, enum confidence confidence,
                         size_t *column)
{
    size_t count = 0;

    for (size_t i = 0; i < model_count; i++)
        count += places->models[i].applies && places->models[i].confidence == confidence;
    if (count == 0 || count == model_count) {
        print_word(count ? "all" : "unknown", column);
        return;
    }
    for (size_t i = 0; i < model_count; i++)
        if (places->models[i].applies && places->models[i].confidence == confidence)
            print_word(models[i].name, column);
}

static bool has_confidence(const struct rule_places *places, enum confidence confidence)
{
    for (size_t i = 0; i <= MODELS_MAX; i++)
        if (places->models[i].applies && places->models[i].confidence == confidence)
            return true;
    return false;
}

static void print_places(const struct rule_places *places)
{
    size_t column = (size_t)printf("    methods:");

    for (size_t i = 0; i < methods_known_count(); i++)
        if (places->methods[i])
            print_word(methods_known[i].name, &column);
    putchar('\n');
    if (!places->rule->basis) {
        column = (size_t)printf("    models:");
        print_models(places, places->rule->confidence, &column);
        putchar('\n');
        return;
    }
    for (enum confidence c = CONFIDENCES; c-- > 0;)
        if (has_confidence(places, c)) {
            column = (size_t)printf("    %s by the row of:", confidence_words[c]);
            print_models(places, c, &column);
            putchar('\n');
        }
}

/* The words of a probe that found the rule broken, or NULL. */
static const char *evidence_of(const struct rule *rule)
{
    return deviation_words(deviation_coded(rule->name));
}

static void print_rule(const struct rule_places *places)
{
    const struct rule *rule = places->rule;

    printf("%s\n    %s\n", rule->name, rule->sentence);
    if (!rule->basis)
        printf("    %s: %s\n", confidence_words[rule->confidence], rule->source);
    if (rule->errata)
        printf("    errata: %s\n", rule->errata);
    if (rule->applies)
        print_places(places);
    else if (evidence_of(rule))
        printf("    tried by the probe of pt; broken, it says: %s\n", evidence_of(rule));
    else if (!rule->of_audit)
        puts(rule->explains_probe || rule->explains_count
                 ? "    of what a probe or a counter finds"
                 : "    of the machine and of all runs together");
    if (rule->of_audit)
        puts("    used by audit on the traces of other tools");
    if (rule->workload)
        printf("    workload: %s\n", rule->workload);
    if (rule->property)
        printf("    broken by: %s\n", rule->property);
}

static void json_words(struct json *json, const struct rule_places *places)
{
    json_array(json, "methods");
    for (size_t i = 0; i < methods_known_count(); i++)
        if (places->methods[i])
            json_text(json, NULL, methods_known[i].name);
    json_close(json);
    json_array(json, "models");
    for (size_t i = 0; i < model_count; i++)
        if (places->models[i].applies) {
            json_object(json, NULL);
            json_text(json, "name", models[i].name);
            json_text(json, "confidence", confidence_words[places->models[i].confidence]);
            json_close(json);
        }
    json_close(json);
}

/* The signatures to which an erratum is restricted, as `list errata` takes them. */
static void json_processors(struct json *json, const struct rule_cpus *cpus)
{
    json_array(json, "processors");
    for (; cpus && cpus->models[0]; cpus++)
        for (size_t i = 0; i < RULE_CPUS_MAX && cpus->models[i]; i++)
            json_text(json, NULL,
                      scratch_text("%02x_%02x", cpus->family ? cpus->family : 6u,
                                   cpus->models[i]));
    json_close(json);
}

static void json_listed(struct json *json, const struct rule_places *places)
{
    const struct rule *rule = places->rule;

    json_object(json, NULL);
    json_text(json, "name", rule->name);
    json_text(json, "rule", rule->sentence);
    json_text(json, "confidence", confidence_words[places->least]);
    json_text(json, "source", rule->source);
    json_text(json, "errata", rule->errata);
    json_words(json, places);
    json_processors(json, rule->cpus);
    json_text(json, "workload", rule->workload);
    json_text(json, "evidence", evidence_of(rule));
    json_text(json, "property", rule->property);
    json_close(json);
}

void list_rule(const struct rule *rule)
{
    const struct rule_places places = places_of(rule);

    print_rule(&places);
}

void list_rule_json(struct json *json, const struct rule *rule)
{
    const struct rule_places places = places_of(rule);

    json_listed(json, &places);
}

/* The least trusted rules come first: a run on silicon can say something new about them. */
static void for_each(void (*take)(void *, const struct rule_places *), void *to)
{
    const struct rule *rule;

    for (enum confidence c = CONFIDENCES; c-- > 0;)
        for (size_t n = 0; (rule = rule_nth(n)); n++) {
            const struct rule_places places = places_of(rule);

            if (places.least == c)
                take(to, &places);
        }
}

static void take_text(void *to, const struct rule_places *places)
{
    (void)to;
    print_rule(places);
}

static void take_json(void *to, const struct rule_places *places)
{
    json_listed(to, places);
}

void list_rules(void)
{
    for_each(take_text, NULL);
}

void list_rules_json(void)
{
    struct json json;

    json_begin(&json, stdout, "list");
    json_array(&json, "rules");
    for_each(take_json, &json);
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}
