// SPDX-License-Identifier: MIT
// saddle.h - the saddle-point problem of bodies and joints, TCE17 (202): its graph, its factor, its product.
//   given   bodies; rows, compliances and slopes of joints
//   makes   order of elimination, factor, solutions; the product with a vector; the diagonal that scales it
//   bound   one visit to each body and row; the sparse factor
//   never   has contacts in it
#ifndef TCE17_SADDLE_H
#define TCE17_SADDLE_H

#include "../motion/free.h"
#include "../factor/matrix.h"

#if TAC_DAE

// Each joint is a node of the matrix, not a stiff spring:
//      | M    -J' | | y |   | a |
//      | -J   -C  | | l | = | b |      C = eps_J diag(J M^-1 J') in rows of constraints
// Eliminating a body and its joint leaves Featherstone's articulated inertia on the next body, and a tree makes no
// fill. C keeps redundant constraints (closed loops) solvable.
// A compliant effort is a row too, with the inverse of its slope in C: eliminating it adds slope J'J to M, which makes
// of M the matrix H of (202) with tangent stiffness and damping in it. In rows that do not act C is 1.

// A coupling is eliminated after the bodies of both of its joints: if the motion of one is prescribed, its pivot is
// about zero until the other is eliminated.
static void saddle_delay(const tac_work *w, const uint16_t *body, tac_pivot *p)
{
    uint16_t moved[2];
    for (int part = 0; part < 2; part++) {
        moved[part] = body[2 * part + (w->moving[body[2 * part + 1]].inv_mass > R(0.0))];
    }
    p->waits = moved[0] != moved[1] ? 2 : 1;
}

// Adds joints and their bodies as nodes, and the blocks between them. Returns 0 if there is no room.
static int saddle_add_joints(const tac_work *w, tac_sparse *s)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const uint16_t self = joint_node(w, i);
        const uint16_t *body = JOINT_LINK(w)[i].body;
        const int ends = JOINT_LINK(w)[i].ends;
        sparse_use(s, self, -1);
        if (ends == 4) { saddle_delay(w, body, &s->pivot[self]); }
        for (int e = 0; e < ends; e++) {
            if (!(joint_moves(w, body[e]))) { continue; }
            sparse_use(s, body[e], 1);
            if (e >= 2 && sparse_find(s, body[e], self) != TAC_NONE) { continue; }
            if (!sparse_join(s, body[e], self)) { return 0; }
        }
    }
    return 1;
}

// The graph of all bodies that move, and of joints. Returns 0 if TAC_MAX_FILL is too small.
static int saddle_order(const tac_work *w, tac_sparse *s)
{
    sparse_clear(s, (uint16_t)(w->program.bodies + PROGRAM_JOINTS(w)));
    for (uint16_t i = 1; i < w->program.bodies; i++) {
        if (joint_moves(w, i)) { sparse_use(s, i, 1); }
    }
    return saddle_add_joints(w, s) && matrix_order_bodies(w, s);
}

// Adds -J to the block of a body and a joint, its transpose if the joint is eliminated first. Ends 2 and 3 are those of
// a coupling's joint a; both joints may move the same body.
static void saddle_couple(const tac_joint_block *k, int end, int turned, tac_fill *f)
{
    const int side = end % 2;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (joint_compliance(k, row) == R(0.0)) { continue; }
        const tac_row *r = &k->row[row - end / 2];
        const vec3 l = v3_scale(side ? R(-1.0) : R(1.0), r->linear), t = r->angular[side];
        const real d[6] = {l.x, l.y, l.z, -t.x, -t.y, -t.z};
        for (int i = 0; i < 6; i++) { *(turned ? &f->x[i][row] : &f->x[row][i]) += d[i]; }
    }
}

// The block of a joint, with -1 on the diagonal where nothing acts, and the blocks that it shares with its bodies.
static void saddle_assemble(const tac_work *w, tac_sparse *s)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t self = joint_node(w, i);
        const uint16_t *body = k->body;
        const int ends = k->ends;
        real *least = s->pivot[self].least;
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            const real c = joint_compliance(k, row);
            least[row] = c > R(0.0) ? c : R(1.0);
            s->pivot[self].x[SIX_ROW[row] + row] = -least[row];
        }
        for (int e = 0; e < ends; e++) {
            if (!(joint_moves(w, body[e]))) { continue; }
            const int turned = s->pivot[self].place < s->pivot[body[e]].place;
            saddle_couple(k, e, turned, sparse_block(s, self, body[e]));
        }
    }
}

static void saddle_factor(const tac_work *w, tac_sparse *s)
{
    matrix_clear(s);
    saddle_assemble(w, s);
    sparse_factor(s);
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
        free_momentum(&w->moving[i], &x->twist[i], &y->twist[i]);
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
