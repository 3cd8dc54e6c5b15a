/*
 * Branch-trace hardware: a processor that has it, from -cpu to CPUID.
 *
 * bt_realize() finds the row that the property "branch-trace" names, bt_reset() and
 * bt_init() are RESET and INIT, and bt_cpuid() adds to CPUID what the row and properties
 * have.  target/i386/cpu.c and helper.c call them.  Without the property nothing changes:
 * -cpu max has no further CPUID bit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "qapi/error.h"
#include "system/tcg.h"
#include "hw/boards.h"
#include "tcg/system/branch-trace-pt.h"

/* There is no PEBS here, and this bit of IA32_MISC_ENABLE says so. */
#define NO_PEBS BIT(12)
#define NO_BTS  BIT(11)

/*
 * SDM vol. 2A, CPUID.1AH: the kind of core is that of the logical processor.  The
 * last ones of the machine are E-cores, as on Alder Lake [chosen].
 */
static void bt_set_core(X86CPU *cpu, Error **errp)
{
    unsigned cpus = MACHINE(qdev_get_machine())->smp.cpus;

    if (!cpu->bt_model->ecores) {
        error_setg(errp, "bt-ecores: '%s' has one kind of core", cpu->bt_name);
    } else if (cpu->bt_ecores > cpus) {
        error_setg(errp, "bt-ecores=%u: the machine has %u processors",
                   cpu->bt_ecores, cpus);
    } else if (CPU(cpu)->cpu_index >= (int)(cpus - cpu->bt_ecores)) {
        cpu->bt_model = bt_find_model(cpu->bt_model->ecores);
    }
}

static void bt_set_model(X86CPU *cpu, Error **errp)
{
    cpu->bt_model = NULL;
    if (!cpu->bt_name || !*cpu->bt_name || !strcmp(cpu->bt_name, "none")) {
        return;
    }
    cpu->bt_model = bt_find_model(cpu->bt_name);
    if (!cpu->bt_model) {
        error_setg(errp, "branch-trace: no hardware named '%s'; try 'none'",
                   cpu->bt_name);
        bt_list_models(errp);
    } else if (cpu->bt_ecores) {
        bt_set_core(cpu, errp);
    }
}

/*
 * SDM vol. 3A, "CPUID Extensions And Topology Enumeration": with x2APIC there is
 * leaf 0BH.
 */
static bool realize_x2apic(X86CPU *cpu, Error **errp)
{
    if (cpu->bt_x2apic == ON_OFF_AUTO_OFF) {
        return true;
    }
    if (!tcg_enabled()) {
        error_setg(errp, "bt-x2apic needs -accel tcg");
        return false;
    }
    if (!(cpu->env.features[FEAT_1_EDX] & CPUID_APIC)) {
        error_setg(errp, "bt-x2apic needs a local APIC");
        return false;
    }
    cpu->env.features[FEAT_1_ECX] |= CPUID_EXT_X2APIC;
    cpu->env.cpuid_level = MAX(cpu->env.cpuid_level, 0xb);
    cpu->enable_cpuid_0xb = true;
    return true;
}

/* With bt-no-pt the processor has a copy of its row, without Processor Trace. */
static void remove_pt(X86CPU *cpu)
{
    BTModel *m = g_memdup2(cpu->bt_model, sizeof(*m));

    memset(m->leaf_14, 0, sizeof(m->leaf_14));
    m->pt_stops_lbr = false;
    cpu->bt_model = m;
}

static bool has_mtc(const BTModel *m)
{
    return m->leaf_14[0][1] & EBX_MTC;
}

bool bt_realize(X86CPU *cpu, Error **errp)
{
    ERRP_GUARD();

    if (!realize_x2apic(cpu, errp)) {
        return false;
    }

    bt_set_model(cpu, errp);
    if (*errp) {
        return false;
    }
    if (cpu->bt_model && !tcg_enabled()) {
        error_setg(errp, "branch-trace=%s needs -accel tcg", cpu->bt_name);
        return false;
    }
    if (cpu->bt_model) {
        bt_silicon_set(cpu);
        bt_errata_set(cpu);
        if (cpu->bt_variant.no_pt) {
            remove_pt(cpu);
        }
        if (cpu->bt_variant.fred) {
            cpu->env.features[FEAT_7_1_EAX] |= CPUID_7_1_EAX_FRED;
            cpu->env.cpuid_level_func7 = MAX(cpu->env.cpuid_level_func7, 1);
        }
        if (bt_has_pt(cpu->bt_model)) {
            cpu->env.cpuid_level = MAX(cpu->env.cpuid_level,
                                       has_mtc(cpu->bt_model) ? 0x15 : 0x14);
        }
    }
    return true;
}

