/* lateness.h; and first the period of a counter, which is how often its interrupts come. */
#include "lateness.h"

#include "code.h"
#include "count_of.h"
#include "expected_trace.h"
#include "heap.h"
#include "hit.h"
#include "judge_parts.h"
#include "saturate.h"
#include "unconfirmed.h"
#include "words.h"

size_t piece_size(const struct cpu_part *cpu)
{
    return cpu->row ? cpu->row->brs.depth : 0;
}

/* Branch sampling holds the interrupt back for a piece.  Of a buffer's records before the
 * threshold, one is an IRETQ. */
uint64_t interrupt_each(const struct run *run)
{
    const uint64_t threshold = run->asked.threshold.value;

    if (run->method->pmi_drained)
        return threshold - (threshold > 1 && record_filter_shows(run->filter, 0));
    return run->asked.period + (run->method->sampled_windows ? piece_size(run->cpu) : 0);
}

/*
 * One probe does not meet the latest interrupt possible.  An interrupt up to this many
 * times as late as the probe's latest is accepted.
 */
#define LATER 2

static const struct facility_line *measured_of(const struct run *run)
{
    return &run->cpu->facilities[run->method->pmi_drained ? FACILITY_BTS : FACILITY_PMI];
}

bool lateness_is_none(const struct run *run)
{
    return rule_is_of_run("pmi-prompt", run) &&
           (measured_of(run)->most == 0 || run->cpu->facilities[FACILITY_PMI].most == 0);
}

bool lateness_compares(const struct run *run)
{
    return run->method->pmi_drained || counts_taken(run);
}

uint64_t lateness_max(const struct run *run)
{
    if (lateness_is_none(run))
        return 0;
    return lateness_compares(run) ? saturated_product(LATER, measured_of(run)->most)
                                  : UINT64_MAX;
}

bool lateness_is_logged(const struct run *run)
{
    return run->ran.skid.is != LOG_NOT_THERE;
}

uint64_t lateness_in_all(const struct run *run)
{
    return run->ran.skid.value;
}

uint64_t counted_in_time(const struct run *run)
{
    return saturated_less(run->ran.counted.value, lateness_in_all(run));
}

static uint64_t drained(const struct run *run)
{
    return run->records - run->gaps;
}

bool interrupts_are_early(const struct run *run)
{
    return run->ran.events > counted_in_time(run) / interrupt_each(run);
}

bool period_is_unsafe(const struct run *run)
{
    const struct rule_place place = rule_place_of(run);

    return run->method->counter_driven && run->asked.period < PERIOD_SAFE &&
           !(lateness_in_all(run) && interrupts_are_early(run)) && !place.emulated &&
           rule_is_of_cpu(rule_named("count-small-period"), &place);
}

uint64_t records_in_time(const struct run *run)
{
    return saturated_less(drained(run), lateness_in_all(run));
}

uint64_t lateness_beyond(const struct run *run, uint64_t of_stops)
{
    return saturated_less(lateness_in_all(run), of_stops);
}

uint64_t events_since_last(const struct run *run)
{
    return saturated_less(
        run->method->pmi_drained ? drained(run) : run->ran.counted.value,
        saturated_sum(lateness_in_all(run),
                      saturated_product(run->ran.events, interrupt_each(run))));
}

uint64_t unheard_late(const struct run *run)
{
    return saturated_less(events_since_last(run), interrupt_each(run));
}

/*
 * The rule pmi-last-later: the last interrupt may be this many taken branches later than
 * twice the latest of the probe.  Of all branches twice as many may run meanwhile, and of
 * instructions 16 times as many.  Where nothing counts how late one is, there is one bound.
 */
#define LAST_LATER 2
#define UNTIMED    1000

/* On silicon a hypervisor may take its time, which cycles count. */
uint64_t lateness_untold(const struct run *run)
{
    const struct rule_place place = rule_place_of(run);

    return place.emulated ? UNTIMED : INSNS_A_CLOCK * UNTIMED;
}

/* How many events count while one taken branch runs, at most. */
static uint64_t events_a_branch(const struct run *run)
{
    const struct pmu_event *event = counted_event(run);

    return lateness_compares(run) ? 1 : event && event->counts ? 2 : INSNS_A_CLOCK;
}

static uint64_t last_late_max(const struct run *run, uint64_t of_probe)
{
    const uint64_t later = rule_is_of_run("pmi-last-later", run) ? LAST_LATER : 0;

    if (!run->ran.skid.is)
        return later ? UNTIMED : 0;
    return saturated_product(events_a_branch(run),
                             saturated_sum(later, saturated_product(LATER, of_probe)));
}

