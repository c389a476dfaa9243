// SPDX-License-Identifier: MIT
// convex.h - two convex shapes of any kind: the normal along which they are closest, then the contact points along it.
//   given   a pair of cores
//   makes   up to four points if a face or an edge carries the contact, else the single closest point
//   bound   one GJK search if the cores are separated; else one EPA search and CONVEX_ITERATIONS GJK searches
//   never   rounds the edges of a shape: gaps are those of the shapes as they are
//
// TCE17 (figures 3 and 4) keeps GJK away from overlap by shrinking the shapes and growing them again by a ball, which
// rounds their edges. Here the other shape is displaced along the normal known so far, by its overlap and a margin; the
// closest points of the two give a better normal, and so on. The separation along the normal,
//      s(n) = min over b in other of n.b - max over a in own of n.a,
// never decreases, since the new normal n' maximises s(n') + displacement n'.n; where n' = n it is a maximum of s on
// the sphere: the distance of separated shapes, the least overlap near n of overlapping ones. An error angle t of the
// normal becomes t (depth + margin) / (radius of curvature + margin) in one iteration; on a face the result is exact at
// once.
#ifndef GEOMETRY_CONVEX_H
#define GEOMETRY_CONVEX_H

#include "face.h"
#include "deep.h"

#define CONVEX_ITERATIONS 16 // most of the search for the direction of least overlap
#define CONVEX_RATIO R(0.9)  // largest contraction rate that the extrapolation assumes
#define CONVEX_STILL R(1e-3) // a normal that changes by less, without a gain above rounding, has converged
#define CONVEX_MARGIN R(0.1) // of the thinner shape: a distance that leaves the normal well conditioned
#define CONVEX_LEVER                                                                                                   \
    (TAC_REAL_BITS == 32 ? R(1e-2) : R(1e-4)) // of the size: the same, so that rounding over it is a small angle
#define CONVEX_NEAR (TAC_REAL_BITS == 32 ? R(1.0) : R(1e-3)) // of that distance: cores that are closer do not
#define CONVEX_CLOSE R(1e-3)  // of the gap: an edge must be closer than a face by this part
#define CONVEX_LEVEL R(8.0)   // roundings of distance: cores that overlap by less only touch
#define CONVEX_SLACK R(0.005) // of the thinner shape: the same where cores overlap
#define CONVEX_FLAT R(1e-5)   // of the thinner shape: tolerance of the corners of an end that lies flat
#define CONVEX_LEAN R(1e-8)   // likewise of other corners: those a little outside of a face that leans by noise
#define CONVEX_ROUNDING (R(32.0) * REAL_EPSILON) // of the size: smaller differences of distance count as zero
#define CONVEX_OWN                                                                                                     \
    R(2e-5) // of the cosine: how much better the other's face must be aligned with the normal than the own
#define CONVEX_CURVED R(1e-3)   // the same for an end of a cylinder or a line against a face
#define CONVEX_ASIDE R(1e-3)    // of the thinner shape: lines with a larger offset have a single contact point
#define CONVEX_INSIDE R(0.0005) // of a face's width: a corner that is outside by less counts as inside
#define CONVEX_POINT 0x4000000u // marks the feature of a single point,
#define CONVEX_OTHER 0x1000000u // of points on a face of the other shape

// Extrapolates the normals as a geometric series: the last step was `step`, each is `ratio` of the one before.
static vec3 convex_ahead(vec3 n, vec3 step, real ratio)
{
    const real part = real_min(ratio, CONVEX_RATIO);
    return v3_unit(v3_madd(n, part / (R(1.0) - part), step), n);
}

// A distance of the cores at which the normal is well conditioned.
static real convex_margin(const tac_pair *p)
{
    return real_max(CONVEX_MARGIN * p->thickness, CONVEX_LEVER * p->size);
}

