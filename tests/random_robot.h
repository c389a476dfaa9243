// SPDX-License-Identifier: MIT
// random_robot.h - robots of links that overlap: random trees, and with LOOPS mechanisms.
//   given   a seed; whether joints may close loops
//   makes   the model and the commands of its motors, which hold the start
//   bound   7 links, 10 joints
//   never   starts with a joint that is violated
#ifndef RANDOM_ROBOT_H
#define RANDOM_ROBOT_H

#include "tap.h"
#include "used.h"
#include "wild.h"

#ifndef LOOPS
#define LOOPS 0 // 1: rods, bushings, joints that close loops, couplings too
#endif

static tac_model m;
static tac_input input;

typedef struct robot {
    double size, mass; // m, kg: of its links, about
    int fixed, floor, gravity, driven;
} robot;

static void random_shape(rng *r, const robot *v, uint16_t link)
{
    static const uint8_t kind[] = {TAC_SPHERE, TAC_CAPSULE, TAC_BOX, TAC_BOX, TAC_CYLINDER, TAC_ELLIPSOID};
    const uint8_t which = kind[rng_below(r, 6)];
    const double x = v->size * rng_range(r, 0.1, 1), y = v->size * rng_range(r, 0.1, 1),
                 z = v->size * rng_range(r, 0.1, 1);
    tac_shape shape = tac_shape_make(link, which, vec(x, y, z));
    shape.pose.p = d3_to(rng_box(r, 0.3 * v->size));
    shape.pose.q = dq_to(rng_quat(r));
    tac_model_add_shape(&m, &shape);
}

// Near the link that it hangs on, so that it overlaps others.
static void random_link(rng *r, const robot *v, uint16_t parent)
{
    const double mass = v->mass * log_range(r, -2, 1), k = 0.2 * mass * v->size * v->size;
    const d3 at = parent > 0 ? d3_of(m.body[parent].pose.p) : d3_make(0, 0, 2 * v->size);
    const double x = rng_range(r, 0.6, 1), y = rng_range(r, 0.6, 1), z = rng_range(r, 0.6, 1);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(at, rng_box(r, v->size))));
    b.mass = (tac_real)mass;
    b.inertia = vec(k * x, k * y, k * z);
    b.pose.q = dq_to(rng_quat(r));
    wild_moments(r, &b);
    random_shape(r, v, (uint16_t)tac_model_add_body(&m, &b));
}

// A rod or a rope is as long as its ends are apart, a circle as wide. What is elastic starts at rest.
static void random_reach(rng *r, const robot *v, tac_joint *j, double apart)
{
    if (j->kind == TAC_DISTANCE) {
        j->upper = (tac_real)apart;
        j->lower = (tac_real)(rng_below(r, 2) ? apart : 0);
    }
    if (j->kind == TAC_REVOLUTE_SPHERICAL) { j->length = (tac_real)apart; }
    if (j->kind != TAC_BUSHING) { return; }
    const double stiff = v->mass * 10 * log_range(r, 0, 4) / v->size, turn = stiff * v->size * v->size;
    j->along = vec(stiff, stiff, 2 * stiff);
    j->about = vec(turn, 0.5 * turn, turn);
    if (rng_below(r, 2)) { j->along_damping = vec(0.01 * stiff, 0.01 * stiff, 0); }
}

static int random_turns(const tac_joint *j)
{
    return j->kind == TAC_REVOLUTE || j->kind == TAC_SCREW;
}

static void random_motor(rng *r, const robot *v, uint16_t joint)
{
    const double unit = random_turns(&m.joint[joint]) ? 1 : v->size, effort = v->mass * v->size * 10 * unit;
    const double stiff = effort * log_range(r, -1, 2) / unit;
    m.joint[joint].effort = (tac_real)(effort * log_range(r, 0, 2));
    input.motor[input.motors++] = (tac_motor){0, 0, 0, (tac_real)stiff, (tac_real)(0.02 * stiff), joint, TAC_MOTOR_PD};
}

