/* lines.h */
#include "lines.h"

#include "deviation.h"
#include "pmu.h"

const char *const apic_modes[APIC_MODES] = {
    [APIC_OFF] = "off", [APIC_X] = "xapic", [APIC_X2] = "x2apic"
};

const char *const outcome_names[OUTCOMES] = {
    [ENDED] = "ended",     [CRASHED] = "crashed",   [BUDGET] = "budget",
    [TIMEOUT] = "timeout", [LIVELOCK] = "livelock", [GONE] = "gone",
};

static const char *const on_off[] = { "on", "off", "unknown" };
static const char *const ports_from[] = { "option", "spcr", "dbg2", "com", "pci", "none" };
static const char *const spaces[] = { "io", "mmio" };
static const char *const ways[] = { "mp-services", "init-sipi", "none" };
static const char *const togethers[] = { "same", "different" };
static const char *const steps[] = { "tables", "segments", "interrupts", "processor" };
static const char *const deliveries[] = { "fixed", "nmi" };
static const char *const one[] = { "1" };
static const char *const bit[] = { "bit" };

#define MEMBER(line, member) \
    .at = offsetof(struct line, member), .size = sizeof(((struct line *)0)->member)
#define WORDS(array) .words = (array), .word_count = sizeof(array) / sizeof *(array)
#define FIELDS(...)  ((const struct log_field[]){ __VA_ARGS__, { .key = NULL } })
const struct log_word log_words[LOG_WORDS] = {
    /* The lines of records are most of a log, so they are found first. */
    [WORD_BRANCH] = { "branch", FIELDS({ .key = "FROM TO [xN]", .type = LOG_OWN }),
                      LOG_IN_RUN, LOG_IN_CAT, "records" },
    [WORD_STOP] = { "stop",
                    FIELDS(
                        { .key = "TO [taken|not-taken] [late=N] [xN]", .type = LOG_OWN }),
                    LOG_IN_RUN, LOG_IN_CAT, "stops" },
    [WORD_AGAIN] = { "again", FIELDS({ .key = "RECORDS xN", .type = LOG_OWN }), LOG_IN_RUN,
                     LOG_IN_CAT, "repeated records" },
    [WORD_DATA] = { "data", FIELDS({ .key = "BASE64", .type = LOG_OWN }), LOG_IN_RUN,
                    LOG_IN_CAT, "their bytes" },
    [WORD_PACKED] = { "packed",
                      FIELDS({ "records", LOG_DECIMAL, MEMBER(packed_line, records) },
                             { "bytes", LOG_DECIMAL, MEMBER(packed_line, bytes) },
                             { "coder", LOG_DECIMAL, MEMBER(packed_line, coder) },
                             { "[run]", LOG_NUMBER, MEMBER(packed_line, run) }),
                      LOG_IN_RUN, LOG_IN_CAT, "packed records" },
    [WORD_PACKETS] = { "packets",
                       FIELDS({ "bytes", LOG_DECIMAL, MEMBER(packets_line, bytes) },
                              { "status", LOG_HEX, MEMBER(packets_line, status) },
                              { "[packed", LOG_NUMBER, MEMBER(packets_line, packed) },
                              { "coder]", LOG_DECIMAL, MEMBER(packets_line, coder) },
                              { "[unit]", LOG_FLAG, MEMBER(packets_line, by_bits),
                                WORDS(bit) }),
                       LOG_IN_RUN, LOG_IN_CAT, "Processor Trace packets" },
    [WORD_INFO] = { "info", FIELDS({ .key = "INFO [xN]", .type = LOG_OWN }), LOG_IN_RUN, 0,
                    NULL },
    [WORD_EVERYBRANCH] = { "everybranch",
                           FIELDS({ "log", LOG_DECIMAL, MEMBER(everybranch_line, log) },
                                  { "build", LOG_WORD, MEMBER(everybranch_line, build) }),
                           LOG_ANYWHERE, LOG_IN_CAT, "version and build" },
    [WORD_LINUX] = { "linux",
                     FIELDS(
                         { "release", LOG_QUOTED, MEMBER(linux_line, release) },
                         { "[fred]", LOG_WORD, MEMBER(linux_line, fred), WORDS(on_off) }),
                     LOG_BEFORE_PLAN, LOG_IN_CAT,
                     "that a process under Linux made the runs, its release, whether it "
                     "uses FRED" },
    [WORD_FIRMWARE] = { "firmware",
                        FIELDS({ "vendor", LOG_QUOTED, MEMBER(firmware_line, vendor) },
                               { "revision", LOG_HEX, MEMBER(firmware_line, revision) }),
                        LOG_BEFORE_PLAN, LOG_OF_MACHINE | LOG_IN_CAT,
                        "who made the firmware, its revision" },
    [WORD_BIOS] = { "bios",
                    FIELDS({ "vendor", LOG_QUOTED, MEMBER(bios_line, vendor), .mark = '!' },
                           { "version", LOG_QUOTED, MEMBER(bios_line, version) },
                           { "date", LOG_QUOTED, MEMBER(bios_line, date), .mark = '!' },
                           { "secure_boot", LOG_WORD, MEMBER(bios_line, secure_boot),
                             WORDS(on_off) }),
                    LOG_BEFORE_PLAN, LOG_OF_MACHINE | LOG_IN_CAT,
                    "its version, Secure Boot" },
    [WORD_SYSTEM] = { "system",
                      FIELDS({ "vendor", LOG_QUOTED, MEMBER(system_line, vendor),
                               .mark = '!' },
                             { "product", LOG_QUOTED, MEMBER(system_line, product) },
                             { "board_vendor", LOG_QUOTED,
                               MEMBER(system_line, board_vendor), .mark = '!' },
                             { "board_product", LOG_QUOTED,
                               MEMBER(system_line, board_product) }),
                      LOG_BEFORE_PLAN, LOG_OF_MACHINE | LOG_IN_CAT,
                      "the product, its board" },
    [WORD_CPU] = { "cpu",
                   FIELDS({ "microcode", LOG_HEX, MEMBER(cpu_line, microcode) },
                          { "brand", LOG_QUOTED, MEMBER(cpu_line, brand) }),
                   LOG_OF_CPU, LOG_OF_MACHINE | LOG_IN_CAT, "microcode and brand" },
    [WORD_FEATURES] = { "features",
                        FIELDS({ "perf_capabilities", LOG_REGISTER_OR_ABSENT,
                                 MEMBER(features_line, perf_capabilities) },
                               { "misc_enable", LOG_REGISTER_OR_ABSENT,
                                 MEMBER(features_line, misc_enable) }),
                        LOG_OF_CPU, 0, "two MSRs that say what the trace hardware has" },
    [WORD_CPUID] = { "cpuid",
                     FIELDS({ "leaf", LOG_HEX, MEMBER(cpuid_leaf, leaf) },
                            { "subleaf", LOG_HEX, MEMBER(cpuid_leaf, subleaf) },
                            { "eax", LOG_HEX, MEMBER(cpuid_leaf, registers[0]) },
                            { "ebx", LOG_HEX, MEMBER(cpuid_leaf, registers[1]) },
                            { "ecx", LOG_HEX, MEMBER(cpuid_leaf, registers[2]) },
                            { "edx", LOG_HEX, MEMBER(cpuid_leaf, registers[3]) }),
                     LOG_OF_CPU, 0, "leaves of CPUID, never that of a serial number" },
    [WORD_MODEL] = { "model", FIELDS({ "name", LOG_WORD, MEMBER(model_line, name) }),
                     LOG_OF_CPU, LOG_OF_MACHINE | LOG_IN_CAT,
                     "the row of the model table" },
    [WORD_IMAGE] = { "image",
                     FIELDS({ "base", LOG_HEX, MEMBER(image_line, base) },
                            { "size", LOG_HEX, MEMBER(image_line, size) }),
                     LOG_BEFORE_PLAN, 0, "where the program lay" },
    [WORD_CALLER] = { "caller",
                      FIELDS({ "call", LOG_HEX, MEMBER(caller_line, call) },
                             { "return", LOG_HEX, MEMBER(caller_line, back) },
                             { "[at", LOG_REGISTER, MEMBER(caller_line, at) },
                             { "bytes]", LOG_BYTES, MEMBER(caller_line, bytes) }),
                      LOG_BEFORE_PLAN, 0, "where its window lay" },
    [WORD_APIC] = { "apic",
                    FIELDS(
                        { "mode", LOG_CHOICE, MEMBER(apic_line, mode), WORDS(apic_modes) }),
                    LOG_BEFORE_PLAN, 0, "in which mode the local APIC was" },
    [WORD_LEFT] = { "left",
                    FIELDS(
                        { "debugctl", LOG_REGISTER_OR_ABSENT, MEMBER(left_line, debugctl) },
                        { "[lbr_ctl]", LOG_REGISTER, MEMBER(left_line, lbr_ctl) },
                        { "[smi_count]", LOG_REGISTER_OR_ABSENT,
                          MEMBER(left_line, smi_count), .mark = '-' },
                        { "[counters]", LOG_REGISTER, MEMBER(left_line, counters) }),
                    LOG_BEFORE_PLAN,
                    LOG_IN_CAT, "what the firmware left on, and how many SMIs there were" },
    [WORD_SERIAL] = { "serial",
                      FIELDS(
                          { "from", LOG_WORD, MEMBER(serial_line, from),
                            WORDS(ports_from) },
                          { "tried", LOG_DECIMAL, MEMBER(serial_line, tried) },
                          { "[space", LOG_WORD, MEMBER(serial_line, space), WORDS(spaces) },
                          { "at", LOG_HEX, MEMBER(serial_line, at) },
                          { "stride", LOG_DECIMAL, MEMBER(serial_line, stride) },
                          { "width", LOG_DECIMAL, MEMBER(serial_line, width) },
                          { "clock", LOG_DECIMAL, MEMBER(serial_line, clock) },
                          { "baud", LOG_DECIMAL, MEMBER(serial_line, baud) },
                          { "divisor", LOG_DECIMAL, MEMBER(serial_line, divisor) },
                          { "before]", LOG_DECIMAL, MEMBER(serial_line, before) }),
                      LOG_BEFORE_PLAN, 0, NULL },
    [WORD_AVOID] = { "avoid",
                     FIELDS({ "[facility]", LOG_WORD, MEMBER(avoid_line, subject.facility),
                              WORDS(facility_names) },
                            { "[method", LOG_WORD, MEMBER(avoid_line, subject.method) },
                            { "[workload", LOG_WORD, MEMBER(avoid_line, subject.workload) },
                            { "[filter]]]", LOG_WORD, MEMBER(avoid_line, subject.filter) },
                            { "[bench]", LOG_FLAG, MEMBER(avoid_line, subject.bench) },
                            { "log", LOG_WORD, MEMBER(avoid_line, log) }),
                     LOG_BEFORE_PLAN, 0, "what an earlier boot died of" },
    [WORD_FACILITY] = { "facility",
                        FIELDS({ "name", LOG_CHOICE, MEMBER(facility_line, name),
                                 WORDS(facility_names) },
                               { "outcome", LOG_CHOICE, MEMBER(facility_line, outcome),
                                 WORDS(probe_result_names) },
                               { "evidence", LOG_QUOTED, MEMBER(facility_line, evidence) },
                               { "[code]", LOG_CODES, MEMBER(facility_line, deviations),
                                 WORDS(deviation_codes) },
                               { "[interrupts", LOG_NUMBER,
                                 MEMBER(facility_line, interrupts), .mark = '-' },
                               { "typical", LOG_DECIMAL, MEMBER(facility_line, typical),
                                 .mark = '-' },
                               { "most]", LOG_DECIMAL, MEMBER(facility_line, most),
                                 .mark = '-' }),
                        LOG_OF_CPU, LOG_IN_CAT, "what was found by trying" },
    [WORD_PROCESSORS] = { "processors",
                          FIELDS(
                              { "way", LOG_WORD, MEMBER(processors_line, way), WORDS(ways),
                                .mark = '-' },
                              { "found", LOG_DECIMAL, MEMBER(processors_line, found),
                                .mark = '-' },
                              { "wanted", LOG_DECIMAL, MEMBER(processors_line, wanted),
                                .mark = '-' },
                              { "started", LOG_DECIMAL, MEMBER(processors_line, started) },
                              { "together", LOG_CHOICE, MEMBER(processors_line, different),
                                WORDS(togethers) }),
                          LOG_BEFORE_PLAN, LOG_IN_CAT, "how many processors took part" },
    [WORD_PROCESSOR] = { "processor",
                         FIELDS({ "n", LOG_DECIMAL, MEMBER(processor_line, n) },
                                { "apic", LOG_HEX, MEMBER(processor_line, apic),
                                  .mark = '-' },
                                { "like", LOG_DECIMAL, MEMBER(processor_line, like) },
                                { "[debugctl", LOG_REGISTER_OR_ABSENT,
                                  MEMBER(processor_line, left.debugctl), .mark = '-' },
                                { "[lbr_ctl]", LOG_REGISTER,
                                  MEMBER(processor_line, left.lbr_ctl), .mark = '-' },
                                { "[smi_count]", LOG_REGISTER_OR_ABSENT,
                                  MEMBER(processor_line, left.smi_count), .mark = '-' },
                                { "[counters]]", LOG_REGISTER,
                                  MEMBER(processor_line, left.counters), .mark = '-' }),
                         LOG_BEFORE_PLAN, LOG_IN_CAT,
                         "each of them, its number and its APIC's" },
    [WORD_BUNDLE] = { "bundle",
                      FIELDS({ "file", LOG_QUOTED, MEMBER(bundle_line, file), .mark = '!' },
                             { "bytes", LOG_DECIMAL, MEMBER(bundle_line, bytes) }),
                      LOG_BEFORE_PLAN, LOG_IN_CAT,
                      "WORKLOADS OF YOUR OWN, without their files' names" },
    [WORD_BYTES] = { "bytes", FIELDS({ .key = "BASE64", .type = LOG_OWN }), LOG_BEFORE_PLAN,
                     LOG_IN_CAT, "...their code, labels and expectations" },
    [WORD_REJECTED] = { "rejected",
                        FIELDS({ "file", LOG_QUOTED, MEMBER(rejected_line, file) },
                               { "why", LOG_QUOTED, MEMBER(rejected_line, why) }),
                        LOG_BEFORE_PLAN, LOG_IN_CAT, NULL },
    [WORD_WORKLOAD] = { "workload",
                        FIELDS({ "name", LOG_WORD, MEMBER(workload_line, name) },
                               { "at", LOG_HEX, MEMBER(workload_line, at), .mark = '-' },
                               { "size", LOG_HEX, MEMBER(workload_line, size) },
                               { "stubs", LOG_DECIMAL, MEMBER(workload_line, stubs) },
                               { "about", LOG_QUOTED, MEMBER(workload_line, about) }),
                        LOG_BEFORE_PLAN, LOG_IN_CAT, "the workloads" },
    [WORD_LABELS] = { "labels",
                      FIELDS({ "of", LOG_WORD, MEMBER(labels_line, of) },
                             { .key = "LABELS", .type = LOG_OWN }),
                      LOG_BEFORE_PLAN, 0, "their labels" },
    [WORD_CODE] = { "code",
                    FIELDS({ "of", LOG_WORD, MEMBER(code_line, of) },
                           { "at", LOG_HEX, MEMBER(code_line, at) },
                           { "bytes", LOG_BYTES, MEMBER(code_line, bytes) }),
                    LOG_BEFORE_PLAN, 0, "their bytes" },
    [WORD_PLAN] = { "plan",
                    FIELDS({ "[methods]", LOG_WORD, MEMBER(plan_line, methods) },
                           { "[workloads]", LOG_WORD, MEMBER(plan_line, workloads) },
                           { "[filters]", LOG_WORD, MEMBER(plan_line, filters) },
                           { "[runs]", LOG_NUMBER, MEMBER(plan_line, runs) }),
                    LOG_PLAN, 0, "what runs were planned" },
    [WORD_TRY] = { "try",
                   FIELDS({ "[facility]", LOG_WORD, MEMBER(try_line, subject.facility),
                            WORDS(facility_names) },
                          { "[method", LOG_WORD, MEMBER(try_line, subject.method) },
                          { "[workload", LOG_WORD, MEMBER(try_line, subject.workload) },
                          { "[filter]]]", LOG_WORD, MEMBER(try_line, subject.filter) },
                          { "[round]", LOG_NUMBER, MEMBER(try_line, subject.round) },
                          { "[msr]", LOG_REGISTER, MEMBER(try_line, subject.msr) },
                          { "[bench]", LOG_FLAG, MEMBER(try_line, subject.bench) },
                          { "[runs]", LOG_FLAG, MEMBER(try_line, subject.runs) },
                          { "[end]", LOG_FLAG, MEMBER(try_line, subject.end) },
                          { "[idle]", LOG_FLAG, MEMBER(try_line, subject.idle) },
                          { "[take]", LOG_WORD, MEMBER(try_line, subject.take),
                            WORDS(steps) }),
                   LOG_BETWEEN_RUNS, 0, NULL },
    [WORD_COMMAND] = { "command", FIELDS({ "text", LOG_QUOTED, MEMBER(text_line, text) }),
                       LOG_BETWEEN_RUNS, LOG_IN_CAT, "the commands that were typed" },
    [WORD_ANSWER] = { "answer", FIELDS({ "text", LOG_QUOTED, MEMBER(text_line, text) }),
                      LOG_BETWEEN_RUNS, LOG_IN_CAT, NULL },
    [WORD_MSR] = { "msr",
                   FIELDS({ "[read]", LOG_REGISTER, MEMBER(msr_line, read) },
                          { "[write]", LOG_REGISTER, MEMBER(msr_line, write) },
                          { "name", LOG_WORD, MEMBER(msr_line, name) },
                          { "[value]", LOG_REGISTER, MEMBER(msr_line, value) },
                          { "gives", LOG_WORD, MEMBER(msr_line, gives) }),
                   LOG_BETWEEN_RUNS, LOG_IN_CAT,
                   "what registers of the trace hardware held" },
    [WORD_ROUND] = { "round",
                     FIELDS({ "n", LOG_DECIMAL, MEMBER(round_line, n) },
                            { "processors", LOG_DECIMAL, MEMBER(round_line, processors) }),
                     LOG_BETWEEN_RUNS, 0, "which runs were made at once" },
    [WORD_LOST] = { "lost",
                    FIELDS({ "processor", LOG_DECIMAL, MEMBER(lost_line, processor) },
                           { "why", LOG_QUOTED, MEMBER(lost_line, why) }),
                    LOG_BETWEEN_RUNS, 0, "processors that did not come back" },
    [WORD_RUN] = { "run",
                   FIELDS(
                       { "n", LOG_DECIMAL, MEMBER(run_line, n) },
                       { "method", LOG_WORD, MEMBER(run_line, method) },
                       { "workload", LOG_WORD, MEMBER(run_line, workload) },
                       { "[filter]", LOG_WORD, MEMBER(run_line, filter) },
                       { "[processor]", LOG_NUMBER, MEMBER(run_line, processor) },
                       { "[info]", LOG_WORD, MEMBER(run_line, info), .mark = '-' },
                       { "[buffer", LOG_NUMBER, MEMBER(run_line, buffer) },
                       { "[threshold", LOG_NUMBER, MEMBER(run_line, threshold) },
                       { "delivery]]", LOG_CHOICE, MEMBER(run_line, nmi),
                         WORDS(deliveries) },
                       { "[event", LOG_EVENT, MEMBER(run_line, event) },
                       { "period", LOG_DECIMAL, MEMBER(run_line, period) },
                       { "delivery", LOG_CHOICE, MEMBER(run_line, nmi), WORDS(deliveries) },
                       { "[freeze]]", LOG_FLAG, MEMBER(run_line, freeze), WORDS(one) }),
                   LOG_BETWEEN_RUNS, LOG_IN_CAT, "runs" },
    [WORD_SKIP] = { "skip",
                    FIELDS({ "n", LOG_DECIMAL, MEMBER(skip_line, n) },
                           { "method", LOG_WORD, MEMBER(skip_line, method) },
                           { "workload", LOG_WORD, MEMBER(skip_line, workload) },
                           { "[filter]", LOG_WORD, MEMBER(skip_line, filter) },
                           { "[processor]", LOG_NUMBER, MEMBER(skip_line, processor) },
                           { "why", LOG_WORD, MEMBER(skip_line, why) }),
                    LOG_BETWEEN_RUNS, LOG_IN_CAT, "runs that could not be made, and why" },
    [WORD_RAN] = { "ran",
                   FIELDS(
                       { "n", LOG_DECIMAL, MEMBER(ran_line, n) },
                       { "outcome", LOG_CHOICE, MEMBER(ran_line, outcome),
                         WORDS(outcome_names) },
                       { "records", LOG_DECIMAL, MEMBER(ran_line, records) },
                       { "events", LOG_DECIMAL, MEMBER(ran_line, events) },
                       { "lost", LOG_DECIMAL, MEMBER(ran_line, lost) },
                       { "ticks", LOG_DECIMAL, MEMBER(ran_line, ticks), .mark = '-' },
                       { "[wrong_path]", LOG_COUNT, MEMBER(ran_line, wrong_path),
                         .mark = '-' },
                       { "[inserts]", LOG_NUMBER_OR_ABSENT, MEMBER(ran_line, inserts),
                         .mark = '-' },
                       { "[armed", LOG_NUMBER, MEMBER(ran_line, armed), .mark = '-' },
                       { "open]", LOG_DECIMAL, MEMBER(ran_line, open), .mark = '-' },
                       { "[repeated]", LOG_COUNT, MEMBER(ran_line, repeated), .mark = '-' },
                       { "[differed]", LOG_TRIES, MEMBER(ran_line, tries), .mark = '-' },
                       { "[smis]", LOG_COUNT, MEMBER(ran_line, smis), .mark = '-' },
                       { "[nmis]", LOG_COUNT, MEMBER(ran_line, nmis), .mark = '-' },
                       { "[dr6]", LOG_STATUS, MEMBER(ran_line, debug_status) },
                       { "[counted]", LOG_NUMBER, MEMBER(ran_line, counted), .mark = '-' },
                       { "[entries", LOG_NUMBER, MEMBER(ran_line, entries), .mark = '-' },
                       { "returns", LOG_DECIMAL, MEMBER(ran_line, returns), .mark = '-' },
                       { "[skid", LOG_NUMBER, MEMBER(ran_line, skid), .mark = '-' },
                       { "most]", LOG_DECIMAL, MEMBER(ran_line, most), .mark = '-' },
                       { "unmasked]", LOG_DECIMAL, MEMBER(ran_line, unmasked),
                         .mark = '-' },
                       { "[result]", LOG_REGISTER, MEMBER(ran_line, result) },
                       { "[vector", LOG_NUMBER, MEMBER(ran_line, vector) },
                       { "at]", LOG_WORD, MEMBER(ran_line, at) }),
                   LOG_IN_RUN, LOG_IN_CAT, "how runs ended, counts, ticks" },
    [WORD_COST] = { "cost",
                    FIELDS({ "n", LOG_DECIMAL, MEMBER(cost_line, n) },
                           { "asked", LOG_DECIMAL, MEMBER(cost_line, asked) },
                           { "made", LOG_DECIMAL, MEMBER(cost_line, made) },
                           { "least", LOG_DECIMAL, MEMBER(cost_line, least) },
                           { "most", LOG_DECIMAL, MEMBER(cost_line, most) }),
                    LOG_BETWEEN_RUNS, 0,
                    "how often a run was made, and the ticks that took" },
    [WORD_CYCLES] = { "cycles",
                      FIELDS({ "done", LOG_DECIMAL, MEMBER(cycles_line, done) },
                             { "checked", LOG_DECIMAL, MEMBER(cycles_line, checked) },
                             { "alive", LOG_DECIMAL, MEMBER(cycles_line, alive) }),
                      LOG_BETWEEN_RUNS, 0, "how often the machine was taken over" },
    [WORD_NOTE] = { "note", FIELDS({ "text", LOG_QUOTED, MEMBER(text_line, text) }),
                    LOG_ANYWHERE, 0, NULL },
    [WORD_PANIC] = { "panic",
                     FIELDS({ "why", LOG_QUOTED, MEMBER(panic_line, why) },
                            { .key = "REGISTERS", .type = LOG_OWN }),
                     LOG_ANYWHERE, 0, NULL },
    [WORD_END] = { "end",
                   FIELDS({ "runs", LOG_DECIMAL, MEMBER(end_line, runs) },
                          { "ran", LOG_DECIMAL, MEMBER(end_line, ran) },
                          { "skipped", LOG_DECIMAL, MEMBER(end_line, skipped) },
                          { "records", LOG_DECIMAL, MEMBER(end_line, records) },
                          { "[nmis]", LOG_COUNT, MEMBER(end_line, nmis), .mark = '-' }),
                   LOG_BETWEEN_RUNS, LOG_IN_CAT, "sums" },
};

