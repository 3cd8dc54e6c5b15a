#include "kernel/probe/pt_packets.c"

#include "test.h"

#define PSB_BYTES                                                                       \
    0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, \
        0x02, 0x82

#define OF(...)                                        \
    pt_packets_count((const uint8_t[]){ __VA_ARGS__ }, \
                     sizeof((const uint8_t[]){ __VA_ARGS__ }))

TEST(bits_end_below_the_highest_one)
{
    CHECK(OF(0x04).bits == 1);       /* 0               */
    CHECK(OF(0xf4).bits == 6);       /* 1 1 1 0 1 0     */
    CHECK(OF(0x06, 0x0e).bits == 3); /* 1, then 1 1     */
    /* The long form: the stop bit is bit 46 of 48, or bit 8. */
    CHECK(OF(0x02, 0xa3, 0, 0, 0, 0, 0, 0x40).bits == 46);
    CHECK(OF(0x02, 0xa3, 0xff, 1, 0, 0, 0, 0).bits == 8);
}

TEST(addresses_of_each_length_are_passed_over)
{
    struct pt_packet_counts got =
        OF(0x0d, 0x2d, 0x34, 0x12, 0x4d, 1, 2, 3, 4, 0x6d, 1, 2, 3, 4, 5, 6, 0x8d, 1, 2, 3,
           4, 5, 6, 0xcd, 1, 2, 3, 4, 5, 6, 7, 8, 0x04);
    CHECK(got.targets == 6 && got.bits == 1 && !got.wrong);
    CHECK(got.first_target == 0); /* the first one has none */
    CHECK(OF(0x2d, 0x34, 0x12).first_target == 0x1234);
    CHECK(OF(0xad, 1, 2).wrong); /* a length that is reserved */
}

TEST(each_kind_is_counted_as_what_it_is)
{
    struct pt_packet_counts got =
        OF(0, PSB_BYTES, 0x02, 0x03, 0x18, 0, 0x02, 0x43, 1, 2, 3, 4, 5, 6, 0x02, 0x23,
           0x99, 1, 0x31, 0x78, 0x56, 0x3d, 1, 2, 0x01, 0x19, 1, 2, 3, 4, 5, 6, 7, 0x02,
           0xf3, 0x02, 0xc3, 0x88, 0x0d, 0x11, 0x59, 0x04, 0x02, 0x82, 0x0d, 0x0d);
    CHECK(!got.wrong && got.boundaries == 1 && got.begins == 1 && got.ends == 1);
    CHECK(got.first_begin == 0x5678);
    CHECK(!got.bits && !got.targets && !got.clocks && !got.cycles && got.overflows == 1);
}

TEST(a_clock_must_change)
{
    CHECK(OF(0x59, 1, 0x59, 2, 0x59, 9).clocks == 3);
    CHECK(!OF(0x59, 1, 0x59, 2, 0x59, 1).clock_repeats);
    CHECK(OF(0x59, 1, 0x59, 1).clock_repeats);
}

TEST(cycles_have_more_bytes_while_a_bit_says_so)
{
    CHECK(OF(0x0b, 0x04).cycles == 1 && OF(0x0b, 0x04).bits == 1);
    CHECK(OF(0x0f, 0x03, 0x02, 0x04).cycles == 1 && OF(0x0f, 0x03, 0x02, 0x04).bits == 1);
    CHECK(OF(0x0f, 0x03).wrong);
}

TEST(what_is_cut_off_or_unknown_is_wrong)
{
    CHECK(OF(0x02).wrong && OF(0x02, 0x99).wrong && OF(0x4d, 1, 2).wrong);
    CHECK(OF(0x04, 0x02, 0x82).wrong && OF(0x04, 0x02, 0x82).bits == 1);
    CHECK(!pt_packets_count(NULL, 0).wrong);
}
