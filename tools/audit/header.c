/*
 * perf prints the bits of branch_sample_type in capitals; perf record -j has a word for
 * each.  Source: Linux, include/uapi/linux/perf_event.h and
 * tools/perf/util/parse-branch-options.c.
 */
#include "header.h"

#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "heap.h"

#define OF(kind)  (1u << (kind))
#define ALL_KINDS (OF(KIND_FAR + 1) - OF(KIND_JCC))

enum ring_bit { RING_USER = 1, RING_KERNEL = 2 };

static const struct word {
    const char *header, *option;
    unsigned kinds, rings;
    bool call_stack;
} words[] = {
    { "USER", "u", 0, RING_USER, false },
    { "KERNEL", "k", 0, RING_KERNEL, false },
    { "HV", "hv", 0, 0, false },
    { "ANY", "any", ALL_KINDS, 0, false },
    { "ANY_CALL", "any_call",
      OF(KIND_CALL) | OF(KIND_ICALL) | OF(KIND_FAR) | OF(KIND_INT) | OF(KIND_EXC), 0,
      false },
    { "ANY_RETURN", "any_ret", OF(KIND_RET) | OF(KIND_FAR) | OF(KIND_IRET), 0, false },
    { "IND_CALL", "ind_call", OF(KIND_ICALL), 0, false },
    { "IND_JUMP", "ind_jmp", OF(KIND_IJMP), 0, false },
    { "CALL", "call", OF(KIND_CALL), 0, false },
    { "COND", "cond", OF(KIND_JCC), 0, false },
    { "CALL_STACK", "stack", ALL_KINDS, 0, true },
};

/* With several events, a kind counts as recorded only if each of them recorded it. */
static void record_only(struct audit *audit, unsigned kinds, unsigned rings,
                        bool call_stack)
{
    struct recording *recording = &audit->recording;

    recording->hidden |= kinds ? ALL_KINDS & ~kinds : 0;
    recording->call_stack |= call_stack;
    recording->user_only = rings == RING_USER && (recording->user_only || !recording->told);
    recording->kernel_only =
        rings == RING_KERNEL && (recording->kernel_only || !recording->told);
    recording->told = true;
}

static struct span next_word(struct span *list, char between)
{
    struct span word = { list->at, 0 };

    while (word.length < list->length && list->at[word.length] != between)
        word.length++;
    list->at += word.length;
    list->length -= word.length;
    if (list->length) {
        list->at++;
        list->length--;
    }
    return word;
}

bool header_branch_filter(struct audit *audit, const char *list, struct span *wrong)
{
    struct span rest = { list, strlen(list) };
    unsigned kinds = 0, rings = 0;
    bool call_stack = false;

    while (rest.length) {
        struct span word = next_word(&rest, ',');
        size_t i = 0;

        while (i < COUNT_OF(words) && !span_is(word, words[i].option))
            i++;
        if (i == COUNT_OF(words)) {
            *wrong = word;
            return false;
        }
        kinds |= words[i].kinds;
        rings |= words[i].rings;
        call_stack |= words[i].call_stack;
    }
    record_only(audit, kinds, rings, call_stack);
    return true;
}

/* Finds the word after "NAME = ", up to a comma, a space or the end. */
static bool attribute(struct span text, const char *name, struct span *out)
{
    size_t length = strlen(name);

    for (size_t i = 0; i + length <= text.length; i++) {
        if (memcmp(text.at + i, name, length) != 0)
            continue;
        *out = (struct span){ text.at + i + length, 0 };
        while (i + length + out->length < text.length && out->at[out->length] != ',' &&
               out->at[out->length] != ' ')
            out->length++;
        return true;
    }
    return false;
}

void header_event(struct audit *audit, struct span text)
{
    unsigned kinds = 0, rings = 0;
    bool call_stack = false;
    struct span types, one;

    if (!attribute(text, "branch_sample_type = ", &types))
        return;
    while (types.length) {
        struct span word = next_word(&types, '|');

        for (size_t i = 0; i < COUNT_OF(words); i++)
            if (span_is(word, words[i].header)) {
                kinds |= words[i].kinds;
                rings |= words[i].rings;
                call_stack |= words[i].call_stack;
            }
    }
    /* Without rings in branch_sample_type, the event's count (Linux, perf_copy_attr()). */
    if (!rings && attribute(text, "exclude_kernel = 1", &one))
        rings = RING_USER;
    else if (!rings && attribute(text, "exclude_user = 1", &one))
        rings = RING_KERNEL;
    record_only(audit, kinds, rings, call_stack);
}

void header_cpuid(struct audit *audit, struct span text)
{
    struct span rest = text, vendor = next_word(&rest, ',');
    struct cpu_id id = { .vendor = "" };
    uint64_t numbers[3] = { 0 };

    free(audit->cpuid);
    audit->cpuid = format_text("%.*s", SPAN(text));
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (!read_decimal(next_word(&rest, ','), &numbers[i]))
            return;
    if (vendor.length >= sizeof(id.vendor) || audit->model)
        return;
    memcpy(id.vendor, vendor.at, vendor.length);
    id.family = (uint32_t)numbers[0];
    id.model = (uint32_t)numbers[1];
    id.stepping = (uint32_t)numbers[2];
    audit->model = model_by_signature(&id); /* the header has no CPUID leaves */
}
