/*
 * Errata: what some processors do contrary to their manuals.
 *
 * An erratum is a rule like any other, with the vendor's identifiers and the processors
 * that have it.  It accounts only for the difference that it describes, and only there.
 * An erratum that the kernel works around makes no difference in the trace.
 */
#include "rule.h"

#include "count_of.h"
#include "decode.h"
#include "filter.h"
#include "hit.h"
#include "text.h"
#include "visible.h"

#define INT_N 0xcd
#define INT3  0xcc
#define INTO  0xce

static bool is_bts(const struct rule_place *place)
{
    return !place->method->silent && place->method->needs & NEEDS(FACILITY_BTS);
}

static bool is_bts_of_a_ring(const struct rule_place *place)
{
    return is_bts(place) && place->filter & FILTER_RINGS;
}

/*
 * True if FROM is the instruction after the INT n, INT3 or INTO that led to its handler.  A
 * filter of Processor Trace may leave out TO.
 */
static bool is_after_software_int(const struct rule_record *record)
{
    const struct transfer *t = &record->transfer, *made = record->other;
    const unsigned opcode = made ? rule_code_at(record, made->from) : NO_BYTE;

    return record->class == WRONG_FROM &&
           (opcode == INT_N || opcode == INT3 || opcode == INTO) &&
           t->from == made->from + (opcode == INT_N ? 2 : 1) &&
           (rule_stub_at(record, t->to) || t->to == BRANCH_FILTERED);
}

/* True if the record that should be here leads to another ring. */
static bool changes_ring(const struct rule_record *record)
{
    struct transfer made;

    return record->class == WRONG_FROM && rule_is_made(record, &made) &&
           ring_of(record->workload, made.from - record->at) !=
               ring_of(record->workload, made.to - record->at);
}

static bool is_stack_v2(const struct rule_place *place)
{
    return place->model && place->model->needs_amd_lbr_v2 &&
           (place_joins_stacks(place) ||
            (!place->method->silent && place->method->ring_lbr));
}

static bool is_event(enum kind kind)
{
    return kind == KIND_INT || kind == KIND_EXC || kind == KIND_DB;
}

static bool is_lost_event(const struct rule_record *record)
{
    return record->class == LOST && is_event(record->transfer.kind) &&
           rule_stub_at(record, record->transfer.to);
}

static bool is_last_event(const struct rule_place *place)
{
    return place->method->last_event;
}

static bool is_last_event_in_guest(const struct rule_place *place)
{
    return is_last_event(place) && rule_is_in_guest(place);
}

static bool changes_ler_by_db(const struct rule_place *place,
                              const struct rule_probe *found)
{
    (void)place;
    return found->facility == FACILITY_LER && found->result == DEVIATES &&
           text_same(found->evidence, "a #DB has changed it");
}

static bool changes_ler_in_guest(const struct rule_place *place,
                                 const struct rule_probe *found)
{
    return rule_is_in_guest(place) && changes_ler_by_db(place, found);
}

/* The LER holds the newest record before a #DB of the workload, which should not update it,
 * and which comes after the event that did. */
static const char *is_of_db(const struct rule_run *run, const struct difference *d,
                            struct source *got, struct source *want)
{
    struct expected expected;
    struct transfer t, before = { .from = BRANCH_UNKNOWN, .to = BRANCH_UNKNOWN };
    bool is_later = d->want_ended;

    (void)got, (void)want;
    if (!run->workload || run->workload->packed || d->got_ended || d->index ||
        run->records != 1)
        return NULL;
    expected_of(&expected, run->workload, run->at, run->call, run->back, NULL);
    while (expected.source.next(&expected.source, &t)) {
        if (is_later && t.kind == KIND_DB && transfers_match(&before, &d->got))
            return "the LER holds the branch before a #DB";
        if (kind_is_mark(t.kind) || t.kind == KIND_DB)
            continue;
        is_later = is_later || (is_event(t.kind) && transfers_match(&before, &d->want));
        before = t;
    }
    return NULL;
}

