/*
 * low.h.  An image with relocations has no field that asks the loader for low memory, so
 * the image moves itself.  It finds its pointers in the list that the start-up code used
 * (ELF-64 Object File Format, "Relocation", "Dynamic table"); scripts/check-efi refuses
 * other types.
 */
#include "low.h"

#include "firmware.h"
#include "memory.h"

#define MEMORY_XP 0x4000ull /* not to be executed */

/* UEFI Specification 2.10, "EFI_MEMORY_ATTRIBUTE_PROTOCOL". */
typedef struct memory_attributes MEMORY_ATTRIBUTES;
struct memory_attributes {
    void *get;
    void *set;
    EFI_STATUS(EFIAPI *clear)
    (MEMORY_ATTRIBUTES *, EFI_PHYSICAL_ADDRESS base, UINT64 length, UINT64 attributes);
};

#define R_X86_64_RELATIVE 8 /* the others are R_X86_64_NONE: scripts/check-efi */
#define DT_NULL           0
#define DT_RELA           7 /* an offset in the image */
#define DT_RELASZ         8 /* bytes                  */
struct dynamic {
    UINT64 tag, value;
};
struct rela {
    UINT64 offset, info, addend;
};
extern const struct dynamic _DYNAMIC[] __attribute__((visibility("hidden")));

/* Adds to each pointer of the copy how far the copy was moved. */
static void relocate(UINT64 copy, UINT64 by)
{
    UINT64 offset = 0, bytes = 0;
    for (const struct dynamic *d = _DYNAMIC; d->tag != DT_NULL; d++) {
        if (d->tag == DT_RELA)
            offset = d->value;
        else if (d->tag == DT_RELASZ)
            bytes = d->value;
    }
    const struct rela *rela = (const struct rela *)(copy + offset);
    for (UINTN i = 0; i < bytes / sizeof *rela; i++)
        if ((UINT32)rela[i].info == R_X86_64_RELATIVE)
            *(UINT64 *)(copy + rela[i].offset) += by;
}

/* Firmware may hand out all memory as not executable, and then has this protocol. */
static void make_executable(EFI_PHYSICAL_ADDRESS at, UINT64 size)
{
    static EFI_GUID guid = {
        0xf4560cf6, 0x40ec, 0x4b4a, { 0xa1, 0x92, 0xbf, 0x1d, 0x57, 0xd0, 0xb1, 0x89 }
    };
    MEMORY_ATTRIBUTES *attributes;
    if (!EFI_ERROR(BS->LocateProtocol(&guid, NULL, (void **)&attributes)))
        attributes->clear(attributes, at, size, MEMORY_XP);
}

BOOLEAN low_run(low_entry *entry, UINT64 size, EFI_HANDLE image, EFI_SYSTEM_TABLE *table,
                EFI_STATUS *returned)
{
    EFI_PHYSICAL_ADDRESS at = BELOW_4_GIB;
    UINT64 from = (UINT64)ImageBase;
    UINTN pages = (size + PAGE_SIZE - 1) / PAGE_SIZE;

    if (from + size <= BELOW_4_GIB + 1 ||
        EFI_ERROR(BS->AllocatePages(AllocateMaxAddress, EfiLoaderCode, pages, &at)))
        return FALSE;
    BS->CopyMem((void *)at, (void *)from, size);
    relocate(at, at - from);
    make_executable(at, pages * PAGE_SIZE);
    *returned = ((low_entry *)((UINT64)entry + (at - from)))(image, table);
    BS->FreePages(at, pages);
    return TRUE;
}
