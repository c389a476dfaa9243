// SPDX-License-Identifier: MIT
// Convex hulls against brute force: points of every kind of solid, turned, shifted and scaled, and random ones.
// config: large
#include "tap.h"
#include "truth.h"

enum { MOST = 1002 };

static tac_model m;
static tac_vec3 given[MOST];
static uint32_t count;
static double size; // of the points given

static uint32_t tried, failed;

// Thousands of checks make one line: those that fail speak for themselves.
static void check(int good, const char *name)
{
    tried++;
    if (good) { return; }
    failed++;
    tap_ok(0, name);
}

static void summary(const char *name)
{
    tap_note("  checks", tried);
    tap_ok(tried > 0 && failed == 0, name);
    tried = failed = 0;
}

static void clear(void)
{
    count = 0;
}

static void put(d3 p)
{
    if (count < MOST) { given[count++] = d3_to(p); }
}

// Turns, scales and shifts the points.
static void place(dq turn, double scale, d3 shift)
{
    for (uint32_t i = 0; i < count; i++) {
        given[i] = d3_to(d3_add(shift, d3_scale(scale, dq_rotate(turn, d3_of(given[i])))));
    }
}

static d3 point_of(const tac_polyhedron *p, uint32_t i)
{
    return d3_of(m.point[p->first_point + i]);
}

static const tac_edge *edge_of(const tac_polyhedron *p, const tac_face *f, uint32_t k)
{
    return &m.edge[p->first_edge + f->first + k % f->edges];
}

static double extent(void)
{
    d3 low = d3_of(given[0]), high = low;
    for (uint32_t i = 0; i < count; i++) {
        const d3 p = d3_of(given[i]);
        low = d3_make(d_min(low.x, p.x), d_min(low.y, p.y), d_min(low.z, p.z));
        high = d3_make(d_max(high.x, p.x), d_max(high.y, p.y), d_max(high.z, p.z));
    }
    return d_max(high.x - low.x, d_max(high.y - low.y, high.z - low.z));
}

// Each edge once on each side, and Euler's formula.
static int closed(const tac_polyhedron *p)
{
    uint32_t joined = 0;
    for (uint32_t f = 0; f < p->faces; f++) {
        const tac_face *face = &m.face[p->first_face + f];
        for (uint32_t k = 0; k < face->edges; k++) {
            const tac_edge *e = edge_of(p, face, k);
            const uint16_t end = edge_of(p, face, k + 1)->point;
            if (e->across >= p->faces || e->point >= p->points || e->across == f) { return 0; }
            const tac_face *other = &m.face[p->first_face + e->across];
            for (uint32_t j = 0; j < other->edges; j++) {
                const tac_edge *back = edge_of(p, other, j);
                joined += back->point == end && edge_of(p, other, j + 1)->point == e->point && back->across == f;
            }
        }
    }
    return joined == p->edges && p->points + p->faces == p->edges / 2 + 2;
}

// How far any point lies above any face, how far corners are from their planes, how deep they lie inside their polygon;
// relative to the size.
static double worst_fit(const tac_polyhedron *p)
{
    double worst = 0.0;
    for (uint32_t f = 0; f < p->faces; f++) {
        const tac_face *face = &m.face[p->first_face + f];
        const d3 n = d3_of(face->n);
        for (uint32_t i = 0; i < count; i++) { worst = d_max(worst, d3_dot(n, d3_of(given[i])) - (double)face->d); }
        for (uint32_t k = 0; k < face->edges; k++) {
            const d3 a = point_of(p, edge_of(p, face, k)->point), b = point_of(p, edge_of(p, face, k + 1)->point);
            const d3 c = point_of(p, edge_of(p, face, k + 2)->point), across = d3_sub(c, a);
            worst = d_max(worst, d_abs(d3_dot(n, a) - (double)face->d));
            worst = d_max(worst, d3_dot(n, d3_cross(across, d3_sub(b, a))) / d3_norm(across));
        }
        worst = d_max(worst, size * d_abs(d3_norm(n) - 1.0));
    }
    return worst / size;
}

