/*
 * `show`: the trace for a person to read, as annotated disassembly.
 */
#include <stdlib.h>

#include "listing.h"
#include "pager.h"
#include "select.h"

static bool show_run(const struct given *given, struct listing listing, bool first)
{
    struct symbols *symbols = symbols_given(given, listing.log, listing.run);

    if (!symbols)
        return false;
    listing.symbols = symbols;
    if (listing.json) {
        json_object(listing.json, NULL);
        json_count(listing.json, "run", listing.run->number);
        json_text(listing.json, "method", listing.run->method->name);
        json_text(listing.json, "workload", listing.run->workload->own->name);
        json_count(listing.json, "lost", listing.run->lost);
    } else {
        select_heading(listing.log, listing.run, first);
        putchar('\n');
    }
    listing_show(&listing);
    if (listing.json)
        json_close(listing.json);
    symbols_free(symbols);
    return true;
}

static bool show_runs(const struct given *given, const struct log *log,
                      const struct run **runs, size_t count)
{
    struct json json;
    struct listing listing = { .log = log, .unfolded = given_has(given, "unfold") };
    bool good = true;

    if (given->json) {
        listing.json = &json;
        json_begin(&json, stdout, "show");
        json_text(&json, "log", log->name);
        json_array(&json, "runs");
    } else if (!pager_begin(given)) {
        return false;
    }
    listing.colours = pager_colours();
    for (size_t i = 0; i < count && good; i++) {
        listing.run = runs[i];
        good = show_run(given, listing, i == 0);
    }
    if (given->json) {
        json_close(&json);
        json_end(&json, good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE);
    }
    pager_end();
    return good;
}

int verb_show(const struct given *given)
{
    const struct run **runs;
    struct log log;
    size_t count = select_given(given, &log, &runs);
    bool good = count > 0 && show_runs(given, &log, runs, count);

    free(runs);
    log_free(&log);
    return good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}
