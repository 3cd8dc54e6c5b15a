/*
 * Where the lines of the log go: to RAM, from where the firmware saves them, and to the
 * serial line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* Before the first line, which may be that of a panic. */
void sink_open(void);

/* Where the copy in RAM is kept. */
void sink_init(char *ram, size_t capacity);

/* Nothing goes on the serial line until the log is released, and then all of it at once. */
void sink_hold(void);
void sink_release(void);

/* All lines go there too, without their trailers; NULL: no more. */
void sink_copy(struct text *);

/* The bytes of the log so far, and whether all of it fitted. */
size_t sink_size(void);
bool sink_is_complete(void);

/* Ends the line on the serial line that the firmware may have begun. */
void sink_apart(void);
