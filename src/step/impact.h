// SPDX-License-Identifier: MIT
// impact.h - restitution: the impacts within a step, each when it happens, before the cone program.
//   given   contacts and blocks, velocities at the start of the step, gains by forces
//   makes   gains and bounces of the impacts, what of them comes late; b of the normal rows for the cone program
//   bound   impact_most() impulses, some passes over the contacts each; IMPACT_SWEEPS visits of those that meet at once
//   never   adds kinetic energy; does anything where no contact has restitution
#ifndef STEP_IMPACT_H
#define STEP_IMPACT_H

#include "move.h"

// Newton's law for all contacts of a step at once gains energy where a contact that opens is closed by its neighbours,
// and loses it where a contact is reached only because of another. So impacts are taken one after the other in time,
// and at each time only those contacts are reflected that approach, again and again until none does (generalised
// reflections: Smith, Kaufman, Vouga, Tamstorf, Grinspun 2012). Contacts keep the frame that they have at the start of
// the step. Between impacts bodies move on the parabola of free flight (move.h); torques act at the start of the step.
// At the part t of it, with kick what forces add to v in the step, and the impulses p_j of impacts at t_j before,
//      u(t)   = D'(v + gain) - (1 - t) D'kick,                gain = M^-1 h f + sum M^-1 D p_j,
//      gap(t) = gap + h (D'late + t (u(t) - t/2 D'kick)),     late = -sum t_j M^-1 D p_j.
// An impulse acts only from t_j on: `late` is a part of the shift that moves the poses (src/step/README.md).
#define IMPACT_NEVER R(2.0)  // not in this step
#define IMPACT_EACH 16       // impulses for each contact,
#define IMPACT_LEAST 256     // or so many if that is more; then the cone program stops what still approaches
#define IMPACT_SWEEPS 32     // visits of contacts that meet at once
#define IMPACT_NOISE R(64.0) // roundings of the fastest approach: what is slower is none

// u_n(t)
static real impact_speed(const tac_contact *c, const tac_block *k, const tac_work *w, real t)
{
    return k->bias.x - k->target + rows_rate(c, k, w->gain, 0) - (R(1.0) - t) * k->own.impact.kick.x;
}

// u(t), what the cone program asks for left out.
static vec3 impact_velocity(const tac_contact *c, const tac_block *k, const tac_work *w, real t)
{
    vec3 u = rows_velocity(c, k, w->gain);
    u.x -= k->target;
    return v3_madd(u, t - R(1.0), k->own.impact.kick);
}

// gap(t), at the speed that the contact has then.
static real impact_gap(const tac_model *m, const tac_contact *c, const tac_block *k, const tac_work *w, real speed,
                       real t)
{
    const real late = rows_rate(c, k, w->previous, 0); // this pass keeps it there
    return c->gap + m->h * (late + t * (speed - R(0.5) * t * k->own.impact.kick.x));
}

// The part t of the step that passes until  gap + t h speed + t^2 h kick/2 = 0,  unless surfaces meet more slowly than
// `least`.
static real impact_wait(real gap, real speed, real kick, real h, real rounding, real least)
{
    if (gap <= rounding) { return speed < -least ? R(0.0) : IMPACT_NEVER; }
    const real square = speed * speed - R(2.0) * kick * gap / h; // of the speed at which they meet
    if (!(square > least * least)) { return IMPACT_NEVER; }
    const real wait = R(2.0) * gap / (h * (real_sqrt(square) - speed));
    return wait >= R(0.0) ? wait : IMPACT_NEVER;
}

// ----------------------------------------------------------------------------------------------------- joints: at once

// Does one of the two bodies hang on others? An impulse on it moves these at the same instant: its impacts are left to
// the cone program, all at once.
static int impact_jointed(const tac_model *m, const tac_work *w, const tac_contact *c)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING) { continue; }
        const uint16_t end[2] = {j->body_a, j->body_b};
        for (int side = 0; side < 2; side++) {
            const int moves = w->moving[end[side]].inv_mass > R(0.0);
            if (moves && (end[side] == c->body_a || end[side] == c->body_b)) { return 1; }
        }
    }
    return 0;
}

