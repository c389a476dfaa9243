// SPDX-License-Identifier: MIT
// A second opinion on convex shapes, by a library that others wrote: libccd 2.1, in double precision.
//
// It has no distance, but its MPR tells whether shapes meet: the least ball that, swept over one of them, makes them
// meet is the distance, found by bisection; good to DISTANCE. Its depth (GJK and EPA) is that of a polytope inside the
// difference: never more than the truth, and good to DEPTH unless it gives up early, as it does for one ball in five;
// then its direction does not separate by its depth. These cases are counted. All shapes are scaled to size 1, since
// libccd has absolute tolerances. Asked about the truth of proof.h and about the kernel.
#include "judge.h"
#include <ccd/ccd.h>

#ifndef CASES
#define CASES 200
#endif

#define DISTANCE 2e-7 // of the extent: MPR's tolerance, and what the bisection leaves
#define DEPTH 1e-6    // of the extent: EPA's tolerance, for shapes with faces and corners only
#define ROUND 1e-3    // of the extent: the same for others, whose surface 500 points cannot follow
#define BISECTIONS 34
#define FAILURES 0.3 // of the cases, for balls; about a tenth for others

// A shape as libccd sees it: a core and a ball.
typedef struct seen_shape {
    const proof_shape *shape;
    double ball;
} seen_shape;

static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *result)
{
    const seen_shape *s = object;
    const d3 n = proof_unit(d3_make(direction->v[0], direction->v[1], direction->v[2]));
    const d3 x = d3_add(proof_support(s->shape, n), d3_scale(s->ball, n));
    ccdVec3Set(result, x.x, x.y, x.z);
}

// A point inside: MPR rests on it.
static void ccd_center(const void *object, ccd_vec3_t *result)
{
    const seen_shape *s = object;
    d3 x = {0, 0, 0};
    for (int i = 0; i < s->shape->of->points; i++) { x = d3_add(x, solid_point(s->shape->of, i)); }
    if (s->shape->of->points > 0) { x = d3_scale(1.0 / s->shape->of->points, x); }
    x = d3_add(s->shape->p, proof_world(s->shape, x));
    ccdVec3Set(result, x.x, x.y, x.z);
}

static ccd_t ccd_options(void)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_center;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = 1e-13; // of squares
    ccd.mpr_tolerance = 1e-7;
    return ccd;
}

static int ccd_meet(const proof_shape *a, const proof_shape *b, double ball)
{
    const ccd_t ccd = ccd_options();
    const seen_shape first = {a, a->radius}, second = {b, b->radius + ball};
    return ccdMPRIntersect(&first, &second, &ccd);
}

// Distance of shapes that do not meet. Returns 0 if libccd contradicts itself: a larger ball does not meet.
static int ccd_distance(const proof_shape *a, const proof_shape *b, double *gap)
{
    double low = 0.0, high = 4.0;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if (ccd_meet(a, b, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    *gap = high;
    for (double larger_ball = high + 1e-6; larger_ball < 4.0; larger_ball *= 1.3) {
        if (!ccd_meet(a, b, larger_ball)) { return 0; }
    }
    return 1;
}

// Depth of shapes that meet. Returns 0 if libccd fails: it says so, or its direction does not separate by its depth.
static int ccd_depth(const proof_shape *a, const proof_shape *b, double *gap)
{
    const ccd_t ccd = ccd_options();
    const seen_shape first = {a, a->radius}, second = {b, b->radius};
    ccd_real_t depth;
    ccd_vec3_t direction, at;
    if (ccdGJKPenetration(&first, &second, &ccd, &depth, &direction, &at) != 0) { return 0; }
    const d3 n = d3_make(direction.v[0], direction.v[1], direction.v[2]);
    *gap = -depth;
    return d_abs(proof_norm(n) - 1.0) < 1e-6 && proof_separation(a, b, n) + depth > -1e-3;
}

typedef struct opinions {
    int cases, apart, met, failed, missing;
    worst distance, less, more;           // the truth against libccd
    worst kernel_distance, kernel_deeper; // the kernel against libccd
} opinions;

static int has_faces_only(const solid *s)
{
    return (s->kind == TAC_BOX || s->kind == TAC_HULL) && s->rounding == 0.0;
}

static void compare(const meeting *m, opinions *o)
{
    const double size = larger(&m->a, &m->b), scale = 1.0 / size;
    const d3 back = d3_scale(-scale, m->a.p);
    const solid one = solid_moved(&m->a, back, (dq){1, 0, 0, 0}, scale);
    const solid two = solid_moved(&m->b, back, (dq){1, 0, 0, 0}, scale);
    const proof_shape a = proof_of(&one, d3_make(0, 0, 0)), b = proof_of(&two, d3_make(0, 0, 0));
    const proof_truth truth = proof_gap(&a, &b);
    double gap = 0.0;
    if (!truth.proved || d_abs(truth.gap) < 1e-4) { return; }
    o->cases++;
    const int apart = truth.gap > 0.0, good = apart ? ccd_distance(&a, &b, &gap) : ccd_depth(&a, &b, &gap);
    o->failed += !good;
    if (!good) { return; }
    const int met = pair_meet(&m->a, &m->b, m->margin) > 0;
    const double kernel = met ? scale * (double)pair_work.contact[pair_deepest()].gap : gap;
    const double allowed = scale * choice(m, truth.apart, size * truth.gap);
    o->missing += !met && size * truth.gap < 0.99 * m->margin;
    if (apart) {
        o->apart++;
        see(&o->distance, d_abs(truth.gap - gap), m->at);
        see(&o->kernel_distance, d_abs(kernel - gap) - allowed, m->at);
    } else {
        o->met++;
        see(&o->less, truth.gap - gap, m->at);
        const double depth = has_faces_only(&m->a) && has_faces_only(&m->b) ? DEPTH : ROUND;
        see(&o->more, gap - truth.gap - depth, m->at);
        see(&o->kernel_deeper, gap - kernel - allowed - depth, m->at);
    }
}

static void within(const worst *w, double bound, const char *what, const char *name)
{
    tap_most(w->value, bound, tap_joined(what, name));
    if (!(w->value <= bound)) { tap_note(tap_numbered(tap_joined(what, name), w->at), w->value); }
}

static void test_pair(int i, int k)
{
    opinions o = {0};
    for (int at = 0; at < CASES; at++) {
        const meeting m = random_meeting(i, k, at);
        compare(&m, &o);
    }
    const char *const name = pair_name(i, k, "");
    tap_most(o.failed, FAILURES * o.cases, tap_joined("libccd has an opinion:", name));
    tap_equal(o.missing, 0, tap_joined("the kernel has one:", name));
    within(&o.distance, DISTANCE, "the distance:", name);
    within(&o.less, 1e-9, "the depth is not less:", name);
    within(&o.more, 0.0, "the depth is not more:", name);
    within(&o.kernel_distance, DISTANCE, "the kernel's distance:", name);
    within(&o.kernel_deeper, 0.0, "the kernel's depth:", name);
    tap_note(tap_joined("apart:", name), o.apart);
    tap_note(tap_joined("met:", name), o.met);
    tap_note(tap_joined("without libccd's opinion:", name), o.failed);
}

int main(void)
{
    tap_note_hex("seed", SEED);
    for (int i = 0; i < KINDS; i++) {
        for (int k = i; k < KINDS; k++) { test_pair(i, k); }
    }
    return tap_done();
}
