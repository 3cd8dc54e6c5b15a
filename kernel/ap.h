/*
 * An application processor (AP): its orders and its results.  It prints nothing; the
 * bootstrap processor (BSP) reads its results here.
 */
#pragma once

#include "machine.h"
#include "barrier.h"
#include "run.h"
#include "session.h"

enum order { ORDER_PROBE, ORDER_RUN, ORDER_GIVE_BACK, ORDER_PARK };

#define AP_WHY_SIZE 128

struct ap {
    struct participant participant; /* the first member */
    struct barrier *barrier;
    struct machine_ap machine;
    uint64_t stack; /* its end */

    struct session session;         /* of which it has processor, facilities and buffers */
    uint32_t asked, answered, left; /* orders; left: the last one is done */
    enum order order;
    enum facility facility;      /* of ORDER_PROBE */
    const struct method *method; /* of ORDER_RUN   */
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
