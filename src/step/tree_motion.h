// SPDX-License-Identifier: MIT
// tree_motion.h - trees of joints move along their coordinates, so that no joint can come apart.
//   given   trees that are factored, velocities of the solve, pseudo-velocities of roots
//   makes   the finite motion of each body in the step; velocities at its end, and efforts along coordinates, that
//           agree with this motion by Newton's law; the rest of the motion as pseudo-velocities
//   bound   four visits to each body; six with each of TREE_MOTION_ITERATIONS corrections; after these eight, and one
//           more to those of free trees; as many again for each of TREE_MOTION_SLOWER times that energy is taken back
//   never   subtracts poses: all motions are increments, and an error from before the step does not change
#ifndef STEP_TREE_MOTION_H
#define STEP_TREE_MOTION_H

#include "../base/vec.h"
#include "joint_factor.h"
#include "move.h"
#include "settle.h"

// The rates q of its joints give a tree a finite motion, body by body from the root. Its velocities v' = motion/h are
// not those of the solve, v, since joints carry bodies on arcs. The impulse of a joint changes by M (v' - v), summed
// over the subtree that hangs on it. Along a free motion s there is none but that of what yields there with a slope:
//      s' sum M (v'(q) - v) + slope (q - q_0) = 0,
// which Newton's method solves with the factor of the start of the step. Joint impulses then act along the arc (the
// SHAKE method [RCB77] in coordinates), so energy and momentum are kept. Speeds and corrections are measured in units
// of the speed of each joint, tac_joint_block.speed.
#define TREE_MOTION_ITERATIONS (TAC_JOINT_ITERATIONS / 2)
#define TREE_MOTION_BENT R(32.0)                                     // roundings: smaller v' - v need no impulse
#define TREE_MOTION_NEAR (TAC_REAL_BITS == 32 ? R(2e-7) : R(2e-10))  // a correction that would be smaller is not made
#define TREE_MOTION_OPENS (TAC_REAL_BITS == 32 ? R(5e-7) : R(5e-14)) // a smaller error of motion opens no joint
#define TREE_MOTION_IDLE R(0.5)  // part of the last correction: if the next one is larger, iterations are given up
#define TREE_MOTION_SLOW R(0.95) // the same where bodies turn faster, by that angle: at most so large
#define TREE_MOTION_WORSE R(2.0) // the same of the first correction
#define TREE_MOTION_ROUNDING (R(4.0) * REAL_EPSILON) // a correction of no more than that may be nothing else
#define TREE_MOTION_SLOWER 3                         // times at most a motion that has made energy is made slower
#define TREE_MOTION_SMALL R(0.0025) // squared sine of half the angle below which the series of asin holds

// The motion of a tree at the end of the step: along the velocities of the solve; the same, since no impulses were
// found that keep it on the arcs; changed by such impulses (bent); the same, except for the last correction, which is
// in step[].
enum { TREE_MOTION_STRAIGHT, TREE_MOTION_LOST, TREE_MOTION_WHOLLY, TREE_MOTION_NEARLY };

// Mean velocities of a body in the step, as far as they are known.
static tac_twist tree_motion_mean(const tac_state *s, const tac_work *w, uint16_t i)
{
    const tac_twist lost = {s->compensation[i].v, s->compensation[i].w};
    tac_twist mean;
    twist_madd(&w->delta_v[i], R(1.0), &lost, &mean);
    twist_madd(&s->twist[i], R(1.0), &mean, &mean);
    twist_add(&mean, R(1.0), &w->pseudo_velocity[i]);
    return mean;
}

// The displacement of a body in this step: of its centre of mass, and the rotation about it, in the world frame.
static void tree_motion_body(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i)
{
    const tac_twist mean = tree_motion_mean(s, w, i);
    const quat e = quat_exp_short(v3_scale(m->h, mean.w));
    const vec3 turn = v3_combine(trees_of(w)->tree_body[i].axis, v3(e.x, e.y, e.z));
    JOINT_END(w)[i] = (tac_pose){v3_scale(m->h, mean.v), {e.w, turn.x, turn.y, turn.z}};
}

