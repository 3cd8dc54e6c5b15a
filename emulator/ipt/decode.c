/*
 * Decodes a Processor Trace with libipt, against the code in a flat file.
 *
 * usage: decode FAMILY MODEL TRACE CODE ADDRESS [errata]
 *
 * Prints the address of each instruction, and of each event its name.  With "errata" libipt
 * expects those that it knows of the processor.
 */
#include <intel-pt.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const events[] = {
    [ptev_enabled] = "enabled",
    [ptev_disabled] = "disabled",
    [ptev_async_disabled] = "async disabled",
    [ptev_async_branch] = "async branch",
    [ptev_paging] = "paging",
    [ptev_async_paging] = "paging",
    [ptev_overflow] = "overflow",
    [ptev_exec_mode] = "mode",
    [ptev_stop] = "stop",
};

/* Returns the whole file, and how long it is. */
static uint8_t *load(const char *path, long *bytes)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data;

    if (!file || fseek(file, 0, SEEK_END) || (*bytes = ftell(file)) < 0) {
        perror(path);
        exit(2);
    }
    rewind(file);
    data = malloc(*bytes + 1);
    if (!data || fread(data, 1, *bytes, file) != (size_t)*bytes) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return data;
}

static int failed(struct pt_insn_decoder *decoder, const char *what, int error)
{
    uint64_t offset = 0;

    pt_insn_get_offset(decoder, &offset);
    printf("error: %s at byte %llu: %s\n", what, (unsigned long long)offset,
           pt_errstr(pt_errcode(error)));
    return 1;
}

/* Prints events that are due; returns the status after them. */
static int drain(struct pt_insn_decoder *decoder, int status)
{
    while (status >= 0 && (status & pts_event_pending)) {
        struct pt_event event;

        status = pt_insn_event(decoder, &event, sizeof(event));
        if (status >= 0 && event.type < sizeof(events) / sizeof(*events) &&
            events[event.type]) {
            printf("# %s\n", events[event.type]);
        }
    }
    return status;
}

static int decode(struct pt_insn_decoder *decoder)
{
    int status = pt_insn_sync_forward(decoder);

    if (status < 0) {
        return failed(decoder, "no PSB", status);
    }
    for (;;) {
        struct pt_insn insn;

        status = drain(decoder, status);
        if (status < 0) {
            return status == -pte_eos ? 0 : failed(decoder, "event", status);
        }
        if (status & pts_eos) {
            return 0;
        }
        status = pt_insn_next(decoder, &insn, sizeof(insn));
        if (status == -pte_eos) {
            return 0;
        }
        if (status < 0) {
            printf("# at %llx\n", (unsigned long long)insn.ip);
            return failed(decoder, "instruction", status);
        }
        printf("%llx\n", (unsigned long long)insn.ip);
    }
}

int main(int argc, char **argv)
{
    struct pt_config config;
    struct pt_insn_decoder *decoder;
    struct pt_image *image;
    long bytes;

    if (argc != 6 && argc != 7) {
        fprintf(stderr, "usage: decode FAMILY MODEL TRACE CODE ADDRESS [errata]\n");
        return 2;
    }
    pt_config_init(&config);
    config.cpu.vendor = pcv_intel;
    config.cpu.family = strtoul(argv[1], NULL, 0);
    config.cpu.model = strtoul(argv[2], NULL, 0);
    if (argc == 7 && pt_cpu_errata(&config.errata, &config.cpu) < 0) {
        fprintf(stderr, "decode: libipt does not know this processor\n");
        return 2;
    }
    config.begin = load(argv[3], &bytes);
    config.end = config.begin + bytes;
    decoder = pt_insn_alloc_decoder(&config);
    image = pt_image_alloc(NULL);
    if (!decoder || !image ||
        pt_image_add_file(image, argv[4], 0, UINT64_MAX, NULL, strtoull(argv[5], NULL, 0)) <
            0 ||
        pt_insn_set_image(decoder, image) < 0) {
        fprintf(stderr, "decode: libipt cannot be set up\n");
        return 2;
    }
    return decode(decoder);
}
