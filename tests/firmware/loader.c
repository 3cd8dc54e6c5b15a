/*
 * Starts the program in \everybranch.efi as other firmware than OVMF may, and compares what
 * it gives back with what it found, on each processor.
 *
 * \starts names what is to be started, one word each:
 *
 * high       above 4 GiB, with each register that can be set set to what it never has
 *            otherwise, on each processor: in the call itself, so that nothing of the
 *            firmware comes between
 * pt         with Processor Trace on
 * bts        with BTS on
 * lbr        with LBR on, and CR0.WP off
 * ldt        with selectors of an LDT, on the first processor
 * ldt_of_others  the same on the others
 * idt32      with an IDT of 32 bits, and no interrupt that would go through it
 * nmi        with an NMI pending on each processor
 * watchdog   with the watchdog of boot services armed, for less time than all takes
 * bare       no ACPI, no SMBIOS, no GOP, no MP Services, no file system on the device, no
 *            console; load options that are binary
 * stack      on a small stack that is not aligned, at TPL_CALLBACK, with a Linux's options
 * holes      with no 16 MiB of memory in one piece
 * reused     with a GDT in memory that is free
 * slow       with a console that takes its time and then says that it failed
 * mute       with a console whose functions are NULL
 * typed      the same, for the monitor
 * fewer      MP Services that count one processor
 * more       MP Services that count four
 * zero       MP Services that count none
 * huge       MP Services that count 2^32
 * disabled   the last processor is disabled
 * late       MP Services that start all and say EFI_TIMEOUT
 * refuse     MP Services that start none, and say so
 * silent     MP Services that start none, and say that all have come back
 * never      MP Services that start none, and never say that all have come back; the last
 */
#include <efi.h>

#include "enter.h"
#include "files.h"
#include "firmware.h"
#include "qemu.h"
#include "registers.h"
#include "start.h"

EFI_SYSTEM_TABLE *ST;
EFI_BOOT_SERVICES *BS;
EFI_RUNTIME_SERVICES *RT;

#define PROGRAMS_TSS 0x40
#define PAGE         4096u
#define CHUNK        16      /* pages: no more than the program itself needs */
#define ROOM         0x10000 /* pages: 256 MiB                               */
#define BELOW_4_GIB  0xffffffffull
#define STACK_PAGES  32 /* 128 KiB: UEFI Specification, "x64 Platforms" */
#define STACK_MARK   0x5a
#define RFLAGS_ODD   0x247002 /* ID, AC, NT, IOPL 3                           */
#define RFLAGS_IF    0x200
#define RFLAGS_KEPT  0x3f7700 /* all but those that any instruction changes   */
#define MEMORY_RO    0x20000
#define TICK         10000 /* 100 ns each */
#define STARTS_SIZE  1024
#define SOON         500000 /* 50 ms: in the middle of it all */
#define WAIT_US      100000

/* --- what is written ----------------------------------------------------------------- */

static void say(const char *text)
{
    console_print(text);
}

static void say_hex(UINT64 value)
{
    char text[19] = "0x", *to = text + 2;
    int digits = 1;
    while (digits < 16 && value >> 4 * digits)
        digits++;
    while (digits-- > 0)
        *to++ = "0123456789abcdef"[value >> 4 * digits & 15];
    *to = 0;
    say(text);
}

static const char *start_name;
static UINTN wrong; /* of this start */

/* "firmware: high cpu0 gdt kept", or each value of the group that is not. */
static void say_group(UINTN cpu, const char *group, BOOLEAN kept)
{
    say("firmware: ");
    say(start_name);
    say(" cpu");
    say_hex(cpu);
    say(" ");
    say(group);
    say(kept ? " kept\n" : " NOT kept\n");
    wrong += !kept;
}

static void say_values(UINTN cpu, const char *name, UINT64 got, UINT64 want)
{
    say("firmware: cpu");
    say_hex(cpu);
    say(" ");
    say(name);
    say(": got ");
    say_hex(got);
    say(", want ");
    say_hex(want);
    say("\n");
}

static void say_fact(const char *what, BOOLEAN is_so)
{
    say("firmware: ");
    say(start_name);
    say(is_so ? " " : " NOT ");
    say(what);
    say("\n");
    wrong += !is_so;
}

