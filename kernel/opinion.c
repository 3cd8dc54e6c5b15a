/* opinion.h.  The check is the host program's own, from common/. */
#include "opinion.h"

#include <stdbool.h>

#include "check.h"
#include "text.h"
#include "view.h"

static struct text screen;
static const struct workload *current;
static size_t differences;

#define NAME_COLUMN 14
#define CELL_COLUMN 9

static void put_column(const char *text, size_t width)
{
    size_t length = 0;
    while (text[length])
        length++;
    text_string(&screen, text);
    for (; length < width; length++)
        text_string(&screen, " ");
}

void opinion_init(char *at, size_t room, const struct cpu *cpu,
                  const struct facilities *found)
{
    screen = text_into(at, room);
    text_string(&screen,
                "everybranch: the kernel's own opinion (the log is the testimony)\n");
    text_string(&screen, cpu->brand[0] ? cpu->brand : cpu->id.vendor);
    text_string(&screen, ", model ");
    text_string(&screen, cpu->model ? cpu->model->name : "unknown");
    const struct facility *const all[] = { &found->step, &found->btf, &found->lbr,
                                           &found->bts };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        text_string(&screen, "\n  ");
        put_column(all[i]->name, NAME_COLUMN);
        put_column(finding_name(all[i]->finding), CELL_COLUMN);
        text_string(&screen, all[i]->evidence);
    }
    text_string(&screen, "\n");
}

static const char *word(const struct run *run, const struct ending *ending,
                        const struct branch *records, size_t count)
{
    if (!ending)
        return "skip";
    if (ending->outcome != ENDED)
        return "FAIL";
    const struct method_view *method = view_method(run->method);
    const struct workload *w = run->workload;
    uint64_t at = (uint64_t)w->code, call = (uint64_t)window_call;
    struct truth truth;
    struct view want;
    struct recorded got;
    truth_of(&truth, w, at, call, (uint64_t)window_back);
    view_of(&want, &truth.source, method, run->room);
    recorded_of(&got, records, count, method, w->code, w->size, at, call);
    return check(&got.source, &want.source).class == SAME ? "pass" : "FAIL";
}

void opinion_run(const struct run *run, const struct ending *ending,
                 const struct branch *records, size_t count)
{
    if (current != run->workload) {
        current = run->workload;
        text_string(&screen, "\n");
        put_column(run->workload->name, NAME_COLUMN);
    }
    const char *verdict = word(run, ending, records, count);
    differences += verdict[0] == 'F';
    put_column(verdict, CELL_COLUMN);
}

void opinion_end(const struct totals *totals)
{
    text_string(&screen, "\n\n");
    text_decimal(&screen, totals->ran);
    text_string(&screen, " runs, ");
    text_decimal(&screen, totals->skipped);
    text_string(&screen, " skipped, ");
    text_decimal(&screen, differences);
    text_string(&screen, " not as expected\n");
}
