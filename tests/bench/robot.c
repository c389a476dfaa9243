// SPDX-License-Identifier: MIT
// robot.c - instructions of a robot's step, whole and in its three parts: a quadruped that stands and that trots, and a
// chain of five links; without memory for a matrix. tests/bench/robot says which STEPS.
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

// A whole step, and its begin, each sweep and its end.
#define MARKS(robot) MARK(robot) MARK(robot##_begin) MARK(robot##_sweep) MARK(robot##_end)
MARKS(stand)
MARKS(trot)
MARKS(chain)

typedef void marker(void);
typedef struct {
    const char *scene;
    marker *step, *stepped, *begin, *begun, *sweep, *swept, *end, *ended;
} robot;

#define MARKED(part) mark_##part##_begin, mark_##part##_end
static const robot counted[] = {
    {"stand", MARKED(stand), MARKED(stand_begin), MARKED(stand_sweep), MARKED(stand_end)},
    {"trot", MARKED(trot), MARKED(trot_begin), MARKED(trot_sweep), MARKED(trot_end)},
    {"chain", MARKED(chain), MARKED(chain_begin), MARKED(chain_sweep), MARKED(chain_end)},
};

static tac_model model;
static tac_state whole, sliced;
static tac_work work_area;
static tac_input input;
static const tac_input nothing;

static tac_status take_whole(const robot *r)
{
    r->step();
    const tac_status status = tac_step(&model, &whole, &input, &work_area);
    r->stepped();
    return status;
}

static tac_status take_slices(const robot *r)
{
    r->begin();
    tac_status status = tac_step_begin(&model, &sliced, &input, &work_area);
    r->begun();
    for (uint32_t i = 0; i < model.options.max_sweeps && (status == TAC_UNCONVERGED || i == 0); i++) {
        r->sweep();
        status = tac_step_sweep(&model, &work_area, 1);
        r->swept();
    }
    r->end();
    status = tac_step_end(&model, &sliced, &work_area);
    r->ended();
    return status;
}

static void count(const robot *r)
{
    const scene *s = robot_find(r->scene);
    int bad = s == NULL || s->build(&model) != TAC_OK || tac_state_init(&model, &whole, NULL) != TAC_OK;
    sliced = whole;
    input = nothing;
    for (uint32_t i = 0; i < STEPS && !bad; i++) {
        if (s->drive != NULL) { s->drive(&model, i, &input); }
        bad = take_whole(r) < 0 || take_slices(r) < 0;
    }
    tap_ok(!bad, tap_joined(r->scene, "takes all steps"));
    tap_hash(tac_state_hash(&model, &sliced), tac_state_hash(&model, &whole),
             tap_joined(r->scene, "in slices has the same bits"));
}

int main(void)
{
    port_init();
    for (unsigned i = 0; i < sizeof counted / sizeof *counted; i++) { count(&counted[i]); }
    return tap_done();
}
