/*
 * pack.h.  Packing and unpacking walk through the same decisions; `code_bit` is the
 * only place where they differ.
 */
#include "pack.h"

/* Probabilities that a bit is 0, of 4096; adapting keeps them between 15 and 4081. */
#define PROBABILITY_BITS 12
#define PROBABILITY_HALF (1u << (PROBABILITY_BITS - 1))
#define ADAPT_SHIFT      4

#define RANGE_TOP  0xffffffffu
#define RANGE_LOW  (1u << 24) /* below this another byte is shifted out */
#define CODE_BYTES 5          /* the first one is always 0              */

#define FIELD_BYTES 8
#define NO_RECORD   UINT32_MAX
#define READING     UINT64_MAX /* in low: unpacking, nothing is ever carried */

/* Bytes of the coder. */

static void put_byte(struct pack *p, uint8_t byte)
{
    if (p->at < p->room)
        p->bytes[p->at++] = byte;
    else
        p->overflow = true;
}

static uint8_t get_byte(struct pack *p)
{
    const uint8_t *bytes;

    if (p->at == p->room && p->source) {
        p->room = p->source->more(p->source, &bytes);
        p->bytes = (uint8_t *)bytes; /* is not written to while reading */
        p->at = 0;
        if (p->room == 0)
            p->source = NULL;
    }
    if (p->at < p->room)
        return p->bytes[p->at++];
    p->overflow = true;
    return 0;
}

/* The top byte waits until it is sure that no carry reaches it. */
static void shift_low(struct pack *p)
{
    if (p->low < 0xff000000u || p->low > RANGE_TOP) {
        uint8_t carry = (uint8_t)(p->low >> 32);
        uint8_t byte = p->cache;
        do {
            put_byte(p, (uint8_t)(byte + carry));
            byte = 0xff;
        } while (--p->cache_size);
        p->cache = (uint8_t)(p->low >> 24);
    }
    p->cache_size++;
    p->low = (p->low & 0x00ffffff) << 8;
}

static bool reading(const struct pack *p)
{
    return p->low == READING;
}

static void adapt(uint16_t *probability, bool bit)
{
    if (bit)
        *probability = (uint16_t)(*probability - (*probability >> ADAPT_SHIFT));
    else
        *probability =
            (uint16_t)(*probability +
                       (((1u << PROBABILITY_BITS) - *probability) >> ADAPT_SHIFT));
}

/* One bit through the coder: packing takes `bit`, unpacking gives it back. */
static bool code_bit(struct pack *p, uint16_t *probability, bool bit)
{
    uint32_t bound = (p->range >> PROBABILITY_BITS) * *probability;
    if (reading(p))
        bit = p->code >= bound;
    if (!bit) {
        p->range = bound;
    } else {
        if (reading(p))
            p->code -= bound;
        else
            p->low += bound;
        p->range -= bound;
    }
    adapt(probability, bit);
    while (p->range < RANGE_LOW) {
        p->range <<= 8;
        if (reading(p))
            p->code = p->code << 8 | get_byte(p);
        else
            shift_low(p);
    }
    return bit;
}

/* The model. */

static void forget(struct pack *p)
{
    p->known_count = 0;
    p->last = (struct branch){ 0, 0, 0 };
    for (int i = 0; i < PACK_HISTORY; i++)
        p->history[i] = 0;
    __builtin_memset(p->hash, 0, sizeof(p->hash));
    __builtin_memset(p->context, 0, sizeof(p->context));
    p->is_known = PROBABILITY_HALF;
    for (int i = 0; i < 16; i++)
        p->number_bits[i][0] = p->number_bits[i][1] = PROBABILITY_HALF;
    for (int f = 0; f < 3; f++)
        for (int i = 0; i < 9; i++)
            for (int b = 0; b < 256; b++)
                p->byte_bits[f][i][b] = PROBABILITY_HALF;
}

static uint32_t mix(uint64_t value)
{
    value *= 0x9e3779b97f4a7c15ull; /* Fibonacci hashing: 2^64 over the golden ratio */
    return (uint32_t)(value >> 40);
}