// Newton's law in the cone program. The surface is met at the part tau of the step with speed v_i; the body leaves with
// -e v_i, so at the end of the step velocity and gap are
//      v+ = -e v_i + (1/2 - tau) kick,                         gap+ = -e v_i (1 - tau) h + kick (1 - tau)^2 h/2.
// The impulse makes v+; that it acts only after `delay` of the step makes gap+.
static void impact_together(const tac_model *m, const tac_contact *c, const tac_work *w, tac_block *k)
{
    const real h = m->h, kick = rows_rate(c, k, w->gain, 0), gap = c->gap;
    const real speed = k->bias.x - k->target + R(0.5) * kick;
    const real tau = impact_wait(gap, speed, kick, h, R(0.0), model_bounce(m)), rest = R(1.0) - tau;
    if (rest < R(0.0)) { return; }
    const real leave = -c->restitution * (speed + tau * kick);
    const real target = real_max(leave + (R(0.5) - tau) * kick, R(0.0));
    const real gap_after = real_max((leave + R(0.5) * kick * rest) * rest * h, R(0.0));
    const real change = h * (target - (speed + R(0.5) * kick));
    k->delay = real_clamp((real_max(gap, R(0.0)) + h * target - gap_after) / change, R(0.0), R(1.0));
    k->bias.x -= k->target + target;
    k->target = -target;
}

// ------------------------------------------------------------------------------------------------ free bodies: in time

// When the contact has its next impact, from now on; `slack` is what rounding of its gap makes of that.
static void impact_await(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c, tac_block *k,
                         real least, real now)
{
    const real speed = impact_speed(c, k, w, now), rounding = rows_rounding(m, c, s);
    const real gap = impact_gap(m, c, k, w, speed, now), kick = k->own.impact.kick.x;
    const real time = now + impact_wait(gap, speed, kick, m->h, rounding, least);
    k->own.impact.time = time <= R(1.0) ? time : IMPACT_NEVER;
    k->own.impact.slack = rounding / (m->h * real_max(real_abs(speed), least));
}

// Of what flies freely: its shift is half of what forces add to its velocity, back.
static vec3 impact_kick(const tac_work *w, const tac_contact *c)
{
    const vec3 back = v3_sub(w->shift[c->body_a].v, w->shift[c->body_b].v);
    return v3_scale(R(2.0), v3_components(rows_frame(c), back));
}

// The first impact of each contact that may bounce, if its bodies are free. Returns the least approach that is one; a
// negative number if no contact may bounce.
static real impact_begin(const tac_model *m, const tac_state *s, tac_work *w)
{
    real fastest = R(-1.0);
    tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (!(c->restitution > R(0.0))) { continue; }
        k->own.impact.kick = impact_kick(w, c);
        fastest = real_max(fastest, real_abs(k->bias.x - k->target) + real_abs(k->own.impact.kick.x));
    }
    if (fastest < R(0.0)) { return fastest; }

    const real least = real_max(model_bounce(m), IMPACT_NOISE * REAL_EPSILON * fastest);
    reals_clear(w->previous, m->bodies * sizeof *w->previous);
    k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const int free = c->restitution > R(0.0) && !impact_jointed(m, w, c);
        k->own.impact.time = k->own.impact.slack = IMPACT_NEVER;
        if (free) { impact_await(m, s, w, c, k, least, R(0.0)); }
    }
    return least;
}

// The contacts that meet first, and when. What rounding alone keeps apart in time meets at once: a box that lands flat
// leaves flat.
typedef struct impact_group {
    real now;
    uint32_t first, end; // they lie in between; each is to leave at some speed, others are not
    uint32_t count;
} impact_group;

static impact_group impact_first(tac_work *w, real least)
{
    impact_group g = {IMPACT_NEVER, 0, 0, 0};
    for (uint32_t i = 0; i < w->report.contacts; i++) { g.now = real_min(g.now, w->scratch.block[i].own.impact.time); }
    for (uint32_t i = 0; i < w->report.contacts && g.now <= R(1.0); i++) {
        const tac_contact *c = &w->contact[i];
        tac_block *k = &w->scratch.block[i];
        k->own.impact.leave = R(0.0);
        k->own.impact.impulse = V3_ZERO;
        if (!(k->own.impact.time <= R(1.0)) || k->own.impact.time > g.now + k->own.impact.slack) { continue; }
        const real speed = impact_speed(c, k, w, g.now);
        k->own.impact.time = IMPACT_NEVER;
        if (!(speed < -least)) { continue; }
        k->own.impact.leave = -c->restitution * speed;
        g.first = g.count == 0 ? i : g.first;
        g.end = i + 1;
        g.count++;
    }
    return g;
}