// ------------------------------------------------------------------------------------------------------------ rates

// Keeps the mean angular velocity of a body by the solve.
static inline void tree_motion_keep_turn(const tac_state *s, tac_work *w, uint16_t i)
{
    v3_put(trees_of(w)->tree_body[i].q.turn, tree_motion_mean(s, w, i).w);
}

static inline vec3 tree_motion_kept_turn(const tac_work *w, uint16_t i)
{
    return v3_of(JOINT_TREES(w)->tree_body[i].q.turn);
}

// The motion of b relative to a at these velocities, as in tac_twist: rotation, and translation at the origin of frame
// b.
static void tree_motion_between(const tac_work *w, const tac_joint_block *k, const tac_twist *a, const tac_twist *b,
                                vec3 *turn, vec3 *slide)
{
    const tac_tree_body *body = JOINT_TREES(w)->tree_body;
    const vec3 spin[2] = {v3_combine(body[k->body[0]].axis, a->w), v3_combine(body[k->body[1]].axis, b->w)};
    *turn = v3_sub(spin[1], spin[0]);
    *slide = v3_sub(v3_add(b->v, v3_cross(spin[1], k->arm[1])), v3_add(a->v, v3_cross(spin[0], k->arm[0])));
}

// Rates of the free motions of a joint, from this motion.
static void tree_motion_rates_of(const tac_joint_block *k, vec3 turn, vec3 slide, real sign, real *rate)
{
    for (int row = JOINT_KIND[k->kind].constraints; row < TAC_JOINT_ROWS; row++) {
        const int what = JOINT_KIND[k->kind].row[row];
        if (k->constraints >> row & 1) { continue; }
        const vec3 axis = joint_row_axis(k, what);
        *rate++ = sign * (what < JOINT_ABOUT ? v3_dot(axis, slide) : k->length * v3_dot(axis, turn));
    }
}

// Those of the solve. Of a hinge: one axis, one number, which is that of its row.
static inline void tree_motion_rates(const tac_state *s, const tac_work *w, tac_tree_body *b)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    const real sign = articulated_sign(b);
    if (!joint_is_hinge(k->kind)) {
        const tac_twist t[2] = {{tree_motion_mean(s, w, k->body[0]).v, tree_motion_kept_turn(w, k->body[0])},
                                {tree_motion_mean(s, w, k->body[1]).v, tree_motion_kept_turn(w, k->body[1])}};
        vec3 turn, slide;
        tree_motion_between(w, k, &t[0], &t[1], &turn, &slide);
        tree_motion_rates_of(k, turn, slide, sign, b->rate);
        return;
    }
    const vec3 *row = k->row[JOINT_LAST].angular;
    b->rate[0] = sign * (v3_dot(row[1], tree_motion_kept_turn(w, k->body[1])) +
                         v3_dot(row[0], tree_motion_kept_turn(w, k->body[0])));
}

// ----------------------------------------------------------------------------------------------------------- motions

// The rotation of a body against its parent by a hinge, world frame: one axis, one number. A coordinate that is held or
// prescribed advances as its constraint asks.
static inline quat tree_motion_hinge(const tac_model *m, const tac_joint_block *k, const real *rate, int is_b)
{
    const int led = k->constraints >> JOINT_LAST & 1;
    const real way = led ? (is_b ? k->advance : -k->advance) : m->h * rate[0];
    return quat_exp_short(v3_scale(way / k->length, k->axis[2]));
}

