/* stream.h */
#include "stream.h"

#include <stdlib.h>

#include "heap.h"

#define PIECE 1024 /* branches that are judged at a time */

void stream_begin(struct stream *stream, struct audit *audit)
{
    *stream = (struct stream){ .audit = audit };
    stream->at = zeroed(PIECE, sizeof(*stream->at));
}

void stream_free(struct stream *stream)
{
    free(stream->at);
}

void stream_end(struct stream *stream)
{
    if (stream->count > stream->overlap)
        audit_piece(stream->audit, stream->pid, stream->at + PIECE - stream->count,
                    stream->count, stream->overlap);
    stream->count = 0;
    stream->overlap = false;
}

void stream_add(struct stream *stream, uint32_t pid, const struct traced_branch *branch)
{
    if (pid != stream->pid)
        stream_end(stream);
    stream->pid = pid;
    if (stream->count == PIECE) {
        struct traced_branch newest = stream->at[0];

        stream_end(stream);
        stream->at[PIECE - 1] = newest;
        stream->count = 1;
        stream->overlap = true;
    }
    stream->at[PIECE - ++stream->count] = *branch;
}
