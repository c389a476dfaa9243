// SPDX-License-Identifier: MIT
// surface.h - one triangle of a mesh or height field against a convex shape, as part of the surface that it belongs to.
//   given   pair->triangle with its neighbours; the points of earlier triangles
//   makes   points on the triangle and on its convex edges; of points in one plane the four that matter
//   bound   one clip; one GJK search if an edge is convex; SURFACE_KEEP points in all
//   never   produces a normal of an edge that the surface does not have: on flat and concave edges it is that of a face
#ifndef GEOMETRY_SURFACE_H
#define GEOMETRY_SURFACE_H

#include "convex.h"

#define SURFACE_KEEP 12           // most points of one pair that are kept
#define SURFACE_FLAT R(1e-4)      // sine of the angle up to which an edge is flat
#define SURFACE_PLANE R(1e-4)     // 1 - cosine of the angle up to which normals count as equal
#define SURFACE_ON_EDGE R(1e-3)   // of an edge's length: a point that is closer is on the edge
#define SURFACE_CORNER 0x8000000u // marks the feature of a corner of the other shape, whatever triangle it is on

// The corner of the triangle after corner i.
static int surface_next(int i)
{
    return i < 2 ? i + 1 : 0;
}

// Unit vector in the plane of the triangle, perpendicular to edge i, outwards.
static vec3 surface_out(const tac_triangle *t, int i)
{
    return v3_unit(v3_cross(v3_sub(t->x[surface_next(i)], t->x[i]), t->n), V3_ZERO);
}

// Convexity of the surface at edge i: 1 convex, 0 flat, -1 concave. A boundary edge is convex.
static int surface_curvature(const tac_triangle *t, int i)
{
    if (t->rim >> i & 1) { return 1; }
    const vec3 d = v3_sub(t->beyond[i], t->x[i]);
    const real height = v3_dot(t->n, d), flat = SURFACE_FLAT * v3_norm(d);
    return height < -flat ? 1 : height > flat ? -1 : 0;
}

// Normal of the triangle across edge i.
static vec3 surface_across(const tac_triangle *t, int i)
{
    return v3_unit(v3_cross(v3_sub(t->x[i], t->x[surface_next(i)]), v3_sub(t->beyond[i], t->x[i])), t->n);
}

// ---------------------------------------------------------------------------------------------------------- the face

// Is a point x below the face pushed out through this face? Not if the face across an edge is closer and the whole
// shape leaves sooner there than x does here; a round shape may have its lowest point along that normal elsewhere.
static int surface_leaves(const tac_model *m, const tac_pair *p, vec3 x, real height, real rounding)
{
    const tac_triangle *t = &p->triangle;
    for (int i = 0; i < 3; i++) {
        if (t->rim >> i & 1 || surface_curvature(t, i) <= 0) { continue; }
        const vec3 n = surface_across(t, i);
        if (!(v3_dot(n, v3_sub(x, t->x[i])) > height + rounding)) { continue; }
        const vec3 below = support_support(m, p, &p->other, v3_scale(R(-1.0), n));
        if (v3_dot(n, v3_sub(below, t->x[i])) > height + rounding) { return 0; }
    }
    return 1;
}

// Is a point that is within the slack of the triangle's edges above the surface: above the triangle, or above the one
// across a flat edge that it is beyond? Next to a corner there may be neither.
static int surface_below(const tac_triangle *t, vec3 x, real rounding)
{
    for (int i = 0; i < 3; i++) {
        const vec3 a = t->x[i], b = t->x[surface_next(i)];
        if (!(v3_dot(surface_out(t, i), v3_sub(x, a)) > rounding)) { continue; }
        const vec3 c = t->beyond[i], left = v3_sub(c, a), right = v3_sub(b, c);
        if (v3_dot(v3_cross(left, t->n), v3_sub(x, a)) > rounding * v3_norm(left)) { return 0; }
        if (v3_dot(v3_cross(right, t->n), v3_sub(x, b)) > rounding * v3_norm(right)) { return 0; }
    }
    return 1;
}

// How far a point is from the convex edges of the triangle.
static real surface_room(const tac_triangle *t, vec3 x)
{
    real least = REAL_LARGEST;
    for (int i = 0; i < 3; i++) {
        if (surface_curvature(t, i) > 0) { least = real_min(least, v3_dot(surface_out(t, i), v3_sub(t->x[i], x))); }
    }
    return least;
}

