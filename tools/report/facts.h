/*
 * What a log says of its machine, fact by fact: `check`, `diff` and the page of `report`
 * print this list.
 */
#pragma once

#include "json.h"
#include "parsed.h"

#define FACTS_MAX 20

struct fact {
    const char *title;
    const char *text;  /* NULL: the log does not say                         */
    const char *about; /* more of it, for which `diff` has no space, or NULL */
    bool page_only;
};
struct facts {
    struct fact at[FACTS_MAX]; /* the same titles of every log */
    size_t count;
};

/* The texts are scratch text, or the log's. */
struct facts facts_of(const struct log *, const struct cpu_part *);
const char *fact_whole(const struct fact *); /* "text: about", or NULL */

/*
 * `facts`: of the log's first processor, and of each of `other_processors`, an array of
 * objects with `title` and `text`.
 */
void json_facts(struct json *, const struct log *);
