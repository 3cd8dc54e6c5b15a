/*
 * A run, held against what its workload must leave on this model.
 *
 * A difference on silicon that rests on an unconfirmed rule alone is measured: a
 * finding, neither PASS nor FAIL, and all that is behind it is judged as ever.  On an
 * emulator, which was written by that rule, it is a failure.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "leaves.h"
#include "excuse.h"
#include "progress.h"

#define RING_SHIFT_MAX 8   /* records that a ring may be off by, when looked for */
#define ROTATION_MAX   256 /* the deepest ring that is looked at for a wrong TOS  */

static void find(struct run *run, enum verdict verdict, size_t where, char *why)
{
    run->verdict = verdict;
    run->where = where;
    free(run->why); /* of what was measured before it failed */
    context_free(run->context);
    run->why = why;
    run->context = NULL;
}

/* Skips. */

static bool facilities_work(const struct log *log, const struct run *run)
{
    for (enum facility i = 0; i < FACILITY_COUNT; i++)
        if (run_needs(run, i) && log->cpu.facilities[i].finding != WORKS)
            return false;
    return true;
}

/* The emulator has all that the row of its model has, and is not excused as stock QEMU. */
static const struct platform *platform_of(const struct log *log,
                                          const struct judge_options *options)
{
    char name[LOG_LINE_MAX + 1];

    if (log->by_command && !log->cpu.facilities[FACILITY_BTF].line)
        return NULL; /* two platforms may differ in nothing else */

    if (cpuid_has_hypervisor(&log->cpu) && log->cpu.hypervisor.length == 0)
        return NULL; /* one that gives no name is not bare metal */
    if (options->no_skip && span_is(log->cpu.hypervisor, HYPERVISOR_TCG))
        return platform_named("emulator");
    snprintf(name, sizeof(name), "%.*s", SPAN(log->cpu.hypervisor));
    return platform_find(name, log->cpu.row,
                         found_to_act(log, FACILITY_BTF) ||
                             log->cpu.facilities[FACILITY_BTF].finding == AVOIDED);
}

/* Why the workload may be skipped, whatever the hardware has. */
static const char *excuse_of(const struct log *log, const struct run *run)
{
    const struct workload *own = run->workload->own;
    const char *excuse = view_excuse(run->method, log->cpu.row, own, run->workload->at,
                                     log->cpu.platform ? log->cpu.platform->gets_wrong : 0);

    if (!excuse)
        excuse = view_excuse_depth(run->method, own, log->cpu.lbr_depth);
    return excuse
               ? excuse
               : view_filter_excuse(run->method, log->cpu.row, &log->cpu.id, run->filter);
}

/* Whether the log says that an earlier boot died of this run, and the reason is that. */
static bool died_of_it(const struct log *log, const struct run *run)
{
    const struct avoided *avoided = avoided_run(log, run);
    char *reason;
    bool same;

    if (!avoided)
        return false;
    reason = format_text(LOG_DIED_OF_IT "%.*s", SPAN(avoided->log));
    same = span_is(run->reason, reason);
    free(reason);
    return same;
}

/* Nothing of the log tells how the APIC is set, so there its word is taken. */
static bool has_no_interrupts(const struct run *run)
{
    return (view_is_interrupted(run->method) && span_is(run->reason, LACKS_APIC)) ||
           (run->workload->own->flags & WORKLOAD_APIC && span_is(run->reason, LACKS_XAPIC));
}

/* An option can ask for NMI; where no other run by the method tells, the word is taken. */
static bool takes_our_nmi(const struct log *log, const struct run *run)
{
    const char *excuse = view_excuse_by_nmi(run->workload->own);

    if (!view_is_interrupted(run->method) || !excuse || !span_is(run->reason, excuse))
        return false;
    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].method == run->method && !log->runs[i].skipped)
            return log->runs[i].drained.nmi;
    return true;
}

