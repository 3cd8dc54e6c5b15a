/*
 * Checks what the packets of Processor Trace show besides records: the status after them,
 * their form, their end, and where they lose records, the rule that accounts for the loss.
 *
 * A conditional branch that is not taken is no record, but a bit of a TNT packet.  The
 * bits that the stream has are counted from the packets alone, and those that it must have
 * from the expected trace; the walk of the packets is not used for either.
 */
#include "packets.h"

#include <inttypes.h>

#include "code.h"
#include "count_of.h"
#include "heap.h"
#include "hit.h"
#include "judge_parts.h"
#include "retired.h"
#include "unconfirmed.h"

/* SDM vol. 3C, "IA32_RTIT_STATUS MSR". */
#define STATUS_ENABLED     (7u << 0) /* FilterEn, ContextEn, TriggerEn */
#define STATUS_ERROR       (1u << 4)
#define STATUS_STOPPED     (1u << 5)
#define STATUS_PENDING     (3u << 6) /* PendPSB, PendToPAPMI */
#define STATUS_BYTES       (UINT64_C(0x1ffff) << STATUS_BYTES_SHIFT) /* PacketByteCnt */
#define STATUS_BYTES_SHIFT 32

/* After the return, the window runs one conditional branch, which is not taken. */
#define WINDOW_NOT_TAKEN 1

/* The most records that an overflow at the end of a trace takes (chosen). */
#define LOST_AT_END 256

char *packets_misfit(const struct run *run)
{
    return format_text("%s, after %" PRIu64 " records (lost)", run->lines->wrong,
                       run->lines->before_wrong);
}

/* The bits of the status that this processor has. */
static uint64_t status_bits(const struct cpu_id *id)
{
    return STATUS_ENABLED | STATUS_ERROR | STATUS_STOPPED |
           (id->pt_preserves ? STATUS_PENDING : 0) | (id->pt_psb ? STATUS_BYTES : 0);
}

/*
 * The regions with STOP, and all before it, are full to the last byte ("ToPA STOP"); a
 * single range has no STOP.  Before version 3 the log does not say how many bytes that is.
 */
static bool is_full(const struct run *run)
{
    return run->cpu->id.pt_topa && run->ran.lost == 1 && run->asked.buffer.is &&
           run->asked.buffer.value == run->lines->size;
}

static char *byte_count_wrong(const struct run *run)
{
    const struct pt_form *form = &run->lines->form;
    const uint64_t got = (run->lines->status & STATUS_BYTES) >> STATUS_BYTES_SHIFT;
    const uint64_t want = form->size - form->last_psb;

    if (!run->cpu->id.pt_psb || !form->psbs || run->ran.lost || got == want ||
        !rule_is_of_run("pt-byte-count", run))
        return NULL;
    return format_text("PacketByteCnt is %" PRIu64 ", but %" PRIu64
                       " bytes came since the last PSB",
                       got, want);
}

/*
 * Error says that the processor met a table or a region that it cannot use ("Operational
 * Errors").
 */
bool judge_status(struct run *run)
{
    const uint64_t status = run->lines->status, bytes = run->lines->size;
    const size_t line = run->lines->line;

    if (status & STATUS_ERROR)
        return run_broke(run, "pt-error", line,
                         format_text("IA32_RTIT_STATUS is 0x%" PRIx64 " after the packets: "
                                     "Error is set, so the processor could not write them "
                                     "all",
                                     status));
    if (status & STATUS_STOPPED && !is_full(run))
        return run_broke(run, "pt-stopped", line,
                         format_text("IA32_RTIT_STATUS is 0x%" PRIx64 " after %" PRIu64
                                     " bytes of packets: Stopped is set, but %s",
                                     status, bytes,
                                     run->asked.buffer.is
                                         ? "the buffer is not full"
                                         : "the log does not say how large the buffer is"));
    return false;
}

/* PSBs soon after others: the emulator has none, silicon may have few (chosen). */
static uint64_t soon_most(const struct run *run)
{
    return rule_place_of(run).emulated ? 0 : 4;
}

/* The kernel makes a run again while packets are lost. */
static bool was_made_again(const struct run *run)
{
    return run->ran.repeated == RUN_TRIES_MAX - 1;
}

static void judge_psb_end(struct run *run)
{
    const bool lost = was_made_again(run) && rule_is_of_run("pt-psb-open", run);

    if (run->lines->form.psb_cut && !packets_filled(run))
        run_found(run, lost ? ALLOWED : BROKEN, lost ? "pt-psb-open" : "pt-decodes",
                  run->lines->line, format_text("the packets end in a PSB without PSBEND"));
}

