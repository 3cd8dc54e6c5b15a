/* A 16550 on an I/O port, polled.  A port that is absent or stuck never hangs it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets the port up for 115200 8N1; port 0 or none there: all that is written is dropped. */
void serial_init(uint16_t port);

/* Puts the firmware's settings back. */
void serial_restore(void);

void serial_write(const char *bytes, size_t count);
