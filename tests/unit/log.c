// LINK: common/log/crc32.c common/base/text.c
#include "common/log/log.c"

#include "test.h"

/* Made with zlib's crc32() by hand, not by this code. */
static const char *const sealed[] = {
    "everybranch log=1 build=x ~1 08c6fbec",
    "note text=\"a ~2 b\" ~2 0defa9c9",
    "end ~3 9fc1d0d9",
};

TEST(crc_is_that_of_zlib)
{
    CHECK(log_crc32(0, "123456789", 9) == 0xcbf43926);
    CHECK(log_crc32(log_crc32(0, "1234", 4), "56789", 5) == 0xcbf43926);
    CHECK(log_crc32(0, "", 0) == 0);
}

TEST(sealing_numbers_the_lines_and_chains_them)
{
    static const char *const bodies[] = { "everybranch log=1 build=x",
                                          "note text=\"a ~2 b\"", "end" };
    struct log_chain chain = { 0, 0 };

    for (int i = 0; i < 3; i++) {
        char buffer[LOG_LINE_MAX + 1];
        struct text line = text_into(buffer, sizeof(buffer));

        text_string(&line, bodies[i]);
        log_seal(&chain, &line);
        CHECK_TEXT(buffer, sealed[i]);
    }
}

static enum log_fault open_line(struct log_chain *chain, const char *line, size_t *body,
                                uint32_t *sequence)
{
    *body = 999;
    *sequence = 999;
    return log_unseal(chain, line, strlen(line), body, sequence);
}

static enum log_fault fault(struct log_chain *chain, const char *line)
{
    size_t body;
    uint32_t sequence;

    return open_line(chain, line, &body, &sequence);
}

TEST(whole_lines_are_good)
{
    struct log_chain chain = { 0, 0 };
    uint32_t sequence;
    size_t body;

    CHECK(open_line(&chain, sealed[0], &body, &sequence) == LOG_GOOD && body == 25);
    CHECK(open_line(&chain, sealed[1], &body, &sequence) == LOG_GOOD && body == 18);
    CHECK(open_line(&chain, sealed[2], &body, &sequence) == LOG_GOOD && body == 3);
    CHECK(sequence == 3 && chain.sequence == 3 && chain.crc == 0x9fc1d0d9);
}

TEST(every_damaged_character_is_noticed)
{
    for (size_t i = 0; sealed[1][i]; i++) {
        struct log_chain chain = { 1, 0x08c6fbec };
        char line[64];

        strcpy(line, sealed[1]);
        line[i] ^= 1;
        CHECK(fault(&chain, line) != LOG_GOOD);
    }
}

TEST(a_damaged_line_is_named_once)
{
    struct log_chain chain = { 0, 0 };

    CHECK(fault(&chain, sealed[0]) == LOG_GOOD);
    CHECK(fault(&chain, "note text=\"b ~2 b\" ~2 0defa9c9") == LOG_BAD_CRC);
    CHECK(fault(&chain, sealed[2]) == LOG_GOOD);
}

TEST(a_lost_line_is_named_by_the_next)
{
    struct log_chain chain = { 1, 0x08c6fbec };

    CHECK(fault(&chain, sealed[2]) == LOG_LOST);
}

TEST(a_doubled_line_is_named)
{
    struct log_chain chain = { 1, 0x08c6fbec };

    CHECK(fault(&chain, sealed[1]) == LOG_GOOD);
    CHECK(fault(&chain, sealed[1]) == LOG_REPEATED);
}

/* A line is right in itself, but follows another line than when it was written. */
TEST(a_line_of_another_log_is_named)
{
    struct log_chain chain = { 1, 0x08c6fbed };

    CHECK(fault(&chain, sealed[1]) == LOG_BAD_CRC);
}

TEST(what_has_no_trailer_is_named)
{
    static const char *const lines[] = {
        "",
        "end",
        "end ~3 9fc1d0d",
        "end ~3 9fc1d0d9 ",
        "end ~3  9fc1d0d9",
        "end ~3 9FC1D0D9",
        "end ~3 9fc1d0dg",
        "end ~ 9fc1d0d9",
        "end ~03 9fc1d0d9",
        "end ~0 9fc1d0d9",
        "end ~-3 9fc1d0d9",
        "end ~4294967296 9fc1d0d9",
        "end ~99999999999 9fc1d0d9",
        "end~3 9fc1d0d9",
        "~3 9fc1d0d9",
        "9fc1d0d9",
        "end 3 9fc1d0d9",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct log_chain chain = { 2, 0x0defa9c9 };

        CHECK(fault(&chain, lines[i]) == LOG_NO_TRAILER);
        CHECK(chain.sequence == 2 && chain.crc == 0x0defa9c9);
    }
}