// The motion of b relative to a of any other joint, in the world frame as if a stood still: returns the rotation;
// `slide` is the translation of the origin of frame b.
static quat tree_motion_joint(const tac_model *m, const tac_joint_block *k, const real *rate, real sign, vec3 *slide)
{
    vec3 turn = V3_ZERO, across = V3_ZERO;
    int i = 0;
    *slide = V3_ZERO;
    for (int row = JOINT_KIND[k->kind].constraints; row < TAC_JOINT_ROWS; row++) {
        const int what = JOINT_KIND[k->kind].row[row], led = k->constraints >> row & 1;
        const real way = led ? k->advance : sign * m->h * rate[i];
        const vec3 axis = joint_row_axis(k, what);
        i += !led;
        if (what < JOINT_ABOUT) {
            *slide = v3_madd(*slide, way, axis);
        } else {
            vec3 *of = what == JOINT_ABOUT_B ? &across : &turn;
            *of = v3_madd(*of, way / k->length, axis);
            *slide = v3_madd(*slide, k->lead * way / k->length, axis);
        }
    }
    const quat e = quat_exp_short(turn);
    return JOINT_KIND[k->kind].turn == TURN_CROSS ? quat_mul(e, quat_exp_short(across)) : e;
}

// The motion of a body from that of its parent: the origin of frame b is carried by both, and slides in a. `closes`:
// the error that the joint had at the start of the step is taken out of it first.
static inline void tree_motion_child(const tac_model *m, tac_work *w, const tac_tree_body *b, uint16_t self, int closes)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    const int is_b = b->is_b;
    const tac_pose *parent = &JOINT_END(w)[k->body[!is_b]];
    vec3 way = v3_add(parent->p, quat_turn(parent->q, k->arm[!is_b]));
    quat turn;
    if (joint_is_hinge(k->kind) && !closes) {
        turn = quat_mul(parent->q, tree_motion_hinge(m, k, b->rate, is_b));
    } else {
        vec3 slide;
        quat e = tree_motion_joint(m, k, b->rate, is_b ? R(1.0) : R(-1.0), &slide);
        if (closes) {
            e = quat_mul(e, quat_exp_short(v3_scale(R(-1.0), k->off[0])));
            slide = v3_sub(slide, k->off[1]);
        }
        turn = quat_mul(parent->q, is_b ? e : quat_conj(e));
        way = is_b ? v3_add(way, quat_rotate(parent->q, slide)) : v3_sub(way, quat_rotate(turn, slide));
    }
    JOINT_END(w)[self] = (tac_pose){v3_sub(way, quat_turn(turn, k->arm[is_b])), turn};
}

// The rotation vector of a rotation e (world), over h, in the principal frame whose axes are given.
static vec3 tree_motion_spin(real h, quat e, const vec3 axis[3])
{
    const real side = e.w < R(0.0) ? R(-1.0) : R(1.0);
    const vec3 v = v3_scale(side, v3_components(axis, v3(e.x, e.y, e.z)));
    const real x = v3_dot(v, v);
    real part;
    if (x < TREE_MOTION_SMALL) { // asin(s)/s, x = s^2; in float the last terms are below rounding
        real rest = R(3.0) / R(40.0);
        if (TAC_REAL_BITS == 64) {
            rest += x * (R(5.0) / R(112.0) + x * (R(35.0) / R(1152.0) + x * (R(63.0) / R(2816.0))));
        }
        part = R(1.0) + x * (R(1.0) / R(6.0) + x * rest);
    } else {
        const real size = real_sqrt(x);
        part = real_atan2(size, side * e.w) / size;
    }
    return v3_scale(R(2.0) * part / h, v);
}

// Keeps the mean velocity of a motion: v' of the centre of mass, world frame; W about it, principal frame.
static void tree_motion_keep_mean(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i)
{
    const tac_pose *motion = &JOINT_END(w)[i];
    const tac_compensation *c = s->compensation + i;
    tac_tree_body *b = trees_of(w)->tree_body + i;
    six_set(b->f.mean, v3_sub(tree_motion_spin(m->h, motion->q, b->axis), c->w),
            v3_sub(v3_scale(R(1.0) / m->h, motion->p), c->v));
}

