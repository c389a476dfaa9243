// SPDX-License-Identifier: MIT
// fit_normal.h - the normal equations of a fit: what the data say about each parameter, the next values, the
// covariance.
//   given   J'J and J'r, in units of the differences; values, bounds, damping
//   makes   verdicts, covariance, trial values
//   bound   parameters^3, and sections * (parameters + unknowns)^3
//   never   moves a parameter that the data say nothing about
#ifndef PREDICT_FIT_NORMAL_H
#define PREDICT_FIT_NORMAL_H

#include "../base/bytes.h"

#if TAC_PREDICT

#define FIT_SLACK (R(64.0) * REAL_EPSILON) // of a sum of squares: its rounding

// The square of one difference of an unknown over its deviation: what its measurement adds to M.
static real fit_prior(const tac_fit_unknown *u)
{
    const real ratio = u->difference / u->deviation;
    return ratio * ratio;
}

// The unknowns of a section are its own, so they are eliminated there. With M = LL' of theirs, C the coupling and g the
// gradient, row k has L, L^-1 C and L^-1 g. M is that of the residuals, which is not negative, plus the priors: so the
// square of a pivot is at least the prior, whatever is rounded.
static void fit_eliminate(tac_fitting *f, const tac_section *s, real damping)
{
    const uint32_t p = f->parameters, m = s->unknowns;
    for (uint32_t k = 0; k < m; k++) {
        const tac_fit_unknown *u = &s->unknown[k];
        const real prior = fit_prior(u);
        real *const row = f->start[k];
        for (uint32_t c = 0; c <= p + m; c++) { row[c] = u->row[c]; }
        row[p + k] = (row[p + k] + prior) * (R(1.0) + damping);
        for (uint32_t j = 0; j < k; j++) {
            const real *const above = f->start[j];
            row[p + j] /= above[p + j];
            for (uint32_t i = j + 1; i <= k; i++) {
                row[p + i] -= row[p + j] * (i < k ? f->start[i][p + j] : row[p + j]);
            }
            for (uint32_t c = 0; c < p; c++) { row[c] -= row[p + j] * above[c]; }
            row[p + m] -= row[p + j] * above[p + m];
        }
        const real pivot = real_sqrt(real_max(row[p + k], prior));
        row[p + k] = pivot;
        for (uint32_t c = 0; c < p; c++) { row[c] /= pivot; }
        row[p + m] /= pivot;
    }
}

// A + damping diag(A) of the parameters and their gradient, without the unknowns of all sections: `schur`, `reduced`.
static void fit_reduce(tac_fitting *f, real damping)
{
    const uint32_t n = f->parameters;
    for (uint32_t i = 0; i < n; i++) {
        f->reduced[i] = f->gradient[i];
        for (uint32_t j = 0; j < n; j++) { f->schur[i * n + j] = f->normal[i * n + j]; }
        f->schur[i * n + i] *= R(1.0) + damping;
    }
    for (uint32_t at = 0; at < f->sections; at++) {
        const tac_section *s = &f->section[at];
        fit_eliminate(f, s, damping);
        for (uint32_t k = 0; k < s->unknowns; k++) {
            const real *const row = f->start[k];
            for (uint32_t i = 0; i < n; i++) {
                f->reduced[i] -= row[i] * row[n + s->unknowns];
                for (uint32_t j = 0; j < n; j++) { f->schur[i * n + j] -= row[i] * row[j]; }
            }
        }
    }
}

// L of LL' = `schur`, over the parameters that are `free`, the largest remaining diagonal entry first: what a parameter
// adds to those before it, squared. Ends where that is not more than `least`, or than rounding. Returns how many there
// are; row i of the factor belongs to parameter i, column k to order[k].
static uint32_t fit_factor(tac_fitting *f, real least)
{
    const uint32_t n = f->parameters;
    uint8_t rest[TAC_MAX_FIT];
    for (uint32_t i = 0; i < n; i++) { rest[i] = f->free[i]; }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = n;
        for (uint32_t i = 0; i < n; i++) {
            const real left = f->schur[i * n + i];
            if (rest[i] && left > real_max(least, FIT_SLACK * f->normal[i * n + i]) &&
                (p == n || left > f->schur[p * n + p])) {
                p = i;
            }
        }
        if (p == n) { return k; }
        rest[p] = 0;
        f->order[k] = (uint16_t)p;
        const real pivot = real_sqrt(f->schur[p * n + p]);
        for (uint32_t i = 0; i < n; i++) { f->factor[i * n + k] = f->schur[i * n + p] / pivot; }
        f->factor[p * n + k] = pivot;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < n && rest[i]; j++) {
                f->schur[i * n + j] -= f->factor[i * n + k] * f->factor[j * n + k];
            }
        }
    }
    return n;
}

