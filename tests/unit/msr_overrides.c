#include "kernel/monitor/msr_overrides.c"

#include "test.h"

/* A processor of 400h MSRs, of which 100h does not exist and 101h cannot be read. */
static uint64_t msr[0x400];
static int armed;
static bool armed_first;

bool msr_read(uint32_t number, uint64_t *value)
{
    if (number == 0x100 || number == 0x101)
        return false;
    *value = msr[number];
    return true;
}

bool msr_write(uint32_t number, uint64_t value)
{
    if (number == 0x100)
        return false;
    armed_first = armed;
    msr[number] = value;
    return true;
}

static struct enable arm(const struct cpu *cpu, const struct buffers *buffers)
{
    (void)cpu;
    (void)buffers;
    armed++;
    return (struct enable){ 0 };
}

static void disarm(const struct cpu *cpu)
{
    (void)cpu;
    armed--;
}

const struct method method_bts = { .arm = arm, .disarm = disarm };

static const struct model with_bts = { .bts = true };
static struct cpu cpu = { .id = { .ds = true }, .model = &with_bts };
static const struct buffers buffers;

static void anew(void)
{
    memset(msr, 0, sizeof msr);
    memset(kept, 0, sizeof kept);
    count = 0;
    msr[0x1d9] = 7;
}

static void begin(void)
{
    msr_overrides_begin(&cpu, &buffers);
}

static void end(void)
{
    msr_overrides_end(&cpu);
}

TEST(what_was_written_is_gone_after_the_command_and_back_in_the_next)
{
    anew();
    begin();
    CHECK(msr_overrides_write(0x1d9, 1) && msr_overrides_write(0x38f, 0xff));
    CHECK(msr[0x1d9] == 1 && msr[0x38f] == 0xff);
    end();
    CHECK(msr[0x1d9] == 7 && msr[0x38f] == 0);
    begin();
    CHECK(msr[0x1d9] == 1 && msr[0x38f] == 0xff);
    end();
    CHECK(msr[0x1d9] == 7 && msr[0x38f] == 0);
}

TEST(the_newest_value_holds)
{
    anew();
    begin();
    CHECK(msr_overrides_write(0x1d9, 1) && msr_overrides_write(0x1d9, 3));
    end();
    CHECK(msr[0x1d9] == 7);
    begin();
    CHECK(msr[0x1d9] == 3 && msr_overrides_write(0x1d9, 0));
    end();
    CHECK(msr[0x1d9] == 7);
    begin();
    CHECK(msr[0x1d9] == 0);
    end();
}

TEST(what_the_firmware_has_changed_meanwhile_comes_back)
{
    anew();
    begin();
    msr_overrides_write(0x1d9, 1);
    end();
    msr[0x1d9] = 9;
    begin();
    end();
    CHECK(msr[0x1d9] == 9);
}

TEST(a_write_that_faults_is_not_kept)
{
    anew();
    begin();
    CHECK(!msr_overrides_write(0x100, 1));
    end();
    CHECK(count == 0);
}

TEST(a_register_that_cannot_be_read_is_cleared)
{
    anew();
    begin();
    CHECK(msr_overrides_write(0x101, 5));
    end();
    CHECK(msr[0x101] == 0);
}

TEST(the_processor_stores_into_memory_of_ours_alone)
{
    anew();
    begin();
    CHECK(armed == 1);
    msr_overrides_write(0x1d9, 0xc0);
    end();
    CHECK(armed == 0 && msr[0x1d9] == 7);
    begin();
    CHECK(armed == 1 && armed_first);
    end();
    CHECK(armed == 0 &&
          armed_first); /* DEBUGCTL was cleared before the area was taken away */
    cpu.id.ds = false;
    begin();
    CHECK(armed == 0);
    end();
    cpu.id.ds = true;
}

TEST(only_so_many_are_kept)
{
    anew();
    begin();
    for (uint32_t i = 0; i < 64; i++) {
        CHECK(msr_overrides_fit(0x200 + i));
        CHECK(msr_overrides_write(0x200 + i, i));
    }
    CHECK(!msr_overrides_fit(0x1d9) && msr_overrides_fit(0x23f));
    end();
}
