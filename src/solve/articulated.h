// SPDX-License-Identifier: MIT
// articulated.h - trees of joints solved from the leaves to the root and back (Featherstone's articulated bodies).
//   given   joints, poses, right sides of Newton's step for bodies and joints
//   makes   its solution: changes of velocity, impulses of the joints
//   bound   two visits to each body; a few dozen multiplications a free motion
//   never   meets a loop: a joint that closes one is left to the sparse factor
#ifndef SOLVE_ARTICULATED_H
#define SOLVE_ARTICULATED_H

#include "joint_step.h"

#if TAC_MAX_JOINTS > 0

// Body b hangs on its parent p: V_b = V_p + c + sum s_i q_i, with s_i the free motions of the joint and c what its
// constraints ask for. The joint's impulse f does nothing along s_i but what a soft box makes of it, s_i'f = -slope
// q_i. With R all that acts on b, and I its inertia together with what hangs on it, f = I V_b - R. Free motions are
// eliminated one by one (F08, chapter 7):
//      u = I s,   d = s'u + slope,   q = (s'R - u'V)/d,      I <- I - u u'/d,   R <- R - u s'R/d,
// and what is then left of I and of R - I c acts on the parent. All V are (w, v), all forces (torque, force) about one
// point of the tree: nothing has to be turned or moved on its way.
static tac_reduced *reduced_of(tac_work *w)
{
    return &w->scratch.solve.reduced;
}

// --------------------------------------------------------------------------------------------------------- six numbers

static inline void limb_set(real *x, vec3 angular, vec3 linear)
{
    x[0] = angular.x, x[1] = angular.y, x[2] = angular.z;
    x[3] = linear.x, x[4] = linear.y, x[5] = linear.z;
}

static inline vec3 limb_first(const real *x)
{
    return v3(x[0], x[1], x[2]);
}

static inline vec3 limb_last(const real *x)
{
    return v3(x[3], x[4], x[5]);
}

// y += s x
static inline void limb_add(real *y, real s, const real *x)
{
    y[0] += s * x[0], y[1] += s * x[1], y[2] += s * x[2];
    y[3] += s * x[3], y[4] += s * x[4], y[5] += s * x[5];
}

// y = A x, of a symmetric matrix by its lower triangle
static void limb_mul(const real *a, const real *x, real *y)
{
    y[0] = (a[0] * x[0] + a[1] * x[1]) + (a[3] * x[2] + a[6] * x[3]) + (a[10] * x[4] + a[15] * x[5]);
    y[1] = (a[1] * x[0] + a[2] * x[1]) + (a[4] * x[2] + a[7] * x[3]) + (a[11] * x[4] + a[16] * x[5]);
    y[2] = (a[3] * x[0] + a[4] * x[1]) + (a[5] * x[2] + a[8] * x[3]) + (a[12] * x[4] + a[17] * x[5]);
    y[3] = (a[6] * x[0] + a[7] * x[1]) + (a[8] * x[2] + a[9] * x[3]) + (a[13] * x[4] + a[18] * x[5]);
    y[4] = (a[10] * x[0] + a[11] * x[1]) + (a[12] * x[2] + a[13] * x[3]) + (a[14] * x[4] + a[19] * x[5]);
    y[5] = (a[15] * x[0] + a[16] * x[1]) + (a[17] * x[2] + a[18] * x[3]) + (a[19] * x[4] + a[20] * x[5]);
}

// A force on the body, and a motion of it, in world and principal frame as elsewhere, about the point of the tree.
static void limb_force(const tac_limb *b, vec3 linear, vec3 angular, real *x)
{
    limb_set(x, v3_add(v3_combine(b->axis, angular), v3_cross(b->arm, linear)), linear);
}

static tac_twist limb_twist(const tac_limb *b, const real *x)
{
    const vec3 w = limb_first(x);
    return (tac_twist){v3_add(limb_last(x), v3_cross(w, b->arm)), v3_components(b->axis, w)};
}

// --------------------------------------------------------------------------------------------------------------- trees

// Can a tree be made of it: does it leave free a fixed set of motions?
static int articulated_holds(uint8_t kind)
{
    return kind != TAC_DISTANCE && kind != TAC_REVOLUTE_SPHERICAL && kind != TAC_COUPLING && kind != TAC_BUSHING;
}

