// SPDX-License-Identifier: MIT
// The truth by which convex shapes are judged, judged itself: the kernel has no part in this.
//
// Support points against points sampled on the surfaces. Distances against closed forms: of a point to each kind, of
// parallel cylinders, of an ellipsoid to the face of a large box. Overlaps of polytopes against all normals that can
// carry them, overlaps of curved kinds against sampled directions, overlaps with a ball against the closed forms.
#include "proof.h"
#include "random_solid.h"

enum { CASES_EACH = RUN(300, 2), SAMPLES = RUN(2000, 100), MAX_CORNERS = 8 };

#define NEAR 2e-11

// ------------------------------------------------------------------------------------------------------------ supports

// A point on the surface of the core, uniform in the parameters of the kind.
static d3 sample(rng *r, const solid *s)
{
    const double angle = rng_range(r, 0.0, 2.0 * TRUTH_PI), u = rng_range(r, -1.0, 1.0), v = rng_range(r, 0.0, 1.0);
    const double c = d_cos(angle), sn = d_sin(angle), w = d_sqrt(1.0 - u * u);
    const d3 z = s->size;
    switch (s->kind) {
    case TAC_CAPSULE:
        return d3_make(0.0, 0.0, u * z.z);
    case TAC_BOX:
        return d3_make(u * z.x, (2.0 * v - 1.0) * z.y, c > 0.0 ? z.z : -z.z);
    case TAC_CYLINDER:
        return d3_make(z.x * c, z.x * sn, u * z.z);
    case TAC_CONE:
        return d3_make(v * z.x * c, v * z.x * sn, z.z - 2.0 * v * z.z);
    case TAC_ELLIPSOID:
        return d3_make(z.x * w * c, z.y * w * sn, z.z * u);
    case TAC_HULL:
        return solid_point(s, (int)rng_below(r, (uint32_t)s->points));
    default:
        return d3_make(0, 0, 0);
    }
}

// No sampled point lies beyond the support; the support lies on the surface; samples come near it.
static void test_support(int kind)
{
    rng r = {UINT64_C(4001) + (uint64_t)kind};
    double beyond = 0.0, off = 0.0, short_of = 0.0;
    for (int i = 0; i < CASES_EACH / 10 + 1; i++) {
        solid s = random_solid(&r, KIND[kind], 0);
        s.rounding = 0.0;
        const proof_shape c = proof_of(&s, d3_make(0, 0, 0));
        const d3 n = proof_unit(rng_box(&r, 1.0)), far = proof_core_support(&c, n);
        double most = -1e300;
        for (int k = 0; k < SAMPLES; k++) { most = d_max(most, d3_dot(sample(&r, &s), n)); }
        d_worst(&beyond, d_max(0.0, most - d3_dot(far, n)));
        if (KIND[kind] != TAC_BOX) { d_worst(&short_of, d3_dot(far, n) - most); }
        if (KIND[kind] != TAC_SPHERE && KIND[kind] != TAC_CAPSULE) {
            d_worst(&off, proof_surface(&c, d3_add(c.p, proof_world(&c, far))));
        }
    }
    tap_most(beyond, 1e-15, tap_joined("nothing lies beyond the support:", KIND_NAME[kind]));
    tap_most(off, 1e-14, tap_joined("the support is on the surface:", KIND_NAME[kind]));
    tap_most(short_of, RUN(0.1, 0.7), tap_joined("something lies near the support:", KIND_NAME[kind]));
}

// ----------------------------------------------------------------------------------------------------------- distances

