// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_BODIES=14 -DTAC_MAX_SHAPES=8 -DTAC_MAX_CONTACTS=8 -DTAC_MAX_JOINTS=12
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// The default tables of rows and paths have room for a robot with eight contacts, all of whose motors and joints are
// bounded: a quadruped on four feet that are capsules and lie. Its steps stay on the trees.
#include "robots.h"
#include "tap.h"

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input input;

// Feet that touch the floor at both ends; bounds that are not reached, and dry friction, in each joint.
static tac_status lie(const scene *robot)
{
    if (robot->build(&m) != TAC_OK) { return TAC_E_MODEL; }
    for (uint16_t i = 0; i < m.shapes; i++) {
        tac_shape *s = &m.shape[i];
        if (s->kind != TAC_SPHERE) { continue; }
        s->kind = TAC_CAPSULE;
        s->size.z = (tac_real)0.02;
        s->pose.q = (tac_quat){(tac_real)0.70710678118654752, (tac_real)0.70710678118654752, 0, 0};
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        m.joint[i].effort = 40;
        m.joint[i].lower = -1;
        m.joint[i].upper = 1;
        m.joint[i].friction = (tac_real)0.01;
    }
    return tac_model_seal(&m, NULL);
}

int main(void)
{
    const scene *robot = robot_find("stand");
    int full = 0, left = 0;
    double worst = 0.0;
    tac_status status = lie(robot);
    if (status == TAC_OK) { status = tac_state_init(&m, &state, NULL); }
    tap_equal(status, TAC_OK, "a quadruped on lying feet");
    tap_equal(TAC_MAX_REDUCED, 3 * 8 + 12, "the default table: three rows a contact, one a joint");
    for (uint32_t k = 0; k < (uint32_t)RUN(500, 50) && status >= 0; k++) {
        robot->drive(&m, k, &input);
        status = tac_step(&m, &state, &input, &w);
        full += w.report.contacts == 8 && w.report.dropped == 0;
        if (!((double)w.report.residual <= worst)) { worst = (double)w.report.residual; }
        for (int i = 0; i < w.report.stages; i++) { left += w.report.stage[i].op != TAC_OPERATOR_TREES; }
    }
    tap_least(status, 0, "it is stepped");
    tap_least(full, RUN(450, 40), "steps with eight contacts");
    tap_equal(left, 0, "no stage leaves the trees");
    tap_most(worst, TOL(1e-4, 1e-3), "the largest residual");
    return tap_done();
}
