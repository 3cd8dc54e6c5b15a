/*
 * The pager reads from a pipe that takes the place of standard output.
 */
#include "pager.h"
#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t reader;
static bool colours;

#define USUAL "less"

/* The default pager may be missing; one that the user named is started in any case. */
static bool is_installed(const char *program)
{
    const char *at = getenv("PATH");
    char path[4096];

    while (at && *at) {
        size_t length = strcspn(at, ":");

        snprintf(path, sizeof(path), "%.*s/%s", (int)length, at, program);
        if (access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static const char *command(void)
{
    const char *name = getenv("EVERYBRANCH_PAGER");

    if (!name)
        name = getenv("PAGER");
    if (!name)
        name = is_installed(USUAL) ? USUAL : "";
    return *name && strcmp(name, "cat") != 0 ? name : NULL;
}

static void decide_colour(const struct given *given)
{
    enum { AUTO, ALWAYS, NEVER }; /* the choices of PAGER_OPTIONS */
    const size_t when = given_choice(given, "color");

    colours = when == AUTO ? terminal_takes_colour() : when == ALWAYS;
}

/* Runs in the child and never returns. */
static void become(const char *pager, int from)
{
    dup2(from, STDIN_FILENO);
    setenv("LESS", "FRX", 0);
    setenv("LV", "-c", 0);
    execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
    _exit(127);
}

static void start(const char *pager)
{
    int ends[2];

    fflush(stdout);
    if (pipe(ends) != 0)
        return;
    reader = fork();
    if (reader == 0) {
        close(ends[1]);
        become(pager, ends[0]);
    }
    close(ends[0]);
    if (reader > 0) {
        dup2(ends[1], STDOUT_FILENO);
        signal(SIGPIPE,
               SIG_DFL); /* a reader who quits the pager ends this program quietly */
        signal(SIGINT, SIG_IGN); /* the pager handles ^C */
    }
    close(ends[1]);
}

void pager_begin(const struct given *given)
{
    decide_colour(given);
    if (!given_has(given, "no-pager") && isatty(STDOUT_FILENO) && command())
        start(command());
}

void pager_none(const struct given *given)
{
    decide_colour(given);
}

void pager_end(void)
{
    int status;

    if (reader <= 0)
        return;
    fflush(stdout);
    close(STDOUT_FILENO); /* the pager sees the end */
    while (waitpid(reader, &status, 0) < 0 && errno == EINTR)
        ;
    reader = 0;
}

bool pager_colours(void)
{
    return colours;
}
