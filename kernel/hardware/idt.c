/* idt.h */
#include "idt.h"

#include <stddef.h>

#include "machine.h"
#include "msr.h"
#include "panic.h"
#include "registers.h"

/* SDM vol. 3A, "64-Bit Mode IDT". */
struct gate {
    uint16_t offset_low, selector;
    uint8_t ist, type;
    uint16_t offset_middle;
    uint32_t offset_high, reserved;
};
_Static_assert(sizeof(struct gate) == 16, "64-Bit IDT Gate Descriptors");

#define GATE_INTERRUPT 0x8e /* present, DPL 0, clears IF and TF on entry */
#define GATE_OPEN      0xee /* the same with DPL 3: INT n of ring 3 too */
#define ENTRY_BYTES    16   /* of vectors.asm */

extern const uint8_t vectors_entry[] __attribute__((visibility("hidden")));
extern handler *vectors_handler __attribute__((visibility("hidden")));

static struct gate gates[VECTORS] __attribute__((aligned(16)));
_Static_assert(sizeof gates == IDT_BYTES, "idt.h");

static handler *hooks[VECTORS], *fallback;
static uint64_t stray_nmis;

/* Exceptions that must find a good stack whatever the workload did to its own. */
static uint8_t ist_of(unsigned vector)
{
    switch (vector) {
    case VECTOR_DB:
        return IST_DB;
    case VECTOR_NMI:
        return IST_NMI;
    case VECTOR_DF:
        return IST_DF;
    case VECTOR_MC:
        return IST_MC;
    case VECTOR_PF:
        return IST_PF;
    default:
        return 0;
    }
}

static void set_gate(unsigned vector, const uint8_t *code, uint8_t ist, uint8_t type)
{
    uint64_t offset = (uint64_t)code;
    gates[vector] = (struct gate){
        .offset_low = (uint16_t)offset,
        .offset_middle = (uint16_t)(offset >> 16),
        .offset_high = (uint32_t)(offset >> 32),
        .selector = SELECTOR_CODE,
        .ist = ist,
        .type = type,
    };
}

void idt_gate(unsigned vector, const uint8_t *code)
{
    set_gate(vector, code, ist_of(vector), GATE_INTERRUPT);
}

void idt_unstub(unsigned vector)
{
    idt_gate(vector, vectors_entry + (size_t)vector * ENTRY_BYTES);
}

void idt_stub(unsigned vector, const uint8_t *code)
{
    set_gate(vector, code, 0, GATE_OPEN);
}

void idt_hook(unsigned vector, handler *take)
{
    hooks[vector] = take;
}

void idt_hook_rest(handler *take)
{
    fallback = take;
}

const void *idt_table(void)
{
    return gates;
}

uint64_t idt_stray_nmis(void)
{
    return stray_nmis;
}

void idt_count_stray_nmi(void)
{
    stray_nmis++;
}

/* Called by every entry of vectors.asm. */
static void trap(struct frame *frame)
{
    if (hooks[frame->vector]) {
        hooks[frame->vector](frame);
        return;
    }
    /*
     * AMD's counters may still send their NMI 100 ms after they were turned off (Linux,
     * commit df4d29732fda, "perf/x86/amd: Change/fix NMI latency mitigation to use a
     * timestamp").  Nothing here may fault: the IRETQ of a nested exception would let in
     * another NMI, which begins at the same end of the same stack.
     */
    if (frame->vector == VECTOR_NMI) {
        idt_count_stray_nmi();
        return;
    }
    uint64_t resume = frame->vector == VECTOR_GP ? msr_resume(frame->rip) : 0;
    if (resume)
        frame->rip = resume;
    else if (fallback)
        fallback(frame);
    else
        panic_frame("exception", frame);
}

void idt_fill(void)
{
    vectors_handler = trap;
    for (unsigned vector = 0; vector < VECTORS; vector++)
        idt_unstub(vector);
}
