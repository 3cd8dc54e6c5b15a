/*
 * What a workload in C is made of: one function, freestanding, with no data but
 * constants and its own stack (4 KiB at most), and a sentence.
 *
 *     PROGRAM("what it shows, in one line")
 *     {
 *         ...
 *         return result;
 *     }
 *
 * Its trace is not written by hand: the build machine runs the same object file one
 * instruction at a time (tests/expected trace/record.c), and what it did is the expected
 * trace.
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