// By tetrahedra from the first point given.
static double volume_of(const tac_polyhedron *p)
{
    const d3 from = d3_of(given[0]);
    double sum = 0.0;
    for (uint32_t f = 0; f < p->faces; f++) {
        const tac_face *face = &m.face[p->first_face + f];
        const d3 a = d3_sub(point_of(p, edge_of(p, face, 0)->point), from);
        for (uint32_t k = 1; k + 1 < face->edges; k++) {
            const d3 b = d3_sub(point_of(p, edge_of(p, face, k)->point), from);
            const d3 c = d3_sub(point_of(p, edge_of(p, face, k + 1)->point), from);
            sum += d3_dot(a, d3_cross(b, c)) / 6.0;
        }
    }
    return sum;
}

static double area_of(const tac_polyhedron *p)
{
    double sum = 0.0;
    for (uint32_t f = 0; f < p->faces; f++) {
        const tac_face *face = &m.face[p->first_face + f];
        const d3 a = point_of(p, edge_of(p, face, 0)->point);
        for (uint32_t k = 1; k + 1 < face->edges; k++) {
            const d3 b = d3_sub(point_of(p, edge_of(p, face, k)->point), a);
            sum += 0.5 * d3_norm(d3_cross(b, d3_sub(point_of(p, edge_of(p, face, k + 1)->point), a)));
        }
    }
    return sum;
}

// The hull of the points given, within so many tolerances of flatness; NULL and a failed check if it is refused.
static const tac_polyhedron *made_within(double flats, const char *name)
{
    tac_model_init(&m);
    size = extent();
    const int32_t index = tac_model_add_hull(&m, given, count);
    if (index != 0) {
        check(0, tap_joined("made:", name));
        return NULL;
    }
    const tac_polyhedron *p = &m.polyhedron[0];
    double far = 0.0;
    for (uint32_t i = 0; i < count; i++) { far = d_max(far, d3_norm(d3_of(given[i]))); }
    const double slack = flats * (double)TAC_TOL_FLAT + TOL(1e-15, 2e-7) * far / size;
    const double fit = worst_fit(p);
    const int good = p->convex == 1 && closed(p) && fit <= slack;
    if (!good) {
        tap_note("  points", p->points);
        tap_note("  faces", p->faces);
        tap_note("  edges", p->edges);
        tap_note("  worst fit", fit);
    }
    check(good, tap_joined("closed and around its points:", name));
    return p;
}

static const tac_polyhedron *made(const char *name)
{
    return made_within(1.5, name);
}

static void refused(const char *name)
{
    tac_model_init(&m);
    check(tac_model_add_hull(&m, given, count) == TAC_E_ARG, tap_joined("refused:", name));
    check(m.polyhedra == 0 && m.points == 0 && m.faces == 0 && m.edges == 0, tap_joined("nothing added:", name));
}

static void expect(const char *name, uint32_t points, uint32_t faces, double volume)
{
    const tac_polyhedron *p = made(name);
    if (p == NULL) { return; }
    check(p->points == points, tap_joined("corners:", name));
    check(p->faces == faces, tap_joined("faces:", name));
    check(d_abs(volume_of(p) / volume - 1.0) <= 1e-3, tap_joined("volume:", name));
}

// -------------------------------------------------------------------------------------------------------------- solids

static void put_box(double x, double y, double z)
{
    for (int i = 0; i < 8; i++) { put(d3_make(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z)); }
}

static void put_ring(uint32_t corners, double radius, double z)
{
    for (uint32_t i = 0; i < corners; i++) {
        const double angle = 2.0 * TRUTH_PI * i / corners;
        put(d3_make(radius * d_cos(angle), radius * d_sin(angle), z));
    }
}

static double ring_area(uint32_t corners, double radius)
{
    return 0.5 * corners * radius * radius * d_sin(2.0 * TRUTH_PI / corners);
}

static void put_dodecahedron(void)
{
    const double g = 0.5 * (1.0 + d_sqrt(5.0));
    put_box(1, 1, 1);
    for (int i = 0; i < 4; i++) {
        const double a = i & 1 ? 1.0 / g : -1.0 / g, b = i & 2 ? g : -g;
        put(d3_make(0, a, b));
        put(d3_make(a, b, 0));
        put(d3_make(b, 0, a));
    }
}

// Points on the surface of a box, in a grid of k cells along each edge, and one inside.
static void put_grid(int k, double x, double y, double z)
{
    for (int i = 0; i <= k * (k + 2) * (k + 2) + k * (k + 2) + k; i++) {
        const int a = i % (k + 2), b = i / (k + 2) % (k + 2), c = i / ((k + 2) * (k + 2));
        if (a > k || b > k || c > k) { continue; }
        if (a % k != 0 && b % k != 0 && c % k != 0) { continue; }
        put(d3_make(x * (2.0 * a / k - 1.0), y * (2.0 * b / k - 1.0), z * (2.0 * c / k - 1.0)));
    }
    put(d3_make(0.1 * x, 0.2 * y, 0.3 * z));
}