static bool is_lbr_or_bts(const struct rule_place *place)
{
    const struct method_facts *method = place->method;

    return !method->silent && !method->last_event &&
           method->needs & (NEEDS(FACILITY_LBR) | NEEDS(FACILITY_BTS));
}

static bool is_filtered_lbr(const struct rule_place *place)
{
    return place->filter && place->method->filtered == FILTERED_BY_LBR;
}

static bool is_dr6_of_icebp(const struct rule_place *place)
{
    return !place->method->silent;
}

/* True if both have the same records after these many of each. */
static bool same_after(struct source *got, uint64_t got_by, struct source *want,
                       uint64_t want_by)
{
    return rule_skip(got, got_by) && rule_skip(want, want_by) &&
           check(got, want).class == SAME;
}

/*
 * True if the workload makes a branch from `from` just before that of the first record that
 * is left; a full stack or a gap does not hold it.  The trace of a program in C is not
 * unpacked here: any branch instruction of its code will do.
 */
static bool is_from_of_lost(const struct rule_run *run, const struct transfer *first,
                            uint64_t from)
{
    const struct rule_place *place = &run->place;
    static struct visible made;
    struct expected expected;
    struct transfer t, before = { .from = BRANCH_UNKNOWN };
    struct insn insn;

    if (!run->workload)
        return false;
    if (run->workload->packed)
        return decode_of(run->workload, run->at, from, &insn);
    expected_of(&expected, run->workload, run->at, run->call, run->back, NULL);
    visible_through(&made, &expected.source, place->method, 0,
                    record_filter_for(place->method, place->model, place->filter,
                                      run->workload, run->at));
    for (; made.source.next(&made.source, &t); before = t)
        if (before.from == from && t.from == first->from && t.to == first->to)
            return true;
    return false;
}

/*
 * True if the record that differs has the FROM of the one before it.  In a method
 * that stops or is interrupted, that may be the IRETQ of the method's own handler; before
 * the first branch of all, the kernel's own.
 */
static bool is_from_of_before(const struct rule_run *run, const struct difference *d,
                              struct source *got)
{
    const struct method_facts *method = run->place.method;
    struct transfer before;

    if ((method->blind_handlers || method_is_interrupted(method) ||
         d->want.from == run->call) &&
        hit_is_in_kernel(run, d->got.from))
        return true;
    if (method->blind_handlers)
        return false;
    if (!d->index)
        return is_from_of_lost(run, &d->want, d->got.from);
    return rule_skip(got, d->index - 1) && got->next(got, &before) &&
           before.from == d->got.from;
}

/* Between gaps the kernel compares no records, so no try differs there. */
static bool comes_at_random(const struct rule_run *run, uint64_t at)
{
    return run->hits.tries_are_uncompared
               ? !run->hits.tries || !hit_tries_are_alike(run->hits.tries)
               : hit_tries_at_random(run, run->hits.first ? run->hits.first : at);
}

/* True if the record is the entry of an interrupt, where the kernel missed one, and all
 * others are right. */
static bool is_spoiled_entry(const struct rule_run *run, const struct difference *d,
                             struct source *got, struct source *want)
{
    return method_is_interrupted(run->place.method) && d->class == EXTRA &&
           run->hits.lost && hit_is_in_kernel(run, d->got.to) &&
           same_after(got, d->index + 1, want, d->index);
}

/* One record has the FROM of the record before it, and all others are right. */
static const char *is_from_power(const struct rule_run *run, const struct difference *d,
                                 struct source *got, struct source *want)
{
    const bool is_right_to = d->class == WRONG_FROM && d->got.to == d->want.to &&
                             same_after(got, d->index + 1, want, d->index + 1);

    if ((!is_right_to && !is_spoiled_entry(run, d, got, want)) ||
        !comes_at_random(run, d->index + 1) || !is_from_of_before(run, d, got))
        return NULL;
    return "one record has the FROM of the record before it";
}

