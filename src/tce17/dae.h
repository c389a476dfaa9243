// SPDX-License-Identifier: MIT
// dae.h - one step of the smooth multibody integrators of TCE17, sections 9 and 10: joints and forces, no contacts.
//   given   model, state, input; a method and its parameters; accelerations of the last step
//   makes   the next state, joints, report; accelerations for the next step
//   bound   max_iterations + 1 evaluations, each with a solution of the saddle-point problem; DAE_PROJECTIONS more
//   never   touches the state before the result is known to be finite and within the bounds of joints and motors
#ifndef TCE17_DAE_H
#define TCE17_DAE_H

#include "minres.h"
#include "dae_forces.h"

#if TAC_DAE

#define DAE_PROJECTIONS 8   // most projections of poses in a step
#define DAE_ACCELERATIONS 4 // solutions for the accelerations at a start: the proximal term of joints leaves a rest
#define DAE_TOLERANCE (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-10)) // of a residual, where none is given
#define DAE_ROUNDING R(16.0) // of roundings that a residual may consist of

// ------------------------------------------------------------------------------------------------------------- methods

static dae_rule dae_newmark(real beta, real gamma, real am, real af)
{
    return (dae_rule){R(0.5) - beta, beta, R(1.0) - gamma, gamma, am, af, DAE_END, 0, 0};
}

// The coefficients of a method.
static dae_rule dae_rule_of(const tac_dae *d)
{
    const real alpha = d->alpha, rho = d->rho_inf;
    const real am = (R(2.0) * rho - R(1.0)) / (R(1.0) + rho), af = rho / (R(1.0) + rho); // (193), (194)
    const real gamma = R(0.5) + af - am;                                                 // (196)
    switch (d->method) {
    case TAC_DAE_EULER:
        return (dae_rule){R(0.0), R(1.0), R(0.0), R(1.0), R(0.0), R(0.0), DAE_END, 0, 0};
    case TAC_DAE_EULER_LINEARISED:
        return (dae_rule){R(0.0), R(1.0), R(0.0), R(1.0), R(0.0), R(0.0), DAE_LINE, 1, 0};
    case TAC_DAE_EULER_PROJECTED:
        return (dae_rule){R(0.0), R(1.0), R(0.0), R(1.0), R(0.0), R(0.0), DAE_LINE, 0, 0};
    case TAC_DAE_NEWMARK:
        return dae_newmark(d->beta, d->gamma, R(0.0), R(0.0));
    case TAC_DAE_HHT: // (183)
        return dae_newmark(R(0.25) * (R(1.0) - alpha) * (R(1.0) - alpha), R(0.5) - alpha, R(0.0), -alpha);
    case TAC_DAE_GENERALISED_ALPHA: // (195)
        return dae_newmark(R(0.25) * (gamma + R(0.5)) * (gamma + R(0.5)), gamma, am, af);
    case TAC_DAE_TRAPEZOIDAL_LINEARISED:
        return (dae_rule){R(0.25), R(0.25), R(0.5), R(0.5), R(0.0), R(0.0), DAE_END, 0, 1};
    default: // trapezoidal: Newmark's of constant mean acceleration
        return dae_newmark(R(0.25), R(0.5), R(0.0), R(0.0));
    }
}

static int dae_is_linear(const tac_dae *d)
{
    return d->method == TAC_DAE_EULER_LINEARISED || d->method == TAC_DAE_EULER_PROJECTED ||
           d->method == TAC_DAE_TRAPEZOIDAL_LINEARISED;
}

// ------------------------------------------------------------------------------------------------------------- begin

// The coordinate of a joint; that of a coupling with its revolutions.
static real dae_start(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    joint_place p;
    if (j->kind == TAC_COUPLING) { return coupling_at(m, j, w, k, s->pose).q; }
    joint_find(j->kind, k->frame, &s->pose[j->body_a], &s->pose[j->body_b], &p);
    return joint_has_coordinate(j->kind) ? joint_coordinate(j, &p) : R(0.0);
}

