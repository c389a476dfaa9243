// SPDX-License-Identifier: MIT
// least_norm.h - the impulses of least norm that give the velocities of a finished step.
//   given   contacts, blocks and delta_v as the step has left them
//   makes   impulses of least sum d_i |g_i|^2, d_i = trace(W_ii)/3, with the same velocities, that solve the program
//   bound   `iterations`, each at most 3 + LEAST_NORM_TRIALS visits to the contacts
//   never   keeps impulses that solve the program less accurately than the solver was asked to
#ifndef QUERY_LEAST_NORM_H
#define QUERY_LEAST_NORM_H

#include "../model/model.h"
#include "../solve/solve.h"
#include "certify.h"

// The solutions g of the cone program with the velocities of one solution g* are those with D g = D g* and each g_i in
// a face F_i of its cone: {0} where the contact separates, the ray of g*_i where it slides, all of K_i where it sticks.
// With a multiplier t (a twist per body) for D g = D g*, the one of least sum d_i |g_i|^2 is
//      g_i = P_F(z_i),   z_i = D_i't / d_i,       where t maximises the dual, concave and piecewise quadratic,
// whose gradient is D (g* - g). In the metric of M the gradient is the twist  r = M^-1 D (g* - g). Conjugate gradients
// on it, with a line search, need neither a matrix nor t itself, since z is updated along with it.
// In the code g* is the best iterate, z the last one, the search direction `search`, r `residual`.
#define LEAST_NORM_TRIALS 8                         // evaluations in a line search
#define LEAST_NORM_SLOPE R(1e-3)                    // relative slope at which a line search ends
#define LEAST_NORM_ROUNDING (R(4.0) * REAL_EPSILON) // |r| relative to |g*| as velocities: converged
#define LEAST_NORM_BLURRED (R(16.0) * REAL_EPSILON) // or this, after
#define LEAST_NORM_IDLE 8                           // iterations that have not halved its square

// Projection of z onto the contact's face.
static vec3 least_norm_project(const tac_work *w, const tac_contact *c, const tac_block *k, vec3 z)
{
    const vec3 best = v3_of(&w->scratch.solve.best[k->first]);
    if (k->own.least_norm.face == TAC_OPEN) { return V3_ZERO; }
    if (k->own.least_norm.face == TAC_STICK) { return cone_project(z, c->mu, R(1.0), R(1.0)); }
    return v3_scale(real_max(v3_dot(z, best), R(0.0)) / v3_dot(best, best), best);
}

// The face of the contact's cone. Velocities below `still` (m/s), the error of the solver, count as zero.
static uint8_t least_norm_face(const tac_contact *c, vec3 g, vec3 u, int exact, real still)
{
    const real slip = real_sqrt(u.y * u.y + u.z * u.z);
    if (g.x > R(0.0)) { return slip > still ? TAC_SLIDE : TAC_STICK; }
    return cone_velocity(u, c->mu, exact).x > still ? TAC_OPEN : TAC_STICK;
}

// Starts at t = 0, that is, without impulses. Returns sum d_i |g*_i|^2.
static real least_norm_begin(const tac_model *m, tac_work *w, real still)
{
    real sum = R(0.0);
    tac_block *k = w->scratch.solve.block;
    phase_take_blocks(w, TAC_BLOCKS_LEAST_NORM);
    phase_take_kept(w, TAC_KEPT_RESIDUAL);
    phase_take(w, TAC_PHASE_SEARCH);
    reals_clear(w->kept.residual, m->bodies * sizeof *w->kept.residual);
    reals_clear(w->phase.search, m->bodies * sizeof *w->phase.search);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 g = v3_of(&w->scratch.solve.g[k->first]), u = rows_velocity(k, w->delta_v);
        k->own.least_norm.face = least_norm_face(c, g, u, w->report.friction == TAC_FRICTION_EXACT, still);
        rows_apply(k, g, w->moving, w->kept.residual);
        sum += cone_weight(&k->w) * v3_dot(g, g);
    }
    const size_t size = iterate_joint(w, 0) * sizeof(real);
    reals_copy(w->scratch.solve.best, w->scratch.solve.g, size);
    reals_clear(w->scratch.solve.last, size);
    reals_clear(w->scratch.solve.g, size);
    return sum;
}

// g* - g
static vec3 least_norm_error(const tac_work *w, const tac_block *k)
{
    return v3_sub(v3_of(&w->scratch.solve.best[k->first]), v3_of(&w->scratch.solve.g[k->first]));
}

// |r|^2 in the metric of M: sum (D_i'r) (g*_i - g_i).
static real least_norm_residual(const tac_work *w)
{
    real sum = R(0.0);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        sum += v3_dot(rows_relative(k, w->kept.residual), least_norm_error(w, k));
    }
    return sum;
}

// direction = r + beta direction;  dz. Returns the slope along it.
static real least_norm_direction(const tac_model *m, tac_work *w, real beta)
{
    real slope = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        twist_madd(&w->kept.residual[i], beta, &w->phase.search[i], &w->phase.search[i]);
    }
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 v = rows_relative(k, w->phase.search);
        k->own.least_norm.dz = v3_scale(R(1.0) / cone_weight(&k->w), v);
        slope += v3_dot(v, least_norm_error(w, k));
    }
    return slope;
}

