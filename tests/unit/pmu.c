// LINK: common/base/text.c common/facts/skip_code.c
#include "common/facts/pmu.c"

#include "test.h"

#include "common/facts/event.c"

static struct cpu_id id_of(const char *vendor, uint32_t family, uint32_t model,
                           uint8_t perfmon)
{
    struct cpu_id id = { .family = family, .model = model, .perfmon = perfmon };
    strcpy(id.vendor, vendor);
    return id;
}

static const char *found(const char *vendor, uint32_t family, uint32_t model,
                         uint8_t perfmon)
{
    struct cpu_id id = id_of(vendor, family, model, perfmon);
    const struct pmu *pmu = pmu_find(&id);
    return pmu ? pmu->name : "none";
}

TEST(a_processor_finds_its_counters)
{
    CHECK_TEXT(found("GenuineIntel", 6, 0x08, 0), "p6");
    CHECK_TEXT(found("GenuineIntel", 6, 0x0d, 0), "p6");
    CHECK_TEXT(found("GenuineIntel", 6, 0x0e, 1), "yonah");
    CHECK_TEXT(found("GenuineIntel", 6, 0x17, 2), "core2");
    CHECK_TEXT(found("GenuineIntel", 6, 0x1c, 3), "core2");
    CHECK_TEXT(found("GenuineIntel", 6, 0x37, 3), "silvermont");
    CHECK_TEXT(found("GenuineIntel", 6, 0x7a, 4), "silvermont");
    CHECK_TEXT(found("GenuineIntel", 6, 0x57, 3), "knl");
    CHECK_TEXT(found("GenuineIntel", 6, 0x5e, 4), "sandybridge");
    CHECK_TEXT(found("GenuineIntel", 6, 0x8f, 5), "tigerlake");
    CHECK_TEXT(found("GenuineIntel", 6, 0x97, 5), "hybrid");
    CHECK_TEXT(found("GenuineIntel", 6, 0xbf, 5), "hybrid");
    CHECK_TEXT(found("GenuineIntel", 6, 0x1a, 3), "nehalem");
    CHECK_TEXT(found("GenuineIntel", 6, 0x2f, 3), "nehalem");
    CHECK_TEXT(found("GenuineIntel", 6, 0x3c, 3), "haswell");
    CHECK_TEXT(found("GenuineIntel", 6, 0x4f, 3), "sandybridge");
    CHECK_TEXT(found("GenuineIntel", 18, 0x01, 6), "intel");
    CHECK_TEXT(found("AuthenticAMD", 0x10, 10, 0), "amd");
    CHECK_TEXT(found("AuthenticAMD", 0x19, 0x61, 0), "zen3");
    CHECK_TEXT(found("AuthenticAMD", 0x1a, 0x44, 0), "amd");
    CHECK_TEXT(found("HygonGenuine", 0x18, 1, 0), "hygon");
}

/* CPUID.1AH tells them apart; where it says nothing, the large one's event is tried. */
TEST(the_two_kinds_of_core_of_a_hybrid_count_taken_branches_by_different_events)
{
    static const struct {
        uint8_t core_type;
        const char *name;
        uint32_t umask;
    } cores[] = {
        { CORE_TYPE_ATOM, "gracemont", 0xc0 },
        { CORE_TYPE_CORE, "alderlake", 0x20 },
        { 0, "hybrid", 0x20 },
    };
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
        struct cpu_id id = id_of("GenuineIntel", 6, 0x9a, 5);
        id.core_type = cores[i].core_type;
        CHECK_TEXT(pmu_find(&id)->name, cores[i].name);
        CHECK(pmu_default(pmu_find(&id))->event == 0xc4 &&
              pmu_default(pmu_find(&id))->umask == cores[i].umask);
    }
    struct cpu_id skylake = id_of("GenuineIntel", 6, 0x5e, 4);
    skylake.core_type = CORE_TYPE_ATOM; /* no hybrid: it says nothing there */
    CHECK_TEXT(pmu_find(&skylake)->name, "sandybridge");
}

