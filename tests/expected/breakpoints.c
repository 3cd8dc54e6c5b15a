/*
 * A breakpoint (INT3) replaces the first byte of each branch.  The processor runs all code
 * between branches; at the stop, this process finds where the branch leads from the
 * registers and memory of that moment, and the program goes on there.
 *
 * A breakpoint is set when the code that leads to it is first reached, since the program's
 * constants lie between its functions and must stay as they are.
 */
#include "breakpoints.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define INT3        0xcc
#define VECTOR_BP   3 /* SDM vol. 3A, "Exception and Interrupt Reference" */
#define GENERAL_MAX 16

/* Code without a branch, and the branch at its end. */
struct block {
    uint64_t instructions; /* 0: not reached yet */
    uint64_t branch;       /* its address        */
    enum kind kind;
    ZydisDecodedInstruction insn;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

static struct {
    const struct workload *program;
    uint8_t *original;    /* the code without breakpoints         */
    struct block *blocks; /* by the offset at which one begins    */
    struct block *block;  /* the one that runs                    */
    struct step_trace trace;
    uint64_t at, budget;
    bool done;
} now;

/* In the order of ZYDIS_REGISTER_RAX and the following. */
static const int general[GENERAL_MAX] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX,
                                          REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                          REG_R8,  REG_R9,  REG_R10, REG_R11,
                                          REG_R12, REG_R13, REG_R14, REG_R15 };

static void leave(greg_t *regs, const char *trouble)
{
    now.trace.trouble = trouble;
    now.done = true;
    regs[REG_RIP] = (greg_t)step_back;
}

/* Finds the branch at the end of a block that begins at this offset; NULL, or what is
 * wrong. */
static const char *find_branch(struct block *block, uint64_t offset)
{
    ZydisDecoder decoder;

    if (!ZYAN_SUCCESS(
            ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
        abort();
    for (;; offset += block->insn.length) {
        if (offset >= now.program->size ||
            !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, now.original + offset,
                                                 now.program->size - offset, &block->insn,
                                                 block->operands)))
            return "ran where no instruction of it stands";
        block->instructions++;
        block->kind = step_kind(&block->insn);
        if (block->kind != KIND_NONE)
            break;
    }
    block->branch = (uintptr_t)now.program->code + offset;
    if (block->kind > KIND_RET)
        return "has a branch that no program in C has";
    *(volatile uint8_t *)block->branch = INT3;
    return NULL;
}

/* The program runs on from here to its next branch. */
static void enter(greg_t *regs, uint64_t address)
{
    uint64_t offset = address - (uintptr_t)now.program->code;
    const char *trouble = NULL;

    now.at = address;
    if (offset >= now.program->size) {
        leave(regs, "ran where no instruction of it stands");
        return;
    }
    now.block = &now.blocks[offset];
    if (now.block->instructions == 0)
        trouble = find_branch(now.block, offset);
    if (trouble)
        leave(regs, trouble);
    else
        regs[REG_RIP] = (greg_t)address;
}

/* Where an indirect JMP or CALL finds its target. */
static uint64_t operand(const greg_t *regs)
{
    const ZydisDecodedOperand *from = &now.block->operands[0];
    ZydisRegisterContext context;
    uint64_t address;

    memset(&context, 0, sizeof(context));
    for (int i = 0; i < GENERAL_MAX; i++)
        context.values[ZYDIS_REGISTER_RAX + i] = (uint64_t)regs[general[i]];
    if (from->type == ZYDIS_OPERAND_TYPE_REGISTER)
        return context.values[from->reg.value];
    if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(&now.block->insn, from, now.block->branch,
                                                 &context, &address)))
        abort();
    return *(const uint64_t *)address;
}

/* Does what the branch at the breakpoint does. */
static void branched(greg_t *regs)
{
    const ZydisDecodedInstruction *insn = &now.block->insn;
    uint64_t next = now.block->branch + insn->length, to = next;
    enum kind kind = now.block->kind;

    now.at = now.block->branch;
    now.trace.instructions += now.block->instructions;
    if (now.trace.instructions > now.budget) {
        leave(regs, "does not end");
        return;
    }
    if (kind == KIND_JCC &&
        !step_taken(insn, (uint64_t)regs[REG_EFL], (uint64_t)regs[REG_RCX])) {
        enter(regs, next);
        return;
    }
    if (kind == KIND_RET) {
        to = *(const uint64_t *)regs[REG_RSP];
        regs[REG_RSP] += 8 + (greg_t)insn->raw.imm[0].value.u;
    } else {
        to = insn->raw.imm[0].is_relative ? next + (uint64_t)insn->raw.imm[0].value.s
                                          : operand(regs);
    }
    if (kind == KIND_CALL || kind == KIND_ICALL) {
        regs[REG_RSP] -= 8;
        *(uint64_t *)regs[REG_RSP] = next;
    }
    step_record(&now.trace, now.at, to, kind);
    if (to == (uintptr_t)step_back)
        leave(regs, NULL);
    else
        enter(regs, to);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

    (void)info;
    if (number == SIGTRAP && regs[REG_TRAPNO] == VECTOR_BP &&
        (uint64_t)regs[REG_RIP] == now.block->branch + 1)
        branched(regs);
    else
        leave(regs, "raised an exception");
}

struct step_trace breakpoints(const struct workload *program, uint64_t budget)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)program->code & -page;
    greg_t regs[NGREG];
    bool same_stack = true;

    memset(&now, 0, sizeof(now));
    now.program = program;
    now.budget = budget;
    now.original = malloc(program->size);
    now.blocks = calloc(program->size, sizeof(*now.blocks));
    if (!now.original || !now.blocks)
        abort();
    memcpy(now.original, program->code, program->size);
    if (mprotect((void *)begin, (uintptr_t)program->code + program->size - begin,
                 PROT_READ | PROT_WRITE | PROT_EXEC)) {
        now.trace.trouble = "this system lets no process write to its code";
        return now.trace;
    }
    step_record(&now.trace, (uintptr_t)step_call, (uintptr_t)program->code, KIND_ICALL);
    enter(regs, (uintptr_t)program->code);
    if (!now.done)
        now.trace.result = step_run(program, 0, on_signal, &same_stack);
    now.trace.trouble_at = now.at;
    if (!now.trace.trouble && !same_stack)
        now.trace.trouble = "leaves another stack pointer than it found";
    memcpy((void *)(uintptr_t)program->code, now.original, program->size);
    free(now.original);
    free(now.blocks);
    return now.trace;
}
