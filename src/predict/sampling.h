// SPDX-License-Identifier: MIT
// sampling.h - planning by sampling: candidates of a plan are rolled out, the best or a mean of the good ones wins.
//   given   a plan, a cost, a state, all checked; a work area
//   makes   the cost of each candidate, the winner, the plan that it is
//   bound   the steps that are asked for; candidates times numbers for a mean
//   never   keeps a candidate: its noise is made again from its number
#ifndef PREDICT_SAMPLING_H
#define PREDICT_SAMPLING_H

#include "rollout.h"

#if TAC_PREDICT

#define SAMPLING_FAR R(16.0) // temperatures beyond which a weight is 0: 1e-7 of the best

static uint32_t sampling_numbers(const tac_sampling *s)
{
    return (uint32_t)s->plan->knots * s->plan->channels;
}

static tac_real *sampling_costs(const tac_sampling *s)
{
    return s->room + sampling_numbers(s);
}

// Number `i` of a candidate. That of candidate 0 is the plan's own.
static real sampling_number(const tac_sampling *s, uint32_t candidate, uint32_t i)
{
    real spread = s->plan->channel[i % s->plan->channels].sigma;
    if (candidate == 0) { return s->plan->value[i]; }
    if (s->spread != NULL) { spread = real_max(spread, s->spread[i]); }
    return knots_noisy(s->plan, i, s->scale * spread, s->seed, candidate);
}

// ------------------------------------------------------------------------------------------------------------ weights

// The candidate of a rank among those that have ended; of equal costs the earlier one is before the other.
static uint32_t sampling_ranked(const tac_sampling *s, uint32_t ended, uint32_t rank)
{
    const real *cost = sampling_costs(s);
    uint32_t found = UINT32_MAX;
    for (uint32_t r = 0; r <= rank; r++) {
        const uint32_t last = found;
        found = UINT32_MAX;
        for (uint32_t k = 0; k < ended; k++) {
            const int after = last == UINT32_MAX || cost[k] > cost[last] || (cost[k] == cost[last] && k > last);
            if (after && (found == UINT32_MAX || cost[k] < cost[found])) { found = k; }
        }
    }
    return found;
}

// The cost beyond which a candidate counts for nothing.
static real sampling_bound(const tac_sampling *s)
{
    if (s->tried >= s->samples || s->method == TAC_SAMPLING_BEST) { return s->least; }
    if (s->method == TAC_SAMPLING_WEIGHTS) { return real_min(s->least + SAMPLING_FAR * s->temperature, REAL_LARGEST); }
    return s->tried < s->elites ? REAL_LARGEST : sampling_costs(s)[sampling_ranked(s, s->tried, s->elites - 1u)];
}

// The last of the elites, when all candidates have ended.
static uint32_t sampling_worst(const tac_sampling *s)
{
    return s->method == TAC_SAMPLING_ELITES ? sampling_ranked(s, s->samples, s->elites - 1u) : 0;
}

// exp(-x), 0 <= x <= SAMPLING_FAR, to 1e-7: exp(-x/256) by its series, to the power of 256.
static real sampling_exp(real x)
{
    const real y = -x / R(256.0);
    real e = R(1.0) + y * (R(1.0) + y / R(2.0) * (R(1.0) + y / R(3.0) * (R(1.0) + y / R(4.0) * (R(1.0) + y / R(5.0)))));
    for (int i = 0; i < 8; i++) { e *= e; }
    return e;
}

// The weight of a candidate in the mean; `worst`: the last of the elites.
static real sampling_weight(const tac_sampling *s, uint32_t k, uint32_t worst)
{
    const real *cost = sampling_costs(s);
    if (!(cost[k] < REAL_LARGEST)) { return R(0.0); }
    if (s->method == TAC_SAMPLING_ELITES) {
        return cost[k] < cost[worst] || (cost[k] == cost[worst] && k <= worst) ? R(1.0) : R(0.0);
    }
    const real x = (cost[k] - s->least) / s->temperature;
    return x <= SAMPLING_FAR ? sampling_exp(x) : R(0.0);
}

