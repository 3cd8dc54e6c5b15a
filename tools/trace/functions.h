/*
 * The table of a trace-and-watch: what each function's invocations took.
 */
#pragma once

#include "calltree.h"
#include "json.h"
#include "symbols.h"

struct function {
    uint64_t address; /* BRANCH_UNKNOWN: code that ran after gaps       */
    enum frame_kind kind;
    uint64_t invocations, insns; /* insns: of its own, in all of them   */
    uint64_t least, most;        /* in one                              */
    bool at_least;               /* in some of them more may have run   */
};
struct functions {
    struct function *at;
    size_t count, capacity;
};

void functions_add(struct functions *, const struct call_frame *); /* that was left */
/* The rows, sorted by name. */
void functions_print(const struct functions *, const struct symbols *);
void functions_json(const struct functions *, const struct symbols *, struct json *);

/* Its name, "?" for BRANCH_UNKNOWN; scratch_text(). */
const char *function_name(const struct symbols *, uint64_t function);
void functions_free(struct functions *);
