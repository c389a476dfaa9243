// SPDX-License-Identifier: MIT
// dae_forces.h - the equations of a smooth step at an iterate: forces, their slopes, errors of constraints.
//   given   accelerations at the end of the step, multipliers; model, state, input; the rule of the method
//   makes   poses and velocities at the end; efforts and slopes of joints; the right side of the saddle-point problem
//   bound   one visit to each body, action and joint
//   never   linearises what it can evaluate: the matrix may be an approximation, the right side is not
#ifndef TCE17_DAE_FORCES_H
#define TCE17_DAE_FORCES_H

#include "../step/begin.h"
#include "../step/results.h"
#include "../step/commit.h"
#include "../step/correct_joints.h"

#if TAC_DAE

// All methods of TCE17, section 9, are one. With x the acceleration that forces make and lambda the multipliers of the
// constraints, whose sign is the same in all methods,
//
//      M x+ = f(q+, v+) + C_q' lambda,   C(q+) = 0          (153), (163), (174), (192)
//      (1 - am) a+ + am a = (1 - af) x+ + af x              (182), (191)
//      v+ = v + h (g0 a + g1 a+)                            (140), (128), (173), (181), (190)
//      q+ = q exp(h d),  d = v + h (d0 a + d1 a+)           (139), (127), (172), (180), (189)
//
// q exp(h d) is p + h d for positions. Angular velocities are those of the principal frames, where such a rule keeps
// its order (Bruels and Cardona, J. Comput. Nonlinear Dynam. 5, 2010). (182) is (191) with am = 0 and af = -alpha. The
// unknown is a+ = kappa x+ + c, kappa = (1 - af)/(1 - am). Newton's step solves (202),
//
//      | M + kappa (h g1 D + h^2 d1 K)   -C_q' | | da             |     | kappa (f + C_q' lambda) - M (a+ - c) |
//      | -C_q                               0  | | kappa d lambda |  =  | C/(h^2 d1)                           |
//
// with K and D the tangent stiffness and damping of springs, dampers, motors and bushings. Left out, as below (188),
// are the derivatives of gyroscopic forces and of directions, which are h |w| times smaller: the matrix stays
// symmetric, and an iteration leaves about h |w|/2 of the error.

enum {
    DAE_END,  // at the end of the step
    DAE_LINE, // there too, but linear about the start of the step (160)
    DAE_REST  // at the start of the step, for its accelerations: M x = f + C_q' lambda, C_q x + curvature = 0
};

typedef struct dae_rule {
    real d0, d1, g0, g1; // as above, of a and a+
    real am, af;
    uint8_t at;         // DAE_*
    uint8_t stabilises; // DAE_LINE: 1: velocities correct the errors that the step starts with
    uint8_t once;       // 1: multipliers and rotors act at the end of the step only, for both of its ends (170)
} dae_rule;

// How far the iterate is from a solution, as accelerations.
typedef struct dae_measure {
    real residual, scale, rounding;
} dae_measure;

static real dae_kappa(const dae_rule *r)
{
    return (R(1.0) - r->af) / (R(1.0) - r->am);
}

// p a + q b
static tac_twist dae_combine(real p, const tac_twist *a, real q, const tac_twist *b)
{
    return (tac_twist){v3_madd(v3_scale(p, a->v), q, b->v), v3_madd(v3_scale(p, a->w), q, b->w)};
}

// ------------------------------------------------------------------------------------------------------------ motion

// Velocities and accelerations at the end of the step. Bodies that are driven have theirs from move_free().
static void dae_move(const tac_model *m, const tac_state *s, const dae_rule *r, tac_work *w, tac_dae *d)
{
    phase_take(w, TAC_PHASE_VELOCITY);
    for (uint16_t i = 0; i < m->bodies; i++) {
        const tac_twist *a = &d->a[i], *next = &d->next_a[i];
        if (joint_moves(w, i)) {
            const tac_twist known = dae_combine(r->am, a, -r->af, &d->x[i]);
            d->next_x[i] = dae_combine(R(1.0) / dae_kappa(r), next, R(1.0) / (R(1.0) - r->af), &known);
            w->delta_v[i] = dae_combine(m->h * r->g0, a, m->h * r->g1, next);
            w->pseudo_velocity[i] = dae_combine(m->h * (r->d0 - r->g0), a, m->h * (r->d1 - r->g1), next);
        }
        const tac_twist none = {V3_ZERO, V3_ZERO};
        w->phase.velocity[i] = dae_combine(R(1.0), &s->twist[i], R(1.0), r->at == DAE_REST ? &none : &w->delta_v[i]);
    }
}

