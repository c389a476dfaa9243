// SPDX-License-Identifier: MIT
// config: all
// The implicit step in a kernel that has joints: a model with one is refused by name; without any a ball stops spinning
// on time.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state s, old;
static tac_work w;
static tac_ncp q;

static uint16_t ball(void)
{
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1)),
                    sphere = tac_shape_make(1, TAC_SPHERE, vec(1, 0, 0));
    tac_model_init(&m);
    tac_ncp_init(&q);
    m.h = (tac_real)0.07;
    tac_model_add_material(&m, (tac_real)0.2, 0);
    m.material[0].spinning = (tac_real)(0.2 * 0.4);
    tac_model_add_shape(&m, &ground);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 1));
    b.inertia = vec(0.4, 0.4, 0.4);
    b.velocity.w = vec(0, 0, 1.962);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    tac_model_add_shape(&m, &sphere);
    return body;
}

static void test_joint(void)
{
    tac_joint j;
    const uint16_t b = ball();
    tac_joint_init(&j, TAC_REVOLUTE, 0, b);
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    truth_copy(&old, &s, sizeof s);
    tap_equal(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_E_ARG, "a model with a joint is refused");
    tap_ok(truth_equal(&s, &old, sizeof s), "and nothing changes");
    tap_equal(w.report.fault.field, TAC_FIELD_COUNT, "the fault is a count");
    tap_equal(w.report.fault.index, TAC_COUNT_JOINTS, "that of joints");
    tap_equal(w.report.fault.reason, TAC_REASON_METHOD, "which this method is not for");
}

static void test_ball(void)
{
    double residual = 0, rate = 0;
    const uint16_t b = ball();
    begin_world(&m, &s);
    for (int i = 1; i <= 17; i++) {
        tap_equal(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_OK, "a ball takes a step");
        d_worst(&residual, (double)q.residual.newton_euler);
        d_worst(&rate, (double)s.twist[b].w.z - d_max(1.962 - 0.07 * 1.962 * i, 0));
    }
    tap_most(residual, TOL(1e-9, 1e-4), "its equations hold");
    tap_most(rate, TOL(1e-9, 1e-5), "and it stops on time");
}

int main(void)
{
    test_joint();
    test_ball();
    return tap_done();
}
