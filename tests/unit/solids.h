// SPDX-License-Identifier: MIT
// solids.h - what shapes of every kind are, in double precision and from their definitions alone.
//   given   a shape and a pose
//   makes   the distance of a point, the farthest point along a direction; a world of one shape a body
//   bound   every loop is counted
//   never   uses the kernel's geometry
#ifndef SOLIDS_H
#define SOLIDS_H

#include "begin.h"
#include "truth.h"

// A hull and a mesh that default capacities hold: an oblique octahedron, a sheet of three by three points.
enum { OCTA_POINTS = 6, OCTA_FACES = 8, SHEET_POINTS = 9, SHEET_FACES = 8, GRID = 5 };

static const double OCTA[OCTA_POINTS][3] = {{1.0, 0.1, 0.05},   {-0.9, 0.0, 0.1},  {0.1, 0.7, -0.1},
                                            {-0.05, -0.8, 0.0}, {0.0, 0.15, 0.95}, {0.1, -0.1, -0.85}};
static const uint16_t OCTA_FACE[OCTA_FACES][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                                  {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
static const double SHEET[SHEET_POINTS] = {0.1, 0.35, 0.0, -0.2, 0.5, 0.1, 0.2, -0.1, 0.3}; // heights, 1 m apart
static const uint16_t SHEET_FACE[SHEET_FACES][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4},
                                                    {3, 4, 7}, {3, 7, 6}, {4, 5, 8}, {4, 8, 7}};
static const int8_t GRID_HEIGHT[GRID * GRID] = {0, 3,  -2, 5, 1, 4, 0, 2, -3, 2, 1, 1, 6,
                                                0, -1, 2,  3, 1, 4, 0, 0, -2, 3, 1, 5};
#define GRID_DX 0.75
#define GRID_DY 0.5
#define GRID_SCALE 0.125

typedef struct solid {
    uint8_t kind;
    d3 size;
    double rounding, scale; // of hull, mesh and field
    d3 p;
    dq q;
} solid;

// ------------------------------------------------------------------------------------------------------------- points

static d3 solid_in(const solid *s, d3 x)
{
    return dq_rotate(dq_conjugate(s->q), d3_sub(x, s->p));
}

static d3 solid_corner(const solid *s, int i)
{
    const double k = s->scale;
    if (s->kind == TAC_HULL) { return d3_make(k * OCTA[i][0], k * OCTA[i][1], k * OCTA[i][2]); }
    return d3_make(k * (double)(i % 3), k * (double)(i / 3), k * SHEET[i]);
}

static d3 grid_point(const solid *s, int i, int j)
{
    const double k = s->scale;
    return d3_make(k * GRID_DX * i, k * GRID_DY * j, k * GRID_SCALE * GRID_HEIGHT[i + GRID * j]);
}

static int solid_triangles(const solid *s)
{
    return s->kind == TAC_HULL ? OCTA_FACES : s->kind == TAC_MESH ? SHEET_FACES : 2 * (GRID - 1) * (GRID - 1);
}

static void solid_triangle(const solid *s, int index, d3 *x)
{
    if (s->kind == TAC_HEIGHT_FIELD) {
        const int cell = index / 2, i = cell % (GRID - 1), j = cell / (GRID - 1), upper = index & 1;
        x[0] = grid_point(s, i, j);
        x[1] = upper ? grid_point(s, i + 1, j + 1) : grid_point(s, i + 1, j);
        x[2] = upper ? grid_point(s, i, j + 1) : grid_point(s, i + 1, j + 1);
        return;
    }
    const uint16_t *corner = s->kind == TAC_HULL ? OCTA_FACE[index] : SHEET_FACE[index];
    for (int k = 0; k < 3; k++) { x[k] = solid_corner(s, corner[k]); }
}

// ---------------------------------------------------------------------------------------------------------- distances

static double segment_distance(d3 a, d3 b, d3 x)
{
    const d3 d = d3_sub(b, a);
    const double t = d_clamp(d3_dot(d3_sub(x, a), d) / d3_dot(d, d), 0.0, 1.0);
    return d3_norm(d3_sub(d3_sub(x, a), d3_scale(t, d)));
}

static double triangle_distance(const d3 *t, d3 x)
{
    const d3 n = d3_cross(d3_sub(t[1], t[0]), d3_sub(t[2], t[0]));
    int inside = 1;
    double best = 1e300;
    for (int i = 0; i < 3; i++) {
        const d3 a = t[i], b = t[(i + 1) % 3];
        inside &= d3_dot(d3_cross(n, d3_sub(b, a)), d3_sub(x, a)) >= 0.0;
        best = d_min(best, segment_distance(a, b, x));
    }
    return inside ? d_abs(d3_dot(n, d3_sub(x, t[0]))) / d3_norm(n) : best;
}

// How far x is out of what has the half widths a and b: 0 inside.
static double out_of(double x, double half)
{
    return d_max(d_abs(x) - half, 0.0);
}

// The cone's section: base from the axis to (r, -h), flank from there to (0, h).
static double cone_distance(d3 size, d3 x)
{
    const double r = size.x, h = size.z, rho = d_sqrt(x.x * x.x + x.y * x.y);
    const double side = (rho - r) * 2.0 * h + (x.z + h) * r; // < 0 on the axis' side of the flank
    if (side <= 0.0 && x.z >= -h) { return 0.0; }
    const d3 at = d3_make(rho, 0.0, x.z), rim = d3_make(r, 0.0, -h);
    const double flank = segment_distance(rim, d3_make(0.0, 0.0, h), at);
    return d_min(flank, segment_distance(rim, d3_make(0.0, 0.0, -h), at));
}

// The nearest point is x_i h_i^2 / (t + h_i^2), where it is on the ellipsoid.
static double ellipsoid_distance(d3 h, d3 x)
{
    const double hx = h.x * h.x, hy = h.y * h.y, hz = h.z * h.z;
    double low = 0.0, high = d3_norm(x) * d_max(h.x, d_max(h.y, h.z));
    if (x.x * x.x / hx + x.y * x.y / hy + x.z * x.z / hz <= 1.0) { return 0.0; }
    for (int i = 0; i < 80; i++) {
        const double t = 0.5 * (low + high);
        const double a = h.x * x.x / (t + hx), b = h.y * x.y / (t + hy), c = h.z * x.z / (t + hz);
        if (a * a + b * b + c * c > 1.0) {
            low = t;
        } else {
            high = t;
        }
    }
    const double t = 0.5 * (low + high);
    return d3_norm(d3_make(t * x.x / (t + hx), t * x.y / (t + hy), t * x.z / (t + hz)));
}

// Distance of x from the shape, 0 inside it. Below a field or a mesh is outside: these are surfaces here.
static double solid_distance(const solid *s, d3 world)
{
    const d3 x = solid_in(s, world), h = s->size;
    const double rho = d_sqrt(x.x * x.x + x.y * x.y);
    double d = 0.0, best = 1e300;
    int inside = 1;
    switch (s->kind) {
    case TAC_HALF_SPACE:
        d = x.z;
        break;
    case TAC_SPHERE:
        d = d3_norm(x) - h.x;
        break;
    case TAC_CAPSULE:
        d = d3_norm(d3_make(rho, 0.0, out_of(x.z, h.z))) - h.x;
        break;
    case TAC_BOX:
        d = d3_norm(d3_make(out_of(x.x, h.x), out_of(x.y, h.y), out_of(x.z, h.z)));
        break;
    case TAC_CYLINDER:
        d = d3_norm(d3_make(out_of(rho, h.x), 0.0, out_of(x.z, h.z)));
        break;
    case TAC_CONE:
        d = cone_distance(h, x);
        break;
    case TAC_ELLIPSOID:
        d = ellipsoid_distance(h, x);
        break;
    default:
        for (int i = 0; i < solid_triangles(s); i++) {
            d3 t[3];
            solid_triangle(s, i, t);
            best = d_min(best, triangle_distance(t, x));
            inside &= d3_dot(d3_cross(d3_sub(t[1], t[0]), d3_sub(t[2], t[0])), d3_sub(x, t[0])) <= 0.0;
        }
        d = inside && s->kind == TAC_HULL ? 0.0 : best;
    }
    return d_max(d - s->rounding, 0.0);
}

// How far the shape reaches along unit n from the world's origin; a hull, not a mesh or a field.
static double solid_reach(const solid *s, d3 n)
{
    const d3 d = dq_rotate(dq_conjugate(s->q), n), h = s->size;
    const double across = d_sqrt(d.x * d.x + d.y * d.y), up = d_abs(d.z);
    double far = -1e300;
    switch (s->kind) {
    case TAC_SPHERE:
        far = h.x;
        break;
    case TAC_CAPSULE:
        far = h.x + h.z * up;
        break;
    case TAC_BOX:
        far = h.x * d_abs(d.x) + h.y * d_abs(d.y) + h.z * up;
        break;
    case TAC_CYLINDER:
        far = h.x * across + h.z * up;
        break;
    case TAC_CONE:
        far = d_max(h.z * d.z, h.x * across - h.z * d.z);
        break;
    case TAC_ELLIPSOID:
        far = d3_norm(d3_make(h.x * d.x, h.y * d.y, h.z * d.z));
        break;
    default:
        for (int i = 0; i < OCTA_POINTS; i++) { far = d_max(far, d3_dot(d, solid_corner(s, i))); }
    }
    return d3_dot(n, s->p) + far + s->rounding;
}

// ---------------------------------------------------------------------------------------------------------- the world

static tac_model solids_model;
static tac_state solids_state;
static tac_work solids_work;

static double to_real(double x)
{
    return (double)(tac_real)x;
}

static d3 d3_real(d3 a)
{
    return d3_of(d3_to(a));
}

static void solids_begin(void)
{
    tac_model_init(&solids_model);
    tac_model_add_material(&solids_model, (tac_real)0.5, 0);
    solids_model.gravity = vec(0, 0, 0);
}

static int32_t solid_data(const solid *s)
{
    tac_vec3 x[SHEET_POINTS];
    tac_height z[GRID * GRID];
    if (s->kind == TAC_HEIGHT_FIELD) {
        for (int i = 0; i < GRID * GRID; i++) { z[i] = (tac_height)GRID_HEIGHT[i]; }
        return tac_model_add_height_field(&solids_model, z, GRID, GRID, (tac_real)(s->scale * GRID_DX),
                                   (tac_real)(s->scale * GRID_DY), (tac_real)(s->scale * GRID_SCALE));
    }
    const int hull = s->kind == TAC_HULL;
    for (int i = 0; i < (hull ? OCTA_POINTS : SHEET_POINTS); i++) { x[i] = d3_to(solid_corner(s, i)); }
    return hull ? tac_model_add_hull(&solids_model, x, OCTA_POINTS)
                : tac_model_add_mesh(&solids_model, x, SHEET_POINTS, SHEET_FACE, SHEET_FACES);
}

// Adds the shape on a body of its own. Returns the shape's index.
static int32_t solids_add(const solid *s)
{
    const int endless = s->kind == TAC_HALF_SPACE || s->kind == TAC_MESH || s->kind == TAC_HEIGHT_FIELD;
    tac_body b = tac_body_make(endless ? TAC_KINEMATIC : TAC_DYNAMIC, d3_to(s->p));
    b.pose.q = dq_to(s->q);
    tac_shape shape = tac_shape_make((uint16_t)tac_model_add_body(&solids_model, &b), s->kind, d3_to(s->size));
    shape.rounding = (tac_real)s->rounding;
    if (s->kind >= TAC_HULL) { shape.data = (uint16_t)solid_data(s); }
    return tac_model_add_shape(&solids_model, &shape);
}

// The pose that the state has, in double: what is to be true is true of that.
static void solid_settle(solid *s, uint16_t body)
{
    const tac_pose *pose = &solids_state.pose[body];
    const dq q = dq_of(pose->q);
    const double k = 1.0 / d_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    s->q = (dq){k * q.w, k * q.x, k * q.y, k * q.z};
    s->p = d3_of(pose->p);
}

static solid solid_random(rng *r, uint8_t kind, double scale, int rounded)
{
    const double x = rng_range(r, 0.2, 1.0), y = rng_range(r, 0.2, 1.0), z = rng_range(r, 0.2, 1.0);
    solid s = {kind, {0, 0, 0}, 0.0, to_real(scale * rng_range(r, 0.3, 1.0)), {0, 0, 0}, {1, 0, 0, 0}};
    s.size = d3_real(d3_make(scale * x, scale * y, scale * z));
    if (rounded && kind != TAC_MESH && kind != TAC_HEIGHT_FIELD && kind != TAC_HALF_SPACE) {
        s.rounding = to_real(scale * rng_range(r, 0.02, 0.2));
    }
    s.q = rng_quat(r);
    return s;
}

// The radius of a ball around the origin of the shape that holds it.
static double solid_size(const solid *s)
{
    return (s->kind >= TAC_HULL ? 3.8 * s->scale : d3_norm(s->size)) + s->size.x + s->rounding;
}

static const char *const SOLID_NAME[TAC_SHAPE_KINDS] = {"half-space", "sphere",    "capsule", "box",  "cylinder",
                                                        "cone",       "ellipsoid", "hull",    "mesh", "field"};

#endif
