/*
 * entry.h.  The formats are those of SDM vol. 3B, "LBR Stack and
 * IA32_PERF_CAPABILITIES", and AMD64 APM vol. 2, "Last Branch Stack Registers".
 */
#include "entry.h"

#define HALF_BITS    32
#define HALF_MASK    0xffffffffull
#define AMD_VALID    (1ull << 63)
#define AMD_WRONG    (1ull << 62) /* speculative: without AMD_VALID, on the wrong path */
#define AMD_BOGUS    (1ull << 61) /* erratum 1452 */
#define FORMAT_COUNT 8

/* An address below `flags` bits that are none: the highest bit left is its sign. */
static uint64_t address(uint64_t value, uint8_t flags)
{
    return (uint64_t)((int64_t)(value << flags) >> flags);
}

uint64_t entry_sign_extended(uint64_t value, unsigned bits)
{
    return address(value, (uint8_t)(64 - bits));
}

uint32_t entry_of_age(const struct lbr_layout *lbr, size_t depth, uint64_t tos,
                      uint32_t age)
{
    return lbr->tos ? ((uint32_t)tos - age) & ((uint32_t)depth - 1) : age;
}

static uint32_t stride(const struct lbr_layout *lbr)
{
    return lbr->stride ? lbr->stride : 1;
}

uint32_t entry_from_msr(const struct lbr_layout *lbr, uint32_t index)
{
    return lbr->from + index * stride(lbr);
}

uint32_t entry_to_msr(const struct lbr_layout *lbr, uint32_t index)
{
    return lbr->to + index * stride(lbr);
}

bool entry_is_wrong_path(const struct lbr_layout *lbr, uint64_t to)
{
    return lbr->to_valid &&
           ((to & AMD_BOGUS) || (to & (AMD_VALID | AMD_WRONG)) == AMD_WRONG);
}

static bool is_invalid(const struct lbr_layout *lbr, uint64_t to)
{
    return lbr->to_valid && (!(to & AMD_VALID) || (to & AMD_BOGUS));
}

bool entry_decode(const struct lbr_layout *lbr, uint8_t from_flags, uint64_t from,
                  uint64_t to, struct branch *out)
{
    if (lbr->form == LBR_PACKED) {
        to = from >> HALF_BITS;
        from &= HALF_MASK;
    } else if (lbr->form == LBR_PAIR_32) {
        from &= HALF_MASK;
        to &= HALF_MASK;
    }
    if ((!from && !to) || is_invalid(lbr, to))
        return false;
    *out = (struct branch){ address(from, from_flags), address(to, lbr->to_flags), 0 };
    return true;
}

bool entry_decode_ler(const struct model *model, uint8_t from_flags, uint64_t from,
                      uint64_t to, struct branch *out)
{
    const struct lbr_layout *lbr = &model->lbr;
    /* AMD's newer stack has a bit that says valid, and its old pair has not. */
    const struct lbr_layout pair = { .form = lbr->form == LBR_PAIR ? LBR_PAIR : LBR_PAIR_32,
                                     .to_flags = lbr->to_flags };

    return entry_decode(&pair, from_flags, from, to, out);
}

uint8_t entry_from_flags(const struct lbr_layout *lbr, uint8_t format)
{
    /* By LBR_FMT; 0 to 2 have none and 5 and 7 keep theirs in LBR_INFO. */
    static const uint8_t of_format[FORMAT_COUNT] = { [3] = 1, [4] = 3, [6] = 1 };
    if (lbr->format_misleads || format == 0 || format >= FORMAT_COUNT)
        return lbr->from_flags;
    return of_format[format];
}
