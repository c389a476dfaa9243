// SPDX-License-Identifier: MIT
// ncp.h - one step of CBAT07: geometrically implicit time stepping, a mixed nonlinear complementarity problem.
//   given   model, state, input; the result of the cone program as the first guess
//   makes   the next state, contacts and report; the residuals of (10) and (11)
//   bound   the cone program; max_iterations times unknowns^3/3 and SEMISMOOTH_HALVINGS + 2 evaluations of all contacts
//   never   touches the state before the result is known to be finite
#ifndef CBAT07_NCP_H
#define CBAT07_NCP_H

#include "ncp_joint_derivative.h"

#if TAC_MAX_NCP > 0

// Solves (10) and (11) of ncp_equations.h by Newton's method on their natural maps (semismooth.h), from the velocities
// and impulses of the cone program, with contacts as they are at the start of the step. If it does not converge the
// step of ccp.h is taken instead.

#define NCP_AIM R(0.01)  // of the tolerance
#define NCP_RISE R(0.01) // of the kinetic energy without contacts: more than curved surfaces and rounding add in a step

// --------------------------------------------------------------------------------------------------------------- solve

// What rounding of the gaps makes of the merit.
static real ncp_noise(const tac_model *m, const tac_state *s, const tac_work *w)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        const real rate = rows_rounding(m, &w->contact[i], s) / m->h;
        sum += rate * rate;
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const real rate = JOINT_LINK(w)[i].rounding / m->h;
        sum += rate * rate;
    }
    return sum;
}

static real ncp_move(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q, real t)
{
    for (uint32_t k = 0; k < q->unknowns; k++) { q->x[k] = q->from[k] + t * q->step[k]; }
    return ncp_evaluate(m, s, w, q);
}

// Newton's step, shortened until it gains. The merit has local minima, since the laws have corners: where no length
// gains the whole step is taken, and from what lies beyond it Newton's method mostly converges. Returns the merit.
static real ncp_iterate(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q, real before, real noise)
{
    ncp_derive(m, w, q);
    ncp_derive_joints(m, w, q);
    if (!semismooth_step(q->matrix, q->phi, q->step, q->unknowns)) { return before; }
    reals_copy(q->from, q->x, q->unknowns * sizeof *q->x);
    real t = R(1.0);
    for (int i = 0; i <= SEMISMOOTH_HALVINGS; i++, t *= R(0.5)) {
        const real merit = ncp_move(m, s, w, q, t);
        if (semismooth_accepts(t, before, merit, noise)) { return merit; }
    }
    return ncp_move(m, s, w, q, R(1.0));
}

// Twice the work that a contact may supply: of bodies whose motion is given, and of options.recovery on an overlap.
static real ncp_supplied(const tac_model *m, const tac_contact *k, const tac_ncp_contact *c, const tac_ncp *q)
{
    const vec3 at = end_middle(c), p = ncp_combine(c, ncp_impulse(c)), r = ncp_combine(c, ncp_torque(c));
    real work = k->gap < R(0.0) ? R(2.0) * m->options.recovery * c->p[0] : R(0.0);
    for (int side = 0; side < 2; side++) {
        const tac_ncp_body *b = &q->body[side ? k->body_b : k->body_a];
        if (b->first != TAC_NONE) { continue; }
        work += (side ? R(-2.0) : R(2.0)) * (v3_dot(p, ncp_velocity(b, at)) + v3_dot(r, ncp_spin(b)));
    }
    return work;
}

// Contacts take energy, but (11) may have more than one solution, in some of which they make it: bodies that overlap
// deeply may turn within a step to where other faces are the nearest.
static int ncp_gains(const tac_model *m, const tac_state *s, const tac_work *w, const tac_ncp *q)
{
    real before = R(0.0), after = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_ncp_body *b = &q->body[i];
        if (b->first == TAC_NONE) { continue; }
        const tac_twist free = {v3_add(s->twist[i].v, b->free.v), v3_add(s->twist[i].w, b->free.w)};
        before += free_product(w->moving[i].mass, w->moving[i].inertia, &free, &free);
        after += free_product(w->moving[i].mass, w->moving[i].inertia, &b->twist, &b->twist);
    }
    for (uint32_t i = 0; i < q->contacts; i++) { after -= ncp_supplied(m, &w->contact[i], &q->contact[i], q); }
    return after > before * (R(1.0) + NCP_RISE);
}

// What rounding has left of the impulses of open contacts goes.
static void ncp_clear_open(tac_ncp *q)
{
    for (uint32_t i = 0; i < q->contacts; i++) {
        const tac_ncp_contact *c = &q->contact[i];
        if (ncp_is_open(c)) { reals_clear(&q->x[c->first], c->rows * sizeof *q->x); }
    }
}

// Results: the solution or, if there is none, the first guess and its residuals.
static void ncp_conclude(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q)
{
    if (q->converged) {
        ncp_clear_open(q);
    } else {
        ncp_guess(m, w, q);
    }
    (void)ncp_evaluate(m, s, w, q);
    (void)ncp_residual_make(m, w, q);
}

// Until the residual is a hundredth of the tolerance, or it meets the tolerance and rounding keeps the rest. A solution
// in which contacts make energy is none; joints may supply some, so that with them nothing is said of it.
static void ncp_solve(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q)
{
    const real noise = ncp_noise(m, s, w);
    real merit = ncp_evaluate(m, s, w, q), residual = ncp_residual_make(m, w, q);
    for (q->iterations = 0; q->iterations < q->max_iterations && residual > NCP_AIM * q->tolerance; q->iterations++) {
        const real before = residual;
        merit = ncp_iterate(m, s, w, q, merit, noise);
        residual = ncp_residual_make(m, w, q);
        if (before <= q->tolerance && !(residual < before)) {
            (void)ncp_move(m, s, w, q, R(0.0));
            residual = ncp_residual_make(m, w, q);
            break;
        }
    }
    q->converged = residual <= q->tolerance && (JOINT_COUNT(m) > 0 || !ncp_gains(m, s, w, q));
    ncp_conclude(m, s, w, q);
}

