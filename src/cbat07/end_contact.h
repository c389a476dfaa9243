// SPDX-License-Identifier: MIT
// end_contact.h - where the two points of a contact are at the end of the step, and how they move with the bodies.
//   given   contacts at the start of the step; poses of the two bodies at its end
//   makes   a1, a2, normal, frame and gap there, CBAT07 (9) or (22); their changes by motions of the bodies
//   bound   constant; for a pair of implicit bodies that of implicit_find()
//   never   uses velocities or impulses
#ifndef CBAT07_END_CONTACT_H
#define CBAT07_END_CONTACT_H

#include "bodies.h"
#include "implicit.h"

#if TAC_MAX_NCP > 0

// Two convex bodies that touch in one point have one pair of closest points, (9) or (22), which the points of the
// contact are. Where they touch along a line or a face, (9) and (22) do not determine a1 and a2, and one point could
// not support the bodies: there the contacts of the geometry floor are used, each a plane fixed to one body and a point
// fixed to the other. The rim of a cylinder or cone is in between: each of its two rims has one closest point to
// a half-space, however the cylinder lies.

#define END_RIM R(0.001)      // sine of the angle between axis and normal from which on a rim has a lowest point
#define END_ALIGNED R(0.9998) // cosine up to which a normal is that of a face
#define END_CORNER R(0.01)    // of the thickness: so near to a corner is a point at it

// Poses of both bodies, and their shapes: what the points depend on. `rest`: low-order parts of their positions.
typedef struct end_bodies {
    const tac_model *m;
    const tac_contact *contact;
    const tac_pose *body[2];
    vec3 rest[2];
} end_bodies;

static const tac_shape *end_shape(const end_bodies *b, int side)
{
    return &b->m->shape[side ? b->contact->id.shape_b : b->contact->id.shape_a];
}

// Pose of a shape in its body's principal frame, where the poses of the world have no rounding to add.
static void end_shape_own(const end_bodies *b, int side, tac_pose *pose)
{
    const tac_shape *s = end_shape(b, side);
    const tac_pose *frame = &b->m->body[s->body].inertial;
    pose->p = pose_point_back(frame, s->pose.p);
    pose->q = quat_mul(quat_conj(frame->q), s->pose.q);
    quat_unit(&pose->q);
}

// In the world.
static void end_shape_pose(const end_bodies *b, int side, tac_pose *pose)
{
    tac_pose own;
    end_shape_own(b, side, &own);
    pose_mul(b->body[side], &own, pose);
    quat_unit(&pose->q);
}

static vec3 end_to_world(const tac_pose *body, vec3 x)
{
    return pose_point(body, x);
}

static vec3 end_to_body(const tac_pose *body, vec3 x)
{
    return pose_point_back(body, x);
}

// ------------------------------------------------------------------------------------------------------- which law

// Radius of the ball that is swept over the core of a shape.
static real end_ball(const tac_shape *s)
{
    return shape_is_round(s->kind) ? s->size.x + s->rounding : s->rounding;
}

// Has a shape a face with the unit normal n, in the shape's frame?
static int end_has_face(const tac_model *m, const tac_shape *s, vec3 n)
{
    if (s->kind == TAC_BOX) { return v3_norm_inf(n) > END_ALIGNED; }
    if (s->kind == TAC_CYLINDER) { return real_abs(n.z) > END_ALIGNED; }
    if (s->kind == TAC_CONE) { return n.z < -END_ALIGNED; }
    if (s->kind != TAC_HULL) { return 0; }
    const tac_polyhedron *h = &m->polyhedron[s->data];
    for (const tac_face *f = &m->face[h->first_face], *end = f + h->faces; f < end; f++) {
        if (v3_dot(f->n, n) > END_ALIGNED) { return 1; }
    }
    return 0;
}