// The motion of a body of a tree, from the rates of its joint or from the velocity of a root.
static inline void tree_motion_move_body(const tac_model *m, const tac_state *s, tac_work *w, uint16_t self, int closes)
{
    const tac_tree_body *b = trees_of(w)->tree_body + self;
    if (b->joint == TAC_NONE) {
        tree_motion_body(m, s, w, self);
    } else {
        tree_motion_child(m, w, b, self, closes);
    }
    tree_motion_keep_mean(m, s, w, self);
}

// The motions of all trees. Those of bodies that no impulse moves are known from the first time.
static void tree_motion_move(const tac_model *m, const tac_state *s, tac_work *w, int closes)
{
    const tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) { tree_motion_move_body(m, s, w, r->order[at], closes); }
}

// The motion that the velocities of the solve make.
static void tree_motion_first(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_trees *r = trees_of(w);
    for (uint16_t i = 0; i < m->bodies; i++) {
        if (joint_moves(w, i)) { continue; }
        tree_motion_keep_turn(s, w, i);
        tree_motion_body(m, s, w, i);
    }
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        b->effort = R(0.0);
        tree_motion_keep_turn(s, w, self);
        if (b->joint != TAC_NONE) { tree_motion_rates(s, w, b); }
        tree_motion_move_body(m, s, w, self, 0);
    }
}

// ----------------------------------------------------------------------------------------------------------- balance

// The angular momentum at the start of the step from which free rotation makes the mean rate W: L = I W - T (I W) x W
// (free.h).
static vec3 tree_motion_momentum(const tac_model *m, const tac_work *w, uint16_t i)
{
    const vec3 rate = six_angular(JOINT_TREES(w)->tree_body[i].f.mean), inertia = w->moving[i].inertia;
    return v3_sub(v3_mul(inertia, rate), free_bend(inertia, m->h, rate));
}

// Keeps the angular momentum at the start of the step, with the impulses of the solve but without free rotation.
static inline void tree_motion_keep_start(const tac_state *s, tac_work *w, uint16_t i)
{
    const vec3 spin = v3_add(s->twist[i].w, w->delta_v[i].w);
    v3_put(trees_of(w)->tree_body[i].c.momentum, v3_sub(v3_mul(w->moving[i].inertia, spin), JOINT_TURNED(w)[i]));
}

// M (v - v') of a body, in step; its angular part is kept.
static inline void tree_motion_left(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i)
{
    tac_tree_body *b = trees_of(w)->tree_body + i;
    const vec3 v = v3_sub(v3_sub(six_linear(b->f.mean), s->twist[i].v), w->delta_v[i].v);
    const vec3 turn = v3_sub(v3_of(b->c.momentum), tree_motion_momentum(m, w, i));
    SOLUTION(w)->step.twist[i] = (tac_twist){v3_scale(-w->moving[i].mass, v), turn};
    v3_put(b->c.momentum + 3, turn);
}

// The right side in step, for all bodies.
static void tree_motion_residual(const tac_model *m, const tac_state *s, tac_work *w)
{
    const tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) { tree_motion_left(m, s, w, r->order[at]); }
}

// The same, and is any v - v' more than rounding, relative to the speed of its joint?
static int tree_motion_bends(const tac_model *m, const tac_state *s, tac_work *w)
{
    const tac_trees *r = trees_of(w);
    int bends = 0;
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at], joint = r->tree_body[self].joint;
        tree_motion_keep_start(s, w, self);
        tree_motion_left(m, s, w, self);
        if (bends || joint == TAC_NONE) { continue; } // one that bends is enough
        const tac_joint_block *k = JOINT_LINK(w) + joint;
        const tac_moving *body = w->moving + self;
        const tac_twist *left = SOLUTION(w)->step.twist + self;
        const real v = body->inv_mass * v3_norm_inf(left->v), turn = v3_norm_inf(v3_mul(body->inv_inertia, left->w));
        const real seen = TREE_MOTION_BENT * REAL_EPSILON * k->speed;
        bends = k->speed > R(0.0) && real_max(v, k->length * turn) > seen;
    }
    return bends;
}

