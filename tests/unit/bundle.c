// LINK: common/log/crc32.c common/log/log.c common/base/text.c common/branch/workload.c
#include "common/log/bundle.c"

#include "test.h"

/* A good bundle, laid out by hand as the linker does: `push`, a loop, `ret`. */
struct file {
    struct bundle_head head;
    struct workload workload;
    struct taken rows[5];
    struct stub stubs[2];
    struct part parts[2];
    char name[8], about[8];
    uint8_t code[8];
};

#define AT(member) \
    ((void *)(offsetof(struct file, member) - offsetof(struct file, workload)))

static void seal(struct file *file)
{
    file->head = bundle_head(&file->workload, sizeof(*file) - sizeof(file->head));
}

static struct file good(void)
{
    struct file file = {
        .workload = { .name = AT(name),
                      .about = AT(about),
                      .code = AT(code),
                      .expect = AT(rows),
                      .stubs = AT(stubs),
                      .size = 8,
                      .rows = 5,
                      .stub_count = 2,
                      .flags = WORKLOAD_RING0 | WORKLOAD_LOW,
                      .parts = AT(parts),
                      .part_count = 2 },
        .rows = { { CALLER, "caller", 0, ".start", KIND_ICALL, 1 },
                  { .kind = ROW_REPEAT, .times = 3 },
                  { 4, ".back", 1, ".top", KIND_JCC, 2 },
                  { .kind = ROW_END },
                  { 6, ".done", CALLER, "caller", KIND_RET, 1 } },
        .stubs = { { 14, 7 }, { STUB_SYSCALL, 7 } },
        .parts = { { 1, 3, PART_RING3, 0 }, { 3, 8, PART_RING3 | PART_COMPAT, 0x400000 } },
        .name = "mine",
        .about = "a loop",
        .code = { 0x90, 0x90, 0x90, 0x90, 0x75, 0xfb, 0xc3, 0xc3 },
    };
    seal(&file);
    return file;
}

static const char *opened(struct file *file)
{
    struct workload w;
    seal(file);
    const char *wrong = bundle_open(&w, file, sizeof(*file));
    return wrong ? wrong : "good";
}

TEST(a_good_one_opens_as_it_was_laid_out)
{
    struct file file = good();
    struct workload w = { 0 };
    CHECK(bundle_open(&w, &file, sizeof(file)) == NULL);
    CHECK_TEXT(w.name, "mine");
    CHECK_TEXT(w.about, "a loop");
    CHECK(w.code == file.code && w.size == 8);
    CHECK(w.expect == file.rows && w.rows == 5);
    CHECK(w.stubs == file.stubs && w.stub_count == 2);
    CHECK(w.parts == file.parts && w.part_count == 2);
}

TEST(what_is_no_bundle_or_not_whole_is_said)
{
    struct file file = good();
    struct workload w;
    for (size_t size = 0; size < sizeof(file); size++)
        CHECK(bundle_open(&w, &file, size) != NULL);
    CHECK_TEXT(bundle_open(&w, &file, sizeof(file) - 1),
               "its size is not what its head says: it was cut short, or joined");
    file.code[3] ^= 1;
    CHECK_TEXT(bundle_open(&w, &file, sizeof(file)),
               "its checksum is wrong: the file is damaged");
    file.head.magic[6] = '1';
    CHECK_TEXT(bundle_open(&w, &file, sizeof(file)),
               "it is a bundle of another version: pack it again");
    file.head.magic[0] = 'M';
    CHECK_TEXT(bundle_open(&w, &file, sizeof(file)),
               "it is not a bundle: `everybranch pack` makes them");
}

/* One field changed, with a good checksum, and what must be said of it. */
#define REFUSED(field, value, want)      \
    do {                                 \
        struct file file = good();       \
        file.field = (value);            \
        CHECK_TEXT(opened(&file), want); \
    } while (0)