TEST(who_has_none_that_can_be_used_has_none)
{
    CHECK_TEXT(found("GenuineIntel", 15, 4, 0), "none");   /* NetBurst */
    CHECK_TEXT(found("GenuineIntel", 6, 0x5e, 0), "none"); /* CPUID denies them */
    CHECK_TEXT(found("CentaurHauls", 6, 15, 2), "none");
}

static const struct pmu *pmu(const char *vendor, uint32_t family, uint32_t model)
{
    static struct cpu_id id;
    id = id_of(vendor, family, model, 1);
    return pmu_find(&id);
}

TEST(taken_branches_have_another_number_everywhere)
{
    static const struct {
        const char *vendor;
        uint32_t family, model, event, umask;
    } rows[] = {
        { "GenuineIntel", 6, 0x08, 0xc9, 0 },    { "GenuineIntel", 6, 0x0f, 0xc4, 0x0c },
        { "GenuineIntel", 6, 0x37, 0xc4, 0x80 }, { "GenuineIntel", 6, 0x3c, 0xc4, 0x20 },
        { "GenuineIntel", 6, 0x97, 0xc4, 0x20 }, { "AuthenticAMD", 0x19, 0x61, 0xc4, 0 },
        { "GenuineIntel", 6, 0x1a, 0xc4, 0 }, /* Nehalem: all branches */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pmu_event *event =
            pmu_default(pmu(rows[i].vendor, rows[i].family, rows[i].model));
        CHECK(event->event == rows[i].event && event->umask == rows[i].umask);
        CHECK(event->others == (rows[i].model == 0x1a));
    }
    CHECK(!pmu_event_named(pmu("GenuineIntel", 6, 0x1a), EVENT_TAKEN));
}

TEST(which_far_transfers_count_is_data)
{
    uint32_t near = pmu_default(pmu("GenuineIntel", 6, 0x5e))->counts;
    uint32_t taken = pmu_default(pmu("GenuineIntel", 6, 0x0f))->counts;
    uint32_t amd = pmu_default(pmu("AuthenticAMD", 0x10, 10))->counts;
    CHECK(near & COUNTS(KIND_JCC) && near & COUNTS(KIND_RET) && near & COUNTS(KIND_ICALL));
    CHECK(!(near & (COUNTS(KIND_IRET) | COUNTS(KIND_FAR) | COUNTS(KIND_INT))));
    CHECK(taken & COUNTS(KIND_IRET) && taken & COUNTS(KIND_FAR) &&
          taken & COUNTS(KIND_INT));
    CHECK(!(taken & COUNTS(KIND_EXC)));
    CHECK(amd & COUNTS(KIND_EXC) && amd & COUNTS(KIND_IRET));
    CHECK(!((near | taken | amd) & COUNTS(KIND_DB)));
    CHECK(pmu_default(pmu("AuthenticAMD", 0x10, 10))->unsure == COUNTS(KIND_DB));
}

TEST(an_event_is_found_by_its_numbers)
{
    const struct pmu *core2 = pmu("GenuineIntel", 6, 0x0f);
    CHECK(pmu_event_of(core2, 0xc4, 0x0c) == &core2->taken);
    CHECK(pmu_event_of(core2, 0xc4, 0) == pmu_event_named(core2, EVENT_BRANCHES));
    CHECK(pmu_event_of(core2, 0x3c, 0) == pmu_event_named(core2, EVENT_CYCLES));
    CHECK(!pmu_event_of(core2, 0xc4, 0x20));
    CHECK(!pmu_event_of(core2, 0, 0));
    CHECK(pmu_event_named(pmu("GenuineIntel", 6, 8), EVENT_CYCLES)->event == 0x79);
    CHECK(pmu_event_named(pmu("AuthenticAMD", 15, 4), EVENT_CYCLES)->event == 0x76);
}

/* Of those that can be asked for. */
static uint32_t denied_of(const struct cpu_id *id)
{
    return id->events_denied & ((1u << PREDEFINED) - 1);
}

