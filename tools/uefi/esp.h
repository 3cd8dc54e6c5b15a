/*
 * The EFI system partition (ESP) of this machine: which one it is, as Linux and its
 * partition table (GPT) have it, and its files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUID_SIZE 16

/* What a boot entry says of a partition: UEFI Specification, "Hard Drive Media Device
 * Path". */
struct partition {
    char name[32];         /* "sda1"                          */
    char mounted[256];     /* where; "": nowhere              */
    uint32_t number;       /* in the table, from 1            */
    uint64_t first, count; /* in logical blocks of the disk   */
    uint8_t guid[GUID_SIZE];
    bool is_system; /* the table says that it is an ESP */
    bool is_removable;
};

/*
 * Finds the ESP beneath `root`, the folder with Linux's /sys, /proc and /dev ("" for
 * theirs): the partition `wanted`, as "/dev/sda1", if it is not NULL; else the one with
 * `guid`, if that is not NULL and it is there; else the one that is mounted where ESPs are;
 * else the only one, not counting removable disks.  NULL, or in a sentence why there is
 * none.
 */
const char *esp_find(const char *root, const char *wanted, const uint8_t *guid,
                     struct partition *out);

/*
 * Opens its topmost folder.  Where it is not mounted, this process alone sees it mounted,
 * and only as long as it lives.  NULL, or in a sentence why it cannot.
 */
const char *esp_open(const char *root, const struct partition *, int *folder);
