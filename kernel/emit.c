/* emit.h.  Lines are built in one buffer, sealed, and go to RAM and serial alike. */
#include "emit.h"

#include "apic.h"

#include "filter.h"
#include "fold.h"
#include "packed.h"
#include "portable.h"
#include "serial.h"
#include "text.h"
#include "version.h"

#define CODE_BYTES_PER_LINE 64
#define DATA_BYTES_PER_LINE 144  /* a multiple of 3: 192 characters of base64 */
#define PACK_FROM_LINES     1000 /* a folded trace of so many lines is packed */
#define LINE_ROOM           (LOG_LINE_MAX - 24) /* what the trailer leaves for a body */

static struct {
    char *at;
    size_t size, room;
    bool overflow;
} ram;

static bool held;           /* the serial line gets the log at its end */
static struct text *copied; /* or NULL                                 */
static struct log_chain chain;
static struct log_map
    map; /* of the run that is being written, and the image at all times */

static char buffer[LOG_LINE_MAX + 1];
static struct text line;

static struct packing packing;

void emit_init(char *at, size_t room, const struct packing *given)
{
    ram.at = at;
    ram.room = room;
    packing = *given;
    packed_init(packing.kept, packing.kept_room);
}

static void to_serial(const char *bytes, size_t count)
{
    serial_write(bytes, count);
    serial_write("\r\n", 2);
}

void emit_hold(void)
{
    held = true;
}

void emit_release(void)
{
    if (!held)
        return;
    held = false;
    to_serial("", 0); /* the firmware's console may be in the middle of a line */
    for (size_t at = 0, end; at < ram.size; at = end + 1) {
        for (end = at; end < ram.size && ram.at[end] != '\n'; end++) {
        }
        to_serial(ram.at + at, end - at);
    }
}

void emit_copy(struct text *to)
{
    copied = to;
}

size_t emit_size(bool *complete)
{
    *complete = !ram.overflow;
    return ram.size;
}

static void to_ram(const char *bytes, size_t count)
{
    if (ram.room - ram.size < count) {
        ram.overflow = true; /* the file then ends early, and so without its last line */
        ram.room = ram.size;
        return;
    }
    for (size_t i = 0; i < count; i++)
        ram.at[ram.size++] = bytes[i];
}

static void begin(const char *word)
{
    line = text_into(buffer, sizeof buffer);
    text_string(&line, word);
}

static void finish(void)
{
    if (copied) {
        text_string(copied, line.at);
        text_string(copied, "\n");
    }
    log_seal(&chain, &line);
    if (!held)
        to_serial(line.at, line.length);
    to_ram(line.at, line.length);
    to_ram("\n", 1);
}

static void put_key(const char *key)
{
    text_string(&line, " ");
    text_string(&line, key);
    text_string(&line, "=");
}

static void put_text(const char *key, const char *value)
{
    put_key(key);
    text_string(&line, value);
}

/* Firmware and processors may put anything into their names; a quote ends a value. */
static void put_quoted(const char *key, const char *value)
{
    put_key(key);
    text_string(&line, "\"");
    for (char c[2] = { 0 }; *value; value++) {
        c[0] = *value >= ' ' && *value <= '~' && *value != '"' ? *value : '?';
        text_string(&line, c);
    }
    text_string(&line, "\"");
}

static void put_decimal(const char *key, uint64_t value)
{
    put_key(key);
    text_decimal(&line, value);
}

static void put_hex(const char *key, uint64_t value)
{
    put_text(key, "0x");
    text_hex(&line, value);
}

static void put_msr(const char *key, bool present, uint64_t value)
{
    if (present)
        put_hex(key, value);
    else
        put_text(key, "absent");
}

/* Some processors put their name at the right end of its room. */
static const char *without_padding(const char *name)
{
    while (*name == ' ')
        name++;
    return name;
}

static void emit_leaf(const struct cpuid_leaf *leaf)
{
    static const char *const names[] = { "eax", "ebx", "ecx", "edx" };
    begin("cpuid");
    put_hex("leaf", leaf->leaf);
    put_hex("subleaf", leaf->subleaf);
    for (size_t i = 0; i < 4; i++)
        put_hex(names[i], leaf->registers[i]);
    finish();
}

