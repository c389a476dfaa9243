// SPDX-License-Identifier: MIT
// solve.h - the cone program from its first impulses to its certificate: start, sweep, finish.
//   given   contacts, blocks, free velocities, warm impulses
//   makes   impulses in their cones, v+ = v~ + M^-1 D g, residual, modes
//   bound   options.max_sweeps sweeps in all
//   never   keeps a worse answer than the best so far: by the movement of a sweep, then by the residual. The law may
//           change in between; the verdict is about the impulses that are kept
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "../engine/continuation.h"
#include "../engine/direct.h"
#include "../engine/stick.h"
#include "../rows/joints.h"
#include "residual.h"
#include "plan.h"

// The residual of the impulses in force, for the direct solver: converged if tolerance and rounding allow it.
static real solve_assess(tac_work *w)
{
    tac_progress *p = &w->progress;
    const real residual = solve_natural(w);
    p->converged = solve_solves(w, residual, SOLVE_EXACT);
    return residual;
}

// Recomputes the step lengths of sweeps: Newton's method has used their place in the blocks.
static void solve_restore_sweeps(tac_work *w)
{
    phase_take_blocks(w, TAC_BLOCKS_SWEEP);
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        rows_sweep(k);
        if (has_torsion(k)) { torsion_sweep_bodies(w, k); }
    }
}

// Newton's method starts from the best impulses so far. Those of the last step may already satisfy the tolerance.
static void solve_enter(tac_work *w)
{
    if (TAC_MAX_FILL == 0) { return; }
    tac_progress *p = &w->progress;
    p->measure = p->least = p->halved = p->tried = solve_assess(w);
    p->idle = p->trial = 0;
    direct_enter(w);
}

// Scales of the problem at zero impulses: g is zero, or where W is formed, last[].
static void solve_begin(tac_work *w)
{
    tac_progress *p = &w->progress;
    const tac_solve_scratch *c = &w->scratch.solve;
    const int formed = trees_formed(w);
    if (PROGRAM_JOINTS(w) > 0 && !formed) { trees_finish(w, 0); }
    natural_sum first = solve_natural_at(w, formed ? c->last : c->g, formed ? JOINT_TREES(w)->free : NULL,
                                         w->program.friction == TAC_FRICTION_EXACT);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) { natural_speed(&JOINT_LINK(w)[i], &first); }
    p->start = real_sqrt(first.map);
    p->scale = real_sqrt(first.size);
    p->rounding = REAL_EPSILON * real_sqrt(first.held);
    p->converged = w->program.contacts == 0 && PROGRAM_JOINTS(w) == 0;
}

static void solve_measure_rows(tac_work *w)
{
    if (trees_formed(w)) { trees_measure(w); }
}

// Sweeps on W, and Newton's method, start from the best impulses of contacts and coordinates. At first they are in
// force already, by trees_start().
static void solve_enter_reduced(tac_work *w)
{
    tac_trees *r = trees_of(w);
    if (w->progress.sweeps > 0) {
        trees_move_to(w, w->scratch.solve.best, r->velocity);
        iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    }
    reals_copy(w->scratch.solve.last, w->scratch.solve.best, trees_swept(w) * sizeof *w->scratch.solve.last);
    reals_copy(r->last, r->velocity, r->rows * sizeof *r->last);
    w->progress.joints_stale = 1;
    w->progress.least = REAL_LARGEST;
}

static void solve_enter_newton_rows(tac_work *w)
{
    solve_enter_reduced(w);
    w->progress.measure = solve_natural(w);
    best_keep(w);
    continuation_enter(w);
}

// Sweeps that Newton's method may take over from: the residual that they start from. That of the impulses of the last
// step may be small enough at once.
static void solve_enter_sweeps(tac_work *w)
{
    tac_progress *p = &w->progress;
    p->halved = solve_natural(w);
    p->converged = solve_solves(w, p->halved, SOLVE_BLURRED);
    if (!p->converged) { return; }
    p->measured = 1;
    p->measure = p->least = p->halved;
}