static bool same(const struct branch *a, const struct branch *b)
{
    return a->from == b->from && a->to == b->to && a->info == b->info;
}

static uint32_t slot_of(const struct pack *p, const struct branch *record)
{
    uint32_t slot = mix(record->from + mix(record->to + mix(record->info)));
    for (;; slot++) {
        uint32_t number = p->hash[slot % PACK_KNOWN_HASH];
        if (!number || same(&p->known[number - 1], record))
            return slot % PACK_KNOWN_HASH;
    }
}

/* The number of this record, or NO_RECORD. */
static uint32_t number_of(const struct pack *p, const struct branch *record)
{
    uint32_t number = p->hash[slot_of(p, record)];
    return number ? number - 1 : NO_RECORD;
}

/* One more that is remembered, while there is room. */
static uint32_t remember(struct pack *p, const struct branch *record)
{
    if (p->known_count == PACK_KNOWN_MAX)
        return NO_RECORD;
    p->known[p->known_count] = *record;
    p->hash[slot_of(p, record)] = ++p->known_count;
    return p->known_count - 1;
}

/* The contexts: the surest one is asked, and where it was wrong the shortest. */
static const unsigned context_lengths[] = { PACK_HISTORY, 3, 1 };
#define CONTEXTS (sizeof context_lengths / sizeof context_lengths[0])

static uint32_t context_of(const struct pack *p, unsigned length)
{
    uint64_t value = length;
    for (unsigned i = 0; i < length; i++)
        value = (value ^ p->history[i]) * 0x100000001b3ull; /* the prime of FNV-1a */
    return mix(value) % PACK_CONTEXTS;
}

/* Of these contexts the one whose first guess was right most often. */
static size_t surest(const struct pack *p, const uint32_t context[CONTEXTS])
{
    size_t best = CONTEXTS - 1;
    uint16_t most = PROBABILITY_HALF;
    if (p->context[context[best]].guess[0])
        most = p->context[context[best]].right[0];
    for (size_t i = CONTEXTS - 1; i-- > 0;)
        if (p->context[context[i]].guess[0] && p->context[context[i]].right[0] > most) {
            most = p->context[context[i]].right[0];
            best = i;
        }
    return best;
}

/* Tries the guesses of a context; NO_RECORD where none is right. */
static uint32_t code_guess(struct pack *p, uint32_t context, uint32_t number)
{
    for (int g = 0; g < PACK_GUESSES; g++) {
        uint32_t guess = p->context[context].guess[g];
        if (!guess)
            break;
        bool wrong = code_bit(p, &p->context[context].right[g], guess - 1 != number);
        if (!wrong)
            return guess - 1;
    }
    return NO_RECORD;
}

/* A context that was not asked learns how sure it could have been. */
static void learn_sureness(struct pack *p, uint32_t context, uint32_t number)
{
    if (p->context[context].guess[0])
        adapt(&p->context[context].right[0], p->context[context].guess[0] != number + 1);
}

/* What came is guessed from now on; the first guess stays, it is the sure one. */
static void learn(struct pack *p, uint32_t context, uint32_t number)
{
    uint32_t *guess = p->context[context].guess;
    int g = guess[0] && guess[0] != number + 1;
    if (!guess[g])
        p->context[context].right[g] = PROBABILITY_HALF;
    guess[g] = number + 1;
}

/* A number below known_count, highest bit first. */
static uint32_t code_number(struct pack *p, uint32_t number)
{
    uint32_t result = 0;
    for (int bit = 15; bit >= 0; bit--)
        if (p->known_count >> bit)
            result |= (uint32_t)code_bit(p, &p->number_bits[bit][0], number >> bit & 1)
                      << bit;
    return result;
}

