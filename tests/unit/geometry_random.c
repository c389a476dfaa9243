// SPDX-License-Identifier: MIT
// Every pair of shapes in random poses against distances that share nothing with the kernel.
//
// Each shape is a core box (half widths may be 0: a point, a segment) plus a radius. Apart, the distance of two cores
// is found by projecting back and forth between them, and accepted only with its proof: a plane that separates them
// by the same distance. Overlapping, the depth is the least overlap over the 15 axes that can carry it; a capsule whose
// axis cuts a box may leave by the nearest face of the box instead, so there only its three axes count.
#include "pair.h"

enum { PROJECTIONS = RUN(4000, 300), POSES = RUN(1500, 25) };

#define PREFERENCE 0.06 // of the depth: how far a kernel may prefer a face to a better edge, for stable features
#define RESTING 1.00101 // of the gap: a face that gets as near as this is kept, for stable features
#define NEAR TOL(1e-11, 2e-5)

// ------------------------------------------------------------------------------------------------------------- truth

typedef struct core {
    d3 p, axis[3];
    double half[3], radius;
} core;

static core core_of(const solid *s)
{
    core c = {s->p,
              {dq_rotate(s->q, d3_make(1, 0, 0)), dq_rotate(s->q, d3_make(0, 1, 0)), dq_rotate(s->q, d3_make(0, 0, 1))},
              {0.0, 0.0, 0.0},
              0.0};
    if (s->kind == TAC_BOX) {
        c.half[0] = s->size.x;
        c.half[1] = s->size.y;
        c.half[2] = s->size.z;
    } else {
        c.radius = s->size.x;
        if (s->kind == TAC_CAPSULE) { c.half[2] = s->size.z; }
    }
    return c;
}

static d3 core_project(const core *c, d3 x)
{
    const d3 r = d3_sub(x, c->p);
    d3 y = c->p;
    for (int i = 0; i < 3; i++) {
        y = d3_add(y, d3_scale(d_clamp(d3_dot(r, c->axis[i]), -c->half[i], c->half[i]), c->axis[i]));
    }
    return y;
}

// Half width of a core along n.
static double core_width(const core *c, d3 n)
{
    double w = 0.0;
    for (int i = 0; i < 3; i++) { w += c->half[i] * d_abs(d3_dot(c->axis[i], n)); }
    return w;
}

// How far apart the shapes are along unit n, seen from a; at most the distance, whatever n is.
static double separation(const core *a, const core *b, d3 n)
{
    return d3_dot(d3_sub(b->p, a->p), n) - core_width(a, n) - core_width(b, n) - a->radius - b->radius;
}

// Largest separation over the faces of b, the faces of a, the pairs of edges: the first `axes` of these 15.
static double axes_separation(const core *a, const core *b, int axes)
{
    double best = -1e30;
    for (int i = 0; i < axes; i++) {
        d3 n = i < 3 ? b->axis[i] : i < 6 ? a->axis[i - 3] : d3_cross(a->axis[(i - 6) / 3], b->axis[(i - 6) % 3]);
        const double size = d3_norm(n);
        if (size < 1e-6) { continue; }
        n = d3_scale(1.0 / size, n);
        best = d_max(best, d_max(separation(a, b, n), separation(a, b, d3_scale(-1.0, n))));
    }
    return best;
}

// The same over all the axes that can carry it when the cores overlap.
static double overlap_separation(const core *a, const core *b)
{
    return axes_separation(a, b, 15);
}

// 1 and the gap if it is proved, else 0. `away` is the unit vector from a to b if the cores are apart, else 0.
static int true_gap(const core *a, const core *b, double *gap, d3 *away)
{
    *away = d3_make(0, 0, 0);
    *gap = overlap_separation(a, b);
    if (*gap + a->radius + b->radius <= 0.0) { return 1; }
    d3 y = b->p, x = a->p;
    for (int i = 0; i < PROJECTIONS; i++) {
        x = core_project(a, y);
        y = core_project(b, x);
    }
    const d3 d = d3_sub(y, x);
    const double distance = d3_norm(d);
    if (distance < 1e-3) { return 0; }
    *away = d3_scale(1.0 / distance, d);
    *gap = distance - a->radius - b->radius;
    return *gap - separation(a, b, *away) < 0.1 * NEAR;
}

// Signed distance of x to the surface of a shape: exact outside, the depth below the nearest face inside.
static double surface(const core *c, d3 x)
{
    const double outside = d3_norm(d3_sub(x, core_project(c, x)));
    if (outside > 0.0 || c->radius > 0.0) { return outside - c->radius; }
    double depth = 1e30;
    for (int i = 0; i < 3; i++) { depth = d_min(depth, c->half[i] - d_abs(d3_dot(d3_sub(x, c->p), c->axis[i]))); }
    return -depth;
}

// ------------------------------------------------------------------------------------------------------- random pairs

