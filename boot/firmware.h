/* The firmware's tables, and its console. */
#pragma once

#include <efi.h>

extern EFI_SYSTEM_TABLE *ST;
extern EFI_BOOT_SERVICES *BS;
extern EFI_RUNTIME_SERVICES *RT;

/* The entry of this name in the firmware's configuration table, or NULL. */
const void *firmware_table(const EFI_GUID *);

void console_clear(void);
void console_print(const char *text); /* ASCII; LF becomes CR LF */
