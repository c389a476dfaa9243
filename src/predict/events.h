// SPDX-License-Identifier: MIT
// events.h - what a step has changed: pairs of shapes that touch, open, slip, stick; limits of joints.
//   given   a finished step, the state at its end; what touched before it, and where joints were
//   makes   events with times within the step; what touches now
//   bound   one visit to each contact; to all contacts for each pair that touches, where bodies have bounced
//   never   writes the work area; changes what a step does
#ifndef PREDICT_EVENTS_H
#define PREDICT_EVENTS_H

#include "../api/step.h"
#include "../tree/coordinates.h"

#if TAC_PREDICT

#define EVENTS_NOISE R(1e-4)    // of what gravity moves a body in a step, and of speeds: less is none
#define EVENTS_ROUNDING R(16.0) // roundings of coordinates
#define EVENTS_RIM R(0.999)     // an impulse this near to the boundary of its cone is on it

#define EVENTS_UNSEEN (TAC_SLIDE + 1) // tac_touching.mode: touches from the beginning, no step has shown how
#define EVENTS_LOWER 1                // tac_events.limit
#define EVENTS_UPPER 2

// The contacts of one pair of shapes in a step, from `first` to before `end`.
typedef struct events_pair {
    uint32_t first, end;
    int touches;      // at the end of the step
    int struck;       // bore an impulse in the step
    int slides;       // where it bore one last
    int reverses;     // slip, within the step
    real touch, open; // s, if it was open at the start, at the end
    real stick;       // s, if slip ends or reverses
} events_pair;

static void events_add(tac_events *e, uint16_t kind, real time, const tac_event *of)
{
    if (e->count >= e->room) {
        e->dropped++;
        return;
    }
    tac_event *x = &e->list[e->count++];
    bytes_copy(x, of, sizeof *x);
    x->step = e->step;
    x->time = time;
    x->kind = kind;
}

// ------------------------------------------------------------------------------------------- motion of a contact point

// The part of D' t that is due to dynamic bodies, in (n,u,w).
static vec3 events_dynamic(const tac_model *m, const tac_block *k, const tac_twist *t)
{
    vec3 sum = V3_ZERO;
    for (int side = 0; side < 2; side++) {
        const tac_twist *x = &t[k->body[side]];
        if (m->body[k->body[side]].kind != TAC_DYNAMIC) { continue; }
        const vec3 v =
            v3_add(v3_scale(side ? R(1.0) : R(-1.0), v3_components(k->frame, x->v)), v3_components(k->j[side], x->w));
        sum = v3_add(sum, v);
    }
    return friction_over(FRICTION_ACROSS(k), sum);
}

// The velocity of the contact at the start of the step, in (n,u,w). Kinematic bodies have that of the end at once.
static vec3 events_start(const tac_model *m, const tac_state *s, const tac_work *w, const tac_block *k)
{
    const vec3 slip = v3_add(rows_relative(k, s->twist), BELT_SLIP(k));
    return v3_sub(friction_over(FRICTION_ACROSS(k), slip), events_dynamic(m, k, w->delta_v));
}

static int events_jointed(const tac_model *m, uint16_t body)
{
    int jointed = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        jointed |= j->kind != TAC_COUPLING && (j->body_a == body || j->body_b == body);
    }
    return jointed;
}

// The change of a body's velocity in the step by forces alone: bounces are among `free`.
static vec3 events_force(const tac_work *w, uint16_t body)
{
    vec3 v = w->scratch.solve.free[body].v;
    const tac_block *k = w->scratch.solve.block;
    for (uint32_t i = 0; i < w->report.contacts && w->report.impacts > 0; i++) {
        const int side = k[i].body[1] == body;
        if (!side && k[i].body[0] != body) { continue; }
        const real mass = side ? -w->moving[body].inv_mass : w->moving[body].inv_mass;
        v = v3_madd(v, mass, v3_combine(k[i].frame, friction_over(FRICTION_ACROSS(&k[i]), w->contact[i].bounce)));
    }
    return v;
}

// The acceleration of the gap by forces. Bodies of joints: none is known. Of rotation none is needed: a contact that
// has a gap is one of a body that hardly turns until it touches, or is carried back from where it does (arrivals.h).
static real events_acceleration(const tac_model *m, const tac_work *w, const tac_contact *c)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    vec3 a = V3_ZERO;
    for (int side = 0; side < 2; side++) {
        if (m->body[body[side]].kind != TAC_DYNAMIC) { continue; }
        if (events_jointed(m, body[side])) { return R(0.0); }
        a = v3_madd(a, side ? R(1.0) : R(-1.0), events_force(w, body[side]));
    }
    return v3_dot(c->n, a) / m->h;
}