/* An SMI's handler may be of any mode, and who knows what a hypervisor runs. */
static bool has_compat(const struct run *run)
{
    const struct rule_place place = rule_place_of(run);
    const struct workload *own = run->workload->own;
    bool has = run->ran.smis || run->cpu->left.smi_count.is != LOG_THERE ||
               rule_is_in_guest(&place);

    for (uint32_t i = 0; i < own->part_count; i++)
        has = has || own->parts[i].flags & PART_COMPAT;
    return has;
}

/* The packets that are of no branch: where they are, and what they say. */
static void judge_state(const struct log *log, struct run *run)
{
    const struct pt_form *form = &run->lines->form;
    const struct run *other = log->runs;
    const size_t line = run->lines->line;
    const struct rule_run hit = rule_run_of(log, run);
    const bool undisturbed = !run->ran.smis && !form->overflows;

    if (form->ended_at && undisturbed && record_filter_shows(run->filter, 0))
        run_broke(run, "pt-after", line,
                  format_text("byte %" PRIu64 " of the packets comes after their end",
                              form->ended_at));
    if (form->soon > soon_most(run) + hit_smis_max(&hit) && !form->overflows)
        run_broke(run, "pt-psb-period", line,
                  format_text("%" PRIu64
                              " PSBs come less than %u bytes after the one before "
                              "them, the last one at byte %" PRIu64,
                              form->soon, PT_PSB_NEAR, form->soon_at));
    if (form->vmcs_at && rule_is_of_run("pt-vmcs", run))
        run_broke(run, "pt-vmcs", line,
                  format_text("byte %" PRIu64 " of the packets: this packet is VMCS",
                              form->vmcs_at));
    if (form->compat_at && !has_compat(run))
        run_broke(run, "pt-decodes", line,
                  format_text("byte %" PRIu64 " of the packets: this MODE.Exec is of code "
                              "that is not of 64 bits",
                              form->compat_at));
    if (form->other_at)
        run_broke(run, "pt-pip", line,
                  format_text("byte %" PRIu64 " of the packets: this PIP has another CR3",
                              form->other_at));
    while (other < run && (other->processor != run->processor || !other->lines ||
                           !other->lines->form.has_cr3))
        other++;
    if (form->has_cr3 && form->cr3 != other->lines->form.cr3)
        run_broke(run, "pt-pip", line,
                  format_text("CR3 is 0x%" PRIx64 " in a PIP, but 0x%" PRIx64
                              " in an earlier run on this processor",
                              form->cr3, other->lines->form.cr3));
}

/* A VM exit and entry take this many ticks at least (chosen: they take 500 clocks). */
#define EXIT_TICKS_LEAST 250

/* An SMI and an overflow each end packets, which begin again; a guest's exits may, too. */
static void judge_begins(const struct log *log, struct run *run)
{
    const struct pt_form *form = &run->lines->form;
    const struct rule_run hit = rule_run_of(log, run);
    const uint64_t known = 1 + form->overflows, by_smis = hit_smis_max(&hit);
    const uint64_t by_exits =
        rule_is_in_guest(&hit.place) ? run->ran.ticks / EXIT_TICKS_LEAST : 0;
    char *began;

    if (form->begins <= known || run->filter)
        return;
    if (run->lines->begins_elsewhere)
        run_broke(run, "run-records", run->lines->line,
                  format_text("packets end in the workload, and begin again elsewhere"));
    began = format_text("packet generation began %" PRIu64 " times, but %s", form->begins,
                        by_smis ? scratch_text("SMIs account for %" PRIu64, by_smis)
                                : "no SMI hit the run");
    if (form->begins - known <= by_smis)
        run_found(run, ALLOWED, "hit-smi", run->lines->line, began);
    else if (form->begins - known <= hit_smis_ever(&hit) ||
             form->begins - known <= by_exits)
        run_broke(run, "pt-once", run->lines->line, began);
    else
        run_broke(run, "run-records", run->lines->line, began);
}

/* True if this lies in the window, but no instruction begins there. */
static bool splits_insn(const struct machine *machine, uint64_t at)
{
    const struct workload window = { .code = machine->window,
                                     .size = (uint32_t)machine->window_size };
    const uint64_t offset = at - machine->caller.at.value;

    return offset < machine->window_size && !code_begins(&window, offset);
}

