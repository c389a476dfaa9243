// SPDX-License-Identifier: MIT
// knots.h - commands over time: knots to motors, knots with noise, knots for a later state.
//   given   a plan; a time; a seed and the number of a candidate
//   makes   motors of an input; numbers with noise, the same bits everywhere; the plan as it is `by` later
//   bound   constant a number
//   never   leaves the bounds of a channel
#ifndef PREDICT_KNOTS_H
#define PREDICT_KNOTS_H

#include "../api/verify.h"
#include "../tree/coordinates.h"
#include "table.h"

#if TAC_PREDICT

#if TAC_MAX_JOINTS > 0
#define KNOTS_MOTOR(input, i) (&(input)->motor[i])
#define KNOTS_MOTORS(input, count) ((void)((input)->motors = (count)))
#else
#define KNOTS_MOTOR(input, i) ((void)(input), (void)(i), (tac_motor *)NULL)
#define KNOTS_MOTORS(input, count) ((void)(input), (void)(count))
#endif

// The rows of a plan as those of a table.
static tac_table knots_table(const tac_plan *p)
{
    const tac_table t = {p->value, p->start, p->spacing, p->knots, p->channels, p->form, 0};
    return t;
}

// ------------------------------------------------------------------------------------------------------------- checks

// All but the channels and the numbers.
static int knots_good(const tac_plan *p)
{
    return p->knots > 0 && p->channels <= TAC_MAX_JOINTS && p->form < TAC_TABLE_FORMS && real_finite(p->start) &&
           real_finite(p->spacing) && p->spacing > R(0.0) &&
           (p->channels == 0 || (p->channel != NULL && p->value != NULL));
}

// What a channel commands, within the ranges of a motor: so is every command of the plan, as verify_motor() asks for.
static int knots_channel_good(const tac_channel *c)
{
    const real most = c->kind == TAC_MOTOR_PD         ? TAC_MOST_POSITION
                      : c->kind == TAC_MOTOR_VELOCITY ? TAC_MOST_SPEED
                                                      : TAC_MOST_FORCE;
    const int kind = c->kind == TAC_MOTOR_EFFORT || c->kind == TAC_MOTOR_PD || c->kind == TAC_MOTOR_VELOCITY;
    const int gains = c->kind != TAC_MOTOR_PD ||
                      (check_within(c->stiffness, TAC_MOST_FORCE) && check_within(c->damping, TAC_MOST_FORCE));
    return kind && gains && c->low >= -most && c->high <= most && c->low <= c->high &&
           check_within(c->sigma, TAC_MOST_FORCE);
}

// Channels of a plan, and its numbers, with the fault of the first that is not good.
static void knots_check(const tac_model *m, const tac_plan *p, tac_fault *fault)
{
    check_note(check_that(knots_good(p)), TAC_FIELD_PLAN, 0, fault);
    for (uint32_t i = 0; i < p->channels && !fault->reason; i++) {
        const uint32_t joint = p->channel[i].joint;
        const int has = joint < JOINT_COUNT(m) && joint_has_coordinate(JOINT_OF(m)[joint].kind);
        check_note(check_that(has && knots_channel_good(&p->channel[i])), TAC_FIELD_CHANNEL, i, fault);
    }
    if (fault->reason) { return; }
    const uint32_t count = (uint32_t)p->knots * p->channels;
    for (uint32_t i = 0; i < count; i++) {
        check_note(check_finite(&p->value[i], sizeof *p->value), TAC_FIELD_KNOT, i, fault);
    }
}

// ----------------------------------------------------------------------------------------------------------- commands

// The number of a channel within its bounds, at the knots too, so that nothing between them overflows.
static inline real knots_clamp(const tac_plan *p, uint32_t i, real number)
{
    return real_clamp(number, p->channel[i].low, p->channel[i].high);
}

// The number of a channel at a place, by the rows of the knots around it. Only cubics ask for those before and after
// both.
static inline real knots_number(const tac_plan *p, real part, const real *const row[4], uint32_t i)
{
    const int cubic = p->form == TAC_TABLE_CUBIC;
    const real a = knots_clamp(p, i, row[1][i]), b = knots_clamp(p, i, row[2][i]);
    const real before = cubic ? knots_clamp(p, i, row[0][i]) : a, after = cubic ? knots_clamp(p, i, row[3][i]) : b;
    return knots_clamp(p, i, table_between(p->form, part, before, a, b, after));
}

