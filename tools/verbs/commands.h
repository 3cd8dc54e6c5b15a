/*
 * Commands of the monitor that stand behind the option `do`.
 */
#pragma once

#include <stdbool.h>

/*
 * NULL, or what is wrong with it on whatever machine, in a sentence that lives until the
 * next call.  A register is right that some model has.
 */
const char *command_wrong(const char *command, bool (*is_workload)(const char *name));
