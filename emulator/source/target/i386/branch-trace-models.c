/*
 * Branch-trace hardware: the processors whose hardware can be had, one row each.
 *
 * A row says what the processor cannot report itself: numbers of registers, bits that
 * exist, bits that fault.  Nothing else in these files asks which processor it is.
 * branch-trace-cpu.c finds the row that the property "branch-trace" names; a new processor
 * is a new row here and in branch-trace-cpus.c.inc.
 *
 * The source of each fact is beside it.  A register dump is named by its processor; such
 * dumps are public, e.g. in VirtualBox, src/VBox/VMM/VMMR3/cpus.
 *
 * The events of inserts into the LBR stack are from Intel's event files (intel/perfmon):
 * ROB_MISC_EVENTS.LBR_INSERTS of Sandy Bridge to Rocket Lake and MISC_RETIRED.LBR_INSERTS
 * of Golden Cove are CCH, unit mask 20H; LBR_INSERTS.ANY of Gracemont and later is E4H, 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "cpu.h"
#include "qapi/error.h"

/* Errata that specification updates or Linux give the processor, see branch-trace-errata.h. */
#define HAS(erratum) BIT_ULL(BT_ERRATUM_ ## erratum)

#define BIT_RANGE(low, high) MAKE_64BIT_MASK(low, (high) - (low) + 1)

/*
 * Core 2 and later: IA32_DEBUGCTL (SDM vol. 4, "IA-32 Architectural MSRs"), the newest pair,
 * LER, and records in memory with 64 bits, by CPL.
 */
#define SINCE_CORE2                                                 \
    .lbr = BIT(0), .btf = BIT(1), .tr = BIT(6), .bts = BIT(7),      \
    .btint = BIT(8), .bts_off_os = BIT(9), .bts_off_usr = BIT(10),  \
    .freeze_lbrs = BIT(11), .freeze_perfmon = BIT(12),              \
    .last_from = 0x1db, .last_to = 0x1dc,                           \
    .ler_from = 0x1dd, .ler_to = 0x1de,                             \
    .ds_area = 0x600, .dtes64 = true, .ds_cpl = true,               \
    .has_misc_enable = true, .pdcm = true

/* 7 EMON, 11 and 12 clear: BTS and PEBS exist.  The rest as dumps have it. */
#define MISC_ENABLE_COMMON 0x850089

/*
 * Haswell and Broadwell: FROM[63:61] are flags (SDM vol. 3B, "LBR Stack").
 * DEBUGCTL (RTM_DEBUG too, although TCG has no RTM), LBR_SELECT and TOS measured:
 * Core i7-5600U.
 */
#define FORMAT_4                                                    \
    .freeze_smm = BIT(14), .smi_count = true,                       \
    .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 15),            \
    .from = 0x680, .to = 0x6c0, .depth = 16,                        \
    .from_flags = BIT_RANGE(61, 63), .canonical = true,             \
    .tos = 0x1c9, .tos_faults = ~BIT_RANGE(0, 3),                   \
    .select = 0x1c8, .select_kept = BIT_RANGE(0, 9),                \
    .misc_enable = MISC_ENABLE_COMMON, .perf_capabilities = 0x32c4

/*
 * Architectural LBR.  No dump: DEBUGCTL as Skylake without RTM_DEBUG, LBR ignored
 * and reading 0; PERF_CAPABILITIES is the LBR format 3FH with the bits of Skylake and
 * PEBS format 4 [derived].  DS, DTES64 and DS_CPL are seen on real ones.
 * SDM vol. 3B, "Last Branch Records".
 */
#define ARCH_LBR                                                    \
    .btf = BIT(1), .tr = BIT(6), .bts = BIT(7), .btint = BIT(8),    \
    .bts_off_os = BIT(9), .bts_off_usr = BIT(10),                   \
    .freeze_lbrs = BIT(11), .freeze_perfmon = BIT(12),              \
    .freeze_smm = BIT(14), .smi_count = true,                       \
    .debugctl_kept = BIT(1) | BIT_RANGE(6, 14),                     \
    .debugctl_ignored = BIT(0),                                     \
    .from = 0x1500, .to = 0x1600, .info = 0x1200, .depth = 32,      \
    .canonical = true,                                              \
    .info_valid = BIT_ULL(60), .info_type = true,                   \
    .ler_from = 0x1dd, .ler_to = 0x1de, .ler_info = 0x1e0,          \
    .lbr_ctl = 0x14ce, .lbr_depth = 0x14cf,                         \
    .ds_area = 0x600, .dtes64 = true, .ds_cpl = true,               \
    .has_misc_enable = true, .misc_enable = MISC_ENABLE_COMMON,     \
    .pdcm = true, .perf_capabilities = 0x34ff

