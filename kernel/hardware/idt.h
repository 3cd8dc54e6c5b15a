/*
 * The interrupt descriptor table: 256 vectors, each with an entry of its own.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The registers that an entry saves on the stack; a handler may change them. */
struct frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error; /* error: 0 where the exception pushes none */
    uint64_t rip, cs, rflags, rsp, ss;
};

typedef void handler(struct frame *);

/* Stacks of the TSS, for gates that need a good one.  SDM vol. 3A, "Interrupt Stack Table".
 */
#define IST_DB    1
#define IST_NMI   2
#define IST_DF    3
#define IST_MC    4
#define IST_PF    5
#define IST_COUNT 5

/* Points every gate at its entry. */
void idt_fill(void);

/* Lets the handler take this vector; NULL: the default again. */
void idt_hook(unsigned vector, handler *);

/*
 * Lets the handler take each exception that has no hook and is no fault of msr_read() or
 * msr_write().  Until then such an exception is a panic.
 */
void idt_hook_rest(handler *);

/*
 * How many stray NMIs this processor has had since the image was loaded.  An NMI is stray
 * if no handler is hooked: it is counted, and the interrupted code goes on.
 */
uint64_t idt_stray_nmis(void);

/* Another one, found where an NMI was waited for.  For its handler. */
void idt_count_stray_nmi(void);

/*
 * Points a gate straight at code, or back at its own entry.  A workload's stub runs on the
 * stack that was interrupted, or on ring 0's where that was ring 3, and INT n leads there
 * from any ring; other code runs on the stack that the vector's own entry has.
 */
void idt_stub(unsigned vector, const uint8_t *code);
void idt_gate(unsigned vector, const uint8_t *code);
void idt_unstub(unsigned vector);

/* The table for LIDT. */
const void *idt_table(void);
#define IDT_BYTES (256 * 16)
