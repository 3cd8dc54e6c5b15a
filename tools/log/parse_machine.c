/*
 * The lines about the machine, its firmware and the image, and what was found by trying.
 */
#include "parse.h"

#include <string.h>

#include "count_of.h"
#include "deviation.h"

/* Another version may have other fields, so this one is looked at first. */
bool is_our_version(struct line *line)
{
    const struct log_field *field = log_words[WORD_EVERYBRANCH].fields;
    struct everybranch_line says = { 0 };
    struct line opening = *line;
    struct span version;

    return line_field(&opening, field, &says, &version) &&
           ((says.log >= LOG_VERSION_OLDEST && says.log <= LOG_VERSION) ||
            log_error(
                line->log, line->log->line,
                "a log of version %.*s, and this program reads versions %d to %d: use "
                "the program that was built with its image (%.*s)",
                SPAN(version), LOG_VERSION_OLDEST, LOG_VERSION, SPAN(opening.rest)));
}

bool parse_opening(struct line *line)
{
    struct log *log = line->log;

    if (log->opened)
        return here(log, "a second opening line");
    log->opened = true;
    log->machine.version = line->says.everybranch.log;
    log->machine.build = line->says.everybranch.build;
    return true;
}

/* The same platform gives a process under Linux other facilities than the kernel. */
bool parse_linux(struct line *line)
{
    line->log->machine.cpu.under_linux = true;
    return true;
}

static bool is_register_width(struct line *line, const char *key, uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 ||
           log_error(line->log, line->log->line, "serial: got %s=%llu, want 1, 2 or 4", key,
                     (unsigned long long)bytes);
}

/* The port by which the log came, if any. */
bool parse_serial(struct line *line)
{
    const struct serial_line *serial = &line->says.serial;
    const bool is_port = !span_is(serial->from, "none");

    return line_has_if(line, "space", is_port) &&
           (!is_port || (is_register_width(line, "stride", serial->stride) &&
                         is_register_width(line, "width", serial->width)));
}

bool parse_image(struct line *line)
{
    const struct image_line *image = &line->says.image;

    return image->base + image->size >= image->base ||
           here(line->log, "image: it does not fit the address space");
}

#define CALL_LENGTH_MAX 15 /* of any instruction */

/* The window's instructions: from the first with recording on to the last. */
static bool take_window(struct line *line)
{
    struct machine *machine = &line->log->machine;
    const struct caller_line *caller = &line->says.caller;
    const struct span bytes = caller->bytes.digits;

    for (size_t i = 0; i + 1 < bytes.length && i / 2 < WINDOW_BYTES_MAX; i += 2)
        if (hex_byte(bytes.at + i, &machine->window[i / 2]))
            machine->window_size = i / 2 + 1;
    return caller->at.is != LOG_THERE ||
           (machine->window_size * 2 == bytes.length &&
            caller->call - caller->at.value < machine->window_size) ||
           log_error(line->log, line->log->line,
                     "caller: bytes=: want pairs of hex digits, at most %d, of code that "
                     "begins at at= and holds call=",
                     WINDOW_BYTES_MAX);
}

bool parse_caller(struct line *line)
{
    const struct caller_line *caller = &line->says.caller;

    /* The highest address is one that a filter writes; BRANCH_UNKNOWN is not canonical. */
    return ((caller->call < caller->back && caller->back < BRANCH_FILTERED &&
             branch_is_canonical(caller->call) && branch_is_canonical(caller->back) &&
             caller->back - caller->call <= CALL_LENGTH_MAX) ||
            here(line->log, "caller: want return= the instruction after call=")) &&
           take_window(line);
}

/* The long run of a probe has 20,000 branches (kernel/probe/code.asm); a counter may count
 * some of them twice. */
#define SKID_MAX 40000

/* How late its interrupts came, if that was measured: of pmi and bts alone. */
static bool skid_can_be(struct line *line, const struct facility_line *found)
{
    if (found->interrupts.is != LOG_THERE)
        return true;
    if (found->name != FACILITY_PMI && found->name != FACILITY_BTS)
        return here(line->log, "facility: only pmi and bts say how late interrupts came");
    return (found->interrupts.value > 0 && found->typical <= found->most &&
            (found->typical > 0 || found->most == 0) && found->most <= SKID_MAX) ||
           log_error(line->log, line->log->line,
                     "facility: got interrupts=%llu typical=%llu most=%llu, want one at "
                     "least, and their mean from 1 to the latest, at most %d, or both 0",
                     (unsigned long long)found->interrupts.value,
                     (unsigned long long)found->typical, (unsigned long long)found->most,
                     SKID_MAX);
}

