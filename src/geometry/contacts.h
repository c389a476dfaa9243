// SPDX-License-Identifier: MIT
// contacts.h - from placed shapes to the contact set A(q, delta_K) of NST17.
//   given   model, poses, free velocities
//   makes   placed[], contact[] in order of shape pairs; at most four points a pair; the deepest when the table is full
//   bound   one test per pair of overlapping boxes, one narrow phase per close pair, one move of the table per drop
//   never   orders by address, distance or time: the same input gives the same list
#ifndef GEOMETRY_CONTACTS_H
#define GEOMETRY_CONTACTS_H

#include "triangles.h"
#include "field.h"
#include "broad.h"

#define CONTACTS_REACH R(1.0625) // covers rounding
#define CONTACTS_FLUSH R(1e-3)   // of the thinner shape: surfaces that differ by less in height are flush
#define CONTACTS_NOISE R(1e-4)   // of that and of what forces move bodies in a step: a slower approach is none
#define CONTACTS_STILL R(0.0625) // of that: points that move less in a step rest
#define CONTACTS_ALIKE (R(64.0) * REAL_EPSILON) // rad: normals that differ by less are those of one face
#define CONTACTS_NEVER R(2.0)                   // a fraction of the step that is not in it
#define CONTACTS_ASIDE R(0.4) // rad: the normal of two balls turns by less until they touch: it is that of the start

// A body that carries shapes, in free motion: its own frame in the world, and where the centre of mass is in that
// frame.
typedef struct contacts_carrier {
    vec3 centre, p;
    quat q;
    vec3 v, w;
    vec3 push;   // change of v by forces
    real driven; // how much faster efforts of joints may make its points
} contacts_carrier;

// From the pose of the body's principal frame, `body`, which is at `frame` in the body's own frame. Its motion is free:
// the twist at the start of the step plus the change by applied forces.
static void contacts_carry(const tac_pose *frame, const tac_pose *body, const tac_twist *twist,
                           const tac_twist *delta_v, contacts_carrier *c)
{
    c->centre = frame->p;
    c->p = body->p;
    c->q = quat_mul(body->q, quat_conj(frame->q));
    c->v = v3_add(twist->v, delta_v->v);
    c->w = quat_rotate(body->q, v3_add(twist->w, delta_v->w));
    c->push = delta_v->v;
    c->driven = R(0.0);
}

// The velocity of a shape, `arm` from the centre of mass of its body. Two shapes that contacts_near() passes are closer
// than the sum of their reaches, whatever has been rounded.
static void contacts_move(const tac_model *m, vec3 v, vec3 w, vec3 arm, tac_placed *p)
{
    p->w = w;
    p->v = v3_add(v, v3_cross(w, arm));
    p->speed = v3_norm(p->v) + p->driven;
    p->reach = REAL_LARGEST;
    if (p->radius < R(0.0)) { return; }
    p->speed += v3_norm(w) * p->radius;
    p->reach = CONTACTS_REACH * (p->radius + model_margin(m->options.margin, p->thickness) + m->h * p->speed);
}

// Places a shape of the body.
static void contacts_put(const tac_model *m, const tac_shape *s, const contacts_carrier *c, tac_placed *p)
{
    const vec3 arm = quat_rotate(c->q, v3_sub(s->pose.p, c->centre));
    p->pose.p = v3_add(c->p, arm);
    p->pose.q = quat_mul(c->q, s->pose.q);
    p->fall = v3_scale(m->h, c->push);
    shape_measure(m, s, &p->radius, &p->thickness);
    p->driven = c->driven;
    contacts_move(m, c->v, c->w, arm, p);
}

// Shapes of one body that follow each other are placed together. `driven`: of all bodies, or NULL.
static void contacts_place(const tac_model *m, const tac_state *s, const real *driven, tac_work *w)
{
    for (uint16_t i = 0; i < m->shapes;) {
        const uint16_t body = m->shape[i].body;
        contacts_carrier c;
        contacts_carry(&m->body[body].inertial, &s->pose[body], &s->twist[body], &w->delta_v[body], &c);
        if (driven != NULL) { c.driven = driven[body]; }
        for (; i < m->shapes && m->shape[i].body == body; i++) {
            contacts_put(m, &m->shape[i], &c, &w->scratch.collision.placed[i]);
        }
    }
}

