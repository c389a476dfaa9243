// SPDX-License-Identifier: MIT
// planner.c - plans that a task makes and one above it follows, whenever a timer lets it: of one plan, at its age.
#include "planner.h"
#include "tap.h"
#include "tasks.h"

#define PERIODS 4000u
#define RATE 10007u // Hz: it slides along the planner's loop
#define CHANNELS 12
#define KNOTS 4
#define OLDEST 50u // periods
#define STARVED 1000u

static tac_channel channel[CHANNELS];
static tac_real value[4][KNOTS * CHANNELS];
static tac_plan rest, plan;
static planner p;
static tac_state state;
static volatile uint32_t period;
static volatile int handing; // the planner is in planner_hand()
static uint32_t plans;

static struct {
    uint32_t mixed, wrong_age, older, followed;
    uint32_t inside;  // periods that began within a hand-over
    uint32_t starved; // periods at rest while the planner was not let run
} seen;

static tac_plan plan_of(tac_real *values)
{
    const tac_plan made = {.channel = channel, .value = values, .spacing = 1, .knots = KNOTS, .channels = CHANNELS};
    return made;
}

static void look(uint32_t age, const tac_input *input)
{
    static uint32_t last;
    const uint32_t number = (uint32_t)input->motor[0].position;
    for (unsigned i = 1; i < CHANNELS; i++) seen.mixed += (uint32_t)input->motor[i].position != number;
    seen.wrong_age += period - age != number;
    seen.older += number < last;
    last = number;
    seen.followed++;
}

static void control(void *parameters)
{
    static tac_input input;
    uint32_t release = port_ticks();
    (void)parameters;
    while (period < PERIODS) {
        port_wait_until(release += port_tick_rate() / RATE);
        seen.inside += (uint32_t)handing;
        state.step = ++period;
        const uint32_t age = planner_follow(&p, &state, &input);
        if (age != PLANNER_NONE) look(age, &input);
    }

    const uint32_t late = p.late;
    for (uint32_t i = 0; i < STARVED; i++) { // control does not sleep, so the planner is starved
        state.step = ++period;
        planner_follow(&p, &state, &input);
    }
    seen.starved = p.late - late;
    tap_least(plans, PERIODS / 8, "plans are made");
    tap_least(seen.followed, PERIODS * 9 / 10, "and followed in most periods");
    tap_equal(seen.mixed, 0, "all motors follow one plan");
    tap_equal(seen.wrong_age, 0, "at its age");
    tap_equal(seen.older, 0, "never an older one than before");
    tap_most(STARVED - seen.starved, OLDEST, "a starved planner's last plan is followed up to the oldest age");
    tap_least(seen.inside, 20, "control has come within hand-overs");
    tap_note("plans:", plans);
    tap_note("periods that began within a hand-over:", seen.inside);
    port_exit(tap_done());
}

static void planning(void *parameters)
{
    (void)parameters;
    for (;;) {
        const tac_state *now = planner_begin(&p, &plan);
        if (!now) continue;
        const tac_real number = (tac_real)now->step;
        plan.start = 0;
        for (unsigned i = 0; i < KNOTS * CHANNELS; i++) plan.value[i] = number;
        for (volatile uint32_t i = 0; i < plans * 37 % 1997; i++) {} // so that it comes at any time of a period
        handing = 1;
        planner_hand(&p, &plan);
        handing = 0;
        plans++;
    }
}

int main(void)
{
    port_init();
    for (uint16_t j = 0; j < CHANNELS; j++) {
        channel[j] = (tac_channel){.high = 2 * PERIODS, .joint = j, .kind = TAC_MOTOR_PD};
    }
    rest = plan_of(value[0]);
    plan = plan_of(value[1]);
    p = (planner){.rest = &rest, .slot = {plan_of(value[2]), plan_of(value[3])}, .period = (tac_real)0.0001};
    p.oldest = OLDEST;
    if (planner_start(&p, &state) != TAC_OK) port_panic("planner_start");
    spawn(control, "control", HIGH);
    spawn(planning, "planning", LOW);
    run_tasks();
    return 1;
}