/* True if both have a record there, and all others are the same. */
static bool is_one_record(const struct difference *d, struct source *got,
                          struct source *want)
{
    return !d->got_ended && !d->want_ended &&
           same_after(got, d->index + 1, want, d->index + 1);
}

static const char *is_after_smi(const struct rule_run *run, const struct difference *d,
                                struct source *got, struct source *want)
{
    if (!run->hits.smis)
        return NULL;
    if (is_spoiled_entry(run, d, got, want))
        return "an interrupt's entry has other values";
    return is_one_record(d, got, want) ? "one record has other values than its branch"
                                       : NULL;
}

static const char *is_of_stpclk(const struct rule_run *run, const struct difference *d,
                                struct source *got, struct source *want)
{
    if (!comes_at_random(run, d->index + 1))
        return NULL;
    if (d->class == LOST && same_after(got, d->index, want, d->index + 1))
        return "one record is missing (lost)";
    return is_one_record(d, got, want) &&
                   (d->got.from == d->want.from || d->got.to == d->want.to)
               ? "one record has a corrupt address"
               : NULL;
}

static const struct rule_cpus ivy_bridge[] = {
    { .models = { 0x3a } },
    { .models = { 0 } },
};

static const struct rule_cpus merom[] = {
    { .models = { 0x0f } },
    { .models = { 0 } },
};

static const struct rule_cpus yonah_core2[] = {
    { .models = { 0x0e, 0x0f, 0x16, 0x17, 0x1d } },
    { .models = { 0 } },
};

static const struct rule_cpus core2[] = {
    { .models = { 0x0f, 0x16, 0x17, 0x1d } },
    { .models = { 0 } },
};

static const struct rule_cpus core2_nehalem[] = {
    { .models = { 0x0f, 0x16, 0x17, 0x1d, 0x1a, 0x1e, 0x1f, 0x2e } },
    { .models = { 0 } },
};

static const struct rule_cpus nehalem_westmere[] = {
    { .models = { 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f } },
    { .models = { 0 } },
};

static const struct rule_cpus core2_to_westmere[] = {
    { .models = { 0x0f, 0x16, 0x17, 0x1d, 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f } },
    { .models = { 0 } },
};

static bool steps_each(const struct rule_place *place)
{
    return place->method->every_insn;
}

static const struct rule_cpus knights_landing[] = {
    { .models = { 0x57 } },
    { .models = { 0 } },
};

static const struct rule_cpus knights_mill[] = {
    { .models = { 0x85 } },
    { .models = { 0 } },
};

static bool has_packets(const struct rule_place *place)
{
    return place->method->packets && !place->method->silent &&
           (place->id ? place->id->pt && text_same(place->id->vendor, "GenuineIntel")
                      : place->model && model_may_have_pt(place->model));
}

/*
 * Processor Trace.  libipt describes these errata (intel-pt.h), and lists the processors
 * that have them as far as its release knows: the newest list counts here, of release 2.2.
 * Where a loss is rare, the kernel makes the run again.
 */
#define IPT       "libipt 2.2, intel-pt.h and pt_config.c"
#define OVERFLOWS "SDM vol. 3C, \"Intel Processor Trace\", \"Internal Buffer Overflow\""
#define NO_RECORD .of_run = true, .of_no_record = true /* tools/judge/packets.c */

static const struct rule_cpus skylake_client[] = {
    { .models = { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6 } },
    { .models = { 0 } },
};

static const struct rule_cpus skylake_family[] = {
    { .models = { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6, 0x55 } },
    { .models = { 0 } },
};

static const struct rule_cpus skylake_to_rocket_lake[] = {
    { .models = { 0x4e, 0x5e, 0x8e, 0x9e, 0xa5, 0xa6, 0x55, 0x6a, 0x6c, 0x66, 0x7d, 0x7e,
                  0x8c, 0x8d, 0xa7, 0xa8 } },
    { .models = { 0 } },
};

