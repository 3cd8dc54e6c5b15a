/* line.h */
#include "line.h"

#include "text.h"

static size_t copy(char *to, const char *from)
{
    size_t length = 0;
    while (from[length]) {
        to[length] = from[length];
        length++;
    }
    to[length] = 0;
    return length;
}

/* Never with a backspace: EDK2's graphics console wipes what it goes back over. */
const char *line_drawn(struct line_editor *line)
{
    size_t at = copy(line->out, "\r" LINE_PROMPT);
    at += copy(line->out + at, line->text);
    for (size_t i = line->length; i < line->drawn; i++)
        line->out[at++] = ' ';
    line->out[at] = 0;
    if (line->cursor < line->length || line->drawn > line->length) {
        at += copy(line->out + at, "\r" LINE_PROMPT);
        at += copy(line->out + at, line->text) - (line->length - line->cursor);
        line->out[at] = 0;
    }
    line->drawn = line->length;
    return line->out;
}

const char *line_start(struct line_editor *line)
{
    line->text[0] = 0;
    line->length = line->cursor = line->drawn = line->back = 0;
    line->state = PLAIN;
    return LINE_PROMPT;
}

static void insert(struct line_editor *line, char c)
{
    if (line->length == LINE_ROOM)
        return;
    for (size_t i = ++line->length; i > line->cursor; i--)
        line->text[i] = line->text[i - 1];
    line->text[line->cursor++] = c;
}

static void delete_here(struct line_editor *line)
{
    for (size_t i = line->cursor; i < line->length; i++)
        line->text[i] = line->text[i + 1];
    line->length--;
}

static void backspace(struct line_editor *line)
{
    if (!line->cursor)
        return;
    line->cursor--;
    delete_here(line);
}

static void cut(struct line_editor *line, size_t length)
{
    line->text[length] = 0;
    line->length = length;
    if (line->cursor > length)
        line->cursor = length;
}

/* The line that is so far back, 1: the newest. */
static char *past(struct line_editor *line, size_t back)
{
    return line->history[(line->kept - back) % LINE_HISTORY];
}

static void recall(struct line_editor *line, size_t back)
{
    size_t oldest = line->kept < LINE_HISTORY ? line->kept : LINE_HISTORY;
    if (back > oldest)
        return;
    if (!line->back)
        copy(line->draft, line->text);
    line->back = back;
    line->length = copy(line->text, back ? past(line, back) : line->draft);
    line->cursor = line->length;
}

static void keep(struct line_editor *line)
{
    if (!line->length || (line->kept && text_same(past(line, 1), line->text)))
        return;
    line->kept++;
    copy(past(line, 1), line->text);
}

/* The key of `ESC [ N ~`, or with a letter instead of the ~: xterm and the Linux console.
 */
static unsigned key_of_sequence(unsigned number, unsigned last)
{
    if (last != '~')
        return last == 'H' ? LINE_HOME : last == 'F' ? LINE_END : 0;
    return number == 1 || number == 7   ? LINE_HOME
           : number == 4 || number == 8 ? LINE_END
           : number == 3                ? LINE_DELETE
                                        : 0;
}

/*
 * The firmware knows the keys of the one kind of terminal that it is set to.  Of others
 * it passes the escape and the characters after it on.  Returns the key, 0: none yet.
 */
static unsigned unescaped(struct line_editor *line, unsigned key)
{
    if (key == LINE_ESCAPE) {
        line->state = ESCAPED;
        line->number = 0;
        return 0;
    }
    if (line->state == ESCAPED && (key == '[' || key == 'O')) {
        line->state = SEQUENCE;
        return 0;
    }
    if (line->state != SEQUENCE || key < ' ') {
        line->state = PLAIN;
        return key;
    }
    if (key >= '0' && key <= '9') {
        if (line->number < 100) /* no key has a longer one */
            line->number = line->number * 10 + (key - '0');
        return 0;
    }
    line->state = PLAIN;
    return key_of_sequence(line->number, key);
}

bool line_take(struct line_editor *line, unsigned key)
{
    key = unescaped(line, key);
    switch (key) {
    case LINE_ENTER:
        keep(line);
        return true;
    case LINE_BACKSPACE:
    case LINE_RUBOUT:
        backspace(line);
        break;
    case LINE_DELETE:
        /* EDK2 takes a terminal's Backspace (7FH) for Delete: mostly that is at the end. */
        if (line->cursor == line->length)
            backspace(line);
        else
            delete_here(line);
        break;
    case LINE_LEFT:
        line->cursor -= line->cursor > 0;
        break;
    case LINE_RIGHT:
        line->cursor += line->cursor < line->length;
        break;
    case LINE_HOME:
        line->cursor = 0;
        break;
    case LINE_END:
        line->cursor = line->length;
        break;
    case LINE_KILL:
        cut(line, line->cursor);
        break;
    case LINE_CLEAR:
        cut(line, 0);
        break;
    case LINE_UP:
        recall(line, line->back + 1);
        break;
    case LINE_DOWN:
        if (line->back)
            recall(line, line->back - 1);
        break;
    default:
        if (key >= ' ' && key <= '~')
            insert(line, (char)key);
    }
    return false;
}
