/*
 * The performance-monitoring interrupt, with which the processor says that a buffer or
 * a counter has come to where it was told to.
 *
 * Its gate turns recording off before it branches and on again before it returns, so in
 * a trace it leaves two records: FROM where it struck TO pmi_gate_entry, and FROM
 * pmi_gate_return back to there.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "idt.h"
#include "window.h"

/*
 * Who takes it.  An NMI may also come from elsewhere: the firmware, another counter, or an
 * earlier source that is off already.  What asks for an interrupt says so in a register or
 * in memory, and that alone tells the two apart.
 */
struct pmi_taker {
    bool (*asked)(const struct frame *); /* whether this taker's source asked for one */
    handler *take;                       /* one that was asked for                    */
    bool (*stray)(const struct frame *, bool goes_on); /* any other NMI, or NULL      */
};

/*
 * Lets it through to `taker`, whose functions run with recording off; `enable` is what the
 * window turns on.  It comes as an interrupt, which IF can hold back, or as NMI, which
 * nothing does but another.  pmi_gate_end masks it, and takes one that is still pending.
 *
 * An NMI that was not asked for is counted in idt_stray_nmis(), and what it interrupted
 * goes on as before.  `stray` notes what that NMI itself added to what is recorded or
 * counted; goes_on: the counter was on when it came, and is on again after it.  It returns
 * whether the source has asked because of what was added: then the interrupt is on its way,
 * and its mask is left to it.
 */
void pmi_gate_begin(bool nmi, const struct enable *, const struct pmi_taker *taker);
void pmi_gate_end(void);

/*
 * Waits until a counter that was turned off can send no more NMIs, for which the firmware
 * has no handler.  Call it before the machine is given back.  tsc_hz 0: unknown.
 */
void pmi_gate_outlast_nmis(uint64_t tsc_hz);

/* One that comes from here on is taken, and nobody is told; strays are still counted. */
void pmi_gate_forget(void);

/* For the handler: whether recording was on when the interrupt came. */
bool pmi_gate_interrupted_recording(void);

/* For the handler: whether the counter was on then; beside recording it is off first. */
bool pmi_gate_interrupted_counting(void);

/* For the handler: what stood in the register that turns recording on. */
uint64_t pmi_gate_interrupted_value(void);

/* For the handler: leaves recording, and what counts, off when it returns. */
void pmi_gate_stay_off(void);

/*
 * How many came without masking their entry in the local vector table, since
 * pmi_gate_begin.  A mask that a stray NMI finds is that of one of these, which comes right
 * after it.
 */
uint64_t pmi_gate_unmasked(void);

/* First and last instruction of the gate. */
extern const uint8_t pmi_gate_entry[],
    pmi_gate_return[] __attribute__((visibility("hidden")));
