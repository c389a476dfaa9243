// SPDX-License-Identifier: MIT
// a1.c - a robot from its URDF file stands by motors; at every budget of sweeps it sags and does not fall apart.
//   given   -DMODEL='"FILE"', the model that urdf2tactus wrote as `robot_model`
//   makes   TAP
//   bound   2000 steps at default options, CUT steps at each budget
//   never   counts instructions: a sweep is the unit of what a cut step saves
#include MODEL
#include "tap.h"
#include "truth.h"
#include <string.h>

enum { STEPS = 2000, CUT = 150 };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;

static void begin(void)
{
    memcpy(&m, &robot_model, sizeof m);
    memset(&input, 0, sizeof input);
    tap_equal(tac_model_seal(&m, NULL), TAC_OK, "the model is taken");
    tap_equal(tac_state_init(&m, &s, NULL), TAC_OK, "and its state");
    for (uint32_t i = 0; i < m.joints; i++) {
        tac_joint_state x;
        tac_state_get_joint(&m, &s, i, &x);
        input.motor[input.motors++] = (tac_motor){x.position, 0, 0, 200, 5, (uint16_t)i, TAC_MOTOR_PD};
    }
}

static void test_stands(void)
{
    int flagged = 0, refused = 0;
    double sweeps = 0;
    begin();
    for (int k = 0; k < STEPS; k++) {
        const tac_status status = tac_step(&m, &s, &input, &w);
        refused += status < 0;
        flagged += (status & (TAC_UNCONVERGED | TAC_RELAXED)) != 0;
        sweeps += w.report.sweeps;
    }
    tap_note("contacts", w.report.contacts);
    tap_note("sweeps a step", sweeps / STEPS);
    tap_note("steps flagged", flagged);
    tap_equal(refused, 0, "it stands");
    tap_least((double)s.pose[1].p.z, 0.15, "on its feet, m");
    tap_most(flagged, STEPS / 100, "one step of a hundred is not solved at most");
}

static void test_cut(uint32_t budget)
{
    int refused = 0;
    double apart = 0, low = 1, spent = 0;
    begin();
    const double start = (double)s.pose[1].p.z;
    for (int k = 0; k < CUT; k++) {
        refused += tac_step_begin(&m, &s, &input, &w) < 0;
        refused += budget > 0 && tac_step_sweep(&m, &w, budget) < 0;
        refused += tac_step_end(&m, &s, &w) < 0 || tac_check(&m, &s, &w, NULL) != TAC_OK;
        d_worst(&apart, (double)w.report.joint_error);
        d_worst(&spent, w.report.sweeps);
        low = d_min(low, (double)s.pose[1].p.z);
    }
    tap_equal(refused, 0, tap_numbered("all finite and whole, sweeps:", budget));
    tap_most(apart, TOL(1e-9, 1e-4), "joints stay together, m");
    tap_most(start - low, 0.2, "it sags, m");
    tap_most(spent, budget > 0 ? budget : 1, "sweeps of a step, one where there are none");
}

int main(void)
{
    test_stands();
    for (uint32_t budget = 0; budget <= robot_model.options.max_sweeps; budget++) { test_cut(budget); }
    return tap_done();
}
