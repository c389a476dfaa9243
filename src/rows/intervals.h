// SPDX-License-Identifier: MIT
// intervals.h - the laws of efforts as impulses of a joint: intervals along its coordinate, rows of bushings.
//   given   link[]: scale, weights and rounding of a joint; the laws
//   makes   link[]: intervals; the constraint of a coordinate that is held; compliances of a bushing
//   bound   constant per joint
//   never   lets two unbounded efforts act against each other on one coordinate: hard limits stop prescribed motion
#ifndef ROWS_INTERVALS_H
#define ROWS_INTERVALS_H

#include "effort.h"
#include "joint_rows.h"

#define JOINT_LOOSE_SLACK R(2.0) // of rounding: smaller errors are left

// The mass that an impulse along a row moves, in the unit of its coordinate.
static inline real joint_mass(const tac_joint_block *k, int row, real scale)
{
    return scale * scale / k->w[row];
}

// The interval of a source, with the bounds of its law over h.
static tac_interval *joint_interval(tac_joint_block *k, int which, const effort_law *e, real h)
{
    tac_interval *x = k->interval + which;
    x->bias = x->weight = x->centre = R(0.0);
    x->used = k->acts = 1;
    x->lo = e->least > -REAL_LARGEST ? h * e->least / k->scale : -REAL_LARGEST;
    x->hi = e->most < REAL_LARGEST ? h * e->most / k->scale : REAL_LARGEST;
    return x;
}

// A hard law. `rate`: that of the start of the step.
static void joint_keep(tac_joint_block *k, int which, const effort_law *e, real h, real rate)
{
    tac_interval *x = joint_interval(k, which, e, h);
    x->hard = 1;
    x->bias = k->scale * (rate - e->rate);
}

// A soft one, whose impulse is `along`.
static void joint_yield(tac_joint_block *k, int which, const effort_law *e, real h, effort_impulse along)
{
    tac_interval *x = joint_interval(k, which, e, h);
    x->centre = along.now / k->scale;
    x->weight = along.slope / (k->scale * k->scale);
}

// Energy of a spring. In a step whose impulse is constant it does up to four times the work that it has stored: it may
// be moved to its mirror image.
static void joint_store(tac_joint_block *k, real force, real stiffness)
{
    if (force != R(0.0)) { k->stored += R(2.0) * force * force / stiffness; }
}

// Armature, spring and damper. `arc`: the mean rate of the step less that at its end. Without it the damper of a rod
// that swings would pull it outwards.
static void joint_passive(const tac_joint *j, tac_joint_block *k, real h, real q, real rate, real arc, real late)
{
    const effort_law e = effort_passive(j, q, R(0.0));
    const effort_impulse along = effort_over(&e, h, joint_mass(k, JOINT_LAST, k->scale), rate + arc, late);
    joint_yield(k, TAC_EFFORT_PASSIVE, &e, h, along);
    joint_store(k, e.force, e.stiffness);
}

// A constraint holds the coordinate: it leads to `goal` within the step.
static void joint_hold(tac_joint_block *k, real goal)
{
    k->constraints |= 1 << JOINT_LAST;
    k->target = 1;
    k->setpoint = goal;
}

static void joint_prescribe(const tac_joint *j, const effort_law *e, tac_joint_block *k, real h)
{
    joint_hold(k, e->goal);
    k->driven = 1;
    k->bias[JOINT_LAST] -= k->scale * e->rate;
    k->advance = h * k->scale * e->rate;
    if (!(j->friction > R(0.0)) || e->rate == R(0.0)) { return; }
    const effort_law friction = effort_friction(j, e);
    joint_yield(k, TAC_EFFORT_FRICTION, &friction, h, (effort_impulse){h * friction.force, R(0.0)});
}

