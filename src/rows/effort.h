// SPDX-License-Identifier: MIT
// effort.h - the law of each effort along a coordinate: spring, damper and rotor; motor; dry friction; limit. Bushings.
//   given   a joint, the command of its motor, the position and the rate of the coordinate, h
//   makes   effort_law: force and its slopes, bounds, or the rate that it keeps; its impulse over h, its value now
//   bound   constant
//   never   knows who asks: a step of length h, an instant (h -> 0), a smooth integrator, a derivative
#ifndef ROWS_EFFORT_H
#define ROWS_EFFORT_H

#include "../model/joint.h"
#include "../tree/place.h"

// The effort E along a coordinate q, N or N m, is one of two, P the projection onto least .. most:
//      soft    E = P(force - damping (q' - rate) - inertia q'')
//      hard    E keeps q' = rate with what lies between the bounds: E = most below that rate, E = least above it
// `force` and `rate` are those at q. Where q grows they fall by stiffness and by follow.
typedef struct effort_law {
    real force, stiffness, damping, inertia;
    real rate;   // q/s  hard: the rate that it keeps; soft: of the other end of the damper
    real follow; // 1/s
    real goal;   // q    hard: where that rate leads to in a step
    real least, most;
    int hard;
} effort_law;

static effort_law effort_soft(real force, real stiffness, real damping)
{
    return (effort_law){force, stiffness, damping, R(0.0), R(0.0), R(0.0), R(0.0), -REAL_LARGEST, REAL_LARGEST, 0};
}

static effort_law effort_hard(real rate, real least, real most)
{
    return (effort_law){R(0.0), R(0.0), R(0.0), R(0.0), rate, R(0.0), R(0.0), least, most, 1};
}

// Does it hold the coordinate, whatever that takes?
static inline int effort_prescribes(const effort_law *e)
{
    return e->hard && !(e->most < REAL_LARGEST) && !(e->least > -REAL_LARGEST);
}

// ---------------------------------------------------------------------------------------------------------- in a step

// Slope of the impulse of a spring with stiffness k and damping d with respect to the rate at the end of the step: the
// spring uses q at the start, the damper the rate at the end. On a single mass m this conserves energy (symplectic
// Euler) and is stable up to h^2 k/m = 4; with a slope of at least h^2 k/2, unconditionally. So a stiff spring gets as
// much numerical damping as it needs, and one that the step resolves gets none. The margin of an eighth allows for
// other springs on the same mass. From h^2 k/m = 7/4 on, where a period has fewer than five steps, the spring would
// oscillate from step to step: there the slope tends to h^2 k (implicit Euler), and the spring comes to rest.
static real effort_slope(real mass, real h, real stiffness, real damping)
{
    const real pull = h * h * stiffness;
    return real_max(h * damping, real_max(R(0.5) * pull - R(0.125) * mass, pull - mass));
}

// The impulse of a soft law over h, before bounds: at an unchanged rate, and what it loses with the rate at the end.
// `mass`: that an impulse along the coordinate moves; `late`: the part of the rate at the start of the next step that
// this one does not count, which a rotor on a turning slide would gain. An instant has h = 1, so that impulses are
// forces, and a mass without bound, so that nothing is damped but by dampers.
typedef struct effort_impulse {
    real now, slope;
} effort_impulse;

#define EFFORT_INSTANT R(1.0)
#define EFFORT_ENDLESS REAL_LARGEST

static effort_impulse effort_over(const effort_law *e, real h, real mass, real rate, real late)
{
    const real slope = effort_slope(mass, h, e->stiffness, e->damping);
    return (effort_impulse){h * e->force - slope * (rate - e->rate) - e->inertia * late, slope + e->inertia};
}

// ---------------------------------------------------------------------------------------------------------------- now

// The effort at a rate; `rotor`: what inertia takes. Below the rate that a hard law keeps it is one bound, above it the
// other.
static inline real effort_value(const effort_law *e, real rate, real rotor)
{
    if (e->hard) { return rate < e->rate ? e->most : e->least; }
    return real_clamp(-(e->damping * (rate - e->rate) + rotor - e->force), e->least, e->most);
}

// ------------------------------------------------------------------------------------------------------------ the laws

static inline int effort_is_passive(const tac_joint *j)
{
    return j->armature + j->damping + j->stiffness > R(0.0);
}

// Armature, spring and damper. The coordinate is q + change: what is near q is subtracted from it before the change is
// added, so that the force of a stiff spring keeps its digits.
static effort_law effort_passive(const tac_joint *j, real q, real change)
{
    effort_law e = effort_soft(-j->stiffness * ((q - j->rest) + change), j->stiffness, j->damping);
    e.inertia = j->armature;
    return e;
}

// The rate that leads to a hard limit in a step: as with contacts the gap may close. A violated limit is corrected at
// options.recovery at most, since all of it at once would be a velocity.
static effort_law effort_to_limit(const tac_model *m, const tac_joint *j, real q, int low)
{
    const real limit = low ? j->lower : j->upper, gap = low ? q - limit : limit - q;
    const real rate = gap / m->h, most = m->options.recovery, toward = real_max(rate, -most);
    effort_law e = effort_hard(low ? -toward : toward, low ? R(0.0) : -REAL_LARGEST, low ? REAL_LARGEST : R(0.0));
    e.goal = rate < -most ? q + m->h * e.rate : limit;
    e.follow = rate < -most ? R(0.0) : R(1.0) / m->h;
    return e;
}

