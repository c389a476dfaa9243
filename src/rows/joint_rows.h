// SPDX-License-Identifier: MIT
// joint_rows.h - one joint: its directions, what its constraints forbid, the efforts along its coordinate; its six rows
// of the cone program where they are asked for.
//   given   joints, poses and velocities at the start of the step, motors of the input
//   makes   link[]: axes, arms, errors and drift of constraints; intervals; Jacobian and bias; products with the rows
//   bound   constant per joint
//   never   mixes units: rotations are scaled by a length of the bodies, so every row is in m/s, every impulse in N s
#ifndef ROWS_JOINT_ROWS_H
#define ROWS_JOINT_ROWS_H

#include "../base/bytes.h"
#include "../model/joint.h"
#include "../motion/joint_change.h"
#include "../motion/joint_hold.h"

#define JOINT_LOOSE_SLACK R(2.0) // of rounding: smaller errors are left
#define JOINT_A (JOINT_LAST - 1) // of a coupling: the row of its joint a

// What constraints require of velocities: that the mean ones of the step follow the arcs of the joints; that those at
// its end correct the errors of the poses, NST17 (5c), T03 (28); that those at its end violate no constraint, J v = 0.
enum { JOINT_ARC, JOINT_STABILISE, JOINT_STRAIGHT };

// ---------------------------------------------------------------------------------------------------- rows and twists

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
    tac_row sum = {V3_ZERO, {V3_ZERO, V3_ZERO}, V3_ZERO};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const tac_row *r = k->row + row;
        if (g[row] == R(0.0)) { continue; }
        sum.linear = v3_madd(sum.linear, g[row], r->linear);
        sum.angular[0] = v3_madd(sum.angular[0], g[row], r->angular[0]);
        sum.angular[1] = v3_madd(sum.angular[1], g[row], r->angular[1]);
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------------ making a block

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

// A row, from the principal axes of both bodies (world) and the lever arms to the origin of frame b. These arms also
// hold for a, since translations are along axes of a.
static void joint_row(const tac_joint_block *k, const vec3 *const axis[2], joint_direction direction, tac_row *r)
{
    const real rotation2 = v3_dot(direction.rotation, direction.rotation);
    r->linear = direction.linear;
    r->spin = v3_scale(rotation2 > R(0.0) ? R(1.0) / rotation2 : R(0.0), direction.rotation);
    const int slides = v3_norm_inf(direction.linear) > R(0.0);
    for (int side = 0; side < 2; side++) {
        const vec3 lever = slides ? v3_cross(k->arm[side], direction.linear) : V3_ZERO;
        const vec3 rotation = v3_add(lever, direction.rotation);
        r->angular[side] = v3_components(axis[side], side ? rotation : v3_scale(R(-1.0), rotation));
    }
}

