/*
 * smp.h.  A round is one run on each processor: in round N of a plan all make run N.
 */
#include "smp.h"

#include "apic.h"
#include "emit.h"
#include "log.h"
#include "self_check.h"
#include "ap.h"
#include "panic.h"
#include "display.h"
#include "run.h"
#include "sipi.h"
#include "text.h"
#include "workloads.h"
#include "x86.h"

#define STACK_SIZE   (64 * 1024ull)
#define AP_LEAST     (1024 * 1024ull) /* bytes of one, its records among them */
#define MEMORY_ALONE (64ull << 20)    /* what boot/ gives for one processor */
#define START_S      10               /* so long one may take to come in, or to leave */
#define SILENT       "it does not come back"

/* In memory that all see; NULL: this processor is alone. */
static struct barrier *barrier;
static struct ap **aps;      /* without the first one */
static struct ap **in_order; /* the same, by their tickets */
static struct participant *first;
static struct entrance *entrance;
static uint32_t wanted, present;     /* APs */
static uint64_t capacity, bts_bytes; /* of each one: its records, and of these BTS's */
static size_t rounds;
static struct tries tries[SETTING_PROCESSORS_MAX]; /* of a round */
static bool lost;

/* Data that the BSP and the APs share. */
static struct session *session_of(struct session *s, size_t n)
{
    return n ? &aps[n - 1]->session : s;
}

static struct participant *participant_of(size_t n)
{
    return n ? &aps[n - 1]->participant : first;
}

