/*
 * `pack FILE.asm`: makes a workload a file that the kernel loads from the stick.
 *
 * nasm assembles it with the project's macros, ld lays it out by common/log/bundle.h, and
 * then it is opened as the kernel opens it.  The rows are compared with the instructions
 * at their labels: the kernel cannot tell a wrong kind of branch from wrong hardware.
 */
#include "verbs.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bundle.h"
#include "count_of.h"
#include "decode.h"
#include "heap.h"
#include "output.h"
#include "loaded.h"
#include "span.h"
#include "exit_code.h"

#define SUFFIX ".ebw"
#define ASM    ".asm"

/* The macros and the linker script are part of this program. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared takes none */
#define FILE_OF_OURS(symbol, path)                                              \
    extern const char symbol[], symbol##_end[];                                 \
    __asm__(".pushsection .rodata\n" #symbol ": .incbin \"" path "\"\n" #symbol \
            "_end: .byte 0\n.popsection\n")
FILE_OF_OURS(bundle_macros, "kernel/workloads/workload.inc");
FILE_OF_OURS(bundle_layout, "tools/verbs/bundle.ld");
/* NOLINTEND(bugprone-macro-parentheses) */

struct bundle_build {
    const char *source;
    char *folder, *macros, *layout, *object; /* temporary files */
};

/* A bundle, and the workload in it. */
struct made {
    uint8_t *bytes;
    size_t size;
    struct workload workload;
};

static bool failed(const char *format, const char *a, const char *b)
{
    fprintf(stderr, "everybranch: pack: ");
    fprintf(stderr, format, a, b);
    fprintf(stderr, "\n");
    return false;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, size, file) == size;

    if (file && fclose(file) != 0)
        good = false;
    return good || failed("%s: %s", path, strerror(errno));
}

/* Runs a program; its messages go to the user. */
static bool run(const char *purpose, const char *source, char *const words[])
{
    extern char **environ;
    pid_t child;
    int status, error = posix_spawnp(&child, words[0], NULL, NULL, words, environ);

    if (error)
        return failed("%s, which %s, could not be started", words[0], purpose);
    if (waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status))
        return true;
    return failed("%s failed on %s", words[0], source);
}

static bool assemble(const struct bundle_build *p)
{
    char *nasm = getenv("NASM");
    char *words[] = { nasm ? nasm : "nasm",
                      (char *)p->source,
                      "-f",
                      "elf64",
                      "-Werror",
                      "-i",
                      scratch_text("%s/", p->folder),
                      "-o",
                      p->object,
                      NULL };

    return run("assembles workloads", p->source, words);
}

static bool take(const char *linked, struct made *out)
{
    const size_t head_size = sizeof(struct bundle_head), capacity = 2 * BUNDLE_MAX;
    FILE *file = fopen(linked, "rb");

    out->bytes = calloc(1, capacity);
    if (!file || !out->bytes) {
        if (file)
            fclose(file);
        return failed("%s: %s", linked, strerror(errno));
    }
    size_t size = fread(out->bytes + head_size, 1, capacity - head_size, file);
    fclose(file);
    struct bundle_head head = bundle_head(out->bytes + head_size, size);
    memcpy(out->bytes, &head, head_size);
    out->size = head_size + size;
    return true;
}

/* Lays the object out, with the code shifted by that many bytes. */
static bool link_shifted(const struct bundle_build *p, const char *shift, struct made *out)
{
    char *linked = scratch_text("%s/linked", p->folder);
    char *words[] = { "ld",
                      p->object,
                      "-T",
                      p->layout,
                      scratch_text("--defsym=bundle_shift=%s", shift),
                      "--oformat=binary",
                      "--orphan-handling=error",
                      "-o",
                      linked,
                      NULL };
    bool good =
        run("lays out what nasm has assembled", p->source, words) && take(linked, out);

    unlink(linked);
    return good;
}

/* Compares a row with the instruction at its FROM; NULL: they fit. */
static const char *wrong_row(const struct workload *w, const struct taken *row)
{
    struct insn insn;
    const char *from = row->from_label;
    size_t at = (size_t)row->from;
    bool event = row->kind == KIND_EXC || row->kind == KIND_DB;

    if (row->from == CALLER)
        return row->kind == KIND_ICALL && row->to == 0
                   ? NULL
                   : "the caller calls .start (ICALL), and nothing else";
    if (row->kind >= KIND_COUNT || event || kind_is_mark((enum kind)row->kind))
        return NULL;
    if (!decode_of(w, 0, at, &insn))
        return scratch_text("at %s there is no branch", from);
    if (insn.kind != (enum kind)row->kind)
        return scratch_text("the branch at %s is of another kind", from);
    if (insn.direct && row->to != CALLER && insn.target != (uint64_t)row->to)
        return scratch_text("the branch at %s does not go to %s", from, row->to_label);
    return NULL;
}

static bool ends_are_right(const struct bundle_build *p, const struct workload *w)
{
    const struct taken *first = &w->expect[0], *last = &w->expect[w->rows - 1];

    if (first->from != CALLER)
        return failed("%s: the first row is not TAKEN ICALL, CALLER, .start", p->source,
                      "");
    if (last->kind != KIND_RET || last->to != CALLER)
        return failed("%s: the last row is not the RET to the CALLER", p->source, "");
    return true;
}

