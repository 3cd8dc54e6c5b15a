/*
 * Holds the transfers that the observer saw against the log of the same boot.
 *
 *      compare LOG OBSERVED    exit 0 all agree, 1 a difference, 2 unusable input
 *
 * Every run of the log that came to its end is looked at twice: what ran must be the
 * expectation of its workload, and the method must have recorded what ran, as far as
 * it can see.  Windows of the kernel's own probes are passed over: what they call is
 * no workload of the log.
 *
 * The observer cannot see a taken conditional branch to the next instruction.  Such
 * branches are left out on both sides; where a method does not know FROM, whatever
 * leads to the target of one.
 *
 * One thing runs otherwise when it is stepped: STI; HLT with an interrupt waiting.  The
 * stop between the two ends what STI holds back, so that the interrupt strikes before HLT
 * and not after it (derived; docs/questions.md, question 10).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "exit_code.h"
#include "heap.h"
#include "read.h"
#include "sample.h"
#include "records.h"

/* Equal transfers in a row, as a line has them. */
struct seen {
    uint64_t from, to, times;
};

struct window {
    size_t line; /* of `window` */
    struct seen *seen;
    size_t count, capacity;
    bool closed;
};

struct observed {
    const char *name;
    size_t line;
    struct window *windows;
    size_t count, capacity;
};

static _Noreturn void unusable(const char *name, size_t line, const char *what)
{
    if (line > 0)
        fprintf(stderr, "%s:%zu: %s\n", name, line, what);
    else
        fprintf(stderr, "%s: %s\n", name, what);
    exit(EXIT_UNUSABLE);
}

/* --- reading what the observer wrote ---------------------------------------------- */

/* A number, and what must follow it; false where the text is otherwise. */
static bool number(char **at, int base, const char *after, uint64_t *out)
{
    char *end;

    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *out = strtoull(*at, &end, base);
    if (errno || strncmp(end, after, strlen(after)) != 0)
        return false;
    *at = end + strlen(after);
    return true;
}

static struct window *read_window(struct observed *observed, char *rest)
{
    uint64_t n;

    if (!number(&rest, 10, "", &n) || *rest || n != observed->count + 1)
        unusable(observed->name, observed->line, "want `window` and the next number");
    observed->windows = grow(observed->windows, &observed->capacity, observed->count,
                             sizeof(*observed->windows));
    observed->windows[observed->count] = (struct window){ .line = observed->line };
    return &observed->windows[observed->count++];
}

static void read_seen(struct observed *observed, struct window *window, char *line)
{
    struct seen seen;

    if (strncmp(line, "0x", 2) != 0 || !number(&line, 16, " 0x", &seen.from))
        unusable(observed->name, observed->line, "want 0xFROM 0xTO xN");
    line -= 2;
    if (!number(&line, 16, " x", &seen.to) || !number(&line, 10, "", &seen.times) ||
        *line || seen.times == 0)
        unusable(observed->name, observed->line, "want 0xFROM 0xTO xN");
    window->seen =
        grow(window->seen, &window->capacity, window->count, sizeof(*window->seen));
    window->seen[window->count++] = seen;
}

/* A line inside a window; `window` becomes NULL where it ends. */
static void read_inside(struct observed *observed, struct window **window, char *line)
{
    bool closed = strcmp(line, "closed") == 0;

    if (!closed && strcmp(line, "left") != 0) {
        read_seen(observed, *window, line);
        return;
    }
    (*window)->closed = closed;
    *window = NULL;
}

/* A line between windows; whether it was the last one. */
static bool read_between(struct observed *observed, struct window **window, char *line)
{
    uint64_t n;

    if (strncmp(line, "window ", 7) == 0) {
        *window = read_window(observed, line + 7);
        return false;
    }
    if (strncmp(line, "end ", 4) != 0)
        unusable(observed->name, observed->line, "want `window N` or `end N`");
    line += 4;
    if (!number(&line, 10, "", &n) || *line || n != observed->count)
        unusable(observed->name, observed->line, "want the number of windows");
    return true;
}

static void read_observed(struct observed *observed)
{
    FILE *file = fopen(observed->name, "r");
    char *line = NULL;
    size_t capacity = 0;
    struct window *window = NULL;
    bool ended = false;
    ssize_t length;

    if (!file)
        unusable(observed->name, 0, strerror(errno));
    while ((length = getline(&line, &capacity, file)) >= 0) {
        observed->line++;
        if (ended)
            unusable(observed->name, observed->line, "want nothing after `end`");
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (observed->line == 1 && strcmp(line, "observer 1") != 0)
            unusable(observed->name, 1, "want `observer 1`");
        else if (window)
            read_inside(observed, &window, line);
        else if (observed->line > 1)
            ended = read_between(observed, &window, line);
    }
    if (ferror(file) || !ended)
        unusable(observed->name, observed->line, "want `end`: it was cut short");
    free(line);
    fclose(file);
}

