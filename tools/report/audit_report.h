/*
 * The result of an audit: for people, for programs, and as JUnit.
 */
#pragma once

#include "audit.h"

void audit_print(const struct audit *);
void audit_json(const struct audit *, int exit_code);
bool audit_junit(const struct audit *, const char *file); /* false after printing why */