// May two shapes collide? They are on different bodies, one of them dynamic, and each is in the other's mask.
static int contacts_may_meet(const tac_model *m, const tac_shape *a, const tac_shape *b)
{
    return a->body != b->body && (a->group & b->mask) && (b->group & a->mask) &&
           (m->body[a->body].kind == TAC_DYNAMIC || m->body[b->body].kind == TAC_DYNAMIC);
}

// Are their bodies excluded from collision with each other, by the model's table?
static int contacts_excluded(const tac_model *m, const tac_shape *a, const tac_shape *b)
{
    for (const tac_exclusion *e = m->exclusion; e < m->exclusion + m->exclusions; e++) {
        if ((e->a == a->body && e->b == b->body) || (e->a == b->body && e->b == a->body)) { return 1; }
    }
    return 0;
}

// Takes the shapes of bodies that are joined to that of shape i from a list. Returns how many are left.
static uint32_t contacts_part(const tac_model *m, const tac_state *s, uint16_t i, uint16_t *list, uint32_t count)
{
    const uint16_t body = m->shape[i].body;
    for (uint32_t k = 0; k < JOINT_COUNT(m) && count > 0; k++) {
        const tac_joint *j = &JOINT_OF(m)[k];
        if ((j->body_a != body && j->body_b != body) || !joint_keeps_apart(j, s, k)) { continue; }
        const uint16_t joined = j->body_a == body ? j->body_b : j->body_a;
        uint32_t left = 0;
        for (uint32_t n = 0; n < count; n++) {
            if (m->shape[list[n]].body != joined) { list[left++] = list[n]; }
        }
        count = left;
    }
    return count;
}

// Are the bounding spheres, or sphere and plane, closer than the margin plus what the pair can approach in one step of
// free motion? Stores that distance as max_gap, and the centre above a plane. A point of a rotating half-space is as
// fast as the other shape is far.
static int contacts_near(const tac_model *m, real margin, const tac_placed *own, const tac_placed *other, tac_pair *out)
{
    const vec3 d = v3_sub(other->pose.p, own->pose.p);
    real far = v3_norm(d), speed = own->speed + other->speed;
    if (own->radius < R(0.0)) {
        speed += v3_norm(own->w) * (far + other->radius);
        out->other.centre.v = quat_rotate_back(own->pose.q, d);
        far = out->other.centre.v.z;
    } else {
        far -= own->radius;
    }
    out->thickness = real_min(own->thickness, other->thickness);
    out->margin = model_margin(margin, out->thickness);
    out->max_gap = out->margin + m->h * speed;
    return other->radius >= R(0.0) && far - other->radius < out->max_gap; // two half-spaces never meet
}

// Does an axis of the own box, or the normal of the half-space, separate the boxes around two cores by more than the
// gap of a contact?
static int contacts_apart(const tac_pair *p, uint8_t own, uint8_t other)
{
    if (shape_has_data(own) || shape_has_data(other)) { return 0; }
    const int plane = own == TAC_HALF_SPACE;
    const real gap = points_radii(p) + p->max_gap;
    tac_axes wide;
    wide.v = v3_add(p->own.half.v, points_widths(&p->other));
    for (int k = plane ? 2 : 0; k < 3; k++) {
        const real far = p->other.centre.k[k];
        if (CONTACTS_REACH * (wide.k[k] + gap) < (plane ? far : real_abs(far))) { return 1; }
    }
    return 0;
}

// Loads the next triangle of the surface, from *at on, within a box in its frame. Returns 0 if there is none.
static int contacts_triangle(const tac_model *m, tac_pair *p, const vec3 *low, const vec3 *high, uint32_t *at)
{
    const int field = m->shape[p->own_shape].kind == TAC_HEIGHT_FIELD;
    return field ? field_next(m, p, low, high, at) : triangles_next(m, p, low, high, at);
}

