// SPDX-License-Identifier: MIT
// untangle.h - the position projection of worlds with joints: overlaps are removed as far as joints allow.
//   given   the need of each contact, joints, velocities at the end of the step, pseudo-velocities so far
//   makes   pseudo-velocities that satisfy the constraints of joints, and of trees the limits of every coordinate
//   bound   UNTANGLE_SWEEPS passes over normals and limits, on their dense W; a solution of the trees
//   never   moves a body far or opens a joint; links of one mechanism that overlap keep their overlap
#ifndef STEP_UNTANGLE_H
#define STEP_UNTANGLE_H

#include "../rows/joints.h"
#include "impact.h"
#include "tree_motion.h"

#define UNTANGLE_TURN R(0.05) // rad, most that this rotates a body in a step: the normals are constant within the step
#define UNTANGLE_SOFT R(1e-3) // of W without joints: compliance of a multiplier
#define UNTANGLE_SWEEPS 32
#define UNTANGLE_REACH R(1.0) // of the deepest overlap, most that this moves a body in a step
#define UNTANGLE_SEEN R(0.25) // of the rounding of an overlap: if none has to move by more, nothing moves

// The deepest overlap at the end of the step.
static real untangle_deepest(const tac_work *w)
{
    real deepest = R(0.0);
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        deepest = real_max(deepest, k->own.project.overlap);
    }
    return deepest;
}

// pseudo_velocity += step, scaled down as a whole if it would rotate or move a body too far; of trees the rates too.
static void untangle_move(const tac_model *m, tac_work *w, const tac_twist *step)
{
    real turn = R(0.0), way = R(0.0), part = R(1.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        turn = real_max(turn, m->h * v3_norm(step[i].w));
        way = real_max(way, m->h * v3_norm(step[i].v));
    }
    const real reach = UNTANGLE_REACH * untangle_deepest(w);
    if (turn > UNTANGLE_TURN) { part = UNTANGLE_TURN / turn; }
    if (part * way > reach) { part = reach / way; }
    if (!reduced_of(w)->closed) { tree_motion_add(w, part); }
    for (uint16_t i = 1; i < m->bodies; i++) {
        w->pseudo_velocity[i].v = v3_madd(w->pseudo_velocity[i].v, part, step[i].v);
        w->pseudo_velocity[i].w = v3_madd(w->pseudo_velocity[i].w, part, step[i].w);
    }
}

// Multipliers act through W = D'A^-1 D of the trees, where A contains the joints, so J times the pseudo-velocity does
// not change. Hard limits are rows too, active at either bound. A compliance keeps the multipliers bounded where joints
// nearly block a normal:
//      0 <= push  perp  W push + soft push - residual >= 0,     soft = UNTANGLE_SOFT W without joints
// moves bodies by at most 1/(2 sqrt(UNTANGLE_SOFT)) times the displacement of free bodies.
// A coordinate with hard limits: an active limit admits no pseudo-velocity beyond it.
static int untangle_limited(const tac_model *m, tac_work *w, uint32_t i)
{
    const tac_interval *x = &JOINT_LINK(w)[i].interval[TAC_EFFORT_LIMIT];
    return i < JOINT_COUNT(m) && x->used && x->hard && reduced_of(w)->row[i] != TAC_NONE;
}

static void untangle_limit(const tac_model *m, const tac_work *w, const tac_joint *j, const tac_joint_block *k,
                           tac_interval *x)
{
    const int low = x->lo == R(0.0);
    const real u = joint_rate(k, w->delta_v, JOINT_LAST) + x->bias, width = k->scale * (j->upper - j->lower) / m->h;
    const real near = real_max(low ? u : -u, R(0.0)), far = real_max(width - near, R(0.0));
    x->least = k->target ? R(0.0) : -(low ? near : far);
    x->most = k->target ? R(0.0) : (low ? far : near);
    x->push = R(0.0);
}

// What the motion of this step adds to an overlap, m: its change by the velocities of the solve, and at most h^2 w v where
// the normal turns with one body while the other one slides along it.
static real untangle_added(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c,
                           const tac_block *k)
{
    const vec3 u = rows_moving(k, w->delta_v);
    const real slip = v3_norm(v3(R(0.0), u.y, u.z)), before = real_max(-c->gap, R(0.0));
    real turn = R(0.0);
    for (int side = 0; side < 2; side++) {
        turn += v3_norm(v3_add(s->twist[k->body[side]].w, w->delta_v[k->body[side]].w));
    }
    return real_max(k->own.project.overlap - before, R(0.0)) + m->h * m->h * turn * slip;
}

// Links of one mechanism may overlap by their construction. To push them apart turns joints against motors, springs and
// weight, which would give back what nobody has supplied, again and again. So there an overlap stays, and only what this
// step adds is removed.
static void untangle_spare(const tac_model *m, const tac_state *s, tac_work *w)
{
    const tac_tree_body *body = reduced_of(w)->tree_body;
    tac_block *k = blocks_in(w);
    articulated_groups(w, 0);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (body[c->body_a].mark != body[c->body_b].mark || !(k->own.project.need > R(0.0))) { continue; }
        k->own.project.need = real_min(k->own.project.need, untangle_added(m, s, w, c, k) / m->h);
    }
}

// The unmet need of each contact. Returns 1 if any is more than noise.
static int untangle_is_needed(const tac_model *m, tac_work *w)
{
    int asks = 0;
    for (tac_block *k = blocks_in(w), *end = k + w->program.contacts; k < end; k++) {
        k->own.project.residual = k->own.project.need - rows_rate(k, w->pseudo_velocity, 0);
        asks |= m->h * k->own.project.residual > UNTANGLE_SEEN * k->own.project.rounding;
    }
    return asks;
}

