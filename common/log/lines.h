/*
 * The lines of the log: a struct for what each says, and a row of its fields.  By that row
 * the kernel and `here` write the line (put.h), the host program reads it (tools/log),
 * `cat` and `submit` show it, and the JSON has it.  docs/log.md describes the lines;
 * tests/unit/lines.c holds page and rows together.
 *
 * A text is a span of bytes that lie elsewhere; one whose `at` is NULL is not in the line.
 * A group of fields in brackets is in the line if its first field is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpuid_leaves.h"
#include "facility.h"
#include "text.h"

/* A number that a line need not have.  Absent: the processor has no such thing. */
struct log_number {
    enum { LOG_NOT_THERE, LOG_ABSENT, LOG_THERE } is;
    uint64_t value; /* 0 unless it is there */
};
static inline struct log_number log_number(uint64_t value)
{
    return (struct log_number){ LOG_THERE, value };
}
/* Absent unless the processor has it. */
static inline struct log_number log_number_or_absent(bool has, uint64_t value)
{
    return (struct log_number){ has ? LOG_THERE : LOG_ABSENT, has ? value : 0 };
}

/* The mode of the local APIC. */
enum apic_mode { APIC_OFF, APIC_X, APIC_X2, APIC_MODES };
extern const char *const apic_modes[APIC_MODES];

/* The ends that a run can have. */
enum outcome { ENDED, CRASHED, BUDGET, TIMEOUT, LIVELOCK, GONE, OUTCOMES };
extern const char *const outcome_names[OUTCOMES];

/*
 * The values of DR6 at debug exceptions: the distinct ones, in the order in which they
 * were first seen, and how often each.
 */
#define DR6_VALUES 4
struct debug_status {
    struct {
        uint64_t dr6, times; /* times 0: what all exceptions left together */
    } at[DR6_VALUES];
    size_t count;
    uint64_t others; /* exceptions with yet another value */
};

/* A run that is hit, or may have been, is made again until it was made this many times. */
#define RUN_TRIES_MAX 4

/* For each time that a run was made, the last included: the first unexpected record. */
struct tries {
    size_t count;                     /* 0: none differed    */
    uint64_t differed[RUN_TRIES_MAX]; /* records, from 1; 0: it was as expected */
};

/* An event of a counter; event 0: there is none. */
struct log_event {
    uint32_t event, umask;
};

/* Bytes in hexadecimal.  They are written from memory, and read as digits. */
struct log_bytes {
    const uint8_t *at;
    size_t count;
    struct span digits;
};

/*
 * The lines.  `line`, where a struct has it, is not written: the host program keeps there
 * in which line of the log it was, from 1; 0: in none.
 */
