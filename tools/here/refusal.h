/* Says why Linux refuses to trace, and which setting permits it. */
#pragma once

#include <stddef.h>

#include "attempt.h"
#include "facility.h"

#define REFUSAL_SIZE 160 /* of the sentence */

/*
 * Returns DENIED or ABSENT, and makes the sentence.  `paranoid`: the highest value of
 * kernel.perf_event_paranoid that lets anybody do it.
 */
enum probe_result refusal_of(const struct attempt *, enum facility, int paranoid,
                             char sentence[REFUSAL_SIZE]);
