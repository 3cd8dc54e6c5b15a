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
