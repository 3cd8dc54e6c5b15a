#include "boot/line.c"

#include "test.h"

static struct line_editor line;

/* What a console shows of all that was printed, and where its cursor is. */
static char shown[128];
static size_t column;

static void print(const char *text)
{
    for (; *text; text++)
        if (*text == '\r')
            column = 0;
        else
            shown[column++] = *text;
}

static void begin(void)
{
    memset(shown, 0, sizeof shown);
    column = 0;
    print(line_start(&line));
}

static void press(unsigned key)
{
    CHECK(!line_take(&line, key));
    print(line_drawn(&line));
}

static void type(const char *keys)
{
    while (*keys)
        press((unsigned char)*keys++);
}

/* The text, with | where the cursor is; and that the terminal shows just that. */
static const char *seen(void)
{
    static char text[LINE_ROOM + 2];
    size_t blank = strlen(shown);
    memcpy(text, line.text, line.cursor);
    strcpy(text + line.cursor, "|");
    strcat(text, line.text + line.cursor);
    while (blank > 2 && shown[blank - 1] == ' ')
        blank--;
    CHECK(column == 2 + line.cursor);
    CHECK(!memcmp(shown, "> ", 2));
    CHECK(blank - 2 == line.length && !memcmp(shown + 2, line.text, line.length));
    return text;
}

static void enter(const char *text)
{
    begin();
    type(text);
    CHECK(line_take(&line, LINE_ENTER));
    CHECK_TEXT(line.text, text);
}

static void anew(void)
{
    memset(&line, 0, sizeof line);
    begin();
}

TEST(what_is_typed_is_shown)
{
    anew();
    CHECK_TEXT(seen(), "|");
    type("msr read 0x1D9~");
    CHECK_TEXT(seen(), "msr read 0x1D9~|");
    CHECK(line_take(&line, LINE_ENTER));
    CHECK_TEXT(line.text, "msr read 0x1D9~");
}

TEST(a_character_goes_in_at_the_cursor)
{
    anew();
    type("mr");
    press(LINE_LEFT);
    type("s");
    CHECK_TEXT(seen(), "ms|r");
    press(LINE_RIGHT);
    press(LINE_RIGHT);
    type("!");
    CHECK_TEXT(seen(), "msr!|");
}

TEST(at_the_end_delete_is_backspace)
{
    anew();
    press(LINE_DELETE);
    CHECK_TEXT(seen(), "|");
    type("ab");
    press(LINE_DELETE);
    CHECK_TEXT(seen(), "a|");
}

TEST(backspace_takes_the_one_before_and_delete_the_one_after)
{
    anew();
    type("abcde");
    press(LINE_LEFT);
    press(LINE_LEFT);
    press(LINE_BACKSPACE);
    CHECK_TEXT(seen(), "ab|de");
    press(LINE_RUBOUT);
    CHECK_TEXT(seen(), "a|de");
    press(LINE_DELETE);
    CHECK_TEXT(seen(), "a|e");
    press(LINE_HOME);
    press(LINE_BACKSPACE);
    CHECK_TEXT(seen(), "|ae");
}

TEST(home_and_end_go_to_the_ends_and_not_further)
{
    anew();
    type("abc");
    press(LINE_HOME);
    CHECK_TEXT(seen(), "|abc");
    press(LINE_LEFT);
    CHECK_TEXT(seen(), "|abc");
    press(LINE_END);
    press(LINE_RIGHT);
    CHECK_TEXT(seen(), "abc|");
}

TEST(the_rest_or_all_of_it_can_be_cut)
{
    anew();
    type("abcdef");
    press(LINE_LEFT);
    press(LINE_LEFT);
    press(LINE_KILL);
    CHECK_TEXT(seen(), "abcd|");
    press(LINE_LEFT);
    press(LINE_CLEAR);
    CHECK_TEXT(seen(), "|");
}

TEST(what_is_no_key_of_a_line_changes_nothing)
{
    anew();
    type("ab");
    press(0);
    press(0x1b);
    press(0x09);
    press(0x80);
    press(0x20ac);
    CHECK_TEXT(seen(), "ab|");
}

TEST(a_sequence_that_the_firmware_does_not_know_is_a_key_or_nothing)
{
    anew();
    type("abc\x1b[1~\x1b[3~");
    CHECK_TEXT(seen(), "|bc");
    type("\x1b[4~d\x1b[7~e\x1b[8~f\x1bOHg\x1bOFh\x1b[Hi\x1b[Fj");
    CHECK_TEXT(seen(), "igebcdfhj|");
    press(LINE_HOME);
    type("\x1b[15~\x1b[2~\x1b[A\x1b[103~\x1b\x1b[99999999999~\x1b[4294967299~");
    CHECK_TEXT(seen(), "|igebcdfhj");
    type("\x1bk\x1b[3");
    CHECK(line_take(&line, LINE_ENTER));
    CHECK_TEXT(line.text, "kigebcdfhj");
    begin();
    type("\x1b[3");
    begin();
    type("3~");
    CHECK_TEXT(seen(), "3~|");
}

TEST(a_full_line_takes_no_more)
{
    static char full[LINE_ROOM + 1];
    anew();
    memset(full, 'x', LINE_ROOM);
    type(full);
    type("yz");
    press(LINE_HOME);
    type("y");
    CHECK(line.length == 76 && line.cursor == 0);
    CHECK_TEXT(line.text, full);
    CHECK(seen()[0] == '|');
}

TEST(up_goes_back_and_down_comes_again)
{
    anew();
    enter("one");
    enter("two");
    begin();
    type("dra");
    press(LINE_LEFT);
    press(LINE_UP);
    CHECK_TEXT(seen(), "two|");
    press(LINE_UP);
    press(LINE_UP);
    CHECK_TEXT(seen(), "one|");
    press(LINE_DOWN);
    CHECK_TEXT(seen(), "two|");
    press(LINE_DOWN);
    press(LINE_DOWN);
    CHECK_TEXT(seen(), "dra|");
}

TEST(without_a_history_up_does_nothing)
{
    anew();
    type("a");
    press(LINE_UP);
    press(LINE_DOWN);
    CHECK_TEXT(seen(), "a|");
}

TEST(a_recalled_line_can_be_changed_and_the_first_stays)
{
    anew();
    enter("run bts loop");
    begin();
    press(LINE_UP);
    type(" 3");
    CHECK_TEXT(seen(), "run bts loop 3|");
    CHECK(line_take(&line, LINE_ENTER));
    begin();
    press(LINE_UP);
    CHECK_TEXT(seen(), "run bts loop 3|");
    press(LINE_UP);
    CHECK_TEXT(seen(), "run bts loop|");
}

TEST(an_empty_line_or_the_same_again_is_not_kept)
{
    anew();
    enter("cpu");
    enter("");
    enter("cpu");
    enter("log");
    begin();
    press(LINE_UP);
    press(LINE_UP);
    press(LINE_UP);
    CHECK_TEXT(seen(), "cpu|");
    press(LINE_DOWN);
    CHECK_TEXT(seen(), "log|");
}

TEST(the_newest_32_lines_are_kept)
{
    char text[8];
    anew();
    for (int i = 1; i <= 40; i++) {
        snprintf(text, sizeof text, "%d", i);
        enter(text);
    }
    begin();
    for (int i = 0; i < 31; i++)
        press(LINE_UP);
    CHECK_TEXT(seen(), "10|");
    press(LINE_UP);
    CHECK_TEXT(seen(), "9|");
    press(LINE_UP);
    CHECK_TEXT(seen(), "9|");
}
