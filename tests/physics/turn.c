// SPDX-License-Identifier: MIT
// config: robots
// A capsule falls between two fingers that are open; they close and roll it about its axis by 45 to 90 degrees, either
// way, by plans that are made while the one before is followed, on a plant with steps of 0.5 ms, masses off by 10 %,
// friction by 30 %, and commands 2 ms late.
#include "foreign_random.h"
#include "tap.h"
#include "turn.h"

enum { PLANS = 50 }; // 2 s

static const double degree = TRUTH_PI / 180;

static foreign plant;
static turning task;
static tac_work w;
static tac_input input;

// Up to 5 mm off along y and z, each finger up to 1 mm away.
static tac_status let_go(rng *r)
{
    tac_measured capsule = {REPLAN_FRAME(TURN_CAPSULE), .pose = {.q = {1, 0, 0, 0}}};
    tac_joint_state joint[TURN_JOINTS] = {{0, 0}};
    capsule.pose.p.y = (tac_real)rng_range(r, -0.005, 0.005);
    capsule.pose.p.z = (tac_real)rng_range(r, -0.005, 0.005);
    for (int i = 0; i < TURN_JOINTS; i += 2) { joint[i].position = TURN_GRIP + (tac_real)rng_range(r, 0, 0.001); }
    return tac_state_set_measured(&plant.model, &plant.state, &capsule, joint);
}

typedef struct ends {
    double angle, tilt, away; // rad from the angle; rad of the axis; m from the middle
} ends;

// Returns 0 if something is refused.
static int turns(uint32_t seed, ends *e)
{
    rng r = {seed};
    truth_fill(&input, sizeof input, 0);
    turn_model(&plant.model);
    if (foreign_random(&plant, &r, &input) || let_go(&r)) { return 0; }
    const double angle = rng_range(&r, 45, 90) * degree * (rng_range(&r, -1, 1) < 0 ? -1 : 1);
    const dq goal = {d_cos(angle / 2), 0, d_sin(angle / 2), 0};
    if (turn_planner(&task, (tac_quat){(tac_real)goal.w, 0, (tac_real)goal.y, 0})) { return 0; }
    for (uint32_t k = 0; k < PLANS; k++) {
        if (!replan_run(&task.planner, &plant, &input, &w)) { return 0; }
    }
    const d3 p = d3_of(plant.state.pose[TURN_CAPSULE].p);
    const dq off = dq_mul(dq_conjugate(goal), dq_of(plant.state.pose[TURN_CAPSULE].q));
    e->angle = 2 * d_abs(off.y);
    e->tilt = 2 * d_sqrt(off.x * off.x + off.z * off.z);
    e->away = d_sqrt(p.x * p.x + p.z * p.z);
    return 1;
}

int main(void)
{
    const uint32_t trials = RUN(20, 1);
    uint32_t turned = 0, refused = 0;
    double worst = 0, mean = 0, tilt = 0, away = 0;
    tap_note("angles of seeds 1 to", trials);
    for (uint32_t seed = 1; seed <= trials; seed++) {
        ends e = {0, 0, 0};
        refused += !turns(seed, &e);
        turned += e.away < 0.005 && e.angle < 3 * degree;
        worst = d_max(worst, e.angle / degree), mean += e.angle / degree / trials;
        tilt = d_max(tilt, e.tilt / degree), away = d_max(away, e.away);
    }
    tap_note("degrees from the angle, mean", mean);
    tap_note("degrees from the angle, most", worst);
    tap_note("degrees that the axis has tilted, most", tilt);
    tap_equal(refused, 0, "all plans are made");
    tap_most(away, 0.005, "m from the middle: none is dropped");
    tap_equal(turned, trials, "capsules within 3 degrees of the angle");
    return tap_done();
}
