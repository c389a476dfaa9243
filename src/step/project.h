// SPDX-License-Identifier: MIT
// project.h - position projection: overlaps are removed by pseudo-velocities, not by velocities, as far as joints
// allow.
//   given   contacts, blocks, joints, velocities at the end of the step, pseudo-velocities so far
//   makes   pseudo-velocities: no overlap grows, and a part of it is removed; where a step was not solved, of contacts
//           that bear a force a part of a gap of either sign; with joints only along their free motions, within limits
//   bound   PROJECT_SWEEPS (direct solver: _DIRECT, W of trees: _TREES) passes over the contacts, one where nothing
//           overlaps; with the direct solver, where an overlap counts, PROJECT_OUTER * PROJECT_INNER factors before
//           these
//   never   changes a velocity, as the stabilisation term of NST17 does: that turns the noise of a stack into motion
#ifndef STEP_PROJECT_H
#define STEP_PROJECT_H

#include "../rows/joints.h"
#include "impact.h"
#include "tree_motion.h"

// Passes: a quarter of the solver's sweeps, within these bounds. With few sweeps a brick remains tilted, and more
// passes would make it drift.
#define PROJECT_SWEEPS 8 // most passes of the projection of overlaps
#define PROJECT_LEAST 2  // fewest passes

// With the direct solver only the residual gaps of the projection disturb a stack: in float, where few are beyond
// rounding, it iterates down to rounding; in double they are too small to matter. Passes on W of
// trees cost little.
#define PROJECT_SWEEPS_DIRECT (TAC_REAL_BITS == 32 ? 32 : 8) // most passes with the direct solver
#define PROJECT_SWEEPS_TREES 32                              // most passes on W of trees
#define PROJECT_TURN R(0.05) // rad, most that this rotates a body with joints: the normals are constant within the step
#define PROJECT_SOFT R(1e-3) // of W without joints: compliance of a multiplier on W of trees
#define PROJECT_REACH R(1.0) // of the deepest overlap, most that this moves a body with joints in a step
#define PROJECT_IDLE R(0.25) // of the rounding of an overlap: with joints nothing moves if none has to by more

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
    return may && warm_closes(m) && w->scratch.solve.g[k->first] > R(0.0) && k->soft == R(0.0);
}

// Does a contact that rolls and bears a force move with the mean velocity of its body?
static int project_rolls(const tac_work *w, const tac_block *k)
{
    if (k->rolls < ROLLS_MIDDLE || !(w->scratch.solve.g[k->first] > R(0.0))) { return 0; }
    PHASE_HOLDS(w, phase, TAC_PHASE_MOVES);
    return !((w->phase.moves[k->body[0]] | w->phase.moves[k->body[1]]) & MOVE_STRAIGHT);
}

// An overlap is an error of positions, which has no mass. Without joints deep overlaps are removed as if no body had less
// than a part of the mass of the heaviest one. With their own masses light bodies between heavy ones would have to be
// squeezed before these move, and would leave sideways, since normals are askew by 1e-4.
#define PROJECT_LIGHT R(0.03) // of the largest mass: the least mass that the projection counts with,
#define PROJECT_DEEP R(256.0) // roundings: where an overlap is deeper than this

// That mass; 0 where no overlap is deep.
static real project_least(const tac_model *m, const tac_work *w)
{
    real most = R(0.0);
    for (uint16_t i = 1; i < m->bodies && w->progress.deep; i++) {
        if (m->body[i].kind == TAC_DYNAMIC) { most = real_max(most, m->body[i].mass); }
    }
    return PROJECT_LIGHT * most;
}

// Bodies lighter than `bound` count with at least the mass `least` from here on (0: with their own again), and W of the
// contacts is made anew. Does nothing where no body is lighter.
static void project_weigh(const tac_model *m, tac_work *w, real least, real bound)
{
    int lighter = 0;
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (m->body[i].kind != TAC_DYNAMIC || !(m->body[i].mass < bound)) { continue; }
        move_weigh(&m->body[i], least, &w->moving[i]);
        lighter = 1;
    }
    if (!lighter) { return; }
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        rows_weigh(w, k);
        k->w.xx += k->soft;
    }
    if (TAC_MAX_FILL > 0 && plan_method(w) == PLAN_NEWTON_BODIES) { matrix_masses(w, matrix_of(w)); }
}

// The overlap of each contact at the end of the step, with the velocities of the solve; mean velocities keep it.
static void project_predict(const tac_model *m, tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    phase_take_blocks(w, TAC_BLOCKS_PROJECT);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        k->own.project.overlap = project_rolls(w, k) ? -c->gap : rows_overlap(m, w, c, k);
        if (k->soft > R(0.0)) { k->own.project.overlap = R(0.0); } // it is a load, and no error
    }
}

