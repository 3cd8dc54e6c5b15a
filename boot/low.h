/* Running below 4 GiB, wherever the firmware loaded the program. */
#pragma once

#include <efi.h>

#define BELOW_4_GIB 0xffffffffull

/* Where the program begins: the firmware's image, or the copy that runs instead. */
extern const UINT8 ImageBase[] __attribute__((visibility("hidden"))); /* linker.ld */

typedef EFI_STATUS low_entry(EFI_HANDLE, EFI_SYSTEM_TABLE *);

/*
 * Far pointers of 32-bit code reach the first 4 GiB only, and some firmware loads programs
 * above them.  If it did, this function copies the image, `size` bytes, to below 4 GiB,
 * calls the entry in the copy, frees the copy, and stores what the entry returned.  Call it
 * first: the copy gets the program's data as they are then.  FALSE: the image is low
 * already, or there is no memory for the copy; then the program goes on where it is.
 */
BOOLEAN low_run(low_entry *entry, UINT64 size, EFI_HANDLE image, EFI_SYSTEM_TABLE *table,
                EFI_STATUS *returned);
