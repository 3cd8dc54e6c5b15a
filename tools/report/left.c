#include "left.h"

#include "heap.h"

bool left_recording(const struct cpu_part *cpu)
{
    bool is_off = !cpu->left_line || span_is(cpu->left.debugctl, "0x0") ||
                  span_is(cpu->left.debugctl, "absent");

    return !is_off || cpu->left.counters.length ||
           (cpu->left.lbr_ctl.length && !span_is(cpu->left.lbr_ctl, "0x0"));
}

char *left_text(const struct cpu_part *cpu)
{
    if (!cpu->left_line)
        return format_text("not logged");
    return format_text("DEBUGCTL=%.*s%s%.*s%s%.*s", SPAN(cpu->left.debugctl),
                       cpu->left.lbr_ctl.length ? " LBR_CTL=" : "", SPAN(cpu->left.lbr_ctl),
                       cpu->left.counters.length ? ", counters " : "",
                       SPAN(cpu->left.counters));
}
