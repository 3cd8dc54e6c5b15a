/* UEFI Specification, "EFI_FILE_PROTOCOL.Read()" of a directory: one EFI_FILE_INFO each. */
#include "bundles.h"

#include "firmware.h"

#define FOLDER    L"workloads"
#define INFO_SIZE 1024

static char lower(CHAR16 c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c < 128 ? (char)c : '?';
}

static BOOLEAN is_bundle(const CHAR16 *name)
{
    static const char suffix[] = ".ebw";
    UINTN length = 0, tail = sizeof suffix - 1;
    while (name[length])
        length++;
    for (UINTN i = 0; i < tail; i++)
        if (length <= tail || lower(name[length - tail + i]) != suffix[i])
            return FALSE;
    return TRUE;
}

/* A name that does not fit ends in dots. */
static void copy_name(struct bundle_file *bundle, const CHAR16 *name)
{
    const UINTN most = sizeof bundle->name - 1;
    const UINTN length = firmware_ascii(bundle->name, sizeof bundle->name, name);
    for (UINTN dot = most - 3; length > most && dot < most; dot++)
        bundle->name[dot] = '.';
}

static void read_file(EFI_FILE_HANDLE folder, EFI_FILE_INFO *info,
                      struct bundle_file *bundle)
{
    EFI_FILE_HANDLE file;
    UINTN size = info->FileSize;
    copy_name(bundle, info->FileName);
    bundle->size = 0;
    bundle->wrong = size == 0                 ? "it is empty"
                    : size > BUNDLE_BYTES_MAX ? "it is larger than 64 KiB"
                                              : NULL;
    if (bundle->wrong)
        return;
    bundle->wrong = "the firmware cannot read it";
    if (EFI_ERROR(folder->Open(folder, &file, info->FileName, EFI_FILE_MODE_READ, 0)))
        return;
    if (!EFI_ERROR(BS->AllocatePool(EfiLoaderData, size, (void **)&bundle->bytes)) &&
        !EFI_ERROR(file->Read(file, &size, (void *)bundle->bytes)) &&
        size == info->FileSize) {
        bundle->size = size;
        bundle->wrong = NULL;
    }
    file->Close(file);
}

static BOOLEAN comes_before(const char *a, const char *b)
{
    while (*a && lower((CHAR16)*a) == lower((CHAR16)*b))
        a++, b++;
    return lower((CHAR16)*a) < lower((CHAR16)*b);
}

/* Into its place among those before it. */
static void sort_in(struct bundle_file *bundles, UINTN newest)
{
    struct bundle_file moved;
    for (UINTN i = newest; i > 0 && comes_before(bundles[i].name, bundles[i - 1].name);
         i--) {
        moved = bundles[i];
        bundles[i] = bundles[i - 1];
        bundles[i - 1] = moved;
    }
}

void bundles_read(EFI_FILE_HANDLE root, struct handoff *handoff)
{
    static UINT64 buffer[INFO_SIZE / sizeof(UINT64)];
    EFI_FILE_INFO *info = (EFI_FILE_INFO *)buffer;
    EFI_FILE_HANDLE folder;
    UINTN size = sizeof buffer;
    if (!root || EFI_ERROR(root->Open(root, &folder, FOLDER, EFI_FILE_MODE_READ, 0)))
        return;
    for (; !EFI_ERROR(folder->Read(folder, &size, info)) && size; size = sizeof buffer) {
        UINTN count = handoff->bundle_count;
        if (info->Attribute & EFI_FILE_DIRECTORY || !is_bundle(info->FileName))
            continue;
        if (count == BUNDLE_FILES_MAX) {
            handoff->bundles_left_out++;
            continue;
        }
        read_file(folder, info, &handoff->bundles[count]);
        sort_in(handoff->bundles, count);
        handoff->bundle_count++;
    }
    folder->Close(folder);
}
