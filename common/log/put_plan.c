/* The plan: what runs follow. */
#include "put.h"

#include "filter.h"

/* The plan's lists grow name by name and go on in a further line when one is full. */
static bool listing, listing_filters;

static void put_listed(const char *key, const char *name)
{
    if (listing && put_line.length + text_length(name) + 1 > PUT_ROOM) {
        put_finish();
        listing = false;
    }
    if (!listing) {
        put_open(WORD_PLAN, NULL);
        put_key(key);
    } else {
        text_string(&put_line, ",");
    }
    text_string(&put_line, name);
    listing = true;
}

void put_plan_method(const char *name)
{
    put_listed("methods", name);
}

/* The first one closes the line of the methods: a plan begins with one of each. */
void put_plan_workload(const char *name, size_t index, size_t runs)
{
    if (index > 0) {
        put_listed("workloads", name);
        return;
    }
    put_key("workloads");
    text_string(&put_line, name);
    put_key("runs");
    text_decimal(&put_line, runs);
    put_plan_end();
}

void put_plan_filter(uint32_t filter)
{
    char name[FILTER_TEXT_SIZE];
    if (!listing_filters) /* the line of the workloads is still open */
        put_plan_end();
    listing_filters = true;
    put_listed("filters", filter_text(filter, name));
}

void put_plan_end(void)
{
    if (listing)
        put_finish();
    listing = listing_filters = false;
}
