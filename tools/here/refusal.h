/*
 * Why Linux refuses to trace, in words that name the setting which permits it.
 */
#pragma once

#include <stddef.h>

#include "attempt.h"
#include "facility.h"

#define REFUSAL_SIZE 160 /* of the sentence */

/*
 * DENIED or ABSENT, and the sentence.  `paranoid`: the highest value of
 * kernel.perf_event_paranoid that lets anybody do it.
 */
enum probe_result refusal_of(const struct attempt *, enum facility, int paranoid,
                             char sentence[REFUSAL_SIZE]);
