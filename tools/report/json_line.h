/*
 * A line of the log as JSON: its fields under their names in the log.  Numbers in decimal
 * are numbers; what the log writes in hexadecimal is text with 0x, and words are text.  A
 * field that is not in the line is null, a count 0, a flag false, a list [].
 */
#pragma once

#include "json.h"
#include "lines.h"

/* The fields, in an object that is open. */
void json_fields(struct json *, enum log_line, const void *line);

/* An object; null if the log has no such line. */
void json_line(struct json *, const char *key, enum log_line, const void *line,
               bool is_there);
