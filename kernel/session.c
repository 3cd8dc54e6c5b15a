/* session.h */
#include "session.h"

#include "machine.h"
#include "pmi_gate.h"
#include "put.h"
#include "screen.h"
#include "serial.h"
#include "sink.h"
#include "text.h"
#include "workloads.h"

#define STACK_SIZE (256 * 1024ull) /* the firmware asks for half, and saves logs on it */
#define LOG_LEAST  (4 * 1024 * 1024ull)
#define LOG_SHARE  4 /* of the memory given: thousands of runs make a long log */
#define PACKED_SIZE \
    (1024 * 1024ull) /* of one run, and of a workload's runs that are kept */

/* The memory taken in any case, each piece in pages of its own. */
#define PAGES(bytes)  (((bytes) + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE)
#define BUNDLES_SIZE  (BUNDLE_FILES_MAX * 2 * PAGES(BUNDLE_BYTES_MAX + PAGE_SIZE))
#define MACHINE_SIZE  (128 * PAGE_SIZE) /* stacks, and tables of a few regions */
#define RECORDS_LEAST (BTS_RECORDS * sizeof(struct branch))
_Static_assert(BUNDLES_SIZE + STACK_SIZE + PAGES(SCREEN_CELLS_SIZE) + MACHINE_SIZE +
                       LOG_LEAST + SCREEN_SIZE + CONSOLE_SIZE + PAGES(sizeof(struct pack)) +
                       2 * PACKED_SIZE + PAGE_SIZE + RECORDS_LEAST + PAGE_SIZE +
                       RECORDS_LEAST <=
                   KERNEL_MEMORY_LEAST,
               "no memory_take() of these panics");

static void take_buffers(struct session *s)
{
    uint64_t share = memory_left(&s->memory) / LOG_SHARE;
    uint64_t log_size = share < LOG_LEAST ? LOG_LEAST : share;
    s->log = memory_take_unzeroed(&s->memory, log_size);
    sink_init(s->log, log_size);
    s->screen = memory_take(&s->memory, SCREEN_SIZE);
    s->console = memory_take(&s->memory, CONSOLE_SIZE);
    s->packing.state = memory_take(&s->memory, sizeof *s->packing.state);
    s->packing.bytes = memory_take(&s->memory, PACKED_SIZE);
    s->packing.capacity = PACKED_SIZE;
    s->packing.kept = memory_take(&s->memory, PACKED_SIZE);
    s->packing.kept_capacity = PACKED_SIZE;
    worker_take_buffers(&s->bsp, &s->memory, &s->handoff->options);
}

void session_begin(struct session *s, const struct handoff *handoff)
{
    s->handoff = handoff;
    s->memory = (struct memory){ handoff->memory, handoff->memory_size, 0 };
    workloads_load(&s->memory, handoff->bundles, handoff->bundle_count,
                   handoff->bundles_left_out);
    s->logged = memory_take(&s->memory, workloads_count() * sizeof *s->logged);
    s->stack = (uint64_t)memory_take(&s->memory, STACK_SIZE) + STACK_SIZE;
    serial_find(&handoff->serial_ports);
    screen_init(&handoff->framebuffer, memory_take(&s->memory, SCREEN_CELLS_SIZE));
    machine_prepare(&s->memory, handoff->processors.trampoline);
}

void session_share(struct session *s)
{
    take_buffers(s);
    put_records_init(&s->packing);
    if (s->handoff->by_command)
        sink_hold(); /* the console may be on the same line */
}

static void take(struct session *s)
{
    serial_init(); /* from here on a panic is heard */
    machine_take();
    worker_stop_recorders(&s->bsp);
}

static void give_back(struct session *s)
{
    pmi_gate_outlast_nmis(s->handoff->tsc_hz);
    worker_restore_recorders(&s->bsp);
    machine_give_back();
    serial_restore();
}

struct job {
    struct session *session;
    void (*work)(struct session *);
};

static void on_own_stack(void *argument)
{
    const struct job *piece = argument;
    take(piece->session);
    piece->work(piece->session);
    give_back(piece->session);
}

void session_borrow(struct session *s, void (*work)(struct session *))
{
    /* Not on the caller's stack: the kernel's own page tables do not map that one. */
    static struct job piece;
    piece = (struct job){ s, work };
    machine_on_stack(s->stack, on_own_stack, &piece);
}

static void try_step(void *step)
{
    machine_try(*(const enum machine_step *)step);
}

void session_try_taking(struct session *s)
{
    static const char *const subjects[] = {
        [MACHINE_TABLES] = SUBJECT_TAKE "tables",
        [MACHINE_SEGMENTS] = SUBJECT_TAKE "segments",
        [MACHINE_INTERRUPTS] = SUBJECT_TAKE "interrupts",
        [MACHINE_STEPS] = SUBJECT_TAKE "processor",
    };
    static enum machine_step step; /* not on the caller's stack, as in session_borrow() */
    for (step = MACHINE_TABLES; step <= MACHINE_STEPS && s->handoff->checkpoint; step++) {
        serial_init();
        emit_try(subjects[step]);
        serial_restore();
        s->handoff->checkpoint(s->log, sink_size());
        if (step < MACHINE_STEPS)
            machine_on_stack(s->stack, try_step, &step);
    }
}

void session_cycle(struct session *s)
{
    give_back(s);
    take(s);
}

/* Once: who reads along on the serial line should know, and a person at the screen. */
static void say_lost(struct session *s, const char *why)
{
    char buffer[128];
    struct text out = text_into(buffer, sizeof buffer);
    if (s->lost)
        return;
    s->lost = true;
    text_join(&out, "this log is not saved: ", why);
    emit_note(buffer);
}

bool session_checkpoint(struct session *s)
{
    if (!s->handoff->checkpoint)
        return false;
    give_back(s);
    const char *log_error = s->handoff->checkpoint(s->log, sink_size());
    take(s);
    if (log_error)
        say_lost(s, log_error);
    return !log_error;
}

const char *session_try(struct session *s, const char *subject)
{
    const char *died = history_of(&s->history, subject);
    if (died)
        return died;
    emit_try(subject);
    session_checkpoint(s);
    s->saved_for_all_runs = false;
    return NULL;
}
