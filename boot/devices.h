/* Serial ports and the screen: what the machine has, found while the firmware lives. */
#pragma once

#include "handoff.h"

/* Fills serial_ports and framebuffer of the handoff, as its options ask. */
void devices_find(struct handoff *);

/* Puts back what devices_find changed so that a device answers. */
void devices_restore(const struct handoff *);
