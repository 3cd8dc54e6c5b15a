/*
 * What boot/ gives the kernel and what it gets back.  No header of the firmware's
 * is needed to read it: the kernel knows nothing of UEFI.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIST_SIZE 512 /* bytes of an option that is a list of names */

struct options {
    char workloads[LIST_SIZE]; /* "a,b"; empty: all */
    char methods[LIST_SIZE];   /* the same          */
    bool exit_boot_services;
    bool bench;           /* measure the handlers first */
    uint16_t serial_port; /* I/O address; 0: none */
    uint32_t timeout;     /* seconds that one run may take */
};

struct handoff {
    struct options options;
    const char *firmware_vendor; /* ASCII, as the firmware names itself */
    uint32_t firmware_revision;
    uint64_t image_base, image_size;
    uint64_t memory, memory_size; /* page-aligned, zeroed, the kernel's own, below 4 GiB */
    uint64_t tsc_hz;              /* measured; 0: unknown                                */
};

/* What is left when the machine has been given back. */
struct aftermath {
    const char *log; /* the whole log, with LF as line end */
    size_t log_size;
    const char *screen; /* the kernel's own opinion, for a person; NUL-terminated */
    bool complete;      /* the log got its last line                              */
};

/* Why this machine cannot be taken, in a sentence, or NULL.  Ask while the firmware lives.
 */
const char *kernel_lacks(void);

/*
 * Takes the machine, traces, and gives the machine back as it was.  Called with
 * interrupts off, on any stack; the handoff must lie in the image.  Does not return
 * if the kernel itself breaks: then it has said so on the serial line and stopped
 * the processor.
 */
struct aftermath kernel_run(const struct handoff *);
