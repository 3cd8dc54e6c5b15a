/*
 * journal.h.  UEFI Specification, "File Protocol".
 *
 * What is saved stays saved: the file is only added to, so that a machine that dies while
 * its firmware writes leaves what was there before.  A file that cannot be added to any
 * more goes: it ends in a `try` line, and would name that as what the machine died of.
 */
#include "journal.h"

#include "firmware.h"

#define FOLDER       L"logs"
#define NUMBER_LAST  9999u
#define DIGITS       4
#define CHUNK        (256 * 1024u) /* some drivers fail on larger writes */
#define LOOK_BACK    16u           /* logs: of other machines, maybe     */
#define READ_LARGEST (64u << 20)
#define INFO_SIZE    1024 /* a name has 255 characters at most */

static EFI_FILE_HANDLE folder, file;
static UINTN newest; /* the highest number that was there */
static size_t saved;
static const char *log_error = "there is no volume to save it on";

static const char *why_not(EFI_STATUS status)
{
    return status == EFI_VOLUME_FULL       ? "the volume is full"
           : status == EFI_WRITE_PROTECTED ? "the volume is read-only"
           : status == EFI_ACCESS_DENIED   ? "the firmware refuses to write there"
           : status == EFI_MEDIA_CHANGED || status == EFI_NO_MEDIA
               ? "the volume was taken out or exchanged"
               : "the volume failed";
}

/* The number in "0001.log", or 0. */
static UINTN number_of(const CHAR16 *name)
{
    static const char suffix[] = ".log";
    UINTN number = 0;
    for (int i = 0; i < DIGITS; i++, name++) {
        if (*name < '0' || *name > '9')
            return 0;
        number = number * 10 + (*name - '0');
    }
    for (int i = 0; i < 4; i++, name++)
        if (*name != suffix[i] && (*name | 0x20) != suffix[i])
            return 0; /* FAT may give a short name in capitals */
    return *name ? 0 : number;
}

static const CHAR16 *name_of(UINTN number)
{
    static CHAR16 name[] = L"0000.log";
    for (int i = DIGITS; i-- > 0; number /= 10)
        name[i] = (CHAR16)('0' + number % 10);
    return name;
}

static const char *in_ascii(const CHAR16 *name)
{
    static char text[DIGITS + sizeof ".log"];
    firmware_ascii(text, sizeof text, name);
    return text;
}

static EFI_STATUS find_newest(void)
{
    static UINT64 buffer[INFO_SIZE / sizeof(UINT64)];
    const EFI_FILE_INFO *info = (const EFI_FILE_INFO *)buffer;
    for (;;) {
        UINTN size = sizeof buffer;
        EFI_STATUS status = folder->Read(folder, &size, buffer);
        if (EFI_ERROR(status) || !size)
            return status;
        UINTN number = number_of(info->FileName);
        newest = number > newest ? number : newest;
    }
}

static EFI_STATUS open_folder(EFI_FILE_HANDLE root)
{
    const UINT64 write = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE;
    EFI_STATUS status =
        root->Open(root, &folder, FOLDER, write | EFI_FILE_MODE_CREATE, EFI_FILE_DIRECTORY);
    if (!EFI_ERROR(status))
        return status;
    folder = NULL; /* what is there can be read all the same */
    if (EFI_ERROR(root->Open(root, &folder, FOLDER, EFI_FILE_MODE_READ, 0)))
        folder = NULL;
    return status;
}

void journal_open(EFI_FILE_HANDLE root)
{
    const UINT64 create = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE;
    if (!root)
        return;
    EFI_STATUS status = open_folder(root);
    EFI_STATUS listed = folder ? find_newest() : status;
    if (!EFI_ERROR(status))
        status = listed;
    if (!EFI_ERROR(status) && newest >= NUMBER_LAST) {
        log_error = "\\logs\\9999.log is there: clear that folder";
        return;
    }
    if (!EFI_ERROR(status))
        status = folder->Open(folder, &file, (CHAR16 *)name_of(newest + 1), create, 0);
    if (EFI_ERROR(status))
        file = NULL;
    log_error = file ? NULL : why_not(status);
}

const char *journal_name(void)
{
    return file ? in_ascii(name_of(newest + 1)) : "";
}

static EFI_STATUS add(const char *bytes, UINTN count)
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

/* Closes the file too, even where the volume is gone and the file stays. */
static void give_up(const char *why)
{
    log_error = why;
    file->Delete(file);
    file = NULL;
}

const char *journal_save(const char *log, size_t size)
{
    if (log_error || size == saved)
        return log_error;
    EFI_STATUS status = add(log + saved, size - saved);
    if (EFI_ERROR(status))
        give_up(why_not(status));
    else
        saved = size;
    return log_error;
}

/* All of a file, from the firmware's pool; NULL: none, or none that is a log. */
static char *read_all(UINTN number, UINTN *size)
{
    EFI_FILE_HANDLE old;
    UINT64 end = 0;
    char *bytes = NULL;
    if (EFI_ERROR(
            folder->Open(folder, &old, (CHAR16 *)name_of(number), EFI_FILE_MODE_READ, 0)))
        return NULL;
    if (!EFI_ERROR(old->SetPosition(old, ~0ull)) &&
        !EFI_ERROR(old->GetPosition(old, &end)) && !EFI_ERROR(old->SetPosition(old, 0)) &&
        end && end <= READ_LARGEST &&
        !EFI_ERROR(BS->AllocatePool(EfiLoaderData, end, (void **)&bytes))) {
        *size = end;
        if (EFI_ERROR(old->Read(old, size, bytes))) {
            BS->FreePool(bytes);
            bytes = NULL;
        }
    }
    old->Close(old);
    return bytes;
}

void journal_recall(bool (*take)(const char *name, const char *log, size_t size))
{
    bool taken = false;
    if (!folder)
        return;
    for (UINTN back = 0; back < LOOK_BACK && back < newest && !taken; back++) {
        UINTN size;
        char *bytes = read_all(newest - back, &size);
        if (!bytes)
            continue;
        taken = take(in_ascii(name_of(newest - back)), bytes, size);
        BS->FreePool(bytes);
    }
}

void journal_close(void)
{
    if (file)
        file->Close(file);
    if (folder)
        folder->Close(folder);
    file = folder = NULL;
}

void journal_abandon(void)
{
    if (file)
        give_up("this boot has no log");
    journal_close();
}
