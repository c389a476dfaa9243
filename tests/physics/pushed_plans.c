// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// A quadruped that is pushed by 0.5 m/s stands better by plans than by its servos alone: after each of eight pushes, by
// all methods, by full steps and by refreshed ones, and never falls. A plan every 50 ms of ten samples of 35 steps.
#include "pushed.h"
#include "robots.h"
#include "tap.h"

static pushed p;
static tac_work w, ahead;

// What the second after a push costs. Returns a negative number if something is refused.
static double second(unsigned direction, int plans, uint8_t method)
{
    double sum = 0;
    if (!pushed_push(&p, direction, &w)) { return -1; }
    for (uint32_t k = 0; k < 1000; k++) {
        if (plans && k % PUSHED_EVERY == 0) {
            if (k > 0) { tac_plan_shift(&p.plan, (tac_real)0.001 * PUSHED_EVERY); }
            if (pushed_ask(&p, k + direction, 10, 35, method)) { return -2; }
            if (tac_sampling_advance(&p.sampling, &ahead, UINT32_MAX) || tac_sampling_end(&p.sampling)) { return -3; }
        }
        if (plans) { tac_plan_evaluate(&p.plan, (tac_real)0.001 * (tac_real)(k % PUSHED_EVERY), 0, &p.input); }
        if (tac_step(&p.plant, &p.state, &p.input, &w) < 0) { return -4; }
        sum += pushed_judge(&p);
    }
    return sum;
}

static const char *const NAMES[] = {
    "best", "elites", "weights", "best, refreshed", "elites, refreshed", "weights, refreshed"};

static void compare(const double *servos, uint8_t method)
{
    const char *name = NAMES[method + (p.every ? TAC_SAMPLING_METHODS : 0)];
    double ratio = 0, low = 1;
    uint32_t better = 0;
    for (unsigned i = 0; i < PUSHED_DIRECTIONS; i++) {
        const double plans = second(i, 1, method);
        ratio += plans / servos[i] / PUSHED_DIRECTIONS;
        better += plans >= 0 && plans < servos[i];
        low = (double)p.state.pose[QUADRUPED_TORSO].p.z < low ? (double)p.state.pose[QUADRUPED_TORSO].p.z : low;
    }
    tap_equal(better, PUSHED_DIRECTIONS, tap_joined(name, ": better after each push"));
    tap_most(ratio, 0.85, tap_joined(name, ": cost against that of the servos"));
    tap_least(low, 0.3, tap_joined(name, ": height of the torso in the end"));
}

int main(void)
{
    double servos[PUSHED_DIRECTIONS];
    if (!pushed_begin(&p)) { tap_ok(0, "the scene is built"); }
    for (unsigned i = 0; i < PUSHED_DIRECTIONS; i++) {
        servos[i] = second(i, 0, 0);
        tap_least(servos[i], 0.01, "a push that servos alone take");
    }
    for (int kept = 0; kept < 2; kept++) {
        p.every = kept ? 5 : 0;
        for (uint8_t method = 0; method < TAC_SAMPLING_METHODS; method++) { compare(servos, method); }
    }
    return tap_done();
}