// The solution is added to the motion of a root.
static void tree_motion_correct_root(tac_work *w, uint16_t root)
{
    const tac_twist t = tree_body_twist(trees_of(w)->tree_body + root, SOLUTION(w)->step.x[root]);
    twist_add(&w->pseudo_velocity[root], R(1.0), &t);
}

// The solution is added to the rates of a joint; what yields along the coordinate resists by its slope. Returns the
// largest change, also of the root that the joint hangs on.
static real tree_motion_correct_joint(tac_work *w, tac_tree_body *b)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    real most = R(0.0);
    for (int i = 0; i < b->axes; i++) {
        b->rate[i] += b->q.solved[i];
        most = real_max(most, real_abs(b->q.solved[i]));
    }
    if (k->coordinate && b->axes > 0) { b->effort -= joint_slope(k) * b->q.solved[0]; }
    if (b->parent != TAC_NONE && trees_of(w)->tree_body[b->parent].joint == TAC_NONE) {
        const real *x = SOLUTION(w)->step.x[b->parent];
        most = real_max(most, real_max(v3_norm_inf(six_linear(x)), k->length * v3_norm_inf(six_angular(x))));
    }
    return most;
}

// One correction of all rates, for the right side in step, where it leaves the changes of velocity, about the points of
// the trees. Returns the largest, relative to the joint's speed.
static real tree_motion_correct(tac_work *w)
{
    tac_trees *r = trees_of(w);
    tac_sixes *step = &SOLUTION(w)->step;
    real worst = R(0.0);
    articulated_put_forces(w, step);
    articulated_up(w, step, 0);
    articulated_down(w, step, 0, 0);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        if (b->joint == TAC_NONE) {
            if (b->carries) { tree_motion_correct_root(w, self); }
            continue;
        }
        const real moved = tree_motion_correct_joint(w, b), speed = JOINT_LINK(w)[b->joint].speed;
        if (speed > R(0.0)) { worst = real_max(worst, moved / speed); }
    }
    w->report.joint_iterations++;
    return worst;
}

// The total momentum of a free tree changes by external impulses only. The impulses between its bodies do not add up to
// zero exactly, by the residual of the corrections: the common rigid motion, about its point, of all bodies of the tree
// from place `at` of the order to before `end` cancels that.
static void tree_motion_balance(const tac_work *w, uint16_t at, uint16_t end, real *common)
{
    rigid_sum sum;
    reals_clear(&sum, sizeof sum);
    for (; at < end; at++) {
        const uint16_t i = JOINT_TREES(w)->order[at];
        const tac_tree_body *b = JOINT_TREES(w)->tree_body + i;
        rigid_add(&w->moving[i], b->axis, b->arm, &SOLUTION(w)->step.twist[i], &sum);
    }
    const tac_twist t = rigid_motion(&sum);
    six_set(common, t.w, t.v);
}

// --------------------------------------------------------------------------------------------------------------- end

// The last change of a bent motion: the correction in step, or the common motion of its tree. `kick`: the angular part
// of the impulse of all corrections, M (v' + change - v).
static inline tac_twist tree_motion_change(const tac_work *w, uint16_t i, int ends, const real *common, vec3 *kick)
{
    const tac_tree_body *b = JOINT_TREES(w)->tree_body + i;
    const tac_twist change = tree_body_twist(b, ends == TREE_MOTION_NEARLY ? SOLUTION(w)->step.x[i] : common);
    *kick = v3_sub(v3_mul(w->moving[i].inertia, change.w), v3_of(b->c.momentum + 3));
    return change;
}

