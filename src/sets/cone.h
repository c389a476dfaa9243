// SPDX-License-Identifier: MIT
// cone.h - the friction cone K = { (n,u,w) : |(u,w)| <= mu n } and the projection onto it.
//   given   a vector in contact coordinates (n,u,w), the friction coefficient, the metric
//   makes   the nearest point of K in that metric, the derivative of the orthogonal projection, the natural map
//   bound   one square root, at most two divisions
//   never   divides by zero: with mu >= 0 the first two cases handle a vector without tangential part
#ifndef SETS_CONE_H
#define SETS_CONE_H

#include "../base/bytes.h"
#include "../base/vec.h"

static inline int cone_contains(vec3 g, real mu)
{
    const real limit = mu * g.x;
    return g.x >= R(0.0) && g.y * g.y + g.z * g.z <= limit * limit;
}

// The point of K nearest to x in the metric  (.)_n^2 / rho_n + |(.)_T|^2 / rho_t , which is the one that belongs to a
// step rho_n along the normal and rho_t along the tangents. For rho_n = rho_t this is the orthogonal projection.
//      rho_n mu |t| <= -rho_t n     in the polar cone  ->  0
//               |t| <= mu n         in K               ->  itself
//      otherwise   n* = (rho_t n + rho_n mu |t|) / (rho_t + rho_n mu^2),   t* = mu n* t/|t|
static inline vec3 cone_project(vec3 x, real mu, real rho_n, real rho_t)
{
    const real t = real_sqrt(x.y * x.y + x.z * x.z);
    if (x.x >= R(0.0) && t <= mu * x.x) { return x; }
    const real lifted = rho_t * x.x + rho_n * (mu * t);
    if (lifted <= R(0.0)) { return V3_ZERO; }
    const real n = lifted / (rho_t + rho_n * (mu * mu));
    const real scale = mu * n / t;
    return v3(n, scale * x.y, scale * x.z);
}

// The velocity that must lie in the dual cone: with the De Saxce term mu |u_T| in the normal row the complementarity
// K contains g  perp  u~ in K*  is Coulomb's law itself; without, its relaxation (NST17 (7)).
static inline vec3 cone_velocity(vec3 u, real mu, int exact)
{
    return exact ? v3(u.x + mu * real_sqrt(u.y * u.y + u.z * u.z), u.y, u.z) : u;
}

// The scalar d = trace(W)/3 that turns an impulse of the block into a velocity.
static inline real cone_weight(const sym3 *w)
{
    return sym3_trace(w) * R(1.0 / 3.0);
}

// Natural map of one block in velocity units, weight (g - P_K(g - u~/weight)): zero where g, to which u belongs,
// satisfies the law.
static inline vec3 cone_natural(real weight, real mu, vec3 g, vec3 u, int exact)
{
    const vec3 aim = cone_velocity(u, mu, exact);
    return v3_scale(weight, v3_sub(g, cone_project(v3_madd(g, R(-1.0) / weight, aim), mu, R(1.0), R(1.0))));
}

// An element of the generalised Jacobian of the orthogonal projection at (n, T), t = |T|, times `weight`, for any
// number of tangential components. With s = mu^2 + 1 and T^ = T/t the surface's  n* = (n + mu t)/s,  P = n* (1, mu T^)
// gives
//      dP = (1, mu T^) (dn + mu T^.dT)/s  +  mu n*/t (0, dT - T^ (T^.dT)).
// It is symmetric and lies between 0 and 1, as that of the projection onto any convex set does.
typedef struct cone_slope {
    uint8_t mode; // TAC_STICK: inside, the identity; TAC_OPEN: in the polar cone, nothing; TAC_SLIDE: as above
    real along;   // of (1, mu T^)(1, mu T^)'
    real across;  // of the tangential directions normal to T
} cone_slope;

static inline cone_slope cone_derivative(real n, real t, real mu, real weight)
{
    const real s = R(1.0) + mu * mu, lifted = n + mu * t;
    if (n >= R(0.0) && t <= mu * n) { return (cone_slope){TAC_STICK, weight, weight}; }
    if (lifted <= R(0.0)) { return (cone_slope){TAC_OPEN, R(0.0), R(0.0)}; }
    return (cone_slope){TAC_SLIDE, weight / s, weight * mu * lifted / (s * t)};
}

// This derivative as a matrix of three rows.
static inline void cone_jacobian(vec3 z, real mu, real weight, sym3 *j)
{
    const real t = real_sqrt(z.y * z.y + z.z * z.z);
    const cone_slope p = cone_derivative(z.x, t, mu, weight);
    reals_clear(j, sizeof *j);
    if (p.mode != TAC_SLIDE) {
        j->xx = j->yy = j->zz = p.along;
        return;
    }
    const vec3 along = v3(R(1.0), mu * z.y / t, mu * z.z / t), across = v3(R(0.0), -z.z / t, z.y / t);
    sym3_add_outer(j, p.along, &along);
    sym3_add_outer(j, p.across, &across);
}

#endif
