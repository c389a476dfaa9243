// SPDX-License-Identifier: MIT
// config: room
// variants: clang-O0-32 san-Og-64
// The smooth integrators where TAC_MAX_FILL has room for two joints: three are refused by name, and MINRES needs none.
#include "mechanism.h"

static tac_dae dae;
static tac_state before;

static void chain(int links, uint8_t solver)
{
    begin(TAC_SOLVER_ACCELERATED, 1e-3, 9.81);
    tac_dae_init(&dae);
    dae.solver = solver;
    for (int i = 0; i < links; i++) {
        add_body(i + 0.5, 0, 1, 0.1);
        tac_joint *j = add_joint(TAC_REVOLUTE, (uint16_t)i, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p.x = (tac_real)(i > 0 ? 0.5 : 0), j->frame_b.p.x = (tac_real)-0.5;
    }
    begin_world(&m, &s);
}

int main(void)
{
    chain(2, TAC_DAE_SPARSE);
    tap_equal(tac_step_dae(&m, &s, &input, &w, &dae), TAC_OK, "two joints have room");
    chain(3, TAC_DAE_SPARSE);
    truth_copy(&before, &s, sizeof s);
    tap_equal(tac_step_dae(&m, &s, &input, &w, &dae), TAC_E_FULL, "three have none");
    tap_equal(w.report.fault.field, TAC_FIELD_JOINT, "the fault names joints");
    tap_equal(w.report.fault.index, 3, "how many they are");
    tap_equal(w.report.fault.reason, TAC_REASON_FULL, "and that it is room");
    tap_ok(truth_equal(&before, &s, sizeof s), "nothing changes");
    chain(3, TAC_DAE_MINRES);
    const double start = energy();
    double apart = 0;
    for (int i = 0; i < 500; i++) {
        if (tac_step_dae(&m, &s, &input, &w, &dae) != TAC_OK) { tap_ok(0, "a step is taken"); }
        d_worst(&apart, (double)dae.error);
    }
    tap_most(apart, TOL(1e-12, 1e-6), "MINRES needs no room: three joints hold, m");
    tap_most(d_abs(energy() - start), TOL(1e-3, 1e-2), "and keep their energy, J");
    return tap_done();
}
