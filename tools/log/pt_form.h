/*
 * What the packets of Processor Trace show without any code: packets of a kind that was not
 * switched on, the forms of boundaries and overflows, and how many TNT bits are 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What follows an OVF packet. */
enum pt_after { PT_AFTER_NOTHING, PT_AFTER_PLACE, PT_AFTER_END, PT_AFTER_OTHER };

struct pt_form {
    uint64_t size;         /* of all bytes                                              */
    uint64_t fits;         /* bytes from the first one on that are packets              */
    bool cut;              /* only the last packet is not whole                         */
    const char *off;       /* the first packet that was not switched on; NULL: none     */
    uint64_t off_at;       /* its offset                                                */
    uint64_t psbs;         /* boundaries                                                */
    uint64_t last_psb;     /* offset of the last one                                    */
    bool psb_fup;          /* one before TIP.PGE has FUP                                */
    bool psb_open;         /* one has no PSBEND...                                      */
    uint64_t psb_open_at;  /* ...and is followed by the packet at this offset           */
    const char *misplaced; /* before an overflow, why a packet cannot be here; or NULL   */
    uint64_t misplaced_at; /* its offset                                                */
    uint64_t begins;       /* TIP.PGE                                                   */
    uint64_t overflows;
    uint64_t ovf_at;     /* offset of the first OVF...                                */
    uint64_t ovf_psb;    /* ...and of the PSB that follows it; 0: another packet does */
    bool is_on;          /* the last TIP.PGE has no TIP.PGD                           */
    uint64_t not_taken;  /* TNT bits of conditional branches that were not taken      */
    enum pt_after after; /* the first OVF: FUP, TIP.PGE or PSB; TIP.PGD; another      */
    uint64_t idle;       /* bytes of packets that are of no branch                    */
};

/* Packets of time, power and data, and of transactions, are not switched on. */
struct pt_form pt_form_of(const uint8_t *bytes, size_t size);
