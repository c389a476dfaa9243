// SPDX-License-Identifier: MIT
// untangle.h - overlaps of robots are moved out as far as their joints allow: the position projection with joints.
//   given   what each contact needs, joints, velocities at the end of the step, shifts so far
//   makes   a shift of bodies that keeps joints together, and where they are trees every coordinate in its limits
//   bound   UNTANGLE_SWEEPS passes over normals and limits, on their dense W; a solution of the trees
//   never   moves a body far: links that overlap for good are left apart from what they should be, not torn
#ifndef STEP_UNTANGLE_H
#define STEP_UNTANGLE_H

#include "impact.h"

#define UNTANGLE_TURN R(0.05) // rad, most that a step turns a body by this: beyond that a normal means little
#define UNTANGLE_REACH R(1.0) // of the deepest overlap, most that a step moves a body by this

#if TAC_MAX_JOINTS > 0

// How deep the deepest overlap is at the end of the step.
static real untangle_deepest(const tac_model *m, const tac_work *w)
{
    real deepest = R(0.0);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        deepest = real_max(deepest, -(c->gap + m->h * c->velocity.x));
    }
    return deepest;
}

// shift += step, scaled down as a whole where it would turn a body too much or move it too far.
static void untangle_move(const tac_model *m, tac_work *w, const tac_twist *step)
{
    real turn = R(0.0), way = R(0.0), part = R(1.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        turn = real_max(turn, m->h * v3_norm(step[i].w));
        way = real_max(way, m->h * v3_norm(step[i].v));
    }
    const real reach = UNTANGLE_REACH * untangle_deepest(m, w);
    if (turn > UNTANGLE_TURN) { part = UNTANGLE_TURN / turn; }
    if (part * way > reach) { part = reach / way; }
    for (uint16_t i = 1; i < m->bodies; i++) {
        w->shift[i].v = v3_madd(w->shift[i].v, part, step[i].v);
        w->shift[i].w = v3_madd(w->shift[i].w, part, step[i].w);
    }
}

// Pushes act on W = D'A^-1 D of the trees, A with joints: whatever they are, J shift stays as it is. Hard limits are
// rows too, with a push from either side. What joints nearly hold back is not forced:
//      0 <= push  perp  W push + soft push - lack >= 0,     soft = UNTANGLE_SOFT W without joints
// moves bodies by at most 1/(2 sqrt(UNTANGLE_SOFT)) of what the overlap of free bodies would.
#define UNTANGLE_SOFT R(1e-3)
#define UNTANGLE_SWEEPS 32

// A coordinate with hard limits: where the limit presses the shift may have no rate.
static int untangle_limited(const tac_model *m, tac_work *w, uint32_t i)
{
    const tac_box *x = &JOINT_LINK(w)[i].box[TAC_BOX_LIMIT];
    return i < JOINT_COUNT(m) && x->used && x->hard && reduced_of(w)->row[i] != TAC_NONE;
}

static void untangle_limit(const tac_model *m, const tac_work *w, const tac_joint *j, const tac_joint_block *k,
                           tac_box *x)
{
    const int low = x->lo == R(0.0);
    const real u = joint_rate(j, k, w->gain, JOINT_LAST) + x->bias, width = k->scale * (j->upper - j->lower) / m->h;
    const real near = real_max(low ? u : -u, R(0.0)), far = real_max(width - near, R(0.0));
    x->least = k->target ? R(0.0) : -(low ? near : far);
    x->most = k->target ? R(0.0) : (low ? far : near);
    x->push = x->rate = R(0.0);
}

// What the contact lacks, and how soft it is. Does it ask for anything?
static int untangle_lack(const tac_work *w, const tac_contact *c, tac_block *k)
{
    sym3 alone;
    reals_clear(&alone, sizeof alone);
    for (int side = c->body_a == 0; side < 2; side++) {
        rows_add_inertia(&w->moving[side ? c->body_b : c->body_a], k->j[side], &alone);
    }
    k->own.project.soft = UNTANGLE_SOFT * alone.xx;
    k->own.project.lack = k->own.project.need - rows_rate(c, k, w->shift, 0);
    return k->own.project.lack > R(0.0);
}

