// LINK: workloads everybranch
#include "tools/audit/perf_line.c"

#include "tools/audit/preagg.h"

#include "test.h"

/* main is at 0x1000 and foo at 0x2000; "twice" is at two places. */
static bool find(void *of, struct span name, uint64_t *address)
{
    (void)of;
    *address = span_is(name, "main") ? 0x1000 : 0x2000;
    return span_is(name, "main") || span_is(name, "foo");
}

static struct perf_line line = { .symbols = { find, NULL } };

/* A line of a trace that began with it. */
static enum perf_line_kind reads(const char *text)
{
    line.wrong = line.wrong_at = NULL;
    line.fields = 0;
    return perf_line_read(&line, text, text + strlen(text));
}

static bool is(size_t n, uint64_t from, uint64_t to, uint64_t missed, uint32_t cycles)
{
    return n < line.count && line.branches[n].from == from && line.branches[n].to == to &&
           line.branches[n].missed == missed && line.branches[n].cycles == cycles &&
           line.branches[n].times == 1;
}

TEST(a_stack_is_read_newest_first)
{
    CHECK(reads("  4005c0 0x4005b0/0x4005c0/P/-/-/3/  0x400590/0x4005a0/M/-/-/17/ ") ==
          PERF_STACK);
    CHECK(line.count == 2 && !line.has_pid);
    CHECK(is(0, 0x4005b0, 0x4005c0, 0, 3));
    CHECK(is(1, 0x400590, 0x4005a0, 1, 17));
}

TEST(each_version_of_perf_is_understood)
{
    static const char *const texts[] = {
        "0x4005b0/0x4005c0/M/-/-/3",          "0x4005b0/0x4005c0/M/-/-/3/",
        "0x4005b0/0x4005c0/M/-/-/3/COND/-",   "0x4005b0/0x4005c0/M/X/A/3/COND/SPEC",
        "0x4005b0/0x4005c0/MN/-/-/3/COND/-/", "0x4005b0(/usr/bin/a b)/0x4005c0(p)/M/-/-/3",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        CHECK(reads(texts[i]) == PERF_STACK && line.count == 1);
        CHECK(is(0, 0x4005b0, 0x4005c0, 1, 3));
        CHECK(line.branches[0].abort == (i == 3));
    }
    CHECK(reads("0x1/0x2/-/-/-/0") == PERF_STACK && is(0, 1, 2, 0, 0));
}

TEST(names_are_looked_up)
{
    CHECK(reads("  1010 main+0x10/foo+0x0/P/-/-/0  twice+0x1/main/M/-/-/2") == PERF_STACK);
    CHECK(is(0, 0x1010, 0x2000, 0, 0));
    CHECK(is(1, TRACED_UNNAMED, 0x1000, 1, 2));
    /* perf 6.1 glues the address to the first name; "foo" may begin with a digit's letter.
     */
    CHECK(reads("   401c5bfoo+0x2/main+0x1/P/-/-/0 401c5bfoo/main/P/-/-/0") == PERF_STACK);
    CHECK(is(0, 0x2002, 0x1001, 0, 0));
    CHECK(is(1, TRACED_UNNAMED, 0x1000, 0, 0));
}

TEST(a_pid_is_found_before_the_address)
{
    CHECK(reads("25532  401481 0x401491/0x401470/P/-/-/0/") == PERF_STACK);
    CHECK(line.has_pid && line.pid == 25532);
    CHECK(reads("prog 77/78 [001] 12.345: 1 cycles:u: 401481 0x1/0x2/P/-/-/0/") ==
          PERF_STACK);
    CHECK(line.has_pid && line.pid == 77);
    /* An address of decimal digits alone is none. */
    CHECK(reads("  401481 0x401491/0x401470/P/-/-/0/") == PERF_STACK && !line.has_pid);
}

