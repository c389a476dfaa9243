// SPDX-License-Identifier: MIT
// problem.h - tac_solve(), a cone program without a world: checks, the choice of a method, least norm, the certificate.
//   given   a problem, options
//   makes   impulses in their sets, velocities, report
//   bound   options.max_passes, once more with least_norm for each of its two stages; then about two passes
//   never   returns a worse answer than the best iterate, or one without its residual
#ifndef PROBLEM_PROBLEM_H
#define PROBLEM_PROBLEM_H

#include "../rows/warm.h"
#include "gradient.h"
#include "method.h"

#if TAC_SOLVE

static void problem_options(tac_solve_options *o)
{
    bytes_clear(o, sizeof *o);
    o->tolerance = REAL_FRACTION > 30 ? R(1e-8) : R(1e-6);
    o->omega = o->lambda = R(1.0);
    o->max_passes = 10000;
    o->method = TAC_METHOD_AUTO;
    o->friction = TAC_FRICTION_EXACT;
}

static int problem_is_free(const tac_problem *q)
{
    int all = 1;
    for (uint32_t i = 0; i < q->blocks; i++) { all = all && q->block[i].set == TAC_SET_FREE; }
    return all;
}

// Ranges in which the squares of |p|, of N's diagonal d and of the impulses |p|/d are normal numbers, with a margin on
// either side for digits, for the tangents of cones, and for first impulses of PROBLEM_FAR times |p|/d.
#define PROBLEM_VELOCITY (TAC_REAL_BITS == 32 ? R(1e12) : R(1e100)) // |p| of the largest row: this or its inverse
#define PROBLEM_MOBILITY (TAC_REAL_BITS == 32 ? R(1e18) : R(1e140)) // of each row's diagonal
#define PROBLEM_IMPULSE (TAC_REAL_BITS == 32 ? R(1e14) : R(1e100))  // of |p| over that, at most,
#define PROBLEM_FAINT (TAC_REAL_BITS == 32 ? R(1e-18) : R(1e-140))  // and at least
#define PROBLEM_FAR R(1e4) // times |p|/d: larger first impulses do not help
#define PROBLEM_ROUNDING (R(64.0) * REAL_EPSILON) // relative, of cones

static int problem_within(real x, real least, real most)
{
    return x >= least && x <= most;
}

// The largest |p| of any row; report.fault is its block.
static real problem_largest(const tac_problem *q, tac_solve_work *w)
{
    real largest = R(0.0);
    for (uint32_t i = 0; i < q->blocks; i++) {
        for (int r = 0; r < q->block[i].rows; r++) {
            const real p = real_abs(q->block[i].p[r]);
            if (p > largest) {
                largest = p;
                w->report.fault = i;
            }
        }
    }
    return largest;
}

// The least absolute impulse that a block admits: more than 0 only if an interval excludes 0.
static real problem_least(const tac_problem_block *k)
{
    return k->set == TAC_SET_INTERVAL ? real_abs(real_clamp(R(0.0), k->lo, k->hi)) : R(0.0);
}

// Is the problem within these ranges? If p = 0, every N is.
static tac_status problem_scales(const tac_problem *q, tac_solve_work *w)
{
    const real largest = problem_largest(q, w);
    if (largest > R(0.0) && !problem_within(largest, R(1.0) / PROBLEM_VELOCITY, PROBLEM_VELOCITY)) {
        return TAC_E_MODEL;
    }
    for (uint32_t i = 0; i < q->blocks; i++) {
        const tac_problem_block *k = &q->block[i];
        w->report.fault = i;
        for (uint32_t r = 0; r < k->rows; r++) {
            const real d = q->value[w->diagonal[i] + r * (k->rows + 1u)];
            if (!problem_within(d, R(1.0) / PROBLEM_MOBILITY, PROBLEM_MOBILITY)) { return TAC_E_MODEL; }
            if (largest > R(0.0) && !problem_within(largest / d, PROBLEM_FAINT, PROBLEM_IMPULSE)) {
                return TAC_E_MODEL;
            }
            if (!(problem_least(k) * d <= PROBLEM_FAR * PROBLEM_VELOCITY)) { return TAC_E_MODEL; }
        }
    }
    w->report.fault = 0;
    return TAC_OK;
}