// Points on the triangles of a surface near the other shape. The ground below a height field is solid without end.
static void contacts_surface(const tac_model *m, tac_pair *p, int endless)
{
    vec3 low, high;
    uint32_t at = 0;
    surface_begin(m, p, &low, &high);
    while (contacts_triangle(m, p, &low, &high, &at)) { surface_meet(m, p, endless); }
    surface_finish(p);
}

// Points of the current pair. Half-spaces, spheres, capsules and boxes have methods of their own, but for boxes with a
// rounding, and a capsule whose axis intersects a box.
static void contacts_narrow(const tac_model *m, tac_collision *g, uint8_t own, uint8_t other)
{
    tac_pair *p = &g->pair;
    if (TAC_CONVEX && contacts_apart(p, own, other)) { return; } // without the general method pairs are cheap
    if (own == TAC_HALF_SPACE) {
        face_meet(m, p, 2, R(1.0));
    } else if (shape_is_round(own)) { // and the other, whose rank is lower
        round_round(p);
    } else if (own == TAC_BOX && other == TAC_BOX && !(points_radii(p) > R(0.0))) {
        box_box(m, g);
    } else if ((own == TAC_BOX && other != TAC_BOX && round_box(m, p)) || !TAC_CONVEX) {
        return;
    } else if (shape_is_surface(own)) {
        contacts_surface(m, p, own == TAC_HEIGHT_FIELD);
    } else {
        convex_meet(m, p);
    }
}

// How far shape b moves against shape a in the step at the point `at`, in free motion.
static inline vec3 contacts_way(const tac_model *m, const tac_collision *g, uint16_t a, uint16_t b, vec3 at)
{
    const tac_placed *pa = &g->placed[a], *pb = &g->placed[b];
    const vec3 va = v3_velocity(&pa->v, &pa->w, &pa->pose.p, at);
    return v3_scale(m->h, v3_sub(v3_velocity(&pb->v, &pb->w, &pb->pose.p, at), va));
}

// Bound on the speed that rotation gives to points of a shape beyond that of its centre.
static real contacts_turning(const tac_shape *s, const tac_placed *p)
{
    return s->kind == TAC_SPHERE ? R(0.0) : v3_norm(p->w) * real_max(p->radius, R(0.0));
}

// A contact field by field, as in points_copy(): where a crowd falls, many move for each one that is found late.
static void contacts_copy(tac_contact *to, const tac_contact *from)
{
    to->id = from->id;
    to->body_a = from->body_a;
    to->body_b = from->body_b;
    to->mode = from->mode;
    to->point = from->point;
    to->n = from->n;
    to->u = from->u;
    to->w = from->w;
    to->gap = from->gap;
    to->mu = from->mu;
    to->restitution = from->restitution;
    to->stiffness = from->stiffness;
    to->impulse = from->impulse;
    to->bounce = from->bounce;
    to->velocity = from->velocity;
    ROLLING_SET(to, ROLLING_SPINNING(from), ROLLING_ROLLING(from));
    ROLLING_SET_TORQUE(to, ROLLING_TORQUE(from));
    FRICTION_SET_ACROSS(to, FRICTION_ACROSS(from));
}

// An entry of a full table for one more contact: that of least depth is dropped if the new one is deeper.
static tac_contact *contacts_drop(tac_report *r, tac_contact *table, real gap)
{
    if (r->dropped < UINT16_MAX) { r->dropped++; }
    tac_contact *least = table, *last = &table[TAC_MAX_CONTACTS - 1];
    for (tac_contact *c = table; c < last; c++) {
        if (c[1].gap > least->gap) { least = &c[1]; }
    }
    if (!(gap < least->gap)) { return NULL; }
    for (; least < last; least++) { contacts_copy(least, least + 1); }
    return last;
}

