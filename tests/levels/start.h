/* The program that the test loaders load and start. */
#pragma once

#include <efi.h>

/* Loads \everybranch.efi of the volume that the image came from; StartImage runs it. */
EFI_STATUS start_load(EFI_HANDLE image, EFI_HANDLE *program);
