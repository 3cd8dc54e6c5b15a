/*
 * Processor Trace: the processor writes packets, from which the branches are decoded with
 * the code.
 *
 * A conditional branch is one bit (TNT); an indirect branch is a packet with its target
 * (TIP); an event is two packets: where it was taken (FUP) and its handler (TIP). Recording
 * continues after a #DB.  The probe tries the filters, the packets of time (MTC, CYC) and
 * the interrupt of a full region, and each result has one rule.  A rule that no manual
 * states is derived here, and a processor that differs from it is measured.
 */
#include "pt.h"

#include "text.h"

#define PT_SOURCE "SDM vol. 3C, \"Intel Processor Trace\", "
#define CPL       PT_SOURCE "\"Filtering by Current Privilege Level (CPL)\""
#define MTC       PT_SOURCE "\"Mini Time Counter (MTC) Packet\""
#define CYC       PT_SOURCE "\"Cycle Count (CYC) Packet\""
#define PMI       PT_SOURCE "\"ToPA PMI\""
#define COFI      "SDM vol. 3C, \"Change of Flow Instruction (COFI) Tracing\""

static bool has_packets(const struct rule_place *place)
{
    return place_records(place) && place->method->packets;
}

/* The rules of the probe come after those of the method, in the order of enum pt_deviation.
 */
#define OF_METHOD        10
#define PROBE(deviation) [OF_METHOD + (deviation) - (PT_NONE + 1)]

