// SPDX-License-Identifier: MIT
// config: all
// Iterative LQR: two sliders, whose dynamics are linear, against a Riccati recursion and against what roll-outs say of
// a minimum: no number of the plan can be moved within its bounds and save. The same of an arm, for each kind of term
// and norm. Slices, cuts, bounds, what is refused.
#include "begin.h"
#include "truth.h"

enum { STEPS = 20, MOST = 2, ROOM = TAC_ILQR_NUMBERS(8, 4, MOST, STEPS, 24) };

static tac_model m;
static tac_state s, trajectory[TAC_ILQR_STATES(STEPS)];
static tac_work w;
static tac_lcp lcp;
static tac_channel channel[MOST];
static tac_real value[STEPS * MOST], memory[ROOM];
static tac_plan plan;
static tac_real goal[3] = {1, (tac_real)0.3, (tac_real)0.2},
                turned[4] = {(tac_real)0.9, (tac_real)0.2, (tac_real)0.3, (tac_real)0.25};
static tac_real ramp[3] = {(tac_real)0.2, 1, 2};
static tac_table target = {goal, 0, 1, 1, 2, TAC_TABLE_HOLD, 0}, place = {goal, 0, 1, 1, 3, TAC_TABLE_HOLD, 0};
static tac_table turn = {turned, 0, 1, 1, 4, TAC_TABLE_HOLD, 0};
static tac_table schedule = {ramp, 0, (tac_real)0.1, 3, 1, TAC_TABLE_LINEAR, 0};
static tac_cost_term term[6];
static tac_cost cost = {term, 0, 0};
static tac_ilqr a;
static tac_prediction p;
static tac_fault fault;

static void link(uint8_t kind, double mass, double length)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, length * m.bodies, 0));
    tac_joint j;
    b.mass = (tac_real)mass;
    b.inertia = vec(0.1, 0.2, 0.3);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    tac_joint_init(&j, kind, (uint16_t)(body - 1), body);
    j.frame_a.q = j.frame_b.q = (tac_quat){(tac_real)0.8, 0, (tac_real)0.6, 0};
    if (length > 0) { j.frame_b.p = vec(0, -length, 0); }
    tac_model_add_joint(&m, &j);
}

// Sliders, one on the other; or an arm of two links that is pulled down.
static void build(int arm)
{
    tac_model_init(&m);
    m.h = (tac_real)0.02;
    m.gravity = vec(0, 0, arm ? -1 : 0);
    for (int i = 0; i < 2; i++) { link(arm ? TAC_REVOLUTE : TAC_PRISMATIC, 1 + i, arm ? 0.3 : 0); }
    tac_model_add_material(&m, (tac_real)0.5, 0);
    begin_world(&m, &s);
}

static tac_cost_term *add(uint8_t kind, double weight, double terminal)
{
    tac_cost_term *t = &term[cost.terms++];
    *t = (tac_cost_term){.kind = kind, .weight = (tac_real)weight, .terminal = (tac_real)terminal, .count = 2};
    t->frame.body = 2;
    t->frame.pose.p = vec(0.1, 0.05, 0);
    t->frame.pose.q = (tac_quat){1, 0, 0, 0};
    t->radius = (tac_real)0.1;
    return t;
}

// Efforts of both joints, held for so many steps each, from a plan that is none.
static void ask(uint16_t held, double most)
{
    cost.terms = 0;
    for (uint16_t i = 0; i < MOST; i++) {
        channel[i] =
            (tac_channel){.joint = i, .kind = TAC_MOTOR_EFFORT, .low = (tac_real)-most, .high = (tac_real)most};
    }
    for (int i = 0; i < STEPS * MOST; i++) { value[i] = 0; }
    plan = (tac_plan){channel, value, 0, held * m.h, (uint16_t)(STEPS / held), MOST, TAC_TABLE_HOLD};
    tac_lcp_init(&lcp);
    truth_fill(memory, sizeof memory, 0xff);
    a = (tac_ilqr){.model = &m, .cost = &cost, .plan = &plan, .trajectory = trajectory, .lcp = &lcp, .memory = memory};
    a.room = ROOM, a.steps = STEPS, a.iterations = 40;
}

static void ask_sliders(uint16_t held, double most)
{
    ask(held, most);
    add(TAC_COST_JOINT, 3, 40)->target = &target;
    add(TAC_COST_RATE, 0.1, 4);
    add(TAC_COST_EFFORT, 0.05, 0);
}

