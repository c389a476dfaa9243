// SPDX-License-Identifier: MIT
// refresh.c - instructions of a plan of 8 roll-outs of 20 steps of 10 ms on a quadruped that trots: full steps, and
// steps that share a refresh of the dynamics.
#define TAC_MAX_BODIES 14
#define TAC_MAX_SHAPES 8
#define TAC_MAX_CONTACTS 8
#define TAC_MAX_JOINTS 12
#define TAC_PREDICT 1
#include "tactus.c"

#undef R // the scenes have their own, which takes more than literals
#include "robots.c"

#include "markers.h"
#include "tap.h"
#include "tactus/port.h"

enum { CANDIDATES = 8, STEPS_AHEAD = 20, BEGIN = 100 };

MARK(full)
MARK(every_1)
MARK(every_2)
MARK(every_5)
MARK(refresh)
MARK(step)

static tac_model model;
static tac_state now, ahead;
static tac_work work_area;
static tac_input input, trot_input[STEPS_AHEAD];
static tac_refresh first, kept;
static const uint16_t foot[] = {2, 3, 4, 5};

// The trot, with knees that each candidate moves by its own part.
static void drive(uint32_t step, int candidate)
{
    input = trot_input[step];
    for (uint32_t i = 0; i < input.motors; i += 3) { input.motor[i].position += R(0.01) * R(candidate); }
}

static int full(int candidate)
{
    int bad = 0;
    ahead = now;
    for (uint32_t i = 0; i < STEPS_AHEAD; i++) {
        drive(i, candidate);
        bad |= tac_step(&model, &ahead, &input, &work_area) < 0;
    }
    return bad;
}

static int refreshed(int candidate, const refresh_options *o)
{
    int bad = 0;
    ahead = now;
    if (candidate == 0) {
        refresh_begin(&kept);
    } else {
        refresh_copy(&first, &kept);
    }
    for (uint32_t i = 0; i < STEPS_AHEAD; i++) {
        drive(i, candidate);
        if (kept.left == 0) {
            mark_refresh_begin();
            bad |= !refresh_make(&model, &ahead, &input, o, &work_area, &kept);
            mark_refresh_end();
            if (i == 0) { refresh_copy(&kept, &first); }
        }
        mark_step_begin();
        bad |= refresh_step(&model, &input, o, &ahead, &work_area, &kept);
        mark_step_end();
    }
    return bad;
}

// All candidates, with contacts of the feet alone.
static int plan(uint16_t every)
{
    const refresh_options o = {foot, sizeof foot / sizeof *foot, every};
    int bad = 0;
    for (int i = 0; i < CANDIDATES; i++) { bad |= refreshed(i, &o); }
    return bad;
}

int main(void)
{
    const scene *s = robot_find("trot");
    port_init();
    int bad = s->build(&model) != TAC_OK || tac_state_init(&model, &now, NULL) != TAC_OK;
    for (uint32_t i = 0; i < BEGIN && !bad; i++) {
        s->drive(&model, i, &input);
        bad = tac_step(&model, &now, &input, &work_area) < 0;
    }
    model.h = R(0.01);
    bad |= tac_model_seal(&model, NULL) != TAC_OK;
    now.model_hash = model.hash;
    for (uint32_t i = 0; i < STEPS_AHEAD; i++) { s->drive(&model, BEGIN + 10 * i, &trot_input[i]); }
    mark_full_begin();
    for (int i = 0; i < CANDIDATES; i++) { bad |= full(i); }
    mark_full_end();
    mark_every_1_begin();
    bad |= plan(1);
    mark_every_1_end();
    mark_every_2_begin();
    bad |= plan(2);
    mark_every_2_end();
    mark_every_5_begin();
    bad |= plan(5);
    mark_every_5_end();
    tap_ok(!bad, "all steps are taken");
    return tap_done();
}
