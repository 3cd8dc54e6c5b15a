/* own_machine.h */
#include "own_machine.h"

#include <cpuid.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "linux_file.h"

static void ask(uint32_t leaf, uint32_t subleaf, uint32_t r[4])
{
    __cpuid_count(leaf, subleaf, r[0], r[1], r[2], r[3]);
}

int own_machine_processor(size_t n)
{
    static cpu_set_t all;

    if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof(all), &all) != 0)
        return -1;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all) && n-- == 0)
            return i;
    return -1;
}

/* The cores of a hybrid processor differ, and so do their recorders. */
static bool stay_on(int processor)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    return sched_setaffinity(0, sizeof(one), &one) == 0;
}

/* Only Linux can read the MSR that holds the revision. */
static void read_microcode(struct own_machine *own)
{
    const char *text = linux_file("/proc/cpuinfo");
    const char *line = text ? strstr(text, "\nmicrocode") : NULL;
    unsigned long long revision;

    if (line && sscanf(line, " microcode : 0x%llx", &revision) == 1)
        own->microcode = revision;
}

/*
 * FRED (CPUID.7.1:EAX[17]) replaces the IDT.  Linux lists it among the flags if it uses it
 * (arch/x86/kernel/cpu/common.c clears it otherwise).
 */
#define LEAF_FEATURES_7 7
#define EAX_FRED        (1u << 17)

static void read_fred(struct own_machine *own)
{
    const uint32_t *leaf = cpuid_find(own->leaves, own->leaf_count, LEAF_FEATURES_7, 1);
    const char *text;

    if (!leaf || !(leaf[0] & EAX_FRED))
        return;
    text = linux_file("/proc/cpuinfo");
    own->fred = !text ? "unknown" : strstr(text, " fred ") ? "on" : "off";
}

/* Leaves the text empty where Linux has none. */
static void read_dmi(struct own_machine *own, const char *name, char out[DMI_SIZE])
{
    char path[64];
    const char *text;

    snprintf(path, sizeof(path), "/sys/class/dmi/id/%s", name);
    text = linux_file(path);
    if (!text)
        return;
    own->has_dmi = true;
    snprintf(out, DMI_SIZE, "%.*s", (int)strcspn(text, "\n"), text);
}

bool own_machine_read(struct own_machine *own, int processor)
{
    struct utsname names;

    *own = (struct own_machine){ .processor = processor };
    if (!stay_on(processor))
        return false;
    own->leaf_count = cpuid_read(own->leaves, ask);
    cpuid_decode(&own->id, own->leaves, own->leaf_count);
    cpuid_brand(own->brand, ask);
    read_microcode(own);
    read_fred(own);
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
    return true;
}
