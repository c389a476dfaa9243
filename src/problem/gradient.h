// SPDX-License-Identifier: MIT
// gradient.h - projected gradient methods: APGD, P-SPG-FB; minimal residuals where no block has to be projected.
//   given   a problem, impulses in their sets
//   makes   better impulses; the best of them by resS, which these methods know without a pass of its own
//   bound   the budget; GRADIENT_BACKTRACKS passes a step at worst, one as a rule
//   never   uses a step length that is not positive and finite; lets rounding accumulate: velocities are recomputed
#ifndef PROBLEM_GRADIENT_H
#define PROBLEM_GRADIENT_H

#include "problem_sweep.h"

#if TAC_SOLVE

#define GRADIENT_BACKTRACKS 20 // most cuts of one step
#define GRADIENT_RELAX R(0.9)     // of the Lipschitz constant after each step, as in NST17 [7]
#define GRADIENT_REFRESH 32       // steps after which velocities are recomputed
#define GRADIENT_MEMORY 8         // last values of the objective, to the largest of which a spectral step may rise
#define GRADIENT_DECREASE R(1e-4) // Armijo's constant
#define GRADIENT_SHORTEST R(1e-6) // bounds of the spectral length
#define GRADIENT_LONGEST R(1e6) // longest step of the spectral method

// Both methods are scaled by the diagonal: the metric is  |x|^2 = sum x_r^2 / step_r  with the steps of a block's
// projected iteration (entries.h), about 1/N_rr, and points are projected in it.

// to = P(from - length step (u + De Saxce's term))
static void gradient_project(const tac_problem *q, const tac_solve_work *w, const real *from, const real *u,
                             real length, real *to)
{
    for (uint32_t i = 0; i < q->blocks; i++) {
        const uint32_t row = w->row[i];
        set_descend(&q->block[i], &from[row], &u[row], w->progress.exact, length, &w->step[row], &to[row]);
    }
}

// (a - b)'(c - d); b and d may be NULL; weighted by 1/step (power 1) or by step (power -1)
static real gradient_dot(const tac_problem *q, const tac_solve_work *w, const real *a, const real *b, const real *c,
                         const real *d, int power)
{
    real sum = R(0.0);
    for (uint32_t r = 0; r < w->row[q->blocks]; r++) {
        const real part = (b != NULL ? a[r] - b[r] : a[r]) * (d != NULL ? c[r] - d[r] : c[r]);
        sum += power > 0 ? part / w->step[r] : power < 0 ? part * w->step[r] : part;
    }
    return sum;
}

static int gradient_done(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    tac_solve_progress *p = &w->progress;
    w->report.iterations++;
    p->stuck = p->least <= tolerance || p->least <= REAL_EPSILON || !(p->measure > R(0.0));
    return p->stuck || p->spent + q->values > p->budget;
}

// ---------------------------------------------------------------------------------------------------------------- APGD

// x_k+1 = P(y - step/L (N y + p)), L doubled until (x_k+1 - y)'N(x_k+1 - y) <= L |x_k+1 - y|^2, which is the
// descent condition of a quadratic. x_k+1 goes to c[], its velocity to d[]; y is a[], its velocity b[].
static real gradient_descend(const tac_problem *q, tac_solve_work *w, real lipschitz)
{
    for (int k = 0; k < GRADIENT_BACKTRACKS; k++) {
        gradient_project(q, w, w->a, w->b, R(1.0) / lipschitz, w->c);
        entries_velocity(q, w, w->c, w->d);
        const real rise = gradient_dot(q, w, w->c, w->a, w->d, w->b, 0);
        if (!(rise > lipschitz * gradient_dot(q, w, w->c, w->a, w->c, w->a, 1)) ||
            w->progress.spent + q->values > w->progress.budget) {
            break;
        }
        lipschitz *= R(2.0);
    }
    return lipschitz;
}

static void gradient_accelerated(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    real theta = R(1.0), lipschitz = R(1.0);
    entries_velocity(q, w, w->g, w->u);
    certificate_keep(q, w, w->g, certificate_residual(q, w, w->g, w->u));
    certificate_copy(q, w->a, w->g);
    certificate_copy(q, w->b, w->u);
    while (!gradient_done(q, w, tolerance)) {
        lipschitz = gradient_descend(q, w, lipschitz);
        certificate_keep(q, w, w->c, certificate_residual(q, w, w->c, w->d));
        const real square = theta * theta, next = R(0.5) * (theta * real_sqrt(square + R(4.0)) - square);
        const int turns = gradient_dot(q, w, w->b, NULL, w->c, w->g, 0) > R(0.0); // gradient at y against the step
        const real beta = turns ? R(0.0) : theta * (R(1.0) - theta) / (square + next);
        theta = turns ? R(1.0) : next;
        certificate_copy(q, w->a, w->c);
        certificate_copy(q, w->b, w->d);
        iterate_extrapolate(w->a, w->g, q->rows, beta);
        iterate_extrapolate(w->b, w->u, q->rows, beta);
        lipschitz *= GRADIENT_RELAX;
    }
}

// ------------------------------------------------------------------------------------------------------------ P-SPG-FB

