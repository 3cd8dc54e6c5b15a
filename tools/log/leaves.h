/* What CPUID said word for word, beside what the log says of the same in other lines. */
#pragma once

#include "parsed.h"

/* Its subleaf 0, or NULL: the log does not have it. */
const struct leaf *cpuid_leaf(const struct cpu_part *, uint32_t number);

/* A hypervisor announces itself, if only without a name. */
bool cpuid_has_hypervisor(const struct cpu_part *);

/* Takes into cpu->id what no other line says. */
void cpuid_take(struct cpu_part *);

/* Whether all lines of the processor fit its leaves, which are all there by now. */
bool cpuid_agrees(struct log *);
