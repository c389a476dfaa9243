// SPDX-License-Identifier: MIT
// config: robots
// Roll-outs: the bits of as many calls of tac_step(), whole and in slices between which the work area serves others,
// whatever the order of roll-outs; they end when they are dear or a step is refused; what is refused by name.
#include "begin.h"
#include "forest.h"
#include "robots.h"
#include "truth.h"

#define WORLDS RUN(200, 30)
enum { STEPS = 25, KNOTS = 4, MOST = 12 };

static tac_model m, plant;
static tac_state s, other;
static tac_input in, acting;
static tac_work w;
static tac_prediction p, q;
static tac_channel channel[MOST];
static tac_real value[KNOTS * MOST];
static tac_plan plan;
static tac_cost_term term[3];
static tac_cost cost;
static tac_fault fault;
static tac_refresh kept[2];

// A plan for some joints, of all three kinds, and a cost.
static void ask(rng *r)
{
    static const uint8_t KINDS[] = {TAC_MOTOR_EFFORT, TAC_MOTOR_PD, TAC_MOTOR_VELOCITY};
    uint16_t channels = 0;
    for (uint16_t i = 0; i < m.joints && channels < MOST && in.motors + channels < TAC_MAX_JOINTS; i++) {
        const uint8_t kind = m.joint[i].kind;
        if (kind != TAC_REVOLUTE && kind != TAC_PRISMATIC) { continue; }
        channel[channels] = (tac_channel){.low = -1, .high = 1, .joint = i, .kind = KINDS[rng_below(r, 3)]};
        channel[channels].stiffness = 5, channel[channels++].damping = 1;
    }
    for (int i = 0; i < KNOTS * MOST; i++) { value[i] = (tac_real)rng_range(r, -1, 1); }
    plan = (tac_plan){channel, value, 0, (tac_real)5 * m.h, KNOTS, channels, (uint8_t)rng_below(r, TAC_TABLE_FORMS)};
    term[0] = (tac_cost_term){.kind = TAC_COST_CENTRE, .weight = 1};
    term[1] = (tac_cost_term){.kind = TAC_COST_MOMENTUM, .weight = 1, .terminal = 2, .norm = TAC_NORM_L2, .radius = 1};
    term[2] =
        (tac_cost_term){.kind = TAC_COST_EFFORT_CHANGE, .weight = 1, .count = 1, .norm = TAC_NORM_SMOOTH, .radius = 1};
    term[2].index = channels > 0 ? channel[0].joint : 0;
    cost = (tac_cost){term, 0, channels > 0 ? 3 : 2};
    p = (tac_prediction){
        .model = &m, .plan = &plan, .cost = &cost, .input = &in, .most = (tac_real)1e30, .steps = STEPS};
}

static int begin(uint64_t seed)
{
    rng r = {seed};
    forest_build(&m, &in, seed, FOREST_ALL);
    m.h = (tac_real)0.01; // long enough that bodies fall onto others
    if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { return 0; }
    ask(&r);
    return 1;
}

// The same by tac_step(). Returns the steps that were taken; what they touched is summed up.
static uint32_t step_all(tac_prediction *sum)
{
    truth_copy(&other, &s, sizeof s);
    sum->touching = sum->contacts = sum->dropped = 0;
    sum->force = sum->penetration = 0;
    for (uint32_t k = 0; k < STEPS; k++) {
        truth_copy(&acting, &in, sizeof in);
        if (tac_plan_evaluate(&plan, (tac_real)k * m.h, in.motors, &acting) || tac_step(&m, &other, &acting, &w) < 0) {
            return k;
        }
        int bears = 0;
        for (uint32_t i = 0; i < w.report.contacts; i++) {
            const tac_real impulse = w.contact[i].impulse.x + w.contact[i].bounce.x, part = (tac_real)1 / m.h;
            bears |= impulse > 0;
            if (part * impulse > sum->force) { sum->force = part * impulse; }
        }
        sum->touching += (uint32_t)bears;
        if (w.report.contacts > sum->contacts) { sum->contacts = w.report.contacts; }
        if (w.report.penetration > sum->penetration) { sum->penetration = w.report.penetration; }
        sum->dropped = (uint16_t)(sum->dropped + w.report.dropped);
    }
    return STEPS;
}

