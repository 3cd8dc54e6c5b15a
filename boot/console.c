/* UEFI Specification, "Simple Text Output Protocol". */
#include "firmware.h"

#define PIECE 128

void console_clear(void)
{
    if (ST->ConOut && ST->ConOut->ClearScreen)
        ST->ConOut->ClearScreen(ST->ConOut);
}

void console_print(const char *text)
{
    CHAR16 piece[PIECE + 2];
    UINTN length = 0;

    if (!ST->ConOut || !ST->ConOut->OutputString)
        return;
    for (; *text; text++) {
        if (*text == '\n')
            piece[length++] = '\r';
        piece[length++] = (CHAR16)(unsigned char)*text;
        if (length >= PIECE || !text[1]) {
            piece[length] = 0;
            ST->ConOut->OutputString(ST->ConOut, piece);
            length = 0;
        }
    }
}
