/* The model table.  common/model.h tells what a row is; a new processor is a new row. */
#include "model.h"

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
#define DEBUGCTL_AMD                    \
    {                                   \
        .lbr = 1u << 0, .btf = 1u << 1, \
    }

#define INTEL "GenuineIntel"
#define AMD   "AuthenticAMD"
#define HYGON "HygonGenuine"

/* The MSRs of the layouts.  SDM vol. 4, the tables of MSRs per processor family. */
#define LASTBRANCH_TOS          0x1c9
#define LASTBRANCH_TOS_NETBURST 0x1da
#define LBR_SELECT              0x1c8
#define LER_FROM                0x1dd
#define LER_TO                  0x1de
#define LER_FROM_NETBURST       0x1d7
#define LER_TO_NETBURST         0x1d8

/* A bit at the top of FROM says "mispredicted"; two more belong to TSX. */
#define FLAGS_MISPRED     1
#define FLAGS_MISPRED_TSX 3

const struct model models[] = {
    {
        .name = "core2",
        .about = "Core 2: Merom, Conroe, Penryn, Dunnington",
        .vendor = INTEL,
        .family = 6,
        .numbers = { 0x0f, 0x16, 0x17, 0x1d },
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 4, .from = 0x40, .to = 0x60, .tos = LASTBRANCH_TOS },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .tr_excludes_lbr = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (Intel Core 2 "
            "Duo and Intel Atom Processors)\"",
        .confidence = "stated",
    },
    {
        .name = "nehalem",
        .about = "Nehalem and Westmere",
        .vendor = INTEL,
        .family = 6,
        .numbers = { 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f },
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 16,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .from_flags = FLAGS_MISPRED },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording for Processors "
            "based on Nehalem Microarchitecture\"; record format 3 derived",
        .confidence = "derived",
    },
    {
        .name = "sandybridge",
        .about = "Sandy Bridge and Ivy Bridge",
        .vendor = INTEL,
        .family = 6,
        .numbers = { 0x2a, 0x2d, 0x3a, 0x3e },
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 16,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .from_flags = FLAGS_MISPRED },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording for Processors "
            "based on Sandy Bridge Microarchitecture\"; register dumps of 06_2A, 2D, 3A",
        .confidence = "measured",
    },
    {
        .name = "haswell",
        .about = "Haswell and Broadwell",
        .vendor = INTEL,
        .family = 6,
        .numbers = { 0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56 },
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 16,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT,
                 .from_flags = FLAGS_MISPRED_TSX },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source = "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception "
                  "Recording for "
                  "Processors based on Haswell Microarchitecture\"; register dump of 06_3D",
        .confidence = "measured",
    },
    {
        .name = "skylake",
        .about = "Skylake to Rocket Lake, Goldmont Plus, Tremont",
        .vendor = INTEL,
        .family = 6,
        .numbers = { 0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66, 0x6a, 0x6c, 0x7d,
                     0x7e, 0x9d, 0x8c, 0x8d, 0xa7, 0xa8, 0x8a, 0x7a, 0x86, 0x96, 0x9c },
        .debugctl = DEBUGCTL_INTEL,
        .lbr = { .depth = 32,
                 .from = 0x680,
                 .to = 0x6c0,
                 .info = 0xdc0,
                 .tos = LASTBRANCH_TOS,
                 .select = LBR_SELECT },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source = "SDM vol. 3B, \"Last Branch, Call Stack, Interrupt, and Exception "
                  "Recording for "
                  "Processors based on Skylake Microarchitecture\"; register dump of 06_5E",
        .confidence = "measured",
    },
    {
        .name = "archlbr",
        .about =
            "any processor with architectural LBR: Alder Lake, Sapphire Rapids and later",
        .vendor = INTEL,
        .needs_arch_lbr = true,
        .debugctl = DEBUGCTL_ARCH,
        .lbr = { .from = 0x1500,
                 .to = 0x1600,
                 .info = 0x1200,
                 .ctl = 0x14ce,
                 .set_depth = 0x14cf },
        .ler_from = LER_FROM,
        .ler_to = LER_TO,
        .bts = true,
        .source = "SDM vol. 3B, \"Last Branch Records\"; BTS seen on samples, "
                  "IA32_MISC_ENABLE[11] decides",
        .confidence = "stated",
    },
    {
        .name = "netburst",
        .about = "NetBurst with 16 pairs: Prescott, Nocona, Cedar Mill",
        .vendor = INTEL,
        .family = 0xf,
        .numbers = { 0x03, 0x04, 0x06 },
        .debugctl = DEBUGCTL_NETBURST,
        .lbr = { .depth = 16,
                 .from = 0x680,
                 .to = 0x6c0,
                 .tos = LASTBRANCH_TOS_NETBURST,
                 .read_only = true },
        .ler_from = LER_FROM_NETBURST,
        .ler_to = LER_TO_NETBURST,
        .bts = true,
        .source =
            "SDM vol. 3B, \"Last Branch, Interrupt, and Exception Recording (Processors "
            "based on Intel NetBurst Microarchitecture)\"; register dump of 0F_04",
        .confidence = "measured",
    },
