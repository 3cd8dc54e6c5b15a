/*
 * The trap flag makes the processor stop after every instruction; Linux hands the
 * stop to this process as SIGTRAP, with all registers.
 *
 * The handler of the signal notes where the last instruction stood and where it
 * led.  A tracer of another process (ptrace) would see the same at twice the cost.
 *
 * Events: an INT n or a fault that the workload has a stub for reaches us as a
 * signal too.  Where it struck is the processor's word; the entry of the stub is
 * then made by hand, as the manual says that an interrupt gate makes it (SDM vol.
 * 3A, "64-Bit Mode Stack Frame"), except that TF stays set, so that the stub is
 * seen as well.  The IRETQ is the processor's again: it works in ring 3.
 *
 * Rings: all runs in ring 3 here, and what a workload runs there runs there for real, with
 * the selectors that Linux has for 64 and 32 bits, and one of the LDT for a CS base.  What
 * it runs in ring 0 is imitated: a frame with ring 0's selectors gets this process's before
 * IRETQ takes it, a stub that ring 3 enters gets a stack of its own, and SYSCALL, SYSRET,
 * SYSENTER and SYSEXIT are passed over.  Each place must run in the mode, and must be
 * returned to with the selector, that PART says of it.
 *
 * TF is this tracer's.  A POPF or IRETQ that would clear it gets it set in what it
 * takes from the stack, and what the workload wanted is kept: as a mark in the trace,
 * or, where the workload has a stub for #DB, as the TF that it may set for itself.
 * What ring 3 may not do, and what hides the next instruction from TF (MOV SS), is
 * passed over by hand.  The local APIC is one on paper: apic.h.
 */
#include "step.h"

#include "apic.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <asm/ldt.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <Zydis/Zydis.h>

#define STACK_BYTES  16384 /* what the kernel gives a workload */
#define GUARD_BYTES  4096
#define ABOVE_BYTES  64 /* for a workload that takes more from the stack than it put */
#define SIGNAL_STACK 65536

#define FLAG_CF BIT(0)
#define FLAG_PF BIT(2)
#define FLAG_ZF BIT(6)
#define FLAG_SF BIT(7)
#define FLAG_TF BIT(8)
#define FLAG_IF BIT(9)
#define FLAG_OF BIT(11)
#define BIT(n)  (UINT64_C(1) << (n))

/* SDM vol. 3A, "Exception and Interrupt Reference". */
#define VECTOR_DB 1
#define VECTOR_BP 3
#define VECTOR_DF 8
#define VECTOR_TS 10
#define VECTOR_GP 13
#define VECTOR_PF 14
#define VECTOR_AC 17
#define VECTOR_CP 21

/* SDM vol. 2, "MOV": its opcode, and what the reg field of its ModRM names. */
#define MOV_FROM_SEGMENT 0x8c
#define MOV_TO_SEGMENT   0x8e
#define SEGMENT_CS       1
#define SEGMENT_SS       2

/* Selectors of workload.inc: the kernel's of ring 0, and those of ring 3, Linux's too. */
#define CODE0   0x10
#define DATA0   0x18
#define COMPAT3 0x23
#define DATA3   0x2b
#define CODE3   0x33
#define BASED3  0x07 /* entry 0 of the LDT */

#define ERROR_IDT          BIT(1) /* the error code of #GP names a gate of the IDT */
#define ERROR_INDEX(error) ((error) >> 3 & 0xff)

uint64_t step_window(const uint8_t *code, void *stack, const struct workload_env *,
                     uint64_t flags);

/*
 * uint64_t step_window(const uint8_t *code, void *stack, const struct workload_env *,
 *                      uint64_t flags);
 *
 * POPF sets TF, if it is among the flags; the first trap then comes after the CALL.
 * The stack pointer is kept in memory, so that a workload can be left from
 * anywhere by going on at step_back.
 */
