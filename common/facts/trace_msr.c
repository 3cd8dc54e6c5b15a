/* trace_msr.h.  SDM vol. 4, "Architectural MSRs" and the tables per processor family; */
/* AMD64 APM vol. 2, "Control-Transfer Recording MSRs" and "Performance Counter MSRs". */
#include "trace_msr.h"

#include "msr_numbers.h"
#include "text.h"
#include "vendor.h"

#define HARMLESS true

/*
 * Not harmless: DS_AREA names memory that the processor writes to; MISC_ENABLE is much
 * else besides; what sets status bits can freeze LBR, and writing back what such a
 * register reads as clears nothing; and on an unknown model, or where CPUID has DS and the
 * row no BTS, nobody knows which bits do what.
 */
static const struct {
    const char *name, *vendor; /* NULL: any */
    uint32_t number;
    bool harmless;
} fixed[] = {
    { "IA32_DEBUGCTL", NULL, MSR_DEBUGCTL, HARMLESS },
    { "IA32_MISC_ENABLE", INTEL, MSR_MISC_ENABLE, false },
    { "IA32_PERF_CAPABILITIES", INTEL, MSR_PERF_CAPABILITIES, false },
    { "IA32_DS_AREA", INTEL, MSR_DS_AREA, false },
    { "IA32_FIXED_CTR_CTRL", INTEL, MSR_FIXED_CTR_CTRL, HARMLESS },
    { "IA32_PERF_GLOBAL_STATUS", INTEL, MSR_PERF_GLOBAL_STATUS, HARMLESS },
    { "IA32_PERF_GLOBAL_CTRL", INTEL, MSR_PERF_GLOBAL_CTRL, HARMLESS },
    { "IA32_PERF_GLOBAL_STATUS_RESET", INTEL, MSR_PERF_GLOBAL_OVF_CTRL, HARMLESS },
    { "IA32_PERF_GLOBAL_STATUS_SET", INTEL, 0x391, false },
    { "PerfCntrGlobalStatus", AMD, MSR_AMD_GLOBAL_STATUS, HARMLESS },
    { "PerfCntrGlobalCtl", AMD, MSR_AMD_GLOBAL_CTL, HARMLESS },
    { "PerfCntrGlobalStatusClr", AMD, MSR_AMD_GLOBAL_STATUS_CLEAR, HARMLESS },
    { "PerfCntrGlobalStatusSet", AMD, MSR_AMD_GLOBAL_STATUS_SET, false },
};
#define FIXED (sizeof fixed / sizeof fixed[0])

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool same(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return lower(*a) == lower(*b);
}

/* Returns the name without the prefix, if it has it. */
static const char *after_prefix(const char *name, const char *prefix)
{
    const char *rest = name;
    while (*prefix && lower(*rest) == lower(*prefix))
        rest++, prefix++;
    return *prefix ? name : rest;
}

static const char *bare(const char *name)
{
    return after_prefix(after_prefix(name, "IA32_"), "MSR_");
}

/* An index is counted down through the groups: fixed ones, single ones, the stack. */
struct search {
    size_t left;
    struct trace_msr *out;
};

static bool found(struct search *search, uint32_t number, bool harmless)
{
    if (!number || search->left-- > 0)
        return false;
    search->out->number = number;
    search->out->harmless = harmless;
    return true;
}

static struct text name_of(struct search *search, const char *name)
{
    struct text text = text_into(search->out->name, sizeof search->out->name);
    text_string(&text, name);
    return text;
}

static bool known_bits(const struct trace_msr_set *set)
{
    return set->model && (set->model->bts || !set->ds);
}

static bool at_fixed(const struct trace_msr_set *set, struct search *search)
{
    for (size_t i = 0; i < FIXED; i++)
        if ((!fixed[i].vendor || same(fixed[i].vendor, set->vendor)) &&
            found(search, fixed[i].number, fixed[i].harmless && known_bits(set))) {
            name_of(search, fixed[i].name);
            return true;
        }
    return false;
}

