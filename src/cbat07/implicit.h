// SPDX-License-Identifier: MIT
// implicit.h - closest points of two bodies that are intersections of convex inequalities, CBAT07 section IV, appendix.
//   given   two bodies, their poses
//   makes   points a1, a2, unit normal n, gap g and multipliers l of CBAT07 (22), separated, touching or overlapping
//   bound   IMPLICIT_ROUNDS + 2 interior-point solutions; after each 4 IMPLICIT_SETS IMPLICIT_STEPS Newton steps
//   never   accepts Newton's result unchecked: inequalities must hold, multipliers be >= 0, the gap not have decreased
//
// With s(n) = min n.x over body 2 - max n.x over body 1, the gap along a unit vector n, the solutions of (9) and (22)
// are the stationary points of s on the unit sphere, for separated and for overlapping bodies; a maximum is sought. For
// separated bodies (7) finds it. For bodies that touch or overlap, (7) gives a1 = a2 and no normal. Then body 2 is
// displaced by d n0, far enough that (7) finds a distance D and a normal n1. The displacement increases the gap along
// any n by d n0.n, so
//
//      s(n1) = D - d n0.n1 >= s(n0) + d - d n0.n1 >= s(n0)          as D is the largest over all n, n0 included
//
// and n0 <- n1 converges to a maximum (the proximal point method of R76, on the sphere). The first n0 is the normal at
// the deepest common point. After each iteration Newton's method on (22) tries to converge to the end.
#ifndef CBAT07_IMPLICIT_H
#define CBAT07_IMPLICIT_H

#include "../base/vec.h"
#include "interior.h"

#define IMPLICIT_ROUNDS 24 // most rounds of the search for closest points
#define IMPLICIT_AHEAD R(32.0) // largest extrapolation after successful steps
#define IMPLICIT_STEPS 10 // most Newton steps of one set of active inequalities
#define IMPLICIT_SETS 8         // active sets tried
#define IMPLICIT_MARGIN R(0.05) // of the scale: distance after a displacement
#define IMPLICIT_NEAR R(0.01)   // of the scale: below this distance the bodies count as touching
#define IMPLICIT_DEEP R(0.2)    // of the scale: depth from which on TAC_DEEP is reported
#define IMPLICIT_TRUST (TAC_REAL_BITS == 32 ? R(3e-2) : R(1e-3)) // error up to which an interior solution counts
#define IMPLICIT_LOST R(1e-3)                                    // residual that is rejected, however large the extent
#define IMPLICIT_REACH R(0.5)                                    // of the scale and of 1: longest Newton step
#define IMPLICIT_APEX R(0.1)                                     // of a cone's height: so near may the apex be meant
#define IMPLICIT_STILL (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-8)) // rad: the normal has stopped
#define IMPLICIT_TOL (TAC_REAL_BITS == 32 ? R(1e-6) : R(1e-13))  // residual at which Newton's method has arrived
#define IMPLICIT_GOOD (TAC_REAL_BITS == 32 ? R(2e-6) : R(1e-11)) // the same per extent: good enough

// Places of the unknowns; a1 and a2 come first.
#define IMPLICIT_N 6
#define IMPLICIT_G 9
#define IMPLICIT_L 10

// ------------------------------------------------------------------------------------------------------- Newton, (22)

// Where body `side`, 0 or 1, has its point.
static vec3 implicit_point(const tac_implicit_work *w, int side)
{
    return interior_point(w->x + 3 * side);
}

static int implicit_side(const tac_implicit_work *w, int j)
{
    return j >= w->first;
}

// Is the point of row j near the apex of its cone?
static int implicit_near_apex(const tac_implicit_work *w, int j)
{
    const inequality *r = &w->row[j];
    const real depth = -v3_dot(r->axis[2], v3_sub(implicit_point(w, implicit_side(w, j)), r->origin));
    return r->kind == TAC_WITHIN_CONE && depth < IMPLICIT_APEX * r->size.z;
}

