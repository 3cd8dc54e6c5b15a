/*
 * The instruction at an address, from the code bytes of the log's workloads.
 *
 * Zydis decodes each place once: what it found is kept by address, so that asking a
 * million times costs no more than the memory of the code.
 */
#pragma once

#include <Zydis/Zydis.h>

#include "parsed.h"

struct code_insn {
    uint64_t at, target; /* target: of a direct branch                              */
    uint8_t kind;        /* enum kind; KIND_NONE: goes on at the next instruction   */
    uint8_t length;
    bool direct;  /* target is meaningful                                           */
    bool faulter; /* UD0 to UD2: an exception, always, although no branch           */
    bool perhaps; /* INTO: an event only where OF is set                            */
    bool calls;   /* it stores a return address: CALL, far CALL, SYSCALL, SYSENTER  */
    bool returns; /* goes where that says: RET, RETF, SYSRET, SYSEXIT; not IRET     */
    bool system;  /* SYSCALL, SYSENTER, SYSRET, SYSEXIT                             */
    bool endbr;   /* marks where indirect branches may lead, and does nothing       */
    bool begins,
        covered; /* code_reach() found an instruction that begins here, or before */
};

/* The bytes of one workload where they lay, and what is known of each place there. */
struct code_region {
    const struct loaded *loaded;
    struct code_insn *known; /* by offset, from the first question on; at 0: not asked */
};

struct code {
    struct code_region *regions;
    size_t count, newest; /* newest: where the last address was...        */
    uint64_t at, size;    /* the bytes that code_at() has read last; size 0: none */
    struct code_insn *known;
};

/* Decodes the instruction at an offset in a workload; false if there is none. */
bool code_decode(const struct workload *, uint64_t offset, ZydisDecodedInstruction *out);

/* True if an instruction begins there; the code is read from its beginning. */
bool code_begins(const struct workload *, uint64_t offset);

/* Gives the decoder for the code at an offset: 64-bit or 32-bit. */
void code_decoder(const struct workload *, uint64_t offset, ZydisDecoder *out);

void code_of(struct code *, const struct log *); /* the log must outlive it */
/* Takes the code from these places instead of a log; they must outlive it. */
void code_at_places(struct code *, const struct loaded *, size_t count);
void code_free(struct code *);

/*
 * Returns the instruction, or NULL if the log has no bytes there or they are no
 * instruction. Valid until code_free().
 */
const struct code_insn *code_ask(struct code *, uint64_t address);
static inline const struct code_insn *code_at(struct code *code, uint64_t address)
{
    uint64_t offset = address - code->at;

    if (offset < code->size && code->known[offset].length)
        return &code->known[offset];
    return code_ask(code, address);
}

/*
 * Follows a function from its first instruction along all direct ways, as far as they stay
 * in [begin, end).  What only indirect branches reach stays unknown, and may be data.
 */
void code_reach(struct code *, uint64_t begin, uint64_t end);
/* True if what was reached has an instruction over this byte, and none that begins here. */
bool code_is_inside(struct code *, uint64_t address);

/* Returns the workload that has the address, or NULL. */
const struct loaded *code_owner(struct code *, uint64_t address);

/* True if a handler of the workload begins there: of an interrupt, exception or system
 * call. */
bool code_is_stub(const struct loaded *, uint64_t address);

static inline uint64_t code_next(const struct code_insn *insn)
{
    return insn->at + insn->length;
}
