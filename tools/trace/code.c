/*
 * Zydis decodes each place once.
 */
#include "code.h"

#include <stdlib.h>

#include "heap.h"

static void make_regions(struct code *code, size_t count)
{
    *code = (struct code){ .count = count };
    code->regions = zeroed(count, sizeof(*code->regions));
}

void code_at_places(struct code *code, const struct loaded *places, size_t count)
{
    make_regions(code, count);
    for (size_t i = 0; i < count; i++)
        code->regions[i].loaded = &places[i];
}

void code_of(struct code *code, const struct log *log)
{
    make_regions(code, log->workload_count);
    for (size_t i = 0; i < code->count; i++)
        code->regions[i].loaded = log->workloads[i];
}

void code_decoder(const struct workload *own, uint64_t offset, ZydisDecoder *out)
{
    bool compat = part_of(own, offset)->flags & PART_COMPAT;

    ZydisDecoderInit(
        out, compat ? ZYDIS_MACHINE_MODE_LONG_COMPAT_32 : ZYDIS_MACHINE_MODE_LONG_64,
        compat ? ZYDIS_STACK_WIDTH_32 : ZYDIS_STACK_WIDTH_64);
}

bool code_decode(const struct workload *own, uint64_t offset, ZydisDecodedInstruction *out)
{
    ZydisDecoder decoder;

    code_decoder(own, offset, &decoder);
    return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, own->code + offset,
                                                      own->size - (size_t)offset, out));
}

bool code_begins(const struct workload *own, uint64_t offset)
{
    ZydisDecodedInstruction insn;
    uint64_t at = 0;

    while (at < offset)
        at += code_decode(own, at, &insn) ? insn.length : 1;
    return at == offset;
}

void code_free(struct code *code)
{
    for (size_t i = 0; i < code->count; i++)
        free(code->regions[i].known);
    free(code->regions);
    *code = (struct code){ .count = 0 };
}

static bool lies_in(const struct code_region *region, uint64_t address)
{
    return address - region->loaded->at < region->loaded->own->size;
}

static struct code_region *region_at(struct code *code, uint64_t address)
{
    if (code->count && lies_in(&code->regions[code->newest], address))
        return &code->regions[code->newest];
    for (size_t i = 0; i < code->count; i++)
        if (lies_in(&code->regions[i], address)) {
            code->newest = i;
            return &code->regions[i];
        }
    return NULL;
}

