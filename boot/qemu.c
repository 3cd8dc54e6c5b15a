/* QEMU's documents "QEMU Firmware Configuration (fw_cfg) Device" and isa-debug-exit. */
#include "qemu.h"

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

static void outw(UINT16 port, UINT16 value)
{
    __asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port));
}

static UINT8 inb(UINT16 port)
{
    UINT8 value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void cpuid(UINT32 leaf, UINT32 *ebx, UINT32 *ecx)
{
    UINT32 eax = leaf, edx;
    __asm__ volatile("cpuid" : "+a"(eax), "=b"(*ebx), "=c"(*ecx), "=d"(edx) : "2"(0));
}

BOOLEAN qemu_detected(void)
{
    UINT32 ebx, ecx;
    cpuid(1, &ebx, &ecx);
    if (!(ecx & FEATURES_HYPERVISOR))
        return FALSE; /* no port is touched on a real machine */
    cpuid(LEAF_HYPERVISOR, &ebx, &ecx);
    if (ebx != TCG_SIGNATURE && ebx != AS_METAL_SIGNATURE && ebx != KVM_SIGNATURE)
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
    __asm__ volatile("outl %0, %1"
                     :
                     : "a"((UINT32)(good ? EXIT_GOOD : EXIT_BAD)), "Nd"((UINT16)EXIT_PORT));
}
