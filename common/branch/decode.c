/*
 * Prefixes, opcode, ModRM: just enough to know a branch and its length.
 *
 * SDM vol. 2, "Instruction Format" and "Opcode Map".
 */
#include "decode.h"

#include "count_of.h"

#define INSN_MAX 15 /* bytes; longer is #GP.  SDM vol. 2, "Instruction Prefixes" */

#define ESCAPE    0x0f /* a second opcode byte follows */
#define REX_FIRST 0x40
#define REX_LAST  0x4f

#define MODRM_MOD(byte) ((byte) >> 6)
#define MODRM_REG(byte) ((byte) >> 3 & 7)
#define MODRM_RM(byte)  ((byte)&7)
#define MOD_REGISTER    3
#define RM_SIB          4 /* a SIB byte follows                         */
#define RM_DISP32       5 /* with mod 0: RIP + disp32, no base register */

/* The bytes that follow an opcode. */
enum operand { NOTHING, IMM8, IMM16, REL8, REL32, MODRM, FAR_POINTER };

/* ONLY_32 is for one byte as well, where CS.L is 0 (SDM vol. 2, "Opcode Map", i64). */
enum map { ONE_BYTE, ONLY_32, TWO_BYTES };

static const struct form {
    enum map map;
    uint8_t first, last; /* opcode bytes */
    enum kind kind;
    enum operand operand;
} forms[] = {
    { ONE_BYTE, 0x70, 0x7f, KIND_JCC, REL8 },
    { ONE_BYTE, 0xc2, 0xc2, KIND_RET, IMM16 },
    { ONE_BYTE, 0xc3, 0xc3, KIND_RET, NOTHING },
    { ONE_BYTE, 0xca, 0xca, KIND_FAR, IMM16 }, /* RETF */
    { ONE_BYTE, 0xcb, 0xcb, KIND_FAR, NOTHING },
    { ONE_BYTE, 0xcc, 0xcc, KIND_INT, NOTHING }, /* INT3 */
    { ONE_BYTE, 0xcd, 0xcd, KIND_INT, IMM8 },
    { ONE_BYTE, 0xcf, 0xcf, KIND_IRET, NOTHING },
    { ONE_BYTE, 0xe0, 0xe3, KIND_JCC, REL8 }, /* LOOPNE, LOOPE, LOOP, JrCXZ */
    { ONE_BYTE, 0xe8, 0xe8, KIND_CALL, REL32 },
    { ONE_BYTE, 0xe9, 0xe9, KIND_JMP, REL32 },
    { ONE_BYTE, 0xeb, 0xeb, KIND_JMP, REL8 },
    { ONE_BYTE, 0xf1, 0xf1, KIND_INT, NOTHING }, /* INT1 */
    { ONE_BYTE, 0xff, 0xff, KIND_IJMP, MODRM },  /* its reg field decides, see indirect() */
    { ONLY_32, 0x9a, 0x9a, KIND_FAR, FAR_POINTER }, /* CALL */
    { ONLY_32, OPCODE_INTO, OPCODE_INTO, KIND_INT, NOTHING },
    { ONLY_32, 0xea, 0xea, KIND_FAR, FAR_POINTER }, /* JMP */
    { TWO_BYTES, 0x05, 0x05, KIND_FAR, NOTHING },   /* SYSCALL */
    { TWO_BYTES, 0x07, 0x07, KIND_FAR, NOTHING },   /* SYSRET */
    { TWO_BYTES, 0x34, 0x35, KIND_FAR, NOTHING },   /* SYSENTER, SYSEXIT */
    { TWO_BYTES, 0x80, 0x8f, KIND_JCC, REL32 },
};

/* The bytes that may be read, how far we are, and what mode and prefixes say of them. */
struct cursor {
    const uint8_t *code;
    size_t capacity, at;
    bool compat, lock;
    uint8_t address, operand; /* sizes, in bytes */
    bool narrow;              /* 66H: operands of 16 bits, except for near branches */
    uint8_t rex;              /* 0: none */
};

