// SPDX-License-Identifier: MIT
// difference.h - the difference of two states, and a state moved by one, in the coordinates of tac_derivative().
//   given   a model, its mechanism; coordinates of two states, or of one and a displacement
//   makes   b - a; or the coordinates of a + x
//   bound   one visit to each body
//   never   leaves the range of an angle: the shorter way round
#ifndef PREDICT_DIFFERENCE_H
#define PREDICT_DIFFERENCE_H

#include "../tree/coordinates.h"

#if TAC_PREDICT

// Rotation vector of a unit quaternion, at most pi long.
static vec3 difference_log(quat q)
{
    const real sign = q.w < R(0.0) ? R(-1.0) : R(1.0), size = v3_norm(v3(q.x, q.y, q.z));
    const real scale = size > R(0.0) ? R(2.0) * real_atan2(size, sign * q.w) / size : R(2.0);
    return v3_scale(sign * scale, v3(q.x, q.y, q.z));
}

// Is position i of a joint an angle that jumps by one revolution? Of a joint with a coordinate of its own
// joint_deviation() knows it.
static int difference_wraps(const tac_mechanism_body *b, int i)
{
    return b->turns >> i & 1;
}

// Of a body that hangs on a joint: positions from a to b. A rotation is  R_b = exp(r) R_a,  in the axes of the joint's
// body a.
static void difference_joint(const tac_joint *j, const tac_mechanism_body *body, const real *a, const real *b, real *x)
{
    if (JOINT_KIND[j->kind].turn == TURN_ALL) {
        v3_put(x, difference_log(quat_mul(coordinates_quat(b), quat_conj(coordinates_quat(a)))));
        return;
    }
    if (joint_has_own_coordinate(j->kind)) {
        x[0] = joint_deviation(j, b[0], a[0]);
        return;
    }
    for (int i = 0; i < body->axes; i++) {
        x[i] = b[i] - a[i];
        if (difference_wraps(body, i)) { x[i] += joint_revolutions_to(b[i], a[i]) * JOINT_REVOLUTION; }
    }
}

// Of a free root:  p_b - p_a,  R_b = R_a exp(r).
static void difference_root(const real *a, const real *b, real *x)
{
    v3_put(x, v3_sub(v3_of(b), v3_of(a)));
    v3_put(x + 3, difference_log(quat_mul(quat_conj(coordinates_quat(a + 3)), coordinates_quat(b + 3))));
}

// b - a, with q and dq of b already read.
static void difference_find(const tac_model *m, const tac_state *a, const tac_displaced *d, real *x)
{
    const tac_mechanism *t = &d->mechanism;
    real q[TAC_JOINT_ROWS + 1], dq[TAC_JOINT_ROWS];
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = &t->body[self];
        const real *rate = d->dq + b->first;
        real *change = x + t->coordinates + b->first;
        if (mechanism_free(b)) {
            coordinates_read_root(a, self, q, dq);
            difference_root(q, d->q + b->first / 6 * 7, x + b->first);
        } else {
            const tac_joint *j = &JOINT_OF(m)[b->joint];
            coordinates_read(j, t->joint[b->joint].frame, a, q, dq);
            difference_joint(j, b, q, d->q + t->place[b->joint], x + b->first);
        }
        for (int i = 0; i < b->axes; i++) { change[i] = rate[i] - dq[i]; }
    }
}

// a + x, with q and dq of a already read.
static void difference_add(const tac_model *m, const real *x, tac_displaced *d)
{
    const tac_mechanism *t = &d->mechanism;
    for (uint32_t at = 0; at < t->bodies; at++) {
        const tac_mechanism_body *b = &t->body[t->order[at]];
        const int free = mechanism_free(b);
        real *q = d->q + (free ? b->first / 6 * 7 : t->place[b->joint]), *rate = d->dq + b->first;
        const real *y = x + b->first, *change = y + t->coordinates;
        const int ball = !free && JOINT_KIND[JOINT_OF(m)[b->joint].kind].turn == TURN_ALL;
        for (int i = 0; i < b->axes; i++) { rate[i] += change[i]; }
        for (int i = 0; i < (free ? 3 : ball ? 0 : b->axes); i++) { q[i] += y[i]; }
        if (!free && !ball) { continue; }
        q += free ? 3 : 0;
        const quat by = quat_exp(v3_of(free ? y + 3 : y)), from = coordinates_quat(q);
        const quat to = free ? quat_mul(from, by) : quat_mul(by, from);
        q[0] = to.w, q[1] = to.x, q[2] = to.y, q[3] = to.z;
    }
}

#endif

#endif
