// SPDX-License-Identifier: MIT
// Rays and balls against every kind of shape.
//
// The distance of a convex shape along a line is a convex function: its least value is found by thirds, and from there
// the place where it reaches the ball's radius by halves. So the oracle misses nothing, however short the chord is. A
// mesh and a field are taken triangle by triangle, each of them convex.
#include "solids.h"

enum { RAYS = RUN(300, 4), SURFACE_RAYS = RUN(200, 2), THIRDS = 160 };

#define EXACT TOL(1e-9, 1e-5)  // of the distance and the size: what the kernel states
#define CLOSING 0.05           // cosine: rays that are more along the surface graze it
#define NORMAL TOL(1e-6, 2e-3) // of the size: how far of a shape may stick out of the plane that the normal makes

// ------------------------------------------------------------------------------------------------------------- oracle

typedef struct line {
    d3 o, d;
    double range, radius;
} line;

static d3 line_at(const line *l, double t)
{
    return d3_add(l->o, d3_scale(t, l->d));
}

// One triangle of the shape, or all of it if `triangle` is negative.
static double reach_of(const solid *s, int triangle, d3 x)
{
    if (triangle < 0) { return solid_distance(s, x); }
    d3 t[3];
    solid_triangle(s, triangle, t);
    return triangle_distance(t, solid_in(s, x));
}

// Where the ball first touches what is convex, or a negative number. `least` is how near it comes.
static double first_touch(const solid *s, int triangle, const line *l, double *least)
{
    double low = 0.0, high = l->range;
    for (int i = 0; i < THIRDS; i++) {
        const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (reach_of(s, triangle, line_at(l, a)) <= reach_of(s, triangle, line_at(l, b))) {
            high = b;
        } else {
            low = a;
        }
    }
    const double at_low = reach_of(s, triangle, line_at(l, low)), at_high = reach_of(s, triangle, line_at(l, high));
    *least = d_min(at_low, at_high) - l->radius;
    if (*least > 0.0) { return -1.0; }
    high = at_low < at_high ? low : high;
    low = 0.0;
    if (reach_of(s, triangle, l->o) <= l->radius) { return 0.0; }
    for (int i = 0; i < 100; i++) {
        const double t = 0.5 * (low + high);
        if (reach_of(s, triangle, line_at(l, t)) > l->radius) {
            low = t;
        } else {
            high = t;
        }
    }
    return high;
}

// A ray has no width: where it goes through a triangle, or a negative number. `least` is how far inside the edges.
static double first_through(const solid *s, int triangle, const line *l, double *least)
{
    d3 t[3];
    solid_triangle(s, triangle, t);
    const d3 o = solid_in(s, l->o), d = d3_sub(solid_in(s, line_at(l, 1.0)), o);
    const d3 n = d3_cross(d3_sub(t[1], t[0]), d3_sub(t[2], t[0]));
    const double at = d3_dot(n, d3_sub(t[0], o)) / d3_dot(n, d);
    const d3 x = d3_add(o, d3_scale(at, d));
    *least = 1e300;
    for (int i = 0; i < 3; i++) {
        const d3 e = d3_sub(t[(i + 1) % 3], t[i]);
        *least = d_min(*least, d3_dot(d3_cross(n, e), d3_sub(x, t[i])) / (d3_norm(n) * d3_norm(e)));
    }
    return *least > 0.0 && at >= 0.0 && at <= l->range ? at : -1.0;
}

// The same over the triangles of a surface. `doubt` is the narrowest decision.
static double surface_touch(const solid *s, const line *l, double *doubt)
{
    double first = -1.0;
    *doubt = 1e300;
    for (int i = 0; i < solid_triangles(s); i++) {
        double least;
        const double t = l->radius > 0.0 ? first_touch(s, i, l, &least) : first_through(s, i, l, &least);
        if (l->radius > 0.0) { *doubt = d_min(*doubt, d_abs(least)); }
        if (t >= 0.0 && (first < 0.0 || t < first)) { first = t; }
    }
    return first;
}

// ------------------------------------------------------------------------------------------------------------ one ray

static tac_ray ray_of(const line *l)
{
    return (tac_ray){d3_to(l->o), d3_to(l->d), (tac_real)l->range, (tac_real)l->radius, TAC_NONE, 1, UINT16_MAX};
}

// The line that the kernel takes the ray for.
static line line_of(const tac_ray *r)
{
    const d3 d = d3_of(r->direction);
    return (line){d3_of(r->origin), d3_scale(1.0 / d3_norm(d), d), (double)r->range, (double)r->radius};
}

