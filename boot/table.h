/* Numbers, signatures and checksums in tables that firmware wrote. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

static inline uint16_t u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t u32(const uint8_t *at)
{
    return u16(at) | (uint32_t)u16(at + 2) << 16;
}

static inline uint64_t u64(const uint8_t *at)
{
    return u32(at) | (uint64_t)u32(at + 4) << 32;
}

static inline bool has_signature(const uint8_t *at, const char *signature)
{
    return text_begins((const char *)at, signature);
}

static inline bool sums_to_zero(const uint8_t *at, size_t size)
{
    uint8_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + at[i]);
    return sum == 0;
}
