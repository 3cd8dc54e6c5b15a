/*
 * Filters in the words of the log, and in the name of a run that has one.
 */
#include "tools.h"

const char *filter_words(uint32_t filter)
{
    static char text[FILTER_TEXT_SIZE];

    return filter_text(filter, text);
}

const char *filter_suffix(const struct run *run)
{
    static char suffix[sizeof(" filter=") + FILTER_TEXT_SIZE];

    snprintf(suffix, sizeof(suffix), " filter=%s", filter_words(run->filter));
    return run->filter ? suffix : "";
}

size_t filters_of(const struct log *log)
{
    return log->filter_count ? log->filter_count : 1;
}

struct sieve sieve_of(const struct log *log, const struct run *run)
{
    const struct log of = log_of_processor(log, run->processor);

    return view_sieve(run->method, of.cpu.row, run->filter, run->workload->own,
                      run->workload->at);
}
