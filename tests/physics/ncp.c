// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The geometrically implicit step: the examples of CBAT07 with their exact motions; every equation of (10) and (11)
// again, from the states before and after a step; random worlds; units; polygons beside discs.
#include "begin.h"
#include "bodies.h"
#include "two_spheres.h"

static tac_model m;
static tac_state s, old;
static tac_work w;
static tac_input input;
static tac_ncp q;
static tac_lcp lcp;

static void begin(double h, double friction, double spinning)
{
    tac_model_init(&m);
    truth_fill(&q, sizeof q, 0xFF); // what nobody has written is NaN
    tac_ncp_init(&q);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)h;
    m.gravity = vec(0, 0, -9.81);
    tac_model_add_material(&m, (tac_real)friction, 0);
    m.material[0].spinning = (tac_real)spinning;
}

static void add_shape(uint16_t body, uint8_t kind, double x, double y, double z)
{
    const tac_shape shape = tac_shape_make(body, kind, vec(x, y, z));
    tac_model_add_shape(&m, &shape);
}

// ----------------------------------------------------------------------------------------- (10), (11) from outside

// The largest residual of a step, from the states before and after it and what tac_ncp says about its contacts:
// relative, velocities to q.speed, their changes to q.change.
typedef struct residual {
    double euler, surface, gap, friction, cone;
} residual;

static d3 spin_of(const tac_state *at, uint16_t body)
{
    return dq_rotate(dq_of(at->pose[body].q), d3_of(at->twist[body].w));
}

static d3 velocity_at(const tac_state *at, uint16_t body, d3 point)
{
    const d3 arm = d3_sub(point, d3_of(at->pose[body].p));
    return d3_add(d3_of(at->twist[body].v), d3_cross(spin_of(at, body), arm));
}

static d3 angular_momentum(const tac_state *at, uint16_t body)
{
    const d3 inertia = d3_of(m.body[body].inertia), spin = d3_of(at->twist[body].w);
    return dq_rotate(dq_of(at->pose[body].q), d3_make(inertia.x * spin.x, inertia.y * spin.y, inertia.z * spin.z));
}

// Newton and Euler for body b: m dv - m g h - h f - P = 0, dL - sum (arm x P + T) = 0.
static void check_body(uint16_t b, const tac_input *in, residual *r)
{
    const double mass = (double)m.body[b].mass, h = (double)m.h, speed = (double)q.change;
    const double size = d_sqrt((double)m.body[b].inertia.x / mass);
    d3 p = d3_scale(-mass * h, d3_of(m.gravity)), torque = d3_make(0, 0, 0);
    for (int i = 0; in != NULL && i < in->actions; i++) {
        if (in->action[i].body == b) { p = d3_sub(p, d3_scale(h, d3_of(in->action[i].linear))); }
    }
    p = d3_add(p, d3_scale(mass, d3_sub(d3_of(s.twist[b].v), d3_of(old.twist[b].v))));
    for (uint16_t i = 0; i < q.contacts; i++) {
        const tac_ncp_contact *c = &q.contact[i];
        const tac_contact *k = &w.contact[i];
        if (k->body_a != b && k->body_b != b) { continue; }
        const double sign = k->body_b == b ? 1 : -1;
        const d3 n = d3_of(c->normal), t = d3_of(c->t), o = d3_of(c->o);
        const d3 at = d3_scale(0.5, d3_add(d3_of(c->a1), d3_of(c->a2)));
        d3 f = d3_add(d3_scale((double)c->p_n, n), d3_add(d3_scale((double)c->p_t, t), d3_scale((double)c->p_o, o)));
        d3 about =
            d3_add(d3_scale((double)c->p_r, n), d3_add(d3_scale((double)c->p_rt, t), d3_scale((double)c->p_ro, o)));
        f = d3_scale(sign, f);
        about = d3_scale(sign, about);
        p = d3_sub(p, f);
        torque = d3_add(torque, d3_add(about, d3_cross(d3_sub(at, d3_of(s.pose[b].p)), f)));
    }
    const d3 turn = d3_sub(d3_sub(angular_momentum(&s, b), angular_momentum(&old, b)), torque);
    d_worst(&r->euler, d3_norm(p) / (mass * speed));
    d_worst(&r->euler, d3_norm(turn) / (mass * size * speed));
}