__asm__("        .text\n"
        "        .globl  step_window, step_call, step_back\n"
        "step_window:\n"
        "        push    %rbx\n"
        "        push    %rbp\n"
        "        push    %r12\n"
        "        push    %r13\n"
        "        push    %r14\n"
        "        push    %r15\n"
        "        mov     %rsp, outside_stack(%rip)\n"
        "        mov     %rsi, %rsp\n"
        "        mov     %rdi, %rax\n"
        "        mov     %rdx, %rdi\n"
        "        cld\n"
        "        pushfq\n"
        "        or      %rcx, (%rsp)\n"
        "        popfq\n"
        "step_call:\n"
        "        call    *%rax\n"
        "step_back:\n"
        "        mov     %rax, program_result(%rip)\n"
        "        mov     %rsp, %rax\n" /* where the workload left its stack */
        "        mov     outside_stack(%rip), %rsp\n"
        "        pop     %r15\n"
        "        pop     %r14\n"
        "        pop     %r13\n"
        "        pop     %r12\n"
        "        pop     %rbp\n"
        "        pop     %rbx\n"
        "        ret\n"
        "        .local  outside_stack\n"
        "        .comm   outside_stack, 8, 8\n"
        "        .comm   program_result, 8, 8\n");
extern uint64_t program_result;

/* What the processor was about to do when it last stopped. */
static struct {
    const struct workload *workload;
    struct step_trace trace;
    ZydisDecoder decoder, decoder_32;
    ZydisDecodedInstruction insn; /* the one at `at` */
    bool known;                   /* ...if it could be decoded */
    uint64_t at, flags, rcx;
    bool own_tf;              /* the workload has set TF, for its stub of #DB           */
    bool own_trap;            /* ...and had before the instruction at `at`              */
    bool dark;                /* the workload has cleared the TF of whoever steps it    */
    enum kind mark;           /* what the instruction at `at` does to TF, or KIND_NONE  */
    uint64_t ring0_stack;     /* where a stub begins that ring 3 enters */
    bool returns, returns_if; /* it is an IRETQ, and the IF that it takes */
    bool read_cs;             /* ring 0 has read its CS, which is that of this process  */
    uint64_t budget;
    bool done;
} now;

static uint16_t cs_of(const greg_t *regs)
{
    return (uint16_t)regs[REG_CSGSFS];
}

/* Where the next instruction lies: its CS base added. */
static uint64_t place_of(const greg_t *regs)
{
    uint64_t rip = (uint64_t)regs[REG_RIP];

    return cs_of(regs) == BASED3 ? (uint32_t)(rip + PART_BASE) : rip;
}

static const struct part *part_at(uint64_t address)
{
    static const struct part rest = { .flags = 0 };
    uint64_t offset = address - (uintptr_t)now.workload->code;

    for (uint32_t i = 0; i < now.workload->part_count; i++)
        if (offset >= now.workload->parts[i].begin && offset < now.workload->parts[i].end)
            return &now.workload->parts[i];
    return &rest;
}

/* The selector with which the code there runs in the kernel. */
static uint16_t selector_of(const struct part *part)
{
    if (part->flags & PART_COMPAT)
        return part->base ? BASED3 : COMPAT3;
    return part->flags & PART_RING3 ? CODE3 : CODE0;
}

static bool in_workload(uint64_t address)
{
    return address - (uintptr_t)now.workload->code < now.workload->size;
}

static void stop_at(const greg_t *regs)
{
    now.at = place_of(regs);
    now.flags = (uint64_t)regs[REG_EFL];
    now.rcx = (uint64_t)regs[REG_RCX];
    now.known =
        in_workload(now.at) &&
        ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
            part_at(now.at)->flags & PART_COMPAT ? &now.decoder_32 : &now.decoder, NULL,
            (const void *)now.at,
            (uintptr_t)now.workload->code + now.workload->size - now.at, &now.insn));
}

static void give_up(greg_t *regs, const char *trouble, int vector)
{
    now.trace.trouble = trouble;
    now.trace.trouble_vector = vector;
    now.done = true;
    regs[REG_RIP] = (greg_t)step_back;
    regs[REG_CSGSFS] = (regs[REG_CSGSFS] & ~(greg_t)0xffff) | CODE3;
    regs[REG_EFL] &= ~(greg_t)FLAG_TF;
}

