// SPDX-License-Identifier: MIT
// config: robots
// Closed loops with more joints than they need: they stay together, and of the reactions that hold them they have the
// least, whatever they have been through.
#include "begin.h"
#include "truth.h"

#define ROWS (6 * TAC_MAX_JOINTS)
#define COLUMNS (6 * TAC_MAX_BODIES)

static tac_model m;
static tac_state s, other;
static tac_work w;
static tac_input input;

static void begin(double h)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.gravity = vec(1, 3, -9);
    m.options.solver = TAC_SOLVER_DIRECT;
    truth_fill(&input, sizeof input, 0);
}

static uint16_t add_bar(d3 from, d3 to, double mass)
{
    const d3 along = d3_sub(to, from), half = d3_scale(0.5, d3_add(from, to));
    const double size = d3_norm(along);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(half));
    b.mass = (tac_real)mass;
    b.inertia = vec(mass * size * size / 12, mass * size * size / 11, mass * size * size / 10);
    return (uint16_t)tac_model_add_body(&m, &b);
}

// A joint at a point of the world; its z along y of the world.
static void add_pin(uint8_t kind, uint16_t a, uint16_t b, d3 at)
{
    const tac_quat turn = dq_to(dq_about(d3_make(1, 0, 0), -TRUTH_PI / 2));
    tac_joint j;
    tac_joint_init(&j, kind, a, b);
    j.frame_a = (tac_pose){d3_to(d3_sub(at, d3_of(m.body[a].pose.p))), turn};
    j.frame_b = (tac_pose){d3_to(d3_sub(at, d3_of(m.body[b].pose.p))), turn};
    tac_model_add_joint(&m, &j);
}

// --------------------------------------------------------------------------------------------------- least reactions

// One row of a joint: a unit force along an axis at a point, or a unit torque times a length.
typedef struct row {
    double d[COLUMNS]; // on the bodies: force, torque about the centre of mass; scaled by 1/sqrt(w)
    double g;          // impulse times sqrt(w)
} row;

static row rows[ROWS];
static int count;

static d3 divided(d3 a, tac_vec3 b)
{
    return (d3){a.x / (double)b.x, a.y / (double)b.y, a.z / (double)b.z};
}

// Adds the row of joint j along an axis; `at` the arm's end, length 0 for a force.
static void add_row(const tac_joint *j, d3 axis, d3 at, double length, double impulse)
{
    row *r = &rows[count++];
    double weight = 0;
    for (int i = 0; i < COLUMNS; i++) { r->d[i] = 0; }
    for (int side = 0; side < 2; side++) {
        const uint16_t i = side ? j->body_b : j->body_a;
        if (m.body[i].kind != TAC_DYNAMIC) { continue; }
        const d3 arm = d3_sub(at, d3_of(s.pose[i].p));
        const d3 force = d3_scale(length > 0 ? 0 : side ? 1 : -1, axis);
        const d3 torque = length > 0 ? d3_scale(side ? length : -length, axis) : d3_cross(arm, force);
        const d3 own = dq_rotate(dq_conjugate(dq_of(s.pose[i].q)), torque);
        weight += d3_dot(force, force) / (double)m.body[i].mass + d3_dot(own, divided(own, m.body[i].inertia));
        double *d = r->d + 6 * (i - 1);
        const double part[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
        for (int k = 0; k < 6; k++) { d[k] = part[k]; }
    }
    const double root = d_sqrt(weight);
    for (int i = 0; i < COLUMNS; i++) { r->d[i] /= root; }
    r->g = root * impulse / (length > 0 ? length : 1);
}

// The kernel's length of a joint's turns: with it rows are weighed alike.
static double length_of(const tac_joint *j)
{
    double slide = 0, turn = 0;
    for (int side = 0; side < 2; side++) {
        const tac_body *b = &m.body[side ? j->body_b : j->body_a];
        if (b->kind != TAC_DYNAMIC) { continue; }
        slide += 1 / (double)b->mass;
        turn += 1 / (double)b->inertia.x + 1 / (double)b->inertia.y + 1 / (double)b->inertia.z;
    }
    return d_sqrt(3 * slide / turn);
}

static void add_rows(void)
{
    tac_reactions(&m, &w);
    count = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        const dq q = dq_mul(dq_of(s.pose[j->body_a].q), dq_of(j->frame_a.q));
        const d3 arm = dq_rotate(dq_of(s.pose[j->body_b].q), d3_of(j->frame_b.p)),
                 at = d3_add(d3_of(s.pose[j->body_b].p), arm);
        for (int k = 0; k < 3; k++) {
            const d3 axis = dq_rotate(q, d3_make(k == 0, k == 1, k == 2));
            add_row(j, axis, at, 0, d3_dot(axis, d3_of(w.joint[i].force)));
            const int held = k < 2 || j->kind == TAC_FIXED;
            if (held) { add_row(j, axis, at, length_of(j), d3_dot(axis, d3_of(w.joint[i].torque))); }
        }
    }
}