// Is a point of its surface at a corner of a shape, in the shape's frame? Of a cylinder and a cone: on a rim.
static int end_has_corner(const tac_model *m, const tac_shape *s, vec3 x)
{
    const real near = END_CORNER * shape_thickness(m, s);
    const vec3 out = v3(s->size.x - real_abs(x.x), s->size.y - real_abs(x.y), s->size.z - real_abs(x.z));
    if (s->kind == TAC_BOX) { return real_max(out.x, real_max(out.y, out.z)) < near; }
    if (s->kind == TAC_CYLINDER || s->kind == TAC_CONE) {
        return s->size.x - real_sqrt(x.x * x.x + x.y * x.y) < near && out.z < near;
    }
    if (s->kind != TAC_HULL) { return 0; }
    const tac_polyhedron *h = &m->polyhedron[s->data];
    for (const vec3 *p = &m->point[h->first_point], *end = p + h->points; p < end; p++) {
        if (v3_norm(v3_sub(x, *p)) < near) { return 1; }
    }
    return 0;
}

// Rank of a shape as the one whose plane is used, with a point of the other: a half-space; a shape with a face and no
// corner there; a shape with a face.
static int end_flatness(const end_bodies *b, int side)
{
    const tac_shape *s = end_shape(b, side);
    tac_pose pose;
    end_shape_pose(b, side, &pose);
    const real sign = side ? R(-1.0) : R(1.0);
    const vec3 n = quat_rotate_back(pose.q, v3_scale(sign, b->contact->n));
    const vec3 at = v3_madd(b->contact->point, -sign * (R(0.5) * b->contact->gap + s->rounding), b->contact->n);
    if (shape_endless(s->kind)) { return 3; }
    if (!end_has_face(b->m, s, n)) { return 0; }
    return end_has_corner(b->m, s, end_to_body(&pose, at)) ? 1 : 2;
}

// The side whose face the plane is.
static uint8_t end_face(const end_bodies *b)
{
    return end_flatness(b, 1) > end_flatness(b, 0);
}

// The point of a circle that is lowest along n, and the sine of the angle between its axis and n.
static vec3 end_lowest(vec3 centre, vec3 axis, real radius, vec3 n, real *sine)
{
    const vec3 across = v3_madd(n, -v3_dot(n, axis), axis);
    *sine = v3_norm(across);
    return *sine > R(0.0) ? v3_madd(centre, -radius / *sine, across) : centre;
}

// The centre of the rim of a cylinder or a cone that the point x is on, in the shape's frame.
static vec3 end_rim_centre(const tac_shape *s, const tac_pose *pose, vec3 x)
{
    const int top = s->kind == TAC_CYLINDER && end_to_body(pose, x).z > R(0.0);
    return v3(R(0.0), R(0.0), top ? s->size.z : -s->size.z);
}

// Is the contact on the rim of a cylinder or cone that leans on a half-space, and of the contacts of its pair the one
// nearest to the lowest point of this rim? Then `c` gets the rim. n: out of the half-space.
static int end_take_rim(const end_bodies *b, const tac_contact *pair, int count, int of, vec3 n, tac_ncp_contact *c)
{
    const tac_shape *s = end_shape(b, of);
    if (end_shape(b, 1 - of)->kind != TAC_HALF_SPACE || (s->kind != TAC_CYLINDER && s->kind != TAC_CONE)) { return 0; }
    tac_pose pose, own;
    real sine;
    end_shape_pose(b, of, &pose);
    end_shape_own(b, of, &own);
    const vec3 centre = end_rim_centre(s, &pose, b->contact->point), axis = quat_rotate(pose.q, V3_Z);
    const vec3 lowest = end_lowest(end_to_world(&pose, centre), axis, s->size.x, n, &sine);
    const real far = v3_norm(v3_sub(b->contact->point, lowest));
    if (!(sine > END_RIM) || far > s->size.x) { return 0; }
    for (const tac_contact *k = pair; k < pair + count; k++) {
        const real other = v3_norm(v3_sub(k->point, lowest));
        if (k != b->contact && (other < far || (other == far && k < b->contact))) { return 0; }
    }
    c->radius = s->size.x;
    c->point[of] = end_to_world(&own, centre);
    c->rim = quat_rotate(own.q, V3_Z);
    return 1;
}

