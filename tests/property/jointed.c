// SPDX-License-Identifier: MIT
// config: all
// Random mechanisms, stepped: trees and loops of all kinds of joints, light and heavy, small and large, with limits,
// friction, dampers and motors, some on a floor that resists rolling. What holds after every step, whatever the world:
//   invariants   tac_check(), the step is taken, joints stay together
//   momentum     of what floats freely
//   energy       does not grow where nothing drives
#include "tap.h"
#include "used.h"
// With needles angular momentum is off by 2.2e-8, and in float a joint opens by 2.3e-4 of the size.
#define WILD_THIN 0
#include "wild.h"

enum { WORLDS = 60, SWEPT = 12, STEPS = 40 }; // by the direct solver, by sweeps

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;

typedef struct world {
    double size, mass; // m, kg: of its bodies, about
    int free;          // nothing holds it
    int passive;       // nothing drives it
    int loops;         // more joints than a tree has
    int floor;
} world;

// Joints hold what is there: both frames meet somewhere near the bodies.
static void random_joint(rng *r, world *v, uint16_t a, uint16_t b)
{
    const d3 at = d3_add(d3_of(m.body[b].pose.p), rng_box(r, v->size));
    const dq q = rng_quat(r);
    wild_turn(r, &a, &b);
    tac_joint j;
    tac_joint_init(&j, (uint8_t)rng_below(r, TAC_COUPLING), a, b);
    j.length = (tac_real)(v->size * rng_range(r, 0.2, 1));
    const double reach = j.kind == TAC_REVOLUTE_SPHERICAL || j.kind == TAC_DISTANCE ? (double)j.length : 0;
    j.frame_a = seen_from(&m, a, at, q);
    j.frame_b = seen_from(&m, b, d3_add(at, dq_rotate(q, d3_make(reach, 0, 0))), q);
    const int turns = j.kind == TAC_REVOLUTE || j.kind == TAC_SCREW;
    const double unit = turns ? 1 : v->size, effort = v->mass * v->size * 10 * (turns ? v->size : 1);
    if (j.kind == TAC_DISTANCE) {
        j.lower = j.upper = (tac_real)reach;
    } else if (rng_below(r, 4) == 0) {
        j.lower = (tac_real)(-unit * rng_range(r, 0.01, 0.5));
        j.upper = (tac_real)(unit * rng_range(r, 0.01, 0.5));
    }
    if (rng_below(r, 4) == 0) { j.friction = (tac_real)(0.1 * effort * rng_range(r, 0, 1)); }
    if (rng_below(r, 4) == 0) { j.damping = (tac_real)(effort / unit * rng_range(r, 0, 1)); }
    j = used(&j);
    if (tac_model_add_joint(&m, &j) < 0 || j.kind < TAC_REVOLUTE || j.kind > TAC_DISTANCE || v->passive) { return; }
    tac_motor *motor = &input.motor[input.motors++];
    *motor = (tac_motor){
        (tac_real)(0.3 * unit),          (tac_real)unit,           (tac_real)(0.1 * effort), (tac_real)(effort / unit),
        (tac_real)(0.1 * effort / unit), (uint16_t)(m.joints - 1), (uint8_t)rng_below(r, 4)};
    m.joint[m.joints - 1].effort = (tac_real)(effort * rng_range(r, 0.1, 10));
}

static void random_body(rng *r, const world *v)
{
    const double mass = v->mass * log_range(r, -1, 1), k = 0.4 * mass * v->size * v->size;
    const d3 at = d3_make(2.5 * v->size * m.bodies, 0, 2 * v->size); // free of each other and of the floor
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(at, rng_box(r, 0.4 * v->size))));
    b.mass = (tac_real)mass;
    b.inertia = vec(k * rng_range(r, 0.6, 1), k * rng_range(r, 0.6, 1), k * rng_range(r, 0.6, 1));
    b.pose.q = dq_to(rng_quat(r));
    const double speed = d_sqrt(10 * v->size);
    wild_moments(r, &b);
    b.velocity = (tac_twist){d3_to(rng_box(r, speed)), d3_to(rng_box(r, speed / v->size))};
    const int32_t body = tac_model_add_body(&m, &b);
    if (!v->floor) { return; }
    const tac_shape shape = tac_shape_make((uint16_t)body, rng_below(r, 2) ? TAC_SPHERE : TAC_BOX,
                                           vec(0.5 * v->size, 0.4 * v->size, 0.3 * v->size));
    tac_model_add_shape(&m, &shape);
}

