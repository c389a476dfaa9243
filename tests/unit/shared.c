// SPDX-License-Identifier: MIT
// config: robots
// Candidates that share the refresh of the state that they start from: each has the cost, the status and the terminal
// state of its own tac_rollout(), to the bit, whatever the work area serves between two steps; the plan is that without
// sharing. A pushed quadruped, with motors that keep their bounds and with motors that some candidates saturate.
#include "pushed.h"
#include "robots.h"
#include "tap.h"
#include "truth.h"

enum { SAMPLES = 6, STEPS = 12 };

static pushed p;
static tac_work w, other;
static tac_prediction own, last;
static tac_plan candidate;
static tac_real number[PUSHED_NUMBERS], alone[PUSHED_NUMBERS + PUSHED_SAMPLES], planned[PUSHED_NUMBERS];
static uint32_t served, refreshed; // first steps by the refresh of the state, by another one for their own input

// Asks for all candidates to their end, and then their mean.
static int ask(uint64_t seed, int shares)
{
    for (int i = 0; i < PUSHED_NUMBERS; i++) { p.value[i] = 0; }
    if (pushed_ask(&p, seed, SAMPLES, STEPS, TAC_SAMPLING_ELITES)) { return 0; }
    p.sampling.scale = 1, p.sampling.elites = SAMPLES;
    p.sampling.first = shares ? &p.first : NULL;
    return tac_sampling_begin(&p.sampling, &p.from, NULL) == TAC_OK;
}

// A candidate by itself. Its first step is taken alone, to see whether the refresh of the state served it.
static void roll(const tac_plan *plan, tac_real most)
{
    own = (tac_prediction){.model = &p.ahead, .plan = plan, .cost = &p.cost, .most = most, .steps = STEPS};
    own.fidelity = (tac_fidelity){&p.kept, NULL, 0, p.every};
    tac_rollout_begin(&own, &p.from, NULL);
    tac_rollout_advance(&own, &w, 1);
    int same = 1;
    for (uint32_t i = 0; i < PUSHED_JOINTS; i++) { same &= p.kept.of[i].inside == p.first.of[i].inside; }
    served += (uint32_t)same, refreshed += (uint32_t)!same;
    tac_rollout_advance(&own, &w, UINT32_MAX);
}

static void compare(unsigned direction, uint64_t seed, int slices)
{
    int same = pushed_push(&p, direction, &w) && ask(seed, 1);
    tac_status status = TAC_UNCONVERGED;
    for (uint32_t k = 0; k < (SAMPLES + 1) * STEPS && same && status == TAC_UNCONVERGED; k++) {
        if (slices) { tac_step(&p.plant, &p.state, &p.input, &w); }
        status = tac_sampling_advance(&p.sampling, &w, slices ? 1 + k % 3 : UINT32_MAX);
    }
    same &= status == TAC_OK && p.first.shared;
    last = p.sampling.prediction;
    candidate = p.plan;
    candidate.value = number;
    int costs = 1;
    for (uint32_t k = 0; k < SAMPLES; k++) {
        tac_plan_perturb(&p.plan, p.sampling.seed, k, k ? p.sampling.scale : 0, &candidate);
        roll(&candidate, (tac_real)1e30);
        costs &= truth_equal(&own.total, &p.room[PUSHED_NUMBERS + k], sizeof own.total);
    }
    tap_ok(costs, "a candidate costs what its own roll-out does");
    for (int i = 0; i < PUSHED_NUMBERS; i++) { number[i] = p.room[i]; }
    roll(&candidate, last.most); // the mean
    same &= own.end == last.end && own.taken == last.taken && own.status == last.status;
    tap_ok(same && tac_state_hash(&p.ahead, &own.state) == tac_state_hash(&p.ahead, &last.state),
           "it ends in the same state");
}

// The same plan without memory for sharing.
static void compare_alone(unsigned direction, uint64_t seed)
{
    int good = 1;
    for (int shares = 0; shares < 2; shares++) {
        good &= pushed_push(&p, direction, &w) && ask(seed, shares);
        good &= tac_sampling_advance(&p.sampling, &other, UINT32_MAX) == TAC_OK;
        good &= tac_sampling_end(&p.sampling) == TAC_OK;
        if (shares) {
            good &= truth_equal(alone, p.room, sizeof p.room) && truth_equal(planned, p.value, sizeof planned);
        } else {
            truth_copy(alone, p.room, sizeof p.room);
            truth_copy(planned, p.value, sizeof planned);
        }
    }
    tap_ok(good, "the plan is that without sharing");
}

// Motors of a little more than standing takes: some candidates ask for more at once.
static void weaken(void)
{
    for (uint32_t i = 0; i < p.plant.joints; i++) { p.plant.joint[i].effort = p.ahead.joint[i].effort = 12; }
    tap_ok(tac_model_seal(&p.plant, NULL) == TAC_OK && tac_model_seal(&p.ahead, NULL) == TAC_OK, "weak motors");
}

int main(void)
{
    tap_ok(pushed_begin(&p), "a quadruped");
    p.every = 5;
    for (int weak = 0; weak < 2; weak++) {
        if (weak) { weaken(); }
        served = refreshed = 0;
        for (unsigned direction = 0; direction < RUN(PUSHED_DIRECTIONS, 2); direction++) {
            compare(direction, 7 + direction, (int)direction & 1);
            compare_alone(direction, 7 + direction);
        }
        tap_ok(served > 0 && (refreshed > 0) == weak, "a refresh of its own where its motors saturate alone");
        tap_note("first steps by the refresh of the state", served);
        tap_note("by one of their own", refreshed);
    }
    return tap_done();
}
