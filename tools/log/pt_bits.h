/*
 * The bits and targets of a Processor Trace stream, one after the other as branches use
 * them.
 *
 * libipt's walk of the code does not say whether a conditional branch to the very next
 * instruction was taken: either way the next instruction follows.  The stream has a bit for
 * it, and these functions find that bit by using up the others in step with the walk.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <intel-pt.h>

struct pt_bits {
    struct pt_packet_decoder *decoder; /* NULL: not in step */
    uint64_t bits;                     /* the oldest is the highest of `count` */
    unsigned count;
};

/* What a decoder of libipt is to read. */
struct pt_config pt_config_of(const uint8_t *bytes, size_t size);

/* Begins at the PSB at that offset. */
void pt_bits_begin(struct pt_bits *, const uint8_t *bytes, size_t size, uint64_t offset);
void pt_bits_end(struct pt_bits *);

/* Uses up the bit or target of a branch.  pt_bits_jcc() returns 0 or 1; -1: not in step. */
int pt_bits_jcc(struct pt_bits *);
void pt_bits_ret(struct pt_bits *);
void pt_bits_target(struct pt_bits *);
