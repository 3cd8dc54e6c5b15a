/* Running below 4 GiB, wherever the firmware loaded the program. */
#pragma once

#include <efi.h>

/* Where the program lies: the firmware's image, or the copy that runs instead. */
extern const UINT8 ImageBase[] __attribute__((visibility("hidden"))); /* linker.ld */

typedef EFI_STATUS low_entry(EFI_HANDLE, EFI_SYSTEM_TABLE *);

/*
 * Far pointers of 32-bit code reach the first 4 GiB only, and some firmware loads programs
 * above.  If it did, this calls the entry in a copy of the image of so many bytes below,
 * frees the copy again, and stores what the entry returned.  To be called first, since the
 * copy has the program's data as they are then.  FALSE: there is nothing to be done, or no
 * memory below; then the program goes on where it is.
 */
BOOLEAN low_run(low_entry *entry, UINT64 size, EFI_HANDLE image, EFI_SYSTEM_TABLE *table,
                EFI_STATUS *returned);
