/* portable.h.  The tag is the highest byte, which is 00 or FF in a canonical address. */
#include "portable.h"

#define TAG_SHIFT    56
#define TAG_WORKLOAD 1ull
#define TAG_CALLER   2ull
#define TAG_IMAGE    3ull
#define TAG_LAST     TAG_IMAGE
#define OFFSET_MASK  ((1ull << TAG_SHIFT) - 1)

static uint64_t tagged(uint64_t tag, uint64_t offset)
{
    return tag << TAG_SHIFT | offset;
}

static bool looks_tagged(uint64_t address)
{
    return address >> TAG_SHIFT >= TAG_WORKLOAD && address >> TAG_SHIFT <= TAG_LAST;
}

static uint64_t from_address(const struct log_map *map, uint64_t address, uint64_t caller)
{
    if (address == caller)
        return tagged(TAG_CALLER, 0);
    if (address - map->workload_at < map->workload->size)
        return tagged(TAG_WORKLOAD, address - map->workload_at);
    if (address - map->image_at < map->image_size)
        return tagged(TAG_IMAGE, address - map->image_at);
    return address;
}

static uint64_t to_address(const struct log_map *map, uint64_t portable, uint64_t caller)
{
    uint64_t offset = portable & OFFSET_MASK;
    switch (portable >> TAG_SHIFT) {
    case TAG_CALLER:
        return caller;
    case TAG_WORKLOAD:
        return map->workload_at + offset;
    case TAG_IMAGE:
        return map->image_at + offset;
    default:
        return portable;
    }
}

bool portable_from(const struct log_map *map, const struct branch *in, struct branch *out)
{
    *out = (struct branch){ from_address(map, in->from, map->call),
                            from_address(map, in->to, map->back), in->info };
    return !looks_tagged(in->from) && !looks_tagged(in->to);
}

void portable_to(const struct log_map *map, const struct branch *in, struct branch *out)
{
    *out = (struct branch){ to_address(map, in->from, map->call),
                            to_address(map, in->to, map->back), in->info };
}
