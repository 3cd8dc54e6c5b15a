/*
 * display.h.  The layout fits 100 columns by 37 rows.  With fewer, facilities are in two
 * halves, the bar is left out, and progress is above the table.  A word or
 * a shape is beside each colour.
 */
#include "display.h"

#include "filter.h"
#include "font.h"
#include "log.h"
#include "method.h"
#include "platform.h"
#include "screen.h"
#include "text.h"
#include "version.h"
#include "x86.h"

#define MARGIN        1 /* column where text begins */
#define ROW_TITLE     0
#define ROW_PROCESSOR 1
#define ROW_IDENTITY  2
#define ROW_EMULATED  3
#define ROW_FOUND     4
#define ROWS_IN_TABLE 14 /* at least, so that what is beside and below keeps its place */
#define ROWS_FOR_BOOT 4  /* at the bottom */
#define NAME_WIDTH    9
#define NUMBER_SIZE   24

/* What failed is named beside the table. */
#define NAMES_COLUMN  (MARGIN + NAME_WIDTH + 44 + 2) /* 44: all columns of counts */
#define FAILURE_WIDTH 34 /* at least, of one of several columns of names */
#define FAILURE_LEAST 16 /* with less the screen is too small to name any */
#define FAILURE_SHAPE 2
#define FAILURE_SIZE  160

const struct display_column display_columns[COMPARED_COUNT] = {
    [RIGHT] = { "right", 8 },  [DIFFERS] = { "differs", 9 },
    [KNOWN] = { "known", 7 },  [NOT_COMPARED] = { "not compared", 14 },
    [SKIPPED] = { "skip", 6 },
};

static const enum colour colours_of[COMPARED_COUNT] = {
    [RIGHT] = COLOUR_GOOD,        [DIFFERS] = COLOUR_BAD, [KNOWN] = COLOUR_ODD,
    [NOT_COMPARED] = COLOUR_TEXT, [SKIPPED] = COLOUR_DIM,
};

static struct {
    const char *name;
    size_t count[COMPARED_COUNT];
} methods_seen[METHODS_MAX];
static size_t method_rows, table_rows, runs_planned, runs_done, boot_lines;
static size_t wrong_facilities;
static size_t all_counts[COMPARED_COUNT]; /* of all methods */
static struct shown_line {
    char text[SCREEN_COLUMNS_MAX];
    enum colour colour;
} lines[ROWS_FOR_BOOT];
static bool one_below_other; /* facilities, with room for all that was seen of them */

/* Where the next failure is named, and how many had no room. */
static struct {
    size_t column, row, left_out;
} names;

/* The time since the machine was shown; hz 0: unknown. */
static struct {
    uint64_t begin, hz;
    size_t column;
} elapsed;

/* Where the next words go. */
static struct {
    size_t column, row;
} cursor;

static void go(size_t column, size_t row)
{
    cursor.column = column;
    cursor.row = row;
}

static void show(enum colour colour, const char *words)
{
    cursor.column = screen_text(cursor.column, cursor.row, colour, words);
}

static void show_at(size_t column, size_t row, enum colour colour, const char *words)
{
    go(column, row);
    show(colour, words);
}

static void show_number(enum colour colour, uint64_t number)
{
    char digits[NUMBER_SIZE];
    struct text text = text_into(digits, sizeof digits);
    text_decimal(&text, number);
    show(colour, digits);
}

/* With its last digit in this column. */
static void show_number_to(size_t last, size_t row, enum colour colour, uint64_t number)
{
    size_t width = 1;
    for (uint64_t rest = number; rest >= 10; rest /= 10)
        width++;
    go(last + 1 - width, row);
    show_number(colour, number);
}

static void show_times(enum colour colour, const char *glyph, size_t count)
{
    while (count--)
        show(colour, glyph);
}

static void show_0x(uint64_t number)
{
    char digits[NUMBER_SIZE];
    struct text text = text_into(digits, sizeof digits);
    text_string(&text, "0x");
    text_hex(&text, number);
    show(COLOUR_TEXT, digits);
}

/* Blanks the rest of the row. */
static void end_row(void)
{
    screen_blank(cursor.column, cursor.row);
}

