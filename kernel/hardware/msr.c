/* The part of msr.h that needs no assembly; the rest is in guard.asm. */
#include "msr.h"

bool msr_set(uint32_t msr, uint64_t value)
{
    uint64_t now;
    return msr_write(msr, value) && msr_read(msr, &now) && now == value;
}
