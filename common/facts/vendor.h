/* The vendors, as CPUID leaf 0 gives their names. */
#pragma once

#define INTEL   "GenuineIntel"
#define AMD     "AuthenticAMD"
#define HYGON   "HygonGenuine"
#define VIA     "CentaurHauls"
#define ZHAOXIN "  Shanghai  "
