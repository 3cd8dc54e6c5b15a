/*
 * smp.h.  A round is one run on each processor.  In the n-th round of a plan all make
 * the n-th run, or each one that is so many further on in both lists as its number, so that
 * over all rounds each makes them all.
 */
#include "smp.h"

#include "apic.h"
#include "emit.h"
#include "log.h"
#include "self_check.h"
#include "other.h"
#include "panic.h"
#include "display.h"
#include "run.h"
#include "sipi.h"
#include "text.h"
#include "workloads.h"
#include "x86.h"

#define STACK_SIZE   (64 * 1024ull)
#define OTHER_LEAST  (1024 * 1024ull) /* bytes of one, its records among them */
#define MEMORY_ALONE (64ull << 20)    /* what boot/ gives for one processor */
#define START_S      10               /* so long one may take to come in, or to leave */
#define SILENT       "it does not come back"

/* In memory that all see; NULL: this processor is alone. */
static struct barrier *barrier;
static struct other **others;   /* without the first one */
static struct other **in_order; /* the same, by their tickets */
static struct participant *first;
static struct entrance *entrance;
static uint32_t wanted, present;     /* of the others */
static uint64_t capacity, bts_bytes; /* of each one: its records, and of these BTS's */
static size_t rounds;
static struct tries tries[SETTING_PROCESSORS_MAX]; /* of a round */
static bool lost;

/* What the first one and the others have alike. */
static struct session *session_of(struct session *s, size_t n)
{
    return n ? &others[n - 1]->session : s;
}

static struct participant *participant_of(size_t n)
{
    return n ? &others[n - 1]->participant : first;
}

static void prepare_one(struct session *s, struct other *other)
{
    other->stack = (uint64_t)memory_take(&s->memory, STACK_SIZE) + STACK_SIZE;
    other->machine = machine_prepare_other(&s->memory, s->handoff->processors.trampoline);
    other->barrier = barrier;
    struct buffers *buffers = &other->session.buffers;
    buffers->ds_area = memory_take(&s->memory, PAGE_SIZE);
    buffers->infos = memory_take(&s->memory, INFO_RECORDS_MAX * sizeof(struct info));
    buffers->bts = memory_take(&s->memory, bts_bytes);
    buffers->records = memory_take(&s->memory, capacity - bts_bytes);
}

