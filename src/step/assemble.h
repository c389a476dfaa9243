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
// Errors of so many roundings are left alone. In double precision that is far below what anyone measures, and saves a
// turn or two.
#define ASSEMBLE_SLACK (TAC_REAL_BITS == 32 ? R(1.0) : R(512.0))
#define ASSEMBLE_TURNS (TAC_JOINT_TURNS / 2)
#define ASSEMBLE_IMPULSES (TAC_JOINT_TURNS / 2)
#define ASSEMBLE_SWEEPS (TAC_JOINT_TURNS / 2)
#define ASSEMBLE_LEAST 3
#define ASSEMBLE_SLOW R(0.1)  // a turn that leaves more than so much of the error asks for a new Jacobian
#define ASSEMBLE_BENT R(32.0) // roundings of the motion that an arc must be worth to begin with it
#define ASSEMBLE_STILL R(8.0) // and those at which it ends
#define ASSEMBLE_IDLE R(0.5)  // impulses that leave more than so much of it are taken back

#if TAC_MAX_JOINTS > 0

// May the joints take another turn?
static int assemble_more(const tac_model *m, const tac_work *w)
{
    return w->report.joint_turns < m->options.max_joint_turns;
}

// Where a body will be at the end of the step.
static void assemble_pose(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i)
{
    tac_twist t = s->twist[i];
    tac_carry c = {s->carry[i].p, s->carry[i].v, s->carry[i].w};
    reals_copy(&JOINT_END(w)[i], &s->pose[i], sizeof s->pose[i]);
    if (i > 0) { move_commit(m->h, &w->gain[i], &w->shift[i], &JOINT_END(w)[i], &t, &c); }
}

// How a body moves in this step: its centre of mass, and the rotation about that, in the world.
static void assemble_motion(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i)
{
    const tac_twist *t = &s->twist[i], *gain = &w->gain[i], *shift = &w->shift[i];
    const tac_carry *c = &s->carry[i];
    const quat q = s->pose[i].q;
    const quat e = quat_exp(v3_scale(m->h, v3_add(v3_add(t->w, v3_add(gain->w, c->w)), shift->w)));
    const vec3 turn = quat_rotate(q, v3(e.x, e.y, e.z));
    JOINT_END(w)[i].p = v3_scale(m->h, v3_add(v3_add(t->v, v3_add(gain->v, c->v)), shift->v));
    JOINT_END(w)[i].q = (quat){e.w, turn.x, turn.y, turn.z};
}

// Where a joint's bodies are at the start of the step, and what their motion in it makes of that.
static void assemble_moved(const tac_state *s, const tac_work *w, const tac_joint *j, const tac_joint_block *k,
                           joint_place *p, joint_change *c)
{
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    const tac_pose *motion[2] = {&JOINT_END(w)[j->body_a], &JOINT_END(w)[j->body_b]};
    joint_find(k->frame, pose[0], pose[1], p);
    joint_change_of(k->frame, p, pose, motion, c);
}

// What that makes of joint_violation(), m.
static real assemble_change(const tac_joint *j, const tac_joint_block *k, const joint_place *p, const joint_change *c,
                            int row)
{
    return row == JOINT_LAST && k->coordinate ? k->scale * joint_change_coordinate(j, p, c)
                                              : joint_change_error(j, p, c, row, k->length);
}

// What it adds to the errors of joint i, m; 0 in other rows. Returns whether they then are such as are left alone;
// where turns must be counted it does not tell.
static int assemble_strays_coupled(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i, real *error)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    real q = R(0.0);
    for (int part = 0; part < 2; part++) {
        const uint16_t index = coupling_part(&JOINT_OF(m)[i], part);
        const tac_joint *x = &JOINT_OF(m)[index];
        joint_place p;
        joint_change c;
        assemble_moved(s, w, x, &JOINT_LINK(w)[index], &p, &c);
        q += coupling_factor(&JOINT_OF(m)[i], part) * joint_change_coordinate(x, &p, &c);
    }
    if (joint_holds(k, JOINT_LAST)) { error[JOINT_LAST] = k->scale * q - k->aim; }
    return 0;
}