static BOOLEAN same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

/* No instruction loads TR with the null selector that it had: the program's TSS stays. */
static BOOLEAN stays(const struct value *before, UINT64 after)
{
    return same_text(before->name, "tr") && !before->is && after == PROGRAMS_TSS;
}

/* Shows that what CR4 can have was on. */
static void say_cr4(UINTN cpu, const struct value *value)
{
    if (!same_text(value->name, "cr4"))
        return;
    say("firmware: ");
    say(start_name);
    say(" cpu");
    say_hex(cpu);
    say(" cr4 was ");
    say_hex(value->is);
    say("\n");
}

static void compare(UINTN cpu, const struct values *before, const struct values *after)
{
    BOOLEAN kept = TRUE;
    for (UINTN i = 0; i < before->count; i++) {
        const struct value *a = &before->at[i], *b = &after->at[i];
        say_cr4(cpu, a);
        BOOLEAN is = a->is == b->is || stays(a, b->is);
        if (!is)
            say_values(cpu, a->name, b->is, a->is);
        kept = kept && is;
        if (i + 1 < before->count && before->at[i + 1].group == a->group)
            continue;
        say_group(cpu, a->group, kept);
        kept = TRUE;
    }
}

/* --- a processor and the call -------------------------------------------------------- */

#define PROCESSORS 4
static struct processor {
    struct registers registers;
    struct values before, after;
    struct call call;
    UINT64 uppers[20], uppers_after[20]; /* of ymm6 to ymm15 */
    BOOLEAN had_avx;
} processors[PROCESSORS];
static UINTN called; /* processors */

static BOOLEAN sets_registers, pends_nmi; /* of this start */

static void EFIAPI (*program_procedure)(void *);

/* On the processor that calls. */
static UINT64 call_on(struct processor *p)
{
    for (UINTN i = 0; i < 20; i++)
        p->call.xmm[i] = 0x0123456789abcdef * (i + 1);
    for (UINTN i = 0; i < 20; i++)
        p->uppers[i] = 0x123456789abcdef0 * (i + 1);
    if (sets_registers)
        registers_set(&p->registers);
    registers_read(&p->before, p->registers.is_first);
    if (p->registers.has_avx)
        enter_set_uppers(p->uppers);
    if (pends_nmi)
        registers_pend_nmi();
    UINT64 result = enter(&p->call);
    if (p->registers.has_avx)
        enter_get_uppers(p->uppers_after);
    p->had_avx = p->registers.has_avx;
    registers_read(&p->after, p->registers.is_first);
    if (sets_registers && p->registers.is_first && !p->registers.has_32bit_idt)
        enter_watched(); /* at the breakpoint */
    if (sets_registers)
        registers_unset(&p->registers);
    return result;
}

static void EFIAPI call_procedure(void *argument)
{
    UINTN n = __atomic_add_fetch(&called, 1, __ATOMIC_SEQ_CST);
    struct processor *p = &processors[n];
    p->call = (struct call){ .function = (UINT64)program_procedure,
                             .arguments = { (UINT64)argument, 0 },
                             .rflags = sets_registers ? RFLAGS_ODD : 2 };
    call_on(p);
}

static void judge_processors(void)
{
    for (UINTN n = 0; n <= called; n++) {
        const struct processor *p = &processors[n];
        UINT64 got = p->call.after & RFLAGS_KEPT, want = p->call.rflags & RFLAGS_KEPT;
        compare(n, &p->before, &p->after);
        if (got != want)
            say_values(n, "rflags", got, want);
        say_group(n, "rflags", got == want);
        BOOLEAN xmm = TRUE;
        for (UINTN i = 0; i < 20; i++)
            xmm = xmm && p->call.xmm[i] == p->call.xmm_after[i];
        say_group(n, "xmm", xmm);
        BOOLEAN ymm = TRUE;
        for (UINTN i = 0; i < 20; i++)
            ymm = ymm && p->uppers[i] == p->uppers_after[i];
        if (p->had_avx)
            say_group(n, "ymm", ymm);
    }
}

/* --- services that differ ------------------------------------------------------------ */