// The row of a rotation about z of a, which is fixed in a.
static inline void joint_row_about(const tac_joint_block *k, const vec3 *axis_b, tac_row *r)
{
    r->linear = V3_ZERO;
    r->spin = v3_scale(R(1.0) / k->length, k->axis[2]);
    r->angular[0] = v3_scale(-k->length, k->about[0]);
    r->angular[1] = v3_scale(k->length, v3_components(axis_b, k->axis[2]));
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

// Mean rate of a row over the step besides J v: by the curvature of the arc that it moves on, and by free rotation. A
// constraint has it in its bias, and leaves existing errors to the position correction.
static real joint_arc(const tac_model *m, const tac_joint_block *k, const tac_twist *free, int row, real curvature)
{
    if (k->rule == JOINT_STRAIGHT) { return R(0.0); }
    return R(0.5) * m->h * curvature + joint_rate(k, free, row);
}

// ------------------------------------------------------------------------------------------------ along the coordinate

// An interval with bounds -most and most (efforts).
static tac_interval *joint_interval(tac_joint_block *k, int which, real h, real most)
{
    tac_interval *x = k->interval + which;
    x->bias = x->weight = x->centre = x->z = x->dz = R(0.0);
    x->used = k->acts = 1;
    x->hi = most < REAL_LARGEST ? h * most / k->scale : REAL_LARGEST;
    x->lo = -x->hi;
    return x;
}

// A velocity constraint: u + bias = 0 unless the impulse is at a bound.
static void joint_hard(tac_interval *x, real bias)
{
    x->hard = 1;
    x->bias = bias;
}

// Slope of the impulse of a spring with stiffness k and damping d with respect to the rate at the end of the step: the
// spring uses q at the start, the damper the rate at the end. On a single mass m this conserves energy (symplectic
// Euler) and is stable up to h^2 k/m = 4; with a slope of at least h^2 k/2, unconditionally. So a stiff spring gets as
// much numerical damping as it needs, and one that the step resolves gets none. The margin of an eighth allows for
// other springs on the same mass. From h^2 k/m = 7/4 on, where a period has fewer than five steps, the spring would
// oscillate from step to step: there the slope tends to h^2 k (implicit Euler), and the spring comes to rest.
static real joint_slope_of(real mass, real h, real stiffness, real damping)
{
    const real pull = h * h * stiffness;
    return real_max(h * damping, real_max(R(0.5) * pull - R(0.125) * mass, pull - mass));
}

// The same along the coordinate.
static real joint_slope_along(const tac_joint_block *k, real h, real stiffness, real damping)
{
    return joint_slope_of(k->scale * k->scale / k->w[JOINT_LAST], h, stiffness, damping);
}

// A soft interval: impulse = constant - slope (u - u at the start), in units of the coordinate.
static void joint_soft(const tac_joint_block *k, tac_interval *x, real constant, real slope)
{
    x->centre = constant / k->scale;
    x->weight = slope / (k->scale * k->scale);
}

// Energy of a spring. In a step whose impulse is constant it does up to four times the work that it has stored: it may
// be moved to its mirror image.
static void joint_store(tac_joint_block *k, real stiffness, real way)
{
    k->stored += R(2.0) * stiffness * way * way;
}

static inline int joint_is_passive(const tac_joint *j)
{
    return j->armature + j->damping + j->stiffness > R(0.0);
}

// Armature, spring and damper:  -I (dq + late - dq0) - h k (q - rest) - slope (dq + arc),  dq at the end of the step,
// dq + arc the mean rate in it. Without the arc the damper of a rod that swings would pull it outwards. `late`: the
// part of the rate at the start of the next step that this one does not count, which a rotor on a turning slide would
// gain.
static void joint_passive(const tac_joint *j, tac_joint_block *k, real h, real q, real rate, real arc, real late)
{
    const real slope = joint_slope_along(k, h, j->stiffness, j->damping);
    tac_interval *x = joint_interval(k, TAC_EFFORT_PASSIVE, h, REAL_LARGEST);
    joint_soft(k, x, -(h * j->stiffness * (q - j->rest) + slope * (rate + arc) + j->armature * late),
               j->armature + slope);
    joint_store(k, j->stiffness, q - j->rest);
}

// The speed limit, if the motor would reach it within this step; else 0. The motor's effect on free bodies must bring
// the rate to at least half of the limit before the test is made.
static real joint_speed_limit(const tac_joint *j, const tac_joint_block *k, real now, real slope, real rate)
{
    const real speed = now < R(0.0) ? -j->speed : j->speed;
    const real alone = rate + now * k->w[JOINT_LAST] / (k->scale * k->scale), part = alone / speed;
    if (!(j->speed < REAL_LARGEST) || part < R(0.5)) { return R(0.0); }
    return (now - slope * (speed - rate)) / speed > R(0.0) ? speed : R(0.0);
}

// An effort with a speed limit: `now` is its impulse at the current rate, `slope` its derivative.
static void joint_drive(const tac_joint *j, tac_joint_block *k, tac_interval *x, real now, real slope, real rate)
{
    const real speed = joint_speed_limit(j, k, now, slope, rate), most = x->hi;
    if (speed == R(0.0)) {
        joint_soft(k, x, now, slope);
        return;
    }
    x->lo = real_clamp(now / k->scale, -most, R(0.0));
    x->hi = real_clamp(now / k->scale, R(0.0), most);
    joint_hard(x, k->scale * (rate - speed));
}

// Rates at the end of the step that hard limits allow. As with contacts the gap may close within the step; a violated
// limit is corrected at options.recovery at most.
typedef struct joint_rate_range {
    real least, most;
} joint_rate_range;

static joint_rate_range joint_rate_range_of(const tac_model *m, const tac_joint *j, real q)
{
    const real least = real_max((q - j->lower) / m->h, -m->options.recovery),
               most = real_max((j->upper - q) / m->h, -m->options.recovery);
    const int hard = j->lower < j->upper && !(j->stop_stiffness > R(0.0));
    return hard ? (joint_rate_range){-least, most} : (joint_rate_range){-REAL_LARGEST, REAL_LARGEST};
}

// Is this prescribed motion: a velocity or position motor with unlimited effort?
static int joint_prescribes(const tac_motor *a, const tac_joint *j)
{
    return a != NULL && (a->kind == TAC_MOTOR_POSITION || a->kind == TAC_MOTOR_VELOCITY) && !(j->effort < REAL_LARGEST);
}

// Its target rate.
static real joint_target_rate(const tac_motor *a, const tac_joint *j, real h, real q)
{
    const real asked = a->kind == TAC_MOTOR_VELOCITY ? a->velocity : -joint_deviation(j, q, a->position) / h;
    return real_clamp(asked, -j->speed, j->speed);
}

// Dry friction under prescribed motion: the full value against the rate, none at rest.
static void joint_prescribed_friction(const tac_joint *j, tac_joint_block *k, real h, real rate)
{
    const real friction = rate > R(0.0) ? -j->friction : j->friction;
    if (!(j->friction > R(0.0)) || rate == R(0.0)) { return; }
    joint_soft(k, joint_interval(k, TAC_EFFORT_FRICTION, h, REAL_LARGEST), h * friction, R(0.0));
}

// The same as far as limits allow.
static inline real joint_prescribed_rate(const tac_model *m, const tac_motor *a, const tac_joint *j, real q)
{
    const real wanted = joint_target_rate(a, j, m->h, q);
    const joint_rate_range range = joint_rate_range_of(m, j, q);
    return real_max(range.least, wanted < range.most ? wanted : range.most);
}

// Prescribed motion is a constraint, as far as limits allow.
static void joint_prescribe(const tac_model *m, const tac_motor *a, const tac_joint *j, tac_joint_block *k, real q)
{
    const real rate = joint_prescribed_rate(m, a, j, q);
    k->constraints |= 1 << JOINT_LAST;
    k->bias[JOINT_LAST] -= k->scale * rate;
    k->target = k->driven = 1;
    k->advance = m->h * k->scale * rate;
    joint_prescribed_friction(j, k, m->h, rate);
    k->setpoint = a->kind == TAC_MOTOR_POSITION && rate == -joint_deviation(j, q, a->position) / m->h ? a->position
                                                                                                      : q + m->h * rate;
}

static void joint_motor(const tac_motor *a, const tac_joint *j, tac_joint_block *k, real h, real q, real rate)
{
    tac_interval *x = joint_interval(k, TAC_EFFORT_MOTOR, h, j->effort);
    if (a->kind == TAC_MOTOR_VELOCITY || a->kind == TAC_MOTOR_POSITION) {
        joint_hard(x, k->scale * (rate - joint_target_rate(a, j, h, q)));
        return;
    }
    const int pd = a->kind == TAC_MOTOR_PD;
    const real slope = pd ? joint_slope_along(k, h, a->stiffness, a->damping) : R(0.0);
    const real spring = pd ? -a->stiffness * joint_deviation(j, q, a->position) : R(0.0);
    joint_drive(j, k, x, h * (spring + a->effort) + slope * (a->velocity - rate), slope, rate);
}

// An elastic stop: its damper acts once it is touched, and it never pulls.
static void joint_stop(const tac_joint *j, tac_joint_block *k, tac_interval *x, real h, real beyond, real rate)
{
    const int touched = x->lo == R(0.0) ? beyond < R(0.0) : beyond > R(0.0);
    const real slope = joint_slope_along(k, h, j->stop_stiffness, touched ? j->stop_damping : R(0.0));
    joint_soft(k, x, -(h * j->stop_stiffness * beyond + slope * rate), slope);
    if (touched) { joint_store(k, j->stop_stiffness, beyond); }
}

// The nearer one of the two limits. The goal of an active limit is the coordinate at the end of the step: on the limit
// or, if the limit is violated, as far back as options.recovery allows. Correcting all of it at once would be a
// velocity. A coordinate within rounding of the limit counts as on it: divided by h, the rounding of four knees that
// rest on their limits and on the floor would be rates that no motion of the robot has (contact_rows.h).
static void joint_limit(const tac_model *m, const tac_joint *j, tac_joint_block *k, real q, real rate)
{
    const int low = q - j->lower <= j->upper - q;
    const real limit = low ? j->lower : j->upper, beyond = q - limit;
    tac_interval *x = joint_interval(k, TAC_EFFORT_LIMIT, m->h, REAL_LARGEST);
    *(low ? &x->lo : &x->hi) = R(0.0);
    if (j->stop_stiffness > R(0.0)) {
        joint_stop(j, k, x, m->h, beyond, rate);
        return;
    }
    const real at = k->scale * real_abs(beyond) <= JOINT_LOOSE_SLACK * k->rounding ? limit : q;
    const joint_rate_range range = joint_rate_range_of(m, j, at);
    joint_hard(x, k->scale * (rate - (low ? range.least : range.most)));
    const real back = m->h * m->options.recovery;
    k->setpoint = low ? (at < limit ? real_min(at + back, limit) : limit)
                      : (at > limit ? real_max(at - back, limit) : limit);
}

// All efforts along the coordinate but the passive ones; `rate`: of the coordinate, at the start of the step; `motor`
// may be NULL.
static void joint_intervals(const tac_model *m, const tac_joint *j, const tac_motor *motor, real q, real rate,
                            tac_joint_block *k)
{
    if (j->lower == j->upper) {
        k->constraints |= 1 << JOINT_LAST;
        k->target = 1;
        k->setpoint = j->lower;
    } else if (joint_prescribes(motor, j)) {
        joint_prescribe(m, motor, j, k, q);
    } else if (motor != NULL) {
        joint_motor(motor, j, k, m->h, q, rate);
    }
    if (j->lower < j->upper && (!k->target || j->stop_stiffness > R(0.0))) { joint_limit(m, j, k, q, rate); }
    if (j->friction > R(0.0) && !k->target) {
        joint_hard(joint_interval(k, TAC_EFFORT_FRICTION, m->h, j->friction), k->scale * rate);
    }
}

// ------------------------------------------------------------------------------------------------------------ bushing

// Rows of a bushing that have stiffness or damping.
static uint8_t joint_bushing_rows(const tac_joint *j)
{
    const vec3 along = v3_add(j->along, j->along_damping), about = v3_add(j->about, j->about_damping);
    const real sum[TAC_JOINT_ROWS] = {along.x, along.y, along.z, about.x, about.y, about.z};
    uint8_t rows = 0;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { rows |= (uint8_t)((sum[row] > R(0.0)) << row); }
    return rows;
}

// Each row is a spring and a damper, as along a coordinate: a constraint with compliance. A row whose slope is zero
// (its spring is resolved by the step) must differ from one that does not exist: its slope is rounding of h^2 k.
static void joint_bushing(const tac_joint *j, const joint_place *p, real h, tac_joint_block *k)
{
    const vec3 stiffness[2] = {j->along, j->about}, damping[2] = {j->along_damping, j->about_damping};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const vec3 axis = V3_AXIS[row % 3];
        const real stiff = v3_dot(stiffness[row / 3], axis), damp = v3_dot(damping[row / 3], axis);
        if (!(k->constraints >> row & 1)) { continue; }
        const real scale = row < 3 ? R(1.0) : k->length, least = REAL_EPSILON * h * h * stiff;
        const real slope = real_max(least, joint_slope_of(scale * scale / k->w[row], h, stiff, damp));
        k->soft[row] = scale * scale / slope;
        const real error = joint_error(j, p, row, k->length);
        k->bias[row] += h * stiff * error / slope;
        joint_store(k, stiff, error / scale);
    }
}

