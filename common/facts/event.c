/* event.h */
#include "event.h"

#include <stddef.h>

#include "pmu.h"
#include "text.h"

/* A hex number with 0x; returns what follows it, or NULL. */
static const char *take_hex(const char *text, uint32_t most, uint32_t *out)
{
    *out = 0;
    if (text[0] != '0' || text[1] != 'x' || !text[2])
        return NULL;
    for (text += 2; *text && *text != '/'; text++) {
        char c = *text;
        bool digit = c >= '0' && c <= '9', letter = c >= 'a' && c <= 'f';
        *out = *out << 4 | (uint32_t)(digit ? c - '0' : c - 'a' + 10);
        if ((!digit && !letter) || *out > most)
            return NULL;
    }
    return text;
}

bool event_read(const char *text, struct event_choice *out)
{
    uint32_t event, umask = 0;
    for (size_t i = 0; i < EVENT_NAMES; i++)
        if (text_same(text, event_names[i])) {
            *out = (struct event_choice){ .by = EVENT_BY_NAME, .name = (uint8_t)i };
            return true;
        }
    const char *rest = take_hex(text, EVENT_MAX, &event);
    if (rest && *rest == '/')
        rest = take_hex(rest + 1, UINT8_MAX, &umask);
    if (!rest || *rest || !event)
        return false;
    *out = (struct event_choice){ .by = EVENT_BY_NUMBER,
                                  .event = (uint16_t)event,
                                  .umask = (uint8_t)umask };
    return true;
}
