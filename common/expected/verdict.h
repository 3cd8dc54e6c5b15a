/*
 * The verdict on a run.  The host program's is the one that holds; the screen has words of
 * its own for the kernel's, which compares the records alone.
 */
#pragma once

/*
 * In order of badness: a run keeps the worst that was found.  PASS is 0, so a run passes if
 * nothing was found.  The kernel judges only its own runs, so it finds no ERROR.
 */
enum verdict { PASS, SKIP, MEASURED, FAIL, ERROR, VERDICTS };
extern const char *const verdict_words[VERDICTS];
