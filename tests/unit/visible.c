// LINK: common/facts/model.c common/branch/pack.c common/log/portable.c
// LINK: common/facts/filter.c common/facts/info.c common/facts/method_facts.c
// LINK: common/expected/expected.c common/expected/skip_reason.c
// LINK: common/expected/record_filter.c common/branch/workload.c common/base/text.c
// LINK: common/facts/skip_code.c
#include "common/expected/visible.c"

#include "skip_reason.h"

#include "common/base/count_of.h"
#include "traces.h"

/* What a source gives: all of it, or up to so many transfers. */
static void give(struct source *source, uint64_t count, char *text, size_t size)
{
    struct transfer t;

    text[0] = 0;
    while (count-- > 0 && source->next(source, &t)) {
        size_t length = strlen(text);

        ends_text(&t, text + length, size - length);
    }
}

/* Says what a source gives, which after rewinding anywhere must be the same. */
static void say_source(struct source *source)
{
    char first[2000], part[2000], again[2000];

    give(source, UINT64_MAX, first, sizeof(first));
    row_say("%s", first);
    for (uint64_t count = 0; count < 40; count++) {
        source->rewind(source);
        give(source, count, part, sizeof(part));
        source->rewind(source);
        give(source, UINT64_MAX, again, sizeof(again));
        if (strcmp(first, again) != 0)
            row_fails("rewound after %d: %s", (int)count, again);
    }
}

/* Methods by name, with two that no processor has. */
static const struct method_facts *method(const char *name)
{
    static const struct method_facts blind_ring = { .blind_handlers = true,
                                                    .ring_lbr = true };
    static const struct method_facts blind_step = { .blind_handlers = true,
                                                    .every_insn = true };
    static const struct method_facts eight = { .newest = 8 };

    if (strcmp(name, "blind-ring") == 0)
        return &blind_ring;
    if (strcmp(name, "blind-step") == 0)
        return &blind_step;
    if (strcmp(name, "newest-8") == 0)
        return &eight;
    if (!method_named(name))
        row_fails("%s: no such method", name);
    return method_named(name) ? method_named(name) : &blind_ring;
}

static const struct model *model(void)
{
    const char *name = row_word();

    if (!model_named(name))
        row_fails("%s: no such model", name);
    return model_named(name) ? model_named(name) : model_named("skylake");
}

static uint32_t filter(void)
{
    const char *word = row_word();
    uint32_t bits = 0;

    if (!filter_read(word, strlen(word), &bits))
        row_fails("%s: no such filter", word);
    return bits;
}

/* Reads METHOD[/KEEP]. */
static const struct method_facts *method_and_keep(uint64_t *keep)
{
    const char *word = row_word();
    size_t length = strcspn(word, "/");
    char name[20];

    *keep = word[length] ? strtoull(word + length + 1, NULL, 10) : 0;
    snprintf(name, sizeof(name), "%.*s", (int)length, word);
    return method(name);
}

/*
 * view METHOD[/KEEP] [tf-before] [MODEL FILTER [db-recorded]] = FROM-TO ...: what the
 * method sees of the trace.  Ring 3 is from 80 to 90.
 */
VERB(view)
{
    static const struct part user = { 0x80, 0x90, PART_RING3, 0 };
    struct workload traced = trace_workload();
    struct record_filter through = { 0 };
    struct expected expected;
    struct visible visible;
    uint64_t keep;
    const struct method_facts *facts = method_and_keep(&keep);

    traced.parts = &user;
    traced.part_count = 1;
    expected_of(&expected, &traced, CODE, CALL, BACK, NULL);
    expected.tf_before = row_has("tf-before");
    if (!row_is_read()) {
        const struct model *on = model();

        through = record_filter_for(facts, on, filter(), &traced, CODE);
    }
    through.db_recorded = row_has("db-recorded");
    visible_through(&visible, &expected.source, facts, keep, through);
    say_source(&visible.source);
}

