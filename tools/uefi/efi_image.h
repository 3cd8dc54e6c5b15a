/* An EFI program as a file.  Microsoft, "PE Format". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if firmware of x86-64 can start it. */
bool efi_image_is_program(const uint8_t *, size_t);
/* True if its certificate table is not empty; whoever signed it may still be unknown. */
bool efi_image_is_signed(const uint8_t *, size_t);
