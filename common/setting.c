/* setting.h.  setting_words.c has what is said of one that is wrong. */
#include "setting.h"

#include "filter.h"
#include "number.h"
#include "pmu.h"
#include "text.h"

const struct setting settings[SETTING_COUNT] = {
    [SETTING_WORKLOAD] = { .name = "workload",
                           .kind = SETTING_IS_NAMES,
                           .most = SETTING_LIST_MAX },
    [SETTING_METHOD] = { .name = "method",
                         .kind = SETTING_IS_METHODS,
                         .most = SETTING_LIST_MAX },
    [SETTING_FILTER] = { .name = "filter",
                         .kind = SETTING_IS_FILTERS,
                         .most = SETTING_LIST_MAX,
                         .of_run = true },
    [SETTING_INFO] = { .name = "info", .kind = SETTING_IS_WORD },
    [SETTING_COST] = { .name = "cost",
                       .kind = SETTING_IS_NUMBER,
                       .least = 1,
                       .most = 1000000 },
    [SETTING_TIMEOUT] = { .name = "timeout",
                          .kind = SETTING_IS_NUMBER,
                          .most = UINT32_MAX },
    [SETTING_RETRY] = { .name = "retry", .kind = SETTING_IS_WORD },
    [SETTING_MONITOR] = { .name = "monitor", .kind = SETTING_IS_WORD },
    [SETTING_PROCESSORS] = { .name = "processors",
                             .kind = SETTING_IS_NUMBER,
                             .words = { "all" },
                             .least = 1,
                             .most = SETTING_PROCESSORS_MAX },
    [SETTING_TOGETHER] = { .name = "together",
                           .kind = SETTING_IS_CHOICE,
                           .words = { "same", "different" } },
    [SETTING_BUFFER] = { .name = "buffer",
                         .kind = SETTING_IS_NUMBER,
                         .least = 1,
                         .most = UINT32_MAX },
    [SETTING_THRESHOLD] = { .name = "threshold",
                            .kind = SETTING_IS_NUMBER,
                            .least = 1,
                            .most = UINT32_MAX },
    [SETTING_EVENT] = { .name = "event", .kind = SETTING_IS_EVENT, .of_run = true },
    [SETTING_PERIOD] = { .name = "period",
                         .kind = SETTING_IS_NUMBER,
                         .least = 1,
                         .most = PERIOD_MAX,
                         .of_run = true },
    [SETTING_DELIVERY] = { .name = "delivery",
                           .kind = SETTING_IS_CHOICE,
                           .words = { "fixed", "nmi" },
                           .of_run = true },
    [SETTING_SERIAL] = { .name = "serial",
                         .kind = SETTING_IS_PORT,
                         .words = { "none", "0" } },
    [SETTING_BAUD] = { .name = "baud",
                       .kind = SETTING_IS_NUMBER,
                       .least = 300,
                       .most = 4000000 },
    /* Hz; no UART is so slow, or so fast. */
    [SETTING_CLOCK] = { .name = "clock",
                        .kind = SETTING_IS_NUMBER,
                        .least = 100000,
                        .most = 1000000000 },
    [SETTING_EXIT_BOOT_SERVICES] = { .name = "exit-boot-services",
                                     .kind = SETTING_IS_WORD },
    [SETTING_EXIT] = { .name = "exit", .kind = SETTING_IS_CHOICE, .words = { "return" } },
    [SETTING_BENCH] = { .name = "bench", .kind = SETTING_IS_WORD },
    [SETTING_CYCLES] = { .name = "cycles", .kind = SETTING_IS_NUMBER, .most = UINT32_MAX },
};

/* How long the list is, or 0 where one of its names is empty. */
static size_t length_of_list(const char *text)
{
    size_t length = 0;
    for (; text[length]; length++)
        if (text[length] == ',' &&
            (length == 0 || !text[length + 1] || text[length + 1] == ','))
            return 0;
    return length;
}

/* The method at the begin of the list, which goes on behind it; NULL: there is none so. */
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