// Enters a row into the active set; as an apex, with its three axes, if its point is near one and this is wanted.
static void implicit_enter(tac_implicit_work *w, int j, int want_apex)
{
    const int apex = want_apex && implicit_near_apex(w, j);
    for (int part = apex; part <= 3 * apex; part++) {
        w->active[w->actives] = (uint8_t)j;
        w->part[w->actives++] = (uint8_t)part;
    }
}

// The active set of body `side`: rows j of the interior solution with l_j > s_j, the three largest l.
static void implicit_select(tac_implicit_work *w, int side, real distance, int want_apex)
{
    const int from = side ? w->first : 0, to = side ? w->rows : w->first, end = w->actives + 3;
    real ceiling = REAL_LARGEST;
    int last = -1;
    while (w->actives < end) {
        int best = -1;
        for (int j = from; j < to; j++) {
            const real l = w->row[j].l;
            const int below = l < ceiling || (l == ceiling && j > last);
            if (!below || !(l * w->scale > w->row[j].s * distance)) { continue; }
            if (best < 0 || l > w->row[best].l) { best = j; }
        }
        if (best < 0) { break; }
        ceiling = w->row[best].l;
        last = best;
        implicit_enter(w, best, want_apex && w->actives + 3 == end);
    }
}

// Gradient and value of the k-th active equation, the value in units of the scale. Of an apex, a coordinate.
static vec3 implicit_equation(const tac_implicit_work *w, int k, real *value)
{
    const inequality *r = &w->row[w->active[k]];
    if (w->part[k] == 0) {
        *value = r->f / w->scale;
        return r->gradient;
    }
    const vec3 e = r->axis[w->part[k] - 1];
    *value = v3_dot(e, v3_sub(implicit_point(w, implicit_side(w, w->active[k])), r->origin)) / w->scale;
    return e;
}

// Unknowns a1, a2, n, g and the active l, lengths as parts of the scale. CBAT07 (22) with the signs of (9), written so
// that nothing is divided by the distance and g may be of either sign:
//
//      e1 = a2 - a1 - g n                 e2 = n - sum l grad f(a1)         e3 = -n - sum l grad g(a2)
//      e4 = (1 - n.n) / 2                 e5 = f_k(a1), g_k(a2), k active
//
// into step[], with the sign of a Newton step. Returns their largest size.
static real implicit_residual(tac_implicit_work *w)
{
    const vec3 a1 = implicit_point(w, 0), a2 = implicit_point(w, 1), n = interior_point(w->x + IMPLICIT_N);
    const real g = w->x[IMPLICIT_G], to_scale = R(1.0) / w->scale;
    reals_clear(w->step, IMPLICIT_L * sizeof *w->step);
    interior_add(w->step, -to_scale, v3_sub(a2, a1));
    interior_add(w->step, g, n);
    interior_add(w->step + 3, R(-1.0), n);
    interior_add(w->step + 6, R(1.0), n);
    w->step[9] = R(0.5) * (v3_dot(n, n) - R(1.0));
    for (int k = 0; k < w->actives; k++) {
        real value;
        const vec3 gradient = implicit_equation(w, k, &value);
        interior_add(w->step + (implicit_side(w, w->active[k]) ? 6 : 3), w->x[IMPLICIT_L + k], gradient);
        w->step[IMPLICIT_L + k] = -value;
    }
    real most = R(0.0);
    for (int i = 0; i < IMPLICIT_L + w->actives; i++) {
        if (!(real_abs(w->step[i]) <= most)) { most = real_abs(w->step[i]); } // a NaN stays
    }
    return most;
}

