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

#include "heap.h"

#define IMAGES_MAX ((size_t)(PLACE_SHUT >> PLACE_SHIFT) - 1)

static bool wrong(struct image *image, const char *why)
{
    image->wrong = why;
    return false;
}

static bool read_segments(struct image *image, size_t file_size)
{
    size_t count;
    GElf_Phdr header;

    if (elf_getphdrnum(image->program.elf, &count) != 0 || count == 0)
        return wrong(image, "it has no segments: want a linked program or library");
    image->segments = zeroed(count, sizeof(*image->segments));
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(image->program.elf, (int)i, &header) ||
            header.p_type != PT_LOAD || header.p_filesz == 0)
            continue;
        if (header.p_offset > file_size || header.p_filesz > file_size - header.p_offset)
            return wrong(image, "it is cut short: a segment reaches beyond its end");
        if (header.p_vaddr >> PLACE_SHIFT || header.p_filesz > UINT32_MAX)
            return wrong(image, "want a program for user mode: its addresses do not fit");
        image->segments[image->segment_count++] =
            (struct segment){ .at = header.p_vaddr,
                              .size = header.p_filesz,
                              .offset = header.p_offset,
                              .is_code = header.p_flags & PF_X };
    }
    return true;
}

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

static void read_build_id(struct image *image)
{
    size_t count = 0;
    GElf_Phdr header;

    elf_getphdrnum(image->program.elf, &count);
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(image->program.elf, (int)i, &header) && header.p_type == PT_NOTE)
            read_notes(image,
                       elf_getdata_rawchunk(
                           image->program.elf, (int64_t)header.p_offset, header.p_filesz,
                           header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
}

static bool read_image(struct image *image)
{
    size_t size;

    image->wrong = elf_program_open(&image->program, image->path);
    if (image->wrong)
        return false;
    if (image->program.has_32_bits)
        return wrong(image, "this is a program of 32 bits; audit reads those of 64");
    if (!elf_rawfile(image->program.elf, &size) || !read_segments(image, size))
        return image->wrong ? false : wrong(image, "it cannot be read");
    read_build_id(image);
    elf_names(&image->names, &image->program, image->place);
    names_sort(&image->names);
    return true;
}

/* Lists the code of all images, as code.c wants it. */
static void lay_out(struct images *images)
{
    size_t count = 0;

    code_free(&images->code);
    free(images->places);
    free(images->workloads);
    for (size_t i = 0; i < images->count; i++)
        count += images->at[i].segment_count;
    images->places = zeroed(count + 1, sizeof(*images->places));
    images->workloads = zeroed(count + 1, sizeof(*images->workloads));
    count = 0;
    for (size_t i = 0; i < images->count; i++) {
        const struct image *image = &images->at[i];
        size_t size;
        const char *bytes = elf_rawfile(image->program.elf, &size);

        for (size_t s = 0; s < image->segment_count; s++) {
            const struct segment *segment = &image->segments[s];

            if (!segment->is_code)
                continue;
            images->workloads[count] =
                (struct workload){ .name = image->name,
                                   .code = (const uint8_t *)bytes + segment->offset,
                                   .size = (uint32_t)segment->size };
            images->places[count] = (struct loaded){ .own = &images->workloads[count],
                                                     .at = image->place + segment->at };
            count++;
        }
    }
    code_at_places(&images->code, images->places, count);
    free(images->by_text);
    images->by_text = NULL;
    images->by_text_count = 0;
}

static void image_free(struct image *image)
{
    names_free(&image->names);
    elf_program_close(&image->program);
    free(image->segments);
    free(image->path);
    free(image->given);
}

/* Reads one more file into its range of places; `lay_out` is still to come. */
static struct image *add(struct images *images, const char *given)
{
    struct image *image;

    images->at = grow(images->at, &images->capacity, images->count, sizeof(*images->at));
    image = &images->at[images->count++];
    *image = (struct image){ .program = { .file = -1 },
                             .given = format_text("%s", given),
                             .place = (uint64_t)images->count << PLACE_SHIFT };
    if (images->count > IMAGES_MAX)
        image->wrong = "too many files";
    return image;
}

static void read_one(struct image *image)
{
    image->name = strrchr(image->path, '/') ? strrchr(image->path, '/') + 1 : image->path;
    if (!image->wrong)
        read_image(image);
}

bool images_read(struct images *images, const char *const *files, size_t count)
{
    *images = (struct images){ .count = 0 };
    for (size_t i = 0; i < count; i++) {
        struct image *image = add(images, files[i]);

        if (!elf_given(files[i], &image->path, &image->load, &image->has_load))
            return false;
        read_one(image);
        if (!image->wrong)
            continue;
        fprintf(stderr, "everybranch: %s: %s\n", image->given, image->wrong);
        return false;
    }
    lay_out(images);
    return true;
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

static char *why_not(const struct image *image, struct span build_id)
{
    if (image->wrong)
        return format_text("%s", image->wrong);
    if (!image->build_id[0])
        return format_text("it has no build-id");
    if (!image_is_build(image, build_id))
        return format_text("its build-id is %s, and that of the trace is %.*s",
                           image->build_id, SPAN(build_id));
    return NULL;
}

char *images_add(struct images *images, const char *path, struct span build_id)
{
    struct image *image;
    struct stat about;
    char *why;

    if (stat(path, &about) != 0)
        return format_text("%s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return format_text("it is no regular file");
    if (!build_id.length)
        return format_text("the trace has no build-id of it (perf record --buildid-mmap)");
    image = add(images, path);
    image->path = format_text("%s", path);
    read_one(image);
    why = why_not(image, build_id);
    if (why) {
        image_free(image);
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
        image_free(&images->at[i]);
    free(images->at);
    free(images->places);
    free(images->workloads);
    free(images->by_text);
    *images = (struct images){ .count = 0 };
}

static int by_text(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int order = strcmp(x->text, y->text);

    return order ? order : (x->begin > y->begin) - (x->begin < y->begin);
}

static void sort_by_text(struct images *images)
{
    size_t count = 0;

    for (size_t i = 0; i < images->count; i++)
        count += images->at[i].names.count;
    images->by_text = zeroed(count + 1, sizeof(*images->by_text));
    for (size_t i = 0; i < images->count; i++) {
        const struct names *names = &images->at[i].names;

        if (names->count)
            memcpy(images->by_text + images->by_text_count, names->at,
                   names->count * sizeof(*names->at));
        images->by_text_count += names->count;
    }
    qsort(images->by_text, count, sizeof(*images->by_text), by_text);
}

static int compare(struct span name, const char *text)
{
    int order = strncmp(name.at, text, name.length);

    return order ? order : text[name.length] ? -1 : 0;
}

bool images_find(void *of, struct span name, uint64_t *place)
{
    struct images *images = of;
    size_t low = 0, high;

    if (!images->by_text)
        sort_by_text(images);
    high = images->by_text_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(name, images->by_text[middle].text) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == images->by_text_count || compare(name, images->by_text[low].text) != 0)
        return false;
    *place = images->by_text[low].begin;
    for (size_t i = low + 1;
         i < images->by_text_count && compare(name, images->by_text[i].text) == 0; i++)
        if (images->by_text[i].begin != *place)
            return false;
    return true;
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
