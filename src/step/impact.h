// SPDX-License-Identifier: MIT
// impact.h - restitution: the impacts within a step, each at its time, before the cone program.
//   given   contacts and blocks, joints, velocities at the start of the step, changes of velocity by forces
//   makes   changes of velocity and bounces of the impacts, `delayed`; b of the normal rows for the cone program
//   bound   impact_limit() impulses, some passes over the contacts each; IMPACT_SWEEPS visits of simultaneous contacts
//   never   adds kinetic energy; does anything where no contact has restitution
#ifndef STEP_IMPACT_H
#define STEP_IMPACT_H

#include "../model/model.h"
#include "response.h"

// Newton's law for all contacts of a step at once creates energy where a contact that opens is closed by its
// neighbours, and loses it where a contact is reached only because of another. So impacts are taken one after the other
// in time, and at each time only the approaching contacts are reflected, repeatedly until none approaches (generalised
// reflections: Smith, Kaufman, Vouga, Tamstorf, Grinspun 2012). Contacts keep the frame that they have at the start of
// the step. Between impacts bodies move on parabolas (response.h): at the fraction t of the step, with the impulses p_j
// of impacts at t_j before and A the mass matrix of a free body or of all bodies that joints connect,
//      u(t)   = D'(v + delta_v + start + t kick),            delta_v = M^-1 h f + sum A^-1 D p_j,
//      gap(t) = gap + h (D'delayed + t (u(t) - t/2 D'kick)),    delayed = -sum t_j A^-1 D p_j.
// An impulse acts only from t_j on: `delayed` is the part of the pseudo-velocity that cancels its motion before t_j
// (src/step/README.md). While impacts are computed `bias` contains D'start, and W of the contacts that meet is D'A^-1
// D. D'A^-1 D p is the change of u by their impulse, so along a fixed direction Newton's law with e <= 1 removes
// energy, whatever is joined to the bodies.
#define IMPACT_NEVER R(2.0)  // not in this step
#define IMPACT_EACH 16       // impulses for each contact,
#define IMPACT_LEAST 256     // or this many if that is more; then the cone program stops contacts that still approach
#define IMPACT_SWEEPS 32     // visits of contacts that meet at the same time
#define IMPACT_HELD R(1e-6)  // least part of W_nn that tangential rows have: joints may block these directions
#define IMPACT_NOISE R(64.0) // roundings of the fastest approach: a slower approach is none

// u_n(t)
static real impact_speed(const tac_block *k, const tac_work *w, real t)
{
    return k->bias.x - k->target + rows_rate(k, w->delta_v, 0) + t * k->own.impact.kick.x;
}

// u(t), without the target of the cone program.
static vec3 impact_velocity(const tac_block *k, const tac_work *w, real t)
{
    vec3 u = rows_velocity(k, w->delta_v);
    u.x -= k->target;
    return v3_madd(u, t, k->own.impact.kick);
}

// gap(t), at the speed that the contact has then.
static real impact_gap(const tac_model *m, const tac_contact *c, const tac_block *k, const tac_work *w, real speed,
                       real t)
{
    return c->gap + m->h * (rows_rate(k, w->kept.delayed, 0) + t * (speed - R(0.5) * t * k->own.impact.kick.x));
}

// The fraction t of the step until  gap + t h speed + t^2 h kick/2 = 0,  unless the surfaces meet more slowly than
// `least`.
static real impact_time_left(real gap, real speed, real kick, real h, real rounding, real least)
{
    if (gap <= rounding) { return speed < -least ? R(0.0) : IMPACT_NEVER; }
    const real square = speed * speed - R(2.0) * kick * gap / h; // of the speed at which they meet
    if (!(square > least * least)) { return IMPACT_NEVER; }
    const real wait = R(2.0) * gap / (h * (real_sqrt(square) - speed));
    return wait >= R(0.0) ? wait : IMPACT_NEVER;
}

// Time of the next impact of the contact after `now`; `slack` is the error that rounding of its gap makes in it.
static void impact_predict(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c,
                           tac_block *k, real least, real now)
{
    const real speed = impact_speed(k, w, now), rounding = rows_rounding(m, c, s);
    const real gap = impact_gap(m, c, k, w, speed, now), kick = k->own.impact.kick.x;
    const real time = now + impact_time_left(gap, speed, kick, m->h, rounding, least);
    k->own.impact.time = time <= R(1.0) ? time : IMPACT_NEVER;
    k->own.impact.slack = rounding / (m->h * real_max(real_abs(speed), least));
}