static void knots_command(const tac_channel *c, real number, tac_motor *motor)
{
    const int pd = c->kind == TAC_MOTOR_PD;
    motor->joint = c->joint;
    motor->kind = c->kind;
    motor->position = pd ? number : R(0.0);
    motor->velocity = c->kind == TAC_MOTOR_VELOCITY ? number : R(0.0);
    motor->effort = c->kind == TAC_MOTOR_EFFORT ? number : R(0.0);
    motor->stiffness = pd ? c->stiffness : R(0.0);
    motor->damping = pd ? c->damping : R(0.0);
}

// The commands at a time, as motors from `first` on. Returns 1 if all are finite.
static int knots_evaluate(const tac_plan *p, real time, uint32_t first, tac_input *input)
{
    const tac_table t = knots_table(p);
    const table_place at = table_find(&t, time);
    const real *const row[4] = {table_numbers(&t, &at, -1), table_numbers(&t, &at, 0), table_numbers(&t, &at, 1),
                                table_numbers(&t, &at, 2)};
    real sum = R(0.0);
    for (uint32_t i = 0; i < p->channels; i++) {
        const real number = knots_number(p, at.part, row, i);
        knots_command(&p->channel[i], number, KNOTS_MOTOR(input, first + i));
        sum += number - number;
    }
    KNOTS_MOTORS(input, first + p->channels);
    return sum == R(0.0);
}

// Commands that ask for nothing at a state: what a plan's motors are, whatever its numbers.
static void knots_rest(const tac_plan *p, const tac_model *m, const tac_state *s, uint32_t first, tac_input *input)
{
    for (uint32_t i = 0; i < p->channels; i++) {
        const tac_channel *c = &p->channel[i];
        tac_joint_state now = {R(0.0), R(0.0)};
        if (c->kind == TAC_MOTOR_PD) { coordinates_of(m, s, c->joint, &now); }
        knots_command(c, now.position, KNOTS_MOTOR(input, first + i));
    }
    KNOTS_MOTORS(input, first + p->channels);
}

// -------------------------------------------------------------------------------------------------------------- noise

#define KNOTS_GOLDEN UINT64_C(0x9e3779b97f4a7c15) // 2^64 over the golden ratio: counters of splitmix64
#define KNOTS_DRAWS 3                             // of 64 bits, each four uniform numbers of 16
#define KNOTS_MEAN 393210                         // of the sum of twelve such numbers, 6 * 65535

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit of z moves every bit of the result.
static uint64_t knots_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// The number of a counter: the sum of twelve uniform numbers less 6. Its variance is 1, and it is exact in either
// precision.
static real knots_noise(uint64_t seed, uint32_t candidate, uint32_t number)
{
    uint64_t z = knots_mix(knots_mix(seed + KNOTS_GOLDEN) ^ ((uint64_t)candidate << 32 | number));
    int32_t sum = -KNOTS_MEAN;
    for (int draw = 0; draw < KNOTS_DRAWS; draw++) {
        z += KNOTS_GOLDEN;
        const uint64_t bits = knots_mix(z);
        const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
        sum += (int32_t)((low & 65535) + (low >> 16) + (high & 65535) + (high >> 16));
    }
    return (real)sum / R(65536.0);
}

// Number `i` of a plan with noise: `spread` times that of this candidate, within the bounds of its channel.
static real knots_noisy(const tac_plan *p, uint32_t i, real spread, uint64_t seed, uint32_t candidate)
{
    const uint32_t knot = i / p->channels, channel = i % p->channels;
    const tac_channel *c = &p->channel[channel];
    const real noise = spread > R(0.0) ? spread * knots_noise(seed, candidate, knot << 16 | channel) : R(0.0);
    return real_clamp(p->value[i] + noise, c->low, c->high);
}

// -------------------------------------------------------------------------------------------------------------- shift

// Drops knots whose time has passed. Between two knots the command needs both, on a cubic also the one before.
static void knots_shift(tac_plan *p, real by)
{
    const tac_table t = knots_table(p);
    const real now = table_floor(table_intervals(&t, by) + table_late(&t, by));
    const real passed = now - (p->form == TAC_TABLE_CUBIC ? R(1.0) : R(0.0));
    p->start -= by;
    if (!(passed > R(0.0))) { return; }
    p->start = passed < TABLE_MOST - R(1.0) ? p->start + passed * p->spacing : R(0.0);
    const uint32_t last = p->knots - 1u, drop = passed < (real)last ? (uint32_t)passed : last;
    for (uint32_t knot = 0; knot <= last; knot++) {
        const uint32_t from = knot + drop < last ? knot + drop : last;
        for (uint32_t i = 0; i < p->channels; i++) {
            p->value[knot * p->channels + i] = p->value[from * p->channels + i];
        }
    }
}

#endif

#endif