// Rate of a row in the mean velocity of the step.
static real dae_mean_rate(const tac_work *w, const tac_joint_block *k, int row)
{
    return joint_rate(k, w->phase.velocity, row) + joint_rate(k, w->pseudo_velocity, row);
}

// The poses that forces and rows are evaluated at.
static const tac_pose *dae_poses(const tac_state *s, const tac_work *w, const dae_rule *r)
{
    return r->at == DAE_END ? JOINT_END(w) : s->pose;
}

// The second derivative of a row while bodies keep their velocities, m/s2.
static real dae_curvature_of(const tac_joint *j, const tac_joint_block *k, const tac_pose *at, const tac_twist *t,
                             int row)
{
    joint_place p;
    joint_motion q;
    vec3 axis[2][3];
    const tac_pose *pose[2] = {&at[j->body_a], &at[j->body_b]};
    const tac_twist *twist[2] = {&t[j->body_a], &t[j->body_b]};
    for (int side = 0; side < 2; side++) { quat_axes(pose[side]->q, axis[side]); }
    const vec3 *const of[2] = {axis[0], axis[1]};
    joint_find(j->kind, k->frame, pose[0], pose[1], &p);
    joint_move(&p, of, twist, &q);
    return joint_curvature(j, &p, &q, row, k->length);
}

static real dae_curvature(const tac_model *m, const tac_work *w, const tac_pose *at, uint32_t i, int row)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    real sum = R(0.0);
    if (j->kind != TAC_COUPLING) { return dae_curvature_of(j, k, at, w->phase.velocity, row); }
    for (int part = 0; part < 2; part++) {
        const uint16_t x = coupling_part(j, part);
        const tac_joint_block *kx = &JOINT_LINK(w)[x];
        sum +=
            coupling_scale(j, k, kx, part) * dae_curvature_of(&JOINT_OF(m)[x], kx, at, w->phase.velocity, JOINT_LAST);
    }
    return sum;
}

// Changes of all coordinates in the step, from the motion in JOINT_END: without the rounding of poses.
static void dae_changes(const tac_model *m, const tac_state *s, const tac_work *w, tac_dae *d)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        joint_place p;
        joint_change c;
        d->change[i] = R(0.0);
        if (j->kind == TAC_COUPLING) {
            for (int part = 0; part < 2; part++) {
                d->change[i] += coupling_factor(j, part) * d->change[coupling_part(j, part)];
            }
        } else if (joint_has_coordinate(j->kind)) {
            correct_moved(s, w, j, &JOINT_LINK(w)[i], &p, &c);
            d->change[i] = joint_change_coordinate(j, &p, &c);
        }
    }
}

// ------------------------------------------------------------------------------------------------------- constraints

// The error of a row at the start of the step, m.
static real dae_error(const tac_state *s, const tac_joint *j, const tac_joint_block *k, const tac_dae *d, uint32_t i,
                      int row)
{
    joint_place p;
    if (j->kind == TAC_COUPLING) { return k->scale * (d->start[i] - k->setpoint); }
    joint_find(j->kind, k->frame, &s->pose[j->body_a], &s->pose[j->body_b], &p);
    return joint_violation(j, k, &p, row);
}

// A row of a constraint in `step`, where the motion is linear or its acceleration is asked for.
static real dae_row(const tac_model *m, const tac_state *s, const tac_work *w, const tac_dae *d, const dae_rule *r,
                    uint32_t i, int row)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    if (r->at == DAE_REST) { return joint_rate(k, d->next_x, row) + dae_curvature(m, w, s->pose, i, row); }
    const real error = r->stabilises ? joint_stabilise(m, k, row, dae_error(s, &JOINT_OF(m)[i], k, d, i, row)) : R(0.0);
    return dae_mean_rate(w, k, row) + error - (row == JOINT_LAST ? k->advance / m->h : R(0.0));
}

static void dae_rows(const tac_model *m, const tac_state *s, tac_work *w, tac_dae *d, const dae_rule *r)
{
    tac_sixes *step = &SOLUTION(w)->step;
    reals_clear(step->twist, (m->bodies + JOINT_COUNT(m)) * sizeof *step->twist);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        d->change[i] = r->at == DAE_LINE && k->coordinate ? m->h * dae_mean_rate(w, k, JOINT_LAST) / k->scale : R(0.0);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (joint_holds(k, row)) { step->x[joint_node(w, i)][row] = dae_row(m, s, w, d, r, i, row); }
        }
    }
}

