// SPDX-License-Identifier: MIT
// config: robots
// Certificates of random worlds against the definitions, computed here from contacts, masses and poses alone; and
// impulses of least norm, after any solver, of runs that start warm: they make the same velocities from inside their
// cones, they are no larger, and on feet that stick they are  d_i g_i = a velocity field of a rigid body  (what the
// Lagrangian of  min sum d_i |g_i|^2  with given force and torque says), equal where the feet are equal.
#include "begin.h"
#include "bodies.h"
#include "wild.h"

enum { WORLDS = RUN(16, 3), STEPS = RUN(300, 60), EVERY = 15, FEET = RUN(5, 2) };

static tac_model m;
static tac_state before, state;
static tac_work w;
static tac_vec3 found[TAC_MAX_CONTACTS]; // impulses of the step
static tac_certificate certificate;

// ------------------------------------------------------------------------------------------------------------ worlds

static void ground(uint8_t solver, double h)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.options.solver = solver;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &plane);
}

static tac_body *box(d3 at, d3 half)
{
    return add_box_by_density(&m, at, half, 1000);
}

static void random_world(rng *r)
{
    const uint8_t solver = (uint8_t)rng_below(r, 3);
    ground(solver, rng_range(r, 1e-3, 5e-3));
    m.options.friction = (uint8_t)rng_below(r, 2);
    m.material[0].friction = (tac_real)rng_range(r, 0, 1);
    const uint32_t bodies = 1 + rng_below(r, 5);
    for (uint32_t i = 0; i < bodies; i++) {
        const d3 half = d3_add(d3_make(0.2, 0.2, 0.2), rng_box(r, 0.1)), at = d3_make(0, 0, 0.5 + 0.5 * i);
        tac_body *b = box(d3_add(at, rng_box(r, 0.1)), half);
        b->pose.q = dq_to(rng_quat(r));
        b->velocity.v = d3_to(rng_box(r, 1));
    }
    wild_numbers(&m, NULL, r);
    begin_world(&m, &state);
}

// ----------------------------------------------------------------------------------------------------- what they know

static d3 frame(const tac_contact *c, d3 g)
{
    return d3_add(d3_scale(g.x, d3_of(c->n)), d3_add(d3_scale(g.y, d3_of(c->u)), d3_scale(g.z, d3_of(c->w))));
}

// What an impulse `j` (world) at `at` makes of the velocity of the body there, and elsewhere: w = R I^-1 R' (r x j).
static d3 spin(uint16_t body, d3 at, d3 j)
{
    const tac_body *b = &m.body[body];
    const dq q = dq_of(before.pose[body].q);
    d3 l = dq_rotate(dq_conjugate(q), d3_cross(d3_sub(at, d3_of(before.pose[body].p)), j));
    l = d3_make(l.x / (double)b->inertia.x, l.y / (double)b->inertia.y, l.z / (double)b->inertia.z);
    return dq_rotate(q, l);
}

static d3 gain(const tac_contact *c, uint16_t body, d3 at, d3 j)
{
    if (body == 0 || (body != c->body_a && body != c->body_b)) { return d3_make(0, 0, 0); }
    const d3 arm = d3_sub(at, d3_of(before.pose[body].p)), to = body == c->body_b ? j : d3_scale(-1, j);
    return d3_add(d3_scale(1 / (double)m.body[body].mass, to), d3_cross(spin(body, d3_of(c->point), to), arm));
}

// The velocity at contact `i` that the impulse g of contact `k` makes: N_ik g, in the world frame.
static d3 response(int i, int k, d3 g)
{
    const tac_contact *c = &w.contact[i], *from = &w.contact[k];
    const d3 at = d3_of(c->point), j = frame(from, g);
    return d3_sub(gain(from, c->body_b, at, j), gain(from, c->body_a, at, j));
}

// d = trace(N_ii)/3
static double weight(int i)
{
    const d3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double sum = 0;
    for (int k = 0; k < 3; k++) { sum += d3_dot(frame(&w.contact[i], axis[k]), response(i, i, axis[k])) / 3; }
    return sum;
}

// ------------------------------------------------------------------------------------------------------ certificates

