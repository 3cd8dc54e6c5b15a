/*
 * A UART with the registers of a 16550, on I/O ports or in memory, polled.  One that is
 * absent or stuck never hangs it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "handoff.h"

/* The port that was taken, and its settings. */
struct serial_state {
    struct serial_port port; /* from NULL: none answered       */
    size_t tried;            /* candidates, this one included  */
    uint16_t divisor;        /* in force since serial_init()   */
    uint16_t before;         /* the firmware's                 */
};

/* Takes the first of them that answers, for good, and leaves it as it was. */
void serial_find(const struct serial_ports *);

/*
 * Sets it up: 8 bits, no parity, at its baud where its clock can make that, else at the
 * speed that the firmware set.  Where there is none, all that is written is dropped.
 */
void serial_init(void);

const struct serial_state *serial_state(void);

/* Puts the firmware's settings back. */
void serial_restore(void);

void serial_write(const char *bytes, size_t count);

/* Where the registers lie in memory; 0: nowhere, they are on I/O ports, or none is there.
 */
uint64_t serial_registers(uint64_t *end);
