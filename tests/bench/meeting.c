// SPDX-License-Identifier: MIT
// meeting.c - instructions of time to contact: of a cube and of a brick that are tossed; of the events and loads of the
// steps that follow.
#define TAC_MAX_BODIES 4
#define TAC_MAX_SHAPES 4
#define TAC_MAX_CONTACTS 8
#define TAC_PREDICT 1
#include "tactus.c"

#undef R
#include "markers.h"
#include "tap.h"
#include "truth.h"
#include "tactus/port.h"

enum { TOSSES = 60, STEPS = 60, ROOM = 16 };

MARK(cube)
MARK(brick)
MARK(events)
MARK(loads)

static tac_model m;
static tac_state s;
static tac_work w;
static tac_event list[ROOM];
static tac_events e;
static tac_loads loads;

static void toss(uint64_t seed, int brick)
{
    rng r = {seed};
    tac_model_init(&m);
    m.h = (tac_real)0.01;
    tac_model_add_material(&m, (tac_real)0.18, 0);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, rng_range(&r, 0.12, 0.3)));
    b.mass = (tac_real)0.37;
    b.inertia = brick ? vec(0.0006, 0.0008, 0.0011) : vec(0.00081, 0.00081, 0.00081);
    b.pose.q = dq_to(rng_quat(&r));
    b.velocity = (tac_twist){d3_to(rng_box(&r, 1.5)), d3_to(rng_box(&r, 10))};
    tac_model_add_body(&m, &b);
    const tac_shape floor = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    const tac_shape box = tac_shape_make(1, TAC_BOX, vec(0.0524, 0.0524, 0.0524));
    tac_model_add_shape(&m, &floor);
    tac_model_add_shape(&m, &box);
}

int main(void)
{
    uint32_t met = 0, told = 0;
    for (uint64_t seed = 1; seed <= TOSSES; seed++) {
        const int brick = seed % 2 == 0;
        const tac_meeting_query q = {.horizon = 2, .body = 1, .looks = 200, .parts = 1};
        tac_meeting found;
        toss(seed, brick);
        if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { continue; }
        if (brick) {
            mark_brick_begin();
            met += tac_time_to_contact(&m, &s, NULL, &q, &w, NULL, &found) == TAC_OK;
            mark_brick_end();
        } else {
            mark_cube_begin();
            met += tac_time_to_contact(&m, &s, NULL, &q, &w, NULL, &found) == TAC_OK;
            mark_cube_end();
        }
        tac_events_begin(&m, &s, list, ROOM, &e);
        for (int k = 0; k < STEPS; k++) {
            tac_step(&m, &s, NULL, &w);
            mark_events_begin();
            tac_events_step(&m, &s, &w, &e);
            mark_events_end();
            mark_loads_begin();
            tac_loads_step(&m, &s, &w, &loads);
            mark_loads_end();
        }
        told += e.count > 0;
    }
    tap_equal(met, TOSSES, "each toss is foreseen");
    tap_equal(told, TOSSES, "and has events");
    return tap_done();
}
