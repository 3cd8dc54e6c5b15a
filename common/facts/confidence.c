/* confidence.h */
#include "confidence.h"

const char *const confidence_words[CONFIDENCES] = {
    [STATED] = "stated",   [RECORDED] = "recorded",       [DERIVED] = "derived",
    [ERRATUM] = "erratum", [UNCONFIRMED] = "unconfirmed",
};
