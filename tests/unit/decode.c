// LINK: common/branch/workload.c
#include "common/branch/decode.c"

#include "by_zydis.h"
#include "test.h"

static const struct part all = { .flags = 0 }; /* 64-bit code */

static struct insn decoded(size_t count, const uint8_t *code)
{
    struct insn insn;

    if (!decode_in(&all, code, count, AT, &insn))
        insn.kind = KIND_NONE;
    return insn;
}

#define DECODED(...) \
    decoded(sizeof((const uint8_t[]){ __VA_ARGS__ }), (const uint8_t[]){ __VA_ARGS__ })

static struct insn decoded_32(uint32_t base, size_t count, const uint8_t *code)
{
    const struct part part = { .flags = PART_RING3 | PART_COMPAT, .base = base };
    struct insn insn;

    if (!decode_in(&part, code, count, AT, &insn))
        insn.kind = KIND_NONE;
    return insn;
}

#define DECODED_32(base, ...)                                  \
    decoded_32(base, sizeof((const uint8_t[]){ __VA_ARGS__ }), \
               (const uint8_t[]){ __VA_ARGS__ })

/* Kinds, lengths and targets, by hand. */

static bool is(struct insn insn, enum kind kind, int length)
{
    return insn.kind == kind && insn.length == length;
}

TEST(every_kind_of_branch_is_known)
{
    CHECK(is(DECODED(0x74, 0x10), KIND_JCC, 2));
    CHECK(is(DECODED(0x0f, 0x85, 0, 0, 0, 0), KIND_JCC, 6));
    CHECK(is(DECODED(0xe0, 0x10), KIND_JCC, 2));
    CHECK(is(DECODED(0xe3, 0x10), KIND_JCC, 2));
    CHECK(is(DECODED(0x67, 0xe3, 0x10), KIND_JCC, 3));
    CHECK(is(DECODED(0xeb, 0x10), KIND_JMP, 2));
    CHECK(is(DECODED(0xe9, 0, 0, 0, 0), KIND_JMP, 5));
    CHECK(is(DECODED(0xff, 0xe0), KIND_IJMP, 2));
    CHECK(is(DECODED(0xff, 0x24, 0xc5, 0, 0, 0, 0), KIND_IJMP, 7));
    CHECK(is(DECODED(0xe8, 0, 0, 0, 0), KIND_CALL, 5));
    CHECK(is(DECODED(0xff, 0xd0), KIND_ICALL, 2));
    CHECK(is(DECODED(0x41, 0xff, 0x53, 0x08), KIND_ICALL, 4));
    CHECK(is(DECODED(0xff, 0x15, 0, 0, 0, 0), KIND_ICALL, 6));
    CHECK(is(DECODED(0xc3), KIND_RET, 1));
    CHECK(is(DECODED(0xc2, 0x10, 0), KIND_RET, 3));
    CHECK(is(DECODED(0xf3, 0xc3), KIND_RET, 2));
    CHECK(is(DECODED(0xf2, 0xe9, 0, 0, 0, 0), KIND_JMP, 6));
    CHECK(is(DECODED(0x3e, 0xff, 0xe0), KIND_IJMP, 3));
    CHECK(is(DECODED(0xcc), KIND_INT, 1));
    CHECK(is(DECODED(0xcd, 0x30), KIND_INT, 2));
    CHECK(is(DECODED(0xf1), KIND_INT, 1));
    CHECK(is(DECODED(0xcf), KIND_IRET, 1));
    CHECK(is(DECODED(0x48, 0xcf), KIND_IRET, 2));
    CHECK(is(DECODED(0xcb), KIND_FAR, 1));
    CHECK(is(DECODED(0x48, 0xcb), KIND_FAR, 2));
    CHECK(is(DECODED(0xca, 0, 0), KIND_FAR, 3));
    CHECK(is(DECODED(0x48, 0xff, 0x2c, 0x24), KIND_FAR, 4));
    CHECK(is(DECODED(0xff, 0x18), KIND_FAR, 2));
    CHECK(is(DECODED(0x0f, 0x05), KIND_FAR, 2));
    CHECK(is(DECODED(0x48, 0x0f, 0x07), KIND_FAR, 3));
    CHECK(is(DECODED(0x0f, 0x34), KIND_FAR, 2));
    CHECK(is(DECODED(0x0f, 0x35), KIND_FAR, 2));
}

