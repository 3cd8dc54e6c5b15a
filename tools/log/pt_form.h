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
    bool psb_fup;          /* one before TIP.PGE has FUP...                             */
    uint64_t psb_least;    /* ...and of those with an address, the lowest...            */
    uint64_t psb_most;     /* ...and the highest; 0: there is none                      */
    bool psb_open;         /* one has no PSBEND...                                      */
    uint64_t psb_open_at;  /* ...and is followed by the packet at this offset           */
    bool psb_cut;          /* the packets end within one                                */
    const char *misplaced; /* before an overflow, why a packet cannot be here; or NULL   */
    uint64_t misplaced_at; /* its offset                                                */
    uint64_t begins;       /* TIP.PGE                                                   */
    uint64_t overflows;
    uint64_t ovf_at;     /* offset of the first OVF...                                */
    uint64_t ovf_psb;    /* ...and of the PSB that follows it; 0: another packet does */
    bool is_on;          /* the last TIP.PGE has no TIP.PGD                           */
    uint64_t not_taken;  /* TNT bits of conditional branches that were not taken      */
    uint64_t ended_at;   /* the packet after the last TIP.PGD, PAD aside; 0: none     */
    uint64_t soon;       /* PSBs less than PT_PSB_NEAR bytes after another...         */
    uint64_t soon_at;    /* ...and the offset of the last one                         */
    uint64_t vmcs_at;    /* the first VMCS packet; 0: none                            */
    uint64_t compat_at;  /* the first MODE.Exec of other than 64-bit code; 0: none    */
    uint64_t cr3;        /* in the first PIP...                                       */
    bool has_cr3;        /* ...if there is one                                        */
    uint64_t other_at;   /* the first PIP that has another; 0: none                   */
    enum pt_after after; /* the first OVF: FUP, TIP.PGE or PSB; TIP.PGD; another      */
    uint64_t idle;       /* bytes of packets that are of no branch                    */
};

/* Half of the shortest period of PSB, of which the manual says that it is approximate. */
#define PT_PSB_NEAR 1024

/* Packets of time, power and data, and of transactions, are not switched on. */
struct pt_form pt_form_of(const uint8_t *bytes, size_t size);
