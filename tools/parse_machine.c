/*
 * The lines about the machine, and what was found by trying.
 */
#include "parse.h"

#include <string.h>

bool parse_opening(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (log->opened)
        return here(log, "a second opening line");
    log->opened = true;
    if (!line_fields(line, "log=d", v))
        return false;
    if (v[0].number != LOG_VERSION)
        return trouble(log, log->line,
                       "a log of version %.*s, this program reads version %d",
                       SPAN(v[0].text), LOG_VERSION);
    if (!line_fields(line, "build=w", v + 1))
        return false;
    log->build = v[1].text;
    return true;
}

bool parse_firmware(struct line *line)
{
    struct value v[2];

    if (!once(line, &line->log->firmware_line) ||
        !line_fields(line, "vendor=q revision=x", v))
        return false;
    line->log->vendor = v[0].text;
    line->log->revision = v[1].text;
    return true;
}

bool parse_bios(struct line *line)
{
    struct log *log = line->log;
    struct value v[4];

    if (!once(line, &log->bios_line) ||
        !line_fields(line, "vendor=q version=q date=q secure_boot=w", v))
        return false;
    log->bios_vendor = v[0].text;
    log->bios_version = v[1].text;
    log->bios_date = v[2].text;
    log->secure_boot = v[3].text;
    return span_is(v[3].text, "on") || span_is(v[3].text, "off") ||
           span_is(v[3].text, "unknown") ||
           trouble(log, log->line, "bios: got secure_boot=%.*s, want on, off or unknown",
                   SPAN(v[3].text));
}

bool parse_system(struct line *line)
{
    struct log *log = line->log;
    struct value v[4];

    if (!once(line, &log->system_line) ||
        !line_fields(line, "vendor=q product=q board_vendor=q board_product=q", v))
        return false;
    log->system_vendor = v[0].text;
    log->system_product = v[1].text;
    log->board_vendor = v[2].text;
    log->board_product = v[3].text;
    return true;
}

static bool tells_of_a_port(struct span from)
{
    return span_is(from, "option") || span_is(from, "spcr") || span_is(from, "dbg2") ||
           span_is(from, "com") || span_is(from, "pci");
}

/* Which port the log came by, if any.  Logs of older builds do not say. */
bool parse_serial(struct line *line)
{
    struct log *log = line->log;
    struct value head[2], v[8];

    if (!once(line, &log->serial_line) || !line_fields(line, "from=w tried=d", head))
        return false;
    if (span_is(head[0].text, "none"))
        return true;
    if (!tells_of_a_port(head[0].text))
        return trouble(log, log->line,
                       "serial: got from=%.*s, want option, spcr, dbg2, com, pci or none",
                       SPAN(head[0].text));
    if (!line_fields(line,
                     "space=w at=x stride=d width=d clock=d baud=d divisor=d before=d", v))
        return false;
    if (!span_is(v[0].text, "io") && !span_is(v[0].text, "mmio"))
        return trouble(log, log->line, "serial: got space=%.*s, want io or mmio",
                       SPAN(v[0].text));
    for (size_t i = 2; i <= 3; i++)
        if (v[i].number != 1 && v[i].number != 2 && v[i].number != 4)
            return trouble(log, log->line, "serial: got %s=%.*s, want 1, 2 or 4",
                           i == 2 ? "stride" : "width", SPAN(v[i].text));
    return true;
}

bool parse_cpu(struct line *line)
{
    struct log *log = line->log;
    struct value v[8];

    if (!once(line, &log->cpu.line) ||
        !line_fields(line,
                     "vendor=q family=x model=x stepping=x signature=x microcode=x "
                     "hypervisor=q brand=q",
                     v))
        return false;
    if (v[0].text.length >= sizeof(log->cpu.id.vendor))
        return trouble(log, log->line, "cpu: vendor of %zu letters, want at most %zu",
                       v[0].text.length, sizeof(log->cpu.id.vendor) - 1);
    memcpy(log->cpu.id.vendor, v[0].text.at, v[0].text.length);
    log->cpu.id.family = (uint32_t)v[1].number;
    log->cpu.id.model = (uint32_t)v[2].number;
    log->cpu.id.stepping = (uint32_t)v[3].number;
    log->cpu.signature = v[4].number;
    log->cpu.microcode = v[5].text;
    log->cpu.hypervisor = v[6].text;
    log->cpu.brand = v[7].text;
    return true;
}