// --------------------------------------------------------------------------------------------------- parts of a joint

// Error of row `row`, m: of a constraint, or of the coordinate against its goal.
static real joint_violation(const tac_joint *j, const tac_joint_block *k, const joint_place *p, int row)
{
    return row == JOINT_LAST && k->coordinate ? k->scale * joint_deviation(j, joint_coordinate(j, p), k->setpoint)
                                              : joint_error(j, p, row, k->length);
}

// Directions of the rows with the bodies of the joint at these poses.
static inline void joint_directions(const tac_joint *j, const joint_place *p, tac_joint_block *k)
{
    k->axis[0] = p->axis[0], k->axis[1] = p->axis[1], k->axis[2] = p->axis[2];
    if (j->kind == TAC_UNIVERSAL) {
        k->across = quat_rotate(p->frame[1], V3_AXIS[1]);
    } else if (joint_is_rod(j->kind)) {
        k->across = p->direction;
    }
    k->arm[0] = p->arm[0], k->arm[1] = p->arm[1];
}

// Such a row, and its weight.
static inline void joint_make_row_about(const vec3 *axis_b, const tac_moving *moving, tac_joint_block *k, int row)
{
    tac_row *r = k->row + row;
    joint_row_about(k, axis_b, r);
    k->w[row] = joint_weight_about(r, r, &moving[k->body[0]], &moving[k->body[1]]);
}

