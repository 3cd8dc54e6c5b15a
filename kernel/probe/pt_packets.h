/*
 * Packets of Processor Trace, counted by kind without any code.
 *
 * The probe compares what two traces of the same instructions hold.  Runs are decoded by
 * the host program alone, and made again if these counts show that packets were lost.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pt_packet_counts {
    size_t boundaries;     /* PSB...                                                    */
    size_t boundary_ends;  /* ...and PSBEND                                             */
    size_t overflows;      /* OVF: packets before it are lost                           */
    size_t bits;           /* of TNT: conditional branches and compressed returns       */
    size_t targets;        /* TIP                                                       */
    size_t begins, ends;   /* TIP.PGE and TIP.PGD                                       */
    size_t clocks, cycles; /* MTC and CYC                                               */
    uint16_t first_target; /* the low half of the address in the first TIP...           */
    uint16_t first_begin;  /* ...and in the first TIP.PGE                               */
    bool clock_repeats;    /* an MTC has the value of the MTC before it                 */
    bool wrong;            /* a packet is unknown, and no more is read                  */
};
struct pt_packet_counts pt_packets_count(const uint8_t *bytes, size_t size);
