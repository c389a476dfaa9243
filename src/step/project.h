// SPDX-License-Identifier: MIT
// project.h - overlap is moved out, not pushed out: a bounded projection of positions after the solve.
//   given   contacts, blocks, velocities at the end of the step, shifts so far
//   makes   shift: what else moves the poses, so that no gap that would be negative gets worse and some is taken back;
//           of contacts that bear a force, some of a gap of either sign
//   bound   PROJECT_SWEEPS (direct solver: _DIRECT) passes over the contacts, one where nothing overlaps; before these,
//           with the direct solver where an overlap counts, PROJECT_OUTER * PROJECT_INNER factors
//   never   changes a velocity: NST17's stabilisation term does, and feeds the noise of a stack that way
#ifndef STEP_PROJECT_H
#define STEP_PROJECT_H

#include "untangle.h"

// Passes: a quarter of the solver's sweeps, within these. Where few sweeps leave a brick tilted, more make it walk.
#define PROJECT_SWEEPS 8
#define PROJECT_LEAST 2

// With the direct solver gaps that the projection leaves are what drives a stack: it goes on until only rounding moves.
#define PROJECT_SWEEPS_DIRECT 32

// Was that the choice, of the user or of the step?
static int project_direct(const tac_model *m, const tac_work *w)
{
    return TAC_MAX_FILL > 0 && (m->options.solver == TAC_SOLVER_DIRECT || w->progress.solver == TAC_SOLVER_DIRECT);
}

// Where a step was not solved, a contact that bears a force and ends it with a gap is closed by the same part as an
// overlap is opened: what few sweeps leave over has either sign.
static int project_closes(const tac_model *m, const tac_work *w, const tac_contact *c)
{
    return warm_closes(m) && !w->progress.converged && c->impulse.x > R(0.0);
}

// The least shift that each contact asks for. Where the step ends with an open gap the shift may close it, or has to;
// an overlap is to be taken back by its part; one that rounding can make is left alone.
static void project_need(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real overlap = -(c->gap + m->h * c->velocity.x), rounding = rows_rounding(m, c, s);
        const int open = overlap <= R(0.0) && !project_closes(m, w, c);
        const real part = open ? R(1.0) : real_abs(overlap) <= rounding ? R(0.0) : m->options.projection;
        k->own.project.need = part * overlap / m->h;
        k->own.project.rounding = rounding;
    }
}

// Pushes do not pull, but where a gap has to close.
static real project_bound(const tac_model *m, const tac_work *w, const tac_contact *c, const tac_block *k, real push)
{
    return k->own.project.need < R(0.0) && project_closes(m, w, c) ? push : real_max(push, R(0.0));
}

// Projected Gauss-Seidel over the normals:  0 <= push  perp  shift - need >= 0, or shift = need. Has anything moved,
// with the direct solver farther than rounding?
static int project_sweep(const tac_model *m, tac_work *w)
{
    const int direct = project_direct(m, w);
    int moved = 0;
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real lack = k->own.project.need - rows_rate(c, k, w->shift, 0);
        const real next = project_bound(m, w, c, k, k->push + lack / k->w.xx), change = next - k->push;
        if (change == R(0.0)) { continue; }
        moved |= !direct || m->h * k->w.xx * real_abs(change) > k->own.project.rounding;
        k->push = next;
        rows_push(c, k, change, w->moving, w->shift);
    }
    return moved;
}

#if TAC_MAX_FILL > 0

// Gauss-Seidel does not lift a tonne off nine cubes in any number of sweeps that can be paid. With the direct solver
// the projection is first solved for all bodies at once, roughly, as the velocities were (direct.h (1), normals alone):
//      outer   push+ = max(push + (need - n's)/R, 0),  R = eps d
//      inner   s minimises 1/2 |s|^2_M + sum R/2 (max(push + (need - n's)/R, 0))^2
// by Newton's method on the matrix of those contacts that push. Gauss-Seidel then starts from there. Not for less than
// PROJECT_SEEN |p|: gaps of one face that no motion takes back together are of that size, and their noise would feed
// the solver.
#define PROJECT_SEEN R(1e-3)
#define PROJECT_EPS R(1e-3)
#define PROJECT_OUTER 2
#define PROJECT_INNER 6

