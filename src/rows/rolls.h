// SPDX-License-Identifier: MIT
// rolls.h - contacts that roll are followed within the step: their rows are those of its middle, or of its end.
//   given   contacts and their blocks, velocities at the start of the step, forces of the input, the last impulses
//   makes   `rolls` and `drift` of blocks, their bias; blocks and contacts that move to the middle of the step
//   bound   two visits to each contact, each with the joints; one to each action of the input
//   never   follows a contact that is hit, or anything in a step with impacts
#ifndef ROWS_ROLLS_H
#define ROWS_ROLLS_H

#include "../model/model.h"
#include "drift.h"
#include "warm.h"

#define ROLLS_MOST R(0.5)   // of its radius: a contact that moves farther over a body within a step is not followed
#define ROLLS_STILL R(0.02) // of what forces add to the velocity in a step: slower than that a contact is at rest

// Does it move one body alone, over the ground or a body with prescribed motion?
static int rolls_alone(const tac_work *w, const tac_block *k)
{
    return !(w->moving[k->body[0]].inv_mass > R(0.0)) || !(w->moving[k->body[1]].inv_mass > R(0.0));
}

static void rolls_bar(tac_work *w, uint16_t body)
{
    w->phase.barred[body] = 1;
}

// Bodies that do not move with their mean velocities: those that touch each other, or anything flat with their own flat
// sides; those of joints; and those on which a force of the input acts, since it may depend on where they are, and with
// their mean velocities a spring would gain energy.
static void rolls_mark(const tac_model *m, const tac_input *input, tac_work *w)
{
    const int all = JOINT_COUNT(m) > 0 || m->options.friction != TAC_FRICTION_EXACT;
    phase_take(w, TAC_PHASE_BARRED);
    for (uint16_t i = 0; i < m->bodies; i++) { w->phase.barred[i] = all || m->body[i].kind != TAC_DYNAMIC; }
    for (uint16_t i = 0; input != NULL && i < input->actions; i++) {
        if (!belt_action(&input->action[i])) { rolls_bar(w, input->action[i].body); }
    }
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const int curved = shape_is_curved(&m->shape[c->id.shape_a]) || shape_is_curved(&m->shape[c->id.shape_b]);
        if (curved && rolls_alone(w, k) && !(k->soft > R(0.0))) { continue; }
        rolls_bar(w, k->body[0]);
        rolls_bar(w, k->body[1]);
    }
}

// Is it a ball, inertia included, on a flat side of the ground?
static int rolls_on_plane(const tac_model *m, const tac_contact *c)
{
    const tac_body *b = &m->body[c->body_b];
    const tac_shape *s = &m->shape[c->id.shape_b], *ground = &m->shape[c->id.shape_a];
    const vec3 off = v3_sub(s->pose.p, b->inertial.p), i = b->inertia;
    return c->body_a == 0 && ground->kind == TAC_HALF_SPACE && s->kind == TAC_SPHERE && v3_norm_inf(off) == R(0.0) &&
           i.x == i.y && i.y == i.z;
}

// A ball or a capsule of a robot is a foot: it does not roll.
static int rolls_foot(const tac_model *m, const tac_state *x, const tac_shape *s)
{
    if (!shape_is_round(s->kind) && shape_is_curved(s)) { return 0; }
    if (m->body[s->body].kind != TAC_DYNAMIC) { return 1; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind != TAC_COUPLING && !switch_out(x, i) && (j->body_a == s->body || j->body_b == s->body)) {
            return 1;
        }
    }
    return 0;
}

static int rolls_feet(const tac_model *m, const tac_state *s, const tac_contact *c)
{
    return JOINT_COUNT(m) > 0 && rolls_foot(m, s, &m->shape[c->id.shape_a]) &&
           rolls_foot(m, s, &m->shape[c->id.shape_b]);
}

// By kinds and bodies. Where bodies touch each other, not after a step that was not solved: their velocities are not
// those of contacts that roll.
static int rolls_kind(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c,
                      const tac_block *k)
{
    const tac_shape *a = &m->shape[c->id.shape_a], *b = &m->shape[c->id.shape_b];
    const int alone = rolls_alone(w, k);
    const uint16_t moves = k->body[w->moving[k->body[1]].inv_mass > R(0.0)];
    if (k->soft > R(0.0) || (s->warm_unsolved && !alone)) { return ROLLS_NOT; }
    if (!shape_is_curved(a) && !shape_is_curved(b)) { return ROLLS_NOT; }
    if (rolls_feet(m, s, c)) { return ROLLS_NOT; }
    if (rolls_on_plane(m, c)) { return w->phase.barred[moves] ? ROLLS_NOT : ROLLS_BALL; }
    return !alone || w->phase.barred[moves] ? ROLLS_START : ROLLS_MIDDLE;
}

// Is the contact at rest along n, and to stay so? By h k it may approach or open where its rows were those of the start
// of a step. Others are hit, not reached at all, or driven apart by options.recovery.
static int rolls_stays(const tac_model *m, const tac_work *w, const tac_block *k, real curve, int loaded)
{
    const real start = k->bias.x - k->target, kick = rows_rate(k, w->delta_v, 0);
    if (k->target < R(0.0)) { return 0; }
    return real_abs(start) <= ROLLS_STILL * real_abs(kick) + (loaded ? m->h * real_abs(curve) : R(0.0));
}

// --------------------------------------------------------------------------------------------------------------- rates

// Does it touch `other` by a ball: its own, or that of an end?
static int rolls_round(const tac_shape *s, const tac_shape *other)
{
    return s->kind == TAC_SPHERE || (s->kind == TAC_CAPSULE && other->kind == TAC_HALF_SPACE);
}