/* What follows a prefix and its colon, or NULL. */
static const char *behind(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix)
        text++, prefix++;
    return *prefix || *text != ':' ? NULL : text + 1;
}

/* A port number, or the way to it as Linux's earlycon= names it. */
static bool read_port(const char *text, struct port_choice *out)
{
    static const struct {
        const char *prefix;
        bool mmio;
        uint8_t bytes;
    } ways[] = { { "io", false, 1 },
                 { "mmio", true, 1 },
                 { "mmio16", true, 2 },
                 { "mmio32", true, 4 } };
    const char *number = text;
    *out = (struct port_choice){ .bytes = 1 };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const char *rest = behind(text, ways[i].prefix);
        if (!rest)
            continue;
        number = rest;
        *out = (struct port_choice){ ways[i].mmio, ways[i].bytes, 0 };
    }
    return read_number(number, 1, out->mmio ? SETTING_MMIO_LAST : SETTING_IO_LAST,
                       &out->address) &&
           out->address % out->bytes == 0;
}

static bool read_value(const struct setting *setting, const char *text,
                       struct setting_value *out)
{
    for (int i = 0; i < SETTING_WORDS_MAX && setting->words[i]; i++)
        if (text_same(text, setting->words[i])) {
            out->word = i;
            return true;
        }
    switch (setting->kind) {
    case SETTING_IS_NUMBER:
        return read_number(text, setting->least, setting->most, &out->number);
    case SETTING_IS_NAMES:
        return !*text || (length_of_list(text) && length_of_list(text) <= setting->most);
    case SETTING_IS_METHODS:
        return !*text || (length_of_list(text) && length_of_list(text) <= setting->most &&
                          are_methods(text));
    case SETTING_IS_FILTERS:
        return length_of_list(text) && length_of_list(text) <= setting->most &&
               !filter_wrong(text);
    case SETTING_IS_EVENT:
        return event_read(text, &out->event);
    case SETTING_IS_PORT:
        return read_port(text, &out->port);
    default:
        return false;
    }
}

/* What stands behind the name: "" or from the equals sign on; NULL: it is another. */
static const char *behind_name(const char *text, const char *name)
{
    while (*name && *text == *name)
        text++, name++;
    return !*name && (!*text || *text == '=') ? text : NULL;
}

const struct setting *setting_named(const char *text)
{
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (behind_name(text, settings[i].name))
            return &settings[i];
    return NULL;
}

const char *setting_read(const char *text, struct setting_value *out)
{
    const struct setting *setting = setting_named(text);
    if (!setting)
        return setting_unknown(text);
    const char *rest = behind_name(text, setting->name);
    bool alone = setting->kind == SETTING_IS_WORD;
    *out = (struct setting_value){ .id = (enum setting_id)(setting - settings),
                                   .word = -1,
                                   .text = *rest ? rest + 1 : rest };
    if (alone == !*rest && (alone || read_value(setting, out->text, out)))
        return NULL;
    return setting_wrong(text, setting);
}

bool setting_serves(enum setting_id id, const struct method_facts *method)
{
    switch (id) {
    case SETTING_INFO:
        return method->ring_lbr || method->last_event;
    case SETTING_EVENT:
        return method->sampled;
    case SETTING_PERIOD:
        return method->counted;
    case SETTING_BUFFER:
        return method->drained || method->ring_buffer;
    case SETTING_THRESHOLD:
        return method->drained && !method->threshold;
    case SETTING_DELIVERY:
        return method->drained || method->counted;
    case SETTING_FILTER:
        return method->filtered != FILTERED_BY_NONE;
    default:
        return true;
    }
}

bool setting_serves_any(enum setting_id id, const char *methods)
{
    for (size_t i = 0; !*methods && i < methods_known_count(); i++)
        if (setting_serves(id, &methods_known[i]))
            return true;
    while (*methods) {
        const struct method_facts *method = next_method(&methods);
        if (!method)
            return false;
        if (setting_serves(id, method))
            return true;
    }
    return false;
}
