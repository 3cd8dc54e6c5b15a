/*
 * A table of the rules, then the findings with their first examples.
 */
#include "audit_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "count_of.h"
#include "escape.h"
#include "heap.h"
#include "json_log.h"
#include "output.h"
#include "terminal.h"
#include "words.h"

#define COLUMNS     100 /* of the table of rules          */
#define RULE_COLUMN 36  /* at which a rule and its sentence begin */

/* "1,234,567"; six can be in use at a time. */
static const char *grouped(uint64_t number)
{
    static char texts[6][32];
    static size_t next;
    char digits[24], *out = texts[next++ % COUNT_OF(texts)], *at = out;
    int count = snprintf(digits, sizeof(digits), "%" PRIu64, number);

    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return out;
}

/* Text that anyone may have written: a header, a symbol, a path. */
static const char *printable(const char *text)
{
    char *copy = scratch_text("%s", text);

    make_printable(copy, strlen(copy));
    return copy;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_recording(const struct audit *audit)
{
    const struct recording *recording = &audit->recording;

    printf("processor: %s", audit->model   ? audit->model->name
                            : audit->cpuid ? "unknown"
                                           : "not named");
    if (audit->cpuid)
        printf(" (%s)", printable(audit->cpuid));
    if (!recording->told) {
        puts("; the trace does not say what was recorded, so all branches are assumed");
        return;
    }
    printf("; recorded: %s%s\n",
           recording->call_stack ? "call-stack mode"
           : recording->hidden   ? "some kinds of branches"
                                 : "all branches",
           recording->user_only     ? ", of user mode"
           : recording->kernel_only ? ", of the kernel"
                                    : "");
}

/* By enum left_out: in JSON, and in a sentence. */
static const struct {
    const char *name, *about;
} left_out[LEFT_OUT] = {
    [LEFT_KERNEL] = { "kernel", "of the kernel" },
    [LEFT_VDSO] = { "vdso", "of [vdso]" },
    [LEFT_ELSEWHERE] = { "elsewhere", "of other files" },
    [LEFT_UNNAMED] = { "unnamed", "with a name that no file or more than one place has" },
    [LEFT_HIDDEN] = { "hidden", "whose FROM the hardware hid" },
    [LEFT_EVENTS] = { "interrupts", "interrupts or exceptions" },
    [LEFT_ABORTS] = { "aborts", "aborts of transactions" },
};

static void print_left_out(const struct audit *audit)
{
    const char *before = "left out: ";

    for (size_t i = 0; i < LEFT_OUT; i++)
        if (audit->left_out[i]) {
            printf("%s%s %s", before, grouped(audit->left_out[i]), left_out[i].about);
            before = ", ";
        }
    if (*before == ',')
        puts("");
    if (audit->leaves_kernel && audit->recording.user_only && audit->stacks)
        printf("%s of them lead from the kernel to user mode, which a filter for user mode "
               "lets pass\n",
               grouped(audit->leaves_kernel));
    if (audit->maps.several && audit->without_pid)
        puts("several processes had a file at different addresses: only the field pid "
             "(-F pid,ip,brstack) distinguishes them");
}

/* The files that nobody gave, and that the trace names. */
static void print_opened(const struct images *images)
{
    fputs("compared with, by build-id:", stdout);
    for (size_t i = 0; i < images->count; i++)
        printf("%s %s", i ? "," : "", printable(images->at[i].path));
    puts("");
}

static void print_head(const struct audit *audit)
{
    printf("%s: %s branch%s", audit->file, grouped(audit->records),
           audit->records == 1 ? "" : "es");
    if (audit->stacks)
        printf(" in %s stack%s of up to %" PRIu64, grouped(audit->stacks),
               plural(audit->stacks), audit->deepest);
    else if (audit->edges)
        printf(", added up in %s line%s", grouped(audit->edges), plural(audit->edges));
    else if (audit->pt.buffers)
        printf(" in %s trace buffer%s of %s bytes", grouped(audit->pt.buffers),
               plural(audit->pt.buffers), grouped(audit->pt.bytes));
    puts("");
    if (audit->maps.opens && audit->images.count)
        print_opened(&audit->images);
    print_recording(audit);
    print_left_out(audit);
}

/* Prints what the packets of Processor Trace hold. */
static void print_packets(const struct audit *audit)
{
    if (!audit->pt.buffers)
        return;
    printf(
        "\nThe packets hold %s bits, %s targets, %s stream boundaries and %s overflows.\n",
        grouped(audit->pt.bits), grouped(audit->pt.targets), grouped(audit->pt.psbs),
        grouped(audit->pt.overflows));
    if (audit->pt.skipped)
        printf("%s bytes before the first boundary cannot be read.\n",
               grouped(audit->pt.skipped));
    if (audit->images.count)
        printf("%s conditional branches were not taken.  The walk left the given files %s "
               "times, each time up to the next boundary.\n",
               grouped(audit->pt.not_taken), grouped(audit->pt.no_code));
}

static bool was_asked(const struct audit *audit, enum audit_rule rule)
{
    return audit->checked[rule] || broken_of(audit, rule);
}

static void print_rules(const struct audit *audit)
{
    printf("\n%13s %11s %8s  rule\n", "checked", "broken", "");
    for (enum audit_rule i = 0; i < RULES; i++) {
        uint64_t checked = audit->checked[i], broken = broken_of(audit, i);
        char part[16] = "";

        if (!was_asked(audit, i))
            continue;
        if (broken)
            snprintf(part, sizeof(part), "%.3g %%", share(broken, checked));
        printf("%13s %11s %8s  ", grouped(checked), grouped(broken), part);
        wrap_at(COLUMNS, RULE_COLUMN, RULE_COLUMN,
                scratch_text("%s: %s", rule_of(i)->name, rule_of(i)->sentence));
        puts("");
    }
}

static void print_facts(const struct audit *audit)
{
    size_t paired = crossings_paired(audit);
    uint64_t missed = 0;

    if (audit->opposite_impossible)
        printf(
            "\nThe opposite order is impossible for %s pairs.  It cannot be tried for %s "
            "more, which have an end in no given file.\n",
            grouped(audit->opposite_impossible), grouped(audit->opposite_unknown));
    if (audit->pairs_filtered)
        printf("%s pairs have a branch between them that was not recorded.\n",
               grouped(audit->pairs_filtered));
    if (audit->after_plt)
        printf("%s calls went through the procedure linkage table, whose jumps are not "
               "recorded.\n",
               grouped(audit->after_plt));
    if (audit->blind_pairs)
        printf(
            "Of %s pairs without code, FROM is less than %d bytes after the previous TO in "
            "%s.\n",
            grouped(audit->blind_pairs), NEAR_BYTES, grouped(audit->blind_near));
    if (paired)
        printf(
            "FROM is SYSCALL itself at %s place%s: the kernel returned to the address two "
            "bytes after it.\n",
            grouped(paired), plural(paired));
    for (size_t i = 0; i < KIND_COUNT; i++)
        add_up(&missed, audit->missed_of_kind[i]);
    if (!missed)
        return;
    printf("Mispredicted: %s of %s Jcc, %s of %s direct JMP, %s of %s direct CALL.\n",
           grouped(audit->missed_of_kind[KIND_JCC]), grouped(audit->of_kind[KIND_JCC]),
           grouped(audit->missed_of_kind[KIND_JMP]), grouped(audit->of_kind[KIND_JMP]),
           grouped(audit->missed_of_kind[KIND_CALL]), grouped(audit->of_kind[KIND_CALL]));
}

/*
 * Returns which rule accounts for a flaw, or, if the trace does not name its processor, how
 * to name one on which a rule does.  NULL: none does.
 */
static const char *known_text(enum flaw flaw, const struct model *model)
{
    const struct rule *rule = flaw_known_by(flaw, model);
    const struct model *on = flaw_known_on(flaw);

    if (rule)
        return scratch_text("%s accounts for it: %s (%s: %s)", rule->name, rule->sentence,
                            confidence_words[rule->confidence], rule->source);
    if (model || !on)
        return NULL;
    return scratch_text(
        "%s accounts for it on some processors, and the trace does not name "
        "its processor: add --header to perf script, or --cpu=%s here",
        flaw_rows[flaw].known_by, on->name);
}

static void print_difference(const struct audit *audit, enum flaw flaw)
{
    const struct flaw_row *row = &flaw_rows[flaw];
    const struct rule *rule = rule_of(row->rule);
    const struct found *found = &audit->found[flaw];
    const char *known = known_text(flaw, audit->model);
    uint64_t checked = audit->checked[row->rule];

    printf("\n%s: %s: %s of %s %s (%.3g %%)\n",
           weight_name(flaw_weight(flaw, audit->model)), row->about, grouped(found->count),
           grouped(checked), rule_counts(row->rule), share(found->count, checked));
    if (known)
        printf("  %s\n", known);
    if (flaw == FOUND_DOUBLED_NEWEST && audit->copies_with_other_cycles)
        printf("  %s of the copies differ in cycles\n",
               grouped(audit->copies_with_other_cycles));
    printf("  rule: %s (%s: %s)\n", rule->name, confidence_words[rule->confidence],
           rule->source);
    for (size_t i = 0; i < EXAMPLES && found->examples[i]; i++)
        printf("  %s\n", printable(found->examples[i]));
}

static void print_audit_verdict(const struct audit *audit)
{
    const uint64_t no_branch =
        audit->found[FOUND_NO_BRANCH].count + audit->found[FOUND_WRONG_TO].count;
    const uint64_t lost_paths = audit->found[FOUND_PATH].count;
    bool any = false;

    for (enum flaw i = 0; i < FLAWS; i++)
        any |= audit->found[i].count > 0;
    puts("");
    if (no_branch > audit->checked[RULE_FROM] / 2)
        puts("More than half of the branches do not fit the code: is this the very program "
             "that was recorded?");
    if (lost_paths > audit->pt.psbs / 2)
        puts("After more than half of the PSBs the packets do not fit the code: is this "
             "the very program that was recorded?");
    if (worst_found(audit) == WEIGHT_BROKEN)
        puts("A rule is broken.");
    if (!audit_compared(audit))
        puts(audit->checked[RULE_FROM] || audit->checked[RULE_STRAIGHT] ||
                     audit->checked[RULE_PATH]
                 ? "Not every branch was compared with the code that ran."
                 : "No branch was compared with the code that ran.");
    else if (worst_found(audit) != WEIGHT_BROKEN)
        puts(any ? "No rule is broken except in ways that are known."
                 : "Nothing is wrong.");
}

void audit_print(const struct audit *audit)
{
    print_head(audit);
    print_rules(audit);
    print_packets(audit);
    print_facts(audit);
    for (enum weight weight = WEIGHT_BROKEN + 1; weight-- > 0;)
        for (enum flaw i = 0; i < FLAWS; i++)
            if (audit->found[i].count && flaw_weight(i, audit->model) == weight)
                print_difference(audit, i);
    print_audit_verdict(audit);
}

static void json_left_out(struct json *json, const struct audit *audit)
{
    json_object(json, "left_out");
    for (size_t i = 0; i < LEFT_OUT; i++)
        json_count(json, left_out[i].name, audit->left_out[i]);
    json_close(json);
}

/* null, unless the trace is one of Processor Trace. */
static void json_packets(struct json *json, const struct audit *audit)
{
    if (!audit->pt.buffers) {
        json_text(json, "pt", NULL);
        return;
    }
    json_object(json, "pt");
    json_count(json, "buffers", audit->pt.buffers);
    json_count(json, "bytes", audit->pt.bytes);
    json_count(json, "skipped", audit->pt.skipped);
    json_count(json, "boundaries", audit->pt.psbs);
    json_count(json, "bits", audit->pt.bits);
    json_count(json, "targets", audit->pt.targets);
    json_count(json, "overflows", audit->pt.overflows);
    json_count(json, "not_taken", audit->pt.not_taken);
    json_count(json, "left_code", audit->pt.no_code);
    json_close(json);
}

static void json_rules(struct json *json, const struct audit *audit)
{
    json_array(json, "rules");
    for (enum audit_rule i = 0; i < RULES; i++) {
        const struct rule *rule = rule_of(i);

        json_object(json, NULL);
        json_text(json, "rule", rule->name);
        json_text(json, "about", rule->sentence);
        json_text(json, "counted", rule_counts(i));
        json_count(json, "checked", audit->checked[i]);
        json_count(json, "broken", broken_of(audit, i));
        json_text(json, "confidence", confidence_words[rule->confidence]);
        json_text(json, "source", rule->source);
        json_close(json);
    }
    json_close(json);
}

static void json_finding(struct json *json, const struct audit *audit, enum flaw flaw)
{
    const struct flaw_row *row = &flaw_rows[flaw];
    const struct found *found = &audit->found[flaw];
    const struct rule *known_by = flaw_known_by(flaw, audit->model);

    json_object(json, NULL);
    json_text(json, "finding", row->name);
    json_text(json, "about", row->about);
    json_text(json, "rule", rule_of(row->rule)->name);
    json_text(json, "difference", row->class == SAME ? NULL : check_class_name(row->class));
    json_text(json, "weight", weight_name(flaw_weight(flaw, audit->model)));
    json_text(json, "known", known_text(flaw, audit->model));
    json_text(json, "known_by", known_by ? known_by->name : NULL);
    json_count(json, "count", found->count);
    json_array(json, "examples");
    for (size_t n = 0; n < EXAMPLES && found->examples[n]; n++)
        json_text(json, NULL, found->examples[n]);
    json_close(json);
    json_close(json);
}

static void json_findings(struct json *json, const struct audit *audit)
{
    json_array(json, "findings");
    for (enum flaw i = 0; i < FLAWS; i++)
        if (audit->found[i].count)
            json_finding(json, audit, i);
    json_close(json);
}

/* Prints how many branches of each kind there are, and how many were mispredicted. */
static void json_kinds(struct json *json, const struct audit *audit)
{
    static const enum kind kinds[] = { KIND_JCC,   KIND_JMP, KIND_IJMP, KIND_CALL,
                                       KIND_ICALL, KIND_RET, KIND_FAR,  KIND_INT };

    json_array(json, "kinds");
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        json_object(json, NULL);
        json_text(json, "kind", kind_words[kinds[i]]);
        json_count(json, "records", audit->of_kind[kinds[i]]);
        json_count(json, "mispredicted", audit->missed_of_kind[kinds[i]]);
        json_close(json);
    }
    json_close(json);
}

