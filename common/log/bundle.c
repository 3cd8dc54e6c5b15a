/*
 * bundle.h.  The file may be anybody's: every field is looked at before it is used.
 */
#include "bundle.h"

#include <stdbool.h>

#include "log.h"
#include "text.h"

#define NAME_MAX  31 /* as in workload.inc */
#define ABOUT_MAX 100
#define PARTS_MAX 64
#define FLAGS_KNOWN                                                                       \
    (WORKLOAD_RING0 | WORKLOAD_LOW | WORKLOAD_NOT_STOCK | WORKLOAD_APIC | WORKLOAD_MANY | \
     WORKLOAD_X2APIC | WORKLOAD_HITS)

#define VERSION 6 /* its place in the magic */
static const char magic[8] = { 'E', 'B', 'W', 'O', 'R', 'K', '2', '\n' };

/* The bytes after the head. */
struct body {
    const uint8_t *at;
    size_t size;
};

struct bundle_head bundle_head(const void *bytes, size_t size)
{
    struct bundle_head head = { .size = (uint32_t)size, .crc = log_crc32(0, bytes, size) };
    for (size_t i = 0; i < sizeof(magic); i++)
        head.magic[i] = magic[i];
    return head;
}

static const char *check_head(const struct bundle_head *head, size_t size)
{
    if (size < sizeof(*head) + sizeof(struct workload))
        return "the file is too short for a bundle";
    for (size_t i = 0; i < sizeof(magic); i++)
        if (head->magic[i] != magic[i])
            return i == VERSION ? "it is a bundle of another version: pack it again"
                                : "it is not a bundle: `everybranch pack` makes them";
    if (size > BUNDLE_MAX)
        return "the file is larger than 64 KiB";
    if (head->size != size - sizeof(*head))
        return "its size is not what its head says: it was cut short, or joined";
    if (head->crc != log_crc32(0, head + 1, head->size))
        return "its checksum is wrong: the file is damaged";
    return NULL;
}

/* Is [offset, offset + bytes) inside the body, and so aligned? */
static bool inside(const struct body *body, uint64_t offset, uint64_t bytes, size_t align)
{
    return offset <= body->size && bytes <= body->size - offset && offset % align == 0;
}

