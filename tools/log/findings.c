#include "findings.h"

#include <stdlib.h>

#include "count_of.h"
#include "heap.h"
#include "parsed.h"

void complain(struct log *log, struct complaint complaint)
{
    log->findings.complaints =
        grow(log->findings.complaints, &log->findings.complaint_capacity,
             log->findings.complaint_count, sizeof(*log->findings.complaints));
    log->findings.complaints[log->findings.complaint_count++] = complaint;
}

bool complaints_of_one(const struct complaint *a, const struct complaint *b)
{
    return a->other && b->other && a->method == b->method && a->subject == b->subject &&
           a->processor == b->processor && a->filter == b->filter;
}

void context_free(struct context *c)
{
    for (size_t i = 0; c && i < COUNT_OF(c->rows); i++) {
        free(c->rows[i].got);
        free(c->rows[i].want);
    }
    free(c);
}
