/* variables.h */
#include "variables.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* EFI_GLOBAL_VARIABLE */
#define GLOBAL "-8be4df61-93ca-11d2-aa0d-00e098032b8c"

/* UEFI Specification, "GetVariable()". */
#define VARIABLE_NON_VOLATILE       0x1u
#define VARIABLE_BOOTSERVICE_ACCESS 0x2u
#define VARIABLE_RUNTIME_ACCESS     0x4u

#define NAME_SIZE 64
static const char *file_of(char *out, const char *name)
{
    snprintf(out, NAME_SIZE, "%s" GLOBAL, name);
    return out;
}

enum variable_state variable_read(int folder, const char *name, uint8_t *out, size_t *size)
{
    static uint8_t bytes[sizeof(uint32_t) + VARIABLE_MOST];
    char path[NAME_SIZE];
    int file = openat(folder, file_of(path, name), O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, bytes, sizeof(bytes));

    if (file >= 0)
        close(file);
    if (got < (ssize_t)sizeof(uint32_t))
        return got == 0 ? VARIABLE_EMPTY : VARIABLE_ABSENT;
    *size = (size_t)got - sizeof(uint32_t);
    memcpy(out, bytes + sizeof(uint32_t), *size);
    return VARIABLE_PRESENT;
}

/* Linux protects variables that it does not know from being removed by mistake. */
static void make_mutable(int folder, const char *path)
{
    int flags = 0, file = openat(folder, path, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return;
    if (ioctl(file, FS_IOC_GETFLAGS, &flags) == 0 && flags & FS_IMMUTABLE_FL) {
        flags &= ~FS_IMMUTABLE_FL;
        ioctl(file, FS_IOC_SETFLAGS, &flags);
    }
    close(file);
}

bool variable_remove(int folder, const char *name)
{
    char path[NAME_SIZE];

    make_mutable(folder, file_of(path, name));
    return unlinkat(folder, path, 0) == 0;
}

/* One write() is one call of the firmware, which makes the variable whole or not at all. */
bool variable_write(int folder, const char *name, const void *value, size_t size)
{
    const uint32_t attributes =
        VARIABLE_NON_VOLATILE | VARIABLE_BOOTSERVICE_ACCESS | VARIABLE_RUNTIME_ACCESS;
    uint8_t bytes[sizeof(attributes) + 1024];
    char path[NAME_SIZE];
    int file, why;
    ssize_t done;

    memcpy(bytes, &attributes, sizeof(attributes));
    memcpy(bytes + sizeof(attributes), value, size);
    file =
        openat(folder, file_of(path, name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0)
        return false;
    done = write(file, bytes, sizeof(attributes) + size);
    why = errno;
    close(file);
    if (done == (ssize_t)(sizeof(attributes) + size))
        return true;
    unlinkat(folder, path, 0);
    errno = done < 0 ? why : EIO;
    return false;
}

void variables_of_boot(int folder, bool exists[BOOT_NUMBERS])
{
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy < 0 ? NULL : fdopendir(copy);
    char path[NAME_SIZE], name[16];
    unsigned number;

    memset(exists, 0, BOOT_NUMBERS * sizeof(*exists));
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (sscanf(entry->d_name, "Boot%4X-", &number) != 1)
            continue;
        snprintf(name, sizeof(name), "Boot%04X", number & 0xffff);
        if (strcmp(entry->d_name, file_of(path, name)) == 0)
            exists[number] = true;
    }
    if (list)
        closedir(list);
}
