// SPDX-License-Identifier: MIT
// Distances of bodies, shapes that overlap, contacts of one body.
//
// A distance is proved, not computed anew: both points are on their shapes, they are as far from each other as the gap
// says, and a plane across the normal separates the shapes by as much. No two points are nearer, no plane separates
// more. What overlaps is separated by the plane as far as the gap says, and by no other of many planes better.
#include "random_mechanism.h"
#include "solids.h"

enum { PAIRS = RUN(60, 1), PLANES = RUN(300, 20), SAMPLES = 12 };

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
    tap_most(y.point, TOL(EXACT, 1e-4), tap_joined(name, "the points are on the shapes and as far apart"));
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
    const uint8_t kinds[3] = {TAC_HALF_SPACE, TAC_MESH, TAC_HEIGHT_FIELD};
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

// The nearest of many points of a sheet or a field to a shape.
static double least_sample(const solid *surface, const solid *s)
{
    double least = 1e300;
    for (int i = 0; i < solid_triangles(surface); i++) {
        d3 t[3];
        solid_triangle(surface, i, t);
        for (int a = 0; a <= SAMPLES; a++) {
            for (int b = 0; b <= SAMPLES - a; b++) {
                const double u = (double)a / SAMPLES, v = (double)b / SAMPLES;
                const d3 x = d3_add(d3_scale(u, t[0]), d3_add(d3_scale(v, t[1]), d3_scale(1.0 - u - v, t[2])));
                least = d_min(least, solid_distance(s, d3_add(surface->p, dq_rotate(surface->q, x))));
            }
        }
    }
    return least;
}

// Other shapes above a sheet or a field: the points are where they should be, and no other point is nearer.
static void test_above(void)
{
    rng r = {6};
    double points = 0.0, nearer = 0.0;
    int wrong = 0, apart = 0;
    for (int i = 0; i < RUN(280, 3); i++) {
        solid a = solid_random(&r, i & 1 ? TAC_MESH : TAC_HEIGHT_FIELD, 1.0, 0);
        solid b = solid_random(&r, CONVEX[i % CONVEX_KINDS], 0.4, i & 2);
        const d3 high = d3_make(rng_range(&r, -0.5, 3.5) * a.scale, rng_range(&r, -0.5, 2.5) * a.scale,
                                rng_range(&r, 0.8, 2.0) * a.scale);
        b.p = d3_real(dq_rotate(a.q, high));
        tac_nearest f;
        solids_begin();
        solids_add(&a);
        solids_add(&b);
        if (!seal() || !ask(1, 2, &f)) {
            wrong++;
            continue;
        }
        if ((double)f.gap <= 1e-3) { continue; }
        solid_settle(&a, 1);
        solid_settle(&b, 2);
        apart++;
        d_worst(&points, solid_distance(&a, d3_of(f.a)));
        d_worst(&points, solid_distance(&b, d3_of(f.b)));
        d_worst(&points, d3_norm(d3_sub(d3_of(f.b), d3_of(f.a))) - (double)f.gap);
        d_worst(&nearer, d_max((double)f.gap - least_sample(&a, &b), 0.0));
    }
    tap_note("apart", apart);
    tap_note("error", points);
    tap_least(apart, RUN(100, 1), "shapes of all kinds above a sheet and a field");
    tap_equal(wrong, 0, "have a distance");
    tap_most(points, 4.0 * EXACT, "between points of both");
    tap_most(nearer, 4.0 * EXACT, "and no points are nearer");
}

// ------------------------------------------------------------------------------------------------------------- worlds

static solid any[8];

