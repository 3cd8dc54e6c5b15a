/* panic.h */
#include "panic.h"

#include <stddef.h>

#include "x86.h"

static void (*says)(const char *why, const struct frame *);

void panic_says(void (*say)(const char *why, const struct frame *))
{
    says = say;
}

_Noreturn void panic_frame(const char *why, const struct frame *frame)
{
    if (says)
        says(why, frame);
    halt_forever();
    __builtin_unreachable();
}

_Noreturn void panic(const char *why)
{
    panic_frame(why, NULL);
}
