/* refused: ld: a program may have constants only, no data */
#include "program.h"

static uint32_t count = 1;

PROGRAM("counts how often it is called")
{
    __asm__ volatile("" : "+m"(count));
    return ++count;
}