// What the projection would have to do. Is there an overlap that counts?
static int project_asks(tac_work *w)
{
    int asks = 0;
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        k->own.project.lack = k->own.project.need - rows_rate(c, k, w->shift, 0);
        k->own.project.weight = R(1.0) / (PROJECT_EPS * plain_weight(k));
        k->own.project.pushes = 0;
        asks |= k->own.project.lack > PROJECT_SEEN * w->progress.scale;
    }
    return asks;
}

// The push that belongs to the additional shift s.
static real project_push(const tac_model *m, const tac_work *w, const tac_contact *c, const tac_block *k,
                         const tac_twist *s)
{
    return project_bound(m, w, c, k, k->push + k->own.project.weight * (k->own.project.lack - rows_rate(c, k, s, 0)));
}

// Which contacts push at s? Returns how many have changed.
static int project_changes(const tac_model *m, tac_work *w, const tac_twist *s)
{
    int changes = 0;
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const int pushes = project_push(m, w, c, k, s) != R(0.0);
        changes += pushes != k->own.project.pushes;
        k->own.project.pushes = pushes;
    }
    return changes;
}

// M + sum n n'/R over the contacts that push, and its factor.
static void project_factor(tac_work *w)
{
    matrix_clear(matrix_of(w));
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const sym3 g = {k->own.project.weight, R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};
        if (k->own.project.pushes) { matrix_add(w, c, k, &g, matrix_of(w)); }
    }
    sparse_factor(matrix_of(w));
}

// (M + sum n n'/R) s = sum n (push + lack/R)
static void project_newton(const tac_model *m, tac_work *w, tac_twist *s)
{
    const tac_sparse *matrix = matrix_of(w);
    reals_clear(s, m->bodies * sizeof *s);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real push = k->push + k->own.project.weight * k->own.project.lack;
        if (k->own.project.pushes) { rows_push(c, k, push, w->moving, s); }
    }
    for (uint16_t i = 0; i < matrix->nodes; i++) {
        const uint16_t body = matrix->order[i];
        const tac_twist *mass = &matrix->pivot[body].least;
        s[body].v = v3_mul(mass->v, s[body].v);
        s[body].w = v3_mul(mass->w, s[body].w);
    }
    sparse_solve(matrix, (real *)s);
}

// The first guess: pushes of all contacts, and the shift that they make. Not where there are joints: their matrix is
// still needed (assemble.h).
static void project_raise(const tac_model *m, tac_work *w)
{
    tac_twist *step = w->scratch.solve.step;
    if (w->progress.solver != TAC_SOLVER_DIRECT || JOINT_COUNT(m) > 0 || !project_asks(w)) { return; }
    reals_clear(step, m->bodies * sizeof *step);
    tac_block *k;
    for (int outer = 0; outer < PROJECT_OUTER; outer++) {
        for (int inner = 0; inner < PROJECT_INNER; inner++) {
            const int changes = project_changes(m, w, step);
            if (inner > 0 && changes == 0) { break; }
            if (changes > 0) { project_factor(w); }
            project_newton(m, w, step);
        }
        k = w->scratch.solve.block;
        for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
            k->push = project_push(m, w, c, k, step);
        }
    }
    k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        rows_push(c, k, k->push, w->moving, w->shift);
    }
}

#else

static void project_raise(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

#endif

static int project_passes(const tac_model *m, const tac_work *w)
{
    if (project_direct(m, w)) { return PROJECT_SWEEPS_DIRECT; }
    const int passes = m->options.max_sweeps >= 4 * PROJECT_SWEEPS ? PROJECT_SWEEPS : m->options.max_sweeps / 4;
    return passes < PROJECT_LEAST ? PROJECT_LEAST : passes;
}

static void project(const tac_model *m, const tac_state *s, tac_work *w)
{
    const int most = project_passes(m, w);
    project_need(m, s, w);
    if (untangle(m, s, w)) { return; }
    reals_copy(w->previous, w->shift, m->bodies * sizeof *w->shift);
    project_raise(m, w);
    for (int sweep = 0; sweep < most && project_sweep(m, w); sweep++) {}
    untangle_bind(m, s, w);
}

#endif
