/*
 * What may stand for an option, in words.  A person reads them before a boot, or on the
 * screen of a machine that cannot show the file.
 */
#include "setting.h"

#include "filter.h"
#include "pmu.h"
#include "text.h"

#define SHOWN 60 /* characters of one that is wrong */

static char sentence[SETTING_SENTENCE];

/* Names with commas between, the last one behind an "or". */
static void put_or(struct text *out, const char *name, bool is_first, bool is_last)
{
    text_string(out, is_first ? "" : is_last ? " or " : ", ");
    text_string(out, name);
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
        text_string(out, filter_text(stack ? FILTER_STACK : LEAVES_OUT(i), name));
        text_string(out, i + 1 < FILTER_BITS ? ", " : " ");
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
        text_string(out, ", or ");
    if (setting->words[0])
        text_string(out, setting->words[0]);
}

static void put_event(struct text *out)
{
    for (size_t i = 0; i < EVENT_NAMES; i++) {
        text_string(out, event_names[i]);
        text_string(out, ", ");
    }
    text_string(out, "or numbers, as 0xc4/0x20");
}

void setting_wish(struct text *out, const struct setting *setting)
{
    switch (setting->kind) {
    case SETTING_IS_WORD:
        text_string(out, "nothing behind it");
        break;
    case SETTING_IS_NUMBER:
        put_number(out, setting);
        break;
    case SETTING_IS_CHOICE:
        text_string(out, setting->words[0]);
        text_string(out, setting->words[1] ? " or " : "");
        text_string(out, setting->words[1] ? setting->words[1] : "");
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
                         "address that its width divides, or none");
        break;
    }
}

/* Nothing that a console takes for more than a letter. */
static void put_shown(struct text *out, const char *text)
{
    size_t length = 0;
    for (; length < SHOWN && text[length]; length++) {
        char c[2] = { text[length], 0 };
        text_string(out, *c < ' ' || *c > '~' ? "?" : c);
    }
    text_string(out, text[length] ? "..." : "");
}

const char *setting_unknown(const char *text)
{
    struct text out = text_into(sentence, sizeof sentence);
    put_shown(&out, text);
    text_string(&out, ": there is no such option, want one of");
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        text_string(&out, " ");
        text_string(&out, settings[i].name);
        text_string(&out, settings[i].kind == SETTING_IS_WORD ? "" : "=");
    }
    text_string(&out, " or do COMMAND");
    return sentence;
}

const char *setting_wrong(const char *text, const struct setting *setting)
{
    struct text out = text_into(sentence, sizeof sentence);
    put_shown(&out, text);
    text_string(&out, ": ");
    if (setting->kind != SETTING_IS_WORD) {
        text_string(&out, "behind ");
        text_string(&out, setting->name);
        text_string(&out, "= ");
    }
    text_string(&out, "want ");
    setting_wish(&out, setting);
    return sentence;
}

void setting_put_served(struct text *out, enum setting_id id)
{
    size_t last = 0;
    bool is_first = true;
    for (size_t i = 0; i < methods_known_count(); i++)
        last = setting_serves(id, &methods_known[i]) ? i : last;
    for (size_t i = 0; i < methods_known_count(); i++) {
        if (!setting_serves(id, &methods_known[i]))
            continue;
        put_or(out, methods_known[i].name, is_first, i == last);
        is_first = false;
    }
}

const char *setting_idle(enum setting_id id, const char *methods)
{
    if (setting_serves_any(id, methods))
        return NULL;
    struct text out = text_into(sentence, sizeof sentence);
    text_string(&out, settings[id].name);
    text_string(&out, settings[id].kind == SETTING_IS_WORD ? "" : "=");
    text_string(&out, " does nothing for ");
    put_shown(&out, methods);
    text_string(&out, ": want it with ");
    setting_put_served(&out, id);
    return sentence;
}
