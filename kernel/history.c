/* history.h.  The log comes from a stick that may have been anywhere: nothing of it is
 * believed without its trailer, and nothing is longer than there is room for. */
#include "history.h"

#include "facility.h"
#include "lines.h"
#include "log.h"
#include "skip_code.h"
#include "text.h"

/* Whole lines, one after the other, up to the first that is damaged. */
struct log_reader {
    const char *at, *end;
    struct log_chain chain;
    bool damaged;
};

static bool next_line(struct log_reader *r, struct span *out)
{
    uint32_t sequence;
    out->at = r->at;
    while (r->at < r->end && *r->at != '\n')
        r->at++;
    size_t length = (size_t)(r->at - out->at);
    if (r->at == r->end) {
        r->damaged = r->damaged || length; /* cut off in a line */
        return false;
    }
    r->at++;
    r->damaged = length > LOG_LINE_MAX || log_unseal(&r->chain, out->at, length,
                                                     &out->length, &sequence) != LOG_GOOD;
    return !r->damaged;
}

/* Takes the word and its space off the line, if it begins with that. */
static bool begins(struct span *line, const char *word)
{
    size_t i = 0;
    while (i < line->length && word[i] && line->at[i] == word[i])
        i++;
    if (word[i] || i == line->length || line->at[i] != ' ')
        return false;
    line->at += i + 1;
    line->length -= i + 1;
    return true;
}

static bool same(struct span a, struct span b)
{
    return a.length == b.length && __builtin_memcmp(a.at, b.at, a.length) == 0;
}

static enum log_line word_of(struct span line)
{
    size_t length = 0;
    while (length < line.length && line.at[length] != ' ')
        length++;
    return log_word(line.at, length);
}

/* The next line by which a machine is known; all of them are before the image. */
static bool next_mark(struct log_reader *r, struct span *out)
{
    while (next_line(r, out)) {
        enum log_line word = word_of(*out);
        if (word == WORD_IMAGE)
            return false;
        if (word < LOG_WORDS && log_words[word].shown & LOG_OF_MACHINE)
            return true;
    }
    return false;
}

/* Are all marks of `own` those with which the log begins? */
static bool begins_alike(struct log_reader *log, struct log_reader own)
{
    struct span a, b;
    size_t marks = 0;
    for (; next_mark(&own, &b); marks++)
        if (!next_mark(log, &a) || !same(a, b))
            return false;
    return marks;
}

static bool of_one_machine(struct log_reader log, struct log_reader own)
{
    struct span more;
    return begins_alike(&log, own) && !next_mark(&log, &more) && !log.damaged;
}

/* Accepts only subjects that the kernel writes itself: others would get into a log. */
static bool copy_word(char *out, size_t capacity, const char *at, size_t length)
{
    if (!length || length >= capacity)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (at[i] < ' ' || at[i] > '~' || at[i] == '"')
            return false;
        out[i] = at[i];
    }
    out[length] = 0;
    return true;
}

static bool is_run(const char *subject)
{
    while (*subject && *subject != ' ')
        subject++;
    return *subject;
}

static bool is_facility(const char *name)
{
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (text_same(facility_names[i], name))
            return true;
    return false;
}

/* What comes after a field and its word, without the space; NULL: the field is not there.
 */
static const char *after_field(const char *at, const char *field)
{
    if (!text_begins(at, field))
        return NULL;
    while (*at && *at != ' ')
        at++;
    return *at ? at + 1 : at;
}

/*
 * A facility of this build, or a method or run in the form in which this build names it.  A
 * log of a newer one has others, and a line `avoid` of those makes each later log unusable.
 */
static bool can_be_avoided(const char *subject)
{
    const char *rest = after_field(subject, "method=");
    if (text_begins(subject, "facility="))
        return is_facility(subject + sizeof "facility=" - 1);
    if (rest && *rest)
        rest = after_field(rest, "workload=");
    if (rest && *rest)
        rest = after_field(rest, "filter=");
    return rest && !*rest;
}

/* After the last run, say, nothing is to blame: other subjects are passed over. */
static void add(struct history *h, const struct avoided *one)
{
    if (!can_be_avoided(one->subject) || h->count == AVOIDED_MAX ||
        history_of(h, one->subject))
        return;
    h->avoided[h->count++] = *one;
    h->careful = h->careful || is_run(one->subject); /* there may be more of them */
}

