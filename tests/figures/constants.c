// SPDX-License-Identifier: MIT
// constants.c - factors of the constants of a kernel that tests/figures/constants has made: of one of them that which the
// environment names (CONSTANT="INDEX FACTOR"), of all others 1.
#include "base/real.h"

#include <stdlib.h>

real constant_factor[CONSTANTS];

__attribute__((constructor)) static void constant_factors(void)
{
    char *of = getenv("CONSTANT"), *factor = of;
    for (int i = 0; i < CONSTANTS; i++) { constant_factor[i] = (real)1.0; }
    if (of == NULL || *of == 0) { return; }
    const long index = strtol(of, &factor, 10);
    constant_factor[index] = (real)strtod(factor, NULL);
}
