// SPDX-License-Identifier: MIT
// Rays and balls against every kind of shape.
//
// The distance of a convex shape along a line is a convex function: its least value is found by thirds, and from there
// the place where it reaches the ball's radius by halves. So the oracle misses nothing, however short the chord is. A
// mesh and a field are taken triangle by triangle, each of them convex.
#include "solids.h"

enum { RAYS = RUN(300, 4), SURFACE_RAYS = RUN(200, 2), THIRDS = 160 };

#define EXACT TOL(1e-9, 1e-5)     // of the distance and the size: what the kernel states
#define CLOSING 0.05              // cosine: rays that are more along the surface graze it
#define HAIR_HULL TOL(1e-7, 1e-4) // where the search for nearest points may stall: at a corner
#define NORMAL TOL(1e-6, 2e-3)    // of the size: how far of a shape may stick out of the plane that the normal makes

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
    if (s->kind == TAC_HALF_SPACE || s->kind == TAC_MESH || s->kind == TAC_HEIGHT_FIELD) { return; }
    d_worst(&y->normal, d_max(solid_reach(s, n) - d3_dot(n, x), 0.0) / size);
}

// Is a shape that is met at t, not too near the start, met by a ray that ends behind it, and not by one that ends before?
static int ends_well(const tac_ray *ray, double t, double span)
{
    const double near = 0.005 * span;
    if (t < 2.0 * near) { return 1; }
    tac_ray cut = *ray;
    tac_hit hit;
    cut.range = (tac_real)(t - near);
    int good = tac_cast(&solids_model, &solids_state, &cut, &solids_work, &hit) == TAC_OK && hit.shape == TAC_NONE;
    cut.range = (tac_real)(t + near);
    good &= tac_cast(&solids_model, &solids_state, &cut, &solids_work, &hit) == TAC_OK && hit.shape != TAC_NONE;
    return good;
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
    const int surface = s->kind == TAC_MESH || s->kind == TAC_HEIGHT_FIELD, met = hit.shape != TAC_NONE;
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
    y->wrong += !ends_well(&ray, t, span);
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
            if (kind == TAC_HEIGHT_FIELD && solid_in(&s, l.o).z < 2.0 * s.scale) { continue; } // below it is solid
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

// -------------------------------------------------------------------------------------------------------- closed forms

static const tac_quat UPRIGHT = {1, 0, 0, 0};

static tac_hit shoot(double ox, double oy, double oz, double dx, double dy, double dz, double radius)
{
    const line l = {d3_make(ox, oy, oz), d3_make(dx, dy, dz), 100.0, radius};
    const tac_ray ray = ray_of(&l);
    tac_hit hit;
    truth_fill(&hit, sizeof hit, 0x5a);
    tap_equal(tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit), TAC_OK, "cast");
    return hit;
}

static void expect(tac_hit h, double distance, d3 point, d3 n, const char *name)
{
    const double far = d3_norm(d3_sub(d3_of(h.point), point)) + d3_norm(d3_sub(d3_of(h.n), n));
    tap_ok(h.shape == 0 && h.body == 1, tap_joined(name, "met"));
    tap_near(h.distance, distance, 100.0 * EXACT, tap_joined(name, "distance"));
    tap_most(far, TOL(1e-7, 1e-3), tap_joined(name, "point and normal"));
}

static void expect_nothing(tac_hit h, const char *name)
{
    tap_ok(h.shape == TAC_NONE && h.body == TAC_NONE && (double)h.distance == 100.0 && d3_norm(d3_of(h.n)) == 0.0,
           name);
}

static solid plain(uint8_t kind, double x, double y, double z)
{
    return (solid){kind, {x, y, z}, 0.0, 1.0, {0, 0, 0}, {1, 0, 0, 0}};
}