static uint64_t bytes_of_bts(const struct options *options)
{
    uint64_t records = (options->buffer ? options->buffer : BTS_RECORDS) + 1;
    uint64_t bytes = (records * sizeof(struct branch) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
    return bytes < capacity / 2 ? bytes : capacity / 2;
}

/*
 * What each of so many others may take: all but what the first one would have without
 * them, or, where that is not much, as much as each share of the first one's two.
 */
static uint64_t share_of(const struct session *s, uint64_t count)
{
    uint64_t left = memory_left(&s->memory), equal = 0, rest = 0;
    if (left > KERNEL_MEMORY_LEAST)
        equal = (left - KERNEL_MEMORY_LEAST) / (count + 2);
    if (left > MEMORY_ALONE)
        rest = (left - MEMORY_ALONE) / count;
    return rest > equal ? rest : equal;
}

/* Fewer, where there is no memory for as many. */
void smp_prepare(struct session *s)
{
    wanted = s->handoff->processors.wanted > 1 ? s->handoff->processors.wanted - 1 : 0;
    if (!apic_is_on())
        wanted = 0;
    while (wanted && share_of(s, wanted) < OTHER_LEAST)
        wanted /= 2;
    if (!wanted)
        return;
    capacity = (share_of(s, wanted) - OTHER_LEAST / 2) & ~(2 * PAGE_SIZE - 1);
    bts_bytes = bytes_of_bts(&s->handoff->options);
    barrier = memory_take(&s->memory, sizeof *barrier);
    others = memory_take(&s->memory, wanted * sizeof(struct other *));
    first = memory_take(&s->memory, sizeof *first);
    entrance = memory_take(&s->memory, sizeof *entrance);
    in_order = memory_take(&s->memory, wanted * sizeof(struct other *));
    *entrance = (struct entrance){ barrier, in_order };
    for (uint32_t i = 0; i < wanted; i++) {
        others[i] = in_order[i] = memory_take(&s->memory, sizeof(struct other));
        prepare_one(s, others[i]);
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The records of a run are as many as the first one's, where there is room. */
static void equip(struct session *s, struct other *other)
{
    struct buffers own = other->session.buffers;
    size_t records = (size_t)((capacity - bts_bytes) / sizeof(struct branch));
    size_t bts = (size_t)(bts_bytes / sizeof(struct branch)) - 1; /* one is spare */
    other->session = *s;
    other->session.buffers.found = &other->session.found;
    other->session.buffers.ds_area = own.ds_area;
    other->session.buffers.infos = own.infos;
    other->session.buffers.bts = own.bts;
    other->session.buffers.bts_capacity = least(s->buffers.bts_capacity, bts);
    other->session.buffers.records = own.records;
    other->session.buffers.record_capacity = records;
    other->asked = 1; /* it comes in by answering that */
    other->answered = 0;
    machine_copy_data(&other->machine);
}

struct start smp_start(struct session *s)
{
    if (!barrier)
        return (struct start){ NULL, NULL };
    *barrier = (struct barrier){ .wanted = wanted,
                                 .patience = s->handoff->options.timeout,
                                 .at = { first },
                                 .count = 1 };
    for (uint32_t i = 0; i < wanted; i++)
        equip(s, others[i]);
    return (struct start){ other_enter, entrance };
}

static bool answered(const struct other *other)
{
    return __atomic_load_n(&other->answered, __ATOMIC_SEQ_CST) == other->asked;
}

/* Those that have come in stand first then, by their APIC's number. */
static void sort(void)
{
    for (size_t i = 0; i < wanted; i++)
        for (size_t j = i; j > 0; j--) {
            struct other *a = others[j - 1], *b = others[j];
            if (!answered(b) || (answered(a) && a->participant.apic <= b->participant.apic))
                break;
            others[j - 1] = b;
            others[j] = a;
        }
}

static uint64_t ticks(struct session *s, uint64_t seconds)
{
    const uint64_t slow_hz = 5000000000; /* where nobody has measured: rather too long */
    return seconds * (s->handoff->tsc_hz ? s->handoff->tsc_hz : slow_hz);
}

static void wait_for_all(struct session *s)
{
    uint64_t begin = rdtsc();
    for (size_t i = 0; i < wanted && rdtsc() - begin < ticks(s, START_S); i++)
        while (!answered(others[i]) && rdtsc() - begin < ticks(s, START_S))
            pause();
}

void smp_gather(struct session *s)
{
    if (!barrier)
        return;
    barrier_join(barrier, first);
    if (s->handoff->processors.trampoline)
        sipi_start(s, others, wanted);
    wait_for_all(s);
    sort();
    while (present < wanted && answered(others[present]))
        present++;
    for (size_t n = 1; n <= present; n++)
        barrier->at[n] = participant_of(n);
    barrier->count = present + 1;
    barrier->wanted = 0; /* who comes now is too late, and goes back */
}

size_t smp_count(void)
{
    return present + 1;
}

static void tell_order(struct other *other, enum order order)
{
    other->order = order;
    __atomic_add_fetch(&other->asked, 1, __ATOMIC_SEQ_CST);
    barrier_wake(&other->participant);
}

/* For orders that no round waits for. */
static void wait_for_answer(struct session *s, struct other *other)
{
    uint64_t begin = rdtsc();
    uint64_t patience = s->handoff->options.timeout + START_S;
    while (!answered(other) && !other->participant.gone &&
           rdtsc() - begin < ticks(s, patience))
        pause();
    if (!answered(other))
        __atomic_store_n(&other->participant.gone, 1, __ATOMIC_SEQ_CST);
}

/* Says once of each that it is gone. */
static void tell_lost(void)
{
    for (size_t n = 1; n <= present; n++) {
        struct other *other = others[n - 1];
        if (!other->participant.gone || other->logged_lost)
            continue;
        other->logged_lost = lost = true;
        emit_lost(n, other->why[0] ? other->why : SILENT);
    }
}

void smp_probe(struct session *s, enum facility facility)
{
    for (size_t n = 1; n <= present && !lost; n++) {
        others[n - 1]->facility = facility;
        tell_order(others[n - 1], ORDER_PROBE);
    }
    for (size_t n = 1; n <= present && !lost; n++)
        wait_for_answer(s, others[n - 1]);
}

static bool same_probe_results(const struct facilities *a, const struct facilities *b)
{
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (a->all[i].probe_result != b->all[i].probe_result ||
            !text_same(a->all[i].evidence, b->all[i].evidence))
            return false;
    return true;
}

/* The first that is of the same kind; itself where none is. */
static size_t like(struct session *s, size_t n)
{
    const struct session *own = session_of(s, n);
    for (size_t i = 0; i < n; i++) {
        const struct session *earlier = session_of(s, i);
        if (cpu_alike(&earlier->cpu, &own->cpu) &&
            same_probe_results(&earlier->found, &own->found))
            return i;
    }
    return n;
}

static void tell_one(struct session *s, size_t n)
{
    const struct session *own = session_of(s, n);
    size_t kind = like(s, n);
    emit_processor(n, n ? participant_of(n)->apic : apic_id(), kind, &own->left);
    if (kind != n || n == 0)
        return;
    emit_cpu(&own->cpu);
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        emit_facility(&own->found.all[i]);
}

void smp_emit(struct session *s)
{
    const struct processors *p = &s->handoff->processors;
    if (p->why)
        emit_note(p->why);
    if (p->trampoline && sipi_leaves_some(s))
        emit_note("processors=: APIC numbers from 255 on cannot be reached in xAPIC mode");
    if (!p->asked)
        return;
    emit_processors(&(struct processors_logged){
        .way = p->trampoline ? "init-sipi"
               : barrier     ? "mp-services"
                             : "none",
        .found = p->found,
        .wanted = s->history.careful ? 1 : p->wanted,
        .started = present + 1,
        .different = s->handoff->options.together == TOGETHER_DIFFERENT,
    });
    for (size_t n = 0; n <= present; n++)
        tell_one(s, n);
    tell_lost();
}

/* The run that processor n makes in a round. */
static struct slot slot_of(const struct session *s, const struct plan *plan, size_t round,
                           size_t n)
{
    size_t away = s->handoff->options.together == TOGETHER_DIFFERENT ? n : 0;
    size_t workloads = plan_workloads(plan), count = plan_runs(plan) / plan->times;
    size_t across = count / workloads;
    return plan_slot(plan, (round % across + away) % across,
                     (round / across + away) % workloads);
}

static void order_run(struct other *other, const struct slot *slot)
{
    other->method = slot->method;
    other->workload = slot->workload;
    tell_order(other, ORDER_RUN);
}

static struct run_result make(struct session *s, const struct slot *slot)
{
    struct run_result run_result = { 0 };
    if (first->takes_part) {
        run_result = run_make(s, slot->method, slot->workload);
        barrier_reach(STAGE_DONE);
    } else {
        barrier_wait(STAGE_ARMED);
        barrier_wait(STAGE_BACK);
    }
    barrier_wait(STAGE_DONE);
    return run_result;
}

static struct skip_reason refused(struct session *s, size_t n, const struct slot *slot)
{
    if (lost)
        return (struct skip_reason){ SKIP_LOST, NULL };
    return run_refused(s, session_of(s, n), slot->method, slot->workload);
}

/*
 * What is about to be done by all at once: a round in which a method is new has a name of
 * its own, since nobody could tell which of its runs the machine died of.
 */
static void save_before(struct session *s, const struct plan *plan, size_t round)
{
    char subject[SUBJECT_SIZE];
    bool is_first = false;
    for (size_t n = 0; n <= present; n++) {
        struct slot slot = slot_of(s, plan, round, n);
        if (participant_of(n)->takes_part && run_is_first(s, slot.method))
            is_first = true;
    }
    struct text out = text_into(subject, sizeof subject);
    text_string(&out, SUBJECT_ROUND);
    text_decimal(&out, rounds + 1);
    run_try(s, is_first ? subject : NULL);
}

/* Reasons live in one place until the next one is asked for, so each is asked for twice. */
static void take_part(struct session *s, const struct plan *plan, size_t round)
{
    barrier_begin();
    for (size_t n = 0; n <= present; n++) {
        struct slot slot = slot_of(s, plan, round, n);
        session_of(s, n)->buffers.filter = slot.filter;
        session_of(s, n)->filtered = s->filtered;
        participant_of(n)->takes_part = !refused(s, n, &slot).code;
    }
}

/* Of who is gone nothing is known, and it may still write what it made. */
static struct run_result result_by(size_t n, const struct run_result *first_result)
{
    const struct run_result nothing = { .window_exit = { .outcome = GONE } };
    if (!n)
        return *first_result;
    return participant_of(n)->gone ? nothing : others[n - 1]->run_result;
}

static struct run_result make_all(struct session *s, const struct plan *plan, size_t round)
{
    for (size_t n = 1; n <= present; n++) {
        struct slot slot = slot_of(s, plan, round, n);
        if (participant_of(n)->takes_part)
            order_run(others[n - 1], &slot);
    }
    struct slot own = slot_of(s, plan, round, 0);
    return make(s, &own);
}

/* An SMI hits all processors, so the whole round is made again; not without one that is
 * gone.  `before`: how often it was made.
 */
static bool to_be_repeated(struct session *s, const struct plan *plan, size_t round,
                           uint32_t before, const struct run_result *first_result)
{
    bool hit = false, lacks_one = false;
    for (size_t n = 0; n <= present; n++) {
        if (!participant_of(n)->takes_part)
            continue;
        const struct session *own = session_of(s, n);
        const struct slot slot = slot_of(s, plan, round, n);
        const struct run run = run_unnumbered(s, own, slot.method, slot.workload);
        const struct run_result run_result = result_by(n, first_result);
        lacks_one = lacks_one || run_result.window_exit.outcome == GONE ||
                    run_result.window_exit.outcome == TIMEOUT;
        hit = run_differs(own, &run, &run_result, before, &tries[n]) ||
              run_was_hit(&run_result) || hit;
    }
    return hit && !lacks_one;
}

static void run_round(struct session *s, const struct plan *plan, size_t round)
{
    take_part(s, plan, round);
    save_before(s, plan, round);
    emit_round(++rounds, present + 1);
    for (size_t n = 0; n <= present; n++)
        tries[n] = (struct tries){ .any = false };
    struct run_result own_result = make_all(s, plan, round);
    uint32_t repeated = 0;
    while (to_be_repeated(s, plan, round, repeated, &own_result) &&
           repeated < RUN_REPEATS_MAX) {
        barrier_begin();
        own_result = make_all(s, plan, round);
        repeated++;
    }
    tell_lost();
    for (size_t n = 0; n <= present; n++) {
        struct slot slot = slot_of(s, plan, round, n);
        const struct session *of = session_of(s, n);
        struct run run = run_next(s, of, slot.method, slot.workload);
        run.smp = true;
        run.processor = n;
        if (participant_of(n)->takes_part) {
            display_begins(&run);
            emit_run(&run);
            struct run_result run_result = result_by(n, &own_result);
            run_result.repeated = repeated;
            run_emit(s, &run, &run_result, &tries[n], of->buffers.records);
        } else {
            struct skip_reason why = refused(s, n, &slot);
            run_skip(s, &run, &why);
        }
    }
}

void smp_run(struct session *s, const struct plan *plan)
{
    size_t count = plan_runs(plan) / plan->times;
    for (uint32_t i = 0; i < plan->times; i++)
        for (size_t round = 0; round < count; round++)
            run_round(s, plan, round);
}

uint64_t smp_nmis(void)
{
    uint64_t nmis = 0;
    for (size_t i = 0; i < wanted; i++)
        nmis += others[i]->nmis;
    return nmis;
}

bool smp_leave(struct session *s)
{
    bool all = !lost;
    enum order order = s->handoff->processors.trampoline ? ORDER_PARK : ORDER_GIVE_BACK;
    uint64_t begin = rdtsc();
    for (size_t i = 0; i < wanted; i++)
        tell_order(others[i], order); /* who comes in too late finds it */
    for (size_t n = 1; n <= present; n++) {
        struct other *other = others[n - 1];
        while (!__atomic_load_n(&other->left, __ATOMIC_SEQ_CST) && !other->logged_lost &&
               rdtsc() - begin < ticks(s, START_S))
            pause();
        if (!other->left)
            other->participant.gone = 1;
        all = all && other->left;
    }
    tell_lost();
    present = 0;
    return all;
}
