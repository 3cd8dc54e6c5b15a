/*
 * A stream of Intel Processor Trace packets, decoded by libipt against the code that ran.
 *
 * Packets hold one bit for each conditional branch and the target of each indirect one. All
 * else is in the code, so libipt walks the code from one packet to the next, and pt_walk()
 * reports the branches that it passes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pt_what {
    PT_TAKEN,     /* a branch, from `from` to `to`                                   */
    PT_NOT_TAKEN, /* a conditional branch at `from` that went straight on            */
    PT_EVENT,     /* an interrupt or exception at `from` led to `to`                 */
    PT_BEGIN,     /* packets begin or go on at `to`                                  */
    PT_END,       /* packets end after `from`; `to`: where it went, or PT_NOWHERE    */
    PT_OVERFLOW,  /* the processor lost packets, and goes on at `to`                 */
    PT_NO_FUP,    /* a software interrupt at `from` has no FUP: its branch follows   */
    PT_NO_CODE,   /* there is no code at `to`: what follows is lost up to a PSB      */
    PT_WRONG,     /* packets and code do not fit: the same loss                      */
};
#define PT_NOWHERE UINT64_MAX

struct pt_found {
    enum pt_what what;
    uint64_t from, to;
    uint64_t offset; /* about where in the stream: libipt reads ahead     */
    const char *why; /* of PT_WRONG, in libipt's words                    */
};

/* Errata that decoding must know of, named as libipt names them; and FUP of INT n. */
enum pt_erratum { PT_BDM70, PT_SKD010, PT_APL11, PT_APL12, PT_FUP_NEXT, PT_ERRATA };

struct pt_user {
    /* Copies up to `size` bytes of the code at `at`; returns how many there are. */
    size_t (*read)(void *of, uint64_t at, uint8_t *out, size_t size);
    /* True: the code at `at` is of 32 bits.  NULL: nobody knows. */
    bool (*is_compat)(void *of, uint64_t at);
    void (*found)(void *of, const struct pt_found *);
    void *of;
    bool errata[PT_ERRATA]; /* of the processor, whatever libipt knows of it */
};

/* What the packets say without any code. */
struct pt_packets {
    uint64_t psbs;      /* packet stream boundaries, at which decoding can begin */
    uint64_t packets;   /* of all kinds except padding                           */
    uint64_t taken;     /* TNT bits, which are of conditional branches...        */
    uint64_t not_taken; /* ...and of returns that go where their call was        */
    uint64_t targets;   /* TIP: indirect and far branches, and events            */
    uint64_t overflows;
    uint64_t padding, skipped; /* bytes; skipped: before the first PSB           */
    uint64_t wrong;            /* packets that no manual lists...                */
    uint64_t wrong_at;         /* ...and the offset of the first                 */
};
struct pt_packets pt_count(const uint8_t *bytes, size_t size);

/* Reports everything from the first PSB on.  False: there is no PSB. */
bool pt_walk(const uint8_t *bytes, size_t size, const struct pt_user *);
