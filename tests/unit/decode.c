// LINK: common/branch/workload.c
#include "common/branch/decode.c"

#include "by_zydis.h"
#include "ends.h"

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

static bool is(struct insn insn, enum kind kind, int length)
{
    return insn.kind == kind && insn.length == length;
}

/* The bytes of a row, in hex. */
static size_t bytes_from_row(uint8_t bytes[16])
{
    size_t count = 0;

    while (!row_is_read() && count < 16)
        bytes[count++] = (uint8_t)row_hex();
    return count;
}

/* The part that a row is about: 64-bit code, or "32" and perhaps "base ADDRESS". */
static struct part part_from_row(void)
{
    struct part part = { .flags = 0 };

    if (row_has("32"))
        part.flags = PART_RING3 | PART_COMPAT;
    if (row_has("base"))
        part.base = (uint32_t)row_hex();
    return part;
}

static struct insn insn_from_row(void)
{
    struct part part = part_from_row();
    uint8_t bytes[16];
    size_t count = bytes_from_row(bytes);
    struct insn insn;

    if (!decode_in(&part, bytes, count, AT, &insn))
        insn.kind = KIND_NONE;
    return insn;
}

/* insn [32] BYTES = the kind and the length of the branch, or none */
VERB(insn)
{
    struct insn insn = insn_from_row();

    row_say("%s", kind_names[insn.kind]);
    if (insn.kind != KIND_NONE)
        row_say(" %d", insn.length);
}

/* target [32 [base ADDRESS]] BYTES = where it leads, if it is direct; it is at 12345678 */
VERB(target)
{
    struct insn insn = insn_from_row();

    if (insn.direct)
        row_say("%llx", (unsigned long long)insn.target);
    else
        row_say("indirect");
}

/* fusible [32] BYTES = the length of an instruction that can fuse with a branch, or 0 */
VERB(fusible)
{
    struct part part = part_from_row();
    uint8_t bytes[16];
    size_t count = bytes_from_row(bytes);

    row_say("%d", decode_fusible(&part, bytes, count));
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

#define SET_IF(number, cc)                     \
    if (code == (number))                      \
    __asm__(LOAD_FLAGS "set" cc " %[taken]"    \
            : [taken] "=q"(taken)              \
            : [flags] "r"((uint64_t)flags | 2) \
            : "cc", "memory")

static bool taken_by_processor(unsigned code, unsigned flags)
{
    uint8_t taken = 0;

    SET_IF(0x0, "o");
    SET_IF(0x1, "no");
    SET_IF(0x2, "b");
    SET_IF(0x3, "nb");
    SET_IF(0x4, "z");
    SET_IF(0x5, "nz");
    SET_IF(0x6, "be");
    SET_IF(0x7, "nbe");
    SET_IF(0x8, "s");
    SET_IF(0x9, "ns");
    SET_IF(0xa, "p");
    SET_IF(0xb, "np");
    SET_IF(0xc, "l");
    SET_IF(0xd, "nl");
    SET_IF(0xe, "le");
    SET_IF(0xf, "nle");
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

#define LOOP_IF(number, is_narrow, insn)                  \
    if (opcode == (number) && addr32 == (is_narrow))      \
    __asm__(LOAD_FLAGS insn " 1f\n\tmov $0, %[taken]\n1:" \
            : [taken] "+q"(taken), "+c"(rcx)              \
            : [flags] "r"((uint64_t)flags | 2)            \
            : "cc", "memory")

static bool looped_by_processor(uint8_t opcode, bool addr32, unsigned flags, uint64_t rcx)
{
    uint8_t taken = 1;

    LOOP_IF(LOOPNE, false, "loopne");
    LOOP_IF(LOOPNE, true, "addr32 loopne");
    LOOP_IF(LOOPE, false, "loope");
    LOOP_IF(LOOPE, true, "addr32 loope");
    LOOP_IF(LOOP, false, "loop");
    LOOP_IF(LOOP, true, "addr32 loop");
    LOOP_IF(JRCXZ, false, "jrcxz");
    LOOP_IF(JRCXZ, true, "jecxz");
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
