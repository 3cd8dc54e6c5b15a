/*
 * display.h.  The layout fits 80 columns by 30 rows; what a larger screen has beyond
 * that shows more names.  A shape stands beside each colour.
 */
#include "display.h"

#include "filter.h"
#include "font.h"
#include "method.h"
#include "platform.h"
#include "screen.h"
#include "text.h"

#define MARGIN        1 /* column where text begins */
#define ROW_TITLE     0
#define ROW_PROCESSOR 2
#define ROW_EMULATED  3
#define ROW_FOUND     5
#define ROWS_IN_TABLE 5 /* at least, and two below stands the progress */
#define ROWS_FOR_BOOT 4 /* at the bottom */
#define NAME_WIDTH    9
#define COUNT_WIDTH   8
#define MEASURED_MORE 4 /* its column is wider: the word is longer */
#define STRIP_COLUMN \
    (MARGIN + NAME_WIDTH + DISPLAY_VERDICTS * COUNT_WIDTH + MEASURED_MORE + 2)
#define FAILURE_WIDTH 26
#define FAILURE_LARGE 52 /* of runs that have a filter or a processor */
#define NUMBER_SIZE   24

const enum verdict display_verdicts[DISPLAY_VERDICTS] = { PASS, FAIL, SKIP, MEASURED };

static const struct {
    const char *shape;
    enum colour colour;
} verdicts[VERDICTS] = {
    [PASS] = { CHECK_MARK, COLOUR_GOOD },
    [SKIP] = { "-", COLOUR_DIM },
    [MEASURED] = { "?", COLOUR_ODD },
    [FAIL] = { CROSS, COLOUR_BAD },
};

static struct {
    const char *name;
    size_t count[VERDICTS];
} methods_seen[METHODS_MAX];
static size_t method_rows, table_rows, runs_planned, runs_done, failures_shown, boot_lines;
static struct line {
    char text[SCREEN_COLUMNS_MAX];
    enum colour colour;
} lines[ROWS_FOR_BOOT];
static bool one_below_other; /* facilities, with room for all that was seen of them */
static bool strip;           /* a mark for each workload fits the row */

static size_t put_number(size_t column, size_t row, enum colour colour, uint64_t number)
{
    char digits[NUMBER_SIZE];
    struct text text = text_into(digits, sizeof digits);
    text_decimal(&text, number);
    return screen_text(column, row, colour, digits);
}

/* With its last digit in this column. */
static void put_number_to(size_t last, size_t row, enum colour colour, uint64_t number)
{
    size_t width = 1;
    for (uint64_t rest = number; rest >= 10; rest /= 10)
        width++;
    put_number(last + 1 - width, row, colour, number);
}

static void put_row_of(const char *glyph, size_t column, size_t row, enum colour colour,
                       size_t count)
{
    while (count--)
        column = screen_text(column, row, colour, glyph);
}

void display_machine(const struct cpu *cpu)
{
    /* BTF is not tried yet; of two that announce the same, both are emulated or none. */
    const struct platform *platform =
        platform_find(cpu->id.hypervisor, &cpu->id, cpu->model, true);
    const char *brand = cpu->brand;
    while (*brand == ' ')
        brand++; /* some processors put their name at the right end of its room */
    screen_clear();
    put_row_of(" ", 0, ROW_TITLE, COLOUR_TITLE, screen_columns());
    screen_text(MARGIN, ROW_TITLE, COLOUR_TITLE,
                "everybranch: the kernel's own check; the log is what counts");
    size_t column =
        screen_text(MARGIN, ROW_PROCESSOR, COLOUR_TEXT, *brand ? brand : cpu->id.vendor);
    column = screen_text(column, ROW_PROCESSOR, COLOUR_DIM, ", model ");
    screen_text(column, ROW_PROCESSOR, COLOUR_DIM,
                cpu->model ? cpu->model->name : "unknown");
    if (platform && platform->emulated)
        screen_text(MARGIN, ROW_EMULATED, COLOUR_ODD,
                    "emulated processor: nothing here is a property of silicon");
    else if (cpu->id.hypervisor[0]) {
        column = screen_text(MARGIN, ROW_EMULATED, COLOUR_ODD, "in a virtual machine: ");
        screen_text(column, ROW_EMULATED, COLOUR_ODD, cpu->id.hypervisor);
    }
}