// One member: its normal impulse, then friction within the cone, the others held. Returns the work of both on all
// bodies; adds what it moved.
static real impact_visit(const tac_contact *c, tac_block *k, tac_work *w, real now, real *moved)
{
    vec3 *p = &k->own.impact.impulse;
    const real lack = impact_speed(c, k, w, now) - k->own.impact.leave;
    const real push = real_max(p->x - lack / k->w.xx, R(0.0)) - p->x;
    real work = push * (lack + k->own.impact.leave + R(0.5) * push * k->w.xx);
    p->x += push;
    rows_push(c, k, push, w->moving, w->gain);
    *moved = real_max(*moved, real_abs(push) * k->w.xx);
    if (!(c->mu > R(0.0))) { return work; }

    const vec3 u = impact_velocity(c, k, w, now);
    const real yz = real_abs(k->w.yz), weight = real_max(k->w.yy + yz, k->w.zz + yz);
    const real y = p->y - u.y / weight, z = p->z - u.z / weight;
    const real size = real_sqrt(y * y + z * z), rim = c->mu * p->x, part = size > rim ? rim / size : R(1.0);
    const vec3 change = v3(R(0.0), part * y - p->y, part * z - p->z);
    work += v3_dot(change, v3_madd(u, R(0.5), sym3_mul(&k->w, change)));
    *p = v3_add(*p, change);
    rows_apply(c, k, change, w->moving, w->gain);
    *moved = real_max(*moved, real_max(real_abs(change.y), real_abs(change.z)) * weight);
    return work;
}

// Impulses of the group: Newton's law, u_n+ = -e u_n, and Coulomb's. Multiplied by s they do the work s L + s^2 Q. By
// Newton's law without friction that is s/2 sum p_n (1 - e) u_n: it gives s, which is 1 but where the passes have not
// come to their end (a light ball between heavy ones); with e = 1 nothing is lost then either. With friction, which the
// shape of a body couples to the normal, the laws together may add energy (Kane's paradox): all impulses are shortened
// until they do not. What still approaches meets again.
static void impact_solve(tac_work *w, const impact_group *g)
{
    const real now = g->now;
    real work = R(0.0), moved = R(1.0), leave = R(0.0), power = R(0.0), asked = R(0.0), friction = R(0.0);
    for (int sweep = 0; sweep < IMPACT_SWEEPS && moved > REAL_EPSILON * leave; sweep++) {
        moved = R(0.0);
        for (uint32_t i = g->first; i < g->end; i++) {
            tac_block *k = &w->scratch.block[i];
            if (!(k->own.impact.leave > R(0.0))) { continue; }
            leave = real_max(leave, k->own.impact.leave);
            work += impact_visit(&w->contact[i], k, w, now, &moved);
        }
    }
    for (uint32_t i = g->first; i < g->end; i++) {
        const tac_contact *c = &w->contact[i];
        const tac_block *k = &w->scratch.block[i];
        if (!(k->own.impact.leave > R(0.0))) { continue; }
        const real approach = k->own.impact.leave / c->restitution;
        power += v3_dot(k->own.impact.impulse, impact_velocity(c, k, w, now)); // L + 2 Q
        asked += R(0.5) * k->own.impact.impulse.x * (k->own.impact.leave + approach);
        friction = real_max(friction, c->mu);
    }
    const real square = power - work, linear = R(2.0) * work - power;
    const int free = friction == R(0.0);
    if (!(square > R(0.0)) || (free && g->count == 1) || (!free && !(work > R(0.0)))) { return; }
    const real part = free ? asked / square : real_clamp(-linear / square, R(0.0), R(1.0));
    for (uint32_t i = g->first; i < g->end; i++) {
        vec3 *p = &w->scratch.block[i].own.impact.impulse;
        rows_apply(&w->contact[i], &w->scratch.block[i], v3_scale(part - R(1.0), *p), w->moving, w->gain);
        *p = v3_scale(part, *p);
    }
}

