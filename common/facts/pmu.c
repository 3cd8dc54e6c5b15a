/*
 * pmu.h.  A processor takes the first row that fits it, so rows by number come before rows
 * by vendor.
 *
 * The manuals describe in words which transfers an event counts ("retired taken branch
 * instructions").  Which far transfers these words include is derived, and silicon may
 * differ.  So only a row of near transfers alone is marked as stated.
 */
#include "pmu.h"

#include "vendor.h"

#define HYGON "HygonGenuine"

/* MSRs.  SDM vol. 4, "IA-32 Architectural MSRs"; AMD64 APM vol. 2, "Performance
 * Monitoring Counters". */
#define PERFEVTSEL0     0x186
#define PMC0            0xc1
#define AMD_PERFEVTSEL0 0xc0010000
#define AMD_PERFCTR0    0xc0010004

#define NEAR                                                                       \
    (COUNTS(KIND_JCC) | COUNTS(KIND_JMP) | COUNTS(KIND_IJMP) | COUNTS(KIND_CALL) | \
     COUNTS(KIND_ICALL) | COUNTS(KIND_RET))
/* An instruction that leads elsewhere retires, a fault or an interrupt does not. */
#define INTEL_ALL (NEAR | COUNTS(KIND_INT) | COUNTS(KIND_IRET) | COUNTS(KIND_FAR))
/* "...including exceptions and interrupts": whether #DB, which no method records, is one?
 */
#define AMD_ALL .counts = INTEL_ALL | COUNTS(KIND_EXC), .unsure = COUNTS(KIND_DB)

/* SDM vol. 3B, "Pre-defined Architectural Performance Events"; P6's are the same but one.
 */
#define INTEL_OTHERS(cycles)                                                       \
    {                                                                              \
        [EVENT_BRANCHES] = { .event = 0xc4, .counts = INTEL_ALL, .others = true }, \
        [EVENT_INSTRUCTIONS] = { .event = 0xc0, .others = true, .insns = true },   \
        [EVENT_CYCLES] = { .event = (cycles), .others = true, .time = true },      \
        [EVENT_MISPREDICTED] = { .event = 0xc5, .others = true },                  \
    }
static const struct pmu_event architectural[EVENT_NAMES] = INTEL_OTHERS(0x3c);
static const struct pmu_event of_p6[EVENT_NAMES] = INTEL_OTHERS(0x79);
static const struct pmu_event of_amd[EVENT_NAMES] = {
    [EVENT_BRANCHES] = { .event = 0xc2, AMD_ALL, .others = true },
    [EVENT_INSTRUCTIONS] = { .event = 0xc0, .others = true, .insns = true },
    [EVENT_CYCLES] = { .event = 0x76, .others = true, .time = true },
    [EVENT_MISPREDICTED] = { .event = 0xc3, .others = true },
};

#define ARCHITECTURAL_EVENTS "SDM vol. 3B, \"Pre-defined Architectural Performance Events\""
#define SDM_EVENTS           "SDM vol. 3B, \"Performance-Monitoring Events\""
#define AMD_EVENTS                                                                 \
    "AMD's Processor Programming References, PMCx0C4: taken branches, exceptions " \
    "and interrupts included"
#define INTEL_REGISTERS \
    .vendor = INTEL, .select = PERFEVTSEL0, .counter = PMC0, .written = 32

#define NUMBERS(...)            \
    .numbers = { __VA_ARGS__ }, \
    .number_count = sizeof((const uint16_t[]){ __VA_ARGS__ }) / sizeof(uint16_t)

#define NEAR_TAKEN                                                                      \
    .taken = { .event = 0xc4, .umask = 0x20, .counts = NEAR }, .others = architectural, \
    .source = SDM_EVENTS ", BR_INST_RETIRED.NEAR_TAKEN"
#define AMD_COUNTERS                                                                      \
    .select = AMD_PERFEVTSEL0, .counter = AMD_PERFCTR0, .written = 48, .keeps_lvt = true, \
    .high_events = true, .taken = { .event = 0xc4, AMD_ALL }, .others = of_amd,           \
    .source = AMD_EVENTS

