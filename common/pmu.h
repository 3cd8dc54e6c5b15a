/*
 * Performance counters as far as they serve to interrupt: where counter 0 lies, and what
 * it can count.  Rows of data, as the models are, but by other kinships: what an event is
 * called changes between processors that lay out their last-branch records alike.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "model.h"
#include "text.h"

/* What can be asked for by name. */
enum event_name {
    EVENT_TAKEN,        /* taken branches                                    */
    EVENT_BRANCHES,     /* the same, and conditional ones that are not taken */
    EVENT_INSTRUCTIONS, /* ...that retired                                   */
    EVENT_CYCLES,
    EVENT_MISPREDICTED, /* branches                                          */
    EVENT_NAMES,
};
extern const char *const event_names[EVENT_NAMES];

#define COUNTS(kind) (1u << (kind))

/* Event 0: the processor is not known to have one of this name. */
struct pmu_event {
    uint16_t event; /* EVENT, 12 bits of it with AMD */
    uint8_t umask;
    bool others; /* it counts what is no transfer, too: a expected trace cannot count it */
    bool insns;  /* ...namely each instruction                                  */
    bool time;   /* ...or as time goes by                                       */
    uint32_t counts; /* COUNTS(...) of the transfers that count                     */
    uint32_t unsure; /* ...and of those of which no source says whether they do     */
};

struct pmu {
    const char *name, *about, *vendor;
    uint16_t family;          /* 0: any of this vendor */
    uint16_t numbers[24];     /* DisplayModels         */
    uint8_t number_count;     /* 0: any of the family  */
    uint8_t core_type;        /* of a hybrid: CORE_TYPE_..., 0: any                 */
    bool by_cpuid;            /* there is one only if CPUID.0AH says so             */
    bool over_counts;         /* counts too many branches at far transfers          */
    bool high_events;         /* their numbers have 12 bits (AMD), elsewhere 8      */
    bool keeps_lvt;           /* its interrupt does not mask its entry of the LVT   */
    uint8_t written;          /* bits of the counter that are written: the top one of
                                 32 is extended to all above it                      */
    uint32_t select, counter; /* MSRs of counter 0, and those of the others after them;
                                 0: none that can be used here */
    struct pmu_event taken;
    const struct pmu_event *others; /* by name, but for taken        */
    const char *source;             /* of what counts taken branches */
    const char *confidence;
};

extern const struct pmu pmus[];
extern const size_t pmu_count;

/* The row of a processor, or NULL: none is known. */
const struct pmu *pmu_find(const struct cpu_id *);

/* The taken branches of this row, or where it has no such event all branches. */
const struct pmu_event *pmu_default(const struct pmu *);
enum event_name pmu_default_name(const struct pmu *);

/* By which an interrupt's own IRETQ counts. */
enum event_name pmu_with_far(const struct pmu *);

/* What counts what has this name, or NULL: none is known. */
const struct pmu_event *pmu_event_named(const struct pmu *, enum event_name);

/*
 * The leaves of CPUID that list counters and pre-defined events, EAX to EDX of each; NULL:
 * the processor does not have it.  From version 6 on each core has its own in the
 * subleaves of 23H, of which EAX of the first announces subleaf n by bit n (SDM vol. 3B,
 * "Architectural Performance Monitoring Version 6").  There 0AH can deny what 23H has: on
 * a small core of Arrow Lake the event of bit 9, by its CPUID.
 */
#define LEAF_PERFMON      0xa
#define LEAF_PERFMON_EXT  0x23
#define PERFMON_SUBLEAVES 4
struct perfmon_leaves {
    const uint32_t *basic, *extended[PERFMON_SUBLEAVES];
};

/* Takes which counters and events there are into the processor's facts. */
void pmu_take(struct cpu_id *, const struct perfmon_leaves *);

/*
 * Pre-defined events that are known here, by their bits in those leaves.  A hypervisor
 * denies what it cannot count, a processor what it counts wrong.
 */
#define PREDEFINED 7

/*
 * The pre-defined event of records that go into the stack of architectural LBR.  By its
 * number alone nothing is known of it: below version 6 the number is the model's own.
 */
#define INSERTS_EVENT 0xe4
#define INSERTS_UMASK 0x01
bool pmu_counts_inserts(const struct cpu_id *);

/* That this processor denies the event of that bit, in the words of the log, or NULL. */
const char *pmu_denies(const struct cpu_id *, size_t bit);

/* Why it cannot count this, or NULL. */
const char *pmu_lacks(const struct cpu_id *, enum event_name);
const char *pmu_lacks_number(const struct cpu_id *, uint32_t event, uint32_t umask);

/* Why it cannot count anything by which the counter can be tried, or NULL... */
const char *pmu_lacks_all(const struct cpu_id *);

/* ...or the first of these that it can. */
enum event_name pmu_first(const struct cpu_id *);

/* What these numbers count there, or NULL: not known. */
const struct pmu_event *pmu_event_of(const struct pmu *, uint32_t event, uint32_t umask);

/*
 * Whether it is known what of it is the interrupt's own, and so how late that came.  Of
 * time it is not, nor of an event that no row has.
 */
bool pmu_tells_late(const struct pmu_event *);

/*
 * Between the WRMSRs that turn a counter on and off: of the window, beside what the
 * workload runs, and of the gate of each interrupt, on its way in and out.  The window's
 * branch that is not taken counts where those do.  (window.asm, pmi.asm; held by
 * tests/unit/own_insns.c.)
 */
#define OWN_WINDOW_INSNS  17
#define OWN_WINDOW_BEFORE 7 /* how many of these up to its call, which counts too */
#define OWN_WINDOW_JCCS   1
#define OWN_ENTRY_INSNS   23
#define OWN_RETURN_INSNS  21

#define EVENT_MAX  0xfffu     /* AMD's have 12 bits                */
#define PERIOD_MAX (1u << 30) /* all counters can be loaded with it */

/* The numbers, as the log has them: "0xc4/0x20". */
void event_put(struct text *, uint32_t event, uint32_t umask);
