/*
 * Lines of source files, where those are still to be had.
 */
#pragma once

struct sources;
struct sources *sources_new(void);
void sources_free(struct sources *);

/* The text of a line, from 1, without the end of line; NULL: not to be had. */
const char *source_line(struct sources *, const char *file, int line);
