/*
 * pmi.h.  SDM vol. 3A, "Local Vector Table"; vol. 3B, "Writing the DS Interrupt Service
 * Routine".
 *
 * Delivery sets the mask in the entry of the local vector table, so each handler must
 * clear it or has been the last one.  It is cleared behind `handle`, when the condition
 * that asked for the interrupt is gone.
 */
#include "pmi.h"

#include "apic.h"
#include "registers.h"
#include "x86.h"

/*
 * AMD's counters may send their NMI so long after they were turned off (Linux, commit
 * df4d29732fda, "perf/x86/amd: Change/fix NMI latency mitigation to use a timestamp").
 */
#define LATE_A_SECOND 10         /* 100 ms */
#define FAST_HZ       5000000000 /* where nobody has measured: rather too long */

extern uint64_t pmi_vector __attribute__((visibility("hidden")));
extern uint64_t pmi_msr __attribute__((visibility("hidden")));
extern uint64_t pmi_off __attribute__((visibility("hidden")));
extern uint64_t pmi_interrupted __attribute__((visibility("hidden")));
extern uint64_t pmi_counter __attribute__((visibility("hidden")));
extern uint64_t pmi_counter_on __attribute__((visibility("hidden")));
extern uint64_t pmi_counter_off __attribute__((visibility("hidden")));

static handler *handle;
static struct enable both; /* what the window turns on, and its counter */
static bool is_nmi;
static bool has_counter; /* beside what records */
static bool counting;    /* ...and that was on when the interrupt came */
static uint64_t unmasked;
static uint64_t last_nmi; /* when its source was turned off; 0: there was none */

void pmi_take(struct frame *); /* called by pmi.asm */

void pmi_take(struct frame *frame)
{
    bool recording = pmi_interrupted_recording();
    counting = has_counter ? window_counts(frame->rip) : recording;
    pmi_counter_on = recording && counting ? both.counter_on : both.counter_off;
    handle(frame);
    if (!apic_pmi_unmask())
        unmasked++;
    if (!is_nmi)
        apic_end_of_interrupt();
}

void pmi_begin(bool nmi, const struct enable *enable, handler *take)
{
    handle = take;
    is_nmi = nmi;
    unmasked = 0;
    pmi_vector = nmi ? VECTOR_NMI : VECTOR_PMI;
    both = window_both(enable);
    has_counter = enable->counter;
    pmi_msr = both.msr;
    pmi_off = both.off;
    pmi_counter = both.counter;
    pmi_counter_off = both.counter_off;
    idt_gate((unsigned)pmi_vector, pmi_entry);
    apic_pmi_open(nmi);
}

void pmi_end(void)
{
    apic_pmi_close();
    idt_unstub((unsigned)pmi_vector);
    if (is_nmi)
        last_nmi = rdtsc();
}

void pmi_outlast_nmis(uint64_t tsc_hz)
{
    uint64_t late = (tsc_hz ? tsc_hz : FAST_HZ) / LATE_A_SECOND;
    while (last_nmi && rdtsc() - last_nmi < late)
        pause();
    last_nmi = 0;
}

static void forget(struct frame *frame)
{
    (void)frame;
}

void pmi_forget(void)
{
    handle = forget;
}

void pmi_settle(void)
{
    apic_take_pending();
}

bool pmi_interrupted_recording(void)
{
    return (pmi_interrupted & both.on) == both.on; /* #DB clears but one bit of LBR_CTL */
}

bool pmi_interrupted_counting(void)
{
    return counting;
}

uint64_t pmi_interrupted_value(void)
{
    return pmi_interrupted;
}

void pmi_stay_off(void)
{
    pmi_interrupted = pmi_off;
    pmi_counter_on = both.counter_off;
}

uint64_t pmi_unmasked(void)
{
    return unmasked;
}