static bool next(struct cursor *in, uint8_t *out)
{
    if (in->at >= in->capacity)
        return false;
    *out = in->code[in->at++];
    return true;
}

#define PREFIX_OPERAND_SIZE 0x66
#define PREFIX_ADDRESS_SIZE 0x67
#define PREFIX_LOCK         0xf0

static bool legacy_prefix(uint8_t byte)
{
    /* Segments (3E also NOTRACK, 2E and 3E also hints), sizes, LOCK, BND, REP. */
    static const uint8_t prefixes[] = {
        0x26,        0x2e, 0x36, 0x3e, 0x64, 0x65, PREFIX_OPERAND_SIZE, PREFIX_ADDRESS_SIZE,
        PREFIX_LOCK, 0xf2, 0xf3
    };

    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (prefixes[i] == byte)
            return true;
    return false;
}

/* Opcode FF with this ModRM.  A far pointer is in memory: with a register it is #UD. */
static enum kind indirect(uint8_t modrm)
{
    static const uint8_t kinds[8] = {
        0, 0, KIND_ICALL, KIND_FAR, KIND_IJMP, KIND_FAR, 0, 0
    };
    enum kind kind = kinds[MODRM_REG(modrm)];

    return kind == KIND_FAR && MODRM_MOD(modrm) == MOD_REGISTER ? KIND_NONE : kind;
}

#define RM_DISP16 6 /* with mod 0 in 16-bit addressing: no base register */

static bool skip(struct cursor *in, size_t bytes)
{
    in->at += bytes;
    return in->at <= in->capacity;
}

/* Skips SIB and displacement after a ModRM. */
static bool skip_address(struct cursor *in, uint8_t modrm)
{
    const uint8_t mod = MODRM_MOD(modrm);
    const bool is_16 = in->address == 2;
    uint8_t base = MODRM_RM(modrm);

    if (mod == MOD_REGISTER)
        return true;
    if (!is_16 && base == RM_SIB) {
        if (!next(in, &base))
            return false;
        base = MODRM_RM(base); /* of a SIB, too, the lowest three bits */
    }
    if (mod == 1)
        return skip(in, 1);
    if (mod == 2 || base == (is_16 ? RM_DISP16 : RM_DISP32))
        return skip(in, is_16 ? 2 : 4);
    return true;
}

/* A little-endian signed number of `bytes` bytes. */
static bool read_relative(struct cursor *in, uint8_t bytes, int64_t *out)
{
    uint32_t value = 0;
    uint8_t byte;

    for (uint8_t i = 0; i < bytes; i++) {
        if (!next(in, &byte))
            return false;
        value |= (uint32_t)byte << (8 * i);
    }
    *out = bytes == 1 ? (int8_t)value : bytes == 2 ? (int16_t)value : (int32_t)value;
    return true;
}

/* Reads the bytes after the opcode; `relative` is 0 if there is no displacement. */
static bool read_operand(struct cursor *in, enum operand operand, struct insn *out,
                         int64_t *relative)
{
    uint8_t modrm;

    *relative = 0;
    switch (operand) {
    case NOTHING:
        return true;
    case IMM8:
        return skip(in, 1);
    case IMM16:
        return skip(in, 2);
    case REL8:
        out->direct = true;
        return read_relative(in, 1, relative);
    case REL32:
        /*
         * 66h does not make it 16 bits wide in 64-bit mode: a near branch has a 64-bit
         * operand there (SDM vol. 2, "JMP", "CALL", "Jcc").  AMD's processors do obey
         * the prefix (APM vol. 3, "Near Branches in 64-Bit Mode"), so no workload
         * may use it there.
         */
        out->direct = true;
        return read_relative(in, in->operand, relative);
    case FAR_POINTER: /* its target also depends on the segment */
        return skip(in, in->operand + 2u);
    case MODRM:
        if (!next(in, &modrm))
            return false;
        out->kind = indirect(modrm);
        return out->kind != KIND_NONE && skip_address(in, modrm);
    }
    return false;
}

/*
 * Passes the prefixes and gives the first opcode byte.  A REX counts only right
 * before the opcode.  No branch changes its length with it.
 */
