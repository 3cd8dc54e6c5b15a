/*
 * `diff`: two logs, of metal and KVM, of two processors, of two microcodes.  First who
 * they are, side by side; then what differs, in a table; then each first differing
 * record with those around it.
 *
 * Records are compared in their portable form, since addresses differ from machine to
 * machine; of two rings that are not equally deep what both can hold.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "portable.h"

#define SIDE       36 /* columns for what one log says   */
#define CONTEXT    2  /* records shown before the first difference, and behind it */
#define NAMED_MAX  5  /* workloads on which a method differs alike         */
#define DETAIL_MAX 12 /* runs that are shown in detail   */

enum { A, B };
static const char names[] = "AB";

/* The records of a run, their ends as tagged offsets. */
struct portable_source {
    struct source source;
    struct unfold unfold;
    bool stops;
    uint64_t skip, given;
};

/* What a stop knows of its Jcc stands where a record has its FROM. */
static void as_transfer(const struct branch *portable, bool stop, struct transfer *out)
{
    out->from = !stop ? portable->from : portable->info ? portable->info : BRANCH_UNKNOWN;
    out->to = portable->to;
    out->kind = KIND_NONE;
}

static bool portable_next(struct source *source, struct transfer *out)
{
    struct portable_source *p = (struct portable_source *)source;
    struct branch record, portable;

    do
        if (!p->unfold.records.next(&p->unfold.records, &record))
            return false;
    while (p->given++ < p->skip);
    if (!portable_from(&p->unfold.map, &record, &portable))
        portable = record;
    as_transfer(&portable, p->stops, out);
    return true;
}

static void portable_rewind(struct source *source)
{
    struct portable_source *p = (struct portable_source *)source;

    p->unfold.records.rewind(&p->unfold.records);
    p->given = 0;
}

/* Field by field: the half megabyte of `unfold` need not be zero. */
static void portable_of(struct portable_source *p, const struct log *log,
                        const struct run *run, uint64_t skip)
{
    p->source = (struct source){ portable_next, portable_rewind };
    p->stops = run->method->stops;
    p->skip = skip;
    unfold_of(&p->unfold, log, run);
    portable_rewind(&p->source);
}

/* A run that both logs planned. */
struct both {
    const struct run *run[2];
    bool differs, measured;
    uint64_t skip[2];   /* records of the deeper ring that are not looked at */
    uint64_t index[2];  /* of the first record that differs, behind those    */
    bool shows_records; /* it is records that differ                         */
    char *what;         /* how they differ, in a sentence                    */
};

struct comparison {
    const struct log *log[2];
    struct both *both;
    size_t count, room;
    size_t same, differ, measured;
};

/* A workload from the stick is another object in each log. */
static bool same_workload(const struct workload *a, const struct workload *b)
{
    return a == b || (strcmp(a->name, b->name) == 0 && a->size == b->size &&
                      memcmp(a->code, b->code, a->size) == 0);
}

static bool same_run(const struct run *a, const struct run *b)
{
    return a->method == b->method && same_workload(a->workload->own, b->workload->own);
}

/* The n-th run by that method of that workload, as this is the n-th in its own log. */
static const struct run *run_like(const struct log *log, const struct log *own,
                                  const struct run *run)
{
    size_t before = 0;

    for (const struct run *r = own->runs; r < run; r++)
        before += same_run(r, run);
    for (size_t i = 0; i < log->run_count; i++)
        if (same_run(&log->runs[i], run) && before-- == 0)
            return &log->runs[i];
    return NULL;
}

static bool full(const struct run *run)
{
    return view_is_ring(run->method) && run->records >= run->room;
}

/* The n-th record looked at, in words; "-" behind the end. */
static char *record_text(const struct comparison *c, const struct both *both, int side,
                         uint64_t index)
{
    struct unfold *unfold = malloc(sizeof(*unfold));
    const struct run *run = both->run[side];
    struct branch record;
    char *text;
    bool there = unfold != NULL;

    if (unfold)
        unfold_of(unfold, c->log[side], run);
    for (uint64_t i = 0; there && i <= both->skip[side] + index; i++)
        there = unfold->records.next(&unfold->records, &record);
    if (!there)
        text = format_text("-");
    else {
        const struct transfer t = { record.from, record.to, KIND_NONE };
        char *ends = transfer_text(&unfold->map, &t);

        text = format_text("%s%s", ends,
                           !run->method->stops             ? ""
                           : record.info == STOP_TAKEN     ? " taken"
                           : record.info == STOP_NOT_TAKEN ? " not-taken"
                                                           : "");
        free(ends);
    }
    free(unfold);
    return text;
}

