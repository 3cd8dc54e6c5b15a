/* QEMU's documents "QEMU Firmware Configuration (fw_cfg) Device" and isa-debug-exit. */
#include "qemu.h"

#include "x86.h"

#define FEATURES_HYPERVISOR (1u << 31)
#define LEAF_HYPERVISOR     0x40000000u
#define TCG_SIGNATURE       0x54474354u /* "TCGT" */
#define AS_METAL_SIGNATURE  0x2d474354u /* "TCG-": the emulator in its silicon mode */
#define KVM_SIGNATURE       0x4b4d564bu /* "KVMK" */

#define FW_CFG_SELECTOR  0x510
#define FW_CFG_DATA      0x511
#define FW_CFG_SIGNATURE 0
#define EXIT_PORT        0xf4
#define EXIT_GOOD        0x10 /* QEMU's exit status is twice that plus 1: 33 */
#define EXIT_BAD         0x11 /* 35                                           */

BOOLEAN qemu_detected(void)
{
    enum { EBX = 1, ECX };
    UINT32 out[4];
    cpuid(1, 0, out);
    if (!(out[ECX] & FEATURES_HYPERVISOR))
        return FALSE; /* no port is touched on a real machine */
    cpuid(LEAF_HYPERVISOR, 0, out);
    if (out[EBX] != TCG_SIGNATURE && out[EBX] != AS_METAL_SIGNATURE &&
        out[EBX] != KVM_SIGNATURE)
        return FALSE;
    static const char name[4] = { 'Q', 'E', 'M', 'U' };
    outw(FW_CFG_SELECTOR, FW_CFG_SIGNATURE);
    for (int i = 0; i < 4; i++)
        if (inb(FW_CFG_DATA) != (UINT8)name[i])
            return FALSE;
    return TRUE;
}

void qemu_exit(BOOLEAN good)
{
    outl(EXIT_PORT, good ? EXIT_GOOD : EXIT_BAD);
}