// The derivative of these. Where surfaces are flat, e2 and e3 do not tell where a1 and a2 are along them: a pull to
// where they are, of sqrt(epsilon) per length, decides. It vanishes from the answer, as e does not have it.
static void implicit_jacobian(tac_implicit_work *w)
{
    const int n = IMPLICIT_L + w->actives;
    const real pull = real_sqrt(REAL_EPSILON);
    real *m = w->matrix;
    reals_clear(m, sizeof *m * (size_t)(n * n));
    for (int i = 0; i < 3; i++) {
        m[i * n + i] = R(-1.0);
        m[i * n + 3 + i] = R(1.0);
        m[i * n + 6 + i] = -w->x[IMPLICIT_G];
        m[i * n + 9] = -w->x[IMPLICIT_N + i];
        m[(3 + i) * n + i] = m[(6 + i) * n + 3 + i] = -pull;
        m[(3 + i) * n + 6 + i] = R(1.0);
        m[(6 + i) * n + 6 + i] = R(-1.0);
        m[9 * n + 6 + i] = -w->x[IMPLICIT_N + i];
    }
    for (int k = 0; k < w->actives; k++) {
        const int side = implicit_side(w, w->active[k]), column = IMPLICIT_L + k;
        real value, *block = m + (3 + 3 * side) * n;
        const vec3 gradient = implicit_equation(w, k, &value);
        block[column] = -gradient.x;
        block[n + column] = -gradient.y;
        block[2 * n + column] = -gradient.z;
        interior_add(m + column * n + 3 * side, R(1.0), gradient);
        if (w->part[k] == 0) {
            interior_add_sym3(block + 3 * side, n, -w->x[column] * w->scale, &w->row[w->active[k]].hessian);
        }
    }
}

// One step of at most IMPLICIT_REACH. Returns the residual after it, REAL_LARGEST if the equations are singular.
static real implicit_step(tac_implicit_work *w)
{
    const int n = IMPLICIT_L + w->actives;
    implicit_jacobian(w);
    if (!lu_solve(w->matrix, w->step, n)) { return REAL_LARGEST; }
    real most = R(0.0);
    for (int i = 0; i < IMPLICIT_G; i++) { most = real_max(most, real_abs(w->step[i])); }
    const real t = most > IMPLICIT_REACH ? IMPLICIT_REACH / most : R(1.0);
    for (int i = 0; i < n; i++) {
        w->old[i] = w->x[i];
        w->x[i] += t * (i < IMPLICIT_N ? w->scale : R(1.0)) * w->step[i];
    }
    interior_evaluate(w);
    return implicit_residual(w);
}

// May n leave body `side` at the apex of its cone? No direction of the cone, (k cos, k sin, -1), may go along n.
static int implicit_leaves_apex(const inequality *r, vec3 n, real slack)
{
    const vec3 y = v3_components(r->axis, n);
    return r->size.x * real_sqrt(y.x * y.x + y.y * y.y) <= r->size.z * (y.z + slack);
}

static int implicit_is_active(const tac_implicit_work *w, int j)
{
    int found = 0;
    for (int k = 0; k < w->actives; k++) { found = found || w->active[k] == j; }
    return found;
}

// Takes equation k out of the active set.
static void implicit_drop(tac_implicit_work *w, int k)
{
    w->actives--;
    for (int i = k; i < w->actives; i++) {
        w->active[i] = w->active[i + 1];
        w->part[i] = w->part[i + 1];
        w->x[IMPLICIT_L + i] = w->x[IMPLICIT_L + i + 1];
    }
}

// Takes row j into it, if there is room: a point is where three surfaces meet.
static int implicit_admit(tac_implicit_work *w, int j)
{
    int taken = 0;
    for (int k = 0; k < w->actives; k++) { taken += implicit_side(w, w->active[k]) == implicit_side(w, j); }
    if (taken >= 3) { return 0; }
    w->active[w->actives] = (uint8_t)j;
    w->part[w->actives] = 0;
    w->x[IMPLICIT_L + w->actives++] = R(0.0);
    return 1;
}

