// LINK: common/base/text.c
#include "common/base/nearest.c"

#include <string.h>

#include "test.h"

static const char *const names[] = { "loop", "loop_next", "loopcc",
                                     "wt",   "kinds",     "ring3_sys" };

static const char *meant(const char *word)
{
    struct nearest nearest = nearest_to(word, strlen(word));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        nearest_try(&nearest, names[i]);
    return nearest.name ? nearest.name : "";
}

TEST(one_letter_may_be_wrong_in_a_short_word)
{
    CHECK_TEXT(meant("lop"), "loop");
    CHECK_TEXT(meant("looop"), "loop");
    CHECK_TEXT(meant("lopo"), "loop"); /* swapped */
    CHECK_TEXT(meant("poop"), "loop");
    CHECK_TEXT(meant("LOOP"), "loop");
    CHECK_TEXT(meant("wtt"), "wt");
    CHECK_TEXT(meant("l"), "");
    CHECK_TEXT(meant("step"), "");
}

TEST(a_longer_word_may_differ_in_a_third_of_its_letters)
{
    CHECK_TEXT(meant("rnig3_syss"), "ring3_sys");
    CHECK_TEXT(meant("ring_s"), "");
    CHECK_TEXT(meant("loopnext"), "loop_next");
    CHECK_TEXT(meant("loop_next"), "loop_next");
}

TEST(of_two_as_near_the_first_is_meant)
{
    CHECK_TEXT(meant("loopc"), "loop");
}

TEST(an_empty_word_and_a_very_long_one_are_near_nothing)
{
    char longest[34];
    memset(longest, 'l', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    CHECK_TEXT(meant(""), "");
    CHECK_TEXT(meant(longest), "");
    struct nearest nearest = nearest_to("loop", 4);
    nearest_try(&nearest, longest);
    CHECK(!nearest.name);
}

TEST(the_question_has_the_nearest_name_or_is_not_asked)
{
    char words[64];
    struct text out = text_into(words, sizeof words);
    struct nearest none = nearest_to("step", 4), near = nearest_to("lop", 3);
    nearest_try(&near, "loop");
    CHECK(!nearest_put(&out, &none) && out.length == 0);
    CHECK(nearest_put(&out, &near));
    CHECK_TEXT(words, "; did you mean loop?");
}
