/*
 * pack.h.  Packing and unpacking make the same decisions; only `code_bit` differs.  The
 * code is compiled once for each of the two, with `reading` a constant, since a reader runs
 * it for every branch; only what is rare is shared.
 */
#include "pack.h"

#define ALWAYS static inline __attribute__((always_inline))
#define SELDOM static __attribute__((noinline))

/* Probabilities that a bit is 0, of 65536; adapting keeps them between 15 and 65521. */
#define PROBABILITY_BITS 16
#define PROBABILITY_HALF (1u << (PROBABILITY_BITS - 1))
#define ADAPT_SHIFT      4

#define RANGE_TOP  UINT64_MAX
#define WORD_BITS  32 /* bits that are shifted out, or in, once the range is below 2^32 */
#define WORD_BYTES 4

#define FIELD_BYTES 8
#define NO_RECORD   PACK_UNKNOWN

/* Words of the coder, the highest byte first. */

SELDOM void put_word(struct pack *p)
{
    for (int i = 1; i <= WORD_BYTES; i++) {
        if (p->at < p->capacity)
            p->bytes[p->at++] = (uint8_t)(p->low >> (64 - 8 * i));
        else
            p->overflow = true;
    }
    p->low <<= WORD_BITS;
}

/* Carries the overflow of 64 bits into the bytes that were already written. */
ALWAYS void raise_low(struct pack *p, uint64_t by)
{
    p->low += by;
    for (size_t i = p->low < by ? p->at : 0; i-- > 0 && ++p->bytes[i] == 0;)
        ;
}

static uint8_t get_byte(struct pack *p)
{
    if (p->at < p->capacity)
        return p->bytes[p->at++];
    p->overflow = true;
    return 0;
}

SELDOM void get_word(struct pack *p)
{
    for (int i = 0; i < WORD_BYTES; i++)
        p->code = p->code << 8 | get_byte(p);
}

ALWAYS void adapt(uint16_t *probability, bool bit)
{
    uint32_t of_0 = *probability;
    uint32_t less = of_0 - (of_0 >> ADAPT_SHIFT);
    uint32_t more = of_0 + (((1u << PROBABILITY_BITS) - of_0) >> ADAPT_SHIFT);

    *probability = (uint16_t)(bit ? less : more);
}

/* One bit through the coder: packing takes `bit`, unpacking gives it back. */
ALWAYS bool code_bit(struct pack *p, bool reading, uint16_t *probability, bool bit)
{
    uint64_t bound = (p->range >> PROBABILITY_BITS) * *probability;

    if (reading)
        bit = p->code >= bound;
    if (!bit) {
        p->range = bound;
    } else {
        p->range -= bound;
        if (reading)
            p->code -= bound;
        else
            raise_low(p, bound);
    }
    adapt(probability, bit);
    if (p->range >> WORD_BITS == 0) {
        p->range <<= WORD_BITS;
        if (reading)
            get_word(p);
        else
            put_word(p);
    }
    return bit;
}

/* The model. */

