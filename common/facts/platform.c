/*
 * The table of platforms.  platform.h tells what a row is; a new one is a new row.
 *
 * The facts about Linux, Xen, QEMU, Bochs and VirtualBox come from their sources; each fact
 * names the file or the commit.  None was measured with this program unless the row says
 * so.
 */
#include "platform.h"

#include "pmu.h"
#include "text.h"
#include "vendor.h"
#include "workload.h"

#define HYGON "HygonGenuine"

#define KNOWN(of, in_case, found, said, by, ...)                                \
    {                                                                           \
        .facility = FACILITY_##of, .when = (in_case), .probe_results = (found), \
        .about = (said), .source = (by), .confidence = STATED, __VA_ARGS__      \
    }

#define MEASURED(of, in_case, found, said, by)                                  \
    {                                                                           \
        .facility = FACILITY_##of, .when = (in_case), .probe_results = (found), \
        .about = (said), .source = (by), .confidence = RECORDED                 \
    }

#define STEP_WORKS                                                          \
    KNOWN(STEP, ALWAYS, FOUND(WORKS), "RFLAGS.TF steps on every processor", \
          "SDM vol. 3B, \"Single-Step Exception Condition\"")

/* The whole processor: every facility that its model's row has works. */
#define BY_ROW(of, said) KNOWN(of, MODEL_HAS, FOUND(WORKS), said, "the model's row")
#define ALL_OF_THE_MODEL                                             \
    STEP_WORKS, BY_ROW(BTF, "this model steps on branches"),         \
        BY_ROW(LBR, "this model has last-branch records"),           \
        BY_ROW(BTS, "this model has BTS, and CPUID agrees"),         \
        BY_ROW(TR, "this model has TR"),                             \
        BY_ROW(PMI, "a counter of this processor interrupts"),       \
        BY_ROW(LER, "this model has a last exception record"),       \
        BY_ROW(FREEZE, "CPUID announces that an interrupt freezes"), \
        BY_ROW(BRS, "CPUID announces branch sampling"),              \
        BY_ROW(PT, "CPUID announces Processor Trace")

/* Undocumented: any probe result is accepted. */
#define OPEN(of, in_case)                                                                 \
    {                                                                                     \
        .facility = FACILITY_##of, .when = (in_case), .probe_results = ANY_FINDING,       \
        .about = "its behaviour on this platform is undocumented", .source = "no source", \
        .confidence = UNCONFIRMED                                                         \
    }

#define NOTHING_OF_IT (FOUND(ABSENT) | FOUND(DEAD) | FOUND(FAULTS))

#define KVM_VMX  "Linux, arch/x86/kvm/vmx/vmx.c"
#define KVM_PMU  "Linux, arch/x86/kvm/vmx/pmu_intel.c"
#define KVM_SVM  "Linux, arch/x86/kvm/svm/svm.c"
#define KVM_MSR  "Linux, arch/x86/kvm/x86.c"
#define KVM_SEV  "Linux commit b7e4be0a224f"
#define XEN_VMX  "Xen, xen/arch/x86/hvm/vmx/vmx.c"
#define XEN_SVM  "Xen, xen/arch/x86/hvm/svm"
#define XEN_VPMU "Xen, docs/misc/xen-command-line.pandoc, vpmu"
#define TCG_MSR  "QEMU, target/i386/tcg/sysemu/misc_helper.c"
#define TCG_CPU  "QEMU, target/i386/cpu.c, TCG_FEATURES"
#define VBOX     "VirtualBox, src/VBox/VMM/VMMAll/CPUMAllMsrs.cpp"
#define BOCHS    "Bochs, bochs/cpu/msr.cc"
#define TDX      "Intel TDX Module Base Architecture Specification"
#define HYPERV   "Microsoft, \"Set-VMProcessor\", -Perfmon"
#define VMWARE   "VMware, \"Using Virtual CPU Performance Monitoring Counters\""

/* MSR C0010131.  AMD64 APM vol. 2, "SEV_STATUS MSR". */
#define SEV_ENABLED     (1u << 0)
#define SEV_ES_ENABLED  (1u << 1)
#define SEV_SNP_ENABLED (1u << 2)