/* `avoid SUBJECT log=NAME`: known before that log was written. */
static void add_known(struct history *h, struct span line)
{
    static const char key[] = " log=";
    struct avoided one;
    for (size_t i = line.length; i-- > 0;) {
        size_t rest = line.length - i;
        if (rest <= sizeof key - 1 || !text_begins(line.at + i, key))
            continue;
        if (copy_word(one.subject, sizeof one.subject, line.at, i) &&
            copy_word(one.log, sizeof one.log, line.at + i + sizeof key - 1,
                      rest - (sizeof key - 1)))
            add(h, &one);
        return;
    }
}

static void add_death(struct history *h, const char *name, struct span last, bool damaged)
{
    struct avoided one;
    bool named = !damaged && begins(&last, "try") &&
                 copy_word(one.subject, sizeof one.subject, last.at, last.length);
    copy_word(one.log, sizeof one.log, name, text_length(name));
    if (named && !text_same(one.subject, SUBJECT_RUNS) &&
        !text_begins(one.subject, SUBJECT_ROUND)) {
        add(h, &one);
        return;
    }
    h->careful = true;
    copy_word(h->died_somewhere, sizeof h->died_somewhere, name, text_length(name));
}

bool history_read(struct history *h, const char *name, const char *log, size_t size,
                  const char *own, size_t own_size)
{
    struct log_reader reader = { log, log + size, { 0, 0 }, false };
    struct log_reader mine = { own, own + own_size, { 0, 0 }, false };
    struct span line, last = { "", 0 };
    if (!of_one_machine(reader, mine))
        return false;
    while (next_line(&reader, &line)) {
        last = line;
        if (begins(&line, "avoid"))
            add_known(h, line);
    }
    line = last;
    if (reader.damaged || !begins(&line, "end"))
        add_death(h, name, last, reader.damaged);
    return true;
}

const char *history_of(const struct history *h, const char *subject)
{
    for (size_t i = 0; i < h->count; i++)
        if (text_same(h->avoided[i].subject, subject))
            return h->avoided[i].log;
    return NULL;
}

const char *history_sentence(const struct history *h, size_t n)
{
    static char sentence[SUBJECT_SIZE + LOG_NAME_SIZE + 80];
    struct text out = text_into(sentence, sizeof sentence);
    if (n < h->count) {
        text_join(&out, "not tried: ", h->avoided[n].subject, ": ");
        skip_put_sentence(&out, &(struct skip_reason){ SKIP_DIED, h->avoided[n].log });
        text_string(&out, "; the option retry tries it");
    } else if (n == h->count && h->died_somewhere[0]) {
        text_join(&out, "the machine died among the runs of ", h->died_somewhere,
                  ": the log was saved before each");
    } else {
        return NULL;
    }
    return sentence;
}

bool history_read_taking(struct history *h, const char *name, const char *log, size_t size,
                         const char *own, size_t own_size)
{
    struct log_reader reader = { log, log + size, { 0, 0 }, false };
    struct log_reader mine = { own, own + own_size, { 0, 0 }, false };
    struct avoided one;
    struct span line, last = { "", 0 };
    if (!begins_alike(&reader, mine))
        return false;
    while (next_line(&reader, &line))
        last = line;
    if (!reader.damaged && begins(&last, "try") &&
        copy_word(one.subject, sizeof one.subject, last.at, last.length) &&
        text_begins(one.subject, SUBJECT_TAKE) &&
        copy_word(one.log, sizeof one.log, name, text_length(name)))
        h->died_taking = one;
    return true;
}

const char *history_refuses(const struct history *h)
{
    static char sentence[SUBJECT_SIZE + LOG_NAME_SIZE + 100];
    struct text out = text_into(sentence, sizeof sentence);
    if (!h->died_taking.subject[0])
        return NULL;
    text_join(&out,
              "an earlier boot died where the machine was taken over or handed back (",
              h->died_taking.log, ", ", h->died_taking.subject,
              "); the option retry tries it again");
    return sentence;
}
