/*
 * Several processors, each with page tables and static data of its own, and the memory in
 * which alone they meet.
 *
 * In a round all who take part arm their recorders, wait for each other, open their windows
 * and wait again: nobody reads what was recorded while another's window is open.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "handoff.h"

/* The stages of a participant in a round, in this order. */
enum stage { STAGE_NONE, STAGE_ARMED, STAGE_BACK, STAGE_DONE };

/* A processor, as all of them see it. */
struct participant {
    uint32_t apic;
    uint32_t stage;
    uint32_t asleep; /* until it is woken */
    uint32_t gone;   /* it gave up, or does not come: nobody waits for it */
    bool takes_part; /* in this round                                      */
};

struct barrier {
    uint32_t tickets, wanted; /* of those who come in: how many have, and may */
    struct participant *at[SETTING_PROCESSORS_MAX]; /* 0: the first processor */
    size_t count;
    uint32_t armed, open; /* recorders and windows, at this instant */
    uint32_t patience;    /* seconds that one run may take; 0: for ever */
};

/* Makes the calling processor this participant.  Interrupts are off. */
void barrier_join(struct barrier *, struct participant *);

/* Begins a round, on the BSP; does nothing if there is no barrier. */
void barrier_begin(void);

/*
 * Called around a window: each waits until all participants have come as far.
 * barrier_back() returns how many recorders were armed while this one was, at least; 0 if
 * there is no barrier.
 */
void barrier_armed(void);
uint32_t barrier_back(void);

/* By the first one, which may take no part: waits until all who do have come as far. */
void barrier_wait(enum stage);

/* This one has come as far, and whoever waits for that is told. */
void barrier_reach(enum stage);

/* Sleeps until a word is no longer what it was.  Who changes it wakes the sleeper. */
void barrier_sleep(const uint32_t *word, uint32_t was);
void barrier_wake(struct participant *);
