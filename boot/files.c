/*
 * files.h.  UEFI Specification, "Simple File System Protocol" and "File Protocol"; "Media
 * Device Path" for where the image is.
 */
#include "files.h"

#include "firmware.h"

#define PATH_LENGTH 256

/* The path of the image's folder, "" for the root; FALSE: it is not known. */
static BOOLEAN folder_of(const EFI_DEVICE_PATH *path, CHAR16 *out)
{
    UINTN length = 0, folder = 0;

    for (; path && !IsDevicePathEnd(path); path = NextDevicePathNode(path)) {
        const CHAR16 *name = ((const FILEPATH_DEVICE_PATH *)path)->PathName;
        UINTN size = ((UINTN)DevicePathNodeLength(path) - sizeof *path) / sizeof *name;
        if (DevicePathNodeLength(path) < (int)sizeof *path ||
            DevicePathType(path) != MEDIA_DEVICE_PATH ||
            DevicePathSubType(path) != MEDIA_FILEPATH_DP)
            return FALSE;
        for (; size && *name; size--, name++) {
            if (length + 1 == PATH_LENGTH)
                return FALSE;
            folder = *name == L'\\' ? length : folder;
            out[length++] = *name;
        }
    }
    out[folder] = 0;
    return TRUE;
}

static BOOLEAN has_config(EFI_FILE_HANDLE folder)
{
    EFI_FILE_HANDLE file;

    if (EFI_ERROR(folder->Open(folder, &file, FILES_CONFIG, EFI_FILE_MODE_READ, 0)))
        return FALSE;
    file->Close(file);
    return TRUE;
}

/* The image's folder if it has an everybranch.cfg, or NULL. */
static EFI_FILE_HANDLE open_own(EFI_FILE_HANDLE root, const EFI_DEVICE_PATH *path)
{
    static CHAR16 name[PATH_LENGTH];
    EFI_FILE_HANDLE folder;

    if (!folder_of(path, name) || !name[0] ||
        EFI_ERROR(root->Open(root, &folder, name, EFI_FILE_MODE_READ, 0)))
        return NULL;
    if (has_config(folder))
        return folder;
    folder->Close(folder);
    return NULL;
}

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
    own = open_own(root, loaded->FilePath);
    if (own)
        root->Close(root);
    return own ? own : root;
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
