// SPDX-License-Identifier: MIT
// shape.h - properties of a shape by itself: bounds, and the mass properties of its volume.
//   given   a shape, and the data of its kind in the model
//   makes   box, bounding radius, thickness; volume, second moments; the order of pairs
//   bound   constant; edges for the mass of a hull
//   never   uses bodies or poses in the world
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "../base/bytes.h"
#include "../base/vec.h"
#include "../base/spectrum.h"

#define SHAPE_UNBOUNDED R(-1.0) // the radius of a half-space
#define SHAPE_PI R(3.14159265358979323846)

// Predicates of a kind. No other code depends on the order of the enumeration.

// Is its core a box, with half lengths that may be 0 or infinite? points_core() makes these, also with TAC_CONVEX 0.
static int shape_is_box_swept(uint8_t kind)
{
    return kind == TAC_HALF_SPACE || kind == TAC_SPHERE || kind == TAC_CAPSULE || kind == TAC_BOX;
}

// Is the kind compiled in this configuration?
static int shape_is_known(uint8_t kind)
{
    return kind < TAC_SHAPE_KINDS && (TAC_CONVEX || shape_is_box_swept(kind));
}

// A ball swept over a point or a segment?
static int shape_is_round(uint8_t kind)
{
    return kind == TAC_SPHERE || kind == TAC_CAPSULE;
}

// Is it a surface of triangles with a solid side?
static int shape_is_surface(uint8_t kind)
{
    return TAC_CONVEX && (kind == TAC_MESH || kind == TAC_HEIGHT_FIELD);
}

// Is it solid without end below its surface?
static int shape_endless(uint8_t kind)
{
    return kind == TAC_HALF_SPACE || shape_is_surface(kind);
}

// Is it inside its bounding sphere? A height field is not, since it is solid downwards without end.
static int shape_is_bounded(uint8_t kind)
{
    return kind != TAC_HALF_SPACE && kind != TAC_HEIGHT_FIELD;
}

// Rank of a kind: a pair uses the frame and the contact code of the shape of higher rank.
static const uint8_t SHAPE_RANK[TAC_SHAPE_KINDS] = {
    [TAC_SPHERE] = 1,    [TAC_CAPSULE] = 2, [TAC_BOX] = 3,  [TAC_CYLINDER] = 4,     [TAC_CONE] = 5,
    [TAC_ELLIPSOID] = 6, [TAC_HULL] = 7,    [TAC_MESH] = 8, [TAC_HEIGHT_FIELD] = 9, [TAC_HALF_SPACE] = 10,
};

// A shape is a core swept by a ball: the core of a sphere is a point, of a capsule a segment, other shapes are their
// own. The radius of the ball.
static real shape_ball(const tac_shape *s)
{
    return shape_is_round(s->kind) ? s->rounding + s->size.x : s->rounding;
}

// Half lengths of the box around a core that lies symmetrically about its origin.
static vec3 shape_half(const tac_shape *s)
{
    const int broad = TAC_CONVEX && (s->kind == TAC_CYLINDER || s->kind == TAC_CONE);
    if (shape_is_round(s->kind)) { return v3(R(0.0), R(0.0), s->kind == TAC_CAPSULE ? s->size.z : R(0.0)); }
    return v3(s->size.x, broad ? s->size.x : s->size.y, s->size.z);
}

// Is its form, and so the box of its core, in tables of the model?
static int shape_has_data(uint8_t kind)
{
    return TAC_CONVEX && (kind == TAC_HULL || kind == TAC_MESH || kind == TAC_HEIGHT_FIELD);
}

// Is it curved anywhere, so that it may roll on a point or a line?
static int shape_is_curved(const tac_shape *s)
{
    return s->rounding > R(0.0) || !(s->kind == TAC_HALF_SPACE || s->kind == TAC_BOX || shape_has_data(s->kind));
}

// Bounding box of the core of a bounded shape in the shape's frame.
static void shape_box(const tac_model *m, const tac_shape *s, vec3 *low, vec3 *high)
{
    if (!shape_has_data(s->kind)) {
        *high = shape_half(s);
        *low = v3_scale(R(-1.0), *high);
    } else if (s->kind == TAC_HEIGHT_FIELD) {
        const tac_height_field *f = &m->field[s->data];
        *low = v3(R(0.0), R(0.0), f->low);
        *high = v3(f->dx * (real)(f->columns - 1), f->dy * (real)(f->rows - 1), f->high);
    } else {
        *low = m->polyhedron[s->data].low;
        *high = m->polyhedron[s->data].high;
    }
}

// Radius of a bounding sphere about the shape's origin; and the smallest half extent, with which the default margin
// scales. A shape that is solid without end is infinitely thick.
static void shape_measure(const tac_model *m, const tac_shape *s, real *radius, real *thickness)
{
    *radius = SHAPE_UNBOUNDED;
    *thickness = REAL_LARGEST;
    if (s->kind == TAC_HALF_SPACE) { return; }
    vec3 far = shape_half(s), half = far, low;
    if (shape_has_data(s->kind)) {
        shape_box(m, s, &low, &far);
        half = v3_scale(R(0.5), v3_sub(far, low));
        far = v3(real_max(-low.x, far.x), real_max(-low.y, far.y), real_max(-low.z, far.z));
    }
    const real ball = shape_ball(s);
    *radius = v3_norm(far) + ball;
    if (!shape_is_surface(s->kind)) { *thickness = real_min(half.x, real_min(half.y, half.z)) + ball; }
}

static inline real shape_radius(const tac_model *m, const tac_shape *s)
{
    real radius, thickness;
    shape_measure(m, s, &radius, &thickness);
    return radius;
}

