/*
 * The values of fields, read from their texts.  Every value has one form only: a log that
 * says the same in other words was not written by the kernel.
 */
#include <string.h>

#include "line.h"
#include "pmu.h"

/* Splits the text at the first `end` and returns the piece before it. */
static struct span until(struct span *rest, char end)
{
    const char *at = memchr(rest->at, end, rest->length);
    struct span piece = { rest->at, at ? (size_t)(at - rest->at) : rest->length };

    rest->at += piece.length + (at != NULL);
    rest->length -= piece.length + (at != NULL);
    return piece;
}

static bool is_new(const struct debug_status *status, uint64_t dr6)
{
    for (size_t i = 0; i < status->count; i++)
        if (status->at[i].dr6 == dr6)
            return false;
    return true;
}

/* VALUE:TIMES, or VALUE alone, which is then all there is. */
static bool read_status_piece(struct debug_status *status, struct span piece, bool alone)
{
    const bool has_times = memchr(piece.at, ':', piece.length);
    struct span number = until(&piece, ':');
    uint64_t dr6, times = 0;

    if (status->count == DR6_VALUES || !read_hex(number, &dr6) || !is_new(status, dr6))
        return false;
    if (has_times ? !read_decimal(piece, &times) || times == 0 : !alone)
        return false;
    status->at[status->count].dr6 = dr6;
    status->at[status->count++].times = times;
    return true;
}

/* Reads `other:N`, exceptions with further values: the last piece of a full list. */
static bool read_others(struct debug_status *status, struct span piece, bool last)
{
    until(&piece, ':');
    return last && status->count == DR6_VALUES && read_decimal(piece, &status->others) &&
           status->others > 0;
}

/* `0xffff4ff0:12,0xffff0ff0:1,other:3` */
static bool read_status(struct span rest, struct debug_status *status)
{
    const bool alone = !memchr(rest.at, ',', rest.length);

    if (rest.at[rest.length - 1] == ',')
        return false;
    do {
        struct span piece = until(&rest, ',');
        bool good = piece.length > 6 && memcmp(piece.at, "other:", 6) == 0
                        ? read_others(status, piece, rest.length == 0)
                        : read_status_piece(status, piece, alone);

        if (!good)
            return false;
    } while (rest.length);
    return true;
}

/* `0,17,4`: at least one of them is not 0. */
static bool read_tries(struct span rest, struct tries *tries)
{
    bool any = false;

    if (rest.at[rest.length - 1] == ',')
        return false;
    do {
        if (tries->count == RUN_TRIES_MAX ||
            !read_decimal(until(&rest, ','), &tries->differed[tries->count]))
            return false;
        any = any || tries->differed[tries->count];
        tries->count++;
    } while (rest.length);
    return any;
}

/* `0xc4/0x20` */
static bool read_event(struct span text, struct log_event *out)
{
    uint64_t event, umask;

    if (!read_hex(until(&text, '/'), &event) || !read_hex(text, &umask) || event == 0 ||
        event > EVENT_MAX || umask > UINT8_MAX)
        return false;
    *out = (struct log_event){ (uint32_t)event, (uint32_t)umask };
    return true;
}

/* Which of the field's words it is; word_count: none. */
static size_t word_index(const struct log_field *field, struct span text)
{
    size_t i = 0;

    while (i < field->word_count && !span_is(text, field->words[i]))
        i++;
    return i;
}

/* `pt-mtc+pt-cyc`, in the order of the words. */
static bool read_codes(const struct log_field *field, struct span rest, uint32_t *codes)
{
    *codes = 0;
    if (rest.length == 0 || rest.at[rest.length - 1] == '+')
        return false;
    do {
        const size_t code = word_index(field, until(&rest, '+'));

        if (code == field->word_count || *codes >> code)
            return false;
        *codes |= 1u << code;
    } while (rest.length);
    return true;
}

static bool put_integer(const struct log_field *field, uint64_t value, void *member)
{
    switch (field->size) {
    case 1:
        *(uint8_t *)member = (uint8_t)value;
        return value <= UINT8_MAX;
    case 4:
        *(uint32_t *)member = (uint32_t)value;
        return value <= UINT32_MAX;
    default:
        *(uint64_t *)member = value;
        return true;
    }
}

static bool read_number(const struct log_field *field, struct span text, void *member)
{
    const bool in_hex = field->type == LOG_HEX;
    uint64_t value;

    return (in_hex ? read_hex : read_decimal)(text, &value) &&
           (value > 0 || field->type != LOG_COUNT) && put_integer(field, value, member);
}

/* The member is there if the field is. */
static bool read_log_number(const struct log_field *field, struct span text,
                            struct log_number *out)
{
    const bool in_hex =
        field->type == LOG_REGISTER || field->type == LOG_REGISTER_OR_ABSENT;
    const bool may_lack =
        field->type == LOG_NUMBER_OR_ABSENT || field->type == LOG_REGISTER_OR_ABSENT;

    if (may_lack && span_is(text, "absent")) {
        out->is = LOG_ABSENT;
        return true;
    }
    out->is = LOG_THERE;
    return (in_hex ? read_hex : read_decimal)(text, &out->value);
}

bool field_value(const struct log_field *field, struct span text, void *says)
{
    void *member = (char *)says + field->at;

    switch (field->type) {
    case LOG_QUOTED:
        *(struct span *)member = text;
        return true;
    case LOG_WORD:
        *(struct span *)member = text;
        return field->words ? word_index(field, text) < field->word_count
                            : !memchr(text.at, '"', text.length);
    case LOG_CHOICE:
        return word_index(field, text) < field->word_count &&
               put_integer(field, word_index(field, text), member);
    case LOG_FLAG:
        *(bool *)member = true;
        return !field->words || span_is(text, field->words[0]);
    case LOG_DECIMAL:
    case LOG_HEX:
    case LOG_COUNT:
        return read_number(field, text, member);
    case LOG_NUMBER:
    case LOG_NUMBER_OR_ABSENT:
    case LOG_REGISTER:
    case LOG_REGISTER_OR_ABSENT:
        return read_log_number(field, text, member);
    case LOG_EVENT:
        return read_event(text, member);
    case LOG_STATUS:
        return read_status(text, member);
    case LOG_TRIES:
        return read_tries(text, member);
    case LOG_CODES:
        return read_codes(field, text, member);
    case LOG_BYTES:
        ((struct log_bytes *)member)->digits = text;
        return true;
    case LOG_OWN:
        break;
    }
    return false;
}

void field_wanted(const struct log_field *field, struct text *out)
{
    static const char *const forms[] = {
        [LOG_WORD] = "TEXT",
        [LOG_QUOTED] = "\"TEXT\"",
        [LOG_DECIMAL] = "N",
        [LOG_HEX] = "0xN",
        [LOG_COUNT] = "N",
        [LOG_NUMBER] = "N",
        [LOG_NUMBER_OR_ABSENT] = "N or absent",
        [LOG_REGISTER] = "0xN",
        [LOG_REGISTER_OR_ABSENT] = "0xN or absent",
        [LOG_EVENT] = "its numbers, as 0xc4/0x20",
        [LOG_STATUS] = "up to 4 different values, each 0xN:TIMES, or one 0xN alone",
        [LOG_TRIES] = "a number for each time that the run was made, and not all 0",
        [LOG_BYTES] = "hex digits",
    };

    if (!field->words) {
        text_string(out, forms[field->type]);
        return;
    }
    for (size_t i = 0; i < field->word_count; i++) {
        text_string(out, i == 0 ? "" : i + 1 < field->word_count ? ", " : " or ");
        text_string(out, field->words[i]);
    }
}
