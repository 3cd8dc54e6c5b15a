// LINK: kernel/hardware/font.asm common/filter.c common/platform.c common/text.c
// LINK: common/pmu.c common/skip_code.c common/verdict.c
#include "kernel/hardware/screen.c"
#include "kernel/display.c"

#include "test.h"

static uint8_t memory[800 * 600 * 4];
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
                enum verdict verdict)
{
    number++;
    struct run run = { .number = number, .method = method, .workload = w };
    display_begins(&run);
    display_verdict(&run, verdict);
}

static void begin(size_t runs, size_t workloads)
{
    number = 0;
    display_plan(runs, workloads, 2);
}

TEST(the_first_row_says_whose_opinion_it_is)
{
    static const struct cpu cpu = { .brand = "  Some CPU",
                                    .id.hypervisor = "TCGTCGTCGTCG" };
    static const struct cpu bare = { .id = { .vendor = "GenuineIntel" } };
    static const struct cpu kvm = { .brand = "x", .id.hypervisor = "KVMKVMKVM" };
    a_screen_of(80, 30);
    display_machine(&cpu);
    CHECK_TEXT(row_text(0), " everybranch: the kernel's own check; the log is what counts");
    CHECK(colour_at(79, 0) == COLOUR_TITLE);
    CHECK_TEXT(row_text(2), " Some CPU, model unknown");
    CHECK_TEXT(row_text(3), " emulated processor: nothing here is a property of silicon");
    display_machine(&bare);
    CHECK_TEXT(row_text(2), " GenuineIntel, model unknown");
    CHECK_TEXT(row_text(3), "");
    display_machine(&kvm);
    CHECK_TEXT(row_text(3), " in a virtual machine: KVMKVMKVM");
}

/* Those in the right half of the screen, and the last of the left one. */
#define OTHERS                                                                  \
    .tr = { .name = "tr", .probe_result = WORKS, .evidence = "kept" },          \
    .pmi = { .name = "pmi", .probe_result = AVOIDED, .evidence = "not tried" }, \
    .ler = { .name = "ler", .probe_result = FAULTS, .evidence = "#GP" },        \
    .freeze = { .name = "freeze", .probe_result = WORKS, .evidence = "both" },  \
    .brs = { .name = "brs", .probe_result = ABSENT, .evidence = "none" }

TEST(a_facility_has_a_shape_a_word_and_what_was_seen)
{
    static const struct facilities found = {
        .step = { .name = "step", .probe_result = WORKS, .evidence = "6 of 6" },
        .btf = { .name = "btf",
                 .probe_result = DEAD,
                 .evidence = "none, as many as five were wanted" },
        .lbr = { .name = "lbr", .probe_result = ABSENT, .evidence = "no row" },
        .bts = { .name = "bts", .probe_result = DEVIATES, .evidence = "2 of 3" },
        OTHERS,
    };
    a_screen_of(80, 30);
    display_facilities(&found, nowhere, 13);
    CHECK_TEXT(row_text(6),
               " step     V works     6 of 6             pmi      - avoided   not tried");
    CHECK_TEXT(row_text(7),
               " btf      X dead      none, as many as.. ler      X faults    #GP");
    CHECK_TEXT(row_text(8),
               " lbr      - absent    no row             freeze   V works     both");
    CHECK_TEXT(row_text(9),
               " bts      X deviates  2 of 3             brs      - absent    none");
    CHECK_TEXT(row_text(10), " tr       V works     kept");
    CHECK_TEXT(row_text(11), "");
    CHECK(colour_at(10, 6) == COLOUR_GOOD && colour_at(10, 7) == COLOUR_BAD);
    CHECK(colour_at(10, 8) == COLOUR_DIM);
}

