/*
 * Each file is read once and kept.
 */
#include "sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

#define FILE_MAX (16u << 20) /* a larger file is no source */

struct source_file {
    char *name, *bytes, **lines; /* bytes NULL: the file cannot be read */
    size_t count, capacity;
};

struct sources {
    struct source_file *files;
    size_t count, capacity;
};

struct sources *sources_new(void)
{
    return zeroed(1, sizeof(struct sources));
}

void sources_free(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        free(sources->files[i].name);
        free(sources->files[i].bytes);
        free(sources->files[i].lines);
    }
    free(sources->files);
    free(sources);
}

static char *read_text(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *bytes, *text;
    size_t length;

    if (!file)
        return NULL;
    bytes = zeroed(FILE_MAX + 1, 1);
    length = fread(bytes, 1, FILE_MAX, file);
    fclose(file);
    text = length > 0 ? strndup(bytes, length) : NULL;
    free(bytes);
    return text;
}

static void cut(struct source_file *file)
{
    for (char *at = file->bytes; at;) {
        char *end = strchr(at, '\n');

        file->lines = grow(file->lines, &file->capacity, file->count, sizeof(char *));
        file->lines[file->count++] = at;
        at[strcspn(at, "\r\n")] = 0;
        at = end ? end + 1 : NULL;
    }
}

static struct source_file *file_named(struct sources *sources, const char *name)
{
    struct source_file *file;

    for (size_t i = 0; i < sources->count; i++)
        if (strcmp(sources->files[i].name, name) == 0)
            return &sources->files[i];
    sources->files =
        grow(sources->files, &sources->capacity, sources->count, sizeof(*sources->files));
    file = &sources->files[sources->count++];
    *file =
        (struct source_file){ .name = format_text("%s", name), .bytes = read_text(name) };
    cut(file);
    return file;
}

const char *source_line(struct sources *sources, const char *name, int line)
{
    const struct source_file *file = file_named(sources, name);

    return line > 0 && (size_t)line <= file->count ? file->lines[line - 1] : NULL;
}