static inline void joint_make_row(const vec3 *const axis[2], const tac_moving *moving, tac_joint_block *k, int row)
{
    const int what = JOINT_ROW[k->kind][row];
    tac_row *r = k->row + row;
    if (what == JOINT_ABOUT + 2) {
        joint_make_row_about(axis[1], moving, k, row);
        return;
    }
    joint_row(k, axis, joint_row_direction(k, what), r);
    if (joint_has_row(k, row)) { k->w[row] = joint_weight(r, r, &moving[k->body[0]], &moving[k->body[1]]); }
}

#if TAC_MAX_JOINTS > 0

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

// Rounding of an error, from that of the poses.
static real joint_rounding(const tac_pose *a, const tac_pose *b, const tac_joint_block *k)
{
    return REAL_EPSILON * (v3_norm_inf(a->p) + v3_norm_inf(b->p) + k->length);
}

static inline real joint_rounding_at(const tac_tree_body *a, const tac_tree_body *b, const tac_joint_block *k)
{
    return REAL_EPSILON * (a->far + b->far + k->length);
}

// Are constraints violated? Prescribed motion does not count, since its target changes in each step.
static int joint_is_violated(const tac_joint *j, const joint_place *p, const tac_joint_block *k)
{
    const real slack = JOINT_VIOLATION_SLACK * k->rounding;
    const int held = k->coordinate && j->lower == j->upper;
    return k->error > slack || (held && real_abs(joint_coordinate(j, p) - j->lower) > slack / k->scale);
}