#define AMD_LBR_V2_DEPTH_MAX      63         /* CPUID.80000022H:EBX[9:4] */
#define PERF_CAPABILITIES_LBR_FMT 0x3f       /* SDM vol. 4, IA32_PERF_CAPABILITIES */
#define MISC_ENABLE_NO_BTS        (1u << 11) /* SDM vol. 4, IA32_MISC_ENABLE */

bool parse_features(struct line *line)
{
    struct cpu_id *id = &line->log->cpu.id;
    struct value v[11];

    if (!once(line, &line->log->cpu.features_line) ||
        !line_fields(
            line,
            "ds=b dtes64=b ds_cpl=b pdcm=b arch_lbr=b arch_lbr_depths=x "
            "amd_lbr_v2=b amd_lbr_v2_depth=d perf_capabilities=a perfmon=d misc_enable=a",
            v))
        return false;
    id->ds = v[0].number;
    id->dtes64 = v[1].number;
    id->ds_cpl = v[2].number;
    id->pdcm = v[3].number;
    id->arch_lbr = v[4].number;
    id->arch_lbr_depths = (uint8_t)v[5].number;
    id->amd_lbr_v2 = v[6].number;
    id->amd_lbr_v2_depth = (uint8_t)v[7].number;
    id->lbr_format = (uint8_t)(v[8].number & PERF_CAPABILITIES_LBR_FMT);
    id->perfmon = (uint8_t)v[9].number;
    line->log->cpu.no_bts = v[10].number & MISC_ENABLE_NO_BTS;
    if (v[7].number > AMD_LBR_V2_DEPTH_MAX)
        return trouble(line->log, line->log->line,
                       "features: amd_lbr_v2_depth=%.*s, want at most %d", SPAN(v[7].text),
                       AMD_LBR_V2_DEPTH_MAX);
    if (v[9].number > UINT8_MAX)
        return trouble(line->log, line->log->line, "features: perfmon=%.*s, want 8 bits",
                       SPAN(v[9].text));
    return v[5].number <= UINT8_MAX ||
           trouble(line->log, line->log->line,
                   "features: arch_lbr_depths=%.*s, want 8 bits", SPAN(v[5].text));
}

#define LEAF_SERIAL       3 /* the processor serial number: no business of a log */
#define LEAF_PERFMON      0xa
#define LEAF_ARCH_LBR     0x1c
#define LEAF_AMD_PERFMON  0x80000022
#define LEAF_AMD_FEATURES 0x80000008
#define AMD_BRS           (1u << 31) /* EBX */
#define AMD_FREEZES       (1u << 2)  /* EAX: LBR and counters, by the interrupt */
#define LEAF_FEATURES     1          /* EAX is the signature */

/* Held against what the line `cpu` took from the same leaf. */
static bool leaf_agrees(struct log *log, const struct leaf *leaf)
{
    return leaf->number != LEAF_FEATURES || leaf->registers[0] == log->cpu.signature ||
           trouble(log, log->line,
                   "cpuid: eax=0x%x of leaf 1, but signature=0x%llx in line %zu",
                   leaf->registers[0], (unsigned long long)log->cpu.signature,
                   log->cpu.line);
}

