/* linux_file.h */
#include "linux_file.h"

#include <stdio.h>

const char *linux_file(const char *path)
{
    static char text[16384]; /* what is wanted comes early in longer files */
    FILE *file = fopen(path, "r");

    if (!file)
        return NULL;
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

int linux_number(const char *path, int otherwise)
{
    const char *text = linux_file(path);
    int number;

    return text && sscanf(text, "%d", &number) == 1 ? number : otherwise;
}
