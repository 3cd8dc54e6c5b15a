#include "export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

static struct export_name *slot_of(struct export_name *names, size_t capacity,
                                   uint64_t address)
{
    size_t at = (size_t)(address * 0x9e3779b97f4a7c15ull >> 32);

    while (names[at & (capacity - 1)].text && names[at & (capacity - 1)].address != address)
        at++;
    return &names[at & (capacity - 1)];
}

static void add_space(struct export *e)
{
    size_t capacity = e->name_capacity ? 2 * e->name_capacity : 256;
    struct export_name *names = zeroed(capacity, sizeof(*names));

    for (size_t i = 0; i < e->name_capacity; i++)
        if (e->names[i].text)
            *slot_of(names, capacity, e->names[i].address) = e->names[i];
    free(e->names);
    e->names = names;
    e->name_capacity = capacity;
}

/* Replaces blanks and semicolons, which would make several names of one. */
static char *one_word(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == ' ' || *at == ';' || *at < ' ')
            *at = '_';
    return text;
}

static struct export_name named(const struct export *e, uint64_t address)
{
    struct export_name name = { .address = address };
    struct symbol symbol = symbol_at(e->symbols, address);
    bool is_caller =
        address == e->log->machine.caller.call || address == e->log->machine.caller.back;

    if (symbol.name)
        name.text = one_word(symbol_text(e->symbols, address));
    else
        name.text = scratch_text(is_caller ? "caller" : "[unknown]");
    name.name = symbol.name ? strlen(symbol.name) : strlen(name.text);
    return name;
}

struct export_name *export_name(struct export *e, uint64_t address)
{
    struct export_name *slot;

    if (2 * e->name_count >= e->name_capacity)
        add_space(e);
    slot = slot_of(e->names, e->name_capacity, address);
    if (!slot->text) {
        *slot = named(e, address);
        e->name_count++;
    }
    return slot;
}

const char *export_function(struct export *e, const struct call_frame *frame)
{
    struct export_name *name;

    if (frame->function == BRANCH_UNKNOWN)
        return "[unknown]";
    name = export_name(e, frame->function);
    if (frame->kind != FRAME_HANDLER)
        return name->text;
    if (!name->handler)
        name->handler = scratch_text("%s_(handler)", name->text);
    return name->handler;
}

void export_names_free(struct export *e)
{
    free(e->names);
    e->names = NULL;
    e->name_count = e->name_capacity = 0;
}