static EFI_GUID mp_guid = {
    0x3fdda605, 0xa76e, 0x4f46, { 0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08 }
};
static EFI_GUID gop_guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
static EFI_GUID file_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
static EFI_GUID acpi_guids[] = { ACPI_20_TABLE_GUID, ACPI_TABLE_GUID };
static EFI_GUID smbios_guids[] = {
    SMBIOS_TABLE_GUID,
    { 0xf2fd1544, 0x9794, 0x4a2c, { 0x99, 0x2e, 0xe5, 0xbb, 0xcf, 0x20, 0xe3, 0x94 } }
};

static EFI_BOOT_SERVICES real;
static BOOLEAN is_bare; /* hides protocols */
static UINTN counted;   /* what MP Services say; 0: the truth */
#define COUNTED_ZERO ~0ull

/* How MP Services start processors. */
static enum starting { TRULY, LATE, REFUSING, SILENTLY, NEVER } starting;

/* PI Specification, vol. 2, "MP Services Protocol". */
struct services {
    EFI_STATUS(EFIAPI *count)(struct services *, UINTN *all, UINTN *enabled);
    void *info;
    EFI_STATUS(EFIAPI *start_all)
    (struct services *, void(EFIAPI *)(void *), BOOLEAN one_by_one, EFI_EVENT,
     UINTN timeout_us, void *argument, UINTN **failed);
    void *start_one, *switch_bsp;
    EFI_STATUS(EFIAPI *enable)
    (struct services *, UINTN number, BOOLEAN enabled, UINT32 *health);
    void *who_am_i;
};
static struct services *real_services, own_services;

static BOOLEAN same(const EFI_GUID *a, const EFI_GUID *b)
{
    const UINT64 *left = (const UINT64 *)a, *right = (const UINT64 *)b;
    return left[0] == right[0] && left[1] == right[1];
}

static EFI_STATUS EFIAPI count(struct services *self, UINTN *all, UINTN *enabled)
{
    (void)self;
    EFI_STATUS status = real_services->count(real_services, all, enabled);
    if (counted)
        *all = *enabled = counted == COUNTED_ZERO ? 0 : counted;
    return status;
}

static EFI_STATUS EFIAPI start_all(struct services *self, void(EFIAPI *procedure)(void *),
                                   BOOLEAN one_by_one, EFI_EVENT event, UINTN timeout_us,
                                   void *argument, UINTN **failed)
{
    (void)self;
    static EFI_EVENT
        own_event; /* the program may close its own when it is told of an error */
    if (starting == REFUSING)
        return EFI_NOT_READY;
    if (starting == SILENTLY)
        BS->SignalEvent(event);
    if (starting == SILENTLY || starting == NEVER)
        return EFI_SUCCESS;
    program_procedure = procedure;
    if (starting == LATE) {
        BS->CreateEvent(0, TPL_APPLICATION, NULL, NULL, &own_event);
        real_services->start_all(real_services, call_procedure, one_by_one, own_event,
                                 timeout_us, argument, failed);
        return EFI_TIMEOUT;
    }
    return real_services->start_all(real_services, call_procedure, one_by_one, event,
                                    timeout_us, argument, failed);
}

static EFI_STATUS EFIAPI locate_protocol(EFI_GUID *guid, void *registration, void **out)
{
    if (is_bare && same(guid, &mp_guid))
        return EFI_NOT_FOUND;
    if (same(guid, &mp_guid) && real_services) {
        *out = &own_services;
        return EFI_SUCCESS;
    }
    return real.LocateProtocol(guid, registration, out);
}

static EFI_STATUS EFIAPI locate_handles(EFI_LOCATE_SEARCH_TYPE type, EFI_GUID *guid,
                                        void *key, UINTN *handles, EFI_HANDLE **out)
{
    if (is_bare && type == ByProtocol && same(guid, &gop_guid))
        return EFI_NOT_FOUND;
    return real.LocateHandleBuffer(type, guid, key, handles, out);
}

static EFI_STATUS EFIAPI handle_protocol(EFI_HANDLE handle, EFI_GUID *guid, void **out)
{
    if (is_bare && (same(guid, &gop_guid) || same(guid, &file_guid)))
        return EFI_UNSUPPORTED;
    return real.HandleProtocol(handle, guid, out);
}

