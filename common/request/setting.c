/* setting.h */
#include "setting.h"

#include "filter.h"
#include "nearest.h"
#include "number.h"
#include "pmu.h"
#include "text.h"

const struct setting settings[SETTING_COUNT] = {
    [SETTING_WORKLOAD] = { .name = "workload",
                           .about = "runs these workloads and no others",
                           .at = offsetof(struct options, workloads),
                           .kind = SETTING_IS_NAMES },
    [SETTING_METHOD] = { .name = "method",
                         .about = "traces by these methods and no others",
                         .at = offsetof(struct options, methods),
                         .kind = SETTING_IS_METHODS },
    [SETTING_FILTER] = { .name = "filter",
                         .about = "repeats each run with these branches filtered out",
                         .at = offsetof(struct options, filters),
                         .kind = SETTING_IS_FILTERS,
                         .of_run = true },
    [SETTING_INFO] = { .name = "info",
                       .about = "logs what last-branch records hold besides FROM and TO",
                       .at = offsetof(struct options, info),
                       .kind = SETTING_IS_WORD },
    [SETTING_COST] = { .name = "cost",
                       .about = "repeats each run this often; the shortest time counts",
                       .at = offsetof(struct options, cost),
                       .kind = SETTING_IS_NUMBER,
                       .least = 1,
                       .most = 1000000 },
    [SETTING_TIMEOUT] = { .name = "timeout",
                          .about = "gives a run up after this many seconds; 0: never",
                          .at = offsetof(struct options, timeout),
                          .kind = SETTING_IS_NUMBER,
                          .most = UINT32_MAX },
    [SETTING_RETRY] = { .name = "retry",
                        .about = "also tries what an earlier boot died of",
                        .at = offsetof(struct options, retry),
                        .kind = SETTING_IS_WORD },
    [SETTING_MONITOR] = { .name = "monitor",
                          .about = "reads commands from the console instead of running "
                                   "everything",
                          .at = offsetof(struct options, monitor),
                          .kind = SETTING_IS_WORD },
    [SETTING_PROCESSORS] = { .name = "processors",
                             .about = "traces on this many processors at once",
                             .at = offsetof(struct options, processors),
                             .kind = SETTING_IS_NUMBER,
                             .words = { "all" },
                             .least = 1,
                             .most = SETTING_PROCESSORS_MAX },
    [SETTING_BUFFER] = { .name = "buffer",
                         .about = "records of 24 bytes that the buffer of BTS or PT holds",
                         .at = offsetof(struct options, buffer),
                         .kind = SETTING_IS_NUMBER,
                         .least = 1,
                         .most = UINT32_MAX },
    [SETTING_THRESHOLD] = { .name = "threshold",
                            .about = "records at which bts-pmi asks for its interrupt",
                            .at = offsetof(struct options, threshold),
                            .kind = SETTING_IS_NUMBER,
                            .least = 1,
                            .most = UINT32_MAX },
    [SETTING_EVENT] = { .name = "event",
                        .about = "the event that pmi counts",
                        .at = offsetof(struct options, event),
                        .kind = SETTING_IS_EVENT,
                        .of_run = true },
    [SETTING_PERIOD] = { .name = "period",
                         .about = "events from one interrupt of a counter to the next",
                         .at = offsetof(struct options, period),
                         .kind = SETTING_IS_NUMBER,
                         .least = 1,
                         .most = PERIOD_MAX,
                         .of_run = true },
    [SETTING_DELIVERY] = { .name = "delivery",
                           .about = "how interrupts of methods are delivered",
                           .at = offsetof(struct options, delivery),
                           .kind = SETTING_IS_CHOICE,
                           .words = { "fixed", "nmi" },
                           .of_run = true },
    [SETTING_SERIAL] = { .name = "serial",
                         .about = "the serial line; otherwise tables and a search find it",
                         .at = offsetof(struct options, serial),
                         .kind = SETTING_IS_PORT,
                         .words = { "none", "0" } },
    [SETTING_BAUD] = { .name = "baud",
                       .about = "the speed of the serial line",
                       .at = offsetof(struct options, baud),
                       .kind = SETTING_IS_NUMBER,
                       .least = 300,
                       .most = 4000000 },
    /* Hz; no UART is so slow, or so fast. */
    [SETTING_CLOCK] = { .name = "clock",
                        .about = "the clock of the serial line's UART, in Hz",
                        .at = offsetof(struct options, clock),
                        .kind = SETTING_IS_NUMBER,
                        .least = 100000,
                        .most = 1000000000 },
    [SETTING_EXIT_BOOT_SERVICES] = { .name = "exit-boot-services",
                                     .about = "ends the firmware before the first run",
                                     .at = offsetof(struct options, exit_boot_services),
                                     .kind = SETTING_IS_WORD },
    [SETTING_EXIT] = { .name = "exit",
                       .about =
                           "returns to the firmware, or resets, without waiting for a key",
                       .at = offsetof(struct options, exit),
                       .kind = SETTING_IS_CHOICE,
                       .words = { "return", "reset" } },
    [SETTING_CYCLES] = { .name = "cycles",
                         .about = "hands the machine back and takes it over again this "
                                  "many times, as a test",
                         .at = offsetof(struct options, cycles),
                         .kind = SETTING_IS_NUMBER,
                         .most = UINT32_MAX },
};

