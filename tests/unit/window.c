/* What the window adds to DEBUGCTL; the window itself is assembly. */
#include "kernel/hardware/window.c"

#include "test.h"

uint64_t window_stack, window_result;
const uint8_t window_open[1], window_uncounted[1], window_end[1], window_call[1],
    window_back[1];

void window_enter(const struct enable *enable, const uint8_t *code,
                  const struct workload_env *workload_env)
{
    (void)enable, (void)code, (void)workload_env;
}

void idt_hook(unsigned vector, handler *handle)
{
    (void)vector, (void)handle;
}

void idt_hook_rest(handler *handle)
{
    (void)handle;
}

void apic_end_of_interrupt(void)
{
}

void apic_watchdog_start(uint32_t seconds)
{
    (void)seconds;
}

void apic_watchdog_stop(void)
{
}

uint64_t machine_address(const struct frame *frame)
{
    return frame->rip;
}

const struct workload_env *machine_workload_env(void)
{
    return NULL;
}

void panic_frame(const char *why, const struct frame *frame)
{
    (void)why, (void)frame;
    __builtin_trap();
}

#define FREEZE 0x4000

TEST(debugctl_has_freeze_while_smm_where_it_is_asked_for)
{
    const struct enable bts = { .msr = 0x1d9, .on = 0xc0 };
    window_freezes_in_smm(true);
    CHECK(window_both(&bts).on == (0xc0 | FREEZE) && window_both(&bts).off == 0);
    CHECK(window_both(&bts).counter_on == (0xc0 | FREEZE));
    CHECK(window_debugctl(2) == (2 | FREEZE));
    window_freezes_in_smm(false);
    CHECK(window_both(&bts).on == 0xc0 && window_debugctl(2) == 2);
}

TEST(no_other_register_gets_that_bit)
{
    const struct enable counter = { .msr = 0x186, .on = 0x4300c4, .off = 0x300c4 };
    const struct enable beside = {
        .msr = 0x14ce, .on = 1, .counter = 0x1d9, .counter_on = 0xc0
    };
    window_freezes_in_smm(true);
    CHECK(window_both(&counter).on == 0x4300c4 &&
          window_both(&counter).counter_on == 0x4300c4);
    CHECK(window_both(&beside).on == 1 &&
          window_both(&beside).counter_on == (0xc0 | FREEZE));
    window_freezes_in_smm(false);
}