static const struct rule rows[] = {
    {
        .name = "pt-tnt",
        .sentence = "Packets also hold one TNT bit for each conditional branch that is not "
                    "taken.",
        .source = COFI,
        .confidence = STATED,
        .applies = has_packets,
        .excused_by = ANY_HIT,
        .workload = "jcc_not",
        .property = "bt-pt-drop-tnt",
    },
    {
        .name = "pt-db",
        .sentence = "The entry of a #DB handler is recorded, because #DB does not stop "
                    "packet generation.",
        .source = COFI,
        .confidence = DERIVED,
        .applies = has_packets,
        .explains = rule_enters_db,
        .workload = "icebp",
    },
    {
        .name = "pt-error",
        .sentence = "Error in IA32_RTIT_STATUS is set only if the processor meets a table or "
                    "a region that it cannot use.",
        .source = PT_SOURCE "\"Operational Errors\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-stopped",
        .sentence = "A full ToPA region whose STOP bit is set ends packet generation and sets "
                    "Stopped in IA32_RTIT_STATUS.",
        .source = PT_SOURCE "\"ToPA STOP\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "million",
    },
    {
        .name = "pt-overflow",
        .sentence = "If the processor's internal buffers overflow, packets are lost and an "
                    "OVF packet follows.",
        .source = PT_SOURCE "\"Internal Buffer Overflow\"",
        .confidence = STATED,
        .applies = has_packets,
        .platform = ON_SILICON, /* the emulator has one only if it is told to */
        .excused_by = HIT_THAT_SHOWS,
        .of_run = true,
        .workload = "million",
        .property = "bt-pt-overflow",
    },
    {
        .name = "pt-psb",
        .sentence = "A PSB begins the packets, even if CPUID does not enumerate the field "
                    "PacketByteCnt.",
        .source = PT_SOURCE "\"CPUID Leaf 14H Enumeration\", of which an excerpt was read",
        .confidence = UNCONFIRMED,
        .applies = has_packets,
        .excused_by = HIT_THAT_SHOWS,
        .of_run = true,
        .of_no_record = true, /* tools/judge/packets.c looks for it */
        .workload = "loop",
    },
    {
        .name = "pt-end",
        .sentence = "FUP and TIP.PGD end the packets, at the WRMSR that clears TraceEn.",
        .source = PT_SOURCE "\"Packet Generation under Different Enable Conditions\"",
        .confidence = STATED,
        .applies = has_packets,
        .excused_by = ANY_HIT,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-psb-counted",
        .sentence = "With PacketByteCnt 0 in IA32_RTIT_CTL, a PSB begins the packets.",
        .source = PT_SOURCE "\"PSB Packet\"",
        .confidence = STATED,
        .applies = has_packets,
        .excused_by = HIT_THAT_SHOWS,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-decodes",
        .sentence = "Each packet fits the code to which the packets before it lead.",
        .source = COFI,
        .confidence = STATED,
        .applies = has_packets,
        .excused_by = HIT_THAT_SHOWS,
        .of_run = true,
        .of_audit = true,
        .workload = "loop",
        .property = "bt-pt-drop-tnt",
    },
    {
        .name = "pt-until-full",
        .sentence = "The packets before a full region are those of the first branches of the "
                    "trace.",
        .source = PT_SOURCE "\"ToPA STOP\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "million",
    },
    PROBE(PT_USER_CLEAR) = {
        .name = "pt-user-clear",
        .sentence = "With IA32_RTIT_CTL.USER clear, ring 0 generates the same packets as "
                    "with USER set.",
        .source = CPL,
        .confidence = STATED,
        .evidence = "with USER clear, packets of ring 0 differ",
    },
    PROBE(PT_OS_CLEAR) = {
        .name = "pt-os-clear",
        .sentence = "With IA32_RTIT_CTL.OS clear, ring 0 generates no packets.",
        .source = CPL,
        .confidence = STATED,
        .evidence = "with OS clear, ring 0 has packets",
        .property = "bt-pt-ignore-os",
    },
    PROBE(PT_CR3_SAME) = {
        .name = "pt-cr3-same",
        .sentence = "With CR3Filter set and IA32_RTIT_CR3_MATCH equal to CR3, code generates "
                    "the same packets as without the filter.",
        .source = PT_SOURCE "\"Filtering by CR3\"",
        .confidence = STATED,
        .evidence = "with CR3_MATCH, packets differ",
    },
    PROBE(PT_CR3_OTHER) = {
        .name = "pt-cr3-other",
        .sentence = "With CR3Filter set and another value in IA32_RTIT_CR3_MATCH, code "
                    "generates no packets.",
        .source = PT_SOURCE "\"Filtering by CR3\"",
        .confidence = STATED,
        .evidence = "with another CR3_MATCH, there are packets",
        .property = "bt-pt-ignore-cr3",
    },
    PROBE(PT_RANGE) = {
        .name = "pt-range",
        .sentence = "With an address range as filter, only code in the range generates "
                    "packets.",
        .source = PT_SOURCE "\"Filtering by IP\"",
        .confidence = STATED,
        .evidence = "with a range, the packets are not those of its code",
        .property = "bt-pt-ignore-range",
    },
    /* That title also says that MTC packets can be dropped. */
    PROBE(PT_MTC_FEW) = {
        .name = "pt-mtc",
        .sentence = "With MTCEn set, a long run has at least two MTC packets.",
        .source = MTC,
        .confidence = DERIVED,
        .evidence = "MTC: fewer than two packets in a long run",
        .property = "bt-pt-mtc-once",
    },
    PROBE(PT_MTC_REPEATS) = {
        .name = "pt-mtc-changes",
        .sentence = "Two MTC packets in a row have different values.",
        .source = MTC,
        .confidence = DERIVED,
        .evidence = "MTC: two in a row have one value",
    },
    PROBE(PT_MTC_OTHERS) = {
        .name = "pt-mtc-alone",
        .sentence = "MTC packets change no other packet.",
        .source = MTC,
        .confidence = DERIVED,
        .evidence = "MTC: the other packets differ",
    },
    PROBE(PT_CYC_NONE) = {
        .name = "pt-cyc",
        .sentence = "With CYCEn set, there are CYC packets.",
        .source = CYC,
        .confidence = DERIVED,
        .evidence = "CYC: no packet",
        .property = "bt-pt-no-cyc",
    },
    PROBE(PT_CYC_OTHERS) = {
        .name = "pt-cyc-alone",
        .sentence = "CYC packets change no other packet.",
        .source = CYC,
        .confidence = DERIVED,
        .evidence = "CYC: the other packets differ",
    },
    PROBE(PT_PMI_NONE) = {
        .name = "pt-pmi",
        .sentence = "A full ToPA region whose INT bit is set raises an interrupt.",
        .source = PMI,
        .confidence = STATED,
        .evidence = "a full region does not interrupt",
    },
    /* That title also says that the interrupt is not precise. */
    PROBE(PT_PMI_MORE) = {
        .name = "pt-pmi-once",
        .sentence = "A full ToPA region raises one interrupt, and no more.",
        .source = PMI,
        .confidence = DERIVED,
        .evidence = "a full region interrupts more than once",
        .property = "bt-pt-pmi-twice",
    },
    PROBE(PT_PMI_COST) = {
        .name = "pt-pmi-cost",
        .sentence = "The interrupt of a full ToPA region loses no branch.",
        .source = PMI,
        .confidence = DERIVED,
        .evidence = "the interrupt of a full region costs branches",
    },
};
RULE_TABLE(pt_rules, rows);

/* The rule that the deviation breaks. */
static const struct rule *pt_deviation_rule(enum pt_deviation deviation)
{
    return &rows[OF_METHOD + deviation - (PT_NONE + 1)];
}

const char *pt_deviation_evidence(enum pt_deviation deviation)
{
    return deviation == PT_NONE ? NULL : pt_deviation_rule(deviation)->evidence;
}

/* True if the evidence is these words, or has more of them after "; ". */
static bool says(const char *evidence, const char *words)
{
    if (!text_begins(evidence, words))
        return false;
    evidence += text_length(words);
    return !*evidence || text_begins(evidence, "; ");
}

/* The derived rule whose deviation comes first in the evidence, or NULL. */
static const struct rule *derived_at(const char *evidence)
{
    for (enum pt_deviation i = PT_NONE + 1; i < PT_DEVIATIONS; i++) {
        const struct rule *rule = pt_deviation_rule(i);

        if (rule->confidence == DERIVED && says(evidence, rule->evidence))
            return rule;
    }
    return NULL;
}

const struct rule *pt_derived_rule(const char *evidence)
{
    const struct rule *first = derived_at(evidence), *rule = first;

    while (rule) {
        evidence += text_length(rule->evidence);
        if (!*evidence)
            return first;
        evidence += text_length("; ");
        rule = derived_at(evidence);
    }
    return NULL;
}
