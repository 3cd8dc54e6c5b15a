/* rule.h */
#include "rule.h"

#include "count_of.h"
#include "decode.h"
#include "expected.h"
#include "text.h"

#define VECTOR_DB 1

static const struct rule_table *const tables[] = {
    /* An erratum says more of a record than the rules of its mechanism. */
    &errata_rules,  &step_rules,     &btf_rules,   &bts_rules, &event_rules,
    &counter_rules, &brs_rules,      &pt_rules,    &ler_rules, &lbr_rules,
    &filter_rules,  &hit_rules,      &run_rules,   &log_rules, &machine_rules,
    &audit_rules,   &miscount_rules, &probe_rules,
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
    return !rule->of_run && rule->applies && rule->applies(place) &&
           rule_is_of_cpu(rule, place);
}

bool rule_holds_on_platform(const struct rule *rule, const struct rule_place *place)
{
    return rule->platform != (place->emulated ? ON_SILICON : ON_EMULATOR);
}

bool rule_holds(const struct rule *rule, const struct rule_place *place)
{
    return rule->applies && rule->applies(place) && rule_is_of_cpu(rule, place) &&
           rule_holds_on_platform(rule, place);
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

/* A program has no events, and unpacking it would take long: its code says as much. */
static bool leads_to(const struct rule_record *record, struct transfer *made)
{
    struct insn insn;

    *made = record->transfer;
    if (!decode_of(record->workload, record->at, made->from, &insn))
        return false;
    made->kind = insn.kind;
    return !insn.direct || insn.target == made->to;
}

bool rule_is_made(const struct rule_record *record, struct transfer *made)
{
    const struct transfer *r = &record->transfer;
    struct transfer t, event = { .kind = KIND_NONE };
    struct expected expected;

    if (record->workload->packed)
        return leads_to(record, made);
    expected_of(&expected, record->workload, record->at, record->call, record->back, NULL);
    while (expected.source.next(&expected.source, &t)) {
        const bool returns =
            event.kind != KIND_NONE && t.kind == KIND_IRET && t.to == r->from;

        *made = returns ? event : t;
        if (returns || (t.from == r->from && t.to == r->to && !kind_is_mark(t.kind)))
            return true;
        if (t.kind == KIND_IRET)
            event.kind = KIND_NONE;
        if (t.to == r->to &&
            (t.kind == KIND_INT || t.kind == KIND_EXC || t.kind == KIND_DB))
            event = t;
    }
    return false;
}

unsigned rule_code_at(const struct rule_record *record, uint64_t address)
{
    const uint64_t offset = address - record->at;

    return offset < record->workload->size ? record->workload->code[offset] : NO_BYTE;
}

bool rule_skip(struct source *source, uint64_t count)
{
    struct transfer ignored;

    source->rewind(source);
    while (count && source->next(source, &ignored))
        count--;
    return !count;
}

/* True if that is the row of Intel's processors with these numbers. */
static bool has_arch_lbr(uint32_t family, uint32_t number)
{
    const struct cpu_id id = { .vendor = "GenuineIntel",
                               .family = family,
                               .model = number };
    const struct model *row = model_by_signature(&id);

    return row && row->needs_arch_lbr;
}

static bool is_intel(const struct rule_place *place, uint32_t family,
                     const uint8_t *numbers, size_t count)
{
    const struct model *model = place->model;

    for (size_t i = 0; i < count; i++) {
        if (place->id && text_same(place->id->vendor, "GenuineIntel") &&
            place->id->family == family && place->id->model == numbers[i])
            return true;
        if (place->id || !model || !text_same(model->vendor, "GenuineIntel"))
            continue;
        if (model->needs_arch_lbr && !model->number_count &&
            has_arch_lbr(family, numbers[i]))
            return true;
        for (size_t n = 0; n < model->number_count; n++)
            if (model->family == family && model->numbers[n] == numbers[i])
                return true;
    }
    return false;
}

bool rule_is_intel_6(const struct rule_place *place, const uint8_t *numbers, size_t count)
{
    return is_intel(place, 6, numbers, count);
}

/* A model's row has neither steppings nor microcode: then any of them may be meant. */
static bool fits(const struct rule_cpus *cpus, const struct rule_place *place)
{
    size_t count = 0;

    while (count < RULE_CPUS_MAX && cpus->models[count])
        count++;
    if (!is_intel(place, cpus->family ? cpus->family : 6, cpus->models, count))
        return false;
    if (!place->id)
        return true;
    if (cpus->steppings && !(cpus->steppings >> place->id->stepping & 1))
        return false;
    return !cpus->microcode_below ||
           (place->microcode && place->microcode < cpus->microcode_below);
}

bool rule_is_of_cpu(const struct rule *rule, const struct rule_place *place)
{
    if (!rule->cpus)
        return true;
    for (const struct rule_cpus *cpus = rule->cpus; cpus->models[0]; cpus++)
        if (fits(cpus, place))
            return true;
    return false;
}

bool rule_is_in_guest(const struct rule_place *place)
{
    const struct platform *platform = place->platform;

    if (platform)
        return !platform->emulated && platform->hypervisor && platform->hypervisor[0];
    return place->id && (place->id->has_hypervisor || place->id->hypervisor[0]);
}