/* The pointers in a file are distances. */
static uint64_t distance(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_name(char c)
{
    return is_alphanumeric(c) || c == '_';
}

static bool is_label(char c)
{
    return is_name(c) || c == '.' || c == '$' || c == '#' || c == '@' || c == '?';
}

static bool is_prose(char c)
{
    return c >= ' ' && c <= '~' && c != '"';
}

/* Text of 1 to `most` characters of a kind, with its NUL. */
static bool is_text(const char *text, size_t most, bool (*good)(char))
{
    size_t length = 0;
    while (length <= most && text[length])
        if (!good(text[length++]))
            return false;
    return length > 0 && length <= most;
}

static bool text_inside(const struct body *body, const char *at, size_t most,
                        bool (*good)(char))
{
    uint64_t offset = distance(at);
    for (size_t length = 1; length <= most + 1 && inside(body, offset, length, 1); length++)
        if (!body->at[offset + length - 1])
            return is_text((const char *)body->at + offset, most, good);
    return false;
}

static const char *check_struct(const struct body *body, const struct workload *w)
{
    if (!text_inside(body, w->name, NAME_MAX, is_name))
        return "its name is not 1 to 31 letters, digits and _";
    if (!text_inside(body, w->about, ABOUT_MAX, is_prose))
        return "what it is about is not 1 to 100 printable characters without quotes";
    if (w->size == 0 || !inside(body, distance(w->code), w->size, 1))
        return "its code does not lie in the file";
    if (w->rows == 0 || w->rows > BUNDLE_ROWS_MAX)
        return "its expectation has no rows, or more than 512";
    if (!inside(body, distance(w->expect), w->rows * sizeof(struct taken), 4))
        return "its expectation does not lie in the file";
    if (w->stub_count > STUB_VECTORS ||
        !inside(body, distance(w->stubs), w->stub_count * sizeof(struct stub), 4))
        return "its stubs do not lie in the file";
    if (w->part_count > PARTS_MAX ||
        !inside(body, distance(w->parts), w->part_count * sizeof(struct part), 4))
        return "its parts do not lie in the file";
    if (w->flags & ~(uint32_t)FLAGS_KNOWN)
        return "it has flags that are not known";
    if (w->packed || w->packed_size || w->transfers || w->result)
        return "it has a packed trace, which only programs in C have";
    return NULL;
}

/* Both kinds of SYSCALL go where one register says. */
static uint32_t register_of(uint32_t vector)
{
    return vector == STUB_SYSCALL_TF ? STUB_SYSCALL : vector;
}

static const char *check_stubs(const struct workload *w)
{
    if (w->stub_count && !(w->flags & WORKLOAD_RING0))
        return "it has stubs without RING0";
    for (uint32_t i = 0; i < w->stub_count; i++) {
        if (w->stubs[i].vector >= STUB_VECTORS)
            return "a stub has a vector that does not exist";
        if (w->stubs[i].offset >= w->size)
            return "a stub lies outside of the code";
        for (uint32_t other = 0; other < i; other++)
            if (register_of(w->stubs[other].vector) == register_of(w->stubs[i].vector))
                return "two stubs have one vector";
    }
    return NULL;
}

static const char *check_part(const struct workload *w, const struct part *part)
{
    if (!(part->flags & PART_RING3) || part->flags & ~(PART_RING3 | PART_COMPAT))
        return "a part is neither of ring 3 nor of 32 bits there";
    if (part->base && !(part->flags & PART_COMPAT && part->base == PART_BASE))
        return "a part has a base that no segment has";
    if (part->flags & PART_COMPAT && !(w->flags & WORKLOAD_LOW))
        return "it has code of 32 bits without LOW";
    return NULL;
}

static const char *check_parts(const struct workload *w)
{
    uint32_t end = 0;
    const char *wrong = NULL;
    if (w->part_count && !(w->flags & WORKLOAD_RING0))
        return "it has parts without RING0";
    for (uint32_t i = 0; i < w->part_count && !wrong; i++) {
        const struct part *part = &w->parts[i];
        if (part->begin < end || part->begin >= part->end || part->end > w->size)
            return "a part does not come after the one before it, or is not in the code";
        end = part->end;
        wrong = check_part(w, part);
    }
    return wrong;
}

/* An end of a row: in the code and with a label, or the caller. */
static bool good_end(const struct workload *w, int32_t offset, const char *label)
{
    if (!is_text(label, LABEL_SIZE - 1, is_label))
        return false;
    if (offset == CALLER)
        return text_same(label, "caller");
    return label[0] == '.' && offset >= 0 && (uint32_t)offset < w->size;
}

/* Does this label name one place in all rows up to this one? */
static bool one_place(const struct workload *w, uint32_t row, const char *label,
                      int32_t offset)
{
    for (uint32_t i = 0; i < row; i++) {
        const struct taken *other = &w->expect[i];
        if (other->kind >= KIND_COUNT)
            continue;
        if ((text_same(other->from_label, label) && other->from != offset) ||
            (text_same(other->to_label, label) && other->to != offset))
            return false;
    }
    return true;
}

static const char *check_transfer(const struct workload *w, uint32_t row)
{
    const struct taken *taken = &w->expect[row];
    if (taken->kind == KIND_NONE || taken->kind >= KIND_COUNT)
        return "a row has a kind that does not exist";
    if (taken->times == 0)
        return "a row happens no time";
    if (!good_end(w, taken->from, taken->from_label) ||
        !good_end(w, taken->to, taken->to_label))
        return "a row has an end that is neither a label in the code nor the caller";
    if (!one_place(w, row, taken->from_label, taken->from) ||
        !one_place(w, row, taken->to_label, taken->to))
        return "a label means two places";
    return NULL;
}

/* The position of the walk through nested groups: one level for each open group. */
struct nesting {
    struct {
        uint64_t transfers; /* in it so far */
        uint32_t times;
    } level[ROW_DEPTH_MAX + 1];
    size_t depth;
};

static bool add_transfers(struct nesting *nesting, uint64_t count)
{
    nesting->level[nesting->depth].transfers += count;
    return nesting->level[nesting->depth].transfers <= BUNDLE_TRANSFERS;
}

static const char *open_group(struct nesting *nesting, uint32_t times)
{
    if (nesting->depth == ROW_DEPTH_MAX)
        return "groups of rows are nested too deep";
    if (times == 0)
        return "a group of rows is repeated zero times";
    nesting->depth++;
    nesting->level[nesting->depth].transfers = 0;
    nesting->level[nesting->depth].times = times;
    return NULL;
}

static const char *close_group(struct nesting *nesting)
{
    if (nesting->depth == 0)
        return "a group of rows ends that never began";
    uint64_t inner = nesting->level[nesting->depth].transfers;
    if (inner == 0)
        return "a group of rows is empty";
    inner *= nesting->level[nesting->depth].times; /* 2^24 times 2^32 at most */
    nesting->depth--;
    return add_transfers(nesting, inner) ? NULL : "its rows make too many transfers";
}

static const char *check_rows(const struct workload *w)
{
    struct nesting nesting = { .depth = 0 };
    const char *wrong = NULL;
    for (uint32_t i = 0; i < w->rows && !wrong; i++) {
        const struct taken *row = &w->expect[i];
        if (row->kind == ROW_REPEAT)
            wrong = open_group(&nesting, row->times);
        else if (row->kind == ROW_END)
            wrong = close_group(&nesting);
        else if (!(wrong = check_transfer(w, i)) && !add_transfers(&nesting, row->times))
            wrong = "its rows make too many transfers";
    }
    return wrong ? wrong : nesting.depth ? "a group of rows does not end" : NULL;
}

const char *bundle_open(struct workload *out, const void *file, size_t size)
{
    const struct bundle_head *head = file;
    const char *wrong = check_head(head, size);
    if (wrong)
        return wrong;
    const struct body body = { (const uint8_t *)(head + 1), head->size };
    struct workload w = *(const struct workload *)body.at;
    wrong = check_struct(&body, &w);
    if (wrong)
        return wrong;
    w.name = (const char *)body.at + distance(w.name);
    w.about = (const char *)body.at + distance(w.about);
    w.code = body.at + distance(w.code);
    w.expect = (const struct taken *)(body.at + distance(w.expect));
    w.stubs = (const struct stub *)(body.at + distance(w.stubs));
    w.parts = (const struct part *)(body.at + distance(w.parts));
    wrong = check_stubs(&w);
    if (!wrong)
        wrong = check_parts(&w);
    if (!wrong)
        wrong = check_rows(&w);
    if (!wrong) /* a caller that gets an error gets no pointer into the file */
        *out = w;
    return wrong;
}