static void check_contact(uint16_t i, double e, residual *r)
{
    const tac_ncp_contact *c = &q.contact[i];
    const tac_contact *k = &w.contact[i];
    const d3 n = d3_of(c->normal), t = d3_of(c->t), o = d3_of(c->o);
    const d3 at = d3_scale(0.5, d3_add(d3_of(c->a1), d3_of(c->a2)));
    const d3 v = d3_sub(velocity_at(&s, k->body_b, at), velocity_at(&s, k->body_a, at));
    const double y[3] = {d3_dot(v, t), d3_dot(v, o),
                         e * d3_dot(n, d3_sub(spin_of(&s, k->body_b), spin_of(&s, k->body_a)))};
    const double x[3] = {(double)c->p_t, (double)c->p_o, e > 0 ? (double)c->p_r / e : 0};
    const double limit = (double)c->mu * (double)c->p_n, speed = (double)q.speed, sigma = (double)c->sigma;
    const double unit = (double)q.change * (double)c->step_n;
    const double room = limit - d_sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double apart = d3_dot(n, d3_sub(d3_of(c->a2), d3_of(c->a1)));
    d_worst(&r->surface, (apart - (double)c->gap) / (double)c->length);
    d_worst(&r->gap, d_min((double)c->p_n / unit, (double)c->gap / (double)c->length));
    d_worst(&r->cone, d_min(sigma / speed, room / unit));
    for (int j = 0; j < 3; j++) { d_worst(&r->friction, (limit * y[j] + x[j] * sigma) / (unit * speed)); }
}

// One step, and what it leaves. Steps that are not converged are counted, not judged.
static int unconverged, steps, iterations;

static tac_status step(const tac_input *in, double e, residual *r)
{
    truth_copy(&old, &s, sizeof s);
    const tac_status status = tac_step_implicit(&m, &s, in, &w, &q);
    steps++;
    iterations += q.iterations;
    if (status != TAC_OK) {
        unconverged++;
        return status;
    }
    for (uint16_t b = 1; b < m.bodies; b++) {
        int touched = 0;
        for (uint16_t i = 0; i < q.contacts; i++) {
            touched = touched || w.contact[i].body_a == b || w.contact[i].body_b == b;
        }
        if (touched && m.body[b].kind == TAC_DYNAMIC) { check_body(b, in, r); }
    }
    for (uint16_t i = 0; i < q.contacts; i++) { check_contact(i, e, r); }
    return status;
}

static void judge(const residual *r, const char *name)
{
    const double most = TOL(1e-9, 1e-4);
    // in float the differences of velocities round, relative to a change that is small beside them
    tap_most(r->euler, TOL(1e-9, 3e-4), tap_joined(name, "Newton and Euler"));
    tap_most(r->surface, TOL(1e-9, 1e-4), tap_joined(name, "points are a gap apart"));
    tap_most(r->gap, most, tap_joined(name, "impulse or gap"));
    tap_most(r->friction, most, tap_joined(name, "friction (5)"));
    tap_most(r->cone, most, tap_joined(name, "slip or room in the ellipsoid"));
    tap_equal(unconverged, 0, tap_joined(name, "every step has converged"));
    unconverged = 0;
}

// ------------------------------------------------------------------------------------------------- example 1: a disc

enum { AS_SPHERE, AS_CYLINDER, AS_ELLIPSOID };

// 1 kg and 1 m, -3 m/s and 3 rad/s, mu = 0.4. A disc in space: a cylinder, a ball, or an ellipsoid by (22).
static void disc(double h, int as)
{
    const double half = 0.70710678118654752;
    begin(h, 0.4, 0);
    add_floor(&m);
    const uint16_t b = add_body(&m, d3_make(0, 0, 1), 1, d3_make(0.3, 0.3, 0.5));
    m.body[b].pose.q = (tac_quat){(tac_real)half, (tac_real)half, 0, 0}; // the axis along -y
    m.body[b].velocity.v.x = -3;
    m.body[b].velocity.w.z = 3;
    if (as == AS_SPHERE) { add_shape(b, TAC_SPHERE, 1, 0, 0); }
    if (as == AS_CYLINDER) { add_shape(b, TAC_CYLINDER, 1, 0, 0.1); }
    if (as == AS_ELLIPSOID) { add_shape(b, TAC_ELLIPSOID, 1, 1, 0.8); }
    begin_world(&m, &s);
}

