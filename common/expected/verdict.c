/* verdict.h */
#include "verdict.h"

const char *const verdict_words[VERDICTS] = { "pass", "skip", "measured", "FAIL", "ERROR" };
