/*
 * Last Branch Record (LBR): the processor keeps the newest taken branches in a stack.
 *
 * The model's row says how deep the stack is, where its registers are and what FROM and TO
 * hold.  Delivering #DB turns recording off.  Two properties of processors change a record:
 * Zen 4 and later report a fused pair of instructions by the first of them, and on the
 * Skylake family the newest record is sometimes a copy of the one before it: in 966 of
 * 3,732 stacks that perf recorded on a Xeon 8173M (06_55), and nowhere else in them.
 * llvm-bolt ignores such a copy; no manual mentions it.
 */
#include "rule.h"

#include "hit.h"
#include "visible.h"

#define FUSION_SOURCE \
    "Linux, \"perf/x86/amd/lbr: Use fusion-aware branch classifier\" (AMD, 2022)"

static bool ends_at_db(const struct rule_place *place)
{
    return !place->method->silent && !place->method->sampled && place->method->ends_at_db;
}

static bool is_stack(const struct rule_place *place)
{
    return !place->method->silent && place->method->ring_lbr && place->model;
}

static bool has_fields(const struct rule_place *place)
{
    return !place->method->silent && place->model &&
           (place->method->ring_lbr || place->method->last_event);
}

/* Without TSX the fields may be undefined. */
static struct rule_basis of_tsx(const struct rule_place *place)
{
    return (struct rule_basis){
        "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\"",
        !place->id || place->id->tsx ? STATED : DERIVED,
    };
}

static bool has_valid_bits(const struct rule_place *place)
{
    return (is_stack(place) || place_joins_stacks(place)) && place->model &&
           place->model->lbr.to_valid;
}

static bool is_unknown_stack(const struct rule_place *place)
{
    return !place->method->silent && place->method->ring_lbr && !place->model;
}

static bool shows_lbr(const struct rule_place *place)
{
    return !place->method->silent && method_shows_lbr(place->method) && place->model;
}

static bool has_fused(const struct rule_place *place)
{
    return !place->method->silent && place->model &&
           method_fuses_on(place->method, place->model);
}

static bool newest_may_repeat(const struct rule_place *place)
{
    const struct method_facts *method = place->method;

    return !method->silent && method->needs & NEEDS(FACILITY_LBR) && place->model &&
           place->model->lbr.doubles_newest &&
           (method->ring_lbr || method->blind_handlers ||
            (method->counter_driven && !method->sampled && !method->sampled_windows));
}

/* A stack is short, so both sides are simply copied. */
struct copied {
    struct transfer at[CALL_STACK_MAX];
    size_t count;
};

/* False if there are more than any stack has. */
static bool copy(struct copied *copied, struct source *source)
{
    struct transfer more;

    source->rewind(source);
    copied->count = 0;
    while (copied->count < CALL_STACK_MAX &&
           source->next(source, &copied->at[copied->count]))
        copied->count++;
    return copied->count < CALL_STACK_MAX || !source->next(source, &more);
}

static bool same_ends(const struct transfer *a, const struct transfer *b)
{
    return a->from == b->from && a->to == b->to;
}

/* True if all records except the newest are the first ones of `want`. */
static bool rest_is(const struct copied *got, const struct transfer *want)
{
    for (size_t i = 0; i + 1 < got->count; i++)
        if (!same_ends(&got->at[i], &want[i]))
            return false;
    return true;
}

#define IN_SKYLAKE " (the doubled newest record of the Skylake family, docs/processors.md)"
static const char copy_added[] =
    "the newest record is there twice, which pushes out the oldest" IN_SKYLAKE;
static const char copy_instead[] =
    "a copy of the record before it is in the newest one's place" IN_SKYLAKE;

/* True if the copy of the newest record is all that a stack of `depth` entries has wrong.
 */
static const char *copy_in_stack(struct source *got, struct source *want, uint64_t depth)
{
    static struct copied a, b;
    bool full;

    if (!copy(&a, got) || !copy(&b, want) || a.count < 2 ||
        !same_ends(&a.at[a.count - 1], &a.at[a.count - 2]))
        return NULL;
    full = a.count == depth && b.count == depth; /* the copy pushed out the oldest */
    if ((a.count == b.count + 1 && rest_is(&a, b.at)) || (full && rest_is(&a, b.at + 1)))
        return copy_added;
    return a.count == b.count && rest_is(&a, b.at) ? copy_instead : NULL;
}

