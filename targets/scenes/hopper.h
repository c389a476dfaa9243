// SPDX-License-Identifier: MIT
// hopper.h - a planar hopper that jumps over a distance: a trunk, a hip that turns, a leg that slides, a foot that is a
// ball.
//   given   nothing
//   makes   the plant; the cost of a jump; a planner by iterative LQR that knows of no schedule of contacts
//   bound   iterations passes of steps backwards and up to seven times as many roll-outs a plan
//   never   tells the planner when the foot is to leave the ground or to come down
#ifndef HOPPER_H
#define HOPPER_H

#include "scenes.h"

// Coordinates: trunk along x and z and about -y; hip about -y, leg along it. u: torque of the hip, force of the leg.
enum { HOP_Q = 5, HOP_X = 2 * HOP_Q, HOP_U = 2, HOP_N = 60, HOP_TERMS = 9, HOP_RESIDUALS = 3 * 4 + 2 + 4 };

#define HOP(number) ((tac_real)(number))
#define HOP_LEG HOP(0.4)                  // m  from the hip to the middle of the foot, at rest
#define HOP_FOOT HOP(0.04)                // m  radius
#define HOP_FAR HOP(0.5)                  // m  of the jump
#define HOP_HIGH HOP(0.25)                // m  that the trunk rises to on its way
#define HOP_WEIGHT (HOP(3.6) * HOP(9.81)) // N  of all that the leg bears
#define HOP_APEX 28                       // step

typedef struct hopper {
    tac_ilqr ilqr;
    tac_plan plan;
    tac_cost cost;
    tac_lcp lcp;
    tac_cost_term term[HOP_TERMS];
    tac_table there, leap, apex;
    tac_real value[HOP_N * HOP_U];
    tac_state trajectory[TAC_ILQR_STATES(HOP_N)];
    tac_real memory[TAC_ILQR_NUMBERS(HOP_X, HOP_Q, HOP_U, HOP_N, HOP_RESIDUALS)];
} hopper;

static const tac_channel hop_channel[HOP_U] = {
    {.low = -10, .high = 10, .sigma = 1, .joint = 1, .kind = TAC_MOTOR_EFFORT},
    {.low = -200, .high = 200, .sigma = 20, .joint = 2, .kind = TAC_MOTOR_EFFORT}};
static const tac_real hop_goal[3] = {HOP_FAR, 0, HOP_LEG + HOP_FOOT};
static const tac_real hop_leap[3] = {HOP_FAR / 2, 0, HOP_LEG + HOP_FOOT + HOP_HIGH};
static const tac_real hop_when[HOP_N + 1] = {[HOP_APEX] = 1};

static inline void hop_body(tac_model *m, double mass, double inertia, double z)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, HOP_LEG + HOP_FOOT + HOP(z)});
    b.mass = HOP(mass);
    b.inertia = (tac_vec3){HOP(inertia), HOP(inertia), HOP(inertia)};
    tac_model_add_body(m, &b);
}

// The hip is at the centre of the trunk.
static inline tac_status hop_plant(tac_model *m)
{
    const tac_real half = HOP(0.70710678118654752440);
    const tac_quat about = {half, half, 0, 0}, down = {0, 1, 0, 0};
    const tac_vec3 hip = {0, 0, HOP_LEG + HOP_FOOT};
    tac_joint j;
    tac_model_init(m);
    m->h = HOP(0.01);
    m->gravity = (tac_vec3){0, 0, HOP(-9.81)};
    tac_model_add_material(m, HOP(0.8), 0);
    hop_body(m, 3, 0.08, 0);
    hop_body(m, 0.6, 0.02, -0.1);
    hop_body(m, 0.3, 0.01, -0.3);
    tac_joint_init(&j, TAC_PLANAR, 0, 1);
    j.frame_a.q = j.frame_b.q = about;
    j.frame_a.p = hip;
    tac_model_add_joint(m, &j);
    tac_joint_init(&j, TAC_REVOLUTE, 1, 2);
    j.frame_a.q = j.frame_b.q = about;
    j.frame_b.p.z = HOP(0.1);
    tac_model_add_joint(m, &j);
    tac_joint_init(&j, TAC_PRISMATIC, 2, 3);
    j.frame_a.q = j.frame_b.q = down;
    j.frame_a.p.z = HOP(-0.2);
    tac_model_add_joint(m, &j);
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, (tac_vec3){1, 1, 1});
    tac_model_add_shape(m, &s);
    s = tac_shape_make(3, TAC_SPHERE, (tac_vec3){HOP_FOOT, HOP_FOOT, HOP_FOOT});
    s.pose.p.z = HOP(-0.1);
    tac_model_add_shape(m, &s);
    return tac_model_seal(m, NULL);
}

static inline void hop_term(hopper *p, int i, uint8_t kind, double weight, double terminal, const tac_table *target)
{
    p->term[i] =
        (tac_cost_term){.kind = kind, .weight = HOP(weight), .terminal = HOP(terminal), .count = 2, .index = 1};
    p->term[i].frame.body = 1;
    p->term[i].frame.pose.q.w = 1;
    p->term[i].target = target;
}

// From standing to standing. The plan to start from bears the weight, at first a fifth more for so many steps.
static inline void hop_controller(hopper *p, const tac_model *m, int pushed)
{
    p->there = (tac_table){hop_goal, 0, 1, 1, 3, TAC_TABLE_HOLD, 0};
    p->leap = (tac_table){hop_leap, 0, 1, 1, 3, TAC_TABLE_HOLD, 0};
    p->apex = (tac_table){hop_when, 0, m->h, HOP_N + 1, 1, TAC_TABLE_HOLD, 0};
    hop_term(p, 0, TAC_COST_POSITION, 0, 200, &p->there);
    hop_term(p, 1, TAC_COST_VELOCITY, 0, 10, NULL);
    hop_term(p, 2, TAC_COST_ORIENTATION, 2, 20, NULL);
    hop_term(p, 3, TAC_COST_POSITION, 4000, 0, &p->leap);
    hop_term(p, 4, TAC_COST_JOINT, 1, 20, NULL);
    hop_term(p, 5, TAC_COST_JOINT, 100, 500, NULL);
    hop_term(p, 6, TAC_COST_RATE, 0.02, 1, NULL);
    hop_term(p, 7, TAC_COST_EFFORT, 0.02, 0, NULL);
    hop_term(p, 8, TAC_COST_EFFORT, 0.0005, 0, NULL);
    p->term[4].count = p->term[5].count = p->term[7].count = p->term[8].count = 1;
    p->term[5].index = p->term[8].index = 2;
    p->term[3].schedule = &p->apex;
    p->cost = (tac_cost){p->term, 0, HOP_TERMS};
    p->plan = (tac_plan){hop_channel, p->value, 0, m->h, HOP_N, HOP_U, TAC_TABLE_HOLD};
    for (int k = 0; k < HOP_N; k++) {
        p->value[HOP_U * k] = 0;
        p->value[HOP_U * k + 1] = (k < pushed ? HOP(1.2) : 1) * HOP_WEIGHT;
    }
    p->ilqr = (tac_ilqr){.model = m, .cost = &p->cost, .plan = &p->plan, .trajectory = p->trajectory, .lcp = &p->lcp};
    p->ilqr.memory = p->memory, p->ilqr.room = sizeof p->memory / sizeof *p->memory;
    p->ilqr.steps = HOP_N, p->ilqr.iterations = 100;
    tac_lcp_init(&p->lcp);
}

#endif