enum log_line log_word(const char *word, size_t length)
{
    enum log_line i = 0;

    for (; i < LOG_WORDS; i++) {
        const char *known = log_words[i].word;
        size_t at = 0;

        while (at < length && word[at] == known[at])
            at++;
        if (at == length && !known[at])
            break;
    }
    return i;
}

struct span log_key(const struct log_field *field)
{
    const char *at = field->key + (field->key[0] == '[');
    size_t length = 0;

    while (at[length] && at[length] != ']')
        length++;
    return (struct span){ at, length };
}

bool log_opens_group(const struct log_field *field)
{
    return field->key[0] == '[';
}

const struct log_field *log_group_end(const struct log_field *field)
{
    int depth = 0;

    do {
        depth += log_opens_group(field);
        for (const char *at = field->key; *at; at++)
            depth -= *at == ']';
        field++;
    } while (depth > 0);
    return field;
}

static uint64_t number_in(const struct log_field *field, const void *member)
{
    switch (field->size) {
    case 1:
        return *(const uint8_t *)member;
    case 4:
        return *(const uint32_t *)member;
    default:
        return *(const uint64_t *)member;
    }
}

bool log_field_is_there(const struct log_field *field, const void *line)
{
    const void *member = (const char *)line + field->at;

    switch (field->type) {
    case LOG_WORD:
    case LOG_QUOTED:
        return ((const struct span *)member)->at;
    case LOG_COUNT:
    case LOG_FLAG:
    case LOG_CODES:
        return number_in(field, member);
    case LOG_NUMBER:
    case LOG_REGISTER:
        return ((const struct log_number *)member)->is == LOG_THERE;
    case LOG_NUMBER_OR_ABSENT:
    case LOG_REGISTER_OR_ABSENT:
        return ((const struct log_number *)member)->is != LOG_NOT_THERE;
    case LOG_EVENT:
        return ((const struct log_event *)member)->event;
    case LOG_STATUS:
        return ((const struct debug_status *)member)->count;
    case LOG_TRIES:
        return ((const struct tries *)member)->count;
    case LOG_OWN:
        return false;
    default:
        return true;
    }
}