typedef struct judgement {
    double signorini, cone, dissipation;
    double blur; // what gaps that are none but for rounding make of the first
} judgement;

static double worst_of(double a, double b)
{
    return d_max(a, d_abs(b));
}

// Is the gap left to positions: did the contact bear a force in a step that was not solved?
static int left_over(const tac_contact *c)
{
    if (!before.warm_unsolved || m.options.friction != TAC_FRICTION_EXACT || !((double)c->gap > 0)) { return 0; }
    for (uint32_t i = 0; i < before.warm_count; i++) {
        const tac_feature id = before.warm[i].id;
        const int same = id.shape_a == c->id.shape_a && id.shape_b == c->id.shape_b && id.feature == c->id.feature;
        if (same && d3_dot(d3_of(before.warm[i].impulse), d3_of(c->n)) > 0) { return 1; }
    }
    return 0;
}

// b of the normal row, m/s.
static double target(const tac_contact *c)
{
    return left_over(c) ? 0 : d_max((double)c->gap / (double)m.h, -(double)m.options.recovery);
}

static void judge(judgement *r)
{
    double p2 = 0;
    *r = (judgement){0, 0, 0, 0};
    for (int i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        const d3 g = d3_of(c->impulse), v = d3_of(c->velocity);
        const double d = weight(i), b = target(c);
        const double slip = d_sqrt(v.y * v.y + v.z * v.z), gt = d_sqrt(g.y * g.y + g.z * g.z), mu = (double)c->mu;
        const double normal = v.x + b - (w.report.friction == TAC_FRICTION_EXACT ? 0 : mu * slip);
        r->signorini = worst_of(r->signorini, d_min(d * g.x, normal));
        r->cone = worst_of(r->cone, d * d_max(gt - mu * g.x, 0)); // at least the distance
        r->dissipation = worst_of(r->dissipation, d * (mu * g.x * slip + g.y * v.y + g.z * v.z));
        d3 p = d3_add(frame(c, v), d3_scale(b, d3_of(c->n)));
        for (int k = 0; k < w.report.contacts; k++) { p = d3_sub(p, response(i, k, d3_of(w.contact[k].impulse))); }
        p2 += d3_dot(p, p);
    }
    const double scale = d_sqrt(p2);
    r->blur = 10 * TOL(2.2e-16, 1.2e-7) / (double)m.h / scale;
    r->signorini /= scale;
    r->cone /= scale;
    r->dissipation /= scale * scale;
}

static double off(double got, double expected, double blur)
{
    return d_max(d_abs(got - expected) - blur, 0) / (TOL(1e-10, 1e-4) + expected);
}

static void test_certificates(void)
{
    double signorini = 0, cone = 0, dissipation = 0, best = 1, worst = 0;
    int judged = 0, counted = 1, refused = 0;
    rng r = {11};
    for (int world = 0; world < WORLDS; world++) {
        random_world(&r);
        m.options.max_sweeps = (uint16_t)(1 + rng_below(&r, 40));
        begin_world(&m, &state);
        for (int k = 0; k < STEPS; k++) {
            truth_copy(&before, &state, sizeof before);
            refused += tac_step(&m, &state, NULL, &w) < 0;
            if (k % EVERY || w.report.contacts == 0) { continue; }
            judgement expected;
            judge(&expected);
            refused += tac_certify(&m, &w, &certificate) != TAC_OK;
            d_worst(&signorini, off((double)certificate.signorini, expected.signorini, expected.blur));
            d_worst(&dissipation, off((double)certificate.dissipation, expected.dissipation, 0));
            d_worst(&cone, d_max((double)certificate.r_ncp_primal, expected.cone));
            counted = counted && certificate.open + certificate.stick + certificate.slide == w.report.contacts &&
                      d_abs((double)(certificate.r_natmap - w.report.residual)) <=
                          TOL(1e-12, 1e-5) * (1 + (double)w.report.residual) &&
                      certificate.penetration == w.report.penetration;
            best = d_min(best, expected.signorini + expected.dissipation);
            worst = d_max(worst, expected.signorini + expected.dissipation);
            judged++;
        }
    }
    tap_note("steps judged", judged);
    tap_note("errors of Signorini and friction, least", best);
    tap_note("and most", worst);
    tap_equal(refused, 0, "no step and no certificate is refused");
    tap_most(signorini, TOL(1e-4, 0.05), "Signorini's law as by its definition");
    tap_most(dissipation, TOL(1e-4, 0.05), "the dissipation too");
    tap_most(cone, TOL(1e-12, 1e-5), "impulses lie in their cones");
    tap_ok(counted, "modes add up; residual and penetration are those of the report");
}

