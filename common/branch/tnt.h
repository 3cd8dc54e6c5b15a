/*
 * How packets of Processor Trace are packed: byte by byte or, where that takes less, bit by
 * bit in each byte that looks like a short TNT packet of six bits.
 *
 * A loop writes only such packets, and its branches repeat after some number of bits, not
 * of bytes.  A part of another packet may look like one: it becomes the same byte again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TNT_BITS     6 /* from bit 6, the oldest, to bit 1; above them a 1, below them a 0 */
#define TNT_BIT      0x100 /* a bit as a record: FROM is this or the next number     */
#define TNT_ALL_BITS 0x80

/* SDM vol. 3C, "Taken/Not-taken (TNT) Packet". */
static inline bool tnt_is_full(uint8_t byte)
{
    return (byte & (TNT_ALL_BITS | 1)) == TNT_ALL_BITS;
}
