/*
 * none: the window with nothing turned on.
 *
 * The untraced run, beside which the table of costs puts the others (`everybranch cost`).
 * Nothing is looked at and there is nothing to drain.
 */
#include "method_facts.h"

METHOD_FACTS(none) = {
    .name = "none",
    .about = "no tracing: the cost of the others is measured against this",
    .silent = true,
};

#ifdef KERNEL

#include "method.h"

METHOD(none) = { .facts = &facts_none };

#endif