const struct pmu pmus[] = {
    {
        .name = "p6",
        .about = "Pentium Pro to Pentium III, Pentium M",
        .family = 6,
        NUMBERS(0x01, 0x03, 0x05, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0d),
        INTEL_REGISTERS,
        .taken = { .event = 0xc9, .counts = INTEL_ALL },
        .others = of_p6,
        .source = "SDM vol. 3B, \"P6 Family Processor Performance-Monitoring Events\", "
                  "BR_TAKEN_RETIRED",
        .confidence = DERIVED,
    },
    {
        .name = "yonah",
        .about = "Core Solo and Duo",
        .family = 6,
        NUMBERS(0x0e),
        .by_cpuid = true,
        INTEL_REGISTERS,
        .taken = { .event = 0xc9, .counts = INTEL_ALL },
        .others = architectural,
        .source = SDM_EVENTS ", Br_Taken_Ret",
        .confidence = DERIVED,
    },
    {
        .name = "core2",
        .about = "Core 2, and Atom of 45 and 32 nm",
        .family = 6,
        NUMBERS(0x0f, 0x16, 0x17, 0x1d, 0x1c, 0x26, 0x27, 0x35, 0x36),
        .by_cpuid = true,
        INTEL_REGISTERS,
        .taken = { .event = 0xc4, .umask = 0x0c, .counts = INTEL_ALL },
        .others = architectural,
        .source = SDM_EVENTS ", BR_INST_RETIRED.TAKEN",
        .confidence = DERIVED,
    },
    {
        .name = "silvermont",
        .about = "Silvermont, Airmont, Goldmont, Tremont",
        .family = 6,
        NUMBERS(0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d, 0x5c, 0x5f, 0x7a, 0x86, 0x96, 0x9c,
                0x8a),
        .by_cpuid = true,
        INTEL_REGISTERS,
        .taken = { .event = 0xc4, .umask = 0x80, .counts = INTEL_ALL },
        .others = architectural,
        .source = SDM_EVENTS ", BR_INST_RETIRED.ALL_TAKEN_BRANCHES",
        .confidence = DERIVED,
    },
    {
        .name = "knl",
        .about = "Knights Landing and Knights Mill",
        .family = 6,
        NUMBERS(0x57, 0x85),
        .by_cpuid = true,
        INTEL_REGISTERS,
        .taken = { .event = 0xc4, .umask = 0x80, .counts = INTEL_ALL },
        .others = architectural,
        .source = "as Silvermont; their own list of events has no such",
        .confidence = UNCONFIRMED,
    },
    {
        .name = "nehalem",
        .about = "Nehalem and Westmere: no event of taken branches alone is known",
        .family = 6,
        NUMBERS(0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f),
        .by_cpuid = true,
        INTEL_REGISTERS,
        .small_periods_fail = true, /* rule count-small-period */
        .needs_first_writes = true, /* rule count-nehalem      */
        .others = architectural,
        .source = ARCHITECTURAL_EVENTS,
        .confidence = DERIVED,
    },
    {
        .name = "sandybridge",
        .about = "Sandy and Ivy Bridge, and the large cores from Broadwell to Ice Lake",
        .family = 6,
        NUMBERS(0x2a, 0x2d, 0x3a, 0x3e, 0x3d, 0x47, 0x4f, 0x56, 0x4e, 0x5e, 0x55, 0x8e,
                0x9e, 0xa5, 0xa6, 0x66, 0x6a, 0x6c, 0x7d, 0x7e),
        .by_cpuid = true,
        INTEL_REGISTERS,
        NEAR_TAKEN,
        .confidence = STATED,
    },
    {
        .name = "haswell",
        .about = "Haswell",
        .family = 6,
        NUMBERS(0x3c, 0x3f, 0x45, 0x46),
        .by_cpuid = true,
        INTEL_REGISTERS,
        .small_periods_fail = true,
        NEAR_TAKEN,
        .confidence = STATED,
    },
    {
        .name = "tigerlake",
        .about = "the same, later ones, but hybrids",
        .family = 6,
        NUMBERS(0x9d, 0x8c, 0x8d, 0xa7, 0xa8, 0x8f, 0xcf, 0xad, 0xae),
        .by_cpuid = true,
        INTEL_REGISTERS,
        NEAR_TAKEN,
        .confidence = STATED,
    },
    {
        .name = "gracemont",
        .about = "the small cores of the hybrids Alder and Raptor Lake",
        .family = 6,
        NUMBERS(0x97, 0x9a, 0xb7, 0xba, 0xbf),
        .core_type = CORE_TYPE_ATOM,
        .by_cpuid = true,
        INTEL_REGISTERS,
        .taken = { .event = 0xc4, .umask = 0xc0, .counts = NEAR },
        .others = architectural,
        .source = "Linux, tools/perf/pmu-events/arch/x86/alderlaken/pipeline.json, "
                  "BR_INST_RETIRED.NEAR_TAKEN",
        .confidence = DERIVED,
    },
    {
        .name = "alderlake",
        .about = "the large cores of the hybrids Alder and Raptor Lake",
        .family = 6,
        NUMBERS(0x97, 0x9a, 0xb7, 0xba, 0xbf),
        .core_type = CORE_TYPE_CORE,
        .by_cpuid = true,
        INTEL_REGISTERS,
        NEAR_TAKEN,
        .confidence = STATED,
    },
    {
        .name = "hybrid",
        .about = "Alder and Raptor Lake, if CPUID.1AH does not say which core it is",
        .family = 6,
        NUMBERS(0x97, 0x9a, 0xb7, 0xba, 0xbf),
        .by_cpuid = true,
        INTEL_REGISTERS,
        NEAR_TAKEN,
        .confidence = UNCONFIRMED,
    },
    {
        .name = "netburst",
        .about = "NetBurst: counters of another kind, which are not used",
        .vendor = INTEL,
        .family = 0xf,
    },
    {
        .name = "intel",
        .about = "any other: no event of taken branches alone is known",
        .by_cpuid = true,
        INTEL_REGISTERS,
        .others = architectural,
        .source = ARCHITECTURAL_EVENTS,
        .confidence = DERIVED,
    },
    {
        .name = "zen",
        .about = "Zen, Zen+ and Zen 2",
        .vendor = AMD,
        .family = 0x17,
        AMD_COUNTERS "; near branches of a Zen 2 were counted exactly, and each interrupt "
                     "added one (pH14/harmony a34d836a, constants-pack.md)",
        .confidence = DERIVED,
    },
    {
        .name = "zen3",
        .about = "Zen 3 and 4: branch sampling counts by the same number (Linux, brs.c)",
        .vendor = AMD,
        .family = 0x19,
        AMD_COUNTERS,
        .confidence = DERIVED,
    },
    {
        .name = "amd",
        .about = "any other AMD from K8 on: that the number is this one is unconfirmed",
        .vendor = AMD,
        AMD_COUNTERS,
        .confidence = UNCONFIRMED,
    },
    {
        .name = "hygon",
        .about = "Hygon Dhyana, as AMD's",
        .vendor = HYGON,
        AMD_COUNTERS,
        .confidence = UNCONFIRMED,
    },
};
const size_t pmu_count = sizeof pmus / sizeof pmus[0];

