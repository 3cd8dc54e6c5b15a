/*
 * The lines of one processor: who it is, what CPUID said of it word for word, and the row
 * of the model table that follows.  One fact stands in several of them: leaves.c holds
 * them against each other.
 */
#include "parse.h"

#include <string.h>

#include "count_of.h"
#include "heap.h"
#include "leaves.h"

#define FAMILY_EXTENDED 0xf /* the extended family is added to this one            */
#define FAMILY_P6       6   /* from here on the extended model counts (as in Linux) */

/* SDM vol. 2A, "CPUID", "Version Information Returned by CPUID in EAX". */
static bool signature_holds(struct line *line)
{
    const struct cpu_id *id = &line->log->cpu.id;
    uint64_t signature = line->log->cpu.signature;
    uint32_t family = signature >> 8 & 0xf, model = signature >> 4 & 0xf;

    if (family == FAMILY_EXTENDED)
        family += signature >> 20 & 0xff;
    if (family >= FAMILY_P6)
        model |= (signature >> 16 & 0xf) << 4;
    return (id->family == family && id->model == model &&
            id->stepping == (signature & 0xf)) ||
           log_error(line->log, line->log->line,
                     "cpu: got family=0x%x model=0x%x stepping=0x%x, want family=0x%x "
                     "model=0x%x stepping=0x%x by signature=0x%llx",
                     id->family, id->model, id->stepping, family, model,
                     (unsigned)(signature & 0xf), (unsigned long long)signature);
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
        return log_error(log, log->line, "cpu: vendor of %zu letters, want at most %zu",
                         v[0].text.length, sizeof(log->cpu.id.vendor) - 1);
    for (size_t i = 1; i <= 4; i++)
        if (v[i].number > UINT32_MAX)
            return log_error(log, log->line, "cpu: got %.*s, want 32 bits",
                             SPAN(v[i].text));
    memcpy(log->cpu.id.vendor, v[0].text.at, v[0].text.length);
    log->cpu.id.family = (uint32_t)v[1].number;
    log->cpu.id.model = (uint32_t)v[2].number;
    log->cpu.id.stepping = (uint32_t)v[3].number;
    log->cpu.signature = v[4].number;
    log->cpu.microcode = v[5].text;
    log->cpu.hypervisor = v[6].text;
    log->cpu.brand = v[7].text;
    return signature_holds(line);
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
        return log_error(line->log, line->log->line,
                         "features: amd_lbr_v2_depth=%.*s, want at most %d",
                         SPAN(v[7].text), AMD_LBR_V2_DEPTH_MAX);
    if (v[9].number > UINT8_MAX)
        return log_error(line->log, line->log->line, "features: perfmon=%.*s, want 8 bits",
                         SPAN(v[9].text));
    if (!v[8].absent && !id->pdcm)
        return log_error(line->log, line->log->line,
                         "features: perf_capabilities=%.*s, but pdcm=0: there is none",
                         SPAN(v[8].text));
    return v[5].number <= UINT8_MAX ||
           log_error(line->log, line->log->line,
                     "features: arch_lbr_depths=%.*s, want 8 bits", SPAN(v[5].text));
}

#define LEAF_SERIAL 3 /* the processor serial number: no business of a log */

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
            return log_error(log, log->line, "cpuid: got %.*s, want 32 bits",
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
            return log_error(log, log->line,
                             "cpuid: leaf %.*s again; the first is in line %zu",
                             SPAN(v[0].text), log->cpu.leaves[i].line);
    log->cpu.leaves =
        grow(log->cpu.leaves, &log->cpu.leaf_capacity, log->cpu.leaf_count, sizeof(leaf));
    log->cpu.leaves[log->cpu.leaf_count++] = leaf;
    return true;
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
    if (!cpuid_agrees(log))
        return false;
    cpuid_take(&log->cpu);
    log->cpu.row = model_find(&log->cpu.id);
    depth = log->cpu.row ? model_lbr_depth(log->cpu.row, &log->cpu.id) : 0;
    log->cpu.lbr_depth = depth;
    if (span_is(v[0].text, log->cpu.row ? log->cpu.row->name : "unknown") &&
        v[1].number == depth)
        return true;
    return log_error(
        log, log->line,
        "model: got name=%.*s lbr_depth=%.*s, want name=%s lbr_depth=%zu: that is "
        "the row of family 0x%x model 0x%x",
        SPAN(v[0].text), SPAN(v[1].text), log->cpu.row ? log->cpu.row->name : "unknown",
        depth, log->cpu.id.family, log->cpu.id.model);
}