static void random_joint(rng *r, const robot *v, uint16_t a, uint16_t b)
{
    static const uint8_t kind[] = {TAC_REVOLUTE, TAC_REVOLUTE,           TAC_REVOLUTE,  TAC_PRISMATIC,   TAC_SCREW,
                                   TAC_FIXED,    TAC_SPHERICAL,          TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR,
                                   TAC_DISTANCE, TAC_REVOLUTE_SPHERICAL, TAC_BUSHING};
    const int held = m.body[a].kind != TAC_DYNAMIC;
    const d3 at = d3_scale(0.5, d3_add(d3_of(m.body[held ? b : a].pose.p), d3_of(m.body[b].pose.p)));
    const dq q = rng_quat(r);
    wild_turn(r, &a, &b);
    tac_joint j;
    tac_joint_init(&j, kind[rng_below(r, LOOPS ? 13 : 10)], a, b);
    const int apart = j.kind == TAC_DISTANCE || j.kind == TAC_REVOLUTE_SPHERICAL;
    const double reach = apart ? v->size * rng_range(r, 0.2, 1) : 0;
    j.length = (tac_real)(v->size * rng_range(r, 0.2, 1));
    j.frame_a = seen_from(&m, a, at, q);
    j.frame_b = seen_from(&m, b, d3_add(at, dq_rotate(q, d3_make(reach, 0, 0))), q);
    random_reach(r, v, &j, reach);
    const double unit = random_turns(&j) ? 1 : v->size, effort = v->mass * v->size * 10 * unit;
    if (rng_below(r, 3) == 0 && j.kind != TAC_DISTANCE) {
        j.lower = (tac_real)(-unit * rng_range(r, 0.01, 0.5));
        j.upper = (tac_real)(unit * rng_range(r, 0.01, 0.5));
    }
    if (rng_below(r, 3) == 0) { j.friction = (tac_real)(0.1 * effort * rng_range(r, 0, 1)); }
    j = used(&j);
    if (tac_model_add_joint(&m, &j) < 0 || j.kind < TAC_REVOLUTE || j.kind > TAC_SCREW || !v->driven) { return; }
    random_motor(r, v, (uint16_t)(m.joints - 1));
}

// A gear between two joints that turn or slide: rigid, with backlash, or elastic.
static void random_coupling(rng *r, const robot *v)
{
    const uint16_t a = (uint16_t)rng_below(r, m.joints), b = (uint16_t)rng_below(r, m.joints);
    const uint8_t ka = m.joint[a].kind, kb = m.joint[b].kind;
    if (a == b || ka < TAC_REVOLUTE || ka > TAC_SCREW || kb < TAC_REVOLUTE || kb > TAC_SCREW) { return; }
    const double unit_a = random_turns(&m.joint[a]) ? 1 : v->size, unit_b = random_turns(&m.joint[b]) ? 1 : v->size;
    const uint32_t how = rng_below(r, 3);
    tac_joint j;
    tac_joint_init(&j, TAC_COUPLING, a, b);
    j.length = (tac_real)(unit_b / unit_a * rng_range(r, 0.3, 3) * (rng_below(r, 2) ? 1 : -1));
    if (how < 2) {
        j.lower = (tac_real)(how == 0 ? 0 : -0.05 * unit_b);
        j.upper = (tac_real)(how == 0 ? 0 : 0.05 * unit_b);
    } else {
        j.lower = 1, j.upper = -1;
        j.stiffness = (tac_real)(v->mass * v->size * 100 * unit_b / unit_b);
    }
    tac_model_add_joint(&m, &j);
}

// What makes a mechanism of a tree.
static void random_loops(rng *r, const robot *v, uint16_t links)
{
    for (uint32_t more = 1 + rng_below(r, 3); more > 0; more--) {
        const uint16_t a = (uint16_t)(1 + rng_below(r, links)), b = (uint16_t)(1 + rng_below(r, links));
        if (rng_below(r, 2)) {
            if (m.joints > 1) { random_coupling(r, v); }
        } else if (a != b) {
            random_joint(r, v, a, b);
        }
    }
}

static robot random_robot(uint64_t seed, uint8_t solver)
{
    rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    robot v = {log_range(&r, -2, 0), log_range(&r, -2, 2), 0, 0, 0, 0};
    v.fixed = rng_below(&r, 3) == 0;
    v.floor = rng_below(&r, 3) == 0;
    v.gravity = v.floor || rng_below(&r, 2) == 0;
    v.driven = rng_below(&r, 2) == 0;
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)(2e-3 * d_sqrt(v.size)); // a step is the same part of a swing
    if (!v.gravity) { m.gravity = vec(0, 0, 0); }
    m.options.solver = solver;
    tac_model_add_material(&m, (tac_real)rng_range(&r, 0, 1), 0);
    if (v.floor) { wild_floor(&m, &r, v.size, 0); }
    const uint16_t links = (uint16_t)(3 + rng_below(&r, 5));
    for (uint16_t i = 1; i <= links; i++) {
        const uint16_t other = i > 1 ? (uint16_t)(1 + rng_below(&r, i - 1u)) : 0;
        const uint16_t parent = rng_below(&r, 3) == 0 ? other : (uint16_t)(i - 1);
        random_link(&r, &v, parent);
        if (i > 1 ? !wild_root(&r) : v.fixed) { random_joint(&r, &v, parent, i); }
    }
    if (LOOPS) { random_loops(&r, &v, links); }
    if (v.floor) { wild_passing(&m, &r, v.size, v.mass); }
    wild_lead(&m, &r);
    wild_numbers(&m, &input, &r);
    return v;
}

#endif
