/*
 * UEFI Specification, "EFI_BOOT_SERVICES.GetMemoryMap()", "EFI Configuration Table" and
 * "Graphics Output Protocol".
 */
#include "devices.h"

#include "firmware.h"
#include "memory.h"
#include "ports.h"
#include "x86.h"

#define MAP_SLACK  8     /* descriptors: to allocate the buffer may split regions */
#define PITCH_MOST 65536 /* points in a row */
#define PCI_SELECT 0xcf8
#define PCI_DATA   0xcfc

static struct {
    const UINT8 *at;
    UINTN size, step;
} map;

static void read_memory_map(void)
{
    UINTN size = 0, key, step = 0;
    UINT32 version;
    void *buffer;
    map.size = 0;
    BS->GetMemoryMap(&size, NULL, &key, &step, &version);
    size += MAP_SLACK * step;
    if (EFI_ERROR(BS->AllocatePool(EfiLoaderData, size, &buffer)))
        return;
    if (EFI_ERROR(BS->GetMemoryMap(&size, buffer, &key, &step, &version)))
        size = 0;
    map.at = buffer;
    map.size = size;
    map.step = step;
}

static BOOLEAN is_device(UINT32 type)
{
    return type == EfiMemoryMappedIO || type == EfiMemoryMappedIOPortSpace;
}

/* All of it in memory that may be read. */
static bool reachable(uint64_t at, uint64_t size)
{
    uint64_t end = at + size;
    if (end < at)
        return false;
    for (BOOLEAN moved = TRUE; moved && at < end;) {
        moved = FALSE;
        for (UINTN i = 0; i + map.step <= map.size; i += map.step) {
            const EFI_MEMORY_DESCRIPTOR *d = (const void *)(map.at + i);
            uint64_t last = d->PhysicalStart + d->NumberOfPages * PAGE_SIZE;
            if (is_device(d->Type) || d->Type == EfiUnusableMemory ||
                at < d->PhysicalStart || at >= last)
                continue;
            at = last;
            moved = TRUE;
        }
    }
    return at >= end;
}

bool devices_readable(uint64_t at, uint64_t size)
{
    if (!map.size)
        read_memory_map();
    return reachable(at, size);
}

/* Some of it in memory that somebody uses; a reserved place may be a device's. */
static bool in_ram(uint64_t at, uint64_t size)
{
    for (UINTN i = 0; i + map.step <= map.size; i += map.step) {
        const EFI_MEMORY_DESCRIPTOR *d = (const void *)(map.at + i);
        uint64_t last = d->PhysicalStart + d->NumberOfPages * PAGE_SIZE;
        if (d->Type != EfiReservedMemoryType && !is_device(d->Type) && at < last &&
            at + size > d->PhysicalStart)
            return true;
    }
    return false;
}

static uint32_t config_read(uint32_t address)
{
    outl(PCI_SELECT, address);
    return inl(PCI_DATA);
}

static void config_write(uint32_t address, uint32_t value)
{
    outl(PCI_SELECT, address);
    outl(PCI_DATA, value);
}

uint64_t devices_rsdp(void)
{
    static const EFI_GUID newer = ACPI_20_TABLE_GUID, older = ACPI_TABLE_GUID;
    const void *rsdp = firmware_table(&newer);
    return (uint64_t)(rsdp ? rsdp : firmware_table(&older));
}

static UINT32 commands[SERIAL_PORTS]; /* as they were; 0: not changed */

/* Interrupts of the firmware's may use the same two ports. */
static void find_serial_ports(struct handoff *handoff)
{
    const struct ports_machine machine = { devices_rsdp(), reachable, in_ram, config_read };
    EFI_TPL tpl = BS->RaiseTPL(TPL_HIGH_LEVEL);
    struct serial_ports *list = &handoff->serial_ports;
    ports_find(&handoff->options, &machine, list);
    for (size_t i = 0; i < list->count; i++)
        commands[i] = list->at[i].pci ? pci_enable(list->at[i].pci, list->at[i].mmio,
                                                   config_read, config_write)
                                      : 0;
    BS->RestoreTPL(tpl);
}

void devices_restore(const struct handoff *handoff)
{
    EFI_TPL tpl = BS->RaiseTPL(TPL_HIGH_LEVEL);
    for (size_t i = handoff->serial_ports.count; i-- > 0;)
        if (commands[i])
            pci_disable(handoff->serial_ports.at[i].pci, commands[i], config_write);
    BS->RestoreTPL(tpl);
}

/* Bytes that hold a point whose highest colour bit is the highest of these. */
static UINT32 bytes_of_mask(UINT32 all)
{
    return all >> 24 ? 4 : all >> 16 ? 3 : 2;
}

static BOOLEAN describe(const EFI_GRAPHICS_OUTPUT_PROTOCOL *gop, struct framebuffer *out)
{
    if (!gop->Mode || !gop->Mode->Info || !gop->Mode->FrameBufferBase ||
        gop->Mode->Info->PixelsPerScanLine > PITCH_MOST ||
        in_ram(gop->Mode->FrameBufferBase, gop->Mode->FrameBufferSize))
        return FALSE;
    const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *info = gop->Mode->Info;
    struct framebuffer f = { .address = gop->Mode->FrameBufferBase,
                             .size = gop->Mode->FrameBufferSize,
                             .width = info->HorizontalResolution,
                             .height = info->VerticalResolution,
                             .bytes = 4,
                             .green = 0xff00 };
    switch (info->PixelFormat) {
    case PixelRedGreenBlueReserved8BitPerColor:
        f.red = 0xff;
        f.blue = 0xff0000;
        break;
    case PixelBlueGreenRedReserved8BitPerColor:
        f.red = 0xff0000;
        f.blue = 0xff;
        break;
    case PixelBitMask:
        f.red = info->PixelInformation.RedMask;
        f.green = info->PixelInformation.GreenMask;
        f.blue = info->PixelInformation.BlueMask;
        f.bytes =
            bytes_of_mask(f.red | f.green | f.blue | info->PixelInformation.ReservedMask);
        break;
    default:
        return FALSE; /* only Blt, which needs the firmware */
    }
    f.pitch = info->PixelsPerScanLine * f.bytes;
    *out = f;
    return TRUE;
}

/* The one that the console is on, else the first that is memory. */
static void find_framebuffer(struct framebuffer *out)
{
    static EFI_GUID guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
    EFI_GRAPHICS_OUTPUT_PROTOCOL *gop;
    EFI_HANDLE *handles;
    UINTN count;
    if (ST->ConsoleOutHandle &&
        !EFI_ERROR(BS->HandleProtocol(ST->ConsoleOutHandle, &guid, (void **)&gop)) &&
        describe(gop, out))
        return;
    if (EFI_ERROR(BS->LocateHandleBuffer(ByProtocol, &guid, NULL, &count, &handles)))
        return;
    for (UINTN i = 0; i < count; i++)
        if (!EFI_ERROR(BS->HandleProtocol(handles[i], &guid, (void **)&gop)) &&
            describe(gop, out))
            break;
    BS->FreePool(handles);
}

void devices_find(struct handoff *handoff)
{
    read_memory_map();
    find_serial_ports(handoff);
    find_framebuffer(&handoff->framebuffer);
    if (map.at)
        BS->FreePool((void *)map.at);
    map.size = 0;
}
