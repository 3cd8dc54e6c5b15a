/*
 * filter.h.  SDM vol. 3B, "Filtering of Last Branch Records" and "Last Branch Records";
 * AMD64 APM vol. 2, "Last Branch Stack Select".
 */
#include "filter.h"

#include "text.h"

static const char *const names[FILTER_BITS] = {
    "kernel", "user", "jcc", "call", "icall", "ret", "ijmp", "jmp", "far", "callstack",
};

/* Its place in LBR_SELECT, which AMD took over. */
#define SELECT_BITS                                                                \
    1u << FILTER_KERNEL, 1u << FILTER_USER, 1u << FILTER_JCC, 1u << FILTER_CALL,   \
        1u << FILTER_ICALL, 1u << FILTER_RET, 1u << FILTER_IJMP, 1u << FILTER_JMP, \
        1u << FILTER_FAR
#define SELECT_SOURCE "SDM vol. 3B, \"Filtering of Last Branch Records\""

/*
 * Editions to 2016 say "occurring in", later ones "ending in".  The recording was made with
 * a filter for user mode, and 5 of its 119,424 records lead from the kernel to user mode.
 */
#define SELECT_RINGS                                                              \
    SELECT_SOURCE                                                                 \
    ": \"branches ending in ring 0\"; Intel on the Linux perf list, 2026-04-30; " \
    "a recording of 06_55"

const struct filter_form filter_lbr_select = {
    .bit = { SELECT_BITS },
    .source = SELECT_SOURCE,
    .confidence = STATED,
    .ring_source = SELECT_RINGS,
};

/*
 * There a relative call is recorded only where jumps of both sorts are, and an indirect
 * call where indirect jumps are: Linux asks for the jumps wherever it wants the calls.
 */
const struct filter_form filter_lbr_select_nehalem = {
    .bit = { SELECT_BITS },
    .also = { [FILTER_IJMP] = LEAVES_OUT(FILTER_ICALL) | LEAVES_OUT(FILTER_CALL),
              [FILTER_JMP] = LEAVES_OUT(FILTER_CALL) },
    .source = SELECT_SOURCE "; that jumps take calls with them: Linux, "
                            "arch/x86/events/intel/lbr.c",
    .confidence = UNCONFIRMED,
    .ring_source = SELECT_RINGS,
};

const struct filter_form filter_lbr_select_stack = {
    .bit = { SELECT_BITS, 1u << FILTER_CALLSTACK },
    .source = "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception "
              "Recording for Processors based on Haswell Microarchitecture\"",
    .confidence = STATED,
    .ring_source = SELECT_RINGS,
};

const struct filter_form filter_lbr_ctl = {
    .bit = { [FILTER_KERNEL] = 1u << 1,
             [FILTER_USER] = 1u << 2,
             [FILTER_CALLSTACK] = 1u << 3,
             [FILTER_JCC] = 1u << 16,
             [FILTER_JMP] = 1u << 17,
             [FILTER_IJMP] = 1u << 18,
             [FILTER_CALL] = 1u << 19,
             [FILTER_ICALL] = 1u << 20,
             [FILTER_RET] = 1u << 21,
             [FILTER_FAR] = 1u << 22 },
    .includes = true,
    .hides_from = true,
    .empties = true,
    .source = "SDM vol. 3B, \"Last Branch Records\"",
    .confidence = STATED,
    .ring_source =
        "SDM vol. 3B, \"Last Branch Records\": \"only if the CPL at the end of the "
        "operation is enabled\"; Intel on the Linux perf list, 2026-04-30",
};

const struct filter_form filter_amd_lbr_select = {
    .bit = { SELECT_BITS },
    .source = "AMD64 APM vol. 2, \"Last Branch Stack Select\"",
    .confidence = STATED,
    .ring_source = "AMD64 APM vol. 2, \"Last Branch Stack Select\"",
};

static bool same(const char *text, size_t length, const char *name)
{
    while (length && *name && *text == *name)
        text++, name++, length--;
    return !length && !*name;
}

static bool read_bit(const char *text, size_t length, uint32_t *out)
{
    for (enum filter_bit i = 0; i < FILTER_BITS; i++) {
        if (!same(text, length, names[i]))
            continue;
        bool again = *out & LEAVES_OUT(i);
        *out |= i == FILTER_CALLSTACK ? FILTER_STACK : LEAVES_OUT(i);
        return !again;
    }
    return false;
}

/* Both rings would leave nothing to be stacked, and any kind breaks the mix. */
static bool stacks_well(uint32_t filter, uint32_t words)
{
    return !(filter & LEAVES_OUT(FILTER_CALLSTACK)) ||
           (words <= 2 && (filter & FILTER_RINGS) != FILTER_RINGS &&
            (filter & ~FILTER_RINGS) == FILTER_STACK &&
            (words == 1 || (filter & FILTER_RINGS)));
}

bool filter_read(const char *text, size_t length, uint32_t *out)
{
    uint32_t words = 0;

    *out = 0;
    if (same(text, length, "none"))
        return true;
    for (;;) {
        size_t end = 0;

        while (end < length && text[end] != '+')
            end++;
        if (!read_bit(text, end, out))
            return false;
        words++;
        if (end == length)
            return stacks_well(*out, words);
        text += end + 1;
        length -= end + 1;
    }
}

