// SPDX-License-Identifier: MIT
// correct_joints.h - joints satisfy their constraints at the end of the step: trees by their motion (tree_motion.h),
// other joints by bounded corrections after the solve.
//   given   joints, velocities of the solve, pseudo-velocities so far
//   makes   joint impulses and pseudo-velocities with which the step ends on the constraints; the worst error left
//   bound   CORRECT_IMPULSES and CORRECT_ITERATIONS solutions, a factor each at most
//   never   turns an error from before the step into a velocity (NST17's first open point: its stabilisation term does)
#ifndef STEP_CORRECT_JOINTS_H
#define STEP_CORRECT_JOINTS_H

#include "move.h"
#include "project.h"
#include "settle.h"
#include "tree_motion.h"

// The rows of a joint contain the curvature of its constraints (joint_curvature), so the error of a step is of third
// order in h. Joints that are no trees, and trees that were violated before the step or had impacts in it, are
// corrected. With J that of the start of the step, or, where that is too far away, of the end of it,
//      minimise |s|^2_M  over the change s of the pseudo-velocities  where  J s = -error/h
// by the factor of bodies and joints (joint_factor.h).
// Errors of so many roundings are not corrected. In double precision they are far below what can be measured, and
// leaving them saves an iteration or two.
#define CORRECT_SLACK (TAC_REAL_BITS == 32 ? R(1.0) : R(512.0)) // roundings: smaller errors of joints stay
#define CORRECT_TORN (JOINT_VIOLATION_SLACK / CORRECT_SLACK)    // times these, and a joint does not hold
#define CORRECT_ITERATIONS (TAC_JOINT_ITERATIONS / 2)
#define CORRECT_IMPULSES (TAC_JOINT_ITERATIONS / 2)
#define CORRECT_SLOW R(0.1)  // a new Jacobian after an iteration that leaves more of the error than this part;
#define CORRECT_WORSE R(1.5) // an iteration that makes the error so many times larger is undone
#define CORRECT_BENT R(32.0) // impulses correct an error of more roundings than this,
#define CORRECT_STILL R(8.0) // until it is below so many
#define CORRECT_IDLE R(0.5)  // impulses that leave more of the error than this part are undone
#define CORRECT_STOP R(0.25) // a change of pseudo-velocities of which less than this would be a velocity, is none
#define CORRECT_TAKEN R(0.1) // nor is one that takes less than this part of the velocity along it

// Is another iteration allowed?
static int correct_may_iterate(const tac_model *m, const tac_work *w)
{
    return w->report.joint_iterations < m->options.max_joint_iterations;
}

// The pose of a body at the end of the step.
static void correct_pose(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i)
{
    tac_twist t = s->twist[i];
    tac_compensation c = {s->compensation[i].p, s->compensation[i].v, s->compensation[i].w};
    reals_copy(&JOINT_END(w)[i], &s->pose[i], sizeof s->pose[i]);
    if (i > 0) { free_commit(m->h, &w->delta_v[i], &w->pseudo_velocity[i], 0, &JOINT_END(w)[i], &t, &c); }
}

// The configuration of a joint at the start of the step, and its change by the motion of the bodies.
static void correct_moved(const tac_state *s, const tac_work *w, const tac_joint *j, const tac_joint_block *k,
                          joint_place *p, joint_change *c)
{
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    const tac_pose *motion[2] = {&JOINT_END(w)[j->body_a], &JOINT_END(w)[j->body_b]};
    joint_find(j->kind, k->frame, pose[0], pose[1], p);
    joint_change_of(k->frame, p, pose, motion, c);
}

// The change of joint_violation() by that motion, m.
static real correct_change(const tac_joint *j, const tac_joint_block *k, const joint_place *p, const joint_change *c,
                           int row)
{
    return row == JOINT_LAST && k->coordinate ? k->scale * joint_change_coordinate(j, p, c)
                                              : joint_change_error(j, p, c, row, k->length);
}

// The errors that the motion adds to joint i, m; 0 in other rows. Returns 1 if the errors then need no correction; for
// couplings, whose revolutions must be counted first, always 0.
static int correct_added_errors_coupled(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i,
                                        real *error)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    real q = R(0.0);
    for (int part = 0; part < 2; part++) {
        const uint16_t index = coupling_part(&JOINT_OF(m)[i], part);
        const tac_joint *x = &JOINT_OF(m)[index];
        joint_place p;
        joint_change c;
        correct_moved(s, w, x, &JOINT_LINK(w)[index], &p, &c);
        q += coupling_factor(&JOINT_OF(m)[i], part) * joint_change_coordinate(x, &p, &c);
    }
    if (joint_holds(k, JOINT_LAST)) { error[JOINT_LAST] = k->scale * q - k->advance; }
    return 0;
}