// Bound on the speed of a point of a body about as far away from its centre of mass as the joint is long.
static inline real joint_speed(const tac_joint_block *k, const tac_tree_body *b)
{
    return b->speed[0] + k->length * b->speed[1];
}

// Where velocities are to correct errors, the papers' (1/h) g + J v + dg/dt = 0 instead, NST17 (5c). The target of
// prescribed motion is in its bias already.
static real joint_stabilise(const tac_model *m, const tac_joint_block *k, int row, real error)
{
    return row == JOINT_LAST && k->driven ? R(0.0) : error / m->h;
}

static inline void joint_clear_interval(tac_interval *x)
{
    x->weight = R(0.0);
    x->used = x->hard = x->inside = 0;
}

static void joint_clear(tac_joint_block *k)
{
    reals_clear(k->arc, offsetof(tac_joint_block, interval) - offsetof(tac_joint_block, arc));
    joint_clear_interval(&k->interval[0]);
    joint_clear_interval(&k->interval[1]);
    joint_clear_interval(&k->interval[2]);
    joint_clear_interval(&k->interval[3]);
    k->constraints = k->always;
    k->acts = k->target = k->driven = 0;
    k->error = R(0.0);
}

// Properties of a joint that the model alone decides, besides what scales its rotations: its frames in the principal
// frames of its bodies, what solvers need.
static void joint_connect(const tac_model *m, const tac_joint *j, tac_joint_block *k)
{
    joint_locals(m, j, k->frame);
    k->about[0] = quat_axis_z(k->frame[0].q);
    k->about[1] = quat_axis_z(k->frame[1].q);
    k->body[0] = j->body_a;
    k->body[1] = j->body_b;
    k->ends = 2;
    k->kind = j->kind;
    k->eliminates = (uint8_t)joint_eliminates(j->kind);
    k->connects = j->kind != TAC_BUSHING;
    k->lead = j->kind == TAC_SCREW ? j->length : R(0.0);
    k->coordinate = (uint8_t)joint_has_coordinate(j->kind);
    k->always = (uint8_t)((1 << JOINT_CONSTRAINTS[j->kind]) - 1);
    if (j->kind == TAC_BUSHING) { k->always = joint_bushing_rows(j); }
}

