/*
 * A workload: a few instructions, and under them the trace that they must leave.
 *
 * One nasm file in kernel/workloads each; the macros that lay out these structs
 * are in kernel/workloads/workload.inc, which must agree with this header.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "branch.h"

#define LABEL_SIZE 16        /* bytes of a label with its dot and final NUL; empty: none */
#define CALLER     INT32_MIN /* offset that means: the call site, outside the workload */

/* One row of the expectation.  Rows are in order, oldest first. */
struct taken {
    int32_t from; /* offset from the workload's start, or CALLER */
    char from_label[LABEL_SIZE];
    int32_t to;
    char to_label[LABEL_SIZE];
    uint32_t kind;  /* enum kind, or ROW_REPEAT, ROW_END                   */
    uint32_t times; /* how often it comes; for ROW_REPEAT, how often the
                       rows up to the matching ROW_END come                */
};
_Static_assert(sizeof(struct taken) == 48, "as workload.inc writes it");

#define ROW_REPEAT    64 /* groups nest to ROW_DEPTH_MAX; other fields are 0 */
#define ROW_END       65
#define ROW_DEPTH_MAX 4

/*
 * A handler in the workload's own file, in the IDT while the window is open.  The vectors
 * above 255 are the entries of SYSCALL, with no flag cleared (IA32_FMASK 0) or only TF, and
 * of SYSENTER.
 */
#define STUB_DB         1 /* #DB and NMI, as the processor numbers them */
#define STUB_NMI        2
#define STUB_SYSCALL    256
#define STUB_SYSCALL_TF 257
#define STUB_SYSENTER   258
#define STUB_VECTORS    259
struct stub {
    uint32_t vector;
    uint32_t offset; /* from the workload's start */
};

/*
 * Code that does not run in ring 0 and 64-bit mode.  Code in no part does.  Parts are in
 * the order of their code and do not overlap.
 */
struct part {
    uint32_t begin,
        end;        /* offsets from the workload's start; `end` is the first after it */
    uint32_t flags; /* PART_...                                                     */
    uint32_t base;  /* of CS: what is added to EIP; 0 in 64-bit mode                */
};
#define PART_RING3  1
#define PART_COMPAT 2 /* CS.L = 0: code of 32 bits, which lies below 4 GiB */

/* The one base that is not 0: the kernel has a segment with it. */
#define PART_BASE 0x00400000

struct workload {
    const char *name;
    const char *about; /* what it shows, in one line */
    const uint8_t *code;
    const struct taken *expect;
    const struct stub *stubs;
    uint32_t size; /* bytes of code, stubs included */
    uint32_t rows;
    uint32_t stub_count;
    uint32_t flags;

    /* For a program in C, instead of rows: its trace as recorded on the build machine. */
    const uint8_t
        *packed; /* by common/branch/pack.h, portable, with the kind as info; or NULL */
    uint64_t packed_size;
    uint64_t transfers; /* in it, the call in and the return out included */
    uint64_t result;    /* what the program returned, meaningful with WORKLOAD_RESULT */

    const struct part *parts;
    uint32_t part_count;
    uint32_t expect_line; /* of EXPECT in the source; 0: not known */
};

/* The part that holds the code at an offset from the start; never NULL. */
const struct part *part_of(const struct workload *, uint64_t offset);
unsigned ring_of(const struct workload *, uint64_t offset); /* 0, outside too; or 3 */
bool workload_has_ring3(const struct workload *);

/* True if it has a handler of its own for this vector. */
bool workload_takes(const struct workload *, uint32_t vector);

/* True if its expected trace has a #DB. */
bool workload_expects_db(const struct workload *);

/* Takes events or is privileged: a user process cannot run it without help. */
#define WORKLOAD_RING0 1

/* Its return value, in RAX, is compared with `result`. */
#define WORKLOAD_RESULT 2

/* Has far pointers with offsets of 32 bits: must lie in the first 4 GiB. */
#define WORKLOAD_LOW 4

/* Stock QEMU is known to get this wrong, or to hang in it: for other machines only. */
#define WORKLOAD_NOT_STOCK 8

/* Needs the registers of the local APIC in memory. */
#define WORKLOAD_APIC 16

/* It uses the local APIC in x2APIC mode, where the registers are MSRs. */
#define WORKLOAD_X2APIC 64

/* Is long, and by each branch: not for methods that take an event of their own for each. */
#define WORKLOAD_MANY 32

/* Sends SMIs or NMIs for which it has no handler: its runs are hit, on an emulator too. */
#define WORKLOAD_HITS 128

/*
 * The environment of a workload: RDI points to it when the window calls the workload.
 * workload.inc has the fields under the names ENV_*.
 */
struct workload_env {
    uint64_t user_stack; /* the end of a stack of ENV_STACK_SIZE bytes for ring 3        */
    uint64_t apic;       /* where the local APIC's registers lie, or 0: not in memory    */
    uint64_t memory;     /* ENV_MEMORY_SIZE bytes to be read: what they hold is open    */
};
#define ENV_STACK_SIZE  4096
#define ENV_MEMORY_SIZE (8u << 20)

/* All of them, sorted by file name as the linker met them. */
extern const struct workload __start_workloads[] __attribute__((visibility("hidden")));
extern const struct workload __stop_workloads[] __attribute__((visibility("hidden")));