TEST(distances_out_of_the_file_are_refused)
{
    const void *const end = (void *)(sizeof(struct file) - offsetof(struct file, workload));
    const void *const wild = (void *)UINTPTR_MAX;
    const char *const code = "its code does not lie in the file";
    const char *const rows = "its expectation does not lie in the file";
    const char *const stubs = "its stubs do not lie in the file";
    REFUSED(workload.code, (const uint8_t *)AT(code) + 1, code);
    REFUSED(workload.code, wild, code);
    REFUSED(workload.size, UINT32_MAX, code);
    REFUSED(workload.size, 0, code);
    REFUSED(workload.expect, (const void *)((const char *)AT(code) - 4), rows);
    REFUSED(workload.expect, (const void *)((const char *)AT(rows) + 1), rows);
    REFUSED(workload.stubs, (const void *)((const char *)end - 8), stubs);
    REFUSED(workload.stub_count, 260, stubs);
    REFUSED(workload.stub_count, UINT32_MAX, stubs);
    REFUSED(workload.name, end, "its name is not 1 to 31 letters, digits and _");
    REFUSED(workload.name, wild, "its name is not 1 to 31 letters, digits and _");
}

TEST(names_that_would_break_the_log_are_refused)
{
    const char *const name = "its name is not 1 to 31 letters, digits and _";
    const char *const about =
        "what it is about is not 1 to 100 printable characters without quotes";
    const char *const label =
        "a row has an end that is neither a label in the code nor the caller";
    REFUSED(name[0], ' ', name);
    REFUSED(name[0], 0, name);
    REFUSED(about[0], '"', about);
    REFUSED(about[1], '\n', about);
    REFUSED(rows[2].from_label[1], ' ', label);
    REFUSED(rows[2].from_label[0], 'x', label);
    REFUSED(rows[0].from_label[0], 'x', label);
    REFUSED(rows[2].to, 8, label);
    REFUSED(rows[2].to, -1, label);

    struct file file = good();
    memset(file.rows[2].to_label, 'a', LABEL_SIZE); /* no NUL */
    file.rows[2].to_label[0] = '.';
    CHECK_TEXT(opened(&file), label);
    file = good();
    memset(file.about, 'a', sizeof(file.about)); /* no NUL up to the end */
    memset(file.code, 'a', sizeof(file.code));
    CHECK_TEXT(opened(&file), about);
}

TEST(a_label_means_one_place)
{
    struct file file = good();
    strcpy(file.rows[4].from_label, ".back");
    CHECK_TEXT(opened(&file), "a label means two places");
}

TEST(rows_nest_and_end)
{
    REFUSED(rows[1].times, 0, "a group of rows is repeated zero times");
    REFUSED(rows[2].times, 0, "a row happens no time");
    REFUSED(rows[2].kind, KIND_NONE, "a row has a kind that does not exist");
    REFUSED(rows[2].kind, KIND_COUNT, "a row has a kind that does not exist");
    REFUSED(rows[2].kind, ROW_END, "a group of rows is empty");
    REFUSED(rows[1].kind, ROW_END, "a group of rows ends that never began");
    REFUSED(workload.rows, 3, "a group of rows does not end");
    REFUSED(workload.rows, 0, "its expectation has no rows, or more than 512");
}

TEST(what_would_never_end_is_refused)
{
    REFUSED(rows[1].times, UINT32_MAX, "its rows make too many transfers");
    REFUSED(rows[2].times, UINT32_MAX, "its rows make too many transfers");
    REFUSED(rows[0].times, BUNDLE_TRANSFERS, "its rows make too many transfers");

    struct file file = good(); /* 2^24 in all: 2 and 2 * 8388607 */
    file.rows[1].times = 8388607;
    CHECK_TEXT(opened(&file), "good");
    file.rows[1].times = 8388608;
    CHECK_TEXT(opened(&file), "its rows make too many transfers");
}

