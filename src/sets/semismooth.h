// SPDX-License-Identifier: MIT
// semismooth.h - natural maps of contact and friction with their derivatives, and a globalised Newton step on dense
// equations.
//   given   impulses, velocities and step lengths of one contact; phi and its derivative
//   makes   phi and its rows; Newton's step; the verdict on a trial of the line search
//   bound   constant a contact; unknowns^3/3 multiplications a step
//   never   knows where the equations come from
#ifndef SETS_SEMISMOOTH_H
#define SETS_SEMISMOOTH_H

#include "../base/lu.h"
#include "../base/bytes.h"

#if TAC_MAX_NCP > 0 || TAC_MAX_LCP > 0

#define SEMISMOOTH_RIDGE real_sqrt(REAL_EPSILON) // added to the derivative by impulses: reactions need not be unique
#define SEMISMOOTH_DECREASE R(1e-4)              // of the merit function, which a step must reach
#define SEMISMOOTH_HALVINGS 10                   // most halvings of one step

// The laws of a contact, each as an equation: with a = p_n - s_n gap/h, x the tangential impulses over their semi-axes,
// y the velocities times these, z = x - s_t y and r = mu max(0, a), all divided by s so that phi is a velocity,
//
//      p_n - max(0, a) = 0       0 <= p_n perp gap >= 0                                               CBAT07 (11)
//      x - P(z) = 0              P the nearest point of |.| <= r: (5), with sigma = |y|                CBAT07 (5), (11)
//
// (5) itself does not suit Newton's method: where p_n = 0 all of its derivatives are 0. The solutions are the same.
enum { SEMISMOOTH_OPEN, SEMISMOOTH_STICK, SEMISMOOTH_SLIDE };

typedef struct semismooth_contact {
    real a, r, length; // length: |z|
    real z[5];
    int closed, mode;
} semismooth_contact;

// p, y: normal first, y[0] = gap/h. Writes phi of `rows` rows.
static void semismooth_contact_make(int rows, real mu, real step_n, real step_t, const real *p, const real *y,
                                    real *phi, semismooth_contact *c)
{
    real square = R(0.0);
    c->a = p[0] - step_n * y[0];
    c->closed = c->a > R(0.0);
    c->r = c->closed ? mu * c->a : R(0.0);
    for (int i = 1; i < rows; i++) {
        c->z[i - 1] = p[i] - step_t * y[i];
        square += c->z[i - 1] * c->z[i - 1];
    }
    c->length = real_sqrt(square);
    c->mode = !(c->r > R(0.0)) ? SEMISMOOTH_OPEN : (c->length <= c->r ? SEMISMOOTH_STICK : SEMISMOOTH_SLIDE);
    phi[0] = c->closed ? y[0] : p[0] / step_n;
    for (int i = 1; i < rows; i++) {
        const real on = c->mode == SEMISMOOTH_SLIDE ? c->r * (c->z[i - 1] / c->length) : R(0.0);
        phi[i] = c->mode == SEMISMOOTH_STICK ? y[i] : (p[i] - on) / step_t;
    }
}

// Change of phi by changes dp, dy of p and y.
static void semismooth_contact_change(const semismooth_contact *c, int rows, real mu, real step_n, real step_t,
                                      const real *dp, const real *dy, real *dphi)
{
    dphi[0] = c->closed ? dy[0] : dp[0] / step_n;
    if (c->mode != SEMISMOOTH_SLIDE) {
        for (int i = 1; i < rows; i++) { dphi[i] = c->mode == SEMISMOOTH_STICK ? dy[i] : dp[i] / step_t; }
        return;
    }
    const real dr = mu * (dp[0] - step_n * dy[0]), part = c->r / c->length;
    real along = R(0.0);
    for (int i = 1; i < rows; i++) { along += c->z[i - 1] * (dp[i] - step_t * dy[i]); }
    along /= c->length;
    for (int i = 1; i < rows; i++) {
        const real unit = c->z[i - 1] / c->length, dz = dp[i] - step_t * dy[i];
        dphi[i] = (dp[i] - unit * dr - part * (dz - unit * along)) / step_t;
    }
}

// |phi|^2: the merit function, twice.
static real semismooth_merit(const real *phi, int n)
{
    real sum = R(0.0);
    for (int i = 0; i < n; i++) { sum += phi[i] * phi[i]; }
    return sum;
}

// step[] = -matrix^-1 phi. Returns 0 if there is none.
static int semismooth_step(real *matrix, const real *phi, real *step, int n)
{
    for (int i = 0; i < n; i++) { step[i] = -phi[i]; }
    return lu_solve(matrix, step, n);
}

// Is a trial at the length t good enough? `noise`: what rounding makes of the merit.
static int semismooth_accepts(real t, real before, real merit, real noise)
{
    return merit <= (R(1.0) - SEMISMOOTH_DECREASE * t) * before + noise;
}

#endif

#endif
