// SPDX-License-Identifier: MIT
// contacts.h - from placed shapes to the contact set A(q, delta_K) of NST17.
//   given   model, poses, free velocities
//   makes   placed[], contact[] in order of shape pairs; at most four points a pair; the deepest when the table is full
//   bound   one test a pair of shapes, one narrow phase a pair that is near, one shift of the table a drop
//   never   orders by address, distance or time: the same input gives the same list
#ifndef GEOMETRY_CONTACTS_H
#define GEOMETRY_CONTACTS_H

#include "box.h"

// Velocity of a body in free motion: at the start of the step plus what forces have added.
static tac_twist contacts_free(const tac_state *s, const tac_work *w, uint16_t body)
{
    const tac_twist *t = &s->twist[body], *gain = &w->moving[body].gain;
    return (tac_twist){v3_add(t->v, gain->v), v3_add(t->w, gain->w)};
}

// Where each shape is, how far it reaches, how fast it can approach.
static void contacts_place(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (uint16_t i = 0; i < m->shapes; i++) {
        const tac_shape *sh = &m->shape[i];
        const tac_pose *frame = &m->body[sh->body].inertial, *body = &s->pose[sh->body];
        const vec3 arm = quat_rotate_back(frame->q, v3_sub(sh->pose.p, frame->p));
        const tac_twist t = contacts_free(s, w, sh->body);
        tac_placed *p = &w->placed[i];
        p->pose.p = v3_add(body->p, quat_rotate(body->q, arm));
        p->pose.q = quat_mul(body->q, quat_mul(quat_conj(frame->q), sh->pose.q));
        p->radius = shape_radius(sh->kind, sh->size);
        p->speed = v3_norm(t.v) + v3_norm(t.w) * (v3_norm(arm) + real_max(p->radius, R(0.0)));
    }
}

// Two shapes that may meet: on different bodies, one of them dynamic, and each in the other's mask.
static int contacts_may_meet(const tac_model *m, const tac_shape *a, const tac_shape *b)
{
    if (a->body == b->body || !(a->group & b->mask) || !(b->group & a->mask)) { return 0; }
    return m->body[a->body].kind == TAC_DYNAMIC || m->body[b->body].kind == TAC_DYNAMIC;
}

// In whose frame a pair is seen: a half-space before a box before a capsule before a sphere.
static int contacts_rank(const tac_shape *s)
{
    return s->kind == TAC_HALF_SPACE ? TAC_SHAPE_KINDS : s->kind;
}

// Are the bounding spheres, or sphere and plane, nearer than what the pair can close in one step of free motion, plus
// the margin? Keeps that distance. A half-space that turns is as fast as the other shape is far.
static int contacts_near(const tac_model *m, const tac_state *s, tac_work *w, uint16_t own, uint16_t other)
{
    const tac_placed *a = &w->placed[own], *b = &w->placed[other];
    const int plane = a->radius < R(0.0);
    if (b->radius < R(0.0)) { return 0; } // two half-spaces
    const vec3 d = v3_sub(b->pose.p, a->pose.p);
    real speed = a->speed + b->speed;
    if (plane) { speed += v3_norm(contacts_free(s, w, m->shape[own].body).w) * (v3_norm(d) + b->radius); }
    const real reach = model_margin(m, &m->shape[own], &m->shape[other]) + m->h * speed, limit = b->radius + reach;
    w->scratch.pair.reach = reach;
    if (plane) { return v3_dot(d, quat_rotate(a->pose.q, V3_Z)) < limit; }
    return v3_norm(d) < a->radius + limit;
}

// Points of the pair that has been looked at.
static void contacts_narrow(const tac_model *m, tac_work *w)
{
    tac_pair *p = &w->scratch.pair;
    const uint8_t own = m->shape[p->own_shape].kind;
    if (own == TAC_HALF_SPACE) {
        face_meet(p, 2, R(1.0));
    } else if (own != TAC_BOX) {
        round_round(p);
    } else if (m->shape[p->other_shape].kind != TAC_BOX) {
        round_box(p);
    } else {
        box_box(m, w);
    }
}