static void test_closed(void)
{
    solid s = plain(TAC_HALF_SPACE, 0, 0, 0);
    world_of(&s);
    expect(shoot(1, 2, 3, 0, 0.6, -0.8, 0), 3.75, d3_make(1, 4.25, 0), d3_make(0, 0, 1), "half-space");
    expect(shoot(1, 2, 3, 0, 0, -5, 0.5), 2.5, d3_make(1, 2, 0), d3_make(0, 0, 1), "half-space and ball");
    expect_nothing(shoot(1, 2, 3, 0, 1, 0, 0.5), "along a half-space");
    s = plain(TAC_SPHERE, 0.5, 0, 0);
    world_of(&s);
    expect(shoot(-3, 0.3, 0, 2, 0, 0, 0), 2.6, d3_make(-0.4, 0.3, 0), d3_make(-0.8, 0.6, 0), "sphere");
    expect(shoot(-3, 0.6, 0, 2, 0, 0, 0.5), 2.2, d3_make(-0.4, 0.3, 0), d3_make(-0.8, 0.6, 0), "sphere and ball");
    s = plain(TAC_CAPSULE, 0.5, 0, 1);
    world_of(&s);
    expect(shoot(-3, 0, 0.9, 1, 0, 0, 0.25), 2.25, d3_make(-0.5, 0, 0.9), d3_make(-1, 0, 0), "capsule");
    expect(shoot(0, 0.3, 4, 0, 0, -1, 0), 2.6, d3_make(0, 0.3, 1.4), d3_make(0, 0.6, 0.8), "capsule's end");
    s = plain(TAC_BOX, 1, 2, 3);
    world_of(&s);
    expect(shoot(-5, 1.9, 2.9, 1, 0, 0, 0), 4, d3_make(-1, 1.9, 2.9), d3_make(-1, 0, 0), "box");
    expect(shoot(-5, 2.3, 0, 1, 0, 0, 0.5), 3.6, d3_make(-1, 2, 0), d3_make(-0.8, 0.6, 0), "box's edge and ball");
    s = plain(TAC_CYLINDER, 0.5, 0, 1);
    world_of(&s);
    expect(shoot(0.3, 0.3, 5, 0, 0, -1, 0), 4, d3_make(0.3, 0.3, 1), d3_make(0, 0, 1), "cylinder's end");
    expect(shoot(-3, 0.3, 0.5, 1, 0, 0, 0), 2.6, d3_make(-0.4, 0.3, 0.5), d3_make(-0.8, 0.6, 0), "cylinder's side");
    s = plain(TAC_CONE, 1, 0, 0.5);
    world_of(&s);
    const double k = d_sqrt(0.5);
    expect(shoot(-3, 0, 0, 1, 0, 0, 0), 2.5, d3_make(-0.5, 0, 0), d3_make(-k, 0, k), "cone's side");
    expect(shoot(0.3, 0, -3, 0, 0, 1, 0), 2.5, d3_make(0.3, 0, -0.5), d3_make(0, 0, -1), "cone's base");
    expect(shoot(0, 0, 3, 0, 0, -1, 0.25), 2.25, d3_make(0, 0, 0.5), d3_make(0, 0, 1), "cone's apex and ball");
    s = plain(TAC_ELLIPSOID, 1, 2, 3);
    world_of(&s);
    expect(shoot(0, 0, 9, 0, 0, -1, 0.5), 5.5, d3_make(0, 0, 3), d3_make(0, 0, 1), "ellipsoid");
    s = plain(TAC_ELLIPSOID, 1, 0.01, 0.5);
    world_of(&s);
    expect(shoot(0.5, 3, 0, 0, -1, 0, 0), 2.99133974596, d3_make(0.5, 0.00866025404, 0),
           d3_make(0.00577340686, 0.99998333375, 0), "coin of an ellipsoid");
    expect(shoot(3, 0, 0, -1, 0, 0, 0), 2, d3_make(1, 0, 0), d3_make(1, 0, 0), "its rim");
    s = plain(TAC_HEIGHT_FIELD, 0, 0, 0);
    world_of(&s);
    expect(shoot(0.5, 0.1, 5, 0, 0, -1, 0), 4.825, d3_make(0.5, 0.1, 0.175),
           d3_make(-0.371390676, 0.557086015, 0.742781353), "field");
    expect_nothing(shoot(-0.001, 0.5, 5, 0, 0, -1, 0), "beside a field");
}