/* "1:05" are minutes and seconds. */
static void put_elapsed(void)
{
    if (!elapsed.hz)
        return;
    uint64_t seconds = (rdtsc() - elapsed.begin) / elapsed.hz;
    go(elapsed.column, ROW_IDENTITY);
    show_number(COLOUR_TEXT, seconds / 60);
    show(COLOUR_TEXT, seconds % 60 < 10 ? ":0" : ":");
    show_number(COLOUR_TEXT, seconds % 60);
    show(COLOUR_DIM, " elapsed");
}

/* The facts that tell two photographs apart. */
static void put_identity(const struct cpu *cpu, const struct handoff *handoff)
{
    show_at(MARGIN, ROW_IDENTITY, COLOUR_DIM, "signature ");
    show_0x(cpu->id.signature);
    show(COLOUR_DIM, ", microcode ");
    show_0x(cpu->microcode);
    if (handoff->date[0]) {
        show(COLOUR_DIM, ", ");
        show(COLOUR_TEXT, handoff->date);
    }
    elapsed.begin = rdtsc();
    elapsed.hz = handoff->tsc_hz;
    if (elapsed.hz)
        show(COLOUR_DIM, ", ");
    elapsed.column = cursor.column;
    put_elapsed();
}

void display_machine(const struct cpu *cpu, const struct handoff *handoff)
{
    /* BTF is not tried yet; of two that announce the same, both are emulated or none. */
    const struct platform *platform =
        platform_find(cpu->id.hypervisor, &cpu->id, cpu->model, true);
    const char *brand = cpu->brand;
    while (*brand == ' ')
        brand++; /* some processors put their name at the right end of its room */
    screen_clear();
    go(0, ROW_TITLE);
    show_times(COLOUR_TITLE, " ", screen_columns());
    show_at(MARGIN, ROW_TITLE, COLOUR_TITLE,
            "everybranch " EVERYBRANCH_BUILD ": " SELF_CHECK_IS);
    show_at(MARGIN, ROW_PROCESSOR, COLOUR_TEXT, *brand ? brand : cpu->id.vendor);
    show(COLOUR_DIM, ", model ");
    show(COLOUR_DIM, cpu->model ? cpu->model->name : "unknown");
    put_identity(cpu, handoff);
    go(MARGIN, ROW_EMULATED);
    if (platform && platform->emulated) {
        show(COLOUR_ODD, "emulated processor: nothing here is a property of silicon");
    } else if (cpu->id.hypervisor[0]) {
        show(COLOUR_ODD, "in a virtual machine: ");
        show(COLOUR_ODD, cpu->id.hypervisor);
    }
}

static size_t rows_found(void)
{
    return one_below_other ? FACILITY_COUNT : (FACILITY_COUNT + 1) / 2;
}

static size_t row_after(size_t found)
{
    return ROW_FOUND + found + 1;
}

static size_t row_table(void)
{
    return row_after(rows_found());
}

/* As many whole words as there is room for, and then two points. */
static void put_words(size_t capacity, const char *text)
{
    char words[SCREEN_COLUMNS_MAX];
    struct text out = text_into(words, sizeof words);
    size_t length = text_length(text);
    bool fits = length <= capacity;
    if (!fits)
        for (length = capacity > 2 ? capacity - 2 : 0; length && text[length] != ' ';)
            length--;
    text_bytes(&out, text, length);
    text_string(&out, fits || !length ? "" : "..");
    show(COLOUR_DIM, words);
}

/* From `column` on, and before `end`.  `on`: why it is no failure on this platform. */
static void put_facility(const struct probed *facility, const char *on, size_t row,
                         size_t column, size_t end)
{
    enum probe_result probe_result = facility->said.outcome;
    bool nothing =
        probe_result == ABSENT || probe_result == AVOIDED || on; /* wrong, or was tried */
    bool works = probe_result == WORKS;
    enum compared like = works ? RIGHT : nothing ? SKIPPED : DIFFERS;
    enum colour colour = probe_result == AVOIDED ? COLOUR_ODD : colours_of[like];

    show_at(column, row, COLOUR_TEXT, facility_names[facility->said.name]);
    show_at(column + NAME_WIDTH, row, colour, works ? CHECK_MARK : nothing ? "-" : CROSS);
    show(colour, " ");
    show(colour, probe_result_name(probe_result));
    go(column + 2 * NAME_WIDTH + 3, row);
    put_words(end > cursor.column ? end - cursor.column : 0, on ? on : facility->evidence);
}

