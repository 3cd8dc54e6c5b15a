/* Commands from the options and from the firmware's console, one after the other. */
#pragma once

#include <efi.h>

#include "handoff.h"

/* Between kernel_open and kernel_close.  What to do after them; GO_ON: nothing more. */
enum afterwards monitor(const struct options *);

/* Starts this program once more, with the monitor, and comes back when it has ended. */
EFI_STATUS monitor_start(EFI_HANDLE image);
