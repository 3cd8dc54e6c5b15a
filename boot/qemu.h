/* The one thing that is done differently in QEMU: the run ends with an exit code. */
#pragma once

#include <efi.h>

/* Announced by CPUID as QEMU's or KVM's, and QEMU's fw_cfg answers. */
BOOLEAN qemu_detected(void);

/* Through isa-debug-exit at port F4h; where that device is absent, nothing happens. */
void qemu_exit(BOOLEAN good);
