// SPDX-License-Identifier: MIT
// rolling.h - bodies that roll and spin on curved sides: a coin that wobbles, a cone on its tip and on its side,
// ellipsoids on each other.
//   given   a step, a floor
//   makes   drift of energy and momentum; differences from what mechanics says
//   bound   the steps asked for
//   never   has friction do work: all that is lost or gained is the integrator's
#ifndef ROLLING_H
#define ROLLING_H

#include "shapes.h"

#define ROLLING_G 9.81

static tac_model rolling_model;
static tac_state rolling_state;
static tac_work rolling_work;
static tac_input rolling_input;

/// Called after each step, if set: for plots.
static void (*rolling_watch)(double time);

static void rolling_begin(double h, double mu)
{
    tac_model_init(&rolling_model);
    rolling_model.h = (tac_real)h;
    tac_model_add_material(&rolling_model, (tac_real)mu, 0);
    rolling_input.actions = 0;
}

static void rolling_step(double time)
{
    shapes_step(&rolling_model, &rolling_state, &rolling_input, &rolling_work);
    if (rolling_watch) { rolling_watch(time); }
}

static double rolling_energy(void)
{
    tac_real kinetic, potential;
    tac_energy(&rolling_model, &rolling_state, &kinetic, &potential);
    return (double)kinetic + (double)potential;
}

// Unit z axis of a body, and how fast it turns about the vertical.
static d3 rolling_axis(uint16_t body, double *precession)
{
    const d3 e = dq_rotate(dq_of(rolling_state.pose[body].q), d3_make(0, 0, 1));
    const d3 moves = d3_cross(world_rate(&rolling_state, body), e);
    *precession = (e.x * moves.y - e.y * moves.x) / (e.x * e.x + e.y * e.y);
    return e;
}

// ---------------------------------------------------------------------------------------------------------- the coin
// A disc of radius r and half thickness l leans by alpha and rolls round on its lower rim, its centre at rest. Then its
// rate is along the arm d = r s - l e from the centre to the rim (s the line of steepest descent, e the axis):
//      w = Omega sin(alpha) (-s + (l/r) e).
// Of its momentum L = I1 w_s s + I3 w_e e, only the horizontal part turns, dL/dt = Omega z x L, and the weight does it:
//      Omega^2 = m g (r cos(alpha) - l sin(alpha)) / (sin(alpha) (I1 cos(alpha) - I3 (l/r) sin(alpha))).
// Without thickness that is Euler's disc, Omega^2 = 4 g / (r sin(alpha)).

#define COIN_RADIUS 0.1
#define COIN_HALF 0.005

static double coin_law(double sine, double cosine)
{
    const double r = COIN_RADIUS, l = COIN_HALF, i1 = 0.25 * r * r + l * l / 3.0, i3 = 0.5 * r * r;
    const double up = ROLLING_G * (r * cosine - l * sine);
    return d_sqrt(up / (sine * (i1 * cosine - i3 * l / r * sine)));
}

typedef struct coin {
    double rate;   // 1    precession against the law at the lean of the moment: mean of |error|
    double energy; // 1    change of energy over the energy at the start, most so far
    double gain;   // 1    of that, the most that was ever gained
    double lean;   // rad  at the end
    double drift;  // m    of the centre, sideways
    double slip;   // m/s  of the rim
    uint32_t lost; //      steps without contact
} coin;

