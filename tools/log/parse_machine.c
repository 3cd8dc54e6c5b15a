/*
 * The lines about the machine, its firmware and the image, and what was found by trying.
 */
#include "parse.h"

#include <string.h>

#include "count_of.h"

bool parse_opening(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (log->opened)
        return here(log, "a second opening line");
    log->opened = true;
    if (!line_fields(line, "log=d", v))
        return false;
    if (v[0].number != LOG_VERSION)
        return log_error(
            log, log->line,
            "a log of version %.*s, and this program reads version %d: use the "
            "program that was built with its image (%.*s)",
            SPAN(v[0].text), LOG_VERSION, SPAN(line->rest));
    if (!line_fields(line, "build=w", v + 1))
        return false;
    log->build = v[1].text;
    return true;
}

bool parse_firmware(struct line *line)
{
    struct value v[2];

    if (!once(line, &line->log->firmware_line) ||
        !line_fields(line, "vendor=q revision=x", v))
        return false;
    line->log->vendor = v[0].text;
    line->log->revision = v[1].text;
    return true;
}

bool parse_bios(struct line *line)
{
    struct log *log = line->log;
    struct value v[4];

    if (!once(line, &log->bios_line) ||
        !line_fields(line, "vendor=q version=q date=q secure_boot=w", v))
        return false;
    log->bios_vendor = v[0].text;
    log->bios_version = v[1].text;
    log->bios_date = v[2].text;
    log->secure_boot = v[3].text;
    return span_is(v[3].text, "on") || span_is(v[3].text, "off") ||
           span_is(v[3].text, "unknown") ||
           log_error(log, log->line, "bios: got secure_boot=%.*s, want on, off or unknown",
                     SPAN(v[3].text));
}

bool parse_system(struct line *line)
{
    struct log *log = line->log;
    struct value v[4];

    if (!once(line, &log->system_line) ||
        !line_fields(line, "vendor=q product=q board_vendor=q board_product=q", v))
        return false;
    log->system_vendor = v[0].text;
    log->system_product = v[1].text;
    log->board_vendor = v[2].text;
    log->board_product = v[3].text;
    return true;
}

static bool tells_of_a_port(struct span from)
{
    return span_is(from, "option") || span_is(from, "spcr") || span_is(from, "dbg2") ||
           span_is(from, "com") || span_is(from, "pci");
}

/* Which port the log came by, if any.  Logs of older builds do not say. */
bool parse_serial(struct line *line)
{
    struct log *log = line->log;
    struct value head[2], v[8];

    if (!once(line, &log->serial_line) || !line_fields(line, "from=w tried=d", head))
        return false;
    if (span_is(head[0].text, "none"))
        return true;
    if (!tells_of_a_port(head[0].text))
        return log_error(log, log->line,
                         "serial: got from=%.*s, want option, spcr, dbg2, com, pci or none",
                         SPAN(head[0].text));
    if (!line_fields(line,
                     "space=w at=x stride=d width=d clock=d baud=d divisor=d before=d", v))
        return false;
    if (!span_is(v[0].text, "io") && !span_is(v[0].text, "mmio"))
        return log_error(log, log->line, "serial: got space=%.*s, want io or mmio",
                         SPAN(v[0].text));
    for (size_t i = 2; i <= 3; i++)
        if (v[i].number != 1 && v[i].number != 2 && v[i].number != 4)
            return log_error(log, log->line, "serial: got %s=%.*s, want 1, 2 or 4",
                             i == 2 ? "stride" : "width", SPAN(v[i].text));
    return true;
}

bool parse_apic(struct line *line)
{
    struct log *log = line->log;
    struct value v;

    if (!once(line, &log->apic_line) || !line_fields(line, "mode=w", &v))
        return false;
    for (enum apic_mode i = APIC_OFF; i < APIC_MODES; i++)
        if (span_is(v.text, apic_modes[i])) {
            log->apic = i;
            return true;
        }
    return log_error(log, log->line, "apic: got mode=%.*s, want off, xapic or x2apic",
                     SPAN(v.text));
}

bool parse_image(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (!once(line, &log->image_line) || !line_fields(line, "base=x size=x", v))
        return false;
    log->image_at = v[0].number;
    log->image_size = v[1].number;
    return log->image_at + log->image_size >= log->image_at ||
           here(log, "image: it does not fit the address space");
}

/* True where the field is not next. */
static bool left_field(struct line *line, const char *key, const char *form,
                       struct span *out)
{
    struct value v = { .text = { "", 0 } };
    bool good = !line_next_is(line, key) || line_fields(line, form, &v);

    *out = v.text;
    return good;
}

/*
 * debugctl=0xN [lbr_ctl=0xN] [smi_count=0xN] [counters=0xN]: only a model that has it has
 * the second, older logs have no third, and the last is of counters that were on.
 */