// The shapes of the pair in the order of their bodies, and its points from the frame of the own shape to the world,
// with normals from a to b.
static void contacts_to_world(const tac_model *m, tac_collision *g, uint16_t *a, uint16_t *b)
{
    tac_pair *p = &g->pair;
    const tac_pose *own = &g->placed[p->own_shape].pose;
    const int turned = m->shape[p->own_shape].body > m->shape[p->other_shape].body;
    *a = turned ? p->other_shape : p->own_shape;
    *b = turned ? p->own_shape : p->other_shape;
    for (int i = 0; i < p->points; i++) {
        tac_point *x = &p->point[i];
        x->at.v = pose_point(own, x->at.v);
        x->n = v3_scale(turned ? R(-1.0) : R(1.0), quat_rotate(own->q, x->n));
    }
}

// Sorts the points of the pair by their positions only. The solver visits contacts in this order, so the same points
// get the same forces whichever shapes produced them. Four points are ordered around their centre.
static void contacts_sort(const tac_pair *p, uint8_t order[TAC_PAIR_POINTS])
{
    const vec3 axis = v3(R(1.0), R(0.618), R(0.382)); // not parallel to a likely edge
    real key[TAC_PAIR_POINTS];
    for (int i = 0; i < p->points; i++) {
        key[i] = v3_dot(axis, p->point[i].at.v);
        int at = i;
        for (; at > 0 && key[order[at - 1]] > key[i]; at--) { order[at] = order[at - 1]; }
        order[at] = (uint8_t)i;
    }
    if (p->points == 4) {
        const uint8_t last = order[3];
        order[3] = order[2];
        order[2] = last;
    }
}

#define CONTACTS_UPRIGHT R(1e-3)      // of a unit axis: a shorter part in the tangent plane has no direction
#define CONTACTS_ACROSS R(0.00390625) // least friction across over that along: 1/256, for the condition of W

// Tangents along and across friction that has a direction, on the side of the shape that decides; else any two.
static inline void contacts_tangents(const tac_model *m, const tac_collision *g, tac_contact *c)
{
    const tac_shape *a = &m->shape[c->id.shape_a], *b = &m->shape[c->id.shape_b];
    const int own_a = friction_has_axis(a), own_b = friction_has_axis(b);
    const int of_b = own_b && (!own_a || FRICTION_SHARE(b) < FRICTION_SHARE(a));
    const tac_shape *s = of_b ? b : a;
    c->u = v3_normal_to(c->n);
    FRICTION_SET_ACROSS(c, R(1.0));
    if (own_a || own_b) {
        const vec3 out = v3_scale(of_b ? R(-1.0) : R(1.0), c->n);
        const vec3 axis = quat_rotate(g->placed[of_b ? c->id.shape_b : c->id.shape_a].pose.q, FRICTION_AXIS(s));
        const vec3 flat = v3_madd(axis, -v3_dot(axis, out), out);
        if (v3_norm(flat) > CONTACTS_UPRIGHT) {
            real sin, cos;
            real_sin_cos(FRICTION_TURN(s), &sin, &cos);
            const vec3 u = v3_unit(v3_add(v3_scale(cos, flat), v3_scale(sin, v3_cross(out, flat))), c->u);
            c->u = v3_unit(v3_madd(u, -v3_dot(u, out), out), c->u); // the rounding of the axis, over a short part of it
            FRICTION_SET_ACROSS(c, real_clamp(FRICTION_SHARE(s), CONTACTS_ACROSS, R(1.0)));
        }
    }
    c->w = v3_cross(c->n, c->u);
}

// Adds a contact of shapes a and b, in the world frame, if the table has room.
static inline void contacts_add(const tac_model *m, const tac_collision *g, uint16_t a, uint16_t b,
                                const tac_material_pair *pair, const tac_point *p, tac_report *report,
                                tac_contact *table)
{
    const int full = report->contacts == TAC_MAX_CONTACTS;
    tac_contact *c = full ? contacts_drop(report, table, p->gap) : &table[report->contacts++];
    if (c == NULL) { return; }
    c->mode = TAC_OPEN;
    reals_clear(&c->impulse, sizeof *c - offsetof(tac_contact, impulse));
    c->id = (tac_feature){a, b, p->feature};
    c->body_a = m->shape[a].body;
    c->body_b = m->shape[b].body;
    c->point = p->at.v;
    c->n = p->n;
    contacts_tangents(m, g, c);
    c->gap = p->gap;
    c->mu = pair->friction;
    c->restitution = pair->stiffness > R(0.0) ? R(0.0) : pair->restitution; // what it gives back is the spring's
    c->stiffness = pair->stiffness;
    const int rubs = pair->friction > R(0.0);
    ROLLING_SET(c, rubs ? ROLLING_SPINNING(pair) : R(0.0), rubs ? ROLLING_ROLLING(pair) : R(0.0));
}

