// LINK: kernel/hardware/font.asm common/facts/filter.c common/facts/platform.c
// LINK: common/base/text.c common/facts/pmu.c common/facts/skip_code.c
#include "kernel/hardware/screen.c"
#include "kernel/screen/display.c"

#include "test.h"

static uint8_t memory[1048 * 600 * 4];
static struct cell cell_memory[SCREEN_CELLS_SIZE / sizeof(struct cell)];

static void a_screen_of(uint32_t letters_across, uint32_t letters_down)
{
    struct framebuffer f = { .address = (uint64_t)memory,
                             .size = sizeof memory,
                             .width = letters_across * 8,
                             .height = letters_down * 16,
                             .pitch = letters_across * 8 * 4,
                             .bytes = 4,
                             .red = 0xff0000,
                             .green = 0xff00,
                             .blue = 0xff };
    screen_init(&f, cell_memory);
    screen_clear();
    boot_lines = 0;
}

/* A row as text: shapes as letters of their own, blanks at its end left out. */
static const char *row_text(size_t row)
{
    static char text[SCREEN_COLUMNS_MAX + 1];
    static const char shapes[] = "?VX-#:.";
    size_t length = 0;
    for (size_t i = 0; i < columns; i++) {
        char c = cell_at(i, row)->glyph;
        text[i] = (unsigned char)c < sizeof shapes - 1 ? shapes[(unsigned char)c] : c;
        if (c != ' ')
            length = i + 1;
    }
    text[length] = 0;
    return text;
}

static enum colour colour_at(size_t column, size_t row)
{
    return cell_at(column, row)->colour;
}

static const struct workload loop = { .name = "loop" }, wt = { .name = "wt" };
static const struct method_facts step = { .name = "step" }, lbr = { .name = "lbr" };
static const struct method_facts thirteen[] = {
    { .name = "a" }, { .name = "b" }, { .name = "c" }, { .name = "d" }, { .name = "e" },
    { .name = "f" }, { .name = "g" }, { .name = "h" }, { .name = "i" }, { .name = "j" },
    { .name = "k" }, { .name = "l" }, { .name = "m" },
};
static const char *const nowhere[FACILITY_COUNT];
static size_t number;

static void ran(const struct method_facts *method, const struct workload *w,
                enum compared compared)
{
    number++;
    struct run_request run = { .number = number, .method = method, .workload = w };
    display_begins(&run);
    display_compared(&run, compared, 0);
}

static void begin(size_t runs)
{
    number = 0;
    display_plan(runs, 2);
}

#define HEADS        " method      right  differs  known  not compared  skip"
#define NONE_DIFFERS HEADS "  not as expected: none"
#define SOME_DIFFER  HEADS "  not as expected:"

TEST(the_first_rows_say_whose_opinion_it_is_and_of_which_machine)
{
    static const struct cpu cpu = { .brand = "  Some CPU",
                                    .id = { .signature = 0x506e3,
                                            .hypervisor = "TCGTCGTCGTCG" },
                                    .microcode = 0xf0 };
    static const struct cpu bare = { .id = { .vendor = "GenuineIntel" } };
    static const struct cpu kvm = { .brand = "x", .id.hypervisor = "KVMKVMKVM" };
    static const struct handoff dated = { .date = "2026-11-23 02:31",
                                          .tsc_hz = 1ull << 62 };
    static const struct handoff unknown = { .date = "" };
    a_screen_of(80, 30);
    display_machine(&cpu, &dated);
    CHECK_TEXT(row_text(0), " everybranch " EVERYBRANCH_BUILD
                            ": records compared; `everybranch check` judges the log");
    CHECK(colour_at(79, 0) == COLOUR_TITLE);
    CHECK_TEXT(row_text(1), " Some CPU, model unknown");
    CHECK_TEXT(row_text(2),
               " signature 0x506e3, microcode 0xf0, 2026-11-23 02:31, 0:00 elapsed");
    CHECK_TEXT(row_text(3), " emulated processor: nothing here is a property of silicon");
    display_machine(&bare, &unknown);
    CHECK_TEXT(row_text(1), " GenuineIntel, model unknown");
    CHECK_TEXT(row_text(2), " signature 0x0, microcode 0x0");
    CHECK_TEXT(row_text(3), "");
    display_machine(&kvm, &unknown);
    CHECK_TEXT(row_text(3), " in a virtual machine: KVMKVMKVM");
}