// The gap at the end of the step, by how the bodies have moved.
static real events_gap(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c,
                       const tac_block *k)
{
    return c->gap + m->h * (rows_rate(k, s->twist, 0) + rows_rate(k, w->pseudo_velocity, 0));
}

// ------------------------------------------------------------------------------------------------------- closed forms

// The least t in 0 .. h with  gap + t rate + t^2 a/2 <= 0;  h if there is none.
static real events_reach(real gap, real rate, real a, real h)
{
    if (!(gap > R(0.0))) { return R(0.0); }
    const real square = rate * rate - R(2.0) * a * gap;
    if (!(square > R(0.0))) { return h; }
    const real t = R(2.0) * gap / (real_sqrt(square) - rate);
    return t >= R(0.0) && t < h ? t : h;
}

// When slip along a direction ends, which is at speed v0 at the start and v1 at the end. Forces along it are constant:
// those that change v by a in the step, and friction, which would change it by -f against the slip. Where it ends at
// rest, mu J_n of the impulse is friction and J what was needed in all:  v0 + a - W J = v1,  f = W mu J_n. Where it
// reverses, friction does so too, and acts with the forces in neither part:  v1 = v0 + a + f.
static real events_stick(real v0, real v1, real a, real impulse, real most, real h)
{
    const real still = impulse > R(0.0) ? (v0 + a - v1) / impulse * most : R(0.0);
    const real brakes = (v1 < R(0.0) ? real_max(v1 - v0 - a, R(0.0)) : still) - a;
    return brakes > v0 ? h * v0 / brakes : h;
}

// ----------------------------------------------------------------------------------------------------- pairs of shapes

// Speed below which a contact does not slip.
static real events_still(const tac_model *m, vec3 start)
{
    return EVENTS_NOISE * (model_fall_speed(m) + v3_norm(start));
}

static real events_across(vec3 x)
{
    return real_sqrt(x.y * x.y + x.z * x.z);
}

// Does a contact that bore an impulse slide at the end of the step? One that has only bounced: at its bounce.
static int events_slides(const tac_model *m, const tac_contact *c, vec3 start)
{
    const int held = c->impulse.x > R(0.0);
    const vec3 bounce = friction_over(FRICTION_ACROSS(c), c->bounce);
    const int rim = held ? c->mode == TAC_SLIDE : events_across(bounce) >= EVENTS_RIM * c->mu * c->bounce.x;
    return rim && events_across(c->velocity) > events_still(m, start);
}

// How much of mu friction has along a direction of the tangent plane: the reach of its ellipse there.
static real events_share(const tac_block *k, vec3 along)
{
    return friction_directed(FRICTION_ACROSS(k)) ? events_across(v3_components(k->frame, along)) : R(1.0);
}

// When the pair's slip ends or reverses: all its contacts along the slip of the one that slides fastest at the start.
static void events_slip(const tac_model *m, const tac_state *s, const tac_work *w, events_pair *p)
{
    real fastest = R(0.0), most = R(0.0), impulse = R(0.0), ahead = R(0.0), free = R(0.0);
    vec3 along = V3_ZERO;
    for (uint32_t i = p->first; i < p->end; i++) {
        const tac_block *k = &w->scratch.solve.block[i];
        const vec3 v = events_start(m, s, w, k);
        const real speed = events_across(v);
        if (!(w->contact[i].impulse.x > R(0.0)) || !(speed > fastest)) { continue; }
        fastest = speed;
        along = v3_scale(R(1.0) / speed, v3_madd(v3_scale(v.y, w->contact[i].u), v.z, w->contact[i].w));
        ahead = (v.y * w->contact[i].velocity.y + v.z * w->contact[i].velocity.z) / speed;
        const vec3 moved = events_dynamic(m, k, w->scratch.solve.free);
        free = v3_dot(along, v3_combine(k->frame, friction_over(FRICTION_ACROSS(k), moved)));
    }
    for (uint32_t i = p->first; i < p->end; i++) {
        const tac_contact *c = &w->contact[i];
        const tac_block *k = &w->scratch.solve.block[i];
        impulse -= v3_dot(along, v3_combine(k->frame, friction_over(FRICTION_ACROSS(k), c->impulse)));
        most += c->mu * c->impulse.x * events_share(k, along);
    }
    p->reverses = p->slides && ahead < R(0.0);
    p->stick = events_stick(fastest, p->reverses ? ahead : R(0.0), free, impulse, most, m->h);
}

