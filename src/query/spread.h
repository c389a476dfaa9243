// SPDX-License-Identifier: MIT
// spread.h - of all impulses that make the velocities of a finished step, those of least norm.
//   given   contacts, blocks and gains as the step has left them
//   makes   impulses of least sum d_i |g_i|^2, d_i = trace(W_ii)/3, with the same velocities, that solve the program
//   bound   `turns` turns: in each 3 + SPREAD_SEARCH visits to the contacts
//   never   keeps impulses that solve the program less well than the solver was asked to
#ifndef QUERY_SPREAD_H
#define QUERY_SPREAD_H

#include "certify.h"

// The solutions g of the cone program that make the velocities of one solution g* are those with D g = D g* and each
// g_i in a face F_i of its cone: nothing where the contact opens, the ray of g*_i where it slides, all of K_i where it
// sticks. With a multiplier t (a twist of each body) for D g = D g* the one of least sum d_i |g_i|^2 is
//      g_i = P_F(z_i),   z_i = D_i't / d_i,       where t maximises the dual, concave and piecewise quadratic,
// whose gradient is D (g* - g). In the metric of M that is the twist  r = M^-1 D (g* - g): conjugate gradients on it,
// searched along exactly, need neither a matrix nor t itself, since z moves along with it.
// In the code g* is the best iterate, z the last one, the direction of t `previous`, r `shift`.
#define SPREAD_SEARCH 8                         // looks along a direction
#define SPREAD_SLOPE R(1e-3)                    // part of the slope that may be left there
#define SPREAD_ROUNDING (R(4.0) * REAL_EPSILON) // |r| against |g*| as velocities: nothing is left to do
#define SPREAD_BLURRED (R(16.0) * REAL_EPSILON) // or may be, and after
#define SPREAD_IDLE 8                           // turns without half the square of it nothing is

// The point of the contact's face nearest to z.
static vec3 spread_project(const tac_work *w, const tac_contact *c, const tac_block *k, vec3 z)
{
    const vec3 best = v3_of(&w->scratch.solve.best[k->first]);
    if (k->own.spread.face == TAC_OPEN) { return V3_ZERO; }
    if (k->own.spread.face == TAC_STICK) { return cone_project(z, c->mu, R(1.0), R(1.0)); }
    return v3_scale(real_max(v3_dot(z, best), R(0.0)) / v3_dot(best, best), best);
}

// Velocities below `still` (m/s) are none: what the solver has left.
static uint8_t spread_face(const tac_contact *c, vec3 g, vec3 u, int exact, real still)
{
    const real slip = real_sqrt(u.y * u.y + u.z * u.z);
    if (g.x > R(0.0)) { return slip > still ? TAC_SLIDE : TAC_STICK; }
    return cone_velocity(u, c->mu, exact).x > still ? TAC_OPEN : TAC_STICK;
}

// From no impulses at all: t = 0. Returns sum d_i |g*_i|^2.
static real spread_begin(const tac_model *m, tac_work *w, real still)
{
    real sum = R(0.0);
    tac_block *k = w->scratch.solve.block;
    reals_clear(w->shift, m->bodies * sizeof *w->shift);
    reals_clear(w->previous, m->bodies * sizeof *w->previous);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 g = v3_of(&w->scratch.solve.g[k->first]), u = rows_velocity(c, k, w->gain);
        k->own.spread.face = spread_face(c, g, u, w->report.friction == TAC_FRICTION_EXACT, still);
        rows_apply(c, k, g, w->moving, w->shift);
        sum += plain_weight(k) * v3_dot(g, g);
    }
    const size_t size = iterate_joint(w, 0) * sizeof(real);
    reals_copy(w->scratch.solve.best, w->scratch.solve.g, size);
    reals_clear(w->scratch.solve.last, size);
    reals_clear(w->scratch.solve.g, size);
    return sum;
}

// g* - g
static vec3 spread_off(const tac_work *w, const tac_block *k)
{
    return v3_sub(v3_of(&w->scratch.solve.best[k->first]), v3_of(&w->scratch.solve.g[k->first]));
}

// |r|^2 in the metric of M: sum (D_i'r) (g*_i - g_i).
static real spread_left(const tac_work *w)
{
    real sum = R(0.0);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        sum += v3_dot(rows_relative(c, k, w->shift), spread_off(w, k));
    }
    return sum;
}

// direction = r + beta direction;  dz. Returns the slope along it.
static real spread_aim(const tac_model *m, tac_work *w, real beta)
{
    real slope = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        w->previous[i].v = v3_madd(w->shift[i].v, beta, w->previous[i].v);
        w->previous[i].w = v3_madd(w->shift[i].w, beta, w->previous[i].w);
    }
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 v = rows_relative(c, k, w->previous);
        k->own.spread.dz = v3_scale(R(1.0) / plain_weight(k), v);
        slope += v3_dot(v, spread_off(w, k));
    }
    return slope;
}

// The slope of the dual where z has gone t dz.
static real spread_slope(const tac_work *w, real t)
{
    real sum = R(0.0);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 z = v3_of(&w->scratch.solve.last[k->first]), best = v3_of(&w->scratch.solve.best[k->first]);
        const vec3 g = spread_project(w, c, k, v3_madd(z, t, k->own.spread.dz));
        sum += plain_weight(k) * v3_dot(k->own.spread.dz, v3_sub(best, g));
    }
    return sum;
}