static tac_status problem_may_solve(const tac_problem *q, const tac_solve_options *o, tac_solve_work *w)
{
    if (o->method >= TAC_METHODS || o->friction > TAC_FRICTION_RELAXED || o->max_passes < 1 ||
        !(o->tolerance >= R(0.0)) || !real_finite(o->tolerance) || !(o->omega > R(0.0)) || !(o->omega < R(2.0)) ||
        !(o->lambda > R(0.0)) || !(o->lambda <= R(1.0))) {
        return TAC_E_ARG;
    }
    tac_status status = entries_index(q, w);
    if (!status) { status = entries_check(q, w); }
    if (!status) { status = problem_scales(q, w); }
    if (!status && o->method == TAC_METHOD_MINRES && !problem_is_free(q)) { status = TAC_E_ARG; }
    if (!status && o->warm_start && !reals_finite(w->g, q->rows * sizeof w->g[0])) { status = TAC_E_NAN; }
    return status;
}

// Another method continues from the best impulses; from here on progress.least is resS.
static void problem_hand_over(const tac_problem *q, tac_solve_work *w)
{
    certificate_copy(q, w->g, w->best);
    entries_velocity(q, w, w->g, w->u);
    w->progress.least = certificate_residual(q, w, w->g, w->u);
}

#if TAC_MAX_SOLVE_FACTOR > 0

// Sweeps from the best impulses. Sweeps compare their iterates by movement, the direct method by resS, so the two
// answers are compared by resS and the better one is kept.
static void problem_polish(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    tac_solve_progress *p = &w->progress;
    problem_hand_over(q, w);
    real least = p->least;
    certificate_copy(q, w->a, w->best);
    p->least = REAL_LARGEST;
    problem_sweep_momentum(q, w, tolerance);
    problem_hand_over(q, w);
    best_keep_rows(w->a, &least, w->g, q->rows, p->least);
    certificate_copy(q, w->best, w->a);
    p->least = least;
}

// Newton's method and the interior point get half of the remaining budget. If they do not reach the tolerance, sweeps
// get as much as has been spent until then: some problems converge in few sweeps and not in any number of Newton steps,
// and rounding is smaller in sweeps, which solve each block by itself.
static void problem_direct(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    tac_solve_progress *p = &w->progress;
    const uint64_t budget = p->budget, left = budget > p->spent ? budget - p->spent : 0;
    w->report.method = TAC_METHOD_DIRECT;
    p->budget = p->spent + left / 2;
    const int room = engine_solve(q, w, tolerance);
    p->budget = room && budget / 2 > p->spent ? 2 * p->spent : budget;
    if (room && (p->least <= tolerance || p->spent + q->values > p->budget)) { return; }
    if (!room) { w->report.method = TAC_METHOD_ACCELERATED; }
    problem_polish(q, w, tolerance);
}

#else

static void problem_direct(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    w->report.method = TAC_METHOD_ACCELERATED;
    w->progress.least = REAL_LARGEST;
    problem_sweep_momentum(q, w, tolerance);
}

#endif

// Sweeps until they have cost as much as the direct method is expected to, then that: at most about twice the cheaper
// of the two. If the budget has no room for both, the sweeps get less; if it has no room for the direct method, they
// get all of it. Without sets to project on, sweeps have no purpose.
static void problem_auto(const tac_problem *q, const tac_solve_options *o, tac_solve_work *w)
{
    tac_solve_progress *p = &w->progress;
    const uint64_t budget = p->budget;
    const uint64_t direct = engine_cost(q, w);
    if (problem_is_free(q)) {
        w->report.method = direct ? TAC_METHOD_DIRECT : TAC_METHOD_MINRES;
        if (direct) {
            problem_direct(q, w, o->tolerance);
        } else {
            gradient_minres(q, w, o->tolerance);
        }
        return;
    }
    const int both = direct > 0 && budget > direct;
    p->budget = !both ? budget : budget - direct < direct ? budget - direct : direct;
    w->report.method = TAC_METHOD_ACCELERATED;
    if (p->budget >= q->values) { problem_sweep_momentum(q, w, o->tolerance); }
    p->budget = budget;
    if (!both || p->stuck) { return; }
    if (p->least < REAL_LARGEST) { problem_hand_over(q, w); }
    problem_direct(q, w, o->tolerance);
}

