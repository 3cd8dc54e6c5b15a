/*
 * libipt walks the code of the given files, so each branch that it reports is in one of
 * them.  The trace itself says, rightly or wrongly, which packets there are, which
 * conditional branches were taken, and where the indirect ones went.
 *
 * perf's file: Linux, tools/perf/Documentation/perf.data-file-format.txt, and
 * tools/lib/perf/include/perf/event.h.
 */
#include "reading.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "heap.h"
#include "pt_stream.h"

struct perf_header {
    char magic[8];
    uint64_t size, attr_size;
    uint64_t attrs[2], data[2]; /* each: offset in the file, bytes */
};

struct perf_record_header {
    uint32_t type;
    uint16_t misc, size;
};
#define EVENT_MMAP       1
#define EVENT_MMAP2      10
#define EVENT_AUXTRACE   71
#define EVENT_COMPRESSED 81
#define MISC_BUILD_ID    (1 << 14) /* of EVENT_MMAP2: a build-id instead of an inode */

struct perf_mmap {
    struct perf_record_header event;
    uint32_t pid, tid;
    uint64_t start, length, offset;
};
struct perf_mmap2 {
    struct perf_mmap as_mmap;
    uint8_t build_id_size, reserved[3], build_id[20];
    uint32_t prot, flags;
};
struct perf_auxtrace { /* a piece of a buffer: its bytes follow */
    struct perf_record_header event;
    uint64_t bytes, offset, reference;
    uint32_t index, tid, cpu, reserved;
};

/* The trace at hand, as libipt is given it. */
struct pt_trace {
    struct audit *audit;
    const uint8_t *bytes; /* of the file */
    size_t size;
    const struct perf_auxtrace **pieces; /* of perf's file */
    size_t piece_count, piece_capacity;
    size_t begin; /* of the buffer at hand, in the file */
};

/* Copies code of the given files; the copy ends where a segment does. */
static size_t read_code(void *of, uint64_t at, uint8_t *out, size_t size)
{
    struct audit *audit = ((struct pt_trace *)of)->audit;
    uint64_t place = maps_place(&audit->maps, 0, at);
    const struct loaded *loaded = place_is_code(&audit->images, place)
                                      ? code_owner(&audit->images.code, place)
                                      : NULL;
    uint64_t offset = loaded ? place - loaded->at : 0;

    if (!loaded) {
        maps_count_outside(&audit->maps, place, 1);
        return 0;
    }
    if (size > loaded->own->size - offset)
        size = (size_t)(loaded->own->size - offset);
    memcpy(out, loaded->own->code + offset, size);
    return size;
}

static void take(void *of, const struct pt_found *found)
{
    struct pt_trace *trace = of;
    struct audit *audit = trace->audit;
    struct traced_branch branch = { .from = found->from, .to = found->to, .times = 1 };

    switch (found->what) {
    case PT_TAKEN:
        audit->checked[RULE_PATH]++;
        audit_next(audit, 0, &branch);
        return;
    case PT_NOT_TAKEN:
        audit->checked[RULE_PATH]++;
        audit->pt.not_taken++;
        return;
    case PT_WRONG:
        audit->checked[RULE_PATH]++;
        found_in_stream(audit, FOUND_PATH, trace->begin + found->offset, found->from,
                        found->why);
        break;
    case PT_EVENT: /* its handler may be anywhere */
        audit->records++;
        audit->left_out[LEFT_EVENTS]++;
        break;
    case PT_NO_CODE:
        audit->pt.no_code++;
        break;
    default:
        break;
    }
    audit_gap(audit);
}

