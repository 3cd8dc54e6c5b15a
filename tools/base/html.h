/*
 * HTML, written piece by piece.  Markup is a literal of this program; all else goes
 * through html_text() or html_element(), which escape what they formatted.
 */
#pragma once

#include <stdio.h>

#include "verdict.h"

void html_text(FILE *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* <TAG>text</TAG>; `tag` may have attributes, literals of this program. */
void html_element(FILE *, const char *tag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A verdict as a sign and a word, so that no colour is needed to tell it. */
const char *html_verdict_class(enum verdict); /* "v v-pass" */
void html_verdict(FILE *, enum verdict);
