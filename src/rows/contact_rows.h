// SPDX-License-Identifier: MIT
// contact_rows.h - one contact as a block of the cone program: D_i, W = D_i' M^-1 D_i, bias; its products in sweeps.
//   given   contacts, poses; twists of all bodies: velocities at the start of the step, delta_v, pseudo-velocities
//   makes   block[]
//   bound   constant per contact
//   never   stores M^-1 D: angular velocities are in principal frames, where M^-1 only scales
#ifndef ROWS_CONTACT_ROWS_H
#define ROWS_CONTACT_ROWS_H

#include "../base/bytes.h"
#include "../base/dense.h"
#include "../model/rolling.h"

#define ROWS_ROUNDING (R(2.0) * REAL_EPSILON) // of the coordinates

// The blocks of a step: program.contacts of them.
static inline tac_block *blocks_in(tac_work *w)
{
    return w->scratch.solve.block;
}

static inline const tac_block *blocks_of(const tac_work *w)
{
    return w->scratch.solve.block;
}

// One row of D_i' t: n 0, u 1, w 2. The ground (body 0, always a) does not move.
static inline real rows_rate(const tac_block *k, const tac_twist *t, int row)
{
    const tac_twist *a = &t[k->body[0]], *b = &t[k->body[1]];
    real spin = v3_dot(k->j[1][row], b->w);
    if (k->body[0] != 0) { spin += v3_dot(k->j[0][row], a->w); }
    return v3_dot(k->frame[row], v3_sub(b->v, a->v)) + spin;
}

// D_i' t for the twists t of all bodies: the velocity of b relative to a, in (n,u,w).
static inline vec3 rows_relative(const tac_block *k, const tac_twist *t)
{
    const tac_twist *a = &t[k->body[0]], *b = &t[k->body[1]];
    vec3 spin = v3_components(k->j[1], b->w);
    if (k->body[0] != 0) { spin = v3_add(spin, v3_components(k->j[0], a->w)); }
    return v3_add(v3_components(k->frame, v3_sub(b->v, a->v)), spin);
}

// (N g + p)_i = D_i' v + b_i: the velocity in the complementarity condition of the cone program.
static inline vec3 rows_velocity(const tac_block *k, const tac_twist *delta_v)
{
    return v3_add(rows_relative(k, delta_v), k->bias);
}

// The same without b of the normal row: the velocity of b relative to a at the end of the step.
static inline vec3 rows_moving(const tac_block *k, const tac_twist *delta_v)
{
    vec3 u = rows_velocity(k, delta_v);
    u.x -= k->target;
    return u;
}

// Overlap at the end of the step by its velocities, m; negative for a gap.
static inline real rows_overlap(const tac_model *m, const tac_work *w, const tac_contact *c, const tac_block *k)
{
    return -(c->gap + m->h * rows_moving(k, w->delta_v).x);
}

// Rows of D for one body, times an impulse; `tangents`: 0 if only its normal component is not zero.
static inline vec3 rows_sum(const vec3 row[3], vec3 g, int tangents)
{
    return tangents ? v3_combine(row, g) : v3_scale(g.x, row[0]);
}

// t += M^-1 D_i g
static inline void rows_add(const tac_block *k, vec3 g, int tangents, const tac_moving *moving, tac_twist *twist)
{
    const vec3 linear = rows_sum(k->frame, g, tangents);
    for (int side = k->body[0] == 0; side < 2; side++) {
        const uint16_t body = side ? k->body[1] : k->body[0];
        const tac_moving *m = &moving[body];
        tac_twist *t = &twist[body];
        t->v = v3_madd(t->v, side ? m->inv_mass : -m->inv_mass, linear);
        t->w = v3_add(t->w, v3_mul(m->inv_inertia, rows_sum(k->j[side], g, tangents)));
    }
}

static inline void rows_apply(const tac_block *k, vec3 g, const tac_moving *m, tac_twist *t)
{
    rows_add(k, g, 1, m, t);
}

// The same for a normal impulse alone.
static inline void rows_push(const tac_block *k, real n, const tac_moving *m, tac_twist *t)
{
    rows_add(k, v3(n, R(0.0), R(0.0)), 0, m, t);
}

