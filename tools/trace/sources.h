/*
 * Lines of source files, if the files still exist.
 */
#pragma once

struct sources;
struct sources *sources_new(void);
void sources_free(struct sources *);

/* Returns the text of a line, counted from 1, without its end; NULL: there is none. */
const char *source_line(struct sources *, const char *file, int line);
