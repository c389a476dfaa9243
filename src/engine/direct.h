// SPDX-License-Identifier: MIT
// direct.h - proximal method of multipliers over the impulses, Newton's method over the velocities, one sparse factor.
//   given   blocks, impulses, velocities that belong to them
//   makes   better impulses and their velocities; a sweep is one step of Newton's method
//   bound   a factor, a solution, DIRECT_SEARCH evaluations along it and five visits to the contacts a sweep
//   never   leaves an impulse outside its cone, nor a change of velocity that does not belong to the impulses
#ifndef ENGINE_DIRECT_H
#define ENGINE_DIRECT_H

#include "../factor/matrix.h"
#include "../motion/free.h"
#include "sweep.h"

// The cone program is the dual of: minimise 1/2 |v - v~|^2_M where each u_i(v) = D_i'v + b_i lies in K_i*. The method
// of multipliers moves the impulses (the centre g), with R_i = eps d_i, d_i = trace(W_ii)/3:
//      outer:  g+ = P_K(z(v)),    z_i(v) = g_i - R_i^-1 u_i(v),
//      inner:  v minimises        1/2 |v - v~|^2_M + sum R_i/2 |P_K(z_i(v))|^2                                     (1)
// whose gradient is  M (v - v~) - D P_K(z(v)) = M (v - v(g)),  v(g) = v~ + M^-1 D P_K(z(v)): the velocities that belong
// to the impulses P_K(z). At the minimum v = v(g). The gradient is piecewise smooth; Newton's step from v is
//      (M + D G D') dv = M (v(g) - v),     G_i = J_i/R_i,  J_i an element of the Jacobian of P_K at z_i.            (2)
// (1) is convex and (2) descends, so a search along dv makes it converge from anywhere. Small eps makes few outer steps
// but hard inner problems: it starts large and is cut when an outer step reduces the residual slowly, in double down to
// the root of the machine epsilon, since an outer step leaves about eps of the residual, and rounding of u about
// epsilon/eps of it. In the code v is `velocity`, v(g) `delta_v`, P_K(z) the impulses in force, g the last iterate;
// velocities are changes since the start of the step.
// A compliant contact has N + C: with R_n + C along the normal, of which the centre sees R_n, it is a contact of
// another metric, in which P_K projects (cone.h), matrix_share(). Contacts of six rows have R + C along all of them.
#define DIRECT_FIRST R(0.1)                                    // eps at first
#define DIRECT_LEAST (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-8)) // least eps
#define DIRECT_CUT R(0.3)                                      // factor of a cut, after an outer step
#define DIRECT_SLOW R(0.6)                                     // that leaves more than this part of the residual;
#define DIRECT_STUCK R(0.9)                                    // three cuts if it leaves more than this part;
#define DIRECT_WORSE R(1.1)                                    // none beyond this: its inner problem was not solved
#define DIRECT_ALIKE R(0.2)  // outer steps in a row that leave the same part, to this,
#define DIRECT_NONE R(0.999) // or this part and more, converge in one direction:
#define DIRECT_FAR R(1000.0) // the longest leap along it, in outer steps
#define DIRECT_SEARCH 8      // evaluations along one Newton step
#define DIRECT_SLOPE R(0.5)  // part of the slope that may remain there

// Starts from the impulses in force (g) and their change of velocity (v), without lift.
static void direct_enter(tac_work *w)
{
    tac_progress *p = &w->progress;
    tac_block *k = w->scratch.solve.block;
    phase_take_blocks(w, TAC_BLOCKS_NEWTON);
    for (const tac_block *end = k + w->program.contacts; k < end; k++) {
        k->own.newton.mode = MATRIX_NO_MODE;
        k->own.newton.lift = R(0.0);
    }
    p->proximal = DIRECT_FIRST;
    p->factored = R(0.0);
    p->centred = p->outer = REAL_LARGEST;
    p->rate = R(0.0);
}