// The least pseudo-velocity along n that each contact requires, and its least multiplier. An open gap may be closed by
// it (or must be: see above); an overlap is to be reduced by its part; one within rounding is left as it is.
static void project_need(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    w->progress.deep = 0;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real overlap = k->own.project.overlap, rounding = rows_rounding(m, c, s);
        if (JOINT_COUNT(m) == 0 && overlap > PROJECT_DEEP * rounding) { w->progress.deep = 1; }
        const int closes = project_closes(m, w, k), open = overlap <= R(0.0) && !closes;
        const real part = open ? R(1.0) : real_abs(overlap) <= rounding ? R(0.0) : m->options.projection;
        const real mean = project_rolls(w, k) ? rows_rate(k, w->pseudo_velocity, 0) : R(0.0);
        k->own.project.need = k->soft > R(0.0) ? -REAL_LARGEST : mean + part * overlap / m->h;
        k->own.project.least = closes && k->own.project.need < mean ? -REAL_LARGEST : R(0.0);
        k->own.project.rounding = rounding;
    }
}

// The unmet need of each contact, in `residual`. Returns the largest.
static real project_unmet(tac_work *w)
{
    real most = R(0.0);
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        k->own.project.residual = k->own.project.need - rows_rate(k, w->pseudo_velocity, 0);
        most = real_max(most, k->own.project.residual);
    }
    return most;
}

// ---------------------------------------------------------------------------------------------------- joints and
// limits

// With joints multipliers act through W = D'A^-1 D of the trees, where A contains the joints, so J times the
// pseudo-velocity does not change. Hard limits are rows too, active at either bound. A compliance keeps the multipliers
// bounded where joints nearly block a normal:
//      0 <= push  perp  W push + soft push - residual >= 0,     soft = PROJECT_SOFT W without joints
// moves bodies by at most 1/(2 sqrt(PROJECT_SOFT)) times the displacement of free bodies.

// A coordinate with hard limits: an active limit admits no pseudo-velocity beyond it.
static int project_limited(const tac_model *m, tac_work *w, uint32_t i)
{
    const tac_interval *x = &JOINT_LINK(w)[i].interval[TAC_EFFORT_LIMIT];
    return i < JOINT_COUNT(m) && x->used && x->hard && trees_of(w)->row[i] != TAC_NONE;
}

static void project_limit(const tac_model *m, const tac_work *w, const tac_joint *j, tac_joint_block *k)
{
    const tac_interval *x = &k->interval[TAC_EFFORT_LIMIT];
    const int low = x->lo == R(0.0);
    const real u = joint_rate(k, w->delta_v, JOINT_LAST) + x->bias, width = k->scale * (j->upper - j->lower) / m->h;
    const real near = real_max(low ? u : -u, R(0.0)), far = real_max(width - near, R(0.0));
    k->least = k->target ? R(0.0) : -(low ? near : far);
    k->most = k->target ? R(0.0) : (low ? far : near);
    k->push = R(0.0);
}

// What the motion of this step adds to an overlap, m: its change by the velocities of the solve, and at most h^2 w v
// where the normal turns with one body while the other one slides along it.
static real project_added(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c,
                          const tac_block *k)
{
    const vec3 u = rows_moving(k, w->delta_v);
    const real slip = v3_norm(v3(R(0.0), u.y, u.z)), before = real_max(-c->gap, R(0.0));
    real turn = R(0.0);
    for (int side = 0; side < 2; side++) {
        turn += v3_norm(v3_add(s->twist[k->body[side]].w, w->delta_v[k->body[side]].w));
    }
    return real_max(k->own.project.overlap - before, R(0.0)) + m->h * m->h * turn * slip;
}

// Links of one mechanism may overlap by their construction. To push them apart turns joints against motors, springs and
// weight, which would give back what nobody has supplied, again and again. So there an overlap stays, and only what
// this step adds is removed.
static void project_spare(const tac_model *m, const tac_state *s, tac_work *w)
{
    const tac_tree_body *body = trees_of(w)->tree_body;
    tac_block *k = w->scratch.solve.block;
    articulated_groups(w, 0);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (body[c->body_a].mark != body[c->body_b].mark || !(k->own.project.need > R(0.0))) { continue; }
        k->own.project.need = real_min(k->own.project.need, project_added(m, s, w, c, k) / m->h);
    }
}

// Has any contact of a world with joints to move by more than noise?
static int project_asks(const tac_model *m, tac_work *w)
{
    int asks = 0;
    (void)project_unmet(w);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        asks |= m->h * k->own.project.residual > PROJECT_IDLE * k->own.project.rounding;
    }
    return asks;
}

