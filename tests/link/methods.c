// SPDX-License-Identifier: MIT
// config: all
// Steps by other methods on the link: the same bits as without one; what is kept between steps; what is refused.
#include "pair.h"
#include "robots.h"
#include "tap.h"
#include "truth.h"

static link_client client;
static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;
static tac_lcp lcp;
static tac_dae dae;

static void open_model(void)
{
    pair_open(&client, (pair_damage){0}, 1);
    tac_state_init(&model, &state, NULL);
    tap_equal(link_client_hello(&client), LINK_DONE, "hello");
    tap_equal(link_client_set_model(&client, &model), LINK_DONE, "a model");
}

static void open_world(void)
{
    pair_build_world(&model);
    open_model();
    pair_drive(0, &input);
    tap_equal(link_client_set_input(&client, &input), LINK_DONE, "an input");
}

// Five links, nothing that they could touch.
static void open_chain(void)
{
    robot_find("chain")->build(&model);
    tac_model_seal(&model, NULL);
    open_model();
}

static void steps(uint16_t count, link_method method, uint64_t trace, const char *name)
{
    link_stepped stepped;
    tap_equal(link_client_step_by(&client, count, method, &stepped), LINK_DONE, name);
    tap_equal(stepped.done, count, "all are taken");
    tap_hash(stepped.hash, tac_state_hash(&model, &state), "to the bit");
    tap_hash(stepped.trace, trace, "each of them");
}

static void test_lcp(uint8_t kind, const char *name)
{
    enum { STEPS = 30 };
    uint64_t trace = LINK_TRACE_START;
    open_world();
    tac_lcp_init(&lcp);
    lcp.directions = 4;
    lcp.method = kind == LINK_METHOD_LCP ? TAC_LCP_LEMKE : TAC_LCP_SWEEPS;
    for (int i = 0; i < STEPS; i++) {
        tac_step_lcp(&model, &state, &input, &work, &lcp);
        trace = link_trace(trace, tac_state_hash(&model, &state));
    }
    steps(STEPS, (link_method){kind, 4, 0}, trace, name);
}

// In two requests: what the integrator keeps passes from one to the next.
static void test_dae(uint8_t kind, tac_real damping, const char *name)
{
    enum { STEPS = 10 };
    const link_method method = {(uint8_t)(LINK_METHOD_DAE + kind), 0, damping};
    open_chain();
    tac_dae_init(&dae);
    dae.method = kind;
    if (kind == TAC_DAE_HHT) { dae.alpha = damping; }
    if (kind == TAC_DAE_GENERALISED_ALPHA) { dae.rho_inf = damping; }
    if (kind == TAC_DAE_NEWMARK) {
        dae.gamma = damping;
        dae.beta = (damping + (tac_real)0.5) * (damping + (tac_real)0.5) / 4;
    }
    for (int request = 0; request < 2; request++) {
        uint64_t trace = LINK_TRACE_START;
        for (int i = 0; i < STEPS; i++) {
            tap_ok(tac_step_dae(&model, &state, NULL, &work, &dae) >= 0, "a step here");
            trace = link_trace(trace, tac_state_hash(&model, &state));
        }
        steps(STEPS, method, trace, name);
    }
}

static void refused(link_method method, const char *name)
{
    link_stepped stepped;
    const uint64_t before = tac_state_hash(&pair_model, &pair_state);
    tap_equal(link_client_step_by(&client, 1, method, &stepped), LINK_REFUSED, name);
    tap_equal(client.error.reason, LINK_E_RANGE, "for its range");
    tap_hash(tac_state_hash(&pair_model, &pair_state), before, "nothing has moved");
}

static void test_refused(void)
{
    link_stepped stepped;
    open_world();
    refused((link_method){LINK_METHODS, 4, 0}, "no such method");
    refused((link_method){LINK_METHOD_LCP, 2, 0}, "two directions");
    refused((link_method){LINK_METHOD_LCP, 18, 0}, "eighteen");
    refused((link_method){LINK_METHOD_DAE + TAC_DAE_HHT, 0, (tac_real)-0.34}, "alpha below -1/3");
    refused((link_method){LINK_METHOD_DAE + TAC_DAE_GENERALISED_ALPHA, 0, 2}, "rho_inf above 1");
    refused((link_method){LINK_METHOD_DAE + TAC_DAE_NEWMARK, 0, real_nan()}, "gamma that is no number");
    tap_equal(link_client_step_by(&client, 1, (link_method){LINK_METHOD_DAE, 0, 0}, &stepped), LINK_REFUSED,
              "shapes that may collide, joints with friction");
    tap_ok(client.error.reason == LINK_E_KERNEL && client.error.status == TAC_E_MODEL, "by the kernel");
    tap_equal(link_client_step_by(&client, 3, (link_method){0}, &stepped), LINK_DONE, "steps of the cone program");
    for (int i = 0; i < 3; i++) { tac_step(&model, &state, &input, &work); }
    tap_hash(stepped.hash, tac_state_hash(&model, &state), "are those of tac_step()");
}

int main(void)
{
    test_lcp(LINK_METHOD_LCP, "steps of T03");
    test_lcp(LINK_METHOD_LCP_SWEEPS, "by sweeps");
    test_dae(TAC_DAE_EULER, 0, "implicit Euler");
    test_dae(TAC_DAE_NEWMARK, (tac_real)0.6, "Newmark, gamma 0.6");
    test_dae(TAC_DAE_HHT, (tac_real)-0.3, "HHT, alpha -0.3");
    test_dae(TAC_DAE_GENERALISED_ALPHA, (tac_real)0.5, "generalised alpha, rho_inf 0.5");
    test_refused();
    return tap_done();
}
