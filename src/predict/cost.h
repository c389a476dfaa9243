// SPDX-License-Identifier: MIT
// cost.h - costs as data: terms to residuals, norms of residuals, their sum after a step.
//   given   a cost; the state after a step, and the work area that the step has left
//   makes   what the step adds to the cost of a roll-out
//   bound   constant a residual; one visit to each body for the centre of mass, to each contact for each shape
//   never   is negative
#ifndef PREDICT_COST_H
#define PREDICT_COST_H

#include "../robot/api_frame.h"
#include "difference.h"
#include "table.h"

#if TAC_PREDICT

// What terms are about: all after a step.
typedef struct cost_at {
    const tac_model *m;
    const tac_state *s;
    const tac_work *w;
    const real *before;      // efforts of the motors in the step before; NULL: there is none
    const tac_refresh *kept; // with the coordinates of all joints; NULL: poses alone have them
    real *residual;          // where the residuals of a term go, one after the other; NULL: nowhere
    vec3 centre, linear, angular;
    int weighed; // the last three are there
} cost_at;

static int cost_of_frame(uint8_t kind)
{
    return kind == TAC_COST_POSITION || kind == TAC_COST_ORIENTATION || kind == TAC_COST_VELOCITY ||
           kind == TAC_COST_SPIN;
}

static int cost_of_all(uint8_t kind)
{
    return kind == TAC_COST_CENTRE || kind == TAC_COST_MOMENTUM || kind == TAC_COST_ANGULAR_MOMENTUM;
}

static int cost_of_joints(uint8_t kind)
{
    return kind == TAC_COST_JOINT || kind == TAC_COST_RATE || kind == TAC_COST_EFFORT || kind == TAC_COST_EFFORT_CHANGE;
}

static int cost_is_vector(uint8_t kind)
{
    return cost_of_frame(kind) || cost_of_all(kind);
}

// ------------------------------------------------------------------------------------------------------------- checks

// Are these joints, all with a coordinate, or shapes? Of GIVEN they are numbers of its target.
static int cost_found(const tac_model *m, const tac_cost_term *c)
{
    const uint32_t end = (uint32_t)c->index + c->count;
    if (c->kind == TAC_COST_GIVEN) { return c->count > 0 && c->target != NULL; }
    if (!cost_of_joints(c->kind)) { return c->count > 0 && end <= m->shapes; }
    int found = c->count > 0 && end <= JOINT_COUNT(m);
    for (uint32_t i = c->index; i < end && found; i++) { found = joint_has_coordinate(JOINT_OF(m)[i].kind); }
    return found;
}

static int cost_frame_good(const tac_model *m, const tac_frame *f)
{
    tac_frame unit;
    return api_frame(f, &unit) == TAC_OK && f->body < m->bodies &&
           reals_within(&f->pose.p, sizeof f->pose.p, TAC_MOST_LENGTH);
}

// Are all quaternions of a target near unit length?
static int cost_turns(const tac_table *t)
{
    int good = 1;
    for (uint32_t i = 0; i < t->rows; i++) {
        const real norm2 = quat_norm2(coordinates_quat(t->value + 4 * i));
        good &= norm2 > R(0.25) && norm2 < R(4.0);
    }
    return good;
}

static int cost_target_good(const tac_cost_term *c)
{
    const int turn = c->kind == TAC_COST_ORIENTATION;
    const uint32_t width = turn ? 4 : cost_is_vector(c->kind) ? 3 : c->count;
    return c->target == NULL || (table_good(c->target, width, -REAL_LARGEST) && (!turn || cost_turns(c->target)));
}

static void cost_check_term(const tac_model *m, const tac_cost_term *c, uint32_t i, tac_fault *fault)
{
    const int kind = c->kind < TAC_COST_KINDS && c->norm < TAC_NORMS && c->without < 8;
    const int what = cost_of_frame(c->kind) ? cost_frame_good(m, &c->frame) : cost_of_all(c->kind) || cost_found(m, c);
    const int turned = c->kind == TAC_COST_VELOCITY || c->kind == TAC_COST_SPIN;
    const int axes = !turned || c->axes == TAC_AXES_WORLD || c->axes == TAC_AXES_FRAME;
    const int radius =
        c->norm == TAC_NORM_QUADRATIC || check_between(c->radius, TAC_LEAST_LENGTH, TAC_MOST_FORCE) == TAC_REASON_NONE;
    const int weight = check_within(c->weight, TAC_MOST_FORCE) && check_within(c->terminal, TAC_MOST_FORCE);
    check_note(check_that(kind && what && axes && radius), TAC_FIELD_COST, i, fault);
    check_note(check_that(weight), TAC_FIELD_COST_WEIGHT, i, fault);
    if (fault->reason) { return; }
    check_note(check_that(cost_target_good(c)), TAC_FIELD_COST_TARGET, i, fault);
    check_note(check_that(c->schedule == NULL || table_good(c->schedule, 1, R(0.0))), TAC_FIELD_COST_SCHEDULE, i,
               fault);
}

