/* judge.h */
#include "judge.h"

#include <stdlib.h>

struct whole {
    const struct workload *of;
    struct branch *at;
};

static struct branch *unpack_all(const struct workload *workload)
{
    struct branch *at = zeroed(workload->transfers, sizeof(*at));
    struct pack *unpack = zeroed(1, sizeof(*unpack));
    uint64_t count = 0;

    unpack_begin(unpack, workload->packed, (size_t)workload->packed_size);
    while (count < workload->transfers && unpack_next(unpack, &at[count]))
        count++;
    free(unpack);
    if (count == workload->transfers)
        return at;
    free(at);
    return NULL;
}

const struct branch *whole_truth(const struct workload *workload)
{
    static struct whole *known;
    static size_t count, room;

    if (!workload->packed)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (known[i].of == workload)
            return known[i].at;
    known = more_room(known, &room, count, sizeof(*known));
    known[count] = (struct whole){ workload, unpack_all(workload) };
    return known[count++].at;
}
