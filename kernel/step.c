/*
 * step: single-stepping, the method that needs nothing but RFLAGS.TF.
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
#include "decode.h"
#include "method.h"
#include "registers.h"
#include "stops.h"

#define LONGEST_INSN 15

/* RFLAGS in the low half of info and RCX, saturated, in the high one, until drain(). */
#define RCX_ENOUGH 2 /* LOOP asks for 1, JRCXZ for 0 */

static void on_debug(struct frame *frame)
{
    if (!stops_event(frame))
        return;
    uint64_t rcx = frame->rcx < RCX_ENOUGH ? frame->rcx : RCX_ENOUGH;
    stops_add(frame, (struct branch){ .from = BRANCH_UNKNOWN,
                                      .to = frame->rip,
                                      .info = (uint32_t)frame->rflags | rcx << 32 });
}

static const char *lacks(const struct cpu *cpu, const struct facilities *found)
{
    (void)cpu;
    return facility_acts(&found->step) ? NULL : "TF raises no #DB here";
}

static size_t room(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu, (void)buffers;
    return 0;
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    stops_begin(buffers, on_debug);
    return (struct enable){ .rflags = RFLAGS_TF };
}

/* What a stop's flags say about the instruction at it: STOP_*, or 0. */
static uint64_t judged(const struct branch *stop)
{
    struct insn insn;
    const uint8_t *code = (const uint8_t *)stop->to; /* the code itself: it has just run */
    if (!decode_branch(code, LONGEST_INSN, stop->to, &insn) || insn.kind != KIND_JCC ||
        insn.target != stop->to + insn.length)
        return 0;
    bool taken = decode_taken(&insn, (uint32_t)stop->info, stop->info >> 32);
    return taken ? STOP_TAKEN : STOP_NOT_TAKEN;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    struct trace trace = { .count = stops_count(), .events = stops_events() };
    for (size_t i = 0; i < trace.count; i++)
        buffers->records[i].info = judged(&buffers->records[i]);
    return trace;
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    stops_end();
}

const struct method method_step = { "step", lacks, room, arm, drain, disarm };