static coin coin_roll(int floor, double alpha, double h, double seconds)
{
    const double s = d_sin(alpha), c = d_cos(alpha), omega = coin_law(s, c);
    const solid disc = {TAC_CYLINDER, {COIN_RADIUS, 0, COIN_HALF}, 0, 0.0};
    coin r = {0};
    rolling_begin(h, 1.0);
    shapes_floor(&rolling_model, floor, 0.5);
    shapes_body(&rolling_model, &disc, 1.0, d3_make(0, 0, COIN_RADIUS * s + COIN_HALF * c),
                dq_about(d3_make(0, 1, 0), alpha));
    rolling_model.body[1].velocity.w = vec(-omega * s, 0, omega * s * COIN_HALF / COIN_RADIUS);
    begin_world(&rolling_model, &rolling_state);
    const double before = rolling_energy();
    uint32_t steps = 0;
    for (; (steps + 1) * h <= seconds; steps++) {
        double rate;
        rolling_step((steps + 1) * h);
        const d3 e = rolling_axis(1, &rate), p = d3_of(rolling_state.pose[1].p);
        const double sine = d_sqrt(e.x * e.x + e.y * e.y), change = rolling_energy() / before - 1.0;
        r.rate += d_abs(rate / coin_law(sine, e.z) - 1.0);
        d_worst(&r.energy, change);
        r.gain = d_max(r.gain, change);
        d_worst(&r.drift, d_sqrt(p.x * p.x + p.y * p.y));
        r.lean = sine;
        r.lost += rolling_work.report.contacts == 0;
        for (int i = 0; i < rolling_work.report.contacts; i++) {
            const tac_contact *k = &rolling_work.contact[i];
            if (k->mode != TAC_OPEN) {
                d_worst(&r.slip, d_sqrt((double)k->velocity.y * (double)k->velocity.y +
                                        (double)k->velocity.z * (double)k->velocity.z));
            }
        }
    }
    r.rate /= steps;
    return r;
}

// ---------------------------------------------------------------------------------------------------------- the cone

#define CONE_RADIUS 0.05
#define CONE_HALF 0.05             // half height
#define CONE_ARM (1.5 * CONE_HALF) // from the centre of mass to the tip

// A heavy top on a fixed point, classic fourth order: body z axis towards the tip, momentum about the tip.
typedef struct top {
    dq q;
    d3 w; // rad/s, body
} top;

static top top_slope(const top *t)
{
    const double i3 = 0.3 * CONE_RADIUS * CONE_RADIUS, a = CONE_ARM;
    const double i1 = 0.15 * (CONE_RADIUS * CONE_RADIUS + CONE_HALF * CONE_HALF) + a * a;
    const d3 pull = dq_rotate(dq_conjugate(t->q), d3_make(0, 0, -ROLLING_G));
    const d3 torque = d3_cross(d3_make(0, 0, -a), pull), w = t->w;
    const dq spin = dq_mul(t->q, (dq){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z});
    return (top){spin,
                 {(torque.x - (i3 - i1) * w.y * w.z) / i1, (torque.y + (i3 - i1) * w.x * w.z) / i1, torque.z / i3}};
}

static top top_madd(const top *a, double s, const top *b)
{
    const dq p = a->q, q = b->q;
    return (top){{p.w + s * q.w, p.x + s * q.x, p.y + s * q.y, p.z + s * q.z}, d3_add(a->w, d3_scale(s, b->w))};
}

static void top_step(top *t, double h)
{
    const top a = top_slope(t), ta = top_madd(t, 0.5 * h, &a), b = top_slope(&ta), tb = top_madd(t, 0.5 * h, &b),
              c = top_slope(&tb), tc = top_madd(t, h, &c), d = top_slope(&tc);
    *t = top_madd(t, h / 6.0, &a);
    *t = top_madd(t, h / 3.0, &b);
    *t = top_madd(t, h / 3.0, &c);
    *t = top_madd(t, h / 6.0, &d);
    const dq q = t->q;
    const double unit = 1.0 / d_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    t->q = (dq){unit * q.w, unit * q.x, unit * q.y, unit * q.z};
}

typedef struct spin {
    double axis;   // 1    largest difference of the axis from the top's, as a vector
    double lean;   // 1    cosine of the lean at the end
    double tip;    // m    how far the tip moves
    double energy; // 1    largest change over m g times the arm
} spin;

static double cone_tip(d3 *tip)
{
    const d3 arm = dq_rotate(dq_of(rolling_state.pose[1].q), d3_make(0, 0, CONE_ARM));
    *tip = d3_add(d3_of(rolling_state.pose[1].p), arm);
    return d3_norm(*tip);
}

