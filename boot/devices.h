/* Serial ports and the screen: what the machine has, found while the firmware lives. */
#pragma once

#include "handoff.h"

/* Fills serial_ports and framebuffer of the handoff, as its options ask. */
void devices_find(struct handoff *);

/* Where ACPI's tables begin; 0: nowhere. */
uint64_t devices_rsdp(void);

/* Does the firmware's map say that all of this is memory?  An address in a table may be
 * wrong. */
bool devices_readable(uint64_t at, uint64_t size);

/* Puts back what devices_find changed so that a device answers. */
void devices_restore(const struct handoff *);