// The argument of the projection, from the centre and the velocity u, and its impulse.
static vec3 direct_argument(const tac_block *k, vec3 centre, vec3 u)
{
    vec3 z = v3_madd(centre, -k->own.newton.weight, u);
    z.x *= matrix_share(k);
    return z;
}

static vec3 direct_impulse(const tac_block *k, vec3 z)
{
    return cone_project(z, k->mu, matrix_share(k), R(1.0));
}

static rows6 direct_centre_of(const tac_work *w, const tac_block *k)
{
    return rows6_of(&w->scratch.solve.last[k->first]);
}

static void direct_evaluate_torsion(tac_work *w, tac_block *k)
{
    rows6 u = torsion_velocity(k, w->phase.velocity);
    u.f = rows_yield(k, u.f, w->scratch.solve.last[k->first]);
    u.f.x += k->own.newton.lift;
    const rows6 z = rows6_madd(direct_centre_of(w, k), -k->own.newton.weight, u);
    k->own.newton.z = z.f;
    ROLLING_BLOCK(k)->own.newton.z = z.t;
    rows6_put(&w->scratch.solve.g[k->first], torsion_project(z, k->mu));
}

// How far the outer step moves, squared.
static real direct_moved_torsion(const tac_work *w, const tac_block *k)
{
    const rows6 change = rows6_sub(torsion_impulse(w, k), direct_centre_of(w, k));
    return rows6_dot(change, change);
}

// |u_T|, of three or six rows.
static real direct_slip(const tac_work *w, const tac_block *k)
{
    if (has_torsion(k)) { return rows6_tangent(torsion_velocity(k, w->phase.velocity)); }
    const vec3 u = rows_velocity(k, w->phase.velocity);
    return real_sqrt(u.y * u.y + u.z * u.z);
}

static void direct_leap_torsion(tac_work *w, const tac_block *k, real leap)
{
    const rows6 g = torsion_impulse(w, k), d = rows6_sub(g, direct_centre_of(w, k));
    rows6_put(&w->scratch.solve.g[k->first], torsion_project(rows6_madd(g, leap, d), k->mu));
}

static real direct_rise_torsion(const tac_work *w, const tac_block *k, real t)
{
    const rows6 z = matrix_z(k), dz = {k->own.newton.dz, ROLLING_BLOCK(k)->own.newton.dz};
    const rows6 g = torsion_project(rows6_madd(z, t, dz), k->mu);
    return rows6_dot(dz, rows6_sub(g, torsion_impulse(w, k))) / k->own.newton.weight;
}

// z(v), its impulses, their change of velocity.
static void direct_evaluate(tac_work *w)
{
    PHASE_HOLDS(w, phase, TAC_PHASE_VELOCITY);
    PHASE_HOLDS(w, blocks, TAC_BLOCKS_NEWTON);
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        if (has_torsion(k)) {
            direct_evaluate_torsion(w, k);
            continue;
        }
        vec3 u = rows_velocity(k, w->phase.velocity);
        u.x += k->own.newton.lift;
        k->own.newton.z = direct_argument(k, v3_of(&w->scratch.solve.last[k->first]), u);
        v3_put(&w->scratch.solve.g[k->first], direct_impulse(k, k->own.newton.z));
    }
    delta_v_make(w, w->delta_v);
}

// Is the inner problem solved well enough for an outer step? Its error |v - v(g)|^2_M is compared with the movement of
// the outer step, sum R_i |P_K(z_i) - g_i|^2: both are energies.
static int direct_settled(tac_work *w)
{
    const tac_sparse *s = matrix_of(w);
    real inner = R(0.0), outer = R(0.0);
    for (uint16_t i = 0; i < s->nodes; i++) {
        const uint16_t body = s->order[i];
        const tac_twist *v = &w->phase.velocity[body], *g = &w->delta_v[body];
        const real *mass = s->pivot[body].least;
        const vec3 dv = v3_sub(v->v, g->v), dw = v3_sub(v->w, g->w);
        inner += v3_dot(v3_mul(v3_of(mass), dv), dv) + v3_dot(v3_mul(v3_of(mass + 3), dw), dw);
    }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        if (has_torsion(k)) {
            outer += direct_moved_torsion(w, k) / k->own.newton.weight;
            continue;
        }
        const vec3 change = v3_sub(v3_of(&w->scratch.solve.g[k->first]), v3_of(&w->scratch.solve.last[k->first]));
        outer += v3_dot(change, change) / k->own.newton.weight;
    }
    return inner <= outer;
}

