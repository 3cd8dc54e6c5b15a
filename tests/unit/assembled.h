/*
 * Code in rows, which holds until the next one: assembly for nasm, each line after the
 * offset in hex at which it must lie, which is its label too.  NOPs fill what lies between.
 *
 *     code
 *         00 je .05
 *         03 jmp .08
 */
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include "rows.h"

static uint8_t code_bytes[256];
static uint32_t code_size;

/* Writes what nasm reads.  TIMES fails if the line before it has reached too far. */
static inline void write_assembly(FILE *file)
{
    char *line;

    fputs("bits 64\ncode:\n", file);
    while ((line = row_line())) {
        char offset[10] = "";
        int length = 0;

        sscanf(line, "%9s%n", offset, &length);
        fprintf(file, "times 0x%s-($-$$) nop\n.%s: %s\n", offset, offset, line + length);
    }
}

static inline bool assemble(const char *source, const char *target)
{
    const char *nasm = getenv("NASM");
    char command[300];

    snprintf(command, sizeof(command), "%s -f bin -o %s %s", nasm ? nasm : "nasm", target,
             source);
    return system(command) == 0;
}

VERB(code)
{
    char source[] = "/tmp/code.XXXXXX", target[] = "/tmp/code.XXXXXX";
    FILE *assembly = fdopen(mkstemp(source), "w"), *code = fdopen(mkstemp(target), "r");

    write_assembly(assembly);
    fclose(assembly);
    if (!assemble(source, target))
        row_fails("nasm refuses it");
    code_size = (uint32_t)fread(code_bytes, 1, sizeof(code_bytes), code);
    fclose(code);
    unlink(source);
    unlink(target);
}