static void test_disc(int as, uint8_t law, const char *name)
{
    residual r = {0};
    double energy = 0, height = 0;
    disc(0.01, as);
    for (int i = 0; i < 400; i++) {
        (void)step(NULL, 0, &r);
        d_worst(&energy, (double)w.report.kinetic - 6.75);
        d_worst(&height, (double)s.pose[1].p.z - 1);
    }
    tap_equal(q.contact[0].law, law, tap_joined(name, "is what the contact takes it for"));
    tap_most(energy, TOL(1e-9, 3e-5), tap_joined(name, "keeps its kinetic energy for 4 s"));
    tap_most(height, TOL(1e-11, 1e-5), tap_joined(name, "and its height"));
    tap_near(s.pose[1].p.x, -12, TOL(1e-9, 1e-4), tap_joined(name, "has rolled 12 m"));
    judge(&r, name);
}

// A regular polygon, as the rim of a thin double pyramid, by the step of T03.
static double polygon(int corners, double h, double time)
{
    tac_vec3 point[102];
    disc(h, -1);
    tac_lcp_init(&lcp);
    lcp.directions = 4;
    for (int i = 0; i < corners; i++) {
        const double angle = 2 * TRUTH_PI * (i + 0.5) / corners;
        point[i] = vec(d_cos(angle), d_sin(angle), 0);
    }
    point[corners] = vec(0, 0, 0.01);
    point[corners + 1] = vec(0, 0, -0.01);
    tac_shape hull = tac_shape_make(1, TAC_HULL, vec(1, 1, 1));
    hull.data = (uint16_t)tac_model_add_hull(&m, point, (uint32_t)corners + 2);
    tac_model_add_shape(&m, &hull);
    m.body[1].pose.p.z = (tac_real)d_cos(TRUTH_PI / corners);
    begin_world(&m, &s);
    for (int i = 0; i < (int)(time / h + 0.5); i++) { tac_step_lcp(&m, &s, NULL, &w, &lcp); }
    return (double)w.report.kinetic;
}

static void test_polygons(void)
{
    const double ten = polygon(10, 0.01, 2), fifty = polygon(50, 0.01, 2), hundred = polygon(100, 0.01, 2);
    tap_note("kinetic energy of 6.75 J after 2 s as polygon of 10 corners, h = 0.01 s:", ten);
    tap_note("of 50 corners:", fifty);
    tap_note("of 100 corners:", hundred);
    tap_note("of 50 corners, h = 0.001 s:", polygon(50, 0.001, 2));
    tap_most(ten, 3, "a polygon of ten corners loses more than half of its energy in 2 s");
    tap_most(d_max(fifty, hundred), 6, "more corners lose less, but not nothing");
    tap_least(d_min(fifty, hundred), ten, "and less than ten of them");
}

// ------------------------------------------------------------------------------------- example 2: a sphere that spins

static void test_spin(void)
{
    const double h = 0.07, mg = 9.81;
    residual r = {0};
    double rate = 0, other = 0, moment = 0;
    begin(h, 0.2, 0.2 * 0.4);
    add_floor(&m);
    const uint16_t b = add_body(&m, d3_make(0, 0, 1), 1, d3_make(0.4, 0.4, 0.4));
    m.body[b].velocity.w.z = (tac_real)1.962;
    add_shape(b, TAC_SPHERE, 1, 0, 0);
    begin_world(&m, &s);
    for (int i = 1; i <= 20; i++) {
        (void)step(NULL, 0.4, &r);
        const double left = 1.962 - 1.962 * h * i, before = 1.962 - 1.962 * h * (i - 1);
        const double spin = d_max(left, 0), torque = -0.4 * (d_max(before, 0) - spin) / h;
        d_worst(&rate, (double)s.twist[b].w.z - spin);
        d_worst(&moment, (double)q.contact[0].p_r / h - torque);
        d_worst(&other, d3_norm(d3_of(s.twist[b].v)) + d_abs((double)s.twist[b].w.x) + d_abs((double)s.twist[b].w.y));
        d_worst(&other, (double)q.contact[0].p_t + (double)q.contact[0].p_o);
        d_worst(&other, (double)q.contact[0].p_n / h - mg);
        if (i == 14) { tap_least(s.twist[b].w.z, 0.03, "at 0.98 s it still spins"); }
        if (i == 15) { tap_most(d_abs((double)s.twist[b].w.z), TOL(1e-9, 1e-6), "and at 1.05 s no more"); }
    }
    tap_most(rate, TOL(1e-9, 1e-5), "its rate falls by 1.962 rad/s2");
    tap_most(moment, TOL(1e-8, 1e-4), "under a moment of 0.785 N m, the rest of it in the last step");
    tap_most(other, TOL(1e-8, 1e-4), "nothing else moves, and the weight is borne");
    judge(&r, "spin:");
}