static const struct rule_cpus servers[] = {
    { .models = { 0x55, 0x6a, 0x6c, 0x8f, 0xcf, 0xad, 0xae } },
    { .family = 0x13, .models = { 0x01 } },
    { .models = { 0 } },
};

static const struct rule_cpus atoms_and_hybrids[] = {
    { .models = { 0x5c, 0x5f, 0x7a, 0x86, 0x96, 0x9c, 0xb6, 0xaf, 0xdd } },
    { .models = { 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xc5, 0xc6, 0xbd, 0xcc,
                  0xd5 } },
    { .family = 0x12, .models = { 0x01, 0x03 } },
    { .models = { 0 } },
};

static const struct rule_cpus goldmonts[] = {
    { .models = { 0x5c, 0x5f } },
    { .models = { 0 } },
};

static const struct rule_cpus goldmont[] = {
    { .models = { 0x5c } },
    { .models = { 0 } },
};

static const struct rule_cpus goldmont_kin[] = {
    { .models = { 0x5f, 0x7a } },
    { .models = { 0 } },
};

static const struct rule_cpus broadwell[] = {
    { .models = { 0x3d, 0x47, 0x4f, 0x56 } },
    { .models = { 0 } },
};

static const struct rule_cpus tiger_to_raptor_lake[] = {
    { .models = { 0x8c, 0x8d, 0x97, 0x9a, 0xb7, 0xba, 0xbf } },
    { .models = { 0 } },
};

