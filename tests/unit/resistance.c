// SPDX-License-Identifier: MIT
// config: all
// variants: all
// Resistance to spinning and rolling, one part at a time: eigenvectors, the cone of six rows, a block alone under both
// laws; how lengths combine, what is refused by which name, what counts in a hash, what a contact shows.
#include "rows/torsion.h"
#include "sets/local.h"
#include "tap.h"
#include "truth.h"

#define EPS ((double)REAL_EPSILON)

// ------------------------------------------------------------------------------------------------------- eigenvectors

// A = B'B of random B whose columns have lengths down to 1/100.
static void random_square(rng *r, real a[5][5])
{
    double b[5][5], size[5];
    for (int j = 0; j < 5; j++) { size[j] = rng_below(r, 2) ? 1.0 : rng_range(r, 0.01, 1.0); }
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) { b[i][j] = size[j] * rng_range(r, -1.0, 1.0); }
    }
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            double sum = 0.0;
            for (int k = 0; k < 5; k++) { sum += b[k][i] * b[k][j]; }
            a[i][j] = (real)sum;
        }
    }
}

static void test_spectrum(void)
{
    rng r = {31};
    real a[5][5], kept[5][5], value[5], base[5][5];
    double back = 0.0, square = 0.0, least = 1.0;
    for (int n = 0; n < RUN(2000, 50); n++) {
        random_square(&r, a);
        bytes_copy(kept, a, sizeof a);
        spectrum(a, value, base);
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                double sum = 0.0, dot = i == j ? -1.0 : 0.0;
                for (int k = 0; k < 5; k++) {
                    sum += (double)base[i][k] * (double)value[k] * (double)base[j][k];
                    dot += (double)base[k][i] * (double)base[k][j];
                }
                d_worst(&back, (sum - (double)kept[i][j]) / d_sqrt((double)kept[i][i] * (double)kept[j][j]));
                d_worst(&square, dot);
            }
            least = d_min(least, (double)value[i]);
        }
    }
    tap_most(back, 5e3 * EPS, "a matrix is what its eigenvectors make of it, entry for entry");
    tap_most(square, 50.0 * EPS, "they are orthonormal");
    tap_least(least, -50.0 * EPS, "no eigenvalue is negative but by rounding");
}

// --------------------------------------------------------------------------------------------------------------- cone

static rows6 random_rows(rng *r, double half)
{
    return (rows6){d3_to(rng_box(r, half)), d3_to(rng_box(r, half))};
}

static double dot_of(rows6 a, rows6 b)
{
    return d3_dot(d3_of(a.f), d3_of(b.f)) + d3_dot(d3_of(a.t), d3_of(b.t));
}

static double tangent_of(rows6 a)
{
    const d3 f = d3_of(a.f), t = d3_of(a.t);
    return d_sqrt(f.y * f.y + f.z * f.z + d3_dot(t, t));
}

// Moreau: p in K, x - p in the polar cone, both at right angles.
static void test_projection(void)
{
    rng r = {32};
    double outside = 0.0, polar = 0.0, across = 0.0;
    for (int i = 0; i < RUN(5000, 100); i++) {
        const double mu = (double)(real)rng_range(&r, 0.01, 2.0);
        const rows6 x = random_rows(&r, 2.0), p = torsion_project(x, (real)mu), rest = rows6_sub(x, p);
        d_worst(&outside, d_max(0.0, tangent_of(p) - mu * (double)p.f.x) + d_max(0.0, -(double)p.f.x));
        d_worst(&polar, d_max(0.0, mu * tangent_of(rest) + (double)rest.f.x));
        d_worst(&across, dot_of(rest, p));
    }
    tap_most(outside, 20.0 * EPS, "the projection lies in the cone");
    tap_most(polar, 20.0 * EPS, "the rest in its polar cone");
    tap_most(across, 200.0 * EPS, "and at right angles");
}

