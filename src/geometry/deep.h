// SPDX-License-Identifier: MIT
// deep.h - penetration depth: a polytope inside the Minkowski difference of two cores grows until its face closest to
// the origin is a face of the difference itself (expanding polytope algorithm, EPA).
//   given   a pair whose cores overlap
//   makes   the direction of least overlap
//   bound   TAC_DEEP_POINTS support points; each is tested against all facets
//   never   returns a vector that is not of unit length: on failure the best direction so far is returned
#ifndef GEOMETRY_DEEP_H
#define GEOMETRY_DEEP_H

#include "nearest.h"

#define DEEP_ENOUGH R(1e-4)                    // of the overlap: smaller improvements are not sought
#define DEEP_ROUNDING (R(16.0) * REAL_EPSILON) // of the size
#define DEEP_TILT R(0.01)                      // rad, about
#define DEEP_FLAT R(1e-3)                      // of the size: least thickness of the first tetrahedron

// Best so far: least overlap and its direction, outwards of the difference.
typedef struct deep_best {
    vec3 n;
    real overlap;
    real size; // of the Minkowski difference
} deep_best;

// Supporting point of the difference {other - own} along unit n.
static vec3 deep_support(const tac_model *m, const tac_pair *p, vec3 n, deep_best *best)
{
    const vec3 b = support_support(m, p, &p->other, n), a = support_support(m, p, &p->own, v3_scale(R(-1.0), n));
    const vec3 w = v3_sub(b, a);
    const real overlap = v3_dot(w, n);
    if (overlap < best->overlap) {
        best->overlap = overlap;
        best->n = n;
    }
    best->size = real_max(best->size, v3_norm_inf(w));
    return w;
}

static void deep_add_facet(tac_polytope *t, int i, int j, int k)
{
    if (t->facets >= 2 * TAC_DEEP_POINTS) { return; }
    tac_facet *f = &t->facet[t->facets++];
    const vec3 a = t->w[i];
    f->n = v3_unit(v3_cross(v3_sub(t->w[j], a), v3_sub(t->w[k], a)), V3_ZERO);
    f->d = v3_dot(f->n, a);
    f->corner[0] = (uint8_t)i;
    f->corner[1] = (uint8_t)j;
    f->corner[2] = (uint8_t)k;
}

// An edge of a facet that is removed: it is on the horizon unless the facet across it is removed too.
static void deep_add_edge(tac_polytope *t, uint8_t i, uint8_t j)
{
    for (int e = 0; e < t->edges; e++) {
        if (t->edge[e][0] == j && t->edge[e][1] == i) {
            t->edges--;
            t->edge[e][0] = t->edge[t->edges][0];
            t->edge[e][1] = t->edge[t->edges][1];
            return;
        }
    }
    if (t->edges < 2 * TAC_DEEP_POINTS) {
        t->edge[t->edges][0] = i;
        t->edge[t->edges++][1] = j;
    }
}

// Adds the newest corner to the polytope: facets that it sees are removed, and their horizon is joined to it. Returns 0
// if it sees none.
static int deep_grow(tac_polytope *t, real rounding)
{
    const int newest = t->points - 1;
    t->edges = 0;
    for (int i = t->facets - 1; i >= 0; i--) {
        const tac_facet f = t->facet[i];
        if (!(v3_dot(f.n, t->w[newest]) > f.d + rounding)) { continue; }
        for (int k = 0; k < 3; k++) { deep_add_edge(t, f.corner[k], f.corner[k < 2 ? k + 1 : 0]); }
        t->facet[i] = t->facet[--t->facets];
    }
    for (int e = 0; e < t->edges; e++) { deep_add_facet(t, t->edge[e][0], t->edge[e][1], newest); }
    return t->edges > 0;
}

