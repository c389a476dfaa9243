// SPDX-License-Identifier: MIT
// driven.h - how much faster efforts of joints may make bodies in this step, beyond free motion.
//   given   impulses of contacts and along coordinates in the last step, commands of this one
//   makes   once for a model drive[] of joints; driven[] of the geometry floor
//   bound   one visit to each motor and contact, two to each body of a tree; once for a model one to each shape
//   never   moves anything: the geometry looks for contacts that much farther
//
// Free motion knows gravity and wrenches, but no joints. A motor that throws a light foot at the ground moves it by h^2
// times its acceleration beyond that, and a pair farther apart than the margin would be seen when it overlaps. What
// efforts do exactly is known when trees are factored, in memory that contacts need before. So each effort is taken to
// act on the two bodies of its joint as if nothing else hung there: they become faster than they will be. Its lever is
// the longest one beyond the joint. The efforts of this step are those of the last one, which springs and servos change
// little in a step, and those that motors are told.
#ifndef ROWS_DRIVEN_H
#define ROWS_DRIVEN_H

#include "../tree/topology.h"
#include "../geometry/contacts.h"
#include "joint_block.h"

// ------------------------------------------------------------------------------------------------- once for a model

// How far points of the shapes of each body are from its centre of mass.
static void driven_shapes(const tac_model *m, real *far)
{
    reals_clear(far, m->bodies * sizeof *far);
    for (const tac_shape *s = m->shape; s < m->shape + m->shapes; s++) {
        real radius, thickness;
        shape_measure(m, s, &radius, &thickness);
        const real most = v3_norm(v3_sub(s->pose.p, m->body[s->body].inertial.p)) + real_max(radius, R(0.0));
        far[s->body] = real_max(far[s->body], most);
    }
}

// Bodies a and b turn about the joint, or slide along it. A body that turns there moves the other one with it: its arm
// acts on the mass that both have at the joint. [0]: what hangs on the joint, [1]: what it hangs on.
static void driven_joint(const tac_moving *const body[2], const int side[2], const real lever[2], tac_joint_block *k)
{
    const int turns = joint_rotates(k->kind);
    real ease[2], heave[2];
    for (int i = 0; i < 2; i++) {
        const vec3 z = k->of.about[side[i]], arm = v3_cross(k->frame[side[i]].p, z);
        ease[i] = v3_dot(z, v3_mul(body[i]->inv_inertia, z));
        heave[i] = v3_dot(arm, arm) * ease[i];
    }
    const real loose = (body[0]->inv_mass + heave[0]) + (body[1]->inv_mass + heave[1]);
    for (int i = 0; i < 2; i++) {
        const real turn = k->scale * ease[i] * (R(1.0) - heave[i] / loose);
        k->drive[i] = turns ? turn * lever[i] : body[i]->inv_mass;
    }
}

// From the leaves to the roots, with the farthest point beyond each body.
static void driven_fix(const tac_model *m, tac_work *w)
{
    const tac_topology *t = JOINT_TOPOLOGY(w);
    real *far = w->scratch.collision.driven; // of driven(), which writes it later
    driven_shapes(m, far);
    for (uint16_t at = t->joined; at-- > 0;) {
        const uint16_t i = t->order[at], parent = t->body[i].parent;
        if (t->body[i].joint == TAC_NONE) { continue; }
        tac_joint_block *k = &JOINT_LINK(w)[t->body[i].joint];
        const int side[2] = {t->body[i].is_b, !t->body[i].is_b};
        const tac_moving *const body[2] = {&w->moving[i], &w->moving[parent]};
        const real arm = v3_norm(k->frame[side[0]].p), up = v3_norm(k->frame[side[1]].p);
        const real lever[2] = {arm + far[i], up + far[parent]};
        driven_joint(body, side, lever, k);
        far[parent] = real_max(far[parent], up + lever[0]);
    }
}

// ---------------------------------------------------------------------------------------------------------- in a step

// By how much motors that are told their efforts change the impulses of the last step.
static void driven_told(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    for (const tac_motor *a = JOINT_MOTOR(input), *end = a + JOINT_MOTORS(input); a < end; a++) {
        if (a->kind != TAC_MOTOR_EFFORT) { continue; }
        const tac_joint_block *k = &JOINT_LINK(w)[a->joint];
        const uint16_t body = topology_hanging(m, JOINT_TOPOLOGY(w), a->joint);
        if (body == TAC_NONE) { continue; }
        const real most = JOINT_OF(m)[a->joint].effort, told = real_clamp(a->effort, -most, most);
        const real change = m->h * told / k->scale - JOINT_WARM(s)[a->joint].interval[TAC_EFFORT_MOTOR];
        w->scratch.collision.driven[body] += real_abs(change) * k->drive[0];
    }
}

// Bodies whose contacts have borne a force in the last step, or those of what hangs on them.
static void driven_bears(const tac_model *m, const tac_state *s, const tac_topology *t, uint8_t *bears)
{
    bytes_clear(bears, m->bodies);
    for (const tac_warm *c = s->warm, *end = c + s->warm_count; c < end; c++) {
        if (!(v3_norm_inf(c->impulse) > R(0.0)) || c->id.shape_a >= m->shapes || c->id.shape_b >= m->shapes) {
            continue;
        }
        bears[m->shape[c->id.shape_a].body] = bears[m->shape[c->id.shape_b].body] = 1;
    }
    for (uint16_t at = t->joined; at-- > 0;) {
        const uint16_t i = t->order[at];
        if (t->body[i].joint != TAC_NONE && bears[i]) { bears[t->body[i].parent] = 1; }
    }
}

// Bodies go with those that they hang on, which recoil.
static void driven(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    const tac_topology *t = JOINT_TOPOLOGY(w);
    const uint8_t *bears = w->scratch.collision.bears;
    real *x = w->scratch.collision.driven;
    driven_bears(m, s, t, w->scratch.collision.bears);
    reals_clear(x, m->bodies * sizeof *x);
    if (input != NULL) { driven_told(m, s, input, w); }
    for (uint16_t at = 0; at < t->joined; at++) {
        const uint16_t i = t->order[at], joint = t->body[i].joint, parent = t->body[i].parent;
        if (joint == TAC_NONE) { continue; }
        if (!bears[i]) {
            const real *last = JOINT_WARM(s)[joint].interval, *drive = JOINT_LINK(w)[joint].drive;
            const real impulse = real_abs(last[TAC_EFFORT_PASSIVE] + last[TAC_EFFORT_MOTOR]);
            x[parent] += impulse * drive[1];
            x[i] += impulse * drive[0];
        }
        x[i] += x[parent];
    }
}

#endif