// Rays that start inside: distance 0, the shortest way out.
static void test_inside(void)
{
    solid s = plain(TAC_BOX, 1, 2, 3);
    world_of(&s);
    expect(shoot(0.2, 1.9, 0, 1, 0, 0, 0), 0, d3_make(0.2, 2, 0), d3_make(0, 1, 0), "in a box");
    expect(shoot(0.2, 2.1, 0, 0, 1, 0, 0.5), 0, d3_make(0.2, 2, 0), d3_make(0, 1, 0), "a ball that leaves a box");
    expect(shoot(0.2, 2, 0, 0, 1, 0, 0), 0, d3_make(0.2, 2, 0), d3_make(0, 1, 0), "from a box's face");
    s = plain(TAC_SPHERE, 1, 0, 0);
    world_of(&s);
    expect(shoot(0, 0, 0.5, 1, 0, 0, 0), 0, d3_make(0, 0, 1), d3_make(0, 0, 1), "in a sphere");
    tap_near(d3_norm(d3_of(shoot(0, 0, 0, 1, 0, 0, 0).n)), 1.0, 1e-6, "from a sphere's centre");
    s = plain(TAC_CYLINDER, 1, 0, 2);
    world_of(&s);
    expect(shoot(0, 0.8, 0.3, 0, 0, 1, 0), 0, d3_make(0, 1, 0.3), d3_make(0, 1, 0), "in a cylinder");
    expect(shoot(0.1, 0, 1.9, 0, 0, -1, 0), 0, d3_make(0.1, 0, 2), d3_make(0, 0, 1), "below a cylinder's end");
    s = plain(TAC_ELLIPSOID, 1, 2, 3);
    world_of(&s);
    expect(shoot(0.75, 0, 0, 0, 0, 1, 0), 0, d3_make(1, 0, 0), d3_make(1, 0, 0), "in an ellipsoid");
    s = plain(TAC_HALF_SPACE, 0, 0, 0);
    world_of(&s);
    expect(shoot(1, 2, -30, 0, 0, -1, 0), 0, d3_make(1, 2, 0), d3_make(0, 0, 1), "deep in a half-space");
    s = plain(TAC_HEIGHT_FIELD, 0, 0, 0);
    world_of(&s);
    const tac_hit under = shoot(1.0, 1.0, -20, 0.1, 0, 1, 0);
    tap_ok(under.shape == 0 && (double)under.distance == 0.0 && under.n.z > 0, "deep below a field");
    s = plain(TAC_MESH, 0, 0, 0);
    world_of(&s);
    const tac_hit up = shoot(1.2, 0.7, -5, 0, 0, 1, 0), down = shoot(1.2, 0.7, 5, 0, 0, -1, 0);
    tap_near((double)(up.distance + down.distance), 10.0, 100.0 * EXACT, "a mesh is met from below as from above");
    tap_ok(up.n.z < 0 && down.n.z > 0, "with a normal against the ray");
    tap_ok(shoot(1.2, 0.7, 0.05, 0, 0, 1, 0.5).distance == 0, "a ball that a mesh cuts");
}

// ------------------------------------------------------------------------------------------------------------- grazing

// Past each shape at the distance of its plane across a random direction: a hair nearer it is met, a hair farther not.
static void test_grazing(void)
{
    rng r = {31};
    int passed = 0, stopped = 0, wrong = 0;
    for (int i = 0; i < RUN(1400, 14); i++) {
        solid s = solid_random(&r, (uint8_t)(TAC_SPHERE + i % 7), 1.0, i & 1);
        const double radius = i & 2 ? to_real(0.3) : 0.0, hair = s.kind == TAC_HULL ? HAIR_HULL : TOL(1e-12, 1e-5);
        if (!world_of(&s)) { break; }
        const d3 n = d3_of(d3_to(dq_rotate(rng_quat(&r), d3_make(1, 0, 0)))), any = rng_box(&r, 1.0);
        const d3 along = d3_scale(1.0 / d3_norm(d3_cross(n, any)), d3_cross(n, any));
        // a point that is farthest along n: between planes that look a little aside
        d3 top = {0, 0, 0};
        const d3 u = along, v = d3_cross(n, along);
        const double a = 1e-4;
        const double fu = solid_reach(&s, d3_add(n, d3_scale(a, u))) - solid_reach(&s, d3_sub(n, d3_scale(a, u)));
        const double fv = solid_reach(&s, d3_add(n, d3_scale(a, v))) - solid_reach(&s, d3_sub(n, d3_scale(a, v)));
        top = d3_add(d3_scale(solid_reach(&s, n), n), d3_add(d3_scale(0.5 * fu / a, u), d3_scale(0.5 * fv / a, v)));
        for (int side = -1; side <= 1; side += 2) {
            const line l = {d3_add(d3_add(top, d3_scale(radius + side * hair, n)), d3_scale(-4.0, along)), along, 8.0,
                            radius};
            const tac_ray ray = ray_of(&l);
            const line taken = line_of(&ray);
            tac_hit hit;
            if (tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit) != TAC_OK) { wrong++; }
            const int met = hit.shape != TAC_NONE;
            double least;
            (void)first_touch(&s, -1, &taken, &least);
            if (met) {
                stopped++;
                wrong += least > TOL(1e-13, 1e-6);
            } else {
                passed++;
                wrong += solid_distance(&s, line_at(&taken, 4.0)) < radius - TOL(1e-13, 1e-6);
            }
        }
    }
    tap_note("grazing rays that pass", passed);
    tap_note("that are stopped", stopped);
    tap_equal(wrong, 0, "what is nearer than a hair is met, what is farther is not");
    tap_least(passed, RUN(300, 3), "some pass");
    tap_least(stopped, RUN(300, 3), "some are stopped");
}