// ---------------------------------------------------------------------------------------------------------------- step

// The cone program that makes the first guess, or the step where that leads nowhere, is swept: the step of this method
// does not depend on the room for Newton's method.
static void ncp_sweeps(tac_work *w)
{
    if (w->program.solver != TAC_SOLVER_PLAIN) { w->program.solver = TAC_SOLVER_ACCELERATED; }
}

// The problem and its first guess. Returns 0 if it has no room.
static int ncp_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, tac_ncp *q)
{
    ncp_free(m, s, input, w, q);
    begin(m, s, input, ARRIVALS_NCP, w);
    q->contacts = w->report.contacts;
    for (uint32_t i = 0; i < q->contacts; i++) { ncp_contact_take(m, s, w, q, i); }
    ncp_sweeps(w);
    ccp_rows(m, s, input, w);
    q->evaluations = 0;
    joints_make_rows(w);
    const uint32_t joined = ncp_number(m, w, q);
    if (q->unknowns > TAC_MAX_NCP) {
        const int contacts = joined <= TAC_MAX_NCP;
        check_note(TAC_REASON_FULL, contacts ? TAC_FIELD_CONTACT : TAC_FIELD_COUNT,
                   contacts ? q->contacts : TAC_COUNT_JOINTS, &w->report.fault);
        return 0;
    }
    for (uint32_t i = 0; i < q->contacts; i++) { ncp_contact_make(m, s, w, q, i); }
    ccp_sweep(w, m->options.max_sweeps);
    if (JOINT_COUNT(m) > 0) { solve_finish(w); } // trees tell the velocities of all bodies at the end alone
    ncp_joints_take(m, s, w, q);
    ncp_guess(m, w, q);
    return 1;
}

// A contact shows what it is at the end of the step; its gap, as after every step, is that of the start.
static void ncp_result(const tac_ncp_contact *c, tac_work *w, uint32_t i)
{
    tac_contact *k = &w->contact[i];
    tac_block *block = &w->scratch.solve.block[i];
    real *g = &w->scratch.solve.g[block->first];
    reals_copy(g, c->p, c->rows * sizeof *g);
    if (has_torsion(block)) {
        rows6_put(g, torsion_project(rows6_of(g), c->mu));
    } else {
        v3_put(g, cone_project(v3_of(g), c->mu, R(1.0), R(1.0)));
    }
    block->frame[0] = k->n = c->normal;
    block->frame[1] = k->u = c->t;
    k->w = c->o;
    block->frame[2] = v3_scale(c->e[2], c->o);
    k->point = end_middle(c);
}

// Impulses of joints are those of the program, with the directions that its rows have at the end of the step.
static void ncp_joint_results(const tac_model *m, const tac_state *s, tac_work *w, const tac_ncp *q)
{
    real worst = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_ncp_joint *x = &q->joint[i];
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real *g = &w->scratch.solve.g[k->first];
        const real *from = &q->x[x->first];
        for (int row = 0; row < NCP_JOINT_ROWS; row++) { g[row] = ncp_joint_acts(x, row) ? *from++ : R(0.0); }
        worst = real_max(worst, ncp_joint_worst(k, x));
    }
    if (JOINT_COUNT(m) == 0) { return; }
    w->report.joint_error = worst;
    settle_carry(s, w);
}

// What the next step begins with: constraints of trees keep no impulses, couplings count whole revolutions.
static void ncp_joint_keep(const tac_model *m, tac_work *w, const tac_ncp *q)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        if (!k->closes) { reals_clear(&w->scratch.solve.g[k->first], TAC_JOINT_ROWS * sizeof(real)); }
        for (int part = 0; j->kind == TAC_COUPLING && part < 2; part++) {
            const uint16_t of = coupling_part(j, part);
            const real ahead = m->h * q->joint[of].rate / JOINT_LINK(w)[of].scale; // that coupling_make() foresaw
            k->of.coupling.expected[part] += q->joint[of].change - ahead;
        }
    }
    correct_revolutions(m, w);
}

// nu+ and q+ of the problem become those of the state.
static int ncp_end(const tac_model *m, tac_state *s, tac_work *w, tac_ncp *q)
{
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_ncp_body *b = &q->body[i];
        w->delta_v[i] = b->free;
        w->pseudo_velocity[i] = b->pseudo;
        if (b->first == TAC_NONE) { continue; }
        w->delta_v[i] = (tac_twist){v3_of(&q->x[b->first]), v3_of(&q->x[b->first + 3])};
    }
    for (uint32_t i = 0; i < q->contacts; i++) { ncp_result(&q->contact[i], w, i); }
    w->progress.scale = R(1.0);
    w->progress.converged = 1;
    w->report.impacts = 0; // those of the cone program
    ncp_joint_results(m, s, w, q);
    const int finite = results(m, w, ncp_residual_make(m, w, q)) && (JOINT_COUNT(m) == 0 || results_reactions(m, w));
    for (uint32_t i = 0; i < q->contacts; i++) {
        const tac_ncp_contact *c = &q->contact[i];
        w->contact[i].velocity = v3(c->v_n, c->v_t, c->v_o);
        w->contact[i].bounce = V3_ZERO; // the cone program's
    }
    if (!commit_good(m, s, w, finite)) { return 0; }
    ncp_joint_keep(m, w, q);
    commit(m, s, w);
    return 1;
}

#endif

#endif
