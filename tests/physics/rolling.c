// SPDX-License-Identifier: MIT
// What rolls and spins on curved sides does what mechanics says, to the second order of the step where one body moves
// and to the first where two do. Nothing but the step makes it, so the floor may be a half-space, a box, a hull, a mesh
// or a field.
#include "rolling.h"

enum { HALVED = 60 }; // per cent of the error that half of the step may leave

static void test_halves(double whole, double half, double most, const char *name)
{
    tap_note(tap_joined(name, "- whole step"), whole);
    tap_note(tap_joined(name, "- half step"), half);
    tap_most(whole, most, name);
    if (TAP_FULL) { tap_most(half, 0.01 * HALVED * whole, "and half of it at half of the step"); }
}

static void test_coin(int floor)
{
    const double seconds = RUN(0.25, 0.02), h = 1e-3;
    const coin whole = coin_roll(floor, 0.5, h, seconds), half = coin_roll(floor, 0.5, 0.5 * h, seconds);
    tap_note("a coin on", floor);
    test_halves(whole.energy, half.energy, 1e-5, "a coin on its rim loses energy by the step alone");
    test_halves(whole.rate, half.rate, 2e-4, "it turns with Omega(lean)");
    tap_most(whole.gain, 1e-5, "it gains none");
    tap_most(whole.slip, TOL(1e-5, 1e-3), "its rim does not slip");
    tap_equal(whole.lost, 0, "and never leaves the floor");
}

// Euler's disk for a second at 1 ms. Its contact moves along the rim within each step, by 0.03 rad and by 0.06 rad of
// precession.
static void test_disk(double lean, double most)
{
    const coin disk = coin_roll(FLOOR_PLANE, lean, 1e-3, RUN(1.0, 0.02));
    tap_most(disk.energy, most, tap_numbered("of its energy Euler's disk loses in a second, leaning by rad", lean));
    tap_most(disk.gain, 1e-5, "and gains none");
}

// The coin of rolling.h, leaning as it likes, rolls on its lower rim: v = -w x a, a = r s - l e the arm from the centre
// to the rim. With L = I1 w + (I3 - I1)(w.e) e and the force m (dv/dt - g) at the rim, dL/dt = a x force is
//      (I1 + m a.a + (I3 - I1) e e' - m a a') dw/dt = -(I3 - I1)(w.e)(w x e) - m a x (w x da/dt + g),     m = 1.

typedef struct disc {
    d3 p, e, w; // centre, axis (up), rate in the world
} disc;

static d3 disc_arm(const disc *x, d3 *change)
{
    const d3 up = {0, 0, 1}, turn = d3_cross(x->w, x->e);
    const double c = x->e.z, sine = d_sqrt(1 - c * c), dc = turn.z, dsine = -c * dc / sine;
    const d3 s = d3_scale(1 / sine, d3_sub(d3_scale(c, x->e), up));
    const d3 ds = d3_scale(1 / sine, d3_sub(d3_add(d3_scale(dc, x->e), d3_scale(c, turn)), d3_scale(dsine, s)));
    *change = d3_sub(d3_scale(COIN_RADIUS, ds), d3_scale(COIN_HALF, turn));
    return d3_sub(d3_scale(COIN_RADIUS, s), d3_scale(COIN_HALF, x->e));
}

static disc disc_slope(const disc *x)
{
    const double r = COIN_RADIUS, l = COIN_HALF, i1 = 0.25 * r * r + l * l / 3.0, more = 0.5 * r * r - i1;
    const d3 g = {0, 0, -ROLLING_G};
    d3 da;
    const d3 a = disc_arm(x, &da), e = x->e, w = x->w;
    const double own = i1 + d3_dot(a, a);
    const d3 pull = d3_add(d3_cross(w, da), g);
    const d3 b = d3_sub(d3_scale(-more * d3_dot(w, e), d3_cross(w, e)), d3_cross(a, pull));
    const d3 x1 = d3_sub(d3_add(d3_make(own, 0, 0), d3_scale(more * e.x, e)), d3_scale(a.x, a));
    const d3 x2 = d3_sub(d3_add(d3_make(0, own, 0), d3_scale(more * e.y, e)), d3_scale(a.y, a));
    const d3 x3 = d3_sub(d3_add(d3_make(0, 0, own), d3_scale(more * e.z, e)), d3_scale(a.z, a));
    const double all = d3_dot(x1, d3_cross(x2, x3));
    const d3 dw = {d3_dot(b, d3_cross(x2, x3)) / all, d3_dot(x1, d3_cross(b, x3)) / all,
                   d3_dot(x1, d3_cross(x2, b)) / all};
    return (disc){d3_scale(-1, d3_cross(w, a)), d3_cross(w, e), dw};
}