#define AMD_ONE_PAIR                                                                      \
    .debugctl = DEBUGCTL_AMD,                                                             \
    .lbr = { .depth = 1, .from = 0x1db, .to = 0x1dc, .read_only = true },                 \
    .ler_from = LER_FROM, .ler_to = LER_TO,                                               \
    .source = "AMD64 APM vol. 2, \"Control-Transfer Recording MSRs\"; register dumps of " \
              "families 0F, 10, 15, 18",                                                  \
    .confidence = "measured"
    { .name = "k8",
      .about = "AMD K8",
      .vendor = AMD,
      .family = 0x0f,
      .any_number = true,
      AMD_ONE_PAIR },
    { .name = "amd10h",
      .about = "AMD family 10h: Barcelona, Phenom",
      .vendor = AMD,
      .family = 0x10,
      .any_number = true,
      AMD_ONE_PAIR },
    { .name = "amd15h",
      .about = "AMD family 15h: Bulldozer to Excavator",
      .vendor = AMD,
      .family = 0x15,
      .any_number = true,
      AMD_ONE_PAIR },
    { .name = "zen",
      .about = "AMD family 17h: Zen, Zen+, Zen 2",
      .vendor = AMD,
      .family = 0x17,
      .any_number = true,
      AMD_ONE_PAIR },
    { .name = "dhyana",
      .about = "Hygon Dhyana",
      .vendor = HYGON,
      .family = 0x18,
      .any_number = true,
      AMD_ONE_PAIR },
};
const size_t model_count = sizeof models / sizeof models[0];

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static bool has_number(const struct model *row, uint32_t number)
{
    for (size_t i = 0; i < sizeof row->numbers / sizeof row->numbers[0]; i++)
        if (row->numbers[i] && row->numbers[i] == number)
            return true;
    return row->any_number;
}

const struct model *model_find(const struct cpu_id *id)
{
    for (size_t i = 0; i < model_count; i++) {
        const struct model *row = &models[i];
        if (!same_text(row->vendor, id->vendor))
            continue;
        if (row->needs_arch_lbr ? id->arch_lbr
                                : row->family == id->family && has_number(row, id->model))
            return row;
    }
    return NULL;
}

const struct model *model_named(const char *name)
{
    for (size_t i = 0; i < model_count; i++)
        if (same_text(models[i].name, name))
            return &models[i];
    return NULL;
}

size_t model_lbr_depth(const struct model *row, const struct cpu_id *id)
{
    if (!row->lbr.set_depth)
        return row->lbr.depth;
    size_t depth = 0;
    for (size_t bit = 0; bit < 8; bit++)
        if (id->arch_lbr_depths >> bit & 1)
            depth = ARCH_LBR_DEPTH_STEP * (bit + 1);
    return depth;
}
