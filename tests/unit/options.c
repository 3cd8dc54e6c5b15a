// LINK: common/facts/filter.c common/facts/info.c common/base/text.c common/facts/pmu.c
// LINK: common/facts/event.c common/facts/skip_code.c common/base/number.c
// LINK: common/base/nearest.c common/request/setting.c common/facts/method_facts.c
#include "boot/options.c"
#include "common/facts/pmu.h"

#include "test.h"

static char text[256];

/* Parses and gives the refused word, or "" where all is taken. */
static const char *parse(struct options *options, const char *words)
{
    static char word[SETTING_SENTENCE];
    strcpy(text, words);
    *options = options_default();
    struct option_parser reading = { options, text, 1, NULL, { 0 } };
    read_all(&reading);
    snprintf(word, sizeof word, "%s", reading.wrong ? reading.wrong : "");
    if (strstr(word, ": "))
        *strstr(word, ": ") = 0;
    return word;
}

/* Whether all of it is taken. */
static bool takes(char *words)
{
    struct options o = options_default();
    struct option_parser reading = { &o, words, 1, NULL, { 0 } };
    read_all(&reading);
    return !reading.wrong;
}

static const char *of_file(struct options *options, const char *bytes, size_t size)
{
    memset(text, 0, sizeof text);
    memcpy(text, bytes, size);
    *options = options_default();
    const char *wrong = options_of_file(options, text, size);
    return wrong ? wrong : "";
}

#define OF_FILE(o, bytes) of_file(o, bytes, sizeof(bytes) - 1)

static const char *ignored;

static const char *of_load(struct options *options, const void *data, size_t bytes)
{
    *options = options_default();
    const char *wrong =
        options_of_load(options, data, bytes, text_into(text, sizeof text), &ignored);
    return wrong ? wrong : "";
}

#define OF_LOAD(o, words) of_load(o, words, sizeof(words))
#define WORDS_IGNORED     "these words of the load options are not ours, and are ignored:"

TEST(without_options_all_is_traced_and_a_port_searched)
{
    struct options o;
    CHECK_TEXT(parse(&o, ""), "");
    CHECK(o.workloads[0] == 0 && o.methods[0] == 0);
    CHECK(o.serial.choice == SERIAL_SEARCH && o.timeout == 60);
    CHECK(o.baud == 0 && o.clock == 0);
    CHECK(!o.exit_boot_services && !o.info && !o.cycles && !o.cost);
    CHECK(!o.processors);
    CHECK(!o.retry && !o.returns);
    CHECK(!o.buffer && !o.threshold && o.delivery == DELIVERY_OF_METHOD);
    CHECK(o.event.by == EVENT_OF_METHOD && !o.period);
    CHECK(!o.monitor && o.commands[0] == 0);
}

TEST(every_option_is_taken)
{
    struct options o;
    CHECK_TEXT(parse(&o, "workload=loop,int\r\nmethod=btf+lbr\nserial=0x2F8\n"
                         "timeout=5\nbaud=9600\nclock=48000000\nexit-boot-services\n"
                         "info\ncost=20\ncycles=1000\nretry\nexit=return\nmonitor\n"
                         "buffer=2796202\nthreshold=0x10\ndelivery=nmi\n"
                         "event=0x1c4/0xff\nperiod=1073741824\n"),
               "");
    CHECK_TEXT(o.workloads, "loop,int");
    CHECK_TEXT(o.methods, "btf+lbr");
    CHECK(o.serial.choice == SERIAL_GIVEN && o.serial.address == 0x2f8 && o.timeout == 5);
    CHECK(o.baud == 9600 && o.clock == 48000000);
    CHECK(o.exit_boot_services && o.info);
    CHECK(o.cycles == 1000);
    CHECK(o.cost == 20);
    CHECK(o.retry && o.returns);
    CHECK(o.monitor);
    CHECK(o.buffer == 2796202 && o.threshold == 16 && o.delivery == DELIVERY_NMI);
    CHECK(o.event.by == EVENT_BY_NUMBER && o.period == 1073741824);
    CHECK(o.event.event == 0x1c4 && o.event.umask == 0xff);
    CHECK_TEXT(parse(&o, "filter=jcc+far,each"), "");
    CHECK_TEXT(o.filters, "jcc+far,each");
    CHECK_TEXT(parse(&o, "event=instructions period=1"), "");
    CHECK(o.event.by == EVENT_BY_NAME && o.event.name == EVENT_INSTRUCTIONS);
    CHECK(o.period == 1);
    CHECK_TEXT(parse(&o, "processors=all"), "");
    CHECK(o.processors == PROCESSORS_ALL);
    CHECK_TEXT(parse(&o, "processors=256"), "");
    CHECK(o.processors == 256);
    CHECK_TEXT(parse(&o, "delivery=fixed buffer=1 threshold=1"), "");
    CHECK(o.buffer == 1 && o.threshold == 1 && o.delivery == DELIVERY_FIXED);
}