// The compliance of a contact.
static void project_soften(const tac_work *w, const tac_contact *c, tac_block *k)
{
    sym3 alone;
    reals_clear(&alone, sizeof alone);
    for (int side = c->body_a == 0; side < 2; side++) {
        rows_add_inertia(&w->moving[side ? c->body_b : c->body_a], k->j[side], FRICTION_ACROSS(k), &alone);
    }
    k->own.project.soft = PROJECT_SOFT * alone.xx;
}

// Joints come first: near a stretched loop a motion that satisfies the constraints to first order violates them to
// second. While a constraint is violated no overlap is removed.
static int project_waits(const tac_model *m, const tac_work *w)
{
    return JOINT_TREES(w)->closed && joints_violated(m, w);
}

// The rows of W that each contact has, where multipliers act through W; 0 if it has no room. last[] becomes W push
// minus what the contacts need.
static uint32_t project_rows(const tac_model *m, tac_work *w)
{
    const uint32_t each = trees_formed(w) ? 3 : 1;
    if (each == 1 && !trees_normals(w)) { return 0; }
    real *rate = trees_of(w)->last;
    reals_clear(rate, trees_of(w)->rows * sizeof *rate);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *j = &JOINT_LINK(w)[i];
        if (project_limited(m, w, i)) { project_limit(m, w, &JOINT_OF(m)[i], j); }
    }
    for (uint32_t i = 0; i < w->report.contacts; i++, rate += each) {
        tac_block *k = &w->scratch.solve.block[i];
        project_soften(w, &w->contact[i], k);
        *rate = -k->own.project.residual;
    }
    return each;
}

// -------------------------------------------------------------------------------------------------------------- passes

// The limits of coordinates.
static void project_sweep_limits(const tac_model *m, tac_work *w)
{
    tac_trees *r = trees_of(w);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t row = r->row[i];
        tac_joint_block *j = &JOINT_LINK(w)[i];
        if (!project_limited(m, w, i)) { continue; }
        const real weight = r->w[columns_at(row, row)] + REDUCED_LEAST * j->w[JOINT_LAST];
        const real free = r->last[row] - weight * j->push;
        const real change = (real_clamp(free, j->least, j->most) - free) / weight - j->push;
        j->push += change;
        trees_change(r, row, change, r->last);
    }
}

// Projected Gauss-Seidel over the normals, s the pseudo-velocity along n:  0 <= push  perp  s - need >= 0,  or s =
// need; on W of trees with their compliance. Returns 1 if any multiplier has changed, on W and with the direct solver
// by more than rounding.
static int project_sweep(const tac_model *m, tac_work *w, uint32_t each)
{
    const int exact = each > 0 || project_direct(m, w);
    uint32_t row = 0;
    int moved = 0;
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += each) {
        const real soft = each > 0 ? k->own.project.soft : R(0.0);
        const real weight = each > 0 ? trees_of(w)->w[columns_at(row, row)] + soft : k->w.xx;
        const real unmet =
            each > 0 ? -trees_of(w)->last[row] : k->own.project.need - rows_rate(k, w->pseudo_velocity, 0);
        const real residual = unmet - soft * k->push;
        const real next = real_max(k->push + residual / weight, k->own.project.least), change = next - k->push;
        if (change == R(0.0)) { continue; }
        moved |= !exact || m->h * weight * real_abs(change) > k->own.project.rounding;
        k->push = next;
        if (each > 0) {
            trees_change(trees_of(w), row, change, trees_of(w)->last);
        } else {
            rows_push(k, change, w->moving, w->pseudo_velocity);
        }
    }
    if (each > 0) { project_sweep_limits(m, w); }
    return moved;
}

// Gauss-Seidel would need too many passes to lift a tonne off nine cubes. With the direct solver the projection is
// therefore first solved approximately for all bodies at once, as velocities are (direct.h (1), normals alone):
//      outer   push+ = max(push + (need - n's)/R, 0),  R = eps d
//      inner   s minimises 1/2 |s|^2_M + sum R/2 (max(push + (need - n's)/R, 0))^2
// by Newton's method on the matrix of the active contacts. Gauss-Seidel then starts from there. Overlaps below
// PROJECT_SEEN |p| are ignored: gaps of one face that no rigid motion closes are of that size, and their noise would
// disturb the solver.
#define PROJECT_SEEN R(1e-3)                                  // of |p|: smaller overlaps are ignored
#define PROJECT_EPS R(1e-3)                                   // of d: the proximal term R
#define PROJECT_OUTER 2                                       // steps of the proximal method
#define PROJECT_INNER 6                                       // Newton steps in each of them

static void project_begin_newton(tac_work *w)
{
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        k->own.project.weight = R(1.0) / (PROJECT_EPS * cone_weight(&k->w));
        k->own.project.pushes = 0;
    }
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
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
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
    tac_twist *s = SOLUTION(w)->step.twist;
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
    sparse_solve(matrix, SOLUTION(w)->step.flat);
}

