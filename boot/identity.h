/*
 * Finds the names of the machine and its firmware, for the head of the log, and the date,
 * for the screen.
 */
#pragma once

#include "handoff.h"

/* Fills in who made firmware and machine, whether Secure Boot is on, and what day it is. */
void identity_find(struct handoff *);
