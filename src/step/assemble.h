// SPDX-License-Identifier: MIT
// assemble.h - joints that a step has pulled apart are put together: a bounded projection of positions after the solve.
//   given   joints, velocities at the end of the step, shifts so far
//   makes   the end of the step on the constraints: by impulses, by shifts of the poses; the worst error that is left
//   bound   ASSEMBLE_IMPULSES and ASSEMBLE_TURNS solutions, a factor each at most; without one ASSEMBLE_SWEEPS
//   never   makes a velocity of what was apart before the step (NST17's first open point: its stabilisation term does)
#ifndef STEP_ASSEMBLE_H
#define STEP_ASSEMBLE_H

#include "project.h"

// The rows know that a joint moves on an arc (joint_bend); what is left is of third order in h. With J that of the
// start of the step, or, where that is too far away, of the end of it,
//      minimise |shift|^2  where  J shift = -error/h
// in the metric of the factored matrix if there is one: bodies in contact give way last.
#define ASSEMBLE_TURNS 8
#define ASSEMBLE_IMPULSES 8
#define ASSEMBLE_SWEEPS 8
#define ASSEMBLE_LEAST 3
#define ASSEMBLE_SLOW R(0.1) // a turn that leaves more than so much of the error asks for a new Jacobian
#define ASSEMBLE_IDLE R(0.5) // impulses that leave more than so much of it are taken back

// Where a body will be at the end of the step.
static void assemble_pose(const tac_model *m, const tac_state *s, const tac_work *w, uint16_t i, tac_pose *q)
{
    tac_twist t = s->twist[i];
    tac_carry c = {s->carry[i].p, s->carry[i].v, s->carry[i].w};
    bytes_copy(q, &s->pose[i], sizeof *q);
    if (i > 0) { move_commit(m->h, &w->gain[i], &w->shift[i], q, &t, &c); }
}

// Where a coupling will be. Returns its coordinate.
static real assemble_coupled(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i, coupling_place *c)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    coupling_begin(k, c);
    for (int part = 0; part < 2; part++) {
        tac_pose a, b;
        assemble_pose(m, s, w, k->body[2 * part], &a);
        assemble_pose(m, s, w, k->body[2 * part + 1], &b);
        coupling_add(m, &JOINT_OF(m)[i], k, w, part, &a, &b, c);
    }
    return c->q + JOINT_TURN * c->turns;
}

static real assemble_error_coupled(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i, real *error)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    coupling_place c;
    reals_clear(error, TAC_JOINT_ROWS * sizeof *error);
    if (!joint_holds(k, JOINT_LAST)) { return R(0.0); }
    error[JOINT_LAST] = k->scale * (assemble_coupled(m, s, w, i, &c) - k->goal);
    const real worst = real_abs(error[JOINT_LAST]);
    return worst <= c.slack ? R(0.0) : worst;
}

// Errors of the constraints of joint i there, m; 0 in other rows. Returns the worst, unless rounding alone can make it.
static real assemble_errors(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i, real *error)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    tac_pose a, b;
    joint_place p;
    real worst = R(0.0);
    if (j->kind == TAC_COUPLING) { return assemble_error_coupled(m, s, w, i, error); }
    assemble_pose(m, s, w, j->body_a, &a);
    assemble_pose(m, s, w, j->body_b, &b);
    joint_find(m, j, &a, &b, &p);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        error[row] = joint_holds(k, row) ? joint_violation(j, k, &p, row) : R(0.0);
        worst = real_max(worst, real_abs(error[row]));
    }
    return worst <= joint_rounding(&a, &b, k) ? R(0.0) : worst;
}

// Worst error of all joints; with `lack`, error/h of each where the joint's node is.
static real assemble_worst(const tac_model *m, const tac_state *s, const tac_work *w, tac_twist *lack)
{
    const real rate = R(1.0) / m->h;
    real worst = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        real error[TAC_JOINT_ROWS];
        worst = real_max(worst, assemble_errors(m, s, w, i, error));
        for (int row = 0; lack != NULL && row < TAC_JOINT_ROWS; row++) {
            ((real *)&lack[m->bodies + i])[row] = rate * error[row];
        }
    }
    return worst;
}

#if TAC_MAX_FILL > 0