// C/h of all constraints in `step`, changes of coordinates, rows. At the end of the step C is what the step adds, so
// that neither rounding of poses nor an error from before the step becomes a velocity; these are projected (dae.h).
static void dae_constraints(const tac_model *m, const tac_state *s, tac_work *w, tac_dae *d, const dae_rule *r)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        if (k->kind == TAC_BUSHING) { k->constraints = joint_bushing_rows(&JOINT_OF(m)[i]); }
    }
    if (r->at == DAE_END) {
        (void)correct_added_errors(m, s, w);
        dae_changes(m, s, w, d);
        for (uint16_t i = 0; i < m->bodies; i++) { correct_pose(m, s, w, i); }
    }
    correct_jacobians(m, w, dae_poses(s, w, r));
    if (r->at != DAE_END) { dae_rows(m, s, w, d, r); }
}

// ------------------------------------------------------------------------------------------------- efforts of joints

// What a law loses along a+: nothing at a bound.
static real dae_slope(const tac_model *m, const dae_rule *r, const effort_law *e, real value)
{
    const real along = m->h * m->h * r->d1 * e->stiffness + m->h * r->g1 * e->damping;
    return value > e->least && value < e->most ? dae_kappa(r) * along + e->inertia : R(0.0);
}

// Effort that the rotor of a joint takes at its acceleration; that of both ends of the step, where it acts once.
static real dae_rotor(const tac_model *m, const tac_state *s, const tac_work *w, const tac_dae *d, const dae_rule *r,
                      uint32_t i)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    const real inertia = JOINT_OF(m)[i].armature;
    if (!(inertia > R(0.0))) { return R(0.0); }
    const real curvature = dae_curvature(m, w, dae_poses(s, w, r), i, JOINT_LAST);
    const real last = r->once ? joint_rate(k, d->x, JOINT_LAST) + curvature : R(0.0);
    return inertia * (joint_rate(k, d->next_x, JOINT_LAST) + curvature + last) / k->scale;
}

// A law at the iterate: its effort, and its slope in that of all along the coordinate.
static void dae_put(const tac_model *m, const dae_rule *r, const effort_law *e, int which, real rate, real rotor,
                    tac_work *w, tac_joint_block *k)
{
    tac_interval *x = &k->interval[TAC_EFFORT_PASSIVE];
    const real value = effort_value(e, rate, rotor);
    w->scratch.solve.g[k->first + (uint32_t)(TAC_JOINT_ROWS + which)] = m->h * value / k->scale;
    x->weight += dae_slope(m, r, e, value) / (k->scale * k->scale);
    x->inside = x->weight > R(0.0);
    k->acts = 1;
}

// Nothing is bounded but stops, which never pull.
static void dae_coordinate(const tac_model *m, const tac_state *s, const tac_input *input, const dae_rule *r,
                           uint32_t i, tac_work *w, tac_dae *d)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    tac_joint_block *k = &JOINT_LINK(w)[i];
    const real start = d->start[i], change = d->change[i];
    const real rate = joint_rate(k, w->phase.velocity, JOINT_LAST) / k->scale;
    k->interval[TAC_EFFORT_PASSIVE].weight = R(0.0);
    k->interval[TAC_EFFORT_PASSIVE].inside = 0;
    reals_clear(&w->scratch.solve.g[k->first + TAC_JOINT_ROWS], TAC_EFFORTS * sizeof(real));
    d->rotor[i] = dae_rotor(m, s, w, d, r, i);
    effort_law e = effort_passive(j, start, change);
    dae_put(m, r, &e, TAC_EFFORT_PASSIVE, rate, d->rotor[i], w, k);
    if (k->motor != TAC_NONE && !k->target) {
        e = effort_motor(m, j, &JOINT_MOTOR(input)[k->motor], REAL_LARGEST, start, change);
        dae_put(m, r, &e, TAC_EFFORT_MOTOR, rate, R(0.0), w, k);
    }
    if (!(j->lower < j->upper) || effort_has_hard_limits(j)) { return; }
    e = effort_limit(m, j, start, change, R(0.0));
    dae_put(m, r, &e, TAC_EFFORT_LIMIT, rate, R(0.0), w, k);
}

static void dae_bushing(const tac_model *m, const tac_state *s, const dae_rule *r, const tac_joint *j, tac_work *w,
                        tac_joint_block *k)
{
    const tac_pose *at = dae_poses(s, w, r);
    joint_place p;
    joint_find(j->kind, k->frame, &at[j->body_a], &at[j->body_b], &p);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!(k->constraints >> row & 1)) { continue; }
        const real part = R(1.0) / joint_bushing_scale(k, row);
        const real ahead = r->at == DAE_LINE ? m->h * dae_mean_rate(w, k, row) : R(0.0);
        const effort_law e = effort_bushing(j, row, part * (joint_error(j, &p, row, k->length) + ahead));
        const real value = effort_value(&e, part * joint_rate(k, w->phase.velocity, row), R(0.0));
        const real slope = part * part * dae_slope(m, r, &e, value);
        w->scratch.solve.g[k->first + (uint32_t)row] = m->h * part * value;
        k->soft[row] = slope > R(0.0) ? R(1.0) / slope : R(1.0); // not 0: that is a rigid row
        if (!(slope > R(0.0))) { k->constraints &= (uint8_t) ~(1 << row); }
    }
}

