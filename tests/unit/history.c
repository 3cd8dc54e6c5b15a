// LINK: common/log/crc32.c common/log/log.c common/base/text.c common/facts/skip_code.c
// LINK: common/log/lines.c common/facts/deviation.c common/facts/pmu.c
// LINK: common/facts/platform.c
#include "kernel/history.c"

#include "test.h"

#include "text.h"

#define HEAD                                                           \
    "everybranch log=2 build=x", "firmware vendor=\"F\" revision=0x1", \
        "bios vendor=\"B\" version=\"2\"", "system vendor=\"S\"",      \
        "cpu microcode=0x7 brand=\"C\"", "model name=m", "image base=0x1000"

static char own[4096], old[16384];
static size_t own_size;
static struct history h;

/* The lines with their trailers; how long they are. */
static size_t seal(char *out, size_t capacity, const char *const *lines)
{
    struct log_chain chain = { 0, 0 };
    size_t size = 0;
    for (; *lines; lines++) {
        char buffer[LOG_LINE_MAX + 1];
        struct text line = text_into(buffer, sizeof buffer);
        text_string(&line, *lines);
        log_seal(&chain, &line);
        if (size + line.length + 1 > capacity)
            break;
        memcpy(out + size, line.at, line.length);
        size += line.length;
        out[size++] = '\n';
    }
    return size;
}

static bool read_old(size_t size)
{
    static const char *const mine[] = { HEAD, "serial from=com", NULL };
    own_size = seal(own, sizeof own, mine);
    memset(&h, 0, sizeof h);
    return history_read(&h, "0007.log", old, size, own, own_size);
}

static bool read_lines(const char *const *lines)
{
    return read_old(seal(old, sizeof old, lines));
}

#define READ(...) read_lines((const char *const[]){ __VA_ARGS__, NULL })

static const char *log_of(const char *subject)
{
    const char *log = history_of(&h, subject);
    return log ? log : "";
}

TEST(a_log_that_ended_tells_nothing)
{
    CHECK(READ(HEAD, "try facility=bts", "facility name=bts", "try end", "end runs=0"));
    CHECK(h.count == 0 && !h.careful);
}

TEST(what_was_tried_last_is_avoided)
{
    CHECK(READ(HEAD, "try facility=lbr", "facility name=lbr", "try facility=bts"));
    CHECK(h.count == 1 && !h.careful);
    CHECK_TEXT(log_of("facility=bts"), "0007.log");
    CHECK(!history_of(&h, "facility=lbr") && !history_of(&h, "facility=b"));
    CHECK(READ(HEAD, "try method=btf+lbr"));
    CHECK_TEXT(log_of("method=btf+lbr"), "0007.log");
    CHECK(READ(HEAD, "try bench")); /* of an older build: this one has no such thing */
    CHECK(h.count == 0);
}

/* A line that this build's own reader refuses would make its log unusable, and each later
 * one. */
TEST(what_a_newer_build_tried_is_not_handed_down)
{
    CHECK(READ(HEAD, "try facility=sgx") && h.count == 0);
    CHECK(READ(HEAD, "avoid facility=sgx log=0002.log", "avoid facility=bt log=0002.log",
               "avoid facility=bts2 log=0003.log", "try end", "end runs=0"));
    CHECK(h.count == 0);
    CHECK(READ(HEAD, "try method=bts workload=wt tile=3") && h.count == 0);
    CHECK(READ(HEAD, "try method=bts tile=3") && h.count == 0);
    CHECK(READ(HEAD, "try method=bts workload=wt filter=jcc") && h.count == 1);
    CHECK(READ(HEAD, "try method=bts filter=jcc") && h.count == 0);
}

TEST(a_single_run_is_avoided_and_more_are_expected)
{
    CHECK(READ(HEAD, "try method=bts workload=wt"));
    CHECK(h.careful && !h.died_somewhere[0]);
    CHECK_TEXT(log_of("method=bts workload=wt"), "0007.log");
    CHECK(!history_of(&h, "method=bts"));
}

TEST(a_death_without_a_place_blames_nothing)
{
    CHECK(READ(HEAD, "try method=bts", "run n=1", "ran n=1", "try runs"));
    CHECK(h.count == 0 && h.careful);
    CHECK_TEXT(h.died_somewhere, "0007.log");
    CHECK(READ(HEAD, "try method=bts", "run n=1")); /* saved in another way, or cut */
    CHECK(h.count == 0 && h.careful);
    CHECK(READ(HEAD, "try method=bts", "panic why=\"x\""));
    CHECK(h.count == 0 && h.careful);
}