/* Four letters as CPUID has them in a register. */
#define LETTERS(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

const struct platform platforms[] = {
    {
        .name = "metal",
        .about = "no hypervisor announced: the processor itself, AWS's metal instances "
                 "included, or a guest whose hypervisor hides",
        .hypervisor = "",
        .facts = { ALL_OF_THE_MODEL },
    },
    { /* seen in emulated processors, on Linux 6.1 and 6.12, by `make test-kvm` */
        .name = "kvm-amd",
        .about = "KVM on AMD: steps; drops BTF since 6.14; LBR and LER with lbrv.  Cloud "
                 "Hypervisor, crosvm and Firecracker are KVM, too",
        .hypervisor = HYPERVISOR_KVM,
        .vendors = { AMD, HYGON },
        .io_at_once = true,
        .facts = {
            STEP_WORKS,
            KNOWN(BTF, ALWAYS, FOUND(DEAD) | FOUND(WORKS),
                  "KVM 6.14 and later ignore BTF; earlier versions honour it only while "
                  "LBR is on. Either result is expected", KVM_SVM),
            KNOWN(LBR, LBR_BY_CPUID, FOUND(ABSENT),
                  "KVM does not show AMD's LBR stack version 2", KVM_SVM),
            KNOWN(LBR, MODEL_HAS, FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD),
                  "KVM provides LBR if kvm_amd has lbrv. Before 6.18 a DEBUGCTL write "
                  "that reads back may not reach the processor, so a pair that does not "
                  "change proves nothing", KVM_SVM " and commit dc55b3c3f612",
                  .faulty = true),
            KNOWN(BTS, ALWAYS, FOUND(ABSENT), "AMD has no BTS", "the model's row"),
            KNOWN(PMI, ALWAYS, FOUND(WORKS) | NOTHING_OF_IT,
                  "KVM provides counters if the virtual machine is configured with them "
                  "(pmu=on)",
                  "Linux, arch/x86/kvm/svm/pmu.c"),
            KNOWN(LER, MODEL_HAS, FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD),
                  "KVM provides the last exception record if kvm_amd has lbrv",
                  KVM_SVM " and commit dc55b3c3f612", .faulty = true),
            OPEN(FREEZE, MODEL_HAS),
            KNOWN(BRS, ALWAYS, FOUND(ABSENT), "KVM does not show branch sampling", KVM_SVM),
            KNOWN(PT, ALWAYS, FOUND(ABSENT), "AMD has no Processor Trace", "the model's row"),
        },
    },
    {
        .name = "kvm",
        .about = "KVM: steps, drops BTF, has no BTS; LBR with a matching format.  Cloud "
                 "Hypervisor, crosvm and Firecracker are KVM, too",
        .hypervisor = HYPERVISOR_KVM,
        .io_at_once = true, /* seen on Linux 6.1, kvm_amd */
        .facts = {
            STEP_WORKS,
            KNOWN(BTF, ALWAYS, FOUND(DEAD) | FOUND(WORKS) | FOUND(DEVIATES),
                  "KVM ignores DEBUGCTL.BTF (every version read, up to 7.1); a KVM that "
                  "honours it is not a failure", KVM_VMX, .known = FOUND(DEAD),
                  .deviation = LEFT_BTF_SET),
            KNOWN(LBR, LBR_BY_CPUID, FOUND(ABSENT), "KVM does not show architectural LBR",
                  KVM_PMU),
            KNOWN(LBR, LBR_FORMAT_FITS, FOUND(WORKS) | FOUND(DEVIATES) | FOUND(DEAD),
                  "KVM provides LBR if LBR_FMT is the host's (since 5.12; since 2024 only "
                  "on hosts with call-stack mode), except while the host uses LBR, and "
                  "re-injects #DB, which leaves LBR on",
                  KVM_PMU ", intel_pmu_handle_lbr_msrs_access(): \"If LBR has been "
                  "reclaimed\"", .deviation = LEFT_LBR_ON),
            KNOWN(LBR, LBR_FORMAT_ZERO, FOUND(DEAD),
                  "KVM ignores LBR if LBR_FMT in PERF_CAPABILITIES is 0, as with the "
                  "mediated PMU (7.0) and on hybrid hosts (6.2, 6.1.13)", KVM_PMU),
            KNOWN(BTS, ALWAYS, FOUND(ABSENT) | FOUND(FAULTS),
                  "KVM has no BTS: TR and BTS in DEBUGCTL are #GP", KVM_VMX),
            KNOWN(TR, MODEL_HAS, FOUND(FAULTS), "TR in DEBUGCTL is #GP", KVM_VMX),
            KNOWN(PMI, ALWAYS, FOUND(WORKS) | FOUND(DEVIATES) | NOTHING_OF_IT,
                  "KVM provides counters if the virtual machine is configured with them "
                  "(pmu=on), but none on hybrid hosts; before 6.6, 6.5.9 and 6.1.60 an "
                  "interrupt leaves LVTPC unmasked",
                  KVM_PMU " and commit a16eb25b09c0", .deviation = LEFT_LVT_OPEN),
            KNOWN(LER, MODEL_HAS, FOUND(DEAD), "KVM reads the last exception record as 0",
                  KVM_MSR),
            OPEN(FREEZE, MODEL_HAS),
            KNOWN(BRS, ALWAYS, FOUND(ABSENT), "KVM does not show branch sampling", KVM_SVM),
            KNOWN(PT, MODEL_HAS, FOUND(WORKS),
                  "KVM shows Processor Trace only where kvm_intel has pt_mode=1, which "
                  "gives "
                  "the guest its own (since 2024 only in kernels built with CONFIG_BROKEN)",
                  KVM_VMX),
        },
    },
    {
        .name = "sev",
        .about = "AMD SEV, SEV-ES or SEV-SNP under KVM: refused.  SEV-ES from 6.10 and SEV-SNP "
                 "from 6.11 have the processor's own DEBUGCTL; older hosts kill them at "
                 "its "
                 "first write",
        .refused = "this is an AMD SEV, SEV-ES or SEV-SNP guest, which needs the C bit in page "
                   "tables and a #VC handler: everybranch has neither",
        .facts = {
            STEP_WORKS,
            KNOWN(BTF, MODEL_HAS, FOUND(WORKS), "DEBUGCTL is the processor's own", KVM_SEV),
            KNOWN(LBR, LBR_BY_CPUID, FOUND(ABSENT),
                  "KVM does not show AMD's LBR stack version 2", KVM_SEV),
            KNOWN(LBR, MODEL_HAS, FOUND(WORKS), "DEBUGCTL is the processor's own", KVM_SEV),
            KNOWN(BTS, ALWAYS, FOUND(ABSENT), "AMD has no BTS", "the model's row"),
            OPEN(PMI, MODEL_HAS),
            KNOWN(LER, MODEL_HAS, FOUND(WORKS), "DEBUGCTL is the processor's own", KVM_SEV),
            OPEN(FREEZE, MODEL_HAS),
            OPEN(BRS, MODEL_HAS),
            OPEN(PT, MODEL_HAS),
        },
    },
    {
        .name = "tdx",
        .about = "Intel TDX: refused.  Its module passes BTF on, and architectural LBR where "
                 "XFAM[15] is set",
        .refused = "this is an Intel TDX guest, which needs a #VE handler: everybranch has none",
        .facts = {
            STEP_WORKS,
            KNOWN(BTF, MODEL_HAS, FOUND(WORKS), "the TDX module passes BTF on", TDX),
            KNOWN(LBR, LBR_BY_CPUID, FOUND(WORKS),
                  "architectural LBR is there where XFAM[15] is set", TDX),
            KNOWN(LBR, MODEL_HAS, FOUND(FAULTS),
                  "the older stacks' MSRs (1C8, 1C9, 40.., 680..) raise #VE or #GP", TDX),
            OPEN(BTS, MODEL_HAS),
            OPEN(TR, MODEL_HAS),
            KNOWN(PMI, MODEL_HAS, FOUND(WORKS),
                  "counters are there with the attribute PERFMON", TDX),
            KNOWN(LER, MODEL_HAS, FOUND(FAULTS), "MSRs 1DB to 1DE raise #VE or #GP", TDX),
            OPEN(FREEZE, MODEL_HAS),
            OPEN(BRS, MODEL_HAS),
            OPEN(PT, MODEL_HAS),
        },
    },
    {
        .name = "xen-amd",
        .about = "Xen HVM on AMD: BTF, LBR and LER reach the guest.  It checks no bit of "
                 "DEBUGCTL: reserved ones must never be tried",
        .hypervisor = HYPERVISOR_XEN,
        .vendors = { AMD, HYGON },
        .facts = {
            KNOWN(STEP, ALWAYS, FOUND(WORKS),
                  "TF single-steps; Xen also sets DR6.BS in every #DB that it re-injects",
                  XEN_SVM "/svm.c, svm_inject_event"),
            KNOWN(BTF, MODEL_HAS, FOUND(WORKS),
                  "Xen gives DebugCtl through the VMCB's LBR virtualisation, from the "
                  "first "
                  "write on that is not 0", XEN_SVM),
            KNOWN(LBR, LBR_BY_CPUID, FOUND(ABSENT),
                  "Xen does not show AMD's LBR stack version 2", XEN_SVM),
            KNOWN(LBR, MODEL_HAS, FOUND(WORKS),
                  "Xen gives the one pair through the VMCB's LBR virtualisation", XEN_SVM),
            KNOWN(BTS, ALWAYS, FOUND(ABSENT), "AMD has no BTS", "the model's row"),
            KNOWN(PMI, ALWAYS, FOUND(WORKS) | NOTHING_OF_IT,
                  "Xen provides counters with its option vpmu", XEN_VPMU),
            KNOWN(LER, MODEL_HAS, FOUND(WORKS),
                  "Xen gives it through the VMCB's LBR virtualisation", XEN_SVM),
            OPEN(FREEZE, MODEL_HAS),
            OPEN(BRS, MODEL_HAS),
            OPEN(PT, MODEL_HAS),
        },
    },
    {
        .name = "xen",
        .about = "Xen HVM: BTF and LBR reach the guest; BTS with vpmu=bts",
        .hypervisor = HYPERVISOR_XEN,
        .facts = {
            KNOWN(STEP, ALWAYS, FOUND(WORKS),
                  "TF single-steps; Xen also sets DR6.BS in every #DB that it re-injects",
                  XEN_VMX ", vmx_inject_event"),
            KNOWN(BTF, MODEL_HAS, FOUND(WORKS) | FOUND(DEVIATES),
                  "Xen always allows BTF and leaves it set when it re-injects #DB, so a "
                  "passing btf run says nothing about re-arming",
                  XEN_VMX ", vmx_inject_event", .deviation = LEFT_BTF_SET),
            KNOWN(LBR, LBR_BY_CPUID, FOUND(ABSENT), "Xen does not show architectural LBR",
                  XEN_VMX),
            KNOWN(LBR, MODEL_HAS, FOUND(WORKS) | FOUND(DEAD),
                  "Xen provides LBR on models that it knows, and ignores it on others", XEN_VMX),
            KNOWN(BTS, MODEL_HAS, FOUND(WORKS) | FOUND(FAULTS) | FOUND(ABSENT),
                  "Xen provides BTS with vpmu=bts; otherwise setting TR or BTS raises "
                  "#GP", XEN_VMX),
            KNOWN(TR, MODEL_HAS, FOUND(WORKS) | FOUND(FAULTS),
                  "Xen provides TR with vpmu=bts; otherwise setting TR raises #GP", XEN_VMX),
            KNOWN(PMI, ALWAYS, FOUND(WORKS) | NOTHING_OF_IT,
                  "Xen provides counters with its option vpmu", XEN_VPMU),
            KNOWN(LER, MODEL_HAS, FOUND(WORKS) | FOUND(DEAD),
                  "the last exception record comes with LBR", XEN_VMX),
            OPEN(FREEZE, MODEL_HAS),
            OPEN(BRS, MODEL_HAS),
            OPEN(PT, MODEL_HAS),
        },
    },
    {
        .name = "tcg",
        .about = "stock QEMU's TCG: steps, and has none of this hardware",
        .hypervisor = HYPERVISOR_TCG,
        .told_by_dead_btf = true,
        .rep_traps_at_zero = true, /* seen on QEMU 10.0.13: do_gen_rep() in translate.c */
        .emulated = true,
        .gets_wrong = WORKLOAD_NOT_STOCK,
        .facts = {
            KNOWN(STEP, ALWAYS, FOUND(WORKS),
                  "TF steps; from 9.1 (and 7.2.12) until 10.1 the step after STI is lost; "
                  "in "
                  "10.0 a REP stops once more",
                  "QEMU commits f0f0136abba6 and 1e94ddc68544"),
            MEASURED(BTF, ALWAYS, FOUND(DEAD), "QEMU ignores writes to DEBUGCTL",
                     TCG_MSR),
            MEASURED(LBR, MODEL_HAS, FOUND(DEAD), "QEMU ignores writes to DEBUGCTL",
                     TCG_MSR),
            MEASURED(BTS, ALWAYS, FOUND(ABSENT), "TCG has no CPUID.DS", TCG_CPU),
            MEASURED(TR, MODEL_HAS, FOUND(DEAD), "QEMU ignores writes to DEBUGCTL",
                     TCG_MSR),
            MEASURED(PMI, ALWAYS, FOUND(ABSENT) | FOUND(DEAD),
                     "TCG has no counters, and ignores what is written to their registers",
                     TCG_MSR),
            MEASURED(LER, MODEL_HAS, FOUND(DEAD), "QEMU ignores writes to DEBUGCTL",
                     TCG_MSR),
            MEASURED(FREEZE, ALWAYS, FOUND(ABSENT) | FOUND(DEAD),
                     "TCG has no counters, and ignores what is written to DEBUGCTL", TCG_MSR),
            MEASURED(BRS, ALWAYS, FOUND(ABSENT) | FOUND(DEAD), "TCG has no branch sampling",
                     TCG_CPU),
            MEASURED(PT, ALWAYS, FOUND(ABSENT), "TCG has no Processor Trace", TCG_CPU),
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
        .name = "bochs",
        .about = "Bochs: steps, and has none of this hardware.  It announces no hypervisor, so a "
                 "log of it is judged as of metal, except with --as=bochs",
        .tf_before = true,    /* seen on 2.7 and 3.0: handleAsyncEvent() in cpu/event.cc */
        .stays_halted = true, /* the same: handleWaitForEvent() there */
        .emulated = true,
        .facts = {
            KNOWN(STEP, ALWAYS, FOUND(WORKS),
                  "TF steps; a SYSCALL that masks TF still traps and the SYSRET that "
                  "loads it "
                  "does not, and HLT goes on only with an interrupt",
                  "Bochs, bochs/cpu/event.cc"),
            KNOWN(BTF, ALWAYS, FOUND(DEAD) | FOUND(FAULTS),
                  "Bochs has no DEBUGCTL: with ignore_bad_msrs=1 it is ignored, else #GP",
                  BOCHS),
            KNOWN(LBR, MODEL_HAS, FOUND(DEAD) | FOUND(FAULTS), "Bochs has no LBR", BOCHS),
            KNOWN(BTS, ALWAYS, NOTHING_OF_IT, "Bochs has no BTS", BOCHS),
            KNOWN(TR, MODEL_HAS, FOUND(DEAD) | FOUND(FAULTS), "Bochs has no DEBUGCTL", BOCHS),
            KNOWN(PMI, ALWAYS, NOTHING_OF_IT, "Bochs has no counters", BOCHS),
            KNOWN(LER, MODEL_HAS, FOUND(DEAD) | FOUND(FAULTS), "Bochs has no LBR", BOCHS),
            KNOWN(FREEZE, ALWAYS, NOTHING_OF_IT, "Bochs has no counters", BOCHS),
            KNOWN(BRS, ALWAYS, NOTHING_OF_IT, "Bochs has no counters", BOCHS),
            KNOWN(PT, ALWAYS, NOTHING_OF_IT, "Bochs has no Processor Trace", BOCHS),
        },
    },
    {
        .name = "virtualbox",
        .about = "VirtualBox 7: steps, and has none of this hardware",
        .hypervisor = "VBoxVBoxVBox",
        .facts = {
            STEP_WORKS,
            KNOWN(BTF, ALWAYS, FOUND(DEAD) | FOUND(FAULTS),
                  "VirtualBox ignores BTF, or its profile of the processor makes it #GP",
                  VBOX),
            KNOWN(LBR, MODEL_HAS, FOUND(DEAD) | FOUND(FAULTS),
                  "VirtualBox has no LBR for guests", VBOX),
            KNOWN(BTS, ALWAYS, FOUND(ABSENT), "VirtualBox hides CPUID.DS", VBOX),
            KNOWN(TR, MODEL_HAS, FOUND(DEAD) | FOUND(FAULTS),
                  "VirtualBox ignores TR, or its profile of the processor makes it #GP", VBOX),
            KNOWN(PMI, ALWAYS, NOTHING_OF_IT, "VirtualBox has no counters for guests", VBOX),
            KNOWN(LER, MODEL_HAS, FOUND(DEAD) | FOUND(FAULTS),
                  "VirtualBox has no LBR for guests", VBOX),
            OPEN(FREEZE, MODEL_HAS),
            OPEN(BRS, MODEL_HAS),
            OPEN(PT, MODEL_HAS),
        },
    },
    {
        .name = "vmware",
        .about = "VMware: steps; counters with the option vpmc; the rest is not known",
        .hypervisor = "VMwareVMware",
        .facts = {
            STEP_WORKS,
            OPEN(BTF, ALWAYS),
            OPEN(LBR, MODEL_HAS),
            OPEN(BTS, MODEL_HAS),
            OPEN(TR, MODEL_HAS),
            KNOWN(PMI, MODEL_HAS, FOUND(WORKS) | FOUND(DEVIATES),
                  "counters are there with vpmc, and by default some count the "
                  "hypervisor's "
                  "instructions, too (vpmc.freezeMode)",
                  VMWARE, .faulty = true),
            OPEN(LER, MODEL_HAS),
            OPEN(FREEZE, MODEL_HAS),
            OPEN(BRS, MODEL_HAS),
            OPEN(PT, MODEL_HAS),
        },
    },
    {
        .name = "hyperv",
        .about = "Hyper-V: steps, has no BTS; LBR and counters are settings of the machine (1809 "
                 "on).  Its root and WSL2 look the same",
        .hypervisor = "Microsoft Hv",
        .facts = {
            STEP_WORKS,
            OPEN(BTF, ALWAYS),
            OPEN(LBR, MODEL_HAS),
            KNOWN(BTS, MODEL_HAS, FOUND(ABSENT) | FOUND(FAULTS), "Hyper-V has no BTS", HYPERV,
                  .vendor = INTEL),
            OPEN(TR, MODEL_HAS),
            KNOWN(PMI, MODEL_HAS, FOUND(WORKS),
                  "counters are a setting of the guest, and the root has them", HYPERV,
                  .vendor = INTEL),
            OPEN(PMI, MODEL_HAS),
            OPEN(LER, MODEL_HAS),
            OPEN(FREEZE, MODEL_HAS),
            OPEN(BRS, MODEL_HAS),
            OPEN(PT, MODEL_HAS),
        },
    },
};
const size_t platform_count = sizeof platforms / sizeof platforms[0];