// What the contacts of a pair show, the first of which is `first`. `was`: it touched at the start of the step.
static void events_look(const tac_model *m, const tac_state *s, const tac_work *w, int was, uint32_t first,
                        events_pair *p)
{
    const tac_feature *id = &w->contact[first].id;
    real apart = REAL_LARGEST;
    *p = (events_pair){first, first, 0, 0, 0, 0, m->h, R(0.0), R(0.0)};
    for (; p->end < w->report.contacts && shape_pair(&w->contact[p->end].id) == shape_pair(id); p->end++) {
        const tac_contact *c = &w->contact[p->end];
        const tac_block *k = &w->scratch.solve.block[p->end];
        const vec3 start = events_start(m, s, w, k);
        const real gap = events_gap(m, s, w, c, k), slack = EVENTS_ROUNDING * rows_rounding(m, c, s);
        const int bears = c->impulse.x > R(0.0) || c->bounce.x > R(0.0);
        p->touches |= c->impulse.x > R(0.0) || (was && gap <= slack + EVENTS_NOISE * m->h * model_fall_speed(m));
        p->struck |= bears;
        if (bears) { p->slides |= events_slides(m, c, start); }
        if (!bears && !was) { continue; }
        const real a = events_acceleration(m, w, c);
        if (bears) { p->touch = real_min(p->touch, events_reach(c->gap, start.x, a, m->h)); }
        if (gap < apart) {
            apart = gap;
            p->open = m->h - events_reach(gap, -rows_rate(k, s->twist, 0), a, m->h);
        }
    }
    if (!p->struck) { p->slides = 0; }
}

// The events of a pair. `mode`: before the step, TAC_OPEN if it did not touch, EVENTS_UNSEEN if no step has shown it
// yet. Returns that at the end of the step.
static uint16_t events_tell(const tac_model *m, const tac_state *s, const tac_work *w, uint16_t mode, events_pair *p,
                            tac_events *e)
{
    const tac_contact *c = &w->contact[p->first];
    const tac_event of = {0, R(0.0), 0, c->body_a, c->body_b, c->id.shape_a, c->id.shape_b, TAC_NONE, 0};
    const real touch = mode == TAC_OPEN ? p->touch : R(0.0), open = real_max(p->open, touch);
    if (mode == TAC_OPEN && !p->struck) { return TAC_OPEN; }
    if (mode == TAC_OPEN) { events_add(e, TAC_EVENT_TOUCH, touch, &of); }
    if (mode == TAC_OPEN) { mode = TAC_STICK; }
    if (mode == EVENTS_UNSEEN) { mode = p->slides ? TAC_SLIDE : TAC_STICK; }
    if (mode == TAC_SLIDE && p->struck) {
        events_slip(m, s, w, p);
        if (!p->slides || p->reverses) { events_add(e, TAC_EVENT_STICK, p->stick, &of); }
        if (p->reverses) { events_add(e, TAC_EVENT_SLIP, p->stick, &of); }
        mode = p->slides ? TAC_SLIDE : TAC_STICK;
    } else if (p->slides && mode != TAC_SLIDE) {
        events_add(e, TAC_EVENT_SLIP, touch, &of);
        mode = TAC_SLIDE;
    }
    if (p->touches) { return mode; }
    events_add(e, TAC_EVENT_OPEN, open, &of);
    return TAC_OPEN;
}

// A pair that touched and has no contact any more.
static void events_gone(const tac_model *m, const tac_touching *x, tac_events *e)
{
    const tac_event of = {0,          R(0.0),   0, m->shape[x->shape_a].body, m->shape[x->shape_b].body, x->shape_a,
                          x->shape_b, TAC_NONE, 0};
    events_add(e, TAC_EVENT_OPEN, R(0.0), &of);
}

static uint32_t events_key(const tac_touching *x)
{
    const tac_feature id = {x->shape_a, x->shape_b, 0};
    return shape_pair(&id);
}