#define SHOWN 60 /* characters of one that is wrong */

static char sentence[SETTING_SENTENCE];

/* One of several names: commas between them, and "or" before the last. */
static void put_or(struct text *out, const char *name, bool is_first, bool is_last)
{
    text_join(out, is_first ? "" : is_last ? " or " : ", ", name);
}

static void put_methods(struct text *out)
{
    text_string(out, "one or more of ");
    for (size_t i = 0; i < methods_known_count(); i++)
        put_or(out, methods_known[i].name, i == 0, i + 1 == methods_known_count());
    text_string(out, ", with commas between");
}

static void put_filters(struct text *out)
{
    text_string(out, "one or more of none, ");
    for (enum filter_bit i = 0; i < FILTER_BITS; i++) {
        char name[FILTER_TEXT_SIZE];
        bool stack = i == FILTER_CALLSTACK;
        text_join(out, filter_text(stack ? FILTER_STACK : LEAVES_OUT(i), name),
                  i + 1 < FILTER_BITS ? ", " : " ");
    }
    text_string(out, "joined by +, or each, pairs, every");
}

static void put_number(struct text *out, const struct setting *setting)
{
    text_string(out, "a number from ");
    text_decimal(out, setting->least);
    text_string(out, " to ");
    text_decimal(out, setting->most);
    text_string(out, ", decimal or with 0x before it");
    if (setting->words[0])
        text_join(out, ", or ", setting->words[0]);
}

static void put_event(struct text *out)
{
    for (size_t i = 0; i < EVENT_NAMES; i++)
        text_join(out, event_names[i], ", ");
    text_string(out, "or numbers, as 0xc4/0x20");
}

void setting_put_values(struct text *out, const struct setting *setting)
{
    switch (setting->kind) {
    case SETTING_IS_WORD:
        text_string(out, "it without a value");
        break;
    case SETTING_IS_NUMBER:
        put_number(out, setting);
        break;
    case SETTING_IS_CHOICE:
        text_join(out, setting->words[0], setting->words[1] ? " or " : "",
                  setting->words[1] ? setting->words[1] : "");
        break;
    case SETTING_IS_NAMES:
        text_string(out, "names with a comma between");
        break;
    case SETTING_IS_METHODS:
        put_methods(out);
        break;
    case SETTING_IS_FILTERS:
        put_filters(out);
        break;
    case SETTING_IS_EVENT:
        put_event(out);
        break;
    case SETTING_IS_PORT:
        text_string(out, "a port below 0xfff9, io:, mmio:, mmio16: or mmio32: and an "
                         "address aligned to that width, or none");
        break;
    }
}

/* Puts a user's text, without characters that a console would act on. */
static void put_shown(struct text *out, const char *text)
{
    size_t length = 0;
    for (; length < SHOWN && text[length]; length++) {
        char c[2] = { text[length], 0 };
        text_string(out, *c < ' ' || *c > '~' ? "?" : c);
    }
    text_string(out, text[length] ? "..." : "");
}

/* The length of a list, or 0 if one of its names is empty. */
static size_t length_of_list(const char *text)
{
    size_t length = 0;
    for (; text[length]; length++)
        if (text[length] == ',' &&
            (length == 0 || !text[length + 1] || text[length + 1] == ','))
            return 0;
    return length;
}

/* Parses the first name of `*list` and advances past it; NULL if unknown. */
static const struct method_facts *next_method(const char **list)
{
    char name[32];
    size_t length = 0;
    for (; **list && **list != ',' && length + 1 < sizeof name; ++*list)
        name[length++] = **list;
    name[length] = 0;
    if (**list && **list != ',')
        return NULL;
    *list += **list == ',';
    return method_named(name);
}

static bool are_methods(const char *list)
{
    while (*list)
        if (!next_method(&list))
            return false;
    return true;
}

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    return number_read(text, most, out) && *out >= least;
}