const char *const event_names[EVENT_NAMES] = {
    [EVENT_TAKEN] = "taken",
    [EVENT_BRANCHES] = "branches",
    [EVENT_INSTRUCTIONS] = "instructions",
    [EVENT_CYCLES] = "cycles",
    [EVENT_MISPREDICTED] = "mispredicted",
};

/*
 * SDM vol. 3B, "Pre-defined Architectural Performance Events": by their bits in
 * CPUID.0AH:EBX.  An event of a model's own list is none of them, whatever its umask.
 */
static const struct {
    uint16_t event;
    uint8_t umask;
    const char *name; /* in a skip's reason */
} predefined[] = {
    { 0x3c, 0x00, "core-cycles" },      { 0xc0, 0x00, "instructions" },
    { 0x3c, 0x01, "reference-cycles" }, { 0x2e, 0x4f, "cache-references" },
    { 0x2e, 0x41, "cache-misses" },     { 0xc4, 0x00, "branches" },
    { 0xc5, 0x00, "mispredicted" },
};
_Static_assert(sizeof predefined / sizeof predefined[0] == PREDEFINED, "as pmu.h says");

static bool fits(const struct pmu *row, const struct cpu_id *id)
{
    if (!text_same(row->vendor, id->vendor) || (row->by_cpuid && !id->perfmon))
        return false;
    if (row->core_type && row->core_type != id->core_type)
        return false;
    if (!row->number_count)
        return !row->family || row->family == id->family;
    for (size_t i = 0; i < row->number_count; i++)
        if (row->family == id->family && row->numbers[i] == id->model)
            return true;
    return false;
}

