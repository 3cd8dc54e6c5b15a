/* The model table.  common/facts/model.h tells what a row is; a new processor is a new row.
 */
#include "model.h"

#include "text.h"
#include "vendor.h"

/* Positions in DEBUGCTL.  SDM vol. 3B, "IA32_DEBUGCTL MSR" and, for NetBurst, */
/* "MSR_DEBUGCTLA MSR"; AMD64 APM vol. 2, "Debug-Control MSR (DebugCtl)".      */
#define DEBUGCTL_INTEL                                                                   \
    {                                                                                    \
        .lbr = 1u << 0, .btf = 1u << 1, .tr = 1u << 6, .bts = 1u << 7, .btint = 1u << 8, \
        .bts_off_os = 1u << 9, .bts_off_usr = 1u << 10,                                  \
    }
#define DEBUGCTL_NETBURST                                                                \
    {                                                                                    \
        .lbr = 1u << 0, .btf = 1u << 1, .tr = 1u << 2, .bts = 1u << 3, .btint = 1u << 4, \
        .bts_off_os = 1u << 5, .bts_off_usr = 1u << 6,                                   \
    }
/* With architectural LBR bit 0 has no meaning; IA32_LBR_CTL turns recording on. */
#define DEBUGCTL_ARCH                                                    \
    {                                                                    \
        .btf = 1u << 1, .tr = 1u << 6, .bts = 1u << 7, .btint = 1u << 8, \
        .bts_off_os = 1u << 9, .bts_off_usr = 1u << 10,                  \
    }
/* Before BTS, and before the privilege filters.  P6's PB bits are never used. */
#define DEBUGCTL_P6                                    \
    {                                                  \
        .lbr = 1u << 0, .btf = 1u << 1, .tr = 1u << 6, \
    }
#define DEBUGCTL_YONAH                                                                   \
    {                                                                                    \
        .lbr = 1u << 0, .btf = 1u << 1, .tr = 1u << 6, .bts = 1u << 7, .btint = 1u << 8, \
    }
#define DEBUGCTL_AMD                    \
    {                                   \
        .lbr = 1u << 0, .btf = 1u << 1, \
    }

/* The MSRs of the layouts.  SDM vol. 4, the tables of MSRs per processor family. */
#define LASTBRANCH_TOS          0x1c9
#define LASTBRANCH_TOS_NETBURST 0x1da
#define LBR_SELECT              0x1c8
#define LER_FROM                0x1dd
#define LER_TO                  0x1de
#define LER_INFO                0x1e0
#define LER_FROM_NETBURST       0x1d7
#define LER_TO_NETBURST         0x1d8

/* The MSRs that turn recording on where DEBUGCTL does not. */
#define ARCH_LBR_CTL     0x14ce
#define ARCH_LBR_DEPTH   0x14cf
#define ARCH_LBR_ENABLE  1ull /* LBREn                                       */
#define AMD_LBR_SELECT   0xc000010e
#define AMD_DBG_EXTN_CFG 0xc000010f
#define AMD_LBRSE        (1ull << 6) /* LBRV2EN; the bits beside it are kept: stack.c */
#define AMD_BRSMEN       (1u << 2)   /* ...for branch sampling */

/* A bit at the top of FROM says "mispredicted"; two more belong to TSX. */
#define FLAGS_MISPRED     1
#define FLAGS_MISPRED_TSX 3
#define CYCLES_IN_TO      16 /* format 6: TO[63:48]                 */
#define FLAGS_AMD         7  /* addresses are bits 56:0 of both     */

#define FORMAT(n) (1u << (n)) /* of IA32_PERF_CAPABILITIES.LBR_FMT */

/* With their count: 0 is a DisplayModel too. */
#define NUMBERS(...)            \
    .numbers = { __VA_ARGS__ }, \
    .number_count = sizeof((const uint16_t[]){ __VA_ARGS__ }) / sizeof(uint16_t)

/* rr's skid_size of Zen 1 to 5, which PMU_SKID_UNBOUNDED says is "exceeded in rare cases"
 * (src/PerfCounters.cc); 5,043 in 1,000,000 of a Zen 2 (pH14/harmony, ae1d.json). */
#define ZEN_LATEST 10000

