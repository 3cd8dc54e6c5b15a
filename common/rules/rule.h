/*
 * Rules: what hardware does, and so what a method shows of a workload; and what a run and
 * its log must be.
 *
 * A rule is one row of a table, and the rules of one mechanism are one file, which begins
 * with that mechanism.  `list rules`, `expect`, the judge and the screen use the rows.  A
 * check of the judge names the rule that a run breaks; tools/judge/severity.c makes a
 * verdict of it, from the row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "confidence.h"
#include "events.h"
#include "facility.h"
#include "lines.h"
#include "method_facts.h"
#include "model.h"
#include "platform.h"

/* Where a rule may hold: a method on a model, with a filter. */
struct rule_place {
    const struct method_facts *method;
    const struct model *model;       /* NULL: it is not known                          */
    uint32_t filter;                 /* 0: none                                        */
    const struct cpu_id *id;         /* NULL: any processor of the model's row         */
    uint64_t microcode;              /* 0: it is not known                             */
    const struct platform *platform; /* NULL: it is not known                          */
    bool emulated;                   /* and not in silicon mode                        */
    bool unlisted;                   /* no row has the event of the run's counter...   */
    bool probed;                     /* ...or it counted branches of the probe         */
};

/* A record that differs, and the workload that it is of. */
struct rule_record {
    const struct rule_place *place;
    const struct workload *workload; /* which lies at `at` */
    uint64_t at, call, back;
    const struct events *events;
    struct transfer transfer;
    const struct transfer *other; /* in its place on the other side, if only ends differ */
    enum difference_class class;
};

/* The SMIs and stray NMIs of a run, as far as they are known: hits.c asks for them. */
struct rule_hits {
    uint64_t smis, nmis;       /* that were counted                                  */
    bool smis_are_counted;     /* by MSR_SMI_COUNT                                   */
    bool smis_are_announced;   /* CPUID of the emulator says that they come          */
    uint64_t branches;         /* that a counter counted, or 0                       */
    const struct tries *tries; /* of the run, the last one included; NULL: none differed */
    bool tries_are_uncompared; /* the kernel compares no records between which are gaps */
    uint64_t first; /* that differs, from 1, before handlers' records went; 0: none did */
    uint64_t right; /* records of all tries before those that may differ; 0: not known */
    uint64_t image, image_size; /* the kernel, with the handler of NMIs               */
    uint64_t lost; /* entries of the method's own interrupts among the records: not more */
    uint64_t unreturned; /* IRETQs of the method's own interrupts there: not more      */
};

/* A run whose records are compared, as far as rules ask for it. */
struct rule_run {
    struct rule_place place;
    const struct workload *workload; /* which lies at `at` */
    uint64_t at, call, back;
    const struct events *events;
    uint64_t capacity, records; /* entries that keep records, and how many there are */
    struct rule_hits hits;
};

/* What the probe of a facility found: the codes of deviations, and in words. */
struct rule_probe {
    enum facility facility;
    enum probe_result result;
    uint32_t deviations; /* deviation.h */
    const char *evidence;
};

/* Returns how many of this many newest records are copies at most (rule copies-few). */
static inline uint64_t copies_max(uint64_t newest)
{
    return newest - newest / 3 + 2;
}

/* A count of events that is not as it should be. */
struct rule_count {
    uint64_t counted, least, most;
    uint64_t near;       /* branches of such kinds as it counted in the probe; else 0  */
    bool exact;          /* it counted all of the probe's, and nothing else            */
    uint64_t interrupts; /* that were taken meanwhile                                  */
    uint64_t far;        /* far transfers of the workload, its events and IRETs too    */
    uint64_t period;
    uint32_t event; /* the EVENT field of its selector */
};

/*
 * Processors of Intel that an erratum names: one of these models, of these steppings, with
 * an older microcode.
 */
#define RULE_CPUS_MAX 20
struct rule_cpus {
    uint8_t family;                /* 0: 6                             */
    uint8_t models[RULE_CPUS_MAX]; /* up to the first 0                */
    uint16_t steppings;            /* bit n: stepping n; 0: all        */
    uint32_t microcode_below;      /* 0: any                           */
};

/* Where a rule holds.  In silicon mode an emulator is judged as silicon is. */
enum rule_platform { ANYWHERE, ON_SILICON, ON_EMULATOR };

/* A source, and how far it is to be trusted. */
struct rule_basis {
    const char *source;
    enum confidence confidence;
};

