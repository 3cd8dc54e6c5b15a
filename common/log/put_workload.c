/* The workloads: their code and labels. */
#include "put.h"

#define CODE_BYTES_PER_LINE 64

/* True if no row above names this label: each is logged once; two may be one place. */
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

static void open_labels(const struct workload *w)
{
    put_open(WORD_LABELS, &(struct labels_line){ span_of(w->name) });
}

static void put_label(const struct workload *w, const char *label, int32_t offset)
{
    if (put_line.length + LABEL_SIZE + 12 > PUT_ROOM) {
        put_finish();
        open_labels(w);
    }
    put_key(label);
    text_string(&put_line, "0x");
    text_hex(&put_line, (uint32_t)offset);
}

/* A trace recorded by a program has no labels. */
static bool has_labels(const struct workload *w)
{
    for (uint32_t i = 0; i < w->rows; i++)
        if (w->expect[i].from_label[0] || w->expect[i].to_label[0])
            return true;
    return false;
}

static void put_labels(const struct workload *w)
{
    if (!has_labels(w))
        return;
    open_labels(w);
    for (uint32_t i = 0; i < w->rows; i++) {
        const struct taken *row = &w->expect[i];
        if (row->kind >= KIND_COUNT)
            continue;
        if (row->from != CALLER && new_label(w, i, false))
            put_label(w, row->from_label, row->from);
        if (row->to != CALLER && new_label(w, i, true))
            put_label(w, row->to_label, row->to);
    }
    put_finish();
}

static void put_code(const struct workload *w)
{
    for (uint32_t at = 0; at < w->size; at += CODE_BYTES_PER_LINE) {
        const uint32_t rest = w->size - at;

        put(WORD_CODE,
            &(struct code_line){
                .of = span_of(w->name),
                .at = at,
                .bytes = { .at = w->code + at,
                           .count =
                               rest < CODE_BYTES_PER_LINE ? rest : CODE_BYTES_PER_LINE },
            });
    }
}

void put_workload(const struct workload *w)
{
    put(WORD_WORKLOAD, &(struct workload_line){ .name = span_of(w->name),
                                                .at = (uint64_t)w->code,
                                                .size = w->size,
                                                .stubs = w->stub_count,
                                                .about = span_of(w->about) });
    put_labels(w);
    put_code(w);
}