const struct model models[] = {
    {
        .name = "p6",
        .about = "Pentium Pro, Pentium II, Pentium III",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x01, 0x03, 0x05, 0x07, 0x08, 0x0a, 0x0b),
        .debugctl = DEBUGCTL_P6,
        .lbr = { .depth = 1,
                 .form = LBR_PAIR_32,
                 .from = 0x1db,
                 .to = 0x1dc,
                 .offsets = true },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .tr_excludes_lbr = true,
        .source = "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (P6 "
                  "Family Processors)\"; 32-bit processors",
        .confidence = STATED,
    },
    {
        .name = "pentiumm",
        .about = "Pentium M: Banias, Dothan; Core Solo and Duo: Yonah",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x09, 0x0d, 0x0e),
        .debugctl = DEBUGCTL_YONAH,
        .lbr = { .depth = 8, .form = LBR_PACKED, .from = 0x40, .tos = LASTBRANCH_TOS },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .tr_excludes_lbr = true,
        .source = "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (Pentium "
                  "M Processors)\"; register dumps of 06_0D and 06_0E; 32-bit processors; "
                  "the order of the LER pair is unconfirmed",
        .confidence = RECORDED,
    },
    {
        .name = "core2",
        .about = "Core 2: Merom, Conroe, Penryn, Dunnington",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x0f, 0x16, 0x17, 0x1d),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 4,
                 .from = 0x40,
                 .to = 0x60,
                 .tos = LASTBRANCH_TOS,
                 .formats = FORMAT(2) },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .tr_excludes_lbr = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (Intel Core 2 "
            "Duo and Intel Atom Processors)\"; register dumps of 06_0F and 06_17",
        .confidence = RECORDED,
    },
    {
        .name = "bonnell",
        .about = "Atom of 45 and 32 nm: Bonnell, Saltwell",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x1c, 0x26, 0x27, 0x35, 0x36),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 8,
                 .from = 0x40,
                 .to = 0x60,
                 .tos = LASTBRANCH_TOS,
                 .formats = FORMAT(1) },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source = "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (Intel "
                  "Core 2 Duo and Intel Atom Processors)\"; register dump of 06_1C",
        .confidence = RECORDED,
    },
    {
        .name = "silvermont",
        .about = "Silvermont and Airmont",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x37, 0x4a, 0x4d, 0x5a, 0x5d, 0x4c),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 8,
                 .from = 0x40,
                 .to = 0x60,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .filter = &filter_lbr_select,
                 .formats = FORMAT(1) },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source = "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (Intel "
                  "Core 2 Duo and Intel Atom Processors)\"; register dump of 06_37",
        .confidence = RECORDED,
    },
    {
        .name = "knl",
        .about = "Knights Landing and Knights Mill",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x57, 0x85),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 8,
                 .fields = &info_from63,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .filter = &filter_lbr_select,
                 .from_flags = FLAGS_MISPRED,
                 .format_misleads = true,
                 .writable = true,
                 .formats = FORMAT(1) },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording for Intel "
            "Xeon Phi Processor 7200/5200/3200\"; that LBR_FMT 1 hides the flag is "
            "from Linux",
        .confidence = STATED,
    },
    {
        .name = "nehalem",
        .about = "Nehalem and Westmere",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 16,
                 .fields = &info_from63,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .filter = &filter_lbr_select_nehalem,
                 .from_flags = FLAGS_MISPRED,
                 .writable = true,
                 .formats = FORMAT(3) },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording for Processors "
            "based on Nehalem Microarchitecture\"; a recording of 06_2C, test.lbr of "
            "google/autofdo, 143,639 of whose 143,639 records have the right FROM",
        .confidence = RECORDED,
    },
    {
        .name = "sandybridge",
        .about = "Sandy Bridge and Ivy Bridge",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x2a, 0x2d, 0x3a, 0x3e),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 16,
                 .fields = &info_from63,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .filter = &filter_lbr_select,
                 .from_flags = FLAGS_MISPRED,
                 .writable = true,
                 .formats = FORMAT(3) },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording for Processors "
            "based on Sandy Bridge Microarchitecture\"; register dumps of 06_2A, 2D, 3A",
        .confidence = RECORDED,
    },
    {
        .name = "haswell",
        .about = "Haswell and Broadwell",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 16,
                 .fields = &info_from_tsx,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .filter = &filter_lbr_select_stack,
                 .from_flags = FLAGS_MISPRED_TSX,
                 .writable = true,
                 .formats = FORMAT(4) },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .pt = true,
        .without_pt = { 0x3c, 0x3f, 0x45, 0x46 },
        .source =
            "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording "
            "for Processors based on Haswell Microarchitecture\"; register dump of 06_3D",
        .confidence = RECORDED,
    },
    {
        .name = "goldmont",
        .about = "Goldmont",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x5c, 0x5f),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 32,
                 .fields = &info_goldmont,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .filter = &filter_lbr_select_stack,
                 .from_flags = FLAGS_MISPRED,
                 .to_flags = CYCLES_IN_TO,
                 .writable = true,
                 .formats = FORMAT(6) },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .pt = true,
        .source = "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception "
                  "Recording for Processors based on Goldmont Microarchitecture\"",
        .confidence = STATED,
    },
    {
        .name = "skylake",
        .about = "Skylake to Rocket Lake, Goldmont Plus, Tremont",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        NUMBERS(0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66, 0x6a, 0x6c, 0x7d, 0x7e,
                0x9d, 0x8c, 0x8d, 0xa7, 0xa8, 0x8a, 0x7a, 0x86, 0x96, 0x9c),
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 32,
                 .fields = &info_register_tsx,
                 .from = 0x680,
                 .to = 0x6c0,
                 .info = 0xdc0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .filter = &filter_lbr_select_stack,
                 .writable = true,
                 .formats = FORMAT(5) | FORMAT(7),
                 .doubles_newest = true },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .pt = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception Recording "
            "for Processors based on Skylake Microarchitecture\"; register dump of 06_5E",
        .confidence = RECORDED,
    },
    {
        .name = "archlbr",
        .about =
            "any processor with architectural LBR: Alder Lake, Sapphire Rapids and later",
        .vendor = INTEL,
        .sysenter = true,
        .needs_arch_lbr = true,
        .debugctl = DEBUGCTL_ARCH,
        .lbr = { .from = 0x1500,
                 .fields = &info_arch,
                 .to = 0x1600,
                 .info = 0x1200,
                 .ctl = ARCH_LBR_CTL,
                 .ctl_enable = ARCH_LBR_ENABLE,
                 .filter = &filter_lbr_ctl,
                 .set_depth = ARCH_LBR_DEPTH,
                 .format_misleads = true },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .ler_info = LER_INFO,
        .ler_of_int = true,
        .bts = true,
        .pt = true,
        .source = "SDM vol. 3B, \"Last Branch Records\"; BTS seen on samples, "
                  "IA32_MISC_ENABLE[11] decides",
        .confidence = STATED,
    },
    {
        .name = "willamette",
        .about = "NetBurst with 4 packed pairs: Willamette, Northwood",
        .vendor = INTEL,
        .sysenter = true,
        .family = 0xf,
        NUMBERS(0x00, 0x01, 0x02),
        .debugctl = DEBUGCTL_NETBURST,
        .lbr = { .depth = 4,
                 .form = LBR_PACKED,
                 .from = 0x1db,
                 .tos = LASTBRANCH_TOS_NETBURST },
        .ler_from = LER_FROM_NETBURST,
        .ler_to = LER_TO_NETBURST,
        .bts = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (Processors "
            "based on Intel NetBurst Microarchitecture)\"; 32-bit processors",
        .confidence = STATED,
    },
    {
        .name = "netburst",
        .about = "NetBurst with 16 pairs: Prescott, Nocona, Cedar Mill",
        .vendor = INTEL,
        .sysenter = true,
        .family = 0xf,
        NUMBERS(0x03, 0x04, 0x06),
        .debugctl = DEBUGCTL_NETBURST,
        .lbr = { .depth = 16, .from = 0x680, .to = 0x6c0, .tos = LASTBRANCH_TOS_NETBURST },
        .ler_from = LER_FROM_NETBURST,
        .ler_to = LER_TO_NETBURST,
        .bts = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (Processors "
            "based on Intel NetBurst Microarchitecture)\"; register dump of 0F_04",
        .confidence = RECORDED,
    },
    {
        .name = "intel",
        .about = "any other Intel from Core 2 on, as in a guest that is shown no LBR",
        .vendor = INTEL,
        .sysenter = true,
        .family = 6,
        .any_number = true,
        .and_later = true,
        .debugctl =
            DEBUGCTL_ARCH, /* where LBR is recorded is not known, so it is not used */
        .bts = true,
        .pt = true,
        .source = "SDM vol. 3B, \"IA32_DEBUGCTL MSR\"; family 6 has long mode since Core 2",
        .confidence = STATED,
    },
    {
        .name = "zen4",
        .about = "AMD with LBR stack version 2: Zen 4, Zen 5",
        .vendor = AMD,
        .needs_amd_lbr_v2 = true,
        /* Linux, arch/x86/kernel/cpu/amd.c: the models of X86_FEATURE_ZEN4 */
        .signatures = { 0x19, { { 0x10, 0x1f }, { 0x60, 0xff } } },
        .btf_unsure = true,
        .pmi_latest = ZEN_LATEST,
        .debugctl = DEBUGCTL_AMD,
        .lbr = { .offsets = true,
                 .fields = &info_amd,
                 .from = 0xc0010300,
                 .to = 0xc0010301,
                 .stride = 2,
                 .select = AMD_LBR_SELECT,
                 .filter = &filter_amd_lbr_select,
                 .ctl = AMD_DBG_EXTN_CFG,
                 .ctl_enable = AMD_LBRSE,
                 .from_flags = FLAGS_AMD,
                 .to_flags = FLAGS_AMD,
                 .to_valid = true,
                 .writable = true,
                 .fuses = true },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .source =
            "AMD64 APM vol. 2, \"Last Branch Stack Registers\"; fusion from Linux, "
            "\"perf/x86/amd/lbr: Use fusion-aware branch classifier\" (AMD); a Zen 5's BTF "
            "and the MSRs of its stack were seen (wilvk/asm-test 65b4bea4)",
        .confidence = STATED,
    },
/* The pair has bits beside the address: seen on Zen 4 and 5 (kvm-unit-tests, aef68831). */
#define AMD_ONE_PAIR                                                  \
    .any_number = true, .btf_unsure = true, .debugctl = DEBUGCTL_AMD, \
    .lbr = { .depth = 1,                                              \
             .from = 0x1db,                                           \
             .to = 0x1dc,                                             \
             .offsets = true,                                         \
             .from_flags = FLAGS_AMD,                                 \
             .to_flags = FLAGS_AMD },                                 \
    .ler_from = LER_FROM, .ler_to = LER_TO
    { .name = "k8",
      .about = "AMD K8",
      .vendor = AMD,
      .family = 0x0f,
      AMD_ONE_PAIR,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"; register dumps",
      .confidence = RECORDED },
    { .name = "amd10h",
      .about = "AMD family 10h: Barcelona, Phenom",
      .vendor = AMD,
      .family = 0x10,
      AMD_ONE_PAIR,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"; register dumps",
      .confidence = RECORDED },
    { .name = "amd11h",
      .about = "AMD family 11h: Griffin",
      .vendor = AMD,
      .family = 0x11,
      AMD_ONE_PAIR,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"",
      .confidence = STATED },
    { .name = "amd12h",
      .about = "AMD family 12h: Llano",
      .vendor = AMD,
      .family = 0x12,
      AMD_ONE_PAIR,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"",
      .confidence = STATED },
    { .name = "amd14h",
      .about = "AMD family 14h: Bobcat",
      .vendor = AMD,
      .family = 0x14,
      AMD_ONE_PAIR,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"",
      .confidence = STATED },
    { .name = "amd15h",
      .about = "AMD family 15h: Bulldozer to Excavator",
      .vendor = AMD,
      .family = 0x15,
      AMD_ONE_PAIR,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"; register dumps",
      .confidence = RECORDED },
    { .name = "amd16h",
      .about = "AMD family 16h: Jaguar, Puma",
      .vendor = AMD,
      .family = 0x16,
      AMD_ONE_PAIR,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"",
      .confidence = STATED },
    { .name = "zen",
      .about = "AMD family 17h: Zen, Zen+, Zen 2",
      .vendor = AMD,
      .family = 0x17,
      AMD_ONE_PAIR,
      .pmi_latest = ZEN_LATEST,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"; BTF of a "
                "Zen 2 stopped after taken branches only (wilvk/asm-test 65b4bea4)",
      .confidence = STATED },
    { .name = "zen3",
      .about = "AMD family 19h without LBR stack version 2: Zen 3, Zen 4 in a guest",
      .vendor = AMD,
      .family = 0x19,
      AMD_ONE_PAIR,
      .pmi_latest = ZEN_LATEST,
      /* Linux, arch/x86/events/amd/brs.c, by AMD's PPR of family 19h model 01h. */
      .brs = { .depth = 16,
               .from = 0xc0010300,
               .to = 0xc0010301,
               .stride = 2,
               .ctl = AMD_DBG_EXTN_CFG,
               .ctl_enable = AMD_BRSMEN,
               .from_flags = FLAGS_AMD,
               .to_flags = FLAGS_AMD },
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"; of "
                "branch sampling Linux, arch/x86/events/amd/brs.c",
      .confidence = STATED },
    { .name = "amd",
      .about = "AMD, any later family without LBR stack version 2: Zen 5 in a guest",
      .vendor = AMD,
      .family = 0x1a,
      .and_later = true,
      AMD_ONE_PAIR,
      .pmi_latest = ZEN_LATEST,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"",
      .confidence = STATED },
    { .name = "dhyana",
      .about = "Hygon Dhyana",
      .vendor = HYGON,
      .family = 0x18,
      AMD_ONE_PAIR,
      .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"; register dumps",
      .confidence = RECORDED },
    {
        .name = "via",
        .about = "VIA Nano and QuadCore: no last-branch records, no BTS known",
        .vendor = VIA,
        .family = 6,
        .any_number = true,
        .debugctl = { .btf = 1u << 1 },
        .btf_unconfirmed = true,
        .source = "register dump of the VIA L4700; whether BTF acts is unconfirmed",
        .confidence = RECORDED,
    },
    {
        .name = "zhaoxin",
        .about = "Zhaoxin KX: no last-branch records, no BTS known",
        .vendor = ZHAOXIN,
        .family = 7,
        .any_number = true,
        .debugctl = { .btf = 1u << 1 },
        .btf_unconfirmed = true,
        .source = "register dump of the Zhaoxin KX-U5581; whether BTF acts is unconfirmed",
        .confidence = RECORDED,
    },
};
const size_t model_count = sizeof models / sizeof models[0];

static bool has_number(const struct model *row, uint32_t number)
{
    for (size_t i = 0; i < row->number_count; i++)
        if (row->numbers[i] == number)
            return true;
    return row->any_number;
}

#define FAMILY_NETBURST 0xf /* Intel's, and not later than its family 6 */

static bool has_family(const struct model *row, uint32_t family)
{
    return row->family == family ||
           (row->and_later && family > row->family && family != FAMILY_NETBURST);
}

static bool fits(const struct model *row, const struct cpu_id *id)
{
    if (row->needs_arch_lbr)
        return id->arch_lbr;
    if (row->needs_amd_lbr_v2)
        return id->amd_lbr_v2;
    return has_family(row, id->family) && has_number(row, id->model);
}

const struct model *model_find(const struct cpu_id *id)
{
    for (size_t i = 0; i < model_count; i++) {
        const struct model *row = &models[i];
        if (!text_same(row->vendor, id->vendor))
            continue;
        if (fits(row, id))
            return row;
    }
    return NULL;
}

static bool has_signature(const struct model *row, const struct cpu_id *id)
{
    const struct signatures *has = &row->signatures;
    bool is_listed = false;

    for (size_t i = 0; i < sizeof has->models / sizeof has->models[0]; i++)
        is_listed |= id->model >= has->models[i].first && id->model <= has->models[i].last;
    return has->family &&
           (id->family > has->family || (id->family == has->family && is_listed));
}

/* Intel's families.  Linux, arch/x86/include/asm/intel-family.h. */
static bool intel_has(uint32_t family)
{
    return family == 6 || family == 0xf || family == 18 || family == 19;
}

const struct model *model_by_signature(const struct cpu_id *id)
{
    struct cpu_id known = *id;
    const struct model *row;

    if (text_same(id->vendor, INTEL) && !intel_has(id->family))
        return NULL;
    for (size_t i = 0; i < model_count; i++)
        if (models[i].needs_amd_lbr_v2 && text_same(models[i].vendor, id->vendor))
            known.amd_lbr_v2 = has_signature(&models[i], id);
    row = model_find(&known);
    if (!text_same(id->vendor, INTEL) || (row && row->lbr.from))
        return row;
    known.arch_lbr = true;
    return model_find(&known);
}

bool model_may_have_pt(const struct model *row)
{
    for (size_t i = 0; i < row->number_count; i++) {
        const uint16_t *without = row->without_pt;

        while (*without && *without != row->numbers[i])
            without++;
        if (!*without)
            return row->pt;
    }
    return row->pt && !row->number_count;
}

const struct model *model_named(const char *name)
{
    for (size_t i = 0; i < model_count; i++)
        if (text_same(models[i].name, name))
            return &models[i];
    return NULL;
}

size_t model_lbr_depth(const struct model *row, const struct cpu_id *id)
{
    if (row->needs_amd_lbr_v2)
        return id->amd_lbr_v2_depth;
    if (!row->lbr.set_depth)
        return row->lbr.depth;
    size_t depth = 0;
    for (size_t bit = 0; bit < 8; bit++)
        if (id->arch_lbr_depths >> bit & 1)
            depth = ARCH_LBR_DEPTH_STEP * (bit + 1);
    return depth;
}

bool model_lbr_offsets(const struct model *row, const struct cpu_id *id)
{
    /* SDM vol. 3B, "LBR Stack and IA32_PERF_CAPABILITIES", by LBR_FMT. */
    static const bool of_format[] = { [1] = false, true, true, true, true, false, false };

    if (row->needs_arch_lbr)
        return !id->arch_lbr_linear;
    if (id->lbr_format && id->lbr_format < sizeof(of_format) / sizeof(of_format[0]))
        return of_format[id->lbr_format];
    return row->lbr.offsets;
}