static solid random_solid(rng *r, uint8_t kind)
{
    solid s = solid_make(kind, d3_make(0, 0, 0), d3_make(0, 0, 0), (dq){1, 0, 0, 0});
    s.size = d3_make(rng_range(r, 0.2, 1.0), rng_range(r, 0.2, 1.0), rng_range(r, 0.2, 1.0));
    s.p = rng_box(r, 1.3);
    s.q = rng_quat(r);
    return s;
}

typedef struct tally {
    int proved, missing, many;
    double gap, normal, below, above, preferred, frame;
    double off;      // of the surfaces, where gap and normal are exact
    double off_part; // of the surfaces, as a part of |gap|, where boxes or overlapping cores make a choice
} tally;

// Judge the deepest contact of a and b. Cores that are apart are first moved together along their nearest points, to a
// gap that a step would see.
static void judge(const solid *sa, const solid *given, double near_gap, tally *t)
{
    const core a = core_of(sa);
    solid moved_b = *given, *const sb = &moved_b;
    core b = core_of(sb);
    double gap;
    d3 away;
    if (!true_gap(&a, &b, &gap, &away)) { return; }
    const int apart = d3_norm(away) > 0.5;
    if (apart && gap > near_gap) {
        sb->p = d3_add(sb->p, d3_scale(near_gap - gap, away));
        b = core_of(sb);
        gap = near_gap;
    }
    t->proved++;
    const int count = pair_meet(sa, sb, d_max(gap, 0.0) + 0.01);
    if (count < 1) {
        t->missing++;
        return;
    }
    t->many += count > (sa->kind == TAC_BOX && sb->kind == TAC_BOX ? 4 : 2);
    const tac_contact *c = &pair_work.contact[pair_deepest()];
    const d3 n = d3_of(c->n), p = d3_of(c->point);
    const double kernel = (double)c->gap, along = separation(&a, &b, n);
    const int both_boxes = sa->kind == TAC_BOX && sb->kind == TAC_BOX;

    d_worst(&t->frame, d3_norm(n) - 1.0);
    d_worst(&t->below, d_max(0.0, along - kernel)); // no point of the shapes lies deeper than the normal says
    if (apart && !both_boxes) {
        d_worst(&t->gap, kernel - gap);
        d_worst(&t->normal, along - gap);
    } else {
        const double best =
            sa->kind == TAC_CAPSULE ? axes_separation(&a, &b, 3) : d_min(overlap_separation(&a, &b), gap);
        d_worst(&t->preferred, d_max(0.0, best - along) / d_max(d_abs(best), 0.2));
        d_worst(&t->above, d_max(0.0, kernel - (gap > 0.0 ? RESTING * gap : 0.0)));
    }
    const d3 half = d3_scale(0.5 * kernel, n);
    const double off = d_max(d_abs(surface(&a, d3_sub(p, half))), d_abs(surface(&b, d3_add(p, half))));
    if (apart && !both_boxes) {
        d_worst(&t->off, off);
    } else {
        d_worst(&t->off_part, off / d_max(d_abs(kernel), 0.005));
    }
}

static void test_pair(uint8_t kind_a, uint8_t kind_b, const char *name)
{
    rng r = {UINT64_C(77) + kind_a * 8u + kind_b};
    tally t = {0};
    for (int i = 0; i < POSES; i++) {
        const solid a = random_solid(&r, kind_a), b = random_solid(&r, kind_b);
        judge(&a, &b, rng_range(&r, 0.005, 0.03), &t);
    }
    tap_least(t.proved, 0.8 * POSES, tap_joined("most distances are proved:", name));
    tap_equal(t.missing, 0, tap_joined("no contact is missing:", name));
    tap_equal(t.many, 0, tap_joined("no more points than promised:", name));
    tap_most(t.gap, NEAR, tap_joined("gap is the distance:", name));
    tap_most(t.normal, NEAR, tap_joined("normal is along it:", name));
    tap_most(t.below, NEAR, tap_joined("gap is not less than along the normal:", name));
    tap_most(t.above, NEAR, tap_joined("gap is not more than the distance:", name));
    tap_most(t.preferred, PREFERENCE, tap_joined("the axis is the best, up to the preference for faces:", name));
    tap_most(t.off, NEAR, tap_joined("point -+ n gap/2 lies on the surfaces:", name));
    const double part = kind_a == TAC_BOX ? 3.0 : 1.0;
    tap_most(t.off_part, part, tap_joined("or, where there is a choice, near them:", name));
    tap_most(t.frame, TOL(1e-14, 1e-6), tap_joined("the normal is a unit vector:", name));
}

