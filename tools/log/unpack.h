/*
 * Files that hold a log in another form than text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct log;

/*
 * Makes text of the log's bytes, if they are UTF-16 or packed by gzip, xz, zstd or bzip2.
 * log->form then says what they were.  False: an error, which for the image of a stick
 * names the command that takes its newest log out.
 */
bool unpack(struct log *);