TEST(what_is_no_branch_is_none)
{
    CHECK(DECODED(0x90).kind == KIND_NONE);
    CHECK(DECODED(0x0f, 0x0b).kind == KIND_NONE);             /* UD2             */
    CHECK(DECODED(0xff, 0xc0).kind == KIND_NONE);             /* INC             */
    CHECK(DECODED(0xff, 0xd8).kind == KIND_NONE);             /* far, a register */
    CHECK(DECODED(0xff, 0xe8).kind == KIND_NONE);             /* far, a register */
    CHECK(DECODED(0xff, 0x30).kind == KIND_NONE);             /* PUSH            */
    CHECK(DECODED(0xf0, 0xe9, 0, 0, 0, 0).kind == KIND_NONE); /* LOCK: #UD       */
    CHECK(DECODED(0xce).kind == KIND_NONE);                   /* no INTO here    */
    CHECK(DECODED(0xea, 0, 0, 0, 0, 0, 0).kind == KIND_NONE); /* no far JMP here */
    CHECK(DECODED(0xf4).kind == KIND_NONE);                   /* HLT             */
}

TEST(targets_are_relative_to_the_next_instruction)
{
    CHECK(DECODED(0xeb, 0x00).target == AT + 2);
    CHECK(DECODED(0xeb, 0xfe).target == AT);
    CHECK(DECODED(0x74, 0x7f).target == AT + 2 + 127);
    CHECK(DECODED(0x74, 0x80).target == AT + 2 - 128);
    CHECK(DECODED(0xe9, 0xff, 0xff, 0xff, 0x7f).target == AT + 5 + 0x7fffffffull);
    CHECK(DECODED(0xe8, 0x00, 0x00, 0x00, 0x80).target == AT + 5 - 0x80000000ull);
    CHECK(DECODED(0xeb, 0x10).direct && !DECODED(0xff, 0xe0).direct &&
          !DECODED(0xc3).direct);
}

TEST(an_operand_size_prefix_leaves_a_near_branch_as_long_as_it_was)
{
    CHECK(is(DECODED(0x66, 0xe9, 1, 0, 0, 0), KIND_JMP, 6));
    CHECK(is(DECODED(0x66, 0xe8, 1, 0, 0, 0), KIND_CALL, 6));
    CHECK(is(DECODED(0x66, 0x0f, 0x84, 1, 0, 0, 0), KIND_JCC, 7));
    CHECK(is(DECODED(0x66, 0xc3), KIND_RET, 2));
}

TEST(code_of_32_bits_has_branches_of_its_own)
{
    CHECK(is(DECODED_32(0, 0xce), KIND_INT, 1)); /* INTO */
    CHECK(is(DECODED_32(0, 0xea, 1, 2, 3, 4, 0x33, 0), KIND_FAR, 7));
    CHECK(is(DECODED_32(0, 0x9a, 1, 2, 3, 4, 0x33, 0), KIND_FAR, 7));
    CHECK(is(DECODED_32(0, 0x66, 0x9a, 1, 2, 0x33, 0), KIND_FAR, 6));
    CHECK(!DECODED_32(0, 0xea, 1, 2, 3, 4, 0x33, 0).direct);
    CHECK(DECODED_32(0, 0xea, 1, 2, 3, 4, 0x33).kind == KIND_NONE);
    CHECK(DECODED_32(0, 0x40, 0x74, 0x10).kind == KIND_NONE); /* INC: no REX here */
    CHECK(is(DECODED(0x40, 0x74, 0x10), KIND_JCC, 3));
    CHECK(is(DECODED_32(0, 0x0f, 0x34), KIND_FAR, 2));
    CHECK(is(DECODED_32(0, 0xcf), KIND_IRET, 1));
}

