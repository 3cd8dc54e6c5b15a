#include "left.h"

#include "heap.h"

bool left_recording(const struct cpu_part *cpu)
{
    return cpu->left.debugctl.value || cpu->left.counters.is || cpu->left.lbr_ctl.value;
}

char *left_text(const struct cpu_part *cpu)
{
    const struct left_line *left = &cpu->left;
    char buffer[LOG_LINE_MAX];
    struct text text = text_into(buffer, sizeof(buffer));

    if (!left->line)
        return format_text("not logged");
    text_string(&text, "DEBUGCTL=");
    log_put_named(&text, WORD_LEFT, "debugctl", left);
    if (left->lbr_ctl.is) {
        text_string(&text, " LBR_CTL=");
        log_put_named(&text, WORD_LEFT, "lbr_ctl", left);
    }
    if (left->counters.is) {
        text_string(&text, ", counters ");
        log_put_named(&text, WORD_LEFT, "counters", left);
    }
    return format_text("%s", buffer);
}
