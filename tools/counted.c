/*
 * The interrupts of a counter, held against what it counted; and where they struck.
 *
 * What the counter counted of the workload is a testimony of its own, held against the
 * truth; and an interrupt comes at every period of it, but for how late each came.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "sample.h"

const struct pmu_event *counted_event(const struct log *log, const struct run *run)
{
    const struct pmu *pmu = pmu_find(&log->cpu.id);

    return pmu ? pmu_event_of(pmu, run->drained.event, run->drained.umask) : NULL;
}

static bool has_db(const struct placed *placed)
{
    for (uint32_t i = 0; i < placed->own->rows; i++)
        if (placed->own->expect[i].kind == KIND_DB)
            return true;
    return false;
}

static bool left_what_they_should(const struct run *run)
{
    const struct drained *drained = &run->drained;

    return run->method->sampled || run->method->pieces
               ? drained->entries == 0 && drained->returns == 0
               : left_their_own(run);
}

/* Events from one interrupt to the next: branch sampling holds it back for a piece. */
uint64_t interrupt_each(const struct log *log, const struct run *run)
{
    return run->drained.period + (run->method->pieces ? piece_size(log) : 0);
}

static char *wrong_number(const struct log *log, const struct run *run)
{
    const struct drained *drained = &run->drained;
    uint64_t each = interrupt_each(log, run);
    uint64_t asked =
        drained->counted >= drained->skid ? (drained->counted - drained->skid) / each : 0;

    if (run->events == asked)
        return NULL;
    return format_text(
        "%llu interrupts, but the counter counted %llu, which are %llu "
        "periods of %llu: some %s",
        (unsigned long long)run->events, (unsigned long long)drained->counted,
        (unsigned long long)asked, (unsigned long long)each,
        run->events > asked ? "came before their time (doubled)" : "did not come (lost)");
}

/* The truth, walked once: how many of its transfers count, and the stops beside it. */
static struct sample_finding walk(const struct log *log, const struct run *run,
                                  const struct sampling *how)
{
    static struct pack unpack;
    static struct unfold unfold;
    struct record_array none;
    struct truth truth;

    truth_of(&truth, run->workload->own, run->workload->at, log->call, log->back, &unpack);
    unfold_of(&unfold, log, run);
    records_of(&none, NULL, 0);
    return sample_check(run->method->sampled ? &unfold.records : &none.records_of,
                        &truth.source, how);
}

/*
 * A #DB turns what the counter is beside off, and the counter at its next interrupt; and
 * what counts other things as well counts no less.
 */
static char *wrong_count(const struct run *run, const struct sample_finding *found,
                         bool placed)
{
    const uint64_t counted = run->drained.counted;
    bool fewer = run->method->ends_at_db && has_db(run->workload);

    if (counted == found->transfers || (fewer && counted < found->transfers) ||
        (!placed && counted > found->transfers))
        return NULL;
    return format_text("the counter counted %llu branches, want %sthe %llu of the workload",
                       (unsigned long long)counted, placed ? "" : "at least ",
                       (unsigned long long)found->transfers);
}

static char *wrong_place(const struct log *log, const struct run *run,
                         const struct sample_finding *found, bool placed)
{
    struct log_map map = map_of(log, run->workload);
    char *got = place_text(&map, found->got, LOG_TO), *behind, *why;

    if (found->ended && !placed)
        why = format_text("stop %llu: got %s, which is not on the way from there on",
                          (unsigned long long)found->index + 1, got);
    else if (found->ended)
        why = format_text("stop %llu: got %s, want nothing more: the workload has %llu "
                          "branches that count, and this would be number %llu (extra)",
                          (unsigned long long)found->index + 1, got,
                          (unsigned long long)found->transfers,
                          (unsigned long long)found->number);
    else {
        behind = transfer_text(&map, &found->behind);
        why = format_text("stop %llu: got %s, want it behind %s, number %llu of the "
                          "branches that count (wrong)",
                          (unsigned long long)found->index + 1, got, behind,
                          (unsigned long long)found->number);
        free(behind);
    }
    free(got);
    return why;
}

/* Behind the last stop of a workload no further period can have passed. */
static char *wrong_rest(const struct run *run, const struct sample_finding *found)
{
    uint64_t rest = found->transfers - found->used;

    if (run->events != run->records || rest < run->drained.period)
        return NULL;
    return format_text("%llu branches that count are behind the last stop, at a period of "
                       "%llu: an interrupt did not come (lost)",
                       (unsigned long long)rest, (unsigned long long)run->drained.period);
}

