// SPDX-License-Identifier: MIT
// local.h - one contact alone, all other impulses fixed: the impulse that solves its block.
//   given   W of the block, its impulse and the velocity that belongs to it
//   makes   the impulse that satisfies the law at the velocity that it causes: approximately, by projected steps, or
//           exactly, by one scalar equation
//   bound   local_effort.most projections; or LOCAL_EVALUATIONS evaluations of a term for each tangent, two products
//           with their eigenvectors
//   never   leaves its cone by more than rounding
#ifndef SETS_LOCAL_H
#define SETS_LOCAL_H

#include "../base/spectrum.h"
#include "cone.h"
#include "torsion.h"

// Projected steps where the contact neither sticks nor opens: at most so many, and fewer once a step is so small beside
// the first one (both squared; 0: once it changes nothing). Worlds solve to a tolerance at which an early end shows: it
// saves 5 % of a visit, but T03's example, a landing ball and resting balls are then less exact. Six steps leave 4 %
// less drift of stacks, but boxes that slide need 20 % more sweeps. The problems of fc3d are best with six and an early
// end.
typedef struct local_effort {
    int most;
    real small;
} local_effort;
#define LOCAL_WORLD ((local_effort){4, R(0.0)})
#define LOCAL_PROBLEM_STEPS 6 // most steps of the solution of one block of a problem
#define LOCAL_PROBLEM ((local_effort){LOCAL_PROBLEM_STEPS, R(0.05)})

#define LOCAL_TANGENTS SPECTRUM_ROWS        // at most
#define LOCAL_EVALUATIONS 24                // half a dozen are usual
#define LOCAL_CLOSE (R(4.0) * REAL_EPSILON) // what is left of F, relative to its parts
#define LOCAL_POLE R(0.5)                   // S is small beside W_nn - sum c_i^2 s_i

// ------------------------------------------------------------------------------------------------------ projected
// steps

// u = (N g + p)_i belongs to g. Sticking, g - W^-1 u, is tried first; else a few projected steps in the scaled metric,
// |x|^2 = sum x_r^2 / step_r, follow the local velocity u + W (x - g). They end once they are small: the rest is left
// to the next sweep.
static inline vec3 local_steps(const sym3 *w, const sym3 *inverse, real step_n, real step_t, real mu, vec3 g, vec3 u,
                               int exact, local_effort effort)
{
    vec3 x = v3_sub(g, sym3_mul(inverse, u));
    if (cone_contains(x, mu)) { return x; }

    real enough = R(0.0);
    x = g;
    for (int step = 0; step < effort.most; step++) {
        const vec3 aim = cone_velocity(u, mu, exact);
        const vec3 next =
            cone_project(v3(x.x - step_n * aim.x, x.y - step_t * aim.y, x.z - step_t * aim.z), mu, step_n, step_t);
        const vec3 change = v3_sub(next, x);
        x = next;
        if (effort.small > R(0.0)) {
            const real moved = step_t * change.x * change.x + step_n * (change.y * change.y + change.z * change.z);
            if (step == 0) { enough = effort.small * moved; }
            if (moved <= enough) { break; }
        } else if (change.x == R(0.0) && change.y == R(0.0) && change.z == R(0.0)) {
            break;
        }
        u = v3_add(u, sym3_mul(w, change));
    }
    return x;
}

// ---------------------------------------------------------------------------------------------------- one scalar
// equation