// Outer steps converge linearly where the law of friction or redundant contacts decide: the De Saxce term is a fixed
// point, and a load that can move between contacts moves by R^-1 u a step, until one of them opens. Where two steps in
// a row leave the same part q of the residual, the rest of the way is their sum, q/(1 - q) times the last change, but
// no farther than to where the first contact opens. Returns how far the impulses leap, 0 if they do not.
static real direct_leap(tac_work *w)
{
    tac_progress *p = &w->progress;
    const real rate = p->measure / p->outer;
    const int alike = real_abs(rate - p->rate) <= DIRECT_ALIKE * rate && rate < DIRECT_WORSE;
    p->outer = p->measure;
    p->rate = alike ? R(0.0) : rate;
    if (!alike) { return R(0.0); }
    real leap = rate < DIRECT_NONE ? rate / (R(1.0) - rate) : DIRECT_FAR;
    const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts;
    for (; k < end; k++) {
        const real n = w->scratch.solve.g[k->first], change = n - w->scratch.solve.last[k->first];
        if (change < R(0.0)) { leap = real_min(leap, n / -change); }
    }
    for (k = w->scratch.solve.block; k < end; k++) {
        if (has_torsion(k)) {
            direct_leap_torsion(w, k, leap);
            continue;
        }
        const vec3 g = v3_of(&w->scratch.solve.g[k->first]), d = v3_sub(g, v3_of(&w->scratch.solve.last[k->first]));
        v3_put(&w->scratch.solve.g[k->first], cone_project(v3_madd(g, leap, d), k->mu, R(1.0), R(1.0)));
    }
    return leap;
}

// Cuts eps where the last outer step has left much of the residual.
static void direct_cut(tac_progress *p, int leaps)
{
    const int slow = p->measure > DIRECT_SLOW * p->centred && p->measure < DIRECT_WORSE * p->centred;
    const int stuck = p->measure > DIRECT_STUCK * p->centred;
    if (slow && (stuck || !leaps)) {
        p->proximal = real_max(DIRECT_LEAST, p->proximal * (stuck ? DIRECT_CUT * DIRECT_CUT * DIRECT_CUT : DIRECT_CUT));
    }
    p->centred = real_min(p->centred, p->measure);
}

// The outer step. Under the exact law the De Saxce term mu |u_T| stands in the normal row as a constant, that of the
// last v, and leaps as impulses do: a fixed point, which for one contact alone contracts by
// mu^2 W_tt / (W_nn + mu^2 W_tt) < 1.
static void direct_centre(tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    const real leap = direct_leap(w);
    direct_cut(p, leap > R(0.0));
    iterate_copy(w, w->scratch.solve.last, w->scratch.solve.g);
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        const real slip = direct_slip(w, k), lift = exact ? k->mu * slip : R(0.0);
        const real weight = p->proximal * (has_torsion(k) ? ROLLING_BLOCK(k)->weight : cone_weight(&k->w));
        k->own.newton.weight = R(1.0) / (weight + (has_torsion(k) ? k->soft : R(0.0)));
        k->own.newton.lift = real_max(R(0.0), lift + leap * (lift - k->own.newton.lift));
    }
    direct_evaluate(w);
}

// Right side of (2): M (delta_v - v) of each body.
static void direct_residual(tac_work *w)
{
    PHASE_HOLDS(w, phase, TAC_PHASE_VELOCITY);
    const tac_sparse *s = matrix_of(w);
    tac_twist *step = SOLUTION(w)->step.twist;
    reals_clear(step, w->program.bodies * sizeof *step);
    for (uint16_t i = 0; i < s->nodes; i++) {
        const uint16_t body = s->order[i];
        twist_madd(&w->delta_v[body], R(-1.0), &w->phase.velocity[body], &step[body]);
        free_momentum(&w->moving[body], &step[body], &step[body]);
    }
}