struct everybranch_line {
    uint64_t log;
    struct span build;
};
struct linux_line {
    size_t line;
    struct span release;
    struct span fred; /* whether Linux uses it; empty: the processor has no FRED */
};
struct firmware_line {
    size_t line;
    struct span vendor;
    uint64_t revision;
};
struct bios_line {
    size_t line;
    struct span vendor, version, date, secure_boot;
};
struct system_line {
    size_t line;
    struct span vendor, product, board_vendor, board_product;
};
struct cpu_line {
    size_t line;
    uint64_t microcode;
    struct span brand;
};
struct features_line {
    size_t line;
    struct log_number perf_capabilities, misc_enable;
};
struct model_line {
    size_t line;
    struct span name;
};
struct image_line {
    size_t line;
    uint64_t base, size;
};
struct caller_line {
    size_t line;
    uint64_t call, back; /* the window's CALL, and the instruction after it */
    struct log_number at;
    struct log_bytes bytes;
};
struct apic_line {
    size_t line;
    enum apic_mode mode;
};
struct left_line {
    size_t line;
    struct log_number debugctl;
    struct log_number lbr_ctl; /* IA32_LBR_CTL or AMD's DebugExtnCtl, if the model has it */
    struct log_number smi_count; /* SMIs since reset; absent: the processor counts none */
    struct log_number counters;  /* that were on: bits as in IA32_PERF_GLOBAL_CTRL */
};
struct serial_line {
    size_t line;
    struct span from;
    uint64_t tried;
    struct span space;
    uint64_t at, stride, width, clock, baud, divisor, before;
};
/* What a line `try` or `avoid` is about. */
struct subject {
    struct span facility, method, workload, filter, take;
    struct log_number round, msr;
    bool bench, runs, end, idle;
};
struct avoid_line {
    size_t line;
    struct subject subject;
    struct span log;
};
struct try_line {
    size_t line;
    struct subject subject;
};
struct facility_line {
    size_t line;
    enum facility name;
    enum probe_result outcome;
    struct span evidence;
    uint32_t deviations;          /* of one that deviates: deviation.h */
    struct log_number interrupts; /* how many branches or records late these were: */
    uint64_t typical, most;       /* the mean, rounded up, and the latest */
};
struct processors_line {
    size_t line;
    struct span way;
    uint64_t found, wanted, started;
    bool different; /* each made another run at the same time */
};
struct processor_line {
    size_t line;
    uint64_t n, apic, like; /* like: an earlier one of its kind, or itself */
    struct left_line left;
};
struct bundle_line {
    size_t line;
    struct span file;
    uint64_t bytes;
};
struct rejected_line {
    struct span file, why;
};
struct workload_line {
    struct span name;
    uint64_t at, size, stubs;
    struct span about;
};
struct labels_line {
    struct span of;
};
struct code_line {
    struct span of;
    uint64_t at;
    struct log_bytes bytes;
};
struct plan_line {
    struct span methods, workloads, filters; /* names with commas between */
    struct log_number runs;
};
struct text_line { /* command, answer, note */
    struct span text;
};
struct msr_line {
    struct log_number read, write;
    struct span name;
    struct log_number value;
    struct span gives;
};
struct round_line {
    uint64_t n, processors;
};
struct lost_line {
    size_t line;
    uint64_t processor;
    struct span why;
};
struct run_line {
    uint64_t n;
    struct span method, workload, filter;
    struct log_number processor;
    struct span info;                    /* words with + between */
    struct log_number buffer, threshold; /* records; of packets: bytes */
    struct log_event event;
    uint64_t period; /* events */
    bool nmi;        /* the interrupt is delivered as NMI */
    bool freeze;     /* the LBR stack is frozen from the overflow on */
};
struct skip_line {
    uint64_t n;
    struct span method, workload, filter;
    struct log_number processor;
    struct span why;
};
struct packed_line {
    uint64_t records, bytes, coder;
    struct log_number run;
};
struct packets_line {
    uint64_t bytes, status;
    struct log_number packed;
    uint64_t coder;
    bool by_bits;
};
struct ran_line {
    uint64_t n;
    enum outcome outcome;
    uint64_t records;
    uint64_t events;     /* debug exceptions, or interrupts, taken */
    uint64_t lost;       /* records known to be missing */
    uint64_t ticks;      /* of the TSC, from before the window to after it */
    uint64_t wrong_path; /* entries of AMD's stack that branches on the wrong path took */
    struct log_number inserts; /* records that went into the stack, by a counter */
    struct log_number armed;   /* of several processors: recorders armed meanwhile, */
    uint64_t open;             /* and the most windows open at either end of this one */
    uint64_t repeated;         /* times that it was made before, and thrown away */
    struct tries tries;
    uint64_t smis, nmis; /* that hit it; nmis: stray ones */
    struct debug_status debug_status;
    struct log_number counted; /* by the counter that interrupts: events of the workload */
    struct log_number entries; /* the interrupts' own records, taken out of the trace */
    uint64_t returns;
    struct log_number skid;   /* records or events too late: of all interrupts, */
    uint64_t most;            /* and of the latest */
    uint64_t unmasked;        /* interrupts that did not mask their entry of the LVT */
    struct log_number result; /* that a program returned */
    struct log_number vector; /* of the exception that it crashed by, */
    struct span at;           /* and where */
};

/* How many records a stack with that many entries holds beside those of the wrong path. */
static inline uint64_t ran_capacity(const struct ran_line *ran, uint64_t entries)
{
    return entries > ran->wrong_path ? entries - ran->wrong_path : 0;
}
struct cost_line {
    size_t line;
    uint64_t n, asked, made; /* the run that was recorded counts as one of them */
    uint64_t least, most;    /* ticks */
};
struct cycles_line {
    size_t line;
    uint64_t done, checked, alive; /* alive: checks that found the firmware alive */
};
struct panic_line {
    struct span why;
};
struct end_line {
    uint64_t runs, ran, skipped, records;
    uint64_t nmis; /* of all processors, that nobody waited for */
};