struct rule {
    const char *name;     /* short: tests, reports and properties use it             */
    const char *errata;   /* the vendor's identifiers, of an erratum; or NULL        */
    const char *sentence; /* complete, in the manual's terms                         */
    const char *source;   /* a manual by volume and title, or what else says so      */
    enum confidence confidence;
    /* Returns both if they depend on the place, as the model's row has them; or NULL. */
    struct rule_basis (*basis)(const struct rule_place *);
    bool (*applies)(
        const struct rule_place *); /* NULL: to no run, but to a probe, a log or a trace */
    enum rule_platform platform;
    const struct rule_cpus *cpus; /* those of an erratum, up to one without models; or NULL:
                                     any, or `applies` says which */
    /*
     * True if the rule accounts for this record: then the rule is as likely to be wrong as
     * the hardware.  NULL: it speaks of no single record.
     */
    bool (*explains)(const struct rule_record *);
    /*
     * Of a rule about the records together: says how they differ from `want` by it alone,
     * or NULL.  The difference is their first; both sources are rewound.
     */
    const char *(*accounts)(const struct rule_run *, const struct difference *,
                            struct source *got, struct source *want);
    /* True if the rule accounts for what a probe found, or for a count; or NULL. */
    bool (*explains_probe)(const struct rule_place *, const struct rule_probe *);
    bool (*explains_count)(const struct rule_place *, const struct rule_count *);
    /* How LBR stacks differ that it explains, in the report; or NULL. */
    const char *reported;
    bool noted;           /* a record that it accounts for is right, and is named */
    bool of_ends;         /* it accounts for wrong ends of a record that exists      */
    bool of_straight;     /* of records that lie between branches, in straight code  */
    bool of_all;          /* of all records that it concerns, or of none             */
    bool of_run;          /* it speaks of a run beside its trace: `expect` leaves it out */
    bool of_no_record;    /* it speaks of no record: what rests on it is judged apart */
    bool of_log;          /* a log that breaks it is wrong: no processor is at fault  */
    bool of_audit;        /* `audit` uses it on the traces of other tools             */
    const char *workload; /* one that tries it; NULL: a probe or `audit` does        */
    const char *property; /* of the emulator, which breaks it; NULL: none does       */
};

/* The rules of one mechanism. */
struct rule_table {
    const struct rule *rules;
    size_t count;
};
#define RULE_TABLE(name, rows) \
    const struct rule_table name = { rows, sizeof(rows) / sizeof((rows)[0]) }
extern const struct rule_table step_rules, btf_rules, bts_rules, event_rules, counter_rules,
    brs_rules, pt_rules, ler_rules, lbr_rules, filter_rules, errata_rules, hit_rules,
    run_rules, log_rules, machine_rules, audit_rules, miscount_rules, probe_rules;

/* All rules, one after the other, in the order in which `expect` prints them; NULL: no
 * more. */
const struct rule *rule_nth(size_t n);
const struct rule *rule_named(const char *name); /* or NULL */

/* True if the rule says what the method shows of a workload. */
bool rule_is_of_trace(const struct rule *, const struct rule_place *);

/* True if the rule holds on the platform, and if it also applies to the place. */
bool rule_holds_on_platform(const struct rule *, const struct rule_place *);
bool rule_holds(const struct rule *, const struct rule_place *);
bool rule_applies(const char *name, const struct rule_place *);

struct rule_basis rule_basis_of(const struct rule *, const struct rule_place *);

/* For `applies`: any run, and the kinds of methods. */
bool rule_is_of_any(const struct rule_place *);

/* True if the method records branches, and does not stop or sample. */
static inline bool place_records(const struct rule_place *place)
{
    return !place->method->silent && !place->method->sampled &&
           !place->method->blind_handlers;
}

/* True if a counter's interrupts read the LBR stack, and the stacks are joined. */
static inline bool place_joins_stacks(const struct rule_place *place)
{
    return place_records(place) && place->method->counter_driven &&
           !place->method->sampled_windows;
}

/* True if the method stops by single-stepping, at each instruction or at branches. */
static inline bool place_steps(const struct rule_place *place)
{
    return !place->method->silent && !place->method->sampled &&
           place->method->blind_handlers;
}

/*
 * True if the rule names no processors, or this one, or, where only the model's row is
 * known, one of that row.  An unknown microcode is not an old one.
 */
bool rule_is_of_cpu(const struct rule *, const struct rule_place *);

/* True in a guest of a hypervisor, and not on the emulator. */
bool rule_is_in_guest(const struct rule_place *);

/* True if the processor, or one of the model's row, is an Intel of family 6 with a number.
 */
bool rule_is_intel_6(const struct rule_place *, const uint8_t *numbers, size_t count);

/* For `explains`. */

/* The handler of the workload to whose first instruction this leads, or NULL. */
const struct stub *rule_stub_at(const struct rule_record *, uint64_t to);
bool rule_enters_db(const struct rule_record *); /* the handler of #DB */

/* A record of that run, of no class yet. */
struct rule_record rule_record_of(const struct rule_run *, const struct transfer *);

/*
 * True if the workload makes this transfer, which is then in *made with its kind.  FROM of
 * an event may also be the address to which its handler returns.
 */
bool rule_is_made(const struct rule_record *, struct transfer *made);

/* The byte of the workload's code there, or NO_BYTE. */
#define NO_BYTE 0x100
unsigned rule_code_at(const struct rule_record *, uint64_t address);

/*
 * By which rings BTS may have filtered these records, as RING_DECIDES() of filter.h; 0: by
 * none, or other rules account for them.
 */
unsigned rule_rings_of(const struct rule_run *, struct source *got);

/* How many bytes INS, OUTS, MOVS, CMPS, STOS, LODS or SCAS has here with its repeat prefix;
 * 0: it is no such instruction. */
uint64_t rule_repeats(const struct rule_record *, uint64_t at);

/* For `accounts`: rewinds, and moves past this many; false: there are fewer. */
bool rule_skip(struct source *, uint64_t count);
