#include "json_log.h"

#include <stdlib.h>

#include "cause_code.h"
#include "infos.h"
#include "json_line.h"
#include "judge.h"
#include "log_run.h"
#include "report.h"

static const char *const verdicts[VERDICTS] = {
    [PASS] = "pass", [SKIP] = "skip",   [MEASURED] = "measured",
    [FAIL] = "fail", [ERROR] = "error",
};

const char *const kind_words[KIND_COUNT] = {
    [KIND_JCC] = "jcc",     [KIND_JMP] = "jmp", [KIND_IJMP] = "ijmp", [KIND_CALL] = "call",
    [KIND_ICALL] = "icall", [KIND_RET] = "ret", [KIND_INT] = "int",   [KIND_EXC] = "exc",
    [KIND_IRET] = "iret",   [KIND_FAR] = "far", [KIND_DB] = "db",
};

void json_machine(struct json *json, const char *key, const struct log *log,
                  const struct cpu_part *cpu)
{
    const struct model *row = cpu->row;
    const struct platform *platform = cpu->platform;
    const struct machine *machine = &log->machine;

    if (!cpu->model.line) {
        json_null(json, key);
        return;
    }
    json_object(json, key);
    json_text(json, "vendor", cpu->id.vendor);
    json_count(json, "family", cpu->id.family);
    json_count(json, "model", cpu->id.model);
    json_count(json, "stepping", cpu->id.stepping);
    json_text(json, "row", row ? row->name : NULL);
    json_text(json, "row_about", row ? row->about : NULL);
    json_text(json, "row_confidence", row ? confidence_words[row->confidence] : NULL);
    json_text(json, "row_source", row ? row->source : NULL);
    json_count(json, "lbr_depth", cpu->lbr_depth);
    json_text(json, "hypervisor", cpu->id.hypervisor[0] ? cpu->id.hypervisor : NULL);
    json_text(json, "platform", platform ? platform->name : NULL);
    json_text(json, "platform_about", platform ? platform->about : NULL);
    json_text(json, "host", cpu->host ? cpu->host->hypervisor : NULL);
    if (platform)
        json_bool(json, "emulated", platform->emulated);
    else
        json_null(json, "emulated");
    json_line(json, "cpu", WORD_CPU, &cpu->named, cpu->named.line);
    json_line(json, "left", WORD_LEFT, &cpu->left, cpu->left.line);
    json_line(json, "linux", WORD_LINUX, &machine->os, machine->os.line);
    json_line(json, "firmware", WORD_FIRMWARE, &machine->firmware, machine->firmware.line);
    json_line(json, "bios", WORD_BIOS, &machine->bios, machine->bios.line);
    json_line(json, "system", WORD_SYSTEM, &machine->system, machine->system.line);
    json_span(json, "build", machine->build);
    json_close(json);
}

void json_facilities(struct json *json, const struct cpu_part *cpu)
{
    json_array(json, "facilities");
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++) {
        const struct facility_line *found = &cpu->facilities[i];
        const struct platform_fact *fact = fact_of(cpu, i);

        if (!found->line)
            continue;
        json_object(json, NULL);
        json_fields(json, WORD_FACILITY, found);
        if (facility_expected(cpu, i) != NOT_JUDGED)
            json_bool(json, "expected", facility_expected(cpu, i) == AS_EXPECTED);
        else
            json_null(json, "expected");
        json_text(json, "platform_fact", fact ? fact->about : NULL);
        json_text(json, "remark", facility_remark(cpu, i));
        json_count(json, "line", found->line);
        json_close(json);
    }
    json_close(json);
}

static void json_rule(struct json *json, const char *key, const struct rule *rule,
                      const struct rule_place *place)
{
    const struct rule_basis basis = rule_basis_of(rule, place);

    json_object(json, key);
    json_text(json, "name", rule->name);
    json_text(json, "rule", rule->sentence);
    json_text(json, "confidence", confidence_words[basis.confidence]);
    json_text(json, "source", basis.source);
    json_close(json);
}