// All pairs: those that touched before and those that have contacts now, both in the order of pairs. The table is
// written anew in its place: what has not been read yet is moved to its end first.
static void events_pairs(const tac_model *m, const tac_state *s, const tac_work *w, tac_events *e)
{
    const uint32_t before = e->touches, shift = TAC_MAX_CONTACTS - before;
    for (uint32_t i = before; i > 0; i--) {
        bytes_copy(&e->touching[shift + i - 1], &e->touching[i - 1], sizeof *e->touching);
    }
    uint32_t at = shift, i = 0;
    e->touches = 0;
    while (at < TAC_MAX_CONTACTS || i < w->report.contacts) {
        const tac_feature *id = &w->contact[i].id;
        const int old = at < TAC_MAX_CONTACTS, seen = i < w->report.contacts;
        const uint32_t was = old ? events_key(&e->touching[at]) : 0, is = seen ? shape_pair(id) : 0;
        if (old && (!seen || was < is)) {
            events_gone(m, &e->touching[at++], e);
            continue;
        }
        const int both = old && was == is;
        const uint16_t mode = both ? e->touching[at].mode : TAC_OPEN;
        events_pair p;
        at += (uint32_t)both;
        events_look(m, s, w, both, i, &p);
        const uint16_t next = events_tell(m, s, w, mode, &p, e);
        if (next != TAC_OPEN) { e->touching[e->touches++] = (tac_touching){id->shape_a, id->shape_b, next}; }
        i = p.end;
    }
}

// -------------------------------------------------------------------------------------------------------------- limits

static int events_limited(const tac_joint *j)
{
    return joint_has_coordinate(j->kind) && j->lower < j->upper;
}

// Which limit bears an effort: at the lower one it is positive.
static uint8_t events_limit(real effort)
{
    if (effort == R(0.0)) { return 0; }
    return effort > R(0.0) ? EVENTS_LOWER : EVENTS_UPPER;
}

// Joint i: `before` and the positions and rates at both ends of the step. At a limit it stays as long as it is no
// farther from it than rounding.
static void events_joint(const tac_model *m, const tac_work *w, uint32_t i, const tac_joint_state *now, tac_events *e)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    const tac_joint_state *last = &e->joint[i];
    const uint8_t was = e->limit[i];
    uint8_t is = events_limit(JOINT_RESULT(w)[i].effort[TAC_EFFORT_LIMIT]);
    const real from_lower = now->position - j->lower, from_upper = j->upper - now->position;
    const real away = was == EVENTS_UPPER ? from_upper : from_lower;
    const real slack = EVENTS_ROUNDING * REAL_EPSILON * (real_abs(now->position) + real_abs(last->position));
    if (is == 0 && was != 0 && away <= slack) { is = was; }
    e->limit[i] = is;
    if (is == was) { return; }
    tac_event of = {0, R(0.0), 0, j->body_a, j->body_b, TAC_NONE, TAC_NONE, (uint16_t)i, was == EVENTS_UPPER};
    if (was != 0) {
        const real leaves = was == EVENTS_UPPER ? -now->velocity : now->velocity;
        events_add(e, TAC_EVENT_LEAVE, m->h - events_reach(away, -leaves, R(0.0), m->h), &of);
    }
    if (is != 0) {
        const real gap = is == EVENTS_UPPER ? j->upper - last->position : last->position - j->lower;
        of.upper = is == EVENTS_UPPER;
        events_add(e, TAC_EVENT_REACH,
                   events_reach(gap, is == EVENTS_UPPER ? -last->velocity : last->velocity, R(0.0), m->h), &of);
    }
}

static void events_joints(const tac_model *m, const tac_state *s, const tac_work *w, tac_events *e)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_state now;
        if (!events_limited(&JOINT_OF(m)[i])) { continue; }
        coordinates_of(m, s, i, &now);
        events_joint(m, w, i, &now, e);
        e->joint[i] = now;
    }
}

// ----------------------------------------------------------------------------------------------------------- beginning

// Pairs that bore an impulse in the last step of a state, joints at limits, positions.
static void events_begin(const tac_model *m, const tac_state *s, tac_events *e)
{
    e->touches = 0;
    for (const tac_warm *x = s->warm; x < s->warm + s->warm_count; x++) {
        const tac_touching *last = &e->touching[e->touches > 0 ? e->touches - 1 : 0];
        if (v3_norm_inf(x->impulse) == R(0.0)) { continue; }
        if (e->touches > 0 && last->shape_a == x->id.shape_a && last->shape_b == x->id.shape_b) { continue; }
        e->touching[e->touches++] = (tac_touching){x->id.shape_a, x->id.shape_b, EVENTS_UNSEEN};
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        e->joint[i] = (tac_joint_state){R(0.0), R(0.0)};
        e->limit[i] = 0;
        if (!events_limited(&JOINT_OF(m)[i])) { continue; }
        coordinates_of(m, s, i, &e->joint[i]);
        e->limit[i] = events_limit(JOINT_WARM(s)[i].interval[TAC_EFFORT_LIMIT]);
    }
}

#endif

#endif