// The point of a shape where a ball is swept over its core: from its surface -radius along its normal. In the body's
// frame; the centre of a sphere and the origin of a half-space are what the model says.
static vec3 end_core(const end_bodies *b, int side, real radius)
{
    const real sign = side ? R(1.0) : R(-1.0);
    tac_pose own;
    end_shape_own(b, side, &own);
    const uint8_t kind = end_shape(b, side)->kind;
    if (kind == TAC_SPHERE || kind == TAC_HALF_SPACE) { return own.p; }
    const real out = sign * (R(0.5) * b->contact->gap + radius);
    return end_to_body(b->body[side], v3_madd(b->contact->point, out, b->contact->n));
}

// The centres of two balls.
static void end_take_balls(const end_bodies *b, tac_ncp_contact *c)
{
    for (int side = 0; side < 2; side++) {
        c->ball[side] = end_ball(end_shape(b, side));
        c->point[side] = end_core(b, side, c->ball[side]);
    }
    c->law = TAC_NCP_BALLS;
}

// A point of the plane of one body, and the point of the other.
static void end_take_face(const end_bodies *b, const tac_contact *pair, int count, tac_ncp_contact *c)
{
    c->face = end_face(b);
    const int of = 1 - c->face;
    const vec3 n = v3_scale(c->face ? R(-1.0) : R(1.0), b->contact->n);
    tac_pose own;
    end_shape_own(b, c->face, &own);
    const int half = end_shape(b, c->face)->kind == TAC_HALF_SPACE;
    c->axis = half ? quat_rotate(own.q, V3_Z) : quat_rotate_back(b->body[c->face]->q, n);
    c->ball[of] = end_ball(end_shape(b, of));
    c->point[c->face] = end_core(b, c->face, R(0.0));
    c->point[of] = end_core(b, of, c->ball[of]);
    c->law = TAC_CONVEX && end_take_rim(b, pair, count, of, n, c) ? TAC_NCP_RIM : TAC_NCP_FACE;
}

// Do two intersections of inequalities touch in one point? A half-space and what has corners are a plane and points.
static int end_is_pair(const end_bodies *b, int count, tac_implicit shape[2])
{
    const tac_shape *s = end_shape(b, 0), *t = end_shape(b, 1);
    if (!TAC_CONVEX || count > 1) { return 0; }
    if (s->kind == TAC_HALF_SPACE && t->kind != TAC_ELLIPSOID) { return 0; }
    if (t->kind == TAC_HALF_SPACE && s->kind != TAC_ELLIPSOID) { return 0; }
    return bodies_shape(&shape[0], b->m, s) == TAC_OK && bodies_shape(&shape[1], b->m, t) == TAC_OK;
}

// The law of a contact, from the poses at the start of the step. `pair`: the contacts of its pair of shapes.
static void end_take(const end_bodies *b, const tac_contact *pair, int count, tac_implicit shape[2], tac_ncp_contact *c)
{
    reals_clear(c->point, sizeof c->point);
    c->ball[0] = c->ball[1] = c->radius = R(0.0);
    c->axis = c->rim = V3_ZERO;
    c->face = c->known = 0;
    c->base = b->contact->u;
    c->normal = b->contact->n;
    if (shape_is_round(end_shape(b, 0)->kind) && shape_is_round(end_shape(b, 1)->kind)) {
        end_take_balls(b, c);
    } else if (end_is_pair(b, count, shape)) {
        for (int side = 0; side < 2; side++) { // the ball of a sphere is part of its core
            const tac_shape *s = end_shape(b, side);
            c->ball[side] = s->kind == TAC_SPHERE ? R(0.0) : s->rounding;
        }
        c->law = TAC_NCP_PAIR;
    } else {
        end_take_face(b, pair, count, c);
    }
}

// ------------------------------------------------------------------------------------------------- at the given poses

// Normal, and tangents: t along the part of `base` that is in the tangent plane.
static void end_frame(vec3 n, tac_ncp_contact *c)
{
    c->normal = n;
    c->t = v3_unit(v3_madd(c->base, -v3_dot(c->base, n), n), v3_normal_to(n));
    c->o = v3_cross(n, c->t);
}

// Change of this frame with the normal: how fast it turns about it.
static real end_frame_spin(const tac_ncp_contact *c, vec3 dn)
{
    const real out = v3_dot(c->base, c->normal), in = v3_dot(c->base, c->t);
    return in > R(0.0) ? -v3_dot(c->o, dn) * out / in : R(0.0);
}

