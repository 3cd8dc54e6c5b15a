/*
 * A workload in C: one freestanding function and a sentence about it.  It may use constants
 * and up to 4 KiB of stack, but no other data.
 *
 *     PROGRAM("what it shows, in one line")
 *     {
 *         ...
 *         return result;
 *     }
 *
 * Nobody writes its expected trace by hand: the build machine runs the same object file
 * (tests/expected/record.c) and records what it does.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PROGRAM(text)                                                     \
    extern const char program_about[];                                    \
    const char program_about[] __attribute__((section(".about"))) = text; \
    uint64_t program(void);                                               \
    __attribute__((section(".text.entry"))) uint64_t program(void)

/* Keeps a function from being folded into its caller: calls are what we trace. */
#define FUNCTION __attribute__((noinline)) static

/* The same numbers every time (Marsaglia's xorshift). */
static inline uint32_t program_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}
