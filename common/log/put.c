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
}

void put_begin(const char *word)
{
    put_line = text_into(buffer, sizeof buffer);
    text_string(&put_line, word);
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

void put_text(const char *key, const char *value)
{
    put_key(key);
    text_string(&put_line, value);
}

/* Firmware and processors may put anything into their names; a quote ends a value. */
void put_quoted(const char *key, const char *value)
{
    put_key(key);
    text_string(&put_line, "\"");
    for (char c[2] = { 0 }; *value; value++) {
        c[0] = *value >= ' ' && *value <= '~' && *value != '"' ? *value : '?';
        text_string(&put_line, c);
    }
    text_string(&put_line, "\"");
}

void put_decimal(const char *key, uint64_t value)
{
    put_key(key);
    text_decimal(&put_line, value);
}

void put_if_any(const char *key, uint64_t count)
{
    if (count)
        put_decimal(key, count);
}

void put_hex(const char *key, uint64_t value)
{
    put_text(key, "0x");
    text_hex(&put_line, value);
}

void put_msr(const char *key, bool present, uint64_t value)
{
    if (present)
        put_hex(key, value);
    else
        put_text(key, "absent");
}

/* Bytes in base64, a line of `word` for each 144 of them. */
void put_base64(const char *word, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += DATA_BYTES_PER_LINE) {
        size_t rest = size - at;
        put_begin(word);
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
