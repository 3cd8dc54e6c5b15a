/* put.h.  Lines are built in one buffer and sealed there. */
#include "put.h"

#define DATA_BYTES_PER_LINE 144 /* a multiple of 3: 192 characters of base64 */

static put_sink *sink;
static struct log_chain chain;
static char buffer[LOG_LINE_MAX + 1];

struct text put_line;
struct log_map put_map;

void put_to(put_sink *to)
{
    sink = to;
    chain = (struct log_chain){ 0 };
}

static void put_field(const struct log_field *field, const void *line)
{
    const bool is_quoted = field->type == LOG_QUOTED;

    text_string(&put_line, " ");
    text_span(&put_line, log_key(field));
    if (field->type == LOG_FLAG && !field->words)
        return;
    text_string(&put_line, is_quoted ? "=\"" : "=");
    log_put_value(&put_line, field, line);
    text_string(&put_line, is_quoted ? "\"" : "");
}

void put_open(enum log_line word, const void *line)
{
    const struct log_field *field = log_words[word].fields;

    put_line = text_into(buffer, sizeof buffer);
    text_string(&put_line, log_words[word].word);
    while (line && field->key && field->type != LOG_OWN) {
        if (log_field_is_there(field, line))
            put_field(field++, line);
        else
            field = log_group_end(field);
    }
}

void put(enum log_line word, const void *line)
{
    put_open(word, line);
    put_finish();
}

void put_finish(void)
{
    const size_t body = put_line.length;

    log_seal(&chain, &put_line);
    sink(&put_line, body);
}

void put_key(const char *key)
{
    text_string(&put_line, " ");
    text_string(&put_line, key);
    text_string(&put_line, "=");
}

void put_base64(enum log_line word, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += DATA_BYTES_PER_LINE) {
        size_t rest = size - at;
        put_open(word, NULL);
        text_string(&put_line, " ");
        text_base64(&put_line, bytes + at,
                    rest < DATA_BYTES_PER_LINE ? rest : DATA_BYTES_PER_LINE);
        put_finish();
    }
}

void put_times(uint64_t times)
{
    text_string(&put_line, " x");
    text_decimal(&put_line, times);
}
