// SPDX-License-Identifier: MIT
// Mass properties from shapes: the solids' formulas, compounds by the parallel axis theorem.
#include "tactus.c"
#include "tap.h"
#include "truth.h"

static tac_model m;

static const tac_body *weigh(double density)
{
    if (tac_model_mass_from_shapes(&m, 1, (tac_real)density) != TAC_OK) { tap_ok(0, "mass_from_shapes refuses"); }
    return &m.body[1];
}

static void fresh(void)
{
    tac_model_init(&m);
    tac_model_add_material(&m, 0, 0);
    const tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    tac_model_add_body(&m, &b);
}

static void add(uint8_t kind, tac_vec3 size, tac_vec3 at, dq turn)
{
    tac_shape s = tac_shape_make(1, kind, size);
    s.pose = (tac_pose){at, dq_to(turn)};
    tac_model_add_shape(&m, &s);
}

// Entry (i, k) of the inertia tensor in the body's frame, put together from moments and principal frame.
static double tensor(const tac_body *b, d3 along_i, d3 along_k)
{
    const dq frame = dq_of(b->inertial.q);
    const d3 i = dq_rotate(dq_conjugate(frame), along_i), k = dq_rotate(dq_conjugate(frame), along_k);
    const d3 moments = d3_of(b->inertia);
    return i.x * k.x * moments.x + i.y * k.y * moments.y + i.z * k.z * moments.z;
}

static const d3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};
static const dq UPRIGHT = {1, 0, 0, 0};

static void check_tensor(const tac_body *b, d3 diagonal, d3 products, const char *name)
{
    const double scale = diagonal.x + diagonal.y + diagonal.z;
    double worst = 0.0;
    d_worst(&worst, tensor(b, X, X) - diagonal.x);
    d_worst(&worst, tensor(b, Y, Y) - diagonal.y);
    d_worst(&worst, tensor(b, Z, Z) - diagonal.z);
    d_worst(&worst, tensor(b, X, Y) - products.x);
    d_worst(&worst, tensor(b, X, Z) - products.y);
    d_worst(&worst, tensor(b, Y, Z) - products.z);
    tap_most(worst / scale, TOL(1e-14, 1e-6), name);
}

static void test_single(void)
{
    fresh();
    add(TAC_SPHERE, vec(0.5, 0, 0), vec(0, 0, 0), UPRIGHT);
    const tac_body *b = weigh(3.0);
    const double sphere = 3.0 * 4.0 / 3.0 * TRUTH_PI * 0.125;
    tap_near(b->mass, sphere, TOL(1e-14, 1e-6), "mass of a sphere");
    check_tensor(b, d3_make(0.1 * sphere, 0.1 * sphere, 0.1 * sphere), d3_make(0, 0, 0), "inertia of a sphere");

    fresh();
    add(TAC_BOX, vec(0.5, 1, 2), vec(0, 0, 0), UPRIGHT);
    b = weigh(0.25);
    tap_near(b->mass, 2.0, TOL(1e-14, 1e-6), "mass of a box: 1 x 2 x 4 m of 1/4 kg/m3");
    check_tensor(b, d3_make(2.0 * 20 / 12, 2.0 * 17 / 12, 2.0 * 5 / 12), d3_make(0, 0, 0),
                 "inertia of a box: m (b2 + c2)/12");

    // Capsule of radius 1, cylinder of height 2: cylinder 2 pi, ends 4 pi/3 together (density 1).
    fresh();
    add(TAC_CAPSULE, vec(1, 0, 1), vec(0, 0, 0), UPRIGHT);
    b = weigh(1.0);
    tap_near(b->mass, 10.0 / 3.0 * TRUTH_PI, TOL(1e-13, 5e-6), "mass of a capsule");
    const double axial = TRUTH_PI * (1.0 + 8.0 / 15.0);
    // ends: each half sphere 2/5 m - (3/8)^2 m about its centroid, which lies 1 + 3/8 out
    const double end = 2.0 / 3.0 * TRUTH_PI * (0.4 - 9.0 / 64.0 + 1.375 * 1.375);
    const double across = 2.0 * TRUTH_PI * (0.25 + 4.0 / 12.0) + 2.0 * end;
    check_tensor(b, d3_make(across, across, axial), d3_make(0, 0, 0), "inertia of a capsule");
}

