// SPDX-License-Identifier: MIT
// share.h - loads of redundant contacts: those of two bodies share the force and the torque that they exert together.
//   given   the impulses of the solve and the velocities that belong to them; the residual that counts as solved
//   makes   of all impulses of a pair of bodies with the same force and torque those of least norm
//   bound   six visits to each contact, where one leaves its cone SHARE_PASSES more
//   never   makes the residual larger than what counts as solved, or changes velocities by more than that
#ifndef SOLVE_SHARE_H
#define SOLVE_SHARE_H

#include "solve.h"

// Impulses g_i of the contacts of two bodies at r_i from their centre make a force and a torque,
//      F = sum g_i,   T = sum r_i x g_i.
// Of all in their sets with the same F and T those of least sum |g_i|^2 are, with multipliers a and b,
//      g_i = P_i(a + b x r_i),
// P_i the projection onto the cone where the contact sticks; where it slides its direction is given, and its normal
// impulse is that of a + b x r_i or none. As long as no P_i cuts, sum r_i = 0 makes
//      a = F/N,   b = S^+ T,   S = sum (|r_i|^2 - r_i r_i').
// Where one does, what is missing of F and T is shared in the same way, and so on: projections never stretch, so passes
// of that length ascend in the dual problem, and the part that they leave tells how much longer they may be. Of a
// sliding contact only the normal impulse counts in F and T here: tangents of one direction follow; where directions
// differ the tangential force may change, by what is unsolved anyway or not at all.
#define SHARE_PASSES 32                         // where cones cut
#define SHARE_FLAT (R(64.0) * REAL_EPSILON)     // of the trace of S: a pivot of contacts in a line
#define SHARE_THIN R(1e-3)                      // of the same: a line, but for its width
#define SHARE_ROUNDING (R(16.0) * REAL_EPSILON) // of F and T
#define SHARE_LONGEST R(16.0)                   // times what is missing is shared in one pass
#define SHARE_PART R(1e-4)                      // of what counts as solved, squares of both: passes end

// The contacts of a pair. Arms are those from the first one; c is that of their centre.
typedef struct share_pair {
    uint32_t sharing, sliding; // how many
    int thin;                  // nearly in a line
    vec3 centre;
    sym3 spread;        // S
    real turn;          // 1/m^2  a torque counts as a force, squares of both
    vec3 force, torque; // F and T, or what is missing of them
    vec3 a, b;          // multipliers, a at the first contact
} share_pair;

// What unsolved velocities may become in all: those below `still` count as zero, and squares of those of contacts that
// begin to bear sum up to `room`.
typedef struct share_terms {
    real still, room;
} share_terms;

static inline tac_block *share_at(tac_work *w, uint16_t i)
{
    return &w->scratch.solve.block[i];
}

// The loads of compliant contacts are unique. Torsion rows, and tangents with a direction, have norms of their own.
static inline int share_may(const tac_block *k)
{
    return !has_torsion(k) && k->soft == R(0.0) && !friction_directed(FRICTION_ACROSS(k));
}

// Does it share the load although its impulse or its velocity leaves that open? The natural map of a contact that
// sticks is at most its velocity whatever it bears, and that of one that slides its normal velocity.
static uint16_t share_face_by_velocity(const tac_work *w, tac_block *k, vec3 g, share_terms *t)
{
    const vec3 u = rows_velocity(k, w->delta_v);
    const real weight = cone_weight(&k->w), bears = weight * g.x, slip = real_sqrt(u.y * u.y + u.z * u.z);
    const int slides = slip > t->still, exact = solve_exact(w);
    const real opens = slides && !exact ? u.x - k->mu * slip : u.x, cost = slides ? opens * opens : v3_dot(u, u);
    if (!slides || opens > bears) {
        if (cost > t->room) { return TAC_OPEN; }
        t->room -= cost;
    }
    if (!slides) { return TAC_STICK; }
    const real scale = bears > t->still ? R(1.0) / g.x : -k->mu / slip;
    const vec3 along = bears > t->still ? g : u;
    k->own.share.slip[0] = scale * along.y;
    k->own.share.slip[1] = scale * along.z;
    return TAC_SLIDE;
}

// A contact well inside its cone sticks.
static uint16_t share_face(const tac_work *w, tac_block *k, share_terms *t)
{
    const vec3 g = v3_of(&w->scratch.solve.g[k->first]);
    const real room = k->mu * g.x - t->still / cone_weight(&k->w);
    if (room > R(0.0) && g.y * g.y + g.z * g.z < room * room) { return TAC_STICK; }
    return share_face_by_velocity(w, k, g, t);
}