TEST(elapsed_time_is_in_minutes_and_seconds)
{
    static const struct cpu cpu = { .brand = "x" };
    static const struct handoff handoff = { .tsc_hz = 1ull << 40 };
    a_screen_of(80, 30);
    display_machine(&cpu, &handoff);
    CHECK_TEXT(row_text(2), " signature 0x0, microcode 0x0, 0:00 elapsed");
    elapsed.begin -= (65ull << 40);
    begin(1);
    ran(&step, &loop, RIGHT);
    CHECK_TEXT(row_text(2), " signature 0x0, microcode 0x0, 1:05 elapsed");
    elapsed.begin -= (125ull * 60 << 40);
    ran(&step, &loop, RIGHT);
    CHECK_TEXT(row_text(2), " signature 0x0, microcode 0x0, 126:05 elapsed");
    elapsed.hz = 0;
}

/* Those in the right half of the screen, and the last of the left one. */
#define OTHERS                                                                             \
    .tr = { .said.name = FACILITY_TR, .said.outcome = WORKS, .evidence = "kept" },         \
    .pmi = { .said.name = FACILITY_PMI,                                                    \
             .said.outcome = AVOIDED,                                                      \
             .evidence = "not tried" },                                                    \
    .ler = { .said.name = FACILITY_LER, .said.outcome = FAULTS, .evidence = "#GP" },       \
    .freeze = { .said.name = FACILITY_FREEZE, .said.outcome = WORKS, .evidence = "both" }, \
    .brs = { .said.name = FACILITY_BRS, .said.outcome = ABSENT, .evidence = "none" },      \
    .pt = { .said.name = FACILITY_PT, .said.outcome = ABSENT, .evidence = "no leaf" }

TEST(a_facility_has_a_shape_a_word_and_what_was_seen)
{
    static const struct facilities found = {
        .step = { .said.name = FACILITY_STEP, .said.outcome = WORKS, .evidence = "6 of 6" },
        .btf = { .said.name = FACILITY_BTF,
                 .said.outcome = DEAD,
                 .evidence = "none, as many as five were wanted" },
        .lbr = { .said.name = FACILITY_LBR, .said.outcome = ABSENT, .evidence = "no row" },
        .bts = { .said.name = FACILITY_BTS,
                 .said.outcome = DEVIATES,
                 .evidence = "2 of 3" },
        OTHERS,
    };
    a_screen_of(80, 30);
    display_facilities(&found, nowhere, 0, 13);
    CHECK_TEXT(row_text(4),
               " step     V works     6 of 6             pmi      - avoided   not tried");
    CHECK_TEXT(row_text(5),
               " btf      X dead      none, as many as.. ler      X faults    #GP");
    CHECK_TEXT(row_text(6),
               " lbr      - absent    no row             freeze   V works     both");
    CHECK_TEXT(row_text(7),
               " bts      X deviates  2 of 3             brs      - absent    none");
    CHECK_TEXT(row_text(8),
               " tr       V works     kept               pt       - absent    no leaf");
    CHECK_TEXT(row_text(9), "");
    CHECK(colour_at(10, 4) == COLOUR_GOOD && colour_at(10, 5) == COLOUR_BAD);
    CHECK(colour_at(10, 6) == COLOUR_DIM);
}

