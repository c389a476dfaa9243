// SPDX-License-Identifier: MIT
// config: robots
// Costs: each kind of term and each norm against the same from questions of the API, in double, after random steps of
// random robots; weights and targets over time and phase against sums by hand; the user's own residuals between slices.
#include "begin.h"
#include "forest.h"
#include "truth.h"

#define WORLDS RUN(300, 40)

static tac_model m;
static tac_state s;
static tac_input in;
static tac_work w;
static tac_prediction p;
static tac_cost_term term;
static tac_cost cost = {&term, 0, 1};
static tac_real goal[16], early[TAC_MAX_JOINTS];
static tac_table target;
static tac_fault fault;

static double norm(const double *r, int count)
{
    double sum = 0, smooth = 0;
    const double radius = (double)term.radius;
    for (int i = 0; i < count; i++) {
        sum += r[i] * r[i];
        smooth += d_sqrt(r[i] * r[i] + radius * radius) - radius;
    }
    if (term.norm == TAC_NORM_QUADRATIC) { return sum / 2; }
    return term.norm == TAC_NORM_SMOOTH ? smooth : d_sqrt(sum + radius * radius) - radius;
}

// The fastest sliding, or the sum of the normal forces, of a shape.
static double touching(uint32_t shape)
{
    double force = 0, slip = 0;
    for (uint32_t i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        const double impulse = (double)c->impulse.x + (double)c->bounce.x;
        const double y = (double)c->velocity.y, z = (double)c->velocity.z;
        if ((c->id.shape_a != shape && c->id.shape_b != shape) || !(impulse > 0)) { continue; }
        force += impulse / (double)m.h;
        slip = d_max(slip, d_sqrt(y * y + z * z));
    }
    return term.kind == TAC_COST_FORCE ? force : slip;
}

static double counted(uint32_t i)
{
    tac_joint_state x;
    const uint32_t of = term.index + i;
    switch (term.kind) {
    case TAC_COST_FORCE:
    case TAC_COST_SLIP:
        return touching(of);
    case TAC_COST_EFFORT:
        return (double)w.joint[of].effort[TAC_EFFORT_MOTOR];
    case TAC_COST_EFFORT_CHANGE:
        return (double)w.joint[of].effort[TAC_EFFORT_MOTOR] - (double)early[of];
    case TAC_COST_GIVEN:
        return 0;
    default:
        tac_state_get_joint(&m, &p.state, of, &x);
        return (double)(term.kind == TAC_COST_JOINT ? x.position : x.velocity);
    }
}

static tac_vec3 vector(void)
{
    static tac_work other;
    tac_pose pose;
    tac_point_motion motion;
    tac_centroid c;
    switch (term.kind) {
    case TAC_COST_POSITION:
        tac_frame_pose(&m, &p.state, &term.frame, &pose);
        return pose.p;
    case TAC_COST_ORIENTATION:
        tac_frame_pose(&m, &p.state, &term.frame, &pose);
        return tac_quat_to_rotation_vector(
            tac_quat_multiply(tac_quat_conjugate((tac_quat){goal[0], goal[1], goal[2], goal[3]}), pose.q));
    case TAC_COST_VELOCITY:
    case TAC_COST_SPIN:
        tac_frame_motion(&m, &p.state, &term.frame, term.axes, &other, &motion);
        return term.kind == TAC_COST_SPIN ? motion.angular : motion.linear;
    default:
        tac_centroidal(&m, &p.state, TAC_NONE, &other, &c, NULL);
        return term.kind == TAC_COST_CENTRE ? c.centre : term.kind == TAC_COST_MOMENTUM ? c.linear : c.angular;
    }
}

static int is_vector(void)
{
    return (term.kind >= TAC_COST_POSITION && term.kind <= TAC_COST_ANGULAR_MOMENTUM);
}

static double wrapped(double angle)
{
    return angle > TRUTH_PI ? angle - 2 * TRUTH_PI : angle < -TRUTH_PI ? angle + 2 * TRUTH_PI : angle;
}