// Without W: sweeps keep the velocities of the last iterate, Newton's method those that it solves for.
static void solve_enter_bodies(tac_work *w, int newton)
{
    tac_progress *p = &w->progress;
    tac_twist *from = newton ? w->phase.velocity : w->phase.last;
    iterate_copy(w, w->scratch.solve.last, w->scratch.solve.best);
    best_restore(w);
    if (PROGRAM_JOINTS(w) > 0) { trees_finish(w, 0); }
    phase_take(w, newton ? TAC_PHASE_VELOCITY : TAC_PHASE_LAST);
    reals_copy(from, w->delta_v, w->program.bodies * sizeof *w->delta_v);
    p->least = REAL_LARGEST;
    if (newton) { solve_enter(w); }
    if (!newton && plan_chooses_first(w)) { solve_enter_sweeps(w); }
    if (PROGRAM_JOINTS(w) == 0) { return; }
    p->measured = 1;
    p->measure = solve_natural(w);
    best_keep(w);
}

// The stage in force starts from the best iterate, without momentum.
static void solve_from_best(tac_work *w)
{
    const int method = plan_method(w), joints = PROGRAM_JOINTS(w) > 0; // without joints a constant
    w->progress.measured = 0;
    momentum_rest(&w->progress.momentum, &w->progress.beta, MOMENTUM_FIRST);
    if (joints && method == PLAN_ROWS) {
        solve_enter_reduced(w);
    } else if (joints && method == PLAN_NEWTON_ROWS) {
        solve_enter_newton_rows(w);
    } else {
        solve_enter_bodies(w, method == PLAN_NEWTON_BODIES);
    }
}

// W of free bodies, without the joints.
static void solve_weigh(tac_work *w)
{
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) { rows_weigh(w, k); }
}

// Motors and limits that were taken as unbounded get their rows, and the solve continues from the impulses in force.
static void solve_bound(tac_work *w)
{
    columns_clamp(w);
    iterate_copy(w, w->scratch.solve.best, w->scratch.solve.g);
    solve_weigh(w);
    (void)trees_operate(w, NULL, 0); // has room
    w->progress.halved = R(0.0);
    solve_begin(w);
    solve_from_best(w);
}

// Bodies and joints follow the impulses of contacts and coordinates, and the residual is measured at their velocities.
// Returns 0 if a motor that was taken as unbounded has met a bound, or a coordinate such a limit: the solve continues
// with rows for all of them.
static int solve_follow(tac_work *w, real terms)
{
    tac_progress *p = &w->progress;
    trees_finish(w, 0);
    trees_measure(w);
    if (!columns_kept(w)) {
        solve_bound(w);
        return 0;
    }
    p->measure = solve_natural(w);
    p->converged = solve_solves(w, p->measure, terms);
    p->joints_stale = 0;
    best_keep(w);
    return 1;
}

// If motors that were taken as unbounded are beyond their bounds by the best impulses, or such limits active.
static void solve_keep(tac_work *w)
{
    if (columns_kept(w)) { return; }
    solve_bound(w);
    (void)solve_follow(w, SOLVE_BLURRED);
}

// Are sweeps over trees slow: would PLAN_TREES more of them not be enough, at the rate of convergence since the last
// test?
static int solve_is_slow(tac_work *w, real now)
{
    const real before = w->progress.halved;
    real then = now;
    w->progress.halved = now;
    if (!(before > R(0.0))) { return 0; }
    for (int i = 0; i < PLAN_TREES; i += PLAN_LOOK) { then *= now / before; }
    return !solve_solves(w, then, SOLVE_BLURRED);
}

// Newton's method on W takes over, from the impulses in force, which have this residual.
static void solve_continue(tac_work *w, real now)
{
    w->progress.measure = now;
    best_keep(w);
    if (plan_continue(w)) { solve_from_best(w); }
}

