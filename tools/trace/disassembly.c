/*
 * The formatter of Zydis, which asks us for the name of an address.
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

char *insn_text(struct code *code, const struct symbols *symbols, uint64_t address)
{
    const struct code_insn *insn = code_at(code, address);
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    const struct loaded *loaded = code_owner(code, address);
    ZydisDecoder decoder;
    uint64_t offset;
    char text[256];

    if (!insn)
        return NULL;
    offset = address - loaded->at;
    code_decoder(loaded->own, offset, &decoder);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, loaded->own->code + offset,
                                             loaded->own->size - offset, &decoded,
                                             operands)) ||
        !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
            formatter(), &decoded, operands, decoded.operand_count_visible, text,
            sizeof(text), address, (void *)(uintptr_t)symbols)))
        return NULL;
    return format_text("%s", text);
}