// The inequality that is violated most. Returns 0 if there is none, or no room for it.
static int implicit_admit_worst(tac_implicit_work *w, real slack)
{
    int worst = -1;
    for (int j = 0; j < w->rows; j++) {
        const real most = worst < 0 ? slack * w->scale : w->row[worst].f;
        if (!implicit_is_active(w, j) && w->row[j].f > most) { worst = j; }
    }
    return worst >= 0 && implicit_admit(w, worst);
}

// A better active set: without the most negative multiplier or, if there is none, with the inequality violated most.
// Returns 0 if it stays.
static int implicit_mend(tac_implicit_work *w, real slack)
{
    int least = -1;
    for (int k = 0; k < w->actives; k++) {
        const real l = w->x[IMPLICIT_L + k];
        if (w->part[k] == 0 && l < (least < 0 ? -slack : w->x[IMPLICIT_L + least])) { least = k; }
    }
    if (least >= 0) {
        implicit_drop(w, least);
        return 1;
    }
    return implicit_admit_worst(w, slack);
}

// Is what Newton's method has found a solution of the whole of (22): inequalities hold, multipliers are not negative,
// the gap is not less than what is known to be there? And a maximum: with five equations n can turn while both points
// stay, and s(n) = n.(a2 - a1) is least along a2 - a1 when g < 0.
static int implicit_holds(const tac_implicit_work *w, real slack)
{
    const vec3 n = interior_point(w->x + IMPLICIT_N);
    int good = w->x[IMPLICIT_G] * w->scale >= w->least - slack * w->scale;
    good = good && (w->x[IMPLICIT_G] >= -slack || w->actives < 5);
    for (int k = 0; k < w->actives; k++) {
        const int j = w->active[k];
        const vec3 out = implicit_side(w, j) ? v3_scale(R(-1.0), n) : n;
        good = good && (w->part[k] ? implicit_leaves_apex(&w->row[j], out, slack) : w->x[IMPLICIT_L + k] >= -slack);
    }
    for (int j = 0; j < w->rows; j++) { good = good && (implicit_is_active(w, j) || w->row[j].f <= slack * w->scale); }
    return good;
}

// How large the coordinates are, in units of the scale: the residual cannot get smaller than their rounding.
static real implicit_extent(const tac_implicit_work *w)
{
    return R(1.0) + (v3_norm_inf(implicit_point(w, 0)) + v3_norm_inf(implicit_point(w, 1))) / w->scale;
}

// The multipliers of body `side` by inequality. At the apex of a cone f has no gradient but a cone of them, of vertical
// part sin: the multiplier that makes n of one is n_z / sin.
static void implicit_multipliers(const tac_implicit_work *w, real l[TAC_MAX_INEQUALITIES], int side)
{
    reals_clear(l, TAC_MAX_INEQUALITIES * sizeof *l);
    for (int k = 0; k < w->actives; k++) {
        const int j = w->active[k];
        const inequality *r = &w->row[j];
        if (implicit_side(w, j) != side || w->part[k] == 1 || w->part[k] == 2) { continue; }
        const real slope = r->size.z / r->size.x;
        const real by_sine = w->part[k] == 3 ? real_sqrt(R(1.0) + slope * slope) : R(1.0);
        l[j - (side ? w->first : 0)] = real_max(R(0.0), by_sine * w->x[IMPLICIT_L + k]);
    }
}

// The first guess: the interior solution in w->best, of distance D along n, for the active set as it is.
static void implicit_begin(tac_implicit_work *w, vec3 n, real distance)
{
    w->round = R(0.0);
    reals_clear(w->x, IMPLICIT_G * sizeof *w->x);
    interior_add(w->x, R(1.0), w->best.a1);
    interior_add(w->x + 3, R(1.0), w->best.a2);
    interior_add(w->x + IMPLICIT_N, R(1.0), n);
    w->x[IMPLICIT_G] = v3_dot(n, v3_sub(w->best.a2, w->best.a1)) / w->scale;
    interior_evaluate(w);
    for (int k = 0; k < w->actives; k++) {
        real value;
        const int j = w->active[k];
        const real along = v3_dot(implicit_equation(w, k, &value), n);
        w->x[IMPLICIT_L + k] = w->row[j].l / distance;
        if (w->part[k]) { w->x[IMPLICIT_L + k] = implicit_side(w, j) ? -along : along; } // a component of the normal
    }
}

