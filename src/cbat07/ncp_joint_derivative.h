// SPDX-License-Identifier: MIT
// ncp_joint_derivative.h - the derivative of what joints add to the equations of CBAT07's step.
//   given   the equations, evaluated; the matrix with the columns of bodies and contacts
//   makes   the columns of impulses of joints; in those of velocities the rows of joints, and how their forces turn
//   bound   of each joint: 12 columns of velocities, of a coupling 24; one column for each row that acts
//   never   follows errors that joints still have: where these are 0 the derivative is exact, but for ncp_turn()
#ifndef CBAT07_NCP_JOINT_DERIVATIVE_H
#define CBAT07_NCP_JOINT_DERIVATIVE_H

#include "ncp_derivative.h"

#if TAC_MAX_NCP > 0

// A joint at the end of the step while one of its bodies moves by one unknown.
typedef struct ncp_joint_motion {
    const tac_joint_block *k;
    const tac_ncp_body *body[2];
    vec3 slip, spin; // velocity of b against a at the origin of frame b, and angular
    vec3 from;       // from the centre of mass of a to the origin of its frame
    real rod;        // 1 over the distance of the origins
    int side;
    ncp_change move;
    vec3 slide, turn; // of b against a, at that origin
    vec3 arm[2];      // changes of both arms
} ncp_joint_motion;

static void ncp_joint_at(const tac_joint *j, const tac_joint_block *k, const tac_ncp *q, ncp_joint_motion *z)
{
    joint_place p;
    const tac_ncp_body *a = &q->body[j->body_a], *b = &q->body[j->body_b];
    joint_find(j->kind, k->frame, &a->pose, &b->pose, &p);
    z->k = k;
    z->body[0] = a, z->body[1] = b;
    z->spin = v3_sub(ncp_spin(b), ncp_spin(a));
    z->slip = v3_sub(v3_add(b->twist.v, v3_cross(ncp_spin(b), p.arm[1])),
                     v3_add(a->twist.v, v3_cross(ncp_spin(a), p.arm[0])));
    z->from = v3_sub(p.arm[0], p.d);
    z->rod = joint_is_rod(j->kind) && p.distance > R(0.0) ? R(1.0) / p.distance : R(0.0);
}

// Unknown `unknown` of the body of one side.
static void ncp_joint_moved(const tac_model *m, ncp_joint_motion *z, int side, int unknown)
{
    const ncp_change move = ncp_change_of(m, z->body[side], unknown);
    const vec3 *arm = z->k->arm;
    const real sign = side ? R(1.0) : R(-1.0);
    z->side = side;
    reals_copy(&z->move, &move, sizeof move);
    z->slide = v3_scale(sign, v3_add(move.x, v3_cross(move.turn, arm[side])));
    z->turn = v3_scale(sign, move.turn);
    z->arm[1] = side ? v3_cross(move.turn, arm[1]) : V3_ZERO;
    z->arm[0] = side ? v3_add(move.x, z->arm[1]) : v3_scale(R(-1.0), move.x);
}

// Change of the direction of a row.
static joint_direction ncp_joint_turned(const ncp_joint_motion *z, int row)
{
    const tac_joint_block *k = z->k;
    const int what = JOINT_KIND[k->kind].row[row];
    const vec3 turn = z->move.turn;
    joint_direction d = joint_row_direction(k, what);
    if (what == JOINT_CROSS) {
        const vec3 by =
            z->side ? v3_cross(v3_cross(turn, k->across), k->axis[0]) : v3_cross(k->across, v3_cross(turn, k->axis[0]));
        return (joint_direction){V3_ZERO, v3_scale(k->length, by)};
    }
    if (what == JOINT_SEPARATION) {
        const vec3 end = z->side ? z->slide : v3_scale(R(-1.0), v3_add(z->move.x, v3_cross(turn, z->from)));
        const vec3 across = v3_madd(end, -v3_dot(k->across, end), k->across);
        return (joint_direction){v3_scale(z->rod, across), V3_ZERO};
    }
    if (z->side) { return (joint_direction){V3_ZERO, V3_ZERO}; } // the others are fixed in a
    d.linear = v3_cross(turn, d.linear);
    d.rotation = v3_cross(turn, d.rotation);
    return d;
}

// Change of the mean rate of a row over the step, and of its rate at the end. The coordinate of a screw with a lead is
// what its translation says (joint_coordinate()).
static real ncp_joint_led(const tac_model *m, const ncp_joint_motion *z, int row)
{
    const tac_joint_block *k = z->k;
    const joint_direction d = joint_row_direction(k, JOINT_KIND[k->kind].row[row]);
    if (row == JOINT_LAST && k->lead != R(0.0)) { return k->scale / k->lead * v3_dot(k->axis[2], z->slide) / m->h; }
    return (v3_dot(d.linear, z->slide) + v3_dot(d.rotation, z->turn)) / m->h;
}

