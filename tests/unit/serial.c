#include "kernel/hardware/x86.h"

#include "test.h"

/*
 * Instead of the machine's ports and memory: one UART with the registers that matter,
 * and a note of how it was accessed.
 */
static struct {
    bool there, mmio;
    uint64_t at;
    unsigned stride, width; /* bytes; an access of another width is a fault */
    uint8_t ier, lcr, mcr, scratch, divisor[2], fcr;
    bool has_fifo, stuck;
    unsigned faults, reads;
    char sent[64];
    unsigned sent_count, since_empty, overruns, fifo_capacity;
    bool bus_holds, dead_status,
        no_scratch;        /* nothing there but what was last on the bus; FFh */
    uint8_t bus, constant; /* nothing there but this, on every read           */
    unsigned sent_divisor; /* when the last byte was written */
    unsigned busy;         /* reads of the status for which bytes are still on their way */
    unsigned garbled;      /* changes of speed, format or FIFO before that was over      */
} uart;

static bool here(bool mmio, uint64_t at, unsigned width, unsigned *index)
{
    *index = (unsigned)((at - uart.at) / uart.stride);
    bool mine = uart.there && mmio == uart.mmio && at >= uart.at && *index < 8;
    if (mine && (width != uart.width || (at - uart.at) % uart.stride))
        uart.faults++;
    return mine;
}

static uint32_t fake_read(bool mmio, uint64_t at, unsigned width)
{
    unsigned index;
    uart.reads++;
    if (!here(mmio, at, width, &index))
        return uart.bus_holds ? uart.bus : uart.constant ? uart.constant : 0xffffffff;
    bool latch = uart.lcr & 0x80;
    switch (index) {
    case 0:
        return latch ? uart.divisor[0] : 0;
    case 1:
        return latch ? uart.divisor[1] : uart.ier;
    case 2:
        return uart.has_fifo && uart.fcr & 1 ? 0xc1 : 0x01;
    case 3:
        return uart.lcr;
    case 4:
        return uart.mcr;
    case 5:
        if (uart.stuck || uart.dead_status)
            return uart.stuck ? 0x00 : 0xff;
        uart.since_empty = 0;
        if (uart.busy) {
            uart.busy--;
            return 0x20;
        }
        return 0x60;
    case 7:
        return 0xffffff00 * (width == 4) | uart.scratch; /* rubbish above the byte */
    default:
        return 0;
    }
}

static void fake_write(bool mmio, uint64_t at, unsigned width, uint8_t value)
{
    unsigned index;
    uart.bus = value;
    if (!here(mmio, at, width, &index))
        return;
    bool latch = uart.lcr & 0x80;
    uart.garbled += uart.busy && (index == 2 || index == 3 || (latch && index < 2));
    switch (index) {
    case 0:
        if (latch) {
            uart.divisor[0] = value;
            return;
        }
        if (++uart.since_empty > (uart.has_fifo ? 16u : 1u))
            uart.overruns++;
        if (uart.sent_count + 1 < sizeof uart.sent)
            uart.sent[uart.sent_count++] = (char)value;
        uart.sent_divisor = uart.divisor[0] | uart.divisor[1] << 8;
        return;
    case 1:
        *(latch ? &uart.divisor[1] : &uart.ier) = value;
        return;
    case 2:
        uart.fcr = value;
        return;
    case 3:
        uart.lcr = value;
        return;
    case 4:
        uart.mcr = value;
        return;
    case 7:
        uart.scratch = uart.no_scratch ? uart.scratch : value;
        return;
    }
}

#define inb(port)           ((uint8_t)fake_read(false, port, 1))
#define outb(port, value)   fake_write(false, port, 1, value)
#define mmio_read8(at)      ((uint8_t)fake_read(true, at, 1))
#define mmio_read16(at)     ((uint16_t)fake_read(true, at, 2))
#define mmio_read32(at)     fake_read(true, at, 4)
#define mmio_write8(at, v)  fake_write(true, at, 1, v)
#define mmio_write16(at, v) fake_write(true, at, 2, (uint8_t)(v))
#define mmio_write32(at, v) fake_write(true, at, 4, (uint8_t)(v))

#include "kernel/hardware/serial.c"

#define COM1                                                                        \
    {                                                                               \
        .from = "com", .address = 0x3f8, .stride = 1, .width = 1, .clock = 1843200, \
        .baud = 115200                                                              \
    }

