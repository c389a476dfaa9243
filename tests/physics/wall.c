// SPDX-License-Identifier: MIT
// config: large
// variants: gcc-O2-32 gcc-O2-64 clang-O0-32
// A wall of 100 bricks (S5): no brick moves more than 2.5 mm. Here for 0.25 s; `make figures-geometry` takes the
// three that the scene is defined for, and lets it stand as hulls too.
#include "wall.h"

// A sweep moves little long before the residual of a wall is small. Steps that are not solved have spent all sweeps.
static void test_agreed(void)
{
    int early = 0;
    wall_build(TAC_BOX);
    wall_model.options.tolerance = (tac_real)1e-3;
    begin_world(&wall_model, &wall_state);
    for (int k = 0; k < 50; k++) {
        const tac_status status = shapes_step(&wall_model, &wall_state, NULL, &wall_work);
        early += status & TAC_UNCONVERGED && wall_work.report.sweeps < wall_model.options.max_sweeps;
    }
    tap_equal(early, 0, "no sweeps are left where a step is not solved");
}

int main(void)
{
    const wall r = wall_stand(TAC_BOX, 0.25);
    tap_note("largest displacement, m", r.moved);
    tap_note("kinetic energy, J", r.kinetic);
    tap_note("sweeps a step", r.sweeps);
    tap_note("contacts", r.contacts);
    tap_note("steps that did not converge", r.unconverged);
    tap_most(r.moved, 2.5e-3, "S5 no brick moves more than 2.5 mm");
    tap_most(r.penetration, 1e-3, "S5 nothing sinks");
    tap_equal(r.dropped, 0, "S5 all contacts have room");
    tap_equal(tac_check(&wall_model, &wall_state, &wall_work, NULL), TAC_OK, "S5 all invariants hold at the end");
    test_agreed();
    return tap_done();
}
