/* panic.h */
#include "panic.h"

#include <stddef.h>

#include "emit.h"
#include "picture.h"
#include "x86.h"

_Noreturn void panic_frame(const char *why, const struct frame *frame)
{
    emit_panic(why, frame);
    picture_panic(why);
    halt_forever();
    __builtin_unreachable();
}

_Noreturn void panic(const char *why)
{
    panic_frame(why, NULL);
}
