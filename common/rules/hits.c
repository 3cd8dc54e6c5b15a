/*
 * System-management interrupts (SMI) and stray non-maskable interrupts (NMI) that hit a
 * run.
 *
 * Nothing masks either of them.  An SMI runs its handler in system-management mode, which
 * is entered with TF and DEBUGCTL clear and left by RSM; if it arrives together with a
 * debug trap, the trap is lost.  An NMI runs the kernel's handler.  The recorder is at
 * fault for neither, so a run that was hit is made again, and one that was hit each time
 * may differ by what the hits account for, and by no more:
 * - A method that stops at debug traps lacks at most one stop for each hit.
 * - A method that records branches has records of handlers in at most one place for each
 *   hit.  All its other records are there, except the oldest of a full stack or ring, whose
 *   places they took.
 * - The last-exception record may be that of the NMI.
 * - A counter that runs in the handlers counts their branches too (tools/judge/counted.c).
 *
 * MSR_SMI_COUNT counts SMIs, where there is one.  Elsewhere only the tries themselves can
 * show them: SMIs are rare and arrive at random, so stops that differ repeatedly at the
 * same record, or often, are a fault.
 *
 * An emulator has none of this, unless CPUID says that SMIs come, or the workload sends
 * them.
 */
#include "hit.h"

#include "decode.h"
#include "known.h"

#define SMM "SDM vol. 3C, \"SMI Interrupt\""

/* This many of the tries may differ at one record by chance: a loop's end is one for all.
 */
#define AT_ONE_PLACE 2
/* The longest instruction, in bytes. */
#define INSN_MAX 15
#define HLT      0xf4

static bool records_or_stops(const struct rule_place *place)
{
    return !place->method->silent;
}

/* --- what may have hit the run -------------------------------------------------------- */

/* Returns how many tries, at most, differ at the same record. */
static size_t at_one_place(const struct tries *tries)
{
    size_t most = 0;

    for (size_t i = 0; i < tries->count; i++) {
        size_t same = 0;

        if (!tries->differed[i])
            continue;
        for (size_t k = 0; k < tries->count; k++)
            same += tries->differed[k] == tries->differed[i];
        most = same > most ? same : most;
    }
    return most;
}

/* True if every try differed, and the last one at this record. */
static bool all_differ(const struct tries *tries, uint64_t at)
{
    if (!tries || tries->count < RUN_TRIES_MAX || tries->differed[tries->count - 1] != at)
        return false;
    for (size_t i = 0; i < tries->count; i++)
        if (!tries->differed[i])
            return false;
    return true;
}

bool hit_tries_are_alike(const struct tries *tries)
{
    return at_one_place(tries) > AT_ONE_PLACE;
}

bool hit_tries_at_random(const struct rule_run *run, uint64_t at)
{
    return all_differ(run->hits.tries, at) && !hit_tries_are_alike(run->hits.tries);
}

/* How many records of all tries came before those that differed. */
static uint64_t right_before(const struct tries *tries)
{
    uint64_t right = 0;

    for (size_t i = 0; i < tries->count; i++)
        right += tries->differed[i] - 1;
    return right;
}

/* True if SMIs that nobody counts can be why every try differed. */
static bool all_may_be_hit(const struct rule_run *run, uint64_t at)
{
    if (!run->place.method->blind_handlers)
        return all_differ(run->hits.tries, at);
    return hit_tries_at_random(run, at) &&
           right_before(run->hits.tries) >= HIT_RECORDS_APART * run->hits.tries->count;
}

static bool sends_hits(const struct rule_run *run)
{
    return run->workload && run->workload->flags & WORKLOAD_HITS;
}

/* At most this many hits are in a run, since they are rare. */
static uint64_t hits_of_length(const struct rule_run *run)
{
    const uint64_t length =
        run->records > run->hits.branches ? run->records : run->hits.branches;

    return 1 + length / HIT_RECORDS_APART;
}

/* How many hits nobody may have counted: four times as many as the tries show, and one. */
static uint64_t hits_of_tries(const struct rule_run *run)
{
    const uint64_t right = run->hits.right, most = hits_of_length(run);
    const uint64_t tries = 4 * run->hits.tries->count;

    return right / tries && run->records / (right / tries) < most - 1
               ? 1 + run->records / (right / tries)
               : most;
}

uint64_t hit_smis_ever(const struct rule_run *run)
{
    return 1 + hits_of_length(run);
}

