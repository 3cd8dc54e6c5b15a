/*
 * The longer lists that `list` prints; verb_list.c has the verb.
 */
#pragma once

void list_models(void);
void list_platforms(void);
void list_rules(void);