/* Returns the text after a prefix and its colon, or NULL. */
static const char *after_prefix(const char *text, const char *prefix)
{
    const size_t length = text_length(prefix);
    return text_begins(text, prefix) && text[length] == ':' ? text + length + 1 : NULL;
}

/* Reads a port, written as for Linux's earlycon=, or only its number. */
static bool read_port(const char *text, struct port_choice *out)
{
    static const struct {
        const char *prefix;
        bool mmio;
        uint8_t bytes;
    } forms[] = { { "io", false, 1 },
                  { "mmio", true, 1 },
                  { "mmio16", true, 2 },
                  { "mmio32", true, 4 } };
    const char *number = text;
    *out = (struct port_choice){ SERIAL_GIVEN, .bytes = 1 };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const char *rest = after_prefix(text, forms[i].prefix);
        if (!rest)
            continue;
        number = rest;
        *out = (struct port_choice){ SERIAL_GIVEN, forms[i].mmio, forms[i].bytes, 0 };
    }
    return read_number(number, 1, out->mmio ? SETTING_MMIO_LAST : SETTING_IO_LAST,
                       &out->address) &&
           out->address % out->bytes == 0;
}

/* Which of the option's words this is, or -1. */
static int word_of(const struct setting *setting, const char *text)
{
    for (int i = 0; i < SETTING_WORDS_MAX && setting->words[i]; i++)
        if (text_same(text, setting->words[i]))
            return i;
    return -1;
}

static bool read_list(const struct setting *setting, const char *text, char *out)
{
    size_t length = length_of_list(text);
    bool empty = !*text && setting->kind != SETTING_IS_FILTERS;
    if (!empty && (!length || length >= LIST_SIZE))
        return false;
    if (setting->kind == SETTING_IS_METHODS && !are_methods(text))
        return false;
    if (setting->kind == SETTING_IS_FILTERS && filter_wrong(text))
        return false;
    for (size_t i = 0; i <= length; i++)
        out[i] = text[i];
    return true;
}

static bool read_value(const struct setting *setting, const char *text, void *field)
{
    int word = word_of(setting, text);
    uint64_t number = UINT32_MAX;
    switch (setting->kind) {
    case SETTING_IS_WORD:
        *(bool *)field = true;
        return true;
    case SETTING_IS_NUMBER:
        if (word < 0 && !read_number(text, setting->least, setting->most, &number))
            return false;
        *(uint32_t *)field = (uint32_t)number;
        return true;
    case SETTING_IS_CHOICE:
        if (word >= 0)
            *(uint32_t *)field = (uint32_t)word + 1;
        return word >= 0;
    case SETTING_IS_EVENT:
        return event_read(text, field);
    case SETTING_IS_PORT:
        if (word < 0)
            return read_port(text, field);
        *(struct port_choice *)field = (struct port_choice){ .choice = SERIAL_NONE };
        return true;
    default:
        return read_list(setting, text, field);
    }
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (text[length] && text[length] != '=')
        length++;
    return length;
}

/* Returns the text after the name, "" or "=value"; NULL if it has another name. */
static const char *after_name(const char *text, const char *name)
{
    const char *rest = text_begins(text, name) ? text + text_length(name) : NULL;
    return rest && (!*rest || *rest == '=') ? rest : NULL;
}

const struct setting *setting_named(const char *text)
{
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (after_name(text, settings[i].name))
            return &settings[i];
    return NULL;
}

static void put_name(struct text *out, const struct setting *setting)
{
    text_join(out, setting->name, setting->kind == SETTING_IS_WORD ? "" : "=");
}

static struct nearest nearest_setting(const char *text)
{
    struct nearest nearest = nearest_to(text, name_length(text));
    for (size_t i = 0; i < SETTING_COUNT; i++)
        nearest_try(&nearest, settings[i].name);
    return nearest;
}

/* Options that there were, and what to do instead. */
static const struct {
    const char *name, *instead;
} gone[] = {
    { "together", "the option is gone: with processors= all processors make the same run" },
    { "bench",
      "the option is gone: cost=20 and `everybranch cost` say what an exception costs" },
};

/* What to do instead of an option that there was, or NULL. */
static const char *instead_of(const char *text)
{
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (after_name(text, gone[i].name))
            return gone[i].instead;
    return NULL;
}

bool setting_is_meant(const char *text)
{
    return instead_of(text) || nearest_setting(text).name;
}