static uint32_t denied_by(uint32_t eax, uint32_t ebx)
{
    const uint32_t basic[4] = { eax, ebx, 0, 0 };
    struct cpu_id id = { .family = 6 };
    pmu_take(&id, &(struct perfmon_leaves){ .basic = basic });
    return denied_of(&id);
}

TEST(the_length_denies_what_it_does_not_reach)
{
    CHECK(denied_by(0x07280202, 0) == 0);
    CHECK(denied_by(0x07280202, 0x60) == 0x60);
    CHECK(denied_by(0x05280202, 0) == 0x60); /* five: neither branches nor the like */
    CHECK(denied_by(0x05280202, 0x01) == 0x61);
    CHECK(denied_by(0x00000001, 0) == 0x7f);
    CHECK(denied_by(0x0c280205, 0xffffff00) == 0); /* of those beyond nothing is asked */
}

static const char *word_of(struct skip_reason reason)
{
    static char word[64];
    struct text text = text_into(word, sizeof(word));
    skip_put(&text, &reason);
    return word;
}

/* Arrow Lake's small cores; all its cores have in common what 0AH says. */
static struct cpu_id skymont(uint32_t subleaves, uint32_t events)
{
    const uint32_t basic[] = { 0x0d300806, 0x280, 0x7, 0x8603 }, extended[][4] = {
        { subleaves, 0x3, 0x8, 0 }, { 0xff, 0x77 }, { 0 }, { events }
    };
    struct cpu_id id = id_of("GenuineIntel", 6, 0xc6, 6);
    pmu_take(&id, &(struct perfmon_leaves){
                      basic, { extended[0], extended[1], extended[2], extended[3] } });
    return id;
}

TEST(leaf_23_says_what_this_kind_of_core_has)
{
    struct cpu_id id = skymont(0xf, 0x1f7f);
    CHECK(denied_of(&id) == 0);
    CHECK(id.general_counters == 0xff && id.fixed_counters == 0x77);
    id = skymont(0xf, 0x1f5f);
    CHECK(denied_of(&id) == 0x20);
    CHECK_TEXT(word_of(pmu_lacks(&id, EVENT_BRANCHES)), "event-denied:branches");
    id = skymont(0xf, 0x1f00);
    CHECK_TEXT(pmu_lacks_all(&id),
               "CPUID (leaf 0AH or 23H) denies branches, instructions and cycles");
}

TEST(what_leaf_23_does_not_announce_leaf_0a_says)
{
    struct cpu_id id = skymont(0x7, 0x1f00);
    CHECK(denied_of(&id) == 0);
    CHECK(id.general_counters == 0xff && id.fixed_counters == 0x77);
    id = skymont(0x9, 0x1f00);
    CHECK(denied_of(&id) == 0x7f);
    CHECK(id.general_counters == 0xff && id.fixed_counters == 0x7);
    id = id_of("GenuineIntel", 6, 0xc6, 6);
    id.general_counters = id.events_denied = 1;
    pmu_take(&id, &(struct perfmon_leaves){ .basic = NULL });
    CHECK(!denied_of(&id) && !id.general_counters && !id.fixed_counters);
}

/* Bit 12 of either leaf, of a processor with architectural LBR and counters by CPUID. */
TEST(inserts_are_counted_where_their_event_is_there)
{
    struct cpu_id id = skymont(0xf, 0x1f7f);
    CHECK(!pmu_inserts(&id));
    id.arch_lbr = true;
    CHECK(pmu_inserts(&id));
    id.perfmon = 0; /* a hypervisor that has no counters */
    CHECK(!pmu_inserts(&id));
    id = skymont(0xf, 0x0f7f);
    id.arch_lbr = true;
    CHECK(!pmu_inserts(&id));
    id = skymont(0x7, 0); /* 0AH has thirteen, and denies two others */
    id.arch_lbr = true;
    CHECK(pmu_inserts(&id));
    const uint32_t lengths[][2] = { { 12, 0 }, { 13, 0x1000 }, { 13, 0 } };
    for (size_t i = 0; i < 3; i++) {
        const uint32_t basic[4] = { 0x300805 | lengths[i][0] << 24, lengths[i][1], 0, 3 };
        pmu_take(&id, &(struct perfmon_leaves){ .basic = basic });
        CHECK(!pmu_inserts(&id) == (i != 2));
    }
}