/*
 * CPUID.14H, Processor Trace: filters by CR3 and IP, cycles, MTC, all of ToPA and single
 * ranges; two ranges of addresses.  Real processors from Goldmont Plus and Ice Lake
 * on have PTWRITE (EBX[4]) and more as well, which is not modelled.  FREQUENCIES is
 * subleaf 1, EBX: the PSB periods and cycle thresholds that can be chosen; IP is
 * ECX[31]: IP payloads are linear addresses.  Chosen: E-cores send long TNT packets,
 * the others only short ones.
 */
#define LEAF_14(frequencies, ip)                                    \
    .leaf_14 = { { 1, 0xf, 0x7 | (ip) }, { 0x02490002, frequencies } }
#define LINEAR_IP 0x80000000

static const BTModel bt_models[] = {
    {
        /*
         * 06_0F, Core 2.  Measured: Core 2 Extreme X6800.
         * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording
         * (Intel Core 2 Duo and Intel Atom Processors)".
         */
        .name = "core2",
        .silicon = { .skid = 100, .smi = 20000 },
        SINCE_CORE2,
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 12),
        .tr_stops_lbr = true,
        .from = 0x40, .to = 0x60, .depth = 4,
        .tos = 0x1c9, .tos_stray = 0x08000000,
        .misc_enable = 0x4062972489, .perf_capabilities = 0x82,
        .leaf_0a = { 0x07280202, 0, 0, 0x503 },
        .taken_event = 0x0cc4,
        .counters_lenient = true,
    },
    {
        /*
         * 06_3A, Ivy Bridge, for Nehalem to Broadwell.  DEBUGCTL, LBR_SELECT,
         * TOS and the rules for writing records measured: Core i5-3570.
         * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording for
         * Processors based on Intel Microarchitecture code name Nehalem" and
         * "... Sandy Bridge".
         */
        .name = "ivybridge",
        .silicon = {
            .skid = 100, .smi = 20000, .predictor = true, .sibling = true,
        },
        SINCE_CORE2,
        .freeze_smm = BIT(14), .smi_count = true,
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 14),
        .from = 0x680, .to = 0x6c0, .depth = 16,
        .from_flags = BIT_ULL(63), .canonical = true,
        .tos = 0x1c9, .tos_faults = ~BIT_RANGE(0, 3),
        .select = 0x1c8, .select_kept = BIT_RANGE(0, 8),
        .misc_enable = MISC_ENABLE_COMMON, .perf_capabilities = 0x31c3,
        .leaf_0a = { 0x07300803, 0, 0, 0x603 },
        .taken_event = 0x20c4, .taken_near = true,
        .inserts_event = 0x20cc,
    },
    {
        /*
         * 06_5E, Skylake.  DEBUGCTL (RTM_DEBUG too, although TCG has no RTM),
         * LBR_SELECT, TOS and LBR_INFO measured: Core i7-6700K.
         * SDM vol. 3B, "Last Branch, Call Stack, Interrupt, and Exception
         * Recording for Processors based on Skylake Microarchitecture".
         */
        .name = "skylake",
        .silicon = {
            .skid = 100, .smi = 20000, .double_newest = 4,
            .predictor = true, .misses_direct = true, .sibling = true,
        },
        .errata = HAS(PT_PSB_FUP) | HAS(PT_PGD_NO_IP),
        SINCE_CORE2,
        .freeze_smm = BIT(14), .smi_count = true,
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 15),
        .from = 0x680, .to = 0x6c0, .info = 0xdc0, .depth = 32,
        .canonical = true,
        .info_writable = BIT_RANGE(0, 15) | BIT_RANGE(61, 63),
        .tos = 0x1c9, .tos_faults = ~BIT_RANGE(0, 4),
        .select = 0x1c8, .select_kept = BIT_RANGE(0, 9),
        .misc_enable = MISC_ENABLE_COMMON, .perf_capabilities = 0x33c5,
        /* Dumps of Skylake.  SDM vol. 3C, "Intel PT and LBR": LBR is off meanwhile. */
        LEAF_14(0x003f3fff, 0), .pt_stops_lbr = true,
        .leaf_0a = { 0x07300404, 0, 0, 0x603 },
        .taken_event = 0x20c4, .taken_near = true,
        .inserts_event = 0x20cc,
    },
    {
        /*
         * 06_97, Alder Lake, its P-cores.  CPUID.1CH has every filter and flag
         * [derived]; its EAX is that of Golden Cove (CPUID dumps): depths 8, 16 and
         * 32; bit 30, deep C-states may clear the records; not bit 31, so that they
         * hold offsets in CS.
         */
        .name = "alderlake",
        .ecores = "gracemont",
        .silicon = {
            .skid = 125, .smi = 20000, .predictor = true, .sibling = true,
        },
        .errata = HAS(PT_PSB_FUP) | HAS(PT_BAD_RANGE),
        ARCH_LBR,
        .leaf_1c = { 0x4000000b, 0x7, 0x7 },
        LEAF_14(0x003f003f, 0),         /* a dump of a 12th-generation Core */
        .info_writable = BIT_RANGE(0, 15) | BIT_RANGE(56, 63),
        .leaf_1a = 0x40000001,
        .leaf_0a = { 0x07300605, 0, 0xf, 0x8604 },
        .taken_event = 0x20c4, .taken_near = true,
        .inserts_event = 0x20cc,
    },
    {
        /*
         * 06_97, Alder Lake, its E-cores.  CPUID.1CH:EAX is Skymont's, since no dump
         * has theirs, and CPUID.0AH is derived.  The event of taken branches: Linux.
         * Erratum SRF7 of the next E-core, which kvm-unit-tests expects of all until
         * then: retired branches are over-counted at far transfers, by one [derived].
         */
        .name = "gracemont",
        .silicon = { .skid = 125, .smi = 20000, .predictor = true },
        .errata = HAS(PT_PSB_FUP) | HAS(PT_BAD_RANGE) | HAS(FAR_TWICE),
        ARCH_LBR,
        .linear = true,
        .leaf_1c = { 0xc000000b, 0x7, 0x7 },
        LEAF_14(0x003f003f, LINEAR_IP), /* a dump of Alder Lake-N */
        .pt_long_tnt = true,
        .info_writable = BIT_RANGE(0, 15) | BIT_RANGE(56, 63),
        .leaf_1a = 0x20000001,
        .leaf_0a = { 0x07300605, 0, 0x7, 0x8603 },
        .taken_event = 0xc0c4, .taken_near = true,
        .inserts_event = 0x01e4,
    },
    {
        /*
         * 06_C6, the Skymont cores of Arrow Lake.  CPUID leaves 0AH, 1AH, 1CH and
         * 23H are those of a Core Ultra 5 245K (dump in Bochs): records hold linear
         * addresses, and INFO[39:32] counters of events.  The event of taken
         * branches is that of the other E-cores (Linux); registers as Alder Lake's
         * [derived].
         */
        .name = "skymont",
        .silicon = { .skid = 125, .smi = 20000, .predictor = true },
        .errata = HAS(PT_PSB_FUP),
        ARCH_LBR,
        .linear = true,
        .leaf_1c = { 0xc000000b, 0x7, 0xf0007 },
        LEAF_14(0x003f003f, LINEAR_IP), /* as Gracemont [derived] */
        .pt_long_tnt = true,
        .info_writable = BIT_RANGE(0, 15) | BIT_RANGE(32, 39)
            | BIT_RANGE(56, 63),
        .info_counters = BIT_RANGE(32, 39),
        .leaf_1a = 0x20000003,
        .leaf_0a = { 0x0d300806, 0x280, 0x7, 0x8603 },
        .leaf_23 = { { 0xf, 0x3, 0x8 }, { 0xff, 0x77 },
                     { 0xfc, 0x3, 0xfc, 0x3 }, { 0x1f7f } },
        .taken_event = 0xc0c4, .taken_near = true,
        .inserts_event = 0x01e4,
    },
    {
        /*
         * 0F_04, NetBurst: MSR_DEBUGCTLA has bits of its own, and the last
         * exception record is elsewhere.  DEBUGCTL, MISC_ENABLE and what can be
         * written measured: Pentium 4 3.00 GHz.
         * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording
         * (Processors based on Intel NetBurst Microarchitecture)".
         */
        .name = "nocona",
        .silicon = {
            .skid = 100, .smi = 20000, .predictor = true, .sibling = true,
        },
        .lbr = BIT(0), .btf = BIT(1), .tr = BIT(2), .bts = BIT(3),
        .btint = BIT(4), .bts_off_os = BIT(5), .bts_off_usr = BIT(6),
        .debugctl_kept = BIT_RANGE(0, 6),
        .from = 0x680, .to = 0x6c0, .depth = 16, .linear = true,
        .tos = 0x1da,
        .ler_from = 0x1d7, .ler_to = 0x1d8, .ler_read_only = true,
        .ds_area = 0x600, .dtes64 = true, .ds_cpl = true,
        .bts_predicted = true,
        .has_misc_enable = true, .misc_enable = 0x22850089,
    },
    {
        /*
         * AMD family 10h.  DebugCtl measured: Phenom II X6 1100T.  Software does
         * not see the second entry of the ring.
         * APM vol. 2, "Control-Transfer Recording" and "Software-Debug MSRs".
         * LBR virtualisation: Linux lists it on that processor ("lbrv").
         */
        .name = "phenom",
        .silicon = {
            .skid = 400, .long_skid = 16, .late_nmi = 50, .smi = 20000,
        },
        .lbr = BIT(0), .btf = BIT(1),
        .debugctl_kept = BIT_RANGE(0, 5), .debugctl_ignored = BIT_RANGE(7, 63),
        .depth = 2,
        .last_from = 0x1db, .last_to = 0x1dc,
        .ler_from = 0x1dd, .ler_to = 0x1de,
        .ler_read_only = true, .ler_skips_mce = true,
        .lbrv = true,
        .counters = 4, .amd_counters = true, .host_guest_needs_svme = true,
        .taken_event = 0x00c4,
    },
    {
        /*
         * 06_08, Pentium III, for all of P6.  No dump.  Derived: bits except
         * LBR, BTF, PB0-3 and TR raise #GP, and its records cannot be written.
         * Software does not see the second entry of the ring.  SDM vol. 3B,
         * "Last Branch, Interrupt, and Exception Recording (P6 Family
         * Processors)".
         */
        .name = "p6",
        .silicon = { .skid = 100, .smi = 20000 },
        .lbr = BIT(0), .btf = BIT(1), .tr = BIT(6),
        .debugctl_kept = BIT_RANGE(0, 6),
        .tr_stops_lbr = true,
        .narrow = true, .depth = 2,
        .last_from = 0x1db, .last_to = 0x1dc,
        .ler_from = 0x1dd, .ler_to = 0x1de, .ler_read_only = true,
        .counters = 2,
        .taken_event = 0x00c9,
        .counters_lenient = true,
    },
    {
        /*
         * 06_0D, Pentium M.  All measured: Pentium M 2.00 GHz.  No write of
         * DEBUGCTL faults; bits 10 to 13 may be storage (unconfirmed).  SDM
         * vol. 4 lists LER's registers in the other order, unconfirmed too.
         * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording
         * (Pentium M Processors)".
         */
        .name = "pentium-m",
        .silicon = { .skid = 100, .smi = 20000 },
        .lbr = BIT(0), .btf = BIT(1),
        .tr = BIT(6), .bts = BIT(7), .btint = BIT(8),
        .debugctl_kept = BIT_RANGE(0, 8) | BIT_RANGE(10, 13),
        .debugctl_ignored = BIT(9) | BIT_RANGE(14, 63),
        .tr_stops_lbr = true,
        .from = 0x40, .depth = 8, .linear = true, .packed = true,
        .narrow = true, .records_read_only = true,
        .tos = 0x1c9, .tos_stray = 0x08000000, .tos_read_only = true,
        .last_from = 0x1db, .last_to = 0x1dc,
        .ler_from = 0x1dd, .ler_to = 0x1de, .ler_read_only = true,
        .ds_area = 0x600, .ds_area_narrow = true,
        .has_misc_enable = true, .misc_enable = 0x111088,
        .counters = 2,
        .taken_event = 0x00c9,
        .counters_lenient = true,
    },
    {
        /*
         * 06_0E, Yonah.  Measured: Core Duo T2600.
         * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording (Intel
         * Core Solo and Intel Core Duo Processors)".
         */
        .name = "yonah",
        .silicon = { .skid = 100, .smi = 20000 },
        .lbr = BIT(0), .btf = BIT(1),
        .tr = BIT(6), .bts = BIT(7), .btint = BIT(8),
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 8),
        .tr_stops_lbr = true,
        .from = 0x40, .depth = 8, .linear = true, .packed = true,
        .narrow = true,
        .tos = 0x1c9, .tos_stray = 0x08000000,
        .last_from = 0x1db, .last_to = 0x1dc,
        .ler_from = 0x1dd, .ler_to = 0x1de,
        .ds_area = 0x600, .ds_area_narrow = true,
        .has_misc_enable = true, .misc_enable = 0x264973488,
        .pdcm = true, .perf_capabilities = 0,
        .leaf_0a = { 0x07280201, 0, 0, 0 },
        .taken_event = 0x00c9,
        .counters_lenient = true,
    },
    {
        /*
         * 0F_02, Northwood, for the first NetBurst.  No dump: facts not in
         * the manual are as measured on 0F_04.  Unconfirmed: it has no
         * CPL-qualified records.
         */
        .name = "willamette",
        .silicon = { .skid = 100, .smi = 20000, .predictor = true },
        .lbr = BIT(0), .btf = BIT(1), .tr = BIT(2), .bts = BIT(3),
        .btint = BIT(4),
        .debugctl_kept = BIT_RANGE(0, 4),
        .from = 0x1db, .depth = 4, .linear = true, .packed = true,
        .narrow = true,
        .tos = 0x1da,
        .ler_from = 0x1d7, .ler_to = 0x1d8, .ler_read_only = true,
        .ds_area = 0x600, .ds_area_narrow = true,
        .bts_predicted = true,
        .has_misc_enable = true, .misc_enable = 0x22850089,
    },
    {
        /* 06_17, Core 2 of 45 nm.  Measured: Xeon X5482. */
        .name = "penryn",
        .silicon = { .skid = 100, .smi = 20000 },
        SINCE_CORE2,
        .freeze_smm = BIT(14),
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 12) | BIT(14),
        .tr_stops_lbr = true,
        .from = 0x40, .to = 0x60, .depth = 4,
        .tos = 0x1c9,
        .misc_enable = 0x4066a52489, .perf_capabilities = 0x10c2,
        .leaf_0a = { 0x07280202, 0, 0, 0x503 },
        .taken_event = 0x0cc4,
    },
    {
        /*
         * 06_1C, Bonnell.  Measured: Atom 330.
         * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording
         * (Intel Core 2 Duo and Intel Atom Processors)".
         */
        .name = "bonnell",
        .silicon = { .skid = 100, .smi = 20000 },
        SINCE_CORE2,
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 12),
        .freeze_lbrs_stops_tr = true,
        .from = 0x40, .to = 0x60, .depth = 8, .linear = true,
        .tos = 0x1c9, .tos_faults = ~BIT_RANGE(0, 2),
        .misc_enable = 0x60940488, .perf_capabilities = 0xc1,
        .leaf_0a = { 0x07280203, 0, 0, 0x2501 },
        .taken_event = 0x0cc4,
    },
    {
        /* 06_37, Silvermont.  Measured: Pentium N3530. */
        .name = "silvermont",
        .silicon = { .skid = 100, .smi = 20000 },
        SINCE_CORE2,
        .freeze_smm = BIT(14), .smi_count = true,
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 12) | BIT(14),
        .from = 0x40, .to = 0x60, .depth = 8, .linear = true,
        .tos = 0x1c9, .tos_faults = ~BIT_RANGE(0, 2),
        .select = 0x1c8, .select_kept = BIT_RANGE(0, 8),
        .select_ignored = BIT(9),
        .misc_enable = MISC_ENABLE_COMMON, .perf_capabilities = 0x32c1,
        .leaf_0a = { 0x07280203, 0, 0, 0x4503 },
        .taken_event = 0x80c4,
    },
    {
        /*
         * 06_57, Knights Landing.  No dump: as Silvermont, except for where the
         * records are, and for FROM[63], which is a flag although
         * PERF_CAPABILITIES says format 1 (Linux).  Writes of records are
         * checked as Nehalem's are [derived].
         * SDM vol. 3B, "Last Branch, Interrupt, and Exception Recording for
         * the Intel Xeon Phi Processor 7200/5200/3200".
         */
        .name = "knl",
        .silicon = {
            .skid = 100, .smi = 20000, .predictor = true, .sibling = true,
        },
        .errata = HAS(REP_64),
        SINCE_CORE2,
        .freeze_smm = BIT(14), .smi_count = true,
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 12) | BIT(14),
        .from = 0x680, .to = 0x6c0, .depth = 8, .linear = true,
        .from_flags = BIT_ULL(63), .canonical = true,
        .tos = 0x1c9, .tos_faults = ~BIT_RANGE(0, 2),
        .select = 0x1c8, .select_kept = BIT_RANGE(0, 8),
        .select_ignored = BIT(9),
        .misc_enable = MISC_ENABLE_COMMON, .perf_capabilities = 0x32c1,
        .leaf_0a = { 0x07280203, 0, 0, 0x4503 },
        .taken_event = 0x80c4,
    },
    {
        /*
         * 06_5C, Goldmont.  No dump: the format is the manual's, what can be
         * written as on Skylake without TSX [derived].
         * SDM vol. 3B, "Last Branch, Call Stack, Interrupt, and Exception
         * Recording for Processors based on Goldmont Microarchitecture".  Its microcode
         * here is older than that which freezes counters.
         */
        .name = "goldmont",
        .silicon = { .skid = 100, .smi = 20000, .predictor = true },
        .errata = HAS(PT_FUP_NLIP) | HAS(NO_CTR_FREEZE),
        SINCE_CORE2,
        .freeze_smm = BIT(14), .smi_count = true,
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 14),
        .from = 0x680, .to = 0x6c0, .depth = 32, .linear = true,
        .from_flags = BIT_ULL(63), .cycles_in_to = true, .canonical = true,
        .tos = 0x1c9, .tos_faults = ~BIT_RANGE(0, 4),
        .select = 0x1c8, .select_kept = BIT_RANGE(0, 9),
        .misc_enable = MISC_ENABLE_COMMON, .perf_capabilities = 0x33c6,
        LEAF_14(0x003f3fff, LINEAR_IP), /* no dump: as Skylake and Gracemont */
        .pt_long_tnt = true,
        .leaf_0a = { 0x07300404, 0, 0, 0x603 },
        .taken_event = 0x80c4,
    },
    {
        /*
         * 06_3C, Haswell.  No dump: as Broadwell [derived].
         * SDM vol. 3B, "Last Branch, Call Stack, Interrupt, and Exception
         * Recording for Processors based on Haswell Microarchitecture".
         */
        .name = "haswell",
        .silicon = {
            .skid = 100, .smi = 20000, .predictor = true, .sibling = true,
        },
        SINCE_CORE2,
        FORMAT_4,
        .leaf_0a = { 0x07300403, 0, 0, 0x603 },
        .taken_event = 0x20c4, .taken_near = true,
        .inserts_event = 0x20cc,
    },
    {
        /* 06_3D, Broadwell.  Measured: Core i7-5600U. */
        .name = "broadwell",
        .silicon = {
            .skid = 100, .smi = 20000, .predictor = true, .sibling = true,
        },
        .errata = HAS(LER_TO_TOP) | HAS(PT_PSB_FUP) | HAS(PT_BRANCH_EN),
        SINCE_CORE2,
        FORMAT_4,
        /*
         * SDM vol. 3C, "Single Output Region ToPA Implementation": the first with
         * Processor Trace has one region, and a filter by CR3.
         */
        .leaf_14 = { { 0, 0x1, 0x1 } }, .pt_stops_lbr = true,
        .leaf_0a = { 0x07300403, 0, 0, 0x603 },
        .taken_event = 0x20c4, .taken_near = true,
        .inserts_event = 0x20cc,
    },
    {
        /*
         * AMD family 19h, Zen 3: no stack, but branch sampling (Linux, from the
         * processor's manual).  No dump: DebugCtl as Hygon's family 18h.
         * LBR virtualisation: Linux lists it on a Ryzen 9 5950X.
         */
        .name = "zen3",
        .silicon = {
            .least_skid = 1000, .skid = 2000, .long_skid = 1000,
            .late_nmi = 50, .smi = 20000,
        },
        .lbr = BIT(0), .btf = BIT(1),
        .debugctl_kept = BIT_RANGE(0, 5), .debugctl_ignored = BIT_RANGE(7, 63),
        .from = 0xc0010300, .to = 0xc0010301, .depth = 16,
        .extn_ctl = 0xc000010f, .brs = true,
        .last_from = 0x1db, .last_to = 0x1dc,
        .ler_from = 0x1dd, .ler_to = 0x1de,
        .ler_read_only = true, .ler_skips_mce = true,
        .lbrv = true,
        .counters = 6, .amd_counters = true, .core_counters = true,
        .taken_event = 0x00c4,
    },
    {
        /*
         * AMD family 19h, Zen 4.  No dump: bits 2 to 6 of DebugCtl raise #GP
         * and the others that it lacks are ignored [derived: APM, and family
         * 10h].  Writes of records drop reserved bits [unconfirmed].
         * APM vol. 2, "Last Branch Stack Registers".  LBR virtualisation: Linux
         * lists it on processors that have this stack.
         */
        .name = "zen4",
        .silicon = {
            .least_skid = 1000, .skid = 2000, .long_skid = 1000,
            .late_nmi = 50, .smi = 20000,
            .wrong_path = 16, .predictor = true, .sibling = true,
        },
        .errata = HAS(PAIR_TOP),
        .lbr = BIT(0), .btf = BIT(1),
        .freeze_lbrs = BIT(11), .freeze_perfmon = BIT(12),
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(11, 12),
        .debugctl_ignored = BIT_RANGE(7, 63),
        .from = 0xc0010300, .to = 0xc0010301, .depth = 16,
        .from_flags = BIT_ULL(63),
        .info_valid = BT_TO_VALID,
        .extn_ctl = 0xc000010f,
        .select = 0xc000010e, .select_kept = BIT_RANGE(0, 8),
        .fuses = true,
        .leaf_80000022 = { BIT_RANGE(0, 2), 16 << 4 | 6 },
        .last_from = 0x1db, .last_to = 0x1dc,
        .ler_from = 0x1dd, .ler_to = 0x1de,
        .ler_read_only = true, .ler_skips_mce = true,
        .lbrv = true,
        .counters = 6, .amd_counters = true, .core_counters = true,
        .taken_event = 0x00c4,
    },
    {
        /*
         * VIA.  Measured: QuadCore L4700.  IA32_DEBUGCTL and IA32_DS_AREA hold
         * their value and do nothing; BTF does nothing either [unconfirmed].
         */
        .name = "via",
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 12),
        .ds_area = 0x600, .no_ds = true,
        .has_misc_enable = true, .misc_enable = 0x173c89,
        .leaf_0a = { 0x06280202, 0, 0, 0x503 },
        .counters_lenient = true,
        .absent_reads_zero = true,
    },
    {
        /* Zhaoxin.  Measured: KaiXian KX-U5581, which is as VIA's. */
        .name = "zhaoxin",
        .debugctl_kept = BIT_RANGE(0, 1) | BIT_RANGE(6, 12),
        .ds_area = 0x600, .no_ds = true,
        .has_misc_enable = true, .misc_enable = 0x173c89,
        .leaf_0a = { 0x07300402, 0, 0, 0x603 },
        .counters_lenient = true,
        .absent_reads_zero = true,
    },
};

