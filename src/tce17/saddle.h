// SPDX-License-Identifier: MIT
// saddle.h - the saddle-point problem of bodies and joints, TCE17 (202): its graph, its factor, its product.
//   given   bodies; rows, compliances and slopes of joints
//   makes   order of elimination, factor, solutions; the product with a vector; the diagonal that scales it
//   bound   one visit to each body and row; the sparse factor
//   never   has contacts in it
#ifndef TCE17_SADDLE_H
#define TCE17_SADDLE_H

#include "../factor/matrix.h"

#if TAC_DAE

// The matrix of joint_matrix.h without contacts,
//      | M    -J' | | y |   | a |
//      | -J   -C  | | l | = | b |
// A compliant effort is a row too, with the inverse of its slope in C: eliminating it adds slope J'J to M, which makes
// of M the matrix H of (202) with tangent stiffness and damping in it. In rows that do not act C is 1.

// The graph of all bodies that move, and of joints. Returns 0 if TAC_MAX_FILL is too small.
static int saddle_order(tac_work *w)
{
    tac_sparse *s = matrix_of(w);
    sparse_clear(s, (uint16_t)(w->program.bodies + PROGRAM_JOINTS(w)));
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        if (joint_moves(w, i)) { sparse_use(s, i, 1); }
    }
    return joints_order(w, s) && matrix_order_bodies(w, s);
}

static inline real saddle_compliance(const tac_joint_block *k, int row)
{
    const real c = joint_compliance(k, row);
    return c > R(0.0) ? c : R(1.0);
}

// y += s J x of a joint
static inline void saddle_rates(const tac_work *w, const tac_sixes *x, uint32_t joint, real s, tac_sixes *y)
{
    const tac_joint_block *k = &JOINT_LINK(w)[joint];
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (joint_compliance(k, row) > R(0.0)) { y->x[joint_node(w, joint)][row] += s * joint_rate(k, x->twist, row); }
    }
}

// y = K x
static inline void saddle_product(const tac_work *w, const tac_sixes *x, tac_sixes *y)
{
    for (uint16_t i = 0; i < w->program.bodies; i++) {
        const tac_moving *b = &w->moving[i];
        y->twist[i].v = v3_scale(b->mass, x->twist[i].v);
        y->twist[i].w = v3_mul(b->inertia, x->twist[i].w);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t self = joint_node(w, i);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            y->x[self][row] = -saddle_compliance(k, row) * x->x[self][row];
            if (joint_compliance(k, row) > R(0.0)) { joint_take(k, row, x->x[self][row], w->moving, y->twist); }
        }
        saddle_rates(w, x, i, R(-1.0), y);
    }
}

// x = S x, S the inverse square roots of the diagonals of M and of J M^-1 J' + C: in these units the matrix has entries
// of about 1. Bodies that do not move have 0.
static inline void saddle_scale(const tac_work *w, tac_sixes *x)
{
    for (uint16_t i = 0; i < w->program.bodies; i++) {
        const tac_moving *b = &w->moving[i];
        const vec3 s = b->inv_inertia;
        x->twist[i].v = v3_scale(real_sqrt(b->inv_mass), x->twist[i].v);
        x->twist[i].w = v3_mul(v3(real_sqrt(s.x), real_sqrt(s.y), real_sqrt(s.z)), x->twist[i].w);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            const int acts = joint_compliance(k, row) > R(0.0);
            const real d = saddle_compliance(k, row) + (acts ? k->w[row] : R(0.0));
            x->x[joint_node(w, i)][row] *= R(1.0) / real_sqrt(d);
        }
    }
}

#endif

#endif
