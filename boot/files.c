/* UEFI Specification, "Simple File System Protocol" and "File Protocol". */
#include "files.h"

#include "firmware.h"

EFI_FILE_HANDLE files_open(EFI_HANDLE image)
{
    static EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    static EFI_GUID file_system = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    EFI_LOADED_IMAGE *loaded;
    EFI_FILE_IO_INTERFACE *volume;
    EFI_FILE_HANDLE root, own;

    if (EFI_ERROR(BS->HandleProtocol(image, &loaded_image, (void **)&loaded)) ||
        EFI_ERROR(
            BS->HandleProtocol(loaded->DeviceHandle, &file_system, (void **)&volume)) ||
        EFI_ERROR(volume->OpenVolume(volume, &root)))
        return NULL;
    if (EFI_ERROR(root->Open(root, &own, L"EFI\\everybranch", EFI_FILE_MODE_READ, 0)))
        return root;
    root->Close(root);
    return own;
}

BOOLEAN files_read(EFI_FILE_HANDLE folder, CHAR16 *name, char *out, UINTN *size)
{
    EFI_FILE_HANDLE file;

    if (EFI_ERROR(folder->Open(folder, &file, name, EFI_FILE_MODE_READ, 0)))
        return FALSE;
    EFI_STATUS status = file->Read(file, size, out);
    file->Close(file);
    return !EFI_ERROR(status);
}
