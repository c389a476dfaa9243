// SPDX-License-Identifier: MIT
// api_meeting.h - the API: time to contact.
//   given   arguments of the caller
//   makes   tac_time_to_contact()
//   bound   as tactus.h states
//   never   changes a state; answers with a time after the first touch
#ifndef PREDICT_API_MEETING_H
#define PREDICT_API_MEETING_H

#include "events.h"
#include "meeting.h"

#if TAC_PREDICT

// Free rotation goes on by no more at once, so that three midpoint rules are exact enough.
#define AHEAD_TURN R(0.2) // rad

// One question, and how far it is answered.
typedef struct ahead_search {
    const tac_model *m;
    const tac_state *s; // at the start; when steps are made, at the end of the last one
    const tac_input *input;
    const tac_meeting_query *query;
    tac_ahead *ahead; // NULL: it flies freely
    tac_work *w;
    path_body flight;      // of the body that flies freely, from `now` on
    real now;              // s
    uint32_t looks;        // left
    uint16_t shape, other; // of the first touch in this part of the way
    real until;            // s, of this part: to there nothing touches
} ahead_search;

static int ahead_asked(const tac_model *m, const tac_meeting_query *q, uint16_t shape)
{
    return q->body == TAC_NONE ? shape == q->shape : m->shape[shape].body == q->body;
}

static uint16_t ahead_body(const tac_model *m, const tac_meeting_query *q)
{
    return q->body == TAC_NONE ? m->shape[q->shape].body : q->body;
}

// May shape j stop shape i?
static int ahead_stops(const tac_model *m, const tac_state *s, uint16_t i, uint16_t j)
{
    const tac_shape *a = &m->shape[i], *b = &m->shape[j];
    return contacts_may_meet(m, a, b) && !contacts_excluded(m, a, b) && !joint_parts(m, s, a->body, b->body);
}

// Does body i fly freely, as far as what acts on it says?
static int ahead_free(const tac_model *m, const tac_input *input, uint16_t body)
{
    int free = m->body[body].kind == TAC_DYNAMIC;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        free &= j->kind == TAC_COUPLING || (j->body_a != body && j->body_b != body);
    }
    for (uint32_t i = 0; input != NULL && i < input->actions; i++) {
        free &= belt_action(&input->action[i]) || input->action[i].body != body;
    }
    return free;
}

// Does all that is asked about fly freely? What may stop any shape of its body is not dynamic, or may not stop those
// that are asked about alone.
static int ahead_flies(const tac_model *m, const tac_state *s, const tac_input *input, const tac_meeting_query *q)
{
    const uint16_t body = ahead_body(m, q);
    int flies = ahead_free(m, input, body);
    for (uint16_t i = 0; i < m->shapes && flies; i++) {
        if (m->shape[i].body != body) { continue; }
        for (uint16_t j = 0; j < m->shapes && flies; j++) {
            const int stops = ahead_stops(m, s, i, j);
            flies = !stops || (ahead_asked(m, q, i) && m->body[m->shape[j].body].kind != TAC_DYNAMIC);
        }
    }
    return flies;
}

static void ahead_path(const ahead_search *x, uint16_t body, path_body *path)
{
    if (x->ahead != NULL) {
        path_step(&x->ahead->model, x->s, x->w, &x->ahead->pose[body], body, path);
    } else if (body == ahead_body(x->m, x->query)) {
        bytes_copy(path, &x->flight, sizeof *path);
    } else {
        path_fly(x->m, x->s, x->input, body, path);
        path_advance(path, x->now);
    }
}

// A pair on this part of the way.
static void ahead_pair(ahead_search *x, uint16_t i, uint16_t j, meeting_pair *p)
{
    meeting_pair_of(x->m, &x->w->scratch.collision, i, j, p);
    for (int side = 0; side < 2; side++) { ahead_path(x, x->m->shape[p->shape[side]].body, &p->path[side]); }
    p->noise = MEETING_ROUNDING * (v3_norm_inf(p->path[0].pose.p) + v3_norm_inf(p->path[1].pose.p));
}

// The first touch in this part of the way, which lasts T.
static void ahead_part(ahead_search *x, real T)
{
    real known = T, touch = T;
    x->other = TAC_NONE;
    for (uint16_t i = 0; i < x->m->shapes; i++) {
        if (!ahead_asked(x->m, x->query, i)) { continue; }
        for (uint16_t j = 0; j < x->m->shapes; j++) {
            meeting_pair p;
            real to = touch;
            if (!ahead_stops(x->m, x->s, i, j)) { continue; }
            ahead_pair(x, i, j, &p);
            if (meeting_find(x->m, &p, &x->w->scratch.collision, &x->looks, &to)) {
                touch = to;
                x->shape = i;
                x->other = j;
            } else {
                known = real_min(known, to < touch ? to : known);
            }
        }
    }
    x->until = real_min(known, touch);
    if (known < touch) { x->other = TAC_NONE; }
}

// The next part: of free flight as long as it rotates little; else a step. Returns its length, or less than 0 if the
// step is refused.
static real ahead_next(ahead_search *x, real left)
{
    tac_ahead *a = x->ahead;
    if (a == NULL) {
        const int turns = v3_norm_inf(x->flight.ratios) > R(0.0) && x->flight.rate > R(0.0);
        return turns ? real_min(left, AHEAD_TURN / x->flight.rate) : left;
    }
    reals_copy(a->pose, a->state.pose, x->m->bodies * sizeof *a->pose);
    if (tac_step(&a->model, &a->state, x->input, x->w) < 0) { return R(-1.0); }
    x->w->open = 0; // looks use its scratch
    return real_min(left, a->model.h);
}

