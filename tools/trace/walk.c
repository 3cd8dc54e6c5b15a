/*
 * Each record is compared with the code: from TO of the record before it, the instructions
 * must lead to its FROM without a branch that is always taken.  Most ranges come
 * repeatedly, so ranges are cached by their ends.
 */
#include "walk.h"

#include <stdlib.h>

#include "filter.h"
#include "heap.h"
#include "records.h"

static const struct transfer nowhere = { BRANCH_UNKNOWN, BRANCH_UNKNOWN, KIND_NONE };

const char *gap_text(enum gap gap)
{
    static const char *const texts[GAPS] = {
        [GAP_OLDER] = "what ran earlier is not recorded",
        [GAP_UNRECORDED] = "what ran between is not known: a record is missing",
        [GAP_FILTERED] = "what ran between is not known: such branches are not recorded",
        [GAP_AMBIGUOUS] = "what ran between is not known: several branches lead there",
        [GAP_HANDLER] = "what ran between is not known: a handler, and what it returned to",
        [GAP_SAMPLED] = "what ran between is not recorded: these are samples",
        [GAP_NO_CODE] = "what ran there is not known: the log has no code of it",
        [GAP_NEWER] = "what ran after it is not recorded",
    };

    return texts[gap] ? texts[gap] : "";
}

/* True for instructions that always enter a handler; for INTO only a record can tell. */
static bool is_event(const struct code_insn *insn)
{
    return (insn->kind == KIND_INT && !insn->perhaps) || insn->faulter;
}

/* True if only this instruction's own branch can follow it. */
static bool never_goes_on(const struct walk *walk, const struct code_insn *insn)
{
    if (is_event(insn))
        return !walk->run || !walk->run->method->blind_handlers;
    return insn->kind != KIND_NONE && insn->kind != KIND_JCC && !insn->perhaps;
}

static bool can_cross(const struct code_insn *insn)
{
    return insn->kind == KIND_INT || insn->kind == KIND_IRET || insn->kind == KIND_FAR;
}

static bool is_hidden(struct walk *walk, const struct code_insn *insn)
{
    const struct loaded *loaded;
    bool outside;

    if (insn->kind == KIND_NONE)
        return false;
    if (walk->hidden >> insn->kind & 1 || !walk->hidden_rings)
        return walk->hidden >> insn->kind & 1;
    loaded = code_owner(walk->code, insn->at);
    outside = part_of(loaded->own, insn->at - loaded->at)->flags & PART_RING3;
    return walk->hidden_rings >> outside & 1 || (walk->hides_crossing && can_cross(insn));
}

/* Appends an instruction to the range. */
static void take(struct range *range, const struct code_insn *insn)
{
    range->last = insn->at;
    range->insns++;
    range->jccs += insn->kind == KIND_JCC;
}

/* True for the kernel's handlers, to which no workload jumps, except the way out. */
static bool in_kernel(const struct walk *walk, uint64_t to)
{
    return to - walk->log->machine.image.base < walk->log->machine.image.size &&
           to != walk->log->machine.caller.back && !code_at(walk->code, to);
}

bool walk_can_lead(const struct code_insn *insn, uint64_t to)
{
    return insn->kind != KIND_NONE && (!insn->direct || to == insn->target);
}

/* True if this instruction itself, and not an event, can make this transfer. */
static bool can_lead(const struct walk *walk, const struct code_insn *insn, uint64_t to)
{
    if (to == BRANCH_FILTERED)
        return can_cross(insn);
    if (!walk_can_lead(insn, to))
        return false;
    if (insn->direct)
        return true;
    if (in_kernel(walk, to))
        return false;
    /* A handler of an event is no target of jumps; of SYSCALL it is. */
    return insn->kind == KIND_INT || insn->kind == KIND_FAR ||
           !code_is_stub(walk->run->workload, to);
}

/*
 * From range->first straight on to `from`.  `before`: an event struck before that
 * instruction.  Otherwise false, with *gap.
 */