TEST(what_a_user_did_at_the_monitor_is_not_avoided)
{
    CHECK(READ(HEAD, "try method=bts", "run n=1", "ran n=1", "try idle"));
    CHECK(h.count == 0 && !h.careful);
    CHECK(READ(HEAD, "avoid facility=bts log=0002.log", "command text=\"x\"",
               "try msr=0x10"));
    CHECK(h.count == 1 && !h.careful);
    CHECK_TEXT(log_of("facility=bts"), "0002.log");
}

TEST(a_death_after_all_runs_blames_nothing_and_costs_nothing)
{
    CHECK(READ(HEAD, "try runs", "run n=1", "ran n=1", "try end"));
    CHECK(h.count == 0 && !h.careful);
}

TEST(what_is_avoided_is_handed_down)
{
    CHECK(READ(HEAD, "avoid facility=bts log=0002.log",
               "avoid method=lbr workload=wt log=0004.log", "try end", "end runs=0"));
    CHECK(h.count == 2 && h.careful);
    CHECK_TEXT(log_of("facility=bts"), "0002.log");
    CHECK_TEXT(log_of("method=lbr workload=wt"), "0004.log");
    CHECK(READ(HEAD, "avoid facility=bts log=0002.log", "try facility=lbr"));
    CHECK(h.count == 2 && !h.careful);
    CHECK_TEXT(log_of("facility=lbr"), "0007.log");
}

TEST(it_is_said_in_sentences)
{
    CHECK(READ(HEAD, "avoid facility=bts log=0002.log", "try runs"));
    CHECK_TEXT(history_sentence(&h, 0),
               "not tried: facility=bts: the machine died of it: see "
               "0002.log; the option retry tries it");
    CHECK_TEXT(history_sentence(&h, 1),
               "the machine died among the runs of 0007.log: the log "
               "was saved before each");
    CHECK(!history_sentence(&h, 2));
    CHECK(READ(HEAD, "end runs=0"));
    CHECK(!history_sentence(&h, 0));
}

TEST(another_machine_is_told_nothing)
{
    CHECK(!READ("everybranch log=2 build=x", "firmware vendor=\"F\" revision=0x1",
                "bios vendor=\"B\" version=\"2\"", "system vendor=\"S\"",
                "cpu microcode=0x8 brand=\"C\"", "model name=m", "image base=0x1000",
                "try facility=bts"));
    CHECK(h.count == 0 && !h.careful);
    CHECK(!READ("everybranch log=2 build=x", "firmware vendor=\"F\" revision=0x1",
                "cpu microcode=0x7 brand=\"C\"", "model name=m", "image base=0x1000",
                "try facility=bts"));
    CHECK(!READ("something else"));
    CHECK(!read_old(0));
}

TEST(the_build_and_where_the_image_lay_do_not_matter)
{
    CHECK(READ("everybranch log=2 build=other", "firmware vendor=\"F\" revision=0x1",
               "bios vendor=\"B\" version=\"2\"", "system vendor=\"S\"",
               "cpu microcode=0x7 brand=\"C\"", "model name=m", "image base=0x2000",
               "try facility=bts"));
    CHECK(h.count == 1);
}

/* Wherever it is cut, nothing is blamed that is not the last whole line. */
TEST(a_cut_log_blames_its_last_line_alone)
{
    static const char *const lines[] = { HEAD, "try facility=btf", "facility name=btf",
                                         "try facility=bts", NULL };
    size_t whole = seal(old, sizeof old, lines);
    for (size_t size = 0; size < whole; size++) {
        size_t newline = 0;
        for (size_t i = 0; i < size; i++)
            newline += old[i] == '\n';
        bool read = read_old(size), at_line_end = size && old[size - 1] == '\n';
        CHECK(read == (newline >= 7 || (newline == 6 && at_line_end)));
        CHECK(h.count == (newline == 8 && at_line_end));
        CHECK(!h.count || history_of(&h, "facility=btf"));
        CHECK(!read || h.careful == (h.count == 0));
    }
}

TEST(a_damaged_log_blames_nothing)
{
    static const char *const lines[] = { HEAD, "try facility=bts", NULL };
    size_t whole = seal(old, sizeof old, lines);
    for (size_t i = 0; i < whole; i++) {
        old[i] ^= 1;
        read_old(whole);
        CHECK(h.count == 0);
        old[i] ^= 1;
    }
}