static double expected(void)
{
    double r[TAC_MAX_JOINTS + 3];
    int count = 0;
    if (!is_vector()) {
        for (uint32_t i = 0; i < term.count; i++) {
            r[i] = counted(i) - (double)goal[i];
            // an angle without limits, the shorter way round
            const tac_joint *j = &m.joint[term.index + i];
            if (term.kind == TAC_COST_JOINT && j->kind == TAC_REVOLUTE && !(j->lower <= j->upper)) {
                r[i] = wrapped(r[i]);
            }
        }
        return norm(r, term.count);
    }
    const tac_vec3 v = vector();
    const tac_real x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        if (term.without >> i & 1) { continue; }
        r[count++] = (double)x[i] - (term.kind == TAC_COST_ORIENTATION ? 0 : (double)goal[i]);
    }
    return norm(r, count);
}

// A run of joints with coordinates, or of shapes. Returns 0 if there is none.
static int choose(rng *r)
{
    if (term.kind == TAC_COST_FORCE || term.kind == TAC_COST_SLIP) {
        term.index = (uint16_t)rng_below(r, m.shapes + 1u);
        term.count = (uint16_t)(term.index < m.shapes ? 1 + rng_below(r, m.shapes - term.index) : 0);
        return term.count > 0;
    }
    term.index = (uint16_t)rng_below(r, m.joints + 1);
    term.count = 0;
    for (uint32_t i = term.index; i < m.joints; i++, term.count++) {
        const uint8_t kind = m.joint[i].kind;
        if (kind != TAC_REVOLUTE && kind != TAC_PRISMATIC && kind != TAC_SCREW) { break; }
    }
    return term.count > 0;
}

static int begin(uint64_t seed, rng *r)
{
    forest_build(&m, &in, seed, FOREST_SHAPES | FOREST_FLOOR | FOREST_DRIVEN | FOREST_LOOPS);
    m.h = (tac_real)0.01;
    if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { return 0; }
    term.frame = (tac_frame){(uint16_t)rng_below(r, m.bodies), {d3_to(rng_box(r, 0.3)), dq_to(rng_quat(r))}};
    term.axes = wild_one_of(r, 2) ? TAC_AXES_WORLD : TAC_AXES_FRAME;
    term.without = (uint8_t)rng_below(r, 7);
    term.radius = (tac_real)rng_range(r, 0.01, 2);
    term.count = 1;
    for (int i = 0; i < 16; i++) { goal[i] = (tac_real)rng_range(r, -1, 1); }
    goal[0] += (tac_real)(goal[0] > 0 ? 0.5 : -0.5); // a quaternion that is none too short
    return is_vector() || choose(r);
}

// One step more or less: the cost of the last one alone is its terminal weight's.
static void test_kind(uint8_t kind, const char *name)
{
    uint32_t seen = 0, wrong = 0, some = 0;
    double worst = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed * 100 + kind};
        term = (tac_cost_term){.kind = kind, .terminal = 1, .norm = (uint8_t)rng_below(&r, TAC_NORMS)};
        if (!begin(seed, &r)) { continue; }
        target = (tac_table){goal, 0, 1, 1, (uint16_t)(kind == TAC_COST_ORIENTATION ? 4 : is_vector() ? 3 : term.count),
                             0,    0};
        term.target = &target;
        p = (tac_prediction){.model = &m, .input = &in, .cost = &cost, .most = (tac_real)1e37, .steps = 4};
        if (tac_rollout_begin(&p, &s, &fault)) {
            wrong++;
            continue;
        }
        if (tac_rollout_advance(&p, &w, 3) < 0) { continue; }
        for (uint32_t i = 0; i < m.joints; i++) { early[i] = w.joint[i].effort[TAC_EFFORT_MOTOR]; }
        wrong += p.total != 0;
        if (tac_rollout_advance(&p, &w, 1) < 0) { continue; }
        const double e = expected();
        worst = d_max(worst, d_abs((double)p.total - e) / (1 + e));
        some += e > 1e-3;
        seen++;
    }
    tap_least(seen, WORLDS / 4, tap_joined(name, ": robots"));
    tap_least(some, WORLDS / 8, tap_joined(name, ": that cost something"));
    tap_equal(wrong, 0, tap_joined(name, ": are rolled out, and cost nothing before the end"));
    tap_most(worst, TOL(1e-12, 4e-4), name);
}

