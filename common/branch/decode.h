/*
 * A decoder of branch instructions in code of 64 and of 32 bits, small enough for the
 * kernel.
 *
 * It knows every instruction that changes the flow, and those that can fuse with one.  It
 * does not know any other, not even its length.  The unit tests compare it with Zydis.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "branch.h"
#include "workload.h"

#define OPCODE_INTO 0xce /* KIND_INT, but only where OF is set */

struct insn {
    enum kind kind;
    uint8_t length;   /* bytes, prefixes included                              */
    uint8_t opcode;   /* last opcode byte, of a JCC: tells the condition       */
    uint8_t two_byte; /* whether 0F came before it                             */
    bool direct;      /* target is meaningful                                  */
    uint8_t counter;  /* bytes of RCX that LOOP and JrCXZ count with           */
    uint64_t target;  /* of a direct branch                                    */
};

/*
 * Decodes the instruction whose first byte is code[0], which lies at address
 * `at` and runs as the part says; `capacity` bytes may be read.  False where it is no
 * branch, event instruction (INT n, INT3, INT1) or far transfer, or where `capacity` ends
 * before it does.  INT1 is an event instruction like the others, KIND_INT, although what it
 * enters is #DB, which no method records (SDM vol. 3B, "Debug Exception (#DB)").
 * Not branches, although they can move RIP: UD0 to UD2 (a fault), XBEGIN (its abort
 * is no instruction), HLT, RSM and the entries and exits of virtual machines.
 */
bool decode_in(const struct part *, const uint8_t *code, size_t capacity, uint64_t at,
               struct insn *out);

/* decode_in() for the instruction at `address` in a workload that is loaded at `at`. */
bool decode_of(const struct workload *, uint64_t at, uint64_t address, struct insn *out);

/*
 * The length in bytes of the instruction at code[0] if it is one that some processors
 * fuse with a conditional jump right after it: ADD, OR, AND, SUB, XOR, CMP, TEST, INC or
 * DEC (AMD, "Software Optimization Guide" of families 17H and 19H, "Branch Fusion").
 * Returns 0 for any other, and where `capacity` ends before it does.
 */
uint8_t decode_fusible(const struct part *, const uint8_t *code, size_t capacity);

/*
 * Returns true if a JCC is taken with these registers before it.  Only two things about
 * RCX matter: whether ECX is 0, 1 or more, and whether the high half is 0.  SDM vol. 2,
 * "Jcc", "LOOP/LOOPcc"; condition codes in vol. 1, appendix "EFLAGS Condition Codes".
 */
bool decode_taken(const struct insn *insn, uint64_t rflags, uint64_t rcx);
