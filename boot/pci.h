/*
 * PCI's configuration space, as far as serial ports need it.  No header of the
 * firmware's: the unit tests bring a machine of their own.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "handoff.h"

/* Reads the 32 bits at a configuration address, as it is written to port CF8h. */
typedef uint32_t pci_read(uint32_t address);
typedef void pci_write(uint32_t address, uint32_t value);

/* The serial ports on all buses, at most `capacity`; how many. */
size_t pci_serial_ports(pci_read *read, struct serial_port *out, size_t capacity);

/*
 * Lets the device answer at its addresses where the firmware left that off, and
 * returns what pci_disable must put back; 0: nothing.
 */
uint32_t pci_enable(uint32_t pci, bool mmio, pci_read *read, pci_write *write);
void pci_disable(uint32_t pci, uint32_t before, pci_write *write);
