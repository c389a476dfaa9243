// SPDX-License-Identifier: MIT
// torsion.h - six rows of a contact that resists spinning and rolling, and their cone: one normal, five tangents.
//   given   vectors of six rows, the friction coefficient
//   makes   the nearest point of the cone; its natural map
//   bound   one square root, at most two divisions
//   never   divides by zero: with mu >= 0 the first two cases handle a vector without tangential part
#ifndef SETS_TORSION_H
#define SETS_TORSION_H

#include "../base/bytes.h"
#include "../base/vec.h"

// The set of CBAT07, with torque impulses r, p, q about n, u, w and semi-axes e:
//      (u, w, r/e_r, p/e_t, q/e_t)  is at most  mu n  long;   e_r = spinning/mu,  e_t = rolling/mu.
// With torques scaled to r/e_r and so on, and their rows of D multiplied by e, it is a circular cone with five
// tangential components. Projection, derivative and De Saxce's term are those of cone.h with a longer tangent; the term
// is mu |(u_T, e w)|, so the exact law is maximum dissipation on the ellipsoid. e = 0 makes rows of zeros, whose
// impulses stay zero.

// Six rows: f along n, u, w; t about them, scaled. Impulses in N s, velocities in m/s.
typedef struct rows6 {
    vec3 f, t;
} rows6;

static rows6 rows6_none(void)
{
    rows6 a;
    reals_clear(&a, sizeof a);
    return a;
}

static rows6 rows6_madd(rows6 a, real s, rows6 b)
{
    return (rows6){v3_madd(a.f, s, b.f), v3_madd(a.t, s, b.t)};
}

static rows6 rows6_sub(rows6 a, rows6 b)
{
    return (rows6){v3_sub(a.f, b.f), v3_sub(a.t, b.t)};
}

static rows6 rows6_scale(real s, rows6 a)
{
    return (rows6){v3_scale(s, a.f), v3_scale(s, a.t)};
}

static real rows6_dot(rows6 a, rows6 b)
{
    return v3_dot(a.f, b.f) + v3_dot(a.t, b.t);
}

// Length of the five tangential components.
static real rows6_tangent(rows6 a)
{
    return real_sqrt(a.f.y * a.f.y + a.f.z * a.f.z + v3_dot(a.t, a.t));
}

static rows6 rows6_of(const real *x)
{
    return (rows6){v3_of(x), v3_of(x + 3)};
}

static void rows6_put(real *x, rows6 a)
{
    v3_put(x, a.f);
    v3_put(x + 3, a.t);
}

// --------------------------------------------------------------------------------------------------------------- cone

static int torsion_contains(rows6 g, real mu)
{
    return g.f.x >= R(0.0) && rows6_tangent(g) <= mu * g.f.x;
}

// Orthogonal projection, as cone_project().
static rows6 torsion_project(rows6 x, real mu)
{
    const real t = rows6_tangent(x);
    if (x.f.x >= R(0.0) && t <= mu * x.f.x) { return x; }
    const real lifted = x.f.x + mu * t;
    if (lifted <= R(0.0)) { return rows6_none(); }
    const real n = lifted / (R(1.0) + mu * mu), scale = mu * n / t;
    return (rows6){v3(n, scale * x.f.y, scale * x.f.z), v3_scale(scale, x.t)};
}

static rows6 torsion_lifted(rows6 u, real mu, int exact)
{
    if (exact) { u.f.x += mu * rows6_tangent(u); }
    return u;
}

// Natural map, as cone_natural().
static rows6 torsion_natural(real weight, real mu, rows6 g, rows6 u, int exact)
{
    const rows6 next = torsion_project(rows6_madd(g, R(-1.0) / weight, torsion_lifted(u, mu, exact)), mu);
    return rows6_scale(weight, rows6_sub(g, next));
}

#endif