/* Audits the packets of one buffer, which begins at `begin` of the file. */
static void take_buffer(struct pt_trace *trace, const uint8_t *bytes, size_t size,
                        size_t begin)
{
    const struct pt_user user = {
        .read = read_code, .found = take, .of = trace, .errata = { [PT_BDM70] = true }
    };
    struct pt_packets packets = pt_count(bytes, size);
    struct audit *audit = trace->audit;

    trace->begin = begin;
    audit->pt.buffers++;
    audit->pt.bytes += size;
    audit->pt.skipped += packets.skipped;
    audit->pt.psbs += packets.psbs;
    audit->pt.bits += packets.taken + packets.not_taken;
    audit->pt.targets += packets.targets;
    audit->pt.overflows += packets.overflows;
    audit->checked[RULE_PACKET] += packets.packets + packets.wrong;
    for (uint64_t i = 0; i < packets.wrong; i++)
        found_in_stream(audit, FOUND_PACKET, begin + packets.wrong_at, UINT64_MAX,
                        "the first such place");
    if (audit->images.count)
        pt_walk(bytes, size, &user);
    audit_gap(audit);
}

static bool take_map(struct pt_trace *trace, const struct perf_record_header *event)
{
    const struct perf_mmap *mmap = (const void *)event;
    const struct perf_mmap2 *mmap2 = (const void *)event;
    bool is_second = event->type == EVENT_MMAP2;
    size_t header = is_second ? sizeof(*mmap2) : sizeof(*mmap);
    const char *path = (const char *)event + header;
    char id[2 * sizeof(mmap2->build_id) + 1] = "", *why = NULL;
    struct perf_map map;

    if (event->size <= header || !memchr(path, '\0', event->size - header))
        return trace_unusable(trace->audit, "a record of a mapped file is cut short");
    for (size_t i = 0; is_second && event->misc & MISC_BUILD_ID &&
                       i < mmap2->build_id_size && i < sizeof(mmap2->build_id);
         i++)
        snprintf(id + 2 * i, 3, "%02x", mmap2->build_id[i]);
    map = (struct perf_map){ .pid = mmap->pid,
                             .start = mmap->start,
                             .length = mmap->length,
                             .offset = mmap->offset,
                             .build_id = { id, strlen(id) },
                             .path = { path, strlen(path) } };
    if (maps_add(&trace->audit->maps, &map, &why))
        return true;
    trace_unusable(trace->audit, why);
    free(why);
    return false;
}

/* True if `left` bytes hold the whole record and the bytes after it; perf pads both to 8.
 */
static bool is_whole(const struct perf_record_header *event, uint64_t left)
{
    const struct perf_auxtrace *piece = (const void *)event;

    if (event->size < sizeof(*event) || event->size > left || event->size % 8)
        return false;
    return event->type != EVENT_AUXTRACE ||
           (event->size >= sizeof(*piece) && piece->bytes <= left - event->size &&
            piece->bytes % 8 == 0);
}

/* Takes the mapped files, and lists the pieces of buffers. */
static bool take_records(struct pt_trace *trace, uint64_t at, uint64_t end)
{
    struct audit *audit = trace->audit;
    const struct perf_record_header *event;

    for (; at <= end && end - at >= sizeof(*event); at += event->size) {
        event = (const void *)(trace->bytes + at);
        if (!is_whole(event, trace->size - at))
            return trace_unusable(audit, "a record of perf's file is cut short");
        if (event->type == EVENT_COMPRESSED)
            return trace_unusable(
                audit, "its records are compressed: record without perf record -z");
        if ((event->type == EVENT_MMAP || event->type == EVENT_MMAP2) &&
            !take_map(trace, event))
            return false;
        if (event->type == EVENT_AUXTRACE) {
            const struct perf_auxtrace *piece = (const void *)event;

            at += piece->bytes;
            if (!piece->bytes)
                continue;
            trace->pieces =
                arena_grow(&audit->images.memory, trace->pieces, &trace->piece_capacity,
                           trace->piece_count, sizeof(struct perf_auxtrace *));
            trace->pieces[trace->piece_count++] = piece;
        }
    }
    return true;
}

