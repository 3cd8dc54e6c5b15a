/*
 * Transfers in memory.
 */
#pragma once

#include <stdint.h>

#include "check.h"
#include "parsed.h"

/* Those from index `at` to before `end` of an array, as a source. */
struct transfer_list {
    struct source source;
    const struct transfer *of;
    uint64_t at, end, next;
};
struct transfer_list list_of(const struct transfer *, uint64_t at, uint64_t end);

/* Copies all that a source gives, from its beginning; list_free() frees the copy. */
struct transfer_list list_all(struct source *);
void list_free(struct transfer_list *);

/* A transfer in words; "nothing more" if its side had ended. */
char *side_text(const struct log_map *, bool ended, const struct transfer *);

/* The line of the log with the record that gave the transfer of this index, from 0. */
size_t line_of_transfer(struct recorded *, const struct run *, uint64_t index);
