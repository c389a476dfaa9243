// SPDX-License-Identifier: MIT
// set.h - the sets C_k of a block's impulse: nearest point, distance, De Saxce's term, mode.
//   given   a block of a problem; an impulse or velocity of its rows; the metric, a step for each row
//   makes   its projection onto C_k; a projected step, natural map; membership and mode
//   bound   a cone with semi-axes of its own takes SET_NEWTON steps, everything else a constant
//   never   leaves a point outside its set by more than rounding; divides by zero
#ifndef PROBLEM_SET_H
#define PROBLEM_SET_H

#include "../sets/cone.h"

#if TAC_SOLVE

#define SET_NEWTON 60 // half of them bisections at worst: 30 bits from a bracket of 1, then quadratic

static int set_is_cone(const tac_problem_block *k)
{
    return k->set == TAC_SET_CONE || k->set == TAC_SET_TORSION || k->set == TAC_SET_ROLLING;
}

// e_i of row i >= 1 of a cone.
static real set_axis(const tac_problem_block *k, int i)
{
    return k->set == TAC_SET_CONE ? R(1.0) : k->e[i - 1];
}

// |(g_i / e_i)| over the tangential rows: at most mu n in the cone.
static real set_tangent(const tac_problem_block *k, const real *g)
{
    real sum = R(0.0);
    for (int i = 1; i < k->rows; i++) {
        const real t = g[i] / set_axis(k, i);
        sum += t * t;
    }
    return real_sqrt(sum);
}

// |(e_i u_i)|: the most power that tangential impulses with mu n = 1 can take from the velocity u.
static real set_speed(const tac_problem_block *k, const real *u)
{
    real sum = R(0.0);
    for (int i = 1; i < k->rows; i++) {
        const real t = u[i] * set_axis(k, i);
        sum += t * t;
    }
    return real_sqrt(sum);
}

// De Saxce's term: with it in the normal row, K contains g perp u + lift e_n in K* says that u_n >= 0, n u_n = 0 and
// g_T.u_T = -mu n |(e_i u_i)|, the least that the section n of K allows: maximum dissipation (DSF98, for any section).
static real set_lift(const tac_problem_block *k, const real *u)
{
    return set_is_cone(k) ? k->mu * set_speed(k, u) : R(0.0);
}

static int set_contains(const tac_problem_block *k, const real *g)
{
    if (k->set == TAC_SET_FREE) { return 1; }
    if (k->set == TAC_SET_INTERVAL) { return g[0] >= k->lo && g[0] <= k->hi; }
    return g[0] >= R(0.0) && (k->set == TAC_SET_RAY || set_tangent(k, g) <= k->mu * g[0]);
}

// One term of what follows: den = A + theta (1 - A), and c = mu rho_n e x / rho over it.
static real set_term(const tac_problem_block *k, const real *x, const real *rho, int i, real theta, real *den,
                     real *slope)
{
    const real e = set_axis(k, i), lever = k->mu * rho[0] * e / rho[i], wide = k->mu * e * lever;
    *slope = R(1.0) - wide;
    *den = wide + theta * *slope;
    return lever * x[i] / *den;
}

