// SPDX-License-Identifier: MIT
// joints.c - fills the table of joints of the configuration it is compiled for with chains of ten, motors on all, and
// steps.
#include "tactus/tactus.h"

static tac_model model;
static tac_state state;
static tac_work work;
static tac_input input;

int main(void)
{
    tac_model_init(&model);
    model.options.solver = TAC_SOLVER_DIRECT;
    for (uint16_t i = 0; i < TAC_MAX_JOINTS; i++) {
        const tac_body b = tac_body_make(TAC_DYNAMIC, (tac_vec3){(tac_real)i, 0, 0});
        tac_joint j;
        if (tac_model_add_body(&model, &b) < 0) { return 1; }
        tac_joint_init(&j, i % 10 > 0 ? TAC_REVOLUTE : TAC_FIXED, i % 10 > 0 ? i : 0, (uint16_t)(i + 1));
        j.frame_a.p.x = (tac_real)(i % 10 > 0 ? 1 : i);
        if (tac_model_add_joint(&model, &j) < 0) { return 2; }
        if (i % 10 == 0) { continue; }
        input.motor[input.motors++] = (tac_motor){0, 1, 0, 0, 0, i, TAC_MOTOR_VELOCITY};
    }
    const tac_body b = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 0});
    tac_joint j;
    tac_joint_init(&j, TAC_FIXED, 0, 1);
    if (tac_model_add_joint(&model, &j) >= 0 || tac_model_add_body(&model, &b) >= 0) { return 3; }
    model.hash = 0; // what has found room is enough
    if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) { return 4; }
    for (int i = 0; i < 3; i++) {
        const tac_status status = tac_step(&model, &state, &input, &work);
        if (status < 0) { return 5; }
        if (tac_check(&model, &state, &work, NULL) != TAC_OK) { return 6; }
        if (!(work.report.joint_error <= (tac_real)2e-3)) { return 7; } // of coordinates of kilometres, in float
    }
    return 0;
}