void json_rules_at(struct json *json, const struct rule_place *place)
{
    const struct rule *rule;

    json_array(json, "rules");
    for (size_t n = 0; (rule = rule_nth(n)); n++)
        if (rule_is_of_trace(rule, place))
            json_rule(json, NULL, rule, place);
    json_close(json);
}

void json_address(struct json *json, const char *key, uint64_t address)
{
    if (address == BRANCH_UNKNOWN)
        json_null(json, key);
    else
        json_hex(json, key, address);
}

void json_run_names(struct json *json, const struct run *run)
{
    json_count(json, "run", run->number);
    json_text(json, "method", run->method->name);
    json_text(json, "workload", run->workload->own->name);
    json_text(json, "filter", filter_words(run->filter));
    json_count(json, "processor", run->processor);
}

static void json_context(struct json *json, const struct context *c,
                         const struct rule_place *place)
{
    json_object(json, "difference");
    json_text(json, "kind", check_class_name(c->d.class));
    json_count(json, "got_record", c->got + 1);
    json_count(json, "want_record", c->want + 1);
    json_array(json, "records");
    for (size_t i = 0; i < c->count; i++) {
        json_object(json, NULL);
        json_text(json, "got", c->rows[i].got);
        json_text(json, "want", c->rows[i].want);
        json_bool(json, "differs", i >= c->here && i < c->here + c->differs);
        json_close(json);
    }
    json_close(json);
    if (c->rule)
        json_rule(json, "rests_on", c->rule, place);
    else
        json_null(json, "rests_on");
    json_close(json);
}

/* All that the checks found of a run, with the rule that each finding is by. */
static void json_findings(struct json *json, const struct run *run)
{
    json_array(json, "findings");
    for (size_t i = 0; i < run->findings.count; i++) {
        const struct finding *found = &run->findings.at[i];

        json_object(json, NULL);
        json_text(json, "verdict", verdicts[found->verdict]);
        json_text(json, "rule", found->rule->name);
        json_text(json, "what", found->why);
        json_text(json, "because", found->because);
        json_text(json, "hit_by", found->hit_by ? found->hit_by->name : NULL);
        json_count(json, "line", found->where);
        json_close(json);
    }
    json_close(json);
}

static void json_run(struct json *json, const struct run *run, bool infos)
{
    json_object(json, NULL);
    json_run_names(json, run);
    json_count(json, "round", run->round);
    json_text(json, "verdict", verdicts[run->verdict]);
    json_text(json, "why", run->why);
    json_count(json, "line", run->verdict == PASS ? run->line : run->where);
    json_findings(json, run);
    json_count(json, "records", run->records);
    json_count(json, "branches", run->branches);
    json_count(json, "fused", run->fused);
    json_count(json, "bytes", run->bytes);
    json_line(json, "asked", WORD_RUN, &run->asked, !run->skipped);
    json_line(json, "ran", WORD_RAN, &run->ran, !run->skipped);
    if (infos) {
        json_infos(json, run);
    } else {
        json_empty(json, "info");
    }
    if (run->context)
        json_context(json, run->context,
                     &(struct rule_place){ .method = run->method,
                                           .model = run->cpu->row,
                                           .filter = run->filter,
                                           .id = &run->cpu->id });
    else
        json_null(json, "difference");
    json_close(json);
}

static void json_counts(struct json *json, const struct log *log)
{
    size_t counts[VERDICTS] = { 0 };

    for (size_t i = 0; i < log->run_count; i++)
        counts[log->runs[i].verdict] += log->runs[i].end_line != 0;
    json_object(json, "counts");
    for (enum verdict i = PASS; i < VERDICTS; i++)
        json_count(json, verdicts[i], counts[i]);
    json_close(json);
}

