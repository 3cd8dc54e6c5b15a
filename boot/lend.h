/* Lending the machine to the kernel and having it back, and whether the firmware lives. */
#pragma once

#include <efi.h>

/* By turns.  Between them no service of the firmware's may be called. */
void lend_machine(void);
void lend_over(void);

/* Does the firmware's clock still tick?  All its drivers depend on it. */
BOOLEAN lend_ticks(void);
