// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// Friction with a direction, static friction and Stribeck's curve. On an ellipse a puck slides as maximum dissipation
// says, by every stepper that has friction, to the step of an oracle of two lines and to the closed form of a parabola;
// it sticks inside the ellipse and not outside of it. Rollers that hardly resist across. Stick and slip of a block on a
// spring against closed form. No step makes energy. Bad values and methods that do not know these laws, by name.
#include "begin.h"
#include "bodies.h"
#include "robots.h"

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

// A block of 1 kg on a spring k whose end moves at V, w^2 = k/m. It sticks until the spring pulls with mu_s m g, slips
// as an oscillator about mu m g from there,
//      k y/(m g) = mu + (mu_s - mu) cos(w t) + (V w/g) sin(w t)        (y the extension, y' = V where it slips off)
// until y' is V again, tan(w t/2) = -(mu_s - mu) g/(V w), at 2 mu - mu_s, and sticks for 2 (mu_s - mu) m g/(k V). The
// extremes are those of the oscillator.
static void test_stick_slip(void)
{
    const double k = 100, rate = 0.1, still = 0.5, mu = 0.3, omega = 10;
    const double ratio = (still - mu) * G / (rate * omega);
    double low = TRUTH_PI / 2, high = TRUTH_PI;
    for (int i = 0; i < 60; i++) {
        const double x = 0.5 * (low + high);
        if (d_sin(x) + ratio * d_cos(x) > 0) { // falls below 0 where the tangent is -ratio
            low = x;
        } else {
            high = x;
        }
    }
    const double slip = 2 * low / omega, stick = 2 * (still - mu) * G / (k * rate);
    const double swing = rate * omega / G, amplitude = d_sqrt((still - mu) * (still - mu) + swing * swing);
    static tac_input input;
    double most = 0, least = 1e9, first = 0, last = 0, rise = 0;
    int slips = 0, was = 0;
    world(AUTO, mu);
    m.material[0].static_friction = (tac_real)still;
    m.material[0].stribeck_speed = (tac_real)1e-5;
    (void)puck(AUTO, 0);
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] = (tac_action){.body = 1, .kind = TAC_WRENCH_WORLD};
    for (int i = 0; i < 6000; i++) {
        const double x = (double)tac_state_get_pose(&m, &s, 1).p.x, t = 1e-3 * i, pull = k * (rate * t - x);
        input.action[0].linear = vec(pull, 0, 0);
        tac_step(&m, &s, &input, &w);
        const double v = (double)s.twist[1].v.x;
        const int is = v > 1e-3;
        if (is && !was) {
            if (slips == 1) { first = t; }
            last = t;
            slips++;
        }
        was = is;
        if (slips > 1) {
            most = d_max(most, pull / G);
            least = d_min(least, pull / G);
        }
        for (int c = 0; c < w.report.contacts; c++) { // friction takes energy, or none
            const tac_contact *a = &w.contact[c];
            rise = d_max(rise, (double)(a->impulse.y * a->velocity.y + a->impulse.z * a->velocity.z));
        }
    }
    tap_near(slips, 7, 1, "a block on a spring sticks and slips");
    tap_near((last - first) / (slips - 2) / (slip + stick), 1, 0.01, "period of the closed form");
    tap_near((most - mu) / amplitude, 1, 0.01, "amplitude, ahead");
    tap_near((mu - least) / amplitude, 1, 0.01, "and behind");
    tap_most(rise, TOL(1e-9, 1e-7), "friction does no work on it");
}

