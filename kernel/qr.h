/*
 * A QR code of up to 106 bytes: version 5, 37 by 37 modules, error correction level L,
 * which is one block.  ISO/IEC 18004, "QR Code bar code symbology specification".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QR_SIZE     37
#define QR_TEXT_MAX 106

struct qr {
    bool dark[QR_SIZE][QR_SIZE]; /* row by row from the top */
};

/* Makes the symbol of a text; false: the text is longer than QR_TEXT_MAX. */
bool qr_make(struct qr *, const char *text);
