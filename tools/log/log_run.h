/*
 * A run: what its lines say of it, on which processor it was, and what the judge found.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hit.h"
#include "filter.h"
#include "findings.h"
#include "info.h"
#include "lines.h"
#include "log.h"
#include "method_facts.h"
#include "loaded.h"
#include "pmu.h"
#include "records.h"
#include "skip_code.h"
#include "span.h"
#include "verdict.h"

struct cpu_part;
struct log;

/* What a last-branch record says beside FROM and TO, and in which line. */
struct logged_info {
    struct info info;
    size_t line;
};

struct run {
    const struct method_facts *method;
    const struct loaded *workload;
    uint32_t filter;
    bool filtered;                 /* its plan has filters, if only none */
    size_t number, line, end_line; /* lines of `run` or `skip`, and of `ran` */
    const struct cpu_part *cpu;    /* the processor that it was on */
    size_t processor,
        round_line; /* of several; round_line: the line `round` before it, or 0 */
    size_t round;   /* a plan may say all its runs several times, each time is one */
    bool skipped;
    enum skip_code skip; /* if it is skipped */
    struct span skip_of; /* what that reason is about, if it is about any */
    struct span reason;  /* as in the log     */

    uint64_t capacity;
    struct run_lines *lines; /* the records as logged, or NULL: it has none */
    uint64_t records;        /* of packets: 0, until the run is judged */
    struct run_line asked;
    struct ran_line ran;
    uint64_t crashed_at; /* ran.at, as an address */
    uint32_t info;       /* words that stand beside its records, as INFO_HAS; 0: none */
    struct logged_info *infos;
    size_t info_count, info_capacity;
    size_t bytes; /* on the wire */

    bool damaged; /* lines of it are lost */
    bool judged;
    bool right; /* established: its records are all there, and as expected */
    struct run_findings findings;
    /* The worst finding's; the judge alone sets them (severity.c). */
    enum verdict verdict;
    size_t where; /* with why, unless PASS */
    const char *why;
    const struct context *context; /* the records around a difference, or NULL */
    uint64_t branches;             /* that it showed */
    uint64_t fused;         /* records whose FROM was the instruction fused with theirs */
    uint64_t *fused_from;   /* by offset of its branch, if that is further; or NULL */
    uint64_t ended_early;   /* REPE and REPNE with fewer stops than their count */
    uint64_t hidden;        /* entries of its interrupts among the records of handlers */
    uint64_t hidden_iretqs; /* the same of their IRETQs */
    uint64_t gaps;          /* records without ends, which mark missing records */
    uint64_t gaps_of_iretq; /* ...each of which may hide one IRETQ of an interrupt */
    enum { REST_ANY, REST_KEPT, REST_GONE } rest; /* of branch sampling's last segment */
    unsigned rings;        /* that BTS may have filtered it by: RING_DECIDES(); 0: any */
    uint64_t branches_run; /* branches that ran, if it held only some; 0: it held all */
    struct cost_line cost; /* of the same run; not there: it was made once */
};

static inline bool run_was_hit(const struct run *run)
{
    return hit_by_any(run->ran.smis, run->ran.nmis);
}

/* Entries of its stack or ring that keep records: those of the wrong path keep none. */
static inline uint64_t run_capacity(const struct run *run)
{
    return ran_capacity(&run->ran, run->capacity);
}

/* True if older records gave way to newer ones, or to entries of the wrong path. */
static inline bool run_is_full(const struct run *run)
{
    return method_is_ring(run->method) && run->records >= run_capacity(run);
}

const char *filter_words(uint32_t filter);     /* lives until the next one             */
const char *filter_suffix(const struct run *); /* " filter=jcc", "" without; the same  */
size_t filters_of(const struct log *);         /* of the plan, none counted as one     */
size_t plan_once(const struct log *);          /* runs of the plan, if made once */
struct record_filter run_record_filter(const struct run *);

/* True if the platform's TF counts as it was before SYSCALL and SYSRET. */
bool run_has_tf_before(const struct run *);
char *processor_text(const struct log *, const struct run *); /* " processor 3", or ""  */
char *skip_sentence(const struct run *);                      /* of one that is skipped */

/* What its counter counts, or NULL. */
const struct pmu_event *counted_event(const struct run *);
/* True if it is the probe's event, which counts taken branches alone; and if that counted
 * some of the probe. */
bool counts_taken(const struct run *);
bool counted_in_probe(const struct run *);

size_t processors_of(const struct log *); /* that each round has a run of: 1 at least */

/* What the log says of a processor; identical ones share what it says of the first. */
const struct cpu_part *cpu_of(const struct log *, size_t processor);
struct cpu_part *cpu_being_read(struct log *); /* of the line that is being read */
const char *row_name(const struct cpu_part *); /* of its model; "unknown" without one */

/* The runs of a round that began and ended, from its first one on. */
size_t runs_made_in_round(const struct log *, size_t first);