static int correct_added_errors_own(const tac_state *s, tac_work *w, const tac_joint *j, const tac_joint_block *k,
                                    real *error)
{
    joint_place p;
    joint_change c;
    real worst = R(0.0);
    correct_moved(s, w, j, k, &p, &c);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!joint_holds(k, row)) { continue; }
        const real change = correct_change(j, k, &p, &c, row);
        worst = real_max(worst, real_abs(joint_violation(j, k, &p, row) + change));
        error[row] = change - (row == JOINT_LAST ? k->advance : R(0.0));
    }
    w->report.joint_error = real_max(w->report.joint_error, worst);
    return worst <= CORRECT_SLACK * joint_rounding(&s->pose[j->body_a], &s->pose[j->body_b], k);
}

// The configuration of a coupling at the end of the step. Returns its coordinate.
static real correct_coupled(const tac_model *m, const tac_work *w, uint32_t i, coupling_place *c)
{
    *c = coupling_at(m, &JOINT_OF(m)[i], w, &JOINT_LINK(w)[i], JOINT_END(w));
    return c->q;
}

// Errors of the constraints of joint i at the end of the step, m; 0 in other rows. Returns the error that needs no
// correction.
static real correct_errors_coupled(const tac_model *m, const tac_work *w, uint32_t i, real *error)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    coupling_place c;
    const real q = correct_coupled(m, w, i, &c);
    if (joint_holds(k, JOINT_LAST)) { error[JOINT_LAST] = k->scale * (q - k->setpoint); }
    return CORRECT_SLACK * c.slack;
}

static real correct_errors_own(const tac_work *w, const tac_joint *j, const tac_joint_block *k, real *error)
{
    const tac_pose *a = &JOINT_END(w)[j->body_a], *b = &JOINT_END(w)[j->body_b];
    joint_place p;
    joint_find(j->kind, k->frame, a, b, &p);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (joint_holds(k, row)) { error[row] = joint_violation(j, k, &p, row); }
    }
    return CORRECT_SLACK * joint_rounding(a, b, k);
}

static real correct_largest(const real *error)
{
    real worst = R(0.0);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { worst = real_max(worst, real_abs(error[row])); }
    return worst;
}

// Returns the worst error, or 0 if it needs no correction; the report has it in any case.
static real correct_errors(const tac_model *m, tac_work *w, uint32_t i, real *error)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    reals_clear(error, TAC_JOINT_ROWS * sizeof *error);
    const real slack = j->kind == TAC_COUPLING ? correct_errors_coupled(m, w, i, error)
                                               : correct_errors_own(w, j, &JOINT_LINK(w)[i], error);
    const real worst = correct_largest(error);
    w->report.joint_error = real_max(w->report.joint_error, worst);
    w->progress.torn |= !(worst <= CORRECT_TORN * slack);
    return worst <= slack ? R(0.0) : worst;
}

// Worst error of all joints; step receives error/h of each at the joint's node.
static real correct_largest_error(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_sixes *residual = &SOLUTION(w)->step;
    const real rate = R(1.0) / m->h;
    real worst = R(0.0);
    reals_clear(residual->twist, m->bodies * sizeof *residual->twist);
    w->report.joint_error = R(0.0);
    w->progress.torn = 0;
    for (uint16_t i = 0; i < m->bodies; i++) { correct_pose(m, s, w, i); }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        real *error = residual->x[joint_node(w, i)];
        worst = real_max(worst, correct_errors(m, w, i, error));
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { error[row] *= rate; }
    }
    return worst;
}

