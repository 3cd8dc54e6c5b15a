/*
 * The EFI application: borrows the machine for the kernel and saves what it says.
 *
 * Everything that knows UEFI is in this folder.  Boot services stay alive unless
 * the options say otherwise, so that the firmware's own file system can write the
 * log on the volume it booted from.
 */
#include <efi.h>

#include "bundles.h"
#include "devices.h"
#include "files.h"
#include "firmware.h"
#include "handoff.h"
#include "identity.h"
#include "journal.h"
#include "log.h"
#include "low.h"
#include "memory.h"
#include "monitor.h"
#include "options.h"
#include "processors.h"
#include "qemu.h"
#include "text.h"
#include "x86.h"

static struct handoff handoff;
static EFI_FILE_HANDLE root; /* the folder of our files; NULL: none */

#define CONFIG_NAME     L"everybranch.cfg"
#define CONFIG_SIZE     8192
#define MEMORY_LARGEST  (64ull << 20)
#define MEMORY_OF_OTHER (32ull << 20) /* a processor's, beside the first one */
#define MEMORY_MOST     (2048ull << 20)
#define BTS_RECORD      24    /* bytes */
#define MEASURE_US      10000 /* of TSC against the firmware's clock */
#define KEY_WAIT_S      60    /* "a minute" in what is said of it */
#define LOST_PROCESSOR \
    "a processor did not come back: the machine is reset, not handed back"
#define LAST_PROMPT \
    "the firmware goes on in a minute, or at a key; m starts the monitor instead"
#define UNITS_PER_S 10000000ull /* of a firmware timer: 100 ns */

/* The address in CR3.  Below it are PWT, PCD and the PCID, above it the controls of linear
 * address masking (SDM vol. 3A, "Control Registers"). */
#define CR3_TABLE 0x000ffffffffff000ull

/* To whoever started it, and who writes on the screen then. */
static BOOLEAN returns(void)
{
    return handoff.options.exit == EXIT_RETURN;
}

/* On the firmware's console, which may be a serial line, and beneath the kernel's picture.
 */
static void say_in(enum tone tone, const char *what)
{
    console_print(LOG_SAYS);
    console_print(what);
    console_print("\n");
    if (!returns()) /* to who goes on writing there */
        kernel_show(what, tone);
}

static void say(const char *what)
{
    say_in(TONE_PLAIN, what);
}

/* The file's before those of whoever starts us.  NULL, or in a sentence what is wrong. */
static const char *parse_both(struct options *options, const EFI_LOADED_IMAGE *loaded,
                              char *text)
{
    const char *wrong = NULL;
    UINTN size = CONFIG_SIZE - 1;
    if (root && files_read(root, CONFIG_NAME, text, &size)) {
        text[size] = 0;
        wrong = size == CONFIG_SIZE - 1 ? "everybranch.cfg is larger than 8190 bytes"
                                        : options_of_file(options, text, size);
    }
    if (wrong)
        return wrong;
    return options_of_load(options, loaded->LoadOptions,
                           loaded->LoadOptions ? loaded->LoadOptionsSize : 0,
                           text_into(text, CONFIG_SIZE), &handoff.ignored);
}

static const char *read_options(struct options *options, const EFI_LOADED_IMAGE *loaded)
{
    char *text; /* not in the image, which would be larger by that */
    *options = options_default();
    if (EFI_ERROR(BS->AllocatePool(EfiLoaderData, CONFIG_SIZE, (void **)&text)))
        return "the firmware has no memory for the options";
    const char *wrong = parse_both(options, loaded, text);
    BS->FreePool(text);
    return wrong;
}

/* Four times the BTS buffer, of which the log and all records take their parts, too. */
static UINT64 wanted_memory(void)
{
    UINT64 size = MEMORY_LARGEST;
    while (size < 4ull * handoff.options.buffer * BTS_RECORD && size < BELOW_4_GIB / 2)
        size *= 2;
    size += (handoff.processors.wanted - 1) * MEMORY_OF_OTHER;
    return size < MEMORY_MOST ? size : MEMORY_MOST;
}

/* Does the firmware run on something in there, which it says is free? */
static BOOLEAN is_in_use(UINT64 begin, UINT64 size)
{
    struct {
        UINT16 limit;
        UINT64 base;
    } __attribute__((packed)) gdt, idt;
    __asm__ volatile("sgdt %0; sidt %1" : "=m"(gdt), "=m"(idt));
    const UINT64 used[] = { gdt.base, idt.base, read_cr3() & CR3_TABLE, (UINT64)&gdt };
    for (UINTN i = 0; i < sizeof used / sizeof used[0]; i++)
        if (used[i] - begin < size)
            return TRUE;
    return FALSE;
}

