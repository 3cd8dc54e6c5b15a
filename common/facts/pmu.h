/*
 * Performance counters, as far as they are used to interrupt: where counter 0 is, and what
 * it can count.  They are rows of data like the models, but grouped differently: processors
 * with the same layout of last-branch records have different numbers for one event.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "confidence.h"
#include "branch.h"
#include "model.h"
#include "skip_code.h"
#include "text.h"

/* The events that can be asked for by name. */
enum event_name {
    EVENT_TAKEN,        /* taken branches                                    */
    EVENT_BRANCHES,     /* the same, and conditional ones that are not taken */
    EVENT_INSTRUCTIONS, /* instructions that retired                         */
    EVENT_CYCLES,
    EVENT_MISPREDICTED, /* branches                                          */
    EVENT_NAMES,
};
extern const char *const event_names[EVENT_NAMES];

#define PERIOD_SAFE 32 /* see small_periods_fail */

#define COUNTS(kind) (1u << (kind))

/* Event 0: the processor is not known to have one of this name. */
struct pmu_event {
    uint16_t event; /* the EVENT field; AMD's has 12 bits */
    uint8_t umask;
    bool others; /* it also counts what is no transfer, so an expected trace cannot count it
                  */
    bool insns;  /* it counts each instruction                                  */
    bool time;   /* it counts time                                              */
    uint32_t counts; /* COUNTS(...) of the transfers that count                     */
    uint32_t unsure; /* COUNTS(...) of transfers that may count: no source decides */
};

struct pmu {
    const char *name, *about, *vendor;
    uint16_t family;          /* 0: any of this vendor */
    uint16_t numbers[24];     /* DisplayModels         */
    uint8_t number_count;     /* 0: any of the family  */
    uint8_t core_type;        /* of a hybrid: CORE_TYPE_..., 0: any                 */
    bool by_cpuid;            /* it exists only if CPUID.0AH says so                */
    bool high_events;         /* their numbers have 12 bits (AMD), elsewhere 8      */
    bool small_periods_fail;  /* interrupts at one below PERIOD_SAFE can go wrong   */
    bool needs_first_writes;  /* it counts right only after counter.c's writes      */
    bool keeps_lvt;           /* its interrupt does not mask its entry of the LVT   */
    uint8_t written;          /* bits of the counter that are written: the top one of
                                 32 is extended to all above it                      */
    uint32_t select, counter; /* MSRs of counter 0, and those of the others after them;
                                 0: none that can be used here */
    struct pmu_event taken;
    const struct pmu_event *others; /* by name, except `taken`       */
    const char *source;             /* of what counts taken branches */
    enum confidence confidence;
};

extern const struct pmu pmus[];
extern const size_t pmu_count;

/* The row of a processor, or NULL: none is known. */
const struct pmu *pmu_find(const struct cpu_id *);

/* The taken branches of this row, or where it has no such event all branches. */
const struct pmu_event *pmu_default(const struct pmu *);
enum event_name pmu_default_name(const struct pmu *);

/* The event that also counts an interrupt's own IRETQ. */
enum event_name pmu_with_far(const struct pmu *);

/* The event of this name, or NULL if the row has none. */
const struct pmu_event *pmu_event_named(const struct pmu *, enum event_name);

/*
 * The CPUID leaves that list counters and pre-defined events, EAX to EDX of each; NULL if
 * the processor lacks the leaf.  From version 6 on, each core has its own list in the
 * subleaves of 23H; bit n of EAX of the first one announces subleaf n (SDM vol. 3B,
 * "Architectural Performance Monitoring Version 6").  Leaf 0AH can then deny what 23H has:
 * on a small core of Arrow Lake it denies the event of bit 9.
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
 * How many pre-defined events are known here, by their bits in those leaves.  A hypervisor
 * denies an event that it cannot count, a processor one that it counts wrong.
 */
#define PREDEFINED 7

/*
 * LBR inserts: the event of records that enter the LBR stack.  It is a pre-defined one
 * since version 6, and on architectural LBR CPUID may announce it before; on other
 * processors it belongs to the model.  NULL: none is known of this processor.
 */
struct pmu_inserts {
    uint16_t event;
    uint8_t umask;
    const char *source;
};
const struct pmu_inserts *pmu_inserts(const struct cpu_id *);

/* The name, in a skip's reason, of the event of that bit if this processor denies it. */
const char *pmu_denied(const struct cpu_id *, size_t bit);

/* Why this processor cannot count this event. */
struct skip_reason pmu_lacks(const struct cpu_id *, enum event_name);
struct skip_reason pmu_lacks_number(const struct cpu_id *, uint32_t event, uint32_t umask);

/* Why this processor has no event that proves its counter, or NULL. */
const char *pmu_lacks_all(const struct cpu_id *);

/* The event the probe uses: the first one supported that is certain to occur. */
enum event_name pmu_first(const struct cpu_id *);

/* The event with these numbers, or NULL if the row has none. */
const struct pmu_event *pmu_event_of(const struct pmu *, uint32_t event, uint32_t umask);

/*
 * True if the interrupt's own events can be subtracted, so that how late it came is
 * known.  They cannot for events that count time, nor for an event that no row has.
 */
bool pmu_tells_late(const struct pmu_event *);

/*
 * The kernel's own instructions between the WRMSRs that turn a counter on and off: those of
 * the window around the workload, and those of the gate of each interrupt, on entry and on
 * return.  The window's conditional jump is not taken, and counts where such jumps count.
 * (window.asm, pmi_gate.asm; tests/unit/own_insns.c compares the numbers.)
 */
#define OWN_WINDOW_INSNS  17
#define OWN_WINDOW_BEFORE 7 /* how many of these come before its call, inclusive  */
#define OWN_WINDOW_JCCS   1
#define OWN_ENTRY_INSNS   23
#define OWN_RETURN_INSNS  21

#define EVENT_MAX  0xfffu     /* AMD's have 12 bits                */
#define PERIOD_MAX (1u << 30) /* all counters can be loaded with it */

/* The numbers, as the log has them: "0xc4/0x20". */
void event_put(struct text *, uint32_t event, uint32_t umask);
