// SPDX-License-Identifier: MIT
// pushed.h - a quadruped that stands by its servos is pushed by 0.5 m/s, and a planner moves their targets.
//   given   the scene "stand" of robots.h; a direction
//   makes   the plan, the cost, the prediction model; what the second after the push costs, with and without plans
//   bound   a thousand steps; a plan every 50 of them
//   never   gives the planner another model than the plant's but for its step
#ifndef PUSHED_H
#define PUSHED_H

#include "robots.h"
#include "tactus/tactus.h"

enum {
    PUSHED_JOINTS = QUADRUPED_LEGS * QUADRUPED_LEG_JOINTS,
    PUSHED_KNOTS = 4,
    PUSHED_NUMBERS = PUSHED_KNOTS * PUSHED_JOINTS,
    PUSHED_SAMPLES = 16, // at most
    PUSHED_VELOCITIES = PUSHED_JOINTS + 6,
    PUSHED_EVERY = 50, // steps of the plant from plan to plan
    PUSHED_DIRECTIONS = 8
};

typedef struct pushed {
    tac_model plant, ahead; ///< with steps of 1 ms; of the prediction, with 10 ms
    tac_state state, from;
    tac_input input;
    tac_plan plan;
    tac_channel channel[PUSHED_JOINTS];
    tac_cost cost;
    tac_cost_term term[5];
    tac_table height;
    tac_real stands[3];
    tac_real value[PUSHED_NUMBERS], room[PUSHED_NUMBERS + PUSHED_SAMPLES];
    tac_sampling sampling;
    tac_refresh kept, first;
    uint16_t every; ///< steps from refresh to refresh; 0: none
} pushed;

// Height, orientation, velocity and spin of the torso, posture of the joints: what standing means.
static inline void pushed_cost(pushed *p)
{
    const tac_frame torso = {QUADRUPED_TORSO, {{0, 0, 0}, {1, 0, 0, 0}}};
    p->stands[2] = p->plant.body[QUADRUPED_TORSO].pose.p.z;
    p->height = (tac_table){p->stands, 0, 1, 1, 3, TAC_TABLE_HOLD, 0};
    p->term[0] = (tac_cost_term){.kind = TAC_COST_POSITION, .frame = torso, .weight = 200, .terminal = 20};
    p->term[0].target = &p->height;
    p->term[0].without = 3; // x and y
    p->term[1] = (tac_cost_term){.kind = TAC_COST_ORIENTATION, .frame = torso, .weight = 20, .terminal = 5};
    p->term[2] = (tac_cost_term){.kind = TAC_COST_VELOCITY, .frame = torso, .weight = 10, .terminal = 2};
    p->term[3] =
        (tac_cost_term){.kind = TAC_COST_SPIN, .frame = torso, .weight = (tac_real)0.5, .terminal = (tac_real)0.1};
    p->term[4] =
        (tac_cost_term){.kind = TAC_COST_JOINT, .count = PUSHED_JOINTS, .weight = 1, .terminal = (tac_real)0.5};
    p->cost = (tac_cost){p->term, 0, 5};
}

// Returns 0 if the scene is refused.
static inline int pushed_begin(pushed *p)
{
    if (robot_find("stand")->build(&p->plant)) { return 0; }
    p->ahead = p->plant;
    p->ahead.h = (tac_real)0.01;
    p->ahead.shape[1].mask = 0; // the torso's: feet only
    pushed_cost(p);
    for (uint16_t i = 0; i < PUSHED_JOINTS; i++) {
        p->channel[i] = (tac_channel){.low = (tac_real)-1.5, .high = (tac_real)1.5, .sigma = (tac_real)0.02};
        p->channel[i].stiffness = 100, p->channel[i].damping = 1; // the servos of the scene
        p->channel[i].joint = i, p->channel[i].kind = TAC_MOTOR_PD;
    }
    return tac_model_seal(&p->ahead, NULL) == TAC_OK;
}

// Stands for 0.1 s, then moves at 0.5 m/s in one of the directions. Returns 0 if a step is refused.
static inline int pushed_push(pushed *p, unsigned direction, tac_work *w)
{
    static const tac_real part[PUSHED_DIRECTIONS] = {(tac_real)0.46194,  (tac_real)0.19134,  (tac_real)-0.19134,
                                                     (tac_real)-0.46194, (tac_real)-0.46194, (tac_real)-0.19134,
                                                     (tac_real)0.19134,  (tac_real)0.46194};
    tac_real by[2 * PUSHED_VELOCITIES] = {0};
    if (tac_state_init(&p->plant, &p->state, NULL)) { return 0; }
    for (uint32_t k = 0; k < 100; k++) {
        robot_find("stand")->drive(&p->plant, k, &p->input);
        if (tac_step(&p->plant, &p->state, &p->input, w) < 0) { return 0; }
    }
    by[PUSHED_VELOCITIES] = part[direction % PUSHED_DIRECTIONS];
    by[PUSHED_VELOCITIES + 1] = part[(direction + PUSHED_DIRECTIONS - 2) % PUSHED_DIRECTIONS];
    for (int i = 0; i < PUSHED_NUMBERS; i++) { p->value[i] = 0; }
    p->plan.start = 0;
    return tac_state_displace(&p->plant, &p->state, by, w) == TAC_OK;
}

// Asks for a plan of so many samples and steps of 10 ms, of a state of the plant.
static inline tac_status pushed_ask(pushed *p, uint64_t seed, uint16_t samples, uint32_t steps, uint8_t method)
{
    const tac_real spacing = (tac_real)steps * p->ahead.h / (tac_real)(PUSHED_KNOTS - 1);
    p->from = p->state;
    p->plan = (tac_plan){p->channel, p->value, p->plan.start, spacing, PUSHED_KNOTS, PUSHED_JOINTS, TAC_TABLE_LINEAR};
    p->sampling = (tac_sampling){.model = &p->ahead, .cost = &p->cost, .plan = &p->plan, .room = p->room, .seed = seed};
    p->sampling.scale = 1, p->sampling.steps = steps, p->sampling.samples = samples, p->sampling.method = method;
    if (p->every > 0) {
        p->sampling.fidelity = (tac_fidelity){&p->kept, NULL, 0, p->every}, p->sampling.first = &p->first;
    }
    p->sampling.elites = 3, p->sampling.temperature = (tac_real)0.01;
    const tac_status status = tac_state_adopt(&p->plant, &p->ahead, &p->from, NULL);
    return status ? status : tac_sampling_begin(&p->sampling, &p->from, NULL);
}

// The torso after a step of the plant, by the weights of the cost: what both are judged by.
static inline double pushed_judge(const pushed *p)
{
    const tac_pose *q = &p->state.pose[QUADRUPED_TORSO];
    const tac_twist *t = &p->state.twist[QUADRUPED_TORSO];
    const double low = (double)(q->p.z - p->stands[2]), x = 2 * (double)q->q.x, y = 2 * (double)q->q.y,
                 z = 2 * (double)q->q.z;
    const double u = (double)t->v.x, v = (double)t->v.y, w = (double)t->v.z;
    const double a = (double)t->w.x, b = (double)t->w.y, c = (double)t->w.z;
    return 0.0005 * (200 * low * low + 20 * (x * x + y * y + z * z) + 10 * (u * u + v * v + w * w) +
                     0.5 * (a * a + b * b + c * c));
}

#endif
