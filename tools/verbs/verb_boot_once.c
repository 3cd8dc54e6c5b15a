/*
 * `boot-once`: boots the image once from this machine's disk, and judges the log that it
 * saved.
 *
 * Every file and variable has a fixed name, so `--undo` finds it after any interruption,
 * and the order of the writes makes them safe: the boot entry, the files, then BootNext;
 * they are removed the other way round.  So the entry is there as long as anything else is,
 * and says on which partition.  BootOrder is never written, and an entry that is not in it
 * is never started by itself.
 */
#include "verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "exit_code.h"
#include "heap.h"
#include "once.h"
#include "output.h"
#include "report.h"

#define LOG_FOLDER ONCE_FOLDER "/logs"
#define IMAGE      ONCE_FOLDER "/BOOTX64.EFI"
#define CONFIG     ONCE_FOLDER "/everybranch.cfg"

#define LOG_MOST    (8u << 20)  /* bytes for the log (chosen)            */
#define FILE_MOST   (64u << 20) /* bytes that are read of a log or image */
#define DEFAULT_LOG "boot-once.log"

/* The configuration begins with it. */
#define MARK "# written by `everybranch boot-once`\n"

static struct once once;

/* Prints why boot-once refuses, although the command line is right. */
static int refused(const char *why)
{
    fprintf(stderr, "everybranch boot-once: %s\n", why);
    return EXIT_UNUSABLE;
}

/* NULL: errno says why. */
static const uint8_t *read_file(int folder, const char *path, size_t *size)
{
    const int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    void *bytes = scratch_take(zeroed(1, FILE_MOST));
    const ssize_t got = file < 0 ? -1 : read(file, bytes, FILE_MOST);
    const int error = got == FILE_MOST ? EFBIG : errno;

    if (file >= 0)
        close(file);
    errno = error;
    *size = (size_t)got;
    return got < 0 || got == FILE_MOST ? NULL : bytes;
}

/* ---- removing ---- */

/* The path of the newest log, or NULL.  The image numbers its logs from 1. */
static const char *find_log(void)
{
    const char *newest = NULL;

    for (unsigned number = 1;; number++) {
        const char *log = scratch_text(LOG_FOLDER "/%04u.log", number);

        if (faccessat(once.top, log, F_OK, 0) != 0)
            return newest;
        newest = log;
    }
}

/* fsync() also empties the disk's own cache. */
static bool is_on_disk(void)
{
    return syncfs(once.top) == 0 && fsync(once.top) == 0;
}

/* True if it is not there any more. */
static bool removed(const char *path, int flag)
{
    return unlinkat(once.top, path, flag) == 0 || errno == ENOENT;
}

/* True if the folder is boot-once's: without the entry, its configuration says so. */
static bool is_own_folder(void)
{
    size_t size;
    const uint8_t *config;

    if (once_has_entry())
        return true;
    config = read_file(once.top, CONFIG, &size);
    return config && size >= sizeof(MARK) - 1 &&
           memcmp(config, MARK, sizeof(MARK) - 1) == 0;
}

static const char *remove_all(void)
{
    const char *wrong = once_remove_next();
    bool good = true;

    if (wrong || !is_own_folder())
        return wrong;
    for (const char *log; good && (log = find_log());)
        good = removed(log, 0);
    if (!good || !removed(LOG_FOLDER, AT_REMOVEDIR) || !removed(IMAGE, 0) ||
        !removed(CONFIG, 0) || !removed(ONCE_FOLDER, AT_REMOVEDIR) || !is_on_disk())
        return scratch_text(ONCE_FOLDER " on %s cannot be removed: %s", once.device,
                            strerror(errno));
    return once_remove_entry();
}

/* ---- installing ---- */

/* Returns the image of a release if there is one, else the one beside this program. */
static const char *default_image(void)
{
    char program[PATH_MAX];
    const char *folder = realpath("/proc/self/exe", program) ? dirname(program) : ".";
    const char *beside = scratch_text("%s/BOOTX64.EFI", folder);
    const char *released = scratch_text("%s/../share/everybranch/BOOTX64.EFI", folder);

    return access(released, F_OK) == 0 ? released : beside;
}

#define PE_AT           0x3c       /* where the DOS header says where the PE header is  */
#define CERTIFICATES_AT (24 + 148) /* from there, in PE32+: the size of the fifth table */

/* True if the image has certificates, whoever signed it.  Microsoft, "PE Format". */
static bool is_signed(const uint8_t *image, size_t size)
{
    uint32_t at = 0, certificates = 0;

    if (size > PE_AT + sizeof(at))
        memcpy(&at, image + PE_AT, sizeof(at));
    if (size > (uint64_t)at + CERTIFICATES_AT + sizeof(certificates))
        memcpy(&certificates, image + at + CERTIFICATES_AT, sizeof(certificates));
    return certificates != 0;
}

