// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same for what a predictor is told: events and loads of each step, and when each body first touches, every few
// steps. The hash is that of all answers.
#include "answers.h"
#include "robots.h"
#include "tap.h"

enum { ROOM = 64, EVERY = 20 };

static const char *const library[] = {"trot", "gripper", "rover", "hand"};

enum { GOLDEN_LIBRARY = sizeof library / sizeof library[0] };

static tac_event list[ROOM];
static tac_events events;
static tac_loads loads;
static tac_ahead ahead;
static tac_work scratch;

static void add_events(void)
{
    for (uint32_t i = 0; i < events.count; i++) {
        const tac_event *x = &list[i];
        add_number(x->step << 16 | x->kind);
        add_real(x->time);
        add_number((uint64_t)x->shape_a << 32 | (uint64_t)x->shape_b << 16 | x->joint);
    }
    events.count = 0;
}

static void ask_meeting(const tac_model *model, const tac_state *state, const tac_input *input)
{
    for (uint16_t i = 1; i < model->bodies; i += 3) {
        const tac_meeting_query q = {.horizon = 4 * model->h, .body = i, .looks = 60, .parts = 2};
        tac_meeting found;
        const tac_status status = tac_time_to_contact(model, state, input, &q, &scratch, &ahead, &found);
        add_number((uint64_t)(int64_t)status);
        if (status < 0) { continue; }
        add_real(found.time), add_real(found.gap);
        add_real(found.point.x), add_real(found.n.z);
        add_number((uint64_t)found.other << 32 | (uint64_t)found.looks << 16 | found.steps);
    }
}

static tac_status event_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    if (state->step == 0) {
        answers = ANSWERS_START;
        tac_events_begin(model, state, list, ROOM, &events);
        loads = (tac_loads){{{{0, 0, 0}, {0, 0, 0}, 0, 0, 0}}};
    }
    if (state->step % EVERY == 0) { ask_meeting(model, state, input); }
    const tac_status status = tac_step(model, state, input, work);
    if (status < 0) { return status; }
    add_number((uint64_t)(int64_t)tac_events_step(model, state, work, &events));
    add_number((uint64_t)(int64_t)tac_loads_step(model, state, work, &loads));
    add_events();
    return status;
}

static uint64_t event_hash(const tac_model *model, const tac_state *state)
{
    for (uint32_t i = 0; i < model->shapes; i++) {
        const tac_load *x = &loads.shape[i];
        add_real(x->impulse.x), add_real(x->impulse.z);
        add_real(x->work), add_real(x->peak);
    }
    add_number(tac_state_hash(model, state));
    return answers;
}

static const scene *event_scene(unsigned i)
{
    return robot_find(library[i]);
}

#define GOLDEN_TABLE "golden_events.h"
#define GOLDEN_SCENE event_scene
#define GOLDEN_STEP event_step
#define GOLDEN_HASH event_hash
#define GOLDEN_COUNT GOLDEN_LIBRARY
#define GOLDEN_FIND robot_find
#define GOLDEN_MOST 60
#define GOLDEN_ABSENT 0
#include "golden.c"
