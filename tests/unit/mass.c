// SPDX-License-Identifier: MIT
// Mass properties from shapes: the solids' formulas, compounds by the parallel axis theorem.
#include "base/hash.h"
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

// Shapes of one kind, upright at the origin: mass, centre, moments about it for density 1.
static void check_solid(uint8_t kind, tac_vec3 size, double mass, double centre_z, d3 moments, const char *name)
{
    fresh();
    add(kind, size, vec(0, 0, 0), UPRIGHT);
    const tac_body *b = weigh(1.0);
    tap_near((double)b->mass / mass, 1.0, TOL(1e-14, 1e-6), tap_joined("mass of", name));
    tap_most(d3_norm(d3_sub(d3_of(b->inertial.p), d3_make(0, 0, centre_z))), TOL(1e-14, 1e-6),
             tap_joined("centre of", name));
    check_tensor(b, moments, d3_make(0, 0, 0), tap_joined("inertia of", name));
}

static void test_round(void)
{
    // radius 0.5, height 4
    double mass = TRUTH_PI * 0.25 * 4.0;
    double across = mass * (3.0 * 0.25 + 16.0) / 12.0;
    check_solid(TAC_CYLINDER, vec(0.5, 0, 2), mass, 0.0, d3_make(across, across, 0.5 * mass * 0.25), "a cylinder");
    mass /= 3.0;
    across = mass * (3.0 / 20.0 * 0.25 + 3.0 / 80.0 * 16.0);
    check_solid(TAC_CONE, vec(0.5, 0, 2), mass, -1.0, d3_make(across, across, 0.3 * mass * 0.25), "a cone");
    mass = 4.0 / 3.0 * TRUTH_PI * 0.5 * 1.0 * 2.0;
    check_solid(TAC_ELLIPSOID, vec(0.5, 1, 2), mass, 0.0,
                d3_make(0.2 * mass * 5.0, 0.2 * mass * 4.25, 0.2 * mass * 1.25), "an ellipsoid");

    // two cones base to base, the second upside down: symmetric, and each off the common centre
    fresh();
    add(TAC_CONE, vec(0.5, 0, 2), vec(1, 2, 2), UPRIGHT);
    add(TAC_CONE, vec(0.5, 0, 2), vec(1, 2, -2), dq_about(X, TRUTH_PI));
    const tac_body *b = weigh(1.0);
    mass = TRUTH_PI / 3.0;
    across = 2.0 * mass * (3.0 / 20.0 * 0.25 + 3.0 / 80.0 * 16.0 + 1.0);
    tap_most(d3_norm(d3_sub(d3_of(b->inertial.p), d3_make(1, 2, 0))), TOL(1e-14, 1e-6), "centre of a double cone");
    check_tensor(b, d3_make(across, across, 0.6 * mass * 0.25), d3_make(0, 0, 0), "inertia of a double cone");

    // a ball that is swept over a sphere or a capsule is a larger one
    static tac_model other;
    for (uint8_t kind = TAC_SPHERE; kind <= TAC_CAPSULE; kind++) {
        fresh();
        add(kind, vec(0.75, 0, 1), vec(1, 2, 3), UPRIGHT);
        weigh(2.0);
        other = m;
        fresh();
        add(kind, vec(0.5, 0, 1), vec(1, 2, 3), UPRIGHT);
        m.shape[0].rounding = (tac_real)0.25;
        weigh(2.0);
        tap_ok(truth_equal(&m.body[1].mass, &other.body[1].mass, offsetof(tac_body, kind)), "a rounding counts");
    }
    fresh();
    add(TAC_BOX, vec(0.5, 1, 2), vec(0, 0, 0), UPRIGHT);
    m.shape[0].rounding = (tac_real)0.25;
    tap_near(weigh(0.25)->mass, 2.0, TOL(1e-14, 1e-6), "but not that of a box");
}

// --------------------------------------------------------------------------------------------------------------- hulls

enum { POINTS = 10 };

