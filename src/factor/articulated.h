// SPDX-License-Identifier: MIT
// articulated.h - trees of joints solved from the leaves to the root and back (Featherstone's articulated bodies).
//   given   joints, poses; impulses on bodies, of each joint the motion that its constraints demand and an effort
//   makes   changes of velocity, rates of the free motions, the impulse that each joint transmits
//   bound   two visits to each body; a few dozen multiplications a free motion
//   never   handles a loop: joints that close one are rows on top of the trees (dual/columns.h)
#ifndef FACTOR_ARTICULATED_H
#define FACTOR_ARTICULATED_H

#include "../tree/aba.h"
#include "../rows/contact_rows.h"
#include "../rows/joint_rows.h"

static tac_trees *trees_of(tac_work *w)
{
    return JOINT_TREES(w);
}

// From a force on the body (linear part in the world frame, angular part in the principal frame, as elsewhere) to one
// about the point of the tree, and from a motion about that point back to a twist. inline: every pass over the trees
// begins or ends with them, and their numbers are in registers there.
static inline void tree_body_force(const tac_tree_body *b, vec3 linear, vec3 angular, real *x)
{
    six_set(x, v3_add(v3_combine(b->axis, angular), v3_cross(b->arm, linear)), linear);
}

static inline tac_twist tree_body_twist(const tac_tree_body *b, const real *x)
{
    const vec3 w = six_angular(x);
    return (tac_twist){v3_add(six_linear(x), v3_cross(w, b->arm)), v3_components(b->axis, w)};
}

// --------------------------------------------------------------------------------------------------------------- trees

// Bodies that joints connect get one number in tree_body[].mark, that of the first of them; 0 if they are connected to
// a body that no impulse moves. `rigid`: only joints with constraints count. Returns 1 if these joints close loops.
static int articulated_groups(tac_work *w, int rigid)
{
    if (TAC_MAX_JOINTS == 0) { return 0; }
    tac_tree_body *tree_body = trees_of(w)->tree_body;
    int loops = 0;
    for (uint16_t i = 0; i < w->program.bodies; i++) { tree_body[i].mark = joint_moves(w, i) ? i : 0; }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        if (SWITCH_BLOCK(k) || (rigid && (!k->constraints || !k->connects))) { continue; }
        const uint16_t a = tree_body[k->body[0]].mark, b = tree_body[k->body[1]].mark, first = a < b ? a : b;
        loops |= a == b;
        for (uint16_t other = 0; other < w->program.bodies; other++) {
            tac_tree_body *x = tree_body + other;
            if (x->mark == a || x->mark == b) { x->mark = first; }
        }
    }
    return loops;
}

// A body that hangs on no joint is a tree by itself.
static void articulated_add_alone(tac_work *w, uint16_t body)
{
    tac_trees *r = trees_of(w);
    tac_tree_body *b = r->tree_body + body;
    if (b->placed) { return; }
    b->joint = b->parent = TAC_NONE;
    b->carries = b->is_b = 0;
    b->placed = 1;
    r->order[r->tree_bodies++] = body;
}

// The trees of joints, as the topology has them, and each body that has joints but is in no tree: those of joints that
// close a loop, or whose free motions depend on their position.
static void articulated_order_joints(tac_work *w)
{
    tac_trees *r = trees_of(w);
    const tac_topology *t = JOINT_TOPOLOGY(w);
    for (uint16_t i = 0; i < w->program.bodies; i++) {
        r->tree_body[i].placed = !joint_moves(w, i);
        r->tree_body[i].joint = TAC_NONE; // also of bodies that no impulse moves: nothing hangs there
    }
    for (uint16_t at = 0; at < t->joined; at++) {
        const uint16_t self = t->order[at];
        tac_tree_body *b = r->tree_body + self;
        r->order[at] = self;
        b->joint = t->body[self].joint;
        b->parent = t->body[self].hangs ? t->body[self].parent : TAC_NONE;
        b->carries = t->body[self].carries;
        b->is_b = t->body[self].is_b;
        b->placed = 1;
    }
    r->tree_bodies = t->joined;
    r->closers = 0;
    r->closed = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w) && t->closed; i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        if (!k->closes) { continue; }
        r->closed = 1;
        for (int e = 0; e < k->ends; e++) { articulated_add_alone(w, k->body[e]); }
    }
}

