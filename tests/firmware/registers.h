/*
 * Registers of one processor, as firmware may leave them and as they are afterwards: set,
 * read, compared and put back.
 */
#pragma once

#include <efi.h>

#define VALUES_MAX  200
#define TABLE_PAGES 2 /* of the tables that a processor is given: GDT, IDT */

struct value {
    const char *group, *name;
    UINT64 is;
};

struct values {
    struct value at[VALUES_MAX];
    UINTN count;
};

/* Room for one processor's tables, and what it had before. */
struct registers {
    UINT8 *gdt, *idt, *tss; /* a page each, of which the first two may be read-only */
    UINT8 *buffer;          /* a page, for what is traced                           */
    enum { TRACES_NOTHING, TRACES_PT, TRACES_BTS, TRACES_LBR } traces;
    BOOLEAN is_first;      /* it has the PIC and the I/O APIC            */
    BOOLEAN uses_ldt;      /* for the selectors of data                  */
    BOOLEAN has_32bit_idt; /* of the first; and no interrupt that would go through it */
    BOOLEAN has_avx;       /* and it is on: known when they are set      */
    struct saved {
        struct table {
            UINT16 limit;
            UINT64 base;
        } __attribute__((packed)) gdt, idt;
        UINT16 ds, es, fs, gs;
        UINT64 fs_base, gs_base, cr0, cr3, cr4, efer, pat, dr7;
        UINT64 debugctl, rtit_ctl, select, lbr_select, ds_area, lstar, kernel_gs_base;
        UINT64 lbr_ctl, xcr0, pkru, pkrs;
        UINT32 lvt_timer;
        UINT8 pic_master, pic_slave;
    } saved;
};

/* Makes the tables in those pages; before they are read-only. */
void registers_prepare(struct registers *);

/* Sets all registers that can be set, each to what it never has otherwise. */
void registers_set(struct registers *);
void registers_unset(struct registers *);

void registers_read(struct values *, BOOLEAN is_first);

/*
 * Leaves an NMI pending on this processor, whose NMIs are blocked until an IRET.  With its
 * own IDT, and not in x2APIC mode.
 */
void registers_pend_nmi(void);
