// SPDX-License-Identifier: MIT
#include "twin.h"
#include "message.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int twin_open(twin *t, const tac_model *model, link_client *client)
{
    t->model = model;
    t->client = client;
    t->input = (tac_input){0};
    t->steps = 0;
    t->touching = 0;
    t->unsolved = 0;
    t->ticks_sum = 0;
    t->ticks_min = UINT32_MAX;
    t->ticks_max = 0;
    if (client == NULL) return TWIN_GOOD;

    const int result = link_client_set_model(client, model);
    if (result != LINK_DONE) complain_link("sending the model", client, result);
    return result == LINK_DONE ? TWIN_GOOD : TWIN_FAILED;
}

int twin_start(twin *t, const tac_state *state)
{
    t->state = *state;
    t->work.report = (tac_report){0};
    memset(t->work.joint, 0, sizeof t->work.joint);
    if (t->client == NULL) return TWIN_GOOD;

    const int result = link_client_set_state(t->client, t->model, state);
    if (result != LINK_DONE) complain_link("sending the state", t->client, result);
    return result == LINK_DONE ? TWIN_GOOD : TWIN_FAILED;
}

int twin_input(twin *t, const tac_input *input)
{
    t->input = *input;
    if (t->client == NULL) return TWIN_GOOD;

    const int result = link_client_set_input(t->client, input);
    if (result != LINK_DONE) complain_link("sending the input", t->client, result);
    return result == LINK_DONE ? TWIN_GOOD : TWIN_FAILED;
}

// The host's side. Returns 0 after a complaint.
static int host_steps(twin *t, uint32_t steps, uint64_t *trace)
{
    *trace = LINK_TRACE_START;
    for (uint32_t i = 0; i < steps; i++) {
        const tac_status status = link_method_step(t->method, &t->solvers, t->model, &t->state, &t->input, &t->work);
        if (status < 0) {
            complain_kernel("step", status, t->work.report.fault, t->model, &t->state, &t->input);
            return 0;
        }
        t->touching += t->work.report.contacts > 0;
        t->unsolved += (status & (TAC_UNCONVERGED | TAC_RELAXED)) != 0;
        *trace = link_trace(*trace, tac_state_hash(t->model, &t->state));
    }
    return 1;
}

static int firmware_steps(twin *t, uint32_t steps)
{
    const int result = link_client_step_by(t->client, (uint16_t)steps, t->method, &t->last);

    if (result != LINK_DONE) {
        complain_link("step of the firmware", t->client, result);
    } else if (t->last.status < 0) {
        complain_kernel("step of the firmware", t->last.status, t->last.fault, t->model, NULL, &t->input);
    }
    return result == LINK_DONE && t->last.status >= 0;
}

// The steps since `before` differ somewhere: take them again one by one to find where.
static int find_difference(twin *t, const tac_state *before, uint32_t steps)
{
    uint64_t trace;

    if (twin_start(t, before) != TWIN_GOOD) return TWIN_FAILED;
    for (uint32_t i = 0; i < steps; i++) {
        t->differing = t->state.step + 1;
        if (!host_steps(t, 1, &trace) || !firmware_steps(t, 1)) return TWIN_FAILED;
        if (t->last.trace != trace) break;
    }
    return TWIN_DIFFERS;
}

static int step_request(twin *t, uint32_t steps)
{
    const tac_state before = t->state;
    uint64_t trace;

    if (!host_steps(t, steps, &trace)) return TWIN_FAILED;
    t->steps += steps;
    if (t->client == NULL) return TWIN_GOOD;

    if (!firmware_steps(t, steps)) return TWIN_FAILED;
    t->ticks_sum += (uint64_t)t->last.ticks_mean * steps;
    if (t->last.ticks_min < t->ticks_min) t->ticks_min = t->last.ticks_min;
    if (t->last.ticks_max > t->ticks_max) t->ticks_max = t->last.ticks_max;
    return t->last.trace == trace ? TWIN_GOOD : find_difference(t, &before, steps);
}

int twin_step(twin *t, uint32_t steps)
{
    int result = TWIN_GOOD;

    const uint32_t most = t->client == NULL ? LINK_MAX_STEPS : t->client->hello.max_steps;
    while (steps > 0 && result == TWIN_GOOD) {
        const uint32_t some = steps < most ? steps : most;
        result = step_request(t, some);
        steps -= some;
    }
    return result;
}

void twin_print(const twin *t)
{
    if (t->client == NULL || t->steps == 0) return;
    printf("firmware: %" PRIu64 " steps, same hash as the host's kernel after each of them\n", t->steps);
    printf("firmware: ticks of a step at %" PRIu32 " Hz: min %" PRIu32 ", mean %" PRIu64 ", max %" PRIu32 "\n",
           t->client->hello.tick_rate, t->ticks_min, t->ticks_sum / t->steps, t->ticks_max);
    printf("link: %" PRIu32 " requests had to be repeated\n", t->client->resent);
}
