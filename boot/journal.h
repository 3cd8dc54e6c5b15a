/*
 * The log's file: logs\0001.log and up in the program's folder, a new one for each boot,
 * which grows with the log.
 */
#pragma once

#include <efi.h>

#include <stdbool.h>
#include <stddef.h>

/*
 * Begins the file with the next number.  Where it cannot, journal_save says why, and
 * nothing is lost but the file.
 */
void journal_open(EFI_FILE_HANDLE root);

/* As "0001.log"; "" without a file. */
const char *journal_name(void);

/*
 * Adds what the log has got since the last time.  NULL, or in words why it is not saved:
 * now and for good, and what was saved of it is deleted.
 */
const char *journal_save(const char *log, size_t size);

/* The logs before this one, newest first, until one is taken; not all of a long row. */
void journal_recall(bool (*take)(const char *name, const char *log, size_t size));

void journal_close(void);

/* Closes it without a file, as if this boot had not been. */
void journal_abandon(void);