static bool straight_to(struct walk *walk, uint64_t from, bool before, struct range *range,
                        enum gap *gap)
{
    const struct code_insn *insn;

    *gap = GAP_UNRECORDED;
    for (uint64_t at = range->first; (insn = code_at(walk->code, at));
         at = code_next(insn)) {
        if (at == from) {
            if (!before)
                take(range, insn);
            return true;
        }
        if (is_hidden(walk, insn)) {
            *gap = GAP_FILTERED;
            return false;
        }
        if (never_goes_on(walk, insn))
            return false;
        range->unseen += is_event(insn);
        take(range, insn);
    }
    return false;
}

enum gap walk_straight(struct code *code, unsigned hidden, uint64_t first, uint64_t from)
{
    struct walk walk = { .code = code, .hidden = hidden };
    struct range range = { .first = first };
    enum gap gap = GAP_NO_CODE;

    if (!code_at(code, first) || !code_at(code, from))
        return gap;
    if (from < first && !hidden) /* code only runs upwards, so it need not be read */
        return GAP_UNRECORDED;
    return straight_to(&walk, from, false, &range, &gap) ? GAP_NONE : gap;
}

/* Finds the only branch that leads from `at` on to `to`; else returns false with *gap. */
static bool find_from(struct walk *walk, uint64_t at, uint64_t to, uint64_t *from,
                      enum gap *gap)
{
    const struct code_insn *insn;
    size_t found = 0;

    *gap = GAP_UNRECORDED;
    for (; (insn = code_at(walk->code, at)); at = code_next(insn)) {
        if (is_event(insn) && walk->run->method->blind_handlers) {
            *gap = GAP_HANDLER;
            return false;
        }
        if (can_lead(walk, insn, to) && found++ == 0)
            *from = at;
        if (never_goes_on(walk, insn))
            break;
    }
    if (found > 1)
        *gap = GAP_AMBIGUOUS;
    return found == 1;
}

/* Takes only what surely ran: up to the first branch. */
static void up_to_branch(struct walk *walk, struct range *range)
{
    const struct code_insn *insn;

    range->insns = range->jccs = range->unseen = 0;
    for (uint64_t at = range->first; (insn = code_at(walk->code, at));
         at = code_next(insn)) {
        take(range, insn);
        if (insn->kind != KIND_NONE || insn->faulter)
            break;
    }
}

/* Classifies the newest record by the code: an event may strike at a branch. */
static void name_kind(struct walk *walk)
{
    struct transfer *record = &walk->now;
    const struct code_insn *insn = code_at(walk->code, record->from);

    if (!insn)
        record->kind = KIND_NONE;
    else
        record->kind = can_lead(walk, insn, record->to) ? (enum kind)insn->kind : KIND_EXC;
}

static size_t place_of(uint64_t first, const struct transfer *by)
{
    return ((first * 31 + by->from) * 31 + by->to) * UINT64_C(0x9e3779b97f4a7c15) >> 52;
}

/* The cache slot of a range that begins there and that the newest record ends. */
static struct range *kept_at(const struct walk *walk, uint64_t first)
{
    return &walk->kept[place_of(first, &walk->now)];
}
_Static_assert(WALK_KEPT == 1 << 12, "what is left of 64 bits after 52");

/* The range from where the record before led to the newest one, if it came before. */
static bool came_before(struct walk *walk, struct range *out)
{
    const struct range *kept = kept_at(walk, walk->came.to);

    if (kept->first != walk->came.to || kept->by.from != walk->now.from ||
        kept->by.to != walk->now.to || kept->by.kind == KIND_NONE)
        return false;
    walk->now.kind = kept->by.kind;
    *out = *kept;
    return true;
}

/* Connects a range that is not in the cache, if FROM is known. */
static bool connect(struct walk *walk, struct range *out, enum gap *gap)
{
    uint64_t first = walk->came.to;

    *out = (struct range){ .first = first, .last = first, .by = walk->now };
    if (!straight_to(walk, walk->now.from, walk->now.kind == KIND_EXC, out, gap))
        return false;
    *kept_at(walk, first) = *out;
    return true;
}

