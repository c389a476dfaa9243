// SPDX-License-Identifier: MIT
// config: large
// variants: gcc-O2-32 gcc-O2-64
// SimBenchmark in short: `make figures-simbench` runs the scenes in full. The bound on the heap is for 1 ms; it is held
// at four. Bouncing balls keep their energy, as the state shows it, to rounding; the bound on the elastic heap is the
// best published (RaiSim).
#include "simbench.h"

static void test_rolling(d3 along, const char *name)
{
    simbench_build(SIMBENCH_ROLLING, 1e-3);
    const simbench r = simbench_run(SIMBENCH_ROLLING, 0.03, along);
    tap_note("velocity error, (m/s)^2", r.velocity);
    tap_most(r.velocity, 1e-8, tap_joined("25 balls roll on a pushed box:", name));
    tap_equal(r.relaxed + r.dropped + r.refused, 0, "under Coulomb's law alone");
}

int main(void)
{
    const d3 y = {0, 1, 0}, xy = {0.5, 0.866025403784439, 0};
    test_rolling(y, "along y");
    test_rolling(xy, "across");

    simbench_build(SIMBENCH_666, 4e-3);
    simbench r = simbench_run(SIMBENCH_666, 0.6, y);
    tap_note("666: penetration error, m^2", r.penetration);
    tap_note("sweeps a step", r.sweeps);
    tap_note("contacts", r.contacts);
    tap_most(r.penetration, 1.3e-4, "666 balls fall together and out");
    tap_equal(r.dropped + r.refused, 0, "no contact is dropped");

    simbench_build(SIMBENCH_BOUNCING, 4e-3);
    r = simbench_run(SIMBENCH_BOUNCING, 2, y);
    tap_note("bouncing: energy error, J^2", r.energy);
    tap_most(r.energy, TOL(1e-6, 1e-2), "bouncing balls keep their energy");

    simbench_build(SIMBENCH_ELASTIC, 1e-3);
    r = simbench_run(SIMBENCH_ELASTIC, 0.6, y);
    tap_note("elastic 666: energy error, J^2", r.energy);
    tap_most(r.energy, 8.4, "216 elastic balls that fall from a metre up keep theirs");
    tap_equal(r.dropped + r.refused, 0, "no contact is dropped");
    return tap_done();
}