TEST(with_room_facilities_stand_one_below_the_other_and_whole)
{
    static const struct facilities found = {
        .step = { .said.name = FACILITY_STEP, .said.outcome = WORKS, .evidence = "6 of 6" },
        .btf = { .said.name = FACILITY_BTF,
                 .said.outcome = DEAD,
                 .evidence = "none, as many as five were wanted, and it stops where there "
                             "is room" },
        .lbr = { .said.name = FACILITY_LBR, .said.outcome = ABSENT, .evidence = "no row" },
        .bts = { .said.name = FACILITY_BTS,
                 .said.outcome = DEVIATES,
                 .evidence = "2 of 3" },
        OTHERS,
    };
    a_screen_of(80, 37);
    display_facilities(&found, nowhere, 0, 14);
    CHECK_TEXT(
        row_text(5),
        " btf      X dead      none, as many as five were wanted, and it stops where..");
    CHECK_TEXT(row_text(9), " pmi      - avoided   not tried");
    CHECK_TEXT(row_text(12), " brs      - absent    none");
    begin(2);
    CHECK_TEXT(row_text(15), NONE_DIFFERS);
    CHECK(colour_at(56, 15) == COLOUR_DIM);
    a_screen_of(80, 37);
    display_facilities(&found, nowhere, 0, 15); /* which would need a row more */
    CHECK_TEXT(row_text(9), "");
}

TEST(a_facility_that_was_not_tried_is_no_failure)
{
    static const struct facilities found = {
        .step = { .said.name = FACILITY_STEP, .said.outcome = WORKS, .evidence = "6 of 6" },
        .btf = { .said.name = FACILITY_BTF,
                 .said.outcome = AVOIDED,
                 .evidence = "0001.log ended in it" },
        .lbr = { .said.name = FACILITY_LBR, .said.outcome = ABSENT, .evidence = "no row" },
        .bts = { .said.name = FACILITY_BTS, .said.outcome = FAULTS, .evidence = "#GP" },
        OTHERS,
    };
    a_screen_of(80, 30);
    display_facilities(&found, nowhere, 0, 13);
    CHECK_TEXT(row_text(5),
               " btf      - avoided   0001.log ended..   ler      X faults    #GP");
    CHECK_TEXT(row_text(7),
               " bts      X faults    #GP                brs      - absent    none");
    CHECK(colour_at(10, 5) == COLOUR_ODD && colour_at(10, 6) == COLOUR_DIM);
}

TEST(what_a_platform_is_known_to_lack_is_no_failure)
{
    static const struct facilities found = {
        .step = { .said.name = FACILITY_STEP, .said.outcome = WORKS, .evidence = "6 of 6" },
        .btf = { .said.name = FACILITY_BTF,
                 .said.outcome = DEAD,
                 .evidence = "none trapped" },
        .lbr = { .said.name = FACILITY_LBR, .said.outcome = FAULTS, .evidence = "#GP" },
        .bts = { .said.name = FACILITY_BTS, .said.outcome = ABSENT, .evidence = "none" },
        OTHERS,
    };
    static const char *const on[FACILITY_COUNT] = { [FACILITY_BTF] = "as expected on kvm" };
    a_screen_of(80, 30);
    display_facilities(&found, on, 0, 13);
    CHECK_TEXT(row_text(5),
               " btf      - dead      as expected on kvm ler      X faults    #GP");
    CHECK(colour_at(10, 5) == COLOUR_DIM && colour_at(10, 6) == COLOUR_BAD);
}

TEST(a_run_among_others_names_its_filter_and_its_processor)
{
    struct run_request run = { .number = 2, .method = &step, .workload = &loop };
    a_screen_of(80, 37);
    begin(4);
    run.filtered = true;
    run.filter = LEAVES_OUT(FILTER_JCC) | LEAVES_OUT(FILTER_FAR);
    run.smp = true;
    run.processor = 3;
    display_begins(&run);
    CHECK_TEXT(row_text(26), " run 2 of 4   loop by step filter=jcc+far processor 3");
    display_compared(&run, DIFFERS, 12);
    run.filtered = false;
    display_compared(&run, DIFFERS, 0);
    CHECK_TEXT(row_text(26), " run 2 of 4   loop by step processor 3");
    CHECK_TEXT(row_text(11) + NAMES_COLUMN, "X step loop"); /* two lines */
    CHECK_TEXT(row_text(12) + NAMES_COLUMN, "  filter=jcc+far");
    CHECK_TEXT(row_text(13) + NAMES_COLUMN, "  processor 3,");
    CHECK_TEXT(row_text(14) + NAMES_COLUMN, "  record 12");
}