// The derivative of the projection of six rows against a difference quotient, away from the kinks.
static void test_derivative(void)
{
    const double h = TOL(1e-5, 1e-2);
    rng r = {35};
    double worst = 0.0;
    int slide = 0;
    for (int i = 0; i < RUN(5000, 100); i++) {
        const real mu = (real)rng_range(&r, 0.1, 1.5);
        const rows6 x = random_rows(&r, 2.0), d = random_rows(&r, 1.0);
        const real t = rows6_tangent(x);
        const cone_slope p = cone_derivative(x.f.x, t, mu, R(1.0));
        const double kink = d_min(d_abs((double)(t - mu * x.f.x)), d_abs((double)(x.f.x + mu * t)));
        if (kink < 6.0 * h || (double)t < 0.5) { continue; }
        rows6 way = rows6_scale(R(1.0) / t, x), flat = d;
        way.f.x = flat.f.x = R(0.0);
        const real along = rows6_dot(way, d);
        flat = rows6_scale(p.across, rows6_madd(flat, -along, way));
        way = rows6_scale(mu, way);
        way.f.x = R(1.0);
        const rows6 slide_by = rows6_madd(flat, p.along * (d.f.x + mu * along), way);
        const rows6 to = p.mode == TAC_SLIDE ? slide_by : p.mode == TAC_STICK ? d : rows6_none();
        const rows6 ends =
            rows6_sub(torsion_project(rows6_madd(x, (real)h, d), mu), torsion_project(rows6_madd(x, (real)-h, d), mu));
        const rows6 off = rows6_sub(rows6_scale((real)(0.5 / h), ends), to);
        d_worst(&worst, d_sqrt(dot_of(off, off)));
        slide += p.mode == TAC_SLIDE;
    }
    tap_least(slide, RUN(1000, 10), "projections that slide");
    tap_most(worst, TOL(1e-8, 2e-2), "the derivative of the projection is that of its values");
}

// -------------------------------------------------------------------------------------------------------- one block

static tac_work work;
static tac_block block;

// A body of unit mass and random inertia meets the ground at an arm r; semi-axes of some per cent of the arm and more.
static void random_block(rng *r)
{
    const double arm = rng_range(r, 0.05, 2.0), i = 0.4 * arm * arm;
    const d3 way = rng_box(r, 1.0), s = d3_scale(arm / d_max(d3_norm(way), 0.1), way);
    const double spinning = rng_below(r, 5) == 0 ? 0.0 : arm * rng_range(r, 0.02, 1.0);
    const double rolling = rng_below(r, 5) == 0 ? 0.0 : arm * rng_range(r, 0.02, 1.0),
                 e[3] = {spinning, rolling, rolling};
    bytes_clear(&block, sizeof block);
    block.rows = 6;
    FRICTION_SET_ACROSS(&block, R(1.0));
    block.body[1] = 1;
    block.frame[0] = V3_AXIS[2];
    block.frame[1] = V3_AXIS[0];
    block.frame[2] = V3_AXIS[1];
    block.mu = (real)rng_range(r, 0.05, 1.0);
    work.moving[1].inv_mass = R(1.0);
    work.moving[1].inv_inertia = vec(rng_range(r, 0.5, 2.0) / i, rng_range(r, 0.5, 2.0) / i, 1.0 / i);
    block.torsion.axis = vec(e[0], e[1], e[2]);
    for (int k = 0; k < 3; k++) {
        block.j[1][k] = v3_cross(d3_to(s), block.frame[k]);
        block.torsion.j[1][k] = v3_scale((real)e[k], block.frame[k]);
    }
    torsion_sweep_bodies(&work, &block);
}

// What W makes of an impulse.
static rows6 product(rows6 x)
{
    real w[6][6], y[6];
    const real in[6] = {x.f.x, x.f.y, x.f.z, x.t.x, x.t.y, x.t.z};
    torsion_matrix(&work, &block, w);
    for (int i = 0; i < 6; i++) {
        y[i] = R(0.0);
        for (int j = 0; j < 6; j++) { y[i] += w[i][j] * in[j]; }
    }
    return (rows6){v3(y[0], y[1], y[2]), v3(y[3], y[4], y[5])};
}

// From random impulses and velocities: the answer lies in the cone, its velocity (with De Saxce's term) in the dual
// one, and the two are complementary.
static void test_block(int exact)
{
    rng r = {33};
    double outside = 0.0, dual = 0.0, power = 0.0;
    int open = 0, stick = 0;
    const int blocks = RUN(5000, 100);
    for (int i = 0; i < blocks; i++) {
        random_block(&r);
        const double mu = (double)block.mu;
        rows6 g = random_rows(&r, 1.0), u = random_rows(&r, rng_below(&r, 2) ? 10.0 : 1.0);
        u.t = v3_mul(u.t, block.torsion.axis); // rows without a semi-axis have no velocity and no impulse
        g.t = torsion_scaled(&block, v3_mul(g.t, block.torsion.axis));
        if (i % 3 == 0) { // something of the cone's inside stops it
            rows6 to = torsion_project(g, block.mu);
            to.f.x += R(0.1);
            u = product(rows6_sub(g, to));
        }
        const rows6 x = local_solve(&block.torsion, block.mu, g, u, exact),
                    v = rows6_madd(u, R(1.0), product(rows6_sub(x, g)));
        const double lift = exact ? mu * tangent_of(v) : 0.0;
        const double size = d_sqrt(dot_of(u, u)) + (double)block.torsion.weight * d_sqrt(dot_of(g, g));
        const double amount = size / (double)block.torsion.weight;
        d_worst(&outside, d_max(0.0, tangent_of(x) - mu * (double)x.f.x) / amount);
        d_worst(&dual, d_max(0.0, mu * tangent_of(v) - ((double)v.f.x + lift)) / size);
        d_worst(&power, (dot_of(x, v) + (double)x.f.x * lift) / (size * amount));
        open += x.f.x == R(0.0);
        stick += x.f.x > R(0.0) && tangent_of(x) < 0.999 * mu * (double)x.f.x;
    }
    tap_note("open", open);
    tap_note("sticking", stick);
    tap_least(d_min(d_min(open, stick), blocks - open - stick), blocks / 50,
              exact ? "exact law: all modes" : "relaxed: all modes");
    tap_most(outside, 50.0 * EPS, "impulses in the cone");
    tap_note("largest error of a velocity, relative", dual);
    tap_note("largest error of complementarity, relative", power);
    tap_most(dual, TOL(1e-13, 1e-5), "velocities in the dual cone");
    tap_most(power, TOL(1e-13, 1e-5), "and complementary");
}