static bool read_opcode(struct cursor *in, struct insn *out)
{
    while (next(in, &out->opcode)) {
        if (legacy_prefix(out->opcode)) {
            in->lock |= out->opcode == PREFIX_LOCK;
            if (out->opcode == PREFIX_ADDRESS_SIZE)
                in->address = in->compat ? 2 : 4;
            if (out->opcode == PREFIX_OPERAND_SIZE && in->compat)
                in->operand = 2;
            in->narrow |= out->opcode == PREFIX_OPERAND_SIZE;
            in->rex = 0;
        } else if (in->compat || out->opcode < REX_FIRST || out->opcode > REX_LAST) {
            return true;
        } else {
            in->rex = out->opcode;
        }
    }
    return false;
}

/* The form that this opcode begins, which may have a second byte; NULL: it is no branch. */
static const struct form *read_form(struct cursor *in, struct insn *out)
{
    if (out->opcode == ESCAPE) {
        out->two_byte = 1;
        if (!next(in, &out->opcode))
            return NULL;
    }
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if ((forms[i].map == TWO_BYTES) == out->two_byte &&
            (forms[i].map != ONLY_32 || in->compat) && forms[i].first <= out->opcode &&
            out->opcode <= forms[i].last)
            return &forms[i];
    return NULL;
}

/* EIP wraps at its size, and so does the base with it. */
static uint64_t target_of(const struct cursor *in, const struct part *part, uint64_t next,
                          int64_t relative)
{
    uint32_t eip;

    if (!in->compat)
        return next + (uint64_t)relative;
    eip = (uint32_t)(next - part->base) + (uint32_t)relative;
    return (uint32_t)(part->base + (in->operand == 2 ? (uint16_t)eip : eip));
}

static struct cursor cursor_of(const struct part *part, const uint8_t *code,
                               size_t capacity)
{
    bool compat = part->flags & PART_COMPAT;

    return (struct cursor){ .code = code,
                            .capacity = capacity < INSN_MAX ? capacity : INSN_MAX,
                            .compat = compat,
                            .address = compat ? 4 : 8,
                            .operand = 4 };
}

/* Reads a branch up to its end. */
static bool read_branch(struct cursor *in, struct insn *out, int64_t *relative)
{
    const struct form *form;

    *out = (struct insn){ .kind = KIND_NONE };
    if (!read_opcode(in, out) || in->lock) /* LOCK before a branch is #UD */
        return false;
    form = read_form(in, out);
    out->kind = form ? form->kind : KIND_NONE;
    return form && read_operand(in, form->operand, out, relative);
}

bool decode_in(const struct part *part, const uint8_t *code, size_t capacity, uint64_t at,
               struct insn *out)
{
    struct cursor in = cursor_of(part, code, capacity);
    int64_t relative;

    if (!read_branch(&in, out, &relative)) {
        *out = (struct insn){ .kind = KIND_NONE };
        return false;
    }
    out->length = (uint8_t)in.at;
    out->counter = in.address;
    if (out->direct)
        out->target = target_of(&in, part, at + in.at, relative);
    return true;
}

bool decode_of(const struct workload *workload, uint64_t at, uint64_t address,
               struct insn *out)
{
    uint64_t offset = address - at;

    *out = (struct insn){ .kind = KIND_NONE };
    return offset < workload->size &&
           decode_in(part_of(workload, offset), workload->code + offset,
                     workload->size - (size_t)offset, address, out);
}

/*
 * Instructions that fuse with a conditional jump: the forms of ADD, OR, AND, SUB, XOR,
 * CMP, TEST, INC and DEC.
 */

#define ADC            2 /* the numbers of the eight operations from ADD to CMP */
#define SBB            3
#define OPERATIONS_END 0x40
#define REX_W          0x08

/* Immediate of an operand that is not a byte: 16 or 32 bits. */
static uint8_t wide_immediate(const struct cursor *in)
{
    return in->narrow && !(in->rex & REX_W) ? 2 : 4;
}

