/*
 * zlib's CRC-32, eight bytes at a time.
 *
 * row[n][b] is the remainder that byte b leaves once n bytes more have gone by, so the
 * remainders of eight bytes can be looked up side by side and added (M. E. Kounavis and
 * F. L. Berry, "A Systematic Approach to Building High Performance Software-Based CRC
 * Generators").  The rows are worked out at the first call and not kept in the image,
 * where 8 KiB would be much.
 */
#include "log.h"

#define CRC32_REVERSED 0xedb88320u /* zlib's polynomial, lowest bit first */
#define ROWS           8

static uint32_t row[ROWS][256];
static bool filled;

/* Two processors may both do it: they write the same. */
static void fill(void)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? CRC32_REVERSED : 0);
        row[0][byte] = crc;
    }
    for (int n = 1; n < ROWS; n++)
        for (int byte = 0; byte < 256; byte++)
            row[n][byte] = row[n - 1][byte] >> 8 ^ row[0][row[n - 1][byte] & 0xff];
    __atomic_store_n(&filled, true, __ATOMIC_RELEASE);
}

static uint32_t read_le32(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

uint32_t log_crc32(uint32_t crc, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;

    if (!__atomic_load_n(&filled, __ATOMIC_ACQUIRE))
        fill();
    crc = ~crc;
    for (; count >= ROWS; count -= ROWS, at += ROWS) {
        uint32_t low = read_le32(at) ^ crc, high = read_le32(at + 4);
        crc = row[7][low & 0xff] ^ row[6][low >> 8 & 0xff] ^ row[5][low >> 16 & 0xff] ^
              row[4][low >> 24] ^ row[3][high & 0xff] ^ row[2][high >> 8 & 0xff] ^
              row[1][high >> 16 & 0xff] ^ row[0][high >> 24];
    }
    for (; count > 0; count--)
        crc = crc >> 8 ^ row[0][(crc ^ *at++) & 0xff];
    return ~crc;
}
