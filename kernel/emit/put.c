/* put.h.  Lines are built in one buffer, sealed, and go to RAM and serial alike. */
#include "put.h"

#include "serial.h"

#define DATA_BYTES_PER_LINE 144 /* a multiple of 3: 192 characters of base64 */

static struct {
    char *at;
    size_t size, capacity;
    bool overflow;
} ram;

static bool held;           /* the serial line gets the log at its end */
static struct text *copied; /* or NULL                                 */
static struct log_chain chain;
static char buffer[LOG_LINE_MAX + 1];

struct text put_line;
struct log_map put_map;

void put_init(char *at, size_t capacity)
{
    ram.at = at;
    ram.capacity = capacity;
}

static void to_serial(const char *bytes, size_t count)
{
    serial_write(bytes, count);
    serial_write("\r\n", 2);
}

static void to_ram(const char *bytes, size_t count)
{
    if (ram.capacity - ram.size < count) {
        ram.overflow = true; /* the file then ends early, and so without its last line */
        ram.capacity = ram.size;
        return;
    }
    for (size_t i = 0; i < count; i++)
        ram.at[ram.size++] = bytes[i];
}

void put_apart(void)
{
    if (!held)
        to_serial("", 0);
}

void put_hold(void)
{
    held = true;
}

void put_release(void)
{
    if (!held)
        return;
    held = false;
    put_apart();
    for (size_t at = 0, end; at < ram.size; at = end + 1) {
        for (end = at; end < ram.size && ram.at[end] != '\n'; end++) {
        }
        to_serial(ram.at + at, end - at);
    }
}

void put_copy(struct text *to)
{
    copied = to;
}

size_t put_size(bool *complete)
{
    *complete = !ram.overflow;
    return ram.size;
}

void put_begin(const char *word)
{
    put_line = text_into(buffer, sizeof buffer);
    text_string(&put_line, word);
}

void put_finish(void)
{
    if (copied) {
        text_string(copied, put_line.at);
        text_string(copied, "\n");
    }
    log_seal(&chain, &put_line);
    if (!held)
        to_serial(put_line.at, put_line.length);
    to_ram(put_line.at, put_line.length);
    to_ram("\n", 1);
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
