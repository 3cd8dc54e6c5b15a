/* firmware.h */
#include "firmware.h"

EFI_SYSTEM_TABLE *ST;
EFI_BOOT_SERVICES *BS;
EFI_RUNTIME_SERVICES *RT;

const void *firmware_table(const EFI_GUID *guid)
{
    const UINT64 *wanted = (const UINT64 *)guid;
    for (UINTN i = 0; i < ST->NumberOfTableEntries; i++) {
        const UINT64 *given = (const UINT64 *)&ST->ConfigurationTable[i].VendorGuid;
        if (given[0] == wanted[0] && given[1] == wanted[1])
            return ST->ConfigurationTable[i].VendorTable;
    }
    return NULL;
}
