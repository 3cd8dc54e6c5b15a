/* request.h */
#include "request.h"

#include "nearest.h"
#include "number.h"
#include "text.h"

#define WORDS_MAX     8
#define LINES_DEFAULT 10

const struct request_form request_forms[REQUEST_COUNT] = {
    [REQUEST_HELP] = { "help", "", 0, 0, "this list" },
    [REQUEST_CPU] = { "cpu", "", 0, 0, "what processor this is" },
    [REQUEST_PROBE] = { "probe", "", 0, 0, "tries each facility and says what it does" },
    [REQUEST_METHODS] = { "methods", "", 0, 0, "the tracing methods" },
    [REQUEST_WORKLOADS] = { "workloads", "", 0, 0, "the workloads" },
    [REQUEST_MSRS] = { "msrs", "", 0, 0, "the registers that have a name here" },
    [REQUEST_MSR_READ] = { "msr read", "REGISTER", 1, 1, "by name or number" },
    [REQUEST_MSR_WRITE] = { "msr write", "REGISTER VALUE", 2, 2,
                            "before it `unsafe` where no trace MSR is written" },
    [REQUEST_RUN] = { "run", "METHOD WORKLOAD [N]", 2, 3,
                      "traces, N times; names, a,b or all; filter= event= period= "
                      "delivery=" },
    [REQUEST_LOG] = { "log", "[N]", 0, 1, "the size of the log, and its last N lines" },
    [REQUEST_SAVE] = { "save", "", 0, 0, "saves the log on the stick as it is now" },
    [REQUEST_REBOOT] = { "reboot", "", 0, 0, "ends and saves the log, and resets" },
    [REQUEST_EXIT] = { "exit", "", 0, 0,
                       "ends and saves the log, back to the firmware; so does quit" },
};

/* The words of the line that is being read, and what is said of them. */
static struct {
    char line[REQUEST_LINE_MAX + 1];
    const char *at[WORDS_MAX];
    size_t count;
} words;
static char sentence[200]; /* what a line of the log has room for */