static disc disc_add(const disc *x, double h, const disc *k)
{
    return (disc){d3_add(x->p, d3_scale(h, k->p)), d3_add(x->e, d3_scale(h, k->e)), d3_add(x->w, d3_scale(h, k->w))};
}

static void disc_move(disc *x, double h)
{
    const disc a = disc_slope(x), xa = disc_add(x, 0.5 * h, &a), b = disc_slope(&xa), xb = disc_add(x, 0.5 * h, &b);
    const disc c = disc_slope(&xb), xc = disc_add(x, h, &c), d = disc_slope(&xc);
    *x = disc_add(x, h / 6.0, &a);
    *x = disc_add(x, h / 3.0, &b);
    *x = disc_add(x, h / 3.0, &c);
    *x = disc_add(x, h / 6.0, &d);
    x->e = d3_scale(1.0 / d3_norm(x->e), x->e);
}

typedef struct rolled {
    double energy; // 1  worst change of energy
    double gain;   // 1  of that, the most that was gained
    double off;    // m  of the centre, from the equations
    double tilt;   // 1  of the axis
    double way;    // m  that the centre went
    uint32_t lost; //    steps without contact
} rolled;

// Leans by 0.3 rad from upright, rolls at `rate` rad/s and turns about the vertical.
static rolled disc_roll(double rate, double turn, double h, double seconds)
{
    const double lean = 0.5 * TRUTH_PI - 0.3, s = d_sin(lean), c = d_cos(lean);
    const solid whole = {TAC_CYLINDER, {COIN_RADIUS, 0, COIN_HALF}, 0, 0.0};
    const dq q = dq_about(d3_make(0, 1, 0), lean);
    disc x = {{0, 0, COIN_RADIUS * s + COIN_HALF * c}, {s, 0, c}, {rate * s, 0, rate * c + turn}};
    rolled r = {0};
    rolling_begin(h, 1.0);
    shapes_floor(&rolling_model, FLOOR_PLANE, 0.5);
    shapes_body(&rolling_model, &whole, 1.0, x.p, q);
    const disc slope = disc_slope(&x);
    rolling_model.body[1].velocity = (tac_twist){d3_to(slope.p), d3_to(dq_rotate(dq_conjugate(q), x.w))};
    begin_world(&rolling_model, &rolling_state);
    const double before = rolling_energy();
    for (uint32_t i = 0; (i + 1) * h <= seconds + 0.5 * h; i++) {
        rolling_step((i + 1) * h);
        for (int k = 0; k < 2; k++) { disc_move(&x, 0.5 * h); }
        const d3 e = dq_rotate(dq_of(rolling_state.pose[1].q), d3_make(0, 0, 1));
        const double change = rolling_energy() / before - 1.0;
        d_worst(&r.energy, change);
        r.gain = d_max(r.gain, change);
        d_worst(&r.off, d3_norm(d3_sub(d3_of(rolling_state.pose[1].p), x.p)));
        d_worst(&r.tilt, d3_norm(d3_sub(e, x.e)));
        r.way += h * d3_norm(d3_of(rolling_state.twist[1].v));
        r.lost += rolling_work.report.contacts == 0;
    }
    return r;
}