// An impulse of a contact, of a sliding one the normal part unless `whole`, adds to force and torque.
static void share_add(const tac_block *k, vec3 g, int whole, share_pair *p)
{
    if (k->own.share.face == TAC_SLIDE && !whole) { g.y = g.z = R(0.0); }
    const vec3 f = v3_combine(k->frame, g);
    p->force = v3_add(p->force, f);
    p->torque = v3_add(p->torque, v3_cross(k->own.share.arm, f));
}

// From the torque about the first contact to that about the centre. Returns the square of force and torque.
static real share_size(share_pair *p)
{
    p->torque = v3_sub(p->torque, v3_cross(p->centre, p->force));
    return v3_dot(p->force, p->force) + p->turn * v3_dot(p->torque, p->torque);
}

// N, S, F and T. Returns the square of these two, 0 if there is nothing to share.
static real share_gather(tac_work *w, uint16_t first, share_terms *t, share_pair *p)
{
    reals_clear(p, sizeof *p);
    for (uint16_t i = first; i != TAC_NONE; i = share_at(w, i)->own.share.next) {
        tac_block *k = share_at(w, i);
        if (!share_may(k)) { return R(0.0); }
        k->own.share.face = share_face(w, k, t);
        if (k->own.share.face == TAC_OPEN) { continue; }
        const vec3 r = k->own.share.arm = v3_sub(w->contact[i].point, w->contact[first].point);
        p->sharing++;
        p->sliding += k->own.share.face == TAC_SLIDE;
        p->centre = v3_add(p->centre, r);
        sym3_add_outer(&p->spread, R(-1.0), &r);
        share_add(k, v3_of(&w->scratch.solve.g[k->first]), 0, p);
    }
    if (p->sharing < 2 || (p->sharing == 2 && p->sliding == 2)) { return R(0.0); }
    const real n = (real)p->sharing;
    p->centre = v3_scale(R(1.0) / n, p->centre);
    sym3_add_outer(&p->spread, n, &p->centre);
    const real size = -sym3_trace(&p->spread);
    p->spread.xx += size, p->spread.yy += size, p->spread.zz += size;
    p->turn = size > R(0.0) ? n / size : R(0.0);
    return share_size(p);
}

// S^+ T, for T that S has. It is exact to rounding unless the contacts are nearly in a line: then they are `thin`.
static vec3 share_turn(share_pair *p)
{
    const sym3 *s = &p->spread;
    const vec3 t = p->torque;
    const real size = sym3_trace(s), least = SHARE_FLAT * size;
    const real x = s->xx > least ? R(1.0) / s->xx : R(0.0), xy = x * s->xy, xz = x * s->xz;
    const real yy = s->yy - xy * s->xy, yz = s->yz - xy * s->xz, ty = t.y - xy * t.x;
    const real y = yy > least ? R(1.0) / yy : R(0.0), f = y * yz;
    const real zz = s->zz - xz * s->xz - f * yz, tz = t.z - xz * t.x - f * ty;
    vec3 b;
    b.z = zz > least ? tz / zz : R(0.0);
    b.y = y * ty - f * b.z;
    b.x = x * t.x - xy * b.y - xz * b.z;
    p->thin = real_min(s->xx, real_min(yy, zz)) < SHARE_THIN * size;
    return b;
}

// Shares what is missing, so many times.
static void share_step(real times, share_pair *p)
{
    const vec3 b = share_turn(p);
    const vec3 a = v3_sub(v3_scale(R(1.0) / (real)p->sharing, p->force), v3_cross(b, p->centre));
    p->a = v3_madd(p->a, times, a);
    p->b = v3_madd(p->b, times, b);
}

// The impulses of the multipliers. Returns 1 if a cone has cut one, or they may be inexact.
static int share_project(tac_work *w, uint16_t first, const share_pair *p)
{
    int cut = p->thin;
    for (uint16_t i = first; i != TAC_NONE; i = share_at(w, i)->own.share.next) {
        tac_block *k = share_at(w, i);
        if (k->own.share.face == TAC_OPEN) { continue; }
        const vec3 z = v3_components(k->frame, v3_add(p->a, v3_cross(p->b, k->own.share.arm)));
        const int stick = k->own.share.face == TAC_STICK;
        const real n = real_max(z.x, R(0.0));
        k->own.share.g =
            stick ? cone_project(z, k->mu, R(1.0), R(1.0)) : v3(n, n * k->own.share.slip[0], n * k->own.share.slip[1]);
        cut |= k->own.share.g.x != z.x;
    }
    return cut;
}

