/*
 * A set of addresses: as many as there are different ones, however often they come.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct addresses {
    uint64_t *at; /* a table by hash, at most half full, of inverted addresses; 0: none */
    size_t count, capacity;
};
void addresses_add(struct addresses *, uint64_t); /* not all ones, which is no address */
bool addresses_have(const struct addresses *, uint64_t);
void addresses_free(struct addresses *);
