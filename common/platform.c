/*
 * The table of platforms.  platform.h tells what a row is; a new one is a new row.
 *
 * What Linux, Xen, QEMU and VirtualBox do was read in their sources, of which each fact
 * names the file; none of it was measured with this program unless the row says so.
 */
#include "platform.h"

#include "pmu.h"
#include "text.h"
#include "workload.h"

#define INTEL "GenuineIntel"
#define AMD   "AuthenticAMD"
#define HYGON "HygonGenuine"

/* A processor of which nothing is taken away: all that its model's row has works. */
#define STEP_WORKS                                                                       \
    {                                                                                    \
        FACILITY_STEP, ALWAYS, NULL, FOUND(WORKS), "RFLAGS.TF steps on every processor", \
            "SDM vol. 3B, \"Single-Step Exception Condition\"", "stated"                 \
    }
#define AS_THE_MODEL(facility, has_it, lacks_it)                                          \
    { facility, MODEL_HAS, NULL, FOUND(WORKS), has_it, "the model's row", "stated" },     \
    {                                                                                     \
        facility, MODEL_LACKS, NULL, FOUND(ABSENT), lacks_it, "the model's row", "stated" \
    }
#define ALL_OF_THE_MODEL                                                               \
    STEP_WORKS, { FACILITY_BTF,                                                        \
                  MODEL_HAS,                                                           \
                  NULL,                                                                \
                  FOUND(WORKS),                                                        \
                  "this model steps on branches",                                      \
                  "the model's row",                                                   \
                  "stated" },                                                          \
        AS_THE_MODEL(FACILITY_LBR, "this model has last-branch records",               \
                     "no last-branch records are known of this model"),                \
        AS_THE_MODEL(FACILITY_BTS, "this model has BTS, and CPUID agrees",             \
                     "this model has no BTS, or CPUID or MISC_ENABLE takes it away"),  \
        AS_THE_MODEL(FACILITY_TR, "this model has TR",                                 \
                     "this model has no TR, or it is not known where"),                \
        AS_THE_MODEL(FACILITY_PMI, "a counter of this processor interrupts",           \
                     "no counters of this processor are known, or CPUID denies them"), \
        AS_THE_MODEL(FACILITY_LER, "this model has a last exception record",           \
                     "no last exception record is known of this model"),               \
        AS_THE_MODEL(                                                                  \
            FACILITY_FREEZE, "CPUID announces that an interrupt freezes",              \
            "CPUID announces no freezing, or the model has no LBR or no counters"),    \
        AS_THE_MODEL(FACILITY_BRS, "CPUID announces branch sampling",                  \
                     "CPUID announces no branch sampling, or the model has none")

/* A platform of which the reference says nothing that could be held against it. */
#define UNKNOWN_HERE(of, said)                                                             \
    {                                                                                      \
        of, ALWAYS, NULL, ANY_FINDING, "not known: trying it decides", said, "unconfirmed" \
    }

#define LER_UNKNOWN(said)                                \
    { FACILITY_LER,                                      \
      MODEL_LACKS,                                       \
      NULL,                                              \
      FOUND(ABSENT),                                     \
      "no last exception record is known of this model", \
      "the model's row",                                 \
      "stated" },                                        \
        UNKNOWN_HERE(FACILITY_LER, said)

#define BRS_UNKNOWN                                                \
    { FACILITY_BRS,                                                \
      MODEL_LACKS,                                                 \
      NULL,                                                        \
      FOUND(ABSENT),                                               \
      "CPUID announces no branch sampling, or the model has none", \
      "the model's row",                                           \
      "stated" },                                                  \
        UNKNOWN_HERE(FACILITY_BRS, "no source")

#define NO_TR                                                                             \
    {                                                                                     \
        FACILITY_TR, MODEL_LACKS, NULL, FOUND(ABSENT),                                    \
            "this model has no TR, or it is not known where", "the model's row", "stated" \
    }

