/*
 * The records in Processor Trace packets, by the code of the log: that of the workloads,
 * and that of the window around them.
 *
 * Only transfers are records.  What the window itself runs between WRMSR and its CALL, and
 * after the return, is straight code, so the records are those of the other methods.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "heap.h"
#include "pack.h"
#include "parsed.h"
#include "pt_stream.h"
#include "records.h"
#include "tnt.h"

struct decoding {
    const struct log *log;
    const struct loaded *newest; /* where the address before was */
    struct run_lines *lines;
    size_t capacity;
    bool by_ring;  /* packets stop and go on at branches from one ring to another */
    bool in_guest; /* of a hypervisor, which may run an instruction itself */
    uint64_t left; /* where packets ended last; PT_NOWHERE: they did not, or nobody knows */
    uint64_t added_at, added; /* bytes that are decoded, but are none of the packets'... */
    uint64_t before;          /* ...and those before the ones that are decoded */
};

static size_t copy(uint8_t *out, size_t size, const uint8_t *code, uint64_t offset,
                   size_t length)
{
    if (size > length - offset)
        size = (size_t)(length - offset);
    memcpy(out, code + offset, size);
    return size;
}

static bool lies_in(const struct loaded *loaded, uint64_t at)
{
    return at - loaded->at < loaded->own->size;
}

/* Nearly every address lies in the workload that the address before lay in. */
static const struct loaded *workload_at(struct decoding *decoding, uint64_t at)
{
    const struct log *log = decoding->log;

    if (lies_in(decoding->newest, at))
        return decoding->newest;
    for (size_t i = 0; i < log->workload_count; i++)
        if (lies_in(log->workloads[i], at))
            return decoding->newest = log->workloads[i];
    return NULL;
}

/*
 * The linear address.  Where CPUID.14H:ECX[31] is 0, packets have offsets in CS (SDM vol.
 * 3C, "Intel Processor Trace", "IP Payload"), and only code of 32 bits has a base.
 */
static uint64_t linear(struct decoding *decoding, uint64_t at)
{
    const struct loaded *based;

    if (workload_at(decoding, at))
        return at;
    based = workload_at(decoding, at + PART_BASE);
    return based && part_of(based->own, at + PART_BASE - based->at)->base == PART_BASE
               ? at + PART_BASE
               : at;
}

static bool in_window(const struct log *log, uint64_t at)
{
    return at - log->machine.caller.at.value < log->machine.window_size;
}

static size_t read_code(void *of, uint64_t at, uint8_t *out, size_t size)
{
    struct decoding *decoding = of;
    const struct machine *machine = &decoding->log->machine;
    const struct loaded *loaded;

    at = linear(decoding, at);
    loaded = workload_at(decoding, at);
    if (loaded)
        return copy(out, size, loaded->own->code, at - loaded->at, loaded->own->size);
    if (in_window(decoding->log, at))
        return copy(out, size, machine->window, at - machine->caller.at.value,
                    machine->window_size);
    return 0;
}

static bool is_compat(void *of, uint64_t at)
{
    const struct loaded *loaded = workload_at(of, at = linear(of, at));

    return loaded && part_of(loaded->own, at - loaded->at)->flags & PART_COMPAT;
}

static void add(struct decoding *decoding, uint64_t from, uint64_t to)
{
    struct run_lines *lines = decoding->lines;

    from = from == BRANCH_FILTERED ? from : linear(decoding, from);
    to = to == BRANCH_FILTERED ? to : linear(decoding, to);

    lines->records = grow(lines->records, &decoding->capacity, lines->record_count,
                          sizeof(*lines->records));
    lines->records[lines->record_count++] = (struct branch){ .from = from, .to = to };
}

/* Sets what is wrong, in words from malloc(), after the records that came so far. */
static void set_misfit(struct run_lines *lines, int misfit, char *why)
{
    free(lines->wrong);
    lines->wrong = why;
    lines->before_wrong = lines->record_count;
    lines->misfit = misfit;
}

/* Keeps the first thing that is wrong; an overflow is less than what comes after it. */
static void note(struct decoding *decoding, const struct pt_found *found, const char *why)
{
    struct run_lines *lines = decoding->lines;
    const uint64_t added = found->offset > decoding->added_at ? decoding->added : 0;
    const uint64_t at =
        decoding->before + (found->offset > added ? found->offset - added : 0);
    const bool is_first = !lines->wrong;

    if (is_first || lines->misfit == MISFIT_OF_OVERFLOW)
        set_misfit(lines,
                   is_first && found->what == PT_OVERFLOW ? MISFIT_OF_OVERFLOW
                                                          : MISFIT_OF_CODE,
                   format_text("byte %" PRIu64 " of the packets: %s%s", at, why,
                               is_first ? "" : ", after an overflow (OVF)"));
}

/*
 * With a ring left out, packets that end or begin are a branch out of the traced ring or
 * into it, and show one end of that branch.  In the window itself WRMSR turns them on and
 * off.
 */