// Some shapes of all kinds around the origin, each on a body of its own, all at rest.
static int any_world(rng *r)
{
    static const uint8_t kinds[8] = {TAC_SPHERE, TAC_CAPSULE,   TAC_BOX,  TAC_CYLINDER,
                                     TAC_CONE,   TAC_ELLIPSOID, TAC_HULL, TAC_MESH};
    solids_begin();
    for (int i = 0; i < 8; i++) {
        any[i] = solid_random(r, kinds[i], 1.0, i & 1);
        any[i].p = d3_real(rng_box(r, 1.2));
        solids_add(&any[i]);
    }
    solids_model.exclusion[0] = (tac_exclusion){2, 5};
    solids_model.exclusions = 1;
    solids_model.shape[3].group = 2;
    solids_model.shape[6].mask = 1;
    return seal();
}

// What overlaps a shape is what has a distance below the margin from a body with that shape.
static void test_overlap(void)
{
    rng r = {12};
    int wrong = 0, found = 0, counted = 0;
    for (int i = 0; i < RUN(120, 3); i++) {
        if (!any_world(&r)) { break; }
        const uint16_t probe = (uint16_t)rng_below(&r, 7);
        tac_shape shape = solids_model.shape[probe];
        shape.pose = solids_state.pose[probe + 1];
        shape.mask = UINT16_MAX;
        shape.group = UINT16_MAX;
        const double margin = rng_range(&r, -0.2, 0.8);
        uint16_t list[TAC_MAX_SHAPES], few[2] = {TAC_NONE, TAC_NONE};
        const int32_t count =
            tac_overlap(&solids_model, &solids_state, &shape, (tac_real)margin, &solids_work, list, TAC_MAX_SHAPES);
        counted += tac_overlap(&solids_model, &solids_state, &shape, (tac_real)margin, &solids_work, few, 1) != count ||
                   few[1] != TAC_NONE || (count > 0 && few[0] != list[0]);
        int at = 0;
        for (uint16_t k = 0; k < 8; k++) {
            if (k == probe) { continue; }
            tac_nearest f;
            if (!ask((uint16_t)(k + 1), (uint16_t)(probe + 1), &f)) { wrong++; }
            const int listed = at < count && list[at] == k, near = (double)f.gap < margin;
            at += listed;
            found += listed;
            wrong += listed != near && d_abs((double)f.gap - margin) > 10.0 * EXACT;
        }
        wrong += at != count;
    }
    tap_note("overlapping", found);
    tap_equal(wrong, 0, "what overlaps a shape is what is nearer than the margin");
    tap_equal(counted, 0, "what finds no room is counted");
    any_world(&r);
    tac_shape shape = solids_model.shape[0];
    shape.pose = solids_state.pose[1];
    shape.body = TAC_NONE;
    uint16_t first = TAC_NONE;
    tap_ok(tac_overlap(&solids_model, &solids_state, &shape, 0, &solids_work, &first, 1) >= 1 && first == 0,
           "a shape of no body meets all");
    shape.group = 2;
    solids_model.shape[0].mask = 5;
    tap_ok(tac_overlap(&solids_model, &solids_state, &shape, 0, &solids_work, &first, 0) >= 0, "a list without room");
}

// ------------------------------------------------------------------------------------------------------------ contacts

static int same_contact(const tac_contact *a, const tac_contact *b)
{
    return a->id.shape_a == b->id.shape_a && a->id.shape_b == b->id.shape_b && a->id.feature == b->id.feature &&
           a->body_a == b->body_a && a->body_b == b->body_b && truth_equal(&a->point, &b->point, sizeof a->point) &&
           truth_equal(&a->n, &b->n, 3 * sizeof a->n) && a->gap == b->gap && a->mu == b->mu;
}