/* --- sources of transfers --------------------------------------------------------- */

/* What ran in a window, each transfer with its kind. */
struct ran {
    struct source source;
    const struct window *window;
    const struct loaded *loaded;
    uint64_t call;
    size_t at;
    uint64_t given;
    bool returned; /* the IRETQ of two transfers that are one was given */
};

#define VECTOR_DB       1
#define VECTOR_NMI      2
#define FIRST_INTERRUPT 32

/* The stub that lies there, or NULL. */
static const struct stub *stub_at(const struct loaded *loaded, uint64_t address)
{
    for (uint32_t i = 0; i < loaded->own->stub_count; i++)
        if (loaded->at + loaded->own->stubs[i].offset == address)
            return &loaded->own->stubs[i];
    return NULL;
}

static enum kind kind_of(const struct ran *ran, const struct seen *seen)
{
    const struct stub *stub = stub_at(ran->loaded, seen->to);
    struct insn insn;

    if (seen->from == ran->call)
        return KIND_ICALL;
    if (stub && stub->vector == VECTOR_DB)
        return KIND_DB;
    if (!decode_of(ran->loaded->own, ran->loaded->at, seen->from, &insn))
        return KIND_EXC;
    /* Only an event leads to a handler, whatever instruction it struck; or SYSCALL or
     * SYSENTER. */
    return insn.kind != KIND_INT && stub && stub->vector < STUB_SYSCALL ? KIND_EXC
                                                                        : insn.kind;
}

/* What the instruction does from which it led there; none: it is no branch. */
static enum kind insn_kind(const struct ran *ran, const struct seen *seen)
{
    struct insn insn;

    return decode_of(ran->loaded->own, ran->loaded->at, seen->from, &insn) ? insn.kind
                                                                           : KIND_NONE;
}

/* Whether it was an interrupt: one strikes between two instructions. */
static bool by_interrupt(const struct ran *ran, const struct seen *seen)
{
    const struct stub *stub = stub_at(ran->loaded, seen->to);

    return stub && insn_kind(ran, seen) != KIND_INT &&
           (stub->vector == VECTOR_NMI ||
            (stub->vector >= FIRST_INTERRUPT && stub->vector < STUB_SYSCALL));
}

/*
 * Where the interrupt struck by which the transfer at this index entered its handler.
 * What ran before it is seen, and not what would have been next; but its IRETQ leads
 * there, or to where the next interrupt strikes at once, and then that one's does.
 */
static uint64_t struck(const struct ran *ran, size_t at)
{
    size_t depth = 1;

    while (++at < ran->window->count) {
        const struct seen *seen = &ran->window->seen[at];
        enum kind kind = kind_of(ran, seen);

        if (by_interrupt(ran, seen) && insn_kind(ran, seen) == KIND_IRET)
            continue; /* out of one handler and into another */
        depth += kind == KIND_INT || kind == KIND_EXC || kind == KIND_DB;
        depth -= kind == KIND_IRET;
        if (depth == 0)
            return seen->to;
    }
    return BRANCH_UNKNOWN;
}

/* An IRETQ after which an interrupt struck before anything ran is seen as one transfer. */
static bool half_of_two(struct ran *ran, const struct seen *seen, struct transfer *out)
{
    uint64_t at = struck(ran, ran->at);

    *out = (struct transfer){ at, seen->to, KIND_EXC };
    ran->returned = !ran->returned && insn_kind(ran, seen) == KIND_IRET;
    if (ran->returned)
        *out = (struct transfer){ seen->from, at, KIND_IRET };
    return ran->returned;
}

static bool ran_next(struct source *source, struct transfer *out)
{
    struct ran *ran = (struct ran *)source;
    const struct seen *seen;

    if (ran->at == ran->window->count)
        return false;
    seen = &ran->window->seen[ran->at];
    *out = (struct transfer){ seen->from, seen->to, kind_of(ran, seen) };
    if (by_interrupt(ran, seen) && half_of_two(ran, seen, out))
        return true;
    if (++ran->given == seen->times) {
        ran->at++;
        ran->given = 0;
    }
    return true;
}

static void ran_rewind(struct source *source)
{
    struct ran *ran = (struct ran *)source;

    ran->at = 0;
    ran->given = 0;
    ran->returned = false;
}

/* A source without what the observer cannot see. */
struct observable {
    struct source source;
    struct source *of;
    const struct loaded *loaded;
    bool by_target; /* FROM is not known on one of the sides */
    bool stepped; /* it is an expected trace, of what ran while each instruction was stopped
                     at */
};

#define HLT 0xf4