static UINTN watchdog_s; /* as it was set last */
static EFI_STATUS EFIAPI set_watchdog(UINTN seconds, UINT64 code, UINTN size, CHAR16 *data)
{
    watchdog_s = seconds;
    return real.SetWatchdogTimer(seconds, code, size, data);
}

static void hook(void)
{
    real = *BS;
    if (!EFI_ERROR(BS->LocateProtocol(&mp_guid, NULL, (void **)&real_services))) {
        own_services = *real_services;
        own_services.count = count;
        own_services.start_all = start_all;
    }
    BS->LocateProtocol = locate_protocol;
    BS->LocateHandleBuffer = locate_handles;
    BS->HandleProtocol = handle_protocol;
    BS->SetWatchdogTimer = set_watchdog;
}

static void unhook(void)
{
    *BS = real;
}

/* A console that takes its time: 20 ms for each text. */
static EFI_TEXT_OUTPUT_STRING put_fast;
static EFI_STATUS EFIAPI put_slowly(SIMPLE_TEXT_OUTPUT_INTERFACE *self, CHAR16 *text)
{
    real.Stall(20000);
    put_fast(self, text);
    return EFI_DEVICE_ERROR;
}

/* --- a start ------------------------------------------------------------------------- */

static UINTN ticks, once;
static void EFIAPI tick(EFI_EVENT event, void *context)
{
    (void)event;
    ++*(UINTN *)context;
}

/* Allocates until nothing is left below 4 GiB, where this firmware allocates first. */
static BOOLEAN fill_below_4_gib(void)
{
    EFI_PHYSICAL_ADDRESS at;
    do {
        if (EFI_ERROR(BS->AllocatePages(AllocateAnyPages, EfiLoaderCode, CHUNK, &at)))
            return FALSE;
    } while (at <= BELOW_4_GIB);
    return TRUE;
}

/* The program is loaded when there is no room, and started when there is. */
static EFI_STATUS load_high(EFI_HANDLE image, EFI_HANDLE *program)
{
    EFI_PHYSICAL_ADDRESS capacity = BELOW_4_GIB;
    EFI_STATUS status =
        BS->AllocatePages(AllocateMaxAddress, EfiBootServicesData, ROOM, &capacity);
    if (EFI_ERROR(status))
        return status;
    if (!fill_below_4_gib())
        say("firmware: the machine has no memory above 4 GiB\n");
    status = start_load(image, program);
    BS->FreePages(capacity, ROOM);
    return status;
}

/* UEFI Specification, "EFI_CPU_ARCH_PROTOCOL" of the PI Specification, vol. 2. */
struct cpu_arch {
    void *others[7];
    EFI_STATUS(EFIAPI *set_attributes)
    (struct cpu_arch *, EFI_PHYSICAL_ADDRESS, UINT64 length, UINT64 attributes);
};

static void set_read_only(UINT8 *page, BOOLEAN is)
{
    static EFI_GUID guid = {
        0x26baccb1, 0x6f42, 0x11d4, { 0xbc, 0xe7, 0x00, 0x80, 0xc7, 0x3c, 0x88, 0x81 }
    };
    struct cpu_arch *arch;
    if (EFI_ERROR(BS->LocateProtocol(&guid, NULL, (void **)&arch)) ||
        EFI_ERROR(arch->set_attributes(arch, (UINT64)page, PAGE, is ? MEMORY_RO : 0)))
        say("firmware: a page cannot be made read-only\n");
}

#define WATCHDOG_S 10 /* it is disarmed before */

struct start {
    const char *name;
    const void *options;
    UINTN options_size;
    BOOLEAN high, registers, bare, stack, slow, holes, reused, ldt, idt32, nmi, mute;
    BOOLEAN ldt_of_others;
    BOOLEAN disabled; /* a processor */
    int traces;
    UINTN watchdog; /* seconds */
    UINTN counted;
    enum starting starting;
    EFI_STATUS status; /* that the program gives back */
};

