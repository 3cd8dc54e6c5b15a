/*
 * The host program: a log is read, parsed, judged and reported.  Its folders see only
 * what stands before them: base, log, trace, judge, verbs.
 *
 *      bytes.c   a file or a pipe -> bytes
 *      read.c    bytes -> lines, whole and in order (the trailers)
 *      line.c    a line -> its fields
 *      parse*.c  fields -> struct log; base64.c; leaves.c: a processor's lines against it
 *      place.c   the words for where a branch begins and ends
 *      items.c   the lines of records, again and again; unfold.c: records out of those
 *      code.c, walk.c    records and code -> the instructions that ran
 *      calltree.c        who called whom; functions.c, wt.c: in how many instructions;
 *                chains.c: summed up; tally.c: pieces, counted
 *      blocks.c, nest.c  what ran, cut where branches lead, and loops folded; listing.c,
 *                disassembly.c, show.c: for people to read; tail.c: as it comes
 *      symbols.c, elf_file.c, sources.c    names, lines and sources
 *      select.c  which run a verb looks at; pager.c
 *      events.c  where the truth of a workload has handlers
 *      judge*.c  a run against its truth; ending.c: how it ended
 *      follow.c  every step from the one before; rounds.c: of repeated instructions
 *      facilities.c    what belongs to no single run
 *      filtered.c      filters in words, and in the names of runs
 *      interrupts.c    whether the interrupts that emptied a buffer fit its records
 *      context.c the records around a difference
 *      infos.c   what last-branch records say beside FROM and TO
 *      retired.c       how many instructions and branches a workload runs
 *      counted.c       whether those of a counter fit what it counted
 *      doubt.c   which rule, not confirmed, a record rests on; beyond.c: what is behind it
 *      cross.c   two methods against each other
 *      report.c, machine.c    what was found, for people and for programs
 *      diff_runs.c   the runs of two logs against each other
 *      profile.c, cfg.c, cfg_dot.c, graphviz.c    what ran how often, as blocks and the
 *                ways between them; as a picture
 *      canonical.c, diff.c, submit.c, corpus.c, expect.c, models.c, lists.c, bundle.c
 *                the other verbs
 *      coverage.c, cost.c, export*.c    further verbs; verb_*.c: their command lines
 *      processors.c    of several processors: which is which, whose row holds
 *      page.c, page_*.c, html.c    `report`: a page for a browser
 *      verbs.c   the table of the verbs; options.c reads a command line by it, help.c,
 *                manual.c and complete.c are made of it
 *      json.c, json_log.c    any result as JSON; escape.c
 *      progress.c, terminal.c    for who watches
 *
 * Nothing here believes the log: it holds no verdict, and what it says of code and
 * labels is held against this program's own copy of the workloads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "branch.h"
#include "check.h"
#include "fold.h"
#include "log.h"
#include "model.h"
#include "platform.h"
#include "pmu.h"
#include "limit.h"
#include "view.h"
#include "workload.h"

#include "count_of.h"
#include "heap.h"
#include "span.h"
#include "verdict.h"

#define LOG_BYTES_MAX \
    (64u << 20) /* of one that comes bit by bit; a default run's has 0.6 MB */
#define RUN_RECORDS_MAX (1ull << 27) /* unfolded; the longest workload makes 2^20 */
#define METHODS_MAX     64           /* in a plan                                 */

/* One line of records, as it stands in the log. */
struct item {
    struct branch branch;
    uint64_t packed; /* `times` records in so many bytes; else 0   */
    uint64_t run;    /* ...which are those of this run; 0: they follow */
    uint32_t again;  /* records that are repeated; 0: `branch` is */
    uint64_t times;
    size_t line;
};

/* A workload that the log brings along: it was loaded from the stick. */
struct brought {
    struct workload workload; /* points into bytes, once they are whole */
    uint8_t *bytes;
    size_t size, room, line;
    struct span file, wrong; /* wrong: why the kernel did not load it, else empty */
};

