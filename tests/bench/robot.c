// SPDX-License-Identifier: MIT
// robot.c - instructions of a step of the quadruped, standing and trotting, without memory for a matrix.
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

MARK(stand)
MARK(trot)

enum { STEPS = 400 };

static tac_model model;
static tac_state state;
static tac_work work_area;
static tac_input input;

static void count(const char *name, int trots)
{
    const scene *s = robot_find(name);
    int bad = s == NULL || s->build(&model) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK;
    for (uint32_t i = 0; i < STEPS && !bad; i++) {
        s->drive(&model, i, &input);
        if (trots) {
            mark_trot_begin();
        } else {
            mark_stand_begin();
        }
        bad |= tac_step(&model, &state, &input, &work_area) < 0;
        if (trots) {
            mark_trot_end();
        } else {
            mark_stand_end();
        }
    }
    tap_ok(!bad, name);
}

int main(void)
{
    port_init();
    count("stand", 0);
    count("trot", 1);
    return tap_done();
}