// Impulses of least norm are combinations of what motions of the bodies do to the rows. Returns the part of those that
// the kernel has found which is none: what adds up to nothing, of all.
static double surplus(void)
{
    static double basis[COLUMNS][ROWS];
    double left[ROWS], all = 0, rest = 0;
    int found = 0;
    for (int i = 0; i < count; i++) { left[i] = rows[i].g; }
    for (int c = 0; c < COLUMNS; c++) {
        double *x = basis[found], size = 0, before = 0;
        for (int i = 0; i < count; i++) {
            x[i] = rows[i].d[c];
            before += x[i] * x[i];
        }
        for (int twice = 0; twice < 2; twice++) {
            for (int k = 0; k < found; k++) {
                double along = 0;
                for (int i = 0; i < count; i++) { along += basis[k][i] * x[i]; }
                for (int i = 0; i < count; i++) { x[i] -= along * basis[k][i]; }
            }
        }
        for (int i = 0; i < count; i++) { size += x[i] * x[i]; }
        if (!(size > 1e-20 * before)) { continue; }
        double along = 0;
        for (int i = 0; i < count; i++) {
            x[i] /= d_sqrt(size);
            along += x[i] * left[i];
        }
        for (int i = 0; i < count; i++) { left[i] -= along * x[i]; }
        found++;
    }
    for (int i = 0; i < count; i++) {
        all += rows[i].g * rows[i].g;
        rest += left[i] * left[i];
    }
    return d_sqrt(rest / all);
}

// Reactions beside those of the same state without a past.
static double memory(void)
{
    static tac_work fresh;
    double off = 0, all = 0;
    truth_copy(&other, &s, sizeof s);
    for (uint32_t i = 0; i < m.joints; i++) { truth_fill(&other.joint[i], sizeof other.joint[i], 0); }
    tac_step(&m, &other, &input, &fresh);
    tac_step(&m, &s, &input, &w);
    tac_reactions(&m, &fresh);
    tac_reactions(&m, &w);
    for (uint32_t i = 0; i < m.joints; i++) {
        d_worst(&off, d3_norm(d3_sub(d3_of(w.joint[i].force), d3_of(fresh.joint[i].force))));
        d_worst(&all, d3_norm(d3_of(w.joint[i].force)));
    }
    return off / all;
}

// Turns for two seconds, then stands.
static void run(const char *name, double rate)
{
    double apart = 0, sweeps = 0;
    begin_world(&m, &s);
    input.motors = rate != 0.0;
    input.motor[0] = (tac_motor){0, (tac_real)rate, 0, 0, 0, 0, TAC_MOTOR_VELOCITY};
    for (int i = 0; i < 2000; i++) {
        if (tac_step(&m, &s, &input, &w) < 0) { tap_ok(0, "a step is taken"); }
        d_worst(&apart, (double)w.report.joint_error);
        sweeps += w.report.sweeps;
    }
    input.motor[0].velocity = 0;
    for (int i = 0; i < 20; i++) { tac_step(&m, &s, &input, &w); }
    add_rows();
    tap_most(apart, TOL(1e-10, 2e-6), tap_joined("stays together, m:", name));
    tap_most(surplus(), TOL(1e-9, 1e-5), tap_joined("its reactions are the least:", name));
    tap_most(memory(), TOL(1e-7, 1e-3), tap_joined("they know no past:", name));
    tap_most(sweeps / 2000, TOL(4, 6), tap_joined("sweeps:", name));
}

// A bar held at both ends: each bears half, for ever.
static void test_held(void)
{
    begin(1e-3);
    m.options.tolerance = TOL(1e-10, TAC_AUTO); // the default in double leaves 2e-9 N
    add_bar(d3_make(-0.5, 0, 0), d3_make(0.5, 0, 0), 2);
    add_pin(TAC_FIXED, 0, 1, d3_make(-0.5, 0.1, 0));
    add_pin(TAC_FIXED, 0, 1, d3_make(0.5, 0.1, 0));
    run("a bar held at both ends", 0);
    tac_reactions(&m, &w);
    tap_near(w.joint[0].force.z, 9, TOL(1e-9, 2e-4), "its one end bears half, N");
    tap_near(w.joint[1].force.z, 9, TOL(1e-9, 2e-4), "its other as much, N");
    tap_near(w.joint[0].force.x, -1, TOL(1e-9, 2e-4), "neither pulls at the other, N");
}

// A crank turns; three of twenty rows are too many. With a third bar between two like it, a parallelogram, six of
// thirty.
static void test_bars(const char *name, double height, int third)
{
    const d3 a = {0, 0, 0}, b = {0, 0, 0.2}, c = {0.5, 0, height}, d = {0.5, 0, 0};
    begin(1e-3);
    const uint16_t crank = add_bar(a, b, 1), rod = add_bar(b, c, 2), rocker = add_bar(d, c, 1.5);
    add_pin(TAC_REVOLUTE, 0, crank, a);
    add_pin(TAC_REVOLUTE, crank, rod, b);
    add_pin(TAC_REVOLUTE, rod, rocker, c);
    add_pin(TAC_REVOLUTE, 0, rocker, d);
    if (third) {
        const d3 e = {0.25, 0, 0}, f = {0.25, 0, 0.2};
        const uint16_t bar = add_bar(e, f, 1);
        add_pin(TAC_REVOLUTE, 0, bar, e);
        add_pin(TAC_REVOLUTE, rod, bar, f);
    }
    run(name, 2 * TRUTH_PI);
}

int main(void)
{
    test_held();
    test_bars("four bars", 0.5, 0);
    test_bars("a parallelogram with a third bar", 0.2, 1);
    return tap_done();
}
