/*
 * once.h.  The order of the writes is what makes it safe: files, then the boot entry, then
 * BootNext; and they are removed the other way round.  BootOrder is never written, and an
 * entry that is not in it is never started by itself.
 */
#include "once.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "count_of.h"
#include "heap.h"
#include "efi_image.h"
#include "variables.h"

#define EFI_FOLDER "EFI"
#define OWN_FOLDER "EFI/everybranch"
#define LOG_FOLDER OWN_FOLDER "/logs"
#define IMAGE      OWN_FOLDER "/BOOTX64.EFI"
#define CONFIG     OWN_FOLDER "/everybranch.cfg"
#define UNFINISHED OWN_FOLDER "/unfinished.new" /* a file before it has its name */
#define LOG_SPACE  (8u << 20)                   /* bytes; a whole log has less   */

/* UEFI Specification, "EFI_LOAD_OPTION" and "Media Device Path"; GPT and its GUID are 2. */
#define LOAD_OPTION_ACTIVE 1u
#define PATH_MEDIA         4
#define PATH_DISK          1
#define PATH_FILE          4
#define PATH_END           0x7f
#define PATH_END_ENTIRE    0xff

struct path_node {
    uint8_t type, subtype;
    uint16_t size;
} __attribute__((packed));

static const uint16_t description[] = u"everybranch boot-once";
static const uint16_t image_path[] = u"\\EFI\\everybranch\\BOOTX64.EFI";

struct boot_entry {
    uint32_t attributes;
    uint16_t paths_size;
    uint16_t description[sizeof(description) / sizeof(uint16_t)];
    struct disk_node {
        struct path_node node;
        uint32_t number;
        uint64_t first, count;
        uint8_t guid[GUID_SIZE], format, signature;
    } __attribute__((packed)) disk;
    struct file_node {
        struct path_node node;
        uint16_t path[sizeof(image_path) / sizeof(uint16_t)];
    } __attribute__((packed)) file;
    struct path_node end;
} __attribute__((packed));
_Static_assert(sizeof(struct disk_node) == 42, "Hard Drive Media Device Path");

static struct boot_entry entry_for(const struct partition *esp)
{
    struct boot_entry entry = {
        .attributes = LOAD_OPTION_ACTIVE,
        .paths_size = sizeof(entry.disk) + sizeof(entry.file) + sizeof(entry.end),
        .disk = { .node = { PATH_MEDIA, PATH_DISK, sizeof(entry.disk) },
                  .number = esp->number,
                  .first = esp->first,
                  .count = esp->count,
                  .format = 2,
                  .signature = 2 },
        .file = { .node = { PATH_MEDIA, PATH_FILE, sizeof(entry.file) } },
        .end = { PATH_END, PATH_END_ENTIRE, sizeof(entry.end) },
    };

    memcpy(entry.description, description, sizeof(description));
    memcpy(entry.disk.guid, esp->guid, GUID_SIZE);
    memcpy(entry.file.path, image_path, sizeof(image_path));
    return entry;
}

static uint8_t value[VARIABLE_MOST]; /* of the variable that was read last */

/* Firmware may add to an entry, in its paths and after them. */
static const struct disk_node *disk_of_own(size_t size)
{
    static const struct path_node node = { PATH_MEDIA, PATH_DISK,
                                           sizeof(struct disk_node) };
    const struct boot_entry *entry = (const void *)value;
    const struct disk_node *disk;

    if (size < sizeof(*entry) ||
        memcmp(entry->description, description, sizeof(description)) != 0 ||
        !memmem(value, size, image_path, sizeof(image_path)))
        return NULL;
    disk = memmem(value, size - sizeof(*disk), &node, sizeof(node));
    return disk ? disk : &entry->disk;
}

static const char *name_of(unsigned number)
{
    return scratch_text("Boot%04X", number);
}

static bool exists[BOOT_NUMBERS];

/* Our entry of that number, up to the next variable that is read; NULL: it is not ours. */
static const struct disk_node *own_entry(const struct once *once, unsigned number)
{
    size_t size;

    if (variable_read(once->variables, name_of(number), value, &size) != VARIABLE_PRESENT)
        return NULL;
    return disk_of_own(size);
}

/* The first of our entries; NULL: there is none. */
static const struct disk_node *find_entry(struct once *once)
{
    const struct disk_node *disk = NULL;

    once->entry = -1;
    variables_of_boot(once->variables, exists);
    for (unsigned i = 0; i < BOOT_NUMBERS && !disk; i++)
        if (exists[i] && (disk = own_entry(once, i)))
            once->entry = (int)i;
    return disk;
}

static enum once_next read_next(const struct once *once)
{
    size_t size;
    enum variable_state state = variable_read(once->variables, "BootNext", value, &size);

