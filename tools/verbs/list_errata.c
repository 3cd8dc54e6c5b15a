/*
 * `list errata`: what a processor is known to do contrary to its manuals, and which rule
 * accounts for it.
 *
 * A difference that an erratum explains is measured or noted, under its rule's name.  A
 * processor that is named has any stepping and any microcode; this machine has its own.
 */
#include "verb_list.h"

#include <stdio.h>
#include <string.h>

#include "exit_code.h"
#include "json.h"
#include "log_run.h"
#include "own_machine.h"
#include "rule.h"
#include "which_model.h"

/* True if it is an erratum of this processor, of any method, filter and facility. */
static bool concerns(const struct rule *rule, struct rule_place place)
{
    if (!rule->errata || !rule_is_of_cpu(rule, &place))
        return false;
    for (size_t i = 0; rule->applies && i < methods_known_count(); i++) {
        place.method = &methods_known[i];
        place.filter = 0;
        if (rule->applies(&place))
            return true;
        place.filter = FILTER_RINGS;
        if (rule->applies(&place))
            return true;
    }
    return !rule->applies;
}

static bool concerns_any(const struct rule *rule, const struct rule_place *places,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (concerns(rule, places[i]))
            return true;
    return false;
}

static void as_text(const struct rule_place *places, size_t count)
{
    const struct rule *rule;
    size_t found = 0;

    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (concerns_any(rule, places, count)) {
            list_rule(rule);
            found++;
        }
    if (!found)
        puts("no erratum of this processor is known here");
}

static void as_json(const struct rule_place *places, size_t count)
{
    const struct rule *rule;
    struct json json;

    json_begin(&json, stdout, "list");
    json_array(&json, "rules");
    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (concerns_any(rule, places, count))
            list_rule_json(&json, rule);
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}

static int list(const struct rule_place *places, size_t count, bool json)
{
    if (json)
        as_json(places, count);
    else
        as_text(places, count);
    return EXIT_AS_EXPECTED;
}

static int list_own(bool json)
{
    struct own_machine own;
    struct rule_place place;

    own_machine_read(&own, own_machine_processor(0));
    if (!json)
        printf("this machine: %s (%02x_%02x)\n", own.brand, own.id.family, own.id.model);
    place = (struct rule_place){ .model = own.model,
                                 .id = &own.id,
                                 .microcode = own.microcode };
    return list(&place, 1, json);
}

/* Leaves the row those of its numbers that are meant: a row for any processor has none. */
static void narrow(struct model *row, const uint32_t *signatures)
{
    row->family = (uint16_t)(signatures[0] >> 8);
    for (row->number_count = 0; *signatures; signatures++)
        row->numbers[row->number_count++] = *signatures & 0xff;
}

/* Says whose errata follow: of Intel, numbers make a difference. */
static void print_whose(const struct which_models *which)
{
    const uint32_t *signature = which->signatures;

    for (; *signature; signature++)
        printf("%s%02x_%02x", signature == which->signatures ? "errata of " : ", ",
               *signature >> 8, *signature & 0xff);
    for (size_t i = 0; signature == which->signatures && i < which->count; i++)
        printf("%s%s (%s)", i ? ", " : "errata of the whole row ", which->rows[i]->name,
               which->rows[i]->about);
    puts(":");
}

int list_errata(const char *what, bool json)
{
    struct rule_place places[WHICH_MAX] = { { .model = NULL } };
    struct model rows[WHICH_MAX];
    struct which_models which;

    if (!what)
        return list_own(json);
    which = which_models(what);
    if (!which.count) {
        which_model_unknown(what);
        return EXIT_UNUSABLE;
    }
    for (size_t i = 0; i < which.count; i++) {
        rows[i] = *which.rows[i];
        places[i].model = &rows[i];
        if (which.signatures[0] && strcmp(rows[i].vendor, "GenuineIntel") == 0)
            narrow(&rows[i], which.signatures);
    }
    if (!json)
        print_whose(&which);
    return list(places, which.count, json);
}