static inline void joint_fix(const tac_model *m, const tac_joint *j, const tac_moving *moving, tac_joint_block *k)
{
    joint_connect(m, j, k);
    reals_clear(k->w, sizeof k->w); // of rows that are not made
    reals_clear(k->bias, sizeof k->bias);
    k->length = joint_length(&moving[j->body_a], &moving[j->body_b]);
    k->scale = joint_rotates(j->kind) ? k->length : R(1.0);
}

// -------------------------------------------------------------------------------------- constraints of a tree's joint
// A joint that may be part of a tree (joint_eliminates) keeps what its constraints ask for as one motion of b relative
// to a: rotation, and translation at the origin of frame b, world frame. The elimination needs no rows.

// Of a universal joint: the rotation about the normal n of its cross, about which it may not turn, whose product with n
// is `along`.
static vec3 joint_cross_normal(const tac_joint_block *k, real along)
{
    const vec3 n = v3_cross(k->across, k->axis[0]);
    const real n2 = v3_dot(n, n);
    return v3_scale(n2 > R(0.0) ? along / n2 : R(0.0), n);
}

// Of such a motion the part that the constraints forbid. The rest is along the free motions; FIXED has none.
static inline vec3 joint_forbid_turn(const tac_joint_block *k, vec3 turn)
{
    const vec3 z = k->axis[2];
    switch (k->kind) {
    case TAC_REVOLUTE:
    case TAC_SCREW:
    case TAC_CYLINDRICAL:
    case TAC_PLANAR:
        return v3_madd(turn, -v3_dot(z, turn), z);
    case TAC_SPHERICAL:
        return V3_ZERO;
    case TAC_UNIVERSAL: // x of a and y of b stay perpendicular
        return joint_cross_normal(k, v3_dot(v3_cross(k->across, k->axis[0]), turn));
    default:
        return turn;
    }
}

static inline vec3 joint_forbid_slide(const tac_joint_block *k, vec3 turn, vec3 slide)
{
    const vec3 z = k->axis[2];
    switch (k->kind) {
    case TAC_PRISMATIC:
    case TAC_CYLINDRICAL:
        return v3_madd(slide, -v3_dot(z, slide), z);
    case TAC_SCREW:
        return v3_madd(slide, -k->lead * v3_dot(z, turn), z);
    case TAC_PLANAR:
        return v3_scale(v3_dot(z, slide), z);
    default:
        return slide;
    }
}

// Errors of the constraints at the start of the step, as such a motion: its rotation, its translation.
static vec3 joint_turned(const joint_place *p, const tac_joint_block *k)
{
    const quat r = p->rotation;
    switch (k->kind) {
    case TAC_FIXED:
    case TAC_PRISMATIC:
        return v3_scale(R(2.0), v3_combine(k->axis, v3(r.x, r.y, r.z)));
    case TAC_UNIVERSAL:
        return joint_cross_normal(k, v3_dot(k->axis[0], k->across));
    case TAC_SPHERICAL:
        return V3_ZERO;
    default: // the cross product of both z axes
        return v3_madd(v3_scale(R(2.0) * (r.w * r.x - r.y * r.z), k->axis[0]), R(2.0) * (r.x * r.z + r.w * r.y),
                       k->axis[1]);
    }
}

static inline vec3 joint_slid(const tac_joint *j, const joint_place *p, const tac_joint_block *k)
{
    const vec3 slide = joint_forbid_slide(k, V3_ZERO, p->d);
    if (k->kind != TAC_SCREW) { return slide; }
    return v3_madd(slide, joint_error(j, p, 4, k->length) - v3_dot(k->axis[2], slide), k->axis[2]);
}