static size_t rows_found(void)
{
    return one_below_other ? FACILITY_COUNT : (FACILITY_COUNT + 1) / 2;
}

static size_t row_behind(size_t found)
{
    return ROW_FOUND + 2 + found;
}

static size_t row_table(void)
{
    return row_behind(rows_found());
}

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

/* As many whole words as there is room for, and then two points. */
static void put_words(size_t column, size_t row, size_t capacity, const char *text)
{
    char words[SCREEN_COLUMNS_MAX];
    struct text out = text_into(words, sizeof words);
    size_t length = length_of(text);
    if (length <= capacity) {
        screen_text(column, row, COLOUR_DIM, text);
        return;
    }
    for (length = capacity > 2 ? capacity - 2 : 0; length && text[length] != ' ';)
        length--;
    for (size_t i = 0; i < length; i++) {
        char letter[2] = { text[i], 0 };
        text_string(&out, letter);
    }
    text_string(&out, length ? ".." : "");
    screen_text(column, row, COLOUR_DIM, words);
}

/* From `column` on, and before `end`. */
static void put_facility(const struct probed *facility, const char *on, size_t row,
                         size_t column, size_t end)
{
    enum probe_result probe_result = facility->probe_result;
    bool nothing =
        probe_result == ABSENT || probe_result == AVOIDED || on; /* wrong, or was tried */
    enum verdict like = probe_result == WORKS ? PASS : nothing ? SKIP : FAIL;
    enum colour colour = probe_result == AVOIDED ? COLOUR_ODD : verdicts[like].colour;
    size_t evidence_at = column + 2 * NAME_WIDTH + 3;
    char evidence[sizeof facility->evidence];
    struct text out = text_into(evidence, sizeof evidence);

    text_string(&out, on ? on : facility->evidence);
    screen_text(column, row, COLOUR_TEXT, facility->name);
    screen_text(column + NAME_WIDTH, row, colour, verdicts[like].shape);
    screen_text(column + NAME_WIDTH + 2, row, colour, probe_result_name(probe_result));
    put_words(evidence_at, row, end > evidence_at ? end - evidence_at : 0, evidence);
}

/* One below the other where that leaves room for the rest, else in two halves. */
void display_facilities(const struct facilities *found,
                        const char *const on[FACILITY_COUNT], size_t methods_there_are)
{
    size_t rest = methods_there_are + 2 + 2 + ROWS_FOR_BOOT;
    one_below_other = row_behind(FACILITY_COUNT) + rest <= screen_rows();
    size_t all = screen_columns(), half = one_below_other ? all : all / 2;

    screen_text(MARGIN, ROW_FOUND, COLOUR_DIM, "found by trying");
    for (size_t i = 0; i < FACILITY_COUNT; i++) {
        bool left = i < rows_found();
        put_facility(&found->all[i], on[i], ROW_FOUND + 1 + i % rows_found(),
                     left ? MARGIN : MARGIN + half, left ? half : all);
    }
}

static size_t below_table(void)
{
    return row_table() + (table_rows > ROWS_IN_TABLE ? table_rows : ROWS_IN_TABLE) + 2;
}

/* Is there no room for progress and its bar between the table and boot/'s lines? */
static bool is_tight(void)
{
    return below_table() + 2 + ROWS_FOR_BOOT > screen_rows();
}

/* Then they share the row above the table, and the bar is left out. */
static size_t progress_row(void)
{
    return is_tight() ? row_table() - 1 : below_table();
}

static void put_bar(void)
{
    if (is_tight())
        return;
    size_t width =
        screen_columns() > 2 * MARGIN + 6 ? screen_columns() - 2 * MARGIN - 6 : 0;
    size_t filled = runs_planned ? runs_done * width / runs_planned : 0;
    size_t row = progress_row() + 1;
    put_row_of(BLOCK, MARGIN, row, COLOUR_GOOD, filled);
    put_row_of(SHADE, MARGIN + filled, row, COLOUR_DIM, width - filled);
    size_t percent = runs_planned ? runs_done * 100 / runs_planned : 0;
    put_number_to(MARGIN + width + 4, row, COLOUR_TEXT, percent);
    screen_text(MARGIN + width + 5, row, COLOUR_TEXT, "%");
}

