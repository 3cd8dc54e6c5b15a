/*
 * Two sequences side by side, up to the first difference; then a few records of
 * both are looked at, to say what kind of difference it is.
 */
#include "check.h"

#define LOOK      CHECK_LOOK
#define SHIFT_MAX 4 /* up to this many lost or extra records in a row are recognised */

bool transfers_match(const struct transfer *a, const struct transfer *b)
{
    return a->to == b->to &&
           (a->from == b->from || a->from == BRANCH_UNKNOWN || b->from == BRANCH_UNKNOWN);
}

/* The next records of one side, the different one first; fewer than LOOK at its end. */
struct lookahead {
    struct transfer at[LOOK];
    size_t count;
};

static void look(struct lookahead *ahead, bool ended, const struct transfer *first,
                 struct source *source)
{
    ahead->count = 0;
    if (ended)
        return;
    ahead->at[ahead->count++] = *first;
    while (ahead->count < LOOK && source->next(source, &ahead->at[ahead->count]))
        ahead->count++;
}

/* Counts the records that agree from these places on; LOOK if all of the lookahead do. */
static size_t agreement(const struct lookahead *got, size_t g, const struct lookahead *want,
                        size_t w)
{
    size_t agreed = 0;
    bool got_over, want_over;

    if (g > got->count || w > want->count)
        return 0;
    while (g < got->count && w < want->count) {
        if (!transfers_match(&got->at[g++], &want->at[w++]))
            return agreed;
        agreed++;
    }
    got_over = g == got->count && got->count < LOOK;
    want_over = w == want->count && want->count < LOOK;
    return got_over == want_over ? LOOK : agreed;
}

static bool exchanged(const struct lookahead *got, const struct lookahead *want)
{
    return got->count > 1 && want->count > 1 &&
           transfers_match(&got->at[0], &want->at[1]) &&
           transfers_match(&got->at[1], &want->at[0]);
}

/* Says which end is wrong where one record took the place of another. */
static enum difference_class replaced(const struct transfer *got,
                                      const struct transfer *want)
{
    if (got->to == want->to)
        return WRONG_FROM;
    if (got->from == want->from || got->from == BRANCH_UNKNOWN ||
        want->from == BRANCH_UNKNOWN)
        return WRONG_TO;
    return WRONG;
}

/* The explanation after which most records agree; of equal ones the simplest. */
static enum difference_class explain(const struct lookahead *got,
                                     const struct lookahead *want, size_t *length)
{
    enum difference_class class = replaced(&got->at[0], &want->at[0]);
    size_t best = agreement(got, 1, want, 1);

    *length = 1;
    /* With no end that is right it is a last guess, not a finding. */
    if (class == WRONG || got->at[0].from == BRANCH_UNKNOWN)
        best = best > 0 ? best - 1 : 0;
    for (size_t shift = 1; shift <= SHIFT_MAX; shift++) {
        size_t lost = agreement(got, 0, want, shift),
               extra = agreement(got, shift, want, 0);

        if (lost > best)
            best = lost, class = LOST, *length = shift;
        if (extra > best)
            best = extra, class = EXTRA, *length = shift;
    }
    if (exchanged(got, want) && agreement(got, 2, want, 2) + 2 > best)
        class = WRONG_ORDER, *length = 2;
    return class;
}

struct difference check(struct source *got, struct source *want)
{
    struct difference d = { .class = SAME };
    struct transfer previous = { BRANCH_UNKNOWN, BRANCH_UNKNOWN, KIND_NONE };
    struct lookahead after_got, after_want;

    for (;; d.index++) {
        d.got_ended = !got->next(got, &d.got);
        d.want_ended = !want->next(want, &d.want);
        d.compared = d.index;
        if (d.got_ended && d.want_ended)
            return d;
        if (d.got_ended || d.want_ended || !transfers_match(&d.got, &d.want))
            break;
        previous = d.got;
    }
    look(&after_got, d.got_ended, &d.got, got);
    look(&after_want, d.want_ended, &d.want, want);
    if (d.got_ended)
        d.class = LOST, d.length = after_want.count;
    else if (d.want_ended)
        d.class = EXTRA, d.length = after_got.count;
    else
        d.class = explain(&after_got, &after_want, &d.length);
    if (d.class == EXTRA && d.got.from == previous.from && d.got.to == previous.to)
        d.class = DOUBLED;
    return d;
}

const char *check_class_name(enum difference_class class)
{
    static const char *const names[] = {
        [SAME] = "same",
        [LOST] = "lost",
        [EXTRA] = "extra",
        [DOUBLED] = "doubled",
        [WRONG_FROM] = "wrong end",
        [WRONG_TO] = "wrong end",
        [WRONG_ORDER] = "wrong order",
        [WRONG] = "wrong",
    };

    return names[class];
}

/* Records as transfers. */

static bool next_record(struct recorded *recorded, struct branch *out)
{
    if (recorded->taken == recorded->count)
        return false;
    *out = recorded->records[recorded->taken++];
    return true;
}

