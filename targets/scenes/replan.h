// SPDX-License-Identifier: MIT
// replan.h - plans by sampling, each made while the one before it is followed: on another plant than predicted.
//   given   a model for the prediction, channels whose rest is 0, a cost; the measured state when a plan is due
//   makes   commands of the plan that is followed
//   bound   `lag` steps of the prediction and `samples` roll-outs of `steps` steps a plan
//   never   follows a plan before the time has passed that making it may take
#ifndef REPLAN_H
#define REPLAN_H

#include "foreign.h"

enum { REPLAN_CHANNELS = 4, REPLAN_KNOTS = 4, REPLAN_NUMBERS = REPLAN_KNOTS * REPLAN_CHANNELS, REPLAN_SAMPLES = 6 };

// The frame of a body itself, as members of a term of a cost or of what is measured.
#define REPLAN_FRAME(of) .frame.body = (of), .frame.pose.q.w = 1

typedef struct replan {
    tac_model model;
    tac_state state; // as measured
    tac_channel channel[REPLAN_CHANNELS];
    tac_cost cost;
    tac_frame frame;     // that is measured beside the joints
    uint32_t lag, steps; // of the prediction: from plan to plan; of a roll-out
    tac_plan plan, next; // that is followed; that is made
    tac_real now[REPLAN_NUMBERS], soon[REPLAN_NUMBERS], room[REPLAN_NUMBERS + REPLAN_SAMPLES];
    tac_real scale;         // of the noise
    uint64_t plans;         // begun
    tac_prediction waiting; // until the next plan is there
    tac_sampling sampling;
} replan;

static inline tac_plan replan_plan(const replan *r, tac_real *value)
{
    const tac_real spacing = (tac_real)r->steps * r->model.h / (REPLAN_KNOTS - 1);
    return (tac_plan){r->channel, value, 0, spacing, REPLAN_KNOTS, REPLAN_CHANNELS, TAC_TABLE_LINEAR};
}

// With all above the plans in place, but for the state.
static inline tac_status replan_begin(replan *r)
{
    r->plan = replan_plan(r, r->now), r->next = replan_plan(r, r->soon);
    for (int i = 0; i < REPLAN_NUMBERS; i++) { r->now[i] = r->soon[i] = 0; }
    r->scale = 1, r->plans = 0;
    const tac_status status = tac_model_seal(&r->model, NULL);
    return status ? status : tac_state_init(&r->model, &r->state, NULL);
}

// The plan that is ready is followed from now on. The next one begins where the state will be when it is ready, and
// nearer to rest: else noise of plan after plan adds up where the cost hardly feels it.
static inline tac_status replan_ask(replan *r, tac_work *w)
{
    r->plan.start = r->next.start;
    for (int i = 0; i < REPLAN_NUMBERS; i++) { r->now[i] = r->soon[i]; }
    r->waiting = (tac_prediction){.model = &r->model, .plan = &r->plan, .steps = r->lag};
    tac_status status = tac_rollout(&r->waiting, &r->state, w, NULL);
    if (status < 0 || (status = tac_plan_shift(&r->next, (tac_real)r->lag * r->model.h)) < 0) { return status; }
    for (int i = 0; i < REPLAN_NUMBERS; i++) { r->soon[i] *= (tac_real)0.8; }
    r->sampling = (tac_sampling){.model = &r->model, .cost = &r->cost, .plan = &r->next, .room = r->room};
    r->sampling.method = TAC_SAMPLING_BEST, r->sampling.scale = r->scale, r->sampling.seed = r->plans++;
    r->sampling.steps = r->steps, r->sampling.samples = REPLAN_SAMPLES;
    return tac_sampling_begin(&r->sampling, &r->waiting.state, NULL);
}

// So many steps of the plan that has begun. Where noise has found nothing better, there is less of it in the next one.
static inline tac_status replan_advance(replan *r, tac_work *w, uint32_t steps)
{
    tac_status status = tac_sampling_advance(&r->sampling, w, steps);
    if (status || (status = tac_sampling_end(&r->sampling)) < 0) { return status; }
    const tac_real scale = r->scale * (r->sampling.winner ? (tac_real)1.3 : (tac_real)0.8), least = (tac_real)0.02;
    r->scale = scale > 1 ? 1 : scale < least ? least : scale;
    return TAC_OK;
}

// Follows the plan until the next one is due. Returns 0 if something is refused.
static inline int replan_follow(replan *r, foreign *plant, tac_input *input, tac_work *w)
{
    const uint32_t periods = (uint32_t)((tac_real)1000 * (tac_real)r->lag * r->model.h + (tac_real)0.5);
    for (uint32_t k = 0; k < periods; k++) {
        if (tac_plan_evaluate(&r->plan, (tac_real)0.001 * (tac_real)k, 0, input)) { return 0; }
        if (foreign_period(plant, input, w) < 0) { return 0; }
    }
    return 1;
}

// Measures, plans, follows. Returns 0 if something is refused.
static inline int replan_run(replan *r, foreign *plant, tac_input *input, tac_work *w)
{
    return !foreign_measure(plant, r->frame, &r->model, &r->state) && !replan_ask(r, w) &&
           !replan_advance(r, w, UINT32_MAX) && replan_follow(r, plant, input, w);
}

#endif