static void test_solids(dq turn, double scale, d3 shift)
{
    const double cube = scale * scale * scale;
    clear();
    put_box(0.5, 0.25, 0.125);
    place(turn, scale, shift);
    expect("box", 8, 6, 0.125 * cube);
    clear();
    put_box(1, 1, 0.01);
    place(turn, scale, shift);
    expect("plate 100:1", 8, 6, 0.08 * cube);
    clear();
    put_box(0.01, 1, 0.01);
    place(turn, scale, shift);
    expect("rod 100:1", 8, 6, 0.0008 * cube);
    clear();
    put_ring(32, 1, -0.5);
    put_ring(32, 1, 0.5);
    place(turn, scale, shift);
    expect("prism of 32 sides", 64, 34, ring_area(32, 1) * cube);
    clear();
    put_ring(32, 1, -0.01);
    put_ring(32, 1, 0.01);
    place(turn, scale, shift);
    expect("disc of 32 sides", 64, 34, 0.02 * ring_area(32, 1) * cube);
    clear();
    put_ring(16, 0.5, 0);
    put(d3_make(0, 0, 2));
    place(turn, scale, shift);
    expect("pyramid of 16 sides", 17, 17, 2.0 / 3.0 * ring_area(16, 0.5) * cube);
    clear();
    put_dodecahedron();
    place(turn, scale, shift);
    expect("dodecahedron", 20, 12, (2.0 * d_sqrt(5.0) + 10.0) * cube);
    clear();
    put_grid(4, 1, 0.5, 0.25);
    place(turn, scale, shift);
    expect("box with points on its faces and edges", 8, 6, cube);
    clear();
    put_box(1, 1, 1);
    put_box(1, 1, 1);
    put_box(1, 1, 1);
    place(turn, scale, shift);
    expect("box with every point given three times", 8, 6, 8 * cube);
}

// Points that are each moved by a part of the flatness: as measured, or written with few digits.
static void test_shaken(rng *r)
{
    const double shake = 0.2 * (double)TAC_TOL_FLAT;
    for (int i = 0; i < RUN(50, 5); i++) {
        const dq turn = rng_quat(r);
        clear();
        put_grid(3, 1, 0.5, 0.25);
        put_grid(3, 1, 0.5, 0.25);
        place(turn, 1, d3_make(0, 0, 0));
        for (uint32_t k = 0; k < count; k++) { given[k] = d3_to(d3_add(d3_of(given[k]), rng_box(r, shake))); }
        expect("box of shaken points", 8, 6, 1);
        clear();
        put_ring(32, 1, -0.5);
        put_ring(32, 1, 0.5);
        place(turn, 1, d3_make(0, 0, 0));
        for (uint32_t k = 0; k < count; k++) { given[k] = d3_to(d3_add(d3_of(given[k]), rng_box(r, shake))); }
        expect("prism of shaken points", 64, 34, ring_area(32, 1));
    }
}

// -------------------------------------------------------------------------------------------------------------- random

// Volume of the hull of points in general position: all triangles that have every point on one side.
static double brute_volume(void)
{
    double sum = 0.0;
    const d3 from = d3_of(given[0]);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            for (uint32_t k = j + 1; k < count; k++) {
                const d3 a = d3_of(given[i]), b = d3_of(given[j]), c = d3_of(given[k]);
                const d3 n = d3_cross(d3_sub(b, a), d3_sub(c, a));
                uint32_t above = 0, below = 0;
                for (uint32_t l = 0; l < count && (above == 0 || below == 0); l++) {
                    if (l == i || l == j || l == k) { continue; }
                    const double side = d3_dot(n, d3_sub(d3_of(given[l]), a));
                    above += side > 0.0;
                    below += side <= 0.0;
                }
                if (above == 0 || below == 0) { sum += d_abs(d3_dot(n, d3_sub(a, from))) / 6.0; }
            }
        }
    }
    return sum;
}