// Velocity in the world of the point `at` of a body in free motion.
static vec3 contacts_point_velocity(const tac_state *s, const tac_work *w, uint16_t body, vec3 at)
{
    const tac_twist t = contacts_free(s, w, body);
    return v3_add(t.v, v3_cross(quat_rotate(s->pose[body].q, t.w), v3_sub(at, s->pose[body].p)));
}

// A place for one more contact. When the table is full the least deep one gives way, if the new one is deeper.
static tac_contact *contacts_room(tac_work *w, real gap)
{
    tac_report *r = &w->report;
    if (r->contacts < TAC_MAX_CONTACTS) { return &w->contact[r->contacts++]; }
    if (r->dropped < UINT16_MAX) { r->dropped++; }
    uint16_t least = 0;
    for (uint16_t i = 1; i < TAC_MAX_CONTACTS; i++) {
        if (w->contact[i].gap > w->contact[least].gap) { least = i; }
    }
    if (!(gap < w->contact[least].gap)) { return NULL; }
    bytes_copy(&w->contact[least], &w->contact[least + 1],
               sizeof w->contact[0] * (size_t)(TAC_MAX_CONTACTS - 1 - least));
    return &w->contact[TAC_MAX_CONTACTS - 1];
}

// Enter those points of the pair whose gap is below delta_K = margin + closing speed h, in the world's frame and with
// the lower body first.
static void contacts_enter(const tac_model *m, const tac_state *s, tac_work *w)
{
    const tac_pair *found = &w->scratch.pair;
    const tac_pose *frame = &w->placed[found->own_shape].pose;
    uint16_t a = found->own_shape, b = found->other_shape;
    const int swap = m->shape[a].body > m->shape[b].body;
    if (swap) {
        a = found->other_shape;
        b = found->own_shape;
    }
    const tac_shape *sa = &m->shape[a], *sb = &m->shape[b];
    const real margin = model_margin(m, sa, sb);
    real mu, restitution;
    model_pair(m, sa->material, sb->material, &mu, &restitution);
    for (int i = 0; i < found->points; i++) {
        const tac_point *p = &found->point[i];
        const vec3 n = v3_scale(swap ? R(-1.0) : R(1.0), quat_rotate(frame->q, p->n));
        const vec3 at = v3_add(frame->p, quat_rotate(frame->q, p->at.v));
        const vec3 v = v3_sub(contacts_point_velocity(s, w, sb->body, at), contacts_point_velocity(s, w, sa->body, at));
        if (!(p->gap < margin + m->h * real_max(-v3_dot(n, v), R(0.0)))) { continue; }
        w->report.penetration = real_max(w->report.penetration, -p->gap);

        tac_contact *c = contacts_room(w, p->gap);
        if (c == NULL) { continue; }
        c->mode = TAC_OPEN;
        c->impulse = c->velocity = V3_ZERO;
        c->id = (tac_feature){a, b, p->feature};
        c->body_a = sa->body;
        c->body_b = sb->body;
        c->point = at;
        c->n = n;
        c->u = v3_normal_to(n);
        c->w = v3_cross(n, c->u);
        c->gap = p->gap;
        c->mu = mu;
        c->restitution = restitution;
    }
}

// The contact set, in order of shape indices.
static void contacts_find(const tac_model *m, const tac_state *s, tac_work *w)
{
    contacts_place(m, s, w);
    for (uint16_t i = 0; i < m->shapes; i++) {
        for (uint16_t j = (uint16_t)(i + 1); j < m->shapes; j++) {
            if (!contacts_may_meet(m, &m->shape[i], &m->shape[j])) { continue; }
            const int first = contacts_rank(&m->shape[i]) >= contacts_rank(&m->shape[j]);
            const uint16_t own = first ? i : j, other = first ? j : i;
            if (!contacts_near(m, s, w, own, other)) { continue; }
            points_look(m, w, own, other);
            contacts_narrow(m, w);
            contacts_enter(m, s, w);
        }
    }
}

#endif
