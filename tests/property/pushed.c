// SPDX-License-Identifier: MIT
// config: robots
// Robots on two to four feet, some of them on ice, on a floor that leans, pushed to and fro: their motors, of limited
// effort, hold positions that change. Sweeps over their trees take motors as unbounded where these are likely to stay
// within their limits, and Newton's method takes over where sweeps are slow. No motor exceeds its limit for that.
#include "begin.h"
#include "wild.h"

enum { WORLDS = RUN(800, 20), STEPS = 40, HELD = 7 };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static uint16_t pushed; // the trunk

static uint16_t add_block(double mass, d3 at, d3 half, uint8_t material, int touches)
{
    const double k = mass * (half.x * half.x + half.y * half.y + half.z * half.z) / 3;
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.mass = (tac_real)mass;
    b.inertia = vec(k, k, k);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    tac_shape box = tac_shape_make(body, TAC_BOX, d3_to(half));
    box.material = material;
    if (touches) { tac_model_add_shape(&m, &box); }
    return body;
}

// A hinge or a slide between two blocks, and its motor, for loads of this mass.
static void add_joint(rng *r, uint16_t a, uint16_t b, d3 at, double mass)
{
    static const uint8_t KIND[] = {TAC_REVOLUTE, TAC_REVOLUTE, TAC_PRISMATIC};
    const dq q = dq_about(rng_below(r, 2) ? d3_make(1, 0, 0) : rng_box(r, 1), rng_range(r, 0, 3));
    const double h = (double)m.h;
    tac_joint j;
    wild_turn(r, &a, &b);
    tac_joint_init(&j, KIND[rng_below(r, sizeof KIND)], a, b);
    j.frame_a = seen_from(&m, a, at, q);
    j.frame_b = seen_from(&m, b, at, q);
    j.effort = (tac_real)(10 * mass * octave_range(r, 0.3, 30));
    const int32_t joint = tac_model_add_joint(&m, &j);
    input.motor[input.motors++] = (tac_motor){0,
                                              0,
                                              0,
                                              (tac_real)(mass / (h * h) * octave_range(r, 1e-4, 1)),
                                              (tac_real)(mass / h * octave_range(r, 1e-2, 1)),
                                              (uint16_t)joint,
                                              (uint8_t)(rng_below(r, 4) ? TAC_MOTOR_PD : TAC_MOTOR_POSITION)};
}

// One leg, with a knee or without.
static void add_leg(rng *r, uint16_t trunk, double mass, double angle)
{
    const d3 foot = {0.2, 0.14, 0.12}, at = {d_cos(angle), d_sin(angle), foot.z};
    const d3 hip = {0.7 * at.x, 0.7 * at.y, 0.42};
    uint16_t up = trunk;
    if (rng_below(r, 2)) {
        const uint16_t shank = add_block(mass * octave_range(r, 0.05, 1), d3_make(at.x, at.y, 0.42), foot, 0, 0);
        add_joint(r, up, shank, hip, mass);
        up = shank;
    }
    const uint16_t last = add_block(mass * octave_range(r, 0.05, 1), at, foot, (uint8_t)rng_below(r, 2), 1);
    add_joint(r, up, last, hip, mass);
}

static double random_robot(rng *r)
{
    const double mass = log_range(r, -2, 3);
    const uint32_t legs = 2 + rng_below(r, 3);
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)octave_range(r, 3e-4, 8e-3);
    m.gravity = vec(rng_range(r, -3, 3), rng_range(r, -3, 3), -10);
    m.options.max_sweeps = (uint16_t)(rng_below(r, 3) ? 50 : 1 + rng_below(r, 100));
    tac_model_add_material(&m, (tac_real)rng_range(r, 0, 1), 0);
    tac_model_add_material(&m, 0, 0);
    wild_floor(&m, r, 1, 0);
    const uint16_t trunk = add_block(mass, d3_make(0, 0, 0.74), d3_make(0.3, 0.3, 0.1), 0, 0);
    for (uint32_t i = 0; i < legs; i++) { add_leg(r, trunk, mass, 2 * TRUTH_PI * i / legs); }
    wild_passing(&m, r, 0.3, mass);
    pushed = wild_numbers(&m, &input, r).body[trunk];
    return mass;
}

// Another push, other positions.
static void vary(rng *r, double mass)
{
    input.actions = 1;
    input.action[0] = (tac_action){d3_to(rng_box(r, 10 * mass * octave_range(r, 0.1, 30))), vec(0, 0, 0), vec(0, 0, 0),
                                   pushed, TAC_WRENCH_WORLD};
    for (uint32_t i = 0; i < input.motors; i++) { input.motor[i].position = (tac_real)rng_range(r, -0.05, 0.05); }
}

typedef struct tally {
    double effort;
    uint64_t effort_at;
    int refused, newton, saturated;
} tally;

static void judge(tally *t, uint64_t seed)
{
    for (int i = 0; i < w.report.stages; i++) {
        const tac_stage *x = &w.report.stage[i];
        t->newton += x->engine == TAC_SOLVER_DIRECT && x->op == TAC_OPERATOR_TREES;
    }
    for (uint32_t i = 0; i < input.motors; i++) {
        const uint16_t joint = input.motor[i].joint;
        const double most = (double)m.joint[joint].effort,
                     effort = d_abs((double)w.joint[joint].effort[TAC_EFFORT_MOTOR]);
        worst_at(&t->effort, &t->effort_at, d_max(0, effort / most - 1), seed);
        t->saturated += effort >= 0.999 * most;
    }
}

static void run(uint64_t seed, tally *t)
{
    rng r = {seed * UINT64_C(0xd1342543de82ef95)};
    const double mass = random_robot(&r);
    begin_world(&m, &s);
    for (int i = 0; i < STEPS; i++) {
        if (i % HELD == 0) { vary(&r, mass); }
        t->refused += tac_step(&m, &s, &input, &w) < 0;
        judge(t, seed);
    }
}

int main(void)
{
    tally t = {0};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) { run(seed, &t); }
    tap_note("Newton's method on W took over, times", t.newton);
    tap_equal(t.refused, 0, "each step is taken");
    tap_least(t.newton, WORLDS / 4, "sweeps were too slow for some");
    tap_least(t.saturated, WORLDS, "motors reached their limits");
    tap_note_hex("seed of the largest effort", t.effort_at);
    tap_most(t.effort, TOL(1e-12, 1e-6), "and none exceeds its own");
    return tap_done();
}
