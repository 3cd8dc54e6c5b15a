/*
 * The packets of runs by `pt`, as the processor wrote them: what ptdump and ptxed of libipt
 * read.  Each run begins with a boundary (PSB), so several can follow each other.
 */
#include <stdio.h>

#include "export.h"

static void put_trace(struct export *e)
{
    const struct run_lines *lines = e->run->lines;

    if (e->run->method->packets && lines)
        fwrite(lines->bytes, 1, lines->size, e->out);
}

const struct export_format export_pt = { .run = put_trace };