static bool rows_are_right(const struct bundle_build *p, const struct workload *w)
{
    for (uint32_t i = 0; i < w->rows; i++) {
        const char *wrong = wrong_row(w, &w->expect[i]);

        if (wrong)
            return failed("%s: EXPECT: %s", p->source, wrong);
    }
    return ends_are_right(p, w);
}

static bool check_made(const struct bundle_build *p, struct made *made)
{
    const char *wrong = bundle_open(&made->workload, made->bytes, made->size);

    return wrong ? failed("%s: %s", p->source, wrong) : rows_are_right(p, &made->workload);
}

/* Links the code at a second place: code that contains an address differs there. */
static bool stands_alone(const struct bundle_build *p, const struct made *made)
{
    struct made moved = { 0 };
    bool good = link_shifted(p, "4096", &moved);

    /* All bytes after the gap are code; the gap may make it too large to open. */
    if (good && (moved.size != made->size + 4096 ||
                 memcmp(moved.bytes + moved.size - made->workload.size, made->workload.code,
                        made->workload.size) != 0))
        good = failed("%s: its code depends on where it is loaded: it contains an address, "
                      "or refers to something outside",
                      p->source, "");
    free(moved.bytes);
    return good;
}

static bool prepare(const struct bundle_build *p)
{
    return write_file(p->macros, bundle_macros,
                      (size_t)(bundle_macros_end - bundle_macros)) &&
           write_file(p->layout, bundle_layout,
                      (size_t)(bundle_layout_end - bundle_layout)) &&
           assemble(p);
}

static bool is_in_image(const struct workload *w)
{
    return own_workload((struct span){ w->name, strlen(w->name) }) != NULL;
}

static void print_saved(const char *name, const struct workload *w, bool was_there)
{
    printf("%s: workload %s, %u bytes of code, %u rows; %s\n", name, w->name, w->size,
           w->rows,
           was_there ? "the file held these bytes already"
                     : "put it into the folder workloads of the stick");
    if (is_in_image(w))
        printf("there is a workload %s in the image already, so this one will not be "
               "loaded: give it another name\n",
               w->name);
}

/* mine.ebw in this folder for ../mine.asm. */
static const char *name_beside(const char *source)
{
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    size_t length = strlen(base);

    if (length > strlen(ASM) && strcmp(base + length - strlen(ASM), ASM) == 0)
        length -= strlen(ASM);
    return scratch_text("%.*s" SUFFIX, (int)length, base);
}

static bool save(const struct bundle_build *p, const struct made *made, const char *wanted)
{
    const char *name = wanted ? wanted : name_beside(p->source);
    bool was_there = access(name, F_OK) == 0;
    bool good = output_new(name, made->bytes, made->size);

    if (good)
        print_saved(name, &made->workload, was_there);
    return good;
}

static void clean_up(struct bundle_build *p)
{
    char *files[] = { p->macros, p->layout, p->object };

    for (size_t i = 0; i < COUNT_OF(files); i++)
        unlink(files[i]);
    rmdir(p->folder);
}

/*
 * True for a text that contains WORKLOAD.  For anything else, such as a bundle, nasm
 * would complain line by line.
 */
static bool is_source(const char *path)
{
    char text[BUNDLE_MAX];
    FILE *file = fopen(path, "rb");
    size_t size;

    if (!file)
        return failed("%s: %s", path, strerror(errno));
    size = fread(text, 1, sizeof(text), file);
    fclose(file);
    return (memmem(text, size, "WORKLOAD", strlen("WORKLOAD")) && !memchr(text, 0, size)) ||
           failed("%s is not the assembler source of a workload: want a text with a line "
                  "WORKLOAD NAME, \"ABOUT\"",
                  path, "");
}

static int verb_pack(const struct given *given)
{
    const char *source = given->operands[0], *out = given_value(given, "output");
    char folder[] = "/tmp/everybranch-pack-XXXXXX";
    struct made made = { 0 };

    if (!is_source(source))
        return EXIT_UNUSABLE;
    if (!mkdtemp(folder)) {
        failed("%s: %s", folder, strerror(errno));
        return EXIT_UNUSABLE;
    }
    struct bundle_build p = {
        .source = source,
        .folder = folder,
        .macros = scratch_text("%s/workload.inc", folder),
        .layout = scratch_text("%s/bundle.ld", folder),
        .object = scratch_text("%s/object", folder),
    };
    bool good = prepare(&p) && link_shifted(&p, "0", &made) && check_made(&p, &made) &&
                stands_alone(&p, &made) && save(&p, &made, out);
    free(made.bytes);
    clean_up(&p);
    return good ? EXIT_AS_EXPECTED : EXIT_UNUSABLE;
}

VERB(pack) = {
    .name = "pack",
    .operands = "FILE.asm",
    .about = "make a file of your own workload, for the boot stick",
    .more = "It needs nasm, ld and objcopy.  docs/adding.md explains how to write such "
            "a file.",
    .examples = "pack mine.asm\npack mine.asm -o other.ebw",
    .run = verb_pack,
    .least = 1,
    .most = 1,
    .options = { OUTPUT_OPTION("write to FILE, not to FILE.ebw in this folder") },
};