// Improves n to a local maximum of the separation and returns that; `x` is the supporting point of the other core. The
// separation along a new normal is the distance found minus the part of the displacement; evaluating support points
// along it would lose digits by the lever arm.
static real convex_climb(const tac_model *m, tac_pair *p, real margin, real rounding, vec3 *n, vec3 *x)
{
    real s = support_separation(m, p, *n), moved = R(0.0);
    for (int iteration = 0; iteration < CONVEX_ITERATIONS; iteration++) {
        vec3 v = *n, at;
        const real distance = nearest_find(m, p, v3_scale(margin - s, *n), REAL_LARGEST, &v, &at);
        if (!(distance > R(0.0))) { break; }
        const vec3 next = v3_scale(R(1.0) / distance, v), step = v3_sub(next, *n);
        const real found = support_separation(m, p, next), length = v3_norm(step);
        if (iteration == 0) { *x = at; }
        if (!(found > s - rounding)) { break; }
        *x = at;
        *n = next;
        if (!(found > s + rounding) && length < CONVEX_STILL) { return found; }
        const vec3 ahead = convex_ahead(next, step, moved > R(0.0) ? length / moved : R(0.0));
        const real farther = support_separation(m, p, ahead);
        if (farther > found) { *n = ahead; }
        s = real_max(found, farther);
        moved = length;
    }
    return s;
}

// The normal of the pair, from the own core to the other, and the closest point of the other core. Returns the distance
// of the cores, negative if they overlap.
static real convex_normal(const tac_model *m, tac_pair *p, vec3 *n, vec3 *x)
{
    vec3 v = v3_unit(v3_sub(p->other.centre.v, p->own.centre.v), V3_Z);
    const real limit = p->max_gap + points_radii(p), distance = nearest_find(m, p, V3_ZERO, limit, &v, x);
    if (distance > limit) { return distance; }
    const real margin = convex_margin(p);
    if (distance > R(0.0)) { *n = v3_scale(R(1.0) / distance, v); }
    if (distance > CONVEX_NEAR * margin) { return distance; }
    const real rounding = CONVEX_ROUNDING * p->size;
    // where cores touch, v may be rounding only
    if (distance == R(0.0) || support_separation(m, p, *n) < -CONVEX_LEVEL * rounding) {
        *n = deep_normal(m, p);
        *x = support_support(m, p, &p->other, v3_scale(R(-1.0), *n)); // kept if hill climbing finds nothing better
    }
    return convex_climb(m, p, margin, rounding, n, x);
}

// ----------------------------------------------------------------------------------------------------------- manifold

// The end of a cylinder or the base of a cone: eight corners of a circle.
static int convex_is_circle(const tac_core *c, const tac_support_feature *s)
{
    return s->count == 8 && (c->kind == TAC_CYLINDER || c->kind == TAC_CONE);
}

// Marks corners inside the circle: they are inside all planes through its corners.
static void convex_mark(tac_pair *p, int count, const tac_support_feature *circle)
{
    const vec3 centre = v3_scale(R(0.5), v3_add(circle->x[0], circle->x[4]));
    const real radius = (R(1.0) + CONVEX_INSIDE) * v3_norm(v3_sub(circle->x[0], centre));
    for (int i = 0; i < count; i++) {
        tac_corner *c = &p->scratch.corner[0][i];
        const vec3 d = v3_sub(c->x.v, centre), flat = v3_madd(d, -v3_dot(d, circle->n), circle->n);
        if (v3_norm(flat) <= radius) { c->edge |= FACE_WITHIN; }
    }
}

