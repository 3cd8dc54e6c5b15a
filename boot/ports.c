/*
 * What a person says comes first and alone; then what the firmware says of its own
 * console (SPCR) and of its debugger's port (DBG2), then the places where a PC has its
 * serial ports, then cards.  Nothing is touched here: the kernel tries each in turn.
 */
#include "ports.h"

static const uint16_t legacy[] = { 0x3f8, 0x2f8, 0x3e8, 0x2e8 }; /* COM1 to COM4 */

#define REGISTERS 8

static void add(struct serial_ports *list, const struct ports_machine *machine,
                const struct serial_port *port)
{
    if (list->count == SERIAL_PORTS)
        return;
    if (port->mmio && machine->in_ram(port->address, REGISTERS * port->stride))
        return; /* the test for a UART writes, and that would be into somebody's memory */
    list->at[list->count++] = *port;
}

static void add_from_acpi(struct serial_ports *list, const struct ports_machine *machine)
{
    struct serial_port found[SERIAL_PORTS];
    const uint8_t *table = acpi_find(machine->rsdp, "SPCR", machine->reach);
    if (table && acpi_spcr(table, &found[0]))
        add(list, machine, &found[0]);
    table = acpi_find(machine->rsdp, "DBG2", machine->reach);
    size_t count = table ? acpi_dbg2(table, found, SERIAL_PORTS) : 0;
    for (size_t i = 0; i < count; i++)
        add(list, machine, &found[i]);
}

static void add_legacy(struct serial_ports *list, const struct ports_machine *machine)
{
    for (size_t i = 0; i < sizeof legacy / sizeof legacy[0]; i++)
        add(list, machine,
            &(struct serial_port){ .from = "com",
                                   .address = legacy[i],
                                   .stride = 1,
                                   .width = 1,
                                   .clock = SERIAL_CLOCK,
                                   .baud = SERIAL_BAUD });
}

static void add_from_pci(struct serial_ports *list, const struct ports_machine *machine)
{
    struct serial_port found[SERIAL_PORTS];
    size_t count = pci_serial_ports(machine->read, found, SERIAL_PORTS);
    for (size_t i = 0; i < count; i++)
        add(list, machine, &found[i]);
}

/* A UART in memory can have any clock, so its speed is left as the firmware set it. */
static struct serial_port port_of(const struct port_choice *choice)
{
    return (struct serial_port){ .from = "option",
                                 .mmio = choice->mmio,
                                 .address = choice->address,
                                 .stride = choice->bytes,
                                 .width = choice->bytes,
                                 .clock = choice->mmio ? 0 : SERIAL_CLOCK,
                                 .baud = choice->mmio ? 0 : SERIAL_BAUD };
}

void ports_find(const struct options *options, const struct ports_machine *machine,
                struct serial_ports *list)
{
    list->count = 0;
    if (options->serial.choice == SERIAL_NONE)
        return;
    if (options->serial.choice == SERIAL_GIVEN) {
        const struct serial_port port = port_of(&options->serial);
        add(list, machine, &port);
    } else {
        add_from_acpi(list, machine);
        add_legacy(list, machine);
        add_from_pci(list, machine);
    }
    for (size_t i = 0; i < list->count; i++) {
        struct serial_port *port = &list->at[i];
        if (options->baud)
            port->baud = options->baud;
        if (options->clock)
            port->clock = options->clock;
        if (options->baud && !port->clock) /* else the firmware's speed stays */
            port->clock = SERIAL_CLOCK;
    }
}
