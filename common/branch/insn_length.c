/*
 * insn_length.h.  A letter for each opcode says what follows it.  SDM vol. 2, "Opcode Map".
 */
#include "insn_length.h"

#include <stdbool.h>

#define INSN_MAX 15 /* bytes; longer is #GP.  SDM vol. 2, "Instruction Prefixes" */

/*
 * .  nothing                   m  ModRM            r  ModRM of two registers
 * b  a byte                    B  ModRM, a byte    z  16 or 32 bits, by the operand size
 * w  2 bytes                   e  3 bytes          Z  ModRM and such a value
 * v  16, 32 or 64 bits         o  an address       j  32 bits (16 in 32-bit code with 66H)
 * g  ModRM, a byte for TEST    G  the same with 16 or 32 bits
 * p  a far pointer             P  a prefix         R  REX
 * x  not known
 */
static const char one_byte[] = "mmmmbzxxmmmmbzxx" /* 00; 0F is read before */
                               "mmmmbzxxmmmmbzxx"
                               "mmmmbzPxmmmmbzPx"
                               "mmmmbzPxmmmmbzPx"
                               "RRRRRRRRRRRRRRRR" /* 40 */
                               "................"
                               "xxxmPPPPzZbB...."
                               "bbbbbbbbbbbbbbbb"
                               "BZxBmmmmmmmmmmmm" /* 80 */
                               "..........x....."
                               "oooo....bz......"
                               "bbbbbbbbvvvvvvvv"
                               "BBw.xxBZe.w..bx." /* C0 */
                               "mmmmxxx.mmmmmmmm"
                               "bbbbbbbbjjxb...."
                               "P.PP..gG......mm";

static const char two_bytes[] = "mmmmx.....x.xm.x" /* 00 */
                                "mmmmmmmmmmmmmmmm"
                                "rrrrxxxxmmmmmmmm"
                                "........xxxxxxxx" /* 38 and 3A are read before */
                                "mmmmmmmmmmmmmmmm" /* 40 */
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm"
                                "BBBBmmm.xmxxmmmm" /* 78 is also of SSE4a, and longer */
                                "jjjjjjjjjjjjjjjj" /* 80 */
                                "mmmmmmmmmmmmmmmm"
                                "...mBmmm...mBmmm"
                                "mmmmmmmmmmBmmmmm"
                                "mmBmBBBm........" /* C0 */
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm";
_Static_assert(sizeof one_byte == 257 && sizeof two_bytes == 257, "a letter an opcode");

struct reader {
    const uint8_t *code;
    size_t capacity, at;
    bool compat, narrow, short_address, wide; /* 66H, 67H and REX.W */
};

/* Returns 0 after the end; `at` then shows that it was passed. */
static uint8_t next(struct reader *in)
{
    return in->at < in->capacity ? in->code[in->at++] : (in->at++, 0);
}

/* Returns the letter of an opcode in 32-bit code, where some differ. */
static char letter_32(uint8_t opcode, uint8_t after)
{
    const bool memory = after >> 6 != 3; /* else C4, C5 and 62 begin VEX and EVEX */
    switch (opcode) {
    case 0x62:
    case 0xc4:
    case 0xc5:
        return memory ? 'm' : 'x';
    case 0x82:
        return 'B';
    case 0x9a:
    case 0xea:
        return 'p';
    case 0xd4:
    case 0xd5:
        return 'b';
    case 0x06:
    case 0x07:
    case 0x0e:
    case 0x16:
    case 0x17:
    case 0x1e:
    case 0x1f:
    case 0x27:
    case 0x2f:
    case 0x37:
    case 0x3f:
    case 0x60:
    case 0x61:
    case 0xce:
    case 0xd6:
        return '.';
    default:
        return one_byte[opcode] == 'R' ? '.' : one_byte[opcode];
    }
}

static void read_prefix(struct reader *in, uint8_t byte, bool is_rex)
{
    in->wide = is_rex && byte & 8; /* another prefix after REX ends its effect */
    in->narrow |= byte == 0x66;
    in->short_address |= byte == 0x67;
}

/* Passes the prefixes and the opcode; returns its letter. */
static char read_opcode(struct reader *in)
{
    for (;;) {
        uint8_t opcode = next(in);
        uint8_t after = in->at < in->capacity ? in->code[in->at] : 0;
        if (opcode == 0x0f) {
            next(in);
            if (after == 0x38 || after == 0x3a)
                next(in);
            return after == 0x38 ? 'm' : after == 0x3a ? 'B' : two_bytes[after];
        }
        if (opcode == 0x8f && after >> 3 & 7) /* not POP: it begins XOP */
            return 'x';
        char letter = in->compat ? letter_32(opcode, after) : one_byte[opcode];
        if ((letter != 'P' && letter != 'R') || in->at > in->capacity)
            return letter;
        read_prefix(in, opcode, letter == 'R');
    }
}

/* ModRM with 16-bit addressing: SDM vol. 2, "Addressing-Mode Encoding of ModR/M and SIB".
 */
static size_t displacement_16(uint8_t modrm)
{
    unsigned mod = modrm >> 6;
    return mod == 1 ? 1 : mod == 2 || (mod == 0 && (modrm & 7) == 6) ? 2 : 0;
}

/* Passes ModRM, SIB and displacement; returns the field of three bits in ModRM. */
static unsigned read_modrm(struct reader *in)
{
    uint8_t modrm = next(in), base = modrm & 7;
    unsigned mod = modrm >> 6, reg = modrm >> 3 & 7;
    if (mod == 3)
        return reg;
    if (in->compat && in->short_address) {
        in->at += displacement_16(modrm);
        return reg;
    }
    if (base == 4)
        base = next(in) & 7;
    in->at += mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0;
    return reg;
}

static size_t immediate(const struct reader *in)
{
    return in->narrow && !in->wide ? 2 : 4;
}

static size_t address(const struct reader *in)
{
    return (in->compat ? 4u : 8u) / (in->short_address ? 2 : 1);
}

static void read_rest(struct reader *in, char letter)
{
    switch (letter) {
    case 'm':
        read_modrm(in);
        break;
    case 'B':
        read_modrm(in);
        in->at += 1;
        break;
    case 'Z':
        read_modrm(in);
        in->at += immediate(in);
        break;
    case 'g':
        in->at += read_modrm(in) < 2 ? 1 : 0;
        break;
    case 'G':
        in->at += read_modrm(in) < 2 ? immediate(in) : 0;
        break;
    case 'r':
    case 'b':
        in->at += 1;
        break;
    case 'w':
        in->at += 2;
        break;
    case 'e':
        in->at += 3;
        break;
    case 'z':
        in->at += immediate(in);
        break;
    case 'v':
        in->at += in->wide ? 8 : immediate(in);
        break;
    case 'o':
        in->at += address(in);
        break;
    case 'j':
        in->at += in->compat && in->narrow ? 2 : 4;
        break;
    case 'p':
        in->at += in->narrow ? 4 : 6;
        break;
    default:
        break;
    }
}

uint8_t insn_length(const struct part *part, const uint8_t *code, size_t capacity)
{
    struct reader in = { .code = code,
                         .capacity = capacity < INSN_MAX ? capacity : INSN_MAX,
                         .compat = part->flags & PART_COMPAT };
    char letter = read_opcode(&in);
    read_rest(&in, letter);
    return letter == 'x' || in.at > in.capacity ? 0 : (uint8_t)in.at;
}
