// SPDX-License-Identifier: MIT
// effort.h - efforts along the coordinate of a joint, as impulses within bounds; bushings.
//   given   joint, motor, coordinate and its rate at the start of the step
//   makes   link[]: intervals; the constraint of a coordinate that is held
//   bound   constant per joint
//   never   lets two unbounded efforts act against each other on one coordinate
#ifndef ROWS_EFFORT_H
#define ROWS_EFFORT_H

#include "joint_rows.h"

#define JOINT_LOOSE_SLACK R(2.0) // of rounding: smaller errors are left

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

#endif