/* The instruction at FROM of the newest record, which ran whatever was before it. */
static void only_from(struct walk *walk, struct range *out)
{
    const struct code_insn *insn = code_at(walk->code, walk->now.from);

    *out = (struct range){ .first = walk->now.from, .last = walk->now.from };
    if (insn && walk->now.kind != KIND_EXC)
        take(out, insn);
}

/* The newest record is accounted for; the next range begins where it led. */
static bool give(struct walk *walk, struct range *out)
{
    out->came = walk->came;
    out->by = walk->now;
    out->gap = walk->gap;
    walk->came = walk->now;
    walk->gap = walk->now.to == BRANCH_UNKNOWN ? GAP_UNRECORDED : GAP_NONE;
    if (walk->now.to == BRANCH_FILTERED) { /* it led to a ring that is left out */
        out->by.to = walk->came.to = BRANCH_UNKNOWN;
        walk->gap = GAP_FILTERED;
    }
    walk->held = false;
    return true;
}

/*
 * Returns a range whose end is unknown; the newest record is still to be accounted for.
 */
static bool give_open(struct walk *walk, enum gap after, struct range *out)
{
    *out = (struct range){ .first = walk->came.to, .last = walk->came.to };
    up_to_branch(walk, out);
    out->came = walk->came;
    out->by = nowhere;
    out->gap = walk->gap;
    walk->came = nowhere;
    walk->gap = after;
    return true;
}

static bool take_record(struct walk *walk)
{
    struct transfer *now = &walk->now;

    walk->held = walk->got.source.next(&walk->got.source, now);
    if (now->from == BRANCH_MISSING)
        now->from = BRANCH_UNKNOWN;
    return walk->held;
}

/* True if the first record is the window's CALL, which is no instruction of the workload.
 */
static bool is_the_call(const struct walk *walk)
{
    const struct transfer *now = &walk->now;

    return now->from == walk->log->machine.caller.call ||
           (now->from == BRANCH_UNKNOWN && now->to == walk->run->workload->at &&
            !method_is_ring(walk->run->method) && !walk->run->method->sampled);
}

static void begin(struct walk *walk)
{
    walk->state = WALK_IN_RECORDS;
    walk->came = nowhere;
    walk->gap = GAP_OLDER;
    if (!take_record(walk) || !is_the_call(walk))
        return;
    walk->came =
        (struct transfer){ walk->log->machine.caller.call, walk->now.to, KIND_ICALL };
    walk->gap = GAP_NONE;
    walk->held = false;
}

/* FROM and kind of the newest record, if they can be known. */
static bool has_from(struct walk *walk, enum gap *gap)
{
    *gap = walk->run->method->sampled ? GAP_SAMPLED : GAP_UNRECORDED;
    if (walk->run->method->sampled)
        return false;
    if (walk->now.from == BRANCH_FILTERED) { /* it left a ring that is left out */
        *gap = GAP_FILTERED;
        walk->now.from = BRANCH_UNKNOWN;
        return false;
    }
    if (walk->now.from != BRANCH_UNKNOWN) {
        name_kind(walk);
        return true;
    }
    if (walk->now.to == BRANCH_UNKNOWN) /* lbr-stream says so where it lost some */
        return false;
    if (!find_from(walk, walk->came.to, walk->now.to, &walk->now.from, gap)) {
        walk->now.from = BRANCH_UNKNOWN;
        return false;
    }
    name_kind(walk);
    return true;
}

/* Returns the range, or a part of it, that ends in the newest record. */
static bool account(struct walk *walk, struct range *out)
{
    enum gap gap;

    if (came_before(walk, out))
        return give(walk, out);
    if (!has_from(walk, &gap))
        return give_open(walk, gap, out);
    if (came_before(walk, out)) /* a stop, whose FROM is known only now */
        return give(walk, out);
    if (!code_at(walk->code, walk->came.to) && !code_at(walk->code, walk->now.from)) {
        *out = (struct range){ .first = walk->came.to, .last = walk->now.from };
        walk->gap = GAP_NO_CODE;
        return give(walk, out);
    }
    if (!connect(walk, out, &gap))
        return give_open(walk, gap, out);
    return give(walk, out);
}