    if (state != VARIABLE_PRESENT)
        return state == VARIABLE_EMPTY ? NEXT_IS_OURS : NEXT_IS_NONE;
    return size == 2 && own_entry(once, value[0] | (unsigned)value[1] << 8)
               ? NEXT_IS_OURS
               : NEXT_IS_FOREIGN;
}

/* The number in "0001.log", in capitals too, or 0. */
static unsigned log_number(const char *name)
{
    for (int i = 0; i < 4; i++)
        if (!isdigit((unsigned char)name[i]))
            return 0;
    return strcasecmp(name + 4, ".log") == 0 ? (unsigned)atoi(name) : 0;
}

static DIR *list_of(const struct once *once, const char *folder)
{
    int copy = openat(once->top, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    return copy < 0 ? NULL : fdopendir(copy);
}

static void find_files(struct once *once)
{
    DIR *list;

    once->has_folder = faccessat(once->top, OWN_FOLDER, F_OK, 0) == 0;
    once->first = once->last = 0;
    list = list_of(once, LOG_FOLDER);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        unsigned number = log_number(entry->d_name);

        if (number && (!once->first || number < once->first))
            once->first = number;
        once->last = number > once->last ? number : once->last;
    }
    if (list)
        closedir(list);
}

static const char *open_variables(struct once *once)
{
    const char *firmware = scratch_text("%s/sys/firmware/efi", once->root);
    const char *path = scratch_text("%s/efivars", firmware);

    if (access(firmware, F_OK) != 0)
        return "Linux was not started by UEFI firmware, so there is nothing that could "
               "start "
               "the image: want a stick (docs/hardware.md), or the firmware's legacy boot "
               "off";
    if (access(path, W_OK) != 0)
        return errno == EROFS ? scratch_text("%s is read-only: this firmware, or whoever "
                                             "mounted it, permits no change",
                                             path)
               : errno == EACCES
                   ? "this needs root, for the firmware's variables: sudo everybranch "
                     "boot-once"
                   : scratch_text("%s: %s", path, strerror(errno));
    once->variables = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    variables_of_boot(once->variables, exists);
    if (!memchr(exists, 1, sizeof(exists)))
        return scratch_text("%s has no boot entry: mount -t efivarfs efivarfs %s", path,
                            path);
    return NULL;
}

const char *once_open(struct once *once, const char *root, const char *esp)
{
    const struct disk_node *disk;
    const char *wrong;

    *once = (struct once){ .root = root };
    wrong = open_variables(once);
    if (wrong)
        return wrong;
    once->next = read_next(once);
    disk = find_entry(once);
    wrong = esp_find(root, esp, disk ? disk->guid : NULL, &once->esp);
    if (!wrong)
        wrong = esp_open(root, &once->esp, &once->top);
    if (wrong)
        return wrong;
    find_files(once);
    return NULL;
}

/* ---- removing ---- */

static const char *cannot(const char *what)
{
    return scratch_text("%s: %s", what, strerror(errno));
}

static const char *remove_variables(struct once *once)
{
    size_t size;

    if (once->next == NEXT_IS_OURS && !variable_remove(once->variables, "BootNext"))
        return cannot("BootNext cannot be removed");
    while (find_entry(once))
        if (!variable_remove(once->variables, name_of((unsigned)once->entry)))
            return cannot(name_of((unsigned)once->entry));
    for (unsigned i = 0; i < BOOT_NUMBERS; i++)
        if (exists[i] &&
            variable_read(once->variables, name_of(i), value, &size) == VARIABLE_EMPTY &&
            !variable_remove(once->variables, name_of(i)))
            return cannot(name_of(i));
    return NULL;
}

static const char *remove_logs(const struct once *once)
{
    DIR *list = list_of(once, LOG_FOLDER);

    for (struct dirent *entry; list && (entry = readdir(list));)
        if (log_number(entry->d_name)) {
            if (unlinkat(dirfd(list), entry->d_name, 0) != 0)
                break;
            rewinddir(list);
        }
    if (list)
        closedir(list);
    if (unlinkat(once->top, LOG_FOLDER, AT_REMOVEDIR) != 0 && errno != ENOENT)
        return cannot(LOG_FOLDER " cannot be removed");
    return NULL;
}

static const char *remove_files(const struct once *once)
{
    static const char *const files[] = { UNFINISHED, IMAGE, CONFIG };
    const char *wrong;

    for (size_t i = 0; i < COUNT_OF(files); i++)
        if (unlinkat(once->top, files[i], 0) != 0 && errno != ENOENT)
            return cannot(files[i]);
    wrong = remove_logs(once);
    if (!wrong && unlinkat(once->top, OWN_FOLDER, AT_REMOVEDIR) != 0 && errno != ENOENT)
        wrong = cannot(OWN_FOLDER " cannot be removed");
    syncfs(once->top);
    return wrong;
}

