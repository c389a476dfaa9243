// SPDX-License-Identifier: MIT
// convex.h - two convex shapes of any kind: the direction in which they are nearest, then the points along it.
//   given   a pair of cores
//   makes   up to four points where a face or a line carries the contact, else the one nearest point
//   bound   one search for the nearest points if the cores are apart; if not, one deep search and CONVEX_TURNS of these
//   never   rounds the edges of a shape: gaps are those of the shapes as they are
//
// TCE17 (figures 3 and 4) keeps the search for nearest points away from overlap by shrinking the shapes and growing
// them again by a ball, which rounds their edges. Here the other shape is moved away along the normal that is known so
// far, by its overlap and a margin; the nearest points of the two give a better normal, and so on. The separation along
// the normal,
//      s(n) = min over b in other of n.b - max over a in own of n.a,
// never falls, since the normal n' found maximises s(n') + shift n'.n; where n' = n it is a maximum of s on the sphere:
// the distance of shapes that are apart, the least overlap near n of those that are not. From angle t off that normal
// the next one is t (depth + margin) / (radius of curvature + margin) off; on a face it is exact at once.
#ifndef GEOMETRY_CONVEX_H
#define GEOMETRY_CONVEX_H

#include "deep.h"

#define CONVEX_TURNS 16
#define CONVEX_RATIO R(0.9)  // most that is believed of how the steps of the normal shrink
#define CONVEX_STILL R(1e-3) // a normal that turns by less, and gains no more than rounding, has come to its end
#define CONVEX_MARGIN R(0.1) // of the thinner shape: a distance that leaves the normal well conditioned
#define CONVEX_LEVER                                                                                                   \
    (TAC_REAL_BITS == 32 ? R(1e-2) : R(1e-4)) // of the size: the same, so that rounding over it is a small angle
#define CONVEX_NEAR (TAC_REAL_BITS == 32 ? R(1.0) : R(1e-3)) // of that distance: cores that are nearer do not
#define CONVEX_CLOSE R(1e-3)  // of the gap: how much nearer than a face an edge must be to count
#define CONVEX_SLACK R(0.005) // of the thinner shape: the same where cores overlap
#define CONVEX_FLAT R(1e-5)   // of the thinner shape: what the corners of an end that lies flat may miss
#define CONVEX_ROUNDING (R(32.0) * REAL_EPSILON) // of the size: distances that differ by less are equal
#define CONVEX_OWN R(2e-5)   // of the cosine: how much better the other's face must look along the normal than the own
#define CONVEX_BENT R(1e-3)  // the same for an end of a cylinder or a line against a face
#define CONVEX_ASIDE R(1e-3) // of the thinner shape: lines that are farther aside of each other meet in one point
#define CONVEX_INSIDE R(0.0005) // of a face's width: a corner so far out of it still counts as within
#define CONVEX_POINT 0x4000000u // marks the feature of a single point,
#define CONVEX_OTHER 0x1000000u // of points on a face of the other shape

// Where normals go that moved by `step` last, and by a part `ratio` of what they moved before: the end of that
// geometric series.
static vec3 convex_ahead(vec3 n, vec3 step, real ratio)
{
    const real part = real_min(ratio, CONVEX_RATIO);
    return v3_unit(v3_madd(n, part / (R(1.0) - part), step), n);
}

// A distance of the cores that leaves the normal well conditioned.
static real convex_margin(const tac_pair *p)
{
    return real_max(CONVEX_MARGIN * p->thickness, CONVEX_LEVER * p->size);
}

// Turns n to a maximum of the separation near it. Returns that; `x` is the point of the other core. The separation
// along a new normal is the distance found less the shift's part: what support points along it would say loses by a
// lever.
static real convex_climb(const tac_model *m, tac_pair *p, real margin, real rounding, vec3 *n, vec3 *x)
{
    real s = side_separation(m, p, *n), moved = R(0.0);
    for (int turn = 0; turn < CONVEX_TURNS; turn++) {
        vec3 v = *n, at;
        const real distance = nearest_find(m, p, v3_scale(margin - s, *n), REAL_LARGEST, &v, &at);
        if (!(distance > R(0.0))) { break; }
        const vec3 next = v3_scale(R(1.0) / distance, v), step = v3_sub(next, *n);
        const real found = side_separation(m, p, next), length = v3_norm(step);
        if (turn == 0) { *x = at; }
        if (!(found > s - rounding)) { break; }
        *x = at;
        *n = next;
        if (!(found > s + rounding) && length < CONVEX_STILL) { return found; }
        const vec3 ahead = convex_ahead(next, step, moved > R(0.0) ? length / moved : R(0.0));
        const real farther = side_separation(m, p, ahead);
        if (farther > found) { *n = ahead; }
        s = real_max(found, farther);
        moved = length;
    }
    return s;
}