// In place of a first sweep where no contact slides: one linear system. If contacts are open or coordinates have bounds
// it may take some rounds, which the velocities of the rows end. Returns 0 if its answer is not accepted.
static int solve_stick(tac_work *w)
{
    int sticks = 0;
    if (!stick_may(w)) { return 0; }
    for (int round = 0; round < PLAN_ROUNDS && !sticks; round++) {
        const int outcome = stick_round(w, round == 0);
        if (outcome == STICK_SLIDES) { break; }
        if (outcome == STICK_PULLS) { continue; }
        sticks = !stick_watched(w) || solve_solves(w, solve_natural(w), SOLVE_BLURRED);
    }
    stick_leave(w, sticks);
    return sticks;
}

// One sweep over trees, or in place of the first one the solution where all contacts stick. When it moves little,
// when every PLAN_LOOK sweeps the velocities of its rows say that the residual may be small, and every PLAN_TREES
// sweeps, the residual decides.
static void solve_reduced(tac_work *w, int exact)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    tac_progress *p = &w->progress;
    const int sticks = trees_of(w)->fresh && solve_stick(w);
    if (!sticks) { columns_invert(w); }
    const real moved = sticks ? R(0.0) : sweep_pass(SWEEP_TREES, w, 0, exact);
    const int due = p->sweeps % PLAN_TREES == 0, look = p->sweeps % PLAN_LOOK == 0;
    trees_of(w)->fresh = 0;
    p->joints_stale = 1;
    int likely = due || moved <= REDUCED_CLOSE * (w->program.tolerance * p->start + p->rounding);
    if (!likely && look) {
        const real now = solve_natural(w);
        likely = solve_solves(w, now, SOLVE_BLURRED);
        if (!likely && solve_is_slow(w, now)) { solve_continue(w, now); }
    }
    if (!likely) { return; }
    const int follows = solve_follow(w, due || look ? SOLVE_BLURRED : SOLVE_SUMMED);
    if (follows && due && !p->converged) { solve_continue(w, p->measure); }
}

// One Newton step on the W of trees. If it has solved the rows and not the bodies, it goes on from what these show.
static void solve_newton_trees(tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    continuation_step(w, exact);
    p->joints_stale = 1;
    p->measure = solve_natural(w);
    if (solve_solves(w, p->measure, SOLVE_BLURRED)) {
        if (solve_follow(w, SOLVE_BLURRED) && !p->converged) { continuation_refer(w); }
    } else {
        best_keep(w);
    }
    if (!p->converged && plan_resume(w)) { solve_from_best(w); }
}

// Sweeps over bodies go on from the best impulses of Newton's method.
static void solve_leave_direct(tac_work *w)
{
    const real least = w->progress.least;
    best_recompute(w);
    solve_restore_sweeps(w);
    solve_from_best(w);
    w->progress.least = least;
    w->progress.measured = 1;
}

// A Newton step. It has converged where the rest is rounding; where it makes no progress, sweeps continue from the best
// iterate.
static void solve_direct(tac_work *w, int exact)
{
    if (TAC_MAX_FILL == 0) { return; }
    tac_progress *p = &w->progress;
    direct_sweep(w, exact);
    p->measure = solve_assess(w);
    best_keep(w);
    p->idle++;
    if (p->least <= R(0.5) * p->halved) {
        p->halved = p->least;
        p->idle = 0;
    }
    const real blur = SOLVE_BLURRED * REAL_EPSILON * real_sqrt(solve_contacts_size(w, w->scratch.solve.best));
    const int rounding = real_finite(p->measure) && p->least <= blur;
    if (p->idle >= PLAN_IDLE && rounding) { p->converged = 1; }
    if (!plan_leave_direct(w, rounding)) { return; }
    solve_leave_direct(w);
}

// Newton's method on bodies takes over from sweeps: from their last iterate, which has this residual, unless one that
// was measured is better.
static void solve_turn(tac_work *w, real now)
{
    tac_progress *p = &w->progress;
    p->measure = now;
    if (!p->measured) { p->least = REAL_LARGEST; }
    best_keep(w);
    solve_from_best(w);
}

// Do velocities contain the rounding of many sweeps? Over paths each sweep makes them anew.
static inline int solve_sums(const tac_work *w)
{
    return PROGRAM_JOINTS(w) == 0 && w->progress.sweeps >= SWEEP_RENEW;
}