/* A workload as it lay in the machine's memory. */
struct placed {
    const struct workload *own; /* this program's copy, or what the log brought */
    bool is_brought;
    uint64_t at;
    size_t line, code, labels; /* bytes and labels that the log has given so far */
};

/* Of a method that is interrupted, by its buffer or by a counter: how, and what came of it.
 */
struct drained {
    uint64_t buffer, threshold;    /* records */
    uint64_t event, umask, period; /* of a counter; period: events           */
    bool nmi;
    uint64_t counted;              /* by the counter, of the workload                */
    uint64_t entries, returns;     /* the interrupts' own records, which were taken out */
    uint64_t skid, most, unmasked; /* skid: records behind the threshold, of all     */
    bool tells_late;               /* or else these two are not known                */
};

struct context;

/* What a last-branch record says beside FROM and TO, and in which line. */
struct told_info {
    struct info info;
    size_t line;
};

struct run {
    const struct method_view *method;
    const struct placed *workload;
    uint32_t filter;
    bool filtered;                 /* its plan has filters, if only none */
    size_t number, line, end_line; /* lines of `run` or `skip`, and of `ran` */
    size_t processor, turn;        /* of several; turn: the line `round` before it, or 0 */
    uint64_t armed, open; /* recorders and windows of all of them during this one      */
    size_t round;         /* a plan may say all its runs several times, each time is one */
    bool skipped;
    struct span reason;

    uint64_t room;
    size_t items_at, items_line, item_count; /* where its items begin, how many there are */
    uint64_t packed, packed_so_far;          /* bytes of a packed run: promised, got    */
    bool whole; /* ...and all its records were seen to unpack           */
    uint64_t records, events, lost, ticks, vector, crashed_at, result;
    bool has_result;
    enum outcome outcome;
    struct drained drained;
    uint32_t info; /* words that stand beside its records, as INFO_HAS; 0: none */
    struct told_info *infos;
    size_t info_count, info_room;
    size_t bytes; /* on the wire */

    enum verdict verdict; /* with why and where, unless PASS */
    size_t where;
    char *why;
    struct context *context; /* the records around a difference, or NULL */
    uint64_t branches;       /* that it showed */
    struct {
        uint64_t asked, made, least, most;
        size_t line;
    } repeats; /* of the same run, in ticks; line 0: it was made once */
};

/* What one leaf of CPUID said: eax, ebx, ecx, edx. */
struct leaf {
    uint32_t number, subleaf, registers[4];
    size_t line;
};

struct facility_found {
    enum finding finding;
    struct span evidence;
    size_t line;
    enum finding other; /* found later by another command, if other_line */
    size_t other_line;
};

/* What a log says of a processor and of what was found on it. */
struct cpu_part {
    struct span brand, hypervisor, microcode;
    struct cpu_id id;
    uint64_t signature;
    struct leaf *leaves;
    size_t leaf_count, leaf_room;
    const struct model *row; /* NULL: unknown */
    size_t lbr_depth;
    bool no_bts;                     /* IA32_MISC_ENABLE says so */
    const struct platform *platform; /* judge() finds it; NULL: unknown */
    struct facility_found facilities[FACILITY_COUNT];
    size_t line, features_line, model_line;
};

/* One of several processors that took part. */
struct processor {
    size_t line, like; /* like: an earlier one of its kind, or itself */
    uint64_t apic;
    struct cpu_part part; /* if it is like none before, and not the first one */
    size_t lost_line;     /* it did not come back, and why */
    struct span lost_why;
};

/* A command, or what came of it: in words, with a line of its own, or a `facility`. */
enum told_kind { TOLD_COMMAND, TOLD_ANSWER, TOLD_LINE, TOLD_FACILITY };
struct told {
    size_t line;
    enum told_kind kind;
    struct span text;
};

/* What the kernel saves its log before; all but one are empty. */
struct subject {
    struct span facility, method, workload, word; /* workload: of the method; word: other */
    struct span filter;                           /* of the run                        */
    struct span msr, round;
};

/* What is not tried, since an earlier log ended in it. */
struct avoided {
    struct subject subject;
    struct span log;
    size_t line;
};

