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
    const tac_twist *t = &s->twist[body], *gain = &w->gain[body];
    return (tac_twist){v3_add(t->v, gain->v), v3_add(t->w, gain->w)};
}

// Where each shape is, how far it reaches, how fast it can approach.
static void contacts_place(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (uint16_t i = 0; i < m->shapes; i++) {
        const tac_shape *sh = &m->shape[i];
        const tac_twist t = contacts_free(s, w, sh->body);
        tac_placed *p = &w->placed[i];
        pose_undo(&s->pose[sh->body], &m->body[sh->body].inertial, &p->pose);
        pose_mul(&p->pose, &sh->pose, &p->pose);
        p->radius = shape_radius(sh->kind, sh->size);
        const real arm = v3_norm(v3_sub(p->pose.p, s->pose[sh->body].p)) + real_max(p->radius, R(0.0));
        p->speed = v3_norm(t.v) + v3_norm(t.w) * arm;
    }
}

// Two shapes that may meet: on different bodies, one of them dynamic, and each in the other's mask.
static int contacts_may_meet(const tac_model *m, const tac_shape *a, const tac_shape *b)
{
    if (a->body == b->body || !(a->group & b->mask) || !(b->group & a->mask)) { return 0; }
    return m->body[a->body].kind == TAC_DYNAMIC || m->body[b->body].kind == TAC_DYNAMIC;
}

// Distance that the pair can close in one step of free motion, plus the margin. A half-space that turns is as fast as
// the other shape is far.
static real contacts_reach(const tac_model *m, const tac_state *s, const tac_work *w, uint16_t i, uint16_t j)
{
    const tac_placed *a = &w->placed[i], *b = &w->placed[j];
    real speed = a->speed + b->speed;
    for (int side = 0; side < 2; side++) {
        const tac_placed *plane = side ? b : a, *other = side ? a : b;
        const uint16_t body = m->shape[side ? j : i].body;
        if (plane->radius >= R(0.0) || body == 0) { continue; }
        const real arm = v3_norm(v3_sub(other->pose.p, plane->pose.p)) + other->radius;
        speed += v3_norm(contacts_free(s, w, body).w) * arm;
    }
    return model_margin(m, &m->shape[i], &m->shape[j]) + m->h * speed;
}

// Are the bounding spheres (or sphere and plane) nearer than `reach`?
static int contacts_near(const tac_placed *a, const tac_placed *b, real reach)
{
    if (a->radius < R(0.0) || b->radius < R(0.0)) {
        const tac_placed *plane = a->radius < R(0.0) ? a : b, *round = a->radius < R(0.0) ? b : a;
        const vec3 d = v3_sub(round->pose.p, plane->pose.p);
        return round->radius >= R(0.0) && v3_dot(d, points_axis_z(plane->pose.q)) - round->radius < reach;
    }
    const vec3 d = v3_sub(b->pose.p, a->pose.p);
    const real limit = a->radius + b->radius + reach;
    return v3_dot(d, d) < limit * limit;
}

// The simpler kind first: a half-space against anything, round shapes among themselves and against boxes, two boxes.
static void contacts_narrow(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb,
                            real reach, tac_pair *out)
{
    const int plane = sa->kind == TAC_HALF_SPACE, box_a = sa->kind == TAC_BOX, box_b = sb->kind == TAC_BOX;
    out->points = 0;
    if (plane && box_b) {
        points_plane_box(a, b, sb, out);
    } else if (plane) {
        points_plane_round(a, b, sb, out);
    } else if (box_a) {
        box_box(a, sa, b, sb, reach, out);
    } else if (box_b) {
        points_round_box(a, sa, b, sb, out);
    } else {
        points_rounds(a, sa, b, sb, out);
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
    for (uint16_t i = least; i + 1 < TAC_MAX_CONTACTS; i++) {
        bytes_copy(&w->contact[i], &w->contact[i + 1], sizeof w->contact[i]);
    }
    return &w->contact[TAC_MAX_CONTACTS - 1];
}

// Enter those points of the pair (a, b), a on the lower body, whose gap is below delta_K = margin + closing speed h.
static void contacts_enter(const tac_model *m, const tac_state *s, tac_work *w, uint16_t a, uint16_t b, real flip)
{
    const tac_shape *sa = &m->shape[a], *sb = &m->shape[b];
    const real margin = model_margin(m, sa, sb);
    real mu, restitution;
    model_pair(m, sa->material, sb->material, &mu, &restitution);
    const tac_pair *found = &w->scratch.pair;
    for (int i = 0; i < found->points; i++) {
        const tac_point *p = &found->point[i];
        const vec3 n = v3_scale(flip, p->n);
        const vec3 v =
            v3_sub(contacts_point_velocity(s, w, sb->body, p->at), contacts_point_velocity(s, w, sa->body, p->at));
        if (!(p->gap < margin + m->h * real_max(-v3_dot(n, v), R(0.0)))) { continue; }
        w->report.penetration = real_max(w->report.penetration, -p->gap);

        tac_contact *c = contacts_room(w, p->gap);
        if (c == NULL) { continue; }
        c->mode = TAC_OPEN;
        c->impulse = c->velocity = V3_ZERO;
        c->id = (tac_feature){a, b, p->feature};
        c->body_a = sa->body;
        c->body_b = sb->body;
        c->point = p->at;
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
            const real reach = contacts_reach(m, s, w, i, j);
            if (!contacts_near(&w->placed[i], &w->placed[j], reach)) { continue; }

            const int simple_first = m->shape[i].kind <= m->shape[j].kind;
            const uint16_t x = simple_first ? i : j, y = simple_first ? j : i;
            contacts_narrow(&w->placed[x], &m->shape[x], &w->placed[y], &m->shape[y], reach, &w->scratch.pair);
            const int lower_first = m->shape[x].body < m->shape[y].body;
            contacts_enter(m, s, w, lower_first ? x : y, lower_first ? y : x, lower_first ? R(1.0) : R(-1.0));
        }
    }
}

#endif