/* The place before HLT for the one after it. */
static void to_hlt(const struct loaded *loaded, uint64_t *end)
{
    uint64_t offset = *end - loaded->at;

    if (offset > 0 && offset <= loaded->own->size && loaded->own->code[offset - 1] == HLT)
        --*end;
}

/* Where the interrupt strikes, and where its handler goes back to. */
static void strike_before_hlt(const struct loaded *loaded, struct transfer *out)
{
    if (out->kind == KIND_EXC)
        to_hlt(loaded, &out->from);
    if (out->kind == KIND_IRET)
        to_hlt(loaded, &out->to);
}

/* Whether a row is a taken conditional branch to the next instruction. */
static bool hidden_row(const struct workload *workload, const struct taken *row)
{
    struct insn insn;

    return row->kind == KIND_JCC && row->from >= 0 &&
           decode_of(workload, 0, (uint64_t)row->from, &insn) &&
           row->to == row->from + insn.length;
}

static bool hidden(const struct observable *observable, const struct transfer *transfer)
{
    const struct workload *own = observable->loaded->own;
    uint64_t at = observable->loaded->at;

    for (uint32_t i = 0; i < own->rows; i++) {
        const struct taken *row = &own->expect[i];

        if (transfer->to == at + (uint64_t)row->to &&
            (observable->by_target || transfer->from == at + (uint64_t)row->from) &&
            hidden_row(own, row))
            return true;
    }
    return false;
}

/* Marks are not transfers either. */
static bool observable_next(struct source *source, struct transfer *out)
{
    struct observable *observable = (struct observable *)source;

    while (observable->of->next(observable->of, out))
        if (!kind_is_mark(out->kind) && !hidden(observable, out)) {
            if (observable->stepped)
                strike_before_hlt(observable->loaded, out);
            return true;
        }
    return false;
}

static void observable_rewind(struct source *source)
{
    struct observable *observable = (struct observable *)source;

    observable->of->rewind(observable->of);
}

static struct observable observable_of(struct source *of, const struct loaded *loaded,
                                       bool by_target)
{
    return (struct observable){
        { observable_next, observable_rewind }, of, loaded, by_target, false
    };
}

/*
 * What ran, with the marks of the expected trace where they belong: who watches
 * instructions does not see TF.  That it ran as the expected trace has it is another claim
 * of this program.
 */
struct marked {
    struct source source;
    struct source *ran;
    struct expected expected;
    const struct loaded *loaded;
};

static bool marked_next(struct source *source, struct transfer *out)
{
    struct marked *marked = (struct marked *)source;
    const struct observable all = { .loaded = marked->loaded };

    while (marked->expected.source.next(&marked->expected.source, out)) {
        if (kind_is_mark(out->kind))
            return true;
        if (!hidden(&all, out))
            break;
    }
    return marked->ran->next(marked->ran, out);
}

static void marked_rewind(struct source *source)
{
    struct marked *marked = (struct marked *)source;

    marked->ran->rewind(marked->ran);
    marked->expected.source.rewind(&marked->expected.source);
}

static uint64_t count_of(struct source *source)
{
    struct transfer ignored;
    uint64_t count = 0;

    while (source->next(source, &ignored))
        count++;
    source->rewind(source);
    return count;
}

/* --- comparing -------------------------------------------------------------------- */

struct comparison {
    const struct log *log;
    const struct observed *observed;
    const struct window *window;
    const struct run *run;
};

static void print_side(const struct log_map *map, bool ended,
                       const struct transfer *transfer)
{
    char *text = ended ? NULL : transfer_text(map, transfer);

    printf("%s", text ? text : "the end");
    free(text);
}

/* The place, and who is at fault: "observed.txt:12: step loop: ...". */
static void at_fault(const struct comparison *c, const char *who)
{
    printf("%s:%zu: %s %s: %s", c->observed->name, c->window->line, c->run->method->name,
           c->run->workload->own->name, who);
}

static bool agree(const struct comparison *c, const char *who, struct source *got,
                  struct source *want)
{
    struct log_map map = map_of(c->log, c->run->workload);
    struct difference d = check(got, want);

    if (d.class == SAME)
        return true;
    at_fault(c, who);
    printf(": record %" PRIu64 " (%s): got ", d.index + 1, check_class_name(d.class));
    print_side(&map, d.got_ended, &d.got);
    printf(", want ");
    print_side(&map, d.want_ended, &d.want);
    printf("\n");
    return false;
}

static bool ran_as_expected(const struct comparison *c, struct ran *ran)
{
    static struct pack unpack;
    struct expected expected;
    struct observable want;

    expected_of(&expected, c->run->workload->own, c->run->workload->at,
                c->log->machine.caller.call, c->log->machine.caller.back, &unpack);
    want = observable_of(&expected.source, c->run->workload, false);
    want.stepped = c->run->method->every_insn;
    return agree(c, "what ran is not what is expected", &ran->source, &want.source);
}