// Points and gap, from two points of cores that are `distance` apart along n.
static void end_surfaces(const end_bodies *b, vec3 x, vec3 y, vec3 n, real distance, tac_ncp_contact *c)
{
    c->a1 = v3_madd(x, c->ball[0], n);
    c->a2 = v3_madd(y, -c->ball[1], n);
    c->gap = distance - c->ball[0] - c->ball[1] + v3_dot(n, v3_sub(b->rest[1], b->rest[0]));
    end_frame(n, c);
}

static void end_place_balls(const end_bodies *b, tac_ncp_contact *c)
{
    const vec3 x = end_to_world(b->body[0], c->point[0]), y = end_to_world(b->body[1], c->point[1]);
    const vec3 n = v3_unit(v3_sub(y, x), c->normal);
    end_surfaces(b, x, y, n, v3_dot(n, v3_sub(y, x)), c);
}

// The plane's point is the one below the other body's.
static void end_place_face(const end_bodies *b, tac_ncp_contact *c)
{
    const int of = 1 - c->face;
    const tac_pose *flat = b->body[c->face], *other = b->body[of];
    const vec3 n = quat_rotate(flat->q, c->axis);
    vec3 x = end_to_world(other, c->point[of]);
    real sine;
    if (c->law == TAC_NCP_RIM) { x = end_lowest(x, quat_rotate(other->q, c->rim), c->radius, n, &sine); }
    const real height = v3_dot(n, v3_sub(x, end_to_world(flat, c->point[c->face])));
    const vec3 below = v3_madd(x, -height, n);
    end_surfaces(b, c->face ? x : below, c->face ? below : x, c->face ? v3_scale(R(-1.0), n) : n, height, c);
}

// Closest points of the cores, in the frame of shape a, which has the pose `at`. Returns 1 if Newton's method on (22)
// has found them.
static int end_closest(const end_bodies *b, tac_pose *at, tac_ncp *q, tac_ncp_contact *c)
{
    tac_pose other;
    end_shape_pose(b, 0, at);
    end_shape_pose(b, 1, &other);
    other.p = pose_point_back(at, other.p);
    other.q = quat_mul(quat_conj(at->q), other.q);
    (void)bodies_shape(&q->shape[0], b->m, end_shape(b, 0));
    (void)bodies_shape(&q->shape[1], b->m, end_shape(b, 1));
    int found = c->known && implicit_follow(&q->shape[0], &q->shape[1], &other, &c->closest, &q->implicit);
    if (!found) {
        implicit_find(&q->shape[0], &q->shape[1], &other, &q->implicit);
        bytes_copy(&c->closest, &q->implicit.best, sizeof c->closest);
        found = implicit_follow(&q->shape[0], &q->shape[1], &other, &c->closest, &q->implicit);
    }
    if (found) { bytes_copy(&c->closest, &q->implicit.best, sizeof c->closest); }
    c->known = 1;
    return found;
}

static void end_place_pair(const end_bodies *b, tac_ncp *q, tac_ncp_contact *c)
{
    tac_pose at;
    (void)end_closest(b, &at, q, c);
    const vec3 n = v3_unit(quat_rotate(at.q, c->closest.normal), c->normal);
    end_surfaces(b, end_to_world(&at, c->closest.a1), end_to_world(&at, c->closest.a2), n, c->closest.gap, c);
}

static void end_place(const end_bodies *b, tac_ncp *q, tac_ncp_contact *c)
{
    if (TAC_CONVEX && c->law == TAC_NCP_PAIR) {
        end_place_pair(b, q, c);
    } else if (c->law == TAC_NCP_BALLS) {
        end_place_balls(b, c);
    } else {
        end_place_face(b, c);
    }
}

static vec3 end_middle(const tac_ncp_contact *c)
{
    return v3_scale(R(0.5), v3_add(c->a1, c->a2));
}

// ------------------------------------------------------------------------------------------------------------ changes

// Changes of the normal and of the middle between a1 and a2, against body a, while body b moves by v + r x (x - middle)
// against it: for v and then r along the axes of the world. The gap changes by normal.v, whatever the law: closest
// points are extreme.
typedef struct end_rates {
    vec3 normal[6], point[6];
} end_rates;