const char *const facility_names[FACILITY_COUNT] = {
    [FACILITY_STEP] = "step", [FACILITY_BTF] = "btf",       [FACILITY_LBR] = "lbr",
    [FACILITY_BTS] = "bts",   [FACILITY_TR] = "tr",         [FACILITY_PMI] = "pmi",
    [FACILITY_LER] = "ler",   [FACILITY_FREEZE] = "freeze", [FACILITY_BRS] = "brs",
    [FACILITY_PT] = "pt",
};

const char *const probe_result_names[PROBE_RESULTS] = {
    [WORKS] = "works",   [DEVIATES] = "deviates", [DEAD] = "dead",     [FAULTS] = "faults",
    [ABSENT] = "absent", [AVOIDED] = "avoided",   [DENIED] = "denied",
};

/* A processor of which it is not known whether BTF acts tells nothing by a dead one. */
static bool btf_is_missing(const struct model *model, bool btf_acts)
{
    return !btf_acts && !(model && model->btf_unconfirmed);
}

/* True if the row is for processors of this vendor. */
static bool is_of(const struct platform *row, const char *vendor)
{
    if (!row->vendors[0])
        return true;
    for (size_t i = 0; i < sizeof row->vendors / sizeof row->vendors[0]; i++)
        if (row->vendors[i] && text_same(row->vendors[i], vendor))
            return true;
    return false;
}

