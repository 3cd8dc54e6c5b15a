/* The exit codes of the program: the verdict on all that it judged. */
#pragma once

enum { EXIT_AS_EXPECTED, EXIT_DIFFERENT, EXIT_UNUSABLE };
