/* The pair of registers that keeps the branch before the last interrupt or exception. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "window.h"

struct ler {
    uint64_t from, to; /* as the registers have them */
};

/* Reads the record that the processor kept. */
struct enable ler_enable(const struct cpu *);

/* False where reading one of them faults. */
bool ler_read(const struct cpu *, struct ler *);

/*
 * A jump to an event.  Two places have an exception, so that a new mark differs from one
 * that was there before; one has an INT.
 */
struct ler_place {
    const uint8_t *code, *jump, *event;
};
enum { LER_OF_FAULT, LER_OF_OTHER_FAULT, LER_OF_INT, LER_PLACES };
extern const struct ler_place ler_places[LER_PLACES];

/* Runs this place with recording on, and returns what the registers then hold. */
struct ler ler_mark(const struct cpu *, const struct ler_place *);

/* ler_mark.asm */
extern const uint8_t ler_code_0[], ler_jump_0[], ler_event_0[], ler_code_1[], ler_jump_1[],
    ler_event_1[], ler_code_2[], ler_jump_2[], ler_event_2[], ler_fault[],
    ler_stub[] __attribute__((visibility("hidden")));