// The way until the first touch, the horizon, or the last look. Returns 0 if a step is refused.
static int ahead_look(ahead_search *x, uint16_t *steps)
{
    const real horizon = x->query->horizon;
    do {
        if (x->looks == 0) { break; }
        x->looks--;
        const real T = ahead_next(x, horizon - x->now);
        if (T < R(0.0)) { return 0; }
        if (x->ahead != NULL) { ++*steps; }
        ahead_part(x, T);
        x->now = x->other == TAC_NONE && x->until == T && T >= horizon - x->now ? horizon : x->now + x->until;
        if (x->other != TAC_NONE || x->until < T) { break; }
        if (x->ahead == NULL) { path_advance(&x->flight, T); }
    } while (x->now < horizon);
    return 1;
}

// Steps lead bodies of joints on from x by h v+: what they are at is where a step of half the change of velocity less
// would be exact to second order. So the way begins half a change earlier, that of a step from the state. Bodies
// without joints move on parabolas already.
static int ahead_stagger(ahead_search *x)
{
    tac_ahead *a = x->ahead;
    if (JOINT_COUNT(x->m) == 0) { return 1; }
    if (tac_step(&a->model, &a->state, x->input, x->w) < 0) { return 0; }
    bytes_copy(&a->state, x->s, sizeof a->state);
    for (uint16_t i = 1; i < x->m->bodies; i++) {
        if (x->m->body[i].kind != TAC_DYNAMIC || !events_jointed(x->m, i)) { continue; }
        twist_add(&a->state.twist[i], R(-0.5), &x->w->delta_v[i]);
    }
    return 1;
}

// Shapes that are asked about collide with nothing in steps ahead: what they would meet is what is asked. Returns 0 if
// a step is refused.
static int ahead_begin(ahead_search *x)
{
    tac_ahead *a = x->ahead;
    if (a == NULL) {
        path_fly(x->m, x->s, x->input, ahead_body(x->m, x->query), &x->flight);
        return 1;
    }
    bytes_copy(&a->model, x->m, sizeof a->model);
    bytes_copy(&a->state, x->s, sizeof a->state);
    a->model.h /= (real)x->query->parts;
    for (uint16_t i = 0; i < x->m->shapes; i++) {
        if (ahead_asked(x->m, x->query, i)) { a->model.shape[i].group = a->model.shape[i].mask = 0; }
    }
    const int good = ahead_stagger(x);
    x->s = &a->state;
    return good;
}

// The result: where they touch.
static void ahead_report(ahead_search *x, tac_meeting *out)
{
    out->time = x->now;
    out->looks = (uint16_t)(x->query->looks - x->looks);
    if (x->other == TAC_NONE) { return; }
    tac_collision *g = &x->w->scratch.collision;
    meeting_pair p;
    x->now -= x->until;
    ahead_pair(x, x->shape, x->other, &p);
    meeting_place(&p, g, x->until);
    tac_nearest *found = &g->query.near.nearest;
    found->gap = REAL_LARGEST;
    distance_shapes(x->m, g, x->shape, x->other, found);
    out->gap = found->gap;
    out->point = v3_scale(R(0.5), v3_add(found->a, found->b));
    out->n = found->n;
    out->shape = x->shape;
    out->other = x->other;
}

static tac_status ahead_may_ask(const tac_model *m, const tac_state *s, const tac_input *input,
                                const tac_meeting_query *q)
{
    tac_fault fault = {0};
    const tac_status status = api_may_begin(m, s, input, &fault);
    if (status) { return status; }
    const int named = q->body == TAC_NONE ? q->shape < m->shapes : q->body < m->bodies;
    return named && q->parts > 0 && check_within(q->horizon, TAC_MOST_POSITION) ? TAC_OK : TAC_E_ARG;
}

tac_status tac_time_to_contact(const tac_model *model, const tac_state *state, const tac_input *input,
                               const tac_meeting_query *query, tac_work *work, tac_ahead *ahead, tac_meeting *meeting)
{
    if (model == NULL || query == NULL || work == NULL || meeting == NULL) { return TAC_E_ARG; }
    const tac_status status = ahead_may_ask(model, state, input, query);
    if (status) { return status; }
    const int flies = ahead_flies(model, state, input, query);
    if (!flies && ahead == NULL) { return TAC_E_FULL; }
    ahead_search x;
    reals_clear(&x.flight, sizeof x.flight);
    x.m = model, x.s = state, x.input = input, x.query = query, x.ahead = flies ? NULL : ahead, x.w = work;
    x.now = x.until = R(0.0);
    x.looks = query->looks;
    x.shape = x.other = TAC_NONE;
    work->open = 0;
    tac_meeting found = {R(0.0), R(0.0), V3_ZERO, V3_ZERO, TAC_NONE, TAC_NONE, 0, 0};
    if (!ahead_begin(&x) || !ahead_look(&x, &found.steps)) { return TAC_E_NAN; }
    ahead_report(&x, &found);
    if (!reals_finite(&found, offsetof(tac_meeting, shape))) { return TAC_E_NAN; }
    bytes_copy(meeting, &found, sizeof found);
    return found.other == TAC_NONE && found.time < query->horizon ? TAC_UNCONVERGED : TAC_OK;
}

#endif

#endif