// Do the points span a volume? Exact for whole numbers of few digits.
static int solid(void)
{
    d3 arm = {0, 0, 0}, n = {0, 0, 0};
    for (uint32_t i = 1; i < count; i++) {
        const d3 a = d3_sub(d3_of(given[i]), d3_of(given[0]));
        if (d3_dot(n, a) != 0.0) { return 1; }
        if (d3_norm(arm) == 0.0) { arm = a; }
        if (d3_norm(n) == 0.0) { n = d3_cross(arm, a); }
    }
    return 0;
}

static d3 whole(d3 p)
{
    return d3_make((int)p.x, (int)p.y, (int)p.z);
}

static d3 on_sphere(rng *r)
{
    const dq q = rng_quat(r);
    return dq_rotate(q, d3_make(1, 0, 0));
}

static void test_random(rng *r, uint32_t points, int kind, double scale)
{
    static const char *const names[] = {"points in a box", "points on a sphere", "points on a rounded box",
                                        "points in a flat box", "points of few digits"};
    clear();
    for (uint32_t i = 0; i < points; i++) {
        d3 p = rng_box(r, 1.0);
        if (kind == 1) { p = on_sphere(r); }
        if (kind == 2) {
            const d3 corner = d3_make(p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1);
            p = d3_add(corner, d3_scale(0.3, on_sphere(r)));
        }
        if (kind == 3) { p.z *= 0.01; }
        if (kind == 4) { p = whole(d3_scale(3, p)); }
        put(p);
    }
    const int flat = kind == 4 && !solid();
    place(kind == 3 ? rng_quat(r) : (dq){1, 0, 0, 0}, scale, d3_make(0, 0, 0));
    if (flat) {
        refused(names[kind]);
        return;
    }
    const tac_polyhedron *p = made(names[kind]);
    if (p != NULL && kind != 4) {
        const double most = 1.5 * (double)TAC_TOL_FLAT * size * area_of(p); // each face off by the tolerance
        check(d_abs(volume_of(p) - brute_volume()) <= most, tap_joined("volume:", names[kind]));
    }
}

// Few points of few digits: one set in fifteen has no volume. It is refused, and every other is made, turned or not.
static void test_few_digits(rng *r)
{
    uint32_t flats = 0;
    for (int i = 0; i < RUN(1000, 100); i++) {
        const uint32_t points = 4 + rng_below(r, 5);
        clear();
        for (uint32_t k = 0; k < points; k++) { put(whole(rng_box(r, 2 + i % 3))); }
        const int flat = !solid();
        flats += (uint32_t)flat;
        if (i % 2) { place(rng_quat(r), 1, d3_make(0, 0, 0)); }
        if (flat) {
            refused("few points of few digits");
        } else {
            made("few points of few digits");
        }
    }
    tap_note("  sets without a volume", flats);
    check(flats > 0, "some have no volume");
}

static void test_flat(dq turn, double scale, d3 shift)
{
    clear();
    for (int i = 0; i < 4; i++) { put(d3_make(1, 2, 3)); }
    place(turn, scale, shift);
    refused("one point");
    clear();
    for (int i = 0; i < 5; i++) { put(d3_make(i, 2 * i, -i)); }
    place(turn, scale, shift);
    refused("points on a line");
    clear();
    put(d3_make(2, 2, 0));
    put(d3_make(2, 2, 0));
    put(d3_make(0, -1, 1));
    put(d3_make(2, 2, -2));
    place(turn, scale, shift);
    refused("a triangle with a corner given twice");
    clear();
    for (int i = 0; i < 25; i++) { put(d3_make(i % 5, i / 5, 7 - i % 5 - 2 * (i / 5))); }
    place(turn, scale, shift);
    refused("a grid in a plane");
    clear();
    put_ring(32, 1, 0);
    place(turn, scale, shift);
    refused("a ring in a plane");
}

// Bodies as thin as the tolerance of flatness and up: points of many or few digits, squeezed and turned. What is made
// has all points in it, within the tolerance of validation. Below a few times the tolerance a body may count as flat;
// in float also below a thousandth of its size, because a normal across that is known no better than to the tolerance.
static void test_thin(rng *r)
{
    for (int i = 0; i < RUN(1000, 100); i++) {
        const uint32_t points = 4 + rng_below(r, 12);
        const double digits = i % 2 ? 3 : 1000, thick = 2e-5 * (double)(1 << i % 10);
        clear();
        for (uint32_t k = 0; k < points; k++) { put(whole(rng_box(r, digits))); }
        if (!solid()) { continue; }
        for (uint32_t k = 0; k < count; k++) { given[k].z *= (tac_real)thick; }
        place(rng_quat(r), 1, d3_make(0, 0, 0));
        if (thick < TOL(1e-4, 1e-3)) {
            tac_model_init(&m);
            if (tac_model_add_hull(&m, given, count) == TAC_E_ARG) { continue; }
        }
        made_within(4.1, "thin body");
    }
}

