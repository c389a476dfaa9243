// SPDX-License-Identifier: MIT
// driving.h - mechanisms that something drives: a run that watches the joints, couplings, wheels, motors.
//   given   the world of mechanism.h
//   makes   run(), couple(), wheels(), drive()
//   bound   the steps asked for
//   never   passes over a step that is not good
#ifndef DRIVING_H
#define DRIVING_H

#include "mechanism.h"
#include <math.h>

// Runs so many steps; notes the worst joint and complains about a step that is not good.
static inline double run(int steps)
{
    double apart = 0.0;
    for (int i = 0; i < steps; i++) {
        if (tac_step(&m, &s, &input, &w) != TAC_OK) { tap_ok(0, "a step is taken as it should be"); }
        d_worst(&apart, (double)w.report.joint_error);
    }
    return apart;
}

static inline tac_joint *couple(uint16_t a, uint16_t b, double ratio)
{
    tac_joint *j = add_joint(TAC_COUPLING, a, b);
    j->length = (tac_real)ratio;
    j->lower = j->upper = 0;
    return j;
}

// Wheels on the ground, of these inertias.
static inline void wheels(uint8_t solver, double one, double other)
{
    begin(solver, 1e-3, 0.0);
    for (uint16_t i = 1; i <= 2; i++) {
        add_body(0.3 * i, 0, 1, i == 1 ? one : other);
        add_joint(TAC_REVOLUTE, 0, i)->frame_a.p.x = (tac_real)(0.3 * i);
    }
}

static inline void drive(uint16_t joint, uint16_t kind, double target, double effort)
{
    tac_motor *a = &input.motor[input.motors++];
    *a = (tac_motor){(tac_real)target, (tac_real)target, (tac_real)effort, 0, 0, joint, kind};
}

#endif