// Of the middle, while the plane of n stays and the other body moves.
static vec3 end_rate_face(const end_bodies *b, const tac_ncp_contact *c, vec3 n, vec3 v, vec3 r)
{
    const int of = 1 - c->face;
    const vec3 from = v3_sub(end_to_world(b->body[of], c->point[of]), end_middle(c));
    vec3 moved = v3_add(v, v3_cross(r, from));
    if (c->law == TAC_NCP_RIM) { // the centre's, and that of the direction -m/|m|, m = n - e (e.n)
        const vec3 e = quat_rotate(b->body[of]->q, c->rim), turned = v3_cross(r, e);
        const vec3 m = v3_madd(n, -v3_dot(n, e), e);
        const vec3 dm = v3_scale(R(-1.0), v3_add(v3_scale(v3_dot(e, n), turned), v3_scale(v3_dot(turned, n), e)));
        const real square = v3_dot(m, m), length = real_sqrt(square);
        moved = v3_madd(moved, -c->radius / length, v3_madd(dm, -v3_dot(m, dm) / square, m));
    }
    return v3_madd(moved, R(-0.5) * v3_dot(n, moved), n);
}

static void end_rates_face(const end_bodies *b, const tac_ncp_contact *c, end_rates *rates)
{
    const vec3 n = c->face ? v3_scale(R(-1.0), c->normal) : c->normal;
    for (int k = 0; k < 6; k++) {
        const vec3 v = k < 3 ? V3_AXIS[k] : V3_ZERO, r = k < 3 ? V3_ZERO : V3_AXIS[k - 3];
        const vec3 point = end_rate_face(b, c, n, v, r);
        rates->normal[k] = c->face ? v3_cross(r, c->normal) : V3_ZERO;
        rates->point[k] = c->face ? v3_sub(v, point) : point;
    }
}

// The normal is that of the line between the centres.
static void end_rates_balls(const end_bodies *b, const tac_ncp_contact *c, end_rates *rates)
{
    const vec3 n = c->normal, from = v3_sub(end_to_world(b->body[1], c->point[1]), end_middle(c));
    const real distance = c->gap + c->ball[0] + c->ball[1], shift = R(0.5) * (c->ball[0] - c->ball[1]);
    for (int k = 0; k < 6; k++) {
        const vec3 moved = k < 3 ? V3_AXIS[k] : v3_cross(V3_AXIS[k - 3], from);
        const vec3 aside = v3_madd(moved, -v3_dot(n, moved), n);
        rates->normal[k] = v3_scale(distance > R(0.0) ? R(1.0) / distance : R(0.0), aside);
        rates->point[k] = v3_madd(v3_scale(R(0.5), moved), shift, rates->normal[k]);
    }
}

// Without a solution of (22) that Newton's method has found, normal and point keep to body a.
static void end_rates_pair(const end_bodies *b, tac_ncp *q, tac_ncp_contact *c, end_rates *rates)
{
    tac_pose at;
    vec3 axis[3];
    implicit_rates of[6];
    reals_clear(rates, sizeof *rates);
    const int found = end_closest(b, &at, q, c);
    for (int k = 0; k < 3; k++) { axis[k] = quat_rotate_back(at.q, V3_AXIS[k]); }
    if (!found || !implicit_rates_of(&q->implicit, axis, end_to_body(&at, end_middle(c)), q->right, of)) { return; }
    const real shift = R(0.5) * (c->ball[0] - c->ball[1]);
    for (int k = 0; k < 6; k++) {
        rates->normal[k] = quat_rotate(at.q, of[k].normal);
        rates->point[k] = v3_madd(quat_rotate(at.q, of[k].point), shift, rates->normal[k]);
    }
}

static void end_rates_make(const end_bodies *b, tac_ncp *q, tac_ncp_contact *c, end_rates *rates)
{
    if (TAC_CONVEX && c->law == TAC_NCP_PAIR) {
        end_rates_pair(b, q, c, rates);
    } else if (c->law == TAC_NCP_BALLS) {
        end_rates_balls(b, c, rates);
    } else {
        end_rates_face(b, c, rates);
    }
}

#endif

#endif