// --------------------------------------------------------------------------------- example 3: a sphere on two spheres

static void two_balls(double h, uint8_t kind)
{
    begin(h, TWO_MU, TWO_MU * TWO_E);
    m.gravity = vec(0, 0, 0);
    for (int i = 0; i < 2; i++) {
        const double size = TWO_RADIUS[i];
        tac_shape fixed = tac_shape_make(0, kind, vec(size, size, size));
        fixed.pose.p = d3_to(TWO_CENTRE[i]);
        tac_model_add_shape(&m, &fixed);
    }
    const uint16_t b = add_body(&m, d3_make(0, 6.62105263157895, 8.78417110772903), 1, d3_make(0.4, 0.4, 0.4));
    add_shape(b, kind, 1, 1, 1);
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] = (tac_action){.body = b, .kind = TAC_WRENCH_WORLD};
    input.action[0].linear = d3_to(TWO_PUSH);
}

// The contact with the fixed sphere `shape`, or NULL.
static const tac_ncp_contact *contact_with(int shape)
{
    for (uint16_t i = 0; i < q.contacts; i++) {
        if (w.contact[i].id.shape_a == shape) { return &q.contact[i]; }
    }
    return NULL;
}

typedef struct two_seen {
    two_events events;
    double beyond; // N   friction beyond mu N
    double still;  // m/s least slip of the first contact after 0.1 s; its largest deviation from mu N
    double below;
    double jerk; // N   largest change of the force on the ball from step to step, from 0.1 s to the last event
} two_seen;

// `slip`: m/s from which on a contact slides; `weight`: N from which on it bears.
static void two_watch(double h, uint8_t kind, double slip, double weight, residual *r, two_seen *seen)
{
    double last[2] = {0, 0}, before[2] = {0, 0}, room = 0, was = 0;
    d3 acceleration = {0, 0, 0};
    *seen = (two_seen){.still = 1e9};
    two_balls(h, kind);
    for (int i = 1; i <= (int)(3.9 / h + 0.5); i++) {
        const double t = h * i;
        const d3 v = d3_of(s.twist[1].v);
        (void)step(&input, TWO_E, r);
        const d3 now = d3_scale(1 / h, d3_sub(d3_of(s.twist[1].v), v));
        if (t > 0.1) { d_worst(&seen->jerk, d3_norm(d3_sub(now, acceleration))); }
        acceleration = now;
        for (int side = 0; side < 2; side++) {
            const tac_ncp_contact *c = contact_with(side);
            const double normal = c == NULL ? 0 : (double)c->p_n / h;
            if (i == 1) { seen->events.start[side] = normal; }
            if (normal > weight) {
                before[side] = last[side];
                last[side] = normal;
                // extrapolated from the last two steps: the forces of (4) are those of the end of a step
                seen->events.opens[side] = t + h * d_min(normal / (before[side] - normal), 1);
            }
            if (c == NULL || !(normal > weight)) { continue; }
            const double e = TWO_E, x[3] = {(double)c->p_t / h, (double)c->p_o / h, (double)c->p_r / (h * e)};
            const double force = d_sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
            seen->beyond = d_max(seen->beyond, force - TWO_MU * normal);
            if (side == 0) { seen->below = d_max(seen->below, TWO_MU * normal - force); }
            if (side == 0 && t > 0.1) { seen->still = d_min(seen->still, (double)c->sigma); }
            if (side == 1 && (double)c->sigma < slip) {
                was = room;
                room = TWO_MU * normal - force;
                seen->events.slides = t + h * d_min(room / (was - room), 1);
            }
        }
    }
}

