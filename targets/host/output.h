// SPDX-License-Identifier: MIT
// output.h - files that the tool writes; "-" is standard output.
#ifndef HOST_OUTPUT_H
#define HOST_OUTPUT_H

#include <stdio.h>

/// Open for writing. Returns NULL after a complaint; a NULL path gives NULL without one. After "-" what the tool prints
/// goes to standard error.
FILE *output_open(const char *path);

/// Returns 0 after a complaint if not all could be written. NULL is closed already.
int output_close(FILE *file, const char *path);

#endif