// Body b hangs on its parent by a joint, or is a root (TAC_NONE).
static void articulated_hang(const tac_work *w, tac_reduced *r, uint16_t b, uint16_t joint, uint16_t parent)
{
    tac_limb *limb = &r->limb[b];
    limb->joint = joint;
    limb->parent = parent != TAC_NONE && joint_moves(w, parent) ? parent : TAC_NONE;
    limb->placed = 1;
    r->order[r->limbs++] = b;
}

// One pass over the joints. Returns how many it has found to hang on what is placed.
static uint32_t articulated_pass(const tac_model *m, const tac_work *w, tac_reduced *r)
{
    uint32_t found = 0;
    for (uint16_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t a = JOINT_OF(m)[i].body_a, b = JOINT_OF(m)[i].body_b;
        if (r->limb[a].placed == r->limb[b].placed) { continue; }
        const int turned = r->limb[b].placed;
        articulated_hang(w, r, turned ? a : b, i, turned ? b : a);
        found++;
    }
    return found;
}

// A body of the first joint that hangs on nothing becomes a root. Returns 0 if there is none.
static int articulated_root(const tac_model *m, const tac_work *w, tac_reduced *r)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t a = JOINT_OF(m)[i].body_a;
        if (r->limb[a].placed) { continue; }
        articulated_hang(w, r, a, TAC_NONE, TAC_NONE);
        return 1;
    }
    return 0;
}

// Who hangs on whom, of what moves and has joints. Returns 0 if joints make a loop, or are of a kind that has no free
// motions of its own.
static int articulated_trees(const tac_model *m, tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    uint32_t hanging = 0, found;
    r->limbs = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        if (!articulated_holds(JOINT_OF(m)[i].kind)) { return 0; }
    }
    for (uint16_t i = 0; i < m->bodies; i++) { r->limb[i].placed = !joint_moves(w, i); }
    do {
        found = articulated_pass(m, w, r);
        hanging += found;
    } while (found > 0 || articulated_root(m, w, r));
    return hanging == JOINT_COUNT(m);
}

// The same, with what has contacts.
static int articulated_order(const tac_model *m, tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    if (!articulated_trees(m, w)) { return 0; }
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        if (!r->limb[c->body_a].placed) { articulated_hang(w, r, c->body_a, TAC_NONE, TAC_NONE); }
        if (!r->limb[c->body_b].placed) { articulated_hang(w, r, c->body_b, TAC_NONE, TAC_NONE); }
    }
    return 1;
}

// -------------------------------------------------------------------------------------------------------------- factor

// Where the body is, and its own inertia about the point of the tree:  | J + m (r'r 1 - r r')   m [r] |,  J = A I A',
//                                                                      |      -m [r]           m 1   |   r the arm.
static void articulated_place(const tac_body *body, const tac_pose *pose, tac_limb *b)
{
    const vec3 r = v3_sub(pose->p, b->centre), i = body->inertia;
    const real m = body->mass, rr = v3_dot(r, r);
    quat_axes(pose->q, b->axis);
    b->arm = r;
    const vec3 x = v3(b->axis[0].x, b->axis[1].x, b->axis[2].x), y = v3(b->axis[0].y, b->axis[1].y, b->axis[2].y),
               z = v3(b->axis[0].z, b->axis[1].z, b->axis[2].z), ix = v3_mul(i, x), iy = v3_mul(i, y);
    const real inertia[21] = {
        v3_dot(ix, x) + m * (rr - r.x * r.x),
        v3_dot(ix, y) - m * r.x * r.y,
        v3_dot(iy, y) + m * (rr - r.y * r.y),
        v3_dot(ix, z) - m * r.x * r.z,
        v3_dot(iy, z) - m * r.y * r.z,
        v3_dot(v3_mul(i, z), z) + m * (rr - r.z * r.z),
        R(0.0),
        m * r.z,
        -m * r.y,
        m,
        -m * r.z,
        R(0.0),
        m * r.x,
        R(0.0),
        m,
        m * r.y,
        -m * r.x,
        R(0.0),
        R(0.0),
        R(0.0),
        m,
    };
    for (int k = 0; k < 21; k++) { b->inertia[k] = inertia[k]; }
}

