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

/* Does nothing: an address for a breakpoint. */
void enter_watched(void);