static void problem_run(const tac_problem *q, const tac_solve_options *o, tac_solve_work *w)
{
    w->report.method = o->method;
    switch (o->method) {
    case TAC_METHOD_JACOBI:
    case TAC_METHOD_SOR:
    case TAC_METHOD_SYMMETRIC:
        problem_sweep_relaxation(q, w, o);
        break;
    case TAC_METHOD_ACCELERATED:
        problem_sweep_momentum(q, w, o->tolerance);
        break;
    case TAC_METHOD_APGD:
        gradient_accelerated(q, w, o->tolerance);
        break;
    case TAC_METHOD_SPECTRAL:
        gradient_spectral_run(q, w, o->tolerance);
        break;
    case TAC_METHOD_MINRES:
        gradient_minres(q, w, o->tolerance);
        break;
    case TAC_METHOD_DIRECT:
        problem_direct(q, w, o->tolerance);
        break;
    default:
        problem_auto(q, o, w);
        break;
    }
    if (w->progress.least < REAL_LARGEST) { certificate_copy(q, w->g, w->best); }
}

static void problem_project(const tac_problem *q, tac_solve_work *w)
{
    for (uint32_t i = 0; i < q->blocks; i++) { set_project(&q->block[i], &w->g[w->row[i]], SET_PLAIN); }
}

// No impulses: the point of each set nearest to zero.
static void problem_zero(const tac_problem *q, tac_solve_work *w)
{
    for (uint32_t r = 0; r < q->rows; r++) { w->g[r] = R(0.0); }
    problem_project(q, w);
}

// Is d |g| of the first impulses at most PROBLEM_FAR |p|, so that their squares are finite and they may help?
static int problem_warm_start_helps(const tac_problem *q, const tac_solve_work *w)
{
    int helps = 1;
    for (uint32_t i = 0; i < q->blocks; i++) {
        for (uint32_t r = w->row[i]; r < w->row[i + 1]; r++) {
            helps &= w->weight[i] * real_abs(w->g[r]) <= PROBLEM_FAR * w->progress.scale;
        }
    }
    return helps;
}

// First impulses, |p|, the budget.
static void problem_begin(const tac_problem *q, const tac_solve_options *o, tac_solve_work *w)
{
    tac_solve_progress *p = &w->progress;
    real sum = R(0.0);
    entries_blocks(q, w);
    for (uint32_t i = 0; i < q->blocks; i++) {
        for (int r = 0; r < q->block[i].rows; r++) { sum += q->block[i].p[r] * q->block[i].p[r]; }
    }
    p->scale = real_sqrt(sum);
    if (o->warm_start && problem_warm_start_helps(q, w)) {
        problem_project(q, w);
    } else {
        problem_zero(q, w);
    }
    p->exact = o->friction == TAC_FRICTION_EXACT;
    p->budget = (uint64_t)o->max_passes * q->values;
    p->least = REAL_LARGEST;
}

// The solutions g of a singular N form a set; of these the one of least |g| is the limit of the solutions for N + t I,
// t to zero (Tikhonov). t is a fraction of the mean of d: first the fourth root of epsilon, then its root, where the
// error of t and the rounding in null directions are of the same size.
static void problem_least_norm(const tac_problem *q, const tac_solve_options *o, tac_solve_work *w)
{
    tac_solve_progress *p = &w->progress;
    tac_solve_options tight = *o;
    const real root = real_sqrt(REAL_EPSILON);
    real mean = R(0.0);
    tight.tolerance = R(0.0);
    for (uint32_t i = 0; i < q->blocks; i++) { mean += w->weight[i] / (real)q->blocks; }
    for (int stage = 0; stage < 2; stage++) {
        p->proximal = mean * (stage == 0 ? real_sqrt(root) : root);
        p->least = REAL_LARGEST;
        p->stuck = 0;
        p->budget = p->spent + (uint64_t)o->max_passes * q->values;
        entries_blocks(q, w);
        problem_run(q, &tight, w);
    }
    p->proximal = R(0.0);
    entries_blocks(q, w);
}