// Paths of all bodies, and the first impact of each contact that may bounce. Returns the least speed of approach that
// is reflected.
static real impact_begin(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_twist *kick = w->phase.kick, *start = w->kept.start;
    real fastest = R(-1.0);
    phase_take(w, TAC_PHASE_KICK);
    phase_take_kept(w, TAC_KEPT_START);
    phase_take_blocks(w, TAC_BLOCKS_IMPACT);
    response_begin(m, s, w, kick, start);
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        k->own.impact.time = k->own.impact.slack = IMPACT_NEVER;
        if (!(c->restitution > R(0.0))) { continue; }
        k->own.impact.kick = rows_relative(k, kick);
        fastest = real_max(fastest, real_abs(k->bias.x - k->target) + real_abs(k->own.impact.kick.x));
        k->bias = v3_add(k->bias, rows_relative(k, start));
    }
    phase_take_kept(w, TAC_KEPT_DELAYED);
    reals_clear(w->kept.delayed, m->bodies * sizeof *w->kept.delayed);
    const real least = real_max(model_bounce(m), IMPACT_NOISE * REAL_EPSILON * fastest);
    k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (c->restitution > R(0.0)) { impact_predict(m, s, w, c, k, least, R(0.0)); }
    }
    return least;
}

// The contacts that meet first, and when. Contacts whose times differ by rounding only meet together: a box that lands
// flat leaves flat.
typedef struct impact_group {
    real now;
    uint32_t first, end; // range of indices that contains them; members have leave > 0, other contacts leave = 0
    uint32_t count;
} impact_group;

static impact_group impact_first(tac_work *w, real least)
{
    impact_group g = {IMPACT_NEVER, 0, 0, 0};
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        g.now = real_min(g.now, w->scratch.solve.block[i].own.impact.time);
    }
    for (uint32_t i = 0; i < w->report.contacts && g.now <= R(1.0); i++) {
        const tac_contact *c = &w->contact[i];
        tac_block *k = &w->scratch.solve.block[i];
        k->own.impact.leave = R(0.0);
        k->own.impact.impulse = V3_ZERO;
        if (!(k->own.impact.time <= R(1.0)) || k->own.impact.time > g.now + k->own.impact.slack) { continue; }
        const real speed = impact_speed(k, w, g.now);
        k->own.impact.time = IMPACT_NEVER;
        if (!(speed < -least) || !response_weigh(w, k)) { continue; }
        k->own.impact.leave = -c->restitution * speed;
        g.first = g.count == 0 ? i : g.first;
        g.end = i + 1;
        g.count++;
    }
    return g;
}

// One member: its normal impulse, then friction within the cone, the impulses of the others fixed. Returns the work of
// both on all bodies; raises `moved` to the change of velocity.
static real impact_visit(const tac_contact *c, tac_block *k, tac_work *w, real now, real *moved)
{
    vec3 *p = &k->own.impact.impulse;
    const real residual = impact_speed(k, w, now) - k->own.impact.leave;
    const real push = real_max(p->x - residual / k->w.xx, R(0.0)) - p->x;
    real work = push * (residual + k->own.impact.leave + R(0.5) * push * k->w.xx);
    p->x += push;
    response_push(w, k, v3(push, R(0.0), R(0.0)), now);
    *moved = real_max(*moved, real_abs(push) * k->w.xx);
    if (!(c->mu > R(0.0))) { return work; }

    const vec3 u = impact_velocity(k, w, now);
    const real yz = real_abs(k->w.yz), held = IMPACT_HELD * k->w.xx;
    const real weight = real_max(held, real_max(k->w.yy + yz, k->w.zz + yz));
    const real y = p->y - u.y / weight, z = p->z - u.z / weight;
    const real size = real_sqrt(y * y + z * z), rim = c->mu * p->x, part = size > rim ? rim / size : R(1.0);
    const vec3 change = v3(R(0.0), part * y - p->y, part * z - p->z);
    work += v3_dot(change, v3_madd(u, R(0.5), sym3_mul(&k->w, change)));
    *p = v3_add(*p, change);
    response_push(w, k, change, now);
    *moved = real_max(*moved, real_max(real_abs(change.y), real_abs(change.z)) * weight);
    return work;
}

// Impulses of the group: Newton's law, u_n+ = -e u_n, and Coulomb's. Multiplied by s they do the work s L + s^2 Q.
// Without friction Newton's law demands the work s/2 sum p_n (1 - e) u_n. This determines s, which is 1 unless the
// passes have not converged (a light ball between heavy ones); with e = 1 no energy is lost then either. With friction,
// which the shape of a body couples to the normal direction, the two laws together may add energy (Kane's paradox): all
// impulses are shortened until they do not. Contacts that still approach meet again.
static void impact_solve(tac_work *w, const impact_group *g)
{
    const real now = g->now;
    real work = R(0.0), moved = R(1.0), leave = R(0.0), power = R(0.0), asked = R(0.0), friction = R(0.0);
    for (int sweep = 0; sweep < IMPACT_SWEEPS && moved > REAL_EPSILON * leave; sweep++) {
        moved = R(0.0);
        for (uint32_t i = g->first; i < g->end; i++) {
            tac_block *k = &w->scratch.solve.block[i];
            if (!(k->own.impact.leave > R(0.0))) { continue; }
            leave = real_max(leave, k->own.impact.leave);
            work += impact_visit(&w->contact[i], k, w, now, &moved);
        }
    }
    for (uint32_t i = g->first; i < g->end; i++) {
        const tac_contact *c = &w->contact[i];
        const tac_block *k = &w->scratch.solve.block[i];
        if (!(k->own.impact.leave > R(0.0))) { continue; }
        const real approach = k->own.impact.leave / c->restitution;
        power += v3_dot(k->own.impact.impulse, impact_velocity(k, w, now)); // L + 2 Q
        asked += R(0.5) * k->own.impact.impulse.x * (k->own.impact.leave + approach);
        friction = real_max(friction, c->mu);
    }
    const real square = power - work, linear = R(2.0) * work - power;
    const int free = friction == R(0.0);
    if (!(square > R(0.0)) || (free && g->count == 1) || (!free && !(work > R(0.0)))) { return; }
    const real part = free ? asked / square : real_clamp(-linear / square, R(0.0), R(1.0));
    for (uint32_t i = g->first; i < g->end; i++) {
        vec3 *p = &w->scratch.solve.block[i].own.impact.impulse;
        response_push(w, &w->scratch.solve.block[i], v3_scale(part - R(1.0), *p), now);
        *p = v3_scale(part, *p);
    }
}

