/* smp.h */
#include "smp.h"

#include "apic.h"
#include "emit.h"
#include "probe.h"
#include "sipi.h"
#include "text.h"
#include "x86.h"

#define STACK_SIZE   (64 * 1024ull)
#define AP_LEAST     (1024 * 1024ull) /* bytes of one, its records among them */
#define MEMORY_ALONE (64ull << 20)    /* what boot/ gives for one processor */
#define START_S      10               /* so long one may take to come in, or to leave */
#define SILENT       "it does not come back"

static const struct handoff *handoff;
static struct worker *bsp;

/* In memory that all see; NULL: this processor is alone. */
static struct barrier *barrier;
static struct ap **aps;      /* without the BSP */
static struct ap **in_order; /* the same, by their tickets */
static struct participant *first;
static struct entrance *entrance;
static uint32_t wanted, present; /* APs */
static bool lost;

static void prepare_one(struct memory *memory, struct ap *ap, uint64_t buffer_bytes)
{
    ap->stack = (uint64_t)memory_take(memory, STACK_SIZE) + STACK_SIZE;
    ap->machine = machine_prepare_ap(memory, handoff->processors.trampoline);
    ap->barrier = barrier;
    ap->tsc_hz = handoff->tsc_hz;
    struct memory own = { (uint64_t)memory_take_unzeroed(memory, buffer_bytes),
                          buffer_bytes, 0 };
    worker_take_buffers(&ap->worker, &own, &handoff->options);
}

/*
 * How much memory each of `count` APs may take: their share of all that the BSP would not
 * have alone, or, if that is little, half of what the BSP then keeps.
 */
static uint64_t share_of(const struct memory *memory, uint64_t count)
{
    uint64_t left = memory_left(memory), equal = 0, rest = 0;
    if (left > KERNEL_MEMORY_LEAST)
        equal = (left - KERNEL_MEMORY_LEAST) / (count + 2);
    if (left > MEMORY_ALONE)
        rest = (left - MEMORY_ALONE) / count;
    return rest > equal ? rest : equal;
}

/* Fewer, where there is no memory for as many. */
void smp_prepare(struct memory *memory, const struct handoff *given,
                 struct worker *first_one)
{
    handoff = given;
    bsp = first_one;
    wanted = handoff->processors.wanted > 1 ? handoff->processors.wanted - 1 : 0;
    if (!apic_is_on())
        wanted = 0;
    while (wanted && share_of(memory, wanted) < AP_LEAST)
        wanted /= 2;
    if (!wanted)
        return;
    uint64_t buffer_bytes = (share_of(memory, wanted) - AP_LEAST / 2) & ~(PAGE_SIZE - 1);
    barrier = memory_take(memory, sizeof *barrier);
    aps = memory_take(memory, wanted * sizeof(struct ap *));
    first = memory_take(memory, sizeof *first);
    entrance = memory_take(memory, sizeof *entrance);
    in_order = memory_take(memory, wanted * sizeof(struct ap *));
    *entrance = (struct entrance){ barrier, in_order };
    for (uint32_t i = 0; i < wanted; i++) {
        aps[i] = in_order[i] = memory_take(memory, sizeof(struct ap));
        prepare_one(memory, aps[i], buffer_bytes);
    }
}

