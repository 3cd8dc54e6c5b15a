/*
 * PI Specification, vol. 2, "MP Services Protocol".
 *
 * The call returns at once, and an event tells that all have come back: meanwhile this
 * processor has to work too.  Firmware that refuses that leaves this one alone.
 */
#include "processors.h"

#include <efi.h>

#include "acpi.h"
#include "devices.h"
#include "firmware.h"
#include "memory.h"

#define BELOW_1_MIB 0x9ffffull
#define BACK_MS     10000

typedef VOID(EFIAPI *procedure)(VOID *);

struct services {
    EFI_STATUS(EFIAPI *count)(struct services *, UINTN *all, UINTN *enabled);
    EFI_STATUS(EFIAPI *info)(struct services *, UINTN number, VOID *info);
    EFI_STATUS(EFIAPI *start_all)
    (struct services *, procedure, BOOLEAN one_by_one, EFI_EVENT, UINTN timeout_us,
     VOID *argument, UINTN **failed);
    VOID *start_one, *switch_bsp, *enable_disable, *who_am_i;
};

static struct services *services;
static EFI_EVENT all_back; /* NULL: none was started */

static const char *find_services(struct processors *p)
{
    static EFI_GUID guid = {
        0x3fdda605, 0xa76e, 0x4f46, { 0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08 }
    };
    UINTN all, enabled;
    if (EFI_ERROR(BS->LocateProtocol(&guid, NULL, (VOID **)&services)))
        return "processors=: this firmware has no MP Services, so this processor is alone";
    if (EFI_ERROR(services->count(services, &all, &enabled)) || !enabled)
        return "processors=: MP Services do not count the processors: this one is alone";
    p->found = enabled < UINT32_MAX ? (uint32_t)enabled : UINT32_MAX;
    return NULL;
}

/* Where the firmware will be gone; it may not be asked for memory then. */
static const char *find_tables(struct processors *p)
{
    EFI_PHYSICAL_ADDRESS page = BELOW_1_MIB;
    const uint8_t *madt = acpi_find(devices_rsdp(), "APIC", devices_readable);
    if (!madt)
        return "processors=: no ACPI table (MADT) lists any, so this processor is alone";
    p->apic_count = acpi_madt(madt, p->apic, SETTING_PROCESSORS_MAX);
    p->found = (uint32_t)p->apic_count;
    if (EFI_ERROR(BS->AllocatePages(AllocateMaxAddress, EfiLoaderData, 1, &page)))
        return "processors=: no page below 1 MiB is free, so this processor is alone";
    p->trampoline = page;
    return NULL;
}

void processors_find(struct handoff *handoff)
{
    const struct options *options = &handoff->options;
    struct processors *p = &handoff->processors;
    *p = (struct processors){ .asked = options->processors != 0, .found = 1, .wanted = 1 };
    if (!p->asked)
        return;
    p->why = handoff->by_command ? "processors=: commands run on this processor alone"
             : options->exit_boot_services ? find_tables(p)
                                           : find_services(p);
    p->wanted = p->why ? 1 : p->found;
    if (p->wanted > options->processors)
        p->wanted = options->processors;
    if (p->wanted > SETTING_PROCESSORS_MAX)
        p->wanted = SETTING_PROCESSORS_MAX;
    if (p->wanted == 1)
        p->trampoline = 0;
}

void processors_start(const struct start *start)
{
    if (!start->entry || !services ||
        EFI_ERROR(BS->CreateEvent(0, TPL_APPLICATION, NULL, NULL, &all_back)))
        return;
    if (!EFI_ERROR(services->start_all(services, start->entry, FALSE, all_back, 0,
                                       start->argument, NULL)))
        return;
    BS->CloseEvent(all_back);
    all_back = NULL;
}

bool processors_back(void)
{
    if (!all_back)
        return true;
    for (UINTN ms = 0; ms < BACK_MS; ms++) {
        if (!EFI_ERROR(BS->CheckEvent(all_back)))
            return true;
        BS->Stall(1000);
    }
    return false;
}
