// LINK: common/base/text.c common/facts/model.c common/facts/trace_msr.c
// LINK: common/facts/filter.c common/facts/info.c common/facts/pmu.c common/facts/event.c
// LINK: common/base/number.c common/base/nearest.c common/request/setting.c
// LINK: common/facts/method_facts.c common/facts/skip_code.c
#include "common/request/request.c"

#include "common/facts/pmu.h"

#include "test.h"

static bool is_method(const char *name)
{
    return !strcmp(name, "step") || !strcmp(name, "btf+lbr") || !strcmp(name, "bts") ||
           !strcmp(name, "pmi");
}

static bool is_workload(const char *name)
{
    return !strcmp(name, "loop") || !strcmp(name, "int");
}

static struct request request;

/* What is said of a line, or "" where it is taken. */
static const char *read_as(const char *vendor, const char *model, const char *line)
{
    bool intel = strcmp(vendor, "GenuineIntel") == 0;
    struct request_names names = { { vendor, model_named(model), 4, intel },
                                   is_method,
                                   is_workload };
    const char *wrong = request_read(&request, line, &names);
    return wrong ? wrong : "";
}

static const char *read(const char *line)
{
    return read_as("GenuineIntel", "core2", line);
}

TEST(every_command_is_taken)
{
    static const char *const lines[REQUEST_COUNT] = {
        [REQUEST_HELP] = "help",
        [REQUEST_CPU] = "cpu",
        [REQUEST_PROBE] = "probe",
        [REQUEST_METHODS] = "methods",
        [REQUEST_WORKLOADS] = "workloads",
        [REQUEST_MSRS] = "msrs",
        [REQUEST_MSR_READ] = "msr read 0x1d9",
        [REQUEST_MSR_WRITE] = "msr write debugctl 1",
        [REQUEST_RUN] = "run bts loop",
        [REQUEST_LOG] = "log",
        [REQUEST_SAVE] = "save",
        [REQUEST_REBOOT] = "reboot",
        [REQUEST_EXIT] = "exit",
    };
    for (size_t i = 0; i < REQUEST_COUNT; i++) {
        CHECK_TEXT(read(lines[i]), "");
        CHECK(request.what == i);
    }
}

TEST(spaces_do_not_matter)
{
    CHECK_TEXT(read("  msr\t read   debugctl \r\n"), "");
    CHECK(request.what == REQUEST_MSR_READ && request.msr.number == 0x1d9);
}

TEST(a_register_is_given_by_name_or_number)
{
    CHECK_TEXT(read("msr read lastbranch_3_to_ip"), "");
    CHECK(request.msr.number == 0x63);
    CHECK_TEXT(read("msr read 473"), "");
    CHECK(request.msr.number == 0x1d9);
    CHECK_TEXT(request.msr.name, "IA32_DEBUGCTL");
    CHECK_TEXT(read("msr read 0xFFFFFFFF"), "");
    CHECK(request.msr.number == 0xffffffff);
    CHECK_TEXT(request.msr.name, "");
}

TEST(a_value_has_64_bits)
{
    CHECK_TEXT(read("msr write debugctl 0xffffffffffffffff"), "");
    CHECK(request.value == 0xffffffffffffffff);
    CHECK_TEXT(read("msr write debugctl 18446744073709551615"), "");
    CHECK(request.value == 0xffffffffffffffff);
    CHECK_TEXT(read("msr write debugctl 0x10000000000000000"),
               "msr write: got 0x10000000000000000, want a value of at most 64 bits, "
               "decimal or with 0x before it");
    CHECK_TEXT(read("msr write debugctl 18446744073709551616"),
               "msr write: got 18446744073709551616, want a value of at most 64 bits, "
               "decimal or with 0x before it");
    CHECK_TEXT(read("msr write debugctl -1"),
               "msr write: got -1, want a value of at most 64 bits, decimal or with 0x "
               "before it");
    CHECK_TEXT(read("msr write debugctl 0x"),
               "msr write: got 0x, want a value of at most 64 bits, decimal or with 0x "
               "before it");
    CHECK_TEXT(read("msr write debugctl 0x1g"),
               "msr write: got 0x1g, want a value of at most 64 bits, decimal or with 0x "
               "before it");
}