static void test_steps(void)
{
    uint32_t seen = 0, refused = 0, wrong = 0, summed = 0, touched = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        if (!begin(seed)) { continue; }
        seen++;
        const uint64_t before = tac_state_hash(&m, &s);
        const tac_status status = tac_rollout(&p, &s, &w, &fault);
        const uint32_t taken = step_all(&q);
        wrong += p.taken != taken || tac_state_hash(&m, &p.state) != tac_state_hash(&m, &other);
        wrong += tac_state_hash(&m, &s) != before || (status == TAC_OK) != (taken == STEPS);
        summed += p.touching != q.touching || p.contacts != q.contacts || p.force != q.force ||
                  p.penetration != q.penetration || p.dropped != q.dropped;
        touched += p.touching > 0;
        refused += status < 0;
    }
    tap_least(seen, WORLDS / 2, "worlds");
    tap_least(touched, WORLDS / 8, "worlds in which something touches");
    tap_most(refused, WORLDS / 8, "few of them are refused");
    tap_equal(wrong, 0, "the bits of as many calls of tac_step()");
    tap_equal(summed, 0, "and of what they touched");
}

// What a user does between two slices.
static void use_otherwise(void)
{
    static tac_state third;
    truth_copy(&third, &s, sizeof s);
    tac_step(&m, &third, &in, &w);
}

static int same(const tac_prediction *a, const tac_prediction *b)
{
    return tac_state_hash(&m, &a->state) == tac_state_hash(&m, &b->state) && a->total == b->total && a->end == b->end &&
           a->taken == b->taken && a->status == b->status && a->touching == b->touching;
}

// `every`: steps that keep their dynamics, of 0 none.
static void test_slices(uint16_t every)
{
    uint32_t wrong = 0, seen = 0, early = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        if (!begin(seed)) { continue; }
        rng r = {seed};
        if (every > 0) { p.fidelity = (tac_fidelity){&kept[0], NULL, 0, every}; }
        truth_copy(&q, &p, sizeof p);
        q.fidelity.kept = every > 0 ? &kept[1] : NULL;
        tac_rollout(&p, &s, &w, NULL);
        wrong += tac_rollout_begin(&q, &s, &fault) != TAC_OK;
        tac_status status = TAC_UNCONVERGED;
        for (int k = 0; k < STEPS && status == TAC_UNCONVERGED; k++) {
            const uint32_t before = q.taken, steps = 1 + rng_below(&r, 4);
            use_otherwise();
            status = tac_rollout_advance(&q, &w, steps);
            wrong += q.taken - before > (every > 0 && k == 0 && steps <= 3 ? 1 : steps); // it begins with a refresh
            early += status >= 0 && (status == TAC_OK) != (q.end == TAC_ROLLOUT_WHOLE || q.end == TAC_ROLLOUT_DEAR);
        }
        wrong += !same(&p, &q);
        seen++;
        tac_rollout_advance(&q, &w, 5);
        wrong += !same(&p, &q);
    }
    tap_least(seen, WORLDS / 2, "worlds in slices");
    tap_equal(wrong, 0, tap_numbered("slices have the bits of the whole, steps that share a refresh:", every));
    tap_equal(early, 0, "and say when it has ended");
}

// Two roll-outs, one after the other and in turn: each as alone.
static void test_order(void)
{
    static tac_prediction a, b;
    static tac_plan second;
    static tac_real numbers[KNOTS * MOST];
    uint32_t wrong = 0;
    for (uint64_t seed = 1; seed <= WORLDS / 4; seed++) {
        if (!begin(seed)) { continue; }
        second = plan;
        second.value = numbers;
        for (int i = 0; i < KNOTS * MOST; i++) { numbers[i] = -value[i]; }
        truth_copy(&a, &p, sizeof p);
        truth_copy(&b, &p, sizeof p);
        b.plan = &second;
        truth_copy(&q, &b, sizeof b);
        tac_rollout(&b, &s, &w, NULL);
        tac_rollout(&a, &s, &w, NULL);
        tac_rollout_begin(&p, &s, NULL);
        tac_rollout_begin(&q, &s, NULL);
        for (int k = 0; k < STEPS; k++) {
            tac_rollout_advance(&p, &w, 1);
            tac_rollout_advance(&q, &w, 1);
        }
        wrong += !same(&p, &a) || !same(&q, &b);
    }
    tap_equal(wrong, 0, "roll-outs in any order");
}

static void test_dear(void)
{
    uint32_t wrong = 0, cut = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        if (!begin(seed) || tac_rollout(&p, &s, &w, NULL) || !(p.total > 0)) { continue; }
        const tac_real whole = p.total;
        wrong += p.end != TAC_ROLLOUT_WHOLE;
        p.most = whole;
        wrong += tac_rollout(&p, &s, &w, NULL) != TAC_OK || p.end != TAC_ROLLOUT_WHOLE || p.total != whole;
        p.most = whole / 2;
        wrong += tac_rollout(&p, &s, &w, NULL) != TAC_OK || p.end != TAC_ROLLOUT_DEAR || !(p.total > p.most);
        cut += p.taken < STEPS;
    }
    tap_equal(wrong, 0, "a roll-out ends when it is dearer than asked, not when it is as dear");
    tap_least(cut, WORLDS / 4, "mostly before its last step");
}