TEST(what_is_shown_keeps_its_place_while_methods_come)
{
    a_screen_of(100, 37);
    number = 0;
    display_plan(13, 13);
    for (size_t i = 0; i < 13; i++) {
        ran(&thirteen[i], &loop, RIGHT);
        CHECK(row_text(26)[1] == 'r');
        CHECK(row_text(27)[1] == '#');
        for (size_t row = 12 + i; row < 26; row++)
            CHECK_TEXT(row_text(row), "");
    }
}

TEST(on_a_small_screen_progress_stands_above_the_table)
{
    a_screen_of(80, 30);
    number = 0;
    display_plan(13, 13);
    for (size_t i = 0; i < 13; i++)
        ran(&thirteen[i], &loop, i == 12 ? DIFFERS : RIGHT);
    display_line("one", TONE_PLAIN);
    display_line("two", TONE_PLAIN);
    display_line("three", TONE_PLAIN);
    display_line("four", TONE_PLAIN);
    CHECK_TEXT(row_text(9), " run 13 of 13   loop by m");
    CHECK_TEXT(row_text(10), SOME_DIFFER);
    CHECK_TEXT(row_text(11),
               " a               1        0      0             0     0  X m loop");
    CHECK_TEXT(row_text(23), " m               0        1      0             0     0");
    CHECK_TEXT(row_text(26), " one");
    CHECK_TEXT(row_text(29), " four");
}

TEST(the_table_counts_each_method)
{
    a_screen_of(80, 30);
    begin(5);
    CHECK_TEXT(row_text(10), NONE_DIFFERS);
    CHECK(colour_at(13, 10) == COLOUR_DIM && colour_at(20, 10) == COLOUR_DIM);
    ran(&step, &loop, RIGHT);
    CHECK(colour_at(13, 10) == COLOUR_GOOD && colour_at(20, 10) == COLOUR_DIM);
    ran(&lbr, &loop, DIFFERS);
    CHECK(colour_at(20, 10) == COLOUR_BAD && colour_at(29, 10) == COLOUR_DIM);
    ran(&step, &wt, RIGHT);
    ran(&lbr, &wt, SKIPPED);
    ran(&step, &loop, KNOWN);
    ran(&step, &loop, NOT_COMPARED);
    CHECK_TEXT(row_text(10), SOME_DIFFER);
    CHECK_TEXT(row_text(11),
               " step            2        0      1             1     0  X lbr loop");
    CHECK_TEXT(row_text(12), " lbr             0        1      0             0     1");
    CHECK(colour_at(17, 11) == COLOUR_GOOD && colour_at(26, 11) == COLOUR_DIM);
    CHECK(colour_at(26, 12) == COLOUR_BAD);
    CHECK(colour_at(33, 11) == COLOUR_ODD && colour_at(33, 12) == COLOUR_DIM);
    CHECK(colour_at(47, 11) == COLOUR_TEXT && colour_at(47, 12) == COLOUR_DIM);
}

TEST(the_bar_counts_runs_and_is_full_only_at_the_end)
{
    a_screen_of(100, 37);
    begin(200);
    for (int i = 0; i < 199; i++)
        ran(&step, &loop, RIGHT);
    CHECK_TEXT(row_text(26), " run 199 of 200   loop by step");
    CHECK_TEXT(row_text(27) + 85, "#######:   99%");
    ran(&step, &wt, RIGHT);
    CHECK_TEXT(row_text(26), " run 200 of 200   wt by step");
    CHECK_TEXT(row_text(27) + 85, "########  100%");
}

