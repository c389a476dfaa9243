// SPDX-License-Identifier: MIT
// periods.c - an executive above a task that never rests: each period once, on time; overload as executive.h has it.
#include "executive.h"
#include "tap.h"
#include "tasks.h"

#define CYCLES 2000u
#define PERIOD 24990u       // ticks: it slides along the kernel's tick of 25000, through every phase
#define LATE (PERIOD / 100) // a start is on time within this
#define LOOPS 20u           // of a critical section of the lower task

static tac_model model;
static tac_state state;
static tac_work work;
static executive e;

static struct {
    uint32_t cycle;
    uint32_t load[CYCLES]; // ticks that the cycle takes
    uint32_t start[CYCLES];
} script;

static volatile uint32_t progress; // turns of the lower task
static double turn_ticks;

static void turn(void)
{
    taskENTER_CRITICAL();
    for (volatile uint32_t i = 0; i < LOOPS; i++) {}
    taskEXIT_CRITICAL();
    progress++;
}

static void lower_task(void *parameters)
{
    (void)parameters;
    for (;;) turn();
}

// What a turn takes when nobody comes in between.
static void measure_turn(void)
{
    const uint32_t begun = port_ticks();
    for (unsigned i = 0; i < 1000; i++) turn();
    turn_ticks = (port_ticks() - begun) / 1000.0;
    tap_note("ticks of a turn of the lower task:", turn_ticks);
}

// Of the time of `periods`, what the lower task has had since its progress was `before`.
static double lower_share(uint32_t before, uint32_t periods)
{
    return (double)(progress - before) * turn_ticks / ((double)periods * PERIOD);
}

static void read_inputs(void *user, tac_input *input)
{
    (void)user;
    (void)input;
    const uint32_t begun = port_ticks();
    script.start[script.cycle] = begun;
    while (port_ticks() - begun < script.load[script.cycle]) {}
    script.cycle++;
}

static void make_world(void)
{
    tac_model_init(&model);
    const tac_body body = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 1});
    tac_model_add_body(&model, &body);
    if (tac_model_seal(&model, NULL) != TAC_OK) port_panic("the model is not good");
}

static void begin(uint8_t late)
{
    tac_state_init(&model, &state, NULL);
    for (unsigned i = 0; i < CYCLES; i++) script.load[i] = 0;
    script.cycle = 0;
    e = (executive){.model = &model, .state = &state, .work = &work, .read = read_inputs};
    e.period = PERIOD;
    e.budget = UINT32_MAX;
    e.late = late;
    tap_equal(executive_start(&e), TAC_OK, "good settings are taken");
}

static void run(unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i++) executive_cycle(&e);
}

// Starts that are not at the half periods expected, counted from the first release, or up to a step behind.
static unsigned off_time(uint32_t origin, const uint8_t *halves, unsigned count)
{
    unsigned off = 0;
    for (unsigned i = 0; i < count; i++) off += script.start[i] - origin - halves[i] * (PERIOD / 2) > PERIOD / 10;
    return off;
}

static void every_period(void)
{
    uint32_t worst = 0, early = 0;

    begin(EXECUTIVE_CATCH_UP);
    const uint32_t origin = e.release, before = progress;
    run(CYCLES);
    for (unsigned i = 0; i < CYCLES; i++) {
        const int32_t late = (int32_t)(script.start[i] - origin - i * PERIOD);
        if (late < 0) early++;
        if (late > (int32_t)worst) worst = (uint32_t)late;
    }
    tap_equal(early, 0, "no period starts early");
    tap_most(worst, LATE, "each of 2000 periods starts within 1 % of its release");
    tap_note("latest start, ticks:", worst);
    tap_ok(e.overruns == 0 && e.skipped == 0 && e.cycles == CYCLES, "none is skipped, none overruns");
    tap_equal(state.step, CYCLES, "one step a period");
    const double share = lower_share(before, CYCLES);
    tap_least(share, 0.9, "the task below has nine tenths of the time");
    tap_note("of the time:", share);
}

static void one_overrun(void)
{
    static const uint8_t caught_up[] = {0, 2, 4, 6, 11, 11, 12, 14}, skipped[] = {0, 2, 4, 6, 12, 14};

    begin(EXECUTIVE_CATCH_UP);
    uint32_t origin = e.release;
    script.load[3] = 5 * (PERIOD / 2);
    run(8);
    tap_equal(off_time(origin, caught_up, 8), 0, "catch up: missed periods run back to back, then the grid again");
    tap_ok(e.overruns == 2 && e.skipped == 0, "catch up: the two cycles that ended late are counted");
    tap_equal(state.step, 8, "catch up: no step is lost");

    begin(EXECUTIVE_SKIP);
    origin = e.release;
    script.load[3] = 5 * (PERIOD / 2);
    run(6);
    tap_equal(off_time(origin, skipped, 6), 0, "skip: missed periods are dropped, the phase stays");
    tap_ok(e.overruns == 1 && e.skipped == 2, "skip: the cycle that ended late and the periods dropped are counted");
}

// Every cycle takes one and a half periods: what is left to the task below?
static void lasting_overload(void)
{
    enum { OVERLOAD = 20 };
    uint8_t halves[OVERLOAD];

    begin(EXECUTIVE_SKIP);
    uint32_t origin = e.release, before = progress;
    for (unsigned i = 0; i < OVERLOAD; i++) {
        script.load[i] = 3 * (PERIOD / 2);
        halves[i] = (uint8_t)(4 * i);
    }
    run(OVERLOAD);
    tap_equal(off_time(origin, halves, OVERLOAD), 0, "skip: overloaded for good, it runs every second period");
    tap_equal(e.skipped, OVERLOAD, "skip: the others are counted");
    const double share = lower_share(before, 2 * OVERLOAD);
    tap_note("of the time:", share);
    tap_ok(share > 0.2 && share <= 0.25, "skip: the task below has the half period in two that is left");

    begin(EXECUTIVE_CATCH_UP);
    origin = e.release;
    before = progress;
    for (unsigned i = 0; i < OVERLOAD; i++) {
        script.load[i] = 3 * (PERIOD / 2);
        halves[i] = (uint8_t)(3 * i);
    }
    run(OVERLOAD);
    tap_ok(e.overruns == OVERLOAD && e.skipped == 0, "catch up: overloaded for good, every cycle overruns");
    tap_equal(progress - before, 0, "catch up: nothing is left to the task below");
}

static void executive_task(void *parameters)
{
    (void)parameters;
    make_world();
    measure_turn();
    every_period();
    one_overrun();
    lasting_overload();
    port_exit(tap_done());
}

int main(void)
{
    port_init();
    spawn(executive_task, "executive", HIGH);
    spawn(lower_task, "lower", LOW);
    run_tasks();
    return 1;
}
