// SPDX-License-Identifier: MIT
// joint_rows.h - rows of a joint, from its directions: rates along them, what impulses along them do, what yields.
//   given   kinematics of a joint, the principal axes and masses of its bodies; velocities, impulses
//   makes   link[]: axes, arms, rows, the diagonal of J M^-1 J'; rates, changes of velocity, sums of impulses
//   bound   constant per joint
//   never   asks for the kind of a joint once its rows are made; mixes units: rotations are scaled by a length of the
//           bodies, so every row is in m/s, every impulse in N s
#ifndef ROWS_JOINT_ROWS_H
#define ROWS_JOINT_ROWS_H

#include "../base/bytes.h"
#include "../model/joint.h"
#include "../tree/place.h"

#define JOINT_A (JOINT_LAST - 1) // of a coupling: the row of its joint a

static real joint_row_rate(const tac_row *r, const tac_twist *a, const tac_twist *b)
{
    return v3_dot(r->linear, v3_sub(b->v, a->v)) + (v3_dot(r->angular[1], b->w) + v3_dot(r->angular[0], a->w));
}

// Row `row` of J t. The row of a coupling acts on the bodies of both of its joints.
static real joint_rate(const tac_joint_block *k, const tac_twist *t, int row)
{
    const real rate = joint_row_rate(&k->row[row], &t[k->body[0]], &t[k->body[1]]);
    return k->ends == 4 ? rate + joint_row_rate(&k->row[JOINT_A], &t[k->body[2]], &t[k->body[3]]) : rate;
}

static void joint_push(const tac_row *r, const uint16_t body[2], real g, const tac_moving *moving, tac_twist *t)
{
    for (int side = 0; side < 2; side++) {
        const tac_moving *m = &moving[body[side]];
        tac_twist *to = &t[body[side]];
        to->v = v3_madd(to->v, (side ? m->inv_mass : -m->inv_mass) * g, r->linear);
        to->w = v3_madd(to->w, g, v3_mul(m->inv_inertia, r->angular[side]));
    }
}

// t += M^-1 J' g, for one row.
static void joint_apply_row(const tac_joint_block *k, int row, real g, const tac_moving *moving, tac_twist *t)
{
    joint_push(&k->row[row], k->body, g, moving, t);
    if (k->ends == 4) { joint_push(&k->row[JOINT_A], &k->body[2], g, moving, t); }
}

// force -= J' g of one row; bodies that are not dynamic take no force.
static inline void joint_take(const tac_joint_block *k, int row, real g, const tac_moving *moving, tac_twist *force)
{
    for (int e = 0; e < k->ends; e++) {
        const uint16_t body = k->body[e];
        const tac_row *r = &k->row[row - e / 2];
        tac_twist *f = force + body;
        if (!(moving[body].inv_mass > R(0.0))) { continue; }
        f->v = v3_madd(f->v, e % 2 ? -g : g, r->linear);
        f->w = v3_madd(f->w, -g, r->angular[e % 2]);
    }
}

// Does the row act? The last one also if it has only intervals.
static int joint_has_row(const tac_joint_block *k, int row)
{
    return k->constraints >> row & 1 || (row == JOINT_LAST && k->coordinate);
}

// Is the row a rigid constraint?
static int joint_holds(const tac_joint_block *k, int row)
{
    return k->constraints >> row & 1 && k->soft[row] == R(0.0);
}

// The impulse along a row: that of its constraint, or the sum of all intervals.
static real joint_impulse(const tac_work *w, const tac_joint_block *k, int row)
{
    const real *g = w->scratch.solve.g + k->first;
    real sum = g[row];
    if (row == JOINT_LAST) {
        for (int i = 0; i < TAC_EFFORTS; i++) { sum += g[TAC_JOINT_ROWS + i]; }
    }
    return sum;
}

// What keeps the motion on the arc adds to it.
static inline real joint_on_arc(const tac_joint_block *k, int row)
{
    real sum = k->arc[row];
    for (int i = 0; row == JOINT_LAST && i < TAC_EFFORTS; i++) { sum += k->arc[TAC_JOINT_ROWS + i]; }
    return sum;
}

// The impulses along all rows; 0 for rows that do not act.
static inline void joint_impulses(const tac_work *w, const tac_joint_block *k, real *g)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { g[row] = joint_impulse(w, k, row); }
}

// J' g of all rows.
static tac_row joint_sum(const tac_joint_block *k, const real *g)
{
    tac_row sum = {V3_ZERO, {V3_ZERO, V3_ZERO}};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const tac_row *r = k->row + row;
        if (g[row] == R(0.0)) { continue; }
        sum.linear = v3_madd(sum.linear, g[row], r->linear);
        sum.angular[0] = v3_madd(sum.angular[0], g[row], r->angular[0]);
        sum.angular[1] = v3_madd(sum.angular[1], g[row], r->angular[1]);
    }
    return sum;
}