static int effort_has_hard_limits(const tac_joint *j)
{
    return j->lower < j->upper && !(j->stop_stiffness > R(0.0));
}

// Prescribed motion goes on as far as hard limits allow.
static void effort_keep_within(const tac_model *m, const tac_joint *j, real q, effort_law *e)
{
    const effort_law low = effort_to_limit(m, j, q, 1), high = effort_to_limit(m, j, q, 0);
    const effort_law *at = e->rate < low.rate ? &low : &high;
    if (!effort_has_hard_limits(j) || (e->rate >= low.rate && e->rate < high.rate)) { return; }
    e->rate = at->rate, e->follow = at->follow, e->goal = at->goal;
}

// A motor, its effort within +-most. One that asks for a velocity or a position keeps that rate, at most at
// joint.speed.
static effort_law effort_motor(const tac_model *m, const tac_joint *j, const tac_motor *a, real most, real q,
                               real change)
{
    const int place = a->kind == TAC_MOTOR_POSITION, pd = a->kind == TAC_MOTOR_PD;
    const real off = place || pd ? joint_deviation(j, q, a->position) + change : R(0.0);
    const real stiffness = pd ? a->stiffness : R(0.0), damping = pd ? a->damping : R(0.0);
    effort_law e = effort_soft(pd ? a->effort - stiffness * off : a->effort, stiffness, damping);
    if (pd) {
        e.rate = a->velocity;
    } else if (place || a->kind == TAC_MOTOR_VELOCITY) {
        const real wanted = place ? -off / m->h : a->velocity;
        e = effort_hard(real_clamp(wanted, -j->speed, j->speed), R(0.0), R(0.0));
        e.follow = place && e.rate == wanted ? R(1.0) / m->h : R(0.0);
        e.goal = e.follow > R(0.0) ? a->position : (q + change) + m->h * e.rate;
        if (!(most < REAL_LARGEST)) { effort_keep_within(m, j, q + change, &e); }
    }
    e.least = -most, e.most = most;
    return e;
}

// A soft motor, with its impulse x over h, that would pass joint.speed in this step keeps that speed instead, with what
// it pushes with now or less: it does not brake a joint that something else drives faster. Its effect on free bodies
// must bring the rate to at least half of the limit before the test is made.
static void effort_keep_speed(const tac_joint *j, real h, real mass, real rate, effort_impulse x, effort_law *e)
{
    const real top = x.now < R(0.0) ? -j->speed : j->speed;
    if (!(j->speed < REAL_LARGEST) || (rate + x.now / mass) / top < R(0.5)) { return; }
    if (!((x.now - x.slope * (top - rate)) / top > R(0.0))) { return; }
    const real now = real_clamp(x.now / h, e->least, e->most);
    *e = effort_hard(top, real_min(now, R(0.0)), real_max(now, R(0.0)));
}

// The nearer one of the two limits. An elastic stop never pulls, and its damper acts once it is touched. A coordinate
// within `slack` of a hard limit counts as on it: divided by h, the rounding of four knees that rest on their limits
// and on the floor would be rates that no motion of the robot has (contact_rows.h).
static effort_law effort_limit(const tac_model *m, const tac_joint *j, real q, real change, real slack)
{
    const real below = (q - j->lower) + change, above = (q - j->upper) + change;
    const int low = below <= -above && !(joint_has_pole(j->kind) && j->lower <= R(0.0));
    const real beyond = low ? below : above;
    if (effort_has_hard_limits(j)) {
        const real limit = low ? j->lower : j->upper;
        return effort_to_limit(m, j, real_abs(beyond) <= slack ? limit : q + change, low);
    }
    const int touched = low ? beyond < R(0.0) : beyond > R(0.0);
    effort_law e = effort_soft(-j->stop_stiffness * beyond, j->stop_stiffness, touched ? j->stop_damping : R(0.0));
    if (low) {
        e.least = R(0.0);
    } else {
        e.most = R(0.0);
    }
    return e;
}

// Dry friction; against prescribed motion its full value, none at rest.
static effort_law effort_friction(const tac_joint *j, const effort_law *prescribed)
{
    if (prescribed == NULL) { return effort_hard(R(0.0), -j->friction, j->friction); }
    const real rate = prescribed->rate;
    return effort_soft(rate > R(0.0) ? -j->friction : (rate < R(0.0) ? j->friction : R(0.0)), R(0.0), R(0.0));
}

// Does any of them depend on the position? It costs an arc tangent.
static int effort_asks_position(const tac_joint *j, const tac_motor *a)
{
    const int place = a != NULL && (a->kind == TAC_MOTOR_PD || a->kind == TAC_MOTOR_POSITION),
              led = a != NULL && a->kind == TAC_MOTOR_VELOCITY && !(j->effort < REAL_LARGEST);
    return place || led || j->lower <= j->upper || j->stiffness > R(0.0);
}

// Each of the six directions of a bushing is a coordinate with a spring and a damper. `off`: its value, m or rad.
static effort_law effort_bushing(const tac_joint *j, int row, real off)
{
    const vec3 axis = V3_AXIS[row % 3];
    const real stiffness = v3_dot(row < 3 ? j->along : j->about, axis);
    return effort_soft(-stiffness * off, stiffness, v3_dot(row < 3 ? j->along_damping : j->about_damping, axis));
}

#endif
