/*
 * Processor Trace: the processor writes packets, from which the branches are decoded with
 * the code.
 *
 * A conditional branch is one bit (TNT); an indirect branch is a packet with its target
 * (TIP); an event is two packets: where it was taken (FUP) and its handler (TIP).
 * Recording continues after a #DB.  The probe tries the filters, the packets of time (MTC,
 * CYC) and the interrupt of a full region; the name of the rule that it finds broken is the
 * code of the deviation (deviation.h).  The errata of packets are in errata.c.
 */
#include "pt.h"

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

/* Today's libipt does not decode packets without that event, so the packets fail first. */
static bool is_lost_db(const struct rule_record *record)
{
    return record->class == LOST && rule_enters_db(record);
}

/* In a guest the packets may tell of the hypervisor. */
static bool is_without_vmx(const struct rule_place *place)
{
    return has_packets(place) && !rule_is_in_guest(place);
}

static const struct rule rows[] = {
    {
        .name = "pt-tnt",
        .sentence = "Packets also hold one TNT bit for each conditional branch that is not "
                    "taken.",
        .source = COFI,
        .confidence = STATED,
        .applies = has_packets,
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
        .explains = is_lost_db,
        .of_all = true,
        .workload = "icebp",
    },
    {
        .name = "pt-error",
        .sentence =
            "Error in IA32_RTIT_STATUS is set only if the processor meets a table or "
            "a region that it cannot use.",
        .source = PT_SOURCE "\"Operational Errors\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-status",
        .sentence =
            "IA32_RTIT_STATUS has no bit that the processor's manual and CPUID do not "
            "define.",
        .source = PT_SOURCE "\"IA32_RTIT_STATUS MSR\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "loop",
    },
    /* The same title says that the processor may modify the field at any time. */
    {
        .name = "pt-byte-count",
        .sentence =
            "PacketByteCnt in IA32_RTIT_STATUS is the number of bytes since the last "
            "PSB.",
        .source = PT_SOURCE "\"IA32_RTIT_STATUS MSR\"",
        .confidence = DERIVED,
        .applies = has_packets,
        .platform = ON_EMULATOR,
        .of_run = true,
        .of_no_record = true, /* tools/judge/packets.c counts them */
        .workload = "loop",
    },
    {
        .name = "pt-off",
        .sentence =
            "Packets of time, power, data and transactions, and the state of a transaction "
            "in a PSB+, come only where they are switched on.",
        .source = PT_SOURCE "\"Packet Definitions\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-vmcs",
        .sentence = "VMCS packets come only in VMX operation.",
        .source = PT_SOURCE "\"VMCS Packet\"",
        .confidence = STATED,
        .applies = is_without_vmx,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-pip",
        .sentence = "The CR3 in a PIP is the processor's, which no workload changes.",
        .source = PT_SOURCE "\"Paging Information Packet (PIP)\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-after",
        .sentence = "No packet but PAD follows the TIP.PGD of the WRMSR that clears "
                    "TraceEn.",
        .source = PT_SOURCE "\"Enabling and Disabling Packet Generation with TraceEn\"",
        .confidence = DERIVED,
        .applies = has_packets,
        .of_run = true,
        .of_no_record = true, /* tools/judge/packets.c looks for it */
        .workload = "loop",
    },
    {
        .name = "pt-psb-period",
        .sentence =
            "With PSBFreq 0, a PSB comes about 2 KiB after the one before it, and few "
            "come sooner because of other micro-architectural conditions.",
        .source = PT_SOURCE "\"PSB Packet\"",
        .confidence = DERIVED,
        .applies = has_packets,
        .of_run = true,
        .of_no_record = true, /* tools/judge/packets.c measures it */
        .workload = "interrupts",
    },
    {
        .name = "pt-once",
        .sentence =
            "Without a filter, packet generation begins once and ends once, unless an "
            "SMI interrupts it.",
        .source = PT_SOURCE "\"System Management Mode (SMM)\"",
        .confidence = DERIVED,
        .applies = has_packets,
        .of_run = true,
        .of_no_record = true, /* tools/judge/packets.c counts them */
        .workload = "loop",
    },
    {
        .name = "pt-losses-few",
        .sentence =
            "Packets are lost so rarely that at most one run of a log still lacks some "
            "after it was made again.",
        .source = "this project: the number is chosen",
        .confidence = STATED,
    },
    {
        .name = "pt-stopped",
        .sentence =
            "A full ToPA region whose STOP bit is set ends packet generation and sets "
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
        .of_run = true,
        .of_no_record = true, /* tools/judge/packets.c looks for it */
        .workload = "loop",
    },
    {
        .name = "pt-fup",
        .sentence = "A FUP with its address comes before the TIP or TIP.PGD of a software "
                    "interrupt.",
        .source = COFI,
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "int",
    },
    {
        .name = "pt-begin",
        .sentence = "TIP.PGE begins the packets, with the address of the instruction after "
                    "the WRMSR that sets TraceEn.",
        .source = PT_SOURCE "\"Packet Generation under Different Enable Conditions\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-end",
        .sentence = "FUP and TIP.PGD end the packets, at the WRMSR that clears TraceEn.",
        .source = PT_SOURCE "\"Packet Generation under Different Enable Conditions\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-psb-counted",
        .sentence = "With PacketByteCnt 0 in IA32_RTIT_CTL, a PSB begins the packets.",
        .source = PT_SOURCE "\"PSB Packet\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "loop",
    },
    {
        .name = "pt-decodes",
        .sentence = "Each packet fits the code to which the packets before it lead.",
        .source = COFI,
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .of_audit = true,
        .workload = "loop",
        .property = "bt-pt-drop-tnt",
    },
    {
        .name = "pt-until-full",
        .sentence =
            "The packets before a full region are those of the first branches of the "
            "trace.",
        .source = PT_SOURCE "\"ToPA STOP\"",
        .confidence = STATED,
        .applies = has_packets,
        .of_run = true,
        .workload = "million",
    },
    {
        .name = "pt-user-clear",
        .sentence = "With IA32_RTIT_CTL.USER clear, ring 0 generates the same packets as "
                    "with USER set.",
        .source = CPL,
        .confidence = STATED,
    },
    {
        .name = "pt-os-clear",
        .sentence = "With IA32_RTIT_CTL.OS clear, ring 0 generates no packets.",
        .source = CPL,
        .confidence = STATED,
        .property = "bt-pt-ignore-os",
    },
    {
        .name = "pt-cr3-same",
        .sentence =
            "With CR3Filter set and IA32_RTIT_CR3_MATCH equal to CR3, code generates "
            "the same packets as without the filter.",
        .source = PT_SOURCE "\"Filtering by CR3\"",
        .confidence = STATED,
    },
    {
        .name = "pt-cr3-other",
        .sentence = "With CR3Filter set and another value in IA32_RTIT_CR3_MATCH, code "
                    "generates no packets.",
        .source = PT_SOURCE "\"Filtering by CR3\"",
        .confidence = STATED,
        .property = "bt-pt-ignore-cr3",
    },
    {
        .name = "pt-range",
        .sentence = "With an address range as filter, only code in the range generates "
                    "packets.",
        .source = PT_SOURCE "\"Filtering by IP\"",
        .confidence = STATED,
        .property = "bt-pt-ignore-range",
    },
    /* That title also says that MTC packets can be dropped. */
    {
        .name = "pt-mtc",
        .sentence = "With MTCEn set, a long run has at least two MTC packets.",
        .source = MTC,
        .confidence = DERIVED,
        .property = "bt-pt-mtc-once",
    },
    {
        .name = "pt-mtc-changes",
        .sentence = "Two MTC packets in a row have different values.",
        .source = MTC,
        .confidence = DERIVED,
    },
    {
        .name = "pt-mtc-alone",
        .sentence = "MTC packets change no other packet.",
        .source = MTC,
        .confidence = DERIVED,
    },
    {
        .name = "pt-cyc",
        .sentence = "With CYCEn set, there are CYC packets.",
        .source = CYC,
        .confidence = DERIVED,
        .property = "bt-pt-no-cyc",
    },
    {
        .name = "pt-cyc-alone",
        .sentence = "CYC packets change no other packet.",
        .source = CYC,
        .confidence = DERIVED,
    },
    {
        .name = "pt-pmi",
        .sentence = "A full ToPA region whose INT bit is set raises an interrupt.",
        .source = PMI,
        .confidence = STATED,
    },
    /* That title also says that the interrupt is not precise. */
    {
        .name = "pt-pmi-once",
        .sentence = "A full ToPA region raises one interrupt, and no more.",
        .source = PMI,
        .confidence = DERIVED,
        .property = "bt-pt-pmi-twice",
    },
    {
        .name = "pt-pmi-cost",
        .sentence = "The interrupt of a full ToPA region loses no branch.",
        .source = PMI,
        .confidence = DERIVED,
    },
};
RULE_TABLE(pt_rules, rows);

const struct rule *pt_derived_rule(uint32_t deviations)
{
    const struct rule *first = NULL;

    for (enum deviation i = DEVIATES_OTHERWISE; i < DEVIATIONS; i++) {
        const struct rule *rule = rule_named(deviation_codes[i - 1]);

        if (!(deviations & DEVIATION(i)))
            continue;
        if (!rule || rule->confidence != DERIVED)
            return NULL;
        first = first ? first : rule;
    }
    return first;
}