static int assemble_strays_own(const tac_state *s, tac_work *w, const tac_joint *j, const tac_joint_block *k,
                               real *error)
{
    joint_place p;
    joint_change c;
    real worst = R(0.0);
    assemble_moved(s, w, j, k, &p, &c);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!joint_holds(k, row)) { continue; }
        const real change = assemble_change(j, k, &p, &c, row);
        worst = real_max(worst, real_abs(joint_violation(j, k, &p, row) + change));
        error[row] = change - (row == JOINT_LAST ? k->aim : R(0.0));
    }
    w->report.joint_error = real_max(w->report.joint_error, worst);
    return worst <= ASSEMBLE_SLACK * joint_rounding(&s->pose[j->body_a], &s->pose[j->body_b], k);
}

// Where a coupling will be. Returns its coordinate.
static real assemble_coupled(const tac_model *m, const tac_work *w, uint32_t i, coupling_place *c)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    coupling_begin(k, c);
    for (int part = 0; part < 2; part++) {
        const uint16_t *body = &k->body[2 * part];
        coupling_add(m, &JOINT_OF(m)[i], k, w, part, &JOINT_END(w)[body[0]], &JOINT_END(w)[body[1]], c);
    }
    return c->q + JOINT_TURN * c->turns;
}

// Errors of the constraints of joint i there, m; 0 in other rows. Returns what is left alone.
static real assemble_errors_coupled(const tac_model *m, const tac_work *w, uint32_t i, real *error)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    coupling_place c;
    const real q = assemble_coupled(m, w, i, &c);
    if (joint_holds(k, JOINT_LAST)) { error[JOINT_LAST] = k->scale * (q - k->goal); }
    return ASSEMBLE_SLACK * c.slack;
}

static real assemble_errors_own(const tac_work *w, const tac_joint *j, const tac_joint_block *k, real *error)
{
    const tac_pose *a = &JOINT_END(w)[j->body_a], *b = &JOINT_END(w)[j->body_b];
    joint_place p;
    joint_find(k->frame, a, b, &p);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (joint_holds(k, row)) { error[row] = joint_violation(j, k, &p, row); }
    }
    return ASSEMBLE_SLACK * joint_rounding(a, b, k);
}

static real assemble_largest(const real *error)
{
    real worst = R(0.0);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { worst = real_max(worst, real_abs(error[row])); }
    return worst;
}

// Returns the worst, unless it is left alone; the report has it in any case.
static real assemble_errors(const tac_model *m, tac_work *w, uint32_t i, real *error)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    reals_clear(error, TAC_JOINT_ROWS * sizeof *error);
    const real slack = j->kind == TAC_COUPLING ? assemble_errors_coupled(m, w, i, error)
                                               : assemble_errors_own(w, j, &JOINT_LINK(w)[i], error);
    const real worst = assemble_largest(error);
    w->report.joint_error = real_max(w->report.joint_error, worst);
    return worst <= slack ? R(0.0) : worst;
}

// Worst error of all joints; step[] has error/h of each where the joint's node is.
static real assemble_worst(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *lack = w->scratch.solve.step;
    const real rate = R(1.0) / m->h;
    real worst = R(0.0);
    reals_clear(lack, m->bodies * sizeof *lack);
    w->report.joint_error = R(0.0);
    for (uint16_t i = 0; i < m->bodies; i++) { assemble_pose(m, s, w, i); }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        real *error = (real *)&lack[joint_node(m, i)];
        worst = real_max(worst, assemble_errors(m, w, i, error));
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { error[row] *= rate; }
    }
    return worst;
}