void audit_json(const struct audit *audit, int exit_code)
{
    struct json json;

    json_begin(&json, stdout, "audit");
    json_text(&json, "file", audit->file);
    json_text(&json, "cpuid", audit->cpuid);
    json_text(&json, "row", audit->model ? audit->model->name : NULL);
    json_count(&json, "lines", audit->line);
    json_count(&json, "stacks", audit->stacks);
    json_count(&json, "deepest", audit->deepest);
    json_count(&json, "records", audit->records);
    json_left_out(&json, audit);
    json_count(&json, "kernel_to_user", audit->leaves_kernel);
    json_rules(&json, audit);
    json_count(&json, "opposite_impossible", audit->opposite_impossible);
    json_count(&json, "opposite_unknown", audit->opposite_unknown);
    json_count(&json, "pairs_filtered", audit->pairs_filtered);
    json_count(&json, "after_plt", audit->after_plt);
    json_count(&json, "copies_with_other_cycles", audit->copies_with_other_cycles);
    json_count(&json, "blind_pairs", audit->blind_pairs);
    json_count(&json, "blind_near", audit->blind_near);
    json_count(&json, "system_calls", crossings_paired(audit));
    json_packets(&json, audit);
    json_kinds(&json, audit);
    json_findings(&json, audit);
    json_end(&json, exit_code);
}