// Is a row about a slide? Else about a turn.
static int joint_slides(uint8_t kind, int row)
{
    const int what = JOINT_ROW[kind][row];
    return what < JOINT_ABOUT || what == JOINT_APART || what == JOINT_THREAD;
}

// The free motions of the joint that the body hangs on: what its rows beyond the constraints are about.
static void articulated_axes(const tac_model *m, const tac_work *w, const tac_pose *pose, tac_limb *b)
{
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    const tac_joint_block *k = &JOINT_LINK(w)[b->joint];
    const tac_pose *on = &pose[j->body_b];
    b->at = v3_sub(v3_add(on->p, quat_rotate(on->q, k->frame[1].p)), b->centre);
    b->axes = 0;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (k->constraints >> row & 1) { continue; }
        const int slides = joint_slides(j->kind, row), threads = j->kind == TAC_SCREW;
        const vec3 spin = k->row[row].spin;
        const vec3 slide = slides ? k->row[row].linear : v3_scale(threads ? j->length : R(0.0), spin);
        const vec3 turn = slides ? V3_ZERO : spin;
        limb_set(b->s[b->axes++], turn, v3_add(slide, v3_cross(b->at, turn)));
    }
}

static void articulated_factor_limb(const tac_work *w, tac_reduced *r, tac_limb *b)
{
    const tac_joint_block *k = &JOINT_LINK(w)[b->joint];
    for (int i = 0; i < b->axes; i++) {
        real *u = b->u[i];
        limb_mul(b->inertia, b->s[i], u);
        const real d = six_dot(b->s[i], u) + (k->coordinate ? joint_slope(k) : R(0.0));
        b->inv_d[i] = d > R(0.0) ? R(1.0) / d : R(0.0);
        real *to = b->inertia;
        for (int row = 0; row < 6; row++) {
            const real x = b->inv_d[i] * u[row];
            for (int column = 0; column <= row; column++) { *to++ -= x * u[column]; }
        }
    }
    if (b->parent == TAC_NONE) { return; }
    real *parent = r->limb[b->parent].inertia;
    for (int i = 0; i < 21; i++) { parent[i] += b->inertia[i]; }
}

static void articulated_factor_root(tac_limb *b)
{
    real least[6];
    for (int i = 0; i < 6; i++) { least[i] = REAL_EPSILON * b->inertia[SIX_ROW[i] + i]; }
    six_factor(b->inertia, least);
}

// The factor with the bodies at these poses.
static void articulated_factor(const tac_model *m, tac_work *w, const tac_pose *pose)
{
    tac_reduced *r = reduced_of(w);
    for (uint16_t at = 0; at < r->limbs; at++) {
        const uint16_t self = r->order[at];
        tac_limb *b = &r->limb[self];
        b->centre = b->parent != TAC_NONE ? r->limb[b->parent].centre : pose[self].p;
        b->axes = 0;
        articulated_place(&m->body[self], &pose[self], b);
        if (b->joint != TAC_NONE) { articulated_axes(m, w, pose, b); }
    }
    for (uint16_t at = r->limbs; at-- > 0;) {
        tac_limb *b = &r->limb[r->order[at]];
        if (b->joint == TAC_NONE) {
            articulated_factor_root(b);
        } else {
            articulated_factor_limb(w, r, b);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ solution

// 1 where the body is b of its joint, -1 where it is a.
static real articulated_side(const tac_model *m, const tac_limb *b, uint16_t self)
{
    return JOINT_OF(m)[b->joint].body_b == self ? R(1.0) : R(-1.0);
}

// What the joint lacks becomes the motion c that makes up for it.
static void articulated_ask(const tac_model *m, const tac_work *w, const tac_limb *b, uint16_t self, real *lack)
{
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    const tac_joint_block *k = &JOINT_LINK(w)[b->joint];
    const real sign = -articulated_side(m, b, self);
    vec3 slide = V3_ZERO, turn = V3_ZERO;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!(k->constraints >> row & 1)) { continue; }
        const real x = sign * lack[row];
        if (joint_slides(j->kind, row)) {
            slide = v3_madd(slide, x, k->row[row].linear);
        } else {
            turn = v3_madd(turn, x, k->row[row].spin);
            if (j->kind == TAC_SCREW && row == JOINT_LAST) { slide = v3_madd(slide, x * j->length, k->row[row].spin); }
        }
    }
    limb_set(lack, turn, v3_add(slide, v3_cross(b->at, turn)));
}

// Impulses along the rows from the joint's force.
static void articulated_show(const tac_model *m, const tac_work *w, const tac_limb *b, uint16_t self, const real *f,
                             real *impulse)
{
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    const tac_joint_block *k = &JOINT_LINK(w)[b->joint];
    const vec3 force = v3_scale(articulated_side(m, b, self), limb_last(f)),
               torque = v3_sub(v3_scale(articulated_side(m, b, self), limb_first(f)), v3_cross(b->at, force));
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const int slides = joint_slides(j->kind, row);
        impulse[row] = R(0.0);
        if (!joint_has_row(k, row)) { continue; }
        impulse[row] = slides ? v3_dot(force, k->row[row].linear) : v3_dot(torque, k->row[row].spin);
        if (j->kind == TAC_SCREW && row == JOINT_LAST) { impulse[row] += j->length * v3_dot(force, k->row[row].spin); }
    }
}

