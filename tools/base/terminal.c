#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_takes_colour(void)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return isatty(fileno(stdout)) && !(no && *no) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

size_t terminal_columns(void)
{
    const char *logged = getenv("COLUMNS");
    struct winsize size;

    if (ioctl(fileno(stdout), TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col;
    return logged ? strtoul(logged, NULL, 10) : 0;
}

/* The columns of a word; a colour's escape sequence, which ends with m, has none. */
static size_t width_of(const char *word, size_t length)
{
    size_t width = 0;

    for (size_t i = 0; i < length; i++) {
        if (word[i] == '\033')
            while (i < length && word[i] != 'm')
                i++;
        else
            width++;
    }
    return width;
}

#define LEAST_TEXT 20 /* a terminal with fewer columns for the text gets whole lines */

void terminal_wrap(size_t used, size_t indent, const char *text)
{
    wrap_at(isatty(fileno(stdout)) ? terminal_columns() : 0, used, indent, text);
}

void wrap_at(size_t columns, size_t used, size_t indent, const char *text)
{
    const bool splits = columns >= indent + LEAST_TEXT;

    for (bool first = true; *text; first = false) {
        const size_t spaces = strspn(text, " ");
        const size_t length = strcspn(text + spaces, " ");
        const size_t width = width_of(text + spaces, length);

        if (!first && splits && used + spaces + width > columns) {
            printf("\n%*s", (int)indent, "");
            used = indent;
        } else {
            printf("%*s", (int)spaces, "");
            used += spaces;
        }
        printf("%.*s", (int)length, text + spaces);
        used += width;
        text += spaces + length;
    }
}
