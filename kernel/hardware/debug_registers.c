/* debug_registers.h */
#include "debug_registers.h"

#include "registers.h"
#include "x86.h"

REGISTER(uint64_t, dr6)
REGISTER(uint64_t, dr7)

static struct debug_status status;

struct debug_registers debug_registers_read(void)
{
    return (struct debug_registers){ read_dr6(), read_dr7() };
}

void debug_registers_write(const struct debug_registers *registers)
{
    write_dr6(registers->status);
    write_dr7(registers->control); /* from here on its breakpoints act */
}

void debug_registers_clear(void)
{
    write_dr7(DR7_OFF);
    write_dr6(DR6_CLEAR);
}

void debug_registers_begin(void)
{
    status = (struct debug_status){ .count = 0 };
    write_dr6(DR6_CLEAR);
}

static void note(uint64_t dr6)
{
    size_t i = 0;
    while (i < DR6_VALUES && i < status.count && status.at[i].dr6 != dr6)
        i++;
    if (i == DR6_VALUES) {
        status.others++;
        return;
    }
    status.at[i].dr6 = dr6;
    status.at[i].times++;
    if (i == status.count)
        status.count++;
}

uint64_t debug_registers_take(void)
{
    uint64_t dr6 = read_dr6();
    write_dr6(DR6_CLEAR);
    note(dr6);
    return dr6;
}

void debug_registers_take_all(void)
{
    status = (struct debug_status){ { { read_dr6(), 0 } }, 1, 0 };
}

struct debug_status debug_registers_noted(void)
{
    return status;
}
