/* refused: record: clock: it does something else each time it is started */
#include "program.h"

PROGRAM("as many rounds as the clock says")
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    for (high = low >> 4 & 0xff; high > 0; high--)
        __asm__ volatile("");
    return low;
}