static int untangle_begin(tac_work *w)
{
    int asks = 0;
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        asks |= untangle_lack(w, c, k);
    }
    return asks;
}

// A row has been pushed: what that does to all others.
static void untangle_push(const tac_model *m, tac_work *w, uint32_t row, uint32_t each, real change)
{
    const tac_reduced *r = reduced_of(w);
    const real *column = r->w[row];
    tac_block *k = w->scratch.solve.block;
    for (uint32_t i = 0; i < w->report.contacts; i++, k++) { k->own.project.lack -= column[each * i] * change; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        if (untangle_limited(m, w, i)) { JOINT_LINK(w)[i].box[TAC_BOX_LIMIT].rate += column[r->row[i]] * change; }
    }
}

// One pass. Has anything moved farther than rounding?
static int untangle_sweep(const tac_model *m, tac_work *w, uint32_t each)
{
    const tac_reduced *r = reduced_of(w);
    int moved = 0;
    tac_block *k = w->scratch.solve.block;
    for (uint32_t i = 0; i < w->report.contacts; i++, k++) {
        const uint32_t row = each * i;
        const real soft = k->own.project.soft, weight = r->w[row][row] + soft;
        const real next = real_max(k->push + (k->own.project.lack - soft * k->push) / weight, R(0.0));
        const real change = next - k->push;
        if (change == R(0.0)) { continue; }
        moved |= m->h * weight * real_abs(change) > k->own.project.rounding;
        k->push = next;
        untangle_push(m, w, row, each, change);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t row = r->row[i];
        tac_box *x = &JOINT_LINK(w)[i].box[TAC_BOX_LIMIT];
        if (!untangle_limited(m, w, i)) { continue; }
        const real weight = r->w[row][row] + REDUCED_LEAST * JOINT_LINK(w)[i].w[JOINT_LAST];
        const real free = x->rate - weight * x->push;
        const real change = (real_clamp(free, x->least, x->most) - free) / weight - x->push;
        if (change == R(0.0)) { continue; }
        x->push += change;
        untangle_push(m, w, row, each, change);
    }
    return moved;
}

// The shift that all pushes make.
static void untangle_apply(const tac_model *m, tac_work *w)
{
    tac_twist *step = w->scratch.solve.step;
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        reduced_push(w, c, k, v3(k->push, R(0.0), R(0.0)), step);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *j = &JOINT_LINK(w)[i];
        if (untangle_limited(m, w, i)) { reduced_drive(w, &JOINT_OF(m)[i], j, j->box[TAC_BOX_LIMIT].push, step); }
    }
    articulated_solve(m, w, step);
    untangle_move(m, w, step);
}

// Bodies that joints connect get one number in limb[].mark, that of the first of them; 0 where they hang on what no
// impulse moves.
static void untangle_groups(const tac_model *m, tac_work *w)
{
    tac_limb *limb = reduced_of(w)->limb;
    for (uint16_t i = 0; i < m->bodies; i++) { limb[i].mark = joint_moves(w, i) ? i : 0; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING) { continue; }
        const uint16_t a = limb[j->body_a].mark, b = limb[j->body_b].mark, first = a < b ? a : b;
        for (uint16_t k = 0; k < m->bodies; k++) {
            if (limb[k].mark == a || limb[k].mark == b) { limb[k].mark = first; }
        }
    }
}

// The momentum of all shifts of a group in step[].v of its first body, its mass in w.x, how many they are in w.y.
static void untangle_group_sums(const tac_model *m, tac_work *w)
{
    tac_twist *step = w->scratch.solve.step;
    reals_clear(step, m->bodies * sizeof *step);
    for (uint16_t i = 1; i < m->bodies; i++) {
        tac_twist *sum = &step[reduced_of(w)->limb[i].mark];
        sum->v = v3_madd(sum->v, m->body[i].mass, v3_sub(w->shift[i].v, w->previous[i].v));
        sum->w = v3_add(sum->w, v3(m->body[i].mass, R(1.0), R(0.0)));
    }
}