// x of L L'x = b; zeros for the parameters that the factor does not have.
static void fit_solve(const tac_fitting *f, uint32_t rank, const real *b, real *x)
{
    const uint32_t n = f->parameters;
    real y[TAC_MAX_FIT];
    for (uint32_t i = 0; i < n; i++) { x[i] = R(0.0); }
    for (uint32_t k = 0; k < rank; k++) {
        const real *const row = &f->factor[f->order[k] * n];
        y[k] = b[f->order[k]];
        for (uint32_t j = 0; j < k; j++) { y[k] -= row[j] * y[j]; }
        y[k] /= row[k];
    }
    for (uint32_t k = rank; k-- > 0;) {
        for (uint32_t j = k + 1; j < rank; j++) { y[k] -= f->factor[f->order[j] * n + k] * y[j]; }
        y[k] /= f->factor[f->order[k] * n + k];
    }
    for (uint32_t k = 0; k < rank; k++) { x[f->order[k]] = y[k]; }
}

// What the data say: at a bound that the gradient presses against; nothing; or else. The covariance of the latter.
static void fit_judge(tac_fitting *f)
{
    const uint32_t n = f->parameters;
    fit_reduce(f, R(0.0));
    for (uint32_t i = 0; i < n; i++) {
        const tac_fit_parameter *p = &f->parameter[i];
        const real slope = f->reduced[i];
        const int bound = (f->value[i] <= p->lower && slope > R(0.0)) || (f->value[i] >= p->upper && slope < R(0.0));
        f->free[i] = !bound;
        f->verdict[i] = bound ? TAC_FIT_AT_BOUND : TAC_FIT_UNKNOWN;
    }
    const uint32_t rank = fit_factor(f, f->null * f->null * f->sums.motion);
    const real freedom = f->rows > rank ? (real)(f->rows - rank) : R(1.0);
    f->variance = f->sums.squares / freedom;
    for (uint32_t k = 0; k < rank; k++) { f->verdict[f->order[k]] = TAC_FIT_KNOWN; }
    for (uint32_t i = 0; i < n; i++) {
        real unit[TAC_MAX_FIT], x[TAC_MAX_FIT];
        for (uint32_t j = 0; j < n; j++) { unit[j] = i == j ? R(1.0) : R(0.0); }
        const int known = f->verdict[i] == TAC_FIT_KNOWN;
        fit_solve(f, rank, unit, x);
        for (uint32_t j = 0; j < n; j++) {
            const real scale = f->variance * f->parameter[i].difference * f->parameter[j].difference;
            f->covariance[i * n + j] = known ? scale * x[j] : R(0.0);
        }
    }
}

// The unknowns of a section that belong to a move of the parameters. Returns the longest move.
static real fit_follow(tac_fitting *f, const tac_section *s, const real *uphill)
{
    const uint32_t p = f->parameters, m = s->unknowns;
    real longest = R(0.0), x[TAC_MAX_FIT];
    fit_eliminate(f, s, f->damping);
    for (uint32_t k = m; k-- > 0;) {
        tac_fit_unknown *const u = &s->unknown[k];
        const real *const row = f->start[k];
        x[k] = row[p + m];
        for (uint32_t i = 0; i < p; i++) { x[k] -= row[i] * uphill[i]; }
        for (uint32_t j = k + 1; j < m; j++) { x[k] -= f->start[j][p + k] * x[j]; }
        x[k] /= row[p + k];
        u->trial_value = u->value - u->difference * x[k];
        longest = real_max(longest, real_abs(x[k]));
    }
    return longest;
}

// The values that the damped equations lead to, within the bounds. Returns the longest move, in differences.
static real fit_propose(tac_fitting *f)
{
    const uint32_t n = f->parameters;
    real uphill[TAC_MAX_FIT], longest = R(0.0);
    for (uint32_t i = 0; i < n; i++) { f->free[i] = f->verdict[i] == TAC_FIT_KNOWN; }
    fit_reduce(f, f->damping);
    fit_solve(f, fit_factor(f, R(0.0)), f->reduced, uphill);
    for (uint32_t i = 0; i < n; i++) {
        const tac_fit_parameter *p = &f->parameter[i];
        f->trial_value[i] = real_clamp(f->value[i] - p->difference * uphill[i], p->lower, p->upper);
        uphill[i] = (f->value[i] - f->trial_value[i]) / p->difference;
        longest = real_max(longest, real_abs(uphill[i]));
    }
    for (uint32_t at = 0; at < f->sections; at++) {
        longest = real_max(longest, fit_follow(f, &f->section[at], uphill));
    }
    return longest;
}

#endif

#endif