/* period DEPTH LATE [freezes] = at how many records a stream asks for its interrupt */
VERB(period)
{
    uint64_t depth = row_number(), late = row_number();

    row_say("%d", (int)stream_period(depth, late, row_has("freezes")));
}

/* fits DEPTH LATE = yes, if the stack is deep enough for interrupts that are so late */
VERB(fits)
{
    uint64_t depth = row_number();

    row_say(stream_fits(depth, row_number()) ? "yes" : "no");
}

/* skip CPU MODEL METHOD FILTER = why the method cannot run with it: the word of the log */
VERB(skip)
{
    static const struct {
        const char *name;
        struct cpu_id id;
    } cpus[] = {
        { "all", { .ds_cpl = true, .arch_lbr_filters = 7 } },
        { "by-kind", { .arch_lbr_filters = ARCH_LBR_BY_KIND } },
        { "none", { .ds = true } },
    };
    const char *cpu = row_word();
    const struct model *on = model();
    const struct method_facts *facts = method(row_word());
    uint32_t bits = filter();

    for (size_t i = 0; i < COUNT_OF(cpus); i++)
        if (strcmp(cpus[i].name, cpu) == 0) {
            enum skip_code why = record_filter_skip_reason(facts, on, &cpus[i].id, bits);

            row_say("%s", skip_words[why].word);
            return;
        }
    row_fails("%s: no such CPU", cpu);
}

/* shows FILTER RING = yes, if BTS stores a branch that leaves that ring */
VERB(shows)
{
    uint32_t bits = filter();

    row_say(record_filter_shows(bits, (unsigned)row_number()) ? "yes" : "no");
}

/* threshold METHOD FILTER = records */
VERB(threshold)
{
    const struct method_facts *facts = method(row_word());

    row_say("%d", (int)method_threshold(facts, filter()));
}

/* capacity METHOD MODEL SIZE = how many records it keeps; 0: all */
VERB(capacity)
{
    const struct method_facts *facts = method(row_word());
    const struct model *on = model();

    row_say("%d", (int)visible_capacity(facts, on, row_number()));
}

/* What the rows of excused are about. */
static struct workload workload;
static struct stub stub;
static uint64_t workload_at;

/* workload [stub VECTOR] [flag NAME] [at ADDRESS] */
VERB(workload)
{
    static const struct {
        const char *name;
        uint32_t flag;
    } flags[] = {
        { "many", WORKLOAD_MANY },
        { "low", WORKLOAD_LOW },
        { "not-stock", WORKLOAD_NOT_STOCK },
        { "others", WORKLOAD_RING0 | WORKLOAD_APIC },
    };

    workload = (struct workload){ .size = 0x100, .stubs = &stub };
    if (row_has("stub")) {
        stub = (struct stub){ (uint32_t)row_number(), 0x20 };
        workload.stub_count = 1;
    }
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        if (row_has(flags[i].name))
            workload.flags |= flags[i].flag;
    workload_at = row_has("at") ? row_hex() : CODE;
}

/* excused [sysenter|no-sysenter] [stock] METHOD ... = those that cannot run the workload */
VERB(excused)
{
    static const struct model lacking = { .name = "lacking" },
                              having = { .sysenter = true };
    const struct model *on = row_has("sysenter")      ? &having
                             : row_has("no-sysenter") ? &lacking
                                                      : NULL;
    uint32_t wrong = row_has("stock") ? WORKLOAD_NOT_STOCK : 0;

    while (!row_is_read()) {
        const char *name = row_word();

        if (skip_reason_for(method(name), on, &workload, workload_at, wrong))
            row_say("%s ", name);
    }
}

/* nmi = excused, where the option that asks for NMIs excludes the workload */
VERB(nmi)
{
    row_say(skip_reason_by_nmi(&workload) ? "excused" : "no");
}

TEST(methods_are_found_by_their_whole_name)
{
    CHECK_TEXT(method_named("bts")->name, "bts");
    CHECK(method_named("btf") != method_named("btf+lbr"));
    CHECK(!method_named("bt") && !method_named("") && !method_named("step "));
}
