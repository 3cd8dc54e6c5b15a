/*
 * Graphviz' program `dot` draws; it is asked for when it is needed, so that the host
 * program can be built and used without it.
 */
#include "cfg.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "words.h"

#define SECONDS 30 /* that it may take, unless DOT_TIMEOUT says otherwise */

static char *refused(const char *why)
{
    fprintf(stderr, "everybranch: a picture needs Graphviz' program dot: %s\n", why);
    return NULL;
}

static long seconds_allowed(void)
{
    const char *said = getenv("DOT_TIMEOUT");
    long seconds = said ? strtol(said, NULL, 10) : 0;

    return seconds > 0 ? seconds : SECONDS;
}

/* NULL once it is done, or what went wrong; it may not take for ever. */
static const char *await(pid_t child)
{
    static char late[160];
    const struct timespec tick = { 0, 5000000 };
    const time_t begun = time(NULL);
    const long allowed = seconds_allowed();
    int status;
    pid_t ended;

    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        nanosleep(&tick, NULL);
        if (time(NULL) - begun <= allowed)
            continue;
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        snprintf(late, sizeof(late),
                 "it was stopped after %ld second%s; "
                 "DOT_TIMEOUT= allows more, and cfg --function= draws less",
                 allowed, plural(allowed));
        return late;
    }
    return ended != child || !WIFEXITED(status) || WEXITSTATUS(status) ? "it failed" : NULL;
}

/* Runs it from one file into the other. */
static const char *draw(FILE *in, FILE *out)
{
    extern char **environ;
    char *named = getenv("DOT");
    char *words[] = { named && *named ? named : "dot", "-Tsvg", NULL };
    posix_spawn_file_actions_t files;
    pid_t child;
    int error;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(in), 0);
    posix_spawn_file_actions_adddup2(&files, fileno(out), 1);
    error = posix_spawnp(&child, words[0], &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error)
        return "it could not be started; Debian's package is graphviz";
    return await(child);
}

/* Returns the text from "<svg" to the end, without the header of an SVG file. */
static char *picture_in(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size > 0 ? calloc((size_t)size + 1, 1) : NULL, *svg;

    if (!text || fseek(file, 0, SEEK_SET) != 0 ||
        fread(text, 1, (size_t)size, file) != (size_t)size ||
        !(svg = strstr(text, "<svg"))) {
        free(text);
        return refused("it wrote no picture");
    }
    memmove(text, svg, strlen(svg) + 1);
    return text;
}

char *graphviz_svg(const char *dot, size_t size)
{
    FILE *in = tmpfile(), *out = tmpfile();
    char *svg = NULL;

    if (!in || !out || fwrite(dot, 1, size, in) != size || fflush(in) != 0 ||
        fseek(in, 0, SEEK_SET) != 0) {
        refused("no temporary file could be written");
    } else {
        const char *wrong = draw(in, out);

        svg = wrong ? refused(wrong) : picture_in(out);
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return svg;
}
