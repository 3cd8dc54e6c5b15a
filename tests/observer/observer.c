/*
 * Writes down every control transfer that really ran while the window was open.
 *
 * A plugin of QEMU's TCG: it sits outside the guest and sees each instruction just
 * before it runs, whatever the guest's own tracing does.  The kernel marks the
 * window with two long NOPs (kernel/hardware/window.asm); from the first of them follows
 * where everything else lies, since the distances are known from the linked image.
 *
 *      -plugin observer.so,out=FILE,call=N,back=N,begin=N,end=N
 *
 *      [,compat=N,compat_end=N]...
 *
 * N: bytes from the opening marker to the window's CALL, to the closing marker, and
 * to both ends of the workloads, and of each part of them that is code of 32 bits;
 * tests/observer/arguments asks nm for them.
 *
 * Only instructions of the workloads and the window's CALL count: the handlers of
 * the kernel are the instrument.  After an instruction A that counts, the next one
 * that counts, B, is where A led:
 *
 *      A always branches           a transfer A -> B, even to the next instruction
 *      B is not after A            a transfer A -> B: a branch, or an event and the
 *                                  entry of its handler
 *      B is A, and A no branch     none: a repeated string instruction, or one that
 *                                  TCG began again (as after a write to its own code)
 *
 * A conditional branch to the next instruction cannot be told from one not taken:
 * a plugin reads no flags.  Whoever compares must leave those out.
 *
 * FILE: a line `observer 1`, and for each window `window N`, lines `0xFROM 0xTO xN`
 * (equal neighbours folded, oldest first) and `closed`, or `left` when it never was;
 * at the end `end WINDOWS`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>
/*
 * The header is that of the emulator's QEMU.  Another QEMU may have another version of the
 * interface, PLUGIN_API: in 1, before QEMU 9.0, qemu_plugin_insn_data() copies nothing and
 * returns where the bytes are; from 7 on, QEMU 11.1's, each callback gets a pointer of the
 * plugin's and none the plugin's number.
 */
#ifdef PLUGIN_API
#define qemu_plugin_insn_data                 header_insn_data
#define qemu_plugin_register_vcpu_tb_trans_cb header_tb_trans_cb
#define qemu_plugin_register_atexit_cb        header_atexit_cb
#include <qemu-plugin.h>
#undef qemu_plugin_insn_data
#undef qemu_plugin_register_vcpu_tb_trans_cb
#undef qemu_plugin_register_atexit_cb
#else
#include <qemu-plugin.h>
#define PLUGIN_API QEMU_PLUGIN_VERSION
#endif
QEMU_PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_API;

#if PLUGIN_API == 1
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);

static size_t read_insn(struct qemu_plugin_insn *insn, uint8_t *code, size_t size)
{
    size_t length = qemu_plugin_insn_size(insn);

    memcpy(code, qemu_plugin_insn_data(insn), length < size ? length : size);
    return length < size ? length : size;
}
#else
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *, void *, size_t);

static size_t read_insn(struct qemu_plugin_insn *insn, uint8_t *code, size_t size)
{
    return qemu_plugin_insn_data(insn, code, size);
}
#endif

/* nop dword [rax + disp32], with the displacements of kernel/hardware/window.asm. */
static const uint8_t mark_open[] = { 0x0f, 0x1f, 0x80, 0x52, 0x42, 0x56, 0x45 };
static const uint8_t mark_close[] = { 0x0f, 0x1f, 0x80, 0x43, 0x42, 0x56, 0x45 };

/* Distances from the opening marker. */
enum distance { CALL, BACK, BEGIN, END, DISTANCES };
static const char *const distance_names[DISTANCES] = { "call", "back", "begin", "end" };
static int64_t distances[DISTANCES];

/* Code of 32 bits, as distances too. */
#define COMPAT_MAX 64
static struct {
    int64_t begin, end;
} compat[COMPAT_MAX];
static size_t compat_count;

struct insn {
    uint64_t at;
    uint8_t length;
    bool branch, always; /* may jump; jumps whenever it completes */
};

static FILE *out;
static ZydisDecoder decoder, decoder_32;
static uint64_t marker;    /* address of the opening one; 0 until it is met */
static struct insn *insns; /* one for each byte of the workloads */
static struct insn call;

