/*
 * The end of the kernel when the kernel itself is wrong: one line, then stop.
 *
 * The log then has no last line, so nobody takes it for a result.
 */
#pragma once

#include "idt.h"

/* Who says it, before the stop: the first processor to the log, another to the first. */
void panic_says(void (*)(const char *why, const struct frame *));

_Noreturn void panic(const char *why);
_Noreturn void panic_frame(const char *why, const struct frame *);
