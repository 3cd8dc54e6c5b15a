/*
 * `list platforms`: hypervisors and emulators, what should work under each, and the source
 * of each fact.
 */
#include "verb_list.h"

#include <stdio.h>
#include <string.h>

#include "exit_code.h"
#include "json.h"
#include "own_machine.h"
#include "platform.h"
#include "text.h"

static void print_differences(const struct platform_fact *fact)
{
    const unsigned probe_results = fact->probe_results;
    const char *before = "";

    if (probe_results == ANY_FINDING) {
        printf("not judged");
        return;
    }
    for (enum probe_result i = WORKS; i < PROBE_RESULTS; i++)
        if (probe_results & FOUND(i)) {
            printf("%s%s", before, probe_result_name(i));
            if (i == DEVIATES && fact->deviation)
                printf(" (\"%s\")", deviation_words(fact->deviation));
            before = " or ";
        }
}

static const char *when(const struct platform_fact *fact)
{
    static const char *const cases[] = {
        [ALWAYS] = "",
        [MODEL_HAS] = ", where the model has it",
        [LBR_BY_CPUID] = ", where CPUID announces the stack",
        [LBR_FORMAT_FITS] = ", where LBR_FMT is the model's",
        [LBR_FORMAT_ZERO] = ", where LBR_FMT is 0",
    };

    return cases[fact->when];
}

static void print_fact(const struct platform_fact *fact)
{
    printf("    %-4s ", facility_names[fact->facility]);
    print_differences(fact);
    printf("%s", when(fact));
    if (fact->vendor)
        printf(", on \"%s\"", fact->vendor);
    printf(": %s\n         %s: %s\n", fact->about, confidence_words[fact->confidence],
           fact->source);
}

/* Prints how a log shows its platform, and for scripts/kvm.py if it is this machine's. */
static void print_logged_by(const struct platform *row, const struct own_machine *own)
{
    if (row->refused)
        printf("    refused at boot: %s\n", row->refused);
    else if (!row->hypervisor)
        printf("    CPUID does not announce it: no log is judged by this row\n");
    else
        printf("    CPUID.40000000H: \"%s\"%s%s%s%s%s\n", row->hypervisor,
               row->vendors[0] ? ", on " : "", row->vendors[0] ? row->vendors[0] : "",
               row->vendors[1] ? " or " : "", row->vendors[1] ? row->vendors[1] : "",
               text_same(own->id.hypervisor, row->hypervisor) ? ", as on this machine"
                                                              : "");
    if (row->told_by_dead_btf)
        printf("    distinguished from the next row by BTF, which is dead although the "
               "model has it\n");
}

void list_platforms(void)
{
    struct own_machine own;

    own_machine_read(&own, own_machine_processor(0));
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];

        printf("%s%-12s %s\n", i ? "\n" : "", row->name, row->about);
        print_logged_by(row, &own);
        for (size_t n = 0; n < PLATFORM_FACTS_MAX && row->facts[n].about; n++)
            print_fact(&row->facts[n]);
    }
    printf("\n    What the model's row or CPUID lacks is absent on every platform.\n");
}

static void json_results(struct json *json, const char *key, unsigned results)
{
    json_array(json, key);
    for (enum probe_result i = WORKS; i < PROBE_RESULTS; i++)
        if (results != ANY_FINDING && results & FOUND(i))
            json_text(json, NULL, probe_result_name(i));
    json_close(json);
}

static void json_fact(struct json *json, const struct platform_fact *fact)
{
    json_object(json, NULL);
    json_text(json, "facility", facility_names[fact->facility]);
    json_results(json, "expected", fact->probe_results);
    json_results(json, "known", fact->known ? fact->known : fact->probe_results);
    json_text(json, "deviation", fact->deviation ? deviation_words(fact->deviation) : NULL);
    json_text(json, "when", fact->when == ALWAYS ? NULL : when(fact) + strlen(", "));
    json_text(json, "vendor", fact->vendor);
    json_text(json, "about", fact->about);
    json_text(json, "confidence", confidence_words[fact->confidence]);
    json_text(json, "source", fact->source);
    json_close(json);
}

void list_platforms_json(void)
{
    struct json json;

    json_begin(&json, stdout, "list");
    json_array(&json, "platforms");
    for (size_t i = 0; i < platform_count; i++) {
        const struct platform *row = &platforms[i];

        json_object(&json, NULL);
        json_text(&json, "name", row->name);
        json_text(&json, "about", row->about);
        json_text(&json, "hypervisor", row->hypervisor);
        json_text(&json, "refused", row->refused);
        json_array(&json, "facts");
        for (size_t n = 0; n < PLATFORM_FACTS_MAX && row->facts[n].about; n++)
            json_fact(&json, &row->facts[n]);
        json_close(&json);
        json_close(&json);
    }
    json_close(&json);
    json_end(&json, EXIT_AS_EXPECTED);
}