bool parse_cpuid(struct line *line)
{
    struct log *log = line->log;
    struct value v[6];
    struct leaf leaf = { .line = log->line };

    if (!log->cpu.line)
        return here(log, "cpuid: want it after cpu");
    if (!line_fields(line, "leaf=x subleaf=x eax=x ebx=x ecx=x edx=x", v))
        return false;
    for (size_t i = 0; i < COUNT_OF(v); i++)
        if (v[i].number > UINT32_MAX)
            return trouble(log, log->line, "cpuid: got %.*s, want 32 bits",
                           SPAN(v[i].text));
    leaf.number = (uint32_t)v[0].number;
    leaf.subleaf = (uint32_t)v[1].number;
    for (size_t i = 0; i < COUNT_OF(leaf.registers); i++)
        leaf.registers[i] = (uint32_t)v[2 + i].number;
    if (leaf.number == LEAF_SERIAL)
        return here(log, "cpuid: leaf 3 is a serial number, which no log has");
    for (size_t i = 0; i < log->cpu.leaf_count; i++)
        if (log->cpu.leaves[i].number == leaf.number &&
            log->cpu.leaves[i].subleaf == leaf.subleaf)
            return trouble(log, log->line,
                           "cpuid: leaf %.*s again; the first is in line %zu",
                           SPAN(v[0].text), log->cpu.leaves[i].line);
    log->cpu.leaves =
        more_room(log->cpu.leaves, &log->cpu.leaf_room, log->cpu.leaf_count, sizeof(leaf));
    log->cpu.leaves[log->cpu.leaf_count++] = leaf;
    if (leaf.number == LEAF_ARCH_LBR && leaf.subleaf == 0) {
        log->cpu.id.arch_lbr_linear = leaf.registers[0] >> 31;
        log->cpu.id.arch_lbr_filters = (uint8_t)(leaf.registers[1] & ARCH_LBR_FILTERS);
        log->cpu.id.arch_lbr_fields = (uint8_t)(leaf.registers[2] & ARCH_LBR_FIELDS);
    }
    if (leaf.number == LEAF_PERFMON)
        log->cpu.id.events_denied = pmu_denied(leaf.registers[0], leaf.registers[1]);
    if (leaf.number == LEAF_AMD_FEATURES)
        log->cpu.id.amd_brs = leaf.registers[1] & AMD_BRS;
    if (leaf.number == LEAF_AMD_PERFMON)
        log->cpu.id.amd_freezes = leaf.registers[0] & AMD_FREEZES;
    return leaf_agrees(log, &leaf);
}

bool parse_model(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];
    size_t depth;

    if (!once(line, &log->cpu.model_line) || !line_fields(line, "name=w lbr_depth=d", v))
        return false;
    if (!log->cpu.line || !log->cpu.features_line)
        return here(log, "model: want it after cpu and features");
    log->cpu.row = model_find(&log->cpu.id);
    depth = log->cpu.row ? model_lbr_depth(log->cpu.row, &log->cpu.id) : 0;
    log->cpu.lbr_depth = depth;
    if (span_is(v[0].text, log->cpu.row ? log->cpu.row->name : "unknown") &&
        v[1].number == depth)
        return true;
    return trouble(
        log, log->line,
        "model: got name=%.*s lbr_depth=%.*s, want name=%s lbr_depth=%zu: that is "
        "the row of family 0x%x model 0x%x",
        SPAN(v[0].text), SPAN(v[1].text), log->cpu.row ? log->cpu.row->name : "unknown",
        depth, log->cpu.id.family, log->cpu.id.model);
}

bool parse_image(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (!once(line, &log->image_line) || !line_fields(line, "base=x size=x", v))
        return false;
    log->image_at = v[0].number;
    log->image_size = v[1].number;
    return log->image_at + log->image_size >= log->image_at ||
           here(log, "image: it does not fit the address space");
}

#define CALL_LENGTH_MAX 15 /* of any instruction */

bool parse_caller(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (!once(line, &log->caller_line) || !line_fields(line, "call=x return=x", v))
        return false;
    log->call = v[0].number;
    log->back = v[1].number;
    /* The highest two addresses stand for ends that a method cannot or did not tell. */
    return (log->call < log->back && log->back < BRANCH_MISSING &&
            log->back - log->call <= CALL_LENGTH_MAX) ||
           here(log, "caller: want return= the instruction after call=");
}

