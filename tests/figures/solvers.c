// SPDX-License-Identifier: MIT
// solvers.c - noise of contact forces against sweeps, a line each; called by `make figures-solvers`.
#include "physics/noise.h"

#include <stdio.h>

int main(void)
{
    static const uint16_t sweeps[] = {5, 10, 20, 50};
    static const char *const laws[] = {"exact", "relaxed"}, *const solvers[] = {"accelerated", "plain", "direct"},
                             *const cases[] = {"alone", "loaded", "swayed"};
    printf("# %d bits: standard deviation of normal forces over the weight, of a body that stands at 1 kHz\n",
           TAC_REAL_BITS);
    printf("%-6s %-8s %-12s %6s %8s %9s %9s %9s\n", "case", "law", "solver", "most", "sweeps", "foot", "sum",
           "least norm");
    for (int which = 0; which < NOISE_CASES; which++) {
        for (uint8_t law = 0; law < 2; law++) {
            for (uint8_t solver = 0; solver < 3; solver++) {
                for (int i = solver == TAC_SOLVER_DIRECT ? 3 : 0; i < 4; i++) {
                    noise_build(law, solver, sweeps[i], which);
                    const noise r = noise_run(which);
                    printf("%-6s %-8s %-12s %6d %8.2f %9.1e %9.1e %9.1e%s\n", cases[which], laws[law], solvers[solver],
                           sweeps[i], r.sweeps, r.foot, r.sum, r.spread, r.standing ? "" : " not on four feet");
                }
            }
        }
    }
    return 0;
}