#define KVM_VMX "Linux, arch/x86/kvm/vmx/vmx.c"
#define KVM_PMU "Linux, arch/x86/kvm/vmx/pmu_intel.c"
#define KVM_SVM "Linux, arch/x86/kvm/svm/svm.c"
#define XEN_VMX "Xen, xen/arch/x86/hvm/vmx/vmx.c"
#define XEN_SVM "Xen, xen/arch/x86/hvm/svm"
#define TCG_MSR "QEMU, target/i386/tcg/sysemu/misc_helper.c"
#define TCG_CPU "QEMU, target/i386/cpu.c, TCG_FEATURES"
#define VBOX    "VirtualBox, src/VBox/VMM/VMMAll/CPUMAllMsrs.cpp"

const struct platform platforms[] = {
    {
        .name = "metal",
        .about = "no hypervisor announced: the processor itself, or a guest whose hypervisor hides",
        .hypervisor = "",
        .facts = { ALL_OF_THE_MODEL },
    },
    {
        .name = "kvm",
        .about = "KVM: steps, drops BTF, has no BTS; LBR with a matching format, on AMD by "
                 "version",
        .hypervisor = "KVMKVMKVM",
        .facts = {
            STEP_WORKS,
            { FACILITY_BTF, ALWAYS, INTEL, FOUND(DEAD), "KVM ignores BTF in DEBUGCTL, always",
              KVM_VMX, "stated" },
            { FACILITY_BTF, ALWAYS, NULL, FOUND(DEAD),
              "KVM drops BTF; before 6.14 it acted only beside LBR", KVM_SVM, "stated" },
            { FACILITY_LBR, MODEL_LACKS, NULL, FOUND(ABSENT),
              "no last-branch records are known of this model", "the model's row", "stated" },
            { FACILITY_LBR, LBR_BY_CPUID, INTEL, FOUND(ABSENT),
              "KVM does not show architectural LBR", KVM_PMU, "stated" },
            { FACILITY_LBR, LBR_BY_CPUID, NULL, FOUND(ABSENT),
              "KVM does not show AMD's LBR stack version 2", KVM_SVM, "stated" },
            { FACILITY_LBR, LBR_FORMAT_FITS, INTEL, FOUND(WORKS),
              "KVM gives LBR where LBR_FMT is the host's (since 5.12; perf on the host may "
              "take it away)", KVM_PMU, "stated" },
            { FACILITY_LBR, LBR_FORMAT_ZERO, INTEL, FOUND(DEAD),
              "KVM ignores LBR where PERF_CAPABILITIES has no LBR_FMT", KVM_PMU, "stated" },
            { FACILITY_LBR, MODEL_HAS, AMD, FOUND(WORKS) | FOUND(DEAD),
              "KVM gives LBR where kvm_amd has lbrv, and else ignores it", KVM_SVM,
              "stated" },
            { FACILITY_BTS, ALWAYS, NULL, FOUND(ABSENT) | FOUND(FAULTS),
              "KVM has no BTS: TR and BTS in DEBUGCTL are #GP", KVM_VMX, "stated" },
            NO_TR,
            { FACILITY_TR, ALWAYS, NULL, FOUND(FAULTS), "TR in DEBUGCTL is #GP", KVM_VMX,
              "stated" },
            { FACILITY_PMI, ALWAYS, NULL,
              FOUND(WORKS) | FOUND(DEAD) | FOUND(FAULTS) | FOUND(ABSENT),
              "KVM has counters where the machine is given them (pmu=on)", KVM_PMU,
              "stated" },
            LER_UNKNOWN("what KVM makes of it was not looked at"),
            UNKNOWN_HERE(FACILITY_FREEZE, "what KVM makes of it was not looked at"),
            { FACILITY_BRS, ALWAYS, NULL, FOUND(ABSENT), "KVM does not show branch sampling",
              KVM_SVM, "stated" },
        },
    },
    {
        .name = "xen",
        .about = "Xen HVM: BTF and LBR reach the guest; BTS with vpmu=bts",
        .hypervisor = "XenVMMXenVMM",
        .facts = {
            STEP_WORKS,
            { FACILITY_BTF, MODEL_HAS, INTEL, FOUND(WORKS), "Xen always allows BTF", XEN_VMX,
              "stated" },
            { FACILITY_BTF, MODEL_HAS, AMD, FOUND(WORKS),
              "Xen gives DebugCtl through the VMCB's LBR virtualisation", XEN_SVM, "stated" },
            { FACILITY_LBR, MODEL_LACKS, NULL, FOUND(ABSENT),
              "no last-branch records are known of this model", "the model's row", "stated" },
            { FACILITY_LBR, LBR_BY_CPUID, NULL, ANY_FINDING,
              "not known: trying it decides", XEN_VMX, "unconfirmed" },
            { FACILITY_LBR, MODEL_HAS, INTEL, FOUND(WORKS) | FOUND(DEAD),
              "Xen gives LBR on models that it knows, and else ignores it", XEN_VMX,
              "stated" },
            { FACILITY_LBR, MODEL_HAS, AMD, FOUND(WORKS),
              "Xen gives the one pair through the VMCB's LBR virtualisation", XEN_SVM,
              "stated" },
            { FACILITY_BTS, MODEL_LACKS, NULL, FOUND(ABSENT),
              "this model has no BTS, or CPUID or MISC_ENABLE takes it away",
              "the model's row", "stated" },
            { FACILITY_BTS, ALWAYS, INTEL, FOUND(WORKS) | FOUND(FAULTS) | FOUND(ABSENT),
              "Xen gives BTS with vpmu=bts, and else TR and BTS are #GP", XEN_VMX,
              "stated" },
            NO_TR,
            { FACILITY_TR, ALWAYS, INTEL, FOUND(WORKS) | FOUND(FAULTS),
              "Xen gives TR with vpmu=bts, and else it is #GP", XEN_VMX, "stated" },
            UNKNOWN_HERE(FACILITY_PMI, "Xen has an option vpmu"),
            LER_UNKNOWN("no source"),
            UNKNOWN_HERE(FACILITY_FREEZE, "no source"),
            BRS_UNKNOWN,
        },
    },
    {
        .name = "tcg",
        .about = "stock QEMU's TCG: steps, and has none of this hardware",
        .hypervisor = HYPERVISOR_TCG,
        .told_by_dead_btf = true,
        .emulated = true,
        .gets_wrong = WORKLOAD_NOT_STOCK,
        .facts = {
            STEP_WORKS,
            { FACILITY_BTF, ALWAYS, NULL, FOUND(DEAD), "QEMU ignores what is written to DEBUGCTL",
              TCG_MSR, "measured" },
            { FACILITY_LBR, MODEL_LACKS, NULL, FOUND(ABSENT),
              "no last-branch records are known of this model", "the model's row", "stated" },
            { FACILITY_LBR, ALWAYS, NULL, FOUND(DEAD), "QEMU ignores what is written to DEBUGCTL",
              TCG_MSR, "measured" },
            { FACILITY_BTS, ALWAYS, NULL, FOUND(ABSENT), "TCG has no CPUID.DS", TCG_CPU,
              "measured" },
            NO_TR,
            { FACILITY_TR, ALWAYS, NULL, FOUND(DEAD), "QEMU ignores what is written to DEBUGCTL",
              TCG_MSR, "measured" },
            { FACILITY_PMI, ALWAYS, NULL, FOUND(ABSENT) | FOUND(DEAD),
              "TCG has no counters, and ignores what is written to their registers",
              TCG_MSR, "measured" },
            { FACILITY_LER, MODEL_LACKS, NULL, FOUND(ABSENT),
              "no last exception record is known of this model", "the model's row", "stated" },
            { FACILITY_LER, ALWAYS, NULL, FOUND(DEAD),
              "QEMU ignores what is written to DEBUGCTL", TCG_MSR, "measured" },
            { FACILITY_FREEZE, ALWAYS, NULL, FOUND(ABSENT) | FOUND(DEAD),
              "TCG has no counters, and ignores what is written to DEBUGCTL", TCG_MSR,
              "measured" },
            { FACILITY_BRS, ALWAYS, NULL, FOUND(ABSENT) | FOUND(DEAD),
              "TCG has no branch sampling", TCG_CPU, "measured" },
        },
    },
    {
        .name = "emulator",
        .about = "this project's QEMU: all that the model's row has",
        .hypervisor = HYPERVISOR_TCG,
        .emulated = true,
        .facts = { ALL_OF_THE_MODEL },
    },
    {
        .name = "silicon-mode",
        .about = "this project's QEMU in silicon mode: it does what real processors were seen "
                 "to do, and is judged as they are",
        .hypervisor = HYPERVISOR_TCG_AS_METAL,
        .emulated = true,
        .judged_as_silicon = true,
        .facts = { ALL_OF_THE_MODEL },
    },
    {
        .name = "virtualbox",
        .about = "VirtualBox: steps, and has none of this hardware",
        .hypervisor = "VBoxVBoxVBox",
        .facts = {
            STEP_WORKS,
            { FACILITY_BTF, ALWAYS, NULL, FOUND(DEAD) | FOUND(FAULTS),
              "VirtualBox ignores BTF, or its profile of the processor makes it #GP", VBOX,
              "stated" },
            { FACILITY_LBR, MODEL_LACKS, NULL, FOUND(ABSENT),
              "no last-branch records are known of this model", "the model's row", "stated" },
            { FACILITY_LBR, ALWAYS, NULL, FOUND(DEAD) | FOUND(FAULTS),
              "VirtualBox has no LBR for guests", VBOX, "stated" },
            { FACILITY_BTS, ALWAYS, NULL, FOUND(ABSENT), "VirtualBox hides CPUID.DS", VBOX,
              "stated" },
            NO_TR,
            { FACILITY_TR, ALWAYS, NULL, FOUND(DEAD) | FOUND(FAULTS),
              "VirtualBox ignores TR, or its profile of the processor makes it #GP", VBOX,
              "stated" },
            UNKNOWN_HERE(FACILITY_PMI, "no source"),
            LER_UNKNOWN("no source"),
            UNKNOWN_HERE(FACILITY_FREEZE, "no source"),
            BRS_UNKNOWN,
        },
    },
    {
        .name = "vmware",
        .about = "VMware: LBR is an option (vpmc); the rest is not known",
        .hypervisor = "VMwareVMware",
        .facts = { UNKNOWN_HERE(FACILITY_BTF, "a report of 2006 says that it did not work"),
                   UNKNOWN_HERE(FACILITY_LBR, "no source"),
                   UNKNOWN_HERE(FACILITY_BTS, "no source"),
                   UNKNOWN_HERE(FACILITY_TR, "no source"),
                   UNKNOWN_HERE(FACILITY_PMI, "no source"),
                   UNKNOWN_HERE(FACILITY_LER, "no source"),
                   UNKNOWN_HERE(FACILITY_FREEZE, "no source"),
                   BRS_UNKNOWN },
    },
    {
        .name = "hyperv",
        .about = "Hyper-V: LBR is a setting of the machine; the rest is not known",
        .hypervisor = "Microsoft Hv",
        .facts = { UNKNOWN_HERE(FACILITY_BTF, "no source"),
                   UNKNOWN_HERE(FACILITY_LBR, "no source"),
                   UNKNOWN_HERE(FACILITY_BTS, "no source"),
                   UNKNOWN_HERE(FACILITY_TR, "no source"),
                   UNKNOWN_HERE(FACILITY_PMI, "no source"),
                   UNKNOWN_HERE(FACILITY_LER, "no source"),
                   UNKNOWN_HERE(FACILITY_FREEZE, "no source"),
                   BRS_UNKNOWN },
    },
};
const size_t platform_count = sizeof platforms / sizeof platforms[0];

