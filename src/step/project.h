// SPDX-License-Identifier: MIT
// project.h - position projection: overlaps are removed by pseudo-velocities, not by velocities.
//   given   contacts, blocks, velocities at the end of the step, pseudo-velocities so far
//   makes   pseudo-velocities: no overlap grows, and a part of it is removed; where a step was not solved, of contacts
//           that bear a force a part of a gap of either sign
//   bound   PROJECT_SWEEPS (direct solver: _DIRECT) passes over the contacts, one where nothing overlaps; before these,
//           with the direct solver where an overlap counts, PROJECT_OUTER * PROJECT_INNER factors
//   never   changes a velocity, as the stabilisation term of NST17 does: that turns the noise of a stack into motion
#ifndef STEP_PROJECT_H
#define STEP_PROJECT_H

#include "untangle.h"

// Passes: a quarter of the solver's sweeps, within these bounds. With few sweeps a brick remains tilted, and more
// passes would make it drift.
#define PROJECT_SWEEPS 8
#define PROJECT_LEAST 2

// With the direct solver only the residual gaps of the projection disturb a stack, so it iterates down to rounding.
#define PROJECT_SWEEPS_DIRECT 32

// Is the direct solver in use, by the choice of the user or of the plan?
static int project_direct(const tac_model *m, const tac_work *w)
{
    const int method = plan_method(w), newton = method == PLAN_NEWTON_ROWS || method == PLAN_NEWTON_BODIES;
    return TAC_MAX_FILL > 0 && (m->options.solver == TAC_SOLVER_DIRECT || newton);
}

// A contact that bears a force may have a gap after a step that was not solved, and where it rolls. The same part of it
// is closed as of an overlap is removed, since errors have either sign.
static int project_closes(const tac_model *m, const tac_work *w, const tac_block *k)
{
    const int may = !w->progress.converged || k->rolls >= ROLLS_MIDDLE;
    return may && warm_closes(m) && w->scratch.solve.g[k->first] > R(0.0);
}

// Does a contact that rolls and bears a force move with the mean velocity of its body?
static int project_rolls(const tac_work *w, const tac_block *k)
{
    if (k->rolls < ROLLS_MIDDLE || !(w->scratch.solve.g[k->first] > R(0.0))) { return 0; }
    PHASE_HOLDS(w, phase, TAC_PHASE_MOVES);
    return !((w->phase.moves[k->body[0]] | w->phase.moves[k->body[1]]) & MOVE_STRAIGHT);
}

// The overlap of each contact at the end of the step, with the velocities of the solve; mean velocities keep it.
static void project_predict(const tac_model *m, tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    phase_take_blocks(w, TAC_BLOCKS_PROJECT);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        k->own.project.overlap = project_rolls(w, k) ? -c->gap : rows_overlap(m, w, c, k);
    }
}

// The least pseudo-velocity along n that each contact requires, and its least multiplier. An open gap may be closed by it (or must be: see
// above); an overlap is to be reduced by its part; one within rounding is left as it is.
static void project_need(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real overlap = k->own.project.overlap, rounding = rows_rounding(m, c, s);
        const int closes = project_closes(m, w, k), open = overlap <= R(0.0) && !closes;
        const real part = open ? R(1.0) : real_abs(overlap) <= rounding ? R(0.0) : m->options.projection;
        const real mean = project_rolls(w, k) ? rows_rate(k, w->pseudo_velocity, 0) : R(0.0);
        k->own.project.need = mean + part * overlap / m->h;
        k->own.project.least = closes && k->own.project.need < mean ? -REAL_LARGEST : R(0.0);
        k->own.project.rounding = rounding;
    }
}

// Projected Gauss-Seidel over the normals, s the pseudo-velocity along n:  0 <= push  perp  s - need >= 0,  or s =
// need. Returns 1 if any multiplier has changed, with the direct solver by more than rounding.
static int project_sweep(const tac_model *m, tac_work *w)
{
    const int direct = project_direct(m, w);
    int moved = 0;
    for (tac_block *k = blocks_in(w), *end = k + w->program.contacts; k < end; k++) {
        const real residual = k->own.project.need - rows_rate(k, w->pseudo_velocity, 0);
        const real next = real_max(k->push + residual / k->w.xx, k->own.project.least), change = next - k->push;
        if (change == R(0.0)) { continue; }
        moved |= !direct || m->h * k->w.xx * real_abs(change) > k->own.project.rounding;
        k->push = next;
        rows_push(k, change, w->moving, w->pseudo_velocity);
    }
    return moved;
}

