/*
 * The longer lists that `list` prints; verb_list.c has the verb.
 */
#pragma once

#include <stdbool.h>

int list_models(const char *what, bool json); /* the exit code; NULL: of this machine */
int list_errata(const char *what, bool json); /* as list_models() */
void list_platforms(void);
void list_platforms_json(void);

struct json;
struct rule;
void list_rule(const struct rule *);
void list_rule_json(struct json *, const struct rule *);
void list_rules(void);
void list_rules_json(void);
