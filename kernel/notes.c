/*
 * notes.h.  Nothing that is asked for is cut in silence: who reads the log must see it.
 */
#include "notes.h"

#include "emit.h"
#include "setting.h"
#include "text.h"
#include "workloads.h"

#define NOTE_SIZE 200 /* a line of the log has room for it */

/* "processors=9: the machine has 2" */
static void note_numbers(const char *option, uint64_t wanted, const char *why, uint64_t got,
                         const char *unit)
{
    char note[NOTE_SIZE];
    struct text out = text_into(note, sizeof note);
    text_string(&out, option);
    text_string(&out, "=");
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
    if (wanted > s->buffers.bts_capacity)
        note_numbers("buffer", wanted, ": the memory has room for ",
                     s->buffers.bts_capacity, " records");
}

/* Methods were held against what there is by boot/; workloads may come from the stick. */
static void note_workloads(const char *list)
{
    char name[NOTE_SIZE / 2];
    while (*list) {
        struct text out = text_into(name, sizeof name);
        for (; *list && *list != ','; list++) {
            char letter[2] = { *list, 0 };
            text_string(&out, letter);
        }
        list += *list == ',';
        if (workloads_has(name))
            continue;
        char note[NOTE_SIZE];
        out = text_into(note, sizeof note);
        text_string(&out, "workload=: there is none of the name ");
        text_string(&out, name);
        emit_note(note);
    }
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
    if (!s->left.counters)
        return;
    text_string(&out, "the firmware left performance counters on (0x");
    text_hex(&out, s->left.counters);
    text_string(&out, "): general counter ");
    text_decimal(&out, s->cpu.counter);
    text_string(&out, s->left.counters >> s->cpu.counter & 1
                          ? " is used all the same, for none is off"
                          : " is used");
    emit_note(note);
}

void notes_of_options(const struct session *s)
{
    const struct options *options = &s->handoff->options;
    if (options->commands[0] && (options->workloads[0] || options->methods[0]))
        emit_note("workload= and method= do nothing: the commands of `do` name their own");
    note_processors(s->handoff);
    note_buffer(s);
    if (s->handoff->by_command)
        return;
    note_workloads(options->workloads);
    for (enum setting_id id = 0; id < SETTING_COUNT; id++)
        note_idle(options, id);
}