/* Of the hits that were counted, those that account for something. */
static uint64_t counted(const struct rule_run *run, uint64_t hits)
{
    const uint64_t most = hit_smis_ever(run);

    return hits <= most || sends_hits(run) ? hits : most;
}

static uint64_t smis_max(const struct rule_run *run, uint64_t at)
{
    if (run->place.emulated && !sends_hits(run) && !run->hits.smis_are_announced)
        return 0;
    if (run->hits.smis_are_counted)
        return counted(run, run->hits.smis);
    if (run->hits.tries_are_uncompared)
        return hits_of_length(run);
    return all_may_be_hit(run, at) ? hits_of_tries(run) : 0;
}

uint64_t hit_smis_max(const struct rule_run *run)
{
    return smis_max(run, 0);
}

static uint64_t nmis_max(const struct rule_run *run)
{
    return run->place.emulated && !sends_hits(run) ? 0 : counted(run, run->hits.nmis);
}

uint64_t hit_traps_max(const struct rule_run *run, uint64_t at)
{
    return smis_max(run, at) + nmis_max(run);
}

uint64_t hit_events_max(const struct rule_run *run)
{
    return HIT_RECORDS_MAX * hit_traps_max(run, 0);
}

/* --- methods that record branches: the records of handlers -----------------------------
 */

bool hit_is_foreign(const struct rule_run *run, uint64_t end)
{
    return end != BRANCH_UNKNOWN && end != BRANCH_MISSING && end != BRANCH_FILTERED &&
           end != run->call && end != run->back && end - run->at >= run->workload->size;
}

bool hit_is_in_kernel(const struct rule_run *run, uint64_t end)
{
    return hit_is_foreign(run, end) && end - run->hits.image < run->hits.image_size;
}

static bool is_of_smm(const struct rule_run *run, uint64_t end)
{
    return hit_is_foreign(run, end) && !hit_is_in_kernel(run, end);
}

/*
 * Also an end in the entry of a method's own interrupt, which is not recognised and taken
 * out if an SMI arrives with it.
 */
static bool is_of_nmi(const struct rule_run *run, uint64_t end)
{
    return (nmis_max(run) || method_is_interrupted(run->place.method)) &&
           hit_is_in_kernel(run, end);
}

static void note_foreign(struct unhit *rest, bool by_smi)
{
    rest->foreign++;
    if (rest->in_a_row++ == 0) {
        rest->row_is_of_smi = by_smi;
        *(by_smi ? &rest->by_smi : &rest->by_nmi) += 1;
    } else if (by_smi && !rest->row_is_of_smi) {
        rest->row_is_of_smi = true;
        rest->by_nmi--;
        rest->by_smi++;
    }
    if (rest->in_a_row > rest->most)
        rest->most = rest->in_a_row;
}

/* True if these records of handlers may be the first that a full stack still has, or the
 * first of a segment. */
static bool row_may_be_cut(const struct unhit *rest)
{
    if (rest->kept)
        return rest->reached == BRANCH_UNKNOWN;
    return rest->run->place.method->sampled_windows ||
           (method_is_ring(rest->run->place.method) &&
            rest->run->records >= rest->run->capacity);
}

static bool is_in_workload(const struct rule_run *run, uint64_t end)
{
    return end - run->at < run->workload->size;
}

/* True unless straight code cannot lead there: as far as is known, none is before the first
 * branch or after the last one. */
static bool is_straight(const struct rule_run *run, uint64_t from, uint64_t to)
{
    if (to == run->call || from == run->back)
        return !is_in_workload(run, from) && !is_in_workload(run, to);
    return !is_in_workload(run, from) || !is_in_workload(run, to) || from <= to;
}

/* True if a handler that was entered at `from` returns there: of REP or HLT, FROM may be
 * the next instruction. */
static bool is_back(const struct rule_run *run, uint64_t from, uint64_t to)
{
    const struct rule_record record = { .workload = run->workload, .at = run->at };
    const bool halts = run->workload->code[to - run->at] == HLT;

    return from - to == (halts ? 1 : rule_repeats(&record, to)) || to == from;
}

/* Follows the workload through the ends of a handler's record. */
static void pass_foreign(struct unhit *rest, const struct transfer *t)
{
    const struct rule_run *run = rest->run;

    if (is_in_workload(run, t->from)) {
        rest->row.is_astray |= !is_straight(run, rest->reached, t->from);
        rest->reached = t->from;
        rest->row.is_entered = true;
    }
    if (is_in_workload(run, t->to)) {
        rest->row.is_astray |=
            !(rest->row.is_entered ? is_back(run, rest->reached, t->to)
                                   : is_straight(run, rest->reached, t->to));
        rest->reached = t->to;
        rest->row.is_entered = false;
    }
}