static bool recorded_as_it_ran(const struct comparison *c, struct ran *ran)
{
    const struct method_facts *method = c->run->method;
    bool ring = method_is_ring(method);
    bool by_target = method->stops && !method->every_insn;
    static struct pack unpack;
    struct recorded got;
    struct marked marked = {
        .source = { marked_next, marked_rewind },
        .ran = &ran->source,
        .loaded = c->run->workload,
    };
    struct visible visible;
    struct sampled sampled;
    struct observable recorded, want;
    uint64_t keep = 0;

    recorded =
        observable_of(transfers_of(&got, c->log, c->run), c->run->workload, by_target);
    /* A ring that is full has room for fewer of the observable ones where it holds others.
     */
    if (ring && c->run->records >= c->run->capacity) {
        keep = count_of(&recorded.source);
        if (keep == 0 && method->last_event)
            return true; /* that event's branch is none of those that are seen here */
        if (keep == 0) {
            at_fault(c, "got nothing in the ring that the observer can see\n");
            return false;
        }
    }
    expected_of(&marked.expected, c->run->workload->own, c->run->workload->at,
                c->log->machine.caller.call, c->log->machine.caller.back, &unpack);
    marked_rewind(&marked.source);
    visible_of(&visible, c->run->workload->own->packed ? &ran->source : &marked.source,
               method, keep);
    if (method->sampled) {
        const struct sampling how =
            sampling_of(counted_event(c->run), c->run->asked.period);
        if (!how.countable) /* branches not taken count too, of which the observer knows
                             * none
                             */
            return true;
        sampled_of(&sampled, &visible.source, &how);
    }
    want = observable_of(method->sampled ? &sampled.source : &visible.source,
                         c->run->workload, by_target);
    return agree(c, "what was recorded is not what ran", &recorded.source, &want.source);
}

/* The next window that calls a workload, from *at on; NULL: there is none. */
static const struct window *next_window(const struct log *log,
                                        const struct observed *observed, size_t *at)
{
    while (*at < observed->count) {
        const struct window *window = &observed->windows[(*at)++];

        for (size_t i = 0; window->count > 0 && i < log->workload_count; i++)
            if (window->seen[0].to == log->workloads[i]->at)
                return window;
    }
    return NULL;
}

static bool compare_run(const struct comparison *c)
{
    struct ran ran = {
        .source = { ran_next, ran_rewind },
        .window = c->window,
        .loaded = c->run->workload,
        .call = c->log->machine.caller.call,
    };
    bool good;

    if (c->run->ran.outcome != ENDED || !c->window->closed) {
        at_fault(c, "did not come to its end\n");
        return false;
    }
    if (c->window->seen[0].to != c->run->workload->at) {
        at_fault(c, "another workload ran than the log says\n");
        return false;
    }
    good = ran_as_expected(c, &ran);
    if (c->run->method
            ->sampled_windows) /* what is not observable here would shorten them */
        return good;
    return recorded_as_it_ran(c, &ran) && good;
}

static int compare(const struct log *log, const struct observed *observed)
{
    size_t at = 0, compared = 0, different = 0;
    struct comparison c = { .log = log, .observed = observed };

    for (size_t i = 0; i < log->run_count; i++) {
        c.run = &log->runs[i];
        if (c.run->skipped)
            continue;
        c.window = next_window(log, observed, &at);
        if (!c.window) {
            printf("%s: got %zu windows of workloads, want one for %s:%zu: run n=%zu\n",
                   observed->name, compared, log->name, c.run->line, c.run->number);
            return EXIT_DIFFERENT;
        }
        compared++;
        different += !compare_run(&c);
    }
    c.window = next_window(log, observed, &at);
    if (c.window) {
        printf("%s:%zu: got a window more than the %zu runs of %s\n", observed->name,
               c.window->line, compared, log->name);
        return EXIT_DIFFERENT;
    }
    if (compared == 0)
        unusable(log->name, 0, "no run to compare");
    printf("%zu runs, %zu of them different\n", compared, different);
    return different ? EXIT_DIFFERENT : EXIT_AS_EXPECTED;
}

int main(int argc, char **argv)
{
    struct log log = { 0 };
    struct observed observed = { 0 };

    if (argc != 3) {
        fprintf(stderr, "usage: compare LOG OBSERVED\n");
        return EXIT_UNUSABLE;
    }
    log_read(&log, argv[1]);
    if (log.log_error)
        unusable(log.name, log.error_line, log.log_error);
    observed.name = argv[2];
    read_observed(&observed);
    return compare(&log, &observed);
}
