/*
 * System-management interrupts (SMI) and stray non-maskable interrupts (NMI) that hit a
 * run.
 *
 * Nothing masks either of them.  An SMI runs its handler in system-management mode, which
 * is entered with TF and DEBUGCTL clear and left by RSM: it takes a pending debug trap
 * away, and RSM may turn on a recording that a counter was to freeze.  An NMI runs the
 * kernel's handler.  The recorder is at fault for neither, so a run that was hit is made
 * again, and one that was hit each time is measured.  MSR_SMI_COUNT counts SMIs, where
 * there is one; elsewhere only the tries themselves can show them.
 */
#include "known.h"

#define SMM "SDM vol. 3C, \"SMI Interrupt\""

static bool records_or_stops(const struct rule_place *place)
{
    return !place->method->silent;
}

enum { BY_SMI, BY_NMI };

static const struct rule rows[] = {
    [BY_SMI] = {
        .name = "hit-smi",
        .sentence = "An SMI during a run takes debug traps away and adds records of its "
                    "handler, but removes no other record.",
        .source = SMM,
        .confidence = DERIVED,
        .applies = records_or_stops,
        .of_run = true,
        .of_no_record = true,
        .workload = "million",
        .property = "bt-smi",
    },
    [BY_NMI] = {
        .name = "hit-nmi",
        .sentence = "An NMI during a run adds the entry, the branches and the IRETQ of its "
                    "handler, but removes no record.",
        .source = "SDM vol. 3A, \"Nonmaskable Interrupt (NMI)\"",
        .confidence = DERIVED,
        .applies = records_or_stops,
        .of_run = true,
        .of_no_record = true,
        .workload = "million",
    },
    {
        .name = "hit-uncounted",
        .sentence = "On a processor without MSR_SMI_COUNT, SMIs are rare and come at random, "
                    "so they do not change several tries of a run at one record.",
        .source = SMM,
        .confidence = DERIVED,
        .applies = records_or_stops,
        .of_run = true,
        .of_no_record = true, /* tools/judge/smi.c compares the tries */
        .workload = "million",
    },
};
RULE_TABLE(hit_rules, rows);

const struct rule *rule_of_hit(uint64_t smis, uint64_t nmis)
{
    return nmis ? &rows[BY_NMI] : smis ? &rows[BY_SMI] : NULL;
}
