/* Files on the volume that the program was started from. */
#pragma once

#include <efi.h>

/* The root of that volume, or NULL where there is none (network boot, -kernel). */
EFI_FILE_HANDLE files_open_volume(EFI_HANDLE image);

/* Reads *size bytes at most, and says how many there were; false: no such file. */
BOOLEAN files_read(EFI_FILE_HANDLE root, CHAR16 *name, char *out, UINTN *size);
