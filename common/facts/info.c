/* info.h.  SDM vol. 3B, "LBR Stack and IA32_PERF_CAPABILITIES", and what each form names.
 */
#include "info.h"

#include "model.h"

const char *const info_names[INFO_WORDS] = {
    [INFO_MISPREDICTED] = "mispredicted",
    [INFO_CYCLES] = "cycles",
    [INFO_TYPE] = "type",
    [INFO_IN_TSX] = "in_tsx",
    [INFO_ABORT] = "abort",
    [INFO_SPECULATIVE] = "speculative",
};

const char *const info_types[INFO_TYPES] = {
    [INFO_TYPE_JCC] = "jcc",     [INFO_TYPE_IJMP] = "ijmp",         [INFO_TYPE_JMP] = "jmp",
    [INFO_TYPE_ICALL] = "icall", [INFO_TYPE_CALL] = "call",         [INFO_TYPE_RET] = "ret",
    [INFO_TYPE_OTHER] = "other", [INFO_TYPE_RESERVED] = "reserved",
};

#define CODE_OTHER 8 /* of a branch type: OTHER_BRANCH */

#define BIT_OF(reg, n) \
    {                  \
        reg, n, 1      \
    }
#define BITS_OF(reg, high, low)      \
    {                                \
        reg, low, (high) - (low) + 1 \
    }

const struct info_form info_from63 = {
    .words = { [INFO_MISPREDICTED] = BIT_OF(INFO_IN_FROM, 63) },
    .source = "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\": MISPRED",
    .confidence = STATED,
};

/*
 * The two bits should read 0 if TSX is absent or switched off (Linux,
 * arch/x86/events/intel/lbr.c, lbr_from_signext_quirk).
 */
const struct info_form info_from_tsx = {
    .words = { [INFO_MISPREDICTED] = BIT_OF(INFO_IN_FROM, 63),
               [INFO_IN_TSX] = BIT_OF(INFO_IN_FROM, 62),
               [INFO_ABORT] = BIT_OF(INFO_IN_FROM, 61) },
    .source = "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\": MISPRED and TSX",
    .confidence = STATED,
};

const struct info_form info_goldmont = {
    .words = { [INFO_MISPREDICTED] = BIT_OF(INFO_IN_FROM, 63),
               [INFO_CYCLES] = BITS_OF(INFO_IN_TO, 63, 48) },
    .source = "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording "
              "for Processors based on Goldmont Microarchitecture\"",
    .confidence = STATED,
};

const struct info_form info_register_tsx = {
    .words = { [INFO_MISPREDICTED] = BIT_OF(INFO_IN_INFO, 63),
               [INFO_CYCLES] = BITS_OF(INFO_IN_INFO, 15, 0),
               [INFO_IN_TSX] = BIT_OF(INFO_IN_INFO, 62),
               [INFO_ABORT] = BIT_OF(INFO_IN_INFO, 61) },
    .source = "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording "
              "for Processors based on Skylake Microarchitecture\": MSR_LBR_INFO_x",
    .confidence = STATED,
};

/* LBR_FMT 7. */
static const struct info_form info_register_plain = {
    .words = { [INFO_MISPREDICTED] = BIT_OF(INFO_IN_INFO, 63),
               [INFO_CYCLES] = BITS_OF(INFO_IN_INFO, 15, 0) },
    .source = "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\"; Linux, "
              "arch/x86/events/intel/lbr.c (LBR_FORMAT_INFO2)",
    .confidence = STATED,
};

/*
 * Bits 39:32 are event counters on Lion Cove, Skymont, Cougar Cove, Darkmont and Sierra
 * Forest; no field below reads them.
 */
const struct info_form info_arch = {
    .words = { [INFO_MISPREDICTED] = BIT_OF(INFO_IN_INFO, 63),
               [INFO_CYCLES] = BITS_OF(INFO_IN_INFO, 15, 0),
               [INFO_TYPE] = BITS_OF(INFO_IN_INFO, 59, 56),
               [INFO_IN_TSX] = BIT_OF(INFO_IN_INFO, 62),
               [INFO_ABORT] = BIT_OF(INFO_IN_INFO, 61) },
    .cycles_valid = BIT_OF(INFO_IN_INFO, 60),
    .by_cpuid = true,
    .source =
        "SDM vol. 3B, \"Last Branch Records\": IA32_LBR_x_INFO; the numbers of the "
        "types from Linux, arch/x86/events/intel/lbr.c, and 8 from Intel on the Linux perf "
        "list, 2026-04-30",
    .confidence = STATED,
};