// A joint of this step: nothing that acts along its coordinate has a bound, and a motor that asks for a velocity or a
// position prescribes it. The multipliers begin with those of the last step; MINRES begins without any, since it then
// finds those of least norm where constraints are redundant.
static void dae_begin_joint(const tac_model *m, const tac_state *s, const tac_input *input, uint32_t i, tac_work *w,
                            tac_dae *d)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    tac_joint_block *k = &JOINT_LINK(w)[i];
    tac_solve_scratch *solve = &w->scratch.solve;
    d->start[i] = dae_start(m, s, w, i);
    for (int x = 0; x < TAC_EFFORTS; x++) { k->interval[x].used = k->interval[x].inside = 0; }
    if (k->motor != TAC_NONE && !k->target) {
        const effort_law e = effort_motor(m, j, &JOINT_MOTOR(input)[k->motor], REAL_LARGEST, d->start[i], R(0.0));
        if (effort_prescribes(&e)) { joint_prescribe(j, &e, k, m->h); }
    }
    for (uint32_t row = 0; row < TAC_JOINT_ROWS && d->solver == TAC_DAE_SPARSE; row++) {
        if (joint_holds(k, (int)row)) { solve->g[k->first + row] = solve->best[k->first + row]; }
    }
}

// Bodies and joints at the start of the step, and the graph of the matrix. Returns 0 if TAC_MAX_FILL has no room for
// it.
static int dae_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, tac_dae *d)
{
    move_free(m, s, input, w);
    begin_program(m, w);
    iterate_clear(w, w->scratch.solve.g);
    iterate_clear(w, w->scratch.solve.best);
    joints_make(m, s, input, 0, w);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { dae_begin_joint(m, s, input, i, w, d); }
    d->products = 0;
    if (d->solver != TAC_DAE_SPARSE || saddle_order(w, &d->saddle)) { return 1; }
    check_note(TAC_REASON_FULL, TAC_FIELD_JOINT, (uint16_t)JOINT_COUNT(m), &w->report.fault);
    return 0;
}

// ------------------------------------------------------------------------------------------------------------- solve

// The saddle-point problem (202) for the right side in `step`.
static void dae_solve(tac_work *w, tac_dae *d)
{
    if (d->solver == TAC_DAE_MINRES) {
        d->products += minres_solve(w, d->vector, &SOLUTION(w)->step);
    } else {
        saddle_factor(w, &d->saddle);
        sparse_solve(&d->saddle, SOLUTION(w)->step.flat);
    }
}

#define DAE_LEAST 3 // iterations

// Loops with redundant constraints have many impulses l with the same J'l, and rounding of the solver would accumulate
// in the difference. Of all these
//      minimise l'C l  where  J'l = J'l0:       | A  -J' | | y |   | -J'l0 |
//                                               | -J  -C | | l | = |   0   |
// with the factor at hand: exact for A = 0; the part that A takes is corrected in the next iteration.
static void dae_least_norm(const tac_model *m, tac_work *w, tac_dae *d)
{
    tac_twist *step = SOLUTION(w)->step.twist;
    for (int iteration = 0; iteration < DAE_LEAST; iteration++) {
        reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            const tac_joint_block *k = &JOINT_LINK(w)[i];
            real *g = &w->scratch.solve.g[k->first];
            for (int row = 0; row < TAC_JOINT_ROWS; row++) {
                if (!joint_holds(k, row)) { continue; }
                if (iteration == 0) {
                    JOINT_CHANGE(w)[i][row] = g[row];
                    g[row] = R(0.0);
                }
                joint_take(k, row, JOINT_CHANGE(w)[i][row], w->moving, step);
            }
        }
        sparse_solve(&d->saddle, SOLUTION(w)->step.flat);
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            const tac_joint_block *k = &JOINT_LINK(w)[i];
            for (int row = 0; row < TAC_JOINT_ROWS; row++) {
                if (!joint_holds(k, row)) { continue; }
                const real l = -joint_rate(k, step, row) / joint_compliance(k, row);
                w->scratch.solve.g[k->first + (uint32_t)row] += l;
                JOINT_CHANGE(w)[i][row] -= l;
            }
        }
    }
}

// Adds the solution to accelerations and multipliers. Returns the largest change of an acceleration.
static real dae_advance(const tac_model *m, const dae_rule *r, tac_work *w, tac_dae *d)
{
    const tac_sixes *step = &SOLUTION(w)->step;
    const real part = m->h / dae_kappa(r);
    real most = R(0.0);
    for (uint16_t i = 0; i < m->bodies; i++) {
        d->next_a[i] = dae_combine(R(1.0), &d->next_a[i], R(1.0), &step->twist[i]);
        most = real_max(most, dae_size(&w->moving[i], &step->twist[i]));
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (uint32_t row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!joint_holds(k, (int)row)) { continue; }
            w->scratch.solve.g[k->first + row] += part * step->x[joint_node(w, i)][row];
        }
    }
    return most;
}

