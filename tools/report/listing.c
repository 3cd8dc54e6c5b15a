/*
 * Prints a line for each instruction: its offset in the workload, its text, whether a
 * branch was taken, and the target if the text does not name it.
 */
#include "listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "disassembly.h"
#include "heap.h"
#include "json_log.h"
#include "sources.h"

#define MARK_COLUMN 40 /* after the offset */

enum paint { PLAIN, LABEL, TAKEN, NOT_TAKEN, EVENT, UNKNOWN, LOOP, FAINT };

static const char *const escapes[] = {
    [PLAIN] = "",         [LABEL] = "\033[33m",
    [TAKEN] = "\033[32m", [NOT_TAKEN] = "\033[31m",
    [EVENT] = "\033[35m", [UNKNOWN] = "\033[1;31m",
    [LOOP] = "\033[36m",  [FAINT] = "\033[2m",
};

static void paint(const struct listing *listing, enum paint as, const char *text)
{
    if (listing->colours && as != PLAIN)
        printf("%s%s\033[m", escapes[as], text);
    else
        fputs(text, stdout);
}

static void begin_line(const struct listing *listing)
{
    for (size_t i = 0; i < listing->depth; i++)
        paint(listing, LOOP, "| ");
}

/* Prints the label of a place, or a name for where a call led. */
static void print_label(struct listing *listing, uint64_t at)
{
    struct symbol symbol = symbol_at(listing->symbols, at);
    char *text;

    if ((!symbol.name || symbol.offset) && !listing->called)
        return;
    listing->called = false;
    text = symbol_text(listing->symbols, at);
    begin_line(listing);
    paint(listing, LABEL, text);
    puts(":");
    free(text);
}

/* Prints the source line where a new one begins. */
static void print_source(struct listing *listing, uint64_t at)
{
    struct symbol_line line = symbol_line_at(listing->symbols, at);
    const char *text;
    char *said;

    if (!line.file || (line.file == listing->line.file && line.line == listing->line.line))
        return;
    listing->line = line;
    text = source_line(listing->sources, line.file, line.line);
    said = format_text("; %s:%d%s%s", line.file, line.line, text ? ": " : "",
                       text ? text + strspn(text, " \t") : "");
    begin_line(listing);
    paint(listing, FAINT, said);
    putchar('\n');
    free(said);
}

/* The place to which a branch led, as text. */
static char *place(const struct listing *listing, uint64_t to)
{
    if (to == listing->log->machine.back)
        return format_text("caller");
    if (to == BRANCH_UNKNOWN)
        return format_text("?");
    return symbol_text(listing->symbols, to);
}

/* Returns the remark after an instruction that ran, or NULL. */
static char *mark_of(const struct listing *listing, const struct code_insn *insn,
                     const struct transfer *by, bool ends, enum paint *as)
{
    char *to, *text;

    *as = NOT_TAKEN;
    if (!ends || by->kind == KIND_EXC) {
        if (insn->kind == KIND_JCC || insn->perhaps)
            return format_text("not taken");
        *as = EVENT;
        if (insn->kind == KIND_INT || insn->faulter)
            return format_text("its handler is not seen");
        return NULL;
    }
    *as = EVENT;
    if (by->kind == KIND_NONE)
        return insn->kind == KIND_INT ? format_text("its handler is not seen") : NULL;
    *as = TAKEN;
    if (insn->kind == KIND_JCC)
        return format_text("taken");
    if (insn->direct)
        return NULL;
    to = place(listing, by->to);
    text = format_text("-> %s", to);
    free(to);
    return text;
}

static void print_insn(struct listing *listing, const struct code_insn *insn, enum paint as,
                       const char *mark)
{
    const struct loaded *loaded = code_owner(&listing->code, insn->at);
    char *text =
        insn_text(loaded->own, insn->at - loaded->at, loaded->at, listing->symbols);
    char *offset = format_text("%4s+0x%-5" PRIx64, "", insn->at - loaded->at);

    print_label(listing, insn->at);
    print_source(listing, insn->at);
    begin_line(listing);
    paint(listing, FAINT, offset);
    if (mark) {
        printf("%-*s ", MARK_COLUMN - 2 * (int)listing->depth, text);
        paint(listing, as, mark);
    } else {
        fputs(text, stdout);
    }
    putchar('\n');
    free(offset);
    free(text);
}

static void print_remark(const struct listing *listing, enum paint as, const char *text)
{
    char *line = format_text("    -- %s --", text);

    begin_line(listing);
    paint(listing, as, line);
    putchar('\n');
    free(line);
}

