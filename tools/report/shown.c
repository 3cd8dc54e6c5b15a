#include "shown.h"

#include <stdlib.h>

#include "exit_code.h"
#include "heap.h"
#include "judge.h"
#include "pager.h"
#include "read.h"
#include "select.h"

bool show_one(struct shown *shown, run_shower *show)
{
    const size_t mark = scratch_mark();
    struct symbols *symbols = symbols_given(shown->given, shown->log, shown->run);
    bool good;

    shown->symbols = symbols;
    good = symbols && show(shown);
    symbols_free(symbols);
    scratch_release(mark);
    return good;
}

static bool show_each(struct shown *shown, const struct run *const *runs, run_shower *show)
{
    struct json json;
    bool good = true;

    if (shown->given->json) {
        shown->json = &json;
        json_begin(&json, shown->out, shown->given->verb->name);
        json_text(&json, "log", shown->log->name);
        json_array(&json, "runs");
    }
    for (; good && shown->number < shown->count; shown->number++) {
        shown->run = runs[shown->number];
        good = run_usable(shown->log, shown->run) && show_one(shown, show);
    }
    if (shown->given->json) {
        json_close(&json);
        json_end(&json, good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE);
    }
    return good;
}

bool show_output(const struct given *given, const struct collected *text)
{
    const char *path = given_value(given, "output");

    return path ? output_new(path, text->bytes, text->size)
                : fwrite(text->bytes, 1, text->size, stdout) == text->size;
}

/* A picture or a graph that breaks off is useless. */
static bool show_whole(struct shown *shown, const struct run *const *runs, run_shower *show)
{
    struct collected text = { 0 };
    bool good;

    collect_begin(&text);
    shown->out = text.file;
    good = show_each(shown, runs, show);
    collect_end(&text);
    good = good && show_output(shown->given, &text);
    free(text.bytes);
    return good;
}

static bool show_paged(struct shown *shown, const struct run *const *runs, run_shower *show)
{
    bool good;

    if (!shown->given->json)
        pager_begin(shown->given);
    shown->out = stdout;
    good = show_each(shown, runs, show);
    pager_end();
    return good;
}

static int show_selected(struct shown shown, run_shower *show,
                         bool (*each)(struct shown *, const struct run *const *,
                                      run_shower *))
{
    const struct run **runs;
    struct log log;
    bool good;

    shown.log = &log;
    shown.count = select_given(shown.given, &log, &runs);
    good = shown.count > 0 && each(&shown, runs, show);
    free(runs);
    log_free(&log);
    return good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}

int show_runs(const struct given *given, run_shower *show, void *own)
{
    return show_selected((struct shown){ .given = given, .own = own }, show, show_paged);
}

int show_runs_whole(const struct given *given, run_shower *show, void *own)
{
    return show_selected((struct shown){ .given = given, .own = own }, show, show_whole);
}