static int impact_touches(const tac_work *w, const tac_contact *c, const tac_contact *d)
{
    const uint16_t a = d->body_a, b = d->body_b;
    return (w->moving[a].inv_mass > R(0.0) && (a == c->body_a || a == c->body_b)) ||
           (w->moving[b].inv_mass > R(0.0) && (b == c->body_a || b == c->body_b));
}

// The impulses of the group are known: they act from now on. All contacts of the bodies that they move wait anew.
static void impact_take(const tac_model *m, const tac_state *s, tac_work *w, const impact_group *g, real least)
{
    for (uint32_t i = g->first; i < g->end; i++) {
        tac_contact *c = &w->contact[i];
        tac_block *k = &w->scratch.block[i];
        if (!(k->own.impact.leave > R(0.0))) { continue; }
        const vec3 late = v3_scale(g->now, k->own.impact.impulse);
        c->bounce = v3_add(c->bounce, k->own.impact.impulse);
        k->late = v3_add(k->late, late);
        rows_apply(c, k, v3_scale(R(-1.0), late), w->moving, w->previous);
    }
    for (uint32_t i = g->first; i < g->end; i++) {
        if (!(w->scratch.block[i].own.impact.leave > R(0.0))) { continue; }
        tac_block *k = w->scratch.block;
        for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
            const int waits = c->restitution > R(0.0) && impact_touches(w, c, &w->contact[i]);
            if (waits && !impact_jointed(m, w, c)) { impact_await(m, s, w, c, k, least, g->now); }
        }
    }
}

static uint32_t impact_most(const tac_work *w)
{
    const uint32_t most = IMPACT_EACH * (uint32_t)w->report.contacts;
    return most > IMPACT_LEAST ? most : IMPACT_LEAST;
}

// Does the contact end the step open, on its parabola, after all impacts?
static int impact_opens(const tac_model *m, const tac_contact *c, const tac_block *k, const tac_work *w)
{
    return impact_gap(m, c, k, w, impact_speed(c, k, w, R(1.0)), R(1.0)) > R(0.0);
}

// b of the normal rows, of the gap that an impulse over the whole step starts from: h late has been added to it. A
// contact that has bounced is then behind its surface though it will be open at the end: that asks for no velocity. An
// overlap stays what it is. So b is never negative, no velocity at all is allowed by the cone program, and as the
// nearest allowed ones its velocities have no more energy than those that it starts from. What ends the step open
// without the cone program is above x + h v+ by h kick/2: it is not stopped before it arrives.
static void impact_end(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const int opens = c->restitution > R(0.0) && impact_opens(m, c, k, w);
        const real late = rows_rate(c, k, w->previous, 0) - (opens ? R(0.5) * k->own.impact.kick.x : R(0.0));
        if (late != R(0.0)) {
            const real gap = real_max(c->gap + m->h * late, real_min(c->gap, R(0.0)));
            const real target = rows_target(m, gap, rows_rounding(m, c, s));
            k->bias.x += target - k->target;
            k->target = target;
        }
        if (c->restitution > R(0.0) && impact_jointed(m, w, c)) { impact_together(m, c, w, k); }
    }
}

static void impact(const tac_model *m, const tac_state *s, tac_work *w)
{
    const real least = impact_begin(m, s, w);
    if (least < R(0.0)) { return; }
    const uint32_t most = impact_most(w);
    uint32_t count = 0;
    while (count < most) {
        const impact_group g = impact_first(w, least);
        if (!(g.now <= R(1.0))) { break; }
        if (g.count > 0) {
            impact_solve(w, &g);
            impact_take(m, s, w, &g, least);
        }
        count += g.count > 0 ? g.count : 1;
    }
    w->report.impacts = (uint16_t)(count < UINT16_MAX ? count : UINT16_MAX);
    impact_end(m, s, w);
}

// What impulses do from the impact on moves the bodies only for the rest of the step.
static void impact_delay(tac_work *w)
{
    const tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (k->delay == R(0.0) && c->bounce.x == R(0.0)) { continue; }
        rows_apply(c, k, v3_scale(R(-1.0), v3_madd(k->late, k->delay, c->impulse)), w->moving, w->shift);
#if TAC_ROLLING
        if (resists(c)) { resist_turn(c, k, v3_scale(-k->delay, k->resist.impulse), w->moving, w->shift); }
#endif
    }
}

#endif