// --------------------------------------------------------------------------------------------------------------- sharp

// Bodies whose rims and edges are sharp: `thick` is their half thickness, or the radius of a rod, in units of about
// one.
enum { BIPYRAMID, LENS, BLADE, FIN, PLATE, SHELL, NEEDLE, ROD, SHARP_KINDS };
static const char *const sharp_names[SHARP_KINDS] = {"double pyramid", "lens",      "blade",  "fin",
                                                     "prism",          "ellipsoid", "needle", "rod"};

static void put_sharp(rng *r, int kind, double thick)
{
    const uint32_t n = 3 + (rng_below(r, 3) ? rng_below(r, 298) : rng_below(r, 10)), rings = 1 + rng_below(r, 4);
    const double other = rng_below(r, 2) ? thick : rng_range(r, 0.3, 1) * thick, bend = rng_range(r, 0, 0.5);
    const int along = kind == NEEDLE, few = kind == SHELL || along;
    if (kind == BIPYRAMID) { put_ring(n, 1, 0); }
    for (uint32_t i = 0; i < rings && kind == LENS; i++) {
        const double radius = 1 - (double)i / rings, z = thick * (1 - radius * radius);
        put_ring(3 + n / (2 * rings), radius, z);
        if (i > 0) { put_ring(3 + n / (2 * rings), radius, -z); }
    }
    for (uint32_t i = 0; i < 3 + n / 5 && kind == BLADE; i++) {
        const double x = 2.0 * i / (2 + n / 5) - 1;
        put(d3_make(x, 0.1 + bend * (1 - x * x), 0)); // the edge, straight or bent
        put(d3_make(x, -0.1, thick));
        put(d3_make(x, -0.1, -other));
    }
    for (uint32_t i = 0; i < 3 * (4 + n / 10) && kind == FIN; i++) { // three sections of a wing, sharp behind
        const double x = (double)(i / 3) / (3 + n / 10), taper = 1 - 0.3 * (i % 3);
        put(d3_make(taper * x + 0.1 * (i % 3), 0.5 * (i % 3), 2.5 * taper * thick * (d_sqrt(x) - x)));
        put(d3_make(taper * x + 0.1 * (i % 3), 0.5 * (i % 3), -2.5 * taper * other * (d_sqrt(x) - x)));
    }
    for (uint32_t i = 0; i <= n && few; i++) {
        const d3 p = on_sphere(r);
        put(d3_make(p.x, (along ? thick : 1) * p.y, thick * p.z));
    }
    if (kind == BIPYRAMID || kind == LENS) {
        put(d3_make(0, 0, thick));
        put(d3_make(0, 0, -other));
    }
    if (kind != PLATE && kind != ROD) { return; }
    put_ring(n / 2 + 2, kind == ROD ? thick : 1, kind == ROD ? -1 : -thick);
    put_ring(n / 2 + 2, kind == ROD ? thick : 1, kind == ROD ? 1 : thick);
}

static double reach_of(const tac_vec3 *point, uint32_t points, d3 d)
{
    double most = -1e300;
    for (uint32_t i = 0; i < points; i++) { most = d_max(most, d3_dot(d, d3_of(point[i]))); }
    return most;
}

// How far the points given reach beyond the corners that are kept, in many directions: even ones, and those of the
// normals of an ellipsoid with the proportions of the body.
static double left_out(const tac_polyhedron *p, rng *r, dq turn, d3 half)
{
    double most = 0.0;
    for (int i = 0; i < RUN(1000, 300); i++) {
        const d3 u = on_sphere(r), v = i % 2 ? u : d3_make(u.x / half.x, u.y / half.y, u.z / half.z);
        const d3 d = dq_rotate(turn, d3_scale(1.0 / d3_norm(v), v));
        const double given_reach = reach_of(given, count, d);
        most = d_max(most, given_reach - reach_of(&m.point[p->first_point], p->points, d));
    }
    return most;
}