// Worst of what the motion of this step adds to the errors, in roundings of the motion; step[] as above.
static real assemble_strays(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *lack = w->scratch.solve.step;
    const real rate = R(1.0) / m->h;
    real worst = R(0.0);
    reals_clear(lack, (m->bodies + JOINT_COUNT(m)) * sizeof *lack);
    w->report.joint_error = R(0.0);
    w->progress.together = 1;
    for (uint16_t i = 0; i < m->bodies; i++) { assemble_motion(m, s, w, i); }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real *error = (real *)&lack[joint_node(m, i)];
        const int together = JOINT_OF(m)[i].kind == TAC_COUPLING ? assemble_strays_coupled(m, s, w, i, error)
                                                                 : assemble_strays_own(s, w, &JOINT_OF(m)[i], k, error);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { error[row] *= rate; }
        if (k->speed > R(0.0)) { worst = real_max(worst, assemble_largest(error) / (REAL_EPSILON * k->speed)); }
        w->progress.together &= (uint8_t)together;
    }
    return worst;
}

// The factor with the bodies at these poses: of the trees, or of the matrix.
static void assemble_factor(const tac_model *m, tac_work *w, const tac_pose *pose)
{
    if (w->progress.trees) {
        articulated_factor(m, w, pose);
        return;
    }
    matrix_factor_joints(m, w);
}

static void assemble_solve(const tac_model *m, tac_work *w)
{
    w->report.joint_turns++;
    if (w->progress.trees) {
        articulated_solve(m, w, w->scratch.solve.step);
        return;
    }
    matrix_solve(w);
}

// Is a factor of this step at hand? One of bodies and joints alone is made where there is none, where it does not know
// of a limit that presses, or where the contacts' share is gone since sweeps have ended the step.
static int assemble_factored(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_progress *p = &w->progress;
    int stale = p->hold;
    if (!p->trees) {
        const int swept = p->solver != TAC_SOLVER_DIRECT;
        if (swept && p->factored == R(0.0)) { return 0; }
        stale |= swept || p->factored == R(0.0);
    }
    if (stale) { assemble_factor(m, w, s->pose); }
    p->hold = 0;
    return 1;
}

// Jacobians and factor at the end of the step.
static void assemble_afresh(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        joint_place p;
        if (j->kind == TAC_COUPLING) {
            coupling_jacobian(j, w, k);
            continue;
        }
        const tac_pose *pose[2] = {&JOINT_END(w)[j->body_a], &JOINT_END(w)[j->body_b]};
        joint_find(k->frame, pose[0], pose[1], &p);
        joint_jacobian(j, &p, pose, w->moving, k);
    }
    assemble_factor(m, w, JOINT_END(w));
}

// shift += the solution for the errors in `step`; the shift before is kept in `previous`.
static void assemble_shift(const tac_model *m, tac_work *w)
{
    const tac_twist *step = w->scratch.solve.step;
    assemble_solve(m, w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        w->previous[i] = w->shift[i];
        w->shift[i].v = v3_add(w->shift[i].v, step[i].v);
        w->shift[i].w = v3_add(w->shift[i].w, step[i].w);
    }
}

// What impulses of the joints make of velocities, sign times the solution for the errors, in the joints' step[]: those
// of this arc only, no start for the next step. Boxes that give way along their coordinate, such as a motor that holds
// a speed, do so again.
static void assemble_push(const tac_model *m, const tac_state *s, tac_work *w, real sign)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            const int acts = k->constraints >> row & 1 || (row == JOINT_LAST && joint_slope(k) > R(0.0));
            impulse[row] = acts ? sign * k->step[row] : R(0.0);
        }
        joint_apply(&JOINT_OF(m)[i], k, impulse, w->moving, w->gain);
    }
    move_turn(m, s, w);
}

