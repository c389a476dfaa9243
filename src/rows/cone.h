// SPDX-License-Identifier: MIT
// cone.h - the friction cone K = { (n,u,w) : |(u,w)| <= mu n } and the projection onto it.
//   given   a vector in contact coordinates (n,u,w), the friction coefficient, the metric
//   makes   the nearest point of K in that metric
//   bound   one square root, at most two divisions
//   never   divides by zero: with mu >= 0 a vector without tangential part leaves by the first two doors
#ifndef ROWS_CONE_H
#define ROWS_CONE_H

#include "../geometry/implicit.h"

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

#endif