// A shape of the hull of these points, at `at`, turned.
static void add_hull(const tac_vec3 *points, uint32_t count, tac_vec3 at, dq turn)
{
    const int32_t data = tac_model_add_hull(&m, points, count);
    if (data < 0) { tap_ok(0, "add_hull refuses"); }
    add(TAC_HULL, vec(0, 0, 0), at, turn);
    m.shape[m.shapes - 1].data = (uint16_t)data;
}

static void put_box(tac_vec3 point[8], d3 half, d3 centre)
{
    for (int i = 0; i < 8; i++) {
        const d3 corner = d3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        point[i] = d3_to(d3_add(centre, corner));
    }
}

static void test_box_hull(void)
{
    const dq turn = dq_about(d3_make(0.3, -1, 0.5), 0.9);
    tac_vec3 point[8];
    put_box(point, d3_make(0.5, 1, 2), d3_make(0, 0, 0));
    fresh();
    add_hull(point, 8, vec(0, 0, 0), UPRIGHT);
    const tac_body *b = weigh(0.25);
    tap_near(b->mass, 2.0, TOL(1e-14, 1e-6), "mass of the hull of a box");
    check_tensor(b, d3_make(2.0 * 20 / 12, 2.0 * 17 / 12, 2.0 * 5 / 12), d3_make(0, 0, 0), "inertia of it");

    // the same solid as a box and as a hull whose points are off the shape's origin
    static tac_model box;
    fresh();
    add(TAC_BOX, vec(0.5, 1, 2), d3_to(dq_rotate(turn, d3_make(3, -2, 1))), turn);
    weigh(1.0);
    box = m;
    put_box(point, d3_make(0.5, 1, 2), d3_make(3, -2, 1));
    fresh();
    add_hull(point, 8, vec(0, 0, 0), turn);
    b = weigh(1.0);
    tap_most(d3_norm(d3_sub(d3_of(b->inertial.p), d3_of(box.body[1].inertial.p))), TOL(1e-14, 2e-6),
             "centre of a box as a hull");
    const tac_body *c = &box.body[1];
    check_tensor(b, d3_make(tensor(c, X, X), tensor(c, Y, Y), tensor(c, Z, Z)),
                 d3_make(tensor(c, X, Y), tensor(c, X, Z), tensor(c, Y, Z)), "its inertia");
}

// Volume, first and second moments of the hull of points in general position about the origin: each triangle that has
// all other points on one side makes a tetrahedron with the mean of the points. Moments of a tetrahedron by four points
// of equal weight, which are exact for polynomials of second order.
static double brute_moments(const tac_vec3 *point, int count, d3 *first, double second[3][3])
{
    double volume = 0.0;
    d3 middle = {0, 0, 0};
    *first = middle;
    for (int i = 0; i < 9; i++) { second[i / 3][i % 3] = 0.0; }
    for (int i = 0; i < count; i++) { middle = d3_add(middle, d3_scale(1.0 / count, d3_of(point[i]))); }
    for (int t = 0; t < count * count * count; t++) {
        const int i = t % count, j = t / count % count, k = t / count / count;
        if (i >= j || j >= k) { continue; }
        const d3 corner[4] = {d3_of(point[i]), d3_of(point[j]), d3_of(point[k]), middle};
        const d3 n = d3_cross(d3_sub(corner[1], corner[0]), d3_sub(corner[2], corner[0]));
        int above = 0, below = 0;
        for (int l = 0; l < count; l++) {
            if (l == i || l == j || l == k) { continue; }
            const double side = d3_dot(n, d3_sub(d3_of(point[l]), corner[0]));
            above += side > 0.0;
            below += side <= 0.0;
        }
        if (above > 0 && below > 0) { continue; }
        const double v = d_abs(d3_dot(n, d3_sub(middle, corner[0]))) / 6.0, near = 0.13819660112501051518;
        volume += v;
        for (int q = 0; q < 4; q++) {
            d3 x = d3_scale(1.0 - 4.0 * near, corner[q]);
            for (int c = 0; c < 4; c++) { x = d3_add(x, d3_scale(near, corner[c])); }
            const double k3[3] = {x.x, x.y, x.z};
            *first = d3_add(*first, d3_scale(0.25 * v, x));
            for (int c = 0; c < 9; c++) { second[c / 3][c % 3] += 0.25 * v * k3[c / 3] * k3[c % 3]; }
        }
    }
    return volume;
}