const struct pmu *pmu_find(const struct cpu_id *id)
{
    for (size_t i = 0; i < pmu_count; i++)
        if (fits(&pmus[i], id))
            return pmus[i].select ? &pmus[i] : NULL;
    return NULL;
}

const struct pmu_event *pmu_event_named(const struct pmu *row, enum event_name name)
{
    const struct pmu_event *event = name == EVENT_TAKEN ? &row->taken : &row->others[name];
    return event->event ? event : NULL;
}

enum event_name pmu_default_name(const struct pmu *row)
{
    return row->taken.event ? EVENT_TAKEN : EVENT_BRANCHES;
}

const struct pmu_event *pmu_default(const struct pmu *row)
{
    enum event_name name = pmu_default_name(row);
    return name == EVENT_TAKEN ? &row->taken : &row->others[name];
}

const struct pmu_event *pmu_event_of(const struct pmu *row, uint32_t number, uint32_t umask)
{
    for (enum event_name i = 0; i < EVENT_NAMES; i++) {
        const struct pmu_event *event = pmu_event_named(row, i);
        if (event && event->event == number && event->umask == umask)
            return event;
    }
    return NULL;
}

void event_put(struct text *out, uint32_t event, uint32_t umask)
{
    text_string(out, "0x");
    text_hex(out, event);
    text_string(out, "/0x");
    text_hex(out, umask);
}

enum { EAX, EBX, ECX, EDX };

/* SDM vol. 2A, "CPUID", leaf 0AH. */
#define BASIC_GENERAL_SHIFT 8 /* EAX: how many counters */
#define BASIC_GENERAL_MASK  0xffu
#define BASIC_EVENTS_SHIFT  24    /* the number of events that EBX describes */
#define BASIC_FIXED_MASK    0x1fu /* EDX */
#define EVENT_INSERTS       12    /* the bit of LBR inserts, here and there        */

/* CPUID leaf 23H. */
#define EXTENDED_COUNTERS 1 /* subleaf: EAX general ones, EBX fixed ones    */
#define EXTENDED_EVENTS   3 /* subleaf: a set bit of EAX is an event that exists */

static uint32_t ones(uint32_t count)
{
    return count < 32 ? (1u << count) - 1 : ~0u;
}

static const uint32_t *announced(const struct perfmon_leaves *leaves, size_t subleaf)
{
    const uint32_t *first = leaves->extended[0];
    return first && first[EAX] >> subleaf & 1 ? leaves->extended[subleaf] : NULL;
}

static uint32_t events_of(const uint32_t *basic)
{
    return basic ? ~basic[EBX] & ones(basic[EAX] >> BASIC_EVENTS_SHIFT) : ones(PREDEFINED);
}

void pmu_take(struct cpu_id *id, const struct perfmon_leaves *leaves)
{
    const uint32_t *basic = leaves->basic;
    const uint32_t *counters = announced(leaves, EXTENDED_COUNTERS);
    const uint32_t *events = announced(leaves, EXTENDED_EVENTS);

    id->events_denied = ~(events ? events[EAX] : events_of(basic));
    id->general_counters = id->fixed_counters = 0;
    if (counters) {
        id->general_counters = counters[EAX];
        id->fixed_counters = counters[EBX];
    } else if (basic) {
        id->general_counters = ones(basic[EAX] >> BASIC_GENERAL_SHIFT & BASIC_GENERAL_MASK);
        id->fixed_counters = ones(basic[EDX] & BASIC_FIXED_MASK);
    }
}

