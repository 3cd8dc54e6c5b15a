/*
 * Coverage for other programs: MODULE+OFFSET lines, and DynamoRIO's drcov.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "coverage.h"

void coverage_addresses(FILE *, const struct cover *, size_t count);
void coverage_drcov(FILE *, const struct cover *, size_t count, const struct log *first);