// Newton's method for one active set. Returns the residual that it comes to.
static real implicit_iterate(tac_implicit_work *w, real good)
{
    real residual = implicit_residual(w);
    for (int i = 0; i < IMPLICIT_STEPS && residual > IMPLICIT_TOL && residual < REAL_LARGEST; i++) {
        const real before = residual;
        residual = implicit_step(w);
        w->iterations++;
        if (before <= good && !(residual < R(0.5) * before)) { break; } // rounding has the word
    }
    return residual;
}

// Newton's method on (22), the active set mended in between: as implicit_mend() says when it has arrived, by the
// inequality that is violated most when it has not, as then it may have slid off along a face. Bit 0 and 1 of `apexes`:
// the point of body 1 and 2 is at an apex. Returns 1 if it has found the answer.
static int implicit_newton(tac_implicit_work *w, vec3 n, real distance, int apexes)
{
    const real good = IMPLICIT_GOOD * w->extent;
    real residual = REAL_LARGEST;
    int again = 1;
    w->actives = 0;
    implicit_begin(w, n, distance);
    implicit_select(w, 0, distance, apexes & 1);
    implicit_select(w, 1, distance, apexes & 2);
    implicit_begin(w, n, distance);
    for (int i = 0; i < IMPLICIT_SETS && again; i++) {
        residual = implicit_iterate(w, good);
        if (residual <= good) {
            again = implicit_mend(w, good);
        } else {
            again = implicit_admit_worst(w, good);
            implicit_begin(w, n, distance);
        }
    }
    if (again || !(residual <= good) || !implicit_holds(w, good)) { return 0; }

    w->best.a1 = implicit_point(w, 0);
    w->best.a2 = implicit_point(w, 1);
    w->best.normal = v3_unit(interior_point(w->x + IMPLICIT_N), n);
    w->best.residual = residual;
    implicit_multipliers(w, w->best.l1, 0);
    implicit_multipliers(w, w->best.l2, 1);
    return 1;
}

// Newton's method on the active set, for each choice of points that may be at an apex, from both to none.
static int implicit_finish(tac_implicit_work *w, vec3 n, real distance)
{
    int near = 0;
    for (int j = 0; j < w->rows; j++) { near |= implicit_near_apex(w, j) << implicit_side(w, j); }
    for (int apexes = 3; apexes >= 0; apexes--) {
        if ((apexes & near) == apexes && implicit_newton(w, n, distance, apexes)) { return 1; }
    }
    return 0;
}

// ----------------------------------------------------------------------------------------------------------- the climb

// What the interior solution of distance D leaves of (22), as a part of the scale: slope, sum l s, the rounded apex.
static real implicit_error(tac_implicit_work *w, real distance)
{
    return interior_dual(w) / distance + interior_rest(w) / (distance * w->scale) + w->round / w->scale;
}

// The gap that it proves: its points are on the bodies and farthest along n but for the error.
static real implicit_bound(tac_implicit_work *w, vec3 n, real distance)
{
    const vec3 d = v3_sub(implicit_point(w, 1), implicit_point(w, 0));
    w->extent = implicit_extent(w);
    return v3_dot(d, n) - w->scale * w->extent * (implicit_error(w, distance) + INTERIOR_TOL);
}