/* After RESET: records are clear, nothing is filtered, the stack is deepest. */
void bt_reset(X86CPU *cpu)
{
    const BTModel *m = cpu->bt_model;

    if (!m) {
        return;
    }
    cpu->env.bt.depth = m->depth;
    cpu->env.bt.newest = m->brs ? m->depth - 1 : 0;
    cpu->env.bt.extn_ctl = m->brs ? BT_EXTN_CTL_ONES : 0;
    if (bt_has_global(m)) {
        /* SDM vol. 3A, "Processor State After Reset": the general counters */
        cpu->env.msr_global_ctrl = MAKE_64BIT_MASK(0, bt_general(m));
    }
    if (m->has_misc_enable) {
        cpu->env.msr_ia32_misc_enable = m->misc_enable | NO_PEBS
            | (cpu->bt_variant.no_bts ? NO_BTS : 0);
    }
    bt_silicon_reset(cpu);
    bt_update(&cpu->env);
}

/*
 * After INIT: IA32_DEBUGCTL and IA32_LBR_CTL are kept (Intel's description of
 * architectural LBR for KVM), while SDM vol. 3B, "Debug Store (DS) Mechanism"
 * has the recording to memory cleared.  MSR_SMI_COUNT counts since RESET.  Processor
 * Trace ends [chosen].
 */
void bt_init(X86CPU *cpu, const CPUX86State *before)
{
    const BTModel *m = cpu->bt_model;

    if (!m) {
        return;
    }
    cpu->env.bt = before->bt;
    cpu->env.msr_smi_count = before->msr_smi_count;
    cpu->env.bt.debugctl &= ~(m->tr | m->bts | m->btint);
    cpu->env.bt.guest_loaded = false;
    bt_pt_init(&cpu->env);
    bt_update(&cpu->env);
}

uint32_t bt_leaf_1c_ebx(const X86CPU *cpu)
{
    return cpu->bt_model->leaf_1c[1] & ~cpu->bt_variant.clear_1c_ebx;
}

uint32_t bt_leaf_0a_ebx(const X86CPU *cpu)
{
    const BTModel *m = cpu->bt_model;

    return m->leaf_0a[1]
        | (bt_perfmon_version(m) ? cpu->bt_variant.set_0a_ebx : 0);
}

/* Features that a processor with this hardware has, and TCG alone has not. */
uint64_t bt_features(const X86CPU *cpu, int w)
{
    const BTModel *m = cpu->bt_name ? bt_find_model(cpu->bt_name) : NULL;

    if (!tcg_enabled() || !m) {
        return 0;
    }
    return w == FEAT_SVM && m->lbrv ? CPUID_SVM_LBRV
        : w == FEAT_7_1_EAX && cpu->bt_variant.fred ? CPUID_7_1_EAX_FRED : 0;
}

/*
 * With bt-fred CR4.FRED is set in long mode, as firmware or a boot loader would leave it, but
 * without effect.
 */
void bt_cr4_changed(CPUX86State *env)
{
    if (env_archcpu(env)->bt_variant.fred && (env->efer & MSR_EFER_LME)) {
        env->cr[4] |= CR4_FRED_MASK;
    }
}

/*
 * Does a PMI freeze AMD's stack?  APM vol. 2, "Last Branch Stack Registers"; on some Zen 4
 * it does not (Linux).
 */
bool bt_v2_freezes(const X86CPU *cpu)
{
    return (cpu->bt_model->leaf_80000022[0] & BT_80000022_FREEZES)
        && !cpu->bt_variant.no_v2_freeze;
}

/*
 * In silicon mode, software that recognises this emulator learns that it behaves as real
 * processors do, and can expect the same of it.  With bt-signature it takes this for another
 * hypervisor.
 */
static void bt_signature(const X86CPU *cpu, uint32_t *eax, uint32_t *ebx,
                         uint32_t *ecx, uint32_t *edx)
{
    const char *name = cpu->bt_variant.signature;
    uint32_t signature[3] = { };

    if (!name && !(cpu->bt_silicon_on && cpu->expose_tcg)) {
        return;
    }
    name = name ?: "TCG-as-metal";
    memcpy(signature, name, MIN(strlen(name), sizeof(signature)));
    *eax = 0x40000001;
    *ebx = signature[0];
    *ecx = signature[1];
    *edx = signature[2];
}