// Second derivative of the rotation while both bodies keep their velocities, its part along the free motions
// included; that of the translation is in joint_motion. Where z is a common axis, z of b leaves that of a at the rate
// of the joint times the rate with which z itself rotates.
static inline vec3 joint_turn_curvature(const joint_motion *q, const tac_joint_block *k)
{
    const vec3 z = k->axis[2];
    switch (k->kind) {
    case TAC_FIXED:
    case TAC_PRISMATIC:
    case TAC_SPHERICAL:
        return V3_ZERO;
    case TAC_UNIVERSAL:
        return joint_cross_normal(k, joint_curvature_product(q, k->axis[0], k->across));
    default:
        return v3_scale(v3_dot(z, v3_sub(q->w[1], q->w[0])), v3_cross(z, q->w[0]));
    }
}

// `off` and `drift`. Drift is what the constraints forbid of the motion at the start of the step, plus half a step of
// curvature, or where it stabilises the errors over h: J v + b of joint_arc() or joint_stabilise(), as a motion.
static inline void joint_drift(const tac_model *m, const tac_joint *j, const joint_place *p, const joint_motion *q,
                               tac_joint_block *k)
{
    vec3 turn = joint_turned(p, k), slide = joint_slid(j, p, k);
    k->off[0] = turn, k->off[1] = slide;
    k->error = real_max(v3_norm_inf(slide), k->length * v3_norm_inf(turn));
    const int stabilises = k->rule == JOINT_STABILISE;
    if (!stabilises) { turn = joint_turn_curvature(q, k), slide = q->curvature; }
    const real part = stabilises ? R(1.0) / m->h : k->rule == JOINT_ARC ? R(0.5) * m->h : R(0.0);
    turn = v3_madd(v3_sub(q->w[1], q->w[0]), part, turn);
    slide = v3_madd(q->rate, part, slide);
    k->drift[0] = joint_forbid_turn(k, turn);
    k->drift[1] = joint_forbid_slide(k, turn, slide);
}

#if TAC_MAX_JOINTS > 0

// Rows of its constraints, where something asks for them: joints_make_rows(). Their bias is the drift along them.
static void joint_make_rows(const vec3 *const axis[2], const tac_moving *moving, tac_joint_block *k)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (row == JOINT_LAST && k->coordinate) { continue; }
        const joint_direction d = joint_row_direction(k, JOINT_ROW[k->kind][row]);
        joint_make_row(axis, moving, k, row);
        if (k->constraints >> row & 1) {
            k->bias[row] = v3_dot(d.linear, k->drift[1]) + v3_dot(d.rotation, k->drift[0]);
        }
    }
}

#endif

// ---------------------------------------------------------------------------------------------------------- one joint

// What joints see of all bodies. The last is what poses change by besides the velocity at the end of the step.
typedef struct joint_bodies {
    const tac_pose *pose;
    const tac_twist *twist;
    const tac_tree_body *tree;
    const tac_moving *moving;
    const tac_twist *free;
} joint_bodies;

// Does any effort depend on the position? It costs an arc tangent.
static int joint_asks_position(const tac_joint *j, const tac_motor *motor)
{
    const int held = motor != NULL && (motor->kind == TAC_MOTOR_PD || motor->kind == TAC_MOTOR_POSITION);
    return held || joint_prescribes(motor, j) || j->lower <= j->upper || j->stiffness > R(0.0);
}

// The rate of the coordinate's row.
static inline real joint_along(const tac_joint_block *k, const tac_twist *t)
{
    const tac_row *r = &k->row[JOINT_LAST];
    const tac_twist *a = &t[k->body[0]], *b = &t[k->body[1]];
    return joint_rotates(k->kind) ? v3_dot(r->angular[1], b->w) + v3_dot(r->angular[0], a->w) : joint_row_rate(r, a, b);
}

// Half of what the curvature of this row makes of its rate in a step. It leaves an angle without curvature.
static inline real joint_bend_along(const tac_model *m, const tac_joint *j, const joint_place *p, const joint_motion *q,
                                    const tac_joint_block *k)
{
    return joint_rotates(k->kind) ? R(0.0) : R(0.5) * m->h * joint_curvature(j, p, q, JOINT_LAST, k->length);
}