static void prepare_registers(const struct start *start)
{
    for (UINTN n = 0; n < PROCESSORS; n++) {
        struct registers *r = &processors[n].registers;
        EFI_PHYSICAL_ADDRESS at = BELOW_4_GIB;
        BS->AllocatePages(AllocateMaxAddress, EfiBootServicesData, 4, &at);
        *r = (struct registers){ .gdt = (UINT8 *)at,
                                 .idt = (UINT8 *)at + PAGE,
                                 .tss = (UINT8 *)at + 2 * PAGE,
                                 .buffer = (UINT8 *)at + 3 * PAGE,
                                 .traces = start->traces,
                                 .uses_ldt = n ? start->ldt_of_others : start->ldt,
                                 .has_32bit_idt = start->idt32,
                                 .is_first = n == 0 };
        BS->SetMem(r->tss, PAGE, 0);
        registers_prepare(r);
        set_read_only(r->gdt, TRUE);
        set_read_only(r->idt, TRUE);
    }
}

/* Microsoft's PE Format, "Optional Header". */
static UINT64 entry_of(const EFI_LOADED_IMAGE *loaded)
{
    const UINT8 *base = loaded->ImageBase;
    const UINT8 *header = base + *(const UINT32 *)(base + 0x3c);
    return (UINT64)base + *(const UINT32 *)(header + 0x28);
}

#define OPTIONS(text) text, sizeof text
static const UINT8 guid_bytes[] = { 0x4e, 0xac, 0x08, 0x81, 0x11, 0x9f, 0x59, 0x4d,
                                    0x85, 0x0e, 0xe2, 0x1a, 0x52, 0x2c, 0x59, 0xb2 };
static const struct start starts[] = {
    { "high", OPTIONS(L"everybranch.efi"), .high = TRUE, .registers = TRUE },
    { "pt", NULL, 0, .registers = TRUE, .traces = TRACES_PT },
    { "bts", NULL, 0, .registers = TRUE, .traces = TRACES_BTS },
    { "holes", NULL, 0, .holes = TRUE, .status = EFI_UNSUPPORTED },
    { "reused", NULL, 0, .reused = TRUE, .status = EFI_UNSUPPORTED },
    { "bare", OPTIONS(L"workload=loop method=step exit=return"), .bare = TRUE,
      .status = EFI_ABORTED }, /* the log is not saved */
    { "stack", OPTIONS(L"root=/dev/sdb3 ro quiet"), .stack = TRUE },
    { "slow", guid_bytes, sizeof guid_bytes, .slow = TRUE },
    { "fewer", OPTIONS(L"AB"), .counted = 1 },
    { "more", NULL, 0, .counted = 4 },
    { "refuse", NULL, 0, .starting = REFUSING },
    { "lbr", NULL, 0, .registers = TRUE, .traces = TRACES_LBR },
    /* OVMF starts the others with the first processor's DS, and without its LDT. */
    { "ldt", NULL, 0, .registers = TRUE, .ldt = TRUE, .counted = 1 },
    { "ldt_of_others", NULL, 0, .registers = TRUE, .ldt_of_others = TRUE },
    { "idt32", NULL, 0, .registers = TRUE, .idt32 = TRUE, .counted = 1 },
    { "nmi", NULL, 0, .registers = TRUE, .nmi = TRUE },
    { "watchdog", NULL, 0, .watchdog = WATCHDOG_S },
    { "mute", NULL, 0, .mute = TRUE },
    { "typed", OPTIONS(L"monitor"), .mute = TRUE },
    { "zero", NULL, 0, .counted = COUNTED_ZERO },
    { "huge", NULL, 0, .counted = 1ull << 32 },
    { "disabled", NULL, 0, .disabled = TRUE },
    { "late", NULL, 0, .starting = LATE },
    { "silent", NULL, 0, .starting = SILENTLY },
    { "never", NULL, 0, .starting = NEVER },
};

#define HOLES    1024
#define HOLE     2048   /* pages: 8 MiB */
#define GDT_ROOM 0x8000 /* pages: 128 MiB, more than the program takes */
static EFI_PHYSICAL_ADDRESS holes[HOLES];
static UINTN hole_count;

/* Every other piece of all memory below 4 GiB is free. */
static void make_holes(void)
{
    for (hole_count = 0; hole_count < HOLES; hole_count++) {
        holes[hole_count] = BELOW_4_GIB;
        if (EFI_ERROR(BS->AllocatePages(AllocateMaxAddress, EfiBootServicesData, HOLE,
                                        &holes[hole_count])))
            break;
    }
    for (UINTN i = 0; i < hole_count; i += 2)
        BS->FreePages(holes[i], HOLE);
}