static inline real shape_thickness(const tac_model *m, const tac_shape *s)
{
    real radius, thickness;
    shape_measure(m, s, &radius, &thickness);
    return thickness;
}

// Sort key of a pair of shapes: pairs are visited in the order (lower, higher shape index).
static uint32_t shape_pair(const tac_feature *id)
{
    const uint32_t a = id->shape_a, b = id->shape_b;
    return a < b ? a << 16 | b : b << 16 | a;
}

// A shape of density 1: volume (m3), centroid in the shape's frame, integral of x x' about the centroid (m5).
typedef struct shape_mass {
    real volume;
    vec3 centre;
    sym3 second;
} shape_mass;

static void shape_mass_set(shape_mass *s, real volume, real xx, real yy, real zz)
{
    reals_clear(s, sizeof *s);
    s->volume = volume;
    s->second.xx = xx;
    s->second.yy = yy;
    s->second.zz = zz;
}

// A cylinder of half length l and two half spheres whose centres lie l + 3r/8 out; a sphere is all ends.
static void shape_mass_capsule(real r, real l, shape_mass *s)
{
    const real rr = r * r;
    const real cylinder = R(2.0) * SHAPE_PI * rr * l, ends = R(4.0) / R(3.0) * SHAPE_PI * rr * r;
    const real across = rr * (R(0.25) * cylinder + R(0.2) * ends);
    shape_mass_set(s, cylinder + ends, across, across,
                   cylinder * l * l / R(3.0) + ends * (R(0.2) * rr + R(0.75) * r * l + l * l));
}

// Adds the tetrahedron of a triangle and a reference point, from which the corners a, b, c are measured: volume
// v = a.(b x c)/6, first moment v s/4 and second moment v/20 (aa' + bb' + cc' + ss'), s = a + b + c. These are sums of
// 6 v.
static void shape_mass_add_tetrahedron(shape_mass *sum, const vec3 corner[3])
{
    const vec3 s = v3_add(corner[0], v3_add(corner[1], corner[2]));
    const real v = v3_dot(corner[0], v3_cross(corner[1], corner[2]));
    sum->volume += v;
    sum->centre = v3_madd(sum->centre, v, s);
    for (int k = 0; k < 3; k++) { sym3_add_outer(&sum->second, v, &corner[k]); }
    sym3_add_outer(&sum->second, v, &s);
}

// Exact moments of a hull: tetrahedra from the centre of its box to triangle fans of its faces.
static void shape_mass_hull(const tac_model *m, const tac_polyhedron *p, shape_mass *s)
{
    const vec3 middle = v3_madd(v3_scale(R(0.5), p->low), R(0.5), p->high);
    reals_clear(s, sizeof *s);
    for (const tac_face *f = &m->face[p->first_face], *end = f + p->faces; f < end; f++) {
        const tac_edge *e = &m->edge[p->first_edge + f->first];
        vec3 corner[3];
        for (uint32_t k = 0; k < f->edges; k++) {
            corner[k > 1 ? 2 : k] = v3_sub(m->point[p->first_point + e[k].point], middle);
            if (k < 2) { continue; }
            shape_mass_add_tetrahedron(s, corner);
            corner[1] = corner[2];
        }
    }
    const vec3 off = v3_scale(R(0.25) / s->volume, s->centre);
    sym3_add_outer(&s->second, R(-20.0) * s->volume, &off); // from the centre of the box to the centroid
    real *second = &s->second.xx;
    for (int k = 0; k < 6; k++) { second[k] *= R(1.0) / R(120.0); }
    s->volume *= R(1.0) / R(6.0);
    s->centre = v3_add(middle, off);
}

static void shape_mass_convex(const tac_model *m, const tac_shape *shape, shape_mass *s)
{
    const vec3 a = shape->size, aa = v3_mul(a, a);
    real volume = SHAPE_PI * aa.x * a.z;
    switch (shape->kind) {
    case TAC_CYLINDER:
        volume *= R(2.0);
        shape_mass_set(s, volume, R(0.25) * volume * aa.x, R(0.25) * volume * aa.x, volume / R(3.0) * aa.z);
        break;
    case TAC_CONE: // a quarter of its height, which is 2 a.z, above its base
        volume *= R(2.0) / R(3.0);
        shape_mass_set(s, volume, R(0.15) * volume * aa.x, R(0.15) * volume * aa.x, R(0.15) * volume * aa.z);
        s->centre.z = R(-0.5) * a.z;
        break;
    case TAC_ELLIPSOID:
        volume = R(4.0) / R(3.0) * SHAPE_PI * a.x * a.y * a.z;
        shape_mass_set(s, volume, R(0.2) * volume * aa.x, R(0.2) * volume * aa.y, R(0.2) * volume * aa.z);
        break;
    default:
        shape_mass_hull(m, &m->polyhedron[shape->data], s);
        break;
    }
}

// Mass properties of a bounded shape with valid data. The rounding counts for a sphere and a capsule only.
static void shape_solid(const tac_model *m, const tac_shape *shape, shape_mass *s)
{
    const vec3 a = shape->size;
    if (TAC_CONVEX && !shape_is_box_swept(shape->kind)) {
        shape_mass_convex(m, shape, s);
    } else if (shape->kind == TAC_BOX) {
        const real volume = R(8.0) * a.x * a.y * a.z, third = volume / R(3.0);
        shape_mass_set(s, volume, third * (a.x * a.x), third * (a.y * a.y), third * (a.z * a.z));
    } else {
        shape_mass_capsule(a.x + shape->rounding, shape->kind == TAC_CAPSULE ? a.z : R(0.0), s);
    }
}

#endif