/* A command may probe again.  What comes of it should be the same; judge() says so. */
static bool probed_again(struct log *log, struct facility_found *found,
                         enum finding finding)
{
    if (finding != found->finding && !found->other_line) {
        found->other = finding;
        found->other_line = log->line;
    }
    return true;
}

bool parse_facility(struct line *line)
{
    struct value v[3];
    size_t facility = 0;
    enum finding finding = WORKS;

    tell_facility(line);
    if (!line_fields(line, "name=w outcome=w evidence=q", v))
        return false;
    while (facility < FACILITY_COUNT && !span_is(v[0].text, facility_names[facility]))
        facility++;
    while (finding < FINDING_COUNT && !span_is(v[1].text, finding_name(finding)))
        finding++;
    if (facility == FACILITY_COUNT)
        return trouble(line->log, line->log->line,
                       "facility: got name=%.*s, want step, btf, lbr, bts, tr, pmi, ler, "
                       "freeze or brs",
                       SPAN(v[0].text));
    if (finding == FINDING_COUNT)
        return trouble(line->log, line->log->line,
                       "facility: got outcome=%.*s, want works, deviates, dead, faults, "
                       "absent or avoided",
                       SPAN(v[1].text));
    if (line->log->by_command && line->log->cpu.facilities[facility].line)
        return probed_again(line->log, &line->log->cpu.facilities[facility], finding);
    if (!once(line, &line->log->cpu.facilities[facility].line))
        return false;
    if ((finding == AVOIDED) !=
        (avoided_facility(line->log, facility_names[facility]) != NULL))
        return trouble(line->log, line->log->line,
                       "facility: got name=%.*s outcome=%.*s, which a line \"avoid "
                       "facility=%.*s\" before it must go with",
                       SPAN(v[0].text), SPAN(v[1].text), SPAN(v[0].text));
    line->log->cpu.facilities[facility].finding = finding;
    line->log->cpu.facilities[facility].evidence = v[2].text;
    return true;
}

bool in_image(const struct log *log, uint64_t at, uint64_t size)
{
    uint64_t offset = at - log->image_at; /* below the image: far above it */

    return offset <= log->image_size && size <= log->image_size - offset;
}

bool machine_told(struct log *log, const char *before)
{
    const struct {
        size_t line;
        const char *word;
    } wanted[] = {
        { log->firmware_line, "firmware" },     { log->cpu.line, "cpu" },
        { log->cpu.features_line, "features" }, { log->cpu.model_line, "model" },
        { log->image_line, "image" },           { log->caller_line, "caller" },
    };

    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        if (!wanted[i].line)
            return trouble(log, log->line, "%s: no line \"%s\" before it", before,
                           wanted[i].word);
    return true;
}

bool facilities_told(struct log *log, unsigned needs)
{
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (needs & NEEDS(i) && !log->cpu.facilities[i].line)
            return trouble(log, log->line, "plan: no line \"facility name=%s\" before it",
                           facility_names[i]);
    return true;
}

bool machine_known(struct log *log)
{
    if (!machine_told(log, "plan"))
        return false;
    if (!facilities_told(log, NEEDS(FACILITY_STEP) | NEEDS(FACILITY_BTF) |
                                  NEEDS(FACILITY_LBR) | NEEDS(FACILITY_BTS)))
        return false;
    if (log->processors_line && log->processor_count != log->processors_started)
        return trouble(
            log, log->line,
            "plan: %zu lines \"processor\" before it, want %llu, as many as were "
            "started",
            log->processor_count, (unsigned long long)log->processors_started);
    return in_image(log, log->call, log->back - log->call) ||
           trouble(log, log->caller_line,
                   "caller: call=0x%llx is not in the image of line %zu",
                   (unsigned long long)log->call, log->image_line);
}
