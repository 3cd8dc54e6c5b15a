/* Numbers as people type them: decimal, or hexadecimal after 0x. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* false: it is no number, or a higher one. */
bool number_read(const char *text, uint64_t highest, uint64_t *out);