// Clips the feature `in` to the face `face`, projected along n: the corners are left in scratch.corner[*at].
static int convex_clip(tac_pair *p, const tac_support_feature *face, int circle, const tac_support_feature *in, vec3 n,
                       int *at)
{
    int count = face_begin(p, in);
    if (circle) { convex_mark(p, count, face); }
    const int sides = face->count, line = sides == 2;
    const vec3 *x = face->x;
    for (int i = 0; i < sides && count > 0; i++) {
        const vec3 a = x[i], b = x[i + 1 < sides ? i + 1 : 0], c = x[i + 2 < sides ? i + 2 : i + 2 - sides];
        vec3 out = line ? v3_sub(a, b) : v3_cross(v3_sub(b, a), n);
        out = v3_unit(out, V3_ZERO);
        if (!line && v3_dot(out, v3_sub(c, b)) > R(0.0)) { out = v3_scale(R(-1.0), out); }
        const real width = real_abs(v3_dot(out, v3_sub(c, line ? b : a)));
        count = face_clip(p, count, out, v3_dot(out, a), CONVEX_INSIDE * width, i);
    }
    *at = sides & 1;
    return count;
}

// How far a point is within the border of a face; a line has none.
static real convex_room(const tac_support_feature *face, vec3 x)
{
    const int half = face->count / 2;
    const vec3 middle = v3_scale(R(0.5), v3_add(face->x[0], face->x[half])); // of a line, inside of a face
    real least = face->count > 2 ? REAL_LARGEST : R(-1.0);
    for (int i = 0; i < face->count && face->count > 2; i++) {
        const vec3 a = face->x[i], side = v3_sub(face->x[i + 1 < face->count ? i + 1 : 0], a);
        const vec3 out = v3_unit(v3_cross(side, face->n), V3_ZERO);
        const real room = v3_dot(out, v3_sub(a, x));
        least = real_min(least, v3_dot(out, v3_sub(a, middle)) < R(0.0) ? -room : room);
    }
    return least;
}

// Adds the clipped corners as points. `back`: the face belongs to the other shape.
static void convex_put(tac_pair *p, int count, int at, const tac_support_feature *face, vec3 n, int back, uint32_t name)
{
    const tac_corner *c = p->scratch.corner[at];
    const vec3 out = v3_scale(back ? R(-1.0) : R(1.0), n);
    uint32_t before = count > 0 ? c[count - 1].edge & FACE_LABEL : 0u;
    for (int i = 0; i < count; i++) {
        const uint32_t edge = c[i].edge & FACE_LABEL;
        const real distance = v3_dot(n, v3_sub(c[i].x.v, face->x[0]));
        const vec3 x = back ? v3_madd(c[i].x.v, -distance, n) : c[i].x.v;
        if (distance - points_radii(p) <= p->max_gap) {
            points_put_above(p, x, out, distance, name | before << 4 | edge, convex_room(face, c[i].x.v));
        }
        before = edge;
    }
}

// Are two lines close to each other along the whole stretch where they overlap? Then its points have the gap along n.
static int convex_beside(const tac_pair *p, int count, int at, const tac_support_feature *line, vec3 n)
{
    const vec3 aside = v3_cross(n, v3_unit(v3_sub(line->x[1], line->x[0]), n));
    for (int i = 0; i < count; i++) {
        const real d = v3_dot(aside, v3_sub(p->scratch.corner[at][i].x.v, line->x[0]));
        if (!(real_abs(d) <= CONVEX_ASIDE * p->thickness)) { return 0; }
    }
    return 1;
}

// Rank of a supporting feature for a contact along n: flat faces before round ends and lines, and these by their
// alignment.
static real convex_rate(const tac_core *c, const tac_support_feature *s, vec3 n)
{
    if (s->count < 2) { return R(-1.0); }
    const int bent = s->count == 2 || c->kind == TAC_CYLINDER || c->kind == TAC_CONE;
    return real_abs(v3_dot(s->n, n)) - (bent ? CONVEX_CURVED : R(0.0));
}

