/* method.h */
#include "method.h"

#include "visible.h"

size_t method_capacity(const struct method *method, const struct cpu *cpu,
                       const struct buffers *buffers)
{
    const struct method_facts *facts = method->facts;
    return visible_capacity(facts, NULL,
                            facts->ring_lbr ? cpu->lbr_depth : buffers->bts_capacity);
}