// Straight down on every corner of a sheet and a field, and on every edge between: nothing gets through.
static void test_tight(void)
{
    const uint8_t kinds[2] = {TAC_MESH, TAC_HEIGHT_FIELD};
    rng r = {9};
    for (int k = 0; k < 2; k++) {
        int through = 0;
        solid s = plain(kinds[k], 0, 0, 0);
        s.q = rng_quat(&r);
        world_of(&s);
        for (int i = 0; i < solid_triangles(&s); i++) {
            d3 t[3];
            solid_triangle(&s, i, t);
            for (int e = 0; e < 3; e++) {
                const double part = rng_range(&r, 0.0, 1.0);
                d3 to = d3_add(d3_scale(part, t[e]), d3_scale(1.0 - part, t[(e + 1) % 3]));
                const double width = k ? (GRID - 1) * GRID_DX : 2.0, depth = k ? (GRID - 1) * GRID_DY : 2.0;
                if (to.x < 0.01 || to.y < 0.01 || to.x > width - 0.01 || to.y > depth - 0.01) { continue; }
                const d3 from = d3_add(to, d3_make(rng_range(&r, -1.0, 1.0), rng_range(&r, -1.0, 1.0), 3.0));
                const line l = {dq_rotate(s.q, from), dq_rotate(s.q, d3_sub(to, from)), 100.0, 0.0};
                const tac_ray ray = ray_of(&l);
                tac_hit hit;
                (void)tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit);
                through += hit.shape == TAC_NONE || (double)hit.distance > 1.001 * d3_norm(l.d);
            }
        }
        tap_equal(through, 0, tap_joined(SOLID_NAME[kinds[k]], "lets nothing through between triangles"));
    }
}

// ----------------------------------------------------------------------------------------------------------- the world

static void test_choice(void)
{
    solid s = plain(TAC_SPHERE, 0.5, 0, 0);
    solids_begin();
    for (int i = 0; i < 4; i++) { // at x = 2, 4, 6, and again 6
        s.p.x = i < 3 ? 2.0 * (i + 1) : 6.0;
        solids_add(&s);
    }
    solids_model.shape[1].group = 4;
    solids_model.shape[2].mask = 2;
    tap_ok(tac_model_seal(&solids_model, NULL) == TAC_OK &&
               tac_state_init(&solids_model, &solids_state, NULL) == TAC_OK,
           "four balls in a row");
    line l = {d3_make(0, 0, 0), d3_make(1, 0, 0), 20.0, 0.0};
    tac_ray ray = ray_of(&l);
    tac_hit hit, same;
    (void)tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit);
    tap_equal(hit.shape, 0, "the nearest");
    ray.direction.x = (tac_real)1024.0;
    (void)tac_cast(&solids_model, &solids_state, &ray, &solids_work, &same);
    tap_ok(truth_equal(&hit, &same, offsetof(tac_hit, body) + sizeof hit.body),
           "the length of the direction does not count");
    ray.body = 1;
    (void)tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit);
    tap_equal(hit.shape, 1, "a body that is left out");
    ray.mask = 3;
    (void)tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit);
    tap_equal(hit.shape, 3, "a group that is not met, and one that does not meet the ray");
    ray.group = 2;
    (void)tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit);
    tap_equal(hit.shape, 2, "of two that are equally near the first");
    ray.range = (tac_real)5.4;
    (void)tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit);
    tap_ok(hit.shape == TAC_NONE && hit.distance == ray.range, "out of range");
    ray.range = (tac_real)5.5;
    (void)tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit);
    tap_equal(hit.shape, 2, "at the end of the range");
}