/* The instruction at an address of the workload, if it is a branch. */
static bool branch_at(const struct recorded *recorded, uint64_t address, struct insn *out)
{
    const uint64_t offset = address - recorded->at;
    struct decoded *decoded;

    if (!recorded->decoded || offset >= recorded->workload->size)
        return decode_of(recorded->workload, recorded->at, address, out);
    decoded = &recorded->decoded[offset];
    if (!decoded->known) {
        decoded->is_branch =
            decode_of(recorded->workload, recorded->at, address, &decoded->insn);
        decoded->known = true;
    }
    *out = decoded->insn;
    return decoded->is_branch;
}

/*
 * The branch between two stops, if the instruction at the first one is a branch and
 * was taken.  What an INT n or a fault did lies in a handler, where nothing stops.
 */
static bool stepped(const struct recorded *recorded, const struct branch *before,
                    const struct branch *now, struct transfer *out)
{
    struct insn insn;
    uint64_t next;

    if (!branch_at(recorded, before->to, &insn) || insn.kind == KIND_INT)
        return false;
    *out = (struct transfer){ before->to, now->to, insn.kind };
    if (insn.kind != KIND_JCC)
        return true;
    next = before->to + insn.length;
    /* Taken or not, it leads to the next instruction: only the flags at the stop decide. */
    if (insn.target == next && now->to == next)
        return before->info & STOP_TAKEN;
    return now->to != next;
}

static bool next_stepped(struct recorded *recorded, struct transfer *out)
{
    struct branch before, now;

    while (next_record(recorded, &now)) {
        before = recorded->before;
        recorded->before = now;
        if (!recorded->stopped) { /* the first stop: the call has led here */
            recorded->stopped = true;
            *out = (struct transfer){ recorded->call, now.to, KIND_ICALL };
            return true;
        }
        if (stepped(recorded, &before, &now, out))
            return true;
    }
    return false;
}

static enum kind kind_of(const struct recorded *recorded, const struct branch *record)
{
    struct insn insn;

    if (record->from == BRANCH_UNKNOWN || recorded->kinds_unasked)
        return KIND_NONE;
    if (record->from == recorded->call)
        return KIND_ICALL;
    return branch_at(recorded, record->from, &insn) ? insn.kind : KIND_EXC;
}

/* The CS base of the code at an address; 0 outside of the workload. */
static uint32_t base_at(const struct recorded *recorded, uint64_t address)
{
    uint64_t offset = address - recorded->at;

    return offset < recorded->workload->size ? part_of(recorded->workload, offset)->base
                                             : 0;
}

static uint64_t linear(const struct recorded *recorded, uint64_t end)
{
    uint32_t with_base = (uint32_t)(end + PART_BASE);

    if (end >> 32) /* not of code with 32 bits, or not known */
        return end;
    return base_at(recorded, with_base) || base_at(recorded, end) ? with_base : end;
}

/*
 * Returns the branch of a record whose FROM is the first instruction of a fused pair, or
 * FROM as it is.  Only conditional jumps fuse: decode.h.  Linux finds the branch
 * likewise: arch/x86/events/utils.c, branch_type_fused().
 */
static uint64_t unfused(struct recorded *recorded, const struct branch *record)
{
    const struct workload *workload = recorded->workload;
    uint64_t offset = record->from - recorded->at;
    struct insn branch;
    uint8_t length;

    if (offset >= workload->size)
        return record->from;
    length = decode_fusible(part_of(workload, offset), workload->code + offset,
                            workload->size - (size_t)offset);
    if (!length || !branch_at(recorded, record->from + length, &branch) ||
        branch.kind != KIND_JCC || branch.target != record->to)
        return record->from;
    recorded->fused++;
    return record->from + length;
}

static bool recorded_next(struct source *source, struct transfer *out)
{
    struct recorded *recorded = (struct recorded *)source;
    struct branch record;

    if (recorded->method->every_insn)
        return next_stepped(recorded, out);
    if (!next_record(recorded, &record))
        return false;
    if (recorded->offsets) {
        record.from = linear(recorded, record.from);
        record.to = linear(recorded, record.to);
    }
    if (recorded->has_fused)
        record.from = unfused(recorded, &record);
    *out = (struct transfer){ record.from, record.to, kind_of(recorded, &record) };
    if (!recorded->method->stops && record.from == BRANCH_UNKNOWN)
        out->from = BRANCH_MISSING;
    return true;
}

static void recorded_rewind(struct source *source)
{
    struct recorded *recorded = (struct recorded *)source;

    recorded->taken = 0;
    recorded->stopped = false;
    recorded->fused = 0;
}

void recorded_of(struct recorded *recorded, const struct branch *records, size_t count,
                 const struct method_facts *method, const struct workload *workload,
                 uint64_t at, uint64_t call)
{
    *recorded = (struct recorded){
        .source = { recorded_next, recorded_rewind },
        .records = records,
        .count = count,
        .method = method,
        .workload = workload,
        .at = at,
        .call = call,
    };
}

static bool has_base(const struct workload *workload)
{
    for (uint32_t i = 0; i < workload->part_count; i++)
        if (workload->parts[i].base)
            return true;
    return false;
}

void recorded_on(struct recorded *recorded, const struct model *model,
                 const struct cpu_id *id)
{
    recorded->offsets = method_shows_lbr(recorded->method) &&
                        model_lbr_offsets(model, id) && has_base(recorded->workload);
    recorded->has_fused = method_fuses_on(recorded->method, model);
}