static tac_real rolled(void)
{
    p = (tac_prediction){.model = &m, .plan = &plan, .cost = &cost, .most = (tac_real)1e30, .steps = STEPS};
    tac_rollout(&p, &s, &w, NULL);
    return p.total;
}

static void plan_all(const char *name)
{
    tap_equal(tac_ilqr_begin(&a, &s, &w, &fault), TAC_OK, tap_joined(name, ": begins"));
    tap_equal(tac_ilqr_run(&a, &w, UINT32_MAX), TAC_OK, tap_joined(name, ": ends"));
    tap_ok(rolled() == a.least, tap_joined(name, ": the plan costs what it says, to the bit"));
    tap_ok(a.least < a.nominal, tap_joined(name, ": less than before"));
}

// The largest part of the cost that a number of the plan saves when it is moved alone, within its bounds, to where
// slope and curvature of roll-outs have their minimum. Efforts alone have a curvature of 0.02 a second at least.
static double saving(uint32_t *bound)
{
    const double e = TOL(1e-3, 0.05), base = (double)rolled(), least = 0.02 * (double)plan.spacing;
    double most = 0;
    *bound = 0;
    for (uint32_t i = 0; i < (uint32_t)plan.knots * MOST; i++) {
        const tac_real is = value[i];
        tac_channel *c = &channel[i % MOST];
        const int low = is <= c->low, high = is >= c->high;
        c->low -= 1, c->high += 1; // to see beyond them
        value[i] = is + (tac_real)e;
        const double up = (double)rolled();
        value[i] = is - (tac_real)e;
        const double down = (double)rolled();
        value[i] = is;
        c->low += 1, c->high -= 1;
        *bound += (uint32_t)(low || high);
        if ((low && up > down) || (high && up < down)) { continue; }
        const double slope = (up - down) / (2 * e), curve = (up + down - 2 * base) / (e * e);
        most = d_max(most, slope * slope / (2 * d_max(curve, least)) / base);
    }
    return most;
}

// ----------------------------------------------------------------------------------------------------------- sliders

typedef double matrix[4][4];

static void multiply(matrix x, matrix y, int transposed, matrix to)
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            to[i][j] = 0;
            for (int k = 0; k < 4; k++) { to[i][j] += (transposed ? x[k][i] : x[i][k]) * y[k][j]; }
        }
    }
}

// The Riccati recursion of textbooks, in double, and the cost of its plan. x = (q - goal, v).
static double riccati(double u[STEPS][2])
{
    static double K[STEPS][2][4];
    const double h = (double)m.h, inverse[2][2] = {{1, -1}, {-1, 1.5}}; // of the mass matrix (3 2; 2 2)
    matrix A = {{1, 0, h, 0}, {0, 1, 0, h}, {0, 0, 1, 0}, {0, 0, 0, 1}}, P = {{0}}, T, next;
    double B[4][2], x[4] = {-(double)goal[0], -(double)goal[1], 0, 0}, total = 0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) { B[2 + i][j] = h * inverse[i][j], B[i][j] = h * B[2 + i][j]; }
    }
    for (int step = STEPS - 1; step >= 0; step--) {
        const int last = step == STEPS - 1;
        double S[2][2], PB[4][2], rest[2][4], det;
        for (int i = 0; i < 4; i++) { P[i][i] += i < 2 ? 3 * h + 40 * last : 0.1 * h + 4 * last; }
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 2; j++) {
                PB[i][j] = 0;
                for (int k = 0; k < 4; k++) { PB[i][j] += P[i][k] * B[k][j]; }
            }
        }
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                S[i][j] = i == j ? 0.05 * h : 0;
                for (int k = 0; k < 4; k++) { S[i][j] += B[k][i] * PB[k][j]; }
            }
            for (int j = 0; j < 4; j++) {
                rest[i][j] = 0;
                for (int k = 0; k < 4; k++) { rest[i][j] += PB[k][i] * A[k][j]; }
            }
        }
        det = S[0][0] * S[1][1] - S[0][1] * S[1][0];
        for (int j = 0; j < 4; j++) {
            K[step][0][j] = -(S[1][1] * rest[0][j] - S[0][1] * rest[1][j]) / det;
            K[step][1][j] = -(S[0][0] * rest[1][j] - S[1][0] * rest[0][j]) / det;
        }
        multiply(P, A, 0, T);
        multiply(A, T, 1, next);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                P[i][j] = next[i][j] + rest[0][i] * K[step][0][j] + rest[1][i] * K[step][1][j];
            }
        }
    }
    for (int step = 0; step < STEPS; step++) {
        const int last = step == STEPS - 1;
        double to[4];
        for (int i = 0; i < 2; i++) {
            u[step][i] = 0;
            for (int j = 0; j < 4; j++) { u[step][i] += K[step][i][j] * x[j]; }
        }
        for (int i = 0; i < 4; i++) {
            to[i] = B[i][0] * u[step][0] + B[i][1] * u[step][1];
            for (int j = 0; j < 4; j++) { to[i] += A[i][j] * x[j]; }
        }
        for (int i = 0; i < 4; i++) {
            x[i] = to[i];
            total += 0.5 * x[i] * x[i] * (i < 2 ? 3 * h + 40 * last : 0.1 * h + 4 * last);
        }
        for (int i = 0; i < 2; i++) { total += 0.5 * 0.05 * h * u[step][i] * u[step][i]; }
    }
    return total;
}