static void json_complaints(struct json *json, const struct log *log)
{
    json_array(json, "complaints");
    for (size_t i = 0; i < log->findings.complaint_count; i++) {
        json_object(json, NULL);
        json_text(json, "claim", log->findings.complaints[i].claim);
        json_text(json, "rule", log->findings.complaints[i].rule);
        json_text(json, "what", log->findings.complaints[i].what);
        json_count(json, "line", log->findings.complaints[i].line);
        json_text(json, "method", log->findings.complaints[i].method);
        json_text(json, "subject", log->findings.complaints[i].subject);
        json_text(json, "other", log->findings.complaints[i].other);
        json_text(json, "filter", filter_words(log->findings.complaints[i].filter));
        json_count(json, "processor", log->findings.complaints[i].processor);
        json_close(json);
    }
    json_close(json);
}

static void json_cause_code(struct json *json, const struct log *log,
                            const struct cause *cause)
{
    struct cause_code code;

    cause_code_of(&code, log, cause);
    json_array(json, "code");
    for (size_t i = 0; i < code.count; i++) {
        json_object(json, NULL);
        json_hex(json, "offset", code.insns[i].offset);
        json_text(json, "label", code.insns[i].label);
        json_text(json, "text", code.insns[i].text);
        json_bool(json, "differs", code.insns[i].is_it);
        json_close(json);
    }
    json_close(json);
}

/* The workload, if all of its runs are of one. */
static const char *workload_of(const struct cause *cause)
{
    for (size_t i = 0; i < cause->run_count; i++)
        if (cause->runs[i]->workload != cause->runs[0]->workload)
            return NULL;
    return cause->run_count ? cause->runs[0]->workload->own->name : NULL;
}

/* The methods of its runs, each once, or the one that contradicts others. */
static void json_cause_methods(struct json *json, const struct cause *cause)
{
    const struct method_facts *methods[METHODS_MAX];
    size_t count = cause_methods(cause, methods);

    json_array(json, "methods");
    for (size_t i = 0; i < count; i++)
        json_text(json, NULL, methods[i]->name);
    if (!cause->run_count && cause->complaints[0]->other)
        json_text(json, NULL, cause->complaints[0]->method);
    json_close(json);
}

static void json_cause(struct json *json, const struct log *log, const struct cause *cause)
{
    const struct run *first = cause->run_count ? cause->runs[0] : NULL;

    json_object(json, NULL);
    json_text(json, "verdict", verdicts[cause->verdict]);
    json_text(json, "what", first ? first->why : cause->complaints[0]->what);
    json_count(json, "line", first ? first->where : cause->complaints[0]->line);
    json_text(json, "workload", workload_of(cause));
    json_array(json, "runs");
    for (size_t i = 0; i < cause->run_count; i++)
        json_count(json, NULL, cause->runs[i]->number);
    json_close(json);
    json_cause_methods(json, cause);
    json_array(json, "as_expected_by");
    for (size_t i = 0; i < cause->right_count; i++)
        json_text(json, NULL, cause->right[i]->name);
    json_close(json);
    json_array(json, "contradicts");
    for (size_t i = 0; i < cause->complaint_count; i++)
        if (cause->complaints[i]->other)
            json_text(json, NULL, cause->complaints[i]->other);
    json_close(json);
    json_bool(json, "unanimous", cause->is_unanimous);
    json_text(json, "expect_at", first ? expect_place(first->workload) : NULL);
    json_cause_code(json, log, cause);
    json_close(json);
}

static void json_causes(struct json *json, const struct log *log)
{
    struct causes causes;

    causes_of(&causes, log);
    json_array(json, "causes");
    for (size_t i = 0; i < causes.count; i++)
        json_cause(json, log, &causes.at[i]);
    json_close(json);
    causes_free(&causes);
}

static void json_log_error(struct json *json, const struct log *log)
{
    if (!log->log_error) {
        json_null(json, "error");
        return;
    }
    json_object(json, "error");
    json_text(json, "what", log->log_error);
    json_count(json, "line", log->error_line);
    json_close(json);
}

/* Prints the first processor of each other kind; the machine's own is processor 0. */
static void json_others(struct json *json, const struct log *log)
{
    json_array(json, "other_processors");
    for (size_t i = 1; i < log->machine.processor_count; i++) {
        if (log->machine.processors[i].said.like != i)
            continue;
        json_object(json, NULL);
        json_count(json, "processor", i);
        json_machine(json, "machine", log, cpu_of(log, i));
        json_facilities(json, cpu_of(log, i));
        json_close(json);
    }
    json_close(json);
}

