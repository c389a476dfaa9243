// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Noise of contact forces relative to the weight: its order of magnitude. `make figures-solvers` prints them all.
#include "noise.h"

static void test_noise(const char *name, int which, uint8_t solver, uint16_t sweeps, double foot, double spread)
{
    for (uint8_t law = TAC_FRICTION_EXACT; law <= TAC_FRICTION_RELAXED; law++) {
        noise_build(law, solver, sweeps, which);
        const noise r = noise_run(which);
        tap_note("sweeps a step", r.sweeps);
        tap_note("deviation of a foot's force", r.foot);
        tap_note("of least norm", r.spread);
        tap_ok(r.standing, tap_joined("it stands on four feet:", name));
        tap_most(d_max(r.foot, r.sum), foot, tap_joined("steady forces:", name));
        tap_most(r.spread, spread, tap_joined("and of least norm:", name));
    }
}

int main(void)
{
    const uint8_t sweep = TAC_SOLVER_ACCELERATED, direct = TAC_SOLVER_DIRECT;
    test_noise("alone, 5 sweeps", NOISE_ALONE, sweep, 5, TOL(1e-14, 5e-7), TOL(1e-14, 1e-6));
    test_noise("alone, direct", NOISE_ALONE, direct, 50, TOL(2e-10, 2e-6), TOL(2e-10, 2e-6));
    test_noise("loaded, 10 sweeps", NOISE_LOADED, sweep, 10, TOL(1e-14, 5e-7), TOL(1e-14, 1e-6));
    test_noise("swayed, 20 sweeps", NOISE_SWAYED, sweep, 20, TOL(1e-9, 5e-7), TOL(1e-9, 1e-6));
    test_noise("swayed, 50 sweeps", NOISE_SWAYED, sweep, 50, TOL(1e-9, 5e-7), TOL(1e-9, 1e-6));
    test_noise("swayed, direct", NOISE_SWAYED, direct, 50, TOL(1e-7, 5e-6), TOL(1e-8, 5e-6));
    return tap_done();
}