TEST(branches_one_by_one_are_read)
{
    static const char *const texts[] = {
        "          4005b0 =>           4005c0",
        "4005b0 main+0x5 (/usr/bin/prog) => 4005c0 foo+0x0 (/usr/bin/prog)",
        "prog 7 [000] 1.5: 1 branches:u: 4005b0 add+0x5 (prog) => 4005c0 add (prog)",
        "0x4005b0 => 0x4005c0",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        CHECK(reads(texts[i]) == PERF_BRANCH && is(0, 0x4005b0, 0x4005c0, 0, 0));
    CHECK(reads(" 31 4005b0 => 4005c0") == PERF_BRANCH && line.has_pid && line.pid == 31);
    CHECK(is(0, 0x4005b0, 0x4005c0, 0, 0));
}

TEST(maps_are_read)
{
    CHECK(reads("prog 7 1.5: PERF_RECORD_MMAP2 7/8: [0x5629ec742000(0x1000) @ 0x2000 00:6a "
                "2006 16]: r-xp /opt/a prog") == PERF_MAP);
    CHECK(line.map.pid == 7 && line.map.start == 0x5629ec742000 &&
          line.map.length == 0x1000 && line.map.offset == 0x2000);
    CHECK(span_is(line.map.path, "/opt/a prog") && line.map.build_id.length == 0);
    CHECK(reads("PERF_RECORD_MMAP2 7/7: [0x1000(0x1000) @ 0 <01ab>]: r-xp /p") == PERF_MAP);
    CHECK(line.map.offset == 0 && span_is(line.map.build_id, "01ab"));
    CHECK(reads("PERF_RECORD_MMAP 7/7: [0x400000(0xa000) @ 0]: x /p") == PERF_MAP);
    CHECK(reads("PERF_RECORD_MMAP2 7/7: [0x1000(0x1000) @ 0 0:0 0 0]: rw-p /p") ==
          PERF_NOTHING);
    CHECK(reads("PERF_RECORD_MMAP2 7/7: [0x1000 @ 0]: r-xp /p") == PERF_WRONG);
}

TEST(the_header_is_read)
{
    CHECK(reads("# cpuid : GenuineIntel,6,85,4") == PERF_CPUID);
    CHECK(span_is(line.text, "GenuineIntel,6,85,4"));
    CHECK(reads("# event : name = cycles, branch_sample_type = ANY") == PERF_EVENT);
    CHECK(reads("# hostname : prog") == PERF_NOTHING);
}

TEST(what_holds_no_branch_is_passed_over)
{
    static const char *const texts[] = {
        "",
        "   ",
        "\tffffffff8da78b06",
        "\t4005b0 main+0x5 (prog)",
        "  4005c0 ",
        "PERF_RECORD_COMM exec: prog:7/7",
        "prog 7 1.5: 1 cycles:u: 4005c0 main (/usr/bin/p)",
        "ffffffff8da78b06 main",
        "  4005b0 main",
        "  4005b0 foo(int, char)+0x5 (/usr/bin/a b)",
        "  4005b0 [unknown] ([unknown])",
        "Web Content 77/78 [001]   4005b0",
        "7 4005b0 main+0x5 (prog)",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        CHECK(reads(texts[i]) == PERF_NOTHING);
        if (reads(texts[i]) != PERF_NOTHING)
            printf("# %s\n", texts[i]);
    }
}

/* True if the text is wrong at that place, and the message contains `want`. */
static bool is_wrong(const char *text, size_t at, const char *want)
{
    return reads(text) == PERF_WRONG && (size_t)(line.wrong_at - text) == at &&
           strstr(line.wrong, want) != NULL;
}

TEST(what_is_no_branch_is_named_with_its_place)
{
    CHECK(is_wrong("0x1/0x2/P/-/-/0 0x3/0x4", 16, "0xFROM/0xTO/P/-/-/CYCLES"));
    CHECK(is_wrong("0x1/0x2/Q/-/-/0", 0, "where P may be M or -"));
    CHECK(is_wrong("0x1/zz/P/-/-/0", 0, "0xFROM"));
    CHECK(is_wrong("0x11112222333344445/0x2/P/-/-/0", 0, "0xFROM"));
    CHECK(is_wrong("0x/0x2/P/-/-/0", 0, "0xFROM"));
    CHECK(is_wrong("main/foo/P/-/-/0 bar(int, char)/x", 17, "--no-demangle"));
    CHECK(is_wrong("hello, world", 0, "perf script -F ip,brstack"));
    CHECK(is_wrong("4005b0 => (unknown)", 10, "an address after =>"));
    CHECK(is_wrong("foo => 4005b0", 0, "before =>"));
}

/* perf prints one line for each sample, whatever it has of it. */
TEST(what_only_begins_with_a_number_ends_the_audit)
{
    static const char *const texts[] = { "add what is this",
                                         "  4005b0 is where it broke",
                                         "dead end",
                                         "  4005b0 0x4005c0",
                                         "0x4005b0",
                                         "see 4005b0",
                                         "  4005b0 0x4005c0 (p)" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        CHECK(reads(texts[i]) == PERF_WRONG);
        if (reads(texts[i]) != PERF_WRONG)
            printf("# %s\n", texts[i]);
    }
}

/* Wherever a whole stack is cut in the fields of its last branch. */
TEST(a_branch_that_is_cut_in_its_fields_is_none)
{
    static const char *const wholes[] = {
        "0x1/0x2/P/-/-/3 0x3/0x4/M/-/-/5",
        "0x1/0x2/P/-/-/3/COND/- 0x3/0x4/M/-/-/5/COND/-",
        "0x1/0x2/P/-/-/3/ 0x3/0x4/M/-/-/5/",
    };

    for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
        size_t length = strlen(wholes[i]);

        CHECK(reads(wholes[i]) == PERF_STACK && line.count == 2);
        length -= wholes[i][length - 1] == '-'; /* a last field may be empty */
        while (wholes[i][--length - 1] != 'M') {
            char cut[64];

            snprintf(cut, sizeof(cut), "%.*s", (int)length, wholes[i]);
            line.wrong = line.wrong_at = NULL;
            if (perf_line_read(&line, cut, cut + length) == PERF_STACK)
                CHECK_TEXT(cut, "PERF_WRONG");
        }
    }
}