static bool is_open;
static uint64_t windows;
static const struct insn *last; /* the instruction that ran last in this window */
static struct {
    uint64_t from, to, times;
} run; /* of equal transfers, not yet written */

static void fail(const char *what)
{
    fprintf(stderr, "observer: %s\n", what);
    exit(2); /* a trace with a hole in it must not look like one without */
}

static void write_run(void)
{
    if (run.times > 0)
        fprintf(out, "0x%" PRIx64 " 0x%" PRIx64 " x%" PRIu64 "\n", run.from, run.to,
                run.times);
    run.times = 0;
}

static void transfer(uint64_t from, uint64_t to)
{
    if (run.times > 0 && run.from == from && run.to == to) {
        run.times++;
        return;
    }
    write_run();
    run.from = from;
    run.to = to;
    run.times = 1;
}

static void went_to(uint64_t to)
{
    if (!last)
        return;
    if (last->always || (to != last->at + last->length && (to != last->at || last->branch)))
        transfer(last->at, to);
}

static void leave(const char *how)
{
    write_run();
    fprintf(out, "%s\n", how);
    if (fflush(out))
        fail("the output cannot be written");
    is_open = false;
}

static void on_open(unsigned int cpu, void *data)
{
    (void)data;
    if (cpu != 0)
        fail("a window opened on another processor than the first");
    if (is_open)
        leave("left");
    fprintf(out, "window %" PRIu64 "\n", ++windows);
    is_open = true;
    last = NULL;
}

static void on_insn(unsigned int cpu, void *data)
{
    const struct insn *insn = data;

    (void)cpu;
    if (!is_open)
        return;
    went_to(insn->at);
    last = insn;
}

static void on_close(unsigned int cpu, void *data)
{
    (void)cpu;
    (void)data;
    if (!is_open)
        return;
    went_to(marker + (uint64_t)distances[BACK]);
    leave("closed");
}

static const ZydisDecoder *decoder_at(uint64_t at)
{
    int64_t distance = (int64_t)(at - marker);

    for (size_t i = 0; i < compat_count; i++)
        if (distance >= compat[i].begin && distance < compat[i].end)
            return &decoder_32;
    return &decoder;
}

/*
 * Where an instruction reaches into the next page and is not the first of its block,
 * QEMU gives it up, to begin a block with it; what it has read of it stays at the end of
 * the block that is shown here, and such a piece must not replace what is known.
 */
static void decode(struct insn *insn, struct qemu_plugin_insn *of)
{
    ZydisDecodedInstruction decoded;
    uint8_t code[ZYDIS_MAX_INSTRUCTION_LENGTH];
    size_t length = read_insn(of, code, sizeof(code));
    ZyanStatus status = ZydisDecoderDecodeInstruction(
        decoder_at(qemu_plugin_insn_vaddr(of)), NULL, code, length, &decoded);

    if (status == ZYDIS_STATUS_NO_MORE_DATA)
        return;
    insn->at = qemu_plugin_insn_vaddr(of);
    insn->length = (uint8_t)length;
    if (!ZYAN_SUCCESS(status))
        return; /* no instruction: it can only raise an exception */
    switch (decoded.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        insn->branch = true;
        break;
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
        insn->branch = true;
        insn->always = decoded.mnemonic != ZYDIS_MNEMONIC_INTO;
        break;
    default:
        break;
    }
}

static bool is_marker(struct qemu_plugin_insn *insn, const uint8_t *mark)
{
    uint8_t code[sizeof(mark_open)];

    return qemu_plugin_insn_size(insn) == sizeof(code) &&
           read_insn(insn, code, sizeof(code)) == sizeof(code) &&
           memcmp(code, mark, sizeof(code)) == 0;
}

static void found_marker(uint64_t at)
{
    if (marker && marker != at)
        fail("there is an opening marker at a second place");
    if (marker)
        return;
    marker = at;
    insns = calloc((size_t)(distances[END] - distances[BEGIN]), sizeof(*insns));
    if (!insns)
        fail("no memory");
}