// What is missing of F and T. Returns its square.
static real share_missing(tac_work *w, uint16_t first, int whole, share_pair *p)
{
    p->force = p->torque = V3_ZERO;
    for (uint16_t i = first; i != TAC_NONE; i = share_at(w, i)->own.share.next) {
        const tac_block *k = share_at(w, i);
        if (k->own.share.face == TAC_OPEN) { continue; }
        share_add(k, v3_sub(v3_of(&w->scratch.solve.g[k->first]), k->own.share.g), whole, p);
    }
    return share_size(p);
}

static void share_keep(tac_work *w, uint16_t first, int moves)
{
    for (uint16_t i = first; i != TAC_NONE; i = share_at(w, i)->own.share.next) {
        const tac_block *k = share_at(w, i);
        real *g = &w->scratch.solve.g[k->first];
        if (k->own.share.face == TAC_OPEN) { continue; }
        if (moves) { rows_apply(k, v3_sub(k->own.share.g, v3_of(g)), w->moving, w->delta_v); }
        v3_put(g, k->own.share.g);
    }
}

// Passes, each as much longer as the last one has left.
static real share_passes(tac_work *w, uint16_t first, real missing, real enough, share_pair *p)
{
    real times = R(1.0);
    for (int pass = 0; pass < SHARE_PASSES && missing > enough; pass++) {
        const real before = missing;
        share_step(times, p);
        missing = share_project(w, first, p) ? share_missing(w, first, 0, p) : R(0.0);
        const real left = real_sqrt(missing / before);
        times = left < R(1.0) ? real_min(times / (R(1.0) - left), SHARE_LONGEST) : R(1.0);
    }
    return p->sliding > 0 ? share_missing(w, first, 1, p) : missing;
}

static void share_pair_load(tac_work *w, uint16_t first, share_terms *t)
{
    share_pair p;
    const real size = share_gather(w, first, t, &p), rounding = SHARE_ROUNDING * SHARE_ROUNDING * size;
    const real weight = cone_weight(&share_at(w, first)->w), room = t->room / (weight * weight);
    if (!(size > R(0.0))) { return; }
    const real missing = share_passes(w, first, size, real_max(rounding, SHARE_PART * room), &p);
    const int moves = missing > rounding;
    if (moves && (PROGRAM_JOINTS(w) > 0 || missing > room)) { return; }
    if (moves) { t->room -= weight * weight * missing; }
    share_keep(w, first, moves);
}

// Contacts of pairs of bodies whose indices have the same sum, modulo the number of bodies, as lists.
static void share_list(tac_work *w)
{
    const uint32_t bodies = w->program.bodies;
    phase_take(w, TAC_PHASE_SHARE);
    phase_take_blocks(w, TAC_BLOCKS_SHARE);
    for (uint32_t i = 0; i < bodies; i++) { w->phase.first[i] = TAC_NONE; }
    for (uint32_t i = w->program.contacts; i-- > 0;) {
        tac_block *k = share_at(w, (uint16_t)i);
        const uint32_t sum = (uint32_t)k->body[0] + k->body[1];
        uint16_t *first = &w->phase.first[sum < bodies ? sum : sum - bodies];
        k->own.share.next = *first;
        *first = (uint16_t)i;
    }
}

// Takes the contacts of the pair of the first one out of a list. Returns the first of those that are left.
static uint16_t share_take(tac_work *w, uint16_t first)
{
    uint16_t rest = TAC_NONE, *pair = &share_at(w, first)->own.share.next, *other = &rest;
    for (uint16_t i = *pair; i != TAC_NONE; i = share_at(w, i)->own.share.next) {
        const tac_block *a = share_at(w, first), *b = share_at(w, i);
        uint16_t **end = a->body[0] == b->body[0] && a->body[1] == b->body[1] ? &pair : &other;
        **end = i;
        *end = &share_at(w, i)->own.share.next;
    }
    *pair = *other = TAC_NONE;
    return rest;
}

static void share(tac_work *w)
{
    const real enough = solve_enough(w, SOLVE_BLURRED);
    const real left = enough * enough - w->progress.measure * w->progress.measure;
    share_terms t = {enough, w->progress.converged ? real_max(left, R(0.0)) : R(0.0)};
    share_list(w);
    for (uint32_t i = 0; i < w->program.bodies; i++) {
        for (uint16_t first = w->phase.first[i]; first != TAC_NONE;) {
            const uint16_t rest = share_take(w, first);
            if (share_at(w, first)->own.share.next != TAC_NONE) { share_pair_load(w, first, &t); }
            first = rest;
        }
    }
}

#endif