static enum kind near_or_far(const ZydisDecodedInstruction *insn, enum kind direct,
                             enum kind indirect)
{
    if (insn->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        return KIND_FAR;
    return insn->raw.imm[0].is_relative ? direct : indirect;
}

/* Zydis has the categories of Intel's XED, which has events among its branches. */
static enum kind kind_of(const ZydisDecodedInstruction *insn)
{
    switch (insn->mnemonic) {
    case ZYDIS_MNEMONIC_XBEGIN: /* elsewhere only by an abort, which is no instruction */
    case ZYDIS_MNEMONIC_XABORT:
    case ZYDIS_MNEMONIC_XEND:
        return KIND_NONE;
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
        return near_or_far(insn, KIND_JMP, KIND_IJMP);
    case ZYDIS_CATEGORY_CALL:
        return near_or_far(insn, KIND_CALL, KIND_ICALL);
    case ZYDIS_CATEGORY_RET:
        return near_or_far(insn, KIND_RET, KIND_RET);
    case ZYDIS_CATEGORY_INTERRUPT:
        return KIND_INT;
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
        return KIND_FAR;
    default:
        return KIND_NONE;
    }
}

static bool is_faulter(const ZydisDecodedInstruction *insn)
{
    return insn->mnemonic == ZYDIS_MNEMONIC_UD0 || insn->mnemonic == ZYDIS_MNEMONIC_UD1 ||
           insn->mnemonic == ZYDIS_MNEMONIC_UD2;
}

/* Classifies the instruction as a debugger would: a call, a return. */
static void name_flow(const ZydisDecodedInstruction *insn, struct code_insn *out)
{
    const bool in = insn->meta.category == ZYDIS_CATEGORY_SYSCALL;
    const bool back = insn->meta.category == ZYDIS_CATEGORY_SYSRET;

    out->system = in || back;
    out->calls = in || insn->meta.category == ZYDIS_CATEGORY_CALL;
    out->returns =
        back || (insn->meta.category == ZYDIS_CATEGORY_RET && out->kind != KIND_IRET);
    out->endbr = insn->mnemonic == ZYDIS_MNEMONIC_ENDBR64 ||
                 insn->mnemonic == ZYDIS_MNEMONIC_ENDBR32;
}

static void decode(const struct code_region *region, uint64_t offset, struct code_insn *out)
{
    const struct workload *own = region->loaded->own;
    const struct part *part = part_of(own, offset);
    ZydisDecodedInstruction insn;

    *out = (struct code_insn){ .at = region->loaded->at + offset,
                               .begins = out->begins,
                               .covered = out->covered };
    if (!code_decode(own, offset, &insn))
        return;
    out->length = insn.length;
    out->kind = (uint8_t)kind_of(&insn);
    out->faulter = is_faulter(&insn);
    out->perhaps = insn.mnemonic == ZYDIS_MNEMONIC_INTO;
    name_flow(&insn, out);
    out->direct = out->kind != KIND_NONE && insn.raw.imm[0].is_relative;
    if (out->direct)
        out->target = code_next(out) + (uint64_t)insn.raw.imm[0].value.s;
    if (part->flags & PART_COMPAT) /* EIP wraps, and the base comes on top */
        out->target = part->base + (uint32_t)(out->target - part->base);
}

const struct code_insn *code_ask(struct code *code, uint64_t address)
{
    struct code_region *region = region_at(code, address);
    struct code_insn *insn;
    uint64_t offset;

    if (!region)
        return NULL;
    if (!region->known)
        region->known = zeroed(region->loaded->own->size, sizeof(*region->known));
    code->at = region->loaded->at;
    code->size = region->loaded->own->size;
    code->known = region->known;
    offset = address - code->at;
    insn = &region->known[offset];
    if (insn->at == 0)
        decode(region, offset, insn);
    return insn->length ? insn : NULL;
}

/* True if the instruction after this one can come next, or a CALL returns to it. */
static bool goes_on(const struct code_insn *insn)
{
    switch (insn->kind) {
    case KIND_NONE:
        return !insn->faulter;
    case KIND_JCC:
    case KIND_CALL:
    case KIND_ICALL:
        return true;
    case KIND_INT:
        return insn->length > 1; /* INT3 also fills up */
    default:
        return insn->system && insn->calls;
    }
}

/* Notes that the instruction was reached; code_at() has read it last. */
static void reach(struct code *code, const struct code_insn *insn)
{
    struct code_insn *known = &code->known[insn->at - code->at];

    known->begins = true;
    for (uint8_t i = 0; i < insn->length; i++)
        known[i].covered = true;
}

void code_reach(struct code *code, uint64_t begin, uint64_t end)
{
    const struct code_insn *insn = code_at(code, begin);
    uint64_t *open = NULL; /* where a way begins */
    size_t count = 0, capacity = 0;

    if (!insn || insn->begins) /* it was followed before */
        return;
    open = grow(open, &capacity, count, sizeof(*open));
    open[count++] = begin;
    while (count)
        for (uint64_t at = open[--count];
             at - begin < end - begin && (insn = code_at(code, at)) && !insn->begins;
             at = goes_on(insn) ? code_next(insn) : end) {
            reach(code, insn);
            if (!insn->direct)
                continue;
            open = grow(open, &capacity, count, sizeof(*open));
            open[count++] = insn->target;
        }
    free(open);
}

bool code_is_inside(struct code *code, uint64_t address)
{
    const struct code_insn *insn = code_at(code, address);

    return insn && insn->covered && !insn->begins;
}

const struct loaded *code_owner(struct code *code, uint64_t address)
{
    const struct code_region *region = region_at(code, address);

    return region ? region->loaded : NULL;
}

bool code_is_stub(const struct loaded *loaded, uint64_t address)
{
    const struct workload *own = loaded->own;

    for (uint32_t i = 0; i < own->stub_count; i++)
        if (address == loaded->at + own->stubs[i].offset)
            return true;
    return false;
}