// Jacobians and factor at the end of the step.
static void assemble_afresh(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_pose a, b;
        const tac_pose *pose[2] = {&a, &b};
        joint_place p;
        if (j->kind == TAC_COUPLING) {
            coupling_jacobian(j, w, &JOINT_LINK(w)[i]);
            continue;
        }
        assemble_pose(m, s, w, j->body_a, &a);
        assemble_pose(m, s, w, j->body_b, &b);
        joint_find(m, j, &a, &b, &p);
        joint_jacobian(j, &p, pose, w->moving, &JOINT_LINK(w)[i]);
    }
    matrix_factor_joints(m, w);
}

// shift += the solution for the errors in `step`; the shift before is kept in `previous`.
static void assemble_shift(const tac_model *m, tac_work *w, tac_twist *step)
{
    sparse_solve(matrix_of(w), (real *)step);
    for (uint16_t i = 1; i < m->bodies; i++) {
        w->previous[i] = w->shift[i];
        w->shift[i].v = v3_add(w->shift[i].v, step[i].v);
        w->shift[i].w = v3_add(w->shift[i].w, step[i].w);
    }
}

// What impulses of the joints make of velocities, sign times the solution for the errors: those of this arc only, no
// start for the next step. Boxes that give way along their coordinate, such as a motor that holds a speed, do so again.
static void assemble_push(const tac_model *m, const tac_state *s, tac_work *w, real sign)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *change = (const real *)&w->scratch.direct.step[m->bodies + i];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (joint_compliance(k, row) == R(0.0)) { continue; }
            joint_apply_row(&JOINT_OF(m)[i], k, row, sign * change[row], w->moving, w->gain);
        }
    }
    move_turn(m, s, w);
}

// Was any joint violated when the step began?
static int assemble_apart(const tac_model *m, const tac_work *w)
{
    int apart = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { apart |= JOINT_LINK(w)[i].apart; }
    return apart;
}

// What the motion of this step has pulled apart is taken back by impulses: the step then ends on the constraints with
// the velocities that took it there (the SHAKE method), energy and momentum are kept. That is for what is small and
// more than rounding; what was apart before the step never becomes a velocity.
static void assemble_impulses(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *step = w->scratch.direct.step;
    for (int turn = 0; turn < ASSEMBLE_IMPULSES; turn++) {
        reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
        const real worst = assemble_worst(m, s, w, step);
        if (worst == R(0.0)) { return; }
        sparse_solve(matrix_of(w), (real *)step);
        assemble_push(m, s, w, R(1.0));
        if (assemble_worst(m, s, w, NULL) > ASSEMBLE_IDLE * worst) {
            assemble_push(m, s, w, R(-1.0));
            return;
        }
    }
}

// Returns the worst error that is left. A turn that makes it worse is taken back, and tried again from a new Jacobian.
static real assemble_newton(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *step = w->scratch.direct.step;
    real last = REAL_LARGEST;
    for (int turn = 0; turn < ASSEMBLE_TURNS; turn++) {
        reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
        real worst = assemble_worst(m, s, w, step);
        const int worse = turn > 0 && !(worst < last);
        if (worse) {
            bytes_copy(w->shift, w->previous, m->bodies * sizeof *w->shift);
            worst = assemble_worst(m, s, w, step);
        }
        if (worst == R(0.0)) { return worst; }
        if (turn > 0 && worst > ASSEMBLE_SLOW * last) { assemble_afresh(m, s, w); }
        assemble_shift(m, w, step);
        last = worst;
    }
    const real worst = assemble_worst(m, s, w, NULL);
    if (worst < last) { return worst; }
    bytes_copy(w->shift, w->previous, m->bodies * sizeof *w->shift);
    return last;
}

// forces -= J'l of one row; what is not dynamic stays at rest.
static void assemble_force(const tac_joint *j, const tac_joint_block *k, int row, const tac_moving *moving,
                           tac_twist *force)
{
    uint16_t body[4];
    const int ends = joint_bodies(j, k, body);
    const real l = k->step[row];
    for (int e = 0; e < ends; e++) {
        const tac_row *r = &k->row[row - e / 2];
        tac_twist *f = &force[body[e]];
        if (!(moving[body[e]].inv_mass > R(0.0))) { continue; }
        f->v = v3_madd(f->v, e % 2 ? -l : l, r->linear);
        f->w = v3_madd(f->w, -l, r->angular[e % 2]);
    }
}