/* Since version 3 the log has codes of what deviates; before, there are only the words. */
static bool take_deviations(struct line *line)
{
    struct facility_line *found = &line->says.facility;
    const bool deviates = found->outcome == DEVIATES, old = line->log->machine.version < 3;

    if (old && deviates)
        found->deviations = deviations_in(found->evidence.at, found->evidence.length);
    return line_has_if(line, "code", deviates && !old);
}

bool parse_facility(struct line *line)
{
    struct log *log = line->log;
    struct facility_line *found = &line->says.facility;
    struct facility_line *known = &cpu_being_read(log)->facilities[found->name];
    struct facility_line *again = &cpu_being_read(log)->again[found->name];
    const char *name = facility_names[found->name];

    found->line = log->line;
    if (log->by_command)
        keep_logged(line, LOGGED_FACILITY, line_whole(line));
    if (!take_deviations(line) || !skid_can_be(line, found))
        return false;
    if (log->by_command && known->line) {
        /* What comes of it should be the same; judge() says so. */
        if (found->outcome != known->outcome && !again->line)
            *again = *found;
        return true;
    }
    if (!once(line, &known->line))
        return false;
    if (found->outcome == DENIED && !log->machine.os.line)
        return here(log, "facility: outcome=denied, but no line \"linux\" before it");
    if ((found->outcome == AVOIDED) != (avoided_facility(log, name) != NULL))
        return log_error(log, log->line,
                         "facility: got name=%s outcome=%.*s, which a line \"avoid "
                         "facility=%s\" before it must go with",
                         name, SPAN(line_text(line, "outcome")), name);
    *known = *found;
    return true;
}

bool in_image(const struct log *log, uint64_t at, uint64_t size)
{
    uint64_t offset = at - log->machine.image.base; /* below the image: far above it */

    return offset <= log->machine.image.size && size <= log->machine.image.size - offset;
}

bool machine_logged(struct log *log, const char *before)
{
    const struct {
        size_t line;
        const char *word;
    } wanted[] = {
        { log->machine.firmware.line + log->machine.os.line, "firmware" },
        { log->machine.cpu.named.line, "cpu" },
        { log->machine.cpu.features.line, "features" },
        { log->machine.cpu.model.line, "model" },
        { log->machine.image.line, "image" },
        { log->machine.caller.line, "caller" },
    };

    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        if (!wanted[i].line)
            return log_error(log, log->line, "%s: no line \"%s\" before it", before,
                             wanted[i].word);
    return true;
}

bool facilities_logged(struct log *log, unsigned needs)
{
    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (needs & NEEDS(i) && !log->machine.cpu.facilities[i].line)
            return log_error(log, log->line, "plan: no line \"facility name=%s\" before it",
                             facility_names[i]);
    return true;
}

bool machine_known(struct log *log)
{
    const struct caller_line *caller = &log->machine.caller;

    if (!machine_logged(log, "plan"))
        return false;
    if (!facilities_logged(log, log->machine.version >= 3 && !log->machine.os.line
                                    ? NEEDS(FACILITY_COUNT) - 1 /* all */
                                    : NEEDS(FACILITY_STEP) | NEEDS(FACILITY_BTF) |
                                          NEEDS(FACILITY_LBR) | NEEDS(FACILITY_BTS)))
        return false;
    if (log->machine.several.line &&
        log->machine.processor_count != log->machine.several.started)
        return log_error(
            log, log->line,
            "plan: %zu lines \"processor\" before it, want %llu, as many as were "
            "started",
            log->machine.processor_count, (unsigned long long)log->machine.several.started);
    return in_image(log, caller->call, caller->back - caller->call) ||
           log_error(log, caller->line,
                     "caller: call=0x%llx is not in the image of line %zu",
                     (unsigned long long)caller->call, log->machine.image.line);
}
