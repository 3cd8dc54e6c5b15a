// LINK: tests/unit/workload_inc.asm
/* What kernel/workloads/workload.inc says a second time, since nasm reads no C. */
#include <stddef.h>

#include "kernel/hardware/machine.h"
#include "test.h"
#include "workload.h"

extern const uint32_t in_nasm[];

static const struct {
    const char *name;
    uint32_t value;
} in_c[] = {
#define SAME(name, value)       \
    {                           \
        name, (uint32_t)(value) \
    }
    SAME("CODE0", SELECTOR_CODE),
    SAME("DATA0", SELECTOR_DATA),
    SAME("CODE3", SELECTOR_CODE3),
    SAME("DATA3", SELECTOR_DATA3),
    SAME("COMPAT3", SELECTOR_CODE3_32),
    SAME("BASED3", SELECTOR_BASED3),
    SAME("CS_BASE", PART_BASE),
    SAME("RING0", WORKLOAD_RING0),
    SAME("LOW", WORKLOAD_LOW),
    SAME("NOT_STOCK", WORKLOAD_NOT_STOCK),
    SAME("RING3", PART_RING3),
    SAME("COMPAT", PART_COMPAT),
    SAME("SYSCALL_VECTOR", STUB_SYSCALL),
    SAME("SYSCALL_TF_VECTOR", STUB_SYSCALL_TF),
    SAME("SYSENTER_VECTOR", STUB_SYSENTER),
    SAME("ENV_USER_STACK", offsetof(struct workload_env, user_stack)),
    SAME("ENV_APIC", offsetof(struct workload_env, apic)),
    SAME("ROW_SIZE", sizeof(struct taken)),
    SAME("ROW_DEPTH_MAX", ROW_DEPTH_MAX),
    SAME("ROW_REPEAT", ROW_REPEAT),
    SAME("ROW_END", ROW_END),
    SAME("LABEL_MAX", LABEL_SIZE - 1),
    SAME("CALLER", CALLER),
    SAME("KIND_JCC", KIND_JCC),
    SAME("KIND_JMP", KIND_JMP),
    SAME("KIND_IJMP", KIND_IJMP),
    SAME("KIND_CALL", KIND_CALL),
    SAME("KIND_ICALL", KIND_ICALL),
    SAME("KIND_RET", KIND_RET),
    SAME("KIND_INT", KIND_INT),
    SAME("KIND_EXC", KIND_EXC),
    SAME("KIND_IRET", KIND_IRET),
    SAME("KIND_FAR", KIND_FAR),
    SAME("KIND_DB", KIND_DB),
    SAME("MARK_CLEARED", KIND_TF_CLEARED),
    SAME("MARK_SET", KIND_TF_SET),
    SAME("MARK_HELD", KIND_TF_HELD),
    SAME("MARK_MASKED", KIND_TF_MASKED),
    SAME("MARK_LOADED", KIND_TF_LOADED),
};

TEST(both_languages_have_the_same_numbers)
{
    for (size_t i = 0; i < sizeof(in_c) / sizeof(in_c[0]); i++) {
        if (in_nasm[i] != in_c[i].value)
            printf("# %s is 0x%x in workload.inc, and 0x%x in C\n", in_c[i].name,
                   in_nasm[i], in_c[i].value);
        CHECK(in_nasm[i] == in_c[i].value);
    }
}
