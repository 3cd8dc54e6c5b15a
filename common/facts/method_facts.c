/* method_facts.h */
#include "method_facts.h"

#include "text.h"

const struct method_facts *method_named(const char *name)
{
    for (size_t i = 0; i < methods_known_count(); i++)
        if (text_same(methods_known[i].name, name))
            return &methods_known[i];
    return NULL;
}