/* A record that is not valid, on the wrong path, is none (entry.c). */
const struct info_form info_amd = {
    .words = { [INFO_MISPREDICTED] = BIT_OF(INFO_IN_FROM, 63),
               [INFO_SPECULATIVE] = BIT_OF(INFO_IN_TO, 62) },
    .source = "AMD64 APM vol. 2, \"Last Branch Stack Registers\"",
    .confidence = STATED,
};

const struct info_form *info_form_of(const struct model *model, const struct cpu_id *id)
{
    static const struct info_form *const of_format[] = {
        NULL,           NULL,
        NULL,           &info_from63,
        &info_from_tsx, &info_register_tsx,
        &info_goldmont, &info_register_plain,
    };
    const size_t count = sizeof of_format / sizeof of_format[0];

    if (model->lbr.format_misleads || !id->lbr_format || id->lbr_format >= count)
        return model->lbr.fields;
    return of_format[id->lbr_format];
}

/* SDM vol. 2A, "CPUID", leaf 1CH: ECX. */
static bool cpuid_has(const struct cpu_id *id, enum info_word word)
{
    switch (word) {
    case INFO_MISPREDICTED:
        return id->arch_lbr_fields & ARCH_LBR_MISPREDICT;
    case INFO_CYCLES:
        return id->arch_lbr_fields & ARCH_LBR_TIMED;
    case INFO_TYPE:
        return id->arch_lbr_fields & ARCH_LBR_TYPE;
    default:
        return true;
    }
}

uint32_t info_words_of(const struct model *model, const struct cpu_id *id)
{
    const struct info_form *form = info_form_of(model, id);
    uint32_t words = 0;

    for (enum info_word i = 0; form && i < INFO_WORDS; i++)
        if (form->words[i].width && (!form->by_cpuid || cpuid_has(id, i)))
            words |= INFO_HAS(i);
    return words;
}

static uint32_t field(struct info_field at, const uint64_t registers[INFO_REGISTERS])
{
    return (uint32_t)(registers[at.in] >> at.shift & ((1ull << at.width) - 1));
}

/* The four bits hold 0 to 5 as enum info_type does; the highest bit is OTHER_BRANCH. */
static enum info_type type_of_code(uint32_t code)
{
    if (code & CODE_OTHER)
        return INFO_TYPE_OTHER;
    return code < INFO_TYPE_OTHER ? (enum info_type)code : INFO_TYPE_RESERVED;
}

struct info info_decode(const struct info_form *form,
                        const uint64_t registers[INFO_REGISTERS])
{
    struct info info;

    for (enum info_word i = 0; i < INFO_WORDS; i++)
        info.values[i] = field(form->words[i], registers);
    if (form->cycles_valid.width && !field(form->cycles_valid, registers))
        info.values[INFO_CYCLES] = INFO_UNKNOWN;
    info.values[INFO_TYPE] = type_of_code(info.values[INFO_TYPE]);
    return info;
}

bool info_same(const struct info *a, const struct info *b)
{
    for (enum info_word i = 0; i < INFO_WORDS; i++)
        if (a->values[i] != b->values[i])
            return false;
    return true;
}

enum info_type info_type_of(enum kind kind)
{
    switch (kind) {
    case KIND_JCC:
        return INFO_TYPE_JCC;
    case KIND_JMP:
        return INFO_TYPE_JMP;
    case KIND_IJMP:
        return INFO_TYPE_IJMP;
    case KIND_CALL:
        return INFO_TYPE_CALL;
    case KIND_ICALL:
        return INFO_TYPE_ICALL;
    case KIND_RET:
        return INFO_TYPE_RET;
    default:
        return INFO_TYPE_OTHER;
    }
}

void info_put_words(struct text *out, uint32_t words)
{
    const char *before = "";

    for (enum info_word i = 0; i < INFO_WORDS; i++) {
        if (!(words & INFO_HAS(i)))
            continue;
        text_join(out, before, info_names[i]);
        before = "+";
    }
}

void info_put_value(struct text *out, enum info_word word, uint32_t value)
{
    if (word == INFO_TYPE)
        text_string(out, info_types[value]);
    else if (value == INFO_UNKNOWN)
        text_string(out, "?");
    else
        text_decimal(out, value);
}
