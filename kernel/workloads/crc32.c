/*
 * A checksum bit by bit: a short loop around a branch that goes both ways.
 *
 * A compiler would do without that branch; the volatile keeps it.
 */
#include "program.h"

#define BYTES      7200
#define POLYNOMIAL 0xedb88320u

FUNCTION uint32_t add_byte(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++) {
        volatile uint32_t shifted = crc >> 1;
        if (crc & 1)
            shifted = shifted ^ POLYNOMIAL;
        crc = shifted;
    }
    return crc;
}

PROGRAM("CRC-32 of pseudo-random bytes, bit by bit")
{
    uint32_t crc = 0xffffffffu, state = 7;
    for (int i = 0; i < BYTES; i++)
        crc = add_byte(crc, (uint8_t)(program_random(&state) >> 11));
    return ~crc;
}
