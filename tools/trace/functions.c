/*
 * One row for each function, in the order in which they were first left.  A run has a few
 * hundred at most, and mostly it is the row that was looked for last.
 */
#include "functions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

static struct function *row_of(struct functions *functions, const struct call_frame *frame)
{
    for (size_t i = functions->count; i > 0; i--)
        if (functions->at[i - 1].address == frame->function)
            return &functions->at[i - 1];
    functions->at =
        grow(functions->at, &functions->capacity, functions->count, sizeof(*functions->at));
    functions->at[functions->count] = (struct function){ .address = frame->function,
                                                         .kind = frame->kind,
                                                         .least = frame->self };
    return &functions->at[functions->count++];
}

void functions_add(struct functions *functions, const struct call_frame *frame)
{
    struct function *row = row_of(functions, frame);

    row->invocations++;
    row->insns += frame->self;
    row->least = frame->self < row->least ? frame->self : row->least;
    row->most = frame->self > row->most ? frame->self : row->most;
    row->at_least |= frame->at_least;
}

void functions_free(struct functions *functions)
{
    free(functions->at);
    *functions = (struct functions){ .count = 0 };
}

const char *function_name(const struct symbols *symbols, uint64_t function)
{
    return function == BRANCH_UNKNOWN ? "?" : symbol_text(symbols, function);
}

struct row {
    const char *name;
    const struct function *function;
};

static int by_name(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order
                 : (x->function->address > y->function->address) -
                       (x->function->address < y->function->address);
}

static struct row *rows_by_name(const struct functions *functions,
                                const struct symbols *symbols)
{
    struct row *rows = zeroed(functions->count, sizeof(*rows));

    for (size_t i = 0; i < functions->count; i++) {
        rows[i].function = &functions->at[i];
        rows[i].name = function_name(symbols, rows[i].function->address);
    }
    qsort(rows, functions->count, sizeof(*rows), by_name);
    return rows;
}

static double average(const struct function *function)
{
    return (double)function->insns / (double)function->invocations;
}

void functions_print(const struct functions *functions, const struct symbols *symbols)
{
    struct row *rows = rows_by_name(functions, symbols);
    int width = (int)strlen("function");

    for (size_t i = 0; i < functions->count; i++)
        if ((int)strlen(rows[i].name) > width)
            width = (int)strlen(rows[i].name);
    printf("\n%-*s%13s%9s%9s%11s%11s\n", width, "function", "invocations", "min", "max",
           "average", "all");
    for (size_t i = 0; i < functions->count; i++) {
        const struct function *f = rows[i].function;

        printf("%-*s%13" PRIu64 "%9" PRIu64 "%9" PRIu64 "%11.1f%11" PRIu64 "%s\n", width,
               rows[i].name, f->invocations, f->least, f->most, average(f), f->insns,
               f->at_least ? "+" : "");
    }
    free(rows);
}

static void json_row(struct json *json, const struct row *row)
{
    const struct function *function = row->function;

    json_object(json, NULL);
    json_text(json, "function", row->name);
    if (function->address == BRANCH_UNKNOWN)
        json_null(json, "address");
    else
        json_hex(json, "address", function->address);
    json_count(json, "invocations", function->invocations);
    json_count(json, "min", function->least);
    json_count(json, "max", function->most);
    json_real(json, "average", average(function));
    json_count(json, "instructions", function->insns);
    json_bool(json, "at_least", function->at_least);
    json_close(json);
}

void functions_json(const struct functions *functions, const struct symbols *symbols,
                    struct json *json)
{
    struct row *rows = rows_by_name(functions, symbols);

    json_array(json, "functions");
    for (size_t i = 0; i < functions->count; i++)
        json_row(json, &rows[i]);
    json_close(json);
    free(rows);
}
