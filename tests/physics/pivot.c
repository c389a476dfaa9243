// SPDX-License-Identifier: MIT
// config: all
// A cube is tipped onto its edge by two fingers and held there, by consensus complementarity control on the system of
// tac_linearise(), five iterations a plan: from random leanings and frictions.
#include "pivot.h"
#include "tap.h"
#include "truth.h"

enum { PLANS = 400, LAST = 50 };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static pivot p;

// The cube turned by so much on its right lower edge, a finger 1 mm away on each side.
static void leaning(double angle, tac_real q[PIVOT_Q])
{
    const double sine = angle - angle * angle * angle / 6, cosine = d_sqrt(1 - sine * sine);
    const double middle = -0.05 + 0.5 * (cosine + sine);
    const double at[PIVOT_Q] = {0,
                                middle,
                                angle,
                                -0.601 * cosine - 0.3 * sine,
                                middle - 0.601 * sine + 0.3 * cosine,
                                0.601 * cosine + 0.3 * sine,
                                middle + 0.601 * sine - 0.3 * cosine};
    for (int i = 0; i < PIVOT_Q; i++) { q[i] = (tac_real)at[i]; }
}

// The largest error of the last half second; -1 if a plan or a step was refused.
static double pivots(const tac_real q[PIVOT_Q], double friction)
{
    tac_real at[PIVOT_Q + 1], rate[PIVOT_Q];
    const tac_real rest[PIVOT_Q] = {0};
    double off = 0;
    if (pivot_plant(&m)) { return -1; }
    m.material[0].friction = (tac_real)friction;
    if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL) || tac_state_set_coordinates(&m, &s, q, rest, &w)) {
        return -1;
    }
    pivot_controller(&p);
    truth_fill(&input, sizeof input, 0);
    input.motors = PIVOT_U;
    for (uint32_t k = 0; k < PLANS; k++) {
        if (pivot_plan(&p, &m, &s, &w)) { return -1; }
        for (uint16_t i = 0; i < PIVOT_U; i++) {
            input.motor[i] = (tac_motor){.joint = (uint16_t)(1 + i), .kind = TAC_MOTOR_EFFORT, .effort = p.c3.plan[i]};
        }
        if (tac_step(&m, &s, &input, &w) < 0) { return -1; }
        tac_state_get_coordinates(&m, &s, &w, at, rate);
        if (k >= PLANS - LAST) { off = d_max(off, d_abs((double)at[2] - 0.785)); }
    }
    return off;
}

int main(void)
{
    const uint32_t starts = RUN(20, 2);
    uint32_t pivoted = 0, refused = 0;
    double worst = 0;
    tac_real q[PIVOT_Q];
    tap_note("starts of seeds 1 to", starts);
    for (uint32_t seed = 1; seed <= starts; seed++) {
        rng r = {seed};
        leaning(rng_range(&r, 0.05, 0.5), q);
        const double off = pivots(q, rng_range(&r, 0.07, 0.2));
        refused += off < 0;
        if (off >= 0 && off < 0.15) {
            pivoted++;
            worst = d_max(worst, off);
        }
    }
    tap_note("cubes on their edge", pivoted);
    tap_note("at most so many rad from 45 degrees", worst);
    tap_equal(refused, 0, "all plans are made");
    tap_least(pivoted, starts > 2 ? 19 : 2, "in the last half second cubes are on their edge, within 9 degrees of 45");
    if (TAP_FULL) { tap_note("from flat on the ground, off by rad", pivots(pivot_start, 0.1)); }
    return tap_done();
}
