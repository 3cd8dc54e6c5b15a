/*
 * The records of a log in a form in which two machines' logs diff clean.
 */
#pragma once

#include "parsed.h"

/*
 * Of one that was read whole.  packed: runs stay so, whose records hold; else it ends where
 * some do not, and is false: the log has a trouble.
 */
bool canonical(struct log *, bool packed);
