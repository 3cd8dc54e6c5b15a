/*
 * pmi_gate.h.  SDM vol. 3A, "Local Vector Table"; vol. 3B, "Writing the DS Interrupt
 * Service Routine".
 *
 * Delivery sets the mask in the entry of the local vector table, so each handler must
 * clear it or has been the last one.  It is cleared after `take`, when the condition
 * that asked for the interrupt is gone.
 *
 * NMIs are not counted by the processor: one that comes while another is pending, or is
 * handled, may be the same to it.  So each NMI asks the source.  If the source had asked
 * and a stray NMI came first, that one is taken as the interrupt, and the interrupt itself,
 * which finds nothing any more, as the stray one.
 */
#include "pmi_gate.h"

#include "apic.h"
#include "registers.h"
#include "x86.h"

/*
 * AMD's counters may send their NMI up to 100 ms after they were turned off (Linux, commit
 * df4d29732fda, "perf/x86/amd: Change/fix NMI latency mitigation to use a timestamp").
 */
#define LATE_A_SECOND 10         /* 100 ms */
#define FAST_HZ       5000000000 /* of an unmeasured TSC: too long a wait is harmless */

extern handler *pmi_handler __attribute__((visibility("hidden")));
extern uint64_t pmi_vector __attribute__((visibility("hidden")));
extern uint64_t pmi_msr __attribute__((visibility("hidden")));
extern uint64_t pmi_off __attribute__((visibility("hidden")));
extern uint64_t pmi_interrupted __attribute__((visibility("hidden")));
extern uint64_t pmi_counter __attribute__((visibility("hidden")));
extern uint64_t pmi_counter_on __attribute__((visibility("hidden")));
extern uint64_t pmi_counter_off __attribute__((visibility("hidden")));

static struct pmi_taker taker;
static bool forgets;       /* nobody is told any more */
static struct enable both; /* what the window turns on, and its counter */
static bool is_nmi;
static bool has_counter;      /* beside what records */
static bool counting;         /* ...and that was on when the interrupt came */
static bool stopped;          /* the last one left the counter off  */
static uint64_t taken, masks; /* the interrupts, and those masks that were found set */
static uint64_t last_nmi;     /* when its source was turned off; 0: there was none */

/* It is one that the source asked for. */
static void take(struct frame *frame)
{
    bool recording = pmi_gate_interrupted_recording();
    pmi_counter_on = recording && counting ? both.counter_on : both.counter_off;
    taken++;
    if (!forgets)
        taker.take(frame);
    stopped = pmi_counter_on == both.counter_off;
}

/* Both registers get back what they held.  True: an interrupt comes of it. */
static bool pass_by(const struct frame *frame)
{
    bool goes_on = counting && !stopped;
    idt_count_stray_nmi();
    pmi_counter_on = goes_on ? both.counter_on : both.counter_off;
    if (!has_counter)
        pmi_counter_on = pmi_interrupted; /* they are one register */
    return taker.stray && !forgets && taker.stray(frame, goes_on);
}

/* What the gate calls, with recording off. */
static void on_pmi(struct frame *frame)
{
    counting = has_counter ? window_counts(frame->rip) : pmi_gate_interrupted_recording();
    bool is_due = false;
    if (!is_nmi || taker.asked(frame))
        take(frame);
    else
        is_due = pass_by(frame);
    if (!is_due)
        masks += apic_pmi_unmask(); /* a stray one's too: it may be another counter's */
    if (!is_nmi)
        apic_end_of_interrupt();
}

void pmi_gate_begin(bool nmi, const struct enable *enable, const struct pmi_taker *by)
{
    taker = *by;
    forgets = stopped = false;
    is_nmi = nmi;
    taken = masks = 0;
    pmi_handler = on_pmi;
    pmi_vector = nmi ? VECTOR_NMI : VECTOR_PMI;
    both = window_both(enable);
    has_counter = enable->counter;
    pmi_msr = both.msr;
    pmi_off = both.off;
    pmi_counter = both.counter;
    pmi_counter_off = both.counter_off;
    idt_gate((unsigned)pmi_vector, pmi_gate_entry);
    apic_pmi_open(nmi);
}

void pmi_gate_end(void)
{
    apic_pmi_close();
    idt_unstub((unsigned)pmi_vector);
    if (is_nmi)
        last_nmi = rdtsc();
}

void pmi_gate_outlast_nmis(uint64_t tsc_hz)
{
    uint64_t late = (tsc_hz ? tsc_hz : FAST_HZ) / LATE_A_SECOND;
    while (last_nmi && rdtsc() - last_nmi < late)
        pause();
    last_nmi = 0;
}

void pmi_gate_forget(void)
{
    forgets = true;
}

bool pmi_gate_interrupted_recording(void)
{
    return (pmi_interrupted & both.on) == both.on; /* #DB clears but one bit of LBR_CTL */
}

bool pmi_gate_interrupted_counting(void)
{
    return counting;
}

uint64_t pmi_gate_interrupted_value(void)
{
    return pmi_interrupted;
}

void pmi_gate_stay_off(void)
{
    pmi_interrupted = pmi_off;
    pmi_counter_on = both.counter_off;
}

uint64_t pmi_gate_unmasked(void)
{
    return taken > masks ? taken - masks : 0;
}