static void test_compound(void)
{
    // A dumb-bell on the y axis, off centre.
    fresh();
    add(TAC_SPHERE, vec(0.5, 0, 0), vec(1, 3, 0), UPRIGHT);
    add(TAC_SPHERE, vec(0.5, 0, 0), vec(1, -1, 0), UPRIGHT);
    const tac_body *b = weigh(6.0 / TRUTH_PI);
    tap_near(b->mass, 2.0, TOL(1e-14, 1e-6), "mass of a dumb-bell");
    tap_most(d3_norm(d3_sub(d3_of(b->inertial.p), d3_make(1, 1, 0))), TOL(1e-14, 1e-6), "its centre");
    check_tensor(b, d3_make(8.2, 0.2, 8.2), d3_make(0, 0, 0), "its inertia");

    // A box turned by a known rotation: the tensor turns with it.
    const dq turn = dq_about(d3_make(0.3, -1, 0.5), 0.9);
    fresh();
    add(TAC_BOX, vec(0.5, 1, 2), vec(4, 5, 6), turn);
    b = weigh(0.25);
    const d3 own = d3_make(2.0 * 20 / 12, 2.0 * 17 / 12, 2.0 * 5 / 12);
    const d3 x = dq_rotate(dq_conjugate(turn), X), y = dq_rotate(dq_conjugate(turn), Y),
             z = dq_rotate(dq_conjugate(turn), Z);
    const d3 diagonal = d3_make(own.x * x.x * x.x + own.y * x.y * x.y + own.z * x.z * x.z,
                                own.x * y.x * y.x + own.y * y.y * y.y + own.z * y.z * y.z,
                                own.x * z.x * z.x + own.y * z.y * z.y + own.z * z.z * z.z);
    const d3 products = d3_make(own.x * x.x * y.x + own.y * x.y * y.y + own.z * x.z * y.z,
                                own.x * x.x * z.x + own.y * x.y * z.y + own.z * x.z * z.z,
                                own.x * y.x * z.x + own.y * y.y * z.y + own.z * y.z * z.z);
    tap_most(d3_norm(d3_sub(d3_of(b->inertial.p), d3_make(4, 5, 6))), TOL(1e-14, 2e-6), "centre of a turned box");
    check_tensor(b, diagonal, products, "inertia of a turned box");

    // An L of two unit cubes and one more: mass 1 each at (0,0,0), (1,0,0), (0,1,0).
    fresh();
    const tac_vec3 half = vec(0.5, 0.5, 0.5);
    add(TAC_BOX, half, vec(0, 0, 0), UPRIGHT);
    add(TAC_BOX, half, vec(1, 0, 0), UPRIGHT);
    add(TAC_BOX, half, vec(0, 1, 0), UPRIGHT);
    b = weigh(1.0);
    const double third = 1.0 / 3.0;
    tap_most(d3_norm(d3_sub(d3_of(b->inertial.p), d3_make(third, third, 0))), TOL(1e-14, 1e-6), "centre of an L");
    check_tensor(b, d3_make(0.5 + 2 * third, 0.5 + 2 * third, 0.5 + 4 * third), d3_make(third, 0, 0),
                 "inertia of an L");
    tap_near(d3_norm(d3_make((double)b->inertial.q.w, (double)b->inertial.q.x,
                             d3_norm(d3_make((double)b->inertial.q.y, (double)b->inertial.q.z, 0)))),
             1.0, TOL(1e-14, 1e-6), "its principal frame is a rotation");
    tap_equal(tac_model_check(&m, NULL), TAC_OK, "and passes the check");
}

static void test_refused(void)
{
    fresh();
    static tac_model kept;
    tap_equal(tac_model_mass_from_shapes(&m, 1, 1), TAC_E_ARG, "a body without shapes");
    add(TAC_SPHERE, vec(1, 0, 0), vec(0, 0, 0), UPRIGHT);
    kept = m;
    tap_equal(tac_model_mass_from_shapes(&m, 0, 1), TAC_E_ARG, "the ground");
    tap_equal(tac_model_mass_from_shapes(&m, 2, 1), TAC_E_ARG, "no such body");
    tap_equal(tac_model_mass_from_shapes(&m, 1, 0), TAC_E_ARG, "density 0");
    tap_equal(tac_model_mass_from_shapes(&m, 1, -1), TAC_E_ARG, "density < 0");
    tap_equal(tac_model_mass_from_shapes(&m, 1, real_nan()), TAC_E_ARG, "density NaN");
    tap_equal(tac_model_mass_from_shapes(&m, 1, real_inf()), TAC_E_ARG, "density infinite");
    tap_equal(tac_model_mass_from_shapes(NULL, 1, 1), TAC_E_ARG, "no model");
    tap_equal(tac_model_hash(&m), tac_model_hash(&kept), "nothing has changed");
    m.body[1].kind = TAC_KINEMATIC;
    add(TAC_HALF_SPACE, vec(1, 0, 0), vec(0, 0, 0), UPRIGHT);
    tap_equal(tac_model_mass_from_shapes(&m, 1, 1), TAC_E_ARG, "a half-space has no mass");
}

int main(void)
{
    test_single();
    test_compound();
    test_refused();
    return tap_done();
}