/* As much as there is, in one piece.  NULL, or in a sentence why there is none. */
static const char *take_memory(void)
{
    for (UINT64 size = wanted_memory(); size >= KERNEL_MEMORY_LEAST; size /= 2) {
        EFI_PHYSICAL_ADDRESS at = BELOW_4_GIB;
        if (EFI_ERROR(BS->AllocatePages(AllocateMaxAddress, EfiLoaderData, size / PAGE_SIZE,
                                        &at)))
            continue;
        if (is_in_use(at, size))
            return "the firmware's stack, page tables, GDT or IDT lie in memory that it "
                   "hands out as free";
        handoff.memory = at;
        handoff.memory_size = size;
        return NULL;
    }
    return "not even 16 MiB of memory below 4 GiB, in one piece";
}

/* The shortest of a few: a hypervisor that takes the processor away makes one longer. */
static UINT64 measure_tsc(void)
{
    UINT64 shortest = ~0ull;
    for (int i = 0; i < 4; i++) {
        UINT64 start = rdtsc();
        BS->Stall(MEASURE_US);
        UINT64 ticks = rdtsc() - start;
        shortest = ticks < shortest ? ticks : shortest;
    }
    return shortest * (1000000 / MEASURE_US);
}

/*
 * After this there is no console, no file system and no way back.  The map is
 * fetched into the same buffer again where an event changed it in between (UEFI
 * Specification, "EFI_BOOT_SERVICES.ExitBootServices()").
 */
static BOOLEAN exit_boot_services(EFI_HANDLE image)
{
    const UINTN slack = 16 * PAGE_SIZE;
    EFI_MEMORY_DESCRIPTOR *map;
    UINTN size = 0, key, descriptor;
    UINT32 version;
    BS->GetMemoryMap(&size, NULL, &key, &descriptor, &version);
    UINTN capacity = size + slack;
    if (EFI_ERROR(BS->AllocatePool(EfiLoaderData, capacity, (void **)&map)))
        return FALSE;
    for (int attempt = 0; attempt < 4; attempt++) {
        size = capacity;
        if (EFI_ERROR(BS->GetMemoryMap(&size, map, &key, &descriptor, &version)))
            return FALSE;
        if (!EFI_ERROR(BS->ExitBootServices(image, key)))
            return TRUE;
    }
    return FALSE;
}

/* The kernel calls this between two pieces of its work. */
static const char *checkpoint(const char *log, size_t size)
{
    firmware_resume();
    const char *log_error =
        firmware_ticks() ? journal_save(log, size) : "the firmware's clock has stopped";
    firmware_pause();
    return log_error;
}

/* With all processors that are asked for, which are back before it is over, or never. */
static void run_all(void)
{
    struct start start = kernel_start_aps();
    processors_start(&start);
    firmware_pause();
    kernel_run();
    firmware_resume();
    handoff.processors.not_back = !processors_back();
}

/* Begins the log.  NULL, or why the machine had better not be taken. */
static const char *begin_log(void)
{
    handoff.checkpoint = checkpoint;
    journal_open(root);
    firmware_pause();
    kernel_begin(&handoff);
    firmware_resume();
    if (!handoff.options.retry)
        journal_recall(kernel_recall_taking);
    return kernel_died_taking();
}

/* Runs what the options ask for, or commands.  *then: what to do afterwards. */
static struct aftermath run_kernel(enum afterwards *then)
{
    firmware_pause();
    kernel_open();
    firmware_resume();
    if (!handoff.options.retry)
        journal_recall(kernel_recall);
    if (handoff.by_command)
        *then = monitor(&handoff.options);
    else
        run_all();
    firmware_pause();
    struct aftermath after = kernel_close();
    firmware_resume();
    return after;
}

static const char *joined(const char *begin, const char *end)
{
    static char buffer[128];
    struct text text = text_into(buffer, sizeof buffer);
    text_string(&text, begin);
    text_string(&text, end);
    return buffer;
}

static BOOLEAN save_log(const struct aftermath *after)
{
    const char *log_error = journal_save(after->log, after->log_size);
    if (log_error)
        say_in(TONE_BAD, joined("the log is NOT saved: ", log_error));
    else
        say(joined("the log is saved as logs\\", journal_name()));
    journal_close();
    if (root)
        root->Close(root);
    return !log_error;
}

/*
 * Lets a person read the screen before the firmware draws its own again.  The letter of
 * the key, if it has one and comes in time, else 0.
 */
static CHAR16 wait_for_key(const char *prompt)
{
    EFI_EVENT events[2];
    EFI_INPUT_KEY key = { 0 };
    UINTN which;
    if (!ST->ConIn || !ST->ConIn->ReadKeyStroke)
        return 0;
    say(prompt);
    if (EFI_ERROR(BS->CreateEvent(EVT_TIMER, TPL_APPLICATION, NULL, NULL, &events[0])))
        return 0;
    BS->SetTimer(events[0], TimerRelative, KEY_WAIT_S * UNITS_PER_S);
    events[1] = ST->ConIn->WaitForKey;
    BS->WaitForEvent(2, events, &which);
    BS->CloseEvent(events[0]);
    if (handoff.framebuffer.size)
        console_clear(); /* the firmware does not know what the kernel drew */
    ST->ConIn->ReadKeyStroke(ST->ConIn, &key); /* it leaves key alone where there is none */
    return key.UnicodeChar;
}