/* True if the address, where a handler was entered from or returned to, may be the
 * workload's or, in the window, the window's. */
static bool is_outside(const struct rule_run *run, uint64_t end, bool in_window)
{
    return in_window ? !is_of_smm(run, end)
                     : !hit_is_foreign(run, end) && end != run->call && end != run->back;
}

/*
 * A handler is entered from the workload, and it returns there; before the first branch and
 * after the last one, from and to the window.  That both are recorded is only stated for
 * interrupts: an SMI clears DEBUGCTL, which RSM restores.
 *
 * A handler may also strike in the gate of the method's own interrupt, and return there.
 * The kernel then does not find the entry of its interrupt, which stays among the records.
 * If it strikes after the gate has turned recording on again, the IRETQ of the interrupt
 * stays there instead.
 */
static void end_row(struct unhit *rest, const struct transfer *next)
{
    const struct rule_run *run = rest->run;
    const struct unhit_row *row = &rest->row;
    const bool in_window = (next && next->from == run->call) ||
                           rest->reached == run->back ||
                           (!next && rest->reached == BRANCH_UNKNOWN);
    const bool by_smi = rest->row_is_of_smi;
    const bool leaves = is_outside(run, row->from, in_window);
    const bool returns = is_outside(run, row->to, in_window);
    const bool is_ended =
        returns || (next ? next->to == BRANCH_UNKNOWN : run->place.method->sampled_windows);
    const bool out_of_gate = method_is_interrupted(run->place.method) && !in_window &&
                             !leaves && !row->is_cut && returns &&
                             hit_is_in_kernel(run, row->last);
    const bool is_begun =
        leaves || row->is_cut || out_of_gate ||
        (!by_smi && !run->place.emulated && rule_applies("lbr-v2-events", &run->place));
    const bool in_gate = !is_ended && hit_is_in_kernel(run, row->to);
    const bool is_whole = !by_smi || in_gate ? is_begun && (is_ended || in_gate)
                          : row->is_cut      ? is_ended
                                             : leaves || returns;
    const bool goes_on = !next || rule_applies("from-after-smi", &run->place) ||
                         is_straight(run, rest->reached, next->from);

    rest->in_gates += in_gate;
    rest->out_of_gates += out_of_gate;
    rest->is_torn |= !is_whole || row->is_astray || !goes_on;
    rest->in_a_row = 0;
}

static bool unhit_next(struct source *source, struct transfer *out)
{
    struct unhit *rest = (struct unhit *)source;

    while (rest->of->next(rest->of, out)) {
        const bool by_smi =
            is_of_smm(rest->run, out->from) || is_of_smm(rest->run, out->to);

        if (!by_smi && !is_of_nmi(rest->run, out->from) && !is_of_nmi(rest->run, out->to)) {
            if (rest->in_a_row)
                end_row(rest, out);
            rest->reached = out->to;
            rest->kept++;
            return true;
        }
        if (rest->in_a_row == 0)
            rest->row =
                (struct unhit_row){ .from = out->from, .is_cut = row_may_be_cut(rest) };
        rest->row.to = out->to;
        rest->row.last = out->from;
        pass_foreign(rest, out);
        note_foreign(rest, by_smi);
    }
    if (rest->in_a_row)
        end_row(rest, NULL);
    return false;
}

static void unhit_rewind(struct source *source)
{
    struct unhit *rest = (struct unhit *)source;

    rest->foreign = rest->by_smi = rest->by_nmi = rest->in_a_row = rest->most = 0;
    rest->kept = rest->in_gates = rest->out_of_gates = 0;
    rest->reached = BRANCH_UNKNOWN;
    rest->is_torn = false;
    rest->of->rewind(rest->of);
}

void unhit_of(struct unhit *rest, const struct rule_run *run, struct source *got)
{
    *rest = (struct unhit){ .source = { unhit_next, unhit_rewind }, .of = got, .run = run };
    unhit_rewind(&rest->source);
}

bool unhit_is_bounded(const struct unhit *rest, uint64_t at)
{
    return rest->foreign && rest->most <= HIT_RECORDS_MAX &&
           rest->by_smi <= smis_max(rest->run, at) && rest->by_nmi <= nmis_max(rest->run);
}