// A prediction model: the plant's with longer steps, fewer sweeps, other masses; its state adopted.
static void test_adopted(void)
{
    const scene *stand = robot_find("stand");
    tap_equal(stand->build(&plant), TAC_OK, "a quadruped");
    truth_copy(&m, &plant, sizeof m);
    m.h = (tac_real)0.01;
    m.options.max_sweeps = 8;
    m.body[QUADRUPED_TORSO].mass *= (tac_real)1.1;
    begin_world(&m, &other);
    begin_world(&plant, &s);
    stand->drive(&plant, 0, &in);
    for (int k = 0; k < 20; k++) { tac_step(&plant, &s, &in, &w); }
    tap_equal(tac_state_adopt(&plant, &m, &s, NULL), TAC_OK, "a state of the plant");
    p = (tac_prediction){.model = &m, .input = &in, .most = (tac_real)1, .steps = 30};
    tap_equal(tac_rollout(&p, &s, &w, &fault), TAC_OK, "is rolled out by the model of the prediction");
    tap_ok(p.end == TAC_ROLLOUT_WHOLE && p.taken == 30 && p.total == 0, "without plan and cost");
    tap_ok(p.touching == 30 && p.contacts == 4, "on four feet");
    tap_near(p.state.pose[QUADRUPED_TORSO].p.z, s.pose[QUADRUPED_TORSO].p.z, 0.02, "and stands");
}

// The same robot with kept dynamics, with contacts of all shapes and of its feet alone: nearly the same.
static void test_kept(void)
{
    static const uint16_t feet[QUADRUPED_LEGS] = {2, 3, 4, 5};
    term[0] = (tac_cost_term){.kind = TAC_COST_RATE, .weight = 1, .count = 12};
    term[1] = (tac_cost_term){.kind = TAC_COST_EFFORT, .weight = (tac_real)0.001, .count = 12};
    cost = (tac_cost){term, 0, 2};
    p.cost = &cost, p.most = 1000;
    tap_equal(tac_rollout(&p, &s, &w, &fault), TAC_OK, "full steps");
    for (uint16_t shapes = 0; shapes <= QUADRUPED_LEGS; shapes += QUADRUPED_LEGS) {
        truth_copy(&q, &p, sizeof p);
        q.fidelity = (tac_fidelity){&kept[0], feet, shapes, 5};
        tap_equal(tac_rollout(&q, &s, &w, &fault), TAC_OK, "refreshed every fifth step");
        tap_ok(q.touching == 30 && q.contacts == 4, "on four feet too");
        tap_near(q.total, p.total, 0.1 * (double)p.total, "costs nearly as much");
        tap_near(q.state.pose[QUADRUPED_TORSO].p.z, p.state.pose[QUADRUPED_TORSO].p.z, 5e-4, "ends as high");
    }
}

// An effort that no step takes: refused there, and nothing that is not finite comes out.
static void test_lost(void)
{
    tac_joint j;
    tac_body body = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    body.mass = TAC_LEAST_MASS, body.inertia = (tac_vec3){TAC_LEAST_INERTIA, TAC_LEAST_INERTIA, TAC_LEAST_INERTIA};
    tac_model_init(&m);
    tac_model_add_body(&m, &body);
    tac_joint_init(&j, TAC_REVOLUTE, 0, 1);
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    channel[0] = (tac_channel){.low = -TAC_MOST_FORCE, .high = TAC_MOST_FORCE, .joint = 0, .kind = TAC_MOTOR_EFFORT};
    value[0] = TAC_MOST_FORCE;
    plan = (tac_plan){channel, value, 0, 1, 1, 1, TAC_TABLE_HOLD};
    term[0] = (tac_cost_term){.kind = TAC_COST_RATE, .weight = 1, .count = 1};
    cost = (tac_cost){term, 0, 1};
    p = (tac_prediction){.model = &m, .plan = &plan, .cost = &cost, .most = 1, .steps = 3};
    tap_ok(tac_rollout(&p, &s, &w, &fault) == TAC_E_NAN && p.end == TAC_ROLLOUT_REFUSED, "a step that is refused");
    tap_ok(fault.reason != TAC_REASON_NONE && p.fault.reason == fault.reason, "with its fault");
    tap_ok(p.taken == 0 && p.total > (tac_real)1e30 && p.total - p.total == 0, "is the dearest");
    tap_hash(tac_state_hash(&m, &p.state), tac_state_hash(&m, &s), "and the state is that before it");
    tap_equal(tac_rollout_advance(&p, &w, 1), TAC_E_NAN, "it stays refused");
}