static void add_crossing(struct decoding *decoding, uint64_t from, uint64_t to)
{
    uint64_t shown = from == BRANCH_FILTERED ? to : from;

    if (decoding->by_ring && !in_window(decoding->log, shown))
        add(decoding, from, to);
}

#define REP      0xf3
#define REPNE    0xf2
#define HLT      0xf4
#define REP_MAX  3 /* bytes of REP or REPNE with its string instruction */
#define INSN_MAX 15

/*
 * True if packets that ended at one place go on at the other.  RSM returns to where the SMI
 * came, of REP or HLT perhaps to that instruction, and VM entry perhaps to the next one.
 */
static bool goes_on(struct decoding *decoding, uint64_t left, uint64_t to)
{
    uint8_t opcode;

    if (to == left || (decoding->in_guest && to - left <= INSN_MAX))
        return true;
    return read_code(decoding, to, &opcode, 1) &&
           (opcode == HLT ? left - to == 1
                          : (opcode == REP || opcode == REPNE) && left - to <= REP_MAX);
}

static uint64_t known(uint64_t at)
{
    return at == PT_NOWHERE ? BRANCH_UNKNOWN : at;
}

static void take(void *of, const struct pt_found *found)
{
    struct decoding *decoding = of;
    struct run_lines *lines = decoding->lines;

    switch (found->what) {
    case PT_TAKEN:
    case PT_EVENT:
        add(decoding, found->from, known(found->to));
        break;
    case PT_NOT_TAKEN:
        break;
    case PT_NO_FUP:
        lines->without_fup++;
        break;
    case PT_BEGIN:
        lines->is_on = true;
        lines->begin = lines->begin == BRANCH_UNKNOWN ? found->to : lines->begin;
        lines->end = BRANCH_UNKNOWN;
        lines->begins_elsewhere |= decoding->left != PT_NOWHERE && !decoding->by_ring &&
                                   !goes_on(decoding, decoding->left, found->to);
        add_crossing(decoding, BRANCH_FILTERED, found->to);
        break;
    case PT_END:
        lines->is_on = false;
        decoding->left = found->from;
        lines->end = found->to == PT_NOWHERE || in_window(decoding->log, found->to)
                         ? found->from
                         : BRANCH_UNKNOWN;
        add_crossing(decoding, known(found->from),
                     found->to == PT_NOWHERE ? BRANCH_FILTERED : found->to);
        break;
    case PT_OVERFLOW:
        decoding->left = PT_NOWHERE;
        lines->is_on = found->to != PT_NOWHERE;
        note(decoding, found, "the processor lost packets (OVF)");
        break;
    case PT_NO_CODE:
        note(decoding, found, "they lead to where the log has no code");
        break;
    case PT_WRONG:
        note(decoding, found, found->why);
        break;
    }
}

/* A record that is a number alone, up to the greatest. */
static bool unpack_number(struct pack *pack, uint64_t greatest, uint64_t *out)
{
    struct branch record;

    if (!unpack_next(pack, &record) || record.from > greatest || record.to || record.info)
        return false;
    *out = record.from;
    return true;
}

/* The first of six bits was read already. */
static bool unpack_bits(struct pack *pack, uint64_t bit, uint8_t *out)
{
    *out = TNT_ALL_BITS;
    for (int at = TNT_BITS;; at--) {
        *out |= (uint8_t)((bit - TNT_BIT) << at);
        if (at == 1)
            return true;
        if (!unpack_number(pack, TNT_BIT + 1, &bit) || bit < TNT_BIT)
            return false;
    }
}

static bool unpack_byte(struct pack *pack, bool by_bits, uint8_t *out)
{
    uint64_t number;

    if (!unpack_number(pack, by_bits ? TNT_BIT + 1 : UINT8_MAX, &number))
        return false;
    if (number >= TNT_BIT)
        return unpack_bits(pack, number, out);
    *out = (uint8_t)number;
    return true;
}

bool packets_unpack(struct arena *arena, struct run_lines *lines)
{
    static struct pack pack;
    uint64_t size = lines->unpacked_size;
    uint8_t *bytes;

    if (!size)
        return true;
    bytes = arena_keep(arena, zeroed(size, 1));
    unpack_begin(&pack, lines->bytes, lines->size);
    for (uint64_t i = 0; i < size; i++)
        if (!unpack_byte(&pack, lines->by_bits, &bytes[i]))
            return false;
    lines->bytes = bytes;
    lines->size = lines->got = size;
    lines->unpacked_size = 0;
    return unpack_ended(&pack);
}

/* The rules of common/rules/errata.c that decoding must know of. */
static const struct {
    const char *rule;
    enum pt_erratum erratum;
} errata[] = {
    { "pt-psb-fup", PT_BDM70 },     { "pt-ovf-alone", PT_SKD010 },
    { "pt-ovf-pgd", PT_APL11 },     { "pt-ovf-fup", PT_APL12 },
    { "pt-fup-next", PT_FUP_NEXT }, { "pt-fup-next-kin", PT_FUP_NEXT },
};

static struct rule_place place_of(const struct run *run)
{
    return (struct rule_place){
        .method = run->method,
        .model = run->cpu->row,
        .id = &run->cpu->id,
        .platform = run->cpu->platform,
        .emulated = platform_is_emulated(run->cpu->platform),
    };
}