// ------------------------------------------------------------------------------------------------------------ arrivals

// A contact holds its bodies by a plane. That of the start of the step is right where they touch already, and where the
// point of one shape stays above the same face of the other while it comes. Any other pair that free motion brings
// through its plane arrives: arrivals.h finds out whether it touches, and where. Not so two bodies of one mechanism:
// how they move against each other in the step is for their joints to say, of which free motion knows nothing.

enum { CONTACTS_HOLDS, CONTACTS_PASSES, CONTACTS_ARRIVES };

// Distance between the arc on which a point of a shape moves in the step and its tangent.
static real contacts_arc(const tac_model *m, const tac_shape *s, const tac_placed *p)
{
    const real turn = m->h * v3_norm(p->w);
    return s->kind == TAC_SPHERE ? R(0.0) : R(0.5) * turn * turn * real_max(p->radius, R(0.0));
}

// Two balls: does their straight motion bring them together, and in about the direction that they have now?
static int contacts_balls(const tac_model *m, const tac_collision *g, uint16_t a, uint16_t b)
{
    const tac_placed *pa = &g->placed[a], *pb = &g->placed[b];
    const real radii = points_radii(&g->pair);
    const vec3 d = v3_sub(pb->pose.p, pa->pose.p), way = v3_scale(m->h, v3_sub(pb->v, pa->v));
    const real dd = v3_dot(d, d), ww = v3_dot(way, way), part = real_min(-v3_dot(d, way) / ww, R(1.0));
    const vec3 e = v3_madd(d, part, way);
    if (!(v3_dot(e, e) < radii * radii)) { return CONTACTS_PASSES; }
    const vec3 across = v3_madd(d, -v3_dot(d, way) / ww, way);
    const real turns = v3_norm(across) * (R(1.0) / radii - R(1.0) / real_sqrt(dd));
    return turns < CONTACTS_ASIDE ? CONTACTS_HOLDS : CONTACTS_ARRIVES;
}

// Do two shapes move against each other by less than `still` in this step, but for forces?
static int contacts_still(const tac_model *m, const tac_placed *a, const tac_placed *b, real still)
{
    const real turn = v3_norm(a->w) * real_abs(a->radius) + v3_norm(b->w) * real_abs(b->radius);
    const vec3 falls = v3_sub(b->fall, a->fall), way = v3_scale(m->h, v3_sub(b->v, a->v));
    return v3_norm(v3_sub(way, falls)) + m->h * turn <= still;
}

// Do the shapes touch at a point, n from a to b, and does next to nothing but forces bring them closer, or move them at
// all? `way` is what the step moves b against a there, in free motion.
static int contacts_rests(const tac_model *m, const tac_placed *a, const tac_placed *b, real flush, vec3 n, real gap,
                          vec3 way)
{
    const vec3 own = v3_sub(way, v3_sub(b->fall, a->fall));
    const real noise = CONTACTS_NOISE * (flush + v3_norm(a->fall) + v3_norm(b->fall));
    if (!(gap <= flush)) { return 0; }
    return -v3_dot(n, own) - real_max(gap, R(0.0)) <= noise || contacts_still(m, a, b, CONTACTS_STILL * flush);
}

