/* sink.h */
#include "sink.h"

#include "put.h"
#include "serial.h"

static struct {
    char *at;
    size_t size, capacity;
    bool overflow;
} ram;

static bool held;           /* the serial line gets the log at its end */
static struct text *copied; /* or NULL                                 */

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

static void take(const struct text *line, size_t body)
{
    if (copied) {
        text_bytes(copied, line->at, body);
        text_string(copied, "\n");
    }
    if (!held)
        to_serial(line->at, line->length);
    to_ram(line->at, line->length);
    to_ram("\n", 1);
}

void sink_open(void)
{
    put_to(take);
}

void sink_init(char *at, size_t capacity)
{
    ram.at = at;
    ram.capacity = capacity;
}

void sink_apart(void)
{
    if (!held)
        to_serial("", 0);
}

void sink_hold(void)
{
    held = true;
}

void sink_release(void)
{
    if (!held)
        return;
    held = false;
    sink_apart();
    for (size_t at = 0, end; at < ram.size; at = end + 1) {
        for (end = at; end < ram.size && ram.at[end] != '\n'; end++) {
        }
        to_serial(ram.at + at, end - at);
    }
}

void sink_copy(struct text *to)
{
    copied = to;
}

size_t sink_size(void)
{
    return ram.size;
}

bool sink_is_complete(void)
{
    return !ram.overflow;
}