void step_record(struct step_trace *trace, uint64_t from, uint64_t to, enum kind kind)
{
    struct step_run *last = trace->count ? &trace->runs[trace->count - 1] : NULL;

    if (last && last->from == from && last->to == to && last->kind == kind) {
        last->times++;
        return;
    }
    if (trace->count == trace->capacity) {
        trace->capacity = trace->capacity ? 2 * trace->capacity : 64;
        /* Inside a signal handler, but what it interrupts is never the allocator. */
        trace->runs = realloc(trace->runs, trace->capacity * sizeof(*trace->runs));
        if (!trace->runs)
            abort();
    }
    trace->runs[trace->count++] = (struct step_run){ from, to, kind, 1 };
}

static void record(uint64_t to, enum kind kind)
{
    step_record(&now.trace, now.at, to, kind);
}

enum kind step_kind(const ZydisDecodedInstruction *insn)
{
    bool direct = insn->raw.imm[0].is_relative;

    if (insn->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        return insn->meta.category == ZYDIS_CATEGORY_RET &&
                       insn->mnemonic != ZYDIS_MNEMONIC_RET
                   ? KIND_IRET
                   : KIND_FAR;
    switch (insn->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        return KIND_JCC;
    case ZYDIS_CATEGORY_UNCOND_BR:
        return direct ? KIND_JMP : KIND_IJMP;
    case ZYDIS_CATEGORY_CALL:
        return direct ? KIND_CALL : KIND_ICALL;
    case ZYDIS_CATEGORY_RET:
        switch (insn->mnemonic) {
        case ZYDIS_MNEMONIC_IRET:
        case ZYDIS_MNEMONIC_IRETD:
        case ZYDIS_MNEMONIC_IRETQ:
            return KIND_IRET;
        default:
            return KIND_RET;
        }
    case ZYDIS_CATEGORY_INTERRUPT:
        return KIND_INT;
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
        return KIND_FAR;
    default:
        return KIND_NONE;
    }
}

/* SDM vol. 2, "Jcc" and "LOOP/LOOPcc". */
bool step_taken(const ZydisDecodedInstruction *insn, uint64_t flags, uint64_t rcx)
{
    uint64_t count = insn->address_width == 32 ? (uint32_t)rcx : rcx;
    bool cf = flags & FLAG_CF, pf = flags & FLAG_PF, zf = flags & FLAG_ZF,
         sf = flags & FLAG_SF, of = flags & FLAG_OF;

    switch (insn->mnemonic) {
    case ZYDIS_MNEMONIC_JO:
        return of;
    case ZYDIS_MNEMONIC_JNO:
        return !of;
    case ZYDIS_MNEMONIC_JB:
        return cf;
    case ZYDIS_MNEMONIC_JNB:
        return !cf;
    case ZYDIS_MNEMONIC_JZ:
        return zf;
    case ZYDIS_MNEMONIC_JNZ:
        return !zf;
    case ZYDIS_MNEMONIC_JBE:
        return cf || zf;
    case ZYDIS_MNEMONIC_JNBE:
        return !cf && !zf;
    case ZYDIS_MNEMONIC_JS:
        return sf;
    case ZYDIS_MNEMONIC_JNS:
        return !sf;
    case ZYDIS_MNEMONIC_JP:
        return pf;
    case ZYDIS_MNEMONIC_JNP:
        return !pf;
    case ZYDIS_MNEMONIC_JL:
        return sf != of;
    case ZYDIS_MNEMONIC_JNL:
        return sf == of;
    case ZYDIS_MNEMONIC_JLE:
        return zf || sf != of;
    case ZYDIS_MNEMONIC_JNLE:
        return !zf && sf == of;
    case ZYDIS_MNEMONIC_JRCXZ:
    case ZYDIS_MNEMONIC_JECXZ:
        return count == 0;
    case ZYDIS_MNEMONIC_LOOP:
        return count != 1;
    case ZYDIS_MNEMONIC_LOOPE:
        return count != 1 && zf;
    case ZYDIS_MNEMONIC_LOOPNE:
        return count != 1 && !zf;
    default:
        abort(); /* Zydis knows a conditional branch that the manual does not */
    }
}

static const struct stub *stub_for(uint32_t vector)
{
    for (uint32_t i = 0; i < now.workload->stub_count; i++)
        if (now.workload->stubs[i].vector == vector)
            return &now.workload->stubs[i];
    return NULL;
}

/* The instruction at now.at has completed, and `to` is next. */
static void completed(greg_t *regs, uint64_t to)
{
    const ZydisDecodedInstruction *insn = &now.insn;
    enum kind kind;
    uint64_t next, target;

    if (now.at == (uintptr_t)step_call) {
        record(to, KIND_ICALL);
        return;
    }
    if (!now.known) {
        give_up(regs, "ran where no instruction of it stands", -1);
        return;
    }
    next = now.at + insn->length;
    /* Under TF a repeated string instruction stops after each element. */
    if (to == now.at && insn->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
                                            ZYDIS_ATTRIB_HAS_REPNE))
        return;
    now.trace.instructions++;
    kind = step_kind(insn);
    if (now.mark != KIND_NONE) {
        record(to, now.mark);
        return;
    }
    if (to == next && (kind == KIND_NONE || insn->mnemonic == ZYDIS_MNEMONIC_INTO))
        return;
    if (kind == KIND_JCC) {
        bool jumps = step_taken(insn, now.flags, now.rcx);

        target = next + (uint64_t)insn->raw.imm[0].value.s;
        if (to != (jumps ? target : next)) {
            give_up(regs, "a conditional branch went against the flags", -1);
            return;
        }
        if (!jumps)
            return;
    }
    record(to, kind);
}

