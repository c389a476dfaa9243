// SPDX-License-Identifier: MIT
// random_mechanism.h - what the random mechanisms of property tests are made of.
//   given   a generator of random numbers; bodies of a model; a step of it
//   makes   magnitudes, frames of joints, the work of motors, the worst value with the seed that it was seen at
//   bound   constant
//   never   keeps a model of its own
#ifndef RANDOM_MECHANISM_H
#define RANDOM_MECHANISM_H

#include "truth.h"

// Alike on a logarithmic scale: a power of ten, and what is left of it as a part.
static inline double log_range(rng *r, int low, int high)
{
    double a = rng_range(r, 1, 10);
    for (int k = (int)rng_below(r, (uint32_t)(high - low)) + low; k != 0; k += k < 0 ? 1 : -1) {
        a *= k < 0 ? 0.1 : 10;
    }
    return a;
}

// A place in the world, as the body sees it.
static inline tac_pose seen_from(const tac_model *m, uint16_t body, d3 p, dq q)
{
    const dq back = dq_conjugate(dq_of(m->body[body].pose.q));
    return (tac_pose){d3_to(dq_rotate(back, d3_sub(p, d3_of(m->body[body].pose.p)))), dq_to(dq_mul(back, q))};
}

#if TAC_MAX_JOINTS > 0

// Work of motors in the last step: of each what it has put in, and what it has taken out.
typedef struct motor_work {
    double in, out;
} motor_work;

static inline motor_work work_of_motors(const tac_model *m, const tac_state *before, const tac_state *after,
                                        const tac_work *w, const tac_input *input)
{
    motor_work sum = {0, 0};
    for (uint32_t i = 0; i < input->motors; i++) {
        const uint16_t joint = input->motor[i].joint;
        tac_joint_state from, to;
        tac_state_get_joint(m, before, joint, &from);
        tac_state_get_joint(m, after, joint, &to);
        const double rate = 0.5 * ((double)from.velocity + (double)to.velocity);
        const double work = (double)m->h * (double)w->joint[joint].effort[TAC_EFFORT_MOTOR] * rate;
        *(work > 0 ? &sum.in : &sum.out) += d_abs(work);
    }
    return sum;
}

#endif

// d_worst(), and where it was seen.
static inline void worst_at(double *worst, uint64_t *at, double error, uint64_t seed)
{
    const double before = *worst;
    d_worst(worst, error);
    if (*worst != before) { *at = seed; }
}

#endif