/* Nothing is run behind that, by nobody; it is a failure of its own. */
static bool one_is_lost(const struct log *log, const struct run *run)
{
    return log->lost_line && log->lost_line < run->line &&
           span_is(run->reason, LOG_LOST_ONE);
}

/* A stack with no room for it, or an event that nobody knows on this processor. */
static bool too_small(const struct log *log, const struct run *run)
{
    return log->cpu.lbr_depth < run->method->least_depth;
}

/* By the model's row alone, whatever was found by trying. */
static bool row_has(const struct log *log, const struct run *run)
{
    const struct model *row = log->cpu.row;

    if (!row) /* on the emulator every processor is known */
        return true;
    return (!run_needs(run, FACILITY_BTF) ||
            (row->debugctl.btf && !row->btf_unconfirmed)) &&
           (!run_needs(run, FACILITY_LBR) || log->cpu.lbr_depth > 0) &&
           (!run_needs(run, FACILITY_BTS) || row->bts || log->cpu.id.ds) &&
           (!run_needs(run, FACILITY_TR) || row->debugctl.tr) &&
           (!run_needs(run, FACILITY_LER) || row->ler_from) &&
           (!run_needs(run, FACILITY_BRS) || (row->brs.depth && log->cpu.id.amd_brs)) &&
           (!run_needs(run, FACILITY_PMI) || !pmu_lacks_all(&log->cpu.id)) &&
           !too_small(log, run);
}

static bool says(const struct run *run, const char *reason)
{
    return reason && span_is(run->reason, reason);
}

/*
 * The reason names the event, which this processor has not.  A log does not say which one
 * was asked for where the run was not made, so any that it has not will do, but for a
 * method that has an event of its own.
 */
static bool lacks_event(const struct log *log, const struct run *run)
{
    const struct pmu *pmu = pmu_find(&log->cpu.id);
    bool chosen = run->method->sampled;

    if (!pmu || !run->method->counted)
        return false;
    if (!chosen)
        return says(run, pmu_lacks(&log->cpu.id, pmu_with_far(pmu)));
    for (enum event_name i = 0; i < EVENT_NAMES; i++)
        if (says(run, pmu_lacks(&log->cpu.id, i)))
            return true;
    for (size_t bit = 0; bit < PREDEFINED; bit++)
        if (says(run, pmu_denies(&log->cpu.id, bit)))
            return true;
    return says(run, pmu_lacks_number(&log->cpu.id, EVENT_MAX, 0));
}

static void judge_skip(const struct log *log, struct run *run,
                       const struct judge_options *options)
{
    const char *excuse = excuse_of(log, run);

    if (span_is(run->reason, LACKS_FILTER) && run->filter && !excuse)
        find(run, FAIL, run->line, format_text("%s", LACKS_FILTER));
    else if (facilities_work(log, run) && !(excuse && span_is(run->reason, excuse)) &&
             !died_of_it(log, run) && !has_no_interrupts(run) && !takes_our_nmi(log, run) &&
             !one_is_lost(log, run) && !lacks_event(log, run) && !too_small(log, run))
        find(run, ERROR, run->line,
             format_text("skipped (%.*s), although %s", SPAN(run->reason),
                         excuse ? excuse : "what it needs works"));
    else if (!excuse && options->no_skip && row_has(log, run) && !takes_our_nmi(log, run) &&
             !one_is_lost(log, run) && !lacks_event(log, run))
        find(run, FAIL, run->line,
             format_text("skipped (%.*s), although %s", SPAN(run->reason),
                         log->cpu.row
                             ? "this model has what it needs"
                             : "every processor of the emulator should have its row"));
    else
        find(run, SKIP, run->line, format_text("%.*s", SPAN(run->reason)));
}

/* Runs that did not come to their end. */

static const char *vector_name(uint64_t vector)
{
    static const char *const names[] = {
        "#DE", "#DB",      "NMI", "#BP", "#OF", "#BR", "#UD", "#NM",
        "#DF", "vector 9", "#TS", "#NP", "#SS", "#GP", "#PF", "vector 15",
        "#MF", "#AC",      "#MC", "#XM", "#VE", "#CP",
    };

    return vector < COUNT_OF(names) ? names[vector] : "an interrupt";
}

