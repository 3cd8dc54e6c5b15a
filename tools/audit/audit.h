/*
 * A branch trace of another tool, compared with the code that ran: the state while it is
 * read, and what was found.
 *
 * The trace is read once and not kept, so memory grows with the programs, not with the
 * trace.  Of branches that were added up, each is kept once (edges.c).
 */
#pragma once

#include "image.h"
#include "maps.h"
#include "rules.h"
#include "walk.h"

#define EXAMPLES      3    /* that are kept of each flaw */
#define PIECE         1024 /* branches of a stream that are judged at a time */
#define CROSSINGS_MAX 8192 /* a power of two */

/* Tables that keep answers have as many slots; two numbers choose one. */
#define KEPT_BITS 14
#define KEPT_MAX  (1 << KEPT_BITS)
static inline size_t kept_slot(uint64_t a, uint64_t b)
{
    /* 2^64 over the golden ratio */
    return (a * 31 + b) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KEPT_BITS);
}

/* The kinds of branches that were recorded: the header or --branch-filter says so. */
struct recording {
    bool told;
    unsigned hidden; /* kinds without a record: 1 << KIND_... */
    bool user_only, kernel_only, call_stack;
};

/* A branch and what the code says of it. */
enum fit {
    BRANCH_GOOD,
    BRANCH_OUTSIDE, /* FROM is not in the given files            */
    BRANCH_EVENT,   /* an interrupt or exception came at FROM    */
    BRANCH_ABORT,   /* a transaction was aborted there           */
    BRANCH_BAD,     /* `flaw` says how                           */
};
struct judged {
    const struct traced_branch *branch;
    uint64_t from, to;    /* places                                          */
    uint64_t left, led;   /* the same, corrected if `flaw` says how          */
    uint8_t kind;         /* enum kind, of the instruction                   */
    uint8_t fit;          /* enum fit                                        */
    uint8_t flaw;         /* enum flaw, of BRANCH_BAD                        */
    int shift;            /* bytes from FROM to the branch, of FOUND_SHIFTED */
    bool returns_to_call; /* of RET: there is a call before TO               */
};

/* Records that are counted and not compared with the code. */
enum left_out {
    LEFT_KERNEL,    /* FROM is in the kernel...                                */
    LEFT_VDSO,      /* ...in [vdso]...                                         */
    LEFT_ELSEWHERE, /* ...in no given file...                                  */
    LEFT_UNNAMED,   /* ...a symbol that no file or more than one place has...  */
    LEFT_HIDDEN,    /* ...or the hardware hid it                               */
    LEFT_EVENTS,    /* interrupts and exceptions                               */
    LEFT_ABORTS,    /* aborts of transactions                                  */
    LEFT_OUT,
};

/* Branches that were added up, as a hash table, and ranges that are not straight. */
struct added_edges {
    struct added_edge {
        uint64_t from, to;    /* places                                          */
        uint64_t times, used; /* times 0: a free slot; used: copies of it so far */
    } * at;
    size_t count, capacity;
    struct added_range {
        uint64_t first, from, times; /* as printed */
        size_t line;
    } * broken;
    size_t broken_count, broken_capacity;
};

struct audit {
    const char *file;
    size_t line;
    struct images images;
    struct maps maps;
    struct recording recording;
    const struct model *model; /* NULL: not known                              */
    char *cpuid;               /* as the header has it, or NULL                */
    bool without_pid;          /* some stacks do not name their process          */
    bool oldest_first;         /* the stack at hand is a piece of a stream     */

    uint64_t stacks, records, edges, deepest;
    struct added_edges edges_kept;
    uint64_t left_out[LEFT_OUT];
    uint64_t broken_pairs;   /* without straight code between them, for any reason    */
    uint64_t pairs_filtered; /* neighbours with a branch between that is not recorded */
    uint64_t leaves_kernel;  /* records from ring 0 to ring 3                         */
    uint64_t of_kind[KIND_COUNT], missed_of_kind[KIND_COUNT];
    uint64_t opposite_impossible, opposite_unknown; /* of pairs that are in order */
    uint64_t copies_with_other_cycles;
    uint64_t after_plt;
    uint64_t blind_pairs, blind_near; /* without code; near: FROM follows TO closely */
    struct {
        uint64_t buffers, bytes, skipped; /* skipped: bytes before the first PSB        */
        uint64_t psbs, bits, targets, overflows; /* packets and TNT bits                */
        uint64_t not_taken; /* conditional branches that the walk passed                */
        uint64_t no_code;   /* how often the walk left the given files                  */
    } pt;                   /* of a Processor Trace; without one, all 0                 */

