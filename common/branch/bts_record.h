/*
 * A record as BTS stores it: SDM vol. 3B, "64-bit Branch Trace Record Format".
 */
#pragma once

#include <stdint.h>

struct bts_record {
    uint64_t from, to, flags;
};
_Static_assert(sizeof(struct bts_record) == 24, "64-bit Branch Trace Record Format");
