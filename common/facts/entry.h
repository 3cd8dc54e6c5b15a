/*
 * Converts raw records of the hardware to branches: the registers of a last-branch entry,
 * and the records that the processor stores for BTS.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "model.h"

/*
 * Decodes one last-branch entry; a packed entry is in `from` alone.  `from_flags` comes
 * from entry_from_flags() for the processor at hand.  Returns false if the entry holds no
 * branch: never written, or speculative and on the wrong path (AMD).
 */
bool entry_decode(const struct lbr_layout *, uint8_t from_flags, uint64_t from, uint64_t to,
                  struct branch *out);

/*
 * Which entry, from 0, holds the record that is `age` records older than the newest.
 * `tos`: what the register of that name holds, if the layout has one.  Stray bits can stand
 * above the pointer (Core 2): only the width that `depth` needs counts.
 */
uint32_t entry_of_age(const struct lbr_layout *, size_t depth, uint64_t tos, uint32_t age);

/* The MSRs of an entry. */
uint32_t entry_from_msr(const struct lbr_layout *, uint32_t index);
uint32_t entry_to_msr(const struct lbr_layout *, uint32_t index);

/* An address whose bits from `bits` on read as something else than its sign. */
uint64_t entry_sign_extended(uint64_t address, unsigned bits);

/*
 * True if the TO register of an entry says that the processor used it for a branch on the
 * wrong path, or marks it as bogus: the entry holds no record, but took a record's place
 * (AMD64 APM vol. 2, "Last Branch Stack Registers"; erratum 1452).
 */
bool entry_is_wrong_path(const struct lbr_layout *, uint64_t to);

/* entry_decode() for the last exception record, which is a pair on every processor. */
bool entry_decode_ler(const struct model *, uint8_t from_flags, uint64_t from, uint64_t to,
                      struct branch *out);

/*
 * Returns how many bits at the top of FROM are flags.  IA32_PERF_CAPABILITIES.LBR_FMT
 * (`format`, 0 if absent) decides, unless the row overrides it.
 */
uint8_t entry_from_flags(const struct lbr_layout *, uint8_t format);