static void test_riccati(void)
{
    static double u[STEPS][2];
    double worst = 0, largest = 0;
    ask_sliders(1, 1000);
    plan_all("sliders");
    const double least = riccati(u);
    for (int i = 0; i < STEPS * 2; i++) {
        worst = d_max(worst, d_abs((double)value[i] - u[i / 2][i % 2]));
        largest = d_max(largest, d_abs(u[i / 2][i % 2]));
    }
    tap_most(worst / largest, TOL(1e-8, 2e-3), "efforts against the Riccati recursion");
    tap_most(d_abs((double)a.least / least - 1), TOL(1e-10, 1e-4), "and the cost");
    tap_most(a.improved, TOL(2, 3), "what is linear and quadratic takes one backward pass");
}

static void test_promise(void)
{
    ask_sliders(1, 1000);
    a.iterations = 1;
    plan_all("one pass");
    tap_most(d_abs((double)(a.nominal - a.least) / (double)a.promise - 1), TOL(1e-8, 1e-4), "saves what it promises");
}

static void test_minimum(uint16_t held, double most, uint32_t least, const char *name)
{
    uint32_t bound;
    ask_sliders(held, most);
    plan_all(name);
    const double left = saving(&bound);
    tap_most(left, TOL(1e-9, 1e-4), tap_joined(name, ": what one number moved alone would save"));
    tap_ok(bound >= least && bound < (uint32_t)plan.knots * MOST, tap_joined(name, ": some are at a bound"));
    for (int i = 0; i < plan.knots * MOST; i++) {
        if (d_abs((double)value[i]) > most) { tap_ok(0, "a number beyond its bound"); }
    }
}

// What the joint cannot give is no part of a plan.
static void test_weak(void)
{
    build(0);
    m.joint[1].effort = 2;
    begin_world(&m, &s);
    ask_sliders(1, 30);
    plan_all("a weak joint");
    double most = 0;
    for (int k = 0; k < STEPS; k++) { most = d_max(most, d_abs((double)value[2 * k + 1])); }
    tap_equal((long)most, 2, "its efforts go to what it can give, and no further");
    build(0);
}

// The change of efforts couples knots; a target of it is one too.
static void test_change(uint8_t norm)
{
    uint32_t bound;
    ask_sliders(2, 1000);
    tac_cost_term *t = add(TAC_COST_EFFORT_CHANGE, 0.3, 0.2);
    t->norm = norm;
    t->target = &target;
    a.iterations = 400;
    plan_all("with changes of efforts");
    const double left = saving(&bound);
    tap_most(left, TOL(2e-4, 3e-3), "what one number moved alone would save");
}

// --------------------------------------------------------------------------------------------------------------- arm

static void test_kind(uint8_t kind, uint8_t norm)
{
    uint32_t bound;
    ask(2, 6);
    tac_cost_term *t = add(kind, 2, 4);
    t->target = kind == TAC_COST_ORIENTATION                      ? &turn
                : kind == TAC_COST_JOINT || kind == TAC_COST_RATE ? &target
                                                                  : &place;
    t->schedule = &schedule;
    t->norm = norm;
    t->without = norm == TAC_NORM_L2 ? 2 : 0;
    t->axes = norm == TAC_NORM_L2 ? TAC_AXES_FRAME : TAC_AXES_WORLD;
    add(TAC_COST_EFFORT, 0.02, 0);
    add(TAC_COST_RATE, 0.02, 0);
    a.iterations = 100;
    plan_all("an arm");
    const double left = saving(&bound);
    tap_note("kind", kind);
    tap_most(left, TOL(2e-4, 3e-3), "what one number moved alone would save");
}

