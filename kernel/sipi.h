/* Starting other processors where no firmware does any more: INIT and SIPI. */
#pragma once

#include "other.h"
#include "session.h"

/* Whether the APIC's mode has no room for the number of one: it is not started. */
bool sipi_leaves_some(const struct session *);

/*
 * Starts one after the other at the handoff's trampoline, each as another of these, until
 * all are taken or no processor is left; those that come in have answered.
 */
void sipi_start(struct session *, struct other **others, size_t count);