// A body at rest without gravity, and residuals that tables alone make: the sum by hand.
static void rest(void)
{
    const tac_body body = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    tac_model_init(&m);
    m.gravity = vec(0, 0, 0);
    m.h = (tac_real)0.125; // times and rows are exact
    tac_model_add_body(&m, &body);
    begin_world(&m, &s);
}

static void test_tables(void)
{
    const tac_real row[4] = {1, 2, 0, 3}, part[2] = {1, 0};
    const tac_table cyclic = {row, 0, (tac_real)0.25, 4, 1, TAC_TABLE_LINEAR, 1};
    const tac_table held = {row, (tac_real)0.25, (tac_real)0.25, 4, 1, TAC_TABLE_HOLD, 0};
    const tac_table gait = {part, 0, (tac_real)0.5, 2, 1, TAC_TABLE_HOLD, 1};
    // at 1/8, 2/8 ... of the cyclic table
    const double linear[8] = {1.5, 2, 1, 0, 1.5, 3, 2, 1}, hold[8] = {1, 1, 1, 2, 2, 0, 0, 3};
    double sum = 0, held_sum = 0, gait_sum = 0;
    rest();
    for (int k = 0; k < 16; k++) {
        const double t = 0.125 * (k + 1), x = linear[k % 8], h = k < 8 ? hold[k] : 3;
        sum += 0.125 * 2 * x * x / 2;
        held_sum += 0.125 * 2 * h * h / 2;
        gait_sum += (int)(t / 0.5) % 2 ? 0 : 0.125 * 2 * x * x / 2;
    }
    term = (tac_cost_term){.kind = TAC_COST_GIVEN, .weight = 2, .count = 1, .target = &cyclic};
    p = (tac_prediction){.model = &m, .cost = &cost, .most = (tac_real)1e30, .steps = 16};
    tap_equal(tac_rollout(&p, &s, &w, &fault), TAC_OK, "targets over phase");
    tap_near(p.total, sum, 1e-6, "the integral of the norm");
    term.terminal = 5;
    tac_rollout(&p, &s, &w, NULL);
    tap_near(p.total, sum + 5 * linear[7] * linear[7] / 2, 1e-6, "and of the last step");
    term.terminal = 0;
    term.target = &held;
    tac_rollout(&p, &s, &w, NULL);
    tap_near(p.total, held_sum, 1e-6, "targets over time, held before the first row and after the last");
    term.target = &cyclic;
    term.schedule = &gait;
    tac_rollout(&p, &s, &w, NULL);
    tap_near(p.total, gait_sum, 1e-6, "a weight over phase");
    cost.time = 1000;
    tac_rollout(&p, &s, &w, NULL);
    tap_near(p.total, gait_sum, TOL(1e-9, 1e-6), "after a thousand periods");
    cost.time = (tac_real)-8;
    tac_rollout(&p, &s, &w, NULL);
    tap_near(p.total, gait_sum, 1e-6, "and before the first");
    cost.time = 0;
}

// Residuals that the user writes between slices of one step.
static void test_given(void)
{
    tac_real own[2] = {0, 0};
    const tac_table given = {own, 0, 1, 1, 2, TAC_TABLE_HOLD, 0};
    double sum = 0;
    rest();
    term = (tac_cost_term){
        .kind = TAC_COST_GIVEN, .weight = 1, .count = 2, .target = &given, .norm = TAC_NORM_L2, .radius = 1};
    p = (tac_prediction){.model = &m, .cost = &cost, .most = (tac_real)1e30, .steps = 5};
    tap_equal(tac_rollout_begin(&p, &s, &fault), TAC_OK, "a term of the user");
    for (int k = 0; k < 5; k++) {
        own[0] = (tac_real)k, own[1] = (tac_real)(1 - k);
        sum += 0.125 * (d_sqrt(1 + k * k + (1 - k) * (1 - k)) - 1);
        tac_rollout_advance(&p, &w, 1);
    }
    tap_near(p.total, sum, 1e-6, "is what he has written");
    term.target = NULL;
    tap_equal(tac_rollout_begin(&p, &s, &fault), TAC_E_ARG, "nothing is given");
    tap_equal(fault.field, TAC_FIELD_COST, "by name");
}