// Worst error that the motion of this step adds, in roundings of the motion; step as above.
static real correct_added_errors(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_sixes *residual = &SOLUTION(w)->step;
    const real rate = R(1.0) / m->h;
    real worst = R(0.0);
    (void)joint_factor_clear(w);
    w->report.joint_error = R(0.0);
    w->progress.satisfied = 1;
    for (uint16_t i = 0; i < m->bodies; i++) { tree_motion_body(m, s, w, i); }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real *error = residual->x[joint_node(w, i)];
        const int satisfied = JOINT_OF(m)[i].kind == TAC_COUPLING
                                  ? correct_added_errors_coupled(m, s, w, i, error)
                                  : correct_added_errors_own(s, w, &JOINT_OF(m)[i], k, error);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { error[row] *= rate; }
        if (k->speed > R(0.0)) { worst = real_max(worst, correct_largest(error) / (REAL_EPSILON * k->speed)); }
        w->progress.satisfied &= (uint8_t)satisfied;
    }
    return worst;
}

static void correct_solve(tac_work *w)
{
    w->report.joint_iterations++;
    joint_factor_solve(w);
}

// Jacobians with the bodies at these poses.
static void correct_jacobians(const tac_model *m, tac_work *w, const tac_pose *at)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        joint_place p;
        if (j->kind == TAC_COUPLING) {
            coupling_jacobian(j, w, k);
            continue;
        }
        const tac_pose *pose[2] = {&at[j->body_a], &at[j->body_b]};
        joint_find(j->kind, k->frame, pose[0], pose[1], &p);
        joint_jacobian(j, &p, pose, w->moving, k);
    }
}

// Jacobians and factor at the end of the step.
static void correct_recompute(const tac_model *m, tac_work *w)
{
    correct_jacobians(m, w, JOINT_END(w));
    joint_factor_at(w, JOINT_END(w));
}

// pseudo_velocity += the solution for the errors in step; its value before is kept in `before`.
static void correct_apply(const tac_model *m, tac_work *w)
{
    const tac_twist *step = SOLUTION(w)->step.twist;
    correct_solve(w);
    for (uint16_t i = 0; i < m->bodies; i++) {
        w->phase.before[i] = w->pseudo_velocity[i];
        twist_add(&w->pseudo_velocity[i], R(1.0), &step[i]);
    }
}

// Where velocities do not lead along the arcs of joints, a loop may have come to where it cannot go on, and what drives
// it would make it faster and faster. Of the last change p of the pseudo-velocities the part that takes kinetic energy,
// v + r p with the r between 0 and 1 that leaves the least, becomes a velocity, since that follows p. Its impulses act
// between joints where these end the step, and are not shown: such a step is not solved.
static void correct_stop(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *p = w->phase.before;
    PHASE_HOLDS(w, phase, TAC_PHASE_BEFORE);
    if (!w->progress.stops) { return; }
    for (uint16_t i = 0; i < m->bodies; i++) { twist_madd(&w->pseudo_velocity[i], R(-1.0), &p[i], &p[i]); }
    const real most = settle_most(m, s, w, p), part = real_min(most, R(1.0));
    if (!(part >= CORRECT_STOP) || CORRECT_TAKEN * most > R(1.0)) { return; }
    for (uint16_t i = 1; i < m->bodies; i++) {
        twist_add(&w->delta_v[i], part, &p[i]);
        twist_add(&w->pseudo_velocity[i], -part, &p[i]);
    }
    w->progress.converged = 0;
}

// Applies the joint impulses in JOINT_CHANGE, times `sign`. They belong to the arc of this step and are no warm
// start for the next one. Compliant intervals along a coordinate, such as a motor that holds a speed, yield again.
static void correct_apply_impulses(const tac_model *m, const tac_state *s, tac_work *w, real sign)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            const int acts = k->constraints >> row & 1 || (row == JOINT_LAST && joint_slope(k) > R(0.0));
            impulse[row] = acts ? sign * JOINT_CHANGE(w)[i][row] : R(0.0);
        }
        joint_apply(k, impulse, w->moving, w->delta_v);
        joint_record(k, impulse, k->arc);
    }
    move_rotate(m, s, w);
}