    uint64_t checked[RULES];
    struct found {
        uint64_t count;
        char *examples[EXAMPLES];
        size_t length; /* of the newest example */
    } found[FLAWS];

    struct {
        struct traced_branch
            at[PIECE]; /* the piece at hand, its oldest branch at the end */
        size_t count;  /* branches in it                                  */
        bool overlap;  /* the piece before had the oldest one             */
        uint32_t pid;
    } stream;
    struct judged judged[BRANCHES_MAX]; /* of the stack at hand */

    struct judged kept_branches[KEPT_MAX];
    struct kept_straight {
        uint64_t first, from;
        enum gap gap;
    } kept_straights[KEPT_MAX];
    struct kept_jump {
        uint64_t from, to; /* beginnings of functions */
        bool jumps;
    } kept_jumps[KEPT_MAX];
    struct crossing {
        uint64_t at; /* of the SYSCALL, if it is one; 0: a free slot */
        bool entered, returned;
    } crossings[CROSSINGS_MAX];
    size_t crossing_count;
};

#define NEAR_BYTES 4096

void audit_begin(struct audit *, const char *file);
void audit_free(struct audit *);

/* A stack, newest first, of that process (0: unknown). */
void audit_stack(struct audit *, uint32_t pid, const struct traced_branch *, size_t count);
/* The next branch of a stream, which comes oldest first. */
void audit_next(struct audit *, uint32_t pid, const struct traced_branch *);
/* The stream ends, or its next branch does not follow the last one. */
void audit_gap(struct audit *);
/* A branch without neighbours, and straight code without branches. */
void audit_edge(struct audit *, const struct traced_branch *);
void audit_straight(struct audit *, uint64_t first, uint64_t from, uint64_t times);
/* No more of them come: names what is wrong with the straight code. */
void audit_edges_end(struct audit *);
void audit_edges_free(struct added_edges *);

/*
 * header.c: the processor that recorded, and the filter.  "GenuineIntel,6,85,4": vendor,
 * family, model, stepping; unknown ones are no error.
 */
void header_cpuid(struct audit *, struct span);
/* An event's attributes: branch_sample_type, exclude_kernel, exclude_user. */
void header_event(struct audit *, struct span);
/* "any,u": as perf record -j takes it.  False: a word is unknown, and is in *wrong. */
bool header_branch_filter(struct audit *, const char *list, struct span *wrong);

/* branch.c: one branch. */
void judge_branch(struct audit *, uint32_t pid, const struct traced_branch *,
                  struct judged *out);
void count_branch(struct audit *, const struct judged *, size_t position);
bool is_plt(struct audit *, uint64_t place);

/* stack.c: one after the other. */
enum gap straight_between(struct audit *, uint64_t first, uint64_t from);
void judge_neighbours(struct audit *, size_t count);

/*
 * crossings.c: the places where user code entered the kernel, and to which the kernel
 * returned.  A system call returns to the instruction after SYSCALL, so its two places are
 * two bytes apart.  This needs no code, so it also works for traces without a program.
 */
void count_crossing(struct audit *, const struct judged *);
size_t crossings_paired(const struct audit *);

/* found.c: counts, and the first examples as text.  `times`: how many records. */
void found_branch(struct audit *, enum flaw, const struct judged *, size_t position,
                  uint64_t times);
void found_pair(struct audit *, enum flaw, const struct judged *older,
                const struct judged *newer, size_t position);
/* The same for packets: their offset in the file, their branch (or UINT64_MAX), and why. */
void found_in_stream(struct audit *, enum flaw, uint64_t offset, uint64_t from,
                     const char *why);
/* False if there is no program, or one that the trace names could not be opened. */
bool audit_compared(const struct audit *);
uint64_t broken_of(const struct audit *, enum audit_rule);
enum weight worst_found(const struct audit *);