// -------------------------------------------------------------------------------------------------------------- model

static tac_model m;
static tac_state state;
static tac_fault fault;

// A ball in a plane, each of its own material; the ball spins and rolls.
static void two_materials(void)
{
    tac_model_init(&m);
    tac_model_add_material(&m, R(0.4), R(0.0));
    tac_model_add_material(&m, R(0.9), R(0.0));
    m.material[0].spinning = R(0.01);
    m.material[0].rolling = R(0.04);
    m.material[1].spinning = R(0.04);
    m.material[1].rolling = R(0.09);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &plane);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.499));
    b.velocity.w = vec(1, 2, 3);
    tac_model_add_body(&m, &b);
    tac_shape s = tac_shape_make(1, TAC_SPHERE, vec(0.5, 0, 0));
    s.material = 1;
    tac_model_add_shape(&m, &s);
}

static const tac_contact *meet(void)
{
    if (tac_model_seal(&m, &fault) != TAC_OK || tac_state_init(&m, &state, NULL) != TAC_OK ||
        tac_step(&m, &state, NULL, &work) < 0 || work.report.contacts != 1) {
        tap_ok(0, "they do not meet");
    }
    return &work.contact[0];
}

static void test_combination(void)
{
    static const double spinning[TAC_RULES] = {0.025, 0.02, 0.0004, 0.01, 0.04};
    static const double rolling[TAC_RULES] = {0.065, 0.06, 0.0036, 0.04, 0.09};
    double worst = 0.0;
    for (uint8_t rule = 0; rule < TAC_RULES; rule++) {
        two_materials();
        m.material[0].friction_rule = m.material[1].friction_rule = rule;
        const tac_contact *c = meet();
        d_worst(&worst, (double)c->spinning / spinning[rule] - 1.0);
        d_worst(&worst, (double)c->rolling / rolling[rule] - 1.0);
    }
    tap_most(worst, 8.0 * EPS, "lengths combine by the rule of friction");
    two_materials();
    const int32_t pair = tac_model_add_material_pair(&m, 1, 0, R(0.5), R(0.0));
    const tac_contact *c = meet();
    tap_ok(c->spinning == R(0.0) && c->rolling == R(0.0), "a pair overrides them, with none at first");
    tap_ok(v3_norm_inf(c->torque) == R(0.0), "and no torque");
    m.material_pair[pair].spinning = R(0.005);
    m.material_pair[pair].rolling = R(0.25);
    c = meet();
    tap_ok(c->spinning == R(0.005) && c->rolling == R(0.25), "with its own when they are set");
    m.material_pair[pair].friction = R(0.0);
    c = meet();
    tap_ok(c->spinning == R(0.0) && c->rolling == R(0.0), "no friction, no resistance");
}

// One field at a time, in a material and in a pair.
static void test_faults(void)
{
    const tac_real bad[] = {R(-1e-9), R(1.1e6), real_nan(), real_inf(), -real_inf()};
    static const uint16_t of[4] = {TAC_FIELD_SPINNING, TAC_FIELD_ROLLING, TAC_FIELD_MATERIAL_PAIR,
                                   TAC_FIELD_MATERIAL_PAIR};
    int named = 1;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int k = 0; k < 4; k++) {
            two_materials();
            tac_model_add_material_pair(&m, 0, 1, R(0.5), R(0.0));
            tac_model_add_material_pair(&m, 1, 1, R(0.5), R(0.0));
            tac_real *field[4] = {&m.material[1].spinning, &m.material[1].rolling, &m.material_pair[1].spinning,
                                  &m.material_pair[1].rolling};
            *field[k] = bad[i];
            const tac_status status = tac_model_check(&m, &fault);
            named = named && status == (i < 2 ? TAC_E_MODEL : TAC_E_NAN) && fault.index == 1 &&
                    fault.field == of[k] &&
                    fault.reason == (i < 2 ? TAC_REASON_RANGE : TAC_REASON_NOT_FINITE);
        }
    }
    tap_ok(named, "lengths that are negative, too large or not finite are refused by name");
    two_materials();
    m.material[0].spinning = m.material[0].rolling = R(1e6);
    tap_equal(tac_model_check(&m, &fault), TAC_OK, "the largest is accepted");
    const char *a = tac_field_name(TAC_FIELD_SPINNING), *b = tac_field_name(TAC_FIELD_ROLLING);
    tap_ok(a[9] == 's' && a[10] == 'p' && b[9] == 'r' && b[10] == 'o' && tac_field_name(TAC_FIELDS)[0] == '?',
           "their names");
}

