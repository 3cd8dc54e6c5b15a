/*
 * Where user code entered the kernel and where the kernel returned to: a system call
 * returns to the instruction after SYSCALL, so its two places are two bytes apart.
 *
 * It needs no code, so it says something of traces without any.  Each place is kept once;
 * from CROSSINGS_MAX on no more are, which a trace of one program never reaches.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CROSSINGS_MAX 8192 /* a power of two */

struct crossings {
    struct crossing {
        uint64_t at; /* of SYSCALL, as far as one knows; 0: none */
        bool entered, returned;
    } * places;
    size_t count;
};

void crossing_enters(struct crossings *, uint64_t from);
void crossing_returns(struct crossings *, uint64_t to);
size_t crossings_paired(const struct crossings *);
