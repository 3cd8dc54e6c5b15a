// LINK: workloads everybranch
#include "tools/judge/retired.c"

#include "traced_rows.h"
#include "traces.h"

/* retires = what the trace above retires, on the code above */
VERB(retires)
{
    struct retired all;

    traced(&t, "pmi", code_bytes, code_size);
    t.own.stubs = run_stubs;
    t.own.stub_count = 1;
    t.own.expect = trace_rows;
    t.own.rows = trace_count;
    all = retired_of(&t.log, &t.run);
    row_say("insns %d branches %d not-taken %d", (int)all.insns, (int)all.branches,
            (int)all.not_taken);
    row_say(all.known ? "" : " unknown");
}