/* Waits without the firmware, and so without a key. */
static void wait_for_reader(void)
{
    kernel_show("the machine switches off in a minute", TONE_PLAIN);
    UINT64 begin = rdtsc();
    while (rdtsc() - begin < KEY_WAIT_S * handoff.tsc_hz)
        pause();
}

/* Returns why the machine cannot be taken, in a sentence, or NULL. */
static const char *prepare(const EFI_LOADED_IMAGE *loaded)
{
    const char *wrong = read_options(&handoff.options, loaded);
    if (wrong)
        return wrong;
    handoff.by_command = handoff.options.monitor || handoff.options.commands[0];
    if (handoff.by_command && handoff.options.exit_boot_services)
        return "monitor and do need the firmware, and exit-boot-services sends it away";
    if (kernel_lacks())
        return kernel_lacks();
    bundles_read(root, &handoff);
    if (kernel_refuses(&handoff))
        return kernel_refuses(&handoff);
    processors_find(&handoff);
    return take_memory();
}

/*
 * The next program that the firmware starts draws over this message.  QEMU ends instead:
 * whoever started it with a wrong word would wait for a log that never comes.
 */
static EFI_STATUS refuse(const char *why)
{
    if (!returns())
        console_clear(); /* else the firmware's logo stays in the middle of the text */
    say(why);
    if (!returns() && qemu_detected())
        qemu_exit(FALSE);
    if (!returns())
        wait_for_key("nothing was done; the firmware goes on in a minute, or at a key");
    return EFI_UNSUPPORTED;
}

/* With boot services gone: the kernel's run, then reset, for nothing is left to return to.
 */
static void run_for_good(EFI_HANDLE image)
{
    if (!exit_boot_services(image)) {
        say("the firmware refused ExitBootServices");
        return;
    }
    __asm__ volatile("cli");
    kernel_begin(&handoff);
    kernel_open();
    kernel_start_aps();
    kernel_run();
    struct aftermath after = kernel_close();
    if (qemu_detected())
        qemu_exit(after.complete && !after.lost);
    if (handoff.framebuffer.size)
        wait_for_reader();
    RT->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table); /* called by crt0 */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
    static EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    EFI_LOADED_IMAGE *loaded;
    EFI_STATUS returned;

    ST = table;
    BS = table->BootServices;
    RT = table->RuntimeServices;
    if (EFI_ERROR(BS->HandleProtocol(image, &loaded_image, (void **)&loaded)))
        return EFI_UNSUPPORTED;
    if (low_run(efi_main, loaded->ImageSize, image, table, &returned))
        return returned;
    BS->SetWatchdogTimer(0, 0, 0, NULL); /* the boot manager armed it: 5 minutes */
    console_print(LOG_SAYS LOG_TAKING "\n");

    root = files_open(image);
    const char *wrong = prepare(loaded);
    if (wrong)
        return refuse(wrong);
    identity_find(&handoff);
    handoff.image_base = (UINT64)ImageBase;
    handoff.image_size = loaded->ImageSize;
    handoff.tsc_hz = measure_tsc();
    devices_find(&handoff);
    if (handoff.by_command)
        handoff.framebuffer.size = 0; /* the firmware's console is there */

    if (handoff.options.exit_boot_services) {
        run_for_good(image);
        return EFI_DEVICE_ERROR;
    }
    wrong = begin_log();
    if (wrong) {
        journal_abandon();
        devices_restore(&handoff);
        return refuse(wrong);
    }
    enum afterwards then = GO_ON;
    struct aftermath after = run_kernel(&then);
    devices_restore(&handoff);
    if (handoff.framebuffer.size && returns())
        console_clear();
    if (!handoff.by_command)
        console_print(after.screen);
    if (!after.complete)
        say_in(TONE_BAD, "the log did not fit in memory, its end is missing");
    const char *line;
    for (UINTN n = 0; (line = kernel_past(n)); n++)
        say_in(TONE_ODD, line);
    BOOLEAN good = save_log(&after) && after.complete && !after.lost;
    if (after.lost) {
        say_in(TONE_BAD, LOST_PROCESSOR);
        if (!qemu_detected() && !handoff.options.exit)
            wait_for_key("the machine is reset in a minute, or at a key");
        then = RESET;
    }
    if (returns() && then != RESET)
        return good ? EFI_SUCCESS : EFI_ABORTED;
    if (qemu_detected())
        qemu_exit(good);
    if (then == RESET || handoff.options.exit == EXIT_RESET)
        RT->ResetSystem(EfiResetCold, EFI_SUCCESS, 0, NULL);
    if (then == GO_ON && wait_for_key(LAST_PROMPT) == L'm' &&
        EFI_ERROR(monitor_start(image)))
        say("the monitor did not start, or did not end well");
    return good ? EFI_SUCCESS : EFI_ABORTED;
}