static char *how_it_ended(const struct log *log, const struct run *run)
{
    struct log_map map = map_of(log, run->workload);
    char *place, *why;

    switch (run->outcome) {
    case GONE:
        return format_text("the processor did not come back, so nothing is known of it");
    case CRASHED:
        place = place_text(&map, run->crashed_at, LOG_TO);
        why = format_text("crashed: %s (vector %llu) at %s, after %llu records",
                          vector_name(run->vector), (unsigned long long)run->vector, place,
                          (unsigned long long)run->records);
        free(place);
        return why;
    case BUDGET:
        return format_text(
            "stopped: more events than there is room for, after %llu records",
            (unsigned long long)run->records);
    case LIVELOCK:
        return format_text("stopped: a livelock: interrupts with no branch of the workload "
                           "between them, at a %s of %llu, after %llu records",
                           run->method->counted ? "period" : "threshold",
                           (unsigned long long)(run->method->counted
                                                    ? run->drained.period
                                                    : run->drained.threshold),
                           (unsigned long long)run->records);
    default:
        return format_text("stopped: it did not end in time, after %llu records",
                           (unsigned long long)run->records);
    }
}

/* What the run shows against what it should show. */

struct comparison {
    const struct log *log;
    const struct run *run;
    struct got got;
    struct truth truth;
    struct pack unpack;
    struct view want;
};

/* Field by field: a megabyte of it need not be zero. */
static void compare_from(struct comparison *c, const struct log *log, const struct run *run,
                         uint64_t keep)
{
    const struct placed *placed = run->workload;

    c->log = log;
    c->run = run;
    got_of(&c->got, c->log, c->run);
    truth_of(&c->truth, placed->own, placed->at, c->log->call, c->log->back, &c->unpack);
    view_through(&c->want, &c->truth.source, c->run->method, keep, sieve_of(log, run));
}

static struct difference compare(struct comparison *c, uint64_t skip)
{
    c->want.skip = skip;
    c->got.recorded.source.rewind(&c->got.recorded.source);
    c->want.source.rewind(&c->want.source);
    return check(&c->got.recorded.source, &c->want.source);
}

/* A full ring that lost or doubled a record is right again from some other start. */
static uint64_t best_skip(struct comparison *c, uint64_t skip, uint64_t index)
{
    uint64_t best = skip;

    for (uint64_t shift = 1; shift <= RING_SHIFT_MAX; shift++)
        for (int later = 0; later <= 1; later++) {
            uint64_t other = later ? skip + shift : skip - shift, reached;

            if (!later && skip < shift)
                continue;
            reached = compare(c, other).index;
            if (reached > index + shift)
                best = other, index = reached;
        }
    return best;
}

/* From where the comparison before has found that most records are right. */
static struct beyond compare_beyond(struct comparison *c, uint64_t skip)
{
    const struct compared got = { &c->got.recorded.source, c->log, c->run, false };
    const struct compared want = { &c->want.source, c->log, c->run, false };

    c->want.skip = skip;
    return check_beyond(&got, &want);
}

static size_t collect(struct source *source, struct transfer *out)
{
    size_t count = 0;

    source->rewind(source);
    while (count < ROTATION_MAX && source->next(source, &out[count]))
        count++;
    return count;
}

/* By how many places the records are turned round, all of them right; 0: they are not. */
static size_t rotation(struct comparison *c)
{
    static struct transfer got[ROTATION_MAX], want[ROTATION_MAX];
    size_t count = collect(&c->got.recorded.source, got);

    if (collect(&c->want.source, want) != count || count == ROTATION_MAX)
        return 0;
    for (size_t turn = 1; turn < count; turn++) {
        size_t i = 0;

        while (i < count && got[i].from == want[(i + turn) % count].from &&
               got[i].to == want[(i + turn) % count].to)
            i++;
        if (i == count)
            return turn;
    }
    return 0;
}

