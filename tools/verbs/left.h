/*
 * What was left in the registers that record when the machine was taken.
 */
#pragma once

#include <stdbool.h>

#include "parsed.h"

bool left_recording(const struct log *); /* something was, or counted */
char *left_text(const struct log *);     /* "DEBUGCTL=0x1 LBR_CTL=0x0" */