TEST(with_room_facilities_stand_one_below_the_other_and_whole)
{
    static const struct facilities found = {
        .step = { .name = "step", .probe_result = WORKS, .evidence = "6 of 6" },
        .btf = { .name = "btf",
                 .probe_result = DEAD,
                 .evidence = "none, as many as five were wanted, and it stops where there "
                             "is room" },
        .lbr = { .name = "lbr", .probe_result = ABSENT, .evidence = "no row" },
        .bts = { .name = "bts", .probe_result = DEVIATES, .evidence = "2 of 3" },
        OTHERS,
    };
    a_screen_of(80, 37);
    display_facilities(&found, nowhere, 13);
    CHECK_TEXT(
        row_text(7),
        " btf      X dead      none, as many as five were wanted, and it stops where..");
    CHECK_TEXT(row_text(11), " pmi      - avoided   not tried");
    CHECK_TEXT(row_text(14), " brs      - absent    none");
    begin(2, 1);
    CHECK_TEXT(
        row_text(16),
        " method     V pass  X FAIL  - skip  ? measured  each workload, in its order");
    a_screen_of(80, 37);
    display_facilities(&found, nowhere, 14); /* which would need a row more */
    CHECK_TEXT(row_text(11), "");
}

TEST(a_facility_that_was_not_tried_is_no_failure)
{
    static const struct facilities found = {
        .step = { .name = "step", .probe_result = WORKS, .evidence = "6 of 6" },
        .btf = { .name = "btf",
                 .probe_result = AVOIDED,
                 .evidence = "0001.log ended in it" },
        .lbr = { .name = "lbr", .probe_result = ABSENT, .evidence = "no row" },
        .bts = { .name = "bts", .probe_result = FAULTS, .evidence = "#GP" },
        OTHERS,
    };
    a_screen_of(80, 30);
    display_facilities(&found, nowhere, 13);
    CHECK_TEXT(row_text(7),
               " btf      - avoided   0001.log ended..   ler      X faults    #GP");
    CHECK_TEXT(row_text(9),
               " bts      X faults    #GP                brs      - absent    none");
    CHECK(colour_at(10, 7) == COLOUR_ODD && colour_at(10, 8) == COLOUR_DIM);
}

TEST(what_a_platform_is_known_to_lack_is_no_failure)
{
    static const struct facilities found = {
        .step = { .name = "step", .probe_result = WORKS, .evidence = "6 of 6" },
        .btf = { .name = "btf", .probe_result = DEAD, .evidence = "none trapped" },
        .lbr = { .name = "lbr", .probe_result = FAULTS, .evidence = "#GP" },
        .bts = { .name = "bts", .probe_result = ABSENT, .evidence = "none" },
        OTHERS,
    };
    static const char *const on[FACILITY_COUNT] = { [FACILITY_BTF] = "as expected on kvm" };
    a_screen_of(80, 30);
    display_facilities(&found, on, 13);
    CHECK_TEXT(row_text(7),
               " btf      - dead      as expected on kvm ler      X faults    #GP");
    CHECK(colour_at(10, 7) == COLOUR_DIM && colour_at(10, 8) == COLOUR_BAD);
}

TEST(a_run_among_others_names_its_filter_and_its_processor)
{
    struct run run = { .number = 2, .method = &step, .workload = &loop };
    a_screen_of(100, 37);
    begin(4, 1);
    run.filtered = true;
    run.filter = LEAVES_OUT(FILTER_JCC) | LEAVES_OUT(FILTER_FAR);
    run.smp = true;
    run.processor = 3;
    display_begins(&run);
    CHECK_TEXT(row_text(19), " run 2 of 4   loop by step filter=jcc+far processor 3");
    display_verdict(&run, FAIL);
    run.filtered = false;
    display_verdict(&run, FAIL);
    CHECK_TEXT(row_text(19), " run 2 of 4   loop by step processor 3");
    CHECK_TEXT(row_text(23), " X step loop filter=jcc+far processor 3");
    CHECK_TEXT(row_text(24), " X step loop processor 3");
}

