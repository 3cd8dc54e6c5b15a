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

static void emit_leaf(const struct cpuid_leaf *leaf)
{
    static const char *const names[] = { "eax", "ebx", "ecx", "edx" };
    put_begin("cpuid");
    put_hex("leaf", leaf->leaf);
    put_hex("subleaf", leaf->subleaf);
    for (size_t i = 0; i < 4; i++)
        put_hex(names[i], leaf->registers[i]);
    put_finish();
}

void emit_cpu(const struct cpu *cpu)
{
    put_begin("cpu");
    put_hex("microcode", cpu->microcode);
    put_quoted("brand", without_padding(cpu->brand));
    put_finish();

    put_begin("features");
    put_msr("perf_capabilities", cpu->has_perf_capabilities, cpu->perf_capabilities);
    put_msr("misc_enable", cpu->has_misc_enable, cpu->misc_enable);
    put_finish();

    for (size_t i = 0; i < cpu->leaf_count; i++)
        emit_leaf(&cpu->leaves[i]);

    put_begin("model");
    put_text("name", cpu->model ? cpu->model->name : "unknown");
    put_finish();
}

static void emit_identity(const struct identity *id, const char *secure_boot)
{
    put_begin("bios");
    put_quoted("vendor", id->bios_vendor);
    put_quoted("version", id->bios_version);
    put_quoted("date", id->bios_date);
    put_text("secure_boot", secure_boot);
    put_finish();

    put_begin("system");
    put_quoted("vendor", id->system_vendor);
    put_quoted("product", id->system_product);
    put_quoted("board_vendor", id->board_vendor);
    put_quoted("board_product", id->board_product);
    put_finish();
}

/* Processor Trace records the window's own instructions too, so they must be known. */
static void put_window_code(void)
{
    put_hex("at", (uint64_t)window_on);
    put_key("bytes");
    for (const uint8_t *at = window_on; at < window_end; at++)
        text_hex_padded(&put_line, *at, 2);
}

void emit_machine(const struct handoff *handoff)
{
    sink_apart();
    put_begin("everybranch");
    put_decimal("log", LOG_VERSION);
    put_text("build", EVERYBRANCH_BUILD);
    put_finish();

    put_begin("firmware");
    put_quoted("vendor", handoff->firmware_vendor);
    put_hex("revision", handoff->firmware_revision);
    put_finish();

    emit_identity(&handoff->identity, handoff->secure_boot);
}

void emit_opening(const struct handoff *handoff, const struct cpu *cpu)
{
    emit_cpu(cpu);

    put_map.image_at = handoff->image_base;
    put_map.image_size = handoff->image_size;
    put_begin("image");
    put_hex("base", put_map.image_at);
    put_hex("size", put_map.image_size);
    put_finish();

    put_map.call = (uint64_t)window_call;
    put_map.back = (uint64_t)window_back;
    put_begin("caller");
    put_hex("call", put_map.call);
    put_hex("return", put_map.back);
    if (cpu->id.pt)
        put_window_code();
    put_finish();

    put_begin("apic");
    put_text("mode", apic_modes[apic_mode()]);
    put_finish();
}

static void put_left(const struct left *left)
{
    put_msr("debugctl", left->has_debugctl, left->debugctl);
    if (left->has_lbr_ctl)
        put_hex("lbr_ctl", left->lbr_ctl);
    put_msr("smi_count", left->counts_smis, left->smi_count);
    if (left->counters)
        put_hex("counters", left->counters);
}

void emit_left(const struct left *left)
{
    put_begin("left");
    put_left(left);
    put_finish();
}

void emit_serial(const struct serial_state *serial)
{
    const struct serial_port *port = &serial->port;
    put_begin("serial");
    put_text("from", port->from ? port->from : "none");
    put_decimal("tried", serial->tried);
    if (port->from) {
        put_text("space", port->mmio ? "mmio" : "io");
        put_hex("at", port->address);
        put_decimal("stride", port->stride);
        put_decimal("width", port->width);
        put_decimal("clock", port->clock);
        put_decimal("baud", port->baud);
        put_decimal("divisor", serial->divisor);
        put_decimal("before", serial->before);
    }
    put_finish();
}

void emit_facility(const struct probed *facility)
{
    put_begin("facility");
    put_text("name", facility->name);
    put_text("outcome", probe_result_name(facility->probe_result));
    put_quoted("evidence", facility->evidence);
    if (facility->skid.interrupts) {
        put_decimal("interrupts", facility->skid.interrupts);
        put_decimal("typical", facility->skid.typical);
        put_decimal("most", facility->skid.most);
    }
    put_finish();
}

void emit_processors(const struct processors_logged *logged)
{
    put_begin("processors");
    put_text("way", logged->way);
    put_decimal("found", logged->found);
    put_decimal("wanted", logged->wanted);
    put_decimal("started", logged->started);
    put_text("together", "same");
    put_finish();
}

void emit_processor(size_t number, uint32_t apic, size_t like, const struct left *left)
{
    put_begin("processor");
    put_decimal("n", number);
    put_hex("apic", apic);
    put_decimal("like", like);
    put_left(left);
    put_finish();
}