static const char *say(const char *before, const char *word, const char *after)
{
    struct text out = text_into(sentence, sizeof sentence);
    text_join(&out, before, word, after);
    return sentence;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *split(const char *line)
{
    size_t length = 0;
    words.count = 0;
    while (is_blank(*line))
        line++;
    for (bool inside = false; line[length]; length++) {
        if (length == REQUEST_LINE_MAX)
            return "the line is too long: want at most 160 characters";
        if (!is_blank(line[length]) && (line[length] < ' ' || line[length] > '~'))
            return "the line has a character that is not ASCII";
        if (line[length] == ';')
            return "the line has a `;`: want one command";
        words.line[length] = is_blank(line[length]) ? 0 : line[length];
        if (words.line[length] && !inside) {
            if (words.count == WORDS_MAX)
                return "the line has too many words: want at most 8";
            words.at[words.count++] = &words.line[length];
        }
        inside = words.line[length];
    }
    words.line[length] = 0;
    return words.count ? NULL : "no command: `help` lists them";
}

/* Takes the word at this place away. */
static void drop(size_t place)
{
    words.count--;
    for (; place < words.count; place++)
        words.at[place] = words.at[place + 1];
}

static bool take_unsafe(void)
{
    size_t last = words.count - 1;
    if (text_same(words.at[0], "unsafe"))
        drop(0);
    else if (text_same(words.at[last], "unsafe"))
        drop(last);
    else
        return false;
    return true;
}

/* How many words the form's own name takes of the line; 0: it is another command. */
static size_t matches(const struct request_form *form)
{
    const char *name = form->word;
    size_t count = 0;
    if (form == &request_forms[REQUEST_EXIT] && words.count &&
        text_same(words.at[0], "quit"))
        return 1;
    while (count < words.count && text_begins(name, words.at[count])) {
        for (const char *c = words.at[count]; *c; c++)
            name++;
        count++;
        if (!*name)
            return count;
        if (*name++ != ' ')
            return 0;
    }
    return 0;
}

static const char *wrong_count(const struct request_form *form)
{
    struct text out = text_into(sentence, sizeof sentence);
    bool too_much = words.count > form->most;
    text_join(&out, form->word, ": ", too_much ? words.at[form->most] : "a word is missing",
              too_much ? " is too much; want: " : "; want: ", form->word,
              form->arguments[0] ? " " : "", form->arguments);
    return sentence;
}

static const char *read_register(struct request *out, const struct request_names *names)
{
    uint64_t number;
    if (trace_msr_named(&names->msrs, words.at[0], &out->msr))
        return NULL;
    if (!number_read(words.at[0], UINT32_MAX, &number))
        return say("msr: got ", words.at[0],
                   ", want a register: a number up to 0xffffffff, or one of those that "
                   "`msrs` lists");
    if (!trace_msr_numbered(&names->msrs, (uint32_t)number, &out->msr))
        out->msr = (struct trace_msr){ .number = (uint32_t)number };
    return NULL;
}

static const char *read_write(struct request *out, bool unsafe)
{
    if (!number_read(words.at[1], UINT64_MAX, &out->value))
        return say("msr write: got ", words.at[1],
                   ", want a value of at most 64 bits, decimal or with 0x before it");
    if (!out->msr.harmless && !unsafe)
        return say("msr write: ", words.at[0],
                   " is no trace MSR that is harmless to write: "
                   "put `unsafe` before the command if you know what it does");
    return NULL;
}

/* Names with commas between; "all" becomes the empty list.  NULL or the bad one. */
static const char *check_list(const char **list, bool (*is)(const char *))
{
    static char name[REQUEST_LINE_MAX + 1];
    if (text_same(*list, "all")) {
        *list = "";
        return NULL;
    }
    for (const char *at = *list;; at++) {
        size_t length = 0;
        for (; *at && *at != ','; at++)
            name[length++] = *at;
        name[length] = 0;
        if (!is(name))
            return name;
        if (!*at)
            return NULL;
    }
}

static bool has_value(const char *word)
{
    while (*word && *word != '=')
        word++;
    return *word;
}

/* Reads an option of one run, and notes in `given` that it was given. */
static const char *take_setting(struct request *out, const char *word, uint32_t *given)
{
    const struct setting *setting = setting_named(word);
    if (!setting || !setting->of_run)
        return say("run: got ", word, ", want filter=, event=, period= or delivery=");
    const char *wrong = setting_read(word, &out->options);
    if (wrong)
        return say("run: ", wrong, "");
    uint32_t bit = 1u << (setting - settings);
    if (*given & bit)
        return say("run: ", setting->name, "= is given twice");
    *given |= bit;
    return NULL;
}

/* Takes the options out, wherever they are, before the words are counted. */
static const char *take_settings(struct request *out, uint32_t *given)
{
    const char *wrong = NULL;
    for (size_t i = 0; i < words.count && !wrong; i++) {
        if (!has_value(words.at[i]))
            continue;
        wrong = take_setting(out, words.at[i], given);
        drop(i--);
    }
    return wrong;
}

/* A setting that none of the methods looks at is a mistake; an empty list is all. */
static const char *idle_setting(const char *methods, uint32_t given)
{
    for (enum setting_id id = 0; *methods && id < SETTING_COUNT; id++) {
        const char *idle = given & 1u << id ? setting_idle(id, methods) : NULL;
        if (idle)
            return say("run: ", idle, "");
    }
    return NULL;
}

static const char *read_run(struct request *out, const struct request_names *names,
                            uint32_t given)
{
    uint64_t times = 1;
    out->methods = words.at[0];
    out->workloads = words.at[1];
    const char *bad = check_list(&out->methods, names->method);
    if (bad)
        return say("run: there is no method ", *bad ? bad : "without a name",
                   ": `methods` lists them, `all` stands for them");
    bad = check_list(&out->workloads, names->workload);
    if (bad)
        return say("run: there is no workload ", *bad ? bad : "without a name",
                   ": `workloads` lists them, `all` stands for them");
    if (words.count > 2 &&
        (!number_read(words.at[2], REQUEST_TIMES_MAX, &times) || times == 0))
        return say("run: got ", words.at[2], ", want how often: 1 to 10000");
    out->count = (uint32_t)times;
    return idle_setting(out->methods, given);
}

static const char *read_lines(struct request *out)
{
    uint64_t lines = LINES_DEFAULT;
    if (words.count > 0 && !number_read(words.at[0], REQUEST_LINES_MAX, &lines))
        return say("log: got ", words.at[0], ", want how many lines: 0 to 60");
    out->count = (uint32_t)lines;
    return NULL;
}

static const char *read_arguments(struct request *out, const struct request_names *names,
                                  bool unsafe, uint32_t given)
{
    const char *wrong;
    switch (out->what) {
    case REQUEST_MSR_READ:
        return read_register(out, names);
    case REQUEST_MSR_WRITE:
        wrong = read_register(out, names);
        return wrong ? wrong : read_write(out, unsafe);
    case REQUEST_RUN:
        return read_run(out, names, given);
    case REQUEST_LOG:
        return read_lines(out);
    default:
        return NULL;
    }
}

static const char *no_such_command(const char *word)
{
    struct text out = text_into(sentence, sizeof sentence);
    struct nearest nearest = nearest_to(word, text_length(word));
    for (size_t i = 0; i < REQUEST_COUNT; i++)
        nearest_try(&nearest, request_forms[i].word);
    text_join(&out, word, ": no such command");
    if (!nearest_put(&out, &nearest))
        text_string(&out, ": `help` lists them");
    return sentence;
}

const char *request_read(struct request *out, const char *line,
                         const struct request_names *names)
{
    const char *wrong = split(line);
    if (wrong)
        return wrong;
    bool unsafe = take_unsafe();
    size_t own = 0;
    *out = (struct request){ .what = REQUEST_HELP };
    for (; out->what < REQUEST_COUNT && !own; out->what += !own)
        own = matches(&request_forms[out->what]);
    if (!own && words.count && text_same(words.at[0], "msr"))
        return "msr: want msr read REGISTER or msr write REGISTER VALUE";
    if (!own)
        return words.count ? no_such_command(words.at[0])
                           : "unsafe: want msr write REGISTER VALUE after it";
    if (unsafe && out->what != REQUEST_MSR_WRITE)
        return say("unsafe goes with msr write alone, not with ",
                   request_forms[out->what].word, "");
    while (own-- > 0)
        drop(0);
    const struct request_form *form = &request_forms[out->what];
    uint32_t given = 0;
    wrong = out->what == REQUEST_RUN ? take_settings(out, &given) : NULL;
    if (wrong)
        return wrong;
    if (out->what == REQUEST_WORKLOADS && words.count)
        return "workloads NAME is gone: run the workload, and `everybranch show LOG` on "
               "the "
               "host lists its code";
    if (words.count < form->least || words.count > form->most)
        return wrong_count(form);
    return read_arguments(out, names, unsafe, given);
}
