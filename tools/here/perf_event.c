/* perf_event.h */
#include "perf_event.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "call.h"

#define PAGE         4096u
#define BUFFER_BYTES (8 * PAGE) /* a power of two pages, by perf_event_open(2) */

static bool map_buffers(struct perf_event *event, size_t aux)
{
    void *at =
        mmap(NULL, PAGE + BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, event->fd, 0);

    if (at == MAP_FAILED)
        return false;
    event->page = at;
    if (!aux)
        return true;
    event->page->aux_offset = PAGE + BUFFER_BYTES;
    event->page->aux_size = aux;
    at =
        mmap(NULL, aux, PROT_READ | PROT_WRITE, MAP_SHARED, event->fd, PAGE + BUFFER_BYTES);
    event->aux = at == MAP_FAILED ? NULL : at;
    return event->aux;
}

bool perf_event_open_own(struct perf_event *event, struct perf_event_attr *attr,
                         bool buffer, size_t aux, struct attempt *attempt)
{
    attr->size = sizeof(*attr);
    attr->disabled = true;
    attr->exclude_kernel = true;
    attr->exclude_hv = true;
    *event = (struct perf_event){ .fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, -1,
                                                     PERF_FLAG_FD_CLOEXEC) };
    if (event->fd < 0) {
        attempt_refuse(attempt, "perf_event_open");
        return false;
    }
    if (buffer && !map_buffers(event, aux)) {
        attempt_refuse(attempt, "mmap of its buffer");
        return false;
    }
    return true;
}

/* What is mapped goes with the process. */
void perf_event_close(struct perf_event *event)
{
    close(event->fd);
}

static long switches(void)
{
    struct rusage usage;

    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

void perf_event_call(const struct perf_event *event, struct attempt *attempt,
                     const struct traced_code *code)
{
    struct call_gate gate = {
        .open = { SYS_ioctl, (uint64_t)event->fd, PERF_EVENT_IOC_ENABLE },
        .close = { SYS_ioctl, (uint64_t)event->fd, PERF_EVENT_IOC_DISABLE },
    };
    const long before = switches();
    const uint64_t begin = __rdtsc();

    call_traced(code->at, attempt_env(), &gate);
    attempt->ticks = __rdtsc() - begin;
    attempt->interrupted = switches() != before;
    attempt->result = gate.result;
}

static void copy(const struct perf_event *event, uint64_t at, void *to, size_t size)
{
    const uint8_t *data = (const uint8_t *)event->page + PAGE;

    for (size_t i = 0; i < size; i++)
        ((uint8_t *)to)[i] = data[(at + i) % BUFFER_BYTES];
}

const struct perf_event_header *perf_event_next(const struct perf_event *event,
                                                uint64_t *at, void *room)
{
    const uint64_t head = __atomic_load_n(&event->page->data_head, __ATOMIC_ACQUIRE);
    struct perf_event_header header;

    if (head - *at < sizeof(header))
        return NULL;
    copy(event, *at, &header, sizeof(header));
    if (header.size < sizeof(header) || header.size > PERF_EVENT_RECORD_MAX ||
        header.size > head - *at)
        return NULL;
    copy(event, *at, room, header.size);
    *at += header.size;
    return room;
}