// A step of a world at rest without gravity finds the contacts of all its bodies, in the same bits.
static void test_contacts(void)
{
    static tac_work step_work;
    static tac_state after;
    rng r = {21};
    int wrong = 0, total = 0;
    for (int i = 0; i < RUN(60, 2); i++) {
        if (!any_world(&r)) { break; }
        solids_model.options.margin = i & 1 ? TAC_AUTO : (tac_real)0.05;
        solids_model.options.max_sweeps = 1;
        if (!seal()) { break; }
        after = solids_state;
        if (tac_step(&solids_model, &after, NULL, &step_work) < 0 || step_work.report.dropped) { continue; }
        for (uint16_t body = 0; body < 9; body++) {
            const tac_status status =
                tac_contacts(&solids_model, &solids_state, body, solids_model.options.margin, &solids_work);
            int at = 0;
            for (int k = 0; k < step_work.report.contacts; k++) {
                const tac_contact *c = &step_work.contact[k];
                if (c->body_a != body && c->body_b != body) { continue; }
                wrong += at >= solids_work.report.contacts || !same_contact(c, &solids_work.contact[at]);
                at++;
            }
            wrong += status != TAC_OK || at != solids_work.report.contacts;
            wrong += tac_check(&solids_model, &solids_state, &solids_work, NULL) != TAC_OK;
            total += at;
        }
    }
    tap_note("contacts", total);
    tap_least(total, RUN(100, 2), "bodies have contacts");
    tap_equal(wrong, 0, "they are those of a step, to the bit");
}

// ------------------------------------------------------------------------------------------------------------- refused

static void test_refused(void)
{
    rng r = {3};
    tac_nearest f;
    uint16_t list[2];
    any_world(&r);
    const tac_model *m = &solids_model;
    const tac_state *s = &solids_state, before = solids_state;
    tac_work *w = &solids_work;
    tap_equal(tac_distance(NULL, s, 1, 2, w, &f), TAC_E_ARG, "distance: no model");
    tap_equal(tac_distance(m, NULL, 1, 2, w, &f), TAC_E_ARG, "no state");
    tap_equal(tac_distance(m, s, 1, 2, NULL, &f), TAC_E_ARG, "no work area");
    tap_equal(tac_distance(m, s, 1, 2, w, NULL), TAC_E_ARG, "no result");
    tap_equal(tac_distance(m, s, 1, 1, w, &f), TAC_E_ARG, "the same body twice");
    tap_equal(tac_distance(m, s, 1, 9, w, &f), TAC_E_ARG, "a body out of range");
    tap_equal(tac_distance(m, s, 0, 1, w, &f), TAC_OK, "the ground has no shape");
    tap_ok(f.shape_a == TAC_NONE && f.shape_b == TAC_NONE && (double)f.gap > 1e30, "so there is no distance");

    tac_shape shape = m->shape[2];
    tap_equal(tac_overlap(NULL, s, &shape, 0, w, list, 2), TAC_E_ARG, "overlap: no model");
    tap_equal(tac_overlap(m, s, NULL, 0, w, list, 2), TAC_E_ARG, "no shape");
    tap_equal(tac_overlap(m, s, &shape, 0, w, NULL, 2), TAC_E_ARG, "no list");
    tap_equal(tac_overlap(m, s, &shape, real_nan(), w, list, 2), TAC_E_ARG, "no margin");
    shape.kind = TAC_SHAPE_KINDS;
    tap_equal(tac_overlap(m, s, &shape, 0, w, list, 2), TAC_E_ARG, "no kind");
    shape = m->shape[6];
    shape.data = 2;
    tap_equal(tac_overlap(m, s, &shape, 0, w, list, 2), TAC_E_ARG, "no hull");
    shape = m->shape[2];
    shape.size.y = 0;
    tap_equal(tac_overlap(m, s, &shape, 0, w, list, 2), TAC_E_ARG, "no size");
    shape = m->shape[2];
    shape.pose.p.x = real_inf();
    tap_equal(tac_overlap(m, s, &shape, 0, w, list, 2), TAC_E_NAN, "a pose that is not finite");

    tap_equal(tac_contacts(m, s, 1, TAC_AUTO, NULL), TAC_E_ARG, "contacts: no work area");
    tap_equal(tac_contacts(NULL, s, 1, TAC_AUTO, w), TAC_E_ARG, "no model");
    tap_equal(tac_contacts(m, s, 9, TAC_AUTO, w), TAC_E_ARG, "a body out of range");
    tap_equal(tac_contacts(m, s, 1, (tac_real)-2, w), TAC_E_ARG, "a negative margin");
    tap_equal(tac_contacts(m, s, 1, real_nan(), w), TAC_E_ARG, "a margin that is no number");
    tap_ok(w->report.status == TAC_E_ARG && w->report.contacts == 0, "the report says so");

    tap_equal(tac_step_begin(m, s, NULL, w), TAC_OK, "a step begins");
    tap_equal(tac_distance(m, s, 1, 2, w, &f), TAC_OK, "a question in between");
    tap_equal(tac_step_sweep(m, w, 1), TAC_E_ORDER, "gives it up");
    tap_ok(truth_equal(&before, s, sizeof before), "the state is as it was");

    const tac_status bad[3] = {TAC_E_NAN, TAC_E_MODEL, TAC_E_MODEL};
    for (int i = 0; i < 3; i++) {
        solids_state = before;
        if (i == 0) { solids_state.pose[2].p.z = real_nan(); }
        if (i == 1) { solids_state.model_hash ^= 1; }
        if (i == 2) { solids_model.hash = 0; }
        shape = m->shape[2];
        tap_equal(tac_distance(m, s, 1, 2, w, &f), bad[i], "distance of a bad state");
        tap_equal(tac_overlap(m, s, &shape, 0, w, list, 2), bad[i], "overlap in a bad state");
        tap_equal(tac_contacts(m, s, 1, TAC_AUTO, w), bad[i], "contacts in a bad state");
    }
}