/* The rule pmi-last-zen: so late it may be whatever the probe met, or 0. */
static uint64_t last_late_known(const struct run *run)
{
    return rule_is_of_run("pmi-last-zen", run)
               ? saturated_product(events_a_branch(run), run->cpu->row->pmi_latest)
               : 0;
}

bool interrupts_lack_entries(const struct run *run)
{
    return run->ran.entries.value == 0 && (run->ran.returns || run->gaps) &&
           !run->asked.freeze && rule_is_of_run("lbr-v2-events", run);
}

/* lateness.h.  The kernel misses each at its interrupt, and again where it finds the IRETQ
 * of that. */
uint64_t interrupts_entries_lost(const struct run *run)
{
    const uint64_t most = saturated_sum(run->ran.events, run->ran.returns);

    if (!interrupts_lack_entries(run))
        return 0;
    return run->ran.lost < most ? run->ran.lost : most;
}

/*
 * Of branch sampling the interrupt that is held back may also come when the counter is off:
 * then it is not one of `events`, but of those that `unmasked` counts.
 */
static bool is_reported(const struct run *run)
{
    const uint64_t lost = run->ran.lost - interrupts_entries_lost(run);

    return lost == 1 || (lost == 0 && run->method->sampled_windows &&
                         run->ran.unmasked == saturated_sum(run->ran.events, 1));
}

bool unheard_explained(const struct run *run)
{
    if (!run->method->counter_driven || !is_reported(run) || lateness_is_none(run) ||
        events_since_last(run) < interrupt_each(run))
        return false;
    return unheard_late(run) <= last_late_max(run, measured_of(run)->most) ||
           unheard_late(run) <= last_late_known(run);
}

bool unheard_drain_explained(const struct run *run)
{
    return !lateness_is_none(run) && events_since_last(run) >= interrupt_each(run) &&
           events_since_last(run) <= run->asked.buffer.value &&
           unheard_late(run) <= lateness_max(run);
}

/* The mean of the probe's interrupts without the latest: as little as the logged mean,
 * which is rounded up, allows. */
static uint64_t usually_late(const struct run *run)
{
    const struct facility_line *probe = measured_of(run);
    const uint64_t others = saturated_less(probe->interrupts.value, 1);
    const uint64_t all =
        saturated_product(saturated_less(probe->typical, 1), probe->interrupts.value);

    return others ? (saturated_less(all, probe->most) + others - 1) / others : probe->most;
}

/* True if the last interrupt is missing, and later than the probe's usually are. */
static bool lacks_last_rarely(const struct run *run)
{
    if (!run_found_by(run, "pmi-last"))
        return false;
    if (run->method->pmi_drained)
        return unheard_late(run) > LAST_LATER + saturated_product(LATER, usually_late(run));
    return unheard_late(run) > last_late_max(run, usually_late(run));
}

bool last_may_stop_outside(const struct run *run, uint64_t of_stops)
{
    return lateness_beyond(run, of_stops) > 0 ||
           (measured_of(run)->most > 0 && events_since_last(run) == 0);
}

/* How late an interrupt of a buffer came is not known beyond the buffer's end. */
static uint64_t drain_explains(const struct run *run)
{
    const bool ends_at_threshold = run->asked.buffer.value == run->asked.threshold.value;
    const uint64_t probed = saturated_product(LATER, measured_of(run)->most);

    return lateness_in_all(run) || (ends_at_threshold && measured_of(run)->most)
               ? saturated_product(run->gaps, probed < UNTIMED ? UNTIMED : probed)
               : 0;
}

/*
 * An interrupt that is as late as what the stack holds beyond a period loses nothing yet.
 * What the handler itself runs is not known to the event.
 */
static uint64_t lossless(const struct run *run, uint64_t stack)
{
    return run->asked.freeze ? 0
                             : saturated_less(stack, run->asked.period + HANDLER_EVENTS);
}

uint64_t lateness_explains(const struct run *run, uint64_t uncounted, uint64_t beside,
                           uint64_t stack, uint64_t taken)
{
    const uint64_t of_gaps = saturated_product(run->gaps, run->ran.most);
    const uint64_t heard = lateness_in_all(run) < of_gaps ? lateness_in_all(run) : of_gaps;
    const uint64_t unheard = unheard_explained(run) ? unheard_late(run) : 0;

    const uint64_t held = saturated_product(run->gaps, lossless(run, stack));

    if (run->method->pmi_drained)
        return drain_explains(run);
    return saturated_sum(
        uncounted, saturated_less(saturated_sum(saturated_sum(heard, unheard), beside),
                                  saturated_less(held, taken)));
}

