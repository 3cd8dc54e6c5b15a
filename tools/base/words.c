/* words.h */
#include "words.h"

#include "heap.h"

char *did_you_mean(const struct nearest *nearest, const char *before)
{
    return nearest->name ? format_text("; did you mean %s%s?", before, nearest->name)
                         : format_text("%s", "");
}
