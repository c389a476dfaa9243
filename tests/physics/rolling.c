// SPDX-License-Identifier: MIT
// What rolls and spins on curved sides does what mechanics says, to the second order of the step where one body moves
// and to the first where two do. Nothing but the step makes it, so the floor may be a half-space, a box, a hull, a mesh
// or a field.
#include "rolling.h"

enum { HALVED = 60 }; // per cent of the error that half of the step may leave

static void test_halves(double whole, double half, double most, const char *name)
{
    tap_note(tap_joined(name, "- whole step"), whole);
    tap_note(tap_joined(name, "- half step"), half);
    tap_most(whole, most, name);
    if (TAP_FULL) { tap_most(half, 0.01 * HALVED * whole, "and half of it at half of the step"); }
}

static void test_coin(int floor)
{
    const double seconds = RUN(0.25, 0.02), h = 1e-3;
    const coin whole = coin_roll(floor, 0.5, h, seconds), half = coin_roll(floor, 0.5, 0.5 * h, seconds);
    tap_note("a coin on", floor);
    test_halves(whole.energy, half.energy, 1e-5, "a coin on its rim loses energy by the step alone");
    test_halves(whole.rate, half.rate, 2e-4, "it turns with Omega(lean)");
    tap_most(whole.gain, 1e-5, "it gains none");
    tap_most(whole.slip, TOL(1e-5, 1e-3), "its rim does not slip");
    tap_equal(whole.lost, 0, "and never leaves the floor");
}

// Euler's disk for a second at 1 ms. Its contact moves along the rim within each step, by 0.03 rad and by 0.06 rad of
// precession.
static void test_disk(double lean, double most)
{
    const coin disk = coin_roll(FLOOR_PLANE, lean, 1e-3, RUN(1.0, 0.02));
    tap_most(disk.energy, most, tap_numbered("of its energy Euler's disk loses in a second, leaning by rad", lean));
    tap_most(disk.gain, 1e-5, "and gains none");
}

// A disc that leans and turns while it rolls, for ten seconds at 1 ms, beside the equations of rolling without slip.
static void test_rolling_disc(double rate)
{
    const rolled r = disc_roll(rate, 1.0, 1e-3, RUN(10.0, 0.02));
    tap_note("a disc rolls as far as, m", r.way);
    tap_most(r.energy, 1e-4, tap_numbered("a disc that rolls keeps its energy, at rad/s", rate));
    tap_most(r.gain, 5e-6, "and gains none");
    tap_most(r.off, 5e-3, "its centre is where its equations have it, m");
    tap_most(r.tilt, 5e-3, "and leans as they say");
    tap_equal(r.lost, 0, "and never leaves the floor");
}

static void test_spinning_cone(int floor)
{
    const double seconds = RUN(0.25, 0.02), h = 5e-4;
    const spin whole = cone_spin(floor, 0.1, 100.0, h, seconds), half = cone_spin(floor, 0.1, 100.0, 0.5 * h, seconds);
    tap_note("a cone on its tip on", floor);
    test_halves(whole.axis, half.axis, 5e-4, "a cone that spins on its tip moves as a heavy top");
    test_halves(whole.tip, half.tip, 2e-5, "the tip stays, m");
    test_halves(whole.energy, half.energy, 1e-4, "energy over m g arm");
}

static void test_falling_cone(void)
{
    const double seconds = RUN(0.5, 0.02), h = 1e-3;
    const spin whole = cone_spin(FLOOR_PLANE, 0.01, 0, h, seconds);
    const spin half = cone_spin(FLOOR_PLANE, 0.01, 0, 0.5 * h, seconds);
    test_halves(whole.axis, half.axis, 1e-4, "a cone that leans falls as a pendulum");
    const spin upright = cone_spin(FLOOR_PLANE, 0.0, 0.0, h, seconds);
    tap_note("cosine of its lean", upright.lean);
    tap_most(upright.axis, 0.0, "one that is exactly upright and does not spin stays, to the bit");
}

static void test_rolling_cone(int floor)
{
    const double seconds = RUN(0.5, 0.02), h = 1e-3;
    const spin whole = cone_roll(floor, 2.0, h, seconds), half = cone_roll(floor, 2.0, 0.5 * h, seconds);
    tap_note("a cone on its side on", floor);
    tap_note("energy, half step", half.energy);
    tap_most(whole.axis, 1e-5, "a cone rolls about its tip at its rate");
    tap_most(whole.tip, 1e-5, "the tip stays, m");
    tap_most(whole.energy, 2e-4, "kinetic energy stays");
    tap_most(whole.lean, 1e-4, "the line stays on the floor");
    if (TAP_FULL && TAC_REAL_BITS == 64) { // in float rounding is what is left
        tap_most(half.energy, 0.6 * whole.energy, "better at half of the step");
    }
}

static void test_pebbles(int fixed)
{
    const double h = 2.5e-3, seconds = 256 * 4 * h * RUN(0.25, 0.25);
    pebbles whole, half, quarter;
    whole = pebbles_roll(fixed, h, seconds);
    tap_note("an ellipsoid rolls on one that is fixed (1) or free (0):", fixed);
    tap_most(whole.energy, 3e-3, "energy stays");
    tap_most(whole.slip, TOL(1e-9, 1e-4), "no slip, m/s");
    tap_equal(whole.lost, 0, "they stay together");
    if (!fixed) { tap_most(whole.linear, TOL(1e-12, 1e-5), "momentum stays, N s"); }
    if (!TAP_FULL) { return; }
    half = pebbles_roll(fixed, 0.5 * h, seconds);
    quarter = pebbles_roll(fixed, 0.25 * h, seconds);
    test_halves(whole.energy, half.energy, 3e-3, "energy");
    if (!fixed) { test_halves(whole.angular, half.angular, 2e-5, "angular momentum, N m s"); }
    test_halves(pebbles_apart(&whole, &half), pebbles_apart(&half, &quarter), 1e-4, "the path, m");
}

int main(void)
{
    for (int floor = 0; floor < FLOORS; floor++) {
        test_coin(floor);
        test_spinning_cone(floor);
        test_rolling_cone(floor);
    }
    test_disk(0.5, 1e-5);
    test_disk(0.1, 1e-5);
    test_rolling_disc(10.0);
    test_rolling_disc(20.0);
    test_falling_cone();
    test_pebbles(1);
    test_pebbles(0);
    return tap_done();
}