// The change of the angular momentum l, seen from the body, by its mean rotation: the midpoint rule, or, where that may
// be far from the rotation that l makes, l turned by it, so that abs(l) stays.
static inline vec3 tree_motion_turned(const tac_model *m, const tac_moving *body, vec3 mean, vec3 l, int ends)
{
    if (ends == TREE_MOTION_LOST) { return quat_turn(quat_exp_short(v3_scale(-m->h, mean)), l); }
    return v3_scale(R(2.0), free_bend(body->inertia, m->h, mean));
}

// Velocities at the end: those of the motion if impulses have bent it, else those of the solve. The angular momentum at
// the start of the step, seen from the body, rotates backwards by its mean rotation. The pseudo-velocity is the rest
// of the motion.
static void tree_motion_take(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i, int ends,
                             const real *common)
{
    const tac_tree_body *b = trees_of(w)->tree_body + i;
    const tac_moving *body = w->moving + i;
    tac_twist *g = w->delta_v + i;
    vec3 v = v3_sub(six_linear(b->f.mean), s->twist[i].v), mean = six_angular(b->f.mean), l = v3_of(b->c.momentum);
    if (ends >= TREE_MOTION_WHOLLY) {
        vec3 kick;
        const tac_twist change = tree_motion_change(w, i, ends, common, &kick);
        v = v3_add(v, change.v);
        mean = v3_add(mean, change.w);
        l = v3_add(l, kick);
        g->v = v;
    }
    const vec3 turned = tree_motion_turned(m, body, mean, l, ends);
    g->w = v3_mul(body->inv_inertia, v3_add(v3_sub(l, v3_mul(body->inertia, s->twist[i].w)), turned));
    JOINT_TURNED(w)[i] = turned;
    w->pseudo_velocity[i] = (tac_twist){v3_sub(v, g->v), v3_sub(v3_sub(mean, s->twist[i].w), g->w)};
}

// The end in the order of the tree that begins at place `at`. Trees follow each other; those on bodies that no impulse
// moves come first, as one.
static uint16_t tree_motion_tree(const tac_trees *r, uint16_t at)
{
    uint16_t end = (uint16_t)(at + 1);
    while (end < r->tree_bodies && r->tree_body[r->order[end]].joint != TAC_NONE) { end++; }
    return end;
}

// Velocities at the end, of all trees. A free root rotates like a free body (move.h), unless its tree is bent.
static void tree_motion_take_all(const tac_model *m, const tac_state *s, tac_work *w, int ends)
{
    const tac_trees *r = trees_of(w);
    if (ends == TREE_MOTION_WHOLLY) { tree_motion_residual(m, s, w); }
    for (uint16_t at = 0; at < r->tree_bodies;) {
        const tac_tree_body *first = &r->tree_body[r->order[at]];
        const uint16_t end = tree_motion_tree(r, at);
        const int free = first->joint == TAC_NONE, as = free && !first->carries ? TREE_MOTION_STRAIGHT : ends;
        real common[6];
        six_set(common, V3_ZERO, V3_ZERO);
        if (free && as == TREE_MOTION_WHOLLY) { tree_motion_balance(w, at, end, common); }
        if (free && as <= TREE_MOTION_LOST) { at++; }
        for (; at < end; at++) { tree_motion_take(m, s, w, r->order[at], as, common); }
    }
}

// Compliant efforts along coordinates act at the rates of the bent motion.
static void tree_motion_efforts(tac_work *w)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        tac_tree_body *b = &r->tree_body[r->order[at]];
        if (b->effort != R(0.0)) {
            tac_joint_block *k = JOINT_LINK(w) + b->joint;
            joint_record_yielding(k, articulated_sign(b) * b->effort, k->arc);
        }
        b->effort = R(0.0);
    }
}