// -------------------------------------------------------------------------------------------------------- other sizes

static double off_unit(tac_vec3 n)
{
    return d_abs(d3_norm(d3_of(n)) - 1);
}

// Two shapes of any kinds, about each other's centre, one of them many times larger: where rounding leaves no facet of
// their difference a normal, there is one all the same.
static void test_sizes(void)
{
    rng r = {79};
    double worst = 0;
    int found = 0;
    for (int i = 0; i < RUN(20000, 300); i++) {
        const double large = octave_range(&r, 1, TOL(1e19, 1e5));
        const double thick = rng_below(&r, 2) ? large : 1, thin = rng_below(&r, 2) ? 0.016 : 1;
        tac_shape a = tac_shape_make(0, CONVEX[rng_below(&r, 6)], vec(large, thick, thick)),
                  b = tac_shape_make(1, CONVEX[rng_below(&r, 6)], vec(1.6, 1.6, thin));
        tac_body body = tac_body_make(TAC_DYNAMIC, d3_to(rng_box(&r, 1.5)));
        tac_nearest near;
        solids_begin();
        a.pose.q = dq_to(rng_quat(&r));
        if (a.kind != TAC_SPHERE && a.kind != TAC_CAPSULE && rng_below(&r, 2)) {
            a.rounding = (tac_real)(0.1 * large * rng_range(&r, 0, 1));
        }
        tac_model_add_body(&solids_model, &body);
        tac_model_add_shape(&solids_model, &a);
        tac_model_add_shape(&solids_model, &b);
        if (!seal() || tac_distance(&solids_model, &solids_state, 0, 1, &solids_work, &near) != TAC_OK) { continue; }
        found++;
        d_worst(&worst, off_unit(near.n));
        if (tac_contacts(&solids_model, &solids_state, 1, TAC_AUTO, &solids_work) < 0) { continue; }
        for (int k = 0; k < solids_work.report.contacts; k++) { d_worst(&worst, off_unit(solids_work.contact[k].n)); }
    }
    tap_equal(found, RUN(20000, 300), "each pair has a distance, whatever the sizes");
    tap_most(worst, TOL(1e-12, 1e-5), "and a normal of unit length");
}

int main(void)
{
    tap_note("seed", 77);
    test_pairs(1.0, "far and near:");
    test_pairs(0.3, "deep:");
    test_surfaces();
    test_above();
    test_overlap();
    test_contacts();
    test_sizes();
    test_refused();
    return tap_done();
}