// The solution for the errors becomes the joints' step[].
static void assemble_impulse(const tac_model *m, tac_work *w)
{
    assemble_solve(m, w);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const real *change = (const real *)&w->scratch.solve.step[joint_node(m, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { JOINT_LINK(w)[i].step[row] = change[row]; }
    }
}

// What the motion of this step has pulled apart is taken back by impulses: the step then ends on the constraints with
// the velocities that took it there (the SHAKE method), energy and momentum are kept. That is for what is small and
// more than rounding; what was apart before the step never becomes a velocity.
static void assemble_impulses(const tac_model *m, const tac_state *s, tac_work *w)
{
    real worst = assemble_strays(m, s, w);
    for (int turn = 0; turn < ASSEMBLE_IMPULSES && assemble_more(m, w); turn++) {
        if (!(worst > (turn ? ASSEMBLE_STILL : ASSEMBLE_BENT))) { return; }
        const real last = worst;
        assemble_impulse(m, w);
        assemble_push(m, s, w, R(1.0));
        worst = assemble_strays(m, s, w);
        if (worst > ASSEMBLE_IDLE * last) {
            assemble_push(m, s, w, R(-1.0));
            w->progress.together = 0;
            return;
        }
    }
}

// A turn that makes it worse is taken back, and tried again from a new Jacobian.
static void assemble_newton(const tac_model *m, const tac_state *s, tac_work *w)
{
    real worst = assemble_worst(m, s, w), last = REAL_LARGEST;
    for (int turn = 0; turn < ASSEMBLE_TURNS && worst > R(0.0) && assemble_more(m, w); turn++) {
        if (turn > 0 && worst > ASSEMBLE_SLOW * last) { assemble_afresh(m, w); }
        assemble_shift(m, w);
        last = worst;
        worst = assemble_worst(m, s, w);
        if (!(worst < last)) {
            reals_copy(w->shift, w->previous, m->bodies * sizeof *w->shift);
            worst = assemble_worst(m, s, w);
        }
    }
}

#if TAC_MAX_FILL > 0

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
    tac_twist *step = w->scratch.solve.step;
    for (int turn = 0; turn < ASSEMBLE_LEAST; turn++) {
        reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            const tac_joint *j = &JOINT_OF(m)[i];
            tac_joint_block *k = &JOINT_LINK(w)[i];
            real *g = &w->scratch.solve.g[k->first];
            for (int row = 0; row < TAC_JOINT_ROWS; row++) {
                if (!joint_holds(k, row)) { continue; }
                if (turn == 0) {
                    k->step[row] = g[row];
                    g[row] = R(0.0);
                }
                assemble_force(j, k, row, w->moving, step);
            }
        }
        matrix_solve(w);
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            tac_joint_block *k = &JOINT_LINK(w)[i];
            for (int row = 0; row < TAC_JOINT_ROWS; row++) {
                if (!joint_holds(k, row)) { continue; }
                const real l = -joint_rate(&JOINT_OF(m)[i], k, step, row) / joint_compliance(k, row);
                w->scratch.solve.g[k->first + (uint32_t)row] += l;
                k->step[row] -= l;
            }
        }
    }
}

#else

static void assemble_least(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

#endif

// One joint by itself: impulses of the rows that it holds, those of a joint that moves nothing left out.
//      J M^-1 J' x = -error/h
static void assemble_joint(const tac_model *m, const tac_joint *j, const tac_joint_block *k, const tac_work *w,
                           const real *error, real *x)
{
    real matrix[21], least[TAC_JOINT_ROWS], *to = matrix;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const int holds = joint_holds(k, row) && k->w[row] > R(0.0);
        for (int column = 0; column <= row; column++, to++) {
            const int both = holds && joint_holds(k, column) && j->kind != TAC_COUPLING;
            *to = both ? joint_weight(&k->row[row], &k->row[column], &w->moving[j->body_a], &w->moving[j->body_b])
                       : R(0.0);
        }
        if (!holds || j->kind == TAC_COUPLING) { to[-1] = holds ? k->w[row] : R(1.0); }
        least[row] = REAL_EPSILON * to[-1];
        x[row] = holds ? -error[row] / m->h : R(0.0);
    }
    six_factor(matrix, least);
    six_forward(matrix, x);
    six_backward(matrix, x);
}