/* Where column n of the verdicts ends. */
static size_t column_end(size_t n)
{
    return MARGIN + NAME_WIDTH + (n + 1) * COUNT_WIDTH +
           (display_verdicts[n] == MEASURED ? MEASURED_MORE : 0);
}

void display_plan(size_t runs, size_t workloads, size_t methods_planned)
{
    runs_planned = runs;
    table_rows = methods_planned < METHODS_MAX ? methods_planned : METHODS_MAX;
    runs_done = method_rows = failures_shown = 0;
    strip = STRIP_COLUMN + workloads <= screen_columns();
    screen_text(MARGIN, row_table(), COLOUR_DIM, "method");
    for (size_t n = 0; n < DISPLAY_VERDICTS; n++) {
        enum verdict v = display_verdicts[n];
        size_t word = column_end(n) - length_of(verdict_words[v]);
        screen_text(word - 2, row_table(), verdicts[v].colour, verdicts[v].shape);
        screen_text(word, row_table(), verdicts[v].colour, verdict_words[v]);
    }
    if (strip)
        screen_text(STRIP_COLUMN, row_table(), COLOUR_DIM, "each workload, in its order");
    if (runs)
        put_bar();
}

/* The row of a method, which is the next free one when it first appears. */
static size_t row_of(const char *method)
{
    size_t i = 0;
    while (i < method_rows && methods_seen[i].name != method)
        i++;
    if (i == method_rows && method_rows < METHODS_MAX) {
        methods_seen[i].name = method;
        for (size_t v = 0; v < VERDICTS; v++)
            methods_seen[i].count[v] = 0;
        method_rows++;
    }
    return i < METHODS_MAX ? i : METHODS_MAX - 1;
}

/* Puts what distinguishes a run from others of the same method and workload. */
static size_t put_which(size_t column, size_t row, const struct run *run)
{
    char words[FILTER_TEXT_SIZE];
    if (run->filtered) {
        column = screen_text(column, row, COLOUR_DIM, " filter=");
        column = screen_text(column, row, COLOUR_TEXT, filter_text(run->filter, words));
    }
    if (run->smp) {
        column = screen_text(column, row, COLOUR_DIM, " processor ");
        column = put_number(column, row, COLOUR_TEXT, run->processor);
    }
    return column;
}

void display_begins(const struct run *run)
{
    size_t method = row_of(run->method->name), row = progress_row();
    screen_text(MARGIN, row_table() + 1 + method, COLOUR_TEXT, run->method->name);
    size_t column = screen_text(MARGIN, row, COLOUR_TEXT, "run ");
    column = put_number(column, row, COLOUR_TEXT, run->number);
    column = screen_text(column, row, COLOUR_TEXT, " of ");
    column = put_number(column, row, COLOUR_TEXT, runs_planned);
    column = screen_text(column, row, COLOUR_DIM, "   ");
    column = screen_text(column, row, COLOUR_TEXT, run->workload->name);
    column = screen_text(column, row, COLOUR_DIM, " by ");
    column = screen_text(column, row, COLOUR_TEXT, run->method->name);
    screen_blank(put_which(column, row, run), row);
}

/* The names of what failed, in columns, as many as there is room for. */
static void put_failure(const struct run *run)
{
    size_t first = below_table() + 4;
    size_t width = run->filtered || run->smp ? FAILURE_LARGE : FAILURE_WIDTH;
    size_t across = (screen_columns() - MARGIN) / width;
    size_t below = ROWS_FOR_BOOT + 1;
    size_t end = screen_rows() > below ? screen_rows() - below : 0;
    size_t capacity = end > first && across ? (end - first) * across : 0;
    size_t number = failures_shown++;
    if (capacity)
        screen_text(MARGIN, first - 1, COLOUR_BAD, "not as expected");
    if (number < capacity) {
        size_t row = first + number / across;
        size_t column = MARGIN + number % across * width;
        column = screen_text(column, row, COLOUR_BAD, CROSS " ");
        column = screen_text(column, row, COLOUR_TEXT, run->method->name);
        column = screen_text(column, row, COLOUR_TEXT, " ");
        column = screen_text(column, row, COLOUR_TEXT, run->workload->name);
        put_which(column, row, run);
    } else if (capacity) {
        size_t row = end - 1, column = MARGIN + (across - 1) * width;
        column = screen_text(column, row, COLOUR_BAD, "and ");
        column = put_number(column, row, COLOUR_BAD, failures_shown - capacity + 1);
        screen_blank(screen_text(column, row, COLOUR_BAD, " more"), row);
    }
}