// ------------------------------------------------------------------------------------------------------ making a block

// Angular rows of D for one body: A'(s x d) for the directions d = n, u, w, with NST17's sign.
static void rows_arm(const tac_contact *c, const tac_block *k, const tac_pose *body, real sign, vec3 row[3])
{
    const vec3 s = quat_rotate_back(body->q, v3_scale(sign, v3_sub(c->point, body->p)));
    for (int i = 0; i < 3; i++) { row[i] = v3_cross(s, quat_rotate_back(body->q, k->frame[i])); }
}

// W += 1/m I + J diag(1/I) J'
static void rows_add_inertia(const tac_moving *m, const vec3 row[3], sym3 *w)
{
    const vec3 n = v3_mul(m->inv_inertia, row[0]), u = v3_mul(m->inv_inertia, row[1]);
    w->xx += m->inv_mass + v3_dot(n, row[0]);
    w->xy += v3_dot(n, row[1]);
    w->xz += v3_dot(n, row[2]);
    w->yy += m->inv_mass + v3_dot(u, row[1]);
    w->yz += v3_dot(u, row[2]);
    w->zz += m->inv_mass + v3_dot(v3_mul(m->inv_inertia, row[2]), row[2]);
}

// Step lengths of the projected gradient. Normal and tangential rows are scaled to unit diagonal, S W S, whose largest
// eigenvalue is at most its largest absolute row sum; the step length of a row is the square of its scale over that
// sum.
static void rows_steps(tac_block *k)
{
    const real nn = R(1.0) / k->w.xx, tt = R(2.0) / (k->w.yy + k->w.zz), nt = real_sqrt(nn * tt);
    const real xy = nt * real_abs(k->w.xy), xz = nt * real_abs(k->w.xz), yz = tt * real_abs(k->w.yz);
    const real largest = real_max(R(1.0) + xy + xz, real_max(tt * k->w.yy + xy + yz, tt * k->w.zz + xz + yz));
    k->own.sweep.step_n = nn / largest;
    k->own.sweep.step_t = tt / largest;
}

// Prepares a block for the accelerated sweep.
static void rows_sweep(tac_block *k)
{
    sym3_inverse(&k->w, &k->own.sweep.inv_w);
    rows_steps(k);
}

// b of the normal row: max(gap/h, -recovery) (NST17 d_i,0 with TCE17 footnote 5). A gap within rounding counts as zero:
// divided by h, the rounded gaps of the four corners of a resting box would be target velocities that no motion of the
// box has, and the solver would search for the three corners that carry it.
static real rows_target(const tac_model *m, real gap, real rounding)
{
    return real_abs(gap) <= rounding ? R(0.0) : real_max(gap / m->h, -m->options.recovery);
}

// Uncertainty of a contact's gap: rounding of the coordinates that it is computed from. The origin of a wide floor may
// be far away.
static real rows_rounding(const tac_model *m, const tac_contact *c, const tac_state *s)
{
    const tac_shape *a = &m->shape[c->id.shape_a], *b = &m->shape[c->id.shape_b];
    return ROWS_ROUNDING * (v3_norm_inf(c->point) + v3_norm_inf(s->pose[c->body_b].p) + v3_norm_inf(a->pose.p) +
                            v3_norm_inf(b->pose.p));
}

// W as if the bodies were free, without joints.
static void rows_weigh(const tac_work *w, tac_block *k)
{
    reals_clear(&k->w, sizeof k->w);
    for (int side = k->body[0] == 0; side < 2; side++) {
        rows_add_inertia(&w->moving[k->body[side]], k->j[side], &k->w);
    }
}

