// SPDX-License-Identifier: MIT
// config: robots
// Planning by sampling: the winner is that of an exhaustive search by tac_plan_perturb() and tac_rollout(), means and
// deviations are those of formulas in double; slices have the bits of the whole; whenever it is cut, the plan that it
// leaves is not dearer than the one before; an arm learns to reach a target; what is refused by name.
#include "begin.h"
#include "truth.h"

enum { KNOTS = 5, JOINTS = 2, NUMBERS = KNOTS * JOINTS, SAMPLES = 12, STEPS = 30 };

#define SIGMA ((tac_real)0.3) // rad
#define BOUND ((tac_real)2)

static tac_model m;
static tac_state s;
static tac_work w;
static tac_channel channel[JOINTS];
static tac_real value[NUMBERS], start[NUMBERS], spread[NUMBERS], room[NUMBERS + SAMPLES], trial[NUMBERS];
static tac_plan plan, candidate;
static tac_real goal[JOINTS] = {1, (tac_real)-0.5};
static tac_table target = {goal, 0, 1, 1, JOINTS, TAC_TABLE_HOLD, 0};
static tac_cost_term term[3];
static tac_cost cost = {term, 0, 3};
static tac_sampling a;
static tac_prediction p;
static tac_fault fault;

// An arm of two links in a vertical plane, over a floor; its motors follow targets.
static void build(void)
{
    tac_body link = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    tac_joint j;
    tac_model_init(&m);
    m.h = (tac_real)0.01;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    link.inertia = vec(0.01, 0.01, 0.001);
    for (uint16_t i = 0; i < JOINTS; i++) {
        link.pose.p = vec(0, 0, 0.6 - 0.3 * i);
        const uint16_t b = (uint16_t)tac_model_add_body(&m, &link);
        tac_joint_init(&j, TAC_REVOLUTE, i, b);
        j.frame_b.p = vec(0, 0, 0.15);
        j.frame_a.p = i ? vec(0, 0, -0.15) : vec(0, 0, 0.75);
        j.frame_a.q = j.frame_b.q = (tac_quat){(tac_real)0.70710678118654752, (tac_real)-0.70710678118654752, 0, 0};
        tac_model_add_joint(&m, &j);
    }
    tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &shape);
    shape = tac_shape_make(JOINTS, TAC_SPHERE, vec(0.05, 0, 0));
    tac_model_add_shape(&m, &shape);
    begin_world(&m, &s);
}

static void ask(uint8_t method)
{
    for (uint16_t i = 0; i < JOINTS; i++) {
        channel[i] = (tac_channel){.low = -BOUND, .high = BOUND, .sigma = SIGMA, .joint = i, .kind = TAC_MOTOR_PD};
        channel[i].stiffness = 20, channel[i].damping = 1;
    }
    for (int i = 0; i < NUMBERS; i++) { value[i] = start[i]; }
    plan = (tac_plan){channel, value, 0, (tac_real)0.075, KNOTS, JOINTS, TAC_TABLE_LINEAR};
    term[0] = (tac_cost_term){.kind = TAC_COST_JOINT, .weight = 10, .terminal = 5, .count = JOINTS, .target = &target};
    term[1] = (tac_cost_term){.kind = TAC_COST_RATE, .weight = (tac_real)0.1, .terminal = 1, .count = JOINTS};
    term[2] = (tac_cost_term){.kind = TAC_COST_EFFORT, .weight = (tac_real)0.001, .count = JOINTS};
    a = (tac_sampling){.model = &m, .cost = &cost, .plan = &plan, .room = room, .seed = 1, .scale = 1, .steps = STEPS};
    a.samples = SAMPLES, a.elites = 4, a.method = method, a.temperature = (tac_real)0.5;
}

static tac_real rolled(const tac_plan *of)
{
    p = (tac_prediction){.model = &m, .plan = of, .cost = &cost, .most = (tac_real)1e30, .steps = STEPS};
    tac_rollout(&p, &s, &w, NULL);
    return p.total;
}

static void plan_all(void)
{
    tap_equal(tac_sampling_begin(&a, &s, &fault), TAC_OK, "begins");
    tap_equal(tac_sampling_advance(&a, &w, UINT32_MAX), TAC_OK, "plans");
    tap_equal(tac_sampling_end(&a), TAC_OK, "ends");
}

// exp(-x), x >= 0, by its series at 1/1024 of x.
static double falling(double x)
{
    const double y = -x / 1024;
    double e = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5 * (1 + y / 6)))));
    for (int i = 0; i < 10; i++) { e *= e; }
    return e;
}

static const char *const METHODS[] = {"best", "elites", "weights"};

