/* The pair of registers that keeps the branch before the last interrupt or exception. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "window.h"

struct ler {
    uint64_t from, to; /* as the registers have them */
};

/* What has it kept. */
struct enable ler_enable(const struct cpu *);

/* False where reading one of them faults. */
bool ler_read(const struct cpu *, struct ler *);

/* A jump to an INT.  There are two, so that a new mark is told from one that stood there.
 */
struct ler_place {
    const uint8_t *code, *jump, *interrupt;
};
#define LER_PLACES 2
extern const struct ler_place ler_places[LER_PLACES];

/* Records the jump to the INT of this place, and the INT, and tells what is left. */
struct ler ler_mark(const struct cpu *, const struct ler_place *);

/* ler_mark.asm */
extern const uint8_t ler_code_0[], ler_jump_0[], ler_int_0[], ler_code_1[], ler_jump_1[],
    ler_int_1[], ler_stub[] __attribute__((visibility("hidden")));