/* After a gap: false where the newest record only says where the next range begins. */
static bool resume(struct walk *walk, struct range *out)
{
    if (walk->now.from == BRANCH_UNKNOWN || walk->now.from == BRANCH_FILTERED) {
        walk->came = (struct transfer){ BRANCH_UNKNOWN, walk->now.to, KIND_NONE };
        walk->held = false;
        return false;
    }
    name_kind(walk);
    only_from(walk, out);
    return give(walk, out);
}

/* The code after the last record ran up to the crash; without a crash it is unknown. */
static bool finish(struct walk *walk, struct range *out)
{
    uint64_t at = walk->came.to;
    enum gap gap;

    walk->state = WALK_DONE;
    *out = (struct range){
        .first = at, .last = at, .came = walk->came, .by = nowhere, .gap = walk->gap
    };
    if (at ==
        walk->log->machine.caller.back) /* it came back, and perhaps nobody knows how */
        return walk->gap != GAP_NONE;
    *out = (struct range){ .first = at, .last = at };
    if (walk->run->ran.outcome == CRASHED &&
        straight_to(walk, walk->run->crashed_at, true, out, &gap)) {
        walk->now = (struct transfer){ walk->run->crashed_at, BRANCH_UNKNOWN, KIND_EXC };
        return give(walk, out);
    }
    walk->state = WALK_OPEN;
    return at == BRANCH_UNKNOWN ? walk_next(walk, out) : give_open(walk, GAP_NEWER, out);
}

bool walk_next(struct walk *walk, struct range *out)
{
    if (walk->state == WALK_BEGINS)
        begin(walk);
    if (walk->state == WALK_OPEN) {
        walk->state = WALK_DONE;
        *out = (struct range){ .first = BRANCH_UNKNOWN,
                               .last = BRANCH_UNKNOWN,
                               .came = nowhere,
                               .by = nowhere,
                               .gap = GAP_NEWER };
        return true;
    }
    while (walk->state == WALK_IN_RECORDS) {
        if (!walk->held && !take_record(walk))
            return finish(walk, out);
        if (walk->came.to != BRANCH_UNKNOWN)
            return account(walk, out);
        if (resume(walk, out))
            return true;
    }
    return false;
}

void walk_rewind(struct walk *walk)
{
    walk->got.source.rewind(&walk->got.source);
    walk->state = WALK_BEGINS;
    walk->held = false;
}

/* Notes the kinds that the filter leaves out; in call-stack mode, also returns. */
static void hide(struct walk *walk)
{
    struct record_filter record_filter = run_record_filter(walk->run);

    for (enum kind kind = KIND_JCC; kind <= KIND_FAR; kind++)
        if (record_filter.call_stack || filter_of_kind(kind) & record_filter.left_out)
            walk->hidden |= 1u << kind;
    walk->hidden_rings = (record_filter.left_out & LEAVES_OUT(FILTER_KERNEL) ? 1u : 0) |
                         (record_filter.left_out & LEAVES_OUT(FILTER_USER) ? 2u : 0);
    walk->hides_crossing = record_filter.decides == RING_ENTERED;
}

void walk_of(struct walk *walk, const struct log *log, const struct run *run)
{
    *walk = (struct walk){ .code = &walk->of_log, .log = log, .run = run };
    code_of(&walk->of_log, log);
    walk->kept = zeroed(WALK_KEPT, sizeof(*walk->kept));
    transfers_of(&walk->got, log, run);
    walk->got.kinds_unasked = true; /* name_kind() knows more */
    hide(walk);
}

void walk_free(struct walk *walk)
{
    free(walk->kept);
    code_free(&walk->of_log);
}
