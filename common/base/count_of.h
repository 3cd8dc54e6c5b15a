/* How many elements an array has. */
#pragma once

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