TEST(groups_five_deep_are_refused)
{
    struct file file = good();
    for (int i = 0; i < 5; i++)
        file.rows[i] = (struct taken){ .kind = ROW_REPEAT, .times = 1 };
    CHECK_TEXT(opened(&file), "groups of rows are nested too deep");
}

TEST(stubs_are_for_vectors_that_there_are)
{
    REFUSED(stubs[0].vector, STUB_SYSCALL_TF, "two stubs have one vector");
    REFUSED(stubs[0].vector, 259, "a stub has a vector that does not exist");
    REFUSED(stubs[0].vector, STUB_SYSCALL, "two stubs have one vector");
    REFUSED(stubs[1].offset, 8, "a stub lies outside of the code");
    REFUSED(workload.flags, 0, "it has stubs without RING0");
    REFUSED(workload.flags, 2, "it has flags that are not known");
    REFUSED(workload.flags, 1 << 20, "it has flags that are not known");
    REFUSED(workload.transfers, 1, "it has a packed trace, which only programs in C have");
}

TEST(parts_are_code_in_order_that_can_run_so)
{
    const char *const place =
        "a part does not come after the one before it, or is not in the code";
    const char *const kind = "a part is neither of ring 3 nor of 32 bits there";

    REFUSED(workload.part_count, 65, "its parts do not lie in the file");
    REFUSED(workload.parts, (const void *)(uintptr_t)2, "its parts do not lie in the file");
    REFUSED(parts[1].begin, 2, place);
    REFUSED(parts[0].begin, 3, place);
    REFUSED(parts[1].end, 9, place);
    REFUSED(parts[0].flags, 0, kind);
    REFUSED(parts[0].flags, PART_COMPAT, kind);
    REFUSED(parts[0].flags, PART_RING3 | 4, kind);
    REFUSED(parts[0].base, 0x400000, "a part has a base that no segment has");
    REFUSED(parts[1].base, 0x1000, "a part has a base that no segment has");
    REFUSED(workload.flags, WORKLOAD_RING0, "it has code of 32 bits without LOW");
    struct file file = good();
    file.workload.flags = WORKLOAD_LOW;
    file.workload.stub_count = 0;
    CHECK_TEXT(opened(&file), "it has parts without RING0");
}

TEST(each_byte_of_code_has_its_part)
{
    struct file file = good();
    struct workload w;
    CHECK(bundle_open(&w, &file, sizeof(file)) == NULL);
    CHECK(part_of(&w, 0)->flags == 0);
    CHECK(part_of(&w, 1) == &file.parts[0] && part_of(&w, 2) == &file.parts[0]);
    CHECK(part_of(&w, 3) == &file.parts[1] && part_of(&w, 7) == &file.parts[1]);
    CHECK(part_of(&w, 8)->flags == 0 && part_of(&w, 8)->base == 0);
    CHECK(part_of(&w, UINT64_MAX)->flags == 0);
}

/* Nothing to compare with: the sanitizers watch, and a walk that does not end hangs. */
TEST(changed_at_random_it_is_refused_or_can_be_walked)
{
    unsigned long long seed = 1;
    size_t refused = 0, walked = 0;
    for (int round = 0; round < 100000; round++) {
        struct file file = good();
        struct workload w;
        for (int n = 0; n < 1 + round % 3; n++)
            ((uint8_t *)&file)[test_random(&seed) % sizeof(file)] =
                (uint8_t)(test_random(&seed) >> 8);
        seal(&file);
        if (bundle_open(&w, &file, sizeof(file))) {
            refused++;
        } else {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < w.rows; i++)
                sum += w.expect[i].times + (uint32_t)strlen(w.expect[i].from_label);
            for (uint32_t i = 0; i < w.size; i++)
                sum += w.code[i];
            walked += sum != 0;
        }
    }
    CHECK(refused > 10000);
    CHECK(walked > 10000);
}
