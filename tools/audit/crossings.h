/*
 * The places where user code entered the kernel, and to which the kernel returned: a system
 * call returns to the instruction after SYSCALL, so its two places are two bytes apart.
 *
 * This needs no code, so it works for traces without a program.  Each place is kept once,
 * and at most CROSSINGS_MAX / 2 of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CROSSINGS_MAX 8192 /* a power of two */

struct crossings {
    struct crossing {
        uint64_t at; /* of the SYSCALL, if it is one; 0: a free slot */
        bool entered, returned;
    } * places;
    size_t count;
};

void crossing_enters(struct crossings *, uint64_t from);
void crossing_returns(struct crossings *, uint64_t to);
size_t crossings_paired(const struct crossings *);