// All candidates by hand, none of them cut: costs, the cheapest, means and deviations.
static void test_search(uint8_t method)
{
    tac_real all[SAMPLES], number[SAMPLES][NUMBERS];
    int least = 0, rank[SAMPLES];
    double mean[NUMBERS], deviation[NUMBERS], worst = 0, wide = 0;
    ask(method);
    for (int i = 0; i < NUMBERS; i++) { spread[i] = (tac_real)(i % 3 ? 0.1 : 0.7); }
    if (method == TAC_SAMPLING_ELITES) { a.spread = spread; }
    candidate = plan;
    for (uint32_t k = 0; k < SAMPLES; k++) {
        // noise of deviation 1, about nothing
        candidate.value = number[k];
        tac_plan wider = plan;
        tac_real zero[NUMBERS] = {0};
        wider.value = zero;
        channel[0].low = channel[1].low = -100, channel[0].high = channel[1].high = 100;
        channel[0].sigma = channel[1].sigma = 1;
        tac_plan_perturb(&wider, 1, k, 1, &candidate);
        channel[0].low = channel[1].low = -BOUND, channel[0].high = channel[1].high = BOUND;
        channel[0].sigma = channel[1].sigma = SIGMA;
        candidate.value = number[k];
        for (int i = 0; i < NUMBERS; i++) {
            const tac_real sigma = a.spread && spread[i] > SIGMA ? spread[i] : SIGMA;
            const tac_real x = value[i] + (k ? sigma * number[k][i] : 0);
            number[k][i] = x < -BOUND ? -BOUND : x > BOUND ? BOUND : x;
        }
        all[k] = rolled(&candidate);
        if (all[k] < all[least]) { least = (int)k; }
        rank[k] = 0;
    }
    for (int k = 0; k < SAMPLES; k++) {
        for (int l = 0; l < SAMPLES; l++) { rank[k] += all[l] < all[k]; }
    }
    for (int i = 0; i < NUMBERS; i++) {
        double total = 0, sum = 0, squares = 0;
        for (int k = 0; k < SAMPLES; k++) {
            const double x = (double)number[k][i], e = ((double)all[k] - (double)all[least]) / 0.5;
            const double weight = method == TAC_SAMPLING_ELITES ? rank[k] < 4 : e <= 16 ? falling(e) : 0;
            total += weight, sum += weight * x, squares += weight * x * x;
        }
        mean[i] = sum / total;
        deviation[i] = d_sqrt(squares / total - mean[i] * mean[i]);
    }
    plan_all();
    tap_ok(a.nominal == all[0] && a.least <= all[least], tap_joined(METHODS[method], ": nominal and least cost"));
    tap_ok(a.winner == SAMPLES ? a.least < all[least] : a.winner == least, tap_joined(METHODS[method], ": the winner"));
    tap_ok(rolled(&plan) == a.least, tap_joined(METHODS[method], ": the plan costs what it says, to the bit"));
    if (method == TAC_SAMPLING_BEST) { return; }
    for (int i = 0; i < NUMBERS; i++) {
        worst = d_max(worst, d_abs((double)room[i] - mean[i]));
        if (a.spread) { wide = d_max(wide, d_abs((double)spread[i] - deviation[i])); }
    }
    tap_most(worst, TOL(2e-7, 1e-5), tap_joined(METHODS[method], ": the mean"));
    tap_most(wide, TOL(1e-12, 2e-5), tap_joined(METHODS[method], ": the deviation of the elites"));
    for (int k = 0; k < SAMPLES; k++) {
        const tac_real is = room[NUMBERS + k];
        if (rank[k] < (method == TAC_SAMPLING_ELITES ? 4 : 1)) { tap_ok(is == all[k], "what counts is not cut"); }
    }
}

// The same in slices, between which the work area serves others.
static void test_slices(uint8_t method)
{
    tac_real whole[NUMBERS];
    tac_state third;
    uint32_t slices = 0;
    ask(method);
    plan_all();
    const uint32_t taken = a.taken;
    for (int i = 0; i < NUMBERS; i++) { whole[i] = value[i]; }
    ask(method);
    tac_sampling_begin(&a, &s, NULL);
    tac_status status = TAC_UNCONVERGED;
    for (uint32_t k = 0; k < (SAMPLES + 1) * STEPS && status == TAC_UNCONVERGED; k++, slices++) {
        truth_copy(&third, &s, sizeof s);
        tac_step(&m, &third, NULL, &w);
        status = tac_sampling_advance(&a, &w, 1 + k % 3);
    }
    tac_sampling_end(&a);
    tap_ok(status == TAC_OK && a.taken == taken && slices > taken / 3,
           tap_joined(METHODS[method], ": the steps of the whole"));
    tap_ok(truth_equal(whole, value, sizeof value), tap_joined(METHODS[method], ": slices have the bits of the whole"));
}

// Wide noise, a cost that grows in all steps: most candidates are dear before their end.
static void test_spared(void)
{
    ask(TAC_SAMPLING_BEST);
    a.scale = 4;
    term[0].terminal = term[1].terminal = 0;
    plan_all();
    tap_most(a.taken, SAMPLES * STEPS * 0.8, "candidates that are dear are cut");
}

static void test_cut(uint8_t method)
{
    uint32_t dearer = 0, moved = 0;
    ask(method);
    const tac_real before = rolled(&plan);
    for (uint32_t steps = 0; steps < SAMPLES * STEPS; steps += 7) {
        ask(method);
        tac_sampling_begin(&a, &s, NULL);
        tac_sampling_advance(&a, &w, steps);
        tac_sampling_end(&a);
        const tac_real after = rolled(&plan);
        dearer += after > before || (a.tried > 0 && after != a.least);
        moved += after < before;
    }
    tap_equal(dearer, 0, tap_joined(METHODS[method], ": cut at any time, it is not dearer than before"));
    tap_least(moved, 5, tap_joined(METHODS[method], ": and mostly better"));
}

