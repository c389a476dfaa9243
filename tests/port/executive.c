// SPDX-License-Identifier: MIT
// executive.c - the cyclic executive on a clock that follows a script. Host only: it brings its own port.
#include "executive.h"
#include "tactus/port.h"
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>

#define PERIOD 1000u
#define CYCLES 12u

// ---------------------------------------------------------------------------------------------------- scripted port

static struct {
    uint32_t now;
    uint32_t reading; // ticks that a look at the clock takes
    uint32_t oversleep;
} timing;

uint32_t port_ticks(void)
{
    const uint32_t now = timing.now;
    timing.now += timing.reading;
    return now;
}

void port_wait_until(uint32_t deadline)
{
    if ((int32_t)(deadline - timing.now) > 0) timing.now = deadline + timing.oversleep;
}

void port_log(const char *text)
{
    puts(text);
}

// ------------------------------------------------------------------------------------------------------------ world

static tac_model model;
static tac_state state;
static tac_work work;

// Two boxes, one on the other, on the ground; the lower one slides. Every sweep counts: no tolerance ends them early.
static void make_world(uint16_t max_sweeps)
{
    static const tac_vec3 half = {(tac_real)0.5, (tac_real)0.5, (tac_real)0.5};

    tac_model_init(&model);
    model.options.max_sweeps = max_sweeps;
    model.options.solver = TAC_SOLVER_ACCELERATED;
    model.options.tolerance = 0;
    tac_model_add_material(&model, (tac_real)0.5, 0);

    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, half);
    tac_model_add_shape(&model, &ground);
    for (uint16_t i = 1; i <= 2; i++) {
        tac_body body = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, (tac_real)i - (tac_real)0.5});
        body.velocity.v.x = i == 1 ? 1 : 0;
        const tac_shape shape = tac_shape_make((uint16_t)tac_model_add_body(&model, &body), TAC_BOX, half);
        tac_model_add_shape(&model, &shape);
    }
    if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) abort();
}

// ----------------------------------------------------------------------------------------------------------- script

// What happens in each cycle, and what was seen.
static struct {
    uint32_t cycle;
    uint32_t load[CYCLES];    // ticks that reading the inputs takes
    uint32_t reading[CYCLES]; // ticks that a look at the clock takes from then on; 0: as before
    int poison;               // cycle that reads a NaN
    uint32_t start[CYCLES];
    uint16_t sweeps[CYCLES];
    uint64_t hash[CYCLES];
} script;

static void read_inputs(void *user, tac_input *input)
{
    (void)user;
    script.start[script.cycle] = timing.now;
    timing.now += script.load[script.cycle];
    if (script.reading[script.cycle]) timing.reading = script.reading[script.cycle];

    static const tac_action zero;
    input->actions = 1;
    input->action[0] = zero;
    input->action[0].body = 2;
    input->action[0].linear.x = (tac_real)script.cycle;
    if (script.poison == (int)script.cycle) input->action[0].linear.x = (tac_real)(1e300 * 1e300);
}

static void write_results(void *user, const executive *e)
{
    (void)user;
    script.sweeps[script.cycle] = e->work->report.sweeps;
    script.hash[script.cycle] = tac_state_hash(e->model, e->state);
    script.cycle++;
}

static executive begin(uint32_t now, uint8_t late, uint16_t max_sweeps)
{
    make_world(max_sweeps);
    timing.now = now;
    timing.reading = timing.oversleep = 0;
    for (unsigned i = 0; i < CYCLES; i++) script.load[i] = script.reading[i] = 0;
    script.cycle = 0;
    script.poison = -1;

    executive e = {.model = &model, .state = &state, .work = &work, .read = read_inputs, .write = write_results};
    e.period = PERIOD;
    e.budget = UINT32_MAX;
    e.late = late;
    tap_equal(executive_start(&e), TAC_OK, "good settings are taken");
    return e;
}

static void run(executive *e, unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i++) executive_cycle(e);
}

static int starts_are(uint32_t origin, const uint32_t *expected, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (script.start[i] != origin + expected[i]) return 0;
    }
    return 1;
}

// ------------------------------------------------------------------------------------------------------------ tests