// The solution for the errors becomes JOINT_CHANGE.
static void correct_solve_impulses(const tac_model *m, tac_work *w)
{
    correct_solve(w);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const real *change = SOLUTION(w)->step.x[joint_node(w, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { JOINT_CHANGE(w)[i][row] = change[row]; }
    }
}

// Of joints that are no trees: impulses correct the errors that the motion of this step adds, while these become
// smaller. The step then ends on the constraints with the velocities that took it there (the SHAKE method [RCB77]), so
// energy and momentum are kept. This is done for errors that are small and above rounding; an error from before the
// step never becomes a velocity. Where a loop is nearly stretched, a small error may ask for unbounded velocities:
// correct_limit_rise() has the last word.
static void correct_arc(const tac_model *m, const tac_state *s, tac_work *w)
{
    real worst = correct_added_errors(m, s, w);
    for (int iteration = 0; iteration < CORRECT_IMPULSES && correct_may_iterate(m, w); iteration++) {
        if (!(worst > (iteration ? CORRECT_STILL : CORRECT_BENT))) { return; }
        const real last = worst;
        correct_solve_impulses(m, w);
        correct_apply_impulses(m, s, w, R(1.0));
        worst = correct_added_errors(m, s, w);
        if (worst > CORRECT_IDLE * last) {
            correct_apply_impulses(m, s, w, R(-1.0));
            w->progress.satisfied = 0;
            w->progress.stops = last > CORRECT_BENT;
            return;
        }
    }
}

// The account of energy of joints that are no trees: what it takes back, the correction of poses moves back.
static void correct_slow(const tac_model *m, const tac_state *s, tac_work *w)
{
    const real excess = settle_turns(m, s, w) ? settle_enter(m, s, w) : R(0.0);
    if (!(excess > R(0.0))) { return; }
    (void)settle_slow(m, s, w, excess, 0);
    (void)settle_enter(m, s, w);
    w->progress.satisfied = 0;
}

// Newton's method on the poses, by pseudo-velocities. An iteration that makes the error much worse is undone and tried
// again from a new Jacobian. Where a loop is nearly stretched the largest of many errors may rise a little while the
// others fall, and then falls itself. In the end the Jacobian and the frames of the start are restored: impulses have
// acted along them, and are shown along them.
static void correct_newton(const tac_model *m, const tac_state *s, tac_work *w)
{
    real worst = correct_largest_error(m, s, w), last = REAL_LARGEST;
    int recomputed = 0;
    phase_take(w, TAC_PHASE_BEFORE);
    for (int iteration = 0; iteration < CORRECT_ITERATIONS && worst > R(0.0) && correct_may_iterate(m, w);
         iteration++) {
        if (iteration > 0 && worst > CORRECT_SLOW * last) {
            correct_recompute(m, w);
            worst = correct_largest_error(m, s, w);
            recomputed = 1;
        }
        correct_apply(m, w);
        last = worst;
        worst = correct_largest_error(m, s, w);
        if (!(worst < CORRECT_WORSE * last)) {
            reals_copy(w->pseudo_velocity, w->phase.before, m->bodies * sizeof *w->pseudo_velocity);
            worst = correct_largest_error(m, s, w);
            continue;
        }
        correct_stop(m, s, w);
    }
    if (!recomputed) { return; }
    correct_jacobians(m, w, s->pose);
    articulated_frames(w, s->pose);
    articulated_place(w, s->pose);
}

// The guard of energy, behind all that changes velocities: where these have more than anything has supplied, all
// impulses of the step are scaled. The motion stays as it is.
static void correct_limit_rise(const tac_model *m, const tac_state *s, tac_work *w)
{
    const settle_sum e = settle_kinetic(m, s, w);
    if (!settle_rises(m, s, w, &e)) { return; }
    phase_take(w, TAC_PHASE_UNSCALED);
    reals_copy(w->phase.unscaled, w->delta_v, m->bodies * sizeof *w->delta_v);
    settle_scale_all(m, s, w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        tac_twist lost;
        twist_madd(&w->phase.unscaled[i], R(-1.0), &w->delta_v[i], &lost);
        twist_add(&w->pseudo_velocity[i], R(1.0), &lost);
    }
    w->progress.converged = 0;
}

// An active limit becomes a constraint of its coordinate: the step is to end on it. The matrix must contain that row.
static void correct_lock_limits(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_interval *x = &k->interval[TAC_EFFORT_LIMIT];
        if (!x->used || !x->hard || w->scratch.solve.g[k->first + TAC_JOINT_ROWS + TAC_EFFORT_LIMIT] == R(0.0)) {
            continue;
        }
        k->constraints |= 1 << JOINT_LAST;
        k->target = 1;
        k->advance = m->h * (k->bias[JOINT_LAST] - x->bias);
        w->progress.stale = 1;
    }
}

// Positions are corrected: active limits are intervals again, not constraints.
static void correct_unlock_limits(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        if (!joint_limit_holds(k)) { continue; }
        k->constraints &= (uint8_t) ~(1 << JOINT_LAST);
        k->target = 0;
    }
}