static void test_random_hulls(void)
{
    rng r = {99};
    double worst_mass = 0.0, worst_centre = 0.0, worst_tensor = 0.0;
    for (int round = 0; round < RUN(200, 10); round++) {
        tac_vec3 point[POINTS];
        const int count = 4 + (int)rng_below(&r, POINTS - 3);
        const d3 shift = rng_box(&r, 1.0);
        for (int i = 0; i < count; i++) { point[i] = d3_to(d3_add(shift, rng_box(&r, 1.0))); }
        d3 first;
        double s[3][3];
        const double volume = brute_moments(point, count, &first, s);
        if (volume < 0.1) { continue; } // thin ones lose digits in any formula
        const d3 c = d3_scale(1.0 / volume, first);
        fresh();
        add_hull(point, (uint32_t)count, vec(0, 0, 0), UPRIGHT);
        const tac_body *b = weigh(1.0);
        d_worst(&worst_mass, (double)b->mass / volume - 1.0);
        d_worst(&worst_centre, d3_norm(d3_sub(d3_of(b->inertial.p), c)));
        const double xx = s[0][0] - volume * c.x * c.x, yy = s[1][1] - volume * c.y * c.y,
                     zz = s[2][2] - volume * c.z * c.z;
        const double scale = 2.0 * (xx + yy + zz);
        d_worst(&worst_tensor, (tensor(b, X, X) - yy - zz) / scale);
        d_worst(&worst_tensor, (tensor(b, Y, Y) - xx - zz) / scale);
        d_worst(&worst_tensor, (tensor(b, Z, Z) - xx - yy) / scale);
        d_worst(&worst_tensor, (tensor(b, X, Y) + s[0][1] - volume * c.x * c.y) / scale);
        d_worst(&worst_tensor, (tensor(b, X, Z) + s[0][2] - volume * c.x * c.z) / scale);
        d_worst(&worst_tensor, (tensor(b, Y, Z) + s[1][2] - volume * c.y * c.z) / scale);
    }
    tap_most(worst_mass, TOL(1e-13, 1e-5), "mass of random hulls");
    tap_most(worst_centre, TOL(1e-13, 1e-5), "their centres");
    tap_most(worst_tensor, TOL(1e-13, 1e-5), "their inertia");
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
    tac_vec3 point[8];
    put_box(point, d3_make(1, 1, 1), d3_make(0, 0, 0));
    const uint8_t endless[3] = {TAC_MESH, TAC_FIELD, TAC_SHAPE_KINDS};
    for (int i = 0; i < 3; i++) {
        fresh();
        tac_model_add_hull(&m, point, 8);
        add(endless[i], vec(1, 1, 1), vec(0, 0, 0), UPRIGHT);
        tap_equal(tac_model_mass_from_shapes(&m, 1, 1), TAC_E_ARG, "nor has a mesh, a field or what is no kind");
    }
    fresh();
    add(TAC_HULL, vec(0, 0, 0), vec(0, 0, 0), UPRIGHT);
    tap_equal(tac_model_mass_from_shapes(&m, 1, 1), TAC_E_ARG, "a hull without data");
    fresh();
    add_hull(point, 8, vec(0, 0, 0), UPRIGHT);
    m.edge[5].point = 8;
    tap_equal(tac_model_mass_from_shapes(&m, 1, 1), TAC_E_ARG, "a hull whose edge begins nowhere");
    m.edge[5].point = 0;
    m.face[2].edges = 200;
    tap_equal(tac_model_mass_from_shapes(&m, 1, 1), TAC_E_ARG, "a hull whose face has edges of others");
    m.face[2].edges = 4;
    m.polyhedron[0].first_point = 1;
    tap_equal(tac_model_mass_from_shapes(&m, 1, 1), TAC_E_ARG, "a hull beyond the points in use");
}

int main(void)
{
    test_single();
    test_compound();
    test_round();
    test_box_hull();
    test_random_hulls();
    test_refused();
    return tap_done();
}
