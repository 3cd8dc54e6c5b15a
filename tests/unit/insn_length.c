#include "common/branch/insn_length.c"

#include <Zydis/Zydis.h>
#include <stdlib.h>

#include "test.h"

static ZydisDecoder zydis;
static struct part zydis_part; /* how what is compared runs */
static size_t compared;

static void by_zydis_begin(bool compat)
{
    ZydisDecoderInit(
        &zydis, compat ? ZYDIS_MACHINE_MODE_LONG_COMPAT_32 : ZYDIS_MACHINE_MODE_LONG_64,
        compat ? ZYDIS_STACK_WIDTH_32 : ZYDIS_STACK_WIDTH_64);
    zydis_part.flags = compat ? PART_RING3 | PART_COMPAT : 0;
    compared = 0;
}

/* Zydis's length of the instruction, or 0: it is none. */
static uint8_t by_zydis(const uint8_t *code, size_t capacity, ZydisDecodedInstruction *insn)
{
    return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&zydis, NULL, code, capacity, insn))
               ? insn->length
               : 0;
}

static bool is_left_out(const ZydisDecodedInstruction *insn)
{
    return insn->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY ||
           (insn->opcode_map == ZYDIS_OPCODE_MAP_0F && insn->opcode == 0x78);
}

/* The two agree on this instruction, if Zydis takes it for one. */
static void compare(const uint8_t *code, size_t capacity)
{
    ZydisDecodedInstruction insn;
    uint8_t want = by_zydis(code, capacity, &insn);
    uint8_t got = insn_length(&zydis_part, code, capacity);
    if (!want || (is_left_out(&insn) && !got))
        return;
    compared++;
    if (got == want)
        return;
    printf("# got %u, want %u:", got, want);
    for (size_t i = 0; i < capacity && i < INSN_MAX; i++)
        printf(" %02x", code[i]);
    printf("\n");
    CHECK(got == want);
}

/* Each opcode of both maps, after each prefix, with ModRM bytes of every form. */
static void compare_all(void)
{
    static const uint8_t prefixes[] = { 0x90, 0x66, 0x67, 0xf2, 0xf3, 0x48, 0x41, 0x2e };
    for (size_t p = 0; p < sizeof prefixes; p++)
        for (unsigned map = 0; map < 4; map++)
            for (unsigned opcode = 0; opcode < 256; opcode++)
                for (unsigned modrm = 0; modrm < 256; modrm++) {
                    uint8_t code[16] = { 0 };
                    size_t at = 0;
                    if (prefixes[p] != 0x90)
                        code[at++] = prefixes[p];
                    if (map)
                        code[at++] = 0x0f;
                    if (map > 1)
                        code[at++] = map == 2 ? 0x38 : 0x3a;
                    code[at++] = (uint8_t)opcode;
                    code[at++] = (uint8_t)modrm;
                    code[at] = 0x25; /* a SIB byte without a base */
                    compare(code, sizeof code);
                }
}

TEST(lengths_are_those_of_zydis)
{
    by_zydis_begin(false);
    compare_all();
    CHECK(compared > 500000);
}

TEST(lengths_in_code_of_32_bits_are_those_of_zydis)
{
    by_zydis_begin(true);
    compare_all();
    CHECK(compared > 500000);
}

TEST(bytes_by_chance_have_the_length_that_zydis_finds)
{
    uint8_t code[16];
    by_zydis_begin(false);
    srand(1);
    for (size_t i = 0; i < 1000000; i++) {
        for (size_t j = 0; j < sizeof code; j++)
            code[j] = (uint8_t)(rand() >> 7);
        compare(code, 1 + i % 15);
    }
}

TEST(what_is_cut_short_has_no_length)
{
    static const struct part part = { .flags = 0 };
    static const uint8_t code[] = { 0x48, 0x81, 0x84, 0x24, 1, 2, 3, 4, 5, 6, 7, 8 };
    for (size_t i = 0; i < sizeof code; i++)
        CHECK(insn_length(&part, code, i) == 0);
    CHECK(insn_length(&part, code, sizeof code) == sizeof code);
}