// The initial guess: multipliers of all contacts and their pseudo-velocities. Not where there are joints.
static void project_solve(const tac_model *m, tac_work *w)
{
    if (TAC_MAX_FILL == 0) { return; }
    tac_twist *step = SOLUTION(w)->step.twist;
    if (plan_method(w) != PLAN_NEWTON_BODIES || !(project_unmet(w) > PROJECT_SEEN * w->progress.scale)) { return; }
    project_begin_newton(w);
    reals_clear(step, m->bodies * sizeof *step);
    for (int outer = 0; outer < PROJECT_OUTER; outer++) {
        for (int inner = 0; inner < PROJECT_INNER; inner++) {
            const int changes = project_changes(w, step);
            if (inner > 0 && changes == 0) { break; }
            if (changes > 0) { project_factor(w); }
            project_newton(m, w);
        }
        for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
            k->push = project_push(k, step);
        }
    }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        rows_push(k, k->push, w->moving, w->pseudo_velocity);
    }
}

// ----------------------------------------------------------------------------------------------------- motion of
// joints

// The deepest overlap at the end of the step.
static real project_deepest(const tac_work *w)
{
    real deepest = R(0.0);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        deepest = real_max(deepest, k->own.project.overlap);
    }
    return deepest;
}

// pseudo_velocity += step, scaled down as a whole if it would rotate or move a body too far; of trees the rates too.
static void project_move(const tac_model *m, tac_work *w, const tac_twist *step)
{
    real turn = R(0.0), way = R(0.0), part = R(1.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        turn = real_max(turn, m->h * v3_norm(step[i].w));
        way = real_max(way, m->h * v3_norm(step[i].v));
    }
    const real reach = PROJECT_REACH * project_deepest(w);
    if (turn > PROJECT_TURN) { part = PROJECT_TURN / turn; }
    if (part * way > reach) { part = reach / way; }
    if (!trees_of(w)->closed) { tree_motion_add(w, part); }
    for (uint16_t i = 1; i < m->bodies; i++) {
        twist_add(&w->pseudo_velocity[i], part, &step[i]);
    }
}

// The pseudo-velocities of all multipliers.
static void project_apply(const tac_model *m, tac_work *w)
{
    tac_twist *step = joint_factor_clear(w);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        trees_push(w, k, v3(k->push, R(0.0), R(0.0)), step);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        if (project_limited(m, w, i)) { trees_drive(w, j, j->push, step); }
    }
    joint_factor_respond(w);
    project_move(m, w, step);
}

// Without room for W the passes have changed the pseudo-velocities from `before` as if there were no
// joints. Of this change the part that joints allow is kept: the nearest one in the metric of M.
static void project_constrain(const tac_model *m, tac_work *w)
{
    tac_twist *step = joint_factor_clear(w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        tac_twist change;
        twist_madd(&w->pseudo_velocity[i], R(-1.0), &w->phase.before[i], &change);
        w->pseudo_velocity[i] = w->phase.before[i];
        if (joint_moves(w, i)) { free_momentum(&w->moving[i], &change, &step[i]); }
    }
    joint_factor_respond(w);
    project_move(m, w, step);
}

static int project_passes(const tac_model *m, const tac_work *w, int trees)
{
    if (trees) { return PROJECT_SWEEPS_TREES; }
    if (project_direct(m, w)) { return PROJECT_SWEEPS_DIRECT; }
    const int passes = m->options.max_sweeps >= 4 * PROJECT_SWEEPS ? PROJECT_SWEEPS : m->options.max_sweeps / 4;
    return passes < PROJECT_LEAST ? PROJECT_LEAST : passes;
}

static void project(const tac_model *m, const tac_state *s, tac_work *w)
{
    const int joints = JOINT_COUNT(m) > 0;
    uint32_t each = 0;
    project_need(m, s, w);
    const real least = project_least(m, w);
    if (joints) {
        if (!project_asks(m, w)) { return; }
        project_spare(m, s, w);
        if (!project_asks(m, w)) { return; }
        joint_factor_make(s, w);
        if (project_waits(m, w)) { return; }
        each = project_rows(m, w);
        phase_take(w, TAC_PHASE_BEFORE);
        reals_copy(w->phase.before, w->pseudo_velocity, m->bodies * sizeof *w->pseudo_velocity);
    }
    project_weigh(m, w, least, least);
    project_solve(m, w);
    for (int most = project_passes(m, w, each > 0); most > 0 && project_sweep(m, w, each); most--) {}
    project_weigh(m, w, R(0.0), least);
    if (each > 0) {
        project_apply(m, w);
    } else if (joints) {
        project_constrain(m, w);
    }
}

#endif
