// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Reactions of joints: what a joint reports is force and torque, not the rounding of poses over h^2. Every kind, near
// and far from the origin, small and large, and a pendulum against its formula.
#include "mechanism.h"
#include "used.h"

static uint32_t seed;

static double draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608.0 - 1.0;
}

static tac_vec3 draw_vector(double size)
{
    const double x = size * draw(), y = size * draw();
    return (tac_vec3){(tac_real)x, (tac_real)y, (tac_real)(size * draw())};
}

static tac_quat draw_turn(void)
{
    const double a[4] = {draw(), draw(), draw(), draw()};
    const double n = d_sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    return (tac_quat){(tac_real)(a[0] / n), (tac_real)(a[1] / n), (tac_real)(a[2] / n), (tac_real)(a[3] / n)};
}

// --------------------------------------------------------------------------------------------------------------- noise

#define ARM 0.3 // of the torques, in units of a scene's length

// What a run has shown. Noise is the second difference of a series: rms of (a - 2 b + c)/sqrt 6.
typedef struct seen {
    d3 force[3], torque[3];
    double force2, torque2, speed2; // sums of squares; of |v| + |w||p|
    int count;
} seen;

static double noise2(const d3 *x)
{
    const d3 d = d3_sub(d3_add(x[0], x[2]), d3_scale(2.0, x[1]));
    return d3_dot(d, d) / 6.0;
}

static void see(seen *r, uint32_t joint, int step)
{
    for (int i = 0; i < 2; i++) {
        r->force[i] = r->force[i + 1];
        r->torque[i] = r->torque[i + 1];
    }
    tac_reactions(&m, &w);
    r->force[2] = d3_of(w.joint[joint].force);
    r->torque[2] = d3_of(w.joint[joint].torque);
    if (step < 20) { return; } // frames are put together first
    const uint16_t b = m.joint[joint].body_b;
    const double v = d3_norm(d3_of(s.twist[b].v)), rate = d3_norm(d3_of(s.twist[b].w));
    const double speed = v + rate * d3_norm(d3_of(s.pose[b].p));
    r->force2 += noise2(r->force);
    r->torque2 += noise2(r->torque);
    r->speed2 += speed * speed;
    r->count++;
}

static seen run(uint32_t joint, int steps)
{
    seen r;
    truth_fill(&r, sizeof r, 0);
    for (int i = 0; i < steps; i++) {
        if (tac_step(&m, &s, NULL, &w) < 0) { tap_ok(0, "a step is refused"); }
        see(&r, joint, i);
    }
    return r;
}

static double rms(double sum, int count)
{
    return d_sqrt(sum / count);
}

// --------------------------------------------------------------------------------------------------------------- kinds

static const char *const KIND[TAC_COUPLING] = {"fixed",     "revolute",  "prismatic",   "screw",  "distance",
                                               "spherical", "universal", "cylindrical", "planar", "revolute-spherical"};

// One body of a mass in random frames, moving; joint at `away` from the origin; lengths and gravity times `size`, so
// that it moves alike.
static void body_on(uint8_t kind, double h, double away, double size, double mass)
{
    seed = 77u + kind;
    begin(TAC_SOLVER_AUTO, h, 9.81 * size);
    tac_body *b = add_body(0, 0, mass, 0.1);
    b->pose = (tac_pose){draw_vector(0.3 * size), draw_turn()};
    b->inertial = (tac_pose){draw_vector(0.1 * size), draw_turn()};
    const double i = 0.1 * mass * size * size;
    b->inertia = (tac_vec3){(tac_real)i, (tac_real)(1.5 * i), (tac_real)(2.0 * i)};
    tac_joint *j = add_joint(kind, 0, 1);
    j->frame_a = (tac_pose){draw_vector(0.3 * size), draw_turn()};
    j->frame_b = (tac_pose){draw_vector(0.3 * size), draw_turn()};
    j->frame_a.p.x += (tac_real)(away * size);
    j->frame_a.p.y += (tac_real)(away * size);
    j->length = (tac_real)((kind == TAC_SCREW ? 0.05 : 0.4) * size);
    if (kind == TAC_DISTANCE) { j->lower = j->upper = (tac_real)(0.5 * size); }
    *j = used(j);
    begin_world(&m, &s);
    const tac_real slide = (tac_real)(kind == TAC_PRISMATIC || kind == TAC_DISTANCE ? size : 1.0);
    const tac_joint_state x = {(tac_real)0.3 * slide, slide};
    tac_state_set_joints(&m, &s, &x);
}

// `part` of the weight, and of the weight at the end of an arm.
static void judge(const seen *r, double weight, double size, double part, const char *name)
{
    tap_most(rms(r->force2, r->count) / weight, part, tap_joined("noise of its force, of the weight: ", name));
    tap_most(rms(r->torque2, r->count) / (weight * ARM * size), part, tap_joined("of its torque: ", name));
}

// Worst noise of a force of any kind but the rod, whose force does change so much, N: near and far, for each step.
static double worst_noise[2][3];

static void test_kind(uint8_t kind, int far)
{
    const double step[3] = {1e-3, 1e-4, 1e-5}, away = far ? 10.0 : 1.0;
    const int steps[3] = {1000, 2000, RUN(20000, 2000)};
    for (int i = 0; i < 3; i++) {
        body_on(kind, step[i], away, 1.0, 1.0);
        const seen r = run(0, steps[i]);
        // what remains is a few roundings of the motion over h, and those of the force; double sees its second
        // derivative
        const double left = 32.0 * 1.2e-7 * rms(r.speed2, r.count) / step[i] / 9.81 + 1e-6;
        const double most[3] = {0.01, TOL(1e-4, 0.01), FLOAT ? left : 1e-6};
        judge(&r, 9.81, 1.0, most[i], KIND[kind]);
        if (kind != TAC_DISTANCE) { d_worst(&worst_noise[far][i], rms(r.force2, r.count)); }
    }
}