static bool has_error_code(int vector)
{
    return vector == VECTOR_DF || (vector >= VECTOR_TS && vector <= VECTOR_PF) ||
           vector == VECTOR_AC || vector == VECTOR_CP;
}

static void push(greg_t *regs, uint64_t value)
{
    regs[REG_RSP] -= 8;
    *(uint64_t *)regs[REG_RSP] = value;
}

/* Ring 0 has the selectors of this process, whatever it thinks of itself. */
static void run_stub(greg_t *regs, const struct stub *stub)
{
    regs[REG_RIP] = (greg_t)(now.workload->code + stub->offset);
    regs[REG_CSGSFS] = (regs[REG_CSGSFS] & ~(greg_t)0xffff) | CODE3;
}

/* As an interrupt gate does it, but for TF. */
static void enter_stub(greg_t *regs, const struct stub *stub, uint64_t resume,
                       bool with_error)
{
    const struct part *part = part_at(now.at);
    bool ring3 = part->flags & PART_RING3;
    uint64_t rsp = (uint64_t)regs[REG_RSP];

    if (ring3)
        regs[REG_RSP] = (greg_t)now.ring0_stack;
    regs[REG_RSP] &= ~(greg_t)15;
    push(regs, ring3 ? DATA3 : DATA0);
    push(regs, rsp);
    push(regs, ((uint64_t)regs[REG_EFL] & ~FLAG_IF) | (apic_gate() ? FLAG_IF : 0));
    push(regs, selector_of(part));
    push(regs, resume - part->base);
    if (with_error)
        push(regs, (uint64_t)regs[REG_ERR]);
    run_stub(regs, stub);
}

/* Who makes a frame out of what MOV from CS gives goes to ring 0 with this process's CS. */
static void note_cs(void)
{
    if (now.known && now.insn.opcode == MOV_FROM_SEGMENT &&
        now.insn.raw.modrm.reg == SEGMENT_CS && !(part_at(now.at)->flags & PART_RING3))
        now.read_cs = true;
}

/* The frame that the IRETQ at now.at takes: its selector must be the target's. */
static void to_this_process(greg_t *regs)
{
    uint64_t *frame = (uint64_t *)regs[REG_RSP];
    uint16_t want;
    uint64_t to;

    if (!now.known || now.insn.mnemonic != ZYDIS_MNEMONIC_IRETQ)
        return;
    to = frame[1] == BASED3 ? (uint32_t)(frame[0] + PART_BASE) : frame[0];
    want = selector_of(part_at(to));
    if (want == CODE0 && frame[1] == CODE3 && now.read_cs)
        return;
    if (frame[1] != want) {
        give_up(regs, "IRETQ takes another CS than PART says of where it goes", -1);
    } else if (frame[1] == CODE0) {
        frame[1] = CODE3;
        frame[4] = DATA3;
    }
}