// Where multipliers act once in a step, the accelerations that are kept are without them, and without rotors.
static void dae_strip(const tac_model *m, tac_work *w, tac_dae *d)
{
    tac_sixes *step = &SOLUTION(w)->step;
    reals_clear(step->twist, m->bodies * sizeof *step->twist);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            const real held = joint_holds(k, row) ? w->scratch.solve.g[k->first + (uint32_t)row] / m->h : R(0.0);
            const real rotor = row == JOINT_LAST && k->coordinate ? d->rotor[i] / k->scale : R(0.0);
            if (held != rotor) { joint_take(k, row, rotor - held, w->moving, step->twist); }
        }
    }
    for (uint16_t i = 0; i < m->bodies; i++) {
        const tac_moving *b = &w->moving[i];
        const tac_twist x = {v3_scale(b->inv_mass, step->twist[i].v), v3_mul(b->inv_inertia, step->twist[i].w)};
        d->next_a[i] = d->next_x[i] = dae_combine(R(1.0), &d->next_x[i], R(-1.0), &x);
    }
}

// What is shown of them is the mean of the step: half of what has acted at its end.
static void dae_halve(const tac_model *m, tac_work *w, const tac_dae *d)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real *g = &w->scratch.solve.g[k->first];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { g[row] *= joint_holds(k, row) ? R(0.5) : R(1.0); }
        if (k->coordinate) { g[TAC_JOINT_ROWS + TAC_EFFORT_PASSIVE] += R(0.5) * m->h * d->rotor[i] / k->scale; }
    }
}

// The accelerations and multipliers of a state from which no step has come: those of its forces.
static void dae_accelerate(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w,
                           const dae_rule *r, tac_dae *d)
{
    static const dae_rule rest = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), DAE_REST, 0, 0};
    const size_t size = m->bodies * sizeof *d->a;
    reals_clear(d->a, size);
    reals_clear(d->x, size);
    reals_clear(d->next_a, size);
    for (int i = 0; i < DAE_ACCELERATIONS; i++) {
        dae_measure found;
        dae_evaluate(m, s, input, &rest, w, d, &found);
        dae_solve(w, d);
        (void)dae_advance(m, &rest, w, d);
    }
    reals_copy(d->next_x, d->next_a, size);
    if (r->once) { dae_strip(m, w, d); }
    reals_copy(d->a, d->next_a, size);
    reals_copy(d->x, d->next_x, size);
}

// Newton's method. It begins with the accelerations of the last step; linear equations with none. It ends where the
// residual is within the tolerance, or where the last iteration has changed accelerations by no more than that: against
// a stiff spring the residual is rounding of the displacement times h^2 k/m.
static void dae_newton(const tac_model *m, const tac_state *s, const tac_input *input, const dae_rule *r, tac_work *w,
                       tac_dae *d)
{
    const uint32_t most = dae_is_linear(d) ? 1 : d->max_iterations;
    const real tolerance = d->tolerance == TAC_AUTO ? DAE_TOLERANCE : d->tolerance;
    real last = REAL_LARGEST;
    dae_measure found;
    if (r->at == DAE_LINE) {
        reals_clear(d->next_a, m->bodies * sizeof *d->a);
    } else {
        reals_copy(d->next_a, d->a, m->bodies * sizeof *d->a);
    }
    for (d->iterations = 0;; d->iterations++) {
        dae_evaluate(m, s, input, r, w, d, &found);
        const real close = real_max(tolerance * found.scale, DAE_ROUNDING * found.rounding);
        d->residual = found.residual > R(0.0) ? found.residual / real_max(found.scale, found.residual) : R(0.0);
        d->converged = last <= close || found.residual <= close;
        if (d->converged || d->iterations == most) { return; }
        dae_solve(w, d);
        last = dae_advance(m, r, w, d);
    }
}

// --------------------------------------------------------------------------------------------------------------- end