// And each body that has contacts.
static void articulated_order(tac_work *w)
{
    articulated_order_joints(w);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        articulated_add_alone(w, k->body[0]);
        articulated_add_alone(w, k->body[1]);
    }
}

// Are bodies and joints solved as trees alone, in whose coordinates they move?
static int articulated_wholly(const tac_work *w)
{
    return PROGRAM_JOINTS(w) > 0 && !JOINT_TREES(w)->closed;
}

// -------------------------------------------------------------------------------------------------------------- factor

// Principal axes of all bodies at these poses. joints_make() has made those at the start of the step.
static void articulated_frames(tac_work *w, const tac_pose *pose)
{
    for (uint16_t i = 0; i < w->program.bodies; i++) { quat_axes(pose[i].q, trees_of(w)->tree_body[i].axis); }
}

// 1 where the body is b of its joint, so that it moves with the joint's rates against its parent; -1 where it is a.
static real articulated_sign(const tac_tree_body *b)
{
    return b->is_b ? R(1.0) : R(-1.0);
}

// A free motion of b relative to a: rotation, and translation at the origin of frame b, with the scale of its row.
static inline void articulated_motion(const tac_joint_block *k, int row, vec3 *turn, vec3 *slide)
{
    const int what = JOINT_KIND[k->kind].row[row];
    if (what < JOINT_ABOUT) {
        *turn = V3_ZERO;
        *slide = k->axis[what];
    } else {
        *turn = v3_scale(R(1.0) / k->length, joint_row_axis(k, what));
        *slide = v3_scale(k->lead, *turn);
    }
}

// The twist of a parent that no impulse moves, as a motion about the point of the tree.
static void articulated_parent(const tac_work *w, const tac_tree_body *b, const tac_twist *twist, real *x)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    const int is_b = b->is_b;
    const tac_twist *t = &twist[k->body[!is_b]];
    const vec3 spin = v3_combine(JOINT_TREES(w)->tree_body[k->body[!is_b]].axis, t->w);
    six_set(x, spin, v3_sub(t->v, v3_cross(spin, v3_sub(b->at, k->arm[!is_b]))));
}

// The free motions of the joint to the parent, about the point of the tree. They are motions of b relative to a. A body
// that is a of its joint moves relative to its parent the other way: the same subspace, rates of the other sign.
static void articulated_axes(const tac_work *w, tac_tree_body *b)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    b->at = v3_add(b->arm, k->arm[b->is_b]);
    b->axes = 0;
    if (joint_is_hinge(k->kind)) {
        const vec3 turn = v3_scale(R(1.0) / k->length, k->axis[2]);
        b->axes = !(k->constraints >> JOINT_LAST & 1);
        six_set(b->s[0], turn, v3_cross(b->at, turn));
        return;
    }
    for (int row = JOINT_KIND[k->kind].constraints; row < TAC_JOINT_ROWS; row++) {
        vec3 turn, slide;
        if (k->constraints >> row & 1) { continue; }
        articulated_motion(k, row, &turn, &slide);
        six_set(b->s[b->axes++], turn, v3_add(slide, v3_cross(b->at, turn)));
    }
}

static void articulated_factor_body(const tac_work *w, tac_trees *r, tac_tree_body *b)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    const real slope = k->coordinate ? joint_slope(k) : R(0.0);
    const int hangs = b->parent != TAC_NONE, last = b->axes - 1;
    for (int i = 0; i <= last; i++) {
        b->scale[i] = aba_eliminate(b->inertia, !b->carries && i == 0, b->s[i], slope, b->u[i]);
        if (i == last && hangs) {
            six_pass_outer(b->inertia, b->u[i], r->tree_body[b->parent].inertia);
        } else {
            aba_reduce(b->inertia, b->u[i]);
        }
    }
    if (last < 0 && hangs) { six_add_triangle(r->tree_body[b->parent].inertia, b->inertia); }
}

// Places a body of a tree: inertia, joint and centre of mass relative to the point of the tree.
static inline void articulated_place_body(tac_trees *r, uint16_t self, const tac_pose *pose)
{
    tac_tree_body *b = r->tree_body + self;
    b->centre = b->parent != TAC_NONE ? r->tree_body[b->parent].centre : pose[self].p;
    b->arm = v3_sub(pose[self].p, b->centre);
}

static void articulated_place(tac_work *w, const tac_pose *pose)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) { articulated_place_body(r, r->order[at], pose); }
}