static real ncp_joint_quickened(const ncp_joint_motion *z, int row)
{
    const joint_direction d = joint_row_direction(z->k, JOINT_KIND[z->k->kind].row[row]),
                          turned = ncp_joint_turned(z, row);
    const real sign = z->side ? R(1.0) : R(-1.0);
    const vec3 own = v3_add(z->move.v, v3_cross(z->move.spin, z->k->arm[z->side]));
    const vec3 arms = v3_sub(v3_cross(ncp_spin(z->body[1]), z->arm[1]), v3_cross(ncp_spin(z->body[0]), z->arm[0]));
    const real moved = v3_dot(turned.linear, z->slip) + v3_dot(turned.rotation, z->spin);
    return moved + v3_dot(d.linear, v3_madd(arms, sign, own)) + sign * v3_dot(d.rotation, z->move.spin);
}

// (10) of both bodies while impulses along the rows of a joint turn with it.
static void ncp_joint_derive_euler(const tac_work *w, tac_ncp *q, const ncp_joint_motion *z, const real *total,
                                   uint32_t column)
{
    joint_direction sum = {V3_ZERO, V3_ZERO}, turned = {V3_ZERO, V3_ZERO};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (total[row] == R(0.0)) { continue; }
        const joint_direction by = ncp_joint_turned(z, row);
        sum.linear = v3_madd(sum.linear, total[row], joint_row_direction(z->k, JOINT_KIND[z->k->kind].row[row]).linear);
        turned.linear = v3_madd(turned.linear, total[row], by.linear);
        turned.rotation = v3_madd(turned.rotation, total[row], by.rotation);
    }
    for (int side = 0; side < 2; side++) {
        const tac_ncp_body *b = z->body[side];
        const tac_moving *moving = &w->moving[z->k->body[side]];
        if (b->first == TAC_NONE) { continue; }
        const real sign = side ? R(-1.0) : R(1.0);
        const vec3 torque = v3_add(v3_add(v3_cross(z->arm[side], sum.linear), v3_cross(z->k->arm[side], turned.linear)),
                                   turned.rotation);
        const vec3 own = v3_mul(moving->inv_inertia, quat_rotate_back(b->pose.q, torque));
        real change[6];
        v3_put(change, v3_scale(sign * moving->inv_mass, turned.linear));
        v3_put(change + 3, v3_scale(sign * b->length, own));
        for (uint32_t k = 0; k < 6; k++) { ncp_row(q, b->first + k)[column] += change[k]; }
    }
}

// ---------------------------------------------------------------------------------------------------------------- laws

// Change of an effort's law by the velocity that it takes, and by its impulse.
static real ncp_effort_slope(const tac_interval *e, real g, real u, real w, real *by_impulse)
{
    const real aim = e->hard ? g - u / w : e->centre - e->weight * u;
    const int within = aim > e->lo && aim < e->hi;
    const real scale = e->hard ? w : w / (R(1.0) + e->weight * w);
    *by_impulse = e->hard && within ? SEMISMOOTH_RIDGE * w : scale;
    return !within ? R(0.0) : (e->hard ? R(1.0) : scale * e->weight);
}

// Changes of the rows of joint i, while the mean rates `led` and the rates `quick` of its rows change.
static void ncp_joint_derive_laws(const tac_model *m, tac_ncp *q, const tac_joint_block *k, uint32_t i, const real *led,
                                  const real *quick, uint32_t column)
{
    const tac_ncp_joint *x = &q->joint[i];
    const real rate = k->coordinate ? ncp_joint_rate(q, k, JOINT_LAST) : R(0.0);
    uint32_t at = x->first;
    for (int row = 0; row < NCP_JOINT_ROWS; row++) {
        const int effort = row - TAC_JOINT_ROWS;
        if (!ncp_joint_acts(x, row)) { continue; }
        real *to = &ncp_row(q, at)[column], none;
        const real g = q->x[at++];
        if (effort >= 0) {
            const tac_interval *e = &k->interval[effort];
            const real u = ncp_effort_velocity(m, k, x, effort, rate);
            const real slope = ncp_effort_slope(e, g, u, x->w[JOINT_LAST], &none);
            *to += slope * (ncp_effort_leads(e, effort) ? led[JOINT_LAST] : quick[JOINT_LAST]);
        } else {
            *to += joint_holds(k, row) ? led[row] : quick[row] / (R(1.0) + k->soft[row] * x->w[row]);
        }
    }
}

