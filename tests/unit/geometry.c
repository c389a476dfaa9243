// SPDX-License-Identifier: MIT
// Contacts of each pair of shapes where the truth can be written down, degenerate cases, feature ids.
#include "pair.h"

#define NEAR TOL(1e-13, 2e-6)

static const dq UPRIGHT = {1, 0, 0, 0};

static solid make(uint8_t kind, d3 size, d3 p, dq q)
{
    return solid_make(kind, size, p, q);
}

static solid sphere(double r, double x, double y, double z)
{
    return make(TAC_SPHERE, d3_make(r, 0, 0), d3_make(x, y, z), UPRIGHT);
}

static solid ground(void)
{
    return make(TAC_HALF_SPACE, d3_make(0, 0, 0), d3_make(0, 0, 0), UPRIGHT);
}

// One contact: gap, normal, point.
static void expect_one(const solid *a, const solid *b, double gap, d3 n, d3 where, const char *name)
{
    tap_equal(pair_meet(a, b, d_max(gap, 0.0) + 0.1), 1, tap_joined("one contact:", name));
    const tac_contact *c = &pair_work.contact[0];
    tap_near(c->gap, gap, NEAR, tap_joined("gap:", name));
    tap_most(d3_norm(d3_sub(d3_of(c->n), n)), NEAR, tap_joined("normal:", name));
    tap_most(d3_norm(d3_sub(d3_of(c->point), where)), NEAR, tap_joined("point:", name));
    tap_ok(c->body_a == 1 && c->body_b == 2 && c->id.shape_a == 0 && c->id.shape_b == 1, tap_joined("ids:", name));
}

static int has_point(d3 where, double gap)
{
    for (int i = 0; i < pair_work.report.contacts; i++) {
        const tac_contact *c = &pair_work.contact[i];
        if (d3_norm(d3_sub(d3_of(c->point), where)) <= NEAR && d_abs((double)c->gap - gap) <= NEAR) { return 1; }
    }
    return 0;
}

static void expect_four(const solid *a, const solid *b, double gap, const d3 where[4], const char *name)
{
    tap_equal(pair_meet(a, b, 0.1), 4, tap_joined("four contacts:", name));
    int found = 0;
    for (int i = 0; i < 4; i++) { found += has_point(where[i], gap); }
    tap_equal(found, 4, tap_joined("at the corners:", name));
}

static void test_spheres(void)
{
    const solid plane = ground(), up = sphere(0.5, 3, 4, 0.75), in = sphere(0.5, 3, 4, 0.25);
    expect_one(&plane, &up, 0.25, d3_make(0, 0, 1), d3_make(3, 4, 0.125), "sphere above a half-space");
    expect_one(&plane, &in, -0.25, d3_make(0, 0, 1), d3_make(3, 4, -0.125), "sphere in a half-space");
    expect_one(&up, &plane, 0.25, d3_make(0, 0, -1), d3_make(3, 4, 0.125), "half-space below a sphere");

    // centres 5 apart along (0.6, 0.8, 0)
    const solid a = sphere(1, 0, 0, 0), b = sphere(2, 3, 4, 0), c = sphere(4.5, 3, 4, 0);
    expect_one(&a, &b, 2.0, d3_make(0.6, 0.8, 0), d3_make(1.2, 1.6, 0), "two spheres apart");
    expect_one(&a, &c, -0.5, d3_make(0.6, 0.8, 0), d3_make(0.45, 0.6, 0), "two spheres overlapping");

    const solid box_at_0 = make(TAC_BOX, d3_make(1, 2, 3), d3_make(0, 0, 0), UPRIGHT);
    const solid over = sphere(0.5, 0.25, 0.5, 4), edge = sphere(0.5, 1.6, 2.8, 1), corner = sphere(0.5, 2, 4, 5);
    expect_one(&box_at_0, &over, 0.5, d3_make(0, 0, 1), d3_make(0.25, 0.5, 3.25), "sphere over a face");
    expect_one(&box_at_0, &edge, 0.5, d3_make(0.6, 0.8, 0), d3_make(1.15, 2.2, 1), "sphere at an edge");
    expect_one(&box_at_0, &corner, 2.5, d3_make(1.0 / 3, 2.0 / 3, 2.0 / 3),
               d3_make(1 + 1.25 / 3, 2 + 2.5 / 3, 3 + 2.5 / 3), "sphere at a corner");
    for (int k = 0; k < 6; k++) {
        const double side = k % 2 ? -1 : 1;
        const d3 n = d3_make(k < 2 ? side : 0, k / 2 == 1 ? side : 0, k > 3 ? side : 0);
        const d3 face = d3_scale(1.0 + k / 2, n), at = d3_sub(face, d3_scale(0.25, n));
        const solid inside = sphere(0.5, at.x, at.y, at.z);
        expect_one(&box_at_0, &inside, -0.75, n, d3_sub(face, d3_scale(0.375, n)), "centre of a sphere inside a box");
    }
}

