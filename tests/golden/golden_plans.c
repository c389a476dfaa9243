// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same for plans by sampling: the best, the mean of elites with their deviations, the weighted mean; the best of
// steps that share a refresh of the dynamics. Targets, efforts and rates for the first joints, on knots of all forms.
// The hash is that of all plans, their costs and winners.
#include "robots.h"
#include "tap.h"
#include "golden/answers.h"

enum { KNOTS = 4, MOST = 6, SAMPLES = 4, AHEAD = 5, EVERY = 10 };

static const char *const library[] = {"stand", "gripper", "chain", "hand"};

enum { GOLDEN_LIBRARY = sizeof library / sizeof library[0] };

static tac_channel channel[MOST];
static tac_real value[KNOTS * MOST], spread[KNOTS * MOST], room[KNOTS * MOST + SAMPLES];
static tac_plan plan;
static tac_sampling sampling;
static tac_refresh kept, first;
static const tac_real goal[3] = {0, 0, (tac_real)0.3}, part[2] = {1, (tac_real)0.25};
static const tac_table target = {goal, 0, 1, 1, 3, TAC_TABLE_HOLD, 0};
static const tac_table gait = {part, 0, (tac_real)0.02, 2, 1, TAC_TABLE_LINEAR, 1};
static tac_cost_term term[] = {
    {.kind = TAC_COST_CENTRE, .weight = 3, .norm = TAC_NORM_L2, .radius = 1, .target = &target},
    {.kind = TAC_COST_ANGULAR_MOMENTUM, .weight = 2, .terminal = 1, .schedule = &gait},
    {.kind = TAC_COST_ORIENTATION, .weight = 2, .frame = {1, {{0, 0, 0}, {1, 0, 0, 0}}}},
    {.kind = TAC_COST_SPIN, .weight = 1, .axes = TAC_AXES_FRAME, .frame = {1, {{0, 0, 0}, {1, 0, 0, 0}}}},
    {.kind = TAC_COST_JOINT, .weight = 1, .norm = TAC_NORM_SMOOTH, .radius = 1, .count = MOST},
    {.kind = TAC_COST_EFFORT_CHANGE, .weight = (tac_real)0.01, .count = MOST},
    {.kind = TAC_COST_SLIP, .weight = 1, .count = 1},
};
static const tac_cost cost = {term, 0, sizeof term / sizeof *term};

static void ask(const tac_model *m)
{
    static const uint8_t KINDS[] = {TAC_MOTOR_PD, TAC_MOTOR_EFFORT, TAC_MOTOR_VELOCITY};
    const uint16_t channels = (uint16_t)(m->joints < MOST ? m->joints : MOST);
    for (uint16_t i = 0; i < channels; i++) {
        channel[i] = (tac_channel){.low = -1, .high = 1, .sigma = (tac_real)0.1, .joint = i, .kind = KINDS[i % 3]};
        channel[i].stiffness = 20, channel[i].damping = 1;
    }
    for (int i = 0; i < KNOTS * MOST; i++) { value[i] = spread[i] = (tac_real)0.1; }
    plan = (tac_plan){channel, value, 0, 2 * m->h, KNOTS, channels, TAC_TABLE_HOLD};
    for (unsigned i = 0; i < sizeof term / sizeof *term; i++) {
        const int joints = term[i].kind == TAC_COST_JOINT || term[i].kind == TAC_COST_EFFORT_CHANGE;
        term[i].count = joints ? channels : 1;
    }
}

static void plan_once(const tac_model *m, const tac_state *s, uint8_t method, int refreshed, tac_work *w)
{
    plan.form = method; // all forms too
    sampling = (tac_sampling){.model = m, .cost = &cost, .plan = &plan, .room = room, .seed = s->step, .scale = 1};
    sampling.temperature = (tac_real)0.01, sampling.steps = AHEAD, sampling.samples = SAMPLES, sampling.elites = 2;
    sampling.method = method;
    sampling.spread = method == TAC_SAMPLING_ELITES ? spread : NULL;
    if (refreshed) {
        sampling.fidelity = (tac_fidelity){.kept = &kept, .every = 2};
        sampling.first = &first;
    }
    tac_status status = tac_sampling_begin(&sampling, s, NULL);
    for (int slice = 0; slice < (SAMPLES + 1) * AHEAD && status >= 0; slice++) {
        status = tac_sampling_advance(&sampling, w, 2);
        if (status == TAC_OK) { break; }
    }
    add_number((uint64_t)(int64_t)status);
    add_number((uint64_t)(int64_t)tac_sampling_end(&sampling));
    add_number(sampling.winner | (uint64_t)sampling.taken << 16);
    add_real(sampling.nominal);
    add_real(sampling.least);
    add_reals(value, (uint32_t)KNOTS * plan.channels);
    add_reals(spread, (uint32_t)KNOTS * plan.channels);
    tac_plan_shift(&plan, 3 * m->h / 2);
}

static tac_status plan_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    if (state->step == 0) {
        answers = ANSWERS_START;
        ask(model);
    }
    for (uint8_t method = 0; state->step % EVERY == 0 && method < TAC_SAMPLING_METHODS; method++) {
        plan_once(model, state, method, 0, work);
    }
    if (state->step % EVERY == 0) { plan_once(model, state, TAC_SAMPLING_BEST, 1, work); }
    return tac_step(model, state, input, work);
}

static uint64_t plan_hash(const tac_model *model, const tac_state *state)
{
    add_number(tac_state_hash(model, state));
    return answers;
}

static const scene *plan_scene(unsigned i)
{
    return robot_find(library[i]);
}

#define GOLDEN_TABLE "golden_plans.h"
#define GOLDEN_SCENE plan_scene
#define GOLDEN_STEP plan_step
#define GOLDEN_HASH plan_hash
#define GOLDEN_COUNT GOLDEN_LIBRARY
#define GOLDEN_FIND robot_find
#define GOLDEN_MOST 20
#define GOLDEN_ABSENT 0
#include "golden.c"
