// SPDX-License-Identifier: MIT
// hull.h - convex bodies by their support functions, and what these prove of an answer.
//   given   kind, size, powers, pose
//   makes   max n.x over a body, the separation of two along n, how far a point is outside
//   bound   every loop is counted
//   never   uses the kernel's inequalities, gradients or iterations
//
// For any unit n the separation s(n) = min n.x over b - max n.x over a is at most the distance of bodies that are
// apart, and points on both bodies are at least the distance from each other. Where both meet, each proves the other.
#ifndef HULL_H
#define HULL_H

#include "tap.h"
#include "truth.h"

enum { SPHERE, ELLIPSOID, SUPER, CYLINDER, CONE, BOX, HULLS };

typedef struct hull {
    int kind, power[3];
    d3 size;
    d3 p;
    dq q;
} hull;

static inline double hull_get(d3 a, int i)
{
    return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

static inline double hull_power(double t, int p)
{
    double y = 1.0;
    for (int i = 0; i < p; i++) { y *= t; }
    return y;
}

// y^(1/k) for y >= 0 and odd k, by Newton's method from above.
static inline double hull_root(double y, int k)
{
    if (!(y > 0.0) || k == 1) { return y; }
    double scale = 1.0, t = 1.0;
    for (int i = 0; i < 200 && y > 1.0; i++) {
        y /= hull_power(4.0, k);
        scale *= 4.0;
    }
    for (int i = 0; i < 200 && y < hull_power(0.25, k); i++) {
        y *= hull_power(4.0, k);
        scale *= 0.25;
    }
    double last = 2.0;
    for (int i = 0; i < 40 && t < last; i++) {
        last = t;
        t -= (t - y / hull_power(t, k - 1)) / k;
    }
    return t * scale;
}

// sum t_i^p_i where t_i^(p_i - 1) = b_i / (l p_i): the point that the multiplier l belongs to.
static inline double hull_sum(const hull *s, const double b[3], double l, double t[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        t[i] = hull_root(b[i] / (l * s->power[i]), s->power[i] - 1);
        sum += hull_power(t[i], s->power[i]);
    }
    return sum;
}

// max sum b_i t_i subject to sum t_i^p_i = 1: bisection for the multiplier, whose sum falls.
static inline double hull_super(const hull *s, d3 n)
{
    double b[3], t[3], most = 0.0;
    for (int i = 0; i < 3; i++) {
        b[i] = d_abs(hull_get(n, i)) * hull_get(s->size, i);
        most = d_max(most, b[i]);
    }
    double low = most / 64.0, high = most * 8.0;
    for (int i = 0; i < 45; i++) { // the maximum is flat: half the digits of l are enough
        const double l = 0.5 * (low + high);
        if (hull_sum(s, b, l, t) > 1.0) {
            low = l;
        } else {
            high = l;
        }
    }
    (void)hull_sum(s, b, 0.5 * (low + high), t);
    return b[0] * t[0] + b[1] * t[1] + b[2] * t[2];
}

// Largest n.x over the body, relative to its origin.
static inline double hull_support(const hull *s, d3 world)
{
    const d3 n = dq_rotate(dq_conjugate(s->q), world), a = s->size;
    const double across = d_sqrt(n.x * n.x + n.y * n.y);
    switch (s->kind) {
    case SPHERE:
        return a.x * d3_norm(n);
    case ELLIPSOID:
        return d3_norm(d3_make(a.x * n.x, a.y * n.y, a.z * n.z));
    case SUPER:
        return hull_super(s, n);
    case CYLINDER:
        return a.x * across + a.z * d_abs(n.z);
    case CONE:
        return d_max(0.75 * a.z * n.z, a.x * across - 0.25 * a.z * n.z);
    default:
        return a.x * d_abs(n.x) + a.y * d_abs(n.y) + a.z * d_abs(n.z);
    }
}

// How far apart the bodies are along unit n, seen from a; at most the gap, whatever n is.
static inline double hull_separation(const hull *a, const hull *b, d3 n)
{
    return d3_dot(d3_sub(b->p, a->p), n) - hull_support(a, n) - hull_support(b, d3_scale(-1.0, n));
}

// About how far x is outside; <= 0 within.
static inline double hull_outside(const hull *s, d3 world)
{
    const d3 x = dq_rotate(dq_conjugate(s->q), d3_sub(world, s->p)), a = s->size;
    const double across = d_sqrt(x.x * x.x + x.y * x.y), least = d_min(a.x, d_min(a.y, a.z));
    double sum = -1.0;
    switch (s->kind) {
    case SPHERE:
        return d3_norm(x) - a.x;
    case ELLIPSOID:
        return 0.5 * least *
               (d3_dot(d3_make(x.x / a.x, x.y / a.y, x.z / a.z), d3_make(x.x / a.x, x.y / a.y, x.z / a.z)) - 1.0);
    case SUPER:
        for (int i = 0; i < 3; i++) { sum += hull_power(hull_get(x, i) / hull_get(a, i), s->power[i]); }
        return 0.125 * least * sum;
    case CYLINDER:
        return d_max(across - a.x, d_abs(x.z) - a.z);
    case CONE:
        return d_max((across / a.x - (0.75 - x.z / a.z)) * d_min(a.x, a.z) * 0.7, -0.25 * a.z - x.z);
    default:
        return d_max(d_abs(x.x) - a.x, d_max(d_abs(x.y) - a.y, d_abs(x.z) - a.z));
    }
}

// Half the thickness, as the kernel's bodies have it at their point inside.
static inline double hull_thickness(const hull *s)
{
    const d3 a = s->size;
    switch (s->kind) {
    case SPHERE:
        return a.x;
    case CYLINDER:
        return d_min(a.x, a.z);
    case CONE:
        return d_min(0.25 * a.z, 0.75 * a.x * a.z / d_sqrt(a.x * a.x + a.z * a.z));
    default:
        return d_min(a.x, d_min(a.y, a.z));
    }
}

static inline tac_status hull_body(const hull *s, tac_implicit *body)
{
    const tac_vec3 size = d3_to(s->size);
    switch (s->kind) {
    case SPHERE:
        return tac_implicit_sphere(body, size.x);
    case ELLIPSOID:
        return tac_implicit_ellipsoid(body, size);
    case SUPER:
        return tac_implicit_superellipsoid(body, size, (uint8_t)s->power[0], (uint8_t)s->power[1],
                                           (uint8_t)s->power[2]);
    case CYLINDER:
        return tac_implicit_cylinder(body, size.x, size.z);
    case CONE:
        return tac_implicit_cone(body, size.x, size.z);
    default:
        return tac_implicit_box(body, size);
    }
}

static inline tac_pose hull_pose(const hull *s)
{
    return (tac_pose){d3_to(s->p), dq_to(s->q)};
}

// Sizes 0.2 .. 1, exact in float so that both precisions see one body; so are poses, to rounding.
static inline hull hull_random(rng *r, int kind)
{
    hull s = {kind, {2, 2, 2}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0, 0}};
    for (int i = 0; i < 3; i++) { s.power[i] = 2 + 2 * (int)rng_below(r, 4); }
    const d3 size = rng_box(r, 0.4);
    s.size = d3_of(d3_to(d3_add(size, d3_make(0.6, 0.6, 0.6))));
    s.p = d3_of(d3_to(rng_box(r, 1.5)));
    s.q = dq_of(dq_to(rng_quat(r)));
    return s;
}

// "a, b" into `text`.
static inline const char *hull_pair_name(char *text, size_t size, const char *a, const char *b)
{
    size_t n = 0;
    for (size_t i = 0; a[i] != '\0' && n + 3 < size; i++) { text[n++] = a[i]; }
    text[n++] = ',';
    text[n++] = ' ';
    for (size_t i = 0; b[i] != '\0' && n + 1 < size; i++) { text[n++] = b[i]; }
    text[n] = '\0';
    return text;
}

#endif
