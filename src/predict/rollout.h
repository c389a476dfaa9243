// SPDX-License-Identifier: MIT
// rollout.h - from one state, steps under a plan, with their cost.
//   given   a prediction that has been checked; a work area
//   makes   its state after more steps, the sum of their costs, a summary of their contacts
//   bound   the steps that are asked for
//   never   reads what the work area held before a step: it may serve others between two steps
#ifndef PREDICT_ROLLOUT_H
#define PREDICT_ROLLOUT_H

#include "../api/step.h"
#include "cost.h"
#include "knots.h"
#include "refresh_step.h"

#if TAC_PREDICT

#define ROLLOUT_REFRESH 3 // steps with kept dynamics take as long as one that refreshes them
#define ROLLOUT_FULL 6    // the same of a full step where dynamics should have been kept

// What a state has in use. Bodies, joints, contacts in use: a fraction of the room.
static void rollout_take_state(const tac_model *m, const tac_state *from, tac_state *to)
{
    to->step = from->step;
    to->model_hash = from->model_hash;
    to->warm_count = from->warm_count;
    to->contacts_peak = from->contacts_peak;
    to->warm_unsolved = from->warm_unsolved;
    reals_copy(to->pose, from->pose, m->bodies * sizeof *to->pose);
    reals_copy(to->twist, from->twist, m->bodies * sizeof *to->twist);
    reals_copy(to->compensation, from->compensation, m->bodies * sizeof *to->compensation);
    bytes_copy(to->warm, from->warm, from->warm_count * sizeof *to->warm);
    if (JOINT_COUNT(m) == 0) { return; }
    reals_copy(JOINT_WARM(to), JOINT_WARM(from), JOINT_COUNT(m) * sizeof *JOINT_WARM(to));
    *JOINT_ACCOUNT(to) = *JOINT_ACCOUNT(from);
    if (TAC_SWITCHES) { bytes_copy(SWITCH_OF(to), SWITCH_OF(from), JOINT_COUNT(m) * sizeof(tac_switch)); }
}

// What acts beside the plan.
static void rollout_take_input(const tac_input *from, tac_prediction *p)
{
    p->acting.actions = 0;
    p->first = 0;
    KNOTS_MOTORS(&p->acting, 0);
    if (from == NULL) { return; }
    p->first = JOINT_MOTORS(from);
    p->acting.actions = from->actions;
    bytes_copy(p->acting.action, from->action, from->actions * sizeof *from->action);
    bytes_copy(KNOTS_MOTOR(&p->acting, 0), JOINT_MOTOR(from), p->first * sizeof(tac_motor));
    KNOTS_MOTORS(&p->acting, p->first);
}

static void rollout_begin(tac_prediction *p, const tac_state *from)
{
    p->total = p->force = p->penetration = R(0.0);
    p->status = TAC_OK;
    p->taken = p->touching = 0;
    p->contacts = p->dropped = 0;
    p->end = TAC_ROLLOUT_OPEN;
    p->model_hash = p->model->hash;
    rollout_take_state(p->model, from, &p->state);
    rollout_take_input(p->input, p);
    if (p->fidelity.kept != NULL) { refresh_begin(p->fidelity.kept); }
}

// Contacts of the last step.
static void rollout_look(tac_prediction *p, const tac_work *w)
{
    const real part = R(1.0) / p->model->h;
    const uint32_t dropped = (uint32_t)p->dropped + w->report.dropped;
    int bears = 0;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        p->force = real_max(p->force, part * (c->impulse.x + c->bounce.x));
        bears |= cost_bears(c);
    }
    p->touching += (uint32_t)bears;
    p->penetration = real_max(p->penetration, w->report.penetration);
    p->dropped = dropped < UINT16_MAX ? (uint16_t)dropped : UINT16_MAX;
    if (w->report.contacts > p->contacts) { p->contacts = w->report.contacts; }
}