/* The line of the record with this index. */
static size_t line_of(struct comparison *c, const struct found_difference *f)
{
    struct source *source = &c->got.recorded.source;
    struct transfer ignored;

    if (f->d.got_ended || c->run->item_count == 0)
        return c->run->end_line;
    source->rewind(source);
    for (uint64_t i = 0; i <= f->got; i++)
        source->next(source, &ignored);
    return c->got.unfold.item.line;
}

static char *side_text(const struct log_map *map, bool ended,
                       const struct transfer *transfer)
{
    return ended ? format_text("nothing more") : transfer_text(map, transfer);
}

static void find_difference(struct comparison *c, struct run *run,
                            const struct beyond *beyond)
{
    const bool is_certain = beyond->certain.d.class != SAME;
    const struct found_difference *f = is_certain ? &beyond->certain : &beyond->doubted;
    struct log_map map = map_of(c->log, run->workload);
    char *got = side_text(&map, f->d.got_ended, &f->d.got);
    char *want = side_text(&map, f->d.want_ended, &f->d.want);
    char *doubt = doubt_text(beyond);

    find(run, is_certain ? FAIL : MEASURED, line_of(c, f),
         format_text("record %llu: got %s, want %s (%s)%s", (unsigned long long)f->got + 1,
                     got, want, check_class_name(f->d.class), doubt));
    run->context =
        context_of(&(struct compared){ &c->got.recorded.source, c->log, c->run, false },
                   &(struct compared){ &c->want.source, c->log, c->run, false }, f);
    free(got);
    free(want);
    free(doubt);
}

static bool ring(const struct run *run)
{
    return view_is_ring(run->method);
}

static void judge_records(const struct log *log, struct run *run, uint64_t keep)
{
    struct comparison c;
    struct difference d;
    struct beyond beyond;
    uint64_t skip;
    size_t turn;

    compare_from(&c, log, run, keep);
    skip = c.want.skip;
    d = compare(&c, skip);
    if (d.class == SAME)
        return;
    turn = ring(run) ? rotation(&c) : 0;
    if (turn) {
        find(run, FAIL, run->line,
             format_text(
                 "the right records, but turned round by %zu: record 1 should be record "
                 "%zu (%s)",
                 turn, turn + 1, check_class_name(WRONG_ORDER)));
        return;
    }
    if (ring(run) && skip > 0)
        skip = best_skip(&c, skip, d.index);
    beyond = compare_beyond(&c, skip);
    find_difference(&c, run, &beyond);
}

/*
 * Of what stands beside the records the kind of a branch alone is always the same.  They
 * were found to be right.
 */
static void judge_types(const struct log *log, struct run *run, uint64_t keep)
{
    struct comparison c;
    struct transfer want;

    compare_from(&c, log, run, keep);
    c.want.source.rewind(&c.want.source);
    for (size_t i = 0; i < run->info_count && c.want.source.next(&c.want.source, &want);
         i++) {
        enum info_type got = run->infos[i].info.values[INFO_TYPE];

        if (got == info_type_of(want.kind))
            continue;
        find(run, FAIL, run->infos[i].line,
             format_text("record %zu: got type=%s, want type=%s (wrong type)", i + 1,
                         info_types[got], info_types[info_type_of(want.kind)]));
        return;
    }
}

/* A kernel that leaves out a word, or has one too many, tells of another processor. */
static char *wrong_words(const struct log *log, const struct run *run)
{
    char got[LOG_LINE_MAX], want[LOG_LINE_MAX];
    struct text text = text_into(got, sizeof(got));
    bool has = run->info && (!run->method->last_event || log->cpu.row->ler_info);
    uint32_t words = has ? info_words_of(log->cpu.row, &log->cpu.id) : 0;

    if (words == run->info)
        return NULL;
    info_put_words(&text, run->info);
    text = text_into(want, sizeof(want));
    info_put_words(&text, words);
    return format_text("info=%s, want %s by this model", got, words ? want : "none");
}