// A half-space against anything: the deepest point of the shape is known.
static void test_half_space(uint8_t kind, const char *name)
{
    rng r = {UINT64_C(991) + kind};
    double gap_error = 0.0, normal_error = 0.0, surface_error = 0.0;
    int missing = 0;
    for (int i = 0; i < POSES; i++) {
        solid plane = solid_make(TAC_HALF_SPACE, d3_make(0, 0, 0), rng_box(&r, 1.0), (dq){1, 0, 0, 0});
        plane.q = rng_quat(&r);
        const solid s = random_solid(&r, kind);
        const core c = core_of(&s);
        const d3 n = dq_rotate(plane.q, d3_make(0, 0, 1));
        const double gap = d3_dot(d3_sub(c.p, plane.p), n) - core_width(&c, n) - c.radius;
        if (pair_meet(&plane, &s, d_max(gap, 0.0) + 0.1) < 1) {
            missing++;
            continue;
        }
        const tac_contact *k = &pair_work.contact[pair_deepest()];
        const d3 p = d3_of(k->point);
        d_worst(&gap_error, (double)k->gap - gap);
        d_worst(&normal_error, d3_norm(d3_sub(d3_of(k->n), n)));
        d_worst(&surface_error, d3_dot(d3_sub(d3_sub(p, d3_scale(0.5 * gap, n)), plane.p), n));
        d_worst(&surface_error, surface(&c, d3_add(p, d3_scale(0.5 * gap, n))));
    }
    tap_equal(missing, 0, tap_joined("no contact is missing: half-space and", name));
    tap_most(gap_error, NEAR, tap_joined("gap: half-space and", name));
    tap_most(normal_error, NEAR, tap_joined("normal: half-space and", name));
    tap_most(surface_error, NEAR, tap_joined("surfaces: half-space and", name));
}

// -------------------------------------------------------------------------------------------------------- invariance

typedef struct seen {
    int count;
    double gap;
    d3 n, p;
} seen;

static seen look(const solid *a, const solid *b, double margin)
{
    const int count = pair_meet(a, b, margin);
    if (count < 1) { return (seen){count, 0.0, {0, 0, 0}, {0, 0, 0}}; }
    const tac_contact *c = &pair_work.contact[pair_deepest()];
    return (seen){count, (double)c->gap, d3_of(c->n), d3_of(c->point)};
}

static void test_invariance(uint8_t kind_a, uint8_t kind_b, const char *name)
{
    rng r = {UINT64_C(1234) + kind_a * 8u + kind_b};
    double swapped = 0.0, turned = 0.0, small = 0.0, large = 0.0;
    int counts = 1;
    for (int i = 0; i < POSES / 5; i++) {
        const solid a = random_solid(&r, kind_a), b = random_solid(&r, kind_b);
        const d3 shift = rng_box(&r, 2.0), none = {0, 0, 0};
        const dq turn = rng_quat(&r), one = {1, 0, 0, 0};
        const seen first = look(&a, &b, 4.0), other_way = look(&b, &a, 4.0);
        counts = counts && (kind_a == TAC_BOX || (first.count > 0 && first.count == other_way.count));
        d_worst(&swapped, other_way.gap - first.gap);

        const solid ta = solid_moved(&a, shift, turn, 1.0), tb = solid_moved(&b, shift, turn, 1.0);
        const seen away = look(&ta, &tb, 4.0);
        counts = counts && away.count == first.count;
        d_worst(&turned, away.gap - first.gap);
        const solid sa = solid_moved(&a, none, one, 1e-3), sb = solid_moved(&b, none, one, 1e-3);
        const seen tiny = look(&sa, &sb, 4e-3);
        counts = counts && tiny.count == first.count;
        d_worst(&small, 1e3 * tiny.gap - first.gap);
        const solid la = solid_moved(&a, none, one, 1e2), lb = solid_moved(&b, none, one, 1e2);
        const seen huge = look(&la, &lb, 4e2);
        counts = counts && huge.count == first.count;
        d_worst(&large, 1e-2 * huge.gap - first.gap);
    }
    const double near = TOL(1e-12, 5e-5);
    tap_ok(counts, tap_joined("the number of contacts is invariant:", name));
    tap_most(swapped, kind_a == TAC_BOX ? 0.2 * PREFERENCE : near, tap_joined("swapping changes nothing:", name));
    tap_most(turned, near, tap_joined("rigid motion changes nothing:", name));
    tap_most(small, near, tap_joined("a thousandth of the size changes nothing:", name));
    tap_most(large, near, tap_joined("a hundred times the size changes nothing:", name));
}

int main(void)
{
    test_half_space(TAC_SPHERE, "sphere");
    test_half_space(TAC_CAPSULE, "capsule");
    test_half_space(TAC_BOX, "box");
    static const char *const names[3][3] = {{"sphere, sphere", "sphere, capsule", "sphere, box"},
                                            {"", "capsule, capsule", "capsule, box"},
                                            {"", "", "box, box"}};
    for (uint8_t i = 0; i < 3; i++) {
        for (uint8_t k = i; k < 3; k++) {
            test_pair((uint8_t)(TAC_SPHERE + i), (uint8_t)(TAC_SPHERE + k), names[i][k]);
            test_invariance((uint8_t)(TAC_SPHERE + i), (uint8_t)(TAC_SPHERE + k), names[i][k]);
        }
    }
    return tap_done();
}
