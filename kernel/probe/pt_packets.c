/* pt_packets.h.  SDM vol. 3C, "Intel Processor Trace", "Packet Definitions". */
#include "pt_packets.h"

#include "count_of.h"

#define EXTENDED  0x02 /* the second byte says which */
#define PSB       0x82
#define PSBEND    0x23
#define TNT_LONG  0xa3
#define OVF       0xf3
#define PSB_SIZE  16
#define LONG_SIZE 8
#define MNT       0xc3 /* the model's own: it may come at any time */
#define MTC       0x59
#define CYC       0x03 /* the low two bits */
#define CYC_MASK  0x03
#define CYC_MORE  0x04 /* in the first byte; in the others bit 0 */
#define IP_MASK   0x1f /* of packets with an address; the high three bits: its length */
#define IP_SHIFT  5
#define TIP       0x0d
#define TIP_PGE   0x11
#define TIP_PGD   0x01
#define FUP       0x1d

/* Packets of one size, by their first byte, or by the second one after EXTENDED. */
static const struct {
    uint8_t byte, size;
} fixed[] = { { 0x00, 1 }, { 0x99, 2 }, { 0x19, 8 }, { MTC, 2 } }, extended[] = {
    { PSB, PSB_SIZE }, { PSBEND, 2 }, { TNT_LONG, LONG_SIZE },
    { MNT, 11 },       { 0x43, 8 },   { 0xc8, 7 },
    { 0x73, 7 },       { 0x03, 4 },   { OVF, 2 },
    { 0x83, 2 },
};

static bool has_address(uint8_t first)
{
    uint8_t kind = first & IP_MASK;
    return kind == TIP || kind == TIP_PGE || kind == TIP_PGD || kind == FUP;
}

static size_t cycle_size(const uint8_t *at, size_t left)
{
    size_t size = 1;
    bool more = at[0] & CYC_MORE;
    while (more && size < left)
        more = at[size++] & 1;
    return more ? 0 : size;
}

/* 0: unknown, or of a kind that is never turned on here. */
static size_t size_of(const uint8_t *at, size_t left)
{
    static const uint8_t address_sizes[] = { 0, 2, 4, 6, 6, 0, 8, 0 };
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        if (at[0] == fixed[i].byte)
            return fixed[i].size;
    for (size_t i = 0; at[0] == EXTENDED && left > 1 && i < COUNT_OF(extended); i++)
        if (at[1] == extended[i].byte)
            return extended[i].size;
    if (at[0] == EXTENDED)
        return 0;
    if (!(at[0] & 1)) /* a short TNT */
        return 1;
    if ((at[0] & CYC_MASK) == CYC)
        return cycle_size(at, left);
    return has_address(at[0]) ? 1 + address_sizes[at[0] >> IP_SHIFT] : 0;
}

/* The bits after the highest one that is set, in `size` bytes. */
static size_t bits_of(const uint8_t *at, size_t size)
{
    size_t bits = 8 * size;
    while (bits && !(at[(bits - 1) / 8] >> (bits - 1) % 8 & 1))
        bits--;
    return bits ? bits - 1 : 0;
}

static uint16_t low_half(const uint8_t *at, size_t size)
{
    return size >= 3 ? (uint16_t)(at[1] | at[2] << 8) : 0;
}

static void count_address(struct pt_packet_counts *all, const uint8_t *at, size_t size)
{
    switch (at[0] & IP_MASK) {
    case TIP:
        if (all->targets++ == 0)
            all->first_target = low_half(at, size);
        break;
    case TIP_PGE:
        if (all->begins++ == 0)
            all->first_begin = low_half(at, size);
        break;
    case TIP_PGD:
        all->ends++;
        break;
    default: /* FUP */
        break;
    }
}

static void count_extended(struct pt_packet_counts *all, const uint8_t *at)
{
    if (at[1] == PSB)
        all->boundaries++;
    else if (at[1] == PSBEND)
        all->boundary_ends++;
    else if (at[1] == OVF)
        all->overflows++;
    else if (at[1] == TNT_LONG)
        all->bits += bits_of(at + 2, LONG_SIZE - 2);
}

static void count_clock(struct pt_packet_counts *all, uint8_t now, uint8_t *before)
{
    if (all->clocks++)
        all->clock_repeats |= now == *before;
    *before = now;
}

struct pt_packet_counts pt_packets_count(const uint8_t *bytes, size_t size)
{
    struct pt_packet_counts all = { 0 };
    uint8_t clock = 0;
    for (size_t at = 0, length; at < size; at += length) {
        const uint8_t *packet = bytes + at;
        length = size_of(packet, size - at);
        all.wrong = !length || length > size - at;
        if (all.wrong)
            break;
        if (packet[0] == EXTENDED)
            count_extended(&all, packet);
        else if (packet[0] == MTC)
            count_clock(&all, packet[1], &clock);
        else if (packet[0] & 1 && has_address(packet[0]))
            count_address(&all, packet, length);
        else if (packet[0] && !(packet[0] & 1))
            all.bits += bits_of(packet, 1) - 1; /* bit 0 is the header */
        else
            all.cycles += (packet[0] & CYC_MASK) == CYC;
    }
    return all;
}