// Without room for A what joints connect is moved as a whole, by what its centre of mass has been: pushes between its
// own links add up to nothing, and the floor lifts all of it.
static void untangle_groups_move(const tac_model *m, tac_work *w)
{
    untangle_groups(m, w);
    untangle_group_sums(m, w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const uint16_t group = reduced_of(w)->limb[i].mark;
        const tac_twist *sum = &w->scratch.solve.step[group];
        if (group != 0 && sum->w.y == R(1.0)) { continue; }
        const vec3 way = group != 0 ? v3_scale(R(1.0) / sum->w.x, sum->v) : V3_ZERO;
        w->shift[i] = (tac_twist){v3_add(w->previous[i].v, way), w->previous[i].w};
    }
}

// Does a push act between two bodies that joints connect, or that both hang on what no impulse moves?
static int untangle_within(const tac_model *m, tac_work *w)
{
    const tac_limb *limb = reduced_of(w)->limb;
    const tac_block *k = w->scratch.solve.block;
    untangle_groups(m, w);
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (k->push != R(0.0) && limb[c->body_a].mark == limb[c->body_b].mark) { return 1; }
    }
    return 0;
}

// Is there Newton's matrix of this step, with the contacts in it? Joints then follow a foot that has been lifted, and do
// not press it back (assemble.h).
static int untangle_follows(const tac_work *w)
{
    const tac_progress *p = &w->progress;
    return !p->trees && p->solver == TAC_SOLVER_DIRECT && p->factored != R(0.0) && !p->bare;
}

// Joints come first: where a loop is nearly stretched, what its constraints allow at first order they do not allow at
// second, and while one is violated no overlap is worked at.
static int untangle_waits(const tac_model *m, const tac_work *w)
{
    return !w->progress.trees && joints_apart(m, w);
}

// Where there is no room for W, passes without joints have moved the shift from `previous`. Of this what joints allow
// is kept, the nearest in the metric of the masses; all of it where joints follow and no push works against them.
static void untangle_bind(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *step = w->scratch.solve.step;
    if (JOINT_COUNT(m) == 0) { return; }
    if (untangle_follows(w) && !untangle_within(m, w)) { return; }
    if (!settle_factor(m, s, w)) {
        untangle_groups_move(m, w);
        return;
    }
    if (untangle_waits(m, w)) {
        reals_copy(w->shift, w->previous, m->bodies * sizeof *w->shift);
        return;
    }
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const vec3 v = v3_sub(w->shift[i].v, w->previous[i].v), turn = v3_sub(w->shift[i].w, w->previous[i].w);
        w->shift[i] = w->previous[i];
        if (!joint_moves(w, i)) { continue; }
        step[i].v = v3_scale(m->body[i].mass, v);
        step[i].w = v3_mul(m->body[i].inertia, turn);
    }
    settle_solve(m, w);
    untangle_move(m, w, step);
}

// The projection for trees of joints. Returns 0 where there are none, or no room for W.
static int untangle(const tac_model *m, const tac_state *s, tac_work *w)
{
    const uint32_t each = w->progress.reduced ? 3 : 1;
    if (JOINT_COUNT(m) == 0) { return 0; }
    if (!untangle_begin(w)) { return 1; }
    if (each == 1 && (!settle_trees(m, s, w) || !reduced_normals(m, w))) { return 0; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *j = &JOINT_LINK(w)[i];
        if (untangle_limited(m, w, i)) { untangle_limit(m, w, &JOINT_OF(m)[i], j, &j->box[TAC_BOX_LIMIT]); }
    }
    for (int sweep = 0; sweep < UNTANGLE_SWEEPS && untangle_sweep(m, w, each); sweep++) {}
    untangle_apply(m, w);
    return 1;
}

#else

static int untangle(const tac_model *m, const tac_state *s, tac_work *w)
{
    (void)m, (void)s, (void)w;
    return 0;
}

static void untangle_bind(const tac_model *m, const tac_state *s, tac_work *w)
{
    (void)m, (void)s, (void)w;
}

#endif

#endif
