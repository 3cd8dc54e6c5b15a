#include "commands.h"

#include <stddef.h>

#include "method_facts.h"
#include "request.h"

#define LBR_DEPTH_MOST 64 /* where CPUID tells how deep it is */

static bool is_method(const char *name)
{
    return method_named(name) != NULL;
}

static size_t depth_of(const struct lbr_layout *lbr)
{
    return lbr->depth || !lbr->from ? lbr->depth : LBR_DEPTH_MOST;
}

static struct trace_msr_set msrs_of(const struct model *model)
{
    return (struct trace_msr_set){ .vendor = model->vendor,
                                   .model = model,
                                   .lbr_depth = depth_of(&model->lbr),
                                   .ds = model->bts };
}

const char *command_wrong(const char *command, bool (*is_workload)(const char *name))
{
    const char *wrong = NULL;
    struct request request;

    for (size_t i = 0; i < model_count; i++) {
        const struct request_names names = { msrs_of(&models[i]), is_method, is_workload };

        wrong = request_read(&request, command, &names);
        if (!wrong)
            return NULL;
    }
    return wrong;
}
