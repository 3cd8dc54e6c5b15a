/*
 * Counts deviations that real processors are known for and manuals do not mention.
 *
 * None of them is a failure, but they matter to anyone who reads such records with
 * another tool.
 */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "words.h"

void report_known(const struct log *log)
{
    uint64_t fused = 0, entries = 0;
    size_t stacks = 0, copies = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];

        fused += run->fused;
        entries += run->ran.wrong_path;
        stacks += run->method->ring_lbr && !run->skipped && run->records > 1;
        copies += run->method->ring_lbr && run_found_by(run, "lbr-doubled");
    }
    if (fused)
        printf("  %" PRIu64 " record%s ha%s as FROM the instruction fused with the branch, "
               "not the branch\n",
               fused, plural(fused), fused == 1 ? "s" : "ve");
    if (entries)
        printf("  %" PRIu64
               " entr%s of the LBR stack %s taken by branches on the wrong path\n",
               entries, entries == 1 ? "y" : "ies", entries == 1 ? "was" : "were");
    if (copies)
        printf("  %zu of %zu LBR stacks end with a copy of their newest record\n", copies,
               stacks);
}
