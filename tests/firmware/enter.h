/* Calls a function as firmware may call it: on any stack, with any flags. */
#pragma once

#include <efi.h>

struct call {
    UINT64 function, arguments[2];
    UINT64 stack; /* its end; 0: the caller's */
    UINT64 rflags, after;
    UINT64 xmm[20], xmm_after[20]; /* xmm6 to xmm15 */
};

UINT64 enter(struct call *);

/* For gates of an IDT, and how often they were gone through. */
void enter_db(void);
void enter_nmi(void);
extern UINT64 enter_stops, enter_nmis;

/* Sends itself an NMI, and leaves NMIs blocked. */
void enter_block_nmis(volatile UINT32 *icr, UINT32 command);

/* The upper halves of ymm6 to ymm15, 16 bytes each. */
void enter_set_uppers(const UINT64 *);
void enter_get_uppers(UINT64 *);

/* Does nothing: an address for a breakpoint. */
void enter_watched(void);
