/*
 * The firmware's variables, as Linux shows them in efivarfs: a file for each, which begins
 * with the attributes (Linux, Documentation/filesystems/efivarfs.rst).
 *
 * `folder` is efivarfs, open; names are those of variables of the specification itself
 * (UEFI Specification, "Globally Defined Variables"), such as "BootNext".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VARIABLE_MOST 65536 /* bytes that are read of one  */
#define BOOT_NUMBERS  65536 /* of variables named Boot#### */

/*
 * The variable's value, without its attributes.  EMPTY: the file of a program that was
 * ended before it wrote, and no variable.  ABSENT also where it cannot be read.
 */
enum variable_state { VARIABLE_ABSENT, VARIABLE_EMPTY, VARIABLE_PRESENT };
enum variable_state variable_read(int folder, const char *name, uint8_t *out, size_t *size);

/* Writes a new variable, which stays when the machine is off.  False: errno says why. */
bool variable_write(int folder, const char *name, const void *value, size_t size);

/* Removes the file of a variable.  False: errno says why. */
bool variable_remove(int folder, const char *name);

/* Which files Boot#### there are. */
void variables_of_boot(int folder, bool exists[BOOT_NUMBERS]);