// A disc that leans and turns while it rolls, for ten seconds at 1 ms, beside the equations of rolling without slip.
static void test_rolling_disc(double rate)
{
    const rolled r = disc_roll(rate, 1.0, 1e-3, RUN(10.0, 0.02));
    tap_note("a disc rolls as far as, m", r.way);
    tap_most(r.energy, 1e-4, tap_numbered("a disc that rolls keeps its energy, at rad/s", rate));
    tap_most(r.gain, 5e-6, "and gains none");
    tap_most(r.off, 5e-3, "its centre is where its equations have it, m");
    tap_most(r.tilt, 5e-3, "and leans as they say");
    tap_equal(r.lost, 0, "and never leaves the floor");
}

static void test_spinning_cone(int floor)
{
    const double seconds = RUN(0.25, 0.02), h = 5e-4;
    const spin whole = cone_spin(floor, 0.1, 100.0, h, seconds), half = cone_spin(floor, 0.1, 100.0, 0.5 * h, seconds);
    tap_note("a cone on its tip on", floor);
    test_halves(whole.axis, half.axis, 5e-4, "a cone that spins on its tip moves as a heavy top");
    test_halves(whole.tip, half.tip, 2e-5, "the tip stays, m");
    test_halves(whole.energy, half.energy, 1e-4, "energy over m g arm");
}

static void test_falling_cone(void)
{
    const double seconds = RUN(0.5, 0.02), h = 1e-3;
    const spin whole = cone_spin(FLOOR_PLANE, 0.01, 0, h, seconds);
    const spin half = cone_spin(FLOOR_PLANE, 0.01, 0, 0.5 * h, seconds);
    test_halves(whole.axis, half.axis, 1e-4, "a cone that leans falls as a pendulum");
    const spin upright = cone_spin(FLOOR_PLANE, 0.0, 0.0, h, seconds);
    tap_note("cosine of its lean", upright.lean);
    tap_most(upright.axis, 0.0, "one that is exactly upright and does not spin stays, to the bit");
}

static void test_rolling_cone(int floor)
{
    const double seconds = RUN(0.5, 0.02), h = 1e-3;
    const spin whole = cone_roll(floor, 2.0, h, seconds), half = cone_roll(floor, 2.0, 0.5 * h, seconds);
    tap_note("a cone on its side on", floor);
    tap_note("energy, half step", half.energy);
    tap_most(whole.axis, 1e-5, "a cone rolls about its tip at its rate");
    tap_most(whole.tip, 1e-5, "the tip stays, m");
    tap_most(whole.energy, 2e-4, "kinetic energy stays");
    tap_most(whole.lean, 1e-4, "the line stays on the floor");
    if (TAP_FULL && TAC_REAL_BITS == 64) { // in float rounding is what is left
        tap_most(half.energy, 0.6 * whole.energy, "better at half of the step");
    }
}

static void test_pebbles(int fixed)
{
    const double h = 2.5e-3, seconds = 256 * 4 * h * RUN(0.25, 0.25);
    pebbles whole, half, quarter;
    whole = pebbles_roll(fixed, h, seconds);
    tap_note("an ellipsoid rolls on one that is fixed (1) or free (0):", fixed);
    tap_most(whole.energy, 3e-3, "energy stays");
    tap_most(whole.slip, TOL(1e-9, 1e-4), "no slip, m/s");
    tap_equal(whole.lost, 0, "they stay together");
    if (!fixed) { tap_most(whole.linear, TOL(1e-12, 1e-5), "momentum stays, N s"); }
    if (!TAP_FULL) { return; }
    half = pebbles_roll(fixed, 0.5 * h, seconds);
    quarter = pebbles_roll(fixed, 0.25 * h, seconds);
    test_halves(whole.energy, half.energy, 3e-3, "energy");
    if (!fixed) { test_halves(whole.angular, half.angular, 2e-5, "angular momentum, N m s"); }
    test_halves(pebbles_apart(&whole, &half), pebbles_apart(&half, &quarter), 1e-4, "the path, m");
}

int main(void)
{
    for (int floor = 0; floor < FLOORS; floor++) {
        test_coin(floor);
        test_spinning_cone(floor);
        test_rolling_cone(floor);
    }
    test_disk(0.5, 1e-5);
    test_disk(0.1, 1e-5);
    test_rolling_disc(10.0);
    test_rolling_disc(20.0);
    test_falling_cone();
    test_pebbles(1);
    test_pebbles(0);
    return tap_done();
}