/* The forms of a field, and the member in which it lies. */
enum log_type {
    LOG_WORD,    /* struct span: a word; with `words`, one of these                */
    LOG_QUOTED,  /* struct span: text in double quotes                             */
    LOG_DECIMAL, /* an unsigned integer of any size                                */
    LOG_HEX,     /* the same, hexadecimal                                          */
    LOG_COUNT,   /* the same, decimal, and in the line unless it is 0              */
    LOG_CHOICE,  /* enum or bool: the index of its word                            */
    LOG_FLAG,    /* bool: the key alone, or with its word; not in the line: false  */
    LOG_NUMBER,  /* struct log_number, decimal                                     */
    LOG_NUMBER_OR_ABSENT,
    LOG_REGISTER, /* struct log_number, hexadecimal                                 */
    LOG_REGISTER_OR_ABSENT,
    LOG_EVENT, /* the structs above of these names */
    LOG_STATUS,
    LOG_TRIES,
    LOG_CODES, /* uint32_t: a bit for each of `words`, with + between them; 0: none */
    LOG_BYTES,
    LOG_OWN, /* the key is the form of what a parser of its own reads: FROM TO [xN] */
};

struct log_field {
    const char *key; /* with the brackets of its group: "[skid", "most]" */
    enum log_type type;
    uint16_t at, size;        /* of the member */
    const char *const *words; /* that it can be, or NULL */
    size_t word_count;
    char mark; /* - if `cat` leaves it out, ! if `submit` empties its text */
};

struct span log_key(const struct log_field *); /* without brackets */
bool log_opens_group(const struct log_field *);
const struct log_field *log_group_end(const struct log_field *); /* after its last field */

/* Is the field in the line that these members make? */
bool log_field_is_there(const struct log_field *, const void *line);

/* Appends the value as it is in the log, without quotes. */
void log_put_value(struct text *, const struct log_field *, const void *line);

enum log_section {
    LOG_OF_CPU, /* before the plan, and of each kind of processor */
    LOG_BEFORE_PLAN,
    LOG_PLAN,
    LOG_BETWEEN_RUNS,
    LOG_IN_RUN,
    LOG_ANYWHERE,
};

enum {
    LOG_IN_CAT = 1,     /* `cat` shows the line                                */
    LOG_OF_MACHINE = 2, /* the next boot knows the same machine by these lines */
};

enum log_line {
    WORD_BRANCH,
    WORD_STOP,
    WORD_AGAIN,
    WORD_DATA,
    WORD_PACKED,
    WORD_PACKETS,
    WORD_INFO,
    WORD_EVERYBRANCH,
    WORD_LINUX,
    WORD_FIRMWARE,
    WORD_BIOS,
    WORD_SYSTEM,
    WORD_CPU,
    WORD_FEATURES,
    WORD_CPUID,
    WORD_MODEL,
    WORD_IMAGE,
    WORD_CALLER,
    WORD_APIC,
    WORD_LEFT,
    WORD_SERIAL,
    WORD_AVOID,
    WORD_FACILITY,
    WORD_PROCESSORS,
    WORD_PROCESSOR,
    WORD_BUNDLE,
    WORD_BYTES,
    WORD_REJECTED,
    WORD_WORKLOAD,
    WORD_LABELS,
    WORD_CODE,
    WORD_PLAN,
    WORD_TRY,
    WORD_COMMAND,
    WORD_ANSWER,
    WORD_MSR,
    WORD_ROUND,
    WORD_LOST,
    WORD_RUN,
    WORD_SKIP,
    WORD_RAN,
    WORD_COST,
    WORD_CYCLES,
    WORD_NOTE,
    WORD_PANIC,
    WORD_END,
    LOG_WORDS
};

struct log_word {
    const char *word;
    const struct log_field *fields; /* in their order; the key NULL ends them */
    enum log_section section;
    unsigned shown;
    const char *published; /* what `submit` says of the lines; NULL: it takes them out */
};

extern const struct log_word log_words[LOG_WORDS];

/* LOG_WORDS: the log has no such word. */
enum log_line log_word(const char *word, size_t length);

/* Appends the value of the field of this name. */
void log_put_named(struct text *, enum log_line, const char *key, const void *line);