static const char *unknown(const char *text)
{
    struct text out = text_into(sentence, sizeof sentence);
    struct nearest nearest = nearest_setting(text);
    put_shown(&out, text);
    text_join(&out, ": ", instead_of(text) ? instead_of(text) : "there is no such option");
    if (instead_of(text) || nearest_put(&out, &nearest))
        return sentence;
    text_string(&out, ", want one of");
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        text_string(&out, " ");
        put_name(&out, &settings[i]);
    }
    text_string(&out, " or do COMMAND");
    return sentence;
}

/* Puts "no method bst; did you mean bts?" for the first unknown name that is near one. */
static bool put_method_meant(struct text *out, const char *list)
{
    while (*list) {
        const char *name = list;
        if (next_method(&list))
            continue;
        size_t length = 0;
        while (name[length] && name[length] != ',')
            length++;
        struct nearest nearest = nearest_to(name, length);
        for (size_t i = 0; i < methods_known_count(); i++)
            nearest_try(&nearest, methods_known[i].name);
        if (!nearest.name)
            return false;
        text_string(out, "there is no method ");
        text_bytes(out, name, length);
        return nearest_put(out, &nearest);
    }
    return false;
}

static const char *wrong_value(const char *text, const struct setting *setting)
{
    struct text out = text_into(sentence, sizeof sentence);
    bool alone = setting->kind == SETTING_IS_WORD;
    put_shown(&out, text);
    text_string(&out, ": ");
    const char *value = after_name(text, setting->name);
    if (setting->kind == SETTING_IS_METHODS && *value && put_method_meant(&out, value + 1))
        return sentence;
    text_join(&out, alone ? "" : setting->name, alone ? "want " : "= wants ");
    setting_put_values(&out, setting);
    return sentence;
}

const char *setting_read(const char *text, struct options *out)
{
    const struct setting *setting = setting_named(text);
    if (!setting)
        return unknown(text);
    const char *rest = after_name(text, setting->name);
    bool alone = setting->kind == SETTING_IS_WORD;
    bool right =
        alone == !*rest && read_value(setting, rest + !alone, (char *)out + setting->at);
    return right ? NULL : wrong_value(text, setting);
}

bool setting_is_given(const struct options *options, enum setting_id id)
{
    const char *field = (const char *)options + settings[id].at;
    switch (settings[id].kind) {
    case SETTING_IS_NUMBER:
    case SETTING_IS_CHOICE:
        return *(const uint32_t *)field;
    case SETTING_IS_EVENT:
        return ((const struct event_choice *)field)->by != EVENT_OF_METHOD;
    case SETTING_IS_PORT:
        return ((const struct port_choice *)field)->choice != SERIAL_SEARCH;
    default: /* a list, or a bool */
        return *field;
    }
}

/* Does this method use the option? */
static bool serves(enum setting_id id, const struct method_facts *method)
{
    switch (id) {
    case SETTING_INFO:
        return method->ring_lbr || method->last_event;
    case SETTING_EVENT:
        return method->sampled;
    case SETTING_PERIOD:
        return method->counter_driven;
    case SETTING_BUFFER:
        return method->pmi_drained || method->ring_buffer || method->packets;
    case SETTING_THRESHOLD:
        return method->pmi_drained && !method->threshold;
    case SETTING_DELIVERY:
        return method->pmi_drained || method->counter_driven;
    case SETTING_FILTER:
        return method->filtered != FILTERED_BY_NONE;
    default:
        return true;
    }
}

static bool serves_any(enum setting_id id, const char *methods)
{
    for (size_t i = 0; !*methods && i < methods_known_count(); i++)
        if (serves(id, &methods_known[i]))
            return true;
    while (*methods) {
        const struct method_facts *method = next_method(&methods);
        if (!method)
            return false;
        if (serves(id, method))
            return true;
    }
    return false;
}

static void put_served(struct text *out, enum setting_id id)
{
    size_t last = 0;
    bool is_first = true;
    for (size_t i = 0; i < methods_known_count(); i++)
        last = serves(id, &methods_known[i]) ? i : last;
    for (size_t i = 0; i < methods_known_count(); i++) {
        if (!serves(id, &methods_known[i]))
            continue;
        put_or(out, methods_known[i].name, is_first, i == last);
        is_first = false;
    }
}

const char *setting_idle(enum setting_id id, const char *methods)
{
    if (serves_any(id, methods))
        return NULL;
    struct text out = text_into(sentence, sizeof sentence);
    put_name(&out, &settings[id]);
    text_string(&out, " does nothing for ");
    put_shown(&out, methods);
    text_string(&out, ": only for ");
    put_served(&out, id);
    return sentence;
}
