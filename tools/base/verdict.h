/*
 * Verdicts, and the exit codes for them.
 */
#pragma once

/*
 * From best to worst: a run keeps the worst that was found.  PASS is 0, so a run passes
 * if nothing was found.
 */
enum verdict { PASS, SKIP, MEASURED, FAIL, ERROR, VERDICTS };
enum { EXIT_AS_EXPECTED, EXIT_DIFFERENT, EXIT_UNUSABLE };
