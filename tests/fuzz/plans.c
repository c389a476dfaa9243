// SPDX-License-Identifier: MIT
// config: robots
// Plans, costs, roll-outs and sampling with arguments of any size, most of them hostile: what is refused leaves no
// trace, what is not ends with finite numbers, costs are not negative, and a plan is not dearer than before. Sanitizers
// look on.
#include "begin.h"
#include "forest.h"
#include "truth.h"

#define WORLDS RUN(2000, 300)
enum { KNOTS = 4, CHANNELS = 3, TERMS = 4, SAMPLES = 4, NUMBERS = 12 };

static tac_model m;
static tac_state s;
static tac_input in, acting;
static tac_work w;
static tac_channel channel[CHANNELS];
static tac_real value[KNOTS * CHANNELS], before[KNOTS * CHANNELS], room[KNOTS * CHANNELS + SAMPLES], number[NUMBERS];
static tac_plan plan;
static tac_table table[2];
static tac_cost_term term[TERMS];
static tac_cost cost;
static tac_prediction p;
static tac_sampling a;
static tac_fault fault;

// Mostly of ordinary size; else of any, zero, infinite or none.
static tac_real any(rng *r, double size)
{
    switch (rng_below(r, 600)) {
    case 0:
        return (tac_real)__builtin_nan("");
    case 1:
        return (tac_real)__builtin_inf();
    case 2:
        return (tac_real)octave_range(r, 1e-30, 1e30);
    case 3:
        return (tac_real)-octave_range(r, 1e-30, 1e30);
    case 4:
        return 0;
    default:
        return (tac_real)rng_range(r, -size, size);
    }
}

static tac_real positive(rng *r, double size)
{
    const tac_real x = any(r, size);
    return x < 0 && !wild_one_of(r, 30) ? -x : x;
}

static void ask_plan(rng *r)
{
    static const uint8_t KINDS[] = {TAC_MOTOR_EFFORT, TAC_MOTOR_PD, TAC_MOTOR_VELOCITY};
    for (uint16_t i = 0; i < CHANNELS; i++) {
        channel[i] = (tac_channel){.low = -positive(r, 3), .high = positive(r, 3), .sigma = positive(r, 1)};
        channel[i].stiffness = positive(r, 30), channel[i].damping = positive(r, 3);
        channel[i].joint = (uint16_t)rng_below(r, wild_one_of(r, 60) ? 70000 : m.joints + (m.joints == 0));
        channel[i].kind = wild_one_of(r, 30) ? (uint16_t)rng_below(r, 99) : KINDS[rng_below(r, 3)];
    }
    for (int i = 0; i < KNOTS * CHANNELS; i++) { value[i] = any(r, 2); }
    if (!wild_one_of(r, 4)) {
        for (int i = 0; i < KNOTS * CHANNELS; i++) { value[i] = (tac_real)rng_range(r, -2, 2); }
    }
    plan = (tac_plan){
        channel, value, any(r, 0.1), positive(r, 0.05), KNOTS, CHANNELS, (uint8_t)rng_below(r, TAC_TABLE_FORMS)};
    if (wild_one_of(r, 30)) { plan.knots = 0; }
    if (m.joints == 0 || wild_one_of(r, 10)) { plan.channels = 0; }
}

