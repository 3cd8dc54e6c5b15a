/*
 * Only maps of the given files are kept, and those of [vdso] to name it.  A map of another
 * file matters where it takes the place of one of these.
 */
#include "maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

static struct span base_name(struct span path)
{
    const char *slash = memrchr(path.at, '/', path.length);

    return slash ? (struct span){ slash + 1, path.length - (size_t)(slash + 1 - path.at) }
                 : path;
}

static bool is_vdso(struct span path)
{
    return span_is(path, "[vdso]");
}

/* The given file that such a line is about, by build-id or by name; NULL: none. */
static struct image *find_image(const struct maps *maps, const struct perf_map *line)
{
    const struct images *images = maps->images;
    struct span name = base_name(line->path);

    for (size_t i = 0; line->build_id.length && i < images->count; i++)
        if (image_is_build(&images->at[i], line->build_id))
            return &images->at[i];
    for (size_t i = 0; !maps->opens && i < images->count; i++)
        if (span_is(name, images->at[i].name) ||
            (is_vdso(line->path) && strncmp(images->at[i].name, "vdso", 4) == 0))
            return &images->at[i];
    return NULL;
}

/* How far a mapped address is from its place.  False: no code of the file is there. */
static bool shift_of(const struct image *image, const struct perf_map *line, uint64_t *add)
{
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct segment *segment = &image->segments[i];

        if (!segment->is_code || line->offset + line->length <= segment->offset ||
            line->offset >= segment->offset + segment->size)
            continue;
        *add = image->place + segment->at - segment->offset + line->offset - line->start;
        return true;
    }
    return false;
}

static void add_map(struct maps *maps, const struct perf_map *line, uint64_t add)
{
    struct map map = { line->start, line->start + line->length, add, line->pid };

    for (size_t i = 0; i < maps->count; i++)
        if (maps->at[i].pid == map.pid && maps->at[i].start == map.start &&
            maps->at[i].end == map.end) { /* the same again: a program that was run twice */
            memmove(maps->at + i, maps->at + i + 1,
                    (--maps->count - i) * sizeof(*maps->at));
            break;
        }
    maps->at = arena_grow(&maps->images->memory, maps->at, &maps->capacity, maps->count,
                          sizeof(map));
    maps->at[maps->count++] = map;
    maps->changes++;
}

static bool takes_the_place_of_one(const struct maps *maps, const struct perf_map *line)
{
    for (size_t i = 0; i < maps->count; i++)
        if (maps->at[i].pid == line->pid && line->start < maps->at[i].end &&
            maps->at[i].start < line->start + line->length)
            return true;
    return false;
}

static bool is_path(struct span path)
{
    return path.length > 1 && path.at[0] == '/' && path.at[1] != '/'; /* "//anon" */
}

/* Opens the file of the line.  NULL: it is not proved to be the one that was recorded. */
static struct image *open_image(struct maps *maps, const struct perf_map *line)
{
    struct arena *memory = &maps->images->memory;
    char *path = format_text("%.*s", SPAN(line->path));
    char *why = images_add(maps->images, path, line->build_id);
    size_t i = 0;

    if (!why) {
        arena_keep(memory, path);
        return &maps->images->at[maps->images->count - 1];
    }
    make_printable(path, strlen(path));
    while (i < maps->shut_count && strcmp(maps->shut[i].path, path) != 0)
        i++;
    if (i == SHUT_MAX) /* the last one represents the rest */
        i--;
    if (i == maps->shut_count) {
        maps->shut =
            arena_grow(memory, maps->shut, &maps->shut_capacity, i, sizeof(*maps->shut));
        maps->shut[maps->shut_count++] =
            (struct shut_file){ .path = arena_keep(memory, format_text("%s", path)) };
    }
    snprintf(maps->shut[i].why, sizeof(maps->shut[i].why), "%s", why);
    free(path);
    free(why);
    add_map(maps, line, PLACE_SHUT + ((uint64_t)i << PLACE_SHIFT));
    return NULL;
}

bool maps_add(struct maps *maps, const struct perf_map *line, char **why)
{
    struct image *image = find_image(maps, line);
    uint64_t add = 0;

    if (line->start >> (PLACE_SHIFT - 1)) /* of the kernel */
        return true;
    if (!image && maps->opens && is_path(line->path)) {
        image = open_image(maps, line);
        if (!image)
            return true;
    }
    if (image && line->build_id.length && image->build_id[0] &&
        !image_is_build(image, line->build_id)) {
        *why = format_text("%s is not the build that was recorded: its build-id is %s, "
                           "want %.*s",
                           image->path, image->build_id, SPAN(line->build_id));
        return false;
    }
    if (image && !image->has_load && shift_of(image, line, &add)) {
        for (size_t i = 0; i < maps->count; i++)
            maps->several |= maps->at[i].pid != line->pid && maps->at[i].add != add &&
                             (maps->at[i].start + maps->at[i].add) >> PLACE_SHIFT ==
                                 image->place >> PLACE_SHIFT;
        image->mapped = true;
        add_map(maps, line, add);
    } else if (is_vdso(line->path)) {
        add_map(maps, line, PLACE_VDSO);
    } else if (takes_the_place_of_one(maps, line)) {
        add_map(maps, line, 0);
    }
    return true;
}

/* The newest map that holds the address, of that process or, if it has none, of any. */
static const struct map *find_map(const struct maps *maps, uint32_t pid, uint64_t address)
{
    const struct map *newest = NULL;
    bool has_own = false;

    for (size_t i = maps->count; i-- > 0;) {
        const struct map *map = &maps->at[i];
        bool is_own = pid && map->pid == pid;
        bool holds = address - map->start < map->end - map->start;

        if (is_own && holds)
            return map;
        has_own |= is_own;
        if (holds && !newest)
            newest = map;
    }
    return has_own ? NULL : newest;
}

/* True if the address is on a page of the segment, which begins at `begin`. */
static bool holds(const struct segment *segment, uint64_t begin, uint64_t address)
{
    uint64_t first = begin >> PAGE_SHIFT << PAGE_SHIFT;

    return segment->is_code && address - first < segment->size + (begin - first);
}

/*
 * Finds the file among those that no line mentions.  The field brstackoff has offsets only
 * where perf thinks that a file is not where it was linked, so both are tried.
 */
static bool find_unmapped(const struct maps *maps, uint64_t address, bool offsets,
                          uint64_t *add)
{
    for (size_t i = 0; i < maps->images->count; i++) {
        const struct image *image = &maps->images->at[i];

        for (size_t s = 0; !image->mapped && s < image->segment_count; s++) {
            const struct segment *segment = &image->segments[s];
            uint64_t at = offsets ? segment->offset : image->load + segment->at;

            if (holds(segment, at, address)) {
                *add = image->place + segment->at - at;
                return true;
            }
        }
    }
    return offsets && find_unmapped(maps, address, false, add);
}

uint64_t maps_look(struct maps *maps, uint32_t pid, uint64_t address)
{
    struct kept_page *kept = &maps->kept[(address >> PAGE_SHIFT) % MAPS_KEPT];
    const struct map *map;
    uint64_t add = 0;

    if (address >> (PLACE_SHIFT - 1)) /* the kernel's, or a place already */
        return address;
    map = find_map(maps, pid, address);
    if (map)
        add = map->add;
    else
        find_unmapped(maps, address, maps->offsets, &add);
    *kept = (struct kept_page){ address >> PAGE_SHIFT, add, pid, maps->changes };
    return address + add;
}
