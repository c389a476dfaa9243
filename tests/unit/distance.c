// SPDX-License-Identifier: MIT
// Distances of bodies, shapes that overlap, contacts of one body.
//
// A distance is proved, not computed anew: both points are on their shapes, they are as far from each other as the gap
// says, and a plane across the normal separates the shapes by as much. No two points are nearer, no plane separates
// more. What overlaps is separated by the plane as far as the gap says, and by no other of many planes better.
#include "solids.h"

enum { PAIRS = RUN(60, 1), PLANES = RUN(300, 20) };

#define EXACT TOL(2e-9, 2e-5) // of the sizes

static const uint8_t CONVEX[] = {TAC_SPHERE, TAC_CAPSULE, TAC_BOX, TAC_CYLINDER, TAC_CONE, TAC_ELLIPSOID, TAC_HULL};
enum { CONVEX_KINDS = sizeof CONVEX };

typedef struct tally {
    int apart, deep, wrong;
    double proof, point, aside, better;
} tally;

static double separation(const solid *a, const solid *b, d3 n)
{
    return -solid_reach(b, d3_scale(-1.0, n)) - solid_reach(a, n);
}

static int seal(void)
{
    return tac_model_seal(&solids_model, NULL) == TAC_OK &&
           tac_state_init(&solids_model, &solids_state, NULL) == TAC_OK;
}

static int ask(uint16_t a, uint16_t b, tac_nearest *found)
{
    return tac_distance(&solids_model, &solids_state, a, b, &solids_work, found) == TAC_OK && found->shape_a == a - 1 &&
           found->shape_b == b - 1;
}

// The same bits, exchanged.
static int mirrored(const tac_nearest *f, const tac_nearest *g)
{
    const tac_vec3 n = {-g->n.x, -g->n.y, -g->n.z};
    return f->gap == g->gap && truth_equal(&f->a, &g->b, sizeof f->a) && truth_equal(&f->b, &g->a, sizeof f->a) &&
           f->n.x == n.x && f->n.y == n.y && f->n.z == n.z;
}

static void tally_pair(tally *y, rng *r, solid *a, solid *b)
{
    tac_nearest f, back;
    solids_begin();
    solids_add(a);
    solids_add(b);
    if (!seal() || !ask(1, 2, &f) || !ask(2, 1, &back) || !mirrored(&f, &back)) {
        y->wrong++;
        return;
    }
    solid_settle(a, 1);
    solid_settle(b, 2);
    const double size = solid_size(a) + solid_size(b) + d3_norm(a->p) + d3_norm(b->p), gap = (double)f.gap;
    const d3 n = d3_of(f.n), between = d3_sub(d3_of(f.b), d3_of(f.a));
    d_worst(&y->proof, (gap - separation(a, b, n)) / size);
    d_worst(gap > 0.0 ? &y->point : &y->aside, d3_norm(d3_sub(between, d3_scale(gap, n))) / size);
    d_worst(&y->point, solid_distance(a, d3_of(f.a)) / size);
    d_worst(&y->point, solid_distance(b, d3_of(f.b)) / size);
    y->apart += gap > 0.0;
    y->deep += gap <= 0.0;
    for (int i = 0; i < PLANES && gap <= 0.0; i++) {
        const d3 other = dq_rotate(rng_quat(r), d3_make(1, 0, 0));
        d_worst(&y->better, d_max(separation(a, b, other) - gap, 0.0) / size);
    }
}

static void test_pairs(double near, const char *name)
{
    rng r = {77};
    tally y = {0};
    const double scales[3] = {1.0, 1e-3, 1e2};
    for (int i = 0; i < CONVEX_KINDS; i++) {
        for (int j = i; j < CONVEX_KINDS; j++) {
            for (int k = 0; k < PAIRS; k++) {
                const double scale = scales[k % 3];
                solid a = solid_random(&r, CONVEX[i], scale, k & 1), b = solid_random(&r, CONVEX[j], scale, k & 2);
                const double apart = near * rng_range(&r, 0.0, solid_size(&a) + solid_size(&b));
                b.p = d3_real(dq_rotate(rng_quat(&r), d3_make(apart, 0, 0)));
                tally_pair(&y, &r, &a, &b);
            }
        }
    }
    tap_note(tap_joined(name, "apart"), y.apart);
    tap_note("overlapping", y.deep);
    tap_note("gap and separation", y.proof);
    tap_note("points", y.point);
    tap_note("points aside of the normal", y.aside);
    tap_note("better planes", y.better);
    tap_equal(y.wrong, 0, tap_joined(name, "a distance either way, the same bits"));
    tap_most(y.proof, EXACT, tap_joined(name, "the plane separates as far as the gap says"));
    tap_most(y.point, EXACT, tap_joined(name, "the points are on the shapes and as far apart"));
    tap_most(y.aside, 2e-4, tap_joined(name, "points of what overlaps lie along the normal"));
    tap_most(y.better, 1e-3, tap_joined(name, "no other plane separates better"));
}

// ------------------------------------------------------------------------------------------------------------ surfaces

// A ball against a half-space, a sheet, a field: the distance of its centre, less the radius.
static void test_surfaces(void)
{
    rng r = {5};
    double worst = 0.0;
    int wrong = 0, cut = 0;
    const uint8_t kinds[3] = {TAC_HALF_SPACE, TAC_MESH, TAC_FIELD};
    for (int i = 0; i < RUN(600, 9); i++) {
        solid a = solid_random(&r, kinds[i % 3], 1.0, 0), b = solid_random(&r, TAC_SPHERE, 0.5, 0);
        a.p = d3_real(rng_box(&r, 1.0));
        const d3 high = d3_make(rng_range(&r, -0.5, 3.5) * a.scale, rng_range(&r, -0.5, 2.5) * a.scale,
                                rng_range(&r, a.kind == TAC_HALF_SPACE ? -1.0 : 0.8, 3.0) * a.scale);
        b.p = d3_real(d3_add(a.p, dq_rotate(a.q, high)));
        tac_nearest f;
        solids_begin();
        solids_add(&a);
        solids_add(&b);
        if (!seal() || !ask(1, 2, &f)) {
            wrong++;
            continue;
        }
        solid_settle(&a, 1);
        solid_settle(&b, 2);
        const double deep = solid_in(&a, b.p).z;
        const double d = (a.kind == TAC_HALF_SPACE ? deep : solid_distance(&a, b.p)) - b.size.x;
        cut += d < 0.0;
        d_worst(&worst, (double)f.gap - d);
        d_worst(&worst, d3_norm(d3_sub(d3_sub(d3_of(f.b), d3_of(f.a)), d3_scale((double)f.gap, d3_of(f.n)))));
    }
    tap_note("cut", cut);
    tap_note("error", worst);
    tap_equal(wrong, 0, "a ball has a distance from a half-space, a sheet and a field");
    tap_most(worst, 4.0 * EXACT, "the right one");
}

int main(void)
{
    tap_note("seed", 77);
    test_pairs(1.0, "far and near:");
    test_pairs(0.3, "deep:");
    test_surfaces();
    return tap_done();
}