static void ask_cost(rng *r)
{
    for (int i = 0; i < NUMBERS; i++) { number[i] = wild_one_of(r, 20) ? any(r, 1) : (tac_real)rng_range(r, -1, 1); }
    for (int i = 0; i < 2; i++) {
        table[i] =
            (tac_table){number, any(r, 0.1), positive(r, 0.1), 3, (uint16_t)(1 + rng_below(r, 4)), 0, (uint8_t)i};
        table[i].form = (uint8_t)rng_below(r, TAC_TABLE_FORMS + (uint32_t)wild_one_of(r, 20));
    }
    for (int i = 0; i < TERMS; i++) {
        tac_cost_term *c = &term[i];
        *c = (tac_cost_term){.weight = positive(r, 3), .terminal = positive(r, 3), .radius = positive(r, 1)};
        c->frame = (tac_frame){(uint16_t)rng_below(r, m.bodies + 1u),
                               {{any(r, 1), any(r, 1), any(r, 1)}, {1, 0, 0, any(r, 1)}}};
        c->kind = (uint8_t)rng_below(r, TAC_COST_KINDS + (uint32_t)wild_one_of(r, 30));
        c->norm = (uint8_t)rng_below(r, TAC_NORMS + (uint32_t)wild_one_of(r, 30));
        c->index = (uint16_t)rng_below(r, 2), c->count = (uint16_t)(wild_one_of(r, 60) ? 65535 : 1 + rng_below(r, 2));
        c->axes = wild_one_of(r, 2) ? TAC_AXES_WORLD : TAC_AXES_FRAME;
        c->without = (uint8_t)rng_below(r, 8);
        table[1].width = 1;
        table[0].width = c->kind == TAC_COST_ORIENTATION                             ? 4
                         : c->kind >= TAC_COST_POSITION && c->kind < TAC_COST_EFFORT ? 3
                                                                                     : c->count;
        if (wild_one_of(r, 3)) { c->target = &table[0]; }
        if (wild_one_of(r, 6)) { c->schedule = &table[1]; }
    }
    cost = (tac_cost){term, any(r, 10), (uint16_t)rng_below(r, TERMS + 1)};
    for (int i = 0; i < NUMBERS && wild_one_of(r, 2); i++) { number[i] = number[i] < 0 ? -number[i] : number[i]; }
}

static int finite(const tac_real *x, int count)
{
    int good = 1;
    for (int i = 0; i < count; i++) { good &= x[i] - x[i] == 0; }
    return good;
}

static int sound(void)
{
    return tac_check(&m, &p.state, NULL, NULL) >= 0 && p.total >= 0 && finite(&p.total, 1) && finite(&p.force, 1);
}

int main(void)
{
    uint32_t rolled = 0, planned = 0, refused = 0, wrong = 0, unnamed = 0, dearer = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        forest_build(&m, &in, seed % 60, FOREST_ALL);
        if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { continue; }
        in.motors = in.motors > TAC_MAX_JOINTS - CHANNELS ? 0 : in.motors;
        ask_plan(&r);
        ask_cost(&r);
        p = (tac_prediction){
            .model = &m, .plan = &plan, .cost = &cost, .input = &in, .most = positive(&r, 1e6), .steps = 6};
        const tac_status status = tac_rollout(&p, &s, &w, &fault);
        rolled += status == TAC_OK;
        refused += status < 0;
        unnamed += (status < 0) != (fault.reason != TAC_REASON_NONE);
        wrong += p.model_hash == m.hash && !sound();
        a = (tac_sampling){.model = &m, .cost = &cost, .input = &in, .plan = &plan, .room = room, .seed = seed};
        a.scale = positive(&r, 2), a.temperature = positive(&r, 2), a.steps = 4, a.samples = SAMPLES;
        a.elites = (uint16_t)rng_below(&r, SAMPLES + 1), a.method = (uint8_t)rng_below(&r, TAC_SAMPLING_METHODS);
        truth_copy(before, value, sizeof value);
        if (tac_sampling_begin(&a, &s, &fault) == TAC_OK) {
            planned++;
            tac_sampling_advance(&a, &w, UINT32_MAX);
            tac_sampling_end(&a);
            dearer += a.least > a.nominal || !finite(&a.least, 1) || !(a.least >= 0);
            wrong += plan.channels > 0 && !finite(value, KNOTS * CHANNELS);
        } else {
            unnamed += fault.reason == TAC_REASON_NONE;
            wrong += !truth_equal(before, value, sizeof value);
        }
        acting.motors = 0;
        if (tac_plan_evaluate(&plan, any(&r, 1), 0, &acting) == TAC_OK) {
            for (uint32_t i = 0; i < acting.motors; i++) { wrong += !finite(&acting.motor[i].position, 5); }
        }
        if (tac_plan_shift(&plan, positive(&r, 1)) == TAC_OK) { wrong += !finite(&plan.start, 1); }
    }
    tap_note_hex("seeds from 1 to", (uint64_t)WORLDS);
    tap_least(rolled, WORLDS / 20, "roll-outs");
    tap_least(planned, WORLDS / 20, "plans");
    tap_least(refused, WORLDS / 20, "refusals");
    tap_equal(wrong, 0, "nothing that is not finite, no negative cost, no trace of what is refused");
    tap_equal(unnamed, 0, "refusals have names");
    tap_equal(dearer, 0, "no plan is dearer than before");
    return tap_done();
}
