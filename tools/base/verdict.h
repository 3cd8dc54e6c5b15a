/*
 * What comes of judging, and the exit codes that tell of it.
 */
#pragma once

/* The worst one seen stands. */
enum verdict { PASS, SKIP, MEASURED, FAIL, ERROR, VERDICTS };
enum { EXIT_AS_EXPECTED, EXIT_DIFFERENT, EXIT_UNUSABLE };