const BTModel *bt_find_model(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(bt_models); i++) {
        if (!strcmp(name, bt_models[i].name)) {
            return &bt_models[i];
        }
    }
    return NULL;
}

/* Adds a line for each row to the error, with what bt-silicon=on turns on in it. */
void bt_list_models(Error **errp)
{
#define PROPERTY(name, property) property,
    static const char *const errata[] = { BT_ERRATA(PROPERTY) };

    for (size_t i = 0; i < ARRAY_SIZE(bt_models); i++) {
        const BTSilicon *has = &bt_models[i].silicon;

        error_append_hint(errp, "branch-trace=%s, with bt-silicon=on: "
                          "bt-skid=%u,bt-least-skid=%u,bt-long-skid=%u,"
                          "bt-double-newest=%u,bt-wrong-path=%u,bt-predictor=%s,"
                          "bt-smi=%u,bt-late-nmi=%u,bt-sibling=%s",
                          bt_models[i].name, has->skid, has->least_skid,
                          has->long_skid, has->double_newest, has->wrong_path,
                          has->predictor ? "on" : "off", has->smi, has->late_nmi,
                          has->sibling ? "on" : "off");
        for (int n = 0; n < BT_ERRATA_END; n++) {
            if (bt_models[i].errata & BIT_ULL(n)) {
                error_append_hint(errp, ",%s=on", errata[n]);
            }
        }
        error_append_hint(errp, "\n");
    }
}
