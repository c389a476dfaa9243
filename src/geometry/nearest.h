// SPDX-License-Identifier: MIT
// nearest.h - the closest points of two cores that do not overlap: the algorithm of Gilbert, Johnson and Keerthi (GJK).
//   given   a pair; a displacement of the other core
//   makes   the vector from the own core to the displaced other one; scratch.simplex, whose weights give the points;
//           pair->size, the scale of rounding
//   bound   NEAREST_RUNS runs of NEAREST_ITERATIONS iterations of two support points; nearly always one run of under
//           ten
//   never   decides by an absolute tolerance whether the origin is inside the simplex: all tolerances are relative
#ifndef GEOMETRY_NEAREST_H
#define GEOMETRY_NEAREST_H

#include "support.h"

#define NEAREST_ITERATIONS (TAC_REAL_BITS == 32 ? 40 : 80) // most of one search for the nearest points of two cores
#define NEAREST_RUNS 4 // most searches of a pair
#define NEAREST_TOLERANCE (R(8.0) * REAL_EPSILON) // of the squared distance: remaining gain at which the search ends
#define NEAREST_ROUNDING (R(4.0) * REAL_EPSILON)  // of the size: uncertainty of the distance

// The point of a simplex closest to the origin.
typedef struct nearest {
    vec3 v;
    real norm2;
    real part[4];
} nearest;

// Updates `best` with the point of the edge from w[i] to w[j] closest to the origin.
static void nearest_edge(const vec3 *w, int i, int j, nearest *best)
{
    const vec3 d = v3_sub(w[j], w[i]);
    const real dd = v3_dot(d, d);
    const real t = dd > R(0.0) ? real_clamp(-v3_dot(w[i], d) / dd, R(0.0), R(1.0)) : R(0.0);
    const vec3 v = t < R(1.0) ? v3_madd(w[i], t, d) : w[j];
    const real norm2 = v3_dot(v, v);
    if (!(norm2 < best->norm2)) { return; }
    reals_clear(best->part, sizeof best->part);
    best->v = v;
    best->norm2 = norm2;
    best->part[i] = R(1.0) - t;
    best->part[j] = t;
}

// Updates `best` with that of the triangle i, j, k: inside it, or on an edge beyond which the origin lies.
static void nearest_triangle(const vec3 *w, int i, int j, int k, nearest *best)
{
    const vec3 n = v3_cross(v3_sub(w[j], w[i]), v3_sub(w[k], w[i]));
    const real pi = v3_dot(n, v3_cross(w[j], w[k])), pj = v3_dot(n, v3_cross(w[k], w[i])),
               pk = v3_dot(n, v3_cross(w[i], w[j])), sum = pi + pj + pk;
    if (!(pi > R(0.0))) { nearest_edge(w, j, k, best); }
    if (!(pj > R(0.0))) { nearest_edge(w, k, i, best); }
    if (!(pk > R(0.0))) { nearest_edge(w, i, j, best); }
    if (!(pi > R(0.0) && pj > R(0.0) && pk > R(0.0))) { return; }
    const vec3 v = v3_scale(v3_dot(n, w[i]) / v3_dot(n, n), n);
    const real norm2 = v3_dot(v, v);
    if (!(norm2 < best->norm2)) { return; }
    reals_clear(best->part, sizeof best->part);
    best->v = v;
    best->norm2 = norm2;
    best->part[i] = pi / sum;
    best->part[j] = pj / sum;
    best->part[k] = pk / sum;
}

// Updates `best` with that of a tetrahedron: of one of its faces, unless the origin is inside of all. All faces are
// tried, since for a flat tetrahedron rounding would decide which ones the origin is beyond.
static void nearest_tetrahedron(const vec3 *w, nearest *best)
{
    int inside = 1;
    for (int l = 0; l < 4; l++) { // the face without corner l; the face without the newest corner has been tried before
        const int i = (l + 1) & 3, j = (l + 2) & 3, k = (l + 3) & 3;
        const vec3 n = v3_cross(v3_sub(w[j], w[i]), v3_sub(w[k], w[i]));
        inside &= v3_dot(n, w[i]) * v3_dot(n, v3_sub(w[i], w[l])) > R(0.0);
        if (l < 3) { nearest_triangle(w, i, j, k, best); }
    }
    if (inside) { best->norm2 = R(0.0); }
}