// ----------------------------------------------------------------------------------------------------------- residual

// The size of an acceleration of a body, rotations in the metric of its mass, m/s2; and of a force, as an acceleration.
static real dae_size(const tac_moving *b, const tac_twist *a)
{
    return real_sqrt(v3_dot(a->v, a->v) + b->inv_mass * v3_dot(v3_mul(b->inertia, a->w), a->w));
}

static real dae_effect(const tac_moving *b, const tac_twist *f)
{
    const tac_twist a = {v3_scale(b->inv_mass, f->v), v3_mul(b->inv_inertia, f->w)};
    return dae_size(b, &a);
}

// Weight, wrenches and gyroscopic torque: f. Linear steps have those of their start.
static void dae_body_forces(const tac_model *m, const tac_state *s, const tac_input *input, const dae_rule *r,
                            tac_work *w, dae_measure *found)
{
    tac_twist *force = SOLUTION(w)->step.twist;
    const tac_pose *at = dae_poses(s, w, r);
    const tac_twist *t = r->at == DAE_LINE ? s->twist : w->phase.velocity;
    for (uint16_t i = 0; input != NULL && i < input->actions; i++) {
        const tac_action *a = &input->action[i];
        if (a->kind < TAC_VELOCITY) { move_act(a, at[a->body].q, &force[a->body]); }
    }
    for (uint16_t i = 0; i < m->bodies; i++) {
        const tac_moving *b = &w->moving[i];
        if (!joint_moves(w, i)) { continue; }
        force[i].v = v3_madd(force[i].v, b->mass, m->gravity);
        force[i].w = v3_sub(force[i].w, v3_cross(t[i].w, v3_mul(b->inertia, t[i].w)));
        found->scale = real_max(found->scale, dae_effect(b, &force[i]));
    }
}

// + C_q' lambda, and what acts along coordinates.
static void dae_joint_forces(const tac_model *m, tac_work *w, uint32_t i, dae_measure *found)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    real g[TAC_JOINT_ROWS];
    joint_impulses(w, k, g);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const real force = g[row] / m->h;
        if (force == R(0.0)) { continue; }
        joint_take(k, row, -force, w->moving, SOLUTION(w)->step.twist);
        found->scale = real_max(found->scale, real_abs(force) * k->w[row]);
    }
    const real speed = k->speed + real_abs(k->advance) / m->h;
    found->rounding = real_max(found->rounding, REAL_EPSILON * speed / m->h);
}

// The right side of Newton's step, from forces in `step` and C/h of constraints, and its size.
static void dae_right_side(const tac_model *m, const dae_rule *r, tac_work *w, tac_dae *d, dae_measure *found)
{
    tac_sixes *step = &SOLUTION(w)->step;
    const real kappa = dae_kappa(r), rate = r->at == DAE_REST ? R(1.0) : R(1.0) / (m->h * r->d1);
    for (uint16_t i = 0; i < m->bodies; i++) {
        const tac_moving *b = &w->moving[i];
        tac_twist *f = &step->twist[i];
        const tac_twist *x = &d->next_x[i], inert = {v3_scale(b->mass, x->v), v3_mul(b->inertia, x->w)};
        *f = dae_combine(kappa, f, -kappa, &inert);
        if (!joint_moves(w, i)) { reals_clear(f, sizeof *f); }
        found->residual = real_max(found->residual, dae_effect(b, f) / kappa);
        found->scale = real_max(found->scale, dae_size(b, &d->x[i]));
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        real *x = step->x[joint_node(w, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            x[row] *= rate;
            found->residual = real_max(found->residual, real_abs(x[row]));
        }
    }
}

// All of it.
static void dae_evaluate(const tac_model *m, const tac_state *s, const tac_input *input, const dae_rule *r, tac_work *w,
                         tac_dae *d, dae_measure *found)
{
    *found = (dae_measure){R(0.0), R(0.0), R(0.0)};
    dae_move(m, s, r, w, d);
    dae_constraints(m, s, w, d, r);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        if (k->kind == TAC_BUSHING) { dae_bushing(m, s, r, &JOINT_OF(m)[i], w, k); }
        if (k->coordinate) { dae_coordinate(m, s, input, r, i, w, d); }
    }
    dae_body_forces(m, s, input, r, w, found);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { dae_joint_forces(m, w, i, found); }
    dae_right_side(m, r, w, d, found);
}

#endif

#endif