/* Prints a stretch of code whose bytes are unknown. */
static void print_unseen(struct listing *listing, const struct block *block)
{
    char *from = place(listing, block->first), *to = place(listing, block->by.to);
    char *text = format_text("%s ... -> %s: %s", from, to, gap_text(GAP_NO_CODE));

    print_remark(listing, UNKNOWN, text);
    free(text);
    free(to);
    free(from);
}

/* Prints an event that struck before an instruction, which did not run then. */
static void print_event(struct listing *listing, const struct block *block)
{
    const struct code_insn *insn = code_at(&listing->code, block->by.from);
    const struct run *run = listing->run;
    char *to, *mark;

    if (block->by.to == BRANCH_UNKNOWN && run->outcome == CRASHED) {
        mark = format_text("crashed here, vector %" PRIu64, run->vector);
    } else {
        to = place(listing, block->by.to);
        mark = format_text("struck by an event -> %s", to);
        free(to);
    }
    if (insn)
        print_insn(listing, insn, EVENT, mark);
    else
        print_remark(listing, EVENT, mark);
    free(mark);
}

static void print_insns(struct listing *listing, const struct block *block)
{
    const struct code_insn *insn;
    uint64_t at = block->first;
    enum paint as;

    for (uint64_t i = 0; i < block->insns; i++, at = code_next(insn)) {
        bool ends = i + 1 == block->insns && !block->goes_on;
        char *mark;

        insn = code_at(&listing->code, at);
        mark = mark_of(listing, insn, &block->by, ends, &as);
        print_insn(listing, insn, as, mark);
        listing->called = ends && insn->calls && block->by.kind != KIND_EXC;
        free(mark);
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
    const struct code_insn *insn;
    uint64_t at = block->first;

    json_array(listing->json, "instructions");
    for (uint64_t i = 0; i < block->insns; i++, at = code_next(insn)) {
        const struct loaded *loaded = code_owner(&listing->code, at);
        char *text = insn_text(loaded->own, at - loaded->at, loaded->at, listing->symbols);

        insn = code_at(&listing->code, at);
        json_object(listing->json, NULL);
        json_hex(listing->json, "at", at);
        json_text(listing->json, "text", text);
        json_close(listing->json);
        free(text);
    }
    json_close(listing->json);
}

static void json_block(struct listing *listing, const struct block *block)
{
    struct json *json = listing->json;
    const char *kind = kind_words[block->by.kind];
    char *place_at = symbol_text(listing->symbols, block->first);

    json_object(json, NULL);
    json_text(json, "place", place_at);
    json_text(json, "gap", block->gap ? gap_text(block->gap) : NULL);
    json_insns(listing, block);
    json_text(json, "left", block->goes_on ? "goes on" : kind ? kind : "unknown");
    json_address(json, "from", block->by.from);
    json_address(json, "to", block->by.to);
    json_close(json);
    free(place_at);
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
    char *times = format_text("%" PRIu64 " times:", node->times);

    begin_line(listing);
    paint(listing, LOOP, times);
    putchar('\n');
    listing->depth++;
    for (size_t i = 0; i < node->length; i++)
        give_node(listing, &node->body[i]);
    listing->depth--;
    free(times);
}

static void give_node(void *to, const struct node *node)
{
    struct listing *listing = to;

    if (node->body)
        (listing->json ? json_loop : print_loop)(listing, node);
    else
        (listing->json ? json_block : print_block)(listing, &node->block);
}

static void show_blocks(struct listing *listing, struct blocks *blocks)
{
    struct nest nest;
    struct node leaf = { .times = 1 };

    nest_begin(&nest, give_node, listing);
    while (blocks_next(blocks, &leaf.block)) {
        if (listing->unfolded)
            give_node(listing, &leaf);
        else
            nest_add(&nest, &leaf.block);
    }
    nest_end(&nest);
}

void listing_show(struct listing *listing)
{
    struct blocks blocks;
    struct walk walk;

    listing->sources = sources_new();
    code_of(&listing->code, listing->log);
    walk_of(&walk, &listing->code, listing->log, listing->run);
    blocks_of(&blocks, &walk);
    if (listing->json)
        json_array(listing->json, "trace");
    show_blocks(listing, &blocks);
    if (listing->json)
        json_close(listing->json);
    blocks_free(&blocks);
    walk_free(&walk);
    code_free(&listing->code);
    sources_free(listing->sources);
}