// Where loops have more constraints than they need many impulses l make the same J'l, and what the solver adds to them
// in vain by its rounding stays. Of all these
//      minimise l'C l  where  J'l = J'l0:       | A  -J' | | y |   | -J'l0 |
//                                               | -J  -C | | l | = |   0   |
// with the factor at hand, exactly for A = 0; what A takes off is asked for again.
static void assemble_least(const tac_model *m, tac_work *w)
{
    tac_twist *step = w->scratch.direct.step;
    for (int turn = 0; turn < ASSEMBLE_LEAST; turn++) {
        reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            const tac_joint *j = &JOINT_OF(m)[i];
            tac_joint_block *k = &JOINT_LINK(w)[i];
            for (int row = 0; row < TAC_JOINT_ROWS; row++) {
                if (!joint_holds(k, row)) { continue; }
                if (turn == 0) {
                    k->step[row] = k->impulse[row];
                    k->impulse[row] = R(0.0);
                }
                assemble_force(j, k, row, w->moving, step);
            }
        }
        sparse_solve(matrix_of(w), (real *)step);
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            tac_joint_block *k = &JOINT_LINK(w)[i];
            for (int row = 0; row < TAC_JOINT_ROWS; row++) {
                if (!joint_holds(k, row)) { continue; }
                const real l = -joint_rate(&JOINT_OF(m)[i], k, step, row) / joint_compliance(k, row);
                k->impulse[row] += l;
                k->step[row] -= l;
            }
        }
    }
}

#endif

// Each joint by itself, row by row. Returns the worst error that is left.
static real assemble_sweeps(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (int sweep = 0; sweep < ASSEMBLE_SWEEPS && assemble_worst(m, s, w, NULL) > R(0.0); sweep++) {
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            const tac_joint_block *k = &JOINT_LINK(w)[i];
            real error[TAC_JOINT_ROWS];
            if (assemble_errors(m, s, w, i, error) == R(0.0)) { continue; }
            for (int row = 0; row < TAC_JOINT_ROWS; row++) {
                if (!joint_holds(k, row)) { continue; }
                joint_apply_row(&JOINT_OF(m)[i], k, row, -error[row] / (m->h * k->w[row]), w->moving, w->shift);
            }
        }
    }
    return assemble_worst(m, s, w, NULL);
}

// A limit that presses holds its coordinate: where the step ends is on it. The matrix must know that row.
static void assemble_hold(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_box *x = &k->box[TAC_BOX_LIMIT];
        if (!x->used || !x->hard || x->impulse == R(0.0) || k->target) { continue; }
        k->constraints |= 1 << JOINT_LAST;
        k->target = 1;
        k->goal = x->impulse > R(0.0) ? j->lower : j->upper;
        w->progress.hold |= !x->inside;
    }
}

// Whole turns that the joints of couplings have made in this step.
static void assemble_turns(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        coupling_place c;
        if (JOINT_OF(m)[i].kind != TAC_COUPLING) { continue; }
        assemble_coupled(m, s, w, i, &c);
        JOINT_LINK(w)[i].turns = c.turns;
    }
}

// Impulses of joints as they are shown and kept: the least of those that do the same. After the solve.
static void assemble_settle(const tac_model *m, tac_work *w)
{
#if TAC_MAX_FILL > 0
    if (JOINT_COUNT(m) > 0 && w->progress.loops && solve_factored(m, w)) { assemble_least(m, w); }
#else
    (void)m, (void)w;
#endif
}

// The arc of the motion, before anything else shifts poses: contacts that are pushed apart, or a bounce that acts from
// the impact on, pull at joints too, and that is no velocity.
static void assemble_arc(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (JOINT_COUNT(m) == 0 || m->options.stabilise) { return; }
    assemble_hold(m, w);
#if TAC_MAX_FILL > 0
    if (solve_factored(m, w) && !assemble_apart(m, w)) { assemble_impulses(m, s, w); }
#else
    (void)s;
#endif
}

// What is left then, by shifts of the poses. Returns the worst error.
static real assemble_together(const tac_model *m, const tac_state *s, tac_work *w)
{
#if TAC_MAX_FILL > 0
    if (solve_factored(m, w)) { return assemble_newton(m, s, w); }
#endif
    return assemble_sweeps(m, s, w);
}

static void assemble(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (JOINT_COUNT(m) == 0) { return; }
    joints_error(w, m->options.stabilise ? assemble_worst(m, s, w, NULL) : assemble_together(m, s, w));
    assemble_turns(m, s, w);
}

#endif