/* The event of records that enter the LBR stack, where CPUID does not announce one. */
#define INSERTS_SOURCE(event) "intel/perfmon 6dadedf3, " event
static const struct pmu_inserts inserts_by_cpuid = {
    .event = 0xe4,
    .umask = 0x01,
    .source = "Linux, tools/perf/pmu-events/arch/x86/alderlaken/pipeline.json, "
              "MISC_RETIRED.LBR_INSERTS: \"Counts the number of LBR entries recorded\"",
};
static const struct {
    uint8_t numbers[32];
    uint8_t core_type; /* 0: any */
    struct pmu_inserts inserts;
} inserts_by_number[] = {
    { .numbers = { 0x2a, 0x2d, 0x3a, 0x3e, 0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47,
                   0x4f, 0x56, 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6, 0x55, 0x6a,
                   0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0xa7, 0x8f, 0xcf, 0xad, 0xae },
      .inserts = { 0xcc, 0x20, INSERTS_SOURCE("ROB_MISC_EVENTS.LBR_INSERTS") } },
    { .numbers = { 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5 },
      .core_type = CORE_TYPE_CORE,
      .inserts = { 0xcc, 0x20, INSERTS_SOURCE("MISC_RETIRED.LBR_INSERTS") } },
    { .numbers = { 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5 },
      .core_type = CORE_TYPE_ATOM,
      .inserts = { 0xe4, 0x01, INSERTS_SOURCE("LBR_INSERTS.ANY") } },
    { .numbers = { 0xaf, 0xb6, 0xdd, 0xbe },
      .inserts = { 0xe4, 0x01, INSERTS_SOURCE("LBR_INSERTS.ANY") } },
};

const struct pmu_inserts *pmu_inserts(const struct cpu_id *id)
{
    const struct pmu *row = pmu_find(id);

    if (!row || !row->by_cpuid)
        return NULL;
    if (id->arch_lbr && !(id->events_denied >> EVENT_INSERTS & 1))
        return &inserts_by_cpuid;
    for (size_t i = 0; i < sizeof inserts_by_number / sizeof inserts_by_number[0]; i++) {
        const uint8_t *number = inserts_by_number[i].numbers;
        const uint8_t type = inserts_by_number[i].core_type;

        while (*number && *number != id->model)
            number++;
        if (id->family == 6 && *number && (!type || type == id->core_type))
            return &inserts_by_number[i].inserts;
    }
    return NULL;
}

const char *pmu_denied(const struct cpu_id *id, size_t bit)
{
    const struct pmu *row = pmu_find(id);
    bool is_denied =
        row && row->by_cpuid && bit < PREDEFINED && id->events_denied >> bit & 1;

    return is_denied ? predefined[bit].name : NULL;
}

static struct skip_reason denied(const struct cpu_id *id, uint32_t event, uint32_t umask)
{
    for (size_t i = 0; i < PREDEFINED; i++)
        if (predefined[i].event == event && predefined[i].umask == umask &&
            pmu_denied(id, i))
            return (struct skip_reason){ SKIP_EVENT_DENIED, predefined[i].name };
    return (struct skip_reason){ SKIP_NOTHING, NULL };
}

struct skip_reason pmu_lacks(const struct cpu_id *id, enum event_name name)
{
    const struct pmu *row = pmu_find(id);
    const struct pmu_event *event = row ? pmu_event_named(row, name) : NULL;

    return event ? denied(id, event->event, event->umask)
                 : (struct skip_reason){ SKIP_NO_EVENT, event_names[name] };
}

#define EVENT_LOW_MAX 0xffu

struct skip_reason pmu_lacks_number(const struct cpu_id *id, uint32_t event, uint32_t umask)
{
    const struct pmu *row = pmu_find(id);

    if (row && !row->high_events && event > EVENT_LOW_MAX)
        return (struct skip_reason){ SKIP_EVENT_NUMBER, NULL };
    return denied(id, event, umask);
}

enum event_name pmu_with_far(const struct pmu *row)
{
    return row->taken.counts & COUNTS(KIND_IRET) ? EVENT_TAKEN : EVENT_BRANCHES;
}

/* Nobody knows how often branches are mispredicted, so that event proves nothing. */
enum event_name pmu_first(const struct cpu_id *id)
{
    enum event_name name = EVENT_TAKEN;
    while (name < EVENT_MISPREDICTED && pmu_lacks(id, name).code)
        name++;
    return name;
}

const char *pmu_lacks_all(const struct cpu_id *id)
{
    if (!pmu_find(id))
        return "no counters of this processor are known, or CPUID.0AH denies them";
    return pmu_first(id) == EVENT_MISPREDICTED
               ? "CPUID (leaf 0AH or 23H) denies branches, instructions and cycles"
               : NULL;
}

bool pmu_tells_late(const struct pmu_event *event)
{
    return event && !event->time;
}