// Lengths e of a tenth of the arm make rows of a hundredth of the others' weight, and so does a leg that is light in
// one direction and carries a robot in another: projected steps, equal along all tangents as a circular cone requires,
// would need hundreds. But the block has a solution in closed form but for one number. With velocities u = W x + q, x =
// (n, T), in the eigenvectors of W_TT (values w_i, W_nT = c), a contact that neither opens nor sticks lies on the rim
// and moves against its impulse,
//      u_T = -l T,   |T| = mu n,   u_n = k l n,    l > 0,    k = mu^2 under the relaxed law (u_n = mu |u_T|), else 0.
// Of l these are, with s_i = 1/(w_i + l):
//      n = N/S,    N = sum c_i q_i s_i - q_n,   S = W_nn - k l - sum c_i^2 s_i,     T_i = -(q_i S + c_i N) s_i / S
// and the rim is where    F = mu N - sign(S) |S T| = 0.
// F < 0 where l is too small, F > 0 where it is too large: at l = 0 the contact sticks outside of its cone; beyond
// where S vanishes n has changed its sign twice. With p = 1/(l + w), w the mean of the w_i, F is smooth and nearly a
// straight line over all l from 0 to infinity: s_i = p d_i, d_i = 1/(1 + p (w_i - w)).

// A block in the eigenvectors of W_TT.
typedef struct local_block {
    real normal, mean;          // W_nn; mean of the values
    const real *couple, *value; // W_nT; eigenvalues
    int rows;                   // tangents: 2, or 5
} local_block;

// A vector of it: normal first.
typedef struct local_point {
    real n, t[LOCAL_TANGENTS];
} local_point;

static real local_length(const local_block *b, const local_point *y)
{
    real sum = R(0.0);
    for (int i = 0; i < b->rows; i++) { sum += y->t[i] * y->t[i]; }
    return real_sqrt(sum);
}

// What l = 1/p - w makes of the block.
typedef struct local_rim {
    real f;           // F over |d q_T|: as 1/|T| is straighter than |T|
    real part;        // mu N over the same
    real top, bottom; // N, p S
} local_rim;

// 1/d_i. Rounding may leave nothing of it where w_i is small beside w: along what joints hold, of resistance to torques
// with short lengths.
static inline real local_inverse(const local_block *b, int i, real p)
{
    return real_max(R(1.0) + p * (b->value[i] - b->mean), R(0.5) * REAL_EPSILON);
}

static local_rim local_evaluate(const local_block *b, const local_point *q, real mu, real k, real p)
{
    const real *c = b->couple, mean = b->mean, still = q->n / b->normal;
    real d[LOCAL_TANGENTS], n = -q->n, s = p * b->normal - k * (R(1.0) - p * mean);
    real square = R(0.0), scale = R(0.0);
    for (int i = 0; i < b->rows; i++) {
        d[i] = R(1.0) / local_inverse(b, i, p);
        const real pull = p * d[i] * c[i];
        n += pull * q->t[i];
        s -= p * pull * c[i];
    }
    for (int i = 0; i < b->rows; i++) {
        const real t = d[i] * (q->t[i] * s + c[i] * (p * n)), own = d[i] * q->t[i], shared = d[i] * (c[i] * still);
        square += t * t;
        scale += own * own + shared * shared;
    }
    const real length = real_sqrt(square), over = R(1.0) / real_sqrt(scale);
    return (local_rim){over * (mu * n - (s < R(0.0) ? -length : length)), over * (mu * real_abs(n)), n, s};
}

// p where F vanishes, by false position; F falls from 0 to 1/w. An end that stays counts less each time (Anderson and
// Bjorck).
static real local_root(const local_block *b, const local_point *q, real mu, real k)
{
    real low = R(0.0), high = R(1.0) / b->mean, p = high;
    real at_low = local_evaluate(b, q, mu, k, low).f, at_high = local_evaluate(b, q, mu, k, high).f;
    for (int look = 0, last = 0; look < LOCAL_EVALUATIONS; look++) {
        p = low + (high - low) * real_clamp(at_low / (at_low - at_high), R(0.0), R(1.0));
        const local_rim at = local_evaluate(b, q, mu, k, p);
        if (real_abs(at.f) <= LOCAL_CLOSE * at.part || p == low || p == high) { break; }
        const int side = at.f > R(0.0) ? 1 : -1;
        const real left = R(1.0) - at.f / (side > 0 ? at_low : at_high);
        const real less = side != last ? R(1.0) : left > R(0.0) ? left : R(0.5);
        if (side > 0) {
            low = p;
            at_low = at.f;
            at_high *= less;
        } else {
            high = p;
            at_high = at.f;
            at_low *= less;
        }
        last = side;
    }
    return p;
}

