/*
 * The reasons for which a planned run is skipped, as codes of the log: `why=takes-db`, or
 * with what the reason is about, `why=lacks:bts`.  The sentence for each is here too: the
 * host program prints it.
 */
#pragma once

#include "text.h"

enum skip_code {
    SKIP_NOTHING, /* it runs */

    /* The machine. */
    SKIP_LACKS, /* :FACILITY */
    SKIP_DIED,  /* :LOG      */
    SKIP_LOST,
    SKIP_NO_APIC,
    SKIP_NO_XAPIC,
    SKIP_NO_X2APIC,
    SKIP_SMALL_STACK,
    SKIP_FILTER_DROPPED,

    /* The workload, with that method or on that processor. */
    SKIP_STOCK_QEMU,
    SKIP_ABOVE_4G,
    SKIP_NO_SYSENTER,
    SKIP_TAKES_DB,
    SKIP_TAKES_NMI,
    SKIP_TOO_LONG,
    SKIP_EXCEPTIONS,

    /* What options or a command ask for. */
    SKIP_THRESHOLD,
    SKIP_LIVELOCK,
    SKIP_NO_EVENT,     /* :NAME */
    SKIP_EVENT_DENIED, /* :NAME */
    SKIP_EVENT_NUMBER,

    /* The filter. */
    SKIP_NO_FILTER,
    SKIP_OWN_IRETQ,
    SKIP_LER_FAR,
    SKIP_LER_FILTER,
    SKIP_BTS_RING,
    SKIP_BTS_KIND,
    SKIP_PT_KIND,
    SKIP_LBR_FILTER,
    SKIP_NO_CALLSTACK,
    SKIP_FILTER_BIT,

    SKIP_CODES
};

struct skip_reason {
    enum skip_code code;
    const char *of; /* what it is about, where the sentence has a %, else NULL */
};

struct skip_word {
    const char *word;     /* as in the log                                     */
    const char *sentence; /* % stands for what it is about, if it is about any */
};
extern const struct skip_word skip_words[SKIP_CODES];

/* Appends the reason as in the log. */
void skip_put(struct text *, const struct skip_reason *);

/* Reads it back, `of` as the rest of the word; SKIP_NOTHING if there is no such reason. */
enum skip_code skip_read(const char *word, size_t length, size_t *of);

/* Appends the sentence. */
void skip_put_sentence(struct text *, const struct skip_reason *);