// The compliance of a contact.
static void untangle_soften(const tac_work *w, const tac_contact *c, tac_block *k)
{
    sym3 alone;
    reals_clear(&alone, sizeof alone);
    for (int side = c->body_a == 0; side < 2; side++) {
        rows_add_inertia(&w->moving[side ? c->body_b : c->body_a], k->j[side], &alone);
    }
    k->own.project.soft = UNTANGLE_SOFT * alone.xx;
}

// Adds the effect of a change of one multiplier to all rows: of a contact to its residual, of a coordinate to last[].
static void untangle_push(tac_work *w, uint32_t row, uint32_t each, real change)
{
    tac_reduced *r = reduced_of(w);
    const real *column = r->w[row];
    tac_block *k = w->scratch.solve.block;
    for (uint32_t i = 0; i < w->report.contacts; i++, k++) { k->own.project.residual -= column[each * i] * change; }
    for (uint32_t i = each * w->report.contacts; i < r->rows; i++) { r->last[i] += column[i] * change; }
}

// One pass. Returns 1 if any row has moved by more than rounding.
static int untangle_sweep(const tac_model *m, tac_work *w, uint32_t each)
{
    const tac_reduced *r = reduced_of(w);
    int moved = 0;
    tac_block *k = w->scratch.solve.block;
    for (uint32_t i = 0; i < w->report.contacts; i++, k++) {
        const uint32_t row = each * i;
        const real soft = k->own.project.soft, weight = r->w[row][row] + soft;
        const real next = real_max(k->push + (k->own.project.residual - soft * k->push) / weight, R(0.0));
        const real change = next - k->push;
        if (change == R(0.0)) { continue; }
        moved |= m->h * weight * real_abs(change) > k->own.project.rounding;
        k->push = next;
        untangle_push(w, row, each, change);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t row = r->row[i];
        tac_interval *x = &JOINT_LINK(w)[i].interval[TAC_EFFORT_LIMIT];
        if (!untangle_limited(m, w, i)) { continue; }
        const real weight = r->w[row][row] + REDUCED_LEAST * JOINT_LINK(w)[i].w[JOINT_LAST];
        const real free = r->last[row] - weight * x->push;
        const real change = (real_clamp(free, x->least, x->most) - free) / weight - x->push;
        if (change == R(0.0)) { continue; }
        x->push += change;
        untangle_push(w, row, each, change);
    }
    return moved;
}

// The pseudo-velocities of all multipliers.
static void untangle_apply(const tac_model *m, tac_work *w)
{
    tac_twist *step = w->scratch.solve.step.twist;
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        reduced_push(w, k, v3(k->push, R(0.0), R(0.0)), step);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        if (untangle_limited(m, w, i)) { reduced_drive(w, j, j->interval[TAC_EFFORT_LIMIT].push, step); }
    }
    joint_factor_respond(w);
    untangle_move(m, w, step);
}

// Joints come first: near a stretched loop a motion that satisfies the constraints to first order violates them to
// second. While a constraint is violated no overlap is removed.
static int untangle_must_wait(const tac_model *m, const tac_work *w)
{
    return JOINT_REDUCED(w)->closed && joints_violated(m, w);
}

// The pseudo-velocities before the passes of project.h.
static void untangle_keep(const tac_model *m, tac_work *w)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    phase_take(w, TAC_PHASE_BEFORE);
    reals_copy(w->phase.before, w->pseudo_velocity, m->bodies * sizeof *w->pseudo_velocity);
}

// Without room for W the passes of project.h have changed the pseudo-velocities from `before` as if there were no
// joints. Of this change the part that joints allow is kept: the nearest one in the metric of M.
static void untangle_constrain(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *step = w->scratch.solve.step.twist;
    if (JOINT_COUNT(m) == 0) { return; }
    joint_factor_make(s, w);
    if (untangle_must_wait(m, w)) {
        reals_copy(w->pseudo_velocity, w->phase.before, m->bodies * sizeof *w->pseudo_velocity);
        return;
    }
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const vec3 v = v3_sub(w->pseudo_velocity[i].v, w->phase.before[i].v),
                   turn = v3_sub(w->pseudo_velocity[i].w, w->phase.before[i].w);
        w->pseudo_velocity[i] = w->phase.before[i];
        if (!joint_moves(w, i)) { continue; }
        step[i].v = v3_scale(m->body[i].mass, v);
        step[i].w = v3_mul(m->body[i].inertia, turn);
    }
    joint_factor_respond(w);
    untangle_move(m, w, step);
}

// The projection for trees of joints. Returns 0 where there are none, or no room for W.
static int untangle(const tac_model *m, const tac_state *s, tac_work *w)
{
    const uint32_t each = reduced_formed(w) ? 3 : 1;
    if (JOINT_COUNT(m) == 0) { return 0; }
    if (!untangle_is_needed(m, w)) { return 1; }
    untangle_spare(m, s, w);
    if (!untangle_is_needed(m, w)) { return 1; }
    joint_factor_make(s, w);
    if (untangle_must_wait(m, w)) { return 1; }
    if (each == 1 && !reduced_normals(w)) { return 0; }
    reals_clear(reduced_of(w)->last, reduced_of(w)->rows * sizeof *reduced_of(w)->last);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *j = &JOINT_LINK(w)[i];
        if (untangle_limited(m, w, i)) { untangle_limit(m, w, &JOINT_OF(m)[i], j, &j->interval[TAC_EFFORT_LIMIT]); }
    }
    for (uint32_t i = 0; i < w->report.contacts; i++) { untangle_soften(w, &w->contact[i], &blocks_in(w)[i]); }
    for (int sweep = 0; sweep < UNTANGLE_SWEEPS && untangle_sweep(m, w, each); sweep++) {}
    untangle_apply(m, w);
    return 1;
}

#endif