// Points of the other shape above or below the triangle. A corner of the other shape gives its own feature id, which it
// keeps from triangle to triangle; points made by clipping are identified by the triangle.
static void surface_face(const tac_model *m, tac_pair *p, real rounding)
{
    const tac_triangle *t = &p->triangle;
    tac_support_feature *in = &p->support[1];
    support_facing(m, p, &p->other, v3_scale(R(-1.0), t->n), in);
    int count = face_begin(p, in);
    for (int i = 0; i < 3 && count > 0; i++) {
        const vec3 out = surface_out(t, i);
        const real width = v3_dot(out, v3_sub(t->x[i], t->x[surface_next(surface_next(i))]));
        const real slack = surface_curvature(t, i) == 0 ? FACE_INSIDE * width : rounding;
        count = face_clip(p, count, out, v3_dot(out, t->x[i]), slack, i);
    }
    const tac_corner *c = p->scratch.corner[1];
    uint32_t before = count > 0 ? c[count - 1].edge : 0;
    for (int i = 0; i < count; i++) {
        const real height = v3_dot(t->n, v3_sub(c[i].x.v, t->x[0]));
        const uint32_t whole = before < FACE_EDGE && c[i].edge < FACE_EDGE;
        const uint32_t name = whole ? SURFACE_CORNER | (uint32_t)in->name << 8 : (uint32_t)t->index << 8;
        if (height - points_radii(p) <= p->max_gap && surface_below(t, c[i].x.v, R(2.0) * rounding) &&
            (height >= R(0.0) || surface_leaves(m, p, c[i].x.v, height, rounding))) {
            points_put_above(p, c[i].x.v, t->n, height, name | before << 4 | c[i].edge, surface_room(t, c[i].x.v));
        }
        before = c[i].edge;
    }
}

// --------------------------------------------------------------------------------------------------------- the edges

// Is n a normal of the surface at the point a of the triangle? On an edge only if the edge is convex, and n is not
// beyond the normal of the face across. Inside the triangle n must be the normal of the face.
static int surface_may_push(const tac_triangle *t, vec3 a, vec3 n)
{
    int edges = 0;
    for (int i = 0; i < 3; i++) {
        const vec3 out = surface_out(t, i), d = v3_sub(t->x[surface_next(i)], t->x[i]);
        if (v3_dot(out, v3_sub(t->x[i], a)) > SURFACE_ON_EDGE * v3_norm(d)) { continue; }
        edges++;
        if (v3_dot(n, out) <= SURFACE_FLAT) { continue; }
        if (surface_curvature(t, i) <= 0) { return 0; }
        if (t->rim >> i & 1) { continue; }
        const vec3 back =
            v3_unit(v3_cross(surface_across(t, i), d), V3_ZERO); // in the plane of the triangle across, above this one
        if (v3_dot(n, back) < -SURFACE_FLAT) { return 0; }
    }
    return edges > 0 && v3_dot(n, t->n) > SURFACE_FLAT;
}

// Stores a fallback point for a peak inside a sharp body, where each triangle alone would give a sideways normal that
// the surface does not have: the face of least depth.
static void surface_note(const tac_model *m, tac_pair *p)
{
    const tac_triangle *t = &p->triangle;
    const vec3 x = support_support(m, p, &p->other, v3_scale(R(-1.0), t->n));
    const real height = v3_dot(t->n, v3_sub(x, t->x[0]));
    if (!(height > p->fallback.gap)) { return; }
    p->fallback.at.v = x;
    p->fallback.n = t->n;
    p->fallback.gap = height;
}

// Points at a convex edge or corner of the triangle. Along the normal of the face the points of the face count, if
// there are any; a round shape may have its lowest point just beyond the edge.
static void surface_edges(const tac_model *m, tac_pair *p, int face)
{
    const tac_triangle *t = &p->triangle;
    if (surface_curvature(t, 0) <= 0 && surface_curvature(t, 1) <= 0 && surface_curvature(t, 2) <= 0) { return; }
    vec3 n = t->n, x = V3_ZERO;
    const real distance = convex_normal(m, p, &n, &x);
    if (distance > p->max_gap + points_radii(p) || (face && v3_dot(n, t->n) > R(1.0) - SURFACE_PLANE)) { return; }
    if (surface_may_push(t, v3_madd(x, -distance, n), n)) {
        convex_points(m, p, n, x, distance);
    } else if (distance < R(0.0)) {
        surface_note(m, p);
    }
}