TEST(a_serial_port_is_given_by_its_way_and_place)
{
    static const struct {
        const char *word;
        bool mmio;
        uint64_t address;
        unsigned bytes;
    } cases[] = {
        { "serial=760", false, 760, 1 },
        { "serial=io:0x2f8", false, 0x2f8, 1 },
        { "serial=0xfff8", false, 0xfff8, 1 },
        { "serial=mmio:0xfe000001", true, 0xfe000001, 1 },
        { "serial=mmio16:0xfe000002", true, 0xfe000002, 2 },
        { "serial=mmio32:0xfedc9000", true, 0xfedc9000, 4 },
        { "serial=mmio32:0x7ffffffff000", true, 0x7ffffffff000, 4 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options o;
        CHECK_TEXT(parse(&o, cases[i].word), "");
        CHECK(o.serial.choice == SERIAL_GIVEN && o.serial.mmio == cases[i].mmio);
        CHECK(o.serial.address == cases[i].address);
        CHECK(o.serial.bytes == cases[i].bytes);
    }
}

TEST(no_serial_port_can_be_asked_for)
{
    struct options o;
    CHECK_TEXT(parse(&o, "serial=none"), "");
    CHECK(o.serial.choice == SERIAL_NONE);
    CHECK_TEXT(parse(&o, "serial=0"), "");
    CHECK(o.serial.choice == SERIAL_NONE);
}

TEST(a_bad_serial_port_is_named)
{
    static const char *const words[] = {
        "serial=",
        "serial=0x10000",
        "serial=0xfff9",
        "serial=0x",
        "serial=nine",
        "serial=io:",
        "serial=io:0",
        "serial=io:0x10000",
        "serial=mmio:0",
        "serial=mmio:0x7ffffffff001",
        "serial=mmio:0x10000000000000000",
        "serial=mmio16:0xfe000001",
        "serial=mmio32:0xfe000002",
        "serial=mmio64:0xfe000000",
        "serial=mmio32:0xfe000000,4",
        "serial=none:0",
        "serial=mmio32",
        "serial=io:mmio:1",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct options o;
        CHECK_TEXT(parse(&o, words[i]), words[i]);
    }
}

TEST(words_of_one_line_are_options_too)
{
    struct options o;
    CHECK_TEXT(parse(&o, "  method=lbr\ttimeout=7  "), "");
    CHECK_TEXT(o.methods, "lbr");
    CHECK(o.timeout == 7);
}

TEST(a_comment_goes_to_the_end_of_its_line)
{
    struct options o;
    CHECK_TEXT(parse(&o, "# timeout=1 nonsense\n#\ntimeout=3 # and more nonsense"), "");
    CHECK(o.timeout == 3);
}

TEST(a_command_goes_to_the_end_of_its_line)
{
    struct options o;
    CHECK_TEXT(parse(&o, "do cpu\r\n  do \t msr read debugctl  \ntimeout=3\ndo run bts "
                         "loop 3 # thrice\ndo log"),
               "");
    CHECK_TEXT(o.commands, "cpu\nmsr read debugctl\nrun bts loop 3\nlog\n");
    CHECK(o.timeout == 3 && !o.monitor);
}

TEST(commands_of_one_line_stand_between_semicolons)
{
    struct options o;
    CHECK_TEXT(parse(&o, "timeout=3 do cpu; do run bts loop;monitor method=lbr"), "");
    CHECK_TEXT(o.commands, "cpu\nrun bts loop\n");
    CHECK(o.timeout == 3 && o.monitor);
    CHECK_TEXT(o.methods, "lbr");
}

TEST(a_command_that_is_none_is_named)
{
    struct options o;
    static char words[COMMANDS_SIZE + 8] = "do ";
    CHECK_TEXT(parse(&o, "timeout=3\ndo \nmonitor"), "do");
    CHECK(!o.monitor);
    CHECK_TEXT(parse(&o, "do ;do cpu"), "do");
    CHECK_TEXT(parse(&o, "do"), "do");
    CHECK_TEXT(parse(&o, "do=cpu"), "do=cpu");
    CHECK_TEXT(parse(&o, "dont cpu"), "dont");
    memset(words + 3, 'a', COMMANDS_SIZE - 2);
    CHECK(takes(words));
    words[COMMANDS_SIZE + 1] = 'a';
    CHECK(!takes(words));
}

TEST(an_unknown_word_is_named)
{
    struct options o;
    CHECK_TEXT(parse(&o, "timeout=3\nworklaod=loop\n"), "worklaod=loop");
    CHECK_TEXT(parse(&o, "exit-boot-services=1"), "exit-boot-services=1");
    CHECK_TEXT(parse(&o, "workload"), "workload");
    CHECK_TEXT(parse(&o, "exit=stay"), "exit=stay");
    CHECK_TEXT(parse(&o, "retry=bts"), "retry=bts");
    CHECK_TEXT(parse(&o, "info2"), "info2");
}

TEST(a_bad_number_is_named)
{
    struct options o;
    CHECK_TEXT(parse(&o, "timeout="), "timeout=");
    CHECK_TEXT(parse(&o, "timeout=12s"), "timeout=12s");
    CHECK_TEXT(parse(&o, "timeout=-1"), "timeout=-1");
    CHECK_TEXT(parse(&o, "timeout=4294967296"), "timeout=4294967296");
    CHECK_TEXT(parse(&o, "timeout=0x:"), "timeout=0x:");
    CHECK_TEXT(parse(&o, "timeout=0xg"), "timeout=0xg");
    CHECK_TEXT(parse(&o, "baud=299"), "baud=299");
    CHECK_TEXT(parse(&o, "baud=4000001"), "baud=4000001");
    CHECK_TEXT(parse(&o, "baud=115200n8"), "baud=115200n8");
    CHECK_TEXT(parse(&o, "clock=99999"), "clock=99999");
    CHECK_TEXT(parse(&o, "clock=1000000001"), "clock=1000000001");
    CHECK_TEXT(parse(&o, "buffer=0"), "buffer=0");
    CHECK_TEXT(parse(&o, "buffer=4294967296"), "buffer=4294967296");
    CHECK_TEXT(parse(&o, "buffer=64M"), "buffer=64M");
    CHECK_TEXT(parse(&o, "threshold=0"), "threshold=0");
    CHECK_TEXT(parse(&o, "threshold="), "threshold=");
    CHECK_TEXT(parse(&o, "processors=0"), "processors=0");
    CHECK_TEXT(parse(&o, "processors=257"), "processors=257");
    CHECK_TEXT(parse(&o, "processors=both"), "processors=both");
    CHECK_TEXT(parse(&o, "processors="), "processors=");
    CHECK_TEXT(parse(&o, "delivery=smi"), "delivery=smi");
    CHECK_TEXT(parse(&o, "filter=loops"), "filter=loops");
    CHECK_TEXT(parse(&o, "filter="), "filter=");
    CHECK_TEXT(parse(&o, "delivery="), "delivery=");
    CHECK_TEXT(parse(&o, "event="), "event=");
    CHECK_TEXT(parse(&o, "event=branch"), "event=branch");
    CHECK_TEXT(parse(&o, "event=0"), "event=0");
    CHECK_TEXT(parse(&o, "event=0x0/0x1"), "event=0x0/0x1");
    CHECK_TEXT(parse(&o, "event=0x1000"), "event=0x1000");
    CHECK_TEXT(parse(&o, "event=0xc4/"), "event=0xc4/");
    CHECK_TEXT(parse(&o, "event=0xc4/0x"), "event=0xc4/0x");
    CHECK_TEXT(parse(&o, "event=0xc4/0x1/0x2"), "event=0xc4/0x1/0x2");
    CHECK_TEXT(parse(&o, "event=0xC4"), "event=0xC4");
    CHECK_TEXT(parse(&o, "period=0"), "period=0");
    CHECK_TEXT(parse(&o, "period=1073741825"), "period=1073741825");
}

TEST(a_list_that_is_too_long_is_refused)
{
    static char words[LIST_SIZE + 32];
    memset(words, 'a', 9 + LIST_SIZE - 1);
    memcpy(words, "workload=", 9);
    CHECK(takes(words));
    words[9 + LIST_SIZE - 1] = 'a';
    CHECK(!takes(words));
}

#define ALL_OPTIONS                                                                \
    ": there is no such option, want one of workload= method= filter= info cost= " \
    "timeout= "                                                                    \
    "retry monitor processors= buffer= threshold= event= period= delivery= "       \
    "serial= baud= clock= exit-boot-services exit= cycles= or do COMMAND"

TEST(what_is_wrong_with_a_file_is_told_with_its_line)
{
    struct options o;
    CHECK_TEXT(OF_FILE(&o, "# retry\r\n\r\nretry bogus=1\r\nworse"),
               "everybranch.cfg:3: bogus=1" ALL_OPTIONS);
    CHECK(o.retry);
    CHECK_TEXT(OF_FILE(&o, "WORKLOAD=loop\n"),
               "everybranch.cfg:1: WORKLOAD=loop: there is no such option; did you mean "
               "workload?");
    CHECK_TEXT(
        OF_FILE(&o, "\nexit-boot-srevices\n"),
        "everybranch.cfg:2: exit-boot-srevices: there is no such option; did you mean "
        "exit-boot-services?");
    CHECK_TEXT(OF_FILE(&o, "method=lbr,bst,xx\n"),
               "everybranch.cfg:1: method=lbr,bst,xx: there is no method bst; did you mean "
               "bts?");
    CHECK_TEXT(OF_FILE(&o, "do cpu; log\ndo help\n"), "everybranch.cfg:1: log" ALL_OPTIONS);
    CHECK_TEXT(OF_FILE(&o, "monitor\ndo cpu\ndo # nothing\n"),
               "everybranch.cfg:3: do: want a command of the monitor after it");
    CHECK_TEXT(OF_FILE(&o, "\n\n\n\n\n\n\n\n\n\n\xff\x1b[2J"),
               "everybranch.cfg:11: ??[2J" ALL_OPTIONS);
    CHECK_TEXT(OF_FILE(&o, "anything="
                           "123456789012345678901234567890123456789012345678901"),
               "everybranch.cfg:1: anything="
               "123456789012345678901234567890123456789012345678901" ALL_OPTIONS);
    CHECK_TEXT(OF_FILE(&o, "anything="
                           "1234567890123456789012345678901234567890123456789012"),
               "everybranch.cfg:1: anything="
               "123456789012345678901234567890123456789012345678901..." ALL_OPTIONS);
}

TEST(an_option_that_there_was_is_answered_with_what_to_do_instead)
{
    struct options o;
    CHECK_TEXT(OF_FILE(&o, "bench"),
               "everybranch.cfg:1: bench: the option is gone: cost=20 and `everybranch "
               "cost` say what an exception costs");
    CHECK_TEXT(OF_FILE(&o, "processors=all\ntogether=different"),
               "everybranch.cfg:2: together=different: the option is gone: with "
               "processors= all processors make the same run");
    CHECK_TEXT(
        OF_LOAD(&o, u"together=different"),
        "in the load options: together=different: the option is gone: with processors= all "
        "processors make the same run");
}

TEST(what_may_stand_there_is_told)
{
    struct options o;
    CHECK_TEXT(OF_FILE(&o, "\ntimeout=12s"),
               "everybranch.cfg:2: timeout=12s: timeout= wants a number from 0 to "
               "4294967295, decimal or with 0x before it");
    CHECK_TEXT(OF_FILE(&o, "processors=some"),
               "everybranch.cfg:1: processors=some: processors= wants a number from 1 to "
               "256, decimal or with 0x before it, or all");
    CHECK_TEXT(OF_FILE(&o, "exit=stay"),
               "everybranch.cfg:1: exit=stay: exit= wants return");
    CHECK_TEXT(OF_FILE(&o, "retry=bts"),
               "everybranch.cfg:1: retry=bts: want it without a value");
    CHECK_TEXT(OF_FILE(&o, "workload=loop,,wt"),
               "everybranch.cfg:1: workload=loop,,wt: workload= wants names with a comma "
               "between");
    CHECK_TEXT(
        OF_FILE(&o, "method=bts,xyz"),
        "everybranch.cfg:1: method=bts,xyz: method= wants one or more of "
        "step, btf, btf+lbr, "
        "lbr, bts, bts-pmi, bts-each, none, tr, lbr-stream, pmi, ler, brs or pt, with "
        "commas between");
    CHECK_TEXT(
        OF_FILE(&o, "method"),
        "everybranch.cfg:1: method: method= wants one or more of step, btf, btf+lbr, "
        "lbr, bts, bts-pmi, bts-each, none, tr, lbr-stream, pmi, ler, brs or pt, with "
        "commas between");
    CHECK_TEXT(OF_FILE(&o, "filter=jccc"),
               "everybranch.cfg:1: filter=jccc: filter= wants one or more of none, "
               "kernel, user, jcc, "
               "call, icall, ret, ijmp, jmp, far, callstack joined by +, or each, pairs, "
               "every");
    CHECK_TEXT(OF_FILE(&o, "event=branch"),
               "everybranch.cfg:1: event=branch: event= wants taken, branches, "
               "instructions, cycles, mispredicted, or numbers, as 0xc4/0x20");
    CHECK_TEXT(OF_FILE(&o, "serial=com1"),
               "everybranch.cfg:1: serial=com1: serial= wants a port below 0xfff9, io:, "
               "mmio:, mmio16: or mmio32: and an address aligned to that width, or none");
    CHECK_TEXT(OF_FILE(&o, "timeout"),
               "everybranch.cfg:1: timeout: timeout= wants a number from 0 to 4294967295, "
               "decimal or with 0x before it");
}

TEST(the_line_of_the_workloads_is_kept)
{
    struct options o;
    CHECK_TEXT(OF_FILE(&o, "retry\n\nworkload=loop\nmethod=bts\n"), "");
    CHECK(o.workloads_line == 3);
    CHECK_TEXT(of_load(&o, u"retry workload=wt", 2 * 18), "");
    CHECK(o.workloads_line == 0);
}

TEST(the_mark_of_utf_8_is_passed_over_at_the_begin_alone)
{
    struct options o;
    CHECK_TEXT(OF_FILE(&o, "\xef\xbb\xbfretry\n"), "");
    CHECK(o.retry);
    CHECK_TEXT(OF_FILE(&o, "\xef\xbb\xbf"), "");
    CHECK_TEXT(OF_FILE(&o, ""), "");
    CHECK_TEXT(OF_FILE(&o, "\xef\xbbretry"),
               "everybranch.cfg:1: ??retry: there is no such option; did you mean retry?");
    CHECK_TEXT(OF_FILE(&o, "retry\n\xef\xbb\xbf"), "everybranch.cfg:2: ???" ALL_OPTIONS);
}

TEST(a_byte_that_would_end_the_text_is_refused)
{
    struct options o;
    CHECK_TEXT(OF_FILE(&o, "retry\n\0timeout=3\n"),
               "everybranch.cfg:2: a NUL byte: want plain text in ASCII or UTF-8");
    CHECK_TEXT(OF_FILE(&o, "\xff\xfer\0e\0t\0"),
               "everybranch.cfg:1: a NUL byte: want plain text in ASCII or UTF-8");
    CHECK_TEXT(OF_FILE(&o, "retry\n\0"),
               "everybranch.cfg:2: a NUL byte: want plain text in ASCII or UTF-8");
}

TEST(words_that_no_file_holds_are_told_as_such)
{
    struct options o;
    CHECK_TEXT(
        OF_LOAD(&o, u"retry monitr"),
        "in the load options: monitr: there is no such option; did you mean monitor?");
    CHECK(o.retry);
    CHECK_TEXT(OF_LOAD(&o, u"\\EFI\\x.efi retry timeout=5"), "");
    CHECK(o.retry && o.timeout == 5 && !ignored);
}

TEST(words_for_another_system_are_ignored_and_their_names_shown)
{
    struct options o;
    CHECK_TEXT(OF_LOAD(&o, u"root=/dev/sdb3 ro quiet retry"), "");
    CHECK_TEXT(ignored, WORDS_IGNORED " root= ro quiet");
    CHECK(o.retry);
    CHECK_TEXT(OF_LOAD(&o, u"AB"), "");
    CHECK_TEXT(ignored, WORDS_IGNORED " AB");
    CHECK_TEXT(OF_LOAD(&o, u"initrd=initrd\tinit=/bin/sh rd.luks.key=x"), "");
    CHECK_TEXT(ignored, WORDS_IGNORED " initrd= init= rd.luks.key=");
}

TEST(what_may_be_a_number_or_a_password_is_not_shown)
{
    struct options o;
    CHECK_TEXT(OF_LOAD(&o, u"{8108ac4e-9f11-4d59} abcdefghijklmnopqrstu=1 =x p4ss x"), "");
    CHECK_TEXT(ignored, WORDS_IGNORED " ? ? ? ? x");
}

TEST(more_ignored_words_than_a_line_holds_are_cut_with_dots)
{
    struct options o;
    CHECK_TEXT(OF_LOAD(&o,
                       u"abcdefghijklmnopqrst abcdefghijklmnopqrst abcdefghijklmnopqrst "
                       u"abcdefghijklmnopqrst abcdefghijklmnopqrst"),
               "");
    CHECK_TEXT(ignored, WORDS_IGNORED " abcdefghijklmnopqrst abcdefghijklmnopqrst "
                                      "abcdefghijklmnopqrst abcdefghijklmnopqrst "
                                      "abcdefghijklmn...");
}

TEST(a_word_near_an_option_is_still_wrong)
{
    struct options o;
    CHECK_TEXT(OF_LOAD(&o, u"quiet worklod=loop"),
               "in the load options: worklod=loop: there is no such option; did you mean "
               "workload?");
    CHECK_TEXT(
        OF_LOAD(&o, u"--retry"),
        "in the load options: --retry: there is no such option; did you mean retry?");
    CHECK_TEXT(
        OF_LOAD(&o, u"timeout=x"),
        "in the load options: timeout=x: timeout= wants a number from 0 to 4294967295, "
        "decimal or with 0x before it");
}

TEST(data_that_are_no_text_are_ignored_and_their_length_is_said)
{
    struct options o;
    CHECK_TEXT(of_load(&o, "\x4e\xac\x08\x81\x11\x9f\x59\x4d\x85\x0e", 10), "");
    CHECK_TEXT(ignored, "the load options are 10 bytes that are no text: they are ignored");
    CHECK_TEXT(of_load(&o, "r\0o\0\0", 5), "");
    CHECK_TEXT(ignored, "the load options are 5 bytes that are no text: they are ignored");
    CHECK_TEXT(of_load(&o, "\0\0r\0", 4), "");
    CHECK_TEXT(ignored, "the load options are 4 bytes that are no text: they are ignored");
    CHECK_TEXT(of_load(&o, u"retry \u00e9", 2 * 7), "");
    CHECK_TEXT(ignored, "the load options are 14 bytes that are no text: they are ignored");
    CHECK(!o.retry);
}

TEST(text_without_a_nul_and_data_after_a_nul_are_read_as_far_as_the_text_goes)
{
    struct options o;
    CHECK_TEXT(of_load(&o, u"retry", 2 * 5), "");
    CHECK(o.retry && !ignored);
    CHECK_TEXT(of_load(&o, u"retry\0\u1234\u5678", 2 * 8), "");
    CHECK(o.retry && !ignored);
}

TEST(no_data_and_zeros_are_no_options)
{
    struct options o;
    CHECK_TEXT(of_load(&o, NULL, 0), "");
    CHECK(!ignored);
    CHECK_TEXT(of_load(&o, "\0\0\0\0", 4), "");
    CHECK(!ignored);
}

TEST(load_options_that_are_too_long_are_refused)
{
    struct options o;
    CHECK_TEXT(OF_LOAD(&o,
                       u"................................................................"
                       u"................................................................"
                       u"................................................................"
                       u"................................................................"),
               "the load options are longer than 8191 characters");
}