struct start smp_start(void)
{
    if (!barrier)
        return (struct start){ NULL, NULL };
    *barrier = (struct barrier){
        .wanted = wanted, .patience = handoff->options.timeout, .at = { first }, .count = 1
    };
    for (uint32_t i = 0; i < wanted; i++) {
        aps[i]->asked = 1; /* it comes in by answering that */
        aps[i]->answered = 0;
        machine_copy_data(&aps[i]->machine);
    }
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

static uint64_t ticks(uint64_t seconds)
{
    const uint64_t slow_hz = 5000000000; /* where nobody has measured: rather too long */
    return seconds * (handoff->tsc_hz ? handoff->tsc_hz : slow_hz);
}

static void wait_for_all(void)
{
    uint64_t begin = rdtsc();
    for (size_t i = 0; i < wanted && rdtsc() - begin < ticks(START_S); i++)
        while (!answered(aps[i]) && rdtsc() - begin < ticks(START_S))
            pause();
}

void smp_gather(void)
{
    if (!barrier)
        return;
    barrier_join(barrier, first);
    if (handoff->processors.trampoline)
        sipi_start(&handoff->processors, aps, wanted);
    wait_for_all();
    sort();
    while (present < wanted && answered(aps[present]))
        present++;
    for (size_t n = 1; n <= present; n++)
        barrier->at[n] = &aps[n - 1]->participant;
    barrier->count = present + 1;
    barrier->wanted = 0; /* who comes now is too late, and goes back */
}

size_t smp_count(void)
{
    return present + 1;
}

struct ap *smp_ap(size_t n)
{
    return aps[n - 1];
}

struct worker *smp_worker(size_t n)
{
    return n ? &aps[n - 1]->worker : bsp;
}

struct participant *smp_participant(size_t n)
{
    return barrier->at[n];
}

static void tell_order(struct ap *ap, enum order order)
{
    ap->order = order;
    __atomic_add_fetch(&ap->asked, 1, __ATOMIC_SEQ_CST);
    barrier_wake(&ap->participant);
}

void smp_order(struct ap *ap, void (*work)(struct ap *))
{
    ap->work = work;
    tell_order(ap, ORDER_WORK);
}

/* For orders that no round waits for. */
static void wait_for_answer(struct ap *ap)
{
    uint64_t begin = rdtsc();
    uint64_t patience = handoff->options.timeout + START_S;
    while (!answered(ap) && !ap->participant.gone && rdtsc() - begin < ticks(patience))
        pause();
    if (!answered(ap))
        __atomic_store_n(&ap->participant.gone, 1, __ATOMIC_SEQ_CST);
}

void smp_emit_lost(void)
{
    for (size_t n = 1; n <= present; n++) {
        struct ap *ap = aps[n - 1];
        if (!ap->participant.gone || ap->logged_lost)
            continue;
        ap->logged_lost = lost = true;
        put(WORD_LOST, &(struct lost_line){
                           .processor = n, .why = span_of(ap->why[0] ? ap->why : SILENT) });
    }
}

bool smp_has_lost(void)
{
    return lost;
}

static void probe(struct ap *ap)
{
    struct worker *w = &ap->worker;
    probe_one(&w->found, ap->facility, &w->cpu, &w->buffers);
}

void smp_probe(enum facility facility)
{
    for (size_t n = 1; n <= present && !lost; n++) {
        aps[n - 1]->facility = facility;
        smp_order(aps[n - 1], probe);
    }
    for (size_t n = 1; n <= present && !lost; n++)
        wait_for_answer(aps[n - 1]);
}

static bool same_probe_results(const struct facilities *a, const struct facilities *b)
{
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (a->all[i].said.outcome != b->all[i].said.outcome ||
            a->all[i].said.deviations != b->all[i].said.deviations ||
            !text_same(a->all[i].evidence, b->all[i].evidence))
            return false;
    return true;
}

/* The first that is of the same kind; itself where none is. */
static size_t like(size_t n)
{
    const struct worker *own = smp_worker(n);
    for (size_t i = 0; i < n; i++) {
        const struct worker *earlier = smp_worker(i);
        if (cpu_alike(&earlier->cpu, &own->cpu) &&
            same_probe_results(&earlier->found, &own->found))
            return i;
    }
    return n;
}

static void tell_one(size_t n)
{
    const struct worker *own = smp_worker(n);
    size_t kind = like(n);
    put(WORD_PROCESSOR,
        &(struct processor_line){ .n = n,
                                  .apic = n ? smp_participant(n)->apic : apic_id(),
                                  .like = kind,
                                  .left = own->left });
    if (kind != n || n == 0)
        return;
    emit_cpu(&own->cpu);
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        emit_facility(&own->found.all[i]);
}

void smp_emit(bool careful)
{
    const struct processors *p = &handoff->processors;
    if (p->why)
        emit_note(p->why);
    if (p->trampoline && sipi_leaves_some(p))
        emit_note("processors=: APIC numbers from 255 on cannot be reached in xAPIC mode");
    if (!p->asked)
        return;
    put(WORD_PROCESSORS, &(struct processors_line){
                             .way = span_of(p->trampoline ? "init-sipi"
                                            : barrier     ? "mp-services"
                                                          : "none"),
                             .found = p->found,
                             .wanted = careful ? 1 : p->wanted,
                             .started = present + 1,
                         });
    for (size_t n = 0; n <= present; n++)
        tell_one(n);
    smp_emit_lost();
}

uint64_t smp_nmis(void)
{
    uint64_t nmis = 0;
    for (size_t i = 0; i < wanted; i++)
        nmis += aps[i]->nmis;
    return nmis;
}

bool smp_leave(void)
{
    bool all = !lost;
    enum order order = handoff->processors.trampoline ? ORDER_PARK : ORDER_GIVE_BACK;
    uint64_t begin = rdtsc();
    for (size_t i = 0; i < wanted; i++)
        tell_order(aps[i], order); /* who comes in too late finds it */
    for (size_t n = 1; n <= present; n++) {
        struct ap *ap = aps[n - 1];
        while (!__atomic_load_n(&ap->left, __ATOMIC_SEQ_CST) && !ap->logged_lost &&
               rdtsc() - begin < ticks(START_S))
            pause();
        if (!ap->left)
            ap->participant.gone = 1;
        all = all && ap->left;
    }
    smp_emit_lost();
    present = 0;
    return all;
}