// Terms without a derivative change the cost, not the search.
static void test_unseen(void)
{
    tac_real before[STEPS * MOST];
    build(0);
    ask_sliders(1, 20);
    a.iterations = 1;
    plan_all("without numbers of the user");
    truth_copy(before, value, sizeof value);
    const tac_real least = a.least;
    ask_sliders(1, 20);
    add(TAC_COST_GIVEN, 1, 1)->target = &target;
    a.iterations = 1;
    plan_all("with them");
    tap_ok(truth_equal(before, value, sizeof value) && a.least > least, "the same plan, dearer");
}

// ------------------------------------------------------------------------------------------------------ slices, cuts

static void test_slices(void)
{
    tac_real whole[STEPS * MOST];
    tac_state third;
    tac_status status = TAC_UNCONVERGED;
    uint32_t dearer = 0, slices = 0;
    ask_sliders(2, 4);
    plan_all("whole");
    const uint32_t taken = a.taken;
    truth_copy(whole, value, sizeof value);
    ask_sliders(2, 4);
    tac_ilqr_begin(&a, &s, &w, NULL);
    const tac_real before = rolled();
    tac_real last = before;
    for (; slices < 100000 && status == TAC_UNCONVERGED; slices++) {
        truth_fill(&w, sizeof w, 0xff);
        truth_copy(&third, &s, sizeof s);
        tac_step(&m, &third, NULL, &w);
        status = tac_ilqr_run(&a, &w, 1 + slices % 3);
        const tac_real now = rolled();
        dearer += now > last || (a.least < before && now != a.least);
        last = now;
    }
    tap_ok(status == TAC_OK && a.taken == taken && slices > taken / 3, "slices take the steps of the whole");
    tap_ok(truth_equal(whole, value, sizeof value), "and have its bits");
    tap_equal(dearer, 0, "cut at any time, the plan is the cheapest so far");
    tap_equal(tac_ilqr_run(&a, &w, 1), TAC_OK, "what has ended stays so");
}

// ----------------------------------------------------------------------------------------------------------- refused

static void refuse(tac_status status, int field, int index, const char *name)
{
    tap_equal(tac_ilqr_begin(&a, &s, &w, &fault), status, name);
    tap_ok(fault.field == field && fault.index == index, "by its name");
    if (a.model != NULL) { tap_equal(tac_ilqr_run(&a, &w, 1), TAC_E_ORDER, "nothing has begun"); }
}

#define REFUSE(change, status, field, index, name)                                                                     \
    do {                                                                                                               \
        ask_sliders(1, 10);                                                                                            \
        change;                                                                                                        \
        refuse(status, field, index, name);                                                                            \
    } while (0)