// Whole revolutions that the joints of couplings have made in this step.
static void correct_revolutions(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        coupling_place c;
        if (JOINT_OF(m)[i].kind != TAC_COUPLING) { continue; }
        correct_coupled(m, w, i, &c);
        JOINT_LINK(w)[i].of.coupling.revolutions = c.revolutions;
    }
}

// Have contacts changed any pseudo-velocity since correct_joint_velocities()?
static int correct_contacts_pushed(const tac_work *w)
{
    const tac_block *k = w->scratch.solve.block;
    int shifted = w->report.impacts > 0;
    for (uint16_t i = 0; i < w->report.contacts; i++, k++) { shifted |= k->push != R(0.0); }
    return shifted;
}

// The pose correction leads a coordinate that has passed its limit back to it, by at most PROJECT_TURN in a step,
// since contact normals are constant within the step. Returns 1 if there is one; its rate is demanded of it.
static int correct_limits(const tac_model *m, tac_work *w)
{
    int passed = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_joint *j = &JOINT_OF(m)[i];
        if (!joint_limit_holds(k)) { continue; }
        const real limit = k->interval[TAC_EFFORT_LIMIT].lo == R(0.0) ? j->lower : j->upper;
        const real most = PROJECT_TURN * k->length / k->scale, way = real_clamp(limit - k->setpoint, -most, most);
        passed |= way != R(0.0);
        k->setpoint += way;
        k->advance += k->scale * way;
        k->demanded = k->scale * way / m->h;
    }
    return passed;
}

// Of trees: their motion again where contacts or bounces have changed it, and without the errors that joints and limits
// had at the start of the step where these are more than a few roundings. What is left of errors that the user has set
// is of second order in them, and is measured.
static void correct_trees(const tac_model *m, const tac_state *s, tac_work *w, int pushed, int passed)
{
    const int closes = passed || joints_loose(m, w);
    if (!pushed && !closes) { return; }
    if (w->report.impacts > 0) { tree_motion_shift(w, w->kept.delayed); }
    if (closes) { tree_motion_close(m, w); }
    tree_motion_follow(m, s, w, closes);
    if (joints_violated(m, w)) { correct_largest_error(m, s, w); }
}

// What is left after the arc, by pseudo-velocities. Of joints that are no trees, or not alone: errors are corrected;
// contacts that bear a force stay as they are, except where links that overlap are being pushed apart.
static void correct_poses(const tac_model *m, const tac_state *s, tac_work *w)
{
    const int pushed = correct_contacts_pushed(w), passed = correct_limits(m, w);
    if (!trees_of(w)->closed) {
        correct_trees(m, s, w, pushed, passed);
        return;
    }
    if (!w->progress.satisfied || pushed || passed) {
        joint_factor_make(s, w);
        correct_newton(m, s, w);
    }
    correct_limit_rise(m, s, w);
}

// The arc of the motion comes before the other pseudo-velocities: the projection of overlaps and the delay of impacts
// move joints off their constraints too, and that must not become a velocity. If joints that are no trees were violated
// before the step, correct_poses() does all.
static void correct_joint_velocities(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (JOINT_COUNT(m) == 0 || m->options.stabilise) { return; }
    w->progress.satisfied = w->progress.stops = 0;
    settle_carry(s, w);
    correct_lock_limits(m, w);
    const int violated = joints_violated(m, w);
    const int trees = !trees_of(w)->closed;
    if (violated && !trees) { return; }
    joint_factor_make(s, w);
    if (trees) {
        tree_motion_step(m, s, w);
        w->report.joint_error = joints_error(m, w);
    } else {
        correct_arc(m, s, w);
        correct_slow(m, s, w);
    }
}

// Nothing is corrected: the errors of the joints at the end of the step, and their revolutions.
static void correct_measure(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (JOINT_COUNT(m) == 0) { return; }
    correct_largest_error(m, s, w);
    correct_revolutions(m, w);
}

static void correct_joints(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (JOINT_COUNT(m) == 0) { return; }
    if (m->options.stabilise) {
        correct_measure(m, s, w);
        return;
    }
    w->progress.torn = 0;
    correct_poses(m, s, w);
    if (w->progress.torn) { w->progress.converged = 0; }
    correct_revolutions(m, w);
    correct_unlock_limits(w);
}

#endif
