/*
 * The longer lists that `list` prints; verb_list.c has the verb.
 */
#pragma once

int list_models(const char *what); /* the exit code; NULL: of this machine */
void list_platforms(void);
void list_rules(void);
void list_rules_json(void);