static void joint_motor(const tac_model *m, const tac_joint *j, const tac_motor *motor, real q, real rate,
                        tac_joint_block *k)
{
    effort_law e = effort_motor(m, j, motor, j->effort, q, R(0.0));
    if (effort_prescribes(&e)) {
        joint_prescribe(j, &e, k, m->h);
        return;
    }
    effort_impulse along = {R(0.0), R(0.0)};
    if (!e.hard) {
        const real mass = joint_mass(k, JOINT_LAST, k->scale);
        along = effort_over(&e, m->h, mass, rate, R(0.0));
        effort_keep_speed(j, m->h, mass, rate, along, &e);
    }
    if (e.hard) {
        joint_keep(k, TAC_EFFORT_MOTOR, &e, m->h, rate);
    } else {
        joint_yield(k, TAC_EFFORT_MOTOR, &e, m->h, along);
    }
}

static effort_law joint_limit_law(const tac_model *m, const tac_joint *j, const tac_joint_block *k, real q)
{
    return effort_limit(m, j, q, R(0.0), JOINT_LOOSE_SLACK * k->rounding / k->scale);
}

static void joint_limit(const tac_model *m, const tac_joint *j, real q, real rate, tac_joint_block *k)
{
    const effort_law e = joint_limit_law(m, j, k, q);
    if (e.hard) {
        joint_keep(k, TAC_EFFORT_LIMIT, &e, m->h, rate);
        k->setpoint = e.goal;
        return;
    }
    const effort_impulse along = effort_over(&e, m->h, joint_mass(k, JOINT_LAST, k->scale), rate, R(0.0));
    joint_yield(k, TAC_EFFORT_LIMIT, &e, m->h, along);
    if (e.force > e.least && e.force < e.most) { joint_store(k, e.force, e.stiffness); }
}

// All efforts along the coordinate but the passive ones; `rate`: of the coordinate, at the start of the step; `motor`
// may be NULL.
static void joint_intervals(const tac_model *m, const tac_joint *j, const tac_motor *motor, real q, real rate,
                            tac_joint_block *k)
{
    if (j->lower == j->upper) {
        joint_hold(k, j->lower);
    } else if (motor != NULL) {
        joint_motor(m, j, motor, q, rate, k);
    }
    if (j->lower < j->upper && (!k->target || j->stop_stiffness > R(0.0))) { joint_limit(m, j, q, rate, k); }
    if (j->friction > R(0.0) && !k->target) {
        const effort_law e = effort_friction(j, NULL);
        joint_keep(k, TAC_EFFORT_FRICTION, &e, m->h, rate);
    }
}

// ------------------------------------------------------------------------------------------------------------ bushing

// Rows of a bushing that have stiffness or damping.
static uint8_t joint_bushing_rows(const tac_joint *j)
{
    uint8_t rows = 0;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const effort_law e = effort_bushing(j, row, R(0.0));
        rows |= (uint8_t)((e.stiffness + e.damping > R(0.0)) << row);
    }
    return rows;
}

// What makes a row of a bushing a coordinate: m, or rad.
static inline real joint_bushing_scale(const tac_joint_block *k, int row)
{
    return row < 3 ? R(1.0) : k->length;
}

// Each row is a constraint with compliance. One whose slope is zero (its spring is resolved by the step) must differ
// from one that does not exist: its slope is rounding of h^2 k.
static void joint_bushing(const tac_joint *j, const joint_place *p, real h, tac_joint_block *k)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!(k->constraints >> row & 1)) { continue; }
        const real scale = joint_bushing_scale(k, row), error = joint_error(j, p, row, k->length);
        const effort_law e = effort_bushing(j, row, error / scale);
        const effort_impulse along = effort_over(&e, h, joint_mass(k, row, scale), R(0.0), R(0.0));
        const real slope = real_max(REAL_EPSILON * h * h * e.stiffness, along.slope);
        k->soft[row] = scale * scale / slope;
        k->bias[row] -= scale * along.now / slope;
        joint_store(k, e.force, e.stiffness);
    }
}

#endif