void emit_cpu(const struct cpu *cpu)
{
    begin("cpu");
    put_quoted("vendor", cpu->id.vendor);
    put_hex("family", cpu->id.family);
    put_hex("model", cpu->id.model);
    put_hex("stepping", cpu->id.stepping);
    put_hex("signature", cpu->signature);
    put_hex("microcode", cpu->microcode);
    put_quoted("hypervisor", cpu->hypervisor);
    put_quoted("brand", without_padding(cpu->brand));
    finish();

    begin("features");
    put_decimal("ds", cpu->id.ds);
    put_decimal("dtes64", cpu->id.dtes64);
    put_decimal("ds_cpl", cpu->id.ds_cpl);
    put_decimal("pdcm", cpu->id.pdcm);
    put_decimal("arch_lbr", cpu->id.arch_lbr);
    put_hex("arch_lbr_depths", cpu->id.arch_lbr_depths);
    put_decimal("amd_lbr_v2", cpu->id.amd_lbr_v2);
    put_decimal("amd_lbr_v2_depth", cpu->id.amd_lbr_v2_depth);
    put_msr("perf_capabilities", cpu->has_perf_capabilities, cpu->perf_capabilities);
    put_decimal("perfmon", cpu->id.perfmon);
    put_msr("misc_enable", cpu->has_misc_enable, cpu->misc_enable);
    finish();

    for (size_t i = 0; i < cpu->leaf_count; i++)
        emit_leaf(&cpu->leaves[i]);

    begin("model");
    put_text("name", cpu->model ? cpu->model->name : "unknown");
    put_decimal("lbr_depth", cpu->lbr_depth);
    finish();
}

static void emit_identity(const struct identity *id, const char *secure_boot)
{
    begin("bios");
    put_quoted("vendor", id->bios_vendor);
    put_quoted("version", id->bios_version);
    put_quoted("date", id->bios_date);
    put_text("secure_boot", secure_boot);
    finish();

    begin("system");
    put_quoted("vendor", id->system_vendor);
    put_quoted("product", id->system_product);
    put_quoted("board_vendor", id->board_vendor);
    put_quoted("board_product", id->board_product);
    finish();
}

void emit_opening(const struct handoff *handoff, const struct cpu *cpu)
{
    if (!held)
        to_serial("", 0); /* as in emit_release */
    begin("everybranch");
    put_decimal("log", LOG_VERSION);
    put_text("build", EVERYBRANCH_BUILD);
    finish();

    begin("firmware");
    put_quoted("vendor", handoff->firmware_vendor);
    put_hex("revision", handoff->firmware_revision);
    finish();

    emit_identity(&handoff->identity, handoff->secure_boot);

    emit_cpu(cpu);

    map.image_at = handoff->image_base;
    map.image_size = handoff->image_size;
    begin("image");
    put_hex("base", map.image_at);
    put_hex("size", map.image_size);
    finish();

    map.call = (uint64_t)window_call;
    map.back = (uint64_t)window_back;
    begin("caller");
    put_hex("call", map.call);
    put_hex("return", map.back);
    finish();

    begin("apic");
    put_text("mode", apic_modes[apic_mode()]);
    finish();
}

static void put_left(const struct left *left)
{
    put_msr("debugctl", left->has_debugctl, left->debugctl);
    if (left->has_lbr_ctl)
        put_hex("lbr_ctl", left->lbr_ctl);
}

void emit_left(const struct left *left)
{
    begin("left");
    put_left(left);
    finish();
}

void emit_serial(const struct serial_state *serial)
{
    const struct serial_port *port = &serial->port;
    begin("serial");
    put_text("from", port->from ? port->from : "none");
    put_decimal("tried", serial->tried);
    if (port->from) {
        put_text("space", port->mmio ? "mmio" : "io");
        put_hex("at", port->address);
        put_decimal("stride", port->stride);
        put_decimal("width", port->width);
        put_decimal("clock", port->clock);
        put_decimal("baud", port->baud);
        put_decimal("divisor", serial->divisor);
        put_decimal("before", serial->before);
    }
    finish();
}

void emit_facility(const struct probed *facility)
{
    begin("facility");
    put_text("name", facility->name);
    put_text("outcome", finding_name(facility->finding));
    put_quoted("evidence", facility->evidence);
    finish();
}

/* Whether no row above names it, so that each label stands once; two may be one place. */
static bool new_label(const struct workload *w, uint32_t row, bool to)
{
    const char *label = to ? w->expect[row].to_label : w->expect[row].from_label;
    if (!*label)
        return false;
    for (uint32_t i = 0; i <= row; i++) {
        const struct taken *t = &w->expect[i];
        if (t->kind >= KIND_COUNT)
            continue;
        if ((i < row || to) && text_same(t->from_label, label))
            return false;
        if (i < row && text_same(t->to_label, label))
            return false;
    }
    return true;
}