TEST(an_operand_size_prefix_makes_a_branch_of_32_bits_shorter)
{
    CHECK(is(DECODED_32(0, 0x66, 0xe9, 1, 0), KIND_JMP, 4));
    CHECK(DECODED_32(0, 0x66, 0xe9, 1, 0).target == 0x567d); /* AT + 5, in 16 bits */
    CHECK(DECODED_32(0, 0x66, 0xeb, 0xf0).target == 0x566b);
    CHECK(is(DECODED_32(0, 0x66, 0x0f, 0x84, 1, 0), KIND_JCC, 5));
    CHECK(is(DECODED_32(0, 0x67, 0xff, 0x26, 1, 2), KIND_IJMP, 5)); /* [disp16] */
    CHECK(is(DECODED_32(0, 0x67, 0xff, 0x64, 1), KIND_IJMP, 4));    /* [si + disp8] */
    CHECK(is(DECODED_32(0, 0xff, 0x24, 0xe4), KIND_IJMP, 3));
}

/* AT is 0x12345678: with a base of 0x400000 EIP is 0x11f45678 there. */
TEST(eip_wraps_and_the_base_is_added_to_it)
{
    CHECK(DECODED_32(0, 0xeb, 0x10).target == 0x1234568a);
    CHECK(DECODED_32(0x400000, 0xeb, 0x10).target == 0x1234568a);
    CHECK(DECODED_32(0, 0xe9, 0x00, 0x00, 0x00, 0x80).target == 0x9234567d);
    CHECK(DECODED_32(0, 0xe9, 0x00, 0x00, 0x00, 0xf0).target == 0x0234567d);
    CHECK(DECODED_32(0, 0xe8, 0x00, 0x00, 0x00, 0xe0).target == 0xf234567d);
    CHECK(DECODED_32(0x400000, 0x66, 0xe9, 1, 0).target == 0x40567d);
}

TEST(a_workload_is_decoded_as_its_parts_run)
{
    static const uint8_t code[] = { 0x40, 0x74, 0x00, 0x40, 0x74, 0x00, 0xce, 0xce };
    static const struct part parts[] = { { 3, 7, PART_RING3 | PART_COMPAT, 0 } };
    const struct workload w = {
        .code = code, .size = sizeof(code), .parts = parts, .part_count = 1
    };
    struct insn insn;

    CHECK(decode_of(&w, AT, AT, &insn) && is(insn, KIND_JCC, 3));
    CHECK(!decode_of(&w, AT, AT + 3, &insn) && insn.kind == KIND_NONE);
    CHECK(decode_of(&w, AT, AT + 6, &insn) && is(insn, KIND_INT, 1));
    CHECK(!decode_of(&w, AT, AT + 7, &insn));
    CHECK(!decode_of(&w, AT, AT + 8, &insn) && !decode_of(&w, AT, AT - 1, &insn));
}

TEST(what_ends_too_soon_is_none)
{
    static const uint8_t code[] = { 0x66, 0x0f, 0x84, 1, 0, 0, 0 };
    static const uint8_t indirect[] = { 0xff, 0x24, 0xc5, 0, 0, 0, 0 };
    struct insn insn;

    for (size_t capacity = 0; capacity < sizeof(code); capacity++)
        CHECK(!decode_in(&all, code, capacity, AT, &insn) && insn.kind == KIND_NONE);
    for (size_t capacity = 0; capacity < sizeof(indirect); capacity++)
        CHECK(!decode_in(&all, indirect, capacity, AT, &insn) && insn.kind == KIND_NONE);
    CHECK(decode_in(&all, code, sizeof(code), AT, &insn));
}

TEST(an_instruction_has_at_most_15_bytes)
{
    uint8_t code[20];

    memset(code, 0x2e, sizeof(code));
    code[13] = 0xeb;
    CHECK(is(decoded(sizeof(code), code), KIND_JMP, 15));
    code[13] = 0x2e;
    code[14] = 0xeb;
    CHECK(decoded(sizeof(code), code).kind == KIND_NONE);
}

static uint8_t fusible_length(uint32_t flags, size_t count, const uint8_t *code)
{
    const struct part part = { .flags = flags };

    return decode_fusible(&part, code, count);
}