// A ball against each kind: the bounds of the distance hold the closed form, and outside they agree. Inside, the depth
// of the ball's centre is found by the search over all directions.
static void test_ball(int kind)
{
    rng r = {UINT64_C(4101) + (uint64_t)kind};
    double outside = 0.0, inside = 0.0;
    int proved = 0, work = 0;
    for (int i = 0; i < CASES_EACH; i++) {
        const solid s = random_solid(&r, KIND[kind], 0);
        const solid ball = solid_make(TAC_SPHERE, d3_make(0.1, 0, 0), rng_box(&r, i % 2 ? 1.5 : 0.5), (dq){1, 0, 0, 0});
        const proof_shape a = proof_of(&s, d3_make(0, 0, 0)), b = proof_of(&ball, d3_make(0, 0, 0));
        const proof_truth t = proof_gap(&a, &b);
        const double gap = proof_surface(&a, ball.p) - 0.1;
        proved += t.proved;
        work = t.work > work ? t.work : work;
        if (!t.proved) { continue; }
        d_worst(t.apart ? &outside : &inside, t.gap - gap);
    }
    tap_equal(proved, CASES_EACH, tap_joined("every distance of a ball is proved:", KIND_NAME[kind]));
    tap_most(outside, NEAR, tap_joined("distance of a ball:", KIND_NAME[kind]));
    tap_most(inside, NEAR, tap_joined("depth of a ball:", KIND_NAME[kind]));
    tap_note(tap_joined("most supports spent:", KIND_NAME[kind]), work);
}

static void test_closed_forms(void)
{
    rng r = {UINT64_C(4201)};
    double cylinders = 0.0, plane = 0.0, depth = 0.0;
    const solid big = solid_make(TAC_BOX, d3_make(50, 50, 1), d3_make(0, 0, -1), (dq){1, 0, 0, 0});
    const proof_shape floor_box = proof_of(&big, d3_make(0, 0, 0));
    for (int i = 0; i < CASES_EACH; i++) {
        // two cylinders side by side, both turned alike; the second one along the axis by less than their lengths
        solid a = random_solid(&r, TAC_CYLINDER, 0), b = random_solid(&r, TAC_CYLINDER, 1);
        const double angle = rng_range(&r, 0.0, 6.0), distance = a.size.x + b.size.x + rng_range(&r, 0.001, 1.0);
        const double along = rng_range(&r, -1.0, 1.0) * (a.size.z + b.size.z);
        b.q = a.q;
        b.p = dq_rotate(a.q, d3_make(distance * d_cos(angle), distance * d_sin(angle), along));
        const proof_shape ca = proof_of(&a, d3_make(0, 0, 0)), cb = proof_of(&b, d3_make(0, 0, 0));
        const double truth = distance - a.size.x - b.size.x - a.rounding - b.rounding;
        d_worst(&cylinders, proof_gap(&ca, &cb).gap - truth);

        // an ellipsoid over a floor: the width along the normal is sqrt(sum (a_i n_i)^2)
        solid e = random_solid(&r, TAC_ELLIPSOID, 0);
        const d3 up = dq_rotate(dq_conjugate(e.q), d3_make(0, 0, 1));
        const double width = d_sqrt(e.size.x * e.size.x * up.x * up.x + e.size.y * e.size.y * up.y * up.y +
                                    e.size.z * e.size.z * up.z * up.z);
        e.p = rng_box(&r, 1.0);
        e.p.z = width + rng_range(&r, 0.001, 1.0);
        const proof_shape over = proof_of(&e, d3_make(0, 0, 0));
        d_worst(&plane, proof_gap(&floor_box, &over).gap - (e.p.z - width - e.rounding));
        e.p.z = width * rng_range(&r, 0.0, 0.999);
        const proof_shape in = proof_of(&e, d3_make(0, 0, 0));
        d_worst(&depth, proof_gap(&floor_box, &in).gap - (e.p.z - width - e.rounding));
    }
    tap_most(cylinders, NEAR, "distance of parallel cylinders");
    tap_most(plane, 10 * NEAR, "distance of an ellipsoid to a floor");
    tap_most(depth, 10 * NEAR, "depth of an ellipsoid in a floor");
}

// ------------------------------------------------------------------------------------------------------------ overlaps

static int corners_of(const solid *s, d3 corner[MAX_CORNERS])
{
    if (s->kind == TAC_HULL) {
        for (int i = 0; i < s->points; i++) { corner[i] = dq_rotate(s->q, solid_point(s, i)); }
        return s->points;
    }
    for (int i = 0; i < 8; i++) {
        const d3 x = {i & 1 ? s->size.x : -s->size.x, i & 2 ? s->size.y : -s->size.y, i & 4 ? s->size.z : -s->size.z};
        corner[i] = dq_rotate(s->q, x);
    }
    return 8;
}

