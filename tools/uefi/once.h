/*
 * The firmware's boot manager, as Linux shows it: our boot entry, BootNext, which names it
 * for the next boot alone, and the EFI system partition (ESP).  UEFI Specification, "Boot
 * Manager".
 *
 * Each function that returns a text returns NULL on success, or a sentence that says why it
 * failed.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>

#define ONCE_ENTRY  "Boot8664"        /* a number that no firmware is known to use */
#define ONCE_FOLDER "EFI/everybranch" /* of the image; boot/files.c has it too     */

struct once {
    char device[PATH_MAX]; /* of the ESP, "/dev/sda1"          */
    int top;               /* its root folder; it stays open until the program ends */
    bool is_gone;          /* our entry names a partition that is not there          */
};

/*
 * To be called first; refused while another process that called it lives.  The ESP is that
 * of our entry, if there is one; else the `device`, if it is not NULL; else the one from
 * which the firmware started Linux.  This process alone sees it mounted, and only as long
 * as it lives.  `root` is the folder with Linux's /sys and /dev, "" for its own; of another
 * one, its folder `esp` is the mounted partition.
 */
const char *once_open(struct once *, const char *root, const char *device);

bool once_is_secure(void); /* Secure Boot is on */

/* Our entry starts BOOTX64.EFI in ONCE_FOLDER.  once_remove_*() remove a variable only if
 * it is ours. */
bool once_has_entry(void);
const char *once_add_entry(void);
const char *once_remove_entry(void);
const char *once_add_next(void);
const char *once_remove_next(void);
