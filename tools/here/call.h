/* The traced call in a process, and the code that facilities are tried with. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "workload.h"

/* The two system calls around the traced call, as number and three arguments. */
struct call_gate {
    uint64_t open[4], close[4];
    uint64_t result; /* RAX at the return */
    uint64_t es;     /* 0: an interrupt or exception came since the first system call */
    uint64_t touch;  /* CALL_FAULTS: an exception comes after the return; 0: none does */
    uint64_t flags;  /* RFLAGS after that: CALL_TF, or 0 */
};

#define CALL_NULL_SELECTOR 3
#define CALL_FAULTS        (1ull << 63) /* no canonical address: #GP */
#define CALL_TF            (1ull << 8)

void call_traced(const uint8_t *code, const struct workload_env *, struct call_gate *)
    __attribute__((visibility("hidden")));

/* The first instruction after the first system call, the CALL, the instruction after it,
 * and the end of the NOPs that begin there.  The instruction that can fault, the one after
 * it, and the one before which TF traps. */
extern const uint8_t call_open[], call_call[], call_back[], call_rest[], call_touch[],
    call_touched[], call_end[] __attribute__((visibility("hidden")));

/* The code to try facilities with. */
extern const uint8_t call_try[], call_try_jump[], call_try_target[], call_try_jcc[],
    call_try_ret[] __attribute__((visibility("hidden")));

/* True from the first system call up to the CALL: no method traces that code. */
static inline bool call_is_before(uint64_t rip)
{
    return rip >= (uintptr_t)call_open && rip <= (uintptr_t)call_call;
}
