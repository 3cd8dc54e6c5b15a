// LINK: common/facts/filter.c common/facts/info.c common/base/text.c common/facts/pmu.c
// LINK: common/facts/event.c common/facts/skip_code.c common/base/number.c
// LINK: common/base/nearest.c common/request/setting.c common/facts/method_facts.c
#include "boot/options.c"
#include "common/facts/pmu.h"

#include "rows.h"

#define FILE_PLACE "everybranch.cfg:"
#define LOAD_PLACE "in the load options: "
#define IGNORED    "these words of the load options are not ours, and are ignored:"
#define ALL_OPTIONS                                                                    \
    "workload= method= filter= info cost= timeout= retry monitor processors= buffer= " \
    "threshold= event= period= delivery= serial= baud= clock= exit-boot-services "     \
    "exit= cycles= or do COMMAND"

static struct options options;

static void say_text(const char *name, const char *text)
{
    if (*text)
        row_say(" %s=%s", name, text);
}

static void say_number(const char *name, uint32_t number, uint32_t unsaid)
{
    if (number == UINT32_MAX)
        row_say(" %s=all", name);
    else if (number != unsaid)
        row_say(" %s=%u", name, number);
}

static void say_word(const char *name, bool is)
{
    row_say("%s%s", is ? " " : "", is ? name : "");
}

static void say_event(void)
{
    if (options.event.by == EVENT_BY_NAME)
        row_say(" event=%s", event_names[options.event.name]);
    else if (options.event.by == EVENT_BY_NUMBER)
        row_say(" event=%x/%x", options.event.event, options.event.umask);
}

static void say_serial(void)
{
    if (options.serial.choice == SERIAL_NONE)
        row_say(" serial=none");
    else if (options.serial.choice == SERIAL_GIVEN)
        row_say(" serial=%s:%llx/%u", options.serial.mmio ? "mmio" : "io",
                (unsigned long long)options.serial.address, options.serial.bytes);
}

/* What is not as without options. */
static void say_options(void)
{
    static const char *const deliveries[] = { "", "fixed", "nmi" };
    static const char *const exits[] = { "", "return", "reset" };

    say_text("workload", options.workloads);
    say_number("line", options.workloads_line, 0);
    say_text("method", options.methods);
    say_text("filter", options.filters);
    say_word("info", options.info);
    say_number("cost", options.cost, 0);
    say_number("timeout", options.timeout, 60);
    say_word("retry", options.retry);
    say_word("monitor", options.monitor);
    say_number("processors", options.processors, 0);
    say_number("buffer", options.buffer, 0);
    say_number("threshold", options.threshold, 0);
    say_event();
    say_number("period", options.period, 0);
    say_text("delivery", deliveries[options.delivery]);
    say_serial();
    say_number("baud", options.baud, 0);
    say_number("clock", options.clock, 0);
    say_word("exit-boot-services", options.exit_boot_services);
    say_text("exit", exits[options.exit]);
    say_number("cycles", options.cycles, 0);
    for (char *at = options.commands, *end; (end = strchr(at, '\n')); at = end + 1)
        row_say(" do %.*s;", (int)(end - at), at);
}

/* A sentence; without `place`, and with ALL for the list of all options. */
static void say_wrong(const char *wrong, const char *place)
{
    const char *all = wrong ? strstr(wrong, ALL_OPTIONS) : NULL;

    if (!wrong)
        return;
    if (text_begins(wrong, place))
        wrong += strlen(place);
    row_say(" wrong %.*s%s", all ? (int)(all - wrong) : 1000, wrong, all ? "ALL" : "");
}

/* file TEXT = the options of that file, and what is wrong, after its line */
VERB(file)
{
    char text[400];
    const size_t size = row_text(text, sizeof(text));
    const char *wrong;

    options = options_default();
    wrong = options_of_file(&options, text, size);
    say_options();
    say_wrong(wrong, FILE_PLACE);
}

static void load(const void *data, size_t size)
{
    static char text[256];
    const char *ignored = NULL, *wrong;

    options = options_default();
    wrong = options_of_load(&options, data, size, text_into(text, sizeof(text)), &ignored);
    say_options();
    if (ignored && text_begins(ignored, IGNORED))
        row_say(" ignored %s", ignored + strlen(IGNORED));
    else if (ignored)
        row_say(" ignored: %s", ignored);
    say_wrong(wrong, LOAD_PLACE);
}

/* load TEXT = the options of it as UTF-16 with a NUL at its end, the words ignored, what is
 * wrong */
VERB(load)
{
    char text[400], wide[800] = "";
    const size_t size = row_text(text, sizeof(text));

    for (size_t i = 0; i <= size; i++) {
        wide[2 * i] = text[i];
        wide[2 * i + 1] = 0;
    }
    load(wide, 2 * size + 2);
}

/* data BYTES = the same of these bytes */
VERB(data)
{
    char bytes[400];

    load(bytes, row_text(bytes, sizeof(bytes)));
}

/* long PREFIX COUNT = whether it is taken with so many letters after it; -: a space */
VERB(long)
{
    static char text[4096];
    const char *prefix = row_word();
    const size_t count = row_number();
    size_t length = (size_t)sprintf(text, "%s", prefix);

    if (prefix[length - 1] == '-')
        text[length - 1] = ' ';
    memset(text + length, 'a', count);
    text[length += count] = 0;
    options = options_default();
    row_say(options_of_file(&options, text, length) ? "refused" : "taken");
}

/* refuses WORD... = those that are taken, or named otherwise */
VERB(refuses)
{
    while (!row_is_read()) {
        char text[100];
        const char *word = row_word(), *wrong;
        const size_t length = (size_t)snprintf(text, sizeof(text), "%s", word);

        options = options_default();
        wrong = options_of_file(&options, text, length);
        if (!wrong || strncmp(wrong, FILE_PLACE "1: ", 19) != 0 ||
            strncmp(wrong + 19, word, length) != 0 || wrong[19 + length] != ':')
            row_say(" %s", word);
    }
}