/* Intel's event files (intel/perfmon) have two, and none of some processors. */
TEST(inserts_that_no_leaf_announces_go_by_the_processor)
{
    static const struct {
        uint8_t number, core_type;
        uint16_t event; /* 0: none */
        uint8_t umask;
    } cpus[] = {
        { 0x2a, 0, 0xcc, 0x20 }, { 0x3f, 0, 0xcc, 0x20 }, { 0x5e, 0, 0xcc, 0x20 },
        { 0xa7, 0, 0xcc, 0x20 }, { 0x8f, 0, 0xcc, 0x20 }, { 0x97, 0x40, 0xcc, 0x20 },
        { 0xaa, 0x20, 0xe4, 1 }, { 0x97, 0x20, 0xe4, 1 }, { 0xaf, 0, 0xe4, 1 },
        { 0xbe, 0x20, 0xe4, 1 }, { 0x97, 0, 0, 0 },       { 0x1a, 0, 0, 0 },
        { 0x2c, 0, 0, 0 },       { 0x37, 0, 0, 0 },       { 0x5c, 0, 0, 0 },
        { 0x7a, 0, 0, 0 },       { 0x96, 0, 0, 0 },       { 0x57, 0, 0, 0 },
    };

    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        struct cpu_id id = id_of("GenuineIntel", 6, cpus[i].number, 4);
        const struct pmu_inserts *inserts;

        id.core_type = cpus[i].core_type;
        inserts = pmu_inserts(&id);
        CHECK((inserts ? inserts->event : 0) == cpus[i].event);
        CHECK((inserts ? inserts->umask : 0) == cpus[i].umask);
        id.perfmon = 0; /* a hypervisor that has no counters */
        CHECK(!pmu_inserts(&id));
        id.perfmon = 4;
        id.family = 0x12;
        CHECK(!pmu_inserts(&id));
    }
}

static const char *lacks(const char *vendor, uint32_t model, uint32_t denied_events,
                         enum event_name name)
{
    struct cpu_id id = id_of(vendor, vendor[0] == 'G' ? 6 : 0x19, model, 2);
    id.events_denied = denied_events;
    return word_of(pmu_lacks(&id, name));
}

TEST(a_denied_event_is_lacking_and_has_its_name)
{
    CHECK_TEXT(lacks("GenuineIntel", 0x1a, 0, EVENT_BRANCHES), "");
    CHECK_TEXT(lacks("GenuineIntel", 0x1a, 0x20, EVENT_BRANCHES), "event-denied:branches");
    CHECK_TEXT(lacks("GenuineIntel", 0x1a, 0x40, EVENT_MISPREDICTED),
               "event-denied:mispredicted");
    CHECK_TEXT(lacks("GenuineIntel", 0x1a, 0x02, EVENT_INSTRUCTIONS),
               "event-denied:instructions");
    CHECK_TEXT(lacks("GenuineIntel", 0x1a, 0x01, EVENT_CYCLES), "event-denied:core-cycles");
    CHECK_TEXT(lacks("GenuineIntel", 0x1a, 0x7f, EVENT_TAKEN), "no-event:taken");
    /* Those of a model's own list are not asked for there, nor any of AMD's. */
    CHECK_TEXT(lacks("GenuineIntel", 0x5e, 0x7f, EVENT_TAKEN), "");
    CHECK_TEXT(lacks("GenuineIntel", 0x08, 0x7f, EVENT_INSTRUCTIONS), "");
    CHECK_TEXT(lacks("AuthenticAMD", 0x61, 0x7f, EVENT_INSTRUCTIONS), "");
}

static const char *lacks_number(uint32_t denied_events, uint32_t event, uint32_t umask)
{
    struct cpu_id id = id_of("GenuineIntel", 6, 0x5e, 4);
    id.events_denied = denied_events;
    return word_of(pmu_lacks_number(&id, event, umask));
}