// Plan after plan from the same state.
static void test_learns(uint8_t method)
{
    ask(method);
    const tac_real before = rolled(&plan);
    tac_real last = before;
    uint32_t dearer = 0;
    for (uint64_t round = 1; round <= 30; round++) {
        a.seed = round;
        tac_sampling_begin(&a, &s, NULL);
        tac_sampling_advance(&a, &w, UINT32_MAX);
        tac_sampling_end(&a);
        dearer += a.least > last || a.nominal != last;
        last = a.least;
    }
    tap_equal(dearer, 0, tap_joined(METHODS[method], ": no plan is dearer than the one before"));
    tap_most(last / before, 0.35, tap_joined(METHODS[method], ": cost after thirty plans against the first"));
}

static void refuse(tac_status status, int field, int index, const char *name)
{
    tap_equal(tac_sampling_begin(&a, &s, &fault), status, name);
    tap_ok(fault.field == field && fault.index == index, "by its name");
    tap_equal(tac_sampling_advance(&a, &w, 1), TAC_E_ORDER, "nothing has begun");
    tap_equal(tac_sampling_end(&a), TAC_E_ORDER, "nothing ends");
}

#define REFUSE(change, field, index, name)                                                                             \
    do {                                                                                                               \
        ask(TAC_SAMPLING_WEIGHTS);                                                                                     \
        change;                                                                                                        \
        refuse(TAC_E_ARG, field, index, name);                                                                         \
    } while (0)

static void test_refused(void)
{
    const tac_real none = (tac_real)__builtin_nan("");
    REFUSE(a.plan = NULL, TAC_FIELD_SAMPLING, 0, "no plan");
    REFUSE(a.cost = NULL, TAC_FIELD_SAMPLING, 0, "no cost");
    REFUSE(a.room = NULL, TAC_FIELD_SAMPLING, 0, "no room");
    REFUSE(a.samples = 0, TAC_FIELD_SAMPLING, 1, "no samples");
    REFUSE(a.method = TAC_SAMPLING_METHODS, TAC_FIELD_SAMPLING, 3, "no such method");
    REFUSE(a.method = TAC_SAMPLING_ELITES; a.elites = SAMPLES + 1, TAC_FIELD_SAMPLING, 2, "more elites than samples");
    REFUSE(a.method = TAC_SAMPLING_ELITES; a.elites = 0, TAC_FIELD_SAMPLING, 2, "no elites");
    REFUSE(a.scale = none, TAC_FIELD_SAMPLING, 4, "no scale");
    REFUSE(a.temperature = 0, TAC_FIELD_SAMPLING, 5, "no temperature");
    REFUSE(a.spread = spread; spread[3] = -1, TAC_FIELD_SAMPLING, 6, "a negative deviation");
    REFUSE(a.steps = 0, TAC_FIELD_ROLLOUT, 0, "no steps");
    REFUSE(term[0].weight = -1, TAC_FIELD_COST_WEIGHT, 0, "a negative weight");
    tap_equal(tac_sampling_begin(NULL, &s, &fault), TAC_E_ARG, "nothing is asked");
    ask(TAC_SAMPLING_BEST);
    tap_equal(tac_sampling_begin(&a, &s, NULL), TAC_OK, "begins");
    tap_equal(tac_sampling_advance(&a, NULL, 1), TAC_E_ARG, "no work area");
    tap_equal(tac_sampling_end(&a), TAC_OK, "ends");
    tap_equal(tac_sampling_end(&a), TAC_E_ORDER, "once");
}

// Every step of every candidate is refused: the plan stays.
static void test_lost(void)
{
    ask(TAC_SAMPLING_ELITES);
    channel[0].kind = channel[1].kind = TAC_MOTOR_EFFORT;
    channel[0].low = channel[1].low = -TAC_MOST_FORCE, channel[0].high = channel[1].high = TAC_MOST_FORCE;
    for (int i = 0; i < NUMBERS; i++) { value[i] = TAC_MOST_FORCE; }
    truth_copy(trial, value, sizeof value);
    tap_equal(tac_sampling_begin(&a, &s, NULL), TAC_OK, "efforts that no step takes");
    tap_equal(tac_sampling_advance(&a, &w, 1000), TAC_OK, "end");
    tap_equal(tac_sampling_end(&a), TAC_OK, "too");
    tap_ok(a.least > (tac_real)1e30 && a.nominal == a.least && a.winner == 0, "with no winner");
    tap_ok(truth_equal(trial, value, sizeof value), "and the plan stays");
}

int main(void)
{
    build();
    for (uint8_t method = 0; method < TAC_SAMPLING_METHODS; method++) {
        test_search(method);
        test_slices(method);
        test_cut(method);
        test_learns(method);
    }
    test_spared();
    test_refused();
    test_lost();
    return tap_done();
}