static void put_label(const struct workload *w, const char *label, int32_t offset)
{
    if (line.length + LABEL_SIZE + 12 > LINE_ROOM) {
        finish();
        begin("labels");
        put_text("of", w->name);
    }
    put_hex(label, (uint32_t)offset);
}

/* What was recorded by a program and not written by hand has none. */
static bool has_labels(const struct workload *w)
{
    for (uint32_t i = 0; i < w->rows; i++)
        if (w->expect[i].from_label[0] || w->expect[i].to_label[0])
            return true;
    return false;
}

static void emit_labels(const struct workload *w)
{
    if (!has_labels(w))
        return;
    begin("labels");
    put_text("of", w->name);
    for (uint32_t i = 0; i < w->rows; i++) {
        const struct taken *row = &w->expect[i];
        if (row->kind >= KIND_COUNT)
            continue;
        if (row->from != CALLER && new_label(w, i, false))
            put_label(w, row->from_label, row->from);
        if (row->to != CALLER && new_label(w, i, true))
            put_label(w, row->to_label, row->to);
    }
    finish();
}

static void emit_code(const struct workload *w)
{
    for (uint32_t at = 0; at < w->size; at += CODE_BYTES_PER_LINE) {
        begin("code");
        put_text("of", w->name);
        put_hex("at", at);
        put_key("bytes");
        for (uint32_t i = at; i < w->size && i < at + CODE_BYTES_PER_LINE; i++)
            text_hex_padded(&line, w->code[i], 2);
        finish();
    }
}

/* Bytes in base64, a line of `word` for each 144 of them. */
static void emit_base64(const char *word, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += DATA_BYTES_PER_LINE) {
        size_t rest = size - at;
        begin(word);
        text_string(&line, " ");
        text_base64(&line, bytes + at,
                    rest < DATA_BYTES_PER_LINE ? rest : DATA_BYTES_PER_LINE);
        finish();
    }
}

void emit_bundle(const struct loading *loading)
{
    begin(loading->wrong ? "rejected" : "bundle");
    put_quoted("file", loading->name);
    if (loading->wrong)
        put_quoted("why", loading->wrong);
    else
        put_decimal("bytes", loading->size);
    finish();
    if (!loading->wrong)
        emit_base64("bytes", loading->bytes, loading->size);
}

void emit_workload(const struct workload *w)
{
    begin("workload");
    put_text("name", w->name);
    put_hex("at", (uint64_t)w->code);
    put_hex("size", w->size);
    put_decimal("stubs", w->stub_count);
    put_quoted("about", w->about);
    finish();
    emit_labels(w);
    emit_code(w);
}

/* The plan's lists grow name by name and go on in a further line when one is full. */
static bool listing, listing_filters;

static void put_listed(const char *key, const char *name)
{
    size_t length = 0;
    while (name[length])
        length++;
    if (listing && line.length + length + 1 > LINE_ROOM) {
        finish();
        listing = false;
    }
    if (!listing) {
        begin("plan");
        put_key(key);
    } else {
        text_string(&line, ",");
    }
    text_string(&line, name);
    listing = true;
}

void emit_plan_method(const char *name)
{
    put_listed("methods", name);
}

/* The first one closes the line of the methods: a plan begins with one of each. */
void emit_plan_workload(const char *name, size_t index, size_t runs)
{
    if (index > 0) {
        put_listed("workloads", name);
        return;
    }
    put_text("workloads", name);
    put_decimal("runs", runs);
    emit_plan_end();
}

void emit_plan_filter(uint32_t filter)
{
    char name[FILTER_TEXT_SIZE];
    if (!listing_filters) /* the line of the workloads is still open */
        emit_plan_end();
    listing_filters = true;
    put_listed("filters", filter_text(filter, name));
}

void emit_plan_end(void)
{
    if (listing)
        finish();
    listing = listing_filters = false;
}

void emit_note(const char *text)
{
    begin("note");
    put_quoted("text", text);
    finish();
}

void emit_command(const char *text)
{
    begin("command");
    put_quoted("text", text);
    finish();
}

void emit_answer(const char *text)
{
    begin("answer");
    put_quoted("text", text);
    finish();
}

