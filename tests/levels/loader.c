/*
 * Switches 5-level paging on and starts the program in \everybranch.efi: firmware that
 * has it on by itself is made for machines with terabytes, and is none of QEMU's.
 *
 * The new top table has the firmware's own tables as its first entry, so every address
 * means what it meant.  SDM vol. 3A, "4-Level Paging and 5-Level Paging".
 */
#include <efi.h>

#include "firmware.h"
#include "start.h"

EFI_SYSTEM_TABLE *ST;
EFI_BOOT_SERVICES *BS;
EFI_RUNTIME_SERVICES *RT;

#define LEAF_FEATURES 7
#define FEATURE_LA57  (1u << 16) /* in ECX */
#define CR4_LA57      (1u << 12)
#define ENTRY         3 /* present, writable */
#define PAGE          4096
#define BELOW_4_GIB   0xffffffffull

void levels_switch(UINT32 top); /* switch.asm */

static BOOLEAN can_have_five(void)
{
    UINT32 eax = LEAF_FEATURES, ebx, ecx = 0, edx;
    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    return (ecx & FEATURE_LA57) != 0; /* BOOLEAN has eight bits */
}

static UINT64 read_cr3(void)
{
    UINT64 value;
    __asm__ volatile("mov %%cr3, %0" : "=r"(value));
    return value;
}

static UINT64 read_cr4(void)
{
    UINT64 value;
    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

static EFI_STATUS five_levels(void)
{
    EFI_PHYSICAL_ADDRESS top = BELOW_4_GIB;
    EFI_STATUS status = BS->AllocatePages(AllocateMaxAddress, EfiBootServicesData, 1, &top);
    if (EFI_ERROR(status))
        return status;
    BS->SetMem((void *)top, PAGE, 0);
    *(UINT64 *)top = read_cr3() | ENTRY;
    EFI_TPL tpl = BS->RaiseTPL(TPL_HIGH_LEVEL);
    levels_switch((UINT32)top);
    BS->RestoreTPL(tpl);
    return read_cr4() & CR4_LA57 ? EFI_SUCCESS : EFI_DEVICE_ERROR;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table); /* called by crt0 */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
    ST = table;
    BS = table->BootServices;
    RT = table->RuntimeServices;
    if (!can_have_five()) {
        console_print("levels: this processor has no 5-level paging\n");
        return EFI_UNSUPPORTED;
    }
    if (EFI_ERROR(five_levels())) {
        console_print("levels: 5-level paging could not be switched on\n");
        return EFI_DEVICE_ERROR;
    }
    console_print("levels: 5-level paging is on\n");
    EFI_HANDLE program;
    EFI_STATUS status = start_load(image, &program);
    if (!EFI_ERROR(status))
        status = BS->StartImage(program, NULL, NULL);
    if (EFI_ERROR(status))
        console_print("levels: \\everybranch.efi could not be started\n");
    return status;
}