// Where the slope, which only falls, is about zero: false position; beyond what was looked at, at most five times as
// far.
static real spread_search(const tac_work *w, real slope)
{
    real low = R(0.0), high = REAL_LARGEST, at_low = slope, at_high = R(0.0), t = R(1.0);
    for (int look = 0; look < SPREAD_SEARCH; look++) {
        const real at = spread_slope(w, t), run = t - low, fall = at_low - at;
        if (real_abs(at) <= SPREAD_SLOPE * slope) { break; }
        if (at < R(0.0)) {
            high = t;
            at_high = at;
        } else {
            low = t;
            at_low = at;
        }
        if (high < REAL_LARGEST) {
            t = low + (high - low) * real_clamp(at_low / (at_low - at_high), R(0.05), R(0.95));
        } else {
            t += run * (R(4.0) * fall > at ? at / fall : R(4.0));
        }
    }
    return t;
}

// z, g and r after a step of length t. Returns what makes the next direction conjugate to this one:
//      beta = -sum (D_i'r+).(g+_i - g_i) / sum d_i dz_i.(g+_i - g_i)                          (Hestenes and Stiefel)
static real spread_move(const tac_model *m, tac_work *w, real t)
{
    real top = R(0.0), bottom = R(0.0);
    reals_clear(w->shift, m->bodies * sizeof *w->shift);
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        real *g = &w->scratch.solve.g[k->first], *z = &w->scratch.solve.last[k->first];
        const vec3 before = v3_of(g), dz = k->own.spread.dz;
        v3_put(z, v3_madd(v3_of(z), t, dz));
        v3_put(g, spread_project(w, c, k, v3_of(z)));
        k->own.spread.dz = v3_sub(v3_of(g), before);
        bottom += plain_weight(k) * v3_dot(dz, k->own.spread.dz);
        rows_apply(c, k, spread_off(w, k), w->moving, w->shift);
    }
    k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        top -= v3_dot(rows_relative(c, k, w->shift), k->own.spread.dz);
    }
    return bottom > R(0.0) ? real_max(top / bottom, R(0.0)) : R(0.0);
}

// Takes the impulses if they solve the program as well as the solver did or was asked to (`most`, m/s), but for
// rounding of what they make of velocities; else those of the step. Returns 1 if they are taken.
static int spread_end(const tac_model *m, tac_work *w, real most)
{
    real made = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        w->gain[i].v = v3_sub(w->gain[i].v, w->shift[i].v);
        w->gain[i].w = v3_sub(w->gain[i].w, w->shift[i].w);
    }
    tac_block *k = w->scratch.solve.block;
    for (uint16_t i = 0; i < w->report.contacts; i++, k++) {
        const vec3 v = v3_scale(plain_weight(k), v3_of(&w->scratch.solve.best[k->first]));
        made += v3_dot(v, v);
    }
    const int good = solve_natural(m, w) <= most + SPREAD_BLURRED * real_sqrt(made);
    k = w->scratch.solve.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (!good) {
            rows_apply(c, k, spread_off(w, k), w->moving, w->gain);
            v3_put(&w->scratch.solve.g[k->first], v3_of(&w->scratch.solve.best[k->first]));
        }
        c->impulse = v3_of(&w->scratch.solve.g[k->first]);
        c->mode = solve_mode(w, c, k);
    }
    return good;
}

// At most so many turns. Returns 1 when only rounding is left.
static int spread_turn(const tac_model *m, tac_work *w, real norm, uint32_t turns)
{
    real beta = R(0.0), halved = REAL_LARGEST;
    int idle = 0;
    for (uint32_t turn = 0; turn < turns; turn++) {
        real slope = spread_aim(m, w, beta);
        if (!(slope > R(0.0))) { slope = spread_aim(m, w, R(0.0)); }
        beta = spread_move(m, w, spread_search(w, slope));
        const real left = spread_left(w);
        if (left <= SPREAD_ROUNDING * SPREAD_ROUNDING * norm) { return 1; }
        idle++;
        if (left <= R(0.5) * halved) {
            halved = left;
            idle = 0;
        }
        if (idle >= SPREAD_IDLE && halved <= SPREAD_BLURRED * SPREAD_BLURRED * norm) { return 1; }
    }
    return 0;
}

// Faces are those of cones of three rows: no contact may resist turning.
static int spread_may(const tac_work *w)
{
    int may = 1;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) { may = may && !resists(c); }
    return may;
}

// Returns 1 if the impulses are those of least norm, to rounding.
static int spread(const tac_model *m, tac_work *w, uint32_t turns)
{
    const tac_progress *p = &w->progress;
    const real natural = solve_natural(m, w);
    const real most = natural + model_tolerance(m) * p->start + SPREAD_ROUNDING * p->scale;
    const real norm = spread_begin(m, w, most);
    const int done = !(norm > R(0.0)) || spread_turn(m, w, norm, turns);
    return spread_end(m, w, most) && done;
}

#endif
