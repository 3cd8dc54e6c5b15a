/* start.h */
#include "start.h"

#include "files.h"
#include "firmware.h"

#define PROGRAM_SIZE (4u << 20)

/* Sets the program's device to this volume, so that its log is saved here. */
EFI_STATUS start_load(EFI_HANDLE image, EFI_HANDLE *program)
{
    static EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    EFI_LOADED_IMAGE *own, *loaded;
    EFI_FILE_HANDLE root = files_open(image), file;
    UINTN size = PROGRAM_SIZE;
    void *bytes;
    EFI_STATUS status = BS->AllocatePool(EfiBootServicesData, size, &bytes);
    if (!root || EFI_ERROR(status))
        return EFI_NOT_FOUND;
    status = root->Open(root, &file, L"\\everybranch.efi", EFI_FILE_MODE_READ, 0);
    if (!EFI_ERROR(status))
        status = file->Read(file, &size, bytes);
    if (!EFI_ERROR(status))
        status = BS->LoadImage(FALSE, image, NULL, bytes, size, program);
    if (EFI_ERROR(status))
        return status;
    BS->HandleProtocol(image, &loaded_image, (void **)&own);
    BS->HandleProtocol(*program, &loaded_image, (void **)&loaded);
    loaded->DeviceHandle = own->DeviceHandle;
    return EFI_SUCCESS;
}