static void compare_records(struct comparison *c, struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];
    struct portable_source left, right;
    const struct compared in_a = { &left.source, c->log[A], a, true };
    const struct compared in_b = { &right.source, c->log[B], b, true };
    const struct found_difference *f;
    struct beyond beyond;
    char *doubt;

    if (full(b) && a->records > b->records)
        both->skip[A] = a->records - b->records;
    if (full(a) && b->records > a->records)
        both->skip[B] = b->records - a->records;
    portable_of(&left, c->log[A], a, both->skip[A]);
    portable_of(&right, c->log[B], b, both->skip[B]);
    beyond = check_beyond(&in_b, &in_a); /* B as if it had to be A */
    if (beyond.certain.d.class == SAME && beyond.doubts == 0)
        return;
    both->measured = beyond.certain.d.class == SAME;
    f = both->measured ? &beyond.doubted : &beyond.certain;
    both->differs = both->shows_records = true;
    both->index[A] = f->want;
    both->index[B] = f->got;
    doubt = doubt_text(&beyond);
    both->what = format_text("record %llu (%s in B)%s", (unsigned long long)f->want + 1,
                             check_class_name(f->d.class), doubt);
    free(doubt);
}

static const char *ending(const struct run *run)
{
    static const char *const endings[] = { "ends", "crashes", "has more events than room",
                                           "does not end in time" };

    return endings[run->outcome];
}

static void differ(struct both *both, char *what)
{
    free(both->what); /* of what was measured */
    both->what = what;
    both->measured = false;
}

static void compare_ends(struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];

    if (a->lost != b->lost)
        differ(both, format_text("A lost %llu records, B %llu", (unsigned long long)a->lost,
                                 (unsigned long long)b->lost));
    else if (a->result != b->result)
        differ(both,
               format_text("A returned 0x%llx, B 0x%llx", (unsigned long long)a->result,
                           (unsigned long long)b->result));
}

static void compare_runs(struct comparison *c, struct both *both)
{
    const struct run *a = both->run[A], *b = both->run[B];

    if (a->skipped && b->skipped)
        return;
    if (a->skipped != b->skipped) {
        both->what = format_text("skipped in %c: %.*s", names[a->skipped ? A : B],
                                 SPAN((a->skipped ? a : b)->reason));
    } else if (a->outcome != b->outcome) {
        both->what = format_text("A %s, B %s", ending(a), ending(b));
    } else {
        compare_records(c, both);
        if (!both->differs || both->measured)
            compare_ends(both);
    }
    both->differs = both->what != NULL;
}

static void compare_all(struct comparison *c)
{
    for (size_t i = 0; i < c->log[A]->run_count; i++) {
        struct both both = { .run = { &c->log[A]->runs[i] } };

        both.run[B] = run_like(c->log[B], c->log[A], both.run[A]);
        if (!both.run[B])
            continue;
        compare_runs(c, &both);
        c->same += !both.differs;
        c->measured += both.measured;
        c->differ += both.differs && !both.measured;
        c->both = more_room(c->both, &c->room, c->count, sizeof(both));
        c->both[c->count++] = both;
    }
}

/* Who they are. */

/* A line with what both say, marked where that differs; true: it does. */
static bool print_sides(const char *what, char *a, char *b)
{
    bool differs = strcmp(a, b) != 0;

    printf("%c %-11s %-*.*s  %s\n", differs ? '*' : ' ', what, SIDE, SIDE, a, b);
    free(a);
    free(b);
    return differs;
}

/* Of a long path its end tells more. */
static const char *tail(const char *path)
{
    size_t length = strlen(path);

    return length > SIDE ? path + length - SIDE : path;
}

static char *model_of(const struct log *log)
{
    return log->row ? format_text("%s, LBR %zu deep", log->row->name, log->lbr_depth)
                    : format_text("unknown");
}

static char *signature_of(const struct log *log)
{
    return format_text("family 0x%x model 0x%x stepping 0x%x", log->id.family,
                       log->id.model, log->id.stepping);
}

static char *platform_name(const struct log *log)
{
    return log->platform ? format_text("%s", log->platform->name)
                         : format_text("not known: %.*s", SPAN(log->hypervisor));
}

static const struct leaf *leaf_like(const struct log *log, const struct leaf *leaf)
{
    for (size_t i = 0; i < log->leaf_count; i++)
        if (log->leaves[i].number == leaf->number &&
            log->leaves[i].subleaf == leaf->subleaf)
            return &log->leaves[i];
    return NULL;
}