static void cost_check(const tac_model *m, const tac_cost *c, tac_fault *fault)
{
    check_note(check_that(real_finite(c->time) && (c->terms == 0 || c->term != NULL)), TAC_FIELD_COST, 0, fault);
    for (uint32_t i = 0; i < c->terms && !fault->reason; i++) { cost_check_term(m, &c->term[i], i, fault); }
}

// ---------------------------------------------------------------------------------------------------------- residuals

// Centre of mass and momenta of all dynamic bodies, about the first of them until the centre is known.
static void cost_weigh(cost_at *at)
{
    const tac_model *m = at->m;
    const vec3 from = at->s->pose[m->bodies > 1 ? 1 : 0].p;
    vec3 centre = V3_ZERO, linear = V3_ZERO, angular = V3_ZERO;
    real mass = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_body *b = &m->body[i];
        const tac_pose *pose = &at->s->pose[i];
        const tac_twist *twist = &at->s->twist[i];
        if (b->kind != TAC_DYNAMIC) { continue; }
        const vec3 arm = v3_sub(pose->p, from), momentum = v3_scale(b->mass, twist->v);
        mass += b->mass;
        centre = v3_madd(centre, b->mass, arm);
        linear = v3_add(linear, momentum);
        angular = v3_add(angular, v3_add(quat_rotate(pose->q, v3_mul(b->inertia, twist->w)), v3_cross(arm, momentum)));
    }
    centre = v3_scale(mass > R(0.0) ? R(1.0) / mass : R(0.0), centre);
    at->centre = v3_add(from, centre);
    at->linear = linear;
    at->angular = v3_sub(angular, v3_cross(centre, linear));
    at->weighed = 1;
}

static vec3 cost_all(cost_at *at, uint8_t kind)
{
    if (!at->weighed) { cost_weigh(at); }
    return kind == TAC_COST_CENTRE ? at->centre : kind == TAC_COST_MOMENTUM ? at->linear : at->angular;
}

// The target of an orientation. Between two quaternions that point away from each other it is the one before.
static quat cost_turn(const tac_table *t, const table_place *p)
{
    quat q = {table_number(t, p, 0), table_number(t, p, 1), table_number(t, p, 2), table_number(t, p, 3)};
    if (!(quat_norm2(q) > R(0.015625))) {
        q = (quat){table_row(t, p, 0, 0), table_row(t, p, 0, 1), table_row(t, p, 0, 2), table_row(t, p, 0, 3)};
    }
    quat_unit(&q);
    return q;
}

// Of a frame. That of an orientation is against its target already.
static vec3 cost_frame(const cost_at *at, const tac_cost_term *c, const table_place *place)
{
    tac_frame f = c->frame;
    jacobian_point p;
    const tac_pose *pose = &at->s->pose[f.body];
    quat_unit(&f.pose.q);
    if (c->kind == TAC_COST_ORIENTATION) {
        const quat own = quat_mul(quat_mul(pose->q, quat_conj(at->m->body[f.body].inertial.q)), f.pose.q);
        return difference_log(c->target == NULL ? own : quat_mul(quat_conj(cost_turn(c->target, place)), own));
    }
    const vec3 spin = quat_rotate(pose->q, at->s->twist[f.body].w);
    if (c->kind == TAC_COST_SPIN && c->axes == TAC_AXES_WORLD) { return spin; }
    jacobian_find(at->m, at->s, &f, c->axes, &p);
    if (c->kind == TAC_COST_POSITION) { return p.place; }
    return jacobian_along(&p, c->kind == TAC_COST_SPIN ? spin : v3_add(at->s->twist[f.body].v, v3_cross(spin, p.arm)));
}

// Coordinate or rate of a joint, by its frames, which the step has left in the work area. A step with kept dynamics has
// led angles along. Those of a hinge, which most are, need orientations alone, and each but one of the two.
static real cost_joint(const cost_at *at, uint8_t kind, uint32_t i)
{
    const tac_joint *j = &JOINT_OF(at->m)[i];
    const tac_state *s = at->s;
    tac_joint_state x;
    if (at->kept != NULL && kind == TAC_COST_JOINT && joint_is_hinge(j->kind)) { return at->kept->of[i].q[0]; }
    if (joint_is_hinge(j->kind)) {
        const tac_pose *local = JOINT_LINK(at->w)[i].frame;
        const tac_twist *twist[2] = {&s->twist[j->body_a], &s->twist[j->body_b]};
        real rate;
        joint_place p;
        if (kind == TAC_COST_RATE) {
            coordinates_rates(j, local, s->pose, twist, &rate);
            return rate;
        }
        p.rotation =
            joint_rotation(quat_mul(s->pose[j->body_a].q, local[0].q), quat_mul(s->pose[j->body_b].q, local[1].q));
        return joint_angle(j, &p);
    }
    if (j->kind == TAC_COUPLING) {
        coordinates_of(at->m, s, i, &x);
    } else {
        coordinates_own_at(j, JOINT_LINK(at->w)[i].frame, s, &x);
    }
    return kind == TAC_COST_JOINT ? x.position : x.velocity;
}

