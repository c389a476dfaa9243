// SPDX-License-Identifier: MIT
// coupling.h - a coordinate made of those of two joints, q_b - length q_a: gears, rack and pinion, mimic joints.
//   given   two joints whose rows are set up; their revolutions so far
//   makes   its row, which acts on up to four bodies, some of which may be the same; its coordinate, with revolutions
//   bound   constant
//   never   loses a revolution: one that a joint completes within a step is counted at the end of the step
#ifndef ROWS_COUPLING_H
#define ROWS_COUPLING_H

#include "joint_block.h"

// Part p uses row JOINT_LAST - p and bodies 2 p, 2 p + 1.

// Position of a coupling: its coordinate, its revolutions, the rounding of its error.
typedef struct coupling_place {
    real q;
    real revolutions; // of joint b minus length times those of joint a
    real slack;       // m
} coupling_place;

// J M^-1 J'; a body of both joints counts once. Where the parts cancel, the result is at least rounding.
static real coupling_weight(const tac_joint_block *k, const tac_moving *moving)
{
    real own = R(0.0), sum = R(0.0);
    for (int e = 0; e < 4; e++) {
        const tac_row *r = &k->row[JOINT_LAST - e / 2];
        const tac_moving *b = &moving[k->body[e]];
        for (int f = 0; f < 4; f++) {
            if (k->body[e] != k->body[f]) { continue; }
            const tac_row *s = &k->row[JOINT_LAST - f / 2];
            const real linear = b->inv_mass * v3_dot(r->linear, s->linear);
            const real w = (e % 2 == f % 2 ? linear : -linear) +
                           v3_dot(v3_mul(b->inv_inertia, r->angular[e % 2]), s->angular[f % 2]);
            sum += w;
            own += e == f ? w : R(0.0);
        }
    }
    return real_max(sum, REAL_EPSILON * own);
}

// Scale of a part that gives the row the unit m/s.
static real coupling_scale(const tac_joint *j, const tac_joint_block *k, const tac_joint_block *x, int part)
{
    return coupling_factor(j, part) * (k->scale / x->scale);
}

// The row: a combination of those of its joints.
static void coupling_jacobian(const tac_joint *j, const tac_work *w, tac_joint_block *k)
{
    for (int part = 0; part < 2; part++) {
        const tac_joint_block *x = &JOINT_LINK(w)[coupling_part(j, part)];
        const real scale = coupling_scale(j, k, x, part);
        tac_row *r = &k->row[JOINT_LAST - part];
        r->linear = v3_scale(scale, x->row[JOINT_LAST].linear);
        for (int side = 0; side < 2; side++) { r->angular[side] = v3_scale(scale, x->row[JOINT_LAST].angular[side]); }
    }
    k->w[JOINT_LAST] = coupling_weight(k, w->moving);
}

// Adds a part with its bodies at these poses. Poses give an angle modulo one revolution: of those completed since the
// step began, the number that brings the angle closest to the prediction is taken; earlier ones are in
// k->of.coupling.revolutions, where c->revolutions starts. For a gear that runs for ever this sum stays small, and each
// revolution costs one rounding of it (none if the ratio is a binary fraction).
static void coupling_add(const tac_model *m, const tac_joint *j, const tac_joint_block *k, const tac_work *w, int part,
                         const tac_pose *a, const tac_pose *b, coupling_place *c)
{
    const uint16_t index = coupling_part(j, part);
    const tac_joint *x = &JOINT_OF(m)[index];
    const tac_joint_block *kx = &JOINT_LINK(w)[index];
    const real factor = coupling_factor(j, part);
    joint_place p;
    joint_find(x->kind, kx->frame, a, b, &p);
    const real q = joint_coordinate(x, &p);
    if (joint_wraps(x)) { c->revolutions += factor * joint_revolutions_to(q, k->of.coupling.expected[part]); }
    c->q += factor * q;
    c->slack += real_abs(coupling_scale(j, k, kx, part)) * joint_rounding(a, b, kx);
}

