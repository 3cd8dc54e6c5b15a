#include "boot/options.c"

#include "test.h"

static char text[256];

/* Parses and gives the refused word, or "" where all is taken. */
static const char *parse(struct options *options, const char *words)
{
    strcpy(text, words);
    *options = options_default();
    const char *bad = options_parse(options, text);
    return bad ? bad : "";
}

static void without_options_all_is_traced_on_com1(void)
{
    struct options o;
    CHECK_TEXT(parse(&o, ""), "");
    CHECK(o.workloads[0] == 0 && o.methods[0] == 0);
    CHECK(o.serial_port == 0x3f8 && o.timeout == 60);
    CHECK(!o.exit_boot_services && !o.bench && !o.cycles);
}

static void every_option_is_taken(void)
{
    struct options o;
    CHECK_TEXT(parse(&o, "workload=loop,int\r\nmethod=btf+lbr\nserial=0x2F8\n"
                         "timeout=5\nexit-boot-services\nbench\ncycles=1000\n"),
               "");
    CHECK_TEXT(o.workloads, "loop,int");
    CHECK_TEXT(o.methods, "btf+lbr");
    CHECK(o.serial_port == 0x2f8 && o.timeout == 5);
    CHECK(o.exit_boot_services && o.bench);
    CHECK(o.cycles == 1000);
}

static void words_of_one_line_are_options_too(void)
{
    struct options o;
    CHECK_TEXT(parse(&o, "  method=lbr\ttimeout=7  "), "");
    CHECK_TEXT(o.methods, "lbr");
    CHECK(o.timeout == 7);
}

static void a_comment_goes_to_the_end_of_its_line(void)
{
    struct options o;
    CHECK_TEXT(parse(&o, "# timeout=1 nonsense\n#\ntimeout=3 # and more nonsense"), "");
    CHECK(o.timeout == 3);
}

static void an_unknown_word_is_named(void)
{
    struct options o;
    CHECK_TEXT(parse(&o, "timeout=3\nworklaod=loop\n"), "worklaod=loop");
    CHECK_TEXT(parse(&o, "exit-boot-services=1"), "exit-boot-services=1");
    CHECK_TEXT(parse(&o, "workload"), "workload");
    CHECK_TEXT(parse(&o, "bench2"), "bench2");
}

static void a_bad_number_is_named(void)
{
    struct options o;
    CHECK_TEXT(parse(&o, "timeout="), "timeout=");
    CHECK_TEXT(parse(&o, "timeout=12s"), "timeout=12s");
    CHECK_TEXT(parse(&o, "timeout=-1"), "timeout=-1");
    CHECK_TEXT(parse(&o, "timeout=4294967296"), "timeout=4294967296");
    CHECK_TEXT(parse(&o, "serial=0x10000"), "serial=0x10000");
    CHECK_TEXT(parse(&o, "serial=0x"), "serial=0x");
}

static void a_list_that_is_too_long_is_refused(void)
{
    struct options o;
    static char words[LIST_SIZE + 32];
    memset(words, 'a', LIST_SIZE + 8);
    memcpy(words, "method=", 7);
    o = options_default();
    CHECK(options_parse(&o, words) == words);
}

int main(void)
{
    RUN(without_options_all_is_traced_on_com1);
    RUN(every_option_is_taken);
    RUN(words_of_one_line_are_options_too);
    RUN(a_comment_goes_to_the_end_of_its_line);
    RUN(an_unknown_word_is_named);
    RUN(a_bad_number_is_named);
    RUN(a_list_that_is_too_long_is_refused);
    return tests_failed != 0;
}
