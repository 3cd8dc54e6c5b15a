/*
 * The truth, row by row, and the same seen through a method.
 */
#include "view.h"

#include "portable.h"
#include "text.h"

#define CALL_LENGTH 5 /* of a relative call in 64-bit code without prefixes */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

const struct method_view method_views[] = {
    {
        .name = "step",
        .about = "RFLAGS.TF: a stop after every instruction",
        .needs = NEEDS(FACILITY_STEP),
        .stops = true,
        .every_insn = true,
        .blind_handlers = true,
        .event_each = true,
    },
    {
        .name = "btf",
        .about = "TF and DEBUGCTL.BTF: a stop after every taken branch",
        .needs = NEEDS(FACILITY_BTF),
        .stops = true,
        .blind_handlers = true,
        .event_each = true,
    },
    {
        .name = "btf+lbr",
        .about = "the same, with both ends from the newest entry of the LBR stack",
        .needs = NEEDS(FACILITY_BTF) | NEEDS(FACILITY_LBR),
        .blind_handlers = true,
        .event_each = true,
    },
    {
        .name = "lbr",
        .about = "the last branch records: the newest, as many as the stack is deep",
        .needs = NEEDS(FACILITY_LBR),
        .ring_lbr = true,
        .ends_at_db = true,
        .filtered = FILTERED_BY_LBR,
    },
    {
        .name = "bts",
        .about = "the branch trace store: every branch into a buffer in memory",
        .needs = NEEDS(FACILITY_BTS),
        .ring_buffer = true,
        .filtered = FILTERED_BY_BTS,
    },
    {
        .name = "bts-pmi",
        .about = "the same in a small buffer, which an interrupt empties again and again",
        .needs = NEEDS(FACILITY_BTS),
        .drained = true,
    },
    {
        .name = "bts-each",
        .about = "the same with an interrupt for every branch",
        .needs = NEEDS(FACILITY_BTS),
        .drained = true,
        .by_nmi = true,
        .threshold = 2,
        .event_each = true,
    },
    {
        .name = "none",
        .about = "no tracing: what the others cost is told by this",
        .silent = true,
    },
    {
        .name = "tr",
        .about = "DEBUGCTL.TR alone: messages on the bus, and nothing stored",
        .needs = NEEDS(FACILITY_TR),
        .silent = true,
    },
    {
        .name = "lbr-stream",
        .about =
            "the last branch records, read by a counter's interrupt before one is lost",
        .needs = NEEDS(FACILITY_LBR) | NEEDS(FACILITY_PMI),
        .ends_at_db = true,
        .counted = true,
        .by_nmi = true,
        .least_depth = LBR_STREAM_DEPTH_MIN,
    },
    {
        .name = "pmi",
        .about = "a counter's interrupt: a stop at every Nth event, as of taken branches",
        .needs = NEEDS(FACILITY_PMI),
        .stops = true,
        .counted = true,
        .sampled = true,
        .by_nmi = true,
        .event_each = true,
    },
    {
        .name = "ler",
        .about = "the last exception record: the branch before the last event",
        .needs = NEEDS(FACILITY_LER),
        .newest = 1,
        .ends_at_db = true,
        .last_event = true,
    },
    {
        .name = "brs",
        .about = "AMD branch sampling: pieces of the trace, begun by a counter",
        .needs = NEEDS(FACILITY_BRS) | NEEDS(FACILITY_PMI),
        .counted = true,
        .pieces = true,
        .by_nmi = true,
    },
};
const size_t method_view_count = COUNT_OF(method_views);

const struct method_view *view_method(const char *name)
{
    for (size_t i = 0; i < method_view_count; i++)
        if (text_same(method_views[i].name, name))
            return &method_views[i];
    return NULL;
}

