/*
 * How far a fact about hardware is to be trusted.
 */
#pragma once

#include <stdbool.h>

/*
 * On silicon, a difference that rests only on a fact which is derived or unconfirmed is
 * measured and is not a failure.  Most trusted first.
 */
enum confidence {
    UNSAID,      /* a row that forgot it: the tests find it                          */
    STATED,      /* a manual states it                                                */
    RECORDED,    /* a recording of silicon shows it                                   */
    DERIVED,     /* it follows from what a manual states, but no manual states it     */
    ERRATUM,     /* the vendor, or software that works around it, says so of a processor */
    UNCONFIRMED, /* nothing that was read confirms it                                 */
    CONFIDENCES,
};
extern const char *const confidence_words[CONFIDENCES];

static inline bool is_confirmed(enum confidence confidence)
{
    return confidence == STATED || confidence == RECORDED;
}