static void test_two_spheres(void)
{
    two_events exact = {0};
    two_seen seen;
    residual r = {0};
    const double h = 0.01;
    two_run(0.0005, &exact);
    tap_note("exact: the second contact slides from (s)", exact.slides);
    tap_note("exact: the first opens at (s)", exact.opens[0]);
    tap_note("exact: the second opens at (s)", exact.opens[1]);
    two_watch(h, TAC_SPHERE, TOL(1e-8, 1e-4), TOL(1e-6, 1e-2), &r, &seen);
    tap_near(seen.events.start[0], exact.start[0], TOL(2e-4, 0.01), "first contact: 2.641 N");
    tap_near(seen.events.start[1], exact.start[1], TOL(2e-4, 0.01), "second contact: 8.767 N");
    tap_near(exact.start[0], 2.641, 1e-3, "as an independent run has found,");
    tap_near(exact.start[1], 8.767, 1e-3, "both of them");
    tap_least(seen.still, 0.02, "the first slides from the start");
    tap_most(seen.below, TOL(1e-8, 1e-3), "with a friction of mu N");
    tap_near(seen.events.opens[0], exact.opens[0], TOL(1, 1.5) * h, "until it opens");
    tap_near(seen.events.slides, exact.slides, TOL(1.5, 2) * h, "the second rolls, then slides");
    tap_near(seen.events.opens[1], exact.opens[1], h, "until it opens");
    tap_most(seen.beyond, TOL(1e-6, 1e-3), "friction is never more than mu N");
    tap_most(seen.jerk, TOL(0.5, 0.5), "velocities are smooth: forces change little from step to step");
    tap_note_hex("hash of its last state", tac_state_hash(&m, &s));
    judge(&r, "two spheres:");
}

// Errors of the three events, and their order in h.
static void test_two_orders(void)
{
    static const double steps_of[4] = {0.04, 0.02, 0.01, 0.005};
    static const double page[4][3] = {// the table of src/cbat07/README.md
                                      {0.045, 0.023, 0.028},
                                      {0.023, 0.012, 0.015},
                                      {0.011, 0.0061, 0.0072},
                                      {0.0057, 0.0031, 0.0036}};
    two_events exact = {0};
    two_seen seen;
    residual r = {0};
    double error[4][3];
    two_run(0.0005, &exact);
    for (int i = 0; i < 4; i++) {
        two_watch(steps_of[i], TAC_SPHERE, 1e-8, 1e-6, &r, &seen);
        error[i][0] = d_abs(seen.events.slides - exact.slides);
        error[i][1] = d_abs(seen.events.opens[0] - exact.opens[0]);
        error[i][2] = d_abs(seen.events.opens[1] - exact.opens[1]);
        tap_note("h (s)", steps_of[i]);
        for (int k = 0; k < 3; k++) { tap_note("  error of slides, opens, opens (s)", error[i][k]); }
        for (int k = 0; k < 3; k++) {
            tap_near(error[i][k], page[i][k], 0.05 * page[i][k], "an event is off by the order of a step");
        }
    }
    for (int k = 0; k < 3; k++) {
        tap_most(error[3][k], d_max(0.25 * error[0][k], steps_of[3]),
                 "an eighth of the step: at most a quarter of the error");
    }
    judge(&r, "all steps:");
}

// The same as ellipsoids, whose points come from (22).
static void test_two_ellipsoids(void)
{
    residual r = {0};
    double apart = 0;
    static tac_state spheres[40];
    two_balls(0.01, TAC_SPHERE);
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 5; k++) { (void)step(&input, TWO_E, &r); }
        truth_copy(&spheres[i], &s, sizeof s);
    }
    two_balls(0.01, TAC_ELLIPSOID);
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 5; k++) { (void)step(&input, TWO_E, &r); }
        d_worst(&apart, d3_norm(d3_sub(d3_of(s.pose[1].p), d3_of(spheres[i].pose[1].p))));
        d_worst(&apart, d3_norm(d3_sub(d3_of(s.twist[1].v), d3_of(spheres[i].twist[1].v))));
    }
    tap_equal(q.contact[0].law, TAC_NCP_PAIR, "ellipsoids are pairs of (22)");
    tap_most(apart, TOL(1e-8, 5e-3), "which move as the spheres");
    judge(&r, "ellipsoids:");
}

// ------------------------------------------------------------------------------------------------------ random worlds

enum { WORLDS = RUN(24, 3), FALL = RUN(300, 60) };

typedef struct fall {
    uint32_t seed;
    int bodies, kinds; // of the list below, the first `kinds`
    double h, friction, margin;
} fall;