const char *const facility_names[FACILITY_COUNT] = {
    [FACILITY_STEP] = "step", [FACILITY_BTF] = "btf",       [FACILITY_LBR] = "lbr",
    [FACILITY_BTS] = "bts",   [FACILITY_TR] = "tr",         [FACILITY_PMI] = "pmi",
    [FACILITY_LER] = "ler",   [FACILITY_FREEZE] = "freeze", [FACILITY_BRS] = "brs",
};

const char *finding_name(enum finding finding)
{
    static const char *const names[FINDING_COUNT] = {
        [WORKS] = "works",   [DEVIATES] = "deviates", [DEAD] = "dead",
        [FAULTS] = "faults", [ABSENT] = "absent",     [AVOIDED] = "avoided"
    };
    return names[finding];
}

/* A processor of which it is not known whether BTF acts tells nothing by a dead one. */
static bool btf_is_missing(const struct model *model, bool btf_acts)
{
    return !btf_acts && !(model && model->btf_unconfirmed);
}

const struct platform *platform_find(const char *hypervisor, const struct model *model,
                                     bool btf_acts)
{
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];
        if (!text_same(row->hypervisor, hypervisor))
            continue;
        if (!row->told_by_dead_btf || btf_is_missing(model, btf_acts))
            return row;
    }
    return NULL;
}

