/* esp.h.  UEFI Specification, "GUID Partition Table (GPT) Disk Layout". */
#include "esp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "count_of.h"
#include "heap.h"

#define SECTOR   512       /* the unit of Linux's numbers, whatever the disk's */
#define PRIVATE  "/sys/fs" /* no file of ours or of the user's is there  */
#define ESPS_MAX 8

struct gpt_header {
    char signature[8];
    uint32_t revision, size, crc, reserved;
    uint64_t own, other, first_usable, last_usable;
    uint8_t disk[GUID_SIZE];
    uint64_t entries;
    uint32_t entry_count, entry_size, entries_crc;
} __attribute__((packed));
_Static_assert(sizeof(struct gpt_header) == 92, "GPT Header");

struct gpt_entry {
    uint8_t type[GUID_SIZE], unique[GUID_SIZE];
    uint64_t first, last, attributes;
} __attribute__((packed));

/* C12A7328-F81F-11D2-BA4B-00A0C93EC93B, as it is in memory. */
static const uint8_t system_partition[GUID_SIZE] = { 0x28, 0x73, 0x2a, 0xc1, 0x1f, 0xf8,
                                                     0xd2, 0x11, 0xba, 0x4b, 0x00, 0xa0,
                                                     0xc9, 0x3e, 0xc9, 0x3b };

/* The number in a file of /sys, or `otherwise`. */
static uint64_t number_in(const char *folder, const char *name, uint64_t otherwise)
{
    char path[PATH_MAX + 64];
    unsigned long long number = otherwise;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "r");
    if (file && fscanf(file, "%llu", &number) != 1)
        number = otherwise;
    if (file)
        fclose(file);
    return number;
}

static bool read_table(int disk, uint64_t block, struct partition *out)
{
    struct gpt_header header;
    struct gpt_entry entry;
    uint64_t at;

    if (pread(disk, &header, sizeof(header), (off_t)block) != sizeof(header) ||
        memcmp(header.signature, "EFI PART", sizeof(header.signature)) != 0 ||
        out->number == 0 || out->number > header.entry_count ||
        header.entry_size < sizeof(entry))
        return false;
    at = header.entries * block + (uint64_t)(out->number - 1) * header.entry_size;
    if (pread(disk, &entry, sizeof(entry), (off_t)at) != sizeof(entry) ||
        entry.first != out->first)
        return false;
    memcpy(out->guid, entry.unique, GUID_SIZE);
    out->is_system = memcmp(entry.type, system_partition, GUID_SIZE) == 0;
    return true;
}

/* Where /proc/self/mountinfo has the whole of a device mounted (proc(5)). */
static void find_mount(const char *root, const char *device, struct partition *out)
{
    FILE *file = fopen(scratch_text("%s/proc/self/mountinfo", root), "r");
    char line[4096], number[32], place[sizeof(out->mounted)];

    while (file && !out->mounted[0] && fgets(line, sizeof(line), file))
        if (sscanf(line, "%*u %*u %31s / %255s", number, place) == 2 &&
            strcmp(number, device) == 0 && !strchr(place, '\\'))
            memcpy(out->mounted, place, sizeof(place));
    if (file)
        fclose(file);
}

static bool read_device(const char *folder, char out[32])
{
    FILE *file = fopen(scratch_text("%s/dev", folder), "r");
    bool good = file && fscanf(file, "%31s", out) == 1;

    if (file)
        fclose(file);
    return good;
}

/* True if it is a partition of a GPT. */
static bool read_partition(const char *root, const char *name, struct partition *out)
{
    char folder[PATH_MAX], device[32], *end;
    uint64_t block;
    int disk;

    *out = (struct partition){ .number = 0 };
    if (!realpath(scratch_text("%s/sys/class/block/%s", root, name), folder))
        return false;
    out->number = (uint32_t)number_in(folder, "partition", 0);
    if (!out->number || !read_device(folder, device))
        return false;
    snprintf(out->name, sizeof(out->name), "%s", name);
    out->first = number_in(folder, "start", 0);
    out->count = number_in(folder, "size", 0);
    end = strrchr(folder, '/');
    *end = '\0';
    block = number_in(folder, "queue/logical_block_size", SECTOR);
    out->first = out->first * SECTOR / block;
    out->count = out->count * SECTOR / block;
    out->is_removable = number_in(folder, "removable", 0) != 0;
    find_mount(root, device, out);
    disk = open(scratch_text("%s/dev/%s", root, strrchr(folder, '/') + 1),
                O_RDONLY | O_CLOEXEC);
    if (disk < 0)
        return false;
    bool good = read_table(disk, block, out);
    close(disk);
    return good;
}

static bool is_usual_place(const char *place)
{
    static const char *const places[] = { "/boot/efi", "/efi", "/boot" };

    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (strcmp(place, places[i]) == 0)
            return true;
    return false;
}

/* How good a choice it is: more is better, 0 is none. */
static int rank_of(const struct partition *one, const uint8_t *guid)
{
    int rank = is_usual_place(one->mounted) ? 3 : one->is_removable ? 1 : 2;

    if (!one->is_system)
        return 0;
    return rank + (guid && memcmp(one->guid, guid, GUID_SIZE) == 0 ? 4 : 0);
}

const char *esp_find(const char *root, const char *wanted, const uint8_t *guid,
                     struct partition *out)
{
    DIR *list = opendir(scratch_text("%s/sys/class/block", root));
    const char *names = "";
    int best = 1, count = 0;

    if (wanted && strrchr(wanted, '/'))
        wanted = strrchr(wanted, '/') + 1;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        struct partition one;

        if (entry->d_name[0] == '.' || (wanted && strcmp(wanted, entry->d_name) != 0) ||
            !read_partition(root, entry->d_name, &one))
            continue;
        int rank = rank_of(&one, guid);
        if (rank > best)
            count = 0, names = "";
        if (rank < best)
            continue;
        best = rank;
        count++;
        names = scratch_text("%s%s/dev/%s", names, *names ? ", " : "", one.name);
        *out = one;
    }
    if (list)
        closedir(list);
    if (count == 0)
        return wanted ? scratch_text("%s is no EFI system partition in a GPT", wanted)
                      : "no disk has an EFI system partition in a GPT";
    return count == 1 ? NULL
                      : scratch_text("there are several EFI system partitions, and none "
                                     "is mounted at /boot/efi, /efi or /boot: name one by "
                                     "--esp: %s",
                                     names);
}

/* Nobody else sees the mount, and the end of this process ends it, however it comes. */
static const char *mount_alone(const char *device)
{
    if (unshare(CLONE_NEWNS) == 0 &&
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
        mount(device, PRIVATE, "vfat", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0)
        return NULL;
    return scratch_text("%s cannot be mounted: %s", device, strerror(errno));
}

const char *esp_open(const char *root, const struct partition *esp, int *folder)
{
    const char *place = esp->mounted;

    if (!*place) {
        const char *wrong = mount_alone(scratch_text("%s/dev/%s", root, esp->name));

        if (wrong)
            return wrong;
        place = PRIVATE;
        root = "";
    }
    *folder = open(scratch_text("%s%s", root, place), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0)
        return scratch_text("%s: %s", place, strerror(errno));
    return NULL;
}