static void test_refused(void)
{
    REFUSE(a.model = NULL, TAC_E_ARG, TAC_FIELD_POINTER, 0, "no model");
    REFUSE(a.plan = NULL, TAC_E_ARG, TAC_FIELD_ILQR, 0, "no plan");
    REFUSE(a.cost = NULL, TAC_E_ARG, TAC_FIELD_ILQR, 0, "no cost");
    REFUSE(a.trajectory = NULL, TAC_E_ARG, TAC_FIELD_ILQR, 0, "no room for states");
    REFUSE(a.memory = NULL, TAC_E_ARG, TAC_FIELD_ILQR, 0, "no memory");
    REFUSE(a.lcp = NULL, TAC_E_ARG, TAC_FIELD_ILQR, 0, "no scratch");
    REFUSE(a.iterations = 0, TAC_E_ARG, TAC_FIELD_ILQR, 1, "no iterations");
    REFUSE(plan.form = TAC_TABLE_LINEAR, TAC_E_ARG, TAC_FIELD_ILQR, 2, "efforts that are not held");
    REFUSE(plan.channels = 0, TAC_E_ARG, TAC_FIELD_ILQR, 2, "nothing to plan");
    REFUSE(a.smoothing = -1, TAC_E_ARG, TAC_FIELD_ILQR, 4, "less than no smoothing");
    REFUSE(a.smoothing = (tac_real)__builtin_nan(""), TAC_E_ARG, TAC_FIELD_ILQR, 4, "one that is no number");
    REFUSE(a.steps = 0, TAC_E_ARG, TAC_FIELD_ROLLOUT, 0, "no steps");
    REFUSE(channel[1].kind = TAC_MOTOR_PD, TAC_E_ARG, TAC_FIELD_CHANNEL, 1, "a channel of positions");
    REFUSE(term[0].weight = -1, TAC_E_ARG, TAC_FIELD_COST_WEIGHT, 0, "a negative weight");
    REFUSE(value[3] = (tac_real)__builtin_nan(""), TAC_E_NAN, TAC_FIELD_KNOT, 3, "a number that is none");
    const uint32_t exact = (uint32_t)TAC_ILQR_NUMBERS(4, 2, 2, STEPS, 6);
    REFUSE(a.room = exact - 1, TAC_E_FULL, TAC_FIELD_ILQR, 3, "one number less than it takes");
    ask_sliders(1, 10);
    a.room = exact;
    for (uint32_t i = exact; i < ROOM; i++) { memory[i] = 7; }
    plan_all("just enough memory");
    uint32_t touched = 0;
    for (uint32_t i = exact; i < ROOM; i++) { touched += memory[i] != 7; }
    tap_equal(touched, 0, "no number beyond it is touched");
    tap_equal(tac_ilqr_begin(NULL, &s, &w, &fault), TAC_E_ARG, "nothing is asked");
    tap_equal(tac_ilqr_begin(&a, &s, NULL, &fault), TAC_E_ARG, "no work area");
    tap_equal(tac_ilqr_run(&a, NULL, 1), TAC_E_ARG, "nor later");
}

// A plan whose roll-out is refused stays.
static void test_lost(void)
{
    ask_sliders(1, 1e9);
    for (uint16_t i = 0; i < MOST; i++) { channel[i].low = -TAC_MOST_FORCE, channel[i].high = TAC_MOST_FORCE; }
    for (int i = 0; i < STEPS * MOST; i++) { value[i] = TAC_MOST_FORCE; }
    tap_equal(tac_ilqr_begin(&a, &s, &w, NULL), TAC_OK, "efforts that no step takes");
    tap_equal(tac_ilqr_run(&a, &w, UINT32_MAX), TAC_E_NAN, "are refused");
    tap_ok(a.fault.reason != TAC_REASON_NONE && value[0] == TAC_MOST_FORCE, "by name, and the plan stays");
    tap_equal(tac_ilqr_run(&a, &w, 1), TAC_E_ORDER, "it has ended");
}

// A bounce, which has no derivative: the plan is what it was.
static void test_bounce(void)
{
    build(1);
    tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    shape.pose.p = vec(0, 0, -0.1);
    m.material[0].restitution = (tac_real)0.8;
    tac_model_add_shape(&m, &shape);
    shape = tac_shape_make(2, TAC_SPHERE, vec(0.05, 0.05, 0.05));
    tac_model_add_shape(&m, &shape);
    m.gravity.z = -20;
    m.options.bounce = (tac_real)0.01;
    begin_world(&m, &s);
    ask(1, 5);
    add(TAC_COST_JOINT, 3, 40)->target = &target;
    value[0] = 1;
    const tac_real before = rolled();
    tap_equal(tac_ilqr_begin(&a, &s, &w, NULL), TAC_OK, "a link that bounces");
    tap_equal(tac_ilqr_run(&a, &w, UINT32_MAX), TAC_E_ARG, "is refused");
    tap_ok(a.fault.field == TAC_FIELD_RESTITUTION, "by name");
    tap_ok(rolled() == before && a.least == before, "and the plan stays");
}

int main(void)
{
    build(0);
    test_riccati();
    test_promise();
    test_minimum(1, 6, 5, "bounds, one step a knot");
    test_minimum(4, 6, 1, "bounds, four steps a knot");
    for (uint8_t norm = 0; norm < TAC_NORMS; norm++) { test_change(norm); }
    test_weak();
    test_slices();
    test_unseen();
    test_refused();
    test_lost();
    build(1);
    for (uint8_t kind = TAC_COST_JOINT; kind <= TAC_COST_ANGULAR_MOMENTUM; kind++) {
        test_kind(kind, (uint8_t)(kind % TAC_NORMS));
    }
    test_bounce();
    return tap_done();
}
