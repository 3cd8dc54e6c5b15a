/*
 * Writes files, and replaces none but reports in XML: the log of a distant machine cannot
 * be had again.
 */
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "heap.h"

void collect_begin(struct collected *text)
{
    text->file = open_memstream(&text->bytes, &text->size);
    if (!text->file)
        out_of_memory();
}

void collect_end(struct collected *text)
{
    if (fclose(text->file) != 0)
        out_of_memory();
}

static bool cannot(const char *path)
{
    fprintf(stderr, "everybranch: %s cannot be written: %s\n", path, strerror(errno));
    return false;
}

/* True if the file holds exactly these bytes. */
static bool holds(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    char *there = malloc(size + 1);
    bool same = file && there && fread(there, 1, size + 1, file) == size &&
                memcmp(there, bytes, size) == 0;

    if (file)
        fclose(file);
    free(there);
    return same;
}

/* A pipe or a terminal may be opened: it holds nothing that could be lost.  So may an empty
 * file, as a killed program leaves it, unless another one has it to write it. */
static FILE *open_new(const char *path)
{
    struct stat there;
    bool is_device = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    bool is_empty =
        lstat(path, &there) == 0 && S_ISREG(there.st_mode) && there.st_size == 0;
    FILE *file = fopen(path, is_device || is_empty ? "ab" : "wbx");

    if (!file || is_device || flock(fileno(file), LOCK_EX | LOCK_NB) == 0 ||
        errno != EWOULDBLOCK)
        return file;
    fclose(file);
    errno = EEXIST;
    return NULL;
}

static bool is_there(const char *path)
{
    fprintf(stderr,
            "everybranch: %s exists already, and is not replaced: move it away, or name "
            "another file with -o\n",
            path);
    return false;
}

static const char *unfinished; /* the file between output_begin() and output_end() */

/* If a part of a file stayed, the same command would be refused the next time. */
static void remove_and_end(int number)
{
    if (unfinished)
        unlink(unfinished);
    raise(number); /* acts when this returns: SA_RESETHAND */
}

static void remove_if_interrupted(const char *path)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    const struct sigaction end = { .sa_handler = remove_and_end, .sa_flags = SA_RESETHAND };
    struct sigaction before;

    unfinished = path;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &end, NULL);
}

static bool is_regular(FILE *file)
{
    struct stat made;

    return fstat(fileno(file), &made) == 0 && S_ISREG(made.st_mode);
}

/* A file that was just opened; NULL after printing why it could not be. */
static FILE *begun(FILE *file, const char *path)
{
    if (!file)
        errno == EEXIST ? is_there(path) : cannot(path);
    else if (is_regular(file))
        remove_if_interrupted(path);
    return file;
}

FILE *output_begin(const char *path)
{
    return begun(open_new(path), path);
}

/* True if it is a file that holds something and does not begin as XML does. */
static bool is_other_than_xml(const char *path)
{
    static const char begin[] = "<?xml";
    char there[sizeof(begin)] = "";
    struct stat status;
    FILE *file;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return false;
    file = fopen(path, "rb");
    if (!file)
        return false; /* the same is said when it is opened for writing */
    if (!fgets(there, sizeof(there), file))
        there[0] = 0;
    fclose(file);
    return strcmp(there, begin) != 0;
}

FILE *output_xml(const char *path)
{
    FILE *file;

    if (is_other_than_xml(path)) {
        fprintf(
            stderr,
            "everybranch: %s exists and is no XML, so it was not replaced: remove it, or "
            "name another file\n",
            path);
        return NULL;
    }
    file = begun(fopen(path, "wb"), path);
    if (file)
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
    return file;
}

bool output_end(FILE *file, const char *path, bool good)
{
    bool is_file = is_regular(file);
    bool written = !ferror(file);

    written = fclose(file) == 0 && written;
    if (is_file && !(good && written))
        remove(path);
    unfinished = NULL;
    return written || cannot(path);
}

bool output_new(const char *path, const void *bytes, size_t size)
{
    FILE *file = open_new(path);

    if (!file && errno == EEXIST && holds(path, bytes, size))
        return true;
    file = begun(file, path);
    if (!file)
        return false;
    fwrite(bytes, 1, size, file);
    return output_end(file, path, true);
}