// The interior solution itself as the answer.
static void implicit_keep(tac_implicit_work *w, vec3 n, real distance)
{
    tac_closest *c = &w->best;
    c->a1 = implicit_point(w, 0);
    c->a2 = implicit_point(w, 1);
    c->normal = n;
    const vec3 d = v3_sub(c->a2, c->a1);
    const real aside = v3_norm(v3_madd(d, -v3_dot(d, n), n)) / w->scale;
    c->residual = real_max(aside, implicit_error(w, distance));
    for (int j = 0; j < TAC_MAX_INEQUALITIES; j++) {
        c->l1[j] = j < w->first ? w->row[j].l / distance : R(0.0);
        c->l2[j] = j < w->rows - w->first ? w->row[w->first + j].l / distance : R(0.0);
    }
}

// Closest points with body 2 displaced by `shift`. Returns the distance and its direction; 0 if the bodies count as
// touching.
static real implicit_displaced(tac_implicit_work *w, vec3 shift, real near, vec3 *n)
{
    w->shift = shift;
    interior_solve(w, INTERIOR_CLOSEST, near);
    const vec3 d = interior_between(w);
    const real distance = v3_norm(d);
    if (distance < near) { return R(0.0); }
    *n = v3_unit(d, *n);
    return distance;
}

// First estimate: the normal at the deepest common point, and about the depth.
static vec3 implicit_guess(tac_implicit_work *w, real *depth)
{
    w->shift = V3_ZERO;
    interior_solve(w, INTERIOR_LEVEL, R(0.0));
    vec3 n = V3_ZERO;
    for (int j = 0; j < w->first; j++) { n = v3_madd(n, w->row[j].l, w->row[j].gradient); }
    *depth = R(2.0) * real_abs(w->x[3]);
    return v3_unit(n, v3_unit(v3_sub(w->inside[1], w->inside[0]), V3_Z));
}

// One iteration from n0. The new n is accepted if the gap along it is not less than the best so far, up to rounding.
// Returns 1 if accepted, 0 if not, -1 if `shift` was too short to separate the bodies.
static int implicit_try(tac_implicit_work *w, vec3 n0, real shift)
{
    const real margin = IMPLICIT_MARGIN * w->scale;
    vec3 n1 = n0;
    const real distance = implicit_displaced(w, v3_scale(shift, n0), R(0.2) * margin, &n1);
    if (!(distance > R(0.0))) { return -1; }
    const real bound = implicit_bound(w, n1, distance), gap = distance - shift * v3_dot(n0, n1);
    const real best = w->least - INTERIOR_TOL * w->scale * w->extent;
    if (!(bound >= best || (gap >= best && implicit_error(w, distance) <= IMPLICIT_TRUST))) { return 0; }
    w->least = real_max(w->least, bound);
    w->distance = distance;
    implicit_keep(w, n1, distance);
    return 1;
}

// n0 <- n1, see the head, until Newton's method converges or n stops changing. Newton's result is rejected if it is a
// saddle point. To leave saddle points quickly, each successful step is extrapolated, up to IMPLICIT_AHEAD times, and a
// failed one restarts from the best n.
static void implicit_climb(tac_implicit_work *w)
{
    const real margin = IMPLICIT_MARGIN * w->scale;
    real depth, ahead = R(0.0);
    vec3 n0 = implicit_guess(w, &depth);
    w->least = -REAL_LARGEST;
    w->best.normal = n0;
    w->best.a1 = w->best.a2 = implicit_point(w, 0); // both bodies have it: what is left if no shift separates them
    w->best.residual = R(1.0);
    w->extent = implicit_extent(w);
    for (int i = 0; i < IMPLICIT_ROUNDS; i++) {
        const vec3 before = w->best.normal;
        const int found = implicit_try(w, n0, depth + margin);
        if (found < 0) {
            depth = R(2.0) * depth + margin;
            continue;
        }
        const vec3 turn = v3_sub(w->best.normal, before);
        if (found && implicit_finish(w, w->best.normal, w->distance)) { return; }
        if (ahead == R(0.0) && !(v3_norm(turn) > IMPLICIT_STILL)) { return; }
        n0 = v3_unit(v3_madd(w->best.normal, ahead, turn), w->best.normal);
        ahead = found ? real_min(R(2.0) * ahead + R(1.0), IMPLICIT_AHEAD) : R(0.0);
        depth = -w->least;
    }
}