// After many sweeps that a step is solved is said of the velocities that belong to its impulses. Residuals before may
// have been too small.
static void solve_confirm(tac_work *w)
{
    tac_progress *p = &w->progress;
    sweep_renew(w);
    p->measure = solve_natural(w);
    p->converged = solve_solves(w, p->measure, SOLVE_BLURRED);
    p->least = REAL_LARGEST;
    best_keep(w);
}

// One Gauss-Seidel sweep. Its measure is how far it moves; once that is as little as the tolerance allows, and after
// Newton's method, the measure is the residual, which costs a visit to each contact: no worse iterate than the best so
// far is kept, and sweeps stop when the step is solved and not before.
static void solve_pass(tac_work *w, int plain, int exact)
{
    tac_progress *p = &w->progress;
    const real moved =
        PROGRAM_JOINTS(w) > 0 ? sweep_pass(SWEEP_PATHS, w, plain, exact) : sweep_pass(SWEEP_BODIES, w, plain, exact);
    if (solve_sums(w) && p->sweeps % SWEEP_RENEW == 0) { sweep_renew(w); }
    p->measure = p->measured ? solve_natural(w) : moved;
    best_keep(w);
    if (!p->measured && moved <= w->program.tolerance * p->start + p->rounding) {
        p->measured = 1;
        p->measure = solve_natural(w);
        p->least = REAL_LARGEST;
        best_keep(w);
    }
    p->converged = p->measured ? solve_solves(w, p->measure, SOLVE_BLURRED) : 0;
    if (p->converged && solve_sums(w)) { solve_confirm(w); }
}

// Every PLAN_LOOK sweeps, where AUTO decides: are they slow?
static void solve_look(tac_work *w)
{
    const tac_progress *p = &w->progress;
    if (!plan_chooses(w) || p->converged || p->sweeps % PLAN_LOOK != 0) { return; }
    const real now = p->measured ? p->measure : solve_natural(w);
    if (solve_is_slow(w, now) && plan_turn(w)) { solve_turn(w, now); }
}

static inline int solve_stale(const tac_work *w)
{
    return PROGRAM_JOINTS(w) > 0 && w->progress.joints_stale;
}

// The exact law is not the minimum of a function, so its iterates may not converge: if after half of the sweeps none is
// better than zero impulses, the rest of the sweeps solves the relaxed law. If the joint impulses are still stale,
// nothing has been measured yet: they are recomputed now.
static int solve_wanders(tac_work *w)
{
    tac_progress *p = &w->progress;
    if (solve_stale(w) && !(p->least < REAL_LARGEST) && !solve_follow(w, SOLVE_SUMMED)) { return 0; }
    return p->least > p->start && !p->converged;
}

static void solve_sweep(tac_work *w)
{
    tac_progress *p = &w->progress;
    const int exact = solve_exact(w), method = plan_method(w), joints = PROGRAM_JOINTS(w) > 0;
    p->sweeps++;
    w->report.stage[w->report.stages - 1].sweeps++;
    if (joints && method == PLAN_NEWTON_ROWS) {
        solve_newton_trees(w, exact);
    } else if (joints && method == PLAN_ROWS) {
        solve_reduced(w, exact);
    } else if (method == PLAN_NEWTON_BODIES) {
        solve_direct(w, exact);
    } else {
        solve_pass(w, method == PLAN_PLAIN, exact);
        solve_look(w);
    }
    if (exact && p->sweeps == w->program.max_sweeps / 2 && solve_wanders(w)) {
        plan_relax(w);
        solve_from_best(w);
    }
}

static uint8_t solve_mode(const tac_work *w, const tac_block *k)
{
    const vec3 g = v3_of(&w->scratch.solve.g[k->first]);
    if (!(g.x > R(0.0))) { return TAC_OPEN; }
    const real limit = k->mu * g.x * (R(1.0) - R(8.0) * REAL_EPSILON);
    if (has_torsion(k)) { return rows6_tangent(torsion_impulse(w, k)) < limit ? TAC_STICK : TAC_SLIDE; }
    return g.y * g.y + g.z * g.z < limit * limit ? TAC_STICK : TAC_SLIDE;
}