void judge_form(const struct log *log, struct run *run)
{
    const struct pt_form *form = &run->lines->form;
    const uint64_t status = run->lines->status;
    const uint64_t unknown = status & ~status_bits(&run->cpu->id);
    const size_t line = run->lines->line;

    if (unknown)
        run_broke(run, "pt-status", line,
                  format_text("IA32_RTIT_STATUS is 0x%" PRIx64 " after the packets: this "
                              "processor has no bits 0x%" PRIx64,
                              status, unknown));
    run_broke(run, "pt-byte-count", line, byte_count_wrong(run));
    if (form->off)
        run_broke(run, "pt-off", line,
                  format_text("byte %" PRIu64
                              " of the packets: this packet is %s, which is "
                              "not switched on",
                              form->off_at, form->off));
    if (run->lines->without_fup)
        run_broke(run, "pt-fup", line,
                  format_text("no FUP shows the software interrupts that packets lead "
                              "through: %" PRIu64 " of them",
                              run->lines->without_fup));
    if (form->misplaced)
        run_broke(run, "pt-decodes", line,
                  format_text("byte %" PRIu64
                              " of the packets: this packet cannot be here: %s",
                              form->misplaced_at, form->misplaced));
    if (form->fits < form->size && !(form->cut && packets_filled(run)))
        run_broke(
            run, "pt-decodes", line,
            format_text("byte %" PRIu64 " of the packets: %s", form->fits,
                        form->cut ? "the last packet is cut" : "there is no such packet"));
    judge_begins(log, run);
    judge_state(log, run);
    judge_psb_end(run);
    if (form->psb_fup) {
        const bool astray = run->lines->psb_astray ||
                            splits_insn(&log->machine, form->psb_least) ||
                            splits_insn(&log->machine, form->psb_most);
        const bool may = rule_is_of_run("pt-psb-fup", run) && !astray;

        run_found(run, may ? NOTED : BROKEN, may ? "pt-psb-fup" : "pt-decodes", line,
                  format_text("a PSB before TIP.PGE has FUP%s",
                              astray ? " of another place" : ""));
    }
}

bool packets_filled(const struct run *run)
{
    return run->method->packets && run->ran.lost && run->lines->status & STATUS_STOPPED;
}

/* Why a full buffer does not excuse what is missing after it, or NULL. */
static char *not_filled_by_trace(const struct run *run)
{
    const struct pt_form *form = &run->lines->form;

    if (run->lines->wrong)
        return packets_misfit(run);
    if (!run->branches)
        return format_text("the buffer was full, but it shows no record (lost)");
    if (form->idle > form->size / 2)
        return format_text("the buffer was full, but %" PRIu64 " of its %" PRIu64
                           " bytes are of no branch (lost)",
                           form->idle, form->size);
    return NULL;
}

/* A full buffer, whose size the user chooses, is no fault of the processor. */
bool judge_filled(const struct log *log, struct run *run)
{
    uint64_t missing;

    if (!packets_filled(run))
        return false;
    if (run_broke(run, "pt-until-full", run->lines->line, not_filled_by_trace(run)))
        return true;
    if (records_fit_around(log, run, run->branches, &missing))
        run_found(run, ALLOWED, "pt-stopped", run->lines->line,
                  format_text("the buffer was full after %" PRIu64 " records, which are "
                              "right: buffer= makes it larger",
                              run->branches));
    else
        judge_records(log, run, "pt-until-full", NULL);
    return true;
}

/*
 * True if this is the WRMSR of the window that turns tracing off: FUP has its address,
 * then comes TIP.PGD (SDM vol. 3C, "Packet Generation under Different Enable Conditions";
 * so do all ten ends in google/perf_data_converter, perf.data.intel_pt-4.14).
 */
static bool turns_off(const struct machine *machine, uint64_t at)
{
    const uint64_t offset = at - machine->caller.at.value;

    return at >= machine->caller.back && offset + 1 < machine->window_size &&
           machine->window[offset] == 0x0f && machine->window[offset + 1] == 0x30;
}

static bool has_end(const struct log *log, const struct run *run)
{
    return !run->lines->is_on && (!record_filter_shows(run->filter, 0) ||
                                  turns_off(&log->machine, run->lines->end));
}

/*
 * The rule by which an overflow takes these records away: there are some before it, and
 * packets say where the trace goes on.  Where none does, the trace ended meanwhile.
 */
static const char *rule_of_overflow(const struct log *log, const struct run *run,
                                    uint64_t missing)
{
    const bool goes_on = run->branches > run->lines->before_wrong;

    switch (run->lines->form.after) {
    case PT_AFTER_PLACE:
        return has_end(log, run) ? "pt-overflow" : NULL;
    case PT_AFTER_NOTHING:
        return missing <= LOST_AT_END ? "pt-overflow" : NULL;
    case PT_AFTER_END:
        if (goes_on || missing > LOST_AT_END)
            return NULL;
        return rule_is_of_run("pt-ovf-pgd", run) ? "pt-ovf-pgd" : "pt-ovf-alone";
    default:
        return has_end(log, run) ? "pt-ovf-alone" : NULL;
    }
}

