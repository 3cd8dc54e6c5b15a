/* UEFI Specification, "Simple File System Protocol" and "File Protocol". */
#include "files.h"

#include "firmware.h"

#define CHUNK (256 * 1024u) /* some drivers fail on larger writes */

EFI_FILE_HANDLE files_open_volume(EFI_HANDLE image)
{
    static EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    static EFI_GUID file_system = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    EFI_LOADED_IMAGE *loaded;
    EFI_FILE_IO_INTERFACE *volume;
    EFI_FILE_HANDLE root;

    if (EFI_ERROR(BS->HandleProtocol(image, &loaded_image, (void **)&loaded)) ||
        EFI_ERROR(
            BS->HandleProtocol(loaded->DeviceHandle, &file_system, (void **)&volume)) ||
        EFI_ERROR(volume->OpenVolume(volume, &root)))
        return NULL;
    return root;
}

BOOLEAN files_read(EFI_FILE_HANDLE root, CHAR16 *name, char *out, UINTN room)
{
    EFI_FILE_HANDLE file;
    UINTN count = room - 1;

    if (EFI_ERROR(root->Open(root, &file, name, EFI_FILE_MODE_READ, 0)))
        return FALSE;
    EFI_STATUS status = file->Read(file, &count, out);
    file->Close(file);
    out[EFI_ERROR(status) ? 0 : count] = 0;
    return !EFI_ERROR(status);
}

static EFI_STATUS write_all(EFI_FILE_HANDLE file, const char *bytes, UINTN count)
{
    while (count) {
        UINTN want = count < CHUNK ? count : CHUNK, done = want;
        EFI_STATUS status = file->Write(file, &done, (void *)bytes);
        if (EFI_ERROR(status))
            return status;
        if (done != want)
            return EFI_VOLUME_FULL;
        bytes += done;
        count -= done;
    }
    return file->Flush(file);
}

EFI_STATUS files_write(EFI_FILE_HANDLE root, CHAR16 *name, const char *bytes, UINTN count)
{
    const UINT64 mode = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE;
    EFI_FILE_HANDLE file;

    /* Opening does not truncate: an old log's tail would stay behind the new one. */
    if (!EFI_ERROR(root->Open(root, &file, name, mode, 0)))
        file->Delete(file);
    EFI_STATUS status = root->Open(root, &file, name, mode | EFI_FILE_MODE_CREATE, 0);
    if (EFI_ERROR(status))
        return status;
    status = write_all(file, bytes, count);
    EFI_STATUS closed = file->Close(file);
    return EFI_ERROR(status) ? status : closed;
}
