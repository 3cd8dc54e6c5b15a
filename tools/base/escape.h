/*
 * Text of anybody's, a log's or a file's name, inside JSON, HTML and XML.  Bytes that are
 * no UTF-8, and control characters where they are not allowed, become U+FFFD.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

void escape_json(FILE *, const char *text, size_t length); /* between quotes */
void escape_html(FILE *, const char *text,
                 size_t length); /* text and attributes, of XML too */
