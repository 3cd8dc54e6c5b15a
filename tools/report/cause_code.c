/*
 * Instructions have no fixed length, so those before a place are found by decoding from the
 * label before it.
 */
#include "cause_code.h"

#include "disassembly.h"
#include "heap.h"
#include "symbols.h"

/* Finds the instruction right before an address; false: none is known. */
static bool insn_before(const struct loaded *loaded, const struct symbols *symbols,
                        uint64_t at, uint64_t *before)
{
    uint64_t next = symbol_at(symbols, at - 1).begin;

    while (next < at && next >= loaded->at) {
        ZydisDecodedInstruction insn;

        if (!code_decode(loaded->own, next - loaded->at, &insn))
            return false;
        *before = next;
        next += insn.length;
    }
    return next == at;
}

static void add(struct cause_code *code, const struct loaded *loaded,
                const struct symbols *symbols, uint64_t at, bool is_it)
{
    const struct symbol symbol = symbol_at(symbols, at);
    const bool is_label = symbol.name && !symbol.offset;
    size_t i = code->count++;

    code->insns[i].offset = at - loaded->at;
    code->insns[i].label = is_label ? scratch_text("%s", symbol.name) : NULL;
    code->insns[i].text = insn_text(loaded->own, at - loaded->at, loaded->at, symbols);
    code->insns[i].is_it = is_it;
}

static bool is_in_code(const struct loaded *loaded, uint64_t at)
{
    return at >= loaded->at && at - loaded->at < loaded->own->size;
}

void cause_code_of(struct cause_code *code, const struct log *log,
                   const struct cause *cause)
{
    const struct run *run = cause->run_count ? cause->runs[0] : NULL;
    const struct difference *d = run && run->context ? &run->context->d : NULL;
    uint64_t at, before = 0;
    struct symbols *symbols;
    ZydisDecodedInstruction insn;

    *code = (struct cause_code){ 0 };
    if (!d)
        return;
    at = d->want_ended ? d->got.from : d->want.from;
    if (!is_in_code(run->workload, at) ||
        !code_decode(run->workload->own, at - run->workload->at, &insn))
        return;
    symbols = symbols_of(log, run);
    if (at > run->workload->at && insn_before(run->workload, symbols, at, &before))
        add(code, run->workload, symbols, before, false);
    add(code, run->workload, symbols, at, true);
    if (is_in_code(run->workload, at + insn.length))
        add(code, run->workload, symbols, at + insn.length, false);
    symbols_free(symbols);
}
