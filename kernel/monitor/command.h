/*
 * The monitor's commands: a line is read, done and answered, in the log and in words.
 */
#pragma once

#include "handoff.h"
#include "session.h"

/* The monitor's lines about the processor, before its first command; not in the log. */
const char *command_greeting(struct session *);

/* probe: tries the facilities and tells the log; a run needs it to have been done once. */
struct answer command_do(struct session *, const char *line,
                         void (*probe)(struct session *));