void display_verdict(const struct run *run, enum verdict verdict)
{
    if (!screen_columns())
        return;
    display_begins(run);
    size_t method = row_of(run->method->name), row = row_table() + 1 + method, seen = 0;
    for (size_t v = 0; v < VERDICTS; v++)
        seen += methods_seen[method].count[v];
    methods_seen[method].count[verdict]++;
    for (size_t n = 0; n < DISPLAY_VERDICTS; n++) {
        enum verdict v = display_verdicts[n];
        size_t count = methods_seen[method].count[v];
        put_number_to(column_end(n) - 1, row, count ? verdicts[v].colour : COLOUR_DIM,
                      count);
    }
    if (strip)
        screen_text(STRIP_COLUMN + seen, row, verdicts[verdict].colour,
                    verdicts[verdict].shape);
    if (runs_done < runs_planned)
        runs_done++;
    put_bar();
    if (verdict == FAIL)
        put_failure(run);
}

void display_end(const struct totals *totals, size_t failures, size_t measured,
                 bool avoided)
{
    size_t row = progress_row(), column = MARGIN;
    if (!totals->runs) {
        screen_text(MARGIN, row, COLOUR_ODD, NO_RUNS);
        return;
    }
    column = screen_text(column, row, COLOUR_TEXT, "done: ");
    column = put_number(column, row, COLOUR_TEXT, totals->ran);
    column = screen_text(column, row, COLOUR_TEXT, totals->ran == 1 ? " run, " : " runs, ");
    column = put_number(column, row, COLOUR_TEXT, totals->skipped);
    column = screen_text(column, row, COLOUR_TEXT, " skipped, ");
    if (measured) {
        column = put_number(column, row, COLOUR_ODD, measured);
        column = screen_text(column, row, COLOUR_ODD, " measured, ");
    }
    enum verdict all = failures ? FAIL : avoided ? SKIP : PASS;
    enum colour colour = all == SKIP ? COLOUR_ODD : verdicts[all].colour;
    if (failures)
        column = put_number(column, row, colour, failures);
    column = screen_text(column, row, colour,
                         failures   ? " not as expected "
                         : avoided  ? "as expected, but not all was tried: see below "
                         : measured ? "the rest as expected "
                                    : "all as expected ");
    column = screen_text(column, row, colour, verdicts[all].shape);
    screen_blank(column, row);
}

/* Lines that end where their room does. */
static void keep_line(const char *text, enum tone tone)
{
    size_t length = 0;
    if (boot_lines == ROWS_FOR_BOOT)
        for (size_t i = 1; i < ROWS_FOR_BOOT; i++)
            lines[i - 1] = lines[i];
    else
        boot_lines++;
    struct line *line = &lines[boot_lines - 1];
    for (; text[length] && length + 1 < sizeof line->text; length++)
        line->text[length] = text[length];
    line->text[length] = 0;
    line->colour = tone == TONE_BAD   ? COLOUR_BAD
                   : tone == TONE_ODD ? COLOUR_ODD
                                      : COLOUR_TEXT;
}

void display_line(const char *text, enum tone tone)
{
    if (screen_rows() < ROWS_FOR_BOOT)
        return;
    keep_line(text, tone);
    for (size_t i = 0; i < boot_lines; i++) {
        size_t row = screen_rows() - ROWS_FOR_BOOT + i;
        screen_blank(screen_text(MARGIN, row, lines[i].colour, lines[i].text), row);
    }
    screen_repaint();
}

void display_panic(const char *why)
{
    size_t row = screen_rows() ? screen_rows() - 1 : 0;
    size_t column =
        screen_text(MARGIN, row, COLOUR_BAD, CROSS " the kernel gave up; switch off: ");
    screen_blank(screen_text(column, row, COLOUR_BAD, why), row);
}