/* As a firmware leaves it: 38400 baud, 7 bits, its interrupt on. */
static void a_uart_at(bool mmio, uint64_t at, unsigned stride, unsigned width)
{
    memset(&uart, 0, sizeof uart);
    uart.there = uart.has_fifo = true;
    uart.mmio = mmio;
    uart.at = at;
    uart.stride = stride;
    uart.width = width;
    uart.divisor[0] = 3;
    uart.lcr = 0x02;
    uart.ier = 0x01;
    uart.mcr = 0x0b;
    uart.scratch = 0x77;
}

static void start(struct serial_port only)
{
    serial_find(&(struct serial_ports){ .at = { only }, .count = 1 });
    serial_init();
}

TEST(com1_runs_at_115200_and_is_put_back)
{
    a_uart_at(false, 0x3f8, 1, 1);
    start((struct serial_port)COM1);
    CHECK(state.tried == 1 && state.divisor == 1 && state.before == 3);
    CHECK(uart.lcr == 0x03 && uart.ier == 0 && uart.mcr == 0x03 && uart.fcr == 0x01);
    serial_write("hello", 5);
    CHECK_TEXT(uart.sent, "hello");
    CHECK(uart.sent_divisor == 1);
    serial_restore();
    CHECK(uart.divisor[0] == 3 && uart.divisor[1] == 0);
    CHECK(uart.lcr == 0x02 && uart.ier == 0x01 && uart.mcr == 0x0b);
    CHECK(uart.scratch == 0x77);
}