/* False if a filter may leave out the ends of handlers, which run in ring 0. */
static bool shows_ends(const struct rule_run *run)
{
    const uint32_t filter = run->place.filter;

    return !filter ||
           (filter == LEAVES_OUT(FILTER_USER) && !workload_has_ring3(run->workload));
}

bool unhit_is_torn(const struct unhit *rest)
{
    return (rest->is_torn || rest->in_gates > rest->run->hits.lost ||
            rest->out_of_gates > rest->run->hits.unreturned) &&
           shows_ends(rest->run);
}

static uint64_t length_of(struct source *source)
{
    struct transfer ignored;
    uint64_t length = 0;

    for (source->rewind(source); source->next(source, &ignored);)
        length++;
    return length;
}

static bool later_next(struct source *source, struct transfer *out)
{
    struct later *later = (struct later *)source;

    return later->of->next(later->of, out);
}

static void later_rewind(struct source *source)
{
    struct later *later = (struct later *)source;

    rule_skip(later->of, later->skip);
}

struct later later_of(struct source *of, uint64_t skip)
{
    return (struct later){ { later_next, later_rewind }, of, skip };
}

/* In a full stack or ring they took the places of the oldest records. */
bool hit_leaves_out(struct hit_rest *rest, const struct rule_run *run, uint64_t at,
                    struct source *got, struct source *want)
{
    const uint64_t all = length_of(want);
    uint64_t kept, gone;

    if (!place_records(&run->place) || run->place.method->sampled_windows ||
        run->place.method->packets || run->place.method->last_event || !run->workload)
        return false;
    unhit_of(&rest->got, run, got);
    kept = length_of(&rest->got.source);
    gone = all > kept ? all - kept : 0;
    if (!unhit_is_bounded(&rest->got, at) || unhit_is_torn(&rest->got) || !kept)
        return false;
    if (!method_is_ring(run->place.method) || run->records < run->capacity)
        gone = 0; /* what lacks is lost otherwise */
    if (gone > rest->got.foreign)
        return false;
    rest->run = *run;
    rest->run.records = kept;
    rest->run.capacity -= run->records - kept;
    rest->want = later_of(want, gone);
    rest->got.source.rewind(&rest->got.source);
    rest->want.source.rewind(&rest->want.source);
    return true;
}

static bool are_added(const struct rule_run *run, uint64_t at, struct source *got,
                      struct source *want)
{
    struct hit_rest rest;

    return hit_leaves_out(&rest, run, at, got, want) &&
           check(&rest.got.source, &rest.want.source).class == SAME;
}

/* True if only FROM differs, for which a rule on ends accounts. */
static bool is_other_from(const struct rule_run *run, const struct transfer *is,
                          const struct transfer *should)
{
    const struct difference d = { .class = WRONG_FROM, .got = *is, .want = *should };
    const struct rule *rule =
        is->to == should->to ? rule_of_difference(run, run, &d, rule_explains).rule : NULL;

    return rule && rule->of_ends;
}

/*
 * In system-management mode there are no packets: they end there and begin again, which is
 * one record that leads nowhere and one that comes from there.  Counts these; `most` + 1:
 * something else differs.
 */
static uint64_t count_resumed(const struct rule_run *run, struct source *got,
                              struct source *want, uint64_t most)
{
    struct transfer is, should;
    bool more, wanted;
    uint64_t count = 0;

    got->rewind(got);
    want->rewind(want);
    more = got->next(got, &is);
    wanted = want->next(want, &should);
    while (more && count <= most) {
        if (wanted && (transfers_match(&is, &should) || is_other_from(run, &is, &should)))
            wanted = want->next(want, &should);
        else if (is.from == BRANCH_FILTERED || is.to == BRANCH_FILTERED)
            count++;
        else
            return most + 1;
        more = got->next(got, &is);
    }
    return wanted ? most + 1 : count;
}

/* --- the last-exception record ----------------------------------------------------------
 */

static bool is_branch_of(const struct rule_run *run, const struct transfer *t)
{
    const struct rule_record record = rule_record_of(run, t);
    struct transfer made;
    struct insn insn;

    if (t->from == run->call)
        return t->to == run->at;
    if (!run->workload->packed)
        return rule_is_made(&record, &made);
    if (!decode_of(run->workload, run->at, t->from, &insn))
        return false;
    return insn.direct ? insn.target == t->to
                       : t->to == run->back || t->to - run->at < run->workload->size;
}

