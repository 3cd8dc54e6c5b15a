/*
 * The recording that was still on when the machine was taken.
 */
#pragma once

#include <stdbool.h>

#include "parsed.h"

bool left_recording(
    const struct cpu_part *);             /* true if branches were recorded or counted */
char *left_text(const struct cpu_part *); /* "DEBUGCTL=0x1 LBR_CTL=0x0" */