// From the leaves to the roots: R and c take the place of the right sides.
static void articulated_up(const tac_model *m, tac_work *w, tac_twist *step)
{
    tac_reduced *r = reduced_of(w);
    for (uint16_t at = 0; at < r->limbs; at++) {
        const uint16_t self = r->order[at];
        limb_force(&r->limb[self], step[self].v, step[self].w, (real *)&step[self]);
    }
    for (uint16_t at = r->limbs; at-- > 0;) {
        const uint16_t self = r->order[at];
        tac_limb *b = &r->limb[self];
        real *x = (real *)&step[self], lost[6];
        if (b->joint == TAC_NONE) { continue; }
        real *c = (real *)&step[joint_node(m, b->joint)];
        articulated_ask(m, w, b, self, c);
        for (int i = 0; i < b->axes; i++) {
            b->pull[i] = six_dot(b->s[i], x);
            limb_add(x, -b->inv_d[i] * b->pull[i], b->u[i]);
        }
        if (b->parent == TAC_NONE) { continue; }
        limb_mul(b->inertia, c, lost);
        limb_add((real *)&step[b->parent], R(1.0), x);
        limb_add((real *)&step[b->parent], R(-1.0), lost);
    }
}

// From the roots to the leaves: V takes the place of R, the joint's impulses that of c.
static void articulated_down(const tac_model *m, tac_work *w, tac_twist *step)
{
    tac_reduced *r = reduced_of(w);
    for (uint16_t at = 0; at < r->limbs; at++) {
        const uint16_t self = r->order[at];
        const tac_limb *b = &r->limb[self];
        real *x = (real *)&step[self], f[6], v[6];
        if (b->joint == TAC_NONE) {
            six_forward(b->inertia, x);
            six_backward(b->inertia, x);
            continue;
        }
        real *c = (real *)&step[joint_node(m, b->joint)];
        for (int i = 0; i < 6; i++) { v[i] = c[i] + (b->parent != TAC_NONE ? ((real *)&step[b->parent])[i] : R(0.0)); }
        limb_mul(b->inertia, v, f);
        limb_add(f, R(-1.0), x);
        articulated_show(m, w, b, self, f, c);
        for (int i = b->axes; i-- > 0;) { limb_add(v, b->inv_d[i] * (b->pull[i] - six_dot(b->u[i], v)), b->s[i]); }
        for (int i = 0; i < 6; i++) { x[i] = v[i]; }
    }
    for (uint16_t at = 0; at < r->limbs; at++) {
        const uint16_t self = r->order[at];
        step[self] = limb_twist(&r->limb[self], (const real *)&step[self]);
    }
}

// Newton's step: of bodies M dv - J' dl, of joints -J dv, on the right what is in step[].
static void articulated_solve(const tac_model *m, tac_work *w, tac_twist *step)
{
    articulated_up(m, w, step);
    articulated_down(m, w, step);
}

#endif

#endif