// Reduces the simplex to the corners that carry the point closest to the origin. Returns its squared norm, 0 if the
// origin is inside.
static real nearest_reduce(tac_simplex *s, real limit, vec3 *v)
{
    nearest best;
    best.norm2 = limit;
    switch (s->count) {
    case 1:
    case 2:
        nearest_edge(s->w, 0, s->count - 1, &best);
        if (s->count == 1) { best.part[0] = R(1.0); }
        break;
    case 3:
        nearest_triangle(s->w, 0, 1, 2, &best);
        break;
    default:
        nearest_tetrahedron(s->w, &best);
    }
    if (best.norm2 == R(0.0) || !(best.norm2 < limit)) { return best.norm2; }
    *v = best.v;
    const int count = s->count;
    s->count = 0;
    for (int i = 0; i < count; i++) {
        if (best.part[i] == R(0.0)) { continue; }
        s->w[s->count] = s->w[i];
        s->x[s->count] = s->x[i];
        s->part[s->count++] = best.part[i];
    }
    return best.norm2;
}

// Adds the supporting point of the Minkowski difference along -v. Returns 0 if it is in the simplex already.
static int nearest_add(const tac_model *m, tac_pair *p, vec3 shift, vec3 v, vec3 *w)
{
    tac_simplex *s = &p->scratch.simplex;
    const vec3 b = support_support(m, p, &p->other, v3_scale(R(-1.0), v)), a = support_support(m, p, &p->own, v);
    *w = v3_sub(v3_add(b, shift), a);
    for (int i = 0; i < s->count; i++) {
        if (v3_norm_inf(v3_sub(*w, s->w[i])) == R(0.0)) { return 0; }
    }
    s->w[s->count] = *w;
    s->x[s->count++] = b;
    return 1;
}

// The closest point of the other core.
static vec3 nearest_point(const tac_simplex *s)
{
    vec3 x = V3_ZERO;
    for (int i = 0; i < s->count; i++) { x = v3_madd(x, s->part[i], s->x[i]); }
    return x;
}

// Iterates until nothing is gained, from the supporting point along -v. Returns the distance, 0 if the origin is
// inside; `close`: the remaining gain is within rounding.
static real nearest_run(const tac_model *m, tac_pair *p, vec3 shift, real limit, vec3 *v, int *close)
{
    tac_simplex *s = &p->scratch.simplex;
    vec3 w;
    s->count = 0;
    (void)nearest_add(m, p, shift, *v, v);
    s->part[0] = R(1.0);
    real norm2 = v3_dot(*v, *v);
    p->size = real_max(p->size, v3_norm_inf(*v));
    *close = 0;
    for (int iteration = 0; iteration < NEAREST_ITERATIONS; iteration++) {
        const real rounding = NEAREST_ROUNDING * p->size, norm = real_sqrt(norm2);
        *close = 1;
        if (norm <= rounding) { return R(0.0); }
        const int count = s->count;
        if (!nearest_add(m, p, shift, *v, &w)) { break; }
        s->count = count;
        p->size = real_max(p->size, v3_norm_inf(w));
        const real along = v3_dot(*v, w), gain = norm2 - along;
        if (along > limit * norm || gain <= NEAREST_TOLERANCE * norm2 + rounding * norm) { return norm; }
        s->count = count + 1;
        const real next = nearest_reduce(s, norm2, v);
        if (next == R(0.0)) { return R(0.0); }
        *close = 0;
        if (!(next < norm2)) {
            s->count = count;
            break;
        }
        norm2 = next;
    }
    return real_sqrt(norm2);
}

// Distance of the cores with the other one displaced; the vector v from the own core to it, which on entry is an
// estimate of its direction; the closest point x of the other core. 0 if they overlap, or if rounding cannot tell; some
// value above `limit` if the distance is larger than that. In a simplex that extends far beyond the closest point the
// gain may fall below the last digit of the norm: then a new run starts from the direction found.
static real nearest_find(const tac_model *m, tac_pair *p, vec3 shift, real limit, vec3 *v, vec3 *x)
{
    vec3 from = *v;
    real least = REAL_LARGEST;
    int close = 0;
    p->size = R(0.0);
    for (int run = 0; run < NEAREST_RUNS && !close; run++) {
        const real distance = nearest_run(m, p, shift, limit, &from, &close);
        if (!(distance < least)) { break; }
        least = distance;
        *v = from;
        *x = nearest_point(&p->scratch.simplex);
    }
    return least;
}

#endif
