/* Workloads of one's own, from the folder workloads of the volume. */
#pragma once

#include <efi.h>

#include "handoff.h"

/*
 * Reads all files there whose names end in .ebw, in the order of their names.  What
 * cannot be read is named in the handoff, with the reason; what is too much is counted.
 */
void bundles_read(EFI_FILE_HANDLE root, struct handoff *);