// Gauss-Seidel would need too many passes to lift a tonne off nine cubes. With the direct solver the projection is
// therefore first solved approximately for all bodies at once, as velocities are (direct.h (1), normals alone):
//      outer   push+ = max(push + (need - n's)/R, 0),  R = eps d
//      inner   s minimises 1/2 |s|^2_M + sum R/2 (max(push + (need - n's)/R, 0))^2
// by Newton's method on the matrix of the active contacts. Gauss-Seidel then starts from there. Overlaps below
// PROJECT_SEEN |p| are ignored: gaps of one face that no rigid motion closes are of that size, and their noise would
// disturb the solver.
#define PROJECT_SEEN R(1e-3)
#define PROJECT_EPS R(1e-3)
#define PROJECT_OUTER 2
#define PROJECT_INNER 6

// The unmet need of each contact. Returns 1 if any overlap counts.
static int project_is_needed(tac_work *w)
{
    int asks = 0;
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        k->own.project.residual = k->own.project.need - rows_rate(k, w->pseudo_velocity, 0);
        k->own.project.weight = R(1.0) / (PROJECT_EPS * cone_weight(&k->w));
        k->own.project.pushes = 0;
        asks |= k->own.project.residual > PROJECT_SEEN * w->progress.scale;
    }
    return asks;
}

// The multiplier that belongs to the additional pseudo-velocity s.
static real project_push(const tac_block *k, const tac_twist *s)
{
    const real residual = k->own.project.residual - rows_rate(k, s, 0);
    return real_max(k->push + k->own.project.weight * residual, k->own.project.least);
}

// Which contacts are active at s? Returns how many have changed.
static int project_changes(tac_work *w, const tac_twist *s)
{
    int changes = 0;
    for (tac_block *k = blocks_in(w), *end = k + w->program.contacts; k < end; k++) {
        const int pushes = project_push(k, s) != R(0.0);
        changes += pushes != k->own.project.pushes;
        k->own.project.pushes = pushes;
    }
    return changes;
}

// M + sum n n'/R over the active contacts, and its factor.
static void project_factor(tac_work *w)
{
    matrix_clear(matrix_of(w));
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const sym3 g = {k->own.project.weight, R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};
        if (k->own.project.pushes) { matrix_add(w, k, &g, matrix_of(w)); }
    }
    sparse_factor(matrix_of(w));
}

// (M + sum n n'/R) s = sum n (push + residual/R)
static void project_newton(const tac_model *m, tac_work *w)
{
    const tac_sparse *matrix = matrix_of(w);
    tac_twist *s = w->scratch.solve.step.twist;
    reals_clear(s, m->bodies * sizeof *s);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real push = k->push + k->own.project.weight * k->own.project.residual;
        if (k->own.project.pushes) { rows_push(k, push, w->moving, s); }
    }
    for (uint16_t i = 0; i < matrix->nodes; i++) {
        const uint16_t body = matrix->order[i];
        const real *mass = matrix->pivot[body].least;
        s[body].v = v3_mul(v3_of(mass), s[body].v);
        s[body].w = v3_mul(v3_of(mass + 3), s[body].w);
    }
    sparse_solve(matrix, w->scratch.solve.step.flat);
}

// The initial guess: multipliers of all contacts and their pseudo-velocities. Not where there are joints, which have
// untangle.h.
static void project_solve(const tac_model *m, tac_work *w)
{
    if (TAC_MAX_FILL == 0) { return; }
    tac_twist *step = w->scratch.solve.step.twist;
    if (plan_method(w) != PLAN_NEWTON_BODIES || !project_is_needed(w)) { return; }
    reals_clear(step, m->bodies * sizeof *step);
    for (int outer = 0; outer < PROJECT_OUTER; outer++) {
        for (int inner = 0; inner < PROJECT_INNER; inner++) {
            const int changes = project_changes(w, step);
            if (inner > 0 && changes == 0) { break; }
            if (changes > 0) { project_factor(w); }
            project_newton(m, w);
        }
        for (tac_block *k = blocks_in(w), *end = k + w->program.contacts; k < end; k++) {
            k->push = project_push(k, step);
        }
    }
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        rows_push(k, k->push, w->moving, w->pseudo_velocity);
    }
}

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
    if (JOINT_COUNT(m) > 0 && untangle(m, s, w)) { return; }
    untangle_keep(m, w);
    project_solve(m, w);
    for (int sweep = 0; sweep < most && project_sweep(m, w); sweep++) {}
    untangle_constrain(m, s, w);
}

#endif
