/*
 * step: single-stepping, the method that needs nothing except RFLAGS.TF.
 *
 * With TF set the processor raises #DB after every instruction (SDM vol. 3B,
 * "Single-Step Exception Condition").  Each #DB pushes the address of the
 * instruction that comes next, so the trace is one of stops, and branches are told
 * apart afterwards by decoding: where a stop does not follow the instruction before
 * it, that instruction was a taken branch.  Only at a conditional branch whose
 * target is the next instruction do the addresses say nothing; there the flags and
 * RCX, saved at the stop before it, decide.
 *
 * The delivery of any event clears TF, so a handler is not stepped; IRETQ sets TF
 * again, and the first stop after it comes one instruction later.
 */
#include "method_facts.h"

METHOD_FACTS(step) = {
    .name = "step",
    .about = "RFLAGS.TF: a stop after every instruction",
    .needs = NEEDS(FACILITY_STEP),
    .stops = true,
    .every_insn = true,
    .blind_handlers = true,
    .event_each = true,
};

#ifdef KERNEL

#include "decode.h"
#include "machine.h"
#include "method.h"
#include "registers.h"
#include "stops.h"

/*
 * Until drain() info keeps what conditional branches ask for: the low half of RFLAGS,
 * above it RCX with CX saturated and what is above CX and above ECX as one bit each, so
 * that LOOP and JRCXZ decide as they would with all of it, with the prefix 67h too; and
 * whether the code there has 32 bits.
 */
#define FLAGS_BITS 16
#define FLAGS_MASK (BIT(FLAGS_BITS) - 1)
#define CX_ENOUGH  2 /* LOOP asks for 1, JCXZ for 0 */
#define IN_32_BITS BIT(63)

static uint64_t reduced(uint64_t rcx)
{
    uint16_t cx = (uint16_t)rcx;
    return (cx < CX_ENOUGH ? cx : CX_ENOUGH) | ((uint32_t)rcx >> 16 ? BIT(16) : 0) |
           (rcx >> 32 ? BIT(32) : 0);
}

static uint64_t in_32_bits(const struct frame *frame)
{
    return machine_runs_32_bits(frame) ? IN_32_BITS : 0;
}

static void on_debug(struct frame *frame)
{
    if (stops_event(frame))
        stops_add(frame, (struct branch){ .from = BRANCH_UNKNOWN,
                                          .to = machine_address(frame),
                                          .info = (frame->rflags & FLAGS_MASK) |
                                                  reduced(frame->rcx) << FLAGS_BITS |
                                                  in_32_bits(frame) });
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    stops_begin(buffers, on_debug);
    return (struct enable){ .rflags = RFLAGS_TF };
}

/* Decides from a stop's flags if the instruction there branches: STOP_*, or 0. */
static uint64_t judged(const struct branch *stop)
{
    struct insn insn;
    uint64_t capacity =
        machine_code_at(stop->to); /* a wild jump can stop where nothing is */
    const uint8_t *code = (const uint8_t *)stop->to;
    const struct part part = { .flags = stop->info & IN_32_BITS ? PART_COMPAT : 0 };
    if (!decode_in(&part, code, capacity, stop->to, &insn) || insn.kind != KIND_JCC ||
        insn.target != stop->to + insn.length)
        return 0;
    bool taken = decode_taken(&insn, stop->info & FLAGS_MASK,
                              (stop->info & ~IN_32_BITS) >> FLAGS_BITS);
    return taken ? STOP_TAKEN : STOP_NOT_TAKEN;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    struct trace trace = stops_trace(cpu, buffers);
    for (size_t i = 0; i < trace.count; i++)
        buffers->records[i].info = judged(&buffers->records[i]);
    return trace;
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    stops_end();
}

METHOD(step) = {
    .facts = &facts_step,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
};

#endif
