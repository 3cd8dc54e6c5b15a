/*
 * The local APIC: all sources masked, and its timer as the watchdog of a run.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lines.h"
#include "lines.h"

/* Is it on?  If not, it delivers no interrupt. */
bool apic_is_on(void);

enum apic_mode apic_mode(void);

/* Where its registers lie in memory; 0: reached through MSRs (x2APIC) or absent. */
uint64_t apic_page(void);

/* Masks every source but the watchdog; apic_give_back puts all of it back. */
void apic_take(void);
void apic_give_back(void);

/* How fast the timer counts; tsc_hz from boot/, 0: not known, a safe guess serves. */
void apic_calibrate(uint64_t tsc_hz);

/* Interrupts on VECTOR_WATCHDOG after that many seconds, once. */
void apic_watchdog_start(uint32_t seconds);
void apic_watchdog_stop(void);

/* This processor's own, by which others reach it. */
uint32_t apic_id(void);

/*
 * Can anything be sent to a processor of this number?  In xAPIC mode a destination
 * has eight bits: more would be cut off and reach another one, and all ones reach every.
 */
#define XAPIC_EVERY 0xffu
bool apic_reaches(uint32_t apic);

/*
 * Sends that processor an interrupt: a vector, or with a delivery mode above it what starts
 * a processor.
 */
#define APIC_INIT    0x4500u
#define APIC_STARTUP 0x4600u /* at the page of that number */
void apic_send(uint32_t apic, uint32_t command);

/*
 * Performance-monitoring interrupts, on VECTOR_PMI or as NMI.  Each should mask itself:
 * unmasking says whether the last one did.  Closing takes one that is still pending.
 */
void apic_pmi_open(bool nmi);
bool apic_pmi_unmask(void);
void apic_pmi_close(void);

/* Takes the interrupts that became pending after the window was closed. */
void apic_take_pending(void);

/* Says that the interrupt being handled is done. */
void apic_end_of_interrupt(void);