// -------------------------------------------------------------------------------------------------------- least norm

static double norm2(void)
{
    double sum = 0;
    for (int i = 0; i < w.report.contacts; i++) {
        const d3 g = d3_of(w.contact[i].impulse);
        sum += weight(i) * d3_dot(g, g);
    }
    return sum;
}

static void keep_impulses(void)
{
    for (int i = 0; i < w.report.contacts; i++) { found[i] = w.contact[i].impulse; }
}

// How much the velocities at the contacts have changed, of those that all impulses make one by one.
static double moved(void)
{
    double worst = 0, size = 0;
    for (int i = 0; i < w.report.contacts; i++) {
        d3 sum = {0, 0, 0};
        for (int k = 0; k < w.report.contacts; k++) {
            const d3 g = d3_of(w.contact[k].impulse), change = d3_sub(g, d3_of(found[k]));
            sum = d3_add(sum, response(i, k, change));
            size = d_max(size, d3_norm(response(i, k, d3_of(found[k]))));
        }
        worst = d_max(worst, d3_norm(sum));
    }
    return size > 0 ? worst / size : 0;
}

static void test_piles(void)
{
    double most_moved = 0, larger = 0, gained = 0;
    int asked = 0, spread = 0, broken = 0;
    rng r = {12};
    for (int world = 0; world < WORLDS; world++) {
        random_world(&r);
        for (int k = 0; k < STEPS; k++) {
            truth_copy(&before, &state, sizeof before);
            tac_step(&m, &state, NULL, &w);
            if (k % EVERY || w.report.contacts == 0) { continue; }
            const uint64_t hash = tac_state_hash(&m, &state);
            const double first = norm2();
            keep_impulses();
            const tac_status status = tac_least_norm(&m, &w, 300);
            broken += tac_check(&m, &state, &w, NULL) != TAC_OK || hash != tac_state_hash(&m, &state);
            asked++;
            if (status != TAC_OK) { continue; }
            spread++;
            tac_certify(&m, &w, &certificate);
            d_worst(&most_moved, moved());
            d_worst(&larger, d_max(norm2() / (first + 1e-30) - 1, 0));
            gained = d_max(gained, (double)(certificate.r_natmap - w.report.residual));
        }
    }
    tap_note("steps asked", asked);
    tap_note("of these spread to rounding", spread);
    tap_note("largest change of a velocity, relative", most_moved);
    tap_note("largest loss of residual", gained);
    tap_equal(broken, 0, "impulses lie in their cones, the state is not touched");
    tap_least(spread, 9 * asked / 10, "most of them end");
    tap_most(most_moved, TOL(1e-11, 1e-4), "the velocities stay");
    tap_most(larger, TOL(1e-10, 3e-3), "the norm falls");
}

// A box on four feet, pushed but sticking, after a landing on an edge: d_i g_i is a rigid velocity field. In a plane
// that is: normal parts affine, so those of both diagonals have the same sum; tangential parts do not stretch the
// plane.
static double feet_field(void)
{
    d3 f[4], x[4];
    double worst = 0, size = 0;
    int across = 0;
    for (int i = 0; i < 4; i++) {
        f[i] = d3_scale(weight(i), frame(&w.contact[i], d3_of(w.contact[i].impulse)));
        x[i] = d3_of(w.contact[i].point);
        size = d_max(size, d3_norm(f[i]));
        if (d3_norm(d3_sub(x[i], x[0])) > d3_norm(d3_sub(x[across], x[0]))) { across = i; }
    }
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += i == 0 || i == across ? f[i].z : -f[i].z;
        for (int k = 0; k < i; k++) {
            d3 arm = d3_sub(x[i], x[k]), rate = d3_sub(f[i], f[k]);
            worst = d_max(worst, d_abs(arm.x * rate.x + arm.y * rate.y) / (size * d3_norm(arm)));
        }
    }
    return d_max(worst, d_abs(sum) / size);
}

