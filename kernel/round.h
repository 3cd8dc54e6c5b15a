/*
 * A round is one run on each of several processors: in round N of a plan all make run N at
 * the same time.
 */
#pragma once

#include "plan.h"
#include "session.h"

void round_make(struct session *, const struct slot *);
