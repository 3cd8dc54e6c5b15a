/*
 * The records of a log in a form in which two machines' logs diff clean.
 */
#pragma once

#include "parsed.h"

/* Of one that is whole; packed: runs stay so. */
void canonical(const struct log *, bool packed);