// The impulse on the rim that makes the block move against it; q is the velocity without impulse. Where S vanishes, so
// does N: there n is the positive root of |y + z n| = mu n, y = q s, z = c s. (|z| < mu there: with x = (1, -z),
// x'Wx = l (mu^2 - |z|^2) > 0.)
static local_point local_slide(const local_block *b, const local_point *q, real mu, real k)
{
    const real *c = b->couple, mean = b->mean, p = local_root(b, q, mu, k);
    const local_rim rim = local_evaluate(b, q, mu, k, p);
    real yy = R(0.0), yz = R(0.0), zz = mu * mu;
    local_point x;
    for (int i = 0; i < b->rows; i++) {
        const real d = R(1.0) / local_inverse(b, i, p), y = d * q->t[i], z = d * c[i];
        x.t[i] = d;
        yy += y * y;
        yz += p * y * z;
        zz -= p * p * z * z;
    }
    yy *= p * p;
    yz *= p;
    if (real_abs(rim.bottom) < LOCAL_POLE * (rim.bottom + k * (R(1.0) - p * mean)) && zz > R(0.0)) {
        x.n = (yz + real_sqrt(yz * yz + zz * yy)) / zz;
    } else {
        x.n = rim.bottom != R(0.0) ? real_max(p * rim.top / rim.bottom, R(0.0)) : R(0.0);
    }
    for (int i = 0; i < b->rows; i++) { x.t[i] *= -(q->t[i] + c[i] * x.n); }
    const real length = local_length(b, &x), scale = length > R(0.0) ? mu * x.n / length : R(0.0);
    for (int i = 0; i < b->rows; i++) { x.t[i] *= scale; }
    return x;
}

// --------------------------------------------------------------------------------------------------------- three rows

// One of Jacobi's rotations: the eigenvectors of W_TT are (c, s) and (-s, c). The smaller value is as good as the
// larger one where the block is graded.
static void local_turn_of(const sym3 *w, real *c, real *s, real value[2])
{
    const real d = R(0.5) * (w->yy - w->zz), size = real_sqrt(d * d + w->yz * w->yz);
    const real t = size > R(0.0) ? w->yz / (d + (d < R(0.0) ? -size : size)) : R(0.0);
    *c = R(1.0) / real_sqrt(R(1.0) + t * t);
    *s = t * *c;
    value[0] = w->yy + t * w->yz;
    value[1] = w->zz - t * w->yz;
}

// A contact that does not stick; u = (N g + p)_i belongs to g.
static vec3 local_three(const sym3 *w, real mu, vec3 g, vec3 u, int exact)
{
    const vec3 free = v3_sub(u, sym3_mul(w, g));
    real c, s, value[2];
    local_turn_of(w, &c, &s, value);
    const real couple[2] = {c * w->xy + s * w->xz, c * w->xz - s * w->xy};
    const local_block b = {w->xx, R(0.5) * (w->yy + w->zz), couple, value, 2};
    const local_point q = {free.x, {c * free.y + s * free.z, c * free.z - s * free.y}};
    if (q.n >= (exact ? R(0.0) : mu * local_length(&b, &q))) { return V3_ZERO; }
    if (mu == R(0.0)) { return v3(-q.n / w->xx, R(0.0), R(0.0)); }
    const local_point x = local_slide(&b, &q, mu, exact ? R(0.0) : mu * mu);
    return v3(x.n, c * x.t[0] - s * x.t[1], s * x.t[0] + c * x.t[1]);
}

