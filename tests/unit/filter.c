// LINK: common/base/text.c
#include "common/facts/filter.c"

#include "test.h"

/* The set that a text stands for, or 0xffffffff where it is refused. */
static uint32_t set_of(const char *text)
{
    uint32_t filter;

    return filter_read(text, strlen(text), &filter) ? filter : UINT32_MAX;
}

static const char *again(const char *text)
{
    static char out[FILTER_TEXT_SIZE];

    return filter_text(set_of(text), out);
}

TEST(words_are_the_bits_of_lbr_select)
{
    CHECK(set_of("none") == 0);
    CHECK(set_of("kernel") == 0x001);
    CHECK(set_of("user") == 0x002);
    CHECK(set_of("jcc") == 0x004);
    CHECK(set_of("call") == 0x008);
    CHECK(set_of("icall") == 0x010);
    CHECK(set_of("ret") == 0x020);
    CHECK(set_of("ijmp") == 0x040);
    CHECK(set_of("jmp") == 0x080);
    CHECK(set_of("far") == 0x100);
    CHECK(set_of("callstack") == 0x3c4);
    CHECK(set_of("jcc+far") == 0x104);
    CHECK(set_of("far+jcc") == 0x104);
    CHECK(set_of("kernel+callstack") == 0x3c5);
    CHECK(set_of("callstack+user") == 0x3c6);
    CHECK(set_of("kernel+user+jcc+call+icall+ret+ijmp+jmp+far") == 0x1ff);
}

TEST(what_is_no_filter_is_refused)
{
    static const char *const wrong[] = {
        "",
        "+",
        "jcc+",
        "+jcc",
        "jcc,far",
        "JCC",
        "jc",
        "jccc",
        "none+jcc",
        "jcc+jcc",
        "jcc+none",
        "each",
        "kernel ",
        "callstack+jcc",
        "callstack+callstack",
        "call+callstack",
        "kernel+user+callstack",
        "ret+kernel+callstack",
        "jcc+ijmp+jmp+far+callstack",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(set_of(wrong[i]) == UINT32_MAX);
}

TEST(a_filter_is_written_in_one_way)
{
    CHECK_TEXT(again("none"), "none");
    CHECK_TEXT(again("far+jcc"), "jcc+far");
    CHECK_TEXT(again("callstack"), "callstack");
    CHECK_TEXT(again("callstack+kernel"), "kernel+callstack");
    CHECK_TEXT(again("kernel+user+jcc+call+icall+ret+ijmp+jmp+far"),
               "kernel+user+jcc+call+icall+ret+ijmp+jmp+far");
}

/* All filters of a list, in hex. */
static const char *all_of(const char *list)
{
    static char line[400];
    char *end = line;
    uint32_t filter;

    line[0] = '\0';
    for (size_t n = 0; n < 60 && filter_nth(list, n, &filter); n++)
        end += sprintf(end, "%x ", filter);
    return line;
}

static size_t count_of(const char *list)
{
    size_t count = 0;
    uint32_t filter;

    while (filter_nth(list, count, &filter))
        count++;
    return count;
}

TEST(a_list_is_one_after_the_other)
{
    CHECK_TEXT(all_of("none"), "0 ");
    CHECK_TEXT(all_of("jcc+far,none,ret"), "104 0 20 ");
    CHECK_TEXT(all_of("each"), "0 1 2 4 8 10 20 40 80 100 3c4 ");
    CHECK_TEXT(all_of("callstack,each,jcc"), "3c4 0 1 2 4 8 10 20 40 80 100 3c4 4 ");
    CHECK_TEXT(all_of("pairs"),
               "0 1 2 4 8 10 20 40 80 100 "
               "3 5 6 9 a c 11 12 14 18 21 22 24 28 30 41 42 44 48 50 60 "
               "81 82 84 88 90 a0 c0 101 102 104 108 110 120 140 180 3c4 ");
}

TEST(every_is_all_combinations_once)
{
    static bool seen[1024];
    uint32_t filter;

    CHECK(count_of("every") == 515);
    for (size_t n = 0; filter_nth("every", n, &filter); n++) {
        CHECK(!seen[filter % 1024]);
        seen[filter % 1024] = true;
    }
    for (size_t mix = 0; mix < 512; mix++)
        CHECK(seen[mix]);
    CHECK(seen[0x3c4] && seen[0x3c5] && seen[0x3c6]);
}

TEST(what_is_wrong_in_a_list_is_found)
{
    CHECK(!filter_wrong("none"));
    CHECK(!filter_wrong("each,jcc+far,every"));
    CHECK_TEXT(filter_wrong("jcc,loops,far"), "loops,far");
    CHECK_TEXT(filter_wrong(""), "");
    CHECK_TEXT(filter_wrong("jcc,"), "");
}

#define ALL 0x3ffu

TEST(lbr_select_has_a_bit_for_what_is_left_out)
{
    CHECK(filter_register(&filter_lbr_select, 0x1ff, 0) == 0);
    CHECK(filter_register(&filter_lbr_select, 0x1ff, 0x104) == 0x104);
    CHECK(filter_register(&filter_lbr_select_nehalem, 0x1ff, 0x40) == 0x40);
    CHECK(filter_register(&filter_lbr_select_stack, ALL, 0x3c4) == 0x3c4);
    CHECK(filter_register(&filter_amd_lbr_select, 0x1ff, 0x1ff) == 0x1ff);
}

TEST(lbr_ctl_has_a_bit_for_what_is_recorded)
{
    CHECK(filter_register(&filter_lbr_ctl, ALL, 0) == 0x7f0006);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("jcc")) == 0x7e0006);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("jmp")) == 0x7d0006);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("ijmp")) == 0x7b0006);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("call")) == 0x770006);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("icall")) == 0x6f0006);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("ret")) == 0x5f0006);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("far")) == 0x3f0006);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("kernel")) == 0x7f0004);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("user")) == 0x7f0002);
    CHECK(filter_register(&filter_lbr_ctl, ALL, 0x1ff) == 0);
    CHECK(filter_register(&filter_lbr_ctl, ALL, set_of("callstack")) == 0x38000e);
}