/* CPUID.40000001H:EBX: what this machine was told to do that its model does not do. */
#define BEYOND_SMIS     BIT(0)          /* SMIs come, see branch-trace-silicon-smi.c */

static uint32_t beyond_model(const X86CPU *cpu)
{
    return cpu->expose_tcg && !cpu->bt_variant.signature && cpu->bt_silicon.smi
        ? BEYOND_SMIS : 0;
}

static void leaf_7(const BTModel *m, uint32_t subleaf,
                   uint32_t *eax, uint32_t *ebx, uint32_t *edx)
{
    if (subleaf == 0) {
        *ebx |= bt_has_pt(m) ? CPUID_7_0_EBX_INTEL_PT : 0;
        *edx |= m->lbr_ctl ? CPUID_7_0_EDX_ARCH_LBR : 0;
        *edx |= m->leaf_1a ? BIT(15) : 0;       /* hybrid */
    }
    if (m->leaf_23[0][0]) {
        *eax = subleaf == 0 ? MAX(*eax, 1) : *eax;
        *eax |= subleaf == 1 ? BIT(8) : 0;
    }
}

/* A subleaf that the row has as it is; SUBLEAVES are N of them. */
static void whole_leaf(const uint32_t subleaves[][4], unsigned n, uint32_t subleaf,
                       uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    if (subleaf < n) {
        *eax = subleaves[subleaf][0];
        *ebx = subleaves[subleaf][1];
        *ecx = subleaves[subleaf][2];
        *edx = subleaves[subleaf][3];
    }
}

/* Adds to CPUID what the processor's row and properties have. */
void bt_cpuid(X86CPU *cpu, uint32_t leaf, uint32_t subleaf,
              uint32_t *eax, uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
    const BTModel *m = cpu->bt_model;

    if (!m) {
        return;
    }
    switch (leaf) {
    case 1:
        *edx |= m->ds_area && !m->no_ds ? CPUID_DTS : 0;
        *ecx |= m->dtes64 && cpu->bt_variant.dtes64 ? CPUID_EXT_DTES64 : 0;
        *ecx |= m->ds_cpl && !cpu->bt_variant.no_ds_cpl ? CPUID_EXT_DSCPL : 0;
        *ecx |= m->pdcm ? CPUID_EXT_PDCM : 0;
        break;
    case 7:
        leaf_7(m, subleaf, eax, ebx, edx);
        break;
    case 0x14:
        whole_leaf(m->leaf_14, ARRAY_SIZE(m->leaf_14), subleaf, eax, ebx, ecx, edx);
        break;
    case 0x15:
        /*
         * The ratio of the time-stamp counter to the crystal clock, without which a
         * decoder gets no time from MTC.  ECX, the rate of that clock, is "not enumerated", as
         * on Skylake: the time-stamp counter is the host's, and software measures it.  (Linux
         * would use a rate from here for the local APIC's timer, too.)
         */
        if (has_mtc(m)) {
            *eax = 1;
            *ebx = 1 << CRYSTAL_SHIFT;
        }
        break;
    case 0x23:
        whole_leaf(m->leaf_23, ARRAY_SIZE(m->leaf_23), subleaf, eax, ebx, ecx, edx);
        break;
    case 0xa:
        whole_leaf(&m->leaf_0a, 1, 0, eax, ebx, ecx, edx);
        *ebx = bt_leaf_0a_ebx(cpu);
        break;
    case 0x80000008:
        *ebx |= m->brs ? BIT(31) : 0;
        break;
    case 0x40000000:
        bt_signature(cpu, eax, ebx, ecx, edx);
        break;
    case 0x40000001:
        *ebx |= beyond_model(cpu);
        break;
    case 0x80000001:
        *ecx |= m->core_counters ? CPUID_EXT3_PERFCORE : 0;
        break;
    case 0x80000022:
        *eax = m->leaf_80000022[0]
            & (bt_v2_freezes(cpu) ? UINT32_MAX : ~BT_80000022_FREEZES);
        *ebx = m->leaf_80000022[1];
        *ecx = 0;
        *edx = 0;
        break;
    case 0x1a:
        *eax = subleaf == 0 ? m->leaf_1a : 0;
        break;
    case 0x1c:
        *eax = subleaf == 0 ? m->leaf_1c[0] : 0;
        *ebx = subleaf == 0 ? bt_leaf_1c_ebx(cpu) : 0;
        *ecx = subleaf == 0 ? m->leaf_1c[2] : 0;
        *edx = 0;
        break;
    }
}
