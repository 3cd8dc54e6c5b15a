/*
 * Prints a line for each instruction: its offset in the workload, its text, whether a
 * branch was taken, and the target if the text does not name it.
 */
#include "listing.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "disassembly.h"
#include "heap.h"
#include "json_log.h"
#include "nest.h"
#include "pager.h"
#include "sources.h"

#define MARK_COLUMN 40 /* after the offset */

struct listing {
    const struct shown *shown;
    struct json *json;
    struct walk walk;
    bool colours;
    size_t depth;            /* of loops                               */
    bool called;             /* the next instruction begins a function */
    struct symbol_line line; /* of the instruction shown last          */
    struct sources *sources; /* the files that were read               */
};

enum paint { PLAIN, LABEL, TAKEN, NOT_TAKEN, EVENT, UNKNOWN, LOOP, FAINT };

static const char *const escapes[] = {
    [PLAIN] = "",         [LABEL] = "\033[33m",
    [TAKEN] = "\033[32m", [NOT_TAKEN] = "\033[31m",
    [EVENT] = "\033[35m", [UNKNOWN] = "\033[1;31m",
    [LOOP] = "\033[36m",  [FAINT] = "\033[2m",
};

__attribute__((format(printf, 3, 4))) static void
paint(const struct listing *listing, enum paint as, const char *format, ...)
{
    const bool colour = listing->colours && as != PLAIN;
    va_list list;

    if (colour)
        fputs(escapes[as], stdout);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    if (colour)
        fputs("\033[m", stdout);
}

static void begin_line(const struct listing *listing)
{
    for (size_t i = 0; i < listing->depth; i++)
        paint(listing, LOOP, "| ");
}

/* Prints the label of a place, or a name for where a call led. */
static void print_label(struct listing *listing, uint64_t at)
{
    struct symbol symbol = symbol_at(listing->shown->symbols, at);

    if ((!symbol.name || symbol.offset) && !listing->called)
        return;
    listing->called = false;
    begin_line(listing);
    paint(listing, LABEL, "%s", symbol_text(listing->shown->symbols, at));
    puts(":");
}

/* Prints the source line where a new one begins. */
static void print_source(struct listing *listing, uint64_t at)
{
    struct symbol_line line = symbol_line_at(listing->shown->symbols, at);
    const char *text;

    if (!line.file || (line.file == listing->line.file && line.line == listing->line.line))
        return;
    listing->line = line;
    text = source_line(listing->sources, line.file, line.line);
    begin_line(listing);
    paint(listing, FAINT, "; %s:%d%s%s", line.file, line.line, text ? ": " : "",
          text ? text + strspn(text, " \t") : "");
    putchar('\n');
}

/* The place to which a branch led. */
static const char *place(const struct listing *listing, uint64_t to)
{
    if (to == listing->shown->log->machine.caller.back)
        return "caller";
    return to == BRANCH_UNKNOWN ? "?" : symbol_text(listing->shown->symbols, to);
}

/* Returns the remark after an instruction that ran, or NULL. */
static const char *mark_of(const struct listing *listing, const struct code_insn *insn,
                           const struct transfer *by, bool ends, enum paint *as)
{
    *as = NOT_TAKEN;
    if (!ends || by->kind == KIND_EXC) {
        if (insn->kind == KIND_JCC || insn->perhaps)
            return "not taken";
        *as = EVENT;
        if (insn->kind == KIND_INT || insn->faulter)
            return "its handler is not seen";
        return NULL;
    }
    *as = EVENT;
    if (by->kind == KIND_NONE)
        return insn->kind == KIND_INT ? "its handler is not seen" : NULL;
    *as = TAKEN;
    if (insn->kind == KIND_JCC)
        return "taken";
    return insn->direct ? NULL : scratch_text("-> %s", place(listing, by->to));
}

static char *text_of(struct listing *listing, uint64_t at)
{
    const struct loaded *loaded = code_owner(listing->walk.code, at);

    return insn_text(loaded->own, at - loaded->at, loaded->at, listing->shown->symbols);
}

static void print_insn(struct listing *listing, const struct code_insn *insn, enum paint as,
                       const char *mark)
{
    print_label(listing, insn->at);
    print_source(listing, insn->at);
    begin_line(listing);
    paint(listing, FAINT, "%4s+0x%-5" PRIx64, "",
          insn->at - code_owner(listing->walk.code, insn->at)->at);
    if (mark) {
        printf("%-*s ", MARK_COLUMN - 2 * (int)listing->depth, text_of(listing, insn->at));
        paint(listing, as, "%s", mark);
    } else {
        fputs(text_of(listing, insn->at), stdout);
    }
    putchar('\n');
}

static void print_remark(const struct listing *listing, enum paint as, const char *text)
{
    begin_line(listing);
    paint(listing, as, "    -- %s --", text);
    putchar('\n');
}

