// SPDX-License-Identifier: MIT
// config: robots
// Random limbs whose motors and springs throw a light foot at the ground: no step of 1 to 20 ms ends with the foot in
// it, nor does one of a roll-out that refreshes its dynamics in each step, but for one in fifty, by less than
// a millimetre: a servo that starts, and roundings of float.
//
// A trunk that floats or stands fixed carries a hip and a leg that turn or slide, and a foot that is a ball. Efforts of
// one of the joints or of both are such that a step moves the foot by up to some centimetres, against a margin of 2 %
// of its radius; sudden ones come where it is that near. Nothing touches at the start. The step in which the foot comes
// to the ground may end with an overlap of what the contact does not see:
//   arcs      a body that turns by an angle a in the step leaves the straight line by a^2/2 of its size
//   flight    g h^2/2, since a contact without impulse sees the end of the step as velocities do
//   change    what springs and servos push other than in the step before, which is what is known of them
//   the solve its tolerance, of the way that the foot moves in the step
#include "begin.h"
#include "truth.h"

enum { LIMBS = RUN(600, 60), STEPS = 120 };

#define COARSE 0.1 // rad, that a body turns by in a step

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input input;
static tac_prediction ahead;
static tac_refresh kept;

// What drives the limb.
enum { EFFORT, SUDDEN, SERVO, SPRING, WAYS };
static const char *const way_name[WAYS] = {"efforts", "sudden efforts", "PD commands", "springs"};

typedef struct limb {
    int way, floats;
    double h, foot, effort[2], start, reach, near;
    uint8_t kind[2];
    double goal[2];
} limb;

// Small numbers are as likely as large ones.
static double spread(rng *r, double from, double to)
{
    const double u = rng_range(r, 0, 1);
    return from + u * u * u * (to - from);
}

static void add_link(double mass, double size, double z)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, z));
    b.mass = (tac_real)mass;
    b.inertia.x = b.inertia.y = b.inertia.z = (tac_real)(mass * size * size);
    tac_model_add_body(&m, &b);
}

// Of hip or leg: about y, or along -z.
static void add_joint(const limb *x, int i)
{
    const tac_real half = (tac_real)0.70710678118654752440;
    tac_joint j;
    tac_joint_init(&j, x->kind[i], (uint16_t)(x->floats + i), (uint16_t)(x->floats + i + 1));
    j.frame_a.q = j.frame_b.q = x->kind[i] == TAC_REVOLUTE ? (tac_quat){half, half, 0, 0} : (tac_quat){0, 1, 0, 0};
    j.frame_a.p.z = (tac_real)((x->floats || i ? 0 : x->start) - 0.1);
    j.frame_b.p.z = (tac_real)0.1;
    if (x->way == SPRING) {
        j.rest = (tac_real)x->goal[i];
        j.stiffness = (tac_real)(x->effort[i] / d_abs(x->goal[i]));
    }
    tac_model_add_joint(&m, &j);
}

// A force moves the foot by `way` in a step, a torque turns its link so that the foot moves as far.
static void draw(rng *r, int way_of, limb *x)
{
    const double way = spread(r, 0.002, 0.05), leg = spread(r, 0.1, 1), foot = spread(r, 0.02, 0.3),
                 trunk = spread(r, 2, 20);
    x->way = way_of;
    x->floats = (int)rng_below(r, 2);
    x->h = spread(r, 0.001, 0.02);
    x->foot = rng_range(r, 0.01, 0.04);
    x->start = rng_range(r, 0.65, 0.9);
    for (int i = 0; i < 2; i++) {
        const double mass = i ? foot : foot + leg;
        x->kind[i] = rng_below(r, 2) ? TAC_REVOLUTE : TAC_PRISMATIC;
        x->goal[i] =
            x->kind[i] == TAC_PRISMATIC ? rng_range(r, 0.1, 0.4) : (rng_below(r, 2) ? 1 : -1) * rng_range(r, 0.3, 1.5);
        x->effort[i] = mass * way / (x->h * x->h) * (x->kind[i] == TAC_REVOLUTE ? 0.1 : 1);
    }
    x->reach = way;
    x->near = rng_range(r, 0.1, 0.9) * way;
    if (rng_below(r, 3) == 0) { x->effort[rng_below(r, 2)] = 0; }
    tac_model_init(&m);
    m.h = (tac_real)x->h;
    m.gravity = vec(0, 0, -9.81);
    tac_model_add_material(&m, (tac_real)0.5, 0);
    if (x->floats) { add_link(trunk, 0.1, x->start); }
    add_link(leg, 0.06, x->start - 0.2);
    add_link(foot, 0.05, x->start - 0.4);
    for (int i = 0; i < 2; i++) { add_joint(x, i); }
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(&m, &s);
    s = tac_shape_make((uint16_t)(x->floats + 2), TAC_SPHERE, vec(x->foot, x->foot, x->foot));
    s.pose.p.z = (tac_real)-0.1;
    tac_model_add_shape(&m, &s);
    begin_world(&m, &state);
}

static double depth(const limb *x)
{
    const d3 arm = dq_rotate(dq_of(state.pose[x->floats + 2].q), d3_make(0, 0, -0.1));
    return x->foot - ((double)state.pose[x->floats + 2].p.z + arm.z);
}

