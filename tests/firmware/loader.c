/*
 * Starts the program in \everybranch.efi as other firmware than OVMF may: above 4 GiB, and
 * on each processor with DEBUGCTL.BTF left set and performance counter 0 on; and, as U-Boot
 * does, with an FS whose selector cannot be loaded again.  When the program has given the
 * machine back all must be so again.
 */
#include <efi.h>

#include "firmware.h"
#include "qemu.h"
#include "start.h"

EFI_SYSTEM_TABLE *ST;
EFI_BOOT_SERVICES *BS;
EFI_RUNTIME_SERVICES *RT;

#define PERFEVTSEL0     0x186
#define AMD_PERFEVTSEL0 0xc0010000
#define VENDOR_AMD      0x68747541u /* "Auth", in EBX of CPUID.0 */
#define SELECT          0x4300c4    /* enabled: branches, of all rings */
#define MSR_DEBUGCTL    0x1d9
#define DEBUGCTL_BTF    2

#define CHUNK       16      /* pages: no more than the program itself needs */
#define ROOM        0x10000 /* pages: 256 MiB                               */
#define BELOW_4_GIB 0xffffffffull

static void wrmsr(UINT32 msr, UINT64 value)
{
    __asm__ volatile("wrmsr" : : "c"(msr), "a"((UINT32)value), "d"((UINT32)(value >> 32)));
}

static UINT64 rdmsr(UINT32 msr)
{
    UINT32 low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (UINT64)high << 32 | low;
}

/* A GDT of its own, in which FS was loaded from an entry that is gone. */
struct table {
    UINT16 limit;
    UINT64 base;
} __attribute__((packed));
#define GDT_BYTES     1024
#define FS_SELECTOR   0x3f0
#define FS_DESCRIPTOR 0x00cf93000000ffffull
#define MSR_FS_BASE   0xc0000100
#define FS_BASE       0x12345678
static UINT64 gdt[GDT_BYTES / 8];

static void spoil_fs(void)
{
    struct table table;
    __asm__ volatile("sgdt %0" : "=m"(table));
    BS->CopyMem(gdt, (void *)table.base, table.limit + 1u);
    gdt[FS_SELECTOR / 8] = FS_DESCRIPTOR;
    table = (struct table){ GDT_BYTES - 1, (UINT64)gdt };
    __asm__ volatile("lgdt %0; mov %1, %%fs" : : "m"(table), "r"(FS_SELECTOR) : "memory");
    gdt[FS_SELECTOR / 8] = 0;
    wrmsr(MSR_FS_BASE, FS_BASE);
}

static BOOLEAN fs_kept(void)
{
    UINT16 fs;
    __asm__ volatile("mov %%fs, %0" : "=r"(fs));
    return fs == FS_SELECTOR && rdmsr(MSR_FS_BASE) == FS_BASE;
}

static UINT32 select_register(void)
{
    UINT32 eax = 0, ebx, ecx, edx;
    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "=c"(ecx), "=d"(edx));
    return ebx == VENDOR_AMD ? AMD_PERFEVTSEL0 : PERFEVTSEL0;
}

static void EFIAPI leave_on(void *unused)
{
    (void)unused;
    wrmsr(MSR_DEBUGCTL, DEBUGCTL_BTF);
    wrmsr(select_register(), SELECT);
}

static void EFIAPI count_kept(void *kept)
{
    if (rdmsr(MSR_DEBUGCTL) == DEBUGCTL_BTF && rdmsr(select_register()) == SELECT)
        __atomic_add_fetch((UINT64 *)kept, 1, __ATOMIC_SEQ_CST);
}

/* Allocates until nothing is left below 4 GiB, where this firmware allocates first. */
static BOOLEAN fill_below_4_gib(void)
{
    EFI_PHYSICAL_ADDRESS at;
    do {
        if (EFI_ERROR(BS->AllocatePages(AllocateAnyPages, EfiLoaderCode, CHUNK, &at)))
            return FALSE;
    } while (at <= BELOW_4_GIB);
    return TRUE;
}

/* The program is loaded when there is no room, and started when there is. */
static EFI_STATUS load_high(EFI_HANDLE image, EFI_HANDLE *program)
{
    EFI_PHYSICAL_ADDRESS capacity = BELOW_4_GIB;
    EFI_STATUS status =
        BS->AllocatePages(AllocateMaxAddress, EfiBootServicesData, ROOM, &capacity);
    if (EFI_ERROR(status))
        return status;
    if (!fill_below_4_gib())
        console_print("firmware: the machine has no memory above 4 GiB\n");
    status = start_load(image, program);
    BS->FreePages(capacity, ROOM);
    return status;
}

/* PI Specification, vol. 2, "MP Services Protocol". */
struct services {
    EFI_STATUS(EFIAPI *count)(struct services *, UINTN *all, UINTN *enabled);
    void *info;
    EFI_STATUS(EFIAPI *start_all)
    (struct services *, void(EFIAPI *)(void *), BOOLEAN one_by_one, EFI_EVENT,
     UINTN timeout_us, void *argument, UINTN **failed);
};

/* Returns how many processors there are. */
static UINTN on_all_processors(void(EFIAPI *procedure)(void *), void *argument)
{
    static EFI_GUID guid = {
        0x3fdda605, 0xa76e, 0x4f46, { 0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08 }
    };
    struct services *services;
    UINTN all = 1, enabled;
    procedure(argument);
    if (EFI_ERROR(BS->LocateProtocol(&guid, NULL, (void **)&services)))
        return all;
    services->start_all(services, procedure, FALSE, NULL, 0, argument, NULL);
    services->count(services, &all, &enabled);
    return all;
}

/* Its options begin with its name, as a Shell's do. */
static void let_it_return(EFI_HANDLE program)
{
    static EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    static CHAR16 options[] = L"everybranch.efi exit=return";
    EFI_LOADED_IMAGE *loaded;
    BS->HandleProtocol(program, &loaded_image, (void **)&loaded);
    loaded->LoadOptions = options;
    loaded->LoadOptionsSize = sizeof options;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table); /* called by crt0 */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
    ST = table;
    BS = table->BootServices;
    RT = table->RuntimeServices;
    UINT64 kept = 0;
    UINTN all = on_all_processors(leave_on, NULL);
    EFI_HANDLE program;
    EFI_STATUS status = load_high(image, &program);
    if (EFI_ERROR(status)) {
        console_print("firmware: \\everybranch.efi could not be loaded\n");
        return status;
    }
    let_it_return(program);
    spoil_fs();
    status = BS->StartImage(program, NULL, NULL);
    BOOLEAN is_fs_kept = fs_kept();
    on_all_processors(count_kept, &kept);
    console_print(kept == all ? "firmware: every processor is as it was\n"
                              : "firmware: a processor is NOT as it was\n");
    console_print(is_fs_kept ? "firmware: FS is as it was\n"
                             : "firmware: FS is NOT as it was\n");
    qemu_exit(!EFI_ERROR(status) && kept == all && is_fs_kept);
    return status;
}
