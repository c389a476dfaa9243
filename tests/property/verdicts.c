// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64
// Verdicts of the first steps, in random forests whose velocities violate their joints, as those of a user may:
//   certificate   what is called solved is: r_natmap, r_kinematics; in double, since joints that are redundant may
//                 share forces so large that their rounding is a velocity in float
//   lcp           no row of a problem that is called solved is hidden: neither behind a row whose diagonal is rounding,
//                 nor behind its units
#include "forest.h"
#include "tap.h"

enum { WORLDS = RUN(2000, 100) };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input in;
static tac_lcp lcp;

// All bodies move; returns the speeds about, with what gravity adds in a step.
static double stir(uint64_t seed, double size)
{
    rng r = {seed};
    const double rate = octave_range(&r, 0.1, 10);
    for (uint16_t i = 1; i < m.bodies; i++) {
        m.body[i].velocity = (tac_twist){d3_to(rng_box(&r, rate * size)), d3_to(rng_box(&r, rate))};
    }
    return rate * size + 9.81 * (double)m.h;
}

static double begin(uint64_t seed, int may)
{
    const forest f = forest_build(&m, &in, seed, may);
    const double speed = stir(seed, f.size);
    m.options.solver = (uint8_t)(seed % (TAC_SOLVER_AUTO + 1));
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) {
        tap_ok(0, "the world is refused");
    }
    return speed;
}

static void test_certificates(void)
{
    double natural = 0, kinematics = 0;
    uint64_t natural_at = 0, kinematics_at = 0;
    int solved = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        tac_certificate c;
        const double speed = begin(seed, FOREST_LOOPS | FOREST_THIN | FOREST_RUBS);
        if (tac_step(&m, &s, &in, &w) != TAC_OK || tac_certify(&m, &w, &c) != TAC_OK) { continue; }
        solved++;
        worst_at(&natural, &natural_at, (double)c.r_natmap, seed);
        worst_at(&kinematics, &kinematics_at, (double)c.r_kinematics / speed, seed);
    }
    tap_least(solved, WORLDS / 2, "most steps are solved");
    tap_note_hex("seed of the largest residual", natural_at);
    if (sizeof(tac_real) == 8) { tap_most(natural, 1e-6, "of what is called solved: natural map"); }
    tap_note_hex("seed of the joint that holds least", kinematics_at);
    if (sizeof(tac_real) == 8) { tap_most(kinematics, 1e-6, "velocities of constraints, over the speed"); }
}

static int multiplies(int row)
{
    int ones = 0;
    for (int i = 0; i < row; i++) { ones += lcp.F[i][row] == 1; }
    return lcp.F[row][row] == 0 && ones > 0;
}

// The worst |min(z, w)| of the rows of velocities, over the largest velocity without impulses, and of those of
// multipliers, whose z is a velocity and whose w an impulse, over the largest impulse, or the one that
// a row takes by itself. Rows come in the order of
// src/t03/lcp.h: the multipliers, whose diagonal is 0 and whose column has ones, are last.
static double hidden(void)
{
    double velocity = 0, impulse = 0, worst = 0;
    int first = lcp.rows;
    while (first > 0 && multiplies(first - 1)) { first--; }
    for (int i = 0; i < first; i++) {
        velocity = d_max(velocity, d_abs((double)lcp.f[i]));
        impulse = d_max(impulse, (double)lcp.z[i]);
        if (lcp.F[i][i] > 0) { impulse = d_max(impulse, d_abs((double)lcp.f[i]) / (double)lcp.F[i][i]); }
    }
    for (int i = first; i < lcp.rows; i++) { impulse = d_max(impulse, (double)lcp.f[i]); }
    for (int i = 0; i < lcp.rows; i++) {
        const double least = d_min((double)lcp.w[i], 0), size = i < first ? velocity : impulse;
        d_worst(&worst, size > 0 ? least / size : least);
    }
    return worst;
}

static void test_problems(void)
{
    double worst = 0;
    uint64_t at = 0;
    int solved = 0, beyond = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        begin(seed, FOREST_ALL);
        for (int k = 0; k < 3; k++) {
            tac_lcp_init(&lcp);
            lcp.directions = 4;
            if (tac_step_lcp(&m, &s, &in, &w, &lcp) != TAC_OK) { continue; }
            solved++;
            const double most = hidden();
            beyond += most > TOL(1e-7, 2e-3);
            worst_at(&worst, &at, most, seed);
        }
    }
    tap_least(solved, 2 * WORLDS, "most problems are solved");
    tap_note_hex("seed", at);
    tap_note("the worst row of what is called solved", worst);
    tap_most(beyond, TOL(0, 1e-3 * solved), "of what is called solved rows are violated: none, in float 1 of 1000");
}

int main(void)
{
    test_certificates();
    test_problems();
    return tap_done();
}
