/*
 * The lines of one processor: its name, its leaves of CPUID word for word, two MSRs, and
 * the row of the model table that the kernel took for it.
 */
#include "parse.h"

#include "heap.h"
#include "msr_numbers.h"

#define MISC_ENABLE_NO_BTS (1u << 11) /* SDM vol. 4, IA32_MISC_ENABLE */

bool parse_features(struct line *line)
{
    struct cpu_part *cpu = cpu_being_read(line->log);
    const struct features_line *features = &line->says.features;

    cpu->id.lbr_format =
        (uint8_t)(features->perf_capabilities.value & PERF_CAPABILITIES_LBR_FORMAT);
    cpu->no_bts = features->misc_enable.value & MISC_ENABLE_NO_BTS;
    return true;
}

#define LEAF_SERIAL 3 /* the processor serial number, which identifies one machine */

bool parse_cpuid(struct line *line)
{
    struct log *log = line->log;
    struct cpu_part *cpu = cpu_being_read(log);
    const struct cpuid_leaf *leaf = &line->says.cpuid;

    if (!cpu->named.line)
        return here(log, "cpuid: want it after cpu");
    if (cpuid_find(cpu->leaves, cpu->leaf_count, leaf->leaf, leaf->subleaf))
        return log_error(log, log->line, "cpuid: leaf=0x%x subleaf=0x%x is there already",
                         leaf->leaf, leaf->subleaf);
    if (leaf->leaf == LEAF_SERIAL)
        return here(log, "cpuid: leaf 3 is a serial number, which no log has");
    cpu->leaves = arena_grow(&log->memory, cpu->leaves, &cpu->leaf_capacity,
                             cpu->leaf_count, sizeof(*leaf));
    cpu->leaves[cpu->leaf_count++] = *leaf;
    return true;
}

static const struct model *model_in_log(struct span name)
{
    for (size_t i = 0; i < model_count; i++)
        if (span_is(name, models[i].name))
            return &models[i];
    return NULL;
}

/* An older image may know a processor as `unknown`, but never as another one. */
static bool other_model(struct log *log, const struct cpu_part *cpu)
{
    const struct model *found = model_find(&cpu->id);

    return log_error(log, log->line,
                     "model: got name=%s, want %s, which the lines cpuid give",
                     cpu->row->name, found ? found->name : "unknown");
}

static bool has_all_leaves(struct log *log, const struct cpu_part *cpu)
{
    struct cpuid_leaf missing;

    if (!cpuid_lacks(cpu->leaves, cpu->leaf_count, &missing))
        return true;
    return missing.subleaf
               ? log_error(log, log->line,
                           "model: no line \"cpuid leaf=0x%x subleaf=0x%x\" before it",
                           missing.leaf, missing.subleaf)
               : log_error(log, log->line, "model: no line \"cpuid leaf=0x%x\" before it",
                           missing.leaf);
}

bool parse_model(struct line *line)
{
    struct log *log = line->log;
    struct cpu_part *cpu = cpu_being_read(log);
    const struct span name = line->says.model.name;

    if (!cpu->named.line || !cpu->features.line)
        return here(log, "model: want it after cpu and features");
    if (!has_all_leaves(log, cpu))
        return false;
    cpuid_decode(&cpu->id, cpu->leaves, cpu->leaf_count);
    if (!cpu->id.has_hypervisor &&
        cpuid_find(cpu->leaves, cpu->leaf_count, CPUID_LEAF_HYPERVISOR, 0))
        return log_error(log, log->line,
                         "model: a line \"cpuid leaf=0x%x\" before it, although leaf 0x1 "
                         "announces no hypervisor",
                         CPUID_LEAF_HYPERVISOR);
    cpu->row = model_in_log(name);
    if (cpu->row && cpu->row != model_find(&cpu->id))
        return other_model(log, cpu);
    if (cpu->row)
        cpu->lbr_depth = model_lbr_depth(cpu->row, &cpu->id);
    return cpu->row || span_is(name, "unknown") ||
           log_error(log, log->line,
                     "model: %.*s is not in this program's table: the image was built from "
                     "other sources than this program",
                     SPAN(name));
}