// What the last step has cost.
static void rollout_charge(tac_prediction *p, const tac_work *w)
{
    const tac_model *m = p->model;
    const tac_refresh *kept = p->fidelity.kept != NULL && p->fidelity.kept->known ? p->fidelity.kept : NULL;
    cost_at at = {m, &p->state, w, p->taken > 1 ? p->effort : NULL, kept, NULL, V3_ZERO, V3_ZERO, V3_ZERO, 0};
    const real time = p->cost->time + (real)p->taken * m->h;
    p->total = real_min(p->total + cost_step(&at, p->cost, time, p->taken == p->steps), REAL_LARGEST);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { p->effort[i] = cost_effort(w, i); }
}

static inline refresh_options rollout_options(const tac_prediction *p)
{
    return (refresh_options){p->fidelity.shape, p->fidelity.shapes, p->fidelity.every};
}

// One step, as tac_step() takes it, without its checks: the state is one that a step has made, or that has been
// checked. Where dynamics are kept and serve, with these.
static tac_status rollout_take_step(tac_prediction *p, tac_work *w)
{
    const tac_model *m = p->model;
    const tac_fault none = {0};
    if (p->fidelity.kept != NULL) {
        const refresh_options o = rollout_options(p);
        const int end = refresh_step(m, &p->acting, &o, &p->state, w, p->fidelity.kept);
        if (end != REFRESH_FULL) { return end == REFRESH_TAKEN ? TAC_OK : TAC_E_NAN; }
    }
    (void)api_report(w, TAC_OK, &none);
    api_begin(m, &p->state, &p->acting, w);
    ccp_sweep(w, m->options.max_sweeps);
    return api_end(m, &p->state, w);
}

// Does the first step need a refresh that all plans of these channels can share?
static inline int rollout_shares(const tac_prediction *p)
{
    return p->taken == 0 && p->plan != NULL && p->fidelity.kept != NULL && !p->fidelity.kept->known;
}

// Makes it: the refresh of the first state with motors that ask for nothing. So it depends on no plan's numbers.
static void rollout_share(tac_prediction *p, tac_work *w)
{
    const refresh_options o = rollout_options(p);
    tac_refresh *f = p->fidelity.kept;
    knots_rest(p->plan, p->model, &p->state, p->first, &p->acting);
    if (refresh_make(p->model, &p->state, &p->acting, &o, w, f)) {
        f->shared = 1;
    } else {
        refresh_begin(f);
    }
}

static void rollout_step(tac_prediction *p, tac_work *w)
{
    if (rollout_shares(p)) { rollout_share(p, w); }
    if (p->plan != NULL) { (void)knots_evaluate(p->plan, (real)p->taken * p->model->h, p->first, &p->acting); }
    const tac_status status = rollout_take_step(p, w);
    if (status < 0) {
        p->status = status;
        p->fault = w->report.fault;
        p->total = REAL_LARGEST;
        p->end = TAC_ROLLOUT_REFUSED;
        return;
    }
    p->status |= status;
    p->taken++;
    rollout_look(p, w);
    if (p->cost != NULL) { rollout_charge(p, w); }
    if (p->taken == p->steps) { p->end = TAC_ROLLOUT_WHOLE; }
    if (p->total > p->most) { p->end = TAC_ROLLOUT_DEAR; }
}

// What the last step counts of a slice's steps.
static uint32_t rollout_counts(tac_prediction *p)
{
    tac_refresh *f = p->fidelity.kept;
    if (f == NULL) { return 1; }
    const int fresh = f->fresh;
    f->fresh = 0;
    return !f->known ? ROLLOUT_FULL : fresh ? ROLLOUT_REFRESH : 1;
}

// Returns what is left of so many steps when the roll-out ends.
static uint32_t rollout_advance(tac_prediction *p, tac_work *w, uint32_t steps)
{
    while (steps > 0 && p->end == TAC_ROLLOUT_OPEN) {
        rollout_step(p, w);
        const uint32_t counts = rollout_counts(p);
        steps = steps > counts ? steps - counts : 0;
    }
    return steps;
}

#endif

#endif