// A cone on its tip that leans by `lean` and spins; until it leans by more than a radian.
static spin cone_spin(int floor, double lean, double rate, double h, double seconds)
{
    const solid cone = {TAC_CONE, {CONE_RADIUS, 0, CONE_HALF}, 0, 0.0};
    const dq q = dq_mul(dq_about(d3_make(0, 1, 0), lean), (dq){0, 1, 0, 0});
    const d3 arm = dq_rotate(q, d3_make(0, 0, CONE_ARM));
    top truth = {q, {0, 0, rate}};
    spin r = {0};
    rolling_begin(h, 2.0);
    shapes_floor(&rolling_model, floor, 0.5);
    shapes_body(&rolling_model, &cone, 1.0, d3_scale(-1.0, arm), q);
    rolling_model.body[1].velocity.v = d3_to(d3_cross(d3_scale(-1.0, arm), d3_make(0, 0, 0)));
    rolling_model.body[1].velocity.w = vec(0, 0, rate);
    begin_world(&rolling_model, &rolling_state);
    const double before = rolling_energy();
    for (uint32_t k = 1; k * h <= seconds; k++) {
        rolling_step(k * h);
        for (int i = 0; i < 4; i++) { top_step(&truth, 0.25 * h); }
        const d3 e = dq_rotate(dq_of(rolling_state.pose[1].q), d3_make(0, 0, 1)),
                 et = dq_rotate(truth.q, d3_make(0, 0, 1));
        d3 tip;
        if (-et.z < 0.65) { break; } // from 0.63 on friction does not hold the tip, and from 0.59 on it lifts off
        d_worst(&r.axis, d3_norm(d3_sub(e, et)));
        d_worst(&r.tip, cone_tip(&tip));
        d_worst(&r.energy, (rolling_energy() - before) / (ROLLING_G * CONE_ARM));
        r.lean = -e.z;
    }
    return r;
}

// A cone on its side rolls about its tip: it turns about the line that it touches, Omega cot(beta) fast.
static spin cone_roll(int floor, double omega, double h, double seconds)
{
    const solid cone = {TAC_CONE, {CONE_RADIUS, 0, CONE_HALF}, 0, 0.0};
    const double side = d_sqrt(CONE_RADIUS * CONE_RADIUS + 4.0 * CONE_HALF * CONE_HALF);
    const double s = CONE_RADIUS / side, c = 2.0 * CONE_HALF / side, w = -omega * c / s;
    spin r = {0};
    // z axis to (-c, 0, -s): a quarter turn and beta, backwards about y
    const double half_cos = d_sqrt(0.5 * (1.0 - s)), half_sin = d_sqrt(0.5 * (1.0 + s));
    const dq q = {half_cos, 0, -half_sin, 0};
    const d3 at = {CONE_ARM * c, 0, CONE_ARM * s};
    rolling_begin(h, 1.0);
    shapes_floor(&rolling_model, floor, 0.5);
    shapes_body(&rolling_model, &cone, 1.0, at, q);
    rolling_model.body[1].velocity.v = d3_to(d3_cross(d3_make(w, 0, 0), at));
    rolling_model.body[1].velocity.w = d3_to(dq_rotate(dq_conjugate(q), d3_make(w, 0, 0)));
    begin_world(&rolling_model, &rolling_state);
    const double before = rolling_energy(), kinetic = before - ROLLING_G * at.z;
    for (uint32_t k = 1; k * h <= seconds; k++) {
        double rate;
        d3 tip;
        rolling_step(k * h);
        const d3 e = rolling_axis(1, &rate);
        d_worst(&r.axis, rate / omega - 1.0);
        d_worst(&r.lean, e.z + s);
        d_worst(&r.tip, cone_tip(&tip));
        d_worst(&r.energy, (rolling_energy() - before) / kinetic);
    }
    return r;
}

// ------------------------------------------------------------------------------------------------------ ellipsoids
// Two of them, held together by a spring between their centres, roll on each other; the first one may be fixed.

#define PEBBLE_SPRING 50.0 // N/m
enum { PEBBLE_MARKS = 256 };