TEST(the_bar_has_the_colour_of_the_worst_that_was_found)
{
    a_screen_of(100, 37);
    begin(6);
    ran(&step, &loop, SKIPPED);
    ran(&step, &loop, NOT_COMPARED);
    CHECK(colour_at(1, 27) == COLOUR_TEXT); /* nothing was right yet */
    ran(&step, &loop, RIGHT);
    CHECK(colour_at(1, 27) == COLOUR_GOOD);
    ran(&step, &loop, KNOWN);
    CHECK(colour_at(1, 27) == COLOUR_ODD);
    ran(&step, &loop, DIFFERS);
    CHECK(colour_at(1, 27) == COLOUR_BAD);
    ran(&step, &loop, RIGHT);
    CHECK(colour_at(1, 27) == COLOUR_BAD);
    begin(4);
    ran(&step, &loop, RIGHT);
    CHECK(colour_at(1, 27) == COLOUR_GOOD);
    wrong_facilities = 1;
    ran(&step, &loop, RIGHT);
    CHECK(colour_at(1, 27) == COLOUR_BAD);
    wrong_facilities = 0;
}

TEST(what_failed_is_named_beside_the_table_and_the_rest_is_counted)
{
    a_screen_of(100, 37);
    begin(15);
    for (int i = 0; i < 13; i++)
        ran(&step, i ? &loop : &wt, DIFFERS);
    CHECK_TEXT(row_text(10), SOME_DIFFER);
    CHECK(colour_at(56, 10) == COLOUR_BAD);
    CHECK_TEXT(row_text(11) + NAMES_COLUMN, "X step wt");
    for (size_t row = 12; row < 24; row++)
        CHECK_TEXT(row_text(row) + NAMES_COLUMN, "X step loop");
    CHECK_TEXT(row_text(24), "");
    ran(&step, &loop, DIFFERS);
    ran(&step, &loop, DIFFERS);
    CHECK_TEXT(row_text(24) + NAMES_COLUMN, "and 2 more");
}

TEST(the_longest_name_of_a_run_is_one_line_on_a_usual_screen)
{
    static const struct method_facts lbr_stream = { .name = "lbr-stream" };
    static const struct workload callstack = { .name = "callstack_deep" };
    struct run_request run = { .method = &lbr_stream, .workload = &callstack };
    a_screen_of(100, 37);
    begin(1);
    display_compared(&run, DIFFERS, 1234);
    CHECK_TEXT(row_text(11) + NAMES_COLUMN, "X lbr-stream callstack_deep, record 1234");
    CHECK_TEXT(row_text(12), "");
}

TEST(a_wide_screen_has_several_columns_of_names)
{
    static const char two[] = "X step loop                          X step loop";
    a_screen_of(131, 37);
    begin(15);
    for (int i = 0; i < 15; i++)
        ran(&step, &loop, DIFFERS);
    CHECK_TEXT(row_text(11) + NAMES_COLUMN, two);
    CHECK_TEXT(row_text(12) + NAMES_COLUMN, two);
    CHECK_TEXT(row_text(13) + NAMES_COLUMN, "X step loop");
}

TEST(the_end_of_the_log_is_beside_what_machine_this_is)
{
    static const char end_of_log[] = "end runs=1 ~974 12345678\nend ~975 51bbaaaa\n";
    static const struct cpu emulated = { .id.hypervisor = "TCGTCGTCGTCG" };
    static const struct handoff handoff = { .date = "" };
    a_screen_of(80, 30);
    display_machine(&emulated, &handoff);
    display_checksum(end_of_log, sizeof end_of_log - 1);
    CHECK_TEXT(row_text(3), " emulated processor: nothing here is a property of silicon"
                            "    log ~975 51bbaaaa");
}

/* How a boot ends of which so many runs are of each kind. */
static const char *ends(const size_t counts[COMPARED_COUNT], bool avoided)
{
    struct end_line totals = { .skipped = counts[SKIPPED] };
    for (enum compared i = 0; i < COMPARED_COUNT; i++)
        totals.runs += counts[i];
    totals.ran = totals.runs - totals.skipped;
    begin(3);
    display_end(&totals, counts, avoided);
    return row_text(screen_rows() == 37 ? 26 : 9);
}