// Slope of the dual at z + t dz.
static real least_norm_slope(const tac_work *w, real t)
{
    real sum = R(0.0);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 z = v3_of(&w->scratch.solve.last[k->first]), best = v3_of(&w->scratch.solve.best[k->first]);
        const vec3 g = least_norm_project(w, c, k, v3_madd(z, t, k->own.least_norm.dz));
        sum += cone_weight(&k->w) * v3_dot(k->own.least_norm.dz, v3_sub(best, g));
    }
    return sum;
}

// Line search: the root of the slope, which decreases, by false position; without an upper bracket the step grows at
// most fivefold.
static real least_norm_search(const tac_work *w, real slope)
{
    real low = R(0.0), high = REAL_LARGEST, at_low = slope, at_high = R(0.0), t = R(1.0);
    for (int trial = 0; trial < LEAST_NORM_TRIALS; trial++) {
        const real at = least_norm_slope(w, t), run = t - low, fall = at_low - at;
        if (real_abs(at) <= LEAST_NORM_SLOPE * slope) { break; }
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

// Updates z, g and r by a step of length t. Returns the factor that makes the next direction conjugate to this one:
//      beta = -sum (D_i'r+).(g+_i - g_i) / sum d_i dz_i.(g+_i - g_i)                          (Hestenes and Stiefel)
static real least_norm_move(const tac_model *m, tac_work *w, real t)
{
    real top = R(0.0), bottom = R(0.0);
    reals_clear(w->kept.residual, m->bodies * sizeof *w->kept.residual);
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        real *g = &w->scratch.solve.g[k->first], *z = &w->scratch.solve.last[k->first];
        const vec3 before = v3_of(g), dz = k->own.least_norm.dz;
        v3_put(z, v3_madd(v3_of(z), t, dz));
        v3_put(g, least_norm_project(w, c, k, v3_of(z)));
        k->own.least_norm.dg = v3_sub(v3_of(g), before);
        bottom += cone_weight(&k->w) * v3_dot(dz, k->own.least_norm.dg);
        rows_apply(k, least_norm_error(w, k), w->moving, w->kept.residual);
    }
    k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        top -= v3_dot(rows_relative(k, w->kept.residual), k->own.least_norm.dg);
    }
    return bottom > R(0.0) ? real_max(top / bottom, R(0.0)) : R(0.0);
}

// Keeps the impulses if they solve the program to `most` (m/s, the accuracy of the solver or its tolerance), up to
// rounding of the velocities; else restores those of the step. Returns 1 if they are kept.
static int least_norm_end(const tac_model *m, tac_work *w, real most)
{
    real made = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) { twist_add(&w->delta_v[i], R(-1.0), &w->kept.residual[i]); }
    tac_block *k = w->scratch.solve.block;
    for (uint16_t i = 0; i < w->report.contacts; i++, k++) {
        const vec3 v = v3_scale(cone_weight(&k->w), v3_of(&w->scratch.solve.best[k->first]));
        made += v3_dot(v, v);
    }
    const int good = solve_natural(w) <= most + LEAST_NORM_BLURRED * real_sqrt(made);
    k = w->scratch.solve.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (!good) {
            rows_apply(k, least_norm_error(w, k), w->moving, w->delta_v);
            v3_put(&w->scratch.solve.g[k->first], v3_of(&w->scratch.solve.best[k->first]));
        }
        c->impulse = v3_of(&w->scratch.solve.g[k->first]);
        c->mode = solve_mode(w, k);
    }
    return good;
}

// Conjugate gradients. Returns 1 on convergence to rounding.
static int least_norm_iterate(const tac_model *m, tac_work *w, real norm, uint32_t iterations)
{
    real beta = R(0.0), halved = REAL_LARGEST;
    int idle = 0;
    for (uint32_t i = 0; i < iterations; i++) {
        real slope = least_norm_direction(m, w, beta);
        if (!(slope > R(0.0))) { slope = least_norm_direction(m, w, R(0.0)); }
        beta = least_norm_move(m, w, least_norm_search(w, slope));
        const real left = least_norm_residual(w);
        if (left <= LEAST_NORM_ROUNDING * LEAST_NORM_ROUNDING * norm) { return 1; }
        idle++;
        if (left <= R(0.5) * halved) {
            halved = left;
            idle = 0;
        }
        if (idle >= LEAST_NORM_IDLE && halved <= LEAST_NORM_BLURRED * LEAST_NORM_BLURRED * norm) { return 1; }
    }
    return 0;
}

// Only cones of three rows have faces here: no contact may have torsion rows. The loads of compliant ones are unique.
// Where friction has a direction, the norm of scaled rows is none of impulses.
static int least_norm_may(const tac_work *w)
{
    int may = 1;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        may = may && !has_torsion(k) && k->soft == R(0.0) && !friction_directed(FRICTION_ACROSS(k));
    }
    return may;
}

// Returns 1 if the impulses are those of least norm to rounding.
static int least_norm_find(const tac_model *m, tac_work *w, uint32_t iterations)
{
    const tac_progress *p = &w->progress;
    const real natural = solve_natural(w);
    const real most = natural + model_tolerance(m) * p->start + LEAST_NORM_ROUNDING * p->scale;
    const real norm = least_norm_begin(m, w, most);
    const int done = !(norm > R(0.0)) || least_norm_iterate(m, w, norm, iterations);
    return least_norm_end(m, w, most) && done;
}

#endif