const struct platform *platform_find(const char *hypervisor, const struct cpu_id *id,
                                     const struct model *model, bool btf_acts)
{
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];
        if (!row->hypervisor || !text_same(row->hypervisor, hypervisor) ||
            !is_of(row, id->vendor))
            continue;
        if (!row->told_by_dead_btf || btf_is_missing(model, btf_acts))
            return row;
    }
    return NULL;
}

const struct platform *platform_encrypted(const uint32_t leaf_21h[4], uint64_t sev_status)
{
    enum { EAX, EBX, ECX, EDX };
    if (leaf_21h[EBX] == LETTERS('I', 'n', 't', 'e') &&
        leaf_21h[EDX] == LETTERS('l', 'T', 'D', 'X') &&
        leaf_21h[ECX] == LETTERS(' ', ' ', ' ', ' '))
        return platform_named("tdx");
    if (sev_status & (SEV_ENABLED | SEV_ES_ENABLED | SEV_SNP_ENABLED))
        return platform_named("sev");
    return NULL;
}

bool platform_expects(const struct platform_fact *fact, enum probe_result probe_result,
                      uint32_t deviations)
{
    if (probe_result == DEVIATES && fact->deviation &&
        deviations != DEVIATION(fact->deviation))
        return false;
    return fact->probe_results & FOUND(probe_result);
}