/* Prints a stretch of code whose bytes are unknown. */
static void print_unseen(struct listing *listing, const struct block *block)
{
    print_remark(listing, UNKNOWN,
                 scratch_text("%s ... -> %s: %s", place(listing, block->first),
                              place(listing, block->by.to), gap_text(GAP_NO_CODE)));
}

/* Prints an event that struck before an instruction, which did not run then. */
static void print_event(struct listing *listing, const struct block *block)
{
    const struct code_insn *insn = code_at(listing->walk.code, block->by.from);
    const struct run *run = listing->shown->run;
    const char *mark =
        block->by.to == BRANCH_UNKNOWN && run->ran.outcome == CRASHED
            ? scratch_text("crashed here, vector %" PRIu64, run->ran.vector.value)
            : scratch_text("interrupted by an event -> %s", place(listing, block->by.to));

    if (insn)
        print_insn(listing, insn, EVENT, mark);
    else
        print_remark(listing, EVENT, mark);
}

static void print_insns(struct listing *listing, const struct block *block)
{
    const struct code_insn *insn;
    uint64_t at = block->first;
    enum paint as;

    for (uint64_t i = 0; i < block->insns; i++, at = code_next(insn)) {
        bool ends = i + 1 == block->insns && !block->goes_on;
        const char *mark;

        insn = code_at(listing->walk.code, at);
        mark = mark_of(listing, insn, &block->by, ends, &as);
        print_insn(listing, insn, as, mark);
        listing->called = ends && insn->calls && block->by.kind != KIND_EXC;
    }
}

static void print_block(struct listing *listing, const struct block *block)
{
    if (block->gap == GAP_NO_CODE) {
        print_unseen(listing, block);
        return;
    }
    if (block->gap != GAP_NONE)
        print_remark(listing, UNKNOWN, gap_text(block->gap));
    print_insns(listing, block);
    if (block->by.kind == KIND_EXC)
        print_event(listing, block);
}

static void json_insns(struct listing *listing, const struct block *block)
{
    uint64_t at = block->first;

    json_array(listing->json, "instructions");
    for (uint64_t i = 0; i < block->insns; i++) {
        json_object(listing->json, NULL);
        json_hex(listing->json, "at", at);
        json_text(listing->json, "text", text_of(listing, at));
        json_close(listing->json);
        at = code_next(code_at(listing->walk.code, at));
    }
    json_close(listing->json);
}

static void json_block(struct listing *listing, const struct block *block)
{
    struct json *json = listing->json;
    const char *kind = kind_words[block->by.kind];

    json_object(json, NULL);
    json_text(json, "place", symbol_text(listing->shown->symbols, block->first));
    json_text(json, "gap", block->gap ? gap_text(block->gap) : NULL);
    json_insns(listing, block);
    json_text(json, "left", block->goes_on ? "goes on" : kind ? kind : "unknown");
    json_address(json, "from", block->by.from);
    json_address(json, "to", block->by.to);
    json_close(json);
}

static void give_node(void *to, const struct node *node);

static void json_loop(struct listing *listing, const struct node *node)
{
    json_object(listing->json, NULL);
    json_count(listing->json, "times", node->times);
    json_array(listing->json, "body");
    for (size_t i = 0; i < node->length; i++)
        give_node(listing, &node->body[i]);
    json_close(listing->json);
    json_close(listing->json);
}

static void print_loop(struct listing *listing, const struct node *node)
{
    begin_line(listing);
    paint(listing, LOOP, "%" PRIu64 " times:", node->times);
    putchar('\n');
    listing->depth++;
    for (size_t i = 0; i < node->length; i++)
        give_node(listing, &node->body[i]);
    listing->depth--;
}

static void give_node(void *to, const struct node *node)
{
    struct listing *listing = to;
    const size_t mark = scratch_mark();

    if (node->body)
        (listing->json ? json_loop : print_loop)(listing, node);
    else
        (listing->json ? json_block : print_block)(listing, &node->block);
    scratch_release(mark);
}

static void show_blocks(struct listing *listing, struct blocks *blocks)
{
    const bool unfolded = given_has(listing->shown->given, "unfold");
    struct nest nest;
    struct node leaf = { .times = 1 };

    nest_begin(&nest, give_node, listing);
    while (blocks_next(blocks, &leaf.block)) {
        if (unfolded)
            give_node(listing, &leaf);
        else
            nest_add(&nest, &leaf.block);
    }
    nest_end(&nest);
}

void listing_show(const struct shown *shown)
{
    struct listing listing = { .shown = shown,
                               .json = shown->json,
                               .colours = pager_colours(),
                               .sources = sources_new() };
    struct blocks blocks;

    walk_of(&listing.walk, shown->log, shown->run);
    blocks_of(&blocks, &listing.walk);
    if (shown->json)
        json_array(shown->json, "trace");
    show_blocks(&listing, &blocks);
    if (shown->json)
        json_close(shown->json);
    blocks_free(&blocks);
    walk_free(&listing.walk);
    sources_free(listing.sources);
}
