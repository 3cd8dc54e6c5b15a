/*
 * counter.h.  SDM vol. 3B, "Architectural Performance Monitoring"; AMD64 APM vol. 2,
 * "Performance Monitoring Counters".
 *
 * A counter counts up and interrupts when it passes zero, so it is loaded with the
 * period, negated.  It goes on counting: what it holds when it is stopped says how many
 * events came after the one that asked for the interrupt.
 *
 * Window and gate turn it on as the last thing and off as the first, but two events of
 * their own it sees: the IRETQ, which ends each interrupt but the first period, and, on
 * processors that count interrupts as branches, the entry.
 */
#include "counter.h"

#include "count_of.h"
#include "log.h"
#include "msr.h"
#include "pmu.h"
#include "registers.h"

#define SELECT_USR       BIT(16)
#define SELECT_OS        BIT(17)
#define SELECT_INT       BIT(20)
#define SELECT_ENABLE    BIT(22)
#define SELECT_UMASK     8
#define SELECT_EVENT_LOW 0xffu
#define SELECT_EVENT_TOP 24 /* AMD: bits 11:8 of the event stand at 35:32 */

/* One run counts less than this, so readers need not know the counter's width. */
#define COUNTER_MASK UINT32_MAX

/* A period in which more happens than one interrupt's own instructions. */
#define PERIOD_OF_INSNS 100

static struct {
    const struct pmu *pmu;
    struct enable enable;
    uint64_t period, loaded;
    uint64_t entry, back; /* own events: of an interrupt's way in, and its way out */
    uint64_t own;         /* ...since it was loaded                                */
    bool holds;           /* what is written to the counter is there               */
    bool entry_foreseen;  /* own has the entry of the next stray NMI already       */
    struct frame asked;   /* where the last one struck that was asked for          */
    bool tells_late;
    uint32_t control, status, clear; /* of all counters; 0: there is none           */
    uint32_t select, counter;        /* the registers of the one that is used...    */
    uint64_t bit;                    /* ...and its bit in those of all counters     */
    uint64_t control_before, select_before, counter_before;
} now;

static void find_global(const struct cpu *cpu)
{
    uint64_t ignored;
    now.control = now.status = now.clear = 0;
    if (now.pmu->by_cpuid && cpu->id.perfmon >= PERFMON_WITH_GLOBAL) {
        now.control = MSR_PERF_GLOBAL_CTRL;
        now.status = MSR_PERF_GLOBAL_STATUS;
        now.clear = MSR_PERF_GLOBAL_OVF_CTRL;
    } else if (cpu->id.amd_global_counters) {
        now.control = MSR_AMD_GLOBAL_CTL;
        now.status = MSR_AMD_GLOBAL_STATUS;
        now.clear = MSR_AMD_GLOBAL_STATUS_CLEAR;
    }
    if (now.status && !msr_read(now.status, &ignored))
        now.status = 0; /* in a handler of NMI nothing may fault */
}

static enum event_name name_of(const struct pmu *pmu, const struct event_choice *choice)
{
    if (choice->by == EVENT_BY_NAME)
        return (enum event_name)choice->name;
    return pmu_default_name(pmu);
}

struct interrupt_config counter_chosen(const struct cpu *cpu, const struct buffers *buffers,
                                       uint64_t period)
{
    const struct event_choice *choice = &buffers->event;
    struct interrupt_config how = { .period = period,
                                    .nmi = buffers->delivery != DELIVERY_FIXED };
    if (!cpu->pmu)
        return how;
    how.lacks = choice->by == EVENT_BY_NUMBER
                    ? pmu_lacks_number(&cpu->id, choice->event, choice->umask)
                    : pmu_lacks(&cpu->id, name_of(cpu->pmu, choice));
    if (how.lacks.code)
        return how; /* bits that are reserved would be #GP in the window */
    const struct pmu_event *event = NULL;
    if (choice->by != EVENT_BY_NUMBER)
        event = pmu_event_named(cpu->pmu, name_of(cpu->pmu, choice));
    how.event = event ? event->event : choice->event;
    how.umask = event ? event->umask : choice->umask;
    event = pmu_event_of(cpu->pmu, how.event, how.umask);
    if (event && (event->insns || event->time) && period == 1)
        how.period = PERIOD_OF_INSNS;
    if (buffers->period)
        how.period = buffers->period;
    return how;
}