/* A row with a depth to set is that of architectural LBR, which has names of its own. */
static bool at_single(const struct model *model, struct search *search)
{
    const struct lbr_layout *lbr = &model->lbr;
    bool arch = lbr->set_depth;
    const struct {
        uint32_t number;
        const char *name;
    } single[] = {
        { lbr->tos, "MSR_LASTBRANCH_TOS" },
        { lbr->select, "MSR_LBR_SELECT" },
        { lbr->ctl, arch ? "IA32_LBR_CTL" : "DBG_EXTN_CFG" },
        { lbr->set_depth, "IA32_LBR_DEPTH" },
        { model->ler_from, arch ? "IA32_LER_FROM_IP" : "MSR_LER_FROM_LIP" },
        { model->ler_to, arch ? "IA32_LER_TO_IP" : "MSR_LER_TO_LIP" },
    };
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (found(search, single[i].number, HARMLESS)) {
            name_of(search, single[i].name);
            return true;
        }
    return false;
}

/* IA32_LBR_n_FROM_IP where it is architectural, MSR_LASTBRANCH_n_FROM_IP elsewhere. */
static void name_entry(struct search *search, bool arch, size_t entry, const char *what)
{
    struct text text = name_of(search, arch ? "IA32_LBR_" : "MSR_LASTBRANCH_");
    text_decimal(&text, entry);
    text_string(&text, what);
}

static bool at_entry(const struct trace_msr_set *set, struct search *search)
{
    const struct lbr_layout *lbr = &set->model->lbr;
    uint32_t stride = lbr->stride ? lbr->stride : 1;
    for (uint32_t i = 0; i < set->lbr_depth; i++) {
        const struct {
            uint32_t number;
            const char *what;
        } parts[] = {
            { lbr->from + i * stride, lbr->form == LBR_PACKED ? "" : "_FROM_IP" },
            { lbr->form == LBR_PACKED ? 0 : lbr->to + i * stride, "_TO_IP" },
            { lbr->info ? lbr->info + i : 0, "_INFO" },
        };
        for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
            if (found(search, parts[part].number, HARMLESS)) {
                name_entry(search, lbr->set_depth, i, parts[part].what);
                return true;
            }
    }
    return false;
}

static void name_sample(struct search *search, size_t entry, const char *end)
{
    struct text text = name_of(search, "SAMP_BR_");
    text_join(&text, end, "_");
    text_decimal(&text, entry);
}

/*
 * AMD branch sampling, by Linux's names (arch/x86/events/amd/brs.c), which has one name for
 * all entries.  No source says what happens if brsmen is set while no counter counts.
 */
static bool at_sample(const struct model *model, struct search *search)
{
    const struct lbr_layout *brs = &model->brs;
    if (found(search, brs->ctl, false)) {
        name_of(search, "DBG_EXTN_CFG");
        return true;
    }
    for (uint32_t i = 0; i < brs->depth; i++)
        for (int to = 0; to <= 1; to++)
            if (found(search, (to ? brs->to : brs->from) + i * brs->stride, HARMLESS)) {
                name_sample(search, i, to ? "TO" : "FROM");
                return true;
            }
    return false;
}

bool trace_msr_at(const struct trace_msr_set *set, size_t index, struct trace_msr *out)
{
    struct search search = { index, out };
    return at_fixed(set, &search) ||
           (set->model && (at_single(set->model, &search) || at_entry(set, &search) ||
                           at_sample(set->model, &search)));
}

bool trace_msr_numbered(const struct trace_msr_set *set, uint32_t number,
                        struct trace_msr *out)
{
    for (size_t i = 0; trace_msr_at(set, i, out); i++)
        if (out->number == number)
            return true;
    return false;
}

bool trace_msr_named(const struct trace_msr_set *set, const char *name,
                     struct trace_msr *out)
{
    for (size_t i = 0; trace_msr_at(set, i, out); i++)
        if (same(bare(out->name), bare(name)))
            return true;
    return false;
}