// ------------------------------------------------------------------------------------------------------ rolling rims
// The rim of a cylinder or a cone rolls on the half-space: within a step its lowest point moves along it, and D with
// it. With D'v = 0 at the start of the step alone, the rim ends the step h^2/2 of its curvature too deep, and the
// correction of that removes energy too: a disk that leans by 0.1 rad loses three quarters of its energy in a second at
// 1 ms. With w the angular velocity and r the arm from the centre of mass to the contact, all in the world frame,
//      D'v + h/2 A'(w x r') + D'pseudo_velocity,      r' = w x r + R/sin (t.(w x n)) t,
// is the velocity in the middle of the step. R is the radius, t the unit tangent of the rim, n x e = sin t with its
// axis e: the lowest point moves along t as the rim leans another way. The third term is the part of free rotation that
// changes poses but not velocities; in the normal row it belongs to `target`, since pseudo-velocities are counted with
// positions.
#define ROWS_ALONG R(0.5) // rad: a contact that moves farther along its rim within a step is not predicted

static int rows_on_rim(const tac_model *m, const tac_contact *c)
{
    const uint8_t kind = m->shape[c->id.shape_b].kind;
    const int rim = TAC_CONVEX && (kind == TAC_CYLINDER || kind == TAC_CONE);
    return rim && c->body_a == 0 && m->shape[c->id.shape_a].kind == TAC_HALF_SPACE;
}

// Where a shape is while its body, whose principal frame is at `inertial` in its own, is at this pose.
static inline void rows_place(const tac_shape *shape, const tac_pose *inertial, const tac_pose *body, tac_pose *placed)
{
    tac_pose own;
    pose_undo(body, inertial, &own);
    pose_mul(&own, &shape->pose, placed);
}

// Axis of the shape, and the arm from it to the contact, square to it.
static vec3 rows_rim(const tac_model *m, const tac_pose *body, const tac_contact *c, vec3 *axis)
{
    tac_pose placed;
    rows_place(&m->shape[c->id.shape_b], &m->body[c->body_b].inertial, body, &placed);
    *axis = quat_rotate(placed.q, v3(R(0.0), R(0.0), R(1.0)));
    const vec3 arm = v3_sub(c->point, placed.p);
    return v3_madd(arm, -v3_dot(arm, *axis), *axis);
}

// A'(w x r'); 0 where the contact moves too far.
static vec3 rows_curvature(const tac_model *m, const tac_state *s, const tac_contact *c, const tac_block *k)
{
    const tac_pose *body = &s->pose[c->body_b];
    vec3 axis;
    const vec3 radial = rows_rim(m, body, c, &axis), across = v3_cross(c->n, axis);
    const vec3 w = quat_rotate(body->q, s->twist[c->body_b].w), r = v3_sub(c->point, body->p);
    const real sine2 = v3_dot(across, across), along = v3_dot(across, v3_cross(w, c->n));
    if (!(m->h * real_abs(along) < ROWS_ALONG * sine2)) { return V3_ZERO; }
    const real rate = v3_norm(radial) / real_sqrt(sine2) * (along / sine2);
    return v3_components(k->frame, v3_cross(w, v3_madd(v3_cross(w, r), rate, across)));
}

static void rows_roll(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c, tac_block *k)
{
    const vec3 turned = v3_components(k->j[1], w->pseudo_velocity[c->body_b].w);
    k->bias = v3_add(v3_madd(k->bias, R(0.5) * m->h, rows_curvature(m, s, c, k)), turned);
    k->target += turned.x;
}

// All but b, which is a rule of the formulation.
static void rows_make(const tac_state *s, const tac_work *w, const tac_contact *c, tac_block *k)
{
    k->push = R(0.0);
    k->frame[0] = c->n, k->frame[1] = c->u, k->frame[2] = c->w;
    k->mu = c->mu;
    k->body[0] = c->body_a, k->body[1] = c->body_b;
    k->rows = ROLLING_SPINNING(c) > R(0.0) || ROLLING_ROLLING(c) > R(0.0) ? 6 : 3;
    for (int side = k->body[0] == 0; side < 2; side++) {
        rows_arm(c, k, &s->pose[k->body[side]], side ? R(1.0) : R(-1.0), k->j[side]);
    }
    rows_weigh(w, k);
    k->bias = rows_relative(k, s->twist);
}

// b of the cone program: of the normal row, and of a rolling rim.
static void rows_aim(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c, tac_block *k)
{
    k->target = rows_target(m, c->gap, rows_rounding(m, c, s));
    k->bias.x += k->target;
    if (rows_on_rim(m, c)) { rows_roll(m, s, w, c, k); }
}

#endif
