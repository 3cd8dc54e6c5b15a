/*
 * `show`: prints the trace as annotated disassembly.
 */
#include "verbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "infos.h"
#include "judge.h"
#include "listing.h"
#include "pager.h"
#include "read.h"
#include "select.h"
#include "tail.h"

static bool show_run(const struct shown *shown)
{
    struct json *json = shown->json;

    if (json) {
        json_object(json, NULL);
        json_count(json, "run", shown->run->number);
        json_text(json, "method", shown->run->method->name);
        json_text(json, "workload", shown->run->workload->own->name);
        json_count(json, "lost", shown->run->ran.lost);
        listing_show(shown);
        json_infos(json, shown->run);
        json_close(json);
    } else {
        select_heading(shown->log, shown->run, shown->number == 0);
        putchar('\n');
        listing_show(shown);
        infos_show(shown->log, shown->run);
    }
    return true;
}

/* The runs of a log that is still being written, each shown as soon as it ends. */
struct following {
    const struct given *given;
    struct selection wanted;
    struct log log;
    struct log_feed feed;
    size_t seen, shown; /* runs */
};

static bool show_new_runs(struct following *following)
{
    struct log *log = &following->log;
    bool good = true;

    for (; good && following->seen < log->run_count; following->seen++) {
        const struct run *run = &log->runs[following->seen];
        struct shown shown = { .given = following->given, .log = log, .run = run };

        if (!run->end_line) /* the run has not ended */
            break;
        if (run->skipped || run->method->silent || !selection_has(&following->wanted, run))
            continue;
        shown.number = following->shown++;
        good = records_hold(log, run) && show_one(&shown, show_run);
        records_free(run, NULL);
    }
    fflush(stdout);
    return good;
}

static bool follow_bytes(struct following *following, struct tail *tail)
{
    static char bytes[65536];
    bool good = true;

    while (good && !following->log.ended) {
        size_t count = tail_read(tail, bytes, sizeof(bytes));

        if (count == 0)
            break;
        good = feed_more(&following->feed, bytes, count);
        if (!show_new_runs(following))
            return false;
    }
    if (good && tail->fault)
        log_error(&following->log, 0, "%s", tail->fault);
    return feed_end(&following->feed);
}

/* Explains why no run was shown. */
static bool say_nothing_shown(const struct following *following)
{
    const struct run **runs;
    bool any = following->shown || select_runs(&following->log, &following->wanted, &runs);

    if (any && !following->shown)
        free(runs);
    return any;
}

static bool follow_log(struct following *following, const char *name)
{
    struct tail tail;
    bool good;

    feed_begin(&following->feed, &following->log, name);
    if (!tail_open(&tail, name))
        log_error(&following->log, 0, "cannot be opened: %s", strerror(errno));
    good = !following->log.log_error && follow_bytes(following, &tail);
    tail_close(&tail);
    good = log_has_no_error(&following->log) && good && say_nothing_shown(following);
    log_free(&following->log);
    return good;
}

static int follow(const struct given *given)
{
    struct following following = { .given = given };

    if (given->json)
        return given_wrong(given, "--follow and --json do not go together");
    if (!selection_given(&following.wanted, given))
        return EXIT_UNUSABLE;
    pager_none(given);
    return follow_log(&following, given->operands[0]) ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}

static int verb_show(const struct given *given)
{
    return given_has(given, "follow") ? follow(given) : show_runs(given, show_run, NULL);
}

VERB(show) = {
    .name = "show",
    .operands = "LOG",
    .about = "print the trace as annotated disassembly",
    .more = "Branches are marked as taken or not taken, repeats are shown once with "
            "their count, and gaps in the records are named.  For each workload it shows "
            "the most complete run, unless an option selects others.",
    .examples = "show --workload loop everybranch.log\n"
                "show --run 5 --elf build/everybranch.so everybranch.log\n"
                "show --follow /dev/ttyUSB0",
    .run = verb_show,
    .least = 1,
    .most = 1,
    .json = true,
    .options = {
        BOOT_OPTION,
        SELECT_OPTIONS,
        SYMBOLS_OPTION,
        { .name = "follow", .letter = 'f',
          .about = "show each run as it arrives; waits for a LOG not there yet" },
        { .name = "unfold", .about = "show each iteration of a loop separately" },
        PAGER_OPTIONS,
    },
};
