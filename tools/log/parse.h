/*
 * The lines of the log by what they are about; parse.c has the table of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"
#include "parsed.h"

#define LATE_MAX UINT32_MAX /* events: a counter is read so far */

/* `wire_bytes`: of the line with its trailer and WIRE_LINE_END. */
bool parse_line(struct log *, struct span body, size_t wire_bytes);
#define WIRE_LINE_END 2 /* CR LF on the wire, whatever the file has */
bool parse_finished(struct log *);

/* Records an error in the line being read; always false. */
bool here(struct log *, const char *sentence);

struct loaded *loaded_named(struct log *, struct span name);

/* parse_machine.c: who and what the log is from. */
bool parse_opening(struct line *);
bool is_our_version(struct line *); /* before the fields of the opening line are read */
bool parse_linux(struct line *);
bool parse_serial(struct line *);
bool parse_image(struct line *);
bool parse_caller(struct line *);
bool parse_facility(struct line *);
bool facilities_logged(struct log *, unsigned needs); /* of these; older logs have no more
                                                       than step, btf, lbr and bts */
bool machine_known(struct log *); /* all of these were there: for a plan   */
bool machine_logged(struct log *, const char *before); /* all but the facilities */
bool in_image(const struct log *, uint64_t at, uint64_t size);

/* parse_cpu.c: what there is of each kind of processor. */
bool parse_features(struct line *);
bool parse_cpuid(struct line *);
bool parse_model(struct line *);

/* parse_processor.c: several processors, and rounds of runs on all of them. */
bool parse_processors(struct line *);
bool parse_processor(struct line *);
bool parse_round(struct line *);
bool parse_lost(struct line *);
bool processor_read(
    struct log *); /* before a line that is of none: the last one is whole */
/* The field of run and skip. */
bool take_processor(struct line *, struct log_number processor, struct run *);
void run_of_processors(const struct log *, size_t in_plan, size_t *method, size_t *workload,
                       size_t *filter);

/* parse_try.c: what was about to be done, and what an earlier boot died of. */
bool parse_try(struct line *);
bool parse_avoid(struct line *);
bool broken_off_in_try(struct log *); /* the trouble of a log that ends there */

/* parse_workload.c: held against this program's own copy. */
bool parse_workload(struct line *);
bool parse_labels(struct line *);
bool parse_code(struct line *);
bool workload_complete(struct log *, const struct loaded *);

/* parse_bundle.c: workloads that the log brings along. */
bool parse_bundle(struct line *);
bool parse_bytes(struct line *);
bool parse_rejected(struct line *);
bool bundles_complete(struct log *);
const struct workload *bundled_workload(const struct log *, struct span name);

/* parse_plan.c */
bool parse_plan(struct line *);
bool close_plan(struct log *);     /* before the first run: whether it was whole  */
bool plan_fulfilled(struct log *); /* after the last one: whether all were there */
void next_plan(struct log *);      /* of the next command, if it has one          */

/* parse_command.c */
bool parse_command(struct line *);
bool parse_answer(struct line *);
bool parse_msr(struct line *);

/* asked.c */
bool plan_was_made(struct log *);    /* if the newest command asks for runs              */
bool plan_is_as_asked(struct log *); /* by that command; the whole plan was read         */

/* asked.c: notes the line, and its text, in the order of the log. */
void keep_logged(struct line *, enum logged_kind, struct span text);
struct span line_whole(const struct line *); /* as it stands, whatever was read of it */

/* parse_run.c */
bool parse_run(struct line *);
bool parse_skip(struct line *);
bool parse_ran(struct line *);
bool parse_cost(struct line *);
bool parse_end(struct line *);

struct run *next_run(struct log *); /* adds the run that is next by the plan */

/* parse_damage.c: lines are lost. */
bool damage_begins(struct log *, size_t line, uint64_t unseen,
                   bool restarted); /* false: no run that follows can be judged */
bool damage_resumes(struct log *,
                    struct span body); /* whether this line can be read again */

/* parse_info.c */
bool take_info_words(struct line *, struct run *); /* the field of run */

bool parse_info(struct line *);
bool check_infos(struct log *, const struct run *);

/* parse_records.c */
void damage_run(
    struct log *); /* lines of the newest run, or what these rest on, are lost */
bool parse_branch(struct line *);
bool parse_stop(struct line *);
bool parse_again(struct line *);
bool parse_packed(struct line *);
bool parse_packets(struct line *);
bool parse_data(struct line *);
bool check_packed(struct log *,
                  const struct run *);         /* `data` had as many bytes as promised */
bool rest_times(struct line *, uint64_t *out); /* [xN], at the end of a line */
