// SPDX-License-Identifier: MIT
// Hulls, meshes and fields within the default capacities: what they are made of, what is refused, that nothing changes.
#include "model/mesh.h"
#include "model/shape.h"
#include "tap.h"
#include "truth.h"

static tac_model m, kept;

static const tac_vec3 cube[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

// --------------------------------------------------------------------------------------------------------------- hulls

static void test_cube(void)
{
    tac_model_init(&m);
    tap_equal(tac_model_add_hull(&m, cube, 8), 0, "a cube is the first polyhedron");
    const tac_polyhedron *p = &m.polyhedron[0];
    tap_ok(m.polyhedra == 1 && m.points == 8 && m.faces == 6 && m.edges == 24, "it takes 8 points, 6 faces, 24 edges");
    tap_ok(p->points == 8 && p->faces == 6 && p->edges == 24 && p->convex == 1, "all of them its own");
    tap_ok(truth_equal(m.point, cube, sizeof cube), "points stay in their order");
    tap_ok(d3_norm(d3_sub(d3_of(p->low), d3_of(cube[0]))) + d3_norm(d3_sub(d3_of(p->high), d3_of(cube[7]))) == 0.0,
           "its bounds");
    int good = 1;
    uint32_t seen = 0;
    for (int f = 0; f < 6; f++) {
        const d3 n = d3_of(m.face[f].n);
        const int axis = d_abs(n.x) > 0.5 ? 0 : d_abs(n.y) > 0.5 ? 1 : 2;
        seen |= 1u << (2 * axis + (n.x + n.y + n.z > 0.0));
        good = good && m.face[f].edges == 4 && d_abs(d_abs(n.x) + d_abs(n.y) + d_abs(n.z) - 1.0) == 0.0;
        good = good && m.face[f].d == (tac_real)1;
    }
    tap_ok(good && seen == 63, "its faces are the six squares");
    tap_equal(tac_model_add_hull(&m, cube, 8), 1, "the same again is another polyhedron");
    tap_ok(m.polyhedron[1].first_point == 8 && m.polyhedron[1].first_face == 6 && m.polyhedron[1].first_edge == 24,
           "behind the first");
}

static void refuse_hull(const tac_vec3 *points, uint32_t count, const char *name)
{
    tac_model_init(&m);
    tac_model_add_hull(&m, cube, 8);
    truth_copy(&kept, &m, sizeof kept);
    tap_ok(tac_model_add_hull(&m, points, count) == TAC_E_ARG && truth_equal(&m, &kept, sizeof m), name);
}

static void test_refused_hulls(void)
{
    tac_vec3 p[8];
    refuse_hull(NULL, 8, "no points");
    refuse_hull(cube, 3, "three points");
    refuse_hull(cube, 65536, "65536 points");
    refuse_hull(cube, 4, "points in a plane");
    truth_copy(p, cube, sizeof p);
    for (int i = 0; i < 8; i++) { p[i].z = p[i].x + p[i].y * (tac_real)0.5; }
    refuse_hull(p, 8, "points in a slanted plane");
    for (int i = 0; i < 8; i++) { p[i] = vec(i, 2 * i, 3 * i); }
    refuse_hull(p, 8, "points in a row");
    for (int i = 0; i < 8; i++) { p[i] = vec(1, 2, 3); }
    refuse_hull(p, 8, "one point eight times");
    for (int i = 0; i < 8; i++) { p[i] = vec((double)cube[i].x, (double)cube[i].y, 1e-9 * (double)cube[i].z); }
    refuse_hull(p, 8, "a plate that is flat to rounding");
    for (int k = 0; k < 3; k++) {
        truth_copy(p, cube, sizeof p);
        p[5].y = k == 0 ? real_nan() : k == 1 ? real_inf() : -real_inf();
        refuse_hull(p, 8, "a point that is not finite");
    }
    truth_copy(p, cube, sizeof p);
    p[0].x = TOL((tac_real)-1.7e308, (tac_real)-3e38);
    p[7].x = -p[0].x;
    refuse_hull(p, 8, "points whose distance is not finite");
    tap_equal(tac_model_add_hull(NULL, cube, 8), TAC_E_ARG, "no model");
}

static void test_full_tables(void)
{
    tac_model_init(&m);
    m.polyhedra = TAC_MAX_POLYHEDRA;
    tap_equal(tac_model_add_hull(&m, cube, 8), TAC_E_FULL, "no room for a polyhedron");
    tap_equal(tac_model_add_hull(&m, cube, 3), TAC_E_ARG, "what can be no hull is no matter of room");
    m.polyhedra = 0;
    m.points = TAC_MAX_POINTS - 7;
    tap_equal(tac_model_add_hull(&m, cube, 8), TAC_E_FULL, "no room for its points");
    m.points = TAC_MAX_POINTS - 8;
    m.faces = TAC_MAX_FACES - 5;
    tap_equal(tac_model_add_hull(&m, cube, 8), TAC_E_FULL, "no room for its faces");
    m.faces = TAC_MAX_FACES - 6;
    m.edges = TAC_MAX_EDGES - 23;
    tap_equal(tac_model_add_hull(&m, cube, 8), TAC_E_FULL, "no room for its edges");
    m.edges = TAC_MAX_EDGES - 24;
    tap_equal(tac_model_add_hull(&m, cube, 8), 0, "just room enough");
    tap_ok(m.points == TAC_MAX_POINTS && m.faces == TAC_MAX_FACES && m.edges == TAC_MAX_EDGES, "and all is full");
}

// -------------------------------------------------------------------------------------------------------------- meshes

enum { TRIANGLES = 8 };

// 3 x 3 points, a roof; each square is two triangles.
static void roof(tac_vec3 point[9], uint16_t triangle[TRIANGLES][3])
{
    for (int i = 0; i < 9; i++) { point[i] = vec(i % 3, i / 3, i % 3 == 1 ? 0.5 : 0.0); }
    for (int i = 0; i < 4; i++) {
        const uint16_t a = (uint16_t)(i % 2 + 3 * (i / 2));
        const uint16_t t[6] = {a, (uint16_t)(a + 1), (uint16_t)(a + 4), a, (uint16_t)(a + 4), (uint16_t)(a + 3)};
        for (int k = 0; k < 6; k++) { triangle[2 * i + k / 3][k % 3] = t[k]; }
    }
}

// Each edge has across it the triangle that runs along it the other way, and none at the rim.
static int mesh_joined(const uint16_t triangle[TRIANGLES][3])
{
    for (int t = 0; t < TRIANGLES; t++) {
        for (int k = 0; k < 3; k++) {
            uint16_t across = TAC_NONE;
            for (uint16_t u = 0; u < TRIANGLES; u++) {
                for (int j = 0; j < 3; j++) {
                    const int back = triangle[u][j] == triangle[t][(k + 1) % 3];
                    if (back && triangle[u][(j + 1) % 3] == triangle[t][k]) { across = u; }
                }
            }
            const tac_edge *e = &m.edge[3 * t + k];
            if (e->point != triangle[t][k] || e->across != across) { return 0; }
        }
    }
    return 1;
}

static int boxes_meet(const node *n, const vec3 *low, const vec3 *high)
{
    const real *x = n->bound;
    return x[0] <= high->x && x[3] >= low->x && x[1] <= high->y && x[4] >= low->y && x[2] <= high->z && x[5] >= low->z;
}

// Random boxes find in the tree what they find by looking at every triangle.
static int tree_finds(rng *r)
{
    vec3 low[TRIANGLES], high[TRIANGLES];
    const node *tree = &m.node[2 * m.polyhedron[0].first_face];
    const uint32_t end = 2 * TRIANGLES - 1;
    for (uint32_t t = 0; t < TRIANGLES; t++) { mesh_box(m.point, &m.edge[3 * t], &low[t], &high[t]); }
    for (int i = 0; i < 200; i++) {
        const d3 at = d3_add(d3_make(1, 1, 0.2), rng_box(r, 1.5)), half = rng_box(r, 0.5);
        const d3 h = d3_make(d_abs(half.x), d_abs(half.y), d_abs(half.z));
        const vec3 from = d3_to(d3_sub(at, h)), to = d3_to(d3_add(at, h));
        uint32_t found = 0, expected = 0;
        for (uint32_t k = boxes_next(tree, 0, end, &from, &to); k < end; k = boxes_next(tree, k + 1, end, &from, &to)) {
            found |= 1u << tree[k].leaf;
        }
        for (uint32_t t = 0; t < TRIANGLES; t++) {
            node n;
            boxes_put(&n, low[t], high[t]);
            expected |= (uint32_t)boxes_meet(&n, &from, &to) << t;
        }
        if (found != expected) { return 0; }
    }
    return 1;
}

static void test_mesh(void)
{
    tac_vec3 point[9];
    uint16_t triangle[TRIANGLES][3];
    rng r = {7};
    roof(point, triangle);
    tac_model_init(&m);
    tap_equal(tac_model_add_mesh(&m, point, 9, (const uint16_t(*)[3])triangle, TRIANGLES), 0, "a roof is a mesh");
    tap_ok(m.points == 9 && m.faces == TRIANGLES && m.edges == 3 * TRIANGLES && m.polyhedra == 1, "it takes its room");
    const tac_polyhedron *p = &m.polyhedron[0];
    tap_ok(p->convex == 0 && p->points == 9 && p->faces == TRIANGLES && p->edges == 3 * TRIANGLES, "it is no hull");
    tap_ok(p->low.z == (tac_real)0 && p->high.z == (tac_real)0.5 && p->high.x == (tac_real)2, "its bounds");
    tap_ok(mesh_joined((const uint16_t(*)[3])triangle), "triangles know their neighbours");
    double worst = 0.0;
    for (int t = 0; t < TRIANGLES; t++) {
        const double slope = t / 2 % 2 == 0 ? -0.5 : 0.5;
        const d3 n = d3_scale(1.0 / d_sqrt(1.25), d3_make(slope, 0, 1));
        d_worst(&worst, d3_norm(d3_sub(d3_of(m.face[t].n), n)));
        d_worst(&worst, (double)m.face[t].d - (slope < 0 ? 0.0 : d3_dot(n, d3_make(2, 0, 0))));
    }
    tap_most(worst, TOL(1e-15, 3e-7), "planes of its triangles");
    tap_ok(tree_finds(&r), "its tree finds what looking at all finds");
}

static void refuse_mesh(const tac_vec3 *point, uint32_t points, const uint16_t (*triangle)[3], uint32_t triangles,
                        const char *name)
{
    tac_model_init(&m);
    truth_copy(&kept, &m, sizeof kept);
    tap_ok(tac_model_add_mesh(&m, point, points, triangle, triangles) == TAC_E_ARG && truth_equal(&m, &kept, sizeof m),
           name);
}

static void test_refused_meshes(void)
{
    tac_vec3 point[9];
    uint16_t triangle[TRIANGLES][3];
    const uint16_t(*t)[3] = (const uint16_t(*)[3])triangle;
    roof(point, triangle);
    refuse_mesh(NULL, 9, t, TRIANGLES, "no points");
    refuse_mesh(point, 9, NULL, TRIANGLES, "no list of triangles");
    refuse_mesh(point, 9, t, 0, "no triangle");
    refuse_mesh(point, 8, t, TRIANGLES, "a triangle names a point that is not there");
    refuse_mesh(point, 2, t, TRIANGLES, "two points");
    triangle[7][0] = triangle[7][1];
    refuse_mesh(point, 9, t, TRIANGLES, "a triangle with two corners");
    roof(point, triangle);
    triangle[7][1] = triangle[6][0];
    triangle[7][0] = triangle[6][1];
    refuse_mesh(point, 9, t, TRIANGLES, "three triangles at an edge, or two the same way");
    roof(point, triangle);
    for (int i = 0; i < 3; i++) { triangle[1][i] = triangle[0][i]; }
    refuse_mesh(point, 9, t, TRIANGLES, "a triangle twice");
    roof(point, triangle);
    point[4] = vec(0.5, 0.5, 0.25);
    point[0] = vec(0, 0, 0);
    point[1] = vec(1, 1, 0.5);
    refuse_mesh(point, 9, t, TRIANGLES, "a triangle without area");
    roof(point, triangle);
    point[3].z = real_nan();
    refuse_mesh(point, 9, t, TRIANGLES, "a point that is not finite");
    roof(point, triangle);
    tap_equal(tac_model_add_mesh(NULL, point, 9, t, TRIANGLES), TAC_E_ARG, "no model for a mesh");
    tac_model_init(&m);
    truth_copy(&kept, &m, sizeof kept);
    tap_equal(tac_model_add_mesh(&m, point, TAC_MAX_POINTS + 1, t, TRIANGLES), TAC_E_FULL, "too many points");
    tap_equal(tac_model_add_mesh(&m, point, 9, t, TAC_MAX_FACES + 1), TAC_E_FULL, "too many triangles");
    tap_equal(tac_model_add_mesh(&m, point, 9, t, TAC_MAX_EDGES / 3 + 1), TAC_E_FULL, "too many edges");
    kept.hash = m.hash; // the mark of a full table
    tap_ok(truth_equal(&m, &kept, sizeof m), "nothing has changed");
    m.polyhedra = TAC_MAX_POLYHEDRA;
    tap_equal(tac_model_add_mesh(&m, point, 9, t, TRIANGLES), TAC_E_FULL, "no room for a mesh");
}

// -------------------------------------------------------------------------------------------------------------- fields

static void test_field(void)
{
    const tac_height sample[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -10, 11};
    tac_model_init(&m);
    tap_equal(tac_model_add_height_field(&m, sample, 4, 3, (tac_real)0.5, (tac_real)0.25, (tac_real)0.125), 0, "a field");
    const tac_height_field *f = &m.field[0];
    tap_ok(m.fields == 1 && m.heights == 12 && f->first == 0 && f->columns == 4 && f->rows == 3, "it takes its room");
    tap_ok(truth_equal(m.height, sample, sizeof sample), "its samples");
    tap_ok(f->low == (tac_real)-1.25 && f->high == (tac_real)1.375, "its bounds");
    tac_shape s = tac_shape_make(0, TAC_HEIGHT_FIELD, vec(0, 0, 0));
    vec3 low, high;
    shape_box(&m, &s, &low, &high);
    tap_ok(low.x == 0 && high.x == (tac_real)1.5 && high.y == (tac_real)0.5 && low.z == f->low, "its box");
    m.fields = 0;
    m.heights = TAC_MAX_HEIGHTS - 11;
    tap_equal(tac_model_add_height_field(&m, sample, 4, 3, 1, 1, 1), TAC_E_FULL, "no room for its samples");
    m.heights = TAC_MAX_HEIGHTS - 12;
    tap_equal(tac_model_add_height_field(&m, sample, 4, 3, 1, 1, 1), 0, "just room enough");
    tap_equal(m.heights, TAC_MAX_HEIGHTS, "and it is full");
    tac_model_init(&m);
    m.fields = TAC_MAX_HEIGHT_FIELDS;
    tap_equal(tac_model_add_height_field(&m, sample, 4, 3, 1, 1, 1), TAC_E_FULL, "no room for a field");
    tac_model_init(&m);
    truth_copy(&kept, &m, sizeof kept);
    const tac_real bad[4] = {0, -1, real_nan(), real_inf()};
    int refused = 1;
    for (int i = 0; i < 12; i++) {
        const tac_real x = i / 4 == 0 ? bad[i % 4] : 1, y = i / 4 == 1 ? bad[i % 4] : 1,
                       z = i / 4 == 2 ? bad[i % 4] : 1;
        refused = refused && tac_model_add_height_field(&m, sample, 4, 3, x, y, z) == TAC_E_ARG;
    }
    tap_ok(refused, "distances and scale must be finite and > 0");
    tap_equal(tac_model_add_height_field(&m, sample, 1, 3, 1, 1, 1), TAC_E_ARG, "one column is too few");
    tap_equal(tac_model_add_height_field(&m, sample, 4, 1, 1, 1, 1), TAC_E_ARG, "one row is too few");
    tap_equal(tac_model_add_height_field(&m, sample, 65535, 65535, 1, 1, 1), TAC_E_FULL, "too many samples");
    tap_equal(tac_model_add_height_field(&m, NULL, 4, 3, 1, 1, 1), TAC_E_ARG, "no samples");
    tap_equal(tac_model_add_height_field(NULL, sample, 4, 3, 1, 1, 1), TAC_E_ARG, "no model for a field");
    kept.hash = m.hash; // the mark of a full table
    tap_ok(truth_equal(&m, &kept, sizeof m), "nothing has changed");
}

static void test_exclusions(void)
{
    tac_model_init(&m);
    int32_t last = -1;
    for (int i = 0; i < TAC_MAX_EXCLUSIONS; i++) { last = tac_model_add_exclusion(&m, 1, 2); }
    tap_equal(last, TAC_MAX_EXCLUSIONS - 1, "as many exclusions as the configuration says");
    tap_equal(tac_model_add_exclusion(&m, 1, 2), TAC_E_FULL, "one more is refused");
    tap_equal(m.exclusions, TAC_MAX_EXCLUSIONS, "and not counted");
    tap_equal(tac_model_add_exclusion(NULL, 1, 2), TAC_E_ARG, "no model for an exclusion");
}

int main(void)
{
    test_cube();
    test_refused_hulls();
    test_full_tables();
    test_mesh();
    test_refused_meshes();
    test_field();
    test_exclusions();
    return tap_done();
}
