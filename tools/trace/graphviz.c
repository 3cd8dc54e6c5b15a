/*
 * Graphviz' program `dot` draws; it is asked for when it is needed, so that the host
 * program can be built and used without it.
 *
 * To start takes it longer than to draw, so one call draws all graphs.  After some graphs
 * it crashes when it goes on to the next (2.43, a flat edge with a label in the first
 * rank). What it wrote before is kept; the first that is missing is drawn alone, and then
 * the rest.
 */
#include "cfg.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "words.h"

#define SECONDS 30 /* that it may take, unless DOT_TIMEOUT says otherwise */

static void refused(const char *why)
{
    fprintf(stderr, "everybranch: a picture needs Graphviz' program dot: %s\n", why);
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

/* Runs it from one file into the other.  Of several graphs nothing is said: see below. */
static const char *run_dot(FILE *in, FILE *out, bool several)
{
    extern char **environ;
    char *named = getenv("DOT");
    char *words[] = { named && *named ? named : "dot", "-Tsvg", NULL };
    posix_spawn_file_actions_t files;
    pid_t child;
    int error;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(out), STDOUT_FILENO);
    if (several)
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    error = posix_spawnp(&child, words[0], &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (error)
        return "it could not be started; Debian's package is graphviz";
    return await(child);
}

static char *all_of(FILE *file)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *text = size > 0 ? calloc((size_t)size + 1, 1) : NULL;

    if (text && fseek(file, 0, SEEK_SET) == 0 &&
        fread(text, 1, (size_t)size, file) == (size_t)size)
        return text;
    free(text);
    return NULL;
}

/* Takes the whole pictures, without the headers of SVG files; returns how many. */
static size_t take_pictures(FILE *file, char *svgs[], size_t count)
{
    char *text = all_of(file);
    size_t taken = 0;

    for (const char *at = text, *end; at && taken < count; at = end) {
        const char *begin = strstr(at, "<svg");

        end = begin ? strstr(begin, "</svg>\n") : NULL;
        if (!end)
            break;
        end += strlen("</svg>\n");
        svgs[taken++] = strndup(begin, (size_t)(end - begin));
    }
    free(text);
    return taken;
}

static size_t draw(char *const dots[], size_t count, char *svgs[], const char **wrong)
{
    FILE *in = tmpfile(), *out = tmpfile();
    bool written = in && out;
    size_t drawn = 0;

    for (size_t i = 0; i < count && written; i++)
        written = fputs(dots[i], in) >= 0;
    *wrong = "no temporary file could be written";
    if (written && fflush(in) == 0 && fseek(in, 0, SEEK_SET) == 0) {
        *wrong = run_dot(in, out, count > 1);
        if (!*wrong || count > 1)
            drawn = take_pictures(out, svgs, count);
        if (!*wrong && !drawn)
            *wrong = "it wrote no picture";
    }
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return drawn;
}

size_t graphviz_svgs(char *const dots[], size_t count, char *svgs[])
{
    size_t done = 0, at_once = count;
    const char *wrong;

    while (done < count) {
        size_t drawn = draw(dots + done, at_once, svgs + done, &wrong);

        if (!drawn && at_once == 1) {
            refused(wrong);
            break;
        }
        done += drawn;
        at_once = drawn ? count - done : 1;
    }
    return done;
}
