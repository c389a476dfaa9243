// SPDX-License-Identifier: MIT
// response.h - the immediate change of velocity by an impulse: of a free body, or of all bodies that joints connect.
//   given   contacts, blocks, joints made for this step
//   makes   changes of velocity and of `delayed`; W of a contact through the joints; impulses of the joints
//   bound   a factor of the joints a step, one solution of it an impulse, three more for W
//   never   lets springs, dampers, bounded motors, limits or dry friction act: they need time, or act in the cone
//           program
#ifndef STEP_RESPONSE_H
#define STEP_RESPONSE_H

#include "settle.h"

// The velocity change of a free body is M^-1 D g. Bodies of joints move together: M dv = D g + J'l with J dv = 0 for
// the hard constraints (prescribed motion stays as prescribed), and rotors rotate with their joints. Where joints make
// trees that is a solution of articulated.h, else of these and the rows that close them.
static int response_moves(const tac_work *w, uint16_t body)
{
    return w->moving[body].inv_mass > R(0.0);
}

// Does the body have joints? Known after response_mark().
static int response_has_joints(const tac_work *w, uint16_t body)
{
    return JOINT_TREES(w)->tree_body[body].placed;
}

static int response_jointed(const tac_work *w, const tac_block *k)
{
    if (TAC_MAX_JOINTS == 0) { return 0; }
    return response_has_joints(w, k->body[0]) || response_has_joints(w, k->body[1]);
}

static void response_mark(const tac_model *m, tac_work *w)
{
    tac_trees *r = trees_of(w);
    for (uint16_t i = 0; i < w->program.bodies; i++) { r->tree_body[i].placed = 0; }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING || SWITCH_BLOCK(&JOINT_LINK(w)[i])) { continue; }
        if (joint_moves(w, j->body_a)) { r->tree_body[j->body_a].placed = 1; }
        if (joint_moves(w, j->body_b)) { r->tree_body[j->body_b].placed = 1; }
    }
}

// Of all soft terms only the inertia of rotors takes part; `yields` keeps the weight of its interval.
static void response_keep_rotors(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        tac_interval *x = &k->interval[TAC_EFFORT_PASSIVE];
        if (j->kind == TAC_BUSHING) { k->constraints = 0; }
        if (!(j->armature > R(0.0)) || !x->used) { continue; }
        x->inside = 1;
        k->yields = x->weight;
        x->weight = j->armature / (k->scale * k->scale);
    }
}

static void response_restore_soft(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        tac_interval *x = &k->interval[TAC_EFFORT_PASSIVE];
        if (j->kind == TAC_BUSHING) { k->constraints = k->always; }
        if (!x->inside) { continue; }
        x->weight = k->yields;
        x->inside = 0;
    }
}

// The factor of this step.
static void response_factor(const tac_state *s, tac_work *w)
{
    articulated_order_joints(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) { trees_of(w)->row[i] = TAC_NONE; }
    (void)columns_number(w, 0);
    articulated_factor(w, s->pose);
    trees_close_only(w);
}

// The initial velocities of bodies with joints, and the effect of forces on them. Each step ends at velocities that
// lead along the arcs of the joints (correct_joints.h), which violate J v = 0 by half a step of the curvature of these
// arcs: `start` removes that. Forces act through the joints, kick = A^-1 h f, and, since x+ = x + h v+, the parabola
// has the velocity v + kick/2 at the start.
static void response_paths(const tac_state *s, tac_work *w, tac_twist *kick, tac_twist *start)
{
    tac_twist *step = joint_factor_clear(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real *residual = SOLUTION(w)->step.x[joint_node(w, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!joint_holds(k, row) || (row == JOINT_LAST && k->driven)) { continue; }
            residual[row] = joint_rate(k, s->twist, row);
        }
    }
    joint_factor_solve(w);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        if (response_has_joints(w, i)) { start[i] = step[i]; }
    }
    (void)joint_factor_clear(w);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        if (!response_has_joints(w, i)) { continue; }
        free_momentum(&w->moving[i], &w->delta_v[i], &step[i]);
    }
    joint_factor_solve(w);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        if (!response_has_joints(w, i)) { continue; }
        kick[i] = step[i];
        twist_add(&start[i], R(0.5), &kick[i]);
        twist_add(&start[i], R(-1.0), &w->delta_v[i]);
    }
}