static coupling_place coupling_at(const tac_model *m, const tac_joint *j, const tac_work *w, const tac_joint_block *k,
                                  const tac_pose *pose)
{
    coupling_place c = {R(0.0), k->of.coupling.revolutions,
                        REAL_EPSILON * k->scale * JOINT_REVOLUTION * real_abs(k->of.coupling.revolutions)};
    for (int part = 0; part < 2; part++) {
        const uint16_t *body = &k->body[2 * part];
        coupling_add(m, j, k, w, part, &pose[body[0]], &pose[body[1]], &c);
    }
    c.q += JOINT_REVOLUTION * c.revolutions;
    return c;
}

// Bodies, positions and speeds of its joints; returns the second derivative of its error along the motion, m/s2.
static real coupling_parts(const tac_model *m, const tac_state *s, const tac_joint *j, const tac_work *w,
                           tac_joint_block *k)
{
    const tac_tree_body *frame = JOINT_TREE(w);
    real curvature = R(0.0);
    for (int part = 0; part < 2; part++) {
        const uint16_t index = coupling_part(j, part);
        const tac_joint *x = &JOINT_OF(m)[index];
        const tac_joint_block *kx = &JOINT_LINK(w)[index];
        const uint16_t body[2] = {x->body_a, x->body_b};
        const tac_pose *at[2] = {&s->pose[body[0]], &s->pose[body[1]]};
        const tac_twist *twist[2] = {&s->twist[body[0]], &s->twist[body[1]]};
        joint_place p;
        joint_motion q;
        joint_find(x->kind, kx->frame, at[0], at[1], &p);
        const vec3 *const axis[2] = {frame[body[0]].axis, frame[body[1]].axis};
        joint_move(&p, axis, twist, &q);
        for (int side = 0; side < 2; side++) {
            k->body[2 * part + side] = body[side];
            k->speed += joint_speed(kx, &frame[body[side]]);
        }
        k->of.coupling.expected[part] = joint_coordinate(x, &p);
        curvature += coupling_scale(j, k, kx, part) * joint_curvature(x, &p, &q, JOINT_LAST, kx->length);
    }
    return curvature;
}

// `rounding` stays 0: a play is run through to its end. A wheel that only has to be near it would keep the largest rate
// that rounding has given to the one that drives it.
static void coupling_make(const tac_model *m, const tac_state *s, const tac_motor *motor, const tac_joint *j,
                          real revolutions, const tac_work *w, tac_joint_block *k)
{
    bytes_clear(&k->ends, sizeof *k - offsetof(tac_joint_block, ends)); // all but its command and its rule
    k->coordinate = 1;
    k->ends = 4;
    k->closes = 1;
    k->scale = JOINT_LINK(w)[j->body_b].scale;
    k->of.coupling.revolutions = revolutions;
    const real curvature = coupling_parts(m, s, j, w, k);
    const coupling_place at = coupling_at(m, j, w, k, s->pose);
    const real q = at.q;
    coupling_jacobian(j, w, k);
    k->violated = j->lower == j->upper && k->scale * real_abs(q - j->lower) > JOINT_VIOLATION_SLACK * at.slack;
    k->bias[JOINT_LAST] = joint_rate(k, s->twist, JOINT_LAST);
    const real rate = k->bias[JOINT_LAST] / k->scale;
    joint_intervals(m, j, motor, q, rate, k);
    if (effort_is_passive(j)) {
        const real late = m->h * curvature / k->scale;
        const real arc = R(0.5) * late + joint_rate(k, w->pseudo_velocity, JOINT_LAST) / k->scale;
        joint_passive(j, k, m->h, q, rate, arc, late);
    }
    if (joint_holds(k, JOINT_LAST)) {
        k->bias[JOINT_LAST] += k->rule == JOINT_STABILISE
                                   ? joint_stabilise(m, k, JOINT_LAST, k->scale * (q - k->setpoint))
                                   : joint_arc(m, k, w->pseudo_velocity, JOINT_LAST, curvature);
    }
    for (int part = 0; part < 2; part++) {
        const uint16_t x = coupling_part(j, part);
        const tac_joint_block *kx = &JOINT_LINK(w)[x];
        k->of.coupling.expected[part] += m->h * joint_rate(kx, s->twist, JOINT_LAST) / kx->scale;
    }
}

#endif
