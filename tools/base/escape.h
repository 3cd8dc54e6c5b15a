/*
 * Escapes any text, such as a log's or a file's name, for JSON, HTML and XML.  Bytes that
 * are not UTF-8, and control characters where they are not allowed, become U+FFFD.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

void escape_json(FILE *, const char *text, size_t length); /* for text between quotes */
void escape_html(FILE *, const char *text,
                 size_t length); /* for XML too, in text and attributes */