/* The leaves of CPUID that both have and that differ. */
static void print_leaves(const struct log *a, const struct log *b)
{
    const char *before = "* cpuid       these leaves differ: ";

    for (size_t i = 0; i < a->leaf_count; i++) {
        const struct leaf *leaf = &a->leaves[i], *other = leaf_like(b, leaf);

        if (!other ||
            memcmp(leaf->registers, other->registers, sizeof(leaf->registers)) == 0)
            continue;
        printf("%s0x%x", before, leaf->number);
        if (leaf->subleaf)
            printf(".%u", leaf->subleaf);
        before = ", ";
    }
    if (*before == ',')
        putchar('\n');
}

static void print_machines(const struct log *a, const struct log *b)
{
    printf("  %-11s %-*s  %s\n", "", SIDE, "A", "B");
    print_sides("log", format_text("%s", tail(a->name)), format_text("%s", tail(b->name)));
    print_sides("processor", format_text("%.*s", SPAN(a->brand)),
                format_text("%.*s", SPAN(b->brand)));
    print_sides("vendor", format_text("%s", a->id.vendor), format_text("%s", b->id.vendor));
    print_sides("signature", signature_of(a), signature_of(b));
    print_sides("microcode", format_text("%.*s", SPAN(a->microcode)),
                format_text("%.*s", SPAN(b->microcode)));
    print_sides("model", model_of(a), model_of(b));
    print_sides("platform", platform_name(a), platform_name(b));
    if (a->system_line || b->system_line)
        print_sides("machine", format_text("%.*s", SPAN(a->system_product)),
                    format_text("%.*s", SPAN(b->system_product)));
    if (a->bios_line || b->bios_line)
        print_sides("BIOS", format_text("%.*s", SPAN(a->bios_version)),
                    format_text("%.*s", SPAN(b->bios_version)));
    print_sides("build", format_text("%.*s", SPAN(a->build)),
                format_text("%.*s", SPAN(b->build)));
    print_leaves(a, b);
}

/* What differs. */

static char *finding_of(const struct log *log, enum facility facility)
{
    const struct platform_fact *fact = fact_of(log, facility);
    enum finding finding = log->facilities[facility].finding;
    const char *judged = "";

    if (!log->facilities[facility].line)
        return format_text("not tried");
    if (!fact || finding == DEVIATES || finding == AVOIDED)
        judged = "";
    else if (!(fact->findings & FOUND(finding)))
        judged = ", NOT as expected";
    else if (finding != WORKS)
        judged = ", as expected there";
    return format_text("%s%s", finding_name(finding), judged);
}

/* What was not probed, or left out since the machine had died of it, was not tried. */
static enum finding found(const struct log *log, enum facility facility)
{
    return log->facilities[facility].line ? log->facilities[facility].finding : AVOIDED;
}

/* The number of facilities that came to other findings. */
static size_t print_facilities(const struct log *a, const struct log *b)
{
    size_t differ = 0;

    printf("\n  by effect\n");
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++) {
        differ += found(a, i) != found(b, i);
        print_sides(facility_names[i], finding_of(a, i), finding_of(b, i));
    }
    return differ;
}

static bool told_before(const struct comparison *c, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (c->both[i].differs && c->both[i].run[A]->method == c->both[at].run[A]->method &&
            strcmp(c->both[i].what, c->both[at].what) == 0)
            return true;
    return false;
}

/* Methods that differ alike on many workloads are one line. */
static void print_row(const struct comparison *c, size_t at)
{
    const struct both *both = &c->both[at];
    const struct run *run = both->run[A];
    size_t alike = 0;

    if (told_before(c, at))
        return;
    printf("%c %-11s ", both->measured ? '~' : '*', run->method->name);
    for (size_t i = at; i < c->count; i++) {
        const struct both *other = &c->both[i];

        if (!other->differs || other->run[A]->method != run->method ||
            strcmp(other->what, both->what) != 0)
            continue;
        if (alike < NAMED_MAX)
            printf("%s%s", alike ? ", " : "", other->run[A]->workload->own->name);
        alike++;
    }
    if (alike > NAMED_MAX)
        printf(" and %zu more", alike - NAMED_MAX);
    printf(": %s%s\n", both->measured ? "measured: " : "", both->what);
}

static void print_rows(const struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->both[i].differs && !c->both[i].measured)
            print_row(c, i);
    for (size_t i = 0; i < c->count; i++)
        if (c->both[i].measured)
            print_row(c, i);
}

