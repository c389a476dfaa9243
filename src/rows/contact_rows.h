// SPDX-License-Identifier: MIT
// contact_rows.h - the impulses of all rows; a contact as a block of the cone program: D_i, W = D_i' M^-1 D_i, bias.
//   given   contacts, poses; twists of all bodies: velocities at the start of the step, delta_v, pseudo-velocities
//   makes   block[], products of a block; impulses that are cleared or copied
//   bound   constant per contact; one pass over the rows
//   never   stores M^-1 D: angular velocities are in principal frames, where M^-1 only scales
#ifndef ROWS_CONTACT_ROWS_H
#define ROWS_CONTACT_ROWS_H

#include "../base/bytes.h"
#include "../base/vec.h"
#include "../model/model.h"
#include "../sets/cone.h"
#include "phase.h"

#define ROWS_ROUNDING (R(2.0) * REAL_EPSILON) // of the coordinates

// How a contact takes part in the motion of the step (rolls.h).
enum {
    ROLLS_NOT,    // its rows are those of the start of the step
    ROLLS_START,  // its impulse acts at the start of the step, and it sees the velocities of the middle
    ROLLS_MIDDLE, // its impulse acts in the middle of the step, and it sees the velocities of the end
    ROLLS_BALL    // the same, of a ball on a plane, whose rows do not change and whose rotation does not matter
};

// ------------------------------------------------------------------------------------------------------------ all rows
// Their impulses are in three arrays of tac_solve_scratch: those in force, the best so far, those of the last iterate.

// The first row of a joint, since those of contacts come first; with as many joints as there are, the number of rows.
static uint32_t iterate_joint(const tac_work *w, uint32_t joint)
{
    return (uint32_t)TAC_CONTACT_ROWS * w->program.contacts + (uint32_t)TAC_LINK_ROWS * joint;
}

// No impulses: `x` is one of the three.
static void iterate_clear(const tac_work *w, real *x)
{
    reals_clear(x, iterate_joint(w, PROGRAM_JOINTS(w)) * sizeof *x);
}

static void iterate_copy(const tac_work *w, real *to, const real *from)
{
    reals_copy(to, from, iterate_joint(w, PROGRAM_JOINTS(w)) * sizeof *to);
}

// ----------------------------------------------------------------------------------------------------------- a contact

// One row of D_i' t: n 0, u 1, w 2. The ground (body 0, always a) does not move.
static inline real rows_rate(const tac_block *k, const tac_twist *t, int row)
{
    const tac_twist *a = &t[k->body[0]], *b = &t[k->body[1]];
    real spin = v3_dot(k->j[1][row], b->w);
    if (k->body[0] != 0) { spin += v3_dot(k->j[0][row], a->w); }
    return v3_dot(k->frame[row], v3_sub(b->v, a->v)) + spin;
}