static void judge_steps(const struct log *log, struct run *run)
{
    struct events events;
    size_t where = run->line;
    bool our_fault;
    char *why;

    events_of(&events, log, run->workload);
    why = follow_steps(log, run, &events, &where, &our_fault);
    if (why)
        find(run, our_fault ? ERROR : FAIL, where, why);
}

static uint64_t count_branches(const struct log *log, const struct run *run)
{
    struct got got;
    struct source *source = got_of(&got, log, run);
    struct transfer ignored;
    uint64_t count = 0;

    if (!run->method->every_insn)
        return run->records;
    while (source->next(source, &ignored))
        count++;
    return count;
}

/* A log that claims less room than the hardware has would be asked for too little. */
static char *wrong_room(const struct log *log, const struct run *run)
{
    uint32_t threshold = view_threshold(run->method, run->filter);

    if (run->method->ring_lbr && (!log->cpu.row || log->cpu.lbr_depth == 0))
        return format_text("made, although where this model has its records is not known");
    if (run->method->ring_lbr && run->room != log->cpu.lbr_depth)
        return format_text("room=%llu, want the %zu entries of this model",
                           (unsigned long long)run->room, log->cpu.lbr_depth);
    if (run->room && run->records > run->room)
        return format_text("%llu records, but room=%llu", (unsigned long long)run->records,
                           (unsigned long long)run->room);
    if (run->method->newest && run->room != run->method->newest)
        return format_text("room=%llu, want the %u that this method keeps",
                           (unsigned long long)run->room, run->method->newest);
    if (run->method->ring_buffer && run->room == 0)
        return format_text("room=0, want the records that the buffer holds");
    if (threshold && run->drained.threshold != threshold &&
        run->drained.buffer >= threshold)
        return format_text("threshold=%llu, want the %u of this method",
                           (unsigned long long)run->drained.threshold, threshold);
    return NULL;
}

/* Every debug exception leaves a record, or is counted as lost. */
static bool silent_loss(const struct run *run)
{
    return run->method->blind_handlers && run->events != run->records + run->lost;
}

/* A gap is found as a record that is none, and says more than what is missing. */
static void judge_counter(const struct log *log, struct run *run)
{
    size_t where = run->end_line;
    char *why =
        run->method->pieces ? pieces_wrong(log, run, &where) : gap_in(log, run, &where);

    if (why) {
        find(run, FAIL, where, why);
        return;
    }
    why = run->verdict <= MEASURED ? counted_wrong(log, run, &where) : NULL;
    if (!why && run->verdict <= MEASURED && run->method->pieces)
        why = pieces_wrong_rest(log, run);
    if (why)
        find(run, counted_doubted(log, run) ? MEASURED : FAIL, where, why);
}

