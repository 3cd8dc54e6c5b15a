/* log_grammar.h */
#include "log_grammar.h"

/* The lines of records are most of a log, so they are found first. */
const struct log_word log_words[LOG_WORDS] = {
    [WORD_BRANCH] = { .line = "branch FROM TO [xN]",
                      .section = LOG_IN_RUN,
                      .shown = LOG_IN_CAT,
                      .published = "records" },
    [WORD_STOP] = { .line = "stop TO [taken|not-taken] [late=N] [xN]",
                    .section = LOG_IN_RUN,
                    .shown = LOG_IN_CAT,
                    .published = "stops" },
    [WORD_AGAIN] = { .line = "again RECORDS xN",
                     .section = LOG_IN_RUN,
                     .shown = LOG_IN_CAT,
                     .published = "repeated records" },
    [WORD_DATA] = { .line = "data BASE64",
                    .section = LOG_IN_RUN,
                    .shown = LOG_IN_CAT,
                    .published = "their bytes" },
    [WORD_PACKED] = { .line = "packed records=d bytes=d coder=d [run=d]",
                      .section = LOG_IN_RUN,
                      .shown = LOG_IN_CAT,
                      .published = "packed records" },
    [WORD_PACKETS] = { .line = "packets bytes=d status=x [packed=d coder=d] [unit=bit]",
                       .section = LOG_IN_RUN,
                       .shown = LOG_IN_CAT,
                       .published = "Processor Trace packets" },
    [WORD_INFO] = { .line = "info INFO [xN]", .section = LOG_IN_RUN },
    [WORD_EVERYBRANCH] = { .line = "everybranch log=d build=w",
                           .section = LOG_ANYWHERE,
                           .shown = LOG_IN_CAT,
                           .published = "version and build" },
    [WORD_LINUX] = { .line = "linux release=q",
                     .section = LOG_BEFORE_PLAN,
                     .shown = LOG_IN_CAT,
                     .published = "that a process under Linux made the runs, its release" },
    [WORD_FIRMWARE] = { .line = "firmware vendor=q revision=x",
                        .section = LOG_BEFORE_PLAN,
                        .shown = LOG_OF_MACHINE | LOG_IN_CAT,
                        .published = "who made the firmware, its revision" },
    [WORD_BIOS] = { .line = "bios vendor=q! version=q date=q! secure_boot=on|off|unknown",
                    .section = LOG_BEFORE_PLAN,
                    .shown = LOG_OF_MACHINE | LOG_IN_CAT,
                    .published = "its version, Secure Boot" },
    [WORD_SYSTEM] = { .line = "system vendor=q! product=q board_vendor=q! board_product=q",
                      .section = LOG_BEFORE_PLAN,
                      .shown = LOG_OF_MACHINE | LOG_IN_CAT,
                      .published = "the product, its board" },
    [WORD_CPU] = { .line = "cpu microcode=x brand=q",
                   .section = LOG_OF_CPU,
                   .shown = LOG_OF_MACHINE | LOG_IN_CAT,
                   .published = "microcode and brand" },
    [WORD_FEATURES] = { .line = "features perf_capabilities=a misc_enable=a",
                        .section = LOG_OF_CPU,
                        .published = "two MSRs that say what the trace hardware has" },
    [WORD_CPUID] = { .line = "cpuid leaf=x subleaf=x eax=x ebx=x ecx=x edx=x",
                     .section = LOG_OF_CPU,
                     .published = "leaves of CPUID, never that of a serial number" },
    [WORD_MODEL] = { .line = "model name=w",
                     .section = LOG_OF_CPU,
                     .shown = LOG_OF_MACHINE | LOG_IN_CAT,
                     .published = "the row of the model table" },
    [WORD_IMAGE] = { .line = "image base=x size=x",
                     .section = LOG_BEFORE_PLAN,
                     .published = "where the program lay" },
    [WORD_CALLER] = { .line = "caller call=x return=x [at=x bytes=w]",
                      .section = LOG_BEFORE_PLAN,
                      .published = "where its window lay" },
    [WORD_APIC] = { .line = "apic mode=off|xapic|x2apic",
                    .section = LOG_BEFORE_PLAN,
                    .published = "in which mode the local APIC was" },
    [WORD_LEFT] = { .line = "left debugctl=a [lbr_ctl=x] [smi_count=a-] [counters=x]",
                    .section = LOG_BEFORE_PLAN,
                    .shown = LOG_IN_CAT,
                    .published =
                        "what the firmware left on, and how many SMIs there were" },
    [WORD_SERIAL] = { .line = "serial from=option|spcr|dbg2|com|pci|none tried=d "
                              "[space=io|mmio at=x "
                              "stride=d width=d clock=d baud=d divisor=d before=d]",
                      .section = LOG_BEFORE_PLAN },
    [WORD_AVOID] = { .line = "avoid [facility=facility] [method=w [workload=w [filter=w]]] "
                             "[bench] log=w",
                     .section = LOG_BEFORE_PLAN,
                     .published = "what an earlier boot died of" },
    [WORD_FACILITY] = { .line = "facility name=facility "
                                "outcome=works|deviates|dead|faults|absent|avoided|denied "
                                "evidence=q [interrupts=d- typical=d- most=d-]",
                        .section = LOG_OF_CPU,
                        .shown = LOG_IN_CAT,
                        .published = "what was found by trying" },
    [WORD_PROCESSORS] = { .line = "processors way=mp-services|init-sipi|none- found=d- "
                                  "wanted=d- started=d "
                                  "together=same|different",
                          .section = LOG_BEFORE_PLAN,
                          .shown = LOG_IN_CAT,
                          .published = "how many processors took part" },
    [WORD_PROCESSOR] = { .line = "processor n=d apic=x- like=d [debugctl=a- [lbr_ctl=x-] "
                                 "[smi_count=a-] "
                                 "[counters=x-]]",
                         .section = LOG_BEFORE_PLAN,
                         .shown = LOG_IN_CAT,
                         .published = "each of them, its number and its APIC's" },
    [WORD_BUNDLE] = { .line = "bundle file=q! bytes=d",
                      .section = LOG_BEFORE_PLAN,
                      .shown = LOG_IN_CAT,
                      .published = "WORKLOADS OF YOUR OWN, without their files' names" },
    [WORD_BYTES] = { .line = "bytes BASE64",
                     .section = LOG_BEFORE_PLAN,
                     .shown = LOG_IN_CAT,
                     .published = "...their code, labels and expectations" },
    [WORD_REJECTED] = { .line = "rejected file=q why=q",
                        .section = LOG_BEFORE_PLAN,
                        .shown = LOG_IN_CAT },
    [WORD_WORKLOAD] = { .line = "workload name=w at=x- size=x stubs=d about=q",
                        .section = LOG_BEFORE_PLAN,
                        .shown = LOG_IN_CAT,
                        .published = "the workloads" },
    [WORD_LABELS] = { .line = "labels of=w LABELS",
                      .section = LOG_BEFORE_PLAN,
                      .published = "their labels" },
    [WORD_CODE] = { .line = "code of=w at=x bytes=w",
                    .section = LOG_BEFORE_PLAN,
                    .published = "their bytes" },
    [WORD_PLAN] = { .line = "plan [methods=w] [workloads=w] [filters=w] [runs=d]",
                    .section = LOG_PLAN,
                    .published = "what runs were planned" },
    [WORD_TRY] = { .line = "try [facility=facility] [method=w [workload=w [filter=w]]] "
                           "[round=d] [msr=x] "
                           "[bench] [runs] [end] [idle] "
                           "[take=tables|segments|interrupts|processor]",
                   .section = LOG_BETWEEN_RUNS },
    [WORD_COMMAND] = { .line = "command text=q",
                       .section = LOG_BETWEEN_RUNS,
                       .shown = LOG_IN_CAT,
                       .published = "the commands that were typed" },
    [WORD_ANSWER] = { .line = "answer text=q",
                      .section = LOG_BETWEEN_RUNS,
                      .shown = LOG_IN_CAT },
    [WORD_MSR] = { .line = "msr [read=x] [write=x] name=w [value=x] gives=w",
                   .section = LOG_BETWEEN_RUNS,
                   .shown = LOG_IN_CAT,
                   .published = "what registers of the trace hardware held" },
    [WORD_ROUND] = { .line = "round n=d processors=d",
                     .section = LOG_BETWEEN_RUNS,
                     .published = "which runs were made at once" },
    [WORD_LOST] = { .line = "lost processor=d why=q",
                    .section = LOG_BETWEEN_RUNS,
                    .published = "processors that did not come back" },
    [WORD_RUN] = { .line = "run n=d method=w workload=w [filter=w] [processor=d] [info=w-] "
                           "[buffer=d "
                           "[threshold=d delivery=fixed|nmi]] [event=w period=d "
                           "delivery=fixed|nmi "
                           "[freeze=1]]",
                   .section = LOG_BETWEEN_RUNS,
                   .shown = LOG_IN_CAT,
                   .published = "runs" },
    [WORD_SKIP] = { .line = "skip n=d method=w workload=w [filter=w] [processor=d] why=w",
                    .section = LOG_BETWEEN_RUNS,
                    .shown = LOG_IN_CAT,
                    .published = "runs that could not be made, and why" },
    [WORD_RAN] = { .line = "ran n=d outcome=ended|crashed|budget|timeout|livelock|gone "
                           "records=d "
                           "events=d lost=d ticks=d- [wrong_path=d-] [inserts=w-] "
                           "[armed=d- open=d-] "
                           "[repeated=d-] [differed=w-] [smis=d-] [nmis=d-] [dr6=w] "
                           "[counted=d-] "
                           "[entries=d- returns=d- [skid=d- most=d-] unmasked=d-] "
                           "[result=x] [vector=d "
                           "at=w]",
                   .section = LOG_IN_RUN,
                   .shown = LOG_IN_CAT,
                   .published = "how runs ended, counts, ticks" },
    [WORD_COST] = { .line = "cost n=d asked=d made=d least=d most=d",
                    .section = LOG_BETWEEN_RUNS,
                    .published = "how often a run was made, and the ticks that took" },
    [WORD_CYCLES] = { .line = "cycles done=d checked=d alive=d",
                      .section = LOG_BETWEEN_RUNS,
                      .published = "how often the machine was borrowed" },
    [WORD_NOTE] = { .line = "note text=q", .section = LOG_ANYWHERE },
    [WORD_PANIC] = { .line = "panic why=q REGISTERS", .section = LOG_ANYWHERE },
    [WORD_END] = { .line = "end runs=d ran=d skipped=d records=d [nmis=d-]",
                   .section = LOG_BETWEEN_RUNS,
                   .shown = LOG_IN_CAT,
                   .published = "sums" },
};

enum log_line log_word(const char *word, size_t length)
{
    enum log_line i = 0;

    for (; i < LOG_WORDS; i++) {
        const char *known = log_words[i].line;
        size_t at = 0;

        while (at < length && word[at] == known[at])
            at++;
        if (at == length && known[at] == ' ')
            break;
    }
    return i;
}

const char *log_fields(enum log_line word)
{
    const char *at = log_words[word].line;

    while (*at != ' ')
        at++;
    return at + 1;
}

const char *log_field_end(const char *at)
{
    while (*at && *at != ' ' && *at != ']')
        at++;
    return at;
}

const char *log_group_end(const char *at)
{
    for (int depth = 1; depth > 0; at++)
        depth += (*at == '[') - (*at == ']');
    return at;
}