// No corner is left out that is farther than the tolerance from the hull of those that are kept; or there is no room.
// Points in any order, and some of them moved by a part of the tolerance.
static void test_sharp(rng *r)
{
    uint32_t full = 0;
    for (int i = 0; i < RUN(160, 16); i++) {
        const int kind = i % SHARP_KINDS;
        const dq turn = i % 5 ? rng_quat(r) : (dq){1, 0, 0, 0};
        double thick = 1.0;
        for (uint32_t k = rng_below(r, 25); k > 0; k--) { thick *= 0.5623; } // 1 to 1e-6
        clear();
        put_sharp(r, kind, thick);
        for (uint32_t k = count - 1; k > 0 && rng_below(r, 2); k--) {
            const uint32_t other = rng_below(r, k + 1);
            const tac_vec3 p = given[k];
            given[k] = given[other];
            given[other] = p;
        }
        for (uint32_t k = 0; k < count && i % 7 == 0; k++) {
            given[k] = d3_to(d3_add(d3_of(given[k]), rng_box(r, 2e-6)));
        }
        place(turn, i % 3 ? 1 : 0.01, d3_make(0, 0, 0));
        tac_model_init(&m);
        size = extent();
        const int32_t status = tac_model_add_hull(&m, given, count);
        full += status == TAC_E_FULL;
        check(status == 0 || status == TAC_E_FULL, tap_joined("made or without room:", sharp_names[kind]));
        if (status != 0) { continue; }
        const tac_polyhedron *p = &m.polyhedron[0];
        const double slack = (1.0 * (double)TAC_TOL_FLAT + TOL(2e-9, 3e-7)) * size;
        const int across = kind == NEEDLE || kind == ROD;
        const double lost = left_out(
            p, r, turn, d3_make(across && kind == ROD ? thick : 1, across ? thick : 1, kind == ROD ? 1 : thick));
        const int good = closed(p) && worst_fit(p) * size <= slack && lost <= slack;
        if (!good) {
            tap_note("  half thickness, m", thick);
            tap_note("  points", count);
            tap_note("  lost, of the size", lost / size);
            tap_note("  worst fit", worst_fit(p));
        }
        check(good, tap_joined("all corners within the tolerance:", sharp_names[kind]));
        const tac_shape hull = tac_shape_make(0, TAC_HULL, vec(1, 1, 1));
        tac_model_add_material(&m, (tac_real)0.5, 0);
        tac_model_add_shape(&m, &hull);
        check(tac_model_seal(&m, NULL) == TAC_OK, tap_joined("it may be used:", sharp_names[kind]));
    }
    tap_note("  without room", full);
    check(full < RUN(16, 2), "most have room");
}

// The polygon of CBAT07's figure 1b keeps all of its corners.
static void test_many(dq turn)
{
    clear();
    put_ring(1000, 1, 0);
    put(d3_make(0, 0, 0.01));
    put(d3_make(0, 0, -0.01));
    place(turn, 1, d3_make(0, 0, 0));
    const tac_polyhedron *p = made("double pyramid of 1000 sides");
    check(p != NULL && p->points == 1002, "corners: double pyramid of 1000 sides");
}

// A polygon of many corners that rolls, lies or flies: of all contacts with the ground the lowest is its lowest corner.
static void test_lowest(rng *r)
{
    static tac_state s;
    static tac_work w;
    static const int kinds[] = {BIPYRAMID, LENS, PLATE, SHELL};
    for (int i = 0; i < RUN(40, 6); i++) {
        clear();
        put_sharp(r, kinds[i % 4], i % 8 < 4 ? 0.01 : 0.2);
        tac_model_init(&m);
        tac_shape floor = tac_shape_make(0, i % 3 ? TAC_HALF_SPACE : TAC_BOX, vec(5, 5, 1));
        floor.pose.p.z = i % 3 ? 0 : -1;
        const tac_body body = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
        tac_model_add_material(&m, (tac_real)0.5, 0);
        tac_model_add_shape(&m, &floor);
        tac_model_add_body(&m, &body);
        tac_shape hull = tac_shape_make(1, TAC_HULL, vec(1, 1, 1));
        const int32_t data = tac_model_add_hull(&m, given, count);
        hull.data = (uint16_t)data;
        tac_model_add_shape(&m, &hull);
        if (data != 0 || tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) {
            check(0, "a world with a hull");
            continue;
        }
        for (int k = 0; k < RUN(60, 20); k++) {
            const double tilt =
                k % 2 ? rng_range(r, 0, 3.14) : rng_range(r, 1.5, 1.65); // a wheel, more or less upright
            const dq q =
                dq_mul(dq_about(d3_make(0, 0, 1), rng_range(r, 0, 6)),
                       dq_mul(dq_about(d3_make(1, 0, 0), tilt), dq_about(d3_make(0, 0, 1), rng_range(r, 0, 6))));
            double lowest = 1e300, nearest = 1e300;
            for (uint32_t j = 0; j < count; j++) { lowest = d_min(lowest, dq_rotate(q, d3_of(given[j])).z); }
            const tac_pose pose = {d3_to(d3_make(0, 0, 1e-4 - lowest)), dq_to(q)};
            tac_state_set_body(&m, &s, 1, pose, (tac_twist){{0, 0, 0}, {0, 0, 0}});
            check(tac_contacts(&m, &s, 1, (tac_real)1e-3, &w) == TAC_OK, "contacts");
            for (uint32_t c = 0; c < w.report.contacts; c++) { nearest = d_min(nearest, (double)w.contact[c].gap); }
            check(d_abs(nearest - 1e-4) <= 2.1 * (double)TAC_TOL_FLAT,
                  tap_joined("the lowest corner:", sharp_names[kinds[i % 4]]));
        }
    }
}