// mu at the slip of the start of a step: Stribeck's curve, in every stepper.
static void test_curve(void)
{
    double off = 0;
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        for (double v = 0.05; v < 2; v *= 2) {
            world(stepper, 0.2);
            m.material[0].static_friction = (tac_real)0.6;
            m.material[0].stribeck_speed = (tac_real)0.3;
            (void)puck(stepper, 0);
            slide_at(0.6 * v, 0.8 * v);
            begin_world(&m, &s);
            (void)step_by(stepper);
            const double mu = 0.2 + 0.4 / (1 + v * v / 0.09), left = v - 1e-3 * mu * G;
            d_worst(&off, d_abs((double)w.contact[0].mu - mu));
            d_worst(&off, d_abs(d3_norm(d3_of(s.twist[1].v)) - left));
        }
    }
    tap_most(off, TOL(1e-6, 1e-5), "Stribeck's curve in every stepper");
}

// The scene. Each roller lies along the ground at 45 degrees to its wheel, and a wheel that turns at `spin` needs the
// point of the chassis above it to move by spin r along the roller's part of x. So wheels that turn alike move it
// forward by spin r, on the diagonals sideways by as much, side by side about itself by spin r/(a + b).
static void test_mecanum(void)
{
    const double r = 0.05, spin = 4, a = 0.2, b = 0.15;
    static const double way[3][MECANUM_WHEELS] = {{1, 1, 1, 1}, {-1, 1, 1, -1}, {-1, 1, -1, 1}};
    const scene *robot = robot_find("mecanum");
    double off = 0;
    for (int drive = 0; drive < 3; drive++) {
        tac_input input = {0};
        double seen[3] = {0, 0, 0};
        tap_equal(robot->build(&m), TAC_OK, "a mecanum robot");
        begin_world(&m, &s);
        for (uint32_t k = 0; k < robot->steps; k++) {
            robot->drive(&m, k, &input);
            for (uint32_t i = 0; i < MECANUM_WHEELS; i++) {
                input.motor[i].velocity = (tac_real)(way[drive][i] * d_abs((double)input.motor[i].velocity));
            }
            tac_step(&m, &s, &input, &w);
            if (k < 1000) { continue; }
            seen[0] += 1e-3 * (double)s.twist[MECANUM_CHASSIS].v.x;
            seen[1] += 1e-3 * (double)s.twist[MECANUM_CHASSIS].v.y;
            seen[2] += 1e-3 * (double)s.twist[MECANUM_CHASSIS].w.z;
        }
        for (int i = 0; i < 3; i++) {
            const double full = spin * r / (i < 2 ? 1 : a + b);
            if (i == drive) { tap_note("mecanum: share of what kinematics say", seen[i] / full); }
            d_worst(&off, d_abs(seen[i] / full - (i == drive)));
        }
    }
    tap_most(off, 0.01, "it drives forward, to the left and turns to the left as its kinematics say");
}

// Axes near the normal, of which a thousandth and more lies in the tangent plane: contact frames are orthonormal.
static void test_upright(void)
{
    double off = 0;
    int found = 0;
    tap_note("random axes near the normal, seed", 6);
    rng r = {6};
    for (int trial = 0; trial < RUN(300, 30); trial++) {
        const double lean = octave_range(&r, 1.1e-3, 0.1), way = rng_range(&r, -3, 3);
        const dq tilt = rng_quat(&r);
        world(AUTO, 0.5);
        const uint16_t ball = add_body(&m, d3_scale(0.1, dq_rotate(tilt, d3_make(0, 0, 1))), 1, d3_make(1, 1, 1));
        const tac_shape sphere = tac_shape_make(ball, TAC_SPHERE, vec(0.1, 0, 0));
        tac_model_add_shape(&m, &sphere);
        m.shape[0].pose.q = dq_to(tilt);
        m.shape[0].axis = vec(d_sin(lean) * d_cos(way), d_sin(lean) * d_sin(way), d_cos(lean));
        m.shape[0].turn = (tac_real)rng_range(&r, -3, 3);
        begin_world(&m, &s);
        found += tac_contacts(&m, &s, ball, (tac_real)0.01, &w) == TAC_OK && w.report.contacts == 1 &&
                 w.contact[0].across < 1;
        d_worst(&off, d3_dot(d3_of(w.contact[0].n), d3_of(w.contact[0].u)));
        d_worst(&off, d3_dot(d3_of(w.contact[0].u), d3_of(w.contact[0].u)) - 1);
    }
    tap_equal(found, RUN(300, 30), "an axis near the normal has a direction");
    tap_most(off, TOL(1e-15, 6e-7), "across which the contact's frame is orthonormal");
}