static void end_holes(void)
{
    for (UINTN i = 1; i < hole_count; i += 2)
        BS->FreePages(holes[i], HOLE);
}

/* The firmware's own GDT, but in memory that is free. */
static void reuse_gdt(struct table *before)
{
    EFI_PHYSICAL_ADDRESS at = BELOW_4_GIB;
    BS->AllocatePages(AllocateMaxAddress, EfiBootServicesData, GDT_ROOM, &at);
    BS->FreePages(at, GDT_ROOM); /* OVMF fills it */
    __asm__ volatile("sgdt %0" : "=m"(*before));
    struct table table = { before->limit, at + GDT_ROOM / 2 * PAGE };
    BS->CopyMem((void *)table.base, (void *)before->base, table.limit + 1u);
    __asm__ volatile("lgdt %0" : : "m"(table));
}

static void hide_tables(const struct start *start)
{
    if (!start->bare)
        return;
    for (UINTN i = 0; i < 2; i++) {
        BS->InstallConfigurationTable(&acpi_guids[i], NULL);
        BS->InstallConfigurationTable(&smbios_guids[i], NULL);
    }
}

/* The last one. */
static void enable_processor(BOOLEAN enabled)
{
    UINTN all = 0, counted_enabled;
    if (real_services)
        real_services->count(real_services, &all, &counted_enabled);
    if (all < 2 || EFI_ERROR(real_services->enable(real_services, all - 1, enabled, NULL)))
        say("firmware: no processor can be disabled\n");
}

/* How much of the stack was never written. */
static UINTN stack_left(const UINT8 *stack)
{
    UINTN left = 0;
    while (left < STACK_PAGES * PAGE && stack[left] == STACK_MARK)
        left++;
    return left;
}

static EFI_STATUS run(const struct start *start, EFI_HANDLE program)
{
    static EFI_GUID loaded_image = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    EFI_LOADED_IMAGE *loaded;
    EFI_PHYSICAL_ADDRESS stack = BELOW_4_GIB;
    EFI_EVENT timer, shot;
    static SIMPLE_TEXT_OUTPUT_INTERFACE no_output;
    static SIMPLE_INPUT_INTERFACE no_input;
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = ST->ConOut;
    SIMPLE_INPUT_INTERFACE *in = ST->ConIn;
    EFI_TPL tpl = TPL_APPLICATION;
    struct table gdt;

    BS->HandleProtocol(program, &loaded_image, (void **)&loaded);
    loaded->LoadOptions = (void *)start->options;
    loaded->LoadOptionsSize = (UINT32)start->options_size;
    BS->AllocatePages(AllocateMaxAddress, EfiBootServicesData, STACK_PAGES, &stack);
    BS->SetMem((void *)stack, STACK_PAGES * PAGE, STACK_MARK);
    processors[0].call = (struct call){
        .function = entry_of(loaded),
        .arguments = { (UINT64)program, (UINT64)ST },
        .stack = start->stack ? stack + STACK_PAGES * PAGE - 8 : 0,
        .rflags = (start->registers ? RFLAGS_ODD : 2) | RFLAGS_IF,
    };
    processors[0].registers.is_first = TRUE;
    sets_registers = start->registers;
    counted = start->counted;
    starting = start->starting;
    pends_nmi = start->nmi;
    is_bare = start->bare;
    called = 0;
    put_fast = out->OutputString;
    once = 0;
    BS->CreateEvent(EVT_TIMER | EVT_NOTIFY_SIGNAL, TPL_CALLBACK, tick, &ticks, &timer);
    BS->CreateEvent(EVT_TIMER | EVT_NOTIFY_SIGNAL, TPL_CALLBACK, tick, &once, &shot);
    BS->SetTimer(timer, TimerPeriodic, TICK);
    BS->SetTimer(shot, TimerRelative, SOON);
    hook();
    watchdog_s = ~0ull;
    if (start->disabled)
        enable_processor(FALSE);
    if (start->watchdog)
        real.SetWatchdogTimer(start->watchdog, 0x10000, 0, NULL);
    if (start->slow)
        out->OutputString = put_slowly;
    if (start->bare) {
        ST->ConOut = NULL;
        ST->ConIn = NULL;
    }
    if (start->mute) {
        ST->ConOut = &no_output;
        ST->ConIn = &no_input;
    }
    if (start->stack)
        tpl = BS->RaiseTPL(TPL_CALLBACK);
    if (start->holes)
        make_holes();
    if (start->reused)
        reuse_gdt(&gdt);
    EFI_STATUS status = call_on(&processors[0]);
    BOOLEAN is_tpl_kept = TRUE;
    if (start->holes)
        end_holes();
    if (start->reused)
        __asm__ volatile("lgdt %0" : : "m"(gdt));
    if (start->stack) {
        EFI_TPL now = BS->RaiseTPL(TPL_HIGH_LEVEL);
        is_tpl_kept = now == TPL_CALLBACK;
        BS->RestoreTPL(now);
        BS->RestoreTPL(tpl);
    }
    ST->ConOut = out;
    ST->ConIn = in;
    out->OutputString = put_fast;
    unhook();
    if (start->disabled)
        enable_processor(TRUE);
    UINTN before = ticks;
    BS->Stall(start->watchdog ? (start->watchdog + 2) * 1000000 : WAIT_US);
    say_fact("the timer of the firmware goes on", ticks > before);
    say_fact("an event that was due meanwhile has come once", once == 1);
    say_fact("the watchdog is disarmed", !watchdog_s);
    BS->CloseEvent(timer);
    BS->CloseEvent(shot);
    if (start->stack) {
        say_fact("the task priority is as it was", is_tpl_kept);
        say("firmware: bytes of the stack that were used: ");
        say_hex(STACK_PAGES * PAGE - stack_left((UINT8 *)stack));
        say("\n");
    }
    return status;
}

