/*
 * ACPI tables, as far as this needs them.  No header of the firmware's: the unit tests
 * bring tables of their own, good and hostile.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "handoff.h"

/* Is [at, at + size) memory that may be read? */
typedef bool acpi_reach(uint64_t at, uint64_t size);

/*
 * The first table with this signature whose length and checksum hold, or NULL.  rsdp
 * is the address of the Root System Description Pointer; 0: there is none.
 */
const uint8_t *acpi_find(uint64_t rsdp, const char *signature, acpi_reach *);

/* The serial port that a whole SPCR names; false: none, or one that is no 16550. */
bool acpi_spcr(const uint8_t *table, struct serial_port *out);

/*
 * The processors that a whole MADT says are switched on, by their APICs' numbers, at most
 * `capacity`; how many.
 */
size_t acpi_madt(const uint8_t *table, uint32_t *apic, size_t capacity);

/* Finds the ports in a whole DBG2, at most `capacity`, and returns how many. */
size_t acpi_dbg2(const uint8_t *table, struct serial_port *out, size_t capacity);