static void test_capsules(void)
{
    const dq to_x = dq_about(d3_make(0, 1, 0), 0.5 * TRUTH_PI);
    const d3 size = d3_make(0.5, 0, 1);
    const solid plane = ground(), standing = make(TAC_CAPSULE, size, d3_make(1, 2, 1.75), UPRIGHT);
    const solid lying = make(TAC_CAPSULE, size, d3_make(1, 2, 0.75), to_x);

    tap_equal(pair_meet(&plane, &standing, 0.5), 1, "a standing capsule touches with one end");
    tap_ok(has_point(d3_make(1, 2, 0.125), 0.25), "below that end");
    tap_equal(pair_meet(&plane, &lying, 0.5), 2, "a lying capsule touches with two ends");
    tap_ok(has_point(d3_make(0, 2, 0.125), 0.25) && has_point(d3_make(2, 2, 0.125), 0.25), "below both");

    const solid at_0 = make(TAC_CAPSULE, size, d3_make(0, 0, 0), UPRIGHT);
    const solid beside = sphere(0.5, 3, 4, 0.5), above = sphere(0.5, 0, 3, 5);
    expect_one(&at_0, &beside, 4.0, d3_make(0.6, 0.8, 0), d3_make(1.5, 2, 0.5), "sphere beside a capsule");
    expect_one(&at_0, &above, 4.0, d3_make(0, 0.6, 0.8), d3_make(0, 1.5, 3), "sphere beyond the end of a capsule");

    // axes cross at right angles, 2 apart
    const solid across = make(TAC_CAPSULE, size, d3_make(0.25, 2, 0.5), to_x);
    expect_one(&at_0, &across, 1.0, d3_make(0, 1, 0), d3_make(0, 1, 0.5), "crossed capsules");

    const solid parallel = make(TAC_CAPSULE, size, d3_make(0, 1.25, 0.5), UPRIGHT);
    tap_equal(pair_meet(&at_0, &parallel, 0.5), 2, "parallel capsules touch with two points");
    tap_ok(has_point(d3_make(0, 0.625, 1), 0.25) && has_point(d3_make(0, 0.625, -0.5), 0.25), "at the ends they share");

    const solid in_line = make(TAC_CAPSULE, size, d3_make(0, 0, 3.5), UPRIGHT);
    expect_one(&at_0, &in_line, 0.5, d3_make(0, 0, 1), d3_make(0, 0, 1.75), "capsules in line");

    const solid slab = make(TAC_BOX, d3_make(4, 4, 0.5), d3_make(0, 0, -0.5), UPRIGHT);
    tap_equal(pair_meet(&slab, &lying, 0.5), 2, "a capsule lying on a box touches with two points");
    tap_ok(has_point(d3_make(0, 2, 0.125), 0.25) && has_point(d3_make(2, 2, 0.125), 0.25), "below its ends");
    const solid hanging = make(TAC_CAPSULE, size, d3_make(4, 0, 0.75), to_x);
    tap_equal(pair_meet(&slab, &hanging, 0.5), 2, "a capsule over the rim of a box touches with two points");
    tap_ok(has_point(d3_make(3, 0, 0.125), 0.25) && has_point(d3_make(4, 0, 0.125), 0.25), "its end and the rim");
    const solid upright = make(TAC_CAPSULE, size, d3_make(1, 2, 1.75), UPRIGHT);
    expect_one(&slab, &upright, 0.25, d3_make(0, 0, 1), d3_make(1, 2, 0.125), "a capsule standing on a box");
}

