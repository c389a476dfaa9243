// SPDX-License-Identifier: MIT
// turn.h - a capsule between two fingers is rolled about its axis by a commanded angle, by predictive sampling.
//   given   the angle; the measured state of capsule and fingers
//   makes   the model of two fingers that press and lift; what is asked of them, as a cost
//   bound   constant
//   never   tells the planner how a finger is to move
#ifndef TURN_H
#define TURN_H

#include "replan.h"

enum { TURN_CAPSULE = 5, TURN_JOINTS = 4, TURN_TERMS = 5 };

#define TURN(number) ((tac_real)(number))
#define TURN_RADIUS TURN(0.01)
#define TURN_GRIP TURN(0.004) // how far a finger would go beyond the surface of the capsule if it were not there

typedef struct turning {
    replan planner;
    tac_cost_term term[TURN_TERMS];
    tac_real goal[4];
    tac_table target;
} turning;

// A finger of two slides: it presses along x, then lifts along z.
static inline void turn_finger(tac_model *m, tac_real side)
{
    const tac_real half = TURN(0.70710678118654752440);
    const tac_quat out = {half, 0, side * half, 0};
    const tac_vec3 at = {side * (TURN_RADIUS + TURN(0.01) - TURN_GRIP), 0, 0},
                   pad = {TURN(0.01), TURN(0.02), TURN(0.03)};
    const tac_real mass[2] = {TURN(0.05), TURN(0.1)};
    for (int i = 0; i < 2; i++) {
        tac_joint j;
        tac_body b = tac_body_make(TAC_DYNAMIC, at);
        const uint16_t from = i ? (uint16_t)(m->bodies - 1) : 0;
        b.mass = mass[i], b.inertia = (tac_vec3){TURN(4e-5), TURN(4e-5), TURN(4e-5)};
        const uint16_t to = (uint16_t)tac_model_add_body(m, &b);
        tac_joint_init(&j, TAC_PRISMATIC, from, to);
        if (i == 0) { j.frame_a.p = at, j.frame_a.q = j.frame_b.q = out; }
        tac_model_add_joint(m, &j);
        if (i) {
            const tac_shape s = tac_shape_make(to, TAC_BOX, pad);
            tac_model_add_shape(m, &s);
        }
    }
}

// Fingers of 150 g, a capsule of 45 g along y between them. Not sealed.
static inline void turn_model(tac_model *m)
{
    const tac_real half = TURN(0.70710678118654752440);
    tac_model_init(m);
    tac_model_add_material(m, TURN(0.7), 0);
    turn_finger(m, -1);
    turn_finger(m, 1);
    tac_body b = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 0});
    b.mass = TURN(0.045), b.inertia = (tac_vec3){TURN(6.4e-6), TURN(2.1e-6), TURN(6.4e-6)};
    tac_model_add_body(m, &b);
    tac_shape s = tac_shape_make(TURN_CAPSULE, TAC_CAPSULE, (tac_vec3){TURN_RADIUS, 0, TURN(0.015)});
    s.pose.q = (tac_quat){half, -half, 0, 0};
    tac_model_add_shape(m, &s);
}

static const tac_cost_term turn_terms[TURN_TERMS] = {
    {.kind = TAC_COST_ORIENTATION, REPLAN_FRAME(TURN_CAPSULE), .weight = 1, .terminal = TURN(0.5)},
    {.kind = TAC_COST_POSITION, REPLAN_FRAME(TURN_CAPSULE), .weight = 4000, .terminal = 1000, .without = 2},
    {.kind = TAC_COST_VELOCITY, REPLAN_FRAME(TURN_CAPSULE), .weight = 10},
    {.kind = TAC_COST_SPIN, REPLAN_FRAME(TURN_CAPSULE), .weight = TURN(0.005)},
    {.kind = TAC_COST_RATE, .index = 0, .count = 4, .weight = 1},
};

// Targets of pressing and rates of lifting are planned, 25 times a second. The goal is a rotation about y.
static inline tac_status turn_planner(turning *t, tac_quat goal)
{
    replan *r = &t->planner;
    turn_model(&r->model);
    r->model.h = TURN(0.02);
    r->model.options.max_sweeps = 10;
    for (uint16_t i = 0; i < TURN_JOINTS; i += 2) {
        r->channel[i] = (tac_channel){-TURN_GRIP, TURN_GRIP, TURN(0.001), 1000, 10, i, TAC_MOTOR_PD};
        r->channel[i + 1] =
            (tac_channel){TURN(-0.1), TURN(0.1), TURN(0.03), 0, 0, (uint16_t)(i + 1), TAC_MOTOR_VELOCITY};
    }
    for (int i = 0; i < TURN_TERMS; i++) { t->term[i] = turn_terms[i]; }
    t->goal[0] = goal.w, t->goal[1] = goal.x, t->goal[2] = goal.y, t->goal[3] = goal.z;
    t->target = (tac_table){t->goal, 0, 1, 1, 4, TAC_TABLE_HOLD, 0};
    t->term[0].target = &t->target;
    r->cost = (tac_cost){t->term, 0, TURN_TERMS};
    r->frame = (tac_frame){.body = TURN_CAPSULE, .pose.q.w = 1};
    r->lag = 2, r->steps = 10;
    return replan_begin(r);
}

#endif
