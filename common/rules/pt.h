/*
 * The rules that the further trials of the probe of Processor Trace can find broken.
 */
#pragma once

#include "deviation.h"
#include "rule.h"

/*
 * Returns the first rule that these deviations break if all that they break are derived,
 * else NULL: then the processor certainly deviates.
 */
const struct rule *pt_derived_rule(uint32_t deviations);