static void write_counter(uint64_t value)
{
    msr_write(now.counter, value & (BIT(now.pmu->written) - 1));
}

static void forget_overflow(void)
{
    if (now.clear)
        msr_write(now.clear, now.bit);
}

static void load(uint64_t own)
{
    now.own = own;
    now.loaded = now.period + own;
    now.entry_foreseen = false;
    write_counter(-now.loaded);
    forget_overflow();
}

static uint64_t passed(void)
{
    uint64_t value = 0;
    msr_read(now.counter, &value);
    return now.holds ? (value + now.loaded) & COUNTER_MASK : 0;
}

static uint64_t select_of(const struct interrupt_config *how)
{
    return (how->event & SELECT_EVENT_LOW) | (uint64_t)how->umask << SELECT_UMASK |
           (uint64_t)(how->event & ~SELECT_EVENT_LOW) << SELECT_EVENT_TOP | SELECT_USR |
           SELECT_OS | (how->period ? SELECT_INT : 0);
}

/* A period in cycles is at least as long as one in instructions, or nothing moves on. */
static void count_own(const struct pmu_event *event)
{
    bool straight = event && (event->insns || event->time);
    now.entry = straight ? OWN_ENTRY_INSNS : event && event->counts & COUNTS(KIND_EXC);
    now.back = straight ? OWN_RETURN_INSNS : event && event->counts & COUNTS(KIND_IRET);
    now.tells_late = pmu_tells_late(event);
}

/*
 * Before these writes a counter of Nehalem or Westmere counts wrong, or nothing (Linux,
 * arch/x86/events/intel/core.c, intel_pmu_nhm_workaround(), which makes them whenever it
 * adds a counter; errata AAK100, AAP53, BD53).  Each counter keeps what it held.
 */
static void make_first_writes(void)
{
    static const uint32_t events[] = { 0x4300b5, 0x4300d2, 0x4300b1, 0x4300b1 };
    uint64_t select[COUNT_OF(events)], counter[COUNT_OF(events)];
    for (uint32_t i = 0; i < COUNT_OF(events); i++) {
        msr_read(now.pmu->select + i, &select[i]);
        msr_read(now.pmu->counter + i, &counter[i]);
        msr_write(now.pmu->select + i, events[i]);
        msr_write(now.pmu->counter + i, 0);
    }
    msr_write(MSR_PERF_GLOBAL_CTRL, BIT(COUNT_OF(events)) - 1);
    msr_write(MSR_PERF_GLOBAL_CTRL, 0);
    for (uint32_t i = 0; i < COUNT_OF(events); i++) {
        msr_write(now.pmu->select + i, 0);
        msr_write(now.pmu->counter + i, counter[i]);
        msr_write(now.pmu->select + i, select[i]);
    }
}

void counter_begin(const struct cpu *cpu, const struct interrupt_config *how,
                   struct enable *enable, bool beside)
{
    const struct pmu_event *event = pmu_event_of(cpu->pmu, how->event, how->umask);
    uint64_t off = select_of(how);

    now.pmu = cpu->pmu;
    now.select = cpu->pmu->select + cpu->counter;
    now.counter = cpu->pmu->counter + cpu->counter;
    now.bit = BIT(cpu->counter);
    now.period = how->period;
    now.asked = (struct frame){ 0 };
    count_own(event);
    find_global(cpu);
    msr_read(now.select, &now.select_before);
    msr_read(now.counter, &now.counter_before);
    if (now.control)
        msr_read(now.control, &now.control_before);
    if (now.pmu->needs_first_writes)
        make_first_writes();
    msr_write(now.select, off);
    now.holds = true;
    load(0);
    now.holds = passed() == 0; /* an emulator reads 0, which is not what was loaded */
    if (now.control)
        msr_write(now.control, now.bit);
    *(beside ? &enable->counter : &enable->msr) = now.select;
    *(beside ? &enable->counter_on : &enable->on) = off | SELECT_ENABLE;
    *(beside ? &enable->counter_off : &enable->off) = off;
}

