/*
 * The names of the machine and its firmware, from the tables in which firmware
 * describes the machine.  Needs nothing of UEFI, so that it can be tested anywhere.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "handoff.h"

#define SMBIOS_ENTRY_SIZE 31 /* of the older entry point, and the most that is read */

/* Where an entry point says that the table lies.  False: it is none, or damaged. */
bool smbios_entry(const uint8_t *entry, uint64_t *table, uint32_t *size);

/* Trusts nothing in the table; what it does not say is empty. */
struct identity smbios_identity(const uint8_t *table, size_t size);
