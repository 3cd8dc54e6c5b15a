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
    uint32_t cycles;      /* how often to borrow the machine once more, for a test */
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
    /*
     * Saves the log so far; called with the machine given back.  Whether it is on the
     * medium, and the firmware alive.  NULL: there is no firmware any more.
     */
    bool (*checkpoint)(const char *log, size_t size);
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
 * The machine is taken by each of these three and given back as it was before it returns
 * (and around each checkpoint).  Called with interrupts off, on any stack; the handoff
 * must lie in the image.  None returns if the kernel itself breaks: then it has said so
 * on the serial line and stopped the processor.
 *
 * Open begins the log with what the machine is, and tries nothing; run probes, traces,
 * and does all else that the options ask for; close ends the log.
 */
void kernel_open(const struct handoff *);
void kernel_run(void);
struct aftermath kernel_close(void);
