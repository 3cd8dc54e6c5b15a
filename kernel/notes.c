/*
 * notes.h.  Nothing that is asked for is cut in silence: who reads the log must see it.
 */
#include "notes.h"

#include "display.h"
#include "emit.h"
#include "nearest.h"
#include "setting.h"
#include "text.h"
#include "workloads.h"

#define NOTE_SIZE        200 /* a line of the log has room for it */
#define LONGEST_SENTENCE 120 /* of it, around a name that does not exist */
#define NAMES_SHOWN      2   /* such names on the screen, which has room for four lines */

/* "processors=9: the machine has 2" */
static void note_numbers(const char *option, uint64_t wanted, const char *why, uint64_t got,
                         const char *unit)
{
    char note[NOTE_SIZE];
    struct text out = text_into(note, sizeof note);
    text_join(&out, option, "=");
    text_decimal(&out, wanted);
    text_string(&out, why);
    text_decimal(&out, got);
    text_string(&out, unit);
    emit_note(note);
}

static void note_processors(const struct handoff *handoff)
{
    const struct processors *p = &handoff->processors;
    uint32_t wanted = handoff->options.processors;
    if (handoff->by_command && p->why)
        emit_note(p->why);
    if (p->asked && !p->why && wanted != PROCESSORS_ALL && wanted > p->found)
        note_numbers("processors", wanted, ": the machine has ", p->found, "");
    if (handoff->options.cost > 1 && p->wanted > 1)
        emit_note("cost= does nothing where several processors run at once");
}

static void note_buffer(const struct session *s)
{
    uint64_t wanted = s->handoff->options.buffer;
    if (wanted > s->bsp.buffers.bts_capacity)
        note_numbers("buffer", wanted, ": the memory has room for ",
                     s->bsp.buffers.bts_capacity, " records");
}

/* Puts "everybranch.cfg:4: workload=lop: no such workload; did you mean loop?" */
static void put_unknown(struct text *out, const struct options *options, const char *name,
                        size_t length)
{
    struct nearest nearest = nearest_to(name, length);
    for (const struct workload *w = workloads_next(NULL); w; w = workloads_next(w))
        nearest_try(&nearest, w->name);
    text_string(out, options->workloads_line ? "everybranch.cfg:" : "in the load options");
    if (options->workloads_line)
        text_decimal(out, options->workloads_line);
    text_string(out, ": workload=");
    text_bytes(out, name, length);
    text_string(out, ": no such workload");
    nearest_put(out, &nearest);
}

/* Takes names off the list up to the next unknown one, and notes it; false: no more. */
static bool next_unknown(const struct options *options, const char **list,
                         char note[NOTE_SIZE])
{
    while (**list) {
        const char *name = *list;
        struct text out = text_into(note, NOTE_SIZE - LONGEST_SENTENCE);
        while (**list && **list != ',')
            ++*list;
        text_bytes(&out, name, (size_t)(*list - name));
        *list += **list == ',';
        if (workloads_has(note))
            continue;
        size_t length = out.length;
        out = text_into(note, NOTE_SIZE);
        put_unknown(&out, options, name, length);
        return true;
    }
    return false;
}

/*
 * boot/ checked the methods; workloads may come from the stick.  A person at the screen
 * sees the first names that do not exist, the log has them all.
 */
static void note_workloads(const struct options *options)
{
    char note[NOTE_SIZE];
    const char *list = options->workloads;
    for (size_t shown = 0; next_unknown(options, &list, note); shown++) {
        emit_note(note);
        if (shown < NAMES_SHOWN)
            display_line(note, TONE_ODD);
    }
}

const char *notes_refusal(const struct options *options)
{
    static char note[NOTE_SIZE];
    const char *list = options->workloads;
    bool wrong = !options->workloads_line && next_unknown(options, &list, note);
    return wrong ? note : NULL;
}

static void note_idle(const struct options *options, enum setting_id id)
{
    const char *idle =
        setting_is_given(options, id) ? setting_idle(id, options->methods) : NULL;
    if (idle)
        emit_note(idle);
}

void notes_of_counters(const struct session *s)
{
    char note[NOTE_SIZE];
    struct text out = text_into(note, sizeof note);
    if (s->bsp.rtit_ctl)
        emit_note("the firmware left Processor Trace on: it is off during the runs");
    if (s->bsp.left.counters.is != LOG_THERE)
        return;
    text_string(&out, "the firmware left performance counters on (0x");
    text_hex(&out, s->bsp.left.counters.value);
    text_string(&out, "): general counter ");
    text_decimal(&out, s->bsp.cpu.counter);
    text_string(&out, s->bsp.left.counters.value >> s->bsp.cpu.counter & 1
                          ? " is used all the same, for none is off"
                          : " is used");
    emit_note(note);
}

void notes_of_options(const struct session *s)
{
    const struct options *options = &s->handoff->options;
    if (s->handoff->ignored) {
        emit_note(s->handoff->ignored);
        display_line(s->handoff->ignored, TONE_ODD);
    }
    if (options->commands[0] && (options->workloads[0] || options->methods[0]))
        emit_note("workload= and method= do nothing: the commands of `do` name their own");
    note_processors(s->handoff);
    note_buffer(s);
    if (s->handoff->by_command)
        return;
    note_workloads(options);
    for (enum setting_id id = 0; id < SETTING_COUNT; id++)
        note_idle(options, id);
}