/* Returns why the image must not be installed, or NULL.  Nothing has been changed yet. */
static const char *refusal(const uint8_t *image, size_t size)
{
    struct statvfs space;

    if (size < 2 || memcmp(image, "MZ", 2) != 0)
        return "the file of --image= is no UEFI program";
    if (once_is_secure() && !is_signed(image, size))
        return "Secure Boot is on and the image is not signed, so the firmware would not "
               "start it (docs/hardware.md)";
    if (!is_own_folder() && faccessat(once.top, ONCE_FOLDER, F_OK, 0) == 0)
        return scratch_text(ONCE_FOLDER " on %s was not written by boot-once: move it away "
                                        "first",
                            once.device);
    if (find_log())
        return "the log of an earlier boot-once is there: `everybranch boot-once "
               "--collect` judges it, and `--undo` removes it";
    if (fstatvfs(once.top, &space) == 0 &&
        (uint64_t)space.f_bavail * space.f_frsize < size + LOG_MOST)
        return scratch_text("%s has too little space: image and log want %zu KiB",
                            once.device, (size + LOG_MOST) >> 10);
    return NULL;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    const int file = openat(once.top, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    bool whole;

    if (file < 0)
        return false;
    errno = ENOSPC; /* a short write sets none */
    whole = write(file, bytes, size) == (ssize_t)size;
    return close(file) == 0 && whole;
}

static const char *add_all(const uint8_t *image, size_t size, const char *config)
{
    const char *wrong = once_add_entry();

    if (wrong)
        return wrong;
    if (mkdirat(once.top, ONCE_FOLDER, 0755) != 0 ||
        !write_file(CONFIG, config, strlen(config)) || !write_file(IMAGE, image, size) ||
        !is_on_disk())
        return scratch_text(ONCE_FOLDER " on %s cannot be written: %s", once.device,
                            strerror(errno));
    return once_add_next();
}

static int install(const struct given *given)
{
    const char *config = MARK "exit=reset\n", *wrong;
    const char *name = given_value(given, "image");
    const uint8_t *image;
    size_t size;

    for (size_t i = 0; i < given->count; i++)
        config = scratch_text("%s%s\n", config, given->operands[i]);
    if (strstr(config, "\nexit-boot-services\n"))
        return refused("exit-boot-services ends the firmware, which then saves no log");
    name = name ? name : default_image();
    image = read_file(AT_FDCWD, name, &size);
    if (!image)
        return given_wrong(given, "%s: %s: --image= names the image, BOOTX64.EFI", name,
                           strerror(errno));
    wrong = refusal(image, size);
    if (!wrong)
        wrong = remove_all();
    if (wrong)
        return refused(wrong);
    wrong = add_all(image, size, config);
    if (wrong) {
        remove_all();
        return refused(wrong);
    }
    printf("The next boot starts the image, once, from " ONCE_FOLDER " on %s.\n"
           "Now reboot; then `everybranch boot-once --collect` judges the log and removes "
           "all that was put there; `--undo` removes it at any time.\n",
           once.device);
    return EXIT_AS_EXPECTED;
}

/* ---- afterwards ---- */

static int collect(const struct given *given)
{
    const char *output = given_value(given, "output"), *log = find_log(), *wrong;
    const uint8_t *text;
    size_t size;
    int code;

    if (!log || !is_own_folder())
        return refused(
            "there is no log: reboot first.  If you did, either the firmware did "
            "not start the image or the image could not save its log; `--undo` "
            "removes the files");
    text = read_file(once.top, log, &size);
    if (!text)
        return refused(scratch_text("%s on %s: %s", log, once.device, strerror(errno)));
    output = output ? output : DEFAULT_LOG;
    if (!output_new(output, text, size))
        return EXIT_UNUSABLE;
    sync(); /* so that a power cut leaves one of the two */
    wrong = remove_all();
    code = check_file(output);
    return wrong ? refused(wrong) : code;
}

/* Without the partition there is only the entry, and BootNext. */
static int undo(void)
{
    const char *wrong = once.is_gone ? once_remove_next() : remove_all();

    if (!wrong && once.is_gone)
        wrong = once_remove_entry();
    if (wrong)
        return refused(wrong);
    printf("Nothing of boot-once is there any more.\n");
    return EXIT_AS_EXPECTED;
}

static int verb_boot_once(const struct given *given)
{
    const bool collects = given_has(given, "collect"), undoes = given_has(given, "undo");
    const char *root = given_value(given, "root"), *wrong;

    if (collects + undoes + (given->count > 0) > 1)
        return given_wrong(given, "--collect, --undo and boot options exclude each other");
    if (given_has(given, "output") && !collects)
        return given_wrong(given, "-o goes with --collect, which writes the log");
    if (!options_right(given))
        return EXIT_UNUSABLE;
    wrong = once_open(&once, root ? root : "", given_value(given, "esp"));
    if (wrong && !(undoes && once.is_gone))
        return refused(wrong);
    return collects ? collect(given) : undoes ? undo() : install(given);
}

VERB(boot_once) = {
    .name = "boot-once",
    .operands = "[BOOT-OPTION...]",
    .about = "boot the image once from this machine's disk; judge its log",
    .more = "For root, on a machine with UEFI firmware.  The image goes into the folder "
            "EFI/everybranch of the EFI system partition, with these options of a boot "
            "(`everybranch options`), and BootNext names it for the next boot alone.  "
            "After that boot --collect writes the log to a file, removes all that was put "
            "there, and reports as `check` does.",
    .examples = "boot-once\nboot-once workload=loop,wt method=lbr,bts\n"
                "boot-once --collect -o my.log",
    .run = verb_boot_once,
    .most = 99,
    .options = {
        { .name = "collect", .about = "after the boot: take the log, and judge it" },
        { .name = "undo", .about = "remove all that was put there, a log too" },
        { .name = "image", .value = "FILE",
          .about = "the image; by default that of the release, or BOOTX64.EFI beside this program" },
        { .name = "esp", .value = "DEVICE",
          .about = "the EFI system partition, if Linux was not started from it" },
        OUTPUT_OPTION("write the log to FILE, not " DEFAULT_LOG),
        { .name = "root", .value = "FOLDER",
          .about = "a folder in the place of /, with the ESP as its folder esp" },
    },
};
