#include "html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

static void put(FILE *file, const char *format, va_list list)
{
    char *text = NULL;
    int length = vasprintf(&text, format, list);

    if (length >= 0)
        escape_html(file, text, (size_t)length);
    free(text);
}

void html_text(FILE *file, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    put(file, format, list);
    va_end(list);
}

void html_element(FILE *file, const char *tag, const char *format, ...)
{
    va_list list;

    fprintf(file, "<%s>", tag);
    va_start(list, format);
    put(file, format, list);
    va_end(list);
    fprintf(file, "</%.*s>", (int)strcspn(tag, " "), tag);
}

const char *html_verdict_class(enum verdict verdict)
{
    static const char *const classes[VERDICTS] = {
        [PASS] = "v v-pass", [SKIP] = "v v-skip",   [MEASURED] = "v v-measured",
        [FAIL] = "v v-fail", [ERROR] = "v v-error",
    };

    return classes[verdict];
}

void html_verdict(FILE *file, enum verdict verdict)
{
    static const char *const signs[VERDICTS] = {
        [PASS] = "&#10003;", [SKIP] = "&#8211;", [MEASURED] = "&#8776;",
        [FAIL] = "&#10007;", [ERROR] = "!",
    };
    static const char *const words[VERDICTS] = {
        [PASS] = "pass", [SKIP] = "skip",   [MEASURED] = "measured",
        [FAIL] = "FAIL", [ERROR] = "ERROR",
    };

    fprintf(file, "<span aria-hidden=\"true\">%s</span> %s", signs[verdict],
            words[verdict]);
}
