#include "disasm.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include <stdlib.h>

static void branch_text(char *out, const ZydisDecodedInstruction *insn, uint64_t to,
                        const struct symbols *symbols)
{
    char *name = symbol_text(symbols, to);

    snprintf(out, DISASM_MAX, "%s %s", ZydisMnemonicGetString(insn->mnemonic), name);
    free(name);
}

/* Gives the target of a direct branch. */
static bool leads(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operand,
                  uint64_t address, uint64_t *out)
{
    return insn->operand_count_visible == 1 &&
           operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative &&
           ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(insn, operand, address, out));
}

void disasm(char out[DISASM_MAX], const struct workload *own, uint64_t offset, uint64_t at,
            const struct symbols *symbols)
{
    bool compat = part_of(own, offset)->flags & PART_COMPAT;
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecodedInstruction insn;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    uint64_t to;

    ZydisDecoderInit(
        &decoder, compat ? ZYDIS_MACHINE_MODE_LONG_COMPAT_32 : ZYDIS_MACHINE_MODE_LONG_64,
        compat ? ZYDIS_STACK_WIDTH_32 : ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, own->code + offset,
                                             own->size - (size_t)offset, &insn, operands)))
        snprintf(out, DISASM_MAX, "db 0x%02x", own->code[offset]);
    else if (symbols && leads(&insn, operands, at + offset, &to))
        branch_text(out, &insn, to, symbols);
    else
        ZydisFormatterFormatInstruction(&formatter, &insn, operands,
                                        insn.operand_count_visible, out, DISASM_MAX,
                                        at + offset, ZYAN_NULL);
}