static void test_feet(uint8_t solver, const char *name)
{
    double field = 0, uneven = 0;
    int standing = 0;
    rng r = {13};
    for (int i = 0; i < FEET; i++) {
        const d3 size = rng_box(&r, 0.1), centre = rng_box(&r, 0.05), push = rng_box(&r, 1);
        ground(solver, 2e-3);
        box(d3_make(0, 0, 0.45), d3_make(0.2, 0.2 + size.y, 0.15 + 0.5 * size.z));
        m.body[1].pose.q = dq_to(dq_about(d3_make(1, 10 * size.x, 0), 0.1));
        m.body[1].inertial.p = d3_to(centre);
        m.gravity = vec(push.x, push.y, -9.81);
        begin_world(&m, &state);
        for (int k = 0; k < RUN(1500, 800); k++) {
            truth_copy(&before, &state, sizeof before);
            tac_step(&m, &state, NULL, &w);
        }
        if (w.report.contacts != 4) { continue; }
        standing++;
        if (tac_least_norm(&m, &w, 30) != TAC_OK) { tap_ok(0, "not spread"); }
        d_worst(&field, feet_field());
    }
    tap_equal(standing, FEET, tap_joined("boxes stand on four feet:", name));
    tap_most(field, TOL(1e-9, 2e-5), tap_joined("forces over d are a rigid field:", name));

    ground(solver, 5e-3);
    m.options.tolerance = TOL(1e-10, TAC_AUTO);
    for (int i = 0; i < 3; i++) { box(d3_make(2 * i, 0, 0.5), d3_make(0.5, 0.5, 0.5)); }
    m.body[3].pose.p.z = (tac_real)0.9; // falls on an edge
    m.body[3].pose.q = dq_to(dq_about(d3_make(1, 0.3, 0), 0.3));
    begin_world(&m, &state);
    for (int k = 0; k < RUN(1000, 700); k++) { tac_step(&m, &state, NULL, &w); }
    tac_least_norm(&m, &w, 30);
    for (int i = 0; i < w.report.contacts; i++) {
        d_worst(&uneven, (double)w.contact[i].impulse.x / (0.25 * 1000 * 9.81 * 5e-3) - 1);
    }
    tap_equal(w.report.contacts, 12, "three cubes on four feet");
    tap_note("largest difference of equal feet", uneven);
    tap_most(uneven, TOL(1e-9, 2e-6), tap_joined("equal feet bear equal forces:", name));
}

// A cube of 1 kg at rest on the floor, and one step: all figures of a solved step are small. Then impulses are made
// wrong by hand, each in its own way, and the figure that is about it says so.
static tac_real *impulse(int contact)
{
    return &w.scratch.solve.g[w.scratch.solve.block[contact].first];
}

static void rest(uint8_t friction)
{
    ground(TAC_SOLVER_DIRECT, 1e-3);
    m.options.friction = friction;
    box(d3_make(0, 0, 0.5), d3_make(0.5, 0.5, 0.5));
    m.body[1].mass = 1;
    m.gravity = vec(0, 0, -10);
    begin_world(&m, &state);
    truth_copy(&before, &state, sizeof before);
    tac_step(&m, &state, NULL, &w);
    tac_certify(&m, &w, &certificate);
}