const struct platform *platform_named(const char *name)
{
    for (size_t i = 0; i < platform_count; i++)
        if (text_same(platforms[i].name, name))
            return &platforms[i];
    return NULL;
}

bool platform_freezes(const struct cpu_id *id)
{
    return id->amd_freezes || (text_same(id->vendor, INTEL) && id->perfmon > 1);
}

static bool model_has(const struct platform_guest *guest, enum facility facility)
{
    const struct model *model = guest->model;
    switch (facility) {
    case FACILITY_STEP:
        return true;
    case FACILITY_BTF:
        return model && model->debugctl.btf && !model->btf_unconfirmed;
    case FACILITY_LBR:
        return model && guest->lbr_depth > 0;
    case FACILITY_TR:
        return model && model->debugctl.tr;
    case FACILITY_PMI:
        return !pmu_lacks_all(guest->id);
    case FACILITY_LER:
        return model && model->ler_from;
    case FACILITY_FREEZE:
        return model && guest->lbr_depth > 0 && !pmu_lacks_all(guest->id) &&
               platform_freezes(guest->id);
    case FACILITY_BRS:
        return model && model->brs.depth && guest->id->amd_brs;
    default:
        return model && model->bts && guest->id->ds && !guest->no_bts;
    }
}

static bool fits(const struct platform_fact *fact, const struct platform_guest *guest)
{
    const struct model *model = guest->model;
    uint8_t format = guest->id->lbr_format;
    switch (fact->when) {
    case MODEL_HAS:
        return model_has(guest, fact->facility);
    case MODEL_LACKS:
        return !model_has(guest, fact->facility);
    case LBR_BY_CPUID:
        return model && (model->needs_arch_lbr || model->needs_amd_lbr_v2);
    case LBR_FORMAT_FITS:
        return model && format && format < 8 && model->lbr.formats >> format & 1;
    case LBR_FORMAT_ZERO:
        return !format;
    default:
        return true;
    }
}

const struct platform_fact *platform_fact(const struct platform *row,
                                          const struct platform_guest *guest,
                                          enum facility facility)
{
    for (size_t i = 0; i < PLATFORM_FACTS_MAX && row->facts[i].about; i++) {
        const struct platform_fact *fact = &row->facts[i];
        bool vendor = !fact->vendor || text_same(fact->vendor, guest->id->vendor);
        if (fact->facility == facility && vendor && fits(fact, guest))
            return fact;
    }
    return NULL;
}