// Cubes that overlap by a quarter of a face, past each corner of it in turn: contacts at the corners of the overlap.
static void test_quarters(void)
{
    const d3 half = d3_make(1, 1, 1);
    const solid low = make(TAC_BOX, half, d3_make(0, 0, 0), UPRIGHT);
    for (int i = 0; i < 4; i++) {
        const double sx = i & 1 ? 1.0 : -1.0, sy = i & 2 ? 1.0 : -1.0;
        const solid high = make(TAC_BOX, half, d3_make(0.75 * sx, 1.25 * sy, 2.0625), UPRIGHT);
        const double x = -0.25 * sx, y = 0.25 * sy, z = 1.03125;
        const d3 corners[4] = {{x, y, z}, {sx, y, z}, {x, sy, z}, {sx, sy, z}};
        expect_four(&low, &high, 0.0625, corners, "a quarter of a face");
        expect_four(&high, &low, 0.0625, corners, "a quarter of a face, swapped");
    }
}

static void test_boxes(void)
{
    const d3 half = d3_make(0.5, 0.25, 0.125);
    const solid plane = ground(), flat = make(TAC_BOX, half, d3_make(1, 2, 0.1875), UPRIGHT);
    const d3 corners[4] = {{0.5, 1.75, 0.03125}, {1.5, 1.75, 0.03125}, {0.5, 2.25, 0.03125}, {1.5, 2.25, 0.03125}};
    expect_four(&plane, &flat, 0.0625, corners, "a box above a half-space");

    const solid slab = make(TAC_BOX, d3_make(4, 4, 0.5), d3_make(0, 0, -0.5), UPRIGHT);
    expect_four(&slab, &flat, 0.0625, corners, "a box above a larger box");
    expect_four(&flat, &slab, 0.0625, corners, "a larger box below a box");

    const solid low = make(TAC_BOX, half, d3_make(0, 0, 0.125), UPRIGHT);
    const solid same = make(TAC_BOX, half, d3_make(0, 0, 0.3125), UPRIGHT);
    const d3 shared[4] = {{0.5, 0.25, 0.21875}, {-0.5, 0.25, 0.21875}, {0.5, -0.25, 0.21875}, {-0.5, -0.25, 0.21875}};
    expect_four(&low, &same, -0.0625, shared, "equal faces, overlapping");

    const solid half_off = make(TAC_BOX, half, d3_make(0.5, 0, 0.375), UPRIGHT);
    const d3 strip[4] = {{0.5, 0.25, 0.25}, {0, 0.25, 0.25}, {0.5, -0.25, 0.25}, {0, -0.25, 0.25}};
    expect_four(&low, &half_off, 0.0, strip, "faces that share a half");

    // edge over edge: a cube on its edge along x, above one on its edge along y
    const dq on_x = dq_about(d3_make(1, 0, 0), 0.25 * TRUTH_PI), on_y = dq_about(d3_make(0, 1, 0), 0.25 * TRUTH_PI);
    const d3 cube = d3_make(1, 1, 1);
    const double reach = d_sqrt(2.0);
    const solid lower = make(TAC_BOX, cube, d3_make(0, 0, 0), on_x);
    const solid upper = make(TAC_BOX, cube, d3_make(0.25, 0.125, 2 * reach - 0.125), on_y);
    expect_one(&lower, &upper, -0.125, d3_make(0, 0, 1), d3_make(0.25, 0, reach - 0.0625), "edge over edge");
}