/* The rule by which these packets end before their time. */
static const char *rule_of_end(uint64_t missing)
{
    return missing <= LOST_AT_END ? "pt-end-lost" : "pt-silence";
}

/* The rule that accounts for what is missing of the packets, or NULL. */
static const char *rule_of_loss(const struct log *log, struct run *run)
{
    const struct run_lines *lines = run->lines;
    const char *rule;
    uint64_t missing;

    if ((lines->misfit != MISFIT_OF_OVERFLOW &&
         (lines->misfit != MISFIT_OF_END || !lines->form.is_on)) ||
        !was_made_again(run) ||
        !records_fit_around(log, run, lines->before_wrong, &missing) ||
        (missing && !lines->before_wrong))
        return NULL;
    rule = lines->misfit == MISFIT_OF_OVERFLOW ? rule_of_overflow(log, run, missing)
                                               : rule_of_end(missing);
    return rule && rule_is_of_run(rule, run) ? rule : NULL;
}

/* A boundary that is missing, or its end: all records are there, and must be right. */
static bool judge_boundary(const struct log *log, struct run *run,
                           struct disputed *disputed)
{
    const bool right = judge_records(log, run, "run-records", disputed);

    if (run->lines->misfit == MISFIT_OF_BOUNDARY)
        run_broke(run, run->cpu->id.pt_psb ? "pt-psb-counted" : "pt-psb", run->lines->line,
                  packets_misfit(run));
    else if (was_made_again(run) && rule_is_of_run("pt-psb-open", run))
        run_found(run, ALLOWED, "pt-psb-open", run->lines->line, packets_misfit(run));
    else
        run_broke(run, "pt-decodes", run->lines->line, packets_misfit(run));
    return right;
}

/*
 * The packets end in something that they should not, or lead nowhere; what they showed
 * besides must be right.
 */
bool judge_misfit(const struct log *log, struct run *run, struct disputed *disputed)
{
    const char *rule = rule_of_loss(log, run);

    if (rule) {
        run_found(run, ALLOWED, rule, run->lines->line, packets_misfit(run));
        return false;
    }
    switch (run->lines->misfit) {
    case MISFIT_OF_BOUNDARY:
    case MISFIT_OF_PSB_OPEN:
        return judge_boundary(log, run, disputed);
    case MISFIT_OF_END:
        return judge_records(log, run, "run-records", disputed);
    default:
        run_broke(run, "pt-decodes", run->lines->line, packets_misfit(run));
        return false;
    }
}

static bool has_losses(const struct run *run)
{
    static const char *const rules[] = { "pt-overflow", "pt-ovf-alone", "pt-ovf-pgd",
                                         "pt-end-lost", "pt-silence",   "pt-psb-open" };

    for (size_t i = 0; i < COUNT_OF(rules); i++)
        if (run_found_by(run, rules[i]))
            return true;
    return false;
}

/* Runs that are made again and yet lose packets are rare, so a log has at most one. */
void judge_all_losses(struct log *log)
{
    const struct run *last = NULL;
    size_t count = 0;

    for (size_t i = 0; i < log->run_count; i++)
        if (has_losses(&log->runs[i])) {
            last = &log->runs[i];
            count++;
        }
    if (count <= 1)
        return;
    complain_of_runs(log, last, "pt-losses-few",
                     format_text("packets are lost in one run at most"),
                     format_text("%zu repeated runs lost packets", count));
}

void judge_bits(const struct log *log, struct run *run)
{
    const struct retired retired = retired_of(log, run);
    const bool kernel = record_filter_shows(run->filter, 0);
    const uint64_t want = retired.not_taken - retired.filtered;
    const uint64_t of_window = kernel ? WINDOW_NOT_TAKEN : 0;
    const uint64_t got = run->lines->form.not_taken;

    if (!retired.known || run->ran.lost)
        return;
    if (got != want + of_window)
        run_broke(run, "pt-tnt", run->lines->line,
                  format_text("%" PRIu64 " bits say that a conditional branch was not "
                              "taken, want %" PRIu64 " of the workload and %" PRIu64
                              " of the window",
                              got, want, of_window));
    else if (kernel && run->lines->begin != log->machine.caller.at.value)
        run_broke(run, "pt-begin", run->lines->line,
                  format_text("the packets do not begin after the WRMSR that turns tracing "
                              "on"));
    else if (!has_end(log, run))
        run_broke(run, "pt-end", run->lines->line,
                  format_text("no FUP and TIP.PGD say that the packets end where the "
                              "window turns tracing off"));
}