void counter_end(void)
{
    msr_write(now.select, now.select_before & ~SELECT_ENABLE);
    msr_write(now.counter, now.counter_before);
    if (now.clear)
        msr_write(now.clear, now.bit);
    if (now.control)
        msr_write(now.control, now.control_before);
    msr_write(now.select, now.select_before);
}

/* In the window a #GP would not be survived. */
bool counter_watch(const struct cpu *cpu, uint32_t event, uint32_t umask,
                   struct enable *enable)
{
    const struct interrupt_config how = { .event = event, .umask = umask };
    uint64_t held = 0;

    counter_begin(cpu, &how, enable, true);
    if (now.holds && msr_read(now.select, &held) && held == enable->counter_off)
        return true;
    counter_end();
    enable->counter = 0;
    return false;
}

/* How many events came after these. */
static uint64_t passed_after(uint64_t events)
{
    uint64_t count = passed();
    return count > events ? count - events : 0;
}

uint64_t counter_rest(void)
{
    return passed_after(now.own);
}

uint64_t counter_since_overflow(void)
{
    return passed_after(now.loaded);
}

struct counted counter_again(bool was_on)
{
    struct counted counted = { .events = counter_rest() };
    uint64_t since = counter_since_overflow();

    uint64_t entry = was_on ? now.entry : 0;
    if (entry > since)
        entry = since;
    counted.events -= entry;
    counted.late = now.tells_late ? since - entry : 0;
    load(now.back);
    return counted;
}

/* Not one instruction has run since the last one returned, or a register had changed. */
static bool nothing_ran_before(const struct frame *frame)
{
    return __builtin_memcmp(frame, &now.asked, sizeof *frame) == 0;
}

/*
 * Where the entry of an interrupt counts, that of a stray NMI may overflow the counter, and
 * is taken for what was asked for.  The interrupt that it asked for comes right after it,
 * and with a period of one its own entry overflows the counter again, and so on for ever.
 * So that one is stray, and the counter is told to expect the entry of the next.
 */
static bool overflowed_by_entry(const struct frame *frame)
{
    return now.entry && passed() == now.loaded && nothing_ran_before(frame);
}

/*
 * The counter's bit of the status says so (SDM vol. 3B, "Global Counter Control
 * Facilities").  Where there is no status the value does, which is negative until then
 * (Linux, arch/x86/events/amd/core.c), and also where a hypervisor leaves the bit out.
 */
bool counter_asked(const struct frame *frame)
{
    uint64_t status = 0;
    bool overflowed = !now.holds || counter_unheard();
    if (!overflowed && now.status && msr_read(now.status, &status))
        overflowed = status & now.bit;
    if (!overflowed || (now.holds && overflowed_by_entry(frame)))
        return false;
    now.asked = *frame;
    return true;
}

static void count_as_own(uint64_t own)
{
    uint64_t value = 0;
    if (!own || !msr_read(now.counter, &value))
        return;
    now.own += own;
    now.loaded += own;
    write_counter(value - own);
    forget_overflow();
}

void counter_foresee(void)
{
    count_as_own(now.entry);
    now.entry_foreseen = true;
}

bool counter_stray(const struct frame *frame, bool goes_on)
{
    if (!goes_on)
        return false;
    bool again = overflowed_by_entry(frame);
    count_as_own(now.back + (now.entry_foreseen ? 0 : now.entry));
    now.entry_foreseen = false;
    if (again)
        counter_foresee();
    return false;
}

bool counter_tells_late(void)
{
    return now.tells_late;
}

bool counter_unheard(void)
{
    return passed() >= now.loaded;
}