// Of balls and planes, which curve alike in all directions (curvature.h). Returns 0 for all else.
static int rolls_alike(const tac_model *m, const tac_contact *c, vec3 slide, vec3 turn, curvature_motion *motion)
{
    const tac_shape *a = &m->shape[c->id.shape_a], *b = &m->shape[c->id.shape_b];
    const int flat = a->kind == TAC_HALF_SPACE, under = b->kind == TAC_HALF_SPACE;
    if (!(flat || rolls_round(a, b)) || !(under || rolls_round(b, a))) { return 0; }
    const real ra = shape_ball(a) + R(0.5) * c->gap, rb = shape_ball(b) + R(0.5) * c->gap;
    const vec3 way = v3_madd(slide, rb, turn);
    motion->turn = flat ? V3_ZERO : under ? turn : v3_scale(R(1.0) / (ra + rb), way);
    motion->slip[0] = flat ? way : v3_scale(ra, motion->turn);
    motion->slip[1] = v3_sub(motion->slip[0], slide);
    return 1;
}

// Returns 0 if the contact moves too far over a body. Bodies with prescribed motion have their new velocities from the
// start on.
static int rolls_rates(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c, drift_rates *r)
{
    drift_body b[2];
    curvature_motion motion;
    for (int side = 0; side < 2; side++) {
        const uint16_t i = side ? c->body_b : c->body_a;
        const real part = w->moving[i].inv_mass > R(0.0) ? R(0.0) : R(1.0);
        const tac_twist *t = &s->twist[i], *g = &w->delta_v[i];
        drift_at(&s->pose[i], v3_madd(t->v, part, g->v), v3_madd(t->w, part, g->w), c->point, &b[side]);
    }
    const vec3 slide = drift_slide(b, c->n), turn = drift_turn(b, c->n);
    if (!rolls_alike(m, c, slide, turn, &motion)) { drift_over(m, s, c, slide, turn, &motion); }
    drift_rates_of(b, c->n, slide, &motion, r);
    for (int side = 0; side < 2; side++) {
        const tac_shape *of = &m->shape[side ? c->id.shape_b : c->id.shape_a];
        const real most = ROLLS_MOST * shape_radius(m, of), way = m->h * v3_norm(r->arm[side]);
        if (w->moving[of->body].inv_mass > R(0.0) && !(way < most)) { return 0; }
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------- rows

// The contact in the middle of the step, as seen from the body that moves, and its rows.
static void rolls_carry(const tac_model *m, const tac_state *s, const tac_work *w, const drift_rates *r, tac_contact *c,
                        tac_block *k)
{
    const real half = R(0.5) * m->h;
    const vec3 turn = v3_scale(half, r->normal), point = c->point;
    c->n = v3_scale(R(1.0) / real_sqrt(R(1.0) + v3_dot(turn, turn)), v3_add(c->n, turn));
    rows_turn(c, k);
    for (int side = k->body[0] == 0; side < 2; side++) {
        const uint16_t i = k->body[side];
        const vec3 arm = v3_madd(v3_sub(point, s->pose[i].p), half, r->arm[side]);
        rows_arm(k, s->pose[i].q, v3_scale(side ? R(1.0) : R(-1.0), arm), k->j[side]);
        if (w->moving[i].inv_mass > R(0.0)) { c->point = v3_madd(point, half, r->arm[side]); }
    }
    rows_weigh(w, k);
    rows_start(s, w, c, k);
    k->bias.x += k->target;
    if (has_torsion(k)) { torsion_make(s, w, c, k); }
}

// At the start of the step: the part of free rotation that changes poses but not velocities; in the normal row it is no
// motion of the bodies by their velocities, and counts with the pseudo-velocities.
static void rolls_turned(const tac_work *w, tac_block *k)
{
    vec3 turned = v3_components(k->j[1], w->pseudo_velocity[k->body[1]].w);
    if (k->body[0] != 0) { turned = v3_add(turned, v3_components(k->j[0], w->pseudo_velocity[k->body[0]].w)); }
    k->bias = v3_add(k->bias, turned);
    k->drift = turned.x;
}

static void rolls_contact(const tac_model *m, const tac_state *s, const tac_work *w, int loaded, tac_contact *c,
                          tac_block *k)
{
    const int kind = rolls_kind(m, s, w, c, k);
    drift_rates r;
    if (kind == ROLLS_NOT) { return; }
    if (kind == ROLLS_BALL) {
        if (rolls_stays(m, w, k, R(0.0), loaded)) { k->rolls = ROLLS_BALL; }
        return;
    }
    if (!rolls_rates(m, s, w, c, &r) || !rolls_stays(m, w, k, v3_dot(c->n, r.k), loaded)) { return; }
    k->rolls = (uint8_t)kind;
    if (kind == ROLLS_MIDDLE) { rolls_carry(m, s, w, &r, c, k); }
    const vec3 drift = v3_scale(R(0.5) * m->h, v3_components(k->frame, r.k));
    k->bias = v3_add(k->bias, drift);
    if (kind == ROLLS_MIDDLE) {
        k->drift = drift.x;
    } else {
        rolls_turned(w, k);
    }
}

// Where a contact may roll, in a step without impacts.
static void rolls(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    const tac_warm *from = s->warm, *end = s->warm + s->warm_count;
    tac_block *k = w->scratch.solve.block;
    rolls_mark(m, input, w);
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const tac_warm *g = warm_find(&c->id, &from, end);
        rolls_contact(m, s, w, g != NULL && v3_norm_inf(g->impulse) > R(0.0), c, k);
    }
}

#endif
