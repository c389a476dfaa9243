// SPDX-License-Identifier: MIT
// example.c - a 1 kHz executive, and below it a task that predicts where the world will be AHEAD steps later.
//   given   a box on the ground; plan(), the forces on it at each step, which both tasks call
//   makes   PERIODS periods, then statistics of both tasks, a line each; the exit code is 0 if all went well
//   bound   a cycle of the executive ends within its period; the predictor gets the time that is left
//   never   allocates; lets the predictor delay the executive: it takes snapshots without masking an interrupt
#include "executive.h"
#include "handover.h"
#include "show.h"
#include "tactus/port.h"
#include "FreeRTOS.h"
#include "task.h"

#define PERIODS 2000u
#define RATE 1000u  // Hz
#define AHEAD 50u   // steps
#define PENDING 64u // places for predictions whose step is still to come: more than AHEAD

enum { PREDICTOR_PRIORITY = 1, EXECUTIVE_PRIORITY = configMAX_PRIORITIES - 1 };
enum { STACK_WORDS = 640 };

static tac_model model; // shared by both tasks, since nobody writes it after it is sealed

// ------------------------------------------------------------------------------------------------- shared data

static handover snapshot; // from the executive to the predictor

// From the predictor to the executive: the hash that the state should have at a step, in the entry of that step. The
// step is written after the hash, so an executive that interrupts in between does not use a hash of another step.
static struct {
    volatile uint32_t step;
    uint64_t hash;
} expected[PENDING];

static struct {
    uint32_t made, right, wrong;
} predictions;

// ------------------------------------------------------------------------------------------------------------ world

#define R(x) ((tac_real)(x))

static void make_world(void)
{
    const tac_vec3 half = {R(0.1), R(0.1), R(0.1)};
    tac_body box = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, R(0.15)});
    box.inertia = (tac_vec3){R(0.0067), R(0.0067), R(0.0067)};
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, half);

    tac_model_init(&model);
    model.h = 1 / (tac_real)RATE;
    model.options.solver = TAC_SOLVER_ACCELERATED; // sweeps alone, and few of them, so that the longest step fits
    model.options.max_sweeps = 12;                 // the budget: one that is cut is not as predicted
    tac_model_add_material(&model, R(0.5), 0);
    tac_model_add_shape(&model, &ground);
    const tac_shape skin = tac_shape_make((uint16_t)tac_model_add_body(&model, &box), TAC_BOX, half);
    tac_model_add_shape(&model, &skin);
    if (tac_model_seal(&model, NULL) != TAC_OK) port_panic("the model is not good");
}

// The box is pushed forward and back for 0.2 s each, and twice a second lifted off the ground at a corner, so that it
// slides, tumbles and lands.
static void plan(uint32_t step, tac_input *input)
{
    const tac_real push = step / 200 % 2 ? R(-8) : R(8);
    const tac_real lift = step % 500 < 40 ? R(30) : 0;

    input->actions = 1;
    input->action[0] = (tac_action){.linear = {push, 0, lift}, .point = {R(0.1), R(0.05), 0}, .body = 1};
}

// -------------------------------------------------------------------------------------------------------- predictor

static struct {
    tac_state state;
    tac_input input;
    tac_work work; // one for each task that steps
} future;

static void publish_prediction(void)
{
    const uint32_t step = (uint32_t)future.state.step;

    expected[step % PENDING].hash = tac_state_hash(&model, &future.state);
    predictions.made++;
    HANDOVER_ORDER();
    expected[step % PENDING].step = step;
}

static void predictor_task(void *parameters)
{
    (void)parameters;
    for (;;) {
        const tac_state *now = handover_take(&snapshot);
        if (now->step + AHEAD == future.state.step) { // this snapshot has been used
            vTaskDelay(1);
            continue;
        }
        future.state = *now;
        for (uint32_t i = 0; i < AHEAD; i++) {
            plan((uint32_t)future.state.step, &future.input);
            tac_step(&model, &future.state, &future.input, &future.work);
        }
        publish_prediction();
    }
}

// -------------------------------------------------------------------------------------------------------- executive

static tac_state state;
static tac_work work;

static void read_inputs(void *user, tac_input *input)
{
    (void)user;
    plan((uint32_t)state.step, input);
}

static void write_results(void *user, const executive *e)
{
    const uint32_t step = (uint32_t)state.step;

    (void)user;
    handover_put(&snapshot, e->state);
    if (expected[step % PENDING].step != step) return;
    if (expected[step % PENDING].hash == tac_state_hash(e->model, e->state)) {
        predictions.right++;
    } else {
        predictions.wrong++;
    }
}

static StaticTask_t executive_block, predictor_block;
static StackType_t executive_stack[STACK_WORDS], predictor_stack[STACK_WORDS];
static TaskHandle_t predictor;

static uint32_t stack_left(TaskHandle_t task)
{
    return (uint32_t)(uxTaskGetStackHighWaterMark(task) * sizeof(StackType_t));
}

static uint32_t pending(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < PENDING; i++) count += expected[i].step > (uint32_t)state.step;
    return count;
}

static void show_statistics(const executive *e, uint32_t begun)
{
    show("ticks of a period", e->period);
    show("periods", (e->release - begun) / e->period);
    show("cycles", e->cycles);
    show("skipped", e->skipped);
    show("overruns", e->overruns);
    show("cut", e->cut);
    show("refused", e->refused);
    show("ticks of a step, mean", executive_mean(e));
    show("ticks of a step, worst", e->max);
    show("ticks late at worst", e->worst_start);
    show("predictions made", predictions.made);
    show("predictions right", predictions.right);
    show("predictions wrong", predictions.wrong);
    show("predictions pending", pending());
    show("ticks of the executive", ulTaskGetRunTimeCounter(NULL));
    show("ticks of the predictor", ulTaskGetRunTimeCounter(predictor));
    show("ticks idle", ulTaskGetIdleRunTimeCounter());
    show("bytes of a stack", sizeof executive_stack);
    show("bytes left to the executive", stack_left(NULL));
    show("bytes left to the predictor", stack_left(predictor));
}

static void executive_task(void *parameters)
{
    static executive e = {
        .model = &model,
        .state = &state,
        .work = &work,
        .read = read_inputs,
        .write = write_results,
        .late = EXECUTIVE_CATCH_UP,
    };

    (void)parameters;
    e.period = port_tick_rate() / RATE;
    e.budget = e.period / 10 * 6;
    if (executive_start(&e) != TAC_OK) port_panic("executive: bad settings");
    const uint32_t begun = e.release;
    while (e.cycles < PERIODS) executive_cycle(&e);
    show_statistics(&e, begun);
    port_exit(e.skipped || e.refused || predictions.wrong);
}

int main(void)
{
    port_init();
    make_world();
    tac_state_init(&model, &state, NULL);
    handover_start(&snapshot, &state);
    xTaskCreateStatic(executive_task, "executive", STACK_WORDS, NULL, EXECUTIVE_PRIORITY, executive_stack,
                      &executive_block);
    predictor = xTaskCreateStatic(predictor_task, "predictor", STACK_WORDS, NULL, PREDICTOR_PRIORITY, predictor_stack,
                                  &predictor_block);
    vTaskStartScheduler();
    port_panic("the scheduler has ended");
    return 1;
}
