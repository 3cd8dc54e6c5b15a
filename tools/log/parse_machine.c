/*
 * The lines about the machine, its firmware and the image, and what was found by trying.
 */
#include "parse.h"

#include <string.h>

#include "count_of.h"

/* Another version may have other fields, so this one is looked at first. */
bool is_our_version(struct line *line)
{
    struct line opening = *line;
    struct value version;

    return line_field(&opening, "log=d", &version) &&
           (version.number == LOG_VERSION ||
            log_error(line->log, line->log->line,
                      "a log of version %.*s, and this program reads version %d: use the "
                      "program that was built with its image (%.*s)",
                      SPAN(version.text), LOG_VERSION, SPAN(opening.rest)));
}

bool parse_opening(struct line *line)
{
    struct log *log = line->log;

    if (log->opened)
        return here(log, "a second opening line");
    log->opened = true;
    log->machine.build = line_text(line, "build");
    return true;
}

/* The same platform gives a process under Linux other facilities than the kernel. */
bool parse_linux(struct line *line)
{
    line->log->machine.linux_release = line_text(line, "release");
    line->log->machine.cpu.under_linux = true;
    return once(line, &line->log->machine.linux_line);
}

bool parse_firmware(struct line *line)
{
    line->log->machine.vendor = line_text(line, "vendor");
    line->log->machine.revision = line_text(line, "revision");
    return once(line, &line->log->machine.firmware_line);
}

bool parse_bios(struct line *line)
{
    struct log *log = line->log;

    log->machine.bios_vendor = line_text(line, "vendor");
    log->machine.bios_version = line_text(line, "version");
    log->machine.bios_date = line_text(line, "date");
    log->machine.secure_boot = line_text(line, "secure_boot");
    return once(line, &log->machine.bios_line);
}

bool parse_system(struct line *line)
{
    struct log *log = line->log;

    log->machine.system_vendor = line_text(line, "vendor");
    log->machine.system_product = line_text(line, "product");
    log->machine.board_vendor = line_text(line, "board_vendor");
    log->machine.board_product = line_text(line, "board_product");
    return once(line, &log->machine.system_line);
}

static bool is_register_width(struct line *line, const char *key)
{
    uint64_t bytes = line_number(line, key);

    return bytes == 1 || bytes == 2 || bytes == 4 ||
           log_error(line->log, line->log->line, "serial: got %s=%llu, want 1, 2 or 4", key,
                     (unsigned long long)bytes);
}

/* The port by which the log came, if any. */
bool parse_serial(struct line *line)
{
    const bool is_port = !span_is(line_text(line, "from"), "none");

    return once(line, &line->log->machine.serial_line) &&
           line_has_if(line, "space", is_port) &&
           (!is_port ||
            (is_register_width(line, "stride") && is_register_width(line, "width")));
}

bool parse_apic(struct line *line)
{
    line->log->machine.apic = (enum apic_mode)line_number(line, "mode");
    return once(line, &line->log->machine.apic_line);
}

bool parse_image(struct line *line)
{
    struct log *log = line->log;

    log->machine.image_at = line_number(line, "base");
    log->machine.image_size = line_number(line, "size");
    return once(line, &log->machine.image_line) &&
           (log->machine.image_at + log->machine.image_size >= log->machine.image_at ||
            here(log, "image: it does not fit the address space"));
}

struct left left_of(const struct line *line)
{
    return (struct left){ .debugctl = line_text(line, "debugctl"),
                          .lbr_ctl = line_text(line, "lbr_ctl"),
                          .smi_count = line_text(line, "smi_count"),
                          .counters = line_text(line, "counters") };
}

bool parse_left(struct line *line)
{
    struct cpu_part *cpu = &line->log->machine.cpu;

    cpu->left = left_of(line);
    return once(line, &cpu->left_line);
}

#define CALL_LENGTH_MAX 15 /* of any instruction */

/* The window's instructions: from the first with recording on to the last. */
static bool take_window(struct line *line)
{
    struct machine *machine = &line->log->machine;
    const struct span bytes = line_text(line, "bytes");

    machine->window_at = line_number(line, "at");
    for (size_t i = 0; i + 1 < bytes.length && i / 2 < WINDOW_BYTES_MAX; i += 2)
        if (hex_byte(bytes.at + i, &machine->window[i / 2]))
            machine->window_size = i / 2 + 1;
    return !line_has(line, "at") ||
           (machine->window_size * 2 == bytes.length &&
            machine->call - machine->window_at < machine->window_size) ||
           log_error(line->log, line->log->line,
                     "caller: bytes=: want pairs of hex digits, at most %d, of code that "
                     "begins at at= and holds call=",
                     WINDOW_BYTES_MAX);
}