static const uint8_t KIND[] = {TAC_SPHERE, TAC_ELLIPSOID, TAC_CYLINDER, TAC_BOX, TAC_CONE, TAC_CAPSULE};

static void fall_begin(const fall *f, rng *r)
{
    begin(f->h, f->friction, 0.01);
    add_floor(&m);
    for (int i = 0; i < f->bodies; i++) {
        const double wide = 0.15 * f->bodies;
        const d3 at = d3_make(rng_range(r, -wide, wide), rng_range(r, -wide, wide), 0.5 + 0.5 * i);
        const uint16_t b = add_body(&m, at, 1, d3_make(1, 1, 1));
        m.body[b].pose.q = dq_to(rng_quat(r));
        m.body[b].velocity.v = d3_to(rng_box(r, 1));
        m.body[b].velocity.w = d3_to(rng_box(r, 5));
        const uint8_t kind = KIND[rng_below(r, (uint32_t)f->kinds)];
        const d3 size = d3_add(d3_make(0.17, 0.17, 0.17), rng_box(r, 0.07));
        add_shape(b, kind, size.x, size.y, kind == TAC_CYLINDER && rng_below(r, 2) ? 0.03 : size.z);
        tac_model_mass_from_shapes(&m, b, 500);
    }
    m.options.margin = (tac_real)f->margin;
    begin_world(&m, &s);
}

static double energy_of_world(void)
{
    tac_real kinetic, potential;
    tac_energy(&m, &s, &kinetic, &potential);
    return (double)kinetic + (double)potential;
}

typedef struct fallen {
    residual r;
    double depth;  // m  of a body below the floor after a step, by tac_distance()
    double growth; // 1  of the energy in a step, relative to the energy of the start
    double gain;   // 1  of the energy since the start
} fallen;

static void fall_run(const fall *f, rng *r, fallen *seen)
{
    tac_nearest near;
    fall_begin(f, r);
    const double start = energy_of_world();
    double before = start;
    for (int i = 0; i < FALL; i++) {
        const tac_status status = step(NULL, 0.01 / d_max(f->friction, 1e-9), &seen->r);
        const double energy = energy_of_world();
        seen->growth = d_max(seen->growth, (energy - before) / start);
        seen->gain = d_max(seen->gain, (energy - start) / start);
        before = energy;
        for (uint16_t b = 1; b < m.bodies && status == TAC_OK; b++) {
            tac_distance(&m, &s, 0, b, &w, &near);
            seen->depth = d_max(seen->depth, -(double)near.gap);
        }
    }
}

// How many steps in a thousand may fail is what has been seen, rounded up: their result is the cone program's. `depth`:
// of what lies flat, whose points are those of the start of the step, a few hundredths of a percent of its size; in
// float a cylinder that comes to lie flat has ended a step a tenth of a percent deep.
static void test_falls(fall f, double failures, double depth, const char *name)
{
    fallen seen = {0};
    rng r = {f.seed};
    unconverged = steps = 0;
    for (int i = 0; i < WORLDS; i++) { fall_run(&f, &r, &seen); }
    tap_note_hex("seed", f.seed);
    tap_note(tap_joined(name, "steps"), steps);
    tap_note("not converged", unconverged);
    tap_note("energy: largest growth in a step, relative", seen.growth);
    tap_note("energy: largest gain since the start, relative", seen.gain);
    tap_most((double)unconverged, failures * 1e-3 * steps + 1, tap_joined(name, "few steps do not converge"));
    unconverged = 0;
    judge(&seen.r, name);
    tap_note("largest depth after a step (m)", seen.depth);
    tap_most(seen.depth, depth, tap_joined(name, "no body ends a step below the floor"));
    tap_most(seen.gain, 1e-3, tap_joined(name, "no energy is gained"));
}

// ------------------------------------------------------------------------------------------------------------- units