// May an impulse of `other` change the velocity of k? All bodies with joints count as connected.
static int impact_affects(const tac_work *w, const tac_block *k, const tac_block *other)
{
    if (response_jointed(w, k) && response_jointed(w, other)) { return 1; }
    const uint16_t a = other->body[0], b = other->body[1];
    return (w->moving[a].inv_mass > R(0.0) && (a == k->body[0] || a == k->body[1])) ||
           (w->moving[b].inv_mass > R(0.0) && (b == k->body[0] || b == k->body[1]));
}

// The impulses of the group are known. The next impacts of all contacts of the bodies that they move are predicted
// again.
static void impact_update(const tac_model *m, const tac_state *s, tac_work *w, const impact_group *g, real least)
{
    for (uint32_t i = g->first; i < g->end; i++) {
        const tac_block *own = &w->scratch.solve.block[i];
        tac_block *k = w->scratch.solve.block;
        if (!(own->own.impact.leave > R(0.0))) { continue; }
        const vec3 impulse = friction_times(FRICTION_ACROSS(own), own->own.impact.impulse);
        w->contact[i].bounce = v3_add(w->contact[i].bounce, impulse);
        for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
            const int waits = c->restitution > R(0.0) && impact_affects(w, k, own);
            if (waits) { impact_predict(m, s, w, c, k, least, g->now); }
        }
    }
}

static uint32_t impact_limit(const tac_work *w)
{
    const uint32_t most = IMPACT_EACH * (uint32_t)w->report.contacts;
    return most > IMPACT_LEAST ? most : IMPACT_LEAST;
}

// Does the contact end the step open, on its parabola, after all impacts?
static int impact_ends_open(const tac_model *m, const tac_contact *c, const tac_block *k, const tac_work *w)
{
    return impact_gap(m, c, k, w, impact_speed(k, w, R(1.0)), R(1.0)) > R(0.0);
}

// b of the normal rows, from the gap for an impulse that acts over the whole step, to which `delayed` has been added.
// After a bounce that gap is negative though the contact will be open at the end, so it demands no velocity; an overlap
// stays what it is. So b is never negative, zero velocity is admissible in the cone program, and its solution, the
// nearest admissible velocities, has no more energy than the velocities that it starts from. A contact that ends the
// step open without the cone program is above x + h v+ by h kick/2: it is not stopped before it arrives.
static void impact_end(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        real delayed = rows_rate(k, w->kept.delayed, 0), target = k->target;
        if (c->restitution > R(0.0)) {
            const vec3 back = v3_sub(w->pseudo_velocity[c->body_b].v, w->pseudo_velocity[c->body_a].v);
            if (impact_ends_open(m, c, k, w)) { delayed += v3_dot(c->n, back); }
            rows_weigh(w, k);
            rows_start(s, w, c, k);
            k->bias.x += target;
        }
        if (delayed == R(0.0)) { continue; }
        const real gap = real_max(c->gap + m->h * delayed, real_min(c->gap, R(0.0)));
        target = k->target;
        rows_aim(m, s, c, gap, k);
        k->bias.x += k->target - target;
    }
    response_restore_soft(m, w);
}

// Where a contact may bounce.
static void impact(const tac_model *m, const tac_state *s, tac_work *w)
{
    const real least = impact_begin(m, s, w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        reals_clear(JOINT_LINK(w)[i].bounce, TAC_LINK_ROWS * sizeof(real));
    }
    const uint32_t most = impact_limit(w);
    uint32_t count = 0;
    while (count < most) {
        const impact_group g = impact_first(w, least);
        if (!(g.now <= R(1.0))) { break; }
        if (g.count > 0) {
            impact_solve(w, &g);
            impact_update(m, s, w, &g, least);
        }
        count += g.count > 0 ? g.count : 1;
    }
    w->report.impacts = (uint16_t)(count < UINT16_MAX ? count : UINT16_MAX);
    impact_end(m, s, w);
}

// An impulse moves the bodies only for the rest of the step, from its impact on.
static void impact_delay(const tac_model *m, tac_work *w)
{
    for (uint16_t i = 1; i < m->bodies; i++) {
        twist_add(&w->pseudo_velocity[i], R(1.0), &w->kept.delayed[i]);
    }
}

#endif