#define ENDS(avoided, ...) ends((const size_t[COMPARED_COUNT]){ __VA_ARGS__ }, avoided)

TEST(the_end_says_how_many_and_how_it_went)
{
    a_screen_of(100, 37);
    CHECK_TEXT(ENDS(false, [RIGHT] = 2, [SKIPPED] = 1),
               " done: 2 runs, 1 skipped, all records as expected V");
    CHECK(colour_at(26, 26) == COLOUR_GOOD);
    CHECK_TEXT(ENDS(false, [RIGHT] = 1, [DIFFERS] = 1, [SKIPPED] = 1),
               " done: 2 runs, 1 skipped, 1 not as expected X");
    CHECK_TEXT(ENDS(true, [RIGHT] = 1, [DIFFERS] = 1, [SKIPPED] = 1),
               " done: 2 runs, 1 skipped, 1 not as expected X");
    CHECK(colour_at(26, 26) == COLOUR_BAD);
    CHECK_TEXT(ENDS(false, [DIFFERS] = 1, [KNOWN] = 1, [NOT_COMPARED] = 1),
               " done: 3 runs, 0 skipped, 1 not as expected X");
    CHECK_TEXT(ENDS(true, [RIGHT] = 2, [SKIPPED] = 1),
               " done: 2 runs, 1 skipped, as expected, but not all was tried: see below -");
    CHECK(colour_at(26, 26) == COLOUR_ODD && colour_at(72, 26) == COLOUR_ODD);
    CHECK_TEXT(ENDS(false, [SKIPPED] = 1),
               " done: 0 runs, 1 skipped, nothing was compared -");
    CHECK(colour_at(26, 26) == COLOUR_ODD);
    a_screen_of(100, 37);
    begin(0);
    CHECK_TEXT(ENDS(false, 0),
               " no workload, or no method, has a name that the options list");
}

TEST(what_is_not_compared_is_explained_and_does_not_count_as_wrong)
{
    a_screen_of(80, 30);
    CHECK_TEXT(ENDS(false, [RIGHT] = 1, [NOT_COMPARED] = 12),
               " done: 13 runs, 0 skipped, 12 not compared, the others as expected V");
    CHECK(colour_at(27, 9) == COLOUR_TEXT && colour_at(45, 9) == COLOUR_GOOD);
    CHECK_TEXT(row_text(25), " not compared on this screen: packets and gaps; "
                             "`everybranch check` judges them");
    CHECK_TEXT(ENDS(false, [NOT_COMPARED] = 1),
               " done: 1 run, 0 skipped, 1 not compared, nothing was compared -");
}

TEST(what_is_known_is_explained_and_does_not_count_as_right)
{
    a_screen_of(80, 30);
    CHECK_TEXT(ENDS(false, [RIGHT] = 1, [KNOWN] = 1),
               " done: 2 runs, 0 skipped, 1 known, the others as expected V");
    CHECK(colour_at(26, 9) == COLOUR_ODD && colour_at(36, 9) == COLOUR_GOOD);
    CHECK_TEXT(row_text(25), " known: differs as a rule or an SMI may explain; "
                             "`everybranch check` judges");
    CHECK_TEXT(ENDS(false, [KNOWN] = 1),
               " done: 1 run, 0 skipped, 1 known, nothing else was compared -");
    CHECK_TEXT(
        ENDS(false, [RIGHT] = 144, [KNOWN] = 1, [NOT_COMPARED] = 12, [SKIPPED] = 12),
        " done: 157 runs, 12 skipped, 12 not compared, 1 known, the others as expected V");
    CHECK_TEXT(row_text(25), " not compared: packets, gaps; known: a rule or SMI; "
                             "`everybranch check` judges");
    a_screen_of(80, 28); /* where that row is one of boot/'s */
    ENDS(false, [RIGHT] = 1, [KNOWN] = 1);
    CHECK_TEXT(row_text(25), "");
}