const char *lateness_text(const struct run *run)
{
    return scratch_text("%llu %s late", (unsigned long long)lateness_in_all(run),
                        run->method->pmi_drained ? "records" : "events");
}

const char *lateness_less(const struct run *run)
{
    return lateness_in_all(run) ? scratch_text(", less the %llu by which they came late",
                                               (unsigned long long)lateness_in_all(run))
                                : "";
}

/*
 * The sums are the kernel's own: of this many interrupts, the latest by `most`, and of no
 * more events or records than there were.
 */
static bool lateness_can_be(const struct run *run)
{
    const uint64_t all = lateness_in_all(run), most = run->ran.most;

    if ((run->method->pmi_drained && all > drained(run)) ||
        (run->method->counter_driven && all > run->ran.counted.value))
        return false;
    return most ? most <= all && all <= saturated_product(run->ran.events, most) : all == 0;
}

/* The lateness at each stop must add up to the sums at the end; interrupts without a stop
 * are part of the sums alone. */
static bool stops_fit(const struct log *log, const struct run *run)
{
    const struct run_records stops = run_records(log, run);
    uint64_t late = 0;

    for (uint64_t i = 0; i < stops.count; i++) {
        late += stops.at[i].info;
        if (stops.at[i].info > run->ran.most)
            return false;
    }
    return late <= lateness_in_all(run) &&
           lateness_in_all(run) - late <=
               saturated_product(saturated_less(run->ran.events, run->records),
                                 run->ran.most);
}

static const char *sums_text(const struct run *run)
{
    return scratch_text("skid=%llu most=%llu", (unsigned long long)lateness_in_all(run),
                        (unsigned long long)run->ran.most);
}

char *lateness_cannot_be(const struct run *run)
{
    const char *of = "";

    if (!method_is_interrupted(run->method) || lateness_can_be(run))
        return NULL;
    if (run->method->pmi_drained)
        of = scratch_text(" and %llu records", (unsigned long long)run->records);
    else if (run->method->counter_driven)
        of = scratch_text(" and %llu events", (unsigned long long)run->ran.counted.value);
    return format_text("%s of %llu interrupts%s is impossible", sums_text(run),
                       (unsigned long long)run->ran.events, of);
}

char *lateness_wrong(const struct log *log, const struct run *run)
{
    if (!run->method->sampled || stops_fit(log, run))
        return NULL;
    return format_text("the stops are not as late as %s say", sums_text(run));
}

/* How late an interrupt of the emulator's may be, which checks a counter of instructions
 * only at the end of a translated block: that is straight code. */
static uint64_t block_max(const struct run *run)
{
    const struct pmu_event *event = run->method->counter_driven ? counted_event(run) : NULL;

    return event && event->insns ? OWN_WINDOW_INSNS + run->workload->own->size : 0;
}

/* True if code of the workload can clear IF, or leaves its ring: then no trace shows IF. */
static bool changes_if(const struct workload *own)
{
    static const ZydisMnemonic others[] = {
        ZYDIS_MNEMONIC_CLI,   ZYDIS_MNEMONIC_POPF,    ZYDIS_MNEMONIC_POPFQ,
        ZYDIS_MNEMONIC_IRETD, ZYDIS_MNEMONIC_SYSCALL, ZYDIS_MNEMONIC_SYSENTER,
    };
    ZydisDecodedInstruction insn;

    for (uint64_t at = 0; at < own->size;) {
        const bool is_insn = code_decode(own, at, &insn);

        for (size_t i = 0; is_insn && i < COUNT_OF(others); i++)
            if (insn.mnemonic == others[i])
                return true;
        at += is_insn ? insn.length : 1;
    }
    return false;
}

uint64_t lateness_by_if(const struct log *log, const struct run *run)
{
    const uint32_t into =
        COUNTS(KIND_INT) | COUNTS(KIND_EXC) | COUNTS(KIND_DB) | COUNTS(KIND_FAR);
    struct expected_trace expected;
    struct source *trace = expected_trace_of(&expected, log, run->workload);
    uint64_t longest = 0, since = 0, depth = 0;
    struct transfer t;

    if (run->asked.nmi)
        return 0;
    if (changes_if(run->workload->own) || !lateness_compares(run))
        return UINT64_MAX;
    while (trace->next(trace, &t)) {
        since += depth > 0;
        if (into >> t.kind & 1)
            depth++;
        else if (t.kind == KIND_IRET && depth-- == 0)
            return UINT64_MAX;
        longest = since > longest ? since : longest;
        since = depth ? since : 0;
    }
    return longest;
}