// Time scales with the root of the size: a step is the same part of a swing.
static world random_world(uint64_t seed, uint8_t solver)
{
    rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    world v = {log_range(&r, -3, 2), log_range(&r, -3, 3), 0, 0, 0, 0};
    v.free = rng_below(&r, 3) == 0;
    v.passive = rng_below(&r, 2) == 0;
    v.floor = !v.free && rng_below(&r, 3) == 0;
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)(1e-3 * d_sqrt(v.size));
    m.gravity = v.free ? vec(0, 0, 0) : d3_to(d3_add(d3_make(0, 0, -9), rng_box(&r, 3)));
    m.options.solver = solver;
    tac_model_add_material(&m, (tac_real)rng_range(&r, 0, 1), (tac_real)(rng_below(&r, 2) ? 0 : 0.5));
    m.material[0].spinning = m.material[0].rolling = (tac_real)(0.02 * v.size);
    if (v.floor) {
        wild_floor(&m, &r, v.size, 0);
    }
    const uint32_t bodies = 1 + rng_below(&r, 7);
    for (uint32_t i = 0; i < bodies; i++) { random_body(&r, &v); }
    for (uint16_t i = v.free ? 2 : 1; i <= bodies; i++) {
        if (wild_root(&r)) { continue; }
        random_joint(&r, &v, (uint16_t)(v.free ? 1 + rng_below(&r, i - 1u) : rng_below(&r, i)), i);
    }
    for (uint32_t more = rng_below(&r, 3); more > 0 && bodies > 1; more--) {
        const uint16_t a = (uint16_t)(1 + rng_below(&r, bodies)), b = (uint16_t)(1 + rng_below(&r, bodies));
        if (a != b) {
            random_joint(&r, &v, a, b);
            v.loops = 1;
        }
    }
    if (v.floor) { wild_passing(&m, &r, v.size, v.mass); }
    wild_lead(&m, &r);
    wild_numbers(&m, &input, &r);
    return v;
}

typedef struct tally {
    int refused, broken, unconverged, swept, worlds, steps;
    double apart, linear, angular, energy;
    uint64_t apart_at, linear_at, angular_at, energy_at;
} tally;

static double energy(void)
{
    tac_real kinetic, potential;
    tac_energy(&m, &s, &kinetic, &potential);
    return (double)kinetic + (double)potential;
}

static void run(uint64_t seed, uint8_t solver, tally *t)
{
    const world v = random_world(seed, solver);
    tac_vec3 p0, l0, p, l;
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) {
        t->refused++;
        return;
    }
    t->worlds++;
    double before = energy();
    const double speed = d_sqrt(10 * v.size), scale = v.mass * speed * speed * m.bodies,
                 size = v.mass * speed * m.bodies;
    tac_momentum(&m, &s, &p0, &l0);
    for (int i = 0; i < STEPS; i++) {
        const tac_status status = tac_step(&m, &s, &input, &w);
        t->steps++;
        t->refused += status < 0;
        t->unconverged += (status & TAC_UNCONVERGED) != 0;
        t->swept += (status & TAC_SWEPT) != 0;
        t->broken += tac_check(&m, &s, &w, NULL) != TAC_OK;
        tac_momentum(&m, &s, &p, &l);
        const double now = energy(), rise = (now - before) / scale;
        worst_at(&t->apart, &t->apart_at, (double)w.report.joint_error / v.size, seed);
        if (v.free) {
            worst_at(&t->linear, &t->linear_at, d3_norm(d3_sub(d3_of(p), d3_of(p0))) / size, seed);
            worst_at(&t->angular, &t->angular_at, d3_norm(d3_sub(d3_of(l), d3_of(l0))) / (size * v.size), seed);
        }
        if (v.passive && rise > 0) { worst_at(&t->energy, &t->energy_at, rise, seed); }
        before = now;
    }
}
static void test_solver(const char *name, uint8_t solver, uint64_t worlds)
{
    const int direct = solver == TAC_SOLVER_DIRECT || solver == TAC_SOLVER_AUTO;
    tally t;
    truth_fill(&t, sizeof t, 0);
    for (uint64_t seed = 1; seed <= worlds; seed++) { run(seed, solver, &t); }
    tap_equal(t.worlds, worlds, tap_joined("worlds:", name));
    tap_equal(t.refused, 0, "all steps are taken");
    tap_equal(t.broken, 0, "and the invariants hold");
    tap_most(t.linear, TOL(1e-9, 1e-5), "momentum of what floats");
    tap_note_hex("seed", t.linear_at);
    if (!direct) { return; }
    tap_most(t.angular, TOL(1e-8, 1e-4), "and its angular momentum");
    tap_note_hex("seed", t.angular_at);
    tap_most(t.apart, TOL(1e-8, 1e-5), "joints stay together, of the size");
    tap_note_hex("seed", t.apart_at);
    tap_most(t.energy, 2e-3, "energy does not grow in a step by more than a whip makes, where nothing drives");
    tap_note_hex("seed", t.energy_at);
    tap_most(t.swept, t.steps / 200, "Newton's method gives up in one step of 200 at most");
    tap_most(t.unconverged, t.steps / 50, "one of 50 is not solved to its tolerance at most");
}

int main(void)
{
    test_solver("direct", TAC_SOLVER_DIRECT, WORLDS);
    test_solver("auto", TAC_SOLVER_AUTO, WORLDS);
    test_solver("accelerated", TAC_SOLVER_ACCELERATED, SWEPT);
    test_solver("plain", TAC_SOLVER_PLAIN, SWEPT);
    return tap_done();
}
