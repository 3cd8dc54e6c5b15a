/*
 * Words that depend on a number.
 */
#pragma once

/* Behind a noun: "0 runs", "1 run", "2 runs". */
static inline const char *plural(unsigned long long count)
{
    return count == 1 ? "" : "s";
}
