// SPDX-License-Identifier: MIT
// config: robots
// A ball that falls is caught on a tray and brought to rest in its middle, by plans that are made while the one before
// is followed, on a plant with steps of 0.5 ms, masses off by 10 %, friction by 30 %, and commands 2 ms late. Under a
// tray that does not move the ball is lost.
#include "foreign_random.h"
#include "tap.h"
#include "tray.h"

enum { PLANS = 100 }; // 4 s

static foreign plant;
static replan planner;
static tac_work w;
static tac_input input;

// From 0.2 to 0.5 m above the tray, with up to 0.3 m/s along x and along y, to where it would land within 0.1 m of the
// middle each.
static tac_status toss(rng *r)
{
    static const tac_joint_state rest[TRAY_JOINTS];
    tac_measured ball = {REPLAN_FRAME(TRAY_BALL), .pose = {.q = {1, 0, 0, 0}}};
    const double height = rng_range(r, 0.2, 0.5), time = d_sqrt(2 * height / 9.81);
    const double vx = rng_range(r, -0.3, 0.3), vy = rng_range(r, -0.3, 0.3);
    const double x = rng_range(r, -0.1, 0.1), y = rng_range(r, -0.1, 0.1);
    ball.velocity = (tac_vec3){(tac_real)vx, (tac_real)vy, 0};
    ball.pose.p = (tac_vec3){(tac_real)(x - vx * time), (tac_real)(y - vy * time), (tac_real)(0.04 + height)};
    return tac_state_set_measured(&plant.model, &plant.state, &ball, rest);
}

// Metres from the middle of the tray at last, and m/s; below 0: lost, or something is refused.
static double catches(uint32_t seed, uint32_t plans, double *speed)
{
    rng r = {seed};
    truth_fill(&input, sizeof input, 0);
    tray_model(&plant.model);
    if (foreign_random(&plant, &r, &input) || toss(&r) || tray_planner(&planner)) { return -1; }
    for (uint32_t k = 0; k < plans; k++) {
        if (!replan_run(&planner, &plant, &input, &w)) { return -1; }
    }
    for (uint32_t k = 0; k < 1000 && plans == 0; k++) {
        if (foreign_period(&plant, &input, &w) < 0) { return -1; }
    }
    const d3 ball = d3_of(plant.state.pose[TRAY_BALL].p), tray = d3_of(plant.state.pose[TRAY_BODY].p);
    *speed = d_max(*speed, d3_norm(d3_of(plant.state.twist[TRAY_BALL].v)));
    return ball.z > 0 ? d3_norm(d3_make(ball.x - tray.x, ball.y - tray.y, 0)) : -1;
}

int main(void)
{
    const uint32_t tosses = RUN(20, 1);
    uint32_t caught = 0, still = 0;
    double worst = 0, mean = 0, speed = 0, lost = 0;
    tap_note("tosses of seeds 1 to", tosses);
    for (uint32_t seed = 1; seed <= tosses; seed++) {
        const double off = catches(seed, PLANS, &speed);
        caught += off >= 0;
        worst = d_max(worst, off);
        mean += off / tosses;
        still += catches(seed, 0, &lost) >= 0;
    }
    tap_note("m from the middle, mean", mean);
    tap_equal(caught, tosses, "balls on the tray");
    tap_most(worst, 0.01, "m from its middle");
    tap_most(speed, 0.02, "m/s of the ball");
    tap_equal(still, 0, "balls that a tray without plans keeps");
    return tap_done();
}
