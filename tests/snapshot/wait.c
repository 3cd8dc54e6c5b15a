/*
 * The program that a machine runs when its snapshot is taken (tests/scripts/snapshot.py):
 * it has the firmware look for its devices, waits until its port reads 1, which QEMU's
 * command line decides, and starts the image of the stick, whose contents are others by
 * then.
 */
#include <efi.h>
#include <efilib.h>

#define PORT     0x4e9
#define GO       1
#define MS       1000 /* microseconds */
#define WATCHDOG 300  /* seconds, as before a boot option of the firmware's */
#define IMAGE    L"\\EFI\\BOOT\\BOOTX64.EFI"

static UINT8 inb(UINT16 port)
{
    UINT8 value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

/* Returns how many handles have that protocol, or are there if it is NULL. */
static UINTN find(EFI_GUID *protocol, EFI_HANDLE **handles)
{
    UINTN count = 0;

    if (EFI_ERROR(BS->LocateHandleBuffer(protocol ? ByProtocol : AllHandles, protocol, NULL,
                                         &count, handles)))
        return 0;
    return count;
}

static void connect_all(void)
{
    EFI_HANDLE *handles;

    for (UINTN i = find(NULL, &handles); i-- > 0;)
        BS->ConnectController(handles[i], NULL, NULL, TRUE);
}

/* The drivers of partitions and file systems read the disks again. */
static void reconnect_disks(void)
{
    EFI_HANDLE *handles;
    EFI_BLOCK_IO *disk;

    for (UINTN i = find(&gEfiBlockIoProtocolGuid, &handles); i-- > 0;) {
        if (EFI_ERROR(
                BS->HandleProtocol(handles[i], &gEfiBlockIoProtocolGuid, (void **)&disk)) ||
            disk->Media->LogicalPartition)
            continue;
        BS->DisconnectController(handles[i], NULL, NULL);
        BS->ConnectController(handles[i], NULL, NULL, TRUE);
    }
}

/* Starts the first image that there is, as a removable disk is booted. */
static EFI_STATUS boot(EFI_HANDLE self)
{
    EFI_HANDLE *volumes, image;

    for (UINTN i = find(&gEfiSimpleFileSystemProtocolGuid, &volumes); i-- > 0;) {
        EFI_DEVICE_PATH *path = FileDevicePath(volumes[i], IMAGE);

        if (EFI_ERROR(BS->LoadImage(TRUE, self, path, NULL, 0, &image)))
            continue;
        BS->SetWatchdogTimer(WATCHDOG, 0, 0, NULL);
        return BS->StartImage(image, NULL, NULL);
    }
    return EFI_NOT_FOUND;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table); /* called by crt0 */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
    InitializeLib(image, table);
    connect_all();
    table->ConOut->OutputString(table->ConOut, L"snapshot: ready\r\n");
    while (inb(PORT) != GO)
        table->BootServices->Stall(MS);
    reconnect_disks();
    return boot(image);
}