void emit_msr(const struct msr_access *access)
{
    begin("msr");
    put_hex(access->is_write ? "write" : "read", access->number);
    put_text("name", access->name[0] ? access->name : "unknown");
    if (access->is_write)
        put_hex("value", access->written);
    if (access->faulted)
        put_text("gives", "#GP");
    else if (!access->reads)
        put_text("gives", "unreadable");
    else
        put_hex("gives", access->value);
    finish();
}

void emit_processors(const struct processors_told *told)
{
    begin("processors");
    put_text("way", told->way);
    put_decimal("found", told->found);
    put_decimal("wanted", told->wanted);
    put_decimal("started", told->started);
    put_text("together", told->different ? "different" : "same");
    finish();
}

void emit_processor(size_t number, uint32_t apic, size_t like, const struct left *left)
{
    begin("processor");
    put_decimal("n", number);
    put_hex("apic", apic);
    put_decimal("like", like);
    put_left(left);
    finish();
}

void emit_round(size_t number, size_t processors)
{
    begin("round");
    put_decimal("n", number);
    put_decimal("processors", processors);
    finish();
}

void emit_lost(size_t processor, const char *why)
{
    begin("lost");
    put_decimal("processor", processor);
    put_quoted("why", why);
    finish();
}

static void put_processor(const struct run *run)
{
    if (run->together)
        put_decimal("processor", run->processor);
}

static void put_filter(const struct run *run)
{
    char name[FILTER_TEXT_SIZE];
    if (run->filtered)
        put_text("filter", filter_text(run->filter, name));
}

static void put_draining(const struct draining *how)
{
    if (how->period) {
        put_key("event");
        event_put(&line, how->event, how->umask);
        put_decimal("period", how->period);
    } else {
        put_decimal("buffer", how->buffer);
        put_decimal("threshold", how->threshold);
    }
    put_text("delivery", how->nmi ? "nmi" : "fixed");
}

void emit_run(const struct run *run)
{
    map.workload = run->workload;
    map.workload_at = (uint64_t)run->workload->code;
    begin("run");
    put_decimal("n", run->number);
    put_text("method", run->method);
    put_text("workload", run->workload->name);
    put_filter(run);
    put_processor(run);
    put_decimal("room", run->room);
    if (run->info) {
        put_key("info");
        info_put_words(&line, run->info);
    }
    if (run->interrupted)
        put_draining(&run->draining);
    finish();
}

static void put_end(uint64_t address, enum log_end end)
{
    text_string(&line, " ");
    log_put_end(&line, &map, address, end);
}

/* A stop says what it saw of the flags, or of a counter how late it was. */
static void put_info(const struct run *run, uint64_t info)
{
    if (run->sampled && info)
        put_decimal("late", info);
    else if (info & STOP_TAKEN)
        text_string(&line, " taken");
    else if (info & STOP_NOT_TAKEN)
        text_string(&line, " not-taken");
}

static void put_record(const struct run *run, const struct branch *record)
{
    begin(run->stops ? "stop" : "branch");
    if (!run->stops)
        put_end(record->from, LOG_FROM);
    put_end(record->to, LOG_TO);
    put_info(run, record->info);
}

static void put_times(uint64_t times)
{
    text_string(&line, " x");
    text_decimal(&line, times);
}

static size_t folded_lines(const struct branch *records, size_t count)
{
    struct fold fold;
    size_t lines = 0;
    for (size_t at = 0; at < count && lines < PACK_FROM_LINES; lines++)
        at += fold_next(records, count, at, &fold);
    return lines;
}

static void emit_folded(const struct run *run, const struct branch *records, size_t count)
{
    struct fold fold;
    for (size_t at = 0; at < count;) {
        size_t covered = fold_next(records, count, at, &fold);
        if (fold.again) {
            begin("again");
            text_string(&line, " ");
            text_decimal(&line, fold.again);
            put_times(fold.times);
        } else {
            put_record(run, &records[at]);
            if (fold.times > 1)
                put_times(fold.times);
        }
        finish();
        at += covered;
    }
}

/* The packed bytes, or 0 where they found no room or an address looks like a tag. */
static size_t pack_records(const struct branch *records, size_t count)
{
    struct branch portable;
    pack_begin(packing.state, packing.bytes, packing.room);
    for (size_t i = 0; i < count; i++) {
        if (!portable_from(&map, &records[i], &portable))
            return 0;
        pack_add(packing.state, &portable);
    }
    return pack_end(packing.state);
}

