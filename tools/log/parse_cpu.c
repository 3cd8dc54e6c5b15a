/*
 * The lines of one processor: its name, its leaves of CPUID word for word, two MSRs, and
 * the row of the model table that the kernel took for it.
 */
#include "parse.h"

#include "count_of.h"
#include "heap.h"

bool parse_cpu(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (!once(line, &log->cpu.line) || !line_fields(line, "microcode=x brand=q", v))
        return false;
    log->cpu.microcode = v[0].text;
    log->cpu.brand = v[1].text;
    return true;
}

#define PERF_CAPABILITIES_LBR_FMT 0x3f       /* SDM vol. 4, IA32_PERF_CAPABILITIES */
#define MISC_ENABLE_NO_BTS        (1u << 11) /* SDM vol. 4, IA32_MISC_ENABLE */

bool parse_features(struct line *line)
{
    struct cpu_part *cpu = &line->log->cpu;
    struct value v[2];

    if (!once(line, &cpu->features_line) ||
        !line_fields(line, "perf_capabilities=a misc_enable=a", v))
        return false;
    cpu->id.lbr_format = (uint8_t)(v[0].number & PERF_CAPABILITIES_LBR_FMT);
    cpu->no_bts = v[1].number & MISC_ENABLE_NO_BTS;
    return true;
}

#define LEAF_SERIAL 3 /* the processor serial number, which identifies one machine */

bool parse_cpuid(struct line *line)
{
    struct log *log = line->log;
    struct value v[6];
    struct cpuid_leaf leaf;

    if (!log->cpu.line)
        return here(log, "cpuid: want it after cpu");
    if (!line_fields(line, "leaf=x subleaf=x eax=x ebx=x ecx=x edx=x", v))
        return false;
    for (size_t i = 0; i < COUNT_OF(v); i++)
        if (v[i].number > UINT32_MAX)
            return log_error(log, log->line, "cpuid: got %.*s, want 32 bits",
                             SPAN(v[i].text));
    leaf.leaf = (uint32_t)v[0].number;
    leaf.subleaf = (uint32_t)v[1].number;
    for (size_t i = 0; i < COUNT_OF(leaf.registers); i++)
        leaf.registers[i] = (uint32_t)v[2 + i].number;
    if (leaf.leaf == LEAF_SERIAL)
        return here(log, "cpuid: leaf 3 is a serial number, which no log has");
    log->cpu.leaves =
        grow(log->cpu.leaves, &log->cpu.leaf_capacity, log->cpu.leaf_count, sizeof(leaf));
    log->cpu.leaves[log->cpu.leaf_count++] = leaf;
    return true;
}

static const struct model *model_in_log(struct span name)
{
    for (size_t i = 0; i < model_count; i++)
        if (span_is(name, models[i].name))
            return &models[i];
    return NULL;
}

bool parse_model(struct line *line)
{
    struct log *log = line->log;
    struct cpu_part *cpu = &log->cpu;
    struct value v;

    if (!once(line, &cpu->model_line) || !line_fields(line, "name=w", &v))
        return false;
    if (!cpu->line || !cpu->features_line)
        return here(log, "model: want it after cpu and features");
    for (uint32_t leaf = 0; leaf <= 1; leaf++)
        if (!cpuid_find(cpu->leaves, cpu->leaf_count, leaf, 0))
            return log_error(log, log->line, "model: no line \"cpuid leaf=0x%x\" before it",
                             leaf);
    cpuid_decode(&cpu->id, cpu->leaves, cpu->leaf_count);
    cpu->row = model_in_log(v.text);
    if (cpu->row)
        cpu->lbr_depth = model_lbr_depth(cpu->row, &cpu->id);
    return cpu->row || span_is(v.text, "unknown") ||
           log_error(log, log->line,
                     "model: %.*s is not in this program's table: the image was built from "
                     "other sources than this program",
                     SPAN(v.text));
}