TEST(strange_subjects_are_not_believed)
{
    CHECK(
        READ(HEAD, "avoid facility=bts", "avoid log=0001.log",
             "avoid  log=", "avoid facility=bts log=", "avoid everything log=0001.log",
             "avoid facility=\"x\" log=0001.log",
             "avoid facility=bts log=a-name-that-is-far-too-long.log",
             "avoid facility=a-name-that-is-so-long-that-it-finds-no-room-anywhere-at-all-"
             "and-then-goes-on-for-as-long-as-the-longest-filter-has-words-to-say "
             "log=0001.log",
             "end runs=0"));
    CHECK(h.count == 0 && !h.careful);
    CHECK(READ(HEAD, "try everything"));
    CHECK(h.count == 0);
}

TEST(there_is_an_end_to_what_is_remembered)
{
    char text[64][40];
    const char *lines[80] = { HEAD };
    for (int i = 0; i < 64; i++) {
        snprintf(text[i], sizeof text[i], "avoid method=m%d log=0001.log", i);
        lines[6 + i] = text[i];
    }
    lines[70] = "try facility=bts";
    CHECK(read_lines(lines));
    CHECK(h.count == AVOIDED_MAX);
    CHECK_TEXT(log_of("method=m31"), "0001.log");
}

TEST(of_runs_at_once_none_is_blamed)
{
    CHECK(READ(HEAD, "try method=bts", "run n=1", "ran n=1", "try round=2"));
    CHECK(h.count == 0 && h.careful);
    CHECK_TEXT(h.died_somewhere, "0007.log");
}

TEST(a_run_with_a_filter_is_blamed_with_it)
{
    CHECK(READ(HEAD,
               "try method=bts workload=wt filter=kernel+user+jcc+call+icall+ret+ijmp+"
               "jmp+far"));
    CHECK(h.count == 1 && h.careful);
    CHECK_TEXT(
        log_of("method=bts workload=wt filter=kernel+user+jcc+call+icall+ret+ijmp+jmp+"
               "far"),
        "0007.log");
    CHECK_TEXT(log_of("method=bts workload=wt"), "");
}

#define OF_FIRMWARE                                                    \
    "everybranch log=2 build=x", "firmware vendor=\"F\" revision=0x1", \
        "bios vendor=\"B\" version=\"2\"", "system vendor=\"S\""

/* As it is asked before the machine is taken. */
static bool read_taking(const char *const *lines)
{
    static const char *const mine[] = { OF_FIRMWARE, NULL };
    own_size = seal(own, sizeof own, mine);
    memset(&h, 0, sizeof h);
    return history_read_taking(&h, "0007.log", old, seal(old, sizeof old, lines), own,
                               own_size);
}

#define READ_TAKING(...) read_taking((const char *const[]){ __VA_ARGS__, NULL })

TEST(a_machine_that_died_of_being_taken_is_not_taken_again)
{
    CHECK(READ_TAKING(OF_FIRMWARE, "try take=tables", "try take=segments"));
    CHECK_TEXT(h.died_taking.subject, "take=segments");
    CHECK_TEXT(
        history_refuses(&h),
        "an earlier boot died where the machine was taken over or handed back (0007.log, "
        "take=segments); the option retry tries it again");
}

TEST(a_machine_that_came_further_is_taken)
{
    CHECK(READ_TAKING(HEAD, "try facility=bts"));
    CHECK(!history_refuses(&h));
    CHECK(READ_TAKING(OF_FIRMWARE, "try take=processor", "cpu microcode=0x7 brand=\"C\""));
    CHECK(!history_refuses(&h));
    CHECK(READ_TAKING(OF_FIRMWARE));
    CHECK(!history_refuses(&h));
}

TEST(another_machine_that_died_of_it_is_passed_over)
{
    CHECK(!READ_TAKING("everybranch log=2 build=x", "firmware vendor=\"G\" revision=0x1",
                       "bios vendor=\"B\" version=\"2\"", "system vendor=\"S\"",
                       "try take=tables"));
    CHECK(!READ_TAKING("everybranch log=2 build=x", "try take=tables"));
    CHECK(!history_refuses(&h));
}

TEST(a_damaged_log_keeps_nobody_from_taking_the_machine)
{
    static const char *const lines[] = { OF_FIRMWARE, "try take=tables", NULL };
    static const char *const mine[] = { OF_FIRMWARE, NULL };
    size_t size = seal(old, sizeof old, lines);
    own_size = seal(own, sizeof own, mine);
    memset(&h, 0, sizeof h);
    CHECK(history_read_taking(&h, "0007.log", old, size - 3, own, own_size));
    CHECK(!history_refuses(&h));
}

TEST(a_death_of_being_taken_blames_nothing_else)
{
    CHECK(READ(HEAD, "try take=tables"));
    CHECK(h.count == 0 && !h.careful);
}
