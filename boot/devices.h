/* Serial ports and the screen: what the machine has, found while the firmware lives. */
#pragma once

#include "handoff.h"

/* Fills serial_ports and framebuffer of the handoff, as its options ask. */
void devices_find(struct handoff *);

/* Where ACPI's tables begin; 0: nowhere. */
uint64_t devices_rsdp(void);

/* Whether all of it lies in memory, by the firmware's map: what a table says may be wrong.
 */
bool devices_readable(uint64_t at, uint64_t size);

/* Puts back what devices_find changed so that a device answers. */
void devices_restore(const struct handoff *);