static void test_names(void)
{
    rest(TAC_FRICTION_RELAXED);
    const double small = TOL(1e-7, 1e-4), least = (double)certificate.f_ccp;
    const double p = (double)w.progress.scale, n = 2.5e-3; // N s: of each foot
    tap_equal(w.report.contacts, 4, "a cube stands on four feet");
    tap_most(certificate.r_eom, small * p, "solved: equations of motion");
    tap_most(certificate.r_contact, 1e-6, "no overlap at the end");
    tap_most(certificate.r_ncp_primal, small, "impulses in their cones");
    tap_most(certificate.r_ncp_dual, small, "velocities in the dual cones");
    tap_most(certificate.r_ncp_compl, small, "complementary");
    tap_most(certificate.r_natmap, small, "natural map");
    tap_near(least, -0.5 * 1e-2 * 1e-2, TOL(1e-12, 1e-8), "f_ccp of a stop is minus the kinetic energy taken, J");

    for (int i = 0; i < 4; i++) { impulse(i)[0] *= (tac_real)1.5; }
    tac_certify(&m, &w, &certificate);
    tap_near(certificate.r_eom, 0.5e-2, TOL(1e-9, 1e-5), "half the weight too much: m/s that the motion does not have");
    tap_near((double)certificate.f_ccp, -0.375e-4, TOL(1e-12, 1e-8), "the objective rises by 1/2 m dv^2, J");
    tap_most(certificate.r_ncp_primal, small, "impulses are in their cones");
    tap_most(certificate.r_ncp_dual, small, "and velocities in theirs, upwards");
    tap_near((double)certificate.r_ncp_compl * p * p, weight(0) * 1.5 * n * 0.5e-2, TOL(1e-9, 1e-7),
             "but an open contact pushes: d n u");
    tap_least(certificate.r_natmap, 1e-2, "the natural map shows it too");

    for (int i = 0; i < 4; i++) { impulse(i)[0] = 0; }
    tac_certify(&m, &w, &certificate);
    tap_near((double)certificate.r_ncp_dual * p, 1e-2, TOL(1e-9, 1e-5),
             "no impulse: the cube falls, m/s out of the dual cone");
    tap_most(certificate.r_ncp_compl, small, "which is complementary");
    tap_near((double)certificate.f_ccp, 0, TOL(1e-15, 1e-9), "and f_ccp of no impulses is 0");

    rest(TAC_FRICTION_RELAXED);
    for (int i = 0; i < 4; i++) { impulse(i)[0] = (tac_real)-n; }
    tac_certify(&m, &w, &certificate);
    tap_near((double)certificate.r_ncp_primal * p, weight(0) * n, TOL(1e-9, 1e-5),
             "impulses that pull: d n out of the cone");

    rest(TAC_FRICTION_EXACT);
    w.pseudo_velocity[1].v.z = -1;
    tac_certify(&m, &w, &certificate);
    tap_near(certificate.r_contact, 1e-3, TOL(1e-9, 1e-6), "a motion into the floor: m of overlap");
    tap_most(certificate.r_ncp_dual, small, "of which the program knows nothing");
}

static void test_order(void)
{
    tac_ray ray = {{0, 0, 1}, {0, 0, -1}, 1, 0, TAC_NONE, 1, 1};
    tac_hit hit;
    tap_equal(tac_certify(NULL, &w, &certificate), TAC_E_ARG, "no model");
    tap_equal(tac_certify(&m, &w, NULL), TAC_E_ARG, "no certificate");
    tap_equal(tac_least_norm(&m, NULL, 1), TAC_E_ARG, "no work area");
    tap_equal(tac_certify(&m, &w, &certificate), TAC_OK, "after a step");
    tac_step_begin(&m, &state, NULL, &w);
    tap_equal(tac_certify(&m, &w, &certificate), TAC_E_ORDER, "not within a step");
    tap_equal(tac_least_norm(&m, &w, 1), TAC_E_ORDER, "nor this");
    tac_step_end(&m, &state, &w);
    tap_equal(tac_least_norm(&m, &w, 0), TAC_UNCONVERGED, "nothing for no turns");
    tac_cast(&m, &state, &ray, &w, &hit);
    tap_equal(tac_certify(&m, &w, &certificate), TAC_E_ORDER, "nor when a question has used the work area");
    tap_equal(tac_least_norm(&m, &w, 1), TAC_E_ORDER, "nor this");
}

int main(void)
{
    test_certificates();
    test_piles();
    test_feet(TAC_SOLVER_ACCELERATED, "accelerated");
    test_feet(TAC_SOLVER_PLAIN, "plain");
    test_feet(TAC_SOLVER_DIRECT, "direct");
    test_names();
    test_order();
    return tap_done();
}