static bool is_last_before_hit(const struct rule_run *run, struct source *got)
{
    struct transfer t, more;

    got->rewind(got);
    return (run->hits.nmis || run->hits.smis) && got->next(got, &t) &&
           is_branch_of(run, &t) && !got->next(got, &more);
}

/* --- methods that stop at debug traps ---------------------------------------------------
 */

/* The next transfers of one side, from `first` on. */
#define AHEAD 32
struct ahead {
    struct source *of;
    struct transfer at[AHEAD];
    size_t first, count;
};

static void fill(struct ahead *ahead)
{
    while (ahead->count < AHEAD &&
           ahead->of->next(ahead->of, &ahead->at[(ahead->first + ahead->count) % AHEAD]))
        ahead->count++;
}

static const struct transfer *nth(const struct ahead *ahead, size_t n)
{
    return n < ahead->count ? &ahead->at[(ahead->first + n) % AHEAD] : NULL;
}

static void drop(struct ahead *ahead, size_t count)
{
    ahead->first = (ahead->first + count) % AHEAD;
    ahead->count -= count;
    fill(ahead);
}

/* How one lost stop shows, and how many records on either side belong to it. */
struct passing {
    size_t got, want;
};

/* How many transfers after these are the same. */
static size_t agree_after(const struct ahead *got, const struct ahead *want,
                          const struct passing *by)
{
    size_t same = 0;
    const struct transfer *is, *should;

    while ((is = nth(got, by->got + same)) && (should = nth(want, by->want + same)) &&
           transfers_match(is, should))
        same++;
    return same;
}

/* True if `to` is one instruction after `at`, by all that their distance says. */
static bool is_next(uint64_t at, uint64_t to)
{
    return to > at && to - at <= INSN_MAX;
}

/*
 * Where each instruction has a stop, a lost one shows in one of these ways:
 * - The branch to it is lost, and the branch at it, if there is one.
 * - The branch to it seems to lead to the stop after it.
 * - A conditional branch that is not taken seems to lead there, in place of the branch at
 *   the lost stop, if there is one.
 */
static size_t passings_of(const struct ahead *got, const struct ahead *want,
                          struct passing out[4])
{
    const struct transfer *is = nth(got, 0), *should = nth(want, 0), *next = nth(want, 1);
    const bool leads_on = should && next && next->from == should->to;
    size_t count = 0;

    if (should)
        out[count++] = (struct passing){ 0, 1 + leads_on };
    if (should && leads_on)
        out[count++] = (struct passing){ 0, 1 };
    if (is && should && is->from == should->from) {
        if (leads_on && next->to == is->to)
            out[count++] = (struct passing){ 1, 2 };
        else if (is_next(should->to, is->to))
            out[count++] = (struct passing){ 1, 1 };
    }
    if (is && is->kind == KIND_JCC) {
        if (should && should->to == is->to && is_next(is->from, should->from))
            out[count++] = (struct passing){ 1, 1 };
        else if (is->to > is->from && is->to - is->from <= 2 * INSN_MAX)
            out[count++] = (struct passing){ 1, 0 };
    }
    return count;
}

/* The way after which most of the next records agree; none: no lost stop shows like this.
 */
static struct passing best_passing(const struct rule_run *run, const struct ahead *got,
                                   const struct ahead *want)
{
    struct passing all[4] = { { 0, want->count > 0 } }, best;
    const size_t count =
        run->place.method->every_insn ? passings_of(got, want, all) : want->count > 0;
    size_t most;

    best = count ? all[0] : (struct passing){ 0, 0 };
    most = agree_after(got, want, &best);
    for (size_t i = 1; i < count; i++) {
        const size_t same = agree_after(got, want, &all[i]);

        if (same > most)
            best = all[i], most = same;
    }
    return best;
}

uint64_t hit_count_lost(const struct rule_run *run, struct source *got_of,
                        struct source *want_of, uint64_t most)
{
    struct ahead got = { .of = got_of }, want = { .of = want_of };
    uint64_t lost = 0;
    bool from_power = rule_applies("from-power", &run->place) && run->hits.tries &&
                      !hit_tries_are_alike(run->hits.tries); /* may spoil one of them */
    bool one_is_right = run->place.method->every_insn; /* tools/judge/follow.c looks */

