// SPDX-License-Identifier: MIT
// solvers.c - what the solvers of worlds reach; called by `make figures-solvers`:
//     solvers noise                      noise of contact forces against sweeps
//     solvers worlds                     worlds that tell solvers apart: drift, overlap, residual, sweeps
//     solvers run WORLD SOLVER STEPS     one of these, for its instructions to be counted
#include "physics/noise.h"
#include "physics/solved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t steps[SOLVED_WORLDS] = {2000, 2000, 1000, 1000, 100, 600, 300, 1000, 1500, 400, 400, 12000};
static const char *const solvers[] = {"accelerated", "plain", "direct", "auto"};

static void noises(void)
{
    static const uint16_t sweeps[] = {5, 10, 20, 50};
    static const char *const laws[] = {"exact", "relaxed"}, *const cases[] = {"alone", "loaded", "swayed"};
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
}

static void worlds(void)
{
    printf("# %d bits: worlds, 50 sweeps; steps that did not converge, that went over to the relaxed law, to sweeps\n",
           TAC_REAL_BITS);
    printf("%-22s %-12s %6s %9s %9s %9s %7s %6s %6s %6s\n", "world", "solver", "steps", "drift, m", "overlap, m",
           "residual", "sweeps", "unc.", "rel.", "swept");
    for (int world = 0; world < SOLVED_WORLDS; world++) {
        for (uint8_t solver = 0; solver <= TAC_SOLVER_AUTO; solver++) {
            if (solver == TAC_SOLVER_PLAIN) { continue; }
            solved_build(world, solver, 50);
            const solved r = solved_run(steps[world]);
            printf("%-22s %-12s %6u %9.1e %9.1e %9.1e %7.1f %6d %6d %6d%s\n", solved_names[world], solvers[solver],
                   (unsigned)steps[world], r.drift, r.penetration, r.residual, r.sweeps, r.unconverged, r.relaxed,
                   r.swept, r.unsound ? " unsound" : "");
        }
    }
}

int main(int count, char **argument)
{
    if (count == 5 && strcmp(argument[1], "run") == 0) {
        solved_build(atoi(argument[2]), (uint8_t)atoi(argument[3]), 50);
        solved_run((uint32_t)atoi(argument[4]));
        return 0;
    }
    if (count == 2 && strcmp(argument[1], "noise") == 0) {
        noises();
    } else {
        worlds();
    }
    return 0;
}