// A prism of many sides weighs what its cylinder does, and turns as easily.
static void test_cylinder(void)
{
    clear();
    put_ring(100, 0.5, -2);
    put_ring(100, 0.5, 2);
    tac_model_init(&m);
    const int32_t data = tac_model_add_hull(&m, given, count);
    tac_vec3 inertia[2] = {{0, 0, 0}, {0, 0, 0}};
    const uint8_t kinds[2] = {TAC_CYLINDER, TAC_HULL};
    for (int i = 0; i < 2; i++) {
        const tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
        tac_shape s = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), kinds[i], vec(0.5, 0, 2));
        s.data = (uint16_t)data;
        tac_model_add_shape(&m, &s);
        tap_equal(tac_model_mass_from_shapes(&m, s.body, 1), TAC_OK, "it has a mass");
        inertia[i] = m.body[s.body].inertia;
    }
    tap_near((double)m.body[2].mass / (double)m.body[1].mass, 1.0, 1e-3, "mass of a cylinder");
    tap_near((double)inertia[1].x / (double)inertia[0].x, 1.0, 1e-3, "across");
    tap_near((double)inertia[1].y / (double)inertia[0].y, 1.0, 1e-3, "across");
    tap_near((double)inertia[1].z / (double)inertia[0].z, 1.0, 2e-3, "along");
}

int main(void)
{
    const d3 here = d3_make(0, 0, 0);
    rng r = {20240607};
    test_solids((dq){1, 0, 0, 0}, 1, here);
    summary("solids");
    for (int i = 0; i < 30; i++) { test_solids(rng_quat(&r), 1, here); }
    summary("solids, turned");
    for (int i = 0; i < 10; i++) {
        test_solids(rng_quat(&r), 0.001, here);
        test_solids(rng_quat(&r), 100, rng_box(&r, 100));
        test_solids(rng_quat(&r), 1, rng_box(&r, 3));
    }
    summary("solids, turned, scaled and shifted");
    test_shaken(&r);
    summary("points that are shaken");
    for (int i = 0; i < 40; i++) {
        for (int kind = 0; kind < 5; kind++) {
            test_random(&r, 4 + rng_below(&r, 12), kind, 1.0);
            if (i % 4 == 0) { test_random(&r, 64, kind, i % 8 == 0 ? 1.0 : 0.002); }
        }
    }
    summary("random points");
    test_few_digits(&r);
    summary("few points of few digits");
    test_flat((dq){1, 0, 0, 0}, 1, here);
    for (int i = 0; i < 10; i++) {
        test_flat(rng_quat(&r), 1, here);
        test_flat(rng_quat(&r), 0.002, rng_box(&r, 0.005));
        test_flat(rng_quat(&r), 100, rng_box(&r, 300));
    }
    summary("points without a volume");
    test_thin(&r);
    summary("thin bodies");
    test_sharp(&r);
    test_many((dq){1, 0, 0, 0});
    test_many(rng_quat(&r));
    summary("sharp bodies: all corners within the tolerance");
    test_lowest(&r);
    summary("sharp bodies: contacts hold the lowest corner");
    test_cylinder();
    return tap_done();
}
