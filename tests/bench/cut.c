// SPDX-License-Identifier: MIT
// cut.c - instructions of steps that are cut, and of the same steps uncut: a quadruped that lands and stands.
#define TAC_MAX_BODIES 14
#define TAC_MAX_SHAPES 8
#define TAC_MAX_CONTACTS 8
#define TAC_MAX_JOINTS 12
#include "tactus.c"

#undef R // the scenes have their own, which takes more than literals
#include "robots.c"

#include "markers.h"
#include "tap.h"
#include "tactus/port.h"

MARK(cut0)
MARK(uncut0)
MARK(cut2)
MARK(uncut2)

enum { STEPS = 150 };

static tac_model model;
static tac_state state, twin;
static tac_work work_area;
static tac_input input;

// The run goes on from the cut step; the uncut one starts from the same state.
static void count(uint32_t budget)
{
    const scene *s = robot_find("stand");
    int bad = s == NULL || s->build(&model) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK;
    for (uint32_t i = 0; i < STEPS && !bad; i++) {
        s->drive(&model, i, &input);
        twin = state;
        if (budget == 0) {
            mark_uncut0_begin();
        } else {
            mark_uncut2_begin();
        }
        bad |= tac_step(&model, &twin, &input, &work_area) < 0;
        if (budget == 0) {
            mark_uncut0_end();
            mark_cut0_begin();
        } else {
            mark_uncut2_end();
            mark_cut2_begin();
        }
        bad |= tac_step_begin(&model, &state, &input, &work_area) < 0;
        bad |= budget > 0 && tac_step_sweep(&model, &work_area, budget) < 0;
        bad |= tac_step_end(&model, &state, &work_area) < 0;
        if (budget == 0) {
            mark_cut0_end();
        } else {
            mark_cut2_end();
        }
    }
    tap_ok(!bad, "all steps are taken");
}

int main(void)
{
    port_init();
    count(0);
    count(2);
    return tap_done();
}
