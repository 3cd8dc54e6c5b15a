/*
 * once.h.  Linux shows the firmware's variables in efivarfs: a file for each, which begins
 * with the attributes (Linux, Documentation/filesystems/efivarfs.rst).  It protects
 * variables from being removed by mistake, but not those of the boot manager (Linux,
 * fs/efivarfs/vars.c).
 *
 * udev makes links that have partitions' GUIDs as their names (systemd,
 * 60-persistent-storage.rules).
 */
#include "once.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <unistd.h>

#include "heap.h"

#define LINKS     "/dev/disk/by-partuuid"
#define SECTOR    512       /* the unit of Linux's numbers, whatever the disk's     */
#define PRIVATE   "/sys/fs" /* nothing in it is needed once the partition is there */
#define GUID_SIZE 16

static const char *linux_root, *variables;

/* ---- variables ---- */

/* UEFI Specification, "GetVariable()": non-volatile, for boot services and at run time. */
#define ATTRIBUTES 7u

struct variable {
    ssize_t size; /* of the value; 0: its writer was killed; -1: there is no variable */
    struct variable_file {
        uint32_t attributes;
        uint8_t value[4096];
    } file;
};

static const char *path_of(const char *name)
{
    return scratch_text("%s/%s-8be4df61-93ca-11d2-aa0d-00e098032b8c", variables, name);
}

/* The folder stays open, and locked, until this process ends. */
static const char *open_variables(void)
{
    if (*linux_root && access(linux_root, F_OK) != 0)
        return scratch_text("--root=%s: %s", linux_root, strerror(errno));
    variables = scratch_text("%s/sys/firmware/efi/efivars", linux_root);
    if (access(variables, W_OK) == 0 &&
        flock(open(variables, O_RDONLY | O_CLOEXEC), LOCK_EX | LOCK_NB) == 0)
        return NULL;
    if (errno == EWOULDBLOCK)
        return "another boot-once is running: wait until it has ended";
    if (errno == ENOENT)
        return "UEFI firmware did not start Linux, so nothing could start the image: use a "
               "stick (docs/hardware.md)";
    if (errno == EACCES)
        return "this needs root: sudo everybranch boot-once";
    return scratch_text("%s cannot be written to: %s", variables, strerror(errno));
}

static struct variable read_variable(const char *name)
{
    struct variable out = { .size = -1 };
    const int file = open(path_of(name), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, &out.file, sizeof(out.file));

    if (file >= 0)
        close(file);
    if (size == 0 || size >= (ssize_t)sizeof(out.file.attributes))
        out.size = size ? size - (ssize_t)sizeof(out.file.attributes) : 0;
    return out;
}