// Contact points on the face of the own core (back = 0) or of the other. Keeps them, and returns 1, if one of them is
// as close as the cores are, `distance` along n; where the cores overlap, a face may be a little deeper.
static int convex_face(const tac_model *m, tac_pair *p, vec3 n, real distance, real rounding, int back)
{
    tac_support_feature *face = &p->support[back], *in = &p->support[1 - back];
    const int line = face->count == 2;
    const vec3 out = line ? v3_scale(back ? R(-1.0) : R(1.0), n) : face->n;
    support_facing(m, p, back ? &p->own : &p->other, v3_scale(R(-1.0), out), in);
    if (line && in->count != 2) { return 0; }
    const real gap = distance - points_radii(p);
    const real slack = CONVEX_SLACK * p->thickness;
    if (support_separation(m, p, v3_scale(back ? R(-1.0) : R(1.0), out)) < distance - slack) { return 0; }
    int at;
    const int circle = convex_is_circle(back ? &p->other : &p->own, face);
    const int count = convex_clip(p, face, circle, in, out, &at);
    if (line && !convex_beside(p, count, at, face, out)) { return 0; }
    const uint32_t name = (back ? CONVEX_OTHER : 0u) | (uint32_t)face->name << 16 | (uint32_t)in->name << 8;
    p->points = p->kept;
    convex_put(p, count, at, face, out, back, name);
    real lowest = REAL_LARGEST;
    for (int i = p->kept; i < p->points; i++) { lowest = real_min(lowest, p->point[i].gap); }
    const real flat = circle || convex_is_circle(back ? &p->own : &p->other, in) ? CONVEX_FLAT : CONVEX_LEAN;
    const real close = rounding + CONVEX_CLOSE * real_abs(gap) + flat * p->thickness;
    if (!(lowest <= gap + close && lowest >= gap - (distance < R(0.0) ? slack : close))) { return 0; }
    if (p->points > p->kept + 4) { face_thin(p, p->kept, out); }
    return 1;
}

// Snaps n to the normal of a face. A normal with a small error loses separation in proportion to the size of the face,
// while with the face's own normal the separation is exact; so the face normal is taken if it separates no worse.
// Triangles of a surface are excluded, since their faces are handled before.
static void convex_snap(const tac_model *m, const tac_pair *p, real rounding, vec3 *n, real *distance)
{
    real best = support_separation(m, p, *n) - rounding;
    for (int back = 0; back < 2; back++) {
        const tac_core *c = back ? &p->other : &p->own;
        const tac_support_feature *s = &p->support[back];
        if (s->count < 3 || c->kind == SUPPORT_TRIANGLE) { continue; }
        const vec3 out = v3_scale(back ? R(-1.0) : R(1.0), s->n);
        const real found = support_separation(m, p, out);
        if (!(found >= best)) { continue; }
        *n = out;
        *distance = best = found;
    }
}

// Contact points along the normal n: on the face best aligned with it, else on the other one, else the closest point
// alone.
static void convex_points(const tac_model *m, tac_pair *p, vec3 n, vec3 x, real distance)
{
    support_facing(m, p, &p->own, n, &p->support[0]);
    support_facing(m, p, &p->other, v3_scale(R(-1.0), n), &p->support[1]);
    const real rounding = CONVEX_ROUNDING * p->size;
    convex_snap(m, p, rounding, &n, &distance);
    const real own = convex_rate(&p->own, &p->support[0], n), other = convex_rate(&p->other, &p->support[1], n);
    const int back = other > own + CONVEX_OWN;
    if ((back ? other : own) > R(0.9) && convex_face(m, p, n, distance, rounding, back)) { return; }
    support_facing(m, p, back ? &p->own : &p->other, back ? n : v3_scale(R(-1.0), n), &p->support[1 - back]);
    if ((back ? own : other) > R(0.9) && convex_face(m, p, n, distance, rounding, 1 - back)) { return; }
    p->points = p->kept;
    points_put(p, x, n, distance, CONVEX_POINT);
}

static void convex_meet(const tac_model *m, tac_pair *p)
{
    vec3 n = V3_Z, x = V3_ZERO;
    const real distance = convex_normal(m, p, &n, &x);
    if (distance <= p->max_gap + points_radii(p)) { convex_points(m, p, n, x, distance); }
}

#endif
