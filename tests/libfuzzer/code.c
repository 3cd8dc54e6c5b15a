/*
 * Any bytes as code: the decoder must say of every instruction in them what Zydis says.
 */
#include "by_zydis.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    by_zydis_begin();
    for (size_t at = 0; at < size; at++)
        MUST(agree(data + at, size - at));
    return 0;
}
