/*
 * An application processor (AP): its orders and its results.  It prints nothing; the
 * bootstrap processor (BSP) reads its results here.
 */
#pragma once

#include "barrier.h"
#include "machine.h"
#include "worker.h"

/* Either calls `work`; or it is the last order, and the AP goes back or halts for good. */
enum order { ORDER_WORK, ORDER_GIVE_BACK, ORDER_PARK };

#define AP_WHY_SIZE 128

struct ap {
    struct participant participant;
    struct barrier *barrier;
    struct machine_ap machine;
    uint64_t stack; /* its end */
    uint64_t tsc_hz;

    struct worker worker;
    uint32_t asked, answered, left; /* orders; left: the last one is done */
    enum order order;
    void (*work)(struct ap *);   /* of ORDER_WORK, with: */
    enum facility facility;      /* of a probe */
    const struct method *method; /* of a run   */
    const struct workload *workload;
    struct run_result run_result;
    uint64_t nmis;         /* stray ones since it came in                  */
    bool logged_lost;      /* the log has it                               */
    char why[AP_WHY_SIZE]; /* what it gave up for; empty: it did not */
};

/*
 * Where an AP comes in, on the firmware's stack and tables, and goes back to
 * it; a struct entrance is the argument.
 */
struct entrance {
    struct barrier *barrier;
    struct ap **aps;
};
void __attribute__((ms_abi)) ap_enter(void *entrance);

/* The entry of an AP that was started by INIT and SIPI, on its own stack and tables. */
void ap_main(void *ap);
