#include "common/base/text.c"

#include "test.h"

static char buffer[40];

TEST(numbers_have_one_form)
{
    struct text text = text_into(buffer, sizeof(buffer));

    text_decimal(&text, 0);
    text_string(&text, " ");
    text_decimal(&text, 18446744073709551615u);
    text_string(&text, " ");
    text_hex(&text, 0);
    text_string(&text, " ");
    text_hex(&text, 0xdeadbeefu);
    CHECK_TEXT(buffer, "0 18446744073709551615 0 deadbeef");
    CHECK(text.length == 33 && !text.overflow);
}

TEST(padding_keeps_leading_zeros)
{
    struct text text = text_into(buffer, sizeof(buffer));

    text_hex_padded(&text, 0xab, 8);
    text_string(&text, ",");
    text_hex_padded(&text, 0x12345, 2);
    CHECK_TEXT(buffer, "000000ab,45");
}

TEST(what_does_not_fit_is_left_out_and_said)
{
    struct text text = text_into(buffer, 5);

    memset(buffer, 'x', sizeof(buffer));
    text = text_into(buffer, 5);
    text_string(&text, "abcdef");
    CHECK_TEXT(buffer, "abcd");
    CHECK(text.overflow && text.length == 4 && buffer[5] == 'x');
}

TEST(bytes_are_cut_where_room_ends)
{
    struct text text = text_into(buffer, 8), none = text_into(NULL, 0);

    memset(buffer, 'x', sizeof(buffer));
    text_bytes(&text, "abcdef", 4);
    CHECK_TEXT(buffer, "abcd");
    text_bytes(&text, "efg", 3);
    CHECK_TEXT(buffer, "abcdefg");
    CHECK(!text.overflow && text.length == 7);
    text_bytes(&text, "", 0);
    CHECK(!text.overflow);
    text_bytes(&text, "h", 1);
    CHECK_TEXT(buffer, "abcdefg");
    CHECK(text.overflow && text.length == 7 && buffer[8] == 'x');
    text_bytes(&none, "a", 1);
    CHECK(none.overflow && none.length == 0);
}

TEST(short_ones_are_bytes_like_others)
{
    static const char bytes[TEXT_SHORT + 1] = "abcdefghijklmnop";
    struct text text = text_into(buffer, sizeof(buffer)), none = text_into(NULL, 0);

    text_short(&text, bytes, 3);
    CHECK_TEXT(buffer, "abc");
    text_short(&text, bytes, 0);
    text_short(&text, bytes, TEXT_SHORT);
    CHECK_TEXT(buffer, "abcabcdefghijklmnop");
    text_short(&text, bytes, TEXT_SHORT);
    CHECK_TEXT(buffer, "abcabcdefghijklmnopabcdefghijklmnop");
    CHECK(text.length == 35 && !text.overflow);
    text_short(&text, bytes, 4);
    CHECK_TEXT(buffer, "abcabcdefghijklmnopabcdefghijklmnopabcd");
    CHECK(text.length == 39 && !text.overflow);
    text_short(&text, bytes, 1);
    CHECK(text.length == 39 && text.overflow);
    text_short(&none, bytes, 1);
    CHECK(none.overflow && none.length == 0);
}

/* All of those bytes are put, in room that is there. */
TEST(a_short_one_writes_no_further_than_its_room)
{
    static const char bytes[TEXT_SHORT + 1] = "abcdefghijklmnop";

    for (size_t capacity = 1; capacity < sizeof(buffer); capacity++) {
        struct text text = text_into(buffer, capacity);

        memset(buffer, 'x', sizeof(buffer));
        text_short(&text, bytes, 2);
        for (size_t i = capacity; i < sizeof(buffer); i++)
            CHECK(buffer[i] == 'x');
        CHECK(text.overflow == (capacity < 3) && buffer[text.length] == '\0');
    }
}

TEST(full_to_the_last_character_is_no_overflow)
{
    struct text text = text_into(buffer, 5);

    text_string(&text, "abcd");
    CHECK(!text.overflow && text.length == 4);
}

TEST(a_number_may_have_all_its_16_digits)
{
    struct text text = text_into(buffer, sizeof(buffer));

    text_hex(&text, UINT64_MAX);
    text_string(&text, " ");
    text_hex(&text, 0x1000000000000000);
    CHECK_TEXT(buffer, "ffffffffffffffff 1000000000000000");
}

TEST(room_for_the_end_alone_holds_nothing)
{
    struct text text;

    memset(buffer, 'x', 2);
    text = text_into(buffer, 1);
    CHECK_TEXT(buffer, "");
    text_string(&text, "a");
    CHECK(text.overflow && text.length == 0 && buffer[0] == '\0' && buffer[1] == 'x');
}

TEST(no_room_is_not_written_to)
{
    struct text text;

    buffer[0] = 'x';
    text = text_into(buffer, 0);
    text_decimal(&text, 1);
    CHECK(text.overflow && buffer[0] == 'x');
}

/* RFC 4648, "Test Vectors". */
TEST(base64_is_that_of_the_rfc)
{
    static const char *const vectors[][2] = { { "", "" },
                                              { "f", "Zg==" },
                                              { "fo", "Zm8=" },
                                              { "foo", "Zm9v" },
                                              { "foob", "Zm9vYg==" },
                                              { "fooba", "Zm9vYmE=" },
                                              { "foobar", "Zm9vYmFy" } };
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        struct text text = text_into(buffer, sizeof(buffer));

        text_base64(&text, (const uint8_t *)vectors[i][0], strlen(vectors[i][0]));
        CHECK_TEXT(buffer, vectors[i][1]);
    }
}
