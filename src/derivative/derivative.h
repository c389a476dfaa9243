// SPDX-License-Identifier: MIT
// derivative.h - d x+ / d (x, u) of the step of the cone program, through the contacts that bear a force.
//   given   a step that has been solved: impulses and modes of contacts, efforts of joints
//   makes   A and B
//   bound   for each coordinate two columns of 3 contacts coordinates multiplications; (3 contacts)^3
//   never   opens, closes or slides another contact than the step did
#ifndef DERIVATIVE_DERIVATIVE_H
#define DERIVATIVE_DERIVATIVE_H

#include "derivative_pushes.h"

#if TAC_MAX_LCP > 0

// Impulses of contacts on the bodies, and of efforts where vary_efforts.h looks for them.
static void derivative_loads(const vary_step *x, uint32_t count)
{
    for (uint32_t at = 0; at < x->t->mechanism.bodies; at++) { x->t->body[x->t->mechanism.order[at]].straight = 0; }
    for (uint32_t i = 0; i < count; i++) {
        const tac_contact *c = &x->w->contact[i];
        const vec3 axes[3] = {c->n, c->u, c->w}, force = v3_combine(axes, c->impulse);
        const uint16_t body[2] = {c->body_a, c->body_b};
        for (int side = 0; side < 2; side++) {
            tac_varied_body *v = &x->t->body[body[side]];
            if (!mechanism_moves(x->m, body[side])) { continue; }
            const vec3 centre = x->s->pose[x->t->mechanism.body[body[side]].tree].p;
            real wrench[6];
            six_set(wrench, v3_cross(v3_sub(c->point, centre), force), force);
            six_add(v->load, side ? R(1.0) : R(-1.0), wrench);
            v->straight |= c->impulse.x > R(0.0) && derivative_stored(x->q, i)[DERIVATIVE_STRAIGHT] > R(0.0);
        }
    }
}

// The impulses of the intervals of joints, where the scratch of the solve is not overwritten.
static void derivative_keep(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first + TAC_JOINT_ROWS];
        for (int e = 0; e < TAC_EFFORTS; e++) { k->interval[e].z = g[e]; }
    }
}

static void derivative_states(const vary_step *x, uint32_t count, tac_step_derivative *y)
{
    const tac_mechanism *k = &x->t->mechanism;
    const int pushed = derivative_pushes_any(x, count);
    if (pushed) {
        derivative_push_matrix(x, count);
        derivative_push_all(x, count);
        derivative_pushed(x, count);
    }
    vary_next(x, y->A, y->size.x);
    reals_clear(vary_seen_in(x, VARY_Q, 0), (size_t)6 * k->coordinates * count * sizeof(real));
    for (uint32_t i = 0; i < count; i++) { derivative_changes(x, i); }
    for (uint32_t at = 0; at < k->bodies; at++) { vary_enter_led(x, k->order[at]); }
    vary_states(x);
    vary_follow(x, y->A, y->size.x);
    if (!pushed) { return; }
    derivative_project(x, count, VARY_Q, 0, k->coordinates, y->A, y->size.x);
    derivative_project(x, count, VARY_V, 0, k->coordinates, y->A + k->coordinates, y->size.x);
}

static void derivative_inputs(const vary_step *x, uint32_t count, tac_step_derivative *y)
{
    const uint32_t first = x->t->mechanism.coordinates - y->size.u;
    if (y->size.u == 0) { return; }
    reals_clear(y->B, (size_t)y->size.x * y->size.u * sizeof *y->B);
    vary_inputs(x, y->wrenches, y->size.u);
    vary_follow(x, y->B, y->size.u);
    if (derivative_pushes_any(x, count)) {
        derivative_project(x, count, DERIVATIVE_U, first, y->size.u, y->B, y->size.u);
    }
}

// Returns 0 if the mechanism or its contacts are singular.
static int derivative_make(const vary_step *x, uint32_t count, tac_step_derivative *y)
{
    vary_started(x, x->q->value);
    derivative_loads(x, count);
    vary_efforts(x);
    if (!vary_mass(x)) { return 0; }
    for (uint32_t i = 0; i < count; i++) { derivative_contact(x, i); }
    vary_find(x);
    vary_assemble(x);
    derivative_enter(x, count);
    for (uint32_t i = 0; i < count; i++) {
        derivative_see(x, i);
        derivative_end(x, count, i);
    }
    if (!vary_factor(x->t, vary_matrix(x), VARY_STRIDE)) { return 0; }
    vary_respond(x);
    derivative_factor(x, count);
    derivative_states(x, count, y);
    derivative_inputs(x, count, y);
    return 1;
}

#endif

#endif