// The mean of number `i` over the candidates, and the standard deviation from it.
static real sampling_mean(const tac_sampling *s, uint32_t worst, uint32_t i, real *deviation)
{
    real total = R(0.0), sum = R(0.0), squares = R(0.0);
    for (uint32_t k = 0; k < s->samples; k++) {
        const real weight = sampling_weight(s, k, worst);
        if (!(weight > R(0.0))) { continue; }
        const real x = sampling_number(s, k, i) - s->plan->value[i]; // about the plan: no digits are lost
        total += weight;
        sum += weight * x;
        squares += weight * x * x;
    }
    const real mean = sum / total;
    *deviation = real_sqrt(real_max(squares / total - mean * mean, R(0.0)));
    return s->plan->value[i] + mean;
}

// --------------------------------------------------------------------------------------------------------- candidates

// Has the refresh of the first state been made, for all candidates?
static inline int sampling_shares(const tac_sampling *s)
{
    return s->first != NULL && s->fidelity.kept != NULL && s->first->shared;
}

// Makes it, before the first step of the first candidate.
static void sampling_share(tac_sampling *s, tac_work *w)
{
    if (s->first == NULL || s->tried > 0 || !rollout_shares(&s->prediction)) { return; }
    rollout_share(&s->prediction, w);
    if (s->fidelity.kept->shared) { refresh_copy(s->fidelity.kept, s->first); }
}

// Begins the roll-out of the next candidate, or of the mean.
static void sampling_open(tac_sampling *s)
{
    const uint32_t count = sampling_numbers(s);
    real *value = s->room, unused;
    if (s->tried < s->samples) {
        for (uint32_t i = 0; i < count; i++) { value[i] = sampling_number(s, s->tried, i); }
    } else {
        const uint32_t worst = sampling_worst(s);
        for (uint32_t i = 0; i < count; i++) { value[i] = sampling_mean(s, worst, i, &unused); }
    }
    s->prediction.most = s->tried > 0 ? sampling_bound(s) : REAL_LARGEST;
    rollout_begin(&s->prediction, s->state);
    if (sampling_shares(s)) { refresh_copy(s->first, s->fidelity.kept); }
}

static void sampling_begin(tac_sampling *s, const tac_state *state)
{
    s->state = state;
    s->trial = *s->plan;
    s->trial.value = s->room;
    s->prediction.model = s->model;
    s->prediction.plan = &s->trial;
    s->prediction.cost = s->cost;
    s->prediction.input = s->input;
    s->prediction.steps = s->steps;
    s->prediction.fidelity = s->fidelity;
    s->nominal = s->least = REAL_LARGEST;
    s->taken = 0;
    s->tried = s->winner = 0;
    s->done = 0;
    if (s->first != NULL) { refresh_begin(s->first); }
    sampling_open(s);
}

// Takes the cost of the candidate whose roll-out has ended, and goes on to the next.
static void sampling_close(tac_sampling *s)
{
    const tac_prediction *p = &s->prediction;
    const real cost = p->end == TAC_ROLLOUT_WHOLE ? p->total : REAL_LARGEST;
    if (s->tried < s->samples) { sampling_costs(s)[s->tried] = cost; }
    if (s->tried == 0) { s->nominal = cost; }
    if (cost < s->least) {
        s->least = cost;
        s->winner = s->tried;
    }
    s->tried++;
    const int mean = s->tried == s->samples && s->method != TAC_SAMPLING_BEST && s->least < REAL_LARGEST;
    s->done = s->tried >= s->samples && !mean;
    if (!s->done) { sampling_open(s); }
}

static void sampling_advance(tac_sampling *s, tac_work *w, uint32_t steps)
{
    while (steps > 0 && !s->done) {
        sampling_share(s, w);
        const uint32_t taken = s->prediction.taken;
        steps = rollout_advance(&s->prediction, w, steps);
        s->taken += s->prediction.taken - taken;
        if (s->prediction.end != TAC_ROLLOUT_OPEN) { sampling_close(s); }
    }
}

// Makes the winner the plan. The deviation of the elites is about their mean, from the plan as it was.
static void sampling_end(tac_sampling *s)
{
    const uint32_t count = sampling_numbers(s);
    const int spreads = s->done && s->method == TAC_SAMPLING_ELITES && s->spread != NULL && s->least < REAL_LARGEST;
    const uint32_t worst = spreads ? sampling_worst(s) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const real number = s->winner == s->samples ? s->room[i] : sampling_number(s, s->winner, i);
        real deviation = R(0.0);
        if (spreads) { (void)sampling_mean(s, worst, i, &deviation); }
        s->plan->value[i] = number;
        if (spreads) { s->spread[i] = deviation; }
    }
    s->prediction.model_hash = 0;
}

#endif

#endif
