/*
 * ler: the last exception record, which tells how control came to where it was lost.
 *
 * Before the record of an interrupt or exception is made, the newest one of the last
 * branches is copied into a pair of its own (SDM vol. 3B, "Last Branch, Interrupt, and
 * Exception Recording (P6 Family Processors)", "Last Exception Records"; AMD64 APM vol. 2,
 * "Control-Transfer Recording MSRs": LastIntFromIP).  So what was branched to last before
 * a fault is known even when the handler has filled the stack.  #DB copies nothing: its
 * delivery has turned recording off.
 *
 * Many processors do not let it be written.  So arm() raises an exception of its own, after
 * a jump that no workload has: if that pair is still there, no event came.
 *
 * After a filter the branch is the last one that was left in.  Where none was before the
 * first event, that is one of arm()'s own, which is no record of the workload.
 */
#include "method_facts.h"

METHOD_FACTS(ler) = {
    .name = "ler",
    .about = "the last exception record: the branch before the last event",
    .needs = NEEDS(FACILITY_LER),
    .newest = 1,
    .ends_at_db = true,
    .last_event = true,
    .filtered = FILTERED_BY_LER,
};

#ifdef KERNEL

#include "ler.h"

#include "entry.h"
#include "idt.h"
#include "method.h"
#include "msr.h"
#include "registers.h"
#include "rule.h"
#include "x86.h"
#include "lbr_stack.h"

static struct ler mark; /* what arm() left there */

/*
 * Where DEBUGCTL has an LBR bit it governs this pair, AMD's with a stack of version 2 too;
 * with architectural LBR its own enable does.
 */
struct enable ler_enable(const struct cpu *cpu)
{
    uint32_t lbr = cpu->model->debugctl.lbr;
    return lbr ? (struct enable){ .msr = MSR_DEBUGCTL, .on = lbr } : lbr_stack_enable(cpu);
}

bool ler_read(const struct cpu *cpu, struct ler *out)
{
    const struct rule_place place = { .method = &facts_ler,
                                      .model = cpu->model,
                                      .id = &cpu->id };
    *out = (struct ler){ 0, 0 };
    if (!msr_read(cpu->model->ler_from, &out->from) ||
        !msr_read(cpu->model->ler_to, &out->to))
        return false;
    if (rule_applies("ler-to-top", &place))
        out->to = entry_sign_extended(out->to, read_cr4() & CR4_LA57 ? 57 : 48);
    return true;
}

const struct ler_place ler_places[LER_PLACES] = {
    [LER_OF_FAULT] = { ler_code_0, ler_jump_0, ler_event_0 },
    [LER_OF_OTHER_FAULT] = { ler_code_1, ler_jump_1, ler_event_1 },
    [LER_OF_INT] = { ler_code_2, ler_jump_2, ler_event_2 },
};

struct ler ler_mark(const struct cpu *cpu, const struct ler_place *place)
{
    struct enable enable = ler_enable(cpu);
    struct ler left;
    idt_stub(VECTOR_DE, ler_fault);
    idt_stub(VECTOR_LER_MARK, ler_stub);
    window_run(&enable, place->code);
    idt_unstub(VECTOR_LER_MARK);
    idt_unstub(VECTOR_DE);
    ler_read(cpu, &left);
    return left;
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    lbr_stack_prepare(cpu);
    mark = ler_mark(cpu, &ler_places[LER_OF_FAULT]);
    return buffers->filter ? lbr_stack_enable_through(cpu, buffers->filter)
                           : ler_enable(cpu);
}

static bool is_of_mark(const struct branch *record)
{
    return record->from >= (uint64_t)ler_code_0 && record->from <= (uint64_t)ler_stub;
}

static uint32_t words(const struct cpu *cpu, const struct buffers *buffers)
{
    return buffers->info && cpu->model->ler_info ? info_words_of(cpu->model, &cpu->id) : 0;
}

static const struct info *info_of(const struct cpu *cpu, const struct ler *ler,
                                  struct info *out)
{
    uint64_t registers[INFO_REGISTERS] = { ler->from, ler->to, 0 };
    msr_read(cpu->model->ler_info, &registers[INFO_IN_INFO]);
    *out = info_decode(info_form_of(cpu->model, &cpu->id), registers);
    return out;
}

static struct trace drain(const struct cpu *cpu, const struct buffers *buffers)
{
    struct ler now;
    ler_read(cpu, &now);
    bool event = now.from != mark.from || now.to != mark.to;
    struct trace trace = { .count = event &&
                                    entry_decode_ler(cpu->model, cpu->lbr_from_flags,
                                                     now.from, now.to, buffers->records) &&
                                    !is_of_mark(buffers->records) };
    if (words(cpu, buffers))
        trace.infos = info_of(cpu, &now, buffers->infos);
    return trace;
}

static void disarm(const struct cpu *cpu)
{
    lbr_stack_restore(cpu);
}

METHOD(ler) = {
    .facts = &facts_ler,
    .arm = arm,
    .drain = drain,
    .disarm = disarm,
    .info = words,
};

#endif
