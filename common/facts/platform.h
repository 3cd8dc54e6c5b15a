/*
 * Platforms: bare metal, hypervisors and emulators, and what each is known to do with the
 * branch-trace hardware.  They are rows of data, like the models; each fact has its source.
 *
 * A probe result that a platform is known for is as expected there, even if the facility is
 * dead or deviates.  Any other result is a difference, since hypervisors change.  If no
 * source says what a platform does, its results are not judged.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "confidence.h"
#include "deviation.h"
#include "facility.h"
#include "model.h"

/*
 * The condition of a fact, besides the vendor.  All but ALWAYS are of processors that have
 * the facility, by the model's row and CPUID: without it, it is absent on every platform.
 */
enum platform_case {
    ALWAYS,
    MODEL_HAS,
    LBR_BY_CPUID,    /* the stack that CPUID announces: architectural LBR, AMD's v2  */
    LBR_FORMAT_FITS, /* IA32_PERF_CAPABILITIES.LBR_FMT is one that the model reports */
    LBR_FORMAT_ZERO, /* LBR_FMT is 0, or the register does not exist                 */
    MODEL_LACKS,     /* in no row, since it is the same on all platforms             */
};

#define FOUND(probe_result) (1u << (probe_result))
#define ANY_FINDING \
    (FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD) | FOUND(FAULTS) | FOUND(ABSENT))

/* The first that fits the machine counts; where none does, nothing is known. */
struct platform_fact {
    enum facility facility;
    enum platform_case when;
    const char *vendor;       /* of the processor; NULL: any                            */
    unsigned probe_results;   /* FOUND(...) of each that is as expected; ANY_FINDING: no
                            source says which, and nothing is judged               */
    unsigned known;           /* the results that the source states, where others are
                            accepted too; 0: all of probe_results                  */
    enum deviation deviation; /* with this alone DEVIATES is; NO_DEVIATION: any       */
    bool faulty;              /* runs that use it may differ: they are measured         */
    const char *about;        /* what the platform does, in one line                    */
    const char *source;
    enum confidence confidence;
};

#define PLATFORM_FACTS_MAX 24
struct platform {
    const char *name;       /* a word                                        */
    const char *about;      /* in one line                                   */
    const char *hypervisor; /* what CPUID.40000000H announces; "": nothing;
                               NULL: no log is judged by this row            */
    const char *vendors[2]; /* of the processor; none: any                   */
    const char *refused;    /* the sentence with which boot refuses it       */
    bool told_by_dead_btf;  /* two announce the same: where BTF should act and does
                               not, it is this one                           */
    bool io_at_once;        /* REP INS and OUTS may trap once for many rounds */
    bool rep_traps_at_zero; /* REP may trap once more, where it finds its count zero */
    bool tf_before;         /* TF counts as it was before SYSCALL and SYSRET, not after: the
                               SYSCALL that masks it traps, the SYSRET that loads it not */
    bool stays_halted;      /* a step trap that is pending does not end HLT */
    bool emulated;          /* no result here is a property of silicon       */
    bool judged_as_silicon; /* yet it may do whatever silicon may do         */
    uint32_t gets_wrong;    /* WORKLOAD_... of the workloads that it cannot run */
    struct platform_fact facts[PLATFORM_FACTS_MAX]; /* up to the first without about */
};

/* True on an emulator that is not judged as silicon is; NULL: nothing is known of it. */
static inline bool platform_is_emulated(const struct platform *platform)
{
    return platform && platform->emulated && !platform->judged_as_silicon;
}

extern const struct platform platforms[];
extern const size_t platform_count;

/* The row, or NULL where nothing is known of what announces itself so. */
const struct platform *platform_find(const char *hypervisor, const struct cpu_id *,
                                     const struct model *, bool btf_acts);

/*
 * Returns the row of a guest whose memory is encrypted, or NULL for any other.  Pass CPUID
 * leaf 21H, zeros if there is none (Linux, arch/x86/include/asm/shared/tdx.h), and MSR
 * C0010131, 0 if CPUID does not announce SEV (AMD64 APM vol. 2, "SEV_STATUS MSR").
 */
const struct platform *platform_encrypted(const uint32_t leaf_21h[4], uint64_t sev_status);

/* True if CPUID announces that the interrupt of a counter can freeze LBR. */
bool platform_freezes(const struct cpu_id *);

/* The row of this name, or NULL. */
const struct platform *platform_named(const char *name);

/* A processor on a platform. */
struct platform_guest {
    const struct cpu_id *id;
    const struct model *model; /* NULL: unknown                         */
    size_t lbr_depth;
    bool no_bts; /* IA32_MISC_ENABLE says that BTS is unavailable       */
};

/* The fact about a facility on this platform, or NULL if nothing is known. */
const struct platform_fact *platform_fact(const struct platform *,
                                          const struct platform_guest *, enum facility);

/* True if the platform is known for this result, and for these deviations. */
bool platform_expects(const struct platform_fact *, enum probe_result, uint32_t deviations);

/*
 * True if a result of the probe is a failure: the platform is known to do otherwise, or,
 * where nothing is known (fact is NULL), the facility does not as the manual says.  What an
 * unknown hypervisor makes deviate is not judged.
 */
bool platform_fails(const struct platform_fact *fact, enum probe_result,
                    uint32_t deviations, bool unknown_hypervisor);

/* True if no source says what the platform does with this facility. */
static inline bool platform_is_open(const struct platform_fact *fact)
{
    return fact->probe_results == ANY_FINDING && !fact->deviation;
}