TEST(a_denied_event_is_known_by_its_numbers)
{
    CHECK_TEXT(lacks_number(0x20, 0xc4, 0), "event-denied:branches");
    CHECK_TEXT(lacks_number(0x20, 0xc4, 0x20), "");
    CHECK_TEXT(lacks_number(0x20, 0xc5, 0), "");
    CHECK_TEXT(lacks_number(0x04, 0x3c, 1), "event-denied:reference-cycles");
    CHECK_TEXT(lacks_number(0x08, 0x2e, 0x4f), "event-denied:cache-references");
    CHECK_TEXT(lacks_number(0x10, 0x2e, 0x41), "event-denied:cache-misses");
    CHECK_TEXT(lacks_number(0, 0x100, 0), "event-number");
}

static enum event_name first(uint32_t model, uint32_t denied_events)
{
    struct cpu_id id = id_of("GenuineIntel", 6, model, 2);
    id.events_denied = denied_events;
    CHECK(!pmu_lacks_all(&id) == (pmu_first(&id) != EVENT_MISPREDICTED));
    return pmu_first(&id);
}

TEST(the_counter_is_tried_by_what_is_left)
{
    CHECK(first(0x5e, 0x7f) == EVENT_TAKEN);
    CHECK(first(0x1a, 0x00) == EVENT_BRANCHES);
    CHECK(first(0x1a, 0x20) == EVENT_INSTRUCTIONS);
    CHECK(first(0x1a, 0x22) == EVENT_CYCLES);
    CHECK(first(0x1a, 0x23) == EVENT_MISPREDICTED); /* of which none need come */
}

TEST(only_what_a_manual_says_word_by_word_is_stated)
{
    CHECK(pmu("GenuineIntel", 6, 0x5e)->confidence == STATED);
    CHECK(pmu("GenuineIntel", 6, 0x8f)->confidence == STATED);
    CHECK(pmu("GenuineIntel", 6, 0x97)->confidence == UNCONFIRMED); /* two kinds */
    CHECK(pmu("GenuineIntel", 6, 0xb7)->confidence == UNCONFIRMED);
    CHECK(pmu("GenuineIntel", 6, 0x1a)->confidence == DERIVED);
    CHECK(pmu("AuthenticAMD", 0x19, 0x61)->confidence == DERIVED);
    CHECK(pmu("AuthenticAMD", 0x17, 0x71)->confidence == DERIVED);
    CHECK(pmu("AuthenticAMD", 0xf, 4)->confidence == UNCONFIRMED);
    CHECK(pmu("HygonGenuine", 0x18, 1)->confidence == UNCONFIRMED);
}

TEST(a_row_that_counts_far_transfers_is_not_stated)
{
    const uint32_t far = COUNTS(KIND_INT) | COUNTS(KIND_IRET) | COUNTS(KIND_FAR);
    for (size_t i = 0; i < pmu_count; i++)
        if (pmus[i].select && pmu_default(&pmus[i])->counts & far)
            CHECK(pmus[i].confidence != STATED);
}

TEST(every_row_that_can_be_used_is_whole)
{
    for (size_t i = 0; i < pmu_count; i++) {
        const struct pmu *row = &pmus[i];
        CHECK(row->name && row->about && row->vendor);
        if (!row->select)
            continue;
        CHECK(row->counter && row->others && row->source && row->confidence != UNSAID);
        CHECK(row->written == 32 || row->written == 48);
    }
}

TEST(numbers_are_read_and_written_alike)
{
    struct event_choice choice;
    char buffer[16];
    struct text out = text_into(buffer, sizeof buffer);
    CHECK(event_read("0x1c4/0x20", &choice) && choice.by == EVENT_BY_NUMBER);
    event_put(&out, choice.event, choice.umask);
    CHECK_TEXT(buffer, "0x1c4/0x20");
    CHECK(event_read("mispredicted", &choice) && choice.name == EVENT_MISPREDICTED);
    CHECK(!event_read("take", &choice) && !event_read("takenn", &choice));
}