/* True if the record at `index`, from 0, is the last one. */
static bool is_newest_of(struct source *source, uint64_t index)
{
    struct transfer ignored;
    uint64_t count = 0;

    source->rewind(source);
    while (count < index + 2 && source->next(source, &ignored))
        count++;
    return count == index + 1;
}

/* True if the record at `index` is the same as the one before it. */
static bool repeats(struct source *source, uint64_t index)
{
    struct transfer before = { .from = 0 }, t = before;

    source->rewind(source);
    for (uint64_t i = 0; i <= index; i++) {
        before = t;
        if (!source->next(source, &t))
            return false;
    }
    return index > 0 && same_ends(&before, &t);
}

static bool is_iret_of_handler(const struct rule_run *run, const struct transfer *t)
{
    const struct rule_record record = rule_record_of(run, t);
    struct transfer made;

    return rule_is_made(&record, &made) && made.kind == KIND_IRET;
}

/*
 * A stop has its TO from the newest record, too.  The one before that is the IRETQ of the
 * method's handler, from one place in the kernel to where the stop before was, or the IRET
 * of a handler of the workload.
 */
static const char *stops_have_copies(const struct rule_run *run, struct source *got,
                                     struct source *want)
{
    uint64_t copies = 0, iretq = BRANCH_UNKNOWN;
    struct transfer is, should, before = { .to = BRANCH_UNKNOWN };

    got->rewind(got);
    want->rewind(want);
    for (; got->next(got, &is); before = should) {
        if (!want->next(want, &should))
            return NULL;
        if (same_ends(&is, &should))
            continue;
        copies++;
        if (is_iret_of_handler(run, &is))
            continue;
        if (is.to != before.to || !hit_is_in_kernel(run, is.from) ||
            (iretq != BRANCH_UNKNOWN && is.from != iretq))
            return NULL;
        iretq = is.from;
    }
    return !want->next(want, &should) && copies <= copies_max(run->records) ? copy_instead
                                                                            : NULL;
}

/* The records are a ring, or a stream that ends with such a stack. */
static const char *newest_is_copy(const struct rule_run *run, const struct difference *d,
                                  struct source *got, struct source *want)
{
    if (run->place.method->ring_lbr)
        return copy_in_stack(got, want, run->capacity);
    if (run->place.method->blind_handlers)
        return stops_have_copies(run, got, want);
    if (d->got_ended || d->index + 1 != run->records)
        return NULL;
    if (d->want_ended)
        return d->class == DOUBLED ? copy_added : NULL;
    return is_newest_of(want, d->index) && repeats(got, d->index) ? copy_instead : NULL;
}

static struct rule_basis of_row(const struct rule_place *place)
{
    return (struct rule_basis){ place->model->source, place->model->confidence };
}