/* One write() is one call of the firmware, which makes the variable whole or not at all. */
static const char *add_variable(const char *name, const void *value, size_t size)
{
    struct variable_file whole = { .attributes = ATTRIBUTES };
    const int file = open(path_of(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    ssize_t done;
    int error = errno;

    memcpy(whole.value, value, size);
    if (file >= 0) {
        done = write(file, &whole, sizeof(whole.attributes) + size);
        error = done < 0 ? errno : EIO;
        close(file);
        if (done == (ssize_t)(sizeof(whole.attributes) + size))
            return NULL;
    }
    if (error == EEXIST)
        return scratch_text("another program has set %s: reboot, or remove it", name);
    return scratch_text("%s cannot be written: %s", name, strerror(error));
}

static const char *remove_variable(const char *name)
{
    if (unlink(path_of(name)) == 0)
        return NULL;
    return scratch_text("%s cannot be removed: %s", name, strerror(errno));
}

/* `at` and `size`: the part of the value by which it is recognised as ours. */
static bool is_own(const struct variable *found, size_t at, const void *part, size_t size)
{
    return found->size == 0 || (found->size >= (ssize_t)(at + size) &&
                                memcmp(found->file.value + at, part, size) == 0);
}

bool once_is_secure(void)
{
    const struct variable secure = read_variable("SecureBoot");

    return secure.size == 1 && secure.file.value[0] == 1;
}

static const uint8_t own_number[] = { 0x64, 0x86 }; /* of ONCE_ENTRY */

const char *once_add_next(void)
{
    return add_variable("BootNext", own_number, sizeof(own_number));
}

const char *once_remove_next(void)
{
    const struct variable next = read_variable("BootNext");

    return is_own(&next, 0, own_number, sizeof(own_number)) ? remove_variable("BootNext")
                                                            : NULL;
}

/* ---- our entry ---- */

/* UEFI Specification, "EFI_LOAD_OPTION", "Generic Device Path Structures", "Hard Drive
 * Media Device Path" and "File Path Media Device Path". */
struct path_node {
    uint8_t type, subtype;
    uint16_t size;
} __attribute__((packed));

struct disk_node {
    struct path_node node;
    uint32_t number;       /* in the partition table, from 1 */
    uint64_t first, count; /* in logical blocks of the disk  */
    uint8_t guid[GUID_SIZE], format, signature;
} __attribute__((packed));
_Static_assert(sizeof(struct disk_node) == 42, "Hard Drive Media Device Path");

/* Their names in the specification. */
#define LOAD_OPTION_ACTIVE  1
#define MEDIA_DEVICE_PATH   4
#define MEDIA_HARDDRIVE     1
#define MEDIA_FILEPATH      4
#define END_DEVICE_PATH     0x7f
#define END_ENTIRE          0xff
#define FORMAT_GPT          2
#define SIGNATURE_TYPE_GUID 2

#define DESCRIPTION u"everybranch boot-once"
#define IMAGE_PATH  u"\\EFI\\everybranch\\BOOTX64.EFI"

static struct boot_entry {
    uint32_t attributes;
    uint16_t paths_size;
    uint16_t description[sizeof(DESCRIPTION) / sizeof(uint16_t)];
    struct disk_node disk;
    struct file_node {
        struct path_node node;
        uint16_t path[sizeof(IMAGE_PATH) / sizeof(uint16_t)];
    } __attribute__((packed)) file;
    struct path_node end;
} __attribute__((packed)) own_entry = {
    .attributes = LOAD_OPTION_ACTIVE,
    .paths_size = sizeof(own_entry) - offsetof(struct boot_entry, disk),
    .description = DESCRIPTION,
    .disk = { { MEDIA_DEVICE_PATH, MEDIA_HARDDRIVE, sizeof(struct disk_node) },
              .format = FORMAT_GPT,
              .signature = SIGNATURE_TYPE_GUID },
    .file = { { MEDIA_DEVICE_PATH, MEDIA_FILEPATH, sizeof(struct file_node) }, IMAGE_PATH },
    .end = { END_DEVICE_PATH, END_ENTIRE, sizeof(struct path_node) },
};

const char *once_add_entry(void)
{
    return add_variable(ONCE_ENTRY, &own_entry, sizeof(own_entry));
}

/* Firmware may have added to the entry's end, and in front of its disk. */
bool once_has_entry(void)
{
    const struct variable entry = read_variable(ONCE_ENTRY);

    return is_own(&entry, offsetof(struct boot_entry, description), DESCRIPTION,
                  sizeof(DESCRIPTION));
}

const char *once_remove_entry(void)
{
    return once_has_entry() ? remove_variable(ONCE_ENTRY) : NULL;
}

/* ---- the partition ---- */

/* Copies the partition of a boot entry into ours.  Returns false if that entry names no GPT
 * partition. */
static bool take_disk(const char *name)
{
    const struct variable entry = read_variable(name);
    const uint8_t *value = entry.file.value;
    const size_t size = entry.size > 0 ? (size_t)entry.size : 0;
    const struct disk_node *disk = &own_entry.disk;
    const struct disk_node *found = memmem(value, size, disk, sizeof(disk->node));

    if (!found || value + size < (const uint8_t *)(found + 1) ||
        found->format != disk->format || found->signature != disk->signature)
        return false;
    own_entry.disk = *found;
    return true;
}

/* Does so with the entry from which the firmware started Linux. */
static bool take_disk_of_linux(void)
{
    const struct variable current = read_variable("BootCurrent");
    const uint8_t *number = current.file.value;

    return current.size == 2 &&
           take_disk(scratch_text("Boot%02X%02X", number[1], number[0]));
}

/* UEFI Specification, "GUID and Time Formats": three numbers are little endian. */
static bool guid_read(const char *text, uint8_t out[GUID_SIZE])
{
    static const uint8_t at[] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };

    for (size_t i = 0; i < GUID_SIZE; i++) {
        text += *text == '-';
        if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
            return false;
        sscanf(text, "%2" SCNx8, &out[at[i]]);
        text += 2;
    }
    return !*text;
}

/* Finds a partition by its device or, if that is NULL, by the GUID in our entry. */
static bool find_link(struct once *once, const char *device)
{
    const char *folder = scratch_text("%s" LINKS, linux_root);
    DIR *list = opendir(folder);
    uint8_t guid[GUID_SIZE];
    bool found = false;

    for (struct dirent *link; list && !found && (link = readdir(list));)
        found = guid_read(link->d_name, guid) &&
                realpath(scratch_text("%s/%s", folder, link->d_name), once->device) &&
                (device ? strcmp(once->device, device)
                        : memcmp(guid, own_entry.disk.guid, GUID_SIZE)) == 0;
    if (list)
        closedir(list);
    if (found)
        memcpy(own_entry.disk.guid, guid, GUID_SIZE);
    return found;
}

/* The number in a file, or 0. */
static uint64_t number_in(const char *folder, const char *name)
{
    FILE *file = fopen(scratch_text("%s/%s", folder, name), "r");
    uint64_t number = 0;

    if (file && fscanf(file, "%" SCNu64, &number) != 1)
        number = 0;
    if (file)
        fclose(file);
    return number;
}

/* The device without links, or NULL. */
static const char *path_of_device(const char *device)
{
    return scratch_take(realpath(scratch_text("%s%s", linux_root, device), NULL));
}

/* Makes our entry's node of the device. */
static const char *make_disk(struct once *once, const char *device)
{
    const char *path = path_of_device(device), *folder;
    uint64_t sectors; /* of a logical block */

    if (!path || !find_link(once, path))
        return scratch_text("%s is no GPT partition: " LINKS " has no link to it", device);
    folder = scratch_text("%s/sys/class/block%s", linux_root, strrchr(path, '/'));
    sectors = number_in(folder, "../queue/logical_block_size") / SECTOR;
    if (!sectors)
        return scratch_text("%s has no block size", folder);
    own_entry.disk.number = (uint32_t)number_in(folder, "partition");
    own_entry.disk.first = number_in(folder, "start") / sectors;
    own_entry.disk.count = number_in(folder, "size") / sectors;
    return NULL;
}

static bool mount_alone(const char *device)
{
    return unshare(CLONE_NEWNS) == 0 &&
           mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount(device, PRIVATE, "vfat", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

const char *once_open(struct once *once, const char *root, const char *device)
{
    const char *wrong, *path;
    bool has_entry;

    linux_root = root;
    wrong = open_variables();
    if (wrong)
        return wrong;
    has_entry = once_has_entry() && take_disk(ONCE_ENTRY);
    if (!has_entry && device)
        wrong = make_disk(once, device);
    else if (!has_entry && !take_disk_of_linux())
        wrong = "the firmware does not say from which GPT partition it started Linux: "
                "check that efivarfs is mounted, then name the EFI system partition with "
                "--esp=";
    if (wrong)
        return wrong;
    if (!find_link(once, NULL)) {
        once->is_gone = has_entry;
        return "no link in " LINKS " leads to the EFI system partition";
    }
    path = device ? path_of_device(device) : once->device;
    if (!path || strcmp(path, once->device) != 0)
        return scratch_text("an earlier boot-once used %s, and --esp= names %s: run "
                            "`everybranch boot-once --undo` without --esp= first",
                            once->device, device);
    if (!*root && !mount_alone(once->device))
        return scratch_text(
            "%s cannot be mounted: %s%s", once->device, strerror(errno),
            errno == EBUSY ? ": another mount is read-only, or a RAID has it" : "");
    once->top = open(*root ? scratch_text("%s/esp", root) : PRIVATE,
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return once->top < 0 ? scratch_text("%s: %s", once->device, strerror(errno)) : NULL;
}
