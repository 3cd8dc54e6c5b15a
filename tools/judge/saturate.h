/*
 * Arithmetic on the numbers of a log, which may be anything: a result that does not fit is
 * the largest number, and one below 0 is 0.
 */
#pragma once

#include <stdint.h>

static inline uint64_t saturated_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t saturated_product(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static inline uint64_t saturated_less(uint64_t number, uint64_t by)
{
    return number > by ? number - by : 0;
}
