/* The records of a run: folded as a person reads them, packed where they are many. */
#include "put.h"

#include "fold.h"
#include "packed.h"
#include "portable.h"
#include "tnt.h"

#define PACK_FROM_LINES 1000 /* a folded trace with this many lines is packed */
#define PACK_FROM_BYTES 1024 /* and packets from this many bytes on       */
#define PACK_TRIED      8192 /* bytes of packets that say how to pack the rest */

static struct packing packing;

void put_records_init(const struct packing *given)
{
    packing = *given;
    packed_init(packing.kept, packing.kept_capacity);
}

static void put_place(uint64_t address, enum log_end end)
{
    text_string(&put_line, " ");
    log_put_end(&put_line, &put_map, address, end);
}

/* A stop says what it saw of the flags, or of a counter how late it was. */
static void put_info(const struct method_facts *method, uint64_t info)
{
    if (method->sampled && info) {
        put_key("late");
        text_decimal(&put_line, info);
    } else if (info & STOP_TAKEN) {
        text_string(&put_line, " taken");
    } else if (info & STOP_NOT_TAKEN) {
        text_string(&put_line, " not-taken");
    }
}

static void put_record(const struct method_facts *method, const struct branch *record)
{
    put_open(method->stops ? WORD_STOP : WORD_BRANCH, NULL);
    if (!method->stops)
        put_place(record->from, LOG_FROM);
    put_place(record->to, LOG_TO);
    put_info(method, record->info);
}

static size_t folded_lines(const struct branch *records, size_t count)
{
    struct fold fold;
    size_t lines = 0;
    for (size_t at = 0; at < count && lines < PACK_FROM_LINES; lines++)
        at += fold_next(records, NULL, count, at, &fold);
    return lines;
}

static void put_folded(const struct method_facts *method, const struct branch *records,
                       size_t count)
{
    struct fold fold;
    for (size_t at = 0; at < count;) {
        size_t covered = fold_next(records, NULL, count, at, &fold);
        if (fold.again) {
            put_open(WORD_AGAIN, NULL);
            text_string(&put_line, " ");
            text_decimal(&put_line, fold.again);
            put_times(fold.times);
        } else {
            put_record(method, &records[at]);
            if (fold.times > 1)
                put_times(fold.times);
        }
        put_finish();
        at += covered;
    }
}

/* The packed bytes, or 0 where they found no room or an address looks like a tag. */
static size_t pack_records(const struct branch *records, size_t count)
{
    struct branch portable;
    pack_begin(packing.state, packing.bytes, packing.capacity);
    for (size_t i = 0; i < count; i++) {
        if (!portable_from(&put_map, &records[i], &portable))
            return 0;
        pack_add(packing.state, &portable);
    }
    return pack_end(packing.state);
}

static void put_packed(size_t number, size_t count, size_t size)
{
    size_t earlier = packed_earlier(put_map.workload, number, count, packing.bytes, size);
    struct packed_line line = { .records = count, .bytes = size, .coder = PACK_CODER };
    if (earlier)
        line.run = log_number(earlier);
    put(WORD_PACKED, &line);
    if (!earlier)
        put_base64(WORD_DATA, packing.bytes, size);
}

/* Text as long as a person would read it, packed beyond that. */
void put_records(const struct method_facts *method, size_t number,
                 const struct branch *records, size_t count)
{
    size_t size = 0;
    if (folded_lines(records, count) == PACK_FROM_LINES)
        size = pack_records(records, count);
    if (size)
        put_packed(number, count, size);
    else
        put_folded(method, records, count);
}

void put_infos(uint32_t words, const struct info *infos, size_t count)
{
    for (size_t at = 0, same; at < count; at += same) {
        for (same = 1; at + same < count && info_same(&infos[at], &infos[at + same]);
             same++) {
        }
        put_open(WORD_INFO, NULL);
        for (enum info_word i = 0; i < INFO_WORDS; i++) {
            if (!(words & INFO_HAS(i)))
                continue;
            put_key(info_names[i]);
            info_put_value(&put_line, i, infos[at].values[i]);
        }
        if (same > 1)
            put_times(same);
        put_finish();
    }
}

static void pack_byte(uint8_t byte, bool by_bits)
{
    if (!by_bits || !tnt_is_full(byte)) {
        pack_add(packing.state, &(struct branch){ .from = byte });
        return;
    }
    for (int bit = TNT_BITS; bit > 0; bit--)
        pack_add(packing.state, &(struct branch){ .from = TNT_BIT + (byte >> bit & 1u) });
}

/*
 * Packs each byte, or each bit of a full TNT packet, as if it were a record, since a loop
 * writes the same packets many times.  Returns 0 if they do not fit.
 */
static size_t pack_bytes(const uint8_t *bytes, size_t count, bool by_bits)
{
    pack_begin(packing.state, packing.bytes, packing.capacity);
    for (size_t i = 0; i < count; i++)
        pack_byte(bytes[i], by_bits);
    return pack_end(packing.state);
}

static bool bits_take_less(const uint8_t *bytes, size_t count)
{
    const size_t tried = count < PACK_TRIED ? count : PACK_TRIED;
    const size_t by_bits = pack_bytes(bytes, tried, true);
    return by_bits && by_bits < pack_bytes(bytes, tried, false);
}

/* A short trace is logged as the processor wrote it, so that other programs can read it. */
void put_packets(const uint8_t *packets, size_t bytes, uint64_t status)
{
    bool packs = bytes >= PACK_FROM_BYTES;
    bool by_bits = packs && bits_take_less(packets, bytes);
    size_t size = packs ? pack_bytes(packets, bytes, by_bits) : 0;
    struct packets_line line = { .bytes = bytes, .status = status };
    if (size) {
        line.packed = log_number(size);
        line.coder = PACK_CODER;
        line.by_bits = by_bits;
    }
    put(WORD_PACKETS, &line);
    put_base64(WORD_DATA, size ? packing.bytes : packets, size ? size : bytes);
}