static void refused(uint32_t field, uint32_t reason, const char *name)
{
    tac_fault fault;
    tap_ok(tac_model_seal(&m, &fault) < 0 && fault.field == field && fault.reason == reason, name);
}

static void test_input(void)
{
    world(AUTO, 0.5);
    m.shape[0].axis = vec(1, 1, 0);
    refused(TAC_FIELD_AXIS, TAC_REASON_NOT_UNIT, "an axis that is not of unit length");
    m.shape[0].axis = vec(0, 0, 0);
    m.shape[0].turn = 1;
    refused(TAC_FIELD_AXIS, TAC_REASON_UNUSED, "a turn of no axis");
    m.shape[0].turn = 0;
    m.shape[0].across = (tac_real)0.5;
    refused(TAC_FIELD_ACROSS, TAC_REASON_UNUSED, "friction across no axis");
    m.shape[0].axis = vec(1, 0, 0);
    m.shape[0].across = (tac_real)1.1;
    refused(TAC_FIELD_ACROSS, TAC_REASON_RANGE, "more friction across than along");
    m.shape[0].across = (tac_real)-0.1;
    refused(TAC_FIELD_ACROSS, TAC_REASON_RANGE, "a negative one");
    m.shape[0].across = (tac_real)real_nan();
    refused(TAC_FIELD_ACROSS, TAC_REASON_NOT_FINITE, "one that is no number");
    m.shape[0].across = 0;
    m.shape[0].turn = 4;
    refused(TAC_FIELD_AXIS, TAC_REASON_RANGE, "a turn beyond half a revolution");
    world(AUTO, 0.5);
    m.material[0].static_friction = (tac_real)0.4;
    m.material[0].stribeck_speed = 1;
    refused(TAC_FIELD_STATIC_FRICTION, TAC_REASON_RANGE, "static friction below that of sliding");
    m.material[0].static_friction = 1;
    m.material[0].stribeck_speed = 0;
    refused(TAC_FIELD_STRIBECK_SPEED, TAC_REASON_RANGE, "static friction without a speed");
    m.material[0].static_friction = 0;
    m.material[0].stribeck_speed = 1;
    refused(TAC_FIELD_STRIBECK_SPEED, TAC_REASON_UNUSED, "a speed without static friction");
}

// What has one Coulomb coefficient a contact refuses both laws by name.
static void test_methods(void)
{
    static tac_lcs system;
    static tac_real room[6][400];
    for (int law = 0; law < 2; law++) {
        const uint32_t field = law ? TAC_FIELD_STATIC_FRICTION : TAC_FIELD_AXIS;
        world(AUTO, 0.5);
        (void)puck(AUTO, 0);
        if (law) {
            m.material[0].static_friction = 1;
            m.material[0].stribeck_speed = 1;
        } else {
            direct_friction(0, 0, 0.5);
        }
        begin_world(&m, &s);
        tac_lcs_init(&system);
        system.A = room[0], system.D = room[1], system.d = room[2], system.E = room[3], system.F = room[4];
        system.c = room[5];
        tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &system), TAC_E_ARG, "tac_linearise() refuses it");
        tap_equal(w.report.fault.field, field, "by name");
        tac_step(&m, &s, NULL, &w);
        if (!law) { tap_equal(tac_least_norm(&m, &w, 10), TAC_E_ARG, "and so do impulses of least norm"); }
    }
}

int main(void)
{
    test_steps();
    test_parabola();
    test_stick();
    test_stick_slip();
    test_curve();
    test_mecanum();
    test_upright();
    test_input();
    test_methods();
    return tap_done();
}
