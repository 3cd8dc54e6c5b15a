#include "left.h"

#include "heap.h"

bool left_recording(const struct log *log)
{
    bool is_off = !log->left_line || span_is(log->left.debugctl, "0x0") ||
                  span_is(log->left.debugctl, "absent");

    return !is_off || log->left.counters.length ||
           (log->left.lbr_ctl.length && !span_is(log->left.lbr_ctl, "0x0"));
}

char *left_text(const struct log *log)
{
    if (!log->left_line)
        return format_text("not logged");
    return format_text("DEBUGCTL=%.*s%s%.*s%s%.*s", SPAN(log->left.debugctl),
                       log->left.lbr_ctl.length ? " LBR_CTL=" : "", SPAN(log->left.lbr_ctl),
                       log->left.counters.length ? ", counters " : "",
                       SPAN(log->left.counters));
}