static void do_start(EFI_HANDLE image, const struct start *start)
{
    EFI_HANDLE program;
    EFI_STATUS status =
        start->high ? load_high(image, &program) : start_load(image, &program);
    start_name = start->name;
    wrong = 0;
    enter_stops = enter_nmis = 0;
    if (EFI_ERROR(status)) {
        say("firmware: \\everybranch.efi could not be loaded\n");
        wrong++;
        return;
    }
    hide_tables(start);
    if (start->registers)
        prepare_registers(start);
    status = run(start, program);
    if (status != start->status)
        say_values(0, "status", status, start->status);
    say_fact("the program ended as it should", status == start->status);
    judge_processors();
    if (start->registers && !start->idt32)
        say_fact("the breakpoint stops again", enter_stops == 1);
    if (start->nmi) {
        say("firmware: NMIs that this firmware took: ");
        say_hex(enter_nmis);
        say("\n");
    }
}

/* Else the program ends the machine, since it sees that it is an emulated one. */
static void let_all_return(EFI_FILE_HANDLE root)
{
    static char option[] = "\nexit=return\n";
    UINTN size = sizeof option - 1;
    EFI_FILE_HANDLE file;
    if (EFI_ERROR(root->Open(root, &file, L"\\everybranch.cfg",
                             EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0)))
        return;
    file->SetPosition(file, ~0ull);
    file->Write(file, &size, option);
    file->Close(file);
}

static BOOLEAN is_word(const char *at, const char *word)
{
    while (*word && *at == *word)
        at++, word++;
    return !*word && (*at == '\n' || !*at);
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table); /* called by crt0 */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
    static char words[STARTS_SIZE];
    UINTN size = sizeof words - 1, all_wrong = 0;
    ST = table;
    BS = table->BootServices;
    RT = table->RuntimeServices;
    EFI_FILE_HANDLE root = files_open(image);
    if (!root || !files_read(root, L"\\starts", words, &size))
        say("firmware: there is no \\starts\n");
    let_all_return(root);
    for (const char *at = words; *at;) {
        const struct start *start = NULL;
        for (UINTN i = 0; i < sizeof starts / sizeof starts[0]; i++)
            if (is_word(at, starts[i].name))
                start = &starts[i];
        if (start)
            do_start(image, start);
        else
            say("firmware: \\starts has a word that is no start\n");
        all_wrong += !start || wrong;
        while (*at && *at++ != '\n') {
        }
    }
    say(all_wrong ? "firmware: NOT all is as it was\n" : "firmware: all is as it was\n");
    qemu_exit(size && !all_wrong);
    return EFI_SUCCESS;
}