// The largest numbers end as the largest number, none as NaN.
static void test_overflow(void)
{
    tac_real huge = (tac_real)(TAC_REAL_BITS == 32 ? 3e38 : 1e308);
    const tac_table given = {&huge, 0, 1, 1, 1, TAC_TABLE_HOLD, 0};
    rest();
    for (uint8_t kind = 0; kind < TAC_NORMS; kind++) {
        term = (tac_cost_term){
            .kind = TAC_COST_GIVEN, .weight = 1, .count = 1, .target = &given, .norm = kind, .radius = 1};
        p = (tac_prediction){.model = &m, .cost = &cost, .most = (tac_real)1e30, .steps = 5};
        tap_equal(tac_rollout(&p, &s, &w, &fault), TAC_OK, "residuals that overflow");
        tap_ok(p.total > (tac_real)1e37 && p.total - p.total == 0 && p.end == TAC_ROLLOUT_DEAR && p.taken == 1,
               "are dear");
    }
}

static void refuse(int field, const char *name)
{
    tap_equal(tac_rollout_begin(&p, &s, &fault), TAC_E_ARG, name);
    tap_equal(fault.field, field, "by its name");
    term.target = term.schedule = NULL;
    term.kind = TAC_COST_POSITION;
    term.frame = (tac_frame){1, {{0, 0, 0}, {1, 0, 0, 0}}};
}

static void test_refused(void)
{
    static const tac_real numbers[8] = {0, 0, 0, 0, -1, 0, 0, 0};
    tac_table t = {numbers, 0, 1, 2, 3, TAC_TABLE_LINEAR, 0};
    rest();
    term = (tac_cost_term){.kind = TAC_COST_POSITION, .weight = 1, .frame = {1, {{0, 0, 0}, {1, 0, 0, 0}}}};
    p = (tac_prediction){.model = &m, .cost = &cost, .most = (tac_real)1e30, .steps = 5};
    tap_equal(tac_rollout_begin(&p, &s, &fault), TAC_OK, "a position");
    term.frame.body = 2;
    refuse(TAC_FIELD_COST, "a frame of no body");
    term.frame.pose.q.w = 0;
    refuse(TAC_FIELD_COST, "a frame without orientation");
    term.without = 8;
    refuse(TAC_FIELD_COST, "no such component");
    term.without = 0;
    term.kind = TAC_COST_SPIN, term.axes = TAC_AXES_BODY;
    refuse(TAC_FIELD_COST, "axes that no term has");
    term.target = &t, t.width = 2;
    refuse(TAC_FIELD_COST_TARGET, "a target of two numbers");
    term.target = &t, t.width = 3, t.rows = 0;
    refuse(TAC_FIELD_COST_TARGET, "a target without rows");
    term.target = &t, t.rows = 2, t.spacing = 0;
    refuse(TAC_FIELD_COST_TARGET, "rows of one time");
    term.target = &t, t.spacing = 1, t.form = TAC_TABLE_FORMS;
    refuse(TAC_FIELD_COST_TARGET, "no such form");
    term.target = &t, t.form = 0, t.value = NULL;
    refuse(TAC_FIELD_COST_TARGET, "no numbers");
    term.target = &t, t.value = numbers, t.width = 4, t.rows = 2, term.kind = TAC_COST_ORIENTATION;
    refuse(TAC_FIELD_COST_TARGET, "a rotation that is none");
    term.schedule = &t, t.width = 1, t.rows = 8;
    refuse(TAC_FIELD_COST_SCHEDULE, "a negative weight in a schedule");
    term.schedule = &t, t.width = 2, t.rows = 2;
    refuse(TAC_FIELD_COST_SCHEDULE, "a schedule of two columns");
    term.kind = TAC_COST_FORCE, term.count = 1;
    refuse(TAC_FIELD_COST, "no such shape");
}

int main(void)
{
    static const char *const NAMES[TAC_COST_KINDS] = {
        "joints",         "rates",    "position",         "orientation", "velocity",          "spin",
        "centre of mass", "momentum", "angular momentum", "efforts",     "change of efforts", "forces",
        "slip",           "given"};
    for (uint8_t kind = 0; kind < TAC_COST_GIVEN; kind++) { test_kind(kind, NAMES[kind]); }
    test_tables();
    test_given();
    test_overflow();
    test_refused();
    return tap_done();
}