TEST(what_is_shown_keeps_its_place_while_methods_come)
{
    a_screen_of(100, 37);
    number = 0;
    display_plan(13, 1, 13);
    for (size_t i = 0; i < 13; i++) {
        ran(&thirteen[i], &loop, PASS);
        CHECK(row_text(27)[1] == 'r');
        CHECK(row_text(28)[1] == '#');
        for (size_t row = 14 + i; row < 27; row++)
            CHECK_TEXT(row_text(row), "");
    }
}

TEST(on_a_small_screen_progress_stands_above_the_table)
{
    a_screen_of(80, 30);
    number = 0;
    display_plan(13, 1, 13);
    for (size_t i = 0; i < 13; i++)
        ran(&thirteen[i], &loop, i == 12 ? FAIL : PASS);
    display_line("one", TONE_PLAIN);
    display_line("two", TONE_PLAIN);
    display_line("three", TONE_PLAIN);
    display_line("four", TONE_PLAIN);
    CHECK_TEXT(row_text(11), " run 13 of 13   loop by m");
    CHECK_TEXT(
        row_text(12),
        " method     V pass  X FAIL  - skip  ? measured  each workload, in its order");
    CHECK_TEXT(row_text(25), " m               0       1       0           0  X");
    CHECK_TEXT(row_text(26), " one");
    CHECK_TEXT(row_text(29), " four");
}

TEST(the_table_counts_each_method_and_marks_each_workload)
{
    a_screen_of(80, 30);
    begin(5, 3);
    ran(&step, &loop, PASS);
    ran(&lbr, &loop, FAIL);
    ran(&step, &wt, PASS);
    ran(&lbr, &wt, SKIP);
    ran(&step, &loop, MEASURED);
    CHECK_TEXT(
        row_text(12),
        " method     V pass  X FAIL  - skip  ? measured  each workload, in its order");
    CHECK_TEXT(row_text(13), " step            2       0       0           1  VV?");
    CHECK_TEXT(row_text(14), " lbr             0       1       1           0  X-");
    CHECK(colour_at(48, 14) == COLOUR_BAD && colour_at(49, 14) == COLOUR_DIM);
    CHECK(colour_at(48, 13) == COLOUR_GOOD);
    CHECK(colour_at(17, 13) == COLOUR_GOOD && colour_at(25, 13) == COLOUR_DIM);
    CHECK(colour_at(25, 14) == COLOUR_BAD);
    CHECK(colour_at(45, 13) == COLOUR_ODD && colour_at(50, 13) == COLOUR_ODD);
    CHECK(colour_at(45, 14) == COLOUR_DIM);
}

TEST(marks_that_do_not_all_fit_are_left_out)
{
    a_screen_of(80, 30);
    begin(32, 32);
    ran(&step, &loop, PASS);
    CHECK_TEXT(row_text(13), " step            1       0       0           0  V");
    a_screen_of(80, 30);
    begin(33, 33);
    ran(&step, &loop, PASS);
    CHECK_TEXT(row_text(12), " method     V pass  X FAIL  - skip  ? measured");
    CHECK_TEXT(row_text(13), " step            1       0       0           0");
}

TEST(the_bar_counts_runs_and_is_full_only_at_the_end)
{
    a_screen_of(80, 30);
    begin(200, 100);
    for (int i = 0; i < 199; i++)
        ran(&step, &loop, PASS);
    CHECK_TEXT(row_text(19), " run 199 of 200   loop by step");
    CHECK_TEXT(row_text(20),
               " #######################################################################:"
               "   99%");
    ran(&step, &wt, PASS);
    CHECK_TEXT(row_text(19), " run 200 of 200   wt by step");
    CHECK_TEXT(row_text(20),
               " ########################################################################"
               "  100%");
}