static void settings(void)
{
    const executive good = begin(0, EXECUTIVE_SKIP, 4);
    executive e;

    e = good, e.model = NULL;
    tap_equal(executive_start(&e), TAC_E_ARG, "no model is refused");
    e = good, e.state = NULL;
    tap_equal(executive_start(&e), TAC_E_ARG, "no state is refused");
    e = good, e.work = NULL;
    tap_equal(executive_start(&e), TAC_E_ARG, "no work area is refused");
    e = good, e.period = 0;
    tap_equal(executive_start(&e), TAC_E_ARG, "period 0 is refused");
    e = good, e.period = (UINT32_C(1) << 30) + 1;
    tap_equal(executive_start(&e), TAC_E_ARG, "a period beyond 2^30 ticks is refused");
    e = good, e.late = 2;
    tap_equal(executive_start(&e), TAC_E_ARG, "an unknown policy is refused");
    e = good, e.read = NULL, e.write = NULL;
    tap_ok(executive_start(&e) == TAC_OK && executive_cycle(&e) >= TAC_OK, "callbacks may be missing");
    tap_equal(executive_mean(&good), 0, "the mean of nothing is 0");
}

static void on_time(void)
{
    static const uint32_t expected[] = {0, 1000, 2000, 3000, 4000, 5000};
    const uint32_t origin = UINT32_MAX - 2500; // the clock wraps in the third period
    executive e = begin(origin, EXECUTIVE_CATCH_UP, 4);

    run(&e, 6);
    tap_ok(starts_are(origin, expected, 6), "cycles start on the grid, over the wrap of the clock");
    tap_ok(e.cycles == 6 && e.overruns == 0 && e.skipped == 0 && e.cut == 0 && e.refused == 0,
           "nothing to complain of");
    tap_equal(state.step, 6, "one step a cycle");
}

static void times(void)
{
    executive e = begin(0, EXECUTIVE_CATCH_UP, 4);
    script.reading[0] = 3;
    script.reading[1] = 1;
    script.reading[2] = 8;

    // looks at the clock from begin to end: begun, two a sweep, two of end, the last: 11 intervals
    run(&e, 3);
    tap_equal(e.min, 11, "shortest step");
    tap_equal(e.max, 88, "longest step");
    tap_equal(executive_mean(&e), 44, "mean step");
    tap_equal(e.last, 88, "last step");
    tap_ok(e.longest[EXECUTIVE_SWEEP] == 8 && e.longest[EXECUTIVE_END] == 8 && e.longest[EXECUTIVE_NEWTON] == 0,
           "longest sweep and end: an interval each");

    e = begin(0, EXECUTIVE_CATCH_UP, 4);
    timing.oversleep = 7;
    run(&e, 3);
    tap_equal(e.worst_start, 7, "latest start");
}

static void overruns(void)
{
    static const uint32_t caught_up[] = {0, 1000, 2000, 3000, 5500, 5500, 6000, 7000};
    executive e = begin(0, EXECUTIVE_CATCH_UP, 4);
    script.load[3] = 2500;
    run(&e, 8);
    tap_ok(starts_are(0, caught_up, 8), "catch up: missed periods run back to back, then the grid again");
    tap_ok(e.overruns == 2 && e.skipped == 0, "catch up: counts the two cycles that ended late");
    tap_equal(e.worst_start, 1500, "catch up: latest start");
    tap_equal(state.step, 8, "catch up: no step is lost");

    static const uint32_t skipped[] = {0, 1000, 2000, 3000, 6000, 7000};
    e = begin(0, EXECUTIVE_SKIP, 4);
    script.load[3] = 2500;
    run(&e, 6);
    tap_ok(starts_are(0, skipped, 6), "skip: missed periods are dropped, the phase stays");
    tap_ok(e.overruns == 1 && e.skipped == 2, "skip: counts the cycle that ended late and the periods dropped");
    tap_equal(e.worst_start, 0, "skip: no late start");

    static const uint32_t exact[] = {0, 1000, 2000, 4000};
    e = begin(0, EXECUTIVE_SKIP, 4);
    script.load[0] = 1000;
    script.load[2] = 1001;
    run(&e, 4);
    tap_ok(starts_are(0, exact, 4), "skip: a cycle may end when the next begins, not a tick later");
    tap_ok(e.overruns == 1 && e.skipped == 1, "skip: counts that tick");

    e = begin(0, EXECUTIVE_CATCH_UP, 4);
    script.load[1] = (UINT32_C(1) << 30) + 5 * PERIOD;
    run(&e, 4);
    tap_ok(e.skipped > (UINT32_C(1) << 30) / PERIOD && script.start[3] - script.start[2] == PERIOD,
           "catch up: beyond 2^30 ticks behind, missed periods are dropped");
}

