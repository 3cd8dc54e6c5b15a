/* transfers.h */
#include "transfers.h"

#include <stdlib.h>

#include "heap.h"

static bool list_next(struct source *source, struct transfer *out)
{
    struct transfer_list *list = (struct transfer_list *)source;

    if (list->next >= list->end)
        return false;
    *out = list->of[list->next++];
    return true;
}

static void list_rewind(struct source *source)
{
    struct transfer_list *list = (struct transfer_list *)source;

    list->next = list->at;
}

struct transfer_list list_of(const struct transfer *of, uint64_t at, uint64_t end)
{
    return (struct transfer_list){ { list_next, list_rewind }, of, at, end, at };
}

struct transfer_list list_all(struct source *source)
{
    struct transfer *all = NULL;
    size_t count = 0, capacity = 0;
    struct transfer t;

    source->rewind(source);
    while (source->next(source, &t)) {
        all = grow(all, &capacity, count, sizeof(*all));
        all[count++] = t;
    }
    return list_of(all, 0, count);
}

void list_free(struct transfer_list *list)
{
    free((void *)list->of);
}

char *side_text(const struct log_map *map, bool ended, const struct transfer *transfer)
{
    return ended ? format_text("nothing more") : transfer_text(map, transfer);
}

size_t line_of_transfer(struct recorded *recorded, const struct run *run, uint64_t index)
{
    struct transfer ignored;

    recorded->source.rewind(&recorded->source);
    for (uint64_t i = 0; i <= index; i++)
        recorded->source.next(&recorded->source, &ignored);
    return line_of_record(run, recorded->taken - 1);
}