TEST(a_wrong_facility_is_told_at_the_end_where_all_runs_are_right)
{
    static const struct facilities none_found = {
        .step = { .said.name = FACILITY_STEP },
        .btf = { .said.name = FACILITY_BTF },
        .lbr = { .said.name = FACILITY_LBR },
        .bts = { .said.name = FACILITY_BTS },
        OTHERS,
    };
    a_screen_of(80, 30);
    display_facilities(&none_found, nowhere, 1, 13);
    CHECK_TEXT(ENDS(false, [RIGHT] = 2, [SKIPPED] = 1),
               " done: 2 runs, 1 skipped, 0 not as expected, 1 facility wrong X");
    CHECK(colour_at(26, 9) == COLOUR_BAD && colour_at(48, 9) == COLOUR_BAD);
    display_facilities(&none_found, nowhere, 0, 13);
}

TEST(lines_from_outside_stand_at_the_bottom)
{
    a_screen_of(80, 30);
    display_line("a long line", TONE_PLAIN);
    display_line("b", TONE_ODD);
    display_line("c", TONE_BAD);
    CHECK_TEXT(row_text(26), " a long line");
    CHECK_TEXT(row_text(28), " c");
    CHECK(colour_at(1, 26) == COLOUR_TEXT && colour_at(1, 27) == COLOUR_ODD);
    CHECK(colour_at(1, 28) == COLOUR_BAD);
    display_line("d", TONE_PLAIN);
    display_line("e", TONE_PLAIN);
    CHECK_TEXT(row_text(23), "");
    CHECK_TEXT(row_text(26), " b"); /* the oldest made room, and left nothing behind */
    CHECK(colour_at(1, 26) == COLOUR_ODD); /* the colour goes with its line */
    CHECK_TEXT(row_text(27), " c");
    CHECK_TEXT(row_text(28), " d");
    CHECK_TEXT(row_text(29), " e");
    display_panic("out of memory");
    CHECK_TEXT(row_text(29), " X the kernel gave up; switch off: out of memory");
}

/* Every number of letters from none on: nothing is drawn outside. */
TEST(a_small_screen_shows_what_fits)
{
    static const struct cpu cpu = { .brand = "A processor with a long name" };
    static const struct handoff handoff = { .date = "2026-11-23 02:31", .tsc_hz = 1 };
    static const struct facilities found = {
        .step = { .said.name = FACILITY_STEP, .said.outcome = WORKS, .evidence = "6 of 6" },
        .btf = { .said.name = FACILITY_BTF,
                 .said.outcome = DEAD,
                 .evidence = "none, as many as five were wanted" },
        .lbr = { .said.name = FACILITY_LBR, .said.outcome = ABSENT, .evidence = "no row" },
        .bts = { .said.name = FACILITY_BTS,
                 .said.outcome = DEVIATES,
                 .evidence = "2 of 3" },
        OTHERS
    };
    static char words[METHODS_MAX + 4][8];
    static struct method_facts many[METHODS_MAX + 4];
    for (uint32_t size = 0; size < 30; size++) {
        a_screen_of(size * 2, size);
        memset(cell_memory + columns * rows, 0x77, 256);
        display_machine(&cpu, &handoff);
        display_facilities(&found, nowhere, 0, 13);
        begin(METHODS_MAX + 4);
        for (int i = 0; i < METHODS_MAX + 4; i++) {
            snprintf(words[i], sizeof words[i], "m%d", i);
            many[i].name = words[i];
            ran(&many[i], &loop, DIFFERS);
        }
        ENDS(true, [DIFFERS] = 36);
        display_checksum("end ~975 51bbaaaa\n", 18);
        display_line("x", TONE_PLAIN);
        display_panic("y");
        CHECK(cell_memory[columns * rows].glyph == 0x77);
    }
}