static void prepare_one(struct session *s, struct ap *ap)
{
    ap->stack = (uint64_t)memory_take(&s->memory, STACK_SIZE) + STACK_SIZE;
    ap->machine = machine_prepare_ap(&s->memory, s->handoff->processors.trampoline);
    ap->barrier = barrier;
    struct buffers *buffers = &ap->session.buffers;
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
 * How much memory each of `count` APs may take: their share of all that the BSP would not
 * have alone, or, if that is little, half of what the BSP then keeps.
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
    while (wanted && share_of(s, wanted) < AP_LEAST)
        wanted /= 2;
    if (!wanted)
        return;
    capacity = (share_of(s, wanted) - AP_LEAST / 2) & ~(2 * PAGE_SIZE - 1);
    bts_bytes = bytes_of_bts(&s->handoff->options);
    barrier = memory_take(&s->memory, sizeof *barrier);
    aps = memory_take(&s->memory, wanted * sizeof(struct ap *));
    first = memory_take(&s->memory, sizeof *first);
    entrance = memory_take(&s->memory, sizeof *entrance);
    in_order = memory_take(&s->memory, wanted * sizeof(struct ap *));
    *entrance = (struct entrance){ barrier, in_order };
    for (uint32_t i = 0; i < wanted; i++) {
        aps[i] = in_order[i] = memory_take(&s->memory, sizeof(struct ap));
        prepare_one(s, aps[i]);
    }
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* An AP has as many records for a run as the BSP, if there is memory. */
static void equip(struct session *s, struct ap *ap)
{
    struct buffers own = ap->session.buffers;
    size_t records = (size_t)((capacity - bts_bytes) / sizeof(struct branch));
    size_t bts = (size_t)(bts_bytes / sizeof(struct branch)) - 1; /* one is spare */
    ap->session = *s;
    ap->session.buffers.found = &ap->session.found;
    ap->session.buffers.ds_area = own.ds_area;
    ap->session.buffers.infos = own.infos;
    ap->session.buffers.bts = own.bts;
    ap->session.buffers.bts_capacity = least(s->buffers.bts_capacity, bts);
    ap->session.buffers.records = own.records;
    ap->session.buffers.record_capacity = records;
    ap->asked = 1; /* it comes in by answering that */
    ap->answered = 0;
    machine_copy_data(&ap->machine);
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
        equip(s, aps[i]);
    return (struct start){ ap_enter, entrance };
}

static bool answered(const struct ap *ap)
{
    return __atomic_load_n(&ap->answered, __ATOMIC_SEQ_CST) == ap->asked;
}

/* Moves the APs that came in to the front, sorted by their APIC's number. */
static void sort(void)
{
    for (size_t i = 0; i < wanted; i++)
        for (size_t j = i; j > 0; j--) {
            struct ap *a = aps[j - 1], *b = aps[j];
            if (!answered(b) || (answered(a) && a->participant.apic <= b->participant.apic))
                break;
            aps[j - 1] = b;
            aps[j] = a;
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
        while (!answered(aps[i]) && rdtsc() - begin < ticks(s, START_S))
            pause();
}

void smp_gather(struct session *s)
{
    if (!barrier)
        return;
    barrier_join(barrier, first);
    if (s->handoff->processors.trampoline)
        sipi_start(s, aps, wanted);
    wait_for_all(s);
    sort();
    while (present < wanted && answered(aps[present]))
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

static void tell_order(struct ap *ap, enum order order)
{
    ap->order = order;
    __atomic_add_fetch(&ap->asked, 1, __ATOMIC_SEQ_CST);
    barrier_wake(&ap->participant);
}

/* For orders that no round waits for. */
static void wait_for_answer(struct session *s, struct ap *ap)
{
    uint64_t begin = rdtsc();
    uint64_t patience = s->handoff->options.timeout + START_S;
    while (!answered(ap) && !ap->participant.gone && rdtsc() - begin < ticks(s, patience))
        pause();
    if (!answered(ap))
        __atomic_store_n(&ap->participant.gone, 1, __ATOMIC_SEQ_CST);
}

/* Says once of each that it is gone. */
static void tell_lost(void)
{
    for (size_t n = 1; n <= present; n++) {
        struct ap *ap = aps[n - 1];
        if (!ap->participant.gone || ap->logged_lost)
            continue;
        ap->logged_lost = lost = true;
        emit_lost(n, ap->why[0] ? ap->why : SILENT);
    }
}

void smp_probe(struct session *s, enum facility facility)
{
    for (size_t n = 1; n <= present && !lost; n++) {
        aps[n - 1]->facility = facility;
        tell_order(aps[n - 1], ORDER_PROBE);
    }
    for (size_t n = 1; n <= present && !lost; n++)
        wait_for_answer(s, aps[n - 1]);
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
    });
    for (size_t n = 0; n <= present; n++)
        tell_one(s, n);
    tell_lost();
}

static void order_run(struct ap *ap, const struct slot *slot)
{
    ap->method = slot->method;
    ap->workload = slot->workload;
    tell_order(ap, ORDER_RUN);
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
 * Saves the log before a round.  A round in which a method is new has a name of its own,
 * since nobody could tell which of its runs the machine died of.
 */
static void save_before(struct session *s, const struct slot *slot)
{
    char subject[SUBJECT_SIZE];
    bool is_first = false;
    for (size_t n = 0; n <= present; n++)
        if (participant_of(n)->takes_part && run_is_first(s, slot->method))
            is_first = true;
    struct text out = text_into(subject, sizeof subject);
    text_string(&out, SUBJECT_ROUND);
    text_decimal(&out, rounds + 1);
    run_try(s, is_first ? subject : NULL);
}

/* Reasons live in one place until the next one is asked for, so each is asked for twice. */
static void take_part(struct session *s, const struct slot *slot)
{
    barrier_begin();
    for (size_t n = 0; n <= present; n++) {
        session_of(s, n)->buffers.filter = slot->filter;
        session_of(s, n)->filtered = s->filtered;
        participant_of(n)->takes_part = !refused(s, n, slot).code;
    }
}

/* An AP that is lost may still write its results: nothing of it is used. */
static struct run_result result_by(size_t n, const struct run_result *first_result)
{
    const struct run_result nothing = { .window_exit = { .outcome = GONE } };
    if (!n)
        return *first_result;
    return participant_of(n)->gone ? nothing : aps[n - 1]->run_result;
}

static struct run_result make_all(struct session *s, const struct slot *slot)
{
    for (size_t n = 1; n <= present; n++)
        if (participant_of(n)->takes_part)
            order_run(aps[n - 1], slot);
    return make(s, slot);
}

/* An SMI hits all processors, so the whole round is made again; not without one that is
 * gone.  `before`: how often it was made.
 */
static bool to_be_repeated(struct session *s, const struct slot *slot, uint32_t before,
                           const struct run_result *first_result)
{
    bool hit = false, lacks_one = false;
    for (size_t n = 0; n <= present; n++) {
        if (!participant_of(n)->takes_part)
            continue;
        const struct session *own = session_of(s, n);
        const struct run run = run_unnumbered(s, own, slot->method, slot->workload);
        const struct run_result run_result = result_by(n, first_result);
        lacks_one = lacks_one || run_result.window_exit.outcome == GONE ||
                    run_result.window_exit.outcome == TIMEOUT;
        hit = run_differs(own, &run, &run_result, before, &tries[n]) ||
              run_was_hit(&run_result) || hit;
    }
    return hit && !lacks_one;
}

static void run_round(struct session *s, const struct slot *slot)
{
    take_part(s, slot);
    save_before(s, slot);
    emit_round(++rounds, present + 1);
    for (size_t n = 0; n <= present; n++)
        tries[n] = (struct tries){ .any = false };
    struct run_result own_result = make_all(s, slot);
    uint32_t repeated = 0;
    while (to_be_repeated(s, slot, repeated, &own_result) && repeated + 1 < RUN_TRIES_MAX) {
        barrier_begin();
        own_result = make_all(s, slot);
        repeated++;
    }
    tell_lost();
    for (size_t n = 0; n <= present; n++) {
        const struct session *of = session_of(s, n);
        struct run run = run_next(s, of, slot->method, slot->workload);
        run.smp = true;
        run.processor = n;
        if (participant_of(n)->takes_part) {
            display_begins(&run);
            emit_run(&run);
            struct run_result run_result = result_by(n, &own_result);
            run_result.repeated = repeated;
            run_emit(s, &run, &run_result, &tries[n], of->buffers.records);
        } else {
            struct skip_reason why = refused(s, n, slot);
            run_skip(s, &run, &why);
        }
    }
}

void smp_run(struct session *s, const struct plan_request *plan)
{
    size_t workloads = plan_workloads(plan),
           across = plan_runs(plan) / plan->times / workloads;
    for (uint32_t i = 0; i < plan->times; i++) {
        for (size_t round = 0; round < across * workloads; round++) {
            struct slot slot = plan_slot(plan, round % across, round / across);
            run_round(s, &slot);
        }
    }
}

uint64_t smp_nmis(void)
{
    uint64_t nmis = 0;
    for (size_t i = 0; i < wanted; i++)
        nmis += aps[i]->nmis;
    return nmis;
}

bool smp_leave(struct session *s)
{
    bool all = !lost;
    enum order order = s->handoff->processors.trampoline ? ORDER_PARK : ORDER_GIVE_BACK;
    uint64_t begin = rdtsc();
    for (size_t i = 0; i < wanted; i++)
        tell_order(aps[i], order); /* who comes in too late finds it */
    for (size_t n = 1; n <= present; n++) {
        struct ap *ap = aps[n - 1];
        while (!__atomic_load_n(&ap->left, __ATOMIC_SEQ_CST) && !ap->logged_lost &&
               rdtsc() - begin < ticks(s, START_S))
            pause();
        if (!ap->left)
            ap->participant.gone = 1;
        all = all && ap->left;
    }
    tell_lost();
    present = 0;
    return all;
}