// A body whose principal frame is not its own, a shape off both: where the ray meets it is where it is.
static void test_frames(void)
{
    solids_begin();
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(1, 2, 3));
    b.inertial.p = vec(0.5, 0.25, -1);
    b.inertial.q = dq_to(dq_about(d3_make(1, 2, 3), 0.7));
    b.pose.q = dq_to(dq_about(d3_make(0, 0, 1), 0.5 * TRUTH_PI));
    (void)tac_model_add_body(&solids_model, &b);
    tac_shape shape = tac_shape_make(1, TAC_BOX, vec(0.5, 1, 0.25));
    shape.pose = (tac_pose){vec(2, 0, 0), UPRIGHT};
    (void)tac_model_add_shape(&solids_model, &shape);
    tap_ok(tac_model_seal(&solids_model, NULL) == TAC_OK &&
               tac_state_init(&solids_model, &solids_state, NULL) == TAC_OK,
           "a shape off its body");
    expect(shoot(1.3, -5, 3, 0, 1, 0, 0), 8.5, d3_make(1.3, 3.5, 3), d3_make(0, -1, 0), "off its body:");
}

static void refuse(const tac_ray *ray, tac_status status, const char *name)
{
    tac_hit hit, before;
    truth_fill(&hit, sizeof hit, 0x5a);
    truth_copy(&before, &hit, sizeof hit);
    tap_equal(tac_cast(&solids_model, &solids_state, ray, &solids_work, &hit), status, name);
    tap_ok(truth_equal(&hit, &before, sizeof hit), "and nothing is written");
}

static void test_refused(void)
{
    solid s = plain(TAC_CYLINDER, 0.5, 0, 1);
    world_of(&s);
    const line l = {d3_make(3, 0, 0), d3_make(-1, 0, 0), 20.0, 0.0};
    const tac_ray good = ray_of(&l);
    tac_hit hit;
    const tac_state state = solids_state;
    tap_equal(tac_cast(NULL, &solids_state, &good, &solids_work, &hit), TAC_E_ARG, "no model");
    tap_equal(tac_cast(&solids_model, NULL, &good, &solids_work, &hit), TAC_E_ARG, "no state");
    tap_equal(tac_cast(&solids_model, &solids_state, NULL, &solids_work, &hit), TAC_E_ARG, "no ray");
    tap_equal(tac_cast(&solids_model, &solids_state, &good, NULL, &hit), TAC_E_ARG, "no work area");
    tap_equal(tac_cast(&solids_model, &solids_state, &good, &solids_work, NULL), TAC_E_ARG, "no hit");
    tac_ray ray = good;
    ray.direction = vec(0, 0, 0);
    refuse(&ray, TAC_E_ARG, "no direction");
    ray = good;
    ray.range = (tac_real)-1;
    refuse(&ray, TAC_E_ARG, "a negative range");
    ray = good;
    ray.radius = (tac_real)-1;
    refuse(&ray, TAC_E_ARG, "a negative radius");
    for (int i = 0; i < 8; i++) {
        ray = good;
        tac_real *x[8] = {&ray.origin.x,    &ray.origin.y,    &ray.origin.z, &ray.direction.x,
                          &ray.direction.y, &ray.direction.z, &ray.range,    &ray.radius};
        *x[i] = i & 1 ? real_inf() : real_nan();
        refuse(&ray, TAC_E_NAN, tap_numbered("not finite", i));
    }
    solids_state.pose[1].q.y = real_nan();
    refuse(&good, TAC_E_NAN, "a pose that is not finite");
    solids_state = state;
    solids_state.model_hash++;
    refuse(&good, TAC_E_MODEL, "another model's state");
    solids_state = state;
    // what is huge or tiny is answered, or refused; a NaN never comes out, no loop runs away
    const double sizes[4] = {1e-30, 1e15, 1e25, 3e37};
    for (int i = 0; i < 64; i++) {
        ray = good;
        ray.origin = vec(sizes[i & 3], sizes[i >> 2 & 3], -sizes[i & 3]);
        ray.direction = vec(-sizes[i >> 4], -sizes[i >> 2 & 3], sizes[i & 3]);
        ray.range = (tac_real)3e38;
        const tac_status status = tac_cast(&solids_model, &solids_state, &ray, &solids_work, &hit);
        const double sum = (double)hit.distance + d3_norm(d3_of(hit.n)) + (double)hit.point.x;
        if (!(status == TAC_E_NAN || status == TAC_E_ARG || (status == TAC_OK && sum - sum == 0.0))) {
            tap_ok(0, tap_numbered("huge ray", i));
        }
    }
    tap_ok(truth_equal(&state, &solids_state, sizeof state), "the state is as it was");
}

int main(void)
{
    tap_note("seed", 1000);
    for (uint8_t kind = TAC_SPHERE; kind < TAC_SHAPE_KINDS; kind++) { test_random(kind); }
    test_closed();
    test_inside();
    test_grazing();
    test_tight();
    test_choice();
    test_frames();
    test_refused();
    return tap_done();
}