/* 0xffff4ff0:12,0xffff0ff0:1: a value, and at how many exceptions it was that. */
static void put_status(struct text *text, const struct debug_status *status)
{
    for (size_t i = 0; i < status->count; i++) {
        text_string(text, i ? ",0x" : "0x");
        text_hex(text, status->at[i].dr6);
        if (!status->at[i].times)
            continue;
        text_string(text, ":");
        text_decimal(text, status->at[i].times);
    }
    if (status->others) {
        text_string(text, ",other:");
        text_decimal(text, status->others);
    }
}

static void put_tries(struct text *text, const struct tries *tries)
{
    for (size_t i = 0; i < tries->count; i++) {
        text_string(text, i ? "," : "");
        text_decimal(text, tries->differed[i]);
    }
}

static void put_codes(struct text *text, const struct log_field *field, uint64_t codes)
{
    const char *between = "";

    for (size_t i = 0; i < field->word_count; i++) {
        if (!(codes >> i & 1))
            continue;
        text_string(text, between);
        text_string(text, field->words[i]);
        between = "+";
    }
}

static void put_bytes(struct text *text, const struct log_bytes *bytes)
{
    text_span(text, bytes->digits);
    for (size_t i = 0; i < bytes->count; i++)
        text_hex_padded(text, bytes->at[i], 2);
}

