/*
 * Single branches, oldest first, judged in pieces; each piece begins with the last branch
 * of the piece before.
 */
#pragma once

#include "audit.h"

struct stream {
    struct audit *audit;
    struct traced_branch *at; /* the piece at hand, its oldest branch at the end */
    size_t count;             /* branches in it                                  */
    bool overlap;             /* the piece before had the oldest one             */
    uint32_t pid;
};

void stream_begin(struct stream *, struct audit *);
void stream_add(struct stream *, uint32_t pid, const struct traced_branch *);
/* Judges what is left: the next branch does not follow the last one. */
void stream_end(struct stream *);
void stream_free(struct stream *);