TEST(a_bad_register_is_named)
{
    CHECK_TEXT(read("msr read debugctrl"),
               "msr: got debugctrl, want a register: a number up to 0xffffffff, or one of "
               "those that `msrs` lists");
    CHECK_TEXT(read("msr read 0x100000000"),
               "msr: got 0x100000000, want a register: a number up to 0xffffffff, or one "
               "of those that `msrs` lists");
    CHECK_TEXT(read("msr read 1d9"),
               "msr: got 1d9, want a register: a number up to 0xffffffff, or one of those "
               "that `msrs` lists");
    CHECK_TEXT(read("msr write nothing 1"),
               "msr: got nothing, want a register: a number up to 0xffffffff, or one of "
               "those that `msrs` lists");
}

/* AMD's trace buffer, of which no manual tells: 12 registers, and the one that arms it. */
TEST(amds_undocumented_trace_registers_need_unsafe)
{
    for (uint32_t number = 0xc0011007; number <= 0xc0011011; number++) {
        char line[64], refused[160];
        snprintf(line, sizeof line, "msr write 0x%x 1", number);
        snprintf(refused, sizeof refused,
                 "msr write: 0x%x is no trace MSR that is harmless to write: put `unsafe` "
                 "before the command if you know what it does",
                 number);
        CHECK_TEXT(read_as("AuthenticAMD", "amd10h", line), refused);
        snprintf(line, sizeof line, "unsafe msr write 0x%x 1", number);
        CHECK_TEXT(read_as("AuthenticAMD", "amd10h", line), "");
        CHECK(request.what == REQUEST_MSR_WRITE && request.msr.number == number);
    }
}

TEST(a_write_that_may_do_harm_needs_unsafe)
{
    static const char refused[] =
        "msr write: 0x10 is no trace MSR that is harmless to write: put `unsafe` before "
        "the command if you know what it does";
    CHECK_TEXT(read("msr write 0x10 0"), refused);
    CHECK_TEXT(read("unsafe msr write 0x10 0"), "");
    CHECK(request.what == REQUEST_MSR_WRITE && request.msr.number == 0x10);
    CHECK_TEXT(read("msr write 0x10 0 unsafe"), "");
    CHECK(request.msr.number == 0x10 && request.value == 0);
    CHECK_TEXT(read("msr write ds_area 0x1000"),
               "msr write: ds_area is no trace MSR that is harmless to write: put `unsafe` "
               "before the command if you know what it does");
    CHECK_TEXT(read("msr read 0x10"), "");
    CHECK_TEXT(read("msr write 0x1d9 0"), "");
}

TEST(unsafe_goes_with_nothing_else)
{
    CHECK_TEXT(read("unsafe run bts loop"),
               "unsafe goes with msr write alone, not with run");
    CHECK_TEXT(read("msr read 0x10 unsafe"),
               "unsafe goes with msr write alone, not with msr read");
    CHECK_TEXT(read("unsafe"), "unsafe: want msr write REGISTER VALUE after it");
    CHECK_TEXT(read("msr write unsafe 0x10 0"),
               "msr write: 0 is too much; want: msr write REGISTER VALUE");
    CHECK_TEXT(read("unsafe msr write 0x10 0 unsafe"),
               "msr write: unsafe is too much; want: msr write REGISTER VALUE");
}

TEST(workloads_are_listed_and_their_code_is_shown_on_the_host)
{
    CHECK_TEXT(read("workloads"), "");
    CHECK_TEXT(
        read("workloads loop"),
        "workloads NAME is gone: run the workload, and `everybranch show LOG` on the "
        "host lists its code");
}

TEST(a_mistyped_command_is_answered_with_the_nearest)
{
    CHECK_TEXT(read("hepl"), "hepl: no such command; did you mean help?");
    CHECK_TEXT(read("workload"), "workload: no such command; did you mean workloads?");
    CHECK_TEXT(read("nonsense"), "nonsense: no such command: `help` lists them");
}

TEST(quit_is_exit)
{
    CHECK_TEXT(read("quit"), "");
    CHECK(request.what == REQUEST_EXIT);
    CHECK_TEXT(read("quit now"), "exit: now is too much; want: exit");
}

TEST(a_run_names_methods_and_workloads)
{
    CHECK_TEXT(read("run bts loop"), "");
    CHECK_TEXT(request.methods, "bts");
    CHECK_TEXT(request.workloads, "loop");
    CHECK(request.count == 1);
    CHECK_TEXT(read("run btf+lbr,step all 10000"), "");
    CHECK_TEXT(request.methods, "btf+lbr,step");
    CHECK_TEXT(request.workloads, "");
    CHECK(request.count == 10000);
}

