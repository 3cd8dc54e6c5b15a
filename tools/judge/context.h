/*
 * The records around a difference.
 */
#pragma once

#include "beyond.h"
#include "findings.h"

struct context *context_of(struct compared *got, struct compared *want,
                           const struct found_difference *);