// Poses are moved onto the constraints, by the least motion in the metric of the masses, where their errors are more
// than rounding: those from before the step, and those of the projected method. Velocities do not change.
static void dae_project(const tac_model *m, const tac_state *s, tac_work *w, tac_dae *d)
{
    for (int i = 0; correct_largest_error(m, s, w) > R(0.0) && i < DAE_PROJECTIONS; i++) {
        const tac_twist *step = SOLUTION(w)->step.twist;
        correct_jacobians(m, w, JOINT_END(w));
        dae_solve(w, d);
        for (uint16_t b = 1; b < m->bodies; b++) {
            tac_twist *p = &w->pseudo_velocity[b];
            *p = dae_combine(R(1.0), p, R(1.0), &step[b]);
        }
    }
}

// Does the step end on the constraints, but for rounding? Far from a solution the projection does not find them.
static int dae_closed(const tac_model *m, const tac_work *w)
{
    const tac_pose *end = JOINT_END(w);
    real rounding = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING) { continue; }
        rounding = real_max(rounding, joint_rounding(&end[j->body_a], &end[j->body_b], &JOINT_LINK(w)[i]));
    }
    return w->report.joint_error <= JOINT_VIOLATION_SLACK * rounding;
}

// Is everything that has a bound within it? If not the fault says what: a coordinate that would pass a rigid limit, a
// motor that would exceed its effort or its speed.
static int dae_within(const tac_model *m, const tac_input *input, tac_work *w, const tac_dae *d)
{
    tac_fault *fault = &w->report.fault;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first], q = d->start[i] + d->change[i];
        const real slack = JOINT_VIOLATION_SLACK * REAL_EPSILON * (real_abs(d->start[i]) + real_abs(d->change[i]));
        if (!k->coordinate) { continue; }
        if (j->lower < j->upper && !(j->stop_stiffness > R(0.0))) {
            check_note(check_that(!(q < j->lower - slack || q > j->upper + slack)), TAC_FIELD_JOINT_LIMIT, i, fault);
        }
        if (k->motor == TAC_NONE || (k->target && !k->driven)) { continue; }
        const tac_motor *a = &JOINT_MOTOR(input)[k->motor];
        const real impulse = g[TAC_JOINT_ROWS + TAC_EFFORT_MOTOR] + (k->target ? g[JOINT_LAST] : R(0.0));
        const real effort = real_abs(impulse) * k->scale / m->h, rate = joint_rate(k, w->phase.velocity, JOINT_LAST);
        const int fast = a->kind <= TAC_MOTOR_PD && real_abs(rate) > j->speed * k->scale;
        check_note(check_that(!(effort > j->effort || fast)), TAC_FIELD_MOTOR, k->motor, fault);
    }
    return fault->reason == TAC_REASON_NONE;
}

// The next state. Returns 0 if it is refused, with a fault in the report.
static int dae_end(const tac_model *m, tac_state *s, const dae_rule *r, tac_work *w, tac_dae *d)
{
    const size_t size = m->bodies * sizeof *d->a;
    int closed = 1;
    if (d->method == TAC_DAE_EULER_LINEARISED) {
        correct_measure(m, s, w);
    } else {
        dae_project(m, s, w, d);
        correct_revolutions(m, w);
        closed = dae_closed(m, w);
    }
    if (d->solver == TAC_DAE_SPARSE && d->iterations > 0 && articulated_groups(w, 1)) { dae_least_norm(m, w, d); }
    if (r->once) {
        dae_strip(m, w, d);
        dae_halve(m, w, d);
    }
    d->error = w->report.joint_error;
    w->progress.scale = R(1.0);
    d->converged &= (uint8_t)closed;
    w->progress.converged = d->converged || (closed && dae_is_linear(d));
    const int finite = results(m, w, d->residual) & results_reactions(m, w);
    if (!commit_good(m, s, w, finite) || !reals_finite(d->next_a, size)) { return 0; }
    commit(m, s, w);
    for (uint16_t i = 0; i < m->bodies; i++) { quat_axes(s->pose[i].q, JOINT_TREE(w)[i].axis); }
    (void)results_reactions(m, w); // couplings: in the frames of the end of the step, as their rows are
    reals_copy(d->a, d->next_a, size);
    reals_copy(d->x, d->next_x, size);
    return 1;
}

#endif

#endif