TEST(a_run_of_what_there_is_not_is_refused)
{
    CHECK_TEXT(read("run bst loop"),
               "run: there is no method bst: `methods` lists them, `all` stands for them");
    CHECK_TEXT(read("run bts,all loop"),
               "run: there is no method all: `methods` lists them, `all` stands for them");
    CHECK_TEXT(read("run bts, loop"), "run: there is no method without a name: `methods` "
                                      "lists them, `all` stands for them");
    CHECK_TEXT(read("run bts loop,lop"), "run: there is no workload lop: `workloads` lists "
                                         "them, `all` stands for them");
    CHECK_TEXT(read("run bts ,"), "run: there is no workload without a name: `workloads` "
                                  "lists them, `all` stands for them");
}

TEST(a_bad_number_of_runs_is_named)
{
    CHECK_TEXT(read("run bts loop 0"), "run: got 0, want how often: 1 to 10000");
    CHECK_TEXT(read("run bts loop 10001"), "run: got 10001, want how often: 1 to 10000");
    CHECK_TEXT(read("run bts loop x3"), "run: got x3, want how often: 1 to 10000");
}

TEST(an_event_is_asked_for_by_name_or_number)
{
    CHECK_TEXT(read("run pmi loop event=cycles 3 period=1000 delivery=fixed"), "");
    CHECK(request.options.event.by == EVENT_BY_NAME &&
          request.options.event.name == EVENT_CYCLES);
    CHECK(request.count == 3 && request.options.period == 1000);
    CHECK(request.options.delivery == DELIVERY_FIXED);
    CHECK_TEXT(read("run pmi loop event=0xc4/0x20 delivery=nmi"), "");
    CHECK(request.options.event.by == EVENT_BY_NUMBER);
    CHECK(request.options.event.event == 0xc4 && request.options.event.umask == 0x20);
    CHECK(request.count == 1 && request.options.period == 0);
    CHECK(request.options.delivery == DELIVERY_NMI);
    CHECK_TEXT(read("run pmi loop"), "");
    CHECK(request.options.event.by == EVENT_OF_METHOD);
    CHECK(request.options.delivery == DELIVERY_OF_METHOD);
}

TEST(a_setting_that_is_none_is_named)
{
    CHECK_TEXT(read("run pmi loop 3 event="),
               "run: event=: event= wants taken, branches, instructions, cycles, "
               "mispredicted, or numbers, as 0xc4/0x20");
    CHECK_TEXT(read("run pmi loop event=0xc4/0x100"),
               "run: event=0xc4/0x100: event= wants taken, branches, instructions, cycles, "
               "mispredicted, or numbers, as 0xc4/0x20");
    CHECK_TEXT(read("run pmi loop period=0"),
               "run: period=0: period= wants a number from 1 to 1073741824, decimal or "
               "with 0x before it");
    CHECK_TEXT(read("run pmi loop period=1073741825"),
               "run: period=1073741825: period= wants a number from 1 to 1073741824, "
               "decimal or with 0x before it");
    CHECK_TEXT(read("run pmi loop delivery=smi"),
               "run: delivery=smi: delivery= wants fixed or nmi");
    CHECK_TEXT(read("run pmi loop evnt=cycles"),
               "run: got evnt=cycles, want filter=, event=, period= or delivery=");
    CHECK_TEXT(read("run pmi loop buffer=4"), /* of a whole boot */
               "run: got buffer=4, want filter=, event=, period= or delivery=");
    CHECK_TEXT(read("run pmi period=1"),
               "run: a word is missing; want: run METHOD WORKLOAD [N]");
    CHECK_TEXT(read("log period=1"), "log: got period=1, want how many lines: 0 to 60");
}

TEST(a_setting_stands_once)
{
    CHECK_TEXT(read("run bts loop filter=user filter=user"), "run: filter= is given twice");
    CHECK_TEXT(read("run pmi loop period=2 3 period=3"), "run: period= is given twice");
    CHECK_TEXT(read("run pmi loop period=2 event=cycles"), "");
}