static void take_errata(struct pt_user *user, const struct rule_place *place)
{
    for (size_t i = 0; i < COUNT_OF(errata); i++)
        user->errata[errata[i].erratum] |= rule_applies(errata[i].rule, place);
}

#define WRMSR_SIZE 2

/* True of the workloads, of the window, and of the WRMSR before it that sets TraceEn. */
static bool is_known(struct decoding *decoding, uint64_t at)
{
    uint8_t byte;

    return at + WRMSR_SIZE == decoding->log->machine.caller.at.value ||
           read_code(decoding, at, &byte, 1);
}

/* Decodes with a PSB, or a PSBEND, that is missing there. */
static void walk_with(const struct pt_user *user, const uint8_t *bytes, size_t size,
                      size_t at, const uint8_t *missing, size_t length)
{
    struct decoding *decoding = user->of;
    uint8_t *all = zeroed(size + length, 1);

    memcpy(all, bytes, at);
    memcpy(all + at, missing, length);
    memcpy(all + at + length, bytes + at, size - at);
    decoding->added_at = at;
    decoding->added = length;
    pt_walk(all, size + length, user);
    free(all);
}

/*
 * Decodes what is before an OVF and what is after it, where that begins with a PSB: libipt
 * expects FUP or TIP.PGE (2.0.5), but a PSB says as well where the trace goes on.
 */
static void walk_around(const struct pt_user *user, const uint8_t *bytes, size_t size,
                        const struct pt_form *form)
{
    const struct pt_found overflow = { .what = PT_OVERFLOW,
                                       .to = PT_NOWHERE,
                                       .offset = form->ovf_at };
    struct decoding *decoding = user->of;

    pt_walk(bytes, form->ovf_at, user);
    take(decoding, &overflow);
    decoding->before = form->ovf_psb;
    pt_walk(bytes + form->ovf_psb, size - form->ovf_psb, user);
}

#define PSBEND 2, 0x23

/*
 * Decodes the packets.  Without a boundary, or with one that has no end, nothing would be
 * known of them: then they are decoded as if it were there, and must be right.
 */
static void walk(struct run_lines *lines, const struct pt_user *user)
{
    static const uint8_t psb[] = {
        2,    0x82, 2,     0x82, 2, 0x82, 2, 0x82,
        2,    0x82, 2,     0x82, 2, 0x82, 2, 0x82, /* MODE.Exec: 64 bits */
        0x99, 1,    PSBEND
    };
    static const uint8_t psb_end[] = { PSBEND };
    const struct pt_form *form = &lines->form;

    if (form->fits == lines->size && !form->psbs) {
        walk_with(user, lines->bytes, lines->size, 0, psb, sizeof(psb));
        if (!lines->wrong)
            set_misfit(lines, MISFIT_OF_BOUNDARY,
                       format_text("no packet stream boundary (PSB) is in the packets"));
    } else if (form->fits == lines->size && form->psb_open) {
        walk_with(user, lines->bytes, lines->size, form->psb_open_at, psb_end,
                  sizeof(psb_end));
        if (!lines->wrong)
            set_misfit(lines, MISFIT_OF_PSB_OPEN,
                       format_text("byte %" PRIu64 " of the packets: a PSB is without its "
                                   "PSBEND",
                                   form->psb_open_at));
    } else if (form->fits == lines->size && form->ovf_psb) {
        walk_around(user, lines->bytes, lines->size, form);
    } else if (!pt_walk(lines->bytes, lines->size, user) && !lines->wrong) {
        set_misfit(lines, MISFIT_OF_CODE,
                   format_text("no packet stream boundary (PSB) is in the packets"));
    }
}

void packets_decode(const struct log *log, const struct run *run)
{
    struct run_lines *lines = run->lines;
    const struct rule_place place = place_of(run);
    struct decoding decoding = { .log = log,
                                 .newest = run->workload,
                                 .lines = lines,
                                 .by_ring = run->filter & FILTER_RINGS,
                                 .in_guest = rule_is_in_guest(&place),
                                 .left = PT_NOWHERE };
    struct pt_user user = {
        .read = read_code, .is_compat = is_compat, .found = take, .of = &decoding
    };

    lines->record_count = 0;
    lines->begin = lines->end = BRANCH_UNKNOWN;
    lines->is_on = lines->begins_elsewhere = false;
    lines->without_fup = 0;
    lines->form = pt_form_of(lines->bytes, lines->size);
    lines->psb_astray =
        lines->form.psb_most && !(is_known(&decoding, lines->form.psb_least) &&
                                  is_known(&decoding, lines->form.psb_most));
    take_errata(&user, &place);
    walk(lines, &user);
    if (!lines->wrong && lines->is_on && !run->ran.lost)
        set_misfit(lines, MISFIT_OF_END,
                   format_text("the packets end while packet generation is on"));
    if (!lines->records) /* none, but decoded */
        lines->records = zeroed(1, sizeof(*lines->records));
}