bool left_fields(struct line *line, struct left *left)
{
    struct value v;

    if (!line_fields(line, "debugctl=a", &v))
        return false;
    left->debugctl = v.text;
    return left_field(line, "lbr_ctl", "lbr_ctl=x", &left->lbr_ctl) &&
           left_field(line, "smi_count", "smi_count=a", &left->smi_count) &&
           left_field(line, "counters", "counters=x", &left->counters);
}

bool parse_left(struct line *line)
{
    return once(line, &line->log->left_line) && left_fields(line, &line->log->left);
}

#define CALL_LENGTH_MAX 15 /* of any instruction */

bool parse_caller(struct line *line)
{
    struct log *log = line->log;
    struct value v[2];

    if (!once(line, &log->caller_line) || !line_fields(line, "call=x return=x", v))
        return false;
    log->call = v[0].number;
    log->back = v[1].number;
    /* The highest address is one that a filter writes; BRANCH_UNKNOWN is not canonical. */
    return (log->call < log->back && log->back < BRANCH_FILTERED &&
            branch_is_canonical(log->call) && branch_is_canonical(log->back) &&
            log->back - log->call <= CALL_LENGTH_MAX) ||
           here(log, "caller: want return= the instruction after call=");
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
static bool parse_skid(struct line *line, enum facility facility,
                       struct facility_found *found)
{
    struct value v[3];

    if (!line_next_is(line, "interrupts"))
        return true;
    if (!line_fields(line, "interrupts=d typical=d most=d", v))
        return false;
    found->interrupts = v[0].number;
    found->typical = v[1].number;
    found->most = v[2].number;
    if (facility != FACILITY_PMI && facility != FACILITY_BTS)
        return here(line->log, "facility: only pmi and bts say how late interrupts came");
    return (found->interrupts > 0 && found->typical <= found->most &&
            (found->typical > 0 || found->most == 0)) ||
           log_error(line->log, line->log->line,
                     "facility: got interrupts=%.*s typical=%.*s most=%.*s, want one at "
                     "least, and their mean from 1 to the latest, or both 0",
                     SPAN(v[0].text), SPAN(v[1].text), SPAN(v[2].text));
}

bool parse_facility(struct line *line)
{
    struct value v[3];
    size_t facility = 0;
    enum probe_result probe_result = WORKS;
    struct facility_found read = { .probe_result = WORKS };

    tell_facility(line);
    if (!line_fields(line, "name=w outcome=w evidence=q", v))
        return false;
    while (facility < FACILITY_COUNT && !span_is(v[0].text, facility_names[facility]))
        facility++;
    while (probe_result < FINDING_COUNT &&
           !span_is(v[1].text, probe_result_name(probe_result)))
        probe_result++;
    if (facility == FACILITY_COUNT)
        return log_error(line->log, line->log->line,
                         "facility: got name=%.*s, want step, btf, lbr, bts, tr, pmi, ler, "
                         "freeze or brs",
                         SPAN(v[0].text));
    if (probe_result == FINDING_COUNT)
        return log_error(line->log, line->log->line,
                         "facility: got outcome=%.*s, want works, deviates, dead, faults, "
                         "absent or avoided",
                         SPAN(v[1].text));
    if (!parse_skid(line, facility, &read))
        return false;
    if (line->log->by_command && line->log->cpu.facilities[facility].line)
        return probed_again(line->log, &line->log->cpu.facilities[facility], probe_result);
    if (!once(line, &line->log->cpu.facilities[facility].line))
        return false;
    if ((probe_result == AVOIDED) !=
        (avoided_facility(line->log, facility_names[facility]) != NULL))
        return log_error(line->log, line->log->line,
                         "facility: got name=%.*s outcome=%.*s, which a line \"avoid "
                         "facility=%.*s\" before it must go with",
                         SPAN(v[0].text), SPAN(v[1].text), SPAN(v[0].text));
    read.probe_result = probe_result;
    read.evidence = v[2].text;
    read.line = line->log->line;
    line->log->cpu.facilities[facility] = read;
    return true;
}

bool in_image(const struct log *log, uint64_t at, uint64_t size)
{
    uint64_t offset = at - log->image_at; /* below the image: far above it */

    return offset <= log->image_size && size <= log->image_size - offset;
}

bool machine_logged(struct log *log, const char *before)
{
    const struct {
        size_t line;
        const char *word;
    } wanted[] = {
        { log->firmware_line, "firmware" },     { log->cpu.line, "cpu" },
        { log->cpu.features_line, "features" }, { log->cpu.model_line, "model" },
        { log->image_line, "image" },           { log->caller_line, "caller" },
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
        if (needs & NEEDS(i) && !log->cpu.facilities[i].line)
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
    if (log->processors_line && log->processor_count != log->processors_started)
        return log_error(
            log, log->line,
            "plan: %zu lines \"processor\" before it, want %llu, as many as were "
            "started",
            log->processor_count, (unsigned long long)log->processors_started);
    return in_image(log, log->call, log->back - log->call) ||
           log_error(log, log->caller_line,
                     "caller: call=0x%llx is not in the image of line %zu",
                     (unsigned long long)log->call, log->image_line);
}
