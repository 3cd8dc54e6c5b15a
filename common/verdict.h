/*
 * The verdict on a run.  The host program's is the one that holds; the kernel's own, on the
 * screen, is marked as a self-check.
 */
#pragma once

/*
 * In order of badness: a run keeps the worst that was found.  PASS is 0, so a run passes if
 * nothing was found.  The kernel judges only its own runs, so it finds no ERROR.
 */
enum verdict { PASS, SKIP, MEASURED, FAIL, ERROR, VERDICTS };
extern const char *const verdict_words[VERDICTS];
