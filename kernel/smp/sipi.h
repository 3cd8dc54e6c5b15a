/* Starts the APs by INIT and SIPI, where the firmware is gone. */
#pragma once

#include "ap.h"

/* True if an AP's number does not fit the APIC's mode: it is not started. */
bool sipi_leaves_some(const struct processors *);

/*
 * Starts one after the other at the trampoline, each as another of these, until
 * all are taken or no processor is left; those that come in have answered.
 */
void sipi_start(const struct processors *, struct ap **aps, size_t count);