// Does it resist spinning and rolling (torsion.h)?
static inline int has_torsion(const tac_block *k)
{
    return TAC_ROLLING && k->rows == 6;
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

// The same with C g of the normal row, g its impulse (rows_aim()); u is that velocity.
static inline vec3 rows_yield(const tac_block *k, vec3 u, real g)
{
    if (k->soft > R(0.0)) { u.x += k->soft * g; }
    return u;
}

// The velocity of b relative to a at the end of the step: without b of the normal row.
static inline vec3 rows_moving(const tac_block *k, const tac_twist *delta_v)
{
    vec3 u = rows_velocity(k, delta_v);
    u.x -= k->target;
    return u;
}

// The same in (n,u,w).
static inline vec3 rows_shown(const tac_block *k, const tac_twist *delta_v)
{
    return friction_over(FRICTION_ACROSS(k), rows_moving(k, delta_v));
}

// Overlap at the end of the step by its velocities, m; negative for a gap.
static inline real rows_overlap(const tac_model *m, const tac_work *w, const tac_contact *c, const tac_block *k)
{
    const real moving = rows_rate(k, w->delta_v, 0) + k->bias.x - k->target;
    return -(c->gap + m->h * (moving - k->drift));
}

// t += M^-1 D_i g;  `tangents`: 0 if only the normal component of g is not zero.
static inline void rows_add(const tac_block *k, vec3 g, int tangents, const tac_moving *moving, tac_twist *twist)
{
    const vec3 linear = tangents ? v3_combine(k->frame, g) : v3_scale(g.x, k->frame[0]);
    for (int side = k->body[0] == 0; side < 2; side++) {
        const uint16_t body = side ? k->body[1] : k->body[0];
        const tac_moving *m = &moving[body];
        tac_twist *t = &twist[body];
        t->v = v3_madd(t->v, side ? m->inv_mass : -m->inv_mass, linear);
        const vec3 angular = tangents ? v3_combine(k->j[side], g) : v3_scale(g.x, k->j[side][0]);
        t->w = v3_add(t->w, v3_mul(m->inv_inertia, angular));
    }
}

// Most contacts that bear nothing do not change.
static inline void rows_apply(const tac_block *k, vec3 g, const tac_moving *m, tac_twist *t)
{
    if (g.x != R(0.0) || g.y != R(0.0) || g.z != R(0.0)) { rows_add(k, g, 1, m, t); }
}

// t += M^-1 D_i g for a normal impulse alone.
static inline void rows_push(const tac_block *k, real n, const tac_moving *m, tac_twist *t)
{
    rows_add(k, v3(n, R(0.0), R(0.0)), 0, m, t);
}

// ------------------------------------------------------------------------------------------------------ making a block

// Angular rows of D for one body: A'(s x d) for the directions d = n, u, w, with NST17's sign. `arm`: from its centre
// of mass to the contact, with the sign of the body.
static void rows_arm(const tac_block *k, quat q, vec3 arm, vec3 row[3])
{
    const vec3 s = quat_rotate_back(q, arm);
    for (int i = 0; i < 3; i++) { row[i] = v3_cross(s, quat_rotate_back(q, k->frame[i])); }
}

// W += 1/m I + J diag(1/I) J'; the last row is times `across`.
static void rows_add_inertia(const tac_moving *m, const vec3 row[3], real across, sym3 *w)
{
    const vec3 n = v3_mul(m->inv_inertia, row[0]), u = v3_mul(m->inv_inertia, row[1]);
    w->xx += m->inv_mass + v3_dot(n, row[0]);
    w->xy += v3_dot(n, row[1]);
    w->xz += v3_dot(n, row[2]);
    w->yy += m->inv_mass + v3_dot(u, row[1]);
    w->yz += v3_dot(u, row[2]);
    w->zz += across * across * m->inv_mass + v3_dot(v3_mul(m->inv_inertia, row[2]), row[2]);
}

// Prepares a block for the accelerated sweep: the inverse of W, and step lengths of the projected gradient. Normal and
// tangential rows are scaled to unit diagonal, S W S, whose largest eigenvalue is at most its largest absolute row sum;
// the step length of a row is the square of its scale over that sum.
static void rows_sweep(tac_block *k)
{
    sym3_inverse(&k->w, &k->own.sweep.inv_w);
    const real nn = R(1.0) / k->w.xx, tt = R(2.0) / (k->w.yy + k->w.zz), nt = real_sqrt(nn * tt);
    const real xy = nt * real_abs(k->w.xy), xz = nt * real_abs(k->w.xz), yz = tt * real_abs(k->w.yz);
    const real largest = real_max(R(1.0) + xy + xz, real_max(tt * k->w.yy + xy + yz, tt * k->w.zz + xz + yz));
    k->own.sweep.weight = cone_weight(&k->w);
    k->own.sweep.step_n = nn / largest;
    k->own.sweep.step_t = tt / largest;
}

// Uncertainty of a contact's gap: rounding of the coordinates that it is computed from. The origin of a wide floor may
// be far away.
static real rows_rounding(const tac_model *m, const tac_contact *c, const tac_state *s)
{
    const tac_shape *a = &m->shape[c->id.shape_a], *b = &m->shape[c->id.shape_b];
    return ROWS_ROUNDING * (v3_norm_inf(c->point) + v3_norm_inf(s->pose[c->body_b].p) + v3_norm_inf(a->pose.p) +
                            v3_norm_inf(b->pose.p));
}

// b of the normal row: max(gap/h, -recovery) (NST17 d_i,0 with TCE17 footnote 5). A gap within rounding counts as zero:
// divided by h, the rounded gaps of the four corners of a resting box would be target velocities that no motion of the
// box has, and the solver would search for the three corners that carry it.
static real rows_target(const tac_model *m, const tac_state *s, const tac_contact *c, real gap)
{
    return real_abs(gap) <= rows_rounding(m, c, s) ? R(0.0) : real_max(gap / m->h, -m->options.recovery);
}

// A compliant contact is a spring and, while the surfaces overlap, a damper, at the end of the step. They never pull:
//      f = -k (gap + h u) - c u >= 0,     0 <= g = h f  perp  u + b + C g >= 0,
//      C = 1/(h (h k + c)),               b = k gap/(h k + c) = h k C gap.
// So its overlap is a load and no error: neither a velocity nor the position projection takes it back, and no rounding
// of its gap counts as zero.
static inline real rows_compliance(real h, real stiffness, real damping, real gap)
{
    if (!(stiffness > R(0.0))) { return R(0.0); }
    return R(1.0) / (h * (h * stiffness + (gap < R(0.0) ? damping : R(0.0))));
}

// Its damping, which few contacts have: not in the table of contacts.
static real rows_damping(const tac_model *m, const tac_contact *c)
{
    tac_material_pair pair;
    model_pair(m, m->shape[c->id.shape_a].material, m->shape[c->id.shape_b].material, &pair);
    return pair.damping;
}

// C of a contact at the start of the step.
static inline real rows_soft(const tac_model *m, const tac_contact *c)
{
    return c->stiffness > R(0.0) ? rows_compliance(m->h, c->stiffness, rows_damping(m, c), c->gap) : R(0.0);
}

// b of the normal row of any contact.
static void rows_aim(const tac_model *m, const tac_state *s, const tac_contact *c, real gap, tac_block *k)
{
    k->target = k->soft > R(0.0) ? m->h * c->stiffness * k->soft * gap : rows_target(m, s, c, gap);
}

// W as if the bodies were free, without joints.
static void rows_weigh(const tac_work *w, tac_block *k)
{
    reals_clear(&k->w, sizeof k->w);
    for (int side = k->body[0] == 0; side < 2; side++) {
        rows_add_inertia(&w->moving[k->body[side]], k->j[side], FRICTION_ACROSS(k), &k->w);
    }
}

// Where a shape is while its body, whose principal frame is at `inertial` in its own, is at this pose.
static inline void rows_place(const tac_shape *shape, const tac_pose *inertial, const tac_pose *body, tac_pose *placed)
{
    tac_pose own;
    pose_undo(body, inertial, &own);
    pose_mul(&own, &shape->pose, placed);
}

// Of surfaces that move over their bodies: the velocity of b's surface at the contact less that of a's, and how much
// faster it turns; world frame. Bodies are as they stand at the start of the step.
static tac_twist rows_surfaces(const tac_work *w, const tac_contact *c)
{
    tac_twist sum = {V3_ZERO, V3_ZERO};
    for (uint32_t i = 0; i < BELT_MOTIONS(w); i++) {
        const tac_surface_motion *x = &BELT_MOTION(w)[i];
        const int is_b = x->shape == c->id.shape_b;
        const real sign = is_b ? R(1.0) : R(-1.0);
        if (!is_b && x->shape != c->id.shape_a) { continue; }
        sum.v = v3_madd(sum.v, sign, v3_velocity(&x->linear, &x->angular, &x->point, c->point));
        sum.w = v3_madd(sum.w, sign, x->angular);
    }
    return sum;
}

// D'v at the start of the step: with the motion of surfaces along the tangents, and not along the normal, since a
// surface does not leave its body.
static void rows_start(const tac_state *s, const tac_work *w, const tac_contact *c, tac_block *k)
{
    k->bias = rows_relative(k, s->twist);
    if (BELT_MOTIONS(w) == 0) {
        BELT_SET_SLIP(k, V3_ZERO);
        return;
    }
    const vec3 v = rows_surfaces(w, c).v, slip = v3(R(0.0), v3_dot(k->frame[1], v), v3_dot(k->frame[2], v));
    BELT_SET_SLIP(k, slip);
    if (v3_norm_inf(slip) > R(0.0)) { k->bias = v3_add(k->bias, slip); }
}

// The linear part of D.
static inline void rows_frame(const tac_contact *c, tac_block *k)
{
    FRICTION_SET_ACROSS(k, FRICTION_ACROSS(c));
    k->frame[0] = c->n, k->frame[1] = c->u;
    k->frame[2] = TAC_FRICTION_LAWS ? v3_scale(FRICTION_ACROSS(c), c->w) : c->w;
}

// The same of a normal that has turned; friction that has a direction keeps it.
static inline void rows_turn(tac_contact *c, tac_block *k)
{
    const vec3 free = v3_normal_to(c->n);
    c->u = friction_directed(FRICTION_ACROSS(c)) ? v3_unit(v3_madd(c->u, -v3_dot(c->u, c->n), c->n), free) : free;
    c->w = v3_cross(c->n, c->u);
    rows_frame(c, k);
}

// Static friction and Stribeck's curve: mu by the slip at the start of the step, a constant of this step. So no step
// makes energy, however steep the curve.
static inline void rows_rub(const tac_model *m, tac_contact *c, tac_block *k)
{
    tac_material_pair pair;
    if (!TAC_FRICTION_LAWS) { return; }
    model_pair(m, m->shape[c->id.shape_a].material, m->shape[c->id.shape_b].material, &pair);
    const real still = FRICTION_STATIC(&pair), speed = FRICTION_SPEED(&pair);
    if (!(still > pair.friction)) { return; }
    const vec3 u = friction_over(FRICTION_ACROSS(k), k->bias);
    const real y = u.y / speed, z = u.z / speed;
    k->mu = c->mu = friction_curve(pair.friction, still, y * y + z * z);
}

// All but b, which is a rule of the formulation; mu of the contact.
static void rows_make(const tac_model *m, const tac_state *s, const tac_work *w, tac_contact *c, tac_block *k)
{
    k->first = (uint32_t)TAC_CONTACT_ROWS * (uint32_t)(c - w->contact);
    k->push = k->drift = k->soft = R(0.0);
    k->rolls = ROLLS_NOT;
    rows_frame(c, k);
    k->mu = c->mu;
    k->body[0] = c->body_a, k->body[1] = c->body_b;
    k->rows = ROLLING_SPINNING(c) > R(0.0) || ROLLING_ROLLING(c) > R(0.0) ? 6 : 3;
    for (int side = k->body[0] == 0; side < 2; side++) {
        const tac_pose *body = &s->pose[k->body[side]];
        rows_arm(k, body->q, v3_scale(side ? R(1.0) : R(-1.0), v3_sub(c->point, body->p)), k->j[side]);
    }
    rows_weigh(w, k);
    rows_start(s, w, c, k);
    rows_rub(m, c, k);
}

#endif
