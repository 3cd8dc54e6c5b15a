/* panic.h */
#include "panic.h"

#include <stddef.h>

#include "emit.h"
#include "picture.h"
#include "x86.h"

static void (*elsewhere)(const char *why, const struct frame *);

void panic_elsewhere(void (*tell)(const char *why, const struct frame *))
{
    elsewhere = tell;
}

static void print(const char *why, const struct frame *frame)
{
    emit_panic(why, frame);
    picture_panic(why);
}

_Noreturn void panic_frame(const char *why, const struct frame *frame)
{
    if (elsewhere)
        elsewhere(why, frame);
    else
        print(why, frame);
    halt_forever();
    __builtin_unreachable();
}

_Noreturn void panic(const char *why)
{
    panic_frame(why, NULL);
}