// ---------------------------------------------------------------------------------------------------------- the whole

// Rows and points of body `side`, which has the pose `pose` in the frame of body 1.
static void implicit_place(tac_implicit_work *w, const tac_implicit *body, const tac_pose *pose, int side)
{
    w->inside[side] = pose_point(pose, body->inside);
    for (int j = 0; j < body->count; j++) {
        inequality *r = &w->row[w->rows++];
        inequality_place(&body->f[j], pose, r);
        inequality_at(r, w->inside[side], R(0.0));
        w->scale = real_min(w->scale, inequality_thickness(r));
    }
}

static void implicit_place_both(const tac_implicit *a, const tac_implicit *b, const tac_pose *b_in_a,
                                tac_implicit_work *w)
{
    const tac_pose here = {V3_ZERO, QUAT_ONE};
    w->rows = w->shifts = w->iterations = 0;
    w->scale = REAL_LARGEST;
    w->phase = INTERIOR_CLOSEST;
    reals_clear(&w->best, offsetof(tac_closest, iterations));
    implicit_place(w, a, &here, 0);
    w->first = w->rows;
    implicit_place(w, b, b_in_a, 1);
}

static void implicit_conclude(tac_implicit_work *w)
{
    w->best.gap = v3_dot(w->best.normal, v3_sub(w->best.a2, w->best.a1));
    w->best.iterations = w->iterations;
    w->best.shifts = w->shifts;
}

// The answer, in the frame of body 1, to w->best.
static void implicit_find(const tac_implicit *a, const tac_implicit *b, const tac_pose *b_in_a, tac_implicit_work *w)
{
    implicit_place_both(a, b, b_in_a, w);
    vec3 n = V3_Z;
    const real distance = implicit_displaced(w, V3_ZERO, IMPLICIT_NEAR * w->scale, &n);
    if (distance > R(0.0)) {
        w->least = implicit_bound(w, n, distance);
        implicit_keep(w, n, distance);
        (void)implicit_finish(w, n, distance);
    } else {
        implicit_climb(w);
    }
    implicit_conclude(w);
}

// ------------------------------------------------------------------------------------------------ from pose to pose

#if TAC_MAX_NCP > 0

// The answer near `from`, the one of a pose not far away, by Newton's method from its points and multipliers. All in
// the frame of body 1. Returns 0 if it does not converge to one.
static int implicit_follow(const tac_implicit *a, const tac_implicit *b, const tac_pose *b_in_a,
                           const tac_closest *from, tac_implicit_work *w)
{
    implicit_place_both(a, b, b_in_a, w);
    w->best.a1 = from->a1;
    w->best.a2 = from->a2;
    w->least = -REAL_LARGEST;
    w->actives = 0;
    for (int j = 0; j < w->rows; j++) {
        inequality *r = &w->row[j];
        r->l = j < w->first ? from->l1[j] : from->l2[j - w->first];
        r->s = r->l > R(0.0) ? R(0.0) : R(1.0);
    }
    implicit_begin(w, from->normal, R(1.0));
    w->extent = implicit_extent(w);
    const int found = implicit_finish(w, from->normal, R(1.0));
    implicit_conclude(w);
    return found;
}

// What the answer does when body 2 moves by d(x) = v + r x (x - centre), in the frame of body 1.
typedef struct implicit_rates {
    vec3 normal, point; // change of n, and of the middle between a1 and a2
} implicit_rates;

