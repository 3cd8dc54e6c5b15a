#include "facts.h"

#include "heap.h"
#include "judge.h"
#include "log_run.h"

#define EMULATED "emulated by QEMU, nothing here is a property of silicon"

static const char *span_text(struct span span)
{
    return scratch_text("%.*s", SPAN(span));
}

static struct fact *add(struct facts *facts, const char *title, const char *text,
                        const char *about)
{
    struct fact *fact = &facts->at[facts->count++];

    *fact = (struct fact){ .title = title, .text = text, .about = about };
    return fact;
}

static const char *took_part(const struct processors_line *several)
{
    if (!several->line)
        return "the first one alone";
    return scratch_text(
        "%llu of %llu that were found%s", (unsigned long long)several->started,
        (unsigned long long)several->found, several->started > 1 ? ", all at once" : "");
}

static void add_processor(struct facts *facts, const struct log *log,
                          const struct cpu_part *cpu)
{
    const struct cpu_id *id = &cpu->id;
    const bool known = cpu->model.line != 0;

    add(facts, "processor", known ? span_text(cpu->named.brand) : NULL, NULL);
    add(facts, "took part", took_part(&log->machine.several), NULL)->page_only = true;
    add(facts, "signature",
        known ? scratch_text("%s family 0x%x model 0x%x stepping 0x%x", id->vendor,
                             id->family, id->model, id->stepping)
              : NULL,
        NULL);
    add(facts, "microcode",
        known ? scratch_text("0x%llx", (unsigned long long)cpu->named.microcode) : NULL,
        NULL);
}

static void add_hypervisor(struct facts *facts, const struct log *log,
                           const struct cpu_part *cpu)
{
    const struct platform *platform = cpu->platform, *host = cpu->host;
    const char *name = cpu->id.hypervisor, *about = NULL;

    if (!*name && (platform || !cpu->id.has_hypervisor))
        name = NULL;
    else if (!*name)
        name = "unnamed", about = "what it offers is not judged";
    else if (!platform && log->by_command && !cpu->facilities[FACILITY_BTF].line)
        about = "nothing was probed, so what it offers is not judged";
    else if (!platform)
        about = "unknown, so what it offers is not judged";
    else if (platform->emulated)
        about = EMULATED;
    add(facts, "hypervisor", name, about);
    add(facts, "platform", platform ? platform->name : NULL,
        platform ? platform->about : NULL);
    add(facts, "host", host ? host->hypervisor : NULL,
        host && host->emulated ? EMULATED : NULL);
}

static void add_firmware(struct facts *facts, const struct machine *m)
{
    add(facts, "Linux",
        m->os.line ? scratch_text("%.*s made the runs in a process", SPAN(m->os.release))
                   : NULL,
        NULL);
    add(facts, "firmware",
        m->firmware.line ? scratch_text("%.*s 0x%llx", SPAN(m->firmware.vendor),
                                        (unsigned long long)m->firmware.revision)
                         : NULL,
        NULL);
    add(facts, "BIOS", m->bios.line ? span_text(m->bios.version) : NULL,
        scratch_text("%.*s, %.*s, Secure Boot %.*s", SPAN(m->bios.vendor),
                     SPAN(m->bios.date), SPAN(m->bios.secure_boot)));
    add(facts, "machine",
        m->system.line
            ? scratch_text("%.*s %.*s", SPAN(m->system.vendor), SPAN(m->system.product))
            : NULL,
        NULL);
    add(facts, "board",
        m->system.board_product.length
            ? scratch_text("%.*s %.*s", SPAN(m->system.board_vendor),
                           SPAN(m->system.board_product))
            : NULL,
        NULL);
}

static void add_model(struct facts *facts, const struct cpu_part *cpu)
{
    const struct model *row = cpu->row;

    if (row)
        add(facts, "model", scratch_text("%s, LBR %zu deep", row->name, cpu->lbr_depth),
            row->about);
    else
        add(facts, "model", cpu->model.line ? "unknown" : NULL,
            "no row for this processor, so no method that needs one");
    add(facts, "row's source", row ? confidence_words[row->confidence] : NULL,
        row ? row->source : NULL)
        ->page_only = true;
}

static void put_left(struct text *out, const struct left_line *left)
{
    text_string(out, "by the firmware: DEBUGCTL=");
    log_put_named(out, WORD_LEFT, "debugctl", left);
    if (left->lbr_ctl.is) {
        text_string(out, " LBR_CTL=");
        log_put_named(out, WORD_LEFT, "lbr_ctl", left);
    }
    if (left->counters.is) {
        text_string(out, ", counters ");
        log_put_named(out, WORD_LEFT, "counters", left);
    }
}

/* The recording that was still on when the machine was taken: mostly none. */
static void add_left(struct facts *facts, const struct left_line *left)
{
    char buffer[LOG_LINE_MAX];
    struct text text = text_into(buffer, sizeof(buffer));
    const bool was_on =
        left->line && (left->debugctl.value || left->counters.is || left->lbr_ctl.value);

    put_left(&text, left);
    add(facts, "left on", was_on ? scratch_text("%s", buffer) : NULL, NULL);
}

struct facts facts_of(const struct log *log, const struct cpu_part *cpu)
{
    struct facts facts = { .count = 0 };

    add_processor(&facts, log, cpu);
    add_hypervisor(&facts, log, cpu);
    add_firmware(&facts, &log->machine);
    add_model(&facts, cpu);
    add_left(&facts, &cpu->left);
    add(&facts, "build", log->opened ? span_text(log->machine.build) : NULL, NULL);
    return facts;
}

const char *fact_whole(const struct fact *fact)
{
    return fact->text && fact->about ? scratch_text("%s: %s", fact->text, fact->about)
                                     : fact->text;
}

static void json_column(struct json *json, const struct log *log,
                        const struct cpu_part *cpu)
{
    const struct facts facts = facts_of(log, cpu);

    json_array(json, NULL);
    for (size_t i = 0; i < facts.count; i++) {
        json_object(json, NULL);
        json_text(json, "title", facts.at[i].title);
        json_text(json, "text", fact_whole(&facts.at[i]));
        json_close(json);
    }
    json_close(json);
}

void json_facts(struct json *json, const struct log *log)
{
    json_array(json, "facts");
    json_column(json, log, &log->machine.cpu);
    for (size_t i = 1; i < log->machine.processor_count; i++)
        if (log->machine.processors[i].said.like == i)
            json_column(json, log, cpu_of(log, i));
    json_close(json);
}