/* Runs that only one of the logs has: how many. */
static size_t print_only(const struct comparison *c, int side)
{
    const struct log *log = c->log[side];
    size_t only = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        if (run_like(c->log[side == A ? B : A], log, run))
            continue;
        if (only == 0)
            printf("\n* only in %c  ", names[side]);
        if (only < DETAIL_MAX)
            printf("%s%s %s", only ? ", " : " ", run->method->name,
                   run->workload->own->name);
        only++;
    }
    if (only > DETAIL_MAX)
        printf(" and %zu more", only - DETAIL_MAX);
    if (only)
        putchar('\n');
    return only;
}

static void print_detail(const struct comparison *c, const struct both *both)
{
    const uint64_t *at = both->index;
    uint64_t before = at[A] < at[B] ? at[A] : at[B];

    if (before > CONTEXT)
        before = CONTEXT;

    printf("\n  %s %s: %s\n", both->run[A]->method->name, both->run[A]->workload->own->name,
           both->what);
    for (uint64_t i = 0; i <= before + CONTEXT; i++) {
        char *a = record_text(c, both, A, at[A] - before + i);
        char *b = record_text(c, both, B, at[B] - before + i);

        if (i <= before || strcmp(a, "-") != 0 || strcmp(b, "-") != 0)
            printf("%c %11llu %-*s  %s\n", i == before ? '>' : ' ',
                   (unsigned long long)(at[A] - before + i) + 1, SIDE, a, b);
        free(a);
        free(b);
    }
}

static void print_details(const struct comparison *c)
{
    size_t shown = 0, left = 0;

    for (size_t i = 0; i < c->count; i++) {
        if (!c->both[i].shows_records)
            continue;
        if (shown < DETAIL_MAX)
            print_detail(c, &c->both[i]);
        else
            left++;
        shown++;
    }
    if (left)
        printf("\n  and %zu more whose records differ\n", left);
}

static void comparison_free(struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->both[i].what);
    free(c->both);
}

static int compare(const struct log *a, const struct log *b)
{
    struct comparison c = { .log = { a, b } };
    size_t facilities, only;
    bool same;

    print_machines(a, b);
    facilities = print_facilities(a, b);
    compare_all(&c);
    if (c.differ + c.measured)
        puts("\n  runs");
    print_rows(&c);
    only = print_only(&c, A) + print_only(&c, B);
    print_details(&c);
    same = facilities + c.differ + c.measured + only == 0;
    printf("\nA and B %s: %zu %s; of %zu runs in both %zu are the same, %zu "
           "differ, %zu measured; %zu only in one\n",
           same ? "are the same" : "DIFFER", facilities,
           facilities == 1 ? "facility differs" : "facilities differ", c.count, c.same,
           c.differ, c.measured, only);
    comparison_free(&c);
    return same ? EXIT_AS_EXPECTED : EXIT_DIFFERENT;
}

static bool facility_conflicts(const struct log *a, const struct log *b, enum facility i)
{
    enum finding in_a = found(a, i), in_b = found(b, i);

    return in_a != in_b && in_a != AVOIDED && in_b != AVOIDED;
}

/* What only one of them ran is no conflict. */
static void forget_skips(struct comparison *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct both *both = &c->both[i];

        if (both->differs && both->run[A]->skipped != both->run[B]->skipped) {
            both->differs = false;
            c->differ--;
        }
    }
}

size_t diff_conflicts(const struct log *a, const struct log *b)
{
    struct comparison c = { .log = { a, b } };
    bool told = false;

    compare_all(&c);
    forget_skips(&c);
    for (enum facility i = FACILITY_STEP; i < FACILITY_COUNT; i++)
        told = told || facility_conflicts(a, b, i);
    told = told || c.differ + c.measured;
    if (told)
        printf("  CONFLICT of A, %s, and B, %s\n", a->name, b->name);
    for (enum facility i = FACILITY_STEP; told && i < FACILITY_COUNT; i++)
        if (facility_conflicts(a, b, i))
            printf("* %-11s %s in A, %s in B\n", facility_names[i],
                   finding_name(a->facilities[i].finding),
                   finding_name(b->facilities[i].finding));
    print_rows(&c);
    comparison_free(&c);
    return told;
}

int verb_diff(const char *a, const char *b)
{
    struct log log[2] = { 0 };
    bool both = log_usable(&log[A], a);
    int code;

    both = log_usable(&log[B], b) && both;
    code = both ? compare(&log[A], &log[B]) : EXIT_UNUSABLE;
    log_free(&log[A]);
    log_free(&log[B]);
    return code;
}