static void watch(struct qemu_plugin_insn *insn)
{
    uint64_t at = qemu_plugin_insn_vaddr(insn);
    int64_t distance;
    struct insn *known = NULL;

    if (is_marker(insn, mark_open)) {
        found_marker(at);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_open, QEMU_PLUGIN_CB_NO_REGS, NULL);
        return;
    }
    if (!marker)
        return; /* nothing of a workload runs before a window was opened */
    distance = (int64_t)(at - marker);
    if (distance == distances[BACK]) {
        if (!is_marker(insn, mark_close))
            fail("no closing marker after the window's CALL: arguments of another image?");
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_close, QEMU_PLUGIN_CB_NO_REGS,
                                               NULL);
        return;
    }
    if (distance == distances[CALL])
        known = &call;
    else if (distance >= distances[BEGIN] && distance < distances[END])
        known = &insns[distance - distances[BEGIN]];
    if (!known)
        return;
    decode(known, insn);
    qemu_plugin_register_vcpu_insn_exec_cb(insn, on_insn, QEMU_PLUGIN_CB_NO_REGS, known);
}

static void watch_all(struct qemu_plugin_tb *tb)
{
    size_t count = qemu_plugin_tb_n_insns(tb);

    for (size_t i = 0; i < count; i++)
        watch(qemu_plugin_tb_get_insn(tb, i));
}

static void end(void)
{
    if (is_open)
        leave("left");
    fprintf(out, "end %" PRIu64 "\n", windows);
    if (fclose(out))
        fail("the output cannot be written");
}

#if PLUGIN_API >= 7
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                           void (*)(struct qemu_plugin_tb *, void *),
                                           void *);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(void *), void *);

static void on_translation(struct qemu_plugin_tb *tb, void *data)
{
    (void)data;
    watch_all(tb);
}

static void on_end(void *data)
{
    (void)data;
    end();
}

static void register_callbacks(qemu_plugin_id_t id)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation, NULL);
    qemu_plugin_register_atexit_cb(id, on_end, NULL);
}
#else
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                           qemu_plugin_vcpu_tb_trans_cb_t);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, qemu_plugin_udata_cb_t, void *);

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    watch_all(tb);
}

static void on_end(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    end();
}

static void register_callbacks(qemu_plugin_id_t id)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_end, NULL);
}
#endif

/* Takes one NAME=VALUE; false where it is none of ours. */
static bool argument(const char *text)
{
    const char *value = strchr(text, '=');
    char *end;

    if (!value)
        return false;
    value++;
    if (strncmp(text, "out=", 4) == 0) {
        out = fopen(value, "w");
        return out;
    }
    if (strncmp(text, "compat=", 7) == 0 && compat_count < COMPAT_MAX) {
        compat[compat_count++].begin = strtoll(value, &end, 0);
        return *value && !*end;
    }
    if (strncmp(text, "compat_end=", 11) == 0 && compat_count > 0) {
        compat[compat_count - 1].end = strtoll(value, &end, 0);
        return *value && !*end;
    }
    for (int i = 0; i < DISTANCES; i++)
        if (strncmp(text, distance_names[i], (size_t)(value - 1 - text)) == 0 &&
            distance_names[i][value - 1 - text] == '\0') {
            distances[i] = strtoll(value, &end, 0);
            return *value && !*end;
        }
    return false;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info,
                                           int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        if (!argument(argv[i])) {
            fprintf(stderr,
                    "observer: %s: want out=FILE that can be written, or call=, "
                    "back=, begin= or end= with a distance\n",
                    argv[i]);
            return 1;
        }
    if (!out || distances[CALL] == 0 || distances[BACK] <= distances[CALL] ||
        distances[END] <= distances[BEGIN] ||
        !ZYAN_SUCCESS(
            ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
        !ZYAN_SUCCESS(ZydisDecoderInit(&decoder_32, ZYDIS_MACHINE_MODE_LONG_COMPAT_32,
                                       ZYDIS_STACK_WIDTH_32))) {
        fprintf(stderr, "observer: want out=, call=, back= after it, begin=, and end= "
                        "after that\n");
        return 1;
    }
    fprintf(out, "observer 1\n");
    register_callbacks(id);
    return 0;
}
