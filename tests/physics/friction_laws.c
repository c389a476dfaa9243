// SPDX-License-Identifier: MIT
// config: all
// Friction with a direction, static friction and Stribeck's curve. On an ellipse a puck slides as maximum dissipation
// says, by every stepper that has friction, to the step of an oracle of two lines and to the closed form of a parabola;
// it sticks inside the ellipse and not outside of it. Rollers that hardly resist across. Stick and slip of a block on a
// spring against closed form. No step makes energy. Bad values and methods that do not know these laws, by name.
#include "begin.h"
#include "bodies.h"

static const double G = 9.81;
static tac_model m;
static tac_state s;
static tac_work w;
static tac_lcp q;
static tac_ncp ncp;

enum { ACCELERATED, PLAIN, DIRECT, AUTO, TREES, ROUND, IMPLICIT, STEPPERS };

static tac_status step_by(int stepper)
{
    if (stepper == ROUND) { return tac_step_lcp(&m, &s, NULL, &w, &q); }
    if (stepper == IMPLICIT) { return tac_step_implicit(&m, &s, NULL, &w, &ncp); }
    return tac_step(&m, &s, NULL, &w);
}

static void world(int stepper, double mu)
{
    tac_model_init(&m);
    m.options.solver = (uint8_t)(stepper < TREES ? stepper : TAC_SOLVER_AUTO);
    m.options.max_sweeps = 300;
    tac_model_add_material(&m, (tac_real)mu, 0);
    add_floor(&m);
    tac_lcp_init(&q);
    q.directions = TAC_LCP_ROUND;
    tac_ncp_init(&ncp);
}

static void direct_friction(uint16_t shape, double angle, double across)
{
    m.shape[shape].axis = vec(d_cos(angle), d_sin(angle), 0);
    m.shape[shape].across = (tac_real)across;
}

// A puck that does not turn: of 1 kg, or of two bodies that are joined.
static uint16_t puck(int stepper, double angle)
{
    const double mass = stepper == TREES ? 0.5 : 1;
    const uint16_t body = add_body(&m, d3_make(0, 0, 0.1), mass, d3_make(1e3, 1e3, 1e3));
    m.body[body].pose.q = dq_to(dq_about(d3_make(0, 0, 1), angle));
    const tac_shape box = tac_shape_make(body, TAC_BOX, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(&m, &box);
    if (stepper == TREES) {
        tac_joint fixed;
        const uint16_t load = add_body(&m, d3_make(0, 0, 0.1), mass, d3_make(1e3, 1e3, 1e3));
        m.body[load].pose.q = m.body[body].pose.q;
        tac_joint_init(&fixed, TAC_FIXED, body, load);
        tac_model_add_joint(&m, &fixed);
    }
    return body;
}

static void slide_at(double x, double y)
{
    for (int i = 1; i < m.bodies; i++) { m.body[i].velocity.v = vec(x, y, 0); }
}

// ------------------------------------------------------------------------------------------------------------- ellipse

// The end of a step of h for v along both axes, under the friction mu[i] times `load`: with s = |(mu v+)|
//      v+_i = v_i/(1 + h load mu_i^2/s),        sum (mu_i v_i/(s + h load mu_i^2))^2 = 1,
// and 0 where forces inside the ellipse stop it.
static void oracle(double h, double load, const double mu[2], double v[2])
{
    const double a = v[0] / (h * load * mu[0]), b = v[1] / (h * load * mu[1]);
    if (a * a + b * b <= 1) {
        v[0] = v[1] = 0;
        return;
    }
    double low = 0, high = d_sqrt(mu[0] * mu[0] * v[0] * v[0] + mu[1] * mu[1] * v[1] * v[1]);
    for (int i = 0; i < 100; i++) {
        const double x = 0.5 * (low + high);
        double sum = 0;
        for (int k = 0; k < 2; k++) {
            const double part = mu[k] * v[k] / (x + h * load * mu[k] * mu[k]);
            sum += part * part;
        }
        if (sum > 1) {
            low = x;
        } else {
            high = x;
        }
    }
    for (int k = 0; k < 2; k++) { v[k] /= 1 + h * load * mu[k] * mu[k] / low; }
}

// Random axes of the floor or of the puck, by all steppers.
static void test_steps(void)
{
    double off[STEPPERS], apart = 0;
    int taken = 1;
    tap_note("random ellipses, seed", 5);
    rng r = {5};
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        off[stepper] = 0;
        for (int trial = 0; trial < RUN(8, 3); trial++) {
            const double angle = rng_range(&r, -3, 3), own = rng_range(&r, -3, 3), mu = rng_range(&r, 0.1, 1.2);
            const double across = trial % 3 == 0 ? rng_range(&r, 0.01, 0.1) : rng_range(&r, 0.1, 0.95);
            const double both[2] = {mu, mu * across}, c = d_cos(angle), z = d_sin(angle);
            double v[2] = {rng_range(&r, -1, 1), rng_range(&r, -1, 1)};
            world(stepper, mu);
            (void)puck(stepper, own);
            const int of_puck = trial % 2;
            direct_friction((uint16_t)of_puck, of_puck ? angle - own : angle, across);
            slide_at(c * v[0] - z * v[1], z * v[0] + c * v[1]);
            begin_world(&m, &s);
            for (int i = 0; i < 30; i++) {
                oracle((double)m.h, G, both, v);
                taken &= step_by(stepper) >= 0;
                const double x = (double)s.twist[1].v.x, y = (double)s.twist[1].v.y;
                d_worst(&off[stepper], d_abs(c * x + z * y - v[0]));
                d_worst(&off[stepper], d_abs(c * y - z * x - v[1]));
                for (int k = 0; k < w.report.contacts; k++) {
                    const tac_contact *k0 = &w.contact[k];
                    const d3 seen = d3_make(d3_dot(d3_of(k0->u), d3_of(s.twist[1].v)),
                                            d3_dot(d3_of(k0->w), d3_of(s.twist[1].v)), 0);
                    d_worst(&apart, d_abs((double)k0->velocity.y - seen.x));
                    d_worst(&apart, d_abs((double)k0->velocity.z - seen.y));
                }
            }
        }
    }
    tap_ok(taken, "all steps are taken");
    // Forces of four corners are not unique: what solvers leave at their tolerance, in 30 steps.
    tap_most(off[ACCELERATED], TOL(2e-6, 1e-4), "a puck slides on an ellipse: accelerated sweeps, m/s off");
    tap_most(off[PLAIN], TOL(2e-6, 1e-4), "the sweeps of the papers");
    tap_most(off[DIRECT], TOL(2e-6, 1e-4), "Newton's method");
    tap_most(off[AUTO], TOL(2e-6, 1e-4), "the default");
    tap_most(off[TREES], TOL(2e-6, 1e-4), "a tree of joints");
    tap_most(off[ROUND], TOL(2e-6, 1e-4), "the step of T03 with round cones");
    tap_most(off[IMPLICIT], TOL(2e-6, 1e-4), "the step of CBAT07, e_t and e_o differ");
    tap_most(apart, TOL(5e-6, 1e-4), "contacts show velocities along and across");
}

