/* The value of event=: a name, or the numbers, "0xc4/0x20" or "0xc4". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct event_choice {
    enum { EVENT_OF_METHOD, EVENT_BY_NAME, EVENT_BY_NUMBER } by;
    uint8_t name; /* an enum event_name of common/facts/pmu.h */
    uint8_t umask;
    uint16_t event;
};

bool event_read(const char *text, struct event_choice *out);