// Right-hand side for one motion: minus the change of e1 to e5 at fixed unknowns. Gradients of body 2 turn with it:
//      d(grad g)(x) = r x grad g - Hess g d(x),      d g(x) = -grad g.d(x)
static void implicit_motion(const tac_implicit_work *w, vec3 v, vec3 r, vec3 centre, real *to, int columns)
{
    const vec3 a2 = implicit_point(w, 1), d = v3_add(v, v3_cross(r, v3_sub(a2, centre)));
    for (int k = 0; k < w->actives; k++) {
        const inequality *row = &w->row[w->active[k]];
        real value;
        const vec3 gradient = implicit_equation(w, k, &value);
        if (!implicit_side(w, w->active[k])) { continue; }
        vec3 turn = v3_cross(r, gradient);
        if (w->part[k] == 0) { turn = v3_sub(turn, sym3_mul(&row->hessian, d)); }
        turn = v3_scale(w->x[IMPLICIT_L + k], turn);
        to[6 * columns] += turn.x;
        to[7 * columns] += turn.y;
        to[8 * columns] += turn.z;
        to[(IMPLICIT_L + k) * columns] = v3_dot(gradient, d) / w->scale;
    }
}

// For the motions v and then r along each axis of `axis`: the linear equations of the last Newton step, with these
// right-hand sides. Newton's method must have arrived. `right` is scratch. Returns 0 if they are singular.
static int implicit_rates_of(tac_implicit_work *w, const vec3 axis[3], vec3 centre, real right[TAC_SYSTEM * 6],
                             implicit_rates rates[6])
{
    const int n = IMPLICIT_L + w->actives;
    reals_clear(right, TAC_SYSTEM * 6 * sizeof *right);
    for (int i = 0; i < 3; i++) {
        implicit_motion(w, axis[i], V3_ZERO, centre, right + i, 6);
        implicit_motion(w, V3_ZERO, axis[i], centre, right + 3 + i, 6);
    }
    implicit_jacobian(w);
    if (!lu_solve_columns(w->matrix, right, n, 6)) { return 0; }
    for (int k = 0; k < 6; k++) {
        const real *x = right + k, half = R(0.5) * w->scale;
        rates[k].point = v3(half * (x[0] + x[18]), half * (x[6] + x[24]), half * (x[12] + x[30]));
        rates[k].normal = v3(x[36], x[42], x[48]);
    }
    return 1;
}

#endif

static void implicit_unit_pose(const tac_pose *from, tac_pose *to)
{
    to->p = from->p;
    to->q = from->q;
    quat_unit(&to->q);
}

static tac_status implicit_closest(const tac_implicit *a, const tac_pose *pose_a, const tac_implicit *b,
                                   const tac_pose *pose_b, tac_implicit_work *w, tac_closest *closest)
{
    tac_pose at, other;
    tac_status status = inequality_check_body(a, w->row);
    if (!status) { status = inequality_check_body(b, w->row); }
    if (!status) { status = inequality_check_pose(pose_a); }
    if (!status) { status = inequality_check_pose(pose_b); }
    if (status) { return status; }
    implicit_unit_pose(pose_a, &at);
    implicit_unit_pose(pose_b, &other);
    other.p = pose_point_back(&at, other.p);
    other.q = quat_mul(quat_conj(at.q), other.q);
    implicit_find(a, b, &other, w);

    tac_closest *c = &w->best;
    c->a1 = pose_point(&at, c->a1);
    c->a2 = pose_point(&at, c->a2);
    c->normal = v3_unit(quat_rotate(at.q, c->normal), V3_Z);
    if (!reals_finite(c, offsetof(tac_closest, iterations))) { return TAC_E_NAN; }
    bytes_copy(closest, c, sizeof *c);
    const int converged = c->residual <= real_min(IMPLICIT_GOOD * R(4.0) * w->extent, IMPLICIT_LOST);
    return (converged ? TAC_OK : TAC_UNCONVERGED) | (c->gap < -IMPLICIT_DEEP * w->scale ? TAC_DEEP : TAC_OK);
}

#endif
