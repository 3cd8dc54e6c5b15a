/*
 * A record: one control transfer, or one stop, as a method left it.
 *
 * The parts of the project pass each other arrays of records, oldest first.  What a
 * workload must make is a struct transfer (expected.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * BRANCH_UNKNOWN is an end that a method cannot know: a bare stop has no FROM.
 * BRANCH_MISSING is a FROM that a method can know and did not give; it equals no other
 * FROM.
 *
 * No recorder can write these two: they are canonical with neither 48 nor 57 bits of linear
 * address, and they are no sign-extended offset.  All ones would not do, since the
 * processor writes that (BRANCH_FILTERED).  The highest byte is 4, the others are the
 * letters of "unknown" and "missing".
 */
#define BRANCH_UNKNOWN UINT64_C(0x04756e6b6e6f776e)
#define BRANCH_MISSING UINT64_C(0x046d697373696e67)

/*
 * FROM as architectural LBR writes it for a branch out of a ring that IA32_LBR_CTL filters
 * out, into one that it records (SDM vol. 3B, "Last Branch Records").  Decoded packets of
 * Processor Trace have it for either end of a branch whose address a filter keeps back.
 */
#define BRANCH_FILTERED UINT64_MAX

/* True if an address is canonical with 57 bits, as both ends of a branch are. */
static inline bool branch_is_canonical(uint64_t address)
{
    return address >> 56 == 0 || address >> 56 == 0xff;
}

/*
 * The kinds of transfer.  The classes follow the branch types of the SDM, vol. 3B,
 * "Last Branch Records", except that events are a class of their own.
 */
enum kind {
    KIND_NONE,  /* not a transfer                                   */
    KIND_JCC,   /* conditional: Jcc, LOOPcc, JrCXZ                  */
    KIND_JMP,   /* near relative jump                               */
    KIND_IJMP,  /* near indirect jump                               */
    KIND_CALL,  /* near relative call                               */
    KIND_ICALL, /* near indirect call                               */
    KIND_RET,   /* near return                                      */
    KIND_INT,   /* INT n, INT3, INTO: entry of its handler          */
    KIND_EXC,   /* fault or interrupt: entry of its handler         */
    KIND_IRET,  /* IRET, IRETQ                                      */
    KIND_FAR,   /* any other far transfer: far JMP, CALL, RET, SYS* */
    KIND_DB,    /* entry of the handler of #DB: recorded by no method.  FROM is
                   the instruction after which it came                  */

    /*
     * Marks in an expected trace.  They are no transfers: each says how one instruction
     * changed what single-stepping by TF sees.
     */
    KIND_TF_CLEARED, /* POPF cleared TF: one more stop, before the next one, and none
                        until...                                        */
    KIND_TF_SET,     /* POPF set it again: no stop before the next one   */
    KIND_TF_HELD,    /* MOV SS, POP SS: no stop before the next one      */
    KIND_TF_MASKED,  /* the SYSCALL whose transfer is next clears TF: no stop
                        after it, and none until...                     */
    KIND_TF_LOADED,  /* ...the SYSRET whose transfer is next loads TF: a stop
                        right after it                                  */
    KIND_COUNT,
};

static inline bool kind_is_mark(enum kind kind)
{
    return kind >= KIND_TF_CLEARED && kind <= KIND_TF_LOADED;
}

/*
 * A method that stops the processor (step, btf, pmi) records stops: FROM is
 * BRANCH_UNKNOWN and TO is where it stopped.
 */
struct branch {
    uint64_t from; /* address of the first byte of the branch instruction */
    uint64_t to;   /* address of the instruction that ran next            */
    uint64_t info; /* STOP_* in a stop; how late a stop of `pmi` was; else 0 */
};

static inline bool branch_same(const struct branch *a, const struct branch *b)
{
    return a->from == b->from && a->to == b->to && a->info == b->info;
}

/*
 * In a stop at a conditional branch whose target is the next instruction the
 * addresses cannot say whether it is about to be taken; the saved RFLAGS and
 * RCX can.
 */
#define STOP_TAKEN     1 /* the conditional branch at TO will be taken     */
#define STOP_NOT_TAKEN 2 /* it will not                                    */
