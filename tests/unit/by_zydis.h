/*
 * The decoder in common/ held against Zydis: for the unit test, which goes through all
 * opcodes, and for the fuzzer, which tries what is not in any list.
 */
#pragma once

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdio.h>

#include "count_of.h"
#include "decode.h"

#define AT 0x12345678

static ZydisDecoder zydis;
static struct part zydis_part; /* how what is compared runs */

static void by_zydis_begin(void)
{
    ZydisDecoderInit(&zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    zydis_part.flags = 0;
}

/* The same of code with 32 bits. */
static inline void by_zydis_begin_32(void)
{
    ZydisDecoderInit(&zydis, ZYDIS_MACHINE_MODE_LONG_COMPAT_32, ZYDIS_STACK_WIDTH_32);
    zydis_part.flags = PART_RING3 | PART_COMPAT;
}

/*
 * Where the two differ on purpose: Zydis puts these among the branches, by the
 * categories of Intel's XED.  XBEGIN and XABORT go elsewhere only by an abort, which
 * is no instruction, XEND nowhere; RSM and UIRET cannot stand in a workload; JKZD and JKNZD
 * are Knights Corner's, whose VEX form no other processor takes; BOUND, of 32 bits alone,
 * can only fault.
 */
static const ZydisMnemonic left_out[] = {
    ZYDIS_MNEMONIC_XBEGIN, ZYDIS_MNEMONIC_XABORT, ZYDIS_MNEMONIC_XEND,
    ZYDIS_MNEMONIC_RSM,    ZYDIS_MNEMONIC_UIRET,  ZYDIS_MNEMONIC_JKZD,
    ZYDIS_MNEMONIC_JKNZD,  ZYDIS_MNEMONIC_BOUND,
};
static bool met[COUNT_OF(left_out)];

static bool differs_by_design(const ZydisDecodedInstruction *insn)
{
    for (size_t i = 0; i < COUNT_OF(left_out); i++)
        if (left_out[i] == insn->mnemonic)
            return met[i] = true;
    return false;
}

static enum kind far_or_near(const ZydisDecodedInstruction *insn, enum kind near)
{
    return insn->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? KIND_FAR : near;
}

static enum kind kind_by_zydis(const ZydisDecodedInstruction *insn)
{
    bool direct = insn->raw.imm[0].size && insn->raw.imm[0].is_relative;

    switch (insn->mnemonic) {
    case ZYDIS_MNEMONIC_SYSCALL:
    case ZYDIS_MNEMONIC_SYSRET:
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_SYSEXIT:
        return KIND_FAR;
    case ZYDIS_MNEMONIC_INT:
    case ZYDIS_MNEMONIC_INT1:
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_INTO:
        return KIND_INT;
    case ZYDIS_MNEMONIC_IRET:
    case ZYDIS_MNEMONIC_IRETD:
    case ZYDIS_MNEMONIC_IRETQ:
        return KIND_IRET;
    default:
        break;
    }
    switch (insn->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        return KIND_JCC;
    case ZYDIS_CATEGORY_UNCOND_BR:
        return far_or_near(insn, direct ? KIND_JMP : KIND_IJMP);
    case ZYDIS_CATEGORY_CALL:
        return far_or_near(insn, direct ? KIND_CALL : KIND_ICALL);
    case ZYDIS_CATEGORY_RET:
        return far_or_near(insn, KIND_RET);
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
        return KIND_FAR; /* something that the list above does not have: it must differ */
    default:
        return KIND_NONE;
    }
}

static void print_difference(const uint8_t *code, size_t capacity, const struct insn *ours,
                             enum kind kind, int length)
{
    printf("#");
    for (size_t i = 0; i < capacity && i < 16; i++)
        printf(" %02x", code[i]);
    printf(": kind %d length %d, Zydis says kind %d length %d\n", ours->kind, ours->length,
           kind, length);
}

/* Zydis lets EIP run over its 32 bits. */
static bool target_is(uint64_t zydis_has, uint64_t ours)
{
    return (zydis_part.flags & PART_COMPAT ? (uint32_t)zydis_has : zydis_has) == ours;
}

/* The length of an instruction that can fuse with a conditional jump, or 0. */
static uint8_t fusible_by_zydis(const ZydisDecodedInstruction *insn)
{
    switch (insn->mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_AND:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
        return insn->attributes & ZYDIS_ATTRIB_HAS_LOCK ? 0 : insn->length;
    default:
        return 0;
    }
}

static unsigned long long compared, branches, fusible;

/* Whether both say the same of these bytes. */
static bool agree(const uint8_t *code, size_t capacity)
{
    ZydisDecodedInstruction insn;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct insn ours;
    enum kind kind = KIND_NONE;
    uint8_t can_fuse = 0;
    bool same;

    decode_in(&zydis_part, code, capacity, AT, &ours);
    insn.length = 0;
    if (ZYAN_SUCCESS(ZydisDecoderDecodeFull(&zydis, code, capacity, &insn, operands))) {
        if (differs_by_design(&insn))
            return true;
        kind = kind_by_zydis(&insn);
        can_fuse = fusible_by_zydis(&insn);
    }
    same = ours.kind == kind && (kind == KIND_NONE || ours.length == insn.length);
    if (same && ours.direct) {
        ZyanU64 target = 0;

        same = ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&insn, &operands[0], AT, &target)) &&
               target_is(target, ours.target);
    }
    same = same && decode_fusible(&zydis_part, code, capacity) == can_fuse;
    if (!same)
        print_difference(code, capacity, &ours, kind, insn.length);
    compared++;
    fusible += can_fuse != 0;
    branches += kind != KIND_NONE;
    return same;
}