static void consider(const proof_pair *p, d3 n, double *least)
{
    if (proof_norm(n) < 1e-9) { return; }
    const d3 unit = proof_unit(n);
    *least = d_min(*least, d_min(proof_look(p, unit).h, proof_look(p, d3_scale(-1.0, unit)).h));
}

// The least overlap of two polytopes is along the normal of a face of one of them, or across an edge of each. All
// planes through three corners and all lines through two hold these and more; more does no harm.
static double enumerated(const proof_pair *p)
{
    d3 a[MAX_CORNERS], b[MAX_CORNERS];
    const int as = corners_of(p->a->of, a), bs = corners_of(p->b->of, b);
    double least = 1e300;
    for (int i = 0; i < as; i++) {
        for (int j = 0; j < i; j++) {
            const d3 e = d3_sub(a[i], a[j]);
            for (int k = 0; k < j; k++) { consider(p, d3_cross(e, d3_sub(a[k], a[j])), &least); }
            for (int k = 0; k < bs; k++) {
                for (int l = 0; l < k; l++) { consider(p, d3_cross(e, d3_sub(b[k], b[l])), &least); }
            }
        }
    }
    for (int i = 0; i < bs; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) { consider(p, d3_cross(d3_sub(b[i], b[j]), d3_sub(b[k], b[j])), &least); }
        }
    }
    return least;
}

// Least overlap over directions at random, then over ever smaller changes of the best one.
static double sampled(const proof_pair *p, rng *r)
{
    proof_corner best = proof_look(p, d3_make(0, 0, 1));
    double size = 1.0;
    for (int i = 0; i < SAMPLES; i++) {
        const int wide = i < SAMPLES / 2;
        const d3 n = proof_unit(wide ? rng_box(r, 1.0) : d3_add(best.n, rng_box(r, size)));
        const proof_corner c = proof_look(p, n);
        if (c.h < best.h) {
            best = c;
        } else if (!wide) {
            size = d_max(0.97 * size, 1e-7);
        }
    }
    return best.h;
}

static void test_overlap(int i, int k)
{
    rng r = {UINT64_C(4301) + (uint64_t)(i * KINDS + k)};
    const int polytopes = (KIND[i] == TAC_BOX || KIND[i] == TAC_HULL) && (KIND[k] == TAC_BOX || KIND[k] == TAC_HULL);
    double exact = 0.0, above = 0.0, below = 0.0, work = 0.0;
    int proved = 0, overlaps = 0, most = 0, count = CASES_EACH / 10 + 1;
    for (int c = 0; c < count; c++) {
        solid a = random_solid(&r, KIND[i], 0), b = random_solid(&r, KIND[k], 1);
        a.rounding = b.rounding = 0.0;
        b.p = rng_box(&r, 0.3);
        const proof_shape ca = proof_of(&a, a.p), cb = proof_of(&b, a.p);
        const proof_truth t = proof_gap(&ca, &cb);
        const proof_pair pair = {&ca, &cb, {0, 0, 0}};
        proved += t.proved;
        if (t.apart || !t.proved) { continue; }
        overlaps++;
        work += t.work;
        most = t.work > most ? t.work : most;
        const double depth = -t.gap - ca.radius - cb.radius;
        if (polytopes) { d_worst(&exact, depth - enumerated(&pair)); }
        const double other = sampled(&pair, &r);
        d_worst(&above, d_max(0.0, depth - other));
        d_worst(&below, d_max(0.0, other - depth));
    }
    const char *const name = pair_name(i, k, "");
    tap_least(proved, 0.98 * count, tap_joined("overlaps are proved:", name));
    tap_most(above, 1e-10, tap_joined("no sampled direction is better:", name));
    if (TAP_FULL) { tap_most(below, 0.1, tap_joined("sampled directions come near:", name)); }
    if (polytopes) { tap_most(exact, 1e-12, tap_joined("least overlap of all faces and edges:", name)); }
    tap_note(tap_numbered(tap_joined("supports, mean and most:", name), work / d_max(overlaps, 1)), most);
}

int main(void)
{
    for (int i = 0; i < KINDS; i++) {
        test_support(i);
        test_ball(i);
    }
    test_closed_forms();
    for (int i = 0; i < KINDS; i++) {
        for (int k = i; k < KINDS; k++) { test_overlap(i, k); }
    }
    return tap_done();
}