/* What each stop says of itself, and the sums at the end.  One may leave no stop. */
static bool lateness_fits(const struct log *log, const struct run *run)
{
    static struct unfold unfold;
    struct branch stop;
    uint64_t late = 0;

    unfold_of(&unfold, log, run);
    while (unfold.records.next(&unfold.records, &stop)) {
        late += stop.info;
        if (stop.info > run->drained.most)
            return false;
    }
    return late <= run->drained.skid;
}

static char *wrong_interrupts(const struct log *log, const struct run *run)
{
    const struct pmu *pmu = pmu_find(&log->cpu.id);
    const struct drained *drained = &run->drained;

    if (!left_what_they_should(run))
        return format_text(
            "%llu entries and %llu returns of %llu interrupts were found "
            "among the records, want %s",
            (unsigned long long)drained->entries, (unsigned long long)drained->returns,
            (unsigned long long)run->events,
            run->method->sampled || run->method->pieces ? "none"
            : view_filter_shows(run->filter, 3)
                ? "one each (lost)"
                : "a return of each, and an entry of those in ring 0 (lost)");
    if (drained->most > drained->skid || (drained->skid > 0 && drained->most == 0))
        return format_text("skid=%llu most=%llu cannot be",
                           (unsigned long long)drained->skid,
                           (unsigned long long)drained->most);
    if (run->method->sampled && !lateness_fits(log, run))
        return format_text("the stops are later than skid=%llu most=%llu say",
                           (unsigned long long)drained->skid,
                           (unsigned long long)drained->most);
    if (drained->unmasked > 0 && !(pmu && pmu->keeps_lvt))
        return format_text("%llu of %llu interrupts did not mask their entry of the local "
                           "vector table, as the manual says that they do",
                           (unsigned long long)drained->unmasked,
                           (unsigned long long)run->events);
    if (drained->nmi && drained->skid > 0 && !on_silicon(log))
        return format_text("%llu interrupts came %llu events late in all, and one %llu: "
                           "on the emulator NMI is never late",
                           (unsigned long long)run->events,
                           (unsigned long long)drained->skid,
                           (unsigned long long)drained->most);
    return NULL;
}

/* The line of the record with this index. */
static size_t line_of(const struct log *log, const struct run *run, uint64_t index)
{
    static struct unfold unfold;
    struct branch ignored;

    unfold_of(&unfold, log, run);
    for (uint64_t i = 0; i <= index; i++)
        unfold.records.next(&unfold.records, &ignored);
    return unfold.item.line;
}

/* Where the windows of lbr-stream do not overlap it leaves a record without ends. */
char *gap_in(const struct log *log, const struct run *run, size_t *where)
{
    static struct unfold unfold;
    struct branch record;

    unfold_of(&unfold, log, run);
    for (uint64_t i = 0; unfold.records.next(&unfold.records, &record); i++)
        if (record.to == BRANCH_UNKNOWN) {
            *where = unfold.item.line;
            return format_text("record %llu: a gap: the windows do not overlap here, so "
                               "that branches are missing (lost)",
                               (unsigned long long)i + 1);
        }
    return NULL;
}

static char *held_against(const struct log *log, const struct run *run,
                          const struct sampling *how, size_t *where)
{
    const struct pmu_event *event = counted_event(log, run);
    struct sample_finding found = walk(log, run, how);
    char *why;

    if (run->method->sampled && found.wrong) {
        *where = line_of(log, run, found.index);
        return wrong_place(log, run, &found, how->placed);
    }
    why = how->counts ? wrong_count(run, &found, how->placed) : NULL;
    if (!why && event && !event->insns)
        why = wrong_number(log, run);
    if (!why && how->placed && run->method->sampled)
        why = wrong_rest(run, &found);
    return why ? why : wrong_interrupts(log, run);
}

/* Where no source says whether something counts, both ways are tried. */
char *counted_wrong(const struct log *log, const struct run *run, size_t *where)
{
    struct sampling how = sampling_of(counted_event(log, run), run->drained.period);
    size_t otherwise;
    char *why = held_against(log, run, &how, where), *unsure;

    if (!why || !how.unsure)
        return why;
    how.counts |= how.unsure;
    unsure = held_against(log, run, &how, &otherwise);
    if (unsure) {
        free(unsure);
        return why;
    }
    free(why);
    return NULL;
}

/* What rests on what a manual's words may mean, and not on what it says. */
bool counted_doubted(const struct log *log, const struct run *run)
{
    const struct pmu *pmu = pmu_find(&log->cpu.id);
    bool stated = pmu && counted_event(log, run) && strcmp(pmu->confidence, "stated") == 0;

    return on_silicon(log) && !stated;
}