/* By processor or thread, and then as they follow each other. */
static int by_offset(const void *a, const void *b)
{
    const struct perf_auxtrace *first = *(const struct perf_auxtrace *const *)a;
    const struct perf_auxtrace *second = *(const struct perf_auxtrace *const *)b;

    if (first->index != second->index)
        return first->index < second->index ? -1 : 1;
    if (first->offset != second->offset)
        return first->offset < second->offset ? -1 : 1;
    return first < second ? -1 : first > second; /* as in the file */
}

static bool continues(const struct perf_auxtrace *piece, const struct perf_auxtrace *before)
{
    return piece->index == before->index && piece->offset == before->offset + before->bytes;
}

/*
 * Takes the buffer that begins with the nth of the sorted pieces; returns the first piece
 * after it.  perf writes a buffer out in pieces; one that continues the one before belongs
 * to the same stream, and a packet can begin in one and end in the other.
 */
static size_t take_pieces(struct pt_trace *trace, size_t n)
{
    const struct perf_auxtrace *const *pieces = trace->pieces;
    const uint8_t *begin = (const uint8_t *)pieces[n] + pieces[n]->event.size;
    size_t end = n + 1, size = 0;
    uint8_t *bytes;

    while (end < trace->piece_count && continues(pieces[end], pieces[end - 1]))
        end++;
    bytes = zeroed(pieces[end - 1]->offset + pieces[end - 1]->bytes - pieces[n]->offset, 1);
    for (; n < end; n++) {
        memcpy(bytes + size, (const uint8_t *)pieces[n] + pieces[n]->event.size,
               pieces[n]->bytes);
        size += pieces[n]->bytes;
    }
    take_buffer(trace, bytes, size, (size_t)(begin - trace->bytes));
    free(bytes);
    return end;
}

static bool take_perf_file(struct pt_trace *trace)
{
    const struct perf_header *header = (const void *)trace->bytes;

    if (trace->size < sizeof(*header) || header->size < sizeof(*header))
        return trace_unusable(trace->audit,
                              "want a perf.data that perf wrote to a file, not to a "
                              "pipe");
    if (header->data[0] > trace->size || header->data[1] > trace->size - header->data[0] ||
        header->data[0] % 8)
        return trace_unusable(trace->audit,
                              "it is cut short: its records reach beyond its end");
    if (!take_records(trace, header->data[0], header->data[0] + header->data[1]))
        return false;
    if (trace->piece_count)
        qsort(trace->pieces, trace->piece_count, sizeof(void *), by_offset);
    for (size_t i = 0; i < trace->piece_count;)
        i = take_pieces(trace, i);
    return trace->audit->pt.buffers ||
           trace_unusable(trace->audit,
                          "it has no Processor Trace: perf record -e intel_pt// "
                          "records it");
}

static bool take_file(struct pt_trace *trace)
{
    if (trace->size >= 8 && memcmp(trace->bytes, "PERFILE2", 8) == 0) {
        if (!take_perf_file(trace))
            return false;
    } else {
        take_buffer(trace, trace->bytes, trace->size, 0);
    }
    if (!trace->audit->pt.psbs && is_packed(trace->audit, trace->bytes, trace->size))
        return false;
    return trace->audit->pt.psbs ||
           trace_unusable(
               trace->audit,
               "it has no packet stream boundary (PSB): want the bytes of an Intel PT "
               "trace buffer, or a perf.data that has them");
}

bool pt_trace_read(struct audit *audit)
{
    struct pt_trace trace = { .audit = audit };
    int file = open(audit->file, O_RDONLY | O_CLOEXEC);
    struct stat about;
    void *bytes;

    if (file < 0 || fstat(file, &about) != 0)
        return trace_unusable(audit, strerror(errno));
    if (about.st_size == 0)
        return trace_unusable(audit, "it is empty");
    bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        return trace_unusable(audit, strerror(errno));
    close(file);
    trace.bytes = bytes;
    trace.size = (size_t)about.st_size;
    return take_file(&trace);
}