// A column of an impulse: M^-1 J' of its row, and its own law.
static void ncp_joint_column(const tac_work *w, tac_ncp *q, const tac_row *r, const uint16_t body[2], uint32_t column)
{
    for (int side = 0; side < 2; side++) {
        const tac_ncp_body *b = &q->body[body[side]];
        const tac_moving *moving = &w->moving[body[side]];
        if (b->first == TAC_NONE) { continue; }
        real change[6];
        v3_put(change, v3_scale((side ? R(-1.0) : R(1.0)) * moving->inv_mass, r->linear));
        v3_put(change + 3, v3_scale(-b->length, v3_mul(moving->inv_inertia, r->angular[side])));
        for (uint32_t k = 0; k < 6; k++) { ncp_row(q, b->first + k)[column] += change[k]; }
    }
}

static real ncp_joint_own(const tac_model *m, const tac_ncp *q, const tac_joint_block *k, const tac_ncp_joint *x,
                          int row, real g)
{
    const int effort = row - TAC_JOINT_ROWS;
    real own;
    if (effort < 0) {
        const real soft = k->soft[row];
        return joint_holds(k, row) ? JOINT_PROXIMAL * x->w[row] : soft / (R(1.0) + soft * x->w[row]);
    }
    const real u = ncp_effort_velocity(m, k, x, effort, ncp_joint_rate(q, k, JOINT_LAST));
    (void)ncp_effort_slope(&k->interval[effort], g, u, x->w[JOINT_LAST], &own);
    return own;
}

static void ncp_joint_derive_impulses(const tac_model *m, const tac_work *w, tac_ncp *q, uint32_t i)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    const tac_ncp_joint *x = &q->joint[i];
    uint32_t column = x->first;
    for (int row = 0; row < NCP_JOINT_ROWS; row++) {
        const int along = row < TAC_JOINT_ROWS ? row : JOINT_LAST;
        if (!ncp_joint_acts(x, row)) { continue; }
        ncp_joint_column(w, q, &k->row[along], k->body, column);
        if (k->ends == 4) { ncp_joint_column(w, q, &k->row[JOINT_A], &k->body[2], column); }
        ncp_row(q, column)[column] += ncp_joint_own(m, q, k, x, row, q->x[column]);
        column++;
    }
}

// ---------------------------------------------------------------------------------------------------------- velocities

// Columns of the velocities of both bodies of joint `of` in the rows of joint i: its own, or those of a coupling that
// sees `scale` times the coordinate of that joint. `total`: impulses along the rows of that joint.
static void ncp_joint_derive_velocities(const tac_model *m, const tac_work *w, tac_ncp *q, uint32_t i, uint32_t of,
                                        real scale, const real *total)
{
    const tac_joint *j = &JOINT_OF(m)[of];
    const tac_joint_block *k = &JOINT_LINK(w)[of];
    ncp_joint_motion z;
    ncp_joint_at(j, k, q, &z);
    for (int side = 0; side < 2; side++) {
        for (int unknown = 0; z.body[side]->first != TAC_NONE && unknown < 6; unknown++) {
            const uint32_t column = z.body[side]->first + (uint32_t)unknown;
            real led[TAC_JOINT_ROWS], quick[TAC_JOINT_ROWS];
            ncp_joint_moved(m, &z, side, unknown);
            for (int row = 0; row < TAC_JOINT_ROWS; row++) {
                led[row] = scale * ncp_joint_led(m, &z, row);
                quick[row] = scale * ncp_joint_quickened(&z, row);
            }
            ncp_joint_derive_laws(m, q, &JOINT_LINK(w)[i], i, led, quick, column);
            ncp_joint_derive_euler(w, q, &z, total, column);
        }
    }
}

static void ncp_derive_joints(const tac_model *m, const tac_work *w, tac_ncp *q)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        ncp_joint_derive_impulses(m, w, q, i);
        if (j->kind != TAC_COUPLING) {
            ncp_joint_derive_velocities(m, w, q, i, i, R(1.0), q->joint[i].total);
            continue;
        }
        for (int part = 0; part < 2; part++) {
            const uint16_t of = coupling_part(j, part);
            const real scale = coupling_scale(j, k, &JOINT_LINK(w)[of], part);
            real total[TAC_JOINT_ROWS];
            reals_clear(total, sizeof total);
            total[JOINT_LAST] = scale * q->joint[i].total[JOINT_LAST];
            ncp_joint_derive_velocities(m, w, q, i, of, scale, total);
        }
    }
}

#endif

#endif
