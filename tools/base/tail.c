/*
 * A pipe says when its writer has closed it.  A file never does, so it is read again and
 * again, as `tail -f` does.
 */
#include "tail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATIENCE 100 /* milliseconds between two reads */

/* True if the folder is there in which somebody may yet make the file. */
static bool folder_is_there(const char *name)
{
    const char *slash = strrchr(name, '/');
    char *folder = slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
    bool there = folder && access(folder, F_OK) == 0;

    free(folder);
    return there;
}

static int open_when_there(const char *name)
{
    bool said = false;
    int file;

    while ((file = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY)) < 0 && errno == ENOENT &&
           folder_is_there(name)) {
        if (!said)
            fprintf(stderr, "everybranch: waiting for %s, which is not there yet\n", name);
        said = true;
        poll(NULL, 0, PATIENCE);
    }
    return file;
}

bool tail_open(struct tail *tail, const char *name)
{
    struct stat stat;

    *tail = (struct tail){ .file = STDIN_FILENO };
    if (strcmp(name, "-") != 0)
        tail->file = open_when_there(name);
    if (tail->file < 0 || fstat(tail->file, &stat) != 0)
        return false;
    tail->regular = S_ISREG(stat.st_mode);
    return true;
}

/* True if the file became shorter, so it is not the one whose bytes were read. */
static bool is_shorter(const struct tail *tail)
{
    struct stat stat;

    return fstat(tail->file, &stat) == 0 && stat.st_size < tail->at;
}

size_t tail_read(struct tail *tail, char *bytes, size_t capacity)
{
    for (;;) {
        ssize_t count = read(tail->file, bytes, capacity);

        if (count > 0) {
            tail->at += count;
            return (size_t)count;
        }
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            tail->fault = strerror(errno);
        else if (tail->regular && is_shorter(tail))
            tail->fault = "it became shorter: the machine was started again";
        if (count < 0 || !tail->regular || tail->fault)
            return 0;
        poll(NULL, 0, PATIENCE);
    }
}

void tail_close(struct tail *tail)
{
    if (tail->file > STDIN_FILENO)
        close(tail->file);
}
