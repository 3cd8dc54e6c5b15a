/* The firmware's tables, its console, and how it is stopped while the kernel runs. */
#pragma once

#include <efi.h>

extern EFI_SYSTEM_TABLE *ST;
extern EFI_BOOT_SERVICES *BS;
extern EFI_RUNTIME_SERVICES *RT;

/* The entry of this name in the firmware's configuration table, or NULL. */
const void *firmware_table(const EFI_GUID *);

/*
 * By turns.  Between them the kernel has the machine, and no service of the firmware may be
 * called.  Afterwards RFLAGS is what it was before.
 */
void firmware_pause(void);
void firmware_resume(void);

/* Does the firmware's clock still tick?  All its drivers depend on it. */
BOOLEAN firmware_ticks(void);

/* Copies a text as ASCII, with ? for other letters, cut to the size.  Returns its length.
 */
UINTN firmware_ascii(char *out, UINTN size, const CHAR16 *text);

void console_clear(void);
void console_print(const char *text); /* ASCII; LF becomes CR LF */
