/*
 * The extra information of a last-branch record, beside FROM and TO: misprediction, cycles
 * since the record before, type of branch, and so on.
 *
 * On silicon all of it except the type differs from run to run: it is shown, not judged.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "confidence.h"
#include "branch.h"
#include "text.h"

/* In the order of the log. */
enum info_word {
    INFO_MISPREDICTED,
    INFO_CYCLES, /* core clocks since the record before; saturates */
    INFO_TYPE,   /* INFO_TYPE_... below */
    INFO_IN_TSX,
    INFO_ABORT,       /* of a transaction */
    INFO_SPECULATIVE, /* recorded before it retired, and on the right path */
    INFO_WORDS,
};
#define INFO_HAS(word) (1u << (word))
extern const char *const info_names[INFO_WORDS];

/* The branch types of architectural LBR, where 8 is OTHER_BRANCH; 6 and 7 are reserved. */
enum info_type {
    INFO_TYPE_JCC,
    INFO_TYPE_IJMP,
    INFO_TYPE_JMP,
    INFO_TYPE_ICALL,
    INFO_TYPE_CALL,
    INFO_TYPE_RET,
    INFO_TYPE_OTHER, /* far branches and events: SYSRET, ERETx, UIRET... */
    INFO_TYPE_RESERVED,
    INFO_TYPES,
};
extern const char *const info_types[INFO_TYPES];
enum info_type info_type_of(enum kind);

/* The value for cycles that the record marks as not valid. */
#define INFO_UNKNOWN UINT32_MAX

#define INFO_RECORDS_MAX 64 /* the deepest stack: architectural LBR's */

/* A field of an entry's registers; width 0: there is none. */
enum info_register { INFO_IN_FROM, INFO_IN_TO, INFO_IN_INFO, INFO_REGISTERS };
struct info_field {
    enum info_register in;
    uint8_t shift, width;
};

struct info_form {
    struct info_field words[INFO_WORDS];
    struct info_field cycles_valid; /* width 0: they always are */
    bool by_cpuid;                  /* CPUID.1CH:ECX says which of them there are */
    const char *source;
    enum confidence confidence;
};
extern const struct info_form info_from63, info_from_tsx, info_goldmont, info_register_tsx,
    info_arch, info_amd;

struct model;
struct cpu_id;

/*
 * info_form_of() returns where the fields are, or NULL if there are none: LBR_FMT decides,
 * unless the row overrides it.  info_words_of() returns INFO_HAS() of each word present.
 */
const struct info_form *info_form_of(const struct model *, const struct cpu_id *);
uint32_t info_words_of(const struct model *, const struct cpu_id *);

/* The values of one record; 0 for a word that the form does not have. */
struct info {
    uint32_t values[INFO_WORDS];
};
struct info info_decode(const struct info_form *, const uint64_t registers[INFO_REGISTERS]);
bool info_same(const struct info *, const struct info *);

/* "mispredicted+cycles", for these words. */
void info_put_words(struct text *, uint32_t words);
/* "mispredicted=0 cycles=12": the value of one, without its name: "0", "?", "jcc". */
void info_put_value(struct text *, enum info_word, uint32_t value);
