/* Starting other processors where no firmware does any more: INIT and SIPI. */
#pragma once

#include "other.h"
#include "session.h"

/*
 * Starts one after the other at the handoff's trampoline, each as another of these, until
 * all are taken or no processor is left; those that come in have answered.
 */
void sipi_start(struct session *, struct other **others, size_t count);