static void judge_run(const struct log *log, struct run *run,
                      const struct judge_options *options)
{
    char *why;

    if (run->skipped) {
        judge_skip(log, run, options);
        return;
    }
    run->branches = count_branches(log, run);
    why = wrong_room(log, run);
    if (!why)
        why = wrong_words(log, run);
    if (why) {
        find(run, ERROR, run->line, why);
    } else if (run->outcome != ENDED) {
        find(run, FAIL, run->end_line, how_it_ended(log, run));
    } else if (silent_loss(run)) {
        find(run, ERROR, run->end_line,
             format_text("%llu debug events, but %llu records and %llu lost",
                         (unsigned long long)run->events, (unsigned long long)run->records,
                         (unsigned long long)run->lost));
    } else {
        if (!run->method->sampled && !run->method->pieces)
            judge_records(log, run, view_keep(run->method, log->cpu.row, run->room));
        if (run->verdict <= MEASURED && run->has_result &&
            run->result != run->workload->own->result)
            find(run, FAIL, run->end_line,
                 format_text("the program returned 0x%llx, want 0x%llx",
                             (unsigned long long)run->result,
                             (unsigned long long)run->workload->own->result));
        if (run->verdict == PASS && run->info & INFO_HAS(INFO_TYPE))
            judge_types(log, run, view_keep(run->method, log->cpu.row, run->room));
        if (run->verdict == PASS && run->method->every_insn)
            judge_steps(log, run);
        why = run->method->drained ? interrupts_wrong(log, run) : NULL;
        if (why && run->verdict <= MEASURED)
            find(run, interrupts_doubted(log, run) ? MEASURED : FAIL, run->end_line, why);
        else
            free(why);
        if (run->method->counted)
            judge_counter(log, run);
        if (run->verdict <= MEASURED && run->repeats.made < run->repeats.asked)
            find(run, FAIL, run->repeats.line,
                 format_text("the same run again did not end: number %llu of %llu",
                             (unsigned long long)run->repeats.made + 1,
                             (unsigned long long)run->repeats.asked));
        if (run->verdict <= MEASURED && run->lost > 0)
            find(run, FAIL, run->end_line,
                 format_text("lost=%llu: records are lost (lost)",
                             (unsigned long long)run->lost));
    }
}

/* Of one processor, of which this is the log. */
static void judge_runs(struct log *log, size_t number, const struct judge_options *options)
{
    struct progress progress;
    uint64_t records = 0, done = 0;

    for (size_t i = 0; i < log->run_count; i++)
        records += log->runs[i].processor == number ? log->runs[i].records : 0;
    progress_begin(&progress, "judging", records);
    for (size_t i = 0; i < log->run_count; i++) {
        if (log->runs[i].processor != number)
            continue;
        if (log->runs[i].end_line) /* the last one may be broken off */
            judge_run(log, &log->runs[i], options);
        done += log->runs[i].records;
        progress_at(&progress, done);
    }
    progress_end(&progress);
}

/* Those that are like one before are held against what that one's facilities are. */
static void judge_processor(struct log *log, size_t number,
                            const struct judge_options *options)
{
    struct log of = log_of_processor(log, number);
    bool own = number == 0 || log->processors[number].like == number;

    if (number && of.cpu.model_line)
        of.cpu.platform = platform_of(&of, options);
    for (size_t i = 0; i < FACILITY_COUNT && own; i++)
        judge_facility(&of, i);
    judge_runs(&of, number, options);
    cross(&of, number);
    log_take_back(log, &of);
}

/* Once the runs of all that are like it are judged. */
static void judge_kind_by_runs(struct log *log, size_t number)
{
    struct log of = log_of_processor(log, number);

    if (number && log->processors[number].like != number)
        return;
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        judge_facility_by_runs(&of, i);
    log_take_back(log, &of);
}

void judge(struct log *log, const struct judge_options *options)
{
    if (log->cpu.model_line)
        log->cpu.platform = platform_of(log, options);
    for (size_t i = 0; i < processors_of(log); i++)
        judge_processor(log, i, options);
    for (size_t i = 0; i < processors_of(log); i++)
        judge_kind_by_runs(log, i);
    judge_together(log);
    judge_cycles(log);
    judge_rejected(log, options);
}

enum verdict log_verdict(const struct log *log)
{
    enum verdict worst = log->complaint_count ? FAIL : PASS;

    for (size_t i = 0; i < log->run_count; i++)
        if (log->runs[i].verdict != SKIP && log->runs[i].verdict > worst)
            worst = log->runs[i].verdict;
    return log->trouble ? ERROR : worst;
}

bool log_usable(struct log *log, const char *name)
{
    const struct judge_options plain = { .no_skip = false };

    log_read(log, name);
    if (log->trouble) {
        char *where = where_text(log, log->trouble_line);

        fprintf(stderr, "everybranch: %s: %s\n", where, log->trouble);
        free(where);
        return false;
    }
    judge(log, &plain);
    return true;
}
