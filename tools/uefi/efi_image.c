/* efi_image.h */
#include "efi_image.h"

#include <string.h>

#define HEADER_AT             0x3c /* of the DOS stub: where "PE\0\0" is */
#define MACHINE_AMD64         0x8664
#define OPTIONAL_AT           24 /* after "PE\0\0" and the COFF header */
#define MAGIC_PE32_PLUS       0x20b
#define SUBSYSTEM_AT          68 /* in the optional header of PE32+    */
#define SUBSYSTEM_EFI_PROGRAM 10
#define CERTIFICATES_AT       144 /* the fifth data directory           */
#define DIRECTORY_SIZE        8

static uint32_t read_32(const uint8_t *at)
{
    uint32_t number;

    memcpy(&number, at, sizeof(number));
    return number;
}

static uint16_t read_16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

/* The optional header, or NULL if this is no such program. */
static const uint8_t *optional_header(const uint8_t *bytes, size_t size)
{
    uint32_t at;

    if (size < HEADER_AT + sizeof(at) || memcmp(bytes, "MZ", 2) != 0)
        return NULL;
    at = read_32(bytes + HEADER_AT);
    if (at > size || size - at < OPTIONAL_AT + CERTIFICATES_AT + DIRECTORY_SIZE)
        return NULL;
    bytes += at;
    return memcmp(bytes, "PE\0", 4) == 0 && read_16(bytes + 4) == MACHINE_AMD64 &&
                   read_16(bytes + OPTIONAL_AT) == MAGIC_PE32_PLUS &&
                   read_16(bytes + OPTIONAL_AT + SUBSYSTEM_AT) == SUBSYSTEM_EFI_PROGRAM
               ? bytes + OPTIONAL_AT
               : NULL;
}

bool efi_image_is_program(const uint8_t *bytes, size_t size)
{
    return optional_header(bytes, size) != NULL;
}

bool efi_image_is_signed(const uint8_t *bytes, size_t size)
{
    const uint8_t *header = optional_header(bytes, size);

    return header && read_32(header + CERTIFICATES_AT + 4) != 0;
}