TEST(a_setting_that_no_method_looks_at_is_told)
{
    CHECK_TEXT(read("run step loop period=5"),
               "run: period= does nothing for step: only for lbr-stream, pmi or brs");
    CHECK_TEXT(read("run step,bts loop event=cycles"),
               "run: event= does nothing for step,bts: only for pmi");
    CHECK_TEXT(read("run bts loop delivery=nmi"),
               "run: delivery= does nothing for bts: only for bts-pmi, bts-each, "
               "lbr-stream, pmi or brs");
    CHECK_TEXT(read("run step loop filter=jcc"),
               "run: filter= does nothing for step: only for lbr, bts, bts-pmi, "
               "bts-each, lbr-stream, ler or pt");
    CHECK_TEXT(read("run step,pmi loop period=5"), ""); /* one does */
    CHECK_TEXT(read("run all loop period=5 event=cycles"), "");
}

TEST(the_lines_of_the_log_are_counted)
{
    CHECK_TEXT(read("log"), "");
    CHECK(request.count == 10);
    CHECK_TEXT(read("log 60"), "");
    CHECK(request.count == 60);
    CHECK_TEXT(read("log 61"), "log: got 61, want how many lines: 0 to 60");
    CHECK_TEXT(read("log all"), "log: got all, want how many lines: 0 to 60");
}

TEST(a_word_missing_or_too_much_is_named)
{
    CHECK_TEXT(read("run"), "run: a word is missing; want: run METHOD WORKLOAD [N]");
    CHECK_TEXT(read("run bts"), "run: a word is missing; want: run METHOD WORKLOAD [N]");
    CHECK_TEXT(read("run bts loop 3 4"), "run: 4 is too much; want: run METHOD WORKLOAD "
                                         "[N]");
    CHECK_TEXT(read("msr read"), "msr read: a word is missing; want: msr read REGISTER");
    CHECK_TEXT(read("msr write 0x1d9"), "msr write: a word is missing; want: msr write "
                                        "REGISTER VALUE");
    CHECK_TEXT(read("cpu now"), "cpu: now is too much; want: cpu");
    CHECK_TEXT(read("msr"), "msr: want msr read REGISTER or msr write REGISTER VALUE");
    CHECK_TEXT(read("msr rd 1"), "msr: want msr read REGISTER or msr write REGISTER VALUE");
}

TEST(an_unknown_command_is_named)
{
    CHECK_TEXT(read("rn bts loop"), "rn: no such command; did you mean run?");
    CHECK_TEXT(read("ru"), "ru: no such command; did you mean run?");
    CHECK_TEXT(read("runs"), "runs: no such command; did you mean run?");
    CHECK_TEXT(read("CPU"), "CPU: no such command; did you mean cpu?");
    CHECK_TEXT(read("\"cpu\""), "\"cpu\": no such command: `help` lists them");
}

TEST(a_run_takes_a_filter_wherever_it_stands)
{
    CHECK_TEXT(read("run bts loop"), "");
    CHECK_TEXT(request.options.filters, "");
    CHECK_TEXT(read("run bts loop filter=jcc+far,each"), "");
    CHECK_TEXT(request.options.filters, "jcc+far,each");
    CHECK(request.count == 1);
    CHECK_TEXT(read("run filter=callstack bts loop 3"), "");
    CHECK_TEXT(request.options.filters, "callstack");
    CHECK(request.count == 3);
    CHECK_TEXT(request.workloads, "loop");
    CHECK_TEXT(read("run bts loop filter=loops"),
               "run: filter=loops: filter= wants one or more of none, kernel, user, "
               "jcc, call, icall, "
               "ret, ijmp, jmp, far, callstack joined by +, or each, pairs, every");
    CHECK(strstr(read("run bts loop filter="),
                 "run: filter=: filter= wants one or more of none, "));
    CHECK(*read("run bts filter=jcc"));
    CHECK(*read("log filter=jcc"));
}

TEST(a_line_that_is_none_is_refused)
{
    static char line[200];
    CHECK_TEXT(read(""), "no command: `help` lists them");
    CHECK_TEXT(read(" \t"), "no command: `help` lists them");
    CHECK_TEXT(read("cpu \x1b[A"), "the line has a character that is not ASCII");
    CHECK_TEXT(read("cpu \xff"), "the line has a character that is not ASCII");
    CHECK_TEXT(read("run bts loop; cpu"), "the line has a `;`: want one command");
    CHECK_TEXT(read("cpu;"), "the line has a `;`: want one command");
    CHECK_TEXT(read("a b c d e f g h i"), "the line has too many words: want at most 8");
    memset(line, 'a', 160);
    CHECK(strstr(read(line), "aaa: no such command"));
    line[160] = 'a';
    CHECK_TEXT(read(line), "the line is too long: want at most 160 characters");
}