// Copies the pseudo-velocities of roots, the only ones that corrections change.
static void tree_motion_copy_roots(const tac_work *w, const tac_twist *from, tac_twist *to)
{
    const tac_trees *r = JOINT_TREES(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t i = r->order[at];
        if (r->tree_body[i].joint == TAC_NONE) { to[i] = from[i]; }
    }
}

// The largest angle by which a body of a tree turns in the step, about.
static real tree_motion_angle(const tac_model *m, const tac_work *w)
{
    const tac_trees *r = JOINT_TREES(w);
    real fast = R(0.0);
    for (uint16_t at = 0; at < r->tree_bodies; at++) { fast = real_max(fast, r->tree_body[r->order[at]].speed[1]); }
    return m->h * fast;
}

// Impulses bend the motion onto the arcs of the joints. The first correction is of the order of the square of the angle
// by which joints turn in the step, each further one smaller by the angle by which bodies turn; the second may be as
// large as the first, where that moves what is left from one direction to another. They end when the next one would be
// small, beside the impulses of the arc too, which of a spinning top are small beside its speed, or when only rounding
// is left. The motion of the last one is not made if bodies that move by the changes of their velocities open no joint.
// If corrections do not converge (a light link that whips a heavy one through a stretched chain), the first motion is
// restored, and pseudo-velocities take the place of impulses.
static int tree_motion_bend(const tac_model *m, const tac_state *s, tac_work *w, real *turns)
{
    const real spin = tree_motion_angle(m, w), slow = real_max(TREE_MOTION_IDLE, real_min(spin, TREE_MOTION_SLOW));
    real last = REAL_LARGEST, next = REAL_LARGEST, angle = R(0.0), part = R(1.0);
    phase_take(w, TAC_PHASE_BEFORE);
    tree_motion_copy_roots(w, w->pseudo_velocity, w->phase.before);
    for (int i = 0; i < TREE_MOTION_ITERATIONS && next > part * TREE_MOTION_NEAR; i++) {
        if (w->report.joint_iterations >= m->options.max_joint_iterations) { break; }
        if (i > 0) { tree_motion_residual(m, s, w); }
        const real left = tree_motion_correct(w);
        if (i == 0) {
            const real turned = real_sqrt(left);
            angle = real_max(turned, spin);
            if (turned < spin) { part = turned / spin; }
            *turns = angle;
        }
        const int idle = !(left <= (i > 1 ? slow : TREE_MOTION_WORSE) * last);
        if (left * angle <= part * TREE_MOTION_OPENS || (idle && left <= TREE_MOTION_ROUNDING)) {
            return TREE_MOTION_NEARLY;
        }
        if (idle) {
            tree_motion_copy_roots(w, w->phase.before, w->pseudo_velocity);
            tree_motion_first(m, s, w);
            return TREE_MOTION_LOST;
        }
        next = left * (i == 0 ? angle : left / last);
        last = left;
        tree_motion_move(m, s, w, 0);
    }
    return last < REAL_LARGEST ? TREE_MOTION_WHOLLY : TREE_MOTION_STRAIGHT;
}

// ------------------------------------------------------------------------------------------------------------- after
// it Pseudo-velocities of a tree are changes of its rates and of the velocity of its root. The finite motion is made
// again from these, since pseudo-velocities of bodies open joints at second order.

// The solution that the factor has left in q.solved is added to the rates, times `part`.
static void tree_motion_add(tac_work *w, real part)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        tac_tree_body *b = &r->tree_body[r->order[at]];
        for (int i = 0; b->joint != TAC_NONE && i < b->axes; i++) { b->rate[i] += part * b->q.solved[i]; }
    }
}