/* The flags that the instruction at now.at takes from the stack, or NULL. */
static uint64_t *flags_taken(const greg_t *regs)
{
    uint64_t *top = (uint64_t *)regs[REG_RSP];

    switch (now.known ? now.insn.mnemonic : ZYDIS_MNEMONIC_INVALID) {
    case ZYDIS_MNEMONIC_POPFQ:
        return top;
    case ZYDIS_MNEMONIC_IRETQ:
        return top + 2;
    default:
        return NULL;
    }
}

/* Keeps TF set whatever the next instruction takes, and notes what it would have done. */
static void keep_tf(const greg_t *regs)
{
    uint64_t *flags = flags_taken(regs);
    bool wanted;

    now.own_trap = now.own_tf;
    now.returns = flags && now.insn.mnemonic == ZYDIS_MNEMONIC_IRETQ;
    if (!flags)
        return;
    now.returns_if = *flags & FLAG_IF;
    wanted = *flags & FLAG_TF;
    *flags |= FLAG_TF;
    if (stub_for(VECTOR_DB)) {
        now.own_tf = wanted;
    } else if (wanted == now.dark) {
        now.dark = !wanted;
        now.mark = now.dark ? KIND_TF_CLEARED : KIND_TF_SET;
    }
}

/* A PUSHF has just stored this tracer's TF: with a stub for #DB it is the workload's. */
static void hide_tf(const greg_t *regs, const ZydisDecodedInstruction *insn)
{
    if (now.known && insn->mnemonic == ZYDIS_MNEMONIC_PUSHFQ && stub_for(VECTOR_DB) &&
        !now.own_tf)
        *(uint64_t *)regs[REG_RSP] &= ~FLAG_TF;
}

/* #DB, by ICEBP or because the workload had TF set. */
static void debug_exception(greg_t *regs)
{
    enter_stub(regs, stub_for(VECTOR_DB), (uint64_t)regs[REG_RIP], false);
    ((uint64_t *)regs[REG_RSP])[2] &= now.own_trap ? ~UINT64_C(0) : ~FLAG_TF;
    now.own_tf = false;
    record((uint64_t)regs[REG_RIP], KIND_DB);
}

/* Whether the next instruction is passed over, its effect on the flow made by hand. */
static bool passed_over(greg_t *regs)
{
    uint64_t next = now.at + now.insn.length;
    const struct stub *masking = stub_for(STUB_SYSCALL_TF);
    const struct stub *entry = masking ? masking : stub_for(STUB_SYSCALL);
    const struct stub *sysenter = stub_for(STUB_SYSENTER);
    bool ring3 = part_at(now.at)->flags & PART_RING3;
    uint32_t id;

    if (part_at(now.at)->flags & PART_COMPAT)
        return false;
    switch (now.known ? now.insn.mnemonic : ZYDIS_MNEMONIC_INVALID) {
    case ZYDIS_MNEMONIC_MOV: /* to SS: the value that is there */
        if (now.insn.opcode != MOV_TO_SEGMENT || now.insn.raw.modrm.reg != SEGMENT_SS)
            return false;
        now.mark = KIND_TF_HELD;
        break;
    case ZYDIS_MNEMONIC_INSB:
    case ZYDIS_MNEMONIC_OUTSB:
        regs[REG_RCX] = 0;
        break;
    case ZYDIS_MNEMONIC_CLI:
        if (ring3)
            return false;
        apic_cli();
        break;
    case ZYDIS_MNEMONIC_STI:
        if (ring3)
            return false;
        apic_sti();
        break;
    case ZYDIS_MNEMONIC_HLT: /* what ends it has struck before the next one */
        if (ring3)
            return false;
        break;
    case ZYDIS_MNEMONIC_WRMSR:
        if (ring3 || !apic_write_msr((uint32_t)regs[REG_RCX], (uint32_t)regs[REG_RAX],
                                     (uint32_t)regs[REG_RDX]))
            return false;
        break;
    case ZYDIS_MNEMONIC_RDMSR:
        if (ring3 || !apic_read_id((uint32_t)regs[REG_RCX], &id))
            return false;
        regs[REG_RAX] = id;
        regs[REG_RDX] = 0;
        break;
    case ZYDIS_MNEMONIC_SYSRET:
        if (ring3)
            return false;
        next = (uint64_t)regs[REG_RCX];
        regs[REG_EFL] = regs[REG_R11] | (greg_t)FLAG_TF;
        if (masking)
            record(next, KIND_TF_LOADED);
        break;
    case ZYDIS_MNEMONIC_SYSENTER:
        if (!ring3 || !sysenter)
            return false;
        regs[REG_RSP] = (greg_t)now.ring0_stack;
        next = (uint64_t)(uintptr_t)now.workload->code + sysenter->offset;
        break;
    case ZYDIS_MNEMONIC_SYSEXIT:
        if (ring3)
            return false;
        next = (uint64_t)regs[REG_RDX];
        regs[REG_RSP] = regs[REG_RCX];
        break;
    case ZYDIS_MNEMONIC_SYSCALL:
        if (!entry)
            return false;
        regs[REG_RCX] = (greg_t)next;
        regs[REG_R11] = regs[REG_EFL];
        next = (uint64_t)(uintptr_t)now.workload->code + entry->offset;
        if (masking)
            record(next, KIND_TF_MASKED);
        break;
    case ZYDIS_MNEMONIC_INT1: /* some hypervisors never get past it */
        if (!stub_for(VECTOR_DB)) {
            give_up(regs, "raised an exception for which it has no stub", VECTOR_DB);
            return false;
        }
        now.trace.instructions++;
        now.trace.by_hand++;
        regs[REG_RIP] = (greg_t)next;
        debug_exception(regs);
        return true;
    default:
        return false;
    }
    regs[REG_RIP] = (greg_t)next;
    now.trace.by_hand++;
    completed(regs, next);
    return true;
}

