/*
 * A line without its trailer, taken apart by the row of its word (common/log/lines.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lines.h"
#include "span.h"
#include "text.h"

struct log;

#define LINE_FIELDS_MAX 32

/* What the fields say: the struct of the line's word. */
union line_says {
    struct packed_line packed;
    struct packets_line packets;
    struct everybranch_line everybranch;
    struct linux_line os;
    struct firmware_line firmware;
    struct bios_line bios;
    struct system_line system;
    struct cpu_line cpu;
    struct features_line features;
    struct cpuid_leaf cpuid;
    struct model_line model;
    struct image_line image;
    struct caller_line caller;
    struct apic_line apic;
    struct left_line left;
    struct serial_line serial;
    struct avoid_line avoid;
    struct facility_line facility;
    struct processors_line processors;
    struct processor_line processor;
    struct bundle_line bundle;
    struct rejected_line rejected;
    struct workload_line workload;
    struct labels_line labels;
    struct code_line code;
    struct plan_line plan;
    struct try_line try;
    struct text_line text;
    struct msr_line msr;
    struct round_line round;
    struct lost_line lost;
    struct run_line run;
    struct skip_line skip;
    struct ran_line ran;
    struct cost_line cost;
    struct cycles_line cycles;
    struct panic_line panic;
    struct end_line end;
};

struct line {
    struct log *log;
    struct span rest, word; /* rest: what is not read yet     */
    const struct log_field *fields;
    struct span values[LINE_FIELDS_MAX]; /* of the fields, as they stand in the line */
    union line_says says;
};
bool line_begin(struct line *, struct log *, struct span body);

/* Reads the fields of this word, up to the part that has a parser of its own. */
bool line_parse(struct line *, enum log_line);

/* A field as it stands in the line; `at` is NULL if the line does not have it. */
struct span *line_value(struct line *, const char *key);
struct span line_text(const struct line *, const char *key); /* "" if it is not there */

/* An error unless the line has this optional field exactly if it is wanted. */
bool line_has_if(const struct line *, const char *key, bool wanted);

/* For what has a parser of its own; wanted: for the error. */
bool line_next_is(const struct line *, const char *key); /* key= comes next */
bool line_word(struct line *, const char *wanted, struct span *out);
bool line_end(struct line *);
bool hex_byte(const char *digits, uint8_t *out); /* two of them */

/* The field, which must be next; its value goes into `says` at field->at. */
bool line_field(struct line *, const struct log_field *, void *says, struct span *value);

/* field_value.c: the value of a field from its text.  False: it has another form. */
bool field_value(const struct log_field *, struct span text, void *says);
/* Appends what the field can be, for an error: "on, off or unknown". */
void field_wanted(const struct log_field *, struct text *);

/* Appends the line: without the fields of mark -, or with those of mark ! emptied. */
void line_put(const struct line *, char mark, struct text *out);

/*
 * base64.c: appends the bytes of a line's last word, or counts them where `at` is NULL;
 * `first`: the line that says how many there are, for the error.
 */
bool line_base64(struct line *, size_t first, uint8_t *at, uint64_t *size,
                 uint64_t capacity);

/* For a line that must stand once: *first becomes its line. */
bool once(struct line *, size_t *first);
