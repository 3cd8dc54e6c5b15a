/* intrusion.h */
#include "intrusion.h"

#include "idt.h"
#include "msr.h"
#include "registers.h"

bool intrusion_smi_count(uint32_t *count)
{
    uint64_t value = 0;
    bool counts = msr_read(MSR_SMI_COUNT, &value);
    *count = (uint32_t)value;
    return counts;
}

struct intrusions intrusion_count(void)
{
    struct intrusions now = { .nmis = idt_stray_nmis() };
    intrusion_smi_count(&now.smis);
    return now;
}

struct intrusions intrusion_since(const struct intrusions *then)
{
    struct intrusions now = intrusion_count();
    return (struct intrusions){ now.smis - then->smis, now.nmis - then->nmis };
}