// The motion of these twists, which satisfy the constraints of joints, is added to the rates.
static void tree_motion_shift(tac_work *w, const tac_twist *t)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        tac_tree_body *b = &r->tree_body[r->order[at]];
        real rate[3];
        if (b->joint == TAC_NONE) { continue; }
        const tac_joint_block *k = JOINT_LINK(w) + b->joint;
        vec3 turn, slide;
        tree_motion_between(w, k, &t[k->body[0]], &t[k->body[1]], &turn, &slide);
        tree_motion_rates_of(k, turn, slide, articulated_sign(b), rate);
        for (int i = 0; i < b->axes; i++) { b->rate[i] += rate[i]; }
    }
}

// Changes rates and roots by the least pseudo-velocities, in the metric of the factor, that remove the errors which the
// poses had at the start of the step: these are a few roundings, but would add up from step to step. A coordinate that
// a limit holds moves by what is demanded of it.
static void tree_motion_close(const tac_model *m, tac_work *w)
{
    tac_trees *r = trees_of(w);
    tac_sixes *step = &SOLUTION(w)->step;
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        reals_clear(step->x[self], sizeof step->x[self]);
        if (b->joint == TAC_NONE) { continue; }
        const tac_joint_block *k = JOINT_LINK(w) + b->joint;
        const real sign = articulated_sign(b), part = -sign / m->h;
        vec3 turn = v3_scale(part, k->off[0]), slide = v3_scale(part, k->off[1]);
        if (joint_limit_holds(k)) {
            vec3 about, along;
            articulated_motion(k, JOINT_LAST, &about, &along);
            turn = v3_madd(turn, sign * k->demanded, about);
            slide = v3_madd(slide, sign * k->demanded, along);
        }
        six_set(b->c.motion, turn, v3_add(v3_cross(b->at, turn), slide));
    }
    articulated_up(w, step, 1);
    articulated_down(w, step, 1, 0);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        if (r->tree_body[r->order[at]].joint == TAC_NONE) { tree_motion_correct_root(w, r->order[at]); }
    }
    tree_motion_add(w, R(1.0));
}

// The finite motion again; `closes`: without the errors of the start.
static void tree_motion_follow(const tac_model *m, const tac_state *s, tac_work *w, int closes)
{
    const tac_trees *r = trees_of(w);
    tree_motion_move(m, s, w, closes);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t i = r->order[at];
        const real *mean = r->tree_body[i].f.mean;
        const tac_twist t = {six_linear(mean), six_angular(mean)};
        twist_madd(&t, R(-1.0), &s->twist[i], &w->pseudo_velocity[i]);
        twist_add(&w->pseudo_velocity[i], R(-1.0), &w->delta_v[i]);
    }
}

// The motion again, with this part of the rates.
static void tree_motion_slow(const tac_model *m, const tac_state *s, tac_work *w, real part)
{
    const tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        tac_tree_body *b = trees_of(w)->tree_body + r->order[at];
        for (int i = 0; b->joint != TAC_NONE && i < b->axes; i++) { b->rate[i] *= part; }
    }
    tree_motion_follow(m, s, w, 0);
}

// The motion of the step, its velocities and impulses. Where bodies turn far or impulses bend the motion much, the
// energy that arcs have made is entered into the account.
static void tree_motion_step(const tac_model *m, const tac_state *s, tac_work *w)
{
    real turns = R(0.0);
    tree_motion_first(m, s, w);
    const int ends = tree_motion_bends(m, s, w) ? tree_motion_bend(m, s, w, &turns) : TREE_MOTION_STRAIGHT;
    tree_motion_take_all(m, s, w, ends);
    if (ends >= TREE_MOTION_WHOLLY) { tree_motion_efforts(w); }
    if (!(turns > SETTLE_TURN) && !settle_turns(m, s, w)) { return; }
    real excess = settle_enter(m, s, w);
    for (int i = 1; excess > R(0.0) && i <= TREE_MOTION_SLOWER; i++) {
        tree_motion_slow(m, s, w, settle_slow(m, s, w, excess, i == TREE_MOTION_SLOWER));
        excess = settle_enter(m, s, w);
    }
}

#endif
