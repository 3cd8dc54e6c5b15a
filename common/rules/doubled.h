/*
 * The doubled newest record of the Skylake family.
 *
 * On these processors the newest entry of the LBR stack is sometimes a copy of the one
 * before it: in 966 of 3,732 stacks that perf recorded on a Xeon 8173M (06_55), and nowhere
 * else in them.  llvm-bolt ignores such a copy (llvm/llvm-project#147971); no manual
 * mentions it.
 */
#pragma once

#include "check.h"
#include "method_facts.h"
#include "expected.h"

enum doubled {
    NOT_DOUBLED,
    DOUBLED_ADDED,   /* all records are there, and the newest one a second time        */
    DOUBLED_INSTEAD, /* the newest one is missing, and the one before is in its place  */
};

/*
 * Tells whether the records of an LBR stack of `depth` entries differ from the expected
 * ones in such a copy alone.  Both sources are oldest first and are rewound; `want` gives
 * at most `depth` records.  A stack deeper than any processor's is NOT_DOUBLED.
 */
enum doubled doubled_newest(struct source *got, struct source *want, uint64_t depth);

/* True if the method reads its records from a stack whose newest entry may be doubled. */
bool doubled_concerns(const struct method_facts *);

/*
 * doubled_newest() for all `records` of such a method, after their first difference was
 * found: they are a ring of `depth` entries, or a stream that ends with such a stack.
 */
enum doubled doubled_of(const struct method_facts *, const struct difference *,
                        struct source *got, struct source *want, uint64_t depth,
                        uint64_t records);