// Motors are on from the first step; sudden ones where the foot is near.
static void drive(const limb *x)
{
    input = (tac_input){0};
    if (x->way == SPRING || (x->way == SUDDEN && -depth(x) > x->near)) { return; }
    for (int i = 0; i < 2; i++) {
        tac_motor *a = &input.motor[input.motors++];
        a->joint = (uint16_t)i;
        a->kind = x->way == SERVO ? TAC_MOTOR_PD : TAC_MOTOR_EFFORT;
        if (x->way != SERVO) {
            a->effort = (tac_real)(x->goal[i] > 0 ? x->effort[i] : -x->effort[i]);
        } else {
            a->stiffness = (tac_real)(x->effort[i] / d_abs(x->goal[i]));
            a->position = (tac_real)x->goal[i];
        }
    }
}

// The angle that a body turns by in the step at most, from both ends.
static double turns(const tac_state *before, int i)
{
    const double w0 = d3_norm(d3_of(before->twist[i].w)), w1 = d3_norm(d3_of(state.twist[i].w));
    return (double)m.h * d_max(w0, w1);
}

// One step, in full or with refreshed dynamics. Returns 0 if it is refused; does a contact bear a force in it?
static int advance(int refreshed, int first, int *bears)
{
    *bears = 0;
    if (!refreshed) {
        if (tac_step(&m, &state, &input, &w) < 0) { return 0; }
        for (int i = 0; i < w.report.contacts; i++) { *bears |= w.contact[i].impulse.x > 0; }
        return 1;
    }
    if (first) {
        ahead.model = &m;
        ahead.input = &input;
        ahead.most = (tac_real)1e30;
        ahead.steps = STEPS;
        ahead.fidelity.kept = &kept;
        ahead.fidelity.every = 1;
        if (tac_rollout_begin(&ahead, &state, NULL) != TAC_OK) { return 0; }
    }
    const uint32_t touching = ahead.touching;
    if (tac_rollout_advance(&ahead, &w, 1) < 0) { return 0; }
    *bears = ahead.touching > touching;
    state = ahead.state;
    return 1;
}

// By how much farther the foot may come by the change of springs and servos since the step before.
static double changes(const limb *x, const tac_state *before)
{
    double sum = 0;
    for (int i = 0; i < 2 && (x->way == SERVO || x->way == SPRING); i++) {
        const tac_real *last = before->joint[i].interval, *now = state.joint[i].interval;
        const double was = (double)(last[TAC_EFFORT_PASSIVE] + last[TAC_EFFORT_MOTOR]);
        const double is = (double)(now[TAC_EFFORT_PASSIVE] + now[TAC_EFFORT_MOTOR]);
        const double most = d_max(d_abs(was), d_abs(is));
        if (most > 0) { sum += d_abs(is - was) / most * x->reach; }
    }
    return sum;
}

// Steps until the foot touches or overlaps the ground, and how deep that step ends in it beyond its bound. Returns 0 if
// it never comes there, or if the limb turns so fast that steps follow its arcs coarsely.
static int falls(const limb *x, int refreshed, double *deep, double *more)
{
    for (int step = 0; step < STEPS; step++) {
        const tac_state before = state;
        int bears, coarse = 0;
        double bound = 9.81 * x->h * x->h / 2, way = 0;
        drive(x);
        if (!advance(refreshed, step == 0, &bears)) { return 0; }
        for (int i = 1; i <= x->floats + 2; i++) {
            const double angle = turns(&before, i);
            const double arm = d3_norm(d3_sub(d3_of(state.pose[i].p), d3_of(state.pose[x->floats + 2].p))) + 0.2;
            bound += angle * angle / 2 * arm;
            way += x->h * (d3_norm(d3_of(state.twist[i].v)) + d3_norm(d3_of(before.twist[i].v)));
            coarse |= angle > COARSE;
        }
        if (coarse) { return 0; }
        *deep = depth(x);
        bound += changes(x, &before);
        *more = *deep - bound - TOL(1e-6, 1e-4) * way - TOL(1e-12, 1e-6);
        if (*deep > 0 || bears) { return 1; }
    }
    return 0;
}

static void limbs(rng *r, int way, int refreshed)
{
    double worst = 0;
    int touched = 0, missed = 0;
    for (int i = 0; i < LIMBS; i++) {
        limb x;
        double in = 0, more = 0;
        draw(r, way, &x);
        if (!falls(&x, refreshed, &in, &more)) { continue; }
        touched++;
        missed += more > 0;
        worst = d_max(worst, more);
    }
    tap_ok(touched > LIMBS / 8, tap_joined(way_name[way], "feet come to the ground"));
    tap_most(missed, refreshed ? touched / 50 + 1 : 0,
             tap_joined(way_name[way], "steps that end with the foot in the ground"));
    tap_most(worst, refreshed ? 1e-3 : 0, tap_joined(way_name[way], "beyond the bound, m"));
    tap_note("that touch", touched);
}

int main(void)
{
    rng r = {.state = 20260711};
    for (int refreshed = 0; refreshed < 2; refreshed++) {
        tap_note("dynamics are refreshed", refreshed);
        for (int way = 0; way < WAYS; way++) { limbs(&r, way, refreshed); }
    }
    return tap_done();
}
