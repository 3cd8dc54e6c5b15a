/* The packed runs of one workload, and which of them are the same. */
#include "common/branch/packed.c"

#include <string.h>

#include "test.h"

static const struct workload a, b;
static uint8_t capacity[8];

static size_t earlier(const struct workload *w, size_t number, const char *bytes)
{
    return packed_earlier(w, number, 3, (const uint8_t *)bytes, strlen(bytes));
}

TEST(the_same_bytes_are_those_of_the_first_run)
{
    packed_init(capacity, sizeof(capacity));
    CHECK(earlier(&a, 4, "abc") == 0);
    CHECK(earlier(&a, 5, "abd") == 0);
    CHECK(earlier(&a, 6, "abc") == 4);
    CHECK(earlier(&a, 7, "abd") == 5);
    CHECK(earlier(&a, 8, "ab") == 0);
    CHECK(earlier(&a, 9, "ab") == 8);
}

/* Two of the eight bytes are left after two runs of three. */
TEST(what_finds_no_room_is_not_kept)
{
    packed_init(capacity, sizeof(capacity));
    CHECK(earlier(&a, 1, "abc") == 0);
    CHECK(earlier(&a, 2, "def") == 0);
    CHECK(earlier(&a, 3, "ghi") == 0);
    CHECK(earlier(&a, 4, "ghi") == 0);
    CHECK(earlier(&a, 5, "gh") == 0);
    CHECK(earlier(&a, 6, "gh") == 5);
    CHECK(earlier(&a, 7, "abc") == 1);
}

TEST(another_workload_begins_anew)
{
    packed_init(capacity, sizeof(capacity));
    CHECK(earlier(&a, 1, "abc") == 0);
    CHECK(earlier(&b, 2, "abc") == 0);
    CHECK(earlier(&b, 3, "abc") == 2);
    CHECK(earlier(&a, 4, "abc") == 0);
}

/* Guessed well, a last record may add no byte. */
TEST(as_many_bytes_of_more_records_are_others)
{
    packed_init(capacity, sizeof(capacity));
    CHECK(packed_earlier(&a, 1, 3, (const uint8_t *)"abc", 3) == 0);
    CHECK(packed_earlier(&a, 2, 4, (const uint8_t *)"abc", 3) == 0);
    CHECK(packed_earlier(&a, 3, 3, (const uint8_t *)"abc", 3) == 1);
    CHECK(packed_earlier(&a, 4, 4, (const uint8_t *)"abc", 3) == 2);
}
