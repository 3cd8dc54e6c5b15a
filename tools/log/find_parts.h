/*
 * What the files of the finder share: scrub.c -> find.c -> join.c.
 */
#pragma once

#include "find.h"
#include "span.h"

/*
 * A candidate is a text whose checksum is worked out.  With 256 of them for a line, chance
 * proves one line in 2^24 that was looked for in vain.
 */
#define CANDIDATES_MAX 256

/*
 * What is tried beyond one look at each byte costs credit, about a nanosecond each, and
 * each byte of the input gives some: so the time is linear on any input.
 */
#define CREDIT_BEGIN (64 << 20)
#define CREDIT_BYTE  12
#define COST_PROOF   50
#define COST_PIECE   100 /* of a piece that is looked at again */
#define COST_BYTE    4   /* of each byte of it */

#define PIECE_MAX   4096 /* characters; a longer one is cut */
#define KEPT_MAX    1024 /* characters of a piece that may be a part of a line */
#define PIECES_KEPT 12
#define MARKS_MAX   8

/* Text between two ends of lines, without what is no text. */
struct piece {
    char text[KEPT_MAX];
    size_t length, line;
    size_t marks[MARKS_MAX], mark_count; /* where something was taken out */
};

#define LOOSE_KEPT         4
#define STRETCHES_SEARCHED 4
#define TARGETS_MAX        (STRETCHES_SEARCHED + 1 + LOOSE_KEPT)

struct finder {
    struct found found;
    size_t foreign, repeated;        /* pieces since the newest line */
    struct target opening;           /* the first line of a log */
    struct target loose[LOOSE_KEPT]; /* after lines that are not proved themselves */
    size_t loose_count;
    int64_t credit; /* how many bytes may still be looked at again */

    /* What was around the newest line. */
    char prefix[128], suffix[64];
    size_t prefix_length, suffix_length, continuation;

    struct piece *pieces[PIECES_KEPT]; /* not proved yet, oldest first */
    size_t piece_count;
    char joint[2 * PIECE_MAX];

    /* scrub.c */
    char text[PIECE_MAX];
    size_t length, cursor, farthest, line;
    size_t marks[MARKS_MAX], mark_count;
    enum { GROUND, ESCAPED, CHARSET, CONTROL, STRING, STRING_ESCAPED } state;
    unsigned parameter;
    bool scrubbed, backspaced;
};

/* proof.c */
#define CRC_DIGITS 8
/* True if this is the line that is looked for. */
bool find_proves(struct finder *, struct target *, struct span line);
void find_aim(struct target *, size_t stretch, struct log_chain); /* at the line after */
/* Where in the text the trailer of that line ends, or 0. */
size_t find_trailer_end(const struct target *, struct span text, size_t from);
/* The length of a word of the log at the beginning of this text, or 0. */
size_t find_word(struct span text);
bool find_begins_word(struct span text); /* it begins with a word, or is a part of one */
bool find_is_hex(char);

/* find.c */
void find_in_piece(struct finder *, struct span text, size_t line, const size_t *marks,
                   size_t mark_count, bool escaped);

/* join.c: a line in several pieces, of which `last` is the last one; where in it the line
 * ends, or 0.  *out is the line, and *first the number of the piece in which it begins. */
size_t find_joined(struct finder *, struct target *, struct span last, const size_t *marks,
                   size_t mark_count, struct span *out, size_t *first);