// t += M^-1 J' g, for all rows.
static void joint_apply(const tac_joint_block *k, const real *g, const tac_moving *moving, tac_twist *t)
{
    if (k->ends == 4) {
        joint_apply_row(k, JOINT_LAST, g[JOINT_LAST], moving, t);
        return;
    }
    const tac_row sum = joint_sum(k, g);
    joint_push(&sum, k->body, R(1.0), moving, t);
}

static uint16_t joint_node(const tac_work *w, uint32_t joint)
{
    return (uint16_t)(w->program.bodies + joint);
}

// Does an impulse move the body?
static int joint_moves(const tac_work *w, uint16_t body)
{
    return w->moving[body].inv_mass > R(0.0);
}

// The slope of all intervals that are in force along the coordinate.
static real joint_slope(const tac_joint_block *k)
{
    const tac_interval *x = k->interval;
    if (!k->acts) { return R(0.0); }
    real sum = x[0].inside ? x[0].weight : R(0.0);
    sum += x[1].inside ? x[1].weight : R(0.0);
    sum += x[2].inside ? x[2].weight : R(0.0);
    sum += x[3].inside ? x[3].weight : R(0.0);
    return sum;
}

// Proximal term of constraints: it keeps redundant ones, those of closed loops, solvable.
#define JOINT_PROXIMAL (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-10)) // of W of a constraint: less leaves closed loops unsolvable, more gives way

// C of a row; 0 if nothing acts along it.
static real joint_compliance(const tac_joint_block *k, int row)
{
    if (k->constraints >> row & 1) { return JOINT_PROXIMAL * k->w[row] + k->soft[row]; }
    const real slope = row == JOINT_LAST ? joint_slope(k) : R(0.0);
    return slope > R(0.0) ? R(1.0) / slope : R(0.0);
}

// Is a hard limit active, so that it holds the coordinate in the correction of the motion?
static int joint_limit_holds(const tac_joint_block *k)
{
    const tac_interval *x = &k->interval[TAC_EFFORT_LIMIT];
    return k->target && x->used && x->hard;
}

// Adds an impulse along the coordinate to a record, divided among the compliant intervals in proportion to their
// slopes.
static inline void joint_record_yielding(const tac_joint_block *k, real impulse, real *sum)
{
    const real slope = joint_slope(k);
    for (int i = 0; i < TAC_EFFORTS && slope > R(0.0); i++) {
        const tac_interval *x = &k->interval[i];
        if (x->inside) { sum[TAC_JOINT_ROWS + i] += impulse * (x->weight / slope); }
    }
}

// Adds impulses of all rows, found apart from the cone program, to a record by their source: along the coordinate a
// constraint, the active limit, or the compliant intervals.
static inline void joint_record(const tac_joint_block *k, const real *impulse, real *sum)
{
    for (int row = 0; row < JOINT_LAST; row++) { sum[row] += impulse[row]; }
    if (k->constraints >> JOINT_LAST & 1) {
        sum[joint_limit_holds(k) ? TAC_JOINT_ROWS + TAC_EFFORT_LIMIT : JOINT_LAST] += impulse[JOINT_LAST];
        return;
    }
    joint_record_yielding(k, impulse[JOINT_LAST], sum);
}

// ---------------------------------------------------------------------------------------------------- from directions

// Direction of a row in the world frame: translation of b relative to a along `linear`, rotation about `rotation`.
typedef struct joint_direction {
    vec3 linear, rotation;
} joint_direction;

// Axis that a row is along or about: of frame a, or y of frame b.
static vec3 joint_row_axis(const tac_joint_block *k, int what)
{
    return what == JOINT_ABOUT_B ? k->across : k->axis[what % 3];
}

static joint_direction joint_row_direction(const tac_joint_block *k, int what)
{
    if (TAC_COORDINATES && what == JOINT_ANGLE) {
        return (joint_direction){V3_ZERO, v3_scale(k->length, k->across)};
    }
    if (TAC_COORDINATES && what == JOINT_EDGE) { return (joint_direction){k->across, V3_ZERO}; }
    switch (what) {
    case JOINT_CROSS:
        return (joint_direction){V3_ZERO, v3_scale(k->length, v3_cross(k->across, k->axis[0]))};
    case JOINT_SEPARATION:
        return (joint_direction){k->across, V3_ZERO};
    case JOINT_THREAD:
        return (joint_direction){k->axis[2], v3_scale(-k->lead, k->axis[2])};
    case JOINT_ABOUT:
    case JOINT_ABOUT + 1:
    case JOINT_ABOUT + 2:
    case JOINT_ABOUT_B:
        return (joint_direction){V3_ZERO, v3_scale(k->length, joint_row_axis(k, what))};
    case JOINT_NOTHING:
        return (joint_direction){V3_ZERO, V3_ZERO};
    default:
        return (joint_direction){joint_row_axis(k, what), V3_ZERO};
    }
}