static void note_noise(void)
{
    static const char *const where[2] = {"noise of forces, N, 1.4 m from the origin,",
                                         "noise of forces, N, 14 m from the origin,"};
    static const char *const step[3] = {"1 ms:", "0.1 ms:", "10 us:"};
    for (int far = 0; far < 2; far++) {
        for (int i = 0; i < 3; i++) { tap_note(tap_joined(where[far], step[i]), worst_noise[far][i]); }
    }
}

static void test_scale(double size, double mass)
{
    for (uint8_t kind = 0; kind < TAC_COUPLING; kind++) {
        body_on(kind, 1e-3, 10.0, size, mass);
        const seen r = run(0, 1000);
        judge(&r, 9.81 * size * mass, size, 0.01, KIND[kind]);
    }
}

// -------------------------------------------------------------------------------------------------------- with formula

// A rod that swings about one end, F = m (a - g) of its middle:
//      alpha = -g r sin(angle)/(r^2 + k^2),   a = alpha x r - rate^2 r
static void test_pendulum(uint8_t kind, double h, double away, double part)
{
    const double r = 0.5, k2 = 0.02, g = 9.81;
    double sum = 0.0;
    begin(TAC_SOLVER_AUTO, h, g);
    const double start = 0.5, sine = d_sin(start), cosine = d_sqrt(1.0 - sine * sine);
    add_body(away + r * sine, 1.0 - r * cosine, 1, k2);
    tac_joint *j = add_joint(kind, 0, 1);
    about_y(j);
    j->frame_a.p = (tac_vec3){(tac_real)away, 0, 1};
    j->frame_b.p = (tac_vec3){(tac_real)(-r * sine), 0, (tac_real)(r * cosine)};
    begin_world(&m, &s);
    const int steps = RUN((int)(2.0 / h), 200);
    for (int i = 0; i < steps; i++) {
        const double rate = -(double)s.twist[1].w.y; // towards x, at the start and at the end: in the middle
        const double x0 = (double)s.pose[1].p.x + (double)s.compensation[1].p.x;
        tac_step(&m, &s, NULL, &w);
        tac_reactions(&m, &w);
        const double x = 0.5 * ((double)s.pose[1].p.x + (double)s.compensation[1].p.x + x0) - away;
        const double mean = 0.5 * (rate - (double)s.twist[1].w.y), z = -d_sqrt(r * r - x * x);
        const double alpha = -g * x / (r * r + k2);
        const d3 force = d3_make(-alpha * z - mean * mean * x, 0.0, alpha * x - mean * mean * z + g);
        const d3 off = d3_sub(d3_of(w.joint[0].force), force);
        sum += d3_dot(off, off);
    }
    tap_most(rms(sum, steps) / g, part,
             tap_joined("force on a pendulum as its formula has it, of the weight: ", KIND[kind]));
}

// Weights of n links at rest: the joint of each carries all below it.
static void test_hanging(double away, double h)
{
    double worst = 0.0;
    begin(TAC_SOLVER_AUTO, h, 9.81);
    for (uint16_t i = 0; i < 6; i++) {
        add_body(away, 5.0 - 0.4 * i, 1, 0.02);
        tac_joint *j = add_joint(i % 2 ? TAC_UNIVERSAL : TAC_REVOLUTE, i, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p = i ? (tac_vec3){0, 0, (tac_real)-0.2} : (tac_vec3){(tac_real)away, 0, (tac_real)5.2};
        j->frame_b.p = (tac_vec3){0, 0, (tac_real)0.2};
        j->damping = (tac_real)(i % 2 ? 0.0 : 0.1);
    }
    begin_world(&m, &s);
    for (int i = 0; i < 1000; i++) {
        tac_step(&m, &s, NULL, &w);
        tac_reactions(&m, &w);
        for (int k = 0; k < 6 && i > 100; k++) {
            const d3 off = d3_sub(d3_of(w.joint[k].force), d3_make(0, 0, 9.81 * (6 - k)));
            d_worst(&worst, d3_norm(off) / (9.81 * (6 - k)));
        }
    }
    tap_most(worst, TOL(1e-12, 1e-4), "each joint of a hanging chain carries what hangs on it");
}

int main(void)
{
    for (uint8_t kind = 0; kind < TAC_COUPLING; kind++) {
        test_kind(kind, 0);
        test_kind(kind, 1);
    }
    note_noise();
    test_scale(1e-3, 1e-3);
    test_scale(1e-3, 1e3);
    test_scale(1e2, 1e-3);
    test_scale(1e2, 1e3);
    const uint8_t hinge[3] = {TAC_REVOLUTE, TAC_SPHERICAL, TAC_CYLINDRICAL};
    for (int i = 0; i < 3; i++) {
        test_pendulum(hinge[i], 1e-3, 1.0, 0.01);
        test_pendulum(hinge[i], 1e-3, 10.0, 0.01);
        test_pendulum(hinge[i], 1e-4, 10.0, 0.01);
        test_pendulum(hinge[i], RUN(1e-5, 1e-4), 1.0, TOL(1e-4, 0.02));
    }
    test_hanging(1.0, 1e-3);
    test_hanging(10.0, 1e-4);
    return tap_done();
}