// The row of its coordinate, and the efforts that act there.
static void joint_make_coordinate(const tac_model *m, const joint_bodies *x, const tac_motor *motor, const tac_joint *j,
                                  const joint_place *p, const joint_motion *q, tac_joint_block *k)
{
    const tac_tree_body *a = &x->tree[j->body_a], *b = x->tree + j->body_b;
    if (joint_rotates(k->kind)) {
        joint_make_row_about(b->axis, x->moving, k, JOINT_LAST);
    } else {
        const vec3 *const axis[2] = {a->axis, b->axis};
        joint_make_row(axis, x->moving, k, JOINT_LAST);
    }
    k->bias[JOINT_LAST] = joint_along(k, x->twist);
    const real at = joint_asks_position(j, motor) ? joint_coordinate(j, p) : R(0.0);
    const real rate = k->bias[JOINT_LAST] / k->scale;
    joint_intervals(m, j, motor, at, rate, k);
    if (!joint_is_passive(j) && !joint_holds(k, JOINT_LAST)) { return; }

    const real bend = joint_bend_along(m, j, p, q, k), arc = bend + joint_along(k, x->free);
    // a motion that follows the arc sees its mean, a step along the tangent nothing of it
    const real late = (k->rule == JOINT_STABILISE ? R(2.0) : R(1.0)) * bend;
    if (joint_is_passive(j)) { joint_passive(j, k, m->h, at, rate, arc / k->scale, late / k->scale); }
    if (!joint_holds(k, JOINT_LAST)) { return; }
    if (k->rule == JOINT_ARC) { k->bias[JOINT_LAST] += arc; }
    if (k->rule != JOINT_STABILISE) { return; }
    k->bias[JOINT_LAST] += joint_stabilise(m, k, JOINT_LAST, joint_violation(j, k, p, JOINT_LAST));
}

// Rows and bias of the constraints of a joint that no tree has: a rod or a bushing.
static void joint_make_others(const tac_model *m, const joint_bodies *x, const tac_joint *j, const joint_place *p,
                              const joint_motion *q, tac_joint_block *k)
{
    const vec3 *const axis[2] = {x->tree[j->body_a].axis, x->tree[j->body_b].axis};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (row == JOINT_LAST && k->coordinate) { continue; }
        joint_make_row(axis, x->moving, k, row);
        k->bias[row] = joint_rate(k, x->twist, row);
        if (!joint_holds(k, row)) { continue; }
        k->error = real_max(k->error, real_abs(joint_error(j, p, row, k->length)));
        k->bias[row] += k->rule == JOINT_STABILISE
                            ? joint_stabilise(m, k, row, joint_violation(j, k, p, row))
                            : joint_arc(m, k, x->free, row, joint_curvature(j, p, q, row, k->length));
    }
    if (j->kind == TAC_BUSHING) { joint_bushing(j, p, m->h, k); }
}

static void joint_make(const tac_model *m, const joint_bodies *x, const tac_motor *motor, const tac_joint *j,
                       tac_joint_block *k)
{
    const tac_tree_body *a = &x->tree[j->body_a], *b = x->tree + j->body_b;
    const tac_pose *pose[2] = {&x->pose[j->body_a], &x->pose[j->body_b]};
    const tac_twist *twist[2] = {&x->twist[j->body_a], &x->twist[j->body_b]};
    joint_place p;
    joint_motion q = {{a->spin, b->spin}, V3_ZERO, V3_ZERO};
    joint_clear(k);
    joint_find_turn(k->frame, pose[0]->q, pose[1]->q, &p);
    joint_find_origin(j->kind, pose[0]->p, pose[1]->p, v3_combine(a->axis, k->frame[0].p),
                      v3_combine(b->axis, k->frame[1].p), &p);
    joint_directions(j, &p, k);
    joint_move_about(&p, twist, &q);
    if (k->eliminates) {
        joint_drift(m, j, &p, &q, k);
    } else {
        joint_make_others(m, x, j, &p, &q, k);
    }
    k->speed = joint_speed(k, a) + joint_speed(k, b);
    k->rounding = joint_rounding_at(a, b, k);
    if (k->coordinate) { joint_make_coordinate(m, x, motor, j, &p, &q, k); }
    k->violated = (uint8_t)joint_is_violated(j, &p, k);
    k->loose = k->error > JOINT_LOOSE_SLACK * k->rounding;
}

#endif
