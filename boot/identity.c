/* UEFI Specification, "EFI Configuration Table" and "Globally Defined Variables". */
#include "identity.h"

#include "devices.h"
#include "firmware.h"
#include "smbios.h"

#define TABLE_LARGEST (1u << 20)

static struct identity read_tables(void)
{
    static const EFI_GUID guids[] = { SMBIOS3_TABLE_GUID, SMBIOS_TABLE_GUID };
    struct identity none = { .bios_vendor = "" };
    for (UINTN i = 0; i < sizeof guids / sizeof guids[0]; i++) {
        const uint8_t *entry = firmware_table(&guids[i]);
        uint64_t table;
        uint32_t size;
        if (!entry || !devices_readable((uint64_t)entry, SMBIOS_ENTRY_SIZE) ||
            !smbios_entry(entry, &table, &size))
            continue;
        size = size < TABLE_LARGEST ? size : TABLE_LARGEST;
        if (devices_readable(table, size))
            return smbios_identity((const uint8_t *)table, size);
    }
    return none;
}

static const char *secure_boot(void)
{
    static EFI_GUID global = EFI_GLOBAL_VARIABLE;
    UINT8 on;
    UINTN size = sizeof on;
    EFI_STATUS status = RT->GetVariable(L"SecureBoot", &global, NULL, &size, &on);
    if (EFI_ERROR(status) || size != sizeof on)
        return status == EFI_NOT_FOUND ? "off" : "unknown"; /* firmware without it */
    return on ? "on" : "off";
}

static const char *firmware_vendor(void)
{
    static char name[64];
    firmware_ascii(name, sizeof name, ST->FirmwareVendor);
    return name;
}

static char *put_digits(char *out, unsigned number, unsigned digits, char after)
{
    for (unsigned i = digits; i--; number /= 10)
        out[i] = (char)('0' + number % 10);
    out[digits] = after;
    return out + digits + 1;
}

/* For the screen; empty if the firmware has no clock. */
static void find_date(char out[DATE_SIZE])
{
    EFI_TIME now;
    out[0] = 0;
    if (EFI_ERROR(RT->GetTime(&now, NULL)))
        return;
    out = put_digits(out, now.Year, 4, '-');
    out = put_digits(out, now.Month, 2, '-');
    out = put_digits(out, now.Day, 2, ' ');
    out = put_digits(out, now.Hour, 2, ':');
    put_digits(out, now.Minute, 2, 0);
}

void identity_find(struct handoff *handoff)
{
    handoff->firmware_vendor = firmware_vendor();
    handoff->firmware_revision = ST->FirmwareRevision;
    handoff->identity = read_tables();
    handoff->secure_boot = secure_boot();
    find_date(handoff->date);
}