static void emit_packed(const struct run *run, size_t count, size_t size)
{
    size_t earlier = packed_earlier(run->workload, run->number, count, packing.bytes, size);
    begin("packed");
    put_decimal("records", count);
    put_decimal("bytes", size);
    if (earlier)
        put_decimal("run", earlier);
    finish();
    if (!earlier)
        emit_base64("data", packing.bytes, size);
}

/* Text as long as a person would read it, packed beyond that. */
void emit_records(const struct run *run, const struct branch *records, size_t count)
{
    size_t size = 0;
    if (folded_lines(records, count) == PACK_FROM_LINES)
        size = pack_records(records, count);
    if (size)
        emit_packed(run, count, size);
    else
        emit_folded(run, records, count);
}

void emit_infos(const struct run *run, const struct info *infos, size_t count)
{
    for (size_t at = 0, same; at < count; at += same) {
        for (same = 1; at + same < count && info_same(&infos[at], &infos[at + same]);
             same++) {
        }
        begin("info");
        for (enum info_word i = 0; i < INFO_WORDS; i++) {
            if (!(run->info & INFO_HAS(i)))
                continue;
            put_key(info_names[i]);
            info_put_value(&line, i, infos[at].values[i]);
        }
        if (same > 1)
            put_times(same);
        finish();
    }
}

void emit_ran(const struct run *run, const struct ending *ending, const struct cost *cost)
{
    static const char *const names[] = {
        [ENDED] = "ended",     [CRASHED] = "crashed",   [BUDGET] = "budget",
        [TIMEOUT] = "timeout", [LIVELOCK] = "livelock", [GONE] = "gone"
    };
    begin("ran");
    put_decimal("n", run->number);
    put_text("outcome", names[ending->outcome]);
    put_decimal("records", cost->records);
    put_decimal("events", cost->events);
    put_decimal("lost", cost->lost);
    put_decimal("ticks", cost->ticks);
    if (run->together) {
        put_decimal("armed", cost->armed);
        put_decimal("open", ending->open);
    }
    if (run->interrupted) {
        if (run->draining.period)
            put_decimal("counted", cost->interrupts.counted);
        put_decimal("entries", cost->interrupts.entries);
        put_decimal("returns", cost->interrupts.returns);
        if (!cost->interrupts.late_unknown) {
            put_decimal("skid", cost->interrupts.skid);
            put_decimal("most", cost->interrupts.most);
        }
        put_decimal("unmasked", cost->interrupts.unmasked);
    }
    if (run->workload->flags & WORKLOAD_RESULT && ending->outcome == ENDED)
        put_hex("result", ending->result);
    if (ending->outcome == CRASHED) {
        put_decimal("vector", ending->vector);
        put_key("at");
        log_put_end(&line, &map, ending->at, LOG_TO);
    }
    finish();
}

void emit_repeats(const struct run *run, const struct repeats *repeats)
{
    begin("cost");
    put_decimal("n", run->number);
    put_decimal("asked", repeats->asked);
    put_decimal("made", repeats->made);
    put_decimal("least", repeats->least);
    put_decimal("most", repeats->most);
    finish();
}

void emit_skip(const struct run *run, const char *reason)
{
    begin("skip");
    put_decimal("n", run->number);
    put_text("method", run->method);
    put_text("workload", run->workload->name);
    put_filter(run);
    put_processor(run);
    put_quoted("reason", reason);
    finish();
}

void emit_try(const char *subject)
{
    begin("try ");
    text_string(&line, subject);
    finish();
}

void emit_avoid(const char *subject, const char *log)
{
    begin("avoid ");
    text_string(&line, subject);
    put_text("log", log);
    finish();
}

void emit_cycles(const struct cycles *cycles)
{
    begin("cycles");
    put_decimal("done", cycles->done);
    put_decimal("checked", cycles->checked);
    put_decimal("alive", cycles->alive);
    finish();
}

void emit_end(const struct totals *totals)
{
    begin("end");
    put_decimal("runs", totals->runs);
    put_decimal("ran", totals->ran);
    put_decimal("skipped", totals->skipped);
    put_decimal("records", totals->records);
    finish();
}

void emit_panic(const char *why, const struct frame *frame)
{
    emit_release();
    begin("panic");
    put_quoted("why", why);
    if (frame) {
        put_decimal("vector", frame->vector);
        put_hex("error", frame->error);
        put_hex("rip", frame->rip);
        put_hex("rsp", frame->rsp);
        put_hex("rflags", frame->rflags);
        put_hex("rax", frame->rax);
        put_hex("rdi", frame->rdi);
    }
    finish();
}
