/*
 * probe.h.  Hypervisors and emulators accept writes and drop them: that a bit can be set,
 * or even reads back, proves nothing.  So each facility's file tries it by its effect,
 * before any workload relies on it.
 */
#include "probe.h"

#include "hit.h"
#include "intrusion.h"
#include "skip_reason.h"
#include "text.h"
#include "try.h"

static const struct probe *const probes[FACILITY_COUNT] = {
    [FACILITY_STEP] = &probe_step, [FACILITY_BTF] = &probe_btf,
    [FACILITY_LBR] = &probe_lbr,   [FACILITY_BTS] = &probe_bts,
    [FACILITY_TR] = &probe_tr,     [FACILITY_PMI] = &probe_pmi,
    [FACILITY_LER] = &probe_ler,   [FACILITY_FREEZE] = &probe_freeze,
    [FACILITY_BRS] = &probe_brs,   [FACILITY_PT] = &probe_pt,
};

/* The user's options may ask for what this processor does not have. */
static struct buffers without_options(const struct cpu *cpu, const struct buffers *buffers)
{
    struct buffers plain = *buffers;
    /* One that is supported, and certain to occur. */
    plain.event =
        (struct event_choice){ .by = EVENT_BY_NAME, .name = (uint8_t)pmu_first(&cpu->id) };
    plain.period = 0;
    plain.buffer = plain.bts_capacity;
    plain.threshold = 0;
    plain.delivery = DELIVERY_NMI; /* which no interrupt flag holds back */
    plain.filter = 0;
    plain.info = false;
    return plain;
}

#define TRIES 4 /* of a facility that seems not to work while SMIs or stray NMIs strike */

static void attempt(struct trial *t, const struct probe *probe)
{
    struct intrusions before, hit;
    size_t tries = 0;
    do {
        before = intrusion_count();
        probe->attempt(t);
        hit = intrusion_since(&before);
    } while (t->probed->said.outcome != WORKS && hit_by_any(hit.smis, hit.nmis) &&
             ++tries < TRIES);
}

void probe_one(struct facilities *found, enum facility facility, const struct cpu *cpu,
               const struct buffers *buffers)
{
    const struct buffers plain = without_options(cpu, buffers);
    const struct probe *probe = probes[facility];
    struct probed *one = &found->all[facility];
    struct trial t = { .cpu = cpu, .buffers = &plain, .probed = one };
    *one = (struct probed){ .was_tried = true, .said.name = facility };
    const char *lacks = probe->lacks ? probe->lacks(cpu) : NULL;
    if (lacks)
        try_says(&t, ABSENT, lacks);
    else
        attempt(&t, probe);
}

void probe_avoid(struct facilities *found, enum facility facility, const char *log)
{
    struct probed *one = &found->all[facility];
    struct text out = text_into(one->evidence, sizeof one->evidence);
    one->was_tried = true;
    one->said.name = facility;
    one->said.outcome = AVOIDED;
    skip_put_sentence(&out, &(struct skip_reason){ SKIP_DIED, log });
}
