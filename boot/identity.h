/* Finds the names of the machine and its firmware, for the head of the log. */
#pragma once

#include "handoff.h"

/* Fills in who made firmware and machine, and whether Secure Boot is on. */
void identity_find(struct handoff *);