/* JUnit: each rule that any record was checked against is a test; a broken one fails. */

static void xml(FILE *file, const char *text)
{
    escape_html(file, text, strlen(text));
}

/* True if the flaw was found and fails the rule's test. */
static bool flaw_fails(const struct audit *audit, enum flaw flaw)
{
    return flaw != FLAWS && flaw_weight(flaw, audit->model) == WEIGHT_BROKEN;
}

/* The first flaw of a rule that fails, or else the first that was found; FLAWS: none. */
static enum flaw flaw_of_rule(const struct audit *audit, enum audit_rule rule)
{
    enum flaw worst = FLAWS;

    for (enum flaw i = 0; i < FLAWS; i++)
        if (flaw_rows[i].rule == rule && audit->found[i].count &&
            (worst == FLAWS || (flaw_fails(audit, i) && !flaw_fails(audit, worst))))
            worst = i;
    return worst;
}

/* A test has one outcome. */
static void junit_rule(FILE *file, const struct audit *audit, enum audit_rule rule)
{
    const enum flaw flaw = flaw_of_rule(audit, rule);

    fputs("    <testcase classname=\"audit\" name=\"", file);
    xml(file, rule_of(rule)->name);
    fputs("\">", file);
    if (flaw != FLAWS) {
        const struct found *found = &audit->found[flaw];

        fprintf(file, "<%s message=\"%" PRIu64 ": ",
                flaw_fails(audit, flaw) ? "failure" : "skipped", found->count);
        xml(file, flaw_rows[flaw].about);
        for (size_t n = 0; n < EXAMPLES && found->examples[n]; n++) {
            fputs("; ", file);
            xml(file, found->examples[n]);
        }
        fputs("\"/>", file);
    }
    fputs("</testcase>\n", file);
}

bool audit_junit(const struct audit *audit, const char *name)
{
    FILE *file = output_xml(name);
    size_t tests = 0, failures = 0;

    if (!file)
        return false;
    for (enum audit_rule i = 0; i < RULES; i++) {
        tests += was_asked(audit, i);
        failures += flaw_fails(audit, flaw_of_rule(audit, i));
    }
    fputs("<testsuites name=\"everybranch\">\n  <testsuite name=\"", file);
    xml(file, audit->file);
    fprintf(file, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n", tests, failures);
    for (enum audit_rule i = 0; i < RULES; i++)
        if (was_asked(audit, i))
            junit_rule(file, audit, i);
    fputs("  </testsuite>\n</testsuites>\n", file);
    return output_end(file, name, true);
}