const char *once_remove(struct once *once)
{
    const char *wrong = remove_variables(once);

    return wrong || !once->has_folder ? wrong : remove_files(once);
}

/* ---- the logs ---- */

bool once_read(const struct once *once, FILE *out)
{
    for (unsigned i = once->first; i <= once->last; i++) {
        int copy = openat(once->top, scratch_text(LOG_FOLDER "/%04u.log", i),
                          O_RDONLY | O_CLOEXEC);
        FILE *log = copy < 0 ? NULL : fdopen(copy, "r");
        char bytes[4096];
        bool bad;

        if (!log && errno == ENOENT)
            continue;
        for (size_t got; log && (got = fread(bytes, 1, sizeof(bytes), log));)
            fwrite(bytes, 1, got, out);
        bad = !log || ferror(log);
        if (log)
            fclose(log);
        if (bad)
            return false;
    }
    return true;
}

/* ---- installing ---- */

static bool write_file(const struct once *once, const char *name, const void *bytes,
                       size_t size)
{
    int file =
        openat(once->top, UNFINISHED, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool good = file >= 0;

    for (size_t done = 0; good && done < size;) {
        ssize_t one = write(file, (const char *)bytes + done, size - done);

        good = one > 0;
        done += good ? (size_t)one : 0;
    }
    good = good && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return good && renameat(once->top, UNFINISHED, once->top, name) == 0;
}

/* A number that BootOrder has is started by itself, though no variable has it yet. */
static unsigned free_number(const struct once *once)
{
    size_t size;
    unsigned number = 0;

    variables_of_boot(once->variables, exists);
    if (variable_read(once->variables, "BootOrder", value, &size) == VARIABLE_PRESENT)
        for (size_t i = 0; i + 1 < size; i += 2)
            exists[value[i] | value[i + 1] << 8] = true;
    while (number < BOOT_NUMBERS - 1 && exists[number])
        number++;
    return number;
}

static const char *install(struct once *once, const struct once_files *files)
{
    const struct boot_entry entry = entry_for(&once->esp);
    uint8_t next[2];

    if (mkdirat(once->top, OWN_FOLDER, 0755) != 0 && errno != EEXIST)
        return cannot(OWN_FOLDER);
    once->has_folder = true;
    if (!write_file(once, CONFIG, files->config, strlen(files->config)))
        return cannot(CONFIG);
    if (!write_file(once, IMAGE, files->image, files->size))
        return cannot(IMAGE);
    if (syncfs(once->top) != 0)
        return cannot("the files are not safe on the disk");
    once->entry = (int)free_number(once);
    if (!variable_write(once->variables, name_of((unsigned)once->entry), &entry,
                        sizeof(entry)))
        return cannot("the firmware takes no boot entry");
    next[0] = (uint8_t)once->entry;
    next[1] = (uint8_t)(once->entry >> 8);
    if (!variable_write(once->variables, "BootNext", next, sizeof(next)))
        return cannot("the firmware takes no BootNext");
    once->next = NEXT_IS_OURS;
    return NULL;
}

static bool is_secure(const struct once *once)
{
    size_t size;

    return variable_read(once->variables, "SecureBoot", value, &size) == VARIABLE_PRESENT &&
           size && value[0] == 1;
}

/* Why it had better not be installed; nothing was changed yet. */
static const char *refusal(const struct once *once, const struct once_files *files)
{
    struct statvfs space;

    if (once->last)
        return "a log of an earlier boot-once is there: `everybranch boot-once --collect` "
               "judges "
               "it, and `--undo` removes it";
    if (once->next == NEXT_IS_FOREIGN)
        return "BootNext is set already, by another program: reboot first, or remove it";
    if (is_secure(once) && !efi_image_is_signed(files->image, files->size))
        return "Secure Boot is on and the image is not signed, so the firmware would not "
               "start "
               "it (docs/hardware.md)";
    if (faccessat(once->top, EFI_FOLDER, W_OK, 0) != 0)
        return cannot(
            scratch_text("the folder EFI of /dev/%s cannot be written to", once->esp.name));
    if (fstatvfs(once->top, &space) != 0 ||
        (uint64_t)space.f_bavail * space.f_frsize < files->size + LOG_SPACE)
        return scratch_text("/dev/%s has too little space: image and log want %zu KiB",
                            once->esp.name, (files->size + LOG_SPACE) >> 10);
    return NULL;
}

const char *once_install(struct once *once, const struct once_files *files)
{
    const char *wrong = refusal(once, files);

    if (wrong)
        return wrong;
    wrong = once_remove(once);
    if (!wrong)
        wrong = install(once, files);
    if (wrong)
        once_remove(once);
    return wrong;
}