/* The limits that come from how a method works; those of the model come behind. */
static const struct method_limit {
    struct limit limit;
    bool stops, every_insn, blind_handlers, records; /* holds for methods of this kind */
    bool ends_at_db, stored, drained, silent, counted, sampled, pieces;
} method_limits[] = {
    { { "no record of anything: branch trace messages go to the bus alone",
        "SDM vol. 3B, \"Branch Trace Messages\"", "stated", LIMIT_OF_ALL },
      .silent = true },
    { { "FROM is not known: a stop tells only where the branch went",
        "SDM vol. 3B, \"Single-Stepping on Branches\"", "stated", LIMIT_OF_ALL },
      .stops = true },
    { { "FROM is the stop before, where the code there is a branch that leads here",
        "common/check.c", "derived", LIMIT_OF_ALL },
      .every_insn = true },
    { { "no entry of a handler and nothing in it: delivering an event clears TF",
        "SDM vol. 3A, \"Flag Usage By Exception- or Interrupt-Handler Procedure\"",
        "stated", LIMIT_OF_ALL },
      .blind_handlers = true },
    { { "no IRET that ends a handler: TF was clear when it began",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived", LIMIT_OF_RESUMING },
      .blind_handlers = true },
    { { "not the branch to which such an IRET returns: there was no stop before it",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived", LIMIT_OF_RESUMING },
      .every_insn = true },
    { { "not the instruction behind MOV SS or POP SS: they hold back the trap",
        "SDM vol. 3A, \"Masking Exceptions and Interrupts When Switching Stacks\"",
        "stated", LIMIT_OF_ALL },
      .every_insn = true },
    { { "nothing behind a POPF that clears TF, but one stop, until one that sets it",
        "SDM vol. 3B, \"Single-Step Exception Condition\"", "derived",
        LIMIT_OF_CLEARED_TF },
      .blind_handlers = true },
    { { "nothing between a SYSCALL that masks TF and the SYSRET that loads it: one leap",
        "AMD64 APM vol. 2, \"Single Stepping\"; Linux, arch/x86/entry/syscall_64.c",
        "stated", LIMIT_OF_ALL },
      .every_insn = true },
    { { "no entry of #DB, and nothing behind one that the workload takes: it turns LBR off",
        "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\"", "stated",
        LIMIT_OF_ALL },
      .ends_at_db = true },
    { { "no entry of #DB, although recording goes on",
        "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\"", "unconfirmed",
        LIMIT_OF_DB },
      .stored = true },
    { { "not the entry and the IRETQ of the interrupts that empty the buffer: taken out",
        "SDM vol. 3B, \"Writing the DS Interrupt Service Routine\"", "stated",
        LIMIT_OF_ALL },
      .drained = true },
    { { "what comes between the threshold and the interrupt finds room only in the buffer",
        "SDM vol. 3B, \"Setting Up the BTS Buffer\"", "stated", LIMIT_OF_ALL },
      .drained = true },
    { { "not the entry and the IRETQ of the counter's interrupts: taken out",
        "SDM vol. 3B, \"Generating an Interrupt on Overflow\"", "stated", LIMIT_OF_ALL },
      .counted = true },
    { { "complete as long as each interrupt finds the IRETQ of the one before in the stack",
        "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording\"", "derived",
        LIMIT_OF_ALL },
      .counted = true },
    { { "a stop where the interrupt struck, which the processor takes some branches late",
        "SDM vol. 3B, \"Generating an Interrupt on Overflow\"", "stated", LIMIT_OF_ALL },
      .sampled = true },
    { { "of taken branches those that the event counts: common/pmu.c has them by processor",
        "common/pmu.c", "derived", LIMIT_OF_ALL },
      .sampled = true },
    { { "pieces alone, each of as many branches in a row as the sampling has entries",
        "Linux, arch/x86/events/amd/brs.c", "stated", LIMIT_OF_ALL },
      .pieces = true },
    { { "not the branch at which the counter begins a piece, nor any between two of them",
        "Linux, arch/x86/events/amd/brs.c", "derived", LIMIT_OF_ALL },
      .pieces = true },
    { { "of the last piece what the sampling still has when the counter is stopped",
        "Linux, arch/x86/events/amd/brs.c", "derived", LIMIT_OF_ALL },
      .pieces = true },
    { { "of INT n FROM is the INT itself, not the address that was pushed",
        "SDM vol. 3C, \"Control Flow Information Packets\"", "stated", LIMIT_OF_ALL },
      .records = true },
    { { "of INT3 and INTO FROM is that itself, although the manual names only INT n",
        "SDM vol. 3C, \"Control Flow Information Packets\"", "unconfirmed", LIMIT_OF_INT3 },
      .records = true },
    { { "of a fault FROM is the instruction that faulted",
        "SDM vol. 3B, \"LBR Stack for Processors Based on Intel NetBurst "
        "Microarchitecture\"",
        "stated", LIMIT_OF_ALL },
      .records = true },
    { { "a repeated string instruction leaves no record of its iterations",
        "no list of branches names it", "derived", LIMIT_OF_STRINGS },
      .records = true },
    { { "of an interrupt FROM is the instruction that would have been next",
        "SDM vol. 3C, \"Control Flow Information Packets\"", "stated", LIMIT_OF_ALL },
      .records = true },
    { { "of one between the rounds of a repeated string instruction it is that one",
        "SDM vol. 2B, \"REP/REPE/REPZ/REPNE/REPNZ\"", "derived", LIMIT_OF_STRUCK },
      .records = true },
};

static const struct limit buffer_limit = {
    "only the newest records, as many as the buffer holds",
    "SDM vol. 3B, \"Setting Up the BTS Buffer\"", "stated", LIMIT_OF_ALL
};

static const struct limit newest_limit = {
    "only so many of the newest records as the method keeps", "common/view.c", "stated",
    LIMIT_OF_ALL
};

static const struct limit offsets_limit = {
    "where the row, LBR_FMT or CPUID says so, both ends as offsets in CS, without its base",
    "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\"; AMD64 APM vol. 2, "
    "\"Control-Transfer Recording MSRs\"",
    "stated", LIMIT_OF_ALL
};

static const struct limit unknown_limit = {
    "nothing: where the records lie is not known for an unknown model", "common/model.c",
    "stated", LIMIT_OF_ALL
};

static const struct limit event_limits[] = {
    { "only the branch before the last interrupt or exception, if there was one",
      "SDM vol. 3B, \"Last Exception Records\"; AMD64 APM vol. 2, \"Control-Transfer "
      "Recording MSRs\"",
      "stated", LIMIT_OF_ALL },
    { "of an event right behind another, the record of that other event",
      "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (P6 Family "
      "Processors)\": copied from the newest record",
      "derived", LIMIT_OF_EVENTS },
};

static bool holds(const struct method_limit *row, const struct method_view *method)
{
    if (row->silent || method->silent)
        return row->silent && method->silent && method->needs;
    if (method->sampled || row->sampled)
        return method->sampled && row->sampled;
    if (row->pieces)
        return method->pieces;
    if (row->counted)
        return method->counted && !method->pieces;
    if (row->drained)
        return method->drained;
    if (row->ends_at_db || row->stored)
        return (row->ends_at_db && method->ends_at_db) ||
               (row->stored && (method->ring_buffer || method->drained));
    if (row->every_insn)
        return method->every_insn;
    if (row->stops)
        return method->stops && !method->every_insn;
    if (row->blind_handlers)
        return method->blind_handlers;
    return row->records && !method->blind_handlers;
}

struct limits {
    struct limit *at;
    size_t count, room;
};

static void add(struct limits *limits, struct limit limit)
{
    if (limits->count < limits->room)
        limits->at[limits->count++] = limit;
}

size_t view_limits(const struct method_view *method, const struct model *model,
                   struct limit *out, size_t room)
{
    struct limits limits = { out, 0, room };

    for (size_t i = 0; i < COUNT_OF(method_limits); i++)
        if (holds(&method_limits[i], method))
            add(&limits, method_limits[i].limit);
    for (size_t i = 0; method->last_event && i < COUNT_OF(event_limits); i++)
        add(&limits, event_limits[i]);
    if (method->newest && !method->last_event)
        add(&limits, newest_limit);
    if (method->ring_buffer)
        add(&limits, buffer_limit);
    if (method->ring_lbr && model)
        add(&limits,
            (struct limit){ "only the newest records, as many as the stack is deep",
                            model->source, model->confidence, LIMIT_OF_ALL });
    if (view_shows_lbr(method) && model)
        add(&limits, offsets_limit);
    if (view_shows_lbr(method) && model)
        add(&limits,
            (struct limit){ "both ends as the row of this model lays the records out",
                            model->source, model->confidence, LIMIT_OF_LAYOUT });
    if (method->ring_lbr && !model)
        add(&limits, unknown_limit);
    return limits.count;
}

/* The truth: rows, and groups of rows that repeat. */

static void truth_rewind(struct source *source)
{
    struct truth *truth = (struct truth *)source;

    truth->row = truth->done = truth->depth = 0;
    truth->given = 0;
    if (truth->workload->packed)
        unpack_begin(truth->unpack, truth->workload->packed,
                     (size_t)truth->workload->packed_size);
}

/* The next transfer of a packed truth. */
static bool unpacked_next(struct truth *truth, struct transfer *out)
{
    const struct log_map map = { .workload = truth->workload,
                                 .workload_at = truth->at,
                                 .call = truth->call,
                                 .back = truth->back };
    struct branch packed, branch;

    if (truth->given == truth->workload->transfers || !unpack_next(truth->unpack, &packed))
        return false;
    truth->given++;
    portable_to(&map, &packed, &branch);
    *out = (struct transfer){ branch.from, branch.to, (enum kind)branch.info };
    return true;
}

/* Passes the marks of groups; false at the end of the rows. */
static bool to_next_row(struct truth *truth)
{
    for (; truth->row < truth->workload->rows; truth->row++) {
        const struct taken *row = &truth->workload->expect[truth->row];

        if (row->kind == ROW_REPEAT && truth->depth < ROW_DEPTH_MAX) {
            truth->group[truth->depth].row = truth->row;
            truth->group[truth->depth++].left = row->times;
        } else if (row->kind == ROW_END && truth->depth > 0) {
            if (truth->group[truth->depth - 1].left-- > 1)
                truth->row = truth->group[truth->depth - 1].row;
            else
                truth->depth--;
        } else if (row->kind < KIND_COUNT && truth->done < row->times) {
            return true;
        } else {
            truth->done = 0;
        }
    }
    return false;
}

static bool truth_next(struct source *source, struct transfer *out)
{
    struct truth *truth = (struct truth *)source;
    const struct taken *row;

    if (truth->workload->packed)
        return unpacked_next(truth, out);
    if (!to_next_row(truth))
        return false;
    row = &truth->workload->expect[truth->row];
    truth->done++;
    out->from = row->from == CALLER ? truth->call : truth->at + (uint64_t)row->from;
    out->to = row->to == CALLER ? truth->back : truth->at + (uint64_t)row->to;
    out->kind = (enum kind)row->kind;
    return true;
}

void truth_of(struct truth *truth, const struct workload *workload, uint64_t at,
              uint64_t call, uint64_t back, struct pack *unpack)
{
    *truth = (struct truth){
        .source = { truth_next, truth_rewind },
        .workload = workload,
        .at = at,
        .call = call,
        .back = back,
        .unpack = unpack,
    };
    truth_rewind(&truth->source);
}

/* The view. */

/* A mark: what an instruction did to who steps. */
static void take_mark(struct view *view, const struct transfer *mark)
{
    view->tf_clear = mark->kind == KIND_TF_CLEARED || mark->kind == KIND_TF_MASKED;
    view->unstopped = BRANCH_UNKNOWN;
    if (mark->kind == KIND_TF_SET || mark->kind == KIND_TF_HELD)
        view->unstopped = mark->to;
    if (mark->kind == KIND_TF_MASKED)
        view->masked = mark->from;
    view->loaded = mark->kind == KIND_TF_LOADED;
}

/*
 * Whether stepping sees this transfer.  An event that resumes where it struck
 * leaves the stop before that instruction in place; any other IRET returns to one
 * before which nothing stopped.
 */
static bool stepping_sees(struct view *view, const struct transfer *transfer)
{
    uint64_t unstopped = view->unstopped;

    if (view->tf_clear)
        return false;
    view->unstopped = BRANCH_UNKNOWN;
    if (transfer->kind == KIND_INT || transfer->kind == KIND_EXC) {
        if (view->in_handler++ == 0) {
            bool stopped = transfer->kind == KIND_EXC && transfer->from != unstopped;

            view->struck = stopped ? transfer->from : BRANCH_UNKNOWN;
        }
        return false;
    }
    if (view->in_handler > 0) {
        if (transfer->kind == KIND_IRET && --view->in_handler == 0)
            view->unstopped = transfer->to == view->struck ? BRANCH_UNKNOWN : transfer->to;
        return false;
    }
    return !view->method->every_insn || transfer->from != unstopped ||
           unstopped == BRANCH_UNKNOWN;
}

/* The ring in which the instruction at this address runs. */
static unsigned ring_at(const struct view *view, uint64_t address)
{
    const struct workload *workload = view->sieve.workload;
    uint64_t offset = address - view->sieve.at;

    if (!workload || offset >= workload->size)
        return 0;
    return part_of(workload, offset)->flags & PART_RING3 ? 3 : 0;
}

static bool left_out(const struct view *view, const struct transfer *t)
{
    const struct sieve *sieve = &view->sieve;
    unsigned ring = ring_at(view, sieve->entered ? t->to : t->from);
    uint32_t by_ring = LEAVES_OUT(ring == 0 ? FILTER_KERNEL : FILTER_USER);

    return sieve->left_out & (by_ring | filter_of_kind(t->kind));
}

static void view_rewind(struct source *source)
{
    struct view *view = (struct view *)source;

    view->of->rewind(view->of);
    view->seen = 0;
    view->in_handler = 0;
    view->tf_clear = view->loaded = view->over = false;
    view->unstopped = view->struck = BRANCH_UNKNOWN;
    view->calls.top = view->calls.count = view->calls.given = 0;
    view->calls.filled = false;
}

/* Whether a record is left of this transfer. */
static bool sees(struct view *view, const struct transfer *transfer)
{
    if (kind_is_mark(transfer->kind)) {
        take_mark(view, transfer);
        return false;
    }
    if (view->method->silent)
        return false;
    if (transfer->kind == KIND_DB) {
        view->over = view->method->ends_at_db;
        return false;
    }
    return !view->over && !left_out(view, transfer) &&
           (!view->method->blind_handlers || stepping_sees(view, transfer));
}

static bool next_seen(struct view *view, struct transfer *out)
{
    while (view->of->next(view->of, out)) {
        bool seen = sees(view, out);

        /* Who stops at each instruction last stopped at the SYSCALL. */
        if (seen && view->loaded && view->method->every_insn)
            out->from = view->masked;
        if (!kind_is_mark(out->kind))
            view->loaded = false;
        if (seen)
            return true;
    }
    return false;
}

static uint64_t call_room(const struct view *view)
{
    return view->keep && view->keep < CALL_STACK_MAX ? view->keep : CALL_STACK_MAX;
}

/*
 * A return takes the newest record away, and a call to the instruction behind it, which
 * no return will match, leaves none.  What an overrun pushed out does not come back; but
 * where a return only moves the pointer, what it passed by is still there, and then
 * stands behind the pointer as if it were older than all others.
 */
static void stack_calls(struct view *view)
{
    const struct transfer none = { 0, 0, KIND_NONE };
    uint64_t room = call_room(view);
    struct transfer t, *at = view->calls.at;

    for (uint64_t i = 0; i < room; i++)
        at[i] = none;
    while (next_seen(view, &t)) {
        if (t.kind == KIND_RET) {
            if (view->sieve.empties)
                at[view->calls.top] = none;
            view->calls.top = (view->calls.top + room - 1) % room;
        } else if (!(t.kind == KIND_CALL && t.to == t.from + CALL_LENGTH)) {
            view->calls.top = (view->calls.top + 1) % room;
            at[view->calls.top] = t;
        }
    }
    while (view->calls.count < room &&
           at[(view->calls.top + room - view->calls.count) % room].kind != KIND_NONE)
        view->calls.count++;
    view->calls.filled = true;
}

/*
 * Of all records the one before the last interrupt or exception; where one event strikes
 * right behind another, that is the other's.
 */
static void find_last_event(struct view *view)
{
    struct transfer newest = { 0, 0, KIND_NONE }, t;

    while (next_seen(view, &t)) {
        bool event = t.kind == KIND_INT || t.kind == KIND_EXC;

        if (event && newest.kind != KIND_NONE) {
            view->calls.at[0] = newest;
            view->calls.count = 1;
        }
        newest = t;
    }
    view->calls.filled = true;
}

static bool next_stacked(struct view *view, struct transfer *out)
{
    uint64_t room = call_room(view);

    if (!view->calls.filled && view->method->last_event)
        find_last_event(view);
    else if (!view->calls.filled)
        stack_calls(view);
    if (view->calls.given == view->calls.count)
        return false;
    view->calls.given++;
    *out = view->calls
               .at[(view->calls.top + room + view->calls.given - view->calls.count) % room];
    return true;
}

static bool view_next(struct source *source, struct transfer *out)
{
    struct view *view = (struct view *)source;

    if (view->sieve.call_stack || view->method->last_event)
        return next_stacked(view, out);
    while (next_seen(view, out))
        if (view->seen++ >= view->skip)
            return true;
    return false;
}

void view_through(struct view *view, struct source *of, const struct method_view *method,
                  uint64_t keep, struct sieve sieve)
{
    struct transfer ignored;

    *view = (struct view){ .source = { view_next, view_rewind },
                           .of = of,
                           .method = method,
                           .keep = keep,
                           .sieve = sieve };
    view_rewind(&view->source);
    if (keep == 0 || sieve.call_stack || method->last_event)
        return;
    while (view_next(&view->source, &ignored))
        ;
    view->skip = view->seen > keep ? view->seen - keep : 0;
    view_rewind(&view->source);
}

void view_of(struct view *view, struct source *of, const struct method_view *method,
             uint64_t keep)
{
    view_through(view, of, method, keep, (struct sieve){ 0 });
}

uint64_t view_keep(const struct method_view *method, const struct model *model,
                   uint64_t room)
{
    if (method->newest)
        return method->newest;
    if (method->ring_lbr && model && model->lbr.depth)
        return model->lbr.depth;
    return method->ring_lbr || method->ring_buffer ? room : 0;
}

#define VECTOR_DB  1
#define VECTOR_NMI 2
#define GIB_4      (UINT64_C(1) << 32)

static bool takes(const struct workload *workload, uint32_t vector)
{
    for (uint32_t i = 0; i < workload->stub_count; i++)
        if (workload->stubs[i].vector == vector)
            return true;
    return false;
}

const char *view_excuse_by_nmi(const struct workload *workload)
{
    return takes(workload, VECTOR_NMI)
               ? "it takes NMI itself, by which this method empties its buffer"
               : NULL;
}

/* Half of the stack, less the interrupt's entry and the IRETQ of the one before. */
#define STREAM_OWN 2

uint64_t view_stream_period(uint64_t depth)
{
    return depth > LBR_STREAM_DEPTH_MIN ? depth / 2 - 1 : 1;
}

/* A program takes no exceptions. */
static bool overflows(struct source *truth, uint64_t depth)
{
    uint64_t records = 0, counted = 0;
    struct transfer t;

    while (truth->next(truth, &t)) {
        if (kind_is_mark(t.kind) || t.kind == KIND_DB)
            continue;
        records++;
        counted += t.kind != KIND_EXC;
        if (records + STREAM_OWN > depth)
            return true;
        if (t.kind != KIND_EXC && counted % view_stream_period(depth) == 0)
            records = 0;
    }
    return false;
}

const char *view_excuse_depth(const struct method_view *method,
                              const struct workload *workload, uint64_t depth)
{
    struct truth truth;

    if (!method->least_depth || workload->packed)
        return NULL;
    truth_of(&truth, workload, 0, 0, 0, NULL);
    return overflows(&truth.source, depth)
               ? "more exceptions follow each other than its small stack has room for"
               : NULL;
}

const char *view_excuse(const struct method_view *method, const struct model *model,
                        const struct workload *workload, uint64_t at, uint32_t gets_wrong)
{
    if (workload->flags & gets_wrong)
        return "stock QEMU is known to get this wrong";
    if (workload->flags & WORKLOAD_LOW && at + workload->size > GIB_4)
        return "its far pointers reach only the first 4 GiB, and the image lies above";
    if (takes(workload, STUB_SYSENTER) && !(model && model->sysenter))
        return "SYSENTER in 64-bit mode is not known of this processor";
    if (method->blind_handlers && takes(workload, VECTOR_DB))
        return "it takes #DB itself, by which this method stops";
    if (method->event_each && workload->flags & WORKLOAD_MANY)
        return "it is long, and this method takes an event of its own for each branch";
    return method->by_nmi ? view_excuse_by_nmi(workload) : NULL;
}