// Where it does not stick: solved, and then a few projected steps. Where rounding spoils that solution, these go on
// from g.
static vec3 local_graded_slide(const sym3 *w, const sym3 *inverse, real step_n, real step_t, real mu, vec3 g, vec3 u,
                               int exact)
{
    const real weight = cone_weight(w);
    const vec3 x = local_three(w, mu, g, u, exact), at = v3_add(u, sym3_mul(w, v3_sub(x, g)));
    const vec3 left = cone_natural(weight, mu, x, at, exact), before = cone_natural(weight, mu, g, u, exact);
    if (v3_dot(left, left) < v3_dot(before, before)) {
        g = x;
        u = at;
    }
    return local_steps(w, inverse, step_n, step_t, mu, g, u, exact, LOCAL_WORLD);
}

// As local_steps(), but solved first: W of a tree's body may be far from round.
static inline vec3 local_graded(const sym3 *w, const sym3 *inverse, real step_n, real step_t, real mu, vec3 g, vec3 u,
                                int exact)
{
    const vec3 x = v3_sub(g, sym3_mul(inverse, u));
    return cone_contains(x, mu) ? x : local_graded_slide(w, inverse, step_n, step_t, mu, g, u, exact);
}

// ----------------------------------------------------------------------------------------------------------- six rows

static local_block local_six(const tac_torsion *r)
{
    return (local_block){r->own.sweep.normal, r->own.sweep.mean, r->own.sweep.couple, r->own.sweep.value,
                         SPECTRUM_ROWS};
}

static local_point local_turned(const tac_torsion *r, rows6 x)
{
    const real t[SPECTRUM_ROWS] = {x.f.y, x.f.z, x.t.x, x.t.y, x.t.z};
    local_point y;
    y.n = x.f.x;
    for (int i = 0; i < SPECTRUM_ROWS; i++) {
        real sum = R(0.0);
        for (int j = 0; j < SPECTRUM_ROWS; j++) { sum += r->own.sweep.base[j][i] * t[j]; }
        y.t[i] = sum;
    }
    return y;
}

static rows6 local_back(const tac_torsion *r, const local_point *y)
{
    real t[SPECTRUM_ROWS];
    for (int j = 0; j < SPECTRUM_ROWS; j++) {
        real sum = R(0.0);
        for (int i = 0; i < SPECTRUM_ROWS; i++) { sum += r->own.sweep.base[j][i] * y->t[i]; }
        t[j] = sum;
    }
    return (rows6){v3(y->n, t[0], t[1]), v3(t[2], t[3], t[4])};
}

// -W^-1 q: what it takes to stick.
static local_point local_stick(const local_block *b, const local_point *q)
{
    const real *c = b->couple, *value = b->value;
    local_point x;
    real top = -q->n, bottom = b->normal;
    for (int i = 0; i < b->rows; i++) {
        top += c[i] * q->t[i] / value[i];
        bottom -= c[i] * c[i] / value[i];
    }
    x.n = top / real_max(bottom, REAL_EPSILON * b->normal);
    for (int i = 0; i < b->rows; i++) { x.t[i] = -(q->t[i] + c[i] * x.n) / value[i]; }
    return x;
}

// u = (N g + p)_i belongs to g. Sticking, g - W^-1 u, is tried first.
static rows6 local_solve(const tac_torsion *r, real mu, rows6 g, rows6 u, int exact)
{
    const local_block b = local_six(r);
    local_point q = local_turned(r, u), x = local_stick(&b, &q);
    const rows6 sticking = rows6_madd(g, R(1.0), local_back(r, &x));
    if (torsion_contains(sticking, mu)) { return sticking; }

    const local_point y = local_turned(r, g);
    q.n -= b.normal * y.n;
    for (int i = 0; i < b.rows; i++) {
        q.n -= b.couple[i] * y.t[i];
        q.t[i] -= b.couple[i] * y.n + b.value[i] * y.t[i];
    }
    if (q.n >= (exact ? R(0.0) : mu * local_length(&b, &q))) { return rows6_none(); }
    x = local_slide(&b, &q, mu, exact ? R(0.0) : mu * mu);
    return local_back(r, &x);
}

#endif