static void forget(struct pack *p)
{
    p->known_count = p->newest = p->longest = 0;
    p->last = (struct branch){ 0, 0, 0 };
    __builtin_memset(p->history, 0, sizeof(p->history));
    __builtin_memset(p->hash, 0, sizeof(p->hash));
    __builtin_memset(p->context, 0, sizeof(p->context));
    p->is_known = PROBABILITY_HALF;
    for (int i = 0; i < 16; i++)
        p->number_bits[i] = PROBABILITY_HALF;
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

static uint32_t slot_of(const struct pack *p, const struct branch *record)
{
    uint32_t slot = mix(record->from + mix(record->to + mix(record->info)));
    for (;; slot++) {
        uint32_t number = p->hash[slot % PACK_KNOWN_HASH];
        if (!number || branch_same(&p->known[number - 1], record))
            return slot % PACK_KNOWN_HASH;
    }
}

/* The number of this record, or NO_RECORD. */
static uint32_t number_of(const struct pack *p, const struct branch *record)
{
    uint32_t number = p->hash[slot_of(p, record)];
    return number ? number - 1 : NO_RECORD;
}

/* Remembers one more record while there is space; returns its number. */
static uint32_t remember(struct pack *p, const struct branch *record)
{
    if (p->known_count == PACK_KNOWN_MAX)
        return NO_RECORD;
    p->known[p->known_count] = *record;
    p->hash[slot_of(p, record)] = ++p->known_count;
    return p->known_count - 1;
}

/*
 * A context is the newest 1, 2 or more records.  The surest context is asked first, and the
 * shortest one if it was wrong.
 */
enum context { LONGEST, MIDDLE, SHORTEST, CONTEXTS };
#define LONGEST_RECORDS 12
#define MIDDLE_RECORDS  3

#define FACTOR       0x2545f491u
#define FACTOR_TO_2  (FACTOR * FACTOR)
#define FACTOR_TO_8  (FACTOR_TO_2 * FACTOR_TO_2 * FACTOR_TO_2 * FACTOR_TO_2)
#define FACTOR_TO_11 (FACTOR_TO_8 * FACTOR_TO_2 * FACTOR) /* of the oldest of twelve */

_Static_assert(LONGEST_RECORDS == 12, "the oldest has FACTOR_TO_11");
_Static_assert(PACK_HISTORY >= LONGEST_RECORDS && !(PACK_HISTORY & (PACK_HISTORY - 1)),
               "a ring holds the longest");
_Static_assert(PACK_KNOWN_MAX < UINT16_MAX, "a number and 1 have 16 bits");

#define CONTEXT_SHIFT 18
_Static_assert(PACK_CONTEXTS == 1u << (32 - CONTEXT_SHIFT), "what is left of 32 bits");

/* One more than the number of the newest record but i; 0: of none that is known. */
ALWAYS uint16_t *nth_newest(struct pack *p, uint32_t i)
{
    return &p->history[(p->newest - i) % PACK_HISTORY];
}

/* A context is found by the sum of its records, each times FACTOR for each newer one. */
ALWAYS struct pack_context *context_of(struct pack *p, uint32_t sum)
{
    return &p->context[sum * 0x9e3779b1u >> CONTEXT_SHIFT];
}

ALWAYS void find_contexts(struct pack *p, struct pack_context *contexts[CONTEXTS])
{
    uint32_t middle = 0;

    for (uint32_t i = MIDDLE_RECORDS; i-- > 0;)
        middle = middle * FACTOR + *nth_newest(p, i);
    contexts[LONGEST] = context_of(p, p->longest);
    contexts[MIDDLE] = context_of(p, middle + MIDDLE_RECORDS);
    contexts[SHORTEST] = context_of(p, *nth_newest(p, 0));
}

ALWAYS void note_newest(struct pack *p, uint32_t number)
{
    uint32_t oldest = *nth_newest(p, LONGEST_RECORDS - 1);

    p->longest = (p->longest - oldest * FACTOR_TO_11) * FACTOR + number + 1;
    p->newest++;
    *nth_newest(p, 0) = (uint16_t)(number + 1);
}

/* Returns the context whose first guess was right most often. */
ALWAYS enum context surest(struct pack_context *const contexts[CONTEXTS])
{
    enum context best = SHORTEST;
    uint16_t most = PROBABILITY_HALF;

    if (contexts[SHORTEST]->guess[0])
        most = contexts[SHORTEST]->right[0];
    for (int i = MIDDLE; i >= LONGEST; i--)
        if (contexts[i]->guess[0] && contexts[i]->right[0] > most) {
            most = contexts[i]->right[0];
            best = (enum context)i;
        }
    return best;
}

/* Tries the guesses of a context; NO_RECORD where none is right. */
ALWAYS uint32_t code_guess(struct pack *p, bool reading, struct pack_context *context,
                           uint32_t number)
{
    for (int g = 0; g < PACK_GUESSES && context->guess[g]; g++) {
        uint32_t guess = context->guess[g] - 1u;
        bool wrong = code_bit(p, reading, &context->right[g], guess != number);

        if (!wrong)
            return guess;
    }
    return NO_RECORD;
}

/*
 * Adds the record to the guesses of this context; its first, surest guess stays.  A context
 * that was not asked learns how sure it would have been.
 */
ALWAYS void learn(struct pack_context *context, uint32_t number, bool asked)
{
    uint16_t came = (uint16_t)(number + 1);
    bool wrong = context->guess[0] != came;
    int g = context->guess[0] && wrong;

    if (context->guess[0] && !asked)
        adapt(&context->right[0], wrong);
    if (!context->guess[g])
        context->right[g] = PROBABILITY_HALF;
    context->guess[g] = came;
}

/* A number below known_count, highest bit first. */
SELDOM uint32_t code_number(struct pack *p, bool reading, uint32_t number)
{
    uint32_t result = 0;
    for (int bit = 15; bit >= 0; bit--)
        if (p->known_count >> bit)
            result |=
                (uint32_t)code_bit(p, reading, &p->number_bits[bit], number >> bit & 1)
                << bit;
    return result;
}

/* A 64-bit field: how many bytes differ from 0 at its low end, then those. */
static uint64_t code_field(struct pack *p, bool reading, unsigned field, uint64_t value)
{
    unsigned count = 0;
    for (uint64_t rest = value; rest; rest >>= 8)
        count++;
    uint64_t result = 0;
    uint32_t node = 1;
    for (int bit = 3; bit >= 0; bit--)
        node = node << 1 |
               code_bit(p, reading, &p->byte_bits[field][8][node], count >> bit & 1);
    count = node & 0xf;
    if (count > FIELD_BYTES) {
        p->overflow = true; /* no packer writes that */
        return 0;
    }
    for (unsigned i = count; i-- > 0;) {
        node = 1;
        for (int bit = 7; bit >= 0; bit--)
            node = node << 1 | code_bit(p, reading, &p->byte_bits[field][i][node],
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
SELDOM struct branch code_record(struct pack *p, bool reading, const struct branch *record)
{
    struct branch result;
    result.from = p->last.from +
                  unzigzag(code_field(p, reading, 0, zigzag(record->from - p->last.from)));
    result.to =
        p->last.to + unzigzag(code_field(p, reading, 1, zigzag(record->to - p->last.to)));
    result.info = code_field(p, reading, 2, record->info);
    p->last = result;
    return result;
}

/* The number of a record that no guess has, or NO_RECORD. */
ALWAYS uint32_t code_unexpected(struct pack *p, bool reading, uint32_t number)
{
    uint32_t found;

    if (!code_bit(p, reading, &p->is_known, number != NO_RECORD))
        return NO_RECORD;
    found = code_number(p, reading, number);
    if (found < p->known_count)
        return found;
    p->overflow = true; /* no packer writes that */
    return NO_RECORD;
}

/* Takes a record through the coder; unpacking ignores what is given. */
ALWAYS void code(struct pack *p, bool reading, const struct branch *given,
                 struct branch *out)
{
    uint32_t number = reading ? NO_RECORD : number_of(p, given), found;
    struct pack_context *contexts[CONTEXTS];
    bool asked[CONTEXTS] = { false };
    enum context first;

    find_contexts(p, contexts);
    first = surest(contexts);
    found = code_guess(p, reading, contexts[first], number);
    asked[first] = true;
    if (found == NO_RECORD && first != SHORTEST) {
        found = code_guess(p, reading, contexts[SHORTEST], number);
        asked[SHORTEST] = true;
    }
    if (found == NO_RECORD)
        found = code_unexpected(p, reading, number);
    if (found != NO_RECORD) {
        *out = p->known[found];
    } else {
        *out = code_record(p, reading, given);
        found = remember(p, out);
    }
    for (int i = 0; i < CONTEXTS; i++)
        learn(contexts[i], found, asked[i]);
    note_newest(p, found);
}

void pack_begin(struct pack *p, uint8_t *bytes, size_t capacity)
{
    forget(p);
    p->bytes = bytes;
    p->capacity = capacity;
    p->at = 0;
    p->overflow = false;
    p->low = 0;
    p->range = RANGE_TOP;
}

void pack_add(struct pack *p, const struct branch *record)
{
    struct branch written;

    code(p, false, record, &written);
}

size_t pack_end(struct pack *p)
{
    put_word(p);
    put_word(p);
    return p->overflow ? 0 : p->at;
}

void unpack_begin(struct pack *p, const uint8_t *bytes, size_t size)
{
    forget(p);
    p->bytes = (uint8_t *)bytes; /* is not written to while reading */
    p->capacity = size;
    p->at = 0;
    p->overflow = false;
    p->range = RANGE_TOP;
    p->code = 0;
    get_word(p);
    get_word(p);
}

bool unpack_next(struct pack *p, struct branch *record)
{
    static const struct branch nothing;

    code(p, true, &nothing, record);
    return !p->overflow;
}

bool unpack_ended(struct pack *p)
{
    return p->at == p->capacity;
}
