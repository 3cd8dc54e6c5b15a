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

/* Records a jump from ler_jump to ler_int, and an INT there, and tells what is left. */
struct ler ler_mark(const struct cpu *);

/* ler_mark.asm */
extern const uint8_t ler_code[], ler_jump[], ler_int[],
    ler_stub[] __attribute__((visibility("hidden")));
