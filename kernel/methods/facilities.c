/* facilities.h */
#include "facilities.h"

#include <stddef.h>

bool facility_may_act(const struct probed *facility)
{
    return facility_acts(facility) || facility->said.outcome == AVOIDED;
}

bool facility_acts(const struct probed *facility)
{
    return facility->said.outcome == WORKS || facility->said.outcome == DEVIATES;
}

const char *facilities_lack(const struct facilities *found, unsigned needs)
{
    for (enum facility f = FACILITY_STEP; f < FACILITY_COUNT; f++)
        if (needs & 1u << f && !facility_acts(&found->all[f]))
            return facility_names[f];
    return NULL;
}