// The same fall in other units of length and mass, powers of two: the same motion.
static void test_units(void)
{
    static const double length[3] = {1, 1.0 / 1024, 128}, mass[3] = {1, 1.0 / 1024, 1024};
    static d3 at[3], spin[3];
    for (int unit = 0; unit < 3; unit++) {
        const double l = length[unit];
        begin(0.005, 0.4, 0.01 * l);
        m.gravity = vec(0, 0, -9.81 * l);
        add_floor(&m);
        for (int i = 0; i < 3; i++) {
            const double i2 = 0.0016 * mass[unit] * l * l;
            const uint16_t b = add_body(&m, d3_scale(l, d3_make(0.05 * i, 0.01 * i, 0.15 + 0.3 * i)), mass[unit],
                                        d3_make(i2, 1.25 * i2, 1.5 * i2));
            m.body[b].velocity.v = d3_to(d3_scale(l, d3_make(0.5, 0.25, 0)));
            m.body[b].velocity.w = vec(1, 2, 3);
            add_shape(b, i == 0 ? TAC_CYLINDER : (i == 1 ? TAC_BOX : TAC_ELLIPSOID), 0.125 * l, 0.1 * l, 0.07 * l);
        }
        begin_world(&m, &s);
        for (int i = 0; i < 80; i++) { tac_step_implicit(&m, &s, NULL, &w, &q); }
        at[unit] = d3_scale(1 / l, d3_of(s.pose[3].p));
        spin[unit] = d3_of(s.twist[3].w);
    }
    for (int unit = 1; unit < 3; unit++) {
        tap_most(d3_norm(d3_sub(at[unit], at[0])), 0, "another unit of length and mass: the same place");
        tap_most(d3_norm(d3_sub(spin[unit], spin[0])), 0, "and spin");
    }
}

// ------------------------------------------------------------------------------------------------------- known motions

// A ball rolls down a slope of one in two: 5/7 g sin; and slides where mu is too small: g (sin - mu cos).
static void test_slope(double friction)
{
    const double sine = 0.44721359549995794, cosine = 2 * sine, h = 0.01;
    residual r = {0};
    begin(h, friction, 0);
    m.gravity = vec(9.81 * sine, 0, -9.81 * cosine);
    add_floor(&m);
    const uint16_t b = add_body(&m, d3_make(0, 0, 0.5), 2, d3_make(0.2, 0.2, 0.2));
    add_shape(b, TAC_SPHERE, 0.5, 0, 0);
    begin_world(&m, &s);
    for (int i = 0; i < 100; i++) { (void)step(NULL, 0, &r); }
    const double rolls = 5.0 / 7 * 9.81 * sine, slides = 9.81 * (sine - friction * cosine);
    tap_near(s.twist[b].v.x, d_max(rolls, slides), TOL(1e-10, 1e-5), "a ball on a slope");
    judge(&r, "slope:");
}

// A ball of restitution 0.8 falls, and stays: the law has no bounces, though those of tac_step() are the first guess.
static void test_no_bounce(void)
{
    residual r = {0};
    double up = 0;
    begin(0.01, 0.3, 0);
    m.material[0].restitution = (tac_real)0.8;
    add_floor(&m);
    const uint16_t b = add_body(&m, d3_make(0, 0, 1), 1, d3_make(0.1, 0.1, 0.1));
    add_shape(b, TAC_SPHERE, 0.5, 0, 0);
    begin_world(&m, &s);
    for (int i = 0; i < 60; i++) {
        (void)step(NULL, 0, &r);
        up = d_max(up, (double)s.twist[b].v.z);
        for (uint16_t k = 0; k < q.contacts; k++) { d_worst(&up, d3_norm(d3_of(w.contact[k].bounce))); }
    }
    tap_most(up, TOL(1e-12, 1e-6), "a ball of restitution 0.8 does not bounce");
    tap_near(s.pose[b].p.z, 0.5, TOL(1e-12, 1e-6), "and lies on the floor");
    judge(&r, "no bounce:");
}

// A belt of 1 m/s takes a block along: mu g until it is as fast. The belt is body 2: its face is that of body b.
static void test_belt(void)
{
    residual r = {0};
    double behind = 0;
    begin(0.01, 0.3, 0);
    const uint16_t b = add_body(&m, d3_make(0, 0, 0.1), 2, d3_make(0.02, 0.02, 0.02));
    add_shape(b, TAC_BOX, 0.1, 0.1, 0.1);
    tac_body belt = tac_body_make(TAC_KINEMATIC, vec(0, 0, 0));
    belt.velocity.v.x = 1;
    const uint16_t k = (uint16_t)tac_model_add_body(&m, &belt);
    add_shape(k, TAC_HALF_SPACE, 1, 1, 1);
    begin_world(&m, &s);
    for (int i = 1; i <= 60; i++) {
        (void)step(NULL, 0, &r);
        d_worst(&behind, (double)s.twist[b].v.x - d_min(0.3 * 9.81 * 0.01 * i, 1));
    }
    tap_most(behind, TOL(1e-9, 1e-4), "a belt takes a block along");
    tap_near(s.pose[b].p.z, 0.1, TOL(1e-9, 1e-5), "which stays on it");
    judge(&r, "belt:");
}