/* Reads a ModRM whose reg field is one of those in the mask, and its address. */
static bool read_modrm(struct cursor *in, uint8_t regs)
{
    uint8_t modrm;

    return next(in, &modrm) && (regs >> MODRM_REG(modrm) & 1) && skip_address(in, modrm);
}

/* Opcodes 00 to 3F: eight operations, each in six forms. */
static bool read_operation(struct cursor *in, uint8_t opcode)
{
    const uint8_t operation = opcode >> 3, form = opcode & 7;

    if (operation == ADC || operation == SBB || form > 5)
        return false;
    if (form < 4)
        return read_modrm(in, 0xff);
    return skip(in, form == 4 ? 1 : wide_immediate(in));
}

/* True if the opcode is one that fuses; reads what follows it.  SDM vol. 2, "Opcode Map".
 */
static bool read_fusible(struct cursor *in, uint8_t opcode)
{
    const uint8_t all_but_carry = (uint8_t) ~(1u << ADC | 1u << SBB);

    if (opcode < OPERATIONS_END)
        return read_operation(in, opcode);
    switch (opcode) {
    case 0x82:
        if (!in->compat)
            return false;
        __attribute__((fallthrough));
    case 0x80:
    case 0x83:
        return read_modrm(in, all_but_carry) && skip(in, 1);
    case 0x81:
        return read_modrm(in, all_but_carry) && skip(in, wide_immediate(in));
    case 0x84: /* TEST */
    case 0x85:
        return read_modrm(in, 0xff);
    case 0xa8:
        return skip(in, 1);
    case 0xa9:
        return skip(in, wide_immediate(in));
    case 0xf6: /* TEST is the first two of its group */
        return read_modrm(in, 3) && skip(in, 1);
    case 0xf7:
        return read_modrm(in, 3) && skip(in, wide_immediate(in));
    case 0xfe: /* INC and DEC are the first two */
    case 0xff:
        return read_modrm(in, 3);
    default: /* INC and DEC of a register, where these are not REX */
        return in->compat && opcode >= REX_FIRST && opcode <= REX_LAST;
    }
}

uint8_t decode_fusible(const struct part *part, const uint8_t *code, size_t capacity)
{
    struct cursor in = cursor_of(part, code, capacity);
    struct insn insn;

    return read_opcode(&in, &insn) && !in.lock && read_fusible(&in, insn.opcode)
               ? (uint8_t)in.at
               : 0;
}

#define LOOPNE 0xe0
#define LOOPE  0xe1
#define LOOP   0xe2
#define JRCXZ  0xe3

#define RFLAGS_CF (1u << 0)
#define RFLAGS_PF (1u << 2)
#define RFLAGS_ZF (1u << 6)
#define RFLAGS_SF (1u << 7)
#define RFLAGS_OF (1u << 11)

/* Condition code `tttn`: its lowest bit negates the test that the others choose. */
static bool condition(uint8_t code, uint64_t rflags)
{
    bool carry = rflags & RFLAGS_CF, zero = rflags & RFLAGS_ZF, sign = rflags & RFLAGS_SF;
    bool parity = rflags & RFLAGS_PF, less = sign != (bool)(rflags & RFLAGS_OF);
    const bool tests[8] = {
        /* O, B, E, BE, S, P, L, LE */
        rflags & RFLAGS_OF, carry, zero, carry || zero, sign, parity, less, less || zero
    };

    return tests[code >> 1 & 7] != (code & 1);
}

bool decode_taken(const struct insn *insn, uint64_t rflags, uint64_t rcx)
{
    uint64_t count = insn->counter == 2   ? (uint16_t)rcx
                     : insn->counter == 4 ? (uint32_t)rcx
                                          : rcx;
    bool zero = rflags & RFLAGS_ZF;

    if (insn->kind != KIND_JCC)
        return insn->kind != KIND_NONE;
    if (insn->two_byte || insn->opcode < LOOPNE)
        return condition(insn->opcode, rflags);
    if (insn->opcode == JRCXZ)
        return count == 0;
    /* LOOPcc takes one off the count first: 1 is the last time round. */
    return count != 1 && (insn->opcode == LOOP || zero == (insn->opcode == LOOPE));
}
