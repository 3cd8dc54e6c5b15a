/* Logs the machine: the first lines of a log, and those of other processors. */
#include "emit.h"

#include "apic.h"
#include "put.h"
#include "sink.h"
#include "version.h"
#include "window.h"

/* Some processors put their name at the right end of its room. */
static const char *without_padding(const char *name)
{
    while (*name == ' ')
        name++;
    return name;
}

void emit_cpu(const struct cpu *cpu)
{
    put(WORD_CPU, &(struct cpu_line){ .microcode = cpu->microcode,
                                      .brand = span_of(without_padding(cpu->brand)) });
    put(WORD_FEATURES,
        &(struct features_line){
            .perf_capabilities =
                log_number_or_absent(cpu->has_perf_capabilities, cpu->perf_capabilities),
            .misc_enable = log_number_or_absent(cpu->has_misc_enable, cpu->misc_enable) });
    for (size_t i = 0; i < cpu->leaf_count; i++)
        put(WORD_CPUID, &cpu->leaves[i]);
    put(WORD_MODEL,
        &(struct model_line){ .name = span_of(cpu->model ? cpu->model->name : "unknown") });
}

static void emit_identity(const struct identity *id, const char *secure_boot)
{
    put(WORD_BIOS, &(struct bios_line){ .vendor = span_of(id->bios_vendor),
                                        .version = span_of(id->bios_version),
                                        .date = span_of(id->bios_date),
                                        .secure_boot = span_of(secure_boot) });
    put(WORD_SYSTEM, &(struct system_line){ .vendor = span_of(id->system_vendor),
                                            .product = span_of(id->system_product),
                                            .board_vendor = span_of(id->board_vendor),
                                            .board_product = span_of(id->board_product) });
}

void emit_machine(const struct handoff *handoff)
{
    sink_apart();
    put(WORD_EVERYBRANCH,
        &(struct everybranch_line){ LOG_VERSION, span_of(EVERYBRANCH_BUILD) });
    put(WORD_FIRMWARE, &(struct firmware_line){ .vendor = span_of(handoff->firmware_vendor),
                                                .revision = handoff->firmware_revision });
    emit_identity(&handoff->identity, handoff->secure_boot);
}

void emit_opening(const struct handoff *handoff, const struct cpu *cpu)
{
    struct caller_line caller = { .call = (uint64_t)window_call,
                                  .back = (uint64_t)window_back };
    emit_cpu(cpu);

    put_map.image_at = handoff->image_base;
    put_map.image_size = handoff->image_size;
    put_map.call = caller.call;
    put_map.back = caller.back;
    put(WORD_IMAGE,
        &(struct image_line){ .base = handoff->image_base, .size = handoff->image_size });
    /* Processor Trace records the window's own instructions too, so they must be known. */
    if (cpu->id.pt) {
        caller.at = log_number((uint64_t)window_on);
        caller.bytes = (struct log_bytes){ .at = window_on,
                                           .count = (size_t)(window_end - window_on) };
    }
    put(WORD_CALLER, &caller);
    put(WORD_APIC, &(struct apic_line){ .mode = apic_mode() });
}

void emit_serial(const struct serial_state *serial)
{
    const struct serial_port *port = &serial->port;
    put(WORD_SERIAL,
        &(struct serial_line){
            .from = span_of(port->from ? port->from : "none"),
            .tried = serial->tried,
            .space = port->from ? span_of(port->mmio ? "mmio" : "io") : (struct span){ 0 },
            .at = port->address,
            .stride = port->stride,
            .width = port->width,
            .clock = port->clock,
            .baud = port->baud,
            .divisor = serial->divisor,
            .before = serial->before,
        });
}

/* The words give way to the codes, which name all deviations. */
static struct span evidence_of(const struct probed *facility)
{
    char buffer[LOG_LINE_MAX];
    struct text codes = text_into(buffer, sizeof buffer);
    struct span evidence = span_of(facility->evidence);
    log_put_named(&codes, WORD_FACILITY, "code", &facility->said);
    if (codes.length + evidence.length > EVIDENCE_SIZE)
        evidence.length = EVIDENCE_SIZE - codes.length;
    return evidence;
}

void emit_facility(const struct probed *facility)
{
    struct facility_line line = facility->said;
    line.evidence = evidence_of(facility);
    put(WORD_FACILITY, &line);
}
