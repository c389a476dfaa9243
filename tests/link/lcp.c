// SPDX-License-Identifier: MIT
// config: lcp
// Steps of T03 on the link: the same bits as without one, by either method; what is refused.
#include "pair.h"
#include "tap.h"
#include "truth.h"

static link_client client;
static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;
static tac_lcp lcp;

static void open_world(void)
{
    pair_open(&client, (pair_damage){0}, 1);
    pair_build_world(&model);
    tac_state_init(&model, &state, NULL);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "a model");
}

static void test_steps(uint8_t method)
{
    link_stepped stepped;
    uint64_t trace = LINK_TRACE_START;
    enum { STEPS = 30 };
    open_world();
    pair_drive(0, &input);
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "an input");
    tap_equal(link_client_step_by(&client, STEPS, (link_method){method, 4}, &stepped), LINK_DONE, "steps of T03");
    tac_lcp_init(&lcp);
    lcp.directions = 4;
    lcp.method = method == LINK_METHOD_LCP ? TAC_LCP_LEMKE : TAC_LCP_SWEEPS;
    for (int i = 0; i < STEPS; i++) {
        tac_step_lcp(&model, &state, &input, &work, &lcp);
        trace = link_trace(trace, tac_state_hash(&model, &state));
    }
    tap_equal(stepped.done, STEPS, "all are taken");
    tap_hash(stepped.hash, tac_state_hash(&model, &state), "to the bit");
    tap_hash(stepped.trace, trace, "each of them");
}

static void test_refused(void)
{
    link_stepped stepped;
    open_world();
    const uint64_t before = tac_state_hash(&pair_model, &pair_state);
    tap_equal(link_client_step_by(&client, 1, (link_method){LINK_METHODS, 4}, &stepped), LINK_REFUSED, "no such method");
    tap_equal(client.error.reason, LINK_E_RANGE, "for its range");
    tap_equal(link_client_step_by(&client, 1, (link_method){LINK_METHOD_LCP, 5}, &stepped), LINK_REFUSED, "five directions");
    tap_equal(link_client_step_by(&client, 1, (link_method){LINK_METHOD_LCP, 18}, &stepped), LINK_REFUSED, "eighteen");
    tap_hash(tac_state_hash(&pair_model, &pair_state), before, "nothing has moved");
    tap_equal(link_client_step_by(&client, 3, (link_method){LINK_METHOD_CCP, 4}, &stepped), LINK_DONE, "steps of the cone program");
    for (int i = 0; i < 3; i++) { tac_step(&model, &state, NULL, &work); }
    tap_hash(stepped.hash, tac_state_hash(&model, &state), "are those of tac_step()");
}

int main(void)
{
    test_steps(LINK_METHOD_LCP);
    test_steps(LINK_METHOD_LCP_SWEEPS);
    test_refused();
    return tap_done();
}
