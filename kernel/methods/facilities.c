/* facilities.h */
#include "facilities.h"

bool facility_may_act(const struct probed *facility)
{
    return facility_acts(facility) || facility->probe_result == AVOIDED;
}

bool facility_acts(const struct probed *facility)
{
    return facility->probe_result == WORKS || facility->probe_result == DEVIATES;
}