// A point in the world frame that comes to the plane of the contact in this step of free motion, in which b moves by
// `way` against a, and does not touch inside of a face already.
static int contacts_judge(const tac_model *m, const tac_collision *g, uint16_t a, uint16_t b, const tac_point *p,
                          vec3 way)
{
    const tac_shape *sa = &m->shape[a], *sb = &m->shape[b];
    const tac_placed *pa = &g->placed[a], *pb = &g->placed[b];
    const real flush = CONTACTS_FLUSH * g->pair.thickness;
    if (contacts_rests(m, pa, pb, flush, p->n, p->gap, way)) { return CONTACTS_HOLDS; }
    if (sa->kind == TAC_SPHERE && sb->kind == TAC_SPHERE) {
        return p->gap > R(0.0) ? contacts_balls(m, g, a, b) : CONTACTS_HOLDS;
    }
    const vec3 along = v3_madd(way, -v3_dot(p->n, way), p->n);
    const int straight = contacts_arc(m, sa, pa) + contacts_arc(m, sb, pb) <= flush;
    return straight && p->room >= v3_norm(along) ? CONTACTS_HOLDS : CONTACTS_ARRIVES;
}

// Notes that shapes a and b arrive. If the list is full, they may lose a contact.
static void contacts_note(tac_collision *g, uint16_t a, uint16_t b, real time, tac_report *report)
{
    if (g->arrivals < TAC_MAX_ARRIVALS) {
        g->arrival[g->arrivals++] = (tac_arrival){time, {a, b}};
    } else if (report->dropped < UINT16_MAX) {
        report->dropped++;
    }
}

// Does the pair touch at one of the points `held`, a bit each, with the normal of point i? Then its plane there is
// right for that one too.
static int contacts_touches(const tac_pair *p, uint32_t held, int i)
{
    for (int k = 0; k < p->points; k++) {
        const tac_point *x = &p->point[k];
        const int touches = held >> k & 1 && x->gap <= CONTACTS_FLUSH * p->thickness;
        if (touches && v3_norm_inf(v3_sub(x->n, p->point[i].n)) <= CONTACTS_ALIKE) { return 1; }
    }
    return 0;
}

// The time after which a point arrives, of those of `arrives`, a bit each. Where there is none, and none holds, a
// rotation may bring others closer than these, of which `least` of the gap is left.
static real contacts_time(const tac_model *m, const tac_collision *g, uint16_t a, uint16_t b, uint32_t arrives,
                          real least)
{
    const tac_pair *p = &g->pair;
    real time = CONTACTS_NEVER;
    for (int i = 0; i < p->points; i++) {
        const tac_point *x = &p->point[i];
        if (!(arrives >> i & 1)) { continue; }
        const real closing = -v3_dot(x->n, contacts_way(m, g, a, b, x->at.v));
        time = real_min(time, x->gap > R(0.0) ? x->gap / closing : R(0.0));
    }
    if (time < CONTACTS_NEVER) { return time; }
    const real spin = contacts_turning(&m->shape[a], &g->placed[a]) + contacts_turning(&m->shape[b], &g->placed[b]);
    return least < p->margin + R(2.0) * m->h * spin ? R(1.0) : CONTACTS_NEVER;
}

// Stores the points of the pair with a gap below delta_K = margin + closing speed h, in the world frame, the body of
// lower index first; if `judges`, not those that arrive: that they do is noted, and whether a point stops bodies that
// would come deep, by more than forces alone.
static void contacts_store(const tac_model *m, tac_collision *g, int judges, tac_report *report, tac_contact *table)
{
    tac_pair *p = &g->pair;
    uint16_t a, b;
    uint8_t order[TAC_PAIR_POINTS];
    tac_material_pair pair;
    contacts_to_world(m, g, &a, &b);
    model_pair(m, m->shape[a].material, m->shape[b].material, &pair);
    const vec3 falls = v3_sub(g->placed[a].fall, g->placed[b].fall);
    const real flush = CONTACTS_FLUSH * p->thickness;
    const real reach = real_max(p->margin, m->h * (g->placed[a].driven + g->placed[b].driven));
    uint32_t held = 0, arrives = 0;
    real least = REAL_LARGEST;
    contacts_sort(p, order);
    for (int i = 0; i < p->points; i++) {
        const tac_point *x = &p->point[order[i]];
        const vec3 way = contacts_way(m, g, a, b, x->at.v);
        const real closing = -v3_dot(x->n, way);
        least = real_min(least, x->gap - closing);
        if (!(x->gap < reach + real_max(closing, R(0.0)))) { continue; }
        report->penetration = real_max(report->penetration, -x->gap);
        const int inside = x->gap <= flush && x->room > flush, comes = judges && x->gap < closing && !inside;
        const int judged = comes ? contacts_judge(m, g, a, b, x, way) : CONTACTS_HOLDS;
        if (judged == CONTACTS_ARRIVES) { arrives |= UINT32_C(1) << order[i]; }
        if (judged != CONTACTS_HOLDS) { continue; }
        held |= UINT32_C(1) << order[i];
        if (judges && closing - real_max(x->gap, R(0.0)) - v3_dot(x->n, falls) > p->margin) { g->strikes = 1; }
        contacts_add(m, g, a, b, &pair, x, report, table);
    }
    for (int i = 0; i < p->points && arrives > 0 && held > 0; i++) {
        if (!(arrives >> i & 1) || !contacts_touches(p, held, i)) { continue; }
        arrives &= ~(UINT32_C(1) << i);
        contacts_add(m, g, a, b, &pair, &p->point[i], report, table);
    }
    if (!judges || (arrives == 0 && held > 0)) { return; }
    const real time = contacts_time(m, g, a, b, arrives, least);
    if (time < CONTACTS_NEVER) { contacts_note(g, a, b, time, report); }
}