bool platform_fails(const struct platform_fact *fact, enum probe_result probe_result,
                    uint32_t deviations, bool unknown_hypervisor)
{
    if (probe_result == AVOIDED || probe_result == DENIED)
        return false;
    if (fact)
        return !platform_is_open(fact) && !platform_expects(fact, probe_result, deviations);
    return probe_result == DEVIATES && !unknown_hypervisor;
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
    case FACILITY_PT:
        return guest->id->pt;
    default:
        return model && model->bts && guest->id->ds && !guest->no_bts;
    }
}

static bool fits(const struct platform_fact *fact, const struct platform_guest *guest)
{
    const struct model *model = guest->model;
    uint8_t format = guest->id->lbr_format;
    if (fact->when == ALWAYS)
        return true;
    if (!model_has(guest, fact->facility))
        return false;
    switch (fact->when) {
    case LBR_BY_CPUID:
        return model->needs_arch_lbr || model->needs_amd_lbr_v2;
    case LBR_FORMAT_FITS:
        return format && format < 8 && model->lbr.formats >> format & 1;
    case LBR_FORMAT_ZERO:
        return !format;
    default:
        return true;
    }
}

/* What the model's row or CPUID lacks is absent on every platform. */
#define LACKED(of, said)                                \
    [FACILITY_##of] = { .facility = FACILITY_##of,      \
                        .when = MODEL_LACKS,            \
                        .probe_results = FOUND(ABSENT), \
                        .about = (said),                \
                        .source = "the model's row",    \
                        .confidence = STATED }
static const struct platform_fact lacked[FACILITY_COUNT] = {
    LACKED(LBR, "no last-branch records are known of this model"),
    LACKED(BTS,
           "this model has no BTS, or CPUID or IA32_MISC_ENABLE reports it as unavailable"),
    LACKED(TR, "this model has no TR, or it is not known where"),
    LACKED(PMI, "this processor's counters are unknown, or CPUID does not enumerate them"),
    LACKED(LER, "no last exception record is known of this model"),
    LACKED(FREEZE, "CPUID announces no freezing, or the model has no LBR or no counters"),
    LACKED(BRS, "CPUID announces no branch sampling, or the model has none"),
    LACKED(PT, "CPUID announces no Processor Trace"),
};

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
    return !model_has(guest, facility) && lacked[facility].about ? &lacked[facility] : NULL;
}
