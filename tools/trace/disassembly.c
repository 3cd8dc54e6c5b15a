/*
 * Zydis formats the instruction, and calls print_address() for the name of an address.
 */
#include "disassembly.h"

#include <Zycore/Format.h>

#include "heap.h"

static ZydisFormatterFunc
    print_number; /* Zydis' own printer, for addresses without a name */

static ZyanStatus print_address(const ZydisFormatter *formatter,
                                ZydisFormatterBuffer *buffer,
                                ZydisFormatterContext *context)
{
    const struct symbols *symbols = context->user_data;
    ZyanU64 address;
    ZyanString *string;
    struct symbol symbol;

    if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(context->instruction, context->operand,
                                               context->runtime_address, &address)))
        return print_number(formatter, buffer, context);
    symbol = symbol_at(symbols, address);
    if (!symbol.name)
        return print_number(formatter, buffer, context);
    ZYAN_CHECK(ZydisFormatterBufferAppend(buffer, ZYDIS_TOKEN_SYMBOL));
    ZYAN_CHECK(ZydisFormatterBufferGetString(buffer, &string));
    return symbol.offset ? ZyanStringAppendFormat(string, "%s+0x%llx", symbol.name,
                                                  (unsigned long long)symbol.offset)
                         : ZyanStringAppendFormat(string, "%s", symbol.name);
}

static ZydisFormatter *formatter(void)
{
    static ZydisFormatter one;
    static bool ready;

    if (!ready) {
        print_number = (ZydisFormatterFunc)print_address;
        ZydisFormatterInit(&one, ZYDIS_FORMATTER_STYLE_INTEL);
        ZydisFormatterSetProperty(&one, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
        ZydisFormatterSetProperty(&one, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
                                  ZYDIS_PADDING_DISABLED);
        ZydisFormatterSetProperty(&one, ZYDIS_FORMATTER_PROP_DISP_PADDING,
                                  ZYDIS_PADDING_DISABLED);
        ZydisFormatterSetProperty(&one, ZYDIS_FORMATTER_PROP_IMM_PADDING,
                                  ZYDIS_PADDING_DISABLED);
        ZydisFormatterSetHook(&one, ZYDIS_FORMATTER_FUNC_PRINT_ADDRESS_ABS,
                              (const void **)&print_number);
        ready = true;
    }
    return &one;
}

char *insn_text(const struct workload *own, uint64_t offset, uint64_t at,
                const struct symbols *symbols)
{
    ZydisDecodedInstruction insn;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoder decoder;
    char text[256];

    code_decoder(own, offset, &decoder);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, own->code + offset,
                                             own->size - offset, &insn, operands)) ||
        !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
            formatter(), &insn, operands, insn.operand_count_visible, text, sizeof(text),
            at + offset, (void *)(uintptr_t)symbols)))
        return scratch_text("db 0x%02x", own->code[offset]);
    return scratch_text("%s", text);
}