// Each joint by itself.
static void assemble_sweeps(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (uint16_t i = 0; i < m->bodies; i++) { assemble_pose(m, s, w, i); }
    for (int sweep = 0; sweep <= ASSEMBLE_SWEEPS; sweep++) {
        const int turns = sweep < ASSEMBLE_SWEEPS && assemble_more(m, w);
        real worst = R(0.0);
        w->report.joint_error = R(0.0);
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            const tac_joint *j = &JOINT_OF(m)[i];
            const tac_joint_block *k = &JOINT_LINK(w)[i];
            uint16_t body[4];
            real error[TAC_JOINT_ROWS], impulse[TAC_JOINT_ROWS];
            const real off = assemble_errors(m, w, i, error);
            worst = real_max(worst, off);
            if (off > R(0.0) && turns) {
                assemble_joint(m, j, k, w, error, impulse);
                joint_apply(j, k, impulse, w->moving, w->shift);
            }
            const int ends = joint_bodies(j, k, body);
            for (int e = 0; e < ends; e++) { assemble_pose(m, s, w, body[e]); }
        }
        if (worst == R(0.0)) { break; }
        if (!turns) { break; }
        w->report.joint_turns++;
    }
}

// A limit that presses holds its coordinate: where the step ends is on it. The matrix must know that row.
static void assemble_hold(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_box *x = &k->box[TAC_BOX_LIMIT];
        if (!x->used || !x->hard || w->scratch.solve.g[k->first + TAC_JOINT_ROWS + TAC_BOX_LIMIT] == R(0.0)) {
            continue;
        }
        k->constraints |= 1 << JOINT_LAST;
        k->target = 1;
        k->aim = m->h * (k->bias[JOINT_LAST] - x->bias);
        w->progress.hold |= !x->inside;
    }
}

// Whole turns that the joints of couplings have made in this step.
static void assemble_turns(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        coupling_place c;
        if (JOINT_OF(m)[i].kind != TAC_COUPLING) { continue; }
        assemble_coupled(m, w, i, &c);
        JOINT_LINK(w)[i].turns = c.turns;
    }
}

// Have contacts shifted anything since assemble_arc()?
static int assemble_shifted(const tac_work *w)
{
    const tac_block *k = w->scratch.solve.block;
    int shifted = w->report.impacts > 0;
    for (uint16_t i = 0; i < w->report.contacts; i++, k++) { shifted |= k->push != R(0.0); }
    return shifted;
}

// A limit that is passed is met again by shifts, not farther in a step than normals mean something.
static void assemble_limits(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_box *x = &k->box[TAC_BOX_LIMIT];
        if (!x->used || !x->hard || !k->target) { continue; }
        const real limit = x->lo == R(0.0) ? j->lower : j->upper, most = UNTANGLE_TURN * k->length / k->scale;
        if (k->goal != limit) { w->progress.together = 0; }
        k->goal = real_clamp(limit, k->goal - most, k->goal + most);
    }
}

// What is left after the arc, by shifts of the poses.
static void assemble_together(const tac_model *m, const tac_state *s, tac_work *w)
{
    assemble_limits(m, w);
    if (w->progress.together && !assemble_shifted(w)) { return; }
    if (assemble_factored(m, s, w)) {
        assemble_newton(m, s, w);
    } else {
        assemble_sweeps(m, s, w);
    }
}

// Impulses of joints as they are shown and kept: the least of those that do the same. After the solve.
static void assemble_settle(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (m->joints > 0 && w->progress.loops && assemble_factored(m, s, w)) { assemble_least(m, w); }
}

// The arc of the motion, before anything else shifts poses: contacts that are pushed apart, or a bounce that acts from
// the impact on, pull at joints too, and that is no velocity.
static void assemble_arc(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (m->joints == 0 || m->options.stabilise) { return; }
    w->progress.together = 0;
    assemble_hold(m, w);
    if (joints_apart(m, w) || !assemble_factored(m, s, w)) { return; }
    assemble_impulses(m, s, w);
}

static void assemble(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (m->joints == 0) { return; }
    if (m->options.stabilise) {
        assemble_worst(m, s, w);
    } else {
        assemble_together(m, s, w);
    }
    assemble_turns(m, w);
}

#else

static void assemble_settle(const tac_model *m, const tac_state *s, tac_work *w)
{
    (void)m, (void)s, (void)w;
}

static void assemble_arc(const tac_model *m, const tac_state *s, tac_work *w)
{
    (void)m, (void)s, (void)w;
}

static void assemble(const tac_model *m, const tac_state *s, tac_work *w)
{
    (void)m, (void)s, (void)w;
}

#endif

#endif