// The normal of the pair, from the own core to the other, and the point of the other core there. Returns the distance
// of the cores, negative if they overlap.
static real convex_normal(const tac_model *m, tac_pair *p, vec3 *n, vec3 *x)
{
    vec3 v = v3_unit(v3_sub(p->other.centre.v, p->own.centre.v), V3_Z);
    const real limit = p->reach + points_radii(p), distance = nearest_find(m, p, V3_ZERO, limit, &v, x);
    if (distance > limit) { return distance; }
    const real margin = convex_margin(p);
    if (distance > R(0.0)) { *n = v3_scale(R(1.0) / distance, v); }
    if (distance > CONVEX_NEAR * margin) { return distance; }
    if (distance == R(0.0) ||
        side_separation(m, p, *n) < -margin) { // of cores that touch, v may be nothing but rounding
        *n = deep_normal(m, p);
        *x = side_support(m, p, &p->other, v3_scale(R(-1.0), *n)); // stays if the climb finds nothing better
    }
    return convex_climb(m, p, margin, CONVEX_ROUNDING * p->size, n, x);
}

// ----------------------------------------------------------------------------------------------------------- manifold

// The end of a cylinder or the base of a cone: eight corners of a circle.
static int convex_is_circle(const tac_core *c, const tac_side *s)
{
    return s->count == 8 && (c->kind == TAC_CYLINDER || c->kind == TAC_CONE);
}

// Corners within the circle are within all of the planes through its corners.
static void convex_mark(tac_pair *p, int count, const tac_side *circle)
{
    const vec3 centre = v3_scale(R(0.5), v3_add(circle->x[0], circle->x[4]));
    const real radius = (R(1.0) + CONVEX_INSIDE) * v3_norm(v3_sub(circle->x[0], centre));
    for (int i = 0; i < count; i++) {
        tac_corner *c = &p->scratch.corner[0][i];
        const vec3 d = v3_sub(c->x.v, centre), flat = v3_madd(d, -v3_dot(d, circle->n), circle->n);
        if (v3_norm(flat) <= radius) { c->edge |= CLIP_WITHIN; }
    }
}

// The part of the side `in` that is above the side `face`, seen along n: the corners are left in scratch.corner[*at].
static int convex_clip(tac_pair *p, const tac_side *face, int circle, const tac_side *in, vec3 n, int *at)
{
    int count = clip_begin(p, in);
    if (circle) { convex_mark(p, count, face); }
    const int sides = face->count, line = sides == 2;
    const vec3 *x = face->x;
    for (int i = 0; i < sides && count > 0; i++) {
        const vec3 a = x[i], b = x[i + 1 < sides ? i + 1 : 0], c = x[i + 2 < sides ? i + 2 : i + 2 - sides];
        vec3 out = line ? v3_sub(a, b) : v3_cross(v3_sub(b, a), n);
        out = v3_unit(out, V3_ZERO);
        if (!line && v3_dot(out, v3_sub(c, b)) > R(0.0)) { out = v3_scale(R(-1.0), out); }
        const real width = real_abs(v3_dot(out, v3_sub(c, line ? b : a)));
        count = clip_plane(p, count, out, v3_dot(out, a), CONVEX_INSIDE * width, i);
    }
    *at = sides & 1;
    return count;
}

// Puts what the clip has left. `back` tells that the face is the other's.
static void convex_put(tac_pair *p, int count, int at, const tac_side *face, vec3 n, int back, uint32_t name)
{
    const tac_corner *c = p->scratch.corner[at];
    const vec3 out = v3_scale(back ? R(-1.0) : R(1.0), n);
    uint32_t before = count > 0 ? c[count - 1].edge & CLIP_LABEL : 0u;
    for (int i = 0; i < count; i++) {
        const uint32_t edge = c[i].edge & CLIP_LABEL;
        const real distance = v3_dot(n, v3_sub(c[i].x.v, face->x[0]));
        const vec3 x = back ? v3_madd(c[i].x.v, -distance, n) : c[i].x.v;
        if (distance - points_radii(p) <= p->reach) { points_put(p, x, out, distance, name | before << 4 | edge); }
        before = edge;
    }
}

// Are two lines side by side along all of the stretch that they share? Then their points are as near as `n` says.
static int convex_beside(const tac_pair *p, int count, int at, const tac_side *line, vec3 n)
{
    const vec3 aside = v3_cross(n, v3_unit(v3_sub(line->x[1], line->x[0]), n));
    for (int i = 0; i < count; i++) {
        const real d = v3_dot(aside, v3_sub(p->scratch.corner[at][i].x.v, line->x[0]));
        if (!(real_abs(d) <= CONVEX_ASIDE * p->thickness)) { return 0; }
    }
    return 1;
}