/* A test of borrowing the machine and handing it back; line 0: none was made. */
struct cycles {
    uint64_t done, checked, alive; /* alive: the firmware was, so often of those checked */
    size_t line;
};

/* A difference that belongs to no single run: methods that disagree, a facility. */
struct complaint {
    const char *method, *subject; /* for JUnit                       */
    const char *other;            /* the method that it disagrees with, or NULL */
    size_t processor;             /* on which both ran                          */
    uint32_t filter;              /* with which                                 */
    size_t line;
    char *claim; /* what does not hold                               */
    char *what;  /* how, in a sentence                               */
};

/*
 * Words for places that were read before: a trace goes to the same few again and again.
 * Only of the map that was asked last.
 */
#define PLACES_KNOWN 256
#define PLACE_LENGTH 14
struct places {
    struct log_map map;
    struct {
        char word[PLACE_LENGTH];
        uint8_t length, end; /* length 0: none */
        uint64_t at;
    } known[PLACES_KNOWN];
};

struct log {
    const char *name;
    char *bytes;
    size_t length;
    bool is_mapped;      /* the bytes are a file's, and not to be written to */
    size_t begin;        /* where the firmware's bytes end and the log's begin */
    size_t line;         /* the one being read, or the last one       */
    size_t trouble_line; /* the first thing that is wrong with the    */
    char *trouble;       /* log, if any; nothing is read behind it    */

    struct places places;

    bool opened, ended;
    struct span build, vendor, revision;
    struct cpu_part cpu; /* of the first processor; see log_of_processor() */
    uint64_t image_at, image_size, call, back;
    struct span bios_vendor, bios_version, bios_date, secure_boot;
    struct span system_vendor, system_product, board_vendor, board_product;
    size_t firmware_line, bios_line, system_line, serial_line, image_line, caller_line;
    struct span left_debugctl, left_lbr_ctl; /* by the firmware: a number or absent */
    size_t left_line;
    size_t apic_line;
    enum apic_mode apic; /* of all processors */
    struct cycles cycles;
    struct span *notes; /* for a person */
    size_t note_count, note_room;
    struct subject trying; /* of the last line `try` */
    struct avoided *avoided;
    size_t trying_line, avoided_count, avoided_room;
    struct placed *workloads;
    size_t workload_count, workload_room;
    struct brought **brought;
    size_t brought_count, brought_room;

    const struct method_view *methods[METHODS_MAX];
    const struct placed **planned;
    size_t method_count, planned_count, planned_room;
    uint32_t *filters; /* of the plan: one, none, where it has none */
    size_t filter_count, filter_room;
    uint64_t plan_runs;
    size_t plan_line;
    bool plan_closed;
    size_t plan_first; /* runs before it */

    bool by_command; /* commands, which may have a plan each: the last one is here */
    struct told *told;
    size_t told_count, told_room;

    struct run *runs;
    size_t run_count, run_room, rounds;
    bool in_run;
    size_t wire_bytes;

    struct processor *processors; /* none: the log says nothing of others than its own */
    size_t processor_count, processor_room, processors_line, processor_read;
    uint64_t processors_found, processors_wanted, processors_started;
    struct span way;
    bool different;        /* each had another run in hand */
    struct cpu_part first; /* while the lines of another one are read */
    size_t turns, turn_run, lost_line;
    size_t kind; /* of log_of_processor(): which processor it tells of */

    struct complaint *complaints;
    size_t complaint_count, complaint_room, pairs_compared, pairs_disagree;
};