    got_of->rewind(got_of);
    want_of->rewind(want_of);
    fill(&got);
    fill(&want);
    while (lost <= most && (got.count || want.count)) {
        const struct transfer *is = nth(&got, 0), *should = nth(&want, 0);

        if (is && should && transfers_match(is, should)) {
            one_is_right = true;
            drop(&got, 1);
            drop(&want, 1);
        } else if (is && should && is->to == should->to && from_power &&
                   hit_is_in_kernel(run, is->from)) {
            from_power = false;
            drop(&got, 1);
            drop(&want, 1);
        } else {
            const struct passing by = best_passing(run, &got, &want);

            if (!by.got && !by.want)
                return most + 1;
            drop(&got, by.got);
            drop(&want, by.want);
            lost++;
        }
    }
    return one_is_right ? lost : most + 1;
}

/* --- the rules --------------------------------------------------------------------------
 */

static const char *account(const struct rule_run *run, const struct difference *d,
                           struct source *got, struct source *want)
{
    const struct method_facts *method = run->place.method;
    const uint64_t at = d->index + 1, traps = hit_traps_max(run, at);
    const uint64_t lost = traps + rule_applies("step-in-guest", &run->place);

    if (!traps || !run->workload || method->sampled || method->sampled_windows)
        return NULL;
    if (method->blind_handlers)
        return hit_count_lost(run, got, want, lost) <= lost ? "stops are missing (lost)"
                                                            : NULL;
    if (method->packets)
        return count_resumed(run, got, want, 2 * smis_max(run, at)) <= 2 * smis_max(run, at)
                   ? "packets end in the workload and begin again"
                   : NULL;
    if (method->last_event)
        return is_last_before_hit(run, got) ? "it is the branch before another event"
                                            : NULL;
    return are_added(run, at, got, want) ? "there are records of handlers beside those of "
                                           "the workload"
                                         : NULL;
}

static const char *by_smi(const struct rule_run *run, const struct difference *d,
                          struct source *got, struct source *want)
{
    return run->hits.smis && !run->hits.nmis ? account(run, d, got, want) : NULL;
}

static const char *by_nmi(const struct rule_run *run, const struct difference *d,
                          struct source *got, struct source *want)
{
    return run->hits.nmis ? account(run, d, got, want) : NULL;
}

static const char *by_uncounted(const struct rule_run *run, const struct difference *d,
                                struct source *got, struct source *want)
{
    return run->hits.smis_are_counted || run->hits.nmis ? NULL : account(run, d, got, want);
}

enum { BY_SMI, BY_NMI, UNCOUNTED };

static const struct rule rows[] = {
    [BY_SMI] = {
        .name = "hit-smi",
        .sentence = "An SMI during a run takes away at most one debug trap, or adds at most "
                    "16 records of its handler in one place, which push out only the "
                    "oldest records; a short run has at most two SMIs, and a longer one at "
                    "most one more for each 1,000 records.",
        .source = SMM "; the numbers are chosen",
        .confidence = DERIVED,
        .applies = records_or_stops,
        .accounts = by_smi,
        .of_run = true,
        .of_no_record = true,
        .workload = "million",
        .property = "bt-smi",
    },
    [BY_NMI] = {
        .name = "hit-nmi",
        .sentence = "A stray NMI during a run adds at most 16 records in one place (its "
                    "entry, the branches of its handler, and its IRETQ), takes away at most "
                    "one debug trap, and is as rare as an SMI.",
        .source = "SDM vol. 3A, \"Nonmaskable Interrupt (NMI)\"; the numbers are chosen",
        .confidence = DERIVED,
        .applies = records_or_stops,
        .accounts = by_nmi,
        .of_run = true,
        .of_no_record = true,
        .workload = "million",
    },
    [UNCOUNTED] = {
        .name = "hit-uncounted",
        .sentence = "On a processor without MSR_SMI_COUNT, at most one SMI arrives in 1000 "
                    "records, and SMIs come at random, so they do not change several tries of "
                    "a run at one record.",
        .source = SMM,
        .confidence = DERIVED,
        .applies = records_or_stops,
        .accounts = by_uncounted,
        .of_run = true,
        .of_no_record = true,
        .workload = "million",
    },
};
RULE_TABLE(hit_rules, rows);

const struct rule *hit_rule(const struct rule_run *run, uint64_t at)
{
    if (!hit_traps_max(run, at))
        return NULL;
    return &rows[run->hits.nmis ? BY_NMI : run->hits.smis_are_counted ? BY_SMI : UNCOUNTED];
}

bool hit_is_rule(const struct rule *rule)
{
    return rule >= rows && rule < rows + sizeof(rows) / sizeof(rows[0]);
}
