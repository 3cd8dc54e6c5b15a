/*
 * A set of addresses: as many as there are different ones, however often they come.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct addresses {
    void *tree; /* of search.h */
};
void addresses_add(struct addresses *, uint64_t);
bool addresses_have(const struct addresses *, uint64_t);
void addresses_free(struct addresses *);