/* Prints the processors that took part, and which earlier one each is like. */
static void json_processors(struct json *json, const struct log *log)
{
    if (!log->machine.several.line) {
        json_null(json, "processors");
        return;
    }
    json_object(json, "processors");
    json_count(json, "found", log->machine.several.found);
    json_count(json, "started", log->machine.several.started);
    json_array(json, "like");
    for (size_t i = 0; i < log->machine.processor_count; i++)
        json_count(json, NULL, log->machine.processors[i].said.like);
    json_close(json);
    json_close(json);
}

/* Prints the plan.  A log of commands may have many plans, and prints none. */
static void json_plan(struct json *json, const struct log *log)
{
    if (log->by_command || !log->plan.line) {
        json_null(json, "plan");
        return;
    }
    json_object(json, "plan");
    json_array(json, "methods");
    for (size_t i = 0; i < log->plan.method_count; i++)
        json_text(json, NULL, log->plan.methods[i]->name);
    json_close(json);
    json_array(json, "workloads");
    for (size_t i = 0; i < log->plan.workload_count; i++)
        json_text(json, NULL, log->plan.workloads[i]->own->name);
    json_close(json);
    json_array(json, "filters");
    for (size_t i = 0; i < log->plan.filter_count; i++)
        json_text(json, NULL, filter_words(log->plan.filters[i]));
    json_close(json);
    json_close(json);
}

static void json_avoided(struct json *json, const struct log *log)
{
    json_array(json, "avoided");
    for (size_t i = 0; i < log->avoided_count; i++) {
        json_object(json, NULL);
        json_text(json, "what", avoided_text(&log->avoided[i]));
        json_span(json, "log", log->avoided[i].log);
        json_close(json);
    }
    json_close(json);
}

void json_log_fields(struct json *json, const struct log *log, bool infos)
{
    json_text(json, "log", log->name);
    json_text(json, "verdict", verdicts[log_verdict(log)]);
    json_log_error(json, log);
    json_text(json, "file", log->form);
    json_text(json, "skipped", log->skipped);
    json_count(json, "boot", log->boot ? log->boot : 1);
    json_count(json, "boots", log->boots ? log->boots : 1);
    json_machine(json, "machine", log, &log->machine.cpu);
    json_facilities(json, &log->machine.cpu);
    json_processors(json, log);
    json_others(json, log);
    json_array(json, "notes");
    for (size_t i = 0; i < log->note_count; i++)
        json_span(json, NULL, log->notes[i]);
    json_close(json);
    json_avoided(json, log);
    json_plan(json, log);
    json_array(json, "runs");
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].end_line)
            json_run(json, &log->runs[i], infos);
    json_close(json);
    json_complaints(json, log);
    json_causes(json, log);
    json_counts(json, log);
}

/* Records. */

static void json_transfer(struct json *json, struct place_words *words,
                          const struct transfer *t, uint64_t times)
{
    json_object(json, NULL);
    if (t->from == BRANCH_UNKNOWN)
        json_null(json, "from");
    else
        json_span(json, "from", place_word(words, t->from, LOG_FROM));
    json_span(json, "to", place_word(words, t->to, LOG_TO));
    json_text(json, "kind", kind_words[t->kind]);
    json_count(json, "times", times);
    json_close(json);
}

void json_transfers(struct json *json, struct source *source, const struct log_map *map)
{
    static struct place_words words;
    struct transfer t, held = { 0 };
    uint64_t times = 0;

    place_words_of(&words, map);
    json_array(json, "records");
    while (source->next(source, &t)) {
        if (times && (t.from != held.from || t.to != held.to || t.kind != held.kind)) {
            json_transfer(json, &words, &held, times);
            times = 0;
        }
        held = t;
        times++;
    }
    if (times)
        json_transfer(json, &words, &held, times);
    json_close(json);
}