/* True if its gaps hide more than interrupts would that come as late as the probe's usually
 * do, or a counter's came later: how late those of a gap came is not known beyond the end
 * of the buffer. */
static bool gaps_hide_more(const struct log *log, const struct run *run)
{
    uint64_t each;

    if (!run_found_by(run, "stream-gaps") && !run_found_by(run, "pmi-late"))
        return false;
    each = saturated_sum(usually_late(run), lateness_by_if(log, run));
    each = saturated_sum(LAST_LATER, saturated_product(LATER, each));
    if (run->method->counter_driven)
        return lateness_in_all(run) >
               saturated_product(run->ran.events,
                                 saturated_product(events_a_branch(run), each));
    return saturated_less(run->branches_run, drained(run)) >
           saturated_product(run->gaps, each);
}

/* A processor may have 3 such runs, and 1 more for each 8 with interrupts. */
#define RARE_SPARE 3
#define RARE_APART 8

static void judge_late_of(struct log *log, size_t processor)
{
    const struct run *last = NULL;
    size_t rare = 0, interrupted = 0;

    for (size_t i = 0; i < log->run_count; i++) {
        const struct run *run = &log->runs[i];
        const bool is_rare = run->processor == processor &&
                             (lacks_last_rarely(run) || gaps_hide_more(log, run));

        interrupted += run->processor == processor && run->end_line &&
                       method_is_interrupted(run->method);
        rare += is_rare;
        last = is_rare ? run : last;
    }
    if (rare <= RARE_SPARE + interrupted / RARE_APART)
        return;
    complain_of_runs(
        log, last, "pmi-late-few",
        format_text("few interrupts come later than the probe's"),
        format_text(
            "%zu of %zu runs with interrupts lack more than interrupts that are twice "
            "as late as the probe's usually were would lose, or had later ones (lost)",
            rare, interrupted));
}

void judge_all_late(struct log *log)
{
    for (size_t n = 0; n < processors_of(log); n++)
        judge_late_of(log, n);
}

/*
 * The records of a handler delay an interrupt by as many.
 *
 * A fixed interrupt also waits for IF, on silicon perhaps for two handlers in a row.  Where
 * none may be late, one that is fails.
 */
void judge_lateness(const struct log *log, struct run *run)
{
    const struct rule_run hit = rule_run_of(log, run);
    const uint64_t by_hits = hit_events_max(&hit);
    const char *what = run->method->pmi_drained ? "record" : "event";
    const uint64_t bound = lateness_max(run), all = lateness_in_all(run);
    uint64_t held;
    const char *came;
    char *why;

    if (run->ran.most <= bound || (bound == 0 && run->ran.most <= block_max(run)))
        return;
    held = lateness_by_if(log, run);
    if (run->ran.most <=
        saturated_sum(bound, saturated_product(lateness_is_none(run) ? 1 : LATER, held)))
        return;
    came = scratch_text("%llu interrupt%s came %llu %s%s late in all, and one %llu",
                        (unsigned long long)run->ran.events, plural(run->ran.events),
                        (unsigned long long)all, what, plural(all),
                        (unsigned long long)run->ran.most);
    if (lateness_is_none(run) && held)
        why = format_text("%s: on the emulator IF delays none by more than %llu", came,
                          (unsigned long long)held);
    else if (lateness_is_none(run))
        why = format_text("%s: on the emulator none is ever late", came);
    else if (bound == 0)
        why = format_text("%s: those of the probe were never late", came);
    else
        why = format_text("%s: more than twice as late as those of the probe, which were "
                          "at most %llu late",
                          came, (unsigned long long)bound / 2);
    if (by_hits && lateness_is_none(run) && all <= by_hits &&
        run->ran.most <= HIT_RECORDS_MAX)
        run_found(run, ALLOWED, hit_rule(&hit, 0)->name, run->end_line, why);
    else if (lateness_is_none(run))
        run_broke(run, "pmi-prompt", run->end_line, why);
    else
        run_found(run, ALLOWED, "pmi-late", run->end_line, why);
}
