/* rule.h */
#include "rule.h"

#include "count_of.h"
#include "text.h"

#define VECTOR_DB 1

static const struct rule_table *const tables[] = {
    &step_rules, &btf_rules, &bts_rules,     &event_rules,  &counter_rules, &brs_rules,
    &pt_rules,   &ler_rules, &lbr_rules,     &filter_rules, &errata_rules,  &hit_rules,
    &run_rules,  &log_rules, &machine_rules, &audit_rules,
};

const struct rule *rule_nth(size_t n)
{
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        if (n < tables[i]->count)
            return &tables[i]->rules[n];
        n -= tables[i]->count;
    }
    return NULL;
}

const struct rule *rule_named(const char *name)
{
    const struct rule *rule;

    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (text_same(rule->name, name))
            return rule;
    return NULL;
}

bool rule_is_of_trace(const struct rule *rule, const struct rule_place *place)
{
    return !rule->of_run && rule->applies && rule->applies(place);
}

bool rule_holds_on_platform(const struct rule *rule, const struct rule_place *place)
{
    return rule->platform != (place->emulated ? ON_SILICON : ON_EMULATOR);
}

bool rule_holds(const struct rule *rule, const struct rule_place *place)
{
    return rule->applies && rule->applies(place) && rule_holds_on_platform(rule, place);
}

bool rule_applies(const char *name, const struct rule_place *place)
{
    return rule_holds(rule_named(name), place);
}

bool rule_is_of_any(const struct rule_place *place)
{
    (void)place;
    return true;
}

struct rule_basis rule_basis_of(const struct rule *rule, const struct rule_place *place)
{
    return rule->basis ? rule->basis(place)
                       : (struct rule_basis){ rule->source, rule->confidence };
}

const struct stub *rule_stub_at(const struct rule_record *record, uint64_t to)
{
    for (uint32_t i = 0; i < record->workload->stub_count; i++)
        if (to == record->at + record->workload->stubs[i].offset)
            return &record->workload->stubs[i];
    return NULL;
}

bool rule_enters_db(const struct rule_record *record)
{
    const struct stub *stub = rule_stub_at(record, record->transfer.to);

    return stub && stub->vector == VECTOR_DB;
}

bool rule_is_intel_6(const struct rule_place *place, const uint8_t *numbers, size_t count)
{
    const struct model *model = place->model;

    for (size_t i = 0; i < count; i++) {
        if (place->id && text_same(place->id->vendor, "GenuineIntel") &&
            place->id->family == 6 && place->id->model == numbers[i])
            return true;
        for (size_t n = 0; !place->id && model && n < model->number_count; n++)
            if (text_same(model->vendor, "GenuineIntel") && model->family == 6 &&
                model->numbers[n] == numbers[i])
                return true;
    }
    return false;
}
