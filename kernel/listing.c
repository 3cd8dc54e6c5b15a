/*
 * listing.h.  A label begins an instruction.  An instruction that seems to reach over one
 * ends there: it is data, or the workload jumps into its middle.
 */
#include "listing.h"

#include "branch.h"
#include "decode.h"
#include "insn_length.h"
#include "log.h"

#define OFFSET_COLUMN 16
#define BYTES_COLUMN  23
#define WORDS_COLUMN  49
#define BYTES_MAX     8 /* of a line without an instruction */

/* SDM vol. 1, appendix "EFLAGS Condition Codes". */
static const char *const conditions[16] = { "jo",  "jno", "jb",  "jae", "je", "jne",
                                            "jbe", "ja",  "js",  "jns", "jp", "jnp",
                                            "jl",  "jge", "jle", "jg" };

static const char *conditional(const struct insn *insn)
{
    switch (insn->two_byte ? 0 : insn->opcode) {
    case 0xe0:
        return "loopne";
    case 0xe1:
        return "loope";
    case 0xe2:
        return "loop";
    case 0xe3:
        return insn->counter == 8 ? "jrcxz" : insn->counter == 4 ? "jecxz" : "jcxz";
    default:
        return conditions[insn->opcode & 15];
    }
}

static const char *far(const struct insn *insn)
{
    switch (insn->opcode) {
    case 0x05:
        return "syscall";
    case 0x07:
        return "sysret";
    case 0x34:
        return "sysenter";
    case 0x35:
        return "sysexit";
    case 0x9a:
        return "call far";
    case 0xea:
        return "jmp far";
    case 0xff:
        return "call or jmp far, through memory";
    default:
        return "retf";
    }
}

static const char *event(const struct insn *insn)
{
    return insn->opcode == 0xcc          ? "int3"
           : insn->opcode == 0xf1        ? "int1"
           : insn->opcode == OPCODE_INTO ? "into"
                                         : "int";
}

static const char *mnemonic(const struct insn *insn)
{
    switch (insn->kind) {
    case KIND_JCC:
        return conditional(insn);
    case KIND_JMP:
        return "jmp";
    case KIND_IJMP:
        return "jmp, indirect";
    case KIND_CALL:
        return "call";
    case KIND_ICALL:
        return "call, indirect";
    case KIND_RET:
        return "ret";
    case KIND_IRET:
        return "iret";
    case KIND_INT:
        return event(insn);
    default:
        return far(insn);
    }
}

static struct log_map map_of(const struct workload *w)
{
    return (struct log_map){ .workload = w, .workload_at = (uint64_t)w->code };
}

static void put_place(struct text *out, const struct workload *w, uint64_t offset)
{
    const struct log_map map = map_of(w);
    log_put_end(out, &map, (uint64_t)w->code + offset, LOG_TO);
}

static bool has_label(const struct workload *w, uint64_t offset)
{
    char buffer[LABEL_SIZE + 32];
    struct text place = text_into(buffer, sizeof buffer);
    put_place(&place, w, offset);
    return buffer[0] == '.';
}

static size_t length_at(const struct workload *w, uint64_t offset,
                        const struct insn *branch)
{
    const struct part *part = part_of(w, offset);
    size_t left = w->size - (size_t)offset;
    size_t length = branch->kind != KIND_NONE ? branch->length
                                              : insn_length(part, w->code + offset, left);
    if (!length)
        length = left < BYTES_MAX ? left : BYTES_MAX;
    for (size_t i = 1; i < length; i++)
        if (has_label(w, offset + i))
            return i;
    return length;
}

static void pad(struct text *out, size_t begin, size_t column)
{
    do
        text_string(out, " ");
    while (out->length < begin + column && !out->overflow);
}

static void put_target(struct text *out, const struct workload *w, const struct insn *insn,
                       uint64_t offset)
{
    if (insn->direct) {
        text_string(out, " ");
        put_place(out, w, insn->target - (uint64_t)w->code);
    } else if (insn->kind == KIND_INT && insn->length == 2) {
        text_string(out, " ");
        text_decimal(out, w->code[offset + 1]);
    }
}

size_t listing_line(struct text *out, const struct workload *w, uint64_t offset)
{
    struct insn insn;
    size_t begin = out->length;
    decode_of(w, (uint64_t)w->code, (uint64_t)w->code + offset, &insn);
    size_t length = length_at(w, offset, &insn);
    if (has_label(w, offset))
        put_place(out, w, offset);
    pad(out, begin, OFFSET_COLUMN);
    text_string(out, "+0x");
    text_hex(out, offset);
    pad(out, begin, BYTES_COLUMN);
    for (size_t i = 0; i < length; i++) {
        text_string(out, i ? " " : "");
        text_hex_padded(out, w->code[offset + i], 2);
    }
    if (insn.kind == KIND_NONE)
        return length;
    pad(out, begin, WORDS_COLUMN);
    text_string(out, mnemonic(&insn));
    put_target(out, w, &insn, offset);
    return length;
}