// How well a side carries a contact along n: faces before what is round, and what is round only as well as it looks.
static real convex_rate(const tac_core *c, const tac_side *s, vec3 n)
{
    if (s->count < 2) { return R(-1.0); }
    const int bent = s->count == 2 || c->kind == TAC_CYLINDER || c->kind == TAC_CONE;
    return real_abs(v3_dot(s->n, n)) - (bent ? CONVEX_BENT : R(0.0));
}

// Points of the pair on the face of the own core (back = 0) or of the other's. Keeps them, and returns 1, if one of
// them is as near as the cores are, `distance` along n; where the cores overlap a face may be a little deeper.
static int convex_face(const tac_model *m, tac_pair *p, vec3 n, real distance, real rounding, int back)
{
    tac_side *face = &p->side[back], *in = &p->side[1 - back];
    const int line = face->count == 2;
    const vec3 out = line ? v3_scale(back ? R(-1.0) : R(1.0), n) : face->n;
    side_facing(m, p, back ? &p->own : &p->other, v3_scale(R(-1.0), out), in);
    if (line && in->count != 2) { return 0; }
    const real gap = distance - points_radii(p);
    const real slack = CONVEX_SLACK * p->thickness;
    if (side_separation(m, p, v3_scale(back ? R(-1.0) : R(1.0), out)) < distance - slack) { return 0; }
    int at;
    const int circle = convex_is_circle(back ? &p->other : &p->own, face);
    const int count = convex_clip(p, face, circle, in, out, &at);
    if (line && !convex_beside(p, count, at, face, out)) { return 0; }
    const uint32_t name = (back ? CONVEX_OTHER : 0u) | (uint32_t)face->name << 16 | (uint32_t)in->name << 8;
    p->points = p->kept;
    convex_put(p, count, at, face, out, back, name);
    real lowest = REAL_LARGEST;
    for (int i = p->kept; i < p->points; i++) { lowest = real_min(lowest, p->point[i].gap); }
    const real flat = circle || convex_is_circle(back ? &p->own : &p->other, in) ? CONVEX_FLAT * p->thickness : R(0.0);
    const real close = rounding + CONVEX_CLOSE * real_abs(gap) + flat;
    if (!(lowest <= gap + close && lowest >= gap - (distance < R(0.0) ? slack : close))) { return 0; }
    if (p->points > p->kept + 4) { clip_thin(p, p->kept, out); }
    return 1;
}

// A normal that is a little off a face's loses what a lever of the face's length makes of that: with the face's own
// normal the separation is exact. So a flat side takes over where it separates no worse. A triangle of a surface has no
// say: its face is met before.
static void convex_snap(const tac_model *m, const tac_pair *p, real rounding, vec3 *n, real *distance)
{
    real best = side_separation(m, p, *n) - rounding;
    for (int back = 0; back < 2; back++) {
        const tac_core *c = back ? &p->other : &p->own;
        const tac_side *s = &p->side[back];
        if (s->count < 3 || c->kind == SIDE_TRIANGLE) { continue; }
        const vec3 out = v3_scale(back ? R(-1.0) : R(1.0), s->n);
        const real found = side_separation(m, p, out);
        if (!(found >= best)) { continue; }
        *n = out;
        *distance = best = found;
    }
}

// Points along the normal n: on the face that looks best along it, else on the other one, else the nearest one alone.
static void convex_points(const tac_model *m, tac_pair *p, vec3 n, vec3 x, real distance)
{
    side_facing(m, p, &p->own, n, &p->side[0]);
    side_facing(m, p, &p->other, v3_scale(R(-1.0), n), &p->side[1]);
    const real rounding = CONVEX_ROUNDING * p->size;
    convex_snap(m, p, rounding, &n, &distance);
    const real own = convex_rate(&p->own, &p->side[0], n), other = convex_rate(&p->other, &p->side[1], n);
    const int back = other > own + CONVEX_OWN;
    if ((back ? other : own) > R(0.9) && convex_face(m, p, n, distance, rounding, back)) { return; }
    side_facing(m, p, back ? &p->own : &p->other, back ? n : v3_scale(R(-1.0), n), &p->side[1 - back]);
    if ((back ? own : other) > R(0.9) && convex_face(m, p, n, distance, rounding, 1 - back)) { return; }
    p->points = p->kept;
    points_put(p, x, n, distance, CONVEX_POINT);
}

static void convex_meet(const tac_model *m, tac_pair *p)
{
    vec3 n = V3_Z, x = V3_ZERO;
    const real distance = convex_normal(m, p, &n, &x);
    if (distance <= p->reach + points_radii(p)) { convex_points(m, p, n, x, distance); }
}

#endif