static void test_hash(void)
{
    two_materials();
    tac_model_add_material_pair(&m, 0, 1, R(0.5), R(0.0));
    const uint32_t base = tac_model_hash(&m);
    tac_real *field[] = {&m.material[0].spinning, &m.material[0].rolling, &m.material[1].rolling,
                         &m.material_pair[0].spinning, &m.material_pair[0].rolling};
    int seen = 1;
    for (unsigned i = 0; i < sizeof field / sizeof field[0]; i++) {
        const tac_real kept = *field[i];
        *field[i] = R(0.125);
        seen = seen && tac_model_hash(&m) != base;
        *field[i] = kept;
    }
    tap_ok(seen, "each length counts in the model's hash");
}

// What a contact shows: torque against the rate, on the rim of its set together with the friction.
static void test_contact(void)
{
    two_materials();
    m.gravity = vec(0, 0, -9.81);
    m.body[1].inertia = vec(0.1, 0.1, 0.1);
    const tac_contact *c = meet();
    const d3 g = d3_of(c->impulse), t = d3_of(c->torque);
    const d3 part = {t.x / (double)c->spinning, t.y / (double)c->rolling, t.z / (double)c->rolling};
    const double friction = (g.y * g.y + g.z * g.z) / ((double)c->mu * (double)c->mu);
    tap_near(d_sqrt(friction + d3_dot(part, part)) / g.x, 1.0, 16.0 * EPS,
             "(u,w)/mu and torques over lengths: n at most");
    tap_ok(t.x < 0.0 && c->mode == TAC_SLIDE, "against the spin");
    tap_equal(tac_check(&m, &state, &work, &fault), TAC_OK, "it passes the check");
    work.contact[0].torque.x *= R(1.01);
    tap_equal(tac_check(&m, &state, &work, &fault), TAC_E_ARG, "a torque beyond its set does not");
    tap_equal(fault.field, TAC_FIELD_IMPULSE, "by name");
    work.contact[0].torque = v3(R(0.0), R(0.0), R(0.0));
    work.contact[0].spinning = R(0.0);
    tap_equal(tac_check(&m, &state, &work, &fault), TAC_OK, "none is needed");
    work.contact[0].torque.x = R(1e-6);
    tap_equal(tac_check(&m, &state, &work, &fault), TAC_E_ARG, "none may be where there is no resistance");
    tap_equal(tac_contacts(&m, &state, 1, TAC_AUTO, &work), TAC_OK, "contacts without a step");
    tap_ok(c->spinning > R(0.0) && v3_norm_inf(c->torque) == R(0.0), "have lengths and no torque");
}

// Each length counts in the hash, with its name and with the index of its material; lengths of zero do not.
static void test_hash_places(void)
{
    enum { MODELS = 7 };
    static const double lengths[MODELS][4] = {{0, 0, 0, 0},      {0.1, 0, 0, 0},   {0, 0.1, 0, 0},    {0, 0, 0.1, 0},
                                              {0.1, 0.2, 0, 0}, {0.2, 0.1, 0, 0}, {0, 0, 0.1, 0.2}};
    uint32_t hash[MODELS], same = 0;
    for (int i = 0; i < MODELS; i++) {
        two_materials();
        for (int k = 0; k < 2; k++) {
            m.material[k].spinning = (tac_real)lengths[i][2 * k];
            m.material[k].rolling = (tac_real)lengths[i][2 * k + 1];
        }
        hash[i] = tac_model_hash(&m);
        for (int k = 0; k < i; k++) { same += hash[k] == hash[i]; }
    }
    tap_equal(same, 0, "models whose lengths differ have other hashes");
}

int main(void)
{
    test_spectrum();
    test_projection();
    test_derivative();
    test_block(1);
    test_block(0);
    test_combination();
    test_faults();
    test_hash();
    test_hash_places();
    test_contact();
    return tap_done();
}