// Contacts of all points found, as if the bodies rested.
static void contacts_enter(const tac_model *m, tac_collision *g, tac_report *report, tac_contact *table)
{
    contacts_store(m, g, 0, report, table);
}

// Finds points of shapes i and j, on bodies that are not joined, closer than `margin`, which may be TAC_AUTO. Returns
// their number.
static int contacts_meet(const tac_model *m, tac_collision *g, real margin, uint16_t i, uint16_t j)
{
    const int first = SHAPE_RANK[m->shape[i].kind] >= SHAPE_RANK[m->shape[j].kind];
    const uint16_t own = first ? i : j, other = first ? j : i;
    const tac_shape *a = &m->shape[own], *b = &m->shape[other];
    const tac_placed *pa = &g->placed[own], *pb = &g->placed[other];
    tac_pair *p = &g->pair;
    p->own_shape = own;
    p->other_shape = other;
    p->points = 0;
    if (!contacts_may_meet(m, a, b) || !contacts_near(m, margin, pa, pb, p)) { return 0; }
    if (contacts_excluded(m, a, b)) { return 0; } // last: the table may be long
    if (a->kind == TAC_HALF_SPACE && b->kind == TAC_SPHERE) {
        face_ball(p, pb->radius);
    } else {
        points_see(a, &pa->pose, b, &pb->pose, p);
        contacts_narrow(m, g, a->kind, b->kind);
    }
    return p->points;
}

// Are two bodies of one mechanism? The ground is of none. Mechanisms are found when the first pair asks.
static int contacts_together(const tac_model *m, const tac_state *s, tac_collision *g, uint16_t a, uint16_t b,
                             int *known)
{
    if (JOINT_COUNT(m) == 0 || a == 0 || b == 0) { return 0; }
    if (!*known) { joint_mechanisms(m, s, JOINT_MECHANISM(g)); }
    *known = 1;
    return joint_together(JOINT_MECHANISM(g), a, b);
}

// The contact set of placed shapes, in order of their indices. `judges`: pairs that arrive are noted.
static void contacts_find(const tac_model *m, const tac_state *s, int judges, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    g->arrivals = g->strikes = 0;
    int known = 0;
    const int from = broad_build(m, g, BROAD_PAIRS(w));
    for (uint16_t i = 0; i < m->shapes; i++) {
        uint32_t count = broad_list(m, g, BROAD_PAIRS(w), from, i);
        if (JOINT_COUNT(m) > 0) { count = contacts_part(m, s, i, g->near, count); }
        for (uint32_t k = 0; k < count; k++) {
            if (!contacts_meet(m, g, m->options.margin, i, g->near[k])) { continue; }
            const uint16_t a = m->shape[i].body, b = m->shape[g->near[k]].body;
            contacts_store(m, g, judges && !contacts_together(m, s, g, a, b, &known), &w->report, w->contact);
        }
    }
}

#endif