#define FUSIBLE(...)                                            \
    fusible_length(0, sizeof((const uint8_t[]){ __VA_ARGS__ }), \
                   (const uint8_t[]){ __VA_ARGS__ })
#define FUSIBLE_32(...)                                                                \
    fusible_length(PART_RING3 | PART_COMPAT, sizeof((const uint8_t[]){ __VA_ARGS__ }), \
                   (const uint8_t[]){ __VA_ARGS__ })

TEST(comparisons_and_arithmetic_can_fuse_with_a_branch)
{
    CHECK(FUSIBLE(0x39, 0xd0) == 2);                                /* cmp eax, edx     */
    CHECK(FUSIBLE(0x48, 0x3d, 1, 0, 0, 0) == 6);                    /* cmp rax, imm32   */
    CHECK(FUSIBLE(0x66, 0x3d, 1, 0) == 4);                          /* cmp ax, imm16    */
    CHECK(FUSIBLE(0x66, 0x48, 0x3d, 1, 0, 0, 0) == 7);              /* REX.W wins       */
    CHECK(FUSIBLE(0x83, 0x7c, 0x24, 8, 1) == 5);                    /* cmp [rsp+8], imm */
    CHECK(FUSIBLE(0xf7, 0xc0, 1, 0, 0, 0) == 6);                    /* test eax, imm32  */
    CHECK(FUSIBLE(0xff, 0xc8) == 2 && FUSIBLE(0xff, 0xe0) == 0);    /* dec; jmp rax     */
    CHECK(FUSIBLE(0x11, 0xd0) == 0 && FUSIBLE(0x83, 0xd8, 1) == 0); /* adc; sbb     */
    CHECK(FUSIBLE(0x90) == 0 && FUSIBLE(0xf0, 0x01, 0x00) == 0);    /* nop; lock add */
    CHECK(FUSIBLE(0x49) == 0 && FUSIBLE_32(0x49) == 1);             /* REX; dec ecx */
    CHECK(FUSIBLE(0x3d, 1, 0, 0) == 0);                             /* cut short    */
}

/* Against Zydis. */

/* Prefixes before every opcode: none, each one, and pairs that meet in practice. */
static const char *const prefixes[] = {
    "",         "\x26",     "\x2e",     "\x36",     "\x3e",         "\x64",
    "\x65",     "\x66",     "\x67",     "\xf0",     "\xf2",         "\xf3",
    "\x40",     "\x41",     "\x48",     "\x4f",     "\x66\x48",     "\x48\x66",
    "\xf2\x66", "\xf3\x48", "\x66\x67", "\x67\x66", "\x2e\x3e\x48", "\xf2\x3e\x67\x41",
    "\x41\x41", "\x48\xf2", "\xf0\x48", "\x67\x48", "\x66\xf2\x4f", "\x40\x0f\x0f",
};

static bool agree_with_tail(const char *prefix, const uint8_t *opcode, size_t count)
{
    static unsigned long long random = 42;
    uint8_t code[16];
    size_t at = strlen(prefix);

    for (size_t i = 0; i < sizeof(code); i++)
        code[i] = (uint8_t)test_random(&random);
    memcpy(code, prefix, at);
    memcpy(code + at, opcode, count);
    return agree(code, sizeof(code));
}

TEST(agrees_with_zydis_on_all_one_byte_opcodes)
{
    for (size_t p = 0; p < COUNT_OF(prefixes); p++)
        for (int opcode = 0; opcode < 256; opcode++)
            for (int modrm = 0; modrm < 256; modrm++) {
                uint8_t bytes[] = { (uint8_t)opcode, (uint8_t)modrm };

                CHECK(agree_with_tail(prefixes[p], bytes, 2));
            }
}

TEST(agrees_with_zydis_on_all_two_byte_opcodes)
{
    for (size_t p = 0; p < COUNT_OF(prefixes); p++)
        for (int opcode = 0; opcode < 256; opcode++)
            for (int modrm = 0; modrm < 256; modrm++) {
                uint8_t bytes[] = { ESCAPE, (uint8_t)opcode, (uint8_t)modrm };

                CHECK(agree_with_tail(prefixes[p], bytes, 3));
            }
}