static real cost_effort(const tac_work *w, uint32_t i)
{
    return JOINT_RESULT(w)[i].effort[TAC_EFFORT_MOTOR];
}

static int cost_bears(const tac_contact *c)
{
    return c->impulse.x + c->bounce.x > R(0.0);
}

// Of a shape: the sum of normal forces, or the fastest sliding.
static real cost_shape(const cost_at *at, uint8_t kind, uint32_t shape)
{
    real force = R(0.0), slip = R(0.0);
    for (const tac_contact *c = at->w->contact; c < at->w->contact + at->w->report.contacts; c++) {
        if ((c->id.shape_a != shape && c->id.shape_b != shape) || !cost_bears(c)) { continue; }
        force += c->impulse.x + c->bounce.x;
        slip = real_max(slip, v3_norm(v3(R(0.0), c->velocity.y, c->velocity.z)));
    }
    return kind == TAC_COST_FORCE ? force / at->m->h : slip;
}

// Number `i` of a term that counts joints, shapes or numbers.
static real cost_number(const cost_at *at, const tac_cost_term *c, uint32_t i)
{
    const uint32_t of = c->index + i;
    switch (c->kind) {
    case TAC_COST_GIVEN:
        return R(0.0);
    case TAC_COST_FORCE:
    case TAC_COST_SLIP:
        return cost_shape(at, c->kind, of);
    case TAC_COST_EFFORT:
        return cost_effort(at->w, of);
    case TAC_COST_EFFORT_CHANGE:
        return at->before != NULL ? cost_effort(at->w, of) - at->before[of] : R(0.0);
    default:
        return cost_joint(at, c->kind, of);
    }
}

// The same from its target, that of an angle without limits the shorter way round.
static real cost_from(const cost_at *at, const tac_cost_term *c, uint32_t i, real goal)
{
    const real x = cost_number(at, c, i);
    return c->kind == TAC_COST_JOINT ? joint_deviation(&JOINT_OF(at->m)[c->index + i], x, goal) : x - goal;
}

// -------------------------------------------------------------------------------------------------------------- norms

// sqrt(x + p^2) - p, x >= 0: as a quotient no digits are lost and nothing is below 0.
static real cost_beyond(real x, real p)
{
    return x / (real_sqrt(x + p * p) + p);
}

// Adds a number of a residual to the sum that the norm is made of.
static void cost_gather(cost_at *at, const tac_cost_term *c, real r, real *sum)
{
    if (at->residual != NULL) { *at->residual++ = r; }
    *sum += c->norm == TAC_NORM_SMOOTH ? cost_beyond(r * r, c->radius) : r * r;
}

static real cost_norm(const tac_cost_term *c, real sum)
{
    if (c->norm == TAC_NORM_QUADRATIC) { return R(0.5) * sum; }
    return c->norm == TAC_NORM_L2 ? cost_beyond(sum, c->radius) : sum;
}

// n(r - target) of a term.
static real cost_term(cost_at *at, const tac_cost_term *c, real time)
{
    table_place place = {0, R(0.0)};
    real sum = R(0.0);
    if (c->target != NULL) { place = table_find(c->target, time); }
    const tac_table *target = c->kind == TAC_COST_ORIENTATION ? NULL : c->target;
    if (cost_is_vector(c->kind)) {
        const vec3 v = cost_of_all(c->kind) ? cost_all(at, c->kind) : cost_frame(at, c, &place);
        const real r[3] = {v.x, v.y, v.z};
        for (uint32_t i = 0; i < 3; i++) {
            if (c->without >> i & 1) { continue; }
            cost_gather(at, c, target != NULL ? r[i] - table_number(target, &place, i) : r[i], &sum);
        }
    } else {
        for (uint32_t i = 0; i < c->count; i++) {
            const real goal = target != NULL ? table_number(target, &place, i) : R(0.0);
            cost_gather(at, c, cost_from(at, c, i, goal), &sum);
        }
    }
    return cost_norm(c, sum);
}

// What n(r) of a term counts in a step that ends at `time` of the tables; `last`: it is the last one.
static real cost_weight(const tac_model *m, const tac_cost_term *c, real time, int last)
{
    real weight = c->weight * m->h;
    if (c->schedule != NULL) {
        const table_place place = table_find(c->schedule, time);
        weight *= real_max(table_number(c->schedule, &place, 0), R(0.0));
    }
    return last ? weight + c->terminal : weight;
}

// What a step adds, that ends at `time` of the tables; `last`: it is the last one. What overflows is the largest
// number.
static real cost_step(cost_at *at, const tac_cost *cost, real time, int last)
{
    real total = R(0.0);
    at->weighed = 0;
    for (const tac_cost_term *c = cost->term; c < cost->term + cost->terms; c++) {
        const real weight = cost_weight(at->m, c, time, last);
        if (weight > R(0.0)) { total += weight * cost_term(at, c, time); }
    }
    return total <= REAL_LARGEST ? total : REAL_LARGEST;
}

#endif

#endif
