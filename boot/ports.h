/*
 * Which serial ports are to be tried, and in which order.  No header of the firmware's.
 */
#pragma once

#include "acpi.h"
#include "handoff.h"
#include "pci.h"

/* Where to look. */
struct ports_machine {
    uint64_t rsdp; /* 0: none */
    acpi_reach *reach;
    acpi_reach *in_ram; /* whether any of it is memory, where a UART cannot be */
    pci_read *read;
};

/* Fills the list; what the options say of baud and clock holds for each. */
void ports_find(const struct options *, const struct ports_machine *,
                struct serial_ports *);
