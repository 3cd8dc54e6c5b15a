/* What Linux says of itself and of the machine, in files of /proc and /sys. */
#pragma once

/* The file's text, up to the next call; NULL: no such file, or it may not be read. */
const char *linux_file(const char *path);

/* The number in a file, or `otherwise`. */
int linux_number(const char *path, int otherwise);
