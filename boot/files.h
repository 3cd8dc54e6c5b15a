/*
 * The files of the program, on the volume that it was started from: everybranch.cfg, and
 * the folders `workloads` and `logs`.
 */
#pragma once

#include <efi.h>

/*
 * The folder of these files: EFI\everybranch, if there is one, as on a disk that holds an
 * operating system too; otherwise the root of the volume.  NULL where there is no volume
 * (network boot, -kernel).
 */
EFI_FILE_HANDLE files_open(EFI_HANDLE image);

/* Reads *size bytes at most, and says how many there were; false: no such file. */
BOOLEAN files_read(EFI_FILE_HANDLE folder, CHAR16 *name, char *out, UINTN *size);
