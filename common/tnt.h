/*
 * Packets of Processor Trace as they are packed: a byte, or where that takes less, each bit
 * of a byte that looks like a short TNT packet with as many bits as it can have.
 *
 * A loop writes such packets alone, and what its branches do repeats after so many bits,
 * not after so many bytes.  It does not matter whether a byte is such a packet or a part of
 * another one: what is unpacked is the same.
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
