/*
 * `boot-once`: boots the image once from this machine's disk, and judges the log that it
 * saved.
 */
#include "verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit_code.h"
#include "heap.h"
#include "efi_image.h"
#include "once.h"
#include "output.h"
#include "report.h"

#define IMAGE_MOST  (64u << 20) /* bytes */
#define DEFAULT_LOG "boot-once.log"

/* As given_wrong(), of what is no mistake of the command line. */
static int refused(const char *why)
{
    fprintf(stderr, "everybranch boot-once: %s\n", why);
    return EXIT_UNUSABLE;
}

/* Beside this program, or where a release has it; to be shown if there is none. */
static const char *default_image(void)
{
    char folder[PATH_MAX], *end;
    ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
    const char *beside, *released;

    folder[length > 0 ? length : 0] = '\0';
    end = strrchr(folder, '/');
    if (end)
        end[1] = '\0';
    beside = scratch_text("%sBOOTX64.EFI", folder);
    released = scratch_text("%s../share/everybranch/BOOTX64.EFI", folder);
    return access(beside, F_OK) != 0 && access(released, F_OK) == 0 ? released : beside;
}

/* False after saying what is wrong with it. */
static bool read_image(const struct given *given, struct once_files *files)
{
    const char *name = given_value(given, "image");
    uint8_t *bytes = zeroed(1, IMAGE_MOST);
    FILE *file;

    name = name ? name : default_image();
    file = fopen(name, "rb");
    if (file) {
        files->size = fread(bytes, 1, IMAGE_MOST, file);
        fclose(file);
    }
    files->image = bytes;
    if (!file)
        given_wrong(given, "%s: %s: --image= names the image, BOOTX64.EFI", name,
                    strerror(errno));
    else if (!efi_image_is_program(bytes, files->size))
        given_wrong(given, "%s is no UEFI program of x86-64", name);
    else
        return true;
    return false;
}

/* Without the reset some firmware would wait in its menu. */
static const char *config_of(const struct given *given)
{
    const char *text = "# written by `everybranch boot-once`\nexit=reset\n";

    for (size_t i = 0; i < given->count; i++)
        text = scratch_text("%s%s\n", text, given->operands[i]);
    return text;
}

static bool keeps_no_log(const struct given *given)
{
    for (size_t i = 0; i < given->count; i++)
        if (strcmp(given->operands[i], "exit-boot-services") == 0)
            return true;
    return false;
}

static int install(const struct given *given, struct once *once)
{
    struct once_files files = { .config = config_of(given) };
    const char *wrong;

    if (!read_image(given, &files))
        return EXIT_UNUSABLE;
    wrong = once_install(once, &files);
    if (wrong)
        return refused(wrong);
    printf(
        "The next boot starts the image, once, from EFI/everybranch on /dev/%s "
        "(Boot%04X).\n"
        "Now reboot; then `everybranch boot-once --collect` judges the log and removes all "
        "that was put there.\n"
        "`everybranch boot-once --undo` removes it at any time.\n",
        once->esp.name, (unsigned)once->entry);
    return EXIT_AS_EXPECTED;
}

/* Writes the log where a power cut does not reach it any more. */
static bool save(const struct given *given, const struct once *once, const char *name)
{
    struct collected text;
    bool good;
    int file;

    collect_begin(&text);
    good = once_read(once, text.file);
    collect_end(&text);
    if (!good)
        given_wrong(given, "a log on /dev/%s cannot be read; it stays there",
                    once->esp.name);
    good = good && output_new(name, text.bytes, text.size);
    free(text.bytes);
    file = good ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    good = file >= 0 && syncfs(file) == 0;
    if (file >= 0)
        close(file);
    return good;
}

static int collect(const struct given *given, struct once *once)
{
    const char *name = given_value(given, "output");
    const char *wrong;
    int code;

    name = name ? name : DEFAULT_LOG;
    if (!once->last)
        return given_wrong(
            given, "%s",
            once->next == NEXT_IS_OURS ? "there is no log yet: reboot first"
            : once->has_folder
                ? "there is no log: the firmware did not start the image, or could "
                  "not write; `everybranch boot-once --undo` removes it"
                : "there is nothing to collect");
    if (!save(given, once, name))
        return EXIT_UNUSABLE;
    wrong = once_remove(once);
    code = check_file(name);
    return wrong ? refused(wrong) : code;
}

static int undo(struct once *once)
{
    const bool had_log = once->last;
    const char *wrong = once_remove(once);

    if (wrong)
        return refused(wrong);
    printf("Nothing of boot-once is there any more%s.\n",
           had_log ? ", nor its log, which was not collected" : "");
    return EXIT_AS_EXPECTED;
}

static int verb_boot_once(const struct given *given)
{
    const bool collects = given_has(given, "collect"), undoes = given_has(given, "undo");
    const char *root = given_value(given, "root");
    struct once once;
    const char *wrong;

    if (collects && undoes)
        return given_wrong(given, "--collect and --undo exclude each other");
    if (given->count && (collects || undoes))
        return given_wrong(given,
                           "%s: options of a boot go with neither --collect nor --undo",
                           given->operands[0]);
    if (!options_right(given))
        return EXIT_UNUSABLE;
    if (keeps_no_log(given))
        return given_wrong(given,
                           "exit-boot-services ends the firmware, which could then save "
                           "no log");
    wrong = once_open(&once, root ? root : "", given_value(given, "esp"));
    if (wrong)
        return refused(wrong);
    return collects ? collect(given, &once) : undoes ? undo(&once) : install(given, &once);
}

VERB(boot_once) = {
    .name = "boot-once",
    .operands = "[BOOT-OPTION...]",
    .about = "boot the image once from this machine's disk; judge its log",
    .more = "For root, on a machine with UEFI firmware.  The image goes into the folder "
            "EFI/everybranch of the EFI system partition, with these options of a boot "
            "(`everybranch options`), and BootNext names it for the next boot alone; BootOrder "
            "stays as it is.  After that boot --collect writes the log to a file, removes all "
            "that was put there, and reports as `check` does.",
    .examples = "boot-once\nboot-once workload=loop,wt method=lbr,bts\nboot-once --collect -o "
                "my.log",
    .run = verb_boot_once,
    .most = 99,
    .options = {
        { .name = "collect", .about = "after the boot: take the log, and judge it" },
        { .name = "undo", .about = "remove all that was put there, a log too" },
        { .name = "image", .value = "FILE",
          .about = "the image: otherwise BOOTX64.EFI beside this program" },
        { .name = "esp", .value = "DEVICE",
          .about = "the EFI system partition, where there are several" },
        OUTPUT_OPTION("write the log to FILE, not " DEFAULT_LOG),
        { .name = "root", .value = "FOLDER",
          .about = "a folder with the /sys, /proc, /dev and mounts of that machine" },
    },
};
