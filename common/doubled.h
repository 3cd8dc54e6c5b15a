/*
 * The doubled newest record of the Skylake family.
 *
 * On these processors the newest entry of the LBR stack is now and then a copy of the one
 * before it: in 966 of 3,732 stacks that perf recorded on a Xeon 8173M (06_55), and at no
 * other place in them.  Linux users work around it (llvm-bolt ignores such a copy); no
 * manual mentions it.
 */
#pragma once

#include "truth.h"

enum doubled {
    NOT_DOUBLED,
    DOUBLED_ADDED,   /* all records are there, and the newest one a second time        */
    DOUBLED_INSTEAD, /* the newest one is missing, and the one before is in its place  */
};

/*
 * Whether records of an LBR stack that has `depth` entries differ from the expected ones
 * in such a copy alone.  Both sources are oldest first and are rewound; `want` gives at
 * most `depth` records.  A stack deeper than any processor's is NOT_DOUBLED.
 */
enum doubled doubled_newest(struct source *got, struct source *want, uint64_t depth);
