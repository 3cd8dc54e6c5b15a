// LINK: common/branch/decode.c common/branch/insn_length.c common/log/log.c
// LINK: common/log/crc32.c common/base/text.c common/branch/workload.c
#include "kernel/listing.c"

#include "test.h"

/* Code as bytes, and its labels as the rows of an expected trace. */
static const char *listed(const struct workload *w)
{
    static char buffer[1024];
    struct text out = text_into(buffer, sizeof buffer);
    for (uint64_t offset = 0; offset < w->size;) {
        offset += listing_line(&out, w, offset);
        text_string(&out, "\n");
    }
    return buffer;
}

TEST(a_branch_has_words_and_other_code_has_bytes)
{
    static const uint8_t code[] = { 0xb9, 4, 0, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
    static const struct taken rows[] = {
        { .kind = KIND_ICALL, .from = CALLER, .to_label = ".start" },
        { .kind = KIND_JCC, .from = 7, .from_label = ".back", .to = 5, .to_label = ".top" },
        { .kind = KIND_RET, .from = 9, .from_label = ".done", .to = CALLER },
    };
    const struct workload w = {
        .code = code, .size = sizeof code, .expect = rows, .rows = 3
    };
    CHECK_TEXT(listed(&w), ".start          +0x0   b9 04 00 00 00\n"
                           ".top            +0x5   ff c9\n"
                           ".back           +0x7   75 fc                     jne .top\n"
                           ".done           +0x9   c3                        ret\n");
}

TEST(each_kind_of_branch_has_its_mnemonic)
{
    static const uint8_t code[] = { 0xeb, 0,    0xff, 0xe0, 0xe8, 0,    0,    0,
                                    0,    0xff, 0xd0, 0xcc, 0xcd, 0x30, 0xf1, 0x48,
                                    0xcf, 0x0f, 0x05, 0x0f, 0x07, 0x0f, 0x34, 0x0f,
                                    0x35, 0x48, 0xcb, 0xe2, 0xfe, 0x67, 0xe3, 0,
                                    0x0f, 0x8f, 0xda, 0xff, 0xff, 0xff };
    const struct workload w = { .code = code, .size = sizeof code };
    CHECK_TEXT(listed(&w),
               "                +0x0   eb 00                     jmp +0x2\n"
               "                +0x2   ff e0                     jmp, indirect\n"
               "                +0x4   e8 00 00 00 00            call +0x9\n"
               "                +0x9   ff d0                     call, indirect\n"
               "                +0xb   cc                        int3\n"
               "                +0xc   cd 30                     int 48\n"
               "                +0xe   f1                        int1\n"
               "                +0xf   48 cf                     iret\n"
               "                +0x11  0f 05                     syscall\n"
               "                +0x13  0f 07                     sysret\n"
               "                +0x15  0f 34                     sysenter\n"
               "                +0x17  0f 35                     sysexit\n"
               "                +0x19  48 cb                     retf\n"
               "                +0x1b  e2 fe                     loop +0x1b\n"
               "                +0x1d  67 e3 00                  jecxz +0x20\n"
               "                +0x20  0f 8f da ff ff ff         jg +0x0\n");
}

TEST(what_is_no_known_instruction_ends_at_the_next_label)
{
    static const uint8_t code[] = { 0xc5, 0xf8, 0x77, 0xc3, 0xb8, 0x90, 0x90, 0xeb, 0xfe };
    static const struct taken rows[] = {
        { .kind = KIND_RET, .from = 3, .from_label = ".a", .to = CALLER },
        { .kind = KIND_JMP, .from = 7, .from_label = ".b", .to = CALLER },
    };
    const struct workload w = {
        .code = code, .size = sizeof code, .expect = rows, .rows = 2
    };
    CHECK_TEXT(listed(&w), "                +0x0   c5 f8 77\n"
                           ".a              +0x3   c3                        ret\n"
                           "                +0x4   b8 90 90\n"
                           ".b              +0x7   eb fe                     jmp .b\n");
}