// The first tetrahedron: points of the difference far from each other, along the line of centres, away from the line,
// away from the plane. Returns 0 if the difference is flat; then best->n is its normal.
static int deep_begin(const tac_model *m, const tac_pair *p, tac_polytope *t, deep_best *best)
{
    const vec3 line = v3_unit(v3_sub(p->other.centre.v, p->own.centre.v), V3_Z);
    t->facets = 0;
    t->points = 4;
    t->w[0] = deep_support(m, p, line, best);
    t->w[1] = deep_support(m, p, v3_scale(R(-1.0), line), best);
    const vec3 d = v3_unit(v3_sub(t->w[1], t->w[0]), line), u = v3_normal_to(d), v = v3_cross(d, u);
    real most = R(-1.0);
    for (int k = 0; k < 4; k++) {
        const vec3 w = deep_support(m, p, v3_scale(k & 1 ? R(-1.0) : R(1.0), k < 2 ? u : v), best);
        const real far = v3_norm(v3_cross(d, v3_sub(w, t->w[0])));
        if (far > most) {
            most = far;
            t->w[2] = w;
        }
    }
    const vec3 n = v3_unit(v3_cross(d, v3_sub(t->w[2], t->w[0])), u);
    t->w[3] = deep_support(m, p, n, best);
    const vec3 below = deep_support(m, p, v3_scale(R(-1.0), n), best);
    const real up = v3_dot(n, v3_sub(t->w[3], t->w[0])), down = v3_dot(n, v3_sub(t->w[0], below));
    if (real_max(up, down) <= DEEP_FLAT * DEEP_FLAT * best->size) { return 0; }
    if (down > up) { t->w[3] = below; }
    const int i = down > up ? 1 : 0, j = 1 - i; // so that the facets face outwards
    deep_add_facet(t, j, i, 2);
    deep_add_facet(t, i, j, 3);
    deep_add_facet(t, j, 2, 3);
    deep_add_facet(t, 2, i, 3);
    return 1;
}

// The facet closest to the origin, or farthest beyond it; NULL if rounding has left no facet a normal.
static const tac_facet *deep_nearest(const tac_polytope *t)
{
    const tac_facet *least = NULL;
    for (int i = 0; i < t->facets; i++) {
        const tac_facet *f = &t->facet[i];
        if (v3_dot(f->n, f->n) > R(0.0) && (least == NULL || f->d < least->d)) { least = f; }
    }
    return least;
}

// Further candidates, for shapes of little curvature and polytopes that are not finished: the axes of both shapes.
static void deep_try_axes(const tac_model *m, const tac_pair *p, deep_best *best)
{
    for (int k = 0; k < 12; k++) {
        const vec3 n = (k < 6 ? &p->own : &p->other)->axis[k / 2 % 3];
        (void)deep_support(m, p, k & 1 ? v3_scale(R(-1.0), n) : n, best);
    }
}

// Unit direction of the shortest way out of the other core. If the polytope ran out of corners before the result was
// certain, the vector is tilted a little: it may be a stationary direction, with better ones nearby.
static vec3 deep_normal(const tac_model *m, tac_pair *p)
{
    tac_polytope *t = &p->scratch.polytope;
    deep_best best = {V3_Z, REAL_LARGEST, R(0.0)};
    deep_try_axes(m, p, &best);
    int growing = deep_begin(m, p, t, &best), certain = 0;
    while (growing && !certain && t->points < TAC_DEEP_POINTS) {
        const tac_facet *f = deep_nearest(t);
        if (f == NULL) { break; }
        const vec3 n = f->n;
        const real d = f->d;
        t->w[t->points] = deep_support(m, p, n, &best);
        const real gain = v3_dot(n, t->w[t->points++]) - d;
        certain = gain <= DEEP_ENOUGH * real_abs(best.overlap);
        growing = gain > DEEP_ROUNDING * best.size && deep_grow(t, DEEP_ROUNDING * best.size);
    }
    if (!certain) {
        const vec3 u = v3_normal_to(best.n);
        best.n = v3_unit(v3_madd(v3_madd(best.n, DEEP_TILT, u), R(0.5) * DEEP_TILT, v3_cross(best.n, u)), best.n);
    }
    return v3_scale(R(-1.0), best.n);
}

#endif