// Step again without a clock, from the recorded sweeps. Returns the number of steps whose hash differs.
static unsigned replay(unsigned cycles, uint16_t max_sweeps)
{
    unsigned different = 0;

    make_world(max_sweeps);
    script.cycle = 0;
    static tac_input input;
    for (; script.cycle < cycles; script.cycle++) {
        read_inputs(NULL, &input);
        tac_step_begin(&model, &state, &input, &work);
        tac_step_sweep(&model, &work, script.sweeps[script.cycle]);
        tac_step_end(&model, &state, &work);
        if (tac_state_hash(&model, &state) != script.hash[script.cycle]) different++;
    }
    return different;
}

static void budget(void)
{
    static const uint32_t stated[EXECUTIVE_PARTS] = {10, 90, 20};
    static const uint32_t reading[] = {1, 4, 5, 12, 15, 1};
    static const uint16_t expected[] = {7, 2, 1, 1, 0, 6};

    // A look takes r ticks, so sweep i starts at (1 + 2i) r. It starts if it and the end fit before 45, when they take
    // 10 and 20, or r if that has been measured: from the fourth cycle on 12, at last 12 and 20.
    executive e = begin(0, EXECUTIVE_CATCH_UP, 20);
    e.budget = 45;
    for (unsigned i = 0; i < EXECUTIVE_PARTS; i++) e.longest[i] = stated[i];
    for (unsigned i = 0; i < 6; i++) script.reading[i] = reading[i];
    tac_status status = 0;
    for (unsigned i = 0; i < 6; i++) status |= executive_cycle(&e);
    for (unsigned i = 0; i < 6; i++) {
        tap_equal(script.sweeps[i], expected[i], tap_numbered("sweeps within 45 ticks, a look taking", reading[i]));
    }
    tap_ok(status > 0 && (status & TAC_UNCONVERGED), "a step cut short says so");
    tap_equal(e.cut, 6, "steps cut short are counted");
    tap_equal(replay(6, 20), 0, "the recorded sweeps replay the run to the bit");

    e = begin(0, EXECUTIVE_CATCH_UP, 20);
    e.budget = 0;
    run(&e, 3);
    tap_ok(e.cut == 3 && script.sweeps[2] == 0 && tac_check(&model, &state, &work, NULL) == TAC_OK,
           "no budget, no sweep, and still a good state");
}

// Nothing is stated: a step is late at most when a part takes longer than ever before in it.
static void learned(void)
{
    executive e = begin(0, EXECUTIVE_CATCH_UP, 20);
    e.budget = 60;
    for (unsigned i = 0; i < CYCLES; i++) script.reading[i] = 1 + i * 7 % 12;
    unsigned late = 0, excused = 0;
    for (unsigned i = 0; i < CYCLES; i++) {
        const uint32_t sweep = e.longest[EXECUTIVE_SWEEP], end = e.longest[EXECUTIVE_END];
        executive_cycle(&e);
        const int longer = e.longest[EXECUTIVE_SWEEP] > sweep || e.longest[EXECUTIVE_END] > end;
        late += e.last > e.budget + 3 * script.reading[i]; // three looks between the parts
        excused += e.last > e.budget + 3 * script.reading[i] && longer;
    }
    tap_equal(late, excused, "a step is over its budget only where a part is longer than ever before");
    tap_equal(executive_start(&e), TAC_OK, "a new start");
    tap_equal(e.longest[EXECUTIVE_SWEEP], 12, "what has been learned stays");
}

static void refusal(void)
{
    executive e = begin(0, EXECUTIVE_CATCH_UP, 4);
    script.poison = 2;
    run(&e, 2);
    tap_equal(executive_cycle(&e), TAC_E_NAN, "a refused step is told");
    tap_ok(e.refused == 1 && script.hash[2] == script.hash[1], "it is counted and has changed nothing");
    tap_equal(work.report.fault.field, TAC_FIELD_ACTION_LINEAR, "the report names the field");
    tap_ok(executive_cycle(&e) >= TAC_OK && state.step == 3, "the next cycle goes on");
}

int main(void)
{
    settings();
    on_time();
    times();
    overruns();
    budget();
    learned();
    refusal();
    return tap_done();
}
