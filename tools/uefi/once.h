/*
 * One boot of the image from the machine's own disk, through the firmware's BootNext.
 *
 * What is put there is found by its names alone, so that it can be removed after any
 * interruption: the folder EFI/everybranch of the ESP, and a boot entry with the
 * description "everybranch boot-once".  The image saves its logs in that folder.
 *
 * Functions that return a text return NULL, or in a sentence why they cannot.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "esp.h"

/* Who set BootNext; also ours is one that its writer had not finished. */
enum once_next { NEXT_IS_NONE, NEXT_IS_OURS, NEXT_IS_FOREIGN };

struct once {
    const char *root; /* the folder with Linux's /sys, /proc and /dev; "" for theirs */
    struct partition esp;
    int variables; /* efivarfs                              */
    int top;       /* the topmost folder of the ESP         */
    int entry;     /* the number of our boot entry; -1: none */
    enum once_next next;
    bool has_folder;
    unsigned first, last; /* numbers of the logs there; 0: no logs */
};

struct once_files {
    const uint8_t *image;
    size_t size;
    const char *config; /* the text of everybranch.cfg */
};

/* Finds what there is; changes nothing.  `esp` as for esp_find(). */
const char *once_open(struct once *, const char *root, const char *esp);

/* Puts the files there, for the next boot.  If it cannot, nothing of it stays. */
const char *once_install(struct once *, const struct once_files *);

/* Writes the logs, one after the other.  False: they cannot be read. */
bool once_read(const struct once *, FILE *out);

/* Removes all that is there, logs too. */
const char *once_remove(struct once *);