TEST(registers_in_memory_are_accessed_as_they_want)
{
    static const struct {
        uint8_t stride, width;
    } cases[] = { { 1, 1 }, { 2, 2 }, { 4, 4 }, { 4, 1 }, { 2, 1 }, { 4, 2 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        a_uart_at(true, 0xfedc9000, cases[i].stride, cases[i].width);
        struct serial_port p = { .from = "spcr",
                                 .mmio = true,
                                 .address = 0xfedc9000,
                                 .stride = cases[i].stride,
                                 .width = cases[i].width,
                                 .clock = 48000000,
                                 .baud = 115200 };
        start(p);
        serial_write("x", 1);
        CHECK(state.divisor == 26); /* 115385 baud */
        CHECK_TEXT(uart.sent, "x");
        CHECK(uart.faults == 0);
        uint64_t end = 0;
        CHECK(serial_registers(&end) == 0xfedc9000);
        CHECK(end == 0xfedc9000 + 8u * cases[i].stride);
    }
}

TEST(the_divisor_is_that_of_clock_and_baud)
{
    CHECK(divisor_for(1843200, 9600) == 12);
    CHECK(divisor_for(1843200, 300) == 384);
    CHECK(divisor_for(14745600, 921600) == 1);
    CHECK(divisor_for(62500000, 115200) == 34);
    CHECK(divisor_for(48000000, 921600) == 0); /* 3.25 is 8 per cent off either way */
    CHECK(divisor_for(48000000, 1000000) == 3);
    CHECK(divisor_for(1843200, 921600) == 0);
    CHECK(divisor_for(1843200, 0) == 0);
    CHECK(divisor_for(0, 115200) == 0);
    CHECK(divisor_for(1000000000, 300) == 0); /* needs more than 16 bits */
}

TEST(a_speed_that_cannot_be_made_leaves_the_firmwares)
{
    a_uart_at(false, 0x3f8, 1, 1);
    struct serial_port p = COM1;
    p.baud = 921600;
    start(p);
    CHECK(state.divisor == 3 && state.before == 3);
    serial_write("x", 1);
    CHECK(uart.sent_divisor == 3);
}

TEST(the_first_that_answers_is_taken)
{
    struct serial_ports list = { .at = { COM1, COM1, COM1 }, .count = 3 };
    list.at[1].address = 0x2f8;
    list.at[1].from = "spcr";
    list.at[2].address = 0x3e8;
    a_uart_at(false, 0x2f8, 1, 1);
    serial_find(&list);
    CHECK(state.tried == 2 && state.port.address == 0x2f8);
    CHECK_TEXT(state.port.from, "spcr");
    uint64_t end;
    CHECK(serial_registers(&end) == 0);
}

TEST(where_none_answers_nothing_is_written)
{
    struct serial_ports list = { .at = { COM1 }, .count = 1 };
    memset(&uart, 0, sizeof uart);
    uart.stride = 1;
    serial_find(&list);
    serial_init();
    CHECK(state.tried == 1 && state.port.from == NULL);
    unsigned reads = uart.reads;
    serial_write("x", 1);
    serial_restore();
    CHECK(uart.reads == reads);
    list.count = 0;
    serial_find(&list);
    CHECK(state.tried == 0 && state.port.from == NULL);
}

TEST(what_only_looks_like_a_port_is_none)
{
    static const uint8_t constants[] = { 0x5a, 0xa5, 0x00, 0x60 };
    struct serial_ports list = { .at = { COM1 }, .count = 1 };
    memset(&uart, 0, sizeof uart);
    uart.stride = 1;
    uart.bus_holds = true;
    serial_find(&list);
    CHECK(state.port.from == NULL);
    uart.bus_holds = false;
    for (size_t i = 0; i < sizeof constants; i++) {
        uart.constant = constants[i];
        serial_find(&list);
        CHECK(state.port.from == NULL);
    }
    a_uart_at(false, 0x3f8, 1, 1);
    uart.dead_status = true;
    serial_find(&list);
    CHECK(state.port.from == NULL);
    uart.dead_status = false;
    uart.no_scratch = true;
    uart.scratch = 0x5a; /* by chance what is tried first */
    serial_find(&list);
    CHECK(state.port.from == NULL);
}

TEST(looking_for_a_port_leaves_it_as_it_was)
{
    a_uart_at(false, 0x3f8, 1, 1);
    serial_find(&(struct serial_ports){ .at = { COM1 }, .count = 1 });
    CHECK(state.tried == 1 && uart.scratch == 0x77 && uart.divisor[0] == 3);
    CHECK(uart.lcr == 0x02 && uart.ier == 0x01 && uart.mcr == 0x0b && uart.fcr == 0);
}

TEST(a_port_is_set_up_and_put_back_as_often_as_wanted)
{
    a_uart_at(false, 0x3f8, 1, 1);
    start((struct serial_port)COM1);
    serial_restore();
    uart.divisor[0] = 0x80; /* the firmware thinks again */
    uart.divisor[1] = 0x01;
    serial_init();
    CHECK(uart.divisor[0] == 1 && uart.divisor[1] == 0);
    CHECK(serial_state()->before == 0x180 && serial_state()->divisor == 1);
    serial_restore();
    CHECK(uart.divisor[0] == 0x80 && uart.divisor[1] == 0x01);
}

TEST(a_port_that_takes_nothing_is_given_up)
{
    a_uart_at(false, 0x3f8, 1, 1);
    start((struct serial_port)COM1);
    uart.stuck = true;
    serial_write("hello", 5);
    CHECK(uart.sent_count == 0);
    unsigned reads = uart.reads;
    serial_write("hello", 5);
    CHECK(uart.reads == reads); /* once is enough */
}

TEST(what_is_on_its_way_arrives_at_the_speed_it_was_sent_at)
{
    a_uart_at(false, 0x3f8, 1, 1);
    uart.busy = 1000;
    start((struct serial_port)COM1);
    CHECK(uart.busy == 0 && uart.garbled == 0);
    CHECK(uart.divisor[0] == 1);
    uart.busy = 1000;
    serial_restore();
    CHECK(uart.busy == 0 && uart.garbled == 0);
    CHECK(uart.divisor[0] == 3);
}

TEST(a_port_that_was_given_up_costs_no_more_waiting)
{
    a_uart_at(false, 0x3f8, 1, 1);
    start((struct serial_port)COM1);
    uart.stuck = true;
    serial_write("hello", 5);
    unsigned reads = uart.reads;
    serial_restore();
    CHECK(uart.reads == reads);
    serial_init();
    CHECK(uart.reads - reads < 16); /* its settings */
}

TEST(what_is_written_before_it_is_set_up_is_sent_too)
{
    a_uart_at(false, 0x3f8, 1, 1);
    uart.has_fifo = false;
    fifo = 0; /* as at boot */
    serial_find(&(struct serial_ports){ .at = { COM1 }, .count = 1 });
    serial_write("panic", 5);
    CHECK_TEXT(uart.sent, "panic");
    CHECK(uart.overruns == 0 && uart.sent_divisor == 3);
}

TEST(without_a_fifo_one_byte_goes_at_a_time)
{
    a_uart_at(false, 0x3f8, 1, 1);
    uart.has_fifo = false;
    start((struct serial_port)COM1);
    serial_write("a long line of more than sixteen", 32);
    CHECK_TEXT(uart.sent, "a long line of more than sixteen");
    CHECK(uart.overruns == 0);
    a_uart_at(false, 0x3f8, 1, 1);
    start((struct serial_port)COM1);
    serial_write("a long line of more than sixteen", 32);
    CHECK_TEXT(uart.sent, "a long line of more than sixteen");
    CHECK(uart.overruns == 0);
}