const char *filter_text(uint32_t filter, char buffer[FILTER_TEXT_SIZE])
{
    struct text out = text_into(buffer, FILTER_TEXT_SIZE);
    const char *before = "";

    if (filter & LEAVES_OUT(FILTER_CALLSTACK))
        filter &= FILTER_RINGS | LEAVES_OUT(FILTER_CALLSTACK);
    for (enum filter_bit i = 0; i < FILTER_BITS; i++) {
        if (!(filter & LEAVES_OUT(i)))
            continue;
        text_join(&out, before, names[i]);
        before = "+";
    }
    if (!filter)
        text_string(&out, "none");
    return buffer;
}

#define ALONE        FILTER_CALLSTACK /* bits that stand for something left out */
#define COMBINATIONS (1u << ALONE)

static uint32_t bits_in(uint32_t filter)
{
    uint32_t count = 0;

    for (; filter; filter &= filter - 1)
        count++;
    return count;
}

/* The nth filter that leaves out at most `most` things; fewer things come first. */
static bool nth_mix(size_t n, uint32_t most, uint32_t *out)
{
    for (uint32_t bits = 0; bits <= most; bits++)
        for (uint32_t mix = 0; mix < COMBINATIONS; mix++)
            if (bits_in(mix) == bits && n-- == 0) {
                *out = mix;
                return true;
            }
    return false;
}

/* The words for several filters at once. */
static const struct many {
    const char *word;
    uint32_t most;          /* things left out at once */
    uint32_t mixes, stacks; /* how many filters, and then how many call stacks */
} manies[] = {
    { "each", 1, 10, 1 },
    { "pairs", 2, 46, 1 },
    { "every", ALONE, COMBINATIONS, 3 },
};

static bool nth_of_many(const struct many *many, size_t n, uint32_t *out)
{
    static const uint32_t stacks[] = { FILTER_STACK,
                                       FILTER_STACK | LEAVES_OUT(FILTER_KERNEL),
                                       FILTER_STACK | LEAVES_OUT(FILTER_USER) };

    if (n < many->mixes)
        return nth_mix(n, many->most, out);
    if (n - many->mixes >= many->stacks)
        return false;
    *out = stacks[n - many->mixes];
    return true;
}

static const struct many *many_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof manies / sizeof manies[0]; i++)
        if (same(text, length, manies[i].word))
            return &manies[i];
    return NULL;
}

/* The length of one place of a list; *next is the place after it, or NULL. */
static size_t place(const char *list, const char **next)
{
    size_t length = 0;

    while (list[length] && list[length] != ',')
        length++;
    *next = list[length] ? list + length + 1 : NULL;
    return length;
}

bool filter_nth(const char *list, size_t n, uint32_t *out)
{
    while (list) {
        const char *next;
        size_t length = place(list, &next);
        const struct many *many = many_of(list, length);
        size_t count = many ? many->mixes + many->stacks : 1;

        if (n < count)
            return many ? nth_of_many(many, n, out) : filter_read(list, length, out);
        n -= count;
        list = next;
    }
    return false;
}

const char *filter_wrong(const char *list)
{
    while (list) {
        const char *next;
        size_t length = place(list, &next);
        uint32_t ignored;

        if (!many_of(list, length) && !filter_read(list, length, &ignored))
            return list;
        list = next;
    }
    return NULL;
}

uint64_t filter_register(const struct filter_form *form, uint32_t has, uint32_t filter)
{
    uint64_t value = 0;

    for (enum filter_bit i = 0; i < FILTER_BITS; i++) {
        bool wanted = filter & LEAVES_OUT(i);

        /* Call-stack mode is turned on by its bit, whatever the others mean. */
        if (has & LEAVES_OUT(i) && wanted != (form->includes && i != FILTER_CALLSTACK))
            value |= form->bit[i];
    }
    return value;
}

bool filter_selects_nothing(const struct filter_form *form, uint64_t value)
{
    uint64_t kinds = 0;

    for (enum filter_bit i = FILTER_JCC; i <= FILTER_FAR; i++)
        kinds |= form->bit[i];
    return form->includes && !(value & kinds);
}

struct record_filter filter_form_apply(const struct filter_form *form, uint32_t filter)
{
    struct record_filter record_filter = { .left_out =
                                               filter & (FILTER_RINGS | FILTER_KINDS),
                                           .decides = form ? RING_ENTERED : RING_LEFT,
                                           .hides_ends = form && form->hides_from,
                                           .empties = form && form->empties,
                                           .call_stack =
                                               filter & LEAVES_OUT(FILTER_CALLSTACK) };

    for (enum filter_bit i = 0; form && i < FILTER_BITS; i++)
        if (filter & LEAVES_OUT(i))
            record_filter.left_out |= form->also[i];
    return record_filter;
}

uint32_t filter_of_kind(enum kind kind)
{
    static const uint32_t bits[KIND_COUNT] = {
        [KIND_JCC] = LEAVES_OUT(FILTER_JCC),     [KIND_JMP] = LEAVES_OUT(FILTER_JMP),
        [KIND_IJMP] = LEAVES_OUT(FILTER_IJMP),   [KIND_CALL] = LEAVES_OUT(FILTER_CALL),
        [KIND_ICALL] = LEAVES_OUT(FILTER_ICALL), [KIND_RET] = LEAVES_OUT(FILTER_RET),
        [KIND_INT] = LEAVES_OUT(FILTER_FAR),     [KIND_EXC] = LEAVES_OUT(FILTER_FAR),
        [KIND_IRET] = LEAVES_OUT(FILTER_FAR),    [KIND_FAR] = LEAVES_OUT(FILTER_FAR),
    };

    return kind < KIND_COUNT ? bits[kind] : 0;
}
