/*
 * The newest command of a monitor's log, and what its plan must then be.
 */
#pragma once

#include "parsed.h"
#include "request.h"
#include "trace_msr.h"

/* A command as the kernel read it. */
struct asked {
    const struct logged *command; /* NULL: there is none, or its text is not known */
    struct request request;
    const char *wrong; /* the answer to what is no command; valid until the next one */
};
struct asked asked_of(const struct log *);

/* The MSRs that a command may name on this log's processor. */
struct trace_msr_set asked_msrs(const struct log *);
