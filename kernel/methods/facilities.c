/* facilities.h */
#include "facilities.h"

bool facility_may_act(const struct probed *facility)
{
    return facility_acts(facility) || facility->finding == AVOIDED;
}

bool facility_acts(const struct probed *facility)
{
    return facility->finding == WORKS || facility->finding == DEVIATES;
}

const char *finding_reason(const struct probed *facility)
{
    static char reason[EVIDENCE_SIZE + 32];
    struct text out = text_into(reason, sizeof reason);
    text_string(&out, facility->name);
    text_string(&out, " ");
    text_string(&out, finding_name(facility->finding));
    text_string(&out, ": ");
    text_string(&out, facility->evidence);
    return reason;
}