static const struct rule rows[] = {
    {
        .name = "lbr-db",
        .sentence = "From the first #DB on, nothing is recorded, not even the entry of its "
                    "handler, because delivering #DB turns LBR off.",
        .source = "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\"",
        .confidence = STATED,
        .applies = ends_at_db,
        .workload = "tf_db",
        .property = "bt-keep-lbr",
    },
    {
        .name = "lbr-newest",
        .sentence =
            "Only the newest records are kept, as many as the LBR stack has entries.",
        .basis = of_row,
        .applies = is_stack,
        .of_no_record = true,
        .workload = "recursion",
        .property = "bt-miscount-tos",
    },
    {
        .name = "lbr-offsets",
        .sentence = "FROM and TO are CS offsets, without the CS base, if the model's row, "
                    "LBR_FMT or CPUID says so.",
        .source =
            "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\"; AMD64 APM vol. 2, "
            "\"Control-Transfer Recording MSRs\"",
        .confidence = STATED,
        .applies = shows_lbr,
        .workload = "based",
    },
    {
        .name = "lbr-format",
        .sentence = "FROM and TO have the record format of this model's row.",
        .basis = of_row,
        .applies = shows_lbr,
        .workload = "loop",
        .property = "bt-shift-from",
    },
    {
        .name = "lbr-wrong-path",
        .sentence =
            "Branches on the wrong path take at most half of the entries of AMD's LBR "
            "stack version 2, and none on the emulator outside silicon mode.",
        .source = "AMD64 APM vol. 2, \"Last Branch Stack\" (V = 0, S = 1); the bound is "
                  "chosen",
        .confidence = STATED,
        .applies = has_valid_bits,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
        .property = "bt-wrong-path",
    },
    {
        .name = "lbr-fused",
        .sentence = "FROM may be the compare or arithmetic instruction that is fused with "
                    "the conditional jump after it.",
        .source = FUSION_SOURCE "; DEC with JNZ in the MSRs of a Zen 5 (wilvk/asm-test "
                                "65b4bea4, amd-msr-direct-lbr-plan.md)",
        .confidence = STATED,
        .applies = has_fused,
        .workload = "fusible",
        .property = "bt-fuse",
    },
    {
        .name = "lbr-fused-further",
        .sentence = "FROM may be any instruction a few bytes before its near branch, if no "
                    "other branch lies between them.",
        .source = FUSION_SOURCE ": \"further optimizations\"",
        .confidence = UNCONFIRMED,
        .applies = has_fused,
        .explains = NULL, /* the host's decoder has to say: tools/judge/unconfirmed.c */
        .of_ends = true,
        .of_audit = true,
        .workload = "fusible_nop",
    },
    {
        .name = "lbr-fused-same",
        .sentence =
            "On one processor, all records of a branch whose FROM is an instruction "
            "before it have the same FROM.",
        .source = "this project: the code that is fused does not change",
        .confidence = STATED,
        .applies = has_fused,
        .of_run = true,
        .workload = "fusible_nop",
    },
    {
        .name = "lbr-doubled",
        .errata = "none known",
        .sentence = "The newest record may appear twice, or a copy of the record before it "
                    "may replace it.",
        .source = "recordings of 06_55; llvm/llvm-project#147971; google/autofdo#223",
        .confidence = RECORDED,
        .applies = newest_may_repeat,
        .platform = ON_SILICON,
        .accounts = newest_is_copy,
        .reported = "end with a copy of their newest record",
        .of_audit = true,
        .workload = "loop",
        .property = "bt-double-newest",
    },
    {
        .name = "copies-few",
        .sentence =
            "At most two thirds of the newest records of a log, of a stream or of a run "
            "of btf+lbr, and two more, are copies.",
        .source = "recordings of 06_55 have 966 in 3,732; the bound is chosen",
        .confidence = STATED,
        .of_run = true,
    },
    {
        .name = "lbr-type",
        .sentence = "The branch type in an LBR record is that of the instruction at FROM.",
        .source = "Linux, arch/x86/events/intel/lbr.c, arch_lbr_br_type_map",
        .confidence = STATED,
        .applies = is_stack,
        .of_run = true,
        .workload = "kinds",
    },
    {
        .name = "lbr-tsx",
        .sentence =
            "IN_TSX and TSX_ABORT are clear, because no workload has a transaction.",
        .basis = of_tsx,
        .applies = has_fields,
        .of_run = true,
        .workload = "kinds",
    },
    {
        .name = "lbr-cycles",
        .sentence =
            "The cycles of a record are core clocks since the record before it, and "
            "all of them pass while the run lasts.",
        .source = "SDM vol. 3B, \"LBR Stack and IA32_PERF_CAPABILITIES\"",
        .confidence = DERIVED,
        .applies = has_fields,
        .of_run = true,
        .of_no_record = true, /* tools/judge/infos.c adds them up */
        .workload = "kinds",
    },
    {
        .name = "lbr-direct",
        .sentence = "A direct JMP or CALL is not mispredicted.",
        .source = "emulator/source/target/i386/tcg/system/branch-trace-record.c",
        .confidence = DERIVED,
        .applies = has_fields,
        .platform = ON_EMULATOR, /* record-direct: processors mark a few */
        .of_run = true,
        .of_no_record = true,
        .workload = "kinds",
    },
    {
        .name = "lbr-unknown-model",
        .sentence =
            "On an unknown model no LBR record can be read, because the addresses of "
            "its LBR MSRs are unknown.",
        .source = "common/facts/model.c",
        .confidence = STATED,
        .applies = is_unknown_stack,
        .workload = "loop",
    },
};
RULE_TABLE(lbr_rules, rows);
