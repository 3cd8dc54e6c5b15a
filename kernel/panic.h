/*
 * The end of the kernel when the kernel itself is wrong: one line, then stop.
 *
 * The log then has no last line, so nobody takes it for a result.
 */
#pragma once

#include "idt.h"

/* What another processor does instead of printing. */
void panic_elsewhere(void (*tell)(const char *why, const struct frame *));

_Noreturn void panic(const char *why);
_Noreturn void panic_frame(const char *why, const struct frame *);