TEST(what_failed_is_named_and_the_rest_is_counted)
{
    a_screen_of(80, 30);
    begin(9, 9);
    for (int i = 0; i < 9; i++)
        ran(&step, i ? &loop : &wt, FAIL);
    CHECK_TEXT(row_text(22), " not as expected");
    CHECK_TEXT(row_text(23),
               " X step wt                 X step loop               X step loop");
    CHECK_TEXT(row_text(24),
               " X step loop               X step loop               and 4 more");
    CHECK_TEXT(row_text(25), "");
    ran(&step, &loop, FAIL);
    CHECK_TEXT(row_text(24),
               " X step loop               X step loop               and 5 more");
}

TEST(the_end_says_how_many_and_how_it_went)
{
    a_screen_of(80, 30);
    begin(3, 3);
    display_end(&(struct totals){ .runs = 3, .ran = 2, .skipped = 1 }, 0, 0, false);
    CHECK_TEXT(row_text(19), " done: 2 runs, 1 skipped, all as expected V");
    display_end(&(struct totals){ .runs = 3, .ran = 2, .skipped = 1 }, 1, 0, false);
    CHECK_TEXT(row_text(19), " done: 2 runs, 1 skipped, 1 not as expected X");
    display_end(&(struct totals){ .runs = 3, .ran = 2, .skipped = 1 }, 1, 0, true);
    CHECK_TEXT(row_text(19), " done: 2 runs, 1 skipped, 1 not as expected X");
    CHECK(colour_at(26, 19) == COLOUR_BAD);
    display_end(&(struct totals){ .runs = 3, .ran = 2, .skipped = 1 }, 0, 1, false);
    CHECK_TEXT(row_text(19),
               " done: 2 runs, 1 skipped, 1 measured, the rest as expected V");
    CHECK(colour_at(26, 19) == COLOUR_ODD && colour_at(38, 19) == COLOUR_GOOD);
    display_end(&(struct totals){ .runs = 3, .ran = 2, .skipped = 1 }, 1, 1, false);
    CHECK_TEXT(row_text(19), " done: 2 runs, 1 skipped, 1 measured, 1 not as expected X");
    display_end(&(struct totals){ .runs = 3, .ran = 2, .skipped = 1 }, 0, 0, true);
    CHECK_TEXT(row_text(19),
               " done: 2 runs, 1 skipped, as expected, but not all was tried: "
               "see below -");
    CHECK(colour_at(26, 19) == COLOUR_ODD && colour_at(72, 19) == COLOUR_ODD);
    a_screen_of(80, 30);
    begin(0, 0);
    display_end(&(struct totals){ 0 }, 0, 0, false);
    CHECK_TEXT(row_text(19),
               " no workload, or no method, has a name that the options list");
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
    CHECK_TEXT(row_text(25), "");
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
    static const struct facilities found = {
        .step = { .name = "step", .probe_result = WORKS, .evidence = "6 of 6" },
        .btf = { .name = "btf",
                 .probe_result = DEAD,
                 .evidence = "none, as many as five were wanted" },
        .lbr = { .name = "lbr", .probe_result = ABSENT, .evidence = "no row" },
        .bts = { .name = "bts", .probe_result = DEVIATES, .evidence = "2 of 3" },
        OTHERS
    };
    static char names[METHODS_MAX + 4][8];
    static struct method_facts many[METHODS_MAX + 4];
    for (uint32_t size = 0; size < 30; size++) {
        a_screen_of(size * 2, size);
        memset(cell_memory + columns * rows, 0x77, 256);
        display_machine(&cpu);
        display_facilities(&found, nowhere, 13);
        begin(METHODS_MAX + 4, 1);
        for (int i = 0; i < METHODS_MAX + 4; i++) {
            snprintf(names[i], sizeof names[i], "m%d", i);
            many[i].name = names[i];
            ran(&many[i], &loop, FAIL);
        }
        display_end(&(struct totals){ .runs = 36, .ran = 36 }, 36, 0, true);
        display_line("x", TONE_PLAIN);
        display_panic("y");
        CHECK(cell_memory[columns * rows].glyph == 0x77);
    }
}