// Solves (2) for dv and makes dz = -R^-1 D' dv. Returns the slope of (1) along dv, dv'M (v - v(g)) < 0; `curve` is dv'M
// dv.
static real direct_newton(tac_work *w, real *curve)
{
    const tac_sparse *s = matrix_of(w);
    const tac_twist *step = SOLUTION(w)->step.twist;
    real slope = R(0.0);
    direct_residual(w);
    sparse_solve(s, SOLUTION(w)->step.flat);

    *curve = R(0.0);
    for (uint16_t i = 0; i < s->nodes; i++) {
        const uint16_t body = s->order[i];
        const real *mass = s->pivot[body].least;
        const tac_twist p = {v3_mul(v3_of(mass), step[body].v), v3_mul(v3_of(mass + 3), step[body].w)};
        tac_twist apart;
        twist_madd(&w->phase.velocity[body], R(-1.0), &w->delta_v[body], &apart);
        slope += twist_dot(&p, &apart);
        *curve += twist_dot(&p, &step[body]);
    }
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        k->own.newton.dz = v3_scale(-k->own.newton.weight, rows_relative(k, step));
        k->own.newton.dz.x *= matrix_share(k);
        if (has_torsion(k)) {
            ROLLING_BLOCK(k)->own.newton.dz = v3_scale(-k->own.newton.weight, torsion_relative(k, step).t);
        }
    }
    return slope;
}

// The slope of (1) at v + t dv, less that at v:  t dv'M dv + sum R_i dz_i.(P_K(z_i + t dz_i) - P_K(z_i)).
static real direct_rise(const tac_work *w, real t, real curve)
{
    real sum = t * curve;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        if (has_torsion(k)) {
            sum += direct_rise_torsion(w, k, t);
            continue;
        }
        const vec3 g = direct_impulse(k, v3_madd(k->own.newton.z, t, k->own.newton.dz));
        const vec3 change = v3_sub(g, v3_of(&w->scratch.solve.g[k->first])), dz = k->own.newton.dz;
        const real n = dz.x / matrix_share(k);
        sum += v3_dot(v3(n, dz.y, dz.z), change) / k->own.newton.weight;
    }
    return sum;
}

// The length of the step: the whole step if its end is not far beyond the minimum; else a point where the slope, which
// is monotone, is near zero, by false position kept away from the ends of the bracket.
static real direct_search(const tac_work *w, real slope, real curve)
{
    real low = R(0.0), high = R(1.0), at_low = slope, at_high = R(0.0), t = R(1.0);
    for (int look = 0; look < DIRECT_SEARCH; look++) {
        const real at = slope + direct_rise(w, t, curve);
        if (at <= -DIRECT_SLOPE * slope && (look == 0 || at >= DIRECT_SLOPE * slope)) { break; }
        if (at > R(0.0)) {
            high = t;
            at_high = at;
        } else {
            low = t;
            at_low = at;
        }
        t = low + (high - low) * real_clamp(at_low / (at_low - at_high), R(0.1), R(0.9));
    }
    return t;
}

// One outer step if the inner problem is solved, and at first, then one Newton step.
static void direct_sweep(tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    if (p->factored == R(0.0) || direct_settled(w)) { direct_centre(w, exact); }
    if (matrix_changes(w) || p->factored != p->proximal) { matrix_factor(w); }
    p->factored = p->proximal;

    real curve;
    const real slope = direct_newton(w, &curve), t = direct_search(w, slope, curve);
    const tac_sparse *s = matrix_of(w);
    for (uint16_t i = 0; i < s->nodes; i++) {
        const uint16_t body = s->order[i];
        twist_add(&w->phase.velocity[body], t, &SOLUTION(w)->step.twist[body]);
    }
    direct_evaluate(w);
}

#endif
