// SPDX-License-Identifier: MIT
// minres.h - a saddle-point problem without a factor: the method of least residuals (Paige and Saunders 1975).
//   given   the product of saddle.h, which is symmetric and indefinite; a right side
//   makes   the solution in its place; how many products it took
//   bound   MINRES_PASSES products for each unknown
//   never   divides by a norm that is 0
#ifndef TCE17_MINRES_H
#define TCE17_MINRES_H

#include "saddle.h"

#if TAC_DAE

#define MINRES_PASSES 4 // products for each unknown, at most
#define MINRES_TOLERANCE (TAC_REAL_BITS == 32 ? R(1e-6) : R(1e-12)) // of the residual, relative to the right side

// The Lanczos vectors v of the scaled matrix A = S K S make of it a tridiagonal one; plane rotations (c, s) make of
// that a triangle with three diagonals; the solution is a sum of directions d, which follow from v by these three.
enum { MINRES_LAST, MINRES_NOW, MINRES_NEXT, MINRES_SCALED, MINRES_ALONG, MINRES_BEFORE, MINRES_VECTORS };

typedef struct minres {
    real c[2], s[2]; // the last two rotations, the latest first
    real beta;       // norm of the vector before it became v
    real rest;       // norm of the residual, with a sign
} minres;

static real minres_dot(const tac_sixes *a, const tac_sixes *b, uint32_t n)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < n; i++) { sum += a->flat[i] * b->flat[i]; }
    return sum;
}

// y = p x + q y
static void minres_combine(real p, const tac_sixes *x, real q, tac_sixes *y, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) { y->flat[i] = p * x->flat[i] + q * y->flat[i]; }
}

// The next Lanczos vector, in place of the last one, before it is normed; returns v'A v.
static real minres_lanczos(const tac_work *w, const minres *r, tac_sixes *vector, uint32_t n)
{
    tac_sixes *next = &vector[MINRES_NEXT], *last = &vector[MINRES_LAST];
    reals_copy(&vector[MINRES_SCALED], &vector[MINRES_NOW], n * sizeof *next->flat);
    saddle_scale(w, &vector[MINRES_SCALED]);
    saddle_product(w, &vector[MINRES_SCALED], next);
    saddle_scale(w, next);
    const real alpha = minres_dot(next, &vector[MINRES_NOW], n);
    minres_combine(R(1.0), next, -r->beta, last, n);
    minres_combine(-alpha, &vector[MINRES_NOW], R(1.0), last, n);
    return alpha;
}

// One pass: x moves along the next direction. Returns 0 if there is none.
static int minres_pass(const tac_work *w, minres *r, tac_sixes *vector, tac_sixes *x, uint32_t n)
{
    tac_sixes *v = &vector[MINRES_NOW], *next = &vector[MINRES_LAST], *along = &vector[MINRES_ALONG],
              *before = &vector[MINRES_BEFORE];
    const real alpha = minres_lanczos(w, r, vector, n), beta = real_sqrt(minres_dot(next, next, n));
    const real delta = r->c[0] * alpha - r->c[1] * r->s[0] * r->beta;
    const real above = r->s[0] * alpha + r->c[1] * r->c[0] * r->beta, far = r->s[1] * r->beta;
    const real pivot = real_sqrt(delta * delta + beta * beta);
    if (!(pivot > R(0.0))) { return 0; }
    for (uint32_t i = 0; i < n; i++) {
        const real d = (v->flat[i] - far * before->flat[i] - above * along->flat[i]) / pivot;
        before->flat[i] = along->flat[i];
        along->flat[i] = d;
        const real u = v->flat[i];
        v->flat[i] = beta > R(0.0) ? next->flat[i] / beta : R(0.0);
        next->flat[i] = u;
    }
    r->c[1] = r->c[0], r->s[1] = r->s[0];
    r->c[0] = delta / pivot, r->s[0] = beta / pivot;
    minres_combine(r->c[0] * r->rest, along, R(1.0), x, n);
    r->rest *= -r->s[0];
    r->beta = beta;
    return beta > R(0.0);
}

// Replaces the right side x by the solution. Returns the number of products.
static inline uint32_t minres_solve(const tac_work *w, tac_sixes *vector, tac_sixes *x)
{
    const uint32_t n = (uint32_t)(6 * (w->program.bodies + PROGRAM_JOINTS(w))), most = MINRES_PASSES * n;
    uint32_t passes = 0;
    saddle_scale(w, x);
    const real size = real_sqrt(minres_dot(x, x, n));
    minres r = {{R(1.0), R(1.0)}, {R(0.0), R(0.0)}, R(0.0), size};
    reals_clear(vector, MINRES_VECTORS * sizeof *vector);
    if (size > R(0.0)) { minres_combine(R(1.0) / size, x, R(0.0), &vector[MINRES_NOW], n); }
    reals_clear(x, n * sizeof *x->flat);
    while (passes < most && real_abs(r.rest) > MINRES_TOLERANCE * size) {
        passes++;
        if (!minres_pass(w, &r, vector, x, n)) { break; }
    }
    saddle_scale(w, x);
    return passes;
}

#endif

#endif
