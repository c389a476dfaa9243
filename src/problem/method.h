// SPDX-License-Identifier: MIT
// method.h - the direct method of tac_solve(): sweeps, then Newton's method; the interior point where that fails.
//   given   impulses in their sets
//   makes   the best impulses so far, by resS; the expected cost of the method
//   bound   the budget; ENGINE_ROUNDS rounds of sweeps and Newton steps
//   never   accepts a step that makes the residual larger
#ifndef PROBLEM_METHOD_H
#define PROBLEM_METHOD_H

#include "problem_sweep.h"
#include "newton.h"
#include "interior_point.h"

#if TAC_SOLVE && TAC_MAX_SOLVE_FACTOR > 0

#define ENGINE_ROUNDS 400 // most rounds of sweeps and Newton steps
#define ENGINE_SWEEPS 10 // before the first Newton step; more when a round makes no progress
#define ENGINE_MOST_SWEEPS 160 // most sweeps of a round
#define ENGINE_STEPS 60                               // Newton steps a round
#define ENGINE_FAILURES 5                             // failed steps in a row that end a round; each raises the damping
#define ENGINE_SHORTENINGS 3                          // lengths of a step that are tried, each a quarter of the last
#define ENGINE_PROGRESS R(0.95)                       // a step must reduce the residual to this part
#define ENGINE_IDLE 30                                // rounds without progress that end the method
#define ENGINE_ROUNDING (R(32.0) * REAL_EPSILON)      // resS below which one round without progress ends it
#define ENGINE_LEAST_DAMPING (R(16.0) * REAL_EPSILON) // of d; the first damping is the root of epsilon
#define ENGINE_MOST_DAMPING R(0.1) // of d, most that is added to the diagonal
#define ENGINE_MATRICES 20 // factored in a typical solve

// Expected cost of a solve, in multiplications: ENGINE_MATRICES factors of the whole profile, k^2/2 for a row of width
// k (with the exact law k^2), each with its solutions and passes. 0 if the tables are too small.
static uint64_t engine_cost(const tac_problem *q, tac_solve_work *w)
{
    uint64_t matrix = 0;
    factor_order(q, w);
    for (uint32_t k = 0; k < q->blocks; k++) { w->reduced[k + 1] = q->block[w->order[k]].rows; }
    if (!factor_profile(q, w)) { return 0; }
    for (uint32_t r = 0; r < w->row[q->blocks]; r++) {
        const uint64_t width = r - w->left[r];
        matrix += (w->progress.exact ? 2 : 1) * width * width / 2 + 4 * width;
    }
    return ENGINE_MATRICES * (matrix + 2 * (uint64_t)q->values);
}

// The first of the lengths 1, 1/4 .. that makes enough progress. Returns its residual; its length goes to *t.
static real engine_shorten(const tac_problem *q, tac_solve_work *w, real residual, real *t)
{
    real reached = REAL_LARGEST;
    *t = R(1.0);
    for (int k = 0; k < ENGINE_SHORTENINGS; k++) {
        reached = newton_try(q, w, *t);
        if (reached < ENGINE_PROGRESS * residual) { break; }
        *t *= R(0.25);
    }
    return reached;
}

// Newton steps from g as long as they make progress; the damping rises and falls with their success. Returns 0 if the
// tables are too small.
static int engine_newton(const tac_problem *q, tac_solve_work *w, real tolerance, real *damping)
{
    tac_solve_progress *p = &w->progress;
    entries_velocity(q, w, w->g, w->u);
    real residual = certificate_residual(q, w, w->g, w->u), t;
    certificate_keep(q, w, w->g, residual);
    for (int step = 0, failed = 0; step < ENGINE_STEPS && failed < ENGINE_FAILURES; step++) {
        if (residual <= tolerance || p->spent >= p->budget) { break; }
        if (!newton_step(q, w, *damping)) { return 0; }
        w->report.iterations++;
        const real reached = engine_shorten(q, w, residual, &t);
        if (!(reached < ENGINE_PROGRESS * residual)) {
            *damping = real_min(*damping * R(10.0), ENGINE_MOST_DAMPING);
            failed++;
            continue;
        }
        failed = 0;
        if (t == R(1.0)) { *damping = real_max(*damping * R(0.1), ENGINE_LEAST_DAMPING); }
        residual = reached;
        certificate_copy(q, w->g, w->a);
        certificate_copy(q, w->u, w->b);
        certificate_keep(q, w, w->g, residual);
    }
    return 1;
}

static void engine_sweeps(const tac_problem *q, tac_solve_work *w, uint32_t sweeps)
{
    problem_sweep_restart(q, w, w->g);
    for (uint32_t k = 0; k < sweeps && w->progress.spent < w->progress.budget; k++) {
        (void)problem_sweep_accelerated(q, w);
        w->report.iterations++;
    }
}

// Rounds of sweeps and Newton steps. If the first round does not reach the tolerance, the interior point follows it;
// with the exact law it follows the second round too, then without the derivative of De Saxce's term. progress.least is
// resS throughout. Returns 0 if the tables are too small.
static int engine_solve(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    tac_solve_progress *p = &w->progress;
    real damping = real_sqrt(REAL_EPSILON);
    uint32_t sweeps = ENGINE_SWEEPS;
    const int paths = p->exact ? 2 : 1;
    factor_order(q, w);
    for (int round = 0, idle = 0; round < ENGINE_ROUNDS && idle < ENGINE_IDLE; round++) {
        const real least = p->least;
        engine_sweeps(q, w, sweeps);
        if (!engine_newton(q, w, tolerance, &damping)) { return 0; }
        if (p->least <= tolerance || p->spent >= p->budget) { break; }
        const int progress = p->least < ENGINE_PROGRESS * least;
        if (!progress && p->least <= ENGINE_ROUNDING) { break; }
        idle = progress ? 0 : idle + 1;
        if (!progress && sweeps < ENGINE_MOST_SWEEPS) { sweeps *= 2; }
        if (round < paths && p->least > ENGINE_ROUNDING) {
            if (!interior_point_solve(q, w, tolerance, p->exact && round == 0)) { return 0; }
            damping = real_sqrt(REAL_EPSILON);
            idle = 0;
        }
    }
    return 1;
}

#elif TAC_SOLVE

// No matrix is configured.
static uint64_t engine_cost(const tac_problem *q, tac_solve_work *w)
{
    (void)q, (void)w;
    return 0;
}

#endif

#endif
