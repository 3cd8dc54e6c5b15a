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

const char *probe_result_reason(const struct probed *facility)
{
    static char reason[EVIDENCE_SIZE + 32];
    struct text out = text_into(reason, sizeof reason);
    text_string(&out, facility->name);
    text_string(&out, " ");
    text_string(&out, probe_result_name(facility->probe_result));
    text_string(&out, ": ");
    text_string(&out, facility->evidence);
    return reason;
}