TEST(a_crc_has_digits_and_the_letters_to_f_alone)
{
    for (int c = 0; c < 256; c++)
        for (size_t i = 0; i < 8; i++) {
            struct log_chain chain = { 2, 0x0defa9c9 };
            char line[] = "end ~3 9fc1d0d9";
            bool right = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            enum log_fault want = line[7 + i] == (char)c ? LOG_GOOD
                                  : right                ? LOG_BAD_CRC
                                                         : LOG_NO_TRAILER;
            size_t body;
            uint32_t sequence;

            line[7 + i] = (char)c;
            CHECK(log_unseal(&chain, line, sizeof(line) - 1, &body, &sequence) == want);
        }
}

TEST(a_body_may_be_empty_and_a_number_have_any_digit)
{
    struct log_chain chain = { 0, 0 };
    uint32_t sequence;
    size_t body;

    CHECK(open_line(&chain, " ~1 00000000", &body, &sequence) == LOG_BAD_CRC && body == 0);
    CHECK(open_line(&chain, "x ~1023456789 0123456a", &body, &sequence) == LOG_LOST);
    CHECK(sequence == 1023456789 && chain.crc == 0x0123456a);
    CHECK(open_line(&chain, "x ~1023456790 789bcdef", &body, &sequence) == LOG_BAD_CRC);
    CHECK(chain.crc == 0x789bcdef);
}

TEST(the_greatest_number_is_taken)
{
    struct log_chain chain = { 2, 0 };
    uint32_t sequence;
    size_t body;

    CHECK(open_line(&chain, "x ~4294967295 00000000", &body, &sequence) == LOG_LOST);
    CHECK(sequence == UINT32_MAX && body == 1);
}

/* The words for places. */

static const struct taken rows[] = {
    { CALLER, "caller", 0, ".start", KIND_ICALL, 1 },
    { 0, ".int", 8, ".stub", KIND_INT, 1 },
    { 4, ".done", CALLER, "caller", KIND_RET, 1 },
};
static const struct workload workload = { .expect = rows, .rows = 3, .size = 12 };
static const struct log_map map = {
    .workload = &workload,
    .workload_at = 0x1000,
    .call = 0x5000,
    .back = 0x5002,
    .image_at = 0x800,
    .image_size = 0x8000,
};

static const char *place(uint64_t address, enum log_end end)
{
    static char buffer[64];
    struct text text = text_into(buffer, sizeof(buffer));

    log_put_end(&text, &map, address, end);
    return buffer;
}

TEST(a_place_has_the_nearest_name_it_can_have)
{
    CHECK_TEXT(place(0x1004, LOG_FROM), ".done");
    CHECK_TEXT(place(0x1008, LOG_TO), ".stub");
    CHECK_TEXT(place(0x1005, LOG_TO), "+0x5");
    CHECK_TEXT(place(0x100b, LOG_TO), "+0xb");
    CHECK_TEXT(place(0x100c, LOG_TO), "image+0x80c");
    CHECK_TEXT(place(0x87ff, LOG_TO), "image+0x7fff");
    CHECK_TEXT(place(0x8800, LOG_TO), "0x8800");
    CHECK_TEXT(place(0x7ff, LOG_TO), "0x7ff");
    CHECK_TEXT(place(BRANCH_UNKNOWN, LOG_FROM), "?");
    CHECK_TEXT(place(BRANCH_MISSING, LOG_FROM), "?");
    CHECK_TEXT(place(0xffffffffffffffff, LOG_FROM), "0xffffffffffffffff");
}

TEST(the_caller_is_the_call_as_from_and_the_return_as_to)
{
    CHECK_TEXT(place(0x5000, LOG_FROM), "caller");
    CHECK_TEXT(place(0x5002, LOG_TO), "caller");
    CHECK_TEXT(place(0x5000, LOG_TO), "image+0x4800");
    CHECK_TEXT(place(0x5002, LOG_FROM), "image+0x4802");
}

TEST(of_two_labels_the_one_at_this_end_is_taken)
{
    CHECK_TEXT(place(0x1000, LOG_FROM), ".int");
    CHECK_TEXT(place(0x1000, LOG_TO), ".start");
    CHECK_TEXT(place(0x1004, LOG_TO), ".done");
}

TEST(a_place_without_a_label_has_its_offset)
{
    static const struct taken bare[] = { { .from = CALLER, .to = 0, .kind = KIND_ICALL },
                                         { .from = 4, .to = CALLER, .kind = KIND_RET } };
    static const struct workload recorded = { .expect = bare, .rows = 2, .size = 12 };
    struct log_map its = map;
    char buffer[64];
    struct text text = text_into(buffer, sizeof(buffer));

    its.workload = &recorded;
    log_put_end(&text, &its, 0x1000, LOG_TO);
    log_put_end(&text, &its, 0x1004, LOG_FROM);
    CHECK_TEXT(buffer, "+0x0+0x4");
}