// From a point `far` sizes away to one within 0.4 sizes of the shape.
static line random_line(rng *r, const solid *s, double far, double radius)
{
    const double size = solid_size(s) + radius;
    const d3 away = dq_rotate(rng_quat(r), d3_make(far * size, 0.0, 0.0));
    const d3 to = rng_box(r, 0.4 * size), from = d3_add(s->p, away);
    const d3 d = d3_sub(d3_add(s->p, to), from);
    return (line){from, d3_scale(rng_range(r, 0.5, 2.0) / d3_norm(d), d), (far + 2.0) * size, radius};
}

typedef struct tally {
    int met, missed, wrong, left;
    double distance, point, normal;
} tally;

// A hit on a convex shape: the point is on it, and all of it lies below the plane there.
static void tally_surface(tally *y, const solid *s, const tac_hit *h, double size)
{
    const d3 n = d3_of(h->n), x = d3_of(h->point);
    d_worst(&y->point, solid_distance(s, x) / size);
    d_worst(&y->normal, d3_norm(n) - 1.0);
    if (s->kind == TAC_HALF_SPACE || s->kind == TAC_MESH || s->kind == TAC_FIELD) { return; }
    d_worst(&y->normal, d_max(solid_reach(s, n) - d3_dot(n, x), 0.0) / size);
}

static void tally_ray(tally *y, const solid *s, const line *random)
{
    const tac_ray ray = ray_of(random);
    const line l = line_of(&ray);
    tac_hit hit;
    if (tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit) != TAC_OK) {
        y->wrong++;
        return;
    }
    const int surface = s->kind == TAC_MESH || s->kind == TAC_FIELD, met = hit.shape != TAC_NONE;
    const double size = solid_size(s) + l.radius, span = size + d3_norm(d3_sub(l.o, s->p)) + d3_norm(s->p);
    double doubt;
    const double t = surface ? surface_touch(s, &l, &doubt) : first_touch(s, -1, &l, &doubt);
    if (!met && t < 0.0) {
        y->missed++;
        return;
    }
    const double closing = -d3_dot(d3_of(hit.n), l.d);
    const int clear = surface && l.radius == 0.0 ? 1 : d_abs(doubt) > EXACT * span || l.radius == 0.0;
    if (!clear || (met && closing < CLOSING)) {
        y->left++;
        return;
    }
    if (met != (t >= 0.0)) {
        y->wrong++;
        return;
    }
    y->met++;
    d_worst(&y->distance, ((double)hit.distance - t) / span);
    tally_surface(y, s, &hit, span);
}

static int world_of(solid *s)
{
    solids_begin();
    solids_add(s);
    const tac_status status = tac_model_seal(&solids_model, NULL);
    if (status != TAC_OK || tac_state_init(&solids_model, &solids_state, NULL) != TAC_OK) { return 0; }
    solid_settle(s, 1);
    return 1;
}

static void test_random(uint8_t kind)
{
    rng r = {1000u + kind};
    tally y = {0};
    const double scales[3] = {1.0, 1e-3, 1e2};
    for (int i = 0; i < (kind >= TAC_MESH ? SURFACE_RAYS : RAYS) && kind != TAC_HALF_SPACE; i++) {
        const double scale = scales[i % 3];
        solid s = solid_random(&r, kind, scale, i & 1);
        if (i % 5 == 4) { s.p = d3_real(rng_box(&r, 100.0 * scale)); }
        if (!world_of(&s)) {
            tap_ok(0, tap_joined(SOLID_NAME[kind], "the world is refused"));
            return;
        }
        for (int k = 0; k < 4; k++) {
            line l = random_line(&r, &s, k == 3 ? 40.0 : 3.0, k & 1 ? to_real(scale * rng_range(&r, 0.01, 0.4)) : 0.0);
            if (kind == TAC_FIELD && solid_in(&s, l.o).z < 2.0 * s.scale) { continue; } // below it is solid
            tally_ray(&y, &s, &l);
        }
    }
    tap_note(tap_joined(SOLID_NAME[kind], "met"), y.met);
    tap_note("missed", y.missed);
    tap_note("left out", y.left);
    tap_note("error of distance", y.distance);
    tap_note("error of point", y.point);
    tap_note("sticking out of the plane", y.normal);
    tap_equal(y.wrong, 0, tap_joined(SOLID_NAME[kind], "is met where it should be and nowhere else"));
    tap_least(y.met, RUN(20, 1), tap_joined(SOLID_NAME[kind], "is met"));
    tap_most(y.distance, EXACT, tap_joined(SOLID_NAME[kind], "distance"));
    tap_most(y.point, EXACT, tap_joined(SOLID_NAME[kind], "the point is on the shape"));
    tap_most(y.normal, NORMAL, tap_joined(SOLID_NAME[kind], "the normal's plane bounds the shape"));
}

int main(void)
{
    tap_note("seed", 1000);
    for (uint8_t kind = TAC_SPHERE; kind < TAC_SHAPE_KINDS; kind++) { test_random(kind); }
    return tap_done();
}