// Factors with the bodies at these poses, or where they have been (NULL); their axes are in tree_body[] already.
static void articulated_factor(tac_work *w, const tac_pose *pose)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        const tac_moving *body = w->moving + self;
        real moments[6];
        if (pose != NULL) { articulated_place_body(r, self, pose); }
        b->effort = R(0.0);
        six_moments(body->inertia, b->axis, moments);
        six_shifted(body->mass, moments, b->arm, b->inertia);
        if (b->joint != TAC_NONE) { articulated_axes(w, b); }
    }
    for (uint16_t at = r->tree_bodies; at-- > 0;) {
        tac_tree_body *b = &r->tree_body[r->order[at]];
        if (b->joint == TAC_NONE) {
            aba_root(w->moving[r->order[at]].mass, w->moving[r->order[at]].inertia, b->inertia);
        } else {
            articulated_factor_body(w, r, b);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ solution
// step has six numbers of each body: R towards the roots, V towards the leaves. Most joints have one free motion, which
// is treated before the loop over the others. `effort` is 0 between solutions: its writer clears it; there is one only
// if the joint has one free motion, along the coordinate.

// Subtracts I c, the impulse of the motion c, from the impulses on the parent.
static inline void articulated_take_motion(const tac_tree_body *b, real *impulse)
{
    real lost[6];
    six_mul(b->inertia, b->c.motion, lost);
    six_add(impulse, R(-1.0), lost);
}

// From the leaves to the roots. `moves`: there are motions c, and their impulses I c have still to be subtracted.
static inline void articulated_up(tac_work *w, tac_sixes *step, int moves)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = r->tree_bodies; at-- > 0;) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        real x[6];
        if (b->joint == TAC_NONE) {
            six_forward(b->inertia, step->x[self]);
            continue;
        }
        six_copy(x, step->x[self]);
        if (b->axes > 0) { b->pull[0] = aba_lift(b->s[0], b->u[0], b->scale[0], b->effort, x); }
        for (int i = 1; i < b->axes; i++) { b->pull[i] = aba_lift(b->s[i], b->u[i], b->scale[i], b->effort, x); }
        six_copy(step->x[self], x);
        if (b->parent == TAC_NONE) { continue; }
        six_add(step->x[b->parent], R(1.0), x);
        if (moves) { articulated_take_motion(b, step->x[b->parent]); }
    }
}

// From the roots to the leaves. `forces`: the impulse that each joint transmits is left in f.impulse.
static inline void articulated_down(tac_work *w, tac_sixes *step, int moves, int forces)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        real *x = step->x[self], v[6];
        if (b->joint == TAC_NONE) {
            six_backward(b->inertia, x);
            continue;
        }
        if (b->parent != TAC_NONE) {
            six_copy(v, step->x[b->parent]);
        } else {
            six_set(v, V3_ZERO, V3_ZERO);
        }
        if (moves) { six_add(v, R(1.0), b->c.motion); }
        if (forces) {
            six_mul(b->inertia, v, b->f.impulse);
            six_add(b->f.impulse, R(-1.0), x);
        }
        for (int i = b->axes - 1; i > 0; i--) {
            b->q.solved[i] = aba_lower(b->s[i], b->u[i], b->scale[i], b->pull[i], v);
        }
        if (b->axes > 0) { b->q.solved[0] = aba_lower(b->s[0], b->u[0], b->scale[0], b->pull[0], v); }
        six_copy(x, v);
    }
}

// Impulses on bodies, from twists to the point of the tree; velocities back.
static void articulated_put_forces(tac_work *w, tac_sixes *step)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        const tac_twist *impulse = step->twist + self;
        tree_body_force(r->tree_body + self, impulse->v, impulse->w, step->x[self]);
    }
}

static void articulated_get_twists(tac_work *w, tac_sixes *step)
{
    const tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        step->twist[self] = tree_body_twist(r->tree_body + self, step->x[self]);
    }
}

// Changes of velocity by the impulses in step, both as in tac_twist, while all joints hold (c = 0).
static void articulated_respond(tac_work *w, tac_sixes *step)
{
    articulated_put_forces(w, step);
    articulated_up(w, step, 0);
    articulated_down(w, step, 0, 0);
    articulated_get_twists(w, step);
}

// ---------------------------------------------------------------------------------------- the same with rows of joints