static void refuse(tac_status status, int field, uint16_t index, const char *name)
{
    tap_equal(tac_rollout_begin(&p, &s, &fault), status, name);
    tap_ok(fault.field == field && fault.index == index, "by its name");
    tap_equal(p.end, TAC_ROLLOUT_REFUSED, "nothing has begun");
    tap_equal(tac_rollout_advance(&p, &w, 1), TAC_E_ORDER, "nor goes on");
}

#define REFUSE(change, status, field, index, name)                                                                     \
    do {                                                                                                               \
        begin(seed);                                                                                                   \
        change;                                                                                                        \
        refuse(status, field, index, name);                                                                            \
    } while (0)

static void test_refused(void)
{
    const tac_real none = (tac_real)__builtin_nan("");
    uint64_t seed = 1;
    while (!begin(seed) || plan.channels < 2) { seed++; }
    REFUSE(p.steps = 0, TAC_E_ARG, TAC_FIELD_ROLLOUT, 0, "no steps");
    REFUSE(p.most = none, TAC_E_ARG, TAC_FIELD_ROLLOUT, 1, "no bound of the cost");
    REFUSE(p.most = -1, TAC_E_ARG, TAC_FIELD_ROLLOUT, 1, "a bound that no cost keeps");
    REFUSE(p.fidelity.kept = kept, TAC_E_ARG, TAC_FIELD_ROLLOUT, 2, "no refresh ever");
    REFUSE(p.fidelity = ((tac_fidelity){kept, NULL, 1, 1}), TAC_E_ARG, TAC_FIELD_ROLLOUT, 3, "no shapes");
    REFUSE(p.fidelity = ((tac_fidelity){kept, &m.shapes, 1, 1}), TAC_E_ARG, TAC_FIELD_ROLLOUT, 3, "no such shape");
    REFUSE(plan.knots = 0, TAC_E_ARG, TAC_FIELD_PLAN, 0, "a plan without knots");
    REFUSE(channel[1].joint = TAC_NONE, TAC_E_ARG, TAC_FIELD_CHANNEL, 1, "a channel of no joint");
    REFUSE(value[1] = none, TAC_E_NAN, TAC_FIELD_KNOT, 1, "a number of the plan that is not finite");
    REFUSE(term[1].weight = -1, TAC_E_ARG, TAC_FIELD_COST_WEIGHT, 1, "a negative weight");
    REFUSE(term[1].terminal = none, TAC_E_ARG, TAC_FIELD_COST_WEIGHT, 1, "a weight that is no number");
    REFUSE(term[0].kind = TAC_COST_KINDS, TAC_E_ARG, TAC_FIELD_COST, 0, "no such term");
    REFUSE(term[0].norm = TAC_NORMS, TAC_E_ARG, TAC_FIELD_COST, 0, "no such norm");
    REFUSE(term[1].radius = 0, TAC_E_ARG, TAC_FIELD_COST, 1, "a norm without a radius");
    REFUSE(term[2].index = (uint16_t)m.joints, TAC_E_ARG, TAC_FIELD_COST, 2, "no such joint");
    REFUSE(term[2].count = 0, TAC_E_ARG, TAC_FIELD_COST, 2, "no joints");
    REFUSE(cost.term = NULL, TAC_E_ARG, TAC_FIELD_COST, 0, "no terms");
    REFUSE(cost.time = none, TAC_E_ARG, TAC_FIELD_COST, 0, "no time");
    REFUSE(s.twist[1].v.x = none, TAC_E_NAN, TAC_FIELD_VELOCITY, 1, "a state that is not finite");
    REFUSE(in.motors = TAC_MAX_JOINTS + 1, TAC_E_ARG, TAC_FIELD_COUNT, TAC_COUNT_MOTORS, "too many motors");
    REFUSE(s.model_hash ^= 1, TAC_E_MODEL, TAC_FIELD_HASH, 0, "a state of another model");
    begin(seed);
    tap_equal(tac_rollout_begin(NULL, &s, &fault), TAC_E_ARG, "nothing is asked");
    tap_equal(tac_rollout_begin(&p, NULL, &fault), TAC_E_ARG, "no state");
    tap_equal(tac_rollout_begin(&p, &s, NULL), TAC_OK, "no fault is asked for");
    tap_equal(tac_rollout_advance(&p, NULL, 1), TAC_E_ARG, "no work area");
    m.hash ^= 1;
    tap_equal(tac_rollout_advance(&p, &w, 1), TAC_E_ORDER, "another model");
    q = (tac_prediction){.model = &m};
    tap_equal(tac_rollout_advance(&q, &w, 1), TAC_E_ORDER, "before it has begun");
}

int main(void)
{
    test_steps();
    test_slices(0);
    test_slices(4);
    test_order();
    test_dear();
    test_adopted();
    test_kept();
    test_lost();
    test_refused();
    return tap_done();
}