static const struct rule rows[] = {
    {
        .name = "pt-psb-fup",
        .errata = "BDM70, SKD024, SKL021, KBL021",
        .sentence = "A PSB+ before TIP.PGE may contain FUP and MODE.Exec.",
        .source = IPT "; google/perf_data_converter, perf.data.intel_pt-4.14, has some",
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        NO_RECORD,
        .workload = "loop",
        .property = "bt-pt-psb-fup",
    },
    {
        .name = "pt-ovf-alone",
        .errata = "SKD010, SKD014, SKL033, KBL030",
        .sentence = "An OVF may be without the FUP or TIP.PGE that should follow it.",
        .source = IPT,
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = skylake_client,
        NO_RECORD,
        .workload = "kinds",
        .property = "bt-pt-ovf-alone",
    },
    {
        .name = "pt-ovf-pgd",
        .errata = "APL11",
        .sentence = "If tracing ends during an overflow, TIP.PGD may follow the OVF.",
        .source = IPT,
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = atoms_and_hybrids,
        NO_RECORD,
        .workload = "loop",
        .property = "bt-pt-ovf-pgd",
    },
    {
        .name = "pt-ovf-fup",
        .errata = "APL12",
        .sentence = "Outside of an address range a FUP may follow an OVF.",
        .source = IPT,
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = goldmonts,
        NO_RECORD,
        .workload = "loop",
        .property = "bt-pt-ovf-fup",
    },
    {
        .name = "pt-end-lost",
        .errata = "none known",
        .sentence = "An internal overflow at the end of a trace leaves neither OVF nor "
                    "TIP.PGD, and few branches are lost.",
        .source = OVERFLOWS,
        .confidence = DERIVED,
        .applies = has_packets,
        .platform = ON_SILICON,
        NO_RECORD,
        .workload = "loop",
    },
    {
        .name = "pt-silence",
        .errata = "\"Intel PT May Drop All Packets After an Internal Buffer Overflow\"",
        .sentence = "After an internal overflow, all packets may be missing on the Skylake "
                    "family, OVF too, until TraceEn is cleared.",
        .source = "the title of an erratum, quoted from memory",
        .confidence = UNCONFIRMED,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = skylake_family,
        NO_RECORD,
        .workload = "million",
        .property = "bt-pt-ovf-silence",
    },
    {
        .name = "pt-psb-open",
        .errata = "none known",
        .sentence = "An internal overflow in a PSB+ may leave it without PSBEND.",
        .source =
            "SDM vol. 3C, \"Intel Processor Trace\", \"PSB+\"; intel/libipt#90 shows it "
            "on 06_8D and 06_7E",
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        NO_RECORD,
        .workload = "loop",
        .property = "bt-pt-psb-cut",
    },
    {
        .name = "pt-fup-next",
        .errata = "none known",
        .sentence =
            "On Goldmont the FUP of a software interrupt has the address of the next "
            "instruction.",
        .source = "Linux, tools/perf/util/intel-pt.c, INTEL_PT_FUP_WITH_NLIP",
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = goldmont,
        .explains = is_after_software_int,
        .noted = true,
        .of_ends = true,
        .workload = "int",
        .property = "bt-pt-fup-nlip",
    },
    {
        .name = "pt-fup-next-kin",
        .errata = "none known",
        .sentence = "On Denverton and Gemini Lake the FUP of a software interrupt has the "
                    "address of the next instruction, as on Goldmont.",
        .source = "their cores are those of Goldmont and its successor; nobody reported it",
        .confidence = UNCONFIRMED,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = goldmont_kin,
        .explains = is_after_software_int,
        .of_ends = true,
        .workload = "int",
        .property = "bt-pt-fup-nlip",
    },
    {
        .name = "pt-pgd-no-ip",
        .errata = "SKL014, KBL014",
        .sentence = "TIP.PGD may have no address where a direct jump or call leaves an "
                    "address range, so the probe does not require one.",
        .source = IPT "; intel/libipt#94 shows it on a Core i7-10700",
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = skylake_to_rocket_lake,
        NO_RECORD,
        .workload = "loop",
        .property = "bt-pt-pgd-no-ip",
    },
    {
        .name = "pt-ovf-in-cyc",
        .errata = "SKD007, SKL049, KBL041",
        .sentence = "An OVF may replace all bytes of a CYC packet after its first.",
        .source = IPT,
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = skylake_client,
        NO_RECORD, /* pt-cyc-alone is derived */
        .workload = "loop",
        .property = "bt-pt-ovf-in-cyc",
    },
    {
        .name = "pt-psb-no-cyc",
        .errata = "SKL168",
        .sentence =
            "One CYC packet, and perhaps one MTC packet, may be missing before a PSB.",
        .source = IPT,
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = skylake_client,
        NO_RECORD,
        .workload = "loop",
        .property = "bt-pt-psb-no-cyc",
    },
    {
        .name = "pt-tma",
        .errata = "SKZ84",
        .sentence = "TMA packets are corrupt in a guest whose TSC is offset or scaled, so "
                    "TSC and MTC packets are never switched on together.",
        .source = IPT,
        .confidence = ERRATUM,
        .applies = has_packets,
        .platform = ON_SILICON,
        .cpus = servers,
        NO_RECORD,
        .workload = "loop",
    },
    {
        .name = "pt-branch-en",
        .errata = "BDM106",
        .sentence = "TraceEn without BranchEn raises #GP, so the kernel always sets both.",
        .source = "Linux, arch/x86/events/intel/pt.c",
        .confidence = ERRATUM,
        .applies = has_packets,
        .cpus = broadwell,
        NO_RECORD, /* kernel/methods/pt.c works around it */
        .workload = "loop",
        .property = "bt-pt-branch-en",
    },
    {
        .name = "pt-single-range",
        .errata = "TGL052, ADL037, RPL017",
        .sentence =
            "A single range of more than 4 KiB may get wrong packets, so the kernel "
            "uses a ToPA table wherever there is one.",
        .source = "Linux ce0d998be927, arch/x86/events/intel/pt.c",
        .confidence = ERRATUM,
        .applies = has_packets,
        .cpus = tiger_to_raptor_lake,
        NO_RECORD, /* kernel/methods/pt.c works around it */
        .workload = "million",
        .property = "bt-pt-bad-range",
    },
    {
        .name = "step-rep-mill",
        .errata = "none known",
        .sentence =
            "Knights Mill steps through a REP string instruction as Knights Landing "
            "does.",
        .source = "its core is that of Knights Landing; nobody reported it",
        .confidence = UNCONFIRMED,
        .applies = steps_each,
        .platform = ON_SILICON,
        .cpus = knights_mill,
        .of_no_record = true, /* tools/judge/rounds.c counts the stops */
        .workload = "rep",
        .property = "bt-rep-64",
    },
    {
        .name = "bts-off-from",
        .errata = "W125, AR62",
        .sentence =
            "With BTS_OFF_OS or BTS_OFF_USR, the BTS record of a branch that changes "
            "the ring has a wrong FROM on Core 2.",
        .source = "Intel's specification updates W, p. 84, and AR, p. 44",
        .confidence = ERRATUM,
        .applies = is_bts_of_a_ring,
        .platform = ON_SILICON,
        .cpus = core2,
        .explains = changes_ring,
        .of_ends = true,
        .workload = "ring3_int",
        .property = "bt-bts-ring-from",
    },
    {
        .name = "bts-software-from",
        .errata = "\"BTM/BTS Branch-From Instruction Address May Be Incorrect for Software "
                  "Interrupts\"",
        .sentence = "The BTS record of INT n or INT3 has the next instruction as FROM on "
                    "Core 2 and Nehalem.",
        .source = "the title of an erratum, quoted from memory",
        .confidence = UNCONFIRMED,
        .applies = is_bts,
        .platform = ON_SILICON,
        .cpus = core2_nehalem,
        .explains = is_after_software_int,
        .of_ends = true,
        .workload = "int",
        .property = "bt-bts-int-from",
    },
    {
        .name = "from-power",
        .errata = "\"LBR, BTM or BTS Records May have Incorrect Branch From Information "
                  "After an EIST/T-state/S-state/C1E Transition or Adaptive Thermal "
                  "Throttling\"",
        .sentence =
            "From Core 2 to Westmere, one LBR or BTS record may have the FROM of the "
            "record before it after a change of frequency, a power state or throttling.",
        .source = "the title of an erratum, quoted from memory; that FROM is that of the "
                  "record before is chosen",
        .confidence = UNCONFIRMED,
        .applies = is_lbr_or_bts,
        .platform = ON_SILICON,
        .cpus = core2_to_westmere,
        .accounts = is_from_power,
        .of_ends = true,
        .workload = "million",
        .property = "bt-wrong-from",
    },
    {
        .name = "from-after-smi",
        .errata = "BU10",
        .sentence =
            "On mobile Ivy Bridge, a record of LBR or BTS may be wrong after an SMI.",
        .source = "Intel's specification update BU, p. 23; that it is one is chosen",
        .confidence = ERRATUM,
        .applies = is_lbr_or_bts,
        .platform = ON_SILICON,
        .cpus = ivy_bridge,
        .accounts = is_after_smi,
        .of_ends = true,
        .workload = "million",
        .property = "bt-smi-spoils",
    },
    {
        .name = "bts-lost-stpclk",
        .errata = "AF36, \"BTS Message May Be Lost When the STPCLK# Signal is Active\"",
        .sentence = "On Core Duo and Core 2, one BTS record may be missing or have a "
                    "corrupt address while the chipset stops the processor's clock "
                    "(STPCLK#).",
        .source = "Intel's specification update AF, p. 29, of Core Duo; for Core 2 its "
                  "title, quoted from memory",
        .confidence = UNCONFIRMED,
        .applies = is_bts,
        .platform = ON_SILICON,
        .cpus = yonah_core2,
        .accounts = is_of_stpclk,
        .workload = "million",
        .property = "bt-drop",
    },
    {
        .name = "dr6-icebp-bs",
        .errata = "AG70, AJ70",
        .sentence = "On Core 2, ICEBP sets BS in DR6 while TF is set.",
        .source = "Intel's specification updates AG, p. 33, and AJ",
        .confidence = ERRATUM,
        .applies = is_dr6_of_icebp,
        .platform = ON_SILICON,
        .cpus = merom,
        .of_run = true,
        .of_no_record = true, /* tools/judge/exceptions.c compares the bits */
        .workload = "icebp",
        .property = "bt-db-bs",
    },
    {
        .name = "lbr-bogus-entry",
        .errata = "1452",
        .sentence =
            "An entry of AMD's LBR stack of version 2 with bit 61 of TO set holds no "
            "branch, but takes a record's place.",
        .source = "Linux, arch/x86/events/amd/lbr.c",
        .confidence = ERRATUM,
        .applies = is_stack_v2,
        .of_no_record = true, /* the kernel counts such entries */
        .workload = "loop",
        .property = "bt-bogus",
    },
    {
        .name = "filter-calls-nehalem",
        .errata = "none known",
        .sentence =
            "Under LBR_SELECT of Nehalem and Westmere, a relative CALL is recorded only if "
            "both kinds of near JMP are, and an indirect CALL only if indirect JMPs are.",
        .source = "Linux, arch/x86/events/intel/lbr.c",
        .confidence = ERRATUM,
        .applies = is_filtered_lbr,
        .cpus = nehalem_westmere,
        .of_no_record = true, /* common/facts/filter.c has it */
        .workload = "kinds",
        .property = "bt-nehalem-select",
    },
    {
        .name = "ler-other-event",
        .errata = "\"LER MSRs May Be Unreliable\"",
        .sentence =
            "From Core 2 to Westmere, a #DB, which should not update the LER, may do so.",
        .source = "the title of an erratum, quoted from memory",
        .confidence = UNCONFIRMED,
        .applies = is_last_event,
        .platform = ON_SILICON,
        .cpus = core2_to_westmere,
        .accounts = is_of_db,
        .explains_probe = changes_ler_by_db,
        .of_no_record = true,
        .workload = "tf_db",
        .property = "bt-ler-db",
    },
    {
        .name = "ler-db-in-guest",
        .sentence = "In a guest, a #DB that a VM entry injects may update the LER.",
        .source = "SDM vol. 3C, \"Details of Vectored-Event Injection\"; which hypervisor "
                  "injects a guest's own #DB is derived",
        .confidence = DERIVED,
        .applies = is_last_event_in_guest,
        .platform = ON_SILICON,
        .accounts = is_of_db,
        .explains_probe = changes_ler_in_guest,
        .of_no_record = true,
        .workload = "tf_db",
        .property = "bt-ler-db",
    },
    {
        .name = "lbr-v2-events",
        .sentence = "AMD's LBR stack of version 2 has an entry of each exception and "
                    "interrupt.",
        .source =
            "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\", says so of the one "
            "pair",
        .confidence = UNCONFIRMED,
        .applies = is_stack_v2,
        .explains = is_lost_event,
        .of_all = true,
        .workload = "int",
        .property = "bt-v2-no-events",
    },
    {
        .name = "ler-to-top",
        .errata = "BDM131, BDW120, BDF93, BDH80, BDX93",
        .sentence =
            "Bits 63:61 of the LER's TO need not match the sign bit of the address, so "
            "the kernel sign-extends TO after reading it.",
        .source = "Xen, xen/arch/x86/hvm/vmx/vmx.c, ler_to_fixup_check()",
        .confidence = ERRATUM,
        .applies = is_last_event,
        .cpus = broadwell, /* Xen has 56H too, for which Intel's lists have no identifier */
        .of_no_record = true, /* kernel/methods/ler.c works around it */
        .workload = "int",
        .property = "bt-ler-to-top",
    },
    {
        .name = "step-rep-64",
        .errata = "none known",
        .sentence = "While RCX is above 16, one step executes up to 64 iterations of a REP "
                    "string instruction; with 16 or less it executes one.",
        .source = "rr, src/Task.cc; rr#1904, rr#1948",
        .confidence = ERRATUM,
        .applies = steps_each,
        .platform = ON_SILICON,
        .cpus = knights_landing,
        .noted = true,
        .of_no_record = true, /* tools/judge/rounds.c counts the stops */
        .workload = "rep",
        .property = "bt-rep-64",
    },
};
RULE_TABLE(errata_rules, rows);