typedef struct pebbles {
    double energy;          // 1     largest change over the energy at the start
    double linear, angular; // N s, N m s   largest change, both free
    double slip;            // m/s   largest
    uint32_t lost;          //       steps without contact
    d3 mark[PEBBLE_MARKS];  // m     place of the second against the first, at equal times
} pebbles;

static d3 pebble_pull(const tac_state *s, int fixed)
{
    const d3 from = fixed ? d3_make(0, 0, 0) : d3_of(s->pose[1].p);
    return d3_sub(from, d3_of(s->pose[fixed ? 1 : 2].p));
}

static double pebble_energy(int fixed)
{
    const d3 d = pebble_pull(&rolling_state, fixed);
    return rolling_energy() + 0.5 * PEBBLE_SPRING * d3_dot(d, d);
}

static void pebble_push(int fixed)
{
    const d3 f = d3_scale(PEBBLE_SPRING, pebble_pull(&rolling_state, fixed));
    const tac_vec3 none = {0, 0, 0};
    rolling_input.actions = (uint16_t)(fixed ? 1 : 2);
    rolling_input.action[0] = (tac_action){d3_to(f), none, none, (uint16_t)(fixed ? 1 : 2), TAC_WRENCH_WORLD};
    rolling_input.action[1] = (tac_action){d3_to(d3_scale(-1.0, f)), none, none, 1, TAC_WRENCH_WORLD};
}

static void pebble_build(int fixed, double h)
{
    const solid large = {TAC_ELLIPSOID, {0.3, 0.2, 0.25}, 0, 0.0}, small = {TAC_ELLIPSOID, {0.1, 0.07, 0.05}, 0, 0.0};
    const d3 v = {0.5, 0.3, 0};
    rolling_begin(h, 1.0);
    rolling_model.gravity = vec(0, 0, 0);
    if (fixed) {
        shapes_add(&rolling_model, 0, &large, d3_make(0, 0, 0));
    } else {
        shapes_body(&rolling_model, &large, 3.0, d3_make(0, 0, 0), SHAPES_UPRIGHT);
    }
    const uint16_t b = shapes_body(&rolling_model, &small, 1.0, d3_make(0, 0, 0.3), SHAPES_UPRIGHT);
    rolling_model.body[b].velocity.v = d3_to(v);
    rolling_model.body[b].velocity.w = vec(-v.y / 0.05, v.x / 0.05, 0);
    begin_world(&rolling_model, &rolling_state);
}

static pebbles pebbles_roll(int fixed, double h, double seconds)
{
    static pebbles r;
    tac_vec3 linear, angular, linear0, angular0;
    truth_fill(&r, sizeof r, 0);
    pebble_build(fixed, h);
    const double before = pebble_energy(fixed);
    const uint32_t steps = (uint32_t)(seconds / h + 0.5), each = steps / PEBBLE_MARKS;
    tac_momentum(&rolling_model, &rolling_state, &linear0, &angular0);
    for (uint32_t k = 1; k <= each * PEBBLE_MARKS; k++) {
        pebble_push(fixed);
        rolling_step(k * h);
        d_worst(&r.energy, pebble_energy(fixed) / before - 1.0);
        tac_momentum(&rolling_model, &rolling_state, &linear, &angular);
        d_worst(&r.linear, d3_norm(d3_sub(d3_of(linear), d3_of(linear0))));
        d_worst(&r.angular, d3_norm(d3_sub(d3_of(angular), d3_of(angular0))));
        r.lost += rolling_work.report.contacts == 0;
        if (rolling_work.report.contacts > 0) {
            const tac_vec3 u = rolling_work.contact[0].velocity;
            d_worst(&r.slip, d_sqrt((double)u.y * (double)u.y + (double)u.z * (double)u.z));
        }
        if (k % each == 0) { r.mark[k / each - 1] = d3_scale(-1.0, pebble_pull(&rolling_state, fixed)); }
    }
    return r;
}

static double pebbles_apart(const pebbles *a, const pebbles *b)
{
    double worst = 0.0;
    for (int i = 0; i < PEBBLE_MARKS; i++) { d_worst(&worst, d3_norm(d3_sub(a->mark[i], b->mark[i]))); }
    return worst;
}

#endif