TEST(agrees_with_zydis_on_every_address_form)
{
    for (int modrm = 0; modrm < 256; modrm++)
        for (int sib = 0; sib < 256; sib++) {
            uint8_t bytes[] = { 0xff, (uint8_t)modrm, (uint8_t)sib };

            CHECK(agree_with_tail("", bytes, 3));
            CHECK(agree_with_tail("\x67\x43", bytes, 3));
        }
}

#define RANDOM_ROUNDS 1000000

TEST(agrees_with_zydis_on_random_bytes)
{
    unsigned long long random = 7;

    for (int round = 0; round < RANDOM_ROUNDS; round++) {
        unsigned long long bytes[2] = { test_random(&random), test_random(&random) };
        uint8_t code[16];

        memcpy(code, bytes, sizeof(code));
        CHECK(agree(code, sizeof(code)));
    }
}

TEST(code_of_32_bits_agrees_with_zydis)
{
    by_zydis_begin_32();
    agrees_with_zydis_on_all_one_byte_opcodes();
    agrees_with_zydis_on_all_two_byte_opcodes();
    agrees_with_zydis_on_every_address_form();
    agrees_with_zydis_on_random_bytes();
    by_zydis_begin();
}

TEST(what_is_left_out_by_design_was_met)
{
    for (size_t i = 0; i < COUNT_OF(left_out); i++)
        CHECK(met[i]);
}

TEST(the_comparison_saw_branches_of_both_sorts)
{
    printf("# %llu codes compared, %llu of them branches, %llu can fuse with one\n",
           compared, branches, fusible);
    CHECK(compared > 9000000 && branches > 800000 && branches < compared / 2);
    CHECK(fusible > 800000 && fusible < compared / 2);
}

/* Conditions, against this very processor. */

static const unsigned flag_bits[] = { RFLAGS_CF, RFLAGS_PF, RFLAGS_ZF, RFLAGS_SF,
                                      RFLAGS_OF };

static unsigned flags_of(unsigned combination)
{
    unsigned flags = 0;

    for (unsigned i = 0; i < 5; i++)
        flags |= combination >> i & 1 ? flag_bits[i] : 0;
    return flags;
}

/* Flags loaded past the red zone, where the compiler may keep what it has. */
#define LOAD_FLAGS \
    "lea -128(%%rsp), %%rsp\n\tpush %[flags]\n\tpopf\n\tlea 128(%%rsp), %%rsp\n\t"

#define SET_BY(cc)                             \
    __asm__(LOAD_FLAGS "set" cc " %[taken]"    \
            : [taken] "=q"(taken)              \
            : [flags] "r"((uint64_t)flags | 2) \
            : "cc", "memory")

static bool taken_by_processor(unsigned code, unsigned flags)
{
    uint8_t taken = 0;

    switch (code) {
    case 0x0:
        SET_BY("o");
        break;
    case 0x1:
        SET_BY("no");
        break;
    case 0x2:
        SET_BY("b");
        break;
    case 0x3:
        SET_BY("nb");
        break;
    case 0x4:
        SET_BY("z");
        break;
    case 0x5:
        SET_BY("nz");
        break;
    case 0x6:
        SET_BY("be");
        break;
    case 0x7:
        SET_BY("nbe");
        break;
    case 0x8:
        SET_BY("s");
        break;
    case 0x9:
        SET_BY("ns");
        break;
    case 0xa:
        SET_BY("p");
        break;
    case 0xb:
        SET_BY("np");
        break;
    case 0xc:
        SET_BY("l");
        break;
    case 0xd:
        SET_BY("nl");
        break;
    case 0xe:
        SET_BY("le");
        break;
    case 0xf:
        SET_BY("nle");
        break;
    }
    return taken;
}

TEST(conditions_are_those_of_this_processor)
{
    for (unsigned code = 0; code < 16; code++)
        for (unsigned combination = 0; combination < 32; combination++) {
            unsigned flags = flags_of(combination);
            struct insn short_form = DECODED((uint8_t)(0x70 + code), 0);
            struct insn near_form = DECODED(0x0f, (uint8_t)(0x80 + code), 0, 0, 0, 0);

            CHECK(decode_taken(&short_form, flags, 0) == taken_by_processor(code, flags));
            CHECK(decode_taken(&near_form, flags, 0) == taken_by_processor(code, flags));
        }
}