// Multiplications over stored numbers, rounded up: a long division, since not every target divides 64 bits.
static uint32_t problem_passes(const tac_problem *q, uint64_t spent)
{
    uint64_t passes = 0;
    for (int bit = 31; bit >= 0 && q->values > 0; bit--) {
        const uint64_t part = (uint64_t)q->values << bit;
        if (spent >= part) {
            spent -= part;
            passes += (uint64_t)1 << bit;
        }
    }
    passes += spent > 0;
    return passes < UINT32_MAX ? (uint32_t)passes : UINT32_MAX;
}

static void problem_certify(const tac_problem *q, tac_solve_work *w)
{
    entries_velocity(q, w, w->g, w->u);
    certificate_finish(q, w);
}

// Is the answer finite, with what its report says first? A method that diverges from its first sweep on has none that
// is.
static int problem_finite(const tac_problem *q, const tac_solve_work *w)
{
    return reals_finite(w->g, q->rows * sizeof w->g[0]) && reals_finite(w->u, q->rows * sizeof w->u[0]) &&
           reals_finite(&w->report, offsetof(tac_solve_report, r_ncp_dual));
}

// Are impulses in their cones up to rounding? With mu = 1e6 the interior point's last step may leave them outside.
static int problem_in_cones(const tac_problem *q, const tac_solve_work *w)
{
    int inside = 1;
    for (uint32_t i = 0; i < q->blocks; i++) {
        const tac_problem_block *k = &q->block[i];
        const real *g = &w->g[w->row[i]];
        const real most = k->mu * g[0] * (R(1.0) + PROBLEM_ROUNDING);
        inside &= !set_is_cone(k) || (g[0] >= R(0.0) && set_tangent(k, g) <= most);
    }
    return inside;
}

static tac_status problem_solve(const tac_problem *q, const tac_solve_options *o, tac_solve_work *w)
{
    bytes_clear(&w->report, sizeof w->report);
    bytes_clear(&w->progress, sizeof w->progress);
    w->report.friction = o->friction;
    w->report.method = o->method;
    w->report.status = problem_may_solve(q, o, w);
    if (w->report.status) { return w->report.status; }

    problem_begin(q, o, w);
    if (q->blocks > 0) { problem_run(q, o, w); }
    if (o->least_norm && q->blocks > 0) { problem_least_norm(q, o, w); }
    w->report.passes = problem_passes(q, w->progress.spent);
    problem_certify(q, w);
    if (!problem_finite(q, w)) {
        problem_zero(q, w);
        problem_certify(q, w);
    } else if (!problem_in_cones(q, w)) {
        problem_project(q, w);
        problem_certify(q, w);
    }
    const real reached = o->tolerance > R(0.0) ? o->tolerance : R(1024.0) * REAL_EPSILON;
    w->report.status = w->report.r_natmap <= reached ? TAC_OK : TAC_UNCONVERGED;
    return w->report.status;
}

// -------------------------------------------------------------------------------------------------- building a problem

static int32_t problem_add_block(tac_problem *q, const tac_problem_block *k)
{
    if (q->blocks >= TAC_MAX_SOLVE_BLOCKS || q->rows > TAC_MAX_SOLVE_ROWS || k->rows > TAC_MAX_SOLVE_ROWS - q->rows) {
        return TAC_E_FULL;
    }
    bytes_copy(&q->block[q->blocks], k, sizeof *k);
    q->rows += k->rows;
    return (int32_t)q->blocks++;
}

static int32_t problem_add_entry(tac_problem *q, uint32_t i, uint32_t j, const real *value)
{
    if (i >= q->blocks || j >= q->blocks) { return TAC_E_ARG; }
    if (q->entries >= TAC_MAX_SOLVE_ENTRIES) { return TAC_E_FULL; }
    const tac_problem_entry *last = q->entries ? &q->entry[q->entries - 1] : NULL;
    const uint32_t size = (uint32_t)q->block[i].rows * q->block[j].rows;
    if (last != NULL && (i < last->row || (i == last->row && j <= last->column))) { return TAC_E_ARG; }
    if (q->values > TAC_MAX_SOLVE_VALUES || size > TAC_MAX_SOLVE_VALUES - q->values) { return TAC_E_FULL; }
    q->entry[q->entries] = (tac_problem_entry){(uint16_t)i, (uint16_t)j, q->values};
    for (uint32_t n = 0; n < size; n++) { q->value[q->values++] = value[n]; }
    return (int32_t)q->entries++;
}

#endif

#endif