/* Firmware and processors may put anything into their names; a quote ends a value. */
static void put_printable(struct text *text, struct span span)
{
    for (size_t i = 0; i < span.length; i++) {
        const char c =
            span.at[i] >= ' ' && span.at[i] <= '~' && span.at[i] != '"' ? span.at[i] : '?';

        text_bytes(text, &c, 1);
    }
}

static void put_number(struct text *text, uint64_t value, bool in_hex)
{
    if (in_hex) {
        text_string(text, "0x");
        text_hex(text, value);
    } else {
        text_decimal(text, value);
    }
}

void log_put_value(struct text *text, const struct log_field *field, const void *line)
{
    const void *member = (const char *)line + field->at;
    const struct log_number *number = member;
    const bool in_hex = field->type == LOG_HEX || field->type == LOG_REGISTER ||
                        field->type == LOG_REGISTER_OR_ABSENT;

    switch (field->type) {
    case LOG_WORD:
        text_span(text, *(const struct span *)member);
        break;
    case LOG_QUOTED:
        put_printable(text, *(const struct span *)member);
        break;
    case LOG_CHOICE:
        text_string(text, field->words[number_in(field, member)]);
        break;
    case LOG_FLAG:
        text_string(text, field->words[0]);
        break;
    case LOG_DECIMAL:
    case LOG_HEX:
    case LOG_COUNT:
        put_number(text, number_in(field, member), in_hex);
        break;
    case LOG_NUMBER:
    case LOG_NUMBER_OR_ABSENT:
    case LOG_REGISTER:
    case LOG_REGISTER_OR_ABSENT:
        if (number->is == LOG_THERE)
            put_number(text, number->value, in_hex);
        else
            text_string(text, "absent");
        break;
    case LOG_EVENT:
        event_put(text, ((const struct log_event *)member)->event,
                  ((const struct log_event *)member)->umask);
        break;
    case LOG_STATUS:
        put_status(text, member);
        break;
    case LOG_TRIES:
        put_tries(text, member);
        break;
    case LOG_CODES:
        put_codes(text, field, number_in(field, member));
        break;
    case LOG_BYTES:
        put_bytes(text, member);
        break;
    case LOG_OWN:
        break;
    }
}

void log_put_named(struct text *text, enum log_line word, const char *key, const void *line)
{
    const struct log_field *field = log_words[word].fields;

    while (
        !(text_begins(log_key(field).at, key) && log_key(field).length == text_length(key)))
        field++;
    log_put_value(text, field, line);
}