TEST(a_bit_that_the_processor_lacks_stays_0)
{
    CHECK(filter_register(&filter_lbr_ctl, 0, 0) == 0);
    CHECK(filter_register(&filter_lbr_ctl, FILTER_RINGS, set_of("user")) == 2);
    CHECK(filter_register(&filter_lbr_ctl, FILTER_KINDS, 0) == 0x7f0000);
}

TEST(nehalems_jumps_take_calls_along)
{
    CHECK(filter_form_apply(&filter_lbr_select_nehalem, set_of("ijmp")).left_out == 0x058);
    CHECK(filter_form_apply(&filter_lbr_select_nehalem, set_of("jmp")).left_out == 0x088);
    CHECK(filter_form_apply(&filter_lbr_select_nehalem, set_of("call")).left_out == 0x008);
    CHECK(filter_form_apply(&filter_lbr_select, set_of("ijmp")).left_out == 0x040);
    CHECK(filter_form_apply(&filter_lbr_select, set_of("jmp")).left_out == 0x080);
    CHECK(filter_form_apply(NULL, set_of("kernel")).left_out == 0x001);
}

TEST(a_sieve_knows_the_mode_and_the_ring_that_counts)
{
    CHECK(filter_form_apply(&filter_lbr_select_stack, set_of("callstack")).call_stack);
    CHECK(!filter_form_apply(&filter_lbr_select_stack, set_of("callstack")).empties);
    CHECK(filter_form_apply(&filter_lbr_ctl, set_of("callstack")).empties);
    CHECK(!filter_form_apply(&filter_lbr_select_stack, 0x1c4).call_stack);
    CHECK(filter_form_apply(&filter_amd_lbr_select, 1).decides == RING_ENTERED);
    CHECK(filter_form_apply(&filter_lbr_select, 1).decides == RING_ENTERED);
    CHECK(filter_form_apply(&filter_lbr_ctl, 1).decides == RING_ENTERED &&
          filter_form_apply(NULL, 1).decides == RING_LEFT);
    CHECK(filter_form_apply(&filter_lbr_ctl, 1).hides_ends);
    CHECK(!filter_form_apply(&filter_lbr_select, 1).hides_ends);
}

/* IA32_LBR_CTL[22:16] = 0; a register whose bits leave out can never select nothing. */
TEST(a_control_without_a_kind_of_branch_selects_nothing)
{
    CHECK(filter_selects_nothing(&filter_lbr_ctl, 0) &&
          filter_selects_nothing(&filter_lbr_ctl, 0xf));
    for (unsigned bit = 16; bit <= 22; bit++)
        CHECK(!filter_selects_nothing(&filter_lbr_ctl, 0x7 | 1u << bit));
    CHECK(!filter_selects_nothing(&filter_lbr_select, 0) &&
          !filter_selects_nothing(&filter_amd_lbr_select, 0x1fc));
}

TEST(every_kind_of_transfer_has_its_word)
{
    CHECK(filter_of_kind(KIND_JCC) == set_of("jcc"));
    CHECK(filter_of_kind(KIND_JMP) == set_of("jmp"));
    CHECK(filter_of_kind(KIND_IJMP) == set_of("ijmp"));
    CHECK(filter_of_kind(KIND_CALL) == set_of("call"));
    CHECK(filter_of_kind(KIND_ICALL) == set_of("icall"));
    CHECK(filter_of_kind(KIND_RET) == set_of("ret"));
    CHECK(filter_of_kind(KIND_INT) == set_of("far"));
    CHECK(filter_of_kind(KIND_EXC) == set_of("far"));
    CHECK(filter_of_kind(KIND_IRET) == set_of("far"));
    CHECK(filter_of_kind(KIND_FAR) == set_of("far"));
    CHECK(filter_of_kind(KIND_DB) == 0);
}