/* One below the other where that leaves room for the rest, else in two halves. */
void display_facilities(const struct facilities *found,
                        const char *const on[FACILITY_COUNT], size_t wrong,
                        size_t methods_there_are)
{
    wrong_facilities = wrong;
    size_t rest = methods_there_are + 2 + 2 + ROWS_FOR_BOOT;
    one_below_other = row_after(FACILITY_COUNT) + rest <= screen_rows();
    size_t all = screen_columns(), half = one_below_other ? all : all / 2;

    for (size_t i = 0; i < FACILITY_COUNT; i++) {
        bool left = i < rows_found();
        put_facility(&found->all[i], on[i], ROW_FOUND + i % rows_found(),
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

/* What was found worst, from which a glance at the bar says how it goes. */
static enum colour colour_of_bar(void)
{
    return all_counts[DIFFERS] || wrong_facilities ? COLOUR_BAD
           : all_counts[KNOWN]                     ? COLOUR_ODD
           : all_counts[RIGHT]                     ? COLOUR_GOOD
                                                   : COLOUR_TEXT;
}

static void put_bar(void)
{
    if (is_tight())
        return;
    size_t width =
        screen_columns() > 2 * MARGIN + 6 ? screen_columns() - 2 * MARGIN - 6 : 0;
    size_t filled = runs_planned ? runs_done * width / runs_planned : 0;
    size_t row = progress_row() + 1;
    go(MARGIN, row);
    show_times(colour_of_bar(), BLOCK, filled);
    show_times(COLOUR_DIM, SHADE, width - filled);
    size_t percent = runs_planned ? runs_done * 100 / runs_planned : 0;
    show_number_to(MARGIN + width + 4, row, COLOUR_TEXT, percent);
    show(COLOUR_TEXT, "%");
}

/* Where this column of counts ends. */
static size_t column_end(enum compared compared)
{
    size_t end = MARGIN + NAME_WIDTH;
    for (enum compared i = 0; i <= compared; i++)
        end += display_columns[i].width;
    return end;
}

/* The heads of the counts; nothing is alarming before its first run. */
static void put_heads(void)
{
    for (enum compared i = 0; i < COMPARED_COUNT; i++) {
        const char *word = display_columns[i].word;
        show_at(column_end(i) - text_length(word), row_table(),
                all_counts[i] ? colours_of[i] : COLOUR_DIM, word);
    }
}

void display_plan(size_t runs, size_t methods_planned)
{
    runs_planned = runs;
    table_rows = methods_planned < METHODS_MAX ? methods_planned : METHODS_MAX;
    runs_done = method_rows = 0;
    for (enum compared i = 0; i < COMPARED_COUNT; i++)
        all_counts[i] = 0;
    names.column = NAMES_COLUMN;
    names.row = row_table() + 1;
    names.left_out = 0;
    show_at(MARGIN, row_table(), COLOUR_DIM, "method");
    put_heads();
    if (runs) {
        show_at(NAMES_COLUMN, row_table(), COLOUR_DIM, "not as expected: none");
        put_bar();
    }
}

/* The row of a method, which is the next free one when it first appears. */
static size_t row_of(const char *method)
{
    size_t i = 0;
    while (i < method_rows && methods_seen[i].name != method)
        i++;
    if (i == method_rows && method_rows < METHODS_MAX) {
        methods_seen[i].name = method;
        for (enum compared c = 0; c < COMPARED_COUNT; c++)
            methods_seen[i].count[c] = 0;
        method_rows++;
    }
    return i < METHODS_MAX ? i : METHODS_MAX - 1;
}

/* Puts what distinguishes a run from others of the same method and workload. */
static void put_which(struct text *out, const struct run_request *run)
{
    char words[FILTER_TEXT_SIZE];
    if (run->filtered) {
        text_join(out, " filter=", filter_text(run->filter, words));
    }
    if (run->smp) {
        text_string(out, " processor ");
        text_decimal(out, run->processor);
    }
}

void display_begins(const struct run_request *run)
{
    char words[FAILURE_SIZE];
    struct text which = text_into(words, sizeof words);
    put_which(&which, run);
    show_at(MARGIN, row_table() + 1 + row_of(run->method->name), COLOUR_TEXT,
            run->method->name);
    show_at(MARGIN, progress_row(), COLOUR_TEXT, "run ");
    show_number(COLOUR_TEXT, run->number);
    show(COLOUR_TEXT, " of ");
    show_number(COLOUR_TEXT, runs_planned);
    show(COLOUR_DIM, "   ");
    show(COLOUR_TEXT, run->workload->name);
    show(COLOUR_DIM, " by ");
    show(COLOUR_TEXT, run->method->name);
    show(COLOUR_TEXT, words);
    end_row();
    put_elapsed();
}

/* Names have one column after the other, of equal widths. */
static size_t names_width(void)
{
    size_t all = screen_columns() > NAMES_COLUMN ? screen_columns() - NAMES_COLUMN : 0;
    size_t across = all < FAILURE_WIDTH ? 1 : all / FAILURE_WIDTH;
    return all > FAILURE_LEAST ? all / across : FAILURE_WIDTH;
}

/* As many letters as fit a line, up to a comma or else a blank if there is one. */
static size_t fitting(const char *text, size_t width)
{
    size_t length = text_length(text), end = width, comma = width;
    if (length <= width)
        return length;
    while (comma && (text[comma] != ' ' || text[comma - 1] != ','))
        comma--;
    if (comma)
        return comma;
    while (end && text[end] != ' ')
        end--;
    return end ? end : width;
}

/* Takes the next line off the text. */
static const char *next_line(const char **text, char line[FAILURE_SIZE], size_t width)
{
    struct text out = text_into(line, FAILURE_SIZE);
    size_t length = fitting(*text, width);
    text_bytes(&out, *text, length);
    *text += length;
    *text += **text == ' ';
    return line;
}

static size_t lines_of(const char *text, size_t width)
{
    char buffer[FAILURE_SIZE];
    size_t count = 0;
    for (; *text; count++)
        next_line(&text, buffer, width);
    return count;
}

static void put_left_out(void)
{
    show_at(NAMES_COLUMN, row_table() + ROWS_IN_TABLE, COLOUR_BAD, "and ");
    show_number(COLOUR_BAD, ++names.left_out);
    show(COLOUR_BAD, " more");
}

/* Puts the name of a failed run, in one line or several; the last row counts the others. */
static void put_name(const char *text)
{
    const size_t width = names_width() - FAILURE_SHAPE - 1;
    const size_t end = row_table() + ROWS_IN_TABLE, height = lines_of(text, width);
    char line[FAILURE_SIZE];
    if (names.row + height > end && names.column + 2 * names_width() <= screen_columns()) {
        names.column += names_width();
        names.row = row_table() + 1;
    }
    if (names.left_out || names.row + height > end) {
        put_left_out();
        return;
    }
    show_at(names.column, names.row, COLOUR_BAD, CROSS);
    while (*text)
        show_at(names.column + FAILURE_SHAPE, names.row++, COLOUR_TEXT,
                next_line(&text, line, width));
}

static void put_failure(const struct run_request *run, uint64_t at)
{
    char words[FAILURE_SIZE];
    struct text text = text_into(words, sizeof words);
    text_join(&text, run->method->name, " ", run->workload->name);
    put_which(&text, run);
    if (at) {
        text_string(&text, ", record ");
        text_decimal(&text, at);
    }
    show_at(NAMES_COLUMN, row_table(), COLOUR_BAD, "not as expected:     ");
    put_name(words);
}

void display_compared(const struct run_request *run, enum compared compared, uint64_t at)
{
    if (!screen_columns())
        return;
    display_begins(run);
    size_t method = row_of(run->method->name), row = row_table() + 1 + method;
    methods_seen[method].count[compared]++;
    all_counts[compared]++;
    put_heads();
    for (enum compared i = 0; i < COMPARED_COUNT; i++) {
        size_t count = methods_seen[method].count[i];
        show_number_to(column_end(i) - 1, row, count ? colours_of[i] : COLOUR_DIM, count);
    }
    if (runs_done < runs_planned)
        runs_done++;
    put_bar();
    if (compared == DIFFERS)
        put_failure(run, at);
}

/* "3 not as expected, 1 facility wrong " */
static void put_wrong(size_t failures)
{
    show_number(COLOUR_BAD, failures);
    show(COLOUR_BAD, " not as expected");
    if (wrong_facilities) {
        show(COLOUR_BAD, ", ");
        show_number(COLOUR_BAD, wrong_facilities);
        show(COLOUR_BAD, wrong_facilities == 1 ? " facility wrong" : " facilities wrong");
    }
    show(COLOUR_BAD, " " CROSS);
}

const char *display_legend(const size_t counts[COMPARED_COUNT])
{
    if (counts[KNOWN] && counts[NOT_COMPARED])
        return "not compared: packets, gaps; known: a rule or SMI; `everybranch check` "
               "judges";
    if (counts[KNOWN])
        return "known: differs as a rule or an SMI may explain; `everybranch check` judges";
    if (counts[NOT_COMPARED])
        return "not compared on this screen: packets and gaps; `everybranch check` judges "
               "them";
    return NULL;
}

/* In the empty row below the table. */
static void put_legend(const size_t counts[COMPARED_COUNT])
{
    const char *legend = display_legend(counts);
    size_t row = below_table() - 1;
    if (legend && row + ROWS_FOR_BOOT < screen_rows())
        show_at(MARGIN, row, COLOUR_TEXT, legend);
}

static void put_counted(const size_t counts[COMPARED_COUNT], enum compared compared)
{
    if (!counts[compared])
        return;
    show_number(colours_of[compared], counts[compared]);
    show(colours_of[compared], " ");
    show(colours_of[compared], display_columns[compared].word);
    show(colours_of[compared], ", ");
}

/* The end of the last sentence where nothing is wrong. */
static void put_as_expected(const size_t counts[COMPARED_COUNT], bool avoided)
{
    const char *nothing =
        counts[KNOWN] ? "nothing else was compared " : "nothing was compared ";
    enum colour colour = avoided || !counts[RIGHT] ? COLOUR_ODD : COLOUR_GOOD;
    put_counted(counts, NOT_COMPARED);
    put_counted(counts, KNOWN);
    show(colour, avoided          ? "as expected, but not all was tried: see below "
                 : !counts[RIGHT] ? nothing
                 : counts[NOT_COMPARED] + counts[KNOWN] ? "the others as expected "
                                                        : "all records as expected ");
    show(colour, colour == COLOUR_GOOD ? CHECK_MARK : "-");
}

void display_end(const struct end_line *totals, const size_t counts[COMPARED_COUNT],
                 bool avoided)
{
    if (!totals->runs) {
        show_at(MARGIN, progress_row(), COLOUR_ODD, NO_RUNS);
        return;
    }
    put_elapsed();
    put_legend(counts);
    show_at(MARGIN, progress_row(), COLOUR_TEXT, "done: ");
    show_number(COLOUR_TEXT, totals->ran);
    show(COLOUR_TEXT, totals->ran == 1 ? " run, " : " runs, ");
    show_number(COLOUR_TEXT, totals->skipped);
    show(COLOUR_TEXT, " skipped, ");
    if (counts[DIFFERS] || wrong_facilities)
        put_wrong(counts[DIFFERS]);
    else
        put_as_expected(counts, avoided);
    end_row();
}

/* The trailer of the last line, which depends on all lines before it: "~975 51bbaaaa". */
static void put_trailer(struct text *out, const char *log, size_t size)
{
    size_t begin = size;
    while (begin && log[begin - 1] != '~')
        begin--;
    if (begin)
        text_bytes(out, log + begin - 1, size - begin); /* without its line end */
}

void display_checksum(const char *log, size_t size)
{
    char words[LOG_LINE_MAX];
    struct text text = text_into(words, sizeof words);
    text_string(&text, "log ");
    put_trailer(&text, log, size);
    size_t width = text_length(words) + MARGIN;
    if (width < screen_columns())
        show_at(screen_columns() - width, ROW_EMULATED, COLOUR_TEXT, words);
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
    struct shown_line *line = &lines[boot_lines - 1];
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
        show_at(MARGIN, screen_rows() - ROWS_FOR_BOOT + i, lines[i].colour, lines[i].text);
        end_row();
    }
    screen_repaint();
}

void display_panic(const char *why)
{
    go(MARGIN, screen_rows() ? screen_rows() - 1 : 0);
    show(COLOUR_BAD, CROSS " the kernel gave up; switch off: ");
    show(COLOUR_BAD, why);
    end_row();
}