// A wide box on a narrow one, a narrow one on top: they rest; and when the uppermost turns at first, it comes to rest.
static void test_pile(double spin)
{
    static const double half[3] = {0.1, 0.2, 0.1};
    residual r = {0};
    double moved = 0, tilt = 0;
    begin(0.01, 0.4, 0);
    add_floor(&m);
    for (int i = 0; i < 3; i++) {
        const double i2 = 2.0 / 3 * half[i] * half[i];
        const uint16_t b = add_body(&m, d3_make(0, 0, i == 0 ? 0.1 : 0.1 + 0.3 * i), 1, d3_make(i2, i2, i2));
        add_shape(b, TAC_BOX, half[i], half[i], half[i]);
    }
    m.body[3].velocity.w.z = (tac_real)spin;
    begin_world(&m, &s);
    for (int i = 0; i < 100; i++) {
        (void)step(NULL, 0, &r);
        for (uint16_t b = 1; b < 4; b++) {
            d_worst(&moved, (double)s.pose[b].p.z - (b == 1 ? 0.1 : 0.1 + 0.3 * (b - 1)));
            d_worst(&tilt, d_abs((double)s.pose[b].q.x) + d_abs((double)s.pose[b].q.y));
        }
    }
    tap_most(moved, TOL(1e-9, 1e-5), "a pile of boxes keeps its height");
    tap_most(tilt, TOL(1e-8, 1e-4), "and stands upright");
    tap_most(d_abs((double)s.twist[3].w.z), TOL(1e-9, 1e-4), "its uppermost box has come to rest");
    judge(&r, "pile:");
}

// Two balls meet head on: plastic, as the law has it; momentum is kept. The third is not touched.
static void test_meeting(void)
{
    residual r = {0};
    begin(0.01, 0.3, 0);
    m.gravity = vec(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        const uint16_t b = add_body(&m, d3_make(0.5 * i, i == 2 ? 5 : 0, 0), i + 1, d3_make(0.01, 0.01, 0.01));
        add_shape(b, TAC_SPHERE, 0.2, 0, 0);
        m.body[b].velocity.v.x = (tac_real)(i == 1 ? -1 : 2);
    }
    begin_world(&m, &s);
    for (int i = 0; i < 20; i++) { (void)step(NULL, 0, &r); }
    tap_near(s.twist[1].v.x, 0, TOL(1e-12, 1e-6), "1 kg at 2 m/s and 2 kg at -1 m/s stay together at rest");
    tap_near(s.twist[2].v.x, 0, TOL(1e-12, 1e-6), "both of them");
    tap_near((double)s.pose[2].p.x - (double)s.pose[1].p.x, 0.4, TOL(1e-12, 1e-6), "touching");
    tap_near(s.pose[3].p.x, 1.4, TOL(1e-12, 1e-6), "the third has gone on");
    judge(&r, "meeting:");
}

int main(void)
{
    test_disc(AS_SPHERE, TAC_NCP_FACE, "ball:");
    test_disc(AS_CYLINDER, TAC_NCP_RIM, "cylinder:");
    test_disc(AS_ELLIPSOID, TAC_NCP_PAIR, "ellipsoid:");
    test_polygons();
    test_spin();
    test_two_spheres();
    if (TAC_REAL_BITS == 64) { test_two_orders(); }
    test_two_ellipsoids();
    tap_note("iterations a step", (double)iterations / steps);
    test_slope(0.5);
    test_slope(0.05);
    test_no_bounce();
    test_belt();
    test_pile(0);
    test_pile(3);
    test_meeting();
    test_units();
    test_falls((fall){1, 4, 2, 0.005, 0.5, 0.1}, 0, TOL(1e-8, 5e-6), "balls and ellipsoids:");
    test_falls((fall){2, 1, 3, 0.005, 0.5, 0.1}, 1, TOL(1e-8, 2e-4), "one of them or a cylinder:");
    test_falls((fall){3, 3, 6, 0.005, 0.3, 0.1}, 2, 2e-4, "all kinds:");
    return tap_done();
}
