/*
 * What was left in the registers that record when the machine was taken.
 */
#pragma once

#include <stdbool.h>

#include "parsed.h"

bool left_recording(const struct cpu_part *); /* something was, or counted */
char *left_text(const struct cpu_part *);     /* "DEBUGCTL=0x1 LBR_CTL=0x0" */