// The point y of K nearest to x in the metric  sum (.)_i^2 / rho_i.  K is  q(y) = sum_i (y_i / (mu e_i))^2 - y_n^2 <=
// 0. With a multiplier l of q/2, y_n (1 - rho_n l') = x_n and so on; put l' = theta/(1 - theta) in the normal row's
// units,
//      A_i = mu^2 e_i^2 rho_n / rho_i,   den_i = A_i (1 - theta) + theta,   c_i = mu e_i rho_n x_i / rho_i :
//      y_i = x_i A_i (1 - theta) / den_i,      y_n = (1 - theta) T,      T = | (c_i / den_i) |
// lies on the rim for every theta, and is the nearest point when
//      h(theta) = (1 - 2 theta) T(theta) - x_n = 0.
// h falls strictly: (1 - 2 theta)/den_i has the derivative -(2 A_i (1 - theta) + 2 theta + (1 - 2 theta)(1 -
// A_i))/den_i^2 = -(1 + A_i)/den_i^2. Outside K, h(0) > 0 if x_n >= 0, since T(0) = |x_i/e_i|/mu; h(0) > 0 anyway if
// x_n < 0. h(1) = -|c| - x_n < 0 unless x lies in the polar cone. So there is one root; Newton's step is taken when it
// stays in the bracket, else the bracket is halved. Where mu = 0 there are no tangential parts.
static void set_project_elliptic(const tac_problem_block *k, real *x, const real *rho)
{
    real lo = R(0.0), hi = R(1.0), theta = R(0.5), den, slope, sum = R(0.0);
    for (int i = 1; i < k->rows; i++) {
        const real c = set_term(k, x, rho, i, R(1.0), &den, &slope);
        sum += c * c;
    }
    const real polar = real_sqrt(sum);
    if (polar <= -x[0] || !(polar > R(0.0))) { // polar cone; or no friction, no tangential part
        const real n = polar <= -x[0] ? R(0.0) : real_max(x[0], R(0.0));
        for (int i = 1; i < k->rows; i++) { x[i] = R(0.0); }
        x[0] = n;
        return;
    }
    real t = R(0.0);
    for (int step = 0; step < SET_NEWTON; step++) {
        real square = R(0.0), rate = R(0.0);
        for (int i = 1; i < k->rows; i++) {
            const real c = set_term(k, x, rho, i, theta, &den, &slope);
            square += c * c;
            rate += c * c * slope / den;
        }
        t = real_sqrt(square);
        const real left = R(1.0) - R(2.0) * theta, h = left * t - x[0];
        if (h > R(0.0)) {
            lo = theta;
        } else {
            hi = theta;
        }
        const real newton = theta + h / (R(2.0) * t + left * rate / t);
        const real next = newton > lo && newton < hi ? newton : R(0.5) * (lo + hi);
        const int done = real_abs(next - theta) <= R(0.5) * REAL_EPSILON * theta;
        theta = next;
        if (done) { break; }
    }
    const real rest = R(1.0) - theta;
    sum = R(0.0);
    for (int i = 1; i < k->rows; i++) {
        const real c = set_term(k, x, rho, i, theta, &den, &slope);
        x[i] = rest * k->mu * set_axis(k, i) * c;
        sum += c * c;
    }
    x[0] = rest * real_sqrt(sum);
}

static const real SET_PLAIN[TAC_BLOCK_ROWS] = {R(1.0), R(1.0), R(1.0), R(1.0), R(1.0), R(1.0)};

// x becomes the point of its set nearest to it in the metric  sum (.)_i^2 / rho_i.
static void set_project(const tac_problem_block *k, real *x, const real *rho)
{
    switch (k->set) {
    case TAC_SET_INTERVAL:
        x[0] = real_clamp(x[0], k->lo, k->hi);
        return;
    case TAC_SET_RAY:
        x[0] = real_max(x[0], R(0.0));
        return;
    case TAC_SET_CONE: {
        const vec3 g = cone_project(v3(x[0], x[1], x[2]), k->mu, rho[0], rho[1]);
        x[0] = g.x;
        x[1] = g.y;
        x[2] = g.z;
        return;
    }
    case TAC_SET_TORSION:
    case TAC_SET_ROLLING:
        if (!set_contains(k, x)) { set_project_elliptic(k, x, rho); }
        return;
    default:
        return;
    }
}

// A projected step against u~: next = P(g - length rho u~) in the metric of rho.
static inline void set_descend(const tac_problem_block *k, const real *g, const real *u, int exact, real length,
                               const real *rho, real *next)
{
    const real lift = exact ? set_lift(k, u) : R(0.0);
    for (int r = 0; r < k->rows; r++) { next[r] = g[r] - length * rho[r] * (r == 0 ? u[r] + lift : u[r]); }
    set_project(k, next, rho);
}

// Natural map with the step 1/weight, g - P(g - u~/weight), into `map`. Returns its square.
static real set_natural(const tac_problem_block *k, const real *g, const real *u, int exact, real weight, real *map)
{
    real sum = R(0.0), next[TAC_BLOCK_ROWS];
    const real lift = exact ? set_lift(k, u) : R(0.0);
    for (int r = 0; r < k->rows; r++) { next[r] = g[r] - (r == 0 ? u[r] + lift : u[r]) / weight; }
    set_project(k, next, SET_PLAIN);
    for (int r = 0; r < k->rows; r++) {
        map[r] = g[r] - next[r];
        sum += map[r] * map[r];
    }
    return sum;
}

static uint8_t set_mode(const tac_problem_block *k, const real *g)
{
    const real rim = R(1.0) - R(8.0) * REAL_EPSILON;
    if (k->set == TAC_SET_FREE) { return TAC_STICK; }
    if (k->set == TAC_SET_INTERVAL) { return g[0] > k->lo && g[0] < k->hi ? TAC_STICK : TAC_SLIDE; }
    if (!(g[0] > R(0.0))) { return TAC_OPEN; }
    return k->set == TAC_SET_RAY || set_tangent(k, g) < rim * k->mu * g[0] ? TAC_STICK : TAC_SLIDE;
}

#endif

#endif