// The rotation that a rate of 1 along a row is: its axis over the length that scales it; 0 of a translation.
static vec3 joint_row_turn(const tac_joint_block *k, int row)
{
    const int what = JOINT_KIND[k->kind].row[row];
    if (what == JOINT_ABOUT + 2) { return v3_scale(R(1.0) / k->length, k->axis[2]); }
    const vec3 rotation = joint_row_direction(k, what).rotation;
    const real rotation2 = v3_dot(rotation, rotation);
    return v3_scale(rotation2 > R(0.0) ? R(1.0) / rotation2 : R(0.0), rotation);
}

// A row, from the principal axes of both bodies (world) and the lever arms to the origin of frame b. These arms also
// hold for a, since translations are along axes of a.
static void joint_row(const tac_joint_block *k, const vec3 *const axis[2], joint_direction direction, tac_row *r)
{
    r->linear = direction.linear;
    const int slides = v3_norm_inf(direction.linear) > R(0.0);
    for (int side = 0; side < 2; side++) {
        const vec3 lever = slides ? v3_cross(k->arm[side], direction.linear) : V3_ZERO;
        const vec3 rotation = v3_add(lever, direction.rotation);
        r->angular[side] = v3_components(axis[side], side ? rotation : v3_scale(R(-1.0), rotation));
    }
}

// The part of J_r M^-1 J_s' by rotation, and all of it.
static inline real joint_weight_about(const tac_row *r, const tac_row *s, const tac_moving *a, const tac_moving *b)
{
    return v3_dot(v3_mul(a->inv_inertia, r->angular[0]), s->angular[0]) +
           v3_dot(v3_mul(b->inv_inertia, r->angular[1]), s->angular[1]);
}

static real joint_weight(const tac_row *r, const tac_row *s, const tac_moving *a, const tac_moving *b)
{
    return (a->inv_mass + b->inv_mass) * v3_dot(r->linear, s->linear) + joint_weight_about(r, s, a, b);
}

// Directions of the rows with the bodies of the joint at these poses.
static inline void joint_directions(const tac_joint *j, const joint_place *p, tac_joint_block *k)
{
    k->axis[0] = p->axis[0], k->axis[1] = p->axis[1], k->axis[2] = p->axis[2];
    if (JOINT_KIND[j->kind].turn == TURN_CROSS) {
        k->across = quat_rotate(p->frame[1], V3_AXIS[1]);
    } else if (joint_is_rod(j->kind) || joint_is_angle(j->kind) || joint_is_edge(j->kind)) {
        k->across = p->direction;
    }
    k->arm[0] = p->arm[0], k->arm[1] = p->arm[1];
}

// The row of a rotation about z of a, which is fixed in a, and its weight.
static inline void joint_make_row_about(const vec3 *axis_b, const tac_moving *moving, tac_joint_block *k, int row)
{
    tac_row *r = k->row + row;
    r->linear = V3_ZERO;
    r->angular[0] = v3_scale(-k->length, k->of.about[0]);
    r->angular[1] = v3_scale(k->length, v3_components(axis_b, k->axis[2]));
    k->w[row] = joint_weight_about(r, r, &moving[k->body[0]], &moving[k->body[1]]);
}

static inline void joint_make_row(const vec3 *const axis[2], const tac_moving *moving, tac_joint_block *k, int row)
{
    const int what = JOINT_KIND[k->kind].row[row];
    tac_row *r = k->row + row;
    if (what == JOINT_ABOUT + 2) {
        joint_make_row_about(axis[1], moving, k, row);
        return;
    }
    joint_row(k, axis, joint_row_direction(k, what), r);
    if (joint_has_row(k, row)) { k->w[row] = joint_weight(r, r, &moving[k->body[0]], &moving[k->body[1]]); }
}

// Jacobian of the joint with its bodies at these poses.
static void joint_jacobian(const tac_joint *j, const joint_place *p, const tac_pose *pose[2], const tac_moving *moving,
                           tac_joint_block *k)
{
    vec3 axis[2][3];
    joint_directions(j, p, k);
    for (int side = 0; side < 2; side++) { quat_axes(pose[side]->q, axis[side]); }
    const vec3 *const of[2] = {axis[0], axis[1]};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { joint_make_row(of, moving, k, row); }
}

#endif
