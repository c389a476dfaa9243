// SPDX-License-Identifier: MIT
// derivative.h - d x+ / d (x, u) of a step: of trees and free bodies, through the contacts that bear a force.
//   given   a step that has been solved: impulses and modes of contacts, efforts of joints; or one without contacts
//   makes   A and B
//   bound   for each coordinate two columns of 3 contacts coordinates multiplications; (3 contacts)^3
//   never   opens, closes or slides another contact than the step did
#ifndef DERIVATIVE_DERIVATIVE_H
#define DERIVATIVE_DERIVATIVE_H

#include "derivative_pushes.h"
#include "vary_behind.h"

#if TAC_MAX_LCP > 0

// A: what q and v change at fixed rates, then by the rates, then by the pushes of the position projection.
static void derivative_states(const vary_step *x, const tac_step_derivative *y)
{
    const vary_block A = {y->A, y->size.x}, by_v = {y->A + x->n, y->size.x};
    const int pushed = derivative_pushes_any(x);
    if (pushed) { derivative_pushes(x); }
    vary_next(x, A);
    reals_clear(x->seen[VARY_Q].at, (size_t)6 * x->n * x->k * sizeof(real));
    for (uint32_t i = 0; i < x->k; i++) { derivative_changes(x, i); }
    for (uint32_t at = 0; at < x->tree->bodies; at++) { vary_enter_held(x, x->tree->order[at]); }
    vary_states(x);
    vary_follow(x, A, y->size.x);
    if (!pushed) { return; }
    derivative_project(x, VARY_Q, x->n, A);
    derivative_project(x, VARY_V, x->n, by_v);
}

// B: efforts act through the rates, and these through the pushes.
static void derivative_inputs(const vary_step *x, const tac_step_derivative *y)
{
    const vary_block B = {y->B, y->size.u};
    if (y->size.u == 0) { return; }
    reals_clear(y->B, (size_t)y->size.x * y->size.u * sizeof *y->B);
    vary_inputs(x, y->size.u);
    vary_follow(x, B, y->size.u);
    if (derivative_pushes_any(x)) { derivative_project(x, VARY_U, y->size.u, B); }
}

// The kinetic energy of what the velocities at the end, in trees of joints, differ by from those of the step, as a part
// of all of it.
static real derivative_apart(const vary_step *x)
{
    real sum = R(0.0), all = R(0.0);
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_varied_body *k = &x->t->body[self];
        const tac_body *body = &x->m->body[self];
        const tac_twist end = vary_prescribed(x, self);
        const tac_twist off = {v3_sub(k->mean_v, end.v), v3_sub(k->end_w_b, end.w)};
        if (k->alone) { continue; }
        sum += free_product(body->mass, body->inertia, &off, &off);
        all += free_product(body->mass, body->inertia, &end, &end);
    }
    return all > R(0.0) ? sum / all : R(0.0);
}

// All of it in order, from the rates of vary_start(). Returns 0 if the mechanism or its contacts are singular.
static int derivative_make(vary_step *x, tac_step_derivative *y)
{
    if (x->bears) { derivative_loads(x); }
    vary_efforts(x);
    if (!vary_behind(x) || !vary_mass(x)) { return 0; }
    for (uint32_t i = 0; i < x->k; i++) { derivative_contact(x, i); }
    vary_find(x);
    y->apart = x->bears ? real_sqrt(x->apart + derivative_apart(x)) : real_sqrt(x->apart);
    vary_assemble(x);
    derivative_enter(x);
    for (uint32_t i = 0; i < x->k; i++) {
        derivative_see(x, i);
        derivative_soften(x, i);
        derivative_closing(x, i);
    }
    if (!vary_factor(x->t, x->K)) { return 0; }
    vary_respond(x);
    derivative_factor(x);
    derivative_states(x, y);
    derivative_inputs(x, y);
    return 1;
}

#endif

#endif
