/*
 * Errata: what some processors do contrary to their manuals.
 *
 * An erratum is a rule like any other, with the vendor's identifiers and the processors
 * that have it.  It accounts only for the difference that it describes, and only there.
 * An erratum that the kernel works around makes no difference in the trace.
 */
#include "rule.h"

#include "count_of.h"
#include "expected.h"
#include "filter.h"
#include "text.h"

/* Broadwell.  Xen has 56H as well, for which Intel's lists have no identifier. */
static bool has_ler_to_top(const struct rule_place *place)
{
    static const uint8_t numbers[] = { 0x3d, 0x47, 0x4f, 0x56 };

    return place->method->last_event && rule_is_intel_6(place, numbers, COUNT_OF(numbers));
}

static bool has_rep_64(const struct rule_place *place)
{
    static const uint8_t knights_landing[] = { 0x57 };

    return place->method->every_insn &&
           rule_is_intel_6(place, knights_landing, COUNT_OF(knights_landing));
}

#define INT_N   0xcd
#define INT3    0xcc
#define IRET    0xcf
#define RETF    0xcb
#define ESCAPE  0x0f
#define SYSRET  0x07
#define SYSEXIT 0x35
#define REX_W   0x48
#define NO_BYTE 0x100

/* The byte of code at an address of the workload, or NO_BYTE. */
static unsigned code_at(const struct rule_record *record, uint64_t address)
{
    const uint64_t offset = address - record->at;

    return offset < record->workload->size ? record->workload->code[offset] : NO_BYTE;
}

static bool is_bts(const struct rule_place *place)
{
    return !place->method->silent && place->method->needs & NEEDS(FACILITY_BTS);
}

static bool is_bts_of_a_ring(const struct rule_place *place)
{
    return is_bts(place) && place->filter & FILTER_RINGS;
}

/* True if FROM is the instruction after an INT n or an INT3 that led to its handler. */
static bool is_after_software_int(const struct rule_record *record)
{
    const uint64_t from = record->transfer.from;

    return record->class == WRONG_FROM && rule_stub_at(record, record->transfer.to) &&
           (code_at(record, from - 2) == INT_N || code_at(record, from - 1) == INT3);
}

/* True if the record that should be here may lead to another ring. */
static bool may_change_ring(const struct rule_record *record)
{
    uint64_t from = record->transfer.from;
    unsigned opcode = code_at(record, from);

    if (record->class != WRONG_FROM)
        return false;
    if (rule_stub_at(record, record->transfer.to))
        return true;
    if (opcode == REX_W)
        opcode = code_at(record, ++from);
    return opcode == IRET || opcode == RETF ||
           (opcode == ESCAPE &&
            (code_at(record, from + 1) == SYSRET || code_at(record, from + 1) == SYSEXIT));
}

static bool is_stack_v2(const struct rule_place *place)
{
    return !place->method->silent && place->method->ring_lbr && place->model &&
           place->model->needs_amd_lbr_v2;
}

static bool is_lost_event(const struct rule_record *record)
{
    return record->class == LOST && rule_stub_at(record, record->transfer.to);
}

static bool is_last_event(const struct rule_place *place)
{
    return place->method->last_event;
}

static bool is_event(enum kind kind)
{
    return kind == KIND_INT || kind == KIND_EXC || kind == KIND_DB;
}

/* The LER holds the branch before an event of the workload, but of another one. */
static const char *is_of_other_event(const struct rule_run *run, const struct difference *d,
                                     struct source *got, struct source *want)
{
    struct expected expected;
    struct transfer t, before;
    bool any = false;

    (void)got, (void)want;
    if (!run->workload || run->workload->packed || d->got_ended || d->index ||
        run->records != 1)
        return NULL;
    expected_of(&expected, run->workload, run->at, run->call, run->back, NULL);
    while (expected.source.next(&expected.source, &t)) {
        if (any && is_event(t.kind) && before.from == d->got.from && before.to == d->got.to)
            return "the LER holds the branch before another event";
        before = t;
        any = true;
    }
    return NULL;
}

static const struct rule_cpus core2[] = {
    { .models = { 0x0f, 0x16, 0x17, 0x1d } },
    { .models = { 0 } },
};

static const struct rule_cpus core2_nehalem[] = {
    { .models = { 0x0f, 0x16, 0x17, 0x1d, 0x1a, 0x1e, 0x1f, 0x2e } },
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

static const struct rule_cpus knights_mill[] = {
    { .models = { 0x85 } },
    { .models = { 0 } },
};

static bool has_packets(const struct rule_place *place)
{
    const char *vendor = place->id      ? place->id->vendor
                         : place->model ? place->model->vendor
                                        : "";

    return place->method->packets && !place->method->silent &&
           text_same(vendor, "GenuineIntel");
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
            "One CYC packet, and perhaps an MTC packet, may be missing before a PSB, "
            "which the probe does not count.",
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
        .explains = may_change_ring,
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
        .name = "ler-other-event",
        .errata = "\"LER MSRs May Be Unreliable\"",
        .sentence = "An event that should not update the LER may do so from Core 2 to "
                    "Westmere.",
        .source = "the title of an erratum, quoted from memory",
        .confidence = UNCONFIRMED,
        .applies = is_last_event,
        .platform = ON_SILICON,
        .cpus = core2_to_westmere,
        .accounts = is_of_other_event,
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
        .applies = has_ler_to_top,
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
        .applies = has_rep_64,
        .platform = ON_SILICON,
        .of_no_record = true, /* tools/judge/rounds.c counts the stops */
        .workload = "rep",
        .property = "bt-rep-64",
    },
};
RULE_TABLE(errata_rules, rows);