/* A perf prints the same fields of all branches, so a stack of one branch shows it, too. */
TEST(a_branch_with_fewer_fields_than_the_first_one_is_cut)
{
    static const char first[] = "0x1/0x2/P/-/-/3/COND/-", cut[] = "0x1/0x2/P/-/-/3/COND";

    CHECK(reads(first) == PERF_STACK);
    CHECK(perf_line_read(&line, cut, cut + strlen(cut)) == PERF_WRONG);
    CHECK(reads(cut) == PERF_STACK);
}

static struct preagg edge;

static enum preagg_kind adds(const char *text)
{
    return preagg_read(&edge, text, text + strlen(text));
}

TEST(edges_are_read)
{
    CHECK(adds("B 5c99d9 5c99c0 4 2") == PREAGG_BRANCH);
    CHECK(edge.branch.from == 0x5c99d9 && edge.branch.to == 0x5c99c0 &&
          edge.branch.times == 4 && edge.branch.missed == 2);
    CHECK(adds("B X:0 12ab:5c99c0 4 0") == PREAGG_BRANCH);
    CHECK(edge.branch.from == TRACED_UNNAMED && edge.branch.to == 0x5c99c0);
    CHECK(adds("F 41be50 41be53 3") == PREAGG_STRAIGHT);
    CHECK(edge.branch.to == 0x41be50 && edge.next == 0x41be53 && edge.branch.times == 3);
    CHECK(adds("T 1 2 3 4") == PREAGG_BOTH);
    CHECK(edge.branch.from == 1 && edge.branch.to == 2 && edge.next == 3 &&
          edge.branch.times == 4);
    CHECK(adds("E cycles:u") == PREAGG_NOTHING && adds("") == PREAGG_NOTHING);
}

TEST(an_edge_that_is_none_is_named)
{
    CHECK(adds("B 5c99d9 5c99c0 4") == PREAGG_WRONG && strstr(edge.wrong, "MISPREDICTED"));
    CHECK(adds("B 5c99d9 zz 4 2") == PREAGG_WRONG);
    CHECK(adds("F 41be50 41be53") == PREAGG_WRONG);
    CHECK(adds("Q 1 2 3") == PREAGG_WRONG && strstr(edge.wrong, "B, F or T"));
}
