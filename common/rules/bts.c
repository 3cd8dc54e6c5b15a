/*
 * Branch Trace Store (BTS): the processor stores each taken branch into a buffer in memory.
 *
 * As a ring the buffer keeps the newest records.  With BTINT it asks for an interrupt at
 * the threshold; what runs until the interrupt is taken is stored while there is space. The
 * interrupt's own entry and IRETQ are stored like any other branch, and the method removes
 * them again.  TR without BTS sends branch trace messages to the bus, and stores nothing.
 */
#include "rule.h"

#define MONITORING "SDM vol. 3B, \"Monitoring Branches, Exceptions, and Interrupts\""

static bool is_silent(const struct rule_place *place)
{
    return place->method->silent && place->method->needs;
}

static bool stores(const struct rule_place *place)
{
    return place_records(place) &&
           (place->method->ring_buffer || place->method->pmi_drained);
}

static bool is_ring(const struct rule_place *place)
{
    return place->method->ring_buffer;
}

static bool is_drained(const struct rule_place *place)
{
    return place_records(place) && place->method->pmi_drained;
}

static bool is_entry_of_db(const struct rule_record *record)
{
    struct transfer made;

    return rule_enters_db(record) && rule_is_made(record, &made) && made.kind == KIND_DB;
}

static const struct rule rows[] = {
    {
        .name = "tr-stores-nothing",
        .sentence = "TR alone stores nothing: branch trace messages go only to the bus.",
        .source = "SDM vol. 3B, \"Branch Trace Messages\"",
        .confidence = STATED,
        .applies = is_silent,
        .workload = "loop",
    },
    {
        .name = "bts-db",
        .sentence = "BTS does not record the entry of a #DB handler, although recording "
                    "continues after it.",
        .source = MONITORING,
        .confidence = UNCONFIRMED,
        .applies = stores,
        .explains = is_entry_of_db,
        .of_all = true,
        .workload = "icebp",
    },
    {
        .name = "bts-interrupts",
        .sentence = "The records of the interrupts that drain the BTS buffer (entry and "
                    "IRETQ) are removed from the trace.",
        .source = "SDM vol. 3B, \"Writing the DS Interrupt Service Routine\"",
        .confidence = STATED,
        .applies = is_drained,
        .workload = "recursion",
        .property = "bt-lose-pmi",
    },
    {
        .name = "bts-space",
        .sentence =
            "Branches between the threshold and the interrupt are stored only while "
            "the BTS buffer has space.",
        .source = "SDM vol. 3B, \"Setting Up the BTS Buffer\"",
        .confidence = STATED,
        .applies = is_drained,
        .workload = "recursion",
        .property = "bt-lose-pmi",
    },
    {
        .name = "bts-threshold",
        .sentence =
            "With BTINT set, an interrupt is requested when the BTS index reaches the "
            "threshold, and at no other record.",
        .source = "SDM vol. 3B, \"DS Buffer Management Area\"",
        .confidence = STATED,
        .applies = is_drained,
        .of_run = true,
        .workload = "recursion",
        .property = "bt-late-threshold",
    },
    {
        .name = "bts-capacity",
        .sentence = "Between two interrupts that drain it, the BTS buffer stores no more "
                    "records than fit into it.",
        .source = "SDM vol. 3B, \"Setting Up the BTS Buffer\"",
        .confidence = STATED,
        .applies = is_drained,
        .of_run = true,
        .workload = "recursion",
    },
    {
        .name = "bts-gap",
        .sentence =
            "A gap follows a full BTS buffer, whose interrupt was late by at least as many "
            "records as lie between the threshold and the end of the buffer.",
        .source = "SDM vol. 3B, \"Setting Up the BTS Buffer\"",
        .confidence = STATED,
        .applies = is_drained,
        .of_run = true,
        .of_no_record = true,
        .workload = "recursion",
    },
    {
        .name = "bts-newest",
        .sentence = "Only the newest records are kept, as many as the BTS buffer holds.",
        .source = "SDM vol. 3B, \"Setting Up the BTS Buffer\"",
        .confidence = STATED,
        .applies = is_ring,
        .workload = "million",
        .property = "bt-drop",
    },
};
RULE_TABLE(bts_rules, rows);