// ------------------------------------------------------------------------------------------------------------ keeping

static void surface_swap(tac_point *a, tac_point *b)
{
    tac_point c;
    points_copy(&c, a);
    points_copy(a, b);
    points_copy(b, &c);
}

// Reduces the points that share the normal of point `done`, and moves them there. Returns the number of points done.
static int surface_thin_plane(tac_pair *p, int done)
{
    tac_point *c = p->point;
    const vec3 n = c[done].n;
    int begin = p->points; // points of this plane are moved to the end
    for (int i = done; i < begin;) {
        if (v3_dot(c[i].n, n) > R(1.0) - SURFACE_PLANE) {
            surface_swap(&c[i], &c[--begin]);
        } else {
            i++;
        }
    }
    face_thin(p, begin, n);
    const int left = p->points - begin;
    for (int i = 0; i < left; i++) { surface_swap(&c[done + i], &c[begin + i]); }
    return done + left;
}

// Keeps four points per plane, and of all the SURFACE_KEEP deepest.
static void surface_thin(tac_pair *p)
{
    for (int done = 0; done < p->points;) { done = surface_thin_plane(p, done); }
    while (p->points > SURFACE_KEEP) {
        int least = 0;
        for (int i = 1; i < p->points; i++) { least = p->point[i].gap > p->point[least].gap ? i : least; }
        points_copy(&p->point[least], &p->point[--p->points]);
    }
}

// Keeps the newest points.
static void surface_join(tac_pair *p)
{
    if (p->points > SURFACE_KEEP) { surface_thin(p); }
    p->kept = p->points;
}

// Adds the points of the triangle to those of earlier ones.
static void surface_meet(const tac_model *m, tac_pair *p, int endless)
{
    const tac_triangle *t = &p->triangle;
    const vec3 below = support_support(m, p, &p->other, v3_scale(R(-1.0), t->n)),
               above = support_support(m, p, &p->other, t->n);
    const real low = v3_dot(t->n, v3_sub(below, t->x[0])), high = v3_dot(t->n, v3_sub(above, t->x[0]));
    if (low - points_radii(p) > p->max_gap) { return; }
    const real rounding = CONVEX_ROUNDING * (v3_norm_inf(below) + v3_norm_inf(t->x[0]));
    const int before = p->points;
    int face = 0;
    if (endless || high + p->other.radius > R(0.0)) { // a mesh may end below the shape
        surface_face(m, p, rounding);
        face = p->points > before;
        surface_join(p);
    }
    surface_edges(m, p, face);
    surface_join(p);
}

// After the last triangle: without any point the fallback is taken. Points of one corner on several faces get distinct
// ids.
static void surface_finish(tac_pair *p)
{
    const tac_point *c = &p->fallback;
    if (p->points == 0 && c->gap > -REAL_LARGEST) { points_put(p, c->at.v, c->n, c->gap, CONVEX_POINT); }
    surface_thin(p);
    for (int i = 1; i < p->points; i++) {
        for (int j = 0; j < i; j++) {
            if (p->point[j].feature == p->point[i].feature) { p->point[i].feature += 1u << 28; }
        }
    }
}

// Bounding box of the other shape plus max_gap, in the frame of the own one.
static void surface_box(const tac_model *m, const tac_pair *p, vec3 *low, vec3 *high)
{
    const real far = p->other.radius + p->max_gap;
    const tac_core *c = &p->other;
    *low = v3(support_support(m, p, c, v3_scale(R(-1.0), V3_AXIS[0])).x - far,
              support_support(m, p, c, v3_scale(R(-1.0), V3_AXIS[1])).y - far,
              support_support(m, p, c, v3_scale(R(-1.0), V3_AXIS[2])).z - far);
    *high = v3(support_support(m, p, c, V3_AXIS[0]).x + far, support_support(m, p, c, V3_AXIS[1]).y + far,
               support_support(m, p, c, V3_AXIS[2]).z + far);
}

// Before the first triangle.
static void surface_begin(const tac_model *m, tac_pair *p, vec3 *low, vec3 *high)
{
    p->fallback.gap = -REAL_LARGEST;
    p->own.kind = SUPPORT_TRIANGLE;
    surface_box(m, p, low, high);
}

#endif