bool parse_caller(struct line *line)
{
    struct log *log = line->log;

    if (!once(line, &log->machine.caller_line))
        return false;
    log->machine.call = line_number(line, "call");
    log->machine.back = line_number(line, "return");
    /* The highest address is one that a filter writes; BRANCH_UNKNOWN is not canonical. */
    return ((log->machine.call < log->machine.back && log->machine.back < BRANCH_FILTERED &&
             branch_is_canonical(log->machine.call) &&
             branch_is_canonical(log->machine.back) &&
             log->machine.back - log->machine.call <= CALL_LENGTH_MAX) ||
            here(log, "caller: want return= the instruction after call=")) &&
           take_window(line);
}

/* A command may probe again.  What comes of it should be the same; judge() says so. */
static bool probed_again(struct log *log, struct facility_found *found,
                         enum probe_result probe_result)
{
    if (probe_result != found->probe_result && !found->other_line) {
        found->other = probe_result;
        found->other_line = log->line;
    }
    return true;
}

/* How late its interrupts came, if that was measured: of pmi and bts alone. */
static bool skid_can_be(struct line *line, enum facility facility,
                        const struct facility_found *found)
{
    if (!line_has(line, "interrupts"))
        return true;
    if (facility != FACILITY_PMI && facility != FACILITY_BTS)
        return here(line->log, "facility: only pmi and bts say how late interrupts came");
    return (found->interrupts > 0 && found->typical <= found->most &&
            (found->typical > 0 || found->most == 0)) ||
           log_error(line->log, line->log->line,
                     "facility: got interrupts=%llu typical=%llu most=%llu, want one at "
                     "least, and their mean from 1 to the latest, or both 0",
                     (unsigned long long)found->interrupts,
                     (unsigned long long)found->typical, (unsigned long long)found->most);
}

bool parse_facility(struct line *line)
{
    struct log *log = line->log;
    const enum facility facility = (enum facility)line_number(line, "name");
    struct facility_found *known = &cpu_being_read(log)->facilities[facility];
    const struct facility_found read = {
        .probe_result = (enum probe_result)line_number(line, "outcome"),
        .evidence = line_text(line, "evidence"),
        .line = log->line,
        .interrupts = line_number(line, "interrupts"),
        .typical = line_number(line, "typical"),
        .most = line_number(line, "most"),
    };

    if (log->by_command)
        tell(line, TOLD_FACILITY, line_whole(line));
    if (!skid_can_be(line, facility, &read))
        return false;
    if (log->by_command && known->line)
        return probed_again(log, known, read.probe_result);
    if (!once(line, &known->line))
        return false;
    if (read.probe_result == DENIED && !log->machine.linux_line)
        return here(log, "facility: outcome=denied, but no line \"linux\" before it");
    if ((read.probe_result == AVOIDED) !=
        (avoided_facility(log, facility_names[facility]) != NULL))
        return log_error(log, log->line,
                         "facility: got name=%s outcome=%.*s, which a line \"avoid "
                         "facility=%s\" before it must go with",
                         facility_names[facility], SPAN(line_text(line, "outcome")),
                         facility_names[facility]);
    *known = read;
    return true;
}

bool in_image(const struct log *log, uint64_t at, uint64_t size)
{
    uint64_t offset = at - log->machine.image_at; /* below the image: far above it */

    return offset <= log->machine.image_size && size <= log->machine.image_size - offset;
}

bool machine_logged(struct log *log, const char *before)
{
    const struct {
        size_t line;
        const char *word;
    } wanted[] = {
        { log->machine.firmware_line + log->machine.linux_line, "firmware" },
        { log->machine.cpu.line, "cpu" },
        { log->machine.cpu.features_line, "features" },
        { log->machine.cpu.model_line, "model" },
        { log->machine.image_line, "image" },
        { log->machine.caller_line, "caller" },
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
    if (!machine_logged(log, "plan"))
        return false;
    if (!facilities_logged(log, NEEDS(FACILITY_STEP) | NEEDS(FACILITY_BTF) |
                                    NEEDS(FACILITY_LBR) | NEEDS(FACILITY_BTS)))
        return false;
    if (log->machine.processors_line &&
        log->machine.processor_count != log->machine.processors_started)
        return log_error(
            log, log->line,
            "plan: %zu lines \"processor\" before it, want %llu, as many as were "
            "started",
            log->machine.processor_count,
            (unsigned long long)log->machine.processors_started);
    return in_image(log, log->machine.call, log->machine.back - log->machine.call) ||
           log_error(log, log->machine.caller_line,
                     "caller: call=0x%llx is not in the image of line %zu",
                     (unsigned long long)log->machine.call, log->machine.image_line);
}
