/*
 * libelf maps the file; code is read in place.
 */
#include "image.h"

#include <errno.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define IMAGES_MAX ((size_t)(PLACE_SHUT >> PLACE_SHIFT) - 1)

static void put_build_id(struct image *image, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count && 2 * i + 2 < sizeof(image->build_id); i++)
        snprintf(image->build_id + 2 * i, 3, "%02x", bytes[i]);
}

static void read_notes(struct image *image, Elf_Data *data)
{
    GElf_Nhdr note;
    size_t name, desc;

    for (size_t at = 0; data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0;)
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
            memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")) == 0)
            put_build_id(image, (const uint8_t *)data->d_buf + desc, note.n_descsz);
}

/* Reads one program header.  NULL, or why the file cannot be used. */
static const char *read_header(struct images *images, struct image *image,
                               const GElf_Phdr *header)
{
    const uint8_t *bytes;
    size_t size;

    if (header->p_type == PT_NOTE)
        read_notes(image,
                   elf_getdata_rawchunk(image->program.elf, (int64_t)header->p_offset,
                                        header->p_filesz,
                                        header->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
    if (header->p_type != PT_LOAD || header->p_filesz == 0)
        return NULL;
    bytes = (const uint8_t *)elf_rawfile(image->program.elf, &size);
    if (!bytes)
        return "it cannot be read";
    if (header->p_offset > size || header->p_filesz > size - header->p_offset)
        return "it is cut short: a segment reaches beyond its end";
    if (header->p_vaddr >> PLACE_SHIFT || header->p_filesz > UINT32_MAX)
        return "its addresses are not those of a program for user mode";
    image->segments = arena_grow(&images->memory, image->segments, &image->segment_capacity,
                                 image->segment_count, sizeof(*image->segments));
    image->segments[image->segment_count++] =
        (struct segment){ .at = header->p_vaddr,
                          .size = header->p_filesz,
                          .offset = header->p_offset,
                          .is_code = header->p_flags & PF_X,
                          .own = { .name = image->name,
                                   .code = bytes + header->p_offset,
                                   .size = (uint32_t)header->p_filesz } };
    return NULL;
}

/* Reads image->path.  NULL, or why it cannot be used. */
static const char *read_image(struct images *images, struct image *image)
{
    const char *why = images->count > IMAGES_MAX
                          ? "too many files"
                          : elf_program_open(&image->program, image->path);
    size_t count = 0;
    GElf_Phdr header;

    image->name = strrchr(image->path, '/') ? strrchr(image->path, '/') + 1 : image->path;
    if (why)
        return why;
    if (image->program.has_32_bits)
        return "this is a 32-bit program; audit reads 64-bit programs";
    if (elf_getphdrnum(image->program.elf, &count) != 0 || count == 0)
        return "it has no segments: want a linked program or library";
    for (size_t i = 0; i < count && !why; i++)
        if (gelf_getphdr(image->program.elf, (int)i, &header))
            why = read_header(images, image, &header);
    if (why)
        return why;
    elf_names(&image->names, &image->program, image->place);
    names_sort(&image->names);
    return NULL;
}

/* Lists the code of all images, as code.c wants it. */
static void lay_out(struct images *images)
{
    size_t count = 0;

    code_free(&images->code);
    for (size_t i = 0; i < images->count; i++) {
        const struct image *image = &images->at[i];

        for (size_t s = 0; s < image->segment_count; s++) {
            const struct segment *segment = &image->segments[s];

            if (!segment->is_code)
                continue;
            images->places =
                arena_grow(&images->memory, images->places, &images->place_capacity, count,
                           sizeof(struct loaded));
            images->places[count++] =
                (struct loaded){ .own = &segment->own, .at = image->place + segment->at };
        }
    }
    code_at_places(&images->code, images->places, count);
    images->by_text_count = 0;
}

/* Makes space for one more file, with a range of places of its own. */
static struct image *add(struct images *images)
{
    struct image *image;

    images->at = arena_grow(&images->memory, images->at, &images->capacity, images->count,
                            sizeof(*images->at));
    image = &images->at[images->count++];
    *image = (struct image){ .program = { .file = -1 },
                             .place = (uint64_t)images->count << PLACE_SHIFT };
    return image;
}

static void close_image(struct image *image)
{
    names_free(&image->names);
    elf_program_close(&image->program);
}

bool images_give(struct images *images, const char *given)
{
    struct image *image = add(images);
    const char *why;
    char *path;
    bool good = elf_given(given, &path, &image->load, &image->has_load);

    image->path = arena_keep(&images->memory, path);
    if (!good)
        return false;
    why = read_image(images, image);
    if (why)
        fprintf(stderr, "everybranch: %s: %s\n", given, why);
    lay_out(images);
    return !why;
}

bool image_is_build(const struct image *image, struct span build_id)
{
    size_t length = strlen(image->build_id);

    if (!length || build_id.length < length ||
        memcmp(build_id.at, image->build_id, length) != 0)
        return false;
    while (length < build_id.length && build_id.at[length] == '0')
        length++;
    return length == build_id.length;
}

/* NULL, or why the image is not the file that was recorded. */
static char *why_not(const struct image *image, struct span build_id)
{
    if (!image->build_id[0])
        return format_text("it has no build-id");
    if (!image_is_build(image, build_id))
        return format_text("its build-id is %s, and the trace has %.*s", image->build_id,
                           SPAN(build_id));
    return NULL;
}

char *images_add(struct images *images, const char *path, struct span build_id)
{
    struct image *image;
    struct stat about;
    const char *unusable;
    char *why;

    if (stat(path, &about) != 0)
        return format_text("%s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return format_text("it is not a regular file");
    if (!build_id.length)
        return format_text("the trace has no build-id for it (perf record --buildid-mmap)");
    image = add(images);
    image->path = path;
    unusable = read_image(images, image);
    why = unusable ? format_text("%s", unusable) : why_not(image, build_id);
    if (why) {
        close_image(image);
        images->count--;
    } else {
        lay_out(images);
    }
    return why;
}

void images_free(struct images *images)
{
    code_free(&images->code);
    for (size_t i = 0; i < images->count; i++)
        close_image(&images->at[i]);
    arena_release(&images->memory);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

/* Lists all names, each once. */
static void sort_by_text(struct images *images)
{
    struct name *all = images->by_text;
    size_t count = 0, kept = 0;

    for (size_t i = 0; i < images->count; i++)
        for (size_t n = 0; n < images->at[i].names.count; n++) {
            all = arena_grow(&images->memory, all, &images->by_text_capacity, count,
                             sizeof(*all));
            all[count++] = images->at[i].names.at[n];
        }
    if (count)
        qsort(all, count, sizeof(*all), by_text);
    for (size_t i = 0; i < count; i++)
        if (!kept || by_text(&all[kept - 1], &all[i]) != 0)
            all[kept++] = all[i];
        else if (all[kept - 1].begin != all[i].begin)
            all[kept - 1].begin = TRACED_UNNAMED;
    images->by_text = all;
    images->by_text_count = kept;
}

static int compare(const void *wanted, const void *listed)
{
    const struct span *name = wanted;
    const char *text = ((const struct name *)listed)->text;
    int order = strncmp(name->at, text, name->length);

    return order ? order : -(text[name->length] != 0);
}

bool images_find(void *of, struct span name, uint64_t *place)
{
    struct images *images = of;
    const struct name *found = NULL;

    if (!images->by_text_count)
        sort_by_text(images);
    if (images->by_text_count)
        found =
            bsearch(&name, images->by_text, images->by_text_count, sizeof(*found), compare);
    *place = found ? found->begin : TRACED_UNNAMED;
    return *place != TRACED_UNNAMED;
}

const struct name *place_function(const struct images *images, uint64_t place)
{
    const struct image *image = place_image(images, place);

    return image ? names_find(&image->names, place) : NULL;
}

void place_put(FILE *out, const struct images *images, uint64_t place)
{
    const struct image *image = place_image(images, place);
    const struct name *name = place_function(images, place);

    if (!image)
        fprintf(out, "0x%" PRIx64, place);
    else if (!name)
        fprintf(out, "%s+0x%" PRIx64, image->name, place - image->place);
    else if (place == name->begin)
        fputs(name->text, out);
    else
        fprintf(out, "%s+0x%" PRIx64, name->text, place - name->begin);
}