// The step along d[] from g: the longest t <= 1 whose objective is below the largest of the last few by Armijo's rule,
//      value + t slope + t^2/2 curvature <= top + DECREASE t slope,
// in closed form, since N d = b[] is known. Not for the exact law, which has no objective.
static real gradient_search(const real *memory, real value, real slope, real curvature)
{
    real top = memory[0];
    for (int k = 1; k < GRADIENT_MEMORY; k++) { top = real_max(top, memory[k]); }
    const real down = (GRADIENT_DECREASE - R(1.0)) * slope, room = real_max(top - value, R(0.0));
    if (!(curvature > R(0.0)) || !(down > R(0.0))) { return R(1.0); }
    return real_min((down + real_sqrt(down * down + R(2.0) * curvature * room)) / curvature, R(1.0));
}

// Barzilai and Borwein's two step lengths, used alternately, for s = t d and N s.
static real gradient_spectral(const tac_problem *q, const tac_solve_work *w, real curvature, int second, real longest)
{
    const real ss = gradient_dot(q, w, w->d, NULL, w->d, NULL, 1), yy = gradient_dot(q, w, w->b, NULL, w->b, NULL, -1);
    const real step = second ? curvature / yy : ss / curvature;
    return step >= GRADIENT_SHORTEST ? real_min(step, longest)
           : curvature > R(0.0)      ? GRADIENT_SHORTEST
                                     : GRADIENT_LONGEST;
}

// d = P(g - length step u~) - g, one pass for N d, a step along d. As a fallback the best iterate by resS is the
// answer; where the exact law leads far from it the method restarts there, with no step longer than the plain one.
static void gradient_spectral_run(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    real step = R(1.0), longest = GRADIENT_LONGEST, memory[GRADIENT_MEMORY];
    const int exact = w->progress.exact;
    uint32_t count = 0;
    entries_velocity(q, w, w->g, w->u);
    certificate_keep(q, w, w->g, certificate_residual(q, w, w->g, w->u));
    for (int k = 0; k < GRADIENT_MEMORY; k++) { memory[k] = certificate_objective(q, w); }
    while (!gradient_done(q, w, tolerance)) {
        gradient_project(q, w, w->g, w->u, step, w->d);
        for (uint32_t r = 0; r < w->row[q->blocks]; r++) { w->d[r] -= w->g[r]; }
        entries_mul(q, w, w->d, w->b);
        const real curvature = gradient_dot(q, w, w->d, NULL, w->b, NULL, 0),
                   slope = gradient_dot(q, w, w->d, NULL, w->u, NULL, 0);
        const real t = exact ? R(1.0) : gradient_search(memory, certificate_objective(q, w), slope, curvature);
        for (uint32_t r = 0; r < w->row[q->blocks]; r++) {
            w->g[r] += t * w->d[r];
            w->u[r] += t * w->b[r];
        }
        step = gradient_spectral(q, w, curvature, (int)(count & 1), longest);
        const real residual = certificate_residual(q, w, w->g, w->u);
        const int lost = exact && !(residual <= SWEEP_WANDERS * w->progress.least);
        if (lost) {
            certificate_copy(q, w->g, w->best);
            step = longest = R(1.0);
        }
        certificate_keep(q, w, w->g, residual);
        if (lost || ++count % GRADIENT_REFRESH == 0) { entries_velocity(q, w, w->g, w->u); }
        memory[count % GRADIENT_MEMORY] = certificate_objective(q, w);
    }
}

// ------------------------------------------------------------------------------------------------------------- MINRES

// FREE blocks only: N g = -p. The conjugate residual method (Stiefel 1955) makes the iterates of MINRES (Paige and
// Saunders 1975) where N is positive semidefinite, with one product a step: r = -u in u[], z = step r, direction a[]
// and its product b[], N z in d[].
static void gradient_minres(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    real zaz = R(0.0);
    entries_velocity(q, w, w->g, w->u);
    for (uint32_t fresh = 1;; fresh = 0) {
        certificate_keep(q, w, w->g, certificate_residual(q, w, w->g, w->u));
        if (gradient_done(q, w, tolerance)) { return; }
        for (uint32_t r = 0; r < w->row[q->blocks]; r++) { w->c[r] = -w->step[r] * w->u[r]; }
        entries_mul(q, w, w->c, w->d);
        const real next = gradient_dot(q, w, w->c, NULL, w->d, NULL, 0), beta = fresh ? R(0.0) : next / zaz;
        zaz = next;
        for (uint32_t r = 0; r < w->row[q->blocks]; r++) {
            w->a[r] = w->c[r] + (fresh ? R(0.0) : beta * w->a[r]);
            w->b[r] = w->d[r] + (fresh ? R(0.0) : beta * w->b[r]);
        }
        const real square = gradient_dot(q, w, w->b, NULL, w->b, NULL, -1);
        if (!(zaz > R(0.0)) || !(square > R(0.0))) { return; }
        for (uint32_t r = 0; r < w->row[q->blocks]; r++) {
            w->g[r] += zaz / square * w->a[r];
            w->u[r] += zaz / square * w->b[r];
        }
    }
}

#endif

#endif
