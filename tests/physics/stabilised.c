// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// NST17 (5c): with options.stabilise the velocities at the end of a step satisfy (1/h) g + dg/dt = 0, for every kind of
// joint whose bodies are apart and turned against each other. g is computed here from the poses.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_joint j;

typedef struct poses {
    dq q[2];
    d3 p[2];
} poses;

static dq conjugate(dq a)
{
    return (dq){a.w, -a.x, -a.y, -a.z};
}

static dq turned(dq q, d3 by)
{
    const double angle = d3_norm(by);
    return angle > 0 ? dq_mul(q, dq_about(by, angle)) : q;
}

static double half_tan(double sine, double cosine)
{
    return sine / (1 + cosine);
}

// Translation in the axes of a. Rotations of bodies that do not turn against each other: 4 tan(angle/4) about the axis;
// of two axes: 2 tan(angle/2), the z axis of a seen from b. Returns how many; the first `slides` are lengths.
static int constraints(const poses *x, double *g, int *slides)
{
    const dq a = dq_mul(x->q[0], dq_of(j.frame_a.q)), b = dq_mul(x->q[1], dq_of(j.frame_b.q));
    const d3 of_a = d3_add(x->p[0], dq_rotate(x->q[0], d3_of(j.frame_a.p)));
    const d3 of_b = d3_add(x->p[1], dq_rotate(x->q[1], d3_of(j.frame_b.p)));
    const d3 way = d3_sub(of_b, of_a), d = dq_rotate(conjugate(a), way);
    dq r = dq_mul(conjugate(a), b);
    if (r.w < 0) { r = (dq){-r.w, -r.x, -r.y, -r.z}; }
    const double sine = d_sqrt(r.x * r.x + r.y * r.y + r.z * r.z); // of half the angle
    const double size = sine > 0 ? 4 * half_tan(sine, r.w) / sine : 2;
    const d3 z = dq_rotate(conjugate(r), d3_make(0, 0, 1)), y = dq_rotate(r, d3_make(0, 1, 0));
    const double tilt = 2 / (1 + z.z);
    int n = 0;
    if (j.kind == TAC_DISTANCE) { g[n++] = d3_norm(way) - (double)j.upper; }
    if (j.kind != TAC_DISTANCE && j.kind != TAC_PLANAR) { g[n++] = d.x, g[n++] = d.y; }
    if (j.kind == TAC_FIXED || j.kind == TAC_REVOLUTE || j.kind == TAC_SPHERICAL || j.kind == TAC_UNIVERSAL ||
        j.kind == TAC_PLANAR) {
        g[n++] = d.z;
    }
    *slides = n;
    if (j.kind == TAC_FIXED || j.kind == TAC_PRISMATIC) {
        g[n++] = size * r.x, g[n++] = size * r.y, g[n++] = size * r.z;
    }
    if (j.kind == TAC_REVOLUTE || j.kind == TAC_CYLINDRICAL || j.kind == TAC_PLANAR) {
        g[n++] = tilt * z.x, g[n++] = tilt * z.y;
    }
    if (j.kind == TAC_UNIVERSAL) { g[n++] = y.x; }
    return n;
}

// The poses at the start of the step, moved by the velocities at its end for a time t.
static poses moved(const poses *x, double t)
{
    poses y;
    for (int i = 0; i < 2; i++) {
        y.p[i] = d3_add(x->p[i], d3_scale(t, d3_of(s.twist[i + 1].v)));
        y.q[i] = turned(x->q[i], d3_scale(t, d3_of(s.twist[i + 1].w)));
    }
    return y;
}

// Two bodies whose joint is off by millimetres and by milliradians.
static poses world(rng *r, uint8_t kind)
{
    poses x;
    tac_model_init(&m);
    m.h = (tac_real)1e-3;
    m.options.stabilise = 1;
    m.options.tolerance = 0;
    m.options.max_sweeps = 2000;
    for (int i = 0; i < 2; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(rng_box(r, 0.5)));
        b.mass = (tac_real)(1 + i);
        b.inertia = vec((tac_real)0.1, (tac_real)0.12, (tac_real)0.15);
        b.pose.q = dq_to(rng_quat(r));
        b.velocity = (tac_twist){d3_to(rng_box(r, 0.3)), d3_to(rng_box(r, 2))};
        tac_model_add_body(&m, &b);
        x.q[i] = dq_of(b.pose.q), x.p[i] = d3_of(b.pose.p);
    }
    tac_joint_init(&j, kind, 1, 2);
    j.frame_a.p = d3_to(rng_box(r, 0.3));
    j.frame_a.q = dq_to(rng_quat(r));
    const d3 off = rng_box(r, kind == TAC_DISTANCE ? 0.5 : 3e-3);
    const dq a = dq_mul(x.q[0], dq_of(j.frame_a.q)), b = turned(a, rng_box(r, 5e-3));
    const d3 at = d3_add(d3_add(x.p[0], dq_rotate(x.q[0], d3_of(j.frame_a.p))), off);
    j.frame_b.q = dq_to(dq_mul(conjugate(x.q[1]), b));
    j.frame_b.p = d3_to(dq_rotate(conjugate(x.q[1]), d3_sub(at, x.p[1])));
    if (kind == TAC_DISTANCE) { j.lower = j.upper = (tac_real)(d3_norm(off) - 2e-3); }
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    return x;
}

int main(void)
{
    static const uint8_t kinds[] = {TAC_FIXED,       TAC_REVOLUTE, TAC_SPHERICAL, TAC_PRISMATIC,
                                    TAC_CYLINDRICAL, TAC_PLANAR,   TAC_UNIVERSAL, TAC_DISTANCE};
    static const char *const names[] = {"fixed",       "revolute", "spherical", "prismatic",
                                        "cylindrical", "planar",   "universal", "distance"};
    rng r = {20240617};
    for (uint32_t k = 0; k < sizeof kinds; k++) {
        double slide = 0.0, turn = 0.0;
        for (int i = 0; i < RUN(200, 20); i++) {
            double g[6], before[6], after[6];
            int slides = 0;
            const poses x = world(&r, kinds[k]), back = moved(&x, 0);
            const int count = constraints(&back, g, &slides);
            if (tac_step(&m, &s, NULL, &w) < 0) { tap_ok(0, "a step"); }
            const double t = 1e-6;
            const poses from = moved(&x, -t), to = moved(&x, t);
            constraints(&from, before, &slides);
            constraints(&to, after, &slides);
            for (int c = 0; c < count; c++) {
                d_worst(c < slides ? &slide : &turn, g[c] / (double)m.h + (after[c] - before[c]) / (2 * t));
            }
        }
        tap_most(slide, TOL(2e-9, 1e-3), tap_joined("of lengths, m/s:", names[k]));
        tap_most(turn, TOL(2e-9, 5e-3), tap_joined("of rotations, rad/s:", names[k]));
    }
    return tap_done();
}
