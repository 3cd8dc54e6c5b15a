/*
 * perf prints the bits of branch_sample_type in capitals; perf record -j has a word for
 * each.  Source: Linux, include/uapi/linux/perf_event.h and
 * tools/perf/util/parse-branch-options.c.
 */
#include "audit.h"

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

/* Adds what the word stands for; false if it is none. */
static bool add(struct word *sum, struct span word, bool is_option)
{
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (span_is(word, is_option ? words[i].option : words[i].header)) {
            sum->kinds |= words[i].kinds;
            sum->rings |= words[i].rings;
            sum->call_stack |= words[i].call_stack;
            return true;
        }
    return false;
}

/* With several events, a kind counts as recorded only if each of them recorded it. */
static void record_only(struct recording *recording, const struct word *sum)
{
    bool told = recording->told;

    recording->hidden |= sum->kinds ? ALL_KINDS & ~sum->kinds : 0;
    recording->call_stack |= sum->call_stack;
    recording->user_only = sum->rings == RING_USER && (recording->user_only || !told);
    recording->kernel_only = sum->rings == RING_KERNEL && (recording->kernel_only || !told);
    recording->told = true;
}

bool header_branch_filter(struct audit *audit, const char *list, struct span *wrong)
{
    struct span rest = { list, strlen(list) };
    struct word sum = { .kinds = 0 };

    while (rest.length) {
        *wrong = next_word(&rest, ',');
        if (!add(&sum, *wrong, true))
            return false;
    }
    record_only(&audit->recording, &sum);
    return true;
}

/* Finds the word after "NAME = ", up to a comma, a space or the end. */
static bool attribute(struct span text, const char *name, struct span *out)
{
    const char *at = memmem(text.at, text.length, name, strlen(name)), *stop;

    if (!at)
        return false;
    at += strlen(name);
    for (stop = at; stop < text.at + text.length && *stop != ',' && *stop != ' ';)
        stop++;
    *out = (struct span){ at, (size_t)(stop - at) };
    return true;
}

void header_event(struct audit *audit, struct span text)
{
    struct word sum = { .kinds = 0 };
    struct span types, one;

    if (!attribute(text, "branch_sample_type = ", &types))
        return;
    while (types.length)
        add(&sum, next_word(&types, '|'), false);
    /* Without rings in branch_sample_type, the event's count (Linux, perf_copy_attr()). */
    if (!sum.rings && attribute(text, "exclude_kernel = 1", &one))
        sum.rings = RING_USER;
    else if (!sum.rings && attribute(text, "exclude_user = 1", &one))
        sum.rings = RING_KERNEL;
    record_only(&audit->recording, &sum);
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
