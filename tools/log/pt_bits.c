/*
 * Source: SDM vol. 3C, "Trace Packets and Data Types".
 */
#include "pt_bits.h"

struct pt_config pt_config_of(const uint8_t *bytes, size_t size)
{
    struct pt_config config;

    pt_config_init(&config);
    config.begin = (uint8_t *)bytes; /* which libipt only reads */
    config.end = config.begin + size;
    return config;
}

void pt_bits_end(struct pt_bits *bits)
{
    if (bits->decoder)
        pt_pkt_free_decoder(bits->decoder);
    *bits = (struct pt_bits){ .decoder = NULL };
}

void pt_bits_begin(struct pt_bits *bits, const uint8_t *bytes, size_t size, uint64_t offset)
{
    const struct pt_config config = pt_config_of(bytes, size);

    pt_bits_end(bits);
    bits->decoder = pt_pkt_alloc_decoder(&config);
    if (bits->decoder && pt_pkt_sync_set(bits->decoder, offset) < 0)
        pt_bits_end(bits);
}

/* Goes to the next bits or target; ppt_invalid: there is none. */
static enum pt_packet_type next_packet(struct pt_bits *bits)
{
    struct pt_packet packet;

    while (bits->decoder && pt_pkt_next(bits->decoder, &packet, sizeof(packet)) > 0) {
        if (packet.type == ppt_tip || packet.type == ppt_tip_pgd)
            return packet.type;
        if (packet.type == ppt_tnt_8 || packet.type == ppt_tnt_64) {
            bits->bits = packet.payload.tnt.payload;
            bits->count = packet.payload.tnt.bit_size;
            return packet.type;
        }
    }
    return ppt_invalid;
}

static int take(struct pt_bits *bits)
{
    return (int)(bits->bits >> --bits->count & 1);
}

int pt_bits_jcc(struct pt_bits *bits)
{
    if (!bits->count) {
        next_packet(bits);
        if (!bits->count)
            pt_bits_end(bits);
    }
    return bits->count ? take(bits) : -1;
}

/* A return that goes where its call was has a bit, any other a target. */
void pt_bits_ret(struct pt_bits *bits)
{
    if (!bits->count)
        next_packet(bits);
    if (bits->count)
        take(bits);
}

/* A deferred target comes after bits of later branches: it is not followed. */
void pt_bits_target(struct pt_bits *bits)
{
    enum pt_packet_type type = bits->count ? ppt_invalid : next_packet(bits);

    if (type != ppt_tip && type != ppt_tip_pgd)
        pt_bits_end(bits);
}
