/*
 * msr_bits.h.  SDM vol. 4, "Architectural MSRs"; SDM vol. 3B, "IA32_DEBUGCTL MSR",
 * "Filtering of Last Branch Records" and "Last Branch Records"; AMD64 APM vol. 2,
 * "Debug-Control MSR".
 */
#include "msr_bits.h"

#include "count_of.h"
#include "msr_numbers.h"
#include "vendor.h"

struct bit_name {
    uint64_t bit;
    const char *name;
};

#define BIT(n) (UINT64_C(1) << (n))

static const char *name_in(const struct bit_name *names, size_t count, uint64_t bit)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].bit == bit)
            return names[i].name;
    return NULL;
}

/* Positions that depend on the model are in its row. */
static const char *of_debugctl(const struct trace_msr_set *set, uint64_t bit)
{
    static const struct bit_name intel[] = {
        { BIT(2), "BUS_LOCK_DETECT" },        { BIT(11), "FREEZE_LBRS_ON_PMI" },
        { BIT(12), "FREEZE_PERFMON_ON_PMI" }, { BIT(13), "ENABLE_UNCORE_PMI" },
        { BIT(14), "FREEZE_WHILE_SMM" },      { BIT(15), "RTM_DEBUG" },
    };
    static const struct bit_name amd[] = { { BIT(11), "FLBRI" }, { BIT(12), "FPMCI" } };
    if (!set->model)
        return NULL;
    const struct debugctl_bits *bits = &set->model->debugctl;
    const struct bit_name row[] = {
        { bits->lbr, "LBR" },
        { bits->btf, "BTF" },
        { bits->tr, "TR" },
        { bits->bts, "BTS" },
        { bits->btint, "BTINT" },
        { bits->bts_off_os, "BTS_OFF_OS" },
        { bits->bts_off_usr, "BTS_OFF_USR" },
    };
    const char *name = name_in(row, COUNT_OF(row), bit);
    if (name || text_same(set->vendor, AMD))
        return name ? name : name_in(amd, COUNT_OF(amd), bit);
    return text_same(set->vendor, INTEL) ? name_in(intel, COUNT_OF(intel), bit) : NULL;
}

static const char *of_filter(const struct filter_form *form, uint64_t bit)
{
    static const char *const select[FILTER_BITS] = {
        "CPL_EQ_0", "CPL_NEQ_0",    "JCC",          "NEAR_REL_CALL", "NEAR_IND_CALL",
        "NEAR_RET", "NEAR_IND_JMP", "NEAR_REL_JMP", "FAR_BRANCH",    "EN_CALLSTACK",
    };
    static const char *const ctl[FILTER_BITS] = {
        "OS",       "USR",          "JCC",          "NEAR_REL_CALL", "NEAR_IND_CALL",
        "NEAR_RET", "NEAR_IND_JMP", "NEAR_REL_JMP", "OTHER_BRANCH",  "CALL_STACK",
    };
    for (size_t i = 0; form && i < FILTER_BITS; i++)
        if (form->bit[i] == bit)
            return form->includes ? ctl[i] : select[i];
    return NULL;
}

/* Only bits about tracing have a name here. */
static const char *of_misc_enable(uint64_t bit)
{
    static const struct bit_name names[] = {
        { BIT(7), "PERFMON_AVAILABLE" },
        { BIT(11), "BTS_UNAVAILABLE" },
        { BIT(12), "PEBS_UNAVAILABLE" },
    };
    return name_in(names, COUNT_OF(names), bit);
}

static const char *of_global_status(uint64_t bit)
{
    static const struct bit_name names[] = {
        { BIT(55), "TRACE_TOPA_PMI" }, { BIT(58), "LBR_FRZ" }, { BIT(59), "CTR_FRZ" },
        { BIT(61), "OVF_UNCORE" },     { BIT(62), "OVF_BUF" }, { BIT(63), "COND_CHGD" },
    };
    return name_in(names, COUNT_OF(names), bit);
}

/* Is this bit to be shown?  *name: its name, or NULL. */
static bool is_shown(const struct trace_msr_set *set, uint32_t number, uint64_t bit,
                     const char **name)
{
    const struct lbr_layout *lbr = set->model ? &set->model->lbr : NULL;
    if (number == MSR_DEBUGCTL)
        *name = of_debugctl(set, bit);
    else if (number == MSR_MISC_ENABLE && text_same(set->vendor, INTEL))
        return (*name = of_misc_enable(bit)) != NULL;
    else if (number == MSR_PERF_GLOBAL_STATUS && text_same(set->vendor, INTEL))
        *name = of_global_status(bit);
    else if (lbr && lbr->ctl && number == lbr->ctl)
        *name = bit == lbr->ctl_enable ? lbr->set_depth ? "LBREn" : "LBRV2EN"
                : lbr->select          ? NULL
                                       : of_filter(lbr->filter, bit);
    else if (lbr && lbr->select && number == lbr->select)
        *name = of_filter(lbr->filter, bit);
    else
        return false;
    return true;
}

void msr_bits_put(struct text *out, const struct trace_msr_set *set, uint32_t number,
                  uint64_t value)
{
    const char *name, *before = " (";
    for (unsigned i = 0; i < 64; i++) {
        if (!(value >> i & 1) || !is_shown(set, number, BIT(i), &name))
            continue;
        text_join(out, before, name ? name : "bit");
        if (!name)
            text_decimal(out, i);
        before = " ";
    }
    text_string(out, before[1] ? "" : ")"); /* " (": there was none */
}
