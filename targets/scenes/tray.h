// SPDX-License-Identifier: MIT
// tray.h - a ball that falls is caught on a tray and brought to rest in its middle, by predictive sampling.
//   given   the measured state of ball and joints
//   makes   the model of the tray on two slides and two hinges; what is asked of it, as a cost
//   bound   constant
//   never   tells the planner when or where the ball lands
#ifndef TRAY_H
#define TRAY_H

#include "replan.h"

enum { TRAY_BODY = 4, TRAY_BALL = 5, TRAY_JOINTS = 4 };

#define TRAY(number) ((tac_real)(number))

static inline void tray_link(tac_model *m, uint8_t kind, double mass, tac_vec3 inertia, tac_quat axis)
{
    tac_joint j;
    tac_body b = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 0});
    b.mass = TRAY(mass), b.inertia = inertia;
    const uint16_t body = (uint16_t)tac_model_add_body(m, &b);
    tac_joint_init(&j, kind, (uint16_t)(body - 1), body);
    j.frame_a.q = j.frame_b.q = axis;
    tac_model_add_joint(m, &j);
}

// A tray of 30 x 30 cm and 0.5 kg on slides along x and y and hinges about y and x; a ball of 100 g. Not sealed.
static inline void tray_model(tac_model *m)
{
    const tac_real half = TRAY(0.70710678118654752440);
    const tac_quat x = {half, 0, half, 0}, y = {half, -half, 0, 0};
    const tac_vec3 slide = {TRAY(0.001), TRAY(0.001), TRAY(0.001)}, radius = {TRAY(0.03), 0, 0};
    tac_model_init(m);
    tac_model_add_material(m, TRAY(0.5), TRAY(0.3));
    tray_link(m, TAC_PRISMATIC, 0.3, slide, x);
    tray_link(m, TAC_PRISMATIC, 0.3, slide, y);
    tray_link(m, TAC_REVOLUTE, 0.1, slide, y);
    tray_link(m, TAC_REVOLUTE, 0.5, (tac_vec3){TRAY(0.00375), TRAY(0.00375), TRAY(0.0075)}, x);
    tac_body ball = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, TRAY(0.04)});
    ball.mass = TRAY(0.1), ball.inertia = (tac_vec3){TRAY(3.6e-5), TRAY(3.6e-5), TRAY(3.6e-5)};
    tac_model_add_body(m, &ball);
    const tac_shape top = tac_shape_make(TRAY_BODY, TAC_BOX, (tac_vec3){TRAY(0.15), TRAY(0.15), TRAY(0.01)});
    const tac_shape round = tac_shape_make(TRAY_BALL, TAC_SPHERE, radius);
    tac_model_add_shape(m, &top);
    tac_model_add_shape(m, &round);
}

// Ball and tray in the middle, level and at rest.
static const tac_real tray_rest[3] = {0, 0, TRAY(0.04)};
static const tac_table tray_middle = {tray_rest, 0, 1, 1, 3, TAC_TABLE_HOLD, 0};
static const tac_cost_term tray_terms[] = {
    {.kind = TAC_COST_POSITION, REPLAN_FRAME(TRAY_BALL), .target = &tray_middle, .weight = 200, .terminal = 100},
    {.kind = TAC_COST_VELOCITY, REPLAN_FRAME(TRAY_BALL), .weight = 10, .terminal = 20, .without = 4},
    {.kind = TAC_COST_JOINT, .index = 0, .count = 2, .weight = 50, .terminal = 5},
    {.kind = TAC_COST_JOINT, .index = 2, .count = 2, .weight = 5},
    {.kind = TAC_COST_RATE, .index = 0, .count = 4, .weight = TRAY(0.1)},
};

// Slides and hinges have servos whose targets are planned, 25 times a second.
static inline tac_status tray_planner(replan *r)
{
    tray_model(&r->model);
    r->model.h = TRAY(0.02);
    r->model.options.max_sweeps = 10;
    for (uint16_t i = 0; i < TRAY_JOINTS; i++) {
        const int slides = i < 2;
        r->channel[i] = (tac_channel){TRAY(-0.3), TRAY(0.3), TRAY(0.05), 0, 0, i, TAC_MOTOR_PD};
        r->channel[i].stiffness = slides ? 400 : 10, r->channel[i].damping = slides ? 40 : TRAY(0.5);
    }
    r->cost = (tac_cost){tray_terms, 0, sizeof tray_terms / sizeof *tray_terms};
    r->frame = (tac_frame){.body = TRAY_BALL, .pose.q.w = 1};
    r->lag = 2, r->steps = 30;
    return replan_begin(r);
}

#endif
