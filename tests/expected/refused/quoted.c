/* refused: record: quoted: PROGRAM(): want printable ASCII without double quotes */
#include "program.h"

PROGRAM("what \"it\" shows")
{
    return 1;
}
