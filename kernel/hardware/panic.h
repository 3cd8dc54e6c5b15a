/*
 * The end of the kernel when the kernel itself is wrong: one line, then stop.
 *
 * The log then has no last line, so nobody takes it for a result.
 */
#pragma once

#include "idt.h"

/* Sets the function that reports a panic: the BSP logs it, an AP tells the BSP. */
void panic_says(void (*)(const char *why, const struct frame *));

_Noreturn void panic(const char *why);
_Noreturn void panic_frame(const char *why, const struct frame *);