#define LOOP_BY(insn)                                     \
    __asm__(LOAD_FLAGS insn " 1f\n\tmov $0, %[taken]\n1:" \
            : [taken] "+q"(taken), "+c"(rcx)              \
            : [flags] "r"((uint64_t)flags | 2)            \
            : "cc", "memory")

static bool looped_by_processor(uint8_t opcode, bool addr32, unsigned flags, uint64_t rcx)
{
    uint8_t taken = 1;

    switch (opcode << 1 | addr32) {
    case LOOPNE << 1:
        LOOP_BY("loopne");
        break;
    case LOOPNE << 1 | 1:
        LOOP_BY("addr32 loopne");
        break;
    case LOOPE << 1:
        LOOP_BY("loope");
        break;
    case LOOPE << 1 | 1:
        LOOP_BY("addr32 loope");
        break;
    case LOOP << 1:
        LOOP_BY("loop");
        break;
    case LOOP << 1 | 1:
        LOOP_BY("addr32 loop");
        break;
    case JRCXZ << 1:
        LOOP_BY("jrcxz");
        break;
    case JRCXZ << 1 | 1:
        LOOP_BY("jecxz");
        break;
    }
    return taken;
}

TEST(loops_are_those_of_this_processor)
{
    static const uint64_t counts[] = { 0, 1, 2, 3, 0x100000000, 0x100000001, UINT64_MAX };

    for (int opcode = LOOPNE; opcode <= JRCXZ; opcode++)
        for (size_t i = 0; i < COUNT_OF(counts); i++)
            for (unsigned zero = 0; zero < 2; zero++) {
                unsigned flags = zero ? RFLAGS_ZF : 0;
                struct insn wide = DECODED((uint8_t)opcode, 0);
                struct insn narrow = DECODED(0x67, (uint8_t)opcode, 0);

                CHECK(decode_taken(&wide, flags, counts[i]) ==
                      looped_by_processor((uint8_t)opcode, false, flags, counts[i]));
                CHECK(decode_taken(&narrow, flags, counts[i]) ==
                      looped_by_processor((uint8_t)opcode, true, flags, counts[i]));
            }
}

static bool looped_with_cx(uint8_t opcode, unsigned flags, uint16_t cx)
{
    return opcode == JRCXZ ? cx == 0
                           : (uint16_t)(cx - 1) &&
                                 (opcode == LOOP || (flags != 0) == (opcode == LOOPE));
}

/* In code of 32 bits: ECX, with 67h CX.  This process can run neither: by hand. */
TEST(loops_of_32_bits_count_with_ecx_and_cx)
{
    static const uint64_t counts[] = {
        0, 1, 2, 0x10000, 0x10001, 0x100000000, 0x100000001
    };

    for (int opcode = LOOPNE; opcode <= JRCXZ; opcode++)
        for (size_t i = 0; i < COUNT_OF(counts); i++)
            for (unsigned flags = 0; flags <= RFLAGS_ZF; flags += RFLAGS_ZF) {
                struct insn ecx = DECODED_32(0, (uint8_t)opcode, 0);
                struct insn cx = DECODED_32(0, 0x67, (uint8_t)opcode, 0);
                struct insn narrow = DECODED(0x67, (uint8_t)opcode, 0);

                CHECK(decode_taken(&ecx, flags, counts[i]) ==
                      decode_taken(&narrow, flags, counts[i]));
                CHECK(decode_taken(&cx, flags, counts[i]) ==
                      looped_with_cx((uint8_t)opcode, flags, (uint16_t)counts[i]));
            }
}

TEST(what_has_no_condition_is_taken)
{
    struct insn jump = DECODED(0xeb, 0), nop = DECODED(0x90);

    CHECK(decode_taken(&jump, 0, 0) && !decode_taken(&nop, 0, 0));
}

void test_setup(void)
{
    by_zydis_begin();
}
