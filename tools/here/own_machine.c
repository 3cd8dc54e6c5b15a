/* own_machine.h */
#include "own_machine.h"

#include <cpuid.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#define LEAF_BRAND      0x80000002u
#define LEAF_BRAND_LAST 0x80000004u

static void ask(uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
    __cpuid_count(leaf, subleaf, r[0], r[1], r[2], r[3]);
}

/* The cores of a hybrid processor differ, and so do their recorders. */
static void stay_on_one(void)
{
    cpu_set_t all, one;

    if (sched_getaffinity(0, sizeof(all), &all) != 0)
        return;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all)) {
            CPU_SET(i, &one);
            break;
        }
    sched_setaffinity(0, sizeof(one), &one);
}

static void read_brand(struct own_machine *own)
{
    uint32_t r[4];

    ask(CPUID_LEAF_HIGHEST, 0, r);
    if (r[0] < LEAF_BRAND_LAST)
        return;
    for (uint32_t i = 0; i <= LEAF_BRAND_LAST - LEAF_BRAND; i++) {
        ask(LEAF_BRAND + i, 0, r);
        memcpy(own->brand + i * sizeof(r), r, sizeof(r));
    }
}

/* Only Linux can read the MSR that holds the revision. */
static void read_microcode(struct own_machine *own)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    unsigned long long revision;
    char line[512];

    while (file && fgets(line, sizeof(line), file))
        if (sscanf(line, "microcode : 0x%llx", &revision) == 1) {
            own->microcode = revision;
            break;
        }
    if (file)
        fclose(file);
}

/* Leaves the text empty where Linux has none. */
static void read_dmi(struct own_machine *own, const char *name, char text[DMI_SIZE])
{
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "/sys/class/dmi/id/%s", name);
    file = fopen(path, "r");
    if (!file)
        return;
    own->has_dmi = true;
    if (!fgets(text, DMI_SIZE, file))
        text[0] = 0;
    text[strcspn(text, "\n")] = 0;
    fclose(file);
}

void own_machine_read(struct own_machine *own)
{
    struct utsname names;

    *own = (struct own_machine){ .microcode = 0 };
    stay_on_one();
    own->leaf_count = cpuid_read(own->leaves, ask);
    cpuid_decode(&own->id, own->leaves, own->leaf_count);
    read_brand(own);
    read_microcode(own);
    own->model = model_find(&own->id);
    if (own->model)
        own->lbr_depth = model_lbr_depth(own->model, &own->id);
    if (uname(&names) == 0)
        snprintf(own->release, sizeof(own->release), "%s", names.release);
    read_dmi(own, "bios_vendor", own->bios_vendor);
    read_dmi(own, "bios_version", own->bios_version);
    read_dmi(own, "bios_date", own->bios_date);
    read_dmi(own, "sys_vendor", own->system_vendor);
    read_dmi(own, "product_name", own->system_product);
    read_dmi(own, "board_vendor", own->board_vendor);
    read_dmi(own, "board_name", own->board_product);
}
