/*
 * The machines of two logs, side by side: what they are, and what was found on them.
 */
#include <stdio.h>
#include <string.h>

#include "diff_runs.h"
#include "facts.h"
#include "heap.h"
#include "json_log.h"
#include "judge.h"

#define PATH_MOST 36 /* columns for the path of a log */

/* What both say; the longest entry decides where the second column begins. */
struct side_by_side {
    const char *what, *of[2];
};
struct sides {
    struct side_by_side at[1 + FACTS_MAX + FACILITY_COUNT];
    size_t count;
};

static void add(struct sides *sides, const char *what, const char *a, const char *b)
{
    sides->at[sides->count++] = (struct side_by_side){ what, { a ? a : "-", b ? b : "-" } };
}

/* Prints some of the lines, each marked if it differs. */
static void print_sides(const struct sides *sides, size_t from, size_t to)
{
    size_t column = 0;

    for (size_t i = 0; i < sides->count; i++)
        if (strlen(sides->at[i].of[A]) > column)
            column = strlen(sides->at[i].of[A]);
    if (from == 0)
        printf("  %-11s %-*s  %s\n", "", (int)column, "A", "B");
    for (size_t i = from; i < to; i++) {
        const struct side_by_side *line = &sides->at[i];

        printf("%c %-11s %-*s  %s\n", strcmp(line->of[A], line->of[B]) != 0 ? '*' : ' ',
               line->what, (int)column, line->of[A], line->of[B]);
    }
}

/* A long path is shortened to whole names at its end, which say more. */
static const char *path_text(const char *path)
{
    const char *end = path + strlen(path), *at = end - PATH_MOST;

    if (end - path <= PATH_MOST)
        return path;
    while (at < end && *at != '/')
        at++;
    return scratch_text("...%s", at < end ? at : end - PATH_MOST);
}

static void add_facts(struct sides *sides, const struct log *a, const struct log *b)
{
    const struct facts of_a = facts_of(a, &a->machine.cpu);
    const struct facts of_b = facts_of(b, &b->machine.cpu);

    add(sides, "log", path_text(a->name), path_text(b->name));
    for (size_t i = 0; i < of_a.count; i++)
        if (!of_a.at[i].page_only && (of_a.at[i].text || of_b.at[i].text))
            add(sides, of_a.at[i].title, of_a.at[i].text, of_b.at[i].text);
}

/* Prints the leaves of CPUID that both have and that differ. */
static void print_leaves(const struct log *a, const struct log *b)
{
    const char *before = "* cpuid       these leaves differ: ";

    for (size_t i = 0; i < a->machine.cpu.leaf_count; i++) {
        const struct cpuid_leaf *leaf = &a->machine.cpu.leaves[i];
        const uint32_t *other = cpuid_find(b->machine.cpu.leaves, b->machine.cpu.leaf_count,
                                           leaf->leaf, leaf->subleaf);

        if (!other || memcmp(leaf->registers, other, sizeof(leaf->registers)) == 0)
            continue;
        printf("%s0x%x", before, leaf->leaf);
        if (leaf->subleaf)
            printf(".%u", leaf->subleaf);
        before = ", ";
    }
    if (*before == ',')
        putchar('\n');
}

static const char *found_text(const struct cpu_part *cpu, enum facility facility)
{
    const struct facility_line *found = &cpu->facilities[facility];
    const enum expectation expected = facility_expected(cpu, facility);
    const char *judged = "";

    if (!found->line)
        return "not tried";
    if (facility_derived_rule(cpu, facility))
        judged = ", measured";
    else if (expected == NOT_AS_EXPECTED)
        judged = ", NOT as expected";
    else if (expected == AS_EXPECTED && found->outcome != WORKS)
        judged = ", as expected there";
    if (found->outcome == DEVIATES) /* in one way or another */
        return scratch_text("deviates%s: %.*s", judged, SPAN(found->evidence));
    return scratch_text("%s%s", probe_result_name(found->outcome), judged);
}

/* A facility was not tried if it was not probed, or if it was avoided after a crash. */
static enum probe_result found(const struct log *log, enum facility facility)
{
    return log->machine.cpu.facilities[facility].line
               ? log->machine.cpu.facilities[facility].outcome
               : AVOIDED;
}

/* Two deviations are the same if their evidence is. */
static bool found_differs(const struct log *a, const struct log *b, enum facility i)
{
    return found(a, i) != found(b, i) ||
           (found(a, i) == DEVIATES && !span_same(a->machine.cpu.facilities[i].evidence,
                                                  b->machine.cpu.facilities[i].evidence));
}

size_t diff_machines(const struct log *a, const struct log *b)
{
    struct sides sides = { .count = 0 };
    size_t of_machine, differ = 0;

    add_facts(&sides, a, b);
    of_machine = sides.count;
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++) {
        differ += found_differs(a, b, i);
        add(&sides, facility_names[i], found_text(&a->machine.cpu, i),
            found_text(&b->machine.cpu, i));
    }
    print_sides(&sides, 0, of_machine);
    print_leaves(a, b);
    printf("\n  by effect\n");
    print_sides(&sides, of_machine, sides.count);
    return differ;
}

size_t diff_machines_json(struct json *json, const struct log *a, const struct log *b)
{
    size_t count = 0;

    json_text(json, "log_a", a->name);
    json_text(json, "log_b", b->name);
    json_machine(json, "machine_a", a, &a->machine.cpu);
    json_machine(json, "machine_b", b, &b->machine.cpu);
    json_array(json, "facilities");
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++) {
        if (!found_differs(a, b, i))
            continue;
        count++;
        json_object(json, NULL);
        json_text(json, "facility", facility_names[i]);
        json_text(json, "a", probe_result_name(found(a, i)));
        json_text(json, "b", probe_result_name(found(b, i)));
        json_close(json);
    }
    json_close(json);
    return count;
}