/* A 64-bit field: how many bytes differ from 0 at its low end, then those. */
static uint64_t code_field(struct pack *p, unsigned field, uint64_t value)
{
    unsigned count = 0;
    for (uint64_t rest = value; rest; rest >>= 8)
        count++;
    uint64_t result = 0;
    uint32_t node = 1;
    for (int bit = 3; bit >= 0; bit--)
        node = node << 1 | code_bit(p, &p->byte_bits[field][8][node], count >> bit & 1);
    count = node & 0xf;
    if (count > FIELD_BYTES) {
        p->overflow = true; /* no packer writes that */
        return 0;
    }
    for (unsigned i = count; i-- > 0;) {
        node = 1;
        for (int bit = 7; bit >= 0; bit--)
            node = node << 1 | code_bit(p, &p->byte_bits[field][i][node],
                                        value >> (8 * i + (unsigned)bit) & 1);
        result |= (uint64_t)(node & 0xff) << 8 * i;
    }
    return result;
}

/* Small differences of either sign become small numbers. */
static uint64_t zigzag(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t unzigzag(uint64_t value)
{
    return value >> 1 ^ (0 - (value & 1));
}

/* A record that was not seen before: as it differs from the last such one. */
static struct branch code_record(struct pack *p, const struct branch *record)
{
    struct branch result;
    result.from =
        p->last.from + unzigzag(code_field(p, 0, zigzag(record->from - p->last.from)));
    result.to = p->last.to + unzigzag(code_field(p, 1, zigzag(record->to - p->last.to)));
    result.info = code_field(p, 2, record->info);
    p->last = result;
    return result;
}

/* Takes a record through the coder; unpacking ignores what is given. */
static struct branch code(struct pack *p, const struct branch *given)
{
    uint32_t number = reading(p) ? NO_RECORD : number_of(p, given);
    uint32_t context[CONTEXTS];
    for (size_t i = 0; i < CONTEXTS; i++)
        context[i] = context_of(p, context_lengths[i]);
    bool asked[CONTEXTS] = { false };
    size_t first = surest(p, context), last = CONTEXTS - 1;
    uint32_t found = code_guess(p, context[first], number);
    asked[first] = true;
    if (found == NO_RECORD && first != last) {
        found = code_guess(p, context[last], number);
        asked[last] = true;
    }

    struct branch result;
    if (found == NO_RECORD && code_bit(p, &p->is_known, number != NO_RECORD)) {
        found = code_number(p, number);
        if (found >= p->known_count) {
            p->overflow = true; /* no packer writes that */
            found = NO_RECORD;
        }
    }
    if (found != NO_RECORD) {
        result = p->known[found];
    } else {
        result = code_record(p, given);
        found = remember(p, &result);
    }
    for (size_t i = 0; i < CONTEXTS; i++) {
        if (!asked[i])
            learn_sureness(p, context[i], found);
        learn(p, context[i], found);
    }
    for (int i = PACK_HISTORY - 1; i > 0; i--)
        p->history[i] = p->history[i - 1];
    p->history[0] = found;
    return result;
}

void pack_begin(struct pack *p, uint8_t *bytes, size_t room)
{
    forget(p);
    p->bytes = bytes;
    p->room = room;
    p->at = 0;
    p->overflow = false;
    p->low = 0;
    p->range = RANGE_TOP;
    p->cache = 0;
    p->cache_size = 1;
}

void pack_add(struct pack *p, const struct branch *record)
{
    code(p, record);
}

size_t pack_end(struct pack *p)
{
    for (int i = 0; i < CODE_BYTES; i++)
        shift_low(p);
    return p->overflow ? 0 : p->at;
}

static void begin_reading(struct pack *p)
{
    forget(p);
    p->at = 0;
    p->overflow = false;
    p->low = READING;
    p->range = RANGE_TOP;
    p->code = 0;
    for (int i = 0; i < CODE_BYTES; i++)
        p->code = p->code << 8 | get_byte(p);
}

void unpack_begin(struct pack *p, const uint8_t *bytes, size_t size)
{
    p->bytes = (uint8_t *)bytes; /* is not written to while reading */
    p->room = size;
    p->source = NULL;
    begin_reading(p);
}

void unpack_begin_from(struct pack *p, struct pack_bytes *source)
{
    p->room = 0;
    p->source = source;
    begin_reading(p);
}

bool unpack_next(struct pack *p, struct branch *record)
{
    static const struct branch nothing;
    *record = code(p, &nothing);
    return !p->overflow;
}