// mu_w^2 = mu_u^2/2: v_u/v_w^2 is constant on the way to rest, and with c that constant, a = mu_u c and b = mu_w
//      g b^2 t = int_v^v0 sqrt(a^2 x^2 + b^2) dx = F(v0) - F(v),
// here by Simpson's rule. Steps of h lag by order h.
static double parabola(double a, double b, double from, double to)
{
    double sum = 0;
    for (int i = 0; i <= 200; i++) {
        const double x = from + (to - from) * i / 200;
        sum += (i == 0 || i == 200 ? 1 : i % 2 ? 4 : 2) * d_sqrt(a * a * x * x + b * b);
    }
    return sum * (to - from) / 600;
}

static void test_parabola(void)
{
    const double mu = 0.5, u = 0.8, v = 1, c = u / (v * v), a = mu * c, b = mu * d_sqrt(0.5);
    double curve = 0, late = 0;
    world(AUTO, mu);
    (void)puck(AUTO, 0);
    direct_friction(0, 0, d_sqrt(0.5));
    slide_at(u, v);
    begin_world(&m, &s);
    int steps = 0;
    for (; steps < 1000 && (double)s.twist[1].v.y > 0.05; steps++) {
        tac_step(&m, &s, NULL, &w);
        const double x = (double)s.twist[1].v.x, y = (double)s.twist[1].v.y;
        d_worst(&curve, d_abs(x - c * y * y));
        d_worst(&late, d_abs(parabola(a, b, y, v) / (G * b * b) - (steps + 1) * 1e-3));
    }
    tap_most(curve, 1e-3, "velocity runs down the parabola of the closed form");
    tap_most(late, 1e-3, "at its times");
    tap_least(steps, 200, "for as long as it slides");
}

// On a slope: inside the ellipse of forces it stays, outside of it slips.
static void test_stick(void)
{
    int wrong = 0;
    double moved = 0;
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        for (int i = 0; i < 12; i++) {
            const double mu = 0.6, across = 0.4, angle = 0.5 * i, part = i % 2 ? 1.05 : 0.95;
            const double x = mu * d_cos(angle), y = mu * across * d_sin(angle);
            world(stepper, mu);
            (void)puck(stepper, 0);
            direct_friction(0, 0, across);
            m.gravity = vec(G * part * x, G * part * y, -G);
            begin_world(&m, &s);
            for (int k = 0; k < 30; k++) { (void)step_by(stepper); }
            const double speed = d3_norm(d3_of(s.twist[1].v)), free = 0.03 * G * d_sqrt(x * x + y * y);
            if (part < 1) { d_worst(&moved, speed / free); }
            wrong += part > 1 && !(speed > 0.01 * free);
        }
    }
    tap_most(moved, TOL(1e-4, 1e-3), "inside the ellipse of friction a puck stays, of the speed of free fall");
    tap_equal(wrong, 0, "outside of it, it slips");
}

int main(void)
{
    test_steps();
    test_parabola();
    test_stick();
    return tap_done();
}