static bool runs_as_its_part_says(const greg_t *regs)
{
    uint16_t selector = selector_of(part_at(now.at));

    return cs_of(regs) == (selector == CODE0 ? CODE3 : selector);
}

/* Between two instructions: what is next is what an interrupt strikes. */
static void interrupt(greg_t *regs)
{
    int vector = apic_strikes();
    const struct stub *stub;

    if (vector < 0)
        return;
    stub = stub_for((uint32_t)vector);
    if (!stub) {
        give_up(regs, "sent itself an interrupt for which it has no stub", vector);
        return;
    }
    enter_stub(regs, stub, now.at, false);
    record((uint64_t)regs[REG_RIP], KIND_EXC);
    now.trace.interrupts++;
    stop_at(regs);
}

static void stop(greg_t *regs)
{
    do {
        stop_at(regs);
        interrupt(regs);
        now.mark = KIND_NONE;
    } while (!now.done && passed_over(regs) && now.trace.instructions <= now.budget);
    if (in_workload(now.at) && !runs_as_its_part_says(regs))
        give_up(regs, "runs with another CS than PART says", -1);
    if (now.done)
        return;
    keep_tf(regs);
    note_cs();
    to_this_process(regs);
}

static void stepped(greg_t *regs)
{
    uint64_t to = place_of(regs);

    hide_tf(regs, &now.insn);
    if (now.returns)
        apic_iret(now.returns_if);
    completed(regs, to);
    if (now.done)
        return;
    if (to == (uintptr_t)step_back) {
        stop_at(regs);
        now.done = true;
        regs[REG_EFL] &= ~(greg_t)FLAG_TF;
    } else if (now.trace.instructions > now.budget) {
        stop_at(regs);
        give_up(regs, "does not end", -1);
    } else {
        if (now.own_trap)
            debug_exception(regs);
        stop(regs);
    }
}