/* Notes the first thing that is wrong; always false, so that it can be returned. */
bool trouble(struct log *, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

char *where_text(const struct log *, size_t line); /* "LOG:LINE"; line 0: the log as such */

/* facilities.c */
struct judge_options {
    bool no_skip; /* a skip of what the model's row has is a failure */
};
void complain(struct log *, struct complaint); /* takes its claim and what from malloc() */
/* Whether both tell of one run that disagrees with others: its sentence stands once. */
bool complaints_of_one(const struct complaint *, const struct complaint *);
const struct platform_fact *fact_of(const struct log *, enum facility); /* or NULL */
bool run_needs(const struct run *, enum facility);
bool found_to_act(const struct log *, enum facility); /* it works or deviates */
void judge_facility(struct log *, enum facility);
void judge_facility_by_runs(struct log *, enum facility); /* once those are judged */
void judge_cycles(struct log *);
void judge_rejected(struct log *, const struct judge_options *);

/* bytes.c: those of the log of that name; false: trouble. */
bool bytes_read(struct log *);
void bytes_pass(const struct log *, size_t from, size_t to); /* they may be forgotten */
void bytes_free(struct log *);

/* read.c */
void log_read(struct log *, const char *name); /* "-": standard input */
void log_take(struct log *, const char *name, char *bytes,
              size_t length); /* from malloc() */
void log_free(struct log *);

/*
 * A log that is still being written, as its bytes come.  False: it has a trouble.  What
 * ended before is in the log already; all of its bytes stay where they are.
 */
struct log_feed {
    struct log *log;
    struct log_chain chain;
    size_t at; /* behind the last whole line */
    bool opened;
};
void feed_begin(struct log_feed *, struct log *, const char *name);
bool feed_more(struct log_feed *, const char *bytes, size_t count);
bool feed_end(struct log_feed *); /* no more will come: whether it was whole */

/* The lines of a log that is whole, without trailers, from its first to its last one. */
struct log_lines {
    const struct log *log;
    size_t at;
};
bool log_next(struct log_lines *, struct span *body);

/*
 * items.c: the items of a run, each taken from its line, and the bytes of a packed one
 * that was given last, a line at a time; 0: that was all.
 */
struct items {
    struct log *log;
    const struct run *run;
    struct log_map map;
    struct log_lines lines;
    size_t line, given; /* the number of the line that was read last */
    uint64_t records;
};
void items_of(struct items *, const struct log *, const struct run *);
bool items_next(struct items *, struct item *);
size_t items_bytes(struct items *, uint8_t bytes[LOG_LINE_MAX]);
uint64_t item_records(const struct item *);

/* line.c: a body without trailer, from left to right. */
struct line {
    struct log *log;
    struct span rest, word; /* what is left, and the line's first word */
};
struct value {
    struct span text;
    uint64_t number;
    bool absent;
};
bool line_begin(struct line *, struct log *, struct span body);
/*
 * Takes the fields of a form, as "name=w about=q at=x": w a word, q text in quotes,
 * x a hex number, d a decimal one, a a hex number or `absent`, b 0 or 1.
 */
bool line_fields(struct line *, const char *form, struct value *out);
bool line_next_is(const struct line *, const char *key); /* whether key= comes next     */
bool line_word(struct line *, const char *wish, struct span *out); /* wish: for the error */
bool line_end(struct line *);

/*
 * base64.c: appends the bytes of a line's last word, or counts them where `at` is NULL;
 * `first`: the line that says how many there are, for the error.
 */
bool line_base64(struct line *, size_t first, uint8_t *at, uint64_t *size, uint64_t room);

/* parse.c */
bool parse_line(struct log *, struct span body, size_t wire_bytes);
bool parse_finished(struct log *);
const struct workload *own_workload(struct span name);
size_t own_workload_count(void);

/* place.c */
struct log_map map_of(const struct log *, const struct placed *);
bool place_read(struct line *, const struct log_map *, enum log_end, const char *wish,
                uint64_t *out);
int64_t label_offset(const struct workload *, struct span label); /* -1: none */
size_t label_count(const struct workload *);
char *place_text(const struct log_map *, uint64_t address, enum log_end);
char *transfer_text(const struct log_map *, const struct transfer *);

/* parse_try.c: what keeps it from being tried, or NULL */
const struct avoided *avoided_facility(const struct log *, const char *name);
const struct avoided *avoided_run(const struct log *, const struct run *);
/* parse_bundle.c */
void brought_free(struct log *);

/* unfold.c: the records of a run, one after the other. */
struct unfold {
    struct records records;
    const struct log *log;
    const struct run *run;
    struct log_map map;
    struct items items;
    struct item item;         /* that gave the newest record         */
    struct pack pack;         /* of a packed one                     */
    struct pack_bytes source; /* ...the bytes of it, a line at a time */
    uint8_t bytes[LOG_LINE_MAX];
    uint64_t left; /* records of the item that are not given yet */
    uint64_t total;
    bool broken; /* the next packed record is none, or none of the method */
    struct branch past[FOLD_REACH];
};
void unfold_of(struct unfold *, const struct log *, const struct run *);
bool unfold_whole(const struct unfold *); /* all were given */

/*
 * Whether a packed run's records can all be unpacked; false: the log has a trouble.  What a
 * log was parsed to may still be broken there: who does not judge it asks.
 */
bool records_hold(const struct log *, const struct run *);

/* A run as transfers: its records unfolded, and stops made branches by its code. */
struct got {
    struct unfold unfold;
    struct recorded recorded;
};
struct source *got_of(struct got *, const struct log *, const struct run *);

/* events.c */
struct event {
    enum kind kind;
    uint64_t from, entry, iret, to; /* where it struck, its handler, and the way back */
};
struct events {
    struct event at[32];
    size_t count;
    struct transfer unseen[32]; /* by who steps: POPF had cleared TF */
    size_t unseen_count;
    /*
     * From a SYSCALL that masks TF to behind the SYSRET that loads it is one step, of which
     * `step` tells the SYSCALL as FROM and a record the SYSRET.
     */
    struct leap {
        uint64_t syscall, sysret, to;
    } leaps[8];
    size_t leap_count;
    uint64_t masked;    /* the newest such SYSCALL */
    uint64_t before_db; /* transfers before a #DB that the workload takes; or all */
};
void events_of(struct events *, const struct log *, const struct placed *);
const struct event *event_from(const struct events *, uint64_t from);

/* filtered.c */
const char *filter_words(uint32_t filter);     /* lives until the next one             */
const char *filter_suffix(const struct run *); /* " filter=jcc", "" without; the same  */
size_t filters_of(const struct log *);         /* of the plan, none counted as one     */
struct sieve sieve_of(const struct log *, const struct run *);

/* judge.c */
void judge(struct log *, const struct judge_options *);
enum verdict log_verdict(const struct log *);    /* the worst */
bool log_untroubled(const struct log *);         /* false: what is wrong with it was said */
bool log_usable(struct log *, const char *name); /* read, judged; false: said why not */
/* Judges these runs, and no other; false: some records of theirs are none, which was said.
 */
bool runs_usable(struct log *, const struct run **, size_t count);

/*
 * doubt.c: the rule, derived or unconfirmed, that this record of the run, which differs
 * in that way, rests on, or NULL.  What silicon does there is measured, and neither right
 * nor wrong.
 */
const struct limit *doubt_of(const struct log *, const struct run *, const struct events *,
                             const struct transfer *, enum difference_class);

/* A record that is lost is doubted as such, and not the one that stands in its place. */
static inline bool doubt_wanted(enum difference_class class)
{
    return class == LOST || class == WRONG_FROM || class == WRONG_TO || class == WRONG;
}
static inline bool doubt_got(enum difference_class class)
{
    return class == EXTRA || class == WRONG_FROM || class == WRONG_TO || class == WRONG;
}
bool on_silicon(const struct log *); /* judged: as far as its platform tells */

/* beyond.c: check(), which goes on behind a difference that is doubted. */
struct compared {
    struct source *source;
    const struct log *log;
    const struct run *run; /* whose records they are, or whose they should be */
    bool portable;         /* its ends are tagged offsets                     */
};
struct found_difference {
    struct difference d;
    uint64_t got, want; /* the index on either side         */
    struct limit rule;  /* that it rests on, if it is doubted */
};
struct beyond {
    struct found_difference certain; /* the first; class SAME: there is none */
    struct found_difference doubted; /* the first, if there are any doubts   */
    uint64_t doubts;
};
struct beyond check_beyond(const struct compared *got, const struct compared *want);
/* "; derived is: ...", and how many more there are; "" where one is certain. */
char *doubt_text(const struct beyond *);

/* context.c: the records on both sides of a difference, oldest first, in words. */
#define CONTEXT_AROUND 3 /* so many before it, and behind it */
struct context {
    uint64_t got, want; /* index of the difference on either side, from 0            */
    size_t count, here; /* rows, and which of them is the difference                 */
    enum difference_class class;
    struct {
        char *got, *want; /* "-" behind the end of that side */
    } rows[2 * CONTEXT_AROUND + 1];
    struct limit rule; /* that the difference rests on, if it is doubted; else all NULL */
};
struct context *context_of(const struct compared *got, const struct compared *want,
                           const struct found_difference *);
void context_free(struct context *);

/*
 * interrupts.c: NULL, or what does not fit in the interrupts of a run that came to its end;
 * doubted: it rests on what no manual states.
 */
char *interrupts_wrong(const struct log *, const struct run *, bool *doubted);

/* Whether these interrupts left the records of their own that the filter leaves in. */
char *interrupts_own_wrong(const struct run *); /* or NULL */

/* Of any interrupts, of a buffer or of a counter, whose lateness is counted in `what`. */
char *interrupts_left(const struct log *, const struct run *, const char *what);

/* follow.c: NULL, or what is wrong with the way from one stop to the next. */
char *follow_steps(const struct log *, const struct run *, const struct events *,
                   size_t *where, bool *our_fault);
size_t insn_length(const struct workload *, uint64_t offset); /* 0: no instruction */

/* cross.c: the runs of one processor */
void cross(struct log *, size_t processor);

/* processors.c */
size_t processor_kind(const struct log *,
                      const struct run *); /* an earlier one, or itself */
size_t processors_of(const struct log *);  /* that each round has a run of: 1 at least  */
struct log log_of_processor(const struct log *, size_t processor);
void log_take_back(struct log *, const struct log *of_processor); /* what was found     */
void judge_together(struct log *);
char *processor_text(const struct log *, const struct run *); /* " processor 3", or ""  */
void print_processors(const struct log *);
/* "processors 1 to 3, 7": those whose runs are like this one; false: it was told before. */
bool processors_like(const struct log *, size_t run, struct text *);
bool processors_alike(const struct run *, const struct run *);

/* retired.c: what a workload runs between the window's call and its return. */
struct retired {
    uint64_t insns;
    uint64_t not_taken; /* conditional branches                                    */
    uint64_t branches;  /* all that an instruction makes, these too; not the call  */
    uint64_t unsure;    /* of so many instructions it is open whether they retire  */
    bool known;         /* the log has all of the code                             */
};
struct retired retired_of(const struct log *, const struct run *);

/* counted.c: the same as of interrupts.c, and whether it rests on words of a manual. */
const struct pmu_event *counted_event(const struct log *, const struct run *); /* or NULL */
char *counted_wrong(const struct log *, const struct run *, size_t *where);
char *gap_in(const struct log *, const struct run *, size_t *where); /* or NULL */
uint64_t interrupt_each(const struct log *, const struct run *);

/* pieces.c: those of branch sampling against the truth, and the records of a full one. */
char *pieces_wrong(const struct log *, const struct run *, size_t *where, bool *doubted);
char *pieces_wrong_rest(const struct log *, const struct run *); /* if nothing else is */
size_t piece_size(const struct log *);
bool counted_doubted(const struct log *, const struct run *);

/* report.c, machine.c */
struct report_options {
    bool bytes;
};
void report(const struct log *, const struct report_options *);
void tap(const struct log *logs, size_t count);
bool junit(const struct log *logs, size_t count, const char *file);

/* canonical.c */
void canonical(const struct log *,
               bool packed); /* of one that is whole; runs stay packed */

/* diff.c: of two logs of one kind of machine, for `corpus`. */
struct json;
/* 1: told of them, as an element of the JSON's array if there is one. */
size_t diff_conflicts(const struct log *a, const struct log *b, struct json *);
