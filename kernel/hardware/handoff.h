/*
 * The data that boot/ gives the kernel and gets back.  No header of the firmware's
 * is needed to read it: the kernel knows nothing of UEFI.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "setting.h"

/*
 * A UART with the registers of a 16550, and how to talk to it.  Registers lie `stride`
 * bytes apart and are read and written `width` bytes at a time.
 */
struct serial_port {
    const char *from; /* who told of it, as written in the log */
    bool mmio;        /* in memory, else on I/O ports          */
    uint64_t address;
    uint8_t stride, width; /* 1, 2 or 4; on I/O ports 1 */
    uint32_t clock;        /* Hz; 0: unknown */
    uint32_t baud;         /* 0: as the firmware set it */
    uint32_t pci;          /* boot/'s: where its configuration space begins; 0: not there */
};

#define SERIAL_CLOCK 1843200u /* Hz, of every UART of a PC but for those that say so */
#define SERIAL_BAUD  115200u

/* In the order in which they are to be tried. */
#define SERIAL_PORTS 16
struct serial_ports {
    struct serial_port at[SERIAL_PORTS];
    size_t count;
};

/*
 * The linear framebuffer.  A point is a little-endian number of `bytes` bytes; masks say
 * which of its bits are each colour, as UEFI's GOP has them.
 */
struct framebuffer {
    uint64_t address, size; /* bytes; size 0: there is none */
    uint32_t width, height; /* points                       */
    uint32_t pitch;         /* bytes from one row to the next */
    uint32_t bytes;         /* of a point: 2, 3 or 4          */
    uint32_t red, green, blue;
};

/* A workload from the stick, as common/log/bundle.h has it. */
#define BUNDLE_FILES_MAX 32
#define BUNDLE_BYTES_MAX (64u << 10)
struct bundle_file {
    char name[64]; /* ASCII, for people */
    const uint8_t *bytes;
    size_t size;
    const char *wrong; /* why there are no bytes, or NULL */
};

/*
 * The machine's names in its SMBIOS tables; empty if there are none.  Never a serial
 * number or a UUID: logs are published.
 */
#define DATE_SIZE     17
#define IDENTITY_SIZE 39 /* four of them fit into a line of the log */
struct identity {
    char bios_vendor[IDENTITY_SIZE], bios_version[IDENTITY_SIZE], bios_date[IDENTITY_SIZE];
    char system_vendor[IDENTITY_SIZE], system_product[IDENTITY_SIZE];
    char board_vendor[IDENTITY_SIZE], board_product[IDENTITY_SIZE];
};

/* The processors of the machine, as boot/ found them; all zero: nobody asked. */
struct processors {
    bool asked;
    uint32_t found, wanted; /* that are on, and to be used; the first among them */
    const char *why;        /* why not as many as were asked for, or NULL */
    uint64_t trampoline;    /* a page below 1 MiB, where no firmware starts them; else 0 */
    uint32_t apic[SETTING_PROCESSORS_MAX]; /* of all, for that */
    size_t apic_count;
    bool not_back; /* the firmware did not get all of them back */
};

/*
 * With less memory the kernel would run out of it at once: boot/ says so while there is a
 * console.  The rest of the sum is in session.c.
 */
#define KERNEL_MEMORY_LEAST (16ull << 20)

struct handoff {
    struct options options;
    bool by_command;     /* a session of commands, instead of all runs */
    const char *ignored; /* of the load options: a sentence, or NULL   */
    struct bundle_file bundles[BUNDLE_FILES_MAX];
    size_t bundle_count, bundles_left_out; /* left out: more than there is room for */
    struct serial_ports serial_ports;      /* candidates: the first that answers is taken */
    struct framebuffer framebuffer;
    const char *firmware_vendor; /* ASCII, as the firmware names itself */
    uint32_t firmware_revision;
    struct identity identity;
    const char *secure_boot; /* on, off or unknown */
    char date[DATE_SIZE];    /* of the boot, by the firmware's clock: 2026-11-23 02:31 */
    uint64_t image_base, image_size;
    uint64_t memory, memory_size; /* page-aligned, the kernel's own, below 4 GiB */
    uint64_t tsc_hz;              /* measured; 0: unknown                                */
    struct processors processors;
    /*
     * Saves the log so far; called with the machine given back.  NULL where it is on the
     * medium and the firmware alive, or what is wrong, in words.  Without a function
     * there is no firmware any more.
     */
    const char *(*checkpoint)(const char *log, size_t size);
};

/* The results, when the machine has been given back. */
struct aftermath {
    const char *log; /* the whole log, with LF as line end */
    size_t log_size;
    const char *screen; /* the kernel's own check, for a person; NUL-terminated */
    bool complete;      /* the log got its last line                              */
    bool lost;          /* a processor did not come back: return to nobody        */
};

/* The answer to a command, for the console, and what to do next. */
enum afterwards { GO_ON, LEAVE, RESET };
struct answer {
    const char *text; /* whole lines; lives until the next command */
    enum afterwards then;
};

/* Why this machine cannot be taken, in a sentence, or NULL.  Ask while the firmware lives.
 */
const char *kernel_lacks(void);

/*
 * Says which workload of the load options does not exist, or NULL.  Whoever typed these can
 * type them again; a stick is far from its editor, so the workloads that exist are run.
 * Bundles are opened later: where there are some, no name is refused.
 */
const char *kernel_refuses(const struct handoff *);

/*
 * The machine is taken by each of these three and given back as it was before it returns
 * (and around each checkpoint).  Called with interrupts off, on any stack; the handoff
 * must lie in the image.  None returns if the kernel itself breaks: then it has said so
 * on the serial line and stopped the processor.
 *
 * Begin leaves the machine alone and logs what the firmware says of it.  Open takes it for
 * the first time, logs what it is, and tries nothing; run probes, traces,
 * and does all else that the options ask for; close ends the log.
 */
void kernel_begin(const struct handoff *);
void kernel_open(void);
void kernel_run(void);
struct aftermath kernel_close(void);

/* Instead of run, where the handoff says so, and as often as there are commands. */
struct answer kernel_command(const char *line);

/* The processor in a few lines, for whoever is about to type commands. */
const char *kernel_greeting(void);

/*
 * Between begin and open: an earlier log, newest first, until one is taken.  Then: why the
 * machine had better not be taken, since it died of that, in a sentence, or NULL.
 */
bool kernel_recall_taking(const char *name, const char *log, size_t size);
const char *kernel_died_taking(void);

/*
 * Between open and run: what each other processor is to call, all at the same time, with
 * the firmware's tables and a stack.  NULL: there is none to start.  They come back when
 * run is done.
 */
struct start {
    void(__attribute__((ms_abi)) * entry)(void *);
    void *argument;
};
struct start kernel_start_aps(void);

/*
 * Between open and run: an earlier log, newest first, until one is taken, which tells what
 * not to try again.  False: it is of another machine, or none.
 */
bool kernel_recall(const char *name, const char *log, size_t size);

/* The results of that, for a person: sentence n from 0 on, NULL after the last one. */
const char *kernel_past(size_t n);

enum tone { TONE_PLAIN, TONE_ODD, TONE_BAD };

/*
 * A line beneath the kernel's picture, which is drawn afresh, since the firmware's
 * console draws over it.  For the machine given back; nothing where there is no screen.
 */
void kernel_show(const char *line, enum tone);