// The changes of velocity by the impulse g, in step: 0 for bodies that it does not reach.
static void response_of(tac_work *w, const tac_block *k, vec3 g)
{
    const uint16_t *body = k->body;
    tac_twist *step = joint_factor_clear(w);
    trees_push(w, k, g, step);
    for (int side = 0; side < 2; side++) {
        tac_twist *t = &step[body[side]];
        if (response_has_joints(w, body[side])) { continue; }
        t->v = v3_scale(w->moving[body[side]].inv_mass, t->v);
        t->w = v3_mul(w->moving[body[side]].inv_inertia, t->w);
    }
    joint_factor_solve(w);
}

// W through the joints. Returns 0 where these block the normal direction: no impulse changes its velocity.
static int response_weigh(tac_work *w, tac_block *k)
{
    rows_weigh(w, k);
    if (!response_jointed(w, k)) { return 1; }
    const real least = REDUCED_LEAST * k->w.xx;
    vec3 column[3];
    for (int i = 0; i < 3; i++) {
        response_of(w, k, V3_AXIS[i]);
        column[i] = rows_relative(k, SOLUTION(w)->step.twist);
    }
    k->w = (sym3){column[0].x, column[0].y, column[0].z, column[1].y, column[1].z, column[2].z};
    return k->w.xx > least;
}

// Adds the impulses of the joints to the results of the step, and those of rotors to the centre of their interval, so
// that the cone program does not apply them again.
static void response_record(tac_work *w)
{
    const tac_twist *step = SOLUTION(w)->step.twist;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *x = SOLUTION(w)->step.x[joint_node(w, i)];
        tac_interval *rotor = &k->interval[TAC_EFFORT_PASSIVE];
        joint_record(k, x, k->bounce);
        if (rotor->inside) { rotor->centre += rotor->weight * joint_rate(k, step, JOINT_LAST); }
    }
}

// The impulse g at the fraction `now` of the step: bodies do not move by it before.
static void response_push(tac_work *w, const tac_block *k, vec3 g, real now)
{
    if (!response_jointed(w, k)) {
        rows_apply(k, g, w->moving, w->delta_v);
        rows_apply(k, v3_scale(-now, g), w->moving, w->kept.delayed);
        return;
    }
    response_of(w, k, g);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        const tac_twist *t = &SOLUTION(w)->step.twist[i];
        twist_add(&w->delta_v[i], R(1.0), t);
        twist_add(&w->kept.delayed[i], -now, t);
    }
    response_record(w);
}

// Restitution of bodies with joints needs the factor.
static void response_joints(const tac_model *m, const tac_state *s, tac_work *w, tac_twist *kick, tac_twist *start)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    int jointed = 0;
    response_mark(m, w);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        jointed |= c->restitution > R(0.0) && response_jointed(w, k);
    }
    if (!jointed) { return; }
    joints_make_rows(w);
    response_keep_rotors(m, w);
    response_factor(s, w);
    response_mark(m, w); // the search for trees marks what it has found
    response_paths(s, w, kick, start);
}

// The velocity of bodies until the next impact is v + delta_v + start + t kick at the fraction t of the step. Free
// bodies are on the parabolas of their forces (move.h), and torques act at the start of the step; kinematic bodies move
// steadily.
static void response_begin(const tac_model *m, const tac_state *s, tac_work *w, tac_twist *kick, tac_twist *start)
{
    reals_clear(kick, w->program.bodies * sizeof *kick);
    reals_clear(start, w->program.bodies * sizeof *start);
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        if (!response_moves(w, i)) { continue; }
        kick[i].v = v3_scale(R(-2.0), w->pseudo_velocity[i].v);
        start[i].v = v3_scale(R(2.0), w->pseudo_velocity[i].v);
    }
    response_joints(m, s, w, kick, start);
}

#endif