// What has become of the impulses since the solver has ended with them: nothing; others of contacts and efforts, to
// which those of joints belong; all scaled, so that joints may be violated too.
enum { SOLVE_KEPT, SOLVE_CHANGED, SOLVE_SCALED };

// The residual of all rows, those of joints that trees have eliminated included.
static real solve_natural_scaled(tac_work *w)
{
    joints_make_rows(w);
    return real_sqrt(solve_natural_all(w, solve_exact(w)).map);
}

// The verdict on the final impulses, whatever engine has made them: do they satisfy the law in force to the tolerance
// or to rounding; and, if the exact law was given up, do they satisfy it all the same? Returns their residual. Sweeps
// over trees have measured it already, against no more than is allowed here, unless settle() has changed the impulses
// since.
static real solve_judge(tac_work *w, int settled)
{
    tac_progress *p = &w->progress;
    if (PROGRAM_JOINTS(w) > 0 && p->converged && !settled && !plan_relaxed(w)) { return p->measure; }
    const real enough = solve_enough(w, SOLVE_BLURRED);
    if (settled) { solve_measure_rows(w); }
    real residual = PROGRAM_JOINTS(w) > 0 && !settled ? p->measure : solve_natural(w);
    if (settled == SOLVE_SCALED) {
        residual = solve_natural_scaled(w);
    } else if (plan_relaxed(w)) {
        const real exact = real_sqrt(solve_natural_of(w, 1).map);
        if (exact <= real_max(residual, enough)) {
            residual = exact;
            plan_accept_exact(w);
        }
    }
    p->converged = residual <= enough && columns_kept(w);
    return residual;
}

// The movement of a sweep says little about an iterate before the momentum has grown: the first sweeps from
// warm-started impulses move least. If no later sweep has moved less, the residuals of the best and the last iterate
// decide.
static void solve_take_better(tac_work *w)
{
    tac_progress *p = &w->progress;
    if (PROGRAM_JOINTS(w) > 0 || p->measured || plan_method(w) == PLAN_NEWTON_BODIES) {
        best_restore(w);
        return;
    }
    const real last = solve_natural(w);
    iterate_copy(w, w->scratch.solve.last, w->scratch.solve.g);
    best_restore(w);
    if (solve_natural(w) <= last) { return; }
    iterate_copy(w, w->scratch.solve.best, w->scratch.solve.last);
    best_restore(w);
}

// An unsolved step that has been left no sweep takes one here: without it new contacts, which have no warm-started
// impulse, would have none, and bodies would fall through them. The first steps of Newton's method on the matrix do not
// take its place while they leave more than PLAN_COARSE. The report does not count a sweep over bodies, so the same
// calls make it again.
static void solve_least(tac_work *w)
{
    const tac_progress *p = &w->progress;
    const int newton = plan_method(w) == PLAN_NEWTON_BODIES;
    const int near = p->sweeps > 0 && (!newton || p->least <= PLAN_COARSE * p->start);
    if (p->converged || near) { return; }
    if (PROGRAM_JOINTS(w) > 0) {
        solve_sweep(w);
        return;
    }
    if (newton) {
        plan_sweep(w);
        solve_leave_direct(w);
    }
    solve_pass(w, plan_method(w) == PLAN_PLAIN, solve_exact(w));
}

// Ends with the best iterate.
static void solve_finish(tac_work *w)
{
    tac_progress *p = &w->progress;
    solve_least(w);
    for (int i = 0; i < 2 && solve_stale(w); i++) { (void)solve_follow(w, SOLVE_BLURRED); }
    if (p->least < p->measure) {
        solve_take_better(w);
        if (PROGRAM_JOINTS(w) > 0) { trees_finish(w, 0); }
        solve_measure_rows(w);
        solve_keep(w);
    }
    if (solve_sums(w)) { delta_v_make(w, w->delta_v); }
}

#endif