static void struck(greg_t *regs)
{
    int vector = (int)regs[REG_TRAPNO];
    uint64_t error = (uint64_t)regs[REG_ERR], rip = place_of(regs);
    bool software = now.known && step_kind(&now.insn) == KIND_INT;
    const struct stub *stub;

    /* Ring 3 may use no gate of the kernel's but a few, and is told which it asked for. */
    if (software && vector == VECTOR_GP && error & ERROR_IDT)
        vector = ERROR_INDEX(error);
    stub = stub_for((uint32_t)vector);
    if (!stub) {
        give_up(regs, "raised an exception for which it has no stub", vector);
        return;
    }
    if (rip != now.at && !(software && rip == now.at + now.insn.length)) {
        give_up(regs, "an exception struck elsewhere than at the next instruction", vector);
        return;
    }
    now.trace.instructions += software; /* a fault leaves its instruction undone */
    enter_stub(regs, stub, software ? now.at + now.insn.length : rip,
               !software && has_error_code(vector));
    record((uint64_t)regs[REG_RIP], software ? KIND_INT : KIND_EXC);
    stop(regs);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

    (void)info;
    if (number == SIGTRAP && regs[REG_TRAPNO] == VECTOR_DB)
        stepped(regs);
    else
        struck(regs);
}

static void catch_signals(step_handler *handler)
{
    static const int signals[] = { SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE };
    static char stack[SIGNAL_STACK];
    struct sigaction action = { .sa_sigaction = handler,
                                .sa_flags = SA_SIGINFO | SA_ONSTACK };

    if (sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof(stack) }, NULL))
        abort();
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        if (sigaction(signals[i], &action, NULL))
            abort();
}

/*
 * Entry 0 of the LDT.  Where the system has none to give, the code that wants it is in
 * trouble there, and only there.
 */
static void segment_with_base(const struct workload *workload)
{
    struct user_desc segment = { .base_addr = PART_BASE,
                                 .limit = 0xfffff,
                                 .limit_in_pages = 1,
                                 .seg_32bit = 1,
                                 .contents = MODIFY_LDT_CONTENTS_CODE };

    if (workload->flags & WORKLOAD_LOW)
        syscall(SYS_modify_ldt, 1, &segment, sizeof(segment));
}

uint64_t step_run(const struct workload *workload, uint64_t flags, step_handler *handler,
                  bool *same_stack)
{
    char *memory = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *stack = memory + GUARD_BYTES + STACK_BYTES - ABOVE_BYTES;
    /* Of 32 bits, as code of 32 bits wants it. */
    char *user = mmap(NULL, 2 * ENV_STACK_SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    char *readable = mmap(NULL, ENV_MEMORY_SIZE, PROT_READ,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const struct workload_env workload_env = { (uint64_t)(uintptr_t)user + ENV_STACK_SIZE,
                                               apic_begin(),
                                               (uint64_t)(uintptr_t)readable };

    if (memory == MAP_FAILED || user == MAP_FAILED || readable == MAP_FAILED ||
        mprotect(memory, GUARD_BYTES, PROT_NONE))
        abort();
    now.ring0_stack = workload_env.user_stack + ENV_STACK_SIZE; /* after that of ring 3 */
    segment_with_base(workload);
    catch_signals(handler);
    *same_stack =
        step_window(workload->code, stack, &workload_env, flags) == (uintptr_t)stack;
    munmap(memory, GUARD_BYTES + STACK_BYTES);
    munmap(user, 2 * ENV_STACK_SIZE);
    munmap(readable, ENV_MEMORY_SIZE);
    apic_end();
    return program_result;
}

struct step_trace step(const struct workload *workload, uint64_t budget)
{
    bool same_stack;

    memset(&now, 0, sizeof(now));
    now.workload = workload;
    now.budget = budget;
    now.at = (uintptr_t)step_call;
    now.trace.trouble_vector = -1;
    if (!ZYAN_SUCCESS(ZydisDecoderInit(&now.decoder, ZYDIS_MACHINE_MODE_LONG_64,
                                       ZYDIS_STACK_WIDTH_64)))
        abort();
    if (!ZYAN_SUCCESS(ZydisDecoderInit(&now.decoder_32, ZYDIS_MACHINE_MODE_LONG_COMPAT_32,
                                       ZYDIS_STACK_WIDTH_32)))
        abort();
    now.trace.result = step_run(workload, FLAG_TF, on_signal, &same_stack);
    now.trace.trouble_at = now.at;
    if (!now.done)
        now.trace.trouble = "nothing stopped it: no trap flag here, or a debugger has it";
    else if (!now.trace.trouble && !same_stack)
        now.trace.trouble = "leaves another stack pointer than it found";
    return now.trace;
}
