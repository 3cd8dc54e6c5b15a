// LINK: kernel/hardware/window.asm kernel/hardware/pmi_gate.asm
/*
 * What common/facts/pmu.h says of the window and of the gate of the performance-monitoring
 * interrupt, since nasm reads no C: counted in their code.
 */
#include <Zydis/Zydis.h>

#include "pmu.h"
#include "test.h"

extern const uint8_t window_enter[], window_end[], pmi_gate_entry[], pmi_gate_return[];

#define INSNS_MAX 100

static ZydisDecodedInstruction insns[INSNS_MAX];
static size_t insn_count;

/* All from the first instruction to that which begins at `last`. */
static void read_code(const uint8_t *code, const uint8_t *last)
{
    ZydisDecoder decoder;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (insn_count = 0; code <= last && insn_count < INSNS_MAX; insn_count++) {
        ZydisDecodedInstruction *insn = &insns[insn_count];

        if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
                &decoder, NULL, code, ZYDIS_MAX_INSTRUCTION_LENGTH, insn)))
            break;
        code += insn->length;
    }
    CHECK(code == last + insns[insn_count - 1].length);
}

/* The index of the nth WRMSR, counted from 0; insn_count if there are fewer. */
static size_t wrmsr_at(size_t nth)
{
    for (size_t i = 0; i < insn_count; i++)
        if (insns[i].mnemonic == ZYDIS_MNEMONIC_WRMSR && nth-- == 0)
            return i;
    return insn_count;
}

static size_t jccs_between(size_t first, size_t end)
{
    size_t count = 0;

    for (size_t i = first; i < end; i++)
        count += insns[i].meta.category == ZYDIS_CATEGORY_COND_BR;
    return count;
}

/* A counter alone is written twice: the first of either two turns it on, or off. */
TEST(the_window_runs_so_many_instructions_of_its_own)
{
    read_code(window_enter, window_end);
    size_t on = wrmsr_at(0), off = wrmsr_at(2);

    CHECK(wrmsr_at(3) < insn_count && wrmsr_at(4) == insn_count);
    CHECK(off - on - 1 == OWN_WINDOW_INSNS);
    size_t call = on;
    while (call < off && insns[call].mnemonic != ZYDIS_MNEMONIC_CALL)
        call++;
    CHECK(call - on == OWN_WINDOW_BEFORE);
    CHECK(jccs_between(on, off) == OWN_WINDOW_JCCS);
}

TEST(the_gate_runs_so_many_before_the_counter_is_off)
{
    read_code(pmi_gate_entry, pmi_gate_return);
    CHECK(wrmsr_at(0) == OWN_ENTRY_INSNS);
    CHECK(jccs_between(0, wrmsr_at(0)) == 0);
}

TEST(the_gate_runs_so_many_when_the_counter_is_on_again)
{
    read_code(pmi_gate_entry, pmi_gate_return);
    CHECK(wrmsr_at(3) < insn_count && wrmsr_at(4) == insn_count);
    CHECK(insn_count - wrmsr_at(2) - 1 == OWN_RETURN_INSNS); /* the IRETQ among them */
    CHECK(jccs_between(wrmsr_at(2), insn_count) == 0);
}
