/*
 * stubs.h.  SDM vol. 3A, "Fast System Calls in 64-Bit Mode" and "Fast System Calls in
 * 32-Bit Mode"; vol. 2, "SYSENTER".
 */
#include "stubs.h"

#include "idt.h"
#include "machine.h"
#include "registers.h"
#include "x86.h"

#define MSRS_MAX 12 /* SYSCALL needs four, SYSENTER three */

/* The MSRs that were written, and what they held before. */
static struct {
    uint32_t msr;
    uint64_t before;
} kept[MSRS_MAX];
static size_t kept_count;

static void set_msr(uint32_t msr, uint64_t value)
{
    kept[kept_count].msr = msr;
    kept[kept_count++].before = rdmsr(msr);
    wrmsr(msr, value);
}

/* `mask`: the flags that SYSCALL clears. */
static void set_syscall(const uint8_t *code, uint64_t mask)
{
    set_msr(MSR_STAR, (uint64_t)SELECTOR_CODE << STAR_SYSCALL_SHIFT |
                          (uint64_t)SELECTOR_CODE3_32 << STAR_SYSRET_SHIFT);
    set_msr(MSR_LSTAR, (uint64_t)code);
    set_msr(MSR_FMASK, mask);
    set_msr(MSR_EFER, rdmsr(MSR_EFER) | EFER_SCE);
}

static void set_sysenter(const uint8_t *code)
{
    set_msr(MSR_SYSENTER_CS, SELECTOR_CODE);
    set_msr(MSR_SYSENTER_ESP, machine_ring0_stack());
    set_msr(MSR_SYSENTER_EIP, (uint64_t)code);
}

void stubs_set(const struct workload *w)
{
    for (uint32_t i = 0; i < w->stub_count; i++) {
        const uint8_t *code = w->code + w->stubs[i].offset;
        const uint32_t vector = w->stubs[i].vector;
        if (vector == STUB_SYSCALL || vector == STUB_SYSCALL_TF)
            set_syscall(code, vector == STUB_SYSCALL_TF ? RFLAGS_TF : 0);
        else if (vector == STUB_SYSENTER)
            set_sysenter(code);
        else
            idt_stub(vector, code);
    }
}

void stubs_unset(const struct workload *w)
{
    for (; kept_count; kept_count--)
        wrmsr(kept[kept_count - 1].msr, kept[kept_count - 1].before);
    for (uint32_t i = 0; i < w->stub_count; i++)
        if (w->stubs[i].vector < VECTORS)
            idt_unstub(w->stubs[i].vector);
}