// The residual of the joint's rows, as a rate along each, becomes the motion c that removes it.
static void articulated_set_residual(const tac_work *w, tac_tree_body *b, const real *residual)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    const real sign = b->is_b ? R(-1.0) : R(1.0);
    vec3 slide = V3_ZERO, turn = V3_ZERO;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!(k->constraints >> row & 1)) { continue; }
        const real x = sign * residual[row];
        if (joint_slides(k->kind, row)) {
            slide = v3_madd(slide, x, k->row[row].linear);
        } else {
            const vec3 about = joint_row_turn(k, row);
            turn = v3_madd(turn, x, about);
            if (k->lead != R(0.0) && row == JOINT_LAST) { slide = v3_madd(slide, x * k->lead, about); }
        }
    }
    six_set(b->c.motion, turn, v3_add(slide, v3_cross(b->at, turn)));
}

// Impulses along rows that are neither along nor about the axes of frame a, in their order, from these components.
static void articulated_unordered_impulses(const tac_joint_block *k, vec3 along, vec3 torque, real *impulse)
{
    const real scale = R(1.0) / k->length, part[3] = {along.x, along.y, along.z};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const int what = JOINT_KIND[k->kind].row[row];
        if (what < JOINT_ABOUT) {
            impulse[row] = part[what];
        } else if (what < JOINT_CROSS) {
            impulse[row] = scale * v3_dot(k->axis[what - JOINT_ABOUT], torque);
        } else if (what == JOINT_THREAD) {
            impulse[row] = along.z;
        } else if (what == JOINT_CROSS) {
            const vec3 n = v3_cross(k->across, k->axis[0]);
            const real n2 = v3_dot(n, n);
            impulse[row] = n2 > R(0.0) ? scale * v3_dot(torque, n) / n2 : R(0.0);
        } else {
            impulse[row] = scale * v3_dot(torque, k->across);
        }
    }
    impulse[JOINT_LAST] += scale * k->lead * along.z;
}

// Impulses along all rows, constraints and free motions, from the impulse f that the joint transmits.
static inline void articulated_impulses(const tac_work *w, const tac_tree_body *b, real *impulse)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    const real side = articulated_sign(b);
    const vec3 force = v3_scale(side, six_linear(b->f.impulse)), along = v3_components(k->axis, force),
               torque = v3_sub(v3_scale(side, six_angular(b->f.impulse)), v3_cross(b->at, force));
    if (!joint_in_order(k->kind)) {
        articulated_unordered_impulses(k, along, torque, impulse);
        return;
    }
    v3_put(impulse, along);
    v3_put(impulse + 3, v3_scale(R(1.0) / k->length, v3_components(k->axis, torque)));
}

// Solves Newton's step, M dv - J' dl for bodies and -J dv for joints, for the right side in step: impulses on bodies,
// residuals of the rows of joints.
static void articulated_solve(tac_work *w, tac_sixes *step)
{
    tac_trees *r = trees_of(w);
    articulated_put_forces(w, step);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        tac_tree_body *b = &r->tree_body[r->order[at]];
        if (b->joint == TAC_NONE) { continue; }
        articulated_set_residual(w, b, step->x[joint_node(w, b->joint)]);
        b->effort = R(0.0);
    }
    articulated_up(w, step, 1);
    articulated_down(w, step, 1, 1);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const tac_tree_body *b = &r->tree_body[r->order[at]];
        if (b->joint == TAC_NONE) { continue; }
        real *impulse = step->x[joint_node(w, b->joint)];
        articulated_impulses(w, b, impulse);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!joint_has_row(&JOINT_LINK(w)[b->joint], row)) { impulse[row] = R(0.0); }
        }
    }
    articulated_get_twists(w, step);
}

// The response to further impulses on bodies: their twists become those by these impulses alone, the impulses of joints
// are added to those in step.
static void articulated_add_response(tac_work *w, tac_sixes *step)
{
    tac_trees *r = trees_of(w);
    articulated_put_forces(w, step);
    articulated_up(w, step, 0);
    articulated_down(w, step, 0, 1);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const tac_tree_body *b = &r->tree_body[r->order[at]];
        real more[TAC_JOINT_ROWS];
        if (b->joint == TAC_NONE) { continue; }
        articulated_impulses(w, b, more);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (joint_has_row(&JOINT_LINK(w)[b->joint], row)) { step->x[joint_node(w, b->joint)][row] += more[row]; }
        }
    }
    articulated_get_twists(w, step);
}

#endif
