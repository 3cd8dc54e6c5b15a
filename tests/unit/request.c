// LINK: common/base/text.c common/facts/model.c common/facts/trace_msr.c
// LINK: common/facts/filter.c common/facts/info.c common/facts/pmu.c common/facts/event.c
// LINK: common/base/number.c common/base/nearest.c common/request/setting.c
// LINK: common/facts/method_facts.c common/facts/skip_code.c
#include "common/request/request.c"

#include "common/facts/pmu.h"

#include "rows.h"

static bool is_one_of(const char *name, const char *names)
{
    const char *at = strstr(names, name);

    return *name && at && at[-1] == ' ' && at[strlen(name)] == ' ';
}

static bool is_method(const char *name)
{
    return is_one_of(name, " step btf+lbr bts pmi ");
}

static bool is_workload(const char *name)
{
    return is_one_of(name, " loop int ");
}

static struct request request;

static void say_run(void)
{
    const struct options *options = &request.options;

    row_say("run %s %s %u", *request.methods ? request.methods : "all",
            *request.workloads ? request.workloads : "all", request.count);
    if (*options->filters)
        row_say(" filter=%s", options->filters);
    if (options->event.by == EVENT_BY_NAME)
        row_say(" event=%s", event_names[options->event.name]);
    if (options->event.by == EVENT_BY_NUMBER)
        row_say(" event=%x/%x", options->event.event, options->event.umask);
    if (options->period)
        row_say(" period=%u", options->period);
    if (options->delivery != DELIVERY_OF_METHOD)
        row_say(" %s", options->delivery == DELIVERY_NMI ? "nmi" : "fixed");
}

static void say_msr(void)
{
    row_say(" %x %s", request.msr.number, request.msr.name[0] ? request.msr.name : "-");
    if (request.what == REQUEST_MSR_WRITE)
        row_say(" %llx", (unsigned long long)request.value);
}

static void read_line(const char *line, const char *vendor, const char *model)
{
    const struct request_names names = { { vendor, model_named(model), 4,
                                           strcmp(vendor, "GenuineIntel") == 0 },
                                         is_method,
                                         is_workload };
    const char *wrong = request_read(&request, line, &names);

    if (wrong) {
        row_say("wrong %s", wrong);
    } else if (request.what == REQUEST_RUN) {
        say_run();
    } else {
        row_say("%s", request_forms[request.what].word);
        if (request.what == REQUEST_LOG)
            row_say(" %u", request.count);
        if (request.what == REQUEST_MSR_READ || request.what == REQUEST_MSR_WRITE)
            say_msr();
    }
}

/* line TEXT = the command as it was understood on a Core 2, or what is wrong with it; of a
 * register its number and its name, of a write the value too */
VERB(line)
{
    char text[400];

    row_text(text, sizeof(text));
    read_line(text, "GenuineIntel", "core2");
}

/* amd TEXT = the same on a processor of AMD's family 10H */
VERB(amd)
{
    char text[400];

    row_text(text, sizeof(text));
    read_line(text, "AuthenticAMD", "amd10h");
}

/* long COUNT = what is said of so many letters, without all except three of them */
VERB(long)
{
    char text[400] = "";
    const size_t count = row_number();
    const char *wrong;

    memset(text, 'a', count);
    wrong = request_read(&request, text, &(struct request_names){ 0 });
    row_say("%s", *wrong == 'a' ? wrong + count - 3 : wrong);
}
