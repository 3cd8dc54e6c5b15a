/*
 * The proof of a line: its number, the checksum after it, and where it may begin.
 */
#include "find_parts.h"

#include <string.h>

#include "lines.h"
#include "text.h"

bool find_is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

void find_aim(struct target *target, size_t stretch, struct log_chain chain)
{
    struct text needle = text_into(target->needle, sizeof(target->needle));

    text_string(&needle, " ~");
    text_decimal(&needle, chain.sequence + 1);
    text_string(&needle, " ");
    target->needle_length = needle.length;
    target->chain = chain;
    target->stretch = stretch;
    target->tries = 0;
}

/* The words. */

/* The words that begin with this letter. */
static const struct span *words_with(unsigned letter, size_t *count)
{
    static struct span words[26][LOG_WORDS];
    static size_t counts[26];
    static bool filled;

    for (size_t i = 0; i < LOG_WORDS && !filled; i++) {
        const size_t of = (size_t)(*log_words[i].word - 'a');

        words[of][counts[of]++] = span_of(log_words[i].word);
    }
    filled = true;
    *count = letter < 26 ? counts[letter] : 0;
    return letter < 26 ? words[letter] : NULL;
}

/* The word of the log with which the text begins, as far as the text goes; `at` NULL: none.
 */
static struct span word_at(struct span text)
{
    size_t count;
    const struct span *words =
        words_with(text.length ? (unsigned char)*text.at - (unsigned)'a' : 26, &count);

    for (size_t i = 0; i < count; i++) {
        const size_t length = words[i].length;

        if (memcmp(text.at, words[i].at, text.length < length ? text.length : length) ==
                0 &&
            (text.length <= length || text.at[length] == ' '))
            return words[i];
    }
    return (struct span){ NULL, 0 };
}

size_t find_word(struct span text)
{
    const struct span word = word_at(text);

    return word.at && text.length > word.length ? word.length + 1 : 0;
}

bool find_begins_word(struct span text)
{
    return word_at(text).at;
}

size_t find_trailer_end(const struct target *target, struct span text, size_t from)
{
    while (from < text.length) {
        const char *at = memmem(text.at + from, text.length - from, target->needle,
                                target->needle_length);
        size_t digits, i = 0;

        if (!at)
            return 0;
        digits = (size_t)(at - text.at) + target->needle_length;
        while (i < CRC_DIGITS && digits + i < text.length &&
               find_is_hex(text.at[digits + i]))
            i++;
        if (i == CRC_DIGITS)
            return digits + CRC_DIGITS;
        from = digits;
    }
    return 0;
}

bool find_proves(struct finder *finder, struct target *target, struct span line)
{
    struct log_chain chain = target->chain;
    uint32_t sequence;
    size_t body;

    if (line.length > LOG_LINE_MAX ||
        (target == &finder->opening && !span_begins(line, LOG_OPENING)) ||
        target->tries >= CANDIDATES_MAX)
        return false;
    target->tries++;
    finder->credit -= (int64_t)line.length + COST_PROOF;
    return log_unseal(&chain, line.at, line.length, &body, &sequence) == LOG_GOOD;
}