// A quadrilateral's area from the greatest of the three ways to order its corners.
static double area_of_contacts(void)
{
    d3 p[4];
    double best = 0.0;
    for (int i = 0; i < 4; i++) { p[i] = d3_of(pair_work.contact[i].point); }
    static const uint8_t diagonals[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
    for (int i = 0; i < 3; i++) {
        const uint8_t *k = diagonals[i];
        best = d_max(best, 0.5 * d3_norm(d3_cross(d3_sub(p[k[1]], p[k[0]]), d3_sub(p[k[3]], p[k[2]]))));
    }
    return best;
}

static void test_reduction(void)
{
    const d3 cube = d3_make(1, 1, 1);
    const solid lower = make(TAC_BOX, cube, d3_make(0, 0, -1), UPRIGHT);
    const solid turned = make(TAC_BOX, cube, d3_make(0, 0, 1), dq_about(d3_make(0, 0, 1), 0.25 * TRUTH_PI));
    tap_equal(pair_meet(&lower, &turned, 0.01), 4, "an octagon is reduced to four points");
    tap_least(area_of_contacts(), 0.98 * 2.3431457505, "which keep the area of its best quadrilateral");

    double worst = 0.0;
    int counts = 1;
    for (int i = 0; i < 16; i++) {
        const dq yaw = dq_about(d3_make(0, 0, 1), 0.3 + 0.1 * i);
        const dq tilt = dq_about(d3_make(d_cos(0.4 * i), d_sin(0.4 * i), 0), 0.01);
        const solid tilted = make(TAC_BOX, cube, d3_make(0, 0, 0.99), dq_mul(tilt, yaw));
        const int count = pair_meet(&lower, &tilted, 0.05);
        counts = counts && count >= 3 && count <= 4;
        double lowest = 1.0;
        for (int corner = 0; corner < 8; corner++) {
            const d3 local = d3_make(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
            const d3 at = d3_add(tilted.p, dq_rotate(tilted.q, local));
            // corners that hang over the rim do not touch: the deepest one that counts lies within
            if (d_abs(at.x) <= 1.0 && d_abs(at.y) <= 1.0) { lowest = d_min(lowest, at.z); }
        }
        if (lowest < 1.0) { d_worst(&worst, d_max(0.0, (double)pair_work.contact[pair_deepest()].gap - lowest)); }
    }
    tap_ok(counts, "tilted boxes touch with three or four points");
    tap_most(worst, TOL(1e-4, 1e-4), "the deepest corner is among them");
}

static void expect_finite(const solid *a, const solid *b, double gap, const char *name)
{
    tap_least(pair_meet(a, b, 0.1), 1, tap_joined("contact:", name));
    tap_equal(tac_check(&pair_model, &pair_state, &pair_work, NULL), TAC_OK, tap_joined("frames hold:", name));
    tap_near(pair_work.contact[pair_deepest()].gap, gap, NEAR, tap_joined("gap:", name));
}

static void test_degenerate(void)
{
    const dq to_x = dq_about(d3_make(0, 1, 0), 0.5 * TRUTH_PI), askew = dq_about(d3_make(1, 2, 3), 0.8);
    const solid ball = sphere(0.5, 1, 2, 3), other = sphere(0.25, 1, 2, 3);
    const d3 at = d3_make(1, 2, 3), rod = d3_make(0.25, 0, 1), brick = d3_make(1, 2, 3), cube = d3_make(1, 1, 1);
    const solid capsule = make(TAC_CAPSULE, rod, at, UPRIGHT), crossing = make(TAC_CAPSULE, rod, at, to_x);
    const solid shifted = make(TAC_CAPSULE, rod, d3_make(1, 2, 3.5), UPRIGHT);
    const solid block_at = make(TAC_BOX, brick, at, UPRIGHT), block_askew = make(TAC_BOX, cube, at, UPRIGHT);
    expect_finite(&ball, &other, -0.75, "concentric spheres");
    expect_finite(&capsule, &ball, -0.75, "sphere centred on a capsule's axis");
    expect_finite(&capsule, &crossing, -0.5, "capsules whose axes intersect");
    expect_finite(&capsule, &capsule, -0.5, "a capsule in its double");
    expect_finite(&capsule, &shifted, -0.5, "overlapping axes in line");
    expect_finite(&block_at, &ball, -1.5, "sphere in the centre of a box");
    expect_finite(&block_at, &capsule, -1.25, "capsule in the centre of a box");
    expect_finite(&block_at, &block_askew, -2.0, "concentric boxes");
    expect_finite(&block_at, &block_at, -2.0, "a box in its double");
    solid twin = make(TAC_BOX, cube, d3_make(0, 0, 0), askew), touching = twin;
    touching.p = dq_rotate(askew, d3_make(2, 0, 0));
    expect_finite(&twin, &touching, 0.0, "equal askew faces, just touching");
    tap_equal(pair_work.report.contacts, 4, "keep four points");
}

// ------------------------------------------------------------------------------------------------------- feature ids

typedef struct id_set {
    int count;
    uint32_t id[4];
} id_set;

static id_set ids_now(void)
{
    id_set set = {pair_work.report.contacts, {0, 0, 0, 0}};
    for (int i = 0; i < set.count && i < 4; i++) { set.id[i] = pair_work.contact[i].id.feature; }
    return set;
}

static int ids_equal(id_set a, id_set b)
{
    int found = 0;
    for (int i = 0; i < a.count && i < 4; i++) {
        for (int k = 0; k < b.count && k < 4; k++) { found += a.id[i] == b.id[k]; }
    }
    return a.count == b.count && found == a.count;
}

static void expect_persistent(const solid *a, const solid *b, const char *name)
{
    rng r = {2026};
    pair_meet(a, b, 0.05);
    const id_set first = ids_now();
    tap_ok(first.count >= 1 && ids_equal(first, first), tap_joined("ids are different:", name));
    int kept = 0;
    enum { TRIES = 50 };
    for (int i = 0; i < TRIES; i++) {
        solid moved = *b;
        moved.p = d3_add(b->p, rng_box(&r, 2e-4));
        moved.q = dq_mul(dq_about(d3_add(rng_box(&r, 1.0), d3_make(0, 0, 1e-3)), rng_range(&r, -2e-4, 2e-4)), b->q);
        pair_meet(a, &moved, 0.05);
        kept += ids_equal(first, ids_now());
    }
    tap_equal(kept, TRIES, tap_joined("ids persist:", name));
}

static void test_features(void)
{
    const dq to_x = dq_about(d3_make(0, 1, 0), 0.5 * TRUTH_PI), yaw = dq_about(d3_make(0, 0, 1), 0.3);
    const d3 half = d3_make(0.5, 0.4, 0.3);
    const solid plane = ground(), slab = make(TAC_BOX, d3_make(2, 2, 0.5), d3_make(0, 0, -0.5), UPRIGHT);
    const solid resting = make(TAC_BOX, half, d3_make(0, 0, 0.3), yaw);
    const solid lying = make(TAC_CAPSULE, d3_make(0.25, 0, 0.5), d3_make(0, 0, 0.25), to_x);
    const solid hanging = make(TAC_BOX, half, d3_make(2, 0.1, 0.3), yaw);
    const solid ball = sphere(0.25, 0.1, 0.1, 0.25);
    expect_persistent(&plane, &resting, "box on a half-space");
    expect_persistent(&slab, &resting, "box on a box");
    expect_persistent(&slab, &hanging, "box over the rim of a box");
    expect_persistent(&plane, &lying, "capsule on a half-space");
    expect_persistent(&slab, &lying, "capsule on a box");
    expect_persistent(&slab, &ball, "sphere on a box");
    expect_persistent(&resting, &slab, "box below a box");
}

int main(void)
{
    test_spheres();
    test_capsules();
    test_boxes();
    test_quarters();
    test_reduction();
    test_degenerate();
    test_features();
    return tap_done();
}
